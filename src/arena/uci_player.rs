//! An engine spoken to in UCI.

use super::player::{Allowance, Answer, Opening, PATIENCE, Player, deadline};
use super::words::{Word, tokens_for};
use super::{EngineCommand, Fault, Process};
use crate::base::Color;
use crate::engine::Session;
use crate::protocol::uci::{Command, Go, Reply, Score};

/// An engine spoken to in UCI.
pub struct UciPlayer {
    process: Process,
    name: String,
}

impl UciPlayer {
    /// Starts the engine and shakes hands.
    ///
    /// # Errors
    /// When it cannot be started or does not say `uciok`.
    pub fn start(command: &EngineCommand) -> Result<Self, Fault> {
        let mut process = Process::start(command).map_err(|_| Fault::Disconnected)?;
        process.send(&Command::Uci.to_string())?;
        let mut name = String::new();
        process.wait_for(PATIENCE, |line| match Reply::parse(line) {
            Ok(Some(parsed)) => match parsed.message {
                Reply::IdName(own) => {
                    name = own.to_owned();
                    None
                }
                Reply::UciOk => Some(()),
                _ => None,
            },
            _ => None,
        })?;
        Ok(Self { process, name: format!("{name} (UCI)") })
    }

    fn get_ready(&mut self) -> Result<(), Fault> {
        self.process.send(&Command::IsReady.to_string())?;
        self.process.wait_for(PATIENCE, |line| (line.trim() == "readyok").then_some(()))
    }
}

impl Player for UciPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self, opening: &Opening<'_>, _allowance: &Allowance) -> Result<(), Fault> {
        let mut set = |name: &str, value: &str| {
            self.process.send(&Command::SetOption { name, value: Some(value) }.to_string())
        };
        set("UCI_Variant", opening.facts.name)?;
        set("Chance", "referee")?;
        for switch in opening.facts.switches {
            set(switch.name, opening.rules.get(switch.name).unwrap_or(switch.default()))?;
        }
        self.process.send(&Command::UciNewGame.to_string())?;
        self.get_ready()
    }

    fn answer(
        &mut self,
        _session: &dyn Session,
        color: Color,
        opening: &Opening<'_>,
        words: &[Word],
        allowance: &Allowance,
    ) -> Result<Answer, Fault> {
        let start = opening.position.as_ref().map_or("startpos".to_owned(), |text| format!("fen {text}"));
        let tokens = tokens_for(words, color);
        let moves = if tokens.is_empty() { String::new() } else { format!(" moves {}", tokens.join(" ")) };
        self.process.send(&format!("position {start}{moves}"))?;
        let milliseconds = |time: std::time::Duration| Some(time.as_millis() as i64);
        let (own, other) = (&allowance.own, &allowance.other);
        let (white, black) = if color == Color::Black { (other, own) } else { (own, other) };
        let timed = allowance.depth.is_none();
        let when = |time| milliseconds(time).filter(|_| timed);
        let go = Go {
            white_time: when(white.left()),
            black_time: when(black.left()),
            white_increment: when(white.control().increment),
            black_increment: when(black.control().increment),
            moves_to_go: own.turns_to_go().filter(|_| timed),
            depth: allowance.depth,
            ..Go::default()
        };
        let asked = self.process.send(&Command::Go(go).to_string())?;
        let deadline = deadline(allowance);
        let mut comment = String::new();
        loop {
            let (line, came) = self.process.receive(deadline)?;
            let Ok(Some(parsed)) = Reply::parse(&line) else { continue };
            match parsed.message {
                Reply::Info(info) if info.multi_pv.unwrap_or(1) == 1 => {
                    if let (Some((score, _)), Some(depth)) = (info.score, info.depth) {
                        comment = match score {
                            Score::Centipawns(score) => format!("{:+.2}/{depth}", f64::from(score) / 100.0),
                            Score::Mate(moves) if moves > 0 => format!("+M{moves}/{depth}"),
                            Score::Mate(moves) => format!("-M{}/{depth}", -moves),
                        };
                    }
                }
                Reply::BestMove { best, .. } => {
                    let token = best.ok_or(Fault::NoMove)?.to_owned();
                    return Ok(Answer { token, comment, spent: came.saturating_duration_since(asked) });
                }
                _ => {}
            }
        }
    }

    fn end(&mut self, _result: &str) {}
}
