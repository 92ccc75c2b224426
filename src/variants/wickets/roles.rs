//! The piece with the ball and the Defender, for people who look at a picture of the board.

use super::board::Kind;
use super::facts;
use super::gui::ROLES;
use crate::base::Color;
use crate::game::Roles;
use crate::game::gui::letter_at;
use crate::notation::{Cell, Coordinate, Position, parse_coordinate};

/// The mark before the piece that has the ball.
const BALL_CARRIER: char = '+';
/// The mark before the Defender, which never has the ball.
const DEFENDER: char = '#';

pub(super) fn roles(position: &Position) -> Roles {
    let mut roles = Roles::default();
    let Some((white, black)) = position.fields.get(ROLES).and_then(|field| field.split_once('/')) else {
        return roles;
    };
    for (color, side) in [(Color::White, white), (Color::Black, black)] {
        let mut squares = side.split(':').map(|square| parse_coordinate(square).ok());
        let (carrier, defender) = (squares.next().flatten(), squares.next().flatten());
        roles.marks.extend(carrier.map(|at| (at, BALL_CARRIER)));
        roles.marks.extend(defender.map(|at| (at, DEFENDER)));
        let ball = match (carrier, loose_ball(position, color)) {
            (Some(at), _) => format!("the {} on {at} has the ball ({BALL_CARRIER})", word(position, at)),
            (None, Some(at)) => format!("the ball ({}) lies on {at}", char::from((!color).cased(b'O'))),
            (None, None) => "the ball is to be put down".to_owned(),
        };
        let defends = match defender {
            Some(at) => format!("the {} on {at} is Defender ({DEFENDER})", word(position, at)),
            None => "nobody is Defender".to_owned(),
        };
        roles.lines.push(format!("{color}: {ball}, {defends}"));
    }
    roles
}

fn word(position: &Position, at: Coordinate) -> &'static str {
    let letter = letter_at(facts::ALL[0], position, at);
    letter.and_then(Kind::from_letter).map_or("piece", Kind::word)
}

fn loose_ball(position: &Position, color: Color) -> Option<Coordinate> {
    // R9: a loose ball has the colour of the other side.
    let ball = Cell::of(Some((!color).cased(b'O')));
    let (file, rank, _) = position.placement.places().find(|&(.., cell)| cell == ball)?;
    Some(Coordinate::new(file, rank))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_position;

    #[test]
    fn a_ball_lying_loose_and_a_side_without_defender_are_told() {
        let text = "****O***/8/3k1h2/8/8/8/8/2N5/3KB3/****1*** b - - c2:d1/-:- 3 9";
        let roles = roles(&parse_position(text).unwrap());
        assert_eq!(
            roles.lines,
            [
                "White: the knight on c2 has the ball (+), the king on d1 is Defender (#)",
                "Black: the ball (O) lies on e9, nobody is Defender"
            ]
        );
        assert_eq!(
            roles.marks,
            [("c2", BALL_CARRIER), ("d1", DEFENDER)].map(|(at, mark)| (at.parse().unwrap(), mark))
        );
    }
}
