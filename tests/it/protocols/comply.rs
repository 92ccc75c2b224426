//! `carom comply`: every must-check can fail, Carom passes them all, and the report stays as it is.
//!
//! The engines that misbehave are Carom behind a go-between that spoils one thing. The go-between is this test program
//! itself, started again (see [`misbehaving_engine`]), so that nothing but Rust is needed.
use carom::comply::{
    Finding, Level, LogLine, PROTOCOLS, Report, Settings, Speaker, Verdict, checks, document, examine, list,
};
use carom::connection::EngineCommand;
use carom::game::Rules;
use carom::protocol::Protocol;
use carom::protocol::uci::Dialect;
use carom::variants;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const UCI: Protocol = Protocol::Uci(Dialect::Uci);

/// What the go-between does to the lines that begin with the first text.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The engine does not hear them.
    Deaf(&'static str),
    /// The engine does not hear them while it searches.
    DeafInSearch(&'static str),
    /// The engine does not hear lines that contain this.
    DeafTo(&'static str),
    /// The engine does not hear them before a line that begins with the second.
    DeafUntil(&'static str, &'static str),
    /// The engine hears only the first of them, up to the next line that begins with the second.
    FirstOnly(&'static str, &'static str),
    /// The engine hears them with the second text exchanged for the third.
    Hears(&'static str, &'static str, &'static str),
    /// The engine hears only what stands before the second text.
    HearsUpTo(&'static str, &'static str),
    /// The engine dies of them.
    Dies(&'static str),
    /// The engine dies of longer lines.
    DiesOfLength(usize),
    /// The engine dies of so many of them.
    DiesOfNumber(&'static str, usize),
    /// The engine answers them by the second text at once, and hears them too.
    Answers(&'static str, &'static str),
    /// They are not passed on to the user.
    Mute(&'static str),
    /// The numbers of thinking are not passed on to the user.
    MuteThinking,
    /// They are passed on twice.
    Twice(&'static str),
    /// They are passed on with the second text exchanged for the third.
    Says(&'static str, &'static str, &'static str),
    /// They are followed by the second text.
    Adds(&'static str, &'static str),
    /// The move in them is cut after its first leg, or the text is put behind it.
    Move(&'static str, Option<&'static str>),
    /// The engine stays when it should go; only while it searches, if so said.
    Stays(bool),
}
use Fault::*;

/// Each must-check, a game, and a fault that it must find.
const FAULTS: &[(&str, &str, Fault)] = &[
    ("U01", "chess", Mute("uciok")),
    ("U02", "chess", Mute("id author")),
    ("U03", "chess", Says("option name Hash ", "min 1", "min 17")),
    ("U04", "chess", Twice("option name Hash ")),
    ("U07", "chess", Deaf("isready")),
    ("U08", "chess", Twice("readyok")),
    ("U09", "chess", DeafInSearch("isready")),
    ("U10", "chess", DeafUntil("go", "ucinewgame")),
    ("U11", "chess", Dies("ucinewgame")),
    ("U12", "chess", Move("bestmove", Some("x"))),
    ("U13", "chess", HearsUpTo("position startpos", " moves")),
    ("U14", "chess", Hears("position fen", "r3k2r/p1ppqpb1", "4k2r/p1ppqpb1")),
    ("U15", "chess", HearsUpTo("position fen", " moves")),
    ("U16", "chess", Says("bestmove", "a7a8q", "a7a8")),
    ("U17", "chess", FirstOnly("position", "go")),
    ("U18", "chess", DiesOfLength(500)),
    ("U19", "chess", Hears("go depth", "depth", "infinite")),
    ("U20", "chess", Hears("go nodes", "nodes", "infinite")),
    ("U22", "chess", Hears("go movetime", "movetime", "infinite")),
    ("U24", "chess", Hears("go wtime", "wtime", "infinite")),
    ("U25", "chess", Deaf("go wtime 200")),
    ("U27", "chess", Hears("go infinite", "infinite", "depth 1")),
    ("U28", "chess", Hears("go infinite", "infinite", "depth 2")),
    ("U31", "chess", DeafInSearch("stop")),
    ("U32", "chess", Answers("stop", "bestmove e2e4")),
    ("U33", "chess", Answers("stop", "bestmove e2e4")),
    ("U34", "chess", Twice("bestmove")),
    ("U35", "chess", Hears("go ponder", "ponder", "depth 1")),
    ("U36", "chess", DeafInSearch("stop")),
    ("U38", "chess", HearsUpTo("go", " searchmoves")),
    ("U43", "chess", Says("info", " nodes ", " nodes many ")),
    ("U45", "chess", Mute("info")),
    ("U48", "chess", Says("info", " pv ", " pv a1a8 ")),
    ("U50", "chess", Says("info", " multipv 2", " multipv 1")),
    ("U51", "chess", Dies("setoption name Hash")),
    ("U52", "chess", Dies("setoption name MultiPV")),
    ("U53", "chess", Dies("setoption name No Such")),
    ("U55", "chess", Dies("xyzzy")),
    ("U58", "chess", DeafTo("\r")),
    ("U59", "chess", Dies("debug")),
    ("U63", "chess", Stays(false)),
    ("U64", "chess", Stays(true)),
    ("U69", "alapo", Says("option name UCI_Variant", " var alapo ", " ")),
    ("U71", "hanniball", Move("bestmove", None)),
    ("U72", "wickets-dice", Move("bestmove", Some(",=5"))),
    ("U73", "wickets-dice", DeafTo(",=")),
    ("X01", "chess", Says("feature", "done=1", "done=0")),
    ("X02", "chess", Says("feature", "myname=\"", "myname=")),
    ("X04", "chess", Says("feature option=\"MultiPV", "-spin 1 1", "-spin 0 1")),
    ("X06", "chess", Dies("rejected")),
    ("X07", "chess", Mute("pong")),
    ("X08", "chess", Says("pong 11", "11", "12")),
    ("X09", "chess", DeafInSearch("ping")),
    ("X11", "chess", Mute("move")),
    ("X12", "chess", Deaf("go")),
    ("X13", "chess", Move("move", Some("x"))),
    ("X14", "chess", Deaf("usermove")),
    ("X15", "chess", Deaf("setboard")),
    ("X16", "chess", Deaf("usermove")),
    ("X17", "chess", Says("move", "a7a8q", "a7a8")),
    ("X18", "chess", DiesOfNumber("usermove", 100)),
    ("X19", "chess", Deaf("force")),
    ("X20", "chess", Adds("pong", "move e2e4")),
    ("X21", "chess", Adds("pong", "move e7e5")),
    ("X22", "chess", Adds("move", "1-0 {so I say}")),
    ("X23", "chess", Says("Illegal move", "Illegal move", "Error")),
    ("X24", "chess", Dies("usermove a1a1")),
    ("X26", "chess", Mute("1-0")),
    ("X27", "chess", Mute("0-1")),
    ("X28", "chess", Mute("1/2-1/2")),
    ("X29", "chess", Adds("pong", "move e2e4")),
    ("X30", "chess", Dies("result")),
    ("X31", "chess", Adds("pong", "move e2e4")),
    ("X32", "chess", Deaf("undo")),
    ("X33", "chess", Deaf("remove")),
    ("X34", "chess", Hears("playother", "playother", "force")),
    ("X35", "chess", Hears("level 0 0:02 0", "level 0 0:02 0", "st 30")),
    ("X37", "chess", Hears("st 1", "st 1", "st 30")),
    ("X38", "chess", Hears("sd 1", "sd 1", "st 60")),
    ("X40", "chess", Deaf("?")),
    ("X41", "chess", Answers("?", "move e2e4")),
    ("X42", "chess", MuteThinking),
    ("X45", "chess", Deaf("nopost")),
    ("X46", "chess", Hears("analyze", "analyze", "go")),
    ("X47", "chess", Dies("exit")),
    ("X49", "alapo", Says("feature", ",alapo,", ",")),
    ("X50", "alapo", Mute("setup")),
    ("X52", "chess", Dies("option MultiPV")),
    ("X53", "chess", Dies("memory")),
    ("X54", "chess", Dies("xyzzy")),
    ("X56", "chess", Dies("random")),
    ("X59", "chess", Deaf("usermove")),
    ("X60", "chess", Deaf("usermove")),
    ("X61", "chess", Answers("pause", "move e2e4")),
    ("X64", "chess", Stays(false)),
    ("X65", "chess", Stays(true)),
    ("X69", "hanniball", Move("move", None)),
    ("X70", "wickets-dice", Move("move", Some(",=5"))),
];

/// What comes before the number of the fault among the arguments of the go-between.
const MARK: &str = "--skip";

/// No test: the go-between, when it is asked for by its own arguments.
#[test]
fn misbehaving_engine() {
    let mut arguments = std::env::args().skip_while(|argument| argument != MARK);
    let Some(number) =
        arguments.nth(1).and_then(|number| number.strip_prefix("fault-")?.parse::<usize>().ok())
    else {
        return;
    };
    go_between(FAULTS[number].2);
}

fn go_between(fault: Fault) -> ! {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_carom"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let searching = Arc::new(AtomicBool::new(false));
    let output = engine.stdout.take().unwrap();
    let during = Arc::clone(&searching);
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if line.starts_with("bestmove") || line.starts_with("move ") {
                during.store(false, Ordering::SeqCst);
            }
            for line in spoiled(fault, &line) {
                say(&line);
            }
        }
    });
    let mut input = engine.stdin.take().unwrap();
    let (mut held, mut count) = (true, 0);
    for line in std::io::stdin().lock().split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8(line).unwrap();
        let busy = searching.load(Ordering::SeqCst);
        let word = line.split_whitespace().next().unwrap_or_default();
        let mut heard = Some(line.clone());
        match fault {
            Deaf(start) if line.starts_with(start) => heard = None,
            DeafInSearch(start) if busy && line.starts_with(start) => heard = None,
            DeafTo(text) if line.contains(text) => heard = None,
            DeafUntil(start, end) => {
                held &= !line.starts_with(end);
                heard = heard.filter(|line| !(held && line.starts_with(start)));
            }
            FirstOnly(start, end) => {
                if line.starts_with(end) {
                    held = true;
                } else if line.starts_with(start) {
                    heard = heard.filter(|_| held);
                    held = false;
                }
            }
            Hears(start, from, to) if line.starts_with(start) => heard = Some(line.replacen(from, to, 1)),
            HearsUpTo(start, end) if line.starts_with(start) => {
                heard = line.split_once(end).map(|(before, _)| before.to_owned()).or(heard);
            }
            Dies(start) if line.starts_with(start) => std::process::exit(3),
            DiesOfLength(most) if line.len() > most => std::process::exit(3),
            DiesOfNumber(start, most) if line.starts_with(start) => {
                count += 1;
                if count > most {
                    std::process::exit(3);
                }
            }
            Answers(start, text) if line.starts_with(start) => say(text),
            Stays(only_busy) if word == "quit" && (busy || !only_busy) => stay(),
            _ => {}
        }
        if word == "go" || word == "analyze" {
            searching.store(true, Ordering::SeqCst);
        }
        if let Some(heard) = heard
            && writeln!(input, "{heard}").and_then(|()| input.flush()).is_err()
        {
            break;
        }
    }
    drop(input);
    let status = engine.wait().unwrap();
    reader.join().unwrap();
    std::process::exit(status.code().unwrap_or(1))
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// For as long as nobody kills us.
fn stay() -> ! {
    loop {
        std::thread::park();
    }
}

/// What becomes of a line of the engine.
fn spoiled(fault: Fault, line: &str) -> Vec<String> {
    let same = line.to_owned();
    match fault {
        Mute(start) if line.starts_with(start) => Vec::new(),
        MuteThinking if line.starts_with(|c: char| c.is_ascii_digit()) => Vec::new(),
        Twice(start) if line.starts_with(start) => vec![same.clone(), same],
        Says(start, from, to) if line.starts_with(start) => vec![line.replace(from, to)],
        Adds(start, text) if line.starts_with(start) => vec![same, text.to_owned()],
        Move(start, change) => match line.strip_prefix(start).and_then(|rest| rest.strip_prefix(' ')) {
            None => vec![same],
            Some(rest) => {
                let token = rest.split(' ').next().unwrap();
                let token = match change {
                    Some(text) => format!("{token}{text}"),
                    None => format!("{},", token.split(',').next().unwrap()),
                };
                vec![format!("{start} {token}")]
            }
        },
        _ => vec![same],
    }
}

fn settings(protocol: Protocol, game: &str, only: &[&str]) -> Settings {
    Settings {
        protocol: Some(protocol),
        facts: variants::find(game).unwrap(),
        rules: Rules::of(variants::find(game).unwrap()),
        only: only.iter().map(|number| (*number).to_owned()).collect(),
        // Far beyond what anything takes: what is examined here is not how busy the machine is.
        timeout: Duration::from_secs(120),
        margin: Duration::from_secs(120),
        silence: Duration::from_millis(50),
    }
}

fn protocol_of(number: &str) -> Protocol {
    if number.starts_with('U') { UCI } else { Protocol::Xboard }
}

#[test]
fn every_must_check_has_a_fault() {
    let must = PROTOCOLS.into_iter().flat_map(checks);
    let must: Vec<_> = must.filter(|check| check.level == Level::Must).map(|check| check.number).collect();
    let faults: Vec<_> = FAULTS.iter().map(|(number, ..)| *number).collect();
    assert_eq!(must, faults);
}

#[test]
fn every_must_check_finds_its_fault() {
    let next = AtomicUsize::new(0);
    let missed = Mutex::new(Vec::new());
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some((number, game, fault)) = FAULTS.get(index) else { break };
            let mark = format!("fault-{index}");
            let arguments = [
                "comply::misbehaving_engine",
                "--exact",
                "--nocapture",
                "--quiet",
                "--test-threads=2",
                MARK,
                &mark,
            ];
            let mut engine = EngineCommand::new(std::env::current_exe().unwrap());
            engine.arguments = arguments.iter().map(Into::into).collect();
            // Where the fault is that nothing comes, the waiting shall be short.
            let mut settings = settings(protocol_of(number), game, &[number]);
            settings.timeout = Duration::from_secs(4);
            settings.margin = Duration::from_secs(1);
            settings.silence = Duration::from_millis(400);
            let report = examine(&engine, &settings, &mut |_| ()).unwrap();
            // A check that finds nothing to examine finds no fault either.
            if !report.findings[0].failed() {
                missed.lock().unwrap().push(format!("{fault:?}: {}", report.text(true)));
            }
        }
    };
    // Most of the time is spent waiting.
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(work);
        }
    });
    let missed = missed.into_inner().unwrap();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

fn carom_passes(protocol: Protocol, game: &str) {
    let carom = EngineCommand::new(env!("CARGO_BIN_EXE_carom"));
    let report = examine(&carom, &settings(protocol, game, &[]), &mut |_| ()).unwrap();
    assert!(!report.findings.iter().any(Finding::failed), "{}", report.text(false));
    let [passed, ..] = report.counts();
    assert!(passed >= 60, "{}", report.text(true));
}

#[test]
fn carom_passes_on_chess() {
    carom_passes(UCI, "chess");
    carom_passes(Protocol::Xboard, "chess");
}

#[test]
fn carom_passes_on_rollerball() {
    carom_passes(UCI, "rollerball");
    carom_passes(Protocol::Uci(Dialect::Ugi), "rollerball");
    carom_passes(Protocol::Xboard, "rollerball");
}

#[test]
fn carom_passes_on_wickets_with_dice() {
    carom_passes(UCI, "wickets-dice");
    carom_passes(Protocol::Xboard, "wickets-dice");
}

#[test]
fn numbers_are_in_order_and_there_are_many() {
    for (protocol, letter) in [(UCI, 'U'), (Protocol::Xboard, 'X')] {
        let numbers: Vec<_> = checks(protocol).iter().map(|check| check.number.to_owned()).collect();
        let expected: Vec<_> = (1..=numbers.len()).map(|number| format!("{letter}{number:02}")).collect();
        assert_eq!(numbers, expected);
        assert!(numbers.len() >= 25);
    }
}

fn invented() -> Report {
    let check =
        |number| checks(protocol_of(number)).into_iter().find(|check| check.number == number).unwrap();
    let said = |by, line: &str| LogLine { by, line: line.to_owned() };
    let finding = |number, verdict, evidence| Finding {
        check: check(number),
        verdict,
        evidence,
        took: Duration::from_millis(12),
    };
    Report {
        engine: "Example 1.0".to_owned(),
        command: vec!["example".to_owned(), "--fast".to_owned()],
        protocol: UCI,
        game: "chess",
        findings: vec![
            finding("U01", Verdict::Pass, vec![said(Speaker::Client, "uci"), said(Speaker::Engine, "uciok")]),
            finding(
                "U09",
                Verdict::Fail("no readyok within 10.0 s".to_owned()),
                vec![
                    said(Speaker::Client, "go infinite"),
                    said(Speaker::Client, "isready"),
                    said(Speaker::StandardError, "panic"),
                    said(Speaker::Remark, "the engine's output ends"),
                ],
            ),
            finding("U50", Verdict::Skip("the engine has no option MultiPV".to_owned()), Vec::new()),
        ],
    }
}

#[test]
fn the_report_is_readable() {
    insta::assert_snapshot!("report", invented().text(false));
    insta::assert_snapshot!("report_verbose", invented().text(true));
    insta::assert_snapshot!("report_json", serde_json::to_string_pretty(&invented().json()).unwrap());
}

#[test]
fn the_list_is_readable() {
    insta::assert_snapshot!("list", list(&PROTOCOLS));
}

/// After a change of the table, write the page anew with `CAROM_WRITE_DOCS=1 cargo test --test comply page`.
#[test]
fn the_page_holds_the_table() {
    const BEGIN: &str = "<!-- table of checks -->\n";
    const END: &str = "<!-- end of the table -->";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol-docs/comply.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (table, after) = rest.split_once(END).unwrap();
    if std::env::var_os("CAROM_WRITE_DOCS").is_some() {
        std::fs::write(path, format!("{before}{BEGIN}{}{END}{after}", document())).unwrap();
        return;
    }
    assert_eq!(table, document());
}

fn carom(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_carom")).arg("comply").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_exit_code_tells_what_was_found() {
    let engine = env!("CARGO_BIN_EXE_carom");
    assert_eq!(carom(&["--only", "u01,U07", "--", engine]).0, Some(0));
    let (code, out, _) = carom(&["--json", "--protocol", "xboard", "--only", "X01", "--", engine]);
    assert_eq!(code, Some(0));
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&report["schema"], &report["compliant"]), (&1.into(), &true.into()));
    assert_eq!(report["checks"][0]["number"], "X01");
    // A program that speaks neither language, but ends with its input.
    let games = ["--protocol", "uci", "--timeout", "5", "--only", "U01,U02", "--", engine, "games"];
    let (code, out, complaint) = carom(&games);
    assert_eq!(code, Some(1), "{out}{complaint}");
    assert!(out.contains("FAIL") && out.contains("U01 failed"), "{out}");
    assert_eq!(carom(&["--timeout", "5", "--", engine, "games"]).0, Some(1));
    assert_eq!(carom(&["--", "/no/such/program"]).0, Some(1));
    for usage in [&["--only", "U01"][..], &["--only", "X99", "--", engine], &["--game", "ludo", "--", engine]]
    {
        let (code, _, complaint) = carom(usage);
        assert_eq!(code, Some(2), "{complaint}");
        assert_eq!(complaint.lines().count(), 1);
    }
    assert_eq!(carom(&["--list"]).0, Some(0));
}
