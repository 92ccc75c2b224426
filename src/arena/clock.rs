//! Time controls and the players' clocks.

use nom::Parser;
use nom::bytes::complete::tag;
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, map_opt, map_res, opt, recognize};
use nom::number::complete::double;
use nom::sequence::{preceded, terminated};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How much time a player has: `40/60+0.5`, `2:30`, `10+0.1` (turns / minutes:seconds or seconds + increment).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Turns in one period; `None`: the time is for the whole game.
    pub turns: Option<u32>,
    /// The time for a period.
    pub base: Duration,
    /// Gained with every turn.
    pub increment: Duration,
}

/// A text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no time control; examples: 10+0.1 (seconds), 2:30+1 (minutes:seconds), 40/60 (turns/seconds)"
)]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let seconds = |input| -> nom::IResult<&str, Duration> {
            map_opt(recognize(double), |word: &str| {
                let value = word.parse::<f64>().ok().filter(|value| (0.0..=1e6).contains(value))?;
                word.starts_with(|c: char| c.is_ascii_digit() || c == '.')
                    .then(|| Duration::from_secs_f64(value))
            })
            .parse(input)
        };
        let number = || map_res(digit1, str::parse::<u32>);
        let mut grammar = all_consuming((
            opt(terminated(number(), char('/'))),
            opt(terminated(number(), tag(":"))),
            seconds,
            opt(preceded(char('+'), seconds)),
        ));
        let fault = || TimeControlError(text.chars().take(40).collect());
        let (_, (turns, minutes, seconds, increment)) = grammar.parse(text.trim()).map_err(|_| fault())?;
        let base = Duration::from_secs(u64::from(minutes.unwrap_or(0)) * 60) + seconds;
        let control = Self { turns, base, increment: increment.unwrap_or_default() };
        if turns == Some(0) || control.base + control.increment == Duration::ZERO {
            Err(fault())
        } else {
            Ok(control)
        }
    }
}

/// As PGN's `TimeControl` tag has it.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(turns) = self.turns {
            write!(f, "{turns}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment > Duration::ZERO {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// One player's clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    turns_made: u32,
}

impl Clock {
    /// A clock at the beginning of a game.
    pub const fn new(control: TimeControl) -> Self {
        Self { control, left: control.base, turns_made: 0 }
    }

    /// What it shows.
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// Its time control.
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// Turns until time is added; `None` when it never is.
    pub fn turns_to_go(&self) -> Option<u32> {
        self.control.turns.map(|turns| turns - self.turns_made % turns)
    }

    /// A turn was made in `spent`. False when the flag fell by more than `margin`.
    pub fn spend(&mut self, spent: Duration, margin: Duration) -> bool {
        if spent > self.left + margin {
            self.left = Duration::ZERO;
            return false;
        }
        self.left = self.left.saturating_sub(spent) + self.control.increment;
        self.turns_made += 1;
        if self.control.turns.is_some_and(|turns| self.turns_made.is_multiple_of(turns)) {
            self.left += self.control.base;
        }
        true
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
            (".5+0", "0.5"),
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), written, "{text}");
        }
        for text in ["", "x", "0", "-1", "+1", "0/10", "10+", "10+-1", "1e99", "inf", "nan", "10 20", "1:2:3"]
        {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_gains_and_falls() {
        let ms = Duration::from_millis;
        let mut clock = Clock::new("2/1+0.1".parse().unwrap());
        assert!(clock.spend(ms(300), ms(0)));
        assert_eq!((clock.left(), clock.turns_to_go()), (ms(800), Some(1)));
        assert!(clock.spend(ms(800), ms(0)));
        assert_eq!((clock.left(), clock.turns_to_go()), (ms(1100), Some(2)));
        assert!(clock.spend(ms(1110), ms(20)));
        assert!(!clock.spend(ms(121), ms(20)));
    }
}
