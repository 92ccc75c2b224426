//! Decides whether a wicket is taken once the ball lies in it (R50 to R69).

use super::cards::Cards;
use super::cells::{Cells, NOWHERE, bit, file, one, rank};
use super::mode::Deciding;
use super::state::{Phase, State};
use crate::base::Bits;
use arrayvec::ArrayVec;

/// The face that stands for every failure in a list of decisions.
pub(super) const FAILING_FACE: u8 = 1;
/// The face that stands for every success.
pub(super) const WINNING_FACE: u8 = 6;
/// The bonus that a Defender who sees adds to its side's card, doubled: 2.5 (R62).
const BONUS_DOUBLED: i32 = 5;

impl State {
    /// True when the other side's Defender sees its wicket now (R52).
    pub(super) fn seen(&self) -> bool {
        self.board.is_seen(self.board.side().other())
    }

    /// Begins an attempt: the ball has just come to rest in the other side's wicket by a throw.
    pub(super) fn attempt(&mut self) {
        match self.mode.deciding() {
            Deciding::Sacrifice(_) if !self.seen() => self.succeed(),
            Deciding::Sacrifice(pieces) => self.open_sacrifice(pieces),
            Deciding::Die => self.turn.phase = Phase::Roll,
            Deciding::Cards => self.open_round(),
        }
    }

    /// True in a search in which chance decides contests with cards.
    fn contests_by_chance(&self) -> bool {
        self.cards.as_ref().is_some_and(Cards::by_chance)
    }

    /// Lets the mover lead a card, or in a search chance decide the contest.
    fn open_round(&mut self) {
        self.turn.phase = if self.contests_by_chance() { Phase::Roll } else { Phase::Lead };
    }

    /// What a Defender who sees adds to its side's card, doubled.
    fn bonus_doubled(&self) -> i32 {
        if self.seen() { BONUS_DOUBLED } else { 0 }
    }

    /// The weights of failure and success where chance decides about the wicket.
    pub(super) fn weights(&self) -> [u32; 2] {
        match &self.cards {
            Some(cards) => {
                let chance = cards.chance_of_attack(self.board.side(), self.bonus_doubled());
                let winning = (1000.0 * chance).round() as u32;
                [1000 - winning.min(1000), winning.min(1000)]
            }
            None => {
                let failing = u32::from(self.winning_from()) - 1;
                [failing, 6 - failing]
            }
        }
    }

    /// Lets the mover give up pieces, if that is possible; otherwise the attempt has failed.
    fn open_sacrifice(&mut self, pieces: u8) {
        if self.sacrifices(pieces, |_| true) {
            self.turn.phase = Phase::Sacrifice;
        } else {
            self.end_turn();
        }
    }

    /// The number of pieces a sacrifice takes in this game.
    pub(super) const fn price(&self) -> u8 {
        match self.mode.deciding() {
            Deciding::Sacrifice(pieces) => pieces,
            Deciding::Die | Deciding::Cards => 1,
        }
    }

    /// Takes the wicket (R53).
    fn succeed(&mut self) {
        let (_, them) = self.sides();
        if self.ends_with_defender() {
            return self.end_game(Phase::WicketOfKing);
        }
        let at = self.board.defender(them);
        self.board.set_defender(them, NOWHERE);
        self.remove(at);
        self.turn.taken = true;
        self.open_call();
    }

    /// Ends a failed attempt, or opens a second one where the mode has it (R67, R68).
    fn fail(&mut self) {
        if !self.mode.second_chance() || self.turn.second {
            self.end_turn();
            return;
        }
        self.turn.second = true;
        self.turn.drawn_round = false;
        match self.mode.deciding() {
            Deciding::Cards => self.open_round(),
            Deciding::Die => self.open_sacrifice(self.price()),
            Deciding::Sacrifice(_) => self.end_turn(),
        }
    }

    /// The lowest face of the die that takes the wicket (R65).
    pub(super) fn winning_from(&self) -> u8 {
        if self.seen() { 5 } else { 3 }
    }

    /// Handles a roll of `face`. In the card games the face stands for the result of a contest, when turns are
    /// counted and in a search.
    pub(super) fn roll(&mut self, face: u8) {
        self.turn.answered = true;
        let (attacker, bonus) = (self.board.side(), self.bonus_doubled());
        if let Some(cards) = self.cards.as_mut().filter(|cards| cards.by_chance()) {
            cards.end_contest(attacker, bonus);
        }
        let wins = match self.mode.deciding() {
            Deciding::Cards => face == WINNING_FACE,
            Deciding::Die | Deciding::Sacrifice(_) => face >= self.winning_from(),
        };
        if wins { self.succeed() } else { self.fail() }
    }

    /// The mover's pieces that may be given up (R54), by file, then rank.
    pub(super) fn victims(&self) -> ArrayVec<u8, 16> {
        let (us, _) = self.sides();
        let all = self.board.all_pieces(us) & !one(self.board.king(us)) & !one(self.board.defender(us));
        let mut victims: ArrayVec<u8, 16> = Bits(all).take(16).collect();
        victims.sort_unstable_by_key(|&cell| (file(cell), rank(cell)));
        victims
    }

    /// R55: true when the mover's king is safe in each result still possible once the pieces on `gone` are
    /// given up.
    pub(super) fn may_give_up(&self, gone: Cells) -> bool {
        let (us, them) = self.sides();
        // Only squares of the 8x8 part are on lines.
        let gone = gone as u64;
        let lifted = gone | bit(self.board.defender(them));
        let safe_after_failure =
            self.mode.deciding() != Deciding::Die || self.board.is_safe_with(us, 0, gone);
        safe_after_failure && (self.ends_with_defender() || self.board.is_safe_with(us, 0, lifted))
    }

    /// Calls `found` for every legal sacrifice until it returns true; returns whether it did.
    pub(super) fn sacrifices(&self, pieces: u8, mut found: impl FnMut([u8; 3]) -> bool) -> bool {
        self.more_sacrifices(&self.victims(), usize::from(pieces), [NOWHERE; 3], 0, &mut found)
    }

    /// The same for those that begin with the first `chosen` of `set`, the others among `victims`.
    fn more_sacrifices(
        &self,
        victims: &[u8],
        pieces: usize,
        set: [u8; 3],
        chosen: usize,
        found: &mut impl FnMut([u8; 3]) -> bool,
    ) -> bool {
        if chosen == pieces {
            let gone = set[..chosen].iter().fold(0, |all, &cell| all | one(cell));
            return self.may_give_up(gone) && found(set);
        }
        (0..victims.len()).any(|next| {
            let mut set = set;
            set[chosen] = victims[next];
            self.more_sacrifices(&victims[next + 1..], pieces, set, chosen + 1, found)
        })
    }

    /// Gives up the pieces of `set`. Then the wicket is taken (R66, R69), or the die is cast again (R68).
    pub(super) fn sacrifice(&mut self, set: [u8; 3]) {
        for cell in set.into_iter().filter(|&cell| cell != NOWHERE) {
            self.remove(cell);
        }
        match self.mode.deciding() {
            Deciding::Die => self.turn.phase = Phase::Roll,
            Deciding::Sacrifice(_) | Deciding::Cards => self.succeed(),
        }
    }

    /// Plays a card, the attacker's or the answer to it.
    pub(super) fn play(&mut self, number: u8) {
        let (us, them) = self.sides();
        let (side, next) = match self.turn.phase {
            Phase::Lead => (us, Phase::LeadDraw),
            _ => (them, Phase::FollowDraw),
        };
        if let Some(cards) = &mut self.cards {
            cards.play(side, number);
        }
        self.turn.phase = next;
    }

    /// Draws a card. After the second draw of a round the cards are compared (R62).
    pub(super) fn draw(&mut self, number: Option<u8>) {
        let (us, them) = self.sides();
        let leading = self.turn.phase == Phase::LeadDraw;
        let bonus = self.bonus_doubled();
        let Some(cards) = &mut self.cards else { return };
        cards.draw(if leading { us } else { them }, number);
        if leading {
            // A search knows the odds of the answer, not the answer.
            self.turn.phase = if cards.by_chance() { Phase::Roll } else { Phase::Follow };
            return;
        }
        self.turn.answered = true;
        match cards.compare() - bonus {
            1.. => self.succeed(),
            0 => {
                self.turn.drawn_round = true;
                self.open_round();
            }
            _ => self.fail(),
        }
    }

    /// True when the mover may stop instead of playing a card: before a second contest (R67), but not after a
    /// round of equal cards.
    pub(super) fn may_stop(&self) -> bool {
        self.turn.phase == Phase::Lead && self.turn.second && !self.turn.drawn_round
    }
}
