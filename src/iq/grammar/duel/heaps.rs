//! Choices to heaps that two players take from, in turns: who cannot take any more loses, or wins.

use std::collections::HashMap;

use crate::iq::grammar::code::{ChoiceCode, TooShort};
use crate::iq::grammar::duel::outlook::{PlayOutlook, outlook};
use crate::iq::grammar::duel::rules::DuelRules;
use crate::iq::grammar::kif::KifText;

/// What is chosen of a game of heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
struct HeapChoices {
    heaps: Vec<usize>,
    taken: Vec<usize>,
    misere: bool,
}

fn derive_choices(code: &mut ChoiceCode) -> Result<HeapChoices, TooShort> {
    let count = 1 + code.several(2)?;
    let most = 2 + code.several(2)?;
    let mut taken: Vec<usize> = (1..=most).collect();
    // What may be taken is both odd and even, and heaps are larger than what is taken at once: else the number of moves, and so
    // the winner, would mostly be settled before play begins.
    match most {
        3 if code.bit()? => drop(taken.remove(0)),
        4 if code.bit()? => drop(taken.remove(code.among(3)?)),
        _ => {}
    }
    let mut heaps = Vec::new();
    for _ in 0..count {
        heaps.push(most + 1 + code.several(6)?);
    }
    if let [only] = &mut heaps[..] {
        // One small heap would be over at once.
        *only += 4;
    }
    let misere = code.bit()?;
    // Some small heaps are settled all the same, as two of five from which two or three are taken: one of them grows.
    while heaps_outlook(&heaps, &taken, misere).settled() {
        heaps[0] += 1;
    }
    Ok(HeapChoices { heaps, taken, misere })
}

/// Any heaps, and what may be taken at once.
///
/// # Errors
/// Those of the code.
pub fn derive_heaps(code: &mut ChoiceCode) -> Result<DuelRules, TooShort> {
    let HeapChoices { heaps, taken, misere } = derive_choices(code)?;
    let mut out = KifText::default();
    for (heap, size) in heaps.iter().enumerate() {
        out.line(format_args!("(init (heap h{heap} {size}))"));
    }
    for size in 1..=heaps.iter().copied().max().unwrap_or(0) {
        for take in taken.iter().filter(|take| **take <= size) {
            out.line(format_args!("(less {size} {take} {})", size - take));
        }
    }
    let heap = "(true (heap ?h ?n))";
    out.rule("(legal ?p (take ?h ?m))", &["(true (control ?p))", heap, "(less ?n ?m ?l)"]);
    out.rule("(taken ?h)", &["(does ?p (take ?h ?m))"]);
    out.rule("(next (heap ?h ?l))", &["(does ?p (take ?h ?m))", heap, "(less ?n ?m ?l)"]);
    out.rule("(next (heap ?h ?n))", &[heap, "(not (taken ?h))"]);
    out.rule("open", &[heap, "(less ?n ?m ?l)"]);
    out.rule("over", &["(not open)"]);
    match misere {
        true => out.rule("(wins ?p)", &["over", "(true (control ?p))"]),
        false => out.rule("(wins ?q)", &["over", "(true (control ?p))", "(other ?p ?q)"]),
    }
    let steps: usize = heaps.iter().map(|size| size.div_ceil(taken[0])).sum();
    // Who is lost whatever he does is measured by nothing, so that the agent has the role that can win.
    let seat = usize::from(!heaps_outlook(&heaps, &taken, misere).wins);
    Ok(DuelRules { kind: "heaps", rules: out, horizon: steps as u32, draws: false, seat: Some(seat) })
}

/// Who can win these heaps, and whether play matters.
fn heaps_outlook(heaps: &[usize], taken: &[usize], misere: bool) -> PlayOutlook {
    let moves = |heaps: &Vec<usize>| {
        let mut after = Vec::new();
        for heap in 0..heaps.len() {
            for take in taken.iter().filter(|take| **take <= heaps[heap]) {
                let mut next = heaps.clone();
                next[heap] -= take;
                next.sort_unstable();
                after.push(next);
            }
        }
        after
    };
    outlook(&heaps.to_vec(), &moves, misere, &mut HashMap::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iq::grammar::code::enumerate;

    /// With Bouton's heaps, the sum without carries tells who wins; one heap from which one or two are taken is lost at
    /// multiples of three.
    #[test]
    fn who_can_win_is_known() {
        let wins = |heaps: &[usize], most: usize, misere| {
            heaps_outlook(heaps, &(1..=most).collect::<Vec<_>>(), misere).wins
        };
        for a in 0..5 {
            for b in 0..5 {
                for c in 0..5 {
                    assert_eq!(wins(&[a, b, c], 5, false), a ^ b ^ c != 0, "{a} {b} {c}");
                }
            }
        }
        for heap in 0..12 {
            assert_eq!(wins(&[heap], 2, false), heap % 3 != 0);
            assert_eq!(wins(&[heap], 2, true), heap % 3 != 1);
        }
    }

    /// In no heaps that the grammar derives is the winner settled before play begins, as where just two may be taken.
    #[test]
    fn play_matters() {
        let settled = |heaps: &[usize], taken: &[usize]| heaps_outlook(heaps, taken, false).settled();
        assert!(settled(&[8], &[2]) && settled(&[4, 5], &[1, 3]) && settled(&[5, 5], &[2, 3]));
        let (found, _) = enumerate(&derive_choices, 14);
        assert!(found.len() > 500, "{}", found.len());
        for (_, HeapChoices { heaps, taken, misere }) in found {
            assert!(!heaps_outlook(&heaps, &taken, misere).settled(), "{heaps:?} {taken:?} {misere}");
        }
    }
}
