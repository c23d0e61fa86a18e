//! Edges to lines that pass through nothing but what they join, and to labels beside which nothing else stands.

use super::plan::{SAMPLE, SMALL, text};
use crate::pictures::drawing::Point;
use crate::pictures::graph::DrawnGraph;
use crate::pictures::scene::{Extent, Scene, SceneLine, TextOf};
use crate::pictures::style::PictureStyle;

/// How far a line is bent, in pixels of the plan, in the order in which it is tried.
const BENDS: [f64; 15] =
    [0.0, 24.0, -24.0, 48.0, -48.0, 80.0, -80.0, 120.0, -120.0, 170.0, -170.0, 230.0, -230.0, 300.0, -300.0];
/// Points of a line that are looked at.
const POINTS: usize = 24;
/// Lines nearer than this cannot be told apart, in pixels of the picture.
const UPON: f64 = 4.0;
/// A line this near to all of another hides it.
const HIDES: f64 = 2.0;
/// Where on a line its label may stand, as shares of its way.
const LABEL_PLACES: [f64; 9] = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78, 0.15, 0.85];

/// Where the way from the middle of a box to a point leaves the box.
fn leaves(place: &Extent, to: Point) -> Point {
    let (x, y) = place.centre();
    let (dx, dy) = (to.0 - x, to.1 - y);
    let across = if dx.abs() < 1e-9 { f64::INFINITY } else { place.w / 2.0 / dx.abs() };
    let down = if dy.abs() < 1e-9 { f64::INFINITY } else { place.h / 2.0 / dy.abs() };
    let share = across.min(down);
    if !share.is_finite() {
        return (x, y);
    }
    (x + dx * share, y + dy * share)
}

/// What a line between two things may not pass through: all boxes but these, what they are in and what is in them; and
/// letters outside of boxes or in boxes that the line is in.
fn obstacles(graph: &DrawnGraph, scene: &Scene, ends: [usize; 2]) -> Vec<Extent> {
    let is_of = |mut node: usize, end: usize| {
        loop {
            if node == end {
                return true;
            }
            match graph.parent(node) {
                Some(parent) => node = parent,
                None => return false,
            }
        }
    };
    // What stands upon an end is beside it, not inside.
    let concerns = |node: usize| ends.iter().any(|end| is_of(*end, node) || holds(graph, *end, node));
    let boxes = scene.boxes.iter().filter(|thing| !concerns(thing.node)).map(|thing| thing.place);
    let texts = scene.texts.iter().filter(|text| match text.of {
        TextOf::Label(node) | TextOf::Badge(node) => ends.iter().any(|end| *end != node && is_of(*end, node)),
        _ => true,
    });
    boxes.chain(texts.map(|text| text.place())).map(|place| place.grown(1.0)).collect()
}

/// Is a thing inside another, not only upon it?
fn holds(graph: &DrawnGraph, holder: usize, mut node: usize) -> bool {
    use crate::pictures::graph::NodePlace::On;
    loop {
        if node == holder {
            return true;
        }
        match graph.parent(node) {
            Some(parent) => {
                if parent == holder {
                    return !matches!(graph.nodes[node].place, On(_));
                }
                node = parent;
            }
            None => return false,
        }
    }
}

/// Is the line free of all these, and inside the picture?
fn is_clear(line: &SceneLine, side: f64, obstacles: &[Extent]) -> bool {
    (1..POINTS).all(|number| {
        let point = line.at(number as f64 / POINTS as f64);
        let inside = [point.0, point.1].iter().all(|c| *c > 2.0 && *c < side - 2.0);
        inside && !obstacles.iter().any(|obstacle| obstacle.holds(point))
    })
}

/// Is nearly all of a line drawn upon another, so that none can tell that it is there?
fn runs_upon(one: &SceneLine, other: &SceneLine) -> bool {
    let at = |line: &SceneLine, number: usize, of: usize| line.at(number as f64 / of as f64);
    // All of a curve is between its three points.
    let coordinates = |of: fn(&Point) -> f64| other.points.iter().map(of);
    let within = |value: f64, of: fn(&Point) -> f64| {
        let (least, most) = coordinates(of).fold((f64::MAX, f64::MIN), |(l, m), c| (l.min(c), m.max(c)));
        value > least - HIDES && value < most + HIDES
    };
    let may_be_near = |point: Point| within(point.0, |p| p.0) && within(point.1, |p| p.1);
    if ![5, 10, 15].iter().any(|number| may_be_near(at(one, *number, 20))) {
        return false;
    }
    let fine: Vec<Point> = (0..=200).map(|number| at(other, number, 200)).collect();
    let is_near = |point: Point| fine.iter().any(|q| (point.0 - q.0).hypot(point.1 - q.1) < HIDES);
    (0..=20).filter(|number| is_near(at(one, *number, 20))).count() > 18
}

/// Does a line hide one that is drawn already, or does one hide it?
fn is_upon(line: &SceneLine, scene: &Scene) -> bool {
    scene.lines.iter().any(|other| runs_upon(line, other) || runs_upon(other, line))
}

/// Are there edges of which one is drawn upon another?
pub(super) fn hides_a_line(scene: &Scene) -> bool {
    let edges: Vec<&SceneLine> = scene.lines.iter().filter(|line| line.edge.is_some()).collect();
    let pairs = edges.iter().enumerate().flat_map(|(n, one)| edges[n + 1..].iter().map(move |o| (*one, *o)));
    pairs.into_iter().any(|(one, other)| runs_upon(one, other) || runs_upon(other, one))
}

/// How much is in the way of a line: points that are outside the picture, before all else, and those within obstacles; those
/// where letters or small things would hide it, and those at which it runs upon lines that are drawn, weigh more.
fn hindrance(line: &SceneLine, scene: &Scene, obstacles: &[Extent]) -> (usize, usize) {
    let points = |line: &SceneLine| -> Vec<Point> {
        (1..POINTS).map(|number| line.at(number as f64 / POINTS as f64)).collect()
    };
    let all = points(line);
    let count = |is_hindered: &dyn Fn(&Point) -> bool| all.iter().filter(|point| is_hindered(point)).count();
    let beyond = count(&|point| [point.0, point.1].iter().any(|c| *c <= 2.0 || *c >= scene.side - 2.0));
    let crossed = count(&|point| obstacles.iter().any(|obstacle| obstacle.holds(*point)));
    let drawn: Vec<Point> = scene.lines.iter().flat_map(points).collect();
    let upon = count(&|point| drawn.iter().any(|other| (other.0 - point.0).hypot(other.1 - point.1) < UPON));
    let lettered = count(&|point| scene.texts.iter().any(|text| text.place().holds(*point)));
    let small = || scene.boxes.iter().filter(|thing| !thing.is_holder);
    let hidden = count(&|point| small().any(|thing| thing.place.holds(*point)));
    (beyond, crossed + 2 * (upon + lettered) + 3 * hidden)
}

/// Adds the lines of a picture, their labels, and samples of kinds of lines that are told of below it.
pub(super) fn draw_lines(graph: &DrawnGraph, scene: &mut Scene, style: &PictureStyle) {
    let mut places: Vec<Option<Extent>> = vec![None; graph.nodes.len()];
    for thing in &scene.boxes {
        places[thing.node] = Some(thing.place);
    }
    for (number, edge) in graph.edges.iter().enumerate() {
        let (Some(from), Some(to)) = (places[edge.from], places[edge.to]) else { continue };
        let obstacles = obstacles(graph, scene, [edge.from, edge.to]);
        // Several lines between two things are bent apart.
        let same = |other: &&crate::pictures::graph::DrawnEdge| {
            (other.from, other.to) == (edge.from, edge.to) || (other.to, other.from) == (edge.from, edge.to)
        };
        let earlier = graph.edges[..number].iter().filter(same).count();
        let (a, b) = (from.centre(), to.centre());
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = dx.hypot(dy).max(1e-6);
        let between = |one: Point, other: Point| ((one.0 + other.0) / 2.0, (one.1 + other.1) / 2.0);
        let mut middle = between(a, b);
        if from.holds(middle) || to.holds(middle) {
            // Of a large thing and a small one, only what lies between them is bent.
            middle = between(leaves(&from, b), leaves(&to, a));
        }
        let bent = |bend: f64| {
            let by = bend * scene.scale;
            let pull = (middle.0 - dy / length * by, middle.1 + dx / length * by);
            let towards =
                |own: &Extent, other: Point| leaves(own, if own.holds(pull) { other } else { pull });
            let (start, end) = (towards(&from, b), towards(&to, a));
            let pull = if bend == 0.0 { between(start, end) } else { pull };
            SceneLine { edge: Some(number), class: edge.class, points: [start, pull, end] }
        };
        let apart = 16.0 * earlier as f64;
        let lines = BENDS.iter().map(|bend| bent(if *bend < 0.0 { bend - apart } else { bend + apart }));
        let outside = |line: &SceneLine| ![from, to].iter().any(|place| place.holds(line.points[1]));
        let lines: Vec<SceneLine> = lines.filter(outside).collect();
        let clear = lines.iter().find(|line| is_clear(line, scene.side, &obstacles) && !is_upon(line, scene));
        // Where something is in every way, it is crossed shortly, and no line runs upon another.
        let least = || lines.iter().min_by_key(|line| hindrance(line, scene, &obstacles));
        let line = clear.or_else(least).cloned().unwrap_or_else(|| bent(apart));
        scene.lines.push(line);
    }
    for line in scene.lines.clone() {
        let Some(edge) = line.edge else { continue };
        let label = &graph.edges[edge].label;
        if label.is_empty() {
            continue;
        }
        let obstacles = obstacles(graph, scene, [graph.edges[edge].from, graph.edges[edge].to]);
        let ends =
            [graph.edges[edge].from, graph.edges[edge].to].map(|node| places[node].unwrap_or_default());
        let at = |share: f64| {
            let (x, y) = line.at(share);
            text(TextOf::Edge(edge), label, (x, y + SMALL * scene.scale * 0.3), SMALL * scene.scale, style)
        };
        let free = |text: &crate::pictures::scene::SceneText| {
            let place = text.place().grown(1.0);
            let inside = place.x > 0.0
                && place.x + place.w < scene.side
                && place.y > 0.0
                && place.y + place.h < scene.side;
            let nested = |end: &Extent| line_is_inside(&line, end);
            inside
                && !obstacles.iter().any(|other| other.meets(&place))
                && !ends.iter().any(|end| !nested(end) && end.meets(&place))
                && !scene.texts.iter().any(|other| other.place().meets(&place))
        };
        let label = LABEL_PLACES.iter().map(|share| at(*share)).find(free).unwrap_or_else(|| at(0.5));
        scene.texts.push(label);
    }
    samples(graph, scene);
}

fn line_is_inside(line: &SceneLine, place: &Extent) -> bool {
    place.holds(line.at(0.5))
}

/// A sample of each kind of lines that is told of, left of where it is.
fn samples(graph: &DrawnGraph, scene: &mut Scene) {
    let told = graph.classes.iter().enumerate().filter(|(_, class)| !class.label.is_empty());
    let remarks: Vec<Extent> =
        scene.texts.iter().filter(|text| text.of == TextOf::Remark).map(|text| text.place()).collect();
    for ((class, _), place) in told.zip(remarks) {
        let (y, right) = (place.y + place.h / 2.0, place.x - 4.0 * scene.scale);
        let left = right - (SAMPLE - 6.0) * scene.scale;
        scene.lines.push(SceneLine {
            edge: None,
            class,
            points: [(left, y), ((left + right) / 2.0, y), (right, y)],
        });
    }
}
