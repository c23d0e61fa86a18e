//! Actions and derived predicates to the rules of `domain.lp`.
//!
//! A condition becomes bodies of rules, one for each of its alternatives. What is so of all objects, and what is so of none,
//! gets a predicate of its own for the exceptions. An effect is a rule for the situation after; where an action may both add
//! and delete the same atom, the rule that deletes says that it is not added, for adding wins.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::expressions::TextPlace;
use racgen_logic::fault::Fault;

use crate::pddl::bounds::Bounds;
use crate::pddl::syntax::{
    Argument, Assignment, Changed, DerivedRule, NumberComparison, NumberExpression, Parameter, PddlAction,
    PddlAtom, PddlEffect, PddlFormula,
};
use crate::pddl::vocabulary::PackageWords;
use crate::pddl::words::PddlText;

/// Alternatives that conditions of one rule may multiply to before they get predicates of their own.
const MOST_BODIES: usize = 16;

/// One condition of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
struct BodyLiteral {
    text: String,
    /// Is it the same in all situations of a world?
    timeless: bool,
}

/// Conditions that hold together.
type RuleBody = Vec<BodyLiteral>;

/// A variable of the domain that stands for something in a rule, and what the rule calls it.
struct Bound<'f> {
    parameter: &'f Parameter,
    variable: String,
}

/// Writes rules over the names of a package.
pub(crate) struct PddlRuleWriter<'v, 'd> {
    vocabulary: &'v mut PackageWords<'d>,
    bounds: &'v Bounds,
    /// Rules of predicates that conditions needed for themselves.
    helpers: String,
    numbers: usize,
}

/// The variables of a rule: those that stand for something, and all that were ever used in it.
#[derive(Default)]
struct RuleScope<'f> {
    bound: Vec<Bound<'f>>,
    used: BTreeSet<String>,
}

impl<'f> RuleScope<'f> {
    fn push(&mut self, parameter: &'f Parameter) -> String {
        let variable = self.fresh(&parameter.name);
        self.bound.push(Bound { parameter, variable: variable.clone() });
        variable
    }

    /// A variable that the rule does not have yet.
    fn fresh(&mut self, name: &str) -> String {
        let mut variable: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        match variable.chars().next().filter(char::is_ascii_alphabetic) {
            Some(first) => variable.replace_range(..1, &first.to_ascii_uppercase().to_string()),
            None => variable.insert(0, 'X'),
        }
        // T is the time.
        while variable == "T" || self.used.contains(&variable) {
            variable.push('_');
        }
        self.used.insert(variable.clone());
        variable
    }

    fn variable(&self, name: &str) -> Option<&Bound<'f>> {
        self.bound.iter().rev().find(|bound| bound.parameter.name == name)
    }
}

fn body(literals: &[BodyLiteral]) -> String {
    literals.iter().map(|literal| format!(", {}", literal.text)).collect()
}

fn compound(name: &str, arguments: &[String]) -> String {
    if arguments.is_empty() { name.to_owned() } else { format!("{name}({})", arguments.join(",")) }
}

impl<'v, 'd> PddlRuleWriter<'v, 'd> {
    pub(crate) fn new(vocabulary: &'v mut PackageWords<'d>, bounds: &'v Bounds) -> PddlRuleWriter<'v, 'd> {
        PddlRuleWriter { vocabulary, bounds, helpers: String::new(), numbers: 0 }
    }

    /// The whole program.
    pub(crate) fn program(mut self) -> Result<String, Fault> {
        let domain = self.vocabulary.domain;
        stratified(domain.derived.as_slice(), &domain.file)?;
        let mut out = format!(
            "% The domain `{}`, as racgen import wrote it from PDDL. Adding wins over deleting, as PDDL says.\n\n",
            domain.name
        );
        let mut rules = String::new();
        for relation in &domain.predicates {
            if self.vocabulary.is_static(&relation.name) {
                continue;
            }
            let derived = domain.is_derived(&relation.name);
            rules += &self.declaration(
                if derived { "defined" } else { "fluent" },
                &relation.name,
                &relation.places,
                "",
            );
        }
        for function in &domain.functions {
            if self.vocabulary.is_static(&function.name) {
                continue;
            }
            let (low, high) = self.bounds.of(&function.name);
            rules += &self.declaration("fluent", &function.name, &function.places, &format!("{low}..{high}"));
        }
        for action in &domain.actions {
            rules += &self.action(action)?;
        }
        for rule in &domain.derived {
            rules += &self.derived(rule);
        }
        let unions = self.vocabulary.unions();
        if !unions.is_empty() {
            out += &format!("% Types that have others below them.\n{unions}\n");
        }
        out += &rules;
        if !self.helpers.is_empty() {
            out +=
                &format!("\n% What conditions about all objects, or about none, look for.\n{}", self.helpers);
        }
        Ok(out)
    }

    fn declaration(&mut self, what: &str, name: &str, places: &[Parameter], numbers: &str) -> String {
        let mut scope = RuleScope::default();
        let mut types: Vec<String> = Vec::new();
        let mut arguments: Vec<String> = Vec::new();
        for place in places {
            let variable = scope.push(place);
            types.push(format!("{}({variable})", self.vocabulary.type_predicate(&place.types)));
            arguments.push(variable);
        }
        if !numbers.is_empty() {
            let variable = scope.fresh("value");
            types.push(format!("{variable} = {numbers}"));
            arguments.push(variable);
        }
        let head = compound(self.vocabulary.relation(name), &arguments);
        match types.is_empty() {
            true => format!("{what}({head}).\n"),
            false => format!("{what}({head}) :- {}.\n", types.join(", ")),
        }
    }

    fn types(&mut self, scope: &mut RuleScope, from: usize) -> RuleBody {
        let mut found = Vec::new();
        for bound in &scope.bound[from..] {
            let predicate = self.vocabulary.type_predicate(&bound.parameter.types);
            found.push(BodyLiteral { text: format!("{predicate}({})", bound.variable), timeless: true });
        }
        found
    }

    fn action(&mut self, action: &PddlAction) -> Result<String, Fault> {
        let mut scope = RuleScope::default();
        let arguments: Vec<String> = action.parameters.iter().map(|p| scope.push(p)).collect();
        let term = compound(self.vocabulary.action(&action.name), &arguments);
        let types = self.types(&mut scope, 0);
        let bodies = self.bodies(&action.precondition, true, &mut scope);
        let mut out = format!("\n% {}\n", action.name);
        let declared = |literals: &[BodyLiteral]| -> String {
            let all = types.iter().chain(literals.iter().filter(|literal| literal.timeless));
            let all: Vec<&str> = all.map(|literal| literal.text.as_str()).collect();
            match all.is_empty() {
                true => format!("action({term}).\n"),
                false => format!("action({term}) :- {}.\n", all.join(", ")),
            }
        };
        // What never changes says which actions there are.
        let mut told: Vec<String> = Vec::new();
        for rule in bodies.iter().map(|alternative| declared(alternative)) {
            if !told.contains(&rule) {
                told.push(rule);
            }
        }
        if bodies.is_empty() {
            told.push(declared(&[]));
        }
        out += &told.concat();
        for alternative in &bodies {
            // It need not be said again, unless it binds a variable of its own.
            let again = bodies.len() > 1 || scope.used.len() > arguments.len();
            let rest: RuleBody =
                alternative.iter().filter(|literal| again || !literal.timeless).cloned().collect();
            out += &format!("executable({term},T) :- action({term}), time(T){}.\n", body(&rest));
        }
        for effect in &action.effects {
            out += &self.effect(action, effect, &term, &mut scope)?;
        }
        Ok(out)
    }

    /// The rules of one effect.
    fn effect<'f>(
        &mut self,
        action: &'f PddlAction,
        effect: &'f PddlEffect,
        term: &str,
        scope: &mut RuleScope<'f>,
    ) -> Result<String, Fault> {
        // Each effect has variables of its own besides the parameters.
        let (outer, used) = (scope.bound.len(), scope.used.clone());
        effect.every.iter().for_each(|parameter| drop(scope.push(parameter)));
        let types = self.types(scope, outer);
        let kept = match &effect.changed {
            Changed::Delete(atom) => self.kept(action, effect, atom, scope),
            _ => Kept::Never,
        };
        let mut out = String::new();
        if kept == Kept::Always {
            scope.bound.truncate(outer);
            scope.used = used;
            return Ok(out);
        }
        let bodies = self.bodies(&effect.condition, true, scope);
        for alternative in bodies {
            let conditions = body(&[types.clone(), alternative].concat());
            match &effect.changed {
                Changed::Add(atom) => {
                    let fluent = self.atom(atom, scope, None);
                    out += &format!("holds({fluent},T+1) :- occ({term},T){conditions}.\n");
                }
                Changed::Delete(atom) => {
                    let fluent = self.atom(atom, scope, None);
                    match &kept {
                        Kept::Always => {}
                        Kept::Never => {
                            out += &format!("holds(neg({fluent}),T+1) :- occ({term},T){conditions}.\n");
                        }
                        Kept::WhereSame(a, b) => {
                            out += &format!(
                                "holds(neg({fluent}),T+1) :- occ({term},T){conditions}, {a} != {b}.\n"
                            );
                        }
                        Kept::WhereGained => {
                            out += &format!(
                                "holds(neg({fluent}),T+1) :- occ({term},T){conditions}, not gained({fluent},T).\n"
                            );
                            self.gains(action, &atom.name, term);
                        }
                    }
                }
                Changed::Set(how, atom, value) => {
                    out += &self.set(action, (*how, atom, value), (term, &conditions), scope)?;
                }
            }
        }
        scope.bound.truncate(outer);
        scope.used = used;
        Ok(out)
    }

    /// What an action may add of a predicate, as `gained`; each rule once.
    fn gains(&mut self, action: &PddlAction, name: &str, term: &str) {
        for effect in &action.effects {
            let Changed::Add(atom) = &effect.changed else { continue };
            if atom.name != name {
                continue;
            }
            let mut scope = RuleScope::default();
            action.parameters.iter().for_each(|parameter| drop(scope.push(parameter)));
            let outer = scope.bound.len();
            effect.every.iter().for_each(|parameter| drop(scope.push(parameter)));
            let types = self.types(&mut scope, outer);
            for alternative in self.bodies(&effect.condition, true, &mut scope) {
                let fluent = self.atom(atom, &scope, None);
                let conditions = body(&[types.clone(), alternative].concat());
                let rule = format!("gained({fluent},T) :- occ({term},T){conditions}.\n");
                if !self.helpers.contains(&rule) {
                    self.helpers += &rule;
                }
            }
        }
    }

    /// When what an effect deletes is added by the same action.
    fn kept(&self, action: &PddlAction, effect: &PddlEffect, atom: &PddlAtom, scope: &RuleScope) -> Kept {
        let mut clashes: Vec<Kept> = Vec::new();
        let own: Vec<&Parameter> = action.parameters.iter().chain(&effect.every).collect();
        for other in &action.effects {
            let Changed::Add(added) = &other.changed else { continue };
            let others: Vec<&Parameter> = action.parameters.iter().chain(&other.every).collect();
            let pairs = || added.arguments.iter().zip(&atom.arguments);
            if added.name != atom.name
                || !pairs().all(|(a, b)| self.vocabulary.may_be_same((a, &others), (b, &own)))
            {
                continue;
            }
            let plain = other.every.is_empty() && other.condition == PddlFormula::always();
            // What `every` names is another object in each effect.
            let of_action = |argument: &Argument| match argument {
                Argument::Variable(name) => {
                    !effect.every.iter().chain(&other.every).any(|parameter| parameter.name == *name)
                }
                Argument::Object(_) => true,
            };
            let differing: Vec<(&Argument, &Argument)> =
                pairs().filter(|(a, b)| a != b || !of_action(a)).collect();
            clashes.push(match differing[..] {
                [] if plain => Kept::Always,
                [(a, b)] if plain => Kept::WhereSame(self.argument(a, scope), self.argument(b, scope)),
                _ => Kept::WhereGained,
            });
        }
        if clashes.contains(&Kept::Always) {
            return Kept::Always;
        }
        match clashes.pop() {
            None => Kept::Never,
            Some(only) if clashes.is_empty() => only,
            Some(_) => Kept::WhereGained,
        }
    }

    /// The rules that give a function its new number, and take the old one away.
    fn set(
        &mut self,
        action: &PddlAction,
        (how, atom, value): (Assignment, &PddlAtom, &NumberExpression),
        (term, conditions): (&str, &str),
        scope: &mut RuleScope,
    ) -> Result<String, Fault> {
        self.set_once(action, atom)?;
        let value = match how {
            Assignment::Assign => value.clone(),
            Assignment::Increase => NumberExpression::sum(NumberExpression::Of(atom.clone()), value.clone()),
            Assignment::Decrease => NumberExpression::Difference(
                Box::new(NumberExpression::Of(atom.clone())),
                Box::new(value.clone()),
            ),
        };
        let mut values = Vec::new();
        let number = self.number(&value, scope, &mut values);
        let bound = body(&values);
        let (new, old) = (scope.fresh("new"), scope.fresh("old"));
        let [after, before] = [&new, &old].map(|variable| self.atom(atom, scope, Some(variable)));
        Ok(format!(
            "holds({after},T+1) :- occ({term},T){conditions}{bound}, {new} = {number}.\n\
             holds(neg({before}),T+1) :- occ({term},T){conditions}{bound}, holds({before},T), {old} != {number}.\n"
        ))
    }

    /// An action must not give one function two numbers at once.
    fn set_once(&self, action: &PddlAction, atom: &PddlAtom) -> Result<(), Fault> {
        let sets = |effect: &&PddlEffect| matches!(&effect.changed, Changed::Set(_, other, _) if other.name == atom.name);
        let all: Vec<&PddlEffect> = action.effects.iter().filter(sets).collect();
        let apart = distinct_parameters(&action.precondition);
        for (number, one) in all.iter().enumerate() {
            for other in &all[number + 1..] {
                let (Changed::Set(_, a, _), Changed::Set(_, b, _)) = (&one.changed, &other.changed) else {
                    continue;
                };
                let differ = a.arguments.iter().zip(&b.arguments).any(|(a, b)| {
                    apart.contains(&(a.clone(), b.clone())) || apart.contains(&(b.clone(), a.clone()))
                });
                if !differ {
                    let text = PddlText { file: &self.vocabulary.domain.file };
                    return Err(text.fault(
                        b.place,
                        format!("`{}` may set the same `{}` twice", action.name, a.name),
                        "require that the objects differ: (not (= ?a ?b))",
                    ));
                }
            }
        }
        Ok(())
    }

    fn derived(&mut self, rule: &DerivedRule) -> String {
        let mut scope = RuleScope::default();
        let arguments: Vec<String> = rule.parameters.iter().map(|p| scope.push(p)).collect();
        let head = compound(self.vocabulary.relation(&rule.name), &arguments);
        let types = self.types(&mut scope, 0);
        let mut out = format!("\n% {} is derived\n", rule.name);
        for alternative in self.bodies(&rule.condition, true, &mut scope) {
            let conditions = body(&[types.clone(), alternative].concat());
            out += &format!("holds({head},T) :- time(T){conditions}.\n");
        }
        out
    }

    /// The alternatives in which a formula is true, or false where `positive` is.
    fn bodies<'f>(
        &mut self,
        formula: &'f PddlFormula,
        positive: bool,
        scope: &mut RuleScope<'f>,
    ) -> Vec<RuleBody> {
        match (formula, positive) {
            (PddlFormula::Not(inner), _) => self.bodies(inner, !positive, scope),
            (PddlFormula::All(parts), true) | (PddlFormula::Any(parts), false) => {
                self.joined(parts, positive, scope)
            }
            (PddlFormula::Any(parts), true) | (PddlFormula::All(parts), false) => {
                parts.iter().flat_map(|part| self.bodies(part, positive, scope)).collect()
            }
            (PddlFormula::Exists(parameters, inner), true)
            | (PddlFormula::Every(parameters, inner), false) => {
                let outer = scope.bound.len();
                parameters.iter().for_each(|parameter| drop(scope.push(parameter)));
                let types = self.types(scope, outer);
                let bodies = self.bodies(inner, positive, scope);
                scope.bound.truncate(outer);
                bodies.into_iter().map(|rest| [types.clone(), rest].concat()).collect()
            }
            (PddlFormula::Every(..), true) | (PddlFormula::Exists(..), false) => {
                let bodies = self.bodies(formula, !positive, scope);
                let helper = self.helper("exception", formula, bodies, scope);
                vec![vec![BodyLiteral { text: format!("not {helper}"), timeless: false }]]
            }
            (PddlFormula::Is(atom), _) => {
                let sign = if positive { "" } else { "not " };
                let timeless = self.vocabulary.is_static(&atom.name);
                let atom = self.atom(atom, scope, None);
                // A predicate that serves as a type is one of the package.
                let text = if timeless { format!("{sign}{atom}") } else { format!("{sign}holds({atom},T)") };
                vec![vec![BodyLiteral { text, timeless }]]
            }
            (PddlFormula::Same(a, b), _) => {
                let sign = if positive { "=" } else { "!=" };
                let text = format!("{} {sign} {}", self.argument(a, scope), self.argument(b, scope));
                vec![vec![BodyLiteral { text, timeless: true }]]
            }
            (PddlFormula::Compare(comparison, a, b), _) => self.compared(*comparison, a, b, positive, scope),
        }
    }

    fn compared(
        &mut self,
        comparison: NumberComparison,
        a: &NumberExpression,
        b: &NumberExpression,
        positive: bool,
        scope: &mut RuleScope,
    ) -> Vec<RuleBody> {
        let mut values = Vec::new();
        let [a, b] = [a, b].map(|number| self.number(number, scope, &mut values));
        let sign = match (positive, comparison.opposite()) {
            (true, _) => comparison.sign(),
            (false, Some(opposite)) => opposite.sign(),
            (false, None) => "!=",
        };
        let timeless = values.iter().all(|value| value.timeless);
        values.push(BodyLiteral { text: format!("{a} {sign} {b}"), timeless });
        // A number that binds a variable stands where what it is compared with does.
        values.iter_mut().for_each(|value| value.timeless = timeless);
        vec![values]
    }

    /// All parts together; parts with many alternatives get predicates of their own.
    fn joined<'f>(
        &mut self,
        parts: &'f [PddlFormula],
        positive: bool,
        scope: &mut RuleScope<'f>,
    ) -> Vec<RuleBody> {
        let mut all: Vec<RuleBody> = vec![Vec::new()];
        for part in parts {
            let mut found = self.bodies(part, positive, scope);
            if found.len() > 1 && all.len() * found.len() > MOST_BODIES {
                let helper = self.helper("alternative", part, found, scope);
                found = vec![vec![BodyLiteral { text: helper, timeless: false }]];
            }
            all = all
                .iter()
                .flat_map(|front| found.iter().map(|back| [front.clone(), back.clone()].concat()))
                .collect();
        }
        all
    }

    /// A predicate that is true where one of these bodies of a formula is, of the variables that the formula names.
    fn helper(
        &mut self,
        what: &str,
        formula: &PddlFormula,
        bodies: Vec<RuleBody>,
        scope: &RuleScope,
    ) -> String {
        self.numbers += 1;
        let number = self.numbers;
        let name = self.vocabulary.fresh(&format!("{what}_{number}"));
        let mut free = BTreeSet::new();
        free_variables(formula, &mut Vec::new(), &mut free);
        let (mut arguments, mut types) = (Vec::new(), RuleBody::new());
        for bound in scope.bound.iter().filter(|bound| free.contains(&bound.parameter.name)) {
            let predicate = self.vocabulary.type_predicate(&bound.parameter.types);
            types.push(BodyLiteral { text: format!("{predicate}({})", bound.variable), timeless: true });
            arguments.push(bound.variable.clone());
        }
        arguments.push("T".to_owned());
        let head = compound(&name, &arguments);
        if bodies.is_empty() {
            self.helpers += &format!("#defined {name}/{}.\n", arguments.len());
        }
        for alternative in bodies {
            let conditions = body(&[types.clone(), alternative].concat());
            self.helpers += &format!("{head} :- time(T){conditions}.\n");
        }
        head
    }

    fn argument(&self, argument: &Argument, scope: &RuleScope) -> String {
        match argument {
            Argument::Variable(name) => {
                scope.variable(name).map_or_else(String::new, |bound| bound.variable.clone())
            }
            Argument::Object(name) => self.vocabulary.constant(name),
        }
    }

    /// An atom as a term, or as the atom of a static relation; a function with its number.
    fn atom(&self, atom: &PddlAtom, scope: &RuleScope, number: Option<&String>) -> String {
        let arguments: Vec<String> =
            atom.arguments.iter().map(|a| self.argument(a, scope)).chain(number.cloned()).collect();
        compound(self.vocabulary.relation(&atom.name), &arguments)
    }

    /// A number as a term over variables, and what binds them.
    fn number(&self, number: &NumberExpression, scope: &mut RuleScope, values: &mut RuleBody) -> String {
        let mut two = |a: &NumberExpression, sign: &str, b: &NumberExpression| {
            let [a, b] = [a, b].map(|part| self.number(part, scope, values));
            format!("({a}{sign}{b})")
        };
        match number {
            NumberExpression::Constant(value) if *value < 0 => format!("({value})"),
            NumberExpression::Constant(value) => value.to_string(),
            NumberExpression::Sum(a, b) => two(a, "+", b),
            NumberExpression::Difference(a, b) => two(a, "-", b),
            NumberExpression::Product(a, b) => two(a, "*", b),
            NumberExpression::Of(atom) => {
                let variable = scope.fresh("number");
                let term = self.atom(atom, scope, Some(&variable));
                let timeless = self.vocabulary.is_static(&atom.name);
                let text = if timeless { term } else { format!("holds({term},T)") };
                values.push(BodyLiteral { text, timeless });
                variable
            }
        }
    }
}

/// When what an effect deletes stays, since the action adds it as well.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kept {
    Never,
    Always,
    /// Where these two are the same.
    WhereSame(String, String),
    /// Where `gained` says so.
    WhereGained,
}

/// The pairs that a condition says to be different objects.
fn distinct_parameters(formula: &PddlFormula) -> Vec<(Argument, Argument)> {
    match formula {
        PddlFormula::All(parts) => parts.iter().flat_map(distinct_parameters).collect(),
        PddlFormula::Not(inner) => match &**inner {
            PddlFormula::Same(a, b) => vec![(a.clone(), b.clone())],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The variables that a formula names and does not bind itself.
pub(crate) fn free_variables(formula: &PddlFormula, bound: &mut Vec<String>, found: &mut BTreeSet<String>) {
    let mut argument = |argument: &Argument, bound: &[String]| {
        if let Argument::Variable(name) = argument
            && !bound.contains(name)
        {
            found.insert(name.clone());
        }
    };
    match formula {
        PddlFormula::All(parts) | PddlFormula::Any(parts) => {
            parts.iter().for_each(|part| free_variables(part, bound, found));
        }
        PddlFormula::Not(inner) => free_variables(inner, bound, found),
        PddlFormula::Is(atom) => atom.arguments.iter().for_each(|a| argument(a, bound)),
        PddlFormula::Same(a, b) => [a, b].into_iter().for_each(|a| argument(a, bound)),
        PddlFormula::Exists(parameters, inner) | PddlFormula::Every(parameters, inner) => {
            let outer = bound.len();
            bound.extend(parameters.iter().map(|parameter| parameter.name.clone()));
            free_variables(inner, bound, found);
            bound.truncate(outer);
        }
        PddlFormula::Compare(_, a, b) => [a, b].into_iter().for_each(|number| {
            number.atoms(&mut |atom| atom.arguments.iter().for_each(|a| argument(a, bound)));
        }),
    }
}

/// What a derived predicate reads, and whether it is read through a negation, or of all objects.
type Reads = BTreeSet<(String, bool)>;

/// No derived predicate may follow from its own absence, nor from what is so of all objects including itself.
fn stratified(rules: &[DerivedRule], file: &str) -> Result<(), Fault> {
    let mut reads: BTreeMap<&str, Reads> = BTreeMap::new();
    let mut places: BTreeMap<&str, TextPlace> = BTreeMap::new();
    for rule in rules {
        find_reads(&rule.condition, true, false, reads.entry(&rule.name).or_default());
        places.entry(&rule.name).or_insert(rule.place);
    }
    for (name, own) in &reads {
        for (next, _) in own.iter().filter(|(_, strict)| *strict) {
            let (mut open, mut seen) = (vec![next.as_str()], BTreeSet::new());
            while let Some(here) = open.pop() {
                if here == *name {
                    return Err(PddlText { file }.fault(
                        places[name],
                        format!("`{name}` follows from its own absence, or from what is so of all objects"),
                        "say it without `not` and `forall` around what depends on it",
                    ));
                }
                if seen.insert(here) {
                    open.extend(reads.get(here).into_iter().flatten().map(|(next, _)| next.as_str()));
                }
            }
        }
    }
    Ok(())
}

fn find_reads(formula: &PddlFormula, positive: bool, helped: bool, found: &mut Reads) {
    match formula {
        PddlFormula::All(parts) | PddlFormula::Any(parts) => {
            parts.iter().for_each(|part| find_reads(part, positive, helped, found));
        }
        PddlFormula::Not(inner) => find_reads(inner, !positive, helped, found),
        PddlFormula::Is(atom) => drop(found.insert((atom.name.clone(), helped || !positive))),
        PddlFormula::Exists(_, inner) => find_reads(inner, positive, helped || !positive, found),
        PddlFormula::Every(_, inner) => find_reads(inner, positive, helped || positive, found),
        PddlFormula::Same(..) | PddlFormula::Compare(..) => {}
    }
}
