//! Time controls and the players' clocks.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, map_opt, map_res, opt, recognize, value};
use nom::number::complete::double;
use nom::sequence::{preceded, terminated};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The time that a player has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// A clock, as in `40/60+0.5`, `2:30`, `10+0.1`: turns / minutes:seconds or seconds + increment.
    Clock {
        /// The number of turns in a period; `None` when the time is for the whole game (sudden death).
        turns: Option<u32>,
        /// The time for a period, or for the whole game.
        base: Duration,
        /// The time added with every turn.
        increment: Duration,
    },
    /// An hourglass, as in `60hg`: the time that one player uses is added to the other's.
    Hourglass {
        /// The time that each player begins with.
        base: Duration,
    },
    /// A fixed time for every turn (`st=` on the command line).
    PerTurn {
        /// The time for a turn.
        time: Duration,
    },
    /// No clock, as in `inf`; depth or nodes end the search.
    Untimed,
}

/// A text that is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no time control; examples: 10+0.1 (seconds), 2:30+1 (minutes:seconds), 40/60 (turns/seconds), 60hg \
     (hourglass), inf"
)]
pub struct TimeControlError(String);

/// Reads a number of seconds, from 0 to a million.
fn seconds(input: &str) -> nom::IResult<&str, Duration> {
    map_opt(recognize(double), |word: &str| {
        let value = word.parse::<f64>().ok().filter(|value| (0.0..=1e6).contains(value))?;
        word.starts_with(|c: char| c.is_ascii_digit() || c == '.').then(|| Duration::from_secs_f64(value))
    })
    .parse(input)
}

/// A duration in seconds, as in `st=0.5`.
///
/// # Errors
/// When the text is not a number from 0 to a million.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    match all_consuming(seconds).parse(text.trim()) {
        Ok((_, time)) => Ok(time),
        Err(_) => Err(format!("`{text}` is no number of seconds")),
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = || TimeControlError(text.chars().take(40).collect());
        let text = text.trim();
        if matches!(text, "inf" | "infinite") {
            return Ok(Self::Untimed);
        }
        if let Some(sand) = text.strip_suffix("hg") {
            let (_, base) = all_consuming(seconds).parse(sand).map_err(|_| fault())?;
            return if base.is_zero() { Err(fault()) } else { Ok(Self::Hourglass { base }) };
        }
        let number = || map_res(digit1, str::parse::<u32>);
        // Other programs write `inf/` or `0/` for a time for the whole game, and `s` behind seconds.
        let turns = alt((value(0, alt((tag("infinite"), tag("inf")))), number()));
        let seconds = || terminated(seconds, opt(char('s')));
        let mut grammar = all_consuming((
            opt(terminated(turns, char('/'))),
            opt(terminated(number(), tag(":"))),
            seconds(),
            opt(preceded(char('+'), seconds())),
        ));
        let (_, (turns, minutes, seconds, increment)) = grammar.parse(text).map_err(|_| fault())?;
        let turns = turns.filter(|turns| *turns > 0);
        let base = Duration::from_secs(u64::from(minutes.unwrap_or(0)) * 60) + seconds;
        let increment = increment.unwrap_or_default();
        if (base + increment).is_zero() { Err(fault()) } else { Ok(Self::Clock { turns, base, increment }) }
    }
}

/// In the form of PGN's `TimeControl` tag.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock { turns, base, increment } => {
                if let Some(turns) = turns {
                    write!(f, "{turns}/")?;
                }
                write!(f, "{}", base.as_secs_f64())?;
                if *increment > Duration::ZERO {
                    write!(f, "+{}", increment.as_secs_f64())?;
                }
                Ok(())
            }
            Self::Hourglass { base } => write!(f, "*{}", base.as_secs_f64()),
            Self::PerTurn { time } => write!(f, "1/{}", time.as_secs_f64()),
            Self::Untimed => f.write_str("-"),
        }
    }
}

/// One player's clock.
#[derive(Clone, Copy, Debug)]
pub struct PlayerClock {
    control: TimeControl,
    left: Duration,
    turns_made: u32,
}

/// What the clock of a player without a clock shows, for protocols that require a time.
const UNLIMITED: Duration = Duration::from_secs(36_000);

impl PlayerClock {
    /// A clock at the beginning of a game.
    pub const fn new(control: TimeControl) -> Self {
        let left = match control {
            TimeControl::Clock { base, .. } | TimeControl::Hourglass { base } => base,
            TimeControl::PerTurn { time } => time,
            TimeControl::Untimed => UNLIMITED,
        };
        Self { control, left, turns_made: 0 }
    }

    /// The same clock with so much time on it.
    pub const fn with_left(self, left: Duration) -> Self {
        Self { left, ..self }
    }

    /// The time left.
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// Its time control.
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// The time until the flag falls; `None` when there is no clock.
    pub fn flag(&self) -> Option<Duration> {
        (self.control != TimeControl::Untimed).then_some(self.left)
    }

    /// The time added with every turn.
    pub const fn increment(&self) -> Duration {
        match self.control {
            TimeControl::Clock { increment, .. } => increment,
            _ => Duration::ZERO,
        }
    }

    /// The number of turns until a new period begins; `None` when none ever does.
    pub fn turns_to_go(&self) -> Option<u32> {
        match self.control {
            TimeControl::Clock { turns: Some(turns), .. } => Some(turns - self.turns_made % turns),
            _ => None,
        }
    }

    /// Accounts for a turn made in `spent`. False when the flag fell by more than `margin`.
    pub fn spend(&mut self, spent: Duration, margin: Duration) -> bool {
        if self.flag().is_some_and(|left| spent > left + margin) {
            self.left = Duration::ZERO;
            return false;
        }
        self.turns_made += 1;
        match self.control {
            TimeControl::Clock { turns, base, increment } => {
                self.left = self.left.saturating_sub(spent) + increment;
                if turns.is_some_and(|turns| self.turns_made.is_multiple_of(turns)) {
                    self.left += base;
                }
            }
            TimeControl::Hourglass { .. } => self.left = self.left.saturating_sub(spent),
            TimeControl::PerTurn { .. } | TimeControl::Untimed => {}
        }
        true
    }

    /// Accounts for the time `spent` that the opponent has used: in an hourglass, this side gains it.
    pub fn opponent_spent(&mut self, spent: Duration) {
        if matches!(self.control, TimeControl::Hourglass { .. }) {
            self.left += spent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        for (text, written) in [
            ("10", "10"),
            ("10+0.1", "10+0.1"),
            ("2:30", "150"),
            ("40/60+0.5", "40/60+0.5"),
            ("40/1:30", "40/90"),
            ("2+0.02s", "2+0.02"),
            ("inf/8+0.08", "8+0.08"),
            ("0/298+2", "298+2"),
            (".5+0", "0.5"),
            ("60hg", "*60"),
            ("inf", "-"),
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), written, "{text}");
        }
        for text in [
            "", "x", "0", "-1", "+1", "in/10", "inf/", "10ss", "10+", "10+-1", "1e99", "nan", "10 20",
            "1:2:3", "hg", "0hg", "1+1hg",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
        assert_eq!(TimeControl::PerTurn { time: Duration::from_millis(500) }.to_string(), "1/0.5");
        assert_eq!(parse_seconds("0.25"), Ok(Duration::from_millis(250)));
        assert!(parse_seconds("-1").is_err() && parse_seconds("soon").is_err());
    }

    #[test]
    fn a_clock_gains_and_falls() {
        let ms = Duration::from_millis;
        let mut clock = PlayerClock::new("2/1+0.1".parse().unwrap());
        assert!(clock.spend(ms(300), ms(0)));
        assert_eq!((clock.left(), clock.turns_to_go()), (ms(800), Some(1)));
        assert!(clock.spend(ms(800), ms(0)));
        assert_eq!((clock.left(), clock.turns_to_go()), (ms(1100), Some(2)));
        assert!(clock.spend(ms(1110), ms(20)));
        assert!(!clock.spend(ms(121), ms(20)));
    }

    #[test]
    fn the_other_kinds_of_clocks() {
        let ms = Duration::from_millis;
        let mut sand = [PlayerClock::new("1hg".parse().unwrap()); 2];
        assert!(sand[0].spend(ms(400), ms(0)));
        sand[1].opponent_spent(ms(400));
        assert_eq!(sand.map(|clock| clock.left()), [ms(600), ms(1400)]);
        assert!(!sand[0].spend(ms(601), ms(0)));
        let mut turn = PlayerClock::new(TimeControl::PerTurn { time: ms(100) });
        assert!(turn.spend(ms(100), ms(0)) && turn.spend(ms(100), ms(0)) && !turn.spend(ms(101), ms(0)));
        let mut none = PlayerClock::new(TimeControl::Untimed);
        assert!(none.spend(ms(1_000_000_000), ms(0)));
        assert_eq!(none.flag(), None);
    }
}
