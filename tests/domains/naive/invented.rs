//! Domains that were invented: an interpreter of their theories, which knows what conditions and changes mean, and nothing
//! of logic programs.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::sync::{LazyLock, Mutex};

use racgen::invent::invented::{drawn_by_name, origin_of, words_of};
use racgen::invent::theory::parts::{
    ConditionSubject, FluentChange, FluentKind, InventedTheory, KindNumber, StaticShape, TheoryCondition,
};

use super::{Answer, Objects, World, text};

/// A theory with the names that facts and questions have for its parts.
pub struct NamedTheory {
    theory: InventedTheory,
    kinds: Vec<String>,
    statics: Vec<String>,
    fluents: Vec<String>,
    laws: Vec<String>,
    actions: Vec<String>,
    types: &'static [&'static str],
    fluent_patterns: &'static [&'static str],
    action_patterns: &'static [&'static str],
}

fn kept(all: Vec<String>) -> &'static [&'static str] {
    let all: Vec<&'static str> = all.into_iter().map(|text| &*Box::leak(text.into_boxed_str())).collect();
    Box::leak(all.into_boxed_slice())
}

impl NamedTheory {
    fn of(name: &str) -> Option<NamedTheory> {
        let (drawn, vocabulary, seed) = drawn_by_name(name)?;
        let symbols = words_of(&drawn, vocabulary, seed).symbols(&drawn.theory);
        let theory = drawn.theory;
        let pattern = |name: &String, kinds: &[KindNumber], more: &[&str]| {
            let kinds = kinds.iter().map(|kind| symbols.kinds[*kind].as_str());
            let places: Vec<&str> = kinds.chain(more.iter().copied()).collect();
            if places.is_empty() { name.clone() } else { format!("{name}({})", places.join(",")) }
        };
        let fluents = theory.fluents.iter().zip(&symbols.fluents).map(|(fluent, name)| match fluent.kind {
            FluentKind::Has(_) => pattern(name, &fluent.kinds, &["number"]),
            _ => pattern(name, &fluent.kinds, &[]),
        });
        let laws = theory.laws.iter().zip(&symbols.laws).map(|(law, name)| pattern(name, &[law.kind], &[]));
        let actions = theory.actions.iter().zip(&symbols.actions);
        Some(NamedTheory {
            types: kept(symbols.kinds.clone()),
            fluent_patterns: kept(fluents.chain(laws).collect()),
            action_patterns: kept(actions.map(|(action, name)| pattern(name, &action.params, &[])).collect()),
            kinds: symbols.kinds,
            statics: symbols.statics,
            fluents: symbols.fluents,
            laws: symbols.laws,
            actions: symbols.actions,
            theory,
        })
    }
}

thread_local! {
    /// The theory that is spoken of; facts do not tell it.
    static SPOKEN: Cell<Option<&'static NamedTheory>> = const { Cell::new(None) };
}

/// Speaks of a domain from now on; false where no invented domain has this name.
pub fn speak_of(domain: &str) -> bool {
    static KNOWN: LazyLock<Mutex<HashMap<String, &'static NamedTheory>>> = LazyLock::new(Mutex::default);
    if origin_of(domain).is_none() {
        return false;
    }
    let known = KNOWN.lock().expect("no panic").get(domain).copied();
    let named = known.or_else(|| {
        let named: &'static NamedTheory = Box::leak(Box::new(NamedTheory::of(domain)?));
        KNOWN.lock().expect("no panic").insert(domain.to_owned(), named);
        Some(named)
    });
    SPOKEN.set(named);
    named.is_some()
}

/// Is it what a law of the domain defines?
pub fn is_law(domain: &str, name: &str) -> bool {
    speak_of(domain) && spoken().laws.iter().any(|law| law == name)
}

fn spoken() -> &'static NamedTheory {
    SPOKEN.get().expect("a domain is spoken of")
}

/// A relation or a fluent, and of what it is true.
type Fact = (String, Vec<String>);

fn fact(name: &str, args: &[String]) -> Fact {
    (name.to_owned(), args.to_vec())
}

/// A situation: what is so of itself, and what laws say.
#[derive(Clone)]
pub struct Invented {
    named: &'static NamedTheory,
    objects: Objects,
    fixed: BTreeSet<Fact>,
    inertial: BTreeSet<Fact>,
    derived: BTreeSet<Fact>,
}

impl Invented {
    fn is_true(&self, fact: &Fact) -> bool {
        self.inertial.contains(fact) || self.derived.contains(fact)
    }

    fn things(&self, kind: KindNumber) -> Vec<String> {
        self.objects.of(&self.named.kinds[kind])
    }

    /// The place where a thing is, for now or for good.
    fn place_of(&self, thing: &str, kind: KindNumber) -> Option<String> {
        let theory = &self.named.theory;
        let own = |facts: &BTreeSet<Fact>, name: &String| {
            facts
                .iter()
                .find(|(known, args)| known == name && args[0] == thing)
                .map(|(_, args)| args[1].clone())
        };
        for (fluent, name) in theory.fluents.iter().zip(&self.named.fluents) {
            if fluent.kind == FluentKind::At && fluent.kinds[0] == kind {
                return own(&self.inertial, name);
            }
        }
        for (relation, name) in theory.statics.iter().zip(&self.named.statics) {
            let is_place = theory.places() == Some(relation.kinds[1]);
            if relation.shape == StaticShape::Home && relation.kinds[0] == kind && is_place {
                return own(&self.fixed, name);
            }
        }
        None
    }

    fn together(&self, one: (&str, KindNumber), other: (&str, KindNumber)) -> bool {
        let place = self.place_of(one.0, one.1);
        place.is_some() && place == self.place_of(other.0, other.1)
    }

    fn number(&self, fluent: usize, thing: &str) -> i64 {
        let name = &self.named.fluents[fluent];
        let own = self.inertial.iter().find(|(known, args)| known == name && args[0] == thing);
        own.expect("a number").1[1].parse().expect("a number")
    }

    /// What is so together with a thing, in the open place of a fluent.
    fn partners(&self, fluent: usize, open: usize, thing: &str) -> Vec<String> {
        let all = self.things(self.named.theory.fluents[fluent].kinds[open]);
        let with = |other: &String| {
            let args = if open == 0 { [other.clone(), thing.into()] } else { [thing.into(), other.clone()] };
            self.is_true(&fact(&self.named.fluents[fluent], &args))
        };
        all.into_iter().filter(with).collect()
    }

    fn subject(&self, what: ConditionSubject) -> &str {
        match what {
            ConditionSubject::Fluent(fluent) => &self.named.fluents[fluent],
            ConditionSubject::Law(law) => &self.named.laws[law],
        }
    }

    fn is_so(&self, condition: &TheoryCondition, kinds: &[KindNumber], chosen: &[String]) -> bool {
        let of = |variables: &[usize]| variables.iter().map(|v| chosen[*v].clone()).collect::<Vec<String>>();
        match condition {
            TheoryCondition::Is { positive, what, of: args } => {
                self.is_true(&fact(self.subject(*what), &of(args))) == *positive
            }
            TheoryCondition::Static { relation, of: args } => {
                self.fixed.contains(&fact(&self.named.statics[*relation], &of(args)))
            }
            TheoryCondition::SamePlace(one, other) => {
                self.together((&chosen[*one], kinds[*one]), (&chosen[*other], kinds[*other]))
            }
            TheoryCondition::Any { positive, fluent, open, of } => {
                self.partners(*fluent, *open, &chosen[*of]).is_empty() != *positive
            }
            TheoryCondition::Company { positive, kind, of } => {
                let own = (chosen[*of].as_str(), kinds[*of]);
                let others = self.things(*kind).into_iter().filter(|other| other != own.0);
                others.into_iter().any(|other| self.together(own, (&other, *kind))) == *positive
            }
            TheoryCondition::Fewer { fluent, of, than } => {
                (self.partners(*fluent, 0, &chosen[*of]).len() as i64) < *than
            }
            TheoryCondition::Number { fluent, of, at_least, bound } => {
                let has = self.number(*fluent, &chosen[*of]);
                if *at_least { has >= *bound } else { has <= *bound }
            }
        }
    }

    fn are_so(&self, all: &[TheoryCondition], kinds: &[KindNumber], chosen: &[String]) -> bool {
        all.iter().all(|condition| self.is_so(condition, kinds, chosen))
    }

    /// All ways to choose further things of these types, none of them chosen before.
    fn choices(&self, chosen: &[String], more: &[KindNumber]) -> Vec<Vec<String>> {
        let Some((first, rest)) = more.split_first() else { return vec![chosen.to_vec()] };
        let free = self.things(*first).into_iter().filter(|thing| !chosen.contains(thing));
        free.flat_map(|thing| self.choices(&[chosen, &[thing]].concat(), rest)).collect()
    }

    /// Adds what laws say, until nothing more follows; a law reads earlier ones or itself.
    fn settle(&mut self) {
        let named = self.named;
        self.derived.clear();
        for (law, name) in named.theory.laws.iter().zip(&named.laws) {
            loop {
                let before = self.derived.len();
                for case in &law.cases {
                    let kinds: Vec<KindNumber> = [law.kind].iter().chain(&case.others).copied().collect();
                    for chosen in self.choices(&[], &kinds) {
                        if self.are_so(&case.when, &kinds, &chosen) {
                            self.derived.insert(fact(name, &chosen[..1]));
                        }
                    }
                }
                if self.derived.len() == before {
                    break;
                }
            }
        }
    }

    fn action(&self, action: &[&str]) -> (usize, Vec<String>) {
        let number = self.named.actions.iter().position(|name| name == action[0]).expect("an action");
        (number, action[1..].iter().map(|word| (*word).to_owned()).collect())
    }
}

impl World for Invented {
    const TYPES: &'static [&'static str] = &[];
    const FLUENTS: &'static [&'static str] = &[];
    const ACTIONS: &'static [&'static str] = &[];
    const FAMILIES: &'static [&'static str] = &[];

    fn types() -> &'static [&'static str] {
        spoken().types
    }

    fn fluents() -> &'static [&'static str] {
        spoken().fluent_patterns
    }

    fn actions() -> &'static [&'static str] {
        spoken().action_patterns
    }

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let named = spoken();
        let (mut fixed, mut inertial) = (BTreeSet::new(), BTreeSet::new());
        for words in facts {
            let name = words[0].to_owned();
            let own = (name, words[1..].iter().map(|word| (*word).to_owned()).collect());
            if named.statics.contains(&own.0) {
                fixed.insert(own);
            } else if named.fluents.contains(&own.0) {
                inertial.insert(own);
            } else if !named.laws.contains(&own.0) {
                return Err(format!("unknown fact {words:?}"));
            }
        }
        let mut world = Invented { named, objects, fixed, inertial, derived: BTreeSet::new() };
        for (fluent, known) in named.theory.fluents.iter().enumerate() {
            for thing in known.kinds.first().map(|kind| world.things(*kind)).unwrap_or_default() {
                let own = |fact: &&Fact| fact.0 == named.fluents[fluent] && fact.1[0] == thing;
                let count = world.inertial.iter().filter(own).count();
                let fits = match known.kind {
                    FluentKind::At | FluentKind::Has(_) => count == 1,
                    FluentKind::In | FluentKind::On => count <= 1,
                    FluentKind::State | FluentKind::Tied => true,
                };
                if !fits {
                    return Err(format!("{} is {} {count} times", thing, named.fluents[fluent]));
                }
            }
        }
        world.settle();
        Ok(world)
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        self.is_true(&(fluent[0].to_owned(), fluent[1..].iter().map(|word| (*word).to_owned()).collect()))
    }

    fn executable(&self, action: &[&str]) -> bool {
        let (number, chosen) = self.action(action);
        let known = &self.named.theory.actions[number];
        let different: BTreeSet<&String> = chosen.iter().collect();
        different.len() == chosen.len() && self.are_so(&known.requires, &known.params, &chosen)
    }

    fn may_follow(fluent: &[&str]) -> bool {
        spoken().laws.iter().any(|law| law == fluent[0])
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        let (number, chosen) = self.action(action);
        let known_kinds = &self.named.theory.actions[number].params;
        let mut all = Vec::new();
        for condition in &self.named.theory.actions[number].requires {
            match condition {
                TheoryCondition::Is { positive, what, of } => {
                    let words: Vec<&str> = [self.subject(*what)]
                        .into_iter()
                        .chain(of.iter().map(|v| chosen[*v].as_str()))
                        .collect();
                    all.push((text(&words), *positive));
                }
                TheoryCondition::Any { positive: false, fluent, open, of } => {
                    let name = self.named.fluents[*fluent].as_str();
                    for other in self.things(self.named.theory.fluents[*fluent].kinds[*open]) {
                        let thing = chosen[*of].as_str();
                        let words = if *open == 0 { [name, &other, thing] } else { [name, thing, &other] };
                        if other != thing {
                            all.push((text(&words), false));
                        }
                    }
                }
                TheoryCondition::SamePlace(one, other) if !self.is_so(condition, known_kinds, &chosen) => {
                    // Whichever of the two can move would have to be where the other is.
                    for (mover, goal) in [(*one, *other), (*other, *one)] {
                        let kind = known_kinds[mover];
                        let mut fluents = self.named.theory.fluents.iter().zip(&self.named.fluents);
                        let moves = fluents.find(|(f, _)| f.kind == FluentKind::At && f.kinds[0] == kind);
                        let place = self.place_of(&chosen[goal], known_kinds[goal]);
                        if let (Some((_, name)), Some(place)) = (moves, place) {
                            all.push((text(&[name.as_str(), &chosen[mover], &place]), true));
                        }
                    }
                }
                TheoryCondition::Number { fluent, of, at_least, bound }
                    if !self.is_so(condition, known_kinds, &chosen) =>
                {
                    let FluentKind::Has(most) = self.named.theory.fluents[*fluent].kind else { continue };
                    let name = self.named.fluents[*fluent].as_str();
                    let able = if *at_least { *bound..=most } else { 0..=*bound };
                    all.extend(able.map(|count| (text(&[name, &chosen[*of], &count.to_string()]), true)));
                }
                _ => {}
            }
        }
        all
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        let (number, params) = self.action(action);
        let named = self.named;
        let known = &named.theory.actions[number];
        let (mut gone, mut come) = (BTreeSet::new(), BTreeSet::new());
        for effect in &known.effects {
            let kinds: Vec<KindNumber> = known.params.iter().chain(&effect.each).copied().collect();
            for chosen in self.choices(&params, &effect.each) {
                if !self.are_so(&effect.when, &kinds, &chosen) {
                    continue;
                }
                let fluent = effect.change.fluent();
                let name = &named.fluents[fluent];
                let args: Vec<String> =
                    effect.change.variables().iter().map(|v| chosen[*v].clone()).collect();
                let own = fact(name, &args);
                match &effect.change {
                    FluentChange::Set { to: true, .. } => {
                        if named.theory.fluents[fluent].kind == FluentKind::At {
                            let left = self.inertial.iter().filter(|(n, a)| n == name && a[0] == args[0]);
                            gone.extend(left.cloned());
                        }
                        come.insert(own);
                    }
                    FluentChange::Set { .. } => drop(gone.insert(own)),
                    FluentChange::Flip { .. } if self.is_true(&own) => drop(gone.insert(own)),
                    FluentChange::Flip { .. } => drop(come.insert(own)),
                    FluentChange::Step { up, .. } => {
                        let has = self.number(fluent, &args[0]);
                        let then = if *up { has + 1 } else { has - 1 };
                        gone.insert(fact(name, &[args[0].clone(), has.to_string()]));
                        come.insert(fact(name, &[args[0].clone(), then.to_string()]));
                    }
                }
            }
        }
        self.inertial = self.inertial.difference(&gone).chain(&come).cloned().collect();
        self.settle();
        Ok(())
    }

    fn family(&self, _: &[&str]) -> Option<Answer> {
        None
    }
}
