//! Games of the engine against itself, as bytes: what was decided, and what the searches found. The positions
//! to learn from are made by playing a game again, so that old games serve new inputs and other filters.
//!
//! ```text
//! "Carom's games 1\n", the length of the game in bytes, its checksum (CRC-32): four bytes each
//! the length of the game's name with its rule switches (a byte), the name
//! White's points (a byte): 0, 1 or 2 halves
//! for each decision two bytes each: its number among the legal ones in ascending order, and the score that a search found,
//! in centipawns, as who decided sees it; -32768 where none did (it was drawn at random, or chance decided)
//! ```
//! Little-endian throughout. Every game stands behind a head of its own, so that games can be added, files
//! joined, and what is damaged left out.

use super::fit::points_of;
use super::sample::{Sample, judged};
use crate::base::{Color, Rng};
use crate::game::{Actor, Decisions, Facts, Game, Playable, Record, Rules};
use crate::search::{Control, Limits, SearchTask, TranspositionTable, WallClock, search};
use std::time::Instant;

/// A game that was played for learning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The game with its rule switches, as [`name_with_rules`] writes it.
    pub name: String,
    /// What White has of it, in half points.
    pub points: u8,
    /// Each decision: its number among the legal ones in ascending order, and the score that a search found,
    /// as who decided sees it.
    pub decisions: Vec<(u16, Option<i16>)>,
}

/// The name of a game and its rule switches: `hanniball`, `jai-alai layout=alt-1`.
pub fn name_with_rules(facts: &Facts, rules: &Rules) -> String {
    rules.iter().fold(facts.name.to_owned(), |name, (switch, value)| format!("{name} {switch}={value}"))
}

/// What each game of a file begins with.
const MAGIC: &[u8; 16] = b"Carom's games 1\n";

/// The score of a decision that no search made.
const NOT_SEARCHED: i16 = i16::MIN;

impl PlayedGame {
    /// The rules it was played by; `None` where it is none of `games`.
    pub fn rules(&self, games: &[&'static Facts]) -> Option<Rules> {
        let mut words = self.name.split(' ');
        let name = words.next()?;
        let facts = games.iter().find(|facts| facts.name == name)?;
        let mut rules = Rules::of(facts);
        for switch in words {
            let (name, value) = switch.split_once('=')?;
            rules.set(facts, name, value).ok()?;
        }
        Some(rules)
    }

    /// How many of its decisions a search made.
    pub fn searches(&self) -> usize {
        self.decisions.iter().filter(|(_, score)| score.is_some()).count()
    }

    /// The game with its head.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut game = vec![self.name.len() as u8];
        game.extend(self.name.bytes());
        game.push(self.points);
        for &(number, score) in &self.decisions {
            game.extend([number.to_le_bytes(), score.unwrap_or(NOT_SEARCHED).to_le_bytes()].as_flattened());
        }
        let numbers = [game.len() as u32, crc32fast::hash(&game)];
        [MAGIC.as_slice(), numbers.map(u32::to_le_bytes).as_flattened(), &game].concat()
    }

    /// Reads what stands behind a head; `None` for what [`PlayedGame::to_bytes`] does not write.
    fn read(bytes: &[u8]) -> Option<Self> {
        let (&length, bytes) = bytes.split_first()?;
        let (name, bytes) = bytes.split_at_checked(length.into())?;
        let (&points, bytes) = bytes.split_first()?;
        let (decisions, []) = bytes.as_chunks::<4>() else { return None };
        let decision = |&[a, b, c, d]: &[u8; 4]| {
            let score = i16::from_le_bytes([c, d]);
            (u16::from_le_bytes([a, b]), Some(score).filter(|score| *score != NOT_SEARCHED))
        };
        let name = str::from_utf8(name).ok()?.to_owned();
        (points <= 2).then(|| Self { name, points, decisions: decisions.iter().map(decision).collect() })
    }

    /// True when all decisions are legal by these rules.
    pub fn is_legal<G: Playable>(&self, rules: &Rules) -> bool {
        self.replay::<G>(rules, &mut |_, _, _, _| ())
    }

    /// Plays the game again and calls `search` with the player who searched, whether a turn began there, the
    /// state as far as that player could know it, the decision that was made and the score. False when a decision is not
    /// legal: the game is played by other rules now.
    pub(super) fn replay<G: Playable>(&self, rules: &Rules, search: &mut SeenSearch<'_, G>) -> bool {
        let mut record = Record::new(G::start(rules));
        let mut rng = Rng::new(1);
        for &(number, score) in &self.decisions {
            let now = record.now();
            let mut list = Decisions::new();
            now.sorted_decisions(&mut list);
            let Some(&decision) = list.get(usize::from(number)) else { return false };
            if let (Some(score), Actor::Player(player)) = (score, now.actor()) {
                let begins = record.begins_turn(record.len());
                search((player, begins), &now.view(player).for_search(&mut rng), decision, score);
            }
            record.play(decision);
        }
        true
    }
}

/// Is shown a search: see [`PlayedGame::replay`].
type SeenSearch<'a, G> = dyn FnMut((Color, bool), &G, <G as Game>::Decision, i16) + 'a;

/// True for a file to which games can be added, if it begins with `bytes`: games, or nothing yet. Before
/// version 0.2.0 positions were written, which nothing reads now.
pub fn holds_games(bytes: &[u8]) -> bool {
    bytes.is_empty() || bytes.starts_with(MAGIC)
}

/// The games of a file, and how many were left out as they are damaged or break off.
pub fn read_games(bytes: &[u8]) -> (Vec<PlayedGame>, usize) {
    let next = |bytes: &[u8]| bytes.windows(MAGIC.len()).position(|window| window == MAGIC);
    let (mut games, mut damaged) = (Vec::new(), 0);
    let begin = next(bytes).unwrap_or(bytes.len());
    damaged += usize::from(begin > 0);
    let mut rest = &bytes[begin..];
    while let Some(behind) = rest.strip_prefix(MAGIC) {
        let game = behind.split_first_chunk::<4>().and_then(|(length, behind)| {
            let (checksum, behind) = behind.split_first_chunk::<4>()?;
            let (game, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            (crc32fast::hash(game) == u32::from_le_bytes(*checksum)).then_some((game, behind))
        });
        let whole = game.is_some();
        let read = game.and_then(|(game, _)| PlayedGame::read(game));
        damaged += usize::from(read.is_none());
        games.extend(read);
        rest = game.map_or(behind, |(_, behind)| behind);
        if !rest.is_empty() && !rest.starts_with(MAGIC) {
            // A head in between is damaged, or the game that follows one.
            damaged += usize::from(whole);
            rest = &rest[next(rest).unwrap_or(rest.len())..];
        }
    }
    (games, damaged)
}

/// Which positions of a game are learned from.
#[derive(Default)]
pub struct Choice<'a> {
    /// Each position's mirror image, too.
    pub mirrored: bool,
    /// Only where a search of one decision and its quiescence finds the same score up to so many centipawns,
    /// with the table that it remembers in: elsewhere the score tells of what comes later, which the board
    /// does not show yet.
    pub noise: Option<(i32, &'a TranspositionTable)>,
}

impl Choice<'_> {
    fn is_quiet<G: Playable>(&self, state: &G, score: i16) -> bool {
        let Some((most, table)) = self.noise else { return true };
        if state.actor() == Actor::Chance {
            // What a roll will bring is no noise: no search of one decision would show it.
            return true;
        }
        let (control, clock) = (Control::default(), WallClock(Instant::now()));
        let limits = Limits { depth: Some(1), ..Limits::default() };
        table.clear(1);
        let found = search(&SearchTask::new(state, &limits, table, &control, &clock), &mut |_, _| ());
        (found.score - i32::from(score)).abs() <= most
    }
}

/// The positions of one game to learn from, and what all its searches found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayedGame {
    /// White's points, as a part of 1.
    points: f64,
    /// Of each search: whether it began a turn, and its score as White sees it.
    searches: Vec<(bool, i16)>,
    /// The positions, each with the number of its search and the colour that decided.
    positions: Vec<(usize, Color, Sample)>,
}

impl ReplayedGame {
    /// Plays `game`, which is of type `G`, again; `None` where a decision is not legal: the rules have
    /// changed since.
    pub fn of<G: Playable>(
        game: &PlayedGame,
        rules: &Rules,
        sample: impl Fn(&G, i16) -> Sample,
        choice: &Choice<'_>,
    ) -> Option<Self> {
        let mut replayed = Self { points: f64::from(game.points) / 2.0, ..Self::default() };
        let whole = game.replay(rules, &mut |(player, begins), state: &G, decision, score| {
            let number = replayed.searches.len();
            let seen_by_white = if player == Color::White { score } else { score.saturating_neg() };
            replayed.searches.push((begins, seen_by_white));
            let Some((state, player, score)) = judged(state, player, decision, score) else { return };
            if !choice.is_quiet(&state, score) {
                return;
            }
            replayed.positions.push((number, player, sample(&state, score)));
            let twin =
                (choice.mirrored && state.between_turns()).then(|| G::mirrored(&state.write())).flatten();
            if let Some(Ok(twin)) = twin.map(|twin| G::read(&twin, rules)) {
                replayed.positions.push((number, player, sample(&twin, score)));
            }
        });
        whole.then_some(replayed)
    }

    /// Of each position the score that the search found and the result of the game, as a part of 1, as who
    /// decided sees them.
    pub fn scores(&self) -> impl Iterator<Item = (i16, f64)> + '_ {
        self.positions.iter().map(|(_, player, sample)| {
            (sample.score, if *player == Color::White { self.points } else { 1.0 - self.points })
        })
    }

    /// The positions. The outcome of each is what came later: the result of the game, discounted by `lambda`
    /// for every turn in between, and for the rest what the searches in between found, made points by the
    /// slope `k` (TD(λ), R. Sutton 1988). With a `lambda` of 1 it is the result alone.
    pub fn samples(self, k: f64, lambda: f64) -> impl Iterator<Item = Sample> {
        let mut later = self.points;
        let mut came = vec![later; self.searches.len()];
        for (came, &(begins, score)) in came.iter_mut().zip(&self.searches).rev() {
            *came = later;
            if begins {
                later = lambda * later + (1.0 - lambda) * points_of(score.into(), k);
            }
        }
        self.positions.into_iter().map(move |(number, player, sample)| {
            let white = came[number] as f32;
            Sample { outcome: if player == Color::White { white } else { 1.0 - white }, ..sample }
        })
    }
}
