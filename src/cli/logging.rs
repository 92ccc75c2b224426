//! The destination of the log.

use crate::base::files::private;
use crate::base::lines_without_controls;
use anyhow::Context;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Starts the log. It is appended to `file`, if one is given, else written to standard error. `RUST_LOG` sets
/// the level; the default is warnings.
pub fn start(file: Option<&Path>) -> anyhow::Result<()> {
    let mut builder = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"));
    let begun = Instant::now();
    builder.format(move |out, record| {
        let seconds = begun.elapsed().as_secs_f64();
        let text = record.args().to_string();
        let text = lines_without_controls(&text);
        writeln!(out, "{seconds:10.6} {:5} {}: {text}", record.level(), record.target())
    });
    if let Some(path) = file {
        let file = private(OpenOptions::new().create(true).append(true)).open(path);
        let file = file.with_context(|| format!("cannot write the log {}", path.display()))?;
        builder.target(env_logger::Target::Pipe(Box::new(file)));
    }
    // A second start in one process (in tests) changes nothing.
    let _ = builder.try_init();
    Ok(())
}
