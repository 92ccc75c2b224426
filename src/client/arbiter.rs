//! A third engine as the referee of a game that Carom does not know: Fairy-Stockfish, or one that speaks as it does.
//!
//! Which turns are legal it says in UCI, by `go perft 1`. How a game has ended UCI cannot say (`mate 0` is a win and a
//! loss alike), so the same program is asked for that in the XBoard protocol, in a process of its own. Draws that a
//! player may claim it tells in neither protocol: positions are counted here.

use crate::base::Color;
use crate::connection::{EngineCommand, Process, ProcessError};
use crate::game::Outcome;
use crate::session::{Judge, Verdict};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The referee that the settings name.
#[derive(Clone, Debug)]
pub struct RefereeSettings {
    /// How it is started.
    pub command: EngineCommand,
    /// Its name for the game.
    pub variant: String,
    /// The options that it is sent, in their order.
    pub options: Vec<(String, String)>,
    /// The draws that it does not tell.
    pub draws: DrawRules,
}

/// When a game is over although its referee does not say so.
#[derive(Clone, Copy, Debug)]
pub struct DrawRules {
    /// A position that has stood so often is a draw.
    pub repetition: Option<usize>,
    /// A side that has given check in all its turns between repetitions loses.
    pub perpetual: bool,
    /// A draw after so many turns of each side in which nothing happens that sets the position's counter to 0.
    pub moves: Option<u32>,
}

/// A referee that runs.
pub struct Arbiter(Mutex<Processes>);

struct Processes {
    /// It lists the legal turns.
    moves: Process,
    /// It says how a game has ended.
    results: Process,
    variant: String,
    /// The usual start, as a position.
    start: String,
    draws: DrawRules,
    /// The position before each of the turns of the last question, and after them.
    seen: Vec<Seen>,
    /// The last question and its answer: the start, the turns and what was said.
    last: Option<(Option<String>, Vec<String>, Verdict)>,
    /// Why it cannot be asked any more.
    failure: Option<String>,
}

/// A position of the game, as the referee shows it.
struct Seen {
    /// The position without its counters.
    text: String,
    /// The turns without a capture or a move of a pawn, or whatever else the game counts.
    idle: u32,
    /// The side that is to move is in check.
    check: bool,
}

/// Why a referee cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the referee {0}")]
pub struct RefereeError(String);

/// Why it has no answer.
#[derive(Debug, thiserror::Error)]
enum AskError {
    /// It cannot be spoken to.
    #[error("it {0}")]
    Process(#[from] ProcessError),
    /// It refuses what it called legal.
    #[error("it says `{0}`")]
    Refused(String),
}

/// How long it may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);

impl Arbiter {
    /// Starts both processes and tells them the game.
    ///
    /// # Errors
    /// When the program cannot be started, does not answer, or does not know the game.
    pub fn start(settings: &RefereeSettings) -> Result<Self, RefereeError> {
        let failed = |what: &dyn std::fmt::Display| RefereeError(format!("`{}`: {what}", settings.command));
        let process = || Process::start(&settings.command).map_err(|error| failed(&error));
        let (mut moves, mut results) = (process()?, process()?);
        let mut greet = || -> Result<Option<String>, ProcessError> {
            let uciok = |line: &str| (line.trim() == "uciok").then_some(());
            moves.send("uci")?;
            moves.wait_for(PATIENCE, uciok)?;
            for (name, value) in &settings.options {
                moves.send(&format!("setoption name {name} value {value}"))?;
            }
            // What the options have added is in the second list.
            moves.send("uci")?;
            let mut known = false;
            let variant = format!(" var {} ", settings.variant);
            moves.wait_for(PATIENCE, |line| {
                known |= line.contains("name UCI_Variant ") && format!("{line} ").contains(&variant);
                uciok(line)
            })?;
            let choice = format!("setoption name UCI_Variant value {}", settings.variant);
            moves.send_all(&[&choice, "position startpos", "d", "isready"])?;
            let mut start = String::new();
            moves.wait_for(PATIENCE, |line| {
                if let Some(position) = line.strip_prefix("Fen: ") {
                    position.clone_into(&mut start);
                }
                (line.trim() == "readyok").then_some(())
            })?;
            results.send_all(&["xboard", "protover 2"])?;
            results.wait_for(PATIENCE, |line| line.contains("done=1").then_some(()))?;
            for (name, value) in &settings.options {
                results.send(&format!("option {name}={value}"))?;
            }
            Ok(known.then_some(start))
        };
        let start = match greet() {
            Err(error) => return Err(failed(&format!("it {error}"))),
            Ok(None) => return Err(failed(&format!("it does not know the game {}", settings.variant))),
            Ok(Some(start)) if start.is_empty() => {
                return Err(failed(&"it does not show the position after `d`"));
            }
            Ok(Some(start)) => start,
        };
        let (variant, draws) = (settings.variant.clone(), settings.draws);
        let processes =
            Processes { moves, results, variant, start, draws, seen: Vec::new(), last: None, failure: None };
        Ok(Self(Mutex::new(processes)))
    }

    /// Why it cannot be asked any more.
    pub fn failure(&self) -> Option<String> {
        self.processes().failure.clone()
    }

    fn processes(&self) -> MutexGuard<'_, Processes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Judge for Arbiter {
    fn verdict(&self, start: Option<&str>, turns: &[String]) -> Verdict {
        let mut processes = self.processes();
        if let Some((from, so_far, verdict)) = &processes.last
            && (from.as_deref(), so_far.as_slice()) == (start, turns)
        {
            return verdict.clone();
        }
        let verdict = processes.ask(start, turns).unwrap_or_else(|error| {
            processes.failure.get_or_insert_with(|| format!("the referee: {error}"));
            // The game must end; what it ended with is not counted.
            let outcome = Some(Outcome::draw("", "The referee is gone"));
            Verdict { legal: Vec::new(), outcome }
        });
        processes.last = Some((start.map(str::to_owned), turns.to_vec(), verdict.clone()));
        verdict
    }
}

impl Processes {
    fn ask(&mut self, start: Option<&str>, turns: &[String]) -> Result<Verdict, AskError> {
        let known = match &self.last {
            Some((from, before, _)) if from.as_deref() == start => {
                before.iter().zip(turns).take_while(|(one, other)| one == other).count() + 1
            }
            _ => 0,
        };
        self.seen.truncate(known);
        for played in self.seen.len()..=turns.len() {
            let seen = self.look(start, &turns[..played])?;
            self.seen.push(seen);
        }
        self.moves.send_all(&[position_line(start, turns), "go perft 1".to_owned()])?;
        let mut legal = Vec::new();
        self.moves.wait_for(PATIENCE, |line| {
            if let Some((token, "1")) = line.trim().split_once(": ") {
                legal.push(token.to_owned());
            }
            line.starts_with("Nodes searched").then_some(())
        })?;
        let mut lines = ["force", "new"].map(str::to_owned).to_vec();
        lines.push(format!("variant {}", self.variant));
        lines.extend(["force", "sd 1"].map(str::to_owned));
        lines.extend(start.map(|text| format!("setboard {text}")));
        // XBoard counts ranks from 0 where there are ten or more.
        let tall =
            start.unwrap_or(&self.start).split(' ').next().unwrap_or_default().matches('/').count() >= 9;
        let written = |turn: &String| if tall { from_zero(turn) } else { turn.clone() };
        lines.extend(turns.iter().map(|turn| format!("usermove {}", written(turn))));
        lines.push("go".to_owned());
        self.results.send_all(&lines)?;
        let outcome = self.results.wait_for(PATIENCE, |line| {
            let winner = match line.split_whitespace().next()? {
                "move" => return Some(Ok(None)),
                // It has not understood what it called legal itself.
                "Error" | "Illegal" => return Some(Err(AskError::Refused(line.to_owned()))),
                "1-0" => Some(Color::White),
                "0-1" => Some(Color::Black),
                "1/2-1/2" => None,
                _ => return None,
            };
            Some(Ok(Some(match winner {
                Some(winner) => Outcome::win_of(winner, "", ["White wins", "Black wins"]),
                None => Outcome::draw("", "Draw"),
            })))
        })??;
        Ok(Verdict { legal, outcome: outcome.or_else(|| self.draws.outcome(&self.seen)) })
    }

    /// The position after these turns.
    fn look(&mut self, start: Option<&str>, turns: &[String]) -> Result<Seen, ProcessError> {
        self.moves.send_all(&[position_line(start, turns), "d".to_owned(), "isready".to_owned()])?;
        let (mut text, mut idle, mut check) = (String::new(), 0, false);
        self.moves.wait_for(PATIENCE, |line| {
            if let Some(position) = line.strip_prefix("Fen: ") {
                (text, idle) = without_counters(position);
            } else if let Some(pieces) = line.strip_prefix("Checkers:") {
                check = !pieces.trim().is_empty();
            }
            (line.trim() == "readyok").then_some(())
        })?;
        Ok(Seen { text, idle, check })
    }
}

fn position_line(start: Option<&str>, turns: &[String]) -> String {
    let position = start.map_or("startpos".to_owned(), |text| format!("fen {text}"));
    let moves = if turns.is_empty() { String::new() } else { format!(" moves {}", turns.join(" ")) };
    format!("position {position}{moves}")
}

/// A position without the two numbers at its end, and the first of them.
fn without_counters(position: &str) -> (String, u32) {
    let mut fields: Vec<&str> = position.split_whitespace().collect();
    let number = |fields: &mut Vec<&str>| {
        let number = fields.last()?.parse().ok()?;
        fields.pop();
        Some(number)
    };
    number(&mut fields);
    let idle = number(&mut fields).unwrap_or(0);
    (fields.join(" "), idle)
}

impl DrawRules {
    /// How these rules end a game in which these positions stood on the board. The last is the one they judge.
    fn outcome(self, seen: &[Seen]) -> Option<Outcome> {
        let (now, before) = seen.split_last()?;
        let times = 1 + before.iter().filter(|position| position.text == now.text).count();
        if self.repetition.is_some_and(|most| times >= most) {
            let first = seen.iter().position(|position| position.text == now.text)?;
            // Whether the side to move (0) or the other one (1) has been in check all the time since then.
            let always = |from: &usize| seen[first + from..].iter().step_by(2).all(|position| position.check);
            let victim = (0..2).find(|from| self.perpetual && always(from));
            let to_move = if now.text.split(' ').nth(1) == Some("b") { Color::Black } else { Color::White };
            return Some(match victim.map(|from| if from == 0 { to_move } else { !to_move }) {
                None => Outcome::draw("", "Draw by repetition"),
                Some(winner) => Outcome::win_of(
                    winner,
                    "",
                    ["Black gives perpetual check", "White gives perpetual check"],
                ),
            });
        }
        let idle = self.moves.is_some_and(|most| now.idle >= most.saturating_mul(2));
        idle.then(|| Outcome::draw("", "Draw by the counter of idle turns"))
    }
}

/// A turn with its ranks counted from 0.
fn from_zero(turn: &str) -> String {
    let mut text = String::new();
    let mut rest = turn;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(at);
        let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        let (number, after) = number.split_at(end);
        text.push_str(before);
        match number.parse::<u32>() {
            Ok(rank) => text.push_str(&rank.saturating_sub(1).to_string()),
            Err(_) => text.push_str(number),
        }
        rest = after;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_counted_from_zero_on_tall_boards() {
        for (turn, text) in
            [("h3e3", "h2e2"), ("a10a9", "a9a8"), ("P@e10", "P@e9"), ("a10b10+", "a9b9+"), ("", "")]
        {
            assert_eq!(from_zero(turn), text);
        }
    }

    #[test]
    fn positions_are_compared_without_their_counters() {
        for (position, text, idle) in [
            ("4k3/8/8/8/8/8/8/4K3[Pp] b - - 3 1", "4k3/8/8/8/8/8/8/4K3[Pp] b - -", 3),
            ("4k3/4K3 w - - 2+3 12 40", "4k3/4K3 w - - 2+3", 12),
            ("k8/8K[-] w 0 1", "k8/8K[-] w", 0),
            ("k8/8K w - -", "k8/8K w - -", 0),
        ] {
            assert_eq!(without_counters(position), (text.to_owned(), idle));
        }
    }

    #[test]
    fn repetitions_are_counted_and_perpetual_check_loses() {
        let seen = |list: &[(&str, bool)]| -> Vec<Seen> {
            list.iter().map(|&(text, check)| Seen { text: text.into(), idle: 7, check }).collect()
        };
        let rules = DrawRules { repetition: Some(3), perpetual: true, moves: Some(4) };
        let cycle = |checks: [bool; 4]| {
            let names = ["1 w", "2 b", "3 w", "4 b"];
            let once: Vec<(&str, bool)> = names.into_iter().zip(checks).collect();
            seen(&[once.clone(), once, vec![("1 w", checks[0])]].concat())
        };
        let result = |rules: DrawRules, seen: &[Seen]| rules.outcome(seen).map(|outcome| outcome.result());
        let quiet = cycle([false; 4]);
        assert_eq!(result(rules, &quiet), Some("1/2-1/2"));
        assert_eq!(result(rules, &quiet[..8]), None, "twice only");
        assert_eq!(result(DrawRules { repetition: Some(4), ..rules }, &quiet), None);
        assert_eq!(result(DrawRules { repetition: None, ..rules }, &quiet), None);
        assert_eq!(result(rules, &cycle([false, true, false, true])), Some("0-1"), "White checks for ever");
        assert_eq!(result(rules, &cycle([true, false, true, false])), Some("1-0"), "Black does");
        assert_eq!(result(rules, &cycle([true, false, false, false])), Some("1/2-1/2"), "once is allowed");
        let lenient = DrawRules { perpetual: false, ..rules };
        assert_eq!(result(lenient, &cycle([false, true, false, true])), Some("1/2-1/2"));
        let mut idle = seen(&[("1 w", false)]);
        idle[0].idle = 8;
        assert_eq!(result(rules, &idle), Some("1/2-1/2"), "four turns of each");
        assert_eq!(result(DrawRules { moves: None, ..rules }, &idle), None);
    }
}
