//! The files XBoard looks for in its piece image directory (`-pid`).

use super::figure;
use crate::base::Color;
use crate::game::Facts;

/// What XBoard 4.9.1 calls the pictures of its piece types, in the order of a set-up table (`pngPieceNames` in its
/// draw.c).
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

/// All pictures of a game: `WhiteKing.svg` and what is in that file.
pub fn xboard_files(facts: &Facts) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (letter, name) in slots(facts) {
        if let Some(man) = facts.men.iter().find(|man| man.letter == letter) {
            for color in Color::ALL {
                files.push((format!("{color}{name}.svg"), figure(man, color)));
            }
        }
    }
    files
}

/// The letters of White's men with the names of their pictures.
fn slots(facts: &Facts) -> Vec<(u8, &'static str)> {
    let Some(table) = facts.xboard.setup.and_then(|setup| setup.strip_prefix('(')?.split(')').next()) else {
        return b"PNBRQ".iter().copied().zip(NAMES).chain([(b'K', "King")]).collect();
    };
    let white = &table.as_bytes()[..table.len() / 2];
    // The last place of each half is the King's.
    let name = |at: usize| if at + 1 == white.len() { "King" } else { NAMES[at] };
    (0..white.len().min(NAMES.len()))
        .filter(|&at| white[at].is_ascii_uppercase())
        .map(|at| (white[at], name(at)))
        .collect()
}
