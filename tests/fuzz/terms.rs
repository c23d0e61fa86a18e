//! Ground terms: what is read is printed as it was understood.

use racgen::logic::term::Term;

use crate::document::Documents;
use crate::target::fuzz;

const SEEDS: &[&str] = &[
    "7",
    "-2147483647",
    "robot1",
    "at(r1,l2)",
    "neg(f3)",
    "after(move(b1,table),clear(b2))",
    "which_in(container,pile(3),_)",
    "p'(x_Y,f(g(h(i))),-12,0)",
];
const TOKENS: &[&str] = &["a", "f(", "r1", "_", "'", ",", ")", "-", "0", "2147483648", "neg("];

#[test]
fn terms() {
    fuzz(bolero::check!(), "terms", Documents::new(SEEDS.iter().copied(), TOKENS), |text| {
        let Ok(term) = text.parse::<Term>() else { return false };
        let printed = term.to_string();
        let again = printed.parse::<Term>().unwrap_or_else(|error| panic!("{printed}: {error}"));
        assert_eq!(again, term, "{printed}");
        assert!(term.constants().all(|constant| term.mentions(constant)));
        true
    });
}
