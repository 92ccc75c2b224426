//! Jai-Alai (Roberto Lavieri): 9 by 8 squares, balls that take only after a rebound, a Reducer that weakens its
//! neighbours, four Statues in hand. Rule numbers are those of `protocol-docs/rules/jai-alai.md`.

mod board;
mod decision;
mod evaluation;
mod geometry;
mod man;
mod movegen;
mod notation;
mod safety;
mod setup;
mod state;

#[cfg(test)]
mod tests;

pub use decision::Action;
pub use man::Kind;
pub use state::State;

use crate::game::{Facts, StepView, Switch, SwitchKind, XboardView};

/// A Deer's capture and a Boy's promotion change more on the board than a ply of XBoard's says.
static STEPS: StepView = StepView { show: Clone::clone, read: None, neutral: None, each: false };

/// The facts of the game.
pub static FACTS: Facts = Facts {
    name: "jai-alai",
    aliases: &["jaialai"],
    title: "Jai-Alai",
    summary: "balls rebound, a Reducer weakens its neighbours, Statues are dropped; mate, or leave the enemy two men",
    files: geometry::FILES,
    ranks: geometry::RANKS,
    hand: setup::STATUES,
    start: "1d1mrm1d1/1a1bkb1a1/gpppspppg/9/9/GPPPSPPPG/1A1BKB1A1/1D1MRM1D1[TTTTtttt] w 0 1",
    rules: ("jai-alai", include_str!("../../../protocol-docs/rules/jai-alai.md")),
    switches: &[
        Switch {
            name: "minimum-first-leg",
            kind: SwitchKind::Choice(&["1", "0"]),
            help: "squares a ball must travel before it rebounds",
        },
        Switch {
            name: "layout",
            kind: SwitchKind::Choice(&setup::LAYOUT_NAMES),
            help: "where the men behind the front rank start",
        },
    ],
    xboard: XboardView {
        setup: Some(
            "(T..............................A.B.M..G.R...S....DK....P.\
             t..............................a.b.m..g.r...s....dk....p.) 9x8+1_bughouse",
        ),
        position: "1d1mrm1d1/1a1bkb1a1/gpppspppg/9/9/GPPPSPPPG/1A1BKB1A1/1D1MRM1D1[TTTTtttt] w - - 0 1",
        letters: &[],
        removes: false,
        pieces: &[],
        steps: Some(&STEPS),
    },
    ..Facts::PLAIN
};
