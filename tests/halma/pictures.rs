//! Promise: pictures show what panels and mazes are, legibly, the same each time; and files of digits that are none get
//! sentences.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use racgen::halma::maze::grid::Direction;
use racgen::halma::pictures::maze::{maze, trial};
use racgen::halma::pictures::panel::{PANEL_SIDE, panel};
use racgen::halma::play::panel::{Colour, Panel};
use racgen::logic::seed::stream;
use racgen::pictures::digits::DigitShapes;
use racgen::pictures::drawing::Drawing;
use racgen::pictures::idx::ScannedDigits;
use racgen::pictures::raster::{pixels, png};

use crate::mazes::set;

/// What a colour looks like, as a person would name it: red, green and blue.
const PAINTS: [(Colour, [u8; 3]); 8] = [
    (Colour::Red, [255, 45, 32]),
    (Colour::Orange, [255, 144, 0]),
    (Colour::Yellow, [255, 238, 0]),
    (Colour::Green, [30, 200, 30]),
    (Colour::Cyan, [32, 229, 255]),
    (Colour::Blue, [59, 85, 255]),
    (Colour::White, [255, 255, 255]),
    (Colour::Purple, [176, 48, 232]),
];

#[test]
fn panels_show_each_digit_in_its_colour_and_nothing_else() {
    let mut seen = 0;
    for maze in set(8, 31) {
        for (number, (_, cell)) in maze.chart.cells().enumerate() {
            let shown = Panel::of(cell);
            let digits = shown.digits();
            let mut rng = stream(3, &["test", &maze.record.id, &number.to_string()]);
            let picture = panel(&digits, shown.hint(), &DigitShapes::Drawn, &mut rng);
            let rgb = pixels(&picture).unwrap();
            assert_eq!(rgb.len(), (3 * PANEL_SIDE * PANEL_SIDE) as usize);
            let count = |paint: [u8; 3]| rgb.chunks(3).filter(|pixel| **pixel == paint).count();
            for (colour, paint) in PAINTS {
                let wanted = digits.iter().filter(|digit| digit.colour == colour).count();
                let found = count(paint);
                // The middle of a stroke has the colour itself.
                assert!(
                    found >= 8 * wanted && (wanted > 0 || found == 0),
                    "{colour:?}: {found} for {wanted}"
                );
            }
            assert_eq!(count([154; 3]) > 40, shown.hint().is_some());
            seen += 1;
        }
    }
    assert!(seen > 200);
}

/// A digit as grey values of a square.
fn glyph(digit: u8, seed: u64) -> Vec<u8> {
    let mut rng = stream(seed, &["test", "glyph", &digit.to_string()]);
    let mut drawing = Drawing::new(24, 24, "#000000");
    DigitShapes::Drawn.put(&mut drawing, digit, (1.0, 1.0), 22.0, "#ffffff", &mut rng);
    pixels(&drawing).unwrap().chunks(3).map(|pixel| pixel[0]).collect()
}

#[test]
fn drawn_digits_differ_each_time_and_are_told_apart() {
    let known: Vec<(u8, Vec<u8>)> =
        (0..20).flat_map(|seed| (0..10).map(move |digit| (digit, glyph(digit, seed)))).collect();
    let distinct: BTreeSet<&Vec<u8>> = known.iter().map(|(_, image)| image).collect();
    assert_eq!(distinct.len(), known.len());
    let apart =
        |a: &[u8], b: &[u8]| -> u64 { a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum() };
    // The nearest of the others is of the same kind.
    let mut right = 0;
    for seed in 100..110 {
        for digit in 0..10 {
            let image = glyph(digit, seed);
            let nearest = known.iter().min_by_key(|(_, other)| apart(&image, other)).unwrap();
            right += usize::from(nearest.0 == digit);
        }
    }
    println!("{right} of 100 drawn digits are nearest to one of their kind");
    assert!(right >= 95, "{right} of 100");
}

#[test]
fn maps_show_start_goal_walls_and_trials() {
    let set = set(1, 32);
    let chart = &set[0].chart;
    let map = maze(chart);
    let svg = map.svg();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg, maze(chart).svg());
    let fields = svg.matches("height=\"40\" fill=\"#f3efe6\"").count();
    assert_eq!(fields, chart.cells().count(), "a field for each free cell");
    assert!(png(&map).unwrap().starts_with(b"\x89PNG\r\n"));
    let moves: Vec<(Direction, u8, bool)> =
        chart.legs.iter().map(|(direction, units)| (*direction, *units, true)).collect();
    let drawn = trial(chart, &moves).svg();
    assert_eq!(drawn.matches("stroke=\"#1d4ed8\"").count(), moves.len());
    let failed = trial(chart, &[(Direction::Up, 9, false)]).svg();
    assert_eq!(failed.matches("stroke=\"#d02020\"").count(), 2, "a cross");
}

/// IDX files of images of 2 x 2 pixels, whose first pixel tells the digit.
fn digits(folder: &Path, count: u32) {
    let mut images = [0x0000_0803, count, 2, 2].map(u32::to_be_bytes).concat();
    let mut labels = [0x0000_0801, count].map(u32::to_be_bytes).concat();
    for number in 0..count {
        let digit = (number % 10) as u8;
        images.extend([25 * digit, 255, 0, 255]);
        labels.push(digit);
    }
    fs::write(folder.join("train-images-idx3-ubyte"), images).unwrap();
    fs::write(folder.join("train-labels-idx1-ubyte"), labels).unwrap();
}

#[test]
fn digits_of_the_users_are_drawn_and_bad_files_get_sentences() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let sentence = || ScannedDigits::read(at).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(sentence().contains("images"), "{}", sentence());
    digits(at, 30);
    let read = ScannedDigits::read(at).unwrap();
    assert!(read.images.iter().all(|images| images.len() == 3));
    let mut drawing = Drawing::new(20, 20, "#000000");
    let mut rng = stream(0, &["test"]);
    DigitShapes::Scanned(Box::new(read)).put(&mut drawing, 4, (0.0, 0.0), 20.0, "#ffffff", &mut rng);
    let rgb = pixels(&drawing).unwrap();
    let at_pixel = |x: usize, y: usize| rgb[3 * (20 * y + x)];
    // Opacity has two decimals.
    assert!(at_pixel(5, 5).abs_diff(100) <= 2, "{}", at_pixel(5, 5));
    assert_eq!([at_pixel(15, 5), at_pixel(5, 15), at_pixel(15, 15)], [255, 0, 255]);

    let (images, labels) = (at.join("train-images-idx3-ubyte"), at.join("train-labels-idx1-ubyte"));
    let good = (fs::read(&images).unwrap(), fs::read(&labels).unwrap());
    let changed = |of: &Vec<u8>, at: usize, to: u8| {
        let mut bytes = of.clone();
        bytes[at] = to;
        bytes
    };
    let cases: [(Vec<u8>, Vec<u8>, &str); 9] = [
        (good.0[..100].to_vec(), good.1.clone(), "cut short"),
        (good.0.clone(), good.1[..20].to_vec(), "cut short"),
        (good.0[..9].to_vec(), good.1.clone(), "within its header"),
        (Vec::new(), good.1.clone(), "within its header"),
        (changed(&good.0, 3, 1), good.1.clone(), "begins with"),
        (good.0.clone(), changed(&good.1, 7, 29), "belong together"),
        (good.0.clone(), changed(&good.1, 9, 12), "is no digit"),
        (changed(&good.0, 8, 255), good.1.clone(), "rows"),
        (changed(&good.0, 15, 0), good.1.clone(), "columns"),
    ];
    for (image_bytes, label_bytes, word) in cases {
        fs::write(&images, image_bytes).unwrap();
        fs::write(&labels, label_bytes).unwrap();
        assert!(sentence().contains(word), "{word}: {}", sentence());
    }
    digits(at, 9);
    assert!(sentence().contains("there is no 9"), "{}", sentence());
}
