//! A vocabulary and a theory to the words of a domain.

use rand::rngs::ChaCha8Rng;

use crate::invent::theory::parts::InventedTheory;
use crate::invent::words::contrary::contrary;
use crate::invent::words::everyday::everyday;
use crate::invent::words::made_up::made_up;
use crate::invent::words::vocabulary::{DomainWords, TheoryWords};

/// Words for a theory.
pub fn words_for(theory: &InventedTheory, vocabulary: DomainWords, rng: &mut ChaCha8Rng) -> TheoryWords {
    match vocabulary {
        DomainWords::Invented => made_up(theory, rng),
        DomainWords::Everyday => everyday(theory, rng),
        DomainWords::Contrary => contrary(theory, rng),
    }
}
