//! Threads for counting, searching and solving: their stack size, and what happens when the system provides
//! fewer than requested.

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
    let gate = Arc::new(Mutex::new(()));
    let closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
    let mut helpers = Vec::new();
    for number in 1..threads {
        let (began, beginning) = sync_channel(1);
        let (gate, work) = (gate.clone(), work(number));
        let waits = move || {
            let _ = began.send(());
            drop(gate.lock().unwrap_or_else(PoisonError::into_inner));
            work()
        };
        let thread = Builder::new().name(format!("helper {number}")).stack_size(STACK);
        match check_room().and_then(|()| thread.spawn_scoped(scope, waits)) {
            Ok(helper) => {
                helpers.push(helper);
                // The room that was checked is for one thread, so the next is not started before this one has what
                // it needs. A thread that ends without a word closes the channel.
                let _ = beginning.recv();
            }
            Err(error) => {
                SAID.call_once(|| log::warn!("{number} of {threads} threads can be had: {error}"));
                break;
            }
        }
    }
    drop(closed);
    helpers
}

/// Waits for helpers. A panic in one of them is propagated.
pub fn join(helpers: Vec<ScopedJoinHandle<'_, ()>>) {
    helpers.into_iter().for_each(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
}

/// Calls `work` with every item, on this thread and on up to `threads - 1` helpers (see [`helpers`]), and
/// returns the results in the order of the items. A panic in `work` is propagated to the caller once the other
/// threads have ended.
pub fn parallel_map<I: Send, T: Send>(
    threads: usize,
    items: impl IntoIterator<Item = I>,
    work: &(dyn Fn(I) -> T + Sync),
) -> Vec<T> {
    let mut slots: Vec<(Option<I>, Option<T>)> = items.into_iter().map(|item| (Some(item), None)).collect();
    let left = Mutex::new(slots.iter_mut());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some((item, result)) = next() {
            *result = item.take().map(work);
        }
    };
    std::thread::scope(|scope| {
        let helpers = helpers(scope, threads, &mut |_| Box::new(run));
        run();
        join(helpers);
    });
    slots.into_iter().filter_map(|(_, result)| result).collect()
}

/// The stack, 64 MB that glibc sets aside for what a thread allocates, and something for the rest. glibc never
/// takes more than 64 MB from what it has set aside: what is found was free.
const ROOM: usize = STACK + (66 << 20);

/// A new thread needs memory beyond its stack, and where it finds none the C library or the standard library
/// aborts the program. So whether there is some is checked before.
fn check_room() -> std::io::Result<()> {
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(ROOM).map_err(|_| std::io::ErrorKind::OutOfMemory)?;
    std::hint::black_box(room);
    Ok(())
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

    #[test]
    fn results_have_the_order_of_the_items() {
        for threads in [0, 1, 3, 200] {
            let squares: Vec<u32> = (0..100).map(|n| n * n).collect();
            assert_eq!(parallel_map(threads, 0..100, &|n| n * n), squares);
            assert!(parallel_map(threads, [0; 0], &|n: u32| n).is_empty());
        }
    }

    #[test]
    #[should_panic(expected = "item 9 fails")]
    fn a_panic_with_one_item_is_propagated() {
        parallel_map(4, 0..20, &|n| assert_ne!(n, 9, "item 9 fails"));
    }
}
