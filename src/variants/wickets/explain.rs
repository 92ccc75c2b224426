//! Explains why something is not legal: one short sentence that names the rule of play, not the machinery.

use super::board::{Kind, Piece, long, short};
use super::cells::{
    BETWEEN, bit, coordinate, from_coordinate, is_wicket, neighbours, one, queen_lines, wicket,
};
use super::decision::{Choice, Said, card, card_number};
use super::mode::Deciding;
use super::notation::{given_up, promotion_of};
use super::state::{Captured, Phase, State};
use crate::base::Color;
use crate::game::Game;
use crate::game::explain::{NOT_LEGAL, own_piece};
use crate::notation::{Coordinate, Leg, Suffix};

impl State {
    /// Says why no legal choice begins with `legs`.
    pub(super) fn reason_against(&self, legs: &[Leg]) -> String {
        let (us, them) = self.sides();
        let Some(&leg) = legs.first() else { return "nothing was said".to_owned() };
        match (self.turn.phase, leg) {
            (Phase::Move, Leg::Move { from, to, suffix }) => self.against_move(from, to, suffix),
            (Phase::Move, Leg::Put { letter: b'O', .. }) => {
                "nothing can be thrown: the piece just moved must have carried the ball".to_owned()
            }
            (Phase::Move, Leg::Put { letter: b'D', .. }) => "nobody has lost a Defender".to_owned(),
            (Phase::Move, Leg::Put { letter: b'X', .. }) => "there is nothing to sacrifice for".to_owned(),
            (Phase::Move, _) => format!("{us} must move a piece"),
            (Phase::Place, Leg::Put { letter: b'O', at }) => self.against_placing(at),
            (Phase::Place, _) => {
                format!(
                    "the captured ball must be put on a free neighbour of {} (O@…)",
                    coordinate(self.turn.at)
                )
            }
            (Phase::Call, Leg::Put { letter: b'D', at }) => self.against_calling(at),
            (Phase::Call, _) => format!("{them} must first name a new Defender (D@…)"),
            (Phase::Throw, Leg::Put { letter: b'O', at }) => self.against_throwing(at),
            (Phase::Throw, _) if !self.board.is_safe(us) => {
                format!("{us}'s king is in check unless the ball is thrown into the line (O@…)")
            }
            (Phase::Throw, _) => {
                format!("the piece on {} may throw the ball (O@…) or keep it", coordinate(self.turn.at))
            }
            (Phase::Sacrifice, _) => self.against_sacrificing(legs),
            (Phase::Lead, Leg::Play(played)) => {
                format!("{us} does not hold the card {played}")
            }
            (Phase::Lead, _) if self.may_stop() => format!("{us} plays a card (=6h, say) or stops (0000)"),
            (Phase::Lead, _) => format!("{us} must play a card for the wicket (=6h, say)"),
            (Phase::Follow, Leg::Play(played)) => self.against_answer(card_number(played), them),
            (Phase::Follow, _) => format!("{them} must answer with a card (=6h, say)"),
            (Phase::Roll | Phase::LeadDraw | Phase::FollowDraw, _) => "chance decides here".to_owned(),
            (Phase::NobodyToCall | Phase::WicketOfKing, _) => "the game is over".to_owned(),
        }
    }

    /// Says why the mover may not go on with `legs` after `decision`, which ended the turn or handed the
    /// choice to another side.
    pub(super) fn reason_for_end(&self, decision: Choice, legs: &[Leg]) -> Option<String> {
        let (us, them) = self.sides();
        match self.after(decision).turn.phase {
            Phase::Move => {}
            Phase::Call => return Some(format!("{them} must first name a new Defender (D@…)")),
            Phase::Follow => return Some(format!("{them} must first answer with a card (=6h, say)")),
            _ => return None,
        }
        let &Leg::Put { letter, .. } = legs.first()? else { return None };
        match (letter, decision.said()) {
            (b'O', Said::Throw(_)) => Some("the ball is thrown once in a turn".to_owned()),
            (b'O', Said::Move { from, to, promotion }) => {
                let mut moved = *self;
                moved.carry(from, to, promotion);
                Some(moved.reason_for_no_throw())
            }
            (b'O', Said::Place(_)) => Some(self.reason_for_no_throw()),
            (b'X', Said::Throw(cell))
                if cell == wicket(them) && matches!(self.mode.deciding(), Deciding::Sacrifice(_)) =>
            {
                Some(format!("no sacrifice is legal, so {us}'s turn has ended"))
            }
            (b'X', _) => Some("there is nothing to sacrifice for".to_owned()),
            (b'D', _) => Some("nobody has lost a Defender".to_owned()),
            _ => None,
        }
    }

    /// Says why no throw follows the move just made (R11, R47).
    fn reason_for_no_throw(&self) -> String {
        let at = coordinate(self.turn.at);
        match self.board.piece_at(self.turn.at) {
            Some(piece) if !self.turn.may_throw => {
                let word = piece.kind.word();
                format!("the {word} on {at} did not have the ball before it moved, so it may not throw")
            }
            _ => format!("the ball cannot be thrown anywhere from {at}"),
        }
    }

    fn against_move(&self, from: Coordinate, to: Coordinate, suffix: Option<Suffix>) -> String {
        let (us, _) = self.sides();
        let board = &self.board;
        let (Some(start), Some(end)) = (from_coordinate(from), from_coordinate(to)) else {
            return NOT_LEGAL.to_owned();
        };
        let Some(piece) = board.piece_at(start) else {
            return format!("a ball lies on {from}, and balls do not move");
        };
        if let Some(reason) = self.against_target(start, end) {
            return reason;
        }
        if piece.kind == Kind::King && start.abs_diff(end) == 2 && !is_wicket(start) && !is_wicket(end) {
            return self.against_castling(start, end);
        }
        if !self.reaches(piece, start, end) {
            return format!("the {} on {from} cannot reach {to}", piece.kind.word());
        }
        let last = piece.kind == Kind::Pawn && bit(end) & 0xff00_0000_0000_00ff != 0;
        match suffix {
            None if last => return "it must be said what the pawn becomes (q, r, b or n)".to_owned(),
            Some(_) if !last => return "only a pawn on the last rank becomes something else".to_owned(),
            Some(suffix) if promotion_of(suffix).is_none() => {
                return format!("a pawn becomes q, r, b or n, not `{suffix}`");
            }
            _ => {}
        }
        let mut after = *self;
        after.carry(start, end, suffix.and_then(promotion_of));
        if after.turn.captured == Captured::Carrier && self.no_room(&after) {
            return format!("no free cell next to {to} for the captured piece's ball");
        }
        format!("{us}'s king would be in check")
    }

    fn no_room(&self, after: &Self) -> bool {
        let (us, _) = self.sides();
        after.board.is_safe(us) && after.placements() == 0
            || neighbours(after.turn.at) & after.board.vacant() == 0
    }

    /// Says what on the target square, or which rule of entry, forbids the move (R9, R17 to R22).
    fn against_target(&self, from: u8, to: u8) -> Option<String> {
        let (us, them) = self.sides();
        let board = &self.board;
        let name = coordinate(to);
        let (defends, carries) = (board.defender(us) == from, board.ball_carrier(us) == from);
        let pawn = board.pieces_of(us, Kind::Pawn) & bit(from) != 0;
        if board.is_piece(us, to) {
            return Some(own_piece(self, name));
        }
        if board.king(them) == to {
            return Some("kings are not captured".to_owned());
        }
        if board.loose(them) == to {
            return Some(format!("the ball on {name} belongs to {them}, only {them} may take it"));
        }
        if is_wicket(to) && pawn {
            return Some("pawns never enter a wicket".to_owned());
        }
        let fetches = board.loose(us) == to;
        if fetches && to == wicket(us) {
            return Some(format!(
                "the ball in {name} is dead: nobody may take it from its own side's wicket"
            ));
        }
        if fetches && defends {
            return Some("the Defender may not take the ball".to_owned());
        }
        if to == wicket(us) && !defends {
            return Some(format!("only {us}'s Defender may enter {name}"));
        }
        if to == wicket(them) && !carries && !fetches {
            return Some(format!("only {us}'s piece with the ball may enter {name}"));
        }
        None
    }

    fn reaches(&self, piece: Piece, from: u8, to: u8) -> bool {
        let board = &self.board;
        let occupied = board.occupied();
        if is_wicket(to) {
            return board.reaches_wicket(piece.kind, from, to);
        }
        let attacked = board.attacks(piece, from, occupied) & bit(to) != 0;
        if piece.kind != Kind::Pawn {
            return attacked;
        }
        let (us, them) = self.sides();
        if from & 7 != to & 7 {
            let prey = board.pieces(them) | bit(board.loose(us)) | bit(board.en_passant());
            return attacked && prey & bit(to) != 0;
        }
        let forward: i8 = if us == Color::White { 8 } else { -8 };
        let one_step = from.wrapping_add_signed(forward);
        let home = if us == Color::White { 1 } else { 6 };
        let free = |cell: u8| occupied & bit(cell) == 0;
        to == one_step && free(to)
            || from >> 3 == home && to == one_step.wrapping_add_signed(forward) && free(one_step) && free(to)
    }

    fn against_castling(&self, from: u8, to: u8) -> String {
        let (us, them) = self.sides();
        let board = &self.board;
        let is_short = to > from;
        let right = if is_short { short(us) } else { long(us) };
        let home = if us == Color::White { 4 } else { 60 };
        if from != home || (to != home + 2 && to != home - 2) || board.castling() & right == 0 {
            return format!("{us} may not castle there (any more)");
        }
        let corner = if is_short { home + 3 } else { home - 4 };
        if BETWEEN[usize::from(home)][usize::from(corner)] & board.occupied() != 0 {
            return "something stands between king and rook".to_owned();
        }
        let crossed = if is_short { home + 1 } else { home - 1 };
        let attacked = |cell: u8| board.attackers(cell, them, board.occupied()) != 0;
        match [home, crossed, to].into_iter().find(|&cell| attacked(cell)) {
            Some(cell) if cell == home => "a king in check may not castle".to_owned(),
            Some(cell) => format!("{} is attacked, so the king may not castle", coordinate(cell)),
            None => "castling takes no other word than the king's move".to_owned(),
        }
    }

    fn against_placing(&self, at: Coordinate) -> String {
        let (us, them) = self.sides();
        let Some(cell) = from_coordinate(at) else { return format!("there is no square {at}") };
        let next_to = coordinate(self.turn.at);
        if neighbours(self.turn.at) & one(cell) == 0 {
            format!("the captured ball goes next to {next_to}, and {at} is not")
        } else if !self.board.is_vacant(cell) {
            format!("{at} is not free")
        } else if self.no_seal && cell == wicket(them) {
            format!("{them}'s ball may not rest in {them}'s own wicket (no-seal)")
        } else {
            format!("{us}'s king would be in check")
        }
    }

    fn against_calling(&self, at: Coordinate) -> String {
        let (_, them) = self.sides();
        match from_coordinate(at) {
            None => format!("there is no square {at}"),
            Some(cell) if self.board.ball_carrier(them) == cell => {
                format!("the piece on {at} has the ball and cannot be Defender")
            }
            Some(_) => format!("no piece of {them} stands on {at}"),
        }
    }

    fn against_throwing(&self, at: Coordinate) -> String {
        let (us, them) = self.sides();
        let board = &self.board;
        let Some(cell) = from_coordinate(at) else { return format!("there is no square {at}") };
        let occupied = board.occupied();
        let mut reached = queen_lines(self.turn.at, occupied);
        if self.turn.partner < 64 {
            reached |= queen_lines(self.turn.partner, occupied) & !one(self.turn.at);
        }
        if cell == self.turn.at {
            "the ball is already there".to_owned()
        } else if board.defender(us) == cell {
            "the Defender may not receive the ball".to_owned()
        } else if reached & one(cell) == 0 {
            format!("the ball flies like a queen over free cells and does not reach {at}")
        } else if board.is_piece(them, cell) {
            format!("a piece of {them} stands on {at}")
        } else if board.loose(them) == cell {
            format!("{them}'s ball lies on {at}")
        } else if self.no_seal && cell == wicket(us) {
            format!("{us}'s ball may not rest in {us}'s own wicket (no-seal)")
        } else if cell == wicket(them) && board.is_safe(us) {
            format!("{us}'s king would be in check if the wicket were taken and the Defender lifted off")
        } else {
            format!("{us}'s king would be in check")
        }
    }

    fn against_sacrificing(&self, legs: &[Leg]) -> String {
        let (us, _) = self.sides();
        let price = usize::from(self.price());
        let pieces = if price == 1 { "one piece".to_owned() } else { format!("{price} pieces") };
        let rule = format!("{us} may give up {pieces} (X@…), no more and no fewer, or none");
        let offered = &legs[..price.min(legs.len())];
        for leg in offered {
            let &Leg::Put { letter: b'X', at } = leg else { return rule };
            let cell = from_coordinate(at).filter(|&cell| self.board.is_piece(us, cell));
            match cell {
                None => return format!("no piece of {us} stands on {at}"),
                Some(cell) if cell == self.board.king(us) => {
                    return "the king may not be given up".to_owned();
                }
                Some(cell) if cell == self.board.defender(us) => {
                    return "the Defender may not be given up".to_owned();
                }
                Some(_) => {}
            }
        }
        match given_up(offered) {
            None => "a piece can be given up only once".to_owned(),
            Some(_) if offered.len() < price => rule,
            Some(set) => {
                let gone = set.iter().fold(0, |all, &cell| all | u128::from(bit(cell)));
                if self.may_give_up(gone) { rule } else { format!("{us}'s king would be in check") }
            }
        }
    }

    fn against_answer(&self, number: u8, side: Color) -> String {
        let played = card(number);
        let Some(cards) = &self.cards else { return "this game has no cards".to_owned() };
        match cards.must_follow(side) {
            Some(suit) if cards.holds(side, number) => {
                format!("{side} holds a card of the suit led ({suit})")
            }
            _ => format!("{side} does not hold the card {played}"),
        }
    }
}
