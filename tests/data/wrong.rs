//! A row's answer to another one of its kind, which is wrong.

use racgen::data::row::Row;

/// The other label, another name or none, one more.
pub fn another_answer(row: &Row) -> String {
    match row.answer.as_str() {
        "yes" => "no".into(),
        "no" => "yes".into(),
        "none" => row.objects[0].name.to_string(),
        other => match other.parse::<i32>() {
            Ok(number) => (number + 1).to_string(),
            Err(_) => "none".into(),
        },
    }
}
