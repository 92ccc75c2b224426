//! Random games of Chess with Wickets in all six modes: what its own rules promise of every state
//! (`random_games.rs` checks what holds for any game). `CAROM_RANDOM_GAMES` says how many of each mode.
use crate::base::{Color, Rng};
use crate::game::{
    Actor, Chance, Decisions, Evaluation, Game, GenType, Hidden, Notation, Playout, Repetition, Rules,
    playout, read_token, turns_text, write_token,
};
use crate::notation::{Coordinate, Leg, Token, parse_position, parse_token};
use crate::variants::wickets::{Choice, Mode, State};
use std::collections::{BTreeMap, BTreeSet};

fn games() -> usize {
    std::env::var("CAROM_RANDOM_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(5)
}

/// The runner's cap.
const MOST_PLIES: usize = 5000;

fn said(state: &State, choice: Choice) -> String {
    let legs = state.legs(choice);
    if legs.is_empty() { ".".to_owned() } else { Token { legs, open: false }.to_string() }
}

fn texts(state: &State, list: &[Choice]) -> BTreeSet<String> {
    list.iter().map(|&choice| said(state, choice)).collect()
}

fn all(state: &State) -> Vec<Choice> {
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    list.to_vec()
}

/// The same text with White and Black, top and bottom changed over.
fn mirrored_position(text: &str) -> String {
    let fields: Vec<&str> = text.split(' ').collect();
    let swap_case =
        |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    let board: Vec<String> =
        fields[0].split('/').rev().map(|line| line.chars().map(swap_case).collect()).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let mut rights: Vec<char> = fields[2].chars().map(swap_case).collect();
    rights.sort_by_key(|&right| "KQkq-".find(right));
    let flip = |word: &str| -> String {
        word.chars()
            .map(|c| c.to_digit(10).map_or(c, |rank| char::from_digit(9 - rank, 10).unwrap()))
            .collect()
    };
    let (white, black) = fields[4].split_once('/').unwrap();
    let mut all = vec![
        board.join("/"),
        side.to_owned(),
        rights.into_iter().collect(),
        flip(fields[3]),
        format!("{}/{}", flip(black), flip(white)),
        fields[5].to_owned(),
        fields[6].to_owned(),
    ];
    if let Some(cards) = fields.get(7) {
        let words: Vec<&str> = cards.split('/').collect();
        all.push(format!("W={}/B={}/{}/{}", &words[1][2..], &words[0][2..], words[2], words[3]));
    }
    all.join(" ")
}

fn mirrored_token(text: &str) -> String {
    if text == "." {
        return text.to_owned();
    }
    let mut token = parse_token(text).unwrap();
    let flip = |at: &mut Coordinate| at.rank = 9 - at.rank;
    for leg in &mut token.legs {
        match leg {
            Leg::Move { from, to, .. } => {
                flip(from);
                flip(to);
            }
            Leg::Put { at, .. } => flip(at),
            _ => {}
        }
    }
    token.to_string()
}

/// The order of sacrifices is by file and rank, which a mirror keeps or turns round.
fn sorted_legs(text: &str) -> String {
    let mut legs: Vec<&str> = text.split(',').collect();
    legs.sort_unstable();
    legs.join(",")
}

fn check_list(state: &State, list: &[Choice]) {
    let here = state.write();
    assert!(
        !state.between_turns() || list.is_empty() == matches!(state.outcome(), Some(o) if o.rule == "R45")
    );
    for &choice in list {
        let mut next = *state;
        next.apply(choice);
        assert!(next.key() != state.key(), "{here} {choice:?}");
        assert!(state.mvv_lva(choice) >= 0 || matches!(state.actor(), Actor::Player(_)));
        let token = write_token(state, &[choice]);
        assert_eq!(read_token(state, &token).unwrap().after, next, "{here} {token}");
    }
}

/// One ball a side, one Defender who does not have it, one king, at most one thing a cell (R7, R8).
fn check_invariants(state: &State) {
    let text = state.write().to_string();
    let fields: Vec<&str> = text.split(' ').collect();
    let count = |letter: char| fields[0].matches(letter).count();
    assert_eq!((count('K'), count('k')), (1, 1), "{text}");
    for (roles, ball) in fields[4].split('/').zip(['o', 'O']) {
        let (carrier, defender) = roles.split_once(':').unwrap();
        assert_eq!(count(ball), usize::from(carrier == "-"), "{text}");
        assert!(carrier != defender && defender != "-", "{text}");
    }
    assert!(state.is_readable(&text), "{text}");
}

trait Readable {
    fn is_readable(&self, text: &str) -> bool;
}

impl Readable for State {
    /// The text of a position reads back to an equal state, and writes the same text again.
    fn is_readable(&self, text: &str) -> bool {
        let rules = Rules::of(self.facts());
        let again = Self::read(&parse_position(text).unwrap(), &rules).unwrap();
        again == *self && again.write().to_string() == text && again.key() == self.key()
    }
}

/// A player's view is the same for every state that fits it, and holds no more than that player knows.
fn check_views(state: &State, rng: &mut Rng) {
    for viewer in Color::ALL {
        let view = state.view(viewer);
        assert_eq!(view.view(viewer), view);
        let sampled = view.sample(rng);
        assert_eq!(sampled.view(viewer), view);
        assert_eq!(sampled.actor(), state.actor());
        assert_eq!(sampled.repetition(), state.repetition());
        if state.actor() == Actor::Player(viewer) {
            // What one may do oneself does not depend on what one cannot see.
            assert_eq!(texts(&view, &all(&view)), texts(state, &all(state)));
        }
        check_search(state, &view, viewer, rng);
        if state.between_turns() {
            let text = sampled.write().to_string();
            assert!(!text.contains('?'), "{text}");
            assert!(sampled.is_readable(&text), "{text}");
        }
    }
}

/// A search from this view finds the same decisions, depends on nothing hidden, and comes to the end of the
/// turn whatever it tries.
fn check_search(state: &State, view: &State, viewer: Color, rng: &mut Rng) {
    let mut now = view.for_search(rng);
    assert_eq!((now.actor(), now.repetition()), (state.actor(), state.repetition()));
    if state.actor() == Actor::Player(viewer) {
        assert_eq!(texts(&now, &all(&now)), texts(state, &all(state)));
        assert_eq!(now, view.for_search(&mut Rng::new(7)));
    }
    while !now.between_turns() && now.outcome().is_none() {
        let choice = match now.actor() {
            Actor::Chance => Chance::draw(&now, &mut |cases| rng.below(cases)),
            _ => rng.pick(&all(&now)).copied(),
        };
        now.apply(choice.unwrap());
        let mut cards = now.cards.iter();
        assert!(cards.all(|cards| cards.key() == cards.key_from_nothing()));
    }
}

fn run(mode: Mode, seed: u64) {
    let rules = Rules::of(mode.facts());
    let mut rng = Rng::new(seed);
    let mut ends = BTreeMap::new();
    for _ in 0..games() {
        // In the card games a full deal, so that there is something to hide.
        let start = State::start(&rules).sample(&mut rng);
        let mirrored_start = mirrored_position(&start.write().to_string());
        let mut mirror = State::read(&parse_position(&mirrored_start).unwrap(), &rules).unwrap();
        let mut seen = 0;
        let mut checks = Rng::new(rng.bits());
        let Playout { record, outcome } = playout(start, &mut rng, MOST_PLIES, |record, list| {
            if let Some(last) = record.decisions().last() {
                let before = record.state_after(seen - 1).unwrap();
                follow(&mut mirror, &said(before, last));
            }
            seen += 1;
            let state = record.now();
            let expected: BTreeSet<_> =
                texts(&mirror, &all(&mirror)).iter().map(|t| sorted_legs(t)).collect();
            let flipped = texts(state, list).iter().map(|t| sorted_legs(&mirrored_token(t))).collect();
            assert_eq!(expected, flipped, "{}", state.write());
            assert_eq!(mirror.static_eval(), -state.static_eval(), "{}", state.write());
            check_list(state, list);
            check_views(state, &mut checks);
            if state.between_turns() {
                check_invariants(state);
                assert_eq!(
                    mirror.write().to_string().split(' ').nth(4),
                    mirrored_position(&state.write().to_string()).split(' ').nth(4)
                );
            }
        });
        // The whole game as text, and back.
        let decisions: Vec<Choice> = record.decisions().collect();
        let mut again = *record.start();
        for token in turns_text(record.start(), &decisions) {
            again = read_token(&again, &parse_token(&token.to_string()).unwrap()).unwrap().after;
        }
        assert_eq!(again, *record.now());
        *ends.entry(outcome.map_or("cap", |outcome| outcome.rule)).or_insert(0) += 1;
    }
    println!("{}: {ends:?}", mode.facts().name);
    let named = ["R32", "R45", "R53", "R71", "cap"];
    assert!(ends.keys().all(|rule| named.contains(rule)), "{ends:?}");
    assert!(ends.get("cap").copied().unwrap_or(0) * 10 <= games(), "{ends:?}");
}

/// Plays the mirror image of the choices made.
fn follow(mirror: &mut State, text: &str) {
    let wanted = sorted_legs(&mirrored_token(text));
    let choice =
        all(mirror).into_iter().find(|&choice| sorted_legs(&said(mirror, choice)) == wanted).unwrap();
    mirror.apply(choice);
}

#[test]
fn deterministic() {
    run(Mode::Deterministic, 11);
}

#[test]
fn deterministic_two() {
    run(Mode::DeterministicTwo, 12);
}

#[test]
fn dice() {
    run(Mode::Dice, 13);
}

#[test]
fn dice_two() {
    run(Mode::DiceTwo, 14);
}

#[test]
fn cards() {
    run(Mode::Cards, 15);
}

#[test]
fn cards_two() {
    run(Mode::CardsTwo, 16);
}
