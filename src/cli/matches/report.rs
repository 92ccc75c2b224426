//! What a match tells while it runs and when it ends.

use super::is_paired;
use crate::arena::schedule::Pairing;
use crate::arena::{Contest, Moment, News, Settings, Strength, Tally, cross_table, strength, write_whole};
use crate::notation::{Leg, parse_token};
use crate::render::{Style, highlighted_board_text};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Writes what happens: plain lines where they are piped or watched, and on a terminal a table below them that stays.
pub struct Report<'a, W> {
    out: &'a mut W,
    settings: &'a Settings,
    names: &'a [String],
    total: Option<u64>,
    tally: Tally,
    /// Games that were finished before this run.
    before: u64,
    begun: Instant,
    /// Lines of the table that stands on the terminal now.
    drawn: usize,
    terminal: bool,
    decided: Option<bool>,
}

impl<'a, W: Write> Report<'a, W> {
    pub fn new(out: &'a mut W, contest: &'a Contest, tally: Tally) -> Self {
        Self {
            out,
            settings: &contest.settings,
            names: &contest.names,
            total: contest.total(),
            before: tally.total(),
            tally,
            begun: Instant::now(),
            drawn: 0,
            terminal: io::stdout().is_terminal(),
            decided: None,
        }
    }

    /// True when somebody wants to see the running game.
    pub fn watches(&self) -> bool {
        let records = &self.settings.records;
        records.watch || self.settings.alone && !records.quiet && records.concurrency == 1
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The test of the match has decided.
    pub fn decided(&self) -> bool {
        self.decided.is_some()
    }

    pub fn begin(&mut self) -> anyhow::Result<()> {
        if self.before > 0 {
            writeln!(self.out, "Going on after {} games", self.before)?;
        }
        Ok(())
    }

    pub fn tell(&mut self, news: &News) -> anyhow::Result<()> {
        self.wipe()?;
        match news {
            News::Begun(pairing) if !self.settings.records.quiet => {
                let of = self.total.map_or(String::new(), |total| format!(" of {total}"));
                let [white, black] = pairing.engines.map(|engine| &self.names[engine]);
                writeln!(self.out, "Started game {}{of} ({white} vs {black})", pairing.number)?;
            }
            News::Begun(_) | News::Tick => {}
            News::Picture(text) => self.out.write_all(text.as_bytes())?,
            News::Finished(game) => {
                self.tally.add(game, is_paired(self.settings));
                let [white, black] = &game.names;
                let (number, result, reason) = (game.number, &game.result, &game.reason);
                writeln!(self.out, "Finished game {number} ({white} vs {black}): {result} {{{reason}}}")?;
                if let Some(strength) = self.strength() {
                    self.decided = self.decided.or(strength.decided);
                }
                let interval = self.settings.records.interval;
                let done = self.tally.total();
                // The last state is told at the end.
                let due = interval > 0 && done.is_multiple_of(interval) && self.total != Some(done);
                if due && !self.settings.records.quiet {
                    if !self.table_below() {
                        self.state()?;
                    }
                    self.page()?;
                }
            }
        }
        self.draw()?;
        self.out.flush()?;
        Ok(())
    }

    /// A finished game in full.
    pub fn game(&mut self, text: &str) -> anyhow::Result<()> {
        self.wipe()?;
        write!(self.out, "\n{text}")?;
        Ok(())
    }

    /// The final state.
    pub fn end(&mut self) -> anyhow::Result<()> {
        self.wipe()?;
        self.state()?;
        self.page()?;
        self.out.flush()?;
        Ok(())
    }

    /// What is known of two engines.
    fn strength(&self) -> Option<Strength> {
        let score = self.tally.score(0, 1).filter(|_| self.names.len() == 2)?;
        Some(strength(&score, self.settings.sprt.as_ref()))
    }

    fn state(&mut self) -> anyhow::Result<()> {
        let text = summary(&self.tally, self.settings, self.names, self.settings.records.quiet);
        self.out.write_all(text.as_bytes())?;
        Ok(())
    }

    fn page(&mut self) -> anyhow::Result<()> {
        if let Some(path) = &self.settings.records.html {
            let title = &self.settings.records.event;
            write_whole(path, &cross_table::html(&self.tally, self.names, title, self.total))?;
        }
        Ok(())
    }

    fn table_below(&self) -> bool {
        self.terminal && !self.watches() && !self.settings.records.quiet
    }

    /// Takes the table off the terminal.
    fn wipe(&mut self) -> io::Result<()> {
        if self.drawn > 0 {
            write!(self.out, "\x1b[{}A\x1b[J", self.drawn)?;
            self.drawn = 0;
        }
        Ok(())
    }

    fn draw(&mut self) -> io::Result<()> {
        if !self.table_below() {
            return Ok(());
        }
        let done = self.tally.total();
        let mut lines = vec![format!("{}", "-".repeat(60))];
        if self.names.len() == 2 {
            if let Some(score) = self.tally.score(0, 1) {
                lines.push(score_line(&score, &self.names[0], &self.names[1]));
            }
            if let Some(strength) = self.strength() {
                lines.extend(strength.lines.iter().cloned());
                lines.extend(strength.llr.map(|(llr, low, high)| bar(llr, low, high)));
            }
        } else {
            lines.extend(cross_table::text(&self.tally, self.names).lines().map(str::to_owned));
        }
        let elapsed = self.begun.elapsed();
        let here = done - self.before;
        let left = match self.total {
            Some(total) if here > 0 => {
                let each = elapsed.as_secs_f64() / here as f64;
                format!(", {} left", clock(Duration::from_secs_f64(each * total.saturating_sub(done) as f64)))
            }
            _ => String::new(),
        };
        let of = self.total.map_or(String::new(), |total| format!(" of {total}"));
        lines.push(format!("{done}{of} games, {} so far{left}", clock(elapsed)));
        for line in &lines {
            writeln!(self.out, "{line}")?;
        }
        self.drawn = lines.len();
        Ok(())
    }
}

/// Hours, minutes, seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The log-likelihood ratio between its bounds.
fn bar(llr: f64, low: f64, high: f64) -> String {
    const WIDTH: usize = 40;
    let share = ((llr - low) / (high - low)).clamp(0.0, 1.0);
    let at = ((WIDTH as f64 * share) as usize).min(WIDTH);
    format!("{low:.2} [{}{}] {high:.2}", "#".repeat(at), ".".repeat(WIDTH - at))
}

fn score_line(score: &crate::arena::HeadToHead, one: &str, other: &str) -> String {
    let [losses, draws, wins] = score.games;
    let share = score.half_points() as f64 / 2.0 / score.total().max(1) as f64;
    format!("Score of {one} vs {other}: {wins} - {losses} - {draws}  [{share:.3}] {}", score.total())
}

/// The state of a match as text.
pub fn summary(tally: &Tally, settings: &Settings, names: &[String], brief: bool) -> String {
    let mut lines = Vec::new();
    let rule = "-".repeat(50);
    match (names, tally.score(0, 1)) {
        ([one, other], Some(score)) => {
            lines.push(score_line(&score, one, other));
            if !brief {
                lines.push(rule.clone());
                let limits = settings.engines[0].limits.control;
                lines.push(format!("Results of {one} vs {other} ({}, {limits}):", settings.facts.name));
                lines.extend(strength(&score, settings.sprt.as_ref()).lines);
            }
        }
        ([_, _], None) => lines.push("No game was finished".to_owned()),
        _ => lines.extend(cross_table::text(tally, names).lines().map(str::to_owned)),
    }
    if !brief {
        let endings: Vec<String> =
            tally.endings.iter().map(|(ending, count)| format!("{ending} {count}")).collect();
        lines.push(format!("Endings: {}", endings.join(", ")));
        for (engine, standing) in &tally.standings {
            let name = &names[*engine];
            if !standing.faults.is_empty() {
                let faults: Vec<String> =
                    standing.faults.iter().map(|(ending, count)| format!("{ending} {count}")).collect();
                lines.push(format!("Faults of {name}: {}", faults.join(", ")));
            }
            if standing.answers > 0 {
                let (sum, most) = standing.latency;
                let mean = sum as f64 / standing.answers as f64 / 1000.0;
                let most = most as f64 / 1000.0;
                lines.push(format!("Latency of {name}: {mean:.2} ms on average, {most:.2} ms at most"));
            }
        }
        lines.push(rule);
    }
    lines.join("\n") + "\n"
}

/// A running game: the board over itself on a terminal, a line a turn elsewhere.
pub fn picture(contest: &Contest, pairing: &Pairing, moment: &Moment<'_>) -> String {
    let facts = contest.settings.facts;
    let turn = moment.session.tokens_played();
    let [white, black] = moment.clocks.map(|time| format!("{:.1}", time.as_secs_f64()));
    let last = moment.last.map_or(String::new(), |turn| {
        let opinion = turn.thought.map_or(String::new(), |thought| thought.opinion.to_string());
        format!("{} {opinion}", turn.token)
    });
    if !io::stdout().is_terminal() {
        return if turn > 0 {
            format!("{turn:>3}. {last:<24} White {white} s, Black {black} s\n")
        } else {
            String::new()
        };
    }
    let marked: Vec<_> = moment
        .last
        .and_then(|turn| parse_token(&turn.token).ok())
        .into_iter()
        .flat_map(|token| token.legs)
        .flat_map(|leg| match leg {
            Leg::Move { from, to, .. } => vec![from, to],
            Leg::Put { at, .. } => vec![at],
            _ => Vec::new(),
        })
        .collect();
    let board =
        highlighted_board_text(&moment.session.position(), facts.first_rank, Style::Terminal, &marked);
    // From the top left corner, clearing what is below.
    let [first, second] = pairing.engines.map(|engine| &contest.names[engine]);
    format!(
        "\x1b[H\x1b[J{}, game {}: {first} vs {second}\n\n{board}\nturn {turn}  {last}\nWhite {white} s   Black {black} s\n",
        facts.title, pairing.number
    )
}
