//! `carom show`

use super::position::{self, Game};
use crate::game::{Facts, Playable, Record, Rules};
use crate::render::{Style, board_text};
use crate::session::{MOST_TOKENS, continuations, tokens};
use crate::variants::{self, Visitor};
use clap::Args;
use serde_json::json;
use std::io::Write;

#[derive(Args, Debug)]
pub struct Show {
    #[command(flatten)]
    game: Game,
    /// Position to show, as text [default: the start]
    #[arg(long, short, value_name = "TEXT")]
    position: Option<String>,
    /// Turns to play first, separated by blanks
    #[arg(long, short, value_name = "TURNS", num_args = 1.., default_value = "")]
    moves: Vec<String>,
    /// One JSON object (see `carom docs notation`): game, position, actor, outcome, `legal` (all whole turns), and
    /// `continuations` (what may be said next)
    #[arg(long)]
    json: bool,
}

impl Show {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let rules = self.game.rules()?;
        variants::visit(self.game.facts()?.name, Draw { show: self, rules, out })?
    }
}

struct Draw<'a, W> {
    show: &'a Show,
    rules: Rules,
    out: &'a mut W,
}

impl<W: Write> Visitor for Draw<'_, W> {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, facts: &'static Facts) -> Self::Output {
        let state: G = position::read(self.show.position.as_deref(), &self.rules)?;
        let mut record = Record::new(state);
        position::play(&mut record, &self.show.moves.join(" "))?;
        let state = record.now();
        let (position, outcome) = (state.write(), record.outcome());
        let next = if outcome.is_some() { Vec::new() } else { continuations(state) };
        if self.show.json {
            let legal = if outcome.is_some() { Some(Vec::new()) } else { tokens(state, MOST_TOKENS) };
            let outcome = outcome.map(|outcome| {
                json!({ "result": outcome.result(), "reason": outcome.reason, "rule": outcome.rule })
            });
            let object = json!({
                "game": facts.name,
                "position": position.to_string(),
                "actor": state.actor().to_string(),
                "outcome": outcome,
                "legal": legal,
                "continuations": next,
            });
            writeln!(self.out, "{object}")?;
            return Ok(());
        }
        write!(self.out, "{}", board_text(facts, &position, Style::Plain))?;
        writeln!(self.out, "{position}")?;
        match outcome {
            Some(outcome) => writeln!(self.out, "{outcome}")?,
            None => writeln!(self.out, "{} to decide, {} ways", state.actor(), next.len())?,
        }
        Ok(())
    }
}
