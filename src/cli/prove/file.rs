//! The file of a proof: lines of words with tabs between them, added one after the other, so that what has
//! been proved stays when the program is ended at any moment.
//!
//! ```text
//! Carom's proof 1   GAME   COLOUR   POSITION    what is to be proved
//! choice   TURN   POSITION                      the decision of the winner there, as the search found it
//! step   DISTANCE   TURN   POSITION             a position of a proof: the game is won within so many decisions
//! won   POSITION                                the end of the proof of this position
//! not-won   POSITION                            the other side can avoid it for ever
//! tried   NODES   POSITION                      so many positions were not enough
//! ```
//! Steps count when the `won` behind them is there. `choice`, `won`, `not-won` and `tried` only help to go on:
//! that a position is won can be seen from steps alone.

use crate::base::Color;
use crate::base::files::open_regular;
use crate::cli::{bad_input, unreadable};
use crate::game::winning::Step;
use crate::game::{Facts, Playable, Rules, read_token, write_token};
use crate::notation::{parse_position, parse_token};
use crate::search::proof::ProvedStep;
use crate::variants;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// How the first line begins.
const MAGIC: &str = "Carom's proof 1";

/// What a file is about.
#[derive(Clone, Debug)]
pub struct Header {
    pub facts: &'static Facts,
    pub rules: Rules,
    pub winner: Color,
    pub position: String,
}

/// What a line says, or the lines of a whole proof.
#[derive(Debug)]
pub enum Entry<G: Playable> {
    Choice(G, G::Decision),
    Won(G, Vec<ProvedStep<G>>),
    NotWon(G),
    Tried(G, u64),
}

impl Header {
    /// The first line, without its end.
    pub fn line(&self) -> String {
        let game = self.game();
        format!("{MAGIC}\t{game}\t{}\t{}", self.winner, self.position)
    }

    /// The game and its rule switches.
    fn game(&self) -> String {
        let name = self.facts.name.to_owned();
        self.rules.iter().fold(name, |name, (switch, value)| format!("{name} {switch}={value}"))
    }

    fn parse(line: &str) -> Result<Self, String> {
        let wrong = || "it is no proof of this program".to_owned();
        let fields: Vec<&str> = line.split('\t').collect();
        let [MAGIC, game, winner, position] = fields[..] else { return Err(wrong()) };
        let mut words = game.split(' ');
        let facts = variants::find(words.next().unwrap_or_default()).map_err(|error| error.to_string())?;
        let mut rules = Rules::of(facts);
        for word in words {
            let (name, value) = word.split_once('=').ok_or_else(wrong)?;
            rules.set(facts, name, value).map_err(|error| error.to_string())?;
        }
        let winner = Color::ALL.into_iter().find(|color| color.to_string() == winner).ok_or_else(wrong)?;
        Ok(Self { facts, rules, winner, position: position.to_owned() })
    }

    /// Reads a position.
    pub fn state<G: Playable>(&self, text: &str) -> Result<G, String> {
        let position = parse_position(text).map_err(|error| error.to_string())?;
        G::read(&position, &self.rules).map_err(|error| error.to_string())
    }
}

/// The decision that a turn in `state` is.
fn decision<G: Playable>(state: &G, turn: &str) -> Result<G::Decision, String> {
    let token = parse_token(turn).map_err(|error| error.to_string())?;
    let reading = read_token(state, &token).map_err(|error| format!("{turn}: {error}"))?;
    match reading.decisions[..] {
        [decision] => Ok(decision),
        _ => Err(format!("{turn}: one decision is needed")),
    }
}

impl<G: Playable> Entry<G> {
    /// The lines of the entry.
    pub fn lines(&self) -> String {
        let turn = |state: &G, decision| write_token(state, &[decision]);
        match self {
            Self::Choice(state, decision) => {
                format!("choice\t{}\t{}\n", turn(state, *decision), state.write())
            }
            Self::Won(state, steps) => {
                let mut lines = String::new();
                for ProvedStep { state, step: Step { decision, distance } } in steps {
                    let turn = turn(state, *decision);
                    lines.push_str(&format!("step\t{distance}\t{turn}\t{}\n", state.write()));
                }
                lines.push_str(&format!("won\t{}\n", state.write()));
                lines
            }
            Self::NotWon(state) => format!("not-won\t{}\n", state.write()),
            Self::Tried(state, nodes) => format!("tried\t{nodes}\t{}\n", state.write()),
        }
    }
}

/// The last of the lines of an entry, which says what it is.
pub fn last_line(lines: &str) -> &str {
    lines.lines().next_back().unwrap_or_default()
}

/// A file that is read entry by entry.
pub struct Reader<'a> {
    path: &'a Path,
    file: BufReader<std::fs::File>,
    pub header: Header,
    line: u64,
    /// How many bytes hold whole entries.
    pub whole: u64,
}

impl<'a> Reader<'a> {
    /// Opens a file and reads its first line.
    pub fn open(path: &'a Path) -> anyhow::Result<Self> {
        let mut file = BufReader::new(open_regular(path).map_err(|error| unreadable(path, &error))?);
        let mut first = Vec::new();
        let whole = file.read_until(b'\n', &mut first).map_err(|error| unreadable(path, &error))? as u64;
        let bad = |fault: String| bad_input(format!("{}: {fault}", path.display()));
        let first = String::from_utf8(first).map_err(|error| bad(error.to_string()))?;
        let header = Header::parse(first.trim_end_matches('\n')).map_err(bad)?;
        Ok(Self { path, file, header, line: 1, whole })
    }

    /// The lines of the next entry; `None` at the end. What was cut off at the end is left out.
    pub fn lines(&mut self) -> anyhow::Result<Option<String>> {
        let mut lines = String::new();
        loop {
            let begin = lines.len();
            self.file.read_line(&mut lines).map_err(|error| unreadable(self.path, &error))?;
            if !lines[begin..].ends_with('\n') {
                return Ok(None);
            }
            if !lines[begin..].starts_with("step\t") {
                self.whole += lines.len() as u64;
                return Ok(Some(lines));
            }
        }
    }

    /// The next entry; `None` at the end.
    pub fn next<G: Playable>(&mut self) -> anyhow::Result<Option<Entry<G>>> {
        let Some(lines) = self.lines()? else { return Ok(None) };
        let mut steps = Vec::new();
        for line in lines.lines() {
            self.line += 1;
            let entry = self.entry(line, &mut steps).map_err(|fault| self.fault(&fault))?;
            if entry.is_some() {
                return Ok(entry);
            }
        }
        Ok(None)
    }

    /// Says what is wrong with the line that was read last.
    fn fault(&self, fault: &str) -> anyhow::Error {
        bad_input(format!("{}: line {}: {fault}", self.path.display(), self.line))
    }

    /// What a line says; nothing yet if it is a step, which is added to `steps`.
    fn entry<G: Playable>(
        &self,
        line: &str,
        steps: &mut Vec<ProvedStep<G>>,
    ) -> Result<Option<Entry<G>>, String> {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is no number"));
        let state = |text: &str| self.header.state::<G>(text);
        let entry = match fields[..] {
            ["step", distance, turn, position] => {
                let state = state(position)?;
                let distance = distance.parse().map_err(|_| format!("`{distance}` is no number"))?;
                let step = Step { decision: decision(&state, turn)?, distance };
                steps.push(ProvedStep { state, step });
                return Ok(None);
            }
            ["won", position] => Entry::Won(state(position)?, std::mem::take(steps)),
            ["choice", turn, position] => {
                let state = state(position)?;
                let decision = decision(&state, turn)?;
                Entry::Choice(state, decision)
            }
            ["not-won", position] => Entry::NotWon(state(position)?),
            ["tried", nodes, position] => Entry::Tried(state(position)?, number(nodes)?),
            _ => return Err("it is no line of a proof".to_owned()),
        };
        if steps.is_empty() { Ok(Some(entry)) } else { Err("a proof ends with `won`".to_owned()) }
    }
}
