//! The text in the vocabulary of the generic domain says all there is to know: a reader that has nothing but the
//! text answers every question, and as the domain's own text would have it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use racgen::data::row::Row;
use racgen::domain::package::Package;
use racgen::factory::settings::Settings;
use racgen::factory::source::Factory;
use racgen::items::clock::Clock;
use racgen::items::source::{GROUP_SIZE, Item, Split};
use regex::Regex;

use crate::common::made;

const LIST: &str = r"(-?\d+(?:, -?\d+)*)";

/// Rows of depths 1 and 3.
fn rows(domain: &str, level: i32, as_generic: bool, items: u64) -> Vec<Row> {
    let package = Package::load(domain).unwrap_or_else(|faults| panic!("{}", faults[0]));
    let settings = Settings {
        levels: vec![level],
        depths: vec![1, 3],
        items,
        splits: vec![Split { name: "train".into(), weight: 1.0 }],
        seed: 7,
        as_generic,
        ..Settings::default()
    };
    let factory = Factory::new(package, settings, Duration::from_secs(60));
    let clock = Clock::default();
    let mut all = Vec::new();
    for (stream, rows) in factory.streams(0) {
        for group in 0..rows.div_ceil(GROUP_SIZE) {
            let items = factory.group(stream, group, rows, &clock).unwrap_or_else(|error| panic!("{error}"));
            all.extend(items.into_iter().map(|item| item.row));
        }
    }
    all
}

/// A pattern, compiled once.
fn regex(pattern: &str) -> Regex {
    static KNOWN: Mutex<BTreeMap<String, Regex>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(pattern.to_owned()).or_insert_with(|| Regex::new(pattern).unwrap()).clone()
}

fn numbers(text: &str) -> Vec<i64> {
    regex(r"-?\b\d+").find_iter(text).map(|n| n.as_str().parse().unwrap()).collect()
}

fn sentences(text: &str) -> Vec<&str> {
    text.split_inclusive(['.', '?'])
        .map(|s| s.trim().trim_end_matches('.'))
        .filter(|s| !s.is_empty())
        .collect()
}

/// What the text says, numbers for fluents, with a minus sign where they are false.
#[derive(Default)]
struct Told {
    fluents: Vec<i64>,
    actions: Vec<i64>,
    initial: BTreeSet<i64>,
    preconditions: BTreeMap<i64, Vec<i64>>,
    effects: Vec<(i64, Vec<i64>, Vec<i64>)>,
    laws: Vec<(i64, Vec<i64>)>,
    defined: Vec<i64>,
    plan: Vec<i64>,
}

/// Sentences of the rules, with groups for action (`a`), effects or consequence (`e`) and conditions (`c`).
fn forms() -> Vec<(&'static str, Regex)> {
    let action = r"(?<a>\d+)";
    let effects = LIST.replacen('(', "(?<e>", 1);
    let conditions = LIST.replacen('(', "(?<c>", 1);
    let form = |kind, text: &str| {
        let text = text.replace("A#", action).replace("E#", &effects).replace("C#", &conditions);
        (kind, Regex::new(&format!("^{text}$")).unwrap())
    };
    vec![
        form("precondition", "The precondition of action A# is C#"),
        form("precondition", "Action A# has the precondition C#"),
        form("precondition", "As its precondition, action A# requires C#"),
        form("precondition", "For action A# the precondition is C#"),
        form("precondition", "The precondition for executing action A# is this: C#"),
        form("effect", "Action A# causes E#(?: if C#)?"),
        form("effect", "Executing action A# causes E#(?: if C#)?"),
        form("effect", "(?:Whenever|When) action A# is executed, it causes E#(?: if C#)?"),
        form("effect", "Action A# brings about E#"),
        form("effect", "If C#, then action A# brings about E#"),
        form("effect", "The execution of action A# results in E#"),
        form("effect", "Given C#, the execution of action A# results in E#"),
        form("law", "Static law: E# if C#"),
        form("law", "There is a static law that causes E# if C#"),
        form("law", "A static law causes E# under the conditions C#"),
        form("law", "If C#, then by a static law E#"),
        form("law", "By a static law, E# is caused, given C#"),
        form("defined", "Static laws alone settle these fluents: E#"),
        form("defined", "The following fluents depend on static laws only: E#"),
        form("defined", "These fluents are determined by static laws: E#"),
        form("defined", "The values of these fluents follow from static laws: E#"),
        form("defined", "Whether the fluents in this list are true is decided .* by static laws: E#"),
    ]
}

impl Told {
    fn read(row: &Row, forms: &[(&str, Regex)]) -> Told {
        let mut told = Told::default();
        let state = sentences(&row.initial_state);
        assert_eq!(state.len(), 3, "{}", row.initial_state);
        told.fluents = numbers(state[0]);
        told.actions = numbers(state[1]);
        told.initial = numbers(state[2]).into_iter().collect();
        told.plan = numbers(&row.actions);
        for sentence in sentences(&row.rules) {
            if numbers(sentence).is_empty() {
                continue;
            }
            let found = forms.iter().find_map(|(kind, form)| Some((*kind, form.captures(sentence)?)));
            let (kind, found) = found.unwrap_or_else(|| panic!("no form fits: {sentence}"));
            let list = |name: &str| found.name(name).map_or(Vec::new(), |m| numbers(m.as_str()));
            match kind {
                "precondition" => drop(told.preconditions.insert(list("a")[0], list("c"))),
                "effect" => told.effects.push((list("a")[0], list("e"), list("c"))),
                "law" => told.laws.push((list("e")[0], list("c"))),
                _ => told.defined = list("e"),
            }
        }
        told
    }

    fn holds(&self, literal: i64, situation: &BTreeSet<i64>) -> bool {
        situation.contains(&literal.abs()) == (literal > 0)
    }

    /// Settles the defined fluents anew.
    fn settle(&self, situation: &BTreeSet<i64>) -> BTreeSet<i64> {
        let mut settled: BTreeSet<i64> =
            situation.iter().filter(|f| !self.defined.contains(f)).copied().collect();
        loop {
            let applies =
                |(_, conditions): &&(i64, Vec<i64>)| conditions.iter().all(|c| self.holds(*c, &settled));
            let derived: Vec<i64> = self.laws.iter().filter(applies).map(|(fluent, _)| *fluent).collect();
            let before = settled.len();
            settled.extend(derived);
            if settled.len() == before {
                return settled;
            }
        }
    }

    fn executable(&self, action: i64, situation: &BTreeSet<i64>) -> bool {
        assert!(self.actions.contains(&action));
        self.preconditions.get(&action).is_none_or(|p| p.iter().all(|c| self.holds(*c, situation)))
    }

    fn execute(&self, action: i64, situation: &BTreeSet<i64>) -> BTreeSet<i64> {
        assert!(self.executable(action, situation), "action {action} cannot be executed");
        let mut next = situation.clone();
        let mut caused = BTreeSet::new();
        for (_, effects, conditions) in self.effects.iter().filter(|(a, ..)| *a == action) {
            if conditions.iter().all(|c| self.holds(*c, situation)) {
                caused.extend(effects);
            }
        }
        for literal in &caused {
            assert!(!caused.contains(&-literal), "action {action} makes {literal} true and false");
            if *literal > 0 {
                next.insert(*literal)
            } else {
                next.remove(&-literal)
            };
        }
        self.settle(&next)
    }

    /// The answer to a question, from its words.
    fn answer(&self, question: &str) -> String {
        let is = |pattern: &str| regex(&format!("(?i){pattern}")).is_match(question);
        let all = |pattern: &str| -> Vec<String> {
            let pattern = regex(&pattern.replace("LIST", LIST));
            pattern.captures_iter(question).map(|c| c[1].to_owned()).collect()
        };
        let mut situation = self.initial.clone();
        if !is("initial situation|very beginning|before the first|described at the start") {
            for action in &self.plan {
                situation = self.execute(*action, &situation);
            }
        }
        let yes_no = |yes| if yes { "yes" } else { "no" }.to_owned();
        let mut singles: Vec<i64> = all(r"action (\d+)").iter().map(|n| n.parse().unwrap()).collect();
        let fluents = [all("fluents LIST"), all(r"fluent (\d+)")].concat();
        if is("whether|change thereby") {
            let fluent = numbers(&fluents[0])[0];
            let next = self.execute(singles[0], &situation);
            return yes_no(self.holds(fluent, &situation) != self.holds(fluent, &next));
        }
        let listed = all("actions LIST");
        let every = is(r"how many (of (all )?the )?actions (can|are|is)|number of executable actions\?");
        let about_actions = fluents.is_empty();
        let things = match (about_actions, every) {
            (false, _) => numbers(&fluents[0]),
            (true, true) => self.actions.clone(),
            (true, false) if !listed.is_empty() => numbers(&listed[0]),
            (true, false) => vec![singles.pop().unwrap()],
        };
        for action in singles {
            situation = self.execute(action, &situation);
        }
        let wanted = !is("false");
        let so = |thing: &&i64| match about_actions {
            true => self.executable(**thing, &situation),
            false => self.holds(**thing, &situation) == wanted,
        };
        let found: Vec<&i64> = things.iter().filter(so).collect();
        if is("how many|number of") {
            found.len().to_string()
        } else if is(r"\bwhich\b|what are the") {
            let names: Vec<String> = found.iter().map(|n| n.to_string()).collect();
            if names.is_empty() { "none".into() } else { names.join(", ") }
        } else if is("at least one|one or more") {
            yes_no(!found.is_empty())
        } else {
            assert!(things.len() == 1 || is(r"all of|\beach\b|every single|any one"), "{question}");
            yes_no(found.len() == things.len())
        }
    }
}

#[test]
fn the_text_alone_answers_every_question() {
    for domain in ["blocks", "logistics", "dwr"] {
        check(domain, 1, 240);
    }
}

#[test]
#[ignore = "takes most of a minute; the texts are long"]
fn the_text_of_large_worlds_answers_every_question() {
    for domain in ["blocks", "logistics", "dwr"] {
        check(domain, 5, 40);
    }
}

fn check(domain: &str, level: i32, items: u64) {
    let forms = forms();
    let rows = rows(domain, level, true, items);
    let mut forms_asked = BTreeSet::new();
    for row in &rows {
        let told = Told::read(row, &forms);
        assert_eq!(told.settle(&told.initial), told.initial, "the initial state obeys the static laws");
        assert_eq!(told.answer(&row.question), row.answer, "{domain}: {}\n{}", row.question, row.query);
        forms_asked.insert(row.template.rsplit_once('.').unwrap().0.rsplit('/').next().unwrap().to_owned());
        // No number is a part of another, and the objects say what each stands for.
        let mut seen: Vec<i64> = told.fluents.iter().chain(&told.actions).copied().collect();
        let names = row.objects.iter().filter(|o| ["fluent", "action"].contains(&&*o.kind));
        let listed: Vec<i64> = names.clone().map(|o| o.name.parse().unwrap()).collect();
        assert_eq!(listed, seen);
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), listed.len());
        assert!(seen.iter().all(|n| n.to_string().len() == seen[0].to_string().len()));
        let meaning: BTreeMap<&str, &str> = names.map(|o| (&*o.name, &*o.id)).collect();
        if row.answer_type.starts_with("name") {
            let gold: Vec<&str> = row.answer.split(", ").map(|n| meaning[n]).collect();
            assert_eq!(gold, row.gold);
        }
        let plan: Vec<&str> = told.plan.iter().map(|n| meaning[n.to_string().as_str()]).collect();
        assert_eq!(plan, &*row.plan);
    }
    let longest = rows.iter().map(|row| row.context.len()).max().unwrap();
    println!("{domain} N{level}: {} rows of at most {longest} characters, {forms_asked:?}", rows.len());
}

#[test]
fn answers_are_those_of_the_own_vocabulary() {
    for domain in ["blocks", "logistics", "dwr"] {
        let key = |row: &Row| (row.facts.clone(), row.plan.clone(), row.query.clone());
        let own: BTreeMap<_, _> =
            rows(domain, 1, false, 800).into_iter().map(|row| (key(&row), row)).collect();
        let mut shared = 0;
        for row in rows(domain, 1, true, 800) {
            let Some(other) = own.get(&key(&row)) else { continue };
            shared += 1;
            assert_eq!(row.world, other.world);
            match &*row.question_type {
                "other" if row.answer == "none" => assert_eq!(other.answer, "none"),
                "other" => assert_eq!(row.gold.len(), other.gold.len()),
                _ => assert_eq!(row.answer, other.answer, "{}", row.query),
            }
        }
        println!("{domain}: {shared} questions asked in both");
        assert!(shared >= 20, "{domain}: only {shared} questions asked in both vocabularies");
    }
}

#[test]
fn splits_know_their_numbers() {
    let settings = Settings {
        items: 900,
        holdout_phrasings: 0.2,
        holdout_names: 0.2,
        as_generic: true,
        ..Settings::default()
    };
    let package = Package::load("dwr").unwrap_or_else(|faults| panic!("{}", faults[0]));
    let factory = Factory::new(package, settings, Duration::from_secs(60));
    let (mut answers, mut named) = (Vec::new(), Vec::new());
    for split in 0..factory.splits().len() {
        let (mut words, mut names) = (BTreeSet::new(), BTreeSet::new());
        for (stream, rows) in factory.streams(split) {
            for group in 0..rows.div_ceil(GROUP_SIZE) {
                let items = factory.group(stream, group, rows, &Clock::default());
                for Item { row, .. } in items.unwrap_or_else(|error| panic!("{error}")) {
                    words.extend(row.answer.split(", ").map(str::to_owned));
                    names.extend(numbers(&row.initial_state));
                }
            }
        }
        answers.push(words);
        named.push(names);
    }
    // train, validation, test, test_language
    assert!(answers[1].is_subset(&answers[0]) && answers[2].is_subset(&answers[0]));
    assert!(named[..3].iter().all(|names| names.is_disjoint(&named[3])));
}

#[test]
fn families_that_cannot_be_told_are_named() {
    let settings = Settings { items: 30, as_generic: true, ..Settings::default() };
    let package = Package::load("blocks").unwrap_or_else(|faults| panic!("{}", faults[0]));
    let factory = Factory::new(package, settings, Duration::from_secs(60));
    factory.schedule(1, 1, &Clock::default()).unwrap_or_else(|error| panic!("{error}"));
    let left_out = factory.left_out();
    let reasons: Vec<&str> = left_out
        .iter()
        .filter(|(.., left)| left.family == "tallest_stack")
        .map(|(.., left)| left.reason.as_str())
        .collect();
    assert_eq!(reasons, ["it asks about more than a list of fluents or of actions"]);
}

/// Two questions of a domain may come to the same in the vocabulary of the generic one: in blocks, how many stacks there
/// are, and how many blocks are on the table. Only one of them is asked of a story.
#[test]
fn no_question_is_asked_twice_in_other_terms() {
    for seed in [1, 4] {
        let settings = Settings {
            levels: vec![2, 3],
            depths: vec![2],
            items: 300,
            seed,
            as_generic: true,
            ..Settings::default()
        };
        let mut seen = std::collections::BTreeMap::new();
        for item in made("blocks", &settings) {
            let text = (item.row.context.to_string(), item.row.question.clone());
            if let Some(other) = seen.insert(text, item.row.query.clone()) {
                panic!("{other} and {} are both asked as: {}", item.row.query, item.row.question);
            }
        }
    }
}
