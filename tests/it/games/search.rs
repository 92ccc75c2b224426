//! The search from outside the room: limits, clocks, ends of games, reproducibility.
use carom::base::score::{self, DRAW, lost_in, won_in};
use carom::game::{
    Decisions, Evaluation, Facts, Game, GenType, Notation, Playable, Record, Rules, read_token,
};
use carom::notation::{parse_position, parse_token};
use carom::search::{
    Budget, Clock, Control, Limits, STACK, SearchResult, SearchTask, TranspositionTable, search,
};
use carom::variants::{self, alapo, chess, hanniball, rollerball, wickets};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A clock that moves on by itself, a little with every look: time without waiting.
#[derive(Default)]
struct Ticking {
    looks: AtomicU64,
    step: u64,
}

impl Clock for Ticking {
    fn elapsed(&self) -> Duration {
        Duration::from_micros(self.looks.fetch_add(1, Ordering::Relaxed) * self.step)
    }
}

fn record<G: Playable>(position: &str, tokens: &str) -> Record<G> {
    record_of(G::GAMES[0], position, tokens)
}

/// The same of one of several games that are played with one type.
fn record_of<G: Playable>(game: &'static Facts, position: &str, tokens: &str) -> Record<G> {
    let state = G::read(&parse_position(position).unwrap(), &Rules::of(game)).unwrap();
    let mut record = Record::new(state);
    for word in tokens.split_whitespace() {
        for decision in read_token(record.now(), &parse_token(word).unwrap()).unwrap().decisions {
            record.play(decision);
        }
    }
    record
}

struct Thought<G: Game> {
    found: SearchResult<G::Decision>,
    line: Vec<String>,
    reports: Vec<(u32, usize, i32, u64)>,
    looks: u64,
}

fn think<G: Playable>(
    record: &Record<G>,
    limits: Limits,
    only: &[&str],
    control: &Control,
    step: u64,
) -> Thought<G> {
    let table = TranspositionTable::new(8).unwrap();
    think_with(record, limits, only, control, step, &table, 1)
}

fn think_with<G: Playable>(
    record: &Record<G>,
    limits: Limits,
    only: &[&str],
    control: &Control,
    step: u64,
    table: &TranspositionTable,
    threads: usize,
) -> Thought<G> {
    let clock = Ticking { looks: AtomicU64::new(0), step };
    let state = record.now();
    let only: Vec<_> = only
        .iter()
        .map(|word| read_token(state, &parse_token(word).unwrap()).unwrap().decisions.to_vec())
        .collect();
    let mut reports = Vec::new();
    let found = std::thread::scope(|scope| {
        let run = || {
            let task = SearchTask {
                state,
                history: &record.recent_keys(),
                turn_keys: &[],
                limits: &limits,
                only: &only,
                selectivity: &G::SELECTIVITY,
                win_model: state.facts().win_model,
                table,
                tables: None,
                control,
                clock: &clock,
                threads,
            };
            search(&task, &mut |report, line| {
                assert_legal(state, line);
                reports.push((report.depth, report.rank, report.score, report.nodes));
            })
        };
        std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).unwrap().join().unwrap()
    });
    assert_legal(state, &found.line);
    let mut at = state.clone();
    let mut line = Vec::new();
    for &decision in &found.line {
        line.push(at.legs(decision).iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
        at.apply(decision);
    }
    Thought { found, line, reports, looks: clock.looks.into_inner() }
}

/// Every decision of a line is one the rules list.
fn assert_legal<G: Playable>(state: &G, line: &[G::Decision]) {
    let mut at = state.clone();
    for decision in line {
        let mut list = Decisions::new();
        at.decisions(GenType::All, &mut list);
        assert!(list.contains(decision), "{decision:?} in {line:?}");
        at.apply(*decision);
    }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_mate_within_the_searched_depth_ends_a_fixed_time() {
    // A clock that stands still: only the mate can end the search before the deepest iteration.
    let hour = Budget::Fixed(Duration::from_secs(3600));
    let limits = Limits { budget: hour, ..Limits::default() };
    let position = record::<chess::State>("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "");
    let mate = think(&position, limits, &[], &Control::default(), 0);
    assert_eq!((mate.found.score, mate.line[0].as_str()), (won_in(1), "d1d8"));
    assert!(mate.found.depth < 5, "depth {}", mate.found.depth);
}

#[test]
fn no_turn_of_hanniball_comes_back_to_a_board_it_had() {
    let openings =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/openings/hanniball.epd"))
            .unwrap();
    let mut decisions = 0;
    for position in openings.lines().filter(|line| !line.starts_with('#')).take(6) {
        let mut record = record::<hanniball::State>(position, "");
        for turn in 0..30 {
            let limits = Limits { nodes: Some(300), ..Limits::default() };
            let line = think(&record, limits, &[], &Control::default(), 0).found.line;
            let mut boards = vec![record.now().turn_key()];
            for decision in line {
                record.play(decision);
                if record.now().between_turns() || record.outcome().is_some() {
                    break;
                }
                let board = record.now().turn_key();
                assert!(!boards.contains(&board), "{position}, turn {turn}: {boards:?} {board:?}");
                boards.push(board);
            }
            if record.outcome().is_some() {
                break;
            }
        }
        decisions += record.len();
    }
    assert!(decisions > 100, "{decisions}");
}

/// 200 positions by the slow generator (`variants/hanniball/tests/reference.rs`): in so many steps the side
/// to move can score.
#[test]
fn every_goal_of_hanniball_within_the_turn_is_found_with_a_thousand_nodes() {
    let list = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/positions/hanniball-goals.txt"
    ))
    .unwrap();
    assert_eq!(list.lines().count(), 200);
    for line in list.lines() {
        let (steps, position) = line.split_once(' ').unwrap();
        let record = record::<hanniball::State>(position, "");
        let limits = Limits { nodes: Some(1000), ..Limits::default() };
        let found = think(&record, limits, &[], &Control::default(), 0).found;
        assert_eq!(found.score, won_in(1), "{line}");
        let mut state = record.now().clone();
        found.line.iter().for_each(|&step| state.apply(step));
        assert_eq!(state.outcome().unwrap().winner, record.now().actor().player(), "{steps}: {position}");
    }
}

#[test]
fn mates_are_found_with_their_distance() {
    for (position, deep, best, value) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 3, "d1d8", won_in(1)),
        ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 5, "f6f7", won_in(3)),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 5, "a1a6", won_in(3)),
    ] {
        let result = think::<chess::State>(&record(position, ""), depth(deep), &[], &Control::default(), 0);
        assert_eq!((result.found.score, result.line[0].as_str()), (value, best), "{position}");
        assert_eq!(result.found.line.len() as i32, score::distance(value).unwrap(), "the line ends in mate");
    }
    // Black is mated in two more turns of both, whatever he does.
    let lost = record::<chess::State>("k7/8/1K6/8/8/8/8/6R1 b - - 0 1", "");
    let result = think(&lost, depth(4), &[], &Control::default(), 0);
    assert_eq!(result.found.score, lost_in(2));
}

#[test]
fn wins_by_the_rules_of_each_game_are_seen() {
    // Alapo: c7c8 would be taken; e1 is too far. A safe runner wins at once (example 2 of the rules).
    let alapo = record::<alapo::Standard>("3k4/1K6/8/8/8/8/8/4K3 w - - 0 41", "");
    let result = think(&alapo, depth(2), &[], &Control::default(), 0);
    assert_eq!(result.found.score, won_in(1));
    assert!(["b7a8", "b7b8"].contains(&result.line[0].as_str()), "neither can be taken: {:?}", result.line);
    // Rollerball: the throne (T39), and no throne without the mark (T40).
    let throne = record::<rollerball::State>("2K4/7/2***2/2***2/2***2/7/6k w K 0 1", "");
    let result = think(&throne, depth(2), &[], &Control::default(), 0);
    assert_eq!((result.found.score, result.line[0].as_str()), (won_in(1), "c7d6"));
    let unmarked = record::<rollerball::State>("2K4/7/2***2/2***2/2***2/7/6k w - 0 1", "");
    assert!(think(&unmarked, depth(2), &[], &Control::default(), 0).found.score < score::SURE_WIN);
}

#[test]
fn stalemate_counters_and_repetition_are_draws() {
    let stalemating = record::<chess::State>("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "");
    assert_eq!(think(&stalemating, depth(3), &[], &Control::default(), 0).found.line.len(), 0);
    // A queen ahead, but every move completes the hundredth quiet ply.
    let worn_out = record::<chess::State>("7k/8/8/8/8/8/8/KQ6 w - - 99 80", "");
    assert_eq!(think(&worn_out, depth(3), &[], &Control::default(), 0).found.score, DRAW);
    // Black, a rook down, can only draw by going back for the third time.
    let shuffled =
        record::<chess::State>("k7/8/8/8/8/8/7R/1K6 b - - 0 1", "a8b8 b1c1 b8a8 c1b1 a8b8 b1c1 b8a8");
    let back = think(&shuffled, depth(1), &["c1b1"], &Control::default(), 0);
    assert_eq!(back.found.score, DRAW, "c1b1 stands there for the third time");
}

#[test]
fn the_third_occurrence_in_alapo_is_played_out_not_drawn() {
    // Example 6: Black's e5d5 would complete the third occurrence; both last pieces go and Black, who has
    // none, loses.
    let repeated =
        record::<alapo::Standard>("8/8/8/3k4/8/8/8/K7 w - - 0 60", "a1b1 d5e5 b1a1 e5d5 a1b1 d5e5 b1a1");
    let result = think(&repeated, depth(1), &["e5d5"], &Control::default(), 0);
    assert_eq!(result.found.score, lost_in(1));
}

#[test]
fn one_thread_is_reproducible_and_nodes_are_exact() {
    let game = record::<chess::State>(START, "e2e4 e7e5 g1f3");
    let first = think(&game, depth(5), &[], &Control::default(), 0);
    let second = think(&game, depth(5), &[], &Control::default(), 0);
    assert_eq!((&first.found, &first.reports), (&second.found, &second.reports));
    for nodes in [1, 2, 1000, 12_345] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let result = think(&game, limits, &[], &Control::default(), 0);
        assert_eq!(result.found.nodes, nodes);
        assert!(!result.found.line.is_empty());
    }
    // A search broken off while a line is searched anew with an open window.
    let middle = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for nodes in (2000..2200).chain([100_000]) {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let result = think(&record::<chess::State>(middle, ""), limits, &[], &Control::default(), 0);
        assert_eq!(result.found.nodes, nodes);
    }
}

#[test]
fn depth_lines_and_searchmoves_are_kept() {
    let game = record::<rollerball::State>("2r1p2/1b1k3/r1***2/2***1B/P1***2/1P1K1R1/5R1 w - 0 1", "");
    let limits = Limits { depth: Some(4), lines: 3, ..Limits::default() };
    let result = think(&game, limits, &[], &Control::default(), 0);
    assert_eq!(result.found.depth, 4);
    let last: Vec<_> = result.reports.iter().filter(|(depth, ..)| *depth == 4).collect();
    assert_eq!(last.iter().map(|(_, rank, ..)| *rank).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(last.windows(2).all(|pair| pair[0].2 >= pair[1].2), "best first: {last:?}");
    // More lines than there are decisions is no fault.
    let two = record::<rollerball::State>("R5b/5k1/2***2/2***2/2***2/K6/Bb4r w - 0 1", "");
    let limits = Limits { depth: Some(3), lines: 50, ..Limits::default() };
    assert_eq!(think(&two, limits, &[], &Control::default(), 0).reports.last().unwrap().1, 2);
    // Only the listed ones.
    let only = think(&record::<chess::State>(START, ""), depth(4), &["a2a3", "h2h4"], &Control::default(), 0);
    assert!(["a2a3", "h2h4"].contains(&only.line[0].as_str()));
}

#[test]
fn no_search_oversteps_its_clock() {
    let game = record::<chess::State>(START, "");
    let step = 10; // microseconds between two looks at the clock
    for (budget, overhead) in [
        (Budget::Fixed(Duration::from_millis(20)), 10),
        (Budget::Fixed(Duration::ZERO), 0),
        (
            Budget::Clock {
                remaining: Duration::from_millis(100),
                increment: Duration::ZERO,
                turns_to_go: None,
            },
            10,
        ),
        (Budget::Clock { remaining: Duration::ZERO, increment: Duration::ZERO, turns_to_go: Some(1) }, 10),
        (
            Budget::Clock {
                remaining: Duration::from_millis(5),
                increment: Duration::from_secs(9),
                turns_to_go: None,
            },
            10,
        ),
    ] {
        let overhead = Duration::from_millis(overhead);
        let limits = Limits { budget, overhead, ..Limits::default() };
        let result = think(&game, limits, &[], &Control::default(), step);
        let hard = budget.deadlines(overhead).unwrap().hard;
        let spent = Duration::from_micros(result.looks * step);
        // It ends with the look that shows the deadline has passed; reports look at the clock as well.
        assert!(spent <= hard + Duration::from_micros(step * 70), "{budget:?}: {spent:?} of {hard:?}");
        assert!(!result.found.line.is_empty(), "{budget:?}");
    }
}

#[test]
fn a_stopped_search_still_has_a_decision() {
    let control = Control::default();
    control.stop();
    for threads in [1, 3] {
        let table = TranspositionTable::new(1).unwrap();
        let game = record::<alapo::Standard>(alapo::Standard::GAMES[0].start, "");
        let result = think_with(
            &game,
            Limits { infinite: true, ..Limits::default() },
            &[],
            &control,
            0,
            &table,
            threads,
        );
        // A helper may have looked further before it was told, and threads vote.
        let length = result.found.line.len();
        assert!(length == 1 || threads > 1 && length > 1, "{length}");
    }
}

#[test]
fn pondering_ignores_the_clock_until_the_hit() {
    let game = record::<chess::State>(START, "");
    let control = Control::new(true);
    let budget = Budget::Fixed(Duration::from_millis(1));
    // 8000 nodes take far more looks than a millisecond has at this step, yet only the node limit ends it.
    let limits = Limits { budget, nodes: Some(8_000), ..Limits::default() };
    assert_eq!(think(&game, limits, &[], &control, 500).found.nodes, 8_000);
    // After the hit the time counts from the hit on.
    let control = Control::new(true);
    control.ponder_hit(Duration::from_millis(3), None);
    let result = think(&game, Limits { budget, ..Limits::default() }, &[], &control, 100);
    let spent = Duration::from_micros(result.looks * 100);
    assert!((Duration::from_millis(3)..Duration::from_millis(20)).contains(&spent), "{spent:?}");
}

#[test]
fn what_the_clock_shows_at_the_hit_replaces_what_it_showed_before() {
    let game = record::<chess::State>(START, "");
    let hour = Limits { budget: Budget::Fixed(Duration::from_secs(3600)), ..Limits::default() };
    let control = Control::new(true);
    control.ponder_hit(
        Duration::from_millis(3),
        Budget::Fixed(Duration::from_millis(5)).deadlines(Duration::ZERO),
    );
    let result = think(&game, hour, &[], &control, 100);
    let spent = Duration::from_micros(result.looks * 100);
    assert!((Duration::from_millis(8)..Duration::from_millis(25)).contains(&spent), "{spent:?}");
}

#[test]
fn a_win_in_so_many_moves_ends_the_search() {
    let game = record::<chess::State>("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", "");
    let limits = Limits { win_in: Some(2), ..Limits::default() };
    let result = think(&game, limits, &[], &Control::default(), 0);
    assert_eq!(result.found.score, won_in(3));
}

#[test]
fn several_threads_agree_on_a_forced_win() {
    let table = TranspositionTable::new(8).unwrap();
    let game = record::<chess::State>("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "");
    let result = think_with(&game, depth(6), &[], &Control::default(), 0, &table, 4);
    assert_eq!((result.found.score, result.line[0].as_str()), (won_in(3), "a1a6"));
}

/// A throw into the wicket of a king who is Defender wins the game on 5 and 6 when he sees it, and does
/// nothing else.
#[test]
fn a_gamble_is_for_those_who_have_nothing_better() {
    let best = |position: &str, tokens: &str, only: &[&str]| {
        let game = record_of::<wickets::State>(variants::find("wickets-dice").unwrap(), position, tokens);
        let result = think(&game, depth(4), only, &Control::default(), 0);
        (result.line.join(" "), result.found.score)
    };
    // White takes a queen for nothing; or throws, wins twice in six, and leaves her to Black otherwise.
    let queen = "****1***/4k1r1/p4p1p/8/8/3q4/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/g8:e8 0 30";
    let (line, sure) = best(queen, "", &[]);
    assert!(line.starts_with("c3d4 O@g4") && sure > 300, "{line}: {sure}");
    let (line, gamble) = best(queen, "", &["c3a5,O@e9"]);
    assert!(line.starts_with("c3a5 O@e9") && gamble < 100, "{line}: {gamble}");
    // White is a queen and two rooks behind: a third of a win is better than that, and the throw comes at
    // once.
    let lost = "****1***/4k1r1/q4p1p/7r/8/8/2B5/5PPP/6K1/****1*** w - - c3:g1/g8:e8 0 30";
    let (line, score) = best(lost, "", &[]);
    assert!(line.starts_with("c3g7 O@e9") && (-300..0).contains(&score), "{line}: {score}");
}
