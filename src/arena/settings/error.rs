//! Why settings cannot be used.

/// Why settings cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(pub String);

/// The refusal of settings, with the reason.
pub fn refuse<T>(why: impl Into<String>) -> Result<T, SettingsError> {
    Err(SettingsError(why.into()))
}
