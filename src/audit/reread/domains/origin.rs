//! A row's facts to the layout of its own domain, whose rules say what no text tells: on what an answer rests, how short
//! a plan could be, and what a question in the vocabulary of the generic domain is about.
//!
//! The answers are not from here: they are clingo's, to what the text says.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use racgen_data::row::{ObjectName, Row};
use racgen_logic::canonical::world_key;
use racgen_logic::term::Term;

use crate::audit::reread::domains::left_out::Rests;
use crate::audit::reread::verdict::{Finding, Trouble, finding, solver};
use crate::audit::reread::voice::same;
use crate::domain::package::Package;
use crate::language::reasons::support::{Reasons, Sayable};
use crate::language::words::generic_view::GenericView;
use crate::language::words::lexicon::Lexicon;
use crate::simulate::layout::Layout;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::theory::action_theory::{Inquiry, InquiryShape, Property, Theory};
use crate::simulate::transitions::compiled_layout::CompiledLayout;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// A layout of a domain, grounded with its rules.
pub(crate) struct OwnLayout {
    layout: Layout,
    pub(crate) compiled: Arc<CompiledLayout>,
    /// What it is told as in the vocabulary of the generic domain.
    theory: Option<Theory>,
    /// On what answers rest; none where the rules cannot be grounded for it.
    reasons: OnceLock<Option<LayoutReasons>>,
}

/// On what the answers in a layout rest, and the static facts that a rationale may cite.
struct LayoutReasons {
    reasons: Reasons,
    facts: Vec<(Term, Option<usize>)>,
}

/// The layout that a question is asked in, by its place among those that it may be, and the question.
pub(crate) struct Grounds {
    pub(crate) all: Arc<Vec<OwnLayout>>,
    pub(crate) own: usize,
    pub(crate) question: Term,
    pub(crate) supposed: Option<usize>,
}

impl Grounds {
    /// On what the answer rests.
    pub(crate) fn rests(&self, package: &Package) -> Option<Rests<'_>> {
        self.all[self.own].rests(package, &self.question, self.supposed)
    }
}

impl OwnLayout {
    /// The layout of a story told in its own words.
    pub(crate) fn of(package: &Package, layout: &Layout) -> Result<OwnLayout, Finding> {
        let compiled = CompiledLayout::new(layout.step_program(package)).map_err(solver)?;
        Ok(OwnLayout {
            layout: layout.clone(),
            compiled: Arc::new(compiled),
            theory: None,
            reasons: OnceLock::new(),
        })
    }

    /// The layouts that the facts of a row may be of: one for each way to take the parameters that no fact tells.
    pub(crate) fn behind(package: &Package, row: &Row) -> Result<Vec<OwnLayout>, Finding> {
        let (layout, _) = split_facts(package, row)?;
        let mut found = Vec::new();
        for parameters in parameters(package, row, &layout) {
            let mut own = OwnLayout::of(package, &Layout { parameters, ..layout.clone() })?;
            let view = GenericView::new(package, &own.layout, &own.compiled).map_err(solver)?;
            own.theory = Some(view.theory);
            found.push(own);
        }
        Ok(found)
    }

    /// What a question is about, where it can be asked in the vocabulary of the generic domain.
    pub(crate) fn inquiry(&self, question: &Term) -> Option<&Inquiry> {
        let place = self.compiled.questions.iter().position(|q| q.term == *question)?;
        self.theory.as_ref()?.questions.get(place)?.as_ref()
    }

    /// The terms of the things that a question is about.
    pub(crate) fn things(&self, inquiry: &Inquiry) -> BTreeSet<Term> {
        let of_actions = inquiry.property == Property::Executable;
        let terms = if of_actions { &self.compiled.actions } else { &self.compiled.fluents };
        inquiry.things.iter().map(|(thing, _)| terms[*thing].clone()).collect()
    }

    /// The column world, and the facts, of a row whose text names no object.
    pub(crate) fn check_facts(
        &self,
        package: &Package,
        row: &Row,
        passed: &[Situation],
        limit: Duration,
    ) -> Result<(), Finding> {
        let (layout, told) = split_facts(package, row)?;
        // Fluents and actions that the text numbers stand among the objects, too, but have no ids of objects, or stand
        // there a second time.
        let is_object =
            |o: &&ObjectName| package.kind_of(&o.id).is_some_and(|kind| package.types[kind].name == *o.kind);
        let listed: BTreeSet<(&str, &str)> =
            row.objects.iter().filter(is_object).map(|o| (&*o.kind, &*o.id)).collect();
        let name = |kind: usize| package.types[kind].name.as_str();
        let given: BTreeSet<(&str, &str)> = layout.objects.iter().map(|o| (name(o.kind), &*o.id)).collect();
        if listed != given {
            return finding(Trouble::Columns, "the columns objects and facts have other objects");
        }
        let mut start = BitSet::new(self.compiled.fluents.len());
        for fluent in &told {
            match self.compiled.fluents.binary_search(fluent) {
                Ok(fluent) => start.insert(fluent),
                Err(_) => {
                    return finding(Trouble::Columns, format!("`{fluent}` is no fluent of the domain here"));
                }
            }
        }
        // What the text tells of the story, its own domain must make of the facts.
        let mut engine = TransitionSystem::of(self.compiled.clone(), limit);
        let settled = engine.consider(&start, None).map_err(solver)?;
        let mut here = settled.map(|(outcome, _)| outcome.situation);
        for (place, told) in passed.iter().enumerate() {
            if here.as_ref() != Some(told) {
                return finding(
                    Trouble::Columns,
                    format!("after {place} actions the facts lead to another situation than the text"),
                );
            }
            let action = row.plan.get(place).and_then(|action| action.parse::<Term>().ok());
            let action = action.and_then(|action| self.compiled.actions.binary_search(&action).ok());
            here = match action {
                Some(action) => engine.step(told, action).map_err(solver)?.map(|next| next.situation),
                None => None,
            };
        }
        let ids: Vec<&str> = layout.objects.iter().map(|o| &*o.id).collect();
        let kinds: Vec<usize> = layout.objects.iter().map(|o| o.kind).collect();
        let inertial = start.iter().filter(|f| self.compiled.inertial.contains(*f));
        let inertial = inertial.map(|f| self.compiled.fluents[f].clone());
        let facts: Vec<Term> = layout.statics.iter().cloned().chain(inertial).collect();
        same("world", &row.world, &world_key(&package.name, &ids, &kinds, &facts))
    }

    /// Has the layout the fluents and actions that a text tells, in the same order?
    pub(crate) fn is_that_of(&self, told: &CompiledLayout) -> bool {
        self.compiled.fluents == told.fluents
            && told.actions.iter().all(|action| self.compiled.actions.binary_search(action).is_ok())
    }

    /// On what the answer to a question rests; none where the program does not ask it.
    pub(super) fn rests(
        &self,
        package: &Package,
        question: &Term,
        supposed: Option<usize>,
    ) -> Option<Rests<'_>> {
        if question.is("changes", 1) {
            return self
                .compiled
                .fluents
                .binary_search(&question.args()[0])
                .ok()
                .map(|fluent| Rests::Followed(vec![fluent]));
        }
        let question = self.compiled.questions.iter().position(|q| q.term == *question)?;
        let LayoutReasons { reasons, facts } =
            self.reasons.get_or_init(|| self.new_reasons(package)).as_ref()?;
        Some(Rests::Rules { reasons, question, supposed, facts })
    }

    fn new_reasons(&self, package: &Package) -> Option<LayoutReasons> {
        let (layout, compiled) = (&self.layout, &*self.compiled);
        let sayable = match self.theory.is_some() {
            // All fluents are numbered, and no static fact is told.
            true => Sayable {
                fluents: vec![true; compiled.fluents.len()],
                facts: vec![None; layout.statics.len()],
                package,
            },
            false => Lexicon::new(package, layout, compiled).sayable(package, layout),
        };
        let reasons = Reasons::new(layout, compiled, &sayable).ok()?;
        let facts = layout.statics.iter().cloned().zip(sayable.facts).collect();
        Some(LayoutReasons { reasons, facts })
    }
}

/// What the parameters of a level may be, as far as the text tells: those that count objects are known, the others
/// get the greatest values or the least.
pub(crate) fn parameters(package: &Package, row: &Row, layout: &Layout) -> Vec<BTreeMap<String, i64>> {
    let Some(ranges) = package.levels.get(&row.level) else { return vec![BTreeMap::new()] };
    let mut fills = Vec::new();
    for greatest in [true, false] {
        let mut fill: BTreeMap<String, i64> = ranges
            .iter()
            .map(|(name, (low, high))| (name.clone(), if greatest { *high } else { *low }))
            .collect();
        for (kind, t) in package.types.iter().enumerate() {
            let count = layout.objects.iter().filter(|o| o.kind == kind).count();
            fill.insert(t.count.clone(), count as i64);
        }
        fills.push(fill);
    }
    fills.dedup();
    fills
}

/// The layout that the facts of a row tell, its objects in the order of their ids, and the fluents.
fn split_facts(package: &Package, row: &Row) -> Result<(Layout, Vec<Term>), Finding> {
    let term = |fact: &String| {
        fact.parse::<Term>().map_err(|_| Finding {
            trouble: Trouble::Columns,
            detail: format!("the column facts: `{fact}` is no fact"),
        })
    };
    let facts: Vec<Term> = row.facts.iter().map(term).collect::<Result<_, _>>()?;
    let split = Layout::from_facts(package, row.level, facts);
    let (mut layout, fluents) =
        split.map_err(|error| Finding { trouble: Trouble::Columns, detail: error.to_string() })?;
    layout.objects.sort_by(|a, b| (a.kind, a.id.len(), &a.id).cmp(&(b.kind, b.id.len(), &b.id)));
    layout.statics.sort_unstable();
    Ok((layout, fluents))
}

/// A column query as whether it is about the initial situation, the actions supposed, and the question as the program
/// knows it.
pub(crate) fn scene(query: &Term) -> (bool, Vec<Term>, Term) {
    match (query.functor(), query.args()) {
        ("initially", [inner]) => (true, Vec::new(), inner.clone()),
        ("changes", [action, fluent]) => {
            (false, vec![action.clone()], Term::function("changes", vec![fluent.clone()]))
        }
        ("after", [first, inner]) => match (inner.functor(), inner.args()) {
            ("after", [second, inner]) => (false, vec![first.clone(), second.clone()], inner.clone()),
            _ => (false, vec![first.clone()], inner.clone()),
        },
        _ => (false, Vec::new(), query.clone()),
    }
}

/// The name of a question's form in the vocabulary of the generic domain, but for lists of all actions.
pub(crate) fn form(inquiry: &Inquiry) -> String {
    let property = match inquiry.property {
        Property::True => "true",
        Property::False => "false",
        Property::Executable => "executable",
    };
    let shape = match inquiry.shape {
        InquiryShape::One => "one",
        InquiryShape::All => "all",
        InquiryShape::Any => "any",
        InquiryShape::Count => "count",
        InquiryShape::Which => "which",
        InquiryShape::Changes => return "changes".to_owned(),
    };
    format!("{shape}_{property}")
}
