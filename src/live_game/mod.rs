//! A game that persons and the engine play, for the terminal, the page in the browser, or any other skin: the
//! seats, the clocks, what was played, and how it ended.
//!
//! A [`Table`] takes [`Command`]s and answers with [`Event`]s. It reads and writes nothing, starts no thread
//! and looks at no clock: the skin hands in the time and the date. The skin also searches for the engine:
//! where [`Table::seat_to_decide`] is the engine's, it calls [`Table::engine_thinks`], searches
//! [`Table::session`] within [`Table::turn_limits`], and says [`Command::Decide`].
//!
//! ```
//! use carom::live_game::{Command, Seat, Setup, Table, Viewer};
//! use std::time::Duration;
//!
//! let game = carom::variants::find("chess")?;
//! let setup = Setup { seats: [Seat::Person; 2], control: "60+1".parse()?, ..Setup::of(game) };
//! let mut table = Table::new(setup, Duration::ZERO)?;
//! table.tell(Command::Enter("e4"), Duration::from_secs(5))?;
//! assert_eq!(table.played().turns(Viewer::All)[0].text, "e2e4");
//! // White has used 5 s of 60, and gained one; Black's flag would fall 60 s later.
//! assert_eq!(table.clocks().of(carom::base::Color::White).left(), Duration::from_secs(56));
//! assert_eq!(table.due(), Some(Duration::from_secs(65)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clocks;
mod command;
mod course;
mod level;
mod loaded;
mod pgn;
mod played;
mod refusal;
mod screen;
mod setup;
mod table;
#[cfg(test)]
mod tests;
mod viewer;

pub use clocks::Clocks;
pub use command::{Command, Event};
pub use course::{Progress, progress};
pub use level::{Level, opinion};
pub use loaded::{LoadedGame, load_game};
pub use pgn::{PgnTags, game_pgn, game_record};
pub use played::{Line, Played, Turn};
pub use refusal::Refusal;
pub use setup::{Left, Setup};
pub use table::Table;
pub use viewer::{Viewer, own_words};

/// Who plays a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serve", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Seat {
    /// A person who enters their turns.
    Person,
    /// The engine of the game.
    Engine,
}
