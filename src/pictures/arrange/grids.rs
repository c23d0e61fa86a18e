//! Things in rows and columns to a block.

use racgen_logic::term::Term;

use super::packing::{Align, pack};
use super::plan::{PlanBlock, SMALL, text};
use crate::pictures::graph::{DrawnGraph, NodePlace};
use crate::pictures::scene::{Extent, TextOf};
use crate::pictures::style::PictureStyle;

/// The least size of a cell.
const CELL: (f64, f64) = (44.0, 30.0);
/// Room around what is in a cell.
const PAD: f64 = 3.0;

/// All rows, or all columns: those that things are in, and whatever comes before or after these in an order.
fn line_terms(order: &[(Term, Term)], named: impl Iterator<Item = Term>) -> Vec<Term> {
    let mut terms: Vec<Term> = named.collect();
    let mut at = 0;
    while at < terms.len() {
        let here = terms[at].clone();
        for (a, b) in order {
            for (one, other) in [(a, b), (b, a)] {
                if *one == here && !terms.contains(other) {
                    terms.push(other.clone());
                }
            }
        }
        at += 1;
    }
    terms.sort_unstable();
    terms.dedup();
    if terms.iter().all(|term| matches!(term, Term::Number(_))) {
        let ends = terms.first().zip(terms.last());
        if let Some((Term::Number(first), Term::Number(last))) = ends
            && last - first < 64
        {
            return (*first..=*last).map(Term::Number).collect();
        }
        return terms;
    }
    let mut sorted = Vec::new();
    while !terms.is_empty() {
        let is_first = |term: &Term| !order.iter().any(|(a, b)| b == term && terms.contains(a));
        let at = terms.iter().position(is_first).unwrap_or(0);
        sorted.push(terms.remove(at));
    }
    sorted
}

/// The grid of things that have cells; `tower` plans a thing with all that is upon it.
pub(super) fn grid(
    graph: &DrawnGraph,
    style: &PictureStyle,
    nodes: &[usize],
    tower: &dyn Fn(usize) -> PlanBlock,
) -> PlanBlock {
    let cell = |node: usize| match &graph.nodes[node].place {
        NodePlace::Cell(_, row, column) => Some((row.clone(), column.clone())),
        _ => None,
    };
    let rows = line_terms(&graph.order, nodes.iter().filter_map(|node| Some(cell(*node)?.0)));
    let columns = line_terms(&graph.order, nodes.iter().filter_map(|node| Some(cell(*node)?.1)));
    let content = |row: &Term, column: &Term| {
        let here = nodes.iter().filter(|node| cell(**node) == Some((row.clone(), column.clone())));
        pack(here.map(|node| tower(*node)).collect(), 3.0, Align::Middle, 1.2)
    };
    let blocks: Vec<Vec<PlanBlock>> =
        rows.iter().map(|row| columns.iter().map(|column| content(row, column)).collect()).collect();
    let all = blocks.iter().flatten();
    let w = all.clone().map(|block| block.w + 2.0 * PAD).fold(CELL.0, f64::max);
    let heading = |term: &Term| graph.headings.get(term).map_or("", String::as_str);
    let wide = |term: &Term| style.font.width(heading(term), SMALL);
    let left = rows.iter().map(wide).fold(0.0, f64::max);
    let left = if left > 0.0 { left + 6.0 } else { 0.0 };
    let w = columns.iter().map(|term| wide(term) + 6.0).fold(w, f64::max);
    let top = if columns.iter().any(|term| !heading(term).is_empty()) { SMALL * 1.5 } else { 0.0 };
    let mut whole = PlanBlock { w: left + w * columns.len() as f64, ..PlanBlock::default() };
    let mut down = top;
    for (row, blocks) in rows.iter().zip(blocks) {
        let h = blocks.iter().map(|block| block.h + 2.0 * PAD).fold(CELL.1, f64::max);
        if !heading(row).is_empty() {
            let at = ((left - 6.0) / 2.0, down + h / 2.0 + SMALL * 0.35);
            whole.texts.push(text(TextOf::Heading, heading(row), at, SMALL, style));
        }
        for (number, block) in blocks.into_iter().enumerate() {
            let place = Extent { x: left + w * number as f64, y: down, w, h };
            whole.cells.push(place);
            let at = (place.x + (w - block.w) / 2.0, place.y + (h - block.h) / 2.0);
            whole.add(block, at);
        }
        down += h;
    }
    for (number, column) in columns.iter().enumerate().filter(|(_, column)| !heading(column).is_empty()) {
        let at = (left + w * (number as f64 + 0.5), SMALL);
        whole.texts.push(text(TextOf::Heading, heading(column), at, SMALL, style));
    }
    whole.h = down;
    whole
}
