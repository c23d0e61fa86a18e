//! Invented domains: their packages have no faults, depend on seed and number alone, and do what an interpreter of the
//! theory says that knows nothing of logic programs.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use racgen::check::survey::check;
use racgen::domain::catalogue::Catalogue;
use racgen::domain::package::Package;
use racgen::factory::settings::Settings;
use racgen::factory::source::Factory;
use racgen::invent::invented::{files_by_name, name_of, words_of};
use racgen::invent::series::{DrawnTheory, SeriesSettings, theory_of};
use racgen::invent::theory::parts::{
    ConditionSubject, FluentChange, FluentKind, InventedTheory, KindNumber, TheoryCondition,
};
use racgen::invent::words::vocabulary::DomainWords;
use racgen::items::clock::Clock;
use racgen::items::source::Stream;
use racgen::logic::seed::stream;
use racgen::logic::term::Term;
use racgen::simulate::layout::Layout;
use racgen::simulate::situation::{BitSet, Situation};
use racgen::simulate::transitions::transition_system::TransitionSystem;
use rand::RngExt;

const LIMIT: Duration = Duration::from_secs(60);
const SEED: u64 = 7;

/// Some domains of one seed.
fn some() -> Vec<DrawnTheory> {
    let settings = SeriesSettings { seed: SEED, ..SeriesSettings::default() };
    let found: Vec<DrawnTheory> =
        [0, 4, 6, 8, 35, 38].iter().filter_map(|number| theory_of(&settings, *number).ok()).collect();
    assert!(found.len() >= 4, "only {} theories", found.len());
    found
}

fn package(drawn: &DrawnTheory) -> Package {
    let catalogue = Catalogue::find(&[]).unwrap().with_made(files_by_name);
    catalogue.load(&name_of(DomainWords::Invented, SEED, drawn.number)).unwrap_or_else(|faults| panic!("{faults:?}"))
}

#[test]
fn their_packages_have_no_faults() {
    for drawn in some() {
        let package = package(&drawn);
        let report = check(&package, LIMIT).unwrap_or_else(|faults| panic!("{}: {faults:?}", package.name));
        assert_eq!(report.levels.len(), 5);
    }
}

#[test]
fn they_make_items() {
    for drawn in some().into_iter().take(2) {
        let settings = Settings { items: 20, depths: vec![2], ..Settings::default() };
        let factory = Factory::new(package(&drawn), settings, LIMIT);
        let train = Stream { level: 1, depth: 2, ..Stream::default() };
        let items = factory.group(train, 0, 16, &Clock::default()).unwrap();
        assert_eq!(items.len(), 16);
    }
}

#[test]
fn a_domain_depends_on_its_seed_and_number_alone() {
    let settings = SeriesSettings { seed: SEED, ..SeriesSettings::default() };
    let series = racgen::invent::series::series(&settings, 4..9, &|| ());
    for drawn in &series.kept {
        assert_eq!(*drawn, theory_of(&settings, drawn.number).unwrap());
    }
    assert!(series.kept.len() + series.clones.len() + series.without.len() == 5);
    assert!(
        files_by_name("invented_7_4") == files_by_name("invented_7_4")
            && files_by_name("invented_7_4").is_some()
    );
}

/// A situation as a person would note it down.
type Noted = BTreeSet<Term>;

/// A world of a theory, interpreted.
struct World<'t> {
    theory: &'t InventedTheory,
    fluents: Vec<String>,
    laws: Vec<String>,
    actions: Vec<String>,
    statics: Vec<String>,
    things: Vec<Vec<Term>>,
    fixed: Noted,
}

impl World<'_> {
    fn term(name: &str, args: &[Term]) -> Term {
        Term::function(name, args.to_vec())
    }

    fn is_at(&self, thing: &Term, kind: KindNumber, place: &Term, now: &Noted) -> bool {
        self.theory.fluents.iter().zip(&self.fluents).any(|(fluent, name)| {
            fluent.kind == FluentKind::At
                && fluent.kinds[0] == kind
                && now.contains(&Self::term(name, &[thing.clone(), place.clone()]))
        }) || self.theory.statics.iter().zip(&self.statics).any(|(relation, name)| {
            relation.kinds[0] == kind
                && self.theory.places() == Some(relation.kinds[1])
                && self.fixed.contains(&Self::term(name, &[thing.clone(), place.clone()]))
                && relation.shape.name() == "partition"
        })
    }

    fn together(&self, one: (&Term, KindNumber), other: (&Term, KindNumber), now: &Noted) -> bool {
        let places = self.theory.places().map_or(&[][..], |kind| &self.things[kind]);
        places
            .iter()
            .any(|place| self.is_at(one.0, one.1, place, now) && self.is_at(other.0, other.1, place, now))
    }

    fn number(&self, fluent: usize, thing: &Term, now: &Noted) -> i32 {
        let of =
            |n: &i32| now.contains(&Self::term(&self.fluents[fluent], &[thing.clone(), Term::Number(*n)]));
        (0..10).find(of).expect("a number")
    }

    fn is_so(&self, condition: &TheoryCondition, kinds: &[KindNumber], things: &[Term], now: &Noted) -> bool {
        let of = |variables: &[usize]| variables.iter().map(|v| things[*v].clone()).collect::<Vec<Term>>();
        let pairs = |fluent: usize, open: usize, thing: &Term| {
            let kind = self.theory.fluents[fluent].kinds[open];
            let with = |other: &&Term| {
                let args = if open == 0 {
                    [(*other).clone(), thing.clone()]
                } else {
                    [thing.clone(), (*other).clone()]
                };
                now.contains(&Self::term(&self.fluents[fluent], &args))
            };
            self.things[kind].iter().filter(with).count()
        };
        match condition {
            TheoryCondition::Is { positive, what, of: args } => {
                let name = match what {
                    ConditionSubject::Fluent(fluent) => &self.fluents[*fluent],
                    ConditionSubject::Law(law) => &self.laws[*law],
                };
                now.contains(&Self::term(name, &of(args))) == *positive
            }
            TheoryCondition::Static { relation, of: args } => {
                self.fixed.contains(&Self::term(&self.statics[*relation], &of(args)))
            }
            TheoryCondition::SamePlace(one, other) => {
                self.together((&things[*one], kinds[*one]), (&things[*other], kinds[*other]), now)
            }
            TheoryCondition::Any { positive, fluent, open, of } => {
                (pairs(*fluent, *open, &things[*of]) > 0) == *positive
            }
            TheoryCondition::Company { positive, kind, of } => {
                let own = &things[*of];
                let others = self.things[*kind].iter().filter(|other| *other != own);
                let is =
                    others.into_iter().any(|other| self.together((own, kinds[*of]), (other, *kind), now));
                is == *positive
            }
            TheoryCondition::Fewer { fluent, of, than } => (pairs(*fluent, 0, &things[*of]) as i64) < *than,
            TheoryCondition::Number { fluent, of, at_least, bound } => {
                let has = i64::from(self.number(*fluent, &things[*of], now));
                if *at_least { has >= *bound } else { has <= *bound }
            }
        }
    }

    /// All ways to choose further things of these types, different where the types are the same.
    fn choices(&self, kinds: &[KindNumber], chosen: &[Term], more: &[KindNumber]) -> Vec<Vec<Term>> {
        let Some((first, rest)) = more.split_first() else { return vec![chosen.to_vec()] };
        let all: Vec<KindNumber> = kinds.iter().chain([first]).copied().collect();
        let free = |thing: &&Term| !chosen.contains(thing);
        let with = |thing: &Term| chosen.iter().cloned().chain([thing.clone()]).collect::<Vec<Term>>();
        self.things[*first]
            .iter()
            .filter(free)
            .flat_map(|thing| self.choices(&all, &with(thing), rest))
            .collect()
    }

    /// Adds what laws say, until nothing more follows; a law reads earlier ones or itself.
    fn settle(&self, inertial: &Noted) -> Noted {
        let mut now = inertial.clone();
        for (law, name) in self.theory.laws.iter().zip(&self.laws) {
            loop {
                let before = now.len();
                for case in &law.cases {
                    let kinds: Vec<KindNumber> = [law.kind].iter().chain(&case.others).copied().collect();
                    for chosen in self.choices(&[], &[], &kinds) {
                        if case.when.iter().all(|c| self.is_so(c, &kinds, &chosen, &now)) {
                            now.insert(Self::term(name, &chosen[..1]));
                        }
                    }
                }
                if now.len() == before {
                    break;
                }
            }
        }
        now
    }

    fn executable(&self, now: &Noted) -> BTreeMap<Term, (usize, Vec<Term>)> {
        let mut all = BTreeMap::new();
        for (number, action) in self.theory.actions.iter().enumerate() {
            for chosen in self.choices(&[], &[], &action.params) {
                if action.requires.iter().all(|c| self.is_so(c, &action.params, &chosen, now)) {
                    all.insert(Self::term(&self.actions[number], &chosen), (number, chosen));
                }
            }
        }
        all
    }

    fn after(&self, now: &Noted, inertial: &Noted, number: usize, params: &[Term]) -> Noted {
        let action = &self.theory.actions[number];
        let (mut gone, mut come) = (Noted::new(), Noted::new());
        for effect in &action.effects {
            let kinds: Vec<KindNumber> = action.params.iter().chain(&effect.each).copied().collect();
            for chosen in self.choices(&action.params, params, &effect.each) {
                if !effect.when.iter().all(|c| self.is_so(c, &kinds, &chosen, now)) {
                    continue;
                }
                let args: Vec<Term> = effect.change.variables().iter().map(|v| chosen[*v].clone()).collect();
                let name = &self.fluents[effect.change.fluent()];
                let atom = Self::term(name, &args);
                match &effect.change {
                    FluentChange::Set { to: true, fluent, .. } => {
                        if self.theory.fluents[*fluent].kind == FluentKind::At {
                            gone.extend(
                                now.iter().filter(|f| f.is(name, 2) && f.args()[0] == args[0]).cloned(),
                            );
                        }
                        come.insert(atom);
                    }
                    FluentChange::Set { .. } => drop(gone.insert(atom)),
                    FluentChange::Flip { .. } if now.contains(&atom) => drop(gone.insert(atom)),
                    FluentChange::Flip { .. } => drop(come.insert(atom)),
                    FluentChange::Step { up, fluent, .. } => {
                        let has = self.number(*fluent, &args[0], now);
                        gone.insert(Self::term(name, &[args[0].clone(), Term::Number(has)]));
                        let then = if *up { has + 1 } else { has - 1 };
                        come.insert(Self::term(name, &[args[0].clone(), Term::Number(then)]));
                    }
                }
            }
        }
        inertial.difference(&gone).chain(&come).cloned().collect()
    }
}

fn noted(engine: &TransitionSystem, situation: &Situation) -> Noted {
    situation.iter().map(|fluent| engine.fluents[fluent].clone()).collect()
}

/// Compares a walk of clingo's ground rules with the interpreter's.
fn compare(drawn: &DrawnTheory, level: i32) -> usize {
    let package = package(drawn);
    let symbols = words_of(drawn, DomainWords::Invented, SEED).symbols(&drawn.theory);
    let mut dice = stream(SEED, &["compare", &drawn.number.to_string(), &level.to_string()]);
    let layout = Layout::sample(&package, level, &BTreeMap::new(), &mut dice, LIMIT).unwrap();
    let constants = |kind: usize| layout.objects.iter().filter(move |object| object.kind == kind);
    let world = World {
        theory: &drawn.theory,
        fluents: symbols.fluents,
        laws: symbols.laws,
        actions: symbols.actions,
        statics: symbols.statics,
        things: (0..drawn.theory.kinds)
            .map(|k| constants(k).map(|o| Term::constant(&o.id)).collect())
            .collect(),
        fixed: layout.statics.iter().cloned().collect(),
    };
    let mut search = layout
        .situation_program(&package)
        .search(&[("holds", 2)], Some(stream(SEED, &["start"])), LIMIT)
        .unwrap();
    let drawn_atoms = search.draw().unwrap().unwrap();
    let terms: Vec<Term> = search.terms().cloned().collect();
    let mut engine = TransitionSystem::new(layout.step_program(&package), LIMIT).unwrap();
    let mut here = BitSet::new(engine.fluents.len());
    for atom in drawn_atoms {
        let fluent = engine.fluents.binary_search(&terms[atom].args()[0]);
        fluent.into_iter().filter(|f| engine.inertial.contains(*f)).for_each(|f| here.insert(f));
    }
    let mut seen = 0;
    for _ in 0..12 {
        let (outcome, _) = engine.consider(&here, None).unwrap().unwrap();
        let inertial = noted(&engine, &here);
        let now = world.settle(&inertial);
        assert_eq!(now, noted(&engine, &outcome.situation), "domain {}", drawn.number);
        let can = world.executable(&now);
        let expected: BTreeSet<&Term> = outcome.executable.iter().map(|a| &engine.actions[*a]).collect();
        assert_eq!(can.keys().collect::<BTreeSet<_>>(), expected, "domain {}", drawn.number);
        for action in &outcome.executable {
            let (number, params) = &can[&engine.actions[*action]];
            let next = engine.step(&here, *action).unwrap().unwrap();
            let then = world.settle(&world.after(&now, &inertial, *number, params));
            assert_eq!(then, noted(&engine, &next.situation), "domain {}", drawn.number);
            seen += 1;
        }
        if outcome.executable.is_empty() {
            break;
        }
        let chosen = outcome.executable[dice.random_range(0..outcome.executable.len())];
        let next = engine.step(&here, chosen).unwrap().unwrap();
        here = next.situation.intersection(&engine.inertial);
    }
    seen
}

#[test]
fn an_interpreter_of_the_theory_agrees() {
    let seen: usize = some().iter().map(|drawn| compare(drawn, 1) + compare(drawn, 3)).sum();
    assert!(seen > 300, "only {seen} steps were compared");
}
