//! Panels to their statistics, beside the bands of the paper's training sets (appendix C).

use serde_json::{Map, Value as Json, json};

use crate::halma::maze::chart::Chart;
use crate::halma::play::panel::{Colour, Panel};

/// What the panels of mazes show, counted over all cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PanelCounts {
    /// Mazes.
    pub mazes: u64,
    /// Panels.
    pub panels: u64,
    /// Panels by their number of digits.
    pub sizes: [u64; 11],
    /// Digits 1 to 9.
    pub digits: [u64; 10],
    /// Digits by colour, in the order of [`Colour`].
    pub colours: [u64; 8],
}

impl PanelCounts {
    /// Counts the panels of a maze.
    pub fn add(&mut self, chart: &Chart) {
        self.mazes += 1;
        for (_, cell) in chart.cells() {
            let digits = Panel::of(cell).digits();
            self.panels += 1;
            self.sizes[digits.len().min(10)] += 1;
            for digit in digits {
                self.digits[usize::from(digit.digit.min(9))] += 1;
                self.colours[digit.colour as usize] += 1;
            }
        }
    }

    /// The share of panels with so many digits.
    pub fn share(&self, sizes: std::ops::RangeInclusive<usize>) -> f64 {
        self.sizes[sizes].iter().sum::<u64>() as f64 / self.panels.max(1) as f64
    }

    /// The counts and the shares that the paper gives, for a manifest.
    pub fn json(&self) -> Json {
        let hundred = |digit: usize| self.in_a_hundred(digit).round();
        json!({
            "mazes": self.mazes,
            "panels": self.panels,
            "panels_with_3_to_6_digits": self.share(3..=6),
            "panels_with_1_to_2_digits": self.share(1..=2),
            "panels_with_7_to_8_digits": self.share(7..=8),
            "panels_with_more_digits": self.share(9..=10),
            "digits_in_100_mazes": (1..=9).map(|digit| (digit.to_string(), hundred(digit).into())).collect::<Map<_, _>>(),
            "shares_of_colours": Colour::ALL
                .map(|colour| (colour.word().to_owned(), json!(self.colour_shares()[colour as usize])))
                .into_iter()
                .collect::<Map<_, _>>(),
        })
    }

    /// How often a digit is shown in a hundred mazes.
    pub fn in_a_hundred(&self, digit: usize) -> f64 {
        self.digits[digit] as f64 * 100.0 / self.mazes.max(1) as f64
    }

    /// The shares of colours, among those of walls and crossings and among those of goals.
    pub fn colour_shares(&self) -> [f64; 8] {
        let walls: u64 = self.colours[..Colour::Cyan as usize].iter().sum();
        let goals: u64 = self.colours[Colour::Cyan as usize..].iter().sum();
        std::array::from_fn(|n| {
            let all = if n < Colour::Cyan as usize { walls } else { goals };
            self.colours[n] as f64 / all.max(1) as f64
        })
    }
}
