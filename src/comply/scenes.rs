//! Positions of a game to ask an engine about, and the judge of its answers.

use super::check::{Checked, failed};
use crate::base::{Color, Rng};
use crate::engine::chance::{Chance, deal};
use crate::engine::{Event, Session, open, xboard_reading, xboard_writing};
use crate::game::{Actor, Facts, Playable, Record, Rules, playout, turns_text};
use crate::notation::{Leg, parse_token};
use crate::variants::{self, Visitor};
use crossbeam_channel::Receiver;

/// A position and how it came about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Scene {
    /// Where the game begins, as the player may know it; `None` for the usual start.
    pub told: Option<String>,
    /// Where it really begins, if cards are hidden.
    pub truth: Option<String>,
    /// The tokens since.
    pub moves: Vec<String>,
}

impl Scene {
    fn position(text: &str) -> Self {
        Self { told: Some(text.to_owned()), ..Self::default() }
    }

    fn after(moves: &str) -> Self {
        Self { moves: moves.split_whitespace().map(str::to_owned).collect(), ..Self::default() }
    }

    fn with(mut self, moves: &str) -> Self {
        self.moves = moves.split_whitespace().map(str::to_owned).collect();
        self
    }

    /// The same without the last token.
    pub fn before_last(&self) -> Self {
        let mut shorter = self.clone();
        shorter.moves.pop();
        shorter
    }
}

/// Positions of one game.
pub(super) struct Scenes {
    /// The start.
    pub start: Scene,
    /// Some turns into the game, told as moves; each side decides in some.
    pub moves: Vec<Scene>,
    /// In the middle of the game, told as positions; each side decides in some.
    pub positions: Vec<Scene>,
    /// A position and moves from it.
    pub both: Option<Scene>,
    /// Positions in which little but a special move is legal, or just happened.
    pub special: Vec<Scene>,
    /// A turn wins at once.
    pub win: Option<Scene>,
    /// The game is over: the last turn won it.
    pub won: Option<Scene>,
    /// The game is over: nobody won.
    pub drawn: Option<Scene>,
    /// A long game.
    pub long: Option<Scene>,
    /// Chance has spoken in the middle of a turn, and a player has to answer.
    pub after_chance: Option<Scene>,
    /// Every turn is one decision.
    pub simple: bool,
    judge: Judge,
}

/// Knows the rules.
pub(super) struct Judge {
    session: Box<dyn Session>,
    // Its searcher, which is never asked, would have somebody to tell.
    _events: Receiver<Event>,
}

/// The positions of the game that `facts` tells of.
pub(super) fn scenes(facts: &'static Facts, rules: &Rules) -> Scenes {
    let built = variants::visit(facts.name, Build(rules.clone()));
    // The facts come from the registry, so the game is there.
    built.unwrap_or_else(|_| Build(Rules::default()).visit::<variants::chess::State>(&variants::chess::FACTS))
}

struct Build(Rules);

impl Visitor for Build {
    type Output = Scenes;

    fn visit<G: Playable>(self, facts: &'static Facts) -> Scenes {
        let (sender, events) = crossbeam_channel::unbounded();
        let judge = Judge { session: open::<G>(self.0.clone(), Chance::Referee, sender), _events: events };
        if facts.answers_to("chess") {
            return chess(judge);
        }
        random::<G>(facts, &self.0, judge)
    }
}

/// Chosen by hand.
fn chess(judge: Judge) -> Scenes {
    Scenes {
        start: Scene::default(),
        moves: vec![
            Scene::after("e2e4"),
            Scene::after("e2e4 e7e5"),
            Scene::after("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d3 e8g8"),
            Scene::after("e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4"),
        ],
        positions: vec![
            Scene::position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
            Scene::position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1"),
            Scene::position("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
            Scene::position("8/8/4k3/8/2p5/8/B2P1K2/8 b - - 5 60"),
        ],
        both: Some(Scene::position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").with("e2e4 e8e7 e4e5")),
        special: vec![
            // En passant is the only legal move.
            Scene::position("8/8/7R/k7/pP5R/8/4B3/4K3 b - b3 0 1"),
            Scene::position("8/8/7R/k7/p6R/8/1P2B3/4K3 w - - 0 1").with("b2b4"),
            // Only promotions are legal.
            Scene::position("6r1/P7/8/8/8/8/1r6/k6K w - - 0 1"),
            Scene::position("K6k/1R6/8/8/8/8/p7/6R1 b - - 0 1"),
            // A promotion that gives check; the king must leave.
            Scene::position("7k/P7/8/8/8/8/8/6RK w - - 0 1").with("a7a8q"),
            // Castling gives check with the rook; one move answers it.
            Scene::position("5k2/R6p/8/8/B7/8/8/4K2R w K - 0 1").with("e1g1"),
            Scene::position("r3k3/8/8/b7/8/8/r6P/3K4 b q - 0 1").with("e8c8"),
            // Castling is legal, through squares that are not attacked.
            Scene::position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
            Scene::position("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"),
        ],
        win: Some(Scene::position("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1")),
        won: Some(Scene::after("f2f3 e7e5 g2g4 d8h4")),
        // Stalemate.
        drawn: Some(Scene::position("7k/8/5KQ1/8/8/8/8/8 w - - 0 1").with("f6f7")),
        long: Some(Scene::after(&long_chess_game())),
        after_chance: None,
        simple: true,
        judge,
    }
}

/// Where dice have just been rolled, by game. Games at random reach such places too rarely.
const AFTER_CHANCE: [(&str, &str); 2] = [
    // The Defender is called, and Black says where it stands.
    ("wickets-dice", "c3a5,O@e9,=5"),
    // The attempt failed, and White buys another or declines.
    ("wickets-dice2", "c3a5,O@e9,=2,"),
];
const BEFORE_CHANCE: &str = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";

/// The knights go out and home after each move of a pawn: 144 plies, and no position occurs three times.
fn long_chess_game() -> String {
    const WHITE_FIRST: &str = "g1f3 b8c6 b1c3 g8f6 f3g1 c6b8 c3b1 f6g8";
    const BLACK_FIRST: &str = "b8c6 g1f3 g8f6 b1c3 c6b8 f3g1 f6g8 c3b1";
    let stage = |file| format!("{file}2{file}4 {BLACK_FIRST} {file}7{file}5 {WHITE_FIRST}");
    ('a'..='h').map(stage).collect::<Vec<_>>().join(" ")
}

/// From games played at random.
fn random<G: Playable>(facts: &Facts, rules: &Rules, judge: Judge) -> Scenes {
    /// Decisions after which a game is broken off.
    const MOST: usize = 4000;
    let start = G::start(rules);
    let dealt = deal(&start, 1);
    let hidden = Color::ALL.iter().any(|&color| dealt.view(color).write() != dealt.write());
    let start = if hidden { dealt } else { start };
    let mut scenes = Scenes {
        start: if hidden { of_position(&start) } else { Scene::default() },
        moves: Vec::new(),
        positions: Vec::new(),
        both: None,
        special: Vec::new(),
        win: None,
        won: None,
        drawn: None,
        long: None,
        after_chance: AFTER_CHANCE
            .iter()
            .find(|(game, _)| *game == facts.name)
            .map(|(_, moves)| Scene::position(BEFORE_CHANCE).with(moves)),
        simple: G::ONE_DECISION_A_TURN,
        judge,
    };
    for seed in 1..=40 {
        let game = playout(start.clone(), &mut Rng::new(seed), MOST, |_, _| {});
        let record = game.record;
        // Where a player begins a turn.
        let begins: Vec<usize> = (0..=record.len())
            .filter(|&number| {
                let state = record.state_after(number);
                state.is_some_and(|s| {
                    s.between_turns() && s.actor().player().is_some() && s.outcome().is_none()
                })
            })
            .collect();
        let moves_to = |number: usize| told(&start, &record, number, hidden);
        let pick = |tenth: usize| begins.get(begins.len() * tenth / 10).copied();
        if seed <= 4
            && let (Some(early), Some(late)) = (pick(3), pick(6 + seed as usize % 2))
        {
            scenes.moves.extend(begins.get(seed as usize).and_then(|&number| moves_to(number)));
            scenes.special.extend(moves_to(late));
            scenes.positions.extend(record.state_after(early).map(of_position));
            if scenes.both.is_none() && !hidden {
                scenes.both = between(&record, early, begins.iter().copied().find(|&n| n > early + 3));
            }
            scenes.long = scenes.long.take().or_else(|| moves_to(*begins.last().unwrap_or(&0)));
        }
        let Some(outcome) = game.outcome.filter(|_| !hidden) else { continue };
        match outcome.winner {
            None => scenes.drawn = scenes.drawn.take().or_else(|| moves_to(record.len())),
            Some(winner) => {
                let last = begins.last().copied().unwrap_or(0);
                let alone = (last..record.len()).all(|number| {
                    record.state_after(number).is_some_and(|s| s.actor() == Actor::Player(winner))
                });
                if alone && last < record.len() {
                    scenes.win = scenes.win.take().or_else(|| moves_to(last));
                    scenes.won = scenes.won.take().or_else(|| moves_to(record.len()));
                }
            }
        }
        if seed >= 4 && scenes.win.is_some() && scenes.won.is_some() {
            break;
        }
    }
    scenes
}

/// The state as a scene without history.
fn of_position<G: Playable>(state: &G) -> Scene {
    let viewer = state.actor().player().unwrap_or(Color::White);
    let (told, truth) = (state.view(viewer).write().to_string(), state.write().to_string());
    Scene { truth: (told != truth).then_some(truth), told: Some(told), moves: Vec::new() }
}

/// The first `decisions` decisions of a game. Where cards are hidden the moves would show them: then as a position, if
/// one can be written.
fn told<G: Playable>(start: &G, record: &Record<G>, decisions: usize, hidden: bool) -> Option<Scene> {
    let state = record.state_after(decisions)?;
    if hidden {
        return (state.between_turns() && state.outcome().is_none()).then(|| of_position(state));
    }
    let list: Vec<_> = record.decisions().take(decisions).collect();
    let moves = turns_text(start, &list).iter().map(ToString::to_string).collect();
    Some(Scene { moves, ..Scene::default() })
}

/// The position after `from` decisions, and the moves from there up to `to`.
fn between<G: Playable>(record: &Record<G>, from: usize, to: Option<usize>) -> Option<Scene> {
    let state = record.state_after(from)?;
    let list: Vec<_> = record.decisions().skip(from).take(to? - from).collect();
    let moves = turns_text(state, &list).iter().map(ToString::to_string).collect();
    Some(Scene { moves, ..of_position(state) })
}

impl Scenes {
    /// The judge, and the position he is asked about set up.
    pub fn judge(&mut self, scene: &Scene) -> Checked<&mut Judge> {
        self.judge.set_up(scene)?;
        Ok(&mut self.judge)
    }

    /// The judge and the position he had last.
    pub fn same_judge(&mut self) -> &mut Judge {
        &mut self.judge
    }
}

impl Judge {
    fn set_up(&mut self, scene: &Scene) -> Checked {
        let start = scene.truth.as_deref().or(scene.told.as_deref());
        let set = self.session.set_up(start, &mut scene.moves.iter().map(String::as_str));
        set.or_else(|error| failed(format!("(a fault of the examiner) {error}")))
    }

    /// Plays a move of the engine, which must be legal and must not speak for chance.
    pub fn play(&mut self, token: &str) -> Checked {
        let legs = parse_token(token).map(|token| token.legs);
        if legs.is_ok_and(|legs| legs.iter().any(|leg| matches!(leg, Leg::Roll(_) | Leg::Draw(_)))) {
            return failed(format!("{token} speaks for chance, which is the referee's to do"));
        }
        self.say(token)
    }

    /// Plays a move of anybody.
    pub fn say(&mut self, token: &str) -> Checked {
        self.session.play(token).or_else(|error| {
            let place = self.session.position();
            failed(format!("{token} is not legal in {place}: {error}"))
        })
    }

    /// Plays a move as XBoard's protocol writes it.
    pub fn play_xboard(&mut self, text: &str) -> Checked {
        let token = xboard_reading(&*self.session, text);
        self.play(&token)
    }

    /// A token as XBoard's protocol writes it in the present position.
    pub fn to_xboard(&self, token: &str) -> String {
        let text = xboard_writing(&*self.session, token);
        // Some of its forms are for XBoard's eyes only; an engine reads our own notation then.
        let read = xboard_reading(&*self.session, &text);
        if read.eq_ignore_ascii_case(token) { text } else { token.to_owned() }
    }

    /// Takes back the last token.
    pub fn take_back(&mut self) {
        self.session.take_back();
    }

    /// Who decides.
    pub fn actor(&self) -> Actor {
        self.session.actor()
    }

    /// `1-0`, `0-1`, `1/2-1/2` once the game is over.
    pub fn result(&self) -> Option<&'static str> {
        self.session.outcome().map(|outcome| outcome.result())
    }

    /// What may be said next; in games of several decisions a turn, how it may begin.
    pub fn continuations(&self) -> Vec<String> {
        self.session.continuations()
    }

    /// The first whole token that can be said here, by somebody who takes the first that comes.
    pub fn any_token(&mut self) -> Option<String> {
        self.continuations().into_iter().find(|token| {
            let fine = token != "." && self.session.play(token).is_ok();
            if fine {
                self.session.take_back();
            }
            fine
        })
    }

    /// The present position as text.
    pub fn position(&self) -> String {
        self.session.position().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_positions_are_what_they_say() {
        let facts = variants::find("chess").unwrap();
        let mut scenes = scenes(facts, &Rules::of(facts));
        let legal =
            ["a4b3", "a4b3", "a7a8b a7a8n a7a8q a7a8r", "a2a1b a2a1n a2a1q a2a1r", "h8h7", "f8g8", ""];
        for (scene, legal) in scenes.special.clone().iter().zip(legal) {
            let judge = scenes.judge(scene).unwrap();
            assert_eq!(judge.result(), None, "{scene:?}");
            if !legal.is_empty() {
                assert_eq!(judge.continuations().join(" "), legal, "{scene:?}");
            }
        }
        for castles in ["e1g1", "e1c1"] {
            assert!(scenes.judge(&scenes.special[7].clone()).unwrap().say(castles).is_ok());
        }
        assert_eq!(scenes.judge(&scenes.won.clone().unwrap()).unwrap().result(), Some("0-1"));
        assert_eq!(scenes.judge(&scenes.drawn.clone().unwrap()).unwrap().result(), Some("1/2-1/2"));
        let long = scenes.long.clone().unwrap();
        assert!(long.moves.len() >= 140);
        assert_eq!(scenes.judge(&long).unwrap().result(), None);
    }

    #[test]
    fn every_game_has_scenes_that_stand() {
        for facts in variants::all() {
            let mut scenes = scenes(facts, &Rules::of(facts));
            let mut all = vec![scenes.start.clone()];
            for more in [&scenes.moves, &scenes.positions, &scenes.special] {
                assert!(more.len() >= 4, "{}", facts.name);
                all.extend(more.iter().cloned());
            }
            assert_eq!(
                scenes.after_chance.is_some(),
                facts.name.starts_with("wickets-dice"),
                "{}",
                facts.name
            );
            let single = [&scenes.both, &scenes.win, &scenes.long, &scenes.after_chance];
            all.extend(single.into_iter().flatten().cloned());
            let untold = facts.name.starts_with("wickets-cards") || facts.name == "hanniball";
            assert!(untold || scenes.win.is_some() && scenes.won.is_some(), "{}", facts.name);
            for scene in all {
                let judge = scenes.judge(&scene).unwrap();
                assert_eq!(judge.result(), None, "{} {scene:?}", facts.name);
                assert!(judge.actor().player().is_some(), "{} {scene:?}", facts.name);
            }
            let over = [scenes.won.clone(), scenes.drawn.clone()];
            for scene in over.into_iter().flatten() {
                assert!(scenes.judge(&scene).unwrap().result().is_some(), "{} {scene:?}", facts.name);
            }
        }
    }
}
