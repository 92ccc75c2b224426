//! Reads a position from text, checks that it is legal, and writes it back.

use super::board::Board;
use super::geometry::{FILES, LAST_RANK, RANKS, name};
use super::piece::Kind;
use super::state::{State, TOO_FEW};
use crate::base::Color;
use crate::game::SetupErrorKind::{
    KingCapturable, Misplaced, Over, PieceCount, Squares, Unexpected, UnknownPiece,
};
use crate::game::setup::{counter, side_to_move};
use crate::game::{Rules, SetupError, SetupErrorKind};
use crate::notation::{Cell, Placement, Position, parse_position};

/// R8: the number of Statues of a side.
pub const STATUES: u8 = 4;
/// The most Statues of a side, on the board and in hand together. A set-up position may have a full hand and
/// as many on the board, and whatever is dropped from there can be read back.
const MOST_STATUES: u32 = 2 * STATUES as u32;
/// The highest counter accepted.
const MOST: u16 = 9999;

/// The start positions (R7): the name as a value of the switch `layout`, and the board. All agree with what
/// is known of the lost picture; the first is R5.
const LAYOUTS: [(&str, &str); 4] = [
    ("standard", "1d1mrm1d1/1a1bkb1a1/gpppspppg/9/9/GPPPSPPPG/1A1BKB1A1/1D1MRM1D1"),
    ("alt-1", "d1m1r1m1d/a1b1k1b1a/gpppspppg/9/9/GPPPSPPPG/A1B1K1B1A/D1M1R1M1D"),
    ("alt-2", "2dmrmd2/2abkba2/gpppspppg/9/9/GPPPSPPPG/2ABKBA2/2DMRMD2"),
    ("alt-3", "1d1mkm1d1/1a1brb1a1/gpppspppg/9/9/GPPPSPPPG/1A1BRB1A1/1D1MKM1D1"),
];

/// The names of the layouts, the default first.
pub const LAYOUT_NAMES: [&str; 4] = [LAYOUTS[0].0, LAYOUTS[1].0, LAYOUTS[2].0, LAYOUTS[3].0];

/// The start position: White to move (R9), four Statues in each hand (R8).
pub fn start(rules: &Rules) -> State {
    let named = |&&(name, _): &&(&str, &str)| rules.get("layout") == Some(name);
    let (_, board) = LAYOUTS.iter().find(named).unwrap_or(&LAYOUTS[0]);
    let position = parse_position(&format!("{board}[TTTTtttt] w 0 1")).expect("a layout is well formed");
    read(&position, rules).expect("a layout is legal")
}

fn turns_at_once(rules: &Rules) -> bool {
    rules.get("minimum-first-leg") == Some("0")
}

/// Reads a legal position from its text.
pub fn read(text: &Position, rules: &Rules) -> Result<State, SetupError> {
    let board = read_board(&text.placement)?;
    let hands = read_hands(text.hand.as_deref().unwrap_or(&[]))?;
    let mut fields = text.fields.iter().map(String::as_str);
    let wrong = |text: Option<&str>| {
        text.map_or("it is missing: `w` or `b`".to_owned(), |other| {
            format!("`{other}` is neither `w` nor `b`")
        })
    };
    let side = side_to_move(fields.next(), wrong)?;
    let wrong = |text: &str, least, most| format!("`{text}` is no number from {least} to {most}");
    let quiet = counter("quiet plies", fields.next(), 0..=MOST, wrong)?;
    let number = counter("move number", fields.next(), 1..=MOST, wrong)?;
    if let Some(extra) = fields.next() {
        return Err(
            Unexpected.at("fields", format!("nothing may follow the move number, but `{extra}` does"))
        );
    }
    let position = State::new(board, side, hands, turns_at_once(rules), quiet, number);
    check(&position)?;
    Ok(position)
}

fn read_board(placement: &Placement) -> Result<Board, SetupError> {
    let fail = |kind: SetupErrorKind, reason: String| Err(kind.at("board", reason));
    if (placement.files, placement.ranks) != (FILES, RANKS) {
        let (files, ranks) = (placement.files, placement.ranks);
        return fail(
            Squares,
            format!("it must be {FILES} files wide and {RANKS} ranks high, this one is {files} by {ranks}"),
        );
    }
    let mut board = Board::EMPTY;
    for (square, cell) in (0..).zip(&placement.cells) {
        match *cell {
            Cell::Empty => {}
            Cell::Hole => return fail(Squares, format!("{} is no hole", name(square))),
            Cell::Piece { plus: true, .. } => {
                return fail(UnknownPiece, format!("the piece on {} has no use for a `+`", name(square)));
            }
            Cell::Piece { letter, plus: false } => {
                let Some(kind) = Kind::from_letter(letter) else {
                    return fail(
                        UnknownPiece,
                        format!("`{}` on {} is no piece of this game", char::from(letter), name(square)),
                    );
                };
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                board.put(square, color, kind);
            }
        }
    }
    for color in Color::ALL {
        check_army(&board, color)?;
    }
    Ok(board)
}

/// Refuses more pieces than promotion can make of the first army, so that no position offers too many
/// actions. The most that a search for such positions found is 412.
fn check_army(board: &Board, color: Color) -> Result<(), SetupError> {
    let fail = |kind: SetupErrorKind, reason: String| Err(kind.at("board", reason));
    if board.of(color, Kind::King) == 0 {
        return fail(PieceCount, format!("{color} has no King"));
    }
    for kind in Kind::ALL {
        let count = board.of(color, kind).count_ones();
        let most = if kind == Kind::Statue { MOST_STATUES } else { kind.most() };
        if count > most {
            return fail(
                PieceCount,
                format!("{color} has {count} pieces of the kind {}, more than {most}", kind.name()),
            );
        }
    }
    let rising = board.of(color, Kind::Boy) | board.of(color, Kind::Superball);
    if rising.count_ones() > Kind::Superball.most() {
        return fail(
            PieceCount,
            format!("{color} has more than {} Boys and Superballs", Kind::Superball.most()),
        );
    }
    if board.of(color, Kind::Boy) & LAST_RANK[color.index()] != 0 {
        return fail(Misplaced, format!("a {color} Boy on its last rank would be a Superball"));
    }
    Ok(())
}

fn read_hands(hand: &[(u8, u8)]) -> Result<[u8; 2], SetupError> {
    let mut hands = [0_u8; 2];
    for &(letter, count) in hand {
        let dressed = |color: &Color| color.cased(Kind::Statue.letter()) == letter;
        let Some(color) = Color::ALL.into_iter().find(dressed) else {
            let letter = char::from(letter);
            return Err(Unexpected.at("hand", format!("`{letter}`: only Statues (T, t) are held in hand")));
        };
        let held = &mut hands[color.index()];
        *held = held.saturating_add(count);
        if *held > STATUES {
            return Err(PieceCount.at("hand", format!("{color} has more than {STATUES} Statues in hand")));
        }
    }
    Ok(hands)
}

/// R78: refuses positions that cannot be set up.
fn check(position: &State) -> Result<(), SetupError> {
    for color in Color::ALL {
        let statues =
            position.board.of(color, Kind::Statue).count_ones() + u32::from(position.hands[color.index()]);
        if statues > MOST_STATUES {
            let reason = format!("{color} has more than {MOST_STATUES} Statues on the board and in hand");
            return Err(PieceCount.at("hand", reason));
        }
        if position.owned(color) <= TOO_FEW {
            return Err(Over.at("board", format!("{color} owns two pieces or fewer and has lost")));
        }
    }
    let waiting = !position.side;
    if position.attacked(waiting) {
        let reason = format!("{waiting}'s King is attacked and {} is to move", position.side);
        return Err(KingCapturable.at("board", reason));
    }
    Ok(())
}

/// Writes the canonical text, with all fields.
pub fn write(position: &State) -> Position {
    let board = &position.board;
    let letter = |square| Some(board.color_at(square)?.cased(board.kind_at(square)?.letter()));
    let placement = Placement::drawn(FILES, RANKS, |file, row| Cell::of(letter(row * FILES + file)));
    let held = |color: Color| (color.cased(Kind::Statue.letter()), position.hands[color.index()]);
    let hand = Color::ALL.into_iter().map(held).filter(|(_, count)| *count > 0).collect();
    let (quiet, number) = (position.quiet.min(MOST), position.number.min(MOST));
    let fields = format!("{} {quiet} {number}", position.side.letter());
    Position { hand: Some(hand), ..Position::new(placement, &fields) }
}
