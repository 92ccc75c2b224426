//! Rollerball's moves, compared with a second program written from the rule text.

mod slow;

use crate::base::{Color, Rng};
use crate::game::{Decisions, Game, GenType, Notation, Rules, write_token};
use crate::notation::parse_position;
use crate::variants::rollerball::State;
use slow::Board;

fn rules(clockwise_sideways: bool) -> Rules {
    let mut rules = Rules::default();
    let value = if clockwise_sideways { "on" } else { "off" };
    rules.set(State::GAMES[0], "clockwise-sideways", value).unwrap();
    rules
}

/// The legal moves as text with the text of the position after each, sorted.
fn moves(state: &State) -> Vec<(String, String)> {
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    let mut moves: Vec<_> = list
        .iter()
        .map(|&decision| {
            let mut after = *state;
            after.apply(decision);
            (write_token(state, &[decision]).to_string(), after.write().to_string())
        })
        .collect();
    moves.sort();
    moves
}

/// Compares everything about one position; the moves.
fn compare(state: &State, board: &Board) -> Vec<(String, Board)> {
    let text = board.text();
    let expected = board.moves();
    let plain: Vec<_> = expected.iter().map(|(word, after)| (word.clone(), after.text())).collect();
    assert_eq!(moves(state), plain, "{text}");
    assert_eq!(state.count(), expected.len() as u64, "{text}");
    let winner = |white: bool| Some(if white { Color::White } else { Color::Black });
    let end = match board.won {
        Some(white) => Some((winner(white), "R36")),
        None if !expected.is_empty() => None,
        None if board.in_check(board.white) => Some((winner(!board.white), "R35")),
        None => Some((None, "R35")),
    };
    assert_eq!(state.outcome().map(|o| (o.winner, o.rule)), end, "{text}");
    expected
}

#[test]
fn random_games_agree() {
    let mut rng = Rng::new(20);
    let (mut thrones, mut mates, mut promotions) = (0, 0, 0);
    for game in 0..100 {
        let clockwise = game % 2 == 1;
        let mut state = State::start(&rules(clockwise));
        let mut board = Board::new(State::GAMES[0].start, clockwise);
        for _ in 0..200 {
            let moves = compare(&state, &board);
            let Some((word, after)) = rng.pick(&moves) else { break };
            promotions += usize::from(word.len() == 5);
            let text = after.text();
            state = State::read(&parse_position(&text).unwrap(), &rules(clockwise)).unwrap();
            assert_eq!(state.write().to_string(), text);
            board = after.clone();
        }
        match state.outcome() {
            Some(outcome) if outcome.rule == "R36" => thrones += 1,
            Some(outcome) if outcome.winner.is_some() => mates += 1,
            _ => {}
        }
    }
    // The games must have met what is special.
    assert!(
        thrones > 0 && mates > 0 && promotions > 0,
        "{thrones} thrones, {mates} mates, {promotions} promotions"
    );
}

/// A position set up at random: few or many pieces, kings anywhere, marks, either side to move.
fn scatter(rng: &mut Rng) -> String {
    let mut cells = [['.'; 7]; 7];
    let mut place = |piece: char, rng: &mut Rng| loop {
        let (file, rank) = (rng.below(7), rng.below(7));
        if !((2..5).contains(&file) && (2..5).contains(&rank)) && cells[rank][file] == '.' {
            cells[rank][file] = piece;
            break;
        }
    };
    place('K', rng);
    place('k', rng);
    for _ in 0..1 + rng.below(12) {
        place(*rng.pick(&['R', 'r', 'B', 'b', 'P', 'p', 'R', 'r', 'B', 'b']).unwrap(), rng);
    }
    let rows: Vec<String> = (0..7)
        .rev()
        .map(|rank| {
            let hole = |file| (2..5).contains(&file) && (2..5).contains(&rank);
            let cell = |file: usize| match cells[rank][file] {
                '.' if hole(file) => '*',
                '.' => '1',
                piece => piece,
            };
            (0..7).map(cell).collect()
        })
        .collect();
    let (side, marks) = (rng.pick(&["w", "b"]).unwrap(), rng.pick(&["-", "K", "k", "Kk"]).unwrap());
    // Through a board, which writes neighbouring free squares as one number.
    Board::new(&format!("{} {side} {marks} 3 9", rows.join("/")), false).text()
}

#[test]
fn random_set_ups_agree() {
    let mut rng = Rng::new(21);
    let (mut legal, mut refused, mut checks, mut over) = (0, 0, 0, 0);
    for round in 0..16_000 {
        let clockwise = round % 2 == 1;
        let text = scatter(&mut rng);
        let board = Board::new(&text, clockwise);
        let read = State::read(&parse_position(&text).unwrap(), &rules(clockwise));
        // OQ9.
        let both = text.contains("Kk") && ["d6", "d2"] == board.kings();
        let refused_field = if both {
            Some("clockwise marks")
        } else {
            board.in_check(!board.white).then_some("side to move")
        };
        let state = match read {
            Ok(state) => state,
            Err(error) => {
                assert_eq!(Some(error.field), refused_field, "{text}: {error}");
                refused += 1;
                continue;
            }
        };
        assert_eq!(refused_field, None, "{text}");
        legal += 1;
        compare(&state, &board);
        checks += usize::from(board.in_check(board.white));
        over += usize::from(board.won.is_some());
    }
    assert!(
        legal > 5_000 && refused > 1_000 && checks > 1_000 && over > 50,
        "{legal} {refused} {checks} {over}"
    );
}
