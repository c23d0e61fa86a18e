//! What is to be drawn of the situations of a story to pictures in which nothing moves that need not.

mod blocks;
mod grids;
mod packing;
mod plan;
mod ring;
mod routes;

use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use self::blocks::Arranger;
use self::plan::{PlanBlock, SMALL};
use crate::pictures::graph::DrawnGraph;
use crate::pictures::scene::{Scene, SceneText, TextOf};
use crate::pictures::style::PictureStyle;

/// Letters may not become smaller than this, in pixels.
pub const SMALLEST: f64 = 7.5;
/// A plan is not made larger than this.
const LARGEST_SCALE: f64 = 1.9;
/// How often the room that holders need in a story is worked out.
const ROUNDS: usize = 3;
/// Pixels around a picture.
const MARGIN: f64 = 8.0;

/// Things that do not fit into a picture.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Crowded {
    /// Letters would be too small.
    #[error(
        "{things} things do not fit into a picture of {side} pixels: its letters would have {letters:.1} pixels, and fewer than \
         {SMALLEST} cannot be read; draw a larger picture, or a lower level"
    )]
    Letters {
        /// How many things there are.
        things: usize,
        /// The side of the picture.
        side: u32,
        /// How large letters would be.
        letters: f64,
    },
    /// One line hides another.
    #[error(
        "{lines} lines do not fit into a picture of {side} pixels: one would run upon another, and cannot be read; draw a larger \
         picture, or a lower level"
    )]
    Lines {
        /// How many lines there are.
        lines: usize,
        /// The side of the picture.
        side: u32,
    },
}

impl Crowded {
    /// What does not fit, in a few words.
    pub fn what(&self) -> String {
        match self {
            Crowded::Letters { things, letters, .. } => {
                format!("letters of {things} things would have {letters:.1} pixels")
            }
            Crowded::Lines { lines, .. } => format!("one of {lines} lines would run upon another"),
        }
    }
}

/// Puts everything in its place, in pictures of one story: all have one scale, and each holder has as much room as it ever
/// needs, where that fits.
///
/// # Errors
/// More than fits.
pub fn arrange(graphs: &[DrawnGraph], style: &PictureStyle) -> Result<Vec<Scene>, Crowded> {
    let mut room: HashMap<Term, (f64, f64)> = HashMap::default();
    let mut holders: Vec<&Term> = Vec::new();
    for graph in graphs {
        for parent in (0..graph.nodes.len()).filter_map(|node| graph.holder(node)) {
            holders.push(&graph.nodes[parent].id);
        }
    }
    holders.sort_unstable();
    holders.dedup();
    let kinds: Vec<usize> = graphs
        .iter()
        .flat_map(|graph| {
            graph
                .nodes
                .iter()
                .filter(|node| holders.binary_search(&&node.id).is_ok())
                .filter_map(|node| node.kind)
        })
        .collect();
    let is_holder = |graph: &DrawnGraph| -> Vec<bool> {
        let holds = graph.nodes.iter().map(|node| {
            holders.binary_search(&&node.id).is_ok() || node.kind.is_some_and(|kind| kinds.contains(&kind))
        });
        holds.collect()
    };
    if graphs.len() > 1 {
        // More room for what is inside may be more than its holder had.
        for _ in 0..ROUNDS {
            for graph in graphs {
                let block = Arranger::new(graph, style, is_holder(graph), &room).picture();
                for thing in block.boxes.iter().filter(|thing| thing.is_holder) {
                    let known = room.entry(graph.nodes[thing.node].id.clone()).or_default();
                    *known = (known.0.max(thing.place.w), known.1.max(thing.place.h));
                }
            }
        }
    }
    let side = f64::from(style.side);
    let planned = |room: &HashMap<Term, (f64, f64)>| {
        let plan = |graph: &DrawnGraph| Arranger::new(graph, style, is_holder(graph), room).picture();
        let blocks: Vec<PlanBlock> = graphs.iter().map(plan).collect();
        let most =
            blocks.iter().fold((1.0, 1.0), |(w, h): (f64, f64), block| (w.max(block.w), h.max(block.h)));
        let scale = ((side - 2.0 * MARGIN) / most.0.max(most.1)).min(LARGEST_SCALE);
        (blocks, most, scale)
    };
    let (mut blocks, mut most, mut scale) = planned(&room);
    if scale * SMALL < SMALLEST {
        // Better that things move than that nothing is shown.
        (blocks, most, scale) = planned(&HashMap::default());
    }
    if scale * SMALL < SMALLEST {
        let things = graphs.iter().map(|graph| graph.nodes.len()).max().unwrap_or(0);
        // Rounded down, so that what is told is below the limit.
        let letters = (scale * SMALL * 10.0).floor() / 10.0;
        return Err(Crowded::Letters { things, side: style.side, letters });
    }
    let scenes = graphs.iter().zip(blocks).map(|(graph, block)| placed(graph, block, most, scale, style));
    let scenes: Vec<Scene> = scenes.collect();
    match scenes.iter().position(routes::hides_a_line) {
        Some(picture) => Err(Crowded::Lines { lines: graphs[picture].edges.len(), side: style.side }),
        None => Ok(scenes),
    }
}

/// The plan as a picture: scaled, moved to the middle, and with lines.
fn placed(graph: &DrawnGraph, block: PlanBlock, most: (f64, f64), scale: f64, style: &PictureStyle) -> Scene {
    let side = f64::from(style.side);
    let corner = ((side - most.0 * scale) / 2.0, (side - most.1 * scale) / 2.0);
    // What stands at the bottom stays there.
    let corner = (corner.0 + (most.0 - block.w) * scale / 2.0, corner.1 + (most.1 - block.h) * scale);
    let mirrored = style.mirrored && graph.order.is_empty();
    let flip = |x: f64, w: f64| if mirrored { side - x - w } else { x };
    let mut scene =
        Scene { side, scale, cells: Vec::new(), boxes: block.boxes, lines: Vec::new(), texts: block.texts };
    scene.cells = block.cells.iter().map(|cell| cell.scaled(scale).moved(corner)).collect();
    for cell in &mut scene.cells {
        cell.x = flip(cell.x, cell.w);
    }
    for thing in &mut scene.boxes {
        thing.place = thing.place.scaled(scale).moved(corner);
        thing.place.x = flip(thing.place.x, thing.place.w);
    }
    for SceneText { of, at, size, width, .. } in &mut scene.texts {
        let x = at.0 * scale + corner.0;
        *at = (if *of == TextOf::Remark { x } else { flip(x, 0.0) }, at.1 * scale + corner.1);
        (*size, *width) = (*size * scale, *width * scale);
    }
    routes::draw_lines(graph, &mut scene, style);
    scene
}

impl DrawnGraph {
    /// What a thing is inside of, not upon.
    fn holder(&self, node: usize) -> Option<usize> {
        use crate::pictures::graph::NodePlace::{Cell, In};
        match self.nodes[node].place {
            In(other) | Cell(Some(other), ..) => Some(other),
            _ => None,
        }
    }
}
