//! Invented domains: their packages have no faults, depend on seed and number alone, and do what an interpreter of the
//! theory says that knows nothing of logic programs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use racgen::check::survey::check;
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::domain::package::Package;
use racgen::factory::settings::Settings;
use racgen::factory::source::Factory;
use racgen::invent::drawn::DrawnTheory;
use racgen::invent::encode::symbols::TheorySymbols;
use racgen::invent::invented::{drawn_by_name, files_by_name, name_of, words_of};
use racgen::invent::series::{SeriesSettings, theory_of};
use racgen::invent::words::vocabulary::DomainWords;
use racgen::items::clock::Clock;
use racgen::items::source::{Item, Stream};
use racgen::logic::seed::stream;
use racgen::logic::term::Term;
use racgen::simulate::layout::Layout;
use racgen::simulate::situation::{BitSet, Situation};
use racgen::simulate::transitions::transition_system::TransitionSystem;
use rand::RngExt;
use rayon::prelude::*;

const LIMIT: Duration = Duration::from_secs(60);
const SEED: u64 = 7;

/// The domain of a number, if there is one. racgen draws it once, however often it is asked for.
fn drawn(number: u64) -> Option<DrawnTheory> {
    drawn_by_name(&name_of(DomainWords::Invented, SEED, number)).map(|(drawn, ..)| drawn)
}

/// Some domains of one seed.
fn some() -> Vec<DrawnTheory> {
    let found: Vec<DrawnTheory> = [0, 4, 6, 8, 35, 38].into_iter().filter_map(drawn).collect();
    assert!(found.len() >= 4, "only {} theories", found.len());
    found
}

fn catalogue() -> Catalogue {
    Catalogue::find(&[]).unwrap().with_made(files_by_name)
}

fn package(drawn: &DrawnTheory, words: DomainWords) -> Package {
    catalogue().load(&name_of(words, SEED, drawn.number)).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// Checks a package as `racgen check` does.
fn has_no_faults(name: &str) {
    let package = catalogue().load(name).unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
    let report = check(&package, LIMIT).unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
    assert_eq!(report.levels.len(), 5, "{name}");
}

#[test]
fn their_packages_have_no_faults_in_any_vocabulary() {
    let some: Vec<u64> = some().iter().map(|drawn| drawn.number).collect();
    let in_all = DomainWords::ALL.map(|words| some.iter().map(move |number| name_of(words, SEED, *number)));
    let mut all: BTreeSet<String> = in_all.into_iter().flatten().collect();
    all.extend(names(0..12));
    assert!(all.len() >= 16, "{all:?}");
    all.par_iter().for_each(|name| has_no_faults(name));
}

/// As many domains as `RACGEN_DOMAINS` says, else 100, in each vocabulary.
#[test]
#[ignore = "takes some ten minutes"]
fn packages_of_all_domains_have_no_faults_in_any_vocabulary() {
    let kept = kept(0..asked_for(100));
    for words in DomainWords::ALL {
        kept.par_iter().for_each(|drawn| has_no_faults(&name_of(words, SEED, drawn.number)));
    }
    println!("{} domains in {} vocabularies", kept.len(), DomainWords::ALL.len());
}

#[test]
fn the_vocabulary_changes_words_only() {
    for drawn in some() {
        // With names for the symbols that stand in no order, the programs have the same shapes.
        let shape = |words: DomainWords| {
            let symbols = words_of(&drawn, words, SEED).symbols(&drawn.theory);
            let plain = TheorySymbols::plain(&drawn.theory);
            assert_eq!(symbols.actions.len(), plain.actions.len());
            let mut all: Vec<&String> =
                symbols.kinds.iter().chain(&symbols.fluents).chain(&symbols.laws).collect();
            all.extend(symbols.actions.iter().chain(&symbols.statics));
            let different: BTreeSet<&&String> = all.iter().collect();
            assert_eq!(different.len(), all.len(), "{words:?}: two parts have one name");
            all.len()
        };
        assert!(DomainWords::ALL.map(shape).windows(2).all(|two| two[0] == two[1]));
    }
}

#[test]
fn they_make_items() {
    for drawn in some().into_iter().take(2) {
        let settings = Settings { items: 20, depths: vec![2], ..Settings::default() };
        let factory = Factory::new(package(&drawn, DomainWords::Everyday), settings, LIMIT);
        let train = Stream { level: 1, depth: 2, ..Stream::default() };
        let items = factory.group(train, 0, 16, &Clock::default()).unwrap();
        assert_eq!(items.len(), 16);
    }
}

/// In this domain there are a thousand situations at N2, which walks soon have met, and clingo hardly ever draws some of them.
#[test]
fn rare_worlds_still_turn_up_when_nearly_all_are_known() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/domains/rare_worlds");
    let package = Package::load(folder).unwrap_or_else(|faults| panic!("{faults:?}"));
    let settings = Settings { levels: vec![2], depths: vec![1, 2, 3], items: 60, ..Settings::default() };
    let factory = Factory::new(package, settings, LIMIT);
    let splits: BTreeSet<String> =
        crate::common::items(&factory).unwrap().into_iter().map(|item| item.row.split.to_string()).collect();
    assert_eq!(splits.len(), 3, "{splits:?}");
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

fn noted(engine: &TransitionSystem, situation: &Situation) -> Vec<String> {
    let mut all: Vec<String> = situation.iter().map(|fluent| engine.fluents[fluent].to_string()).collect();
    all.sort();
    all
}

/// Numbers of [`SEED`] whose theories have a state of the whole world.
fn of_a_whole_world() -> Vec<DrawnTheory> {
    let has = |drawn: &DrawnTheory| drawn.theory.fluents.iter().any(|fluent| fluent.kinds.is_empty());
    kept(0..24).into_iter().filter(has).collect()
}

/// Compares all steps from the situations of a walk of clingo's ground rules with the interpreter's.
fn compare(drawn: &DrawnTheory, level: i32) -> usize {
    let package = package(drawn, DomainWords::Invented);
    let mut dice = stream(SEED, &["compare", &drawn.number.to_string(), &level.to_string()]);
    let layout = Layout::sample(&package, level, &BTreeMap::new(), &mut dice, LIMIT).unwrap();
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
    let objects = layout.objects.iter().map(|o| format!("{}({})", package.types[o.kind].name, o.id));
    let facts = objects.chain(layout.statics.iter().map(Term::to_string)).chain(noted(&engine, &here));
    let facts: Vec<String> = facts.collect();
    let mut plan: Vec<String> = Vec::new();
    let mut seen = 0;
    for _ in 0..12 {
        let (outcome, _) = engine.consider(&here, None).unwrap().unwrap();
        let now = crate::naive::true_fluents(&package.name, &facts, &plan).unwrap();
        assert_eq!(now, noted(&engine, &outcome.situation), "{} {plan:?}", package.name);
        let can = crate::naive::successors(&package.name, &facts, &plan).unwrap();
        let mut expected: Vec<String> =
            outcome.executable.iter().map(|action| engine.actions[*action].to_string()).collect();
        expected.sort();
        assert_eq!(can, expected, "{} {plan:?}", package.name);
        for action in &outcome.executable {
            let next = engine.step(&here, *action).unwrap().unwrap();
            let longer: Vec<String> =
                plan.iter().cloned().chain([engine.actions[*action].to_string()]).collect();
            let then = crate::naive::true_fluents(&package.name, &facts, &longer).unwrap();
            assert_eq!(then, noted(&engine, &next.situation), "{} {longer:?}", package.name);
            seen += 1;
        }
        if outcome.executable.is_empty() {
            break;
        }
        let chosen = outcome.executable[dice.random_range(0..outcome.executable.len())];
        plan.push(engine.actions[chosen].to_string());
        let next = engine.step(&here, chosen).unwrap().unwrap();
        here = next.situation.intersection(&engine.inertial);
    }
    seen
}

#[test]
fn an_interpreter_of_the_theory_takes_the_same_steps() {
    let seen: usize = some().iter().map(|drawn| compare(drawn, 1) + compare(drawn, 3)).sum();
    assert!(seen > 300, "only {seen} steps were compared");
    let worlds = of_a_whole_world();
    assert!(!worlds.is_empty());
    assert!(worlds.iter().map(|drawn| compare(drawn, 1) + compare(drawn, 3)).sum::<usize>() > 40);
}

/// What the naive interpreter says against a row; of the groups beyond prediction, each is answered in its own way.
fn fault(group: &str, row: &Row, statics: &BTreeSet<(String, usize)>) -> Option<String> {
    let fault = match group {
        "time" | "whatif" => crate::further::fault(row),
        "goals" | "plans" => {
            // A space that is too large for the naive search says nothing.
            crate::searches::faults(&[row])
                .pop()
                .filter(|fault| !fault.contains(crate::naive::search::TOO_MANY))
        }
        _ => crate::gold::fault(row, statics),
    };
    let (facts, plan) = (row.facts.join(" "), row.plan.join(" "));
    fault.map(|fault| format!("{} {}: {fault}\n  facts {facts}\n  plan {plan}\n", row.domain, row.query))
}

/// Items of a domain, of questions about what is after the story where no group is named.
fn items(name: &str, group: &str, count: u64) -> Result<Vec<Item>, String> {
    let package = catalogue().load(name).map_err(|faults| format!("{faults:?}"))?;
    let asked = match group {
        "" => Settings::default(),
        group => crate::common::further::settings(group, count, 5),
    };
    let levels = if group.is_empty() { vec![1, 2] } else { vec![1] };
    let settings = Settings {
        levels,
        depths: vec![1, 3],
        items: count,
        splits: crate::common::splits(&[("train", 1.0)]),
        seed: 11,
        ..asked
    };
    crate::common::items(&Factory::new(package, settings, LIMIT)).map_err(|error| error.to_string())
}

/// Holds items of domains against the interpreter; how many were compared, by family. Of a hundred domains one may have no
/// question of a kind in its smallest worlds.
fn hold(names: &[String], group: &str, count: u64) -> BTreeMap<String, usize> {
    let without = AtomicUsize::new(0);
    let one = |name: &String| -> (Vec<String>, Vec<String>) {
        let statics: BTreeSet<(String, usize)> =
            catalogue().load(name).unwrap().statics.into_iter().collect();
        // Some worlds of a small domain have no question of a group that depends on the story.
        let items = match items(name, group, count) {
            Err(error) => {
                eprintln!("{name}, {group}: {error}");
                without.fetch_add(1, Ordering::Relaxed);
                Vec::new()
            }
            Ok(items) => items,
        };
        let wrong = items.iter().filter_map(|item| fault(group, &item.row, &statics)).collect();
        (items.iter().map(|item| item.row.family.to_string()).collect(), wrong)
    };
    let found: Vec<(Vec<String>, Vec<String>)> = names.par_iter().map(one).collect();
    let without = without.into_inner();
    assert!(!group.is_empty() || without * 100 <= names.len(), "{without} domains have no items");
    let wrong: Vec<&String> = found.iter().flat_map(|(_, wrong)| wrong).collect();
    let first: Vec<&&String> = wrong.iter().take(3).collect();
    assert!(wrong.is_empty(), "{} wrong rows, such as {first:#?}", wrong.len());
    crate::common::count(found.into_iter().flat_map(|(families, _)| families))
}

/// How many domains are looked at.
fn asked_for(usual: u64) -> u64 {
    std::env::var("RACGEN_DOMAINS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// The domains of a range.
fn kept(numbers: std::ops::Range<u64>) -> Vec<DrawnTheory> {
    numbers.into_par_iter().filter_map(drawn).collect()
}

/// Their names, each in one of the vocabularies.
fn names(numbers: std::ops::Range<u64>) -> Vec<String> {
    let kept = kept(numbers);
    let words = |number: u64| DomainWords::ALL[number as usize % DomainWords::ALL.len()];
    kept.iter().map(|drawn| name_of(words(drawn.number), SEED, drawn.number)).collect()
}

#[test]
fn an_interpreter_of_the_theory_answers_as_clingo() {
    let names = names(0..16);
    assert!(names.len() >= 14);
    let families = hold(&names, "", 16);
    println!("{families:?}");
    assert!(families.values().sum::<usize>() >= 200 && families.len() >= 20, "{families:?}");
    for (group, names) in ["time", "whatif", "goals", "plans"].into_iter().zip(names.chunks(3)) {
        let families = hold(names, group, 10);
        println!("{group}: {families:?}");
        assert!(families.values().sum::<usize>() >= 20, "{group}: {families:?}");
    }
}

/// As many domains as `RACGEN_DOMAINS` says, else 1,000, with 100 items of each, and of each group beyond prediction 10; of all groups,
/// or of those that `RACGEN_GROUPS` names.
#[test]
#[ignore = "takes an hour"]
fn an_interpreter_of_the_theory_answers_as_clingo_in_all_domains() {
    let count = asked_for(1_000);
    let names = names(0..count);
    let chosen = std::env::var("RACGEN_GROUPS").unwrap_or("prediction,time,whatif,goals,plans".to_owned());
    for group in chosen.split(',').map(|group| if group == "prediction" { "" } else { group }) {
        let families = hold(&names, group, if group.is_empty() { 100 } else { 10 });
        let sum = families.values().sum::<usize>();
        println!("{group}: {sum} items of {} domains: {families:?}", names.len());
        assert!(sum as u64 >= count * 5);
    }
}
