//! What a story tells of itself beyond its texts to the columns that rows of domains have besides those of all rows.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use racgen_data::columns::{ExtraColumn, ExtraKind};
use racgen_data::row::ExtraValue;

use crate::factory::further::extra_cells::further_columns;

const EFFECTIVE_DEPTH: &str = "effective_depth";

static COLUMNS: LazyLock<[ExtraColumn; 1]> = LazyLock::new(|| {
    [ExtraColumn {
        name: EFFECTIVE_DEPTH.into(),
        kind: ExtraKind::NumberOrNull,
        about: "length of a shortest plan to the situation after the plan; null where none was found within a bound"
            .into(),
    }]
});

/// The columns besides those of all rows.
pub(crate) fn extra_columns() -> &'static [ExtraColumn] {
    &*COLUMNS
}

static PICTURE: LazyLock<[ExtraColumn; 2]> = LazyLock::new(|| {
    [
        ExtraColumn {
            name: "image".into(),
            kind: ExtraKind::Image,
            about: "the initial situation as a picture of 512 x 512 pixels".into(),
        },
        ExtraColumn {
            name: "look".into(),
            kind: ExtraKind::Number,
            about: "the seed that colours, font and sizes of the picture were drawn by".into(),
        },
    ]
});

/// The columns of data sets with pictures: the picture, and the seed of its look.
pub(crate) fn picture_columns() -> &'static [ExtraColumn; 2] {
    &PICTURE
}

/// The cells of a picture.
pub(crate) fn picture_cells(look: u32, png: Vec<u8>) -> [(Arc<str>, ExtraValue); 2] {
    let [image, seed] = picture_columns();
    [(image.name.clone(), ExtraValue::Bytes(png)), (seed.name.clone(), ExtraValue::Number(i64::from(look)))]
}

/// The columns besides those of all rows, in data sets with questions beyond prediction or without, with pictures or without.
pub(crate) fn columns(further: bool, pictured: bool) -> &'static [ExtraColumn] {
    static WITH_PICTURES: LazyLock<[Vec<ExtraColumn>; 2]> = LazyLock::new(|| {
        [extra_columns(), all_columns()].map(|own| own.iter().chain(picture_columns()).cloned().collect())
    });
    match (further, pictured) {
        (false, false) => extra_columns(),
        (true, false) => all_columns(),
        (further, true) => &WITH_PICTURES[usize::from(further)],
    }
}

/// Those, and the columns that data sets with questions beyond prediction have.
pub(crate) fn all_columns() -> &'static [ExtraColumn] {
    static ALL: LazyLock<Vec<ExtraColumn>> =
        LazyLock::new(|| extra_columns().iter().chain(further_columns()).cloned().collect());
    &ALL
}

/// The cell of the effective depth; none where it is not known.
pub(crate) fn effective_depth(depth: Option<usize>) -> BTreeMap<Arc<str>, ExtraValue> {
    let cell = |depth| (COLUMNS[0].name.clone(), ExtraValue::Number(depth as i64));
    depth.map(cell).into_iter().collect()
}
