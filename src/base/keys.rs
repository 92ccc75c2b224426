//! Zobrist keys (A. L. Zobrist, 1970), computed at compile time so that every build agrees on them.

/// 2^64 divided by the golden ratio (D. Knuth's multiplicative hashing): the highest bits of a product with it
/// depend on all bits of the other factor.
pub const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// The `index`-th key of the stream `stream`: SplitMix64 (Steele, Lea, Flood 2014) of both numbers.
///
/// Each table of a game should have a stream of its own.
pub const fn key_for(stream: u64, index: u64) -> u64 {
    let mut z =
        stream.wrapping_mul(0xD1B5_4A32_D192_ED03).wrapping_add(index.wrapping_add(1).wrapping_mul(MIX));
    const_for!(_round in 0..2 => {
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
    });
    z
}

/// The first `N` keys of a stream.
pub const fn key_table<const N: usize>(stream: u64) -> [u64; N] {
    table!(index => key_for(stream, index as u64))
}

/// A number of 24 bits, each of which depends on these numbers as a whole.
#[inline]
pub fn mixed(numbers: impl IntoIterator<Item = u64>) -> u64 {
    let mix = |key: u64, number: u64| (key ^ number).wrapping_mul(MIX).rotate_left(23);
    // The low bits of a product know nothing of the high bits of its factors: once more, after they have
    // changed places.
    numbers.into_iter().fold(0_u64, mix).wrapping_mul(MIX) >> 40
}

/// The hash FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), the same on every machine.
pub fn fnv1a(bytes: impl Iterator<Item = u8>) -> u64 {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.fold(0xcbf2_9ce4_8422_2325, fold)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_bit_changes_the_low_bits_of_what_is_mixed() {
        let numbers = [0, u64::MAX, 0x00FF_0000_0810_FF00];
        for bit in 0..64 {
            for place in 0..3 {
                let mut other = numbers;
                other[place] ^= 1 << bit;
                assert_ne!(mixed(numbers) % (1 << 14), mixed(other) % (1 << 14), "{place} {bit}");
            }
        }
    }

    #[test]
    fn keys_of_many_streams_differ() {
        let keys: HashSet<u64> = (0..64).flat_map(|s| (0..1024).map(move |i| key_for(s, i))).collect();
        assert_eq!(keys.len(), 64 * 1024);
    }
}
