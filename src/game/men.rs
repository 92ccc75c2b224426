//! What the men of a game are called and what they look like. Pictures are drawn elsewhere, in `pieces`.

/// A kind of man under the letter it is shown by (see [`super::gui::GuiBoard::shown`]): who has the ball has a letter of
/// his own there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Man {
    /// Upper case.
    pub letter: u8,
    /// For people, without what is beside him: `Lion`.
    pub name: &'static str,
    /// The figure.
    pub shape: Shape,
    /// Drawn as a smaller copy.
    pub small: bool,
    /// What is beside the figure.
    pub beside: Option<Thing>,
}

/// The figures. Their pictures have these names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    /// A thing that lies loose.
    Thing(Thing),
}

/// What lies beside a man, or loose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Thing {
    /// The one ball of a game, which is nobody's.
    Ball,
    /// A ball in the colour of its side.
    OwnBall,
    /// The sign of a Defender.
    Shield,
}

impl Man {
    /// A man of the usual size with nothing beside him.
    pub const fn new(letter: u8, name: &'static str, shape: Shape) -> Self {
        Self { letter, name, shape, small: false, beside: None }
    }

    /// The same, drawn smaller.
    pub const fn small(self) -> Self {
        Self { small: true, ..self }
    }

    /// The same man with `thing`, shown by another letter.
    pub const fn with(self, thing: Thing, letter: u8) -> Self {
        Self { letter, beside: Some(thing), ..self }
    }

    /// True for what belongs to neither side and looks the same in either case.
    pub fn is_nobodys(&self) -> bool {
        self.shape == Shape::Thing(Thing::Ball)
    }

    /// The name with what is beside him: `Lion with the ball`.
    pub fn title(&self) -> String {
        match self.beside {
            None => self.name.to_owned(),
            Some(Thing::Ball | Thing::OwnBall) => format!("{} with the ball", self.name),
            Some(Thing::Shield) => format!("{}, Defender", self.name),
        }
    }
}

/// The men of chess.
pub const CHESS_MEN: [Man; 6] = [
    Man::new(b'P', "Pawn", Shape::Pawn),
    Man::new(b'N', "Knight", Shape::Knight),
    Man::new(b'B', "Bishop", Shape::Bishop),
    Man::new(b'R', "Rook", Shape::Rook),
    Man::new(b'Q', "Queen", Shape::Queen),
    Man::new(b'K', "King", Shape::King),
];
