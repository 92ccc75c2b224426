//! A user plays random games of every kind to their ends by gestures alone. Wherever there is more to decide
//! than a plain move, a sentence has explained what and how, and the result is sent.

use super::simulator::Listener;
use crate::base::{Color, Rng};
use crate::game::Actor;
use crate::game::gui::{Gesture, Origin, Prompt};
use crate::session::xboard_spelling::Ply;
use crate::variants;
use crate::xboard::game::Mode;

/// The sentences in the output `said`.
fn sentences(said: &str) -> Vec<&str> {
    let marks = ["1 0 0 0 ", "askuser carom-card ", "telluser "];
    said.lines().filter_map(|line| marks.iter().find_map(|mark| line.strip_prefix(mark))).collect()
}

/// Words that explain how to go about it; a sentence of explanation has one of them.
const HOW: [&str; 7] = ["click", "press", "move", "Play a card", "pull", "White: ", "piece, then"];

struct Walk {
    user: Listener,
    rng: Rng,
    /// The output since the last ply.
    said: String,
    case: String,
    /// How often there was more than a plain move to decide.
    decided: usize,
}

impl Walk {
    fn new(game: &str, seed: u64) -> Self {
        let mut user = Listener::new(game, seed);
        let name = if game == "chess" { "normal" } else { game };
        for line in ["new", &format!("variant {name}"), "sd 1", "post", "easy"] {
            user.hear(line);
        }
        Self { user, rng: Rng::new(seed), said: String::new(), case: format!("{game} {seed}"), decided: 0 }
    }

    fn side(&mut self) -> Option<Color> {
        // The engine is always the other side, and never gets to move.
        self.user.front.play.abandon();
        let Actor::Player(side) = self.user.session().actor() else { return None };
        let free = self.user.session().outcome().is_none();
        if self.user.front.play.game.mode != Mode::Plays(!side) {
            self.user.front.play.game.mode = Mode::Plays(!side);
            self.said.clear();
        }
        free.then_some(side)
    }

    fn hear(&mut self, line: &str) -> String {
        let answer = self.user.hear(line);
        self.said.push_str(&answer);
        answer
    }

    /// Asserts that a sentence has explained what is to be decided, and how.
    fn assert_said(&mut self, what: &str) {
        let found = sentences(&self.said);
        let how = found.iter().any(|sentence| HOW.iter().any(|word| sentence.contains(word)));
        assert!(how, "{}: nobody says what to do ({what}) in {}", self.case, self.user.session().position());
        self.decided += 1;
    }

    /// Makes one gesture or plays a card, and returns the output that follows.
    fn step(&mut self, side: Color) -> String {
        let prompt = self.user.front.play.game.prompt();
        if prompt.as_ref().is_some_and(Prompt::is_typed) {
            self.hear("lift e1");
            self.assert_said("a card");
            let cards = self.user.session().continuations();
            let card = self.rng.pick(&cards).unwrap().clone();
            self.said.clear();
            return self.hear(&format!("carom-card {}", card.strip_prefix('=').unwrap_or("stop")));
        }
        let board = &self.user.front.play.game.mirror.board;
        let own: Vec<_> = board.squares().filter(|at| board.color_at(*at) == Some(side)).collect();
        let list = self.user.front.play.game.gestures();
        let Gesture { from, via, to, letter, .. } = self.rng.pick(&list).unwrap().clone();
        let from = match from {
            Origin::Square(at) => Some(at),
            Origin::Anywhere => self.rng.pick(&own).copied(),
            Origin::Hand => None,
        };
        let between = self.user.session().between_turns();
        if !between {
            // In the middle of a turn the user is prompted before touching anything.
            assert!(prompt.is_some(), "{}: nothing to say in {}", self.case, self.user.session().position());
        }
        // This is a square beside the board.
        let lifted = from.map_or_else(|| "k1".to_owned(), |at| at.to_string());
        self.hear(&format!("lift {lifted}"));
        let mirror = &self.user.front.play.game.mirror;
        let here: Vec<&Gesture> = list
            .iter()
            .filter(|g| from.map_or(g.from == Origin::Hand, |from| mirror.begins_on(g, from)))
            .collect();
        let special = |g: &&&Gesture| g.signal.is_some() || g.via.is_some() || g.from == Origin::Hand;
        let several = |one: &&&Gesture| {
            let same = |g: &&&Gesture| g.from == one.from && g.to == one.to && g.via == one.via;
            here.iter().filter(same).count() > 1
        };
        if prompt.is_some() || here.iter().any(|g| special(&g) || several(&g)) {
            self.assert_said("a piece in the hand");
        }
        if let Some(via) = via {
            self.hear(&format!("put {via}"));
            self.hear(&format!("lift {via}"));
            self.assert_said("a piece on the way");
        }
        let offered = self.hear(&format!("put {to}"));
        let letters = offered.lines().find_map(|line| line.strip_prefix("choice ")).unwrap_or_default();
        if letters.len() > 1 {
            let sentence = sentences(&offered).concat();
            assert!(sentence.matches(", ").count() + 1 >= letters.len(), "{}: {offered}", self.case);
        }
        let ply = match from {
            Some(from) => Ply::Move { from, over: via, to, letter },
            None => Ply::Drop { letter: b'T', at: to },
        };
        self.said.clear();
        let answer = self.hear(&format!("usermove {ply}"));
        let refused = answer.lines().any(|line| line.starts_with("Illegal move ("));
        let signal = list.iter().any(|g| g.signal.is_some());
        assert!(!refused || signal, "{}: {ply}: {answer}", self.case);
        answer
    }
}

/// Plays to the end. Returns how often there was more than a plain move to decide, and the result that was
/// sent.
fn walk(game: &str, seed: u64) -> (usize, String) {
    let mut walk = Walk::new(game, seed);
    let mut last = String::new();
    for _ in 0..20_000 {
        let Some(side) = walk.side() else { break };
        last = walk.step(side);
    }
    assert!(walk.user.session().outcome().is_some(), "{}: no end", walk.case);
    let result =
        last.lines().find(|line| ["1-0 {", "0-1 {", "1/2-1/2 {"].iter().any(|r| line.starts_with(r)));
    let result = result.unwrap_or_else(|| panic!("{}: the end is not shown: {last}", walk.case)).to_owned();
    (walk.decided, result)
}

#[test]
fn games_are_played_to_their_ends_by_mouse_and_every_decision_is_said() {
    for facts in variants::all() {
        let games = if facts.name == "hanniball" { 1 } else { 2 };
        let mut decided = 0;
        for seed in 1..=games {
            let (number, result) = walk(facts.name, seed);
            assert!(result.len() > "1-0 {}".len(), "{}: {result}", facts.name);
            decided += number;
        }
        let plain = ["breakthrough", "alapo"].contains(&facts.name);
        assert_eq!(decided > 0, !plain, "{}: {decided} decisions", facts.name);
    }
}
