//! An answer in any wording to a form in which equal answers are equal.

/// Number words, by value.
const WORDS: [&str; 21] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// What counts as an answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Normal {
    /// Yes or no.
    Bool(bool),
    /// A number.
    Number(i64),
    /// Names, in order of the alphabet; none of them for `none`.
    Names(Vec<String>),
}

/// One answer, small and without what does not matter: outer spaces and quotes, a full stop, an article, and the
/// steps that lead to it, where the last of them says that this is the answer.
fn plain(text: &str) -> String {
    let small = text.to_lowercase();
    let text = small.trim_matches(|c: char| c.is_whitespace() || "\"'`*".contains(c));
    let after = |lead: &str| text.rfind(lead).map(|at| &text[at + lead.len()..]);
    let leads = ["the answer is thus ", "the answer is:", "the answer is ", "the answer:"];
    let stated = leads.iter().filter_map(|lead| after(lead)).min_by_key(|rest| rest.len());
    let text = stated.or_else(|| ["answer:", "answer is"].iter().find_map(|lead| text.strip_prefix(lead)));
    let text = text.unwrap_or(small.trim());
    let text = text.trim_matches(|c: char| c.is_whitespace() || "\"'`*.!:".contains(c));
    let text = text.strip_prefix("the ").unwrap_or(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn number(text: &str) -> Option<i64> {
    if let Ok(number) = text.parse::<i64>() {
        return Some(number);
    }
    if let Some(whole) = text.strip_suffix(".0") {
        return whole.parse().ok();
    }
    WORDS.iter().position(|word| *word == text).map(|number| number as i64)
}

/// The form of an answer. `kind` is the answer type of the item (`bool`, `number`, `name`, `names` or `none`), for
/// "no" may be a word for none.
///
/// ```
/// use racgen::score::normal::normal;
/// assert_eq!(normal("True.", "bool"), normal("yes", "bool"));
/// assert_eq!(normal("Three", "number"), normal("3", "number"));
/// assert_eq!(normal("the crane-11 and robot-7", "names"), normal("robot-7, crane-11", "names"));
/// assert_ne!(normal("12", "number"), normal("1", "number"));
/// ```
pub fn normal(text: &str, kind: &str) -> Normal {
    let text = plain(text);
    match kind {
        "bool" => match text.as_str() {
            "yes" | "true" | "y" | "t" | "1" => return Normal::Bool(true),
            "no" | "false" | "n" | "f" | "0" => return Normal::Bool(false),
            _ => {}
        },
        "number" => {
            if let Some(number) = number(&text) {
                return Normal::Number(number);
            }
            if ["none", "no", "nothing"].contains(&text.as_str()) {
                return Normal::Number(0);
            }
        }
        _ => {}
    }
    if ["none", "nothing", "no one", "nobody", "nowhere", ""].contains(&text.as_str()) {
        return Normal::Names(Vec::new());
    }
    let parts =
        text.split([',', ';', '\n']).flat_map(|part| part.split(" and ").map(plain).collect::<Vec<_>>());
    let parts = parts.map(|part| part.strip_prefix("and ").map_or(part.clone(), str::to_owned));
    let mut names: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    names.sort();
    names.dedup();
    Normal::Names(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sensible_variants_are_equal_and_others_are_not() {
        for (a, b, kind) in [
            ("Yes", " yes.", "bool"),
            ("FALSE", "no", "bool"),
            ("0", "none", "number"),
            ("twelve", "12", "number"),
            ("The answer is 4.", "4", "number"),
            ("b, a", "a, b", "names"),
            ("a, b, and c", "c, b, a", "names"),
            ("Nothing", "none", "none"),
            ("the table", "table", "name"),
            ("\"Town Hall\"", "town hall", "name"),
            ("At the start: b is on a.\nThen a moves.\nTherefore the answer is b, a.", "a, b", "names"),
            ("None of what the answer depends on is true.\nThe answer is thus 3.", "3", "number"),
            ("Hence the answer: yes.", "yes", "bool"),
        ] {
            assert_eq!(normal(a, kind), normal(b, kind), "{a} {b}");
        }
        for (a, b, kind) in [
            ("yes", "no", "bool"),
            ("a", "a, b", "names"),
            ("crane-1", "crane-11", "name"),
            ("none", "a", "none"),
            ("maybe", "no", "bool"),
            ("", "no", "bool"),
        ] {
            assert_ne!(normal(a, kind), normal(b, kind), "{a} {b}");
        }
    }
}
