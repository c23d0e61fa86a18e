//! SVG to pixels and to PNG: the only file that names resvg.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::pictures::drawing::Drawing;
use crate::pictures::error::PictureError;

fn pixmap(drawing: &Drawing) -> Result<Pixmap, PictureError> {
    let failed = |cause: &dyn std::fmt::Display| PictureError::Raster(cause.to_string());
    let tree = Tree::from_str(&drawing.svg(), &Options::default()).map_err(|error| failed(&error))?;
    let (width, height) = drawing.size();
    let mut pixmap = Pixmap::new(width, height).ok_or_else(|| failed(&"it has no size"))?;
    resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    Ok(pixmap)
}

/// The pixels of a drawing row by row, three bytes each: red, green and blue.
///
/// # Errors
/// A drawing that is no SVG.
pub fn pixels(drawing: &Drawing) -> Result<Vec<u8>, PictureError> {
    // A drawing has a background, so that nothing shows through.
    Ok(pixmap(drawing)?
        .pixels()
        .iter()
        .flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
        .collect())
}

/// A drawing as a PNG file.
///
/// # Errors
/// A drawing that is no SVG.
pub fn png(drawing: &Drawing) -> Result<Vec<u8>, PictureError> {
    pixmap(drawing)?.encode_png().map_err(|error| PictureError::Raster(error.to_string()))
}
