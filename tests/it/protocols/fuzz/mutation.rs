//! Changing inputs at random, without any knowledge of what they reach: for toolchains without a fuzzer.

use carom::base::Rng;
use std::path::{Path, PathBuf};

/// Numbers that are often too large, or too small.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1",
    "00",
    "007",
    "255",
    "256",
    "65536",
    "-2147483649",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "18446744073709551616",
    "1e9",
];

/// A source of inputs.
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
    rng: Rng,
}

/// The folder of the fuzz targets.
fn folder() -> PathBuf {
    // This file is compiled into crates of two folders.
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    if here.ends_with("fuzz") { here.to_owned() } else { here.join("fuzz") }
}

/// The corpus of a target, in the order of the names.
///
/// # Panics
/// When there is none.
pub fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = folder().join("corpus").join(target);
    let mut paths: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 20, "{} inputs in {}", paths.len(), folder.display());
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// The words of `fuzz/words.dict`.
fn words() -> Vec<Vec<u8>> {
    let dictionary = std::fs::read_to_string(folder().join("words.dict")).unwrap();
    let words = dictionary.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    words
        .map(|word| word.as_bytes().to_vec())
        .chain(NUMBERS.map(|number| number.as_bytes().to_vec()))
        .collect()
}

impl Mutator {
    /// Inputs like those of a corpus; the same for the same seed.
    pub fn new(seeds: Vec<Vec<u8>>, seed: u64) -> Self {
        Self { seeds, words: words(), rng: Rng::new(seed) }
    }

    /// Another input: one of the corpus, changed in a few places.
    pub fn input(&mut self) -> Vec<u8> {
        let mut input = self.seed();
        for _ in 0..=self.rng.below(5) {
            self.change(&mut input);
        }
        input
    }

    fn seed(&mut self) -> Vec<u8> {
        self.rng.pick(&self.seeds).cloned().unwrap_or_default()
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.rng.below(input.len() + 1);
        match self.rng.below(12) {
            0 => input.insert(at, self.rng.bits() as u8),
            1 if at < input.len() => drop(input.remove(at)),
            2 if at < input.len() => input[at] ^= 1 << self.rng.below(8),
            3 if at + 1 < input.len() => input.swap(at, at + 1),
            4 | 5 => {
                // A word put in, with a blank.
                let mut word = self.rng.pick(&self.words).unwrap().clone();
                word.push(b' ');
                input.splice(at..at, word);
            }
            6 | 7 => {
                // A word replaced by another.
                let range = self.span(input, |byte| byte.is_ascii_whitespace());
                let word = self.rng.pick(&self.words).unwrap().clone();
                input.splice(range, word);
            }
            8 => {
                // A line again, somewhere else.
                let range = self.span(input, |byte| byte == b'\n');
                let mut line = input[range].to_vec();
                line.push(b'\n');
                input.splice(at..at, line);
            }
            9 => {
                // A line less.
                let range = self.span(input, |byte| byte == b'\n');
                input.drain(range);
            }
            10 => {
                // The beginning of one, the end of another.
                let other = self.seed();
                let from = self.rng.below(other.len() + 1);
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
            _ => {
                // A line of another one.
                let other = self.seed();
                let range = self.span(&other, |byte| byte == b'\n');
                let mut line = other[range].to_vec();
                line.push(b'\n');
                let place = self.span(input, |byte| byte == b'\n').start;
                input.splice(place..place, line);
            }
        }
    }

    /// A stretch between two places where `ends` holds, drawn at random.
    fn span(&mut self, input: &[u8], ends: impl Fn(u8) -> bool) -> std::ops::Range<usize> {
        let at = self.rng.below(input.len() + 1);
        let start = input[..at].iter().rposition(|&byte| ends(byte)).map_or(0, |end| end + 1);
        let end = input[at..].iter().position(|&byte| ends(byte)).map_or(input.len(), |end| at + end);
        start..end
    }
}
