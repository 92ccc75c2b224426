//! How odd commands are read.

use super::super::*;
use crate::protocol::tests::rewritten;
use crate::protocol::{Found, ParseError, Parsed};

fn unknown_command(command: &Command<'_>) -> bool {
    matches!(command, Command::Unknown(_))
}

#[test]
fn odd_commands() {
    insta::assert_snapshot!(rewritten(&[
        "",
        " \t\r",
        "uci\r",
        "\tuci  please ",
        "UCI",
        "joho debug on",
        "debug joho on",
        "debug",
        "debug maybe",
        "what is d",
        "d now",
        "bingo",
        "go\u{0}",
        "quit\u{0}",
        "setoption name Hash value 64",
        "setoption name Revalue Limit value 3",
        "setoption name  Skill \t Level  value  a  b ",
        "setoption name Book value",
        "setoption name Book value <empty>",
        "setoption name Clear Hash",
        "setoption name Book value value",
        "setoption name value 3",
        "setoption Hash value 3",
        "setoption please name Hash value 3",
        "setoption",
        "register later now",
        "register name Ann B code 12 34",
        "register code 12",
        "register name code 12",
        "register",
        "position startpos",
        "position startpos junk moves e2e4 e7e5",
        "position  fen  8/8 w -  - 0 1  moves  c3d5,O@f6   P@e4 @@@@ 0000",
        "position fen moves e2e4",
        "position fen",
        "position moves e2e4",
        "position please fen 8/8 w",
        "position",
        "position nowhere",
        "position startpos moves",
        "ugi",
        "please ugi",
        "uginewgame now",
        "query",
        "query gameover",
        "query  continuations  c3d5 , ",
    ], Command::parse, unknown_command), @r#"
    ""
        nothing
    " \t\r"
        nothing
    "uci\r"
        → "uci"
    "\tuci  please "
        → "uci"
        skipped "please" at 7
    "UCI"
        unknown: "UCI"
    "joho debug on"
        → "debug on"
        skipped "joho" at 1
    "debug joho on"
        → "debug on"
        skipped "joho" at 7
    "debug"
        column 6: debug: expected `on` or `off`, found the end of the line
    "debug maybe"
        column 7: debug: expected `on` or `off`, found "maybe"
    "what is d"
        unknown: "what is d"
    "d now"
        → "d"
        skipped "now" at 3
    "bingo"
        unknown: "bingo"
    "go\0"
        unknown: "go\0"
    "quit\0"
        unknown: "quit\0"
    "setoption name Hash value 64"
        → "setoption name Hash value 64"
    "setoption name Revalue Limit value 3"
        → "setoption name Revalue Limit value 3"
    "setoption name  Skill \t Level  value  a  b "
        → "setoption name Skill \t Level value a  b"
    "setoption name Book value"
        → "setoption name Book value <empty>"
    "setoption name Book value <empty>"
        → "setoption name Book value <empty>"
    "setoption name Clear Hash"
        → "setoption name Clear Hash"
    "setoption name Book value value"
        → "setoption name Book value value"
    "setoption name value 3"
        column 16: name: expected the name of an option, found "value"
    "setoption Hash value 3"
        column 11: setoption: expected `name`, found "Hash"
    "setoption please name Hash value 3"
        → "setoption name Hash value 3"
        skipped "please" at 11
    "setoption"
        column 10: setoption: expected `name`, found the end of the line
    "register later now"
        → "register later"
        skipped "now" at 16
    "register name Ann B code 12 34"
        → "register name Ann B code 12 34"
    "register code 12"
        → "register code 12"
    "register name code 12"
        column 15: name: expected a name, found "code"
    "register"
        column 9: register: expected `later`, `name` or `code`, found the end of the line
    "position startpos"
        → "position startpos"
    "position startpos junk moves e2e4 e7e5"
        → "position startpos moves e2e4 e7e5"
        skipped "junk" at 19
    "position  fen  8/8 w -  - 0 1  moves  c3d5,O@f6   P@e4 @@@@ 0000"
        → "position fen 8/8 w -  - 0 1 moves c3d5,O@f6 P@e4 @@@@ 0000"
    "position fen moves e2e4"
        column 14: fen: expected a position, found "moves"
    "position fen"
        column 13: fen: expected a position, found the end of the line
    "position moves e2e4"
        → "position moves e2e4"
    "position please fen 8/8 w"
        → "position fen 8/8 w"
        skipped "please" at 10
    "position"
        → "position"
    "position nowhere"
        column 10: position: expected `startpos`, `fen` or `moves`, found "nowhere"
    "position startpos moves"
        → "position startpos"
    "ugi"
        → "ugi"
    "please ugi"
        unknown: "please ugi"
    "uginewgame now"
        → "uginewgame"
        skipped "now" at 12
    "query"
        column 6: query: expected a question, such as `gameover`, found the end of the line
    "query gameover"
        → "query gameover"
    "query  continuations  c3d5 , "
        → "query continuations c3d5 ,"
    "#);
}

#[test]
fn odd_go_lines() {
    insta::assert_snapshot!(rewritten(&[
        "go",
        "go infinite ponder",
        "go searchmoves e2e4 P@d4 c3d5,O@f6 depth 3",
        "go depth 3 searchmoves e2e4",
        "go searchmoves depth 3",
        "go searchmoves",
        "go wtime -5 btime 0 winc -1 binc 7 movestogo 0",
        "go wtime",
        "go wtime soon",
        "go wtime 1.5",
        "go wtime 99999999999999999999",
        "go depth -1",
        "go depth 4294967296",
        "go depth 99999999999999999999999999999999999999999999",
        "go movetime -100",
        "go depth \u{0}\u{1b}[31m",
        "go movetime depth 3",
        "go depth 3 quickly nodes 5 and well",
        "go depth 3 depth 5",
        "go infinite infinite",
        "go perft 5",
        "go mate 3",
        "go DEPTH 3",
        "go p1time 5 p2time 6 p1inc 7 p2inc 8",
        "go searchmoves a1a2 p1time 5 wtime 6",
    ], Command::parse, unknown_command), @r#"
    "go"
        → "go"
    "go infinite ponder"
        → "go ponder infinite"
    "go searchmoves e2e4 P@d4 c3d5,O@f6 depth 3"
        → "go depth 3 searchmoves e2e4 P@d4 c3d5,O@f6"
    "go depth 3 searchmoves e2e4"
        → "go depth 3 searchmoves e2e4"
    "go searchmoves depth 3"
        column 16: searchmoves: expected a move, found "depth"
    "go searchmoves"
        column 15: searchmoves: expected a move, found the end of the line
    "go wtime -5 btime 0 winc -1 binc 7 movestogo 0"
        → "go wtime -5 btime 0 winc -1 binc 7 movestogo 0"
    "go wtime"
        column 9: wtime: expected a whole number (64 bits), found the end of the line
    "go wtime soon"
        column 10: wtime: expected a whole number (64 bits), found "soon"
    "go wtime 1.5"
        column 10: wtime: expected a whole number (64 bits), found "1.5"
    "go wtime 99999999999999999999"
        column 10: wtime: "99999999999999999999" is out of range, expected a whole number (64 bits)
    "go depth -1"
        column 10: depth: "-1" is out of range, expected a whole number from 0 to 4294967295
    "go depth 4294967296"
        column 10: depth: "4294967296" is out of range, expected a whole number from 0 to 4294967295
    "go depth 99999999999999999999999999999999999999999999"
        column 10: depth: "999999999999999999999999"… is out of range, expected a whole number from 0 to 4294967295
    "go movetime -100"
        column 13: movetime: "-100" is out of range, expected a whole number from 0 up (64 bits)
    "go depth \0\u{1b}[31m"
        column 10: depth: expected a whole number from 0 to 4294967295, found "\0\u{1b}[31m"
    "go movetime depth 3"
        column 13: movetime: expected a whole number from 0 up (64 bits), found "depth"
    "go depth 3 quickly nodes 5 and well"
        → "go depth 3 nodes 5"
        skipped "quickly" at 12
        skipped "and well" at 28
    "go depth 3 depth 5"
        → "go depth 3"
        skipped "depth 5" at 12
    "go infinite infinite"
        → "go infinite"
        skipped "infinite" at 13
    "go perft 5"
        → "go perft 5"
    "go mate 3"
        → "go mate 3"
    "go DEPTH 3"
        → "go"
        skipped "DEPTH 3" at 4
    "go p1time 5 p2time 6 p1inc 7 p2inc 8"
        → "go wtime 5 btime 6 winc 7 binc 8"
    "go searchmoves a1a2 p1time 5 wtime 6"
        → "go wtime 5 searchmoves a1a2"
        skipped "wtime 6" at 30
    "#);
}

#[test]
fn ugi_has_its_own_words_for_greeting_new_game_and_clocks() {
    let go =
        Command::Go(Go { white_time: Some(5), black_increment: Some(7), depth: Some(1), ..Go::default() });
    let lines = [Command::Uci, Command::UciNewGame, go, Command::Stop].map(|line| line.to_line(Dialect::Ugi));
    assert_eq!(lines, ["ugi", "uginewgame", "go p1time 5 p2inc 7 depth 1", "stop"]);
    assert_eq!(Command::parse(&lines[2]).unwrap().unwrap().message, go);
    assert_eq!(go.to_line(Dialect::Uci), go.to_string());
}

#[test]
fn a_long_game_is_read_whole() {
    let game = (0..200).map(|ply| if ply % 2 == 0 { "g1f3" } else { "g8f6" }).collect::<Vec<_>>().join(" ");
    let line = format!("position startpos moves {game}");
    let Parsed { message, skipped } = Command::parse(&line).unwrap().unwrap();
    assert_eq!(skipped, []);
    let Command::Position(Position { start: Start::Startpos, moves }) = message else {
        panic!("{message:?}")
    };
    assert_eq!(moves.iter().count(), 200);
    assert!(moves.iter().step_by(2).all(|text| text == "g1f3"));
}

#[test]
fn a_line_of_megabytes_is_one_finding() {
    let junk = "x ".repeat(2_000_000);
    assert_eq!(Command::parse(&junk).unwrap().unwrap().message, Command::Unknown(junk.trim_end()));
    let line = format!("go depth 1 {junk}");
    let parsed = Command::parse(&line).unwrap().unwrap();
    assert_eq!(parsed.skipped.len(), 1);
    assert_eq!((parsed.skipped[0].text, parsed.skipped[0].column), (junk.trim_end(), 12));
    let number = "9".repeat(1_000_000);
    let line = format!("go depth {number}");
    let error = Command::parse(&line).unwrap_err();
    assert!(matches!(&error, ParseError { parameter: "depth", column: 10, found: Found::OutOfRange(_), .. }));
    assert!(error.to_string().len() < 200);
}
