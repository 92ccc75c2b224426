//! The slow generator of Chess with Wickets against the fast one, in all six modes, also in the middle of
//! turns. `CAROM_REFERENCE_POSITIONS` says on how many positions of each mode.
use crate::base::{Color, Rng};
use crate::game::{
    Actor, Chance, ChanceOutcomes, Decisions, Game, GenType, Notation, Perft, Rules, read_token,
};
use crate::notation::{Token, parse_position, parse_token};
use crate::variants::wickets::{Choice, Mode, State};
use std::collections::BTreeMap;

mod slow;

fn positions() -> usize {
    std::env::var("CAROM_REFERENCE_POSITIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

fn rules(mode: Mode, no_seal: bool) -> Rules {
    let mut rules = Rules::of(mode.facts());
    rules.set(mode.facts(), "no-seal", if no_seal { "on" } else { "off" }).unwrap();
    rules
}

fn text(state: &State, choice: Choice) -> String {
    let legs = state.legs(choice);
    if legs.is_empty() { ".".to_owned() } else { Token { legs, open: false }.to_string() }
}

fn listed(state: &State) -> BTreeMap<String, Choice> {
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    assert_eq!(list.len() as u64, state.count(), "{}", state.write());
    let texts: BTreeMap<_, _> = list.iter().map(|&choice| (text(state, choice), choice)).collect();
    assert_eq!(texts.len(), list.len(), "listed twice: {}", state.write());
    texts
}

/// Complete turns by the slow generator; a die counts as two branches.
fn slow_turns(slow: &slow::State) -> u64 {
    let all = slow.options();
    let is_die = all.first().is_some_and(|(text, _)| text == "=1");
    let branches = all.iter().filter(|(text, _)| !is_die || text == "=1" || text == "=6");
    let rest = |next: &slow::State| {
        let over = next.speaker().starts_with('R');
        if next.between_turns() || over { 1 } else { slow_turns(next) }
    };
    branches.map(|(_, next)| rest(next)).sum()
}

/// Both generators at one state: same speaker, same text, same list.
fn compare(fast: &State, slow: &slow::State) -> BTreeMap<String, Choice> {
    let here = fast.write().to_string();
    assert_eq!(here, slow.text());
    let speaker = match fast.actor() {
        Actor::Player(Color::White) => "w",
        Actor::Player(Color::Black) => "b",
        Actor::Chance => "chance",
        Actor::Nobody => fast.outcome().unwrap().rule,
    };
    assert_eq!(speaker, slow.speaker(), "{here}");
    assert_eq!(fast.between_turns(), slow.between_turns(), "{here}");
    let mine = listed(fast);
    let theirs = slow.options();
    if mine.contains_key("=1") && theirs.len() == 6 {
        // The die: each face leads to the same place, and the weights count the faces.
        let mut faces = BTreeMap::new();
        for (face, after) in &theirs {
            let reading = read_token(fast, &parse_token(face).unwrap()).unwrap();
            assert_eq!(text(fast, reading.decisions[0]), *face);
            assert_eq!(reading.after.write().to_string(), after.text(), "{here} {face}");
            let listed_as = mine.iter().find(|(_, choice)| {
                let mut next = *fast;
                next.apply(**choice);
                next == reading.after
            });
            *faces.entry(listed_as.unwrap().0.clone()).or_insert(0) += 1;
        }
        let mut outcomes = ChanceOutcomes::new();
        fast.outcomes(&mut outcomes);
        for (face, choice) in &mine {
            assert!(outcomes.contains(&(*choice, faces[face])), "{here} {face}");
        }
        return mine;
    }
    let mine_texts: Vec<_> = mine.keys().cloned().collect();
    let mut theirs_texts: Vec<_> = theirs.into_iter().map(|(text, _)| text).collect();
    theirs_texts.sort();
    assert_eq!(mine_texts, theirs_texts, "{here}, after {fast:?}");
    mine
}

/// One of the options, preferring what leads into the middle of a turn.
fn choose(slow: &slow::State, rng: &mut Rng) -> Option<(String, slow::State)> {
    let options = slow.options();
    // A throw into a wicket, or a move that makes one possible, is rare enough to be looked for.
    let attempts = |text: &str| text.starts_with('O') && text.ends_with(&slow.goal());
    let aims =
        |next: &slow::State| next.stage() == "Throw" && next.options().iter().any(|(text, _)| attempts(text));
    let aimed: Vec<_> = options.iter().filter(|(text, next)| attempts(text) || aims(next)).collect();
    if !aimed.is_empty() && rng.below(2) == 0 {
        return rng.pick(&aimed).map(|option| (*option).clone());
    }
    let goes_on: Vec<_> = options.iter().filter(|(_, next)| !next.between_turns()).collect();
    if !goes_on.is_empty() && rng.below(4) > 0 {
        return rng.pick(&goes_on).map(|option| (*option).clone());
    }
    rng.pick(&options).cloned()
}

fn random_cards(rng: &mut Rng) -> String {
    match rng.below(4) {
        0 => " W=?10/B=?10/S=?20/D=-".to_owned(),
        kind => {
            let mut pack: Vec<u8> = (0..40).collect();
            for last in (1..40).rev() {
                pack.swap(last, rng.below(last + 1));
            }
            let card = |number: u8| {
                let value = char::from(b"A23456789T"[usize::from(number % 10)]);
                format!("{value}{}", char::from(b"cdhs"[usize::from(number / 10)]))
            };
            let heap = |cards: &[u8]| -> String {
                let text: String = cards.iter().map(|&number| card(number)).collect();
                if text.is_empty() { "-".to_owned() } else { text }
            };
            // A nearly used-up stock, so that the discards are shuffled.
            let stock = [20, 19, 2, 1, 0][rng.below(5)];
            let black = if kind == 1 { "?10".to_owned() } else { heap(&pack[10..20]) };
            let listed_stock = if stock == 0 { "-".to_owned() } else { heap(&pack[20..20 + stock]) };
            let stock_text = if kind == 2 || stock == 0 { listed_stock } else { format!("?{stock}") };
            format!(" W={}/B={black}/S={stock_text}/D={}", heap(&pack[..10]), heap(&pack[20 + stock..]))
        }
    }
}

/// A board whose free cells are all written `1`, with neighbouring ones counted together.
fn squeeze(board: &str) -> String {
    let count = |run: &str| if run.starts_with('1') { run.len().to_string() } else { run.to_owned() };
    let letters: Vec<char> = board.chars().collect();
    let runs = letters.chunk_by(|one, next| *one == '1' && *next == '1');
    runs.map(|run| count(&run.iter().collect::<String>())).collect()
}

/// Where the next turn may take a wicket, seen and unseen.
const NEAR_A_WICKET: [&str; 4] = [
    "****1***/3qk3/p4ppp/8/8/8/8/PPP2PPP/3RK3/****1*** w - - d1:e1/a7:d8 0 30",
    "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30",
    "****1***/r4q1k/6pp/8/8/2Q5/8/PPP2PPP/4K3/****1*** w - - c3:a2/a8:f8 0 30",
    "****1***/3rk3/5ppp/q7/8/8/8/5PPP/3BK3/****1*** b - - g2:d1/a5:d8 0 30",
];

/// Pieces anywhere, crowded around the wickets more often than not.
fn random_set_up(rng: &mut Rng, with_cards: bool) -> String {
    let mut grid = [['.'; 8]; 10];
    let is_cell = |file: usize, rank: usize| (1..=8).contains(&rank) || file == 4;
    let mut place = |rng: &mut Rng, letter: char| loop {
        let near_wicket = rng.below(3) == 0;
        let (mut file, mut rank) = (rng.below(8), 1 + rng.below(8));
        if near_wicket {
            file = 3 + rng.below(3);
            rank = [0, 1, 2, 7, 8, 9][rng.below(6)];
        }
        let pawn = letter.eq_ignore_ascii_case(&'p');
        if is_cell(file, rank) && grid[rank][file] == '.' && (!pawn || (2..=7).contains(&rank)) {
            grid[rank][file] = letter;
            return (file, rank);
        }
    };
    let mut own: [Vec<(usize, usize)>; 2] = [Vec::new(), Vec::new()];
    let most = 2 + rng.below(13);
    for side in [0, 1] {
        let dress = |letter: char| if side == 0 { letter } else { letter.to_ascii_lowercase() };
        own[side].push(place(rng, dress('K')));
        let mut pawns = 0;
        for _ in 0..rng.below(most) + 1 {
            let letter = ['P', 'P', 'P', 'N', 'B', 'R', 'Q'][rng.below(7)];
            pawns += u8::from(letter == 'P');
            if letter != 'P' || pawns <= 8 {
                own[side].push(place(rng, dress(letter)));
            }
        }
    }
    let name = |(file, rank): (usize, usize)| format!("{}{rank}", char::from(b'a' + file as u8));
    let mut roles = Vec::new();
    for side in [0, 1] {
        let loose = rng.below(3) == 0;
        let carrier = if loose {
            place(rng, if side == 0 { 'o' } else { 'O' });
            "-".to_owned()
        } else {
            name(*rng.pick(&own[side]).unwrap())
        };
        let inside = own[side].iter().find(|at| **at == (4, [0, 9][side]));
        let nearest =
            own[side].iter().min_by_key(|(file, rank)| file.abs_diff(4).max(rank.abs_diff([0, 9][side])));
        let any = if rng.below(2) == 0 { nearest } else { rng.pick(&own[side]) };
        let defender = inside.or(any).unwrap();
        roles.push(format!("{carrier}:{}", name(*defender)));
    }
    let mut lines = Vec::new();
    for rank in (0..10).rev() {
        let letter = |file: usize| if is_cell(file, rank) { grid[rank][file] } else { '*' };
        let line: String = (0..8).map(letter).map(|l| if l == '.' { '1' } else { l }).collect();
        lines.push(line);
    }
    let side = ["w", "b"][rng.below(2)];
    let cards = if with_cards { random_cards(rng) } else { String::new() };
    format!("{} {side} - - {} {} 30{cards}", squeeze(&lines.join("/")), roles.join("/"), rng.below(99))
}

/// A castling position: kings and rooks at home, rights, some pieces in between.
fn castling_set_up(rng: &mut Rng, with_cards: bool) -> String {
    let piece = |rng: &mut Rng| ['1', '1', '1', 'N', 'B', 'Q', 'R', 'n', 'b', 'q', 'r'][rng.below(11)];
    let middle: Vec<String> =
        (0..6).map(|_| (0..8).map(|_| if rng.below(4) == 0 { piece(rng) } else { '1' }).collect()).collect();
    let back = |rng: &mut Rng, home: &str| -> String {
        let rook = &home[..1];
        let between = |rng: &mut Rng| if rng.below(8) == 0 { home[2..3].to_owned() } else { "1".to_owned() };
        let left: String = (0..3).map(|_| between(rng)).collect();
        let right: String = (0..2).map(|_| between(rng)).collect();
        format!("{rook}{left}{}{right}{rook}", &home[1..2])
    };
    let (black, white) = (back(rng, "rkn"), back(rng, "RKN"));
    let board = format!("****1***/{black}/{}/{white}/****1***", middle.join("/"));
    let board = squeeze(&board);
    let roles = ["e1:a1/e8:h8", "h1:e1/a8:e8", "e1:h1/e8:a8", "a1:h1/h8:a8", "e1:a1/a8:h8"][rng.below(5)];
    let rights = ["KQkq", "KQ", "kq", "Kq", "Qk"][rng.below(5)];
    let cards = if with_cards { random_cards(rng) } else { String::new() };
    format!("{board} {} {rights} - {roles} 0 30{cards}", ["w", "b"][rng.below(2)])
}

fn run(fast_mode: Mode, mode: slow::Mode, seed: u64) {
    let mut rng = Rng::new(seed);
    let cards = matches!(mode, slow::Mode::Cards(_));
    let mut compared = 0;
    let mut inside_turns = 0;
    let mut stages = BTreeMap::new();
    let mut named_ends = 0;
    while compared < positions() {
        let no_seal = rng.below(5) == 0;
        let rules = rules(fast_mode, no_seal);
        let kind = rng.below(60);
        let length = if kind == 0 { 100 } else { 12 };
        // Most random set-ups are not legal: a king in check, a ball in its own Defender's hands.
        let mut fast = loop {
            let set_up = match kind {
                0 => fast_mode.facts().start.to_owned(),
                1..10 => castling_set_up(&mut rng, cards),
                10..20 => format!(
                    "{}{}",
                    rng.pick(&NEAR_A_WICKET).unwrap(),
                    if cards { random_cards(&mut rng) } else { String::new() }
                ),
                _ => random_set_up(&mut rng, cards),
            };
            if let Ok(legal) = State::read(&parse_position(&set_up).unwrap(), &rules) {
                break legal;
            }
        };
        let mut slow = slow::State::read(&fast.write().to_string(), mode, no_seal);
        for _ in 0..length {
            let list = compare(&fast, &slow);
            compared += 1;
            *stages.entry(slow.stage()).or_insert(0) += 1;
            inside_turns += usize::from(!fast.between_turns());
            if fast.between_turns() && rng.below(4) == 0 {
                let turns = fast.count_turns();
                let here = fast.write().to_string();
                let counted = match mode {
                    // A contest counts as its two results: like one roll of a die.
                    slow::Mode::Cards(false) => {
                        let bare = here.rsplit_once(' ').unwrap().0;
                        Some(slow_turns(&slow::State::read(bare, slow::Mode::Dice(false), no_seal)))
                    }
                    slow::Mode::Cards(true) => None,
                    _ => Some(slow_turns(&slow)),
                };
                assert!(counted.is_none_or(|counted| counted == turns), "{here}: {turns} and {counted:?}");
            }
            let Some((said, next)) = choose(&slow, &mut rng) else {
                let rule = fast.outcome().unwrap().rule;
                let expected = if slow.between_turns() { "R45" } else { slow.speaker() };
                assert_eq!(rule, expected, "{}", fast.write());
                if slow.between_turns() {
                    assert_eq!(
                        fast.ending(true).unwrap().winner.is_some(),
                        slow.in_check(),
                        "{}",
                        fast.write()
                    );
                }
                named_ends += 1;
                break;
            };
            match list.get(&said) {
                Some(&choice) => fast.apply(choice),
                None => fast = read_token(&fast, &parse_token(&said).unwrap()).unwrap().after,
            }
            slow = next;
        }
    }
    assert!(inside_turns * 8 > compared, "{inside_turns} of {compared} in the middle of a turn");
    // What is rare is asked for only where there are enough positions to expect it.
    if compared < 3000 {
        return;
    }
    assert!(named_ends > 0);
    let own_stages: &[_] = match mode {
        slow::Mode::Pieces(_) => &["Sacrifice"],
        slow::Mode::Dice(false) => &["Roll"],
        slow::Mode::Dice(true) => &["Roll", "Sacrifice"],
        slow::Mode::Cards(_) => &["Lead", "LeadDraw", "Follow", "FollowDraw"],
    };
    for stage in ["Move", "Place", "Call", "Throw"].iter().chain(own_stages) {
        assert!(stages.contains_key(*stage), "no {stage} in {stages:?}");
    }
    println!("{mode:?}: {compared} positions, {stages:?}");
}

#[test]
fn deterministic() {
    run(Mode::Deterministic, slow::Mode::Pieces(3), 1);
}

#[test]
fn deterministic_two() {
    run(Mode::DeterministicTwo, slow::Mode::Pieces(2), 2);
}

#[test]
fn dice() {
    run(Mode::Dice, slow::Mode::Dice(false), 3);
}

#[test]
fn dice_two() {
    run(Mode::DiceTwo, slow::Mode::Dice(true), 4);
}

#[test]
fn cards() {
    run(Mode::Cards, slow::Mode::Cards(false), 5);
}

#[test]
fn cards_two() {
    run(Mode::CardsTwo, slow::Mode::Cards(true), 6);
}
