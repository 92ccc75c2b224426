//! The names and the looks of a game's pieces. Their pictures are drawn elsewhere, in `pieces`.

use crate::base::Color;

/// A kind of piece and the letter it is shown by (see [`super::gui::GuiBoard::shown`]): a piece that has the
/// ball has a letter of its own there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The letter, upper case.
    pub letter: u8,
    /// The name for people, without what is beside the piece: `Lion`.
    pub name: &'static str,
    /// The figure it is drawn as.
    pub shape: Shape,
    /// True when it is drawn as a smaller copy.
    pub small: bool,
    /// What is drawn beside the figure.
    pub beside: Option<Thing>,
}

/// The figures, those of chess by worth. Their pictures have the same names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Shape {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
    Square,
    Triangle,
    Circle,
    Lance,
    Elephant,
    Lion,
    Monkey,
    Guard,
    Deer,
    Mage,
    Reducer,
    Statue,
    Boy,
    CrossBall,
    DiagonalBall,
    Superball,
    /// A thing that no piece holds.
    Thing(Thing),
}

/// What is drawn beside a piece, or alone on a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Thing {
    /// The one ball of a game, which belongs to neither player.
    Ball,
    /// A ball in the colour of its side.
    OwnBall,
    /// The sign of a Defender.
    Shield,
}

impl Piece {
    /// A piece of the usual size with nothing beside it.
    pub const fn new(letter: u8, name: &'static str, shape: Shape) -> Self {
        Self { letter, name, shape, small: false, beside: None }
    }

    /// The same piece, drawn smaller.
    pub const fn small(self) -> Self {
        Self { small: true, ..self }
    }

    /// The same piece with `thing`, shown by another letter.
    pub const fn with(self, thing: Thing, letter: u8) -> Self {
        Self { letter, beside: Some(thing), ..self }
    }

    /// The owner of a piece whose letter is a capital (White) or small (Black); `None` for what belongs to
    /// neither player. A ball that no piece holds is written as a thing of the other side, which takes it
    /// (Chess with Wickets, R9).
    pub fn owner(&self, color: Color) -> Option<Color> {
        match self.shape {
            Shape::Thing(Thing::Ball) => None,
            Shape::Thing(Thing::OwnBall) => Some(!color),
            _ => Some(color),
        }
    }

    /// True for a ball that no piece holds.
    pub fn is_ball(&self) -> bool {
        matches!(self.shape, Shape::Thing(Thing::Ball | Thing::OwnBall))
    }

    /// True for a piece that has a ball.
    pub const fn has_ball(&self) -> bool {
        matches!(self.beside, Some(Thing::Ball | Thing::OwnBall))
    }

    /// The name with what is beside the piece: `Lion with the ball`.
    pub fn title(&self) -> String {
        match self.beside {
            None => self.name.to_owned(),
            Some(Thing::Ball | Thing::OwnBall) => format!("{} with the ball", self.name),
            Some(Thing::Shield) => format!("{}, Defender", self.name),
        }
    }
}
