//! Features to guesses: a naive Bayes classifier over what is present and what is not, cross-validated.

use rustc_hash::FxHashMap as HashMap;

use crate::audit::attacks::folds::FOLDS;

/// The most answers that are told apart; rarer ones count as one.
const MOST_LABELS: usize = 20;

/// Which of the examples are guessed right by a classifier that has not seen their fold. Examples are features, a
/// label and a fold below [`FOLDS`]; whatever belongs together must share a fold.
pub fn guesses(examples: &[(&[u32], u32, usize)]) -> Vec<bool> {
    let mut counts: HashMap<u32, usize> = HashMap::default();
    examples.iter().for_each(|(_, label, _)| *counts.entry(*label).or_default() += 1);
    let mut frequent: Vec<(u32, usize)> = counts.into_iter().collect();
    frequent.sort_unstable_by_key(|(label, count)| (std::cmp::Reverse(*count), *label));
    frequent.truncate(MOST_LABELS);
    let place: HashMap<u32, usize> = frequent.iter().enumerate().map(|(n, (label, _))| (*label, n)).collect();
    let labels = frequent.len();
    // Counts of each fold, so that those of the others are a difference.
    let mut with: HashMap<u32, Vec<u32>> = HashMap::default();
    let mut totals = vec![0u32; FOLDS * labels];
    for (features, label, fold) in examples {
        let Some(label) = place.get(label) else { continue };
        totals[fold * labels + label] += 1;
        for feature in *features {
            with.entry(*feature).or_insert_with(|| vec![0; FOLDS * labels])[fold * labels + label] += 1;
        }
    }
    let outside = |counts: &[u32], fold: usize, label: usize| -> f64 {
        let all: u32 = (0..FOLDS).filter(|f| *f != fold).map(|f| counts[f * labels + label]).sum();
        f64::from(all)
    };
    // The chance of a feature, and what its absence says where nothing is present.
    let chance = |counts: &[u32], fold: usize, label: usize| -> f64 {
        (outside(counts, fold, label) + 0.5) / (outside(&totals, fold, label) + 1.0)
    };
    let mut absent = vec![0.0; FOLDS * labels];
    let mut features: Vec<&u32> = with.keys().collect();
    features.sort_unstable();
    for feature in features {
        for (place, sum) in absent.iter_mut().enumerate() {
            *sum += (1.0 - chance(&with[feature], place / labels, place % labels)).max(1e-9).ln();
        }
    }
    examples
        .iter()
        .map(|(features, label, fold)| {
            let prior = |l: usize| (outside(&totals, *fold, l) + 1.0).ln() + absent[fold * labels + l];
            let mut scores: Vec<f64> = (0..labels).map(prior).collect();
            for feature in *features {
                let Some(counts) = with.get(feature) else { continue };
                for (l, score) in scores.iter_mut().enumerate() {
                    let p = chance(counts, *fold, l);
                    *score += p.ln() - (1.0 - p).max(1e-9).ln();
                }
            }
            let best = (0..labels).max_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a)));
            best.is_some() && best == place.get(label).copied()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learns_a_word_that_gives_the_answer_away() {
        let features: Vec<[u32; 2]> = (0..200).map(|n| [n % 2, 7 + n % 3]).collect();
        let told: Vec<(&[u32], u32, usize)> =
            features.iter().enumerate().map(|(n, f)| (&f[..], f[0], n / 2 % FOLDS)).collect();
        assert!(guesses(&told).iter().all(|right| *right));
        let blind: Vec<(&[u32], u32, usize)> =
            features.iter().enumerate().map(|(n, f)| (&f[1..], f[0], n / 2 % FOLDS)).collect();
        let right = guesses(&blind).iter().filter(|right| **right).count();
        assert!((60..=140).contains(&right), "{right}");
    }
}
