//! Random syntax trees, random texts, and texts with a single error.

use super::super::*;
use proptest::prelude::*;

fn coordinate() -> impl Strategy<Value = Coordinate> {
    (0..MAX_FILES, 0..=MAX_RANK).prop_map(|(file, rank)| Coordinate::new(file, rank))
}

fn card() -> impl Strategy<Value = Card> {
    let suit = prop::sample::select(vec![Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades]);
    (1..=10_u8, suit).prop_map(|(value, suit)| Card { value, suit })
}

fn roll(dice: Vec<u16>) -> Leg {
    Leg::Roll(dice.into_iter().fold(0, |number, digit| 10 * number + digit))
}

fn leg() -> impl Strategy<Value = Leg> {
    let suffix = prop_oneof![(b'a'..=b'z').prop_map(Suffix::Letter), Just(Suffix::Leave)];
    prop_oneof![
        (coordinate(), coordinate(), prop::option::of(suffix)).prop_map(|(from, to, suffix)| Leg::Move {
            from,
            to,
            suffix
        }),
        (b'A'..=b'Z', coordinate()).prop_map(|(letter, at)| Leg::Put { letter, at }),
        prop::collection::vec(1..=6_u16, 1..=3).prop_map(roll),
        card().prop_map(Leg::Play),
        prop::option::of(card()).prop_map(Leg::Draw),
        Just(Leg::Pass),
    ]
}

fn token() -> impl Strategy<Value = Token> {
    (prop::collection::vec(leg(), 1..=MAX_LEGS), any::<bool>())
        .prop_map(|(legs, open)| Token { legs: legs.into_iter().collect(), open })
}

fn letter() -> impl Strategy<Value = u8> {
    prop_oneof![b'A'..=b'Z', b'a'..=b'z']
}

fn placement() -> impl Strategy<Value = Placement> {
    let cell = prop_oneof![
        3 => Just(Cell::Empty),
        1 => Just(Cell::Hole),
        2 => (letter(), any::<bool>()).prop_map(|(letter, plus)| Cell::Piece { letter, plus }),
    ];
    (1..=MAX_FILES, 1..=MAX_RANK + 1).prop_flat_map(move |(files, ranks)| {
        prop::collection::vec(cell.clone(), usize::from(files) * usize::from(ranks))
            .prop_map(move |cells| Placement { files, ranks, cells })
    })
}

fn position() -> impl Strategy<Value = Position> {
    let hand = prop::collection::vec((letter(), 1..=99_u8), 0..6).prop_map(|mut hand| {
        hand.dedup_by_key(|(letter, _)| *letter);
        hand
    });
    (placement(), prop::option::of(hand), prop::collection::vec("[!-~]{1,8}", 0..6))
        .prop_map(|(placement, hand, fields)| Position { placement, hand, fields })
}

/// Texts that complete a valid beginning of a token.
const COMPLETIONS: [&str; 9] = ["", "e4", "4", "4e4", "e4e4", "@e4", "c", "4c", "?"];

/// `text` with one change: a character replaced, inserted or removed.
fn mutated(text: &str, place: prop::sample::Index, with: char, how: u8) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let place = place.index(characters.len());
    match how {
        0 => characters[place] = with,
        1 => characters.insert(place, with),
        _ => drop(characters.remove(place)),
    }
    characters.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_a_token_is_the_inverse_of_parsing(token in token()) {
        let text = token.to_string();
        prop_assert_eq!(parse_token(&text), Ok(token.clone()));
        // python-chess converts what an engine sends to lower case.
        prop_assert_eq!(parse_token(&text.to_ascii_lowercase()), Ok(token.clone()));
        prop_assert_eq!(parse_token(&text.to_ascii_uppercase()), Ok(token));
        let taken: &[char] = &['*', ';', '/', '|', '(', ')', '[', ']', '{', '}', '<', '>', '%', '$', '"', ' '];
            prop_assert!(!text.contains(taken));
    }

    #[test]
    fn printing_a_position_is_the_inverse_of_parsing(position in position()) {
        prop_assert_eq!(parse_position(&position.to_string()), Ok(position));
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,40}") {
        let errors = [parse_token(&text).err(), parse_position(&text).err(), parse_coordinate(&text).err()];
        for error in errors.into_iter().flatten() {
            prop_assert!((1..=text.len() + 1).contains(&error.column));
            prop_assert!(text.is_char_boundary(error.column - 1));
            prop_assert!(error.expected != "something else", "an error without words: {}", error);
        }
    }

    #[test]
    fn text_in_our_letters_is_read_or_refused(text in r"[a-hO0-9@=+?,cT/\[\] *-]{0,12}") {
        if let Ok(token) = parse_token(&text) {
            prop_assert_eq!(parse_token(&token.to_string()), Ok(token));
        }
        if let Ok(position) = parse_position(&text) {
            prop_assert_eq!(parse_position(&position.to_string()), Ok(position));
        }
    }

    #[test]
    fn a_slip_in_a_token_is_found(
        token in token(), place: prop::sample::Index, with in r"[a-z0-9@=+?,T -]|.", how in 0..3_u8,
    ) {
        let text = mutated(&token.to_string(), place, with.chars().next().unwrap_or('x'), how);
        match parse_token(&text) {
            Ok(token) => prop_assert_eq!(token.to_string().parse(), Ok(token)),
            Err(error) => {
                // Everything before the column is the beginning of a valid token.
                let good = &text[..error.column - 1];
                let full = good.is_empty() || good.split(',').count() > MAX_LEGS
                    || COMPLETIONS.iter().any(|end| parse_token(&format!("{good}{end}")).is_ok());
                prop_assert!(full, "`{}`: {}", text, error);
                prop_assert!(error.expected != "something else", "an error without words: {}", error);
            }
        }
    }

    #[test]
    fn a_slip_in_a_position_is_found(
        position in position(), place: prop::sample::Index, with in r"[a-z0-9*+/\[\] -]|.", how in 0..3_u8,
    ) {
        let text = mutated(&position.to_string(), place, with.chars().next().unwrap_or('x'), how);
        match parse_position(&text) {
            Ok(position) => prop_assert_eq!(position.to_string().parse(), Ok(position)),
            Err(error) => prop_assert!(error.expected != "something else", "an error without words: {}", error),
        }
    }
}
