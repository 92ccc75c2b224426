//! How many plies less late decisions are searched.

use crate::game::Selectivity;

/// Late move reductions by depth and number: ln depth times ln number, as in all strong chess programs.
pub(super) struct Reductions {
    /// The base and the divisor that the table was made for.
    of: (i32, i32),
    plies: Box<[[u8; 64]; 64]>,
}

impl Reductions {
    pub fn new(selectivity: &Selectivity) -> Self {
        let of @ (base, divisor) = (selectivity.reduction_base, selectivity.reduction_divisor);
        let (base, divisor) = (f64::from(base) / 100.0, f64::from(divisor) / 100.0);
        let plies = std::array::from_fn(|depth| {
            std::array::from_fn(|number| {
                (base + f64::ln(depth.max(1) as f64) * f64::ln(number.max(1) as f64) / divisor) as u8
            })
        });
        Self { of, plies: Box::new(plies) }
    }

    /// True when the table serves these settings too.
    pub fn fits(&self, selectivity: &Selectivity) -> bool {
        self.of == (selectivity.reduction_base, selectivity.reduction_divisor)
    }

    /// By how many plies the decision with this number in the order is reduced.
    #[inline]
    pub fn plies(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.plies[depth.clamp(0, 63) as usize][number.min(63)])
    }

    /// The same for a quiet decision at the root: a ply less, as everywhere in the main line.
    pub fn at_the_root(&self, selectivity: &Selectivity, depth: i32, number: usize) -> i32 {
        if selectivity.root_reductions && number >= 2 && depth >= 3 {
            (self.plies(depth, number) - 1).clamp(0, depth - 2)
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_decisions_at_the_root_are_reduced_where_that_is_wanted_and_never_to_the_leaves() {
        let wanted = Selectivity { root_reductions: true, ..Selectivity::STANDARD };
        let reductions = Reductions::new(&wanted);
        let reduced = |depth, number| reductions.at_the_root(&wanted, depth, number);
        assert_eq!([0, 1, 2].map(|number| reduced(12, number)), [0, 0, 0]);
        assert!(reduced(12, 30) > reduced(12, 8) && reduced(12, 8) > 0);
        for depth in 1..=120 {
            for number in 0..300 {
                assert!((0..=(depth - 2).max(0)).contains(&reduced(depth, number)), "{depth} {number}");
            }
        }
        assert_eq!(reductions.at_the_root(&Selectivity::STANDARD, 12, 30), 0);
    }
}
