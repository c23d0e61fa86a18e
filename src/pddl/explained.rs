//! Actions, derived predicates and invariants to the sentences that explain them, for the paragraph of rules.

use std::collections::{BTreeMap, BTreeSet};

use crate::pddl::clauses::{Clauses, sentence, valued};
use crate::pddl::english::{ToldArgument, deed, denied, ended};
use crate::pddl::invariants::ImportedInvariant;
use crate::pddl::syntax::{
    Argument, Assignment, Changed, NumberComparison, NumberExpression, Parameter, PddlAction, PddlAtom,
    PddlEffect, PddlFormula,
};
use crate::pddl::vocabulary::{PackageWords, words};

/// Explains a domain.
pub(crate) struct Explained<'d> {
    pub(crate) vocabulary: &'d PackageWords<'d>,
    pub(crate) clauses: &'d Clauses,
}

/// What each variable is called.
type Names = BTreeMap<String, ToldArgument>;

/// The letters of variables, which no name of an object is.
const LETTERS: [&str; 9] = ["X", "Y", "Z", "U", "V", "W", "P", "Q", "R"];

impl Explained<'_> {
    /// The sentences, each in four wordings.
    pub(crate) fn sentences(&self, invariants: &[ImportedInvariant]) -> Vec<Vec<String>> {
        let domain = self.vocabulary.domain;
        let mut found = self.types();
        found.extend(domain.actions.iter().map(|action| self.action(action)));
        for rule in &domain.derived {
            let mut names = Names::new();
            let told = self.named(&rule.parameters, &mut names);
            let head = self.clauses.of(self.vocabulary, &rule.name, &told);
            let condition = self.formula(&rule.condition, true, &mut names);
            found.push(vec![
                sentence(&format!("{head} if {condition}.")),
                format!("If {condition}, then {head}."),
                format!("From this it follows that {head}: {condition}."),
                format!("Whenever it is so that {condition}, {head}."),
            ]);
        }
        if !domain.derived.is_empty() {
            let derived: BTreeSet<&str> = domain.derived.iter().map(|rule| rule.name.as_str()).collect();
            let names = derived
                .iter()
                .map(|name| format!("\"{}\"", words(name).join(" ")))
                .collect::<Vec<_>>()
                .join(", ");
            found.push(vec![
                format!("What is said by {names} is so only where it follows from these rules."),
                format!("Nothing but these rules brings about what is said by {names}."),
                format!("Where it does not follow from these rules, what is said by {names} is not so."),
                format!("These rules alone decide what is said by {names}."),
            ]);
        }
        if domain.actions.iter().any(|action| self.adds_what_it_deletes(action)) {
            found.push(vec![
                "What an action brings about is so after it, even if the same action would also end it."
                    .to_owned(),
                "If an action both brings something about and ends it, then it is so afterward.".to_owned(),
                "Where one action would make something both true and false, it becomes true.".to_owned(),
                "Bringing something about wins over ending it where one action would do both.".to_owned(),
            ]);
        }
        found.extend(invariants.iter().map(|invariant| self.invariant(invariant)));
        found
    }

    /// What the types that have others below them are.
    fn types(&self) -> Vec<Vec<String>> {
        let domain = self.vocabulary.domain;
        let parameters = domain.actions.iter().flat_map(|action| &action.parameters);
        let mut types: BTreeSet<&String> = parameters
            .chain(domain.derived.iter().flat_map(|rule| &rule.parameters))
            .flat_map(|p| &p.types)
            .collect();
        types.remove(&"object".to_owned());
        let mut found = Vec::new();
        for upper in types {
            let kinds = self.vocabulary.kinds_of(std::slice::from_ref(upper));
            let below: BTreeSet<&str> = kinds
                .iter()
                .map(|kind| &self.vocabulary.kinds[*kind])
                .filter(|kind| kind.pddl_type != *upper && kind.constant.is_none())
                .map(|kind| kind.noun.as_str())
                .collect();
            if below.is_empty() {
                continue;
            }
            let noun = words(upper).join(" ");
            let each: Vec<String> = below.iter().map(|kind| format!("every {kind}")).collect();
            let any: Vec<String> = below.iter().map(|kind| format!("any {kind}")).collect();
            let [each, any] = [each, any].map(|all| all.join(" and "));
            found.push(vec![
                sentence(&format!("{each} is a {noun}.")),
                sentence(&format!("{any} counts as a {noun}.")),
                format!("The word \"{noun}\" stands for {any}."),
                format!("What is said of each {noun} is said of {each}."),
            ]);
        }
        found
    }

    fn adds_what_it_deletes(&self, action: &PddlAction) -> bool {
        let of = |effect: &PddlEffect, adds: bool| match &effect.changed {
            Changed::Add(atom) if adds => Some(atom.name.clone()),
            Changed::Delete(atom) if !adds => Some(atom.name.clone()),
            _ => None,
        };
        let [added, deleted] = [true, false]
            .map(|adds| action.effects.iter().filter_map(|e| of(e, adds)).collect::<BTreeSet<_>>());
        !added.is_disjoint(&deleted)
    }

    /// Gives variables to parameters.
    fn named(&self, parameters: &[Parameter], names: &mut Names) -> Vec<ToldArgument> {
        let mut found = Vec::new();
        for parameter in parameters {
            let number = names.len();
            let letter =
                LETTERS.get(number).map_or_else(|| format!("X{number}"), |letter| (*letter).to_owned());
            let kinds = self.vocabulary.kinds_of(&parameter.types);
            let noun = match kinds.iter().collect::<Vec<_>>()[..] {
                [only] => self.vocabulary.kinds[*only].noun.clone(),
                _ if parameter.types == ["object"] => "object".to_owned(),
                _ => {
                    parameter.types.iter().map(|name| words(name).join(" ")).collect::<Vec<_>>().join(" or ")
                }
            };
            let told = ToldArgument { text: format!("{noun} {letter}"), noun };
            names.insert(parameter.name.clone(), told.clone());
            found.push(told);
        }
        found
    }

    fn action(&self, action: &PddlAction) -> Vec<String> {
        let mut names = Names::new();
        let told = self.named(&action.parameters, &mut names);
        let arguments: Vec<(String, ToldArgument)> =
            action.parameters.iter().map(|p| p.name.clone()).zip(told).collect();
        let plain = deed(&action.name, &arguments).plain();
        let condition = self.formula(&action.precondition, true, &mut names);
        let (when, then) = match condition.is_empty() {
            true => ("at any time".to_owned(), "At any time".to_owned()),
            false => (format!("if {condition}"), format!("If {condition}, then")),
        };
        let effects: Vec<String> =
            action.effects.iter().map(|effect| self.effect(effect, &mut names)).collect();
        let effects = if effects.is_empty() { "nothing changes".to_owned() } else { effects.join("; ") };
        vec![
            format!("It is possible to {plain} {when}. As a result: {effects}."),
            format!("One can {plain} {when}. This has the following effects: {effects}."),
            format!("{then} it is possible to {plain}. Afterward: {effects}."),
            format!("The action to {plain} can be carried out {when}. What it brings about: {effects}."),
        ]
    }

    fn effect(&self, effect: &PddlEffect, names: &mut Names) -> String {
        let known = names.clone();
        let every = self.named(&effect.every, names);
        let condition = self.formula(&effect.condition, true, names);
        let changed = match &effect.changed {
            Changed::Add(atom) => self.atom(atom, names),
            Changed::Delete(atom) => ended(&self.atom(atom, names)),
            Changed::Set(how, atom, value) => {
                let value = self.number(value, names);
                let of = self.function(atom, names);
                match how {
                    Assignment::Assign => format!("{of} becomes {value}"),
                    Assignment::Increase => format!("{of} grows by {value}"),
                    Assignment::Decrease => format!("{of} falls by {value}"),
                }
            }
        };
        *names = known;
        let every: String = every.iter().map(|told| format!("for every {}, ", told.text)).collect();
        match condition.is_empty() {
            true => format!("{every}{changed}"),
            false => format!("{every}if {condition} before, then {changed}"),
        }
    }

    fn argument(&self, argument: &Argument, names: &Names) -> ToldArgument {
        match argument {
            Argument::Variable(name) => {
                names.get(name).cloned().unwrap_or(ToldArgument { text: name.clone(), noun: String::new() })
            }
            Argument::Object(name) => {
                let kind = self.vocabulary.kinds.iter().find(|kind| kind.constant.as_deref() == Some(name));
                let noun = kind.map_or(String::new(), |kind| kind.noun.clone());
                let name = name.replace(['_', '.', '@', '#', '+'], "-");
                ToldArgument { text: format!("{noun} {name}"), noun }
            }
        }
    }

    fn atom(&self, atom: &PddlAtom, names: &Names) -> String {
        let arguments: Vec<ToldArgument> = atom.arguments.iter().map(|a| self.argument(a, names)).collect();
        self.clauses.of(self.vocabulary, &atom.name, &arguments)
    }

    fn function(&self, atom: &PddlAtom, names: &Names) -> String {
        let arguments: Vec<ToldArgument> = atom.arguments.iter().map(|a| self.argument(a, names)).collect();
        let said = valued(&atom.name, &arguments, "");
        said.trim_end().trim_end_matches(" is").to_owned()
    }

    fn number(&self, number: &NumberExpression, names: &Names) -> String {
        match number {
            NumberExpression::Constant(value) => value.to_string(),
            NumberExpression::Of(atom) => self.function(atom, names),
            NumberExpression::Sum(a, b) => {
                format!("the sum of {} and {}", self.number(a, names), self.number(b, names))
            }
            NumberExpression::Difference(a, b) => {
                format!("what is left of {} less {}", self.number(a, names), self.number(b, names))
            }
            NumberExpression::Product(a, b) => {
                format!("the product of {} and {}", self.number(a, names), self.number(b, names))
            }
        }
    }

    /// A condition, or its opposite; nothing where there is none.
    fn formula(&self, formula: &PddlFormula, positive: bool, names: &mut Names) -> String {
        match (formula, positive) {
            (PddlFormula::Not(inner), _) => self.formula(inner, !positive, names),
            (PddlFormula::Is(atom), true) => self.atom(atom, names),
            (PddlFormula::Is(atom), false) => denied(&self.atom(atom, names)),
            (PddlFormula::Same(a, b), _) => {
                let [a, b] = [a, b].map(|argument| self.argument(argument, names).text);
                if positive { format!("{a} is the same as {b}") } else { format!("{a} is another than {b}") }
            }
            (PddlFormula::All(parts), true) | (PddlFormula::Any(parts), false) => {
                let all: Vec<String> = parts.iter().map(|part| self.formula(part, positive, names)).collect();
                let all: Vec<String> = all.into_iter().filter(|part| !part.is_empty()).collect();
                all.join(" and ")
            }
            (PddlFormula::Any(parts), true) | (PddlFormula::All(parts), false) => {
                let all: Vec<String> = parts.iter().map(|part| self.formula(part, positive, names)).collect();
                format!("at least one of these is so ({})", all.join(" / "))
            }
            (PddlFormula::Exists(parameters, inner), true)
            | (PddlFormula::Every(parameters, inner), false) => {
                let known = names.clone();
                let told = self.named(parameters, names);
                let inner = self.formula(inner, positive, names);
                *names = known;
                let objects =
                    told.iter().map(|told| format!("some {}", told.text)).collect::<Vec<_>>().join(" and ");
                format!("for {objects} it is so that ({inner})")
            }
            (PddlFormula::Every(parameters, inner), true)
            | (PddlFormula::Exists(parameters, inner), false) => {
                let known = names.clone();
                let told = self.named(parameters, names);
                let inner = self.formula(inner, positive, names);
                *names = known;
                let objects =
                    told.iter().map(|told| format!("every {}", told.text)).collect::<Vec<_>>().join(" and ");
                format!("for {objects} it is so that ({inner})")
            }
            (PddlFormula::Compare(comparison, a, b), _) => {
                let [a, b] = [a, b].map(|number| self.number(number, names));
                let meant = if positive { Some(*comparison) } else { comparison.opposite() };
                let word = match meant {
                    Some(NumberComparison::Less) => "is less than",
                    Some(NumberComparison::AtMost) => "is at most",
                    Some(NumberComparison::Equal) => "equals",
                    Some(NumberComparison::AtLeast) => "is at least",
                    Some(NumberComparison::More) => "is more than",
                    None => "differs from",
                };
                format!("{a} {word} {b}")
            }
        }
    }

    fn invariant(&self, invariant: &ImportedInvariant) -> Vec<String> {
        let kind = invariant.kind.map(|kind| &self.vocabulary.kinds[kind]);
        let domain = self.vocabulary.domain;
        let told = |part: &crate::pddl::invariants::InvariantPart| {
            let relation =
                domain.predicates.iter().find(|p| self.vocabulary.relation(&p.name) == part.functor);
            let Some(relation) = relation else { return String::new() };
            let place = |(number, place): (usize, &Parameter)| {
                if part.key == Some(number) {
                    let noun = kind.map_or(String::new(), |kind| kind.noun.clone());
                    return ToldArgument { text: format!("that {noun}"), noun };
                }
                let noun =
                    place.types.iter().map(|name| words(name).join(" ")).collect::<Vec<_>>().join(" or ");
                ToldArgument { text: format!("some {noun}"), noun }
            };
            let arguments: Vec<ToldArgument> = relation.places.iter().enumerate().map(place).collect();
            self.clauses.of(self.vocabulary, &relation.name, &arguments)
        };
        let parts = invariant.parts.iter().map(told).collect::<Vec<_>>().join(" / ");
        let how = if invariant.exactly { "exactly one statement" } else { "at most one statement" };
        let every = kind.map_or(String::new(), |kind| format!(" about each {}", kind.noun));
        let of = kind.map_or(String::new(), |kind| format!("of any {}, ", kind.noun));
        vec![
            format!("At any time, {how}{every} of this form is true ({parts})."),
            format!("There is always {how}{every} of this form that is true ({parts})."),
            sentence(&format!("{of}{how} of this form is true in every situation ({parts}).")),
            format!("Whatever is done, {how}{every} of this form is true ({parts})."),
        ]
    }
}
