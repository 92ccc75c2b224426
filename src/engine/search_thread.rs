//! The thread that searches for an engine: it begins with the first job, and is parked between jobs.

use super::events::SearchEvent;
use crate::base::threads::STACK;
use crate::search::Control;
use crossbeam_channel::{Sender, bounded};
use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

/// What the thread is given to do, and through what it tells of it. Nothing here knows the game, so that channel and
/// thread are compiled once and not for every game.
pub(super) type Job = Box<dyn FnOnce(&dyn Fn(SearchEvent)) + Send>;

type Work = Box<dyn FnOnce() + Send>;

/// Owns the thread; dropping it stops the search and waits for the thread to end.
pub(super) struct SearchThread {
    events: Sender<(u64, SearchEvent)>,
    running: Option<(Sender<Work>, JoinHandle<()>)>,
    control: Arc<Control>,
}

impl SearchThread {
    pub fn new(events: Sender<(u64, SearchEvent)>) -> Self {
        Self { events, running: None, control: Arc::default() }
    }

    /// Asks what runs to end.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Begins with `job`, which `control` stops; its events are sent under the number `id`. One that was there before is
    /// stopped.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn run(&mut self, id: u64, control: Arc<Control>, job: Job) -> io::Result<()> {
        self.stop();
        self.control = control;
        let (jobs, _) = match &mut self.running {
            Some(running) => running,
            none => {
                let (jobs, inbox) = bounded::<Work>(1);
                let work = move || inbox.iter().for_each(|job| job());
                none.insert((jobs, Builder::new().name("search".into()).stack_size(STACK).spawn(work)?))
            }
        };
        let events = self.events.clone();
        // When nobody listens any more, the engine is being dropped, and so is this thread's work.
        let work = move || job(&|event| drop(events.send((id, event))));
        jobs.send(Box::new(work)).map_err(|_| io::Error::other("the search thread is gone"))
    }
}

impl SearchThread {
    /// Stops the search and waits for the thread to end; another job begins another thread.
    pub fn end(&mut self) {
        self.control.stop();
        if let Some((jobs, thread)) = self.running.take() {
            drop(jobs);
            let _ = thread.join();
        }
    }
}

impl Drop for SearchThread {
    fn drop(&mut self) {
        self.end();
    }
}
