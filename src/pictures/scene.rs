//! A picture in which everything has its place to SVG: boxes, lines between them, and texts.

use std::fmt::Write as _;

use crate::pictures::drawing::{Point, number};
use crate::pictures::graph::{DrawnGraph, NodeShape};
use crate::pictures::style::PictureStyle;

/// A rectangle: its upper left corner and its size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extent {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Extent {
    /// Its centre.
    pub fn centre(&self) -> Point {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// The same, with a margin around it.
    pub fn grown(&self, by: f64) -> Extent {
        Extent { x: self.x - by, y: self.y - by, w: self.w + 2.0 * by, h: self.h + 2.0 * by }
    }

    /// Do both share more than an edge?
    pub fn meets(&self, other: &Extent) -> bool {
        let apart = |a: f64, aw: f64, b: f64, bw: f64| a + aw <= b + 1e-6 || b + bw <= a + 1e-6;
        !apart(self.x, self.w, other.x, other.w) && !apart(self.y, self.h, other.y, other.h)
    }

    /// Is the point inside?
    pub fn holds(&self, (x, y): Point) -> bool {
        x > self.x && x < self.x + self.w && y > self.y && y < self.y + self.h
    }

    pub(crate) fn moved(&self, (dx, dy): Point) -> Extent {
        Extent { x: self.x + dx, y: self.y + dy, ..*self }
    }

    pub(crate) fn scaled(&self, by: f64) -> Extent {
        Extent { x: self.x * by, y: self.y * by, w: self.w * by, h: self.h * by }
    }
}

/// The box of a thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneBox {
    /// The thing, as an index into [`DrawnGraph::nodes`].
    pub node: usize,
    /// Where it is.
    pub place: Extent,
    /// May things be inside?
    pub is_holder: bool,
}

/// What a text belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextOf {
    /// The label of a thing.
    Label(usize),
    /// Something told of a thing.
    Badge(usize),
    /// The label of a line.
    Edge(usize),
    /// A row or a column of a grid.
    Heading,
    /// What is told below the picture.
    Remark,
}

/// A line of letters.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneText {
    /// What it belongs to.
    pub of: TextOf,
    /// The letters.
    pub text: String,
    /// The middle of its baseline.
    pub at: Point,
    /// The size of the font.
    pub size: f64,
    /// How wide it is.
    pub width: f64,
}

/// Above and below its baseline, a line of letters reaches so far, in parts of its size: no ASCII letter of the fonts reaches
/// further (a test says so).
pub const REACH: (f64, f64) = (0.78, 0.24);

impl SceneText {
    /// The room that it takes.
    pub fn place(&self) -> Extent {
        let (above, below) = (self.size * REACH.0, self.size * REACH.1);
        Extent { x: self.at.0 - self.width / 2.0, y: self.at.1 - above, w: self.width, h: above + below }
    }
}

/// A line between two things: a curve, from its start to its end, which a point between pulls at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneLine {
    /// The edge, as an index into [`DrawnGraph::edges`]; none for a sample below the picture.
    pub edge: Option<usize>,
    /// Its kind.
    pub class: usize,
    /// Start, the point that pulls, and end.
    pub points: [Point; 3],
}

impl SceneLine {
    /// The point at a share of its way.
    pub fn at(&self, share: f64) -> Point {
        let [a, b, c] = self.points;
        let (s, t) = (1.0 - share, share);
        let mix = |a: f64, b: f64, c: f64| s * s * a + 2.0 * s * t * b + t * t * c;
        (mix(a.0, b.0, c.0), mix(a.1, b.1, c.1))
    }
}

/// Everything in its place, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The side of the picture.
    pub side: f64,
    /// How many pixels a pixel of the plan has.
    pub scale: f64,
    /// Cells of grids.
    pub cells: Vec<Extent>,
    /// Boxes, outer ones first.
    pub boxes: Vec<SceneBox>,
    /// Lines.
    pub lines: Vec<SceneLine>,
    /// Texts.
    pub texts: Vec<SceneText>,
}

/// The colour behind a text, so that no line goes through its letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// That of the paper.
    Paper,
    /// That of a thing, as an index into [`DrawnGraph::nodes`].
    Thing(usize),
}

/// How letters stand in an SVG document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// As text, in a font that the reader's machine has.
    Text,
    /// As outlines, for pixels.
    Outlines,
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl Scene {
    /// The colour of a thing.
    pub fn fill(graph: &DrawnGraph, node: usize, style: &PictureStyle) -> String {
        let node = &graph.nodes[node];
        let number = node.kind.map_or(7, |kind| kind + style.shift) % style.palette.fills.len();
        node.color.clone().unwrap_or_else(|| style.palette.fills[number].to_owned())
    }

    /// The shape of a thing.
    pub fn shape(graph: &DrawnGraph, thing: &SceneBox) -> NodeShape {
        let node = &graph.nodes[thing.node];
        let by_kind = [NodeShape::Rounded, NodeShape::Box, NodeShape::Hexagon, NodeShape::Pill];
        let usual = if thing.is_holder { NodeShape::Rounded } else { by_kind[node.kind.unwrap_or(1) % 4] };
        node.shape.filter(|_| !thing.is_holder).unwrap_or(usual)
    }

    /// The colour of a line.
    pub fn stroke(graph: &DrawnGraph, line: &SceneLine, style: &PictureStyle) -> String {
        let class = &graph.classes[line.class];
        let own = line.edge.and_then(|edge| graph.edges[edge].color.clone()).or_else(|| class.color.clone());
        own.unwrap_or_else(|| style.palette.lines[line.class % style.palette.lines.len()].to_owned())
    }

    /// The document. What it draws of a thing stands in a group with the thing's term as `data-node`, lines have their ends
    /// as `data-from` and `data-to`.
    pub fn svg(&self, graph: &DrawnGraph, style: &PictureStyle, letters: Letters) -> String {
        let side = number(self.side);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{side}\" height=\"{side}\" viewBox=\"0 0 {side} {side}\" \
             font-family=\"{}\">\n<rect width=\"{side}\" height=\"{side}\" fill=\"{}\"/>\n",
            style.font.families(),
            style.palette.paper
        );
        let ink = style.palette.ink;
        for cell in &self.cells {
            let [x, y, w, h] = [cell.x, cell.y, cell.w, cell.h].map(number);
            // Writing to a string does not fail.
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"none\" stroke=\"{ink}\" stroke-opacity=\".35\"/>"
            );
        }
        for thing in self.boxes.iter().filter(|thing| thing.is_holder) {
            self.thing(thing, graph, style, &mut out);
        }
        for line in &self.lines {
            self.line(line, graph, style, &mut out);
        }
        for thing in self.boxes.iter().filter(|thing| !thing.is_holder) {
            self.thing(thing, graph, style, &mut out);
        }
        for text in &self.texts {
            let (x, y) = text.at;
            let of = match text.of {
                TextOf::Label(node) => {
                    format!(" data-label=\"{}\"", escaped(&graph.nodes[node].id.to_string()))
                }
                TextOf::Badge(node) => {
                    format!(" data-badge=\"{}\"", escaped(&graph.nodes[node].id.to_string()))
                }
                _ => String::new(),
            };
            if let Some(behind) = self.behind(text) {
                let fill = match behind {
                    Behind::Paper => style.palette.paper.to_owned(),
                    Behind::Thing(node) => Scene::fill(graph, node, style),
                };
                let back = text.place().grown(1.0);
                let [x, y, w, h] = [back.x, back.y, back.w, back.h].map(number);
                let _ =
                    writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{fill}\"/>");
            }
            let _ = match letters {
                Letters::Text => writeln!(
                    out,
                    "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"middle\" textLength=\"{}\" \
                     lengthAdjust=\"spacingAndGlyphs\" fill=\"{ink}\"{of}>{}</text>",
                    number(x),
                    number(y),
                    number(text.size),
                    number(text.width),
                    escaped(&text.text)
                ),
                Letters::Outlines => {
                    let path = style.font.outline(&text.text, (x - text.width / 2.0, y), text.size);
                    writeln!(out, "<path d=\"{path}\" fill=\"{ink}\"/>")
                }
            };
        }
        out += "</svg>\n";
        out
    }

    /// What is between a text and the lines that go through it.
    pub fn behind(&self, text: &SceneText) -> Option<Behind> {
        let holds = |node: usize| self.boxes.iter().any(|thing| thing.node == node && thing.is_holder);
        match text.of {
            TextOf::Edge(_) => Some(Behind::Paper),
            // A line ends at things that hold nothing, and goes over those that do.
            TextOf::Label(node) | TextOf::Badge(node) if holds(node) && self.is_crossed(text) => {
                Some(Behind::Thing(node))
            }
            _ => None,
        }
    }

    /// Does a line go through a text?
    fn is_crossed(&self, text: &SceneText) -> bool {
        let place = text.place();
        let points = |line: &SceneLine| {
            let [a, b, c] = line.points;
            // All of a curve is between its three points.
            let between = |low: f64, high: f64, three: [f64; 3]| {
                three.iter().any(|at| *at <= high) && three.iter().any(|at| *at >= low)
            };
            if !between(place.x, place.x + place.w, [a.0, b.0, c.0])
                || !between(place.y, place.y + place.h, [a.1, b.1, c.1])
            {
                return false;
            }
            let steps = ((a.0 - c.0).hypot(a.1 - c.1) / STEP).ceil().max(1.0);
            (0..=steps as u32).any(|step| place.holds(line.at(f64::from(step) / steps)))
        };
        self.lines.iter().any(points)
    }

    fn thing(&self, thing: &SceneBox, graph: &DrawnGraph, style: &PictureStyle, out: &mut String) {
        let Extent { x, y, w, h } = thing.place;
        let fill = Scene::fill(graph, thing.node, style);
        let id = escaped(&graph.nodes[thing.node].id.to_string());
        let width = number(style.line * self.scale * 0.8);
        let paint = format!(
            "fill=\"{fill}\" stroke=\"{}\" stroke-width=\"{width}\" data-node=\"{id}\"",
            style.palette.ink
        );
        let shape = Scene::shape(graph, thing);
        let corner = match shape {
            NodeShape::Box => 0.0,
            NodeShape::Rounded => (style.corner + 1.0) * self.scale,
            NodeShape::Pill => h / 2.0,
            NodeShape::Hexagon => {
                let cut = (h / 2.0).min(CUT * self.scale);
                let points = [
                    (x + cut, y),
                    (x + w - cut, y),
                    (x + w, y + h / 2.0),
                    (x + w - cut, y + h),
                    (x + cut, y + h),
                    (x, y + h / 2.0),
                ];
                let points: Vec<String> =
                    points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect();
                let _ = writeln!(out, "<polygon points=\"{}\" {paint}/>", points.join(" "));
                return;
            }
        };
        let [x, y, w, h, corner] = [x, y, w, h, corner].map(number);
        let _ =
            writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{corner}\" {paint}/>");
    }

    fn line(&self, line: &SceneLine, graph: &DrawnGraph, style: &PictureStyle, out: &mut String) {
        let [a, b, c] = line.points;
        let stroke = Scene::stroke(graph, line, style);
        let dashed = line.edge.map_or(graph.classes[line.class].dashed, |edge| graph.edges[edge].dashed);
        let dash = if dashed { " stroke-dasharray=\"5 4\"" } else { "" };
        let ends = line.edge.map_or(String::new(), |edge| {
            let id = |node: usize| escaped(&graph.nodes[node].id.to_string());
            format!(" data-from=\"{}\" data-to=\"{}\"", id(graph.edges[edge].from), id(graph.edges[edge].to))
        });
        let [ax, ay, bx, by, cx, cy] = [a.0, a.1, b.0, b.1, c.0, c.1].map(number);
        let width = number(style.line * self.scale);
        let _ = writeln!(
            out,
            "<path d=\"M{ax} {ay}Q{bx} {by} {cx} {cy}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\"{dash}{ends}/>"
        );
        if line.edge.is_some_and(|edge| graph.edges[edge].directed) {
            let (dx, dy) = (c.0 - b.0, c.1 - b.1);
            let length = dx.hypot(dy).max(1e-6);
            let (ux, uy) = (dx / length * 7.0 * self.scale, dy / length * 7.0 * self.scale);
            let corner = |side: f64| {
                format!("{},{}", number(c.0 - ux - side * uy * 0.5), number(c.1 - uy + side * ux * 0.5))
            };
            let _ = writeln!(
                out,
                "<polygon points=\"{cx},{cy} {} {}\" fill=\"{stroke}\"/>",
                corner(1.0),
                corner(-1.0)
            );
        }
    }
}

/// Pixels between the points of a line that are looked at.
const STEP: f64 = 4.0;

/// How much of each end of a hexagon is cut off.
pub(crate) const CUT: f64 = 7.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pictures::font::TextFont;

    #[test]
    fn no_letter_reaches_further_than_is_said() {
        let letters: String =
            (b'a'..=b'z').chain(b'A'..=b'Z').chain(b'0'..=b'9').chain(*b" .,:+-").map(char::from).collect();
        for font in TextFont::ALL {
            let (above, below) = font.reach(&letters, 1.0);
            assert!(above <= REACH.0 && below <= REACH.1, "{font:?}: {above} {below}");
        }
    }
}
