//! How odd replies are read.

use super::super::*;
use crate::protocol::EngineOption;
use crate::protocol::tests::table;

#[test]
fn odd_replies() {
    insta::assert_snapshot!(table(&[
        "feature done=0",
        "feature ping=1 setboard=1 variants=\"normal,alapo\" myname=\"Carom 0.1\" done=1",
        "feature",
        "feature ping",
        "feature ping= 1 done=1",
        "feature egt=syzygy done=1",
        "feature option=\"Hash -spin 16 1 1024\"",
        "feature myname=\"Carom",
        "pong 3",
        "pong x",
        "move e2e4,",
        "move",
        "1-0 {White king reached d6}",
        "1/2-1/2{Stalemate}",
        "1-0-0",
        "resign",
        "resigning",
        "offer draw",
        "offer help",
        "Illegal move: e2e4",
        "Illegal move (in check (R12)): e1 g1",
        "Illegal move (no matching move)e2e4",
        "illegal move",
        "Illegal moves are bad",
        "Error (unknown command): foo bar",
        "Error (unknown command)",
        "Errors: none",
        "setup rlbq/8 w - - 0 1",
        "setup (..BR.K..br.k) 8x8+0_fairy rlbq/8 w - - 0 1",
        "setup (..BR.K..br.k 8x8+0_fairy rlbq/8",
        "setup",
        "piece L& BfR",
        "piece L&",
        "highlight 8/8/8/8/4y3/4yr2/8/8",
        "stat01: 1234 30000 7 5 30",
        "stat01: 1234 30000 7 5 30 Nf3",
        "stat01: 1234",
        "Hint: e2e4",
        "Hint:",
        "tellusererror  it  is so ",
        "telluser",
        "tell me",
        "askuser carom-card Which card?",
        "askuser carom-card",
        "#pondering",
        "# pondering",
        "\t e2e4 60%",
        "Loading book",
        "",
    ], Reply::parse), @r##"
    "feature done=0"
        Features([Feature { name: "done", value: Number(0) }])
    "feature ping=1 setboard=1 variants=\"normal,alapo\" myname=\"Carom 0.1\" done=1"
        Features([Feature { name: "ping", value: Number(1) }, Feature { name: "setboard", value: Number(1) }, Feature { name: "variants", value: Text("normal,alapo") }, Feature { name: "myname", value: Text("Carom 0.1") }, Feature { name: "done", value: Number(1) }])
    "feature"
        Features([])
    "feature ping"
        Features([])
        skipped "ping" at 9
    "feature ping= 1 done=1"
        Features([Feature { name: "done", value: Number(1) }])
        skipped "ping= 1" at 9
    "feature egt=syzygy done=1"
        Features([Feature { name: "done", value: Number(1) }])
        skipped "egt=syzygy" at 9
    "feature option=\"Hash -spin 16 1 1024\""
        Features([Feature { name: "option", value: Text("Hash -spin 16 1 1024") }])
    "feature myname=\"Carom"
        column 16: feature: expected a closing quote, found "\"Carom"
    "pong 3"
        Pong(3)
    "pong x"
        column 6: pong: expected a whole number (64 bits), found "x"
    "move e2e4,"
        Move("e2e4,")
    "move"
        column 5: move: expected a move, found the end of the line
    "1-0 {White king reached d6}"
        Result(Outcome { verdict: WhiteWins, comment: "White king reached d6" })
    "1/2-1/2{Stalemate}"
        Result(Outcome { verdict: Draw, comment: "Stalemate" })
    "1-0-0"
        Unknown("1-0-0")
    "resign"
        Resign
    "resigning"
        Unknown("resigning")
    "offer draw"
        OfferDraw
    "offer help"
        Unknown("offer help")
    "Illegal move: e2e4"
        IllegalMove { reason: "", text: "e2e4" }
    "Illegal move (in check (R12)): e1 g1"
        IllegalMove { reason: "in check (R12)", text: "e1 g1" }
    "Illegal move (no matching move)e2e4"
        IllegalMove { reason: "no matching move", text: "e2e4" }
    "illegal move"
        IllegalMove { reason: "", text: "" }
    "Illegal moves are bad"
        Unknown("Illegal moves are bad")
    "Error (unknown command): foo bar"
        Error { reason: "unknown command", command: "foo bar" }
    "Error (unknown command)"
        Error { reason: "unknown command", command: "" }
    "Errors: none"
        Unknown("Errors: none")
    "setup rlbq/8 w - - 0 1"
        Setup(Setup { table: None, geometry: None, position: "rlbq/8 w - - 0 1" })
    "setup (..BR.K..br.k) 8x8+0_fairy rlbq/8 w - - 0 1"
        Setup(Setup { table: Some("..BR.K..br.k"), geometry: Some(Geometry { files: 8, ranks: 8, hand: 0, parent: "fairy" }), position: "rlbq/8 w - - 0 1" })
    "setup (..BR.K..br.k 8x8+0_fairy rlbq/8"
        column 7: setup: expected a closing parenthesis, found "(..BR.K..br.k"
    "setup"
        column 6: setup: expected a position, found the end of the line
    "piece L& BfR"
        Piece { id: "L&", moves: "BfR" }
    "piece L&"
        column 9: piece: expected moves in Betza's notation, found the end of the line
    "highlight 8/8/8/8/4y3/4yr2/8/8"
        Highlight("8/8/8/8/4y3/4yr2/8/8")
    "stat01: 1234 30000 7 5 30"
        Status(Status { time: 1234, nodes: 30000, ply: 7, moves_left: 5, moves_total: 30, current: None })
    "stat01: 1234 30000 7 5 30 Nf3"
        Status(Status { time: 1234, nodes: 30000, ply: 7, moves_left: 5, moves_total: 30, current: Some("Nf3") })
    "stat01: 1234"
        column 13: stat01: expected a whole number from 0 up (64 bits), found the end of the line
    "Hint: e2e4"
        Hint("e2e4")
    "Hint:"
        column 6: Hint: expected a move, found the end of the line
    "tellusererror  it  is so "
        Tell { audience: UserError, text: "it  is so" }
    "telluser"
        Tell { audience: User, text: "" }
    "tell me"
        Unknown("tell me")
    "askuser carom-card Which card?"
        AskUser { tag: "carom-card", text: "Which card?" }
    "askuser carom-card"
        column 19: askuser: expected a question, found the end of the line
    "#pondering"
        Comment("pondering")
    "# pondering"
        Comment("pondering")
    "\t e2e4 60%"
        Indented("e2e4 60%")
    "Loading book"
        Unknown("Loading book")
    ""
        nothing
    "##);
}

#[test]
fn odd_thinking() {
    insta::assert_snapshot!(table(&[
        "9 156 1084 48000 Nf3 Nc6 Nc3 Nf6",
        "  4    109      14   1435  1. e4 d5 2. Qf3 dxe4",
        "9 -13 1084 48000 e2e4!",
        "9 -13 1084 48000 e2e4 ?",
        "9 100003 1084 48000",
        "9 -100000 1084 48000",
        "9 -99999 1 1 e2e4",
        " 2.     14    0       38   d1d2  e8e7 ",
        "3& 14 2 89 d1d2",
        "0 0 0 0 (e4 64%, d4 24%)",
        "9 156 1084 48000 12\te2e4",
        "9 156 1084 48000 31 12\te2e4",
        "9 156 1084 48000 31 250000 12 \t e2e4 e7e5",
        "9 156 1084 48000 31 250000 77 88 12\te2e4",
        "9 156 1084 48000\t31 250000\t12\t1. e4\te5",
        "9 156 1084 48000 99999999999999999999\te2e4",
        "9 156 1084",
        "9 156 1084 x",
        "9 156 -1 5 e2e4",
        "9.. 156 1 5 e2e4",
        "9 99999999999 1 5 e2e4",
        "1 e4 e5",
    ], Reply::parse), @r#"
    "9 156 1084 48000 Nf3 Nc6 Nc3 Nf6"
        Thinking(Thinking { ply: 9, score: Centipawns(156), bound: Exact, time: 1084, nodes: 48000, counts: None, pv: "Nf3 Nc6 Nc3 Nf6" })
    "  4    109      14   1435  1. e4 d5 2. Qf3 dxe4"
        Thinking(Thinking { ply: 4, score: Centipawns(109), bound: Exact, time: 14, nodes: 1435, counts: None, pv: "1. e4 d5 2. Qf3 dxe4" })
    "9 -13 1084 48000 e2e4!"
        Thinking(Thinking { ply: 9, score: Centipawns(-13), bound: Lower, time: 1084, nodes: 48000, counts: None, pv: "e2e4" })
    "9 -13 1084 48000 e2e4 ?"
        Thinking(Thinking { ply: 9, score: Centipawns(-13), bound: Upper, time: 1084, nodes: 48000, counts: None, pv: "e2e4" })
    "9 100003 1084 48000"
        Thinking(Thinking { ply: 9, score: Wins(3), bound: Exact, time: 1084, nodes: 48000, counts: None, pv: "" })
    "9 -100000 1084 48000"
        Thinking(Thinking { ply: 9, score: Loses(0), bound: Exact, time: 1084, nodes: 48000, counts: None, pv: "" })
    "9 -99999 1 1 e2e4"
        Thinking(Thinking { ply: 9, score: Centipawns(-99999), bound: Exact, time: 1, nodes: 1, counts: None, pv: "e2e4" })
    " 2.     14    0       38   d1d2  e8e7 "
        Thinking(Thinking { ply: 2, score: Centipawns(14), bound: Exact, time: 0, nodes: 38, counts: None, pv: "d1d2  e8e7" })
    "3& 14 2 89 d1d2"
        Thinking(Thinking { ply: 3, score: Centipawns(14), bound: Exact, time: 200, nodes: 89, counts: None, pv: "d1d2" })
    "0 0 0 0 (e4 64%, d4 24%)"
        Thinking(Thinking { ply: 0, score: Centipawns(0), bound: Exact, time: 0, nodes: 0, counts: None, pv: "(e4 64%, d4 24%)" })
    "9 156 1084 48000 12\te2e4"
        Thinking(Thinking { ply: 9, score: Centipawns(156), bound: Exact, time: 1084, nodes: 48000, counts: Some(Counts { selective_depth: 0, speed: 0, table_hits: 12 }), pv: "e2e4" })
    "9 156 1084 48000 31 12\te2e4"
        Thinking(Thinking { ply: 9, score: Centipawns(156), bound: Exact, time: 1084, nodes: 48000, counts: Some(Counts { selective_depth: 31, speed: 0, table_hits: 12 }), pv: "e2e4" })
    "9 156 1084 48000 31 250000 12 \t e2e4 e7e5"
        Thinking(Thinking { ply: 9, score: Centipawns(156), bound: Exact, time: 1084, nodes: 48000, counts: Some(Counts { selective_depth: 31, speed: 250000, table_hits: 12 }), pv: "e2e4 e7e5" })
    "9 156 1084 48000 31 250000 77 88 12\te2e4"
        Thinking(Thinking { ply: 9, score: Centipawns(156), bound: Exact, time: 1084, nodes: 48000, counts: Some(Counts { selective_depth: 31, speed: 250000, table_hits: 12 }), pv: "e2e4" })
        skipped "77 88" at 28
    "9 156 1084 48000\t31 250000\t12\t1. e4\te5"
        Thinking(Thinking { ply: 9, score: Centipawns(156), bound: Exact, time: 1084, nodes: 48000, counts: Some(Counts { selective_depth: 31, speed: 250000, table_hits: 12 }), pv: "1. e4\te5" })
    "9 156 1084 48000 99999999999999999999\te2e4"
        Thinking(Thinking { ply: 9, score: Centipawns(156), bound: Exact, time: 1084, nodes: 48000, counts: Some(Counts { selective_depth: 0, speed: 0, table_hits: 18446744073709551615 }), pv: "e2e4" })
    "9 156 1084"
        Unknown("9 156 1084")
    "9 156 1084 x"
        Unknown("9 156 1084 x")
    "9 156 -1 5 e2e4"
        Unknown("9 156 -1 5 e2e4")
    "9.. 156 1 5 e2e4"
        Unknown("9.. 156 1 5 e2e4")
    "9 99999999999 1 5 e2e4"
        Unknown("9 99999999999 1 5 e2e4")
    "1 e4 e5"
        Unknown("1 e4 e5")
    "#);
}

#[test]
fn odd_declarations() {
    insta::assert_snapshot!(table(&[
        "Hash -spin 16 1 1024",
        "Hash -spin 16 1",
        "Ponder -check 1",
        "Ponder -check true",
        "Style -combo Solid /// *Very Wild /// Mad",
        "Style -combo *Solid",
        "Style -combo",
        "Book File -file a  b",
        "Book -string",
        "Clear Hash -button",
        "Clear Hash -button now",
        "-button",
        "nonsense",
        "",
    ], EngineOption::parse_xboard), @r#"
    "Hash -spin 16 1 1024"
        EngineOption { name: "Hash", kind: Number { value: 16, min: 1, max: 1024 } }
    "Hash -spin 16 1"
        column 16: option: expected a whole number (64 bits), found the end of the line
    "Ponder -check 1"
        EngineOption { name: "Ponder", kind: Check { on: true, words: ["true", "false", "1", "0"] } }
    "Ponder -check true"
        column 15: option: expected `0` or `1`, found "true"
    "Style -combo Solid /// *Very Wild /// Mad"
        EngineOption { name: "Style", kind: OneOf { choices: ["Solid", "Very Wild", "Mad"], current: "Very Wild" } }
    "Style -combo *Solid"
        EngineOption { name: "Style", kind: OneOf { choices: ["Solid"], current: "Solid" } }
    "Style -combo"
        column 13: option: expected choices divided by `///`, found the end of the line
    "Book File -file a  b"
        EngineOption { name: "Book File", kind: Text { value: "a  b", path: File } }
    "Book -string"
        EngineOption { name: "Book", kind: Text { value: "", path: None } }
    "Clear Hash -button"
        EngineOption { name: "Clear Hash", kind: Button }
    "Clear Hash -button now"
        EngineOption { name: "Clear Hash", kind: Button }
        skipped "now" at 20
    "-button"
        column 1: option: expected the name of an option, found "-button"
    "nonsense"
        column 9: option: expected `-check`, `-spin`, `-combo`, `-string`, `-button`, `-save`, `-reset`, `-slider`, `-file` or `-path`, found the end of the line
    ""
        nothing
    "#);
}

#[test]
fn a_text_cannot_forge_a_second_line() {
    let outcome = Outcome { verdict: Verdict::Draw, comment: "one\nmove e2e4\r" };
    assert_eq!(outcome.to_string(), "1/2-1/2 {one move e2e4 }");
    let feature = Feature::text("myname", "a \"b\"\nc");
    assert_eq!(feature.to_string(), "myname=\"a 'b' c\"");
}
