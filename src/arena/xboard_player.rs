//! An engine spoken to in the XBoard protocol.

use super::player::{Allowance, Answer, Opening, PATIENCE, Player, deadline};
use super::words::Word;
use super::{EngineCommand, Fault, Process};
use crate::base::Color;
use crate::engine::{Session, xboard_reading, xboard_writing};
use crate::game::Rules;
use crate::protocol::xboard::{Command, FeatureValue, Level, Reply, Score, Verdict};
use std::time::Duration;

/// An engine spoken to in the XBoard protocol.
pub struct XboardPlayer {
    process: Process,
    name: String,
    begun: bool,
    /// How many words it has been told or has said itself.
    told: usize,
}

impl XboardPlayer {
    /// Starts the engine and shakes hands.
    ///
    /// # Errors
    /// When it cannot be started or does not say `feature done=1`.
    pub fn start(command: &EngineCommand) -> Result<Self, Fault> {
        let mut process = Process::start(command).map_err(|_| Fault::Disconnected)?;
        process.send(&Command::XBoard.to_string())?;
        process.send(&Command::ProtocolVersion(2).to_string())?;
        let mut name = String::new();
        process.wait_for(PATIENCE, |line| {
            let Ok(Some(parsed)) = Reply::parse(line) else { return None };
            let Reply::Features(features) = parsed.message else { return None };
            for feature in &features {
                if let ("myname", FeatureValue::Text(own)) = (feature.name, feature.value) {
                    name = own.to_owned();
                }
            }
            features.iter().any(|f| f.name == "done" && f.value == FeatureValue::Number(1)).then_some(())
        })?;
        Ok(Self { process, name: format!("{name} (XBoard)"), begun: false, told: 0 })
    }

    fn set_rules(&mut self, opening: &Opening<'_>, rules: &Rules) -> Result<(), Fault> {
        for switch in opening.facts.switches {
            let value = match rules.get(switch.name).unwrap_or(switch.default()) {
                "true" => "1",
                "false" => "0",
                other => other,
            };
            self.process.send(&Command::Option { name: switch.name, value: Some(value) }.to_string())?;
        }
        Ok(())
    }

    fn get_ready(&mut self) -> Result<(), Fault> {
        self.process.send(&Command::Ping(1).to_string())?;
        self.process.wait_for(PATIENCE, |line| {
            matches!(Reply::parse(line), Ok(Some(parsed)) if parsed.message == Reply::Pong(1)).then_some(())
        })
    }
}

impl Player for XboardPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self, opening: &Opening<'_>, allowance: &Allowance) -> Result<(), Fault> {
        self.begun = false;
        self.told = 0;
        self.process.send(&Command::Option { name: "Chance", value: Some("referee") }.to_string())?;
        self.set_rules(opening, opening.rules)?;
        self.process.send(&Command::New.to_string())?;
        if !opening.facts.answers_to("normal") {
            self.process.send(&Command::Variant(opening.facts.name).to_string())?;
        }
        self.process.send(&Command::Force.to_string())?;
        if let Some(text) = &opening.position {
            self.process.send(&Command::SetBoard(text).to_string())?;
        }
        let control = allowance.own.control();
        let level = Level {
            moves: control.turns.unwrap_or(0),
            base: control.base.as_millis() as u64,
            increment: control.increment.as_millis() as u64,
        };
        for command in [Command::Level(level), Command::Post, Command::Easy] {
            self.process.send(&command.to_string())?;
        }
        if let Some(depth) = allowance.depth {
            self.process.send(&Command::Depth(depth).to_string())?;
        }
        self.get_ready()
    }

    fn answer(
        &mut self,
        session: &dyn Session,
        color: Color,
        _opening: &Opening<'_>,
        words: &[Word],
        allowance: &Allowance,
    ) -> Result<Answer, Fault> {
        let centiseconds = |time: Duration| (time.as_millis() / 10) as i64;
        self.process.send(&Command::Time(centiseconds(allowance.own.left())).to_string())?;
        self.process.send(&Command::OpponentTime(centiseconds(allowance.other.left())).to_string())?;
        let mut asked = None;
        // What the others said since it last spoke, chance included.
        for (index, word) in words.iter().enumerate().skip(self.told) {
            if word.speaker != Some(color) {
                let last = index + 1 == words.len();
                let text = word.heard_by(color);
                let text = match (word.speaker, last) {
                    // Its own luck, after which it goes on.
                    (None, true) if word.owner == color => format!("{text},"),
                    (Some(_), true) => xboard_writing(session, &text),
                    _ => text,
                };
                asked = Some(self.process.send(&Command::UserMove(&text).to_string())?);
            }
        }
        self.told = words.len();
        if !self.begun {
            // Its first turn: until now it only listened.
            asked = Some(self.process.send(&Command::Go.to_string())?);
            self.begun = true;
        }
        let asked = asked.ok_or(Fault::NoMove)?;
        let deadline = deadline(allowance);
        let mut comment = String::new();
        loop {
            let (line, came) = self.process.receive(deadline)?;
            let Ok(Some(parsed)) = Reply::parse(&line) else { continue };
            match parsed.message {
                Reply::Thinking(thinking) => {
                    let depth = thinking.ply;
                    comment = match thinking.score {
                        Score::Centipawns(score) => format!("{:+.2}/{depth}", f64::from(score) / 100.0),
                        Score::Wins(moves) => format!("+M{moves}/{depth}"),
                        Score::Loses(moves) => format!("-M{moves}/{depth}"),
                    };
                }
                // Plies that only correct the board of a program without rules; see `protocol-docs/xboard.md`.
                Reply::Move(text) if text.ends_with('z') || text == "@@@@" => {}
                Reply::Move(text) => {
                    let token = xboard_reading(session, text);
                    return Ok(Answer { token, comment, spent: came.saturating_duration_since(asked) });
                }
                Reply::Resign => return Err(Fault::Resigned),
                Reply::Result(claim) if claim.verdict != Verdict::Open => {
                    return Err(Fault::FalseClaim(claim.to_string()));
                }
                Reply::IllegalMove { .. } | Reply::Error { .. } => return Err(Fault::Refused(line)),
                _ => {}
            }
        }
    }

    fn end(&mut self, result: &str) {
        if self.process.send(&format!("result {result}")).is_ok() {
            // Claims of this game must not be read as claims of the next.
            let _ = self.process.send(&Command::Force.to_string());
            let _ = self.get_ready();
        }
    }
}
