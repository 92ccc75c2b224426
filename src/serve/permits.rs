//! Permits to search, as many as searches may run at once. A turn to be played comes before a hint, and both
//! come before analysis, which makes room for them.

use crossbeam_channel::{Receiver, Sender, bounded};
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// The engine's turn.
    Play,
    /// A hint for a person.
    Hint,
    /// Lines of analysis.
    Analyse,
}

/// The permits for all searches of the server.
#[derive(Clone)]
pub struct Permits(Arc<Mutex<Queue>>);

struct Queue {
    free: usize,
    /// The waiting rooms, in the order in which they came.
    waiting: Vec<Waiting>,
    /// The rooms that analyse and can be asked to make room; the one that began first is asked first.
    analysing: Vec<(u64, Sender<()>)>,
    next: u64,
}

struct Waiting {
    room: u64,
    purpose: Purpose,
    granted: Sender<Permit>,
    asked: Sender<()>,
}

/// A permit, which is returned when dropped.
pub struct Permit {
    room: u64,
    /// The purpose that it was granted for.
    pub purpose: Purpose,
    permits: Permits,
}

/// A room's access to the permits, for one at a time.
pub struct Applicant {
    room: u64,
    permits: Permits,
    grant: Sender<Permit>,
    ask: Sender<()>,
    /// Receives the permit that the room has asked for.
    pub granted: Receiver<Permit>,
    /// Receives a message when another room needs the permit with which this one analyses.
    pub asked: Receiver<()>,
}

impl Permits {
    /// A pool of `number` permits.
    pub fn new(number: usize) -> Self {
        let queue = Queue { free: number, waiting: Vec::new(), analysing: Vec::new(), next: 0 };
        Self(Arc::new(Mutex::new(queue)))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An applicant for another room.
    pub fn applicant(&self) -> Applicant {
        let mut queue = self.queue();
        queue.next += 1;
        let ((grant, granted), (ask, asked)) = (bounded(1), bounded(1));
        Applicant { room: queue.next, permits: self.clone(), grant, ask, granted, asked }
    }

    /// Grants the free permits to the waiting rooms.
    fn grant(&self, queue: &mut Queue) {
        while queue.free > 0 {
            let first = (0..queue.waiting.len()).min_by_key(|&at| queue.waiting[at].purpose as u8);
            let Some(first) = first else { return };
            let Waiting { room, purpose, granted, asked } = queue.waiting.remove(first);
            if purpose == Purpose::Analyse {
                queue.analysing.push((room, asked));
            }
            // The channel has room: a room that has not yet taken its permit does not wait.
            match granted.try_send(Permit { room, purpose, permits: self.clone() }) {
                Ok(()) => queue.free -= 1,
                // The permit was not handed over, and must not be returned.
                Err(unsent) => std::mem::forget(unsent),
            }
        }
    }
}

impl Applicant {
    /// Asks for a permit, changes its purpose, or withdraws the request.
    pub fn want(&self, wanted: Option<Purpose>) {
        let mut queue = self.permits.queue();
        let own = queue.waiting.iter().position(|waiting| waiting.room == self.room);
        match (wanted, own) {
            (None, Some(own)) => drop(queue.waiting.remove(own)),
            (Some(purpose), Some(own)) if queue.waiting[own].purpose == purpose => return,
            (Some(purpose), Some(own)) => queue.waiting[own].purpose = purpose,
            (Some(purpose), None) if self.granted.is_empty() => {
                let (granted, asked) = (self.grant.clone(), self.ask.clone());
                queue.waiting.push(Waiting { room: self.room, purpose, granted, asked });
            }
            _ => return,
        }
        self.permits.grant(&mut queue);
        let waits = queue.waiting.iter().any(|waiting| waiting.room == self.room);
        if waits && wanted != Some(Purpose::Analyse) && !queue.analysing.is_empty() {
            let (_, ask) = queue.analysing.remove(0);
            // A room that was asked already need not be asked again.
            let _ = ask.try_send(());
        }
    }
}

impl Drop for Applicant {
    fn drop(&mut self) {
        self.want(None);
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut queue = self.permits.queue();
        let room = self.room;
        queue.analysing.retain(|(other, _)| *other != room);
        queue.free += 1;
        self.permits.grant(&mut queue);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_goes_before_a_hint_before_lines_and_ends_those() {
        let permits = Permits::new(2);
        let rooms: Vec<Applicant> = (0..7).map(|_| permits.applicant()).collect();
        let held = |room: usize| rooms[room].granted.try_recv().ok();
        rooms[0].want(Some(Purpose::Analyse));
        rooms[1].want(Some(Purpose::Analyse));
        let (first, second) = (held(0).unwrap(), held(1).unwrap());
        for (room, purpose) in
            [(2, Purpose::Analyse), (3, Purpose::Hint), (4, Purpose::Play), (5, Purpose::Play)]
        {
            rooms[room].want(Some(purpose));
            // The same request again changes nothing.
            rooms[room].want(Some(purpose));
            assert!(held(room).is_none());
        }
        // Two of the three that must wait ask the two that analyse; for the third there is no one to ask.
        assert!(rooms[0].asked.try_recv().is_ok() && rooms[1].asked.try_recv().is_ok());
        assert!(rooms.iter().all(|room| room.asked.is_empty()));
        drop(first);
        let fourth = held(4).unwrap();
        assert_eq!(fourth.purpose, Purpose::Play);
        drop(second);
        let fifth = held(5).unwrap();
        drop(fourth);
        let third = held(3).unwrap();
        assert_eq!(third.purpose, Purpose::Hint);
        // A room that changes its purpose waits for the new one; a room that leaves waits for nothing.
        rooms[6].want(Some(Purpose::Play));
        rooms[2].want(None);
        rooms[6].want(Some(Purpose::Analyse));
        drop(fifth);
        assert_eq!(held(6).unwrap().purpose, Purpose::Analyse);
        drop(third);
        assert!(rooms.iter().all(|room| room.granted.is_empty()));
    }

    #[test]
    fn what_was_given_to_somebody_who_is_gone_is_given_to_the_next() {
        let permits = Permits::new(1);
        let (gone, next) = (permits.applicant(), permits.applicant());
        gone.want(Some(Purpose::Play));
        next.want(Some(Purpose::Analyse));
        drop(gone);
        assert!(next.granted.try_recv().is_ok());
        assert_eq!(permits.queue().free, 1);
    }
}
