//! The report of a match, while it runs and at its end.

use super::imitation::Imitation;
use super::screen::{Screen, Size, fitting};
use crate::arena::{
    Limits, MatchEvent, MatchState, Scoreboard, Settings, Tournament, cross_table, listed, write_page,
};
use crate::base::columns::{cut, width};
use crate::base::without_controls;
use crate::session::TimeControl;
use crate::statistics;
use crate::statistics::{Counts, Status};
use litemap::LiteMap;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Writes what happens. In a pipe these are plain lines. On a terminal there is also a foot that stays below
/// them: the board being watched, and a table.
pub struct Report<'a, W> {
    out: &'a mut W,
    settings: &'a Settings,
    names: &'a [String],
    total: Option<u64>,
    /// The number of games finished before this run.
    before: u64,
    begun: Instant,
    /// The time when the last game finished.
    last_finished: Instant,
    /// The numbers of the games under way.
    running: LiteMap<u64, ()>,
    terminal: bool,
    screen: Screen,
    /// The board of the running game.
    picture: Vec<String>,
    drawn: Option<Instant>,
    stop: &'a AtomicBool,
    /// The lines of another program, where these are asked for.
    imitation: Option<Imitation<'a>>,
}

/// The least time between two frames.
const FRAME: Duration = Duration::from_millis(40);

impl<'a, W: Write> Report<'a, W> {
    /// `before` is the number of games in the journal; `stop` is set when no more games are to begin.
    pub fn new(out: &'a mut W, tournament: &'a Tournament, before: u64, stop: &'a AtomicBool) -> Self {
        let begun = Instant::now();
        Self {
            out,
            settings: &tournament.settings,
            names: &tournament.names,
            total: tournament.total(),
            before,
            begun,
            last_finished: begun,
            running: LiteMap::new(),
            terminal: io::stdout().is_terminal() && tournament.settings.records.lines().is_none(),
            imitation: Imitation::of(tournament),
            screen: Screen::default(),
            picture: Vec::new(),
            drawn: None,
            stop,
        }
    }

    /// True when the running game is to be shown.
    pub fn watches(&self) -> bool {
        let records = &self.settings.records;
        records.watch || self.settings.alone && !records.quiet && records.concurrency.unwrap_or(1) == 1
    }

    pub fn begin(&mut self, state: &MatchState) -> anyhow::Result<()> {
        // If the page cannot be written, that is known before the first game.
        self.page(state)?;
        if self.before > 0 {
            self.show(&format!("Going on after {} games\n", self.before), state)?;
        }
        Ok(())
    }

    pub fn tell(&mut self, event: &MatchEvent, state: &MatchState) -> anyhow::Result<()> {
        match event {
            MatchEvent::Started(pairing) => {
                self.running.insert(pairing.number, ());
                if self.has_foot() {
                    return self.show("", state);
                }
                if let Some(imitation) = &self.imitation {
                    let line = imitation.started(pairing.number, pairing.engines);
                    return self.show(&line, state);
                }
                if !self.settings.records.quiet {
                    let of = self.total.map_or(String::new(), |total| format!(" of {total}"));
                    let [white, black] = pairing.engines.map(|engine| without_controls(&self.names[engine]));
                    self.show(&format!("Started game {}{of} ({white} vs {black})\n", pairing.number), state)?;
                }
            }
            MatchEvent::Unplayed(pairing) => {
                self.running.remove(&pairing.number);
                self.show(&format!("Game {} was given up: it is not counted\n", pairing.number), state)?;
            }
            MatchEvent::Tick => self.show("", state)?,
            MatchEvent::Board(text) if self.has_foot() => {
                self.picture = text.lines().map(str::to_owned).collect();
                if self.drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME) {
                    self.show("", state)?;
                }
            }
            MatchEvent::Board(text) => self.show(text, state)?,
            MatchEvent::Finished(game) => {
                self.running.remove(&game.number);
                self.last_finished = Instant::now();
                if let Some(imitation) = &self.imitation {
                    let lines = imitation.finished(game, state);
                    self.show(&lines, state)?;
                    return self.page(state);
                }
                let [white, black] = game.names.each_ref().map(|name| without_controls(name));
                let (number, result, reason) = (game.number, &game.result, without_controls(&game.reason));
                self.show(
                    &format!("Finished game {number} ({white} vs {black}): {result} {{{reason}}}\n"),
                    state,
                )?;
                // This line follows each game and stands alone: programs that read it count both.
                if let ([one, other], Some(score)) = (self.names, state.scoreboard.score(0, 1))
                    && !self.has_foot()
                    && !self.settings.records.quiet
                    && self.score_is_due(state)
                {
                    let line = score_line(&score, &without_controls(one), &without_controls(other));
                    self.show(&format!("{line}\n"), state)?;
                }
                let interval = self.settings.records.ratinginterval.unwrap_or(10);
                let done = state.scoreboard.total();
                // The last state is reported at the end.
                let due = interval > 0 && done.is_multiple_of(interval) && self.total != Some(done);
                if due && !self.settings.records.quiet {
                    if !self.has_foot() {
                        let text = self.summary(state);
                        // The score of two engines was written above already.
                        let text = if self.names.len() == 2 { text.split_once('\n') } else { None }
                            .map_or(text.as_str(), |(_, rest)| rest);
                        self.out.write_all(text.as_bytes())?;
                    }
                    self.page(state)?;
                }
            }
        }
        Ok(())
    }

    /// True when the score of two engines is told after this game.
    fn score_is_due(&self, state: &MatchState) -> bool {
        let (done, interval) = (state.scoreboard.total(), self.settings.records.scoreinterval.unwrap_or(1));
        interval > 0 && done.is_multiple_of(interval)
    }

    /// Writes a finished game in full, but not on a terminal with a foot, where it would separate the boards.
    pub fn game(&mut self, text: &str, state: &MatchState) -> anyhow::Result<()> {
        if self.has_foot() { Ok(()) } else { self.show(&format!("\n{text}"), state) }
    }

    /// Writes the final state.
    pub fn end(&mut self, state: &MatchState) -> anyhow::Result<()> {
        if self.has_foot() {
            // The last board stays on the screen.
            let picture: String = self.picture.iter().map(|line| format!("{line}\n")).collect();
            let frame = self.screen.frame(&picture, &[], Size::now());
            self.out.write_all(frame.as_bytes())?;
        }
        let text = match &self.imitation {
            Some(imitation) => imitation.ended(state),
            None => self.summary(state),
        };
        self.out.write_all(text.as_bytes())?;
        self.page(state)?;
        self.out.flush()?;
        Ok(())
    }

    fn summary(&self, state: &MatchState) -> String {
        let room = if self.terminal { self.room_for_names(Size::now().columns) } else { usize::MAX };
        let (names, brief) = (self.short_names(room), self.settings.records.quiet);
        summary(&state.scoreboard, self.settings, &names, brief, state.decided)
    }

    /// The columns for a name in a table on a terminal.
    fn room_for_names(&self, columns: usize) -> usize {
        columns.saturating_sub(cross_table::WIDTH_BESIDE_NAMES + 1).max(8)
    }

    fn short_names(&self, room: usize) -> Vec<String> {
        self.names.iter().map(|name| cut(&without_controls(name), room)).collect()
    }

    fn page(&mut self, state: &MatchState) -> anyhow::Result<()> {
        if let Some(path) = &self.settings.records.html {
            let title = self.settings.records.event();
            write_page(path, &cross_table::html(&state.scoreboard, self.names, title, self.total))?;
        }
        Ok(())
    }

    fn has_foot(&self) -> bool {
        self.terminal && !self.settings.records.quiet
    }

    /// Writes whole lines, above the foot if there is one.
    fn show(&mut self, above: &str, state: &MatchState) -> anyhow::Result<()> {
        if self.has_foot() {
            let size = Size::now();
            let foot = fitting(&self.picture, &self.table(size.columns, state), size.rows.saturating_sub(1));
            let frame = self.screen.frame(above, &foot, size);
            self.out.write_all(frame.as_bytes())?;
            self.drawn = Some(Instant::now());
        } else {
            self.out.write_all(above.as_bytes())?;
        }
        self.out.flush()?;
        Ok(())
    }

    /// The table at the foot: the standings and the progress of the match.
    fn table(&self, columns: usize, state: &MatchState) -> Vec<String> {
        let mut lines = vec!["-".repeat(columns.saturating_sub(1).min(60))];
        if let [one, other] = self.names {
            if let Some(score) = state.scoreboard.score(0, 1) {
                let room = columns.saturating_sub(width(&score_line(&score, "", "")) + 1);
                let [one, other] = side_by_side(&without_controls(one), &without_controls(other), room);
                lines.push(score_line(&score, &one, &other));
                let telling = state.scoreboard.telling(0, 1);
                lines.extend(statistics::summary(&score, telling.as_ref(), self.settings.sprt.as_ref()));
                lines.extend(self.settings.sprt.map(|test| bar(&test.status(&score))));
            }
        } else if state.scoreboard.total() > 0 {
            let names = self.short_names(self.room_for_names(columns));
            lines.extend(cross_table::text(&state.scoreboard, &names).lines().map(str::to_owned));
        }
        if self.stop.load(Ordering::Relaxed) && state.decided.is_none() {
            lines.push("Running games are finished first; interrupt again to give them up".to_owned());
        }
        let done = state.scoreboard.total();
        let of = self.total.map_or(String::new(), |total| format!(" of {total}"));
        let mut line = format!("{done}{of} games, {} so far", clock(self.begun.elapsed()));
        let progress = Progress {
            here: done - self.before,
            to_come: self.total.map_or(0, |total| total.saturating_sub(done)),
            took: self.last_finished - self.begun,
            since: self.last_finished.elapsed(),
        };
        if let Some(left) = progress.left() {
            // A sequential test may end the match after any game.
            let most = if self.settings.sprt.is_some() { "at most " } else { "" };
            line.push_str(&format!(", {most}{} left", clock(left)));
        }
        if !self.running.is_empty() {
            let numbers: Vec<String> = self.running.keys().map(u64::to_string).collect();
            line.push_str(&format!("; playing {}", numbers.join(", ")));
        }
        lines.push(line);
        lines
    }
}

/// The progress of a match.
struct Progress {
    /// The number of games finished in this run.
    here: u64,
    /// The number of games not finished yet.
    to_come: u64,
    /// The time from the beginning of this run to the end of the last finished game.
    took: Duration,
    /// The time since then.
    since: Duration,
}

impl Progress {
    /// The time for the remaining games at the present rate; `None` while it cannot be estimated. Between two
    /// games it only decreases.
    fn left(&self) -> Option<Duration> {
        if self.here == 0 || self.to_come == 0 {
            return None;
        }
        let each = self.took.as_secs_f64() / self.here as f64;
        // A time too long to represent is not worth showing.
        Some(Duration::try_from_secs_f64(each * self.to_come as f64).ok()?.saturating_sub(self.since))
    }
}

/// Two names in `room` columns together. A short one leaves its columns to the other.
fn side_by_side(one: &str, other: &str, room: usize) -> [String; 2] {
    let half = room / 2;
    let first = half.max(room.saturating_sub(width(other))).max(1);
    let second = half.max(room.saturating_sub(width(one))).max(1);
    [cut(one, first), cut(other, second)]
}

/// A time as hours, minutes and seconds.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The log-likelihood ratio as a bar between its bounds.
fn bar(&Status { llr, lower: low, upper: high, .. }: &Status) -> String {
    const WIDTH: usize = 40;
    let share = ((llr - low) / (high - low)).clamp(0.0, 1.0);
    let at = ((WIDTH as f64 * share) as usize).min(WIDTH);
    format!("{low:.2} [{}{}] {high:.2}", "#".repeat(at), ".".repeat(WIDTH - at))
}

fn score_line(score: &Counts, one: &str, other: &str) -> String {
    let ([losses, draws, wins], games) = (score.games, score.games_played());
    let share = score.points() / games.max(1) as f64;
    format!("Score of {one} vs {other}: {wins} - {losses} - {draws}  [{share:.3}] {games}")
}

/// The limits of a player, as on the command line.
fn terms(limits: &Limits) -> String {
    let mut words = Vec::new();
    let bounded = limits.depth.is_some() || limits.nodes.is_some();
    if limits.control != TimeControl::Untimed || !bounded {
        words.push(limits.control.to_string());
    }
    words.extend(limits.depth.map(|depth| format!("depth={depth}")));
    words.extend(limits.nodes.map(|nodes| format!("nodes={nodes}")));
    words.join(" ")
}

/// The state of a match as text. The decision `decided` of the sequential test holds, whatever results came
/// later.
pub fn summary(
    scoreboard: &Scoreboard,
    settings: &Settings,
    names: &[String],
    brief: bool,
    decided: Option<bool>,
) -> String {
    let mut lines = Vec::new();
    let rule = "-".repeat(50);
    match (names, scoreboard.score(0, 1)) {
        ([one, other], Some(score)) => {
            lines.push(score_line(&score, one, other));
            if !brief {
                lines.push(rule.clone());
                let [limits, others] = [0, 1].map(|place| terms(&settings.engines[place].limits));
                let limits = if limits == others { limits } else { format!("{limits} vs {others}") };
                lines.push(format!("Results of {one} vs {other} ({}, {limits}):", settings.facts.name));
                let telling = scoreboard.telling(0, 1);
                lines.extend(statistics::summary(&score, telling.as_ref(), settings.sprt.as_ref()));
            }
            // This is fastchess's text.
            if let Some(test) = &settings.sprt
                && let Some(yes) = decided.or_else(|| test.status(&score).decided())
            {
                let ([zero, one], verdict) = (test.elo(), if yes { "H1" } else { "H0" });
                lines.push(format!("SPRT ([{zero:.2}, {one:.2}]) completed - {verdict} was accepted"));
            }
        }
        ([_, _], None) => lines.push("No game was finished".to_owned()),
        _ => lines.extend(cross_table::text(scoreboard, names).lines().map(str::to_owned)),
    }
    if !brief {
        lines.push(format!("Endings: {}", listed(&scoreboard.endings)));
        let repeated = scoreboard.repeated();
        if repeated > 0 {
            let total = scoreboard.total();
            lines.push(format!("Repeated: {repeated} of {total} games went turn for turn like one before"));
        }
        for (engine, standing) in &scoreboard.standings {
            let name = &names[*engine];
            if !standing.faults.is_empty() {
                lines.push(format!("Faults of {name}: {}", listed(&standing.faults)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_goes_by_finished_games_and_runs_down() {
        let progress = |here, to_come, took, since| {
            let seconds = Duration::from_secs;
            Progress { here, to_come, took: seconds(took), since: seconds(since) }.left().map(|d| d.as_secs())
        };
        assert_eq!(progress(0, 10, 5, 5), None);
        assert_eq!(progress(4, 8, 20, 0), Some(40));
        assert_eq!(progress(4, 8, 20, 15), Some(25), "a long game does not make the rest longer");
        assert_eq!(progress(4, 8, 20, 100), Some(0));
        assert_eq!(progress(4, 0, 20, 0), None);
        assert_eq!(progress(1, u64::MAX, u64::MAX / 2, 0), None, "beyond every clock");
    }

    #[test]
    fn long_names_share_the_room() {
        assert_eq!(side_by_side("Stockfish", "A", 8), ["Stockf…", "A"]);
        assert_eq!(side_by_side("Stockfish", "Fairy-Stockfish", 12), ["Stock…", "Fairy…"]);
        assert_eq!(side_by_side("A", "B", 0), ["A", "B"]);
    }

    #[test]
    fn limits_are_told_as_they_were_given() {
        let limits = |control: &str, depth, nodes| {
            let margin = Duration::ZERO;
            terms(&Limits { control: control.parse().unwrap(), margin, depth, nodes })
        };
        assert_eq!(limits("10+0.1", None, None), "10+0.1");
        assert_eq!(limits("inf", None, Some(2000)), "nodes=2000");
        assert_eq!(limits("5", Some(3), None), "5 depth=3");
    }
}
