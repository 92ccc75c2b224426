//! A slow picture of XBoard's board, written from its documentation, and random games shown on it: after every decision
//! it must look like the game, and another engine that hears what XBoard relays must have the same game.

use super::Xboard;
use super::plies::Shown;
use super::steps::Steps;
use crate::base::{Color, Rng};
use crate::engine::controller::{Front, Replies};
use crate::engine::host::Host;
use crate::engine::session::{Look, Session};
use crate::game::Actor;
use crossbeam_channel::unbounded;
use std::collections::BTreeMap;
use std::time::Instant;

/// XBoard's board: squares by name.
struct Picture {
    squares: BTreeMap<(u8, i32), char>,
    files: u8,
    ranks: std::ops::RangeInclusive<i32>,
    hand: Vec<char>,
    white: bool,
    /// File of a pawn that may be taken in passing.
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
        let hand = if self.hand.is_empty() { String::new() } else { format!("[{}]", self.hand.iter().collect::<String>()) };
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

    /// Plays one ply as XBoard does; `pieces` are the letters of its table. Gives what the other engine hears.
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
            let (to, suffix) = Self::square(rest);
            assert!(suffix.len() < 2 && suffix != "x", "{ply}");
            let man = self.squares.remove(&from).unwrap();
            assert!(self.own(man), "{ply}: {man} is not the mover's on {}", self.fen());
            let taken = self.squares.remove(&to);
            assert!(taken != Some('*'), "{ply} goes where there is no square");
            let becomes = suffix.chars().next().map_or(man, |letter| self.cased(letter));
            // A letter that is in no table: the man vanishes.
            if pieces.contains(becomes.to_ascii_uppercase()) {
                self.squares.insert(to, becomes);
            }
            let ahead = if self.white { 1 } else { -1 };
            if table_begins_with(pieces, man) {
                assert!(to.1 != if self.white { *self.ranks.end() } else { *self.ranks.start() }, "{ply}");
                if passing == Some(to.0) && from.0 != to.0 && taken.is_none() {
                    self.squares.remove(&(to.0, to.1 - ahead));
                }
                let enemy = if self.white { man.to_ascii_lowercase() } else { man.to_ascii_uppercase() };
                let beside = |by: i32| self.squares.get(&((i32::from(to.0) + by) as u8, to.1)) == Some(&enemy);
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
fn table_begins_with(table: &str, man: char) -> bool {
    table.trim_start_matches('(').starts_with(man.to_ascii_uppercase())
}

/// An engine that listens.
struct Listener {
    front: Xboard,
    replies: Replies,
}

impl Listener {
    fn new(game: &str) -> Self {
        let mut listener = Self { front: Xboard::new(unbounded().0), replies: Replies::default() };
        for line in ["xboard", "protover 2", "accepted highlight", "new", &format!("variant {game}"), "force"] {
            listener.hear(line);
        }
        listener
    }

    fn hear(&mut self, line: &str) -> String {
        let _ = self.front.line(line, Instant::now(), &mut self.replies);
        self.replies.take()
    }

    fn session(&self) -> &dyn Session {
        self.front.host.session()
    }
}

fn host(game: &str, seed: u64) -> Host {
    let mut host = Host::new(unbounded().0);
    host.set("Chance Seed", &seed.to_string()).unwrap();
    host.choose(game).unwrap();
    host.renew();
    host.set_up(None, &mut std::iter::empty()).unwrap();
    host
}

/// One of the legal decisions, those that say something preferred.
fn any(session: &dyn Session, rng: &mut Rng) -> Option<u32> {
    let mut list = Vec::new();
    session.explore(&mut |path, prospect| {
        let weight = if prospect.legs.is_empty() { 1 } else { 2 };
        list.extend(std::iter::repeat_n(path[0], weight));
        Look::Aside
    });
    rng.pick(&list).copied()
}

fn draw(session: &dyn Session, steps: &Steps) -> Shown {
    steps.draw(session.facts(), &session.position(), Color::White)
}

/// Plays random games; gives the number of decisions, of plies, and the longest burst.
fn games(game: &str, number: u64, most: usize) -> (usize, usize, usize) {
    let (mut decisions, mut total, mut longest) = (0, 0, 0);
    for seed in 1..=number {
        let mut rng = Rng::new(seed);
        let mut host = host(game, seed);
        let facts = host.session().facts();
        let table = facts.xboard.setup.unwrap();
        let table = &table[..table.find(')').unwrap()];
        let mut steps = Steps::new(host.session(), facts.xboard.steps.unwrap());
        let mut picture = Picture::new(facts.xboard.position, i32::from(facts.first_rank));
        let mut listener = Listener::new(game);
        for _ in 0..most {
            if host.session().outcome().is_some() {
                break;
            }
            // A word of one player.
            let speaker = host.session().actor();
            let mut word = Vec::new();
            loop {
                let Some(decision) = any(host.session(), &mut rng) else { break };
                steps.step(host.session_mut(), decision);
                word.push(host.session().last_token().unwrap());
                decisions += 1;
                let session = host.session();
                if steps.view.each || session.actor() != speaker || session.between_turns() || rng.below(9) == 0 {
                    break;
                }
            }
            steps.accept_luck(host.session_mut());
            let plies = steps.settle(host.session());
            longest = longest.max(plies.len());
            total += plies.len();
            let before = picture.fen();
            let texts: Vec<String> = plies.iter().map(ToString::to_string).collect();
            let told = format!("{game} {seed}: {} shown as {} on {before}", word.join(" "), texts.join(" "));
            for text in &texts {
                let heard = picture.play(text, table);
                let answer = listener.hear(&heard);
                assert!(answer.is_empty(), "{told}: {answer}");
            }
            // XBoard's board, the game's, and the listener's.
            let shown = crate::notation::parse_position(&picture.fen()).unwrap();
            let shown = Shown::new(facts, &shown, Color::White);
            assert!(shown.looks_like(&draw(host.session(), &steps)), "{told}: {}", picture.fen());
            if let Actor::Player(side) = host.session().actor()
                && steps.ending().is_none()
            {
                assert_eq!(picture.white, side == Color::White, "{told}");
            }
            let (ours, theirs) = (host.session().position(), listener.session().position());
            if host.session().actor() != Actor::Nobody {
                assert_eq!(ours.to_string(), theirs.to_string(), "{told}");
                assert_eq!(host.session().actor(), listener.session().actor(), "{told}");
            }
        }
    }
    (decisions, total, longest)
}

#[test]
fn random_games_of_hanniball() {
    let (decisions, plies, longest) = games("hanniball", 4, 200);
    assert!(decisions > 600 && longest <= 6, "{decisions} {plies} {longest}");
}

#[test]
fn random_games_of_wickets() {
    for game in ["wickets-det", "wickets-det2", "wickets-dice", "wickets-dice2"] {
        let (decisions, plies, longest) = games(game, 4, 100);
        assert!(decisions > 250 && longest <= 14, "{game}: {decisions} {plies} {longest}");
    }
}

#[test]
fn random_games_of_jai_alai() {
    let (decisions, plies, longest) = games("jai-alai", 6, 160);
    assert!(decisions > 400 && longest <= 4, "{decisions} {plies} {longest}");
}
