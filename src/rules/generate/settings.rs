//! What a rule set and its facts are to be like: parameters, their ranges, and which of them exclude each other.
//!
//! The parameters are those of section 3 of the RuDaS paper.

use std::fmt;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::rules::error::RulesError;

/// How the rules of a connected component depend on each other (section 3, "Rules").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Each rule uses the consequences of at most one other.
    Chain,
    /// Some rule uses those of several others; no predicate has alternative rules.
    Rdg,
    /// Some predicate has alternative rules.
    Drdg,
    /// Components of different categories.
    Mixed,
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Category::Chain => "CHAIN",
            Category::Rdg => "RDG",
            Category::Drdg => "DRDG",
            Category::Mixed => "MIXED",
        })
    }
}

/// How many facts the training set has (section 3, "Facts").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Scale {
    /// 50 to 100.
    #[cfg_attr(feature = "cli", value(name = "XS"))]
    XS,
    /// 101 to 1,000.
    #[cfg_attr(feature = "cli", value(name = "S"))]
    S,
    /// 1,001 to 10,000.
    #[cfg_attr(feature = "cli", value(name = "M"))]
    M,
    /// 10,001 to 100,000.
    #[cfg_attr(feature = "cli", value(name = "L"))]
    L,
    /// 100,001 to 500,000.
    #[cfg_attr(feature = "cli", value(name = "XL"))]
    XL,
    /// 500,001 to 2,500,000.
    #[cfg_attr(feature = "cli", value(name = "X2L"))]
    X2L,
}

impl Scale {
    /// The fewest and the most facts.
    pub fn bounds(self) -> (u64, u64) {
        match self {
            Scale::XS => (50, 100),
            Scale::S => (101, 1_000),
            Scale::M => (1_001, 10_000),
            Scale::L => (10_001, 100_000),
            Scale::XL => (100_001, 500_000),
            Scale::X2L => (500_001, 2_500_000),
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// A share between 0 and 1, or a range to draw one from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

/// Rounding errors of sums that should be whole.
const TINY: f64 = 1e-9;

impl Share {
    /// Exactly this share.
    pub fn exactly(share: f64) -> Share {
        Share { low: share, high: share }
    }

    /// Draws a share.
    pub fn draw(self, rng: &mut ChaCha8Rng) -> f64 {
        if self.low < self.high { rng.random_range(self.low..=self.high) } else { self.low }
    }

    /// The whole number closest to `share` of `all`, within the range where a whole number lies in it.
    pub fn of(self, all: usize, share: f64) -> usize {
        self.within(share * all as f64, self.low * all as f64, self.high * all as f64)
    }

    /// How many to add to `base` so that they make up `share` of the sum.
    pub fn beside(self, base: usize, share: f64) -> usize {
        let odds = |share: f64| base as f64 * share / (1.0 - share);
        self.within(odds(share), odds(self.low), odds(self.high))
    }

    fn within(self, exact: f64, low: f64, high: f64) -> usize {
        let (low, high) = ((low - TINY).ceil(), (high + TINY).floor());
        if low <= high { exact.round().clamp(low, high) as usize } else { exact.round() as usize }
    }

    /// Is `part` of `all` in the range, or as close as whole numbers come?
    pub fn met(self, part: usize, all: usize) -> bool {
        let half = 0.5 + TINY;
        let (part, all) = (part as f64, all as f64);
        let fits = |slack: f64| part >= self.low * all - slack && part <= self.high * all + slack;
        if self.low < self.high { fits(TINY) } else { fits(half) }
    }
}

impl std::str::FromStr for Share {
    type Err = String;

    /// Reads `0.3` or `0.2-0.4`.
    fn from_str(text: &str) -> Result<Share, String> {
        let one = |part: &str| {
            let share = part.trim().parse::<f64>().ok().filter(|share| (0.0..1.0).contains(share));
            share.ok_or_else(|| {
                format!("`{part}` is no share; write 0.3, or 0.2-0.4, of at least 0 and below 1")
            })
        };
        match text.split_once('-') {
            Some((low, high)) => {
                let (low, high) = (one(low)?, one(high)?);
                if low > high {
                    return Err(format!("the range `{text}` runs backwards; write the smaller share first"));
                }
                Ok(Share { low, high })
            }
            None => Ok(Share::exactly(one(text)?)),
        }
    }
}

/// A range of whole numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    /// The least.
    pub low: usize,
    /// The most.
    pub high: usize,
}

impl Span {
    /// Exactly this number.
    pub fn exactly(number: usize) -> Span {
        Span { low: number, high: number }
    }

    /// Draws a number.
    pub fn draw(self, rng: &mut ChaCha8Rng) -> usize {
        rng.random_range(self.low..=self.high)
    }
}

impl std::str::FromStr for Span {
    type Err = String;

    /// Reads `2` or `1-3`.
    fn from_str(text: &str) -> Result<Span, String> {
        let one = |part: &str| {
            let number = part.trim().parse::<usize>().ok().filter(|number| (1..=1000).contains(number));
            number.ok_or_else(|| format!("`{part}` is no number from 1 to 1000; write 2, or 1-3"))
        };
        match text.split_once('-') {
            Some((low, high)) => {
                let (low, high) = (one(low)?, one(high)?);
                if low > high {
                    return Err(format!("the range `{text}` runs backwards; write the smaller number first"));
                }
                Ok(Span { low, high })
            }
            None => Ok(Span::exactly(one(text)?)),
        }
    }
}

/// Weights of what stands at the positions of a body that no head variable was given to (section 4).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TermWeights {
    /// A variable of the head.
    pub head: f64,
    /// A variable of the body that is there already.
    pub earlier: f64,
    /// A constant.
    pub constant: f64,
    /// A fresh variable.
    pub fresh: f64,
}

impl std::str::FromStr for TermWeights {
    type Err = String;

    /// Reads `head=2,earlier=3,constant=0,fresh=3`; what is not named has weight 0.
    fn from_str(text: &str) -> Result<TermWeights, String> {
        let mut weights = TermWeights { head: 0.0, earlier: 0.0, constant: 0.0, fresh: 0.0 };
        for part in text.split(',') {
            let wrong = || format!("`{part}` is no weight; write head=2,earlier=3,constant=0,fresh=3");
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            let value =
                value.trim().parse::<f64>().ok().filter(|v| (0.0..=1e6).contains(v)).ok_or_else(wrong)?;
            match name.trim() {
                "head" => weights.head = value,
                "earlier" => weights.earlier = value,
                "constant" => weights.constant = value,
                "fresh" => weights.fresh = value,
                _ => return Err(wrong()),
            }
        }
        Ok(weights)
    }
}

/// Are facts on the target predicates counted on their own when facts are taken out and noise is added?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Targets {
    /// Yes: the degrees hold for target facts and for the others.
    #[default]
    Separate,
    /// No: the degrees hold for all together.
    Together,
}

/// All that decides a data set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleSettings {
    /// Shape of the rule graphs.
    pub category: Category,
    /// Bounds of the number of training facts.
    pub size: Scale,
    /// The number of training facts aimed at, give or take a tenth; none for any within the bounds.
    pub facts: Option<u64>,
    /// Rules on the longest way from the root of a graph; at least one graph has this depth, none a greater one.
    pub depth: usize,
    /// Is some rule of each component recursive? Otherwise none is.
    pub recursive: bool,
    /// Number of connected components.
    pub components: Span,
    /// Do all components derive the same target predicate?
    pub shared_target: bool,
    /// Number of rules of all components; none for whatever comes.
    pub rules: Option<Span>,
    /// Most body atoms of a rule.
    pub max_length: usize,
    /// Arities of predicates.
    pub arity: Span,
    /// Number of predicates; none for as many as the rules need and a few more.
    pub predicates: Option<usize>,
    /// Number of constants; none for one in proportion to the facts.
    pub constants: Option<usize>,
    /// Most alternative rules below a body atom of a DRDG.
    pub max_or: usize,
    /// What stands in bodies.
    pub terms: TermWeights,
    /// Share of the consequences that the training set lacks: the open-world degree.
    pub open_world: Share,
    /// Share of the support facts that the training set lacks: noise-.
    pub missing: Share,
    /// Share of the training set that is irrelevant or wrong: noise+.
    pub noise: Share,
    /// What the three shares refer to.
    pub targets: Targets,
    /// Every so many instances of the graphs are complete.
    pub full_every: u32,
    /// In the others, one node in so many is left out.
    pub skip: u32,
    /// Support facts of the evaluation set; none for a third of the training facts aimed at, but 100 to 10,000.
    pub eval_support: Option<usize>,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Default for RuleSettings {
    fn default() -> RuleSettings {
        RuleSettings {
            category: Category::Chain,
            size: Scale::XS,
            facts: None,
            depth: 2,
            recursive: false,
            components: Span::exactly(1),
            shared_target: false,
            rules: None,
            max_length: 2,
            arity: Span::exactly(2),
            predicates: None,
            constants: None,
            max_or: 2,
            terms: TermWeights { head: 2.0, earlier: 3.0, constant: 0.0, fresh: 3.0 },
            open_world: Share::exactly(0.3),
            missing: Share::exactly(0.15),
            noise: Share::exactly(0.2),
            targets: Targets::Separate,
            full_every: 3,
            skip: 5,
            eval_support: None,
            seed: 0,
        }
    }
}

/// Highest depth, body length, arity and OR degree.
const MOST: usize = 12;

impl RuleSettings {
    /// Refuses what no data set can meet, naming the parameters.
    ///
    /// # Errors
    /// [`RulesError::Settings`].
    pub fn check(&self) -> Result<(), RulesError> {
        let several = self.category != Category::Chain;
        let mixed = self.category == Category::Mixed;
        let (low, high) = self.size.bounds();
        let weights = [self.terms.head, self.terms.earlier, self.terms.constant, self.terms.fresh];
        let all = [self.depth, self.max_length, self.arity.high, self.max_or];
        let facts = self.facts.filter(|facts| !(low..=high).contains(facts));
        let rules = self.rules.unwrap_or(Span { low: 1, high: usize::MAX });
        // Each further component has one rule or, if it branches, at least two levels.
        let least = self.depth + self.components.low.saturating_sub(1);
        let most_of_chains = self.depth * self.components.high;
        let wrong = if all.iter().any(|number| !(1..=MOST).contains(number)) {
            Some(format!("--depth, --max-length, --arity and --max-or take numbers from 1 to {MOST}"))
        } else if several && self.depth < 2 {
            Some(format!(
                "--category {0} needs --depth 2 or more: a single rule has no branches",
                name(self.category)
            ))
        } else if self.category == Category::Rdg && self.max_length < 2 {
            Some("--category rdg needs --max-length 2 or more: a rule branches where two body atoms are derived".into())
        } else if matches!(self.category, Category::Drdg) && self.max_or < 2 {
            Some("--category drdg needs --max-or 2 or more: it is about alternative rules".into())
        } else if mixed && self.max_or < 2 && self.max_length < 2 {
            Some(
                "--category mixed needs --max-or 2 or --max-length 2: otherwise every component is a chain"
                    .into(),
            )
        } else if mixed && self.components.high < 2 {
            Some("--category mixed needs --components 2 or more: one component has one category".into())
        } else if self.recursive && self.arity.high == 1 && self.max_length == 1 {
            Some("--recursive needs --arity 2 or --max-length 2: p(X) :- p(X) is a tautology".into())
        } else if rules.high < least {
            Some(format!(
                "--rules {} is too few for --depth {} and --components {}: they need at least {least}",
                rules.high, self.depth, self.components.low
            ))
        } else if self.category == Category::Chain && rules.low > most_of_chains {
            Some(format!(
                "--rules {} is too many for --category chain: --depth {} and --components {} allow {most_of_chains}",
                rules.low, self.depth, self.components.high
            ))
        } else if weights.iter().any(|weight| !weight.is_finite() || *weight < 0.0)
            || weights.iter().sum::<f64>() <= 0.0
        {
            Some("--terms needs weights of at least 0, and one above".into())
        } else if self.predicates.is_some_and(|number| number < 2) {
            Some("--predicates takes a number of at least 2: a rule has a head and a body".into())
        } else if self.constants.is_some_and(|number| !(2..=10_000_000).contains(&number)) {
            Some("--constants takes a number from 2 to 10000000".into())
        } else if let Some(facts) = facts {
            Some(format!("--facts {facts} is not within --size {}: {low} to {high}", self.size))
        } else if self.full_every == 0 || self.skip == 0 {
            Some("--full-every and --skip take numbers of at least 1".into())
        } else if self.eval_support.is_some_and(|facts| !(1..=1_000_000).contains(&facts)) {
            Some("--eval-support takes a number from 1 to 1000000".into())
        } else {
            None
        };
        wrong.map_or(Ok(()), |wrong| Err(RulesError::Settings(wrong)))
    }
}

/// The name of a category on the command line.
pub(crate) fn name(category: Category) -> &'static str {
    match category {
        Category::Chain => "chain",
        Category::Rdg => "rdg",
        Category::Drdg => "drdg",
        Category::Mixed => "mixed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_hit_as_closely_as_whole_numbers_can() {
        let share: Share = "0.2-0.4".parse().expect("a range");
        for all in 3..200 {
            for exact in [0.2, 0.3, 0.4] {
                let part = share.of(all, exact);
                assert!(share.met(part, all), "{part} of {all}");
                let beside = share.beside(all, exact);
                assert!(share.met(beside, all + beside), "{beside} beside {all}");
            }
        }
        let exact = Share::exactly(0.3);
        assert_eq!((exact.of(10, 0.3), exact.of(4, 0.3), exact.beside(7, 0.3)), (3, 1, 3));
        assert!(exact.met(1, 4) && !exact.met(2, 4));
    }

    #[test]
    fn ranges_read() {
        assert_eq!("1-3".parse(), Ok(Span { low: 1, high: 3 }));
        assert!("3-1".parse::<Span>().is_err_and(|e| e.contains("backwards")));
        assert!("0".parse::<Span>().is_err());
        assert!("1.0".parse::<Share>().is_err());
        assert!("-0.1".parse::<Share>().is_err());
        assert!("head=1,fish=2".parse::<TermWeights>().is_err());
    }
}
