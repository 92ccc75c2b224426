//! A reader of ABNF (RFC 5234, with the strings of RFC 7405), and the two things one can do with a grammar: make texts
//! and recognize them. Slow and plain; it shares nothing with the parsers it is compared with.

use carom::base::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// The rules of appendix B.1 that we use.
const CORE: &str = "\
ALPHA = %x41-5A / %x61-7A
DIGIT = %x30-39
SP = %x20
HTAB = %x09
";

/// Rules by name.
pub struct Grammar(BTreeMap<String, Element>);

/// The right side of a rule, or a part of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// One of these.
    Either(Vec<Element>),
    /// One after the other.
    Row(Vec<Element>),
    /// So many times at least, so many at most.
    Repeat(usize, Option<usize>, Box<Element>),
    /// A string; true when capitals matter.
    Text(String, bool),
    /// One character out of a range.
    Range(u8, u8),
    /// Another rule.
    Rule(String),
}

impl Grammar {
    /// Reads rules; those of the core are added.
    ///
    /// # Panics
    /// On anything that is no ABNF, on a rule that is defined twice, and on one that is used and not defined.
    pub fn read(text: &str) -> Self {
        let mut rules = BTreeMap::new();
        let mut lines: Vec<String> = Vec::new();
        for line in CORE.lines().chain(text.lines()).map(without_comment) {
            match lines.last_mut() {
                _ if line.trim().is_empty() => {}
                Some(last) if line.starts_with([' ', '\t']) => last.push_str(line),
                _ => lines.push(line.to_owned()),
            }
        }
        for line in lines {
            let (name, definition) = line.split_once('=').expect("a rule has an equals sign");
            let mut reader = Reader(definition);
            let element = reader.alternation();
            assert!(reader.0.is_empty(), "{name}: left over: {}", reader.0);
            let former = rules.insert(name.trim().to_owned(), element);
            assert!(former.is_none(), "{name} is defined twice");
        }
        for (name, element) in &rules {
            element.rules(&mut |used| assert!(rules.contains_key(used), "{name} uses {used}"));
        }
        Self(rules)
    }

    /// The rules that do not occur in another one and are not of the core.
    pub fn tops(&self) -> Vec<&str> {
        let mut used = BTreeSet::new();
        self.0.values().for_each(|element| element.rules(&mut |name| used.extend([name.to_owned()])));
        let core = |name: &str| CORE.lines().any(|line| line.split(' ').next() == Some(name));
        self.0.keys().map(String::as_str).filter(|name| !used.contains(*name) && !core(name)).collect()
    }

    /// A text that the rule `name` allows, drawn at random.
    pub fn make(&self, name: &str, rng: &mut Rng) -> String {
        let mut text = String::new();
        self.add(&self.0[name], rng, &mut text);
        text
    }

    fn add(&self, element: &Element, rng: &mut Rng, out: &mut String) {
        match element {
            Element::Either(parts) => self.add(rng.pick(parts).unwrap(), rng, out),
            Element::Row(parts) => parts.iter().for_each(|part| self.add(part, rng, out)),
            Element::Repeat(least, most, part) => {
                // Few as a rule, now and then as many as there may be.
                let more = if rng.below(40) == 0 { 40 } else { rng.below(5) };
                let times = (least + more).min(most.unwrap_or(usize::MAX));
                (0..times).for_each(|_| self.add(part, rng, out));
            }
            Element::Text(text, exact) => out.extend(text.chars().map(|letter| match rng.below(4) {
                0 if !exact => letter.to_ascii_uppercase(),
                1 if !exact => letter.to_ascii_lowercase(),
                _ => letter,
            })),
            Element::Range(low, high) => {
                out.push(char::from(low + rng.below(usize::from(high - low) + 1) as u8));
            }
            Element::Rule(name) => self.add(&self.0[name], rng, out),
        }
    }

    /// True when the rule `name` allows `text`.
    pub fn allows(&self, name: &str, text: &str) -> bool {
        self.ends(&self.0[name], text.as_bytes(), &BTreeSet::from([0])).contains(&text.len())
    }

    /// Where `element` may end when it begins at one of `starts`.
    fn ends(&self, element: &Element, text: &[u8], starts: &BTreeSet<usize>) -> BTreeSet<usize> {
        match element {
            Element::Either(parts) => parts.iter().flat_map(|part| self.ends(part, text, starts)).collect(),
            Element::Row(parts) => {
                parts.iter().fold(starts.clone(), |starts, part| self.ends(part, text, &starts))
            }
            Element::Repeat(least, most, part) => {
                let mut last = starts.clone();
                for _ in 0..*least {
                    last = self.ends(part, text, &last);
                }
                let mut all = last.clone();
                for _ in *least..most.unwrap_or(usize::MAX) {
                    last = self.ends(part, text, &last);
                    let before = all.len();
                    all.extend(&last);
                    // Beginning once more where one has begun already leads nowhere new, unless the number counts.
                    if last.is_empty() || (most.is_none() && all.len() == before) {
                        break;
                    }
                }
                all
            }
            Element::Text(wanted, exact) => {
                let fits = |start: &&usize| {
                    text.get(**start..**start + wanted.len()).is_some_and(|found| {
                        if *exact {
                            found == wanted.as_bytes()
                        } else {
                            found.eq_ignore_ascii_case(wanted.as_bytes())
                        }
                    })
                };
                starts.iter().filter(fits).map(|start| start + wanted.len()).collect()
            }
            Element::Range(low, high) => {
                let fits =
                    |start: &&usize| text.get(**start).is_some_and(|byte| (low..=high).contains(&byte));
                starts.iter().filter(fits).map(|start| start + 1).collect()
            }
            Element::Rule(name) => self.ends(&self.0[name], text, starts),
        }
    }
}

impl Element {
    /// Calls `tell` with the name of every rule that occurs.
    fn rules(&self, tell: &mut impl FnMut(&str)) {
        match self {
            Self::Either(parts) | Self::Row(parts) => parts.iter().for_each(|part| part.rules(tell)),
            Self::Repeat(_, _, part) => part.rules(tell),
            Self::Rule(name) => tell(name),
            Self::Text(..) | Self::Range(..) => {}
        }
    }
}

fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let end = line.char_indices().find(|(_, letter)| {
        quoted ^= *letter == '"';
        *letter == ';' && !quoted
    });
    line[..end.map_or(line.len(), |(at, _)| at)].trim_end()
}

/// What is left of a definition.
struct Reader<'a>(&'a str);

impl<'a> Reader<'a> {
    fn take(&mut self, wanted: &str) -> bool {
        let rest = self.0.strip_prefix(wanted);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let end = self.0.find(|letter| !fits(letter)).unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at(end);
        self.0 = rest;
        taken
    }

    fn blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    fn number(&mut self, radix: u32) -> Option<usize> {
        usize::from_str_radix(self.take_while(|letter| letter.is_digit(radix)), radix).ok()
    }

    fn alternation(&mut self) -> Element {
        let mut parts = vec![self.concatenation()];
        while self.take("/") {
            parts.push(self.concatenation());
        }
        if parts.len() == 1 { parts.remove(0) } else { Element::Either(parts) }
    }

    fn concatenation(&mut self) -> Element {
        let mut parts = Vec::new();
        self.blanks();
        while !self.0.is_empty() && !self.0.starts_with(['/', ')', ']']) {
            parts.push(self.repetition());
            self.blanks();
        }
        assert!(!parts.is_empty(), "nothing in front of `{}`", self.0);
        if parts.len() == 1 { parts.remove(0) } else { Element::Row(parts) }
    }

    fn repetition(&mut self) -> Element {
        let least = self.number(10);
        if self.take("*") {
            let most = self.number(10);
            return Element::Repeat(least.unwrap_or(0), most, Box::new(self.element()));
        }
        match least {
            Some(times) => Element::Repeat(times, Some(times), Box::new(self.element())),
            None => self.element(),
        }
    }

    fn element(&mut self) -> Element {
        if self.take("(") {
            let inner = self.alternation();
            assert!(self.take(")"), "`)` is missing at `{}`", self.0);
            inner
        } else if self.take("[") {
            let inner = self.alternation();
            assert!(self.take("]"), "`]` is missing at `{}`", self.0);
            Element::Repeat(0, Some(1), Box::new(inner))
        } else if self.take("%s\"") {
            self.quoted(true)
        } else if self.take("%i\"") || self.take("\"") {
            self.quoted(false)
        } else if self.take("%x") {
            let low = self.character();
            let high = if self.take("-") { self.character() } else { low };
            assert!(low <= high && !self.0.starts_with('.'), "a range at `{}`", self.0);
            Element::Range(low, high)
        } else {
            let name = self.take_while(|letter| letter.is_ascii_alphanumeric() || letter == '-');
            assert!(
                name.starts_with(|letter: char| letter.is_ascii_alphabetic()),
                "no element: `{name}{}`",
                self.0
            );
            Element::Rule(name.to_owned())
        }
    }

    fn quoted(&mut self, exact: bool) -> Element {
        let text = self.take_while(|letter| letter != '"').to_owned();
        assert!(self.take("\""), "a quote is not closed");
        Element::Text(text, exact)
    }

    fn character(&mut self) -> u8 {
        self.number(16).and_then(|code| u8::try_from(code).ok()).expect("a character's number")
    }
}
