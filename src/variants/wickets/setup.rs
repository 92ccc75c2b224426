//! Reads a legal state from a parsed position, and writes it back (section 12 of the rules, R6 to R8, R17,
//! R73).

use super::board::{Board, Kind, Piece};
use super::cards::Cards;
use super::cells::{self, FILES, NOWHERE, RANKS, bit, cell_at, coordinate, from_coordinate, rank, wicket};
use super::facts::NO_SEAL;
use super::mode::{Deciding, Mode};
use super::state::{State, Turn};
use crate::base::Color;
use crate::game::SetupErrorKind::{
    Contradiction, KingCapturable, Malformed, Misplaced, Missing, PieceCount, Squares, Unexpected,
    UnknownPiece,
};
use crate::game::setup::{counter, side_to_move};
use crate::game::{Deal, Heap, Rules, SetupError, SetupErrorKind};
use crate::notation::{Card, Cell, Coordinate, Placement, Position, Suit};
use crate::variants::chessboard::{RIGHTS, rights_text};
use nom::branch::alt;
use nom::character::complete::{char, one_of, u8 as number};
use nom::combinator::{all_consuming, eof, map, map_opt, opt, value};
use nom::multi::many0;
use nom::sequence::{pair, preceded, terminated};
use nom::{IResult, Parser};

/// The most pieces of a side: it starts with this many and never gets more.
const MOST_PIECES: u32 = 16;
/// The most pawns of a side.
const MOST_PAWNS: u32 = 8;

const BOARD: &str = "board";
const SIDE: &str = "side to move";
const CASTLING: &str = "castling";
const EN_PASSANT: &str = "en passant";
const ROLES: &str = "roles";
const HALF_MOVES: &str = "half-move counter";
const NUMBER: &str = "move number";
const CARDS: &str = "cards";

/// Reads a legal state from a parsed position.
pub(super) fn read(position: &Position, rules: &Rules) -> Result<State, SetupError> {
    let no_seal = rules.is_on(NO_SEAL);
    if position.hand.is_some() {
        return Err(Unexpected.at("hand", "this game has no pieces in hand"));
    }
    let (mut board, loose) = read_board(&position.placement, no_seal)?;
    let mut fields = position.fields.iter().map(String::as_str);
    let wrong = |text: Option<&str>| {
        text.map_or("it is missing".to_owned(), |other| format!("`{other}` is neither `w` nor `b`"))
    };
    let side = side_to_move(fields.next(), wrong)?;
    if side == Color::Black {
        board.pass_turn();
    }
    let rights = required(fields.next(), CASTLING)?;
    let passed = required(fields.next(), EN_PASSANT)?;
    let roles = required(fields.next(), ROLES)?;
    read_castling(&mut board, rights)?;
    read_en_passant(&mut board, passed)?;
    read_roles(&mut board, roles, loose)?;
    if !board.is_safe(!side) {
        return Err(KingCapturable.at(SIDE, format!("{} is in check but not to move", !side)));
    }
    let wrong = |text: &str, least, most| format!("`{text}` is no number from {least} to {most}");
    let half_moves = counter(HALF_MOVES, fields.next(), 0..=u16::MAX, wrong)?;
    let number = counter(NUMBER, fields.next(), 1..=u16::MAX, wrong)?;
    let mode = Mode::of(rules);
    let mut cards = unseen(mode);
    if let Some(text) = fields.next() {
        let Some(cards) = &mut cards else {
            return Err(Unexpected.at(CARDS, format!("`{text}`, but this game has no cards")));
        };
        *cards = read_cards(text)?;
    }
    if let Some(more) = fields.next() {
        return Err(Unexpected.at("end", format!("`{more}` follows the last field")));
    }
    Ok(State { board, turn: Turn::FRESH, half_moves, number, no_seal, mode, cards })
}

/// The pack before anyone has looked at a hand, in the games that have one.
fn unseen(mode: Mode) -> Option<Cards> {
    (mode.deciding() == Deciding::Cards).then(Cards::unseen)
}

fn required<'a>(field: Option<&'a str>, name: &'static str) -> Result<&'a str, SetupError> {
    field.ok_or_else(|| Missing.at(name, "the field is missing"))
}

/// Reads the pieces, and the cell where each side's ball lies loose ([`NOWHERE`] if it does not).
fn read_board(placement: &Placement, no_seal: bool) -> Result<(Board, [u8; 2]), SetupError> {
    let fail = |kind: SetupErrorKind, reason: String| Err(kind.at(BOARD, reason));
    if (placement.files, placement.ranks) != (FILES, RANKS) {
        let (files, ranks) = (placement.files, placement.ranks);
        return fail(
            Squares,
            format!("{files} files and {ranks} ranks, not 8 and 10 (e0 and e9 are ranks of their own)"),
        );
    }
    let mut board = Board::empty();
    let mut loose = [NOWHERE; 2];
    let mut kings = [0, 0];
    for (file, row, content) in placement.places() {
        let here = Coordinate::new(file, row);
        let (cell, letter, plus) = match (cell_at(file as i8, row as i8), content) {
            (None, Cell::Hole) | (Some(_), Cell::Empty) => continue,
            (Some(_), Cell::Hole) => return fail(Squares, format!("`*` on {here}, which is a cell")),
            (None, _) => return fail(Squares, format!("{here} is no cell and must be `*`")),
            (Some(cell), Cell::Piece { letter, plus }) => (cell, letter, plus),
        };
        let text = char::from(letter);
        if plus {
            return fail(UnknownPiece, format!("`+{text}` on {here}: no piece is marked with `+` here"));
        }
        if letter.eq_ignore_ascii_case(&b'o') {
            // R9: `o`, black-coloured, is the ball White plays with.
            let owner = if letter == b'o' { Color::White } else { Color::Black };
            if loose[owner.index()] != NOWHERE {
                return fail(PieceCount, format!("a second ball of {owner} on {here}"));
            }
            if no_seal && cell == wicket(owner) {
                let reason = format!("{owner}'s ball in its own wicket {here}, which `{NO_SEAL}` forbids");
                return fail(Misplaced, reason);
            }
            loose[owner.index()] = cell;
            continue;
        }
        let Some(kind) = Kind::from_letter(letter) else {
            return fail(UnknownPiece, format!("`{text}` on {here} is no piece of this game"));
        };
        let side = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        if kind == Kind::Pawn && !(2..=7).contains(&rank(cell)) {
            return fail(Misplaced, format!("a pawn on {here}"));
        }
        kings[side.index()] += i32::from(kind == Kind::King);
        board.put(Piece { side, kind }, cell);
    }
    for side in Color::ALL {
        if kings[side.index()] != 1 {
            return fail(PieceCount, format!("{side} has {} kings, not one", kings[side.index()]));
        }
        let pieces = board.all_pieces(side).count_ones();
        let pawns = board.pieces_of(side, Kind::Pawn).count_ones();
        if pieces > MOST_PIECES || pawns > MOST_PAWNS {
            return fail(
                PieceCount,
                format!("{side} has {pieces} pieces, {pawns} of them pawns; 16 and 8 are the most"),
            );
        }
        board.set_ball(side, loose[side.index()]);
    }
    Ok((board, loose))
}

fn read_castling(board: &mut Board, text: &str) -> Result<(), SetupError> {
    let fail = |kind: SetupErrorKind, reason: String| Err(kind.at(CASTLING, reason));
    let mut rights = 0;
    if text != "-" {
        for letter in text.bytes() {
            let Some(index) = RIGHTS.iter().position(|right| right.0 == letter) else {
                return fail(Malformed, format!("`{text}` is neither `-` nor made of K, Q, k and q"));
            };
            if rights >> index & 1 == 1 {
                return fail(Malformed, format!("`{}` twice", char::from(letter)));
            }
            rights |= 1 << index;
        }
    }
    for (_, &(_, side, home, corner)) in
        RIGHTS.iter().enumerate().filter(|(right, _)| rights >> right & 1 == 1)
    {
        for (kind, cell) in [(Kind::King, home), (Kind::Rook, corner)] {
            if board.piece_at(cell) != Some(Piece { side, kind }) {
                let (word, at) = (kind.word(), coordinate(cell));
                return fail(Contradiction, format!("{side} has a right to castle but no {word} on {at}"));
            }
        }
    }
    board.set_castling(rights);
    Ok(())
}

/// R73: an en passant square is kept only if it can be used: vacant, with a pawn ready to capture. One that
/// only records a real double step is accepted and dropped.
fn read_en_passant(board: &mut Board, text: &str) -> Result<(), SetupError> {
    let fail = |kind: SetupErrorKind, reason: String| Err(kind.at(EN_PASSANT, reason));
    if text == "-" {
        return Ok(());
    }
    let Some(cell) = text.parse().ok().and_then(from_coordinate) else {
        return fail(Malformed, format!("`{text}` is neither `-` nor a square"));
    };
    let (us, them) = (board.side(), board.side().other());
    let (wanted, pawn_at, home) = match us {
        Color::White => (6, cell.wrapping_sub(8), cell.wrapping_add(8)),
        Color::Black => (3, cell.wrapping_add(8), cell.wrapping_sub(8)),
    };
    if rank(cell) != wanted {
        return fail(
            Contradiction,
            format!("{text} is not on rank {wanted}, where {us} captures in passing"),
        );
    }
    if board.pieces_of(them, Kind::Pawn) & bit(pawn_at) == 0 {
        return fail(Contradiction, format!("{them} has no pawn in front of {text}"));
    }
    if let Some(at) = [cell, home].into_iter().find(|&at| board.piece_at(at).is_some()) {
        return fail(
            Contradiction,
            format!("a piece on {}, which the pawn has just left or passed", coordinate(at)),
        );
    }
    let ready = cells::PAWN_ATTACKS[them.index()][usize::from(cell)] & board.pieces_of(us, Kind::Pawn);
    if ready != 0 && board.is_vacant(cell) {
        board.set_en_passant(cell);
    }
    Ok(())
}

fn read_roles(board: &mut Board, text: &str, loose: [u8; 2]) -> Result<(), SetupError> {
    let fail = |kind: SetupErrorKind, reason: String| Err(kind.at(ROLES, reason));
    let form = || Malformed.at(ROLES, format!("`{text}` is not of the form `e1:d1/e8:d8`"));
    let cell = |word: &str| word.parse().ok().and_then(from_coordinate).ok_or_else(form);
    let (white, black) = text.split_once('/').ok_or_else(form)?;
    for (side, words) in Color::ALL.into_iter().zip([white, black]) {
        let (carrier, defender) = words.split_once(':').ok_or_else(form)?;
        let lying = loose[side.index()];
        if carrier == "-" {
            if lying == NOWHERE {
                return fail(Contradiction, format!("{side}'s ball is neither carried nor on the board"));
            }
        } else {
            let at = cell(carrier)?;
            if lying != NOWHERE {
                return fail(
                    Contradiction,
                    format!("{side}'s ball is carried on {carrier} and lies on {}", coordinate(lying)),
                );
            }
            if !board.is_piece(side, at) {
                return fail(Contradiction, format!("no piece of {side} on {carrier} to carry the ball"));
            }
            board.set_ball(side, at);
        }
        let at = cell(defender)?;
        if !board.is_piece(side, at) {
            return fail(Contradiction, format!("no piece of {side} on {defender} to be Defender"));
        }
        if board.ball_carrier(side) == at {
            return fail(
                Contradiction,
                format!("{side}'s piece on {defender} has the ball and cannot be Defender"),
            );
        }
        board.set_defender(side, at);
        // R17: no other own piece ever gets in.
        if board.is_piece(side, wicket(side)) && at != wicket(side) {
            let own = coordinate(wicket(side));
            return fail(
                Contradiction,
                format!("{side}'s piece in its own wicket {own} must be its Defender"),
            );
        }
    }
    Ok(())
}

fn read_cards(text: &str) -> Result<Cards, SetupError> {
    let form = || Malformed.at(CARDS, format!("`{text}` is not of the form `W=As4h…/B=?10/S=?20/D=-`"));
    let words: Vec<&str> = text.split('/').collect();
    if words.len() != 4 {
        return Err(form());
    }
    let mut deal = Deal::default();
    let [white, black] = &mut deal.hands;
    let heaps = [(white, 'W'), (black, 'B'), (&mut deal.stock, 'S'), (&mut deal.discards, 'D')];
    for (word, (place, name)) in words.into_iter().zip(heaps) {
        let cards = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')).ok_or_else(form)?;
        (_, *place) = all_consuming(heap).parse(cards).map_err(|_| {
            Malformed.at(
                CARDS,
                format!("`{cards}` is no list of cards (`As4h`, then `?` and the number of hidden ones)"),
            )
        })?;
    }
    Cards::dealt(&deal).map_err(|reason| Contradiction.at(CARDS, reason))
}

/// Parses a heap of cards: `As4h7d`, `As?9`, `?20`, `-` or nothing.
fn heap(input: &str) -> IResult<&str, Heap> {
    let hidden = preceded(char('?'), number);
    let cards =
        map((many0(written_card), opt(hidden)), |(seen, hidden)| Heap { seen, hidden: hidden.unwrap_or(0) });
    alt((value(Heap::default(), terminated(char('-'), eof)), cards)).parse(input)
}

fn written_card(input: &str) -> IResult<&str, Card> {
    let suits = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];
    map_opt(pair(one_of("A23456789T"), one_of("cdhs")), |(value, suit)| {
        let value = "A23456789T".find(value)? as u8 + 1;
        let suit = suits["cdhs".find(suit)?];
        Some(Card { value, suit })
    })
    .parse(input)
}

/// Writes the canonical text, with all fields.
pub(super) fn write(state: &State) -> Position {
    let board = &state.board;
    let cell = |file: u8, row: u8| match cell_at(file as i8, row as i8) {
        Some(cell) => Cell::of(board.letter_at(cell)),
        None => Cell::Hole,
    };
    let placement = Placement::drawn(FILES, RANKS, cell);
    let name = |cell: u8| if cell == NOWHERE { "-".to_owned() } else { coordinate(cell).to_string() };
    let rights = rights_text(board.castling(), |right| RIGHTS[right].0);
    let roles =
        Color::ALL.map(|side| format!("{}:{}", name(board.ball_carrier(side)), name(board.defender(side))));
    let (side, passed, roles) = (board.side().letter(), name(board.en_passant()), roles.join("/"));
    let mut fields = format!("{side} {rights} {passed} {roles} {} {}", state.half_moves, state.number);
    if let Some(cards) = state.cards.as_ref() {
        fields = format!("{fields} {}", cards.deal());
    }
    Position::new(placement, &fields)
}
