//! Rows read back from every format are the rows that were written, and the page of a row shows its true states.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use racgen::cli::output::show::show;
use racgen::data::error::DataError;
use racgen::data::format::Format;
use racgen::data::read::rows;
use racgen::data::row::Row;
use racgen::data::write::rows::sink::open;
use racgen::domain::embedded::axioms;
use racgen::domain::package::Package;
use racgen::factory::settings::Settings;
use racgen::factory::source::Factory;
use racgen::items::clock::Clock;
use racgen::items::source::{GROUP_SIZE, Split};
use racgen::language::tell::verbalize::Verbalize;
use racgen::language::tell::verbalizer::Verbalizer;
use racgen::language::words::holdout::Holdout;
use racgen::language::words::lexicon::Lexicon;
use racgen::language::words::naming::Naming;
use racgen::logic::clingo::{Program, Source};
use racgen::logic::term::Term;
use racgen::simulate::layout::Layout;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::replay::Replay;
use racgen::simulate::situation::Situation;
use racgen::simulate::story::Simulator;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

type Checked = Result<(), Box<dyn std::error::Error>>;

const ALL: [Format; 3] = [Format::Parquet, Format::Jsonl, Format::Csv];
const LIMIT: Duration = Duration::from_secs(60);

fn package(name: &str) -> Result<Package, String> {
    Package::load(name).map_err(|faults| faults.to_string())
}

/// Rows of one split, at level 1, without columns that only some sources have: those are written and read in another
/// test.
fn make(domain: &str, depth: i32, items: u64) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let settings = Settings {
        depths: vec![depth],
        items,
        splits: vec![Split { name: "train".into(), weight: 1.0 }],
        seed: 5,
        ..Settings::default()
    };
    let factory = Factory::new(package(domain)?, settings, LIMIT);
    let mut rows = Vec::new();
    for (stream, count) in factory.streams(0) {
        for group in 0..count.div_ceil(GROUP_SIZE) {
            let items = factory.group(stream, group, count, &Clock::default())?;
            rows.extend(items.into_iter().map(|item| Row { extra: BTreeMap::new(), ..item.row }));
        }
    }
    Ok(rows)
}

fn write(path: &Path, format: Format, rows: &[Row]) -> Checked {
    let mut sink = open(format, path)?;
    sink.write(rows)?;
    sink.finish()?;
    Ok(())
}

/// Rows that differ in their numbers only, enough for two row groups.
fn many(row: &Row, count: i64) -> Vec<Row> {
    (0..count).map(|index| Row { index, id: format!("{index:032x}"), ..row.clone() }).collect()
}

fn read(path: &Path) -> Result<Vec<Row>, DataError> {
    rows::rows(path)?.collect()
}

/// The message of what must be an error and nothing else.
fn message<T>(result: Result<T, DataError>) -> Result<String, &'static str> {
    result.err().map(|e| e.to_string()).ok_or("no error")
}

#[test]
fn what_was_written_is_read() -> Checked {
    let rows = make("blocks", 2, 30)?;
    assert_eq!(serde_json::from_value::<Vec<Row>>(serde_json::to_value(&rows)?)?, rows);
    let folder = tempfile::tempdir()?;
    for format in ALL {
        let path = folder.path().join(format!("{format}/data/train.{format}"));
        write(&path, format, &rows)?;
        assert_eq!(read(&path)?, rows, "{format}");
        assert_eq!(read(&folder.path().join(format.extension()))?, rows, "{format}");
        assert_eq!(rows::nth(&path, 29)?, rows[29], "{format}");
        let beyond = message(rows::nth(&path, 30))?;
        let expected = format!(
            "`{}` holds 30 rows, numbered from 0, so there is no row 30; choose another row",
            path.display()
        );
        assert_eq!(beyond, expected);
    }
    Ok(())
}

#[test]
fn a_folder_is_read_in_order_and_once() -> Checked {
    let row = make("blocks", 1, 10)?.remove(0);
    let rows = many(&row, 30);
    let folder = tempfile::tempdir()?;
    for (name, range) in [("b/data/train", 10..20), ("a/data/train", 0..10), ("b/data/zest", 20..30)] {
        for format in ALL {
            write(&folder.path().join(format!("{name}.{format}")), format, &rows[range.clone()])?;
        }
    }
    fs::write(folder.path().join("README.md"), "no data")?;
    fs::write(folder.path().join(".hidden.csv"), "no data")?;
    let indices: Vec<i64> = read(folder.path())?.iter().map(|r| r.index).collect();
    assert_eq!(indices, (0..30).collect::<Vec<_>>());
    assert_eq!(rows::nth(folder.path(), 25)?.index, 25);
    assert!(message(rows::nth(folder.path(), 31))?.contains("holds 30 rows"));
    Ok(())
}

#[test]
fn any_row_of_a_large_file_is_found() -> Checked {
    let row = make("blocks", 1, 10)?.remove(0);
    let rows = many(&row, 10_250);
    let folder = tempfile::tempdir()?;
    for format in ALL {
        let path = folder.path().join(format!("a.{format}"));
        write(&path, format, &rows)?;
        for wanted in [0, 99, 100, 9_999, 10_000, 10_249] {
            assert_eq!(rows::nth(&path, wanted)?.index, wanted as i64, "{format}");
        }
        assert!(message(rows::nth(&path, 10_250))?.contains("holds 10250 rows"), "{format}");
        let rest: Vec<Row> = rows::rows_from(&path, 9_990)?.collect::<Result<_, _>>()?;
        assert_eq!(rest.iter().map(|r| r.index).collect::<Vec<_>>(), (9_990..10_250).collect::<Vec<_>>());
    }
    Ok(())
}

/// The fluents true at the end of a row's plan, from clingo and what the row says alone.
fn rederived(row: &Row, package: &Package) -> Result<BTreeSet<String>, Box<dyn std::error::Error>> {
    let arity = |fact: &str| fact.parse::<Term>().map(|t| (t.functor().to_owned(), t.args().len()));
    let mut text = String::new();
    for fact in row.facts.iter() {
        let (functor, args) = arity(fact)?;
        let given = package.statics.contains(&(functor.clone(), args))
            || (args == 1 && package.types.iter().any(|t| t.name == functor));
        text += &if given { format!("{fact}.\n") } else { format!("initially({fact}).\n") };
    }
    for (time, action) in row.plan.iter().enumerate() {
        text += &format!(":- not occ({action},{time}).\n");
    }
    let program = Program {
        sources: vec![
            axioms("kernel.lp"),
            axioms("closed.lp"),
            package.domain.clone(),
            Source::new("the row", text + "#defined initially/1.\n"),
        ],
        parts: vec![],
        constants: vec![("n".into(), row.plan.len() as i64)],
    };
    let found = program.search(&[("holds", 2)], None, LIMIT)?.enumerate(2)?;
    let [only] = &found[..] else { return Err("not exactly one answer set".into()) };
    let last = Term::Number(row.plan.len() as i32);
    let at_last = only.iter().filter(|t| t.args()[1] == last && !t.args()[0].is("neg", 1));
    Ok(at_last.map(|t| t.args()[0].to_string()).collect())
}

/// The lines of a page below a heading, without their margin.
fn section(page: &str, heading: &str) -> Vec<String> {
    let lines = page.lines().skip_while(|l| *l != heading).skip(1);
    lines.take_while(|l| !l.is_empty()).map(|l| l.trim().to_owned()).collect()
}

fn terms(replay: &Replay, situation: &Situation) -> BTreeSet<String> {
    situation.iter().map(|f| replay.engine.fluents[f].to_string()).collect()
}

#[test]
fn a_page_holds_the_question_and_the_true_states() -> Checked {
    for domain in ["blocks", "logistics", "dwr", "generic"] {
        let package = package(domain)?;
        let rows = make(domain, 3, 40)?;
        for row in rows.iter().step_by(3) {
            let page = show(row, Some(&package), 100)?;
            let text = page.split_whitespace().collect::<Vec<_>>().join(" ");
            for part in [&row.question, &row.answer, &row.query] {
                assert!(
                    text.contains(&part.split_whitespace().collect::<Vec<_>>().join(" ")),
                    "{part}\n{page}"
                );
            }
            let fits = |line: &str| line.chars().count() <= 100 || line.starts_with("query ");
            assert!(page.lines().all(fits), "{page}");

            let replay = Replay::new(&package, row)?;
            let last = &replay.steps.last().ok_or("no step")?.situation;
            assert_eq!(terms(&replay, last), rederived(row, &package)?, "{page}");
            // One sentence each; none is so long that it takes a second line.
            let lexicon = Lexicon::new(&package, &replay.layout, &replay.engine);
            let naming = Naming::of_row(&replay.layout, &row.objects);
            let (layout, engine) = (&replay.layout, &replay.engine);
            let holdout = Holdout { phrasings: 1.0, names: 0.0, wanted: false };
            let teller =
                Verbalizer { package: &package, layout, engine, lexicon: &lexicon, naming: &naming, holdout };
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let said: Vec<String> = last.iter().map(|f| teller.statement(&f, &mut rng)).collect();
            assert_eq!(section(&page, "State in the end"), said, "{page}");

            let supposing = row.query.starts_with("after(") || row.query.starts_with("changes(");
            assert_eq!(!replay.supposed.is_empty(), supposing, "{}", row.query);
            assert_eq!(page.contains("Supposed by the question"), supposing, "{page}");
        }
    }
    Ok(())
}

#[test]
fn a_replay_passes_the_situations_of_the_story() -> Checked {
    for domain in ["blocks", "logistics", "dwr"] {
        let package = package(domain)?;
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let layout = Layout::sample(&package, 2, &Default::default(), &mut rng, LIMIT)?;
        let mut stage = Simulator::new(&package, layout, Sampling::Walk, LIMIT, &mut rng)?;
        let template = make("blocks", 1, 10)?.remove(0);
        for _ in 0..5 {
            let story = stage.tell(4, false, |_| true, 100, &mut rng)?.ok_or("no story")?;
            let objects = stage.layout().objects.iter();
            let kinds = objects.map(|o| format!("{}({})", package.types[o.kind].name, o.id));
            let statics = stage.layout().statics.iter().map(Term::to_string);
            let fluents = story.initial.iter().map(|f| stage.engine.fluents[f].to_string());
            let row = Row {
                domain: domain.into(),
                level: 2,
                facts: kinds.chain(statics).chain(fluents).collect(),
                plan: story.plan.iter().map(|a| stage.engine.actions[*a].to_string()).collect(),
                ..template.clone()
            };
            let replay = Replay::new(&package, &row)?;
            let passed: Vec<&Situation> = replay.steps.iter().map(|s| &s.situation).collect();
            assert_eq!(replay.initial, story.initial, "{domain}");
            assert_eq!(passed, story.passed.iter().collect::<Vec<_>>(), "{domain}");
        }
    }
    Ok(())
}

#[test]
fn without_its_package_a_row_is_shown_without_states() -> Checked {
    let row = make("blocks", 2, 10)?.remove(0);
    let page = show(&row, None, 80)?;
    assert!(page.contains("so the states are not shown") && !page.contains("State in the end"), "{page}");
    assert!(page.contains(&format!("  2  {}", row.plan[1])), "{page}");
    Ok(())
}

#[test]
fn a_row_that_does_not_fit_is_refused_in_words() -> Checked {
    let blocks = package("blocks")?;
    let row = make("blocks", 2, 10)?.remove(0);
    let add = |r: &mut Row, fact: &str| r.facts = [&*r.facts, &[fact.to_owned()]].concat().into();
    let drop_clear =
        |r: &mut Row| r.facts = r.facts.iter().filter(|f| !f.starts_with("clear")).cloned().collect();
    let refused = |change: &dyn Fn(&mut Row), package: &Package| {
        let mut row = row.clone();
        change(&mut row);
        show(&row, Some(package), 80).err().map(|e| e.to_string()).ok_or("shown")
    };
    for (change, words) in [
        (
            &|r: &mut Row| Arc::make_mut(&mut r.plan)[0] = "fly(b1,b2)".into(),
            "the action `fly(b1,b2)` cannot occur",
        ),
        (&|r: &mut Row| Arc::make_mut(&mut r.plan)[0] = "move(b1".into(), "`move(b1` is not a ground term"),
        (&|r: &mut Row| add(r, "painted(b1)"), "`painted(b1)` is none of its fluents"),
        (&|r: &mut Row| add(r, "block(x1)"), "`block(x1)` is no object"),
        (&|r: &mut Row| drop_clear(r), "no situation by the domain's laws"),
        (&|r: &mut Row| r.query = "f(".repeat(1_000_000), "a term of 2000000 characters"),
        (&|r: &mut Row| r.level = 9, "has no level N9"),
        (&|r: &mut Row| r.domain = "dwr".into(), "the row is of the domain `dwr`"),
    ] as [(&dyn Fn(&mut Row), &str); 8]
    {
        let said = refused(change, &blocks)?;
        assert!(said.contains(words) && said.contains(&row.id) && said.contains("; "), "{said}");
    }
    Ok(())
}

/// A file of each format, and its text where it has one.
fn files(folder: &Path) -> Result<[PathBuf; 3], Box<dyn std::error::Error>> {
    let rows = make("blocks", 1, 12)?;
    let paths = ALL.map(|format| folder.join(format!("a.{format}")));
    for (path, format) in paths.iter().zip(ALL) {
        write(path, format, &rows)?;
    }
    Ok(paths)
}

#[test]
fn a_missing_column_is_named_with_its_place() -> Checked {
    let folder = tempfile::tempdir()?;
    let [parquet, jsonl, csv] = files(folder.path())?;
    let expect = |path: &Path, place: &str, column: &str| -> Checked {
        assert_eq!(
            message(read(path))?,
            format!(
                "`{}`, {place}: the column `{column}` is missing; give a file that has all 27 columns of a racgen \
                 data set",
                path.display()
            )
        );
        Ok(())
    };
    let text = fs::read_to_string(&jsonl)?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[6] = lines[6].replacen("\"gold\":", "\"silver\":", 1);
    fs::write(&jsonl, lines.join("\n"))?;
    expect(&jsonl, "line 7", "gold")?;
    let whole: Vec<_> = rows::rows(&jsonl)?.collect();
    assert!(whole.len() == 7 && whole[..6].iter().all(Result::is_ok), "the stream ends with the error");

    fs::write(&csv, fs::read_to_string(&csv)?.replacen(",query,", ",quarry,", 1))?;
    expect(&csv, "line 1 (the header)", "query")?;

    let ids: ArrayRef = Arc::new(StringArray::from(vec!["x"]));
    let batch = RecordBatch::try_from_iter([("id", ids)])?;
    let mut writer = ArrowWriter::try_new(fs::File::create(&parquet)?, batch.schema(), None)?;
    writer.write(&batch)?;
    writer.close()?;
    expect(&parquet, "all rows", "domain")
}

#[test]
fn damaged_files_are_refused_in_words() -> Checked {
    let folder = tempfile::tempdir()?;
    let [parquet, jsonl, csv] = files(folder.path())?;
    let bytes = fs::read(&parquet)?;
    for length in [1, 4, 11, bytes.len() / 2, bytes.len() - 9, bytes.len() - 1] {
        fs::write(&parquet, &bytes[..length])?;
        let said = message(read(&parquet))?;
        assert!(said.contains("a.parquet`, its footer: this is no readable Parquet ("), "{said}");
        assert!(said.ends_with("so make or copy it again"), "{said}");
    }
    // Wherever a byte is wrong, reading ends, with or without an error.
    for at in (4..bytes.len()).step_by(bytes.len() / 400 + 1) {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x55;
        fs::write(&parquet, &wrong)?;
        if let Err(error) = read(&parquet) {
            assert!(error.to_string().contains("a.parquet`, "), "{error}");
        }
    }

    let text = fs::read_to_string(&jsonl)?;
    fs::write(&jsonl, &text[..text.len() - 100])?;
    let said = message(read(&jsonl))?;
    assert!(said.contains("a.jsonl`, line 12: this is no JSON object (EOF while parsing"), "{said}");
    fs::write(&jsonl, text.replacen("\"level\":1", "\"level\":\"one\"", 1))?;
    let said = message(read(&jsonl))?;
    assert!(
        said.contains("a.jsonl`, line 1: the column `level` holds something else than a whole number"),
        "{said}"
    );

    let text = fs::read_to_string(&csv)?;
    fs::write(&csv, text.trim_end().rsplit_once(',').ok_or("no comma")?.0)?;
    let said = message(read(&csv))?;
    assert!(said.contains("the record has 26 cells in place of 27"), "{said}");
    Ok(())
}

#[test]
fn what_cannot_be_read_is_refused_in_words() -> Checked {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    for name in ["a.parquet", "a.csv", "a.jsonl", "a.txt", "data"] {
        fs::write(at(name), "")?;
    }
    fs::create_dir(at("none"))?;
    for (name, words) in [
        ("a.parquet", "is empty, not even its header was written; make or copy it again"),
        ("a.csv", "is empty, not even its header was written; make or copy it again"),
        (
            "a.txt",
            "is no data file: those end in .parquet, .jsonl or .csv; give such a file, or a folder of them",
        ),
        (
            "data",
            "is no data file: those end in .parquet, .jsonl or .csv; give such a file, or a folder of them",
        ),
        (
            "absent.csv",
            "is not there; check the spelling of the path, and give the output folder of a run, or a data file",
        ),
        ("none", "; give the output folder of a run"),
    ] {
        let said = message(read(&at(name)))?;
        assert!(said.contains(&format!("{}`", at(name).display())) && said.ends_with(words), "{said}");
    }
    // A run of no rows leaves a JSONL file of no lines.
    assert_eq!(read(&at("a.jsonl"))?, []);
    assert!(message(rows::nth(&at("a.jsonl"), 0))?.contains("holds 0 rows"));
    Ok(())
}
