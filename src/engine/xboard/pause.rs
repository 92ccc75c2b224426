//! `pause` and `resume`: thinking and pondering stand still and go on from exactly there.
//!
//! Everything is still read while we are paused, and moves are still played; only thinking, and what it leads to, waits.

use super::{Mode, Xboard};
use crate::engine::controller::Replies;
use crate::protocol::xboard::Command;
use std::time::Instant;

impl Xboard {
    pub(super) fn pause(&mut self, when: Instant, out: &mut Replies) {
        self.paused = true;
        // The move they wait for may be long in coming.
        self.answer_pings(out);
        if let Some(search) = &self.search {
            search.running.pause(when);
        }
    }

    pub(super) fn resume(&mut self, when: Instant, out: &mut Replies) {
        if !std::mem::take(&mut self.paused) {
            return;
        }
        if let Some(choice) = self.held.take() {
            // It was found just before the pause.
            self.decided(choice, out);
        } else if let Some(search) = &self.search {
            search.running.resume(when);
        } else if self.mode == Mode::Analyzes {
            self.analyze_again(when, out);
        } else {
            self.take_turn(when, out);
            self.start_pondering(out);
        }
    }

    /// Ends the pause without going on, before a command after which there is nothing to go on with.
    pub(super) fn leave_pause(&mut self, command: &Command<'_>, out: &mut Replies) {
        let ends = matches!(
            command,
            Command::New
                | Command::Variant(_)
                | Command::SetBoard(_)
                | Command::Edit
                | Command::White
                | Command::Black
                | Command::Force
                | Command::Go
                | Command::PlayOther
                | Command::Analyze
                | Command::Exit
                | Command::Undo
                | Command::Remove
                | Command::Result(_)
        );
        if ends {
            self.abandon(out);
            self.paused = false;
        }
    }
}
