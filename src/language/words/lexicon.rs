//! A layout's atoms, actions and questions to the entries of the phrase book that say them.

use std::sync::{Arc, OnceLock};

use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::domain::package::Package;
use crate::language::reasons::support::{Reasons, Sayable};
use crate::language::words::generic_view::GenericView;
use crate::phrases::book::RelationPhrases;
use crate::simulate::layout::Layout;
use crate::simulate::transitions::compiled_layout::{CompiledLayout, Kind, Question};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// A list of phrasings that asks questions of one form: the smallest unit that is balanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum QuestionForm {
    /// `[fluent] ask`, by fluent entry.
    Ask(usize),
    /// `[fluent] which`, by fluent entry and place in its list.
    Which(usize, usize),
    /// `[fluent] count`.
    Count(usize, usize),
    /// `[action] can`.
    Can(usize),
    /// `[question]` of the package.
    Own(usize),
    /// `[question]` of the common phrase book.
    Common(usize),
    /// Does the supposed action change the fluent?
    Changes(usize),
}

/// What fills a slot.
#[derive(Clone, Debug)]
pub(crate) enum Filler {
    Object(usize),
    Action(usize),
    Fluent(usize),
    Text(String),
}

/// How a term is said: with which entry, and what fills its slots.
#[derive(Clone, Debug)]
pub(crate) struct Verbalized {
    pub(crate) entry: usize,
    pub(crate) fillers: Vec<Filler>,
}

/// How a layout's atoms, actions and questions are said.
pub struct Lexicon {
    pub(crate) objects: HashMap<Arc<str>, usize>,
    pub(crate) fluents: Vec<Option<Verbalized>>,
    pub(crate) facts: Vec<Option<Verbalized>>,
    pub(crate) actions: Vec<Option<Verbalized>>,
    pub(crate) questions: Vec<Option<(QuestionForm, Vec<Filler>)>>,
    by_form: HashMap<(Kind, QuestionForm), Vec<usize>>,
    /// Where all is said in the vocabulary of the generic domain.
    pub view: Option<GenericView>,
    /// The questions that cannot be asked there.
    pub untold: Vec<usize>,
    /// On what answers rest; worked out once it is asked for, and none where the rules cannot be grounded for it.
    reasons: OnceLock<Option<Reasons>>,
}

impl Lexicon {
    /// Finds the phrase book entry of everything in a layout.
    pub fn new(package: &Package, layout: &Layout, engine: &CompiledLayout) -> Lexicon {
        let objects: HashMap<Arc<str>, usize> =
            layout.objects.iter().enumerate().map(|(i, o)| (o.id.clone(), i)).collect();
        let book = &package.book;
        let mut lexicon = Lexicon {
            objects,
            fluents: vec![],
            facts: vec![],
            actions: vec![],
            questions: vec![],
            by_form: HashMap::default(),
            view: None,
            untold: vec![],
            reasons: OnceLock::new(),
        };
        let relation = |lexicon: &Lexicon, list: &[RelationPhrases], term: &Term| {
            let entry = list.iter().position(|r| package.fits(&r.pattern, term))?;
            let fillers = list[entry].pattern.fillers(term);
            Some(Verbalized {
                entry,
                fillers: fillers.iter().map(|t| lexicon.filler(package, engine, t)).collect(),
            })
        };
        lexicon.fluents = engine.fluents.iter().map(|t| relation(&lexicon, &book.fluents, t)).collect();
        lexicon.facts = layout.statics.iter().map(|t| relation(&lexicon, &book.facts, t)).collect();
        lexicon.actions = engine
            .actions
            .iter()
            .map(|term| {
                let entry = book.actions.iter().position(|a| package.fits(&a.pattern, term))?;
                let fillers = book.actions[entry].pattern.fillers(term);
                let fillers = fillers.iter().map(|t| lexicon.filler(package, engine, t)).collect();
                Some(Verbalized { entry, fillers })
            })
            .collect();
        lexicon.questions = engine.questions.iter().map(|q| lexicon.question(package, engine, q)).collect();
        for (index, question) in engine.questions.iter().enumerate() {
            if let Some(form) = lexicon.form(index) {
                lexicon.by_form.entry((question.kind, form)).or_default().push(index);
            }
        }
        lexicon
    }

    /// The same layout in the vocabulary of the generic domain; questions that it cannot ask are not asked.
    pub fn in_view(mut self, view: GenericView) -> Lexicon {
        for (question, form) in self.questions.iter_mut().enumerate() {
            if !view.asks(question) && form.take().is_some() {
                self.untold.push(question);
            }
        }
        self.by_form.values_mut().for_each(|questions| questions.retain(|q| view.asks(*q)));
        self.view = Some(view);
        self
    }

    /// What can be said of the layout: in the vocabulary of the generic domain all fluents, and no static fact.
    pub(crate) fn sayable<'p>(&self, package: &'p Package, layout: &Layout) -> Sayable<'p> {
        let generic = self.view.is_some();
        let fluents = self.fluents.iter().map(|said| generic || said.is_some()).collect();
        let told = |(fact, said): (usize, &Option<Verbalized>)| {
            let relation = &package.book.facts[said.as_ref().filter(|_| !generic)?.entry];
            let term = &layout.statics[fact];
            let turned = || Term::function(term.functor(), term.args().iter().rev().cloned().collect());
            let place = |term: Term| layout.statics.iter().position(|fact| *fact == term);
            let other = if relation.symmetric { place(turned()) } else { None };
            (!relation.each.is_empty()).then(|| other.map_or(fact, |other| other.min(fact)))
        };
        let facts = self.facts.iter().enumerate().map(told).collect();
        Sayable { fluents, facts, package }
    }

    /// On what answers rest; none where the rules cannot be grounded once more for it.
    pub fn reasons(&self, package: &Package, layout: &Layout, compiled: &CompiledLayout) -> Option<&Reasons> {
        let new = || Reasons::new(layout, compiled, &self.sayable(package, layout)).ok();
        self.reasons.get_or_init(new).as_ref()
    }

    fn filler(&self, package: &Package, engine: &CompiledLayout, term: &Term) -> Filler {
        if let Some(object) = self.objects.get(term.functor())
            && term.args().is_empty()
        {
            return Filler::Object(*object);
        }
        if !term.args().is_empty() {
            if let Ok(action) = engine.actions.binary_search(term) {
                return Filler::Action(action);
            }
            if let Ok(fluent) = engine.fluents.binary_search(term) {
                return Filler::Fluent(fluent);
            }
        }
        match package.constants.get(term.functor()) {
            Some(name) if term.args().is_empty() => Filler::Text(name.clone()),
            _ => Filler::Text(term.to_string()),
        }
    }

    fn question(
        &self,
        package: &Package,
        engine: &CompiledLayout,
        question: &Question,
    ) -> Option<(QuestionForm, Vec<Filler>)> {
        let (form, terms) = question_form(package, &question.term, question.kind)?;
        Some((form, terms.into_iter().map(|t| self.filler(package, engine, t)).collect()))
    }

    /// The number of an object, by its constant.
    pub fn object(&self, id: &str) -> Option<usize> {
        self.objects.get(id).copied()
    }

    /// How many objects the layout has.
    pub fn objects(&self) -> usize {
        self.objects.len()
    }

    /// How a question is asked, by its index; none if the phrase book cannot ask it.
    pub fn form(&self, question: usize) -> Option<QuestionForm> {
        self.questions[question].as_ref().map(|(form, _)| *form)
    }

    /// The questions of one form.
    pub fn questions_of(&self, kind: Kind, form: QuestionForm) -> &[usize] {
        self.by_form.get(&(kind, form)).map_or(&[], Vec::as_slice)
    }

    /// Fluents and actions that the phrase book cannot say.
    pub fn unsaid<'e>(&self, engine: &'e TransitionSystem) -> Vec<(&'static str, &'e Term)> {
        let fluents = self.fluents.iter().zip(&engine.fluents).filter(|(s, _)| s.is_none());
        let actions = self.actions.iter().zip(&engine.actions).filter(|(s, _)| s.is_none());
        fluents.map(|(_, t)| ("fluent", t)).chain(actions.map(|(_, t)| ("action", t))).collect()
    }
}

/// The form that asks a question, and the terms that fill its slots; none if the phrase book cannot ask it.
fn question_form<'t>(package: &Package, term: &'t Term, kind: Kind) -> Option<(QuestionForm, Vec<&'t Term>)> {
    let book = &package.book;
    if let Some(entry) = book.questions.iter().position(|q| package.fits(&q.pattern, term)) {
        return Some((QuestionForm::Own(entry), book.questions[entry].pattern.fillers(term)));
    }
    if term.args().is_empty()
        && let Some(entry) = package.common.questions.iter().position(|q| term.is(&q.pattern.functor, 0))
    {
        return Some((QuestionForm::Common(entry), Vec::new()));
    }
    match (term.functor(), term.args()) {
        ("executable", [action]) => {
            let entry = book.actions.iter().position(|a| package.fits(&a.pattern, action))?;
            Some((QuestionForm::Can(entry), book.actions[entry].pattern.fillers(action)))
        }
        ("changes", [fluent]) => {
            let entry = book.fluents.iter().position(|r| package.fits(&r.pattern, fluent))?;
            Some((QuestionForm::Changes(entry), book.fluents[entry].pattern.fillers(fluent)))
        }
        _ => list_form(package, term, kind).or_else(|| fluent_form(package, term)),
    }
}

/// The form of a question which, or how many, objects fill a slot of a fluent.
fn list_form<'t>(package: &Package, term: &'t Term, kind: Kind) -> Option<(QuestionForm, Vec<&'t Term>)> {
    let functor = match kind {
        Kind::Other => term.functor().strip_prefix("which_")?,
        Kind::Count => term.functor().strip_prefix("count_")?,
        Kind::Verify => return None,
    };
    package.book.fluents.iter().enumerate().find_map(|(entry, relation)| {
        let pattern = &relation.pattern;
        let name = if pattern.bare { "true" } else { pattern.functor.as_str() };
        let list = if kind == Kind::Other { &relation.which } else { &relation.count };
        if name != functor || list.is_empty() {
            return None;
        }
        let named = Term::function(&pattern.functor, term.args().to_vec());
        let fits = if pattern.bare { term.args().len() == 1 } else { package.fits(pattern, &named) };
        let fillers = fits.then(|| pattern.fillers_among(term.args()))?;
        // The slot asked for holds its type's name, or `number`, which is no name of an object.
        let kinds = package.kinds();
        let stands_open =
            |t: &&Term| t.is("number", 0) || t.args().is_empty() && kinds.contains(&t.functor());
        let hole = fillers.iter().position(stands_open);
        let place = list.iter().position(|(slot, _)| Some(*slot) == hole)?;
        let form = match kind {
            Kind::Other => QuestionForm::Which(entry, place),
            _ => QuestionForm::Count(entry, place),
        };
        Some((form, fillers))
    })
}

/// The form of the question whether a fluent is true.
fn fluent_form<'t>(package: &Package, term: &'t Term) -> Option<(QuestionForm, Vec<&'t Term>)> {
    let fluent = if term.is("true", 1) { &term.args()[0] } else { term };
    let fluents = &package.book.fluents;
    let entry = fluents.iter().position(|r| package.fits(&r.pattern, fluent))?;
    (!fluents[entry].ask.is_empty())
        .then(|| (QuestionForm::Ask(entry), fluents[entry].pattern.fillers(fluent)))
}
