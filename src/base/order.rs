//! Lists in order. A sort of the standard library is compiled anew for each type and order, some twenty functions
//! each time, and most lists are short and rarely sorted; here one sort, of places in a list, serves all.

use std::cmp::Ordering;

/// Sorts in ascending order.
pub fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}

/// Sorts by comparison; equal ones stay in their order.
pub fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = places(list.len(), &|one, other| compare(&list[one], &list[other]));
    arrange(list, order);
}

/// Sorts by a key, which is made once for each; equal ones stay in their order.
pub fn sort_by_cached_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    let keys: Vec<K> = list.iter().map(key).collect();
    arrange(list, places(keys.len(), &|one, other| keys[one].cmp(&keys[other])));
}

/// Puts a list into an order of its places.
fn arrange<T>(list: &mut [T], mut order: Vec<usize>) {
    for at in 0..list.len() {
        // What stood there may have been exchanged before.
        while order[at] < at {
            order[at] = order[order[at]];
        }
        list.swap(at, order[at]);
    }
}

/// The places of a list in ascending order.
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&one, &other| compare(one, other));
    order
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
            let mut compared = list.clone();
            sort_by(&mut compared, |(one, _), (other, _)| one.cmp(other));
            assert_eq!(compared, sorted);
            sort_by_cached_key(&mut list, |(key, _)| *key);
            assert_eq!(list, sorted);
        }
    }
}
