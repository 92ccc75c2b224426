//! "How to play" is there for every game, and says a sentence of every piece.

use carom::variants;

#[test]
fn every_game_is_taught_on_one_screen_and_every_piece_in_a_sentence() {
    for facts in variants::all() {
        let section = facts.how_to_play();
        let words =
            section.lines().filter(|line| !line.starts_with("![")).flat_map(str::split_whitespace).count();
        assert!(
            (60..=400).contains(&words),
            "{}: {words} words in `How to play` of its page of rules",
            facts.name
        );
        let pictures = section.matches("\n![").count();
        assert_eq!(pictures, 3, "{}: pictures in `How to play`", facts.name);
        for piece in facts.pieces {
            let about = facts.about(piece).unwrap_or_default();
            assert!(about.ends_with('.'), "{}: `How to play` says of {}: {about:?}", facts.name, piece.name);
        }
    }
}
