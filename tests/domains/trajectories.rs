//! Step by step and all at once come to the same: the plans that the engine finds one step after the other are exactly
//! the answer sets of the time-expanded program, and pass through the same situations.

use std::collections::{BTreeMap, BTreeSet};

use racgen::logic::term::Term;
use racgen::simulate::layout::Layout;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::situation::{BitSet, Outcome, Situation};
use racgen::simulate::story::Simulator;

const LAYOUTS: u64 = 3;
const SITUATIONS: usize = 3;
/// Worlds with more plans than this are left to smaller depths.
const MOST: usize = 6_000;

/// A plan and the situations it passes through, the first one included.
type Course = (Vec<usize>, Vec<Situation>);

/// All courses of `depth` actions, found with [`racgen::simulate::transitions::transition_system::TransitionSystem::step`].
fn stepwise(stage: &mut Simulator, start: &Situation, depth: usize) -> Vec<Course> {
    let (here, _) = stage.engine.consider(start, None).unwrap().expect("a drawn situation is legal");
    let mut courses: Vec<Course> = vec![(vec![], vec![here.situation])];
    for _ in 0..depth {
        let mut longer = Vec::new();
        for (plan, passed) in courses {
            let here = &passed[passed.len() - 1];
            let (outcome, _) = stage.engine.consider(here, None).unwrap().unwrap();
            for action in 0..stage.engine.actions.len() {
                let next = stage.engine.step(here, action).unwrap();
                assert!(
                    next.is_none() || outcome.executable.contains(&action),
                    "{} happens though it is not executable",
                    stage.engine.actions[action]
                );
                if let Some(next) = next {
                    let plan = [&plan[..], &[action]].concat();
                    let passed = [&passed[..], &[next.situation]].concat();
                    longer.push((plan, passed));
                }
            }
        }
        courses = longer;
    }
    courses.sort();
    courses
}

/// All courses of `depth` actions, as clingo gives them.
fn at_once(stage: &Simulator, start: &Situation, depth: usize) -> Vec<Course> {
    let engine = &stage.engine;
    let initially: Vec<Term> = start.iter().map(|f| engine.fluents[f].clone()).collect();
    let program = stage.layout().trajectory_program(stage.package, &initially, depth);
    let mut search = program.search(&[("occ", 2), ("holds", 2)], None, crate::common::LIMIT).unwrap();
    let answers = search.enumerate(MOST * 10).unwrap();
    let mut courses = Vec::new();
    for answer in &answers {
        let mut plan: BTreeMap<i32, usize> = BTreeMap::new();
        let mut passed = vec![BitSet::new(engine.fluents.len()); depth + 1];
        for atom in answer {
            let Term::Number(time) = atom.args()[1] else { panic!("{atom} has no time") };
            let what = &atom.args()[0];
            if atom.is("occ", 2) {
                let action = engine.actions.binary_search(what).expect("a known action");
                assert!(plan.insert(time, action).is_none(), "two actions at time {time}");
            } else if let Ok(fluent) = engine.fluents.binary_search(what) {
                passed[time as usize].insert(fluent);
            } else {
                assert!(what.is("neg", 1), "{what} holds and is no fluent");
            }
        }
        courses.push((plan.into_values().collect(), passed));
    }
    courses.sort();
    courses
}

/// What whole lists of actions lead to, where they can be carried out, is what is found step by step: of these courses, and of such
/// as end in other actions.
fn played_alike(stage: &mut Simulator, start: &Situation, courses: &[Course]) {
    let actions = stage.engine.actions.len();
    let known: BTreeMap<&[usize], &Course> =
        courses.iter().map(|course| (course.0.as_slice(), course)).collect();
    let mut plans: Vec<Vec<usize>> = courses.iter().map(|(plan, _)| plan.clone()).collect();
    for (number, (plan, _)) in courses.iter().enumerate() {
        let mut other = plan.clone();
        let place = number % other.len();
        other[place] = (other[place] + 1 + number) % actions;
        plans.push(other);
    }
    // Plans of several lengths are followed together.
    plans.push(Vec::new());
    let tales: Vec<(&Situation, &[usize])> = plans.iter().map(|plan| (start, plan.as_slice())).collect();
    let possible = stage.engine.possible(&tales).unwrap();
    let ends = stage.engine.plays(&tales).unwrap();
    let situations: Vec<Option<Situation>> =
        ends.iter().map(|end| end.as_ref().map(|end| end.situation.clone())).collect();
    assert_eq!(stage.engine.plays_to(&tales).unwrap(), situations);
    let reached: Vec<&Outcome> = ends.iter().flatten().collect();
    let can = stage.executable(&reached.iter().map(|end| &end.situation).collect::<Vec<_>>()).unwrap();
    for (end, can) in reached.into_iter().zip(can) {
        assert_eq!(can, end.executable);
    }
    for ((plan, possible), end) in plans.iter().zip(possible).zip(ends) {
        let course = known.get(plan.as_slice());
        assert_eq!(possible, course.is_some() || plan.is_empty(), "{plan:?}");
        assert_eq!(end.as_ref().map(|end| &end.situation), course.and_then(|(_, passed)| passed.last()));
        if let Some(end) = end {
            let (here, _) = stage.engine.consider(&end.situation, None).unwrap().unwrap();
            assert_eq!(end.executable, here.executable);
        }
    }
}

#[test]
fn plans_found_step_by_step_are_the_answer_sets() {
    for domain in crate::common::domains() {
        let package = crate::common::package(&domain);
        let mut compared = BTreeMap::new();
        for number in 0..LAYOUTS {
            let mut rng = crate::common::rng(number);
            let layout = Layout::sample(&package, 1, &BTreeMap::new(), &mut rng, crate::common::LIMIT)
                .expect("a layout");
            let mut stage =
                Simulator::new(&package, layout, Sampling::Walk, crate::common::LIMIT, &mut rng).unwrap();
            for _ in 0..SITUATIONS {
                let (start, _) = stage.draw_world(&mut rng).unwrap();
                for depth in 1..=3 {
                    let steps = stepwise(&mut stage, &start, depth);
                    if steps.len() > MOST {
                        break;
                    }
                    let whole = at_once(&stage, &start, depth);
                    let initially: Vec<String> =
                        start.iter().map(|f| stage.engine.fluents[f].to_string()).collect();
                    assert!(steps == whole, "{domain}, {depth} actions from {}", initially.join(" "));
                    let plans: BTreeSet<Vec<usize>> = steps.iter().map(|(plan, _)| plan.clone()).collect();
                    assert_eq!(plans.len(), steps.len(), "{domain}: a plan has two outcomes");
                    assert_eq!(
                        stage.enumerate(&start, depth).unwrap(),
                        plans.into_iter().collect::<Vec<_>>()
                    );
                    played_alike(&mut stage, &start, &steps);
                    *compared.entry(depth).or_insert(0) += steps.len();
                }
            }
        }
        println!("{domain}: {compared:?} courses compared, by their number of actions");
        assert!(
            compared.len() == 3 && compared.values().all(|n| *n > 20),
            "{domain} has hardly any plans: {compared:?}"
        );
    }
}
