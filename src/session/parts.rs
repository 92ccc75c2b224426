//! What has been played in a game, split by actor, and what each player may know of it.

use crate::base::Color;
use crate::notation::{Leg, Token, parse_token};
use std::borrow::Cow;

/// A part of a token: the legs of one actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The player whose legs these are; `None` for chance.
    pub speaker: Option<Color>,
    /// The player whose token this part belongs to; cards that chance deals go to this player.
    pub owner: Color,
    /// True when the part comes from the opening, not from the player.
    pub given: bool,
    /// The same part in XBoard's notation, for an engine that needs it.
    pub written: Option<String>,
    text: String,
    /// The part with hidden cards masked, as the other side may see it, when that differs.
    masked: Option<String>,
}

/// Splits a token of `speaker` into that player's legs and the chance results before, between and after them.
pub fn split(token: &str, speaker: Color) -> Vec<Part> {
    let legs = Some(token).filter(|token| may_hold_chance(token)).and_then(|token| parse_token(token).ok());
    let Some(token) = legs else {
        // A `+` may also be a promotion in a game that is not known here.
        return vec![Part::new(Some(speaker), speaker, token.to_owned())];
    };
    let runs = token.legs.chunk_by(|one, next| is_chance(one) == is_chance(next));
    runs.map(|legs| Part::of_legs(Some(speaker).filter(|_| !is_chance(&legs[0])), speaker, legs)).collect()
}

/// False for tokens that certainly hold no leg of chance.
pub fn may_hold_chance(token: &str) -> bool {
    token.contains(['=', '+'])
}

/// True for legs that only chance can make.
pub fn is_chance(leg: &Leg) -> bool {
    matches!(leg, Leg::Roll(_) | Leg::Draw(_))
}

impl Part {
    fn new(speaker: Option<Color>, owner: Color, text: String) -> Self {
        Self { speaker, owner, given: false, written: None, text, masked: None }
    }

    /// The part with these legs: of `speaker`, or of chance, in a token of `owner`.
    pub fn of_legs(speaker: Option<Color>, owner: Color, legs: &[Leg]) -> Self {
        let token = Token { legs: legs.iter().copied().collect(), open: false };
        let (text, masked) = (token.to_string(), token.with_draws_hidden(|_| true).to_string());
        Self { masked: Some(masked).filter(|masked| *masked != text), ..Self::new(speaker, owner, text) }
    }

    /// The part as text for `viewer`: the cards that the other side draws stay face down.
    pub fn heard_by(&self, viewer: Color) -> &str {
        match &self.masked {
            Some(masked) if self.owner != viewer => masked,
            _ => &self.text,
        }
    }
}

/// All parts played so far as tokens, as each player may know them: the parts of one owner form one token.
#[derive(Clone, Debug, Default)]
pub struct MoveList {
    heard: [String; 2],
    /// The owner of the last token.
    last: Option<Color>,
}

impl MoveList {
    /// Appends a part.
    pub fn add(&mut self, word: &Part) {
        for viewer in Color::ALL {
            let heard = &mut self.heard[viewer.index()];
            if !heard.is_empty() {
                heard.push(if self.last == Some(word.owner) { ',' } else { ' ' });
            }
            heard.push_str(word.heard_by(viewer));
        }
        self.last = Some(word.owner);
    }

    /// The tokens for `viewer`, who does not decide next: every turn is complete.
    pub fn for_listener(&self, viewer: Color) -> &str {
        &self.heard[viewer.index()]
    }

    /// The tokens for `viewer`, who decides next. The last token is open if it is that player's own.
    pub fn for_speaker(&self, viewer: Color) -> Cow<'_, str> {
        let heard = &self.heard[viewer.index()];
        if self.last == Some(viewer) { format!("{heard},").into() } else { heard.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_merged_and_masked() {
        let tokens_for = |words: &[Part], viewer| {
            let mut transcript = MoveList::default();
            words.iter().for_each(|word| transcript.add(word));
            transcript.for_speaker(viewer).into_owned()
        };
        let mut words = split("c3a5,O@e9,=2", Color::White);
        words.extend(split("X@a2,=5", Color::White));
        words.extend(split("D@f7,g8h8", Color::Black));
        assert_eq!(words.len(), 5);
        assert_eq!(tokens_for(&words, Color::White), "c3a5,O@e9,=2,X@a2,=5 D@f7,g8h8");
        let cards = [split("c3a5,O@e9,=6h,+As", Color::White), split("=6s,+2d", Color::Black)].concat();
        assert_eq!(tokens_for(&cards, Color::White), "c3a5,O@e9,=6h,+As =6s,+?");
        assert_eq!(tokens_for(&cards[..3], Color::Black), "c3a5,O@e9,=6h,+? =6s,");
        assert_eq!(tokens_for(&cards[..2], Color::White), "c3a5,O@e9,=6h,+As,", "White goes on");
        assert_eq!(tokens_for(&[], Color::White), "");
        let rolled = [split("=125,a2a3,b1c3", Color::White), split("=333", Color::Black)].concat();
        assert_eq!(tokens_for(&rolled, Color::Black), "=125,a2a3,b1c3 =333,", "a roll begins a turn");
        assert_eq!(
            rolled.iter().map(|part| part.speaker).collect::<Vec<_>>(),
            [None, Some(Color::White), None]
        );
        let mut transcript = MoveList::default();
        split("e2e4", Color::White).iter().for_each(|word| transcript.add(word));
        assert_eq!(transcript.for_speaker(Color::White), "e2e4,");
        assert_eq!(transcript.for_listener(Color::White), "e2e4", "what it may ponder on");
        assert_eq!(split("b2g7+", Color::Black)[0].heard_by(Color::White), "b2g7+", "a promotion in Shogi");
    }
}
