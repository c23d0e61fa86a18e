//! The picture of an item's panel: a column of PNG files.

use std::sync::LazyLock;

use racgen_data::columns::{ExtraColumn, ExtraKind};
use racgen_logic::seed::stream;

use crate::halma::error::HalmaError;
use crate::halma::items::story::ToldPanel;
use crate::halma::pictures::panel::panel;
use crate::pictures::digits::DigitShapes;
use crate::pictures::raster::png;

static COLUMNS: LazyLock<[ExtraColumn; 1]> = LazyLock::new(|| {
    [ExtraColumn {
        name: "image".into(),
        kind: ExtraKind::Image,
        about: "the panel that the question is about, 128 x 128 pixels; null where a maze is told".into(),
    }]
});

/// The column of data sets with pictures.
pub(crate) fn picture_columns() -> &'static [ExtraColumn] {
    &*COLUMNS
}

/// The picture of a panel, which depends on the seed, on what the panel shows, and on the item's place in its stream.
///
/// # Errors
/// A drawing that makes no picture.
pub(crate) fn picture(told: &ToldPanel, world: &str, seed: u64, index: u64) -> Result<Vec<u8>, HalmaError> {
    let mut rng = stream(seed, &["halma", "picture", world, &index.to_string()]);
    Ok(png(&panel(&told.sorted(), told.hint, &DigitShapes::Drawn, &mut rng))?)
}
