//! An initial situation to its sentences: the objects, the static facts and the fluents, each relation in one of the
//! ways that its entry of the phrase book offers.
//!
//! What is drawn for one sentence depends on what the sentence says, not on the sentences before it: two stories that
//! differ in one fact or one action, told with the same random numbers, differ in the sentences about it only.

use std::borrow::Cow;
use std::collections::BTreeMap;

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use smallvec::SmallVec;

use crate::language::tell::paragraphs::{OmittedStatements, Opening, PlacedSentence, remark};
use crate::language::tell::verbalizer::Verbalizer;
use crate::language::words::lexicon::{Filler, Verbalized};
use crate::language::words::text::{SEPARATOR, listed};
use crate::phrases::book::{Phrasings, RelationPhrases};
use crate::simulate::situation::BitSet;

/// Tells one initial situation. Each sentence is drawn with random numbers of its own, which follow from `dice`.
struct InitialState<'v, 'a> {
    verbalizer: &'v Verbalizer<'a>,
    dice: u64,
}

/// The sentences of an initial situation.
pub(crate) fn initial_state(verbalizer: &Verbalizer, opening: &Opening, dice: u64) -> Vec<String> {
    let state = InitialState { verbalizer, dice };
    let mut sentences = state.objects();
    if opening.left_out.pictured {
        sentences.extend(state.pictured());
    } else {
        state.atoms(opening, &mut sentences);
    }
    state.left_out(&opening.left_out, &mut sentences);
    opening.disorder.apply(sentences, |rng| state.remark(rng), dice)
}

/// The places of what an atom names in the order of the text.
type Ranks = SmallVec<[usize; 4]>;

/// A way to tell the atoms of one relation.
enum Way<'r> {
    /// One sentence each.
    Each,
    /// One sentence for all.
    All,
    /// One sentence for each chain of them.
    Chain,
    /// One sentence for those that differ in a slot only.
    Group(usize, &'r Phrasings),
}

/// The ways that an entry offers to tell atoms with so many slots, of which some may be left out. Then there is no telling where a chain
/// ends, unless there is no other way.
fn ways(relation: &RelationPhrases, slots: usize, is_partial: bool) -> Vec<Way<'_>> {
    let mut ways = Vec::new();
    if !relation.each.is_empty() {
        ways.push(Way::Each);
    }
    if !relation.all.is_empty() && slots == 1 {
        ways.push(Way::All);
    }
    if !relation.chain.is_empty() {
        ways.push(Way::Chain);
    }
    ways.extend(relation.group.iter().map(|(slot, list)| Way::Group(*slot, list)));
    if is_partial && ways.len() > 1 {
        ways.retain(|way| !matches!(way, Way::Chain));
    }
    ways
}

impl InitialState<'_, '_> {
    /// Sentences that list the objects of each type.
    fn objects(&self) -> Vec<PlacedSentence> {
        let Verbalizer { package, layout, naming, .. } = self.verbalizer;
        let mut sentences = Vec::new();
        for (kind, phrasings) in &package.book.objects {
            let of_kind = |o: &&usize| package.types[layout.objects[**o].kind].name == *kind;
            let names: Vec<&str> =
                naming.order.iter().filter(of_kind).map(|o| naming.names[*o].as_ref()).collect();
            let mut rng = stream(self.dice, &["objects", kind]);
            let place = rng.random();
            let drawn = self.verbalizer.draw(phrasings, &mut rng);
            if let Some((_, phrasing)) = drawn.filter(|_| !names.is_empty()) {
                sentences.push(PlacedSentence { place, text: listed(phrasing, &names.join(SEPARATOR)) });
            }
        }
        sentences
    }

    /// Sentences that tell the static facts and the fluents.
    fn atoms(&self, opening: &Opening, sentences: &mut Vec<PlacedSentence>) {
        let Verbalizer { package, lexicon, .. } = self.verbalizer;
        let Opening { initial, left_out, .. } = opening;
        for (entry, relation) in package.book.facts.iter().enumerate() {
            let all = lexicon.facts.iter().flatten().filter(|s| s.entry == entry);
            self.relation(relation, (all.collect(), false), sentences);
        }
        for (entry, relation) in package.book.fluents.iter().enumerate().filter(|(_, r)| r.told) {
            let told = initial.iter().filter(|fluent| !left_out.has(*fluent));
            let all: Vec<&Verbalized> =
                told.filter_map(|f| lexicon.fluents[f].as_ref()).filter(|s| s.entry == entry).collect();
            // That there is none must not be said where one may be left out.
            let of_entry = |fluent: usize| lexicon.fluents[fluent].as_ref().is_some_and(|s| s.entry == entry);
            let hides = left_out.fluents.iter().flat_map(BitSet::iter).any(of_entry);
            if !all.is_empty() || !hides {
                self.relation(relation, (all, hides), sentences);
            }
        }
    }

    /// The sentence that a picture states the rest.
    fn pictured(&self) -> Option<PlacedSentence> {
        let mut rng = stream(self.dice, &["pictured"]);
        let place = rng.random();
        let (_, phrasing) =
            self.verbalizer.draw(&self.verbalizer.package.common.partly.pictured, &mut rng)?;
        Some(PlacedSentence { place, text: listed(phrasing, "") })
    }

    /// Sentences that say what is left out, one for each type of object.
    fn left_out(&self, left_out: &OmittedStatements, sentences: &mut Vec<PlacedSentence>) {
        let Verbalizer { package, layout, naming, .. } = self.verbalizer;
        for (kind, of_type) in package.types.iter().enumerate() {
            let is_meant = |o: &&usize| layout.objects[**o].kind == kind && left_out.objects.contains(*o);
            let names: Vec<&str> =
                naming.order.iter().filter(is_meant).map(|o| naming.names[*o].as_ref()).collect();
            let mut rng = stream(self.dice, &["left out", &of_type.name]);
            let place = rng.random();
            let drawn = self.verbalizer.draw(&package.common.partly.left_out, &mut rng);
            if let Some((_, phrasing)) = drawn.filter(|_| !names.is_empty()) {
                sentences.push(PlacedSentence { place, text: listed(phrasing, &names.join(SEPARATOR)) });
            }
        }
    }

    /// A sentence that is true and beside the point: about an object, or about somebody.
    fn remark(&self, rng: &mut ChaCha8Rng) -> Option<String> {
        let Verbalizer { package, layout, naming, holdout, .. } = self.verbalizer;
        let (own, common) = (&package.book.remarks, &package.common);
        let kind_of = |object: &usize| &package.types[layout.objects[*object].kind].name;
        // The same object, whichever others there are.
        let dice: u64 = rng.random();
        let order = |object: &&usize| stream(dice, &[&layout.objects[**object].id]).random::<u64>();
        let object = *naming.order.iter().min_by_key(order)?;
        let about = own.iter().find(|(kind, _)| kind == kind_of(&object)).map(|(_, list)| list);
        if let Some((_, phrasing)) =
            about.filter(|_| rng.random()).and_then(|list| self.verbalizer.draw(list, rng))
        {
            return Some(self.verbalizer.fill(phrasing, &[Filler::Object(object)], rng));
        }
        remark(common, *holdout, rng)
    }

    /// Tells all atoms of one relation, of which some may be left out, in one of the ways its entry offers.
    fn relation(
        &self,
        relation: &RelationPhrases,
        (mut atoms, is_partial): (Vec<&Verbalized>, bool),
        out: &mut Vec<PlacedSentence>,
    ) {
        if relation.symmetric {
            atoms.retain(|s| s.fillers.len() != 2 || self.rank(&s.fillers[0]) <= self.rank(&s.fillers[1]));
        }
        atoms.sort_by_cached_key(|s| self.ranks(s));
        // A number of its own for each entry, of which one functor may have several.
        let mut rng = stream(self.dice, &[relation.pattern.functor.as_str(), &relation.line.to_string()]);
        let dice: u64 = rng.random();
        let Some(first) = atoms.first() else {
            let none = self.verbalizer.draw(&relation.none, &mut rng);
            out.extend(none.map(|(_, p)| PlacedSentence { place: dice, text: listed(p, "") }));
            return;
        };
        let ways = ways(relation, first.fillers.len(), is_partial);
        match ways.choose(&mut rng) {
            None => {}
            Some(Way::Each) => atoms.iter().for_each(|s| self.each(relation, s, dice, out)),
            Some(Way::All) => self.all(relation, &atoms, dice, &mut rng, out),
            Some(Way::Chain) => self.chains(relation, &atoms, dice, out),
            Some(Way::Group(slot, phrasings)) => self.groups(relation, &atoms, (*slot, phrasings), dice, out),
        }
    }

    /// One sentence for one atom.
    fn each(
        &self,
        relation: &RelationPhrases,
        spoken: &Verbalized,
        dice: u64,
        out: &mut Vec<PlacedSentence>,
    ) {
        let mut rng = self.dice_for(dice, &spoken.fillers);
        let place = rng.random();
        if let Some((_, phrasing)) = self.verbalizer.draw(&relation.each, &mut rng) {
            let mut fillers = spoken.fillers.clone();
            if relation.symmetric && rng.random_bool(0.5) {
                fillers.reverse();
            }
            out.push(PlacedSentence { place, text: self.verbalizer.fill(phrasing, &fillers, &mut rng) });
        }
    }

    /// One sentence for all atoms.
    fn all(
        &self,
        relation: &RelationPhrases,
        atoms: &[&Verbalized],
        dice: u64,
        rng: &mut ChaCha8Rng,
        out: &mut Vec<PlacedSentence>,
    ) {
        let names: Vec<Cow<str>> = atoms.iter().map(|s| self.verbalizer.text(&s.fillers[0], rng)).collect();
        let drawn = self.verbalizer.draw(&relation.all, &mut stream(dice, &["all"]));
        let text = |phrasing| listed(phrasing, &names.join(SEPARATOR));
        out.extend(drawn.map(|(_, p)| PlacedSentence { place: dice, text: text(p) }));
    }

    /// One sentence for each maximal chain of atoms.
    fn chains(
        &self,
        relation: &RelationPhrases,
        atoms: &[&Verbalized],
        dice: u64,
        out: &mut Vec<PlacedSentence>,
    ) {
        let naming = self.verbalizer.naming;
        for chain in chains(&atoms.iter().map(|s| self.ranks(s)).collect::<Vec<_>>()) {
            let objects: Vec<usize> = chain.iter().map(|r| naming.order[*r]).collect();
            let names: Vec<&str> = objects.iter().map(|o| naming.names[*o].as_ref()).collect();
            let mut rng = self.dice_for(dice, &[Filler::Object(objects[0])]);
            let place = rng.random();
            let drawn = self.verbalizer.draw(&relation.chain, &mut rng);
            let text = |phrasing| listed(phrasing, &names.join(SEPARATOR));
            out.extend(drawn.map(|(_, p)| PlacedSentence { place, text: text(p) }));
        }
    }

    /// One sentence for the atoms that differ in a slot only.
    fn groups(
        &self,
        relation: &RelationPhrases,
        atoms: &[&Verbalized],
        (slot, phrasings): (usize, &Phrasings),
        dice: u64,
        out: &mut Vec<PlacedSentence>,
    ) {
        let mut groups: BTreeMap<Ranks, Vec<&Verbalized>> = BTreeMap::new();
        for spoken in atoms {
            let mut key = self.ranks(spoken);
            key.remove(slot);
            groups.entry(key).or_default().push(spoken);
        }
        for members in groups.values() {
            if let [only] = members[..]
                && !relation.each.is_empty()
            {
                self.each(relation, only, dice, out);
                continue;
            }
            let mut rest = members[0].fillers.clone();
            rest.remove(slot);
            let mut rng = self.dice_for(dice, &rest);
            let place = rng.random();
            let drawn = self.verbalizer.draw(phrasings, &mut rng);
            let names: Vec<Cow<str>> =
                members.iter().map(|s| self.verbalizer.text(&s.fillers[slot], &mut rng)).collect();
            let mut fillers = members[0].fillers.clone();
            fillers[slot] = Filler::Text(names.join(SEPARATOR));
            let text = drawn.map(|(_, p)| self.verbalizer.fill(p, &fillers, &mut rng));
            out.extend(text.map(|text| PlacedSentence { place, text }));
        }
    }

    /// Random numbers for a sentence about these, in whatever layout and under whatever names.
    fn dice_for(&self, dice: u64, fillers: &[Filler]) -> ChaCha8Rng {
        let ids: SmallVec<[Cow<str>; 4]> = fillers.iter().map(|f| self.identity(f)).collect();
        stream(dice, &ids.iter().map(|id| &**id).collect::<SmallVec<[&str; 4]>>())
    }

    fn ranks(&self, spoken: &Verbalized) -> Ranks {
        spoken.fillers.iter().map(|f| self.rank(f)).collect()
    }

    fn rank(&self, filler: &Filler) -> usize {
        match filler {
            Filler::Object(object) => self.verbalizer.naming.rank[*object],
            Filler::Action(n) | Filler::Fluent(n) => *n,
            Filler::Text(text) => text.parse().unwrap_or(0),
        }
    }

    /// What a filler stands for, in whatever layout and under whatever name.
    fn identity<'f>(&'f self, filler: &'f Filler) -> Cow<'f, str> {
        match filler {
            Filler::Object(object) => Cow::Borrowed(&*self.verbalizer.layout.objects[*object].id),
            Filler::Action(action) => Cow::Owned(self.verbalizer.engine.actions[*action].to_string()),
            Filler::Fluent(fluent) => Cow::Owned(self.verbalizer.engine.fluents[*fluent].to_string()),
            Filler::Text(text) => Cow::Borrowed(text),
        }
    }
}

/// Maximal chains of pairs, each from its first member down.
fn chains(pairs: &[Ranks]) -> Vec<Vec<usize>> {
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
