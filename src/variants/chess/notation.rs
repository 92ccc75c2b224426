//! Chess as text: moves from square to square, and FEN (S. J. Edwards, PGN standard 16.1), read strictly and
//! written in one way.

use super::board::{Board, Kind};
use super::castling::Castling;
use super::state::{HIGHEST_COUNTER, NO_SQUARE};
use super::{CHESS960, Decision, FACTS, State};
use crate::base::Color;
use crate::game::SetupErrorKind::{
    Contradiction, KingCapturable, Malformed, Misplaced, Missing, PieceCount, Squares, Unexpected,
    UnknownPiece,
};
use crate::game::setup::{counter, fields_without_hand, side_to_move};
use crate::game::{Facts, Notation, Rules, SetupError, SetupErrorKind};
use crate::notation::{
    Cell, Coordinate, Leg, Legs, Placement, Position, Suffix, exchange_castling, mirror_ranks,
};
use crate::variants::chessboard::{RIGHTS, coordinate, placement, rights_text, square};

const fn leg(decision: Decision) -> Leg {
    let suffix = match decision.promoted() {
        Some(kind) => Some(Suffix::Letter(kind.letter())),
        None => None,
    };
    Leg::Move { from: coordinate(decision.from()), to: coordinate(decision.to()), suffix }
}

impl Notation for State {
    const GAMES: &'static [&'static Facts] = &[&FACTS];

    fn read(position: &Position, rules: &Rules) -> Result<Self, SetupError> {
        let is_chess960 = rules.is_on(CHESS960);
        let board = read_board(&position.placement)?;
        let mut fields = fields_without_hand(position, "chess has no pieces in hand")?;
        let turn = side_to_move(fields.next(), |text| expected("`w` or `b`", text))?;
        let mut castling = Castling::new(is_chess960);
        let rights = if is_chess960 {
            read_chess960_rights(&board, fields.next(), &mut castling)?
        } else {
            read_rights(&board, fields.next())?
        };
        let en_passant = read_en_passant(&board, turn, fields.next())?;
        let wrong =
            |text: &str, least, most| expected(&format!("a number from {least} to {most}"), Some(text));
        let clock = counter("halfmove clock", fields.next(), 0..=HIGHEST_COUNTER, wrong)?;
        let number = counter("move number", fields.next(), 1..=HIGHEST_COUNTER, wrong)?;
        if let Some(rest) = fields.next() {
            return Err(Unexpected.at("end", format!("nothing may follow the move number, found `{rest}`")));
        }
        let state =
            State { board, turn, rights, en_passant, clock, number, castling, key: 0, worth: 0 }.completed();
        if state.checkers(!turn) != 0 {
            let reason = format!("{turn} is to move and could take the king");
            return Err(KingCapturable.at("side to move", reason));
        }
        Ok(state)
    }

    fn write(&self) -> Position {
        let letter = |square| self.board.piece(square).map(|(color, kind)| color.cased(kind.letter()));
        let letter_of = |right: usize| match self.castling.is_chess960 {
            true => RIGHTS[right].1.cased(b'A' + (self.castling.rook(right) & 7)),
            false => RIGHTS[right].0,
        };
        let rights = rights_text(self.rights, letter_of);
        let en_passant = self.en_passant().map_or_else(|| "-".to_owned(), |s| coordinate(s).to_string());
        let State { turn, clock, number, .. } = self;
        let fields = format!("{} {rights} {en_passant} {clock} {number}", turn.letter());
        Position::new(placement(letter), &fields)
    }

    fn with_colors_exchanged(position: &Position) -> Position {
        let mut twin = position.with_colors_exchanged(false);
        if let Some(rights) = twin.fields.get_mut(1) {
            *rights = exchange_castling(rights);
        }
        if let Some(passed) = twin.fields.get_mut(2) {
            *passed = mirror_ranks(passed, 9);
        }
        twin
    }

    fn legs(&self, decision: Decision) -> Legs {
        Legs::from_iter([leg(decision)])
    }

    fn reads(&self, decision: Decision, legs: &[Leg]) -> usize {
        usize::from(legs.first() == Some(&leg(decision)))
    }

    fn explain(&self, legs: &[Leg]) -> String {
        self.why_not(legs)
    }
}

/// A side begins with this many pieces and never gets more. This also bounds the length of a move list: 15
/// queens and a king have at most 15 * 27 + 8 moves.
const MOST_PIECES: u32 = 16;

fn wanted(field: &'static str, expected: &str, found: Option<&str>) -> SetupError {
    let kind = if found.is_none() { Missing } else { Malformed };
    kind.at(field, self::expected(expected, found))
}

fn expected(what: &str, found: Option<&str>) -> String {
    let found = found.map_or_else(|| "nothing".to_owned(), |word| format!("`{word}`"));
    format!("expected {what}, found {found}")
}

fn read_board(placement: &Placement) -> Result<Board, SetupError> {
    let fail = |kind: SetupErrorKind, reason: String| Err(kind.at("board", reason));
    if (placement.files, placement.ranks) != (8, 8) {
        return fail(
            Squares,
            format!("a chess board is 8x8, this is {}x{}", placement.files, placement.ranks),
        );
    }
    let mut board = Board::default();
    for (square, &cell) in (0..).zip(&placement.cells) {
        let place = coordinate(square);
        let (letter, plus) = match cell {
            Cell::Empty => continue,
            Cell::Hole => return fail(Squares, format!("{place} cannot be a hole")),
            Cell::Piece { letter, plus } => (letter, plus),
        };
        let kind = Kind::with_letter(letter).filter(|_| !plus);
        let Some(kind) = kind else {
            let plus = if plus { "+" } else { "" };
            return fail(
                UnknownPiece,
                format!("chess has no piece `{plus}{}` (on {place})", char::from(letter)),
            );
        };
        if kind == Kind::Pawn && (place.rank == 1 || place.rank == 8) {
            return fail(Misplaced, format!("a pawn cannot stand on {place}"));
        }
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        board.put(square, color, kind);
    }
    for color in Color::ALL {
        let own = board.of(color);
        let kings = (board.kings() & own).count_ones();
        if kings != 1 {
            return fail(PieceCount, format!("{color} has {kings} kings, must have one"));
        }
        if own.count_ones() > MOST_PIECES {
            return fail(
                PieceCount,
                format!("{color} has {} pieces, more than {MOST_PIECES}", own.count_ones()),
            );
        }
        let pawns = (board.pawns() & own).count_ones();
        if pawns > 8 {
            return fail(PieceCount, format!("{color} has {pawns} pawns, more than 8"));
        }
    }
    Ok(board)
}

fn read_rights(board: &Board, field: Option<&str>) -> Result<u8, SetupError> {
    const FIELD: &str = "castling rights";
    let text = match field {
        Some("-") => return Ok(0),
        Some(text) => text,
        None => return Err(wanted(FIELD, "`-` or some of `KQkq`", None)),
    };
    let mut rights = 0;
    for letter in text.bytes() {
        let found = RIGHTS.iter().position(|(name, ..)| *name == letter);
        let Some(index) = found.filter(|index| rights >> index & 1 == 0) else {
            return Err(wanted(FIELD, "`-` or some of `KQkq`, each once", field));
        };
        let (_, color, king, rook) = RIGHTS[index];
        for (square, kind) in [(king, Kind::King), (rook, Kind::Rook)] {
            if board.piece(square) != Some((color, kind)) {
                let (letter, place) = (char::from(letter), coordinate(square));
                let reason = format!("`{letter}` needs {color}'s {} on {place}", kind.name());
                return Err(Contradiction.at(FIELD, reason));
            }
        }
        rights |= 1 << index;
    }
    Ok(rights)
}

/// Reads castling rights in X-FEN or Shredder-FEN.
fn read_chess960_rights(
    board: &Board,
    field: Option<&str>,
    castling: &mut Castling,
) -> Result<u8, SetupError> {
    const FIELD: &str = "castling rights";
    const LETTERS: &str = "`-`, some of `KQkq`, or files of rooks such as `HAha`";
    let text = match field {
        Some("-") => return Ok(0),
        Some(text) => text,
        None => return Err(wanted(FIELD, LETTERS, None)),
    };
    let mut rights = 0;
    for letter in text.bytes() {
        if !b"kqabcdefgh".contains(&letter.to_ascii_lowercase()) {
            return Err(wanted(FIELD, LETTERS, field));
        }
        let Some((right, rook)) = State::right_named(board, letter) else {
            let reason =
                format!("`{}` needs king and rook on the first rank of their side", char::from(letter));
            return Err(Contradiction.at(FIELD, reason));
        };
        if rights >> right & 1 == 1 {
            return Err(wanted(FIELD, "each wing once", field));
        }
        castling.set_rook(right, rook);
        rights |= 1 << right;
    }
    Ok(rights)
}

fn read_en_passant(board: &Board, turn: Color, field: Option<&str>) -> Result<u8, SetupError> {
    const FIELD: &str = "en passant square";
    let text = match field {
        Some("-") => return Ok(NO_SQUARE),
        Some(text) => text,
        None => return Err(wanted(FIELD, "`-` or a square", None)),
    };
    let fail = |kind: SetupErrorKind, reason: String| Err(kind.at(FIELD, reason));
    let place = text.parse::<Coordinate>().ok().and_then(square);
    let Some(passed) = place else {
        return Err(wanted(FIELD, "`-` or a square", field));
    };
    let rank = if turn == Color::White { 6 } else { 3 };
    let place = coordinate(passed);
    if place.rank != rank {
        return fail(Contradiction, format!("with {turn} to move it must be on rank {rank}, not {place}"));
    }
    // The pawn that has just made its double step stands beyond the en passant square (on rank 4 for Black to
    // move, on rank 5 for White to move) and came from the other side of it.
    let (pawn, origin) =
        if turn == Color::White { (passed - 8, passed + 8) } else { (passed + 8, passed - 8) };
    if board.piece(pawn) != Some((!turn, Kind::Pawn)) {
        return fail(Contradiction, format!("{place} needs {}'s pawn on {}", !turn, coordinate(pawn)));
    }
    for square in [passed, origin] {
        if board.piece(square).is_some() {
            return fail(
                Contradiction,
                format!("a pawn cannot have passed {place}: {} is occupied", coordinate(square)),
            );
        }
    }
    Ok(passed)
}
