//! What the benches have in common: the games and a position from the middle of each.

use carom::game::{Facts, Playable, Rules};
use carom::notation::parse_position;
use divan::Divan;
use std::fmt;
use std::time::Duration;

/// Every game that is measured, with a position from its middle.
pub const GAMES: [(&str, &str); 4] = [
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("alapo", "rlb1q1lr/wsfk1fsw/3b4/5k2/7q/3K1SF1/WSF1K2W/RLBQQBLR w - - 0 1"),
    ("alapo-demotion", "rlb1q1lr/wsfk1fsw/3b4/5k2/7q/3K1SF1/WSF1K2W/RLBQQBLR w - - 0 1"),
    ("rollerball", "2r1p2/1b1k3/r1***2/2***1B/P1***2/1P1K1R1/5R1 w - 0 1"),
];

/// Their names.
#[allow(dead_code, reason = "not every bench needs them")]
pub fn names() -> impl Iterator<Item = &'static str> {
    GAMES.into_iter().map(|(name, _)| name)
}

/// Where a measurement begins.
#[allow(dead_code, reason = "not every bench needs them")]
pub struct Place {
    pub game: &'static str,
    /// `None` for the start.
    pub text: Option<&'static str>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.game, if self.text.is_some() { "middle" } else { "start" })
    }
}

/// The start and the middle of every game.
#[allow(dead_code, reason = "not every bench needs them")]
pub fn places() -> impl Iterator<Item = Place> {
    GAMES.into_iter().flat_map(|(game, middle)| [None, Some(middle)].map(|text| Place { game, text }))
}

/// The start, or the position `text` says.
pub fn state<G: Playable>(game: &'static Facts, text: Option<&str>) -> G {
    let rules = Rules::of(game);
    text.map_or_else(|| G::start(&rules), |text| G::read(&parse_position(text).unwrap(), &rules).unwrap())
}

/// Modest: all benches of a file take well under a minute.
pub fn divan() -> Divan {
    Divan::from_args().min_time(Duration::from_millis(300)).max_time(Duration::from_secs(1))
}
