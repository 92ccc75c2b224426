//! Ctrl-C, and other signals that ask the program to end.

use anyhow::Context;
use crossbeam_channel::{Receiver, bounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The interrupts that have arrived.
pub struct Interrupts {
    /// Receives an interrupt; at most one waits.
    pub arrived: Receiver<()>,
    typing: Arc<AtomicBool>,
}

impl Interrupts {
    /// Starts listening; this is possible once in a process.
    pub fn listen() -> anyhow::Result<Self> {
        let (sender, arrived) = bounded(1);
        let typing = Arc::new(AtomicBool::new(false));
        let at_prompt = Arc::clone(&typing);
        ctrlc::set_handler(move || {
            // While a line is typed, the line editor handles Ctrl-C, so what arrives here is a request to
            // end. Games with --save are saved after each turn.
            if at_prompt.load(Ordering::Relaxed) {
                std::process::exit(130);
            }
            // If one is waiting, another adds nothing.
            let _ = sender.try_send(());
        })
        .context("cannot listen to interrupts")?;
        Ok(Self { arrived, typing })
    }

    /// An instance that never receives an interrupt.
    #[cfg(test)]
    pub fn none() -> Self {
        Self { arrived: crossbeam_channel::never(), typing: Arc::default() }
    }

    /// Calls `read` while the line editor has the terminal.
    pub fn while_typing<T>(&self, read: impl FnOnce() -> T) -> T {
        self.typing.store(true, Ordering::Relaxed);
        let line = read();
        self.typing.store(false, Ordering::Relaxed);
        line
    }

    /// Drops the interrupts that have arrived so far.
    pub fn clear(&self) {
        while self.arrived.try_recv().is_ok() {}
    }
}
