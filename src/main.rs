//! Passes the arguments to the library and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    carom::cli::run(std::env::args_os())
}
