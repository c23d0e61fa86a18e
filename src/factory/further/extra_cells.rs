//! A question beyond prediction to the columns that data sets with such questions have besides: who judges an answer, how
//! far back the deciding action lies, and in how many ways a story told in part may have gone.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use racgen_data::columns::{ExtraColumn, ExtraKind};
use racgen_data::row::ExtraValue;

/// The column that tells how answers are judged.
pub(crate) const JUDGE: &str = "judge";
/// The column that tells how far back the deciding action lies.
pub const SINCE: &str = "since";
/// The column that tells how many completions a story has.
pub const COMPLETIONS: &str = "completions";
/// The columns of difficulty.
pub const EFFORTS: [&str; 2] = [SINCE, COMPLETIONS];

static COLUMNS: LazyLock<[ExtraColumn; 3]> = LazyLock::new(|| {
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
        ExtraColumn {
            name: COMPLETIONS.into(),
            kind: ExtraKind::NumberOrNull,
            about: "in how many ways the story may have gone, where it is told in part; null where all is told".into(),
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
pub(crate) fn further_cells(
    answer_type: &str,
    since: Option<usize>,
    completions: Option<usize>,
) -> BTreeMap<Arc<str>, ExtraValue> {
    let [judged, steps, ways] = &*COLUMNS;
    let since = since.map(|since| (steps.name.clone(), ExtraValue::Number(since as i64)));
    let completions = completions.map(|number| (ways.name.clone(), ExtraValue::Number(number as i64)));
    let judge = (judged.name.clone(), ExtraValue::Text(judge(answer_type).to_owned()));
    std::iter::once(judge).chain(since).chain(completions).collect()
}
