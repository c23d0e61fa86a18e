//! Shapes to an SVG document. Numbers have two decimals at most, so that a drawing is the same text everywhere.

use std::fmt::Write as _;

/// A point, x to the right and y downwards.
pub type Point = (f64, f64);

/// A drawing of a fixed size, to which shapes are added from back to front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    width: u32,
    height: u32,
    body: String,
}

/// A number as it stands in SVG.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

fn list(points: &[Point]) -> String {
    let pairs: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect();
    pairs.join(" ")
}

impl Drawing {
    /// A drawing of this size in pixels, all of one colour.
    pub fn new(width: u32, height: u32, background: &str) -> Drawing {
        let mut drawing = Drawing { width, height, body: String::new() };
        drawing.rectangle((0.0, 0.0), (f64::from(width), f64::from(height)), background);
        drawing
    }

    /// Its size in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// One line of the document. Writing to a string does not fail.
    fn add(&mut self, element: std::fmt::Arguments) {
        let _ = writeln!(self.body, "{element}");
    }

    /// A rectangle, by its upper left corner and its size.
    pub fn rectangle(&mut self, (x, y): Point, (width, height): Point, fill: &str) {
        let [x, y, width, height] = [x, y, width, height].map(number);
        self.add(format_args!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>"#));
    }

    /// A rectangle through which so much of what is behind shows as `1 - opacity` says.
    pub fn veil(&mut self, (x, y): Point, (width, height): Point, fill: &str, opacity: f64) {
        let [x, y, width, height, opacity] = [x, y, width, height, opacity].map(number);
        self.add(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}" fill-opacity="{opacity}"/>"#
        ));
    }

    /// A disc.
    pub fn disc(&mut self, (x, y): Point, radius: f64, fill: &str) {
        let [x, y, radius] = [x, y, radius].map(number);
        self.add(format_args!(r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}"/>"#));
    }

    /// A filled polygon.
    pub fn polygon(&mut self, points: &[Point], fill: &str) {
        self.add(format_args!(r#"<polygon points="{}" fill="{fill}"/>"#, list(points)));
    }

    /// Straight lines from point to point, with round ends and corners.
    pub fn line(&mut self, points: &[Point], colour: &str, width: f64) {
        self.add(format_args!(
            r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="{}" stroke-linecap="round" stroke-linejoin="round"/>"#,
            list(points),
            number(width)
        ));
    }

    /// A path in the language of SVG, as a stroke with round ends and corners.
    pub fn stroke(&mut self, path: &str, colour: &str, width: f64) {
        self.add(format_args!(
            r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="{}" stroke-linecap="round" stroke-linejoin="round"/>"#,
            number(width)
        ));
    }

    /// The document.
    pub fn svg(&self) -> String {
        let (width, height) = (self.width, self.height);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} \
             {height}\">\n{}</svg>\n",
            self.body
        )
    }
}
