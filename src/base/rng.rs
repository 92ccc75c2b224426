//! A small random number generator with a fixed, documented stream.

/// xoshiro256** (Blackman, Vigna 2018), seeded by SplitMix64. It serves playouts and tests, not dice that
/// players must be able to trust.
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The generator whose stream belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: std::array::from_fn(|i| super::key_for(seed, i as u64)) }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number from 0 to `bound - 1` (Lemire's multiplication; the bias below 2^-32 does not matter here). A
    /// bound of 0 gives 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// One of `items`, each with equal probability; `None` when there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_seed_same_stream_and_all_values_come() {
        let (mut a, mut b) = (Rng::new(7), Rng::new(7));
        let mut seen = [0; 6];
        for _ in 0..6000 {
            let face = a.below(6);
            assert_eq!(face, b.below(6));
            seen[face] += 1;
        }
        assert!(seen.iter().all(|&n| (800..1200).contains(&n)), "{seen:?}");
        assert_eq!(Rng::new(1).below(0), 0);
        assert_eq!(Rng::new(1).pick::<u8>(&[]), None);
    }
}
