//! What may go wrong with a process.

/// Why a process cannot be spoken to any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProcessError {
    /// It has ended, or closed its output.
    #[error("disconnects")]
    Disconnected,
    /// No line came in time, or none was read.
    #[error("stalls")]
    TimedOut,
    /// It writes without end.
    #[error("floods its output")]
    Flooded,
}
