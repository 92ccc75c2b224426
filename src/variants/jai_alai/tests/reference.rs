//! Jai-Alai: the fast generator against a slow one written a second time from the rules.
//!
//! `CAROM_REFERENCE_POSITIONS` says how many random positions are compared (300 if it is not set).

mod slow;

use crate::base::{Color, Rng};
use crate::game::{Actor, Decisions, Game, GenType, Notation, Rules, write_token};
use crate::notation::parse_position;
use crate::variants::jai_alai::State;
use slow::{Plain, Verdict};

fn wanted_positions() -> usize {
    std::env::var("CAROM_REFERENCE_POSITIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

fn rules(at_once: bool, layout: &str) -> Rules {
    let mut rules = Rules::default();
    rules.set(State::GAMES[0], "minimum-first-leg", if at_once { "0" } else { "1" }).unwrap();
    rules.set(State::GAMES[0], "layout", layout).unwrap();
    rules
}

fn read(text: &str, at_once: bool) -> Result<State, String> {
    let syntax = parse_position(text).map_err(|error| error.to_string())?;
    State::read(&syntax, &rules(at_once, "standard")).map_err(|error| error.to_string())
}

/// Same turns, same check, and after every turn the same position and the same end. `deep`: the ends too.
fn compare(position: &State, at_once: bool, deep: bool) {
    let text = position.write().to_string();
    let plain = Plain::read(&text, at_once);
    let mut list = Decisions::new();
    position.decisions(GenType::All, &mut list);
    let mut fast: Vec<_> =
        list.iter().map(|&action| (write_token(position, &[action]).to_string(), action)).collect();
    fast.sort();
    let mut slow = plain.turns();
    slow.sort_by(|one, other| one.0.cmp(&other.0));
    let fast_tokens: Vec<_> = fast.iter().map(|(token, _)| token).collect();
    let slow_tokens: Vec<_> = slow.iter().map(|(token, _)| token).collect();
    assert_eq!(fast_tokens, slow_tokens, "{text} (first leg of no length: {at_once})");
    assert_eq!(position.count(), list.len() as u64, "{text}");
    let Actor::Player(side) = position.actor() else { panic!("{text} is over") };
    assert_eq!(position.attacked(side), plain.attacked(side == Color::White), "{text}");
    for ((token, action), (_, after_slow)) in fast.iter().zip(&slow) {
        let mut after = *position;
        after.apply(*action);
        assert_eq!(after.write().to_string(), after_slow.write(), "{token} in {text}");
        if deep {
            let outcome = after.outcome().map(|outcome| (outcome.winner, outcome.rule));
            assert_eq!(outcome, expected(after_slow.verdict()), "{token} in {text}");
        }
    }
}

fn expected(verdict: Verdict) -> Option<(Option<Color>, &'static str)> {
    let side = |white| if white { Color::White } else { Color::Black };
    match verdict {
        Verdict::Open => None,
        Verdict::TooFew { white_wins } => Some((Some(side(white_wins)), "R73")),
        Verdict::Mate { white_wins } => Some((Some(side(white_wins)), "R72")),
        Verdict::Stalemate => Some((None, "R75")),
        Verdict::Quiet => Some((None, "R77")),
    }
}

#[test]
fn positions_of_random_games() {
    let mut rng = Rng::new(0x6a61);
    let mut compared = 0;
    let layouts = ["standard", "alt-1", "alt-2", "alt-3"];
    for round in 0.. {
        let at_once = round % 3 == 2;
        let mut position = State::start(&rules(at_once, layouts[round % 4]));
        for ply in 0..400 {
            if compared >= wanted_positions() / 2 {
                return;
            }
            if position.outcome().is_some() {
                break;
            }
            // Neighbouring positions tell little that is new.
            if ply % 7 == 0 {
                compare(&position, at_once, compared % 10 == 0);
                compared += 1;
            }
            let mut list = Decisions::new();
            position.decisions(GenType::All, &mut list);
            // Drops would fill the board at once if they were as likely as moves.
            let action = loop {
                let action = *rng.pick(&list).unwrap();
                let is_move = action.from().is_some();
                if is_move || rng.below(12) == 0 || list.iter().all(|other| other.from().is_none()) {
                    break action;
                }
            };
            position.apply(action);
        }
    }
}

#[test]
fn positions_set_up_at_random() {
    let mut rng = Rng::new(0x6c61);
    let mut compared = 0;
    let (mut checks, mut refused) = (0, 0);
    while compared < wanted_positions() - wanted_positions() / 2 {
        let text = random_set_up(&mut rng);
        let at_once = rng.below(3) == 0;
        match read(&text, at_once) {
            Err(reason) => {
                // What is refused must deserve it (R78).
                let plain = Plain::read(&text, at_once);
                assert!(plain.is_refused(), "{text}: {reason}");
                refused += 1;
            }
            Ok(position) => {
                assert!(!Plain::read(&text, at_once).is_refused(), "{text}");
                assert_eq!(position.write().to_string(), text);
                compare(&position, at_once, compared % 10 == 0);
                let Actor::Player(side) = position.actor() else { panic!("{text} is over") };
                checks += usize::from(position.attacked(side));
                compared += 1;
            }
        }
    }
    assert!(refused > 0 && (checks > 0 || wanted_positions() < 50), "{checks} checks, {refused} refused");
}

/// Few or many pieces, each kind as often as an army has it, the Reducers often next to another piece.
fn random_set_up(rng: &mut Rng) -> String {
    let mut board = [[None::<char>; 9]; 8];
    let density = 1 + rng.below(6);
    for white in [true, false] {
        for letter in "KRGGAABBDDMMSSSPPPPTTTT".chars() {
            let keep = letter == 'K' || (letter == 'R' && rng.below(3) > 0) || rng.below(6) < density;
            let (rank, file) = (rng.below(8), rng.below(9));
            let last_rank = if white { 7 } else { 0 };
            if !keep || (letter == 'P' && rank == last_rank) {
                continue;
            }
            // A King always finds a place.
            let place = if letter == 'K' {
                (0..72).map(|step| (rank * 9 + file + step) % 72).find(|at| board[at / 9][at % 9].is_none())
            } else {
                board[rank][file].is_none().then_some(rank * 9 + file)
            };
            if let Some(place) = place {
                board[place / 9][place % 9] = Some(if white { letter } else { letter.to_ascii_lowercase() });
            }
        }
    }
    let rows: Vec<String> = board
        .iter()
        .rev()
        .map(|row| {
            let mut text = String::new();
            let mut free = 0;
            for cell in row {
                match cell {
                    None => free += 1,
                    Some(letter) => {
                        if free > 0 {
                            text.push_str(&free.to_string());
                        }
                        free = 0;
                        text.push(*letter);
                    }
                }
            }
            if free > 0 {
                text.push_str(&free.to_string());
            }
            text
        })
        .collect();
    let hand = "T".repeat(rng.below(5)) + &"t".repeat(rng.below(5));
    let side = if rng.below(2) == 0 { 'w' } else { 'b' };
    format!("{}[{hand}] {side} {} {}", rows.join("/"), rng.below(110), 1 + rng.below(90))
}
