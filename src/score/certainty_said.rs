//! A prediction to how sure it says something is: one of the three answers that the question offers, or nothing where it
//! names more than one of them.

/// What is offered, and other ways to say it. What holds another within stands before it.
const ANSWERS: [&[(&str, &[&str])]; 3] = [
    &[
        (
            "cannot be determined",
            &[
                "cannot be determined",
                "can not be determined",
                "can't be determined",
                "cannot determine",
                "not determined",
                "undetermined",
                "undecided",
                "unknown",
                "neither",
            ],
        ),
        ("yes", &["yes", "true"]),
        ("no", &["no", "false"]),
    ],
    &[
        ("surely not", &["surely not", "certainly not"]),
        ("surely", &["surely", "certainly"]),
        ("possibly", &["possibly"]),
    ],
    &[
        (
            "cannot be answered",
            &[
                "cannot be answered",
                "can not be answered",
                "can't be answered",
                "cannot answer",
                "not answerable",
                "unanswerable",
                "not be answered",
                "no such thing",
            ],
        ),
        ("yes", &["yes", "true"]),
        ("no", &["no", "false"]),
    ],
];

/// Behind these, the answer stands.
const MARKS: [&str; 4] = ["answer is", "answer:", "\\boxed{", "<answer>"];

/// The answer that a text gives, of those among which this one is.
///
/// ```
/// use racgen::score::certainty_said::certainty_said;
///
/// assert_eq!(certainty_said("It may be on it or not. So the answer is: cannot be determined.", "yes"), Some("cannot be determined"));
/// assert_eq!(certainty_said("Surely not, because it is held.", "possibly"), Some("surely not"));
/// assert_eq!(certainty_said("Possibly or surely.", "surely"), None);
/// ```
pub fn certainty_said(text: &str, answer: &str) -> Option<&'static str> {
    let offered = ANSWERS.into_iter().find(|all| all.iter().any(|(name, _)| *name == answer))?;
    let text = text.to_lowercase().replace('\u{2019}', "'").replace(['*', '"'], " ");
    let marked = MARKS.iter().filter_map(|mark| Some(text.rfind(mark)? + mark.len())).max();
    if let Some(start) = marked {
        return only(&text[start..], offered);
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let (first, last) = (lines.first()?, lines.last()?);
    only(last, offered).or_else(|| only(first.split(['.', ',', ';', ':']).next()?, offered))
}

/// The only answer that a part of a text names.
fn only(text: &str, offered: &[(&'static str, &[&str])]) -> Option<&'static str> {
    let mut rest = format!(" {} ", text.replace(|c: char| !c.is_alphanumeric() && c != '\'', " "));
    while rest.contains("  ") {
        rest = rest.replace("  ", " ");
    }
    let mut found = Vec::new();
    for (name, ways) in offered {
        for way in *ways {
            let way = format!(" {way} ");
            if rest.contains(&way) {
                rest = rest.replace(&way, " ");
                found.push(*name);
            }
        }
    }
    found.dedup();
    match found.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}
