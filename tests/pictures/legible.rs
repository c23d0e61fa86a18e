//! Promise: no text of a picture overlaps another one or a foreign box, or leaves the picture, at 512 pixels, and no line runs
//! upon another, at all levels of all domains; where that is impossible the picture is refused in a sentence. Texts are measured
//! by the fonts that are shipped.

use std::collections::BTreeMap;

use racgen::domain::package::Package;
use racgen::pictures::arrange::SMALLEST;
use racgen::pictures::scene::{SceneLine, TextOf};
use racgen::pictures::style::PictureStyle;
use racgen::simulate::error::SimulationError;
use racgen::simulate::views::painter::Picture;
use racgen::simulate::views::view::view_of;
use rayon::prelude::*;

use crate::common::LIMIT;
use crate::stage::{Stage, invented, library};

/// What is wrong with a picture.
pub fn faults(picture: &Picture, style: &PictureStyle) -> Vec<String> {
    let Picture { graph, scene } = picture;
    let mut found = Vec::new();
    let is_inside = |mut node: usize, of: usize| {
        loop {
            if node == of {
                return true;
            }
            match graph.parent(node) {
                Some(parent) => node = parent,
                None => return false,
            }
        }
    };
    for (number, text) in scene.texts.iter().enumerate() {
        let place = text.place();
        if text.size < SMALLEST - 1e-6 {
            found.push(format!("`{}` has {:.1} pixels", text.text, text.size));
        }
        let width = style.font.width(&text.text, text.size);
        if (width - text.width).abs() > 0.01 {
            found.push(format!("`{}` is {width} wide, not {}", text.text, text.width));
        }
        let side = f64::from(style.side);
        if place.x < 0.0 || place.y < 0.0 || place.x + place.w > side || place.y + place.h > side {
            found.push(format!("`{}` leaves the picture", text.text));
        }
        for other in &scene.texts[number + 1..] {
            if place.meets(&other.place()) {
                found.push(format!("`{}` overlaps `{}`", text.text, other.text));
            }
        }
        let own = match text.of {
            TextOf::Label(node) | TextOf::Badge(node) => Some(node),
            _ => None,
        };
        for thing in &scene.boxes {
            let foreign = own.is_none_or(|own| !is_inside(own, thing.node));
            // What is told on a line may lie over a box that the line is in.
            let on_line = matches!(text.of, TextOf::Edge(_)) && thing.is_holder;
            if foreign && !on_line && thing.place.meets(&place) {
                found.push(format!("`{}` meets the box of {}", text.text, graph.nodes[thing.node].id));
            }
            if own == Some(thing.node)
                && !(thing.place.holds((place.x, place.y))
                    && thing.place.holds((place.x + place.w, place.y + place.h)))
            {
                found.push(format!("`{}` leaves its box", text.text));
            }
        }
    }
    for (number, one) in scene.boxes.iter().enumerate() {
        for other in &scene.boxes[number + 1..] {
            let nested = is_inside(one.node, other.node) || is_inside(other.node, one.node);
            if !nested && one.place.meets(&other.place) {
                found.push(format!("{} overlaps {}", graph.nodes[one.node].id, graph.nodes[other.node].id));
            }
        }
    }
    let edges: Vec<&SceneLine> = scene.lines.iter().filter(|line| line.edge.is_some()).collect();
    for (number, one) in edges.iter().enumerate() {
        for other in &edges[number + 1..] {
            if runs_upon(one, other) || runs_upon(other, one) {
                let ends = |line: &SceneLine| {
                    let edge = &graph.edges[line.edge.unwrap()];
                    format!("{}-{}", graph.nodes[edge.from].id, graph.nodes[edge.to].id)
                };
                found.push(format!("the line {} runs upon {}", ends(one), ends(other)));
            }
        }
    }
    found
}

/// Is nearly all of a line drawn upon another, so that none can tell that it is there?
fn runs_upon(one: &SceneLine, other: &SceneLine) -> bool {
    let points = |line: &SceneLine, number: usize| -> Vec<(f64, f64)> {
        (0..=number).map(|n| line.at(n as f64 / number as f64)).collect()
    };
    let all = points(other, 200);
    let near = |p: &(f64, f64)| all.iter().any(|q| (p.0 - q.0).hypot(p.1 - q.1) < 2.0);
    points(one, 20).iter().filter(|point| near(point)).count() > 18
}

/// How many pictures were drawn, how many refused, and what is wrong with them.
fn looked_at(package: &Package, level: i32, style: &PictureStyle) -> (usize, usize, Vec<String>) {
    let view = view_of(package, LIMIT).unwrap();
    let (mut drawn, mut refused, mut wrong) = (0, 0, Vec::new());
    for seed in 0..3 {
        let mut stage = Stage::new(package, level, false, seed);
        let painter = stage.painter(package, &view);
        for _ in 0..2 {
            let situations = stage.walk(5);
            match painter.pictures(&situations.iter().collect::<Vec<_>>(), style) {
                Ok(pictures) => {
                    drawn += 1;
                    for picture in &pictures {
                        let place = format!("{} N{level} seed {seed}: ", package.name);
                        wrong.extend(faults(picture, style).into_iter().map(|fault| place.clone() + &fault));
                    }
                }
                Err(SimulationError::Crowded(crowded)) => {
                    assert!(crowded.to_string().contains("cannot be read"), "{crowded}");
                    refused += 1;
                }
                Err(error) => panic!("{}: {error}", package.name),
            }
        }
    }
    (drawn, refused, wrong)
}

#[test]
fn texts_keep_apart_at_all_levels() {
    let packages: Vec<Package> = library().into_iter().chain(invented()).collect();
    let cells: Vec<(&Package, i32)> = packages
        .iter()
        .flat_map(|package| package.levels.keys().map(move |level| (package, *level)))
        .collect();
    let style = PictureStyle::default();
    let found: Vec<(usize, usize, Vec<String>)> =
        cells.par_iter().map(|(package, level)| looked_at(package, *level, &style)).collect();
    let mut refusals: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for ((package, level), (drawn, refused, wrong)) in cells.iter().zip(found) {
        if refused > 0 {
            refusals.insert(format!("{} N{level}", package.name), refused);
        }
        // Of the lower levels all stories fit.
        assert!(refused == 0 || *level > 3, "{} N{level}: {refused} stories are refused", package.name);
        assert!(drawn + refused > 0, "{}", package.name);
        all.extend(wrong);
    }
    println!("refused, of six stories each: {refusals:?}");
    assert!(all.is_empty(), "{} faults, such as {:#?}", all.len(), &all[..all.len().min(12)]);
}

#[test]
fn texts_keep_apart_in_every_style() {
    let packages = library();
    let dwr = packages.iter().find(|package| package.name == "dwr").unwrap();
    for seed in 0..24 {
        let style = PictureStyle::drawn(seed % 2 == 1, &mut racgen::logic::seed::stream(seed, &["style"]));
        let (drawn, _, wrong) = looked_at(dwr, 2, &style);
        assert!(drawn > 0 && wrong.is_empty(), "{seed}: {wrong:#?}");
    }
}
