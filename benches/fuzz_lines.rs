//! Counts fuzzed lines: `cargo bench --bench fuzz_lines -- 1000000` sends so many to each protocol, one after the other in
//! conversations of a few hundred, and asks after each whether the program still answers. It fails at a panic, at an
//! answer that takes longer than 100 ms, and when the memory in use grows by more than 64 MB.
//!
//! A slow line may be the machine's fault: the conversation is then held twice more, and the line counts as slow when it
//! is slow every time.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../tests/it/protocols/fuzz/mod.rs"]
mod fuzz;

use fuzz::mutation::{Mutator, corpus};
use fuzz::sessions::tamed;
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// Longer than this is a hang.
const SLOW: Duration = Duration::from_millis(100);
/// More than this is a leak, in bytes.
const GROWTH: usize = 64 << 20;
/// Lines of one conversation at most.
const LINES: usize = 400;

struct Protocol {
    name: &'static str,
    /// The first line.
    begin: &'static str,
    /// Asks the program whether it is there, and the answer; `#` stands for a number where there is one.
    probe: (&'static str, &'static str),
}

const PROTOCOLS: [Protocol; 2] = [
    Protocol { name: "UCI", begin: "uci\nsetoption name Hash value 1\n", probe: ("isready", "readyok") },
    Protocol { name: "XBoard", begin: "xboard\nmemory 1\n", probe: ("ping #", "pong #") },
];

/// What the program reads: what is sent here.
struct Lines(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.1.is_empty() {
            match self.0.recv() {
                Ok(line) => self.1 = line,
                Err(_) => return Ok(0),
            }
        }
        let taken = self.1.len().min(buffer.len());
        buffer[..taken].copy_from_slice(&self.1[..taken]);
        self.1.drain(..taken);
        Ok(taken)
    }
}

/// What the program writes, as it comes.
struct Said(Sender<Vec<u8>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        // Nobody may listen any more.
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Holds a conversation; the time each line took until the program answered again. It ends early when a line is `quit`.
fn hold(protocol: &Protocol, lines: &[Vec<u8>], memory: &mut usize) -> Vec<Duration> {
    let (say, input) = channel();
    let (output, said) = channel();
    let program = std::thread::spawn(move || {
        let choose = |line: &str| carom::uci::begin(line).or_else(|| carom::xboard::begin(line));
        carom::engine::run(Lines(input, Vec::new()), Said(output), choose)
    });
    let _ = say.send(protocol.begin.as_bytes().to_vec());
    let mut times = Vec::new();
    let mut heard = String::new();
    for (number, line) in lines.iter().enumerate() {
        // Numbers that no line is likely to hold.
        let mark = (8_000_000_000_000 + number as u64).to_string();
        let (question, answer) = (protocol.probe.0.replace('#', &mark), protocol.probe.1.replace('#', &mark));
        let (own, foreign) = (usize::from(!answer.contains(&mark)), line);
        // `isready` among the fuzzed words is answered as well.
        let wanted = 1 + own * times_ready(foreign);
        let begun = Instant::now();
        let sent = [line.as_slice(), b"\n", question.as_bytes(), b"\n"].concat();
        if say.send(sent).is_err() {
            break;
        }
        heard.clear();
        let alive = loop {
            if heard.lines().filter(|line| *line == answer).count() >= wanted {
                break true;
            }
            match said.recv_timeout(Duration::from_secs(60)) {
                Ok(bytes) => heard.push_str(&String::from_utf8_lossy(&bytes)),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break false,
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                    let told = lines[..=number].join(&b'\n');
                    panic!("{}: no answer to the last of\n{}", protocol.name, String::from_utf8_lossy(&told));
                }
            }
        };
        times.push(begun.elapsed());
        if number % 50 == 0 {
            *memory = (*memory).max(resident());
        }
        if !alive {
            break;
        }
    }
    drop(say);
    program.join().expect("no panic").expect("output cannot fail");
    times
}

/// 1 when the line itself is answered `readyok`.
fn times_ready(line: &[u8]) -> usize {
    let text = String::from_utf8_lossy(line).into_owned();
    let parsed = carom::protocol::uci::Command::parse(&text);
    usize::from(
        matches!(parsed, Ok(Some(parsed)) if parsed.message == carom::protocol::uci::Command::IsReady),
    )
}

/// Memory in use, in bytes.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    status.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}

fn count(protocol: &Protocol, wanted: usize) -> bool {
    let mut seeds = corpus("sessions");
    // Single lines of both directions, too.
    seeds.extend(corpus("protocols"));
    let mut mutator = Mutator::new(seeds, 1);
    let (mut done, mut slowest, mut slow, mut late) = (0, Duration::ZERO, 0, 0);
    let (begun, mut before, mut memory) = (Instant::now(), 0, 0);
    while done < wanted {
        let mut lines = Vec::new();
        while lines.len() < LINES.min(wanted - done) {
            let input = mutator.input();
            lines.extend(input.split(|&byte| byte == b'\n' || byte == b'\r').map(tamed));
        }
        lines.truncate(LINES.min(wanted - done));
        let times = hold(protocol, &lines, &mut memory);
        done += times.len();
        if before == 0 {
            // All that is made once has been made.
            before = resident();
        }
        for (number, &time) in times.iter().enumerate().filter(|(_, time)| **time > SLOW) {
            late += 1;
            let again =
                (0..2).map(|_| hold(protocol, &lines, &mut memory).get(number).copied().unwrap_or_default());
            let best = again.fold(time, Duration::min);
            if best > SLOW {
                slow += 1;
                println!("{best:?} for the last of these lines:");
                for line in &lines[number.saturating_sub(20)..=number] {
                    println!("    {}", String::from_utf8_lossy(line).escape_debug());
                }
            }
        }
        slowest = times.iter().copied().filter(|time| *time <= SLOW).fold(slowest, Duration::max);
    }
    let growth = memory.saturating_sub(before);
    println!(
        "{}: {done} lines in {:.0} s; slowest {slowest:?}; {late} beyond {SLOW:?}, {slow} of them every time; memory grew by {:.1} MB",
        protocol.name,
        begun.elapsed().as_secs_f64(),
        growth as f64 / f64::from(1 << 20),
    );
    slow == 0 && growth <= GROWTH
}

fn main() {
    let lines = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(20_000);
    // A panic in any thread is one.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        usual(panic);
        std::process::exit(101);
    }));
    let verdicts = PROTOCOLS.map(|protocol| count(&protocol, lines));
    std::process::exit(i32::from(verdicts.contains(&false)));
}
