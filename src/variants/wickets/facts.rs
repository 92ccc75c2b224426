//! Names, start position and switches of the six games.

use super::gui;
use super::roles::roles;
use crate::game::{CHESS_MEN, Facts, Man, Shape, Switch, SwitchKind, Thing};
use crate::notation::Coordinate;

/// The start without cards.
pub const START: &str =
    "****1***/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/****1*** w KQkq - e1:d1/e8:d8 0 1";
/// The start of the card games before anybody has looked at his hand: ten cards each, twenty in the stock.
pub const START_WITH_CARDS: &str = "****1***/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/****1*** w KQkq - e1:d1/e8:d8 0 1 W=?10/B=?10/S=?20/D=-";

/// The switch of open question Q1: a side's ball may never come to rest in its own wicket.
pub const NO_SEAL: &str = "no-seal";

static SWITCHES: [Switch; 1] = [Switch {
    name: NO_SEAL,
    kind: SwitchKind::Check,
    help: "the ball a side plays with may never come to rest in that side's own wicket",
}];

/// e0 and e9.
static WICKETS: [(Coordinate, Coordinate); 2] =
    [(Coordinate::new(4, 0), Coordinate::new(4, 0)), (Coordinate::new(4, 9), Coordinate::new(4, 9))];

/// In the letters that `gui` shows.
static MEN: [Man; 19] = {
    let mut men = [Man::new(b'O', "ball of its side", Shape::Thing(Thing::OwnBall)); 19];
    let mut at = 0;
    while at < 6 {
        let man = CHESS_MEN[at];
        men[at] = man;
        men[at + 6] = man.with(Thing::OwnBall, gui::HAVER[at]);
        men[at + 12] = man.with(Thing::Shield, gui::DEFENDER[at]);
        at += 1;
    }
    men
};

const fn facts(
    name: &'static str,
    aliases: &'static [&'static str],
    title: &'static str,
    summary: &'static str,
    start: &'static str,
    chance: bool,
) -> Facts {
    Facts {
        name,
        aliases,
        title,
        summary,
        files: 8,
        ranks: 10,
        first_rank: 0,
        start,
        chance,
        rules: ("wickets", include_str!("../../../protocol-docs/rules/wickets.md")),
        switches: &SWITCHES,
        roles: Some(roles),
        men: &MEN,
        goals: &WICKETS,
        xboard: &gui::VIEW,
        elo_scale: 85,
        ..Facts::PLAIN
    }
}

/// `wickets-det`
static DETERMINISTIC: Facts = facts(
    "wickets-det",
    &["wickets"],
    "Chess with Wickets, deterministic",
    "Mate, or take the wicket of a king who is Defender; a wicket that is seen costs three pieces",
    START,
    false,
);
/// `wickets-det2`
static DETERMINISTIC_TWO: Facts = facts(
    "wickets-det2",
    &[],
    "Chess with Wickets, deterministic II",
    "Mate, or take the wicket of a king who is Defender; a wicket that is seen costs two pieces",
    START,
    false,
);
/// `wickets-dice`
static DICE: Facts = facts(
    "wickets-dice",
    &[],
    "Chess with Wickets, dice",
    "Mate, or take the wicket of a king who is Defender; a die decides",
    START,
    true,
);
/// `wickets-dice2`
static DICE_TWO: Facts = facts(
    "wickets-dice2",
    &[],
    "Chess with Wickets, dice II",
    "Mate, or take the wicket of a king who is Defender; a die decides, a second roll costs a piece",
    START,
    true,
);
/// `wickets-cards`
static CARD_GAME: Facts = facts(
    "wickets-cards",
    &[],
    "Chess with Wickets, cards",
    "Mate, or take the wicket of a king who is Defender; cards from hidden hands decide",
    START_WITH_CARDS,
    true,
);
/// `wickets-cards2`
static CARD_GAME_TWO: Facts = facts(
    "wickets-cards2",
    &[],
    "Chess with Wickets, cards II",
    "Mate, or take the wicket of a king who is Defender; cards from hidden hands decide, with a second contest",
    START_WITH_CARDS,
    true,
);

/// By [`Mode`](super::mode::Mode).
pub const ALL: [&Facts; 6] =
    [&DETERMINISTIC, &DETERMINISTIC_TWO, &DICE, &DICE_TWO, &CARD_GAME, &CARD_GAME_TWO];
