//! Rows to verdicts: each text is read back to atoms, clingo answers the question anew, and the answer is compared
//! with the row's.
//!
//! Rows that tell one story are read together, and stories of one layout share its grounding. Every situation, step
//! and answer is clingo's; the native evaluator has no part in it. The first story of each layout is also run
//! through the whole time-expanded program (section 2.5).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;

use crate::audit::invert::{Asked, Filler, Inverse, Names, Says, Sentence, Told, term};
use crate::audit::steps::{Claim, Steps};
use crate::canon::world_key;
use crate::engine::{BitSet, Compiled, Engine, Sheet, Situation};
use crate::generic_view::Books;
use crate::package::{Catalogue, Package, axioms};
use crate::paragraphs::PICKS;
use crate::phrase::Relation;
use crate::read::OwnedRow;
use crate::row::ObjectName;
use crate::seed::digest;
use crate::solver::{Program, Search, Source};
use crate::teller::{Holdout, Lexicon, Naming, Teller};
use crate::term::Term;
use crate::world::{Layout, Object};

/// What may be wrong with an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// A paragraph or the question follows no phrasing.
    Unreadable,
    /// A paragraph or the question can be read in two ways.
    Ambiguous,
    /// What the text tells cannot be: no such situation, or an action that cannot occur.
    Impossible,
    /// The answer is another than the row's.
    WrongAnswer,
    /// The columns with ground terms say something else than the text.
    Columns,
    /// The rationale states what is not so, or comes to another answer.
    Rationale,
    /// The domain is not at hand.
    UnknownDomain,
}

impl Trouble {
    /// What it is, in words.
    pub fn words(self) -> &'static str {
        match self {
            Trouble::Unreadable => "the text follows no phrasing of the domain",
            Trouble::Ambiguous => "the text can be read in two ways",
            Trouble::Impossible => "what the text tells cannot be",
            Trouble::WrongAnswer => "clingo's answer to the text is another than the row's",
            Trouble::Columns => "the columns with ground terms say something else than the text",
            Trouble::Rationale => "the rationale states what is not so, or comes to another answer",
            Trouble::UnknownDomain => "the domain is not at hand",
        }
    }
}

/// What is wrong with an item, and the particulars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub trouble: Trouble,
    /// Words, terms, answers.
    pub detail: String,
}

fn finding<T>(trouble: Trouble, detail: impl Into<String>) -> Result<T, Finding> {
    Err(Finding { trouble, detail: detail.into() })
}

/// An item that was read and found right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sound {
    /// The key of its world, computed afresh: equal for worlds that differ in the names of their objects only.
    pub world: Arc<str>,
    /// The key of its world and plan.
    pub instance: Arc<str>,
    /// Does the initial situation give the same answer?
    pub trivial: bool,
}

/// What a row came to.
pub type Verdict = Result<Sound, Finding>;

/// A package with its phrase book turned round.
struct Domain {
    package: Package,
    inverse: Inverse,
}

/// Reads rows of all domains.
pub struct Reread<'c> {
    catalogue: &'c Catalogue,
    domains: Mutex<HashMap<String, Option<Arc<Domain>>>>,
    limit: Duration,
}

/// What the text of a story tells.
struct Story {
    domain: Arc<Domain>,
    generic: bool,
    layout: Layout,
    /// The told theory, in the vocabulary of the generic domain.
    theory: Option<Source>,
    /// The fluents told to be true initially.
    told: BTreeSet<Term>,
    /// The plan; `_` in place of what the wording leaves open.
    plan: Vec<Term>,
    objects: Vec<ObjectName>,
    /// The rows and what they ask.
    rows: Vec<usize>,
}

impl<'c> Reread<'c> {
    /// A reader of the domains of a catalogue; `limit` is that of a solver call.
    pub fn new(catalogue: &'c Catalogue, limit: Duration) -> Reread<'c> {
        Reread { catalogue, domains: Mutex::default(), limit }
    }

    fn domain(&self, name: &str) -> Option<Arc<Domain>> {
        let mut domains = self.domains.lock().unwrap_or_else(PoisonError::into_inner);
        let load = || {
            let package = self.catalogue.load(name).ok()?;
            let inverse = Inverse::new(&package).0;
            Some(Arc::new(Domain { package, inverse }))
        };
        domains.entry(name.to_owned()).or_insert_with(load).clone()
    }

    /// The verdict on each of the rows. `progress` is told how many more are done.
    pub fn judge(&self, rows: &[OwnedRow], progress: &(dyn Fn(u64) + Sync)) -> Vec<Verdict> {
        let mut by_story: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let keys: Vec<String> = rows.par_iter().map(story_key).collect();
        for (number, key) in keys.into_iter().enumerate() {
            by_story.entry(key).or_default().push(number);
        }
        let groups: Vec<Vec<usize>> = by_story.into_values().collect();
        let read: Vec<(Vec<usize>, Result<Story, Finding>)> =
            groups.into_par_iter().map(|group| (group.clone(), self.read(rows, group))).collect();
        let mut verdicts: Vec<Option<Verdict>> = vec![None; rows.len()];
        let mut by_layout: BTreeMap<String, Vec<Story>> = BTreeMap::new();
        for (group, story) in read {
            match story {
                Ok(story) => by_layout.entry(layout_key(&story)).or_default().push(story),
                Err(finding) => {
                    progress(group.len() as u64);
                    group.iter().for_each(|row| verdicts[*row] = Some(Err(finding.clone())));
                }
            }
        }
        let layouts: Vec<Vec<Story>> = by_layout.into_values().collect();
        let judged: Vec<Vec<(usize, Verdict)>> = layouts
            .into_par_iter()
            .map(|stories| {
                let found = self.layout(rows, &stories);
                progress(found.len() as u64);
                found
            })
            .collect();
        for (row, verdict) in judged.into_iter().flatten() {
            verdicts[row] = Some(verdict);
        }
        let missing = || finding(Trouble::Impossible, "no situation follows from the text");
        verdicts.into_iter().map(|verdict| verdict.unwrap_or_else(missing)).collect()
    }

    /// Reads what the rows of one story share.
    fn read(&self, rows: &[OwnedRow], group: Vec<usize>) -> Result<Story, Finding> {
        let row = &rows[group[0]];
        let Some(domain) = self.domain(&row.domain) else {
            return finding(
                Trouble::UnknownDomain,
                format!("`{}`; give the folder of its package with --domain-dir", row.domain),
            );
        };
        if is_generic(row) { read_generic(domain, row, group) } else { read_own(domain, row, group) }
    }

    /// Judges the stories of one layout.
    fn layout(&self, rows: &[OwnedRow], stories: &[Story]) -> Vec<(usize, Verdict)> {
        let mut open: Vec<(usize, &Story, Vec<usize>)> =
            stories.iter().enumerate().map(|(n, s)| (n, s, s.rows.clone())).collect();
        let mut done = Vec::new();
        // Parameters that no fact tells are first taken to be the greatest of the level, then the least.
        let fills = match stories.first() {
            Some(story) if !story.generic => {
                parameters(&story.domain.package, &rows[story.rows[0]], &story.layout)
            }
            _ => vec![BTreeMap::new()],
        };
        for (turn, parameters) in fills.iter().enumerate() {
            let last = turn + 1 == fills.len();
            let Some((_, first, _)) = open.first() else { break };
            let mut layout = first.layout.clone();
            layout.parameters.clone_from(parameters);
            let scene = Scene::new(first, layout, self.limit).map(|scene| {
                let engine = Engine::by_clingo(scene.compiled.clone(), self.limit);
                (scene, Solvers { engine, situations: None, wordings: None })
            });
            let mut scene = scene;
            let mut left = Vec::new();
            for (number, story, wanted) in open {
                let first = number == 0 && turn == 0;
                let verdicts = match &mut scene {
                    Err(found) => wanted.iter().map(|row| (*row, Some(Err(found.clone())))).collect(),
                    Ok((scene, solvers)) => scene.story(story, rows, &wanted, first, solvers),
                };
                let mut unasked = Vec::new();
                for (row, verdict) in verdicts {
                    match verdict {
                        Some(Err(Finding { trouble: Trouble::Impossible, .. })) if !last => unasked.push(row),
                        Some(verdict) => done.push((row, verdict)),
                        None if !last => unasked.push(row),
                        None => done.push((
                            row,
                            finding(
                                Trouble::Unreadable,
                                format!("the domain does not ask this here: {}", rows[row].question),
                            ),
                        )),
                    }
                }
                if !unasked.is_empty() {
                    left.push((number, story, unasked));
                }
            }
            open = left;
        }
        done
    }
}

/// What tells stories apart.
fn story_key(row: &OwnedRow) -> String {
    let level = row.level.to_string();
    let objects = row.objects.iter().flat_map(|o| [&*o.id, &*o.kind, &*o.name]);
    let parts = [row.domain.as_str(), &level, &row.initial_state, &row.rules, &row.actions];
    let lists = row.facts.iter().chain(&row.plan).map(String::as_str);
    digest(parts.into_iter().chain(objects).chain(lists))
}

fn layout_key(story: &Story) -> String {
    let objects: Vec<&str> = story.layout.objects.iter().map(|o| &*o.id).collect();
    let statics: Vec<String> = story.layout.statics.iter().map(Term::to_string).collect();
    let theory = story.theory.as_ref().map_or("", |t| &t.text);
    let level = story.layout.parameters.get("level").copied().unwrap_or_default();
    format!("{} {level} {} {} {theory}", story.domain.package.name, objects.join(" "), statics.join(" "))
}

/// Is the row told in the vocabulary of the generic domain? Its phrasing says so.
fn is_generic(row: &OwnedRow) -> bool {
    row.template.rsplit('/').next().is_some_and(|last| last.starts_with("generic."))
}

/// The only reading of a paragraph.
fn only<T: PartialEq>(mut found: Vec<T>, what: &str) -> Result<T, Finding> {
    found.dedup();
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => finding(Trouble::Unreadable, format!("the {what}")),
        _ => finding(Trouble::Ambiguous, format!("the {what}")),
    }
}

/// Reads a paragraph in the only way there is.
fn paragraph<T: PartialEq>(
    found: Result<Vec<Vec<Sentence>>, String>,
    what: &str,
    meaning: impl Fn(Vec<Sentence>) -> T,
) -> Result<T, Finding> {
    match found {
        Ok(ways) => only(ways.into_iter().map(meaning).collect(), what),
        Err(obstacle) => finding(Trouble::Unreadable, format!("the {what}, at \"{obstacle}\"")),
    }
}

/// What an initial state tells.
#[derive(Debug, PartialEq)]
struct State {
    /// By type, its objects in the order of the text, as indices into the objects of the row.
    objects: BTreeMap<usize, Vec<usize>>,
    /// Static facts.
    statics: BTreeSet<Term>,
    /// Fluents.
    fluents: BTreeSet<Term>,
}

impl State {
    fn new(package: &Package, sentences: &[Sentence], objects: &[ObjectName]) -> State {
        let mut state =
            State { objects: BTreeMap::new(), statics: BTreeSet::new(), fluents: BTreeSet::new() };
        for sentence in sentences {
            let relation = |told: Told| {
                let list = if told.fact { &package.book.facts } else { &package.book.fluents };
                &list[told.entry]
            };
            match sentence.says {
                Says::Objects(kind) => {
                    let names = sentence.slots.iter().flatten().filter_map(|f| match f {
                        Filler::Object(object, _) => Some(*object),
                        _ => None,
                    });
                    state.objects.entry(kind).or_default().extend(names);
                }
                Says::Each(told) | Says::Group(told, _) => {
                    let of = relation(told);
                    for slots in product(&sentence.slots) {
                        state.tell(told, of, term(&of.pattern, &slots, objects));
                    }
                }
                Says::Chain(told) => {
                    let of = relation(told);
                    for pair in sentence.slots[0].windows(2) {
                        let slots: Vec<Vec<Filler>> = pair.iter().map(|f| vec![f.clone()]).collect();
                        state.tell(told, of, term(&of.pattern, &slots, objects));
                    }
                }
                Says::All(told) => {
                    let of = relation(told);
                    for filler in &sentence.slots[0] {
                        state.tell(told, of, term(&of.pattern, &[vec![filler.clone()]], objects));
                    }
                }
                _ => {}
            }
        }
        state
    }

    fn tell(&mut self, told: Told, relation: &Relation, atom: Term) {
        let set = if told.fact { &mut self.statics } else { &mut self.fluents };
        if let (true, [a, b]) = (relation.symmetric, atom.args()) {
            set.insert(Term::function(atom.functor(), vec![b.clone(), a.clone()]));
        }
        set.insert(atom);
    }
}

/// All ways to take one filler for each slot.
fn product(slots: &[Vec<Filler>]) -> Vec<Vec<Vec<Filler>>> {
    slots.iter().fold(vec![vec![]], |ways, slot| {
        let longer = |way: &Vec<Vec<Filler>>| -> Vec<Vec<Vec<Filler>>> {
            let mut all: Vec<Vec<Vec<Filler>>> =
                slot.iter().map(|f| [way.clone(), vec![vec![f.clone()]]].concat()).collect();
            if slot.is_empty() {
                all.push([way.clone(), vec![vec![]]].concat());
            }
            all
        };
        ways.iter().flat_map(longer).collect()
    })
}

/// The actions of a plan, as the text tells them.
fn plan(
    inverse: &Inverse,
    names: &Names,
    text: &str,
    told: impl Fn(&Sentence) -> Option<Term>,
) -> Result<Vec<Term>, Finding> {
    paragraph(inverse.actions.paragraph(&names.mask(text)), "action sequence", |sentences| {
        sentences.iter().filter_map(&told).collect()
    })
}

/// The context is what its parts say it is.
fn check_context(row: &OwnedRow) -> Result<(), Finding> {
    let bare = [row.initial_state.as_str(), &row.actions].join("\n\n");
    let full = [row.initial_state.as_str(), &row.rules, &row.actions].join("\n\n");
    if row.context == bare || row.context == full {
        return Ok(());
    }
    finding(Trouble::Columns, "the column context is not made of initial_state, rules and actions")
}

/// The rules that every world has, in their order: what is left before them.
fn without_rules<'t>(package: &Package, text: &'t str) -> Result<&'t str, Finding> {
    let mut rest = text;
    for phrasings in package.book.rules.iter().chain(&package.common.frame).rev() {
        let told = phrasings.list.iter().filter_map(|phrasing| {
            let mut sentence = String::new();
            phrasing.fill(&mut sentence, |_| "");
            let before = rest.strip_suffix(crate::teller::capital(&sentence).as_str())?;
            if before.is_empty() { Some(before) } else { before.strip_suffix(' ') }
        });
        match told.min_by_key(|before| before.len()) {
            Some(before) => rest = before,
            None => {
                let tail: String =
                    rest.chars().rev().take(120).collect::<Vec<_>>().into_iter().rev().collect();
                return finding(Trouble::Unreadable, format!("the rules, before \"...{tail}\""));
            }
        }
    }
    if !rest.is_empty() && package.rules.is_none() {
        return finding(Trouble::Unreadable, format!("the rules, at \"{rest}\""));
    }
    Ok(rest)
}

fn read_own(domain: Arc<Domain>, row: &OwnedRow, group: Vec<usize>) -> Result<Story, Finding> {
    let Domain { package, inverse } = &*domain;
    check_context(row)?;
    let names = Names::new(inverse, &row.objects, false);
    let state =
        paragraph(inverse.state.paragraph(&names.mask(&row.initial_state)), "initial state", |sentences| {
            State::new(package, &sentences, &row.objects)
        })?;
    // The text lists all objects, type by type, and the column gives each of them an id of its own.
    let order: Vec<usize> = state.objects.values().flatten().copied().collect();
    if order != (0..row.objects.len()).collect::<Vec<_>>() {
        return finding(
            Trouble::Columns,
            "the column objects lists others than the text, or in another order",
        );
    }
    let mut objects: Vec<Object> = Vec::new();
    for object in &row.objects {
        let kind = package.kind_of(&object.id);
        match kind.filter(|kind| package.types[*kind].name == *object.kind) {
            Some(kind) if !objects.iter().any(|o| o.id == object.id) => {
                objects.push(Object { id: object.id.clone(), kind });
            }
            _ => return finding(Trouble::Columns, format!("`{}` is no id of a {}", object.id, object.kind)),
        }
    }
    objects.sort_by(|a, b| (a.kind, a.id.len(), &a.id).cmp(&(b.kind, b.id.len(), &b.id)));
    let mut statics = state.statics;
    // Static relations without a phrase in the book are told by the rules paragraph, which is compared later.
    for fact in row.facts.iter().filter_map(|f| f.parse::<Term>().ok()) {
        let known = package.statics.iter().any(|(name, arity)| fact.is(name, *arity));
        if known && !package.book.facts.iter().any(|r| package.fits(&r.pattern, &fact)) {
            statics.insert(fact);
        }
    }
    let plan = plan(inverse, &names, &row.actions, |sentence| match sentence.says {
        Says::Action(entry) => {
            Some(term(&package.book.actions[entry].pattern, &sentence.slots, &row.objects))
        }
        _ => None,
    })?;
    without_rules(package, &row.rules)?;
    let mut layout = Layout { parameters: BTreeMap::new(), objects, statics: statics.into_iter().collect() };
    layout.parameters.insert("level".into(), i64::from(row.level));
    Ok(Story {
        generic: false,
        layout,
        theory: None,
        told: state.fluents,
        plan,
        objects: row.objects.clone(),
        rows: group,
        domain: domain.clone(),
    })
}

/// The generic vocabulary, turned round.
fn generic_inverse(package: &Package) -> Result<(Inverse, &'static Books), Finding> {
    let books =
        Books::load().map_err(|error| Finding { trouble: Trouble::Unreadable, detail: error.to_string() })?;
    Ok((Inverse::generic(&books.generic, &books.own, &package.common), books))
}

/// The fluents and actions that a text in the generic vocabulary numbers.
fn numbered(row: &OwnedRow) -> Vec<ObjectName> {
    let own = row.objects.iter().filter(|o| &*o.kind == "fluent" || &*o.kind == "action");
    let mut own: Vec<ObjectName> = own.cloned().collect();
    // The generic domain has fluents and actions of its own, which stand before the numbered ones.
    let ids: Vec<Arc<str>> = own.iter().map(|o| o.id.clone()).collect();
    let mut number = 0;
    own.retain(|o| {
        number += 1;
        !ids[number..].contains(&o.id)
    });
    own
}

fn read_generic(domain: Arc<Domain>, row: &OwnedRow, group: Vec<usize>) -> Result<Story, Finding> {
    check_context(row)?;
    let (inverse, books) = generic_inverse(&domain.package)?;
    let objects = numbered(row);
    let names = Names::new(&inverse, &objects, false);
    let constant = |object: usize| term_of(&objects[object]);
    let listed = |sentence: &Sentence| -> Vec<usize> {
        let all = sentence.slots.iter().flatten();
        all.filter_map(|f| if let Filler::Object(object, _) = f { Some(*object) } else { None }).collect()
    };
    let (order, told) =
        paragraph(inverse.state.paragraph(&names.mask(&row.initial_state)), "initial state", |sentences| {
            let mut order = Vec::new();
            let mut told = BTreeSet::new();
            for sentence in &sentences {
                match sentence.says {
                    Says::Objects(_) => order.extend(listed(sentence)),
                    Says::All(_) | Says::Each(_) => told.extend(listed(sentence).into_iter().map(constant)),
                    _ => {}
                }
            }
            (order, told)
        })?;
    if order != (0..objects.len()).collect::<Vec<_>>() {
        return finding(
            Trouble::Columns,
            "the column objects lists others than the text, or in another order",
        );
    }
    let plan = plan(&inverse, &names, &row.actions, |sentence| match sentence.says {
        Says::Action(_) => listed(sentence).first().map(|object| constant(*object)),
        _ => None,
    })?;
    let signed = Names::new(&inverse, &objects, true);
    let theory = paragraph(inverse.rules.paragraph(&signed.mask(&row.rules)), "rules", |sentences| {
        theory(books, &sentences, &objects)
    })?;
    Ok(Story {
        generic: true,
        layout: Layout { parameters: BTreeMap::new(), objects: vec![], statics: vec![] },
        theory: Some(Source::new("the theory that the text tells", theory)),
        told,
        plan,
        objects,
        rows: group,
        domain,
    })
}

fn term_of(object: &ObjectName) -> Term {
    object.id.parse().unwrap_or_else(|_| Term::constant(&object.id))
}

/// The theory that sentences in the generic vocabulary tell, as a logic program.
fn theory(books: &Books, sentences: &[Sentence], objects: &[ObjectName]) -> String {
    let mut lines: BTreeSet<String> = BTreeSet::new();
    let mut defined = BTreeSet::new();
    let literal = |(object, negated): (usize, bool)| {
        let atom = term_of(&objects[object]);
        if negated { format!("neg({atom})") } else { atom.to_string() }
    };
    let literals = |slot: &[Filler]| -> Vec<String> {
        let all = slot.iter();
        let mut all: Vec<String> = all
            .filter_map(
                |f| if let Filler::Object(o, negated) = f { Some(literal((*o, *negated))) } else { None },
            )
            .collect();
        all.sort();
        all
    };
    // A set of conditions is named by what is in it, so that one told twice is one.
    let set = |lines: &mut BTreeSet<String>, members: &[String]| {
        let name = format!("s(\"{}\")", digest(members));
        lines.extend(members.iter().map(|member| format!("within({name},{member}).\n")));
        name
    };
    for sentence in sentences {
        let Says::Other(number) = sentence.says else { continue };
        let Some((pattern, _)) = books.own.sentences.get(number) else { continue };
        let slot = |n: usize| sentence.slots.get(n).map_or(Vec::new(), |slot| literals(slot));
        match pattern.functor.as_str() {
            "precondition" | "alternatives" => {
                let action = slot(0).join("");
                let alternatives: Vec<Vec<String>> = match pattern.functor.as_str() {
                    "precondition" => vec![slot(1)],
                    _ => {
                        let group = |g: &Vec<(usize, bool)>| g.iter().map(|l| literal(*l)).collect();
                        sentence.groups.iter().map(group).collect()
                    }
                };
                for members in alternatives {
                    let name = set(&mut lines, &members);
                    lines.insert(format!("requires({action},{name}).\n"));
                }
                defined.insert(action);
            }
            "effect" | "conditional_effect" => {
                let name = set(&mut lines, &slot(2));
                for caused in slot(1) {
                    lines.insert(format!("causes({},{name},{caused}).\n", slot(0).join("")));
                }
            }
            "law" | "constant_law" => {
                let name = set(&mut lines, &slot(1));
                lines.insert(format!("law({name},{}).\n", slot(0).join("")));
            }
            "defined" => lines.extend(slot(0).iter().map(|fluent| format!("defined({fluent}).\n"))),
            _ => {}
        }
    }
    for object in objects {
        let atom = term_of(object);
        let own = if &*object.kind == "fluent" { "fluent" } else { "action" };
        lines.insert(format!("{own}({atom}).\n"));
        if own == "action" && !defined.contains(&atom.to_string()) {
            let name = set(&mut lines, &[]);
            lines.insert(format!("requires({atom},{name}).\n"));
        }
    }
    lines.into_iter().collect()
}

/// What the parameters of a level may be, as far as the text tells: those that count objects are known, the others
/// get the greatest values or the least.
fn parameters(package: &Package, row: &OwnedRow, layout: &Layout) -> Vec<BTreeMap<String, i64>> {
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

/// A grounded layout, for the stories that take place in it.
struct Scene {
    package: Arc<Domain>,
    layout: Layout,
    generic: bool,
    compiled: Arc<Compiled>,
    limit: Duration,
    /// Which fluents the text tells where they are true.
    told: Vec<usize>,
}

/// clingo, at work on one layout.
struct Solvers {
    engine: Engine,
    /// Completes initial situations.
    situations: Option<Search>,
    /// The rules paragraphs of the layout.
    wordings: Option<Wordings>,
}

fn solver(error: impl std::fmt::Display) -> Finding {
    Finding { trouble: Trouble::Impossible, detail: error.to_string() }
}

impl Scene {
    fn new(story: &Story, layout: Layout, limit: Duration) -> Result<Scene, Finding> {
        let package = &story.domain.package;
        let program = match &story.theory {
            None => layout.step_program(package),
            Some(theory) => Program {
                sources: vec![axioms("kernel.lp"), axioms("open.lp"), axioms("told.lp"), theory.clone()],
                parts: vec![],
                constants: vec![("n".into(), 1)],
            },
        };
        let compiled = Arc::new(Compiled::new(program).map_err(solver)?);
        let is_told = |fluent: &Term| {
            let entry = package.book.fluents.iter().find(|r| package.fits(&r.pattern, fluent));
            story.generic || entry.is_some_and(|r| r.told)
        };
        let told = (0..compiled.fluents.len()).filter(|f| is_told(&compiled.fluents[*f])).collect();
        Ok(Scene { package: story.domain.clone(), layout, generic: story.generic, compiled, limit, told })
    }

    /// The verdicts on rows of one story; none for questions that this grounding does not ask.
    fn story(
        &self,
        story: &Story,
        rows: &[OwnedRow],
        wanted: &[usize],
        first: bool,
        solvers: &mut Solvers,
    ) -> Vec<(usize, Option<Verdict>)> {
        let all = |found: Finding| wanted.iter().map(|row| (*row, Some(Err(found.clone())))).collect();
        let mut play = match self.play(solvers, story) {
            Ok(play) => play,
            Err(found) => return all(found),
        };
        let shared = self.shared(story, &rows[story.rows[0]], &play, &mut solvers.wordings);
        if let Err(found) = shared.and_then(|()| if first { self.expanded(story, &play) } else { Ok(()) }) {
            return all(found);
        }
        let row = &rows[story.rows[0]];
        let [world, instance] = self.keys(row, &play);
        if !self.generic && *world != *row.world {
            return all(Finding {
                trouble: Trouble::Columns,
                detail: format!("the column world has {}, the text's world has the key {world}", row.world),
            });
        }
        let inverse = if self.generic { generic_inverse(&self.package.package).ok() } else { None };
        let inverse = inverse.as_ref().map_or(&self.package.inverse, |(inverse, _)| inverse);
        let names = Names::new(inverse, &story.objects, false);
        let mut found = Vec::new();
        for row in wanted {
            let verdict = self.row(&mut solvers.engine, &mut play, story, inverse, &names, &rows[*row]);
            let sound = |trivial| Sound { world: world.clone(), instance: instance.clone(), trivial };
            found.push((*row, verdict.map(|answer| answer.map(sound))));
        }
        found
    }

    fn index(&self, fluent: &Term) -> Result<usize, Finding> {
        self.compiled.fluents.binary_search(fluent).map_err(|_| Finding {
            trouble: Trouble::Impossible,
            detail: format!("`{fluent}` is no fluent of the domain here"),
        })
    }

    /// The only action that fits a term; the wording may leave places open.
    fn action(&self, wanted: &Term) -> Result<usize, Finding> {
        if let Ok(action) = self.compiled.actions.binary_search(wanted) {
            return Ok(action);
        }
        let open = |a: &Term, b: &Term| a.is("_", 0) || a == b;
        let fits = |action: &&Term| {
            action.is(wanted.functor(), wanted.args().len())
                && wanted.args().iter().zip(action.args()).all(|(a, b)| open(a, b))
        };
        let mut found = self.compiled.actions.iter().enumerate().filter(|(_, action)| fits(action));
        match (found.next(), found.next()) {
            (Some((action, _)), None) => Ok(action),
            (None, _) => finding(Trouble::Impossible, format!("`{wanted}` is no action of the domain here")),
            _ => finding(Trouble::Ambiguous, format!("the action `{wanted}`")),
        }
    }

    /// The situations that a story passes.
    fn play(&self, solvers: &mut Solvers, story: &Story) -> Result<Play, Finding> {
        let mut told = BitSet::new(self.compiled.fluents.len());
        for fluent in &story.told {
            told.insert(self.index(fluent)?);
        }
        let open = self.compiled.inertial.iter().any(|fluent| !self.told.contains(&fluent));
        let start = if open { self.complete(&told, &mut solvers.situations)? } else { told.clone() };
        let engine = &mut solvers.engine;
        let settled = engine.consider(&start, None).map_err(solver)?;
        let Some((here, sheet)) = settled else {
            return finding(Trouble::Impossible, "the initial state breaks a law of the domain");
        };
        for fluent in &self.told {
            if here.situation.contains(*fluent) != told.contains(*fluent) {
                let (word, term) = (
                    if told.contains(*fluent) { "true" } else { "not told" },
                    &self.compiled.fluents[*fluent],
                );
                return finding(
                    Trouble::Impossible,
                    format!("`{term}` is {word} in the initial state, against the domain's laws"),
                );
            }
        }
        let mut play = Play {
            passed: vec![here.situation.clone()],
            plan: Vec::new(),
            executable: here.executable,
            sheets: HashMap::default(),
        };
        play.sheets.insert((true, vec![], None), Some((here.situation, sheet)));
        for action in &story.plan {
            let action = self.action(action)?;
            let last = &play.passed[play.passed.len() - 1];
            let next = engine.step(last, action).map_err(solver)?;
            let Some(next) = next else {
                let number = play.plan.len() + 1;
                let term = &self.compiled.actions[action];
                return finding(
                    Trouble::Impossible,
                    format!("action {number}, `{term}`, cannot be carried out"),
                );
            };
            play.passed.push(next.situation);
            play.plan.push(action);
        }
        Ok(play)
    }

    /// The only initial situation that agrees with the text, where some inertial fluents are not told.
    fn complete(&self, told: &Situation, search: &mut Option<Search>) -> Result<Situation, Finding> {
        let mut ready = match search.take() {
            Some(ready) => ready,
            None => {
                let program = self.layout.situation_program(&self.package.package);
                program.search(&[("holds", 2)], None, self.limit).map_err(solver)?
            }
        };
        let found = complete(&mut ready, &self.compiled, &self.told, told);
        *search = Some(ready);
        found
    }

    /// The columns that the rows of a story share.
    fn shared(
        &self,
        story: &Story,
        row: &OwnedRow,
        play: &Play,
        wordings: &mut Option<Wordings>,
    ) -> Result<(), Finding> {
        let plan: Vec<String> = play.plan.iter().map(|a| self.compiled.actions[*a].to_string()).collect();
        if plan != row.plan {
            return finding(
                Trouble::Columns,
                format!("the column plan has {}, the text {}", row.plan.join(" "), plan.join(" ")),
            );
        }
        if row.depth != plan.len() as i32 {
            return finding(
                Trouble::Columns,
                format!("the text has {} actions, the column depth {}", plan.len(), row.depth),
            );
        }
        let fluents = play.passed[0].iter().map(|f| self.compiled.fluents[f].to_string());
        let mut facts: BTreeSet<String> = fluents.collect();
        let mut given: BTreeSet<String> = row.facts.iter().cloned().collect();
        if self.generic {
            given.retain(|fact| {
                fact.parse().is_ok_and(|f: Term| self.compiled.fluents.binary_search(&f).is_ok())
            });
        } else {
            let package = &self.package.package;
            facts.extend(
                self.layout.objects.iter().map(|o| format!("{}({})", package.types[o.kind].name, o.id)),
            );
            facts.extend(self.layout.statics.iter().map(Term::to_string));
            let names = Names::new(&self.package.inverse, &story.objects, false);
            self.rules(&names, row, wordings)?;
        }
        match facts.symmetric_difference(&given).next() {
            None => Ok(()),
            Some(fact) => {
                let place = if facts.contains(fact) { "the text" } else { "the column facts" };
                finding(Trouble::Columns, format!("`{fact}` stands only in {place}"))
            }
        }
    }

    /// Where the rules paragraph depends on the world, it must say what the template says of these facts.
    fn rules(&self, names: &Names, row: &OwnedRow, wordings: &mut Option<Wordings>) -> Result<(), Finding> {
        let package = &self.package.package;
        if package.rules.is_none() {
            return Ok(());
        }
        let wanted = without_rules(package, &row.rules)?;
        let known = match wordings {
            Some(known) => known,
            None => wordings.insert(self.wordings()?),
        };
        match known.differ(&sentences(&names.rename(wanted))) {
            None => Ok(()),
            Some(sentence) => finding(
                Trouble::Columns,
                format!("the rules paragraph and the facts differ about \"{sentence}\""),
            ),
        }
    }

    /// What the template of the rules paragraph makes of the layout, with ids for names.
    fn wordings(&self) -> Result<Wordings, Finding> {
        let package = &self.package.package;
        let engine = Engine::by_clingo(self.compiled.clone(), self.limit);
        let lexicon = Lexicon::new(package, &self.layout, &engine);
        let naming = Naming::of_row(&self.layout, &[]);
        let teller = Teller {
            package,
            layout: &self.layout,
            engine: &engine,
            lexicon: &lexicon,
            naming: &naming,
            holdout: Holdout::NONE,
        };
        let render = |place: usize, number: usize| -> Result<Sentences, Finding> {
            let mut pick = [0; PICKS];
            pick[place] = number;
            let text = teller.world_rules(&pick).map_err(solver)?;
            Ok(sentences(&text.unwrap_or_default()))
        };
        let plain = render(0, 0)?;
        let mut choices = Vec::new();
        for place in 0..PICKS {
            let second = render(place, 20)?;
            if second != plain {
                let mut wordings = vec![plain.clone(), second];
                for fifth in 2..5 {
                    wordings.push(render(place, fifth * 20)?);
                }
                choices.push(wordings);
            }
        }
        Ok(Wordings { plain, choices })
    }

    /// Runs the plan through the whole time-expanded program.
    fn expanded(&self, story: &Story, play: &Play) -> Result<(), Finding> {
        let depth = play.plan.len();
        let start: Vec<Term> = play.passed[0]
            .iter()
            .filter(|f| self.compiled.inertial.contains(*f))
            .map(|f| self.compiled.fluents[f].clone())
            .collect();
        let mut program = self.layout.trajectory_program(&self.package.package, &start, depth);
        if let Some(theory) = &story.theory {
            let initially = program.sources.pop();
            program.sources =
                vec![axioms("kernel.lp"), axioms("closed.lp"), axioms("told.lp"), theory.clone()];
            program.sources.extend(initially);
        }
        let steps = play.plan.iter().enumerate();
        let text: String =
            steps.map(|(time, a)| format!(":- not occ({},{time}).\n", self.compiled.actions[*a])).collect();
        program.sources.push(Source::new("the plan", text));
        let mut search = program.search(&[("holds", 2)], None, self.limit).map_err(solver)?;
        let found = search.enumerate(2).map_err(solver)?;
        let [only] = found.as_slice() else {
            return finding(
                Trouble::Impossible,
                format!("the time-expanded program has {} answer sets for the plan", found.len()),
            );
        };
        let mut last = BitSet::new(self.compiled.fluents.len());
        for atom in only.iter().filter(|atom| atom.args()[1] == Term::Number(depth as i32)) {
            if let Ok(fluent) = self.compiled.fluents.binary_search(&atom.args()[0]) {
                last.insert(fluent);
            }
        }
        if last == play.passed[depth] {
            return Ok(());
        }
        finding(Trouble::Impossible, "the time-expanded program ends in another situation than the steps do")
    }

    /// The keys of the story's world, and of the world with the plan.
    fn keys(&self, row: &OwnedRow, play: &Play) -> [Arc<str>; 2] {
        if self.generic {
            return [false, true].map(|with_plan| fact_key(row, with_plan).into());
        }
        let ids: Vec<&str> = self.layout.objects.iter().map(|o| o.id.as_ref()).collect();
        let kinds: Vec<usize> = self.layout.objects.iter().map(|o| o.kind).collect();
        let fluents = play.passed[0].iter().filter(|f| self.compiled.inertial.contains(*f));
        let fluents = fluents.map(|f| self.compiled.fluents[f].clone());
        let mut facts: Vec<Term> = self.layout.statics.iter().cloned().chain(fluents).collect();
        let name = &self.package.package.name;
        let world = world_key(name, &ids, &kinds, &facts);
        facts.extend(play.plan.iter().enumerate().map(|(time, action)| {
            let action = self.compiled.actions[*action].clone();
            Term::function("occ", vec![action, Term::Number(time as i32)])
        }));
        [world.into(), world_key(name, &ids, &kinds, &facts).into()]
    }

    /// Answers one row's question: whether the answer is trivial; none if the question is not asked here.
    fn row(
        &self,
        engine: &mut Engine,
        play: &mut Play,
        story: &Story,
        inverse: &Inverse,
        names: &Names,
        row: &OwnedRow,
    ) -> Option<Result<bool, Finding>> {
        let book = if self.generic {
            match Books::load() {
                Ok(books) => &books.generic,
                Err(error) => return Some(Err(solver(error))),
            }
        } else {
            &self.package.package.book
        };
        let asked = match only(inverse.question(book, names, &row.question), "question") {
            Ok(asked) => asked,
            Err(mut found) => {
                found.detail = format!("{}: {}", found.detail, row.question);
                return Some(Err(found));
            }
        };
        let answer = if self.generic {
            self.generic_answer(engine, play, story, &asked)
        } else {
            self.own_answer(engine, play, story, &asked, row)
        };
        match answer {
            Err(found) => Some(Err(found)),
            Ok(None) => None,
            Ok(Some(answer)) => Some(compare(answer, row).and_then(|trivial| {
                let claims = Steps::new(inverse, book, names, &self.package.package.common.rationale);
                self.rationale(engine, play, &claims, &asked, row).map(|()| trivial)
            })),
        }
    }

    /// The row's rationale, if there is one, states what is so, and comes to the row's answer.
    fn rationale(
        &self,
        engine: &mut Engine,
        play: &Play,
        steps: &Steps,
        asked: &Asked,
        row: &OwnedRow,
    ) -> Result<(), Finding> {
        if row.rationale.is_empty() {
            return Ok(());
        }
        let wrong = |detail: String| finding(Trouble::Rationale, detail);
        let claims = match steps.read(&row.rationale) {
            Ok(claims) => claims,
            Err(rest) => return wrong(format!("it cannot be read at \"{rest}\"")),
        };
        let mut plan = if asked.initially { Vec::new() } else { play.plan.clone() };
        for action in &asked.supposed {
            plan.push(self.action(action)?);
        }
        let (mut here, mut before) = (play.passed[0].clone(), play.passed[0].clone());
        let mut done = 0;
        let fits = |open: &Term, term: &Term| {
            open.is(term.functor(), term.args().len())
                && open.args().iter().zip(term.args()).all(|(a, b)| a.is("_", 0) || a == b)
        };
        let is_true = |wanted: &Term, here: &Situation| {
            here.iter()
                .any(|f| self.compiled.fluents[f] == *wanted || fits(wanted, &self.compiled.fluents[f]))
        };
        let mut answer = None;
        for claim in &claims {
            if answer.is_some() {
                return wrong("it goes on after its answer".into());
            }
            let bad = match claim {
                Claim::True(all) => all.iter().find(|f| !is_true(f, &here)),
                Claim::False(all) => all.iter().find(|f| is_true(f, &here)),
                Claim::Gained(all) => all.iter().find(|f| !is_true(f, &here) || is_true(f, &before)),
                Claim::Lost(all) => all.iter().find(|f| is_true(f, &here) || !is_true(f, &before)),
                Claim::Nothing => None,
                Claim::Answer(text) => {
                    answer = Some(text);
                    None
                }
                Claim::Step(action) => {
                    let action = self.action(action)?;
                    if plan.get(done) != Some(&action) {
                        return wrong(format!("its step {} is none of the story's", done + 1));
                    }
                    done += 1;
                    before = here;
                    here = match play.passed.get(done).filter(|_| done <= play.plan.len()) {
                        Some(next) => next.clone(),
                        None => match engine.step(&before, action).map_err(solver)? {
                            Some(next) => next.situation,
                            None => return wrong(format!("its step {done} cannot be carried out")),
                        },
                    };
                    None
                }
            };
            if let Some(term) = bad {
                return wrong(format!("what it says of `{term}` after {done} actions is not so"));
            }
        }
        if done != plan.len() {
            return wrong(format!("it has {done} steps, the story {}", plan.len()));
        }
        match answer {
            Some(answer) if *answer == row.answer => Ok(()),
            _ => wrong(format!("it does not end with the answer \"{}\"", row.answer)),
        }
    }

    /// What can be asked and answered in a scene; none where it cannot be set.
    fn sheet(
        &self,
        engine: &mut Engine,
        play: &mut Play,
        initially: bool,
        further: &[usize],
        supposed: Option<usize>,
    ) -> Result<Option<(Situation, Sheet)>, Finding> {
        let key = (initially, further.to_vec(), supposed);
        if let Some(known) = play.sheets.get(&key) {
            return Ok(known.clone());
        }
        let mut here = if initially { play.passed[0].clone() } else { play.passed[play.plan.len()].clone() };
        let mut found = None;
        let mut possible = true;
        for action in further {
            match engine.step(&here, *action).map_err(solver)? {
                Some(next) => here = next.situation,
                None => possible = false,
            }
        }
        if possible {
            let considered = engine.consider(&here, supposed).map_err(solver)?;
            found = considered.map(|(outcome, sheet)| (outcome.situation, sheet));
        }
        play.sheets.insert(key, found.clone());
        Ok(found)
    }

    fn own_answer(
        &self,
        engine: &mut Engine,
        play: &mut Play,
        story: &Story,
        asked: &Asked,
        row: &OwnedRow,
    ) -> Result<Option<Answer>, Finding> {
        let package = &self.package.package;
        let (term, changes) = question_term(package, &asked.question, &story.objects);
        let mut supposed = Vec::new();
        for action in &asked.supposed {
            supposed.push(self.action(action)?);
        }
        let term = match (changes, term) {
            (false, term) if term.is("executable", 1) => Term::function(
                "executable",
                vec![self.compiled.actions[self.action(&term.args()[0])?].clone()],
            ),
            (_, term) => term,
        };
        let term = &term;
        let mut numbers = self.compiled.questions.iter().enumerate().filter(|(_, q)| q.term == *term);
        let Some((number, question)) = numbers.next() else { return Ok(None) };
        let (number, question) = match numbers.next() {
            Some(second) if second.1.kind.name() == row.question_type => second,
            _ => (number, question),
        };
        // A question may suppose an action without a clause that says so: one that it names.
        let named: Vec<usize> = self
            .compiled
            .actions
            .iter()
            .enumerate()
            .filter(|(_, action)| term.args().contains(action))
            .map(|(number, _)| number)
            .collect();
        let mut settings: Vec<(Vec<usize>, Option<usize>)> = Vec::new();
        if changes {
            settings.push((vec![], supposed.first().copied()));
        } else {
            settings.push((supposed.clone(), None));
            if supposed.is_empty() && !asked.initially {
                settings.extend(named.iter().map(|action| (vec![], Some(*action))));
            }
        }
        for (further, action) in settings {
            let Some((_, sheet)) = self.sheet(engine, play, asked.initially, &further, action)? else {
                return finding(
                    Trouble::Impossible,
                    "the question supposes an action that cannot be carried out",
                );
            };
            let answers: Vec<usize> = question.answers.clone().filter(|a| sheet.contains(*a)).collect();
            if answers.is_empty() {
                continue;
            }
            let possible = action.is_none_or(|a| play.executable.contains(&a));
            let before = if possible { self.sheet(engine, play, true, &[], action)? } else { None };
            let same = |a: usize| before.as_ref().is_some_and(|(_, b)| b.contains(a)) == sheet.contains(a);
            let trivial = before.is_some() && question.answers.clone().all(same);
            let mut terms: Vec<&Term> = answers.iter().map(|a| &self.compiled.answers[*a].answer).collect();
            let rank = |t: &Term| {
                let object = story.objects.iter().position(|o| t.is(&o.id, 0));
                object.map_or(usize::MAX, |place| place)
            };
            terms.sort_by_key(|t| rank(t));
            let texts: Vec<String> = terms.iter().map(|t| said(package, &story.objects, t)).collect();
            let inner = self.compiled.questions[number].term.clone();
            let actions = asked.supposed.iter().zip(&supposed);
            let query = match (changes, asked.initially) {
                (true, _) => Term::function(
                    "changes",
                    vec![self.compiled.actions[supposed[0]].clone(), inner.args()[0].clone()],
                ),
                (_, true) => Term::function("initially", vec![inner]),
                _ => actions.rev().fold(inner, |inner, (_, action)| {
                    Term::function("after", vec![self.compiled.actions[*action].clone(), inner])
                }),
            };
            return Ok(Some(Answer {
                text: texts.join(", "),
                gold: terms.iter().map(|t| t.to_string()).collect(),
                query: Some(query.to_string()),
                kind: Some(question.kind.name()),
                trivial,
            }));
        }
        Ok(None)
    }

    fn generic_answer(
        &self,
        engine: &mut Engine,
        play: &mut Play,
        story: &Story,
        asked: &Asked,
    ) -> Result<Option<Answer>, Finding> {
        let books = Books::load().map_err(solver)?;
        let things: Vec<&ObjectName> = asked
            .question
            .slots
            .iter()
            .flatten()
            .filter_map(|f| if let Filler::Object(o, _) = f { Some(&story.objects[*o]) } else { None })
            .collect();
        let mut supposed = Vec::new();
        for action in &asked.supposed {
            supposed.push(self.action(action)?);
        }
        let functor = match asked.question.says {
            Says::Ask(_) => "one_true",
            Says::Can(_) => "one_executable",
            Says::Fluent(_) => "changes",
            Says::Other(number) => {
                let question = number.checked_sub(books.own.sentences.len());
                question.and_then(|n| books.own.questions.get(n)).map_or("", |q| q.pattern.functor.as_str())
            }
            _ => "",
        };
        let all: Vec<&ObjectName> = story.objects.iter().filter(|o| &*o.kind == "action").collect();
        let things = if functor == "count_every_executable" { all } else { things };
        let (shape, property) = functor.rsplit_once('_').unwrap_or((functor, ""));
        let mut answer_in = |initially: bool, further: &[usize]| -> Result<Option<Vec<bool>>, Finding> {
            let Some((situation, _)) = self.sheet(engine, play, initially, further, None)? else {
                return Ok(None);
            };
            let executable: Vec<usize> = if property == "executable" {
                let considered = engine.consider(&situation, None).map_err(solver)?;
                considered.map(|(outcome, _)| outcome.executable).unwrap_or_default()
            } else {
                Vec::new()
            };
            let mut values = Vec::new();
            for thing in &things {
                let term = term_of(thing);
                values.push(match property {
                    "executable" => executable.contains(&self.action(&term)?),
                    "false" => !situation.contains(self.index(&term)?),
                    _ => situation.contains(self.index(&term)?),
                });
            }
            Ok(Some(values))
        };
        let text = |values: &[bool]| -> String {
            let holding = || things.iter().zip(values).filter(|(_, v)| **v).map(|(t, _)| t.name.to_string());
            let yes_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
            match shape {
                "one" | "all" => yes_no(values.iter().all(|v| *v)),
                "any" => yes_no(values.iter().any(|v| *v)),
                "count" | "count_every" => values.iter().filter(|v| **v).count().to_string(),
                _ if !values.contains(&true) => "none".to_owned(),
                _ => holding().collect::<Vec<_>>().join(", "),
            }
        };
        let impossible = "the question supposes an action that cannot be carried out";
        if functor == "changes" {
            let (Some(now), Some(then)) = (answer_in(false, &[])?, answer_in(false, &supposed)?) else {
                return finding(Trouble::Impossible, impossible);
            };
            let yes = now != then;
            let before = match (answer_in(true, &[])?, answer_in(true, &supposed)?) {
                (Some(now), Some(then)) => Some(now != then),
                _ => None,
            };
            return Ok(Some(Answer {
                text: if yes { "yes" } else { "no" }.into(),
                gold: vec![],
                query: None,
                kind: Some("verify"),
                trivial: before == Some(yes),
            }));
        }
        let Some(values) = answer_in(asked.initially, &supposed)? else {
            return finding(Trouble::Impossible, impossible);
        };
        let before = answer_in(true, &[])?;
        let found = text(&values);
        let trivial = before.is_some_and(|before| text(&before) == found);
        let kind = match shape {
            "one" | "all" | "any" => "verify",
            "count" | "count_every" => "count",
            _ => "other",
        };
        Ok(Some(Answer { text: found, gold: vec![], query: None, kind: Some(kind), trivial }))
    }
}

/// A story as it is played.
struct Play {
    passed: Vec<Situation>,
    plan: Vec<usize>,
    /// What is executable initially.
    executable: Vec<usize>,
    /// By whether it is the initial situation, the further actions and the one supposed.
    sheets: HashMap<SceneKey, Option<(Situation, Sheet)>>,
}

type SceneKey = (bool, Vec<usize>, Option<usize>);

/// An answer that was worked out.
struct Answer {
    text: String,
    /// Ground terms, where they can be told from the text.
    gold: Vec<String>,
    query: Option<String>,
    kind: Option<&'static str>,
    trivial: bool,
}

fn compare(answer: Answer, row: &OwnedRow) -> Result<bool, Finding> {
    if answer.text != row.answer {
        return finding(
            Trouble::WrongAnswer,
            format!("the row says \"{}\", clingo \"{}\"", row.answer, answer.text),
        );
    }
    let differs = |column: &str, given: &str, found: &str| {
        finding(Trouble::Columns, format!("the column {column} has `{given}`, the text `{found}`"))
    };
    if !answer.gold.is_empty() && answer.gold != row.gold {
        return differs("gold", &row.gold.join(" "), &answer.gold.join(" "));
    }
    if let Some(query) = answer.query.filter(|query| *query != row.query) {
        return differs("query", &row.query, &query);
    }
    if let Some(kind) = answer.kind.filter(|kind| *kind != row.question_type) {
        return differs("question_type", &row.question_type, kind);
    }
    Ok(answer.trivial)
}

/// A key of the facts of a row, equal for worlds that differ in the names of their objects only.
fn fact_key(row: &OwnedRow, with_plan: bool) -> String {
    let mut facts: Vec<Term> = row.facts.iter().filter_map(|fact| fact.parse().ok()).collect();
    if with_plan {
        let plan = row.plan.iter().filter_map(|action| action.parse::<Term>().ok()).enumerate();
        facts.extend(plan.map(|(time, a)| Term::function("occ", vec![a, Term::Number(time as i32)])));
    }
    let mut kinds: Vec<&str> = Vec::new();
    let mut ids: Vec<(&str, usize)> = Vec::new();
    for object in row.objects.iter().filter(|o| !o.id.contains('(')) {
        let kind = kinds.iter().position(|k| *k == &*object.kind).unwrap_or_else(|| {
            kinds.push(&object.kind);
            kinds.len() - 1
        });
        if !ids.iter().any(|(id, _)| *id == &*object.id) {
            ids.push((&object.id, kind));
        }
    }
    ids.sort_unstable();
    // Types are numbered by their names, so that the order of the text makes no difference.
    let mut names = kinds.clone();
    names.sort_unstable();
    let kind = |kind: usize| names.iter().position(|n| *n == kinds[kind]).unwrap_or(0);
    let numbers: Vec<usize> = ids.iter().map(|(_, k)| kind(*k)).collect();
    let ids: Vec<&str> = ids.iter().map(|(id, _)| *id).collect();
    world_key(&format!("{} {}", row.domain, names.join(" ")), &ids, &numbers, &facts)
}

/// The text of an answer's term.
fn said(package: &Package, objects: &[ObjectName], term: &Term) -> String {
    for (pattern, phrasing) in &package.book.terms {
        if term.is(&pattern.functor, pattern.places.len()) && !term.args().is_empty() {
            let args: Vec<String> = term.args().iter().map(|t| said(package, objects, t)).collect();
            let mut out = String::new();
            phrasing.fill(&mut out, |slot| args.get(slot).map_or("", String::as_str));
            return out;
        }
    }
    let object = objects.iter().find(|o| term.is(&o.id, 0)).map(|o| o.name.to_string());
    let constant = || package.constants.get(term.functor()).filter(|_| term.args().is_empty()).cloned();
    object.or_else(constant).unwrap_or_else(|| term.to_string())
}

/// A question as the program knows it, and whether it asks for the effect of an action.
fn question_term(package: &Package, sentence: &Sentence, objects: &[ObjectName]) -> (Term, bool) {
    let book = &package.book;
    let filled = |entry: usize| term(&book.fluents[entry].pattern, &sentence.slots, objects);
    let holed = |entry: usize, slot: usize, prefix: &str| {
        let pattern = &book.fluents[entry].pattern;
        let functor = if pattern.bare { "true" } else { pattern.functor.as_str() };
        let mut args = Vec::new();
        let mut number = 0;
        for place in &pattern.places {
            match place {
                crate::phrase::Place::Constant(name) => args.push(Term::constant(name)),
                crate::phrase::Place::Slot { kind, .. } => {
                    let filler = sentence.slots.get(number).and_then(|s| s.first());
                    args.push(match filler {
                        _ if number == slot => Term::constant(kind),
                        Some(Filler::Object(object, _)) => Term::constant(&objects[*object].id),
                        Some(Filler::Number(n)) => Term::Number(*n),
                        Some(Filler::Term(term)) => term.clone(),
                        None => Term::constant("_"),
                    });
                    number += 1;
                }
            }
        }
        Term::function(&format!("{prefix}_{functor}"), args)
    };
    match sentence.says {
        Says::Ask(entry) if book.fluents[entry].pattern.bare => {
            (Term::function("true", vec![filled(entry)]), false)
        }
        Says::Ask(entry) => (filled(entry), false),
        Says::Which(entry, place) => (holed(entry, book.fluents[entry].which[place].0, "which"), false),
        Says::Count(entry, place) => (holed(entry, book.fluents[entry].count[place].0, "count"), false),
        Says::Can(entry) => {
            let action = term(&book.actions[entry].pattern, &sentence.slots, objects);
            (Term::function("executable", vec![action]), false)
        }
        Says::Own(entry) => (term(&book.questions[entry].pattern, &sentence.slots, objects), false),
        Says::Common(entry) => (Term::constant(&package.common.questions[entry].pattern.functor), false),
        Says::Fluent(entry) => (Term::function("changes", vec![filled(entry)]), true),
        _ => (Term::constant("none"), false),
    }
}

/// The only situation in which the told fluents are as told.
fn complete(
    search: &mut Search,
    compiled: &Compiled,
    known: &[usize],
    told: &Situation,
) -> Result<Situation, Finding> {
    let mut assume = Vec::new();
    let mut places: Vec<(usize, Option<u32>)> = Vec::new();
    for (atom, number) in search.atoms() {
        if atom.args()[1] != Term::Number(0) {
            continue;
        }
        let Ok(fluent) = compiled.fluents.binary_search(&atom.args()[0]) else { continue };
        places.push((fluent, number));
        if let (Some(number), true) = (number, known.contains(&fluent)) {
            assume.push((number, told.contains(fluent)));
        }
    }
    let found = search.truth(&assume, 2).map_err(solver)?;
    let mut situations: Vec<Situation> = Vec::new();
    for truth in found {
        let mut situation = BitSet::new(compiled.fluents.len());
        for (fluent, number) in &places {
            let holds = number.is_none_or(|number| truth.get(&number).copied().unwrap_or(false));
            if holds && compiled.inertial.contains(*fluent) {
                situation.insert(*fluent);
            }
        }
        if !situations.contains(&situation) {
            situations.push(situation);
        }
    }
    match situations.len() {
        1 => Ok(situations.remove(0)),
        0 => finding(Trouble::Impossible, "no legal initial situation agrees with the text"),
        _ => finding(Trouble::Ambiguous, "several legal initial situations agree with the text"),
    }
}

/// Sentences, and how often each stands.
type Sentences = BTreeMap<String, i64>;

fn sentences(text: &str) -> Sentences {
    let mut all = Sentences::new();
    for sentence in text.split(". ") {
        *all.entry(sentence.trim_end_matches('.').to_owned()).or_default() += 1;
    }
    all
}

/// The wordings among which the template of a rules paragraph chooses, each kind of sentence on its own. The order
/// of the sentences says nothing.
struct Wordings {
    plain: Sentences,
    /// By choice, the sentences in each of its five wordings, all other choices being the first.
    choices: Vec<Vec<Sentences>>,
}

impl Wordings {
    /// A sentence that is too many or too few, whatever the wording.
    fn differ(&self, text: &Sentences) -> Option<String> {
        let mut expected = self.plain.clone();
        for wordings in &self.choices {
            let shared = |w: &&Sentences| -> i64 {
                w.iter().map(|(s, n)| (*n).min(text.get(s).copied().unwrap_or(0))).sum()
            };
            let Some(best) = wordings.iter().max_by_key(shared) else { continue };
            best.iter().for_each(|(s, n)| *expected.entry(s.clone()).or_default() += n);
            self.plain.iter().for_each(|(s, n)| *expected.entry(s.clone()).or_default() -= n);
        }
        expected.retain(|_, n| *n != 0);
        let count = |of: &Sentences, sentence: &String| of.get(sentence).copied().unwrap_or(0);
        let all = expected.keys().chain(text.keys());
        all.into_iter().find(|s| count(&expected, s) != count(text, s)).cloned()
    }
}
