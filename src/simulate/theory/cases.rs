//! The atoms of a ground program to the cases in which they hold: what else is true and false then.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use racgen_logic::ground::{Body, GroundProgram, Literal};
use racgen_logic::term::Term;

use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// Formulas with more cases than this are not spelled out.
const MOST_CASES: usize = 256;

/// What an atom of the program stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Leaf {
    Now(usize),
    Next(usize),
    Executable(usize),
    Occurs(usize),
}

/// Leaves with their truth values, all of which hold.
pub(crate) type Case = BTreeSet<(Leaf, bool)>;
/// Cases of which at least one holds.
pub(crate) type Cases = Vec<Case>;

/// What holds in any case.
pub(crate) fn truth() -> Cases {
    vec![Case::new()]
}

/// Without the cases that others cover, and in order.
pub(crate) fn reduce(mut cases: Cases) -> Cases {
    cases.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    let mut kept: Cases = Vec::new();
    for case in cases {
        if !kept.iter().any(|k| k.is_subset(&case)) {
            kept.push(case);
        }
    }
    kept
}

fn possible(case: &Case) -> bool {
    let occurring = case.iter().filter(|(leaf, value)| *value && matches!(leaf, Leaf::Occurs(_)));
    occurring.count() <= 1 && !case.iter().any(|(leaf, value)| *value && case.contains(&(*leaf, false)))
}

fn both(one: &Cases, other: &Cases) -> Option<Cases> {
    let mut all = Vec::new();
    for a in one {
        for b in other {
            let case: Case = a.union(b).copied().collect();
            if possible(&case) {
                all.push(case);
            }
        }
        if all.len() > MOST_CASES * 4 {
            return None;
        }
    }
    Some(reduce(all)).filter(|cases| cases.len() <= MOST_CASES)
}

fn negation(cases: &Cases) -> Option<Cases> {
    cases.iter().try_fold(truth(), |sum, case| {
        let escapes = case.iter().map(|(leaf, value)| Case::from([(*leaf, !value)])).collect();
        both(&sum, &escapes)
    })
}

/// Expands atoms into cases over leaves.
pub(crate) struct CaseReader<'p> {
    program: &'p GroundProgram,
    rules: HashMap<u32, Vec<usize>>,
    leaves: HashMap<u32, (Leaf, bool)>,
    /// None while an atom is being expanded, and for good if it cannot be.
    known: HashMap<u32, Option<Rc<Cases>>>,
}

impl<'p> CaseReader<'p> {
    /// A reader of what the atoms of a layout's program stand for.
    pub(crate) fn new(program: &'p GroundProgram, engine: &CompiledLayout) -> CaseReader<'p> {
        let mut rules: HashMap<u32, Vec<usize>> = HashMap::new();
        for (index, rule) in program.rules.iter().enumerate() {
            rule.head.iter().for_each(|head| rules.entry(*head).or_default().push(index));
        }
        let mut leaves = HashMap::new();
        for (term, atom) in &program.named {
            if let (Some(leaf), Some(atom)) = (leaf(term, engine), atom) {
                leaves.insert(*atom, leaf);
            }
        }
        CaseReader { program, rules, leaves, known: HashMap::new() }
    }

    /// Where a literal holds.
    pub(crate) fn literal(&mut self, literal: Literal) -> Option<Cases> {
        let atom = literal.atom();
        if let Some((leaf, value)) = self.leaves.get(&atom) {
            return Some(vec![Case::from([(*leaf, *value == literal.positive())])]);
        }
        let cases = match self.known.get(&atom) {
            Some(known) => known.clone()?,
            None => {
                self.known.insert(atom, None);
                let cases = Rc::new(self.definition(atom)?);
                self.known.insert(atom, Some(cases.clone()));
                cases
            }
        };
        if literal.positive() { Some((*cases).clone()) } else { negation(&cases) }
    }

    /// The rules for an atom, by number.
    pub(crate) fn rules_for(&self, atom: u32) -> Vec<usize> {
        self.rules.get(&atom).cloned().unwrap_or_default()
    }

    /// Where the rules for an atom derive it.
    pub(crate) fn definition(&mut self, atom: u32) -> Option<Cases> {
        let mut all = Vec::new();
        for index in self.rules_for(atom) {
            all.extend(self.rule(index)?);
        }
        Some(reduce(all)).filter(|cases| cases.len() <= MOST_CASES)
    }

    /// Where a rule applies.
    pub(crate) fn rule(&mut self, index: usize) -> Option<Cases> {
        let rule = &self.program.rules[index];
        if rule.choice || rule.head.len() != 1 {
            return None;
        }
        match &rule.body {
            Body::All(literals) => self.all(literals.iter().copied()),
            Body::Sum(bound, literals) => {
                let total: i32 = literals.iter().map(|(_, weight)| weight).sum();
                let least = literals.iter().map(|(_, weight)| *weight).min().unwrap_or(0);
                if total - least < *bound {
                    let cases = self.all(literals.iter().map(|(literal, _)| *literal));
                    return if total < *bound { Some(Vec::new()) } else { cases };
                }
                if least < *bound {
                    return None;
                }
                let mut any = Vec::new();
                for (literal, _) in literals {
                    any.extend(self.literal(*literal)?);
                }
                Some(reduce(any))
            }
        }
    }

    fn all(&mut self, literals: impl Iterator<Item = Literal>) -> Option<Cases> {
        let mut cases = truth();
        for literal in literals {
            cases = both(&cases, &self.literal(literal)?)?;
        }
        Some(cases)
    }
}

fn leaf(term: &Term, engine: &CompiledLayout) -> Option<(Leaf, bool)> {
    let [inner, Term::Number(time)] = term.args() else { return None };
    let action = || engine.actions.binary_search(inner).ok();
    match (term.functor(), time) {
        ("holds", 0 | 1) => {
            let positive = engine.fluents.binary_search(inner).ok().map(|fluent| (fluent, true));
            let (fluent, value) = positive.or_else(|| {
                let inner = inner.args().first().filter(|_| inner.is("neg", 1))?;
                engine.fluents.binary_search(inner).ok().map(|fluent| (fluent, false))
            })?;
            Some((if *time == 0 { Leaf::Now(fluent) } else { Leaf::Next(fluent) }, value))
        }
        ("occ", 0) => action().map(|a| (Leaf::Occurs(a), true)),
        ("executable", 0) => action().map(|a| (Leaf::Executable(a), true)),
        _ => None,
    }
}
