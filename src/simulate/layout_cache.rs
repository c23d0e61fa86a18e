//! Layouts to prepared layouts, each made once and kept.
//!
//! Grounding takes longer than drawing many stories does, so the groups of rows take turns with the layouts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use racgen_logic::canonical::WorldKeys;
use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashMap as HashMap;

use crate::domain::package::Package;
use crate::simulate::error::SimulationError;
use crate::simulate::initial::legality::{Legality, SituationRules};
use crate::simulate::initial::situations::{Few, Situations};
use crate::simulate::interchange::Interchange;
use crate::simulate::layout::Layout;
use crate::simulate::narrative::completions::CompletionRules;
use crate::simulate::narrative::partly::naming;
use crate::simulate::open::level::{OpenLayout, OpenLevel};
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// How many ground rules a [`LayoutCache`] keeps in all: about a gigabyte. The layouts of a level that take turns must all
/// find room, or they are made again and again.
const MOST_RULES_KEPT: usize = 16_000_000;

/// A layout made ready for stories.
pub struct PreparedLayout {
    /// The layout.
    pub layout: Layout,
    /// Its ground program.
    pub compiled: Arc<CompiledLayout>,
    /// Its initial situations.
    pub situations: Situations,
    /// The rules that say which they are.
    rules: Arc<SituationRules>,
    /// The keys of its worlds.
    keys: OnceLock<WorldKeys>,
    /// The rules that complete what is told of its situations, once they are needed.
    completions: OnceLock<Option<CompletionRules>>,
    /// By object, the fluents that name it, once they are needed.
    naming: OnceLock<Vec<BitSet>>,
    /// What becomes of the rest when two objects change places, of the pairs that were asked for.
    interchanges: Mutex<HashMap<[usize; 2], Option<Arc<Interchange>>>>,
}

impl PreparedLayout {
    /// A layout whose program is ground and whose situations are known.
    pub(crate) fn of(
        layout: Layout,
        compiled: Arc<CompiledLayout>,
        rules: Arc<SituationRules>,
        situations: Situations,
    ) -> PreparedLayout {
        PreparedLayout {
            layout,
            compiled,
            situations,
            rules,
            keys: OnceLock::new(),
            completions: OnceLock::new(),
            naming: OnceLock::new(),
            interchanges: Mutex::default(),
        }
    }

    /// Grounds a layout.
    ///
    /// # Errors
    /// Solver failures, a layout without situations.
    pub fn new(
        package: &Package,
        layout: Layout,
        limit: Duration,
        rng: &mut ChaCha8Rng,
    ) -> Result<PreparedLayout, SimulationError> {
        let compiled = Arc::new(CompiledLayout::new(layout.step_program(package))?);
        let rules = Arc::new(SituationRules::new(package, &layout));
        let few = Few::of(package, (&layout, &rules), &compiled, limit)?.map(Arc::new);
        let situations = Situations::new(&rules, few, limit, rng);
        Ok(PreparedLayout::of(layout, compiled, rules, situations))
    }

    /// A layout of which no situation is to be drawn, for those are known already.
    ///
    /// # Errors
    /// Solver failures.
    pub fn without_draws(
        package: &Package,
        layout: Layout,
        limit: Duration,
    ) -> Result<PreparedLayout, SimulationError> {
        let compiled = Arc::new(CompiledLayout::new(layout.step_program(package))?);
        let rules = Arc::new(SituationRules::new(package, &layout));
        let situations = Situations::new(&rules, None, limit, &mut stream(0, &["no draws"]));
        Ok(PreparedLayout::of(layout, compiled, rules, situations))
    }

    /// The key of the world with this initial situation in a domain.
    pub(crate) fn world_key(&self, domain: &str, situation: &Situation) -> String {
        let CompiledLayout { fluents, inertial, .. } = &*self.compiled;
        let keys = self.keys.get_or_init(|| {
            let ids: Vec<&str> = self.layout.objects.iter().map(|object| object.id.as_ref()).collect();
            let kinds: Vec<usize> = self.layout.objects.iter().map(|object| object.kind).collect();
            WorldKeys::new(domain, &ids, &kinds, self.layout.statics.iter().chain(fluents))
        });
        let statics = self.layout.statics.len();
        keys.key((0..statics).chain(situation.iter().filter(|f| inertial.contains(*f)).map(|f| statics + f)))
    }

    /// The rules that complete what is told of the layout's situations; none where they do not decide it.
    ///
    /// # Errors
    /// Solver failures.
    pub fn completions(&self, package: &Package) -> Result<Option<&CompletionRules>, SimulationError> {
        if let Some(known) = self.completions.get() {
            return Ok(known.as_ref());
        }
        let shared = self.rules.open().and_then(OpenLayout::completions);
        let made = match shared.and_then(|ground| CompletionRules::of_open(ground, &self.compiled)) {
            Some(made) => Some(made),
            None => CompletionRules::new(&self.layout.completion_program(package), &self.compiled)?,
        };
        Ok(self.completions.get_or_init(|| made).as_ref())
    }

    /// By object, the fluents that name it.
    pub(crate) fn naming(&self) -> &[BitSet] {
        let of = |id: &str| naming(&self.compiled.fluents, &[id]);
        self.naming.get_or_init(|| self.layout.objects.iter().map(|object| of(&object.id)).collect())
    }

    /// Two objects that change places; none where they may not.
    pub(crate) fn interchange(&self, pair: [usize; 2]) -> Option<Arc<Interchange>> {
        let mut known = self.interchanges.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .entry(pair)
            .or_insert_with(|| Interchange::of(&self.layout, &self.compiled, pair).map(Arc::new))
            .clone()
    }

    /// What tells which situations are initial situations of the layout.
    ///
    /// # Errors
    /// Solver failures.
    pub fn legality(&self, limit: Duration) -> Result<Legality, SimulationError> {
        let lanes = self.rules.lanes(&self.compiled)?;
        Ok(Legality::new(self.rules.program.clone(), self.compiled.clone(), lanes, limit))
    }
}

/// A level, and the number of one of its layouts.
pub type LayoutNumber = (i32, u64);

/// What tells groundings apart: parameters and static facts.
type GroundingKey = (Vec<(String, i64)>, Vec<Term>);

/// What layouts of the same objects and static facts have in common.
struct SharedGrounding<W> {
    compiled: Arc<CompiledLayout>,
    rules: Arc<SituationRules>,
    /// The situations, if they are few.
    few: Option<Arc<Few>>,
    /// What the caller keeps with it.
    companion: Arc<W>,
}

/// A kept layout. The grounding is held so that other layouts find it as long as this one is kept.
struct KeptLayout<W> {
    prepared: Arc<PreparedLayout>,
    grounding: Arc<SharedGrounding<W>>,
}

/// Held by whoever makes the layout, so that it is made once.
type CacheSlot<W> = Arc<Mutex<Option<KeptLayout<W>>>>;

struct CachedLayouts<W> {
    /// Layouts, and when each was used last.
    slots: HashMap<LayoutNumber, (CacheSlot<W>, u64)>,
    groundings: HashMap<GroundingKey, Weak<SharedGrounding<W>>>,
    uses: u64,
    rules: usize,
    /// By level, the groundings that its layouts share, where they do; made once.
    levels: HashMap<i32, Arc<OnceLock<Option<Arc<OpenLevel>>>>>,
}

/// Layouts that were made ready before; those not used for long give way. With each grounding it keeps a `W` that
/// the layer above makes of it, such as how its atoms are said.
pub struct LayoutCache<W> {
    layouts: Mutex<CachedLayouts<W>>,
    /// Parameters that all layouts have.
    fixed: BTreeMap<String, i64>,
}

impl<W> Default for LayoutCache<W> {
    fn default() -> LayoutCache<W> {
        LayoutCache::new(BTreeMap::new())
    }
}

impl<W> LayoutCache<W> {
    /// A cache for layouts with these parameters, whatever their level says.
    pub fn new(fixed: BTreeMap<String, i64>) -> LayoutCache<W> {
        let (slots, groundings, levels) = (HashMap::default(), HashMap::default(), HashMap::default());
        LayoutCache {
            layouts: Mutex::new(CachedLayouts { slots, groundings, uses: 0, rules: 0, levels }),
            fixed,
        }
    }

    /// The layout of a number, ready for stories, and its companion. Where they are not known yet, `sample` draws
    /// the layout and its random numbers, and `companion` makes the other of layout and grounding.
    ///
    /// # Errors
    /// Those of `sample` and `companion`; solver failures, a layout without situations.
    pub fn at<E: From<SimulationError>>(
        &self,
        number: LayoutNumber,
        package: &Package,
        limit: Duration,
        sample: impl FnOnce() -> Result<(Layout, ChaCha8Rng), E>,
        companion: impl FnOnce(&Layout, &CompiledLayout) -> Result<W, E>,
    ) -> Result<(Arc<PreparedLayout>, Arc<W>), E> {
        let slot = self.slot(number);
        let mut made = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = &*made {
            return Ok((kept.prepared.clone(), kept.grounding.companion.clone()));
        }
        let (layout, mut rng) = sample()?;
        let grounding = self.grounding((number.0, package), &layout, limit, companion)?;
        let situations = Situations::new(&grounding.rules, grounding.few.clone(), limit, &mut rng);
        let (compiled, rules) = (grounding.compiled.clone(), grounding.rules.clone());
        let prepared = Arc::new(PreparedLayout::of(layout, compiled, rules, situations));
        let companion = grounding.companion.clone();
        *made = Some(KeptLayout { prepared: prepared.clone(), grounding });
        Ok((prepared, companion))
    }

    /// How many ground rules are kept.
    pub fn rules_kept(&self) -> usize {
        self.kept().rules
    }

    /// Forgets everything; who uses a layout still may go on.
    pub fn forget(&self) {
        let mut kept = self.kept();
        let (slots, groundings, levels) = (HashMap::default(), HashMap::default(), HashMap::default());
        *kept = CachedLayouts { slots, groundings, levels, uses: kept.uses, rules: 0 };
    }

    fn kept(&self) -> MutexGuard<'_, CachedLayouts<W>> {
        self.layouts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self, number: LayoutNumber) -> CacheSlot<W> {
        let mut kept = self.kept();
        kept.uses += 1;
        let now = kept.uses;
        let (slot, used) = kept.slots.entry(number).or_default();
        *used = now;
        slot.clone()
    }

    /// A layout among those of its level that share groundings, if these do.
    fn open(&self, level: i32, package: &Package, layout: &Layout) -> Option<OpenLayout> {
        let shared = self.kept().levels.entry(level).or_default().clone();
        let shared = shared.get_or_init(|| OpenLevel::new(package, level, &self.fixed).map(Arc::new));
        shared.as_ref()?.layout(package, layout)
    }

    fn grounding<E: From<SimulationError>>(
        &self,
        (level, package): (i32, &Package),
        layout: &Layout,
        limit: Duration,
        companion: impl FnOnce(&Layout, &CompiledLayout) -> Result<W, E>,
    ) -> Result<Arc<SharedGrounding<W>>, E> {
        let parameters = layout.parameters.iter().map(|(name, value)| (name.clone(), *value));
        let key = (parameters.collect(), layout.statics.clone());
        if let Some(known) = self.kept().groundings.get(&key).and_then(Weak::upgrade) {
            return Ok(known);
        }
        let open = self.open(level, package, layout);
        let program = layout.step_program(package);
        let compiled = match open.as_ref().and_then(OpenLayout::step) {
            Some(ground) => CompiledLayout::of_open(program, &ground),
            None => CompiledLayout::new(program),
        };
        let compiled = compiled.map_err(SimulationError::from)?;
        let rules = Arc::new(SituationRules::of(package, layout, open));
        let companion = Arc::new(companion(layout, &compiled)?);
        let few = Few::of(package, (layout, &rules), &compiled, limit)?.map(Arc::new);
        let grounding = Arc::new(SharedGrounding { compiled: Arc::new(compiled), rules, few, companion });
        let mut kept = self.kept();
        kept.groundings.insert(key, Arc::downgrade(&grounding));
        kept.rules += grounding.compiled.rules;
        if kept.rules > MOST_RULES_KEPT {
            kept.forget_half();
        }
        Ok(grounding)
    }
}

impl<W> CachedLayouts<W> {
    /// Forgets the half of the layouts that was not used for longest.
    fn forget_half(&mut self) {
        let mut uses: Vec<u64> = self.slots.values().map(|(_, used)| *used).collect();
        uses.sort_unstable();
        let Some(middle) = uses.get(uses.len() / 2).copied() else { return };
        self.slots.retain(|_, (_, used)| *used >= middle);
        self.groundings.retain(|_, grounding| grounding.strong_count() > 0);
        self.rules = self.groundings.values().filter_map(Weak::upgrade).map(|g| g.compiled.rules).sum();
    }
}
