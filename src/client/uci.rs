//! The driver of an engine that speaks UCI, or UGI, which is UCI for any game with other names for the
//! players.

use super::driver::{Driver, Heard};
use super::handshake::{UciGreeting, greet_uci, rule_options};
use super::request::{Clocks, MoveRequest, NewGame, SearchInfo};
use super::settings::ITS_OWN_GAME;
use super::{Fault, PlayerSettings, PositionFormat};
use crate::base::Color;
use crate::connection::Process;
use crate::game::{Facts, Rules};
use crate::protocol::Protocol;
use crate::protocol::uci::{Command, Dialect, Go, Reply};
use crate::protocol::{EngineOption, OptionType};
use crate::session::TimeControl;
use std::time::Duration;

/// An engine that speaks UCI or UGI.
pub struct UciDriver {
    /// Whether it speaks UCI or UGI.
    pub dialect: Dialect,
    name: String,
    /// The options that it declared.
    pub options: Vec<EngineOption>,
    /// The name by which it knows the game, if not by ours.
    game: Option<String>,
    positions: PositionFormat,
    ponders: bool,
}

/// The line that sets an option.
pub fn option_line(name: &str, value: Option<&str>) -> String {
    Command::SetOption { name, value }.to_string()
}

/// The lines that set those of its options that `facts` and `rules` decide.
pub fn rule_lines(facts: &Facts, rules: &Rules, options: &[EngineOption]) -> Vec<String> {
    let options = rule_options(facts, rules, |name| EngineOption::find(options, name));
    options.into_iter().map(|(option, value)| option_line(&option.name, Some(&value))).collect()
}

/// Adds both clocks to a `go`: the time left and the increment, of the player who is to move first.
pub fn add_clocks(go: &mut Go<'_>, player: Color, own: (Duration, Duration), other: (Duration, Duration)) {
    let milliseconds = |time: Duration| Some(time.as_millis() as i64);
    let (white, black) = if player == Color::White { (own, other) } else { (other, own) };
    (go.white_time, go.white_increment) = (milliseconds(white.0), milliseconds(white.1));
    (go.black_time, go.black_increment) = (milliseconds(black.0), milliseconds(black.1));
}

impl UciDriver {
    /// The driver of an engine that has introduced itself.
    pub fn new(dialect: Dialect, greeting: UciGreeting, settings: &PlayerSettings) -> Self {
        let UciGreeting { name, options, .. } = greeting;
        let PlayerSettings { game, positions, ponder, .. } = settings;
        Self { dialect, name, options, game: game.clone(), positions: *positions, ponders: *ponder }
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
        match (&self.game, self.choices("UCI_Variant")) {
            (Some(name), Some(choices)) => {
                choices.is_empty() || choices.contains(name) || name == ITS_OWN_GAME
            }
            _ => true,
        }
    }

    /// The name by which the engine knows the game; `None` when it need not be set.
    fn game_name(&self, facts: &Facts) -> Result<Option<String>, Fault> {
        if self.game.as_deref() == Some(ITS_OWN_GAME) {
            return Ok(None);
        }
        let name = self.game.as_deref().unwrap_or(facts.name);
        let unfit = |why: String| Fault::Unfit(format!("it does not know the game {name} ({why})"));
        match (&self.game, self.choices("UCI_Variant")) {
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

    /// True when the engine is sent the board as it is, and not the turns: it takes the game for a chess
    /// variant, and would not know that the rules remove pieces.
    fn sees_boards_only(&self, facts: &Facts) -> bool {
        self.positions == PositionFormat::Fen && facts.xboard.removes
    }

    fn position_line(&self, request: &MoveRequest<'_>, heard: &str) -> String {
        let new_game = request.new_game;
        if self.sees_boards_only(new_game.facts) {
            let text = request.session.position().to_string();
            return format!("position fen {}", self.positions.write(&text));
        }
        let moves = if heard.is_empty() { "" } else { " moves " };
        match &new_game.position {
            None => format!("position startpos{moves}{heard}"),
            Some(text) => format!("position fen {}{moves}{heard}", self.positions.write(text)),
        }
    }

    fn go_line(&self, color: Color, clocks: &Clocks, ponder: bool) -> String {
        let (own, other) = (&clocks.own, &clocks.other);
        let limits = &clocks.limits;
        let mut go = Go { ponder, depth: limits.depth, nodes: limits.nodes, ..Go::default() };
        match own.control() {
            TimeControl::Untimed => {}
            TimeControl::PerTurn { time } => go.move_time = Some(time.as_millis() as u64),
            TimeControl::Clock { .. } | TimeControl::Hourglass { .. } => {
                add_clocks(&mut go, color, (own.left(), own.increment()), (other.left(), other.increment()));
                go.moves_to_go = own.turns_to_go();
            }
        }
        Command::Go(go).to_line(self.dialect)
    }
}

impl Driver for UciDriver {
    fn name(&self) -> &str {
        &self.name
    }

    fn protocol(&self) -> Protocol {
        Protocol::Uci(self.dialect)
    }

    fn has_option(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    fn declared(&self, option: &str) -> Option<String> {
        match self.option(option)?.kind {
            OptionType::Number { value, .. } => Some(value.to_string()),
            _ => None,
        }
    }

    fn set(&self, name: &str, value: &str) -> Result<String, Fault> {
        self.option(name).map_or(Ok(()), |option| option.takes(value))?;
        Ok(option_line(name, Some(value)))
    }

    fn allow_pondering(&mut self, allowed: bool) -> Option<String> {
        self.ponders = allowed;
        let option = self.option("Ponder")?;
        Some(option_line(&option.name, Some(if allowed { "true" } else { "false" })))
    }

    fn find_game(&mut self, process: &mut Process, patience: Duration) {
        if !self.offers_its_game()
            && let Ok(again) = greet_uci(process, self.dialect, patience)
        {
            self.options = again.options;
        }
    }

    fn ask_ready(&mut self) -> Option<String> {
        Some("isready".to_owned())
    }

    fn begin(&mut self, new_game: &NewGame<'_>, _clocks: &Clocks) -> Result<Vec<String>, Fault> {
        let mut lines = Vec::new();
        if let Some(name) = self.game_name(new_game.facts)? {
            lines.push(option_line("UCI_Variant", Some(&name)));
        }
        new_game.check_rules(|name| self.has_option(name))?;
        lines.extend(rule_lines(new_game.facts, new_game.rules, &self.options));
        lines.push(Command::UciNewGame.to_line(self.dialect));
        Ok(lines)
    }

    fn go(&mut self, request: &MoveRequest<'_>) -> Result<Vec<String>, Fault> {
        let position = self.position_line(request, request.heard);
        Ok(vec![position, self.go_line(request.color, &request.clocks, false)])
    }

    fn ponder(&self, request: &MoveRequest<'_>, expected: &str) -> Option<[String; 2]> {
        let can = self.has_option("Ponder") && !self.sees_boards_only(request.new_game.facts);
        if !self.ponders || !can {
            return None;
        }
        let heard = [request.heard, expected].join(" ");
        let position = self.position_line(request, &heard);
        Some([position, self.go_line(request.color, &request.clocks, true)])
    }

    fn ask_end(&mut self, request: &MoveRequest<'_>) -> Option<Vec<String>> {
        let queries = ["query gameover", "query result", "isready"].map(str::to_owned);
        (self.dialect == Dialect::Ugi)
            .then(|| [[self.position_line(request, request.heard)].as_slice(), &queries].concat())
    }

    fn hurry(&self) -> &'static str {
        "stop"
    }

    fn hear<'l>(&mut self, line: &'l str) -> Heard<'l> {
        // A match reads very many lines of thinking and needs the last only, so they are not parsed here.
        if line.starts_with("info") {
            let best =
                line.contains(" score ") && (!line.contains(" multipv ") || line.contains(" multipv 1 "));
            return Heard::Thinking { best };
        }
        if line.starts_with("bestmove") {
            let mut words = line.split_whitespace().skip(1);
            return match (words.next(), words.next(), words.next()) {
                (None, ..) => Heard::NoMove(line),
                (Some(text @ ("(none)" | "none" | "null")), ..) => Heard::NoMove(text),
                (Some(text), Some("ponder"), expects) => Heard::Move { text, expects },
                (Some(text), ..) => Heard::Move { text, expects: None },
            };
        }
        match line.trim() {
            "readyok" => Heard::Ready,
            line => line.strip_prefix("response ").map_or(Heard::Nothing, |text| Heard::Answer(text.trim())),
        }
    }

    fn search_info(&self, line: &str) -> SearchInfo {
        search_info(line)
    }

    fn expected_line<'l>(&self, line: &'l str) -> Option<&'l str> {
        Some(line.split_once(" pv ")?.1)
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
        nodes_per_second: info.nodes_per_second,
        hash_full: info.hash_full,
        table_hits: info.table_hits,
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

    #[test]
    fn lines_are_heard() {
        let mut driver = UciDriver::new(Dialect::Uci, UciGreeting::default(), &PlayerSettings::default());
        for (line, heard) in [
            ("readyok", Heard::Ready),
            ("info depth 3 score cp 5 pv e2e4", Heard::Thinking { best: true }),
            ("info depth 3 multipv 2 score cp 5 pv e2e4", Heard::Thinking { best: false }),
            ("info string hello", Heard::Thinking { best: false }),
            ("bestmove e2e4 ponder e7e5", Heard::Move { text: "e2e4", expects: Some("e7e5") }),
            ("bestmove e2e4", Heard::Move { text: "e2e4", expects: None }),
            ("bestmove 0000", Heard::Move { text: "0000", expects: None }),
            ("bestmove (none)", Heard::NoMove("(none)")),
            ("bestmove", Heard::NoMove("bestmove")),
            ("response p1win ", Heard::Answer("p1win")),
            ("Stockfish by its authors", Heard::Nothing),
        ] {
            assert_eq!(driver.hear(line), heard, "{line}");
        }
    }
}
