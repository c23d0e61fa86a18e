//! Situations to the values that fluents have in any of them.

use crate::simulate::situation::Situation;

/// By fluent, whether it may come to be false, and whether true.
pub type Values = Vec<[bool; 2]>;

/// The values that fluents have in a situation.
pub fn values_of(situation: &Situation, fluents: usize) -> Values {
    let of = |fluent| if situation.contains(fluent) { [false, true] } else { [true, false] };
    (0..fluents).map(of).collect()
}

/// Adds the values that fluents have in some situations.
pub fn widen<'s>(values: &mut Values, situations: impl Iterator<Item = &'s Situation>) {
    // By 64 fluents, which are false somewhere, and which true.
    let mut met: Vec<[u64; 2]> = vec![[0; 2]; values.len().div_ceil(64)];
    for situation in situations {
        for ([no, yes], word) in met.iter_mut().zip(situation.words()) {
            (*no, *yes) = (*no | !word, *yes | word);
        }
    }
    for (fluent, known) in values.iter_mut().enumerate() {
        let bits = met[fluent / 64].map(|word| word >> (fluent % 64) & 1 == 1);
        known.iter_mut().zip(bits).for_each(|(known, met)| *known |= met);
    }
}
