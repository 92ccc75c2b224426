//! XBoard in front of another program: which of its abilities and options XBoard hears of, and what it says unasked.

use super::{Xboard, tell};
use crate::engine::controller::Replies;
use crate::engine::events::EngineMessage;
use crate::engine::foreign::ForeignEngine;
use crate::protocol::xboard::{Audience, Outcome, Reply};
use crate::protocol::{Bound, EngineOption, same_words};
use crate::search;

/// Options that XBoard has commands of its own for, or that are for us to set.
const COMMANDS: [&str; 6] = ["Hash", "Threads", "Ponder", "UCI_Variant", "UCI_Chess960", "UCI_AnalyseMode"];

/// What XBoard is told of the options of `foreign`.
pub(super) fn declarations(foreign: &ForeignEngine) -> Vec<String> {
    let shown = |option: &&EngineOption| !COMMANDS.iter().any(|own| same_words(own, &option.name));
    foreign.options.iter().filter(shown).map(|option| option.to_xboard().to_string()).collect()
}

/// True when the feature called `name` has something behind it.
pub(super) fn is_able(foreign: &ForeignEngine, name: &str) -> bool {
    let has = |option| EngineOption::find(&foreign.options, option).is_some();
    match name {
        "memory" => has("Hash"),
        "smp" => has("Threads"),
        "analyze" => foreign.analyses,
        "nps" => foreign.counts_nodes,
        // A search elsewhere cannot be made to stand still.
        "pause" => false,
        // Where no rules of ours say which squares to mark, XBoard's own do.
        "highlight" | "exclude" => {
            foreign.games.iter().any(|facts| crate::engine::options::is_registered(facts))
        }
        _ => true,
    }
}

impl Xboard {
    /// Our own searches tell only what is exact in the end; what others tell of bounds is passed on.
    pub(super) fn bound_of(&self, bound: search::Bound) -> Bound {
        match bound {
            search::Bound::Lower if self.engine.foreign().is_some() => Bound::Lower,
            search::Bound::Upper if self.engine.foreign().is_some() => Bound::Upper,
            _ => Bound::Exact,
        }
    }

    /// The program that searches in our place says something that is no part of a search.
    pub(super) fn handle_message(&mut self, message: EngineMessage, out: &mut Replies) {
        match message {
            EngineMessage::Error(text) => out.say(Reply::Tell { audience: Audience::UserError, text: &text }),
            EngineMessage::Tell(text) => tell(&text, out),
            EngineMessage::Log(text) => out.say(Reply::Comment(&text)),
            EngineMessage::RawXboard(line) => out.say(line),
            EngineMessage::DrawOffer => out.say(Reply::OfferDraw),
            _ if self.over => {}
            EngineMessage::Resign => {
                self.over = true;
                self.abandon(out);
                out.say(Reply::Resign);
            }
            EngineMessage::ResultClaim(verdict, comment) => {
                self.over = true;
                self.abandon(out);
                out.say(Reply::Result(Outcome { verdict, comment: &comment }));
            }
        }
    }
}
