//! A question that lists what to choose from, or asks which of the told actions it was, to small numbers: what each option looks
//! like to a model that does not follow the story.
//!
//! Of each option: how it looks beside what else the question says, and beside the other options; what the actions do to its
//! objects; and what the initial situation says of them. Who is to choose sees these three apart, as with yes/no questions.

use racgen_data::row::Row;
use racgen_logic::term::Term;

use crate::audit::attacks::bag::{Codes, NEVER, ago, objects, own_pattern, pattern, signature, small};
use crate::simulate::narrative::partly::LEFT_OUT;

/// What a column is told by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionSight {
    /// By the question alone.
    Asked,
    /// By the actions.
    Acted,
    /// By the initial situation.
    Initial,
}

use OptionSight::{Acted, Asked, Initial};

/// Of kinds: how an option looks beside the rest of the question, its form, that rest, and where the other options name its objects;
/// the last and the first action that names an object of it, and the last one beside the rest; its form with objects that are left out.
const KINDS: [OptionSight; 8] = [Asked, Asked, Asked, Asked, Acted, Acted, Acted, Initial];
/// Of amounts: objects that the rest of the question names, whether the rest has the option itself, objects that other options name,
/// place in the list; mentions in the actions, time of the last one, objects that are named there, time when it was done; whether
/// it is so initially, facts with an object of it, with all of them, objects that are left out, whether something asked is so initially.
const AMOUNTS: [OptionSight; 13] =
    [Asked, Asked, Asked, Asked, Acted, Acted, Acted, Acted, Initial, Initial, Initial, Initial, Initial];

/// Columns of an option: those of kinds, each with how many other options have the same; those of amounts, each with how many
/// have more.
pub const WIDTH: usize = 2 * (KINDS.len() + AMOUNTS.len());

/// What the columns are told by, and whether they are amounts.
pub fn columns() -> Vec<(OptionSight, bool)> {
    let kinds = KINDS.into_iter().flat_map(|sight| [(sight, false), (sight, true)]);
    let amounts = AMOUNTS.into_iter().flat_map(|sight| [(sight, true), (sight, true)]);
    kinds.chain(amounts).collect()
}

/// What a question lists, of which one thing is its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedOptions {
    /// By option, a number for each of [`columns`].
    pub options: Vec<[u8; WIDTH]>,
    /// The right one.
    pub right: usize,
}

/// The functors of lists in queries.
const LISTS: [&str; 2] = ["facts", "actions"];

/// The question which of the told actions did not take place.
pub const FAILED_ACTION: &str = "failed_action";
/// The questions whose answer is a told action; the other asks which of them made something so.
const OF_TOLD: [&str; 2] = [FAILED_ACTION, "cause"];
/// The question which two listed actions that follow one another can be left out.
const SUPERFLUOUS_TWO: &str = "superfluous_two";

/// Finds the list of a question that has its answer once, among other things.
fn list(query: &Term, answer: &Term) -> Option<(Term, usize)> {
    let mut lists = query.args().iter().filter(|arg| LISTS.contains(&arg.functor()) && arg.args().len() > 1);
    lists.find_map(|list| Some((list.clone(), only_place(list.args(), answer)?)))
}

/// Where something stands, if it stands once.
fn only_place(all: &[Term], one: &Term) -> Option<usize> {
    let mut places = (0..all.len()).filter(|place| all[*place] == *one);
    let place = places.next()?;
    places.next().is_none().then_some(place)
}

/// The told actions, if the question is which of them it was.
fn told_list(query: &Term, plan: &[Term], answer: &Term) -> Option<(Term, usize)> {
    if !OF_TOLD.contains(&query.functor()) {
        return None;
    }
    let place = match answer {
        Term::Number(number) => usize::try_from(*number).ok()?.checked_sub(1)?,
        action => only_place(plan, action)?,
    };
    (plan.len() > 1 && place < plan.len()).then(|| (Term::function("actions", plan.to_vec()), place))
}

/// The listed actions two by two, if it is asked which two that follow one another it was.
fn list_of_two(query: &Term, answer: &[Term]) -> Option<(Term, Term, usize)> {
    let list = query.args().iter().find(|arg| query.is(SUPERFLUOUS_TWO, 2) && arg.functor() == LISTS[1])?;
    let of_two = |two: &[Term]| Term::function("two", two.to_vec());
    let all: Vec<Term> = list.args().windows(2).map(of_two).collect();
    let place = only_place(&all, &of_two(answer))?;
    (all.len() > 1).then(|| (list.clone(), Term::function("actions", all), place))
}

/// All terms that a term has inside, itself included.
fn contains(term: &Term, other: &Term) -> bool {
    term == other || term.args().iter().any(|arg| contains(arg, other))
}

/// What a row lists to choose from, two by two if it asks for two, or the told actions if it is asked which of them it was; none where
/// it does neither, or where a part of a plan is asked for.
pub fn listed(row: &Row, codes: &mut Codes) -> Option<ListedOptions> {
    if &*row.answer_type == "plan" {
        return None;
    }
    let query: Term = row.query.parse().ok()?;
    let read = |terms: &[String]| terms.iter().filter_map(|term| term.parse().ok()).collect::<Vec<Term>>();
    let plan = read(&row.plan);
    let (written, list, right) = match &read(&row.gold)[..] {
        [answer] => {
            let (list, right) = list(&query, answer).or_else(|| told_list(&query, &plan, answer))?;
            (list.clone(), list, right)
        }
        answer => list_of_two(&query, answer)?,
    };
    let rest: Vec<&Term> = query.args().iter().filter(|arg| **arg != written).collect();
    let mut look = Look { row, rest, plan, facts: read(&row.facts), codes };
    let seen: Vec<_> =
        list.args().iter().enumerate().map(|(place, one)| look.option(one, place, &list)).collect();
    let options = seen.iter().map(|(kinds, amounts)| {
        let mut values = [0; WIDTH];
        let mut next = values.iter_mut();
        let mut tell = |value: u8| *next.next().expect("as many as there are columns") = value;
        for (place, kind) in kinds.iter().enumerate() {
            tell(*kind);
            tell(small(seen.iter().filter(|(others, _)| others[place] == *kind).count()));
        }
        for (place, amount) in amounts.iter().enumerate() {
            tell(*amount);
            tell(small(seen.iter().filter(|(_, others)| others[place] > *amount).count()));
        }
        values
    });
    Some(ListedOptions { options: options.collect(), right })
}

/// Where the other options name an object of one: their functors, each with the place among its objects.
fn named_in(object: &str, option: &Term, list: &Term) -> String {
    let mut places = Vec::new();
    for other in list.args().iter().filter(|other| *other != option) {
        let at = objects(other).iter().position(|one| one == object);
        places.extend(at.map(|at| format!("{}.{at}", other.functor())));
    }
    places.sort_unstable();
    places.join(",")
}

/// What is looked at of a row.
struct Look<'t> {
    row: &'t Row,
    /// What the question says besides the list.
    rest: Vec<&'t Term>,
    plan: Vec<Term>,
    facts: Vec<Term>,
    codes: &'t mut Codes,
}

impl Look<'_> {
    fn code(&mut self, what: &str, text: &str) -> u8 {
        self.codes.of(&(&*self.row.domain, &*self.row.family, "option", what), &text)
    }

    fn option(
        &mut self,
        option: &Term,
        place: usize,
        list: &Term,
    ) -> ([u8; KINDS.len()], [u8; AMOUNTS.len()]) {
        let own = objects(option);
        let mut asked: Vec<String> = Vec::new();
        let mut told = String::new();
        self.rest.iter().for_each(|term| pattern(term, &mut asked, true, &mut told));
        let mut beside = String::new();
        pattern(option, &mut asked.clone(), false, &mut beside);
        let names = |term: &Term| own.iter().any(|object| term.mentions(object));
        let touching: Vec<usize> = (0..self.plan.len()).filter(|at| names(&self.plan[*at])).collect();
        let (first, last) = (touching.first().copied(), touching.last().copied());
        let all: Vec<String> =
            own.iter().chain(asked.iter().filter(|object| !own.contains(object))).cloned().collect();
        let action = |at: Option<usize>, known: &[String]| {
            at.map_or(String::new(), |at| {
                format!("{} {}", option.functor(), signature(&self.plan[at], known))
            })
        };
        let (last_of_own, first_of_own, last_of_all) =
            (action(last, &own), action(first, &own), action(last, &all));
        let among: Vec<String> = own.iter().map(|object| named_in(object, option, list)).collect();
        let is_out =
            |object: &String| self.facts.iter().any(|fact| fact.is(LEFT_OUT, 1) && fact.mentions(object));
        let left_out: String = own.iter().map(|object| if is_out(object) { 'o' } else { '-' }).collect();
        let kinds = [
            self.code("beside", &format!("{told} {beside}")),
            self.code("form", &own_pattern(option)),
            self.code("rest", &told),
            self.code("among", &format!("{}: {}", option.functor(), among.join(";"))),
            self.code("last", &last_of_own),
            self.code("first", &first_of_own),
            self.code("last of all", &last_of_all),
            self.code("left out", &format!("{} {}", own_pattern(option), left_out)),
        ];
        let number = |found: usize| small(found);
        let with_any = self.facts.iter().filter(|fact| names(fact)).count();
        let with_all =
            self.facts.iter().filter(|fact| !own.is_empty() && own.iter().all(|o| fact.mentions(o))).count();
        let left_out = self.facts.iter().filter(|fact| fact.is(LEFT_OUT, 1) && names(fact)).count();
        let mentions = |object: &&String| self.plan.iter().filter(|action| action.mentions(object)).count();
        let of_others = list.args().iter().filter(|other| *other != option);
        let amounts = [
            number(own.iter().filter(|object| asked.contains(object)).count()),
            u8::from(self.rest.iter().any(|term| contains(term, option))),
            number(of_others.map(|other| own.iter().filter(|object| other.mentions(object)).count()).sum()),
            number(place),
            number(own.iter().map(|object| mentions(&object)).sum()),
            ago(self.plan.len(), last),
            number(own.iter().filter(|object| mentions(object) > 0).count()),
            self.plan
                .iter()
                .rposition(|told| told == option)
                .map_or(NEVER, |at| ago(self.plan.len(), Some(at))),
            u8::from(self.facts.contains(option)),
            number(with_any),
            number(with_all),
            number(left_out),
            number(
                self.facts.iter().filter(|fact| self.rest.iter().any(|term| contains(term, fact))).count(),
            ),
        ];
        (kinds, amounts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_actions_are_chosen_from_where_it_is_asked_which_it_was() {
        let row = |query: &str, gold: &str| Row {
            query: query.into(),
            gold: vec![gold.to_owned()],
            plan: ["move(b1,b2)", "move(b3,b1)", "move(b3,table)"].map(str::to_owned).to_vec().into(),
            ..Row::default()
        };
        let place = |row: &Row| {
            let listed = listed(row, &mut Codes::default())?;
            Some((listed.options.len(), listed.right))
        };
        assert_eq!(place(&row("failed_action(facts(clear(b2)))", "2")), Some((3, 1)));
        assert_eq!(place(&row("cause(clear(b1))", "move(b3,table)")), Some((3, 2)));
        assert_eq!(place(&row("first_time(clear(b1))", "2")), None);
        // An action that was not told, and a list of its own.
        assert_eq!(place(&row("cause(clear(b1))", "move(b2,b1)")), None);
        assert_eq!(
            place(&row("superfluous(actions(move(b1,b2),move(b3,b2)),goal(on(b3,b2)))", "move(b3,b2)")),
            Some((2, 1))
        );
        // Two by two.
        let two = |first: &str, second: &str| {
            let list = "actions(move(b1,b2),move(b3,b2),move(b3,b1))";
            let row = row(&format!("superfluous_two({list},goal(on(b3,b1)))"), first);
            place(&Row { gold: vec![first.to_owned(), second.to_owned()], ..row })
        };
        assert_eq!(two("move(b3,b2)", "move(b3,b1)"), Some((2, 1)));
        assert_eq!(two("move(b1,b2)", "move(b3,b1)"), None);
    }
}
