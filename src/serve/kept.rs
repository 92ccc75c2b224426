//! A game as it is kept in a file: a journal's record, and what else it takes to go on with it.

use super::places::{KeyRing, Keys};
use super::web_game::{EVENT, WebGame};
use crate::base::Color;
use crate::engine::options;
use crate::game::Rules;
use crate::live_game::{Left, PgnTags, Seat, Setup, Table, game_record};
use crate::pgn::{Ending, GameRecord, Termination, pgn_today};
use crate::session::TimeControl;
use crate::variants;
use litemap::LiteMap;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A game that was kept.
#[derive(Debug, Serialize, Deserialize)]
pub struct Kept {
    /// The name by which it is joined.
    pub session: String,
    keys: Keys,
    game: String,
    rules: LiteMap<String, String>,
    seats: [Seat; 2],
    level: String,
    tc: String,
    rolls: bool,
    /// All that was played, decision by decision, with the results of dice and cards.
    tokens: Vec<String>,
    /// The lines beside the game, each from the first decision on.
    lines: Vec<Vec<String>>,
    /// The time left in milliseconds, White's first.
    clocks: Option<[u64; 2]>,
    /// With two pages: the persons' names, and whether the second one has yet to come.
    persons: [Option<String>; 2],
    awaited: bool,
    /// The first position that was asked for.
    started: Option<String>,
    /// The number of the task of the guided first game.
    lesson: Option<usize>,
    #[serde(flatten)]
    record: GameRecord,
}

impl WebGame {
    /// The game as it is to be kept.
    pub fn kept(&self) -> Kept {
        let session = self.table.session();
        let now = self.now();
        let left = |color| self.table.time_left(color, now).map(|left| left.as_millis() as u64);
        let tags = PgnTags { event: EVENT, engine: &options::engine_name(), date: &pgn_today() };
        Kept {
            session: self.name.clone(),
            keys: self.keys.copy(),
            game: session.facts().name.to_owned(),
            rules: session.rules().iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            seats: self.table.seats(),
            level: self.table.level.to_string(),
            tc: self.tc.clone(),
            rolls: self.table.rolls(),
            tokens: self.table.played().line().tokens,
            lines: self.variations.tokens(),
            clocks: left(Color::White).zip(left(Color::Black)).map(<[u64; 2]>::from),
            persons: self.names.clone(),
            awaited: self.awaited,
            started: self.started.clone(),
            lesson: self.lesson.map(|(_, number)| number),
            record: game_record(&self.table, tags),
        }
    }

    /// The game that was kept.
    ///
    /// # Errors
    /// When this program cannot go on with it.
    pub fn restored(kept: &Kept) -> Result<Self, String> {
        let facts = variants::find(&kept.game).map_err(|error| error.to_string())?;
        let mut rules = Rules::of(facts);
        for (name, value) in &kept.rules {
            rules.set(facts, name, value).map_err(|error| error.to_string())?;
        }
        let control = kept.tc.parse::<TimeControl>().map_err(|error| error.to_string())?;
        let setup = Setup {
            facts,
            rules,
            position: kept.record.position.as_deref(),
            seed: kept.record.seed.max(1),
            rolls: kept.rolls,
            seats: kept.seats,
            control,
        };
        let times = kept.clocks.map(|clocks| clocks.map(Duration::from_millis));
        let left = Left { tokens: &kept.tokens, times, ending: ending(&kept.record) };
        let mut game = Self::new(kept.session.clone(), KeyRing::new(kept.keys.clone()))?;
        game.table = Table::resume(setup, left, game.now()).map_err(|refusal| refusal.to_string())?;
        if game.is_for_two() {
            game.table.set_apart();
            if kept.awaited {
                game.table.hold_clock();
            }
        }
        game.set_level(kept.level.parse()?);
        for tokens in &kept.lines {
            if let Ok(line) = game.table.played().replay(tokens).map(|replayed| replayed.line()) {
                game.variations.keep(line);
            }
        }
        (game.names, game.awaited, game.begun) = (kept.persons.clone(), kept.awaited, true);
        (game.started, game.tc) = (kept.started.clone(), kept.tc.clone());
        game.lesson = facts.course.as_ref().zip(kept.lesson);
        // Two engines do not play on before somebody says so.
        game.paused = game.table.seats() == [Seat::Engine; 2];
        Ok(game)
    }
}

/// The ending of a game that its rules have not ended.
fn ending(record: &GameRecord) -> Option<Ending> {
    let winner = match &*record.result {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        "1/2-1/2" => None,
        _ => return None,
    };
    let by_rule = record.termination == Termination::Normal;
    (!by_rule).then(|| Ending { winner, termination: record.termination, reason: record.reason.clone() })
}
