//! The command `carom learn`: the guided first game in the terminal.

use super::bad_input;
use super::position::GameName;
use super::terminal::{Input, Interrupts, ScreenOptions, Typed, candidates, squares_of, wrapped};
use crate::draw::highlighted_board_text;
use crate::game::{Course, Lesson};
use crate::live_game::{Command, Progress, Seat, Setup, Table, Viewer, progress};
use crate::variants;
use clap::Args;
use std::io::Write;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct Learn {
    #[command(flatten)]
    game: GameName,
    /// Begin with this task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    task: u8,
    #[command(flatten)]
    screen: ScreenOptions,
}

/// What follows a task.
enum Next {
    Task,
    Again,
    End,
}

const COLUMNS: usize = 79;
const HELP: &str = "Type a move as two squares (d6e8), a shot or drop as a letter and a square (O@f9, T@a4). A comma \
                    at the end keeps the turn yours. hint shows a way, again begins the task anew, skip goes on to \
                    the next, quit ends.";

impl Learn {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let with: Vec<&str> =
            variants::all().iter().filter(|game| game.course.is_some()).map(|game| game.name).collect();
        let Some(facts) = self.game.facts()? else {
            return Err(bad_input(format!("which game? {}", with.join(", "))));
        };
        let Some(course) = &facts.course else {
            return Err(bad_input(format!(
                "there is no guided first game of {}; there is one of {} (and `carom rules {}` for all others)",
                facts.title,
                with.join(", "),
                facts.name
            )));
        };
        let mut number = usize::from(self.task) - 1;
        if number >= course.lessons.len() {
            return Err(bad_input(format!("--task: expected 1 to {}", course.lessons.len())));
        }
        let mut input = Input::standard()?;
        let interrupts = Interrupts::listen()?;
        say(out, HELP)?;
        while let Some(lesson) = course.lessons.get(number) {
            writeln!(out)?;
            say(out, &format!("Task {} of {}: {}", number + 1, course.lessons.len(), lesson.task))?;
            match self.play_task(course, lesson, &mut input, &interrupts, out)? {
                Next::Task => number += 1,
                Next::Again => {}
                Next::End => return Ok(()),
            }
        }
        writeln!(out)?;
        say(out, &format!("That was all. `carom play {}` is a whole game.", facts.name))
    }

    fn play_task(
        &self,
        course: &Course,
        lesson: &Lesson,
        input: &mut Input,
        interrupts: &Interrupts,
        out: &mut impl Write,
    ) -> anyhow::Result<Next> {
        let facts = variants::find(course.game).map_err(bad_input)?;
        let setup = Setup { position: Some(lesson.position), seats: [Seat::Person; 2], ..Setup::of(facts) };
        let mut table = Table::new(setup, Duration::ZERO).map_err(bad_input)?;
        let mut stale = true;
        loop {
            let session = table.session();
            if std::mem::take(&mut stale) {
                let last = table.played().last(Viewer::All);
                let marked = last.map(|(_, token)| squares_of(&token)).unwrap_or_default();
                let board = highlighted_board_text(facts, &session.position(), self.screen.look(), &marked);
                write!(out, "\n{board}")?;
            }
            match progress(lesson, table.played()) {
                Progress::Open => {}
                Progress::Done => {
                    say(out, lesson.praise)?;
                    return Ok(Next::Task);
                }
                Progress::Missed => {
                    say(out, "Not yet: that turn is over, and it was not what is asked for. Once more.")?;
                    return Ok(Next::Again);
                }
            }
            out.flush()?;
            let complete = |text: &str| candidates(session, &["hint", "again", "skip", "quit"], text);
            let prompt = if input.is_terminal() { "> " } else { "" };
            match input.ask(prompt, interrupts, &complete)? {
                Typed::Interrupt | Typed::End => return Ok(Next::End),
                Typed::Line(line) => match line.as_str() {
                    "" => stale = true,
                    "quit" | "exit" => return Ok(Next::End),
                    "again" => return Ok(Next::Again),
                    "skip" => return Ok(Next::Task),
                    "hint" => say(out, &format!("One way is {}.", lesson.way))?,
                    "help" => say(out, HELP)?,
                    turn => match table.tell(Command::Enter(turn), Duration::ZERO) {
                        Ok(_) => stale = true,
                        Err(error) => say(out, &error.to_string())?,
                    },
                },
            }
        }
    }
}

fn say(out: &mut impl Write, text: &str) -> anyhow::Result<()> {
    for line in wrapped(text, COLUMNS, "") {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
