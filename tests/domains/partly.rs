//! Every answer about a story that is told in part is right by all that may have been so, the three answers come equally
//! often, and the same rows come again.

use std::collections::{BTreeMap, BTreeSet};

use racgen::data::row::Row;
use racgen::domain::embedded::axioms;
use racgen::factory::settings::Settings;
use racgen::items::source::GROUP_SIZE;
use racgen::logic::clingo::Source;
use racgen::logic::term::Term;
use racgen::simulate::layout::Layout;
use racgen::simulate::narrative::completions::{CompletionRules, ToldStart};
use racgen::simulate::narrative::partly::{CompleterByClingo, naming};
use racgen::simulate::narrative::partly_by_clingo::{PartFacts, StoryWay};
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::situation::BitSet;
use racgen::simulate::story::Simulator;

use crate::common::LIMIT;
use crate::common::further::{look_as_in_the_snapshots, none_is_wrong, number, settings};

/// Items of each domain and group that are held against the naive simulator.
const ITEMS: u64 = 250;
const SEED: u64 = 17;
/// The most completions that are listed.
const MOST: usize = 64;

/// What is wrong with a row, if anything.
fn fault(row: &Row) -> Option<String> {
    match crate::naive::partly::partly(&row.domain, &row.facts, &row.plan, &row.query) {
        Err(error) => Some(error),
        Ok((answer, _)) if *row.gold != [answer.clone()] => {
            Some(format!("the answer is {answer}, and not {:?}", row.gold))
        }
        Ok((_, count)) if number(row, "completions") != Some(count as i64) => {
            Some(format!("there are {count} completions, and not {:?}", number(row, "completions")))
        }
        Ok((_, count)) => (count < 2).then(|| format!("there are {count} completions")),
    }
}

/// The groups of stories told in part that a domain asks: in dwr whatever touches an object settles what is unknown of it, and the initial
/// situation tells what would.
fn groups_of(domain: &str) -> &'static [&'static str] {
    if domain == "dwr" { &["hidden"] } else { &["unknown", "hidden"] }
}

#[test]
fn answers_about_stories_told_in_part_are_those_of_the_naive_simulator() {
    for domain in ["dwr", "logistics", "blocks", "blocks_hand"] {
        for group in groups_of(domain) {
            let wanted = crate::common::further::naive_items(ITEMS);
            // The smallest worlds offer no even questions of what is told in part, but for those of blocks.
            let usual = settings(group, wanted, SEED);
            let settings = match *group {
                "unknown" if !domain.starts_with("blocks") => {
                    Settings { levels: vec![3], depths: vec![2, 3], ..usual }
                }
                _ => usual,
            };
            let items = crate::common::made(domain, &settings);
            assert_eq!(items.len() as u64, wanted);
            none_is_wrong(&items, &format!("{domain}, {group}"), fault);
            let mut families: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
            items.iter().for_each(|item| families.entry(&item.row.family).or_default().push(&item.row));
            for (family, rows) in families {
                let answers = crate::common::count(rows.iter().map(|row| row.answer.as_str()));
                println!("{domain}, {group}, {family}: {} rows, {} answers", rows.len(), answers.len());
                if family == "hidden_fact" {
                    let open = answers.get("cannot be determined").copied().unwrap_or(0);
                    let room = 4 + rows.len() / 20;
                    assert!((2 * open).abs_diff(rows.len()) <= room, "{domain}, {family}: {answers:?}");
                    assert!(answers.len() > 1, "{domain}, {family}: {answers:?}");
                }
                if ["possible", "safe"].contains(&family) {
                    let (most, least) = (answers.values().max(), answers.values().min());
                    assert_eq!(answers.len(), 3, "{domain}, {family}: {answers:?}");
                    // Where three begin in one group of rows and end in another, each finds its own.
                    let room = 4 + rows.len() / 20;
                    assert!(most.unwrap() - least.unwrap() <= room, "{domain}, {family}: {answers:?}");
                }
            }
        }
    }
}

#[test]
fn in_large_worlds_three_questions_look_alike() {
    let large = Settings { levels: vec![3], depths: vec![3], ..settings("unknown", 300, SEED) };
    let items = crate::common::made("logistics", &large);
    none_is_wrong(&items, "large worlds of logistics", fault);
    // What can be seen without the initial situation: how many statements are told, of which kinds the actions and the objects
    // are that are left out.
    let look = |row: &Row| {
        let kind = |term: &str| term.split('(').next().unwrap_or_default().to_owned();
        let mut kinds: Vec<String> = row.plan.iter().map(|action| kind(action)).collect();
        kinds.sort_unstable();
        let left_out = row.facts.iter().filter(|fact| fact.starts_with("left_out"));
        let mut left_out: Vec<String> =
            left_out.map(|fact| fact.trim_end_matches(|c: char| !c.is_alphabetic()).to_owned()).collect();
        left_out.sort_unstable();
        (row.facts.len(), kinds, left_out)
    };
    let (mut all, mut alike, mut by_actions) = (0, 0, 0);
    for three in items.chunks_exact(3).filter(|all| all.iter().all(|item| &*item.row.family == "possible")) {
        let answers: BTreeSet<&str> = three.iter().map(|item| &*item.row.answer).collect();
        let looks: BTreeSet<_> = three.iter().map(|item| look(&item.row)).collect();
        // Or the question and all that is told of the beginning.
        let told: BTreeSet<_> = three.iter().map(|item| (&item.row.query, &item.row.facts)).collect();
        all += 1;
        alike += usize::from(answers.len() == 3 && (looks.len() == 1 || told.len() == 1));
        by_actions += usize::from(told.len() == 1);
    }
    println!(
        "{all} threes of {}, {alike} of them look alike, {by_actions} but for the actions",
        items.len() / 3
    );
    assert!(
        by_actions > 0 && by_actions * 3 <= all * 2,
        "{by_actions} of {all} threes differ in the actions alone"
    );
    assert!(all >= 5, "{all} threes of {} items", items.len());
    // One may begin in a group of rows and end in the next, of another world.
    assert!(alike + items.len() / 50 >= all, "{alike} of {all} threes look alike");
}

/// Of four questions what was so at first, two follow each of two beginnings, and crosswise each of two lists of actions; each of
/// these has one that is settled and one that is open. So whoever knows the one without the other is right half the time.
#[test]
fn what_was_so_at_first_is_asked_crosswise() {
    let wanted = crate::common::further::naive_items(400);
    let families = vec!["hidden_fact".to_owned()];
    let asked = Settings { levels: vec![2, 3], families, ..settings("hidden", wanted, SEED) };
    let items = crate::common::made("blocks", &asked);
    none_is_wrong(&items, "what was so at first", fault);
    let open = |row: &Row| &*row.answer == "cannot be determined";
    let (mut all, mut settled) = (Vec::new(), BTreeMap::<&str, usize>::new());
    let mut streams: BTreeMap<(i32, i32), Vec<&Row>> = BTreeMap::new();
    items
        .iter()
        .for_each(|item| streams.entry((item.row.level, item.row.depth)).or_default().push(&item.row));
    // Where four begin in one group of rows and end in another, each finds its own.
    for group in streams.values().flat_map(|rows| rows.chunks(GROUP_SIZE as usize)) {
        let crosses = |four: &[&Row]| {
            let facts: Vec<BTreeSet<&String>> = four.iter().map(|row| row.facts.iter().collect()).collect();
            let sizes: BTreeSet<usize> = facts.iter().map(BTreeSet::len).collect();
            four.iter().all(|row| row.query == four[0].query)
                && (facts[0] == facts[2] && facts[1] == facts[3] && facts[0] != facts[1])
                && (four[0].plan == four[1].plan && four[2].plan == four[3].plan)
                && four[0].plan != four[2].plan
                && (four[0].answer == four[3].answer && !open(four[0]) && open(four[1]) && open(four[2]))
                && sizes.len() == 1
        };
        let mut next = 0;
        while let Some(four) = group.get(next..next + 4) {
            if crosses(four) {
                all.extend_from_slice(four);
                *settled.entry(&*four[0].answer).or_default() += 1;
                next += 4;
            } else {
                next += 1;
            }
        }
    }
    println!("{} of {} rows are in fours, settled as {settled:?}", all.len(), items.len());
    assert!(10 * all.len() >= 9 * items.len(), "{} of {} rows are in fours", all.len(), items.len());
    assert_eq!(settled.len(), 2, "{settled:?}");
    // By the answer that comes most often to a question after the same beginning, or after the same actions.
    let guessed = |key: &dyn Fn(&Row) -> String| {
        let mut of: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
        for row in &all {
            let key = format!("{} {}", row.query, key(row));
            *of.entry(key).or_default().entry(&*row.answer).or_default() += 1;
        }
        of.values().filter_map(|answers| answers.values().max()).sum::<usize>()
    };
    assert_eq!(2 * guessed(&|row| row.facts.join(" ")), all.len());
    assert_eq!(2 * guessed(&|row| row.plan.join(" ")), all.len());
}

#[test]
fn the_effort_of_stories_told_in_part_is_their_number_of_completions() {
    let settings = Settings {
        levels: vec![2],
        depths: vec![3],
        items: 200,
        effort: [("completions".to_owned(), (2, 4))].into(),
        ..settings("unknown", ITEMS, SEED)
    };
    for item in crate::common::made("blocks", &settings) {
        let count = number(&item.row, "completions");
        assert!(matches!(count, Some(2..=4)), "{}: {count:?}", item.row.query);
    }
}

/// The ground rules, by which completions are found, find what clingo finds, and are left with nothing to clingo in the domains of
/// the papers.
#[test]
fn completions_by_rules_are_those_that_clingo_finds() {
    let of_papers = ["blocks", "blocks_hand", "dwr", "logistics"];
    for name in of_papers.into_iter().chain([
        "gripper",
        "ferry",
        "depots",
        "driverlog",
        "visitall",
        "hanoi",
        "npuzzle",
    ]) {
        let package = crate::common::package(name);
        let mut rng = crate::common::rng(8);
        let layout = Layout::sample(&package, 2, &BTreeMap::new(), &mut rng, LIMIT).unwrap();
        let mut stage = Simulator::new(&package, layout.clone(), Sampling::Walk, LIMIT, &mut rng).unwrap();
        let program = layout.completion_program(&package);
        let rules = CompletionRules::new(&program, &stage.engine).unwrap();
        assert!(rules.is_some() || !of_papers.contains(&name), "{name}: the rules leave all to clingo");
        let Some(rules) = rules else { continue };
        let mut clingo = CompleterByClingo::new(&program, &stage.engine, LIMIT).unwrap();
        let mut starts = Vec::new();
        for _ in 0..5 {
            let (start, _) = stage.draw_world(&mut rng).unwrap();
            let (here, _) =
                stage.engine.consider(&start, None).unwrap().expect("a drawn situation is consistent");
            starts.push(here.situation);
        }
        let fluents = &stage.engine.fluents;
        let mut told: Vec<ToldStart> = Vec::new();
        for (place, start) in starts.iter().enumerate() {
            for (number, one) in layout.objects.iter().enumerate() {
                // One object, two of them, and with every other start what follows from the rest is told besides.
                let other = &layout.objects[(number + place) % layout.objects.len()];
                let mut known = BitSet::new(fluents.len());
                let all = (0..fluents.len()).filter(|f| place % 2 == 0 || stage.engine.inertial.contains(*f));
                all.for_each(|fluent| known.insert(fluent));
                naming(fluents, &[&one.id, &other.id]).iter().for_each(|fluent| known.remove(fluent));
                told.push((known, start));
            }
        }
        let (mut counts, mut left) = (BTreeSet::new(), 0);
        for ((known, start), found) in told.iter().zip(rules.of(&told, MOST)) {
            let right = clingo.completions(known, start, MOST).unwrap();
            match found {
                Some(found) => assert_eq!(found, right, "{name}"),
                None => left += 1,
            }
            counts.insert(right.map(|all| all.len()));
        }
        println!(
            "{name}: {} tellings, {left} left to clingo, {} numbers of completions",
            told.len(),
            counts.len()
        );
        assert!(left == 0 || !of_papers.contains(&name), "{name}: {left} of {} left to clingo", told.len());
        assert!(counts.len() > 1, "{name}: {counts:?}");
    }
}

/// Clingo finds the same completions whether what is told comes as assumptions, so that one grounding serves all stories, or is ground
/// as facts.
#[test]
fn completions_are_the_same_where_what_is_told_is_assumed() {
    let (mut several, mut none) = (0, 0);
    for name in ["blocks_hand", "dwr", "logistics", "hanoi"] {
        let package = crate::common::package(name);
        let mut rng = crate::common::rng(11);
        let layout = Layout::sample(&package, 1, &BTreeMap::new(), &mut rng, LIMIT).unwrap();
        let mut stage = Simulator::new(&package, layout.clone(), Sampling::Walk, LIMIT, &mut rng).unwrap();
        let (start, _) = stage.draw_world(&mut rng).unwrap();
        let (mut here, _) = stage.engine.consider(&start, None).unwrap().expect("a situation");
        let initial = here.situation.clone();
        let mut plan: Vec<Option<Term>> = Vec::new();
        for _ in 0..2 {
            let action = here.executable[plan.len() % here.executable.len()];
            plan.push(Some(stage.engine.actions[action].clone()));
            here = stage.engine.step(&here.situation, action).unwrap().expect("an executable action");
        }
        let fluents = stage.engine.fluents.clone();
        let mut told: Vec<PartFacts> = Vec::new();
        for object in &layout.objects {
            let open = naming(&fluents, &[&object.id]);
            let known = |fluent: &usize| !open.contains(*fluent) && stage.engine.inertial.contains(*fluent);
            let term = |fluent: usize| fluents[fluent].clone();
            let facts = PartFacts {
                complete: (0..fluents.len()).filter(known).map(term).collect(),
                stated: initial.iter().filter(known).map(term).collect(),
                plan: plan.clone(),
                one_failed: false,
            };
            told.push(PartFacts { plan: plan[..1].to_vec(), ..facts.clone() });
            told.push(PartFacts { plan: Vec::new(), ..facts.clone() });
            // What is not in the world was not done.
            told.push(PartFacts { plan: vec![Some(Term::constant("nonsense"))], ..facts.clone() });
            told.push(facts);
        }
        let whole = PartFacts {
            complete: fluents.clone(),
            stated: initial.iter().map(|fluent| fluents[fluent].clone()).collect(),
            plan: plan.clone(),
            one_failed: true,
        };
        told.push(PartFacts { plan: vec![None, plan[1].clone()], one_failed: false, ..whole.clone() });
        told.push(whole);
        for facts in told {
            let mut program = layout.invariant_program(&package, facts.plan.len());
            let text: String = facts.terms().iter().map(|term| format!("{term}.\n")).collect();
            program.sources.extend([axioms("partly.lp"), Source::new("what is told", text)]);
            let shown = [("holds", 2), ("deed", 2), ("failed", 1)];
            let right = program.search(&shown, None, LIMIT).unwrap().enumerate(500).unwrap();
            let found = stage.ways(&facts).unwrap();
            let begins = |way: &StoryWay| way.initial.iter().cloned().collect::<BTreeSet<Term>>();
            let at = |atoms: &[Term], time: usize| -> BTreeSet<Term> {
                let time = Term::Number(time as i32);
                let holds = atoms.iter().filter(|atom| atom.is("holds", 2) && atom.args()[1] == time);
                holds.map(|atom| atom.args()[0].clone()).filter(|fluent| !fluent.is("neg", 1)).collect()
            };
            let found: BTreeSet<_> = found
                .iter()
                .map(|way| (begins(way), way.end.iter().cloned().collect(), way.failed))
                .collect();
            let right: BTreeSet<_> = right
                .iter()
                .map(|atoms| {
                    let failed = atoms.iter().find(|atom| atom.is("failed", 1));
                    let failed = failed.map(|atom| match atom.args() {
                        [Term::Number(step)] => *step,
                        _ => panic!("{atom}"),
                    });
                    (at(atoms, 0), at(atoms, facts.plan.len()), failed)
                })
                .collect();
            assert_eq!(found, right, "{name}: {facts:?}");
            several += usize::from(found.len() > 1);
            none += usize::from(found.is_empty());
        }
    }
    assert!(several > 20 && none > 20, "{several} with several completions, {none} with none");
}

/// What is left out of the text stands in none of the columns that it is read with.
#[test]
fn what_is_not_told_stands_nowhere() {
    for domain in ["blocks", "logistics", "dwr"] {
        for group in groups_of(domain) {
            let settings =
                Settings { levels: vec![2], depths: vec![3], items: 200, ..settings(group, ITEMS, SEED) };
            for item in crate::common::made(domain, &settings) {
                let row = &item.row;
                let told = |fact: &&String| !fact.starts_with("left_out(");
                let out: Vec<&str> = row
                    .facts
                    .iter()
                    .filter_map(|fact| fact.strip_prefix("left_out(")?.strip_suffix(')'))
                    .collect();
                for id in &out {
                    let naming = |fact: &&String| {
                        let inner = fact.split(['(', ')', ',']).skip(1);
                        inner.into_iter().any(|word| word == *id)
                    };
                    // The fact that there is such an object.
                    assert_eq!(row.facts.iter().filter(told).filter(naming).count(), 1, "{:?}", row.facts);
                }
                if row.family.as_ref() == "hidden_action" {
                    assert_eq!(row.plan.iter().filter(|action| *action == "untold").count(), 1);
                    assert!(!row.context.contains(&row.answer), "{}", row.answer);
                }
            }
        }
    }
}

/// A question of each family, with the story that it is about.
#[test]
fn items_about_stories_told_in_part_look_as_in_the_snapshots() {
    let of = |group: &str| Settings {
        levels: vec![if group == "unknown" { 3 } else { 1 }],
        depths: vec![3],
        ..settings(group, 100, SEED)
    };
    look_as_in_the_snapshots(&["blocks", "blocks_hand", "logistics"], &["unknown"], of);
    look_as_in_the_snapshots(&["blocks", "blocks_hand", "dwr", "logistics"], &["hidden"], of);
}

#[test]
fn types_of_questions_that_no_group_has_take_no_part() {
    let unknown = settings("unknown", ITEMS, SEED);
    assert_eq!(unknown.weights(), [0, 0, 3]);
    assert_eq!(settings("hidden", ITEMS, SEED).weights(), [0, 0, 3]);
    assert_eq!(settings("time", ITEMS, SEED).weights(), [4, 3, 3]);
    let blocks = crate::common::package("blocks");
    let cause = Settings { mix: [1, 0, 0], ..unknown }.check_for(&blocks).expect_err("no question");
    assert!(cause.contains("--mix"), "{cause}");
}
