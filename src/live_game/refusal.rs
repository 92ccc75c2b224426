//! Why the table may refuse a command.

use crate::session::SessionError;

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
