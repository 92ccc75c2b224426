//! Every example of the grammar's tables, read and written, and the texts of errors.

mod properties;

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
    assert_eq!(legs("=125"), [Leg::Roll(125)]);
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

#[test]
fn other_spellings_of_positions() {
    let canonical = |text: &str| parse_position(text).unwrap().to_string();
    assert_eq!(canonical("  8/8[4T4t]   w  0\t1  "), "8/8[TTTTtttt] w 0 1");
    assert_eq!(canonical("12T2t[12T3t]"), "12T2t[TTTTTTTTTTTTttt]");
    assert_eq!(canonical("8[TT2T]"), "8[TTTT]");
    assert_eq!(canonical("8[-]"), "8[]");
    assert_eq!(canonical("8/8"), "8/8");
    assert_eq!(parse_position("8[-]").unwrap().hand, Some(vec![]));
    assert_eq!(parse_position("8").unwrap().hand, None);
    assert_eq!(parse_position("8[3TtT]").unwrap().hand, Some(vec![(b'T', 3), (b't', 1), (b'T', 1)]));
}

#[test]
fn the_bottom_rank_is_the_last_one_written() {
    let position = parse_position("+k*/1R").unwrap();
    assert_eq!(position.placement.at(0, 0), Cell::Empty);
    assert_eq!(position.placement.at(1, 0), Cell::Piece { letter: b'R', plus: false });
    assert_eq!(position.placement.at(0, 1), Cell::Piece { letter: b'k', plus: true });
    assert_eq!(position.placement.at(1, 1), Cell::Hole);
}

fn messages<T: std::fmt::Debug>(texts: &[&str], parse: impl Fn(&str) -> Result<T, SyntaxError>) -> String {
    let lines: Vec<_> = texts.iter().map(|text| format!("{text:?}: {}", parse(text).unwrap_err())).collect();
    lines.join("\n")
}

#[test]
fn errors_in_tokens() {
    let texts = [
        "",
        "x",
        "e",
        "e2",
        "e2e",
        "e2x4",
        "q2q4",
        "e01e2",
        "e17e4",
        "e2e99",
        "e2e4?",
        "e2e4qq",
        "e2e4 ",
        " e2e4",
        "e2 e4",
        ",",
        "e2e4,,",
        "e2e4,O",
        "e2e4,O@",
        "e2e4,O@z1",
        "@",
        "@@@",
        "000",
        "00000",
        "=",
        "=7",
        "=0",
        "=4444",
        "=1c",
        "=Jc",
        "=Tx",
        "+",
        "+4",
        "+??",
        "é2e4",
        "e2e4,é",
        "e2\u{1}e4",
        "Nf3,e4,and,so,on,and,so,on",
        "1@e4",
        "e2-e4",
        "O-O",
    ];
    insta::assert_snapshot!(messages(&texts, parse_token), @r#"
    "": column 1: expected a leg such as `e2e4`, `T@f4` or `0000`, found end of text
    "x": column 1: expected a leg such as `e2e4`, `T@f4` or `0000`, found `x`
    "e": column 2: expected a rank from 0 to 16, found end of text
    "e2": column 3: expected a square, found end of text
    "e2e": column 4: expected a rank from 0 to 16, found end of text
    "e2x4": column 3: expected a square, found `x4`
    "q2q4": column 1: expected a leg such as `e2e4`, `T@f4` or `0000`, found `q2q4`
    "e01e2": column 2: expected a rank from 0 to 16, found `01e2`
    "e17e4": column 2: expected a rank from 0 to 16, found `17e4`
    "e2e99": column 4: expected a rank from 0 to 16, found `99`
    "e2e4?": column 5: expected `,` or the end of the token, found `?`
    "e2e4qq": column 6: expected `,` or the end of the token, found `q`
    "e2e4 ": column 5: expected `,` or the end of the token, found a blank
    " e2e4": column 1: expected a leg such as `e2e4`, `T@f4` or `0000`, found a blank
    "e2 e4": column 3: expected a square, found a blank
    ",": column 1: expected a leg such as `e2e4`, `T@f4` or `0000`, found `,`
    "e2e4,,": column 6: expected a leg such as `e2e4`, `T@f4` or `0000`, found `,`
    "e2e4,O": column 7: expected a rank from 0 to 16, found end of text
    "e2e4,O@": column 8: expected a square, found end of text
    "e2e4,O@z1": column 8: expected a square, found `z1`
    "@": column 1: expected a leg such as `e2e4`, `T@f4` or `0000`, found `@`
    "@@@": column 1: expected a leg such as `e2e4`, `T@f4` or `0000`, found `@@@`
    "000": column 1: expected a leg such as `e2e4`, `T@f4` or `0000`, found `000`
    "00000": column 5: expected `,` or the end of the token, found `0`
    "=": column 2: expected a number from 1 to 6 or a card, found end of text
    "=7": column 3: expected a suit (c, d, h or s), found end of text
    "=0": column 2: expected a number from 1 to 6 or a card, found `0`
    "=4444": column 5: expected `,` or the end of the token, found `4`
    "=1c": column 3: expected `,` or the end of the token, found `c`
    "=Jc": column 2: expected a number from 1 to 6 or a card, found `Jc`
    "=Tx": column 3: expected a suit (c, d, h or s), found `x`
    "+": column 2: expected a card or `?`, found end of text
    "+4": column 3: expected a suit (c, d, h or s), found end of text
    "+??": column 3: expected `,` or the end of the token, found `?`
    "é2e4": column 1: expected a leg such as `e2e4`, `T@f4` or `0000`, found `é2e4`
    "e2e4,é": column 6: expected a leg such as `e2e4`, `T@f4` or `0000`, found `é`
    "e2\u{1}e4": column 3: expected a square, found `\u{1}e4`
    "Nf3,e4,and,so,on,and,so,on": column 2: expected a rank from 0 to 16, found `f3,e4,and,so,on,…`
    "1@e4": column 1: expected a leg such as `e2e4`, `T@f4` or `0000`, found `1@e4`
    "e2-e4": column 3: expected a square, found `-e4`
    "O-O": column 2: expected a rank from 0 to 16, found `-O`
    "#);
    let long = ["0000"; 33].join(",");
    assert!(parse_token(&long[..159]).is_ok());
    insta::assert_snapshot!(parse_token(&long).unwrap_err(), @"column 161: expected no more than 32 legs, found `0000`");
}

#[test]
fn errors_in_squares() {
    insta::assert_snapshot!(messages(&["", "4", "e", "e4e", "e04", "q1", "e4 "], parse_coordinate), @r#"
    "": column 1: expected a square, found end of text
    "4": column 1: expected a square, found `4`
    "e": column 2: expected a rank from 0 to 16, found end of text
    "e4e": column 3: expected end of text, found `e`
    "e04": column 2: expected a rank from 0 to 16, found `04`
    "q1": column 1: expected a square, found `q1`
    "e4 ": column 3: expected end of text, found a blank
    "#);
}

#[test]
fn errors_in_positions() {
    let texts = [
        "", "   ", "- - 0 1", "8//8", "8/", "/8", "8/7", "8/9 w", "8/44/35", "0p", "p0", "17", "16p", "01",
        "8/8/x8/8", "8 8/8 é", "8/8\n", "+", "8/+1", "+*", "8[", "8[TT", "8[TT w", "8[0T]", "8[4]",
        "8[100T]", "8[99TT]", "8[-T]", "8[T-]", "8[TT]x", "8]", "8?", "é", "8[é]", "8_8",
    ];
    insta::assert_snapshot!(messages(&texts, parse_position), @r#"
    "": column 1: expected a piece letter, a count of empty squares or `*`, found end of text
    "   ": column 4: expected a piece letter, a count of empty squares or `*`, found end of text
    "- - 0 1": column 1: expected a piece letter, a count of empty squares or `*`, found `-`
    "8//8": column 3: expected a piece letter, a count of empty squares or `*`, found `/8`
    "8/": column 3: expected a piece letter, a count of empty squares or `*`, found end of text
    "/8": column 1: expected a piece letter, a count of empty squares or `*`, found `/8`
    "8/7": column 3: expected as many files as in the top rank, found 7 in rank 2 from the top
    "8/9 w": column 3: expected as many files as in the top rank, found 9 in rank 2 from the top
    "8/44/35": column 3: expected a count from 1 to 16, found `44/35`
    "0p": column 1: expected a count from 1 to 16, found `0p`
    "p0": column 2: expected a count from 1 to 16, found `0`
    "17": column 1: expected a count from 1 to 16, found `17`
    "16p": column 1: expected no more than 16 files, found 17 in rank 1 from the top
    "01": column 1: expected a count from 1 to 16, found `01`
    "8/8/x8/8": column 5: expected as many files as in the top rank, found 9 in rank 3 from the top
    "8 8/8 é": column 7: expected printable ASCII, found `é`
    "8/8\n": column 4: expected a piece letter, a count of empty squares, `*`, `/`, `[` or a blank, found `\n`
    "+": column 2: expected a piece letter, found end of text
    "8/+1": column 4: expected a piece letter, found `1`
    "+*": column 2: expected a piece letter, found `*`
    "8[": column 3: expected a piece letter, a count or `]`, found end of text
    "8[TT": column 5: expected a piece letter, a count or `]`, found end of text
    "8[TT w": column 5: expected a piece letter, a count or `]`, found a blank
    "8[0T]": column 3: expected a count from 1 to 99, found `0T]`
    "8[4]": column 4: expected a piece letter, found `]`
    "8[100T]": column 3: expected a count from 1 to 99, found `100T]`
    "8[99TT]": column 6: expected no more than 99 of a kind, found `T]`
    "8[-T]": column 4: expected `]`, found `T]`
    "8[T-]": column 4: expected a piece letter, a count or `]`, found `-]`
    "8[TT]x": column 6: expected a blank or the end, found `x`
    "8]": column 2: expected a piece letter, a count of empty squares, `*`, `/`, `[` or a blank, found `]`
    "8?": column 2: expected a piece letter, a count of empty squares, `*`, `/`, `[` or a blank, found `?`
    "é": column 1: expected a piece letter, a count of empty squares or `*`, found `é`
    "8[é]": column 3: expected a piece letter, a count or `]`, found `é]`
    "8_8": column 2: expected a piece letter, a count of empty squares, `*`, `/`, `[` or a blank, found `_8`
    "#);
    let tall = ["1"; 18].join("/");
    assert!(parse_position(&tall[..33]).is_ok());
    insta::assert_snapshot!(parse_position(&tall).unwrap_err(), @"column 34: expected no more than 17 ranks, found `/1`");
}
