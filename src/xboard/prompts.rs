//! What the user at the mouse is shown: what they may decide and how, and what we have played.
//!
//! A box stops everything until it is closed, so it is for questions and surprises. All else comes as a line
//! of thinking without numbers, which XBoard shows beside the last move above the board and keeps in its
//! engine output.

use super::play::ANSWER;
use super::{Mode, Xboard};
use crate::engine::options::Prompts;
use crate::game::gui::{Prompt, PromptKind};
use crate::notation::Leg;
use crate::protocol::Bound;
use crate::protocol::xboard::{Audience, Reply, Score, Thinking};

impl Xboard {
    /// What the user must be shown or asked. While a question waits for a typed answer, it stays the user's
    /// ply, so that XBoard lets them lift a piece, take back and go on. Whatever they do then, they are asked
    /// again.
    pub(super) fn prompt(&self) -> Option<Prompt> {
        let session = self.engine.session();
        let by_mouse = match session.facts().xboard.steps {
            Some(_) => self.mirror.view.is_some(),
            None => self.guided,
        };
        let asked = by_mouse && self.is_theirs() && self.leads() && !self.game.over;
        if asked { session.prompt(&self.mirror.picked) } else { None }
    }

    /// Shows what the user may decide. Where an answer is needed it asks in a box, which the user may close,
    /// and returns true.
    pub(super) fn ask(&mut self) -> bool {
        let Some(prompt) = self.prompt() else { return false };
        if prompt.is_typed() {
            self.out.say(Reply::AskUser { tag: ANSWER, text: &prompt.how });
        } else {
            self.guide(&prompt.how);
        }
        prompt.is_typed()
    }

    /// After our turn, news that concerns the user is shown at once. Otherwise the user will first want to
    /// read our turn, and lifting a piece shows the rest.
    pub(super) fn ask_behind_our_turn(&mut self) {
        match self.prompt() {
            Some(Prompt { kind: PromptKind::Tell, how, .. })
                if self.engine.settings.prompts != Prompts::None =>
            {
                self.tell(&how);
            }
            Some(Prompt { kind: PromptKind::Guide, .. }) if !self.game.guidance.is_empty() => return,
            _ => {}
        }
        self.ask();
    }

    /// Shows `text` where it is in no one's way, unless it is there already.
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

    /// Sends a line of thinking with a text in place of the moves. XBoard takes depth 1 without numbers for
    /// information, not for a result.
    fn inform(&mut self, text: &str) {
        text.clone_into(&mut self.game.guidance);
        // XBoard puts the newest line on top, and only that one beside the move.
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

    /// Describes our turn since the first `before` tokens, if it took several plies to show. XBoard also
    /// keeps the text as a comment, if its user wants comments.
    pub(super) fn tell_turn(&mut self, before: usize) {
        let (session, mut legs, mut words) = (self.engine.session(), Vec::<Leg>::new(), Vec::new());
        for point in session.made(before, session.tokens_played()) {
            if point.by.player().is_some_and(|by| self.mode == Mode::Plays(by)) {
                legs.extend(&point.legs);
                words.extend(point.deed.report);
            }
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

/// Breaks a text into lines that XBoard's engine output shows in full.
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
