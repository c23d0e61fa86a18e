//! Blocks to one block: beside each other, in rows.

use super::plan::PlanBlock;

/// How blocks of a row stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    /// Upon one line.
    Bottom,
    /// With their middles at one height.
    Middle,
}

/// The rows that blocks make if none is wider than `most`.
fn rows(blocks: &[PlanBlock], gap: f64, most: f64) -> Vec<std::ops::Range<usize>> {
    let (mut rows, mut start, mut width) = (Vec::new(), 0, 0.0);
    for (number, block) in blocks.iter().enumerate() {
        if number > start && width + gap + block.w > most + 1e-6 {
            rows.push(start..number);
            (start, width) = (number, 0.0);
        }
        width += block.w + if number > start { gap } else { 0.0 };
    }
    rows.push(start..blocks.len());
    rows
}

fn size(blocks: &[PlanBlock], rows: &[std::ops::Range<usize>], gap: f64) -> (f64, f64) {
    let width = |row: &std::ops::Range<usize>| {
        blocks[row.clone()].iter().map(|block| block.w).sum::<f64>() + gap * (row.len() - 1) as f64
    };
    let height =
        |row: &std::ops::Range<usize>| blocks[row.clone()].iter().map(|block| block.h).fold(0.0, f64::max);
    let tall = rows.iter().map(height).sum::<f64>() + gap * (rows.len() - 1) as f64;
    (rows.iter().map(width).fold(0.0, f64::max), tall)
}

/// Puts blocks into rows, so that width and height, multiplied by `tall`, are about the same.
pub(super) fn pack(blocks: Vec<PlanBlock>, gap: f64, align: Align, tall: f64) -> PlanBlock {
    if blocks.is_empty() {
        return PlanBlock::default();
    }
    let mut best: Option<(f64, Vec<std::ops::Range<usize>>)> = None;
    let mut most = 0.0;
    for block in &blocks {
        most += block.w + gap;
        let rows = rows(&blocks, gap, most - gap);
        let (w, h) = size(&blocks, &rows, gap);
        let score = w.max(h * tall) + 0.01 * (w + h);
        if best.as_ref().is_none_or(|(least, _)| score < *least - 1e-6) {
            best = Some((score, rows));
        }
    }
    let rows = best.map(|(_, rows)| rows).unwrap_or_default();
    let (w, h) = size(&blocks, &rows, gap);
    let mut whole = PlanBlock { w, h, ..PlanBlock::default() };
    let mut top = 0.0;
    for row in rows {
        let (width, height) = size(&blocks, std::slice::from_ref(&row), gap);
        let mut left = (w - width) / 2.0;
        for block in &blocks[row] {
            let down = height - block.h;
            let down = if align == Align::Bottom { down } else { down / 2.0 };
            let next = left + block.w + gap;
            whole.add(block.clone(), (left, top + down));
            left = next;
        }
        top += height + gap;
    }
    whole
}
