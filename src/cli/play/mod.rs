//! The command `carom play`.

mod command;
#[cfg(test)]
mod tests;
mod view;

use super::bad_input;
use super::position;
use super::terminal::{
    Canvas, Input, Interrupts, SavedTo, ScreenOptions, Typed, View, candidates, listing, read_text, refusal,
    think, wrapped,
};
use crate::base::Color;
use crate::draw::Look;
use crate::engine::{Engine, PvLine};
use crate::game::Actor;
use crate::live_game::{Level, LiveGame, Seat, Viewer, limits_for, load_game, opinion, own_words};
use crate::notation::{Leg, parse_token};
use crate::session::chance::fresh_seed;
use crate::session::{Prospect, Session, TimeControl};
use clap::{Args, ValueEnum};
use command::{Command, HELP, WORDS};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use view::{clock_face, view};

#[derive(Args, Debug)]
pub struct Play {
    #[command(flatten)]
    start: position::Start,
    /// What you play: the engine has the rest
    #[arg(long, value_enum, default_value = "white")]
    side: Side,
    /// How strong the engine is: depth=N, nodes=N, time=SECONDS (for a turn), elo=N (600 to 2600), or several with commas
    /// between [default: time=1, or the clock's share]
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
    /// Go on with a game of a PGN file, which says what is played
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves", "rules"])]
    load: Option<PathBuf>,
    /// Which game of the file
    #[arg(long, value_name = "N", default_value_t = 1, requires = "load")]
    number: usize,
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
        let (live, warning) = self.live_game()?;
        let greeting = || format!("carom rules {} tells how it is played.", live.session().facts().name);
        let warning = warning.unwrap_or_else(greeting);
        let saved = self.save.clone().map(SavedTo::new).transpose()?;
        let input = Input::standard()?;
        let canvas = Canvas::new(out, input.is_terminal());
        let mut game = Game {
            live,
            look: self.look(),
            level: self.level.unwrap_or_default(),
            input,
            interrupts: Interrupts::listen()?,
            canvas,
            saved,
            trusted: None,
            message: wrapped(&warning, 79, ""),
            stale: true,
            since: Instant::now(),
            interrupted: false,
        };
        game.play()
    }

    /// The user's pieces are at the bottom, unless the command line asks for another view.
    fn look(&self) -> Look {
        let mut look = self.screen.look();
        look.turned ^= self.side == Side::Black;
        look
    }

    /// The game as the command line describes it, and what is wrong with the file that was loaded.
    fn live_game(&self) -> anyhow::Result<(LiveGame, Option<String>)> {
        let facts = self.start.facts()?;
        let mut engine = Engine::new();
        engine.settings.game = facts;
        engine.settings.seed = self.seed.unwrap_or_else(fresh_seed);
        if self.roll {
            if facts.hidden {
                return Err(bad_input("--roll is for dice: hands of cards are dealt by the program"));
            }
            engine.settings.referee = true;
        }
        position::set_options(&mut engine, &self.options)?;
        self.start.set_up(&mut engine)?;
        let mut live = LiveGame::new(engine, self.side.seats(), self.tc);
        self.start.play(|word| live.say(word, Duration::ZERO))?;
        live.fill_clocks();
        let warning = match &self.load {
            Some(path) => {
                let (game, _) = load_game(&read_text(path)?, self.number).map_err(bad_input)?;
                live.load(&game).map_err(|error| bad_input(format!("{}: {error}", path.display())))?
            }
            None => None,
        };
        if let Some(elo) = self.level.and_then(|level| level.elo) {
            live.set_elo(Some(elo));
        }
        Ok((live, warning))
    }
}

/// The `Event` tag of the records.
const EVENT: &str = "A game in the terminal";

/// A game and everything around it.
struct Game<'a> {
    live: LiveGame,
    look: Look,
    level: Level,
    input: Input,
    interrupts: Interrupts,
    canvas: Canvas<'a>,
    saved: Option<SavedTo>,
    /// With two people and hidden cards: the player who has the screen.
    trusted: Option<Color>,
    message: Vec<String>,
    /// Whether the board has changed since it was shown.
    stale: bool,
    /// When the side to decide first saw the board.
    since: Instant,
    /// Whether Ctrl-C was the last input.
    interrupted: bool,
}

impl Game<'_> {
    fn play(&mut self) -> anyhow::Result<()> {
        loop {
            let flow = match self.live.seat_to_decide() {
                Some(Seat::Engine) => self.engine_turn()?,
                _ => self.person_turn()?,
            };
            if flow.is_break() {
                break;
            }
        }
        self.save()?;
        if let Some(saved) = &self.saved {
            self.canvas.line(&format!("Saved to {}", saved.path().display()))?;
        }
        Ok(())
    }

    fn save(&self) -> anyhow::Result<()> {
        self.saved.as_ref().map_or(Ok(()), |saved| saved.save(&self.live.pgn(EVENT, &[])))
    }

    /// The game as the viewer may know it.
    fn known(&self) -> Box<dyn Session> {
        self.viewer().known(self.live.session())
    }

    fn viewer(&self) -> Viewer {
        self.live.viewer(self.trusted)
    }

    fn view(&self, thinking: bool) -> View {
        view(&self.live, self.viewer(), self.look, self.level, thinking, &self.message)
    }

    /// Sets the message that is shown once below the board.
    fn answer(&mut self, text: impl Into<String>) {
        self.message = vec![text.into()];
    }

    /// The board has changed: it must be shown and saved, and the side to decide begins to think.
    fn changed(&mut self) -> anyhow::Result<()> {
        (self.stale, self.since) = (true, Instant::now());
        // The record contains all hands, so it is written when the game is over or left.
        if self.viewer() == Viewer::All { self.save() } else { Ok(()) }
    }

    /// Another game has begun.
    fn anew(&mut self) {
        (self.stale, self.since, self.trusted) = (true, Instant::now(), None);
    }

    /// Shows the screen if it has changed, and the message.
    fn show(&mut self) -> anyhow::Result<()> {
        let view = self.view(false);
        self.canvas.answer(&view, std::mem::take(&mut self.stale))?;
        self.message.clear();
        Ok(())
    }

    fn engine_turn(&mut self) -> anyhow::Result<ControlFlow<()>> {
        let Some(color) = self.live.to_decide() else { return Ok(ControlFlow::Continue(())) };
        if self.canvas.is_terminal() {
            let view = self.view(true);
            self.canvas.show(&view)?;
        }
        self.interrupts.clear();
        let begun = Instant::now();
        let limits = limits_for(self.level.limits(), &self.live.clocks[color.index()]);
        let (best, hurried) =
            think(&mut self.live.engine, limits, &self.interrupts, None, &mut |_: &PvLine| Ok(()))?;
        let token = best.token.or_else(|| self.live.session().first_token());
        let Some(token) = token else { anyhow::bail!("there is nothing to play for {color}") };
        self.live.score = Some(best.score);
        self.live.say(&token, begun.elapsed())?;
        self.tell_dice();
        self.changed()?;
        if let Some((_, token)) = self.live.last(self.viewer()) {
            self.canvas.line(&format!("{color}: {token}"))?;
        }
        if hurried && self.live.seats == [Seat::Engine; 2] {
            // The user who is watching wants to type something.
            return self.person_turn();
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Reads a line from the player, or from the user who is watching.
    fn person_turn(&mut self) -> anyhow::Result<ControlFlow<()>> {
        if self.viewer() == Viewer::Nobody {
            return self.hand_over();
        }
        self.show()?;
        let over = self.live.ending().is_some();
        let prompt = match self.live.to_decide() {
            _ if over => "Game over> ".to_owned(),
            Some(color) if self.live.seats[color.index()] == Seat::Person => {
                let left = self.live.time_left(color, self.since.elapsed());
                format!("{color}{}> ", left.map_or_else(String::new, |left| format!(" {}", clock_face(left))))
            }
            Some(_) => "Enter goes on> ".to_owned(),
            None => "Die> ".to_owned(),
        };
        let line = match self.ask(&prompt)? {
            Typed::Line(line) => line,
            Typed::End => return Ok(ControlFlow::Break(())),
            Typed::Interrupt if !self.input.is_terminal() || self.interrupted => {
                return Ok(ControlFlow::Break(()));
            }
            Typed::Interrupt => {
                self.interrupted = true;
                self.answer("Ctrl-C once more leaves the game; anything else goes on.");
                return Ok(ControlFlow::Continue(()));
            }
        };
        self.interrupted = false;
        let command = Command::read(&line);
        let person = self.live.seat_to_decide() == Some(Seat::Person);
        if person && self.live.flag_falls(self.since.elapsed()) {
            // The input came too late.
            self.changed()?;
            let quits = matches!(command, Some(Ok(Command::Quit)));
            return Ok(if quits { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
        }
        if line.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        match command {
            Some(Ok(command)) => return self.perform(command),
            Some(Err(fault)) => self.answer(fault),
            None if over => {
                self.answer("The game is over: undo, new, load, save or quit (help tells more).");
            }
            None if self.live.seat_to_decide() == Some(Seat::Engine) => {
                self.answer("The engine plays both sides; Enter lets it go on.");
            }
            None => self.turn(&line)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn ask(&mut self, prompt: &str) -> anyhow::Result<Typed> {
        let known = self.known();
        let complete = |line: &str| candidates(&*known, &WORDS, line);
        let typed = self.input.ask(prompt, &self.interrupts, &complete)?;
        if let Typed::Line(line) = &typed {
            self.canvas.line(format!("{prompt}{line}").trim_end())?;
        }
        Ok(typed)
    }

    /// Hands the screen over to the next of two people, so that no one else sees that player's cards.
    fn hand_over(&mut self) -> anyhow::Result<ControlFlow<()>> {
        let Some(color) = self.live.to_decide() else {
            // Dice and cards belong to the player whose turn it is.
            self.trusted = Some(self.live.session().on_turn());
            return Ok(ControlFlow::Continue(()));
        };
        self.stale = true;
        self.show()?;
        match self.ask(&format!("{color}, press Enter> "))? {
            Typed::Line(line) if line != "quit" => {}
            _ => return Ok(ControlFlow::Break(())),
        }
        self.trusted = Some(color);
        (self.stale, self.since) = (true, Instant::now());
        Ok(ControlFlow::Continue(()))
    }

    /// Plays a turn that was typed, or the beginning of one, or the number on a die.
    fn turn(&mut self, line: &str) -> anyhow::Result<()> {
        let spent = self.since.elapsed();
        let word = match line {
            "." => "0000".to_owned(),
            face if self.live.to_decide().is_none() && !face.starts_with('=') => format!("={face}"),
            word => word.to_owned(),
        };
        if word.contains(char::is_whitespace) {
            self.answer(format!("`{word}`: expected one turn, its legs with commas between: e1d2,c2c3"));
            return Ok(());
        }
        if !self.live.engine.settings.referee && own_words(&word) != word {
            let fault = "chance decides that, not you (with --roll, you type what your dice show)";
            self.answer(format!("`{word}`: {fault}"));
            return Ok(());
        }
        let said = self.live.say_or_begin(&word, spent);
        if let Err(error) = said {
            // A card may be typed in another notation.
            let session = self.live.session();
            let asked = session.actor() != Actor::Chance
                && session.prompt(&[]).is_some_and(|prompt| prompt.is_typed());
            if !asked || self.live.say_in_other_words(&word, spent).is_err() {
                self.message = refusal(&*self.known(), &word, &error);
                return Ok(());
            }
        }
        self.tell_dice();
        self.changed()?;
        Ok(())
    }

    /// Shows the result of a die until something else is typed.
    fn tell_dice(&mut self) {
        let session = self.live.session();
        let legs = self.live.last(Viewer::All).and_then(|(_, token)| Some(parse_token(&token).ok()?.legs));
        let face =
            |leg: &Leg| if let Leg::Roll(face) = leg { Some(format!("The die shows {face}.")) } else { None };
        let faces: Vec<String> = legs.iter().flatten().filter_map(face).collect();
        let last = session.prospect(session.tokens_played());
        let report = last.as_ref().and_then(Prospect::chance_report);
        self.message.extend(report.map_or(faces, |report| vec![report.to_owned()]));
    }

    fn perform(&mut self, command: Command) -> anyhow::Result<ControlFlow<()>> {
        match command {
            Command::Help => self.message = HELP.iter().map(|&line| line.to_owned()).collect(),
            Command::Ways(text) => {
                let listed = listing(&*self.known(), &text, 79);
                self.message = listed.unwrap_or_else(|fault| fault);
            }
            Command::Undo => match self.live.undo() {
                Ok(()) => self.changed()?,
                Err(why) => self.answer(format!("{}{}.", why[..1].to_uppercase(), &why[1..])),
            },
            Command::Hint => self.hint()?,
            Command::Resign | Command::Draw if self.live.ending().is_some() => {
                self.answer("The game is over.");
            }
            Command::Resign => match self.live.person() {
                Some(color) => {
                    self.live.resign(color);
                    self.changed()?;
                }
                None => self.answer("Nobody is there to resign."),
            },
            Command::Draw => self.offer_draw()?,
            Command::Save(file) => self.save_as(file),
            Command::Load(file, number) => self.load(&file, number),
            Command::New => {
                self.live.engine.settings.seed = fresh_seed();
                let begun = self.live.engine.set_up(None, &mut std::iter::empty());
                begun.map_err(|error| anyhow::anyhow!("{error}"))?;
                self.live.restart();
                self.anew();
            }
            Command::Moves => {
                let turns = self.live.turns(self.viewer()).into_iter().map(|turn| turn.text);
                self.message = wrapped(&turns.collect::<Vec<_>>().join(" "), 79, "");
                if self.message.is_empty() {
                    self.answer("Nothing was played.");
                }
            }
            Command::Fen => {
                let position = self.viewer().position(self.live.session());
                self.answer(position.to_string());
            }
            Command::Flip => {
                self.look.turned = !self.look.turned;
                self.stale = true;
            }
            Command::Level(words) => match words.parse::<Level>() {
                Ok(level) => {
                    self.level = level;
                    self.live.set_elo(level.elo);
                    self.answer(format!("The engine plays at {level}."));
                }
                Err(fault) => self.answer(fault),
            },
            Command::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let Some(color) = self.live.to_decide() else {
            self.answer("There is nothing to decide.");
            return Ok(());
        };
        let limits = self.level.advice();
        let was = std::mem::replace(&mut self.live.engine.settings.analysing, true);
        self.interrupts.clear();
        let found = think(&mut self.live.engine, limits, &self.interrupts, None, &mut |_| Ok(()));
        self.live.engine.settings.analysing = was;
        let (best, _) = found?;
        self.message = match best.token.as_deref().map(own_words) {
            Some(words) => vec![format!("Hint: {words} ({})", opinion(best.score, color))],
            None => vec!["There is nothing to decide.".to_owned()],
        };
        Ok(())
    }

    fn offer_draw(&mut self) -> anyhow::Result<()> {
        let facts = self.live.session().facts();
        if !facts.draws {
            self.answer(format!("There are no draws in {}.", facts.title));
            return Ok(());
        }
        let agreed = if self.live.two_persons() {
            let other = self.live.to_decide().map_or(Color::Black, |color| !color);
            let asked = format!("{other}, do you agree to a draw (yes or no)? ");
            matches!(self.ask(&asked)?, Typed::Line(line) if matches!(line.to_ascii_lowercase().as_str(), "y" | "yes"))
        } else {
            self.live.engine_agrees()
        };
        if agreed {
            self.live.agree_to_draw();
            self.changed()?;
        } else {
            self.answer("The draw is declined.");
        }
        Ok(())
    }

    fn save_as(&mut self, file: Option<String>) {
        if self.viewer() != Viewer::All {
            return self.answer(
                "A game with hidden cards is saved when it is over (with --save, also when you leave it).",
            );
        }
        let save = |saved: &SavedTo| {
            saved.save(&self.live.pgn(EVENT, &[]))?;
            Ok(format!("Saved to {}", saved.path().display()))
        };
        let done = match (file, &self.saved) {
            (Some(file), _) => SavedTo::new(file.into()).and_then(|saved| save(&saved)),
            (None, Some(saved)) => save(saved),
            (None, None) => Ok("save: expected a file".to_owned()),
        };
        match done {
            Ok(text) => self.answer(text),
            Err(error) => self.message = wrapped(&format!("{error:#}"), 79, ""),
        }
    }

    fn load(&mut self, file: &str, number: usize) {
        let text = read_text(&PathBuf::from(file)).map_err(|error| format!("{error:#}"));
        let loaded =
            text.and_then(|text| load_game(&text, number)).and_then(|(game, _)| self.live.load(&game));
        match loaded {
            Ok(warning) => {
                self.message = warning.map_or_else(Vec::new, |warning| wrapped(&warning, 79, ""));
                self.anew();
            }
            Err(fault) => self.message = wrapped(&fault, 79, ""),
        }
    }
}
