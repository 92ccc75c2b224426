//! What the game is held to: worked examples, random games, texts, fixtures.

mod document;
mod fixtures;
mod games;
mod reference;
mod rules;
mod texts;

use super::{State, Step};
use crate::game::{Decisions, Game, GenType, Notation, Rules, read_token};
use crate::notation::{self, Cell, Placement, Token, parse_position, parse_token};

/// The switches, red card on or off.
fn rules(red_card: bool) -> Rules {
    let mut rules = Rules::default();
    rules.set(State::GAMES[0], "red-card", if red_card { "on" } else { "off" }).unwrap();
    rules
}

fn read(text: &str, red_card: bool) -> State {
    State::read(&parse_position(text).unwrap(), &rules(red_card)).unwrap()
}

/// A position from a list of pieces (`Me1 Le13 me14`), the square of the ball, and the side to move with its
/// steps.
fn set_up(pieces: &str, ball: &str, side: &str, red_card: bool) -> State {
    let mut cells = vec![vec!["1".to_owned(); 9]; 15];
    for hole in [0, 1, 2, 6, 7, 8] {
        cells[0][hole] = "*".into();
        cells[14][hole] = "*".into();
    }
    let place = |name: &str| {
        let rank: usize = name[1..].parse().unwrap();
        (usize::from(name.as_bytes()[0] - b'a'), rank - 1)
    };
    for piece in pieces.split_whitespace() {
        let (file, row) = place(&piece[1..]);
        assert_eq!(cells[row][file], "1", "{piece}");
        cells[row][file] = piece[..1].to_owned();
    }
    let (file, row) = place(ball);
    let holder = cells[row][file].clone();
    cells[row][file] = if holder == "1" { "o".into() } else { format!("+{holder}") };
    let mut board = Placement::new(9, 15);
    for (row, line) in cells.iter().enumerate() {
        for (file, cell) in line.iter().enumerate() {
            let cell = match cell.as_bytes() {
                b"1" => Cell::Empty,
                b"*" => Cell::Hole,
                [b'+', letter] => Cell::Piece { letter: *letter, plus: true },
                letter => Cell::Piece { letter: letter[0], plus: false },
            };
            board.set(file as u8, row as u8, cell);
        }
    }
    let fields = format!("{side} 0 1").split(' ').map(str::to_owned).collect();
    State::read(&notation::Position { placement: board, hand: None, fields }, &rules(red_card)).unwrap()
}

fn list(position: &State) -> Decisions<Step> {
    let mut list = Decisions::new();
    position.decisions(GenType::All, &mut list);
    list
}

/// A decision as written in lists: `.` for stopping.
fn text(position: &State, step: Step) -> String {
    let legs = position.legs(step);
    if legs.is_empty() { ".".to_owned() } else { Token { legs, open: false }.to_string() }
}

/// All legal decisions, sorted by their text.
fn texts(position: &State) -> Vec<String> {
    let mut texts: Vec<_> = list(position).iter().map(|&step| text(position, step)).collect();
    texts.sort();
    texts
}

/// The legal decisions that begin with `begin`.
fn texts_from(position: &State, begin: &str) -> Vec<String> {
    texts(position).into_iter().filter(|text| text.starts_with(begin)).collect()
}

fn try_play(position: &State, token: &str) -> Result<State, String> {
    let token = parse_token(token).unwrap();
    read_token(position, &token).map(|reading| reading.after).map_err(|illegal| illegal.reason)
}

/// The position after a token; an open one (`e2e3,`) stays in the turn.
fn play(position: &State, token: &str) -> State {
    try_play(position, token).unwrap()
}
