//! A slow model of XBoard's board, written from its documentation, and random games shown on it. After every
//! decision it must look like the game, and another engine that gets what XBoard relays must have the same
//! game.

use crate::base::{Color, Rng};
use crate::engine::{Engine, Frontend};
use crate::game::Actor;
use crate::game::gui::{Gesture, Origin};
use crate::session::xboard_spelling::Ply;
use crate::session::{Look, Session};
use crate::xboard::board::Board;
use crate::xboard::game::{Game, Mode};
use crate::xboard::mirror::Mirror;
use crate::xboard::{Xboard, view};
use std::collections::BTreeMap;
use std::time::Instant;

/// XBoard's board: squares by name.
#[derive(Clone)]
struct Picture {
    squares: BTreeMap<(u8, i32), char>,
    files: u8,
    ranks: std::ops::RangeInclusive<i32>,
    hand: Vec<char>,
    white: bool,
    /// The file of a pawn that may be captured en passant.
    passing: Option<u8>,
}

impl Picture {
    fn new(fen: &str, first_rank: i32) -> Self {
        let mut words = fen.split_whitespace();
        let board = words.next().unwrap();
        let white = words.next() == Some("w");
        let (board, hand) = board.split_once('[').unwrap_or((board, "]"));
        let rows: Vec<&str> = board.split('/').collect();
        let mut squares = BTreeMap::new();
        let mut files = 0;
        for (number, row) in rows.iter().rev().enumerate() {
            let mut file = 0;
            for letter in row.chars() {
                if let Some(count) = letter.to_digit(10) {
                    file += count as u8;
                } else {
                    squares.insert((file, number as i32 + first_rank), letter);
                    file += 1;
                }
            }
            files = file;
        }
        let ranks = first_rank..=first_rank + rows.len() as i32 - 1;
        let hand = hand.chars().filter(char::is_ascii_alphabetic).collect();
        Self { squares, files, ranks, hand, white, passing: None }
    }

    fn fen(&self) -> String {
        let mut rows = Vec::new();
        for rank in self.ranks.clone().rev() {
            let mut row = String::new();
            let mut empty = 0;
            for file in 0..self.files {
                match self.squares.get(&(file, rank)) {
                    None => empty += 1,
                    Some(letter) => {
                        if empty > 0 {
                            row.push_str(&empty.to_string());
                        }
                        empty = 0;
                        row.push(*letter);
                    }
                }
            }
            if empty > 0 {
                row.push_str(&empty.to_string());
            }
            rows.push(row);
        }
        let hand = if self.hand.is_empty() {
            String::new()
        } else {
            format!("[{}]", self.hand.iter().collect::<String>())
        };
        format!("{}{hand} {} - - 0 1", rows.join("/"), if self.white { 'w' } else { 'b' })
    }

    fn square(text: &str) -> ((u8, i32), &str) {
        let digits = text[1..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |at| at + 1);
        ((text.as_bytes()[0] - b'a', text[1..digits].parse().unwrap()), &text[digits..])
    }

    fn own(&self, letter: char) -> bool {
        letter.is_ascii_uppercase() == self.white && letter.is_ascii_alphabetic()
    }

    fn cased(&self, letter: char) -> char {
        if self.white { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
    }

    /// Plays one ply as XBoard does; `pieces` are the letters of its table. Returns the line that the other
    /// engine gets.
    fn play(&mut self, ply: &str, pieces: &str) -> String {
        let passing = self.passing.take();
        if ply == "@@@@" {
            self.white = !self.white;
            return format!("setboard {}", self.fen());
        }
        if let Some((letter, square)) = ply.split_once('@') {
            let (at, rest) = Self::square(square);
            assert!(rest.is_empty() && !self.squares.contains_key(&at), "{ply} on {}", self.fen());
            let letter = self.cased(letter.chars().next().unwrap());
            if let Some(held) = self.hand.iter().position(|&held| held == letter) {
                self.hand.remove(held);
            }
            self.squares.insert(at, letter);
        } else {
            let (from, rest) = Self::square(ply);
            let (mut to, mut suffix) = Self::square(rest);
            // In a move of two legs, whatever stands on the first square is gone.
            if let Some(rest) = suffix.strip_prefix(',') {
                self.squares.remove(&to);
                (to, suffix) = Self::square(Self::square(rest).1);
            }
            assert!(suffix.len() < 2 && suffix != "x", "{ply}");
            let piece = self.squares.remove(&from).unwrap();
            assert!(self.own(piece), "{ply}: {piece} is not the mover's on {}", self.fen());
            let taken = self.squares.remove(&to);
            assert!(taken != Some('*'), "{ply} goes where there is no square");
            let becomes = suffix.chars().next().map_or(piece, |letter| self.cased(letter));
            // A piece that becomes a letter outside the table vanishes.
            if pieces.contains(becomes.to_ascii_uppercase()) {
                self.squares.insert(to, becomes);
            }
            let ahead = if self.white { 1 } else { -1 };
            if table_begins_with(pieces, piece) {
                assert!(to.1 != if self.white { *self.ranks.end() } else { *self.ranks.start() }, "{ply}");
                if passing == Some(to.0) && from.0 != to.0 && taken.is_none() {
                    self.squares.remove(&(to.0, to.1 - ahead));
                }
                let enemy = if self.white { piece.to_ascii_lowercase() } else { piece.to_ascii_uppercase() };
                let beside =
                    |by: i32| self.squares.get(&((i32::from(to.0) + by) as u8, to.1)) == Some(&enemy);
                if from.0 == to.0 && (to.1 - from.1).abs() == 2 && (beside(-1) || beside(1)) {
                    self.passing = Some(to.0);
                }
            }
        }
        self.white = !self.white;
        format!("usermove {ply}")
    }
}

/// The first letter of the table is XBoard's pawn.
fn table_begins_with(table: &str, piece: char) -> bool {
    table.trim_start_matches('(').starts_with(piece.to_ascii_uppercase())
}

/// An engine that receives lines and plays along.
pub(super) struct Listener {
    pub front: Xboard,
}

impl Listener {
    /// Its own dice follow `seed`, until it is sent how they fell.
    pub fn new(game: &str, seed: u64) -> Self {
        let mut listener = Self { front: Xboard::new(Engine::new()) };
        let (seed, variant) = (format!("option Chance Seed={seed}"), format!("variant {game}"));
        for line in ["xboard", "protover 2", "accepted highlight", &seed, "new", &variant, "force"] {
            listener.hear(line);
        }
        listener
    }

    pub fn hear(&mut self, line: &str) -> String {
        let _ = self.front.line(line, Instant::now());
        self.front.play.game.out.take()
    }

    pub fn session(&self) -> &dyn Session {
        self.front.play.game.session()
    }
}

fn engine(game: &str, seed: u64, start: Option<&str>) -> Engine {
    let mut engine = Engine::new();
    engine.set("Chance Seed", &seed.to_string()).unwrap();
    engine.choose(game).unwrap();
    engine.renew();
    engine.set_up(start, &mut std::iter::empty()).unwrap();
    engine
}

/// One of the legal decisions; those with a leg of their own are preferred.
fn any(session: &dyn Session, rng: &mut Rng) -> Option<u32> {
    let mut list = Vec::new();
    session.explore(&mut |path, successor| {
        let weight = if successor.legs().is_empty() { 1 } else { 2 };
        list.extend(std::iter::repeat_n(path[0], weight));
        Look::Skip
    });
    rng.pick(&list).copied()
}

fn draw(session: &dyn Session) -> Board {
    Board::new(session.facts(), &session.shown(), Color::White)
}

fn decides_by_cards(session: &dyn Session) -> bool {
    session.prompt(&[]).is_some_and(|prompt| prompt.is_typed())
}

/// Plays random games. Returns the number of decisions and of plies, and the longest burst of plies.
fn games(game: &str, start: Option<&str>, number: u64, most: usize) -> (usize, usize, usize) {
    let (mut decisions, mut total, mut longest) = (0, 0, 0);
    for seed in 1..=number {
        let mut rng = Rng::new(seed);
        let mut shown = Game::new(engine(game, seed, start));
        shown.mirror = Mirror::new(shown.session(), true);
        let facts = shown.session().facts();
        let (table, mut picture) = set_up(shown.session());
        let mut listener = Listener::new(game, seed + 2);
        if let Some(start) = start {
            assert_eq!(listener.hear(&format!("setboard {start}")), "");
        }
        for _ in 0..most {
            if shown.session().outcome().is_some() {
                break;
            }
            // One token of one player follows.
            let speaker = shown.session().actor();
            let mut word = Vec::new();
            while let Some(decision) = any(shown.session(), &mut rng) {
                shown.decide(&[decision]);
                word.push(shown.session().last_token().unwrap());
                decisions += 1;
                let session = shown.session();
                if shown.mirror.together == 1
                    || session.actor() != speaker
                    || session.between_turns()
                    || rng.below(9) == 0
                {
                    break;
                }
            }
            let plies = shown.mirror.settle(shown.engine.session());
            longest = longest.max(plies.len());
            total += plies.len();
            let before = picture.fen();
            let texts: Vec<String> = plies.iter().map(ToString::to_string).collect();
            let case = format!("{game} {seed}: {} shown as {} on {before}", word.join(" "), texts.join(" "));
            for text in &texts {
                let heard = picture.play(text, &table);
                let answer = listener.hear(&heard);
                assert!(answer.is_empty(), "{case}: {answer}");
            }
            // Compare XBoard's board, the game's, and the listener's.
            let drawn = crate::notation::parse_position(&picture.fen()).unwrap();
            let drawn = Board::new(facts, &drawn, Color::White);
            assert!(drawn.looks_like(&draw(shown.session())), "{case}: {}", picture.fen());
            if let Actor::Player(side) = shown.session().actor()
                && shown.mirror.goal.ending.is_none()
            {
                assert_eq!(picture.white, side == Color::White, "{case}");
            }
            let (ours, theirs) = (shown.session().position(), listener.session().position());
            if shown.session().actor() != Actor::Nobody {
                assert_eq!(ours.to_string(), theirs.to_string(), "{case}");
                assert_eq!(shown.session().actor(), listener.session().actor(), "{case}");
            }
        }
    }
    (decisions, total, longest)
}

/// The table of pieces and the board that `setup` sends.
fn set_up(session: &dyn Session) -> (String, Picture) {
    let line = view::setup(session).unwrap();
    let (table, rest) = line.split_once(") ").unwrap();
    let fen = rest.split_once(' ').unwrap().1;
    (table.to_owned(), Picture::new(fen, i32::from(session.facts().first_rank)))
}

/// A user plays both sides of random games with the mouse, and takes back now and then. Returns the number of
/// decisions, of those taken back, and of cards.
fn by_mouse(game: &str, start: Option<&str>, number: u64, most: usize) -> (usize, usize, usize) {
    let (mut said, mut retracted, mut cards) = (0, 0, 0);
    let with_cards = game.contains("cards");
    for seed in 1..=number {
        let mut rng = Rng::new(seed ^ 77);
        let mut user = Listener::new(game, seed);
        for line in [&format!("option Chance Seed={seed}"), "new", &format!("variant {game}"), "sd 1"] {
            user.hear(line);
        }
        if let Some(start) = start {
            assert_eq!(user.hear(&format!("setboard {start}")), "");
        }
        let (table, mut picture) = set_up(user.session());
        let mut history: Vec<Picture> = Vec::new();
        for _ in 0..most {
            let Actor::Player(side) = user.session().actor() else { break };
            if user.session().outcome().is_some() {
                break;
            }
            // The engine is always the other side, and never gets to move.
            user.front.play.abandon();
            user.front.play.game.mode = Mode::Plays(!side);
            if decides_by_cards(user.session()) {
                play_card(&mut user, &mut picture, &mut history, &table, &mut rng);
                cards += 1;
                continue;
            }
            let board = &user.front.play.game.mirror.board;
            let list = user.front.play.game.gestures();
            let squares: Vec<_> = board.squares().filter(|at| board.color_at(*at) == Some(side)).collect();
            // Random throws seldom go where cards decide.
            let wicket = |m: &&Gesture| match m.signal.map(|signal| signal.name) {
                Some("throw") => true,
                Some("ball") => matches!(m.to.rank, 0 | 9),
                _ => false,
            };
            let eager: Vec<&Gesture> = list.iter().filter(wicket).collect();
            let Some(meaning) = rng.pick(&eager).copied().filter(|_| with_cards).or_else(|| rng.pick(&list))
            else {
                break;
            };
            let square = match meaning.from {
                Origin::Square(at) => Some(at),
                Origin::Anywhere => rng.pick(&squares).copied(),
                Origin::Hand => None,
            };
            let (to, letter) = (meaning.to, meaning.letter);
            let ply = match square {
                Some(from) => Ply::Move { from, over: meaning.via, to, letter },
                None => Ply::Drop { letter: b'T', at: to },
            };
            let lifted = square.map_or("k1".to_owned(), |square| square.to_string());
            let case = format!("{game} {seed}: {ply} on {}", picture.fen());
            let mut marks = user.hear(&format!("lift {lifted}"));
            if let Some(via) = meaning.via {
                user.hear(&format!("put {via}"));
                marks = user.hear(&format!("lift {via}"));
            }
            assert!(marked(&marks, to, user.session()), "{case}: {marks}");
            let choice = user.hear(&format!("put {to}"));
            let letters = choice.strip_prefix("choice ").unwrap_or_default().trim_end();
            assert!(letter.is_none_or(|letter| letters.contains(char::from(letter))), "{case}: {choice}");
            let mut retract = rng.below(6) == 0 && history.len() > 1;
            let mut answer = user.hear(&format!("usermove {ply}"));
            said += 1;
            let lines: Vec<&str> = answer.lines().collect();
            let refused = lines.iter().any(|line| line.starts_with("Illegal move ("));
            assert_eq!(refused, meaning.signal.is_some(), "{case}: {answer}");
            if !refused {
                history.push(picture.clone());
                picture.play(&ply.to_string(), &table);
            }
            follow(&lines, &mut picture, &mut history, &table);
            if user.session().actor() != Actor::Nobody {
                same(&user, &picture, &case);
                // Only the user's own ply can be followed by Retract.
                let waits =
                    user.session().actor() == Actor::Player(side) && picture.white == (side == Color::White);
                retract &= waits && history.len() > 1;
                if retract {
                    let before = user.session().tokens_played();
                    answer = user.hear("remove");
                    history.pop();
                    picture = history.pop().unwrap();
                    follow(&answer.lines().collect::<Vec<_>>(), &mut picture, &mut history, &table);
                    assert!(user.session().tokens_played() < before, "{case}, taken back");
                    same(&user, &picture, &format!("{case}, taken back: {answer}"));
                    retracted += 1;
                }
            }
        }
        user.front.play.abandon();
    }
    (said, retracted, cards)
}

/// Plays a card in the box, which the user has closed before: then it is still their ply, and they are asked
/// again.
fn play_card(
    user: &mut Listener,
    picture: &mut Picture,
    history: &mut Vec<Picture>,
    table: &str,
    rng: &mut Rng,
) {
    let case = picture.fen();
    same(user, picture, &case);
    let cards = user.session().continuations();
    let card = rng.pick(&cards).unwrap();
    for line in ["lift e1", "?", "option Piece Lines=0", "usermove e1e2"] {
        let asked = user.hear(line).contains("askuser carom-card ");
        assert_eq!(asked, !line.starts_with("option"), "{case}: {line}");
    }
    let word = card.strip_prefix('=').unwrap_or("stop");
    let answer = user.hear(&format!("carom-card {word}"));
    assert!(!answer.contains("Refused"), "{case}: {card}: {answer}");
    follow(&answer.lines().collect::<Vec<_>>(), picture, history, table);
}

fn follow(lines: &[&str], picture: &mut Picture, history: &mut Vec<Picture>, table: &str) {
    for ply in lines.iter().filter_map(|line| line.strip_prefix("move ")) {
        history.push(picture.clone());
        picture.play(ply, table);
    }
}

fn same(user: &Listener, picture: &Picture, case: &str) {
    let shown = crate::notation::parse_position(&picture.fen()).unwrap();
    let shown = Board::new(user.session().facts(), &shown, Color::White);
    // Pieces marked to be given up are gone from XBoard's board already.
    let goal = &user.front.play.game.mirror.goal;
    assert!(shown.looks_like(&goal.board), "{case}: {}", picture.fen());
    assert!(
        goal.side.is_none_or(|side| picture.white == (side == Color::White)),
        "{case}: {}",
        picture.fen()
    );
}

/// True when `highlight` marks `to` as legal.
fn marked(line: &str, to: crate::notation::Coordinate, session: &dyn Session) -> bool {
    let facts = session.facts();
    let Some(board) = line.strip_prefix("highlight ") else { return false };
    let row =
        board.trim_end().split('/').nth(usize::from(facts.ranks - 1 - (to.rank - facts.first_rank))).unwrap();
    let mut file = 0;
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(empty) => file += empty as u8,
            None if file == to.file => return letter.is_ascii_uppercase() && letter != 'C',
            None => file += 1,
        }
    }
    false
}

/// White attacks the wicket; the ball flies.
const NEAR_THE_WICKET: &str = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";
/// Defenders can be captured, and the king can castle.
const DEFENDERS: &str = "****1***/r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R/****1*** w KQkq - e1:d2/e8:d7 0 12";
/// The ball is near, and so are Monkeys.
const BALL: &str = "***1m1***/2l6/9/1h7/9/9/9/4e4/9/9/4o1H2/9/1E1L1M3/9/***3*** w 4 0 1";

/// The mover has the ball.
const WITH_THE_BALL: &str = "***1m1***/2l6/9/1h7/9/9/9/4e4/9/9/4+L1H2/9/1E1L1M3/9/***3*** w 4 0 1";

/// There are so few pieces that boards recur, within turns and at their ends.
const FEW: &str = "***1m1***/9/9/9/9/9/9/4o4/9/9/9/9/9/9/***1M1*** w 4 0 1";

#[test]
fn random_games_of_hanniball() {
    for (start, number, longest) in [(None, 3, 6), (Some(BALL), 3, 6), (Some(FEW), 10, 6)] {
        let (decisions, plies, found) = games("hanniball", start, number, 150);
        assert!(decisions > 100 && found <= longest, "{decisions} {plies} {found}");
    }
}

#[test]
fn random_games_of_wickets() {
    for game in ["wickets-det", "wickets-det2", "wickets-dice", "wickets-dice2"] {
        for (start, number) in [(None, 2), (Some(NEAR_THE_WICKET), 12), (Some(DEFENDERS), 6)] {
            let (decisions, plies, longest) = games(game, start, number, 60);
            assert!(decisions > 50 && longest <= 14, "{game}: {decisions} {plies} {longest}");
        }
    }
}

#[test]
fn random_games_of_jai_alai() {
    let (decisions, plies, longest) = games("jai-alai", None, 6, 160);
    assert!(decisions > 400 && longest <= 4, "{decisions} {plies} {longest}");
}

#[test]
fn random_games_with_the_mouse() {
    for (game, start, number) in [
        ("hanniball", None, 2),
        ("hanniball", Some(BALL), 6),
        ("wickets-det", Some(NEAR_THE_WICKET), 6),
        ("wickets-det2", Some(DEFENDERS), 4),
        ("wickets-dice", Some(NEAR_THE_WICKET), 4),
        ("wickets-dice2", Some(NEAR_THE_WICKET), 4),
        ("wickets-cards", Some(NEAR_THE_WICKET), 4),
        ("wickets-cards2", Some(NEAR_THE_WICKET), 4),
        ("jai-alai", None, 2),
    ] {
        let (said, retracted, cards) = by_mouse(game, start, number, 60);
        assert_eq!(cards > 0, game.contains("cards"), "{game}: {cards} cards");
        // In Jai-Alai every ply ends a turn, and the other side is at the mouse.
        assert!(
            said > 40 && (retracted > 0 || game == "jai-alai"),
            "{game}: {said} said, {retracted} taken back"
        );
    }
}

/// Every first step that the mouse can make in a loaded position is made in XBoard's Edit Game, where neither
/// side is played by the engine. The engine that is then asked to play must take it as it takes it from a
/// user it plays already. Returns the number of steps, and of those that XBoard does not show by one ply.
fn first_steps(game: &str, start: Option<&str>) -> (usize, usize) {
    let ready = || {
        let mut user = Listener::new(game, 1);
        for line in ["option Chance Seed=3", "new", &format!("variant {game}"), "sd 1", "force"] {
            user.hear(line);
        }
        if let Some(start) = start {
            assert_eq!(user.hear(&format!("setboard {start}")), "");
        }
        user
    };
    let user = ready();
    let side = user.session().actor().player().unwrap();
    let (mut tried, mut unfinished) = (0, 0);
    for meaning in user.front.play.game.gestures() {
        let Origin::Square(from) = meaning.from else { continue };
        let ply = Ply::Move { from, over: meaning.via, to: meaning.to, letter: meaning.letter };
        let (mut before, mut after) = (ready(), ready());
        let case = format!("{game}: {ply} on {}", before.session().position());
        before.front.play.game.mode = Mode::Plays(!side);
        before.hear(&format!("usermove {ply}"));
        before.front.play.abandon();
        assert_eq!(after.hear(&format!("usermove {ply}")), "", "{case}");
        unfinished += usize::from(!after.front.play.game.mirror.shows_all());
        let (table, shown) = set_up(ready().session());
        let mut picture = shown.clone();
        picture.play(&ply.to_string(), &table);
        let answer = after.hear("go");
        after.front.play.abandon();
        if answer.starts_with("Illegal move (") {
            picture = shown;
        }
        follow(&answer.lines().collect::<Vec<_>>(), &mut picture, &mut Vec::new(), &table);
        assert_eq!(after.session().position().to_string(), before.session().position().to_string(), "{case}");
        assert_eq!(after.session().actor(), before.session().actor(), "{case}");
        same(&after, &picture, &case);
        tried += 1;
    }
    (tried, unfinished)
}

#[test]
fn the_first_step_in_a_loaded_position_stands_when_the_machine_is_asked_to_play() {
    for (game, start, least) in [
        ("hanniball", None, 0),
        ("hanniball", Some(WITH_THE_BALL), 20),
        ("wickets-det", Some(NEAR_THE_WICKET), 5),
        ("wickets-dice2", Some(DEFENDERS), 5),
        ("wickets-cards", Some(NEAR_THE_WICKET), 5),
        ("jai-alai", None, 0),
    ] {
        let (tried, unfinished) = first_steps(game, start);
        assert!(tried > 10 && unfinished >= least, "{game}: {tried} tried, {unfinished} unfinished");
    }
}
