//! Things with all that is inside and upon them to blocks, from the innermost outwards.

use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use super::grids::grid;
use super::packing::{Align, pack};
use super::plan::{LABEL, PlanBlock, SAMPLE, SMALL, text};
use super::ring::ring;
use crate::pictures::graph::{DrawnGraph, NodePlace, NodeShape};
use crate::pictures::scene::{CUT, Extent, Scene, SceneBox, TextOf};
use crate::pictures::style::PictureStyle;

/// Room between the outline of a box and what is inside.
const PAD: f64 = 6.0;
/// The height of a line of labels, and of other letters.
const LABEL_LINE: f64 = 16.0;
const SMALL_LINE: f64 = 13.5;
/// What is told of a thing goes into a further line where it would be wider than this.
const BADGES_WIDE: f64 = 90.0;
/// Between two things that are told of one.
const BADGE_GAP: f64 = 9.0;
/// How many times as wide as high what is inside something stacked should be.
const STACKED: f64 = 7.0;
/// The room of a holder that holds nothing.
const EMPTY: (f64, f64) = (26.0, 12.0);

/// Plans one picture.
pub(super) struct Arranger<'a> {
    pub(super) graph: &'a DrawnGraph,
    pub(super) style: &'a PictureStyle,
    holders: Vec<bool>,
    /// By thing, what is inside it and what is upon it.
    inside: Vec<Vec<usize>>,
    above: Vec<Vec<usize>>,
    room: &'a HashMap<Term, (f64, f64)>,
}

impl<'a> Arranger<'a> {
    pub(super) fn new(
        graph: &'a DrawnGraph,
        style: &'a PictureStyle,
        holders: Vec<bool>,
        room: &'a HashMap<Term, (f64, f64)>,
    ) -> Arranger<'a> {
        let (mut inside, mut above) =
            (vec![Vec::new(); graph.nodes.len()], vec![Vec::new(); graph.nodes.len()]);
        for (number, node) in graph.nodes.iter().enumerate() {
            match node.place {
                NodePlace::On(other) => above[other].push(number),
                NodePlace::In(other) | NodePlace::Cell(Some(other), ..) => inside[other].push(number),
                _ => {}
            }
        }
        Arranger { graph, style, holders, inside, above, room }
    }

    /// The whole plan: all that is in or on nothing, and the remarks below.
    pub(super) fn picture(&self) -> PlanBlock {
        let outermost: Vec<usize> =
            (0..self.graph.nodes.len()).filter(|n| self.graph.parent(*n).is_none()).collect();
        let body = self.content(&outermost, 1.0);
        let remarks = self.remarks(body.w.max(360.0));
        if remarks.h == 0.0 {
            return body;
        }
        let w = body.w.max(remarks.w);
        let mut whole = PlanBlock { w, h: body.h + 10.0 + remarks.h, ..PlanBlock::default() };
        let (left, right, down) = ((w - body.w) / 2.0, (w - remarks.w) / 2.0, body.h + 10.0);
        whole.add(body, (left, 0.0));
        whole.add(remarks, (right, down));
        whole
    }

    /// What is told below the picture: kinds of lines, and remarks.
    fn remarks(&self, most: f64) -> PlanBlock {
        let mut told: Vec<String> = Vec::new();
        for class in self.graph.classes.iter().filter(|class| !class.label.is_empty()) {
            told.push(class.label.clone());
        }
        let classes = told.len();
        told.extend(self.graph.remarks.iter().cloned());
        let mut block = PlanBlock::default();
        let (mut left, mut line) = (0.0, 0.0);
        for (number, remark) in told.iter().enumerate() {
            // A kind of lines has a sample before it.
            let sample = if number < classes { SAMPLE } else { 0.0 };
            let width = self.style.font.width(remark, SMALL) + sample;
            if left > 0.0 && left + width > most {
                (left, line) = (0.0, line + SMALL_LINE);
            }
            let at = (left + sample + (width - sample) / 2.0, line + SMALL);
            block.texts.push(text(TextOf::Remark, remark, at, SMALL, self.style));
            block.w = block.w.max(left + width);
            left += width + 2.0 * BADGE_GAP;
        }
        block.h = if told.is_empty() { 0.0 } else { line + SMALL_LINE };
        block
    }

    /// Things that belong together: a grid, those that lines join, those in an order, and the others.
    pub(super) fn content(&self, nodes: &[usize], tall: f64) -> PlanBlock {
        let is_cell = |node: &usize| matches!(self.graph.nodes[*node].place, NodePlace::Cell(..));
        let (in_cells, others): (Vec<usize>, Vec<usize>) = nodes.iter().copied().partition(is_cell);
        let mut parts: Vec<PlanBlock> = Vec::new();
        if !in_cells.is_empty() {
            parts.push(grid(self.graph, self.style, &in_cells, &|node| self.tower(node)));
        }
        let links = self.links(&others);
        let mut components: Vec<Vec<usize>> = Vec::new();
        let mut alone: Vec<usize> = Vec::new();
        let mut open: Vec<usize> = others.clone();
        while let Some(first) = (!open.is_empty()).then(|| open.remove(0)) {
            let mut component = vec![first];
            let mut at = 0;
            while at < component.len() {
                let here = component[at];
                let is_linked = |other: &usize| {
                    links.iter().any(|link| *link == (here, *other) || *link == (*other, here))
                };
                let (found, rest): (Vec<usize>, Vec<usize>) = open.iter().copied().partition(is_linked);
                component.extend(found);
                open = rest;
                at += 1;
            }
            if component.len() == 1 { alone.extend(component) } else { components.push(component) }
        }
        for component in components {
            let blocks: Vec<PlanBlock> = component.iter().map(|node| self.tower(*node)).collect();
            let number = |node: usize| component.iter().position(|other| *other == node);
            let among = links.iter().filter_map(|(a, b)| Some((number(*a)?, number(*b)?)));
            let mut among: Vec<(usize, usize)> = among.collect();
            among.sort_unstable();
            among.dedup();
            parts.push(ring(&blocks, &among, self.style.gap));
        }
        let (ordered, free): (Vec<usize>, Vec<usize>) = self.ordered(alone);
        for row in [ordered] {
            if !row.is_empty() {
                parts.push(pack(
                    row.iter().map(|n| self.tower(*n)).collect(),
                    self.style.gap,
                    Align::Bottom,
                    tall * 0.6,
                ));
            }
        }
        if !free.is_empty() {
            let blocks = free.iter().map(|node| self.tower(*node)).collect();
            parts.push(pack(blocks, self.style.gap, Align::Bottom, tall));
        }
        pack(parts, self.style.gap * 1.5, Align::Middle, tall)
    }

    /// Which of these things lines join: their own, or those of what is inside or upon them.
    fn links(&self, nodes: &[usize]) -> Vec<(usize, usize)> {
        let lift = |mut node: usize| {
            while !nodes.contains(&node) {
                node = self.graph.parent(node)?;
            }
            Some(node)
        };
        let edges = self.graph.edges.iter().filter_map(|edge| Some((lift(edge.from)?, lift(edge.to)?)));
        edges.filter(|(a, b)| a != b).collect()
    }

    /// Those of which one comes before the other, in their order, and the rest.
    fn ordered(&self, nodes: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
        let id = |node: usize| &self.graph.nodes[node].id;
        let known = |term: &Term| nodes.iter().any(|node| id(*node) == term);
        let order: Vec<&(Term, Term)> =
            self.graph.order.iter().filter(|(a, b)| known(a) && known(b)).collect();
        let (mut chained, free): (Vec<usize>, Vec<usize>) = nodes
            .iter()
            .copied()
            .partition(|node| order.iter().any(|(a, b)| a == id(*node) || b == id(*node)));
        let mut sorted = Vec::new();
        while !chained.is_empty() {
            let is_first = |node: &usize| {
                !order.iter().any(|(a, b)| b == id(*node) && chained.iter().any(|n| id(*n) == a))
            };
            let at = chained.iter().position(is_first).unwrap_or(0);
            sorted.push(chained.remove(at));
        }
        (sorted, free)
    }

    /// A thing with all that is upon it.
    pub(super) fn tower(&self, node: usize) -> PlanBlock {
        let base = self.single(node);
        let above = &self.above[node];
        if above.is_empty() {
            return base;
        }
        let upper: Vec<PlanBlock> = above.iter().map(|node| self.tower(*node)).collect();
        let gap = if upper.len() > 1 { self.style.gap / 2.0 } else { 0.0 };
        let wide = upper.iter().map(|block| block.w).sum::<f64>() + gap * (upper.len() - 1) as f64;
        let high = upper.iter().map(|block| block.h).fold(0.0, f64::max);
        let w = wide.max(base.w);
        let base = base.widen(w);
        let mut whole = PlanBlock { w, h: high + base.h, ..PlanBlock::default() };
        let alone = upper.len() == 1;
        let mut left = (w - wide) / 2.0;
        for block in upper {
            let (width, down) = (block.w, high - block.h);
            if alone {
                // What stands upon one another is equally wide.
                whole.add(widened_tower(block, w), (0.0, down));
            } else {
                whole.add(block, (left, down));
            }
            left += width + gap;
        }
        whole.add(base, (0.0, high));
        whole
    }

    /// A thing with what is told of it and what is inside.
    fn single(&self, node: usize) -> PlanBlock {
        let drawn = &self.graph.nodes[node];
        let font = self.style.font;
        let is_holder = self.holders[node];
        // What stands upon another had better be low.
        let stands = !self.above[node].is_empty() || matches!(drawn.place, NodePlace::On(_));
        let tall = if stands { STACKED } else { 1.3 };
        let inner = if self.inside[node].is_empty() {
            PlanBlock { w: EMPTY.0, h: EMPTY.1, ..PlanBlock::default() }
        } else {
            self.content(&self.inside[node], tall)
        };
        let inner = if is_holder { inner } else { PlanBlock::default() };
        let label = font.width(&drawn.label, LABEL);
        let most = label.max(inner.w).max(BADGES_WIDE);
        let mut rows: Vec<(f64, Vec<(&str, f64)>)> = Vec::new();
        for badge in &drawn.badges {
            let width = font.width(badge, SMALL);
            match rows.last_mut() {
                Some((used, row)) if *used + BADGE_GAP + width <= most => {
                    *used += BADGE_GAP + width;
                    row.push((badge, width));
                }
                _ => rows.push((width, vec![(badge, width)])),
            }
        }
        let shape = Scene::shape(self.graph, &SceneBox { node, place: Extent::default(), is_holder });
        let ends = if matches!(shape, NodeShape::Hexagon | NodeShape::Pill) { CUT } else { 0.0 };
        let widest = rows.iter().map(|(width, _)| *width).fold(label.max(inner.w), f64::max);
        let mut w = widest + 2.0 * (PAD + ends);
        let told = LABEL_LINE + SMALL_LINE * rows.len() as f64;
        let mut h = 3.0 + told + 4.0 + if is_holder { inner.h + PAD } else { 0.0 };
        if let Some((wide, high)) = self.room.get(&drawn.id) {
            (w, h) = (w.max(*wide), h.max(*high));
        }
        let mut block = PlanBlock { w, h, ..PlanBlock::default() };
        block.boxes.push(SceneBox { node, place: Extent { x: 0.0, y: 0.0, w, h }, is_holder });
        block.texts.push(text(TextOf::Label(node), &drawn.label, (w / 2.0, 3.0 + LABEL), LABEL, self.style));
        for (number, (used, row)) in rows.into_iter().enumerate() {
            let mut left = (w - used) / 2.0;
            let baseline = 3.0 + LABEL_LINE + SMALL_LINE * number as f64 + SMALL;
            for (badge, width) in row {
                block.texts.push(text(
                    TextOf::Badge(node),
                    badge,
                    (left + width / 2.0, baseline),
                    SMALL,
                    self.style,
                ));
                left += width + BADGE_GAP;
            }
        }
        if is_holder {
            let at = ((w - inner.w) / 2.0, h - PAD - inner.h);
            block.add(inner, at);
        }
        block
    }
}

/// A tower whose boxes that stand upon one another all get a width.
fn widened_tower(block: PlanBlock, w: f64) -> PlanBlock {
    let by = w - block.w;
    if by <= 0.0 {
        return block;
    }
    let whole = block.w;
    let mut wider = PlanBlock { w, h: block.h, ..PlanBlock::default() };
    wider.add(block, (by / 2.0, 0.0));
    for thing in &mut wider.boxes {
        if (thing.place.w - whole).abs() < 1e-6 {
            thing.place.x -= by / 2.0;
            thing.place.w += by;
        }
    }
    wider
}
