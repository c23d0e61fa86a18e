//! Expressions to conditions, effects and numbers, whose names, places and variables are all known.

use std::collections::BTreeSet;

use racgen_logic::expressions::{Expression, TextPlace};
use racgen_logic::fault::Fault;

use crate::pddl::syntax::{
    Argument, Assignment, Changed, Declared, NumberComparison, NumberExpression, Parameter, PddlAtom,
    PddlDomain, PddlEffect, PddlFormula,
};
use crate::pddl::words::{AfterFirst, PddlText};

/// Numbers beyond this are not read.
const LARGEST: i64 = 1_000_000;
/// The function that adds up the costs of actions.
pub(crate) const TOTAL_COST: &str = "total-cost";

/// Reads the formulas of a domain or a problem.
pub(crate) struct FormulaReader<'d> {
    pub(crate) text: PddlText<'d>,
    pub(crate) domain: &'d PddlDomain,
    /// The names of all objects that may be named.
    pub(crate) objects: BTreeSet<&'d str>,
}

/// Variables with their types, the innermost last.
pub(crate) type FormulaScope<'s> = Vec<&'s Parameter>;

impl FormulaReader<'_> {
    /// A condition.
    pub(crate) fn formula(&self, written: &Expression, scope: &FormulaScope) -> Result<PddlFormula, Fault> {
        let parts = self.text.list(written)?;
        if parts.is_empty() {
            return Ok(PddlFormula::always());
        }
        let (head, rest) = self.text.headed(written)?;
        let place = written.place();
        let all = || rest.iter().map(|part| self.formula(part, scope)).collect::<Result<Vec<_>, _>>();
        Ok(match (head.as_str(), rest) {
            ("and", _) => PddlFormula::All(all()?),
            ("or", _) => PddlFormula::Any(all()?),
            ("not", [inner]) => PddlFormula::Not(Box::new(self.formula(inner, scope)?)),
            ("imply", [condition, consequence]) => PddlFormula::Any(vec![
                PddlFormula::Not(Box::new(self.formula(condition, scope)?)),
                self.formula(consequence, scope)?,
            ]),
            ("exists" | "forall", [parameters, inner]) => {
                let parameters = self.bound(parameters, scope)?;
                let within = scope.iter().copied().chain(&parameters).collect();
                let inner = Box::new(self.formula(inner, &within)?);
                if head == "exists" {
                    PddlFormula::Exists(parameters, inner)
                } else {
                    PddlFormula::Every(parameters, inner)
                }
            }
            ("=", [a, b]) if self.is_object(a) && self.is_object(b) => {
                PddlFormula::Same(self.argument(a, scope)?, self.argument(b, scope)?)
            }
            ("<" | "<=" | "=" | ">=" | ">", [a, b]) => {
                let comparison = match head.as_str() {
                    "<" => NumberComparison::Less,
                    "<=" => NumberComparison::AtMost,
                    "=" => NumberComparison::Equal,
                    ">=" => NumberComparison::AtLeast,
                    _ => NumberComparison::More,
                };
                PddlFormula::Compare(comparison, self.number(a, scope)?, self.number(b, scope)?)
            }
            ("not" | "imply" | "exists" | "forall" | "=" | "<" | "<=" | ">=" | ">", rest) => {
                let cause = format!("`{head}` has {} arguments here", rest.len());
                return Err(self.text.fault(place, cause, "`not` takes one, the others two"));
            }
            (
                "preference" | "always" | "sometime" | "within" | "at-most-once" | "sometime-after"
                | "sometime-before",
                _,
            ) => {
                let cause = format!("`{head}` is about a whole plan, which no situation settles");
                return Err(self.text.fault(place, cause, "strike it, or say it of one situation"));
            }
            ("at", [Expression::Word(when, _), Expression::List(..)])
                if matches!(when.to_lowercase().as_str(), "start" | "end") =>
            {
                return Err(self.text.fault(place, TIMED, UNTIMED));
            }
            _ => PddlFormula::Is(self.atom(written, scope, &self.domain.predicates, "predicate")?),
        })
    }

    /// The effects that an expression says.
    pub(crate) fn effects(
        &self,
        written: &Expression,
        scope: &FormulaScope,
    ) -> Result<Vec<PddlEffect>, Fault> {
        let parts = self.text.list(written)?;
        if parts.is_empty() {
            return Ok(Vec::new());
        }
        let (head, rest) = self.text.headed(written)?;
        let place = written.place();
        let effect =
            |changed| Ok(vec![PddlEffect { every: Vec::new(), condition: PddlFormula::always(), changed }]);
        match (head.as_str(), rest) {
            ("and", _) => {
                let all = rest.iter().map(|part| self.effects(part, scope));
                Ok(all.collect::<Result<Vec<_>, _>>()?.concat())
            }
            ("not", [inner]) => effect(Changed::Delete(self.changeable(inner, scope)?)),
            ("forall", [parameters, inner]) => {
                let parameters = self.bound(parameters, scope)?;
                let within = scope.iter().copied().chain(&parameters).collect();
                let mut effects = self.effects(inner, &within)?;
                for effect in &mut effects {
                    effect.every.splice(0..0, parameters.iter().cloned());
                }
                Ok(effects)
            }
            ("when", [condition, inner]) => {
                let condition = self.formula(condition, scope)?;
                let mut effects = self.effects(inner, scope)?;
                for effect in &mut effects {
                    // What `forall` names inside is not named by this condition.
                    effect.condition = match std::mem::replace(&mut effect.condition, PddlFormula::always()) {
                        PddlFormula::All(own) if own.is_empty() => condition.clone(),
                        own => PddlFormula::All(vec![condition.clone(), own]),
                    };
                }
                Ok(effects)
            }
            ("increase" | "decrease" | "assign", [function, value]) => {
                // What an action costs changes no situation.
                if self.is_cost(function) {
                    return Ok(Vec::new());
                }
                let assignment = match head.as_str() {
                    "increase" => Assignment::Increase,
                    "decrease" => Assignment::Decrease,
                    _ => Assignment::Assign,
                };
                let function = self.atom(function, scope, &self.domain.functions, "function")?;
                effect(Changed::Set(assignment, function, self.number(value, scope)?))
            }
            ("scale-up" | "scale-down", _) => {
                let cause = format!("`{head}` is not imported: numbers would have to be bounded");
                Err(self.text.fault(place, cause, "use increase, decrease or assign"))
            }
            ("at", [Expression::Word(when, _), Expression::List(..)])
                if matches!(when.to_lowercase().as_str(), "start" | "end") =>
            {
                Err(self.text.fault(place, TIMED, UNTIMED))
            }
            ("or" | "exists" | "imply" | "oneof" | "probabilistic", _) => {
                let cause = format!("`{head}` in an effect leaves open what happens");
                Err(self.text.fault(place, cause, "write one action for each outcome"))
            }
            ("not" | "forall" | "when" | "increase" | "decrease" | "assign", rest) => {
                let cause = format!("`{head}` has {} arguments here", rest.len());
                Err(self.text.fault(place, cause, "`not` takes one, the others two"))
            }
            _ => effect(Changed::Add(self.changeable(written, scope)?)),
        }
    }

    fn is_cost(&self, function: &Expression) -> bool {
        self.text.headed(function).is_ok_and(|(name, _)| name == TOTAL_COST)
    }

    fn changeable(&self, written: &Expression, scope: &FormulaScope) -> Result<PddlAtom, Fault> {
        let atom = self.atom(written, scope, &self.domain.predicates, "predicate")?;
        if self.domain.is_derived(&atom.name) {
            let cause = format!("`{}` is derived, and no action can change it", atom.name);
            return Err(self.text.fault(atom.place, cause, "let the action change what it follows from"));
        }
        Ok(atom)
    }

    /// An atom of one of the declared names.
    pub(crate) fn atom(
        &self,
        written: &Expression,
        scope: &FormulaScope,
        declared: &[Declared],
        what: &str,
    ) -> Result<PddlAtom, Fault> {
        let (name, rest) = self.text.headed(written)?;
        let place = written.place();
        let Some(known) = declared.iter().find(|declared| declared.name == name) else {
            let all = declared.iter().map(|d| d.name.as_str()).collect::<Vec<_>>().join(", ");
            let remedy = format!("declare it; the {what}s are {all}");
            return Err(self.text.fault(place, format!("`{name}` is no {what} of this domain"), remedy));
        };
        if known.places.len() != rest.len() {
            let cause = format!("`{name}` has {} arguments here", rest.len());
            return Err(self.text.fault(place, cause, format!("it is declared with {}", known.places.len())));
        }
        let arguments = rest.iter().map(|part| self.argument(part, scope)).collect::<Result<_, _>>()?;
        Ok(PddlAtom { name, arguments, place })
    }

    fn argument(&self, written: &Expression, scope: &FormulaScope) -> Result<Argument, Fault> {
        let word = self.text.word(written)?;
        if word.starts_with('?') {
            let name = self.text.variable(written)?;
            if scope.iter().any(|known| known.name == name) {
                return Ok(Argument::Variable(name));
            }
            let cause = format!("the variable `?{name}` stands for nothing here");
            return Err(self.text.fault(
                written.place(),
                cause,
                "name it among the parameters, or correct it",
            ));
        }
        if self.objects.contains(word.as_str()) {
            return Ok(Argument::Object(word));
        }
        let cause = format!("there is no object `{word}`");
        Err(self.text.fault(written.place(), cause, "name it in :objects or :constants, or correct it"))
    }

    fn is_object(&self, written: &Expression) -> bool {
        matches!(written, Expression::Word(word, _) if word.starts_with('?') || self.objects.contains(word.to_lowercase().as_str()))
    }

    /// Parameters whose types the domain knows.
    pub(crate) fn parameters(&self, written: &Expression) -> Result<Vec<Parameter>, Fault> {
        let found = self.text.typed(self.text.list(written)?, true)?;
        for parameter in &found {
            self.known_types(parameter)?;
        }
        Ok(found)
    }

    /// Parameters of a quantifier, which must not hide others.
    fn bound(&self, written: &Expression, scope: &FormulaScope) -> Result<Vec<Parameter>, Fault> {
        let found = self.parameters(written)?;
        for parameter in &found {
            if scope.iter().any(|outer| outer.name == parameter.name) {
                let cause = format!("`?{}` stands for something else already", parameter.name);
                return Err(self.text.fault(parameter.place, cause, "give the inner one another name"));
            }
        }
        Ok(found)
    }

    /// Are the types of a parameter declared?
    pub(crate) fn known_types(&self, parameter: &Parameter) -> Result<(), Fault> {
        for name in &parameter.types {
            if name != "object" && !self.domain.types.iter().any(|(known, _)| known == name) {
                let cause = format!("`{name}` is no type of this domain");
                return Err(self.text.fault(parameter.place, cause, "declare it in :types, or correct it"));
            }
        }
        Ok(())
    }

    /// A number, or what has one.
    pub(crate) fn number(
        &self,
        written: &Expression,
        scope: &FormulaScope,
    ) -> Result<NumberExpression, Fault> {
        if let Expression::Word(word, place) = written {
            return match whole_number(word) {
                Some(number) => Ok(NumberExpression::Constant(number)),
                None => Err(self.not_whole(word, *place)),
            };
        }
        let (head, rest) = self.text.headed(written)?;
        let pair = |make: fn(Box<NumberExpression>, Box<NumberExpression>) -> NumberExpression| {
            let [first, others @ ..] = rest else {
                let remedy = "write (+ NUMBER NUMBER)";
                return Err(self.text.fault(written.place(), format!("`{head}` has no arguments"), remedy));
            };
            let mut value = self.number(first, scope)?;
            if others.is_empty() {
                let zero = Box::new(NumberExpression::Constant(0));
                value = make(zero, Box::new(value));
            }
            for other in others {
                value = make(Box::new(value), Box::new(self.number(other, scope)?));
            }
            Ok(value)
        };
        match head.as_str() {
            "+" => pair(NumberExpression::Sum),
            "-" => pair(NumberExpression::Difference),
            "*" if rest.len() > 1 => pair(NumberExpression::Product),
            "/" | "*" => {
                let cause = format!("`{head}` is not imported here: what it gives may be no whole number");
                Err(self.text.fault(written.place(), cause, "use sums, differences and products of two"))
            }
            _ => Ok(NumberExpression::Of(self.atom(written, scope, &self.domain.functions, "function")?)),
        }
    }

    pub(crate) fn not_whole(&self, word: &str, place: TextPlace) -> Fault {
        let cause = format!("`{word}` is no whole number between -{LARGEST} and {LARGEST}");
        self.text.fault(place, cause, "numbers of situations are whole; scale all of them alike")
    }
}

/// What is said of durations.
const TIMED: &str = "this says when something is so while an action lasts, and actions take no time here";
/// And what to do about it.
pub(crate) const UNTIMED: &str = "write it as a plain :action, with :precondition and :effect";

/// A whole number, also as `10.0`.
pub(crate) fn whole_number(word: &str) -> Option<i64> {
    let whole = match word.split_once('.') {
        Some((whole, rest)) if !rest.is_empty() && rest.chars().all(|c| c == '0') => whole,
        Some(_) => return None,
        None => word,
    };
    whole.parse().ok().filter(|number: &i64| number.abs() <= LARGEST)
}

/// The names of the arguments of a ground list of words.
pub(crate) fn ground(rest: AfterFirst, text: PddlText) -> Result<Vec<String>, Fault> {
    rest.iter().map(|part| text.name(part)).collect()
}
