//! Introduces us to XBoard, or another program behind us, with its abilities and options.

use super::game::Game;
use crate::engine::Profile;
use crate::engine::options::{self, Offered};
use crate::game::Facts;
use crate::protocol::xboard::{Feature, Reply};
use crate::protocol::{EngineOption, same_words};
use crate::variants::chess::FISCHERANDOM;

/// Our abilities, by their names in `feature`; `-` stands before what we cannot do. `done=1` follows the
/// options.
const ABLE: &str = "ping setboard usermove -colors -sigint sigterm -san highlight analyze playother memory smp name draw pause \
                    exclude nps time reuse debug";

/// Answers `protover 2`.
pub(super) fn introduce(game: &mut Game) {
    let profile = game.engine.profile();
    let mut say = |features: Vec<Feature<'_>>| game.out.say(Reply::Features(features));
    say(vec![Feature::text("myname", &profile.name)]);
    let flag = |word: &'static str| match word.strip_prefix('-') {
        Some(name) => Feature::flag(name, false),
        None => Feature::flag(word, is_able(profile, word)),
    };
    say(ABLE.split_whitespace().map(flag).collect());
    let games = names(&profile.games, profile.abilities.plays_chess960);
    say(vec![Feature::text("variants", &games)]);
    let theirs = declarations(&profile.options);
    let own = game.engine.own_options();
    let own = own.iter().filter(|entry| !matches!(entry.offered, Offered::Uci { .. }));
    let own = own.map(|entry| entry.declared(&entry.label()).to_xboard());
    for text in theirs.into_iter().chain(own) {
        say(vec![Feature::text("option", &text)]);
    }
    say(vec![Feature::flag("done", true)]);
}

/// The games by XBoard's names. Chess is called `normal` there. It comes first, since otherwise XBoard would
/// begin with another game.
fn names(games: &[&'static Facts], chess960: bool) -> String {
    let names = |facts: &&'static Facts| match facts.is_chess() {
        true if chess960 => vec!["normal", FISCHERANDOM],
        true => vec!["normal"],
        false => vec![facts.name],
    };
    games.iter().flat_map(names).collect::<Vec<_>>().join(",")
}

/// Options that XBoard has commands of its own for, or that only we may set.
const COMMANDS: [&str; 6] = ["Hash", "Threads", "Ponder", "UCI_Variant", "UCI_Chess960", "UCI_AnalyseMode"];

/// The options of the backend that XBoard is sent.
fn declarations(options: &[EngineOption]) -> Vec<String> {
    let shown = |option: &&EngineOption| !COMMANDS.iter().any(|own| same_words(own, &option.name));
    options.iter().filter(shown).map(EngineOption::to_xboard).collect()
}

/// True when the backend supports the feature called `name`.
fn is_able(profile: &Profile, name: &str) -> bool {
    let abilities = &profile.abilities;
    match name {
        "memory" => abilities.has_hash,
        "smp" => abilities.has_threads,
        "analyze" => abilities.analyses,
        "nps" => abilities.counts_nodes,
        "pause" => abilities.pauses,
        // Without rules of ours to mark squares, XBoard marks them by its own.
        "highlight" | "exclude" => profile.games.iter().any(|facts| options::is_registered(facts)),
        _ => true,
    }
}
