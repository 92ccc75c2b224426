//! Chess with Wickets: the worked examples of the rules, `fixtures/positions/wickets.positions`, what readers
//! accept and refuse, and why.
use crate::base::Color;
use crate::game::{
    Actor, Chance, ChanceOutcomes, Decisions, Evaluation, Game, GenType, Notation, Perft, Rules, read_token,
};
use crate::notation::{Token, parse_position, parse_token};
use crate::variants::wickets::Mode::{self, Cards, CardsTwo, Deterministic, DeterministicTwo, Dice, DiceTwo};
use crate::variants::wickets::State;
use std::path::Path;

fn at(mode: Mode, text: &str) -> State {
    State::read(&parse_position(text).unwrap(), &Rules::of(mode.facts())).unwrap()
}

fn no_seal(mode: Mode, text: &str) -> State {
    let mut rules = Rules::of(mode.facts());
    rules.set(mode.facts(), "no-seal", "").unwrap();
    State::read(&parse_position(text).unwrap(), &rules).unwrap()
}

/// The state after some tokens.
fn say(mut state: State, tokens: &str) -> State {
    for token in tokens.split_whitespace() {
        let tree = parse_token(token).unwrap();
        state = match read_token(&state, &tree) {
            Ok(reading) => reading.after,
            Err(refusal) => panic!("{token}: {refusal} in {}", state.write()),
        };
    }
    state
}

fn after(mode: Mode, text: &str, tokens: &str) -> State {
    say(at(mode, text), tokens)
}

fn refused(mode: Mode, text: &str, tokens: &str, token: &str) -> String {
    let state = after(mode, text, tokens);
    read_token(&state, &parse_token(token).unwrap()).unwrap_err().to_string()
}

/// The choices that are legal next, sorted; `.` for a decline that is not written.
fn list(state: &State) -> Vec<String> {
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    let text = |&choice| {
        let legs = state.legs(choice);
        if legs.is_empty() { ".".to_owned() } else { Token { legs, open: false }.to_string() }
    };
    let mut texts: Vec<String> = list.iter().map(text).collect();
    texts.sort();
    texts
}

const START: &str = "****1***/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/****1*** w KQkq - e1:d1/e8:d8 0 1";

#[test]
fn each_key_for_corrections_depends_on_its_part_alone() {
    let keys = |state: &State| state.correction_keys();
    let differ = |one: &State, other: &State| [0, 1, 2].map(|part| keys(one)[part] != keys(other)[part]);
    let start = at(Deterministic, START);
    let white = say(start, "e2e4");
    assert_eq!(differ(&start, &white), [true, false, false]);
    let black = say(white, "g8f6");
    assert_eq!(differ(&white, &black), [false, true, false]);
    let back = say(black, "b1c3 f6g8 c3b1");
    assert_eq!(differ(&say(black, "b1c3 f6g8"), &back), [true, false, false]);
    let kings = ["rn4k1", "rn5k"].map(|row| {
        let text = START.replace("rnbqkbnr", row).replace("KQkq", "KQ").replace("e8:d8", "a8:b8");
        at(Deterministic, &text)
    });
    assert_eq!(differ(&kings[0], &kings[1]), [false, true, false]);
    let other_defender = at(Deterministic, &START.replace("e1:d1", "e1:c1"));
    assert_eq!(differ(&start, &other_defender), [false, false, true]);
}

#[test]
fn the_fixture_lists_what_may_be_said() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/positions/wickets.positions");
    let text = std::fs::read_to_string(file).unwrap();
    let mut blocks = 0;
    for block in text.trim().split("\n\n") {
        let field = |name: &str| {
            let lines = block.lines().filter_map(move |line| line.split_once(' '));
            lines.filter(|(word, _)| *word == name).map(|(_, rest)| rest).next()
        };
        assert!(block.starts_with("# "), "{block}");
        let (game, position) = (field("game").unwrap(), field("position").unwrap());
        let (rule, tokens) = (field("rule"), field("after").unwrap_or(""));
        let found = match game {
            "wickets-det" => next(Deterministic, position, rule, tokens),
            "wickets-det2" => next(DeterministicTwo, position, rule, tokens),
            "wickets-dice" => next(Dice, position, rule, tokens),
            "wickets-dice2" => next(DiceTwo, position, rule, tokens),
            "wickets-cards" => next(Cards, position, rule, tokens),
            "wickets-cards2" => next(CardsTwo, position, rule, tokens),
            _ => panic!("{game}"),
        };
        assert_eq!(found.join(" "), field("turns").unwrap(), "{block}");
        blocks += 1;
    }
    assert!(blocks >= 20);
}

fn next(mode: Mode, position: &str, rule: Option<&str>, tokens: &str) -> Vec<String> {
    let start = match rule {
        None => at(mode, position),
        Some("no-seal") => no_seal(mode, position),
        Some(rule) => panic!("{rule}"),
    };
    list(&say(start, tokens))
}

/// Example by example: a position, the choices made, the position after.
fn leads_to(mode: Mode, position: &str, tokens: &str, expected: &str) {
    assert_eq!(after(mode, position, tokens).write().to_string(), expected, "{position} {tokens}");
}

const OPEN_GAME: &str =
    "****1***/rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR/****1*** w KQkq - e1:d1/e8:d8 0 2";

#[test]
fn examples_1_to_4_moving_and_throwing() {
    leads_to(
        Deterministic,
        START,
        "d1e0",
        "****1***/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR/****Q*** b KQkq - e1:e0/e8:d8 1 1",
    );
    leads_to(
        Deterministic,
        START,
        "e2e4 e7e5 e1e2,O@d3",
        "****1***/rnbqkbnr/pppp1ppp/8/4p3/4P3/3o4/PPPPKPPP/RNBQ1BNR/****1*** b kq - -:d1/e8:d8 1 2",
    );
    assert_eq!(after(Deterministic, START, "e2e4 e7e5").write().to_string(), OPEN_GAME);
    assert_eq!(list(&after(Deterministic, OPEN_GAME, "e1e2,")).len(), 15);
    let roles = |tokens: &str| after(Deterministic, OPEN_GAME, tokens).write().fields[3].clone();
    assert_eq!(roles("e1e2,O@f1"), "f1:d1/e8:d8");
    assert_eq!(roles("e1e2"), "e2:d1/e8:d8");
    leads_to(
        Deterministic,
        OPEN_GAME,
        "e1e2,O@e0",
        "****1***/rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR/****o*** b kq - -:d1/e8:d8 1 2",
    );
    assert!(refused(Deterministic, OPEN_GAME, "", "e1e2,O@d1").contains("Defender may not receive"));
    assert!(refused(Deterministic, OPEN_GAME, "e1e2,O@e0 a7a6", "d1e0").contains("dead"));
}

#[test]
fn example_5_picking_up() {
    let lying = "****1***/4kq2/8/8/3o4/2B5/8/5PPP/4K3/****1*** w - - -:g2/e8:f8 0 30";
    // The board is ten ranks: the ball is on d5, the bishop on c4.
    leads_to(
        DeterministicTwo,
        lying,
        "c4d5",
        "****1***/4kq2/8/8/3B4/8/8/5PPP/4K3/****1*** b - - d5:g2/e8:f8 1 30",
    );
    let promoting = "****1***/3okq2/2P5/8/8/8/8/5PPP/4K3/****1*** w - - -:g2/e8:f8 0 30";
    leads_to(
        DeterministicTwo,
        promoting,
        "c7d8q",
        "****1***/3Qkq2/8/8/8/8/8/5PPP/4K3/****1*** b - - d8:g2/e8:f8 0 30",
    );
}

#[test]
fn examples_6_to_8_captured_carriers() {
    let knight = "****1***/r2qk2r/p4ppp/2p1p3/3N4/8/8/PPP2PPP/R2QK2R/****1*** b KQkq - d5:d1/e8:d8 0 12";
    assert_eq!(list(&after(Deterministic, knight, "e6d5,")).join(" "), "O@c4 O@c5 O@d4 O@d6 O@e4 O@e5 O@e6");
    leads_to(
        Deterministic,
        knight,
        "e6d5,O@c5",
        "****1***/r2qk2r/p4ppp/2p5/2op4/8/8/PPP2PPP/R2QK2R/****1*** w KQkq - -:d1/e8:d8 0 13",
    );
    let tight = "****1***/4k1q1/8/8/8/8/8/PPnP4/RN5K/****1*** b - - a1:d2/e8:g8 0 30";
    assert!(refused(Deterministic, tight, "", "c2a1").contains("no free cell"));
    let roomy = "****1***/4k1q1/8/8/8/8/8/PPnP4/R6K/****1*** b - - a1:d2/e8:g8 0 30";
    assert_eq!(list(&after(Deterministic, roomy, "c2a1,")), ["O@b1"]);
    let passing = "****1***/4k3/2p2ppp/8/3P4/8/8/5PPP/3QK3/****1*** b - - e1:d1/c7:e8 0 30";
    assert_eq!(after(Deterministic, passing, "c7c5").write().fields[2], "c6");
    let around = "O@b5 O@b6 O@b7 O@c5 O@c7 O@d5 O@d6 O@d7";
    assert_eq!(list(&after(Deterministic, passing, "c7c5 d5c6,")).join(" "), around);
    assert_eq!(after(Deterministic, passing, "c7c5,O@c6").write().fields[2], "-");
    assert!(refused(Deterministic, passing, "c7c5,O@c6", "d5c6").contains("belongs to Black"));
}

#[test]
fn examples_9_to_11_calls() {
    let queens = "****1***/r2qk2r/ppp2ppp/8/8/8/8/PPPQ1PPP/R3K2R/****1*** w KQkq - e1:d2/e8:d8 0 12";
    let called = after(Deterministic, queens, "d2d8");
    assert_eq!(called.actor(), Actor::Player(Color::Black));
    assert_eq!(list(&called).join(" "), "D@a7 D@a8 D@b7 D@c7 D@f7 D@g7 D@h7 D@h8");
    assert!(refused(Deterministic, queens, "d2d8", "D@e8").contains("has the ball"));
    assert!(refused(Deterministic, queens, "", "d2d8,D@a8").contains("Black must first name"));
    let last = "****1***/6k1/8/8/3p4/4P3/8/5PPP/4K3/****1*** w - - e1:f2/g8:d5 0 30";
    let won = after(DeterministicTwo, last, "e4d5").outcome().unwrap();
    assert_eq!((won.winner, won.rule), (Some(Color::White), "R32"));
    let other = last.replace("g8:d5", "d5:g8");
    assert!(list(&after(DeterministicTwo, &other, "e4d5,")).contains(&"O@e5".to_owned()));
    let king = "****1***/3qk3/p4ppp/8/8/8/8/PPP2PPP/3RK3/****1*** w - - d1:e1/a7:d8 0 30";
    for order in ["X@a2,X@b2,X@c2", "X@c2,X@a2,X@b2"] {
        let won = after(Deterministic, king, &format!("d1d8 D@e8 O@e9,{order}")).outcome().unwrap();
        assert_eq!((won.winner, won.rule), (Some(Color::White), "R53"));
    }
    assert!(after(DeterministicTwo, king, "d1d8 D@e8 O@e9,X@a2,X@b2").outcome().is_some());
    leads_to(
        Deterministic,
        king,
        "d1d8 D@e8 O@e9",
        "****o***/3Rk3/p4ppp/8/8/8/8/PPP2PPP/4K3/****1*** b - - -:e1/a7:e8 0 30",
    );
    let why = |token: &str| refused(Deterministic, king, "d1d8 D@e8 O@e9,", token);
    assert!(why("X@a2,X@b2").contains("3 pieces") && why("X@a2,X@a2,X@b2").contains("only once"));
    assert!(
        why("X@e1,X@a2,X@b2").contains("king may not") && why("X@d4,X@a2,X@b2").contains("no piece of White")
    );
}

#[test]
fn examples_12_and_13_castling_and_promotion() {
    let castle = "****1***/r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R/****1*** w KQkq - e1:d2/e8:d7 0 12";
    assert_eq!(list(&after(Deterministic, castle, "e1g1,")).len(), 17);
    assert_eq!(after(Deterministic, castle, "e1g1,O@f1").write().fields[3], "f1:d2/e8:d7");
    let pawn = "****1***/4k3/1P3ppp/8/8/8/8/5PPP/3QK3/****1*** w - - b7:d1/e8:h7 0 30";
    assert_eq!(after(DeterministicTwo, pawn, "b7b8q,O@h2").write().fields[3], "h2:d1/e8:h7");
    assert_eq!(after(DeterministicTwo, pawn, "b7b8q").write().fields[3], "b8:d1/e8:h7");
    assert!(refused(DeterministicTwo, pawn, "", "b7b8").contains("what the pawn becomes"));
}

const UNSEEN: &str = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";

#[test]
fn example_14_by_calculation_and_by_dice() {
    leads_to(
        Deterministic,
        UNSEEN,
        "c3a5,O@e9 D@f7",
        "****o***/4k3/5ppp/8/B7/8/8/PPP2PPP/3RK3/****1*** b - - -:e1/e8:f7 0 30",
    );
    leads_to(
        Dice,
        UNSEEN,
        "c3a5,O@e9,=4 D@f7",
        "****o***/4k3/5ppp/8/B7/8/8/PPP2PPP/3RK3/****1*** b - - -:e1/e8:f7 0 30",
    );
    leads_to(
        Dice,
        UNSEEN,
        "c3a5,O@e9,=2",
        "****o***/4k1r1/5ppp/8/B7/8/8/PPP2PPP/3RK3/****1*** b - - -:e1/e8:g8 1 30",
    );
    leads_to(
        DiceTwo,
        UNSEEN,
        "c3a5,O@e9,=2,X@a2,=5 D@h7",
        "****o***/4k3/5ppp/8/B7/8/8/1PP2PPP/3RK3/****1*** b - - -:e1/e8:h7 0 30",
    );
    // A call may run on into the caller's own turn, and declining is written after the die has spoken.
    assert!(after(Dice, UNSEEN, "c3a5,O@e9,=4 D@f7,e8f8").between_turns());
    assert_eq!(list(&after(DiceTwo, UNSEEN, "c3a5,O@e9,=2,"))[0], "0000");
    assert!(after(DiceTwo, UNSEEN, "c3a5,O@e9,=2,0000").between_turns());
    // What was rolled is kept, not only what came of it.
    let rolling = after(Dice, UNSEEN, "c3a5,O@e9,");
    assert_eq!(rolling.actor(), Actor::Chance);
    for face in 1..=6 {
        let reading = read_token(&rolling, &parse_token(&format!("={face}")).unwrap()).unwrap();
        assert_eq!(
            rolling.legs(reading.decisions[0])[..],
            parse_token(&format!("={face}")).unwrap().legs[..]
        );
        assert_eq!(reading.after.between_turns(), face < 3);
    }
}

/// White and Black hold what the examples play; the stock comes in the order in which it is drawn.
fn dealt(white: &str, black: &str, stock: &str) -> String {
    let mut rest = String::new();
    for suit in "cdhs".chars() {
        for value in "A23456789T".chars() {
            let card = format!("{value}{suit}");
            let used = [white, black, stock]
                .iter()
                .any(|heap| heap.as_bytes().chunks(2).any(|c| c == card.as_bytes()));
            if !used {
                rest += &card;
            }
        }
    }
    format!("{UNSEEN} W={white}/B={black}/S={stock}{rest}/D=-")
}

#[test]
fn example_14_with_cards() {
    // R62: Black has no heart, so Black may answer with a spade; 6-6 is replayed; 9 beats 4.
    let deal = dealt("6h9cTc3d2c4d5d6d7d8d", "6s4c8cAs2s3s4s5s7s8s", "AhAc2h3h");
    let tokens = "c3a5,O@e9,=6h,+Ah =6s,+Ac =9c,+2h =4c,+3h,D@f7";
    let taken = after(Cards, &deal, tokens);
    let text = taken.write().to_string();
    assert!(
        text.starts_with("****o***/4k3/5ppp/8/B7/8/8/PPP2PPP/3RK3/****1*** b - - -:e1/e8:f7 0 30 "),
        "{text}"
    );
    assert_eq!(taken.write().fields[6].split('/').next_back(), Some("D=4c6h6s9c"));
    // The same seen by White only.
    let masked = format!("{UNSEEN} W=6h9cTc3d2c4d5d6d7d8d/B=?10/S=?20/D=-");
    let tokens = "c3a5,O@e9,=6h,+Ah =6s,+? =9c,+2h =4c,+?,D@f7,e8f8";
    let seen = after(Cards, &masked, tokens);
    assert_eq!(
        seen.write().fields[6],
        "W=AhAs".replace("As", "2c") + "2h3d4d5d6d7d8dTc/B=?10/S=?16/D=4c6h6s9c"
    );
    // R67
    let deal = dealt("3dTc2c4d5d6d7d8d9d9c", "Td8cAs2s3s4s5s6s7s8s", "AhAc2h3h");
    let tokens = "c3a5,O@e9,=3d,+Ah =Td,+Ac =Tc,+2h =8c,+3h,D@g7";
    assert!(after(CardsTwo, &deal, tokens).between_turns());
    let failed = after(CardsTwo, &deal, "c3a5,O@e9,=3d,+Ah =Td,+Ac");
    assert_eq!(list(&failed)[0], "0000");
    assert!(say(failed, "0000").between_turns());
    assert!(after(Cards, &deal, "c3a5,O@e9,=3d,+Ah =Td,+Ac").between_turns());
    // R61: one's own draw is known, the other's need not be, and a listed stock must be obeyed.
    let why = |tokens: &str, token: &str| refused(Cards, &deal, tokens, token);
    assert!(why("c3a5,O@e9,=3d,", "+Ac").contains("chance decides"));
    assert!(why("c3a5,O@e9,=3d,", "+?").contains("chance decides"));
    assert!(why("c3a5,O@e9,", "=Th").contains("does not hold"));
    assert!(why("c3a5,O@e9,=3d,+Ah", "=8c").contains("suit led"));
    assert!(why("", "c3a5,O@e9,=3d,+Ah,=Td").contains("Black must first answer with a card"));
}

#[test]
fn a_refusal_names_what_ended_the_turn() {
    let why = |token: &str| refused(Deterministic, START, "", token);
    // R11: the ball must have been there before the move.
    assert_eq!(
        why("g1f3,O@e4"),
        "the knight on f3 did not have the ball before it moved, so it may not throw"
    );
    assert_eq!(why("g1f3,D@a2"), "nobody has lost a Defender");
    assert_eq!(why("g1f3,X@a2"), "there is nothing to sacrifice for");
    assert_eq!(why("g1f3,e7e5"), "the turn is complete, Black speaks next");
    let king = "****1***/rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR/****1*** w KQkq - e1:d1/e8:d8 0 2";
    let why = |token: &str| refused(Deterministic, king, "", token);
    assert_eq!(why("e1e2,O@d3,O@d4"), "the ball is thrown once in a turn");
    assert_eq!(why("e1e2,0000"), "0000 is not written here: what is not said is declined");
}

#[test]
fn the_position_after_a_taken_wicket_has_the_loser_to_move() {
    // R32, R53, R70: the game ends in the middle of the turn, and the turn with it.
    let last = "****1***/6k1/8/8/3p4/4P3/8/5PPP/4K3/****1*** w - - e1:f2/g8:d5 7 30";
    let fields = after(DeterministicTwo, last, "e4d5").write().fields;
    assert_eq!(fields, ["b", "-", "-", "e1:f2/g8:-", "0", "30"]);
    let king = "****1***/3qk3/p4ppp/8/8/8/8/PPP2PPP/3RK3/****1*** w - - d1:e1/a7:d8 4 30";
    let won = after(Deterministic, king, "d1d8 D@e8 O@e9,X@a2,X@b2,X@c2");
    assert_eq!(won.write().fields, ["b", "-", "-", "-:e1/a7:e8", "0", "30"]);
}

#[test]
fn a_defender_who_sees_adds_two_and_a_half() {
    // The queen d8 sees e9 over the corner.
    let board = "****1***/1k1q4/5ppp/8/8/8/4R3/PPP2PPP/5K2/****1*** w - - e3:f1/b8:d8 0 30";
    let deal = |white: &str, black: &str| dealt(white, black, "AhAc").replace(UNSEEN, board);
    let cards = deal("7h8h2c3c4c5c6c7c8c9c", "5hAs2s3s4s5s6s7s8s9s");
    let lost = after(Cards, &cards, "e3e4,O@e9,=7h,+Ah =5h,+Ac");
    assert_eq!(lost.actor(), Actor::Player(Color::Black));
    assert!(lost.between_turns());
    let won = after(Cards, &cards, "e3e4,O@e9,=8h,+Ah =5h,+Ac,");
    assert_eq!(won.actor(), Actor::Player(Color::Black));
    assert!(!won.between_turns() && list(&won).iter().all(|text| text.starts_with("D@")));
    // R65: with the die a 5 is needed.
    let rolled = |face: u8| after(Dice, board, &format!("e3e4,O@e9,={face}")).between_turns();
    assert!(rolled(4) && !rolled(5));
    let rolling = after(Dice, board, "e3e4,O@e9,");
    let mut outcomes = ChanceOutcomes::new();
    rolling.outcomes(&mut outcomes);
    assert_eq!(outcomes.iter().map(|&(_, weight)| weight).collect::<Vec<_>>(), [4, 2]);
    // R66: three pieces, or two.
    assert!(list(&after(Deterministic, board, "e3e4,O@e9,")).contains(&"X@a2,X@b2,X@c2".to_owned()));
    assert!(list(&after(DeterministicTwo, board, "e3e4,O@e9,")).contains(&"X@a2,X@b2".to_owned()));
}

#[test]
fn examples_15_to_19_wickets_checks_and_shields() {
    let fetch = "****o***/6k1/3N1ppp/8/8/8/8/PPP2PPP/3RK3/****1*** w - - -:e1/g8:f7 0 30";
    leads_to(
        Deterministic,
        fetch,
        "d7e9",
        "****N***/6k1/5ppp/8/8/8/8/PPP2PPP/3RK3/****1*** b - - e9:e1/g8:f7 1 30",
    );
    let out = list(&after(Deterministic, fetch, "d7e9 f7f6 e9d7,"));
    assert!(out.contains(&"O@e8".to_owned()) && !out.contains(&"O@e9".to_owned()));
    let inside = "****1***/6k1/5ppp/8/8/8/8/5PPP/3BK3/****r*** w - - e1:d1/e0:f7 0 30";
    assert!(!at(Deterministic, inside).in_check());
    assert_eq!(list(&after(Deterministic, inside, "d1e0,")), ["O@d1", "O@f1"]);
    assert!(list(&after(Deterministic, inside, "e1e2,")).contains(&"O@e9".to_owned()));
    let king = "****1***/4r1k1/5ppp/8/8/8/8/5PPP/3R4/****K*** w - - d1:e0/g8:f7 0 30";
    assert!(at(Deterministic, king).in_check());
    assert_eq!(at(Deterministic, king).count_turns(), 48);
    for turn in ["d1e1", "e0f1", "d1c1,O@e1"] {
        assert!(after(Deterministic, king, turn).between_turns());
    }
    let shield = "****1***/4r1k1/5ppp/8/8/8/8/5PPP/3RK3/****1*** w - - d1:e1/g8:f7 0 30";
    assert_eq!(at(Deterministic, shield).count_turns(), 22);
    assert!(after(Deterministic, shield, "d1d5,O@e4").between_turns());
    assert!(refused(Deterministic, shield, "", "d1d5,O@d4").contains("in check"));
    assert!(refused(Deterministic, shield, "", "d1d5").contains("not finished"));
    let exposed = "****1***/r5k1/5ppp/8/n7/8/8/7P/K2R4/****1*** w - - d1:h2/g8:a5 0 30";
    assert!(refused(Deterministic, exposed, "", "d1e1,O@e9").contains("lifted off"));
}

#[test]
fn draws_mates_and_repetition() {
    let quiet = "****1***/4k3/5ppp/8/8/8/8/5PPP/3QK3/****1*** w - - e1:d1/e8:h7 99 80";
    let drawn = after(Deterministic, quiet, "d1d2").outcome().unwrap();
    assert_eq!((drawn.winner, drawn.rule), (None, "R71"));
    // Mate goes before the 50 moves.
    let mating = "****1***/6k1/5ppp/8/8/8/8/5PPP/R3K3/****1*** w - - e1:a1/h7:f7 99 80";
    let mate = after(Deterministic, mating, "a1a8").outcome().unwrap();
    assert_eq!((mate.winner, mate.rule), (Some(Color::White), "R45"));
    // A ball thrown in between would be no mate: the carrier's move may block.
    let blocked = mating.replace("h7:f7", "g7:f7");
    assert!(after(Deterministic, &blocked, "a1a8").outcome().is_none_or(|o| o.winner.is_none()));
    let stale = "****1***/k7/2K5/1Q6/8/8/8/8/8/****1*** b - - c7:b6/-:a8 0 80".replace("/k7/", "/k6O/");
    let end = at(Deterministic, &stale).outcome().unwrap();
    assert_eq!((end.winner, end.rule), (None, "R45"));
}

#[test]
fn positions_are_read_with_care() {
    let fails = |text: &str, field: &str, words: &str| {
        let error =
            State::read(&parse_position(text).unwrap(), &Rules::of(Deterministic.facts())).unwrap_err();
        assert!(error.field == field && error.reason.contains(words), "{text}: {error}");
    };
    fails("8/8/8/8/8/8/8/8 w - - e1:d1/e8:d8 0 1", "board", "8 files and 8 ranks");
    let with = |from: &str, to: &str| START.replacen(from, to, 1);
    fails(&with("****1***/rnb", "***2***/rnb"), "board", "d9 is no cell");
    fails(&with("****1***/rnb", "********/rnb"), "board", "`*` on e9");
    fails(&with("****1***/rnb", "****p***/rnb"), "board", "a pawn on e9");
    fails(&with("rnbqkbnr", "rnbqkbnx"), "board", "`x` on h8");
    fails(&with("rnbqkbnr", "rnbqkbkr"), "board", "2 kings");
    fails(&with("pppppppp/8", "pppppppp/+Q7"), "board", "`+Q`");
    fails(&with("8/8", "o7/o7"), "board", "second ball");
    fails(&with(" w ", " x "), "side to move", "neither");
    fails(&with("KQkq", "KQkx"), "castling", "neither");
    fails(&with("KQkq", "KK"), "castling", "twice");
    fails(&with("PPPPPPPP/R", "PPPPPPPP/1"), "castling", "no rook on a1");
    fails(&with("KQkq -", "KQkq e3"), "en passant", "not on rank 6");
    fails(&with("KQkq -", "KQkq e6"), "en passant", "no pawn");
    fails(&with("e1:d1/", ""), "roles", "form");
    fails(&with("e1:d1", "-:d1"), "roles", "neither carried");
    fails(&with("e1:d1", "e1:e1"), "roles", "cannot be Defender");
    fails(&with("e1:d1", "e1:d8"), "roles", "no piece of White on d8");
    fails(&with("e1:d1", "e4:d1"), "roles", "no piece of White on e4");
    fails(&START.replacen("8/8", "3o4/8", 1), "roles", "lies on d6");
    fails(
        &with("RNBQKBNR/****1***", "RNB1KBNR/****Q***").replacen("e1:d1", "e1:a1", 1),
        "roles",
        "must be its Defender",
    );
    fails(&with(" 0 1", " x 1"), "half-move counter", "`x`");
    fails(&with(" 0 1", " 0 0"), "move number", "`0`");
    fails(&with(" 0 1", " 0 1 W=?10/B=?10/S=?20/D=-"), "cards", "no cards");
    fails("****1***/4k3/8/8/8/8/8/8/4RK2/****1*** w - - e1:f1/O:e8 0 1", "roles", "form");
    let check = "****1***/4k3/8/8/8/8/8/1p6/4RK2/****1*** w - - e1:f1/b2:e8 0 1";
    fails(check, "side to move", "Black is in check");
    assert!(
        State::read(
            &parse_position(&check.replace(" w ", " b ")).unwrap(),
            &Rules::of(Deterministic.facts())
        )
        .is_ok()
    );
    // Missing counters, useless en passant, rights in any order.
    let short = "****1***/rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR/****1*** b qkQK e3 e1:d1/e8:d8";
    let read = at(
        Deterministic,
        &short.replacen("/8/8/4P3/8/", "/8/8/8/4P3/8/", 1).replacen("8/8/8/4P3/8", "8/8/4P3/8", 1),
    );
    assert!(read.write().to_string().ends_with("b KQkq - e1:d1/e8:d8 0 1"), "{}", read.write());
    let sealed = "****1***/4k3/8/8/8/8/8/8/4RK2/****o*** w - - -:f1/e8:e8 0 1";
    let mut rules = Rules::of(Deterministic.facts());
    rules.set(Deterministic.facts(), "no-seal", "on").unwrap();
    let error = State::read(&parse_position(sealed).unwrap(), &rules).unwrap_err();
    assert!(error.reason.contains("no-seal"), "{error}");
}

#[test]
fn cards_are_read_with_care() {
    let fails = |cards: &str, words: &str| {
        let text = format!("{UNSEEN} {cards}");
        let error = State::read(&parse_position(&text).unwrap(), &Rules::of(Cards.facts())).unwrap_err();
        assert!(error.field == "cards" && error.reason.contains(words), "{text}: {error}");
    };
    fails("W=?10/B=?10/S=?20", "form");
    fails("B=?10/W=?10/S=?20/D=-", "form");
    fails("W=?9/B=?10/S=?20/D=-", "9 cards");
    fails("W=?10/B=?10/S=?19/D=-", "19 cards");
    fails("W=Ah?9/B=Ah?9/S=?20/D=-", "twice");
    fails("W=1h?9/B=?10/S=?20/D=-", "no list of cards");
    fails("W=?9Ah/B=?10/S=?20/D=-", "no list of cards");
    fails("W=?10/B=?10/S=?10/D=?10", "lie open");
    // A missing field, an empty heap, an order of one's own.
    let bare = at(Cards, UNSEEN);
    assert!(bare.write().to_string().ends_with(" W=?10/B=?10/S=?20/D=-"));
    let text = format!("{UNSEEN} W=Th?9/B=?10/S=9c2d?17/D=Ah");
    assert_eq!(at(Cards, &text).write().to_string(), text);
    let mixed = format!("{UNSEEN} W=Th2dAsAh?6/B=?10/S=?20/D=");
    assert!(at(Cards, &mixed).write().to_string().ends_with("W=AhAs2dTh?6/B=?10/S=?20/D=-"));
}

#[test]
fn every_game_has_its_facts() {
    fn check(mode: Mode, name: &str) {
        let facts = mode.facts();
        assert_eq!(facts.name, name);
        let start = State::start(&Rules::of(facts));
        assert!(std::ptr::eq(start.facts(), facts));
        assert_eq!(start.write().to_string(), facts.start);
        assert_eq!(at(mode, facts.start), start);
        assert!(facts.xboard.setup.is_some_and(|line| line.len() + facts.start.len() < 500));
        assert_eq!(start.classical_eval(), 0);
    }
    check(Deterministic, "wickets-det");
    check(DeterministicTwo, "wickets-det2");
    check(Dice, "wickets-dice");
    check(DiceTwo, "wickets-dice2");
    check(Cards, "wickets-cards");
    check(CardsTwo, "wickets-cards2");
}
