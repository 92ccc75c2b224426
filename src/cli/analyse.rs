//! The command `carom analyse`.

use super::bad_input;
use super::position;
use super::terminal::{self, Canvas, Interrupts, ScreenOptions, View, line_text, speed, squares_of, think};
use crate::base::Color;
use crate::engine::options::Settings;
use crate::engine::{Engine, PvLine};
use crate::live_game::{Played, Viewer, opinion};
use crate::search::{Budget, Limits};
use crate::session::chance::{Chance, fresh_seed};
use crate::session::open;
use clap::Args;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
pub struct Analyse {
    #[command(flatten)]
    start: position::Start,
    /// How many best lines to show
    #[arg(long, short = 'l', visible_alias = "multipv", value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=256))]
    lines: u16,
    /// Look so many decisions ahead, and end
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,
    /// Look at so many positions, and end
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Think so many seconds, and end [default without another limit: until Enter or Ctrl-C]
    #[arg(long, visible_alias = "time", value_name = "SECONDS", value_parser = crate::session::parse_seconds)]
    movetime: Option<Duration>,
    /// Set an option of the engine (see `carom docs options`): Threads=4
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    #[command(flatten)]
    screen: ScreenOptions,
}

/// The least time between two frames.
const FRAME: Duration = Duration::from_millis(100);

impl Analyse {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut engine = Engine::new();
        let played = self.played(&mut engine.settings)?;
        engine.settings.analysing = true;
        position::set_options(&mut engine, &self.options)?;
        let session = played.session();
        if let Some(outcome) = session.outcome() {
            return Ok(writeln!(out, "The game is over: {outcome}")?);
        }
        let Some(color) = session.actor().player() else {
            return Ok(writeln!(out, "Chance decides here: there is nothing to think about.")?);
        };
        let endless = self.depth.is_none() && self.nodes.is_none() && self.movetime.is_none();
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            budget: self.movetime.map_or(Budget::Unlimited, Budget::Fixed),
            lines: usize::from(self.lines),
            infinite: endless,
            ..Limits::default()
        };
        let mut canvas = Canvas::new(out, io::stdout().is_terminal());
        // Enter ends the search. With limits, the end of a script's input must not end it.
        let enough =
            (endless || io::stdin().is_terminal()).then(|| terminal::lines(io::stdin())).transpose()?;
        let mut view = self.view(&played, color);
        let mut lines: Vec<String> = Vec::new();
        let mut drawn: Option<Instant> = None;
        let interrupts = Interrupts::listen()?;
        let mut on_line = |line: &PvLine| -> anyhow::Result<()> {
            let rank = line.report.rank.max(1);
            lines.resize(lines.len().max(rank), String::new());
            lines[rank - 1] = line_text(line, color);
            if !canvas.is_terminal() {
                return Ok(canvas.line(&lines[rank - 1])?);
            }
            if drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME) {
                view.status = vec![thinking(line)];
                view.message.clone_from(&lines);
                view.message.truncate(5);
                canvas.show(&view)?;
                drawn = Some(Instant::now());
            }
            Ok(())
        };
        let (best, _) = think(&mut engine, session, limits, &interrupts, enough.as_ref(), &mut on_line)?;
        let token = best.token.unwrap_or_else(|| "nothing".to_owned());
        let per_second = speed(best.nodes, best.elapsed);
        let end = format!(
            "Best: {token} ({}; {} positions, {per_second} a second)",
            opinion(best.score, color),
            best.nodes
        );
        if canvas.is_terminal() {
            view.status = vec![end];
            lines.truncate(5);
            view.message = lines;
            canvas.show(&view)?;
        } else {
            canvas.line(&end)?;
        }
        Ok(())
    }

    /// The game up to the position to analyse.
    fn played(&self, settings: &mut Settings) -> anyhow::Result<Played> {
        if let Some(played) = self.start.replayed()? {
            return Ok(played);
        }
        self.start.choose(settings)?;
        let mut session = open(settings.game, settings.rules(), Chance::Own { seed: fresh_seed() });
        session.set_up(self.start.position(), &mut std::iter::empty()).map_err(bad_input)?;
        let mut played = Played::new(session);
        self.start.play(|turn| played.play(turn))?;
        Ok(played)
    }

    fn view(&self, played: &Played, color: Color) -> View {
        let session = played.session();
        View {
            facts: session.facts(),
            position: session.position(),
            deal: session.deal(),
            look: self.screen.look(),
            marked: played.last(Viewer::All).map(|(_, token)| squares_of(&token)).unwrap_or_default(),
            players: Default::default(),
            actor: Some(color),
            turns: played.tokens().map(|(owner, token)| (owner, token.to_owned())).collect(),
            at: None,
            status: Vec::new(),
            message: Vec::new(),
        }
    }
}

fn thinking(line: &PvLine) -> String {
    let report = &line.report;
    let per_second = speed(report.nodes, report.elapsed);
    let seconds = report.elapsed.as_secs_f64();
    format!("{} positions in {seconds:.1} s, {per_second} a second (Enter or Ctrl-C ends it)", report.nodes)
}
