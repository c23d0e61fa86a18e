//! A package and settings to what all groups of rows draw on: splits, layouts, and random numbers by name.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use racgen_logic::clingo::Source;
use racgen_logic::seed::stream;
use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashMap as HashMap;

use crate::domain::package::Package;
use crate::factory::choosing::profile::Shapes;
use crate::factory::error::FactoryError;
use crate::factory::further::programs::Programs;
use crate::factory::settings::{LANGUAGE_SPLIT, NAMES_SPLIT, Settings, SplitBy};
use crate::factory::side_by_side::side_by_side;
use crate::items::apportion::interleave;
use crate::items::clock::{Clock, Stage as Part};
use crate::items::source::{Split, Stream};
use crate::language::words::generic_view::GenericView;
use crate::language::words::holdout::Holdout;
use crate::language::words::lexicon::Lexicon;
use crate::simulate::layout::Layout;
use crate::simulate::layout_cache::{LayoutCache, LayoutNumber};
use crate::simulate::story::{Simulator, share_of};
use crate::simulate::transitions::compiled_layout::{CompiledLayout, Kind};
use crate::simulate::views::painter::Painter;
use crate::simulate::views::view::view_of;

/// Layouts that the groups of a stream take turns with where each is ground for itself, and where they share a grounding.
const LAYOUTS: u64 = 64;
const SHARING_LAYOUTS: u64 = 192;
/// About so many groups take turns with them before others follow.
const GROUPS_OF_A_ROUND: u64 = 2048;
/// Layouts with so many ground rules are large. Of these fewer take turns, so that all of them have about so many rules as
/// is said second, and others follow sooner: grounding one takes as long as making hundreds of rows does.
const LARGE: usize = 100_000;
const RULES_OF_LARGE_LAYOUTS: usize = 1_000_000;
const TURNS_OF_LARGE: u64 = 16;
/// Where one stream begins in the round, and where the next depth and the next split do.
const FIRST_OF_DEPTH: u64 = 16;
const FIRST_OF_SPLIT: u64 = 5;

/// The layouts that the groups of a level take turns with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    /// How many there are.
    pub(crate) layouts: u64,
    /// How many turns each of them has before others follow.
    pub(crate) turns: u64,
}

/// Layouts with numbers from here on are the same for every seed.
pub(crate) const FOR_EVERY_SEED: u64 = 1 << 40;

/// How many worlds are drawn until one falls into the split wanted.
pub(crate) const MOST_DRAWS: usize = 5000;
/// How many worlds of a layout are drawn before another layout is.
pub(crate) const DRAWS_OF_A_LAYOUT: usize = 200;
/// How many layouts are tried for a group.
pub(crate) const MOST_LAYOUTS: u64 = 60;
/// How many of them are passed over because the split has too few of their worlds.
pub(crate) const POOR_LAYOUTS: u64 = 10;

/// What is kept with the grounding of a layout: how its atoms are said, and what its questions name.
pub struct LayoutText {
    /// How the layout's atoms are said.
    pub lexicon: Arc<Lexicon>,
    /// Which objects its questions and actions name.
    pub shapes: Shapes,
    /// What draws its situations, once it is needed.
    painter: OnceLock<Painter>,
}

impl LayoutText {
    fn new(lexicon: Lexicon, compiled: &CompiledLayout) -> LayoutText {
        let painter = OnceLock::new();
        LayoutText { shapes: Shapes::new(compiled, &lexicon), lexicon: Arc::new(lexicon), painter }
    }

    /// What draws situations of the layout, which is that of a simulator.
    pub(crate) fn painter(&self, context: &Context, stage: &Simulator) -> Result<Painter, FactoryError> {
        if let Some(known) = self.painter.get() {
            return Ok(known.clone());
        }
        let made = context.painter(stage)?;
        Ok(self.painter.get_or_init(|| made).clone())
    }
}

/// Worlds by key, and the split that each belongs to.
pub type Assigned = HashMap<Arc<str>, usize>;

/// What all groups of rows of one domain draw on.
pub struct Context {
    pub(crate) package: Package,
    pub(crate) settings: Settings,
    pub(crate) splits: Vec<Split>,
    limit: Duration,
    /// By type, how many objects a world may have.
    most_objects: Vec<usize>,
    /// The split of each world of a level that has few.
    assigned: OnceLock<Assigned>,
    /// With each grounding, how its atoms are said.
    layouts: LayoutCache<LayoutText>,
    /// By level, the layouts that take turns.
    rounds: Mutex<HashMap<i32, Round>>,
    /// The rules of groups beyond prediction.
    pub(crate) programs: Programs,
    /// The view of the package, once it is needed.
    view: OnceLock<Source>,
}

impl Context {
    /// What is made of a package with these settings.
    pub fn new(package: Package, settings: Settings, limit: Duration) -> Context {
        let splits = settings.all_splits();
        let (assigned, layouts) = (OnceLock::new(), LayoutCache::new(settings.parameters.clone()));
        let most_objects = settings.most_objects(&package);
        Context {
            package,
            settings,
            splits,
            limit,
            most_objects,
            assigned,
            layouts,
            rounds: Mutex::default(),
            programs: Programs::default(),
            view: OnceLock::new(),
        }
    }

    /// What draws situations of a simulator's layout, without names.
    pub(crate) fn painter(&self, stage: &Simulator) -> Result<Painter, FactoryError> {
        let view = match self.view.get() {
            Some(view) => view,
            None => {
                let view = view_of(&self.package, self.limit)?;
                self.view.get_or_init(|| view)
            }
        };
        Ok(Painter::new(&self.package, stage.layout(), stage.engine.compiled(), view, &[])?)
    }

    /// The package.
    pub fn package(&self) -> &Package {
        &self.package
    }

    /// The limit of each solver call.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// By type, how many objects a world may have.
    pub(crate) fn most_objects(&self) -> &[usize] {
        &self.most_objects
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The splits, their weights adding up to one.
    pub fn splits(&self) -> &[Split] {
        &self.splits
    }

    /// The random numbers of a stream and these words.
    pub fn rng(&self, stream_of: Stream, words: &[&str]) -> ChaCha8Rng {
        let (level, depth) = (stream_of.level.to_string(), stream_of.depth.to_string());
        let mut all = vec!["v1", &self.package.name, &level, &depth, &self.splits[stream_of.split].name];
        all.extend(words);
        stream(self.settings.seed, &all)
    }

    /// A simulator of the layout of a number, and how the layout's atoms are said.
    pub fn stage(
        &self,
        number: LayoutNumber,
        clock: &Clock,
    ) -> Result<(Simulator<'_>, Arc<LayoutText>), FactoryError> {
        let _timer = clock.start(Part::Grounding);
        let Context { package, settings, limit, .. } = self;
        let sample = || {
            let words = [number.0.to_string(), number.1.to_string()];
            let seed = if number.1 < FOR_EVERY_SEED { settings.seed } else { 0 };
            let mut rng = stream(seed, &["v1", &package.name, "layout", &words[0], &words[1]]);
            let layout = Layout::sample(package, number.0, &settings.parameters, &mut rng, *limit)?;
            Ok((layout, rng))
        };
        let text = |layout: &Layout, compiled: &CompiledLayout| {
            let own = Lexicon::new(package, layout, compiled);
            if !settings.as_generic {
                return Ok(LayoutText::new(own, compiled));
            }
            Ok(LayoutText::new(own.in_view(GenericView::new(package, layout, compiled)?), compiled))
        };
        let (prepared, text) = self.layouts.at::<FactoryError>(number, package, *limit, sample, text)?;
        Ok((Simulator::of(package, prepared, settings.sampling, *limit), text))
    }

    /// Makes layouts ready, each as far as a position of its situations, by as many threads as there are. What is wrong with
    /// one is told when it is used.
    pub(crate) fn prepare(&self, layouts: &[(LayoutNumber, usize)], clock: &Clock) {
        if rayon::current_num_threads() < 2 {
            return;
        }
        side_by_side(layouts.len(), |place| {
            let (number, position) = layouts[place];
            if let Ok((mut stage, _)) = self.stage(number, clock) {
                stage.go_to(position);
                let _ = stage.draw_world(&mut stream(0, &["prepared"]));
            }
        });
    }

    /// The layouts that the groups of a level take turns with: more where another one costs little, fewer where the first
    /// shows that each costs much.
    pub(crate) fn round(&self, level: i32, clock: &Clock) -> Result<Round, FactoryError> {
        if let Some(known) = self.rounds.lock().unwrap_or_else(PoisonError::into_inner).get(&level) {
            return Ok(*known);
        }
        let (first, _) = self.stage((level, 0), clock)?;
        let (rules, is_shared) = (first.engine.rules, first.engine.is_shared);
        let layouts = match rules {
            LARGE.. => ((RULES_OF_LARGE_LAYOUTS / rules) as u64).clamp(2, LAYOUTS),
            _ if is_shared && !self.package.statics.is_empty() => SHARING_LAYOUTS,
            _ => LAYOUTS,
        };
        let turns = if rules >= LARGE { TURNS_OF_LARGE } else { GROUPS_OF_A_ROUND.div_ceil(layouts) };
        let round = Round { layouts, turns };
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner).insert(level, round);
        Ok(round)
    }

    /// The layout that the first group of a stream takes. The streams of a level begin at some distance from each other, but
    /// near enough for small runs to need few layouts.
    pub(crate) fn first_layout(&self, of: Stream) -> u64 {
        let depth = self.settings.depths.iter().position(|depth| *depth == of.depth).unwrap_or(0);
        FIRST_OF_DEPTH * depth as u64 + FIRST_OF_SPLIT * of.split as u64
    }

    /// How many ground rules are kept.
    pub(crate) fn rules_kept(&self) -> usize {
        self.layouts.rules_kept()
    }

    /// Forgets all groundings; they are made again when they are needed.
    pub(crate) fn forget(&self) {
        self.layouts.forget();
    }

    /// Deals out the worlds of levels that have few, once.
    pub fn assign_worlds(
        &self,
        assign: impl FnOnce() -> Result<Assigned, FactoryError>,
    ) -> Result<(), FactoryError> {
        if self.assigned.get().is_none() && !self.by_instance() && self.splits.len() > 1 {
            let assigned = assign()?;
            self.assigned.get_or_init(|| assigned);
        }
        Ok(())
    }

    /// Does a world or instance with this key belong to the split?
    pub fn belongs(&self, split: usize, key: &str) -> bool {
        if let Some(own) = self.assigned.get().and_then(|assigned| assigned.get(key)) {
            return *own == split;
        }
        let share = share_of(key);
        let before: f64 = self.splits[..split].iter().map(|s| s.weight).sum();
        let last = split + 1 == self.splits.len();
        share >= before && (last || share < before + self.splits[split].weight)
    }

    /// Do splits keep apart worlds with their plans, rather than worlds?
    pub fn by_instance(&self) -> bool {
        self.settings.split_by == SplitBy::Instance
    }

    /// The kind of question of a row, and how many of that kind came before it, where some kinds cannot be asked.
    pub fn kind(&self, index: u64, lacking: [bool; 3]) -> (Kind, u64) {
        let weights = self.settings.weights();
        let pattern = interleave(&std::array::from_fn(|kind| if lacking[kind] { 0 } else { weights[kind] }));
        let length = pattern.len() as u64;
        let at = (index % length) as usize;
        let kind = pattern[at];
        let whole = pattern.iter().filter(|k| **k == kind).count() as u64;
        let before = pattern[..at].iter().filter(|k| **k == kind).count() as u64;
        (Kind::ALL[kind], index / length * whole + before)
    }

    /// How many questions of each kind the first rows of a stream have.
    pub fn kinds(&self, rows: u64) -> [u64; 3] {
        let pattern = interleave(&self.settings.weights());
        let (whole, rest) = (rows / pattern.len() as u64, (rows % pattern.len() as u64) as usize);
        let count = |some: &[usize], kind| some.iter().filter(|k| **k == kind).count() as u64;
        std::array::from_fn(|kind| whole * count(&pattern, kind) + count(&pattern[..rest], kind))
    }

    /// Which phrasings and names a split may use.
    pub fn holdout(&self, split: usize) -> Holdout {
        Holdout {
            phrasings: self.settings.holdout_phrasings,
            names: self.settings.holdout_names,
            wanted: self.splits[split].name == LANGUAGE_SPLIT,
        }
    }

    /// By type, how many names the objects of a split may have.
    pub fn names(&self, split: usize) -> Vec<usize> {
        if self.splits[split].name == NAMES_SPLIT {
            return vec![usize::MAX; self.package.types.len()];
        }
        let kinds = self.package.types.iter().enumerate();
        kinds.map(|(kind, _)| self.pool(split, kind).len()).collect()
    }

    /// The names of a type that a split may use.
    pub fn pool(&self, split: usize, kind: usize) -> &[String] {
        let names = &self.package.types[kind].names;
        let needed = self.most_objects.get(kind).copied().unwrap_or(1);
        &names[self.holdout(split).names_for(names.len(), needed)]
    }

    /// That no world of a split turned up.
    pub fn no_world(&self, of: Stream) -> FactoryError {
        FactoryError::NoWorld {
            domain: self.package.name.clone(),
            level: of.level,
            split: self.splits[of.split].name.clone(),
        }
    }
}
