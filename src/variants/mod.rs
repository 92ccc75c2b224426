//! The games, a folder each, and the registry: the only place that knows them all.

pub mod alapo;
pub mod breakthrough;
pub mod chess;
mod chessboard;
pub mod dice_chess;
pub mod hanniball;
pub mod jai_alai;
pub mod rollerball;
pub mod wickets;

use crate::base::similar;
use crate::game::{Facts, Notation, Playable, Rules};

/// An operation that works for any game. [`visit`] looks the game up by its name.
pub trait Visitor {
    /// The result of the operation.
    type Output;
    /// Runs the operation for `game`, one of the games that `G` implements.
    fn visit<G: Playable>(self, game: &'static Facts) -> Self::Output;
}

/// No game has the given name or alias.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game is called `{name}`{}; there are: {known}", similar.map_or(String::new(), |game| format!(", did you mean `{game}`?")))]
pub struct UnknownGame {
    /// The name that was looked up.
    pub name: String,
    /// The known name most like it, if any is close.
    pub similar: Option<&'static str>,
    /// The names of all games, separated by commas.
    pub known: String,
}

macro_rules! registry {
    ($($game:ty),* $(,)?) => {
        /// The facts of every game, in the order they are listed to users.
        pub fn all() -> Vec<&'static Facts> {
            [$(<$game>::GAMES),*].concat()
        }

        /// Calls `visitor` with the game called `name`. Case does not matter, and aliases are accepted.
        ///
        /// # Errors
        /// When there is no such game.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, UnknownGame> {
            $(
                if let Some(facts) = answering(<$game>::GAMES, name) {
                    return Ok(visitor.visit::<$game>(facts));
                }
            )*
            Err(unknown(&all(), name))
        }
    };
}

registry![
    chess::State,
    alapo::Standard,
    alapo::Demotion,
    rollerball::State,
    jai_alai::State,
    hanniball::State,
    wickets::State,
    breakthrough::State,
    dice_chess::State,
];

/// The facts of the game with this name or alias.
///
/// # Errors
/// When there is no such game.
pub fn find(name: &str) -> Result<&'static Facts, UnknownGame> {
    find_among(&all(), name)
}

/// The facts of that one of `games` with this name or alias.
///
/// # Errors
/// When there is no such game among them.
pub fn find_among(games: &[&'static Facts], name: &str) -> Result<&'static Facts, UnknownGame> {
    answering(games, name).ok_or_else(|| unknown(games, name))
}

fn answering(games: &[&'static Facts], name: &str) -> Option<&'static Facts> {
    games.iter().find(|facts| facts.answers_to(name)).copied()
}

/// The game called `name` and its rules. Chess960 is a name here too: in matches and PGN it is a variant of
/// its own.
///
/// # Errors
/// When there is no such game.
pub fn find_with_rules(name: &str) -> Result<(&'static Facts, Rules), UnknownGame> {
    let chess960 = [chess::FISCHERANDOM, "chess960"].iter().any(|own| name.eq_ignore_ascii_case(own));
    let facts = if chess960 { &chess::FACTS } else { find(name)? };
    let mut rules = Rules::of(facts);
    if chess960 {
        // Cannot fail: chess has this switch.
        let _ = rules.set(facts, chess::CHESS960, "true");
    }
    Ok((facts, rules))
}

fn unknown(games: &[&'static Facts], name: &str) -> UnknownGame {
    let known: Vec<&'static str> = games.iter().map(|facts| facts.name).collect();
    let similar = similar(name, known.iter().copied());
    UnknownGame { name: name.to_owned(), similar, known: known.join(", ") }
}

/// The name of a rule switch among the options of all games: the game, then the switch, as in
/// `jai-alai layout`. If several games share the switch, the prefix common to their names takes the place of
/// the game, as in `wickets no-seal`; where their names have nothing in common the switch stands alone. `None`
/// when no game has it.
pub fn switch_label(switch: &str) -> Option<String> {
    let has = |facts: &&Facts| facts.switches.iter().any(|own| own.name == switch);
    let common = |one: &'static str, other: &str| {
        let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        &one[..same]
    };
    let family = all().into_iter().filter(has).map(|facts| facts.name).reduce(common)?;
    Some(format!("{} {switch}", family.trim_end_matches('-')).trim_start().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Color, Rng};
    use crate::game::accumulator::Accumulators;
    use crate::game::gui::{self, Gesture};
    use crate::game::network::{MAX_ON, Network};
    use crate::game::{Decision, Decisions, playout};
    use crate::notation::{Leg, parse_position};

    struct Check;

    impl Visitor for Check {
        type Output = ();
        fn visit<G: Playable>(self, game: &'static Facts) {
            let rules = Rules::of(game);
            let read = G::read(&parse_position(game.start).unwrap(), &rules).unwrap();
            for state in [G::start(&rules), read] {
                assert!(
                    std::ptr::eq(state.facts(), game),
                    "{} is taken for {}",
                    game.name,
                    state.facts().name
                );
            }
        }
    }

    #[test]
    fn each_name_is_played_as_that_game_and_no_other() {
        for game in all() {
            visit(game.name, Check).unwrap();
            game.aliases.iter().for_each(|alias| visit(alias, Check).unwrap());
        }
    }

    struct ByMouse;

    impl Visitor for ByMouse {
        type Output = ();
        fn visit<G: Playable>(self, game: &'static Facts) {
            for seed in 1..=3 {
                let mut rng = Rng::new(seed);
                let mut state = G::start(&Rules::of(game));
                for _ in 0..40 {
                    let mut list = Decisions::new();
                    state.sorted_decisions(&mut list);
                    let Some(&next) = rng.pick(&list).filter(|_| state.outcome().is_none()) else { break };
                    let gestures = state.gestures(&[]);
                    for &decision in &gui::all_decisions(&state) {
                        assert!(
                            says(&gestures, decision) || is_said_otherwise(&state, &gestures, decision),
                            "{}: nobody can say {decision:?} in {}",
                            game.name,
                            state.write()
                        );
                    }
                    state.apply(next);
                }
            }
        }
    }

    fn says<D: Decision>(gestures: &[Gesture], decision: D) -> bool {
        gestures.iter().any(|gesture| gesture.decisions.first() == Some(&decision.into()))
    }

    fn is_said_otherwise<G: Playable>(state: &G, gestures: &[Gesture], decision: G::Decision) -> bool {
        let legs = state.legs(decision);
        // When several pieces are chosen together, all but the last have been picked before.
        let put = |leg: &Leg| if let Leg::Put { at, .. } = leg { Some(*at) } else { None };
        let picked: Vec<_> = legs[..legs.len().saturating_sub(1)].iter().filter_map(put).collect();
        let word = legs.first().filter(|leg| **leg != Leg::Pass).map_or("stop".to_owned(), Leg::to_string);
        let typed = state.prompt(&[]).is_some_and(|prompt| prompt.is_typed()) && state.typed(&word).is_ok();
        // Another decision may lead to the same board.
        let after = gui::shown_after(state, decision);
        let same = |&&other: &&G::Decision| says(gestures, other) && gui::shown_after(state, other) == after;
        typed
            || says(&state.gestures(&picked), decision)
            || gui::all_decisions(state).iter().any(|d| same(&d))
    }

    #[test]
    fn every_decision_of_a_player_can_be_said_by_mouse_or_typed() {
        for game in all() {
            visit(game.name, ByMouse).unwrap();
        }
    }

    struct FitsItsNetwork;

    impl Visitor for FitsItsNetwork {
        type Output = ();
        fn visit<G: Playable>(self, facts: &'static Facts) {
            if G::INPUTS == 0 {
                // It has not learned anything yet.
                assert!(G::network().is_none(), "{} has a network without inputs", facts.name);
                return;
            }
            // A file that does not fit is ignored without an error; the engine would just play worse.
            let network = G::network().unwrap_or_else(|| panic!("{} has no network", facts.name));
            let again = Network::from_bytes::<G>(&network.to_bytes());
            assert_eq!(again.as_ref(), Some(network), "{}", facts.name);
            // Nor would a ranker that does not fit be missed.
            assert_eq!(G::step_ranker().is_some(), facts.name == "hanniball", "{}", facts.name);
            let (mut rng, mut plies) = (Rng::new(5), Rng::new(6));
            let mut accumulators = Accumulators::default();
            for _ in 0..4 {
                playout(G::start(&Rules::of(facts)), &mut rng, 300, |record, _| {
                    let state = record.now();
                    // Sums that are kept are those that are made anew, whatever stood at this ply before.
                    let kept = accumulators.static_eval(state, plies.below(5));
                    assert_eq!(kept, state.static_eval(), "{}", facts.name);
                    assert!(state.bucket() < G::BUCKETS, "{}", facts.name);
                    let parts = &network.parts;
                    let mut largest = vec![[i32::from(i16::MAX); 2]; parts.len()];
                    let mut on = [0; 2];
                    let mut seen_by = [const { Vec::new() }; 2];
                    state.inputs(|side, input| {
                        seen_by[side.index()].push(input);
                        assert!(input < G::INPUTS, "{}: input {input}", facts.name);
                        on[side.index()] += 1;
                        for (part, room) in parts.iter().zip(&mut largest) {
                            let weights = part.inputs[input].iter().flat_map(|some| some.to_array());
                            room[side.index()] -=
                                weights.map(|weight| i32::from(weight).abs()).max().unwrap_or(0);
                            assert!(
                                room[side.index()] > 0,
                                "{}: the sum of the weights may not fit",
                                facts.name
                            );
                        }
                    });
                    assert!(on.into_iter().all(|on| on <= MAX_ON), "{}: {on:?} inputs are on", facts.name);
                    for side in Color::ALL {
                        let mut one_side = Vec::new();
                        let terms =
                            state.inputs_seen_by_and_classical_eval(side, |input| one_side.push(input));
                        assert_eq!(terms, state.classical_eval(), "{}", facts.name);
                        let both = &mut seen_by[side.index()];
                        both.sort_unstable();
                        one_side.sort_unstable();
                        assert_eq!(&one_side, both, "{}", facts.name);
                    }
                });
            }
        }
    }

    #[test]
    fn every_network_fits_its_game() {
        for facts in all() {
            visit(facts.name, FitsItsNetwork).unwrap();
        }
    }
}
