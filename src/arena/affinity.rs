//! Binding the engines of a game to a processor: what a thread starts inherits the processors of the thread.

use super::SettingsError;
use std::ops::RangeInclusive;

/// The processors in a list such as `3,5,7-11`.
///
/// # Errors
/// When the text is no such list.
pub fn listed(text: &str) -> Result<Vec<usize>, SettingsError> {
    let range = |part: &str| -> Option<RangeInclusive<usize>> {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to): (usize, usize) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        (from <= to && to < MOST).then_some(from..=to)
    };
    let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
    let wrong = || SettingsError(format!("-use-affinity {text}: it must be a list such as 3,5,7-11"));
    Ok(ranges.ok_or_else(wrong)?.into_iter().flatten().collect())
}

/// More processors than any machine has.
const MOST: usize = 1024;

/// Binds this thread, which is that of the worker with this number, to a processor of its own: one of the
/// list `processors`, or with `true` one of those that the thread may use.
///
/// # Errors
/// When the system does not do it. Then a warning says so.
#[cfg(target_os = "linux")]
pub fn bind(processors: &str, worker: usize) -> std::io::Result<()> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let bound = || {
        let usable = match listed(processors) {
            Ok(listed) => listed,
            Err(_) => {
                let all = sched_getaffinity(None)?;
                (0..CpuSet::MAX_CPU).filter(|processor| all.is_set(*processor)).collect()
            }
        };
        let mut set = CpuSet::new();
        if let Some(processor) = usable.get(worker % usable.len().max(1)) {
            set.set(*processor);
        }
        Ok(sched_setaffinity(None, &set)?)
    };
    bound().inspect_err(|error: &std::io::Error| log::warn!("-use-affinity {processors}: {error}"))
}

/// Only on Linux.
///
/// # Errors
/// Always. A warning says so.
#[cfg(not(target_os = "linux"))]
pub fn bind(_processors: &str, worker: usize) -> std::io::Result<()> {
    if worker == 0 {
        log::warn!("-use-affinity works on Linux alone");
    }
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors_are_read() {
        assert_eq!(listed("3,5,7-9").unwrap(), [3, 5, 7, 8, 9]);
        for text in ["", "true", "5-3", "1,,2", "-1", "1-99999999999"] {
            assert!(listed(text).is_err(), "{text}");
        }
    }
}
