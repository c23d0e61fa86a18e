//! Random choices of a grammar to the length of what is chosen, in bits.
//!
//! Each choice is among alternatives of known weights; the code of a theory is the sequence of its choices, so that no
//! code is the beginning of another, and its length is the sum of what each choice tells.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

/// Draws, and counts bits.
pub struct GrammarDrawing {
    rng: ChaCha8Rng,
    bits: f64,
}

impl GrammarDrawing {
    /// Begins with nothing chosen.
    pub fn new(rng: ChaCha8Rng) -> GrammarDrawing {
        GrammarDrawing { rng, bits: 0.0 }
    }

    /// The length of what was chosen so far.
    pub fn bits(&self) -> f64 {
        self.bits
    }

    /// One of so many, each as likely as the other; there is at least one.
    pub fn one_of(&mut self, count: usize) -> usize {
        self.bits += (count.max(1) as f64).log2();
        self.rng.random_range(0..count.max(1))
    }

    /// One of a list, each as likely as the other.
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.one_of(all.len())])
    }

    /// Yes, in `yes` of `of` cases.
    pub fn chance(&mut self, yes: u32, of: u32) -> bool {
        let is = self.rng.random_range(0..of) < yes;
        let share = f64::from(if is { yes } else { of - yes }) / f64::from(of);
        self.bits -= share.log2();
        is
    }
}

#[cfg(test)]
mod tests {
    use racgen_logic::seed::stream;

    use super::*;

    #[test]
    fn the_length_is_the_sum_of_what_choices_tell() {
        let mut drawing = GrammarDrawing::new(stream(1, &["test"]));
        drawing.one_of(8);
        drawing.one_of(1);
        assert!((drawing.bits() - 3.0).abs() < 1e-9);
        let yes = drawing.chance(1, 4);
        let told = if yes { 2.0 } else { (4.0f64 / 3.0).log2() };
        assert!((drawing.bits() - 3.0 - told).abs() < 1e-9);
    }
}
