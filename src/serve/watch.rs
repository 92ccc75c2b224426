//! A running or finished match, from its journal: the table, the course of Elo and LLR, and every game with
//! its boards.

use super::view;
use crate::arena::{MatchState, RunningGame, Settings, journal};
use crate::base::files::open_regular;
use crate::pgn::GameRecord;
use crate::session::{self, chance::Chance};
use crate::statistics::{estimate, summary};
use litemap::LiteMap;
use serde_json::{Value, json};
use std::io::Read;
use std::path::PathBuf;

/// The most games in one message.
const MOST_ROWS: usize = 500;
/// The most points of the curve in one message.
const MOST_POINTS: usize = 400;
/// The number of bytes at the beginning of the file by which another match is recognized.
const BEGINNING: u64 = 4096;
/// The most turns of a game that are shown.
const MOST_TURNS: usize = 1000;

/// What has been read from the journal.
pub struct Watch {
    path: PathBuf,
    /// How far it has been read.
    reading: journal::Reading,
    /// The beginning of the file at that time.
    beginning: Vec<u8>,
    settings: Option<Settings>,
    names: Vec<String>,
    state: MatchState,
    rows: Vec<Value>,
    /// The offset of each game's line.
    offsets: LiteMap<u64, u64>,
    /// The score of a match of two engines after each number of games.
    curve: Vec<Value>,
}

/// A game as a row of the list.
fn row(game: &GameRecord) -> Value {
    let GameRecord { number, names: [white, black], result, reason, turns, .. } = game;
    json!({
        "number": number, "white": white, "black": black, "result": result, "reason": reason, "turns": turns.len(),
    })
}

impl Watch {
    /// A journal of which nothing has been read yet.
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            reading: journal::Reading::default(),
            beginning: Vec::new(),
            settings: None,
            names: Vec::new(),
            state: MatchState::default(),
            rows: Vec::new(),
            offsets: LiteMap::new(),
            curve: Vec::new(),
        }
    }

    /// Reads what is new. A file that has been replaced is read from its beginning.
    fn read(&mut self) -> Result<(), String> {
        let failed = |error| format!("the journal: {error}");
        let file = open_regular(&self.path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        if length == self.reading.length && self.settings.is_some() {
            return Ok(());
        }
        let mut beginning = Vec::new();
        file.take(BEGINNING).read_to_end(&mut beginning).map_err(failed)?;
        if length < self.reading.length || !beginning.starts_with(&self.beginning) {
            *self = Self::new(self.path.clone());
        }
        self.beginning = beginning;
        let mut games = Vec::new();
        let read = journal::read_on(&self.path, &mut self.reading, &mut |game, at| games.push((game, at)));
        if self.settings.is_none()
            && let Some(header) = &self.reading.header
        {
            self.settings = Some(Settings::read(&header.settings, 1).map_err(|error| error.to_string())?);
            self.names.clone_from(&header.names);
        }
        self.add(games);
        read.map_err(|error| error.to_string())?;
        self.settings.as_ref().map(|_| ()).ok_or_else(|| "the match has not begun".to_owned())
    }

    /// Counts these games, whose lines begin at the offsets.
    fn add(&mut self, games: Vec<(GameRecord, u64)>) {
        let Some(settings) = &self.settings else { return };
        for (game, offset) in games {
            self.state.add(settings, &game);
            let two = self.names.len() == 2;
            if let Some(counts) = self.state.scoreboard.score(0, 1).filter(|_| two) {
                let estimate = estimate(&counts);
                let llr = settings.sprt.as_ref().map(|test| test.status(&counts).llr);
                self.curve.push(json!({
                    "games": counts.games_played(), "elo": estimate.elo, "error": estimate.elo_error, "llr": llr,
                }));
            }
            self.offsets.insert(game.number, offset);
            self.rows.push(row(&game));
        }
    }

    /// The game under way; the first one if there are several.
    fn running(&self) -> Option<GameRecord> {
        let game = RunningGame::read(&self.path).ok()?;
        // A match that was killed leaves this file behind, but no process holds its journal.
        let held = open_regular(&self.path).is_ok_and(|journal| journal.try_lock_shared().is_err());
        (held && !self.offsets.contains_key(&game.number)).then_some(game)
    }

    /// What is new since `from` games were known.
    pub fn since(&mut self, from: usize) -> Result<Value, String> {
        self.read()?;
        let settings = self.settings.as_ref().ok_or("the match has not begun")?;
        let board = &self.state.scoreboard;
        let table: Vec<Value> = board
            .ranking()
            .into_iter()
            .map(|engine| {
                let [losses, draws, wins] = board.standings[&engine].games;
                json!({
                    "name": self.names[engine], "wins": wins, "draws": draws, "losses": losses,
                    "points": board.points(engine),
                })
            })
            .collect();
        let counts = board.score(0, 1).filter(|_| self.names.len() == 2);
        let lines = counts.map_or_else(Vec::new, |counts| {
            summary(&counts, board.telling(0, 1).as_ref(), settings.sprt.as_ref())
        });
        let rows: Vec<&Value> = self.rows.iter().skip(from).take(MOST_ROWS).collect();
        let apart = self.curve.len().div_ceil(MOST_POINTS).max(1);
        let mut curve: Vec<&Value> = self.curve.iter().step_by(apart).collect();
        curve.extend(self.curve.last().filter(|_| apart > 1));
        let bounds = settings.sprt.as_ref().map(|test| test.bounds());
        Ok(json!({
            "type": "journal", "from": from, "games": self.rows.len(), "game": settings.facts.name, "title": settings.facts.title,
            "table": table, "summary": lines, "rows": rows, "curve": curve, "bounds": bounds,
            "decided": self.state.decided,
            "running": self.running().as_ref().map(row),
        }))
    }

    /// A game of the match with all its boards; of the game under way, those so far.
    pub fn game(&mut self, number: u64) -> Result<Value, String> {
        self.read()?;
        let settings = self.settings.as_ref().ok_or("the match has not begun")?;
        let game = match self.offsets.get(&number) {
            Some(&offset) => {
                let mut file = open_regular(&self.path).map_err(|error| format!("the journal: {error}"))?;
                journal::game_at(&mut file, &self.path, offset).map_err(|error| error.to_string())?
            }
            None => self
                .running()
                .filter(|game| game.number == number)
                .ok_or_else(|| format!("there is no game {number}"))?,
        };
        let facts = settings.facts;
        let mut session = session::open(facts, settings.rules.clone(), Chance::Referee);
        let start = game.position.as_deref();
        session.set_up(start, &mut std::iter::empty()).map_err(|error| error.to_string())?;
        let mut boards = vec![view::board(facts, &session.shown(), &[])];
        let mut turns = Vec::new();
        for turn in game.turns.iter().take(MOST_TURNS) {
            let before = session.tokens_played();
            if session.play(&turn.0).is_err() {
                break;
            }
            let made = session.made(before, session.tokens_played());
            boards.push(view::board(facts, &session.shown(), &made));
            let by = if turn.1 == 'w' { "white" } else { "black" };
            let (info, left) = (turn.2.as_ref().map(|info| &info.0), turn.2.as_ref().and_then(|info| info.2));
            turns.push(json!({"by": by, "text": turn.0, "info": info, "left": left}));
        }
        Ok(json!({
            "type": "game", "number": number, "game": facts.name, "white": game.names[0], "black": game.names[1],
            "result": game.result, "reason": game.reason, "turns": turns, "boards": boards,
        }))
    }
}
