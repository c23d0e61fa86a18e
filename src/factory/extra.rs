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
