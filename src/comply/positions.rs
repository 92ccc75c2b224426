//! Positions of a game to ask an engine about, and the referee of its answers.

use super::check::{Checked, failed};
use crate::base::{Color, Rng};
use crate::game::{Actor, Facts, Playable, Record, Rules, playout, turns_text};
use crate::notation::{Leg, parse_token};
use crate::session::chance::{Chance, deal, draw};
use crate::session::xboard_spelling;
use crate::session::{Session, open};
use crate::variants::{self, Visitor};

/// A position, and the moves that lead to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TestPosition {
    /// Where the game begins, as far as the player may know it; `None` for the usual start.
    pub start: Option<String>,
    /// Where it really begins, if cards are hidden.
    pub truth: Option<String>,
    /// The tokens played since then.
    pub moves: Vec<String>,
}

impl TestPosition {
    fn position(text: &str) -> Self {
        Self { start: Some(text.to_owned()), ..Self::default() }
    }

    fn with(mut self, moves: &str) -> Self {
        self.moves = moves.split_whitespace().map(str::to_owned).collect();
        self
    }

    /// The arguments of UCI's `position`.
    pub fn to_uci(&self) -> String {
        let start = self.start.as_ref().map_or("startpos".to_owned(), |text| format!("fen {text}"));
        if self.moves.is_empty() { start } else { format!("{start} moves {}", self.moves.join(" ")) }
    }
}

/// The names of test positions. A name may stand for several positions, and not every game has all names.
/// With `but its last turn` behind a name, the last turn is left out.
pub(super) const NAMES: [&str; 13] = [
    "start",
    // The first of `moves`, or else the start.
    "early",
    // Some turns into the game, given as moves; each side decides in some of them.
    "moves",
    // In the middle of the game, given as positions; each side decides in some of them.
    "positions",
    "position and moves from it",
    // Little but a special move is legal, or one was just played.
    "special",
    "win in one turn",
    // The game is over: the last turn has won it, or it is drawn.
    "finished game",
    "drawn game",
    "long game",
    // A chance event has just happened in the middle of a turn.
    "position in which a player answers chance",
    // White decides in the first one, Black in the second.
    "position for each side",
    "position for White",
];

/// The test positions of one game.
pub(super) struct TestPositions {
    /// Each test position with its name.
    list: Vec<(&'static str, TestPosition)>,
    /// True if every turn is one decision.
    pub simple: bool,
    referee: Referee,
}

/// Knows the rules, and judges the engine's moves by them.
pub(super) struct Referee {
    session: Box<dyn Session>,
}

/// The test positions of the game of `facts`.
pub(super) fn positions(facts: &'static Facts, rules: &Rules) -> TestPositions {
    let built = variants::visit(facts.name, Build(rules.clone()));
    // The facts come from the registry, so the game is found.
    built.unwrap_or_else(|_| Build(Rules::default()).visit::<variants::chess::State>(&variants::chess::FACTS))
}

struct Build(Rules);

impl Visitor for Build {
    type Output = TestPositions;

    fn visit<G: Playable>(self, facts: &'static Facts) -> TestPositions {
        let referee = Referee { session: open(facts, self.0.clone(), Chance::Referee) };
        if facts.is_chess() {
            return chess(referee);
        }
        random::<G>(facts, &self.0, referee)
    }
}

/// Test positions of chess, chosen by hand.
fn chess(referee: Referee) -> TestPositions {
    let mut positions =
        TestPositions { list: vec![("start", TestPosition::default())], simple: true, referee };
    for moves in [
        "e2e4",
        "e2e4 e7e5",
        "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d3 e8g8",
        "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4",
    ] {
        positions.add("moves", TestPosition::default().with(moves));
    }
    for (name, position, moves) in [
        ("positions", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", ""),
        ("positions", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", ""),
        ("positions", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", ""),
        ("positions", "8/8/4k3/8/2p5/8/B2P1K2/8 b - - 5 60", ""),
        ("position and moves from it", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4 e8e7 e4e5"),
        // En passant is the only legal move.
        ("special", "8/8/7R/k7/pP5R/8/4B3/4K3 b - b3 0 1", ""),
        ("special", "8/8/7R/k7/p6R/8/1P2B3/4K3 w - - 0 1", "b2b4"),
        // Only promotions are legal.
        ("special", "6r1/P7/8/8/8/8/1r6/k6K w - - 0 1", ""),
        ("special", "K6k/1R6/8/8/8/8/p7/6R1 b - - 0 1", ""),
        // A promotion gives check, and the king must leave.
        ("special", "7k/P7/8/8/8/8/8/6RK w - - 0 1", "a7a8q"),
        // Castling gives check with the rook; one move answers it.
        ("special", "5k2/R6p/8/8/B7/8/8/4K2R w K - 0 1", "e1g1"),
        ("special", "r3k3/8/8/b7/8/8/r6P/3K4 b q - 0 1", "e8c8"),
        // Castling is legal, through squares that are not attacked.
        ("special", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ""),
        ("special", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", ""),
        ("win in one turn", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", ""),
        // This is stalemate.
        ("drawn game", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "f6f7"),
    ] {
        positions.add(name, TestPosition::position(position).with(moves));
    }
    positions.add("finished game", TestPosition::default().with("f2f3 e7e5 g2g4 d8h4"));
    positions.add("long game", TestPosition::default().with(&long_chess_game()));
    positions
}

/// Positions in which dice have just been rolled, by game. Random games reach such positions too rarely.
const AFTER_CHANCE: [(&str, &str); 2] = [
    // The Defender is called, and Black chooses where it stands.
    ("wickets-dice", "c3a5,O@e9,=5"),
    // The attempt has failed, and White buys another or declines.
    ("wickets-dice2", "c3a5,O@e9,=2,"),
];
const BEFORE_CHANCE: &str = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";

/// The knights go out and home after each pawn move: 144 plies, and no position occurs three times.
fn long_chess_game() -> String {
    const WHITE_FIRST: &str = "g1f3 b8c6 b1c3 g8f6 f3g1 c6b8 c3b1 f6g8";
    const BLACK_FIRST: &str = "b8c6 g1f3 g8f6 b1c3 c6b8 f3g1 f6g8 c3b1";
    let stage = |file| format!("{file}2{file}4 {BLACK_FIRST} {file}7{file}5 {WHITE_FIRST}");
    ('a'..='h').map(stage).collect::<Vec<_>>().join(" ")
}

/// Test positions taken from random games.
fn random<G: Playable>(facts: &Facts, rules: &Rules, referee: Referee) -> TestPositions {
    /// The number of decisions after which a game is broken off.
    const MOST: usize = 4000;
    let start = G::start(rules);
    let dealt = deal(&start, 1);
    let hidden = Color::ALL.iter().any(|&color| dealt.view(color).write() != dealt.write());
    let start = if hidden { dealt } else { start };
    let first = match draw(&start, 1, 0, 0) {
        _ if hidden => of_position(&start),
        // Where chance begins, the first roll is made.
        Some(roll) => TestPosition { moves: texts(&start, &[roll]), ..TestPosition::default() },
        None => TestPosition::default(),
    };
    let mut positions =
        TestPositions { list: vec![("start", first)], simple: G::ONE_DECISION_A_TURN, referee };
    for (_, moves) in AFTER_CHANCE.iter().filter(|(game, _)| *game == facts.name) {
        let test = TestPosition::position(BEFORE_CHANCE).with(moves);
        positions.add("position in which a player answers chance", test);
    }
    for seed in 1..=40 {
        let game = playout(start.clone(), &mut Rng::new(seed), MOST, |_, _| {});
        let record = game.record;
        // The points at which a player begins a turn.
        let begins: Vec<usize> = (0..=record.len())
            .filter(|&number| record.begins_turn(number))
            .filter(|&number| {
                let state = record.state_after(number);
                state.is_some_and(|s| s.actor().player().is_some() && s.outcome().is_none())
            })
            .collect();
        let moves_to = |number: usize| position_in(&start, &record, number, hidden);
        let pick = |tenth: usize| begins.get(begins.len() * tenth / 10).copied();
        if seed <= 4
            && let (Some(early), Some(late)) = (pick(3), pick(6 + seed as usize % 2))
        {
            positions.add("moves", begins.get(seed as usize).and_then(|&number| moves_to(number)));
            positions.add("special", moves_to(late));
            positions.add("positions", record.state_after(early).map(of_position));
            let end = begins.iter().copied().find(|&number| number > early + 3 && !hidden);
            positions.first("position and moves from it", between(&record, early, end));
            positions.first("long game", moves_to(*begins.last().unwrap_or(&0)));
        }
        let Some(outcome) = game.outcome.filter(|_| !hidden) else { continue };
        match outcome.winner {
            None => positions.first("drawn game", moves_to(record.len())),
            Some(winner) => {
                let last = begins.last().copied().unwrap_or(0);
                let alone = (last..record.len()).all(|number| {
                    record.state_after(number).is_some_and(|s| s.actor() == Actor::Player(winner))
                });
                if alone && last < record.len() {
                    positions.first("win in one turn", moves_to(last));
                    positions.first("finished game", moves_to(record.len()));
                }
            }
        }
        if seed >= 4 && positions.has("finished game") {
            break;
        }
    }
    positions
}

/// The state as a test position without history.
fn of_position<G: Playable>(state: &G) -> TestPosition {
    let viewer = state.actor().player().unwrap_or(Color::White);
    let (position, truth) = (state.view(viewer).write().to_string(), state.write().to_string());
    TestPosition { truth: (position != truth).then_some(truth), start: Some(position), moves: Vec::new() }
}

/// The first `decisions` decisions of a game. Where cards are hidden, the moves would reveal them; then it is
/// a position without moves, if one can be written.
fn position_in<G: Playable>(
    start: &G,
    record: &Record<G>,
    decisions: usize,
    hidden: bool,
) -> Option<TestPosition> {
    let state = record.state_after(decisions)?;
    if hidden {
        return (state.between_turns() && state.outcome().is_none()).then(|| of_position(state));
    }
    let list = record.decisions_in(0..decisions);
    Some(TestPosition { moves: texts(start, &list), ..TestPosition::default() })
}

/// The decisions as tokens.
fn texts<G: Playable>(start: &G, decisions: &[G::Decision]) -> Vec<String> {
    turns_text(start, decisions).iter().map(ToString::to_string).collect()
}

/// The position after `from` decisions, and the moves from there up to `to`.
fn between<G: Playable>(record: &Record<G>, from: usize, to: Option<usize>) -> Option<TestPosition> {
    let state = record.state_after(from)?;
    let list = record.decisions_in(from..to?);
    Some(TestPosition { moves: texts(state, &list), ..of_position(state) })
}

impl TestPositions {
    fn add(&mut self, name: &'static str, test: impl Into<Option<TestPosition>>) {
        self.list.extend(test.into().map(|test| (name, test)));
    }

    /// Adds a test position, unless there is one of that name.
    fn first(&mut self, name: &'static str, test: Option<TestPosition>) {
        self.add(name, test.filter(|_| !self.has(name)));
    }

    fn has(&self, name: &str) -> bool {
        self.list.iter().any(|(own, _)| *own == name)
    }

    /// All test positions of this name.
    pub fn named(&mut self, name: &str) -> Vec<TestPosition> {
        let own = |name| self.list.iter().filter(move |(own, _)| *own == name).map(|(_, test)| test.clone());
        let ordinary = || ["start", "moves", "positions"].into_iter().flat_map(own);
        match name {
            "early" => own("moves").chain(own("start")).take(1).collect(),
            "position for each side" | "position for White" => {
                let positions: Vec<_> = ordinary().collect();
                let mut decides = |color| {
                    let fits = |test: &&TestPosition| {
                        self.referee(test).is_ok_and(|referee| referee.actor() == Actor::Player(color))
                    };
                    positions.iter().find(fits).cloned()
                };
                match (decides(Color::White), decides(Color::Black)) {
                    (Some(white), Some(_)) if name == "position for White" => vec![white],
                    (Some(white), Some(black)) => vec![white, black],
                    _ => Vec::new(),
                }
            }
            _ => match name.strip_suffix(" but its last turn") {
                Some(whole) => {
                    let mut positions: Vec<_> = own(whole).collect();
                    positions.iter_mut().for_each(|test| drop(test.moves.pop()));
                    positions
                }
                None => own(name).collect(),
            },
        }
    }

    /// Sets up a test position for the referee.
    pub fn referee(&mut self, test: &TestPosition) -> Checked<&mut Referee> {
        self.referee.set_up(test)?;
        Ok(&mut self.referee)
    }

    /// The referee, with the position of the last call.
    pub fn same_referee(&mut self) -> &mut Referee {
        &mut self.referee
    }
}

impl Referee {
    fn set_up(&mut self, test: &TestPosition) -> Checked {
        let start = test.truth.as_deref().or(test.start.as_deref());
        let set = self.session.set_up(start, &mut test.moves.iter().map(String::as_str));
        set.or_else(|error| failed(format!("(a fault of the examiner) {error}")))
    }

    /// Plays a move of the engine, which must be legal and must not decide chance.
    pub fn play(&mut self, token: &str) -> Checked {
        let legs = parse_token(token).map(|token| token.legs);
        if legs.is_ok_and(|legs| legs.iter().any(|leg| matches!(leg, Leg::Roll(_) | Leg::Draw(_)))) {
            return failed(format!("{token} speaks for chance, which is the referee's to do"));
        }
        self.say(token)
    }

    /// Plays a move of either side, or an outcome of chance.
    pub fn say(&mut self, token: &str) -> Checked {
        self.session.play(token).or_else(|error| {
            let place = self.session.position();
            failed(format!("{token} is not legal in {place}: {error}"))
        })
    }

    /// Plays a move as the XBoard protocol writes it.
    pub fn play_xboard(&mut self, text: &str) -> Checked {
        let token = xboard_spelling::read_move(&*self.session, text);
        self.play(&token)
    }

    /// Writes a token as the XBoard protocol writes it in the present position.
    pub fn to_xboard(&self, token: &str) -> String {
        let text = xboard_spelling::write_last(&*self.session, token);
        // Some of its forms are for XBoard alone; engines are sent our own notation then.
        let read = xboard_spelling::read_move(&*self.session, &text);
        if read.eq_ignore_ascii_case(token) { text } else { token.to_owned() }
    }

    /// Moves of the XBoard protocol that are legal in few positions, and not in this one.
    pub fn illegal(&mut self) -> Vec<String> {
        let mut refused = vec!["a1a1".to_owned(), "e2e5".to_owned()];
        refused.retain(|text| {
            let legal = self.play_xboard(text).is_ok();
            if legal {
                self.take_back();
            }
            !legal
        });
        refused
    }

    pub fn take_back(&mut self) {
        self.session.take_back();
    }

    /// The actor that decides now.
    pub fn actor(&self) -> Actor {
        self.session.actor()
    }

    /// The result `1-0`, `0-1` or `1/2-1/2`, once the game is over.
    pub fn result(&self) -> Option<&'static str> {
        self.session.outcome().map(|outcome| outcome.result())
    }

    /// The tokens that are legal now, or their beginnings in games with several decisions per turn.
    pub fn continuations(&self) -> Vec<String> {
        self.session.continuations()
    }

    /// The first of the continuations that is a whole token; declining does not count.
    pub fn any_token(&mut self) -> Option<String> {
        self.continuations().into_iter().find(|token| {
            let fine = token != "." && self.session.play(token).is_ok();
            if fine {
                self.session.take_back();
            }
            fine
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_positions_are_what_they_say() {
        let facts = variants::find("chess").unwrap();
        let mut positions = positions(facts, &Rules::of(facts));
        let legal =
            ["a4b3", "a4b3", "a7a8b a7a8n a7a8q a7a8r", "a2a1b a2a1n a2a1q a2a1r", "h8h7", "f8g8", ""];
        let special = positions.named("special");
        for (test, legal) in special.iter().zip(legal) {
            let referee = positions.referee(test).unwrap();
            assert_eq!(referee.result(), None, "{test:?}");
            if !legal.is_empty() {
                assert_eq!(referee.continuations().join(" "), legal, "{test:?}");
            }
        }
        for castles in ["e1g1", "e1c1"] {
            assert!(positions.referee(&special[7]).unwrap().say(castles).is_ok());
        }
        for (name, result) in
            [("finished game", Some("0-1")), ("drawn game", Some("1/2-1/2")), ("long game", None)]
        {
            let test = positions.named(name).remove(0);
            assert_eq!(positions.referee(&test).unwrap().result(), result);
        }
        assert!(positions.named("long game")[0].moves.len() >= 140);
    }

    #[test]
    fn every_game_has_scenes_that_stand() {
        for facts in variants::all() {
            let mut positions = positions(facts, &Rules::of(facts));
            for several in ["moves", "positions", "special"] {
                assert!(positions.named(several).len() >= 4, "{}", facts.name);
            }
            let has = |name: &str| positions.has(name);
            let dice = facts.name.starts_with("wickets-dice");
            assert_eq!(has("position in which a player answers chance"), dice, "{}", facts.name);
            let without = facts.name.starts_with("wickets-cards") || facts.name == "hanniball";
            assert!(without || has("win in one turn") && has("finished game"), "{}", facts.name);
            assert!(positions.list.iter().all(|(name, _)| NAMES.contains(name)));
            for (name, test) in positions.list.clone() {
                let referee = positions.referee(&test).unwrap();
                let over = matches!(name, "finished game" | "drawn game");
                assert_eq!(referee.result().is_some(), over, "{} {test:?}", facts.name);
                assert!(over || referee.actor().player().is_some(), "{} {test:?}", facts.name);
            }
        }
    }
}
