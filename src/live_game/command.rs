//! What a table is asked to do, and what comes of it.

use super::{LoadedGame, Seat};
use crate::base::Color;
use crate::base::score::Score;

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
    /// Takes back the last decision of a person, or of the engine when only engines play, and all that
    /// follows it. An ending that the rules did not bring about is taken back first.
    Undo,
    /// Plays on from the end of another line, or of the beginning of one. Where it leaves what was played,
    /// the clocks are full again.
    Follow(&'a [String]),
    /// A person resigns: the one to decide, or the only one.
    Resign,
    /// The person who plays this side resigns.
    ResignAs(Color),
    /// Takes back the last decision of the person who plays this side, and all that follows it.
    UndoOf(Color),
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
