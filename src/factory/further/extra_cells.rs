//! A question beyond prediction to the columns that data sets with such questions have besides: who judges an answer, and
//! how hard the question is.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use racgen_data::columns::{ExtraColumn, ExtraKind};
use racgen_data::row::ExtraValue;

use crate::factory::further::offers::OfferedQuestion;

/// The column that tells how answers are judged.
pub(crate) const JUDGE: &str = "judge";
/// The column that tells how far back the deciding action lies.
pub const SINCE: &str = "since";
/// The column with the length of the plan that a question of a search asks or tells of.
pub const PLAN_LENGTH: &str = "plan_length";
/// The column with the number of situations that a search looks at.
pub const SEARCHED: &str = "searched";
/// The column that tells how many completions a story has.
pub const COMPLETIONS: &str = "completions";
/// The columns of difficulty.
pub const DIFFICULTIES: [&str; 4] = [SINCE, PLAN_LENGTH, SEARCHED, COMPLETIONS];
/// Those of questions that rest on a search.
pub const SEARCHES: [&str; 2] = [PLAN_LENGTH, SEARCHED];

static COLUMNS: LazyLock<[ExtraColumn; 5]> = LazyLock::new(|| {
    [
        ExtraColumn {
            name: JUDGE.into(),
            kind: ExtraKind::Text,
            about: "how an answer is judged: exact, number, set where the order of its parts makes no difference, or plan \
                    where any plan is right that leads to the goal"
                .into(),
        },
        ExtraColumn {
            name: SINCE.into(),
            kind: ExtraKind::NumberOrNull,
            about: "how many actions come after the one that decides the answer; null where no single one does".into(),
        },
        ExtraColumn {
            name: PLAN_LENGTH.into(),
            kind: ExtraKind::NumberOrNull,
            about: "of questions about goals and plans, how many actions a shortest plan to the goal has, or how many the \
                    question lists; null elsewhere"
                .into(),
        },
        ExtraColumn {
            name: SEARCHED.into(),
            kind: ExtraKind::NumberOrNull,
            about: "how many situations are nearer than the goal of the question, all of which a search breadth first looks \
                    at; null where it has no goal to be reached"
                .into(),
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
        "plan" => "plan",
        "names" | "facts" | "action" | "actions" => "set",
        _ => "exact",
    }
}

/// The value of a question in a column of difficulty; none where it has none.
pub fn difficulty(column: &str, offer: &OfferedQuestion) -> Option<usize> {
    match column {
        SINCE => offer.since,
        PLAN_LENGTH => offer.effort.plan_length,
        SEARCHED => offer.effort.searched,
        COMPLETIONS => offer.completions(),
        _ => None,
    }
}

/// The cells of a row: who judges its answer, and how hard its question is.
pub(crate) fn further_cells(
    answer_type: &str,
    offer: Option<&OfferedQuestion>,
) -> BTreeMap<Arc<str>, ExtraValue> {
    let [judged, hard @ ..] = &*COLUMNS;
    let judge = (judged.name.clone(), ExtraValue::Text(judge(answer_type).to_owned()));
    let cell = |column: &ExtraColumn| {
        let value = difficulty(&column.name, offer?)?;
        Some((column.name.clone(), ExtraValue::Number(value as i64)))
    };
    std::iter::once(judge).chain(hard.iter().filter_map(cell)).collect()
}
