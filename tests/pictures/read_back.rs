//! Promise: what is where can be read off a picture. From the SVG alone, by positions and labels, a naive reader finds what
//! is in and upon what, and what is told of it.

use std::collections::BTreeMap;

use racgen::pictures::graph::NodePlace;
use racgen::pictures::scene::Letters;
use racgen::pictures::style::PictureStyle;
use racgen::simulate::views::painter::Picture;
use regex::Regex;

use crate::common::LIMIT;
use crate::stage::{Stage, library};
use racgen::simulate::views::view::view_of;

#[derive(Clone, Debug)]
struct Seen {
    id: String,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

/// The boxes of a document, and for each the texts whose middle is in it and in no smaller box.
fn read(svg: &str) -> (Vec<Seen>, BTreeMap<String, Vec<String>>) {
    let mut boxes = Vec::new();
    let rect = Regex::new(
        r#"<rect x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"[^>]* data-node="([^"]+)"/>"#,
    )
    .unwrap();
    for found in rect.captures_iter(svg) {
        let number = |place: usize| found[place].parse::<f64>().unwrap();
        let (left, top) = (number(1), number(2));
        boxes.push(Seen { id: found[5].into(), left, top, right: left + number(3), bottom: top + number(4) });
    }
    let polygon = Regex::new(r#"<polygon points="([^"]+)"[^>]* data-node="([^"]+)"/>"#).unwrap();
    for found in polygon.captures_iter(svg) {
        let points: Vec<(f64, f64)> = found[1]
            .split(' ')
            .map(|pair| {
                let (x, y) = pair.split_once(',').unwrap();
                (x.parse().unwrap(), y.parse().unwrap())
            })
            .collect();
        let most = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).fold(f64::MIN, f64::max);
        let least = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).fold(f64::MAX, f64::min);
        boxes.push(Seen {
            id: found[2].into(),
            left: least(|p| p.0),
            top: least(|p| p.1),
            right: most(|p| p.0),
            bottom: most(|p| p.1),
        });
    }
    let text = Regex::new(r#"<text x="([^"]+)" y="([^"]+)"[^>]*>([^<]*)</text>"#).unwrap();
    let mut told: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for found in text.captures_iter(svg) {
        let (x, y): (f64, f64) = (found[1].parse().unwrap(), found[2].parse::<f64>().unwrap() - 3.0);
        let around = boxes.iter().filter(|b| b.left < x && x < b.right && b.top < y && y < b.bottom);
        let smallest = around.min_by(|a, b| area(a).total_cmp(&area(b)));
        if let Some(of) = smallest {
            let plain = found[3].replace("&amp;", "&").replace("&lt;", "<").replace("&quot;", "\"");
            told.entry(of.id.clone()).or_default().push(plain);
        }
    }
    (boxes, told)
}

fn area(seen: &Seen) -> f64 {
    (seen.right - seen.left) * (seen.bottom - seen.top)
}

/// Numbers of a document have two decimals.
const NEAR: f64 = 0.03;

/// The box that a box is in, and the one that it stands upon.
fn place(of: &Seen, boxes: &[Seen]) -> (Option<String>, Option<String>) {
    let holds = |b: &&Seen| {
        b.id != of.id
            && b.left <= of.left
            && of.right <= b.right
            && b.top <= of.top
            && of.bottom <= b.bottom
            && area(b) > area(of)
    };
    let within = boxes.iter().filter(holds).min_by(|a, b| area(a).total_cmp(&area(b))).map(|b| b.id.clone());
    let touches = |b: &&Seen| {
        (b.top - of.bottom).abs() < NEAR
            && b.left <= of.left + NEAR
            && of.right <= b.right + NEAR
            && b.id != of.id
    };
    (within, boxes.iter().find(touches).map(|b| b.id.clone()))
}

fn check(picture: &Picture, style: &PictureStyle, name: &str) -> usize {
    let Picture { graph, scene } = picture;
    let (boxes, told) = read(&scene.svg(graph, style, Letters::Text));
    assert_eq!(boxes.len(), graph.nodes.len(), "{name}");
    for node in &graph.nodes {
        let id = node.id.to_string();
        let seen = boxes.iter().find(|b| b.id == id).unwrap();
        let (within, below) = place(seen, &boxes);
        let named = |number: usize| Some(graph.nodes[number].id.to_string());
        match node.place {
            NodePlace::Free => assert_eq!((within, below), (None, None), "{name} {id}"),
            NodePlace::In(other) => assert_eq!(within, named(other), "{name} {id}"),
            NodePlace::Cell(other, ..) => assert_eq!(within, other.and_then(named), "{name} {id}"),
            NodePlace::On(other) => assert_eq!(below, named(other), "{name} {id}"),
        }
        let mut texts = told.get(&id).cloned().unwrap_or_default();
        texts.sort();
        let mut wanted: Vec<String> =
            std::iter::once(node.label.clone()).chain(node.badges.iter().cloned()).collect();
        wanted.sort();
        assert_eq!(texts, wanted, "{name} {id}");
    }
    graph.nodes.len()
}

#[test]
fn positions_and_labels_say_what_is_where() {
    let style = PictureStyle::default();
    let mut things = 0;
    for package in library() {
        let view = view_of(&package, LIMIT).unwrap();
        for level in [1, 3] {
            let mut stage = Stage::new(&package, level, false, 5);
            let painter = stage.painter(&package, &view);
            let situations = stage.walk(4);
            let pictures = painter.pictures(&situations.iter().collect::<Vec<_>>(), &style).unwrap();
            for picture in &pictures {
                things += check(picture, &style, &format!("{} N{level}", package.name));
            }
        }
    }
    assert!(things > 1000, "{things}");
}
