//! A question beyond prediction to the columns that data sets with such questions have besides: who judges an answer, and
//! how far back the deciding action lies.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use racgen_data::columns::{ExtraColumn, ExtraKind};
use racgen_data::row::ExtraValue;

/// The column that tells how answers are judged.
pub(crate) const JUDGE: &str = "judge";
/// The column that tells how far back the deciding action lies.
pub const SINCE: &str = "since";

static COLUMNS: LazyLock<[ExtraColumn; 2]> = LazyLock::new(|| {
    [
        ExtraColumn {
            name: JUDGE.into(),
            kind: ExtraKind::Text,
            about: "how an answer is judged: exact, number, or set where the order of its parts makes no difference"
                .into(),
        },
        ExtraColumn {
            name: SINCE.into(),
            kind: ExtraKind::NumberOrNull,
            about: "how many actions come after the one that decides the answer; null where no single one does".into(),
        },
    ]
});

/// The columns.
pub(crate) fn further_columns() -> &'static [ExtraColumn] {
    &*COLUMNS
}

/// Who judges an answer of this type.
pub(crate) fn judge(answer_type: &str) -> &'static str {
    match answer_type {
        "number" => "number",
        "names" | "facts" | "action" | "actions" => "set",
        _ => "exact",
    }
}

/// The cells of a row.
pub(crate) fn further_cells(answer_type: &str, since: Option<usize>) -> BTreeMap<Arc<str>, ExtraValue> {
    let [judged, steps] = &*COLUMNS;
    let since = since.map(|since| (steps.name.clone(), ExtraValue::Number(since as i64)));
    let judge = (judged.name.clone(), ExtraValue::Text(judge(answer_type).to_owned()));
    std::iter::once(judge).chain(since).collect()
}
