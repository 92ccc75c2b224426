//! Openings: positions, lists of turns, or both, from files of several kinds.

use super::referee;
use super::settings::{OpeningsFile, OpeningsFormat, Order, Settings, SettingsError};
use crate::base::{Rng, fnv1a, key_for, without_controls};
use crate::game::{Facts, Notation, Rules, read_token};
use crate::notation::{Leg, parse_position, parse_token};
use crate::pgn::read_pgn;
use crate::session::{Session, set_up_epd};
use crate::variants::chess::{State, san};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};

/// What one game begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The position; `None` for the initial position of the game.
    pub position: Option<String>,
    /// The turns played from the position.
    pub turns: Vec<String>,
}

/// All openings, in the order of the match.
#[derive(Clone, Debug)]
pub struct OpeningBook {
    list: Vec<Opening>,
    random: bool,
    skip: u64,
    seed: u64,
    /// The order of the first pass through the list.
    first: Vec<u32>,
}

impl OpeningBook {
    /// A book in which every game begins with `position`, or with the initial position.
    pub fn always(position: Option<String>) -> Self {
        let list = vec![Opening { position, turns: Vec::new() }];
        Self { list, random: false, skip: 0, seed: 0, first: vec![0] }
    }

    /// The openings of a match.
    ///
    /// # Errors
    /// When the openings cannot be read, there are none, or one is not legal.
    pub fn of(settings: &Settings) -> Result<Self, SettingsError> {
        let Settings { facts, rules, schedule, position, .. } = settings;
        let mut book = match &settings.openings {
            Some(file) => Self::read(file, facts, rules, schedule.openings_seed())?,
            None => {
                referee(facts, rules)
                    .set_up(position.as_deref(), &mut std::iter::empty())
                    .map_err(|error| SettingsError(error.to_string()))?;
                Self::always(position.clone())
            }
        };
        if !schedule.duplicate {
            book.hide_cards(&mut *referee(facts, rules))?;
        }
        Ok(book)
    }

    /// Reads the openings of a file. A line is a position, EPD, a list of turns, or a position, `moves` and a
    /// list of turns; empty lines and those that begin with `#` are skipped. Or the file holds games in PGN.
    ///
    /// # Errors
    /// When the file cannot be read, holds no opening, or one is not legal.
    pub fn read(
        file: &OpeningsFile,
        facts: &'static Facts,
        rules: &Rules,
        seed: u64,
    ) -> Result<Self, SettingsError> {
        let path = file.file.display();
        let mut session = referee(facts, rules);
        let found = File::open(&file.file)
            .map_err(|error| error.to_string())
            .and_then(|file| text_of(file, MOST_BYTES))
            .and_then(|text| match file.format() {
                OpeningsFormat::Pgn => from_pgn(&text, &mut *session),
                OpeningsFormat::Epd => from_lines(&text, &mut *session),
            });
        let mut list = found.map_err(|fault| SettingsError(format!("openings {path}: {fault}")))?;
        if list.is_empty() {
            return Err(SettingsError(format!("openings {path}: there is none in it")));
        }
        if let Some(plies) = file.plies {
            list.iter_mut().for_each(|start| start.turns.truncate(plies));
        }
        let random = file.order == Order::Random;
        let first = order(list.len(), random, seed, 0);
        Ok(Self { list, random, skip: file.start.unwrap_or(1) - 1, seed, first })
    }

    /// Removes the cards that do not lie open from the positions: they are dealt for each game. `session` is
    /// of the same game.
    ///
    /// # Errors
    /// When an opening plays cards, since it is not known yet who holds them.
    pub fn hide_cards(&mut self, session: &mut dyn Session) -> Result<(), SettingsError> {
        for Opening { position, turns } in &mut self.list {
            let plays_cards = |token: &&String| {
                let is_card = |leg: &Leg| matches!(leg, Leg::Play(_) | Leg::Draw(_));
                parse_token(token).is_ok_and(|token| token.legs.iter().any(is_card))
            };
            if let Some(token) = turns.iter().find(plays_cards) {
                let why = "the hands are dealt anew for each game; use positions, or -duplicate";
                return Err(SettingsError(format!("openings: {token} plays a card, and {why}")));
            }
            if let Some(text) = position {
                let begun = session.set_up(Some(text), &mut std::iter::empty());
                begun.map_err(|error| SettingsError(format!("openings: {error}")))?;
                let (whole, public) = (session.position(), session.public_position());
                if whole != public {
                    *text = public.to_string();
                }
            }
        }
        Ok(())
    }

    /// The opening with this index, from 0 on. After the last one the list begins again, shuffled anew if it
    /// is shuffled.
    pub fn at(&self, opening: u64) -> &Opening {
        let (opening, length) = (opening + self.skip, self.list.len() as u64);
        let (passage, index) = (opening / length, (opening % length) as usize);
        let place = if passage == 0 || !self.random {
            self.first[index]
        } else {
            order(self.list.len(), true, self.seed, passage)[index]
        };
        &self.list[place as usize]
    }

    /// The number of openings.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Always false: there is at least one opening.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// A hash of the list, to tell lists apart.
    pub fn digest(&self) -> u64 {
        let words = self.list.iter().flat_map(|start| {
            start
                .position
                .iter()
                .chain(&start.turns)
                .flat_map(|word| word.bytes().chain([b' ']))
                .chain([b'\n'])
        });
        fnv1a(words)
    }
}

/// The order of one pass through a list of `length` openings (R. Durstenfeld's shuffle).
fn order(length: usize, random: bool, seed: u64, passage: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..length as u32).collect();
    if random {
        let mut rng = Rng::new(key_for(seed, passage.wrapping_add(1 << 40)));
        for last in (1..length).rev() {
            order.swap(last, rng.below(last + 1));
        }
    }
    order
}

/// The largest file of openings that is read, since a device or a pipe need not end. (The largest known books
/// have 200 MB.)
const MOST_BYTES: u64 = 512 << 20;
/// The longest line that is read, which may be a whole game.
const LONGEST_LINE: u64 = 1 << 20;

/// Reads a text of at most `most` bytes.
fn text_of(file: impl Read, most: u64) -> Result<String, String> {
    let mut file = BufReader::new(file.take(most + 1));
    let mut bytes = Vec::new();
    for line in 1.. {
        let read = file.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes);
        match read.map_err(|error| error.to_string())? as u64 {
            0 => break,
            length if length > LONGEST_LINE => {
                return Err(format!("line {line} is longer than {LONGEST_LINE} bytes"));
            }
            _ if bytes.len() as u64 > most => return Err(format!("there are more than {most} bytes in it")),
            _ => {}
        }
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

fn from_lines(text: &str, session: &mut dyn Session) -> Result<Vec<Opening>, String> {
    let mut list = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = without_controls(line.trim());
        if !line.is_empty() && !line.starts_with('#') {
            list.push(start(&line, session).map_err(|fault| format!("line {}: {fault}", index + 1))?);
        }
    }
    Ok(list)
}

/// The opening on a line, every turn of which must be legal.
fn start(line: &str, session: &mut dyn Session) -> Result<Opening, String> {
    let first = line.split_whitespace().next().unwrap_or_default();
    let (position, turns) = match line.split_once(" moves ") {
        Some((position, turns)) => (Some(position), turns),
        None if first.contains('/') => (Some(line), ""),
        None => (None, line),
    };
    let turns: Vec<String> = turns.split_whitespace().map(str::to_owned).collect();
    let position = position.map(|text| set_up_epd(text, session)).transpose()?;
    session
        .set_up(position.as_deref(), &mut turns.iter().map(String::as_str))
        .map_err(|error| error.to_string())?;
    if session.outcome().is_some() {
        return Err("the game would be over".to_owned());
    }
    Ok(Opening { position, turns })
}

/// The openings in a PGN file. Chess turns may be in algebraic notation; in every game Carom's own notation
/// is read.
fn from_pgn(text: &str, session: &mut dyn Session) -> Result<Vec<Opening>, String> {
    let mut list = Vec::new();
    for (index, game) in read_pgn(text).enumerate() {
        let fault = |fault: String| format!("game {}: {fault}", index + 1);
        let position = game.tag("FEN").map(|text| set_up_epd(text, session)).transpose().map_err(fault)?;
        let words: Vec<String> = game.turns().into_iter().map(str::to_owned).collect();
        let turns = if session.facts().is_chess() {
            long_turns(position.as_deref(), &words).map_err(fault)?
        } else {
            words
        };
        session
            .set_up(position.as_deref(), &mut turns.iter().map(String::as_str))
            .map_err(|error| fault(error.to_string()))?;
        // The opening is the longest part of the game after which it is not over.
        let mut turns = turns;
        while session.outcome().is_some() && session.take_back() {
            turns.pop();
        }
        list.push(Opening { position, turns });
    }
    Ok(list)
}

/// Chess turns in coordinates, from either notation.
fn long_turns(position: Option<&str>, words: &[String]) -> Result<Vec<String>, String> {
    use crate::game::Game;
    let rules = Rules::default();
    let mut state = match position {
        None => State::start(&rules),
        Some(text) => {
            let parsed = parse_position(text).map_err(|error| error.to_string())?;
            State::read(&parsed, &rules).map_err(|error| error.to_string())?
        }
    };
    let mut turns = Vec::new();
    for word in words {
        let illegal = || format!("{word} is not legal");
        let token = san::token_in(&state, word).unwrap_or_else(|| word.clone());
        let parsed = parse_token(&token).map_err(|_| illegal())?;
        let reading = read_token(&state, &parsed).map_err(|_| illegal())?;
        reading.decisions.iter().for_each(|&decision| state.apply(decision));
        turns.push(token);
    }
    Ok(turns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::find;
    use std::collections::BTreeSet;

    fn lines(game: &str, text: &str) -> Result<Vec<Opening>, String> {
        from_lines(text, &mut *referee(find(game).unwrap(), &Rules::default()))
    }

    #[test]
    fn lines_of_every_kind_are_read() {
        let text = "# book\n\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e5; id \"king's pawn\";\n\
                    e2e4 c7c5 g1f3\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4 e8e7\n";
        let list = lines("chess", text).unwrap();
        assert_eq!(list.len(), 3);
        let first = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(list[0], Opening { position: Some(first.to_owned()), turns: Vec::new() });
        assert_eq!((list[1].position.as_ref(), list[1].turns.len()), (None, 3));
        assert_eq!(list[2].turns, ["e2e4", "e8e7"]);
        assert_eq!(lines("rollerball", "c2b3 e6f5").unwrap()[0].turns.len(), 2);
        for (text, fault) in [
            ("e2e4\ne2e5", "line 2: "),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "line 1: position"),
            ("f2f3 e7e5 g2g4 d8h4", "over"),
        ] {
            let error = lines("chess", text).unwrap_err();
            assert!(error.contains(fault), "{text}: {error}");
        }
    }

    #[test]
    fn what_does_not_end_is_read_up_to_a_bound() {
        let read = |file: &mut dyn Read| text_of(file, 4 << 20);
        assert_eq!(read(&mut &b"e2e4\n\xffd2d4"[..]).unwrap(), "e2e4\n\u{fffd}d2d4");
        assert_eq!(read(&mut std::io::repeat(0)).unwrap_err(), "line 1 is longer than 1048576 bytes");
        let endless = b"e2e4\n".iter().copied().cycle().map(|byte| [byte]);
        struct Endless<I>(I);
        impl<I: Iterator<Item = [u8; 1]>> Read for Endless<I> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                buffer.iter_mut().zip(&mut self.0).for_each(|(place, [byte])| *place = byte);
                Ok(buffer.len())
            }
        }
        assert_eq!(read(&mut Endless(endless)).unwrap_err(), "there are more than 4194304 bytes in it");
        let long = "e2e4 ".repeat(1 << 18);
        assert!(read(&mut format!("e2e4\n{long}").as_bytes()).unwrap_err().starts_with("line 2 is longer"));
    }

    #[test]
    fn cards_that_do_not_lie_open_are_taken_out() {
        let board = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";
        let hidden = |cards: &str, turns: &str| {
            let mut session =
                referee(find("wickets-cards").unwrap(), &Rules::of(find("wickets-cards").unwrap()));
            let position = Some(format!("{board} {cards}"));
            let turns = turns.split_whitespace().map(str::to_owned).collect();
            let mut book =
                OpeningBook { list: vec![Opening { position, turns }], ..OpeningBook::always(None) };
            book.hide_cards(&mut *session).map(|()| book.at(0).position.clone().unwrap())
        };
        let open = "W=2d3c5c6h6d7d8s9c9dTh/B=?10/S=?18/D=AsTc";
        assert_eq!(hidden(open, "").unwrap(), format!("{board} W=?10/B=?10/S=?18/D=AsTc"));
        assert_eq!(hidden(open, "c3a5").unwrap(), format!("{board} W=?10/B=?10/S=?18/D=AsTc"));
        let error = hidden(open, "c3a5,O@e9,=6h,+?").unwrap_err().to_string();
        assert!(error.contains("=6h") && error.contains("dealt anew"), "{error}");
        let text = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let mut book = OpeningBook::always(Some(text.to_owned()));
        book.hide_cards(&mut *referee(find("chess").unwrap(), &Rules::default())).unwrap();
        assert_eq!(book.at(0).position.as_deref(), Some(text));
    }

    #[test]
    fn games_are_read_from_pgn() {
        let text = "[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1.e4 {good (very)} Ke7 $1 (1... Kf7) \
                    2. e5!? *\n\n[Event \"y\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        let list = from_pgn(text, &mut *referee(find("chess").unwrap(), &Rules::default())).unwrap();
        assert_eq!(list[0].turns, ["e2e4", "e8e7", "e4e5"]);
        assert_eq!(list[1].turns, ["f2f3", "e7e5", "g2g4"], "as far as it is not over");
        assert_eq!(list[1].position, None);
    }

    #[test]
    fn random_order_is_a_shuffle_and_another_each_time() {
        let list =
            (0..20).map(|n| Opening { position: None, turns: vec![n.to_string()] }).collect::<Vec<_>>();
        let first = order(20, true, 5, 0);
        let book = OpeningBook { list, random: true, skip: 0, seed: 5, first };
        let passage = |number: u64| -> Vec<&str> {
            (20 * number..20 * number + 20).map(|at| book.at(at).turns[0].as_str()).collect()
        };
        assert_eq!(passage(0).iter().collect::<BTreeSet<_>>().len(), 20);
        assert_ne!(passage(0), passage(1));
        assert_eq!(passage(1), passage(1));
        let shifted = OpeningBook { skip: 3, ..book.clone() };
        assert_eq!(shifted.at(0), book.at(3));
    }
}
