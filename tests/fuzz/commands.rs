//! Numbers, ranges and pairs as the command line takes them.

use racgen::audit::attacks::thresholds::Thresholds;
use racgen::campaign::jobs::row_options::{numbers, pairs};
use racgen::rules::generate::settings::{Share, Span, TermWeights};

use crate::document::Documents;
use crate::target::fuzz;

const SEEDS: &[&str] = &[
    "3",
    "1-5",
    "1,3,5-7",
    "N2, n3",
    "0.2-0.4",
    "train=8,test=2.5",
    "head=2,earlier=3,constant=0,fresh=3",
    "balance=0.1",
];
const TOKENS: &[&str] =
    &["-", ",", "=", "N", "n", "0", "1e3", "100", "1000", " ", "head", "inf", "NaN", "-0", "0.999"];

#[test]
fn command_lines() {
    fuzz(bolero::check!(), "command_lines", Documents::new(SEEDS.iter().copied(), TOKENS), |text| {
        let levels = numbers(text, "--level", 'N', 1..=100);
        if let Ok(levels) = &levels {
            assert!(levels.is_sorted() && levels.iter().all(|level| (1..=100).contains(level)));
        }
        let share = text.parse::<Share>();
        assert!(share.iter().all(|share| share.low <= share.high));
        let span = text.parse::<Span>();
        assert!(span.iter().all(|span| span.low <= span.high));
        let weights = text.parse::<TermWeights>().is_ok() || pairs(text, "--splits").is_ok();
        let changed = Thresholds::with(&[text.to_owned()]).is_ok();
        levels.is_ok() || share.is_ok() || span.is_ok() || weights || changed
    });
}
