//! A panic is a mistake of ours, and no reason to keep a client waiting. It is caught where an answer is due,
//! reported, and the answer is made from what is left.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The longest description of a panic, in characters.
const LONGEST: usize = 200;

/// Does `work`. If it panics, the error is the message of the panic, in one line without control characters.
///
/// Whatever `work` had borrowed may be half changed afterwards: use nothing of it that a panic can leave so.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| account(&*panic))
}

fn account(panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
    said.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_account_of_a_panic_is_one_short_line() {
        assert_eq!(guarded(|| 3), Ok(3));
        let error = guarded(|| panic!("left: {}\n\rbestmove a1a2 {}", 1, "x".repeat(999))).unwrap_err();
        assert!(error.starts_with("left: 1  bestmove a1a2 xxx") && error.chars().count() == LONGEST);
        assert_eq!(guarded(|| std::panic::resume_unwind(Box::new(7))), Err("no reason given".to_owned()));
    }
}
