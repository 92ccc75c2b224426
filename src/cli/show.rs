//! The command `carom show`.

use super::bad_input;
use super::position::{Begun, Start};
use crate::base::files::write_whole;
use crate::draw::{Picture, Style, board_svg, board_text, deeds_of_last_turn, legend_svg, text_of_last_turn};
use crate::game::gui::all_decisions;
use crate::game::{Actor, Facts, Outcome, Playable, Record, Rules};
use crate::notation::{Cell, Coordinate, Leg, Position};
use crate::session::{MOST_TOKENS, continuations, tokens};
use crate::variants::{self, Visitor};
use anyhow::Context;
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub struct Show {
    #[command(flatten)]
    start: Start,
    /// One JSON object (see `carom docs notation`): game, position, actor, outcome, `legal` (all whole
    /// turns), and `continuations` (what may be said next)
    #[arg(long, conflicts_with_all = ["turns", "next", "svg", "png", "pieces"])]
    json: bool,
    /// List all whole turns as well
    #[arg(long)]
    turns: bool,
    /// List what may be said next as well: where turns have several steps, the next ones (`.` stands for
    /// stopping)
    #[arg(long)]
    next: bool,
    /// Draw the board into this SVG file instead (`-` for standard output), with the last turn of --moves on
    /// it
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The same as a PNG file (in builds with `--features png`)
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// In the picture, mark the pieces that could be taken if the other side were to move
    #[arg(long)]
    threats: bool,
    /// Instead of a board, all pieces of all games with their names
    #[arg(long, conflicts_with_all = ["position", "moves", "pgn", "turns", "next", "threats"])]
    pieces: bool,
}

impl Show {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if self.pieces {
            return self.legend(out);
        }
        let begun = self.start.begun()?;
        let facts = begun.facts;
        match variants::visit(facts.name, Look { show: self, begun })?? {
            Found::Picture(svg) => self.draw(&svg, out),
            Found::Text(text) => self.print(facts, &text, out),
        }
    }

    fn legend(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let games = variants::all();
        if self.svg.is_some() || self.png.is_some() {
            return self.draw(&legend_svg(&games), out);
        }
        for facts in games {
            writeln!(out, "{}", facts.name)?;
            for piece in facts.pieces {
                writeln!(out, "  {} {}", char::from(piece.letter), piece.title())?;
            }
        }
        Ok(())
    }

    fn print(&self, facts: &Facts, text: &Text, out: &mut impl Write) -> anyhow::Result<()> {
        let Text { position, actor, outcome, next, turns } = text;
        if self.json {
            let outcome = outcome.as_ref().map(|outcome| {
                json!({ "result": outcome.result(), "reason": outcome.reason, "rule": outcome.rule })
            });
            let object = json!({
                "game": facts.name,
                "position": position.to_string(),
                "actor": actor.to_string(),
                "outcome": outcome,
                "legal": turns,
                "continuations": next,
            });
            return Ok(writeln!(out, "{object}")?);
        }
        write!(out, "{}", board_text(facts, position, Style::Plain))?;
        writeln!(out, "{position}")?;
        match outcome {
            Some(outcome) => writeln!(out, "{outcome}")?,
            None => writeln!(out, "{actor} to decide, {} ways", next.len())?,
        }
        if self.next {
            list(next, out)?;
        }
        if self.turns {
            let many = || bad_input(format!("there are more than {MOST_TOKENS} turns: --next lists steps"));
            list(turns.as_ref().ok_or_else(many)?, out)?;
        }
        Ok(())
    }

    /// Writes the files that were asked for.
    fn draw(&self, svg: &str, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(file) = &self.svg {
            write_file(file, svg.as_bytes(), out)?;
        }
        if let Some(file) = &self.png {
            write_file(file, &in_pixels(svg)?, out)?;
        }
        Ok(())
    }
}

fn write_file(file: &Path, bytes: &[u8], out: &mut impl Write) -> anyhow::Result<()> {
    if file == Path::new("-") {
        return Ok(out.write_all(bytes)?);
    }
    write_whole(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}

#[cfg(feature = "png")]
fn in_pixels(svg: &str) -> anyhow::Result<Vec<u8>> {
    Ok(crate::draw::png(svg, 2.0)?)
}

#[cfg(not(feature = "png"))]
fn in_pixels(_svg: &str) -> anyhow::Result<Vec<u8>> {
    Err(bad_input("this build draws no PNG files: `cargo build --release --features png`, or take --svg"))
}

/// Reads what is to be shown. Only this is compiled for every game; printing is not.
struct Look<'a> {
    show: &'a Show,
    begun: Begun,
}

/// What is shown of a position.
enum Found {
    Picture(String),
    Text(Text),
}

struct Text {
    position: Position,
    actor: Actor,
    outcome: Option<Outcome>,
    /// How a turn may go on.
    next: Vec<String>,
    /// Whole turns, where they are wanted and are not too many.
    turns: Option<Vec<String>>,
}

impl Visitor for Look<'_> {
    type Output = anyhow::Result<Found>;

    fn visit<G: Playable>(self, facts: &'static Facts) -> Self::Output {
        let show = self.show;
        let session = self.begun.open::<G>()?;
        let record = session.history().record();
        if show.svg.is_some() || show.png.is_some() {
            return Ok(Found::Picture(picture(facts, record, &self.begun.rules, show.threats)));
        }
        let (state, outcome) = (record.now(), record.outcome());
        let over = outcome.is_some();
        let wanted = show.json || show.turns;
        Ok(Found::Text(Text {
            position: state.write(),
            actor: state.actor(),
            outcome,
            next: if over { Vec::new() } else { continuations(state) },
            turns: if wanted && !over { tokens(state, MOST_TOKENS) } else { Some(Vec::new()) },
        }))
    }
}

/// Prints the texts in columns, as many on a line as fit into 80 columns.
fn list(words: &[String], out: &mut impl Write) -> anyhow::Result<()> {
    let width = words.iter().map(String::len).max().unwrap_or(0) + 1;
    for line in words.chunks((80 / width).max(1)) {
        let line: String = line.iter().map(|word| format!("{word:<width$}")).collect();
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn picture<G: Playable>(facts: &Facts, record: &Record<G>, rules: &Rules, threats: bool) -> String {
    let state = record.now();
    let last = text_of_last_turn(record);
    let mut captions = Vec::new();
    if !last.is_empty() {
        captions.push(format!("Played: {last}"));
    }
    captions.push(match record.outcome() {
        Some(outcome) => outcome.to_string(),
        None => format!("{} to decide", state.actor()),
    });
    captions.extend(state.deal().map(|deal| deal.to_string()));
    let over = record.outcome().is_some();
    let threatened = if threats { threatened(state, rules) } else { Vec::new() };
    board_svg(&Picture {
        facts,
        shown: &state.shown(),
        deeds: &deeds_of_last_turn(record),
        threatened: &threatened,
        steps: state.steps().filter(|_| !over),
        captions: &captions,
    })
}

/// The squares of the pieces that the other side could capture if it were to move now. None where the rules
/// do not allow such a position (a king in check).
fn threatened<G: Playable>(state: &G, rules: &Rules) -> Vec<Coordinate> {
    let Actor::Player(side) = state.actor() else { return Vec::new() };
    let other = state.write().with_turn(!side);
    let Ok(state) = G::read(&other, rules) else { return Vec::new() };
    let own = |at: &Coordinate| {
        let row = at.rank.saturating_sub(state.facts().first_rank);
        matches!(other.placement.at(at.file, row), Cell::Piece { letter, .. } if side.cased(letter.to_ascii_uppercase()) == letter)
    };
    let legs = all_decisions(&state).into_iter().filter_map(|decision| state.legs(decision).first().copied());
    // The first leg of a Deer's capture ends on the captured piece.
    let targets = legs.filter_map(|leg| if let Leg::Move { to, .. } = leg { Some(to) } else { None });
    targets.filter(own).collect()
}
