use super::*;
use crate::base::Rng;
use crate::game::{Decisions, Game, GenType, Outcome};
use std::sync::LazyLock;

/// Tables of three pieces; of four with `CAROM_TABLE_PIECES=4`, which takes minutes and the optimized
/// program.
static TABLES: LazyLock<Build> = LazyLock::new(|| made(false));

fn most_pieces() -> usize {
    std::env::var("CAROM_TABLE_PIECES").map_or(3, |pieces| pieces.parse().unwrap())
}

fn made(clockwise_sideways: bool) -> Build {
    let mut tables = Build::new(clockwise_sideways, 2);
    for pieces in all().iter().filter(|pieces| pieces.len() + 2 <= most_pieces()) {
        build(&mut tables, pieces).unwrap();
    }
    tables
}

/// A legal position with `pieces` pieces of any kinds and colours, in which neither side has won.
fn random_state(rng: &mut Rng, pieces: usize, clockwise_sideways: bool) -> State {
    loop {
        let mut square = || Square::new(rng.below(SQUARES) as u8);
        let kings = [square(), square()];
        let extra: Vec<_> = (2..pieces)
            .map(|_| {
                (Color::ALL[rng.below(2)], Kind::ALL[1 + rng.below(3)], Square::new(rng.below(SQUARES) as u8))
            })
            .collect();
        let placed = Placed {
            turn: Color::ALL[rng.below(2)],
            marks: [rng.below(2) == 0, rng.below(2) == 0],
            kings,
            pieces: [0, 1].map(|number| extra.get(number).map_or(Square::new(0), |piece| piece.2)),
        };
        let pieces: Pieces = extra.iter().map(|&(color, kind, _)| (color, kind)).collect();
        let state = placed.state(&pieces, clockwise_sideways);
        let legal = |state: &State| !state.king_attacked(state.turn.other()) && !state.finished();
        if let Some(state) = state.filter(legal) {
            return state;
        }
    }
}

/// Who wins within `depth` turns, by trying everything.
fn tried(state: &State, depth: u32) -> Option<TableValue> {
    let won = |outcome: Outcome| (outcome.winner == Some(state.turn.other())).then_some(TableValue::Loss(0));
    if let Some(outcome) = state.outcome() {
        return won(outcome);
    }
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    let (mut shortest, mut longest, mut all_lost) = (None, 0, depth > 0);
    for decision in if depth > 0 { list } else { Decisions::new() } {
        let mut next = *state;
        next.apply(decision);
        match tried(&next, depth - 1) {
            Some(TableValue::Loss(turns)) => shortest = Some(shortest.unwrap_or(turns + 1).min(turns + 1)),
            Some(TableValue::Win(turns)) => longest = longest.max(turns + 1),
            _ => all_lost = false,
        }
    }
    shortest.map(TableValue::Win).or(all_lost.then_some(TableValue::Loss(longest)))
}

#[test]
fn every_table_has_a_number_and_a_place_of_its_own() {
    let mut numbers: Vec<_> = all().iter().map(number).collect();
    assert_eq!(numbers.len(), 16);
    assert!(numbers.iter().all(|&number| number < 32));
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 16);
    let mut titles: Vec<_> = all().iter().map(title).collect();
    titles.sort_unstable();
    titles.dedup();
    assert_eq!(titles.len(), 16);
    let mut rng = Rng::new(3);
    for pieces in [2, 3, 4] {
        for _ in 0..2000 {
            let state = random_state(&mut rng, pieces, false);
            let (pieces, placed) = find(&state).unwrap();
            assert_eq!(Placed::at(placed.index(pieces.len()), pieces.len()), placed);
            assert!(placed.index(pieces.len()) < size(pieces.len()));
            // The same position, perhaps from the other side of the board.
            let again = placed.state(&pieces, false).unwrap();
            assert_eq!(find(&again).unwrap(), (pieces, placed));
            assert_eq!(again.count_moves(), state.count_moves());
        }
    }
}

#[test]
fn what_a_table_says_follows_from_what_comes_after() {
    for pieces in all().iter().filter(|pieces| pieces.len() + 2 <= most_pieces()) {
        assert_eq!(verify(&TABLES, pieces), None, "{}", title(pieces));
    }
    let sideways = made(true);
    assert_eq!(verify(&sideways, &all()[1]), None);
    assert_ne!(sideways.tables[1], TABLES.tables[1], "the switch changes the rook's endings");
}

#[test]
fn a_wrong_byte_is_found() {
    let mut tables = Build::new(false, 2);
    build(&mut tables, &Pieces::new()).unwrap();
    let kings = tables.tables[0].as_mut().unwrap();
    let place = kings.iter().position(|&byte| byte == 7).unwrap();
    kings[place] = 9;
    assert!(verify(&tables, &Pieces::new()).is_some());
}

#[test]
fn what_trying_everything_finds_is_what_the_tables_say() {
    let mut rng = Rng::new(8);
    let mut decided = 0;
    let positions = if most_pieces() > 3 { 10_000 } else { 400 };
    for _ in 0..positions {
        let state = random_state(&mut rng, most_pieces(), false);
        let byte = TABLES.byte(&state);
        let table = value(byte).unwrap();
        let found = tried(&state, 4);
        let near = matches!(table, TableValue::Win(turns) | TableValue::Loss(turns) if turns <= 4);
        assert_eq!(found, near.then_some(table), "{state:?}");
        decided += usize::from(near);
    }
    assert!(decided > positions / 20, "{decided}");
}
