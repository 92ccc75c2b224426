//! Pictures as PNG, for programs that do not show SVG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Why a picture cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The SVG file cannot be parsed.
    #[error(transparent)]
    Svg(#[from] resvg::usvg::Error),
    /// The PNG file cannot be encoded.
    #[error("{0}")]
    Png(String),
}

/// Renders an SVG file as PNG, with `scale` pixels for each of its units. Letters are drawn with the system's
/// fonts.
///
/// # Errors
/// When `svg` is not a valid picture, or its size is zero or too large.
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
