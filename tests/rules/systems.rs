//! What is exported for other systems, read by them, or as closely as can be without them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;

use racgen::campaign::jobs::rule_data::{RuleWriting, write_rule_data};
use racgen::rules::datalog::judge::consequences;
use racgen::rules::datalog::reader::read_facts;
use racgen::rules::datalog::syntax::{Arg, Atom, Fact, Rule, Vocabulary};
use racgen::rules::files::folder::Extra;
use racgen::rules::generate::dataset::{RuleData, rule_data};
use racgen::rules::generate::settings::{Category, RuleSettings, Scale, Share, Span, TermWeights};
use racgen::rules::generate::wrong_rules::wrong_rules;
use tempfile::TempDir;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Rule sets of all categories, with recursion, several arities, and constants in bodies.
fn all_kinds() -> Outcome<Vec<RuleData>> {
    let base = RuleSettings { size: Scale::S, facts: Some(300), depth: 2, ..RuleSettings::default() };
    let constants = TermWeights { head: 2.0, earlier: 2.0, constant: 1.0, fresh: 2.0 };
    let kinds = [
        base.clone(),
        RuleSettings { category: Category::Rdg, arity: Span { low: 1, high: 3 }, ..base.clone() },
        RuleSettings { category: Category::Drdg, recursive: true, ..base.clone() },
        RuleSettings { category: Category::Rdg, terms: constants, max_length: 3, ..base.clone() },
        RuleSettings { category: Category::Mixed, components: Span::exactly(3), recursive: true, ..base },
    ];
    kinds.iter().map(|s| Ok(rule_data(s)?)).collect()
}

/// These rule sets, each with the folder `set` that it is written into.
fn all_written() -> Outcome<Vec<(RuleData, TempDir)>> {
    let written = |data: RuleData| {
        let folder = tempfile::tempdir()?;
        let writing = RuleWriting::new(&Extra::ALL, 0, &folder.path().join("set"));
        write_rule_data(&data, &writing, &AtomicBool::new(false))?;
        Ok((data, folder))
    };
    all_kinds()?.into_iter().map(written).collect()
}

/// Runs a goal after files are loaded; what it prints. Warnings and errors fail.
fn swipl(files: &[&str], goal: &str, folder: &Path) -> Outcome<String> {
    let mut command = Command::new("swipl");
    command.args(["-q", "-f", "none", "-g", goal, "-t", "halt"]).args(files).current_dir(folder);
    let run = command.output()?;
    let complaint = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.success() && complaint.is_empty(), "{files:?} {goal}: {complaint}");
    Ok(String::from_utf8(run.stdout)?)
}

fn is_there(program: &str) -> bool {
    crate::skipped::has(program, "rule sets in other systems")
}

/// A goal that prints how many distinct facts of a predicate hold.
fn count_goal(vocabulary: &Vocabulary, predicate: u32) -> String {
    let args: Vec<String> = (0..vocabulary.arity(predicate)).map(|i| format!("A{i}")).collect();
    let args = args.join(",");
    let atom = format!("{}({args})", vocabulary.predicate_name(predicate));
    // Without bindings, so that goals do not share them.
    format!("\\+ \\+ (findall([{args}],{atom},L),sort(L,S),length(S,N),writeln(N))")
}

fn by_predicate<'f>(facts: impl Iterator<Item = &'f Fact>) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    facts.for_each(|fact| *counts.entry(fact.predicate).or_default() += 1);
    counts
}

#[test]
fn swi_prolog_derives_the_consequences_from_the_exported_theory() -> Outcome<()> {
    if !is_there("swipl") {
        return Ok(());
    }
    for (data, folder) in all_written()? {
        let out = folder.path().join("set");
        let check = |file: &str, counts: &BTreeMap<u32, usize>| -> Outcome<()> {
            let goals: Vec<String> = counts.keys().map(|p| count_goal(data.vocabulary(), *p)).collect();
            let told = swipl(&[file], &goals.join(","), &out)?;
            let told: Vec<usize> = told.lines().map(str::parse).collect::<Result<_, _>>()?;
            assert_eq!(told, counts.values().copied().collect::<Vec<_>>(), "{file}");
            Ok(())
        };
        let derived = data.eval_derived.iter().map(|(fact, _)| fact);
        check("prolog/theory.pl", &by_predicate(data.eval_support.iter().chain(derived)))?;
        let train = data.train.iter().filter(|traced| traced.provenance.stays()).map(|traced| &traced.fact);
        check("prolog/train.pl", &by_predicate(train))?;
    }
    Ok(())
}

/// Popper loads background and examples with SWI-Prolog, and reads the bias with clingo.
#[test]
fn poppers_input_loads() -> Outcome<()> {
    let prolog = is_there("swipl");
    for (data, folder) in all_written()? {
        let out = folder.path().join("set");
        let vocabulary = data.vocabulary();
        for target in &data.graph.targets {
            let name = vocabulary.predicate_name(*target);
            let arity = vocabulary.arity(*target);
            let here = out.join("popper").join(name);
            let bias = racgen::logic::clingo::Program {
                sources: vec![racgen::logic::clingo::Source::new(
                    "bias.pl",
                    fs::read_to_string(here.join("bias.pl"))?,
                )],
                ..racgen::logic::clingo::Program::default()
            };
            let shown = [("head_pred", 2), ("body_pred", 2), ("max_vars", 1), ("max_body", 1)];
            let ground = bias.ground(&shown)?;
            let settings: BTreeSet<String> = ground.named.iter().map(|(term, _)| term.to_string()).collect();
            assert!(settings.contains(&format!("head_pred({name},{arity})")), "{settings:?}");
            assert!(!settings.contains(&format!("body_pred({name},{arity})")), "{settings:?}");
            let bk = fs::read_to_string(here.join("bk.pl"))?;
            let given: BTreeSet<&str> = bk.lines().filter_map(|line| line.split('(').next()).collect();
            let bodies = settings.iter().filter(|setting| setting.starts_with("body_pred(")).count();
            assert_eq!(bodies, given.len());
            if prolog {
                let goal = format!(
                    "forall((pos(F);neg(F)),functor(F,{name},{arity})),aggregate_all(count,pos(_),P),writeln(P)"
                );
                let told = swipl(&["bk.pl", "exs.pl"], &goal, &here)?;
                let fits = |traced: &&racgen::rules::generate::dataset::Traced| {
                    traced.provenance.stays() && traced.fact.predicate == *target
                };
                assert_eq!(told.trim(), data.train.iter().filter(fits).count().to_string());
            }
        }
    }
    Ok(())
}

/// Stand-ins for Aleph's directives, which note what they are told.
const ALEPH: &str = "
:- op(500,fy,#).
:- dynamic told/1.
set(Name,Value) :- atom(Name), integer(Value), assertz(told(set(Name,Value))).
modeh(Recall,Head) :- Recall == (*), good(Head), assertz(told(modeh(Head))).
modeb(Recall,Body) :- Recall == (*), good(Body), assertz(told(modeb(Body))).
determination(Target/N,Body/M) :- atom(Target), integer(N), assertz(told(determination(Body/M))).
good(Mode) :- Mode =.. [_|Args], Args \\== [], forall(member(A,Args), (A == +entity ; A == -entity ; A == #entity)).
";

/// Each background predicate of a determination has its facts, and a mode that is fed by the head.
#[test]
fn alephs_input_loads() -> Outcome<()> {
    if !is_there("swipl") {
        return Ok(());
    }
    for (data, folder) in all_written()? {
        let out = folder.path().join("set");
        fs::write(out.join("stubs.pl"), ALEPH)?;
        let constants = data
            .rules()
            .iter()
            .flat_map(|rule| &rule.body)
            .flat_map(|atom| &atom.args)
            .any(|arg| matches!(arg, racgen::rules::datalog::syntax::Arg::Constant(_)));
        for target in &data.graph.targets {
            let name = data.vocabulary().predicate_name(*target);
            let goal = format!(
                "load_files('aleph/{name}.b',[]),told(modeh(H)),functor(H,{name},_),\
                 forall((told(determination(P/N)),P\\=={name}),\
                 (functor(F,P,N),once(F),functor(M,P,N),once((told(modeb(M)),arg(_,M,+entity))))),\
                 ((told(modeb(B)),arg(_,B,#entity))->writeln(constants);writeln(variables))"
            );
            let told = swipl(&["stubs.pl"], &goal, &out)?;
            assert_eq!(told.trim(), if constants { "constants" } else { "variables" });
            for (end, least) in [("f", 1), ("n", 1)] {
                let file = format!("aleph/{name}.{end}");
                let goal = format!(
                    "read_file_to_terms('{file}',T,[]),forall(member(F,T),(ground(F),functor(F,{name},_))),\
                     length(T,N),N>={least}"
                );
                swipl(&[], &goal, &out)?;
            }
        }
    }
    Ok(())
}

/// An exported negative refutes each rule of a target that is wrong in one thing, unless the manifest says that nothing
/// does. This one was once perfect in training: `p4(A,B) :- p3(A,B)`.
#[test]
fn exported_negatives_refute_rules_that_are_wrong_in_one_thing() -> Outcome<()> {
    let none = Share { low: 0.0, high: 0.0 };
    let base = RuleSettings { size: Scale::S, facts: Some(300), depth: 2, ..RuleSettings::default() };
    let clean = RuleSettings { open_world: none, missing: none, noise: none, ..base.clone() };
    let (mut refuted, mut of_all, mut listed) = (0, 0, 0);
    for (number, category) in [Category::Chain, Category::Rdg, Category::Drdg].into_iter().enumerate() {
        for seed in [11, 12, 13] {
            let noisy = RuleSettings { category, seed, ..base.clone() };
            for s in [RuleSettings { category, seed, ..clean.clone() }, noisy] {
                let data = rule_data(&s)?;
                let folder = tempfile::tempdir()?;
                let out = folder.path().join("set");
                let writing = RuleWriting::new(&[Extra::Popper], 0, &out);
                write_rule_data(&data, &writing, &AtomicBool::new(false))?;
                let unrefuted = data.unrefuted.as_ref().ok_or("not tried")?;
                let manifest = fs::read_to_string(out.join("manifest.json"))?;
                for wrong in unrefuted {
                    assert!(manifest.contains(&wrong.text(&data.rules(), data.vocabulary())), "{manifest}");
                }
                listed += unrefuted.len();
                for wrong in wrong_rules(&data.rules()) {
                    let target = wrong.rule.head.predicate;
                    if !data.graph.targets.contains(&target) {
                        continue;
                    }
                    of_all += 1;
                    let here = out.join("popper").join(data.vocabulary().predicate_name(target));
                    let mut vocabulary = data.vocabulary().clone();
                    let facts = read_facts(&fs::read_to_string(here.join("bk.pl"))?, "bk", &mut vocabulary)?;
                    let examples = fs::read_to_string(here.join("exs.pl"))?;
                    let of = |sign: &str| -> String {
                        let inner = |line: &str| {
                            Some(line.strip_prefix(sign)?.strip_suffix(").")?.to_owned() + ".\n")
                        };
                        examples.lines().filter_map(inner).collect()
                    };
                    let positives = read_facts(&of("pos("), "exs", &mut vocabulary)?;
                    let negatives = read_facts(&of("neg("), "exs", &mut vocabulary)?;
                    // A rule without what binds its head derives whatever is asked.
                    let bound: Vec<u32> = wrong.rule.body.iter().flat_map(Atom::variables).collect();
                    let head = Atom {
                        predicate: vocabulary.predicates() as u32,
                        args: wrong
                            .rule
                            .head
                            .args
                            .iter()
                            .filter(|arg| match arg {
                                Arg::Variable(v) => bound.contains(v),
                                Arg::Constant(_) => true,
                            })
                            .copied()
                            .collect(),
                    };
                    let places: Vec<usize> = (0..wrong.rule.head.args.len())
                        .filter(|n| match wrong.rule.head.args[*n] {
                            Arg::Variable(v) => bound.contains(&v),
                            Arg::Constant(_) => true,
                        })
                        .collect();
                    let goal = head.predicate;
                    let rule = Rule { head, body: wrong.rule.body.clone() };
                    let all: Vec<Fact> = facts.into_iter().chain(positives).collect();
                    let derived: BTreeSet<Box<[u32]>> = consequences(&[rule], &all)?
                        .into_iter()
                        .filter(|fact| fact.predicate == goal)
                        .map(|fact| fact.args)
                        .collect();
                    let is_refuted = negatives.iter().any(|fact| {
                        derived.contains(&places.iter().map(|n| fact.args[*n]).collect::<Box<[u32]>>())
                    });
                    assert!(
                        is_refuted || unrefuted.contains(&wrong),
                        "{number} {seed} {}",
                        wrong.text(&data.rules(), data.vocabulary())
                    );
                    refuted += usize::from(is_refuted);
                }
            }
        }
    }
    println!("{refuted} of {of_all} wrong rules for targets are refuted; {listed} of any head are listed");
    assert!(refuted * 10 >= of_all * 9 && of_all > 60);
    Ok(())
}
