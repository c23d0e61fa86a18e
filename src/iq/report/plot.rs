//! Series of points to a plot in SVG.

use std::fmt::Write as _;

/// A line of a plot.
#[derive(Clone, Debug, Default)]
pub struct PlotSeries {
    /// What it shows.
    pub name: String,
    /// Points across and up.
    pub points: Vec<(f64, f64)>,
    /// The ends of an interval at each point; empty for none.
    pub band: Vec<(f64, f64)>,
}

/// How a plot is labelled.
#[derive(Clone, Copy, Debug)]
pub struct PlotLabels<'l> {
    /// Across.
    pub across: &'l str,
    /// Up.
    pub up: &'l str,
    /// Are steps across powers of two?
    pub doubling: bool,
}

const WIDE: f64 = 560.0;
const HIGH: f64 = 300.0;
/// Space for labels: left, right, above, below.
const MARGIN: [f64; 4] = [48.0, 16.0, 10.0, 46.0];
/// Labels across, at most.
const MOST_LABELS: f64 = 8.0;

/// The colour of a series: hues that are as far apart as can be.
fn colour(place: usize) -> String {
    format!("hsl({} 60% 45%)", (210 + place * 137) % 360)
}

/// The plot. What is drawn up goes from 0 to 1, and is labelled in percent.
pub fn plot(series: &[PlotSeries], labels: PlotLabels) -> String {
    let across: Vec<f64> = series.iter().flat_map(|own| own.points.iter().map(|point| point.0)).collect();
    let scale = |value: f64| if labels.doubling { value.max(1.0).log2() } else { value };
    let least = across.iter().copied().map(scale).fold(f64::INFINITY, f64::min);
    let most = across.iter().copied().map(scale).fold(f64::NEG_INFINITY, f64::max);
    let range = (most - least).max(1e-9);
    let [left, right, above, below] = MARGIN;
    let x = |value: f64| left + (scale(value) - least) / range * (WIDE - left - right);
    let y = |value: f64| above + (1.0 - value.clamp(0.0, 1.0)) * (HIGH - above - below);
    let mut out =
        format!("<svg viewBox=\"0 0 {WIDE} {HIGH}\" role=\"img\" aria-label=\"{}\">", labels.across);
    for share in 0..=5 {
        let at = y(f64::from(share) / 5.0);
        let _ = write!(
            out,
            "<line x1=\"{left}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" class=\"grid\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDE - right,
            left - 6.0,
            at + 4.0,
            share * 20
        );
    }
    // Labels stand at whole numbers, or at powers of two.
    let step = (range / MOST_LABELS).ceil().max(1.0);
    let mut at = least.ceil();
    while !across.is_empty() && at <= most {
        let value = if labels.doubling { at.exp2() } else { at };
        let _ = write!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value:.0}</text>",
            x(value),
            HIGH - below + 22.0
        );
        at += step;
    }
    let _ = write!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" class=\"dim\">{}</text>\
         <text x=\"12\" y=\"{:.1}\" transform=\"rotate(-90 12 {:.1})\" text-anchor=\"middle\" class=\"dim\">{}</text>",
        f64::midpoint(left, WIDE - right),
        HIGH - 4.0,
        labels.across,
        HIGH / 2.0,
        HIGH / 2.0,
        labels.up
    );
    for (place, own) in series.iter().enumerate() {
        let ink = colour(place);
        if own.band.len() == own.points.len() {
            let upper = own.points.iter().zip(&own.band).map(|(point, band)| (x(point.0), y(band.1)));
            let lower = own.points.iter().zip(&own.band).rev().map(|(point, band)| (x(point.0), y(band.0)));
            let outline: Vec<String> = upper.chain(lower).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let _ = write!(
                out,
                "<polygon points=\"{}\" fill=\"{ink}\" fill-opacity=\".12\"/>",
                outline.join(" ")
            );
        }
        let line: Vec<String> =
            own.points.iter().map(|(a, b)| format!("{:.1},{:.1}", x(*a), y(*b))).collect();
        let _ = write!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\"/>",
            line.join(" ")
        );
        for (a, b) in &own.points {
            let _ = write!(out, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{ink}\"/>", x(*a), y(*b));
        }
    }
    out + "</svg>"
}

/// What each colour means, in HTML.
pub fn legend(series: &[PlotSeries]) -> String {
    let name = |(place, own): (usize, &PlotSeries)| {
        format!("<span><i style=\"background:{}\"></i>{}</span>", colour(place), escaped(&own.name))
    };
    format!("<div class=\"legend\">{}</div>", series.iter().enumerate().map(name).collect::<String>())
}

/// Text that HTML cannot mistake for markup.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
