//! Promise: a picture determines its situation. Two situations that differ are drawn differently, in small worlds of every
//! package, by its own view and by the one that is made for it.

use std::collections::BTreeMap;

use racgen::domain::package::Package;
use racgen::logic::term::Term;
use racgen::pictures::graph::{DrawnGraph, NodePlace};
use racgen::simulate::layout::Layout;
use racgen::simulate::views::painter::Painter;
use rayon::prelude::*;

use crate::stage::{Stage, invented, library, views};

/// Situations of a layout that are compared.
const MOST: usize = 1500;

/// Pairs of situations that look alike, as the first fluent by which they differ; and how many situations were compared.
fn alike(package: &Package) -> (Vec<String>, usize) {
    let lowest = *package.levels.keys().next().unwrap();
    let (mut found, mut compared) = (Vec::new(), 0);
    for seed in 0..2 {
        let mut stage = Stage::new(package, lowest, true, seed);
        let situations = stage.reachable(MOST);
        compared += situations.len();
        for view in views(package) {
            let painter = stage.painter(package, &view);
            let graphs = painter.graphs(&situations.iter().collect::<Vec<_>>()).unwrap();
            let mut known: BTreeMap<String, usize> = BTreeMap::new();
            for (number, graph) in graphs.iter().enumerate() {
                let Some(other) = known.insert(told(graph), number) else { continue };
                let engine = &stage.simulator.engine;
                let differs = |f: &usize| situations[number].contains(*f) != situations[other].contains(*f);
                let fluent = engine.inertial.iter().find(differs).map(|f| engine.fluents[f].to_string());
                found.push(format!("{} by {}: {fluent:?}", package.name, view.name));
            }
        }
    }
    (found, compared)
}

/// What can be seen of a picture: letters, colours, and what is in, upon and beside what, without any term.
pub fn told(graph: &DrawnGraph) -> String {
    let heading = |term: &Term| graph.headings.get(term).cloned().unwrap_or_else(|| term.to_string());
    let label = |node: usize| graph.nodes[node].label.clone();
    let things = graph.nodes.iter().map(|node| {
        let place = match &node.place {
            NodePlace::Free => String::new(),
            NodePlace::On(other) => format!("on {}", label(*other)),
            NodePlace::In(other) => format!("in {}", label(*other)),
            NodePlace::Cell(other, row, column) => {
                format!("{:?} {} {}", other.map(label), heading(row), heading(column))
            }
        };
        format!("{} {:?} {:?} {:?} {:?} {place}", node.label, node.badges, node.color, node.shape, node.kind)
    });
    let lines = graph.edges.iter().map(|edge| {
        let look = (&edge.label, &edge.color, edge.dashed, edge.directed, edge.class);
        format!("{} {} {look:?}", label(edge.from), label(edge.to))
    });
    let mut all: Vec<String> = things.chain(lines).chain(graph.remarks.iter().cloned()).collect();
    all.sort();
    all.join("\n")
}

#[test]
fn situations_that_differ_look_different() {
    let packages: Vec<Package> = library().into_iter().chain(invented()).collect();
    let all: Vec<(Vec<String>, usize)> = packages.par_iter().map(alike).collect();
    for (package, (found, compared)) in packages.iter().zip(&all) {
        println!("{}: {compared} situations compared", package.name);
        assert!(*compared >= 8, "{}: only {compared} situations were met", package.name);
        assert!(
            found.is_empty(),
            "{} pairs look alike, such as {:#?}",
            found.len(),
            &found[..found.len().min(3)]
        );
    }
}

#[test]
fn a_view_that_leaves_something_out_is_noticed() {
    let mut package = library().into_iter().find(|package| package.name == "dwr").unwrap();
    let view = package.view.clone().unwrap();
    let without: String =
        view.text.lines().filter(|line| !line.contains("holds(at(")).map(|l| format!("{l}\n")).collect();
    assert_ne!(*without, *view.text);
    package.view = Some(racgen::logic::clingo::Source::new("view.lp", without));
    assert!(!alike(&package).0.is_empty());
}

/// Static facts of a layout that words would tell and the picture does not show: without them, it looks the same.
fn unseen(package: &Package) -> (Vec<String>, usize) {
    let highest = package.levels.keys().copied().filter(|level| *level <= 2).max().unwrap_or(1);
    let mut stage = Stage::new(package, highest, false, 3);
    let situation = stage.walk(0).remove(0);
    let layout = stage.simulator.layout().clone();
    let told: Vec<(usize, bool)> = (0..layout.statics.len())
        .filter_map(|fact| {
            let entry =
                package.book.facts.iter().find(|r| package.fits(&r.pattern, &layout.statics[fact]))?;
            Some((fact, entry.symmetric))
        })
        .collect();
    let (mut found, mut compared) = (Vec::new(), 0);
    for view in views(package) {
        let drawn = |statics: Vec<Term>| {
            let layout = Layout { statics, ..layout.clone() };
            let engine = stage.simulator.engine.compiled();
            let painter = Painter::new(package, &layout, engine, &view, &stage.names).unwrap();
            painter.graphs(&[&situation]).map(|graphs| told_of(&graphs))
        };
        let whole = drawn(layout.statics.clone()).unwrap();
        for (fact, symmetric) in told.iter().step_by(told.len().div_ceil(MOST_FACTS).max(1)) {
            let gone = &layout.statics[*fact];
            let turned = match gone.args() {
                [a, b] if *symmetric => Term::function(gone.functor(), vec![b.clone(), a.clone()]),
                _ => gone.clone(),
            };
            let rest = layout.statics.iter().filter(|other| *other != gone && **other != turned).cloned();
            compared += 1;
            // A view may lack what it draws something in; then the fact is seen as well.
            if drawn(rest.collect()).is_ok_and(|without| without == whole) {
                found.push(format!("{} by {}: {gone}", package.name, view.name));
            }
        }
    }
    (found, compared)
}

/// Static facts of a package that are left out, one by one.
const MOST_FACTS: usize = 10;

fn told_of(graphs: &[DrawnGraph]) -> String {
    let order = |graph: &DrawnGraph| {
        let mut order: Vec<String> = graph.order.iter().map(|(a, b)| format!("{a} before {b}")).collect();
        order.sort();
        order.join("\n")
    };
    graphs.iter().map(|graph| told(graph) + &order(graph)).collect()
}

#[test]
fn static_facts_that_words_tell_are_seen() {
    let packages: Vec<Package> = library().into_iter().chain(invented()).collect();
    let all: Vec<(Vec<String>, usize)> = packages.par_iter().map(unseen).collect();
    let compared: usize = all.iter().map(|(_, compared)| compared).sum();
    assert!(compared > 100, "only {compared} facts were left out");
    let found: Vec<&String> = all.iter().flat_map(|(found, _)| found).collect();
    assert!(found.is_empty(), "{} of {compared} facts are not seen: {found:#?}", found.len());
}
