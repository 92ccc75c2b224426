//! Random games of every game and mode: what the contract promises of any state, checked in every one of them.
//! `CAROM_RANDOM_GAMES` says how many games of each. What only one game's rules name (its invariants, its mirror) is
//! checked in that game's own tests.
use carom::base::Rng;
use carom::game::{
    Actor, ChanceOutcomes, Decisions, Facts, GenType, MAX_DECISIONS, Playable, Playout, Rules, playout,
    read_token, turns_text, write_token,
};
use carom::notation::{Token, parse_position, parse_token};
use carom::variants::{self, Visitor};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// The runner's cap, in decisions.
const CAP: usize = 5_000;

/// In one of so many states, the edits of every listed token are tried; in the others, those of one drawn at random.
const THOROUGH: usize = 256;

fn games() -> u64 {
    std::env::var("CAROM_RANDOM_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

/// The texts one edit away that the grammar takes at all. The others are refused whatever the state is, so each text is
/// looked at once.
#[derive(Default)]
struct Edits {
    known: HashMap<String, Rc<Vec<(String, Token)>>>,
    tried: u64,
    read: u64,
}

impl Edits {
    fn of(&mut self, text: &str) -> Rc<Vec<(String, Token)>> {
        let found = self.known.entry(text.to_owned()).or_insert_with(|| Rc::new(edits(text)));
        Rc::clone(found)
    }
}

/// One printable character put in, changed or left out, anywhere.
fn edits(text: &str) -> Vec<(String, Token)> {
    let mut edits = HashSet::new();
    for place in 0..=text.len() {
        let (left, right) = text.split_at(place);
        for letter in ' '..='~' {
            edits.insert(format!("{left}{letter}{right}"));
            if !right.is_empty() {
                edits.insert(format!("{left}{letter}{}", &right[1..]));
            }
        }
        if !right.is_empty() {
            edits.insert(format!("{left}{}", &right[1..]));
        }
    }
    edits.remove(text);
    let said = parse_token(text).unwrap();
    let mut parsed: Vec<_> =
        edits.into_iter().filter_map(|edit| Some((edit.clone(), parse_token(&edit).ok()?))).collect();
    parsed.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    // Another spelling of the same words (a letter in the other case) is no other token: one of each is read.
    let mut seen = vec![said];
    parsed.retain(|(_, token)| {
        let new = !seen.contains(token);
        if new {
            seen.push(token.clone());
        }
        new
    });
    parsed
}

fn sorted_legs(token: &Token) -> Vec<String> {
    let mut legs: Vec<String> = token.legs.iter().map(|leg| leg.to_string().to_lowercase()).collect();
    legs.sort_unstable();
    legs
}

/// Every text one edit away from that of `decision` is refused with a reason, or says a sequence of listed decisions.
fn check_edits<G: Playable>(state: &G, decision: G::Decision, list: &[G::Decision], edits: &mut Edits) {
    let said = write_token(state, &[decision]);
    for (edit, token) in edits.of(&said.to_string()).iter() {
        edits.tried += 1;
        let reading = match read_token(state, token) {
            Ok(reading) => reading,
            Err(refusal) => {
                let reason = &refusal.reason;
                assert!(!reason.is_empty() && !reason.ends_with('.'), "{edit}: {reason}");
                continue;
            }
        };
        edits.read += 1;
        let here = state.write();
        assert!(
            list.binary_search(&reading.decisions[0]).is_ok() || state.actor() == Actor::Chance,
            "{edit} for {said} in {here}"
        );
        // What was read is what was written: but for the order of sacrifices, and the two ways to write castling.
        let again = write_token(state, &reading.decisions);
        let castling = state.facts().name == "chess" && state.reads(reading.decisions[0], &token.legs) > 0;
        assert!(
            castling || sorted_legs(&again) == sorted_legs(token),
            "{edit} for {said} is read as {again} in {here}"
        );
    }
}

fn check_list<G: Playable>(state: &G, list: &[G::Decision], rules: &Rules) {
    let here = state.write();
    assert!(list.is_sorted_by(|one, next| one < next), "sorted, and each once: {here}");
    assert!(list.len() <= MAX_DECISIONS);
    assert_eq!(state.count(), list.len() as u64, "{here}");
    let simple = state.between_turns() && state.actor().player().is_some();
    assert!(simple || !G::ONE_DECISION_A_TURN, "counting takes the short way: {here}");
    if state.actor() == Actor::Chance {
        let mut outcomes = ChanceOutcomes::new();
        state.outcomes(&mut outcomes);
        assert!(outcomes.iter().map(|(outcome, _)| outcome).eq(list), "{here}: {outcomes:?}");
        assert!(outcomes.iter().all(|&(_, weight)| weight > 0), "{here}: {outcomes:?}");
    }
    let numbers: HashSet<u32> = list.iter().map(|&decision| decision.into()).collect();
    assert_eq!(numbers.len(), list.len(), "{here}");
    let mut texts = HashSet::new();
    let mut noisy = Decisions::new();
    state.decisions(GenType::Noisy, &mut noisy);
    assert!(noisy.iter().all(|decision| list.binary_search(decision).is_ok()), "{here}: {noisy:?}");
    let gives_check = state.gives_check();
    for &decision in list {
        let mut next = state.clone();
        next.apply(decision);
        // Most of the key changes where something is taken.
        if state.mvv_lva(decision) > 0 && next.between_turns() && next.outcome().is_none() {
            check_text(&next, rules);
        }
        assert!(state.history_index(decision) < G::HISTORY_SIZE);
        let token = write_token(state, &[decision]);
        assert!(texts.insert(token.to_string()), "{here}: two decisions are written {token}");
        let text = token.to_string();
        let reading = read_token(state, &parse_token(&text).unwrap()).unwrap();
        assert_eq!(reading.decisions[0], decision, "{here} {text}");
        assert_eq!(reading.after.key(), next.key(), "{here} {text}");
        assert!(
            state.in_check() || gives_check(decision).is_none_or(|check| check == next.in_check()),
            "{here} {text}"
        );
    }
}

/// The text of a position reads back to the same position (its key, kept up to date by every decision of the game, is the
/// one made from nothing), and writes the same text again.
fn check_text<G: Playable>(state: &G, rules: &Rules) {
    let text = state.write().to_string();
    let again = G::read(&parse_position(&text).unwrap(), rules).unwrap();
    assert_eq!(again.write().to_string(), text);
    assert_eq!(again.key(), state.key(), "{text}");
    assert_eq!((again.actor(), again.count()), (state.actor(), state.count()), "{text}");
}

struct Games {
    /// The rules by which a game is allowed to end.
    ends: &'static [&'static str],
}

impl Visitor for Games {
    type Output = ();

    fn visit<G: Playable>(self, game: &'static Facts) {
        let rules = Rules::of(game);
        let mut edits = Edits::default();
        let mut ends = BTreeMap::new();
        let mut states = 0_u64;
        for number in 0..games() {
            let mut rng = Rng::new(number);
            let mut checks = Rng::new(!number);
            // A full deal where cards are hidden.
            let start = G::start(&rules).sample(&mut rng);
            let Playout { record, outcome } = playout(start, &mut rng, CAP, |record, list| {
                let state = record.now();
                states += 1;
                assert!(!list.is_empty());
                check_list(state, list, &rules);
                if checks.below(THOROUGH) == 0 {
                    list.iter().for_each(|&decision| check_edits(state, decision, list, &mut edits));
                } else if let Some(&decision) = checks.pick(list) {
                    check_edits(state, decision, list, &mut edits);
                }
                if state.between_turns() {
                    check_text(state, &rules);
                }
            });
            let decisions: Vec<_> = record.decisions().collect();
            let mut again = record.start().clone();
            let turns = turns_text(record.start(), &decisions);
            if game.name.starts_with("alapo") {
                // A removal belongs to the history, which a single state does not know.
                assert!(!turns.is_empty());
            } else {
                for token in turns {
                    again = read_token(&again, &parse_token(&token.to_string()).unwrap()).unwrap().after;
                }
                assert_eq!(again.key(), record.now().key());
            }
            assert!(outcome.is_some() || record.len() == CAP);
            *ends.entry(outcome.map_or("cap", |outcome| outcome.rule)).or_insert(0) += 1;
        }
        println!(
            "{}: {} games, {states} states, {} edits tried, {} of them legal, ends {ends:?}",
            game.name,
            games(),
            edits.tried,
            edits.read
        );
        assert!(edits.tried > 0 && edits.read < edits.tried);
        let unknown: Vec<_> =
            ends.keys().filter(|&&rule| rule != "cap" && !self.ends.contains(&rule)).collect();
        assert!(unknown.is_empty(), "{ends:?}");
    }
}

macro_rules! games {
    ($($test:ident: $game:literal ends by $ends:expr;)*) => {
        $(
            #[test]
            fn $test() {
                variants::visit($game, Games { ends: &$ends }).unwrap();
            }
        )*

        #[test]
        fn no_game_is_left_out() {
            let tested = [$($game),*];
            assert!(variants::all().iter().all(|facts| tested.contains(&facts.name)));
        }
    };
}

const CHESS: [&str; 5] = ["FIDE 5.1.1", "FIDE 5.2.1", "FIDE 5.2.2", "FIDE 9.2", "FIDE 9.3"];
const WICKETS: [&str; 4] = ["R32", "R45", "R53", "R71"];

games! {
    chess: "chess" ends by CHESS;
    alapo: "alapo" ends by ["R6", "R10", "R11", "R14"];
    alapo_demotion: "alapo-demotion" ends by ["R11", "R21", "R22", "R24"];
    rollerball: "rollerball" ends by ["R35", "R36", "R39"];
    jai_alai: "jai-alai" ends by ["R72", "R73", "R75", "R76", "R77"];
    hanniball: "hanniball" ends by ["R26", "O11", "O12"];
    wickets_det: "wickets-det" ends by WICKETS;
    wickets_det2: "wickets-det2" ends by WICKETS;
    wickets_dice: "wickets-dice" ends by WICKETS;
    wickets_dice2: "wickets-dice2" ends by WICKETS;
    wickets_cards: "wickets-cards" ends by WICKETS;
    wickets_cards2: "wickets-cards2" ends by WICKETS;
    breakthrough: "breakthrough" ends by ["R5", "R6"];
    dice_chess: "dice-chess" ends by ["R6", "O2"];
}
