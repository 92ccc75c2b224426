//! From lines to replies: sessions, options, the state machine of each protocol, and the controller that alone writes to
//! standard output.

mod search_thread;
mod session;

pub use search_thread::{Choice, Count, Event, Line, News, Think, turn_text};
pub use session::{Session, SessionError, legal_tokens, open};
