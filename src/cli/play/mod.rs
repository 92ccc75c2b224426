//! The command `carom play`.

mod command;
mod game;
#[cfg(test)]
mod tests;
mod view;

use super::bad_input;
use super::position;
use super::terminal::{Canvas, Input, Interrupts, SavedTo, ScreenOptions, wrapped};
use crate::draw::Look;
use crate::engine::Engine;
use crate::live_game::{Command, Event, Level, Refusal, Seat, Setup, Table};
use crate::session::TimeControl;
use crate::session::chance::fresh_seed;
use clap::{Args, ValueEnum};
use game::Game;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
pub struct Play {
    #[command(flatten)]
    start: position::Start,
    /// What you play: the engine has the rest
    #[arg(long, value_enum, default_value = "white")]
    side: Side,
    /// How strong the engine is: beginner, casual, club, strong, full; or depth=N, nodes=N, time=SECONDS (for
    /// a turn), elo=N (600 to 2600), several with commas between [default: casual]
    #[arg(long, value_name = "WORDS")]
    level: Option<Level>,
    /// Time control for both: 300+2 (seconds + increment), 5:00, 40/60 (turns/seconds), 60hg (hourglass), inf
    #[arg(long, value_name = "TIME", default_value = "inf", hide_default_value = true)]
    tc: TimeControl,
    /// The seed of dice and cards, and of the engine's mistakes below full strength [default: new]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seed: Option<u64>,
    /// Roll dice yourself, and type what they show
    #[arg(long)]
    roll: bool,
    /// Save the game to this PGN file after each turn, behind what stands there
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Set an option of the engine (see `carom docs options`): Hash=64
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    #[command(flatten)]
    screen: ScreenOptions,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    White,
    Black,
    /// Two persons
    Both,
    /// The engine plays itself
    None,
}

impl Side {
    const fn seats(self) -> [Seat; 2] {
        match self {
            Self::White => [Seat::Person, Seat::Engine],
            Self::Black => [Seat::Engine, Seat::Person],
            Self::Both => [Seat::Person; 2],
            Self::None => [Seat::Engine; 2],
        }
    }
}

impl Play {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (table, engine, warning) = self.table()?;
        let greeting = || format!("carom rules {} tells how it is played.", table.session().facts().name);
        let message = wrapped(&warning.unwrap_or_else(greeting), 79, "");
        let input = Input::standard()?;
        let canvas = Canvas::new(out, input.is_terminal());
        let interrupts = Interrupts::listen()?;
        self.game(table, engine, message, input, canvas, interrupts)?.play()
    }

    fn game<'a>(
        &self,
        table: Table,
        engine: Engine,
        message: Vec<String>,
        input: Input,
        canvas: Canvas<'a>,
        interrupts: Interrupts,
    ) -> anyhow::Result<Game<'a>> {
        Ok(Game {
            table,
            engine,
            look: self.look(),
            input,
            interrupts,
            canvas,
            saved: self.save.clone().map(SavedTo::new).transpose()?,
            message,
            stale: true,
            begun: Instant::now(),
            interrupted: false,
        })
    }

    /// The user's pieces are at the bottom, unless the command line asks for another view.
    fn look(&self) -> Look {
        let mut look = self.screen.look();
        look.turned ^= self.side == Side::Black;
        look
    }

    /// The game as the command line describes it, the engine that plays in it, and what is wrong with the
    /// file that was loaded.
    fn table(&self) -> anyhow::Result<(Table, Engine, Option<String>)> {
        let mut engine = Engine::new();
        engine.settings.seed = self.seed.unwrap_or_else(fresh_seed);
        engine.settings.referee = self.roll;
        position::set_options(&mut engine, &self.options)?;
        let settings = &mut engine.settings;
        self.start.choose(settings)?;
        let level = self.level.unwrap_or(Level::CASUAL);
        if level.elo.is_some() {
            settings.play_at(level.elo);
        }
        let setup = Setup {
            facts: settings.game,
            rules: settings.rules(),
            position: self.start.position(),
            seed: if settings.seed == 0 { fresh_seed() } else { settings.seed },
            rolls: settings.referee,
            seats: self.side.seats(),
            control: self.tc,
        };
        let mut table = Table::new(setup, Duration::ZERO).map_err(|refusal| match refusal {
            Refusal::Dealt => bad_input(format!("--roll is for dice: {refusal}")),
            refusal => bad_input(refusal),
        })?;
        table.level = level;
        self.start.play(|turn| table.begin_with(turn, Duration::ZERO))?;
        let Some((game, path)) = self.start.loaded()? else { return Ok((table, engine, None)) };
        match table.tell(Command::Load(&game), Duration::ZERO) {
            Ok(Event::Began(warning)) => Ok((table, engine, warning)),
            Ok(_) => Ok((table, engine, None)),
            Err(refusal) => Err(bad_input(format!("{}: {refusal}", path.display()))),
        }
    }
}
