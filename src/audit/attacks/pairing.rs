//! The two items of a pair to what is wrong with them as a pair: its key, its source, and that they differ in just what
//! the column `change` says.

use racgen_data::row::Row;
use racgen_logic::seed::digest;
use racgen_logic::term::Term;

use crate::factory::contrast::change::Change;

/// What of a row its partner is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairSide {
    id: String,
    pair: String,
    change: String,
    source: String,
    facts: u128,
    plan: Vec<u128>,
    query: String,
    question: String,
    /// How many objects there are, and their names.
    objects: usize,
    names: u128,
}

fn hash<'t>(texts: impl IntoIterator<Item = &'t str>) -> u128 {
    u128::from_str_radix(&digest(texts), 16).unwrap_or(0)
}

impl PairSide {
    /// What is kept of a row; none of a row that stands in no pair.
    pub fn of(row: &Row) -> Option<PairSide> {
        if [&*row.pair, &*row.change, &*row.source].iter().all(|text| text.is_empty()) {
            return None;
        }
        let mut facts: Vec<&str> = row.facts.iter().map(String::as_str).collect();
        facts.sort_unstable();
        let mut names: Vec<&str> = row.objects.iter().flat_map(|o| [&*o.id, &*o.name]).collect();
        names.sort_unstable();
        Some(PairSide {
            id: row.id.clone(),
            pair: row.pair.clone(),
            change: row.change.to_string(),
            source: row.source.clone(),
            facts: hash(facts),
            plan: row.plan.iter().map(|action| hash([action.as_str()])).collect(),
            query: row.query.clone(),
            question: row.question.clone(),
            objects: row.objects.len(),
            names: hash(names),
        })
    }

    /// Is it the one that was made from the other?
    pub fn is_changed(&self) -> bool {
        !self.change.is_empty()
    }

    /// Is this the item that the changed one was made from, and do they differ in what the change says?
    pub fn fits(&self, changed: &PairSide) -> bool {
        let key = digest(["pair", &self.id, &changed.id]);
        let named = self.pair == key && changed.pair == key;
        named && self.source.is_empty() && changed.source == self.id && self.differs_as(changed)
    }

    fn differs_as(&self, changed: &PairSide) -> bool {
        let known = [Change::Action, Change::Fact, Change::Word];
        let contrast = Change::CONTRAST.into_iter().map(|(_, change)| change);
        let change = known.into_iter().chain(contrast).find(|change| change.name() == changed.change);
        let same_story = self.facts == changed.facts && self.plan == changed.plan;
        let same_query = self.query == changed.query;
        let family = |side: &PairSide| side.query.parse::<Term>().map(|q| q.functor().to_owned()).ok();
        let same_family = family(self) == family(changed);
        match change {
            None => false,
            Some(Change::Action) => {
                let steps = self.plan.iter().zip(&changed.plan).filter(|(a, b)| a != b).count();
                self.facts == changed.facts && self.plan.len() == changed.plan.len() && steps == 1
            }
            Some(Change::Fact) => {
                self.facts != changed.facts && self.plan == changed.plan && self.objects == changed.objects
            }
            Some(Change::EntityAdded) => changed.objects == self.objects + 1,
            Some(Change::EntityRemoved) => changed.objects + 1 == self.objects,
            Some(Change::Word | Change::WordsChanged | Change::QuestionWordChanged) => {
                same_story && !same_query
            }
            Some(Change::EntitiesChanged | Change::ObjectChanged) => same_story && same_family && !same_query,
            Some(Change::Paraphrased) => same_story && same_query && self.question != changed.question,
            Some(Change::NameChanged) => same_story && same_query && self.names != changed.names,
        }
    }
}
