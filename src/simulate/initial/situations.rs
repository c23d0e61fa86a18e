//! A layout to its initial situations: all of them where they are few, else a random sequence that grows on demand.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rustc_hash::FxHashSet as HashSet;

use crate::domain::package::Package;
use crate::simulate::error::SimulationError;
use crate::simulate::initial::legality::{SituationRules, inertial};
use crate::simulate::initial::walks::Walks;
use crate::simulate::layout::Layout;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// Layouts with at most this many situations have them enumerated, and drawn from uniformly.
pub const ENUMERATE_AT_MOST: usize = 300;
/// Layouts with more inertial fluents than this are taken to have more situations.
const ENUMERATE_FLUENTS: usize = 40;
/// How many situations one search draws: the first, and every later one.
const PORTIONS: [usize; 2] = [24, 128];
/// Where nearly all that clingo draws was met on walks, what was met comes again so many times before clingo draws more.
const MET_AGAIN: usize = 16;
/// Of how many that it draws at most one may be new then.
const NEARLY_ALL: usize = 16;

/// A situation and its world key, once known.
#[derive(Debug)]
struct DrawnSituation {
    situation: Situation,
    key: OnceLock<Arc<str>>,
}

impl DrawnSituation {
    fn new(situation: Situation) -> DrawnSituation {
        DrawnSituation { situation, key: OnceLock::new() }
    }

    fn told(&self, key: impl Fn(&Situation) -> Arc<str>) -> (Situation, Arc<str>) {
        (self.situation.clone(), self.key.get_or_init(|| key(&self.situation)).clone())
    }
}

/// All situations of a layout, if they are few. Layouts of the same objects and static facts share them.
#[derive(Debug)]
pub struct Few(Vec<DrawnSituation>);

impl Few {
    /// Enumerates the situations of a layout; `None` if they are many.
    ///
    /// # Errors
    /// A layout without situations, solver failures.
    pub fn of(
        package: &Package,
        (layout, rules): (&Layout, &SituationRules),
        engine: &CompiledLayout,
        limit: Duration,
    ) -> Result<Option<Few>, SimulationError> {
        if engine.inertial.iter().count() > ENUMERATE_FLUENTS {
            return Ok(None);
        }
        let mut search = rules.search(None, limit)?;
        let found = search.enumerate(ENUMERATE_AT_MOST + 1)?;
        if found.is_empty() {
            return Err(layout.without_situations(package));
        }
        if found.len() > ENUMERATE_AT_MOST {
            return Ok(None);
        }
        let mut all: Vec<Situation> = found.iter().map(|answer| situation(engine, answer.iter())).collect();
        all.sort();
        all.dedup();
        Ok(Some(Few(all.into_iter().map(DrawnSituation::new).collect())))
    }
}

/// A random sequence of situations, which depends on the layout and the seed alone: first some that clingo draws, then
/// those on walks that begin there; once walks meet hardly any more, some of all these again, and further ones of clingo's.
pub struct Many {
    rules: Arc<SituationRules>,
    seed: u64,
    limit: Duration,
    kept: Mutex<KeptSituations>,
}

#[derive(Default)]
struct KeptSituations {
    portions: usize,
    drawn: Vec<Arc<DrawnSituation>>,
    /// Walks on which further situations are found, unless there are none.
    walks: Option<Walks>,
    /// How many of those drawn were so before walks met hardly any more.
    met: usize,
    /// These, to be compared with what clingo draws, while that is mostly new.
    known: HashSet<Situation>,
    /// How many portions follow for which clingo draws nothing.
    without_clingo: usize,
}

impl Many {
    /// The situation at a position of the sequence.
    fn at(
        &self,
        engine: &Arc<CompiledLayout>,
        position: usize,
    ) -> Result<Option<Arc<DrawnSituation>>, SimulationError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        while kept.drawn.len() <= position {
            let portion = kept.portions;
            kept.portions += 1;
            let mut dice = stream(self.seed, &["situations", &portion.to_string()]);
            if portion == 1 {
                let seeds = kept.drawn.iter().map(|drawn| &drawn.situation);
                kept.walks = Walks::new(&self.rules, engine, seeds, self.limit)?;
            }
            if let Some(walks) = &mut kept.walks {
                let met = walks.go_on(&mut dice)?;
                if !met.is_empty() {
                    kept.drawn.extend(met.into_iter().map(|s| Arc::new(DrawnSituation::new(s))));
                    continue;
                }
                kept.walks = None;
                kept.met = kept.drawn.len();
                kept.known = kept.drawn.iter().map(|drawn| drawn.situation.clone()).collect();
            }
            // What walks meet, clingo may hardly ever draw: all of it comes again.
            let mut again = stream(self.seed, &["situations again", &portion.to_string()]);
            let met: Vec<Arc<DrawnSituation>> =
                kept.drawn[..kept.met].sample(&mut again, PORTIONS[1]).cloned().collect();
            kept.drawn.extend(met);
            if kept.without_clingo > 0 {
                kept.without_clingo -= 1;
                continue;
            }
            let mut search = self.rules.search(Some(dice), self.limit)?;
            let fluents: Vec<Option<usize>> = search.terms().map(|atom| inertial(engine, atom)).collect();
            let (wanted, mut new) = (PORTIONS[portion.min(PORTIONS.len() - 1)], 0);
            for _ in 0..wanted {
                let Some(atoms) = search.draw()? else { return Ok(None) };
                let mut situation = BitSet::new(engine.fluents.len());
                atoms.into_iter().filter_map(|number| fluents[number]).for_each(|f| situation.insert(f));
                new += usize::from(!kept.known.contains(&situation));
                kept.drawn.push(Arc::new(DrawnSituation::new(situation)));
            }
            if new * NEARLY_ALL <= wanted {
                kept.without_clingo = MET_AGAIN;
            }
        }
        Ok(kept.drawn.get(position).cloned())
    }
}

/// The initial situations of one layout.
#[derive(Clone)]
pub enum Situations {
    /// All of them.
    Few(Arc<Few>),
    /// A random sequence.
    Many(Arc<Many>),
}

impl Situations {
    /// The situations of a layout: those given if they are few, else a sequence that the random numbers decide.
    pub fn new(
        rules: &Arc<SituationRules>,
        few: Option<Arc<Few>>,
        limit: Duration,
        rng: &mut ChaCha8Rng,
    ) -> Situations {
        let seed = rng.random();
        match few {
            Some(few) => Situations::Few(few),
            None => {
                let rules = rules.clone();
                Situations::Many(Arc::new(Many { rules, seed, limit, kept: Mutex::default() }))
            }
        }
    }

    /// The number of situations, where they are few enough to be known.
    pub fn count(&self) -> Option<usize> {
        match self {
            Situations::Few(all) => Some(all.0.len()),
            Situations::Many(_) => None,
        }
    }

    /// The keys of all situations, each once, where these are few enough to be known.
    pub fn keys(&self, key: impl Fn(&Situation) -> Arc<str>) -> Option<BTreeSet<Arc<str>>> {
        match self {
            Situations::Few(all) => Some(all.0.iter().map(|drawn| drawn.told(&key).1).collect()),
            Situations::Many(_) => None,
        }
    }

    /// Draws a situation, as the inertial fluents that are true, and its key, which `key` works out: of few
    /// situations any with the same probability, of many the next of the sequence, whose position moves on.
    ///
    /// # Errors
    /// A layout without situations, solver failures.
    pub fn draw(
        &self,
        package: &Package,
        layout: &Layout,
        engine: &Arc<CompiledLayout>,
        position: &mut usize,
        key: impl Fn(&Situation) -> Arc<str>,
        rng: &mut ChaCha8Rng,
    ) -> Result<(Situation, Arc<str>), SimulationError> {
        match self {
            Situations::Few(all) => Ok(all.0[rng.random_range(0..all.0.len())].told(key)),
            Situations::Many(many) => {
                let drawn = many.at(engine, *position)?.ok_or_else(|| layout.without_situations(package))?;
                *position += 1;
                Ok(drawn.told(key))
            }
        }
    }
}

fn situation<'t>(engine: &CompiledLayout, answer: impl Iterator<Item = &'t Term>) -> Situation {
    let mut situation = BitSet::new(engine.fluents.len());
    answer.filter_map(|atom| inertial(engine, atom)).for_each(|f| situation.insert(f));
    situation
}
