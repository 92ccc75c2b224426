//! All processes that an engine has started, in whatever process group or session they are. A process that
//! daemonizes leaves its group and its parent; on Linux it is found by its ancestors all the same, and
//! orphans come to us ([`adopt_orphans`]).
//!
//! A parent-death signal would have to be requested by the engine's process before it becomes the engine,
//! which cannot be done without `unsafe`. So if the runner itself is killed with SIGKILL, engines only notice
//! it by the end of their input.

use litemap::LiteMap;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpid, pidfd_open, pidfd_send_signal,
    set_child_subreaper, waitid,
};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Processes, each held so that its number cannot come to mean another one.
#[derive(Default)]
pub struct Descendants(Vec<OwnedFd>);

/// Killed processes that may be our children by now. They stay zombies until their exit status is read.
static KILLED: Mutex<Vec<OwnedFd>> = Mutex::new(Vec::new());

impl Descendants {
    /// All living processes below `root`.
    pub fn of(root: Pid) -> Self {
        let mut children: LiteMap<i32, Vec<i32>> = LiteMap::new();
        for (process, parent) in processes() {
            children.entry(parent).or_default().push(process);
        }
        let mut found = Vec::new();
        let mut below = vec![root.as_raw_nonzero().get()];
        while let Some(parent) = below.pop() {
            for child in children.remove(&parent).unwrap_or_default() {
                below.push(child);
                found.extend(Pid::from_raw(child).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()));
            }
        }
        Self(found)
    }

    /// Kills all of them.
    pub fn kill(self) {
        for process in &self.0 {
            // It is no error if a process has ended meanwhile.
            let _ = pidfd_send_signal(process, Signal::KILL);
        }
        let mut killed = KILLED.lock().unwrap_or_else(PoisonError::into_inner);
        killed.extend(self.0);
        killed.retain(|process| {
            use std::os::fd::AsFd;
            let ended = waitid(WaitId::PidFd(process.as_fd()), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
            // Keep those that are still ending. A process that is no child of ours is not ours to reap.
            matches!(ended, Ok(None))
        });
    }
}

/// The numbers of all living processes and of their parents.
fn processes() -> Vec<(i32, i32)> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let read = |entry: std::fs::DirEntry| -> Option<(i32, i32)> {
        let process = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read(entry.path().join("stat")).ok()?;
        // The state and the parent follow the name, which may hold any character.
        let behind = stat.iter().rposition(|byte| *byte == b')')? + 1;
        let mut fields = std::str::from_utf8(&stat[behind..]).ok()?.split_ascii_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        (!matches!(state, "Z" | "X")).then_some((process, parent))
    };
    entries.filter_map(Result::ok).filter_map(read).collect()
}

/// From now on a process below us that loses its parent becomes our child, so that it can be found. For a
/// program all of whose children are engines.
pub fn adopt_orphans() {
    match set_child_subreaper(Some(getpid())) {
        Ok(()) => ADOPTING.store(true, Ordering::Relaxed),
        Err(error) => log::warn!("processes that engines leave behind cannot be found: {error}"),
    }
}

/// True once [`adopt_orphans`] has succeeded.
static ADOPTING: AtomicBool = AtomicBool::new(false);

/// Kills every process below this one, provided that [`adopt_orphans`] was called.
pub fn end_all() {
    if !ADOPTING.load(Ordering::Relaxed) {
        return;
    }
    // Killed processes leave orphans that come to us, to be killed in the next round.
    for _ in 0..2000 {
        let left = Descendants::of(getpid());
        let none = left.0.is_empty();
        left.kill();
        if none {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    log::warn!("some processes that engines started could not be ended");
}
