//! The settings of what a match writes and shows.

use super::error::SettingsError;
use super::given::{Imitated, Records};
use crate::client::Kept;

impl Records {
    /// The program whose lines are printed; `None` for our own.
    pub fn lines(&self) -> Option<Imitated> {
        self.output.format.or(self.imitate)
    }

    /// What is to be kept of the engines' thinking.
    ///
    /// # Errors
    /// When a regular expression is none.
    pub(super) fn kept(&self) -> Result<Kept, SettingsError> {
        let Some(pgnout) = &self.pgnout else { return Ok(Kept::default()) };
        let compiled = |text: &String| {
            let wrong = |error| SettingsError(format!("-pgnout match_line={text}: {error}"));
            regex_lite::Regex::new(text).map_err(wrong)
        };
        let lines = pgnout.match_line.iter().map(compiled).collect::<Result<Vec<_>, _>>()?;
        let more = pgnout.nps || pgnout.hashfull || pgnout.tbhits || pgnout.pv || !lines.is_empty();
        Ok(Kept { more, lines })
    }

    /// True when an engine that ends or hangs ends the match.
    pub const fn ends_at_a_crash(&self) -> bool {
        self.imitate.is_some() && !self.recover
    }

    /// The name of the event, or the default.
    pub fn event(&self) -> &str {
        self.event.as_deref().unwrap_or("Carom match")
    }
}
