//! What has been said in a game, speaker by speaker, and what each player may hear of it.

use crate::base::Color;
use crate::notation::{Leg, Legs, Token, parse_token};

/// One thing that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Who said it; `None` for chance.
    pub speaker: Option<Color>,
    /// Whose luck it is, when chance speaks: who spoke before.
    pub owner: Color,
    /// Its legs.
    pub legs: Legs,
}

/// The words in a token that `speaker` said and chance went on with.
pub fn split(token: &str, speaker: Color) -> Vec<Word> {
    let Ok(token) = parse_token(token) else { return Vec::new() };
    let at = token.legs.iter().position(is_chance).unwrap_or(token.legs.len());
    let part = |by: Option<Color>, legs: &[Leg]| Word {
        speaker: by,
        owner: speaker,
        legs: legs.iter().copied().collect(),
    };
    let words = [part(Some(speaker), &token.legs[..at]), part(None, &token.legs[at..])];
    words.into_iter().filter(|word| !word.legs.is_empty()).collect()
}

/// True for legs only chance may say.
pub fn is_chance(leg: &Leg) -> bool {
    matches!(leg, Leg::Roll(_) | Leg::Draw(_))
}

impl Word {
    /// The word as `viewer` hears it: cards the other side draws stay unnamed.
    pub fn heard_by(&self, viewer: Color) -> String {
        let mask = |leg: Leg| match leg {
            Leg::Draw(_) if self.owner != viewer => Leg::Draw(None),
            leg => leg,
        };
        Token { legs: self.legs.iter().copied().map(mask).collect(), open: false }.to_string()
    }
}

/// Everything said so far as tokens, the way `viewer`, who speaks next, hears it: one player's words with only chance in
/// between are one. The last is open if it is his own.
pub fn tokens_for(words: &[Word], viewer: Color) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut last = None;
    for word in words {
        let text = word.heard_by(viewer);
        match tokens.last_mut() {
            Some(token) if word.speaker.is_none() || word.speaker == last => {
                token.push(',');
                token.push_str(&text);
            }
            _ => tokens.push(text),
        }
        last = word.speaker.or(last);
    }
    if last == Some(viewer)
        && let Some(token) = tokens.last_mut()
    {
        token.push(',');
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_merged_and_masked() {
        let mut words = split("c3a5,O@e9,=2", Color::White);
        words.extend(split("X@a2,=5", Color::White));
        words.extend(split("D@f7,g8h8", Color::Black));
        assert_eq!(words.len(), 5);
        assert_eq!(tokens_for(&words, Color::White), ["c3a5,O@e9,=2,X@a2,=5", "D@f7,g8h8"]);
        let cards = [split("c3a5,O@e9,=6h,+As", Color::White), split("=6s,+2d", Color::Black)].concat();
        assert_eq!(tokens_for(&cards, Color::White), ["c3a5,O@e9,=6h,+As", "=6s,+?"]);
        assert_eq!(tokens_for(&cards[..3], Color::Black), ["c3a5,O@e9,=6h,+?", "=6s,"]);
        assert_eq!(tokens_for(&cards[..2], Color::White), ["c3a5,O@e9,=6h,+As,"], "White goes on");
    }
}
