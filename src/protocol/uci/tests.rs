//! Writing and reading give the message back; odd lines give what the table says; nothing panics.

use super::*;
use crate::protocol::{Bound, Moves, ParseError, Parsed};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::fmt::{Debug, Write};

/// Words with a meaning somewhere in UCI, which free text must not hold for the round trip.
const RESERVED: &[&str] = &[
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "bench",
    "flip",
    "help",
    "name",
    "value",
    "code",
    "later",
    "on",
    "off",
    "startpos",
    "fen",
    "moves",
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
    "seldepth",
    "multipv",
    "score",
    "cp",
    "lowerbound",
    "upperbound",
    "wdl",
    "nps",
    "hashfull",
    "tbhits",
    "sbhits",
    "cpuload",
    "time",
    "currmove",
    "currmovenumber",
    "refutation",
    "currline",
    "pv",
    "string",
    "id",
    "author",
    "uciok",
    "readyok",
    "bestmove",
    "copyprotection",
    "registration",
    "info",
    "option",
    "type",
    "default",
    "min",
    "max",
    "var",
    "check",
    "spin",
    "combo",
    "button",
    "(none)",
    "<empty>",
];

/// The few bytes leaked per case keep the messages `'static`, and the strategies simple.
fn matching(pattern: &'static str) -> impl Strategy<Value = &'static str> {
    pattern
        .prop_filter("reserved word", |text| !text.split_ascii_whitespace().any(|w| RESERVED.contains(&w)))
        .prop_map(|text| &*text.leak())
}

fn word() -> impl Strategy<Value = &'static str> {
    matching("[!-~é\\x00]{1,9}")
}

fn text() -> impl Strategy<Value = &'static str> {
    matching("[!-~é]([ -~é\t]{0,24}[!-~é])?")
}

fn moves() -> impl Strategy<Value = Moves<'static>> {
    vec(word(), 1..6).prop_map(|words| Moves::new(words.join("  ").leak()))
}

fn start() -> impl Strategy<Value = Start<'static>> {
    prop_oneof![Just(Start::Startpos), Just(Start::Unsaid), text().prop_map(Start::Fen)]
}

fn go() -> impl Strategy<Value = Command<'static>> {
    let clocks = (option::of(any::<i64>()), option::of(any::<i64>()), option::of(any::<i64>()));
    let limits = (option::of(any::<u32>()), option::of(any::<u32>()), option::of(any::<u64>()));
    let more = (option::of(any::<u32>()), option::of(any::<u64>()), option::of(any::<u32>()));
    let flags = (any::<bool>(), any::<bool>(), option::of(any::<i64>()), option::of(moves()));
    (clocks, limits, more, flags).prop_map(|(clocks, limits, more, flags)| {
        Command::Go(Go {
            search_moves: flags.3,
            ponder: flags.0,
            white_time: clocks.0,
            black_time: clocks.1,
            white_increment: clocks.2,
            black_increment: flags.2,
            moves_to_go: limits.0,
            depth: limits.1,
            nodes: limits.2,
            mate: more.0,
            move_time: more.1,
            infinite: flags.1,
            perft: more.2,
        })
    })
}

fn command() -> impl Strategy<Value = Command<'static>> {
    let plain = [
        Command::Uci,
        Command::Debug(true),
        Command::Debug(false),
        Command::IsReady,
        Command::UciNewGame,
        Command::Stop,
        Command::PonderHit,
        Command::Quit,
        Command::Show,
        Command::Evaluate,
        Command::Bench(""),
        Command::Flip,
        Command::Help,
        Command::Register(Register::Later),
    ];
    let register = (option::of(text()), option::of(text()))
        .prop_filter("one of them", |(name, code)| name.is_some() || code.is_some())
        .prop_map(|(name, code)| Command::Register(Register::Now { name, code }));
    let value = option::of(prop_oneof![Just(""), text()]);
    prop_oneof![
        proptest::sample::select(plain.to_vec()),
        (text(), value).prop_map(|(name, value)| Command::SetOption { name, value }),
        register,
        (start(), prop_oneof![Just(Moves::default()), moves()])
            .prop_map(|(start, moves)| Command::Position(Position { start, moves })),
        go(),
        text().prop_map(Command::Bench),
        text().prop_map(Command::Unknown),
    ]
}

fn info() -> impl Strategy<Value = Info<'static>> {
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    let score = prop_oneof![any::<i32>().prop_map(Score::Centipawns), any::<i32>().prop_map(Score::Mate)];
    let wdl =
        (any::<u32>(), any::<u32>(), any::<u32>()).prop_map(|(win, draw, loss)| Wdl { win, draw, loss });
    let line = (option::of(1..u32::MAX), matching("[a-p][1-9]{1,4}"))
        .prop_map(|(cpu, text)| CurrentLine { cpu, moves: Moves::new(text) });
    let small = || option::of(any::<u32>());
    let large = || option::of(any::<u64>());
    (
        (small(), small(), small(), option::of((score, bound)), option::of(wdl)),
        (large(), large(), small(), large(), large()),
        (small(), large(), option::of(word()), small(), option::of(moves())),
        (option::of(line), option::of(moves()), option::of(text())),
    )
        .prop_map(|(first, second, third, last)| Info {
            depth: first.0,
            selective_depth: first.1,
            multi_pv: first.2,
            score: first.3,
            wdl: first.4,
            nodes: second.0,
            nodes_per_second: second.1,
            hash_full: second.2,
            table_hits: second.3,
            shredder_hits: second.4,
            cpu_load: third.0,
            time: third.1,
            current_move: third.2,
            current_move_number: third.3,
            refutation: third.4,
            current_line: last.0,
            pv: last.1,
            string: last.2,
        })
}

fn declaration() -> impl Strategy<Value = Declaration<'static>> {
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        (text(), vec(text(), 0..5)).prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        Just(OptionKind::Button),
        prop_oneof![Just(""), text()].prop_map(|default| OptionKind::String { default }),
    ];
    (text(), kind).prop_map(|(name, kind)| Declaration { name, kind })
}

fn reply() -> impl Strategy<Value = Reply<'static>> {
    let clearance = || prop_oneof![Just(Clearance::Checking), Just(Clearance::Ok), Just(Clearance::Error)];
    prop_oneof![
        prop_oneof![Just(Reply::UciOk), Just(Reply::ReadyOk)],
        text().prop_map(Reply::IdName),
        text().prop_map(Reply::IdAuthor),
        (option::of(word()), option::of(word())).prop_map(|(best, ponder)| Reply::BestMove { best, ponder }),
        clearance().prop_map(Reply::CopyProtection),
        clearance().prop_map(Reply::Registration),
        info().prop_map(Reply::Info),
        declaration().prop_map(Reply::Option),
        text().prop_map(Reply::Unknown),
    ]
}

proptest! {
    #[test]
    fn commands_survive_the_round_trip(command in command()) {
        let line = command.to_string();
        prop_assert_eq!(Command::parse(&line), Ok(Some(Parsed { message: command, skipped: vec![] })), "{}", line);
    }

    #[test]
    fn replies_survive_the_round_trip(reply in reply()) {
        let line = reply.to_string();
        prop_assert_eq!(Reply::parse(&line), Ok(Some(Parsed { message: reply, skipped: vec![] })), "{}", line);
    }

    #[test]
    fn blanks_do_not_matter(command in go(), blank in "[ \t\r\x0c]{1,4}") {
        let line = format!("{blank}{}{blank}", command.to_string().replace(' ', &blank));
        prop_assert_eq!(Command::parse(&line).unwrap().unwrap().message, command);
    }

    #[test]
    fn no_text_panics(line in any::<String>()) {
        let _ = (Command::parse(&line), Reply::parse(&line));
    }

    /// Texts made of the protocol's own words reach deeper than arbitrary ones.
    #[test]
    fn no_salad_of_words_panics(words in vec(prop_oneof![
        proptest::sample::select(RESERVED),
        word(),
        Just("-1"),
        Just("99999999999999999999"),
        Just("\u{a0}\t"),
    ], 0..12)) {
        let line = words.join(" ");
        let _ = (Command::parse(&line), Reply::parse(&line));
    }
}

/// A line each: what was understood, what was skipped, or what is wrong.
fn table<'a, T: Debug>(
    lines: &[&'a str],
    parse: impl Fn(&'a str) -> Result<Option<Parsed<'a, T>>, ParseError>,
) -> String {
    let mut out = String::new();
    for line in lines {
        match parse(line) {
            Ok(None) => writeln!(out, "{line:?}\n    nothing"),
            Ok(Some(Parsed { message, skipped })) => {
                write!(out, "{line:?}\n    {message:?}").unwrap();
                skipped
                    .iter()
                    .try_for_each(|skipped| {
                        write!(out, "\n    skipped {:?} at {}", skipped.text, skipped.column)
                    })
                    .and_then(|()| writeln!(out))
            }
            Err(error) => writeln!(out, "{line:?}\n    {error}"),
        }
        .unwrap();
    }
    out
}

/// As [`table`], with known commands written back as lines.
fn rewritten(lines: &[&str]) -> String {
    table(lines, |line| {
        Command::parse(line).map(|parsed| {
            parsed.map(|Parsed { message, skipped }| Parsed {
                message: Shown(match message {
                    Command::Unknown(text) => format!("unknown: {text:?}"),
                    known => format!("{:?}", known.to_string()),
                }),
                skipped,
            })
        })
    })
}

struct Shown(String);

impl Debug for Shown {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "→ {}", self.0)
    }
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
    ]), @r#"
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
        → unknown: "UCI"
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
        → unknown: "what is d"
    "d now"
        → "d"
        skipped "now" at 3
    "bingo"
        → unknown: "bingo"
    "go\0"
        → unknown: "go\0"
    "quit\0"
        → unknown: "quit\0"
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
    ]), @r#"
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
    "#);
}

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
        Option(Declaration { name: "Hash", kind: Spin { default: 16, min: 1, max: 1024 } })
    "option name Hash type spin default 16 min 1"
        column 44: spin: expected `max`, found the end of the line
    "option name Style type combo var Very Solid default Normal var Normal"
        Option(Declaration { name: "Style", kind: Combo { default: "Normal", choices: ["Very Solid", "Normal"] } })
    "option name File type string"
        Option(Declaration { name: "File", kind: String { default: "" } })
    "option name File type string default <empty>"
        Option(Declaration { name: "File", kind: String { default: "" } })
    "option name File type string default a  max b"
        Option(Declaration { name: "File", kind: String { default: "a  max b" } })
    "option name Go type button default 1"
        Option(Declaration { name: "Go", kind: Button })
        skipped "default 1" at 28
    "option name X type knob"
        column 20: type: expected `check`, `spin`, `combo`, `button` or `string`, found "knob"
    "option name type check"
        column 13: name: expected the name of an option, found "type"
    "option name Ponder type check default yes"
        column 39: default: expected `true` or `false`, found "yes"
    "#);
}

/// What `info` lines of living engines give, written back.
#[test]
fn odd_info_lines() {
    let parse = |line| {
        Reply::parse(line).map(|parsed| {
            parsed.map(|Parsed { message, skipped }| Parsed {
                message: Shown(format!("{:?}", message.to_string())),
                skipped,
            })
        })
    };
    insta::assert_snapshot!(table(&[
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
    ], parse), @r#"
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
        → "info string "
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
    assert!(matches!(&error, ParseError::OutOfRange { parameter: "depth", column: 10, .. }));
    assert!(error.to_string().len() < 200);
}

#[test]
fn a_text_cannot_forge_a_second_line() {
    let line = Reply::Info(Info { string: Some("one\nbestmove e2e4\r"), ..Info::default() }).to_string();
    assert_eq!(line, "info string one bestmove e2e4 ");
}
