//! Promise: questions about games have the answers that the flattened rules give, yes and no are balanced whatever is
//! known without the steps, and no two splits share a state.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use racgen::audit::attacks::thresholds::Thresholds;
use racgen::audit::run::{AuditOptions, audit};
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::games::gdl::syntax::Game;
use racgen::games::words::phrase_book::GameBook;
use racgen::items::progress::Progress;
use racgen::logic::clingo::{Program, Source};

type Outcome = Result<(), Box<dyn std::error::Error>>;

struct Silent;

impl Progress for Silent {
    fn begin(&self, _: u64, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// Runs `racgen games items`.
fn make(out: &Path, arguments: &[&str]) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_racgen"));
    command.args(["games", "items", "--format", "jsonl", "--force", "--out"]).arg(out).args(arguments);
    let ran = command.output()?;
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let mut files: Vec<_> = std::fs::read_dir(out.join("data"))?.flatten().map(|e| e.path()).collect();
    files.sort();
    let mut rows = Vec::new();
    for file in files {
        for line in std::fs::read_to_string(file)?.lines() {
            rows.push(serde_json::from_str(line)?);
        }
    }
    Ok(rows)
}

/// What the flattened rules say of a state and moves: all atoms of the targets.
struct Referee(BTreeMap<String, (String, Vec<(String, usize)>)>);

impl Referee {
    fn new(folder: &Path) -> Result<Referee, Box<dyn std::error::Error>> {
        let mut rules = BTreeMap::new();
        let is_flat = |entry: &std::fs::DirEntry| entry.path().extension().is_some_and(|end| end == "lp");
        for entry in std::fs::read_dir(folder)?.flatten().filter(is_flat) {
            let name = entry.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(entry.path())?;
            // Heads of the targets' rules, with their numbers of arguments.
            let mut heads: BTreeSet<(String, usize)> = BTreeSet::new();
            for line in text.lines().filter(|l| !l.starts_with(['%', '#'])) {
                let head: racgen::logic::term::Term =
                    anonymous(line.split(" :- ").next().unwrap_or_default().trim_end_matches('.'))?;
                heads.insert((head.functor().to_owned(), head.args().len()));
            }
            rules.insert(name, (text, heads.into_iter().collect()));
        }
        Ok(Referee(rules))
    }

    fn ask(
        &self,
        game: &str,
        facts: impl Iterator<Item = String>,
    ) -> Result<BTreeSet<String>, Box<dyn std::error::Error>> {
        let (rules, heads) = &self.0[game];
        let text: String = facts.map(|fact| fact + ".\n").collect();
        let sources = vec![Source::new("reference", rules.as_str()), Source::new("facts", text)];
        let shown: Vec<(&str, usize)> = heads.iter().map(|(n, a)| (n.as_str(), *a)).collect();
        let ground = Program { sources, ..Program::default() }.ground(&shown)?;
        Ok(ground.named.iter().map(|(term, _)| term.to_string()).collect())
    }
}

/// A head with variables as a term with constants in their place.
fn anonymous(head: &str) -> Result<racgen::logic::term::Term, racgen::logic::error::LogicError> {
    let (name, rest) = head.split_once('(').map_or((head, ""), |(n, r)| (n, r));
    let mut depth = 0;
    let places = rest.chars().filter(|c| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        *c == ',' && depth == 0
    });
    let places = if rest.is_empty() { 0 } else { places.count() + 1 };
    let arguments = vec!["v"; places].join(",");
    if places == 0 { name.parse() } else { format!("{name}({arguments})").parse() }
}

/// The value of the open place `any` in a form, for an atom that fits it.
fn opened(form: &racgen::logic::term::Term, atom: &racgen::logic::term::Term) -> Option<Vec<String>> {
    if !atom.is(form.functor(), form.args().len()) {
        return None;
    }
    let mut values = Vec::new();
    for (place, own) in form.args().iter().zip(atom.args()) {
        if place.is("any", 0) {
            values.push(own.to_string());
        } else if place != own {
            return None;
        }
    }
    Some(values)
}

/// An answer, and the states passed.
type Derived = (BTreeSet<String>, Vec<BTreeSet<String>>);

/// The answer to a row by the reference rules alone, and the states passed.
fn derive(referee: &Referee, row: &Row) -> Result<Derived, Box<dyn std::error::Error>> {
    let is_state = |fact: &&String| fact.starts_with("true_") || fact.starts_with("true(");
    let mut state: BTreeSet<String> = row.facts.iter().filter(is_state).cloned().collect();
    let statics: Vec<&String> = row.facts.iter().filter(|f| !is_state(f)).collect();
    let mut passed = vec![state.clone()];
    let roles = row.plan.len() / row.depth.max(1) as usize;
    let all = |state: &BTreeSet<String>, moves: &[String]| {
        let facts =
            statics.iter().map(|s| (*s).clone()).chain(state.iter().cloned()).chain(moves.iter().cloned());
        referee.ask(&row.domain, facts)
    };
    for step in 0..row.depth as usize {
        let found = all(&state, &row.plan[step * roles..(step + 1) * roles])?;
        let next = found.iter().filter_map(|a| a.strip_prefix("next")).filter(|a| a.starts_with(['_', '(']));
        state = next.map(|rest| format!("true{rest}")).collect();
        passed.push(state.clone());
    }
    let found = all(&state, &[])?;
    let query: racgen::logic::term::Term = row.query.parse()?;
    let first = query.args().first().map(ToString::to_string).unwrap_or_default();
    let legal = || -> BTreeSet<String> {
        let own = |atom: &&String| {
            let role = atom.split_once('(').and_then(|(_, rest)| rest.split([',', ')']).next());
            (atom.starts_with("legal_") || atom.starts_with("legal(")) && role == Some(&first)
        };
        found.iter().filter(own).cloned().collect()
    };
    let fitting = || -> Result<Vec<Vec<String>>, racgen::logic::error::LogicError> {
        let mut values = Vec::new();
        for atom in &state {
            values.extend(opened(&query.args()[0], &atom.parse()?));
        }
        Ok(values)
    };
    let answer: BTreeSet<String> = match &*row.family {
        "holds" => [state.contains(&row.query)].map(yes).into(),
        "legal" | "goal" | "terminal" => [found.contains(&row.query)].map(yes).into(),
        "count_legal" => [legal().len().to_string()].into(),
        "count_holds" => [fitting()?.len().to_string()].into(),
        "which_legal" => legal(),
        "which_holds" => fitting()?.concat().into_iter().collect(),
        "goal_value" => {
            let start = format!("goal({first},");
            found
                .iter()
                .filter_map(|a| Some(a.strip_prefix(&start)?.trim_end_matches(')').to_owned()))
                .collect()
        }
        other => return Err(format!("unknown family {other}").into()),
    };
    let answer = if answer.is_empty() { ["none".to_owned()].into() } else { answer };
    Ok((answer, passed))
}

fn yes(value: bool) -> String {
    if value { "yes".into() } else { "no".into() }
}

#[test]
fn answers_follow_from_the_flattened_rules_and_splits_share_no_state() -> Outcome {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("items");
    let rows = make(&out, &["all", "--items", "60", "--depth", "0-2", "--traces", "200"])?;
    let referee = Referee::new(&out.join("reference"))?;
    assert_eq!(referee.0.len(), 18);
    let mut of_state: BTreeMap<(String, BTreeSet<String>), String> = BTreeMap::new();
    let mut families: BTreeMap<String, usize> = BTreeMap::new();
    for row in &rows {
        let (answer, passed) = derive(&referee, row)?;
        let gold: BTreeSet<String> = row.gold.iter().cloned().collect();
        assert_eq!(answer, gold, "{} {} {:?} {:?}", row.domain, row.query, row.facts, row.plan);
        *families.entry(row.family.to_string()).or_default() += 1;
        for state in passed {
            let split =
                of_state.entry((row.domain.to_string(), state)).or_insert_with(|| row.split.to_string());
            assert_eq!(*split, *row.split, "{} {}", row.domain, row.id);
        }
        assert_eq!(row.plan.is_empty(), row.depth == 0);
        assert!(!row.initial_state.is_empty() && !row.actions.is_empty());
        assert!(row.question.ends_with('?') && !row.context.contains("  ") && !row.context.contains("{{"));
        assert!(row.question.starts_with(char::is_uppercase), "{}", row.question);
    }
    println!("{} rows derived again: {families:?}", rows.len());
    assert!(families.len() == 9 && families.values().all(|n| *n > 10), "{families:?}");
    Ok(())
}

#[test]
fn labels_are_balanced_whatever_is_known_without_the_steps() -> Outcome {
    let folder = tempfile::tempdir()?;
    let rows =
        make(folder.path(), &["tic_tac_toe", "coins", "connect_four", "--items", "900", "--depth", "0-2"])?;
    // By split, depth and question: as many yes as no.
    let mut sums: BTreeMap<(&str, &str, i32, &str), i32> = BTreeMap::new();
    // By what held at first: the same.
    let mut inertia: BTreeMap<(&str, &str, i32, bool), i32> = BTreeMap::new();
    let mut changed = 0;
    for row in rows.iter().filter(|r| r.question_type == "verify") {
        let sign = if row.answer == "yes" { 1 } else { -1 };
        *sums.entry((&row.domain, &row.split, row.depth, &row.query)).or_default() += sign;
        if &*row.family == "holds" {
            let at_first = row.facts.contains(&row.query);
            *inertia.entry((&row.domain, &row.split, row.depth, at_first)).or_default() += sign;
            changed += i32::from(at_first != (row.answer == "yes")) * 2 - 1;
        }
    }
    assert!(sums.len() > 100 && sums.values().all(|sum| *sum == 0));
    assert!(inertia.len() > 8 && inertia.values().all(|sum| *sum == 0));
    assert_eq!(changed, 0, "half of the fluents asked about have changed");
    Ok(())
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_threads() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut manifests = BTreeSet::new();
    for (name, threads, seed) in [("one", "1", "0"), ("three", "3", "0"), ("other", "2", "1")] {
        let out = folder.path().join(name);
        make(
            &out,
            &["tic_tac_toe", "prisoners_dilemma", "--items", "80", "--threads", threads, "--seed", seed],
        )?;
        // The manifest has the SHA-256 of each file.
        manifests.insert(std::fs::read_to_string(out.join("manifest.json"))?);
    }
    assert_eq!(manifests.len(), 2);
    Ok(())
}

#[test]
fn the_checks_of_an_audit_that_need_no_reading_pass() -> Outcome {
    let folder = tempfile::tempdir()?;
    make(folder.path(), &["tic_tac_toe", "connect_four", "tron", "--items", "1500", "--depth", "0-2"])?;
    // Games do not even out the answers of one family: of tron's counts 38 % are 0.
    let thresholds = Thresholds::with(&["answer_share=0.5".into()])?;
    let options = AuditOptions { thresholds, ..AuditOptions::default() };
    let report = audit(folder.path(), &Catalogue::find(&[])?, &options, &Silent)?;
    assert!(report.pass, "{}", report.table());
    assert!(report.items > 3000);
    Ok(())
}

#[test]
fn phrase_books_drop_in_and_their_faults_are_told() -> Outcome {
    let folder = tempfile::tempdir()?;
    let game = folder.path().join("walk.kif");
    std::fs::write(
        &game,
        "(role Ann) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (legal Ann stay)
         (<= (legal Ann go) (true (at ?x)) (succ ?x ?y)) (<= (next (at ?y)) (does Ann go) (true (at ?x)) (succ ?x ?y))
         (<= (next (at ?x)) (does Ann stay) (true (at ?x))) (<= (goal Ann ?x) (true (at ?x)))
         (<= terminal (true (at 5)))",
    )?;
    let book = |at: &str| {
        format!(
            "[terms]\nAnn = \"Anna\"\n[fluent.\"{at}\"]\neach = [\"the walker is at {{{{ place }}}}.\", \"at \
             {{{{ place }}}} is the walker.\", \"there, at {{{{ place }}}}, is the walker.\", \"place {{{{ place }}}} \
             has the walker.\"]\nask = [\"Is the walker at {{{{ place }}}}?\", \"Is it at {{{{ place }}}} that the \
             walker is?\", \"Has the walker come to {{{{ place }}}}?\", \"Does {{{{ place }}}} have the walker?\"]\n"
        )
    };
    let action = |name: &str| {
        let list = |end: &str| {
            // A clause, which has no end, begins with a small letter.
            let start = if end.is_empty() { "would" } else { "Would" };
            let forms = ["x", "y", "z", "w"].map(|w| format!("\"{start} {{{{ who }}}} {name} {w}{end}\""));
            format!("[{}]", forms.join(", "))
        };
        format!(
            "[action.\"{name}(who: role)\"]\ndid = {}\ncan = {}\nif = {}\n",
            list("."),
            list("?"),
            list("")
        )
    };
    let path = folder.path().join("walk.phrases.toml");
    let text = book("at(place: number)") + &action("go") + &action("stay");
    std::fs::write(&path, &text)?;
    let name = game.to_string_lossy().into_owned();
    let rows = make(&folder.path().join("told"), &[&name, "--items", "40", "--depth", "0-1"])?;
    assert!(rows.iter().all(|r| r.initial_state.contains("walker") && !r.initial_state.contains("at(")));
    assert!(rows.iter().any(|r| r.objects.iter().any(|o| &*o.name == "Anna")));
    let rows = make(&folder.path().join("flat"), &[&name, "--items", "40", "--generic"])?;
    assert!(rows.iter().all(|r| r.initial_state.contains("at(")));

    let refused = |text: String| -> Result<String, std::io::Error> {
        std::fs::write(&path, text)?;
        let mut command = Command::new(env!("CARGO_BIN_EXE_racgen"));
        let ran = command.args(["games", "items", &name, "--out"]).arg(folder.path().join("no")).output()?;
        assert_eq!(ran.status.code(), Some(2));
        Ok(String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    let told = refused(book("at(place: number)") + &action("go"))?;
    assert!(told.contains("walk.phrases.toml: there is no entry for action.\"stay/1\""), "{told}");
    let told = refused(text.replace("{{ place }}.\"", "{{ spot }}.\""))?;
    assert!(told.contains("walk.phrases.toml:4") && told.contains("`place`"), "{told}");
    Ok(())
}

#[test]
fn the_phrase_books_that_come_with_racgen_read() -> Outcome {
    let mut books = 0;
    for (file, text) in racgen::games::builtin::own_texts() {
        let game = Game::read(text, &file)?;
        let Some((file, text)) = racgen::games::builtin::own_phrases(&game.name) else { continue };
        GameBook::of(&game, Some((&file, text)))?;
        books += 1;
    }
    assert!(books >= 4);
    Ok(())
}

/// A move is told by a verb that goes with any name, with the player first: no "makes the move move(3,1)".
#[test]
fn moves_in_flat_terms_read_well() -> Outcome {
    let folder = tempfile::tempdir()?;
    let checkers = concat!(env!("CARGO_MANIFEST_DIR"), "/games/checkers_small.kif");
    let out = folder.path().join("moves");
    let rows = make(&out, &[checkers, "-n", "60", "--traces", "10", "--depth", "1-2", "--judge", "1"])?;
    let mut verbs: BTreeSet<String> = BTreeSet::new();
    for row in &rows {
        let steps = row.context.split("\n\n").filter(|part| part.contains("tep 1")).collect::<String>();
        for player in ["white", "black"] {
            for (at, _) in steps.match_indices(&format!("{player} ")) {
                let rest: Vec<&str> = steps[at..].splitn(3, ' ').collect();
                let action = rest[2].split([' ', '.']).next().unwrap_or_default();
                assert!(action.contains('(') || action.starts_with("wait"), "{steps}");
                verbs.insert(rest[1].to_owned());
            }
        }
    }
    assert_eq!(verbs.iter().collect::<Vec<_>>(), ["chooses", "does", "plays", "selects"]);
    Ok(())
}
