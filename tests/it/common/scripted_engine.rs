//! This binary as an engine that follows a script, for the tests of the bridge.
//!
//! ```text
//! > a line it must hear next or later; … stands for any text
//! >> the very next line it must hear
//! < a line it says
//! ! die, flood or hang
//! ```
//!
//! A script that does not fit the conversation waits for ever, which the watchdog of the conversation notices; what it heard
//! goes to standard error.

use crate::common::transcript::fits;
use std::io::{BufRead, Write};

/// Not a test: what is run when this binary is started as an engine (`common::scripted_engine::plays --exact --nocapture`).
#[test]
fn plays() {
    if let Ok(script) = std::env::var("ENGINE_SCRIPT") {
        follow(&script);
        std::process::exit(0);
    }
}

fn follow(script: &str) {
    let mut lines = std::io::stdin().lock().lines().map_while(Result::ok);
    for step in script.lines().map(str::trim).filter(|step| !step.is_empty()) {
        let (mark, text) = step.split_once(' ').unwrap_or((step, ""));
        match mark {
            ">" => {
                for line in lines.by_ref() {
                    eprintln!("heard {line}, waiting for {text}");
                    if fits(text, &line) {
                        break;
                    }
                }
            }
            ">>" => {
                let line = lines.next().unwrap_or_default();
                if !fits(text, &line) {
                    println!("# WRONG: heard `{line}` instead of `{text}`");
                    println!("info string WRONG: heard `{line}` instead of `{text}`");
                }
            }
            "<" => {
                println!("{text}");
                let _ = std::io::stdout().flush();
            }
            "!" => match text {
                "die" => std::process::exit(3),
                "flood" => while std::io::stdout().write_all(&[b'x'; 4096]).is_ok() {},
                _ => loop {
                    std::thread::park();
                },
            },
            _ => panic!("what is `{step}`?"),
        }
    }
    // It listens until nobody speaks any more.
    lines.take_while(|line| line.trim() != "quit").for_each(drop);
}
