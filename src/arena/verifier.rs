//! Verifies the games of a journal: what follows from the settings, the number of a game and the rules must
//! be what is recorded.
//!
//! The settings and the number decide who plays whom, from which opening and with which seed. The turns are
//! played again and the dice and cards drawn again. Where the rules or the scores ended a game, they must end
//! it again, in the same way and place. What only the engines and clocks of that day knew (that a process
//! ended, that time ran out) is believed, but not which player it happened to.

use super::game::check;
use super::journal::{Header, VERSION};
use super::schedule::{Next, Results};
use super::{Adjudicator, OpeningBook, SearchInfo, Settings, referee};
use crate::base::Color;
use crate::client::Score;
use crate::game::Actor;
use crate::notation::parse_token;
use crate::pgn::{Ending, GameRecord, Termination};
use crate::session::Session;
use crate::session::chance::Chance;
use crate::session::parts::is_chance;
use std::sync::atomic::AtomicBool;

/// What is wrong with a game of a journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameFault {
    /// The match has no game of this number.
    #[error("the match has no such game")]
    NoSuchGame,
    /// The settings and the number lead to another value.
    #[error("its {what} is {found} where the settings say {expected}")]
    Settings {
        /// What the value is.
        what: &'static str,
        /// The value in the journal.
        found: String,
        /// The value that follows from the settings.
        expected: String,
    },
    /// The rules refuse its first position.
    #[error("its first position: {0}")]
    Position(String),
    /// The rules refuse a turn, or another player made it.
    #[error("turn {number} ({token}): {reason}")]
    Turn {
        /// The number of the turn, from 1 on.
        number: usize,
        /// The turn as a token.
        token: String,
        /// Why it is wrong.
        reason: String,
    },
    /// By the rules or the scores the game ends otherwise.
    #[error("it ends {found} where {expected}")]
    Ending {
        /// The ending in the journal.
        found: String,
        /// The ending that follows from the turns.
        expected: String,
    },
}

/// Verifies the games of a match.
pub struct Verifier<'a> {
    settings: &'a Settings,
    header: &'a Header,
    /// The openings, if they are known here.
    book: Option<OpeningBook>,
    session: Box<dyn Session>,
}

/// The largest search for a forced win, in positions, that is repeated.
const MOST_POSITIONS: u64 = 1_000_000;

impl<'a> Verifier<'a> {
    /// A verifier for the match that `header` began, with these settings. Without a book the openings are
    /// believed.
    pub fn new(settings: &'a Settings, header: &'a Header, book: Option<OpeningBook>) -> Self {
        Self { settings, header, book, session: referee(settings.facts, &settings.rules) }
    }

    /// Verifies a game. `results` are those of the games before it, on which the pairings of some formats
    /// depend.
    ///
    /// # Errors
    /// The first thing that is wrong with the game.
    pub fn verify(&mut self, game: &GameRecord, results: &Results) -> Result<(), GameFault> {
        let given = self.verify_pairing(game, results)?;
        self.session.set_chance(Chance::Own { seed: game.seed });
        self.session
            .set_up(game.position.as_deref(), &mut std::iter::empty())
            .map_err(|error| GameFault::Position(error.to_string()))?;
        self.verify_turns(game, given)?;
        self.verify_ending(game, given)?;
        let last = self.session.position().to_string();
        same("last position", &game.last, &last)
    }

    /// Checks what follows from the number. Returns how many turns of the game are its opening.
    fn verify_pairing(&self, game: &GameRecord, results: &Results) -> Result<usize, GameFault> {
        let settings = self.settings;
        let Next::Play(pairing) = settings.schedule.game(game.number, results) else {
            return Err(GameFault::NoSuchGame);
        };
        same("round", game.round, pairing.round)?;
        same("pair", game.pair, pairing.pair)?;
        let name = |place: usize| self.header.names.get(place).map_or("?", String::as_str);
        for (color, what) in Color::ALL.into_iter().zip(["White", "Black"]) {
            let place = pairing.engines[color.index()];
            same(what, name(game.engines[color.index()]), name(place))?;
            same(what, game.names[color.index()].as_str(), name(place))?;
            let control = settings.engines[place].limits.control.to_string();
            same("time control", &game.controls[color.index()], &control)?;
        }
        let said = game.turns.iter().take_while(|turn| turn.2.is_none()).count();
        // Older versions of the journal derived seeds and openings differently.
        if self.header.journal != VERSION {
            return Ok(said);
        }
        same("seed", game.seed, pairing.seed)?;
        let Some(book) = &self.book else { return Ok(said) };
        let opening = book.at(pairing.opening);
        let text =
            |position: &Option<String>| position.clone().unwrap_or_else(|| "the game's own".to_owned());
        same("first position", text(&game.position), text(&opening.position))?;
        same("number of turns from the opening", said, opening.turns.len())?;
        Ok(said)
    }

    /// Plays the turns: those of the opening, then the players'.
    fn verify_turns(&mut self, game: &GameRecord, given: usize) -> Result<(), GameFault> {
        let session = &mut *self.session;
        let mut adjudicator = Adjudicator::default();
        for (index, turn) in game.turns.iter().enumerate() {
            let wrong = |reason: String| GameFault::Turn { number: index + 1, token: turn.0.clone(), reason };
            let Actor::Player(color) = session.actor() else {
                return Err(wrong("nobody is to move".to_owned()));
            };
            if let Some(outcome) = session.outcome() {
                return Err(wrong(format!("the game is over ({outcome})")));
            }
            if turn.1 != color.letter() {
                return Err(wrong(format!("{color} is to move")));
            }
            if (index < given) != turn.2.is_none() {
                return Err(wrong("the opening is over, and nobody says what its player thought".to_owned()));
            }
            // The dice and cards are drawn again.
            let mut said = parse_token(&turn.0).map_err(|error| wrong(error.to_string()))?;
            said.legs.retain(|leg| !is_chance(leg));
            session.play(&said.to_string()).map_err(|error| wrong(error.to_string()))?;
            let played = session.last_token().unwrap_or_default();
            if played != turn.0 {
                return Err(wrong(format!("with this seed it is {played}")));
            }
            let Some(move_info) = &turn.2 else { continue };
            let search_info = SearchInfo { score: score(&move_info.0), ..SearchInfo::default() };
            let last = index + 1 == game.turns.len();
            // A game that ends by agreement or by the rules is not adjudicated any more.
            if last && (game.termination == Termination::Agreement || session.outcome().is_some()) {
                continue;
            }
            let rules = &self.settings.adjudication;
            let adjudicated = adjudicator.after_move(rules, color, &search_info, index + 1);
            let found = last.then(|| ending_of(game));
            match adjudicated {
                Some(ending) if found != Some(words(&ending)) => {
                    return Err(GameFault::Ending {
                        found: found.unwrap_or_else(|| "later".to_owned()),
                        expected: format!("its scores after turn {} say {}", index + 1, words(&ending)),
                    });
                }
                Some(_) => return Ok(()),
                None => {}
            }
        }
        // The scores or the length would have ended it after its last turn.
        let by_length = game.termination == Termination::LengthAdjudication
            && matches!(session.actor(), Actor::Player(_));
        match game.termination {
            Termination::DrawAdjudication | Termination::WinAdjudication => Err(unfounded(game)),
            Termination::LengthAdjudication if by_length => Err(unfounded(game)),
            _ => Ok(()),
        }
    }

    /// Checks what ended the game after its last turn.
    fn verify_ending(&mut self, game: &GameRecord, given: usize) -> Result<(), GameFault> {
        let session = &mut *self.session;
        let must_be = |ending: Ending| {
            let (found, expected) = (ending_of(game), words(&ending));
            if found == expected {
                Ok(())
            } else {
                Err(GameFault::Ending { found, expected: format!("its turns say {expected}") })
            }
        };
        match (game.termination, session.outcome()) {
            (Termination::Agreement, _) => must_be(Ending::draw(Termination::Agreement, "Draw by agreement")),
            (_, Some(outcome)) => must_be(Ending {
                winner: outcome.winner,
                termination: Termination::Normal,
                reason: outcome.reason.to_owned(),
            }),
            (Termination::Normal | Termination::Unterminated, None) => Err(unfounded(game)),
            (Termination::ExactAdjudication, None) => {
                let Some(horizon) = self.settings.adjudication.exact else { return Err(unfounded(game)) };
                if horizon.positions > MOST_POSITIONS {
                    return Ok(());
                }
                match session.forced_win(horizon, &AtomicBool::new(false)) {
                    Some(winner) => must_be(Ending::proved(winner)),
                    None => Err(unfounded(game)),
                }
            }
            // An adjudication was checked with the turns.
            (
                Termination::DrawAdjudication
                | Termination::WinAdjudication
                | Termination::LengthAdjudication,
                None,
            ) => Ok(()),
            // A player broke off: the one to move, or one that could not even begin.
            (_, None) => {
                let loser = game.winner().map(|winner| !winner);
                let begun = game.turns.len() > given;
                let names_loser = |color: Color| game.reason.starts_with(&format!("{color} "));
                let fits = loser.is_some_and(|color| {
                    names_loser(color) && (!begun || session.actor() == Actor::Player(color))
                });
                if !fits {
                    return Err(unfounded(game));
                }
                // Such as `makes an illegal move: e2e5 (…)`.
                let illegal =
                    game.reason.split_once("illegal move: ").and_then(|(_, rest)| rest.split_once(" ("));
                match illegal.filter(|_| game.termination == Termination::IllegalMove) {
                    Some((token, _)) if check(session, token).is_ok() => Err(unfounded(game)),
                    _ => Ok(()),
                }
            }
        }
    }
}

fn same<T: PartialEq + ToString>(what: &'static str, found: T, expected: T) -> Result<(), GameFault> {
    if found == expected {
        return Ok(());
    }
    Err(GameFault::Settings { what, found: found.to_string(), expected: expected.to_string() })
}

/// The ending with all its data, as text.
fn words(ending: &Ending) -> String {
    format!("{} {{{}}} by {}", ending.result(), ending.reason, ending.termination)
}

fn ending_of(game: &GameRecord) -> String {
    format!("{} {{{}}} by {}", game.result, game.reason, game.termination)
}

fn unfounded(game: &GameRecord) -> GameFault {
    GameFault::Ending { found: ending_of(game), expected: "its turns do not say so".to_owned() }
}

/// The score of an opinion such as `+0.15/12` or `-M3/20`.
fn score(opinion: &str) -> Option<Score> {
    let (score, _) = opinion.split_once('/')?;
    let turns = |text: &str| text.parse().ok();
    if let Some(mate) = score.strip_prefix("+M") {
        return turns(mate).map(Score::Wins);
    }
    if let Some(mate) = score.strip_prefix("-M") {
        return turns(mate).map(Score::Loses);
    }
    score.parse::<f64>().ok().map(|pawns| Score::Centipawns((pawns * 100.0).round() as i32))
}
