//! Verify questions that stories offer to questions that join two or three of them.
//!
//! Of each question within there is one of equal profile and the other answer. A composite question is offered together
//! with those that differ from it in one part and in the answer, so that no part tells the answer by itself.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::domain::question_groups::{COMPOSITE, PREDICTION};
use crate::factory::choosing::profile::CLOSENESS;
use crate::factory::error::FactoryError;
use crate::factory::further::gathering::Gatherer;
use crate::factory::further::offers::{ComposedPart, OfferCell, OfferedQuestion, Offers, Subject};
use crate::factory::further::proving::KnownProofs;
use crate::factory::further::telling::profile;
use crate::phrases::book::FamilyPhrases;
use crate::simulate::error::SimulationError;
use crate::simulate::narrative::joined::joined_table;
use crate::simulate::situation::AnswerSheet;
use crate::simulate::story::{Simulator, Story, Timepoint};
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// The families that may be part of a question, by group. Those of a group whose search is dear are taken where the group is
/// asked for.
const PARTS: [(&str, &[&str], bool); 4] = [
    ("time", &["always", "at_some_time", "before"], false),
    ("whatif", &["without", "instead", "swapped"], false),
    ("goals", &["reachable_in"], true),
    ("plans", &["valid_plan"], true),
];

/// Does a group have families that are part of a question only where the group is asked for?
pub(crate) fn dear_parts(group: &str) -> bool {
    PARTS.iter().any(|(other, _, dear)| *dear && *other == group)
}

/// Of a story so many sorts of questions are looked at in each group, and of each sort so many questions with either answer
/// of which the plain answer is right, and as many others.
const SORTS: usize = 8;
const LOOKED_AT: usize = 8;
/// How many combinations of questions a story offers to each family.
const COMBINED: usize = 3;
/// How often a combination is offered that an edit decides which turns one answer only.
const TURNED: usize = 3;

/// Two questions of a story of equal profile, answered no and yes.
type Opposites = [ComposedPart; 2];

/// By group, the questions of a story: of each sort those that are answered no and those answered yes.
type Sorted = BTreeMap<String, BTreeMap<(usize, String), [Vec<ComposedPart>; 2]>>;

impl Gatherer<'_> {
    /// Questions that are made of others.
    pub(super) fn composites(
        &self,
        stage: &mut Simulator,
        stories: &[(usize, &Story)],
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), FactoryError> {
        let all = self.families().iter().enumerate();
        let own = |family: &(usize, &FamilyPhrases)| family.1.group == COMPOSITE && self.wants(family.1);
        let families: Vec<(usize, &FamilyPhrases)> = all.filter(own).collect();
        if families.is_empty() {
            return Ok(());
        }
        let parts = self.parts(stage, stories, offers, rng)?;
        for (told, story) in stories {
            let mut sorted = self.predictions(stage, (*told, story));
            for (cell, all) in &parts {
                let group = self.families()[cell.family].group.clone();
                let here = all.iter().filter(|offer| offer.told == *told);
                for offer in here {
                    let sorts = sorted.entry(group.clone()).or_default();
                    let sort = sorts.entry((cell.family, cell.detail.clone())).or_default();
                    let part = ComposedPart { family: Some(cell.family), offer: offer.clone() };
                    sort[usize::from(offer.yes)].push(part);
                }
            }
            let opposites = self.opposites(stage, story, sorted, rng);
            for (number, family) in &families {
                let count = family.pattern.places.len();
                let table = joined_table(&family.pattern.functor, count, stage.limit())
                    .map_err(SimulationError::from)?;
                let cell = OfferCell { kind: Kind::Verify, family: *number, detail: String::new() };
                for _ in 0..COMBINED {
                    let Some(chosen) = drawn(&stage.engine, &opposites, count, rng) else { continue };
                    offers.entry(cell.clone()).or_default().extend(combined(*told, &chosen, &table));
                }
            }
        }
        Ok(())
    }

    /// The questions of other groups that may be parts: those that are offered already, and others that are gathered now.
    fn parts(
        &self,
        stage: &mut Simulator,
        stories: &[(usize, &Story)],
        offers: &Offers,
        rng: &mut ChaCha8Rng,
    ) -> Result<Offers, FactoryError> {
        let (mut groups, mut missing) = (Vec::new(), Vec::new());
        let mut known = Vec::new();
        for (group, names, dear) in PARTS {
            for (number, family) in self.families().iter().enumerate() {
                if family.group != group || !names.contains(&family.pattern.functor.as_str()) {
                    continue;
                }
                match self.wants(family) {
                    true => known.push(number),
                    false if !dear => {
                        groups.push(group.to_owned());
                        missing.push(family.pattern.functor.clone());
                    }
                    false => {}
                }
            }
        }
        let is_part = |cell: &OfferCell| cell.kind == Kind::Verify && known.contains(&cell.family);
        let mut found: Offers = offers
            .iter()
            .filter(|(cell, _)| is_part(cell))
            .map(|(cell, all)| (cell.clone(), all.clone()))
            .collect();
        if !missing.is_empty() {
            groups.dedup();
            let anything = BTreeMap::new();
            let others = Gatherer { groups: &groups, chosen: &missing, effort: &anything, ..*self };
            found.extend(others.gather((stage, &mut KnownProofs::default()), stories, rng)?);
        }
        found.retain(|cell, _| cell.kind == Kind::Verify);
        Ok(found)
    }

    /// The questions of prediction about a story.
    fn predictions(&self, stage: &Simulator, (told, story): (usize, &Story)) -> Sorted {
        let mut sorted = Sorted::new();
        for (number, yes, trivial) in self.predicted(stage, story) {
            let offer = OfferedQuestion::verify(told, Subject::Predicted(number), yes, trivial);
            let sorts = sorted.entry(PREDICTION.to_owned()).or_default();
            let sort = sorts.entry((0, form_name(&stage.engine.questions[number].term))).or_default();
            sort[usize::from(yes)].push(ComposedPart { family: None, offer });
        }
        sorted
    }

    /// The verify questions of prediction about a story, with whether they are answered yes, and whether the initial
    /// situation gives the same answer. What supposes a further action has none.
    pub(super) fn predicted(&self, stage: &Simulator, story: &Story) -> Vec<(usize, bool, bool)> {
        let (Some((now, _)), Some((first, _))) =
            (story.sheet(Timepoint::Now), story.sheet(Timepoint::Initially))
        else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (number, question) in stage.engine.questions.iter().enumerate() {
            let (Some(_), Some(yes), Kind::Verify) = (self.lexicon.form(number), question.yes, question.kind)
            else {
                continue;
            };
            let asked = |sheet: &AnswerSheet| question.answers.clone().any(|answer| sheet.contains(answer));
            if asked(now) {
                let is_yes = now.contains(yes);
                found.push((number, is_yes, asked(first) && is_yes == first.contains(yes)));
            }
        }
        found
    }

    /// By group, pairs of questions of a story that agree in their profiles and not in their answers.
    fn opposites(
        &self,
        stage: &Simulator,
        story: &Story,
        sorted: Sorted,
        rng: &mut ChaCha8Rng,
    ) -> Vec<Vec<Opposites>> {
        let mut found = Vec::new();
        for sorts in sorted.into_values() {
            let mut sorts: Vec<[Vec<ComposedPart>; 2]> = sorts.into_values().collect();
            sorts.retain(|[no, yes]| !no.is_empty() && !yes.is_empty());
            sorts.shuffle(rng);
            let mut pairs: Vec<Opposites> = Vec::new();
            for [mut no, mut yes] in sorts.into_iter().take(SORTS) {
                let mut seen = |parts: &mut Vec<ComposedPart>| -> Vec<(ComposedPart, [u64; CLOSENESS])> {
                    parts.shuffle(rng);
                    // Of most edits of a story a question notices nothing.
                    let (plain, other): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.offer.plain);
                    let near = |part: &ComposedPart| {
                        profile(stage, self.lexicon, self.shapes, story, &part.offer).near
                    };
                    let some = other.into_iter().take(LOOKED_AT).chain(plain.into_iter().take(LOOKED_AT));
                    some.map(|part| (part.clone(), near(part))).collect()
                };
                let (no, yes) = (seen(&mut no), seen(&mut yes));
                pairs.extend(closest(&no, &yes, rng));
            }
            // An edit that makes no difference to either question is none that a question needs. One that only ever turns no
            // into yes decides few of the questions that it is part of.
            let is_edit = |pair: &Opposites| matches!(pair[0].offer.subject, Subject::Edited(..));
            let most = pairs.iter().map(missed).max().unwrap_or(0);
            let least = if pairs.iter().any(is_edit) { most.max(1) } else { most.min(1) };
            pairs.retain(|pair| missed(pair) >= least);
            if !pairs.is_empty() {
                found.push(pairs);
            }
        }
        found
    }
}

/// About how many of two questions is whoever overlooks the point of them wrong?
fn missed(pair: &Opposites) -> usize {
    pair.iter().filter(|part| !part.offer.plain).count()
}

/// What a question of prediction is about: its functor, and that of the action it is about.
fn form_name(term: &Term) -> String {
    match term.args() {
        [only] if !only.args().is_empty() => format!("{} {}", term.functor(), only.functor()),
        _ => term.functor().to_owned(),
    }
}

/// Two questions of equal profile, as close as there are; rather such that whoever overlooks the point of them is wrong about
/// both, or about one at least.
fn closest(
    no: &[(ComposedPart, [u64; CLOSENESS])],
    yes: &[(ComposedPart, [u64; CLOSENESS])],
    rng: &mut ChaCha8Rng,
) -> Option<Opposites> {
    let mut fallback: Option<(usize, Opposites)> = None;
    for closeness in 0..CLOSENESS - 1 {
        let mut of_profile: HashMap<u64, Vec<usize>> = HashMap::new();
        for (place, (_, near)) in yes.iter().enumerate() {
            of_profile.entry(near[closeness]).or_default().push(place);
        }
        let mut by_missed: [Vec<(usize, usize)>; 3] = Default::default();
        for (place, (part, near)) in no.iter().enumerate() {
            for other in of_profile.get(&near[closeness]).into_iter().flatten() {
                let both = [part, &yes[*other].0];
                by_missed[both.iter().filter(|part| !part.offer.plain).count()].push((place, *other));
            }
        }
        let Some(most) = (0..by_missed.len()).rfind(|missed| !by_missed[*missed].is_empty()) else {
            continue;
        };
        if fallback.as_ref().is_none_or(|(missed, _)| most > *missed) {
            let chosen = by_missed[most].choose(rng);
            fallback = chosen.map(|(first, second)| (most, [no[*first].0.clone(), yes[*second].0.clone()]));
        }
        if most == by_missed.len() - 1 {
            break;
        }
    }
    fallback.map(|(_, pair)| pair)
}

/// The statements that a question is about in the story as it is told; an edited story is another.
fn statements<'e>(engine: &'e TransitionSystem, part: &ComposedPart) -> Vec<&'e Term> {
    match &part.offer.subject {
        Subject::Fluents(fluents) => fluents.iter().map(|fluent| &engine.fluents[*fluent]).collect(),
        Subject::Predicted(question) => vec![&engine.questions[*question].term],
        _ => Vec::new(),
    }
}

/// So many pairs of a story, of different groups as far as there are. No two are about one statement: what is always true is
/// true now, too, and at some time.
fn drawn<'o>(
    engine: &TransitionSystem,
    opposites: &'o [Vec<Opposites>],
    count: usize,
    rng: &mut ChaCha8Rng,
) -> Option<Vec<&'o Opposites>> {
    let mut turns: Vec<Vec<&Opposites>> = opposites.iter().map(|pairs| pairs.iter().collect()).collect();
    turns.iter_mut().for_each(|pairs| pairs.shuffle(rng));
    turns.shuffle(rng);
    let longest = turns.iter().map(Vec::len).max().unwrap_or(0);
    let rounds =
        (0..longest).flat_map(|round| turns.iter().filter_map(move |pairs| pairs.get(round).copied()));
    let mut chosen: Vec<&Opposites> = Vec::new();
    let mut about: BTreeSet<&Term> = BTreeSet::new();
    for pair in rounds {
        let own: BTreeSet<&Term> = pair.iter().flat_map(|part| statements(engine, part)).collect();
        if chosen.len() < count && own.is_disjoint(&about) {
            chosen.push(pair);
            about.extend(own);
        }
    }
    chosen.shuffle(rng);
    (chosen.len() == count).then_some(chosen)
}

/// The questions that join one of each pair, those that would be answered otherwise if one of their parts were.
fn combined(told: usize, chosen: &[&Opposites], table: &[bool]) -> Vec<OfferedQuestion> {
    let mut found = Vec::new();
    for mask in 0..table.len() {
        if !(0..chosen.len()).any(|place| table[mask ^ (1 << place)] != table[mask]) {
            continue;
        }
        let parts: Vec<ComposedPart> =
            chosen.iter().enumerate().map(|(place, pair)| pair[mask >> place & 1].clone()).collect();
        let yes = table[mask];
        // What comes out if each part is answered from the initial situation.
        let before = |part: &ComposedPart| usize::from(part.offer.yes == part.offer.trivial);
        let bits = parts.iter().enumerate().map(|(place, part)| before(part) << place);
        let trivial = table[bits.sum::<usize>()] == yes;
        // Of three parts with an edit that only ever turns no into yes, or yes into no, those are offered more often that it
        // decides, or it would decide one of six.
        let turns = |place: usize| table[mask ^ (1 << place)] != yes;
        let is_edit = |part: &ComposedPart| matches!(part.offer.subject, Subject::Edited(..));
        let is_turned =
            |place: usize| is_edit(&parts[place]) && !parts[place].offer.plain && missed(chosen[place]) == 1;
        let deciding: Vec<usize> = (0..parts.len()).filter(|place| turns(*place)).collect();
        let times = if let [only] = deciding.as_slice()
            && parts.len() > 2
            && is_turned(*only)
        {
            TURNED
        } else {
            1
        };
        let offer = OfferedQuestion::verify(told, Subject::Composite(parts), yes, trivial);
        found.extend(std::iter::repeat_n(offer, times));
    }
    found
}
