//! What stories of one layout share: its grounding, its phrases and its situations, made once and kept.
//!
//! Grounding takes longer than telling many stories does, so the groups of rows take turns with the layouts.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashMap as HashMap;

use crate::domain::package::Package;
use crate::language::generic::GenericView;
use crate::language::verbalizer::Lexicon;
use crate::simulate::initial_states::{Few, Situations};
use crate::simulate::layout::{Layout, WorldError};
use crate::simulate::story::StoryError;
use crate::simulate::transition_system::CompiledLayout;

/// How many ground rules [`LayoutCache`] keep in all: a few hundred megabytes.
const MOST_RULES_KEPT: usize = 4_000_000;

/// A layout made ready for stories.
pub struct PreparedLayout {
    /// The layout.
    pub layout: Layout,
    /// Its ground program and its phrases.
    pub scenery: Arc<LayoutGrounding>,
    /// Its initial situations.
    pub situations: Situations,
}

/// What layouts of the same objects and static facts have in common.
pub struct LayoutGrounding {
    /// The ground program.
    pub compiled: Arc<CompiledLayout>,
    /// The phrases.
    pub lexicon: Arc<Lexicon>,
    /// The situations, if they are few.
    pub few: Option<Arc<Few>>,
}

impl LayoutGrounding {
    /// Grounds a layout; with `as_generic` it is told in the vocabulary of the generic domain.
    ///
    /// # Errors
    /// Solver failures, a layout without situations, a domain whose rules are not those of the generic domain.
    pub fn new(
        package: &Package,
        layout: &Layout,
        as_generic: bool,
        limit: Duration,
    ) -> Result<LayoutGrounding, StoryError> {
        let few = |compiled: &CompiledLayout| Few::of(package, layout, compiled, limit);
        LayoutGrounding::with(package, layout, as_generic, few)
    }

    fn with(
        package: &Package,
        layout: &Layout,
        as_generic: bool,
        few: impl FnOnce(&CompiledLayout) -> Result<Option<Few>, WorldError>,
    ) -> Result<LayoutGrounding, StoryError> {
        let compiled = Arc::new(CompiledLayout::new(layout.step_program(package))?);
        let mut lexicon = Lexicon::new(package, layout, &compiled);
        if as_generic {
            lexicon = lexicon.in_view(GenericView::new(package, layout, &compiled)?);
        }
        let few = few(&compiled)?.map(Arc::new);
        Ok(LayoutGrounding { compiled, lexicon: Arc::new(lexicon), few })
    }
}

impl PreparedLayout {
    /// A layout of which no situation is to be drawn, for those are known already.
    ///
    /// # Errors
    /// Solver failures.
    pub fn without_draws(
        package: &Package,
        layout: Layout,
        limit: Duration,
    ) -> Result<PreparedLayout, StoryError> {
        let scenery = Arc::new(LayoutGrounding::with(package, &layout, false, |_| Ok(None))?);
        let situations = Situations::new(package, &layout, None, limit, &mut stream(0, &["no draws"]));
        Ok(PreparedLayout { layout, scenery, situations })
    }
}

/// What tells layouts apart: parameters and static facts.
type LayoutKey = (Vec<(String, i64)>, Vec<Term>);
/// A level, and the number of one of its layouts.
pub type LayoutNumber = (i32, u64);
/// Held by whoever makes the backdrop, so that it is made once.
type CacheSlot = Arc<Mutex<Option<Arc<PreparedLayout>>>>;

#[derive(Default)]
struct CachedLayouts {
    /// Prepared layouts, and when each was used last.
    slots: HashMap<LayoutNumber, (CacheSlot, u64)>,
    scenery: HashMap<LayoutKey, Weak<LayoutGrounding>>,
    uses: u64,
    rules: usize,
}

/// Layouts that were made ready before; those not used for long give way.
#[derive(Default)]
pub struct LayoutCache(Mutex<CachedLayouts>);

impl LayoutCache {
    /// The backdrop of a place: `sample` draws its layout and its random numbers. It may be told in the vocabulary
    /// of the generic domain.
    ///
    /// # Errors
    /// Those of `sample` and of [`LayoutGrounding::new`].
    pub fn at(
        &self,
        place: LayoutNumber,
        package: &Package,
        as_generic: bool,
        limit: Duration,
        sample: impl FnOnce() -> Result<(Layout, ChaCha8Rng), StoryError>,
    ) -> Result<Arc<PreparedLayout>, StoryError> {
        let slot = {
            let mut kept = self.kept();
            kept.uses += 1;
            let now = kept.uses;
            let (slot, used) = kept.slots.entry(place).or_default();
            *used = now;
            slot.clone()
        };
        let mut made = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(backdrop) = &*made {
            return Ok(backdrop.clone());
        }
        let (layout, mut rng) = sample()?;
        let scenery = self.scenery(package, &layout, as_generic, limit)?;
        let situations = Situations::new(package, &layout, scenery.few.clone(), limit, &mut rng);
        let backdrop = Arc::new(PreparedLayout { layout, scenery, situations });
        *made = Some(backdrop.clone());
        Ok(backdrop)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, CachedLayouts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn scenery(
        &self,
        package: &Package,
        layout: &Layout,
        as_generic: bool,
        limit: Duration,
    ) -> Result<Arc<LayoutGrounding>, StoryError> {
        let parameters = layout.parameters.iter().map(|(name, value)| (name.clone(), *value));
        let key = (parameters.collect(), layout.statics.clone());
        if let Some(known) = self.kept().scenery.get(&key).and_then(Weak::upgrade) {
            return Ok(known);
        }
        let scenery = Arc::new(LayoutGrounding::new(package, layout, as_generic, limit)?);
        let mut kept = self.kept();
        kept.scenery.insert(key, Arc::downgrade(&scenery));
        kept.rules += scenery.compiled.rules;
        if kept.rules > MOST_RULES_KEPT {
            kept.forget_half();
        }
        Ok(scenery)
    }
}

impl CachedLayouts {
    /// Forgets the half of the backdrops that was not used for longest.
    fn forget_half(&mut self) {
        let mut uses: Vec<u64> = self.slots.values().map(|(_, used)| *used).collect();
        uses.sort_unstable();
        let Some(middle) = uses.get(uses.len() / 2).copied() else { return };
        self.slots.retain(|_, (_, used)| *used >= middle);
        self.scenery.retain(|_, scenery| scenery.strong_count() > 0);
        self.rules = self.scenery.values().filter_map(Weak::upgrade).map(|s| s.compiled.rules).sum();
    }
}
