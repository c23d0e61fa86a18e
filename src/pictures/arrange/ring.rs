//! Blocks that lines join to one block: around the edge of a table of rows and columns, so that lines can pass through its
//! middle, and those that are joined mostly side by side.

use super::plan::PlanBlock;

/// Rounds of swaps, at most.
const ROUNDS: usize = 12;

/// The places along the edge of a table, clockwise from its upper left corner: row and column.
fn edge_places(rows: usize, columns: usize) -> Vec<(usize, usize)> {
    let mut places: Vec<(usize, usize)> = (0..columns).map(|column| (0, column)).collect();
    places.extend((1..rows).map(|row| (row, columns - 1)));
    if rows > 1 {
        places.extend((0..columns - 1).rev().map(|column| (rows - 1, column)));
    }
    if columns > 1 {
        places.extend((1..rows.saturating_sub(1)).rev().map(|row| (row, 0)));
    }
    places
}

/// An order around a circle in which joined ones are close, found by swaps that make it better.
fn round_order(n: usize, links: &[(usize, usize)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    let mut at: Vec<usize> = (0..n).collect();
    let away = |a: usize, b: usize| {
        let steps = a.abs_diff(b);
        let steps = steps.min(n - steps);
        steps * steps
    };
    let cost = |at: &[usize]| links.iter().map(|(a, b)| away(at[*a], at[*b])).sum::<usize>();
    let mut least = cost(&at);
    for _ in 0..ROUNDS {
        let before = least;
        for one in 0..n {
            for other in one + 1..n {
                order.swap(one, other);
                (at[order[one]], at[order[other]]) = (one, other);
                let now = cost(&at);
                if now < least {
                    least = now;
                } else {
                    order.swap(one, other);
                    (at[order[one]], at[order[other]]) = (one, other);
                }
            }
        }
        if least == before {
            break;
        }
    }
    order
}

/// The ring of blocks.
pub(super) fn ring(blocks: &[PlanBlock], links: &[(usize, usize)], gap: f64) -> PlanBlock {
    let n = blocks.len();
    let order = round_order(n, links);
    // Lines need more room than things.
    let gap = gap * 2.5 + 8.0;
    let mut best: Option<(f64, PlanBlock)> = None;
    for rows in 1..=n.div_ceil(2).max(1) {
        let columns = if rows == 1 { n } else { ((n + 4).div_ceil(2)).saturating_sub(rows).max(2) };
        // In a single row, lines would pass through things.
        if rows == 1 && n > 2 {
            continue;
        }
        let places = edge_places(rows, columns);
        if places.len() < n {
            continue;
        }
        let at: Vec<(usize, usize)> = (0..n).map(|place| places[place * places.len() / n]).collect();
        let (mut wide, mut high) = (vec![0.0f64; columns], vec![0.0f64; rows]);
        for (place, (row, column)) in at.iter().enumerate() {
            let block = &blocks[order[place]];
            wide[*column] = wide[*column].max(block.w);
            high[*row] = high[*row].max(block.h);
        }
        let w = wide.iter().sum::<f64>() + gap * (columns - 1) as f64;
        let h = high.iter().sum::<f64>() + gap * (rows - 1) as f64;
        let mut whole = PlanBlock { w, h, ..PlanBlock::default() };
        for (place, (row, column)) in at.iter().enumerate() {
            let block = blocks[order[place]].clone();
            let left =
                wide[..*column].iter().sum::<f64>() + gap * *column as f64 + (wide[*column] - block.w) / 2.0;
            let top = high[..*row].iter().sum::<f64>() + gap * *row as f64 + (high[*row] - block.h) / 2.0;
            whole.add(block, (left, top));
        }
        let score = w.max(h) + 0.01 * (w + h);
        if best.as_ref().is_none_or(|(least, _)| score < *least) {
            best = Some((score, whole));
        }
    }
    best.map(|(_, block)| block).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_of_links_becomes_a_ring() {
        let links: Vec<(usize, usize)> =
            [0, 3, 1, 5, 2, 4, 0].windows(2).map(|pair| (pair[0], pair[1])).collect();
        let order = round_order(6, &links);
        let at = |node: usize| order.iter().position(|other| *other == node).unwrap();
        assert!(links.iter().all(|(a, b)| [1, 5].contains(&at(*a).abs_diff(at(*b)))), "{order:?}");
        for (rows, columns) in [(1, 1), (1, 2), (2, 2), (3, 2), (3, 4)] {
            let mut places = edge_places(rows, columns);
            let count = places.len();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), count, "{rows} {columns}");
        }
    }
}
