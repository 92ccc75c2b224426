//! The games an engine plays: its names for them, and what is known of them here.

use super::aliases::GameAlias;
use super::handshake::Features;
use super::{ClientSettings, Fault, uci};
use crate::connection::Process;
use crate::game::Facts;
use crate::notation::parse_position;
use crate::protocol::uci::{Dialect, Reply};
use crate::protocol::{EngineOption, OptionType, same_words};
use crate::session::Announcement;
use crate::variants::{self, chess::FISCHERANDOM};
use std::time::Instant;

/// A game that the engine plays.
pub struct Game {
    pub facts: &'static Facts,
    /// The engine's name for it.
    pub theirs: String,
    pub alias: Option<GameAlias>,
}

impl Game {
    /// Its name in XBoard's `variant`; `None` for chess, which need not be named.
    pub fn variant(&self) -> Option<&str> {
        Some(self.theirs.as_str()).filter(|name| *name != "normal")
    }
}

/// The games that every XBoard since 4.9 knows by name, so that it needs no set-up for them.
const XBOARD_KNOWS: &str = "normal wildcastle nocastle fischerandom bughouse crazyhouse losers suicide giveaway twokings \
    kriegspiel atomic 3check shatranj courier knightmate capablanca falcon gothic berolina janus super great asean \
    shogi xiangqi spartan makruk seirawan lion elven chu grand";

fn xboard_knows(name: &str) -> bool {
    XBOARD_KNOWS.split(' ').any(|own| own == name)
}

/// Reads `variant NAME files F ranks R pocket P template T startpos FEN`, by which Fairy-Stockfish announces
/// a game.
fn announcement(text: &str) -> Option<Announcement> {
    let (words, start) = text.strip_prefix("variant ")?.split_once(" startpos ")?;
    let mut words = words.split_whitespace();
    let name = words.next()?.to_owned();
    let pairs: Vec<&str> = words.collect();
    let value = |key: &str| pairs.chunks(2).find(|pair| pair[0] == key).and_then(|pair| pair.get(1).copied());
    let number = |key: &str| value(key).and_then(|text| text.parse::<u8>().ok());
    let (files, ranks) = (number("files")?, number("ranks")?);
    let hand = number("pocket").unwrap_or(0);
    let template = value("template").unwrap_or("fairy");
    let setup = (!xboard_knows(&name)).then(|| format!("{files}x{ranks}+{hand}_{template}"));
    Some(Announcement { name, files, ranks, hand, start: start.trim().to_owned(), setup })
}

/// True when both texts show the same board.
fn same_board(one: &str, other: &str) -> bool {
    let board = |text| parse_position(text).ok().map(|position| position.placement);
    board(one).is_some_and(|found| board(other) == Some(found))
}

/// Adds the engine's game called `theirs`, announced as `said`, unless it is in the list under another name.
fn add(games: &mut Vec<Game>, theirs: &str, settings: &ClientSettings, said: Option<&Announcement>) {
    let alias = settings.aliases.of_engine(theirs).cloned();
    let name = alias.as_ref().map_or(theirs, |alias| &alias.name);
    if games.iter().any(|game| game.facts.answers_to(name)) {
        return;
    }
    let ours = variants::find(name).ok().filter(|facts| {
        // The same name need not mean the same game.
        alias.is_some() || facts.is_chess() || said.is_none_or(|said| same_board(&said.start, facts.start))
    });
    let unknown = || {
        let name = name.to_owned();
        // XBoard counts the ranks of these from 0, everyone else from 1, and no engine says how many there are.
        let ranks = if matches!(theirs, "xiangqi" | "grand" | "elven") { 10 } else { 8 };
        let (files, start) = (8, String::new());
        let unsaid = Announcement { name: String::new(), files, ranks, hand: 0, start, setup: None };
        let mut said = Announcement { name, ..said.cloned().unwrap_or(unsaid) };
        if let Some(alias) = &alias {
            said.setup = alias.setup.clone().or(said.setup);
            said.start = alias.start.clone().unwrap_or(said.start);
        }
        said.into_facts()
    };
    games.push(Game { facts: ours.unwrap_or_else(unknown), theirs: theirs.to_owned(), alias });
}

/// Puts the game called `wanted` first.
///
/// # Errors
/// When there is no such game, although it is needed.
fn put_first(games: &mut [Game], wanted: &str, needed: bool) -> Result<(), Fault> {
    let is_it = |game: &Game| game.facts.answers_to(wanted) || same_words(&game.theirs, wanted);
    match games.iter().position(is_it) {
        Some(at) => games.swap(0, at),
        None if needed => return Err(Fault::Unfit(format!("it does not know the game {wanted}"))),
        None => {}
    }
    Ok(())
}

/// The games of the engine. The first is the one it plays unless another is chosen.
pub fn uci_games(
    variant: Option<&EngineOption>,
    dialect: Dialect,
    settings: &ClientSettings,
    process: &mut Process,
) -> Result<Vec<Game>, Fault> {
    let chess = || Game { facts: variants::all()[0], theirs: "chess".to_owned(), alias: None };
    let Some(variant) = variant else {
        // An engine without this option plays a single game. Except with UCI that may be a game that is not
        // registered here.
        let mut games = Vec::new();
        let known = |name: &&str| dialect != Dialect::Uci || settings.aliases.of_engine(name).is_some();
        match settings.game.as_deref().or(dialect.own_game()) {
            None => games.push(chess()),
            Some(name) if known(&name) => add(&mut games, name, settings, None),
            Some(name) => {
                let facts = variants::find(name).map_err(|error| Fault::Unfit(error.to_string()))?;
                games.push(Game { facts, ..chess() });
            }
        }
        return Ok(games);
    };
    let names: Vec<String> = match variant.choices() {
        [] => settings.game.iter().cloned().collect(),
        choices => choices.to_vec(),
    };
    let announced = announcements(&names, variant, settings, process)?;
    let mut games: Vec<Game> = Vec::new();
    for theirs in &names {
        // Chess960 has an option of its own.
        if matches!(theirs.as_str(), FISCHERANDOM | "chess960") {
            continue;
        }
        let said = announced.iter().find(|said| same_words(&said.name, theirs));
        add(&mut games, theirs, settings, said);
    }
    let wanted = match (&settings.game, &variant.kind) {
        (Some(name), _) => Some(name.clone()),
        (None, OptionType::OneOf { current, .. }) => Some(current.clone()),
        (None, OptionType::Text { value, .. }) => Some(value.clone()),
        _ => None,
    };
    if let Some(name) = wanted.filter(|name| !name.is_empty()) {
        put_first(&mut games, &name, settings.game.is_some())?;
    }
    if games.is_empty() {
        games.push(chess());
    }
    Ok(games)
}

/// The engine's announcements of those games in `names` of which XBoard or our rules must know more than the
/// name.
fn announcements(
    names: &[String],
    variant: &EngineOption,
    settings: &ClientSettings,
    process: &mut Process,
) -> Result<Vec<Announcement>, Fault> {
    let asks = |name: &&String| {
        let shared = variants::find(name).is_ok_and(|facts| !facts.is_chess());
        let unknown = settings.for_xboard && !xboard_knows(name);
        let wanted = settings.game.as_ref().is_none_or(|game| same_words(game, name));
        shared || unknown && wanted
    };
    let asked: Vec<&String> = names.iter().filter(asks).collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let set = |value: &str| uci::option_line(&variant.name, Some(value));
    let mut lines: Vec<String> = asked.iter().map(|name| set(name)).collect();
    if let OptionType::OneOf { current, .. } = &variant.kind {
        lines.push(set(current));
    }
    lines.push("isready".to_owned());
    process.send_all(&lines)?;
    let deadline = Instant::now() + settings.patience;
    let mut said = Vec::new();
    loop {
        let (line, _) = process.receive(deadline)?;
        match Reply::parse(&line) {
            Ok(Some(parsed)) => match parsed.message {
                Reply::ReadyOk => return Ok(said),
                Reply::Info(info) => said.extend(info.string.and_then(announcement)),
                _ => {}
            },
            _ => continue,
        }
    }
}

/// The games of the engine, chess first if it plays that.
pub fn xboard_games(features: &Features, settings: &ClientSettings) -> Result<Vec<Game>, Fault> {
    let mut games: Vec<Game> = Vec::new();
    for theirs in features.games().into_iter().filter(|name| !name.is_empty() && *name != FISCHERANDOM) {
        add(&mut games, theirs, settings, None);
    }
    let wanted = settings.game.as_deref().unwrap_or("normal");
    let needed = settings.game.is_some() || games.is_empty();
    put_first(&mut games, wanted, needed)?;
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Aliases;
    use std::time::Duration;

    fn settings() -> ClientSettings {
        let (aliases, patience) = (Aliases::default(), Duration::ZERO);
        ClientSettings { protocol: None, game: None, aliases, patience, for_xboard: false }
    }

    #[test]
    fn games_of_ten_ranks_are_known_by_name() {
        let mut games = Vec::new();
        for name in ["xiangqi", "grand", "oddhouse"] {
            add(&mut games, name, &settings(), None);
        }
        let ranks: Vec<u8> = games.iter().map(|game| game.facts.ranks).collect();
        assert_eq!(ranks, [10, 10, 8]);
    }

    #[test]
    fn a_game_is_known_by_its_announcement() {
        let text = "variant horde files 8 ranks 8 pocket 0 template fairy startpos rnbqkbnr/8/8/8/8/8/8/8 w kq - 0 1";
        let said = announcement(text).unwrap();
        assert_eq!((said.name.as_str(), said.files, said.ranks, said.hand), ("horde", 8, 8, 0));
        assert_eq!(said.start, "rnbqkbnr/8/8/8/8/8/8/8 w kq - 0 1");
        assert_eq!(said.setup.as_deref(), Some("8x8+0_fairy"));
        assert_eq!(announcement(&text.replace("horde", "crazyhouse")).unwrap().setup, None);
        for other in
            ["variant", "variant x files 8", "NNUE evaluation enabled", "variant x ranks 300 startpos 8"]
        {
            assert_eq!(announcement(other), None, "{other}");
        }
    }
}
