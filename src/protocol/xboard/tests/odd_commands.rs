//! How odd commands are read.

use super::super::*;
use crate::protocol::tests::{rewritten, table};
use crate::protocol::{Found, ParseError, Parsed};

fn unknown_command(command: &Command<'_>) -> bool {
    matches!(command, Command::Unknown(_))
}

#[test]
fn odd_commands() {
    insta::assert_snapshot!(rewritten(&[
        "",
        " \t\r",
        "xboard\r",
        "  protover \t 2 \r",
        "protover two",
        "protover",
        "protover -2",
        "accepted  ping",
        "rejected option Hash -spin x",
        "accepted",
        "new now please",
        "please new",
        "NEW",
        "variant  wickets-dice2 ",
        "variant",
        "?",
        "?now",
        ".",
        "go\u{0}",
        "sd 10",
        "sd -1",
        "nps 0",
        "time -5",
        "otim 99999999999999999999",
        "time 1.5",
        "ping 7 8",
        "ping",
        "setboard  8/8 w -  - 0 1 ",
        "setboard",
        "exclude all",
        "include e2e4",
        "exclude",
        "setscore 13 5",
        "setscore 13",
        "name",
        "name  A.  N. Other ",
        "rating 2600 x",
        "memory 68",
        "cores 0",
        "egtpath nalimov /usr/a  b",
        "egtpath nalimov",
        "ics -",
        "ics freechess.org",
        "ics",
        "partner",
        "partner mann",
        "holding [PPPRQ] [R] BR",
        "lift k1",
        "put",
        "option Hash=64",
        "option Book File = a = b ",
        "option Clear Hash",
        "option Empty=",
        "option =3",
        "option",
        "carom-card 6h",
        "\u{0}\u{1b}[31m",
    ], Command::parse, unknown_command), @r#"
    ""
        nothing
    " \t\r"
        nothing
    "xboard\r"
        → "xboard"
    "  protover \t 2 \r"
        → "protover 2"
    "protover two"
        column 10: protover: expected a whole number from 0 to 4294967295, found "two"
    "protover"
        column 9: protover: expected a whole number from 0 to 4294967295, found the end of the line
    "protover -2"
        column 10: protover: "-2" is out of range, expected a whole number from 0 to 4294967295
    "accepted  ping"
        → "accepted ping"
    "rejected option Hash -spin x"
        → "rejected option Hash -spin x"
    "accepted"
        column 9: accepted: expected the name of a feature, found the end of the line
    "new now please"
        → "new"
        skipped "now please" at 5
    "please new"
        unknown: "please new"
    "NEW"
        unknown: "NEW"
    "variant  wickets-dice2 "
        → "variant wickets-dice2"
    "variant"
        column 8: variant: expected the name of a game, found the end of the line
    "?"
        → "?"
    "?now"
        unknown: "?now"
    "."
        → "."
    "go\0"
        unknown: "go\0"
    "sd 10"
        → "sd 10"
    "sd -1"
        column 4: sd: "-1" is out of range, expected a whole number from 0 to 4294967295
    "nps 0"
        → "nps 0"
    "time -5"
        → "time -5"
    "otim 99999999999999999999"
        column 6: otim: "99999999999999999999" is out of range, expected a whole number (64 bits)
    "time 1.5"
        column 6: time: expected a whole number (64 bits), found "1.5"
    "ping 7 8"
        → "ping 7"
        skipped "8" at 8
    "ping"
        column 5: ping: expected a whole number (64 bits), found the end of the line
    "setboard  8/8 w -  - 0 1 "
        → "setboard 8/8 w -  - 0 1"
    "setboard"
        column 9: setboard: expected a position, found the end of the line
    "exclude all"
        → "exclude all"
    "include e2e4"
        → "include e2e4"
    "exclude"
        column 8: exclude: expected a move or `all`, found the end of the line
    "setscore 13 5"
        → "setscore 13 5"
    "setscore 13"
        column 12: setscore: expected a whole number from 0 to 4294967295, found the end of the line
    "name"
        → "name"
    "name  A.  N. Other "
        → "name A.  N. Other"
    "rating 2600 x"
        column 13: rating: expected a whole number from -2147483648 to 2147483647, found "x"
    "memory 68"
        → "memory 68"
    "cores 0"
        → "cores 0"
    "egtpath nalimov /usr/a  b"
        → "egtpath nalimov /usr/a  b"
    "egtpath nalimov"
        column 16: egtpath: expected a path, found the end of the line
    "ics -"
        → "ics -"
    "ics freechess.org"
        → "ics freechess.org"
    "ics"
        column 4: ics: expected a host name or `-`, found the end of the line
    "partner"
        → "partner"
    "partner mann"
        → "partner mann"
    "holding [PPPRQ] [R] BR"
        → "holding [PPPRQ] [R] BR"
    "lift k1"
        → "lift k1"
    "put"
        column 4: put: expected a square, found the end of the line
    "option Hash=64"
        → "option Hash=64"
    "option Book File = a = b "
        → "option Book File=a = b"
    "option Clear Hash"
        → "option Clear Hash"
    "option Empty="
        → "option Empty="
    "option =3"
        column 8: option: expected the name of an option, found "=3"
    "option"
        column 7: option: expected the name of an option, found the end of the line
    "carom-card 6h"
        unknown: "carom-card 6h"
    "\0\u{1b}[31m"
        unknown: "\0\u{1b}[31m"
    "#);
}

#[test]
fn odd_clocks() {
    insta::assert_snapshot!(table(&[
        "level 40 5 0",
        "level 40 5:30 12",
        "level 0 2 0.1",
        "level 0 0:01.5 0.0009",
        "level 0 0:90 1.23456789",
        "level 0 5",
        "level 0 5 12 7",
        "level 0 :30 0",
        "level 0 5: 0",
        "level 0 5:3:0 0",
        "level 0 -5 0",
        "level 0 5 -1",
        "level 0 5 1e-05",
        "level 0 5 .5",
        "level 0 99999999999999999999 0",
        "level 0 18446744073709551615:59 0",
        "level 0 5 18446744073709551615",
        "st 5",
        "st 0.25",
        "st 0:07",
        "st",
    ], Command::parse), @r#"
    "level 40 5 0"
        Level(Level { moves: 40, base: 300000, increment: 0 })
    "level 40 5:30 12"
        Level(Level { moves: 40, base: 330000, increment: 12000 })
    "level 0 2 0.1"
        Level(Level { moves: 0, base: 120000, increment: 100 })
    "level 0 0:01.5 0.0009"
        Level(Level { moves: 0, base: 1500, increment: 0 })
    "level 0 0:90 1.23456789"
        Level(Level { moves: 0, base: 90000, increment: 1234 })
    "level 0 5"
        column 10: level: expected seconds, such as `12` or `0.1`, found the end of the line
    "level 0 5 12 7"
        Level(Level { moves: 0, base: 300000, increment: 12000 })
        skipped "7" at 14
    "level 0 :30 0"
        column 9: level: expected minutes, or minutes and seconds such as `4:30`, found ":30"
    "level 0 5: 0"
        column 9: level: expected minutes, or minutes and seconds such as `4:30`, found "5:"
    "level 0 5:3:0 0"
        column 9: level: expected minutes, or minutes and seconds such as `4:30`, found "5:3:0"
    "level 0 -5 0"
        column 9: level: expected minutes, or minutes and seconds such as `4:30`, found "-5"
    "level 0 5 -1"
        column 11: level: expected seconds, such as `12` or `0.1`, found "-1"
    "level 0 5 1e-05"
        column 11: level: expected seconds, such as `12` or `0.1`, found "1e-05"
    "level 0 5 .5"
        column 11: level: expected seconds, such as `12` or `0.1`, found ".5"
    "level 0 99999999999999999999 0"
        column 9: level: "99999999999999999999" is out of range, expected minutes, or minutes and seconds such as `4:30`
    "level 0 18446744073709551615:59 0"
        column 9: level: "18446744073709551615:59" is out of range, expected minutes, or minutes and seconds such as `4:30`
    "level 0 5 18446744073709551615"
        column 11: level: "18446744073709551615" is out of range, expected seconds, such as `12` or `0.1`
    "st 5"
        MoveTime(5s)
    "st 0.25"
        MoveTime(250ms)
    "st 0:07"
        column 4: st: expected seconds, such as `5` or `0.5`, found "0:07"
    "st"
        column 3: st: expected seconds, such as `5` or `0.5`, found the end of the line
    "#);
}

#[test]
fn moves_without_a_keyword() {
    insta::assert_snapshot!(table(&[
        "e2e4",
        "e7e8q",
        "e12d10",
        "T@e5",
        "@@@@",
        "--",
        "O-O",
        "e4xe5-e6",
        "e4e5,e5e6",
        "b2c1,c1c2;",
        "c2c4=",
        "usermove e2e4",
        "usermove  @@@@ now",
        "usermove",
        "e2e4 e7e5",
        "Nf3",
        "e4",
        "e2!e4",
        "E2E4",
    ], Command::parse), @r#"
    "e2e4"
        BareMove("e2e4")
    "e7e8q"
        BareMove("e7e8q")
    "e12d10"
        BareMove("e12d10")
    "T@e5"
        BareMove("T@e5")
    "@@@@"
        BareMove("@@@@")
    "--"
        BareMove("--")
    "O-O"
        BareMove("O-O")
    "e4xe5-e6"
        BareMove("e4xe5-e6")
    "e4e5,e5e6"
        BareMove("e4e5,e5e6")
    "b2c1,c1c2;"
        BareMove("b2c1,c1c2;")
    "c2c4="
        BareMove("c2c4=")
    "usermove e2e4"
        UserMove("e2e4")
    "usermove  @@@@ now"
        UserMove("@@@@")
        skipped "now" at 16
    "usermove"
        column 9: usermove: expected a move, found the end of the line
    "e2e4 e7e5"
        Unknown("e2e4 e7e5")
    "Nf3"
        Unknown("Nf3")
    "e4"
        Unknown("e4")
    "e2!e4"
        Unknown("e2!e4")
    "E2E4"
        Unknown("E2E4")
    "#);
}

#[test]
fn odd_results() {
    insta::assert_snapshot!(table(&[
        "result 1-0 {White mates}",
        "result  1/2-1/2  { Draw by {repetition} } ",
        "result 0-1{mate}",
        "result *",
        "result * xboard exit",
        "result 1-0 {never closed",
        "result 1-01",
        "result 2-0 {What}",
        "result",
    ], Command::parse), @r#"
    "result 1-0 {White mates}"
        Result(Outcome { verdict: WhiteWins, comment: "White mates" })
    "result  1/2-1/2  { Draw by {repetition} } "
        Result(Outcome { verdict: Draw, comment: "Draw by {repetition}" })
    "result 0-1{mate}"
        Result(Outcome { verdict: BlackWins, comment: "mate" })
    "result *"
        Result(Outcome { verdict: Open, comment: "" })
    "result * xboard exit"
        Result(Outcome { verdict: Open, comment: "xboard exit" })
    "result 1-0 {never closed"
        Result(Outcome { verdict: WhiteWins, comment: "{never closed" })
    "result 1-01"
        column 8: result: expected `1-0`, `0-1`, `1/2-1/2` or `*`, found "1-01"
    "result 2-0 {What}"
        column 8: result: expected `1-0`, `0-1`, `1/2-1/2` or `*`, found "2-0"
    "result"
        column 7: result: expected `1-0`, `0-1`, `1/2-1/2` or `*`, found the end of the line
    "#);
}

#[test]
fn odd_edit_lines() {
    insta::assert_snapshot!(table(&["#", "c", " Pa4 ", "xa16", ".", "4a", "P", "Pa4 Pa5"], EditLine::parse), @r##"
    "#"
        Clear
    "c"
        OtherColor
    " Pa4 "
        Put { piece: 'P', square: "a4" }
    "xa16"
        Put { piece: 'x', square: "a16" }
    "."
        Done
    "4a"
        column 1: edit: expected `#`, `c`, `.`, or a piece and its square, found "4a"
    "P"
        column 1: edit: expected `#`, `c`, `.`, or a piece and its square, found "P"
    "Pa4 Pa5"
        Put { piece: 'P', square: "a4" }
        skipped "Pa5" at 5
    "##);
}

#[test]
fn a_line_of_megabytes_is_read() {
    let junk = "x ".repeat(2_000_000);
    let line = format!("new {junk}");
    let Parsed { message, skipped } = Command::parse(&line).unwrap().unwrap();
    assert_eq!((message, skipped.len(), skipped[0].text), (Command::New, 1, junk.trim_end()));
    let line = format!("st {}", "9".repeat(1_000_000));
    assert!(matches!(
        Command::parse(&line).unwrap_err(),
        ParseError { parameter: "st", column: 4, found: Found::OutOfRange(_), .. }
    ));
    let line = format!("feature {junk}");
    assert_eq!(Reply::parse(&line).unwrap().unwrap().skipped.len(), 1);
}
