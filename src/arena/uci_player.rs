//! An engine that speaks UCI, or UGI, which is UCI for any game with other names for the players.

use super::Fault;
use super::greeting::{UciGreeting, greet_uci, rule_options};
use super::player::{
    Clocks, MoveDeadline, MoveReply, MoveRequest, NewGame, Player, PlayerSettings, PositionFormat, SearchInfo,
};
use crate::base::Color;
use crate::game::Facts;
use crate::process::{Process, ProcessError};
use crate::protocol::EngineOption;
use crate::protocol::uci::{Command, Dialect, Go, Reply};
use crate::session::TimeControl;
use std::time::{Duration, Instant};

/// An engine that speaks UCI or UGI.
pub struct UciPlayer {
    process: Process,
    dialect: Dialect,
    settings: PlayerSettings,
    name: String,
    /// The options that the engine declared.
    options: Vec<EngineOption>,
    /// The line on which it ponders: everything sent so far, and the turn it expects.
    pondering: Option<String>,
}

impl UciPlayer {
    /// Takes over an engine that has been greeted.
    ///
    /// # Errors
    /// When it lacks an option it must have, or does not get ready.
    pub fn new(
        process: Process,
        dialect: Dialect,
        said: UciGreeting,
        settings: PlayerSettings,
    ) -> Result<Self, Fault> {
        let UciGreeting { name, options, .. } = said;
        let name = settings.name.clone().unwrap_or(name);
        let mut player = Self { process, dialect, settings, name, options, pondering: None };
        let mut lines = player.settings.init_lines.clone();
        // Some variants are known only after a file has been read, so these options come before the choice of
        // the game.
        for (name, value) in player.settings.chosen_options(|name| player.option(name).is_some())? {
            player.option(name).map_or(Ok(()), |option| option.takes(value))?;
            lines.push(Command::SetOption { name, value: Some(value) }.to_string());
        }
        if player.option("Ponder").is_some() {
            let value = Some(if player.settings.ponder { "true" } else { "false" });
            lines.push(Command::SetOption { name: "Ponder", value }.to_string());
        }
        player.get_ready(lines)?;
        if !player.offers_its_game() {
            // An engine announces the games of a file that an option has just named only when it is greeted
            // again.
            if let Ok(again) = greet_uci(&mut player.process, dialect, player.settings.ready) {
                player.options = again.options;
            }
        }
        Ok(player)
    }

    fn option(&self, name: &str) -> Option<&EngineOption> {
        EngineOption::find(&self.options, name)
    }

    /// The choices of an option, if the engine has it.
    fn choices(&self, name: &str) -> Option<&[String]> {
        self.option(name).map(EngineOption::choices)
    }

    /// False when the user named a game that the engine does not list.
    fn offers_its_game(&self) -> bool {
        match (&self.settings.game, self.choices("UCI_Variant")) {
            (Some(name), Some(choices)) => choices.is_empty() || choices.contains(name),
            _ => true,
        }
    }

    /// The name by which the engine knows the game; `None` when it need not be set.
    fn game_name(&self, facts: &Facts) -> Result<Option<String>, Fault> {
        let name = self.settings.game.as_deref().unwrap_or(facts.name);
        let unfit = |why: String| Fault::Unfit(format!("it does not know the game {name} ({why})"));
        match (&self.settings.game, self.choices("UCI_Variant")) {
            (Some(name), Some(_)) if self.offers_its_game() => Ok(Some(name.clone())),
            // A UGI engine without this option plays one game, whatever its name.
            (Some(_), None) if self.dialect == Dialect::Ugi => Ok(None),
            (None, Some([])) => Ok(Some(facts.name.to_owned())),
            (own, Some(choices)) => {
                match choices.iter().find(|choice| own.is_none() && facts.answers_to(choice)) {
                    Some(choice) => Ok(Some(choice.clone())),
                    None if choices.len() > 12 => {
                        let why = "; variant= tells another name, and programs that read games from a file need an option for it";
                        Err(unfit(format!("its UCI_Variant offers {} others{why}", choices.len())))
                    }
                    None => Err(unfit(format!("its UCI_Variant offers {}", choices.join(", ")))),
                }
            }
            // A UCI engine without this option plays chess.
            (None, None) if facts.is_chess() || self.dialect == Dialect::Ugi => Ok(None),
            (_, None) => Err(unfit("it has no option UCI_Variant".to_owned())),
        }
    }

    fn get_ready(&mut self, mut lines: Vec<String>) -> Result<(), ProcessError> {
        lines.push("isready".to_owned());
        self.process.send_all(&lines)?;
        self.process.wait_for(self.settings.ready, |line| (line.trim() == "readyok").then_some(()))
    }

    /// Ends a search whose answer is not needed.
    fn stop_pondering(&mut self) -> Result<(), ProcessError> {
        if self.pondering.take().is_some() {
            self.process.send("stop")?;
            self.process.wait_for(self.settings.hang, |line| line.starts_with("bestmove").then_some(()))?;
        }
        Ok(())
    }

    /// True when the engine is sent the board as it is, and not the turns: it takes the game for a chess
    /// variant, and would not know that the rules remove pieces.
    fn sees_boards_only(&self, facts: &Facts) -> bool {
        self.settings.positions == PositionFormat::Fen && facts.xboard.removes
    }

    fn position_line(&self, request: &MoveRequest<'_>, heard: &str) -> String {
        let new_game = request.new_game;
        if self.sees_boards_only(new_game.facts) {
            let text = request.session.position().to_string();
            return format!("position fen {}", self.settings.positions.write(&text));
        }
        let moves = if heard.is_empty() { "" } else { " moves " };
        match &new_game.position {
            None => format!("position startpos{moves}{heard}"),
            Some(text) => format!("position fen {}{moves}{heard}", self.settings.positions.write(text)),
        }
    }

    fn go_line(&self, color: Color, clocks: &Clocks, ponder: bool) -> String {
        let milliseconds = |time: Duration| time.as_millis() as i64;
        let (own, other) = (&clocks.own, &clocks.other);
        let (white, black) = if color == Color::Black { (other, own) } else { (own, other) };
        let limits = &clocks.limits;
        let mut go = Go { ponder, depth: limits.depth, nodes: limits.nodes, ..Go::default() };
        match own.control() {
            TimeControl::Untimed => {}
            TimeControl::PerTurn { time } => go.move_time = Some(time.as_millis() as u64),
            TimeControl::Clock { .. } | TimeControl::Hourglass { .. } => {
                go.white_time = Some(milliseconds(white.left()));
                go.black_time = Some(milliseconds(black.left()));
                go.white_increment = Some(milliseconds(white.increment()));
                go.black_increment = Some(milliseconds(black.increment()));
                go.moves_to_go = own.turns_to_go();
            }
        }
        Command::Go(go).to_line(self.dialect)
    }

    /// Reads the engine's lines up to `bestmove`.
    fn listen(&mut self, request: &MoveRequest<'_>, asked: Instant) -> Result<MoveReply, Fault> {
        let mut deadline = MoveDeadline::new(&self.settings, &request.clocks, asked);
        // Only the last opinion counts; the others need not be parsed.
        let mut info = None;
        loop {
            let (line, came) = deadline.next_line(&mut self.process, "stop")?;
            if line.starts_with("bestmove") {
                let words: Vec<&str> = line.split_whitespace().collect();
                let token = match words.get(1) {
                    None => return Err(Fault::NoMove(line)),
                    Some(&("(none)" | "0000" | "none" | "null")) if !request.has_pass() => {
                        return Err(Fault::NoMove(words[1].to_owned()));
                    }
                    Some(token) => (*token).to_owned(),
                };
                let expects = match words.get(2..) {
                    Some(["ponder", expected, ..]) => Some((*expected).to_owned()),
                    _ => None,
                };
                let search_info = info.as_deref().map(search_info).unwrap_or_default();
                let spent = came.saturating_duration_since(asked);
                return Ok(MoveReply { token, search_info, spent, expects, draw: false });
            }
            if line.starts_with("info") && line.contains(" score ") && !line.contains(" multipv ")
                || line.contains(" multipv 1 ")
            {
                info = Some(line);
            }
        }
    }
}

/// The opinion in an `info` line.
fn search_info(line: &str) -> SearchInfo {
    let Ok(Some(parsed)) = Reply::parse(line) else { return SearchInfo::default() };
    let Reply::Info(info) = parsed.message else { return SearchInfo::default() };
    SearchInfo {
        score: info.score.map(Into::into),
        depth: info.depth.unwrap_or_default(),
        selective_depth: info.selective_depth,
        nodes: info.nodes,
        time: info.time.map(Duration::from_millis),
    }
}

impl Player for UciPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self, new_game: &NewGame<'_>, _allowance: &Clocks) -> Result<(), Fault> {
        self.process.set_secret(new_game.secret);
        let mut lines = Vec::new();
        let mut set = |name: &str, value: &str| {
            lines.push(Command::SetOption { name, value: Some(value) }.to_string());
        };
        if let Some(name) = self.game_name(new_game.facts)? {
            set("UCI_Variant", &name);
        }
        new_game.check_rules(|name| self.option(name).is_some())?;
        for (option, value) in rule_options(new_game.facts, new_game.rules, |name| self.option(name)) {
            set(&option.name, &value);
        }
        lines.push(Command::UciNewGame.to_line(self.dialect));
        Ok(self.get_ready(lines)?)
    }

    fn go(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Fault> {
        if self.pondering.as_deref() == Some(request.heard) {
            self.pondering = None;
            let asked = self.process.send("ponderhit")?;
            return self.listen(request, asked);
        }
        self.stop_pondering()?;
        // What it sent unasked is not an answer to the next request.
        while let Some(line) = self.process.pending() {
            if line.starts_with("bestmove") {
                log::warn!("{} speaks out of turn: {}", self.name, self.process.logged(&line));
            }
        }
        let position = self.position_line(request, request.heard);
        let go = self.go_line(request.color, &request.clocks, false);
        let asked = self.process.send_all(&[position, go])?;
        self.listen(request, asked)
    }

    fn ponder(&mut self, request: &MoveRequest<'_>, expected: &str) {
        let can = self.option("Ponder").is_some() && !self.sees_boards_only(request.new_game.facts);
        if self.settings.ponder && can {
            let heard = [request.heard, expected].join(" ");
            let position = self.position_line(request, &heard);
            let go = self.go_line(request.color, &request.clocks, true);
            if self.process.send_all(&[position, go]).is_ok() {
                self.pondering = Some(heard);
            }
        }
    }

    fn end(&mut self, _result: &str) -> bool {
        self.stop_pondering().is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::xboard::Score;

    #[test]
    fn opinions_are_read() {
        let line = "info depth 12 seldepth 20 score mate -3 nodes 4000 time 15 pv e2e4";
        let read = search_info(line);
        assert_eq!((read.score, read.depth), (Some(Score::Loses(3)), 12));
        assert_eq!((read.nodes, read.time), (Some(4000), Some(Duration::from_millis(15))));
        assert_eq!(read.to_string(), "-M3/12");
        assert_eq!(search_info("info depth 3 score cp -15").to_string(), "-0.15/3");
        assert_eq!(search_info("garbage").to_string(), "");
    }
}
