//! The board in XBoard's letters: `PNBRQK` for plain pieces, `ACDEFG` for the same with the ball, `HIJLMS`
//! for the same as Defender, `O` for a loose ball. Also the gestures of the mouse, and the questions and
//! notes about what the board does not show.

use super::cells::{FILES, NOWHERE, coordinate};
use super::decision::{Choice, Said, card};
use super::facts::START;
use super::state::{Phase, State};
use crate::base::Color;
use crate::game::gui::{
    Gesture, GuiBoard, Origin, Prompt, PromptKind, Signal, StepView, XboardView, all_decisions, change,
    decision_said, holes, letter_at, name_of, shown_after,
};
use crate::game::{Actor, Deed, DeedKind, Evaluation, Game, Notation};
use crate::notation::{Cell, Coordinate, Position, parse_coordinate, parse_position, parse_token};
use crate::variants::chessboard::castling_at_home;

/// How XBoard shows the game. All that a player does at one go is shown as one ply. The letter of the piece
/// that moved tells a throw from none. Letters in the table: PNBRQK for plain pieces, ACDEFG for the same
/// with the ball, HIJLMS as Defender, O for a loose ball.
pub(super) static VIEW: XboardView = XboardView {
    setup: Some(
        "(P......................C.....MSI..NJL..O......BRG.KQ...A.DEH....F.p......................c.....msi..njl..o......brg.kq...a.deh....f.) 8x10+0_bughouse",
    ),
    steps: Some(StepView { together: 5, closing_pass: false, neutral: None }),
    ..XboardView::KNOWN
};

const NO_MORE: Signal = Signal::new("no more", DeedKind::Stop);
const THROW: Signal = Signal::new("throw", DeedKind::Throw);
const BALL: Signal = Signal::new("ball", DeedKind::Throw);
const CALLED: Signal = Signal::new("Defender", DeedKind::Name);
const GIVEN_UP: Signal = Signal::new("given up", DeedKind::GiveUp);

impl GuiBoard for State {
    fn shown(&self) -> Position {
        show(&self.write())
    }

    fn read_shown(&self, shown: &Position) -> Option<Position> {
        read(shown)
    }

    fn checked_king(&self) -> Option<Coordinate> {
        self.in_check().then(|| coordinate(self.board.king(self.board.side())))
    }

    fn gestures(&self, picked: &[Coordinate]) -> Vec<Gesture> {
        let before = self.shown();
        // A hole left of a wicket means "this one", a hole right of it "no more".
        let (left, right): (Vec<_>, Vec<_>) =
            holes(self.facts(), &before).into_iter().partition(|at| at.file < FILES / 2);
        let mut found = Vec::new();
        for choice in all_decisions(self) {
            let path = || vec![choice.into()];
            match choice.said() {
                Said::Decline => {
                    let sign = |&to| Gesture::signal(Origin::Anywhere, to, NO_MORE, path());
                    found.extend(right.iter().map(sign));
                }
                Said::Move { from, to, .. } => self.add_move(choice, from, to, &before, &mut found),
                Said::Place(cell) | Said::Throw(cell) => {
                    found.push(Gesture::signal(Origin::Anywhere, coordinate(cell), BALL, path()));
                }
                Said::Call(cell) => {
                    let from = Origin::Square(coordinate(cell));
                    found.extend(left.iter().map(|&to| Gesture::signal(from, to, CALLED, path())));
                }
                Said::Sacrifice(set) => {
                    let set = set.into_iter().filter(|&cell| cell != NOWHERE).map(coordinate);
                    let (gone, open): (Vec<_>, Vec<_>) = set.partition(|at| picked.contains(at));
                    if gone.len() < picked.len() {
                        continue;
                    }
                    let says = if open.len() == 1 { path() } else { Vec::new() };
                    for from in open.into_iter().map(Origin::Square) {
                        let known = |g: &Gesture| g.from == from && g.signal == Some(GIVEN_UP);
                        if !found.iter().any(known) {
                            found.extend(
                                left.iter().map(|&to| Gesture::signal(from, to, GIVEN_UP, says.clone())),
                            );
                        }
                    }
                }
                Said::Roll(_) | Said::Play(_) | Said::Draw(_) => {}
            }
        }
        found
    }

    fn deed(&self, choice: Choice, after: &Self, shown: [&Position; 2]) -> Deed {
        let at = |cell: u8| coordinate(cell);
        let name = |cell: u8| {
            let letter = letter_at(self.facts(), shown[0], at(cell));
            letter.and_then(|letter| name_of(self.facts(), letter)).unwrap_or_default()
        };
        match choice.said() {
            Said::Place(cell) => ball_to(at(cell)).along([at(cell)]),
            Said::Throw(cell) => {
                let thrower = at(self.turn.at);
                let becomes = change(self.facts(), (shown[0], thrower), (shown[1], at(cell)));
                Deed { becomes, ..ball_to(at(cell)).along([thrower, at(cell)]) }
            }
            Said::Call(cell) => {
                let label = format!("The {} on {} is Defender", name(cell), at(cell));
                let report = format!("new Defender {}", at(cell));
                Deed::new(DeedKind::Name, label).along([at(cell)]).reported(report)
            }
            Said::Sacrifice(set) => {
                let set = || set.into_iter().filter(|&cell| cell != NOWHERE);
                let label: Vec<_> = set().map(|cell| format!("{} {}", name(cell), at(cell))).collect();
                let report: Vec<_> = set().map(|cell| format!("gives up {}", at(cell))).collect();
                let deed = Deed::new(DeedKind::GiveUp, format!("Give up {}", label.join(", ")));
                Deed { gone: set().map(at).collect(), ..deed.reported(report.join(", ")) }
            }
            Said::Roll(face) => {
                let sees = self.defender_sees().map(|who| format!(", because the {who} sees it"));
                let why = format!("needed {}{}", self.winning_from(), sees.unwrap_or_default());
                let result = format!("{} ({why})", after.wicket_result());
                Deed::new(DeedKind::Roll, &*result).reported(format!("Dice: {face}, {result}"))
            }
            Said::Draw(_) => {
                let deed = Deed::new(DeedKind::Draw, "Draw a card");
                match self.contest(after) {
                    Some(report) => deed.reported(report),
                    None => deed,
                }
            }
            Said::Move { .. } | Said::Play(_) | Said::Decline => {
                Deed::of_legs(self.facts(), &self.legs(choice), shown)
            }
        }
    }

    fn prompt(&self, picked: &[Coordinate]) -> Option<Prompt> {
        let seen = |what: &str| match self.defender_sees() {
            Some(who) => format!(" The Defender, a {who}, sees {what}."),
            None => String::new(),
        };
        let all = all_decisions(self);
        let may_decline = all.contains(&Choice::DECLINE);
        // The black fields are named by their files, because Black may see the board from either side.
        Some(match self.turn.phase {
            Phase::Place => Prompt::guide(
                "Put the captured ball down on one of the marked squares.",
                "Put the captured ball down: click a piece, then a green square",
            ),
            Phase::Call => Prompt {
                kind: PromptKind::Tell,
                question: "Your Defender is gone: choose another of your pieces.".to_owned(),
                how: format!(
                    "Your Defender is gone. Name another: click on one of your pieces, then on {THIS}."
                ),
            },
            Phase::Throw if may_decline => Prompt::guide(
                "Throw the ball, or keep it.",
                format!("Throw: a piece, then the square; to hold the ball: a piece, then {NO_MORE_OF_IT}"),
            ),
            Phase::Throw => Prompt::guide("Throw the ball.", "Throw: click a piece, then the square"),
            Phase::Sacrifice => {
                let pieces = match self.price() {
                    1 => "a piece".to_owned(),
                    price => format!("{price} pieces"),
                };
                let what = if self.turn.second { "to roll once more" } else { "for the wicket" };
                let or = if may_decline { ", or stop" } else { "" };
                let question = format!("Give up {pieces} {what}{or}.{}", seen("the wicket"));
                Prompt::guide(question, self.price_of_the_wicket(picked.len()))
            }
            Phase::Lead => self
                .ask_for_card(&all, format!("Play a card for the wicket; the ace is the 1.{}", seen("it"))),
            Phase::Follow => self
                .ask_for_card(&all, format!("Answer with a card; the ace is the 1.{}", seen("the wicket"))),
            Phase::Move
            | Phase::Roll
            | Phase::LeadDraw
            | Phase::FollowDraw
            | Phase::NobodyToCall
            | Phase::WicketOfKing => return None,
        })
    }

    /// Reads a card as people write it: the ace may be 1, and T may be 10.
    fn typed(&self, word: &str) -> Result<Choice, String> {
        if word.is_empty() {
            return Err("no card was named".into());
        }
        if word.eq_ignore_ascii_case("stop") {
            return decision_said(self, "0000");
        }
        let plain = word.trim_start_matches('=');
        let token = plain.char_indices().next_back().map(|(last, _)| match plain.split_at(last) {
            ("1", suit) => format!("=A{suit}"),
            ("10", suit) => format!("=T{suit}"),
            (value, suit) => format!("={value}{suit}"),
        });
        match token.filter(|token| parse_token(token).is_ok()) {
            Some(token) => decision_said(self, &token),
            None => Err(format!("`{word}` is no card, they are written Ac, 2d, 9h, Ts")),
        }
    }
}

/// The ball goes to this square.
fn ball_to(at: Coordinate) -> Deed {
    Deed::new(DeedKind::Throw, format!("Ball to {at}")).reported(format!("the ball goes to {at}"))
}

/// The fields that mean "this one", and those that mean "no more".
const THIS: &str = "a black field on a-d";
const NO_MORE_OF_IT: &str = "a black field on f-h";

impl State {
    /// Adds the gestures of a move. After it the ball is held or thrown; a throw is announced by the letter
    /// without the ball.
    fn add_move(&self, choice: Choice, from: u8, to: u8, before: &Position, found: &mut Vec<Gesture>) {
        let after = self.after(choice);
        let shown = after.shown();
        let (from, to) = (coordinate(from), coordinate(to));
        let mut gesture = Gesture::step(from, to, change(self.facts(), (before, from), (&shown, to)), choice);
        let next = if after.turn.phase == Phase::Throw { all_decisions(&after) } else { Default::default() };
        if next.contains(&Choice::DECLINE) {
            let throw = next.iter().find(|next| matches!(next.said(), Said::Throw(_)));
            let letter = throw.and_then(|&throw| letter_at(self.facts(), &shown_after(&after, throw), to));
            gesture.decisions.push(Choice::DECLINE.into());
            found.push(gesture);
            let throw = Gesture::signal(Origin::Square(from), to, THROW, vec![choice.into()]);
            found.push(Gesture { letter, ..throw });
        } else {
            found.push(gesture);
        }
    }

    /// The name of the Defender's kind, if the Defender sees its wicket.
    fn defender_sees(&self) -> Option<&'static str> {
        let them = self.sides().1;
        let sees = self.board.piece_at(self.board.defender(them)).filter(|_| self.seen());
        sees.map(|defender| defender.kind.word())
    }

    fn price_of_the_wicket(&self, picked: usize) -> String {
        let left = usize::from(self.price()) - picked.min(usize::from(self.price()));
        let more = if picked > 0 { " more" } else { "" };
        let stop = if picked > 0 { "" } else { "; on f-h to stop" };
        let what = match self.defender_sees() {
            _ if self.turn.second => ", to roll once more".to_owned(),
            Some(who) => format!(": the {who} sees the wicket"),
            None => String::new(),
        };
        format!("Give up {left}{more} (piece, then {THIS}{stop}){what}")
    }

    fn ask_for_card(&self, all: &[Choice], question: String) -> Prompt {
        let cards = all.iter().filter(|choice| matches!(choice.said(), Said::Play(_)));
        let mut cards: Vec<String> =
            cards.flat_map(|&choice| self.legs(choice)).map(|leg| leg.to_string().replace('=', "")).collect();
        cards.sort_unstable();
        let stop = if cards.len() < all.len() { "; or stop" } else { "" };
        let how = format!("Play a card (A, the ace, is the 1): {}{stop}", cards.join(" "));
        Prompt { kind: PromptKind::Ask, question, how }
    }

    /// What came of the wicket.
    fn wicket_result(&self) -> &'static str {
        let taken = self.turn.taken || self.actor() == Actor::Nobody;
        if taken { "wicket taken" } else { "wicket not taken" }
    }

    /// What came of the two cards that were played, once the second has been replaced (R62).
    fn contest(&self, after: &Self) -> Option<String> {
        if self.turn.phase != Phase::FollowDraw {
            return None;
        }
        let [lead, follow] = self.cards.as_ref()?.played()?.map(card);
        let more = self.defender_sees().map(|who| format!(" and 2.5, because the {who} sees it"));
        let result =
            if after.turn.drawn_round { "as much, another card each" } else { after.wicket_result() };
        Some(format!("Cards: {lead} against {follow}{}, {result}", more.unwrap_or_default()))
    }
}

const PLAIN: &[u8; 6] = b"PNBRQK";
pub(super) const BALL_CARRIER: &[u8; 6] = b"ACDEFG";
pub(super) const DEFENDER: &[u8; 6] = b"HIJLMS";
/// The index of the field with the roles, after side, castling and en passant.
pub(super) const ROLES: usize = 3;

fn show(position: &Position) -> Position {
    let mut shown = position.clone();
    let Some(roles) = position.fields.get(ROLES) else { return shown };
    for side in roles.split('/') {
        for (square, letters) in side.split(':').zip([BALL_CARRIER, DEFENDER]) {
            let Some(index) = parse_coordinate(square).ok().and_then(|at| index(&shown, at)) else {
                continue;
            };
            if let Cell::Piece { letter, .. } = &mut shown.placement.cells[index] {
                *letter = renamed(*letter, PLAIN, letters).unwrap_or(*letter);
            }
        }
    }
    shown
}

fn read(shown: &Position) -> Option<Position> {
    let mut position = shown.clone();
    let mut roles = [["-".to_owned(), "-".to_owned()], ["-".to_owned(), "-".to_owned()]];
    let files = usize::from(position.placement.files);
    for (index, cell) in position.placement.cells.iter_mut().enumerate() {
        let Cell::Piece { letter, .. } = cell else { continue };
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        for (role, letters) in [BALL_CARRIER, DEFENDER].into_iter().enumerate() {
            if let Some(plain) = renamed(*letter, letters, PLAIN) {
                *letter = plain;
                roles[color.index()][role] =
                    Coordinate::new((index % files) as u8, (index / files) as u8).to_string();
            }
        }
    }
    let side = position.fields.first()?.clone();
    let castling = castling_at_home(&position.placement, &parse_position(START).ok()?.placement);
    let roles = roles.map(|side| side.join(":")).join("/");
    position.hand = None;
    position.fields = vec![side, castling, "-".into(), roles, "0".into(), "1".into()];
    Some(position)
}

pub(super) fn index(position: &Position, at: Coordinate) -> Option<usize> {
    let board = &position.placement;
    (at.file < board.files && at.rank < board.ranks)
        .then(|| usize::from(at.rank) * usize::from(board.files) + usize::from(at.file))
}

/// The letter of `to` at the index that `letter` has in `from`, in the same case.
fn renamed(letter: u8, from: &[u8; 6], to: &[u8; 6]) -> Option<u8> {
    let place = from.iter().position(|&own| own == letter.to_ascii_uppercase())?;
    Some(if letter.is_ascii_lowercase() { to[place].to_ascii_lowercase() } else { to[place] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_letters() {
        let start = parse_position(START).unwrap();
        let shown = show(&start);
        assert!(
            shown.to_string().starts_with("****1***/rnbmgbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBMGBNR/****1*** w")
        );
        assert_eq!(read(&shown).unwrap(), start);
        let text = "****o***/8/3k1h2/8/8/8/8/2C5/3SB3/****1*** b - - c2:d1/-:f7 3 9";
        let ours = parse_position("****o***/8/3k1p2/8/8/8/8/2N5/3KB3/****1*** b - - c2:d1/-:f7 0 1").unwrap();
        assert_eq!(read(&parse_position(text).unwrap()).unwrap(), ours);
    }
}
