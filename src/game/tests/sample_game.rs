//! A tiny game that has everything the contract allows for; only tests play it.
//!
//! Runners' duel. A 3x3 board without a2; White's runner starts on a1, Black's on c3.
//!
//! * D1 The mover steps the runner to a neighbouring empty square. A player who reaches the other's start
//!   square wins at once.
//! * D2 A player who has no step at the beginning of a turn loses.
//! * D3 If the runners now stand side by side, the mover may attack (`X@b3`) or not (not written).
//! * D4 The attacked player plays a card (`=2c`) or gives in (`0000`); without cards, the player gives in,
//!   which is not written.
//! * D5 A card holds if the die shows no more than its value; then its player draws a card, if one is left.
//! * D6 If it held, the attacked player puts the attacker (`W@a1`) on the attacker's start square or on a3,
//!   if that is free; the turn ends.
//! * D7 If it did not, or if the player gave in, the attacked runner goes to a3, if that is free, and the
//!   mover may step once more; that again wins on the other's start square.
//! * D8 Hands are hidden, cards played are not. Six cards: 1 to 3 of clubs and diamonds; each player begins
//!   with one.
//! * D9 The third occurrence of a position, and the end of the 120th turn, is a draw.

use crate::base::{Bits, Color, Rng, key_for};
use crate::game::{
    Actor, Chance, ChanceOutcomes, Decisions, Facts, Game, GenType, Hidden, Notation, Outcome, Perft,
    Repetition, RepetitionKey, Rules, SetupError, SetupErrorKind, gui,
};
use crate::notation::{Card, Cell, Coordinate, Leg, Legs, Placement, Position, Suit};

const NEIGHBOURS: [&[u8]; 9] =
    [&[1], &[0, 2, 4], &[1, 5], &[], &[1, 5, 7], &[2, 4, 8], &[7], &[4, 6, 8], &[5, 7]];
const START: [u8; 2] = [0, 8];
const PIT: u8 = 6;
const ALL_CARDS: u64 = 0b11_1111;
const MOST_TURNS: u32 = 120;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Choice {
    Step(u8),
    Attack,
    /// Declining, whether it is written or not.
    Decline,
    Play(u8),
    Hold,
    Fail,
    Draw(u8),
    /// A card that this viewer may not see.
    DrawHidden,
    Place(u8),
}

impl From<Choice> for u32 {
    fn from(choice: Choice) -> Self {
        match choice {
            Choice::Step(to) => u32::from(to),
            Choice::Play(card) => 16 + u32::from(card),
            Choice::Draw(card) => 32 + u32::from(card),
            Choice::Attack => 48,
            Choice::Decline => 49,
            Choice::Hold => 50,
            Choice::Fail => 51,
            Choice::DrawHidden => 52,
            Choice::Place(at) => 64 + u32::from(at),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Step,
    Attack,
    Defend,
    Roll { value: u32 },
    Draw { held: bool },
    Place,
    Again { spoken: bool },
}

/// The cards of a hand that are known, and the number of those that are not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Hand {
    known: u64,
    hidden: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Duel {
    runners: [u8; 2],
    mover: Color,
    stage: Stage,
    hands: [Hand; 2],
    played: u64,
    /// The number of complete turns since a card was played.
    quiet: u32,
    card_played_this_turn: bool,
    turns: u32,
    viewer: Option<Color>,
}

impl Duel {
    fn foe(&self) -> Color {
        self.mover.other()
    }

    fn winner(&self) -> Option<Color> {
        Color::ALL.into_iter().find(|c| self.runners[c.index()] == START[c.other().index()])
    }

    /// The cards in the stock or in hands that cannot be seen.
    fn unseen(&self) -> u64 {
        ALL_CARDS & !self.played & !self.hands[0].known & !self.hands[1].known
    }

    fn stock(&self) -> u32 {
        self.unseen().count_ones() - self.hands[0].hidden - self.hands[1].hidden
    }

    fn steps(&self) -> impl Iterator<Item = u8> + '_ {
        let from = self.runners[self.mover.index()];
        NEIGHBOURS[usize::from(from)].iter().copied().filter(|to| !self.runners.contains(to))
    }

    /// Rule D7: the attacked runner goes to a3.
    fn give_way(&mut self, spoken: bool) {
        if !self.runners.contains(&PIT) {
            self.runners[self.foe().index()] = PIT;
        }
        self.stage = Stage::Again { spoken };
    }

    fn end_turn(&mut self) {
        self.quiet = if self.card_played_this_turn { 0 } else { self.quiet + 1 };
        self.card_played_this_turn = false;
        self.turns += 1;
        self.mover = self.foe();
        self.stage = Stage::Step;
    }

    fn settle(&mut self, held: bool) {
        if held {
            self.stage = Stage::Place;
        } else {
            self.give_way(true);
        }
    }
}

impl Game for Duel {
    type Decision = Choice;

    fn actor(&self) -> Actor {
        match self.stage {
            _ if self.winner().is_some() => Actor::Nobody,
            Stage::Step | Stage::Attack | Stage::Again { .. } => Actor::Player(self.mover),
            Stage::Defend | Stage::Place => Actor::Player(self.foe()),
            Stage::Roll { .. } | Stage::Draw { .. } => Actor::Chance,
        }
    }

    fn ending(&self, stuck: bool) -> Option<Outcome> {
        let arrived = self.winner().map(|winner| Outcome::win(winner, "D1", "the runner arrived"));
        let no_step = || stuck.then(|| Outcome::win(self.foe(), "D2", "no step is left"));
        let draw = || (self.turns >= MOST_TURNS).then_some(Outcome::draw("D9", "120 turns"));
        arrived.or_else(no_step).or_else(draw)
    }

    fn decisions(&self, _: GenType, list: &mut Decisions<Choice>) {
        if self.winner().is_some() {
            return;
        }
        match self.stage {
            Stage::Step => list.extend(self.steps().map(Choice::Step)),
            Stage::Attack => list.extend([Choice::Attack, Choice::Decline]),
            Stage::Defend => {
                let hand = self.hands[self.foe().index()];
                let cards = if hand.hidden > 0 { self.unseen() | hand.known } else { hand.known };
                list.extend(Bits(cards).map(Choice::Play));
                list.push(Choice::Decline);
            }
            Stage::Roll { .. } => list.extend([Choice::Hold, Choice::Fail]),
            Stage::Draw { .. } if self.viewer == Some(self.mover) => list.push(Choice::DrawHidden),
            Stage::Draw { .. } => list.extend(Bits(self.unseen()).map(Choice::Draw)),
            Stage::Place => {
                let places = [START[self.mover.index()], PIT];
                let foe = self.runners[self.foe().index()];
                list.extend(places.into_iter().filter(|at| *at != foe).map(Choice::Place));
            }
            Stage::Again { .. } => {
                list.extend(self.steps().map(Choice::Step));
                list.push(Choice::Decline);
            }
        }
    }

    fn apply(&mut self, choice: Choice) {
        let foe = self.foe().index();
        match (choice, self.stage) {
            (Choice::Step(to), stage) => {
                self.runners[self.mover.index()] = to;
                if self.winner().is_some() {
                    // D1: the game is won at once, in the middle of the turn.
                } else if stage == Stage::Step && NEIGHBOURS[usize::from(to)].contains(&self.runners[foe]) {
                    self.stage = Stage::Attack;
                } else {
                    self.end_turn();
                }
            }
            (Choice::Attack, _) if self.hands[foe] == (Hand { known: 0, hidden: 0 }) => self.give_way(false),
            (Choice::Attack, _) => self.stage = Stage::Defend,
            (Choice::Decline, Stage::Defend) => self.settle(false),
            (Choice::Decline, _) => self.end_turn(),
            (Choice::Place(at), _) => {
                self.runners[self.mover.index()] = at;
                self.end_turn();
            }
            (Choice::Play(card), _) => {
                let hand = &mut self.hands[foe];
                if hand.known >> card & 1 == 1 {
                    hand.known &= !(1 << card);
                } else {
                    hand.hidden -= 1;
                }
                self.played |= 1 << card;
                self.card_played_this_turn = true;
                self.stage = Stage::Roll { value: u32::from(card % 3) + 1 };
            }
            (Choice::Hold | Choice::Fail, _) => {
                let held = choice == Choice::Hold;
                self.stage = Stage::Draw { held };
                if self.stock() == 0 {
                    self.settle(held);
                }
            }
            (Choice::Draw(_) | Choice::DrawHidden, stage) => {
                match choice {
                    Choice::Draw(card) => self.hands[foe].known |= 1 << card,
                    _ => self.hands[foe].hidden += 1,
                }
                self.settle(stage == Stage::Draw { held: true });
            }
        }
    }

    fn key(&self) -> u64 {
        let stage = match self.stage {
            Stage::Step => 0,
            Stage::Attack => 1,
            Stage::Defend => 2,
            Stage::Again { spoken } => 3 + u64::from(spoken),
            Stage::Draw { held } => 5 + u64::from(held),
            Stage::Place => 7,
            Stage::Roll { value } => 8 + u64::from(value),
        };
        let hand = |hand: Hand| hand.known | u64::from(hand.hidden) << 8;
        let parts = [
            u64::from(self.runners[0]),
            u64::from(self.runners[1]),
            self.mover.index() as u64,
            stage,
            hand(self.hands[0]),
            hand(self.hands[1]),
            self.played,
        ];
        parts.into_iter().zip(1..).fold(0, |key, (part, stream)| key ^ key_for(stream, part))
    }

    fn between_turns(&self) -> bool {
        self.stage == Stage::Step
    }
}

impl Perft for Duel {
    const ONE_DECISION_A_TURN: bool = false;
}

impl Repetition for Duel {
    const THIRD_OCCURRENCE: Option<Outcome> = Some(Outcome::draw("D9", "third occurrence"));

    fn repetition(&self) -> Option<RepetitionKey> {
        let between = self.between_turns() && self.winner().is_none();
        between.then(|| RepetitionKey { key: self.key(), span: self.quiet })
    }
}

impl Chance for Duel {
    fn outcomes(&self, list: &mut ChanceOutcomes<Choice>) {
        let mut cases = Decisions::new();
        self.decisions(GenType::All, &mut cases);
        let weight = |choice| match (choice, self.stage) {
            (Choice::Hold, Stage::Roll { value }) => value,
            (Choice::Fail, Stage::Roll { value }) => 6 - value,
            _ => 1,
        };
        list.extend(cases.into_iter().map(|choice| (choice, weight(choice))));
    }
}

impl Hidden for Duel {
    fn view(&self, viewer: Color) -> Self {
        let mut view = self.clone();
        let hand = &mut view.hands[viewer.other().index()];
        *hand = Hand { known: 0, hidden: hand.known.count_ones() + hand.hidden };
        view.viewer = Some(viewer);
        view
    }

    fn sample(&self, rng: &mut Rng) -> Self {
        let mut full = self.clone();
        full.viewer = None;
        for color in Color::ALL {
            for _ in 0..self.hands[color.index()].hidden {
                let unseen: Vec<u8> = Bits(full.unseen()).collect();
                if let Some(card) = rng.pick(&unseen) {
                    full.hands[color.index()].known |= 1 << card;
                }
            }
            full.hands[color.index()].hidden = 0;
        }
        full
    }
}

static FACTS: Facts = Facts {
    name: "duel",
    title: "Runners' duel",
    summary: "run to the other's start square",
    files: 3,
    ranks: 3,
    start: "2b/*2/W2 w W=Ac/B=2c - 0 0",
    chance: true,
    xboard: &gui::XboardView::KNOWN,
    ..Facts::PLAIN
};

fn coordinate(square: u8) -> Coordinate {
    Coordinate::new(square % 3, square / 3 + 1)
}

fn card(index: u8) -> Card {
    Card { value: index % 3 + 1, suit: if index < 3 { Suit::Clubs } else { Suit::Diamonds } }
}

fn cards_text(cards: u64) -> String {
    Bits(cards).map(|index| card(index).to_string()).collect()
}

fn cards(text: &str) -> Result<u64, SetupError> {
    let mut set = 0;
    for at in (0..text.len()).step_by(2) {
        let found = (0..6).find(|&index| text.get(at..at + 2) == Some(card(index).to_string().as_str()));
        set |= 1
            << found.ok_or_else(|| {
                SetupErrorKind::Malformed.at("cards", format!("`{text}` is no list of cards"))
            })?;
    }
    Ok(set)
}

fn hand(text: &str) -> Result<Hand, SetupError> {
    match text.strip_prefix('?') {
        Some(count) => match count.parse() {
            Ok(hidden) if hidden <= 6 => Ok(Hand { known: 0, hidden }),
            _ => Err(SetupErrorKind::Malformed.at("cards", "no number of cards behind `?`")),
        },
        None => Ok(Hand { known: cards(text)?, hidden: 0 }),
    }
}

impl gui::GuiBoard for Duel {}

impl Notation for Duel {
    const GAMES: &'static [&'static Facts] = &[&FACTS];

    fn read(position: &Position, _: &Rules) -> Result<Self, SetupError> {
        let board = &position.placement;
        let fail = |field, reason: &str| Err(SetupErrorKind::Malformed.at(field, reason));
        if (board.files, board.ranks) != (3, 3) || board.at(0, 1) != Cell::Hole {
            return fail("board", "3x3 squares without a2");
        }
        let find = |letter| board.cells.iter().position(|&cell| cell == Cell::Piece { letter, plus: false });
        let (Some(white), Some(black)) = (find(b'W'), find(b'b')) else {
            return fail("board", "there must be a W and a b");
        };
        let [side, held, played, quiet, turns] = position.fields.as_slice() else {
            return fail("fields", "there must be five");
        };
        let mover = match side.as_str() {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return fail("side to move", "w or b"),
        };
        let Some((white_hand, black_hand)) = held.strip_prefix("W=").and_then(|held| held.split_once("/B="))
        else {
            return fail("cards", "W=.../B=...");
        };
        let hands = [hand(white_hand)?, hand(black_hand)?];
        let viewer = match (hands[0].hidden, hands[1].hidden) {
            (0, 0) => None,
            (0, _) => Some(Color::White),
            _ => Some(Color::Black),
        };
        let (Ok(quiet), Ok(turns)) = (quiet.parse(), turns.parse()) else {
            return fail("counters", "numbers");
        };
        Ok(Self {
            runners: [white as u8, black as u8],
            mover,
            stage: Stage::Step,
            hands,
            played: if played == "-" { 0 } else { cards(played)? },
            quiet,
            card_played_this_turn: false,
            turns,
            viewer,
        })
    }

    fn write(&self) -> Position {
        let mut placement = Placement::new(3, 3);
        placement.set(0, 1, Cell::Hole);
        for (square, letter) in self.runners.into_iter().zip(*b"Wb") {
            placement.set(square % 3, square / 3, Cell::Piece { letter, plus: false });
        }
        let [white, black] = self.hands.map(|hand| match hand.hidden {
            0 => cards_text(hand.known),
            hidden => format!("?{hidden}"),
        });
        let played = if self.played == 0 { "-".to_owned() } else { cards_text(self.played) };
        let fields = vec![
            self.mover.letter().to_string(),
            format!("W={white}/B={black}"),
            played,
            self.quiet.to_string(),
            self.turns.to_string(),
        ];
        Position { placement, hand: None, fields }
    }

    fn start(_: &Rules) -> Self {
        Self {
            runners: START,
            mover: Color::White,
            stage: Stage::Step,
            hands: [Hand { known: 1, hidden: 0 }, Hand { known: 2, hidden: 0 }],
            played: 0,
            quiet: 0,
            card_played_this_turn: false,
            turns: 0,
            viewer: None,
        }
    }

    fn legs(&self, choice: Choice) -> Legs {
        let from = coordinate(self.runners[self.mover.index()]);
        let foe = coordinate(self.runners[self.foe().index()]);
        let leg = match (choice, self.stage) {
            (Choice::Step(to), _) => Leg::step(from, coordinate(to)),
            (Choice::Attack, _) => Leg::Put { letter: b'X', at: foe },
            (Choice::Place(at), _) => Leg::Put { letter: b"WB"[self.mover.index()], at: coordinate(at) },
            (Choice::Decline, Stage::Attack | Stage::Again { spoken: false }) => return Legs::new(),
            (Choice::Decline, _) => Leg::Pass,
            (Choice::Play(index), _) => Leg::Play(card(index)),
            (Choice::Hold, _) => Leg::Roll(1),
            (Choice::Fail, _) => Leg::Roll(6),
            (Choice::Draw(index), _) => Leg::Draw(Some(card(index))),
            (Choice::DrawHidden, _) => Leg::Draw(None),
        };
        Legs::from_iter([leg])
    }

    fn reads(&self, choice: Choice, legs: &[Leg]) -> usize {
        let said = match (legs.first(), choice, self.stage) {
            (Some(Leg::Roll(die)), Choice::Hold, Stage::Roll { value }) => u32::from(*die) <= value,
            (Some(Leg::Roll(die)), Choice::Fail, Stage::Roll { value }) => u32::from(*die) > value,
            (Some(Leg::Draw(_)), Choice::DrawHidden, _) => true,
            (Some(leg), _, _) => self.legs(choice).first() == Some(leg),
            (None, _, _) => false,
        };
        usize::from(said)
    }

    fn explain(&self, _: &[Leg]) -> String {
        match self.stage {
            Stage::Step => "a step is due",
            Stage::Attack => "attack or stop",
            Stage::Defend => "a card or 0000 is due",
            Stage::Roll { .. } => "the die is due",
            Stage::Draw { .. } => "a drawn card is due",
            Stage::Place => "the attacker must be put somewhere",
            Stage::Again { .. } => "a step or nothing is due",
        }
        .to_owned()
    }
}
