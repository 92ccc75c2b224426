//! An engine's own names for games and pieces, where they differ from those others use: a small TOML file for
//! each engine.

use super::{Fault, PositionFormat};
use crate::base::Color;
use crate::protocol::EngineOption;
use litemap::LiteMap;
use serde::Deserialize;

/// The names that an engine uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Aliases {
    /// Options that are set before anything else, such as the path of the engine's own file of games.
    #[serde(default)]
    pub options: LiteMap<String, String>,
    /// The games that need an alias.
    #[serde(default, rename = "game")]
    pub games: Vec<GameAlias>,
}

/// A game under two names, and how the engine writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GameAlias {
    /// The name it is offered under. With the name of a registered game, our rules guard it.
    pub name: String,
    /// The engine's name for it.
    pub engine: String,
    /// Pieces that have another letter in the engine: our letter, then the engine's, all capitals.
    #[serde(default)]
    pub letters: LiteMap<char, char>,
    /// How the engine reads positions: `own` as we write them, `fen` with the six fields of chess.
    #[serde(default)]
    pub positions: PositionFormat,
    /// The start position as the engine writes it, where it differs.
    #[serde(default)]
    pub start: Option<String>,
    /// What XBoard is sent after `setup`, without the position, where it does not know the game.
    #[serde(default)]
    pub setup: Option<String>,
}

/// Why a file of aliases cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AliasError {
    /// The text is not TOML, or not in the form of [`Aliases`].
    #[error("{0}")]
    Form(#[from] toml::de::Error),
    /// Two pieces of a game would have the same letter.
    #[error("game {0}: two pieces have the letter {1}")]
    Letters(String, char),
}

impl Aliases {
    /// Reads the text of a file of aliases.
    ///
    /// # Errors
    /// When the text is not in the form, or two pieces of a game have the same letter.
    pub fn read(text: &str) -> Result<Self, AliasError> {
        let aliases: Self = toml::from_str(text)?;
        for game in &aliases.games {
            let theirs: Vec<char> = game.letters.values().copied().collect();
            let twice = theirs.iter().enumerate().find(|(at, letter)| theirs[..*at].contains(letter));
            if let Some((_, letter)) = twice {
                return Err(AliasError::Letters(game.name.clone(), *letter));
            }
        }
        Ok(aliases)
    }

    /// The options to set, out of those the engine `declared`, each with its value as the engine writes it.
    ///
    /// # Errors
    /// When the engine lacks an option, or does not take the value.
    pub fn chosen_options<'o>(
        &self,
        declared: &'o [EngineOption],
    ) -> Result<Vec<(&'o EngineOption, String)>, Fault> {
        let chosen = |(name, value): (&String, &String)| {
            let option = EngineOption::find(declared, name)
                .ok_or_else(|| Fault::Unfit(format!("it has no option `{name}`")))?;
            let value = option.spelled(value);
            option.takes(&value)?;
            Ok((option, value))
        };
        self.options.iter().map(chosen).collect()
    }

    /// The alias of the game that the engine calls `name`.
    pub fn of_engine(&self, name: &str) -> Option<&GameAlias> {
        self.games.iter().find(|game| game.engine.eq_ignore_ascii_case(name))
    }

    /// The alias of the game that is offered as `name`.
    pub fn offered(&self, name: &str) -> Option<&GameAlias> {
        self.games.iter().find(|game| game.name.eq_ignore_ascii_case(name))
    }
}

/// How the text of one game is written on either side.
#[derive(Clone, Debug, Default)]
pub struct Spelling {
    letters: Vec<(u8, u8)>,
    positions: PositionFormat,
    start: Option<String>,
    /// What is added to ranks on the way to the engine: XBoard counts boards of ten ranks from 0.
    rank_shift: i8,
}

/// The number of ranks on boards where the protocols count differently.
const TEN: u8 = 10;

impl Spelling {
    /// The spelling of a game, with `alias` where it has one. `foreign_ranks` is the number of ranks in a
    /// game that is not registered here, and 0 in one that is. `shift` is added to the ranks of boards with
    /// ten.
    pub fn new(alias: Option<&GameAlias>, foreign_ranks: u8, shift: i8) -> Self {
        let pair = |(ours, theirs): (&char, &char)| {
            Some((
                u8::try_from(*ours).ok()?.to_ascii_uppercase(),
                u8::try_from(*theirs).ok()?.to_ascii_uppercase(),
            ))
        };
        Self {
            letters: alias.into_iter().flat_map(|alias| &alias.letters).filter_map(pair).collect(),
            positions: alias.map_or(PositionFormat::Own, |alias| alias.positions),
            start: alias.and_then(|alias| alias.start.clone()),
            rank_shift: if foreign_ranks == TEN { shift } else { 0 },
        }
    }

    fn letter(&self, letter: u8, to_engine: bool) -> u8 {
        let upper = letter.to_ascii_uppercase();
        let pairs = self
            .letters
            .iter()
            .map(|&(ours, theirs)| if to_engine { (ours, theirs) } else { (theirs, ours) });
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let found = pairs.into_iter().find(|(from, _)| *from == upper);
        found.map_or(letter, |(_, to)| color.cased(to))
    }

    /// A position as the engine writes it; `None` for the usual start.
    pub fn position_to_engine(&self, text: Option<&str>) -> Option<String> {
        let Some(text) = text else { return self.start.clone() };
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        if let Some(board) = words.first_mut() {
            *board = board.bytes().map(|byte| char::from(self.letter(byte, true))).collect();
        }
        Some(self.positions.write(&words.join(" ")))
    }

    /// A turn as the engine writes it.
    pub fn token_to_engine(&self, token: &str) -> String {
        self.token(token, true)
    }

    /// A turn of the engine as we write it.
    pub fn token_from_engine(&self, token: &str) -> String {
        self.token(token, false)
    }

    fn token(&self, token: &str, to_engine: bool) -> String {
        if self.letters.is_empty() && self.rank_shift == 0 {
            return token.to_owned();
        }
        let shift = if to_engine { self.rank_shift } else { -self.rank_shift };
        let legs: Vec<String> = token.split(',').map(|leg| self.leg(leg, to_engine, shift)).collect();
        legs.join(",")
    }

    /// One leg: squares with their ranks, and a letter before `@` or after the squares.
    fn leg(&self, leg: &str, to_engine: bool, shift: i8) -> String {
        if matches!(leg, "" | "0000" | "@@@@") {
            return leg.to_owned();
        }
        let bytes = leg.as_bytes();
        let mut written = String::with_capacity(leg.len() + 2);
        let mut at = 0;
        while at < bytes.len() {
            let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            if bytes[at].is_ascii_lowercase() && digits > 0 {
                let rank: i32 = leg[at + 1..=at + digits].parse().unwrap_or_default();
                written.push(char::from(bytes[at]));
                written.push_str(&(rank + i32::from(shift)).to_string());
                at += 1 + digits;
            } else {
                let named = bytes.get(at + 1) == Some(&b'@') || at + 1 == bytes.len();
                let byte = if named { self.letter(bytes[at], to_engine) } else { bytes[at] };
                written.push(char::from(byte));
                at += 1;
            }
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
        options = { VariantPath = "games.ini" }
        [[game]]
        name = "alapo"
        engine = "alapo8"
        letters = { L = "X", S = "Y" }
        positions = "fen"
    "#;

    #[test]
    fn letters_are_changed_in_positions_drops_and_promotions_only() {
        let aliases = Aliases::read(FILE).unwrap();
        let spelling = Spelling::new(aliases.offered("ALAPO"), 8, 1);
        let position = spelling.position_to_engine(Some("Ll6/8/8/8/8/8/8/s6S b 3"));
        assert_eq!(position.as_deref(), Some("Xx6/8/8/8/8/8/8/y6Y b - - 0 1"));
        assert_eq!(spelling.position_to_engine(None), None);
        for (ours, theirs) in [("e7e8l", "e7e8x"), ("L@e4", "X@e4"), ("s1s2", "s1s2"), ("0000", "0000")] {
            assert_eq!(spelling.token_to_engine(ours), theirs);
            assert_eq!(spelling.token_from_engine(theirs), ours);
        }
    }

    #[test]
    fn ten_ranks_are_counted_from_0_by_xboard_and_from_1_by_uci() {
        let spelling = Spelling::new(None, 10, 1);
        for (xboard, uci) in
            [("a0j9", "a1j10"), ("e8e9q", "e9e10q"), ("P@h0", "P@h1"), ("a0a1,a1b2", "a1a2,a2b3")]
        {
            assert_eq!(spelling.token_to_engine(xboard), uci);
            assert_eq!(spelling.token_from_engine(uci), xboard);
        }
        assert_eq!(Spelling::new(None, 9, 1).token_to_engine("a1a9"), "a1a9");
    }

    #[test]
    fn two_pieces_never_get_one_letter() {
        let twice = FILE.replace("S = \"Y\"", "S = \"X\"");
        assert_eq!(
            Aliases::read(&twice).unwrap_err().to_string(),
            "game alapo: two pieces have the letter X"
        );
        assert!(Aliases::read("[[game]]\nname = \"x\"").is_err());
    }
}
