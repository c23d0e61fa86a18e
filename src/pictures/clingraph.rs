//! What is to be drawn to facts from which clingraph makes a graph: names, badges and cells as labels, and what is in or upon what as
//! dotted edges, for Graphviz knows no places.

use std::collections::BTreeMap;

use racgen_logic::term::Term;

use crate::pictures::graph::{DrawnGraph, NodePlace, NodeShape};
use crate::pictures::scene::Scene;
use crate::pictures::style::PictureStyle;

/// All edges between two things, which are one in clingraph.
struct JoinedEdge {
    labels: Vec<String>,
    is_directed: bool,
    style: &'static str,
}

/// A text as a term.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}

/// The facts, all of the graph `default`, one a line.
pub fn facts(graph: &DrawnGraph, style: &PictureStyle) -> String {
    let mut lines = Vec::new();
    let mut edges: BTreeMap<(usize, usize), JoinedEdge> = BTreeMap::new();
    let mut join = |ends: (usize, usize), label: &str, is_directed: bool, style: &'static str| {
        let edge = edges.entry(ends).or_insert_with(|| JoinedEdge { labels: Vec::new(), is_directed, style });
        edge.is_directed |= is_directed;
        if !label.is_empty() {
            edge.labels.push(label.to_owned());
        }
    };
    for (number, node) in graph.nodes.iter().enumerate() {
        let mut label = vec![node.label.clone()];
        label.extend(node.badges.iter().cloned());
        let heading = |term| graph.headings.get(term).cloned().unwrap_or_else(|| term.to_string());
        match &node.place {
            NodePlace::Free => {}
            NodePlace::On(other) => join((number, *other), "on", true, "dotted"),
            NodePlace::In(other) => join((number, *other), "in", true, "dotted"),
            NodePlace::Cell(within, row, column) => {
                label.push(format!("{}, {}", heading(row), heading(column)));
                within.iter().for_each(|other| join((number, *other), "in", true, "dotted"));
            }
        }
        let (shape, look) = match node.shape {
            Some(NodeShape::Box) => ("box", "filled"),
            Some(NodeShape::Pill) => ("ellipse", "filled"),
            Some(NodeShape::Hexagon) => ("hexagon", "filled"),
            Some(NodeShape::Rounded) | None => ("box", "rounded,filled"),
        };
        let fill = Scene::fill(graph, number, style);
        let values = [
            ("label", label.join("\n")),
            ("shape", shape.into()),
            ("style", look.into()),
            ("fillcolor", fill),
        ];
        lines.push(format!("node({}).", node.id));
        for (name, value) in values {
            lines.push(format!("attr(node,{},{name},{}).", node.id, quoted(&value)));
        }
    }
    for edge in &graph.edges {
        let class = &graph.classes[edge.class].label;
        let label = if edge.label.is_empty() { class } else { &edge.label };
        join((edge.from, edge.to), label, edge.directed, if edge.dashed { "dashed" } else { "solid" });
    }
    for (before, after) in &graph.order {
        let number = |id: &Term| graph.nodes.iter().position(|node| node.id == *id);
        if let (Some(before), Some(after)) = (number(before), number(after)) {
            join((before, after), "before", true, "dotted");
        }
    }
    for ((from, to), edge) in edges {
        let id = format!("({},{})", graph.nodes[from].id, graph.nodes[to].id);
        lines.push(format!("edge({id})."));
        let tip = if edge.is_directed { "forward" } else { "none" };
        for (name, value) in
            [("label", edge.labels.join(", ")), ("dir", tip.into()), ("style", edge.style.into())]
        {
            lines.push(format!("attr(edge,{id},{name},{}).", quoted(&value)));
        }
    }
    if !graph.remarks.is_empty() {
        lines.push(format!("attr(graph,default,label,{}).", quoted(&graph.remarks.join("\n"))));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
