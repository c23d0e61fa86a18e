//! A layout is the same whether it was ground for itself or shares the grounding of its level, and clingo judges it so.

use std::collections::BTreeSet;
use std::sync::Arc;

use racgen::domain::package::Package;
use racgen::simulate::initial::legality::LegalityByClingo;
use racgen::simulate::layout::Layout;
use racgen::simulate::layout_cache::{LayoutCache, PreparedLayout};
use racgen::simulate::narrative::completions::ToldStart;
use racgen::simulate::narrative::partly::{has_invariants, naming};
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::situation::Situation;
use racgen::simulate::story::Simulator;
use racgen::simulate::transitions::compiled_layout::CompiledLayout;
use racgen::simulate::transitions::transition_system::TransitionSystem;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

/// Layouts of a level that are compared, stories told in each, and their actions.
const LAYOUTS: u64 = 3;
const STORIES: usize = 6;
const DEPTH: usize = 4;
/// Situations that are drawn, more than clingo draws at first.
const DRAWS: usize = 40;

/// Where what is told leaves more completions than this, they are not listed.
const MOST: usize = 60;

/// Packages whose layouts share groundings at every level.
const SHARED: [&str; 2] = ["dwr", "logistics"];

fn questions(compiled: &CompiledLayout) -> Vec<String> {
    let answers = compiled.answers.iter().map(|answer| {
        let question = &compiled.questions[answer.question];
        format!("{} {:?} {} {}", question.term, question.kind, question.sought, answer.answer)
    });
    answers.chain(compiled.questions.iter().map(|question| format!("{}", question.term))).collect()
}

/// The situations of stories, cut down to inertial fluents, and how many they are; after them those that differ from them
/// in a fluent, which need not be possible.
fn situations(stage: &mut Simulator, rng: &mut ChaCha8Rng) -> (Vec<Situation>, usize) {
    let mut rngs: Vec<ChaCha8Rng> = (0..STORIES).map(|_| crate::common::rng(rng.random::<u64>())).collect();
    let told = stage.tell_all(DEPTH, false, |_| true, 100, &mut rngs).unwrap();
    let (mut found, mut others) = (BTreeSet::new(), BTreeSet::new());
    for story in told.into_iter().flatten() {
        for situation in std::iter::once(&story.initial).chain(&story.passed).chain(&story.beyond) {
            let here = situation.intersection(&stage.engine.inertial);
            let inertial: Vec<usize> = stage.engine.inertial.iter().collect();
            let fluent = inertial[rng.random_range(0..inertial.len())];
            let mut other = here.clone();
            if here.contains(fluent) {
                other.remove(fluent)
            } else {
                other.insert(fluent)
            }
            found.insert(here);
            others.insert(other);
        }
    }
    let met = found.len();
    (found.into_iter().chain(others).collect(), met)
}

/// What is drawn from the rules that the level shares are situations of the layout by its own program, and as many where
/// they are few.
fn compare_draws(package: &Package, prepared: &Arc<PreparedLayout>, rng: &mut ChaCha8Rng) {
    let (layout, limit) = (&prepared.layout, crate::common::LIMIT);
    let own = PreparedLayout::new(package, layout.clone(), limit, &mut crate::common::rng(5)).unwrap();
    assert_eq!(prepared.situations.count(), own.situations.count(), "{}", package.name);
    let program = layout.situation_program(package);
    let mut clingo = LegalityByClingo::new(&program, &prepared.compiled, limit).unwrap();
    let mut position = 0;
    for _ in 0..DRAWS {
        let key = |_: &Situation| "".into();
        let (situation, _) =
            prepared.situations.draw(package, layout, &prepared.compiled, &mut position, key, rng).unwrap();
        assert!(clingo.of(&situation).unwrap(), "{}: {situation:?}", package.name);
    }
}

/// What is told of situations, without one object each, has the same completions by either.
fn compare_completions(
    package: &Package,
    prepared: &PreparedLayout,
    alone: &PreparedLayout,
    met: &[Situation],
) {
    let name = &package.name;
    let [open, closed] = [prepared, alone].map(|layout| layout.completions(package).unwrap());
    if SHARED.contains(&name.as_str()) {
        assert!(open.is_some_and(|rules| rules.is_shared), "{name}");
    }
    let (Some(open), Some(closed)) = (open, closed) else { return };
    assert!(!closed.is_shared);
    let CompiledLayout { fluents, inertial, .. } = &*prepared.compiled;
    let told: Vec<ToldStart> = met
        .iter()
        .enumerate()
        .map(|(number, situation)| {
            let mut known = inertial.clone();
            let object = &prepared.layout.objects[number % prepared.layout.objects.len()];
            known.take_out(&naming(fluents, &[&object.id]));
            (known, situation)
        })
        .collect();
    assert_eq!(open.of(&told, MOST), closed.of(&told, MOST), "{name}: completions");
}

fn compare(package: &Package, level: i32, prepared: &Arc<PreparedLayout>, rng: &mut ChaCha8Rng) -> usize {
    let name = format!("{} N{level}", package.name);
    let layout = prepared.layout.clone();
    let alone = PreparedLayout::without_draws(package, layout, crate::common::LIMIT).unwrap();
    let (open, closed) = (&prepared.compiled, &alone.compiled);
    assert!(!closed.is_shared);
    assert!(open.is_shared || !SHARED.contains(&package.name.as_str()), "{name}");
    assert_eq!(open.fluents, closed.fluents, "{name}");
    assert_eq!(open.inertial, closed.inertial, "{name}");
    assert_eq!(open.actions, closed.actions, "{name}");
    assert_eq!(questions(open), questions(closed), "{name}");
    let mut stage = Simulator::of(package, prepared.clone(), Sampling::Walk, crate::common::LIMIT);
    let (situations, met) = situations(&mut stage, rng);

    if has_invariants(package) {
        compare_completions(package, prepared, &alone, &situations[..met]);
    }
    let mut theirs = TransitionSystem::of(closed.clone(), crate::common::LIMIT);
    let supposed: Vec<Option<usize>> = situations
        .iter()
        .map(|_| rng.random_bool(0.5).then(|| rng.random_range(0..open.actions.len())))
        .collect();
    let asked: Vec<(&Situation, Option<usize>)> = situations.iter().zip(supposed).collect();
    let sheets = stage.engine.sheets(&asked).unwrap();
    assert_eq!(sheets, theirs.sheets(&asked).unwrap(), "{name}: answers");
    let (mut steps, mut of_met): (Vec<(&Situation, usize)>, usize) = (Vec::new(), 0);
    for (number, (situation, sheet)) in situations.iter().zip(&sheets).enumerate() {
        if number == met {
            of_met = steps.len();
        }
        let possible = sheet.iter().flat_map(|(here, _)| &here.executable);
        steps.extend(possible.map(|action| (situation, *action)));
        steps.push((situation, rng.random_range(0..open.actions.len())));
    }
    let outcomes = stage.engine.steps(&steps).unwrap();
    assert_eq!(outcomes, theirs.steps(&steps).unwrap(), "{name}: steps");
    assert_eq!(
        stage.engine.bare_steps(&steps).unwrap(),
        theirs.bare_steps(&steps).unwrap(),
        "{name}: bare steps"
    );

    let legal = stage.legality().unwrap().of(&situations).unwrap();
    assert_eq!(legal, alone.legality(crate::common::LIMIT).unwrap().of(&situations).unwrap(), "{name}");
    let program = prepared.layout.situation_program(package);
    let mut clingo = LegalityByClingo::new(&program, open, crate::common::LIMIT).unwrap();
    for (number, situation) in situations.iter().enumerate().step_by(7) {
        assert_eq!(clingo.of(situation).unwrap(), legal[number], "{name}: {situation:?}");
    }
    for (number, (situation, action)) in steps[..of_met].iter().enumerate().step_by(of_met / 10 + 1) {
        stage.engine.judge_step(situation, *action, outcomes[number].as_ref()).unwrap();
    }
    // What cannot be is no matter for the rules, which take situations as they are.
    let judged = asked[..met].iter().zip(&sheets).step_by(met / 8 + 1);
    for ((situation, supposed), sheet) in judged {
        if let Some((_, sheet)) = sheet {
            stage.engine.judge_sheet(situation, *supposed, sheet).unwrap();
        }
    }
    situations.len()
}

#[test]
fn layouts_that_share_a_grounding_are_as_if_each_were_ground_for_itself() {
    for name in crate::common::domains() {
        let package = crate::common::package(&name);
        let cache: LayoutCache<()> = LayoutCache::default();
        let mut rng = crate::common::rng(23);
        let mut compared = 0;
        for level in package.levels.keys().copied() {
            for number in 0..LAYOUTS {
                let sample = || {
                    let mut rng = crate::common::rng(100 * level as u64 + number);
                    let drawn =
                        Layout::sample(&package, level, &Default::default(), &mut rng, crate::common::LIMIT);
                    Ok::<_, racgen::simulate::error::SimulationError>((drawn?, rng))
                };
                let limit = crate::common::LIMIT;
                let place = (level, number);
                let (prepared, _) = cache.at(place, &package, limit, sample, |_, _| Ok(())).unwrap();
                compared += compare(&package, level, &prepared, &mut rng);
                compare_draws(&package, &prepared, &mut rng);
            }
        }
        println!("{name}: {compared} situations compared");
    }
}
