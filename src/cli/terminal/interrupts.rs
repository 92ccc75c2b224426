//! Ctrl-C, and what else asks a program to end.

use anyhow::Context;
use crossbeam_channel::{Receiver, bounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where interrupts arrive.
pub struct Interrupts {
    /// One message at most waits.
    pub arrived: Receiver<()>,
    typing: Arc<AtomicBool>,
}

impl Interrupts {
    /// Begins to listen; once in a process.
    pub fn listen() -> anyhow::Result<Self> {
        let (sender, arrived) = bounded(1);
        let typing = Arc::new(AtomicBool::new(false));
        let at_prompt = Arc::clone(&typing);
        ctrlc::set_handler(move || {
            // Who types gives Ctrl-C to the line editor; what arrives here then is a request to end. Games with --save are
            // saved after each turn.
            if at_prompt.load(Ordering::Relaxed) {
                std::process::exit(130);
            }
            // One that waits already says it all.
            let _ = sender.try_send(());
        })
        .context("cannot listen to interrupts")?;
        Ok(Self { arrived, typing })
    }

    /// Nobody ever interrupts.
    #[cfg(test)]
    pub fn none() -> Self {
        Self { arrived: crossbeam_channel::never(), typing: Arc::default() }
    }

    /// Does `read` while the line editor has the terminal.
    pub fn while_typing<T>(&self, read: impl FnOnce() -> T) -> T {
        self.typing.store(true, Ordering::Relaxed);
        let line = read();
        self.typing.store(false, Ordering::Relaxed);
        line
    }

    /// Forgets what arrived before.
    pub fn clear(&self) {
        while self.arrived.try_recv().is_ok() {}
    }
}
