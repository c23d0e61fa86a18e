//! A domain with numbers to the least and greatest value that each function can have.
//!
//! A situation of a package has finitely many fluents, so numbers must be bounded. Starting from those of the problems, each
//! effect widens the range of its function until nothing widens any more; conditions that the effect needs keep it from
//! widening: where `(>= (fuel ?t) 1)` is required, a decrease by 1 leaves at least 0.

use std::collections::BTreeMap;

use racgen_logic::fault::Fault;

use crate::pddl::syntax::{
    Argument, Assignment, Changed, NumberComparison, NumberExpression, PddlAction, PddlAtom, PddlDomain,
    PddlFormula, PddlProblem,
};
use crate::pddl::words::PddlText;

/// More values than these make a package too large.
const MOST_VALUES: i64 = 500;

/// The least and the greatest value of each function.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    ranges: BTreeMap<String, (i64, i64)>,
}

/// A sum of functions with factors, and a number; a product of two functions counts as one.
#[derive(Clone, Debug, Default)]
struct Linear {
    terms: BTreeMap<String, (i64, (i64, i64))>,
    constant: i64,
}

impl Linear {
    fn plus(&self, other: &Linear, factor: i64) -> Linear {
        let mut found = self.clone();
        found.constant = found.constant.saturating_add(other.constant.saturating_mul(factor));
        for (name, (times, range)) in &other.terms {
            let own = found.terms.entry(name.clone()).or_insert((0, *range));
            own.0 = own.0.saturating_add(times.saturating_mul(factor));
        }
        found
    }

    /// The least and greatest value.
    fn range(&self) -> (i64, i64) {
        let mut range = (self.constant, self.constant);
        for (times, (low, high)) in self.terms.values() {
            let [a, b] = [low, high].map(|end| end.saturating_mul(*times));
            range = (range.0.saturating_add(a.min(b)), range.1.saturating_add(a.max(b)));
        }
        range
    }
}

fn written(atom: &PddlAtom) -> String {
    let argument = |argument: &Argument| match argument {
        Argument::Variable(name) => format!(" ?{name}"),
        Argument::Object(name) => format!(" {name}"),
    };
    atom.name.clone() + &atom.arguments.iter().map(argument).collect::<String>()
}

impl Bounds {
    /// Finds the bounds.
    ///
    /// # Errors
    /// A function whose values no precondition keeps within bounds, with its place.
    pub fn new(domain: &PddlDomain, problems: &[PddlProblem]) -> Result<Bounds, Fault> {
        let mut bounds = Bounds::default();
        for ((name, _), value) in problems.iter().flat_map(|problem| &problem.values) {
            bounds.widen(name, (*value, *value));
        }
        let mut widened = true;
        while widened {
            widened = false;
            for action in &domain.actions {
                for effect in &action.effects {
                    let Changed::Set(how, atom, value) = &effect.changed else { continue };
                    if !bounds.ranges.contains_key(&atom.name) {
                        continue;
                    }
                    let range = bounds.after(action, &effect.condition, (*how, atom, value));
                    widened |= range.0 <= range.1 && bounds.widen(&atom.name, range);
                    let (low, high) = bounds.of(&atom.name);
                    if high - low >= MOST_VALUES {
                        let cause = format!(
                            "`{}` of the action `{}` can take more than {MOST_VALUES} values, as far as its conditions tell",
                            atom.name, action.name
                        );
                        let remedy =
                            "add a precondition that bounds it, as (>= (fuel ?t) 1) for a decrease by 1";
                        return Err(PddlText { file: &domain.file }.fault(atom.place, cause, remedy));
                    }
                }
            }
        }
        Ok(bounds)
    }

    /// The least and the greatest value of a function.
    pub fn of(&self, name: &str) -> (i64, i64) {
        self.ranges.get(name).copied().unwrap_or((0, 0))
    }

    fn widen(&mut self, name: &str, (low, high): (i64, i64)) -> bool {
        let known = self.ranges.get(name).copied();
        let wide = known.map_or((low, high), |known| (known.0.min(low), known.1.max(high)));
        self.ranges.insert(name.to_owned(), wide);
        known != Some(wide)
    }

    /// The values that an effect can give.
    fn after(
        &self,
        action: &PddlAction,
        condition: &PddlFormula,
        (how, atom, value): (Assignment, &PddlAtom, &NumberExpression),
    ) -> (i64, i64) {
        let own = NumberExpression::Of(atom.clone());
        let value = match how {
            Assignment::Assign => value.clone(),
            Assignment::Increase => NumberExpression::sum(own, value.clone()),
            Assignment::Decrease => NumberExpression::Difference(Box::new(own), Box::new(value.clone())),
        };
        let value = self.linear(&value);
        // Each of these is at least 0 where the effect takes place.
        let mut guards = Vec::new();
        self.guards(&action.precondition, true, &mut guards);
        self.guards(condition, true, &mut guards);
        let (mut low, mut high) = value.range();
        for guard in &guards {
            low = low.max(value.plus(guard, -1).range().0);
            high = high.min(value.plus(guard, 1).range().1);
        }
        (low, high)
    }

    fn guards(&self, formula: &PddlFormula, positive: bool, found: &mut Vec<Linear>) {
        match (formula, positive) {
            (PddlFormula::All(parts), true) => parts.iter().for_each(|part| self.guards(part, true, found)),
            (PddlFormula::Any(parts), false) => parts.iter().for_each(|part| self.guards(part, false, found)),
            (PddlFormula::Not(inner), _) => self.guards(inner, !positive, found),
            (PddlFormula::Compare(comparison, a, b), _) => {
                let meant = if positive { Some(*comparison) } else { comparison.opposite() };
                let (a, b) = (self.linear(a), self.linear(b));
                let one = Linear { constant: 1, ..Linear::default() };
                match meant {
                    Some(NumberComparison::Less) => found.push(b.plus(&a, -1).plus(&one, -1)),
                    Some(NumberComparison::AtMost) => found.push(b.plus(&a, -1)),
                    Some(NumberComparison::Equal) => found.extend([b.plus(&a, -1), a.plus(&b, -1)]),
                    Some(NumberComparison::AtLeast) => found.push(a.plus(&b, -1)),
                    Some(NumberComparison::More) => found.push(a.plus(&b, -1).plus(&one, -1)),
                    None => {}
                }
            }
            _ => {}
        }
    }

    fn linear(&self, number: &NumberExpression) -> Linear {
        match number {
            NumberExpression::Constant(value) => Linear { constant: *value, ..Linear::default() },
            NumberExpression::Of(atom) => {
                let term = (written(atom), (1, self.of(&atom.name)));
                Linear { terms: BTreeMap::from([term]), constant: 0 }
            }
            NumberExpression::Sum(a, b) => self.linear(a).plus(&self.linear(b), 1),
            NumberExpression::Difference(a, b) => self.linear(a).plus(&self.linear(b), -1),
            NumberExpression::Product(a, b) => {
                let (one, other) = (self.linear(a), self.linear(b));
                if one.terms.is_empty() {
                    return Linear::default().plus(&other, one.constant);
                }
                if other.terms.is_empty() {
                    return Linear::default().plus(&one, other.constant);
                }
                let ((a, b), (c, d)) = (one.range(), other.range());
                let ends = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.saturating_mul(y));
                let (low, high) =
                    ends.iter().fold((i64::MAX, i64::MIN), |r, end| (r.0.min(*end), r.1.max(*end)));
                let name = format!("{one:?} * {other:?}");
                Linear { terms: BTreeMap::from([(name, (1, (low, high)))]), constant: 0 }
            }
        }
    }
}
