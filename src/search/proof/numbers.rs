//! Proof and disproof numbers, and how those of a position follow from those of the positions after it.

/// The number of what cannot be shown any more.
pub const INFINITE: u32 = 1 << 30;
/// The largest number of what can still be shown.
const MOST: u32 = INFINITE - 1;
/// The place on the line that no position has: a refutation that rests on it is never kept.
pub const NEVER: i32 = -1;
/// The proof number of what was refuted on another line, and may be won on this one.
const REFUTED_ELSEWHERE: u32 = 1 << 16;

/// A child may need more than the second best by one part of so many before that one is searched (1 + ε;
/// J. Pawlewicz and others 2007).
const SLACK: u32 = 4;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// How many positions must at least be shown to be won; 0 when it is proved.
    pub proof: u32,
    /// How many positions must at least be shown not to be won; 0 when it is disproved.
    pub disproof: u32,
    /// Of a proof, within how many decisions it is won; of a refutation, the first place on the line that it
    /// rests on.
    rest: i32,
}

impl Numbers {
    /// Not won, whatever came before.
    pub const DISPROVED: Self = Self::refuted_by(i32::MAX);

    /// Won within so many decisions.
    pub const fn proved(distance: u32) -> Self {
        Self { proof: 0, disproof: INFINITE, rest: distance as i32 }
    }

    /// Not won on a line where a position stands at this place.
    pub const fn refuted_by(place: i32) -> Self {
        Self { proof: INFINITE, disproof: 0, rest: place }
    }

    /// Of a position that was not searched yet, with so many decisions; whether the winner decides there.
    pub fn of_new(decides: bool, decisions: u64) -> Self {
        let many = decisions.min(MOST.into()) as u32;
        let (proof, disproof) = if decides { (1, many) } else { (many, 1) };
        Self { proof, disproof, rest: 0 }
    }

    /// Of numbers that are finite.
    pub const fn unsettled(proof: u32, disproof: u32) -> Self {
        Self { proof, disproof, rest: 0 }
    }

    pub const fn is_proved(&self) -> bool {
        self.proof == 0
    }

    pub const fn is_disproved(&self) -> bool {
        self.disproof == 0
    }

    pub const fn is_settled(&self) -> bool {
        self.is_proved() || self.is_disproved()
    }

    /// Within how many decisions it is won, if it is proved.
    pub fn distance(&self) -> Option<u32> {
        self.is_proved().then_some(self.rest as u32)
    }

    /// The number that who decides looks at first: the winner at proofs, the other side at disproofs.
    pub const fn needs(&self, decides: bool) -> u32 {
        if decides { self.proof } else { self.disproof }
    }

    /// Whether a number has reached its limit.
    pub const fn reaches(&self, [proof, disproof]: [u32; 2]) -> bool {
        self.proof >= proof || self.disproof >= disproof
    }

    /// The numbers of a position with these children, of which there is at least one; the list may end with
    /// one that settles it.
    pub fn of_children(children: &[Self], decides: bool) -> Self {
        let least = children.iter().map(|child| child.needs(decides)).min().unwrap_or(INFINITE);
        // The hardest child, and one more for each other that is open: the sum of all would count again and again
        // what several lines lead to (weak proof numbers; T. Ueda and others 2008).
        let others = children.iter().map(|child| child.needs(!decides)).filter(|other| *other > 0);
        let sum = match others.clone().max().unwrap_or(0) {
            hardest if hardest == 0 || hardest >= INFINITE => hardest,
            hardest => (hardest + others.count() as u32 - 1).min(MOST),
        };
        let (proof, disproof) = if decides { (least, sum) } else { (sum, least) };
        let rest = match (proof, disproof) {
            // The winner takes the shortest way, the other side the longest.
            (0, _) => {
                let proofs = children.iter().filter(|child| child.is_proved()).map(|child| child.rest);
                1 + if decides { proofs.min() } else { proofs.max() }.unwrap_or(0)
            }
            // Every decision of the winner is refuted; of the other side's refutations one is enough, and the
            // best is the one that rests on the least.
            (_, 0) => {
                let places = children.iter().filter(|child| child.is_disproved()).map(|child| child.rest);
                if decides { places.min() } else { places.max() }.unwrap_or(NEVER)
            }
            _ => 0,
        };
        // Of a settled position the other number is infinite, also when the list was cut off.
        match (proof, disproof) {
            (0, _) => Self { disproof: INFINITE, rest, proof },
            (_, 0) => Self { proof: INFINITE, rest, disproof },
            _ => Self { proof, disproof, rest },
        }
    }

    /// The limits of the child that is searched next, which has the least of the first number: `second` is what
    /// the next best child needs, `open` how many children are open in the other number.
    pub fn limits_of_child(limits: [u32; 2], second: u32, open: u32, decides: bool) -> [u32; 2] {
        let [own, other] = if decides { limits } else { [limits[1], limits[0]] };
        let first = own.min(second.saturating_add(second / SLACK).saturating_add(1));
        let rest = other.saturating_sub(open.saturating_sub(1)).max(1);
        if decides { [first, rest] } else { [rest, first] }
    }

    /// What the position itself makes of it, which stood at `place` on the line: a refutation that rests on
    /// nothing before holds on any line.
    pub const fn seen_from(self, place: i32) -> Self {
        if self.is_disproved() && self.rest >= place { Self::DISPROVED } else { self }
    }

    /// What may be kept when the line is left.
    pub const fn lasting(self) -> Self {
        if self.is_disproved() && self.rest != i32::MAX {
            Self::unsettled(REFUTED_ELSEWHERE, 1)
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(children: &[Numbers], decides: bool) -> Numbers {
        Numbers::of_children(children, decides)
    }

    #[test]
    fn numbers_follow_from_the_children() {
        let (one, other) = (Numbers::unsettled(3, 5), Numbers::unsettled(4, 2));
        assert_eq!(of(&[one, other], true), Numbers::unsettled(3, 6));
        assert_eq!(of(&[one, other], false), Numbers::unsettled(5, 2));
        assert_eq!(of(&[one, Numbers::proved(4)], true), Numbers::proved(5));
        assert_eq!(of(&[one, Numbers::proved(4)], false), Numbers::unsettled(3, 5));
        assert_eq!(of(&[Numbers::proved(2), Numbers::proved(4)], true).distance(), Some(3));
        assert_eq!(of(&[Numbers::proved(2), Numbers::proved(4)], false).distance(), Some(5));
    }

    #[test]
    fn a_refutation_rests_on_what_its_parts_rest_on() {
        let (early, late) = (Numbers::refuted_by(2), Numbers::refuted_by(6));
        assert_eq!(of(&[early, late], true), early);
        assert_eq!(of(&[early, late], false), late);
        assert_eq!(of(&[Numbers::unsettled(1, 1), Numbers::DISPROVED], false), Numbers::DISPROVED);
        // It holds on any line when nothing before the position itself is needed.
        assert_eq!(late.seen_from(6), Numbers::DISPROVED);
        assert_eq!(late.seen_from(7), late);
        assert!(!late.lasting().is_settled() && Numbers::DISPROVED.lasting().is_disproved());
        assert!(!Numbers::refuted_by(NEVER).seen_from(0).lasting().is_settled());
    }

    #[test]
    fn limits_let_a_child_go_on_and_end() {
        let children = [Numbers::unsettled(8, 5), Numbers::unsettled(12, 2)];
        for decides in [true, false] {
            let found = of(&children, decides);
            let best = usize::from(!decides);
            let second = children[1 - best].needs(decides);
            for all in [[INFINITE; 2], [20, 20], [found.proof + 1, found.disproof + 1]] {
                assert!(!found.reaches(all));
                let limits = Numbers::limits_of_child(all, second, 2, decides);
                assert!(!children[best].reaches(limits), "{limits:?}");
                assert!(limits.iter().zip(all).all(|(limit, all)| *limit <= all), "{limits:?}");
            }
        }
    }
}
