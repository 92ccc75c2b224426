//! The pictures of the pieces.

use carom::base::Color;
use carom::draw::{LOGO_SIZE, figure, logo_svg, xboard_files};
use carom::game::{Facts, Piece};
use carom::notation::{Cell, parse_position};
use carom::variants;
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg::{Options, Tree};
use std::collections::BTreeSet;

const SIZE: u32 = 32;

fn pixels(svg: &str) -> Pixmap {
    let tree = Tree::from_str(svg, &Options::default()).unwrap();
    let scale = SIZE as f32 / tree.size().width();
    let mut pixels = Pixmap::new(SIZE, SIZE).unwrap();
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels
}

/// So that one sees it: by a quarter of what a channel can be.
fn differ(one: &PremultipliedColorU8, other: &PremultipliedColorU8) -> bool {
    let channels = |p: &PremultipliedColorU8| [p.red(), p.green(), p.blue(), p.alpha()];
    channels(one).iter().zip(channels(other)).any(|(&a, b)| a.abs_diff(b) > 64)
}

/// The pieces of both sides; what is nobody's once.
fn pieces(facts: &Facts) -> Vec<(Color, Piece)> {
    let sides = |piece: &Piece| if piece.owner(Color::White).is_none() { 1 } else { 2 };
    facts
        .pieces
        .iter()
        .flat_map(|piece| Color::ALL.into_iter().take(sides(piece)).map(|color| (color, *piece)))
        .collect()
}

#[test]
fn no_two_pieces_of_a_game_differ_in_fewer_than_a_tenth_of_their_pixels() {
    for facts in variants::all() {
        let pictures: Vec<_> = pieces(facts)
            .into_iter()
            .map(|(color, piece)| (color, piece, pixels(&figure(&piece, color))))
            .collect();
        for (index, (color, piece, one)) in pictures.iter().enumerate() {
            for (other_color, other_piece, other) in &pictures[..index] {
                let count = one.pixels().iter().zip(other.pixels()).filter(|(a, b)| differ(a, b)).count();
                assert!(
                    count * 10 >= (SIZE * SIZE) as usize,
                    "{}: {color} {} and {other_color} {} differ in {count} pixels",
                    facts.name,
                    piece.title(),
                    other_piece.title()
                );
            }
        }
    }
}

#[test]
fn every_letter_of_a_game_has_a_piece_with_a_name_of_his_own() {
    for facts in variants::all() {
        let names: BTreeSet<_> = facts.pieces.iter().map(Piece::title).collect();
        assert_eq!(names.len(), facts.pieces.len(), "{}", facts.name);
        let start = parse_position(facts.start).unwrap();
        let hand = start.hand.iter().flatten().map(|&(letter, _)| letter);
        let board = start.placement.cells.iter().filter_map(|cell| match cell {
            Cell::Piece { letter, .. } => Some(*letter),
            _ => None,
        });
        for letter in hand.chain(board).map(|letter| letter.to_ascii_uppercase()) {
            assert!(
                facts.pieces.iter().any(|piece| piece.letter == letter),
                "{}: {}",
                facts.name,
                char::from(letter)
            );
        }
    }
}

#[test]
fn xboard_gets_a_picture_for_each_letter_of_its_table() {
    for facts in variants::all() {
        let files = xboard_files(facts);
        let names: BTreeSet<_> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.len(), files.len(), "{}: one file for two pieces", facts.name);
        assert_eq!(files.len(), 2 * facts.pieces.len(), "{}", facts.name);
        if let Some(setup) = facts.xboard.setup {
            let table = setup.split(')').next().unwrap();
            assert_eq!(files.len(), table.bytes().filter(u8::is_ascii_alphabetic).count(), "{}", facts.name);
        }
        for (name, svg) in &files {
            assert!(name.starts_with("White") || name.starts_with("Black"), "{name}");
            // XBoard asks librsvg for the size.
            assert!(svg.contains("width=\"64\" height=\"64\""), "{name}");
            assert!(pixels(svg).pixels().iter().any(|pixel| pixel.alpha() > 200), "{name}");
        }
    }
    let chess = xboard_files(variants::find("chess").unwrap());
    assert!(chess.iter().any(|(name, _)| name == "BlackKing.svg"));
    let hanniball = xboard_files(variants::find("hanniball").unwrap());
    let monkey =
        variants::find("hanniball").unwrap().pieces.iter().find(|piece| piece.name == "Monkey").unwrap();
    // His letter is the 27th of the table.
    assert!(hanniball.contains(&("WhiteWolf.svg".into(), figure(monkey, Color::White))));
}

/// The logo in the program is the picture that our figures make; `CAROM_WRITE_PAGES=1` draws it anew.
#[test]
fn the_logo_is_drawn_from_our_figures() {
    let [one, other] = ["hanniball", "rollerball"].map(|name| variants::find(name).unwrap());
    let (width, height) = LOGO_SIZE;
    let tree = Tree::from_str(&logo_svg(one, other), &Options::default()).unwrap();
    let mut drawn = Pixmap::new(width, height).unwrap();
    resvg::render(&tree, Transform::identity(), &mut drawn.as_mut());
    if std::env::var_os("CAROM_WRITE_PAGES").is_some() {
        let mut png = drawn.encode_png().unwrap();
        // A text behind the head of the picture, so that `carom install --uninstall` knows it again.
        let text = b"tEXtSoftware\0written by carom install";
        let mut chunk = (text.len() as u32 - 4).to_be_bytes().to_vec();
        chunk.extend_from_slice(text);
        chunk.extend_from_slice(&crc32fast::hash(text).to_be_bytes());
        png.splice(33..33, chunk);
        std::fs::write("src/desktop/logo.png", png).unwrap();
        return;
    }
    let kept = Pixmap::decode_png(include_bytes!("../../../src/desktop/logo.png")).unwrap();
    assert_eq!((kept.width(), kept.height()), (width, height));
    let different = kept.pixels().iter().zip(drawn.pixels()).filter(|(a, b)| differ(a, b)).count();
    assert_eq!(different, 0);
    // Each half has a figure on its square.
    for half in [0, height] {
        let at = |x: u32, y: u32| kept.pixel(half + x, y).unwrap();
        let ground = at(1, 1);
        let figure = (0..height).flat_map(|y| (0..height).map(move |x| (x, y)));
        assert!(figure.filter(|(x, y)| differ(&at(*x, *y), &ground)).count() > 400);
    }
}
