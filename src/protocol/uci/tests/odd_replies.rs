//! How odd replies are read.

use super::super::*;
use crate::protocol::tests::{rewritten, table};

#[test]
fn odd_replies() {
    insta::assert_snapshot!(table(&[
        "id name  Carom  0.1 ",
        "id",
        "id name",
        "id rank 1",
        "Stockfish 15.1 by the Stockfish developers",
        "Unknown command: uciok",
        "bestmove e2e4 ponder e7e5",
        "bestmove (none)",
        "bestmove 0000 really ponder",
        "bestmove",
        "copyprotection ok",
        "registration perhaps",
        "option name Hash type spin default 16 min 1 max 1024",
        "option name Hash type spin default 16 min 1",
        "option name Style type combo var Very Solid default Normal var Normal",
        "option name File type string",
        "option name File type string default <empty>",
        "option name File type string default a  max b",
        "option name Go type button default 1",
        "option name X type knob",
        "option name type check",
        "option name Ponder type check default yes",
    ], Reply::parse), @r#"
    "id name  Carom  0.1 "
        IdName("Carom  0.1")
    "id"
        column 3: id: expected `name` or `author`, found the end of the line
    "id name"
        column 8: name: expected a name, found the end of the line
    "id rank 1"
        column 4: id: expected `name` or `author`, found "rank"
    "Stockfish 15.1 by the Stockfish developers"
        Unknown("Stockfish 15.1 by the Stockfish developers")
    "Unknown command: uciok"
        Unknown("Unknown command: uciok")
    "bestmove e2e4 ponder e7e5"
        BestMove { best: Some("e2e4"), ponder: Some("e7e5") }
    "bestmove (none)"
        BestMove { best: None, ponder: None }
    "bestmove 0000 really ponder"
        BestMove { best: Some("0000"), ponder: None }
        skipped "really ponder" at 15
    "bestmove"
        column 9: bestmove: expected a move or `(none)`, found the end of the line
    "copyprotection ok"
        CopyProtection(Ok)
    "registration perhaps"
        column 14: registration: expected `checking`, `ok` or `error`, found "perhaps"
    "option name Hash type spin default 16 min 1 max 1024"
        Option(EngineOption { name: "Hash", kind: Number { value: 16, min: 1, max: 1024 } })
    "option name Hash type spin default 16 min 1"
        column 44: spin: expected `max`, found the end of the line
    "option name Style type combo var Very Solid default Normal var Normal"
        Option(EngineOption { name: "Style", kind: OneOf { choices: ["Very Solid", "Normal"], current: "Normal" } })
    "option name File type string"
        Option(EngineOption { name: "File", kind: Text { value: "", path: File } })
    "option name File type string default <empty>"
        Option(EngineOption { name: "File", kind: Text { value: "", path: File } })
    "option name File type string default a  max b"
        Option(EngineOption { name: "File", kind: Text { value: "a  max b", path: File } })
    "option name Go type button default 1"
        Option(EngineOption { name: "Go", kind: Button })
        skipped "default 1" at 28
    "option name X type knob"
        column 20: type: expected `check`, `spin`, `combo`, `button` or `string`, found "knob"
    "option name type check"
        column 13: name: expected the name of an option, found "type"
    "option name Ponder type check default yes"
        column 39: default: expected `true` or `false`, found "yes"
    "#);
}

/// The `info` lines of real engines, read and written back.
#[test]
fn odd_info_lines() {
    insta::assert_snapshot!(rewritten(&[
        "info depth 12 seldepth 18 multipv 1 score cp 31 wdl 100 800 100 lowerbound nodes 5 nps 9 hashfull 1 tbhits 0 time 4 pv e2e4 e7e5",
        "info score mate -0 pv",
        "info score lowerbound cp 5",
        "info score 5",
        "info score",
        "info upperbound",
        "info depth 1 colour red nodes x",
        "info nodes 3 string pv  is  e2e4 ",
        "info string",
        "info pv e2e4 P@d4 score cp 3",
        "info currline 2 e2e4 e7e5",
        "info currline e2e4 e7e5",
        "info currline 0000 e2e4",
        "info refutation d1h5 g6h5",
        "info currmove e2e4 currmovenumber 1",
        "info wdl 1 2",
        "info cpuload 5 sbhits 1 depth 1 depth 2",
        "info",
    ], Reply::parse, |_| false), @r#"
    "info depth 12 seldepth 18 multipv 1 score cp 31 wdl 100 800 100 lowerbound nodes 5 nps 9 hashfull 1 tbhits 0 time 4 pv e2e4 e7e5"
        → "info depth 12 seldepth 18 multipv 1 score cp 31 lowerbound wdl 100 800 100 nodes 5 nps 9 hashfull 1 tbhits 0 time 4 pv e2e4 e7e5"
    "info score mate -0 pv"
        → "info score mate 0 pv "
    "info score lowerbound cp 5"
        → "info score cp 5 lowerbound"
    "info score 5"
        column 12: score: expected `cp` or `mate`, found "5"
    "info score"
        column 11: score: expected `cp` or `mate`, found the end of the line
    "info upperbound"
        column 16: score: expected `cp` or `mate`, found the end of the line
    "info depth 1 colour red nodes x"
        column 31: nodes: expected a whole number from 0 up (64 bits), found "x"
    "info nodes 3 string pv  is  e2e4 "
        → "info nodes 3 string pv  is  e2e4"
    "info string"
        → "info string"
    "info pv e2e4 P@d4 score cp 3"
        → "info score cp 3 pv e2e4 P@d4"
    "info currline 2 e2e4 e7e5"
        → "info currline 2 e2e4 e7e5"
    "info currline e2e4 e7e5"
        → "info currline e2e4 e7e5"
    "info currline 0000 e2e4"
        → "info currline 0000 e2e4"
    "info refutation d1h5 g6h5"
        → "info refutation d1h5 g6h5"
    "info currmove e2e4 currmovenumber 1"
        → "info currmove e2e4 currmovenumber 1"
    "info wdl 1 2"
        column 13: wdl: expected a whole number from 0 to 4294967295, found the end of the line
    "info cpuload 5 sbhits 1 depth 1 depth 2"
        → "info depth 1 sbhits 1 cpuload 5"
        skipped "depth 2" at 33
    "info"
        → "info"
    "#);
}

#[test]
fn a_text_cannot_forge_a_second_line() {
    let line = Reply::Info(Info { string: Some("one\nbestmove e2e4\r"), ..Info::default() }).to_string();
    assert_eq!(line, "info string one bestmove e2e4 ");
}
