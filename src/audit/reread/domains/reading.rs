//! Texts to stories: the paragraphs of a row to atoms, by its domain's phrase book turned round.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use racgen_data::row::{ObjectName, Row};
use racgen_logic::clingo::Source;
use racgen_logic::seed::digest;
use racgen_logic::term::Term;

use crate::audit::reread::domains::invented::equivalence::RulesReader;
use crate::audit::reread::verdict::{Finding, Trouble, finding};
use crate::domain::package::Package;
use crate::language::read::family_reader::FamilyReader;
use crate::language::read::name_index::NameIndex;
use crate::language::read::parser::Inverse;
use crate::language::read::sentence::{ParsedFiller, Says, Sentence, ToldSentence, term};
use crate::language::words::generic_books::Books;
use crate::phrases::book::{Phrasings, RelationPhrases};
use crate::simulate::layout::{Layout, Object};
use crate::simulate::narrative::partly::UNTOLD;

/// A package with its phrase book turned round.
pub(crate) struct Domain {
    pub(crate) package: Package,
    pub(crate) inverse: Inverse,
    /// The questions beyond prediction, turned round.
    pub(crate) families: FamilyReader,
    /// The view of the package, once a picture is looked at, or why there is none.
    pub(crate) view: OnceLock<Result<Source, String>>,
    /// Reads the rules of an invented domain, or why it cannot; none of other domains.
    pub(crate) invented: Option<Result<RulesReader, String>>,
}

/// What the text of a story tells.
pub(crate) struct ReadStory {
    pub(crate) domain: Arc<Domain>,
    pub(crate) generic: bool,
    pub(crate) layout: Layout,
    /// The told theory, in the vocabulary of the generic domain.
    pub(crate) theory: Option<Source>,
    /// The fluents told to be true initially.
    pub(crate) told: BTreeSet<Term>,
    /// The objects of which the text says that statements about them are left out, by their ids.
    pub(crate) left_out: Vec<Arc<str>>,
    /// Does a picture state what is so at first? Then it is taken from the column facts, of which the picture is drawn anew.
    pub(crate) pictured: bool,
    /// The plan; `_` in place of what the wording leaves open.
    pub(crate) plan: Vec<Term>,
    pub(crate) objects: Vec<ObjectName>,
    /// The phrasings of its sentences, where they can be told.
    pub(crate) said: Arc<[Arc<str>]>,
    /// The rows, by their places among all that are judged.
    pub(crate) rows: Vec<usize>,
}

/// Is the row told in the vocabulary of the generic domain? Its phrasing says so.
pub(crate) fn is_generic(row: &Row) -> bool {
    row.template.rsplit('/').next().is_some_and(|last| last.starts_with("generic."))
}

/// The only reading of a paragraph.
pub(crate) fn only<T: PartialEq>(mut found: Vec<T>, what: &str) -> Result<T, Finding> {
    found.dedup();
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => finding(Trouble::Unreadable, format!("the {what}")),
        _ => finding(Trouble::Ambiguous, format!("the {what}")),
    }
}

/// The phrasings of a paragraph; like [`Wording`], all are equal.
#[derive(Default)]
struct SaidParts(BTreeSet<Arc<str>>);

impl PartialEq for SaidParts {
    fn eq(&self, _: &SaidParts) -> bool {
        true
    }
}

/// Reads a paragraph in the only way there is, and tells its phrasings.
fn paragraph<T: PartialEq>(
    found: Result<Vec<Vec<Sentence>>, String>,
    what: &str,
    meaning: impl Fn(Vec<Sentence>) -> T,
) -> Result<(T, SaidParts), Finding> {
    let read = |sentences: Vec<Sentence>| {
        let said = sentences.iter().filter_map(|sentence| sentence.wording.0.clone()).collect();
        (meaning(sentences), SaidParts(said))
    };
    match found {
        Ok(ways) => only(ways.into_iter().map(read).collect(), what),
        Err(obstacle) => finding(Trouble::Unreadable, format!("the {what}, at \"{obstacle}\"")),
    }
}

/// What an initial state tells.
#[derive(Debug, PartialEq)]
struct ReadState {
    /// By type, its objects in the order of the text, as indices into the objects of the row.
    objects: BTreeMap<usize, Vec<usize>>,
    /// Static facts.
    statics: BTreeSet<Term>,
    /// Fluents.
    fluents: BTreeSet<Term>,
    /// Objects of which nothing is told, as indices into the objects of the row.
    left_out: BTreeSet<usize>,
    /// Does a picture state the rest?
    pictured: bool,
}

impl ReadState {
    fn new(package: &Package, sentences: &[Sentence], objects: &[ObjectName]) -> ReadState {
        let mut state = ReadState {
            objects: BTreeMap::new(),
            statics: BTreeSet::new(),
            fluents: BTreeSet::new(),
            left_out: BTreeSet::new(),
            pictured: false,
        };
        for sentence in sentences {
            let relation = |told: ToldSentence| {
                let list = if told.fact { &package.book.facts } else { &package.book.fluents };
                &list[told.entry]
            };
            let names = sentence.slots.iter().flatten().filter_map(|f| match f {
                ParsedFiller::Object(object, _) => Some(*object),
                _ => None,
            });
            match sentence.says {
                Says::LeftOut => state.left_out.extend(names),
                Says::Pictured => state.pictured = true,
                Says::Objects(kind) => {
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
                        let slots: Vec<Vec<ParsedFiller>> = pair.iter().map(|f| vec![f.clone()]).collect();
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

    fn tell(&mut self, told: ToldSentence, relation: &RelationPhrases, atom: Term) {
        let set = if told.fact { &mut self.statics } else { &mut self.fluents };
        if let (true, [a, b]) = (relation.symmetric, atom.args()) {
            set.insert(Term::function(atom.functor(), vec![b.clone(), a.clone()]));
        }
        set.insert(atom);
    }
}

/// All ways to take one filler for each slot.
fn product(slots: &[Vec<ParsedFiller>]) -> Vec<Vec<Vec<ParsedFiller>>> {
    slots.iter().fold(vec![vec![]], |ways, slot| {
        let longer = |way: &Vec<Vec<ParsedFiller>>| -> Vec<Vec<Vec<ParsedFiller>>> {
            let mut all: Vec<Vec<Vec<ParsedFiller>>> =
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
    names: &NameIndex,
    text: &str,
    told: impl Fn(&Sentence) -> Option<Term>,
) -> Result<(Vec<Term>, SaidParts), Finding> {
    paragraph(inverse.actions.paragraph(&names.mask(text)), "action sequence", |sentences| {
        sentences.iter().filter_map(&told).collect()
    })
}

/// The context is what its parts say it is.
pub(crate) fn check_context(row: &Row) -> Result<(), Finding> {
    let is_of = |parts: &[&str]| {
        let mut rest = &*row.context;
        parts.iter().enumerate().all(|(place, part)| {
            let told = if place == 0 { Some(rest) } else { rest.strip_prefix("\n\n") };
            told.and_then(|told| told.strip_prefix(part)).is_some_and(|told| {
                rest = told;
                true
            })
        }) && rest.is_empty()
    };
    if is_of(&[&row.initial_state, &row.actions]) || is_of(&[&row.initial_state, &row.rules, &row.actions]) {
        return Ok(());
    }
    finding(Trouble::Columns, "the column context is not made of initial_state, rules and actions")
}

/// The rules that every world has, in their order: what is left before them. `partly`: does the initial state leave
/// something out?
pub(crate) fn without_rules<'t>(package: &Package, text: &'t str, partly: bool) -> Result<&'t str, Finding> {
    let mut rest = text;
    let told: Vec<&Phrasings> =
        package.book.rules.iter().chain(package.common.framed(package.frame_form(partly))).collect();
    for phrasings in told.into_iter().rev() {
        let told = phrasings.list.iter().filter_map(|phrasing| {
            let mut sentence = String::new();
            phrasing.fill(&mut sentence, |_| "");
            let before = rest.strip_suffix(crate::language::words::text::capital(&sentence).as_str())?;
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

/// Reads what the rows of one story share.
pub(crate) fn read(domain: Arc<Domain>, row: &Row, group: Vec<usize>) -> Result<ReadStory, Finding> {
    if is_generic(row) { read_generic(domain, row, group) } else { read_own(domain, row, group) }
}

fn read_own(domain: Arc<Domain>, row: &Row, group: Vec<usize>) -> Result<ReadStory, Finding> {
    let Domain { package, inverse, .. } = &*domain;
    let names = inverse.names(&row.objects, false);
    let (state, mut said) =
        paragraph(inverse.state.paragraph(&names.mask(&row.initial_state)), "initial state", |sentences| {
            ReadState::new(package, &sentences, &row.objects)
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
    for object in row.objects.iter() {
        let kind = package.kind_of(&object.id);
        match kind.filter(|kind| package.types[*kind].name == *object.kind) {
            Some(kind) if !objects.iter().any(|o| o.id == object.id) => {
                objects.push(Object { id: object.id.clone(), kind });
            }
            _ => return finding(Trouble::Columns, format!("`{}` is no id of a {}", object.id, object.kind)),
        }
    }
    objects.sort_by(|a, b| (a.kind, a.id.len(), &a.id).cmp(&(b.kind, b.id.len(), &b.id)));
    let (mut statics, mut fluents) = (state.statics, state.fluents);
    for fact in row.facts.iter().filter_map(|f| f.parse::<Term>().ok()) {
        let known = package.statics.iter().any(|(name, arity)| fact.is(name, *arity));
        // Static relations without a phrase in the book are told by the rules paragraph, which is compared later.
        let unworded = || !package.book.facts.iter().any(|r| package.fits(&r.pattern, &fact));
        if known && (state.pictured || unworded()) {
            statics.insert(fact);
        } else if state.pictured
            && package.book.fluents.iter().any(|r| r.told && package.fits(&r.pattern, &fact))
        {
            fluents.insert(fact);
        }
    }
    let (plan, told) = plan(inverse, &names, &row.actions, |sentence| match sentence.says {
        Says::Action(entry) => {
            Some(term(&package.book.actions[entry].pattern, &sentence.slots, &row.objects))
        }
        Says::LeftOut => Some(Term::constant(UNTOLD)),
        _ => None,
    })?;
    said.0.extend(told.0);
    without_rules(package, &row.rules, !state.left_out.is_empty())?;
    if let Some(reader) = &domain.invented {
        let told = reader.as_ref().map_err(Clone::clone).and_then(|reader| reader.check(&row.rules));
        told.map_err(|detail| Finding { trouble: Trouble::Theory, detail: format!("the rules: {detail}") })?;
    }
    let mut layout = Layout { parameters: BTreeMap::new(), objects, statics: statics.into_iter().collect() };
    layout.parameters.insert("level".into(), i64::from(row.level));
    Ok(ReadStory {
        generic: false,
        layout,
        theory: None,
        told: fluents,
        pictured: state.pictured,
        left_out: state.left_out.iter().map(|object| row.objects[*object].id.clone()).collect(),
        plan,
        objects: row.objects.to_vec(),
        said: said.0.into_iter().collect(),
        rows: group,
        domain: domain.clone(),
    })
}

/// The generic vocabulary, turned round.
pub(crate) fn generic_inverse(package: &Package) -> Result<(Inverse, &'static Books), Finding> {
    let books =
        Books::load().map_err(|error| Finding { trouble: Trouble::Unreadable, detail: error.to_string() })?;
    Ok((Inverse::generic(&books.generic, &books.own, &package.common), books))
}

/// The fluents and actions that a text in the generic vocabulary numbers.
fn numbered(row: &Row) -> Vec<ObjectName> {
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

fn read_generic(domain: Arc<Domain>, row: &Row, group: Vec<usize>) -> Result<ReadStory, Finding> {
    let (inverse, books) = generic_inverse(&domain.package)?;
    let objects = numbered(row);
    // Ids become a part of logic programs, where anything else might say anything.
    if let Some(odd) = objects.iter().find(|object| object.id.parse::<Term>().is_err()) {
        return finding(Trouble::Columns, format!("`{}` is no ground term", odd.id));
    }
    let names = inverse.names(&objects, false);
    let constant = |object: usize| term_of(&objects[object]);
    let listed = |sentence: &Sentence| -> Vec<usize> {
        let all = sentence.slots.iter().flatten();
        all.filter_map(|f| if let ParsedFiller::Object(object, _) = f { Some(*object) } else { None })
            .collect()
    };
    let ((order, told), mut said) =
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
    let (plan, said_of_plan) = plan(&inverse, &names, &row.actions, |sentence| match sentence.says {
        Says::Action(_) => listed(sentence).first().map(|object| constant(*object)),
        _ => None,
    })?;
    let signed = inverse.names(&objects, true);
    said.0.extend(said_of_plan.0);
    let (theory, _) = paragraph(inverse.rules.paragraph(&signed.mask(&row.rules)), "rules", |sentences| {
        theory(books, &sentences, &objects)
    })?;
    Ok(ReadStory {
        generic: true,
        layout: Layout { parameters: BTreeMap::new(), objects: vec![], statics: vec![] },
        theory: Some(Source::new("the theory that the text tells", theory)),
        told,
        pictured: false,
        left_out: Vec::new(),
        plan,
        objects,
        said: said.0.into_iter().collect(),
        rows: group,
        domain,
    })
}

pub(crate) fn term_of(object: &ObjectName) -> Term {
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
    let literals = |slot: &[ParsedFiller]| -> Vec<String> {
        let all = slot.iter();
        let mut all: Vec<String> = all
            .filter_map(|f| {
                if let ParsedFiller::Object(o, negated) = f { Some(literal((*o, *negated))) } else { None }
            })
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

/// A question as the program knows it, and whether it asks for the effect of an action.
pub(crate) fn question_term(package: &Package, sentence: &Sentence, objects: &[ObjectName]) -> (Term, bool) {
    let book = &package.book;
    let filled = |entry: usize| term(&book.fluents[entry].pattern, &sentence.slots, objects);
    let holed = |entry: usize, slot: usize, prefix: &str| {
        let pattern = &book.fluents[entry].pattern;
        let functor = if pattern.bare { "true" } else { pattern.functor.as_str() };
        let mut args = Vec::new();
        let mut number = 0;
        for place in &pattern.places {
            match place {
                crate::phrases::pattern::PatternPlace::Constant(name) => args.push(Term::constant(name)),
                crate::phrases::pattern::PatternPlace::Slot { kind, .. } => {
                    let filler = sentence.slots.get(number).and_then(|s| s.first());
                    args.push(match filler {
                        _ if number == slot => Term::constant(kind),
                        Some(ParsedFiller::Object(object, _)) => Term::constant(&objects[*object].id),
                        Some(ParsedFiller::Number(n)) => Term::Number(*n),
                        Some(ParsedFiller::Term(term)) => term.clone(),
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
