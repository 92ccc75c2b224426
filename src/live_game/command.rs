//! What a table is asked to do, what comes of it, and why it may refuse.

use super::{LoadedGame, Seat};
use crate::base::score::Score;
use crate::session::SessionError;

/// Something to be done at the table.
#[derive(Debug)]
pub enum Command<'a> {
    /// A person decides: a turn, the beginning of one, or the number on a die that persons roll.
    Enter(&'a str),
    /// The engine decides.
    Decide {
        /// The token; the first legal one if the search found none.
        token: Option<String>,
        /// The engine's opinion of its position.
        score: Score,
    },
    /// Takes back the last decision of a person, or of the engine when only engines play, and all that follows
    /// it. An ending that the rules did not bring about is taken back first.
    Undo,
    /// Plays on from the end of another line, or of the beginning of one. Where it leaves what was played, the
    /// clocks are full again.
    Follow(&'a [String]),
    /// A person resigns: the one to decide, or the only one.
    Resign,
    /// A person offers a draw to the engine or to another person, who must answer.
    OfferDraw,
    /// Accepts or declines the draw that was offered.
    AnswerDraw(bool),
    /// With two persons and hidden cards: the player to decide is alone with the screen.
    Ready,
    /// Changes the players for the rest of the game.
    Seats([Seat; 2]),
    /// Begins again at the usual start, with full clocks and this seed, not 0.
    Restart(u64),
    /// Continues a game from a file, with full clocks.
    Load(&'a LoadedGame),
}

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The board, the players, the viewer or the ending have changed.
    Changed,
    /// A draw was offered: [`Command::AnswerDraw`] is the answer.
    DrawOffered,
    /// Another game has begun. Of a file, what is wrong with the first turn that is not legal.
    Began(Option<String>),
}

/// Why the table refuses a command. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// A person decides for the engine.
    #[error("the engine decides")]
    EngineDecides,
    /// The engine decides for a person or for chance.
    #[error("it is not for the engine to decide")]
    NotTheEngine,
    /// A person decides for chance, whose results are drawn by the program.
    #[error("chance decides")]
    ChanceDecides,
    /// A person wrote a result of chance behind a decision.
    #[error("chance decides that, not you")]
    NotYours,
    /// Two persons with hidden cards share the screen, and the next one has not confirmed being alone.
    #[error("first the player to move must confirm being alone with the screen")]
    NotAlone,
    /// The session refuses a turn or a position.
    #[error("{0}")]
    Session(#[from] SessionError),
    /// There is no turn that the engine could play.
    #[error("there is nothing to play")]
    NothingToPlay,
    /// No decision of a person was played.
    #[error("there is nothing to take back")]
    NothingToTakeBack,
    /// The game is over, and everybody has seen the hidden cards.
    #[error("the cards of this game were shown, so it cannot go on")]
    Shown,
    /// A file shows the hidden cards of a game that is not over.
    #[error(
        "this file shows the hidden cards of a game that is not over, so the game cannot go on; `carom replay` shows it"
    )]
    LoadedShown,
    /// The first position of a file cannot be set up.
    #[error("{0}")]
    Loaded(String),
    /// No person plays, or the game is over.
    #[error("nobody is there to resign")]
    NobodyResigns,
    /// The rules have no draws.
    #[error("there are no draws in {0}")]
    NoDraws(&'static str),
    /// The draw that was offered is declined.
    #[error("the draw is declined")]
    DrawDeclined,
    /// No draw was offered, or something was decided since.
    #[error("no draw is offered")]
    NoOffer,
    /// A change of players would show both hands to somebody.
    #[error("both hands would be seen: players change in a new game")]
    BothHands,
    /// Persons cannot deal hidden cards.
    #[error("hands of cards are dealt by the program")]
    Dealt,
}
