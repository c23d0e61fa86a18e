//! Promise: of every exported task of all games that come with racgen, SWI-Prolog loads every Prolog file, and the
//! flattened reference rules entail every positive example and no negative one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use racgen::games::builtin::own_games;
use racgen::games::learned::respell::to_asp;
use racgen::games::learned::score::{Grounding, score, score_grounded};
use racgen::games::play::ground_game::Limits;
use racgen::games::play::traces::Playing;
use racgen::games::tasks::dat::Dat;
use racgen::games::tasks::output::{TaskFormat, TaskForms, TaskOutput};
use racgen::games::tasks::triples::TaskSettings;
use racgen::games::tasks::write_tasks::make;
use racgen::logic::clingo::{Program, Source};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Exports all games that come with racgen.
fn export(out: &Path, forms: &[TaskFormat]) -> Outcome {
    let playing = Playing { traces: 10, steps: 14, ..Playing::default() };
    let output = TaskOutput {
        out: out.to_owned(),
        forms: TaskForms {
            forms: forms.to_vec(),
            explicit_negatives: false,
            max_negatives: None,
            judged: 2,
            derived: false,
        },
    };
    for (_, game) in own_games() {
        let cut = TaskSettings::default();
        make(game?, None, &playing, &cut, &output, &Limits::default(), &AtomicBool::new(false))?;
    }
    Ok(())
}

fn folders(at: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(at)?.flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    found.sort();
    Ok(found)
}

fn files(at: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(at)? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}

/// Loads each file named on standard input into a module of its own; whatever SWI-Prolog remarks is an error. What Aleph
/// declares is declared to do nothing.
const LOADER: &str = "
:- dynamic(seen/1).
modeh(_,_). modeb(_,_). determination(_,_). set(_,_).
:- op(500, fy, #).
user:message_hook(Term, Kind, _) :-
    memberchk(Kind, [error, warning]),
    (seen(File) -> true ; File = none),
    message_to_codes(Term, Text), format('~w: ~w: ~s~n', [Kind, File, Text]).
message_to_codes(Term, Codes) :- with_output_to(codes(Codes), print(Term)).
main :-
    style_check(-singleton),
    read_string(user_input, _, Text), split_string(Text, \"\\n\", \"\", Lines),
    foldl(load, Lines, 0, Count), format('loaded ~w~n', [Count]).
load(\"\", Count, Count) :- !.
load(Line, Count, Next) :-
    atom_string(File, Line), retractall(seen(_)), assertz(seen(File)),
    atom_concat('module of ', File, Module),
    catch(load_files(Module:File, []), Error, (print_message(error, Error))),
    Next is Count + 1.
";

#[test]
fn prolog_loads_every_file_of_every_task() -> Outcome {
    if !crate::skipped::has("swipl", "prolog_loads_every_file_of_every_task") {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("tasks");
    export(&out, &[TaskFormat::Popper, TaskFormat::Aleph, TaskFormat::Metagol, TaskFormat::Ilasp])?;
    let loader = folder.path().join("loader.pl");
    std::fs::write(&loader, LOADER)?;
    let load = |list: &[PathBuf]| -> Result<String, std::io::Error> {
        let names = folder.path().join("names");
        let text: String = list.iter().map(|p| format!("{}\n", p.display())).collect();
        std::fs::write(&names, text)?;
        let ran = Command::new("swipl")
            .args(["-q", "-g", "main", "-t", "halt"])
            .arg(&loader)
            .stdin(std::fs::File::open(&names)?)
            .output()?;
        Ok(String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr))
    };
    // Popper hands its bias to clingo, and so it is not Prolog.
    let prolog = |p: &PathBuf| {
        let extension = p.extension().unwrap_or_default().to_string_lossy().into_owned();
        matches!(extension.as_str(), "pl" | "b" | "f" | "n") && !p.ends_with("bias.pl")
    };
    let list: Vec<PathBuf> = files(&out)?.into_iter().filter(prolog).collect();
    let told = load(&list)?;
    assert_eq!(told.trim(), format!("loaded {}", list.len()));
    println!("SWI-Prolog loaded {} files", list.len());
    assert!(list.len() > 18 * 4 * 6);

    // The loader would tell.
    let broken = folder.path().join("broken.pl");
    std::fs::write(&broken, "p(1) :- .\n")?;
    assert!(load(std::slice::from_ref(&broken))?.contains("error"));
    std::fs::write(&broken, "p(1).\nq(1).\np(2).\n")?;
    assert!(load(&[broken])?.contains("warning"));
    Ok(())
}

#[test]
fn clingo_reads_every_bias() -> Outcome {
    let folder = tempfile::tempdir()?;
    export(folder.path(), &[TaskFormat::Popper])?;
    let mut count = 0;
    for path in files(folder.path())?.into_iter().filter(|p| p.ends_with("bias.pl")) {
        let text = std::fs::read_to_string(&path)?;
        let sources = vec![Source::new("bias.pl", text.as_str())];
        let program = Program { sources, ..Program::default() };
        let ground = program.ground(&[("head_pred", 2), ("body_pred", 2)])?;
        assert_eq!(ground.predicate("head_pred", 2).count(), 1, "{}", path.display());
        assert!(ground.predicate("body_pred", 2).count() > 0, "{}", path.display());
        // Popper wants a type and a direction for each argument of each relation, and looks them up by name.
        let mut names = BTreeSet::new();
        for (term, _) in &ground.named {
            let (name, arity) = (term.args()[0].to_string(), term.args()[1].to_string().parse::<usize>()?);
            assert!(names.insert(name.clone()), "{name} in {}", path.display());
            for what in ["type", "direction"] {
                let start = format!("{what}({name},(");
                let lines: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix(&start)).collect();
                let places =
                    lines.concat().trim_end_matches(")).").split(',').filter(|p| !p.is_empty()).count();
                assert!(lines.len() == 1 && places == arity, "{what} of {name} in {}", path.display());
            }
        }
        count += 1;
    }
    println!("clingo read {count} files");
    assert!(count >= 18 * 3);
    Ok(())
}

/// A literal's relation and number of arguments.
fn signature(literal: &str) -> (String, usize) {
    let Some((name, rest)) = literal.split_once('(') else { return (literal.to_owned(), 0) };
    let mut depth = 0;
    let mut count = 1;
    for c in rest.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        count += usize::from(c == ',' && depth == 0);
    }
    (name.to_owned(), count)
}

fn with_first(literal: &str, first: &str) -> String {
    match literal.split_once('(') {
        Some((name, rest)) => format!("{name}({first},{rest}"),
        None => format!("{literal}({first})"),
    }
}

/// The conditions of a rule, separated by commas outside parentheses.
fn conditions(body: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in body.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if c == ',' && depth == 0 {
            parts.push(body[start..at].trim());
            start = at + 1;
        }
    }
    parts.push(body[start..].trim());
    parts
}

/// Reference rules about one triple as rules about all: each relation that is not static gets the triple's name first.
fn indexed(rules: &str, statics: &BTreeSet<(String, usize)>) -> String {
    let mut text = String::new();
    for line in to_asp(rules).lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with(['%', '#'])) {
        let line = line.trim_end_matches('.');
        let (head, body) = line.split_once(" :- ").unwrap_or((line, ""));
        let mut parts = vec!["triple(Triple)".to_owned()];
        for condition in conditions(body).into_iter().filter(|c| !c.is_empty()) {
            let (not, literal) = match condition.strip_prefix("not ") {
                Some(rest) => ("not ", rest.trim()),
                None => ("", condition),
            };
            let compares = literal.contains(" = ") || literal.contains(" != ");
            if compares || statics.contains(&signature(literal)) {
                parts.push(format!("{not}{literal}"));
            } else {
                parts.push(format!("{not}{}", with_first(literal, "Triple")));
            }
        }
        text += &format!("{} :- {}.\n", with_first(head, "Triple"), parts.join(", "));
    }
    text
}

/// Examples of one sign, without their wrapper.
fn examples(text: &str, sign: &str) -> Vec<String> {
    let unwrap = |line: &str| {
        let rest = line.trim().strip_prefix(sign)?.strip_prefix('(')?;
        Some(rest.strip_suffix(").")?.to_owned())
    };
    text.lines().filter_map(unwrap).collect()
}

fn compact(atom: &str) -> String {
    atom.replace(", ", ",")
}

#[test]
fn the_reference_entails_every_positive_and_no_negative_of_every_exported_task() -> Outcome {
    let folder = tempfile::tempdir()?;
    export(folder.path(), &[TaskFormat::Popper, TaskFormat::Aleph, TaskFormat::Metagol, TaskFormat::Ilasp])?;
    let (mut tasks, mut positives, mut negatives, mut negations) = (0, 0, 0, 0);
    for task in folders(&folder.path().join("popper"))? {
        let name = task.file_name().unwrap_or_default().to_owned();
        let reference = std::fs::read_to_string(task.join("reference.pl"))?;
        assert!(task.join("reference.lp").exists());
        let relations = folders(&task)?;
        let Some(any) = relations.first() else { continue };
        // All relations of a task share their background.
        let background = std::fs::read_to_string(any.join("bk.pl"))?;
        let is_triple = |s: &str| s.strip_prefix('t').is_some_and(|n| n.parse::<u32>().is_ok());
        let mut statics = BTreeSet::new();
        for fact in background.lines() {
            let first = fact.split_once('(').map_or("", |(_, r)| r.split([',', ')']).next().unwrap_or(""));
            if !is_triple(first) {
                statics.insert(signature(fact.trim_end_matches('.')));
            }
        }
        // A relation and its negation share out all atoms of a triple.
        let facts: BTreeSet<&str> = background.lines().collect();
        for fact in facts.iter().filter_map(|fact| fact.strip_prefix("not_")) {
            assert!(!facts.contains(fact), "{name:?} {fact}");
            negations += 1;
        }
        let mut program = indexed(&reference, &statics) + &background + "\n#defined triple/1.\n";
        let mut wanted: BTreeSet<(String, usize)> = BTreeSet::new();
        let mut signs: Vec<(String, bool)> = Vec::new();
        let mut triples = BTreeSet::new();
        for relation in &relations {
            assert_eq!(std::fs::read_to_string(relation.join("bk.pl"))?, background);
            let text = std::fs::read_to_string(relation.join("exs.pl"))?;
            let (positive, negative) = (examples(&text, "pos"), examples(&text, "neg"));
            assert!(!positive.is_empty() && !negative.is_empty(), "{name:?} {}", relation.display());
            // The other systems are given the same examples.
            let stem = relation.file_name().unwrap_or_default().to_string_lossy().into_owned();
            for (extension, own) in [("f", &positive), ("n", &negative)] {
                let path = folder.path().join("aleph").join(&name).join(format!("{stem}.{extension}"));
                let lines: Vec<String> = std::fs::read_to_string(path)?.lines().map(str::to_owned).collect();
                assert_eq!(lines, own.iter().map(|a| format!("{a}.")).collect::<Vec<_>>());
            }
            let path = folder.path().join("metagol").join(&name).join(format!("{stem}.pl"));
            let metagol = std::fs::read_to_string(path)?;
            assert_eq!(
                (examples(&metagol, "pos"), examples(&metagol, "neg")),
                (positive.clone(), negative.clone())
            );
            let path = folder.path().join("ilasp").join(&name).join(format!("{stem}.ilasp"));
            for line in std::fs::read_to_string(path)?.lines().filter_map(|l| l.strip_prefix("#pos(")) {
                let (id, rest) = line.split_once(", {").ok_or("no example")?;
                triples.insert(id.to_owned());
                let sets: Vec<&str> = rest.split("}, {").collect();
                for (set, sign) in sets.iter().zip([true, false]) {
                    let atoms = conditions(set).into_iter().filter(|a| !a.is_empty());
                    signs.extend(atoms.map(|a| (compact(&with_first(a, id)), sign)));
                }
            }
            signs.extend(positive.iter().map(|a| (compact(a), true)));
            signs.extend(negative.iter().map(|a| (compact(a), false)));
        }
        for (atom, sign) in &signs {
            let (name, arity) = signature(atom);
            wanted.insert((name, arity));
            let first = atom.split_once('(').map_or("", |(_, r)| r.split([',', ')']).next().unwrap_or(""));
            triples.insert(first.to_owned());
            if *sign { positives += 1 } else { negatives += 1 }
        }
        triples.iter().for_each(|t| program += &format!("triple({t}). "));
        // What is never the case in these triples is undefined.
        let mut used: BTreeMap<(String, usize), ()> = BTreeMap::new();
        for line in indexed(&reference, &statics).lines() {
            let body = line.trim_end_matches('.').split_once(" :- ").map_or("", |(_, body)| body);
            for literal in conditions(body) {
                let literal = literal.trim_start_matches("not ").trim();
                if !literal.contains('=') {
                    used.insert(signature(literal), ());
                }
            }
        }
        used.keys().for_each(|(name, arity)| program += &format!("#defined {name}/{arity}. "));
        let shown: Vec<(&str, usize)> = wanted.iter().map(|(n, a)| (n.as_str(), *a)).collect();
        let program = Program { sources: vec![Source::new("task", program)], ..Program::default() };
        let ground = program.ground(&shown).map_err(|e| format!("{name:?}: {e}"))?;
        // Stratified rules are decided by grounding alone.
        assert!(ground.named.iter().all(|(_, atom)| atom.is_none()));
        let derived: BTreeSet<String> = ground.named.iter().map(|(term, _)| term.to_string()).collect();
        for (atom, sign) in &signs {
            assert_eq!(derived.contains(atom), *sign, "{name:?} {atom}");
        }
        tasks += 1;
    }
    println!("{tasks} tasks, {positives} positives, {negatives} negatives, {negations} negations");
    assert!(negations > 10_000);
    // Where there is nothing to learn, nothing is written.
    assert!((50..=72).contains(&tasks) && positives > 10_000 && negatives > 10_000);
    Ok(())
}

/// Grounding once with the backgrounds open comes to the same as grounding each triple, also for programs that are wrong.
#[test]
fn grounding_once_scores_as_grounding_each_triple_does() -> Outcome {
    let folder = tempfile::tempdir()?;
    export(folder.path(), &[TaskFormat::Dat])?;
    let mut wrong = 0;
    for name in ["minimal_decay", "tic_tac_toe", "coins", "tron", "buttons_and_lights", "checkers_small"] {
        let rules = std::fs::read_to_string(folder.path().join(format!("{name}.reference.lp")))?;
        for target in ["legal", "next", "goal", "terminal"] {
            let file = format!("{name}_{target}_test.dat");
            let dat = Dat::read(&std::fs::read_to_string(folder.path().join(&file))?, &file)?;
            for left_out in 0..4 {
                // Without every fourth rule; where one was, its head is still known of.
                let kept = |(n, line): (usize, &str)| {
                    let rule = !line.starts_with(['%', '#']);
                    let head = line.split(" :- ").next().unwrap_or_default();
                    let (functor, arity) = signature(head.trim_end_matches('.'));
                    if rule && n % 4 == left_out {
                        format!("#defined {functor}/{arity}.")
                    } else {
                        line.to_owned()
                    }
                };
                let program: String = rules.lines().enumerate().map(kept).map(|line| line + "\n").collect();
                let score = |grounding| score_grounded(&program, "wrong.lp", &dat, grounding, &|| ());
                let (once, each) = (score(Grounding::Once)?, score(Grounding::Each)?);
                assert_eq!(once, each, "{name} {target} {left_out}");
                wrong += usize::from(!once.tally.perfect());
            }
        }
    }
    println!("{wrong} of 96 programs were wrong");
    assert!(wrong > 20);
    // Negation in a loop is left to clingo, triple by triple; what it does not decide does not follow.
    let path = folder.path().join("minimal_decay_next_test.dat");
    let dat = Dat::read(&std::fs::read_to_string(&path)?, "test.dat")?;
    let program =
        "a :- not b. b :- not a, true_level(1). next_level(4) :- a. next_level(0) :- true_level(1).";
    let score = |grounding| score_grounded(program, "loop.lp", &dat, grounding, &|| ());
    assert_eq!(score(Grounding::Once)?, score(Grounding::Each)?);
    Ok(())
}

#[test]
fn the_reference_beside_each_task_solves_all_its_splits() -> Outcome {
    let folder = tempfile::tempdir()?;
    export(folder.path(), &[TaskFormat::Dat])?;
    let mut count = 0;
    for (_, game) in own_games() {
        let name = game?.name;
        for target in ["legal", "next", "goal", "terminal"] {
            for split in ["train", "validate", "test"] {
                let task = folder.path().join(format!("{name}_{target}_{split}.dat"));
                for ending in ["lp", "pl"] {
                    let tally = score(&folder.path().join(format!("{name}.reference.{ending}")), &task)?;
                    assert!(
                        tally.perfect() || tally.positives + tally.negatives == 0,
                        "{name} {target} {split}"
                    );
                    count += 1;
                }
            }
        }
    }
    assert_eq!(count, 18 * 4 * 3 * 2);
    Ok(())
}
