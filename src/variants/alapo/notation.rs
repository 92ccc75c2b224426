//! Positions and moves as text (sections 7 and 8 of the rules).

use super::board::{Board, bit};
use super::kind::Kind;
use super::state::{Alapo, NO_MARK, REMOVAL_AFTER};
use super::{FACTS, FACTS_DEMOTION};
use crate::base::{Bits, Color};
use crate::game::SetupErrorKind::{Contradiction, Malformed, Missing, Over, PieceCount, UnknownPiece};
use crate::game::explain::{NOT_LEGAL, own_piece};
use crate::game::setup::{
    counter, fields_without_hand, neither_side, not_in_range, nothing_more, side_to_move,
};
use crate::game::{Facts, Notation, Rules, SetupError, SetupErrorKind};
use crate::notation::{Leg, Legs, Placement, Position, mirror_file, mirror_ranks};
use crate::variants::chessboard::{Move, Size, coordinate};

impl<const DEMOTION: bool> Notation for Alapo<DEMOTION> {
    const GAMES: &'static [&'static Facts] = if DEMOTION { &[&FACTS_DEMOTION] } else { &[&FACTS] };

    fn read(position: &Position, rules: &Rules) -> Result<Self, SetupError> {
        let size = Size::of(rules);
        let board = read_board(&position.placement, size)?;
        let mut fields = fields_without_hand(position, "there are no pieces in hand")?;
        let turn = side_to_move(fields.next(), neither_side)?;
        let marks = [
            read_mark(size, &board, Color::White, "White's last moved piece", fields.next())?,
            read_mark(size, &board, Color::Black, "Black's last moved piece", fields.next())?,
        ];
        let quiet =
            counter("quiet moves", fields.next(), 0..=u16::from(REMOVAL_AFTER) - 1, not_in_range)? as u8;
        let number = counter("move number", fields.next(), 1..=u16::MAX, not_in_range)?;
        nothing_more(fields.next())?;
        possible::<DEMOTION>(&board, size, turn)?;
        Ok(Alapo::new(size, board, turn, marks, quiet, number))
    }

    fn write(&self) -> Position {
        let letter = |square| self.board.piece_on(square).map(|(color, kind)| color.cased(kind.letter()));
        let mark = |color: Color| match self.marks[color.index()] {
            NO_MARK => "-".to_owned(),
            square => coordinate(square).to_string(),
        };
        let [white, black] = Color::ALL.map(mark);
        let fields = format!("{} {white} {black} {} {}", self.turn.letter(), self.quiet, self.number);
        Position::new(self.size.placement(letter), &fields)
    }

    /// R4, R26.
    fn start(rules: &Rules) -> Self {
        let size = Size::of(rules);
        let (files, rows) = size.files_and_rows();
        let mut board = Board::empty();
        for (file, letter) in (0..files).zip(home_row(files)) {
            let Some(large) = Kind::of_letter(*letter) else { continue };
            for (color, home, next) in [(Color::White, 0, 1), (Color::Black, rows - 1, rows - 2)] {
                board.put(color, large, 8 * home + file);
                board.put(color, large.small(), 8 * next + file);
            }
        }
        Alapo::new(size, board, Color::White, [NO_MARK; 2], 0, 1)
    }

    fn with_colors_exchanged(position: &Position) -> Position {
        let mut twin = position.with_colors_exchanged(false);
        if let [_, white, black, ..] = twin.fields.as_mut_slice() {
            std::mem::swap(white, black);
            for mark in [white, black] {
                *mark = mirror_ranks(mark, position.placement.ranks + 1);
            }
        }
        twin
    }

    fn mirrored(position: &Position) -> Option<Position> {
        let mut twin = position.with_files_mirrored();
        for mark in twin.fields.get_mut(1..3)? {
            *mark = mirror_file(mark, position.placement.files);
        }
        Some(twin)
    }

    fn legs(&self, decision: Move) -> Legs {
        Legs::from_iter([self.leg(decision)])
    }

    fn reads(&self, decision: Move, legs: &[Leg]) -> usize {
        usize::from(legs.first() == Some(&self.leg(decision)))
    }

    fn explain(&self, legs: &[Leg]) -> String {
        match legs.first() {
            Some(&Leg::Move { from, to, suffix }) => match (self.size.square(from), self.size.square(to)) {
                (Some(from), Some(to)) => self.explain_move(from, to, suffix.is_some()),
                _ => NOT_LEGAL.to_owned(),
            },
            Some(Leg::Put { .. }) if !DEMOTION => "nothing is put on the board in this game".to_owned(),
            Some(&Leg::Put { letter, at }) => match self.size.square(at) {
                None => format!("there is no square {at}"),
                Some(square) => self.explain_demotion(letter, square),
            },
            Some(Leg::Pass) => "there is no passing".to_owned(),
            _ => "a move is two squares, as in c2b3".to_owned(),
        }
    }
}

impl<const DEMOTION: bool> Alapo<DEMOTION> {
    fn leg(&self, decision: Move) -> Leg {
        let at = coordinate(decision.from());
        if decision.from() == decision.to() {
            Leg::Put { letter: self.small_letter(decision), at }
        } else {
            Leg::step(at, coordinate(decision.to()))
        }
    }

    /// The letter of the small piece that the demotion `decision` makes.
    pub(super) fn small_letter(&self, decision: Move) -> u8 {
        Kind(self.board.kind_bits(decision.from())).small().letter()
    }

    fn explain_move(&self, from: u8, to: u8, suffix: bool) -> String {
        let Some((_, kind)) = self.board.piece_on(from) else { return NOT_LEGAL.to_owned() };
        let targets = Board::reach(self.turn, kind, from, 0);
        if targets & bit(to) == 0 {
            kind.rule().to_owned()
        } else if Board::reach(self.turn, kind, from, self.board.occupied()) & bit(to) == 0 {
            "the way is blocked".to_owned()
        } else if self.board.pieces(self.turn) & bit(to) != 0 {
            own_piece(self, coordinate(to))
        } else if suffix {
            "a move has no suffix".to_owned()
        } else {
            // The move itself is legal, so the fault lies in what follows it.
            "a turn is one move".to_owned()
        }
    }

    fn explain_demotion(&self, letter: u8, square: u8) -> String {
        let at = coordinate(square);
        match self.board.piece_on(square) {
            None => format!("there is no piece on {at}"),
            Some((color, kind)) if color != self.turn => format!("the {} on {at} is {color}'s", kind.name()),
            Some((_, kind)) if !kind.is_large() => format!("the {} is small already", kind.name()),
            Some(_) if bit(square) & self.size.nearest_rows(self.turn) == 0 => {
                "only large pieces on your two nearest rows can be demoted".to_owned()
            }
            Some((_, kind)) if kind.small().letter() != letter => {
                format!(
                    "a {} becomes a {}: {}",
                    kind.name(),
                    kind.small().name(),
                    char::from(kind.small().letter())
                )
            }
            Some(_) => "a turn is one demotion".to_owned(),
        }
    }
}

/// The large pieces on the home row of a board with so many files (R4, R26).
const fn home_row(files: u8) -> &'static [u8] {
    match files {
        8 => b"RLBQQBLR",
        6 => b"RBQQBR",
        5 => b"RBQBR",
        _ => b"RQQR",
    }
}

/// A side begins with 16 pieces and never gets more. This bound keeps every list below `MAX_DECISIONS`.
const MOST_PIECES: u32 = 16;

fn read_board(placement: &Placement, size: Size) -> Result<Board, SetupError> {
    let mut board = Board::empty();
    for (square, letter) in size.pieces(placement)? {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let unknown = || UnknownPiece.at("board", format!("no piece is called `{}`", char::from(letter)));
        board.put(color, Kind::of_letter(letter).ok_or_else(unknown)?, square);
    }
    Ok(board)
}

fn read_mark(
    size: Size,
    board: &Board,
    color: Color,
    field: &'static str,
    text: Option<&str>,
) -> Result<u8, SetupError> {
    let text = text.ok_or_else(|| Missing.at(field, "missing (`-` for none)"))?;
    if text == "-" {
        return Ok(NO_MARK);
    }
    let square = text
        .parse()
        .ok()
        .and_then(|at| size.square(at))
        .ok_or_else(|| Malformed.at(field, format!("must be a square or `-`, not `{text}`")))?;
    if board.pieces(color) & bit(square) == 0 {
        return Err(Contradiction.at(field, format!("no piece of {color}'s on {text}")));
    }
    Ok(square)
}

/// Section 8: refuses boards that cannot occur between turns of a game in progress.
fn possible<const DEMOTION: bool>(board: &Board, size: Size, turn: Color) -> Result<(), SetupError> {
    let wrong = |kind: SetupErrorKind, reason: String| Err(kind.at("board", reason));
    for color in Color::ALL {
        let (pieces, small) = (board.pieces(color), board.small_pieces(color));
        if pieces.count_ones() > MOST_PIECES {
            return wrong(
                PieceCount,
                format!("{color} has {} pieces, more than {MOST_PIECES}", pieces.count_ones()),
            );
        }
        if pieces == 0 {
            return wrong(Over, format!("{color} has no piece: that game is over"));
        }
        if DEMOTION && small == 0 {
            return wrong(Over, format!("{color} has no small piece: that game is over"));
        }
        let arrived = size.last_row(color) & if DEMOTION { small } else { pieces };
        let Some(square) = Bits(arrived).next() else { continue };
        if DEMOTION {
            return wrong(Over, format!("{color}'s small piece on {} has won already", coordinate(square)));
        }
        if color == turn {
            return wrong(
                Over,
                format!(
                    "{color}'s piece on {} was not captured: {color} has won already",
                    coordinate(square)
                ),
            );
        }
        if arrived.count_ones() > 1 {
            return wrong(PieceCount, format!("{color} has two runners on its last row; there can be one"));
        }
    }
    Ok(())
}
