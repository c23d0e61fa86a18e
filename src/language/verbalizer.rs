//! Atoms, actions and questions to sentences, by way of the phrase book.

use std::sync::Arc;

use racgen_data::row::ObjectName;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rustc_hash::FxHashMap as HashMap;

use crate::domain::package::Package;
use crate::language::generic::GenericView;
use crate::phrases::book::{PhraseBook, Phrasings, RelationPhrases};
use crate::phrases::phrasing::Phrasing;
use crate::simulate::layout::{Layout, Object};
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transition_system::{CompiledLayout, Kind, TransitionSystem};

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

/// Which phrasings and names may be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holdout {
    /// The share of each list of phrasings that is held out.
    pub phrasings: f64,
    /// The share of each pool of names that is held out.
    pub names: f64,
    /// Are the held-out ones wanted, rather than the others?
    pub wanted: bool,
}

impl Holdout {
    /// Nothing is held out.
    pub const NONE: Holdout = Holdout { phrasings: 0.0, names: 0.0, wanted: false };

    fn range(share: f64, wanted: bool, length: usize) -> std::ops::Range<usize> {
        if share <= 0.0 || length < 2 {
            return 0..length;
        }
        let kept = length - ((share * length as f64).round() as usize).clamp(1, length - 1);
        if wanted { kept..length } else { 0..kept }
    }

    /// The phrasings to draw from, of a list of this length.
    pub fn phrasings(&self, length: usize) -> std::ops::Range<usize> {
        Holdout::range(self.phrasings, self.wanted, length)
    }

    /// A phrasing of a list, and its number there.
    pub fn draw<'p>(&self, phrasings: &'p Phrasings, rng: &mut ChaCha8Rng) -> Option<DrawnPhrasing<'p>> {
        let range = self.phrasings(phrasings.list.len());
        if range.is_empty() {
            return None;
        }
        let number = rng.random_range(range);
        Some((number, &phrasings.list[number]))
    }

    /// The names to draw from, of a pool of this length.
    pub fn names(&self, length: usize) -> std::ops::Range<usize> {
        Holdout::range(self.names, self.wanted, length)
    }
}

/// How a layout's atoms, actions and questions are said.
pub struct Lexicon {
    objects: HashMap<Arc<str>, usize>,
    pub(crate) fluents: Vec<Option<Verbalized>>,
    pub(crate) facts: Vec<Option<Verbalized>>,
    pub(crate) actions: Vec<Option<Verbalized>>,
    questions: Vec<Option<(QuestionForm, Vec<Filler>)>>,
    by_voice: HashMap<(Kind, QuestionForm), Vec<usize>>,
    /// Where all is said in the vocabulary of the generic domain.
    pub view: Option<GenericView>,
    /// The questions that cannot be asked there.
    pub untold: Vec<usize>,
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
            by_voice: HashMap::default(),
            view: None,
            untold: vec![],
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
        lexicon.questions =
            engine.questions.iter().map(|q| lexicon.question(package, engine, &q.term, q.kind)).collect();
        for (index, question) in engine.questions.iter().enumerate() {
            if let Some(voice) = lexicon.voice(index) {
                lexicon.by_voice.entry((question.kind, voice)).or_default().push(index);
            }
        }
        lexicon
    }

    /// The same layout in the vocabulary of the generic domain; questions that it cannot ask are not asked.
    pub fn in_view(mut self, view: GenericView) -> Lexicon {
        for (question, voice) in self.questions.iter_mut().enumerate() {
            if !view.asks(question) && voice.take().is_some() {
                self.untold.push(question);
            }
        }
        self.by_voice.values_mut().for_each(|questions| questions.retain(|q| view.asks(*q)));
        self.view = Some(view);
        self
    }

    fn filler(&self, package: &Package, engine: &CompiledLayout, term: &Term) -> Filler {
        if let Some(object) = self.objects.get(term.functor())
            && term.args().is_empty()
        {
            return Filler::Object(*object);
        }
        if let Term::Function(name, args) = term
            && !args.is_empty()
        {
            if let Ok(action) = engine.actions.binary_search(term) {
                return Filler::Action(action);
            }
            if let Ok(fluent) = engine.fluents.binary_search(term) {
                return Filler::Fluent(fluent);
            }
            let _ = name;
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
        term: &Term,
        kind: Kind,
    ) -> Option<(QuestionForm, Vec<Filler>)> {
        let book = &package.book;
        let fill = |terms: Vec<&Term>| {
            terms.into_iter().map(|t| self.filler(package, engine, t)).collect::<Vec<_>>()
        };
        if let Some(entry) = book.questions.iter().position(|q| package.fits(&q.pattern, term)) {
            return Some((QuestionForm::Own(entry), fill(book.questions[entry].pattern.fillers(term))));
        }
        if term.args().is_empty()
            && let Some(entry) = package.common.questions.iter().position(|q| term.is(&q.pattern.functor, 0))
        {
            return Some((QuestionForm::Common(entry), Vec::new()));
        }
        let inner = term.args().first();
        match (term.functor(), inner) {
            ("executable", Some(action)) if term.args().len() == 1 => {
                let entry = book.actions.iter().position(|a| package.fits(&a.pattern, action))?;
                return Some((QuestionForm::Can(entry), fill(book.actions[entry].pattern.fillers(action))));
            }
            ("changes", Some(fluent)) if term.args().len() == 1 => {
                let entry = book.fluents.iter().position(|r| package.fits(&r.pattern, fluent))?;
                return Some((
                    QuestionForm::Changes(entry),
                    fill(book.fluents[entry].pattern.fillers(fluent)),
                ));
            }
            _ => {}
        }
        for (prefix, wanted) in [("which_", Kind::Other), ("count_", Kind::Count)] {
            let Some(functor) = term.functor().strip_prefix(prefix).filter(|_| kind == wanted) else {
                continue;
            };
            for (entry, relation) in book.fluents.iter().enumerate() {
                let pattern = &relation.pattern;
                let name = if pattern.bare { "true" } else { pattern.functor.as_str() };
                let list = if wanted == Kind::Other { &relation.which } else { &relation.count };
                if name != functor || list.is_empty() {
                    continue;
                }
                let named = Term::function(&pattern.functor, term.args().to_vec());
                let fits = if pattern.bare { term.args().len() == 1 } else { package.fits(pattern, &named) };
                if !fits {
                    continue;
                }
                let fillers =
                    if pattern.bare { term.args().iter().collect() } else { pattern.fillers(&named) };
                // The slot asked for holds its type's name.
                let kinds = package.kinds();
                let hole = fillers.iter().position(|t| t.args().is_empty() && kinds.contains(&t.functor()));
                let place = list.iter().position(|(slot, _)| Some(*slot) == hole);
                if let Some(place) = place {
                    let voice = if wanted == Kind::Other {
                        QuestionForm::Which(entry, place)
                    } else {
                        QuestionForm::Count(entry, place)
                    };
                    let fillers = fillers.into_iter().cloned().collect::<Vec<_>>();
                    return Some((voice, fill(fillers.iter().collect())));
                }
            }
        }
        let fluent = if term.is("true", 1) { &term.args()[0] } else { term };
        let entry = book.fluents.iter().position(|r| package.fits(&r.pattern, fluent))?;
        (!book.fluents[entry].ask.is_empty())
            .then(|| (QuestionForm::Ask(entry), fill(book.fluents[entry].pattern.fillers(fluent))))
    }

    /// How a question is asked, by its index; none if the phrase book cannot ask it.
    pub fn voice(&self, question: usize) -> Option<QuestionForm> {
        self.questions[question].as_ref().map(|(voice, _)| *voice)
    }

    /// The questions of one form.
    pub fn questions_of(&self, kind: Kind, voice: QuestionForm) -> &[usize] {
        self.by_voice.get(&(kind, voice)).map_or(&[], Vec::as_slice)
    }

    /// Fluents and actions that the phrase book cannot say.
    pub fn unsaid<'e>(&self, engine: &'e TransitionSystem) -> Vec<(&'static str, &'e Term)> {
        let fluents = self.fluents.iter().zip(&engine.fluents).filter(|(s, _)| s.is_none());
        let actions = self.actions.iter().zip(&engine.actions).filter(|(s, _)| s.is_none());
        fluents.map(|(_, t)| ("fluent", t)).chain(actions.map(|(_, t)| ("action", t))).collect()
    }
}

/// What the objects of one story are called, in which order, and who acts.
#[derive(Clone, Debug)]
pub struct Naming {
    /// The objects in the order of the text.
    pub order: Vec<usize>,
    /// Names by object.
    pub names: Vec<Arc<str>>,
    pub(crate) rank: Vec<usize>,
    person: String,
}

impl Naming {
    /// Draws names of random letters, and an order.
    pub fn obfuscated(package: &Package, layout: &Layout, rng: &mut ChaCha8Rng) -> Naming {
        let mut naming = Naming::draw(package, layout, Holdout::NONE, |_| true, rng);
        let mut drawn: Vec<Arc<str>> = Vec::new();
        while drawn.len() < naming.names.len() {
            let name = obfuscated_name(rng);
            if !drawn.contains(&name) {
                drawn.push(name);
            }
        }
        naming.names = drawn;
        naming
    }

    /// Draws names and an order. Of each pool only the names that `allowed` accepts are used, unless they are
    /// too few.
    pub fn draw(
        package: &Package,
        layout: &Layout,
        holdout: Holdout,
        allowed: impl Fn(&str) -> bool,
        rng: &mut ChaCha8Rng,
    ) -> Naming {
        let mut pools: Vec<Vec<&String>> = package
            .types
            .iter()
            .map(|t| {
                let mut pool: Vec<&String> = t.names[holdout.names(t.names.len())].iter().collect();
                pool.shuffle(rng);
                // Allowed names go first; each half keeps its random order. Names are taken from the end.
                pool.sort_by_key(|name| allowed(name));
                pool
            })
            .collect();
        let names: Vec<Arc<str>> = layout
            .objects
            .iter()
            .map(|o| pools[o.kind].pop().map_or_else(|| o.id.clone(), |name| name.as_str().into()))
            .collect();
        let mut order: Vec<usize> = (0..layout.objects.len()).collect();
        order.shuffle(rng);
        order.sort_by_key(|o| layout.objects[*o].kind);
        let rank = ranks(&order);
        let persons = &package.common.persons[holdout.names(package.common.persons.len())];
        let person = persons.choose(rng).cloned().unwrap_or_default();
        Naming { order, names, rank, person }
    }

    /// The same names for the objects of a layout that lacks one.
    pub fn without(&self, object: usize) -> Naming {
        let moved = |o: &usize| if *o > object { *o - 1 } else { *o };
        let order: Vec<usize> = self.order.iter().filter(|o| **o != object).map(moved).collect();
        let mut names = self.names.clone();
        names.remove(object);
        Naming { rank: ranks(&order), order, names, person: self.person.clone() }
    }

    /// The names and the order that a row gives to the objects of its layout. An object that the row does not name
    /// is called by its id. Who acts, a row does not say.
    pub fn of_row(layout: &Layout, objects: &[ObjectName]) -> Naming {
        let place: HashMap<&str, usize> =
            objects.iter().enumerate().map(|(place, o)| (o.id.as_ref(), place)).collect();
        let place = |o: &Object| place.get(o.id.as_ref()).copied().unwrap_or(objects.len());
        let name = |o: &Object| objects.get(place(o)).map_or(&o.id, |named| &named.name).clone();
        let mut order: Vec<usize> = (0..layout.objects.len()).collect();
        order.sort_by_key(|o| place(&layout.objects[*o]));
        Naming {
            names: layout.objects.iter().map(name).collect(),
            rank: ranks(&order),
            order,
            person: "someone".into(),
        }
    }
}

/// Four consonants and a digit, so that it is no word, and no part of another such name.
pub fn obfuscated_name(rng: &mut ChaCha8Rng) -> Arc<str> {
    let mut name: Vec<u8> = (0..4).map(|_| *b"bcdfghjklmnpqrstvwxz".choose(rng).unwrap_or(&b'z')).collect();
    name.insert(rng.random_range(1..=4), rng.random_range(b'2'..=b'9'));
    String::from_utf8_lossy(&name).into()
}

/// The place of each object in the order.
fn ranks(order: &[usize]) -> Vec<usize> {
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, object)| rank[*object] = place);
    rank
}

/// Says things about one story.
pub struct Verbalizer<'a> {
    /// The package.
    pub package: &'a Package,
    /// The layout.
    pub layout: &'a Layout,
    /// The layout's terms.
    pub engine: &'a TransitionSystem,
    /// The layout's phrases.
    pub lexicon: &'a Lexicon,
    /// The story's names.
    pub naming: &'a Naming,
    /// Which phrasings may be used.
    pub holdout: Holdout,
}

/// A drawn phrasing and its number in its list.
pub type DrawnPhrasing<'a> = (usize, &'a Phrasing);

impl Verbalizer<'_> {
    pub(crate) fn draw<'p>(
        &self,
        phrasings: &'p Phrasings,
        rng: &mut ChaCha8Rng,
    ) -> Option<DrawnPhrasing<'p>> {
        self.holdout.draw(phrasings, rng)
    }

    pub(crate) fn text(&self, filler: &Filler, rng: &mut ChaCha8Rng) -> String {
        match filler {
            Filler::Object(object) => self.naming.names[*object].to_string(),
            Filler::Text(text) => text.clone(),
            Filler::Action(action) => self.clause(*action, rng),
            Filler::Fluent(fluent) => self.statement(*fluent, rng),
        }
    }

    /// Fills a phrasing; a place past the fillers stands for the person who acts.
    pub(crate) fn fill(&self, phrasing: &Phrasing, fillers: &[Filler], rng: &mut ChaCha8Rng) -> String {
        let texts: Vec<String> = fillers.iter().map(|f| self.text(f, rng)).collect();
        let mut out = String::new();
        phrasing.fill(&mut out, |slot| texts.get(slot).map_or(self.naming.person.as_str(), String::as_str));
        out
    }

    /// The clause that an action takes place.
    pub fn clause(&self, action: usize, rng: &mut ChaCha8Rng) -> String {
        let Some(spoken) = &self.lexicon.actions[action] else {
            return self.engine.actions[action].to_string();
        };
        match self.draw(&self.package.book.actions[spoken.entry].clause, rng) {
            Some((_, phrasing)) => self.fill(phrasing, &spoken.fillers, rng),
            None => self.engine.actions[action].to_string(),
        }
    }

    /// The clause that a fluent is true.
    pub fn statement(&self, fluent: usize, rng: &mut ChaCha8Rng) -> String {
        let Some(spoken) = &self.lexicon.fluents[fluent] else {
            return self.engine.fluents[fluent].to_string();
        };
        match self.draw(&self.package.book.fluents[spoken.entry].each, rng) {
            Some((_, phrasing)) => self.fill(&phrasing.clause(), &spoken.fillers, rng),
            None => self.engine.fluents[fluent].to_string(),
        }
    }

    pub(crate) fn term_text(&self, term: &Term) -> String {
        for (pattern, phrasing) in &self.package.book.terms {
            if term.is(&pattern.functor, pattern.places.len()) && !term.args().is_empty() {
                let args: Vec<String> = term.args().iter().map(|t| self.term_text(t)).collect();
                let mut out = String::new();
                phrasing.fill(&mut out, |slot| args.get(slot).map_or("", String::as_str));
                return out;
            }
        }
        if term.args().is_empty() {
            if let Some(object) = self.lexicon.objects.get(term.functor()) {
                return self.naming.names[*object].to_string();
            }
            if let Some(name) = self.package.constants.get(term.functor()) {
                return name.clone();
            }
        }
        term.to_string()
    }

    /// A question in its scene, and the name of the phrasings drawn.
    pub fn question(
        &self,
        story: &Story,
        scene: Timepoint,
        question: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<(String, String)> {
        let (voice, fillers) = self.lexicon.questions[question].as_ref()?;
        let book = &self.package.book;
        let common = &self.package.common;
        let functor = self.engine.questions[question].term.functor();
        if let QuestionForm::Changes(entry) = voice {
            let ask = &common.questions.iter().find(|q| q.pattern.functor == "changes")?.ask;
            let (number, phrasing) = self.draw(ask, rng)?;
            let (_, each) = self.draw(&book.fluents[*entry].each, rng)?;
            let statement = self.fill(&each.clause(), fillers, rng);
            let first = self.clause(*story.further.first()?, rng);
            let mut out = String::new();
            phrasing.fill(&mut out, |slot| if slot == 0 { &first } else { &statement });
            return Some((
                capital(&out),
                format!("changes.{}.{}", book.fluents[*entry].pattern.functor, number + 1),
            ));
        }
        let phrasings = match voice {
            QuestionForm::Ask(entry) => &book.fluents[*entry].ask,
            QuestionForm::Which(entry, place) => &book.fluents[*entry].which[*place].1,
            QuestionForm::Count(entry, place) => &book.fluents[*entry].count[*place].1,
            QuestionForm::Can(entry) => &book.actions[*entry].can,
            QuestionForm::Own(entry) => &book.questions[*entry].ask,
            QuestionForm::Common(entry) => &common.questions[*entry].ask,
            QuestionForm::Changes(_) => return None,
        };
        let (number, phrasing) = self.draw(phrasings, rng)?;
        let text = self.fill(phrasing, fillers, rng);
        let form = match voice {
            QuestionForm::Can(entry) => format!("{functor}.{}", book.actions[*entry].pattern.functor),
            _ => functor.to_owned(),
        };
        let template = format!("{form}.{}", number + 1);
        let clause = |action, rng: &mut ChaCha8Rng| self.clause(action, rng);
        in_scene(common, self.holdout, story, scene, (text, template), clause, rng)
    }

    /// The text of answer terms and their type, with objects in the order of the text.
    pub fn answer(&self, kind: Kind, answers: &mut Vec<&Term>) -> (String, &'static str) {
        let rank = |t: &Term| {
            let object = self.lexicon.objects.get(t.functor()).filter(|_| t.args().is_empty());
            object.map_or(usize::MAX, |o| self.naming.rank[*o])
        };
        answers.sort_by_key(|t| rank(t));
        let texts: Vec<String> = answers.iter().map(|t| self.term_text(t)).collect();
        let kind = match (kind, answers.as_slice()) {
            (Kind::Verify, _) => "bool",
            (Kind::Count, _) => "number",
            (Kind::Other, [only]) if only.is("none", 0) => "none",
            (Kind::Other, [Term::Number(_)]) => "number",
            (Kind::Other, [_]) => "name",
            (Kind::Other, _) => "names",
        };
        (texts.join(", "), kind)
    }
}

/// Puts a question, given as text and name of its phrasing, in its scene. `clause` says that an action takes place.
pub(crate) fn in_scene(
    common: &PhraseBook,
    holdout: Holdout,
    story: &Story,
    scene: Timepoint,
    (text, template): (String, String),
    mut clause: impl FnMut(usize, &mut ChaCha8Rng) -> String,
    rng: &mut ChaCha8Rng,
) -> Option<(String, String)> {
    let (wrapper, name, actions) = match scene {
        Timepoint::Now | Timepoint::Supposing => return Some((capital(&text), template)),
        Timepoint::AfterOne => (&common.after_one, "after.one", 1),
        Timepoint::AfterTwo => (&common.after_two, "after.two", 2),
        Timepoint::Initially => (&common.initially, "initially", 0),
    };
    let (outer, phrasing) = holdout.draw(wrapper, rng)?;
    let mut parts: Vec<String> = story.further.iter().take(actions).map(|a| clause(*a, rng)).collect();
    parts.push(small(&text));
    let mut out = String::new();
    phrasing.fill(&mut out, |slot| parts.get(slot).map_or("", String::as_str));
    Some((capital(&out), format!("{name}.{}/{template}", outer + 1)))
}

fn change_first(text: &str, change: impl Fn(char) -> String) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| change(first) + chars.as_str())
}

/// The text with a capital first letter.
pub(crate) fn capital(text: &str) -> String {
    change_first(text, |c| c.to_uppercase().collect())
}

/// The text with a small first letter.
fn small(text: &str) -> String {
    change_first(text, |c| c.to_lowercase().collect())
}
