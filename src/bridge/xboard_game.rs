//! What an engine that speaks the XBoard protocol has been sent about the game and the time, and the lines
//! that bring it up to date.

use super::aliases::Spelling;
use super::follower::Follower;
use crate::arena::Features;
use crate::engine::ForeignSearch;
use crate::engine::options::is_registered;
use crate::game::{Facts, Rules};
use crate::notation::{Cell, parse_position};
use crate::protocol::xboard::{Command, Level, Selection};
use crate::search::{Budget, Limits};
use crate::variants::chess::{CHESS960, FISCHERANDOM};
use std::time::Duration;

/// How lines to the engine are written.
pub struct Manner<'a> {
    pub features: &'a Features,
    pub spelling: &'a Spelling,
    /// Its name for the game; `None` for chess.
    pub variant: Option<&'a str>,
    /// It may think on the opponent's time.
    pub ponders: bool,
}

/// What it has been sent so far.
#[derive(Default)]
pub struct Told {
    game: Option<(&'static Facts, Rules)>,
    start: Option<String>,
    /// The turns, as our rules write them.
    tokens: Vec<String>,
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
enum Way {
    /// By turns after those it has.
    On,
    /// By the rest of a turn of which it has the beginning, and those after that.
    Rest(String),
    /// By taking back so many turns, and playing others.
    Back(usize),
    /// From the beginning.
    Anew,
}

/// A depth that no engine reaches. It lifts a limit of depth.
const ANY_DEPTH: u32 = 99;
/// To go back further than this many turns, the game is begun anew.
const MOST_UNDONE: usize = 4;
/// The time for an engine that cannot play without a clock.
const HOURS: Duration = Duration::from_secs(10 * 3600);

impl Told {
    /// From now on everything is sent again from the beginning.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Notes that the engine has played this turn, and waits for the next.
    pub fn has_played(&mut self, token: String) {
        self.tokens.push(token);
        self.plays = true;
    }

    /// Notes that the engine no longer plays either side.
    pub fn stopped_playing(&mut self) {
        self.plays = false;
    }

    fn way(&self, search: &ForeignSearch) -> Way {
        let same = self
            .game
            .as_ref()
            .is_some_and(|(facts, rules)| std::ptr::eq(*facts, search.facts) && *rules == search.rules);
        if !same || self.start != search.start {
            return Way::Anew;
        }
        let (told, wanted) = (&self.tokens, &search.tokens);
        let common = told.iter().zip(wanted).take_while(|(a, b)| a == b).count();
        let more = told.len() - common;
        if more == 0 {
            return Way::On;
        }
        // This is a turn that chance, or its own player, has continued.
        let longer = wanted.get(common).filter(|_| more == 1).and_then(|wanted| {
            let rest = wanted.strip_prefix(told[common].trim_end_matches(','))?;
            rest.strip_prefix(',').map(str::to_owned)
        });
        let plain =
            !search.facts.chance && !search.facts.xboard.removes && search.facts.xboard.steps.is_none();
        match longer {
            Some(rest) => Way::Rest(rest),
            None if plain && more <= MOST_UNDONE => Way::Back(more),
            None => Way::Anew,
        }
    }

    /// The lines after which it searches the position of `search`, to which `follower` has gone.
    ///
    /// # Errors
    /// When it cannot be sent the position or the limits.
    pub fn search_lines(
        &mut self,
        search: &ForeignSearch,
        follower: &Follower,
        manner: &Manner<'_>,
    ) -> Result<Vec<String>, String> {
        // Only a new game ends the counting of time in nodes.
        let counts = Time::of(&search.limits, manner).nodes.is_some();
        let way = if self.time.nodes.is_some() && !counts { Way::Anew } else { self.way(search) };
        let known = self.tokens.len();
        let turns = |from: usize| follower.written().iter().skip(from).cloned().collect::<Vec<_>>();
        let mut lines = Vec::new();
        let rest = match way {
            Way::On => turns(known),
            Way::Rest(part) => [vec![part], turns(known)].concat(),
            Way::Back(undone) => {
                lines.push(Command::Force.to_string());
                lines.extend(std::iter::repeat_n(Command::Undo.to_string(), undone));
                self.plays = false;
                turns(known - undone)
            }
            Way::Anew => {
                self.forget();
                begin(search, manner, &mut lines)?;
                turns(0)
            }
        };
        self.game = Some((search.facts, search.rules.clone()));
        self.start.clone_from(&search.start);
        self.tokens.clone_from(&search.tokens);
        let limits = self.limit_lines(search, manner, follower)?;
        let clocks = clock_lines(search, manner);
        let to_engine = |turn: &String| manner.features.move_line(&manner.spelling.token_to_engine(turn));
        let moves = rest.iter().map(to_engine);
        // In the middle of a game it only needs the opponent's move.
        let answers = self.plays && limits.is_empty() && rest.len() == 1 && !search.limits.infinite;
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
        search: &ForeignSearch,
        manner: &Manner<'_>,
        follower: &Follower,
    ) -> Result<Vec<String>, String> {
        let mut lines = self.exclude_lines(search, manner, follower)?;
        let wanted = Time::of(&search.limits, manner);
        let told = std::mem::replace(&mut self.time, wanted);
        if wanted == told || search.limits.infinite {
            if search.limits.infinite {
                self.time = told;
            }
            return Ok(lines);
        }
        if let Some(nodes) = wanted.nodes {
            // With `nps`, so many nodes are a second of its clock.
            lines.push(Command::NodeRate(nodes).to_string());
            lines.push(Command::MoveTime(Duration::from_secs(1)).to_string());
        } else if let Some(seconds) = wanted.move_time {
            lines.push(Command::MoveTime(Duration::from_secs(seconds)).to_string());
        } else if wanted.level != told.level || told.move_time.is_some() || told.nodes.is_some() {
            lines.push(level(&search.limits).to_string());
        }
        match (wanted.depth, told.depth) {
            (Some(depth), _) => lines.push(Command::Depth(depth).to_string()),
            (None, Some(_)) => lines.push(Command::Depth(ANY_DEPTH).to_string()),
            (None, None) => {}
        }
        Ok(lines)
    }

    fn exclude_lines(
        &mut self,
        search: &ForeignSearch,
        manner: &Manner<'_>,
        follower: &Follower,
    ) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        if std::mem::take(&mut self.excluded) {
            lines.push(Command::Include(Selection::All).to_string());
        }
        if search.searchmoves.is_empty() {
            return Ok(lines);
        }
        if !manner.features.has("exclude") {
            return Err("it cannot search some moves only (it has no feature exclude=1)".to_owned());
        }
        // One by one, because not every engine knows `all`.
        for token in follower.session().continuations() {
            if !search.searchmoves.contains(&token) {
                let text = manner.spelling.token_to_engine(&token);
                lines.push(Command::Exclude(Selection::One(&text)).to_string());
            }
        }
        self.excluded = true;
        Ok(lines)
    }
}

impl Time {
    fn of(limits: &Limits, manner: &Manner<'_>) -> Self {
        let nodes = limits.nodes.filter(|_| manner.features.has("nps"));
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
fn clock_lines(search: &ForeignSearch, manner: &Manner<'_>) -> Vec<String> {
    let centiseconds = |time: Duration| (time.as_millis() / 10) as i64;
    let own = match search.limits.budget {
        Budget::Clock { remaining, .. } => remaining,
        Budget::Fixed(_) => return Vec::new(),
        Budget::Unlimited => HOURS,
    };
    if !manner.features.has("time") || search.limits.nodes.is_some() && manner.features.has("nps") {
        return Vec::new();
    }
    let other = search.opponent_clock.unwrap_or(own);
    vec![Command::Time(centiseconds(own)).to_string(), Command::OpponentTime(centiseconds(other)).to_string()]
}

/// The lines that begin the game of `search`, without its turns.
fn begin(search: &ForeignSearch, manner: &Manner<'_>, lines: &mut Vec<String>) -> Result<(), String> {
    if is_registered(search.facts) {
        lines.extend(manner.features.rule_lines(search.facts, &search.rules));
    }
    lines.push(Command::New.to_string());
    let chess960 = search.rules.is_on(CHESS960).then_some(FISCHERANDOM);
    lines.extend(chess960.or(manner.variant).map(|name| Command::Variant(name).to_string()));
    lines.push(Command::Force.to_string());
    lines.push(Command::Post.to_string());
    lines.push(if manner.ponders { Command::Hard } else { Command::Easy }.to_string());
    let Some(text) = manner.spelling.position_to_engine(search.start.as_deref()) else { return Ok(()) };
    if manner.features.has("setboard") {
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
    if position.fields.first().is_some_and(|side| side == "b") {
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

    #[test]
    fn a_position_is_told_line_by_line_to_who_knows_no_setboard() {
        let lines = edit_lines("4k3/8/8/8/8/8/3P4/4K3 b - - 0 1").unwrap();
        assert_eq!(lines, ["a2a3", "edit", "#", "Ke1", "Pd2", "c", "Ke8", "."]);
        assert_eq!(edit_lines("8/8/! w"), None);
    }
}
