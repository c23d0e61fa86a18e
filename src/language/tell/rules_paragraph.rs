//! The rules of a domain to their sentences, by its template where they depend on the world.

use std::collections::BTreeMap;

use racgen_logic::fault::Fault;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use serde_json::{Value, json};

use crate::language::tell::verbalizer::Verbalizer;
use crate::language::words::text::listed;

/// How many numbers the template of a rules paragraph has to choose wordings with.
pub const PICKS: usize = 16;

/// The sentences of a domain's rules, those that depend on the world first and as one.
///
/// # Errors
/// A template that fails on this world.
pub(crate) fn rules(verbalizer: &Verbalizer, rng: &mut ChaCha8Rng) -> Result<Vec<String>, Fault> {
    let Verbalizer { package, holdout, .. } = verbalizer;
    let mut sentences = Vec::new();
    // Templates choose among five wordings by twenties, so that is how they are held out.
    let fifths = holdout.phrasings(5);
    if package.rules.is_some() {
        let pick: Vec<usize> =
            (0..PICKS).map(|_| rng.random_range(fifths.start * 20..fifths.end * 20)).collect();
        sentences.extend(world_rules(verbalizer, &pick)?);
    }
    for phrasings in package.book.rules.iter().chain(&package.common.frame) {
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
    rules.map(|paragraph| paragraph.render(&theory(verbalizer, pick))).transpose()
}

/// What the template of a rules paragraph may read.
fn theory(verbalizer: &Verbalizer, pick: &[usize]) -> Value {
    let Verbalizer { package, layout, naming, .. } = verbalizer;
    let mut objects: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for object in &naming.order {
        let kind = package.types[layout.objects[*object].kind].name.as_str();
        let value =
            json!({ "id": layout.objects[*object].id.as_ref(), "name": naming.names[*object].as_ref() });
        objects.entry(kind).or_default().push(value);
    }
    let mut facts: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    let mut by: BTreeMap<&str, BTreeMap<String, Vec<Value>>> = BTreeMap::new();
    for fact in &layout.statics {
        let terms: Vec<Value> = fact.args().iter().map(|t| term_value(verbalizer, t)).collect();
        let first = fact.args().first().map(Term::to_string).unwrap_or_default();
        facts.entry(fact.functor()).or_default().push(json!(terms));
        by.entry(fact.functor()).or_default().entry(first).or_default().push(json!(terms));
    }
    json!({ "objects": objects, "facts": facts, "by": by, "pick": pick })
}

fn term_value(verbalizer: &Verbalizer, term: &Term) -> Value {
    let args: Vec<Value> = term.args().iter().map(|t| term_value(verbalizer, t)).collect();
    json!({ "id": term.to_string(), "text": verbalizer.term_text(term), "functor": term.functor(), "args": args })
}
