//! A story to the paragraphs of its text: initial state, rules and actions.
//!
//! What is drawn for one sentence depends on what the sentence says, not on the sentences before it: two stories that
//! differ in one fact or one action, told with the same random numbers, differ in the sentences about it only.

use std::collections::BTreeMap;

use racgen_logic::fault::Fault;
use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use serde_json::{Value, json};

use crate::language::verbalizer::{Filler, Holdout, Verbalized, Verbalizer, capital};
use crate::phrases::book::{PhraseBook, Phrasings, RelationPhrases};
use crate::phrases::phrasing::Phrasing;
use crate::simulate::situation::Situation;
use crate::simulate::story::Story;

/// How many numbers the template of a rules paragraph has to choose wordings with.
pub const PICKS: usize = 16;
/// How often a remark is drawn anew that was made already.
const MOST_REPEATS: usize = 20;

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

/// What makes an initial state harder to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Disorder {
    /// Do its sentences stand in a random order?
    pub shuffled: bool,
    /// How many sentences stand among them that are true and beside the point.
    pub remarks: usize,
}

impl Disorder {
    /// Puts remarks among sentences, and shuffles them all. `remark` draws one.
    pub(crate) fn apply(
        self,
        sentences: &mut Vec<String>,
        remark: impl Fn(&mut ChaCha8Rng) -> Option<String>,
        dice: u64,
    ) {
        let mut rng = stream(dice, &["remarks"]);
        let mut made: Vec<String> = Vec::new();
        for _ in 0..self.remarks {
            let new = (0..MOST_REPEATS).find_map(|_| remark(&mut rng).filter(|r| !made.contains(r)));
            made.extend(new);
        }
        for remark in made {
            sentences.insert(rng.random_range(0..=sentences.len()), remark);
        }
        if self.shuffled {
            sentences.shuffle(&mut stream(dice, &["order"]));
        }
    }
}

impl Verbalizer<'_> {
    /// Initial state, rules and actions of a story.
    ///
    /// # Errors
    /// A template of the rules paragraph that fails on this world.
    pub fn paragraphs(
        &self,
        story: &Story,
        disorder: Disorder,
        rng: &mut ChaCha8Rng,
    ) -> Result<Paragraphs, Fault> {
        Ok(Paragraphs {
            initial_state: self.initial_state(&story.initial, disorder, rng.random()),
            rules: self.rules(rng)?,
            actions: self.actions(&story.plan, rng),
        })
    }

    fn initial_state(&self, initial: &Situation, disorder: Disorder, dice: u64) -> String {
        let book = &self.package.book;
        let mut sentences = Vec::new();
        for (kind, phrasings) in &book.objects {
            let of_kind = |o: &&usize| self.package.types[self.layout.objects[**o].kind].name == *kind;
            let names: Vec<&str> =
                self.naming.order.iter().filter(of_kind).map(|o| self.naming.names[*o].as_ref()).collect();
            let drawn = self.draw(phrasings, &mut stream(dice, &["objects", kind]));
            if let Some((_, phrasing)) = drawn.filter(|_| !names.is_empty()) {
                sentences.push(listed(phrasing, &names.join(", ")));
            }
        }
        for (entry, relation) in book.facts.iter().enumerate() {
            let all = self.lexicon.facts.iter().flatten().filter(|s| s.entry == entry);
            self.relation(relation, all.collect(), &mut sentences, dice);
        }
        for (entry, relation) in book.fluents.iter().enumerate().filter(|(_, r)| r.told) {
            let all = initial.iter().filter_map(|f| self.lexicon.fluents[f].as_ref());
            self.relation(relation, all.filter(|s| s.entry == entry).collect(), &mut sentences, dice);
        }
        disorder.apply(&mut sentences, |rng| self.remark(rng), dice);
        paragraph(sentences)
    }

    /// A sentence that is true and beside the point: about an object, or about somebody.
    fn remark(&self, rng: &mut ChaCha8Rng) -> Option<String> {
        let (own, common) = (&self.package.book.remarks, &self.package.common);
        let kind_of = |object: &usize| &self.package.types[self.layout.objects[*object].kind].name;
        let object = *self.naming.order.choose(rng)?;
        let about = own.iter().find(|(kind, _)| kind == kind_of(&object)).map(|(_, list)| list);
        if let Some((_, phrasing)) = about.filter(|_| rng.random()).and_then(|list| self.draw(list, rng)) {
            return Some(self.fill(phrasing, &[Filler::Object(object)], rng));
        }
        remark(common, self.holdout, rng)
    }

    /// Tells all atoms of one relation in one of the ways its entry offers.
    fn relation(
        &self,
        relation: &RelationPhrases,
        mut atoms: Vec<&Verbalized>,
        out: &mut Vec<String>,
        dice: u64,
    ) {
        let functor = relation.pattern.functor.as_str();
        let rank = |s: &Verbalized| -> Vec<usize> { s.fillers.iter().map(|f| self.rank(f)).collect() };
        if relation.symmetric {
            atoms.retain(|s| s.fillers.len() != 2 || self.rank(&s.fillers[0]) <= self.rank(&s.fillers[1]));
        }
        atoms.sort_by_key(|s| rank(s));
        // A number of its own for each entry, of which one functor may have several.
        let mut rng = stream(dice, &[functor, &relation.line.to_string()]);
        let dice: u64 = rng.random();
        if atoms.is_empty() {
            out.extend(self.draw(&relation.none, &mut rng).map(|(_, p)| listed(p, "")));
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
        let Some(way) = ways.choose(&mut rng) else { return };
        let dice_for = |fillers: &[Filler]| {
            let ids: Vec<String> = fillers.iter().map(|f| self.identity(f)).collect();
            stream(dice, &ids.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let single = |spoken: &Verbalized, out: &mut Vec<String>| {
            let mut rng = dice_for(&spoken.fillers);
            if let Some((_, phrasing)) = self.draw(&relation.each, &mut rng) {
                let mut fillers = spoken.fillers.clone();
                if relation.symmetric && rng.random_bool(0.5) {
                    fillers.reverse();
                }
                out.push(self.fill(phrasing, &fillers, &mut rng));
            }
        };
        match way {
            Way::Each => atoms.iter().for_each(|s| single(s, out)),
            Way::All => {
                let names: Vec<String> = atoms.iter().map(|s| self.text(&s.fillers[0], &mut rng)).collect();
                let mut rng = stream(dice, &["all"]);
                out.extend(self.draw(&relation.all, &mut rng).map(|(_, p)| listed(p, &names.join(", "))));
            }
            Way::Chain => {
                for chain in chains(&atoms.iter().map(|s| rank(s)).collect::<Vec<_>>()) {
                    let objects: Vec<usize> = chain.iter().map(|r| self.naming.order[*r]).collect();
                    let names: Vec<&str> = objects.iter().map(|o| self.naming.names[*o].as_ref()).collect();
                    let mut rng = dice_for(&[Filler::Object(objects[0])]);
                    out.extend(
                        self.draw(&relation.chain, &mut rng).map(|(_, p)| listed(p, &names.join(", "))),
                    );
                }
            }
            Way::Group(slot, phrasings) => {
                let mut groups: BTreeMap<Vec<usize>, Vec<&Verbalized>> = BTreeMap::new();
                for spoken in &atoms {
                    let mut key = rank(spoken);
                    key.remove(*slot);
                    groups.entry(key).or_default().push(spoken);
                }
                for members in groups.values() {
                    if let [only] = members[..]
                        && !relation.each.is_empty()
                    {
                        single(only, out);
                        continue;
                    }
                    let mut rest = members[0].fillers.clone();
                    rest.remove(*slot);
                    let mut rng = dice_for(&rest);
                    let drawn = self.draw(phrasings, &mut rng);
                    let names: Vec<String> =
                        members.iter().map(|s| self.text(&s.fillers[*slot], &mut rng)).collect();
                    let mut fillers = members[0].fillers.clone();
                    fillers[*slot] = Filler::Text(names.join(", "));
                    out.extend(drawn.map(|(_, p)| self.fill(p, &fillers, &mut rng)));
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

    /// What a filler stands for, in whatever layout and under whatever name.
    fn identity(&self, filler: &Filler) -> String {
        match filler {
            Filler::Object(object) => self.layout.objects[*object].id.to_string(),
            Filler::Action(action) => self.engine.actions[*action].to_string(),
            Filler::Fluent(fluent) => self.engine.fluents[*fluent].to_string(),
            Filler::Text(text) => text.clone(),
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

    /// The sentences of an action sequence, in order.
    pub fn actions(&self, plan: &[usize], rng: &mut ChaCha8Rng) -> String {
        let dice: u64 = rng.random();
        let mut sentences = Vec::new();
        for (place, action) in plan.iter().enumerate() {
            let mut rng = stream(dice, &[&place.to_string()]);
            let told = self.lexicon.actions[*action].as_ref().and_then(|spoken| {
                let (_, phrasing) = self.draw(&self.package.book.actions[spoken.entry].did, &mut rng)?;
                Some(self.fill(phrasing, &spoken.fillers, &mut rng))
            });
            sentences.push(told.unwrap_or_else(|| format!("{}.", self.engine.actions[*action])));
        }
        if plan.is_empty() {
            sentences.extend(self.draw(&self.package.common.no_actions, rng).map(|(_, p)| listed(p, "")));
        }
        paragraph(sentences)
    }
}

/// A remark about somebody, where the phrase book has any.
pub(crate) fn remark(common: &PhraseBook, holdout: Holdout, rng: &mut ChaCha8Rng) -> Option<String> {
    let (_, list) = common.remarks.iter().find(|(kind, _)| kind == "person")?;
    let (_, phrasing) = holdout.draw(list, rng)?;
    let person = common.persons[holdout.names(common.persons.len())].choose(rng)?;
    let mut out = String::new();
    phrasing.fill(&mut out, |_| person);
    Some(out)
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
