//! `carom match`

use super::BadInput;
use super::position::Game;
use crate::arena::{
    EngineCommand, Fault, Limits, Moment, Opening, Player, TimeControl, UciPlayer, XboardPlayer, pgn, play,
};
use crate::base::Color;
use crate::engine::chance::{Chance, fresh_seed};
use crate::engine::{Session, open};
use crate::game::{Facts, Playable, Rules};
use crate::notation::{Leg, parse_token};
use crate::render::{Style, highlighted_board_text};
use crate::variants::{self, Visitor};
use anyhow::{Context, bail};
use clap::Args;
use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

#[derive(Args, Debug)]
pub struct Match {
    #[command(flatten)]
    game: Game,
    /// Games to play; colours change after each
    #[arg(long, short = 'n', value_name = "N", default_value_t = 2)]
    games: usize,
    /// Time control: [TURNS/]SECONDS or MINUTES:SECONDS, then +INCREMENT
    #[arg(long, value_name = "TC", default_value = "10+0.1")]
    tc: TimeControl,
    /// Search no deeper than this
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=120))]
    depth: Option<u32>,
    /// Position to begin with, as text [default: the start]
    #[arg(long, short, value_name = "TEXT")]
    position: Option<String>,
    /// Call a game a draw after so many turns of both players together
    #[arg(long, value_name = "N", default_value_t = 1000)]
    most_turns: usize,
    /// Seed of the referee's dice and cards; 0: a new one
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Append the games to this file instead of printing them
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Do not draw the board, only tell results
    #[arg(long, short)]
    quiet: bool,
}

/// A flag may have fallen this long before it counts: what a busy machine may need to pass a line on.
const MARGIN: Duration = Duration::from_millis(50);

impl Match {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (facts, rules) = (self.game.facts()?, self.game.rules()?);
        let (sender, _events) = crossbeam_channel::unbounded();
        let mut session = variants::visit(facts.name, Referee(rules.clone(), sender))?;
        let first_seed = if self.seed == 0 { fresh_seed() >> 1 } else { self.seed };
        let begin = |session: &mut dyn Session, seed| {
            session.set_chance(Chance::Own { seed });
            session.set_up(self.position.as_deref(), &mut std::iter::empty())
        };
        begin(&mut *session, first_seed).map_err(|error| BadInput(error.to_string()))?;
        let command = EngineCommand {
            program: std::env::current_exe().context("where am I?")?.into(),
            arguments: Vec::new(),
        };
        let unfit = |fault: Fault| anyhow::anyhow!("the engine {fault}");
        let mut uci = UciPlayer::start(&command).map_err(unfit)?;
        let mut xboard = XboardPlayer::start(&command).map_err(unfit)?;
        let opening = Opening { facts, rules: &rules, position: self.position.clone() };
        let limits =
            Limits { control: self.tc, margin: MARGIN, depth: self.depth, most_tokens: self.most_turns };
        // Wins of the UCI side, wins of the XBoard side, draws.
        let mut score = [0, 0, 0];
        let mut faults = 0;
        for number in 1..=self.games {
            // Both games of a pair have the same luck, with colours changed.
            let seed = first_seed.wrapping_add((number as u64 - 1) / 2).max(1);
            begin(&mut *session, seed)?;
            let uci_is_white = number % 2 == 1;
            let players: [&mut dyn Player; 2] =
                if uci_is_white { [&mut uci, &mut xboard] } else { [&mut xboard, &mut uci] };
            let mut screen = Screen { out: &mut *out, facts, draw: !self.quiet, number, failed: None };
            let game = play(&mut *session, &opening, players, &limits, &mut |moment| screen.show(moment));
            if let Some(error) = screen.failed {
                return Err(error.into());
            }
            match game.ending.winner {
                None => score[2] += 1,
                Some(winner) => score[usize::from((winner == Color::White) != uci_is_white)] += 1,
            }
            use crate::arena::Termination::{Adjudication, Normal};
            faults += usize::from(!matches!(game.ending.termination, Normal | Adjudication));
            writeln!(
                out,
                "Finished game {number} ({} vs {}): {} {{{}}}",
                game.names[0],
                game.names[1],
                game.ending.result(),
                game.ending.reason
            )?;
            let text = pgn(&game, facts, &rules, self.tc, seed, number, &today());
            match &self.pgn {
                Some(path) => {
                    let file = OpenOptions::new().create(true).append(true).open(path);
                    let mut file = file.with_context(|| format!("cannot write {}", path.display()))?;
                    file.write_all(text.as_bytes())?;
                }
                None => write!(out, "\n{text}")?,
            }
            out.flush()?;
        }
        writeln!(out, "Score: UCI {} - XBoard {} - draws {}", score[0], score[1], score[2])?;
        if faults > 0 {
            bail!("{faults} of {} games did not end by the rules", self.games);
        }
        Ok(())
    }
}

/// Makes the session that knows the rules.
struct Referee(Rules, crossbeam_channel::Sender<crate::engine::Event>);

impl Visitor for Referee {
    type Output = Box<dyn Session>;
    fn visit<G: Playable>(self) -> Self::Output {
        open::<G>(self.0, Chance::Referee, self.1)
    }
}

/// Draws the running game: over itself on a terminal, a line a turn elsewhere.
struct Screen<'a, W> {
    out: &'a mut W,
    facts: &'static Facts,
    draw: bool,
    number: usize,
    failed: Option<std::io::Error>,
}

impl<W: Write> Screen<'_, W> {
    fn show(&mut self, moment: &Moment<'_>) {
        if self.draw
            && self.failed.is_none()
            && let Err(error) = self.try_show(moment)
        {
            self.failed = Some(error);
        }
    }

    fn try_show(&mut self, moment: &Moment<'_>) -> std::io::Result<()> {
        let turn = moment.session.tokens_played();
        let [white, black] = moment.clocks.map(|time| format!("{:.1}", time.as_secs_f64()));
        let last = moment.last.map_or(String::new(), |answer| format!("{} {}", answer.token, answer.comment));
        if !std::io::stdout().is_terminal() {
            if turn > 0 {
                writeln!(self.out, "{:>3}. {last:<24} White {white} s, Black {black} s", turn)?;
            }
            return Ok(());
        }
        let marked: Vec<_> = moment
            .last
            .and_then(|answer| parse_token(&answer.token).ok())
            .into_iter()
            .flat_map(|token| token.legs)
            .flat_map(|leg| match leg {
                Leg::Move { from, to, .. } => vec![from, to],
                Leg::Put { at, .. } => vec![at],
                _ => Vec::new(),
            })
            .collect();
        let board = highlighted_board_text(
            &moment.session.position(),
            self.facts.first_rank,
            Style::Terminal,
            &marked,
        );
        // From the top left corner, clearing what is below.
        write!(self.out, "\x1b[H\x1b[J{}, game {}\n\n{board}\n", self.facts.title, self.number)?;
        writeln!(self.out, "turn {turn}  {last}\nWhite {white} s   Black {black} s")?;
        self.out.flush()
    }
}

/// The date as PGN has it, in UTC.
fn today() -> String {
    let days = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs() / 86_400);
    // Civil from days (H. Hinnant's algorithm).
    let shifted = days as i64 + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}
