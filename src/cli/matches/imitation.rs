//! The lines of fastchess and cutechess-cli, letter for letter: scripts and other programs read them.

use crate::arena::settings::Imitated;
use crate::arena::{Limits, MatchState, Scoreboard, Tournament};
use crate::pgn::{GameRecord, Termination};
use crate::session::TimeControl;
use crate::statistics::{self, Counts, cumulative, estimate};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The lines of one match.
pub struct Imitation<'a> {
    program: Imitated,
    tournament: &'a Tournament,
    names: Vec<String>,
    total: Option<u64>,
    begun: Instant,
}

impl<'a> Imitation<'a> {
    /// The lines that the settings ask for; `None` for our own.
    pub fn of(tournament: &'a Tournament) -> Option<Self> {
        let program = tournament.settings.records.lines()?;
        let names = tournament.names.iter().map(|name| ascii(name)).collect();
        Some(Self { program, tournament, names, total: tournament.total(), begun: Instant::now() })
    }

    /// The line when a game begins.
    pub fn started(&self, number: u64, engines: [usize; 2]) -> String {
        let [white, black] = engines.map(|engine| &self.names[engine]);
        format!("Started game {number} of {} ({white} vs {black})\n", self.total.unwrap_or_default())
    }

    /// The lines when a game is over.
    pub fn finished(&self, game: &GameRecord, state: &MatchState) -> String {
        let [white, black] = game.engines.map(|engine| &self.names[engine]);
        let (number, result, reason) = (game.number, &game.result, reason(self.program, game));
        let mut text = format!("Finished game {number} ({white} vs {black}): {result} {{{reason}}}\n");
        let done = state.scoreboard.total();
        let records = &self.tournament.settings.records;
        let last = self.total == Some(done);
        let due = |interval: u64| interval > 0 && done.is_multiple_of(interval);
        if self.program == Imitated::Cutechess && (due(records.scoreinterval.unwrap_or(1)) || last) {
            text += &self.score_line(state);
        }
        // fastchess counts pairs where it reports them.
        let pairs = self.program == Imitated::Fastchess && self.counts_pairs();
        let interval = records.ratinginterval.unwrap_or(10) * if pairs { 2 } else { 1 };
        if due(interval) && !last {
            text += &self.state(state);
        }
        text
    }

    /// The lines at the end of the match.
    pub fn ended(&self, state: &MatchState) -> String {
        let mut text = self.state(state);
        if self.program == Imitated::Cutechess {
            return text + "Finished match\n";
        }
        if let (Some(test), Some(accepted)) = (&self.tournament.settings.sprt, state.decided) {
            let ([zero, one], verdict) = (test.elo(), if accepted { "H1" } else { "H0" });
            let _ = writeln!(text, "SPRT ([{zero:.2}, {one:.2}]) completed - {verdict} was accepted");
        }
        let faults = |engine: &usize, kinds: &[Termination]| -> u64 {
            let standing = &state.scoreboard.standings[engine];
            kinds.iter().filter_map(|kind| standing.faults.get(kind)).sum()
        };
        let mut tracked = String::new();
        for engine in state.scoreboard.standings.keys() {
            let late = faults(engine, &[Termination::TimeForfeit]);
            let crashed = faults(engine, &[Termination::Disconnect, Termination::Stall]);
            if late + crashed > 0 {
                let name = &self.names[*engine];
                let _ = writeln!(tracked, "Player: {name}\n  Timeouts: {late}\n  Crashed: {crashed}");
            }
        }
        if !tracked.is_empty() {
            let _ = write!(text, "\n{tracked}\n");
        }
        text + "Finished match\n" + &total_time(self.begun.elapsed())
    }

    fn counts_pairs(&self) -> bool {
        let settings = &self.tournament.settings;
        settings.pentanomial && settings.schedule.is_paired()
    }

    fn score_line(&self, state: &MatchState) -> String {
        let ([one, other], Some(score)) = (self.names.as_slice(), state.scoreboard.score(0, 1)) else {
            return String::new();
        };
        let ([losses, draws, wins], games) = (score.games, score.games_played());
        let share = score.points() / games.max(1) as f64;
        format!("Score of {one} vs {other}: {wins} - {losses} - {draws}  [{share:.3}] {games}\n")
    }

    /// How the match stands.
    fn state(&self, state: &MatchState) -> String {
        let Some(score) = state.scoreboard.score(0, 1).filter(|_| self.names.len() == 2) else {
            return self.ranking(&state.scoreboard);
        };
        match self.program {
            Imitated::Fastchess => self.fastchess(&score),
            Imitated::Cutechess => self.cutechess(&score, state),
        }
    }

    fn fastchess(&self, score: &Counts) -> String {
        let settings = &self.tournament.settings;
        let both = |[one, other]: [String; 2]| if one == other { one } else { format!("{one} - {other}") };
        let terms = both([0, 1].map(|place| terms(&settings.engines[place].limits)));
        let option = |name: &str, unit: &str| {
            both([0, 1].map(|place| {
                let value = self.tournament.option(place, name);
                value.map_or("NULL".to_owned(), |value| format!("{}{unit}", ascii(&value)))
            }))
        };
        let book = settings.openings.as_ref().and_then(|openings| openings.file.file_name());
        let book = book.map_or(String::new(), |name| format!(", {}", ascii(&name.to_string_lossy())));
        let rule = "-".repeat(50);
        let (threads, hash) = (option("Threads", "t"), option("Hash", "MB"));
        let [one, other] = [0, 1].map(|place| &self.names[place]);
        let lines = statistics::summary(score, Some(score), settings.sprt.as_ref()).join("\n");
        let lines = lines.replace("NaN", "nan");
        format!("{rule}\nResults of {one} vs {other} ({terms}, {threads}, {hash}{book}):\n{lines}\n{rule}\n")
    }

    fn cutechess(&self, score: &Counts, state: &MatchState) -> String {
        let mut text = String::new();
        let white = state.scoreboard.standings.get(&0).map_or([0; 3], |standing| standing.with_white);
        let [losses, draws, wins] = score.games;
        let black = [losses - white[0], draws - white[1], wins - white[2]];
        let mut line = |what: String, [losses, draws, wins]: [u64; 3]| {
            let games = losses + draws + wins;
            if games > 0 {
                let share = (wins as f64 + draws as f64 / 2.0) / games as f64;
                let _ = writeln!(text, "...      {what}: {wins} - {losses} - {draws}  [{share:.3}] {games}");
            }
        };
        line(format!("{} playing White", self.names[0]), white);
        line(format!("{} playing Black", self.names[0]), black);
        line("White vs Black".to_owned(), [white[0] + black[2], draws, white[2] + black[0]]);
        let single = Counts::trinomial(losses, draws, wins);
        let e = estimate(&single);
        let superiority = cumulative((wins as f64 - losses as f64) / ((wins + losses).max(1) as f64).sqrt());
        let _ = writeln!(
            text,
            "Elo difference: {:.1} +/- {:.1}, LOS: {:.1} %, DrawRatio: {:.1} %",
            e.elo,
            e.elo_error,
            superiority * 100.0,
            e.draw_ratio.unwrap_or_default() * 100.0
        );
        if let Some(test) = &self.tournament.settings.sprt {
            let status = test.status(&single);
            let percent = status.llr / status.upper * 100.0;
            let _ = write!(
                text,
                "SPRT: llr {} ({percent:.1}%), lbound {}, ubound {}",
                three_digits(status.llr),
                three_digits(status.lower),
                three_digits(status.upper)
            );
            text += match state.decided.or_else(|| status.decided()) {
                Some(true) => " - H1 was accepted\n",
                Some(false) => " - H0 was accepted\n",
                None => "\n",
            };
        }
        text
    }

    /// The table of more than two engines.
    fn ranking(&self, scoreboard: &Scoreboard) -> String {
        let longest = self.names.iter().map(String::len).max().unwrap_or_default().max(25);
        let fast = self.program == Imitated::Fastchess;
        let mut text = if fast {
            let columns = ["Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"];
            let columns: String = columns.iter().map(|column| format!(" {column:>10}")).collect();
            format!("{:<4} {:<longest$}{columns} {:>20}\n", "Rank", "Name", "Ptnml(0-2)")
        } else {
            let columns = ["Elo", "+/-", "Games", "Score", "Draw"];
            let columns: String = columns.iter().map(|column| format!("{column:>7} ")).collect();
            format!("{:>4} {:<25} {columns}\n", "Rank", "Name")
        };
        for (rank, engine) in scoreboard.ranking().into_iter().enumerate() {
            let counts = scoreboard.all_scores(engine);
            let (e, games, name) = (estimate(&counts), counts.games_played(), &self.names[engine]);
            let share = e.score * 100.0;
            let drawn = e.draw_ratio.unwrap_or_default() * 100.0;
            let _ = if fast {
                let pairs = if counts.paired() { format!("{:?}", counts.pairs) } else { String::new() };
                writeln!(
                    text,
                    "{:>4} {name:<longest$} {:>10.2} {:>10.2} {:>10.2} {:>10.2} {games:>10} {share:>9.1}% {drawn:>9.1}% {pairs:>20}",
                    rank + 1,
                    e.elo,
                    e.elo_error,
                    e.normalized,
                    e.normalized_error
                )
            } else {
                let (rank, elo, error) = (rank + 1, e.elo, e.elo_error);
                writeln!(
                    text,
                    "{rank:>4} {name:<25} {elo:>7.0} {error:>7.0} {games:>7} {share:>6.1}% {drawn:>6.1}% "
                )
            };
        }
        if fast {
            let rule = "-".repeat(50);
            return format!("{rule}\n{text}{rule}\n");
        }
        text
    }
}

/// How long the match took, and an empty line.
fn total_time(time: Duration) -> String {
    let seconds = time.as_secs();
    let [hours, minutes] = [seconds / 3600, seconds / 60 % 60];
    format!("Total Time: {hours:02}:{minutes:02}:{:02} (hours:minutes:seconds)\n\n", seconds % 60)
}

/// Three significant digits, as C's `%.3g` writes them for the numbers of a test.
fn three_digits(number: f64) -> String {
    let before = if number == 0.0 { 0 } else { number.abs().log10().floor() as i32 };
    let decimals = usize::try_from(2 - before).unwrap_or_default();
    let text = format!("{number:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The limits of a player as fastchess writes them.
fn terms(limits: &Limits) -> String {
    match (limits.control, limits.depth, limits.nodes) {
        (TimeControl::PerTurn { time }, ..) => format!("{}/move", time.as_secs_f64()),
        (TimeControl::Untimed, Some(depth), _) => format!("{depth} plies"),
        (TimeControl::Untimed, None, Some(nodes)) => format!("{nodes} nodes"),
        (control, ..) => control.to_string(),
    }
}

/// Why the game is over, in the words of the program.
fn reason(program: Imitated, game: &GameRecord) -> String {
    let fast = program == Imitated::Fastchess;
    let [winner, loser] = match game.result.as_str() {
        "1-0" => ["White", "Black"],
        _ => ["Black", "White"],
    };
    match game.termination {
        Termination::WinAdjudication | Termination::ExactAdjudication => {
            format!("{winner} wins by adjudication")
        }
        Termination::DrawAdjudication | Termination::LengthAdjudication => "Draw by adjudication".to_owned(),
        Termination::TimeForfeit if !fast => format!("{loser} loses on time"),
        Termination::IllegalMove | Termination::NoMove if fast => format!("{loser} makes an illegal move"),
        Termination::IllegalMove => {
            let text = game.reason.split(" (").next().unwrap_or_default();
            ascii(text)
        }
        Termination::Disconnect | Termination::Unfit => format!("{loser} disconnects"),
        Termination::Stall => format!("{loser}'s connection stalls"),
        _ => match game.reason.as_str() {
            "Stalemate" => "Draw by stalemate".to_owned(),
            "Insufficient material" => "Draw by insufficient mating material".to_owned(),
            "Threefold repetition" => "Draw by 3-fold repetition".to_owned(),
            "Fifty moves without capture or pawn move" => "Draw by fifty moves rule".to_owned(),
            other => ascii(other),
        },
    }
}

/// The text in ASCII: who reads these lines expects no more.
fn ascii(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii() && !c.is_ascii_control() { c } else { '?' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::scoreboard_tests_game as game;

    #[test]
    fn numbers_of_a_test_have_three_digits() {
        for (number, text) in [
            (2.944_44, "2.94"),
            (-2.944_44, "-2.94"),
            (0.0, "0"),
            (0.012_34, "0.0123"),
            (0.5, "0.5"),
            (12.34, "12.3"),
        ] {
            assert_eq!(three_digits(number), text);
        }
    }

    #[test]
    fn the_time_of_a_match_is_told_as_fastchess_tells_it() {
        let text = total_time(Duration::from_millis(4 * 3_600_000 + 5 * 60_000 + 6_999));
        assert_eq!(text, "Total Time: 04:05:06 (hours:minutes:seconds)\n\n");
    }

    #[test]
    fn reasons_are_theirs() {
        let (fast, cute) = (Imitated::Fastchess, Imitated::Cutechess);
        for (program, result, termination, own, theirs) in [
            (fast, "0-1", Termination::Stall, "White stalls", "White's connection stalls"),
            (
                fast,
                "1-0",
                Termination::IllegalMove,
                "Black makes an illegal move: é9ü (why)",
                "Black makes an illegal move",
            ),
            (
                cute,
                "1-0",
                Termination::IllegalMove,
                "Black makes an illegal move: é9ü (why)",
                "Black makes an illegal move: ?9?",
            ),
            (
                cute,
                "1-0",
                Termination::WinAdjudication,
                "Black loses by adjudication",
                "White wins by adjudication",
            ),
            (
                cute,
                "0-1",
                Termination::TimeForfeit,
                "White loses on time (5ms overrun)",
                "White loses on time",
            ),
            (
                fast,
                "0-1",
                Termination::TimeForfeit,
                "White loses on time (5ms overrun)",
                "White loses on time (5ms overrun)",
            ),
            (fast, "1/2-1/2", Termination::Normal, "Stalemate", "Draw by stalemate"),
            (fast, "1-0", Termination::Normal, "White mates", "White mates"),
        ] {
            let record = GameRecord { termination, reason: own.to_owned(), ..game(1, [0, 1], result) };
            assert_eq!(reason(program, &record), theirs);
        }
    }
}
