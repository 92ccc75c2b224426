//! Every example of the grammar's tables, both ways; and what errors say.

use super::*;

fn at(text: &str) -> Coordinate {
    text.parse().unwrap()
}

/// Every token of the tables, in its canonical spelling.
const TOKENS: &str = "
    e2e4 e7e8q e1g1 e7e8b c2b3 W@a1 d7e7r d7e7b b3b5 b2f5 T@f4 b2b5,b5b4 h4g6 c3d5- O@f6 O@e14,O@g12 X@e12
    c3d5,O@f6,O@f7,e2e3 e1e2,O@d3 e6d5,O@c5 d2d8 D@a8 O@e9 0000 O@e9,X@a2,X@b2,X@c2 c3a5,O@e9,=4 D@f7,g8h8
    c3a5,O@e9,=2,X@a2,=5 c3a5,O@e9,=6h,+? =6s,+? =9c,+? =4c,+?,D@f7,g8h8 =Tc,+? c3a5,O@e9,=2 c3a5,O@e9,=2,0000
    c3d5, a0p16 e12d10 e0e9 =As,+Td =1 =6 +2c p16a0- a1b1,0000,a1b1,
";

const POSITIONS: [&str; 16] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rlbqqblr/wsfkkfsw/8/8/8/8/WSFKKFSW/RLBQQBLR w - - 0 1",
    "2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 w - 0 1",
    "1d1mrm1d1/1a1bkb1a1/gpppspppg/9/9/GPPPSPPPG/1A1BKB1A1/1D1MRM1D1[TTTTtttt] w 0 1",
    "***1m1***/2l3l2/1e1e1e1e1/1h1h1h1h1/9/9/9/4o4/9/9/9/1H1H1H1H1/1E1E1E1E1/2L3L2/***1M1*** w 2 0 1",
    "****1***/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/****1*** w KQkq - e1:d1/e8:d8 0 1",
    "****1***/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/****1*** w KQkq - e1:d1/e8:d8 0 1 W=As4h7d/B=?10/S=?20/D=6h6s",
    "d1m1r1m1d/a1b1k1b1a/gpppspppg/9/9/GPPPSPPPG/A1B1K1B1A/D1M1R1M1D[TTTTtttt] w 0 1",
    "2dmrmd2/2abkba2/gpppspppg/9/9/GPPPSPPPG/2ABKBA2/2DMRMD2[TTTTtttt] w 0 1",
    "1d1mkm1d1/1a1brb1a1/gpppspppg/9/9/GPPPSPPPG/1A1BRB1A1/1D1MKM1D1[TTTTtttt] w 0 1",
    "8",
    "*",
    "1[]",
    "+L15/16/*15",
    "2+k[Tt]",
    "p[TtT] w",
];

#[test]
fn tokens_of_the_tables() {
    for text in TOKENS.split_whitespace() {
        assert_eq!(parse_token(text).unwrap().to_string(), text);
        assert_eq!(
            parse_token(&text.to_uppercase()).unwrap(),
            parse_token(&text.to_lowercase()).unwrap(),
            "{text}"
        );
    }
}

#[test]
fn positions_of_the_tables() {
    for text in POSITIONS {
        assert_eq!(parse_position(text).unwrap().to_string(), text);
    }
}

#[test]
fn legs_mean_what_they_say() {
    let legs = |text: &str| parse_token(text).unwrap().legs.to_vec();
    let promotion = |letter| Some(Suffix::Letter(letter));
    assert_eq!(legs("e2e4"), [Leg::step(at("e2"), at("e4"))]);
    assert_eq!(legs("E7e8B"), [Leg::Move { from: at("e7"), to: at("e8"), suffix: promotion(b'b') }]);
    assert_eq!(legs("c3d5-"), [Leg::Move { from: at("c3"), to: at("d5"), suffix: Some(Suffix::Leave) }]);
    assert_eq!(legs("b2b5,b5b4"), [Leg::step(at("b2"), at("b5")), Leg::step(at("b5"), at("b4"))]);
    assert_eq!(legs("e12d10"), [Leg::step(Coordinate::new(4, 12), Coordinate::new(3, 10))]);
    assert_eq!(legs("o@p16"), [Leg::Put { letter: b'O', at: Coordinate::new(15, 16) }]);
    assert_eq!(legs("=4"), [Leg::Roll(4)]);
    assert_eq!(legs("=4C"), [Leg::Play(Card { value: 4, suit: Suit::Clubs })]);
    assert_eq!(
        legs("=as,+?,+tD"),
        [
            Leg::Play(Card { value: 1, suit: Suit::Spades }),
            Leg::Draw(None),
            Leg::Draw(Some(Card { value: 10, suit: Suit::Diamonds })),
        ]
    );
    assert_eq!(legs("@@@@"), [Leg::Pass]);
    assert_eq!(parse_token("@@@@,").unwrap().to_string(), "0000,");
    assert!(parse_token("e2e4,").unwrap().open);
    assert!(!parse_token("e2e4").unwrap().open);
}
