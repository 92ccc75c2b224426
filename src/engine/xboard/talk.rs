//! Introducing ourselves to XBoard.

use super::Xboard;
use crate::engine::controller::Replies;
use crate::engine::options::{self, Kind, Offered};
use crate::game::Facts;
use crate::protocol::xboard::{Declaration, Feature, OptionKind, Reply, Span};
use crate::variants;

/// What we can do, as `feature`s. `done=1` follows the options.
const ABLE: [(&str, bool); 20] = [
    ("ping", true),
    ("setboard", true),
    ("usermove", true),
    ("colors", false),
    ("sigint", false),
    ("sigterm", false),
    ("san", false),
    ("highlight", true),
    ("analyze", true),
    ("playother", true),
    ("memory", true),
    ("smp", true),
    ("name", true),
    ("draw", true),
    ("pause", true),
    ("exclude", true),
    ("nps", true),
    ("time", true),
    ("reuse", true),
    ("debug", true),
];

impl Xboard {
    pub(super) fn introduce(&self, version: u32, out: &mut Replies) {
        if version < 2 {
            return;
        }
        let (own_name, foreign) = (options::engine_name(), self.engine.foreign());
        let name = foreign.map_or(&own_name, |foreign| &foreign.name);
        out.say(Reply::Features(vec![Feature::text("myname", name)]));
        let able =
            |name, able| foreign.map_or(able, |foreign| able && super::foreign::is_able(foreign, name));
        out.say(Reply::Features(
            ABLE.iter().map(|&(name, own)| Feature::flag(name, able(name, own))).collect(),
        ));
        let games = foreign.map_or_else(variants::all, |foreign| foreign.games.clone());
        out.say(Reply::Features(vec![Feature::text("variants", &names(&games))]));
        for text in foreign.into_iter().flat_map(super::foreign::declarations) {
            out.say(Reply::Features(vec![Feature::text("option", &text)]));
        }
        for entry in self.engine.own_options() {
            if matches!(entry.offered, Offered::Uci { .. }) {
                continue;
            }
            let kind = match &entry.kind {
                Kind::Check { default, .. } => OptionKind::Check(*default),
                Kind::Spin { default, min, max, .. } => {
                    OptionKind::Spin(Span { value: *default as i64, min: *min as i64, max: *max as i64 })
                }
                Kind::Combo { values, .. } | Kind::Game(values) => {
                    OptionKind::Combo { choices: values.clone(), current: Some(0) }
                }
                Kind::Button(_) => OptionKind::Button,
                Kind::Text(text) => OptionKind::String(text),
                Kind::Words(_) => OptionKind::String(""),
            };
            let text = Declaration { name: &entry.label(), kind }.to_string();
            out.say(Reply::Features(vec![Feature::text("option", &text)]));
        }
        out.say(Reply::Features(vec![Feature::flag("done", true)]));
    }
}

/// The games in XBoard's names: chess is `normal` there, and comes first, or XBoard begins with another.
fn names(games: &[&'static Facts]) -> String {
    let name = |facts: &&'static Facts| {
        if facts.aliases.contains(&"normal") { "normal" } else { facts.name }
    };
    games.iter().map(name).collect::<Vec<_>>().join(",")
}
