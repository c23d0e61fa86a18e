//! Questions that list things to choose from, to those that go with them, so that how things look tells nothing.

use rustc_hash::FxHashMap as HashMap;

use crate::factory::further::offers::{OfferedQuestion, Rivalry};

/// Questions of a cell by how what is right and its rival look.
pub(super) struct Rivals<'o> {
    sides: HashMap<(u64, bool), Vec<&'o OfferedQuestion>>,
}

impl<'o> Rivals<'o> {
    /// Of these questions.
    pub(super) fn of(offers: &'o [OfferedQuestion]) -> Rivals<'o> {
        let mut sides: HashMap<(u64, bool), Vec<&OfferedQuestion>> = HashMap::default();
        for offer in offers {
            if let Some(Rivalry { between, first: Some(first) }) = offer.rivalry {
                sides.entry((between, first)).or_default().push(offer);
            }
        }
        Rivals { sides }
    }

    /// The questions with which one has to be asked, so that looks tell nothing; none where it may be asked by itself.
    pub(super) fn mates(&self, offer: &OfferedQuestion) -> Option<&[&'o OfferedQuestion]> {
        let Rivalry { between, first } = offer.rivalry?;
        Some(self.sides.get(&(between, !first?)).map_or(&[], Vec::as_slice))
    }

    /// Can it be asked, with another if need be?
    pub(super) fn may_ask(&self, offer: &OfferedQuestion) -> bool {
        self.mates(offer).is_none_or(|mates| !mates.is_empty())
    }
}
