//! Why XBoard or WinBoard cannot be set up.

use std::io;
use std::path::Path;

/// Why XBoard or WinBoard cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum DesktopError {
    /// Something that the user must change first, in a sentence.
    #[error("{0}")]
    Refused(String),
    /// A file or folder that cannot be read, written or removed.
    #[error("cannot {action} {path}: {source}")]
    File {
        /// `read`, `write`, `remove` or `find`.
        action: &'static str,
        /// The file, as a user reads it.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// Something that is no folder stands where a folder is wanted.
    #[error("{0} is no folder")]
    NoFolder(String),
}

/// A refusal in a sentence.
pub(super) fn refused(text: impl Into<String>) -> DesktopError {
    DesktopError::Refused(text.into())
}

/// Names the file that an error of the system is about.
pub(super) fn cannot(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> DesktopError {
    let path = path.display().to_string();
    move |source| DesktopError::File { action, path, source }
}
