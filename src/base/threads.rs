//! Threads for counting and searching: their stack size, and what happens when the system provides fewer than
//! requested.

use std::panic::resume_unwind;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// The stack of a thread that counts or searches, in bytes: each decision of depth takes a few kilobytes.
pub const STACK: usize = 16 << 20;

/// Runs `work` on a thread with [`STACK`] bytes of stack; a panic there is propagated to the caller.
///
/// # Errors
/// When the system cannot start a thread.
pub fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    let mut result = None;
    run_with_stack(Box::new(|| result = Some(work())))?;
    result.ok_or_else(|| std::io::Error::other("the thread ended without a result"))
}

fn run_with_stack(work: Work<'_, ()>) -> std::io::Result<()> {
    std::thread::scope(|scope| {
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        Ok(())
    })
}

/// The work of a thread. It is boxed, so that the code that starts threads is compiled once and not for every
/// game.
pub type Work<'scope, T> = Box<dyn FnOnce() -> T + Send + 'scope>;

/// Starts helpers numbered `1..threads` in `scope`; `work` makes the work of each. When the system provides
/// no more threads, there are fewer helpers, and a warning is logged the first time. No helper begins before
/// all are started.
pub fn helpers<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    threads: usize,
    work: &mut dyn FnMut(usize) -> Work<'scope, T>,
) -> Vec<ScopedJoinHandle<'scope, T>> {
    static SAID: Once = Once::new();
    // When memory is short, the stacks must not take the last of it: the threads need some for their work.
    let mut reserve = Vec::<u8>::new();
    let _ = reserve.try_reserve_exact(2 * STACK);
    let reserve = std::hint::black_box(reserve);
    let (began, beginning) = sync_channel(1);
    let gate = Arc::new(Mutex::new(()));
    let closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
    let mut helpers = Vec::new();
    for number in 1..threads {
        let (gate, work, began) = (gate.clone(), work(number), began.clone());
        let waits = move || {
            let _ = began.send(());
            drop(gate.lock().unwrap_or_else(PoisonError::into_inner));
            work()
        };
        match Builder::new().name(format!("helper {number}")).stack_size(STACK).spawn_scoped(scope, waits) {
            Ok(helper) => {
                helpers.push(helper);
                // A new thread needs memory beyond its stack, and where it finds none the standard library aborts
                // the program. So that this memory is still there, threads begin one at a time.
                let _ = beginning.recv();
            }
            Err(error) => {
                SAID.call_once(|| log::warn!("{number} of {threads} threads can be had: {error}"));
                break;
            }
        }
    }
    drop(reserve);
    drop(closed);
    helpers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_helper_that_is_had_does_its_own_work() {
        let done = std::thread::scope(|scope| {
            let helpers = helpers(scope, 5, &mut |number| Box::new(move || number * number));
            helpers.into_iter().map(|helper| helper.join().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(done, [1, 4, 9, 16]);
        std::thread::scope(|scope| assert!(helpers(scope, 0, &mut |_| Box::new(|| ())).is_empty()));
    }
}
