//! Small numbers to a yes or a no: gradient boosted trees, cross-validated.
//!
//! Trees of depth three are fitted to the gradient of the logistic loss, one after the other, each leaf by one Newton
//! step (Friedman 2001, "Greedy function approximation: a gradient boosting machine"). A column of kinds is split by
//! its values in the order of their mean gradient, which finds the best of all ways to part them (Fisher 1958).

use rayon::prelude::*;

/// Values that a column may have; greater ones count as the greatest.
pub const BINS: usize = 64;

/// Questions in a row before an answer: two objects and an action, say.
const DEPTH: usize = 3;
/// Trees. More find little that these do not.
const ROUNDS: usize = 60;
/// How far each tree goes.
const RATE: f64 = 0.15;
/// What a leaf's weight is held against, so that few items move little.
const SMOOTH: f64 = 1.0;
/// The same for a group of kinds, of which there are many ways to choose.
const SMOOTH_KINDS: f64 = 10.0;
/// The least weight on either side of a split: that of 16 items about which nothing is known yet.
const LEAST: f64 = 4.0;

/// What is known of all items in one respect.
#[derive(Clone, Debug)]
pub struct BinnedColumn {
    /// A value below [`BINS`] for each item.
    pub bins: Vec<u8>,
    /// Are the values amounts? Else they are kinds, in no order.
    pub ordered: bool,
}

impl BinnedColumn {
    /// A column of any small numbers: amounts stay as they are, kinds are numbered from the most frequent on, and rare
    /// ones share a number. None if all are alike.
    pub fn new(values: &[u8], ordered: bool) -> Option<BinnedColumn> {
        if values.windows(2).all(|two| two[0] == two[1]) {
            return None;
        }
        let last = BINS as u8 - 1;
        if ordered {
            return Some(BinnedColumn { bins: values.iter().map(|v| (*v).min(last)).collect(), ordered });
        }
        let mut counts = [0usize; 256];
        values.iter().for_each(|v| counts[usize::from(*v)] += 1);
        let mut order: Vec<usize> = (0..256).collect();
        order.sort_by_key(|v| std::cmp::Reverse(counts[*v]));
        let mut numbers = [last; 256];
        order.iter().take(BINS).enumerate().for_each(|(number, v)| numbers[*v] = number as u8);
        Some(BinnedColumn { bins: values.iter().map(|v| numbers[usize::from(*v)]).collect(), ordered })
    }
}

/// Sums of gradients and of their slopes.
#[derive(Clone, Copy, Default)]
struct Sum {
    gradient: f64,
    slope: f64,
}

impl Sum {
    fn add(&mut self, gradient: f64, slope: f64) {
        self.gradient += gradient;
        self.slope += slope;
    }

    fn minus(self, other: Sum) -> Sum {
        Sum { gradient: self.gradient - other.gradient, slope: self.slope - other.slope }
    }

    fn gain(self, smooth: f64) -> f64 {
        self.gradient * self.gradient / (self.slope + smooth)
    }
}

/// A question of a tree: the values of a column, one bit each, for which one goes left.
#[derive(Clone, Copy)]
struct TreeSplit {
    column: usize,
    left: u64,
    gain: f64,
}

/// The best split of a node by one column, if any gains something.
fn split(column: usize, ordered: bool, bins: &[Sum]) -> Option<TreeSplit> {
    let smooth = if ordered { SMOOTH } else { SMOOTH_KINDS };
    let mut order: Vec<usize> = (0..bins.len()).filter(|bin| bins[*bin].slope > 0.0).collect();
    if !ordered {
        let mean = |bin: usize| bins[bin].gradient / (bins[bin].slope + smooth);
        order.sort_by(|a, b| mean(*a).total_cmp(&mean(*b)).then(a.cmp(b)));
    }
    let mut all = Sum::default();
    order.iter().for_each(|bin| all.add(bins[*bin].gradient, bins[*bin].slope));
    let (mut left, mut mask) = (Sum::default(), 0u64);
    let mut best: Option<TreeSplit> = None;
    for bin in order {
        left.add(bins[bin].gradient, bins[bin].slope);
        mask |= 1 << bin;
        let right = all.minus(left);
        if left.slope < LEAST || right.slope < LEAST {
            continue;
        }
        let gain = left.gain(smooth) + right.gain(smooth) - all.gain(smooth);
        if gain > best.map_or(1e-9, |known| known.gain) {
            best = Some(TreeSplit { column, left: mask, gain });
        }
    }
    best
}

/// The state of learning: what is thought of each item, and how it is to change. Items that are not to be learned
/// from have no weight, but are thought of all the same.
struct BoostedLearner<'a> {
    columns: &'a [BinnedColumn],
    labels: &'a [bool],
    learned: Vec<bool>,
    thought: Vec<f64>,
    gradients: Vec<(f64, f64)>,
    nodes: Vec<u8>,
}

impl BoostedLearner<'_> {
    fn set_gradients(&mut self) {
        for (item, gradient) in self.gradients.iter_mut().enumerate() {
            if self.learned[item] {
                let p = 1.0 / (1.0 + (-self.thought[item]).exp());
                *gradient = (p - f64::from(u8::from(self.labels[item])), p * (1.0 - p));
            }
        }
    }

    /// The best split of each node of a level.
    fn splits(&self, nodes: usize) -> Vec<Option<TreeSplit>> {
        let mut best: Vec<Option<TreeSplit>> = vec![None; nodes];
        let mut sums = vec![Sum::default(); nodes * BINS];
        for (number, column) in self.columns.iter().enumerate() {
            sums.fill(Sum::default());
            for ((node, bin), gradient) in self.nodes.iter().zip(&column.bins).zip(&self.gradients) {
                sums[usize::from(*node) * BINS + usize::from(*bin)].add(gradient.0, gradient.1);
            }
            for (best, bins) in best.iter_mut().zip(sums.chunks(BINS)) {
                let found = split(number, column.ordered, bins);
                if let Some(found) = found.filter(|f| best.is_none_or(|known| f.gain > known.gain)) {
                    *best = Some(found);
                }
            }
        }
        best
    }

    /// Grows a tree, and goes with it.
    fn round(&mut self) {
        self.set_gradients();
        self.nodes.fill(0);
        for level in 0..DEPTH {
            let splits = self.splits(1 << level);
            for (item, node) in self.nodes.iter_mut().enumerate() {
                let right = splits[usize::from(*node)]
                    .is_some_and(|split| split.left >> self.columns[split.column].bins[item] & 1 == 0);
                *node = *node * 2 + u8::from(right);
            }
        }
        let mut leaves = [Sum::default(); 1 << DEPTH];
        for (node, gradient) in self.nodes.iter().zip(&self.gradients) {
            leaves[usize::from(*node)].add(gradient.0, gradient.1);
        }
        let steps = leaves.map(|leaf| -RATE * leaf.gradient / (leaf.slope + SMOOTH));
        for (thought, node) in self.thought.iter_mut().zip(&self.nodes) {
            *thought += steps[usize::from(*node)];
        }
    }
}

/// Whether each item's answer is told right by trees that were grown without its fold. Columns have a value, and
/// labels and folds an entry, for each item; whatever belongs together must share a fold.
pub fn guesses(columns: &[BinnedColumn], labels: &[bool], folds: &[u8]) -> Vec<bool> {
    let thought = thoughts(columns, labels, folds).into_iter();
    thought.zip(labels).map(|(thought, label)| (thought > 0.0) == *label).collect()
}

/// What such trees think of each item: the logarithm of the odds of a yes.
pub fn thoughts(columns: &[BinnedColumn], labels: &[bool], folds: &[u8]) -> Vec<f64> {
    let last = folds.iter().copied().max().unwrap_or(0);
    let told: Vec<Vec<f64>> = (0..=last)
        .into_par_iter()
        .map(|fold| {
            let items = labels.len();
            let mut learner = BoostedLearner {
                columns,
                labels,
                learned: folds.iter().map(|of| *of != fold).collect(),
                thought: vec![0.0; items],
                gradients: vec![(0.0, 0.0); items],
                nodes: vec![0; items],
            };
            (0..ROUNDS).for_each(|_| learner.round());
            learner.thought
        })
        .collect();
    (0..labels.len()).map(|item| told[usize::from(folds[item])][item]).collect()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    /// Random columns of four values and random labels.
    fn noise(items: usize, columns: usize) -> (Vec<Vec<u8>>, Vec<bool>, Vec<u8>) {
        let mut rng = racgen_logic::seed::stream(3, &["boost"]);
        let values = (0..columns).map(|_| (0..items).map(|_| rng.random_range(0..4)).collect()).collect();
        let labels = (0..items).map(|_| rng.random_range(0..2) == 1).collect();
        (values, labels, (0..items).map(|item| (item % 5) as u8).collect())
    }

    fn share(values: &[Vec<u8>], ordered: bool, labels: &[bool], folds: &[u8]) -> f64 {
        let columns: Vec<BinnedColumn> =
            values.iter().filter_map(|v| BinnedColumn::new(v, ordered)).collect();
        let right = guesses(&columns, labels, folds);
        right.iter().filter(|r| **r).count() as f64 / labels.len() as f64
    }

    #[test]
    fn finds_what_takes_two_columns_together() {
        let (values, _, folds) = noise(3000, 6);
        let labels: Vec<bool> = (0..3000).map(|n| (values[1][n] >= 2) != (values[4][n] >= 2)).collect();
        assert!(share(&values, true, &labels, &folds) > 0.97);
        // Kinds have no order: 0 and 3 against 1 and 2.
        let middle = |value: u8| value == 1 || value == 2;
        let labels: Vec<bool> = (0..3000).map(|n| middle(values[1][n]) != middle(values[4][n])).collect();
        assert!(share(&values, false, &labels, &folds) > 0.97);
    }

    #[test]
    fn finds_nothing_where_nothing_is() {
        let (values, labels, folds) = noise(3000, 20);
        for ordered in [false, true] {
            let right = share(&values, ordered, &labels, &folds);
            assert!((right - 0.5).abs() < 0.04, "{right}");
        }
    }

    #[test]
    fn threads_change_nothing() {
        let (values, labels, folds) = noise(500, 8);
        let columns: Vec<BinnedColumn> = values.iter().filter_map(|v| BinnedColumn::new(v, false)).collect();
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| guesses(&columns, &labels, &folds))
        };
        assert_eq!(with(1), with(3));
        assert!(BinnedColumn::new(&[4, 4, 4], true).is_none() && guesses(&[], &[], &[]).is_empty());
    }
}
