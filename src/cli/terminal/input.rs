//! Lines that the user types, with completion and a history, or plain lines if the input is not a terminal.

use super::Interrupts;
use crate::base::without_controls;
use crate::engine::LONGEST_LINE;
use crossbeam_channel::{Receiver, bounded, select};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::io::{self, BufRead, BufReader, IsTerminal, Read};

/// The result of asking for a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Typed {
    /// A line, without surrounding blanks.
    Line(String),
    /// The user pressed Ctrl-C.
    Interrupt,
    /// The input has ended.
    End,
}

/// The source of the lines.
pub enum Input {
    /// A terminal; the arrow keys bring back earlier lines.
    Terminal { history: Vec<String> },
    /// A file or a pipe.
    Plain { lines: Receiver<String> },
}

impl Input {
    /// The lines of standard input.
    pub fn standard() -> io::Result<Self> {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            return Ok(Self::Terminal { history: Vec::new() });
        }
        Self::plain(io::stdin())
    }

    /// Plain lines from a reader.
    pub fn plain(from: impl Read + Send + 'static) -> io::Result<Self> {
        Ok(Self::Plain { lines: lines(from)? })
    }

    /// True for a terminal.
    pub const fn is_terminal(&self) -> bool {
        matches!(self, Self::Terminal { .. })
    }

    /// Asks for a line. `complete` receives the text before the cursor, and returns the offset to complete
    /// from, and the completions.
    pub fn ask(
        &mut self,
        prompt: &str,
        interrupts: &Interrupts,
        complete: &dyn Fn(&str) -> (usize, Vec<String>),
    ) -> anyhow::Result<Typed> {
        let typed = match self {
            Self::Terminal { history } => {
                let read = || -> rustyline::Result<String> {
                    let config = Config::builder().completion_type(CompletionType::List).build();
                    let mut editor = Editor::with_history(config, MemHistory::new())?;
                    editor.set_helper(Some(Completing(complete)));
                    for line in history.iter() {
                        editor.add_history_entry(line.as_str())?;
                    }
                    editor.readline(prompt)
                };
                match interrupts.while_typing(read) {
                    Ok(line) => {
                        let line = line.trim().to_owned();
                        if !line.is_empty() {
                            history.push(line.clone());
                        }
                        Typed::Line(line)
                    }
                    Err(ReadlineError::Interrupted) => Typed::Interrupt,
                    Err(ReadlineError::Eof) => Typed::End,
                    Err(ReadlineError::Io(error)) => return Err(error.into()),
                    Err(error) => return Err(io::Error::other(error.to_string()).into()),
                }
            }
            Self::Plain { lines } => select! {
                recv(lines) -> line => line.map_or(Typed::End, Typed::Line),
                recv(interrupts.arrived) -> _ => Typed::Interrupt,
            },
        };
        Ok(match typed {
            Typed::Line(line) => Typed::Line(without_controls(&line).into_owned()),
            other => other,
        })
    }
}

/// The lines of `from`, until its end.
pub fn lines(from: impl Read + Send + 'static) -> io::Result<Receiver<String>> {
    let (sender, lines) = bounded(16);
    // The thread may stay in `read` when we are done; it owns nothing but its end of the channel.
    std::thread::Builder::new().name("input".into()).spawn(move || {
        let mut from = BufReader::new(from);
        let mut bytes = Vec::new();
        while let Ok(1..) = (&mut from).take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes) {
            let line = String::from_utf8_lossy(&bytes).trim().to_owned();
            if sender.send(line).is_err() {
                break;
            }
            bytes.clear();
        }
    })?;
    Ok(lines)
}

/// Completion for the line editor.
struct Completing<'a>(&'a dyn Fn(&str) -> (usize, Vec<String>));

impl Completer for Completing<'_> {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.0(&line[..at]))
    }
}

impl Hinter for Completing<'_> {
    type Hint = String;
}

impl Highlighter for Completing<'_> {}
impl Validator for Completing<'_> {}
impl Helper for Completing<'_> {}
