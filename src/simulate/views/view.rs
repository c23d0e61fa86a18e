//! A package to the program that derives drawing atoms of its situations.

use std::collections::BTreeMap;
use std::time::Duration;

use racgen_logic::clingo::Source;
use racgen_logic::seed::stream;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::domain::package::Package;
use crate::simulate::error::SimulationError;
use crate::simulate::layout::Layout;
use crate::simulate::plans::sampling::Sampling;
use crate::simulate::story::Simulator;
use crate::simulate::views::relations::SampledLayout;
use crate::simulate::views::usual::usual_view;

/// Layouts of a level that are looked at.
const LAYOUTS: u64 = 2;
/// The highest level that is looked at, where there are several.
const HIGHEST: i32 = 3;
/// Situations from which a layout is walked through, and the steps of each walk.
const WALKS: usize = 4;
const STEPS: usize = 10;

/// The view of a package: its own, or one that is made for it.
///
/// # Errors
/// Solver failures, a level without layouts or situations.
pub fn view_of(package: &Package, limit: Duration) -> Result<Source, SimulationError> {
    match &package.view {
        Some(view) => Ok(view.clone()),
        None => made_view(package, limit),
    }
}

/// The view that is made for a package, whether it has one or not. It depends on the package alone.
///
/// # Errors
/// As [`view_of`].
pub fn made_view(package: &Package, limit: Duration) -> Result<Source, SimulationError> {
    let mut samples = Vec::new();
    for level in package.levels.keys().filter(|level| **level <= HIGHEST || package.levels.len() == 1) {
        for number in 0..LAYOUTS {
            let words = ["view", &package.name, &level.to_string(), &number.to_string()];
            samples.push(sample(package, *level, limit, &mut stream(0, &words))?);
        }
    }
    let name = format!("the view that is made for `{}`", package.name);
    Ok(Source::new(name, usual_view(package, &samples)))
}

fn sample(
    package: &Package,
    level: i32,
    limit: Duration,
    rng: &mut ChaCha8Rng,
) -> Result<SampledLayout, SimulationError> {
    let layout = Layout::sample(package, level, &BTreeMap::new(), rng, limit)?;
    let mut simulator = Simulator::new(package, layout.clone(), Sampling::Walk, limit, rng)?;
    let mut situations = Vec::new();
    for _ in 0..WALKS {
        let (start, _) = simulator.draw_world(rng)?;
        let Some((mut here, _)) = simulator.engine.consider(&start, None)? else { continue };
        for _ in 0..=STEPS {
            let engine = &mut simulator.engine;
            let inertial = here.situation.intersection(&engine.inertial);
            situations.push(inertial.iter().map(|fluent| engine.fluents[fluent].clone()).collect());
            let Some(action) = here.executable.choose(rng).copied() else { break };
            let deeds: Vec<usize> = engine.deeds.of(action).collect();
            let Some(deed) = deeds.choose(rng).copied() else { break };
            let Some(next) = engine.step(&here.situation, deed)? else { break };
            here = next;
        }
    }
    let engine = &simulator.engine;
    let fluents = engine.inertial.iter().map(|fluent| engine.fluents[fluent].clone()).collect();
    Ok(SampledLayout { layout, fluents, situations })
}
