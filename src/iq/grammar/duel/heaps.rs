//! Choices to heaps that two players take from, in turns: who cannot take any more loses, or wins.

use std::collections::HashMap;

use crate::iq::grammar::code::{ChoiceCode, TooShort};
use crate::iq::grammar::duel::rules::DuelRules;
use crate::iq::grammar::kif::KifText;

/// Any heaps, and what may be taken at once.
///
/// # Errors
/// Those of the code.
pub fn derive_heaps(code: &mut ChoiceCode) -> Result<DuelRules, TooShort> {
    let mut heaps = Vec::new();
    for _ in 0..1 + code.several(2)? {
        heaps.push(3 + code.several(6)?);
    }
    if let [only] = &mut heaps[..] {
        // One small heap would be over at once.
        *only += 4;
    }
    let most = 2 + code.several(2)?;
    let mut taken: Vec<usize> = (1..=most).collect();
    if code.bit()? {
        taken.remove(code.among(most - 1)?);
    }
    let misere = code.bit()?;
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
    let seat = usize::from(!can_win(&heaps, &taken, misere, &mut HashMap::new()));
    Ok(DuelRules { kind: "heaps", rules: out, horizon: steps as u32, draws: false, seat: Some(seat) })
}

/// Can the player win who is to move?
fn can_win(heaps: &[usize], taken: &[usize], misere: bool, known: &mut HashMap<Vec<usize>, bool>) -> bool {
    if let Some(known) = known.get(heaps) {
        return *known;
    }
    let (mut moves, mut wins) = (false, false);
    for heap in 0..heaps.len() {
        for take in taken.iter().filter(|take| **take <= heaps[heap]) {
            let mut after = heaps.to_vec();
            after[heap] -= take;
            moves = true;
            wins |= !can_win(&after, taken, misere, known);
        }
    }
    let wins = if moves { wins } else { misere };
    known.insert(heaps.to_vec(), wins);
    wins
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With Bouton's heaps, the sum without carries tells who wins; one heap from which one or two are taken is lost at
    /// multiples of three.
    #[test]
    fn who_can_win_is_known() {
        let wins = |heaps: &[usize], most: usize, misere| {
            can_win(heaps, &(1..=most).collect::<Vec<_>>(), misere, &mut HashMap::new())
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
}
