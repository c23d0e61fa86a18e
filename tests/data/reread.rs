//! Promise: `racgen audit` reads items of games and questions about rules back from their texts, and catches whatever is
//! wrong with one.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use racgen::audit::reread::judge::Reread;
use racgen::audit::reread::verdict::{Trouble, Verdict};
use racgen::audit::run::{AuditOptions, audit};
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::items::progress::Progress;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::wrong::another_answer;

const LIMIT: Duration = Duration::from_secs(60);
const GAMES: [&str; 6] = [
    "tic_tac_toe",
    "buttons_and_lights",
    "rock_paper_scissors",
    "prisoners_dilemma",
    "connect_four",
    "eight_puzzle",
];

/// How many changed rows are judged at most for each kind of change, taken from all over a set.
const MOST_CHANGED: usize = 180;

struct Silent;

impl Progress for Silent {
    fn begin(&self, _: u64, _: u64) {}
    fn advance(&self, _: u64) {}
}

fn racgen(arguments: &[&str], folder: &Path) -> String {
    let command = Command::new(env!("CARGO_BIN_EXE_racgen")).args(arguments).current_dir(folder).output();
    let output = command.unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// A data set in a folder of its own.
struct Set {
    _folder: tempfile::TempDir,
    path: PathBuf,
    rows: Vec<Row>,
}

impl Set {
    fn made(arguments: &[&str], data: &str) -> Set {
        let folder = tempfile::tempdir().unwrap();
        racgen(arguments, folder.path());
        let path = folder.path().join(data);
        let rows = racgen::data::read::rows::rows(&path).unwrap().collect::<Result<_, _>>().unwrap();
        Set { _folder: folder, path, rows }
    }

    fn games(flat: bool) -> Set {
        let mut arguments = vec!["games", "items"];
        arguments.extend(GAMES);
        arguments.extend("--items 60 --depth 0-2 --traces 150 --format jsonl --out items".split(' '));
        if flat {
            arguments.push("--generic");
        }
        Set::made(&arguments, "items")
    }

    fn rules(options: &str, questions: usize) -> Set {
        let all =
            format!("rules --format jsonl --extras questions --questions {questions} --out r -q {options}");
        Set::made(&all.split(' ').collect::<Vec<_>>(), "r/questions")
    }

    fn judge(&self, rows: &[Row]) -> Vec<Verdict> {
        let catalogue = Catalogue::find(&[]).unwrap();
        Reread::new(&catalogue, LIMIT).with(&self.path).judge(rows, &|_| ())
    }

    fn assert_sound(&self) {
        for (row, verdict) in self.rows.iter().zip(self.judge(&self.rows)) {
            let sound = verdict.unwrap_or_else(|found| panic!("{}: {found:?}\n{row:?}", row.domain));
            assert!(*sound.world == *row.world || !self.has_rules());
        }
    }

    fn has_rules(&self) -> bool {
        &*self.rows[0].domain != "rules" || self.path.parent().unwrap().join("rules.txt").exists()
    }

    /// Changes each row, those apart that cannot be changed so; of these, or some from all over the set, the share that is found out, and
    /// with what troubles.
    fn caught(&self, name: &str, mut change: impl FnMut(&mut Row, &mut ChaCha8Rng) -> bool) -> f64 {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut changed = self.rows.clone();
        changed.retain_mut(|row| {
            let before = row.clone();
            change(row, &mut rng) && *row != before
        });
        assert!(changed.len() >= 60, "{name}: only {} changes", changed.len());
        let every = changed.len().div_ceil(MOST_CHANGED);
        changed = changed.into_iter().step_by(every).collect();
        changed.iter_mut().for_each(recontext);
        let mut troubles: BTreeMap<Trouble, usize> = BTreeMap::new();
        let mut missed = Vec::new();
        for (row, verdict) in changed.iter().zip(self.judge(&changed)) {
            match verdict {
                Ok(_) => missed.push(row),
                Err(found) => *troubles.entry(found.trouble).or_default() += 1,
            }
        }
        let share = 1.0 - missed.len() as f64 / changed.len() as f64;
        println!("{name}: {:.1} % of {} caught, {troubles:?}", 100.0 * share, changed.len());
        for row in missed.iter().take(2) {
            println!("  missed: {}\n  {} {} {}", row.context, row.question, row.answer, row.query);
        }
        share
    }

    /// Changes one row of each story, the first that can be changed so, and leaves the others: each must be found out.
    fn assert_story_caught(&self, name: &str, mut change: impl FnMut(&mut Row) -> bool) {
        let mut rows = self.rows.clone();
        let mut stories = HashSet::new();
        let mut changed = Vec::new();
        for (number, row) in rows.iter_mut().enumerate() {
            let mut other = row.clone();
            if !stories.contains(&row.context) && change(&mut other) {
                stories.insert(row.context.clone());
                *row = other;
                changed.push(number);
            }
        }
        let verdicts = self.judge(&rows);
        let missed = changed.iter().filter(|number| verdicts[**number].is_ok()).count();
        assert_eq!(missed, 0, "{name}: of {} rows", changed.len());
    }

    fn assert_caught(&self, name: &str, change: impl FnMut(&mut Row, &mut ChaCha8Rng) -> bool) {
        assert!(self.caught(name, change) >= 0.95, "{name}");
    }
}

fn recontext(row: &mut Row) {
    let parts = [&*row.initial_state, &row.rules, &row.actions];
    let told: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    row.context = told.join("\n\n").into();
}

/// Where a name stands as a whole word.
fn places(text: &str, name: &str) -> Vec<usize> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let free = |at: usize| !text[..at].ends_with(word) && !text[at + name.len()..].starts_with(word);
    text.match_indices(name).map(|(at, _)| at).filter(|at| free(*at)).collect()
}

/// One name somewhere in the text becomes another of its type.
fn rename(row: &Row, text: &str, rng: &mut ChaCha8Rng) -> Option<String> {
    let mut ways = Vec::new();
    for object in row.objects.iter() {
        let others = row.objects.iter().filter(|o| o.kind == object.kind && o.name != object.name);
        let others: Vec<&str> = others.map(|other| &*other.name).collect();
        for at in places(text, &object.name) {
            ways.extend(others.iter().map(|other| (at, object.name.len(), *other)));
        }
    }
    ways.shuffle(rng);
    let (at, length, other) = ways.first()?;
    Some(format!("{}{other}{}", &text[..*at], &text[at + length..]))
}

/// The text without one of its sentences.
fn shorter(text: &str, rng: &mut ChaCha8Rng) -> String {
    let mut sentences: Vec<&str> = text.split_inclusive(". ").collect();
    sentences.remove(rng.random_range(0..sentences.len()));
    sentences.concat().trim_end().to_owned()
}

/// Another value of a column among the rows of a domain.
fn other<'r, T: PartialEq>(
    rows: &'r [Row],
    row: &Row,
    column: impl Fn(&'r Row) -> T,
    own: &T,
    rng: &mut ChaCha8Rng,
) -> Option<T> {
    let all: Vec<T> =
        rows.iter().filter(|r| r.domain == row.domain).map(column).filter(|c| c != own).collect();
    let place = rng.random_range(0..all.len().max(1));
    all.into_iter().nth(place)
}

/// Changes of columns that rows of any kind have.
fn assert_columns_are_compared(set: &Set) {
    let rows = set.rows.clone();
    set.assert_caught("answer flipped", |row, _| {
        row.answer = another_answer(row);
        row.gold = vec![row.answer.clone()];
        true
    });
    set.assert_caught("answer and gold of another row", |row, rng| {
        let own = (row.answer.clone(), row.gold.clone());
        let alike: Vec<Row> = rows.iter().filter(|r| r.family == row.family).cloned().collect();
        let found = other(&alike, row, |r| (r.answer.clone(), r.gold.clone()), &own, rng);
        found.map(|(answer, gold)| (row.answer, row.gold) = (answer, gold)).is_some()
    });
    set.assert_caught("gold changed", |row, _| {
        row.gold.push("none".into());
        true
    });
    set.assert_caught("fact left out of the column", |row, rng| {
        let mut facts = row.facts.to_vec();
        facts.remove(rng.random_range(0..facts.len()));
        row.facts = facts.into();
        true
    });
    set.assert_caught("fact of the column with another constant", |row, rng| {
        let place = rng.random_range(0..row.facts.len());
        let (name, arguments) = row.facts[place].split_once('(').unwrap_or(("", ""));
        let mut arguments: Vec<&str> = arguments.trim_end_matches(')').split(',').collect();
        let objects: Vec<&str> = row.objects.iter().map(|o| &*o.id).collect();
        let argument = rng.random_range(0..arguments.len());
        arguments[argument] = objects[rng.random_range(0..objects.len())];
        let fact = format!("{name}({})", arguments.join(","));
        let new = !row.facts.contains(&fact);
        Arc::make_mut(&mut row.facts)[place] = fact;
        new
    });
    set.assert_caught("query of another row", |row, rng| {
        let found = other(&rows, row, |r| r.query.clone(), &row.query, rng);
        found.map(|query| row.query = query).is_some()
    });
    if set.has_rules() {
        set.assert_caught("world of another row", |row, rng| {
            let found = other(&rows, row, |r| r.world.clone(), &row.world, rng);
            found.map(|world| row.world = world).is_some()
        });
    }
    set.assert_caught("question of another row", |row, rng| {
        let found = other(&rows, row, |r| r.question.clone(), &row.question, rng);
        found.map(|question| row.question = question).is_some()
    });
    set.assert_caught("name in the question changed", |row, rng| {
        let question = rename(row, &row.question, rng);
        question.map(|question| row.question = question).is_some()
    });
    // What does not follow from rules has the depth of its partner, which only the other rows of the story tell.
    let denied = |row: &Row| &*row.domain == "rules" && row.answer == "no";
    set.assert_caught("depth changed", |row, _| {
        row.depth += 1;
        !denied(row)
    });
    set.assert_story_caught("depth of what does not follow changed", |row| {
        row.depth += 1;
        denied(row)
    });
    set.assert_caught("two objects exchanged", |row, rng| {
        let [a, b] = [0, 1].map(|_| rng.random_range(0..row.objects.len()));
        let (name, other) = (row.objects[a].name.clone(), row.objects[b].name.clone());
        let objects = Arc::make_mut(&mut row.objects);
        (objects[a].name, objects[b].name) = (other, name);
        a != b
    });
    set.assert_caught("template, family, type or kind of answer changed", |row, rng| {
        match rng.random_range(0..4) {
            0 => row.template = row.template.replace(|c: char| c.is_ascii_digit(), "9"),
            1 => row.family = format!("{}s", row.family).into(),
            2 => row.question_type = if row.question_type == "count" { "other" } else { "count" }.into(),
            _ => row.answer_type = if row.answer_type == "name" { "names" } else { "name" }.into(),
        }
        true
    });
    set.assert_caught("word that no phrasing has", |row, rng| {
        match rng.random_range(0..3) {
            0 => row.initial_state = format!("It is raining. {}", row.initial_state).into(),
            1 => row.rules = row.rules.replacen('.', " today.", 1).into(),
            _ => row.question = row.question.replace('?', " now, after all?"),
        }
        true
    });
    set.assert_caught("sentence of the rules left out", |row, rng| {
        row.rules = shorter(&row.rules, rng).into();
        true
    });
    set.assert_caught("sentence of the rules told twice", |row, rng| {
        let mut sentences: Vec<&str> = row.rules.split_inclusive(". ").collect();
        sentences.insert(0, sentences[rng.random_range(0..sentences.len() - 1)]);
        row.rules = sentences.concat().into();
        true
    });
    set.assert_caught("context without a paragraph", |row, _| {
        // The context is made again of its parts, so that one of them changes.
        row.rules = "".into();
        true
    });
    set.assert_caught("name in the initial state changed", |row, rng| {
        let text = rename(row, &row.initial_state, rng);
        text.map(|text| row.initial_state = text.into()).is_some()
    });
    set.assert_caught("sentence or term of the initial state left out", |row, rng| {
        let list: Vec<&str> = row.initial_state.split(", ").collect();
        let told = row.initial_state.split(". ").count();
        row.initial_state = match told {
            1 if list.len() > 2 => [&list[..1], &list[2..]].concat().join(", "),
            1 => return false,
            _ => shorter(&row.initial_state, rng),
        }
        .into();
        true
    });
}

fn assert_games(flat: bool) {
    let set = Set::games(flat);
    let depths: BTreeMap<i32, usize> = set.rows.iter().fold(BTreeMap::new(), |mut counts, row| {
        *counts.entry(row.depth).or_default() += 1;
        counts
    });
    assert!(set.rows.len() > 250 && depths.len() == 3, "{depths:?}");
    set.assert_sound();
    let report = audit(&set.path, &Catalogue::find(&[]).unwrap(), &AuditOptions::default(), &Silent).unwrap();
    let reading = report.reading.unwrap();
    assert_eq!((reading.read, reading.unread), (set.rows.len(), 0));
    assert!(reading.troubles.is_empty());

    assert_columns_are_compared(&set);
    let rows = set.rows.clone();
    set.assert_caught("name in the actions changed", |row, rng| {
        let text = rename(row, &row.actions, rng);
        text.map(|text| row.actions = text.into()).is_some()
    });
    set.assert_caught("steps of another row", |row, rng| {
        let found = other(
            &rows,
            row,
            |r| (r.actions.clone(), r.plan.clone()),
            &(row.actions.clone(), row.plan.clone()),
            rng,
        );
        // The same moves may be told in other words.
        let Some((actions, plan)) = found.filter(|(_, plan)| *plan != row.plan) else { return false };
        row.actions = actions;
        let _ = plan;
        true
    });
    set.assert_caught("move of the plan changed", |row, rng| {
        let found = other(&rows, row, |r| r.plan.clone(), &row.plan, rng);
        found.map(|plan| row.plan = plan).is_some()
    });
    // Who changes text and columns alike is found out by clingo's answer, or because no such move is legal.
    set.assert_caught("answer to another story", |row, rng| {
        let alike: Vec<Row> = rows
            .iter()
            .filter(|r| r.query == row.query && r.depth == row.depth && r.answer != row.answer)
            .cloned()
            .collect();
        let Some(story) = alike.get(rng.random_range(0..alike.len().max(1))) else { return false };
        let (question, query, answer, gold) = (&row.question, &row.query, &row.answer, &row.gold);
        let mut changed = story.clone();
        (changed.question, changed.query) = (question.clone(), query.clone());
        (changed.answer, changed.gold) = (answer.clone(), gold.clone());
        (changed.template, changed.family) = (row.template.clone(), row.family.clone());
        *row = changed;
        true
    });
}

#[test]
fn items_of_games_with_phrase_books_are_read_back() {
    assert_games(false);
}

#[test]
fn items_of_games_in_flat_terms_are_read_back() {
    assert_games(true);
}

#[test]
fn games_are_read_by_what_stands_beside_the_data() {
    let set = Set::games(false);
    let reference = set.path.join("reference");
    // Without the game's rules those that come with racgen are taken.
    for game in GAMES {
        fs::remove_file(reference.join(format!("{game}.kif"))).unwrap();
        let _ = fs::remove_file(reference.join(format!("{game}.phrases.toml")));
    }
    set.assert_sound();
    // Without the manifest nothing says that it is a game.
    let manifest = fs::read_to_string(set.path.join("manifest.json")).unwrap();
    fs::remove_file(set.path.join("manifest.json")).unwrap();
    assert!(
        set.judge(&set.rows).iter().all(|v| v.as_ref().is_err_and(|f| f.trouble == Trouble::UnknownDomain))
    );
    // A game of which nobody has the rules is not read, and the report says so.
    fs::write(set.path.join("manifest.json"), manifest.replace("\"tic_tac_toe\"", "\"xyz\"")).unwrap();
    for entry in fs::read_dir(set.path.join("data")).unwrap().flatten() {
        let text = fs::read_to_string(entry.path()).unwrap();
        fs::write(entry.path(), text.replace("\"domain\":\"tic_tac_toe\"", "\"domain\":\"xyz\"")).unwrap();
    }
    let report = audit(&set.path, &Catalogue::find(&[]).unwrap(), &AuditOptions::default(), &Silent).unwrap();
    let unread = set.rows.iter().filter(|row| &*row.domain == "tic_tac_toe").count();
    let table = report.table().to_string();
    assert!(table.contains(&format!("{unread} items were not read back")), "{table}");
    let reading = report.reading.unwrap();
    assert_eq!((reading.read, reading.unread), (set.rows.len() - unread, unread));
    assert!(reading.troubles.is_empty(), "{:?}", reading.troubles);
}

/// A game of one's own is audited wherever its data are, without the file it was made of.
#[test]
fn games_that_were_dropped_in_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let (_, game) = racgen::games::builtin::own_texts()
        .into_iter()
        .find(|(file, _)| file.ends_with("/coins.kif"))
        .unwrap();
    let (_, rules) =
        racgen::games::builtin::own_texts().into_iter().find(|(file, _)| file.contains("tic_tac")).unwrap();
    let (_, book) = racgen::games::builtin::own_phrases("tic_tac_toe").unwrap();
    for (name, text) in [("my_coins.kif", game), ("noughts.kif", rules), ("noughts.phrases.toml", book)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let make = "games items my_coins.kif noughts.kif --items 80 --depth 0-1 --traces 100 --out made/items";
    racgen(&make.split(' ').collect::<Vec<_>>(), folder.path());
    let elsewhere = tempfile::tempdir().unwrap();
    let path = elsewhere.path().join("items");
    fs::rename(folder.path().join("made/items"), &path).unwrap();
    folder.close().unwrap();
    let report = audit(&path, &Catalogue::find(&[]).unwrap(), &AuditOptions::default(), &Silent).unwrap();
    let reading = report.reading.unwrap();
    assert_eq!((reading.read, reading.unread), (report.items, 0));
    assert!(reading.troubles.is_empty() && report.items > 120, "{:?}", reading.troubles);
}

#[test]
fn rules_beside_the_data_that_contradict_each_other_are_told() {
    let set = Set::games(true);
    let path = set.path.join("reference/tic_tac_toe.lp");
    let rules = fs::read_to_string(&path).unwrap();
    fs::write(&path, rules.replace("goal(P,50)", "goal(P,40)")).unwrap();
    for (row, verdict) in set.rows.iter().zip(set.judge(&set.rows)) {
        let trouble = verdict.err().map(|found| found.trouble);
        assert_eq!(trouble, (&*row.domain == "tic_tac_toe").then_some(Trouble::Reference));
    }
    fs::write(set.path.join("reference/connect_four.kif"), "(init (a b)").unwrap();
    let verdicts = set.judge(&set.rows);
    let fours = set.rows.iter().zip(verdicts).filter(|(row, _)| &*row.domain == "connect_four");
    for (_, verdict) in fours {
        let found = verdict.unwrap_err();
        assert!(
            found.trouble == Trouble::Reference && found.detail.contains("connect_four.kif:1:1"),
            "{found:?}"
        );
    }
}

/// Rule sets of all categories, with constants, with predicates of one to five arguments, and recursive ones.
const SETS: [&str; 4] = [
    "--category chain --size XS --depth 2 --arity 1-2",
    "--category rdg --size XS --depth 2 --terms head=1,earlier=2,constant=2,fresh=2 --max-length 3",
    "--category drdg --size XS --depth 2 --arity 2-5 --seed 3",
    "--category mixed --size S --components 2 --depth 2 --recursive --max-length 3",
];

#[test]
fn questions_about_rules_are_read_back() {
    for options in SETS {
        let set = Set::rules(options, 120);
        println!("{options}");
        set.assert_sound();
        let report =
            audit(&set.path, &Catalogue::find(&[]).unwrap(), &AuditOptions::default(), &Silent).unwrap();
        let reading = report.reading.unwrap();
        assert_eq!((reading.read, reading.unread), (set.rows.len(), 0));
        assert!(reading.troubles.is_empty(), "{:?}", reading.troubles);
        assert_columns_are_compared(&set);
        set.assert_caught("letter in a rule changed", |row, rng| {
            let letters = ["X", "Y", "Z"];
            let [a, b] = [0, 1].map(|_| letters[rng.random_range(0..3)]);
            let (lead, rules) = row.rules.split_once(". ").map_or(("", ""), |parts| parts);
            let found = places(rules, a);
            let Some(at) = found.get(rng.random_range(0..found.len().max(1))) else { return false };
            row.rules = format!("{lead}. {}{b}{}", &rules[..*at], &rules[at + 1..]).into();
            a != b
        });
        set.assert_caught("two persons of the story exchanged", |row, rng| {
            let [a, b] = [0, 1].map(|_| row.objects[rng.random_range(0..row.objects.len())].name.clone());
            let state = row.initial_state.replace(&*a, "#").replace(&*b, &a).replace('#', &b);
            let mut sentences: Vec<Vec<&str>> =
                [&*state, &row.initial_state].map(|text| text.split(". ").collect()).to_vec();
            sentences.iter_mut().for_each(|list| {
                list.iter_mut().for_each(|sentence| *sentence = sentence.trim_end_matches('.'));
                list.sort_unstable();
            });
            let differs = sentences[0] != sentences[1];
            row.initial_state = state.into();
            differs
        });
    }
}

/// Without the rules of the data set, the rules of a text can be judged by what follows from them only.
#[test]
fn questions_about_rules_are_read_back_without_the_rule_set() {
    let set = Set::rules(SETS[1], 400);
    fs::remove_file(set.path.parent().unwrap().join("rules.txt")).unwrap();
    set.assert_sound();
    set.assert_caught("answer flipped", |row, _| {
        row.answer = another_answer(row);
        true
    });
    set.assert_caught("name in the initial state changed", |row, rng| {
        let text = rename(row, &row.initial_state, rng);
        text.map(|text| row.initial_state = text.into()).is_some()
    });
    // The key of one row of each story, which the other rows of the story outvote.
    let mut changed = set.rows.clone();
    let mut stories: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, row) in set.rows.iter().enumerate() {
        stories.entry(&row.initial_state).or_default().push(number);
    }
    let keys: Vec<&Arc<str>> = stories.values().map(|rows| &set.rows[rows[0]].world).collect();
    for (number, rows) in stories.values().enumerate() {
        changed[rows[0]].world.clone_from(keys[(number + 1) % keys.len()]);
    }
    let verdicts = set.judge(&changed);
    assert!(stories.len() > 60);
    for rows in stories.values() {
        assert!(verdicts[rows[0]].is_err());
        assert!(rows.len() == 2 || rows[1..].iter().all(|row| verdicts[*row].is_ok()));
    }
    let share = set.caught("sentence of the rules left out", |row, rng| {
        row.rules = shorter(&row.rules, rng).into();
        true
    });
    assert!(share > 0.3, "{share}");
}
