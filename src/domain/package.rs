//! A package folder to a checked domain: parameters, types, logic programs and phrase book.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use racgen_logic::clingo::Source;
use racgen_logic::fault::{Fault, Faults, line_of};
use racgen_logic::term::Term;
use toml::Spanned;

use crate::phrases::book::PhraseBook;
use crate::phrases::pattern::{Pattern, PatternPlace};
use crate::phrases::phrasing::Paragraph;
use crate::phrases::reader::read_book;

static DOMAINS: Dir = include_dir!("$CARGO_MANIFEST_DIR/domains");
static TEMPLATES: Dir = include_dir!("$CARGO_MANIFEST_DIR/templates");
static ASP: Dir = include_dir!("$CARGO_MANIFEST_DIR/asp");

/// The fewest names a pool may have.
pub const FEWEST_NAMES: usize = 40;

/// The names that are taken of a numbered pool.
const MOST_NAMES: usize = 10_000;

/// The levels of complexity (section 4.1).
pub const LEVELS: std::ops::RangeInclusive<i32> = 1..=5;

/// One of the shared logic programs in `asp/`.
pub fn axioms(name: &str) -> Source {
    let text = ASP.get_file(name).and_then(|f| f.contents_utf8()).unwrap_or_default();
    Source::new(format!("asp/{name}"), text)
}

/// A type of objects.
#[derive(Clone, Debug)]
pub struct ObjectType {
    /// Its name, which is also the predicate of its objects.
    pub name: String,
    /// The letters its ids start with.
    pub id: String,
    /// The parameter that says how many there are.
    pub count: String,
    /// The pool of names.
    pub names: Vec<String>,
}

/// The values a parameter may take, both ends included.
pub type Range = (i64, i64);

/// A domain, read from its files.
#[derive(Clone, Debug)]
pub struct Package {
    /// The folder's name.
    pub name: String,
    /// Where it was found.
    pub origin: String,
    /// A title.
    pub title: String,
    /// One sentence.
    pub summary: String,
    /// Paper and section.
    pub source: String,
    /// Parameters of each level, in the order of their names.
    pub levels: BTreeMap<i32, BTreeMap<String, Range>>,
    /// Types, in the order of the file.
    pub types: Vec<ObjectType>,
    /// Predicates of the layout that belong to the world.
    pub statics: Vec<(String, usize)>,
    /// Names of constants that are not objects.
    pub constants: BTreeMap<String, String>,
    /// `domain.toml`, as it is written.
    pub head: Source,
    /// Fluents, actions and laws.
    pub domain: Source,
    /// Layouts and situations.
    pub world: Source,
    /// Question families of the domain's own.
    pub questions: Source,
    /// Question families that follow from the phrase book.
    pub automatic: Source,
    /// The domain's phrases.
    pub book: PhraseBook,
    /// The phrases every domain shares.
    pub common: PhraseBook,
    /// The rules paragraph, where it depends on the world.
    pub rules: Option<Paragraph>,
}

/// `domain.toml` as it is written.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    title: String,
    summary: String,
    #[serde(default)]
    source: String,
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

/// A place where packages are looked for.
#[derive(Clone, Debug)]
enum Root {
    BuiltIn,
    Folder(PathBuf),
}

/// A package that was found but not yet read.
#[derive(Clone, Debug)]
pub struct FoundPackage {
    /// The folder's name.
    pub name: String,
    /// Where it stands, as the user would name it.
    pub origin: String,
    root: Root,
}

/// Everything that was found, by name.
#[derive(Clone, Debug)]
pub struct Catalogue {
    found: BTreeMap<String, FoundPackage>,
}

impl Catalogue {
    /// Looks for packages: the built-in ones, those below `domains/` of the working directory, and those in the
    /// given folders, later places before earlier ones.
    ///
    /// # Errors
    /// A folder that does not exist or holds no package; two given folders that hold packages of one name.
    pub fn find(folders: &[PathBuf]) -> Result<Catalogue, Fault> {
        let mut found = BTreeMap::new();
        for dir in DOMAINS.dirs().filter(|d| d.get_file(d.path().join("domain.toml")).is_some()) {
            let name = dir.path().to_string_lossy().into_owned();
            found.insert(name.clone(), FoundPackage { name, origin: "built in".into(), root: Root::BuiltIn });
        }
        let mut given: BTreeMap<String, FoundPackage> = BTreeMap::new();
        let here = PathBuf::from(".");
        let local = (here.join("domains").is_dir() && !folders.contains(&here)).then_some(here);
        for folder in local.iter().chain(folders) {
            let all = packages_in(folder);
            if all.is_empty() && folders.contains(folder) {
                return Err(Fault::new(
                    &folder.display().to_string(),
                    0,
                    "no package here",
                    "a package is a folder with a domain.toml; `racgen new NAME` writes one",
                ));
            }
            for path in all {
                let name = file_name(&path);
                let origin = path.display().to_string();
                let entry =
                    FoundPackage { name: name.clone(), origin: origin.clone(), root: Root::Folder(path) };
                if local.as_ref() == Some(folder) {
                    found.insert(name, entry);
                } else if let Some(other) = given.insert(name.clone(), entry) {
                    return Err(Fault::new(
                        &origin,
                        0,
                        format!("a package called `{name}` stands in {} too", other.origin),
                        "rename one of the folders",
                    ));
                }
            }
        }
        found.extend(given);
        Ok(Catalogue { found })
    }

    /// All packages, by name.
    pub fn iter(&self) -> impl Iterator<Item = &FoundPackage> {
        self.found.values()
    }

    /// Loads a package by name.
    ///
    /// # Errors
    /// An unknown name, with the known ones; the package's faults.
    pub fn load(&self, name: &str) -> Result<Package, Faults> {
        let Some(found) = self.found.get(name) else {
            let known = self.found.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            let remedy = format!("known are {known}; others are found with --domain-dir");
            return Err(Fault::new(&format!("domain `{name}`"), 0, "no such domain", remedy).into());
        };
        found.load()
    }
}

fn file_name(path: &Path) -> String {
    std::path::absolute(path)
        .unwrap_or_else(|_| path.to_owned())
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Package folders at, in, or in `domains/` below a folder, in the order of their names.
fn packages_in(folder: &Path) -> Vec<PathBuf> {
    if folder.join("domain.toml").is_file() {
        return vec![folder.to_owned()];
    }
    let mut all = Vec::new();
    for parent in [folder.to_owned(), folder.join("domains")] {
        let Ok(entries) = std::fs::read_dir(parent) else { continue };
        all.extend(entries.flatten().map(|e| e.path()).filter(|p| p.join("domain.toml").is_file()));
    }
    all.sort();
    all
}

impl FoundPackage {
    /// Reads one file of the package, or of the templates that belong to it: its name for errors, and its text.
    fn read(&self, names: &[String]) -> Option<(String, String)> {
        match &self.root {
            Root::BuiltIn => names.iter().find_map(|name| {
                let (dir, path) = match name.strip_prefix("../../templates/") {
                    Some(file) => (&TEMPLATES, file.to_owned()),
                    None => (&DOMAINS, format!("{}/{name}", self.name)),
                };
                let text = dir.get_file(&path)?.contents_utf8()?;
                let place = if std::ptr::eq(dir, &TEMPLATES) { "templates" } else { "domains" };
                Some((format!("{place}/{path}"), text.to_owned()))
            }),
            Root::Folder(folder) => names.iter().find_map(|name| {
                let mut path = folder.clone();
                let mut rest = name.as_str();
                while let Some(up) = rest.strip_prefix("../") {
                    let named = path.file_name().is_some();
                    path = path.parent().filter(|_| named).map_or_else(|| path.join(".."), Path::to_owned);
                    rest = up;
                }
                let path = path.join(rest);
                std::fs::read_to_string(&path).ok().map(|text| (path.display().to_string(), text))
            }),
        }
    }

    fn need(&self, names: &[String]) -> Result<(String, String), Fault> {
        self.read(names).ok_or_else(|| {
            let places = names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" or ");
            Fault::new(
                &self.origin,
                0,
                format!("the package `{}` has no {places}", self.name),
                "add the file; see domains/README.md",
            )
        })
    }

    /// Reads and checks the package's files; the logic programs are checked when they are grounded.
    ///
    /// # Errors
    /// All faults found.
    pub fn load(&self) -> Result<Package, Faults> {
        let one = |name: &str| self.need(&[name.to_owned()]).map_err(Faults::from);
        let (file, text) = one("domain.toml")?;
        let head: Head = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(&text, span.start));
            Fault::new(&file, line, error.message().trim(), "see domains/README.md for the format")
        })?;
        let mut faults = Faults::default();
        let mut types: Vec<(usize, ObjectType)> = Vec::new();
        for (name, t) in head.types {
            let names = match t.names {
                HeadNames::List(names) => names,
                // More are never needed, and all are compared with each other.
                HeadNames::Numbered { prefix, from, to } => {
                    (from..=to).take(MOST_NAMES).map(|n| format!("{prefix}{n}")).collect()
                }
            };
            types.push((
                name.span().start,
                ObjectType { name: name.into_inner(), id: t.id, count: t.count, names },
            ));
        }
        types.sort_by_key(|(at, _)| *at);
        check_types(&file, &text, &types, &head.constants, &mut faults);
        if head.levels.is_empty() {
            faults.push(Fault::new(&file, 0, "there are no levels", "add `N1 = { ... }` under [levels]"));
        }
        let mut levels = BTreeMap::new();
        for (name, parameters) in head.levels {
            let at = line_of(&text, name.span().start);
            let Some(level) = level_number(name.get_ref()) else {
                faults.push(Fault::new(
                    &file,
                    at,
                    format!("`{}` is no level", name.get_ref()),
                    "levels are N1 to N5",
                ));
                continue;
            };
            let mut ranges = BTreeMap::new();
            for (parameter, value) in parameters {
                if !is_name(&parameter) || TAKEN_CONSTANTS.contains(&parameter.as_str()) {
                    faults.push(Fault::new(
                        &file,
                        at,
                        format!("`{parameter}` cannot be a parameter"),
                        format!(
                            "choose another name: a small letter, then letters, digits and _, and none of {}",
                            TAKEN_CONSTANTS.join(", ")
                        ),
                    ));
                }
                match range(value.get_ref()) {
                    Some(range) => drop(ranges.insert(parameter, range)),
                    None => faults.push(Fault::new(
                        &file,
                        line_of(&text, value.span().start),
                        format!("`{parameter}` is no number and no range"),
                        "write `3` or `[2, 5]`, the lower number first",
                    )),
                }
            }
            for (_, t) in &types {
                if !ranges.contains_key(&t.count) {
                    faults.push(Fault::new(
                        &file,
                        at,
                        format!(
                            "level {} lacks `{}`, the number of objects of type `{}`",
                            name.get_ref(),
                            t.count,
                            t.name
                        ),
                        "add the parameter",
                    ));
                }
                if ranges.get(&t.count).is_some_and(|r| r.1 > t.names.len() as i64) {
                    faults.push(Fault::new(
                        &file,
                        at,
                        format!(
                            "level {} may have more objects of type `{}` than there are names",
                            name.get_ref(),
                            t.name
                        ),
                        "lengthen the pool or lower the range",
                    ));
                }
            }
            levels.insert(level, ranges);
        }
        let mut statics = Vec::new();
        for item in &head.statics {
            match item
                .get_ref()
                .split_once('/')
                .and_then(|(name, arity)| Some((name.to_owned(), arity.parse().ok()?)))
            {
                Some(predicate) => statics.push(predicate),
                None => faults.push(Fault::new(
                    &file,
                    line_of(&text, item.span().start),
                    format!("`{}` is no predicate", item.get_ref()),
                    "write name/arity",
                )),
            }
        }
        let constants: Vec<&str> = head.constants.keys().map(String::as_str).collect();
        let kinds: Vec<&str> = types.iter().map(|(_, t)| t.name.as_str()).collect();
        let templates = |end: &str, own: &str| {
            let shared = format!("{}{end}", self.name);
            vec![own.to_owned(), format!("../templates/{shared}"), format!("../../templates/{shared}")]
        };
        let (book_file, book_text) = self.need(&templates(".toml", "phrases.toml")).map_err(Faults::from)?;
        let book = read_book(&book_file, &book_text, &constants, &kinds).unwrap_or_else(|found| {
            faults.extend(found);
            PhraseBook::default()
        });
        let rules = match self.read(&templates(".rules.tera", "rules.tera")) {
            Some((file, text)) => match Paragraph::compile(&file, &text) {
                Ok(paragraph) => Some(paragraph),
                Err(fault) => {
                    faults.push(fault);
                    None
                }
            },
            None => None,
        };
        let types: Vec<ObjectType> = types.into_iter().map(|(_, t)| t).collect();
        if faults.is_empty() {
            check_book(&book, &types, rules.is_some(), &mut faults);
        }
        let mut program = |name: &str| match one(name) {
            Ok((file, text)) => Source::new(file, text),
            Err(found) => {
                faults.extend(found);
                Source::new(name, "")
            }
        };
        let (domain, world, questions) = (program("domain.lp"), program("world.lp"), program("questions.lp"));
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Package {
            automatic: Source::new(format!("{book_file} (questions that follow from it)"), automatic(&book)),
            common: common()?,
            name: self.name.clone(),
            origin: self.origin.clone(),
            title: head.title,
            summary: head.summary,
            source: head.source,
            levels,
            types,
            statics,
            constants: head.constants,
            head: Source::new(file, text),
            domain,
            world,
            questions,
            book,
            rules,
        })
    }
}

/// The phrase book that all domains share.
fn common() -> Result<PhraseBook, Faults> {
    let text = TEMPLATES.get_file("common.toml").and_then(|f| f.contents_utf8()).unwrap_or_default();
    read_book("templates/common.toml", text, &[], &[])
}

/// A phrase book about fluents and actions as such: `generic.toml`, `as_generic.toml`.
///
/// # Errors
/// The book's faults.
pub fn abstract_book(name: &str) -> Result<PhraseBook, Faults> {
    let text = TEMPLATES.get_file(name).and_then(|f| f.contents_utf8()).unwrap_or_default();
    read_book(&format!("templates/{name}"), text, &[], &["fluent", "action"])
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

/// May this be a predicate or constant of a logic program?
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Constants that the shared logic programs give a meaning.
const TAKEN_CONSTANTS: [&str; 2] = ["n", "max_count"];
/// Predicates that the shared logic programs derive; `fluent` and `action` may be types, too.
const TAKEN_PREDICATES: [&str; 18] = [
    "answer",
    "ask",
    "can",
    "defined",
    "executable",
    "holds",
    "inertial",
    "initially",
    "member",
    "next",
    "now",
    "number",
    "occ",
    "some",
    "suppose",
    "supposing",
    "time",
    "trivial",
];

fn check_types(
    file: &str,
    text: &str,
    types: &[(usize, ObjectType)],
    constants: &BTreeMap<String, String>,
    faults: &mut Faults,
) {
    let mut names: Vec<(&str, usize)> = constants.values().map(|name| (name.as_str(), 1)).collect();
    let mut ids: HashMap<&str, &str> = HashMap::new();
    for (at, t) in types {
        let line = line_of(text, *at);
        if !is_name(&t.name) || TAKEN_PREDICATES.contains(&t.name.as_str()) {
            faults.push(Fault::new(
                file,
                line,
                format!("`{}` cannot be a type", t.name),
                "choose a name that is no predicate of the shared axioms: small letters, digits and _",
            ));
        }
        if let Some(other) = ids.insert(&t.id, &t.name) {
            faults.push(Fault::new(
                file,
                line,
                format!("`{other}` and `{}` share the letters `{}`", t.name, t.id),
                "give each type its own",
            ));
        }
        if !t.id.chars().all(|c| c.is_ascii_lowercase()) || t.id.is_empty() {
            faults.push(Fault::new(
                file,
                line,
                format!("`{}` does not start an id", t.id),
                "use small letters only",
            ));
        }
        if t.names.len() < FEWEST_NAMES {
            faults.push(Fault::new(
                file,
                line,
                format!("`{}` has {} names", t.name, t.names.len()),
                format!("write at least {FEWEST_NAMES}"),
            ));
        }
        names.extend(t.names.iter().map(|name| (name.as_str(), line)));
    }
    let lower: Vec<String> = names.iter().map(|(name, _)| name.to_lowercase()).collect();
    for (i, (name, line)) in names.iter().enumerate() {
        if name.is_empty() || name.contains(',') || name.trim() != *name {
            faults.push(Fault::new(
                file,
                *line,
                format!("`{name}` cannot be a name"),
                "names hold no comma and no outer spaces",
            ));
        }
        for (j, (other, _)) in names.iter().enumerate() {
            if i != j && !name.is_empty() && lower[j].contains(&lower[i]) && (lower[i] != lower[j] || i < j) {
                faults.push(Fault::new(
                    file,
                    *line,
                    format!("the name `{name}` is a part of `{other}`"),
                    "replace one of them",
                ));
            }
        }
    }
}

fn check_book(book: &PhraseBook, types: &[ObjectType], own_rules: bool, faults: &mut Faults) {
    for t in types {
        if !book.objects.iter().any(|(kind, _)| *kind == t.name)
            && !book.fluents.iter().chain(&book.facts).any(|r| r.pattern.bare && r.pattern.functor == t.name)
            && !own_rules
        {
            faults.push(Fault::new(
                &book.file,
                0,
                format!("no sentence lists the objects of type `{}`", t.name),
                format!("add `{} = [...]` under [objects]", t.name),
            ));
        }
    }
    if book.actions.is_empty() {
        faults.push(Fault::new(
            &book.file,
            0,
            "no action has phrasings",
            "add `[action.\"...\"]` for each action",
        ));
    }
    if book.rules.is_empty() && !own_rules {
        faults.push(Fault::new(
            &book.file,
            0,
            "there are no rules",
            "add `[rules]` with `sentences = [[...], ...]`",
        ));
    }
}

/// The rules of the question families that every domain has: from what the phrase book can say, what can be asked.
fn automatic(book: &PhraseBook) -> String {
    let mut out = String::from("supposing :- suppose(_).\n");
    for relation in &book.fluents {
        let pattern = &relation.pattern;
        let form = FormRules::of(pattern);
        let fluent = &form.atom;
        let question = if pattern.bare { format!("true({fluent})") } else { fluent.clone() };
        if !relation.ask.is_empty() {
            out += &format!("ask({question},verify) :- fluent({fluent}){}.\n", form.types);
            out +=
                &format!("answer({question},yes) :- ask({question},verify), now({fluent}){}.\n", form.types);
        }
        for (lists, prefix, kind) in
            [(&relation.which, "which", "other"), (&relation.count, "count", "count")]
        {
            for (slot, _) in lists.iter() {
                let asked = form.with_hole(pattern, *slot, prefix);
                let filler = &form.variables[*slot];
                out += &format!("ask({asked},{kind}) :- fluent({fluent}){}.\n", form.types);
                out +=
                    &format!("member({asked},{filler}) :- fluent({fluent}), now({fluent}){}.\n", form.types);
            }
        }
        if !relation.each.is_empty() {
            out += &format!("ask(changes({fluent}),verify) :- supposing, fluent({fluent}){}.\n", form.types);
            for (before, after) in [("", "not "), ("not ", "")] {
                out += &format!(
                    "answer(changes({fluent}),yes) :- supposing, fluent({fluent}){}, {before}now({fluent}), {after}next({fluent}).\n",
                    form.types
                );
            }
        }
    }
    for action in &book.actions {
        let form = FormRules::of(&action.pattern);
        let atom = &form.atom;
        out += &format!("ask(executable({atom}),verify) :- action({atom}){}.\n", form.types);
        out += &format!("answer(executable({atom}),yes) :- can({atom}){}.\n", form.types);
    }
    out += "ask(executable_actions,count).\nmember(executable_actions,A) :- can(A).\n";
    out
}

/// A pattern as the text of a logic program.
struct FormRules {
    atom: String,
    /// `, robot(X0), location(X1)`
    types: String,
    variables: Vec<String>,
}

impl FormRules {
    fn of(pattern: &Pattern) -> FormRules {
        let (mut args, mut types, mut variables) = (Vec::new(), String::new(), Vec::new());
        for place in &pattern.places {
            match place {
                PatternPlace::Constant(name) => args.push(name.clone()),
                PatternPlace::Slot { kind, .. } => {
                    let variable = format!("X{}", variables.len());
                    if kind != "number" {
                        types += &format!(", {kind}({variable})");
                    }
                    args.push(variable.clone());
                    variables.push(variable);
                }
            }
        }
        let atom = match (pattern.bare, args.is_empty()) {
            (true, _) => variables[0].clone(),
            (false, true) => pattern.functor.clone(),
            (false, false) => format!("{}({})", pattern.functor, args.join(",")),
        };
        FormRules { atom, types, variables }
    }

    /// `which_at(robot,X1)`: the question with a type in place of what is asked for.
    fn with_hole(&self, pattern: &Pattern, slot: usize, prefix: &str) -> String {
        let mut number = 0;
        let args = pattern.places.iter().map(|place| match place {
            PatternPlace::Constant(name) => name.clone(),
            PatternPlace::Slot { kind, .. } => {
                number += 1;
                if number - 1 == slot { kind.clone() } else { self.variables[number - 1].clone() }
            }
        });
        let functor = if pattern.bare { "true" } else { &pattern.functor };
        format!("{prefix}_{functor}({})", args.collect::<Vec<_>>().join(","))
    }
}

impl Package {
    /// Loads a built-in package, one of the working directory's `domains/`, or one from a folder given by path.
    ///
    /// # Errors
    /// The package's faults.
    pub fn load(name: &str) -> Result<Package, Faults> {
        let path = Path::new(name);
        if path.join("domain.toml").is_file() {
            let name = file_name(path);
            return FoundPackage {
                name,
                origin: path.display().to_string(),
                root: Root::Folder(path.to_owned()),
            }
            .load();
        }
        Catalogue::find(&[]).map_err(Faults::from)?.load(name)
    }

    /// The type of an object, by its id: letters of a type and a number.
    pub fn kind_of(&self, id: &str) -> Option<usize> {
        let letters = id.trim_end_matches(|c: char| c.is_ascii_digit());
        if letters.len() == id.len() {
            return None;
        }
        self.types.iter().position(|t| t.id == letters)
    }

    /// The names of the types.
    pub fn kinds(&self) -> Vec<&str> {
        self.types.iter().map(|t| t.name.as_str()).collect()
    }

    /// Does a pattern of this package's phrase book match the term?
    pub fn fits(&self, pattern: &Pattern, term: &Term) -> bool {
        pattern.matches(term, &|id| self.kind_of(id), &self.kinds())
    }
}
