//! The destination of the log.

use super::matches::LogWords;
use crate::base::files::private;
use crate::base::lines_without_controls;
use crate::connection::kill_all;
use anyhow::Context;
use std::fs::OpenOptions;
use std::io::Write;
use std::time::Instant;

/// Starts the log. It is appended to the file, if one is given, else written to standard error. `RUST_LOG`
/// sets the level where `log` says none; the default is warnings. With `strict` the first warning ends the
/// program.
pub fn start(log: &LogWords, strict: bool) -> anyhow::Result<()> {
    let mut builder = match &log.level {
        Some(level) => {
            let mut builder = env_logger::Builder::new();
            builder.parse_filters(level);
            builder
        }
        None => env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")),
    };
    let begun = Instant::now();
    builder.format(move |out, record| {
        let seconds = begun.elapsed().as_secs_f64();
        let text = record.args().to_string();
        let text = lines_without_controls(&text);
        if strict && record.level() <= log::Level::Warn {
            super::complain(&format!("{text}: -strict ends the match"));
            kill_all();
            std::process::exit(1);
        }
        writeln!(out, "{seconds:10.6} {:5} {}: {text}", record.level(), record.target())
    });
    if let Some(path) = &log.file {
        let mut options = OpenOptions::new();
        options.create(true).append(!log.anew).write(true).truncate(log.anew);
        let file = private(&mut options).open(path);
        let file = file.with_context(|| format!("cannot write the log {}", path.display()))?;
        builder.target(env_logger::Target::Pipe(Box::new(file)));
    }
    // A second start in one process (in tests) changes nothing.
    let _ = builder.try_init();
    Ok(())
}
