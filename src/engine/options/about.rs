//! What the program says of itself.

/// The name GUIs show: `Carom` and the version.
pub fn engine_name() -> String {
    format!("Carom {}", env!("CARGO_PKG_VERSION"))
}

/// The authors, as the protocols send them.
pub const AUTHOR: &str = "the Carom authors";

/// The sentence about the program, for its users.
pub fn about() -> String {
    format!("{} by {AUTHOR}: chess programs' protocols for games they never heard of", engine_name())
}

/// How the user sees a panic described.
pub const MISTAKE: &str = "a mistake of this program (please report it)";
