//! The field in XBoard's letters, where a piece with the Ball has its own letter, and the gestures of the
//! mouse.

use super::FACTS;
use super::decision::{Deed as StepKind, Step};
use super::notation::coordinate;
use super::state::State;
use crate::game::gui::{
    Gesture, GuiBoard, Origin, Prompt, Signal, StepView, XboardView, all_decisions, change, holes, letter_at,
    name_of, shown_after,
};
use crate::game::{Deed, DeedKind, Notation};
use crate::notation::{Cell, Coordinate, Position, parse_position};

/// How XBoard shows the game. A step is a ply, and a turn ends with a pass. The Ball belongs to neither side.
/// The letters `HELM` are pieces without the Ball, `ACUN` the same with it, `O` is the Ball.
pub(super) static VIEW: XboardView = XboardView {
    setup: Some(
        "(..........................M....AN.H...UO..C.........LE...........................m....an.h...uo..c...\
         ......le.) 9x15+0_bughouse",
    ),
    steps: Some(StepView { together: 1, closing_pass: true, neutral: Some(b'O') }),
    ..XboardView::KNOWN
};

const END_OF_TURN: Signal = Signal::new("end of turn", DeedKind::Stop);
const SENT_OFF: Signal = Signal::new("sent off", DeedKind::Remove);

impl GuiBoard for State {
    fn shown(&self) -> Position {
        show(&self.write())
    }

    fn read_shown(&self, shown: &Position) -> Option<Position> {
        read(shown)
    }

    /// A shot is shown as a move of the Ball itself. To end the turn, the player moves any piece to a hole.
    fn gestures(&self, _: &[Coordinate]) -> Vec<Gesture> {
        let before = self.shown();
        let holes = holes(&FACTS, &before);
        let mut found: Vec<Gesture> = Vec::new();
        for step in all_decisions(self) {
            let after = shown_after(self, step);
            let letter = |from, to| change(&FACTS, (&before, from), (&after, to));
            let gesture = match step.deed() {
                StepKind::Stop => {
                    let sign = |&to| Gesture::signal(Origin::Anywhere, to, END_OF_TURN, vec![step.into()]);
                    found.extend(holes.iter().map(sign));
                    continue;
                }
                StepKind::SendOff(square) => {
                    Gesture::signal(Origin::Anywhere, coordinate(square), SENT_OFF, vec![step.into()])
                }
                StepKind::Go { from, to } | StepKind::Leave { from, to } => {
                    let (from, to) = (coordinate(from), coordinate(to));
                    Gesture::step(from, to, letter(from, to), step)
                }
                StepKind::Shoot { to, .. } if to == self.board.ball() => continue,
                StepKind::Shoot { to, .. } => {
                    // If it lands on an own piece, the board shows that this piece has it then.
                    let own = self.board.piece_at(to).is_some_and(|(color, _)| color == self.side);
                    let to = coordinate(to);
                    let letter = letter_at(&FACTS, &after, to).filter(|_| own).unwrap_or(b'O');
                    Gesture::step(coordinate(self.board.ball()), to, Some(letter), step)
                }
            };
            // Two steps that lead to the same board (a shot and a ricochet) are one for the mouse.
            let same = |g: &Gesture| (g.from, g.to, g.letter) == (gesture.from, gesture.to, gesture.letter);
            if !found.iter().any(same) {
                found.push(gesture);
            }
        }
        found
    }

    fn deed(&self, step: Step, _: &Self, shown: [&Position; 2]) -> Deed {
        match step.deed() {
            StepKind::Go { .. } | StepKind::Leave { .. } | StepKind::Stop => {
                Deed::of_legs(&FACTS, &self.legs(step), shown)
            }
            StepKind::Shoot { first, to } => {
                let (ball, first, to) = (coordinate(self.board.ball()), coordinate(first), coordinate(to));
                let flight = if first == to { vec![ball, to] } else { vec![ball, first, to] };
                let over = if first == to { String::new() } else { format!("by way of {first} ") };
                let report: Vec<String> = flight[1..].iter().map(|at| format!("shoots to {at}")).collect();
                let becomes = change(&FACTS, (shown[0], ball), (shown[1], to));
                let deed = Deed::new(DeedKind::Throw, format!("Ball {over}to {to}"));
                Deed { becomes, ..deed.along(flight).reported(report.join(", ")) }
            }
            StepKind::SendOff(square) => {
                let at = coordinate(square);
                let name = letter_at(&FACTS, shown[0], at).and_then(|letter| name_of(&FACTS, letter));
                let label = format!("Take off the {} on {at}", name.unwrap_or_default());
                let deed = Deed::new(DeedKind::Remove, label).reported(format!("sends off {at}"));
                Deed { gone: vec![at], ..deed }
            }
        }
    }

    fn steps(&self) -> Option<(u8, u8)> {
        Some((self.used, self.steps_allowed()))
    }

    fn prompt(&self, _: &[Coordinate]) -> Option<Prompt> {
        let all = all_decisions(self);
        let can = |is: fn(StepKind) -> bool| all.iter().any(|step| is(step.deed()));
        let shoot = can(|step| matches!(step, StepKind::Shoot { .. }));
        let stop = can(|step| step == StepKind::Stop);
        let send_off = can(|step| matches!(step, StepKind::SendOff(_)));
        // XBoard's window is narrow in this game: what is new comes first, how it is done below.
        let (step, steps) = (self.used + 1, self.steps_allowed());
        let mut how = format!(
            "{step}/{steps}: {}",
            match (shoot, stop) {
                (false, false) => "move a piece",
                (true, false) => "move, or shoot",
                (false, true) => "move, or End Turn",
                (true, true) => "move, shoot, or End Turn",
            }
        );
        if stop {
            how.push_str("\nTo end the turn: click a piece, then a black field");
        }
        if send_off {
            how.push_str("\nTo send a piece off: click a piece of yours, then the enemy's");
        }
        let mut ways = vec!["move a piece"];
        ways.extend(shoot.then_some("shoot the ball"));
        ways.extend(send_off.then_some("send an enemy piece off"));
        ways.extend(stop.then_some("end the turn"));
        let last = ways.pop().filter(|_| !all.is_empty())?;
        let ways = if ways.is_empty() { last.to_owned() } else { format!("{} or {last}", ways.join(", ")) };
        Some(Prompt::guide(format!("Step {step} of {steps}: {ways}."), how))
    }
}

/// The letter of a piece, and of the same piece with the Ball.
const WITH_BALL: [(u8, u8); 4] = [(b'H', b'A'), (b'E', b'C'), (b'L', b'U'), (b'M', b'N')];

fn show(position: &Position) -> Position {
    let mut shown = position.clone();
    for cell in &mut shown.placement.cells {
        if let Cell::Piece { letter, plus } = cell
            && *plus
        {
            let with_ball = WITH_BALL.iter().find(|(plain, _)| *plain == letter.to_ascii_uppercase());
            *letter = with_ball.map_or(*letter, |&(_, with)| cased(with, *letter));
            *plus = false;
        }
    }
    shown
}

/// XBoard gives only the board and the side to move, so a turn of four steps begins.
fn read(shown: &Position) -> Option<Position> {
    let mut position = shown.clone();
    for cell in &mut position.placement.cells {
        if let Cell::Piece { letter, plus } = cell
            && let Some(&(plain, _)) = WITH_BALL.iter().find(|(_, with)| *with == letter.to_ascii_uppercase())
        {
            *letter = cased(plain, *letter);
            *plus = true;
        }
    }
    let side = position.fields.first()?.clone();
    // The start position is the only one known to come before White's first turn (R10).
    let start = parse_position(FACTS.start).ok()?;
    let first = side == "w" && unmoved(&position, &start);
    position.hand = None;
    position.fields = vec![side, if first { "2" } else { "4" }.into(), "0".into(), "1".into()];
    Some(position)
}

/// True when the boards are the same, in whatever case the loose Ball is written.
fn unmoved(position: &Position, start: &Position) -> bool {
    let same = |(one, other): (&Cell, &Cell)| match (one, other) {
        (Cell::Piece { letter: b'O' | b'o', .. }, Cell::Piece { letter: b'O' | b'o', .. }) => true,
        _ => one == other,
    };
    position.placement.cells.len() == start.placement.cells.len()
        && position.placement.cells.iter().zip(&start.placement.cells).all(same)
}

const fn cased(letter: u8, like: u8) -> u8 {
    if like.is_ascii_lowercase() { letter.to_ascii_lowercase() } else { letter }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_with_the_ball_has_a_letter_of_its_own() {
        let ours = parse_position("***1m1***/4+l4/9/9/9/9/9/9/9/9/9/9/9/9/***1M1*** b 4 0 1").unwrap();
        let theirs = show(&ours);
        assert_eq!(theirs.to_string(), "***1m1***/4u4/9/9/9/9/9/9/9/9/9/9/9/9/***1M1*** b 4 0 1");
        assert_eq!(read(&theirs).unwrap(), ours);
    }

    #[test]
    fn the_start_allows_two_steps() {
        let start = parse_position(FACTS.start).unwrap();
        assert_eq!(read(&start).unwrap().fields, ["w", "2", "0", "1"]);
    }
}
