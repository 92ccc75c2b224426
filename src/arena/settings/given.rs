//! The settings of a match as they are given, each described in one place.

use super::key::keys;
use crate::arena::schedule::Policy;
use crate::client::{PositionFormat, Protocol};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;

keys! {
    /// What is played and by which rules, limits and tests.
    #[derive(Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
    pub struct MatchKeys {
        "" {
            game: Option<String>, "NAME", Games, "Which game (see `carom games`) [chess]";
            rule: Vec<String>, "SWITCH[=VALUE]", Games, "Set a rule switch of the game";
            rounds: Option<u64>, "N:1..1000000000", Games, "Rounds [1]";
            games: Option<u64>, "N:1..1000000000", Games, "Games of an encounter in each round [2]";
            repeat: Option<u64>, "[N]:1..1000000000", Games,
                "Games in a row that share an opening, colours changed [2]";
            duplicate: bool, "", Games,
                "They share dice and cards as well; every engine is then started anew for each game";
            noswap: bool, "", Games, "Do not change colours";
            reverse: bool, "", Games, "Begin each encounter with the other colours";
            tournament: Option<String>, "FORM", Games,
                "roundrobin, gauntlet, pyramid, swiss or knockout [roundrobin]";
            seeds: Option<usize>, "N:1..", Games, "How many engines run the gauntlet [1]";
            seed: Option<String>, "TEXT", Games,
                "Seed of openings, dice and cards, any text or number; others can see it on the command line; 0: a new one [0]";
            position: Option<String>, "TEXT", Games, "Position to begin with [the start]";
            maxmoves: Option<u64>, "N", Games, "Draw after so many turns of each player";
            most_turns as "most-turns": Option<u64>, "N", Games,
                "Draw after so many turns of both together; 0: never [1000]";
        }
        groups {
            engine: Vec<EngineKeys>;
            each: EngineKeys;
            referee: Option<RefereeKeys>;
            openings: Option<OpeningsFile>;
            draw: Option<DrawKeys>;
            resign: Option<ResignKeys>;
            exact: Option<ExactKeys>;
            sprt: Option<SprtKeys>;
            report: ReportKeys;
        }
    }
}

keys! {
    /// What to write and show, and how much to play at once.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct Records {
        "" {
            concurrency: Option<usize>, "N:1..1024", Records, "Games at the same time [1]";
            wait: Option<u64>, "MS:0..1000000000", Records,
                "Wait between two games of a worker, in milliseconds [0]";
            #[serde(rename = "use-affinity")]
            affinity as "use-affinity": Option<String>, "[CPUS]", Records,
                "Keep the engines of each game on a processor of their own; 3,5,7-11: on these (Linux) [all]";
            shard: Option<Shard>, "I/N", Records, "Play the I-th of N parts of the match (see `carom merge`)";
            journal: Option<PathBuf>, "FILE", Records,
                "Keep everything in this file (JSON Lines) and go on from it if it exists";
            epdout: Option<PathBuf>, "FILE", Records, "Write final positions as EPD";
            html: Option<PathBuf>, "FILE", Records, "Write a cross table as a web page";
            event: Option<String>, "TEXT", Records, "Name of the event, for PGN [Carom match]";
            site: Option<String>, "TEXT", Records, "Name of the place, for PGN [?]";
            ratinginterval: Option<u64>, "N", Records,
                "Tell the state after so many games; 0: only at the end [10]";
            scoreinterval: Option<u64>, "N", Records,
                "Tell the score of two engines after so many games; 0: only at the end [1]";
            imitate: Option<Imitated>, "fastchess|cutechess", Records,
                "Take defaults and print lines as this program does; `carom fastchess` says the same";
            recover: bool, "", Records,
                "Go on after an engine has ended or hangs; without -imitate a match always does";
            strict: bool, "", Records, "The first warning ends the match with exit code 1";
            debug: Option<String>, "[all]", Records,
                "Write what engines are sent and say to the log; all: engines in their debug mode, too";
            watch: bool, "", Records, "Draw the running game";
            quiet: bool, "", Records, "Tell results only";
            check: bool, "", Records, "Read the settings, tell what they ask for, and play nothing";
        }
        groups { pgnout: Option<PgnOut>; output: OutputKeys; }
    }
}

keys! {
    /// The values given for one engine, or for all of them.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct EngineKeys {
        "engine" {
            name: Option<String>, "TEXT", Games, "What to call it [its own name]";
            cmd: Option<String>, "COMMAND", Machine,
                "How to start it, as a shell would (`ssh host carom`); `carom` is this program";
            arg: Vec<String>, "TEXT", Machine, "One more argument of the command";
            dir: Option<PathBuf>, "FOLDER", Machine, "The folder it runs in";
            env as "env.NAME": Vec<String>, "TEXT", Machine, "A variable of its environment";
            conf: Option<String>, "NAME", Machine,
                "Its settings in cutechess's engines.json, here or where cutechess keeps it";
            stderr: Option<PathBuf>, "FILE", Machine, "Append its standard error to a file; `none`: nowhere";
        }
        "each" {
            #[serde(deserialize_with = "protocol")]
            proto: Option<Protocol>, "uci|cecp|ugi|usi|ucci", Machine, "Its protocol [found by trying the first three]";
            tc: Option<String>, "TC", Games,
                "[TURNS/]SECONDS or MINUTES:SECONDS, +INCREMENT; 60hg: hourglass; inf [10+0.1]";
            st: Option<f64>, "SECONDS", Games, "Time for each turn, instead of tc";
            nodes: Option<u64>, "N:1..", Games, "Search no more positions; without tc there is no clock";
            depth: Option<u64>, "N:1..", Games, "Search no deeper; without tc there is no clock";
            timemargin: Option<u64>, "MS:0..1000000000", Games,
                "How far the flag may fall before it counts, in milliseconds [50]";
            ponder: Option<bool>, "BOOL", Games, "Let it think on the opponent's time [false]";
            option as "option.NAME": Vec<String>, "VALUE", Games, "Set an option of the engine";
            variant: Option<String>, "NAME", Games, "The name it knows the game by";
            positions: Option<PositionFormat>, "own|fen", Games,
                "How it reads positions; fen: board, side, `- - 0 1` [own]";
            init: Vec<String>, "LINE", Games, "A line to send after the handshake";
            debug: Option<bool>, "BOOL", Games, "Send it `debug on` [false]";
            whitepov: Option<bool>, "BOOL", Games, "Its scores are White's, not its own [false]";
            restart: Option<bool>, "on|off", Games, "Start it anew for each game [off]";
            start: Option<f64>, "SECONDS", Machine, "How long it may take to start [10]";
            ready: Option<f64>, "SECONDS", Machine, "How long it may take to get ready [15]";
            hang: Option<f64>, "SECONDS", Machine, "How long it is waited for after its flag fell [10]";
            silence: Option<f64>, "SECONDS", Machine, "How long it may be silent when it has no clock [600]";
            tscale: Option<f64>, "FACTOR", Machine, "Multiplies start, ready, hang, silence and quit [1]";
            quit: Option<f64>, "SECONDS", Machine, "How long it may take to leave [2]";
        }
    }
}

keys! {
    /// The engine that knows the rules of a game which Carom does not know.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct RefereeKeys {
        "referee" {
            cmd: Option<String>, "COMMAND", Machine,
                "How to start it: Fairy-Stockfish, or an engine that has `go perft` and speaks UCI and XBoard";
            engines: bool, "", Games,
                "The engines that play say how a game ends, in UGI or the XBoard protocol, and which turns are illegal";
            variant: Option<String>, "NAME", Games, "The name it knows the game by [that of -game]";
            option as "option.NAME": Vec<String>, "VALUE", Games, "Set an option of it, such as VariantPath";
            repetition: Option<String>, "TIMES", Games,
                "A position that has stood so often is a draw; none: never, unless it says so itself [3]";
            perpetual: Option<bool>, "BOOL", Games,
                "The side that gave check in all its turns between repetitions loses [false]";
            moves: Option<u32>, "N:1..4294967295", Games,
                "A draw after N turns of each side that the position's counter counts, 50 in most kinds of chess [never]";
        }
    }
}

keys! {
    /// The file of openings and how to use it.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct OpeningsFile {
        "openings" {
            file: PathBuf, "FILE", Games, "Positions, EPD, lists of turns, or PGN";
            format: Option<OpeningsFormat>, "epd|pgn", Games,
                "What the file holds; epd: a line each of all but PGN [pgn where the file ends in .pgn]";
            #[serde(default)]
            order: Order, "random|sequential", Games, "[sequential]";
            policy: Option<Policy>, "default|encounter|round", Games,
                "A new opening for each encounter and repetition, for each encounter, or for each round [all encounters of a round share openings]";
            start: Option<u64>, "N:1..1000000000", Games, "Begin with the N-th opening [1]";
            plies: Option<usize>, "N", Games, "Play only so many turns of each";
        }
    }
}

keys! {
    /// When to call a game a draw.
    #[derive(Clone, Copy, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct DrawKeys {
        "draw" {
            movenumber: Option<u32>, "N:0..4294967295", Games, "Not before this turn [40]";
            movecount: Option<u32>, "N:0..4294967295", Games, "Turns of each player in a row [8]";
            score: Option<i32>, "CP", Games, "No score further from zero, in centipawns [10]";
        }
    }
}

keys! {
    /// When to call a game lost.
    #[derive(Clone, Copy, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct ResignKeys {
        "resign" {
            movecount: Option<u32>, "N:0..4294967295", Games, "Turns of the loser in a row [4]";
            score: Option<i32>, "CP", Games, "No score above minus this [600]";
            twosided: Option<bool>, "BOOL", Games, "The winner must see it as well [false]";
        }
    }
}

keys! {
    /// How far to look for a forced win.
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct ExactKeys {
        "exact" {
            turns: Option<u32>, "N:1..30", Games, "Turns of both together to look ahead [3]";
            positions: Option<u64>, "N", Games, "Positions to look at after each turn [20000]";
        }
    }
}

keys! {
    /// The sequential test.
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct SprtKeys {
        "sprt" {
            elo0: Option<f64>, "ELO", Games, "The null hypothesis";
            elo1: Option<f64>, "ELO", Games, "The alternative";
            alpha: Option<f64>, "P", Games, "Risk of a false acceptance [0.05]";
            beta: Option<f64>, "P", Games, "Risk of a false rejection [0.05]";
            model: Option<String>, "normalized|logistic|bayeselo", Games, "[normalized]";
        }
    }
}

keys! {
    /// What the report counts.
    #[derive(Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct ReportKeys {
        "report" {
            penta: Option<bool>, "BOOL", Games,
                "Count pairs of games, in the sequential test too; false: single games [true]";
        }
    }
}

keys! {
    /// The program whose lines are printed.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct OutputKeys {
        "output" {
            format: Option<Imitated>, "fastchess|cutechess", Records, "Print lines as this program does";
        }
    }
}

keys! {
    /// How games are written as PGN.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct PgnOut {
        "pgnout" {
            file: PathBuf, "FILE", Records, "The file; games are added at its end";
            notation: Option<String>, "san|lan|uci", Records, "How chess turns are written [san]";
            append: Option<bool>, "BOOL", Records,
                "false: begin the file anew, if there is nothing but games in it [true]";
            #[serde(default)]
            min: bool, "BOOL", Records, "No comments [false]";
            #[serde(default)]
            nodes: bool, "BOOL", Records,
                "Positions searched in the comments, as fastchess writes them: n=5000 [false]";
            #[serde(default)]
            seldepth: bool, "BOOL", Records,
                "Plies of the longest line searched in the comments: sd=12 [false]";
            #[serde(default)]
            nps: bool, "BOOL", Records, "Positions a second in the comments: nps=50000 [false]";
            #[serde(default)]
            hashfull: bool, "BOOL", Records,
                "How full the hash table is, in thousandths: hashfull=120 [false]";
            #[serde(default)]
            tbhits: bool, "BOOL", Records, "Positions found in endgame tables: tbhits=3 [false]";
            #[serde(default)]
            timeleft: bool, "BOOL", Records, "What is left on the clock: tl=9.900s [false]";
            #[serde(default)]
            latency: bool, "BOOL", Records,
                "How much longer the turn took by our clock than by the engine's: latency=0.001s [false]";
            #[serde(default)]
            pv: bool, "BOOL", Records, "The line that the engine expects: pv=\"e2e4 e7e5\" [false]";
            #[serde(default)]
            match_line: Vec<String>, "REGEX", Records,
                "Lines of the engine that this regular expression finds: line=\"…\"";
        }
    }
}

/// The format of a file of openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningsFormat {
    /// A position, EPD or list of turns on each line.
    Epd,
    /// Games in PGN.
    Pgn,
}

impl OpeningsFile {
    /// The format, as given or by the file's name.
    pub fn format(&self) -> OpeningsFormat {
        let is_pgn = self.file.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
        self.format.unwrap_or(if is_pgn { OpeningsFormat::Pgn } else { OpeningsFormat::Epd })
    }
}

/// The order in which openings are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// The most parts of a match.
const MOST_PARTS: u64 = 1_000_000;

/// A part of a match, to be played on a machine of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Shard {
    /// The number of the part, from 1 on.
    pub part: u64,
    /// The number of parts.
    pub parts: u64,
}

impl Shard {
    /// True when this pair of games belongs to the part.
    pub const fn has(self, pair: u64) -> bool {
        pair.wrapping_sub(1) % self.parts == self.part - 1
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        let shard = numbers.map(|(part, parts)| Self { part, parts });
        shard
            .filter(|shard| shard.parts <= MOST_PARTS && (1..=shard.parts).contains(&shard.part))
            .ok_or_else(|| format!("-shard {text}: it must be I/N with I from 1 to N, and N to {MOST_PARTS}"))
    }
}

/// Another match runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Imitated {
    /// <https://github.com/Disservin/fastchess>, version 1.8.
    Fastchess,
    /// <https://github.com/cutechess/cutechess>, its command line, version 1.4.
    Cutechess,
}

impl Imitated {
    /// The program of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "fastchess" => Some(Self::Fastchess),
            "cutechess" => Some(Self::Cutechess),
            _ => None,
        }
    }
}

/// Reads the name of a protocol.
fn protocol<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Protocol>, D::Error> {
    let name = String::deserialize(value)?;
    let unknown = || D::Error::unknown_variant(&name, &["uci", "cecp", "ugi", "usi", "ucci"]);
    Protocol::named(&name).map(Some).ok_or_else(unknown)
}

impl EngineKeys {
    /// These settings, and those of `base` where they say nothing about how the engine is started and driven.
    pub fn over(&self, base: &Self) -> Self {
        let or = |own: &Option<String>, base: &Option<String>| own.as_ref().or(base.as_ref()).cloned();
        let or_path = |own: &Option<PathBuf>, base: &Option<PathBuf>| own.as_ref().or(base.as_ref()).cloned();
        Self {
            name: or(&self.name, &base.name),
            cmd: or(&self.cmd, &base.cmd),
            arg: [base.arg.as_slice(), &self.arg].concat(),
            dir: or_path(&self.dir, &base.dir),
            env: [base.env.as_slice(), &self.env].concat(),
            stderr: or_path(&self.stderr, &base.stderr),
            proto: self.proto.or(base.proto),
            option: [base.option.as_slice(), &self.option].concat(),
            init: [base.init.as_slice(), &self.init].concat(),
            ponder: self.ponder.or(base.ponder),
            debug: self.debug.or(base.debug),
            whitepov: self.whitepov.or(base.whitepov),
            tscale: self.tscale.or(base.tscale),
            restart: self.restart.or(base.restart),
            ..self.clone()
        }
    }
}
