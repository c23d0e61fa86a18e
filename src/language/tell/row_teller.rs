//! A row that was carried out again to sentences about its situations and actions, each in the first of its phrasings.

use racgen_data::row::ObjectName;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::domain::package::Package;
use crate::language::tell::verbalize::Verbalize;
use crate::language::tell::verbalizer::Verbalizer;
use crate::language::words::holdout::Holdout;
use crate::language::words::lexicon::Lexicon;
use crate::language::words::naming::Naming;
use crate::language::words::text::capital;
use crate::simulate::replay::Replay;

/// Holds out all phrasings but the first of each list, so that a fluent is said alike in each state.
const FIRST: Holdout = Holdout { phrasings: 1.0, names: 0.0, wanted: false };

/// Tells of a row's story outside of its texts.
pub struct RowTeller<'a> {
    package: &'a Package,
    replay: &'a Replay,
    lexicon: Lexicon,
    naming: Naming,
}

impl<'a> RowTeller<'a> {
    /// Tells of a replayed row, whose objects have these names.
    pub fn new(package: &'a Package, replay: &'a Replay, objects: &[ObjectName]) -> RowTeller<'a> {
        RowTeller {
            package,
            replay,
            lexicon: Lexicon::new(package, &replay.layout, &replay.engine),
            naming: Naming::of_row(&replay.layout, objects),
        }
    }

    /// The names of the objects.
    pub fn naming(&self) -> &Naming {
        &self.naming
    }

    fn told(&self, of: impl FnOnce(&Verbalizer, &mut ChaCha8Rng) -> String) -> String {
        let RowTeller { package, replay, lexicon, naming } = self;
        let (layout, engine) = (&replay.layout, &replay.engine);
        // There is one phrasing to draw from, so the generator decides nothing.
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        of(&Verbalizer { package, layout, engine, lexicon, naming, holdout: FIRST }, &mut rng)
    }

    /// The clause that a fluent is true; those without a phrase stand as terms.
    pub fn statement(&self, fluent: usize) -> String {
        self.told(|teller, rng| teller.statement(&fluent, rng))
    }

    /// The sentence that an action took place.
    pub fn did(&self, action: usize) -> String {
        capital(&self.told(|teller, rng| teller.did(0, &action, rng)))
    }
}
