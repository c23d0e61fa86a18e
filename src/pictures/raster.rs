//! SVG to pixels and to PNG: the only file that names resvg.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::pictures::drawing::Drawing;
use crate::pictures::error::PictureError;
use crate::pictures::graph::DrawnGraph;
use crate::pictures::scene::{Letters, Scene};
use crate::pictures::style::PictureStyle;

fn pixmap(drawing: &Drawing) -> Result<Pixmap, PictureError> {
    pixmap_of(&drawing.svg(), drawing.size())
}

fn pixmap_of(svg: &str, (width, height): (u32, u32)) -> Result<Pixmap, PictureError> {
    let failed = |cause: &dyn std::fmt::Display| PictureError::Raster(cause.to_string());
    let tree = Tree::from_str(svg, &Options::default()).map_err(|error| failed(&error))?;
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

/// The colours of a scene, three bytes a pixel. A scene has a background, so that nothing shows through.
fn scene_colours(scene: &Scene, graph: &DrawnGraph, style: &PictureStyle) -> Result<Vec<u8>, PictureError> {
    let pixmap = pixmap_of(&scene.svg(graph, style, Letters::Outlines), (style.side, style.side))?;
    Ok(pixmap.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect())
}

/// A scene as a PNG file.
///
/// # Errors
/// A scene that is no SVG.
pub fn scene_png(scene: &Scene, graph: &DrawnGraph, style: &PictureStyle) -> Result<Vec<u8>, PictureError> {
    let failed = |error: png::EncodingError| PictureError::Raster(error.to_string());
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, style.side, style.side);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Default);
    // Plain areas repeat themselves, and filters would hide that: the file has a quarter of the size.
    encoder.set_filter(png::FilterType::NoFilter);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&scene_colours(scene, graph, style)?).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(file)
}

/// Scenes of one size as an animated PNG file, each shown for so many hundredths of a second, over and over.
///
/// # Errors
/// A scene that is no SVG; none at all.
pub fn animation(
    pictures: &[(&Scene, &DrawnGraph)],
    style: &PictureStyle,
    hundredths: u16,
) -> Result<Vec<u8>, PictureError> {
    let failed = |error: png::EncodingError| PictureError::Raster(error.to_string());
    let frames = u32::try_from(pictures.len()).unwrap_or(u32::MAX);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, style.side, style.side);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Best);
    encoder.set_animated(frames, 0).map_err(failed)?;
    encoder.set_frame_delay(hundredths, 100).map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    for (scene, graph) in pictures {
        writer.write_image_data(&scene_colours(scene, graph, style)?).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    Ok(file)
}
