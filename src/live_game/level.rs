//! The strength of the engine, and its opinion of a position as text.

use crate::base::Color;
use crate::base::score::{Score, distance};
use crate::search::{Budget, LEAST_ELO, Limits, MOST_ELO};
use crate::session::{PlayerClock, TimeControl};
use std::str::FromStr;
use std::time::Duration;

/// The strength of the engine: `depth=6`, `nodes=20000`, `time=2`, `elo=1500`, or several with commas between
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The largest search depth, in decisions.
    pub depth: Option<u32>,
    /// The largest number of positions to search.
    pub nodes: Option<u64>,
    /// The time for a turn.
    pub time: Option<Duration>,
    /// The Elo to play at, as in `UCI_Elo`.
    pub elo: Option<u32>,
}

/// The levels that have a name, as on the page.
const NAMED: [(&str, Level); 5] = [
    ("beginner", Level::of_elo(800)),
    ("casual", Level::CASUAL),
    ("club", Level::of_elo(1600)),
    ("strong", Level::of_elo(2000)),
    ("full", Level { time: Some(Level::USUAL), ..Level::of_elo(0) }),
];

impl Level {
    /// The level at which a person plays who has named none.
    pub const CASUAL: Self = Self::of_elo(1200);

    const fn of_elo(elo: u32) -> Self {
        Self { depth: None, nodes: None, time: None, elo: if elo == 0 { None } else { Some(elo) } }
    }

    /// The name of the level, if it has one.
    pub fn name(&self) -> Option<&'static str> {
        NAMED.iter().find(|(_, level)| level == self).map(|&(name, _)| name)
    }

    /// The time for a turn when no limit is given: one second.
    const USUAL: Duration = Duration::from_secs(1);

    /// The limits of a search where no clock runs.
    pub fn limits(&self) -> Limits {
        let Self { depth, nodes, time, elo } = *self;
        let endless = depth.is_none() && nodes.is_none() && elo.is_none();
        let budget = time.or(endless.then_some(Self::USUAL)).map_or(Budget::Unlimited, Budget::Fixed);
        Limits { depth, nodes, budget, ..Limits::default() }
    }

    /// The limits of a search for advice, which is given at full strength.
    pub fn advice(&self) -> Limits {
        let level = Self { elo: None, ..*self };
        level.limits()
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = [
            self.depth.map(|depth| format!("depth={depth}")),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.time.map(|time| format!("time={}", time.as_secs_f64())),
            self.elo.map(|elo| format!("elo={elo}")),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        f.write_str(&if words.is_empty() { "time=1".to_owned() } else { words.join(",") })
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((_, level)) = NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(text.trim())) {
            return Ok(*level);
        }
        let mut level = Self::default();
        for word in text.split(',') {
            let fault = |expected: &str| format!("`{word}`: expected {expected}");
            let known = "beginner, casual, club, strong, full, depth=N, nodes=N, time=SECONDS or elo=N";
            let (name, value) = word.trim().split_once('=').ok_or_else(|| fault(known))?;
            let number = |least: u64, most: u64| {
                let number = value.parse::<u64>().ok().filter(|number| (least..=most).contains(number));
                number.ok_or_else(|| fault(&format!("a number from {least} to {most} behind {name}=")))
            };
            match name {
                "depth" => level.depth = Some(number(1, 200)? as u32),
                "nodes" => level.nodes = Some(number(1, u64::MAX)?),
                "time" | "st" => level.time = Some(crate::session::parse_seconds(value)?),
                "elo" => level.elo = Some(number(u64::from(LEAST_ELO), u64::from(MOST_ELO))? as u32),
                _ => return Err(fault(known)),
            }
        }
        Ok(level)
    }
}

/// The limits of an engine's search, by its level and its clock.
pub fn limits_for(limits: Limits, clock: &PlayerClock) -> Limits {
    let remaining = clock.left();
    let budget = match clock.control() {
        TimeControl::Untimed => return limits,
        TimeControl::PerTurn { time } => Budget::Fixed(time),
        TimeControl::Clock { .. } | TimeControl::Hourglass { .. } => {
            Budget::Clock { remaining, increment: clock.increment(), turns_to_go: clock.turns_to_go() }
        }
    };
    Limits { budget, ..limits }
}

/// A score from the side of `player`, as text that does not depend on the viewer: `White +0.35`.
pub fn opinion(score: Score, player: Color) -> String {
    let better = if score >= 0 { player } else { !player };
    match distance(score) {
        Some(turns) => format!("{better} wins in {}", (turns.abs() + 1) / 2),
        None if score == 0 => "even".to_owned(),
        None => format!("{better} +{}.{:02}", score.abs() / 100, score.abs() % 100),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::score::{lost_in, won_in};

    #[test]
    fn a_level_is_read_in_words_and_told_in_the_same() {
        for text in ["depth=6", "nodes=20000", "time=0.5", "elo=1500", "depth=3,elo=900", "time=1"] {
            assert_eq!(text.parse::<Level>().unwrap().to_string(), text);
        }
        for (text, wanted) in [
            (
                "stong",
                "`stong`: expected beginner, casual, club, strong, full, depth=N, nodes=N, time=SECONDS or elo=N",
            ),
            ("elo=9", "a number from 600 to 2600 behind elo="),
            ("depth=0", "a number from 1 to 200"),
            ("depth=3,", "``: expected beginner, casual"),
        ] {
            let fault = text.parse::<Level>().unwrap_err();
            assert!(fault.contains(wanted), "{text}: {fault}");
        }
        assert_eq!("Casual".parse::<Level>(), Ok(Level::CASUAL));
        for (name, level) in NAMED {
            assert_eq!((name.parse(), level.name()), (Ok(level), Some(name)));
        }
        assert_eq!(Level::default().limits().budget, Budget::Fixed(Level::USUAL));
        assert_eq!("elo=900".parse::<Level>().unwrap().limits().budget, Budget::Unlimited);
    }

    #[test]
    fn an_opinion_names_who_is_better() {
        let of = |score| opinion(score, Color::Black);
        assert_eq!(
            [of(35), of(-120), of(0), of(won_in(3)), of(lost_in(2))],
            ["Black +0.35", "White +1.20", "even", "Black wins in 2", "White wins in 1"]
        );
    }
}
