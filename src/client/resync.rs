//! What an engine that speaks the XBoard protocol has been sent about the game and the time, and the lines
//! that bring it up to date.

use super::aliases::Spelling;
use super::searcher::Search;
use super::xboard::XboardDriver;
use crate::base::Color;
use crate::engine::options::is_registered;
use crate::game::{Facts, Rules};
use crate::notation::{Cell, parse_position};
use crate::protocol::xboard::{Command, Level, Selection};
use crate::search::{Budget, Limits};
use crate::session::xboard_spelling;
use crate::variants::chess::{CHESS960, FISCHERANDOM};
use std::time::Duration;

/// The engine's names in the game.
pub struct Names<'a> {
    pub spelling: &'a Spelling,
    /// Its name for the game; `None` for chess.
    pub variant: Option<&'a str>,
}

/// What it has been sent so far.
#[derive(Default)]
pub struct Sent {
    game: Option<(&'static Facts, Rules)>,
    start: Option<String>,
    /// The turns, as our rules write them.
    tokens: Vec<String>,
    /// The same turns as XBoard writes them.
    written: Vec<String>,
    /// True while it plays the side that was last on turn, and answers when it is sent a turn.
    plays: bool,
    time: Time,
    excluded: bool,
}

/// What it has been sent about time. This stays in force until it is sent something else.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Time {
    /// Whether there are sessions, and the increment.
    level: Option<(bool, Duration)>,
    /// Whole seconds per move.
    move_time: Option<u64>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

/// How it gets from the position it has to the one it should have.
#[derive(Debug, PartialEq, Eq)]
enum Resync {
    /// By turns after those it has.
    Onward,
    /// By the rest of a turn of which it has the beginning, and those after that.
    RestOfTurn(String),
    /// By taking back so many turns, and playing others.
    Undo(usize),
    /// From the beginning.
    FromStart,
}

/// A depth that no engine reaches. It lifts a limit of depth.
const ANY_DEPTH: u32 = 99;
/// To go back further than this many turns, the game is begun anew.
const MOST_UNDONE: usize = 4;
/// The time for an engine that cannot play without a clock.
const HOURS: Duration = Duration::from_secs(10 * 3600);

impl Sent {
    /// From now on everything is sent again from the beginning.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Notes that the engine has played this turn, and waits for the next.
    pub fn has_played(&mut self, token: String) {
        match self.tokens.last_mut().filter(|last| last.ends_with(',')) {
            // It was sent the roll that begins its turn.
            Some(begun) => begun.push_str(&token),
            None => self.tokens.push(token),
        }
        self.plays = true;
    }

    /// Notes that the engine no longer plays either side.
    pub fn stopped_playing(&mut self) {
        self.plays = false;
    }

    fn resync(&self, search: &Search) -> Resync {
        let facts = search.game.facts();
        let same = self
            .game
            .as_ref()
            .is_some_and(|(sent, rules)| std::ptr::eq(*sent, facts) && rules == search.game.rules());
        if !same || self.start != search.start {
            return Resync::FromStart;
        }
        let (sent, wanted) = (&self.tokens, &search.tokens);
        let common = common(sent, wanted);
        let more = sent.len() - common;
        if more == 0 {
            return Resync::Onward;
        }
        // This is a turn that chance, or its own player, has continued.
        let longer = wanted.get(common).filter(|_| more == 1).and_then(|wanted| {
            let rest = wanted.strip_prefix(sent[common].trim_end_matches(','))?;
            rest.strip_prefix(',').map(str::to_owned)
        });
        let plain = !facts.chance && !facts.xboard.removes && facts.xboard.steps.is_none();
        match longer {
            Some(rest) => Resync::RestOfTurn(rest),
            None if plain && more <= MOST_UNDONE => Resync::Undo(more),
            None => Resync::FromStart,
        }
    }

    /// Writes the turns of `search` as XBoard does, those that are not written yet. The game of the search is
    /// played again from there.
    fn write(&mut self, search: &mut Search, kept: usize) {
        self.written.truncate(kept);
        let game = &mut search.game;
        game.rewind(self.written.len());
        for token in &search.tokens[self.written.len()..] {
            if let Err(error) = game.play(token) {
                log::error!("{token} cannot be played again: {error}");
                return;
            }
            self.written.push(xboard_spelling::write_last(&**game, token));
        }
    }

    /// The lines after which it searches the position of `search`.
    ///
    /// # Errors
    /// When it cannot be sent the position or the limits.
    pub fn search_lines(
        &mut self,
        search: &mut Search,
        driver: &XboardDriver,
        names: &Names<'_>,
    ) -> Result<Vec<String>, String> {
        // Only a new game ends the counting of time in nodes.
        let counts = Time::of(&search.limits, driver).nodes.is_some();
        let resync =
            if self.time.nodes.is_some() && !counts { Resync::FromStart } else { self.resync(search) };
        let known = self.tokens.len();
        let kept = if resync == Resync::FromStart { 0 } else { common(&self.tokens, &search.tokens) };
        self.write(search, kept.min(self.written.len()));
        let written = self.written.clone();
        let turns = |from: usize| written.iter().skip(from).cloned().collect::<Vec<_>>();
        let mut lines = Vec::new();
        let rest = match resync {
            Resync::Onward => turns(known),
            Resync::RestOfTurn(part) => [vec![part], turns(known)].concat(),
            Resync::Undo(undone) => {
                lines.push(Command::Force.to_string());
                lines.extend(std::iter::repeat_n(Command::Undo.to_string(), undone));
                self.plays = false;
                turns(known - undone)
            }
            Resync::FromStart => {
                *self = Self { written: std::mem::take(&mut self.written), ..Self::default() };
                begin(search, driver, names, &mut lines)?;
                turns(0)
            }
        };
        self.game = Some((search.game.facts(), search.game.rules().clone()));
        self.start.clone_from(&search.start);
        self.tokens.clone_from(&search.tokens);
        let limits = self.limit_lines(search, driver, names)?;
        let clocks = clock_lines(search, driver);
        let to_engine = |turn: &String| driver.features.move_line(&names.spelling.token_to_engine(turn));
        let moves = rest.iter().map(to_engine);
        // In the middle of a game it only needs the opponent's move. (A roll alone is none.)
        let one_move = matches!(rest.as_slice(), [turn] if !turn.ends_with(','));
        let answers = self.plays && limits.is_empty() && one_move && !search.limits.infinite;
        if answers {
            lines.extend(clocks);
            lines.extend(moves);
            return Ok(lines);
        }
        if lines.is_empty() {
            lines.push(Command::Force.to_string());
        }
        lines.extend(moves);
        lines.extend(limits);
        self.plays = !search.limits.infinite;
        if search.limits.infinite {
            lines.push(Command::Analyze.to_string());
        } else {
            lines.extend(clocks);
            lines.push(Command::Go.to_string());
        }
        Ok(lines)
    }

    /// The lines for limits that differ from those before.
    fn limit_lines(
        &mut self,
        search: &Search,
        driver: &XboardDriver,
        names: &Names<'_>,
    ) -> Result<Vec<String>, String> {
        let mut lines = self.exclude_lines(search, driver, names)?;
        let wanted = Time::of(&search.limits, driver);
        let sent = std::mem::replace(&mut self.time, wanted);
        if wanted == sent || search.limits.infinite {
            if search.limits.infinite {
                self.time = sent;
            }
            return Ok(lines);
        }
        if let Some(nodes) = wanted.nodes.and_then(|nodes| driver.node_lines(nodes)) {
            lines.extend(nodes);
        } else if let Some(seconds) = wanted.move_time {
            lines.push(Command::MoveTime(Duration::from_secs(seconds)).to_string());
        } else if wanted.level != sent.level || sent.move_time.is_some() || sent.nodes.is_some() {
            lines.push(level(&search.limits).to_string());
        }
        match (wanted.depth, sent.depth) {
            (Some(depth), _) => lines.push(Command::Depth(depth).to_string()),
            (None, Some(_)) => lines.push(Command::Depth(ANY_DEPTH).to_string()),
            (None, None) => {}
        }
        Ok(lines)
    }

    fn exclude_lines(
        &mut self,
        search: &Search,
        driver: &XboardDriver,
        names: &Names<'_>,
    ) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        if std::mem::take(&mut self.excluded) {
            lines.push(Command::Include(Selection::All).to_string());
        }
        if search.searchmoves.is_empty() {
            return Ok(lines);
        }
        if !driver.features.has("exclude") {
            return Err("it cannot search some moves only (it has no feature exclude=1)".to_owned());
        }
        // One by one, because not every engine knows `all`.
        for token in search.game.continuations() {
            if !search.searchmoves.contains(&token) {
                let text = names.spelling.token_to_engine(&token);
                lines.push(Command::Exclude(Selection::One(&text)).to_string());
            }
        }
        self.excluded = true;
        Ok(lines)
    }
}

impl Time {
    fn of(limits: &Limits, driver: &XboardDriver) -> Self {
        let nodes = limits.nodes.filter(|_| driver.features.has("nps"));
        let depth = limits.depth.or(limits.win_in.map(|moves| moves.saturating_mul(2)));
        let mut time = Self { nodes, depth, ..Self::default() };
        match limits.budget {
            _ if nodes.is_some() => {}
            // The fraction of a second is left to the caller, which waits for the move.
            Budget::Fixed(given) => time.move_time = Some(given.as_secs().max(1)),
            Budget::Clock { increment, turns_to_go, .. } => {
                time.level = Some((turns_to_go.is_some(), increment));
            }
            Budget::Unlimited => time.level = Some((false, HOURS)),
        }
        time
    }
}

/// The time control as it is sent at first.
fn level(limits: &Limits) -> Command<'static> {
    // Every engine reads whole seconds; the clock itself is sent with every turn.
    let whole = |time: Duration| time.as_secs().max(1) * 1000;
    Command::Level(match limits.budget {
        Budget::Clock { remaining, increment, turns_to_go } => Level {
            moves: turns_to_go.unwrap_or(0),
            base: whole(remaining),
            increment: increment.as_millis() as u64,
        },
        _ => Level { moves: 0, base: whole(HOURS), increment: 0 },
    })
}

/// The lines for both clocks.
fn clock_lines(search: &Search, driver: &XboardDriver) -> Vec<String> {
    let own = match search.limits.budget {
        Budget::Clock { remaining, .. } => remaining,
        Budget::Fixed(_) => return Vec::new(),
        Budget::Unlimited => HOURS,
    };
    if search.limits.nodes.is_some() && driver.features.has("nps") {
        return Vec::new();
    }
    driver.clock_lines(own, search.opponent_clock.unwrap_or(own))
}

/// How many tokens two lists have in common at their beginning.
fn common(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// The lines that begin the game of `search`, without its turns.
fn begin(
    search: &Search,
    driver: &XboardDriver,
    names: &Names<'_>,
    lines: &mut Vec<String>,
) -> Result<(), String> {
    let (facts, rules) = (search.game.facts(), search.game.rules());
    if is_registered(facts) {
        lines.extend(driver.features.rule_lines(facts, rules));
    }
    lines.push(Command::New.to_string());
    let chess960 = rules.is_on(CHESS960).then_some(FISCHERANDOM);
    lines.extend(chess960.or(names.variant).map(|name| Command::Variant(name).to_string()));
    lines.push(Command::Force.to_string());
    lines.push(Command::Post.to_string());
    lines.push(driver.pondering_line());
    let Some(text) = names.spelling.position_to_engine(search.start.as_deref()) else { return Ok(()) };
    if driver.features.has("setboard") {
        lines.push(Command::SetBoard(&text).to_string());
        return Ok(());
    }
    lines.extend(edit_lines(&text).ok_or("it cannot set up this position (it has no feature setboard=1)")?);
    Ok(())
}

/// A position as `edit` lines. Where Black is on turn, a move of White's goes first, as XBoard does it.
fn edit_lines(text: &str) -> Option<Vec<String>> {
    let position = parse_position(text).ok()?;
    let mut lines = Vec::new();
    if position.turn() == Some(Color::Black) {
        lines.push("a2a3".to_owned());
    }
    lines.push("edit".to_owned());
    lines.push("#".to_owned());
    let board = &position.placement;
    for (white, color) in [(true, None), (false, Some("c"))] {
        lines.extend(color.map(str::to_owned));
        for (index, cell) in board.cells.iter().enumerate() {
            if let Cell::Piece { letter, plus: false } = cell
                && letter.is_ascii_uppercase() == white
            {
                let files = usize::from(board.files);
                let (file, rank) = (index % files, index / files + 1);
                let letter = char::from(letter.to_ascii_uppercase());
                lines.push(format!("{letter}{}{rank}", char::from(b'a' + file as u8)));
            }
        }
    }
    lines.push(".".to_owned());
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{Features, PlayerSettings};

    #[test]
    fn without_setboard_a_position_is_sent_line_by_line() {
        let lines = edit_lines("4k3/8/8/8/8/8/3P4/4K3 b - - 0 1").unwrap();
        assert_eq!(lines, ["a2a3", "edit", "#", "Ke1", "Pd2", "c", "Ke8", "."]);
        assert_eq!(edit_lines("8/8/! w"), None);
    }

    use crate::base::Color;
    use crate::search::Control;
    use crate::session::{self, chance::Chance};
    use crate::variants;
    use std::sync::Arc;
    use std::time::Instant;

    /// The search of a position of `game` after these turns.
    fn search(game: &str, start: Option<&str>, tokens: &[&str]) -> Search {
        let facts = variants::find(game).unwrap();
        let mut session = session::open(facts, Rules::of(facts), Chance::Referee);
        session.set_up(start, &mut tokens.iter().copied()).unwrap();
        let (start, tokens) = session.as_text();
        Search {
            id: 1,
            game: session,
            start,
            tokens,
            player: Color::White,
            limits: Limits { depth: Some(3), ..Limits::default() },
            opponent_clock: None,
            searchmoves: Vec::new(),
            ponder: false,
            control: Arc::new(Control::new(false)),
            since: Instant::now(),
            stopped: false,
            hit: false,
        }
    }

    /// What it is sent for one search after the other, each line by its first word, and moves whole.
    fn conversation(game: &str, start: Option<&str>, searches: &[&[&str]]) -> Vec<String> {
        let driver = XboardDriver::new(Features::default(), &PlayerSettings::default());
        let spelling = Spelling::default();
        let names = Names { spelling: &spelling, variant: None };
        let mut sent = Sent::default();
        let line = |tokens: &&[&str]| {
            let lines = sent.search_lines(&mut search(game, start, tokens), &driver, &names).unwrap();
            let first = |line: String| line.split(' ').next().unwrap_or_default().to_owned();
            lines.into_iter().map(first).collect::<Vec<_>>().join(" ")
        };
        searches.iter().map(line).collect()
    }

    #[test]
    fn an_engine_is_sent_no_more_than_it_lacks() {
        let searches: [&[&str]; 5] =
            [&["e2e4"], &["e2e4", "e7e5", "g1f3"], &["e2e4", "e7e5"], &["d2d4"], &["d2d4", "d7d5"]];
        let sent = conversation("chess", None, &searches);
        assert_eq!(
            sent,
            [
                "new force post easy e2e4 level sd time otim go",
                "force e7e5 g1f3 time otim go",
                "force undo time otim go",
                "force undo undo d2d4 time otim go",
                // It plays Black, so it only needs the opponent's move.
                "time otim d7d5",
            ]
        );
    }

    #[test]
    fn a_roll_that_begins_a_turn_is_sent() {
        let facts = variants::find("dice-chess").unwrap();
        let driver = XboardDriver::new(Features::default(), &PlayerSettings::default());
        let spelling = Spelling::default();
        let names = Names { spelling: &spelling, variant: None };
        let mut sent = Sent::default();
        // We roll, and the engine plays both sides.
        let mut session = session::open(facts, Rules::of(facts), Chance::Own { seed: 5 });
        for number in 0..4 {
            let player = session.on_turn();
            let (start, tokens) = session.as_text_for(player);
            let roll = tokens.last().unwrap().clone();
            let game = session.seen_by(player);
            let mut search = Search { game, start, tokens, ..search("dice-chess", None, &[]) };
            let lines = sent.search_lines(&mut search, &driver, &names).unwrap();
            let before = if number == 0 { "easy" } else { "force" };
            let at = lines.iter().position(|line| line == before).unwrap();
            assert_eq!((lines[at + 1].as_str(), lines.last().unwrap().as_str()), (roll.as_str(), "go"));
            // It lacks no more than that.
            assert!(number == 0 || at == 0, "{lines:?}");
            let turn = search.game.first_token().unwrap();
            sent.has_played(turn.clone());
            session.play(&turn).unwrap();
        }
    }

    #[test]
    fn a_turn_that_has_begun_is_sent_to_its_end() {
        let start = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";
        let search = |tokens| search("wickets-dice", Some(start), tokens);
        let mut sent = Sent::default();
        assert_eq!(sent.resync(&search(&[])), Resync::FromStart);
        sent.game = Some((search(&[]).game.facts(), search(&[]).game.rules().clone()));
        sent.start = search(&[]).start;
        sent.has_played("c3a5,O@e9".to_owned());
        assert_eq!(sent.resync(&search(&["c3a5,O@e9,=6"])), Resync::RestOfTurn("=6".to_owned()));
        sent.has_played("D@f7".to_owned());
        // What chance has decided cannot be taken back.
        assert_eq!(sent.resync(&search(&["c3a5,O@e9,=1"])), Resync::FromStart);
    }
}
