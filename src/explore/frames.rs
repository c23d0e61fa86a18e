//! Pictures of a story to numbers that a page draws: things once, of each further situation only what is other than before.

use std::collections::BTreeMap;

use racgen_logic::term::Term;
use serde_json::{Value, json};

use crate::pictures::graph::{DrawnGraph, DrawnNode, NodeShape};
use crate::pictures::scene::{Behind, Extent, Scene, SceneLine, TextOf};
use crate::pictures::style::PictureStyle;
use crate::simulate::views::painter::Picture;

/// A number with one decimal at most.
fn short(value: f64) -> Value {
    let tenths = (value * 10.0).round() as i64;
    if tenths % 10 == 0 { json!(tenths / 10) } else { json!(tenths as f64 / 10.0) }
}

/// Things as the page lists them: each with each look once.
#[derive(Default)]
struct Looks {
    numbers: BTreeMap<(Term, String, bool), usize>,
    listed: Vec<Value>,
}

impl Looks {
    /// The number of a thing. A colour is a place among those of types, or its name.
    fn number(&mut self, node: &DrawnNode, shape: NodeShape, is_holder: bool) -> usize {
        let key = (node.id.clone(), node.label.clone(), is_holder);
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let shape = match shape {
            NodeShape::Box => 0,
            NodeShape::Rounded => 1,
            NodeShape::Pill => 2,
            NodeShape::Hexagon => 3,
        };
        let fill = match &node.color {
            Some(color) => json!(color),
            None => json!(node.kind.map_or(7, |kind| kind % 8)),
        };
        self.listed.push(json!([node.label, shape, fill, u8::from(is_holder)]));
        self.numbers.insert(key, self.listed.len() - 1);
        self.listed.len() - 1
    }
}

/// What is told of a thing and where it belongs, by its term: what changes if this does.
fn standing(graph: &DrawnGraph) -> BTreeMap<&Term, (Option<&Term>, &DrawnNode)> {
    let parent = |number: usize| graph.parent(number).map(|parent| &graph.nodes[parent].id);
    graph.nodes.iter().enumerate().map(|(number, node)| (&node.id, (parent(number), node))).collect()
}

/// Did a thing come, or does it belong elsewhere, or is something else told of it?
fn has_changed(node: &DrawnNode, now: Option<&Term>, before: Option<&(Option<&Term>, &DrawnNode)>) -> bool {
    let Some((parent, other)) = before else { return true };
    let cell = |node: &DrawnNode| match &node.place {
        crate::pictures::graph::NodePlace::Cell(_, row, column) => Some((row.clone(), column.clone())),
        _ => None,
    };
    *parent != now
        || cell(node) != cell(other)
        || (&node.badges, &node.label, &node.color, &node.shape)
            != (&other.badges, &other.label, &other.color, &other.shape)
}

/// The pictures of a story, as the page's script reads them:
///
/// - `n`: things, each with label, shape, colour and whether it holds others;
/// - `f`: situations, each with `b`, the boxes that are new or elsewhere (thing, x, y, width, height), `r`, the things that
///   are gone, `m`, the things that the action before changed, and where they are other than before, `t`, letters besides
///   labels (text, x, y, width, size, and what is behind: 0 nothing, 1 the paper, from 2 on a thing), among them the labels
///   of `k`, things whose labels lines go through; `l`, lines (colour, dashes, tip, six coordinates), and `c`, cells;
/// - `s`: the scale.
pub fn frames(pictures: &[Picture], style: &PictureStyle) -> Value {
    let mut looks = Looks::default();
    let mut frames: Vec<Value> = Vec::new();
    let mut known: BTreeMap<usize, Extent> = BTreeMap::new();
    let mut drawn = [Value::Null, Value::Null, Value::Null, Value::Null];
    for (at, picture) in pictures.iter().enumerate() {
        let Picture { graph, scene } = picture;
        let before = at.checked_sub(1).map(|before| standing(&pictures[before].graph));
        let (mut boxes, mut marks) = (Vec::new(), Vec::new());
        let mut here: BTreeMap<usize, Extent> = BTreeMap::new();
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        for thing in &scene.boxes {
            let node = &graph.nodes[thing.node];
            let number = looks.number(node, Scene::shape(graph, thing), thing.is_holder);
            let place = thing.place;
            if known.get(&number) != Some(&place) {
                boxes.push(json!(number));
                boxes.extend([place.x, place.y, place.w, place.h].map(short));
            }
            let parent = graph.parent(thing.node).map(|parent| &graph.nodes[parent].id);
            if before.as_ref().is_some_and(|before| has_changed(node, parent, before.get(&node.id))) {
                marks.push(number);
            }
            numbers.insert(thing.node, number);
            here.insert(number, place);
        }
        let gone: Vec<usize> = known.keys().filter(|number| !here.contains_key(number)).copied().collect();
        known = here;
        let cells: Vec<Value> = scene.cells.iter().flat_map(|c| [c.x, c.y, c.w, c.h].map(short)).collect();
        let (texts, crossed) = texts(scene, &numbers);
        let now = [texts, lines(graph, scene, style), json!(cells), crossed];
        let mut frame = json!({ "b": boxes });
        for (name, list) in [("r", json!(gone)), ("m", json!(marks))] {
            if list != json!([]) {
                frame[name] = list;
            }
        }
        for ((name, now), before) in ["t", "l", "c", "k"].into_iter().zip(now).zip(&mut drawn) {
            let is_new = if at == 0 { now != json!([]) } else { now != *before };
            if is_new {
                frame[name] = now.clone();
            }
            *before = now;
        }
        frames.push(frame);
    }
    json!({ "n": looks.listed, "f": frames, "s": short(pictures.first().map_or(1.0, |p| p.scene.scale * 10.0)) })
}

/// All letters but labels, which stand where their boxes say unless lines go through them; and the things of which that is so.
fn texts(scene: &Scene, numbers: &BTreeMap<usize, usize>) -> (Value, Value) {
    let (mut listed, mut crossed) = (Vec::new(), Vec::new());
    for text in &scene.texts {
        let behind = scene.behind(text);
        if let TextOf::Label(node) = text.of {
            if behind.is_none() {
                continue;
            }
            crossed.push(json!(numbers[&node]));
        }
        let behind = match behind {
            None => 0,
            Some(Behind::Paper) => 1,
            Some(Behind::Thing(node)) => numbers[&node] + 2,
        };
        listed.push(json!(text.text));
        listed.extend([text.at.0, text.at.1, text.width, text.size].map(short));
        listed.push(json!(behind));
    }
    (json!(listed), json!(crossed))
}

fn lines(graph: &DrawnGraph, scene: &Scene, style: &PictureStyle) -> Value {
    let colour = |line: &SceneLine| {
        let own = line.edge.and_then(|edge| graph.edges[edge].color.clone());
        match own.or_else(|| graph.classes[line.class].color.clone()) {
            Some(color) => json!(color),
            None => json!(line.class % style.palette.lines.len()),
        }
    };
    let listed = scene.lines.iter().flat_map(|line| {
        let edge = line.edge.map(|edge| &graph.edges[edge]);
        let dashed = edge.map_or(graph.classes[line.class].dashed, |edge| edge.dashed);
        let tip = edge.is_some_and(|edge| edge.directed);
        let points = line.points.into_iter().flat_map(|(x, y)| [short(x), short(y)]);
        [colour(line), json!(u8::from(dashed)), json!(u8::from(tip))].into_iter().chain(points)
    });
    listed.collect()
}
