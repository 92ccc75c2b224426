//! How UCI is spoken to an engine under examination.

mod checks;

use super::check::{CheckError, Checked, ensure, failed};
use super::positions::TestPosition;
use super::runner::{CheckRunner, ProtocolDriver};
use crate::protocol::uci::{Command, Dialect, Reply};
use std::sync::LazyLock;
use std::time::Duration;

/// UCI, or UGI: the same checks with UGI's words.
pub(super) struct Uci(pub Dialect);

/// The checks of UGI.
static UGI_CHECKS: LazyLock<String> =
    LazyLock::new(|| include_str!("../checks/uci.txt").replace("uci", "ugi"));

impl Uci {
    /// The word that begins the conversation.
    const fn word(&self) -> &'static str {
        match self.0 {
            Dialect::Ugi => "ugi",
            _ => "uci",
        }
    }
}

/// The parsed line; `None` if it is not in the form.
fn reply(line: &str) -> Option<Reply<'_>> {
    Reply::parse(line).ok().flatten().map(|parsed| parsed.message)
}

/// True for a line that ends a search.
fn is_best_move(line: &str) -> bool {
    line.split_ascii_whitespace().next() == Some("bestmove")
}

impl ProtocolDriver for Uci {
    fn checks(&self) -> &'static str {
        match self.0 {
            Dialect::Ugi => &UGI_CHECKS,
            _ => include_str!("../checks/uci.txt"),
        }
    }

    fn code(&self, number: &str) -> Option<fn(&mut CheckRunner<'_>) -> Checked> {
        checks::code(number)
    }

    fn go(&self, limits: &str) -> String {
        format!("`go {limits}`")
    }

    fn quick(&self) -> &'static str {
        "depth 1"
    }

    fn option_name(&self, declared: &str) -> Option<String> {
        match reply(declared) {
            Some(Reply::Option(own)) => Some(own.name),
            _ => None,
        }
    }

    fn is(&self, kind: &str, line: &str) -> bool {
        match reply(line) {
            Some(Reply::Unknown(_)) => kind == "unknown",
            Some(Reply::BestMove { best, .. }) => {
                kind == "no move" && matches!(best, None | Some("0000" | "NULL"))
            }
            _ => false,
        }
    }

    fn greet(&self, x: &mut CheckRunner<'_>) -> Checked {
        x.start()?;
        x.send(self.word())?;
        let end = format!("{}ok", self.word());
        x.heard = x.wait(&end, |line| line.trim() == end)?;
        let declared = x.heard.iter().filter(|line| line.trim_start().starts_with("option "));
        x.options = declared.cloned().collect();
        let name = x.heard.iter().find_map(|line| line.trim().strip_prefix("id name "));
        x.name = name.map(|name| name.trim().to_owned()).or(x.name.take());
        Ok(())
    }

    fn prepare(&self, x: &mut CheckRunner<'_>) -> Checked {
        let facts = x.settings.facts;
        // A UGI engine without this option plays one game, whatever its name.
        let chooses = self.0 == Dialect::Uci || x.option("UCI_Variant").is_some();
        if !facts.is_chess() && chooses {
            set(x, "UCI_Variant", facts.name)?;
        }
        // The referee writes the outcomes of chance into the moves.
        if facts.chance && x.option("Chance").is_some() {
            set(x, "Chance", "referee")?;
        }
        for switch in facts.switches {
            if let Some(value) = x.settings.rules.get(switch.name) {
                set(x, switch.name, value)?;
            }
        }
        Ok(())
    }

    /// Also makes sure that no `bestmove` comes.
    fn settle(&self, x: &mut CheckRunner<'_>) -> Checked<Vec<String>> {
        let lines = ready(x)?;
        match lines.iter().find(|line| is_best_move(line)) {
            Some(line) => failed(format!("`{line}` that nobody asked for")),
            None => Ok(lines),
        }
    }

    fn quiet(&self, x: &mut CheckRunner<'_>, why: &str) -> Checked<Vec<String>> {
        let mut lines = x.listen(Duration::ZERO)?;
        // Everything the engine has written by now comes before `readyok`.
        lines.extend(ready(x)?);
        ensure(!lines.iter().any(|line| is_best_move(line)), || format!("`bestmove` {why}"))?;
        Ok(lines)
    }

    fn begin(&self, x: &mut CheckRunner<'_>, test: &TestPosition, limits: &str) -> Checked {
        x.send(&format!("position {}", test.to_uci()))?;
        x.send(&format!("go {limits}"))
    }

    /// Also makes sure that no second `bestmove` follows.
    fn finish(&self, x: &mut CheckRunner<'_>, legal: bool) -> Checked {
        x.heard = x.wait("bestmove", is_best_move)?;
        let (line, took) = (x.line.clone(), x.took);
        let best = match Reply::parse(&line) {
            Ok(Some(parsed)) => match parsed.message {
                Reply::BestMove { best, .. } => best.filter(|text| *text != "NULL"),
                _ => return failed(format!("`{line}` cannot be understood")),
            },
            _ => return failed(format!("`{line}` says no move")),
        };
        x.best = best.map(str::to_owned);
        self.settle(x).map_err(|stop| match stop {
            CheckError::Failed(reason) => CheckError::Failed(format!("after `bestmove`: {reason}")),
            stop => stop,
        })?;
        (x.line, x.took) = (line, took);
        if !legal {
            return Ok(());
        }
        let referee = x.positions.referee(&x.test)?;
        match &x.best {
            Some(best) => referee.play(best),
            None => failed(format!("no move, though {} are legal", referee.continuations().len())),
        }
    }

    fn statement(&self, _: &mut CheckRunner<'_>, verb: &str, _: &str) -> Checked {
        failed(format!("(a fault of the examiner) what is `{verb}`?"))
    }
}

fn set(x: &mut CheckRunner<'_>, name: &str, value: &str) -> Checked {
    x.send(&Command::SetOption { name, value: Some(value) }.to_string())
}

/// Sends `isready` and waits for `readyok`; returns the lines before it.
fn ready(x: &mut CheckRunner<'_>) -> Checked<Vec<String>> {
    x.talk()?.send("isready")?;
    x.wait("readyok", |line| line.trim() == "readyok")
}
