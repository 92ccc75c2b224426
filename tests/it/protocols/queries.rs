//! What the rules say of a position when a tool asks: lists of turns and of what may follow a beginning, against playing
//! everything out; and positions with the colours exchanged.
use carom::base::Rng;
use carom::game::{Actor, Facts, Notation, Playable, Rules, perft};
use carom::notation::parse_position;
use carom::session::chance::Chance;
use carom::session::{Session, open};
use carom::variants::{self, Visitor, hanniball};
use std::collections::BTreeSet;
use std::path::Path;

/// A game at its start.
fn opened(game: &str) -> Box<dyn Session> {
    let facts = variants::find(game).unwrap();
    open(facts, Rules::of(facts), Chance::Own { seed: 5 })
}

/// Positions of a game: those of its perft file.
fn positions(game: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/perft");
    let text = std::fs::read_to_string(folder.join(format!("{game}.perft"))).unwrap();
    text.lines().filter_map(|line| line.strip_prefix("position ")).map(str::to_owned).collect()
}

/// All words that begin with `beginning`, found by asking for one leg after the other.
fn spelled(session: &dyn Session, beginning: &str, found: &mut BTreeSet<String>) {
    let next = session.continuations_of(beginning).unwrap();
    if next.is_empty() && !beginning.is_empty() {
        found.insert(beginning.to_owned());
    }
    for leg in next {
        match (leg.as_str(), beginning) {
            // Stopping is not written.
            (".", _) => drop(found.insert(beginning.to_owned())),
            (leg, "") => spelled(session, leg, found),
            (leg, _) => spelled(session, &format!("{beginning},{leg}"), found),
        }
    }
}

#[test]
fn words_are_what_their_legs_spell_and_all_can_be_played() {
    let mut words = 0;
    for facts in variants::all() {
        let mut session = opened(facts.name);
        let mut rng = Rng::new(3);
        for _ in 0..4 {
            session.set_up(None, &mut std::iter::empty()).unwrap();
            for ply in 0..14 {
                let Some(listed) = session.tokens("", 3000).unwrap() else { break };
                if listed.is_empty() {
                    assert!(session.outcome().is_some(), "{} is over: {}", facts.name, session.position());
                    break;
                }
                let place = format!("{} {}", facts.name, session.position());
                if ply % 5 == 0 {
                    let mut spelt = BTreeSet::new();
                    spelled(&*session, "", &mut spelt);
                    assert_eq!(spelt.into_iter().collect::<Vec<_>>(), listed, "{place}");
                    words += listed.len();
                    let chosen = rng.pick(&listed).unwrap().clone();
                    let first = chosen.split(',').next().unwrap();
                    let begun = session.tokens(first, 3000).unwrap().unwrap();
                    let wanted = |word: &&String| *word == first || word.starts_with(&format!("{first},"));
                    assert_eq!(
                        begun,
                        listed.iter().filter(wanted).cloned().collect::<Vec<_>>(),
                        "{place} {first}"
                    );
                }
                let before = session.tokens_played();
                for word in listed.iter().take(40) {
                    session.play(word).unwrap_or_else(|error| panic!("{place}: {word}: {error}"));
                    session.rewind(before);
                }
                session.play(rng.pick(&listed).unwrap()).unwrap();
            }
        }
    }
    assert!(words > 2000, "{words}");
}

#[test]
fn lists_have_an_end_and_beginnings_must_be_legal() {
    let session = opened("hanniball");
    assert_eq!(session.tokens("", 100), Ok(None));
    let words = session.tokens("", 10_000).unwrap().unwrap();
    // Each order of the steps is a word of its own, and a sequence of its own to perft.
    assert_eq!(words.len() as u64, first_turns());
    assert!(session.tokens("e1e9", 10).is_err() && session.continuations_of("nonsense").is_err());
    // What ends a turn is followed by nothing.
    let mut chess = opened("chess");
    assert_eq!(chess.continuations_of("e2e4"), Ok(vec![]));
    assert_eq!(chess.tokens("e2e4", 10), Ok(Some(vec!["e2e4".to_owned()])));
    chess.set_up(None, &mut "f2f3 e7e5 g2g4 d8h4".split(' ')).unwrap();
    assert_eq!((chess.tokens("", 10), chess.continuations_of("")), (Ok(Some(vec![])), Ok(vec![])));
}

fn first_turns() -> u64 {
    perft::turns(&hanniball::State::start(&Rules::default()), 1)
}

struct Flipped<'a>(&'a str);

impl Visitor for Flipped<'_> {
    /// How many positions have a twin.
    type Output = usize;
    fn visit<G: Playable>(self, game: &'static Facts) -> usize {
        let rules = Rules::of(game);
        let mut twins = 0;
        for text in positions(self.0) {
            let place = format!("{}: {text}", self.0);
            let position = parse_position(&text).unwrap();
            let Ok(state) = G::read(&position, &rules) else { continue };
            let exchanged = G::with_colors_exchanged(&state.write());
            let twin = match G::read(&exchanged, &rules) {
                Ok(twin) => twin,
                // Only White has a first turn of two steps.
                Err(error) => {
                    assert!(self.0 == "hanniball" && text.contains(" w 2 "), "{place}: {exchanged}: {error}");
                    continue;
                }
            };
            let back = G::with_colors_exchanged(&twin.write());
            assert_eq!(back.to_string(), state.write().to_string(), "{place}");
            if let (Actor::Player(one), Actor::Player(other)) = (state.actor(), twin.actor()) {
                assert_eq!(one, other.other(), "{place}");
            }
            let winner = |state: &G| state.outcome().map(|outcome| outcome.winner);
            assert_eq!(
                winner(&state),
                winner(&twin).map(|winner| winner.map(carom::base::Color::other)),
                "{place}"
            );
            assert_eq!(twin.static_eval(), -state.static_eval(), "{place}");
            if G::ONE_DECISION_A_TURN {
                assert_eq!(perft::turns(&twin, 2), perft::turns(&state, 2), "{place}");
            } else {
                // Whole turns may be millions.
                assert_eq!(perft::steps(&twin, 2), perft::steps(&state, 2), "{place}");
            }
            twins += 1;
        }
        twins
    }
}

struct Mirrored<'a>(&'a str);

impl Visitor for Mirrored<'_> {
    /// How many positions differ from their mirror image.
    type Output = usize;
    fn visit<G: Playable>(self, game: &'static Facts) -> usize {
        let rules = Rules::of(game);
        let mut twins = 0;
        for text in positions(self.0) {
            let place = format!("{}: {text}", self.0);
            let state = G::read(&parse_position(&text).unwrap(), &rules).unwrap();
            let Some(mirrored) = G::mirrored(&state.write()) else { continue };
            let twin = G::read(&mirrored, &rules).unwrap();
            assert_eq!(G::mirrored(&twin.write()).unwrap().to_string(), state.write().to_string(), "{place}");
            assert_eq!((twin.actor(), twin.outcome()), (state.actor(), state.outcome()), "{place}");
            assert_eq!(twin.classical_eval(), state.classical_eval(), "{place}");
            assert_eq!(perft::steps(&twin, 3), perft::steps(&state, 3), "{place}");
            twins += usize::from(twin.key() != state.key());
        }
        twins
    }
}

#[test]
fn a_mirror_image_has_as_many_turns_and_the_same_worth() {
    for facts in variants::all() {
        let twins = variants::visit(facts.name, Mirrored(facts.name)).unwrap();
        let known = ["alapo", "alapo-demotion", "breakthrough", "hanniball"].contains(&facts.name);
        assert_eq!(known, twins > 0, "{}: {twins}", facts.name);
    }
}

#[test]
fn positions_with_the_colours_exchanged_have_as_many_turns_and_the_opposite_worth() {
    for facts in variants::all() {
        let twins = variants::visit(facts.name, Flipped(facts.name)).unwrap();
        assert!(twins > 0, "{}", facts.name);
    }
}

#[test]
fn flip_keeps_the_game_where_there_is_no_twin() {
    let mut session = opened("hanniball");
    let before = session.position();
    assert!(session.flip().is_err(), "only White has a first turn of two steps");
    assert_eq!(session.position(), before);
    let mut dice = opened("wickets-dice");
    dice.set_up(
        Some("****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30"),
        &mut ["c3a5,"].into_iter(),
    )
    .unwrap();
    assert!(dice.flip().unwrap_err().to_string().contains("not finished"));
}
