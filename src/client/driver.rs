//! One engine at the far end of a connection: what it is sent, and what its lines mean. Nothing here waits,
//! and nothing is read or written: the caller owns the connection.

use super::fault::{Claim, Fault, Said};
use super::request::{Clocks, MoveRequest, NewGame, SearchInfo};
use crate::base::Color;
use crate::connection::Process;
use crate::protocol::Protocol;
use crate::protocol::xboard::{Outcome, Verdict};
use crate::session::Session;
use std::time::Duration;

/// What a line of an engine means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard<'l> {
    /// It is ready, as it was asked last.
    Ready,
    /// A line of thinking. Few of them matter, so they are read later, by [`Driver::search_info`].
    Thinking {
        /// It is about the best line, not about another one.
        best: bool,
    },
    /// The first legs of its turn; the next line goes on with it.
    Legs(&'l str),
    /// The move it has chosen.
    Move {
        /// The move as the engine writes it.
        text: &'l str,
        /// The reply that it expects.
        expects: Option<&'l str>,
    },
    /// Instead of a move, this text, which says that there is none.
    NoMove(&'l str),
    /// It offers a draw, or accepts one.
    DrawOffer,
    /// It resigns.
    Resign,
    /// It claims that the game is over.
    Claim(Outcome<'l>),
    /// It refuses a move.
    Refusal,
    /// It answers the question whether the game is over, or how it has ended.
    Answer(&'l str),
    /// It reports an error about this text.
    Error(&'l str),
    /// Nothing that matters in a game.
    Nothing,
}

impl Heard<'_> {
    /// The fault in what an engine says in the middle of a game, whether it is asked or not.
    pub fn fault(&self, line: &str) -> Option<Fault> {
        match self {
            Self::Resign => Some(Fault::Resigned),
            Self::Claim(claim) => {
                let winner = match claim.verdict {
                    Verdict::WhiteWins => Some(Color::White),
                    Verdict::BlackWins => Some(Color::Black),
                    Verdict::Draw => None,
                    Verdict::Open => return None,
                };
                Some(Fault::FalseClaim(Claim { winner, reason: claim.comment.to_owned() }))
            }
            Self::Refusal => Some(Fault::Refused(line.to_owned())),
            _ => None,
        }
    }
}

impl Heard<'_> {
    /// What it says of the end of a game when it is asked, after what it has `said` before.
    pub fn said(&self, said: Said) -> Said {
        let winner = match *self {
            Self::Answer("false") => return Said::GoesOn,
            Self::Answer("p1win") => Some(Color::White),
            Self::Answer("p2win") => Some(Color::Black),
            Self::Answer("draw") => None,
            _ => return said,
        };
        if said == Said::GoesOn { said } else { Said::Over(Claim { winner, reason: String::new() }) }
    }
}

/// How an engine is driven in its protocol.
pub trait Driver: Send {
    /// The name by which it introduced itself.
    fn name(&self) -> &str;
    /// The protocol it speaks.
    fn protocol(&self) -> Protocol;
    /// True when it has an option of this name.
    fn has_option(&self, name: &str) -> bool;
    /// The value of an option as it declared it; `None` when it has none, or declares no values.
    fn declared(&self, _option: &str) -> Option<String> {
        None
    }
    /// The line that sets an option which it has.
    ///
    /// # Errors
    /// When the option does not take the value.
    fn set(&self, name: &str, value: &str) -> Result<String, Fault>;
    /// Thinking on the opponent's time is allowed, or forbidden. The line that says so, if there is one.
    fn allow_pondering(&mut self, allowed: bool) -> Option<String>;
    /// Greets it again when only that shows the game which the settings name: it has just been sent the file
    /// that describes the game.
    fn find_game(&mut self, _process: &mut Process, _patience: Duration) {}
    /// The line that asks whether it is ready; `None` when its protocol has none.
    fn ask_ready(&mut self) -> Option<String>;
    /// The lines that begin a game with these clocks.
    ///
    /// # Errors
    /// When it cannot play this game.
    fn begin(&mut self, new_game: &NewGame<'_>, clocks: &Clocks) -> Result<Vec<String>, Fault>;
    /// The lines that ask for a move.
    ///
    /// # Errors
    /// When it cannot be asked.
    fn go(&mut self, request: &MoveRequest<'_>) -> Result<Vec<String>, Fault>;
    /// The lines after which it thinks on the opponent's time, who is expected to play `expected`; `None`
    /// when it cannot be asked to.
    fn ponder(&self, _request: &MoveRequest<'_>, _expected: &str) -> Option<[String; 2]> {
        None
    }
    /// The lines that ask whether the game is over and then, as [`Driver::ask_ready`] does, for a last line; `None` when it
    /// has nothing to say now.
    fn ask_end(&mut self, _request: &MoveRequest<'_>) -> Option<Vec<String>> {
        None
    }
    /// The line that asks for its move at once.
    fn hurry(&self) -> &'static str;
    /// What a line means.
    fn hear<'l>(&mut self, line: &'l str) -> Heard<'l>;
    /// A move of the engine as a token.
    fn read_move(&self, _session: &dyn Session, text: &str) -> String {
        text.to_owned()
    }
    /// The opinion in a line of thinking.
    fn search_info(&self, line: &str) -> SearchInfo;
    /// The turns that the engine expects, in a line of thinking.
    fn expected_line<'l>(&self, line: &'l str) -> Option<&'l str>;
    /// The lines that end a game with this result.
    fn end(&mut self, _result: &str) -> Vec<String> {
        Vec::new()
    }
    /// True when it can play another game.
    fn is_reusable(&self) -> bool {
        true
    }
}
