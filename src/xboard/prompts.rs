//! What is said to the person at the mouse: what he may decide and how, what we have played.
//!
//! A box stops everything until it is closed, so it is for questions and surprises. All else comes as a line of thinking without
//! numbers, which XBoard shows beside the last move above the board, and keeps in its engine output.

use super::play::ANSWER;
use super::{Mode, Xboard};
use crate::engine::options::Prompts;
use crate::game::gui::{Prompt, in_words};
use crate::notation::Leg;
use crate::protocol::Bound;
use crate::protocol::xboard::{Audience, Reply, Score, Thinking};

impl Xboard {
    /// What the user must be told or asked. A question he answers by typing: it is his ply all the while, so that XBoard lets
    /// him lift a man, take back and go on; and whatever he does then, he is asked again.
    pub(super) fn prompt(&self) -> Option<Prompt> {
        let session = self.engine.session();
        let by_mouse = match session.facts().xboard.steps {
            Some(_) => self.mirror.view.is_some(),
            None => self.guided,
        };
        let asked = by_mouse && self.is_theirs() && self.leads() && !self.game.over;
        if asked { session.prompt(&self.mirror.picked) } else { None }
    }

    /// Asks the user where he must answer, in a box, which he may close; false where he need not. Says what he may decide.
    pub(super) fn ask(&mut self) -> bool {
        match self.prompt() {
            Some(Prompt::Ask(text)) => {
                self.out.say(Reply::AskUser { tag: ANSWER, text: &text });
                return true;
            }
            Some(Prompt::Guide(text) | Prompt::Tell(text)) => self.guide(&text),
            None => {}
        }
        false
    }

    /// Behind our turn: what has changed for him is told at once. Otherwise our turn is what he wants to read first, and
    /// lifting a man says the rest.
    pub(super) fn ask_behind_our_turn(&mut self) {
        match self.prompt() {
            Some(Prompt::Tell(text)) if self.engine.settings.prompts != Prompts::None => self.tell(&text),
            Some(Prompt::Guide(_)) if !self.game.guidance.is_empty() => return,
            _ => {}
        }
        self.ask();
    }

    /// Says `text` where it is in nobody's way, unless it stands there already.
    pub(super) fn guide(&mut self, text: &str) {
        if self.engine.settings.prompts == Prompts::None || !self.leads() || self.game.guidance == text {
            return;
        }
        self.inform(text);
        let kind = text.replace(|letter: char| letter.is_ascii_digit(), "");
        if self.engine.settings.prompts == Prompts::Full && self.explained.insert(kind) {
            self.tell(text);
        }
    }

    /// A line of thinking with a text in place of the moves. Depth 1 and no numbers is information to XBoard, not a result.
    fn inform(&mut self, text: &str) {
        text.clone_into(&mut self.game.guidance);
        // XBoard has the newest line on top, and that alone beside the move.
        for line in lines_of(text).into_iter().rev().filter(|_| self.post) {
            self.out.say(Reply::Thinking(Thinking {
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

    /// Our turn since the first `before` tokens, which took several plies to show, in words. XBoard keeps it as a comment,
    /// too, if its user wants comments.
    pub(super) fn tell_turn(&mut self, before: usize) {
        let (session, mut legs, mut words) = (self.engine.session(), Vec::<Leg>::new(), Vec::new());
        let Some(mut shown) = session.shown_after(before) else { return };
        for point in session.made(before, session.tokens_played()) {
            if point.by.player().is_some_and(|by| self.mode == Mode::Plays(by)) {
                words.extend(in_words(session.facts(), &shown, &point.legs));
                legs.extend(&point.legs);
            }
            shown = point.shown;
        }
        if words.is_empty() || !self.leads() || self.engine.settings.prompts == Prompts::None {
            return;
        }
        let said: Vec<String> =
            legs.iter().filter(|leg| **leg != Leg::Pass).map(ToString::to_string).collect();
        let (said, words) = (format!("Carom: {}", said.join(",")), words.join(", "));
        self.inform(&words);
        self.inform(&said);
        let text = format!("{said} ({words})");
        self.out.say(Reply::Tell { audience: Audience::Others, text: &text });
        if self.guided {
            self.mark_turn(&legs);
        }
    }
}

/// A text in lines that XBoard's engine output shows whole.
fn lines_of(text: &str) -> Vec<&str> {
    const WIDTH: usize = 90;
    let (mut lines, mut rest) = (Vec::new(), text);
    while let Some((end, _)) = rest.char_indices().nth(WIDTH)
        && let Some(blank) = rest[..end].rfind(' ')
    {
        lines.push(&rest[..blank]);
        rest = &rest[blank + 1..];
    }
    lines.push(rest);
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
        assert_eq!(lines_of("short"), ["short"]);
    }
}
