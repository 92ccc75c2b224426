//! Deals that a player cannot tell apart: a game with cards, and the same game with hidden cards exchanged.
//!
//! What a player is told of the two must be equal, word for word: whatever differs was not his to know. Page, terminal, protocols
//! and files are tested with it, each beside its other tests.
use carom::base::{Color, Rng};
use carom::game::{Actor, Rules};
use carom::notation::{Card, Leg, Token, parse_token};
use carom::session::{self, Session, chance::Chance};
use carom::variants;
use std::collections::{BTreeMap, BTreeSet};

/// The games with hidden cards.
pub const CARD_GAMES: [&str; 2] = ["wickets-cards", "wickets-cards2"];
/// The ball can be thrown at the wicket at once.
pub const BEFORE_A_CONTEST: &str =
    "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30";

/// A game with cards, all of which are known to who tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardGame {
    pub game: &'static str,
    /// The first position, with the whole deal.
    pub start: String,
    /// What was said, with the cards that were drawn.
    pub tokens: Vec<String>,
}

impl CardGame {
    /// A game of `most` tokens at most, played at random from `position`, with the deal and the draws of `seed`.
    pub fn random(game: &'static str, position: &str, seed: u64, most: usize) -> Self {
        let facts = variants::find(game).unwrap();
        let mut session = session::open(facts, Rules::of(facts), Chance::Own { seed });
        session.set_chance(Chance::Own { seed });
        session.set_up(Some(position), &mut std::iter::empty()).unwrap();
        let mut rng = Rng::new(seed);
        while session.tokens_played() < most && session.outcome().is_none() {
            let mut ways = session.continuations();
            // Cards come into play only where the ball is thrown at a wicket.
            let wicket = if session.actor() == Actor::Player(Color::White) { "O@e9" } else { "O@e0" };
            let throws = |ways: &[String]| ways.iter().any(|way| way == wicket);
            if throws(&ways) {
                ways.retain(|way| way == wicket);
            } else if rng.below(8) > 0 {
                let follow = |way: &String| session.continuations_of(&format!("{way},")).unwrap_or_default();
                let before: Vec<String> = ways.iter().filter(|way| throws(&follow(way))).cloned().collect();
                ways = if before.is_empty() { ways } else { before };
            }
            let way = rng.pick(&ways).unwrap().clone();
            let way = if way == "." { "0000".to_owned() } else { way };
            // With a comma the turn goes on where it may.
            session.play(&format!("{way},")).or_else(|_| session.play(&way)).unwrap();
        }
        let start = session.position_after(0).unwrap().to_string();
        Self { game, start, tokens: session.as_text().1 }
    }

    /// Its first `tokens` tokens.
    pub fn first(&self, tokens: usize) -> Self {
        Self { tokens: self.tokens[..tokens].to_vec(), ..self.clone() }
    }

    /// After how many tokens a card is played next.
    pub fn before_cards(&self) -> Vec<usize> {
        let plays = |token: &String| legs(token).iter().any(|leg| matches!(leg, Leg::Play(_)));
        (0..self.tokens.len()).filter(|&number| plays(&self.tokens[number])).collect()
    }

    /// The tokens without what was drawn, as the players say them where Carom draws.
    pub fn words(&self) -> Vec<String> {
        let own = |token: &String| legs_made(token, |leg| (!matches!(leg, Leg::Draw(_))).then_some(leg));
        self.tokens.iter().map(own).collect()
    }

    /// The game behind its last token; `None` where a token is not legal.
    pub fn session(&self) -> Option<Box<dyn Session>> {
        self.speakers().map(|(session, _)| session)
    }

    /// The same, and who said each token.
    fn speakers(&self) -> Option<(Box<dyn Session>, Vec<Color>)> {
        let facts = variants::find(self.game).unwrap();
        let mut session = session::open(facts, Rules::of(facts), Chance::Referee);
        session.set_up(Some(&self.start), &mut std::iter::empty()).ok()?;
        let mut speakers = Vec::new();
        for token in &self.tokens {
            let Actor::Player(speaker) = session.actor() else { return None };
            speakers.push(speaker);
            session.play(token).or_else(|_| session.play(&format!("{token},"))).ok()?;
        }
        Some((session, speakers))
    }

    /// Another deal, in which the same game can be played and none of `players` has seen a difference by its last token: the cards
    /// that none of them saw have changed places. For a spectator `players` is empty; of both, only the order of the stock
    /// changes. `None` where there is none.
    pub fn exchanged(&self, players: &[Color], rng: &mut Rng) -> Option<Self> {
        let (_, speakers) = self.speakers().expect("the game is legal");
        let (board, heaps) = self.heaps();
        let name = |player: &Color| if *player == Color::White { "W" } else { "B" };
        let mut seen: BTreeSet<String> =
            players.iter().map(name).chain(["D"]).flat_map(|heap| heaps[heap].clone()).collect();
        for (token, speaker) in self.tokens.iter().zip(&speakers) {
            for leg in legs(token) {
                match leg {
                    Leg::Play(card) => drop(seen.insert(text(card))),
                    Leg::Draw(Some(card)) if players.contains(speaker) => drop(seen.insert(text(card))),
                    _ => {}
                }
            }
        }
        let hidden: Vec<String> =
            heaps.values().flatten().filter(|card| !seen.contains(*card)).cloned().collect();
        for attempt in 0..40 {
            let mut places = hidden.clone();
            if attempt < 20 {
                (1..places.len()).rev().for_each(|last| places.swap(last, rng.below(last + 1)));
            } else if places.len() > 1 {
                // Whoever must follow suit leaves little to exchange.
                let (one, other) = (rng.below(places.len()), rng.below(places.len()));
                places.swap(one, other);
            }
            let other: BTreeMap<&String, &String> = hidden.iter().zip(&places).collect();
            let place = |card: &String| (*other.get(card).unwrap_or(&card)).clone();
            let heap = |name: &str| {
                let cards: String = heaps[name].iter().map(place).collect();
                format!("{name}={}", if cards.is_empty() { "-".to_owned() } else { cards })
            };
            let start = format!("{board} {}", ["W", "B", "S", "D"].map(heap).join("/"));
            let drawn = |leg: Leg| match leg {
                Leg::Draw(Some(card)) => Some(legs(&format!("+{}", place(&text(card))))[0]),
                leg => Some(leg),
            };
            let tokens = self.tokens.iter().map(|token| legs_made(token, drawn)).collect();
            let mut twin = Self { game: self.game, start, tokens };
            let Some(session) = twin.session() else { continue };
            twin.start = session.position_after(0).unwrap().to_string();
            if twin.start != self.start {
                return Some(twin);
            }
        }
        None
    }

    /// The first position without its cards, and these: hands, stock from the top, discards.
    fn heaps(&self) -> (&str, BTreeMap<&str, Vec<String>>) {
        let (board, cards) = self.start.rsplit_once(' ').unwrap();
        let heaps = cards.split('/').map(|heap| {
            let (name, cards) = heap.split_once('=').unwrap();
            assert!(!cards.contains('?'), "the whole deal is known: {heap}");
            let cards: Vec<char> = cards.chars().filter(|letter| *letter != '-').collect();
            (name, cards.chunks(2).map(|card| card.iter().collect()).collect())
        });
        (board, heaps.collect())
    }
}

fn legs(token: &str) -> Vec<Leg> {
    parse_token(token).unwrap().legs.to_vec()
}

/// The token with what `make` makes of each of its legs.
fn legs_made(token: &str, make: impl Fn(Leg) -> Option<Leg>) -> String {
    let Token { legs, open } = parse_token(token).unwrap();
    Token { legs: legs.into_iter().filter_map(make).collect(), open }.to_string()
}

fn text(card: Card) -> String {
    Leg::Play(card).to_string().replace('=', "")
}

#[test]
fn exchanged_deals_are_different_games_that_look_alike() {
    let (mut hands, mut stocks) = (0, 0);
    for (game, seed) in CARD_GAMES.into_iter().flat_map(|game| (1..=8).map(move |seed| (game, seed))) {
        let whole = CardGame::random(game, BEFORE_A_CONTEST, seed, 60);
        assert!(!whole.before_cards().is_empty(), "{whole:?}");
        let mut rng = Rng::new(seed);
        for end in whole.before_cards().into_iter().chain([whole.tokens.len()]) {
            let played = whole.first(end);
            for players in [&[][..], &[Color::White], &[Color::Black], &Color::ALL] {
                let Some(twin) = played.exchanged(players, &mut rng) else { continue };
                assert_eq!(twin.words(), played.words());
                let (one, other) = (played.session().unwrap(), twin.session().unwrap());
                for &player in players {
                    assert_eq!(one.start_for(player), other.start_for(player));
                    assert_eq!(one.position_for(player), other.position_for(player));
                }
                let ((_, one), (_, other)) = (played.heaps(), twin.heaps());
                stocks += usize::from(one["S"] != other["S"]);
                hands += usize::from(one["W"] != other["W"] || one["B"] != other["B"]);
            }
        }
    }
    assert!(hands > 50 && stocks > 100, "hands were exchanged {hands} times, the stock {stocks} times");
}
