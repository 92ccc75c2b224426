//! The commands `carom sprt`, `carom elo` and `carom rating`.

use super::{bad_input, unreadable};
use crate::base::without_controls;
use crate::pgn::{FinishedGame, find_pairs, read_pgn};
use crate::statistics::{Counts, LlrLine, Method, Model, Ratings, Sprt, Verdict, estimate, rate, summary};
use clap::{ArgGroup, Args, ValueEnum};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("counts").args(["penta", "tri"]).multiple(true).required(true))]
struct Results {
    /// Pairs of games (one opening, colours swapped) by the first player's half points; DD holds WL as well
    #[arg(long, value_name = "LL,LD,DD,DW,WW", allow_hyphen_values = true)]
    penta: Option<String>,
    /// Games lost, drawn and won by the first player; beside --penta those of the pairs
    #[arg(long, value_name = "L,D,W", allow_hyphen_values = true)]
    tri: Option<String>,
    /// One JSON object, with every digit
    #[arg(long)]
    json: bool,
}

impl Results {
    fn counts(&self) -> anyhow::Result<Counts> {
        let option = |name: &'static str| move |error| bad_input(format!("--{name}: {error}"));
        let pairs = self.penta.as_deref().map(Counts::read_pairs).transpose().map_err(option("penta"))?;
        let games = self.tri.as_deref().map(Counts::read_games).transpose().map_err(option("tri"))?;
        match (pairs, games) {
            (Some(pairs), Some(games)) => Counts::both(pairs, games).map_err(bad_input),
            (Some(pairs), None) => Ok(Counts::pentanomial(pairs)),
            (None, Some([losses, draws, wins])) => Ok(Counts::trinomial(losses, draws, wins)),
            (None, None) => Err(bad_input("--penta or --tri is needed")),
        }
    }
}

/// JSON has no infinity, which means that the denominator is 0.
fn ratio(value: Option<f64>) -> Value {
    match value {
        Some(value) if value.is_infinite() => json!("inf"),
        value => json!(value),
    }
}

fn counted(counts: &Counts) -> Value {
    let [losses, draws, wins] = counts.games;
    let mut object = json!({ "played": counts.games_played(), "points": counts.points() });
    if !counts.evens_assumed {
        object["losses"] = json!(losses);
        object["draws"] = json!(draws);
        object["wins"] = json!(wins);
    }
    if counts.paired() {
        object["pairs"] = json!(counts.pairs);
    }
    object
}

#[derive(Args, Debug)]
pub struct Elo {
    #[command(flatten)]
    results: Results,
}

impl Elo {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let counts = self.results.counts()?;
        if self.results.json {
            let e = estimate(&counts);
            let object = json!({
                "games": counted(&counts),
                "score": e.score,
                "elo": e.elo,
                "elo_error": e.elo_error,
                "normalized": e.normalized,
                "normalized_error": e.normalized_error,
                "los": e.superiority,
                "draw_ratio": e.draw_ratio,
                "pairs_ratio": ratio(e.pairs_ratio),
                "split_ratio": ratio(e.split_ratio),
            });
            return Ok(writeln!(out, "{object}")?);
        }
        Ok(writeln!(out, "{}", summary(&counts, Some(&counts), None).join("\n"))?)
    }
}

#[derive(Args, Debug)]
pub struct SprtTest {
    #[command(flatten)]
    results: Results,
    /// What the bounds' Elo are: normalized, logistic or bayeselo
    #[arg(long, default_value = "normalized")]
    model: String,
    /// Elo of H0, the first player's over the second's
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo0: f64,
    /// Elo of H1
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo1: f64,
    /// Share of tests that accept H1 although H0 is true
    #[arg(long, default_value_t = 0.05, allow_negative_numbers = true)]
    alpha: f64,
    /// Share of tests that accept H0 although H1 is true
    #[arg(long, default_value_t = 0.05, allow_negative_numbers = true)]
    beta: f64,
}

impl SprtTest {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let model: Model = self.model.parse().map_err(bad_input)?;
        let sprt = Sprt::new(model, self.elo0, self.elo1, self.alpha, self.beta).map_err(bad_input)?;
        let counts = self.results.counts()?;
        let status = sprt.status(&counts);
        let assumed = model == Model::BayesElo && counts.evens_assumed;
        if self.results.json {
            let mut object = json!({
                "games": counted(&counts),
                "model": model.to_string(),
                "elo0": self.elo0,
                "elo1": self.elo1,
                "alpha": self.alpha,
                "beta": self.beta,
                "llr": status.llr,
                "lower": status.lower,
                "upper": status.upper,
                "verdict": status.verdict.to_string(),
            });
            if assumed {
                object["even_pairs"] = json!("two draws each");
            }
            return Ok(writeln!(out, "{object}")?);
        }
        writeln!(out, "{}", LlrLine(&sprt, &status))?;
        let sample = match (counts.paired(), counts.pairs_played(), counts.games_played()) {
            (true, 1, _) => "1 pair".to_owned(),
            (true, pairs, _) => format!("{pairs} pairs"),
            (false, _, 1) => "1 game".to_owned(),
            (false, _, games) => format!("{games} games"),
        };
        writeln!(
            out,
            "Exactly: {:.6} between {:.6} and {:.6}, {model}, {sample}",
            status.llr, status.lower, status.upper
        )?;
        let [elo0, elo1] = sprt.elo();
        match status.verdict {
            Verdict::Accept => writeln!(out, "H1 was accepted: {elo1} Elo or more")?,
            Verdict::Reject => writeln!(out, "H0 was accepted: {elo0} Elo or less")?,
            Verdict::Continue => writeln!(out, "Neither was accepted: go on")?,
        }
        if assumed {
            writeln!(out, "Even pairs were taken for two draws each; --tri beside --penta tells them apart")?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MethodName {
    /// Expected scores of logistic Elo, a draw half a win and half a loss (as Ordo)
    Logistic,
    /// Wins, draws and losses in BayesElo's model, the draw Elo taken from the games
    Bayeselo,
}

#[derive(Args, Debug)]
pub struct Rating {
    /// PGN files of any game; White, Black and Result count, and Round and FEN, which say what games are
    /// pairs
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What likelihood is made greatest
    #[arg(long, value_enum, default_value = "logistic")]
    model: MethodName,
    /// Estimate what moving first is worth, too
    #[arg(long)]
    advantage: bool,
    /// One JSON object, with every digit
    #[arg(long)]
    json: bool,
}

impl Rating {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut found = 0;
        let mut finished = Vec::new();
        for file in &self.files {
            let bytes = std::fs::read(file).map_err(|error| unreadable(file, &error))?;
            for game in read_pgn(&String::from_utf8_lossy(&bytes)).filter(|game| !game.tags.is_empty()) {
                found += 1;
                finished.extend(FinishedGame::read(&game));
            }
        }
        let method = match self.model {
            MethodName::Logistic => Method::Logistic,
            MethodName::Bayeselo => Method::BayesElo,
        };
        let count = finished.len();
        let pairs = find_pairs(&finished);
        let games = finished.iter().map(|game| (game.white.as_str(), game.black.as_str(), game.points));
        let ratings = rate(games, &pairs, method, self.advantage).map_err(bad_input)?;
        if self.json { json_table(out, &ratings, count, found) } else { table(out, &ratings, count, found) }
    }
}

fn json_table(out: &mut impl Write, ratings: &Ratings, count: usize, found: usize) -> anyhow::Result<()> {
    let players: Vec<Value> = ratings
        .players
        .iter()
        .map(|player| {
            let [losses, draws, wins] = player.games;
            json!({
                "name": player.name,
                "elo": player.elo,
                "error": player.error,
                "losses": losses,
                "draws": draws,
                "wins": wins,
                "points": player.points(),
            })
        })
        .collect();
    let object = json!({
        "players": players,
        "games": count,
        "left_out": found - count,
        "advantage": ratings.advantage,
        "draw_elo": ratings.draw_elo,
        "scale": ratings.scale,
        "virtual_draws": ratings.virtual_draws,
        "pairs": ratings.pairs,
    });
    Ok(writeln!(out, "{object}")?)
}

fn table(out: &mut impl Write, ratings: &Ratings, count: usize, found: usize) -> anyhow::Result<()> {
    let width = ratings.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max(4);
    writeln!(
        out,
        "{:>4} {:width$} {:>8} {:>7} {:>7} {:>9} {:>7} {:>7}",
        "Rank", "Name", "Elo", "+/-", "Games", "Points", "Score", "Draws"
    )?;
    for (rank, player) in (1..).zip(&ratings.players) {
        let played = player.played().max(1) as f64;
        let (score, draws) = (player.points() / played * 100.0, player.games[1] as f64 / played * 100.0);
        let name = without_controls(&player.name);
        writeln!(
            out,
            "{rank:>4} {name:width$} {:>8.1} {:>7.1} {:>7} {:>9.1} {score:>6.1}% {draws:>6.1}%",
            player.elo,
            player.error,
            player.played(),
            player.points(),
        )?;
    }
    if let Some(advantage) = ratings.advantage {
        writeln!(out, "Moving first is worth {advantage:.1} Elo")?;
    }
    if let Some(draw_elo) = ratings.draw_elo {
        writeln!(out, "Draw Elo {draw_elo:.1}, ratings scaled by {:.4}", ratings.scale)?;
    }
    if ratings.virtual_draws {
        writeln!(
            out,
            "The results alone do not hold the ratings together (somebody won or lost everything, or never met the \
             others): each player got one draw against a player of rating 0"
        )?;
    }
    match ratings.pairs {
        Some(1) => writeln!(out, "The margins are those of 1 pair of games")?,
        Some(pairs) => writeln!(out, "The margins are those of {pairs} pairs of games")?,
        None => writeln!(out, "The margins are those of single games")?,
    }
    let games = if count == 1 { "1 game".to_owned() } else { format!("{count} games") };
    writeln!(out, "{games}, {} left out (no result, or a player without a name)", found - count)?;
    Ok(())
}
