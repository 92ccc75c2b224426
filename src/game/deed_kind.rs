//! The kinds of deeds.

/// The kind of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeedKind {
    /// A piece goes to a square where nothing is captured.
    Move,
    /// A piece goes to a square and captures what stands there.
    Capture,
    /// A piece from the hand is put on a square.
    Drop,
    /// The ball goes to a square without the piece that had it.
    Throw,
    /// A piece changes into another on its square.
    Change,
    /// A piece is chosen for a role.
    Name,
    /// A piece of the opponent is taken off the board.
    Remove,
    /// The player's own pieces are given up.
    GiveUp,
    /// A die shows a number.
    Roll,
    /// A card is played.
    Play,
    /// A card is drawn.
    Draw,
    /// The player ends the turn, or declines what may be done.
    Stop,
}
