//! The loop between the user's program and the engine: one thread that waits for both.

use super::transcript::Transcript;
use super::{BridgeError, Settings};
use crate::client::{Client, ClientSettings, Dialect, Protocol};
use crate::connection::{Either, OwnInput, OwnLine, Process, ProcessError, ending};
use crate::engine::{Engine, EngineMessage, Frontend, SearchEvent};
use crate::uci;
use crate::xboard::Xboard;
use std::collections::VecDeque;
use std::io::{ErrorKind, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How often to check whether a count that runs in this program (`go perft`) has ended.
const GLANCE: Duration = Duration::from_millis(20);
/// How long an engine may take to answer after `quit`. A user who quits may not want to wait.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// A wait without a deadline: ten years.
const LONG: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

struct Conversation<W> {
    front: Box<dyn Frontend>,
    /// The engine behind the front end.
    client: Client,
    process: Process,
    transcript: Transcript,
    output: W,
    /// Lines that ask whether the engine is ready and wait for its answer, with the time they came.
    asked: VecDeque<(String, Instant)>,
    answer_at_once: bool,
    patience: Duration,
    /// True if a count of our own may be running.
    counting: bool,
    name: String,
}

/// See [`super::run`].
pub fn hold(settings: Settings, output: impl Write) -> Result<(), BridgeError> {
    let mut own = OwnInput::new()?;
    let transcript = Transcript::new(settings.transcript.as_deref())?;
    let mut first = None;
    let outside = match settings.outside {
        Some(outside) => outside,
        None => match first_line(&mut own) {
            None => return Ok(()),
            Some((line, when)) => {
                let outside = match uci::asked_for(&line) {
                    _ if line == "xboard" => Protocol::Xboard,
                    dialect => Protocol::Uci(dialect.unwrap_or(Dialect::Uci)),
                };
                transcript.user_said(&line);
                first = Some((line, when));
                outside
            }
        },
    };
    let own_game = match outside {
        Protocol::Uci(dialect) => dialect.own_game().map(str::to_owned),
        Protocol::Xboard => None,
    };
    let Settings { command, inside, game, aliases, answer_at_once, patience, .. } = settings;
    let for_xboard = outside == Protocol::Xboard;
    let game = game.or(own_game);
    let settings = ClientSettings { protocol: inside, game, aliases, patience, for_xboard };
    let (client, process) = match Client::launch(&command, &settings, || transcript.hook()) {
        Ok(launched) => launched,
        Err(error) => {
            // The user's program is sent the error in its protocol, and then we fail like any program.
            complain(outside, &error.to_string(), output)?;
            return Err(error.into());
        }
    };
    let engine = Engine::over(Box::new(client.clone()));
    let front: Box<dyn Frontend> = match outside {
        Protocol::Xboard => Box::new(Xboard::new(engine)),
        Protocol::Uci(dialect) => uci::front(dialect, engine),
    };
    let mut conversation = Conversation {
        front,
        client,
        process,
        transcript,
        output,
        asked: VecDeque::new(),
        answer_at_once,
        patience,
        counting: false,
        name: command.to_string(),
    };
    let done = conversation.hold(&mut own, first);
    match done {
        Err(BridgeError::Io(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}

/// Waits for the line that decides on the protocol.
fn first_line(own: &mut OwnInput) -> Option<(String, Instant)> {
    loop {
        match own.wait() {
            OwnLine::Line(line, when) => {
                return Some((line.trim().to_owned(), when)).filter(|(line, _)| line != "quit");
            }
            OwnLine::TooLong(_) => {}
            OwnLine::End => return None,
        }
    }
}

fn complain(outside: Protocol, text: &str, mut output: impl Write) -> std::io::Result<()> {
    match outside {
        Protocol::Uci(_) => writeln!(output, "info string {text}"),
        Protocol::Xboard => writeln!(output, "tellusererror {text}"),
    }?;
    output.flush()
}

impl<W: Write> Conversation<W> {
    fn hold(&mut self, own: &mut OwnInput, first: Option<(String, Instant)>) -> Result<(), BridgeError> {
        if let Some((line, when)) = first
            && self.user_line(&line, when)?.is_break()
        {
            return self.finish(LAST_WORDS.min(self.patience));
        }
        loop {
            let deadline = self.deadline();
            match self.process.receive_either(own, deadline) {
                Ok(Either::Own(OwnLine::Line(line, when))) => {
                    self.transcript.user_said(&line);
                    if self.user_line(&line, when)?.is_break() {
                        return self.finish(LAST_WORDS.min(self.patience));
                    }
                }
                Ok(Either::Own(OwnLine::TooLong(bytes))) => self.front.too_long(bytes),
                Ok(Either::Own(OwnLine::End)) => return self.finish(self.patience),
                Ok(Either::Engine(line, _)) => self.engine_line(&line),
                Err(ProcessError::TimedOut) => self.time_passed()?,
                Err(error) => return Err(self.report(error)),
            }
            self.settle()?;
            self.write()?;
        }
    }

    /// The user's program sends nothing more. It still gets every answer it waits for, if the engine gives it
    /// within `bound`.
    fn finish(&mut self, bound: Duration) -> Result<(), BridgeError> {
        let until = Instant::now() + bound;
        loop {
            // Requests that waited for another search begin when that has ended, and are stopped as well.
            let owes_a_move = self.front.finish();
            self.settle()?;
            self.write()?;
            if !owes_a_move && self.asked.is_empty() {
                return Ok(());
            }
            if until <= Instant::now() {
                return Err(self.give_up("stop"));
            }
            if owes_a_move && !self.client.is_searching() && !self.counting {
                // The search ended as soon as it was stopped.
                continue;
            }
            match self.process.receive(self.deadline().min(until)) {
                Ok((line, _)) => self.engine_line(&line),
                Err(ProcessError::TimedOut) => self.time_passed()?,
                Err(error) => return Err(self.report(error)),
            }
        }
    }

    fn engine_line(&mut self, line: &str) {
        self.client.hear(line);
        self.take_in();
    }

    fn deadline(&self) -> Instant {
        let now = Instant::now();
        let ready = self.asked.front().map(|(_, since)| *since + self.patience);
        let glance = self.counting.then(|| now + GLANCE);
        [self.client.due(), ready, glance].into_iter().flatten().min().unwrap_or(now + LONG)
    }

    fn user_line(&mut self, line: &str, when: Instant) -> Result<ControlFlow<()>, BridgeError> {
        let command = line.split_whitespace().next().unwrap_or_default();
        if matches!(command, "isready" | "ping") && !self.answer_at_once {
            // It is asked after what it was sent before.
            self.send()?;
            if self.client.ask_ready() {
                self.send()?;
                self.asked.push_back((line.to_owned(), when));
                return Ok(ControlFlow::Continue(()));
            }
        }
        self.counting |= line.contains("perft");
        let flow = self.front.line(line, when);
        if flow.is_continue() {
            self.settle()?;
        }
        self.write()?;
        Ok(flow)
    }

    /// Passes what the engine has found, or a count of our own, on to the front end. True if there was
    /// anything.
    fn take_in(&mut self) -> bool {
        let mut any = false;
        for _ in 0..self.client.take_ready() {
            if let Some((line, when)) = self.asked.pop_front() {
                any = true;
                let _ = self.front.line(&line, when);
            }
        }
        while let Ok((id, event)) = self.front.events().try_recv() {
            any = true;
            self.front.event(id, event);
        }
        any
    }

    /// Sends the engine what it is to be sent. True if there was anything.
    fn send(&mut self) -> Result<bool, BridgeError> {
        let lines = self.client.take_lines();
        if !lines.is_empty() {
            let sent = self.process.send_all(&lines);
            self.or_report(sent)?;
        }
        Ok(!lines.is_empty())
    }

    /// Passes requests and stops on to the engine, and its events back, until there are no more.
    fn settle(&mut self) -> Result<(), BridgeError> {
        while self.send()? | self.take_in() {}
        Ok(())
    }

    fn time_passed(&mut self) -> Result<(), BridgeError> {
        let now = Instant::now();
        if let Some((line, since)) = self.asked.front()
            && *since + self.patience <= now
        {
            let what = if line.starts_with("ping") { "ping" } else { "isready" };
            return Err(self.give_up(what));
        }
        if self.client.due().is_some_and(|deadline| deadline <= now) {
            let overdue = self.client.overdue();
            self.take_in();
            if let Some(what) = overdue {
                return Err(self.give_up(what));
            }
        }
        Ok(())
    }

    /// The engine hangs: it is killed, and the user's program is sent an error.
    fn give_up(&mut self, what: &'static str) -> BridgeError {
        self.process.kill();
        let error = BridgeError::Silent(self.name.clone(), what);
        self.tell_end(&error.to_string());
        error
    }

    fn or_report<T>(&mut self, done: Result<T, ProcessError>) -> Result<T, BridgeError> {
        done.map_err(|error| self.report(error))
    }

    /// The engine is gone, or as good as gone: the user's program is sent an error.
    fn report(&mut self, error: ProcessError) -> BridgeError {
        self.process.kill();
        let error = BridgeError::Process(self.name.clone(), error);
        self.tell_end(&error.to_string());
        error
    }

    fn tell_end(&mut self, text: &str) {
        if ending() {
            return;
        }
        self.front.event(0, SearchEvent::Message(EngineMessage::Error(text.to_owned())));
        self.front.event(0, SearchEvent::Message(EngineMessage::Resign));
        // If this cannot be written, there is no one left to be told.
        let _ = self.write();
    }

    fn write(&mut self) -> Result<(), BridgeError> {
        let text = self.front.replies().take();
        if !text.is_empty() {
            self.transcript.user_heard(&text);
            self.output.write_all(text.as_bytes())?;
            self.output.flush()?;
        }
        Ok(())
    }
}
