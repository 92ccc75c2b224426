//! Whole conversations in one process: lines in, invariants out.
//!
//! An input is a conversation, a line each, with one more word: a line `wait` lets the program come to the end of what it
//! is thinking about. Searches are kept small, memory and threads few: that is said behind the first line. After the last line the input ends.

use carom::engine;
use carom::game::perft;
use carom::notation::parse_token;
use carom::protocol::uci::{self, Dialect, Translator};
use carom::protocol::xboard;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long an input may be.
const MOST_BYTES: usize = 8 << 10;
/// How many lines of it are sent.
const MOST_LINES: usize = 80;
/// The answers to so many lines fit.
const MOST_HEARD: usize = 4 << 20;
/// What is added to `go`.
const NODES: &[u8] = b" nodes 300";
/// Beyond this the program hangs: whatever is waited for takes milliseconds.
const WATCHDOG: Duration = Duration::from_secs(60);

/// One conversation at a time: its threads are counted.
static ONE: Mutex<()> = Mutex::new(());

/// Holds the conversation, and checks what was said.
pub fn sessions(data: &[u8]) {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut plan = Plan::of(&data[..data.len().min(MOST_BYTES)]);
    let heard = Arc::new(Heard::default());
    let (reading, gone) = channel();
    let input = Input { steps: plan.steps.clone(), heard: heard.clone(), _reading: reading };
    engine::run(input, Output(heard.clone()), |line| {
        carom::uci::begin(line).or_else(|| carom::xboard::begin(line))
    })
    .unwrap();
    heard.close();
    // The thread that reads ends with its input; nothing is ever sent here.
    assert!(gone.recv().is_err());
    no_search_is_left();
    let lines = heard.lines();
    plan.check(&lines);
}

/// A program may end its last threads a moment after they were joined: the table of threads is the kernel's.
fn no_search_is_left() {
    let mut left = Vec::new();
    for _ in 0..10_000 {
        left = threads().into_iter().filter(|name| name.trim_end() == "search").collect();
        if left.is_empty() {
            return;
        }
        std::thread::yield_now();
    }
    panic!("still there: {left:?}");
}

/// The names of the process's threads, where the system tells.
fn threads() -> Vec<String> {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return Vec::new() };
    tasks.flatten().flat_map(|task| std::fs::read_to_string(task.path().join("comm"))).collect()
}

#[derive(Clone)]
enum Step {
    Say(Vec<u8>),
    /// Until so many lines begin with this word.
    Hear(String, usize),
}

#[derive(Clone, Copy, PartialEq)]
enum Protocol {
    Unknown,
    Uci,
    Xboard,
    Over,
}

/// What is said, and what must be answered.
struct Plan {
    steps: VecDeque<Step>,
    protocol: Protocol,
    spoken: Protocol,
    /// USI or UCCI, if the conversation is in one of these, with what makes UCI of it.
    translator: Option<(Dialect, Translator)>,
    best_moves: usize,
    /// A count below turns that are not legal is answered like a search, so that nobody waits for ever.
    best_moves_of_counts: usize,
    /// The answers that come at once, in the order of the questions.
    at_once: Vec<String>,
    /// How often the position is asked for; a `go` that waits makes the answer wait behind it.
    shows: usize,
    /// The last `go` waits for a `stop`.
    held: bool,
    /// The last `go` waits for a `ponderhit` or a `stop`.
    pondering: bool,
    waits: i64,
}

impl Plan {
    fn of(data: &[u8]) -> Self {
        let mut plan = Self {
            steps: VecDeque::new(),
            protocol: Protocol::Unknown,
            spoken: Protocol::Unknown,
            translator: None,
            best_moves: 0,
            best_moves_of_counts: 0,
            at_once: Vec::new(),
            shows: 0,
            held: false,
            pondering: false,
            waits: 0,
        };
        for line in data.split(|&byte| byte == b'\n' || byte == b'\r').take(MOST_LINES) {
            if line == b"wait" { plan.wait() } else { plan.say(line) }
        }
        plan
    }

    fn wait(&mut self) {
        match self.protocol {
            Protocol::Uci => {
                if self.held || self.pondering {
                    self.say(b"stop");
                }
                self.steps.push_back(Step::Hear("bestmove".into(), self.best_moves));
            }
            Protocol::Xboard => {
                // Numbers nobody else is likely to think of.
                self.waits += 1;
                let number = 7_000_000_000_000 + self.waits;
                self.say(b"?");
                self.say(format!("ping {number}").as_bytes());
                self.steps.push_back(Step::Hear(format!("pong {number}"), 1));
            }
            Protocol::Unknown | Protocol::Over => {}
        }
    }

    fn say(&mut self, line: &[u8]) {
        let mut line = tamed(line);
        if first_command(&String::from_utf8_lossy(&line)) == Some("go") {
            line.extend_from_slice(NODES);
        }
        let text = String::from_utf8_lossy(&line).into_owned();
        line.push(b'\n');
        self.steps.push_back(Step::Say(line));
        if self.protocol == Protocol::Unknown {
            self.translator = carom::uci::asked_for(&text).and_then(|it| Some((it, Translator::new(it)?)));
            self.protocol = match text.trim() {
                "xboard" => Protocol::Xboard,
                "quit" => Protocol::Over,
                _ if self.translator.is_some() => Protocol::Uci,
                first => match uci::Command::parse(first) {
                    Ok(None) => Protocol::Unknown,
                    Ok(Some(parsed)) if matches!(parsed.message, uci::Command::Unknown(_)) => {
                        Protocol::Unknown
                    }
                    _ => Protocol::Uci,
                },
            };
            self.spoken = self.protocol;
            // A small table: every conversation makes its own.
            let small: &[u8] = match (self.protocol, &self.translator) {
                (Protocol::Uci, Some((Dialect::Ucci, _))) => b"setoption Hash 1\n",
                (Protocol::Uci, _) => b"setoption name Hash value 1\n",
                (Protocol::Xboard, _) => b"memory 1\n",
                (Protocol::Unknown | Protocol::Over, _) => b"",
            };
            if !small.is_empty() {
                self.steps.push_back(Step::Say(small.to_vec()));
            }
        }
        match self.protocol {
            Protocol::Uci => match &mut self.translator {
                // A search for mate by checks alone, which is answered at once, and not with a move.
                Some((Dialect::Usi, _)) if text.trim_start().starts_with("go mate") => {}
                Some((_, translator)) => {
                    let text = translator.command_to_uci(&text);
                    text.lines().for_each(|line| self.expect_uci(line));
                }
                None => self.expect_uci(&text),
            },
            Protocol::Xboard => self.expect_xboard(&text),
            Protocol::Unknown | Protocol::Over => {}
        }
    }

    fn expect_uci(&mut self, line: &str) {
        use uci::Command;
        match Command::parse(line).map(|parsed| parsed.map(|parsed| parsed.message)) {
            Ok(Some(Command::Go(go))) => {
                // A count that is too deep is refused with a best move.
                let counts = go.perft.is_some_and(|depth| depth <= perft::MOST_DEPTH);
                self.best_moves += usize::from(!counts);
                self.best_moves_of_counts += usize::from(counts && go.search_moves.is_some());
                (self.held, self.pondering) = (go.infinite, go.ponder);
            }
            Ok(Some(Command::Uci)) => self.at_once.push("uciok".into()),
            Ok(Some(Command::Ugi)) => self.at_once.push("ugiok".into()),
            Ok(Some(Command::IsReady)) => self.at_once.push("readyok".into()),
            Ok(Some(Command::Show)) => self.shows += 1,
            Ok(Some(Command::Stop)) => (self.held, self.pondering) = (false, false),
            Ok(Some(Command::PonderHit)) => self.pondering = false,
            Ok(Some(Command::Quit)) => self.protocol = Protocol::Over,
            Err(_) if first_command(line) == Some("go") => {
                self.best_moves += 1;
                (self.held, self.pondering) = (false, false);
            }
            _ => {}
        }
    }

    fn expect_xboard(&mut self, line: &str) {
        match xboard::Command::parse(line).map(|parsed| parsed.map(|parsed| parsed.message)) {
            Ok(Some(xboard::Command::Ping(number))) => self.at_once.push(format!("pong {number}")),
            Ok(Some(xboard::Command::Quit)) => self.protocol = Protocol::Over,
            _ => {}
        }
    }

    fn check(&mut self, lines: &[String]) {
        let in_uci: Option<Vec<String>> = self.translator.as_mut().map(|(_, translator)| {
            lines.iter().map(|line| translator.reply_to_uci(line)).filter(|line| !line.is_empty()).collect()
        });
        let told = || self.told(lines);
        let lines = in_uci.as_deref().unwrap_or(lines);
        let at_once: Vec<&str> = lines
            .iter()
            .map(String::as_str)
            .filter(|line| match self.spoken {
                Protocol::Uci => matches!(*line, "uciok" | "ugiok" | "readyok"),
                _ => line.starts_with("pong "),
            })
            .collect();
        assert_eq!(at_once, self.at_once, "{}", told());
        match self.spoken {
            Protocol::Uci => {
                let best: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("bestmove ")).collect();
                let most = self.best_moves + self.best_moves_of_counts;
                assert!((self.best_moves..=most).contains(&best.len()), "{} said\n{}", best.len(), told());
                let shown = lines.iter().filter(|line| line.starts_with("Fen: ")).count();
                assert_eq!(shown, self.shows, "{}", told());
                // In a dialect squares are spelled by the size of the board at that time.
                let ours = best.iter().filter(|_| self.translator.is_none());
                for token in ours.flat_map(|line| line.split(" ponder ")) {
                    assert!(token == "(none)" || parse_token(token).is_ok(), "{token}\n{}", told());
                }
                for line in lines {
                    let ours = ["info ", "bestmove ", "option ", "id "].iter().any(|it| line.starts_with(it));
                    let good =
                        uci::Reply::parse(line).is_ok_and(|it| it.is_none_or(|it| it.skipped.is_empty()));
                    assert!(!ours || good, "{line}\n{}", told());
                }
            }
            Protocol::Xboard => {
                for line in lines {
                    assert!(xboard::Reply::parse(line).is_ok(), "{line}\n{}", told());
                }
            }
            Protocol::Unknown | Protocol::Over => assert!(lines.is_empty(), "{}", told()),
        }
    }

    /// The whole conversation, for the message.
    fn told(&self, lines: &[String]) -> String {
        let mut text = String::new();
        for step in &self.steps {
            text += &match step {
                Step::Say(line) => format!("> {}", String::from_utf8_lossy(line)),
                Step::Hear(word, count) => format!("(until `{word}` {count} times)\n"),
            };
        }
        lines.iter().for_each(|line| text += &format!("< {line}\n"));
        text
    }
}

/// The first word of a line that is a command of UCI's, as the protocol says commands are found.
fn first_command(line: &str) -> Option<&str> {
    let commands = [
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
    ];
    let dialect = ["d", "eval", "bench", "flip", "help", "ugi", "uginewgame", "query"];
    let mut words = line.split_ascii_whitespace();
    let first = words.clone().next()?;
    if dialect.contains(&first) { Some(first) } else { words.find(|word| commands.contains(word)) }
}

/// The line with less memory, fewer threads and fewer positions in it: what is legal and more than nine keeps
/// its first digit.
pub fn tamed(line: &[u8]) -> Vec<u8> {
    let lower = line.to_ascii_lowercase();
    let has = |word: &[u8]| lower.windows(word.len()).any(|part| part == word);
    if ![&b"hash"[..], b"threads", b"memory", b"cores", b"nodes"].into_iter().any(has) {
        return line.to_vec();
    }
    let mut tame = Vec::new();
    for run in line.chunk_by(|one, next| one.is_ascii_digit() == next.is_ascii_digit()) {
        match std::str::from_utf8(run).unwrap_or_default().parse::<u64>() {
            Ok(10..) => tame.extend(run.iter().find(|digit| **digit != b'0')),
            _ => tame.extend_from_slice(run),
        }
    }
    tame
}

/// What the program has said so far.
#[derive(Default)]
struct Heard {
    said: Mutex<(String, bool)>,
    news: Condvar,
}

impl Heard {
    fn close(&self) {
        self.said.lock().unwrap().1 = true;
        self.news.notify_all();
    }

    fn lines(&self) -> Vec<String> {
        self.said.lock().unwrap().0.lines().map(str::to_owned).collect()
    }

    /// Waits until so many lines begin with `word`, or the conversation is over. UCCI says `nobestmove`.
    fn wait(&self, word: &str, count: usize) {
        let said = self.said.lock().unwrap();
        let missing = |said: &mut (String, bool)| {
            !said.1
                && said.0.lines().filter(|line| line.trim_start_matches("no").starts_with(word)).count()
                    < count
        };
        let (said, waited) = self.news.wait_timeout_while(said, WATCHDOG, missing).unwrap();
        assert!(!waited.timed_out(), "waited in vain for `{word}` {count} times in\n{}", said.0);
    }
}

struct Input {
    steps: VecDeque<Step>,
    heard: Arc<Heard>,
    /// Dropped with this.
    _reading: Sender<()>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            match self.steps.pop_front() {
                None => return Ok(0),
                Some(Step::Hear(word, count)) => self.heard.wait(&word, count),
                Some(Step::Say(line)) => {
                    let taken = line.len().min(buffer.len());
                    buffer[..taken].copy_from_slice(&line[..taken]);
                    if taken < line.len() {
                        self.steps.push_front(Step::Say(line[taken..].to_vec()));
                    }
                    return Ok(taken);
                }
            }
        }
    }
}

struct Output(Arc<Heard>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut said = self.0.said.lock().unwrap();
        said.0.push_str(std::str::from_utf8(bytes).unwrap());
        assert!(said.0.len() < MOST_HEARD, "{} bytes said", said.0.len());
        self.0.news.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
