//! One game under its referee.

use super::adjudication::Adjudicator;
use super::claims::Claims;
use super::{Adjudication, Fault};
use super::{Clocks, Limits, MoveReply, MoveRequest, NewGame, Player};
use crate::base::Color;
use crate::client::Said;
use crate::game::{Actor, Facts, Rules};
use crate::notation::{Legs, parse_token};
use crate::pgn::{Ending, Termination};
use crate::pgn::{MoveInfoRecord, TurnRecord};
use crate::session::PlayerClock;
use crate::session::chance::Chance;
use crate::session::parts::{MoveList, Part, is_chance, may_hold_chance, split};
use crate::session::xboard_spelling;
use crate::session::{OpaqueSession, Session, open};
use crate::variants;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Opens a session that is the referee of a game: it knows the rules and draws the dice and cards.
pub fn referee(facts: &'static Facts, rules: &Rules) -> Box<dyn Session> {
    // A game that only another program knows.
    if variants::find(facts.name).is_err() {
        return Box::new(OpaqueSession::new(facts));
    }
    open(facts, rules.clone(), Chance::Referee)
}

/// The terms under which a game is played.
pub struct GameSetup<'a> {
    /// The game and its first position.
    pub new_game: NewGame<'a>,
    /// The opening: the turns already played from that position.
    pub book: &'a [String],
    /// The limits of each player, White's first.
    pub limits: [Limits; 2],
    /// When to end the game early.
    pub adjudication: Adjudication,
    /// The game also ends when the players say so.
    pub claims: bool,
    /// Set when time is short: the search for a forced win is given up, and the game goes on.
    pub hurry: &'a AtomicBool,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The players' names, White's first.
    pub names: [String; 2],
    /// The turns that were played.
    pub turns: Vec<TurnRecord>,
    /// How the game ended.
    pub ending: Ending,
    /// The last position, as text.
    pub last: String,
    /// Whether each player can play another game, White's first.
    pub reusable: [bool; 2],
}

/// What a spectator sees after each turn.
pub struct GameSnapshot<'a> {
    /// The game, after the last turn.
    pub session: &'a dyn Session,
    /// The turns that were played.
    pub turns: &'a [TurnRecord],
    /// The time left on each clock, White's first.
    pub clocks: [Duration; 2],
}

/// A turn of the opening that is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the opening's turn {number} ({token}): {reason}")]
pub struct IllegalOpening {
    /// The number of the turn, from 1 on.
    pub number: usize,
    /// The turn as a token.
    pub token: String,
    /// Why it is not legal.
    pub reason: String,
}

/// Plays one game in `session`, which stands at its first position, and shows every position to `watch`.
///
/// # Errors
/// When the opening is not legal. Anything that the players do is an ending, not an error.
pub fn play(
    session: &mut dyn Session,
    setup: &GameSetup<'_>,
    players: [&mut dyn Player; 2],
    watch: &mut dyn FnMut(&GameSnapshot<'_>),
) -> Result<Game, IllegalOpening> {
    let mut clocks = setup.limits.map(|limits| PlayerClock::new(limits.control));
    let names = [players[0].name().to_owned(), players[1].name().to_owned()];
    // The position a player is given omits what is hidden from that player.
    let whole = session.position();
    let new_games = Color::ALL.map(|color| {
        let seen = session.start_for(color);
        let secret = seen != whole;
        let position = if secret { Some(seen.to_string()) } else { setup.new_game.position.clone() };
        NewGame { position, secret, ..setup.new_game.clone() }
    });
    let mut log = GameLog {
        xboard: players.iter().any(|player| player.reads_xboard()),
        parts: Vec::new(),
        moves: MoveList::default(),
        turns: Vec::new(),
    };
    for (index, token) in setup.book.iter().enumerate() {
        let bad = |reason: String| IllegalOpening { number: index + 1, token: token.clone(), reason };
        let color = session.actor().player().ok_or_else(|| bad("nobody is to move".to_owned()))?;
        session.play(token).map_err(|error| bad(error.to_string()))?;
        log.add(session, token, color, None);
    }
    log.note_roll(session);
    let mut broken = None;
    for color in Color::ALL {
        let seen = clocks_of(&clocks, setup, color);
        if let Err(fault) = players[color.index()].begin(&new_games[color.index()], &seen) {
            broken.get_or_insert_with(|| fault.ending(color));
        }
    }
    let mut claims =
        setup.claims.then(|| Claims::new(Color::ALL.map(|color| players[color.index()].is_mute())));
    let mut adjudicator = Adjudicator::default();
    let mut offer = None;
    let ending = loop {
        if let Some(ending) = broken {
            break ending;
        }
        watch(&GameSnapshot { session, turns: &log.turns, clocks: clocks.map(|clock| clock.left()) });
        if let Some(outcome) = session.outcome() {
            let reason = outcome.reason.to_owned();
            break Ending { winner: outcome.winner, termination: Termination::Normal, reason };
        }
        let Actor::Player(color) = session.actor() else {
            break Ending::draw(Termination::LengthAdjudication, "nobody can decide");
        };
        let own = color.index();
        let heard = log.moves.for_speaker(color);
        let request = MoveRequest {
            session,
            color,
            new_game: &new_games[own],
            parts: &log.parts,
            heard: &heard,
            clocks: clocks_of(&clocks, setup, color),
            draw_offered: offer == Some(!color),
        };
        let reply = match players[own].go(&request) {
            Ok(reply) => reply,
            Err(fault) => {
                let last = session.last_token().filter(|_| session.continuations().is_empty());
                let claimed = claims.as_mut().and_then(|claims| claims.fault(color, &fault, last.as_deref()));
                break claimed.unwrap_or_else(|| fault.ending(color));
            }
        };
        if let Some(ending) = claims.as_mut().and_then(|claims| claims.hear(color, Said::GoesOn)) {
            break ending;
        }
        let left = clocks[own].left();
        if !clocks[own].spend(reply.spent, setup.limits[own].margin) {
            let over = reply.spent.saturating_sub(left).as_millis();
            break Ending::loss(color, Termination::TimeForfeit, format!("loses on time ({over}ms overrun)"));
        }
        clocks[(!color).index()].opponent_spent(reply.spent);
        if let Err(reason) = check(session, &reply.token) {
            let what = format!("makes an illegal move: {} ({reason})", reply.token);
            break Ending::loss(color, Termination::IllegalMove, what);
        }
        let move_info = reply.record(clocks[own].flag());
        log.add(session, &reply.token, color, Some(move_info));
        if let Some(claims) = &mut claims {
            claims.clear();
            let declared = [color, !color].into_iter().find_map(|asked| {
                let request = MoveRequest {
                    session,
                    color: asked,
                    new_game: &new_games[asked.index()],
                    parts: &log.parts,
                    heard: log.moves.for_listener(asked),
                    clocks: clocks_of(&clocks, setup, asked),
                    draw_offered: false,
                };
                match players[asked.index()].ask_end(&request) {
                    Ok(said) => claims.hear(asked, said),
                    Err(fault) => Some(fault.ending(asked)),
                }
            });
            if let Some(ending) = declared {
                break ending;
            }
        }
        if reply.draw && offer == Some(!color) {
            break Ending::draw(Termination::Agreement, "Draw by agreement");
        }
        if reply.draw {
            offer = Some(color);
        } else if offer == Some(!color) {
            offer = None;
        }
        if session.outcome().is_none() {
            let adjudicated =
                adjudicator.after_move(&setup.adjudication, color, &reply.search_info, log.turns.len());
            if let Some(ending) = adjudicated.or_else(|| proved(session, setup)) {
                break ending;
            }
            if let Some(expected) = reply.expects.and_then(|token| expectation(session, color, &token)) {
                let request = MoveRequest {
                    session,
                    color,
                    new_game: &new_games[own],
                    parts: &log.parts,
                    heard: log.moves.for_listener(color),
                    clocks: clocks_of(&clocks, setup, color),
                    draw_offered: false,
                };
                players[own].ponder(&request, &expected);
            }
        }
    };
    let line = format!("{} {{{}}}", ending.result(), ending.reason.replace(['{', '}'], "|"));
    let reusable = players.map(|player| player.end(&line));
    Ok(Game { names, turns: log.turns, ending, last: session.position().to_string(), reusable })
}

fn clocks_of(clocks: &[PlayerClock; 2], setup: &GameSetup<'_>, color: Color) -> Clocks {
    let (own, other) = (clocks[color.index()], clocks[(!color).index()]);
    Clocks { own, other, limits: setup.limits[color.index()] }
}

/// The turn that `color` expects of the other player, in the spelling in which it will be passed on when it
/// is played. `None` when `color` cannot ponder on it: the turn is not legal, does not give `color` the move,
/// ends the game, or the game has dice or cards.
fn expectation(session: &mut dyn Session, color: Color, token: &str) -> Option<String> {
    if session.facts().chance || session.actor() != Actor::Player(!color) || session.play(token).is_err() {
        return None;
    }
    let played = session.last_token();
    let goes_on = session.actor() == Actor::Player(color) && session.outcome().is_none();
    session.take_back();
    played.filter(|_| goes_on)
}

/// The ending by a win that can be forced within a few turns, if the settings ask for such a search.
fn proved(session: &dyn Session, setup: &GameSetup<'_>) -> Option<Ending> {
    session.forced_win(setup.adjudication.exact?, setup.hurry).map(Ending::proved)
}

/// The log of a game: everything that was played so far.
struct GameLog {
    /// Whether a player must receive turns in XBoard's notation.
    xboard: bool,
    parts: Vec<Part>,
    moves: MoveList,
    turns: Vec<TurnRecord>,
}

impl GameSnapshot<'_> {
    /// A turn as someone who is neither of the players may see it.
    pub fn public_turn(&self, turn: &TurnRecord) -> TurnRecord {
        let mut turn = turn.clone();
        if self.session.position() != self.session.public_position() {
            turn.hide_cards();
        }
        turn
    }
}

impl GameLog {
    /// Adds `token`, which `color` sent and `session` has just played. What is passed on and recorded is its
    /// canonical spelling, with the dice and cards that came of it.
    fn add(&mut self, session: &dyn Session, token: &str, color: Color, move_info: Option<MoveInfoRecord>) {
        let token = session.last_token().unwrap_or_else(|| token.to_owned());
        let mut words = split(&token, color);
        for word in &mut words {
            word.given = move_info.is_none();
        }
        // The roll that began the turn was sent to the player before.
        let rolled = words.first().is_some_and(|word| word.speaker.is_none());
        words.drain(..usize::from(move_info.is_some() && rolled));
        if let [word] = words.as_mut_slice()
            && self.xboard
        {
            word.written = Some(xboard_spelling::write_last(session, word.heard_by(!color)));
        }
        words.iter().for_each(|word| self.moves.add(word));
        self.parts.append(&mut words);
        let given = move_info.is_none();
        self.turns.push(TurnRecord(token, color.letter(), move_info));
        if !given {
            self.note_roll(session);
        }
    }

    /// Adds the roll that begins the turn, if one does, for the player who is to decide.
    fn note_roll(&mut self, session: &dyn Session) {
        let tokens = session.tokens_played();
        let legs: Legs = session.made(tokens, tokens + 1).iter().flat_map(|made| made.legs()).collect();
        if let (Actor::Player(color), false) = (session.actor(), legs.is_empty()) {
            let part = Part::of_legs(None, color, &legs);
            self.moves.add(&part);
            self.parts.push(part);
        }
    }
}

/// Plays a player's token. A player must not decide what is left to chance.
pub(super) fn check(session: &mut dyn Session, token: &str) -> Result<(), String> {
    // Where there is no chance, the signs may mean something else, such as a promotion in Shogi.
    if session.facts().chance && may_hold_chance(token) {
        let legs = parse_token(token).map_err(|error| error.to_string())?.legs;
        if legs.iter().any(is_chance) {
            return Err("chance is the referee's to speak for".to_owned());
        }
    }
    session.play(token).map_err(|error| error.to_string())
}

/// A player that could not be started: it loses every game by the same fault.
pub struct AbsentPlayer {
    /// Its name in the record.
    pub name: String,
    /// Why it could not be started.
    pub fault: Fault,
}

impl Player for AbsentPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self, _opening: &NewGame<'_>, _allowance: &Clocks) -> Result<(), Fault> {
        Err(self.fault.clone())
    }

    fn go(&mut self, _question: &MoveRequest<'_>) -> Result<MoveReply, Fault> {
        Err(self.fault.clone())
    }

    fn end(&mut self, _result: &str) -> bool {
        false
    }
}
