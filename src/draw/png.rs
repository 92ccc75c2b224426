//! Pictures in pixels, for programs that show no SVG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// It cannot be read.
    #[error(transparent)]
    Svg(#[from] resvg::usvg::Error),
    /// It cannot be written.
    #[error("{0}")]
    Png(String),
}

/// An SVG file as a PNG file, `scale` pixels for each of its units. Letters are drawn with the system's fonts.
///
/// # Errors
/// When `svg` is no picture, or one without or beyond size.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    let family = ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica"];
    let known =
        |name: &&str| options.fontdb.faces().any(|face| face.families.iter().any(|(own, _)| own == name));
    let family = family.into_iter().find(known);
    if let Some(family) = family {
        options.fontdb_mut().set_sans_serif_family(family);
    }
    let tree = Tree::from_str(svg, &options)?;
    let size = tree.size();
    let (width, height) = ((size.width() * scale).ceil() as u32, (size.height() * scale).ceil() as u32);
    let mut pixels =
        Pixmap::new(width, height).ok_or_else(|| PngError::Png(format!("{width}x{height} pixels")))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Png(error.to_string()))
}
