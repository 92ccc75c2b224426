//! The command `carom replay`.

use super::bad_input;
use super::terminal::{
    Canvas, Input, Interrupts, ScreenOptions, Typed, View, line_text, read_text, squares_of, think, wrapped,
};
use crate::base::without_controls;
use crate::draw::Look;
use crate::engine::{Engine, PvLine};
use crate::live_game::{Level, LoadedGame, Played, load_game, opinion};
use clap::Args;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Replay {
    /// A PGN file of any game
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which game of the file to begin with
    #[arg(long, value_name = "N", default_value_t = 1)]
    number: usize,
    /// How long the engine thinks when it is asked: depth=N, nodes=N, time=SECONDS [default: time=1]
    #[arg(long, value_name = "WORDS")]
    level: Option<Level>,
    #[command(flatten)]
    screen: ScreenOptions,
}

const WORDS: [&str; 10] = ["next", "back", "start", "end", "game", "think", "fen", "flip", "help", "quit"];

const HELP: &[&str] = &[
    "  Enter, next    the next turn; back the one before",
    "  N              the position after turn N; start, end",
    "  game N         another game of the file",
    "  think          what the engine makes of the position",
    "  fen            the position as text",
    "  flip           turns the board round",
    "  quit           ends (as Ctrl-C and the end of input do)",
];

impl Replay {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let text = read_text(&self.file)?;
        let fault = |fault: String| bad_input(format!("{}: {fault}", self.file.display()));
        let shown = Shown::open(&text, self.number).map_err(fault)?;
        let input = Input::standard()?;
        let canvas = Canvas::new(out, input.is_terminal());
        let mut reader = Reader {
            text: &text,
            shown,
            look: self.screen.look(),
            level: self.level.unwrap_or_default(),
            engine: Engine::new(),
            message: Vec::new(),
            input,
            interrupts: Interrupts::listen()?,
            canvas,
        };
        reader.warn();
        reader.run()
    }
}

/// The game that is shown.
struct Shown {
    number: usize,
    count: usize,
    game: LoadedGame,
    played: Played,
    /// What is wrong with the turn after the last one that can be shown.
    wrong: Option<String>,
    /// The number of turns shown.
    at: usize,
}

impl Shown {
    fn open(text: &str, number: usize) -> Result<Self, String> {
        let (game, count) = load_game(text, number)?;
        let (played, wrong) = game.play().map_err(|error| format!("game {number}: {error}"))?;
        Ok(Self { number, count, game, played, wrong, at: 0 })
    }
}

struct Reader<'a> {
    text: &'a str,
    shown: Shown,
    look: Look,
    level: Level,
    engine: Engine,
    message: Vec<String>,
    input: Input,
    interrupts: Interrupts,
    canvas: Canvas<'a>,
}

impl Reader<'_> {
    fn run(&mut self) -> anyhow::Result<()> {
        let mut stale = true;
        loop {
            self.canvas.answer(&self.view(), stale)?;
            self.message.clear();
            let complete = |line: &str| {
                let words = WORDS.iter().filter(|word| !line.is_empty() && word.starts_with(line));
                (0, words.map(|&word| word.to_owned()).collect())
            };
            let line = match self.input.ask("> ", &self.interrupts, &complete)? {
                Typed::Line(line) => line,
                Typed::Interrupt | Typed::End => return Ok(()),
            };
            self.canvas.line(format!("> {line}").trim_end())?;
            let before = (self.shown.number, self.shown.at, self.look);
            if self.handle(&line)?.is_break() {
                return Ok(());
            }
            stale = before != (self.shown.number, self.shown.at, self.look);
        }
    }

    fn handle(&mut self, line: &str) -> anyhow::Result<ControlFlow<()>> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let last = self.shown.played.tokens().len();
        match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("" | "n" | "next", "") if self.shown.at < last => self.shown.at += 1,
            ("" | "n" | "next", "") => self.message = vec!["This is the end of the game.".to_owned()],
            ("b" | "back", "") if self.shown.at > 0 => self.shown.at -= 1,
            ("b" | "back", "") => self.message = vec!["This is the beginning of the game.".to_owned()],
            ("start", "") => self.shown.at = 0,
            ("end", "") => self.shown.at = last,
            ("game", number) => {
                let expected = |_| format!("game: expected a number from 1 to {}", self.shown.count);
                let number = number.parse::<usize>().map_err(expected);
                match number.and_then(|number| Shown::open(self.text, number)) {
                    Ok(shown) => {
                        self.shown = shown;
                        self.engine.forget();
                        self.warn();
                    }
                    Err(fault) => self.message = wrapped(&fault, 79, ""),
                }
            }
            ("think", "") => self.think()?,
            ("fen", "") => self.message = vec![self.position().to_string()],
            ("flip", "") => self.look.turned = !self.look.turned,
            ("help" | "?", "") => self.message = HELP.iter().map(|&line| line.to_owned()).collect(),
            ("quit" | "q" | "exit", "") => return Ok(ControlFlow::Break(())),
            (number, "") if number.parse::<usize>().is_ok_and(|number| number <= last) => {
                self.shown.at = number.parse().unwrap_or(last);
            }
            _ => {
                let fault =
                    format!("`{line}`: expected Enter, a turn from 0 to {last}, or {}", WORDS.join(", "));
                self.message = wrapped(&fault, 79, "  ");
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn warn(&mut self) {
        if let Some(wrong) = &self.shown.wrong {
            self.message = wrapped(&format!("{wrong}; the game is shown up to there"), 79, "");
        }
    }

    fn position(&self) -> crate::notation::Position {
        let session = self.shown.played.session();
        session.position_after(self.shown.at).unwrap_or_else(|| session.position())
    }

    /// Searches the position that is shown.
    fn think(&mut self) -> anyhow::Result<()> {
        let Shown { played, at, .. } = &self.shown;
        let tokens = &played.line().tokens[..*at];
        let then = played.replay(tokens).map_err(anyhow::Error::msg)?;
        let session = then.session();
        let found = match (session.outcome(), session.actor().player()) {
            (Some(outcome), _) => vec![format!("The game is over: {outcome}")],
            (None, None) => vec!["Chance decides here: there is nothing to think about.".to_owned()],
            (None, Some(color)) => {
                let mut last = None;
                self.canvas.line("Thinking…")?;
                self.interrupts.clear();
                let mut keep = |line: &PvLine| {
                    last = Some(line_text(line, color)).filter(|_| line.report.rank == 1).or(last.take());
                    Ok(())
                };
                let (best, _) =
                    think(&mut self.engine, session, self.level.limits(), &self.interrupts, None, &mut keep)?;
                let token = best.token.unwrap_or_else(|| "nothing".to_owned());
                let mut found = vec![format!("Best: {token} ({})", opinion(best.score, color))];
                found.extend(last);
                found
            }
        };
        self.message = found;
        Ok(())
    }

    fn view(&self) -> View {
        let Shown { number, count, game, played, at, .. } = &self.shown;
        let session = played.session();
        let turns: Vec<_> = played.tokens().map(|(owner, token)| (owner, token.to_owned())).collect();
        let last = at.checked_sub(1).map(|last| &turns[last]);
        let mut status = vec![format!("Game {number} of {count}, turn {at} of {}", turns.len())];
        if let Some((color, token)) = last {
            status[0].push_str(&format!(": {color} played {token}"));
        }
        if *at == turns.len() {
            let reason =
                session.outcome().map_or_else(String::new, |outcome| format!(" {{{}}}", outcome.reason));
            status.push(format!("The end: {}{reason}", without_controls(&game.result)));
        }
        status.push("Enter: the next turn; back, a number, end, game N, think, help, quit.".to_owned());
        View {
            facts: session.facts(),
            position: self.position(),
            deal: session.deal_after(*at),
            look: self.look,
            marked: last.map(|(_, token)| squares_of(token)).unwrap_or_default(),
            players: game.names.clone(),
            actor: None,
            turns,
            at: Some(*at),
            status,
            message: self.message.clone(),
        }
    }
}
