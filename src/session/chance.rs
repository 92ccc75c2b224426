//! Where dice and cards come from when no referee provides them: a stream that anyone can recompute.
//!
//! The stream is ChaCha20 (D. J. Bernstein 2008; RFC 8439's block function) with the seed, little-endian, as
//! the first eight bytes of the key, followed by zeroes. Its stream number (nonce) is the number of turns
//! completed since the first position. The `n`-th time chance decides in a turn (from 0), it takes words `2n`
//! and `2n + 1` as one little-endian number `x` of 64 bits, and of `c` equally likely cases the one numbered
//! `x * c / 2^64`. Cards are dealt from stream `2^64 - 1`. So the same seed and the same moves give the same
//! dice and cards in every process.
//!
//! What a player takes back counts as used: after that, chance gives new results.

use crate::base::Rng;
use crate::game::{self, Actor, Hidden, Notation};
use crate::notation::Leg;
use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng as _, SeedableRng};
use std::hash::{BuildHasher, Hasher, RandomState};

/// Who decides for chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chance {
    /// The session rolls and deals, for both sides, from the stream of this seed.
    Own {
        /// The seed, not 0.
        seed: u64,
    },
    /// A referee does, and writes the results into the moves.
    Referee,
}

/// The chance results from some moment of a game on.
#[derive(Clone, Copy, Debug)]
pub struct ChanceStream {
    /// Who decides for chance.
    pub chance: Chance,
    /// The number of turns completed since the first position.
    pub turn: u64,
    /// How often chance has decided in the present turn.
    pub attempt: u64,
}

impl ChanceStream {
    /// The next result of chance in `state`; `None` when chance does not decide there or a referee decides
    /// for it.
    pub fn next<G: Notation + game::Chance>(&mut self, state: &G) -> Option<G::Decision> {
        let Chance::Own { seed } = self.chance else { return None };
        let drawn = draw(state, seed, self.turn, self.attempt)?;
        self.attempt += 1;
        Some(drawn)
    }
}

/// The number of the stream from which cards are dealt.
const DEAL: u64 = u64::MAX;

/// A seed that no one can predict.
pub fn fresh_seed() -> u64 {
    // The standard library's hash keys are the one source of randomness that needs no crate.
    RandomState::new().build_hasher().finish().max(1)
}

/// The bytes after the seed in the key of a match; they make its stream different from that of a game.
const MATCH: [u8; 8] = *b"of match";

/// A seed that belongs to a match: for its game `number`, from 1 on, or with 0 for the order of its openings.
/// Neither the match's seed nor another of these seeds can be derived from one of them.
pub fn seed_in_match(seed: u64, number: u64) -> u64 {
    // The highest bit stays free, because programs read the seed as a signed number.
    (chacha(seed, MATCH, number, 0).next_u64() >> 1).max(1)
}

fn stream(seed: u64, stream: u64, word: u128) -> ChaCha20Rng {
    chacha(seed, [0; 8], stream, word)
}

fn chacha(seed: u64, purpose: [u8; 8], stream: u64, word: u128) -> ChaCha20Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&purpose);
    let mut rng = ChaCha20Rng::from_seed(key);
    rng.set_stream(stream);
    rng.set_word_pos(word);
    rng
}

/// The result of chance in `state`, where it decides, for the `attempt`-th time (from 0) in turn `turn` (from
/// 0). `None` when chance does not decide there.
pub fn draw<G: Notation + game::Chance>(
    state: &G,
    seed: u64,
    turn: u64,
    attempt: u64,
) -> Option<G::Decision> {
    if state.actor() != Actor::Chance {
        return None;
    }
    let number = stream(seed, turn, 2 * u128::from(attempt)).next_u64();
    let case_of = |cases: usize| ((u128::from(number) * cases as u128) >> 64) as usize;
    let drawn = state.draw(&mut { case_of })?;
    // A single die is listed as success and failure, but people want to see its face.
    if matches!(state.legs(drawn).as_slice(), [Leg::Roll(1..=6)]) {
        let face = Leg::Roll(case_of(6) as u16 + 1);
        return if state.reads(drawn, &[face]) == 1 {
            Some(drawn)
        } else {
            state.reads_unlisted(&[face]).map(|(decision, _)| decision)
        };
    }
    Some(drawn)
}

/// The state with everything hidden dealt at random.
pub fn deal<G: Hidden>(state: &G, seed: u64) -> G {
    state.sample(&mut dealer(seed, 0))
}

/// The generator that shuffles the cards for the `time`-th time (from 0, which is the deal).
pub(super) fn dealer(seed: u64, time: u64) -> Rng {
    Rng::new(stream(seed, DEAL, 2 * u128::from(time)).next_u64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Decisions, Game, Record, Rules, read_token};
    use crate::notation::{parse_position, parse_token};
    use crate::variants::wickets;

    #[test]
    fn the_stream_is_the_documented_one() {
        // ChaCha20, key and nonce zero but for the seed: reference words of an all-zero key (RFC 8439, A.1,
        // vector 1).
        assert_eq!(
            stream(0, 0, 0).next_u64().to_le_bytes(),
            [0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90]
        );
        assert_ne!(stream(1, 0, 0).next_u64(), stream(1, 1, 0).next_u64());
        assert_ne!(stream(1, 0, 0).next_u64(), stream(1, 0, 2).next_u64());
        assert_ne!(fresh_seed(), fresh_seed());
        // Computed by a ChaCha20 written in Python from RFC 8439.
        let seeds = [5_660_654_804_891_118_089, 4_601_633_809_774_330_642, 5_525_397_676_241_597_654];
        assert_eq!([0, 1, 2].map(|number| seed_in_match(7, number)), seeds);
    }

    #[test]
    fn a_die_shows_every_face_about_equally_often_and_the_same_for_the_same_seed() {
        let position = "****1***/r1bqk2r/1pp2ppp/2n2n2/p1bpp3/2B1P3/2N2N2/PPPP1PPP/R1BQ1RK1/****1*** w kq - g1:d1/e8:d8 0 1";
        let position = parse_position(position).unwrap();
        let rules = Rules::of(wickets::Mode::Dice.facts());
        let Ok(start) = wickets::State::read(&position, &rules) else { panic!("a legal position") };
        // Some throw that reaches the wicket is found by trying: a knight on the way gives the line.
        let mut record = Record::new(start);
        let mut rng = Rng::new(3);
        let mut seen = [0; 7];
        for _ in 0..200_000 {
            if record.now().actor() == Actor::Chance {
                for seed in 1..=600 {
                    let decision = draw(record.now(), seed, 5, 0).unwrap();
                    assert_eq!(draw(record.now(), seed, 5, 0), Some(decision));
                    let legs = record.now().legs(decision);
                    let [Leg::Roll(face)] = legs.as_slice() else { panic!("{legs:?}") };
                    seen[usize::from(*face)] += 1;
                    // The face is read back as the same decision.
                    let token = parse_token(&format!("={face}")).unwrap();
                    assert_eq!(read_token(record.now(), &token).unwrap().decisions[0], decision);
                }
                break;
            }
            let mut list = Decisions::new();
            record.now().sorted_decisions(&mut list);
            match rng.pick(&list) {
                Some(&decision) if record.outcome().is_none() => record.play(decision),
                _ => record = Record::new(*record.start()),
            }
        }
        assert!(seen[1..].iter().all(|&n| (60..150).contains(&n)), "{seen:?}");
    }
}
