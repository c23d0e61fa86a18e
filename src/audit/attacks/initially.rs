//! A question what is sure, or possible, to what the initial situation says of its objects, in small numbers: what a model sees
//! that knows nothing of the actions.

use std::collections::{BTreeMap, BTreeSet};

use racgen_data::row::Row;
use racgen_logic::term::Term;

use crate::audit::attacks::bag::{Codes, objects};
use crate::domain::question_groups::{MAY, MUST, UNDEFINED};
use crate::factory::further::telling::CERTAINTY;

/// Numbers of forms of facts, each with how many facts have it.
pub type InitialFacts = Box<[(u8, u8)]>;

/// What is told of the initial situation: the facts that name an object of the question, by their functors and by where they name
/// which of these objects; and how many facts there are of each functor. Nothing for other questions, which are held against
/// the initial situation's own answer.
pub fn initial_facts(row: &Row, codes: &mut Codes) -> InitialFacts {
    let Ok(query) = row.query.parse::<Term>() else { return [].into() };
    let of_three = &*row.answer_type == CERTAINTY && query.functor() != UNDEFINED;
    if !of_three && ![MUST, MAY].contains(&query.functor()) {
        return [].into();
    }
    let asked = objects(&query);
    let mut forms: BTreeMap<String, u8> = BTreeMap::new();
    let mut count = |form: String| {
        let number = forms.entry(form).or_default();
        *number = number.saturating_add(1);
    };
    for fact in row.facts.iter().filter_map(|fact| fact.parse::<Term>().ok()) {
        let place = |term: &Term| asked.iter().position(|object| term.is(object, 0));
        let places: Vec<Option<usize>> = fact.args().iter().map(place).collect();
        if places.iter().any(Option::is_some) {
            count(format!("{}{places:?}", fact.functor()));
        }
        count(fact.functor().to_owned());
    }
    let group = (&*row.domain, "initially");
    let numbered: BTreeSet<(u8, u8)> =
        forms.into_iter().map(|(form, number)| (codes.of(&group, &form), number)).collect();
    numbered.into_iter().collect()
}

/// How many facts of each item have each of the forms that any has, form by form.
pub fn counts<'i>(items: impl Iterator<Item = &'i InitialFacts> + Clone) -> Vec<Vec<u8>> {
    let known: BTreeSet<u8> = items.clone().flatten().map(|(form, _)| *form).collect();
    let of = |form: u8| {
        let count = |facts: &InitialFacts| facts.iter().find(|(own, _)| *own == form).map_or(0, |(_, n)| *n);
        items.clone().map(count).collect()
    };
    known.into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_those_of_the_objects_asked_about() {
        let row = |query: &str, facts: &[&str]| Row {
            domain: "slippery".into(),
            query: query.into(),
            facts: facts.iter().map(|fact| (*fact).to_owned()).collect::<Vec<_>>().into(),
            ..Row::default()
        };
        let mut codes = Codes::default();
        let facts = ["wet(g1)", "wet(g2)", "lies(b1,t1)", "lies(b2,t1)"];
        let one = initial_facts(&row("must(grasps(g1,b1))", &facts), &mut codes);
        let two = initial_facts(&row("must(grasps(g2,b2))", &facts), &mut codes);
        let other = initial_facts(
            &row("must(grasps(g1,b1))", &["wet(g2)", "lies(b1,t1)", "lies(b2,t1)"]),
            &mut codes,
        );
        assert!(one == two && one != other && !one.is_empty());
        assert_eq!(counts([&one, &other].into_iter()).len(), 4);
        assert!(initial_facts(&row("on(b1,b2)", &facts), &mut codes).is_empty());
        let certain = |query: &str| Row { answer_type: CERTAINTY.into(), ..row(query, &facts) };
        assert!(!initial_facts(&certain("possible(wet(g1))"), &mut codes).is_empty());
        assert!(initial_facts(&certain("undefined(wet(g1))"), &mut codes).is_empty());
    }
}
