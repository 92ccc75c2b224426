//! The conversation at the terminal: lines in, screens out. What they mean to the game is the table's
//! business.

use super::command::{Command, HELP, WORDS};
use super::view::{clock_face, view};
use crate::base::Color;
use crate::cli::terminal::{
    Canvas, Input, Interrupts, SavedTo, Typed, View, candidates, listing, read_text, refusal, think, wrapped,
};
use crate::draw::Look;
use crate::engine::{BestMove, Engine, options};
use crate::live_game::{
    self, Event, Level, PgnTags, Refusal, Seat, Table, Viewer, game_pgn, load_game, opinion, own_words,
};
use crate::notation::{Leg, parse_token};
use crate::pgn::pgn_today;
use crate::search::Limits;
use crate::session::Session;
use crate::session::chance::fresh_seed;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The `Event` tag of the records.
const EVENT: &str = "A game in the terminal";

/// A game and everything around it.
pub(super) struct Game<'a> {
    pub table: Table,
    pub engine: Engine,
    pub look: Look,
    pub input: Input,
    pub interrupts: Interrupts,
    pub canvas: Canvas<'a>,
    pub saved: Option<SavedTo>,
    pub message: Vec<String>,
    /// Whether the board has changed since it was shown.
    pub stale: bool,
    /// The moment from which the table's time is counted.
    pub begun: Instant,
    /// Whether Ctrl-C was the last input.
    pub interrupted: bool,
}

impl Game<'_> {
    pub fn play(&mut self) -> anyhow::Result<()> {
        loop {
            let flow = match self.table.seat_to_decide() {
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

    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    fn save(&self) -> anyhow::Result<()> {
        self.saved.as_ref().map_or(Ok(()), |saved| saved.save(&self.pgn()))
    }

    fn pgn(&self) -> String {
        let (engine, date) = (options::engine_name(), pgn_today());
        game_pgn(&self.table, PgnTags { event: EVENT, engine: &engine, date: &date }, &[])
    }

    /// The game as the viewer may know it.
    fn known(&self) -> Box<dyn Session> {
        self.table.viewer().known(self.table.session())
    }

    fn view(&self, thinking: bool) -> View {
        view(&self.table, self.table.viewer(), self.look, thinking, &self.message)
    }

    /// Sets the message that is shown once below the board.
    fn answer(&mut self, text: impl Into<String>) {
        self.message = vec![text.into()];
    }

    /// Carries out a command that changes the board.
    fn tell(&mut self, command: live_game::Command<'_>) -> anyhow::Result<()> {
        match self.table.tell(command, self.now()) {
            Ok(_) => self.changed()?,
            Err(refusal) => self.answer(sentence(&refusal)),
        }
        Ok(())
    }

    /// The board has changed: it must be shown and saved.
    fn changed(&mut self) -> anyhow::Result<()> {
        self.stale = true;
        // The record contains all hands, so it is written when the game is over or left.
        if self.table.viewer() == Viewer::All { self.save() } else { Ok(()) }
    }

    /// Shows the screen if it has changed, and the message.
    fn show(&mut self) -> anyhow::Result<()> {
        let view = self.view(false);
        self.canvas.answer(&view, std::mem::take(&mut self.stale))?;
        self.message.clear();
        Ok(())
    }

    fn engine_turn(&mut self) -> anyhow::Result<ControlFlow<()>> {
        let Some(color) = self.table.to_decide() else { return Ok(ControlFlow::Continue(())) };
        if self.canvas.is_terminal() {
            let view = self.view(true);
            self.canvas.show(&view)?;
        }
        self.table.engine_thinks(Some(self.now()));
        let (best, hurried) = self.search(self.table.turn_limits())?;
        let decided = live_game::Command::Decide { token: best.token, score: best.score };
        self.table.tell(decided, self.now()).map_err(|refusal| anyhow::anyhow!("{color}: {refusal}"))?;
        self.tell_dice();
        self.changed()?;
        if let Some((_, token)) = self.table.played().last(self.table.viewer()) {
            self.canvas.line(&format!("{color}: {token}"))?;
        }
        if hurried && self.table.seats() == [Seat::Engine; 2] {
            // The user who is watching wants to type something.
            return self.person_turn();
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Reads a line from the player, or from the user who is watching.
    fn person_turn(&mut self) -> anyhow::Result<ControlFlow<()>> {
        if self.table.viewer() == Viewer::Nobody {
            return self.hand_over();
        }
        self.show()?;
        let over = self.table.ending().is_some();
        let prompt = match self.table.to_decide() {
            _ if over => "Game over> ".to_owned(),
            Some(color) if self.table.seats()[color.index()] == Seat::Person => {
                let left = self.table.time_left(color, self.now());
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
        let person = self.table.seat_to_decide() == Some(Seat::Person);
        if person && self.table.tick(self.now()).is_some() {
            // The input came too late.
            self.changed()?;
            let quits = matches!(command, Some(Ok(Command::Quit)));
            return Ok(if quits { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
        }
        if line.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        match command {
            Some(Ok(command)) => return self.handle(command),
            Some(Err(fault)) => self.answer(fault),
            None if over => {
                self.answer("The game is over: undo, new, load, save or quit (help tells more).");
            }
            None if self.table.seat_to_decide() == Some(Seat::Engine) => {
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
        if let Some(color) = self.table.to_decide() {
            self.stale = true;
            self.show()?;
            match self.ask(&format!("{color}, press Enter> "))? {
                Typed::Line(line) if line != "quit" => {}
                _ => return Ok(ControlFlow::Break(())),
            }
            self.stale = true;
        }
        // Dice and cards belong to the player whose turn it is.
        self.table.tell(live_game::Command::Ready, self.now())?;
        Ok(ControlFlow::Continue(()))
    }

    /// Plays a turn that was typed, or the beginning of one, or the number on a die.
    fn turn(&mut self, line: &str) -> anyhow::Result<()> {
        let text = match line {
            face if self.table.to_decide().is_none() && !face.starts_with('=') => format!("={face}"),
            text => text.to_owned(),
        };
        if text.contains(char::is_whitespace) {
            self.answer(format!("`{text}`: expected one turn, its legs with commas between: e1d2,c2c3"));
            return Ok(());
        }
        match self.table.tell(live_game::Command::Enter(&text), self.now()) {
            Ok(_) => {
                self.tell_dice();
                self.changed()?;
            }
            Err(Refusal::Session(error)) => self.message = refusal(&*self.known(), &text, &error),
            Err(why @ Refusal::NotYours) => {
                self.answer(format!("`{text}`: {why} (with --roll, you type what your dice show)"));
            }
            Err(why) => self.answer(sentence(&why)),
        }
        Ok(())
    }

    /// Shows the result of a die until something else is typed.
    fn tell_dice(&mut self) {
        let session = self.table.session();
        let legs =
            self.table.played().last(Viewer::All).and_then(|(_, token)| Some(parse_token(&token).ok()?.legs));
        let face =
            |leg: &Leg| if let Leg::Roll(face) = leg { Some(format!("The die shows {face}.")) } else { None };
        let faces: Vec<String> = legs.iter().flatten().filter_map(face).collect();
        let note = session.last_of(session.tokens_played()).and_then(|last| last.note());
        self.message.extend(note.map_or(faces, |note| vec![note]));
    }

    fn handle(&mut self, command: Command) -> anyhow::Result<ControlFlow<()>> {
        match command {
            Command::Help => self.message = HELP.iter().map(|&line| line.to_owned()).collect(),
            Command::Ways(text) => {
                let listed = listing(&*self.known(), &text, 79);
                self.message = listed.unwrap_or_else(|fault| fault);
            }
            Command::Undo => self.tell(live_game::Command::Undo)?,
            Command::Hint => self.hint()?,
            Command::Resign | Command::Draw if self.table.ending().is_some() => {
                self.answer("The game is over.");
            }
            Command::Resign => self.tell(live_game::Command::Resign)?,
            Command::Draw => self.offer_draw()?,
            Command::Save(file) => self.save_as(file),
            Command::Load(file, number) => self.load(&file, number),
            Command::New => {
                self.table.tell(live_game::Command::Restart(fresh_seed()), self.now())?;
                self.stale = true;
            }
            Command::Moves => {
                let turns = self.table.played().turns(self.table.viewer()).into_iter().map(|turn| turn.text);
                self.message = wrapped(&turns.collect::<Vec<_>>().join(" "), 79, "");
                if self.message.is_empty() {
                    self.answer("Nothing was played.");
                }
            }
            Command::Fen => {
                let position = self.table.viewer().position(self.table.session());
                self.answer(position.to_string());
            }
            Command::Flip => {
                self.look.turned = !self.look.turned;
                self.stale = true;
            }
            Command::Level(words) => match words.parse::<Level>() {
                Ok(level) => {
                    self.table.level = level;
                    self.engine.settings.play_at(level.elo);
                    self.answer(format!("The engine plays at {level}."));
                }
                Err(fault) => self.answer(fault),
            },
            Command::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let Some(color) = self.table.to_decide() else {
            self.answer("There is nothing to decide.");
            return Ok(());
        };
        let was = std::mem::replace(&mut self.engine.settings.analysing, true);
        let found = self.search(self.table.level.advice());
        self.engine.settings.analysing = was;
        let (best, _) = found?;
        self.message = match best.token.as_deref().map(own_words) {
            Some(own) => vec![format!("Hint: {own} ({})", opinion(best.score, color))],
            None => vec!["There is nothing to decide.".to_owned()],
        };
        Ok(())
    }

    /// Searches the present position; the second value is true if the user ended the search.
    fn search(&mut self, limits: Limits) -> anyhow::Result<(BestMove, bool)> {
        self.interrupts.clear();
        self.engine.settings.seed = self.table.seed();
        think(&mut self.engine, self.table.session(), limits, &self.interrupts, None, &mut |_| Ok(()))
    }

    fn offer_draw(&mut self) -> anyhow::Result<()> {
        if let Err(refusal) = self.table.tell(live_game::Command::OfferDraw, self.now()) {
            self.answer(sentence(&refusal));
            return Ok(());
        }
        let accepted = if self.table.two_persons() {
            let other = self.table.to_decide().map_or(Color::Black, |color| !color);
            let asked = format!("{other}, do you agree to a draw (yes or no)? ");
            matches!(self.ask(&asked)?, Typed::Line(line) if matches!(line.to_ascii_lowercase().as_str(), "y" | "yes"))
        } else {
            let played = self.table.session().tokens_played();
            self.table.score().is_some_and(|score| self.engine.settings.accepts_draw(score, played))
        };
        self.tell(live_game::Command::AnswerDraw(accepted))
    }

    fn save_as(&mut self, file: Option<String>) {
        if self.table.viewer() != Viewer::All {
            return self.answer(
                "A game with hidden cards is saved when it is over (with --save, also when you leave it).",
            );
        }
        let save = |saved: &SavedTo| {
            saved.save(&self.pgn())?;
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
        let loaded = text.and_then(|text| load_game(&text, number)).and_then(|(game, _)| {
            let loaded = self.table.tell(live_game::Command::Load(&game), self.now());
            loaded.map_err(|refusal| refusal.to_string())
        });
        match loaded {
            Ok(event) => {
                self.message = match event {
                    Event::Began(Some(warning)) => wrapped(&warning, 79, ""),
                    _ => Vec::new(),
                };
                self.engine.forget();
                self.stale = true;
            }
            Err(fault) => self.message = wrapped(&fault, 79, ""),
        }
    }
}

/// A refusal as a sentence.
fn sentence(refusal: &Refusal) -> String {
    let text = refusal.to_string();
    format!("{}{}.", text[..1].to_uppercase(), &text[1..])
}
