//! The rules of a domain to their sentences, by its template where they depend on the world.

use std::collections::BTreeMap;

use racgen_logic::fault::Fault;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashMap as HashMap;

use crate::language::tell::verbalizer::Verbalizer;
use crate::language::words::text::listed;
use crate::phrases::phrasing::TemplateValue;

/// How many numbers the template of a rules paragraph has to choose wordings with.
pub const PICKS: usize = 16;

/// The sentences of a domain's rules, those that depend on the world first and as one. `partly`: does the initial state
/// leave something out?
///
/// # Errors
/// A template that fails on this world.
pub(crate) fn rules(
    verbalizer: &Verbalizer,
    partly: bool,
    rng: &mut ChaCha8Rng,
) -> Result<Vec<String>, Fault> {
    let Verbalizer { package, holdout, .. } = verbalizer;
    let mut sentences = Vec::new();
    // Templates choose among five wordings by twenties, so that is how they are held out.
    let fifths = holdout.phrasings(5);
    if package.rules.is_some() {
        let pick: Vec<usize> =
            (0..PICKS).map(|_| rng.random_range(fifths.start * 20..fifths.end * 20)).collect();
        sentences.extend(world_rules(verbalizer, &pick)?);
    }
    for phrasings in package.book.rules.iter().chain(package.common.framed(package.frame_form(partly))) {
        sentences.extend(verbalizer.draw(phrasings, rng).map(|(_, p)| listed(p, "")));
    }
    Ok(sentences)
}

/// The part of the rules paragraph that depends on the world, if there is one, in the wording that the numbers
/// below 100 in `pick` choose.
///
/// # Errors
/// A template that fails on this world.
pub fn world_rules(verbalizer: &Verbalizer, pick: &[usize]) -> Result<Option<String>, Fault> {
    let rules = verbalizer.package.rules.as_ref();
    rules.map(|paragraph| paragraph.render(theory(verbalizer, pick))).transpose()
}

/// What the template of a rules paragraph may read.
fn theory(verbalizer: &Verbalizer, pick: &[usize]) -> [(&'static str, TemplateValue); 4] {
    let Verbalizer { package, layout, naming, .. } = verbalizer;
    let mut objects: BTreeMap<&str, Vec<TemplateValue>> = BTreeMap::new();
    for object in &naming.order {
        let kind = package.types[layout.objects[*object].kind].name.as_str();
        let (id, name) = (&layout.objects[*object].id, &naming.names[*object]);
        let value =
            TemplateValue::fields([("id", TemplateValue::text(id)), ("name", TemplateValue::text(name))]);
        objects.entry(kind).or_default().push(value);
    }
    let mut facts: BTreeMap<&str, Vec<TemplateValue>> = BTreeMap::new();
    let mut by: BTreeMap<&str, BTreeMap<String, Vec<TemplateValue>>> = BTreeMap::new();
    let mut told: HashMap<&Term, TemplateValue> = HashMap::default();
    for fact in &layout.statics {
        let terms = TemplateValue::list(fact.args().iter().map(|t| term_value(verbalizer, t, &mut told)));
        let first = fact.args().first().map(Term::to_string).unwrap_or_default();
        facts.entry(fact.functor()).or_default().push(terms.clone());
        by.entry(fact.functor()).or_default().entry(first).or_default().push(terms);
    }
    let lists = |all: BTreeMap<&str, Vec<TemplateValue>>| {
        TemplateValue::named(all.into_iter().map(|(name, list)| (name.to_owned(), TemplateValue::list(list))))
    };
    let by = by.into_iter().map(|(functor, facts)| {
        let facts = facts.into_iter().map(|(first, facts)| (first, TemplateValue::list(facts)));
        (functor.to_owned(), TemplateValue::named(facts))
    });
    [
        ("objects", lists(objects)),
        ("facts", lists(facts)),
        ("by", TemplateValue::named(by)),
        ("pick", TemplateValue::list(pick.iter().map(|number| TemplateValue::number(*number)))),
    ]
}

/// A term as templates see it; `told` has those that were met before.
fn term_value<'t>(
    verbalizer: &Verbalizer,
    term: &'t Term,
    told: &mut HashMap<&'t Term, TemplateValue>,
) -> TemplateValue {
    if let Some(known) = told.get(term) {
        return known.clone();
    }
    let args: Vec<TemplateValue> = term.args().iter().map(|t| term_value(verbalizer, t, told)).collect();
    let value = TemplateValue::fields([
        ("id", TemplateValue::text(&term.to_string())),
        ("text", TemplateValue::text(&verbalizer.term_text(term))),
        ("functor", TemplateValue::text(term.functor())),
        ("args", TemplateValue::list(args)),
    ]);
    told.insert(term, value.clone());
    value
}
