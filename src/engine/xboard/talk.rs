//! Introducing ourselves to XBoard.

use super::Xboard;
use crate::engine::controller::Replies;
use crate::engine::options::{self, Kind, Offered};
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
        out.say(Reply::Features(vec![Feature::text("myname", &options::engine_name())]));
        out.say(Reply::Features(ABLE.iter().map(|&(name, able)| Feature::flag(name, able)).collect()));
        out.say(Reply::Features(vec![Feature::text("variants", &names())]));
        for entry in options::table() {
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
fn names() -> String {
    let name = |facts: &&'static crate::game::Facts| {
        if facts.aliases.contains(&"normal") { "normal" } else { facts.name }
    };
    variants::all().iter().map(name).collect::<Vec<_>>().join(",")
}
