//! A question that may name what the text does not have to clingo's answer to it.

use std::time::Duration;

use racgen_logic::error::LogicError;
use racgen_logic::term::Term;

use crate::domain::question_groups::UNDEFINED;
use crate::simulate::narrative::family_program::only_answer;

/// The answer to a question that names what the text does not have.
pub const UNANSWERABLE: &str = "unanswerable";

/// What stands in a question in place of an object that the text does not have: objects of a type are numbered from 1.
pub fn stranger(id: &str) -> String {
    format!("{}0", id.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// Does a constant stand for such an object, where these are the text's?
pub fn is_stranger<'o>(constant: &str, mut objects: impl Iterator<Item = &'o str>) -> bool {
    constant.ends_with('0') && objects.any(|object| stranger(object) == constant)
}

/// A question in which an object gives way to one that the text does not have.
pub fn with_stranger(question: &Term, object: &str) -> Term {
    if question.is(object, 0) {
        return Term::constant(&stranger(object));
    }
    match question {
        Term::Function(name, args) if !args.is_empty() => {
            Term::function(name, args.iter().map(|arg| with_stranger(arg, object)).collect())
        }
        other => other.clone(),
    }
}

/// The answer to a question about a question, in a text with these objects; none if it is not asked. `predicted` is what the
/// story answers, where it answers anything.
///
/// # Errors
/// Solver failures; rules that give two answers.
pub fn defined_answer(
    whole: &Term,
    objects: &[&str],
    predicted: Option<bool>,
    limit: Duration,
) -> Result<Option<Term>, LogicError> {
    let mut text = format!("wanted({whole}).\n");
    objects.iter().for_each(|object| text += &format!("object({object}).\n"));
    for question in whole.args() {
        for name in question.constants() {
            if objects.contains(&name) || is_stranger(name, objects.iter().copied()) {
                text += &format!("names({question},{name}).\n");
            }
        }
        if let Some(yes) = predicted {
            text += &format!("predicted({question},{}).\n", if yes { "yes" } else { "no" });
        }
    }
    only_answer(UNDEFINED, whole, text, limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_gives_way_wherever_it_stands() {
        let term = |text: &str| text.parse::<Term>().unwrap();
        assert_eq!(with_stranger(&term("can(put(b2,b1),b2)"), "b2"), term("can(put(b0,b1),b0)"));
        assert!(is_stranger("b0", ["b1"].into_iter()) && !is_stranger("c0", ["b1"].into_iter()));
        assert!(!is_stranger("b10", ["b1"].into_iter()));
    }

    #[test]
    fn what_names_a_stranger_cannot_be_answered() {
        let limit = Duration::from_secs(10);
        let answer = |text: &str, predicted| {
            defined_answer(&text.parse().unwrap(), &["b1", "b2"], predicted, limit).unwrap()
        };
        assert_eq!(answer("undefined(on(b1,b0))", None), Some(Term::constant(UNANSWERABLE)));
        assert_eq!(answer("undefined(on(b1,table))", Some(false)), Some(Term::constant("no")));
        assert_eq!(answer("undefined(on(b1,b2))", None), None);
    }
}
