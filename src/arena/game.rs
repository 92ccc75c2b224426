//! One game and its referee.

use super::player::{Allowance, Answer, Opening, Player};
use super::words::{Word, is_chance, split};
use super::{Clock, Fault, TimeControl};
use crate::base::Color;
use crate::engine::Session;
use crate::game::Actor;
use crate::notation::parse_token;
use std::time::Duration;

/// A finished game.
#[derive(Clone, Debug)]
pub struct Game {
    /// Names, White's first.
    pub names: [String; 2],
    /// The first position as text, if it is not the game's own.
    pub position: Option<String>,
    /// The tokens played, each with what its player thought of it.
    pub answers: Vec<Answer>,
    /// How it ended.
    pub ending: Ending,
}

/// How a game ended, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won; `None` for a draw or an unfinished game.
    pub winner: Option<Color>,
    /// What ended it.
    pub termination: Termination,
    /// The reason in words, with names: `Black stalls`.
    pub reason: String,
}

/// The classes of endings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By the rules of the game.
    Normal,
    /// A player gave up.
    Resignation,
    /// A flag fell.
    TimeForfeit,
    /// A player said something illegal, refused what is legal, or claimed wrongly.
    RulesInfraction,
    /// A process ended.
    Abandoned,
    /// A process did not answer.
    Stalled,
    /// The runner's own limit on the length of games.
    Adjudication,
}

impl Ending {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl std::fmt::Display for Termination {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Normal => "normal",
            Self::Resignation => "resignation",
            Self::TimeForfeit => "time forfeit",
            Self::RulesInfraction => "rules infraction",
            Self::Abandoned => "abandoned",
            Self::Stalled => "stalled connection",
            Self::Adjudication => "adjudication",
        })
    }
}

/// What limits a game.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Both clocks.
    pub control: TimeControl,
    /// How far a flag may have fallen before it counts.
    pub margin: Duration,
    /// Depth to search at most; the clocks still run.
    pub depth: Option<u32>,
    /// Tokens after which the game is called a draw.
    pub most_tokens: usize,
}

/// What a spectator sees after every turn.
pub struct Moment<'a> {
    /// The game, the last turn played.
    pub session: &'a dyn Session,
    /// The last answer; `None` at the start.
    pub last: Option<&'a Answer>,
    /// What the clocks show, White's first.
    pub clocks: [Duration; 2],
}

/// Plays one game in `session`, which stands at its first position. `watch` sees every position.
pub fn play(
    session: &mut dyn Session,
    opening: &Opening<'_>,
    players: [&mut dyn Player; 2],
    limits: &Limits,
    watch: &mut dyn FnMut(&Moment<'_>),
) -> Game {
    let mut clocks = [Clock::new(limits.control); 2];
    let names = [players[0].name().to_owned(), players[1].name().to_owned()];
    let mut answers: Vec<Answer> = Vec::new();
    let mut words: Vec<Word> = Vec::new();
    let allowance = |clocks: &[Clock; 2], color: Color| Allowance {
        own: clocks[color.index()],
        other: clocks[color.other().index()],
        depth: limits.depth,
    };
    // What is hidden from a player is not in the position he is given.
    let whole = session.position();
    let openings = Color::ALL.map(|color| {
        let seen = session.start_for(color);
        let position = if seen == whole { opening.position.clone() } else { Some(seen.to_string()) };
        Opening { position, ..opening.clone() }
    });
    let mut broken = None;
    for color in Color::ALL {
        let begun = players[color.index()].begin(&openings[color.index()], &allowance(&clocks, color));
        if let Err(fault) = begun {
            broken.get_or_insert_with(|| forfeit(color, &fault));
        }
    }
    let ending = loop {
        if let Some(ending) = broken {
            break ending;
        }
        let left = clocks.map(|clock| clock.left());
        watch(&Moment { session, last: answers.last(), clocks: left });
        if let Some(outcome) = session.outcome() {
            break Ending {
                winner: outcome.winner,
                termination: Termination::Normal,
                reason: outcome.reason.to_owned(),
            };
        }
        if answers.len() >= limits.most_tokens {
            let reason = format!("draw by the runner's limit of {} turns", limits.most_tokens);
            break Ending { winner: None, termination: Termination::Adjudication, reason };
        }
        let Actor::Player(color) = session.actor() else {
            let reason = "nobody can decide".to_owned();
            break Ending { winner: None, termination: Termination::Adjudication, reason };
        };
        let opening = &openings[color.index()];
        let answer =
            players[color.index()].answer(session, color, opening, &words, &allowance(&clocks, color));
        let answer = match answer {
            Ok(answer) => answer,
            Err(fault) => break forfeit(color, &fault),
        };
        if !clocks[color.index()].spend(answer.spent, limits.margin) {
            break Ending {
                winner: Some(!color),
                termination: Termination::TimeForfeit,
                reason: format!("{color} loses on time"),
            };
        }
        if let Err(reason) = check(session, &answer.token) {
            break Ending {
                winner: Some(!color),
                termination: Termination::RulesInfraction,
                reason: format!("{color} makes an illegal move: {} ({reason})", answer.token),
            };
        }
        // What is passed on and recorded is the canonical spelling, with what chance made of it.
        let token = session.last_token().unwrap_or_else(|| answer.token.clone());
        words.extend(split(&token, color));
        answers.push(Answer { token, ..answer });
    };
    let line = format!("{} {{{}}}", ending.result(), ending.reason);
    for player in players {
        player.end(&line);
    }
    Game { names, position: opening.position.clone(), answers, ending }
}

/// Plays what a player said, who may not speak for chance.
fn check(session: &mut dyn Session, token: &str) -> Result<(), String> {
    let legs = parse_token(token).map_err(|error| error.to_string())?.legs;
    if legs.iter().any(is_chance) {
        return Err("chance is the referee's to speak for".to_owned());
    }
    session.play(token).map_err(|error| error.to_string())
}

fn forfeit(color: Color, fault: &Fault) -> Ending {
    let termination = match fault {
        Fault::Disconnected => Termination::Abandoned,
        Fault::Stalled => Termination::Stalled,
        Fault::Resigned => Termination::Resignation,
        Fault::NoMove | Fault::FalseClaim(_) | Fault::Refused(_) => Termination::RulesInfraction,
    };
    Ending { winner: Some(!color), termination, reason: format!("{color} {fault}") }
}
