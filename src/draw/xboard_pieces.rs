//! The files XBoard looks for in its piece image directory (`-pid`).

use super::figure;
use crate::base::Color;
use crate::game::{Facts, Piece};

/// XBoard 4.9.1's names for the pictures of its piece types, in the order of a set-up table (`pngPieceNames`
/// in its draw.c).
const NAMES: [&str; 66] = [
    "Pawn",
    "Knight",
    "Bishop",
    "Rook",
    "Queen",
    "Advisor",
    "Elephant",
    "Archbishop",
    "Marshall",
    "Gold",
    "Commoner",
    "Canon",
    "Nightrider",
    "CrownedBishop",
    "CrownedRook",
    "Crown",
    "Chancellor",
    "Hawk",
    "Lance",
    "Cobra",
    "Unicorn",
    "Lion",
    "Sword",
    "Zebra",
    "Camel",
    "Tower",
    "Wolf",
    "Hat",
    "Duck",
    "Lance",
    "Dragon",
    "Gnu",
    "Cub",
    "LShield",
    "Pegasus",
    "Wizard",
    "Copper",
    "Iron",
    "Viking",
    "Flag",
    "Axe",
    "Dolphin",
    "Leopard",
    "Claw",
    "Left",
    "Butterfly",
    "PromoBishop",
    "PromoRook",
    "HCrown",
    "RShield",
    "Prince",
    "Phoenix",
    "Kylin",
    "Drunk",
    "Right",
    "GoldPawn",
    "GoldKnight",
    "PromoHorse",
    "PromoDragon",
    "GoldLance",
    "GoldSilver",
    "HSword",
    "PromoSword",
    "PromoHSword",
    "Princess",
    "King",
];

/// All pictures of a game: names such as `WhiteKing.svg`, with the contents of the files.
pub fn xboard_files(facts: &Facts) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (slot, piece) in slots(facts) {
        for color in Color::ALL {
            files.push((format!("{color}{}.svg", NAMES[slot]), figure(piece, color)));
        }
    }
    files
}

/// The pieces of a game with the numbers of their piece types.
pub(super) fn slots(facts: &Facts) -> Vec<(usize, &Piece)> {
    let table = facts.xboard.setup.and_then(|setup| setup.strip_prefix('(')?.split(')').next());
    let white = table.map_or("PNBRQK", |table| &table[..table.len() / 2]).as_bytes();
    // The last place of each half is that of the King.
    let slot = |at: usize| if at + 1 == white.len() { NAMES.len() - 1 } else { at };
    let piece = |letter: u8| facts.pieces.iter().find(|piece| piece.letter == letter);
    white.iter().enumerate().filter_map(|(at, &letter)| Some((slot(at), piece(letter)?))).collect()
}
