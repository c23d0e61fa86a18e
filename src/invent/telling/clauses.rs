//! Conditions, changes and actions to clauses, with phrases for the things that they are about.

use crate::invent::theory::parts::{
    Action, ConditionSubject, FluentChange, FluentKind, HomeTie, InventedTheory, KindNumber, TheoryCondition,
};
use crate::invent::words::vocabulary::{ActionWords, FluentWords, NounWords, TheoryWords};

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
    /// `has flurbed`
    Perfect,
    /// `can flurb`
    Can,
    /// `to flurb`
    To,
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

/// Do no words stand between two things in an action's clause but such as join them? "From one dale to another" is clear;
/// "one dale with a zib beside another" is not.
fn close(verb: &ActionWords, one: usize, other: usize) -> bool {
    let particles = verb.base.split_once(' ').map_or("", |(_, particles)| particles);
    let text = verb.template.replace("{v}", particles);
    let between = text.split_once(&format!("{{{one}}}")).map_or("", |(_, rest)| rest);
    let between = between.split_once(&format!("{{{other}}}")).map_or("", |(between, _)| between);
    between.split_whitespace().all(|word| SMALL_WORDS.contains(&word))
}

/// Words that name nothing: those that join things, and those that belong to verbs.
const SMALL_WORDS: [&str; 15] = [
    "at", "away", "back", "beside", "down", "from", "into", "off", "on", "onto", "out", "of", "over", "to",
    "up",
];
const ORDINALS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];

impl<'t> ToldTheory<'t> {
    fn noun(&self, kind: KindNumber) -> &'t NounWords {
        &self.words.kinds[kind].noun
    }

    /// What is counted by a fluent; what is counted by none is a thing of its first type.
    pub(super) fn counted_noun(&self, fluent: usize) -> &'t NounWords {
        match &self.words.fluents[fluent] {
            FluentWords::Counted(noun) => noun,
            _ => self.noun(self.theory.fluents[fluent].kinds.first().copied().unwrap_or_default()),
        }
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
                (1, _) => (noun.with_article(), format!("the {noun}")),
                (_, 0) => (format!("one {noun}"), format!("the first {noun}")),
                (_, 1) => {
                    let before = order[place - 1];
                    let follows = action.params[before] == kind && close(verb, before, *param);
                    let another = if follows { "another".to_owned() } else { format!("another {noun}") };
                    (another, format!("the second {noun}"))
                }
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
            Tense::Perfect => format!("has {}", verb.participle),
            Tense::Can => format!("can {}", verb.base),
            Tense::To => format!("to {}", verb.base),
        };
        let mut text = verb.template.replace("{v}", &said);
        for (param, phrase) in phrases.iter().enumerate() {
            text = text.replace(&format!("{{{param}}}"), phrase);
        }
        text
    }

    /// The subject of the clause, and what comes after its verb: `a zib` and ` from one dale to another`.
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
            ConditionSubject::Fluent(fluent) => match &self.words.fluents[fluent] {
                FluentWords::Adjective(word) | FluentWords::Tie(word) => word,
                FluentWords::World { adjective, .. } => adjective,
                FluentWords::None | FluentWords::Counted(_) => "",
            },
            ConditionSubject::Law(law) => &self.words.laws[law],
        }
    }

    /// What is in a state of the whole world: `the power`.
    pub(super) fn world_thing(&self, fluent: usize) -> String {
        match &self.words.fluents[fluent] {
            FluentWords::World { noun, .. } => format!("the {noun}"),
            _ => String::new(),
        }
    }

    /// `one mig`, `two migs`, `no migs`
    pub(super) fn amount(&self, fluent: usize, number: i64) -> String {
        let noun = self.counted_noun(fluent);
        match number {
            1 => format!("one {noun}"),
            number => format!("{} {}", counted(number), noun.many),
        }
    }

    /// How a fluent of two arguments ties them: `is at`.
    pub(super) fn relation(&self, fluent: usize) -> String {
        match self.theory.fluents[fluent].kind {
            FluentKind::At => "at".to_owned(),
            FluentKind::In => "in".to_owned(),
            FluentKind::On => "on".to_owned(),
            _ => format!("{} to", self.adjective(ConditionSubject::Fluent(fluent))),
        }
    }

    fn is(&self, what: ConditionSubject, positive: bool, things: &[String]) -> String {
        let not = if positive { "" } else { "not " };
        match (what, things) {
            (ConditionSubject::Fluent(fluent), [one, other]) => {
                format!("{one} is {not}{} {other}", self.relation(fluent))
            }
            (_, [thing, ..]) => format!("{thing} is {not}{}", self.adjective(what)),
            (ConditionSubject::Fluent(fluent), []) => {
                format!("{} is {not}{}", self.world_thing(fluent), self.adjective(what))
            }
            (ConditionSubject::Law(_), []) => String::new(),
        }
    }

    /// Does a place belong to things of the type, wherever they stand?
    fn has_own_place(&self, kind: KindNumber) -> bool {
        let home = self.theory.home(kind).filter(|_| self.theory.position(kind).is_none());
        home.is_some_and(|home| self.theory.home_tie(&self.theory.statics[home]) == HomeTie::BelongsTo)
    }

    /// Two things at one place, which may be a place that only belongs to one of them, or to both.
    fn same_place(&self, one: &str, other: &str, owns: [bool; 2]) -> String {
        let place = self.theory.places().map_or("place", |place| &self.noun(place).one);
        match owns {
            [false, false] => format!("{one} is at the same {place} as {other}"),
            [false, true] => format!("{one} is at the {place} that {other} belongs to"),
            [true, false] => format!("{one} belongs to the {place} that {other} is at"),
            [true, true] => format!("{one} belongs to the same {place} as {other}"),
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
                let owns = [one, other].map(|v| self.has_own_place(kinds[*v]));
                let [one, other] = [one, other].map(|v| mentions.of(*v));
                self.same_place(&one, &other, owns)
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
                let thing = mentions.of(*of);
                let amount = if *positive { "at least one" } else { "no" };
                let other = if kinds[*of] == *kind { "other " } else { "" };
                let some = format!("{amount} {other}{}", self.noun(*kind));
                self.same_place(&some, &thing, [*kind, kinds[*of]].map(|kind| self.has_own_place(kind)))
            }
            TheoryCondition::Fewer { fluent, of, than } => {
                let kind = theory.fluents[*fluent].kinds[0];
                let thing = mentions.of(*of);
                let noun = self.noun(kind);
                let most = if *than == 2 { &noun.one } else { &noun.many };
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
                    (false, 0, _) => format!("{thing} has {amount}"),
                    (true, bound, FluentKind::Has(most)) if *bound == most => format!("{thing} has {amount}"),
                    (true, ..) => format!("{thing} has at least {amount}"),
                    (false, ..) => format!("{thing} has at most {amount}"),
                }
            }
        }
    }

    /// What a way is called: `a dale`.
    pub(super) fn way(&self, relation: usize) -> String {
        self.words.statics[relation].as_ref().map_or_else(String::new, NounWords::with_article)
    }

    /// A static relation as a clause.
    pub(super) fn static_relation(&self, relation: usize, one: &str, other: &str) -> String {
        use crate::invent::theory::parts::StaticShape;
        let way = self.way(relation);
        match self.theory.statics[relation].shape {
            StaticShape::Ring => format!("there is {way} from {one} to {other}"),
            StaticShape::Order => format!("{one} is smaller than {other}"),
            StaticShape::Home => {
                let tie = self.theory.home_tie(&self.theory.statics[relation]);
                format!("{one} {} {other}", tie.phrase())
            }
            _ => format!("there is {way} between {one} and {other}"),
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
                    things => self.is(ConditionSubject::Fluent(*fluent), *to, things),
                }
            }
            FluentChange::Flip { fluent, of } => {
                let adjective = self.adjective(ConditionSubject::Fluent(*fluent));
                let mut named = || of.first().map_or_else(|| self.world_thing(*fluent), |v| mentions.of(*v));
                let [thing, again] = [named(), named()];
                format!("{thing} is {adjective} exactly if {again} was not {adjective} before")
            }
            FluentChange::Step { up, fluent, of } => {
                let (thing, noun) = (mentions.of(*of), self.counted_noun(*fluent));
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
