//! Conditions, changes and actions to clauses, with phrases for the things that they are about.

use crate::invent::theory::parts::{
    Action, ConditionSubject, FluentChange, FluentKind, InventedTheory, KindNumber, TheoryCondition,
};
use crate::invent::words::inflection::with_article;
use crate::invent::words::vocabulary::{ActionWords, TheoryWords};

/// A theory and its words.
#[derive(Clone, Copy)]
pub(super) struct ToldTheory<'t> {
    pub(super) theory: &'t InventedTheory,
    pub(super) words: &'t TheoryWords,
}

/// The form of an action's verb.
#[derive(Clone, Copy)]
pub(super) enum Tense {
    /// `flurbs`
    Third,
    /// `flurb`
    Base,
    /// `has flurbed`
    Perfect,
}

/// Phrases for things that are spoken of.
#[derive(Clone)]
pub(super) struct Mentions {
    /// What each was called first, where it was not spoken of yet.
    pub(super) first: Vec<Option<String>>,
    pub(super) later: Vec<String>,
}

impl Mentions {
    fn of(&mut self, variable: usize) -> String {
        self.first[variable].take().unwrap_or_else(|| self.later[variable].clone())
    }
}

const ORDINALS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];

impl<'t> ToldTheory<'t> {
    fn noun(&self, kind: KindNumber) -> &'t str {
        &self.words.kinds[kind].one
    }

    fn nouns(&self, kind: KindNumber) -> &'t str {
        &self.words.kinds[kind].many
    }

    /// The order in which an action's clause names its parameters.
    fn order(&self, verb: &ActionWords, action: &Action) -> Vec<usize> {
        let mut order: Vec<usize> = (0..action.params.len()).collect();
        order.sort_by_key(|param| verb.template.find(&format!("{{{param}}}")));
        order
    }

    /// How an action's parameters are introduced, and what they are called afterwards: `a zib`, `the zib`.
    pub(super) fn roles(&self, action: &Action, verb: &ActionWords) -> (Vec<String>, Vec<String>) {
        let order = self.order(verb, action);
        let (mut first, mut later) = (vec![String::new(); order.len()], vec![String::new(); order.len()]);
        for (place, param) in order.iter().enumerate() {
            let kind = action.params[*param];
            let noun = self.noun(kind);
            let same =
                |upto: usize| order[..upto].iter().filter(|other| action.params[**other] == kind).count();
            (first[*param], later[*param]) = match (same(order.len()), same(place)) {
                (1, _) => (with_article(noun), format!("the {noun}")),
                (_, 0) => (format!("one {noun}"), format!("the first {noun}")),
                (_, 1) => (format!("another {noun}"), format!("the second {noun}")),
                (_, n) => {
                    let ordinal = ORDINALS[n.min(ORDINALS.len() - 1)];
                    (format!("a {ordinal} {noun}"), format!("the {ordinal} {noun}"))
                }
            };
        }
        (first, later)
    }

    /// An action as a clause: `a zib flurbs from one dale to another`.
    pub(super) fn action(&self, verb: &ActionWords, tense: Tense, phrases: &[String]) -> String {
        let said = match tense {
            Tense::Third => verb.third.clone(),
            Tense::Base => verb.base.clone(),
            Tense::Perfect => format!("has {}", verb.participle),
        };
        let mut text = verb.template.replace("{v}", &said);
        for (param, phrase) in phrases.iter().enumerate() {
            text = text.replace(&format!("{{{param}}}"), phrase);
        }
        // "from one dale to another", not "to another dale".
        match text.find("one ").map(|at| (at, &text[at + 4..])) {
            Some((_, rest)) => {
                let noun: String = rest.chars().take_while(|c| *c != ' ').collect();
                text.replacen(&format!("another {noun}"), "another", 1)
            }
            None => text,
        }
    }

    /// The clause without its subject and verb, and the subject: `a zib` and ` from one dale to another`.
    pub(super) fn subject_and_rest(&self, verb: &ActionWords, phrases: &[String]) -> (String, String) {
        let filled = |part: &str| {
            let mut text = part.to_owned();
            for (param, phrase) in phrases.iter().enumerate() {
                text = text.replace(&format!("{{{param}}}"), phrase);
            }
            text
        };
        let (subject, rest) = verb.template.split_once(" {v}").unwrap_or((&verb.template, ""));
        (filled(subject), filled(rest))
    }

    /// What a thing is like by a fluent of one argument, or by a law.
    pub(super) fn adjective(&self, what: ConditionSubject) -> &'t str {
        match what {
            ConditionSubject::Fluent(fluent) => &self.words.fluents[fluent],
            ConditionSubject::Law(law) => &self.words.laws[law],
        }
    }

    /// `a mig`, `2 migs`, `no migs`
    pub(super) fn amount(&self, fluent: usize, number: i64) -> String {
        let noun = &self.words.fluents[fluent];
        match number {
            1 => format!("one {noun}"),
            number => format!("{} {}", counted(number), crate::invent::words::inflection::with_s(noun)),
        }
    }

    /// How a fluent of two arguments ties them: `is at`.
    pub(super) fn relation(&self, fluent: usize) -> String {
        match self.theory.fluents[fluent].kind {
            FluentKind::At => "at".to_owned(),
            FluentKind::In => "in".to_owned(),
            FluentKind::On => "on".to_owned(),
            _ => format!("{} to", self.words.fluents[fluent]),
        }
    }

    fn is(&self, what: ConditionSubject, positive: bool, things: &[String]) -> String {
        let not = if positive { "" } else { "not " };
        match (what, things) {
            (ConditionSubject::Fluent(fluent), [one, other]) => {
                format!("{one} is {not}{} {other}", self.relation(fluent))
            }
            (_, [thing, ..]) => format!("{thing} is {not}{}", self.adjective(what)),
            (_, []) => String::new(),
        }
    }

    /// A condition as a clause.
    pub(super) fn condition(
        &self,
        condition: &TheoryCondition,
        kinds: &[KindNumber],
        mentions: &mut Mentions,
    ) -> String {
        let theory = self.theory;
        match condition {
            TheoryCondition::Is { positive, what, of } => {
                let things: Vec<String> = of.iter().map(|v| mentions.of(*v)).collect();
                self.is(*what, *positive, &things)
            }
            TheoryCondition::Static { relation, of } => {
                let [one, other] = of.map(|v| mentions.of(v));
                self.static_relation(*relation, &one, &other)
            }
            TheoryCondition::SamePlace(one, other) => {
                let place = theory.places().map_or("place", |place| self.noun(place));
                let [one, other] = [one, other].map(|v| mentions.of(*v));
                format!("{one} is at the same {place} as {other}")
            }
            TheoryCondition::Any { positive, fluent, open, of } => {
                let known = &theory.fluents[*fluent];
                let kind = known.kinds[*open];
                let other =
                    if known.kinds[0] == known.kinds[1] || kinds[*of] == kind { "other " } else { "" };
                // Those that an action names are among them, unless they are the thing itself.
                let thing = mentions.of(*of);
                let relation = self.relation(*fluent);
                match (open, positive) {
                    (0, true) => format!("at least one {other}{} is {relation} {thing}", self.noun(kind)),
                    (0, false) => format!("no {other}{} is {relation} {thing}", self.noun(kind)),
                    (_, true) => format!("{thing} is {relation} at least one {other}{}", self.noun(kind)),
                    (_, false) => format!("{thing} is {relation} no {other}{}", self.noun(kind)),
                }
            }
            TheoryCondition::Company { positive, kind, of } => {
                let place = theory.places().map_or("place", |place| self.noun(place));
                let thing = mentions.of(*of);
                let amount = if *positive { "at least one" } else { "no" };
                let other = if kinds[*of] == *kind { "other " } else { "" };
                format!("{amount} {other}{} is at the same {place} as {thing}", self.noun(*kind))
            }
            TheoryCondition::Fewer { fluent, of, than } => {
                let kind = theory.fluents[*fluent].kinds[0];
                let thing = mentions.of(*of);
                let most = if *than == 2 { self.noun(kind) } else { self.nouns(kind) };
                format!(
                    "at most {} {most} {} {} {thing}",
                    counted(than - 1),
                    if *than == 2 { "is" } else { "are" },
                    self.relation(*fluent)
                )
            }
            TheoryCondition::Number { fluent, of, at_least, bound } => {
                let thing = mentions.of(*of);
                let amount = self.amount(*fluent, *bound);
                match (at_least, bound, theory.fluents[*fluent].kind) {
                    (false, 0, _) => format!(
                        "{thing} has no {}",
                        crate::invent::words::inflection::with_s(&self.words.fluents[*fluent])
                    ),
                    (true, bound, FluentKind::Has(most)) if *bound == most => format!("{thing} has {amount}"),
                    (true, ..) => format!("{thing} has at least {amount}"),
                    (false, ..) => format!("{thing} has at most {amount}"),
                }
            }
        }
    }

    /// A static relation as a clause.
    pub(super) fn static_relation(&self, relation: usize, one: &str, other: &str) -> String {
        use crate::invent::theory::parts::StaticShape;
        let noun = &self.words.statics[relation];
        match self.theory.statics[relation].shape {
            StaticShape::Ring => format!("there is {} from {one} to {other}", with_article(noun)),
            StaticShape::Order => format!("{one} is smaller than {other}"),
            StaticShape::Home if self.theory.places().is_some() => format!("{one} is always at {other}"),
            StaticShape::Home => format!("{one} belongs to {other}"),
            _ => format!("there is {} between {one} and {other}", with_article(noun)),
        }
    }

    /// A change as a clause about what is so afterwards.
    pub(super) fn change(&self, change: &FluentChange, mentions: &mut Mentions) -> String {
        match change {
            FluentChange::Set { to, fluent, of } => {
                let things: Vec<String> = of.iter().map(|v| mentions.of(*v)).collect();
                let at = *to && self.theory.fluents[*fluent].kind == FluentKind::At;
                let elsewhere = if at { " and nowhere else" } else { "" };
                let not = if *to { "" } else { "no longer " };
                match things.as_slice() {
                    [one, other] => format!("{one} is {not}{} {other}{elsewhere}", self.relation(*fluent)),
                    [thing, ..] => {
                        let not = if *to { "" } else { "not " };
                        format!("{thing} is {not}{}", self.words.fluents[*fluent])
                    }
                    [] => String::new(),
                }
            }
            FluentChange::Flip { fluent, of } => {
                let (thing, adjective) = (mentions.of(*of), &self.words.fluents[*fluent]);
                format!("{thing} is {adjective} if it was not before, and not {adjective} if it was")
            }
            FluentChange::Step { up, fluent, of } => {
                let (thing, noun) = (mentions.of(*of), &self.words.fluents[*fluent]);
                format!(
                    "{thing} has one {noun} {}",
                    if *up { "more than before" } else { "fewer than before" }
                )
            }
        }
    }
}

/// A small number in words.
pub(super) fn counted(number: i64) -> String {
    let words = ["no", "one", "two", "three", "four", "five"];
    usize::try_from(number)
        .ok()
        .and_then(|n| words.get(n))
        .map_or_else(|| number.to_string(), |w| (*w).to_owned())
}

/// `a`, `a and b`, `a, b and c`: clauses with a comma before the last where they are long.
pub(super) fn joined(clauses: &[String]) -> String {
    match clauses {
        [] => String::new(),
        [only] => only.clone(),
        [all @ .., last] => format!("{}, and {last}", all.join(", ")),
    }
}
