//! Whatever an engine has started, in whatever process group or session it is. A process that daemonizes leaves its group
//! and its parent; on Linux it is found by its ancestors all the same, and orphans come to us ([`adopt_orphans`]).
//!
//! A parent-death signal would have to be asked for by the engine's process before it becomes the engine, which cannot be
//! done without `unsafe`. So if the runner itself is killed with SIGKILL, engines learn it from the end of their input.

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpid, pidfd_open, pidfd_send_signal,
    set_child_subreaper, waitid,
};
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Processes, each held so that its number cannot come to mean another one.
#[derive(Default)]
pub struct Descendants(Vec<OwnedFd>);

/// Killed ones that may be our children by now: they stay zombies until somebody asks how they ended.
static KILLED: Mutex<Vec<OwnedFd>> = Mutex::new(Vec::new());

impl Descendants {
    /// Everything below `root` that lives now.
    pub fn of(root: Pid) -> Self {
        let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
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

    /// Ends all of them.
    pub fn kill(self) {
        for process in &self.0 {
            // One that has ended meanwhile is no error.
            let _ = pidfd_send_signal(process, Signal::KILL);
        }
        let mut killed = KILLED.lock().unwrap_or_else(PoisonError::into_inner);
        killed.extend(self.0);
        killed.retain(|process| {
            use std::os::fd::AsFd;
            let ended = waitid(WaitId::PidFd(process.as_fd()), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
            // Still on its way out, or nobody's or somebody else's child; in the latter case it is not ours to bury.
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
        // Behind the name, which may hold anything: state, parent.
        let behind = stat.iter().rposition(|byte| *byte == b')')? + 1;
        let mut fields = std::str::from_utf8(&stat[behind..]).ok()?.split_ascii_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        (!matches!(state, "Z" | "X")).then_some((process, parent))
    };
    entries.filter_map(Result::ok).filter_map(read).collect()
}

/// From now on whoever loses its parent below us becomes our child, so that it can be found. For a program of which all
/// children are engines.
pub fn adopt_orphans() {
    match set_child_subreaper(Some(getpid())) {
        Ok(()) => ADOPTING.store(true, Ordering::Relaxed),
        Err(error) => log::warn!("processes that engines leave behind cannot be found: {error}"),
    }
}

/// [`adopt_orphans`] was called.
static ADOPTING: AtomicBool = AtomicBool::new(false);

/// Ends every process below this one, if all of them are engines or what engines left behind.
pub fn end_all() {
    if !ADOPTING.load(Ordering::Relaxed) {
        return;
    }
    // What is killed leaves orphans that come to us, to be ended in the next round.
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
