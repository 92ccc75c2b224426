//! What the benches have in common: the games and a position from the middle of each.

use carom::game::{Playable, Rules};
use carom::notation::parse_position;
use criterion::Criterion;
use std::time::Duration;

/// Every game with a position from its middle.
pub const GAMES: [(&str, &str); 4] = [
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("alapo", "rlb1q1lr/wsfk1fsw/3b4/5k2/7q/3K1SF1/WSF1K2W/RLBQQBLR w - - 0 1"),
    ("alapo-demotion", "rlb1q1lr/wsfk1fsw/3b4/5k2/7q/3K1SF1/WSF1K2W/RLBQQBLR w - - 0 1"),
    ("rollerball", "2r1p2/1b1k3/r1***2/2***1B/P1***2/1P1K1R1/5R1 w - 0 1"),
];

/// The start, or the position `text` says.
pub fn state<G: Playable>(text: Option<&str>) -> G {
    let rules = Rules::default();
    text.map_or_else(|| G::start(&rules), |text| G::read(&parse_position(text).unwrap(), &rules).unwrap())
}

/// Modest: all benches of a file take well under a minute.
pub fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args()
}
