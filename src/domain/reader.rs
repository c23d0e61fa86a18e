//! A package's files to a package, or to their faults; the logic programs are checked when they are grounded.

use std::collections::BTreeMap;

use racgen_logic::clingo::Source;
use racgen_logic::fault::{Fault, Faults, line_of};
use racgen_logic::statements::{WrittenAtom, statements};
use toml::Spanned;

use crate::domain::embedded::common_book;
use crate::domain::files::PackageFiles;
use crate::domain::form_checks::{TAKEN_CONSTANTS, check_book, check_types, is_name};
use crate::domain::mechanism::mechanisms;
use crate::domain::package::{LEVELS, ObjectType, Package, Range};
use crate::domain::parts::{WORLD_PARTS, check_program};
use crate::domain::question_rules::question_rules;
use crate::phrases::book::PhraseBook;
use crate::phrases::phrasing::Paragraph;
use crate::phrases::reader::read_book;

/// The names that are taken of a numbered pool.
const MOST_NAMES: usize = 10_000;

/// `domain.toml` as it is written.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    title: String,
    summary: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    mechanisms: Vec<Spanned<String>>,
    #[serde(default)]
    statics: Vec<Spanned<String>>,
    levels: BTreeMap<Spanned<String>, BTreeMap<String, Spanned<toml::Value>>>,
    types: BTreeMap<Spanned<String>, HeadType>,
    #[serde(default)]
    constants: BTreeMap<String, String>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct HeadType {
    id: String,
    count: String,
    names: HeadNames,
}

#[derive(serde::Deserialize)]
#[serde(untagged, expecting = "`names` must be a list of texts, or `{ prefix = \"r\", from = 11, to = 99 }`")]
enum HeadNames {
    List(Vec<String>),
    Numbered { prefix: String, from: u32, to: u32 },
}

/// Parameters of one level.
type Ranges = BTreeMap<String, Range>;

/// Does a program derive `outcome(A,O)`?
pub(crate) fn names_outcomes(domain: &Source) -> bool {
    let text = &*domain.text;
    let is_named = |atom: &WrittenAtom| atom.name == "outcome" && atom.args.len() == 2;
    text.contains("outcome") && statements(text).iter().any(|one| one.derives(text).iter().any(is_named))
}

/// Reads the files of one package.
struct PackageReader<'a> {
    name: &'a str,
    origin: &'a str,
    files: &'a PackageFiles,
    faults: Faults,
}

/// Where a template may stand: in the package, or among the templates beside it.
fn places(package: &str, end: &str, own: &str) -> Vec<String> {
    let shared = format!("{package}{end}");
    vec![own.to_owned(), format!("../templates/{shared}"), format!("../../templates/{shared}")]
}

/// Where a package's phrase book may stand, its own folder first.
pub(crate) fn book_places(package: &str) -> Vec<String> {
    places(package, ".toml", "phrases.toml")
}

/// Where a package's rules paragraph may stand, its own folder first.
pub(crate) fn rules_places(package: &str) -> Vec<String> {
    places(package, ".rules.tera", "rules.tera")
}

/// Reads and checks a package's files.
///
/// # Errors
/// All faults found.
pub(crate) fn read_package(name: &str, origin: &str, files: &PackageFiles) -> Result<Package, Faults> {
    PackageReader { name, origin, files, faults: Faults::default() }.package()
}

impl PackageReader<'_> {
    fn package(mut self) -> Result<Package, Faults> {
        let (file, text) = self.need(&["domain.toml".to_owned()])?;
        let written: Head = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(&text, span.start));
            Fault::new(&file, line, error.message().trim(), "see domains/README.md for the format")
        })?;
        let head = Source::new(file, text);
        let types = object_types(written.types);
        check_types(&head, &types, &written.constants, &mut self.faults);
        let levels = self.levels(&head, written.levels, &types);
        let statics = self.statics(&head, &written.statics);
        let mechanisms = mechanisms(&head, &written.mechanisms, &mut self.faults);
        let types: Vec<ObjectType> = types.into_iter().map(|(_, t)| t).collect();
        let constants: Vec<&str> = written.constants.keys().map(String::as_str).collect();
        let book = self.book(&constants, &types)?;
        let rules = self.rules();
        if self.faults.is_empty() {
            check_book(&book, &types, rules.is_some(), &mut self.faults);
        }
        let [domain, world] = ["domain.lp", "world.lp"].map(|n| self.program(n));
        // Families beyond those that follow from the phrase book need not be.
        let questions = self.files.read(&["questions.lp".to_owned()]);
        let questions =
            questions.map_or(Source::new("questions.lp", ""), |(file, text)| Source::new(file, text));
        let view = self.files.read(&["view.lp".to_owned()]).map(|(file, text)| Source::new(file, text));
        let programs = [(&domain, &[][..]), (&world, &WORLD_PARTS), (&questions, &[])];
        for (program, parts) in programs.into_iter().chain(view.as_ref().map(|view| (view, &[][..]))) {
            check_program(program, parts, &mut self.faults);
        }
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let follows = format!("{} (questions that follow from it)", book.file);
        Ok(Package {
            automatic: Source::new(follows, question_rules(&book)),
            common: common_book()?,
            name: self.name.to_owned(),
            origin: self.origin.to_owned(),
            title: written.title,
            summary: written.summary,
            source: written.source,
            mechanisms,
            levels,
            types,
            statics,
            constants: written.constants,
            head,
            has_outcomes: names_outcomes(&domain),
            domain,
            world,
            questions,
            view,
            book,
            rules,
        })
    }

    /// The first of these files: its name for errors, and its text.
    fn need(&self, names: &[String]) -> Result<(String, String), Fault> {
        self.files.read(names).ok_or_else(|| {
            let places = names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" or ");
            Fault::new(
                self.origin,
                0,
                format!("the package `{}` has no {places}", self.name),
                "add the file; see domains/README.md",
            )
        })
    }

    fn levels(
        &mut self,
        head: &Source,
        written: BTreeMap<Spanned<String>, BTreeMap<String, Spanned<toml::Value>>>,
        types: &[(usize, ObjectType)],
    ) -> BTreeMap<i32, Ranges> {
        if written.is_empty() {
            let remedy = "add `N1 = { ... }` under [levels]";
            self.faults.push(Fault::new(&head.name, 0, "there are no levels", remedy));
        }
        let mut levels = BTreeMap::new();
        for (name, parameters) in written {
            let line = line_of(&head.text, name.span().start);
            let name = name.into_inner();
            let Some(level) = level_number(&name) else {
                let cause = format!("`{name}` is no level");
                self.faults.push(Fault::new(&head.name, line, cause, "levels are N1 to N5"));
                continue;
            };
            let ranges = self.ranges(head, line, parameters);
            self.counts(head, line, &name, &ranges, types);
            levels.insert(level, ranges);
        }
        levels
    }

    /// The parameters of the level at a line.
    fn ranges(
        &mut self,
        head: &Source,
        line: usize,
        parameters: BTreeMap<String, Spanned<toml::Value>>,
    ) -> Ranges {
        let mut ranges = BTreeMap::new();
        for (parameter, value) in parameters {
            if !is_name(&parameter) || TAKEN_CONSTANTS.contains(&parameter.as_str()) {
                self.faults.push(Fault::new(
                    &head.name,
                    line,
                    format!("`{parameter}` cannot be a parameter"),
                    format!(
                        "choose another name: a small letter, then letters, digits and _, and none of {}",
                        TAKEN_CONSTANTS.join(", ")
                    ),
                ));
            }
            match range(value.get_ref()) {
                Some(range) => drop(ranges.insert(parameter, range)),
                None => self.faults.push(Fault::new(
                    &head.name,
                    line_of(&head.text, value.span().start),
                    format!("`{parameter}` is no number and no range"),
                    "write `3` or `[2, 5]`, the lower number first",
                )),
            }
        }
        ranges
    }

    /// A level says how many objects of each type there are, and no more than have names.
    fn counts(
        &mut self,
        head: &Source,
        line: usize,
        level: &str,
        ranges: &Ranges,
        types: &[(usize, ObjectType)],
    ) {
        for (_, t) in types {
            if !ranges.contains_key(&t.count) {
                self.faults.push(Fault::new(
                    &head.name,
                    line,
                    format!("level {level} lacks `{}`, the number of objects of type `{}`", t.count, t.name),
                    "add the parameter",
                ));
            }
            if ranges.get(&t.count).is_some_and(|r| r.1 > t.names.len() as i64) {
                self.faults.push(Fault::new(
                    &head.name,
                    line,
                    format!("level {level} may have more objects of type `{}` than there are names", t.name),
                    "lengthen the pool or lower the range",
                ));
            }
        }
    }

    fn statics(&mut self, head: &Source, written: &[Spanned<String>]) -> Vec<(String, usize)> {
        let mut statics = Vec::new();
        for item in written {
            let predicate = item.get_ref().split_once('/');
            match predicate.and_then(|(name, arity)| Some((name.to_owned(), arity.parse().ok()?))) {
                Some(predicate) => statics.push(predicate),
                None => self.faults.push(Fault::new(
                    &head.name,
                    line_of(&head.text, item.span().start),
                    format!("`{}` is no predicate", item.get_ref()),
                    "write name/arity",
                )),
            }
        }
        statics
    }

    fn book(&mut self, constants: &[&str], types: &[ObjectType]) -> Result<PhraseBook, Fault> {
        let kinds: Vec<&str> = types.iter().map(|t| t.name.as_str()).collect();
        let (file, text) = self.need(&book_places(self.name))?;
        Ok(read_book(&file, &text, constants, &kinds).unwrap_or_else(|found| {
            self.faults.extend(found);
            PhraseBook::default()
        }))
    }

    fn rules(&mut self) -> Option<Paragraph> {
        let (file, text) = self.files.read(&rules_places(self.name))?;
        Paragraph::compile(&file, &text).map_err(|fault| self.faults.push(fault)).ok()
    }

    fn program(&mut self, name: &str) -> Source {
        match self.need(&[name.to_owned()]) {
            Ok((file, text)) => Source::new(file, text),
            Err(fault) => {
                self.faults.push(fault);
                Source::new(name, "")
            }
        }
    }
}

/// The types, in the order of the file, with where they stand in it.
fn object_types(written: BTreeMap<Spanned<String>, HeadType>) -> Vec<(usize, ObjectType)> {
    let mut types: Vec<(usize, ObjectType)> = Vec::new();
    for (name, t) in written {
        let names = match t.names {
            HeadNames::List(names) => names,
            // More are never needed, and all are compared with each other.
            HeadNames::Numbered { prefix, from, to } => {
                (from..=to).take(MOST_NAMES).map(|n| format!("{prefix}{n}")).collect()
            }
        };
        let at = name.span().start;
        types.push((at, ObjectType { name: name.into_inner(), id: t.id, count: t.count, names }));
    }
    types.sort_by_key(|(at, _)| *at);
    types
}

fn level_number(name: &str) -> Option<i32> {
    name.strip_prefix('N')?.parse().ok().filter(|n| LEVELS.contains(n))
}

fn range(value: &toml::Value) -> Option<Range> {
    match value {
        toml::Value::Integer(n) => Some((*n, *n)),
        toml::Value::Array(ends) => match ends[..] {
            [toml::Value::Integer(low), toml::Value::Integer(high)] if low <= high => Some((low, high)),
            _ => None,
        },
        _ => None,
    }
    .filter(|(low, high)| i32::try_from(*low).is_ok() && i32::try_from(*high).is_ok())
}
