//! What the user at the mouse is shown: what they may decide and how, and what we have played.
//!
//! A box stops everything until it is closed, so it is for questions and surprises. All else comes as a line
//! of thinking without numbers, which XBoard shows beside the last move above the board and keeps in its
//! engine output.

use super::game::Game;
use super::mouse::Mouse;
use crate::engine::options::Prompts;
use crate::game::Facts;
use crate::game::gui::{Gesture, Origin, Prompt, PromptKind};
use crate::notation::Leg;
use crate::protocol::Bound;
use crate::protocol::xboard::{Audience, Reply, Score, Thinking};
use crate::session::xboard_spelling::Ply;
use litemap::LiteMap;

/// The command with which the answer to a question begins.
pub(super) const ANSWER: &str = "carom-card";
/// How to choose a piece, for a user who let go too soon.
const HOLD_THE_BUTTON: &str =
    "Hold the button down on magenta until you see the piece you want; pull down for the next";

/// What the user was shown so far.
#[derive(Default)]
pub(super) struct Guidance {
    /// The texts that were shown in a box already, without their digits.
    explained: LiteMap<String, ()>,
    /// The sentence that the user was shown last.
    shown: String,
    pub mouse: Mouse,
}

impl Guidance {
    /// Forgets what belonged to the game before.
    pub fn begin_game(&mut self) {
        self.mouse = Mouse::default();
        self.forget();
    }

    /// Notes that XBoard's next ply has removed the sentence from the board.
    pub fn forget(&mut self) {
        self.shown.clear();
    }

    /// Shows what the user may decide. Where an answer is needed it asks in a box, which the user may close,
    /// and returns true.
    pub fn ask(&mut self, game: &mut Game) -> bool {
        let Some(prompt) = game.prompt() else { return false };
        if prompt.is_typed() {
            game.out.say(Reply::AskUser { tag: ANSWER, text: &prompt.how });
        } else {
            self.guide(&prompt.how, game);
        }
        prompt.is_typed()
    }

    /// After our turn, news that concerns the user is shown at once. Otherwise the user will first want to
    /// read our turn, and lifting a piece shows the rest.
    pub fn ask_behind_our_turn(&mut self, game: &mut Game) {
        match game.prompt() {
            Some(Prompt { kind: PromptKind::Tell, how, .. })
                if game.engine.settings.prompts != Prompts::None =>
            {
                game.tell(&how);
            }
            Some(Prompt { kind: PromptKind::Guide, .. }) if !self.shown.is_empty() => return,
            _ => {}
        }
        self.ask(game);
    }

    /// After the user's `ply`, or another text, was refused: shows again what they may decide.
    pub fn ask_after_refusal(&mut self, ply: Option<Ply>, game: &mut Game) {
        // Perhaps the user clicked where they must choose, and let go before there was anything to choose
        // from: then XBoard sends the letter of some other choice.
        let same_way = |g: &&Gesture| matches!(ply, Some(Ply::Move { from, to, .. }) if g.from == Origin::Square(from) && g.to == to);
        let ways = || game.gestures().iter().filter(same_way).count();
        if game.mirror.shows_all() && ways() > 1 {
            self.guide(HOLD_THE_BUTTON, game);
        } else {
            self.ask(game);
        }
    }

    /// Shows `text` where it is in no one's way, unless it is there already.
    fn guide(&mut self, text: &str, game: &mut Game) {
        let prompts = game.engine.settings.prompts;
        if prompts == Prompts::None || !game.leads() || self.shown == text {
            return;
        }
        self.inform(text, game);
        let kind = text.replace(|letter: char| letter.is_ascii_digit(), "");
        if prompts == Prompts::Full && self.explained.insert(kind, ()).is_none() {
            game.tell(&boxed(text));
        }
    }

    /// At the start of a game XBoard accepts no line of thinking, so that a box must say how one begins.
    pub fn greet(&mut self, game: &mut Game) {
        if game.engine.settings.prompts == Prompts::Full && game.decides_by_mouse() {
            let prompt = game.session().prompt(&[]);
            if let Some(prompt) = &prompt {
                self.explained.insert(prompt.how.clone(), ());
            }
            game.tell(&boxed(&first_words(game.session().facts(), prompt)));
        }
    }

    /// Sends a line of thinking with a text in place of the moves. XBoard takes depth 1 without numbers for
    /// information, not for a result.
    fn inform(&mut self, text: &str, game: &mut Game) {
        text.clone_into(&mut self.shown);
        // XBoard puts the newest line on top, and only that one beside the move.
        for line in lines_of(text).into_iter().rev().filter(|_| game.post) {
            game.out.say(Reply::Thinking(Thinking {
                ply: 1,
                score: Score::Centipawns(0),
                bound: Bound::Exact,
                time: 0,
                nodes: 0,
                counts: None,
                pv: line,
            }));
        }
    }

    /// Describes our turn since the first `before` tokens, if it took several plies to show. XBoard also
    /// keeps the text as a comment, if its user wants comments.
    pub fn show_turn(&mut self, before: usize, game: &mut Game) {
        let (session, mut legs, mut words) = (game.session(), Vec::<Leg>::new(), Vec::new());
        for decision in session.made(before, session.tokens_played()) {
            if decision.by().player().is_some_and(|by| game.own_side() == Some(by)) {
                words.extend(decision.deed().report);
                legs.extend(decision.legs());
            }
        }
        if words.is_empty() || !game.leads() || game.engine.settings.prompts == Prompts::None {
            return;
        }
        let written: Vec<String> =
            legs.iter().filter(|leg| **leg != Leg::Pass).map(ToString::to_string).collect();
        let (written, words) = (format!("Carom: {}", written.join(",")), words.join(", "));
        self.inform(&words, game);
        self.inform(&written, game);
        let text = format!("{written} ({words})");
        game.out.say(Reply::Tell { audience: Audience::Others, text: &text });
        if game.guided {
            self.mouse.mark_turn(&legs, game);
        }
    }

    /// Shows the user our answer to a question that a user would answer by typing.
    pub fn show_answer(&self, token: &str, game: &mut Game) {
        if game.leads() && game.session().prompt(&[]).is_some_and(|prompt| prompt.is_typed()) {
            let typed: Vec<&str> = token.split(',').filter_map(|leg| leg.strip_prefix('=')).collect();
            let typed = if typed.is_empty() { "no more".to_owned() } else { typed.join(", ") };
            game.tell(&format!("Carom plays {typed}"));
        }
    }

    /// Handles `lift`: marks the squares that the piece may go to.
    pub fn lift(&mut self, square: &str, game: &mut Game) {
        let Some(from) = self.mouse.lift(square) else { return };
        if game.mirror.shows_all()
            && let Some(text) = self.mouse.mark_ways(from, game)
        {
            return self.guide(&text, game);
        }
        self.ask(game);
    }

    /// Handles `put`: offers what the piece may become there.
    pub fn put(&mut self, square: &str, game: &mut Game) {
        if let Some(text) = self.mouse.put(square, game) {
            self.guide(&text, game);
        }
    }
}

/// What a user reads who is about to make the first move.
pub fn first_words(facts: &Facts, prompt: Option<Prompt>) -> String {
    let question = prompt.map_or_else(|| "Move a piece.".to_owned(), |prompt| prompt.question);
    format!(
        "{}: you are White.\n{question}\nClick a piece, and marks show where it may go. Once you have moved, the line above the \
         board and the window Engine Output say what may be decided.",
        facts.title
    )
}

/// A text as XBoard's box shows it in several lines: escape sequences count behind two backslashes.
fn boxed(text: &str) -> String {
    let lines = lines_of(text);
    if lines.len() < 2 {
        return text.to_owned();
    }
    format!(r"\\{}", lines.join("\n").replace('\\', r"\\").replace('\n', r"\n"))
}

/// Breaks a text into lines that XBoard's engine output shows in full.
fn lines_of(text: &str) -> Vec<&str> {
    const WIDTH: usize = 90;
    let mut lines = Vec::new();
    for mut rest in text.lines() {
        while let Some((end, _)) = rest.char_indices().nth(WIDTH)
            && let Some(blank) = rest[..end].rfind(' ')
        {
            lines.push(&rest[..blank]);
            rest = &rest[blank + 1..];
        }
        lines.push(rest);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_at_blanks_and_lose_nothing() {
        let text = format!("{} {} {}", "ä".repeat(30), "b".repeat(80), "c".repeat(100));
        let lines = lines_of(&text);
        assert_eq!(lines.join(" "), text);
        assert_eq!(lines.len(), 3);
        assert_eq!(lines_of("short\nmore"), ["short", "more"]);
        assert_eq!(boxed("short"), "short");
        assert_eq!(boxed("a\\b\nmore"), r"\\a\\b\nmore");
    }
}
