//! Questions about rules in plain language: right, of known depth, and without a way to guess the answer.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;
use std::sync::atomic::AtomicBool;

use racgen::campaign::jobs::rule_data::{RuleWriting, write_rule_data};
use racgen::campaign::run::Output;
use racgen::data::format::Format;
use racgen::rules::datalog::reader::{Syntax, read_facts, read_rules};
use racgen::rules::datalog::syntax::{Arg, Rule, Vocabulary};
use racgen::rules::files::folder::Extra;
use racgen::rules::generate::dataset::rule_data;
use racgen::rules::generate::settings::{Category, RuleSettings, Scale, Span};
use racgen::rules::questions::stories::questions;

use crate::naive::naive_depths;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn settings(category: Category, depth: usize, seed: u64) -> RuleSettings {
    let components = if category == Category::Mixed { Span { low: 2, high: 3 } } else { Span::exactly(1) };
    RuleSettings { category, depth, seed, components, size: Scale::S, ..RuleSettings::default() }
}

#[test]
fn questions_are_answered_as_clingo_does() -> Outcome<()> {
    let mut told_apart = 0;
    for (category, seed) in [(Category::Chain, 0), (Category::Drdg, 1), (Category::Mixed, 2)] {
        let arity = Span { low: 1, high: if seed == 1 { 4 } else { 2 } };
        let s = RuleSettings { recursive: seed == 2, arity, max_length: 3, ..settings(category, 2, seed) };
        let data = rule_data(&s)?;
        let rows = questions(&data, 60)?;
        assert!(rows.len() >= 60, "{}", rows.len());
        let rules: String = data.rules().iter().map(|rule| data.vocabulary().rule(rule)).collect();
        let mut balance: BTreeMap<(String, i32), i32> = BTreeMap::new();
        let mut worlds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for row in &rows {
            let mut vocabulary = Vocabulary::default();
            let read = read_rules(&rules, "rules", Syntax::Auto, &mut vocabulary)?;
            let read: Vec<Rule> = read.into_iter().map(|read| read.rule).collect();
            let facts = read_facts(&row.facts.join(". "), "facts", &mut vocabulary)?;
            let naive = naive_depths(&read, &facts);
            let asked =
                row.query.strip_prefix("follows(").and_then(|q| q.strip_suffix(')')).ok_or("query")?;
            let asked = read_facts(asked, "query", &mut vocabulary)?.remove(0);
            // Nobody warns himself, unless a rule speaks of that, or passes it on to what it asks for.
            let atoms = || read.iter().flat_map(|rule| std::iter::once(&rule.head).chain(&rule.body));
            let twice = |args: &[Arg]| args.iter().enumerate().any(|(n, arg)| args[..n].contains(arg));
            let spoken: BTreeSet<u32> = atoms().filter(|a| twice(&a.args)).map(|a| a.predicate).collect();
            let mut may = spoken.clone();
            for rule in read.iter().chain(&read).filter(|rule| rule.head.args.len() > 1) {
                if may.contains(&rule.head.predicate) {
                    let wide = rule.body.iter().filter(|atom| atom.args.len() > 1);
                    may.extend(wide.map(|atom| atom.predicate));
                }
            }
            for fact in facts.iter().chain([&asked]) {
                let own: Vec<Arg> = fact.args.iter().map(|arg| Arg::Constant(*arg)).collect();
                assert!(may.contains(&fact.predicate) || !twice(&own), "{}", vocabulary.fact(fact));
                told_apart += usize::from(!may.contains(&fact.predicate));
            }
            let depth = naive.get(&asked);
            assert_eq!(row.answer, if depth.is_some() { "yes" } else { "no" });
            assert!(depth.is_none_or(|depth| *depth as i32 == row.depth));
            assert_eq!(row.gold, std::slice::from_ref(&row.answer));
            *balance.entry((row.split.to_string(), row.depth)).or_default() +=
                if row.answer == "yes" { 1 } else { -1 };
            worlds.entry(row.world.to_string()).or_default().insert(row.split.to_string());
            for object in row.objects.iter() {
                let said = asked.args.iter().any(|arg| *vocabulary.constant_name(*arg) == *object.id);
                assert_eq!(row.question.contains(&*object.name), said, "{} {}", row.question, object.name);
                assert!(row.context.contains(&*object.name), "nobody is heard of in the question only");
            }
            assert!(row.question.ends_with('?') && row.context.contains(&*row.rules));
        }
        assert!(balance.values().all(|difference| *difference == 0), "{balance:?}");
        assert!(balance.keys().any(|(_, depth)| *depth >= 2), "{balance:?}");
        assert!(worlds.values().all(|splits| splits.len() == 1));
        let ids: BTreeSet<&String> = rows.iter().map(|row| &row.id).collect();
        assert_eq!(ids.len(), rows.len());
    }
    assert!(told_apart > 100, "{told_apart}");
    Ok(())
}

/// The persons of a fact as `p(a,b)`.
fn persons(fact: &str) -> BTreeSet<&str> {
    fact.split_once('(')
        .map_or_else(BTreeSet::new, |(_, args)| args.trim_end_matches(')').split(',').collect())
}

#[test]
fn nothing_gives_the_answer_away_and_predictions_are_scored() -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("all/data");
    fs::create_dir_all(&data)?;
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let categories = [Category::Chain, Category::Rdg, Category::Drdg, Category::Mixed];
    for seed in 0..40 {
        let high = 2 + (seed % 2) as usize;
        let arity = Span { low: high - 1, high };
        let s = RuleSettings {
            arity,
            recursive: seed % 3 == 0,
            ..settings(categories[seed as usize % 4], 2, seed)
        };
        let out = folder.path().join(format!("set{seed}"));
        let writing = RuleWriting::new(&[Extra::Questions], 100, &out);
        let items = Output { formats: vec![Format::Jsonl], ..writing.items };
        let writing = RuleWriting { items, ..writing };
        write_rule_data(&rule_data(&s)?, &writing, &AtomicBool::new(false))?;
        for entry in fs::read_dir(out.join("questions/data"))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            *texts.entry(name).or_default() += &fs::read_to_string(entry.path())?;
        }
    }
    assert_eq!(texts.len(), 3);
    let (mut right, mut yes) = (String::new(), String::new());
    let mut together: BTreeMap<(i64, bool), [usize; 2]> = BTreeMap::new();
    let mut count = 0;
    for (name, text) in &texts {
        fs::write(data.join(name), text)?;
        for line in text.lines() {
            let row: serde_json::Value = serde_json::from_str(line)?;
            let (id, answer) = (&row["id"], row["answer"].as_str().ok_or("answer")?);
            right += &format!("{{\"id\":{id},\"prediction\":\"{answer}\"}}\n");
            yes += &format!("{{\"id\":{id},\"prediction\":\"yes\"}}\n");
            count += 1;
            // Does a stated fact name all persons of the question?
            let query = row["query"].as_str().and_then(|q| q.strip_prefix("follows(")).ok_or("query")?;
            let asked = persons(query.trim_end_matches(')'));
            let facts = row["facts"].as_array().ok_or("facts")?;
            let found = facts
                .iter()
                .filter_map(serde_json::Value::as_str)
                .any(|fact| asked.is_subset(&persons(fact)));
            let tally = together.entry((row["depth"].as_i64().ok_or("depth")?, answer == "yes")).or_default();
            tally[usize::from(found)] += 1;
        }
    }
    assert!(count > 4000, "{count}");
    for depth in 0..=2 {
        let share = |yes: bool| {
            let [apart, joined] = together[&(depth, yes)];
            assert!(apart + joined > 200);
            joined as f64 / (apart + joined) as f64
        };
        assert!((share(true) - share(false)).abs() < 0.05, "{depth}: {together:?}");
    }
    let racgen =
        |args: &[&str]| Command::new(env!("CARGO_BIN_EXE_racgen")).args(args).current_dir(&folder).output();
    let audit = racgen(&["audit", "all", "--sample", "0.0000001"])?;
    assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));
    fs::write(folder.path().join("right.jsonl"), &right)?;
    fs::write(folder.path().join("yes.jsonl"), &yes)?;
    let score = racgen(&["score", "right.jsonl", "yes.jsonl", "--gold", "all", "--as", "csv"])?;
    assert!(score.status.success(), "{}", String::from_utf8_lossy(&score.stderr));
    let table = String::from_utf8(score.stdout)?;
    let half = count / 2;
    for line in
        [format!("right,all,all,{count},{count},1.0000"), format!("yes,all,all,{count},{half},0.5000")]
    {
        assert!(table.contains(&line), "{line}: {table}");
    }
    // At each depth, too.
    let depths: Vec<&str> = table.lines().filter(|line| line.starts_with("yes,depth,")).collect();
    assert!(depths.len() > 2 && depths.iter().all(|line| line.contains(",0.5000,")), "{table}");
    Ok(())
}
