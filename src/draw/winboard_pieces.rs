//! The bitmaps that WinBoard looks for in its piece image directory (`-pid`): three for each piece, in each
//! size of the board.

use super::figure;
use super::xboard_pieces::slots;
use crate::base::Color;
use crate::game::Facts;
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg::{Error, Options, Tree};

/// The piece types for which WinBoard 4.9.1 has bitmaps of its own, at least in some sizes
/// (`InitDrawingSizes` in its winboard.c), and their names. A file with such a name takes precedence over
/// them. All others are named by their number.
const OWN: [(usize, &str); 6] = [(0, "p"), (23, "zebra"), (26, "wolf"), (29, "l"), (32, "ln"), (65, "k")];
/// The type for which WinBoard uses the knight's mask.
const ZEBRA: usize = 23;

/// All pictures of a game on squares of `size` pixels: names such as `piece50_49o.bmp`, with the contents of
/// the files.
///
/// # Errors
/// When one of our drawings is not valid SVG.
pub fn winboard_files(facts: &Facts, size: u32) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let mut files = Vec::new();
    for (slot, piece) in slots(facts) {
        let white = pixels(&figure(piece, Color::White), size)?;
        let black = pixels(&figure(piece, Color::Black), size)?;
        let own = OWN.iter().find(|(number, _)| *number == slot).map(|(_, name)| *name);
        let number = format!("piece{slot}_");
        for name in own.into_iter().chain([number.as_str()]) {
            let mask_name = if slot == ZEBRA && own == Some(name) { "n" } else { name };
            files.push((format!("{name}{size}o.bmp"), picture(&white)));
            files.push((format!("{name}{size}s.bmp"), picture(&black)));
            files.push((format!("{mask_name}{size}w.bmp"), mask(&white)));
        }
    }
    Ok(files)
}

fn pixels(svg: &str, size: u32) -> Result<Pixmap, Error> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let mut pixels = Pixmap::new(size, size).ok_or(Error::InvalidSize)?;
    let scale = size as f32 / tree.size().width();
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    Ok(pixels)
}

/// The piece on a white ground.
fn picture(pixels: &Pixmap) -> Vec<u8> {
    let on_white = |pixel: &PremultipliedColorU8| {
        [pixel.blue(), pixel.green(), pixel.red()].map(|channel| channel + (255 - pixel.alpha()))
    };
    bitmap(pixels, 24, &[], |row| row.iter().flat_map(on_white).collect())
}

/// A mask that is black where the piece is.
fn mask(pixels: &Pixmap) -> Vec<u8> {
    let byte = |eight: &[PremultipliedColorU8]| {
        let bit = |(at, pixel): (usize, &PremultipliedColorU8)| u8::from(pixel.alpha() < 128) << (7 - at);
        eight.iter().enumerate().map(bit).sum::<u8>()
    };
    bitmap(pixels, 1, &[[0; 4], [255, 255, 255, 0]], |row| row.chunks(8).map(byte).collect())
}

/// A BMP file (BITMAPINFOHEADER): rows from bottom to top, each padded to a multiple of four bytes.
fn bitmap(
    pixels: &Pixmap,
    bits: u16,
    palette: &[[u8; 4]],
    bytes: impl Fn(&[PremultipliedColorU8]) -> Vec<u8>,
) -> Vec<u8> {
    let mut data = Vec::new();
    for row in pixels.pixels().chunks(pixels.width() as usize).rev() {
        data.extend(bytes(row));
        data.resize(data.len().next_multiple_of(4), 0);
    }
    let begin = 14 + 40 + 4 * palette.len() as u32;
    let mut file = b"BM".to_vec();
    let mut numbers = |numbers: &[u32]| file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    numbers(&[begin + data.len() as u32, 0, begin]);
    // One plane, uncompressed.
    numbers(&[
        40,
        pixels.width(),
        pixels.height(),
        1 | u32::from(bits) << 16,
        0,
        data.len() as u32,
        0,
        0,
        0,
        0,
    ]);
    file.extend(palette.iter().flatten());
    file.extend(data);
    file
}
