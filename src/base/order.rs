//! Lists in the order of a key.

/// Sorts by a key, as `sort_by_cached_key` of the standard library does: equal ones stay in their order. That one
/// is compiled anew for the decisions of every game, some forty functions each time; here only two loops are.
pub fn sort_by_cached_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    let mut keys = Vec::with_capacity(list.len());
    for item in &*list {
        keys.push((key(item), keys.len()));
    }
    let mut order = places(keys);
    for at in 0..list.len() {
        // What stood there may have been exchanged before.
        while order[at] < at {
            order[at] = order[order[at]];
        }
        list.swap(at, order[at]);
    }
}

/// The places of the keys in ascending order.
fn places<K: Ord>(mut keys: Vec<(K, usize)>) -> Vec<usize> {
    keys.sort_unstable();
    keys.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;

    #[test]
    fn equals_stay_in_their_order() {
        let mut rng = Rng::new(7);
        for length in (0..40).chain([500]) {
            let mut list: Vec<(usize, usize)> = (0..length).map(|place| (rng.below(9), place)).collect();
            let mut sorted = list.clone();
            sorted.sort_by_key(|(key, _)| *key);
            sort_by_cached_key(&mut list, |(key, _)| *key);
            assert_eq!(list, sorted);
        }
    }
}
