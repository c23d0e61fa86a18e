//! Questions whose answers are statements or actions, to how often the question alone tells them.
//!
//! Who knows the rules, or has seen many answers, knows which pattern of names an answer mostly has beside a question: "which action
//! begins a shortest way to `on(x,y)`" is mostly answered by a move of x onto y. That counts where the answer names nothing that
//! the question does not name, and is cross-validated by world.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use racgen_data::row::Row;
use racgen_logic::term::Term;
use rustc_hash::{FxHashMap as HashMap, FxHasher};

use crate::audit::attacks::bag::{objects, pattern};
use crate::audit::attacks::bounded_share::BoundedShare;
use crate::audit::attacks::folds::FOLDS;

/// Types of answers that are statements or actions in no order.
const TYPES: [&str; 3] = ["facts", "action", "actions"];

/// Which names are equal in a question and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnsweredPattern {
    /// A hash of the question's pattern.
    question: u32,
    /// One of the answer's beside that; none where it names what the question does not.
    answer: Option<u32>,
}

fn hashed(value: &impl Hash) -> u32 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    (hasher.finish() >> 16) as u32
}

/// The pattern of a row; none where its answer is of another type.
pub fn answered(row: &Row) -> Option<AnsweredPattern> {
    if !TYPES.contains(&&*row.answer_type) {
        return None;
    }
    let query: Term = row.query.parse().ok()?;
    let (mut known, mut told) = (Vec::new(), String::new());
    pattern(&query, &mut known, true, &mut told);
    let answer = |gold: &String| -> Option<String> {
        let term: Term = gold.parse().ok()?;
        let mut told = String::new();
        pattern(&term, &mut known.clone(), false, &mut told);
        objects(&term).iter().all(|object| known.contains(object)).then_some(told)
    };
    let answers: Option<Vec<String>> = row.gold.iter().map(answer).collect();
    let answer = answers.map(|mut all| {
        all.sort_unstable();
        hashed(&all)
    });
    Some(AnsweredPattern { question: hashed(&told), answer })
}

/// How often the answer is what is mostly the answer to questions of its pattern in other worlds; each question comes with the part
/// of the cross-validation that it belongs to.
pub fn told(asked: &[(AnsweredPattern, u8)]) -> BoundedShare {
    let mut seen: HashMap<u32, BTreeMap<u32, [usize; FOLDS]>> = HashMap::default();
    for (AnsweredPattern { question, answer }, fold) in asked {
        if let Some(answer) = answer {
            seen.entry(*question).or_default().entry(*answer).or_default()[usize::from(*fold)] += 1;
        }
    }
    BoundedShare::of(asked.iter().map(|(AnsweredPattern { question, answer }, fold)| {
        let others = |counts: &[usize; FOLDS]| counts.iter().sum::<usize>() - counts[usize::from(*fold)];
        let known =
            seen.get(question).into_iter().flatten().map(|(answer, counts)| (others(counts), *answer));
        let guess = known.filter(|(count, _)| *count > 0).max_by_key(|(count, _)| *count);
        guess.is_some_and(|(_, guess)| Some(guess) == *answer)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(query: &str, gold: &str) -> Row {
        Row { query: query.into(), gold: vec![gold.into()], answer_type: "action".into(), ..Row::default() }
    }

    #[test]
    fn equal_patterns_tell_and_names_that_the_question_lacks_do_not() {
        let of = |query: &str, gold: &str| answered(&row(query, gold)).unwrap();
        let one = of("next_action(goal(on(b1,b2)))", "move(b1,b2)");
        assert_eq!(one, of("next_action(goal(on(b7,b4)))", "move(b7,b4)"));
        assert!(one != of("next_action(goal(on(b7,b4)))", "move(b4,b7)"));
        let other = of("next_action(goal(on(b7,b4)))", "move(b5,b4)");
        assert_eq!((other.question, other.answer), (one.question, None));
        let asked: Vec<(AnsweredPattern, u8)> =
            (0..10).map(|n| (if n < 7 { one } else { other }, n % FOLDS as u8)).collect();
        assert_eq!(told(&asked), BoundedShare { some: 7, of: 10 });
        // What stands in one world alone tells of no other.
        assert_eq!(told(&[(one, 1), (one, 1)]).some, 0);
    }
}
