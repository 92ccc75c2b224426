//! A panic is a mistake of ours, and no reason to leave somebody waiting: it is caught where somebody waits for an answer,
//! told, and the answer made from what is left.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The longest account of a panic, in characters.
const LONGEST: usize = 200;

/// Does `work`; should it panic, the error says why, in one line without control characters.
///
/// What `work` had in its hands may be half done afterwards: use nothing of it that a panic can leave so.
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
