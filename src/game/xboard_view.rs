//! How XBoard is shown a game that it does not know.

/// How a game is shown to a program that does not know it and understands nothing but plies (XBoard).
#[derive(Debug)]
pub struct XboardView {
    /// The argument of the `setup` command, without the position: `(TABLE) 7x7+0_bughouse`. `None` where
    /// XBoard knows the game itself.
    pub setup: Option<&'static str>,
    /// True when a turn may remove or change pieces on squares to which no piece moves: XBoard gets plies of
    /// their own for these.
    pub removes: bool,
    /// The arguments of `piece` commands, for users who keep legality testing on.
    pub pieces: &'static [&'static str],
    /// How a turn can be shown decision by decision; `None` where XBoard's own plies are enough.
    pub steps: Option<StepView>,
}

impl XboardView {
    /// A game that XBoard knows itself.
    pub const KNOWN: Self = Self { setup: None, removes: false, pieces: &[], steps: None };
}

/// How a turn of several decisions is shown as plies.
#[derive(Debug)]
pub struct StepView {
    /// The most decisions of one player that are shown together; 1 where each is shown by itself.
    pub together: usize,
    /// True when the mover ends a turn with a pass, so that everyone sees that it is over.
    pub closing_pass: bool,
    /// The upper-case letter of something that belongs to neither player and is shown in either colour.
    pub neutral: Option<u8>,
}
