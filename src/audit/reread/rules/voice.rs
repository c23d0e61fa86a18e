//! Questions about rules to verdicts: clingo derives what follows from facts and rules as the text states them, round by
//! round, and what it derives must be the row's.
//!
//! The words for predicates are drawn, so that words and predicates are matched: by the facts, and by the rules where
//! those of the data set stand beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use racgen_data::row::Row;
use racgen_logic::canonical::world_key;
use racgen_logic::seed::digest;
use racgen_logic::term::Term;

use crate::audit::reread::rules::renaming::{Original, Relations, StoryForm, WordRenaming, forms, renaming};
use crate::audit::reread::rules::rounds::{PersonNumbers, rounds};
use crate::audit::reread::verdict::{Finding, Sound, Trouble, Verdict, broken, finding};
use crate::audit::reread::voice::{Voice, bare, context, misread, row_by_row, same, same_answer};
use crate::rules::datalog::syntax::{Fact, Rule};
use crate::rules::questions::reader::{TellReader, ToldArg, ToldAtom, ToldPredicate, ToldRule};
use crate::rules::questions::stories::identity;

/// Reads questions about rules.
pub(crate) struct RulesVoice {
    reader: &'static TellReader,
    original: Option<Original>,
    /// What was found to fit last, which mostly fits again.
    hint: Mutex<WordRenaming>,
}

/// A predicate and the ids of persons.
type AskedFact = (ToldPredicate, Vec<String>);

/// What the rows of a story share.
struct RulesStory {
    /// The ids of persons by their names.
    ids: BTreeMap<String, String>,
    /// The rules over the words.
    rules: Vec<StoryForm<ToldPredicate>>,
    told: Relations<ToldPredicate>,
    given: Relations<(String, usize)>,
    /// Everything that holds, with the round in which it first does.
    rounds: BTreeMap<AskedFact, u32>,
    partners: Option<StoryPairs>,
    /// The persons whom the rules name.
    named: usize,
    /// The key that most of its rows have.
    usual: Option<String>,
}

/// What the rows of a whole story ask about.
struct StoryPairs {
    /// What holds, with the round in which it first does.
    holding: Vec<(AskedFact, u32)>,
    /// How many rows ask about what does not hold, by their column depth.
    denied: BTreeMap<i32, usize>,
}

fn columns<T>(detail: impl Into<String>) -> Result<T, Finding> {
    finding(Trouble::Columns, detail)
}

impl RulesVoice {
    /// Who reads questions about the rules of this file, or about any rules.
    pub(crate) fn reader(rules: Option<(String, String)>) -> Result<RulesVoice, Finding> {
        TellReader::own().map_err(broken).and_then(|reader| {
            let original = rules.map(|(file, text)| Original::new(&file, &text)).transpose()?;
            Ok(RulesVoice { reader, original, hint: Mutex::default() })
        })
    }

    /// Words and predicates that fit each other in rules, facts and this question.
    fn renaming(&self, story: &RulesStory, asked: &ToldPredicate, name: &str) -> Option<WordRenaming> {
        let lock = || self.hint.lock().unwrap_or_else(PoisonError::into_inner);
        let hint = lock().clone();
        let rules = self.original.as_ref().map(|original| (&*original.forms, &*story.rules));
        let found = renaming(rules.unwrap_or_default(), (&story.told, &story.given), &hint, (asked, name))?;
        lock().clone_from(&found);
        Some(found)
    }
}

/// The persons of the column objects by their names.
fn persons(row: &Row) -> Result<BTreeMap<String, String>, Finding> {
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    for object in row.objects.iter() {
        let number = object.id.strip_prefix('c').and_then(|number| number.parse::<u32>().ok());
        if &*object.kind != "person" || number.is_none_or(|n| format!("c{n}") != *object.id) {
            return columns(format!("the column objects: `{}` is no id of a person", object.id));
        }
        if ids.values().any(|id| *id == *object.id)
            || ids.insert(object.name.to_string(), object.id.to_string()).is_some()
        {
            return columns(format!("the column objects: `{}` or `{}` stands twice", object.id, object.name));
        }
    }
    Ok(ids)
}

/// Facts as terms by their predicates.
fn relations(facts: &[String]) -> Result<Relations<(String, usize)>, Finding> {
    let mut given: Relations<(String, usize)> = BTreeMap::new();
    for fact in facts {
        let Ok(term) = fact.parse::<Term>() else { return columns(format!("`{fact}` is no fact")) };
        let args: Vec<String> = term.args().iter().map(Term::to_string).collect();
        let relation = given.entry((term.functor().to_owned(), args.len())).or_default();
        if !relation.insert(args) {
            return columns(format!("the column facts has `{fact}` twice"));
        }
    }
    Ok(given)
}

/// The key that more than half of the rows have.
fn usual(rows: &[&Row]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(&row.world).or_default() += 1);
    let (key, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (2 * count > rows.len()).then(|| key.to_owned())
}

impl Voice for RulesVoice {
    fn story(&self, rows: &[&Row]) -> Vec<Verdict> {
        row_by_row(self.read(rows), rows, |story, row| self.row(story, row))
    }

    fn identity(&self, row: &Row) -> Option<String> {
        Some(identity(row))
    }

    fn numbers_across(&self) -> bool {
        true
    }
}

impl RulesVoice {
    /// Reads what the rows of a story share, derives what follows, and compares it with their columns.
    fn read(&self, rows: &[&Row]) -> Result<RulesStory, Finding> {
        let Some(row) = rows.first() else { return finding(Trouble::Unreadable, "a story without rows") };
        let unread = |what: &'static str| move |cause| misread(what, "", cause);
        let facts = self.reader.facts(&row.initial_state).map_err(unread("initial state"))?;
        let told_rules = self.reader.rules(&row.rules).map_err(unread("rules"))?;
        let ids = persons(row)?;
        let name = |arg: &ToldArg| if let ToldArg::Person(name) = arg { Some(name.clone()) } else { None };
        let of_atoms = |atoms: &mut dyn Iterator<Item = &ToldAtom>| -> BTreeSet<String> {
            atoms.flat_map(|atom| &atom.args).filter_map(name).collect()
        };
        let named = of_atoms(&mut told_rules.iter().flat_map(ToldRule::atoms));
        let heard: BTreeSet<String> = of_atoms(&mut facts.iter()).union(&named).cloned().collect();
        if !heard.iter().eq(ids.keys()) {
            return columns("the column objects has others than the persons of the text");
        }
        let first: BTreeSet<String> = (0..named.len()).map(|n| format!("c{n}")).collect();
        if named.iter().map(|name| ids[name].clone()).collect::<BTreeSet<String>>() != first {
            return columns("the persons whom the rules name have not the first ids");
        }
        let id_list = |atom: &ToldAtom| -> Vec<String> {
            atom.persons().into_iter().flatten().map(|name| ids[name].clone()).collect()
        };
        let mut told: Relations<ToldPredicate> = BTreeMap::new();
        for fact in &facts {
            if !told.entry(fact.predicate.clone()).or_default().insert(id_list(fact)) {
                return finding(Trouble::Impossible, "the initial state tells a fact twice");
            }
        }
        let mut numbers =
            PersonNumbers { predicates: BTreeMap::new(), persons: ids.keys().cloned().collect() };
        let given: Option<Vec<Fact>> = facts.iter().map(|fact| numbers.fact(fact)).collect();
        let stated = told_rules.iter().map(|rule| {
            let body = rule.body.iter().map(|atom| numbers.atom(atom)).collect::<Option<_>>()?;
            Some(Rule { head: numbers.atom(&rule.head)?, body })
        });
        let stated: Option<Vec<Rule>> = stated.collect();
        let (Some(given), Some(stated)) = (given, stated) else {
            return columns("the text names somebody who is not among the objects");
        };
        let count = numbers.predicates.len() as u32;
        let predicates: BTreeMap<u32, ToldPredicate> =
            numbers.predicates.iter().map(|(told, number)| (*number, told.clone())).collect();
        let person = |arg: &u32| ids[&numbers.persons[*arg as usize]].clone();
        let rounds = rounds(&stated, &given, count)?.into_iter().map(|(fact, round)| {
            let args = fact.args.iter().map(person).collect();
            ((predicates[&fact.predicate].clone(), args), round)
        });
        let rounds: BTreeMap<AskedFact, u32> = rounds.collect();
        Ok(RulesStory {
            rules: forms(&told_rules, &ids),
            partners: self.partners(rows, &ids, &rounds),
            rounds,
            told,
            given: relations(&row.facts)?,
            named: named.len(),
            usual: usual(rows),
            ids,
        })
    }

    /// Reads and answers a row's question, and compares both with its columns.
    fn row(&self, story: &RulesStory, row: &Row) -> Result<Sound, Finding> {
        context(row)?;
        bare(row)?;
        let (asked, form) = self.asked(row, &story.ids)?;
        let round = story.rounds.get(&asked).copied();
        let answer = if round.is_some() { "yes" } else { "no" };
        same_answer(row, answer)?;
        same("gold", &row.gold.join(" "), answer)?;
        for (column, given, found) in [
            ("question_type", &*row.question_type, "verify"),
            ("family", &*row.family, "follows"),
            ("template", row.template.as_str(), format!("follows.{}", form + 1).as_str()),
            ("answer_type", &*row.answer_type, "bool"),
            ("level", &row.level.to_string(), "1"),
            ("plan", &row.plan.join(" "), ""),
            ("actions", &*row.actions, ""),
        ] {
            same(column, given, found)?;
        }
        depth(story, &asked, round, row)?;
        let predicate = query(row, &asked.1)?;
        let Some(renaming) = self.renaming(story, &asked.0, &predicate) else {
            return columns("the text is not the facts, the rules and the query in other words");
        };
        let world = self.world(story, &renaming, row)?;
        Ok(Sound { instance: world.clone(), world, trivial: None, said: [].into(), pictured: false })
    }

    /// What a row asks about, and the number of the phrasing.
    fn asked(&self, row: &Row, ids: &BTreeMap<String, String>) -> Result<(AskedFact, usize), Finding> {
        let read = self.reader.question(&row.question);
        let (asked, form) = read.map_err(|cause| misread("question", &row.question, cause))?;
        let names = asked.persons().unwrap_or_default();
        let args: Option<Vec<String>> = names.into_iter().map(|name| ids.get(name).cloned()).collect();
        match args {
            Some(args) => Ok(((asked.predicate, args), form)),
            None => columns("the question names somebody of whom the text says nothing"),
        }
    }

    /// What the rows of a story ask about, if the story is all there: as many rows ask about what holds as about what
    /// does not.
    fn partners(
        &self,
        rows: &[&Row],
        ids: &BTreeMap<String, String>,
        rounds: &BTreeMap<AskedFact, u32>,
    ) -> Option<StoryPairs> {
        let mut partners = StoryPairs { holding: Vec::new(), denied: BTreeMap::new() };
        for row in rows {
            let (asked, _) = self.asked(row, ids).ok()?;
            match rounds.get(&asked) {
                Some(round) => partners.holding.push((asked, *round)),
                None => *partners.denied.entry(row.depth).or_default() += 1,
            }
        }
        (2 * partners.holding.len() == rows.len()).then_some(partners)
    }

    /// The key of the world, which the row must have.
    fn world(&self, story: &RulesStory, renaming: &WordRenaming, row: &Row) -> Result<Arc<str>, Finding> {
        let ids: Vec<&str> = row.objects.iter().map(|object| &*object.id).collect();
        let number = |id: &str| id[1..].parse::<usize>().unwrap_or(usize::MAX);
        let kinds = ids.iter().map(|id| Some(number(id) + 1).filter(|n| *n <= story.named).unwrap_or(0));
        let kinds: Vec<usize> = kinds.collect();
        let mut facts = Vec::new();
        for (words, relation) in &story.told {
            let name = renaming.get(words).map_or("", String::as_str);
            facts.extend(
                relation
                    .iter()
                    .map(|args| Term::function(name, args.iter().map(|id| Term::constant(id)).collect())),
            );
        }
        let Some(original) = &self.original else {
            // In what order the rules come is not known, and the key depends on it.
            if story.usual.as_deref() != Some(&*row.world) {
                return columns("the column world has another key than other rows of the story");
            }
            let mut rules: Vec<String> = story.rules.iter().map(|rule| format!("{rule:?}")).collect();
            rules.sort();
            let facts: Vec<Term> = story
                .told
                .iter()
                .flat_map(|(words, relation)| {
                    let name = format!("p{}", digest([format!("{words:?}")]));
                    let term = move |args: &Vec<String>| {
                        Term::function(&name, args.iter().map(|id| Term::constant(id)).collect())
                    };
                    relation.iter().map(term).collect::<Vec<_>>()
                })
                .collect();
            return Ok(world_key(&rules.join("\n"), &ids, &kinds, &facts).into());
        };
        let world = world_key(&original.text, &ids, &kinds, &facts);
        same("world", &row.world, &world)?;
        Ok(world.into())
    }
}

/// The column depth has the round of what follows. For what does not it has that of a fact with the same predicate
/// and one other person, or with two persons exchanged: one that another row of the story asks about. Of the rows of a
/// depth, as many ask about what does not follow as about what does.
fn depth(story: &RulesStory, asked: &AskedFact, round: Option<u32>, row: &Row) -> Result<(), Finding> {
    if let Some(round) = round {
        return same("depth", &row.depth.to_string(), &round.to_string());
    }
    let near = |args: &[String]| {
        let other: Vec<usize> = (0..args.len()).filter(|n| args[*n] != asked.1[*n]).collect();
        match other[..] {
            [_] => true,
            [a, b] => args[a] == asked.1[b] && args[b] == asked.1[a],
            _ => false,
        }
    };
    let fits = |(predicate, args): &AskedFact, round: u32| {
        *predicate == asked.0 && round as i32 == row.depth && near(args)
    };
    let partner = match &story.partners {
        Some(StoryPairs { holding, denied }) => {
            let as_many = holding.iter().filter(|(_, round)| *round as i32 == row.depth).count();
            if denied.get(&row.depth) != Some(&as_many) {
                return columns(format!(
                    "of the story's rows with {} in the column depth, {as_many} ask about what follows and another number about what does not",
                    row.depth
                ));
            }
            holding.iter().any(|(fact, round)| fits(fact, *round))
        }
        None => story.rounds.iter().any(|(fact, round)| fits(fact, *round)),
    };
    if partner {
        return Ok(());
    }
    columns(format!("no fact like the one asked about follows in round {}, the column depth", row.depth))
}

/// The predicate of the column query, whose arguments must be those of the question.
fn query(row: &Row, args: &[String]) -> Result<String, Finding> {
    let parsed = row.query.parse::<Term>().ok();
    let inner = parsed.filter(|term| term.is("follows", 1)).map(|term| term.args()[0].clone());
    let Some(inner) = inner else { return columns(format!("the column query has `{}`", row.query)) };
    let given: Vec<String> = inner.args().iter().map(Term::to_string).collect();
    same("query", &given.join(","), &args.join(","))?;
    Ok(inner.functor().to_owned())
}
