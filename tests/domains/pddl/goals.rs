//! The goals of problems to what an imported package keeps of them, and to what its rows ask.

use std::collections::{BTreeMap, BTreeSet};

use racgen::domain::package::Package;
use racgen::factory::source::Factory;
use racgen::logic::seed::stream;
use racgen::logic::term::Term;
use racgen::simulate::layout::Layout;
use racgen::simulate::search::given::given_goals;
use racgen::simulate::search::goal;
use racgen::simulate::transitions::transition_system::TransitionSystem;

use super::{Imported, import_texts, imported, loaded};
use crate::common::LIMIT;

/// The goals of a world, each as its facts.
fn goals_of(package: &Package, level: i32, world: usize) -> Vec<BTreeSet<String>> {
    let fixed = BTreeMap::from([("world".to_owned(), world as i64 + 1)]);
    let layout = Layout::sample(package, level, &fixed, &mut stream(0, &["goals"]), LIMIT).unwrap();
    let engine = TransitionSystem::new(layout.step_program(package), LIMIT).unwrap();
    let given = given_goals(package, &layout, &engine.fluents).unwrap();
    let said = |facts: &Vec<goal::GoalFact>| {
        facts.iter().map(|fact| goal::literal(fact, &engine.fluents).to_string()).collect()
    };
    given.iter().map(said).collect()
}

/// The goals of the world that is all of a problem.
fn whole(made: &Imported, package: &Package, problem: usize) -> (i32, Vec<BTreeSet<String>>) {
    let is_it = |(_, (_, given)): &(usize, &(i32, racgen::pddl::given::GivenWorld))| {
        given.world.whole && given.world.problem == problem
    };
    let (number, (level, _)) = made.package.worlds.iter().enumerate().find(is_it).unwrap();
    (*level, goals_of(package, *level, number))
}

fn facts(all: &[&str]) -> BTreeSet<String> {
    all.iter().map(|fact| (*fact).to_owned()).collect()
}

#[test]
fn a_package_keeps_what_its_problems_want() {
    let ferry = imported("ferry", 60);
    let package = loaded("ferry", &ferry.package);
    assert_eq!(whole(&ferry, &package, 0).1, [facts(&["parked(c1,l2)", "parked(c2,l1)"])]);
    // "All cars are to be parked in the east" wants as many facts as there are cars.
    let all: Vec<String> = (1..=6).map(|car| format!("parked(c{car},l3)")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    assert_eq!(whole(&ferry, &package, 1).1, [facts(&all)]);
    let jugs = imported("jugs", 60);
    let package = loaded("jugs", &jugs.package);
    assert_eq!(whole(&jugs, &package, 0).1, [facts(&["amount(j3,2)"])]);
}

#[test]
fn smaller_worlds_want_what_is_left_of_the_goal() {
    let made = imported("ferry", 60);
    let package = loaded("ferry", &made.package);
    let mut parts = 0;
    for (number, (level, given)) in made.package.worlds.iter().enumerate() {
        let ids = given.world.ids(&made.package.kinds);
        let wanted: BTreeSet<String> = match given.world.problem {
            0 => [("a", "south"), ("b", "north")]
                .iter()
                .filter_map(|(car, to)| Some(format!("parked({},{})", ids.get(*car)?, ids.get(*to)?)))
                .collect(),
            _ => ids
                .values()
                .filter(|id| id.starts_with('c'))
                .filter_map(|car| Some(format!("parked({car},{})", ids.get("east")?)))
                .collect(),
        };
        parts += usize::from(!given.world.whole && !wanted.is_empty());
        let wanted: Vec<BTreeSet<String>> = Some(wanted).filter(|all| !all.is_empty()).into_iter().collect();
        assert_eq!(goals_of(&package, *level, number), wanted, "world {}", number + 1);
    }
    assert!(parts >= 3, "{parts} smaller worlds have a goal");
}

#[test]
fn a_goal_that_is_no_conjunction_of_facts_is_told() {
    let made = imported("ferry", 20);
    let goal = made.problems[0].find("(:goal").unwrap();
    let either = format!("{}(:goal (or (parked a south) (parked b north))))", &made.problems[0][..goal]);
    let package = import_texts("ferry", &made.domain, &[either], 20);
    assert!(package.notes.iter().any(|note| note.contains("the goal of the problem")), "{:?}", package.notes);
    let (_, world) = package.files.iter().find(|(name, _)| *name == "world.lp").unwrap();
    assert!(!world.contains("#program goal"));
    assert!(made.package.notes.iter().all(|note| !note.contains("the goal of the problem")));
}

/// The facts of each goal that a package's rows of a level ask about.
fn asked(package: Package, level: i32) -> Vec<BTreeSet<String>> {
    let own = crate::common::further::settings("goals", 200, 3);
    let settings = racgen::factory::settings::Settings { levels: vec![level], depths: vec![2], ..own };
    let items = crate::common::items(&Factory::new(package, settings, LIMIT)).unwrap();
    let goals = items.iter().filter_map(|item| {
        let query: Term = item.row.query.parse().unwrap();
        let found = query.args().iter().find(|argument| argument.functor() == goal::GOAL)?;
        Some(found.args().iter().map(ToString::to_string).collect())
    });
    goals.collect()
}

#[test]
fn rows_ask_about_what_the_problems_want() {
    let made = imported("ferry", 60);
    let package = loaded("ferry", &made.package);
    let (level, _) = whole(&made, &package, 1);
    let of_level = made.package.worlds.iter().enumerate().filter(|(_, (own, _))| *own == level);
    let wanted: Vec<BTreeSet<String>> =
        of_level.flat_map(|(number, _)| goals_of(&package, level, number)).collect();
    let mut without = package.clone();
    let text = without.world.text.clone();
    let from = text.find("#program goal.").unwrap();
    let to = text[from..].find("\n\n%").map_or(text.len(), |end| from + end);
    without.world.text = format!("{}{}", &text[..from], &text[to..]).into();
    // One car in the east is soon drawn by chance, two are not.
    let drawn = |package: Package| {
        let mut goals = asked(package, level);
        goals.retain(|goal| goal.len() > 1);
        let of_problems = goals.iter().filter(|goal| wanted.iter().any(|all| goal.is_subset(all)));
        (of_problems.count(), goals.len())
    };
    let (with, without) = (drawn(package), drawn(without));
    println!("{} of {} goals are of the problems, and {} of {} else", with.0, with.1, without.0, without.1);
    assert!(with.0 >= 5, "{with:?}");
    assert!(with.0 >= 3 * without.0, "{with:?}, and {without:?} without what the problems want");
}
