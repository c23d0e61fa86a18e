//! Rule data sets keep what their settings ask for, judged from their files and by clingo.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use racgen::campaign::jobs::rule_data::{RuleWriting, write_rule_data, write_suite};
use racgen::campaign::join::{Joined, join};
use racgen::campaign::run::{Origin, Output};
use racgen::data::format::Format;
use racgen::items::progress::Silent;
use racgen::logic::clingo::{Program, Source};
use racgen::rules::datalog::judge::consequences;
use racgen::rules::datalog::reader::{Syntax, read_facts, read_rules};
use racgen::rules::datalog::syntax::{Arg, Atom, Fact, Rule, Vocabulary};
use racgen::rules::error::RulesError;
use racgen::rules::files::folder::Extra;
use racgen::rules::files::suite::{Member, v0};
use racgen::rules::generate::dataset::{Provenance, RuleData, rule_data};
use racgen::rules::generate::graph::subsumes;
use racgen::rules::generate::settings::{Category, RuleSettings, Scale, Share, Span, Targets, TermWeights};

use crate::files::{copy, files};
use crate::naive::naive_depths;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn settings(category: Category, depth: usize, seed: u64) -> RuleSettings {
    let components = if category == Category::Mixed { Span { low: 2, high: 3 } } else { Span::exactly(1) };
    RuleSettings { category, depth, seed, components, size: Scale::S, ..RuleSettings::default() }
}

/// Nobody stops the run.
static GO: AtomicBool = AtomicBool::new(false);

fn writing(out: &Path) -> RuleWriting {
    let items = Output { formats: vec![Format::Parquet, Format::Jsonl], ..Output::into(out) };
    RuleWriting { extras: Extra::ALL.to_vec(), questions: 12, items }
}

/// What a rule set is, from its rules alone: the category and depth of each component, sorted.
fn classify(rules: &[Rule]) -> Vec<(Category, usize)> {
    // The rules that derive a body atom; a rule's own predicate is no edge.
    let below = |rule: &Rule| -> Vec<Vec<usize>> {
        let derive = |atom: &Atom| -> Vec<usize> {
            (0..rules.len())
                .filter(|i| {
                    rules[*i].head.predicate == atom.predicate && atom.predicate != rule.head.predicate
                })
                .collect()
        };
        let predicates: BTreeSet<u32> = rule.body.iter().map(|atom| atom.predicate).collect();
        predicates.iter().filter_map(|p| rule.body.iter().find(|a| a.predicate == *p)).map(derive).collect()
    };
    let edges: Vec<Vec<Vec<usize>>> = rules.iter().map(below).collect();
    let has_parent: BTreeSet<usize> = edges.iter().flatten().flatten().copied().collect();
    let mut found = Vec::new();
    for root in (0..rules.len()).filter(|i| !has_parent.contains(i)) {
        let mut distance = BTreeMap::from([(root, 1)]);
        let mut queue = VecDeque::from([root]);
        let (mut branches, mut alternatives, mut deepest) = (false, false, 0);
        while let Some(node) = queue.pop_front() {
            let derived: Vec<&Vec<usize>> = edges[node].iter().filter(|rules| !rules.is_empty()).collect();
            branches |= derived.len() > 1;
            alternatives |= derived.iter().any(|rules| rules.len() > 1);
            if derived.is_empty() {
                deepest = deepest.max(distance[&node]);
            }
            for child in derived.into_iter().flatten() {
                if !distance.contains_key(child) {
                    distance.insert(*child, distance[&node] + 1);
                    queue.push_back(*child);
                }
            }
        }
        let category = match (branches, alternatives) {
            (_, true) => Category::Drdg,
            (true, false) => Category::Rdg,
            (false, false) => Category::Chain,
        };
        found.push((category, deepest));
    }
    found.sort();
    found
}

fn check_rules(data: &RuleData) {
    let (s, rules) = (&data.settings, data.rules());
    let shown: Vec<String> = rules.iter().map(|rule| data.vocabulary().rule(rule)).collect();
    let found = classify(&rules);
    let label = format!("{:?} depth {} seed {}: {shown:#?}", s.category, s.depth, s.seed);
    assert_eq!(found.iter().map(|(_, depth)| *depth).max(), Some(s.depth), "{label}");
    assert!((s.components.low..=s.components.high).contains(&found.len()), "{label}");
    match s.category {
        Category::Mixed => assert_ne!(found.first().map(|f| f.0), found.last().map(|f| f.0), "{label}"),
        category => assert!(found.iter().all(|(found, _)| *found == category), "{found:?} {label}"),
    }
    assert_eq!(rules.iter().any(Rule::is_recursive), s.recursive, "{label}");
    for (i, rule) in rules.iter().enumerate() {
        assert!(!rule.body.is_empty() && rule.body.len() <= s.max_length, "{label}");
        assert!(!rule.body.contains(&rule.head), "{label}");
        let bound: BTreeSet<u32> = rule.body.iter().flat_map(Atom::variables).collect();
        assert!(rule.head.variables().all(|variable| bound.contains(&variable)), "{label}");
        assert!(rule.head.variables().next().is_some(), "{label}");
        let others = rules.iter().enumerate().filter(|(j, _)| *j != i);
        assert!(others.into_iter().all(|(_, other)| !subsumes(other, rule)), "{label}");
        let mut reached: BTreeSet<u32> = rule.body[0].variables().collect();
        for _ in 0..rule.body.len() {
            for atom in &rule.body {
                if atom.variables().any(|variable| reached.contains(&variable)) {
                    reached.extend(atom.variables());
                }
            }
        }
        assert_eq!(reached, bound, "the body hangs together: {label}");
    }
    for arity in data.vocabulary().arities() {
        assert!((s.arity.low..=s.arity.high).contains(arity), "{label}");
    }
}

fn check_facts(data: &RuleData) -> Outcome<()> {
    use Provenance::{Consequence, Noise, RemovedNoise, RemovedOpenWorld, Support};
    let (s, rules) = (&data.settings, data.rules());
    let (low, high) = s.size.bounds();
    assert!((low..=high).contains(&(data.train_len() as u64)), "{}", data.train_len());
    let of = |kinds: &[Provenance]| -> BTreeSet<Fact> {
        let fits = data.train.iter().filter(|traced| kinds.contains(&traced.provenance));
        fits.map(|traced| traced.fact.clone()).collect()
    };
    let distinct: BTreeSet<&Fact> = data.train.iter().map(|traced| &traced.fact).collect();
    assert_eq!(distinct.len(), data.train.len());
    let support: Vec<Fact> = of(&[Support, RemovedNoise]).into_iter().collect();
    let all: BTreeSet<Fact> = consequences(&rules, &support)?.into_iter().collect();
    let derived = of(&[Consequence, RemovedOpenWorld]);
    assert_eq!(all, derived.iter().chain(&support).cloned().collect());
    assert!(of(&[Noise]).iter().all(|fact| !all.contains(fact)));
    // The degrees, counted anew.
    let is_target = |fact: &&Fact| data.graph.targets.contains(&fact.predicate);
    let share = |wanted: Share, part: &BTreeSet<Fact>, whole: &BTreeSet<Fact>, separate: bool| {
        let groups: Vec<bool> = if separate { vec![true, false] } else { vec![true] };
        for group in groups {
            let size =
                |set: &BTreeSet<Fact>| set.iter().filter(|f| !separate || is_target(f) == group).count();
            assert!(wanted.met(size(part), size(whole)), "{} of {}, {wanted:?}", size(part), size(whole));
        }
    };
    let separate = s.targets == Targets::Separate;
    share(s.open_world, &of(&[RemovedOpenWorld]), &derived, separate);
    share(s.missing, &of(&[RemovedNoise]), &of(&[Support, RemovedNoise]), false);
    share(s.noise, &of(&[Noise]), &of(&[Support, Consequence, Noise]), separate);
    // Proof depths.
    let eval: BTreeMap<Fact, u32> = data.eval_derived.iter().cloned().collect();
    let naive = naive_depths(&rules, &data.eval_support);
    assert_eq!(naive.len(), eval.len() + data.eval_support.len());
    assert!(eval.iter().all(|(fact, depth)| naive[fact] == *depth));
    Ok(())
}

/// Drops every rule and every body atom in turn and has clingo derive everything anew. A head variable that is
/// lost ranges over all constants.
fn check_identifiable(data: &RuleData) -> Outcome<()> {
    let (rules, vocabulary) = (data.rules(), data.vocabulary());
    let constants: BTreeSet<u32> = data.eval_support.iter().flat_map(|f| f.args.iter().copied()).collect();
    let mut shown: Vec<(String, usize)> = Vec::new();
    for predicate in 0..vocabulary.predicates() as u32 {
        shown.push((vocabulary.predicate_name(predicate).to_owned(), vocabulary.arity(predicate)));
    }
    let shown: Vec<(&str, usize)> = shown.iter().map(|(name, arity)| (name.as_str(), *arity)).collect();
    let derive = |rules: &[String]| -> Outcome<BTreeSet<String>> {
        let mut text: String = data.eval_support.iter().map(|f| vocabulary.fact(f) + ".\n").collect();
        constants.iter().for_each(|c| text += &format!("any({}).\n", vocabulary.constant_name(*c)));
        shown.iter().for_each(|(name, arity)| text += &format!("#defined {name}/{arity}.\n"));
        text += &rules.concat();
        let program = Program { sources: vec![Source::new("drop", text)], ..Program::default() };
        Ok(program.ground(&shown)?.named.iter().map(|(term, _)| term.to_string()).collect())
    };
    let texts: Vec<String> = rules.iter().map(|rule| vocabulary.rule(rule)).collect();
    let whole = derive(&texts)?;
    let mut dispensable = BTreeSet::new();
    for (i, rule) in rules.iter().enumerate() {
        let mut without = texts.clone();
        without.remove(i);
        if derive(&without)? == whole {
            dispensable.insert((i, None));
        }
        for j in 0..rule.body.len() {
            let mut shorter = rule.clone();
            shorter.body.remove(j);
            let bound: BTreeSet<u32> = shorter.body.iter().flat_map(Atom::variables).collect();
            let lost: BTreeSet<u32> = rule.head.variables().filter(|v| !bound.contains(v)).collect();
            let body: Vec<String> = shorter
                .body
                .iter()
                .map(|atom| vocabulary.atom(atom))
                .chain(lost.iter().map(|v| format!("any(X{v})")))
                .collect();
            let mut wider = texts.clone();
            let arrow = if body.is_empty() { "" } else { " :- " };
            wider[i] = format!("{}{arrow}{}.\n", vocabulary.atom(&rule.head), body.join(", "));
            if derive(&wider)? == whole {
                dispensable.insert((i, Some(j)));
            }
        }
    }
    let told: BTreeSet<(usize, Option<usize>)> = data.dispensable.iter().map(|d| (d.rule, d.atom)).collect();
    assert_eq!(told, dispensable, "{texts:#?}");
    Ok(())
}

#[test]
fn rule_sets_are_what_their_category_says() -> Outcome<()> {
    let mut made = 0;
    for category in [Category::Chain, Category::Rdg, Category::Drdg, Category::Mixed] {
        for depth in if category == Category::Chain { 1..=4 } else { 2..=4 } {
            for recursive in [false, true] {
                for seed in 0..3 {
                    let data = rule_data(&RuleSettings { recursive, ..settings(category, depth, seed) })?;
                    check_rules(&data);
                    made += 1;
                }
            }
        }
    }
    assert_eq!(made, 78);
    Ok(())
}

#[test]
fn parameters_are_kept() -> Outcome<()> {
    let base = settings(Category::Drdg, 3, 5);
    let terms = TermWeights { head: 1.0, earlier: 1.0, constant: 1.0, fresh: 1.0 };
    for s in [
        RuleSettings { arity: Span { low: 1, high: 3 }, max_length: 3, ..base.clone() },
        RuleSettings { rules: Some(Span::exactly(7)), max_or: 3, ..base.clone() },
        RuleSettings { components: Span { low: 3, high: 3 }, shared_target: true, ..base.clone() },
        RuleSettings { terms, max_length: 4, category: Category::Rdg, ..base.clone() },
        RuleSettings { predicates: Some(20), constants: Some(300), ..base.clone() },
        RuleSettings { targets: Targets::Together, facts: Some(500), ..base.clone() },
        RuleSettings { open_world: Share::exactly(0.0), missing: Share::exactly(0.0), ..base.clone() },
        RuleSettings { noise: Share::exactly(0.0), size: Scale::XS, ..base.clone() },
        RuleSettings { recursive: true, size: Scale::M, facts: Some(1500), ..base.clone() },
    ] {
        let data = rule_data(&s)?;
        if s.shared_target {
            assert_eq!((data.graph.components.len(), data.graph.targets.len()), (3, 1));
        } else {
            check_rules(&data);
        }
        if s.facts != Some(1500) {
            check_facts(&data)?;
        }
        if let Some(span) = s.rules {
            assert_eq!(data.rules().len(), span.low);
            let most = data.graph.nodes.iter().flat_map(|node| &node.below).map(Vec::len).max();
            assert!(most.is_some_and(|most| (2..=3).contains(&most)));
        }
        // Every third instance is complete, and of the others one rule in five is left out.
        let i = data.instances;
        assert!(i.complete > 0 && i.partial > 0 && i.complete * 4 < (i.complete + i.partial) * 2, "{i:?}");
        assert!(i.skipped > 0 && i.skipped * 3 < i.rules, "{i:?}");
        if let Some(predicates) = s.predicates {
            assert_eq!(data.vocabulary().predicates(), predicates);
            assert_eq!(data.constants, 300);
        }
        if let Some(facts) = s.facts {
            assert!(data.train_len().abs_diff(facts as usize) <= facts as usize / 10, "{}", data.train_len());
        }
        let constants = data.rules().iter().flat_map(|rule| &rule.body).flat_map(|atom| &atom.args).count();
        let named = |arg: &&Arg| matches!(arg, Arg::Constant(_));
        let in_rules = data.rules();
        let found = in_rules.iter().flat_map(|r| &r.body).flat_map(|a| &a.args).filter(named).count();
        assert!(constants > 0 && (found > 0) == (s.terms.constant > 0.0), "{found} constants in rules");
    }
    Ok(())
}

#[test]
fn facts_have_the_provenance_and_the_degrees_they_say() -> Outcome<()> {
    for (number, category) in
        [Category::Chain, Category::Rdg, Category::Drdg, Category::Mixed].iter().enumerate()
    {
        for size in [Scale::XS, Scale::S] {
            let s = RuleSettings {
                size,
                open_world: Share { low: 0.2, high: 0.4 },
                missing: Share { low: 0.15, high: 0.3 },
                noise: Share { low: 0.1, high: 0.3 },
                recursive: number % 2 == 1,
                ..settings(*category, 2, number as u64)
            };
            check_facts(&rule_data(&s)?)?;
        }
    }
    Ok(())
}

#[test]
fn large_sizes_are_hit() -> Outcome<()> {
    use Provenance::{Consequence, RemovedNoise, RemovedOpenWorld, Support};
    let base = settings(Category::Drdg, 3, 2);
    for facts in [None, Some(12_000)] {
        let data = rule_data(&RuleSettings { size: Scale::L, facts, ..base.clone() })?;
        check_rules(&data);
        assert!((10_001..=100_000).contains(&data.train_len()), "{}", data.train_len());
        if let Some(facts) = facts {
            assert!(data.train_len().abs_diff(facts as usize) <= facts as usize / 10, "{}", data.train_len());
        }
        let of = |kinds: [Provenance; 2]| data.train.iter().filter(move |t| kinds.contains(&t.provenance));
        let support: Vec<Fact> = of([Support, RemovedNoise]).map(|t| t.fact.clone()).collect();
        let derived = of([Consequence, RemovedOpenWorld]).count();
        assert_eq!(consequences(&data.rules(), &support)?.len(), support.len() + derived);
        let left = of([RemovedNoise, RemovedNoise]).count() as f64 / support.len() as f64;
        assert!((left - base.missing.low).abs() < 0.001, "{left}");
    }
    Ok(())
}

#[test]
fn what_can_be_dropped_is_listed() -> Outcome<()> {
    let (mut whole, mut all) = (0, 0);
    for category in [Category::Chain, Category::Rdg, Category::Drdg] {
        for seed in 0..4 {
            let data = rule_data(&RuleSettings { recursive: seed == 3, ..settings(category, 3, seed) })?;
            check_identifiable(&data)?;
            all += 1;
            whole += usize::from(data.dispensable.is_empty());
        }
    }
    assert!(whole * 4 >= all * 3, "{whole} of {all} rule sets are identifiable");
    // A set of facts on which little is: the list must say so.
    let mut data = rule_data(&settings(Category::Chain, 3, 0))?;
    data.eval_support.truncate(2);
    data.dispensable = racgen::rules::datalog::judge::dispensable(&data.rules(), &data.eval_support)?;
    assert!(!data.dispensable.is_empty());
    check_identifiable(&data)
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_threads_and_shards() -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let members: Vec<Member> = v0(3).into_iter().step_by(25).collect();
    let make = |out: &Path, threads: usize, shard: Option<(usize, usize)>| -> Outcome<bool> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let origin = Origin { command: "test".into(), seed: 3 };
        let mut writing = writing(out);
        writing.items.shard = shard;
        let (made, complete) = pool.install(|| write_suite(&members, &writing, &origin, &Silent, &GO))?;
        assert!(!complete || made.len() == members.len());
        Ok(complete)
    };
    let (whole, joined) = (folder.path().join("whole"), folder.path().join("joined"));
    assert!(make(&whole, 1, None)?);
    for shard in [2, 1] {
        let out = folder.path().join(format!("shard{shard}"));
        assert!(!make(&out, 3, Some((shard, 2)))?, "the other shard is missing");
        assert!(join(&joined).is_err(), "shard {shard} is not there yet");
        copy(&out, &joined)?;
    }
    assert!(matches!(join(&joined)?, Joined::RuleSets(made) if made.len() == members.len()));
    let runs = [files(&whole), files(&joined)];
    assert_eq!(runs[0].keys().collect::<Vec<_>>(), runs[1].keys().collect::<Vec<_>>());
    assert!(runs[0].iter().all(|(name, bytes)| runs[1][name] == *bytes));
    assert!(runs[0].len() > members.len() * 20);
    // One of them made on its own is the same, and another seed gives something else.
    let alone = folder.path().join("alone");
    write_rule_data(&rule_data(&members[1].settings)?, &writing(&alone), &GO)?;
    let rules = format!("{}/train.txt", members[1].name);
    assert_eq!(fs::read(alone.join("train.txt"))?, runs[0][&rules]);
    let other = rule_data(&RuleSettings { seed: 99, ..members[1].settings.clone() })?;
    let mut again = writing(&alone);
    again.items.force = true;
    write_rule_data(&other, &again, &GO)?;
    assert_ne!(fs::read(alone.join("train.txt"))?, runs[0][&rules]);
    Ok(())
}

#[test]
fn files_agree_with_each_other() -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("set");
    let s = RuleSettings { arity: Span { low: 1, high: 3 }, ..settings(Category::Rdg, 2, 1) };
    let data = rule_data(&s)?;
    write_rule_data(&data, &writing(&out), &GO)?;
    let set = |name: &str| -> Outcome<BTreeSet<String>> {
        let mut vocabulary = Vocabulary::default();
        let facts = read_facts(&fs::read_to_string(out.join(name))?, name, &mut vocabulary)?;
        let all: BTreeSet<String> = facts.iter().map(|fact| vocabulary.fact(fact)).collect();
        assert_eq!(all.len(), facts.len(), "{name} says a fact twice");
        Ok(all)
    };
    let [support, derived, cw, ow, noisy, train, test] =
        ["train-support", "train-conseqs", "train-cw", "train-ow", "train-cw-n", "train", "test"]
            .map(|name| set(&format!("{name}.txt")));
    let (support, derived, cw, ow, noisy, train, test) =
        (support?, derived?, cw?, ow?, noisy?, train?, test?);
    let union = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.union(b).cloned().collect::<BTreeSet<_>>();
    assert_eq!(union(&support, &derived), cw);
    assert_eq!(union(&ow, &test), cw);
    assert_eq!(union(&train, &test), noisy);
    assert!(ow.is_disjoint(&test) && train.is_disjoint(&test) && !test.is_empty());
    assert_eq!(union(&set("eval-support.txt")?, &set("eval-conseqs.txt")?), set("eval-cw.txt")?);
    for name in ["asp/train.lp", "prolog/train.pl"] {
        assert_eq!(set(name)?, train, "{name}");
    }
    let text = |name: &str| fs::read_to_string(out.join(name));
    let (entities, relations) = (text("entities.txt")?, text("relations.txt")?);
    for fact in &train {
        let (predicate, args) = fact.split_once('(').ok_or("no arguments")?;
        assert!(relations.lines().any(|line| line == predicate));
        let mut args = args.trim_end_matches(')').split(',');
        assert!(args.all(|arg| entities.lines().any(|line| line == arg)));
    }
    // clingo reads the ASP files as they are and derives eval-cw.
    let target = data.vocabulary().predicate_name(data.graph.targets[0]).to_owned();
    let arity = data.vocabulary().arity(data.graph.targets[0]);
    let sources = ["asp/rules.lp", "asp/eval.lp"].map(|name| text(name).map(|t| Source::new(name, t)));
    let [rules, eval] = sources;
    let program = Program { sources: vec![rules?, eval?], ..Program::default() };
    let ground = program.ground(&[(&target, arity)])?;
    let found: BTreeSet<String> = ground.named.iter().map(|(term, _)| term.to_string()).collect();
    let starts = format!("{target}(");
    assert_eq!(found, set("eval-cw.txt")?.into_iter().filter(|fact| fact.starts_with(&starts)).collect());
    // Learners' inputs have each training fact once, and negatives are false.
    let background = set(&format!("popper/{target}/bk.pl"))?;
    let examples = text(&format!("popper/{target}/exs.pl"))?;
    let positive: BTreeSet<String> = examples
        .lines()
        .filter_map(|line| line.strip_prefix("pos(")?.strip_suffix(").").map(str::to_owned))
        .collect();
    assert_eq!(union(&background, &positive), train);
    let negative: Vec<&str> =
        examples.lines().filter_map(|line| line.strip_prefix("neg(")?.strip_suffix(").")).collect();
    assert!(
        !negative.is_empty() && negative.iter().all(|fact| !cw.contains(*fact) && !train.contains(*fact))
    );
    assert_eq!(set(&format!("aleph/{target}.f"))?, positive);
    assert!(text(&format!("aleph/{target}.b"))?.contains(&format!(":- modeh(*,{target}(+entity")));
    let small = train.iter().filter(|fact| fact.matches(',').count() < 2).count();
    assert_eq!(text("amie/train.tsv")?.lines().count(), small);
    let manifest: serde_json::Value = serde_json::from_str(&text("manifest.json")?)?;
    assert!(small < train.len());
    let counts = [&manifest["amie"]["triples"], &manifest["amie"]["left_out"]].map(serde_json::Value::as_u64);
    assert_eq!(counts, [Some(small as u64), Some((train.len() - small) as u64)]);
    assert!(text("foil/train.d")?.contains(&format!("\n{target}(E")));
    let table = text("facts.jsonl")?;
    let rows: Vec<serde_json::Value> = table.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let in_train: BTreeSet<String> = rows
        .iter()
        .filter(|row| row["in_train"] == true)
        .filter_map(|row| row["fact"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(in_train, train);
    let parquet = fs::File::open(out.join("facts.parquet"))?;
    let reader = parquet::file::reader::SerializedFileReader::new(parquet)?;
    let count = parquet::file::reader::FileReader::metadata(&reader).file_metadata().num_rows();
    assert_eq!(count as usize, rows.len());
    // The manifest's command makes the same rules.
    let manifest: serde_json::Value = serde_json::from_str(&text("manifest.json")?)?;
    assert_eq!(manifest["achieved"]["train"], train.len());
    assert_eq!(manifest["achieved"]["rules"], data.rules().len());
    let mut vocabulary = Vocabulary::default();
    let read = read_rules(&text("rules.txt")?, "rules.txt", Syntax::Auto, &mut vocabulary)?;
    assert_eq!(read.len(), data.rules().len());
    Ok(())
}

#[test]
fn impossible_settings_say_which() {
    let s = RuleSettings::default;
    for (wrong, words) in [
        (RuleSettings { depth: 1, ..settings(Category::Rdg, 2, 0) }, "--depth 2 or more"),
        (RuleSettings { max_length: 1, ..settings(Category::Rdg, 2, 0) }, "--max-length 2"),
        (RuleSettings { max_or: 1, ..settings(Category::Drdg, 2, 0) }, "--max-or 2"),
        (RuleSettings { components: Span::exactly(1), ..settings(Category::Mixed, 2, 0) }, "--components 2"),
        (RuleSettings { rules: Some(Span::exactly(5)), ..s() }, "--rules 5 is too many for --category chain"),
        (
            RuleSettings { depth: 3, rules: Some(Span::exactly(2)), ..s() },
            "--rules 2 is too few for --depth 3",
        ),
        (RuleSettings { facts: Some(1000), ..s() }, "--facts 1000 is not within --size XS"),
        (RuleSettings { predicates: Some(3), depth: 3, ..s() }, "--predicates 3 is too few"),
        (RuleSettings { arity: Span::exactly(1), max_length: 1, recursive: true, ..s() }, "tautology"),
        (RuleSettings { constants: Some(2), size: Scale::L, ..s() }, "--constants"),
        (RuleSettings { depth: 99, ..s() }, "--depth"),
        (RuleSettings { full_every: 0, ..s() }, "--full-every"),
    ] {
        match rule_data(&wrong) {
            Err(RulesError::Settings(text)) => assert!(text.contains(words), "{text}"),
            other => panic!("{words}: {other:?}"),
        }
    }
}

#[test]
fn no_folder_is_left_when_something_is_wrong() -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let racgen = |args: &[&str]| {
        std::process::Command::new(env!("CARGO_BIN_EXE_racgen"))
            .args(args)
            .current_dir(folder.path())
            .output()
    };
    let run = racgen(&["rules", "--category", "rdg", "--depth", "1", "--out", "x"])?;
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8(run.stderr)?.contains("--depth 2 or more"));
    assert_eq!(fs::read_dir(folder.path())?.count(), 0);
    // What is not ours is not replaced, not even by force.
    fs::create_dir(folder.path().join("x"))?;
    fs::write(folder.path().join("x/test.txt"), "a thesis")?;
    let run = racgen(&["rules", "--out", "x"])?;
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8(run.stderr)?.contains("is not empty"));
    let run = racgen(&["rules", "--out", "x", "--force"])?;
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8(run.stderr)?.contains("holds `test.txt`, which racgen did not write"));
    assert_eq!(fs::read_to_string(folder.path().join("x/test.txt"))?, "a thesis");
    assert_eq!(fs::read_dir(folder.path().join("x"))?.count(), 1);
    let run = racgen(&["rules", "--out", "y", "--extras", "asp", "--quiet"])?;
    assert_eq!((run.status.code(), run.stdout.len()), (Some(0), 0));
    let run = racgen(&["rules", "--out", "y", "--extras", "none", "--force", "--seed", "1"])?;
    assert_eq!(run.status.code(), Some(0));
    assert!(!folder.path().join("y/asp").exists());
    // Questions are replaced with all that stands beside them.
    for extras in ["questions", "none", "none"] {
        let run = racgen(&["rules", "--out", "y", "--extras", extras, "--force", "--quiet"])?;
        assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(folder.path().join("y/questions").exists(), extras == "questions");
    }
    assert_eq!(fs::read_dir(folder.path())?.count(), 2);
    Ok(())
}

#[test]
fn v0_has_the_numbers_of_the_paper() {
    let members = v0(0);
    let mut counts: BTreeMap<(Category, Scale, usize), usize> = BTreeMap::new();
    for member in &members {
        let s = &member.settings;
        *counts.entry((s.category, s.size, s.depth)).or_default() += 1;
        assert_eq!((s.max_length, s.arity, s.components), (2, Span::exactly(2), Span::exactly(1)));
        assert_eq!((s.open_world.low, s.open_world.high), (0.2, 0.4));
        assert_eq!((s.missing.low, s.missing.high, s.noise.low, s.noise.high), (0.15, 0.3, 0.1, 0.3));
    }
    let seeds: BTreeSet<u64> = members.iter().map(|member| member.settings.seed).collect();
    assert_eq!((members.len(), seeds.len(), counts.len()), (196, 196, 12));
    assert!(counts.iter().all(|((category, ..), count)| match category {
        Category::Chain => *count == 10,
        _ => *count == 19 || *count == 20,
    }));
}
