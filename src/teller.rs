//! Atoms, actions and questions to sentences, by way of the phrase book.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rustc_hash::FxHashMap as HashMap;
use serde_json::{Value, json};

use crate::engine::{Compiled, Engine, Kind, Situation};
use crate::fault::Fault;
use crate::generic_view::GenericView;
use crate::package::Package;
use crate::phrase::{PhraseBook, Phrasings, Relation};
use crate::row::ObjectName;
use crate::story::{Scene, Story};
use crate::template::Phrasing;
use crate::term::Term;
use crate::world::{Layout, Object};

/// A list of phrasings that asks questions of one form: the smallest unit that is balanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Voice {
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

/// How many numbers the template of a rules paragraph has to choose wordings with.
pub const PICKS: usize = 16;

/// What fills a slot.
#[derive(Clone, Debug)]
enum Filler {
    Object(usize),
    Action(usize),
    Fluent(usize),
    Text(String),
}

/// How a term is said: with which entry, and what fills its slots.
#[derive(Clone, Debug)]
struct Spoken {
    entry: usize,
    fillers: Vec<Filler>,
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
    pub fn draw<'p>(&self, phrasings: &'p Phrasings, rng: &mut ChaCha8Rng) -> Option<Drawn<'p>> {
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
    fluents: Vec<Option<Spoken>>,
    facts: Vec<Option<Spoken>>,
    actions: Vec<Option<Spoken>>,
    questions: Vec<Option<(Voice, Vec<Filler>)>>,
    by_voice: HashMap<(Kind, Voice), Vec<usize>>,
    /// Where all is said in the vocabulary of the generic domain.
    pub view: Option<GenericView>,
    /// The questions that cannot be asked there.
    pub untold: Vec<usize>,
}

impl Lexicon {
    /// Finds the phrase book entry of everything in a layout.
    pub fn new(package: &Package, layout: &Layout, engine: &Compiled) -> Lexicon {
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
        let relation = |lexicon: &Lexicon, list: &[Relation], term: &Term| {
            let entry = list.iter().position(|r| package.fits(&r.pattern, term))?;
            let fillers = list[entry].pattern.fillers(term);
            Some(Spoken {
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
                Some(Spoken { entry, fillers })
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

    fn filler(&self, package: &Package, engine: &Compiled, term: &Term) -> Filler {
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
        engine: &Compiled,
        term: &Term,
        kind: Kind,
    ) -> Option<(Voice, Vec<Filler>)> {
        let book = &package.book;
        let fill = |terms: Vec<&Term>| {
            terms.into_iter().map(|t| self.filler(package, engine, t)).collect::<Vec<_>>()
        };
        if let Some(entry) = book.questions.iter().position(|q| package.fits(&q.pattern, term)) {
            return Some((Voice::Own(entry), fill(book.questions[entry].pattern.fillers(term))));
        }
        if term.args().is_empty()
            && let Some(entry) = package.common.questions.iter().position(|q| term.is(&q.pattern.functor, 0))
        {
            return Some((Voice::Common(entry), Vec::new()));
        }
        let inner = term.args().first();
        match (term.functor(), inner) {
            ("executable", Some(action)) if term.args().len() == 1 => {
                let entry = book.actions.iter().position(|a| package.fits(&a.pattern, action))?;
                return Some((Voice::Can(entry), fill(book.actions[entry].pattern.fillers(action))));
            }
            ("changes", Some(fluent)) if term.args().len() == 1 => {
                let entry = book.fluents.iter().position(|r| package.fits(&r.pattern, fluent))?;
                return Some((Voice::Changes(entry), fill(book.fluents[entry].pattern.fillers(fluent))));
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
                        Voice::Which(entry, place)
                    } else {
                        Voice::Count(entry, place)
                    };
                    let fillers = fillers.into_iter().cloned().collect::<Vec<_>>();
                    return Some((voice, fill(fillers.iter().collect())));
                }
            }
        }
        let fluent = if term.is("true", 1) { &term.args()[0] } else { term };
        let entry = book.fluents.iter().position(|r| package.fits(&r.pattern, fluent))?;
        (!book.fluents[entry].ask.is_empty())
            .then(|| (Voice::Ask(entry), fill(book.fluents[entry].pattern.fillers(fluent))))
    }

    /// How a question is asked, by its index; none if the phrase book cannot ask it.
    pub fn voice(&self, question: usize) -> Option<Voice> {
        self.questions[question].as_ref().map(|(voice, _)| *voice)
    }

    /// The questions of one form.
    pub fn questions_of(&self, kind: Kind, voice: Voice) -> &[usize] {
        self.by_voice.get(&(kind, voice)).map_or(&[], Vec::as_slice)
    }

    /// Fluents and actions that the phrase book cannot say.
    pub fn unsaid<'e>(&self, engine: &'e Engine) -> Vec<(&'static str, &'e Term)> {
        let fluents = self.fluents.iter().zip(&engine.fluents).filter(|(s, _)| s.is_none());
        let actions = self.actions.iter().zip(&engine.actions).filter(|(s, _)| s.is_none());
        fluents.map(|(_, t)| ("fluent", t)).chain(actions.map(|(_, t)| ("action", t))).collect()
    }
}

/// What the objects of one story are called, in which order, and who acts.
pub struct Naming {
    /// The objects in the order of the text.
    pub order: Vec<usize>,
    /// Names by object.
    pub names: Vec<Arc<str>>,
    rank: Vec<usize>,
    person: String,
}

impl Naming {
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

/// The place of each object in the order.
fn ranks(order: &[usize]) -> Vec<usize> {
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, object)| rank[*object] = place);
    rank
}

/// The paragraphs of one story.
#[derive(Clone, Debug)]
pub struct Paragraphs {
    /// The initial state.
    pub initial_state: String,
    /// The rules.
    pub rules: String,
    /// The actions.
    pub actions: String,
}

/// Says things about one story.
pub struct Teller<'a> {
    /// The package.
    pub package: &'a Package,
    /// The layout.
    pub layout: &'a Layout,
    /// The layout's terms.
    pub engine: &'a Engine,
    /// The layout's phrases.
    pub lexicon: &'a Lexicon,
    /// The story's names.
    pub naming: &'a Naming,
    /// Which phrasings may be used.
    pub holdout: Holdout,
}

/// A drawn phrasing and its number in its list.
pub type Drawn<'a> = (usize, &'a Phrasing);

impl Teller<'_> {
    fn draw<'p>(&self, phrasings: &'p Phrasings, rng: &mut ChaCha8Rng) -> Option<Drawn<'p>> {
        self.holdout.draw(phrasings, rng)
    }

    fn text(&self, filler: &Filler, rng: &mut ChaCha8Rng) -> String {
        match filler {
            Filler::Object(object) => self.naming.names[*object].to_string(),
            Filler::Text(text) => text.clone(),
            Filler::Action(action) => self.clause(*action, rng),
            Filler::Fluent(fluent) => self.statement(*fluent, rng),
        }
    }

    /// Fills a phrasing; a place past the fillers stands for the person who acts.
    fn fill(&self, phrasing: &Phrasing, fillers: &[Filler], rng: &mut ChaCha8Rng) -> String {
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

    /// Initial state, rules and actions of a story.
    ///
    /// # Errors
    /// A template of the rules paragraph that fails on this world.
    pub fn paragraphs(&self, story: &Story, rng: &mut ChaCha8Rng) -> Result<Paragraphs, Fault> {
        Ok(Paragraphs {
            initial_state: self.initial_state(&story.initial, rng),
            rules: self.rules(rng)?,
            actions: self.actions(&story.plan, rng),
        })
    }

    fn initial_state(&self, initial: &Situation, rng: &mut ChaCha8Rng) -> String {
        let book = &self.package.book;
        let mut sentences = Vec::new();
        for (kind, phrasings) in &book.objects {
            let of_kind = |o: &&usize| self.package.types[self.layout.objects[**o].kind].name == *kind;
            let names: Vec<&str> =
                self.naming.order.iter().filter(of_kind).map(|o| self.naming.names[*o].as_ref()).collect();
            if let Some((_, phrasing)) = self.draw(phrasings, rng).filter(|_| !names.is_empty()) {
                sentences.push(listed(phrasing, &names.join(", ")));
            }
        }
        for (entry, relation) in book.facts.iter().enumerate() {
            let all = self.lexicon.facts.iter().flatten().filter(|s| s.entry == entry);
            self.relation(relation, all.collect(), &mut sentences, rng);
        }
        for (entry, relation) in book.fluents.iter().enumerate().filter(|(_, r)| r.told) {
            let all = initial.iter().filter_map(|f| self.lexicon.fluents[f].as_ref());
            self.relation(relation, all.filter(|s| s.entry == entry).collect(), &mut sentences, rng);
        }
        paragraph(sentences)
    }

    /// Tells all atoms of one relation in one of the ways its entry offers.
    fn relation(
        &self,
        relation: &Relation,
        mut atoms: Vec<&Spoken>,
        out: &mut Vec<String>,
        rng: &mut ChaCha8Rng,
    ) {
        let rank = |s: &Spoken| -> Vec<usize> { s.fillers.iter().map(|f| self.rank(f)).collect() };
        if relation.symmetric {
            atoms.retain(|s| s.fillers.len() != 2 || self.rank(&s.fillers[0]) <= self.rank(&s.fillers[1]));
        }
        atoms.sort_by_key(|s| rank(s));
        if atoms.is_empty() {
            out.extend(self.draw(&relation.none, rng).map(|(_, p)| listed(p, "")));
            return;
        }
        enum Way<'r> {
            Each,
            All,
            Chain,
            Group(usize, &'r Phrasings),
        }
        let mut ways = Vec::new();
        if !relation.each.is_empty() {
            ways.push(Way::Each);
        }
        if !relation.all.is_empty() && atoms[0].fillers.len() == 1 {
            ways.push(Way::All);
        }
        if !relation.chain.is_empty() {
            ways.push(Way::Chain);
        }
        ways.extend(relation.group.iter().map(|(slot, list)| Way::Group(*slot, list)));
        let Some(way) = ways.choose(rng) else { return };
        let single = |spoken: &Spoken, out: &mut Vec<String>, rng: &mut ChaCha8Rng| {
            if let Some((_, phrasing)) = self.draw(&relation.each, rng) {
                let mut fillers = spoken.fillers.clone();
                if relation.symmetric && rng.random_bool(0.5) {
                    fillers.reverse();
                }
                out.push(self.fill(phrasing, &fillers, rng));
            }
        };
        match way {
            Way::Each => atoms.iter().for_each(|s| single(s, out, rng)),
            Way::All => {
                let names: Vec<String> = atoms.iter().map(|s| self.text(&s.fillers[0], rng)).collect();
                out.extend(self.draw(&relation.all, rng).map(|(_, p)| listed(p, &names.join(", "))));
            }
            Way::Chain => {
                for chain in chains(&atoms.iter().map(|s| rank(s)).collect::<Vec<_>>()) {
                    let names: Vec<&str> =
                        chain.iter().map(|r| self.naming.names[self.naming.order[*r]].as_ref()).collect();
                    out.extend(self.draw(&relation.chain, rng).map(|(_, p)| listed(p, &names.join(", "))));
                }
            }
            Way::Group(slot, phrasings) => {
                let mut groups: BTreeMap<Vec<usize>, Vec<&Spoken>> = BTreeMap::new();
                for spoken in &atoms {
                    let mut key = rank(spoken);
                    key.remove(*slot);
                    groups.entry(key).or_default().push(spoken);
                }
                for members in groups.values() {
                    if let [only] = members[..]
                        && !relation.each.is_empty()
                    {
                        single(only, out, rng);
                        continue;
                    }
                    let names: Vec<String> =
                        members.iter().map(|s| self.text(&s.fillers[*slot], rng)).collect();
                    let mut fillers = members[0].fillers.clone();
                    fillers[*slot] = Filler::Text(names.join(", "));
                    out.extend(self.draw(phrasings, rng).map(|(_, p)| self.fill(p, &fillers, rng)));
                }
            }
        }
    }

    fn rank(&self, filler: &Filler) -> usize {
        match filler {
            Filler::Object(object) => self.naming.rank[*object],
            Filler::Action(n) | Filler::Fluent(n) => *n,
            Filler::Text(text) => text.parse().unwrap_or(0),
        }
    }

    fn rules(&self, rng: &mut ChaCha8Rng) -> Result<String, Fault> {
        let mut sentences = Vec::new();
        // Templates choose among five wordings by twenties, so that is how they are held out.
        let fifths = self.holdout.phrasings(5);
        if self.package.rules.is_some() {
            let pick: Vec<usize> =
                (0..PICKS).map(|_| rng.random_range(fifths.start * 20..fifths.end * 20)).collect();
            sentences.extend(self.world_rules(&pick)?);
        }
        for phrasings in self.package.book.rules.iter().chain(&self.package.common.frame) {
            sentences.extend(self.draw(phrasings, rng).map(|(_, p)| listed(p, "")));
        }
        Ok(paragraph(sentences))
    }

    /// The part of the rules paragraph that depends on the world, if there is one, in the wording that the numbers
    /// below 100 in `pick` choose.
    ///
    /// # Errors
    /// A template that fails on this world.
    pub fn world_rules(&self, pick: &[usize]) -> Result<Option<String>, Fault> {
        self.package.rules.as_ref().map(|paragraph| paragraph.render(&self.theory(pick))).transpose()
    }

    /// What the template of a rules paragraph may read.
    fn theory(&self, pick: &[usize]) -> Value {
        let mut objects: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for object in &self.naming.order {
            let kind = self.package.types[self.layout.objects[*object].kind].name.as_str();
            let value = json!({ "id": self.layout.objects[*object].id.as_ref(), "name": self.naming.names[*object].as_ref() });
            objects.entry(kind).or_default().push(value);
        }
        let mut facts: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        let mut by: BTreeMap<&str, BTreeMap<String, Vec<Value>>> = BTreeMap::new();
        for fact in &self.layout.statics {
            let terms: Vec<Value> = fact.args().iter().map(|t| self.term_value(t)).collect();
            let first = fact.args().first().map(Term::to_string).unwrap_or_default();
            facts.entry(fact.functor()).or_default().push(json!(terms));
            by.entry(fact.functor()).or_default().entry(first).or_default().push(json!(terms));
        }
        json!({ "objects": objects, "facts": facts, "by": by, "pick": pick })
    }

    fn term_value(&self, term: &Term) -> Value {
        let args: Vec<Value> = term.args().iter().map(|t| self.term_value(t)).collect();
        json!({ "id": term.to_string(), "text": self.term_text(term), "functor": term.functor(), "args": args })
    }

    fn term_text(&self, term: &Term) -> String {
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

    /// The sentences of an action sequence, in order.
    pub fn actions(&self, plan: &[usize], rng: &mut ChaCha8Rng) -> String {
        let mut sentences = Vec::new();
        for action in plan {
            let told = self.lexicon.actions[*action].as_ref().and_then(|spoken| {
                let (_, phrasing) = self.draw(&self.package.book.actions[spoken.entry].did, rng)?;
                Some(self.fill(phrasing, &spoken.fillers, rng))
            });
            sentences.push(told.unwrap_or_else(|| format!("{}.", self.engine.actions[*action])));
        }
        if plan.is_empty() {
            sentences.extend(self.draw(&self.package.common.no_actions, rng).map(|(_, p)| listed(p, "")));
        }
        paragraph(sentences)
    }

    /// A question in its scene, and the name of the phrasings drawn.
    pub fn question(
        &self,
        story: &Story,
        scene: Scene,
        question: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<(String, String)> {
        let (voice, fillers) = self.lexicon.questions[question].as_ref()?;
        let book = &self.package.book;
        let common = &self.package.common;
        let functor = self.engine.questions[question].term.functor();
        if let Voice::Changes(entry) = voice {
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
            Voice::Ask(entry) => &book.fluents[*entry].ask,
            Voice::Which(entry, place) => &book.fluents[*entry].which[*place].1,
            Voice::Count(entry, place) => &book.fluents[*entry].count[*place].1,
            Voice::Can(entry) => &book.actions[*entry].can,
            Voice::Own(entry) => &book.questions[*entry].ask,
            Voice::Common(entry) => &common.questions[*entry].ask,
            Voice::Changes(_) => return None,
        };
        let (number, phrasing) = self.draw(phrasings, rng)?;
        let text = self.fill(phrasing, fillers, rng);
        let form = match voice {
            Voice::Can(entry) => format!("{functor}.{}", book.actions[*entry].pattern.functor),
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
    scene: Scene,
    (text, template): (String, String),
    mut clause: impl FnMut(usize, &mut ChaCha8Rng) -> String,
    rng: &mut ChaCha8Rng,
) -> Option<(String, String)> {
    let (wrapper, name, actions) = match scene {
        Scene::Now | Scene::Supposing => return Some((capital(&text), template)),
        Scene::AfterOne => (&common.after_one, "after.one", 1),
        Scene::AfterTwo => (&common.after_two, "after.two", 2),
        Scene::Initially => (&common.initially, "initially", 0),
    };
    let (outer, phrasing) = holdout.draw(wrapper, rng)?;
    let mut parts: Vec<String> = story.further.iter().take(actions).map(|a| clause(*a, rng)).collect();
    parts.push(small(&text));
    let mut out = String::new();
    phrasing.fill(&mut out, |slot| parts.get(slot).map_or("", String::as_str));
    Some((capital(&out), format!("{name}.{}/{template}", outer + 1)))
}

/// Fills a phrasing whose only slot is a list.
pub(crate) fn listed(phrasing: &Phrasing, list: &str) -> String {
    let mut out = String::new();
    phrasing.fill(&mut out, |_| list);
    out
}

/// Maximal chains of pairs, each from its first member down.
fn chains(pairs: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let next: BTreeMap<usize, usize> = pairs.iter().map(|p| (p[0], p[1])).collect();
    let lower: Vec<usize> = next.values().copied().collect();
    let mut found = Vec::new();
    for start in next.keys().filter(|k| !lower.contains(k)) {
        let mut chain = vec![*start];
        while let Some(below) = next.get(&chain[chain.len() - 1])
            && chain.len() <= pairs.len()
        {
            chain.push(*below);
        }
        found.push(chain);
    }
    found
}

pub(crate) fn paragraph(sentences: Vec<String>) -> String {
    sentences.iter().map(|s| capital(s)).collect::<Vec<_>>().join(" ")
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
