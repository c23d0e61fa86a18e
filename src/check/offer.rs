//! A package to what it offers: its parameters level by level, its objects, and the families of questions.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use racgen_data::table::{Cell, Table};
use racgen_logic::fault::Faults;
use racgen_logic::seed::stream;
use serde::Serialize;

use crate::check::faults::{simulation_fault, solver_fault};
use crate::domain::mechanism::Mechanism;
use crate::domain::package::{Package, Range};
use crate::domain::question_groups::{kinds, suits};
use crate::factory::choosing::schedule::AFTER;
use crate::factory::further::programs::Programs;
use crate::factory::further::search_families::SearchFamily;
use crate::language::words::lexicon::Lexicon;
use crate::phrases::book::FamilyPhrases;
use crate::simulate::layout::Layout;
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// What a package offers.
#[derive(Clone, Debug, Serialize)]
pub struct Offer {
    /// The package.
    pub domain: String,
    /// Its title.
    pub title: String,
    /// One sentence.
    pub summary: String,
    /// Paper and section.
    pub source: String,
    /// What a reader has to follow.
    pub mechanisms: Vec<Mechanism>,
    /// Where it was found.
    pub found: String,
    /// The types of objects.
    pub types: Vec<OfferedType>,
    /// Parameters by level, `N1` and so on, each with its least and greatest value.
    pub levels: BTreeMap<String, BTreeMap<String, Range>>,
    /// The families of questions of prediction.
    pub families: Vec<OfferedFamily>,
    /// The families of other groups, which all domains have.
    pub further: Vec<OfferedFurther>,
}

/// A type of objects.
#[derive(Clone, Debug, Serialize)]
pub struct OfferedType {
    /// Its name.
    #[serde(rename = "type")]
    pub name: String,
    /// The parameter that says how many there are.
    pub count: String,
    /// How many names there are.
    pub names: usize,
}

/// A family of questions.
#[derive(Clone, Debug, Serialize)]
pub struct OfferedFamily {
    /// `verify`, `count` or `other`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its name, as `--family` takes it.
    pub family: String,
    /// A question of it as a term.
    pub example: String,
}

/// A family of questions beyond prediction.
#[derive(Clone, Debug, Serialize)]
pub struct OfferedFurther {
    /// Its group, as `--ask` takes it.
    pub group: String,
    /// `verify`, `count` or `other`; `all` where it puts a question of prediction.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its name, as `--family` takes it.
    pub family: String,
    /// What its questions are about.
    pub example: String,
}

/// The kind of a group's questions, where all are of one.
fn only_kind(group: &str, outcomes: bool) -> Option<&'static str> {
    let own: Vec<Kind> =
        Kind::ALL.into_iter().filter(|kind| kinds(group, outcomes)[*kind as usize]).collect();
    if let [only] = own.as_slice() { Some(only.name()) } else { None }
}

/// The families beyond prediction, in the order of the phrase book.
fn further(package: &Package) -> Result<Vec<OfferedFurther>, Faults> {
    let (families, programs) = (&package.common.families, Programs::default());
    let mut found = Vec::new();
    let outcomes = package.has_outcomes;
    let is_asked = |family: &FamilyPhrases| suits(&family.pattern.functor, outcomes);
    for (place, family) in families.iter().enumerate().filter(|(_, family)| is_asked(family)) {
        let program =
            programs.of(&family.group, families, 1).map_err(|e| Faults::from(solver_fault(package, e)))?;
        let own = program.as_ref().and_then(|program| {
            let number = program.families.iter().position(|known| *known == place)?;
            Some(program.rules.families[number].kind.name())
        });
        let slots = family.pattern.slots().join(",").to_uppercase();
        let name = family.pattern.functor.clone();
        found.push(OfferedFurther {
            group: family.group.clone(),
            kind: own
                .or_else(|| SearchFamily::of(family).map(|s| s.kind().name()))
                .or(only_kind(&family.group, outcomes))
                .unwrap_or("all"),
            example: if slots.is_empty() { name.clone() } else { format!("{name}({slots})") },
            family: name,
        });
    }
    Ok(found)
}

/// Looks at the smallest layouts of the lowest and of the highest level.
///
/// # Errors
/// Faults that keep a layout from being grounded.
pub fn offer(package: &Package, limit: Duration) -> Result<Offer, Faults> {
    let mut families: BTreeMap<(Kind, String), String> = BTreeMap::new();
    let mut levels: Vec<i32> = package.levels.keys().copied().collect();
    // Where actions have several outcomes, no question of prediction has one answer.
    if package.has_outcomes {
        levels.clear();
    }
    if levels.len() > 2 {
        levels = vec![levels[0], levels[levels.len() - 1]];
    }
    for level in levels {
        let low = package.levels[&level].iter().map(|(name, (low, _))| (name.clone(), *low)).collect();
        let mut rng = stream(0, &["offer", &package.name, &level.to_string()]);
        let world = |error| Faults::from(simulation_fault(package, level, error));
        let layout = Layout::bare(package, level, &low, &mut rng).map_err(world)?;
        let layout = layout.furnish(package, &mut rng, limit).map_err(world)?;
        let engine = TransitionSystem::new(layout.step_program(package), limit)
            .map_err(|error| Faults::from(solver_fault(package, error)))?;
        let lexicon = Lexicon::new(package, &layout, &engine);
        for (index, question) in engine.questions.iter().enumerate() {
            if lexicon.form(index).is_some() {
                let key = (question.kind, question.term.functor().to_owned());
                families.entry(key).or_insert_with(|| question.term.to_string());
            }
        }
    }
    // Any of them can be asked about the situation after one or two further actions.
    for kind in Kind::ALL {
        if families.keys().any(|(known, _)| *known == kind) {
            families.insert((kind, AFTER.to_owned()), "after(ACTION,QUESTION)".to_owned());
        }
    }
    let family = |((kind, family), example): ((Kind, String), String)| OfferedFamily {
        kind: kind.name(),
        family,
        example,
    };
    Ok(Offer {
        domain: package.name.clone(),
        title: package.title.clone(),
        summary: package.summary.clone(),
        source: package.source.clone(),
        mechanisms: package.mechanisms.clone(),
        found: package.origin.clone(),
        types: package
            .types
            .iter()
            .map(|t| OfferedType { name: t.name.clone(), count: t.count.clone(), names: t.names.len() })
            .collect(),
        levels: package.levels.iter().map(|(level, ranges)| (format!("N{level}"), ranges.clone())).collect(),
        families: families.into_iter().map(family).collect(),
        further: further(package)?,
    })
}

fn range((low, high): Range) -> String {
    if low == high { low.to_string() } else { format!("{low}-{high}") }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}\n{}", self.domain, self.title, self.summary)?;
        if !self.source.is_empty() {
            writeln!(f, "{}", self.source)?;
        }
        if !self.mechanisms.is_empty() {
            writeln!(f, "mechanisms: {}", Mechanism::list(&self.mechanisms))?;
        }
        let words = |head: &[&str]| head.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
        let texts = |cells: Vec<String>| cells.into_iter().map(Cell::Text).collect::<Vec<Cell>>();
        let level = |(level, ranges): (&String, &BTreeMap<String, Range>)| {
            let all = ranges.iter().map(|(name, ends)| format!("{name} {}", range(*ends)));
            texts(vec![level.clone(), all.collect::<Vec<_>>().join(", ")])
        };
        let one = |t: &OfferedType| texts(vec![t.name.clone(), t.count.clone(), t.names.to_string()]);
        let more = |f: &OfferedFurther| {
            texts(vec![f.group.clone(), f.kind.to_owned(), f.family.clone(), f.example.clone()])
        };
        let family = |f: &OfferedFamily| texts(vec![f.kind.to_owned(), f.family.clone(), f.example.clone()]);
        for table in [
            Table {
                head: words(&["level", "parameters (--set)"]),
                rows: self.levels.iter().map(level).collect(),
                ..Table::default()
            },
            Table {
                head: words(&["objects", "how many", "names"]),
                rows: self.types.iter().map(one).collect(),
                ..Table::default()
            },
            Table {
                head: words(&["type", "family (--family)", "a question of it"]),
                rows: self.families.iter().map(family).collect(),
                notes: vec!["A level and depth may not offer all of these; the manifest of a run says which were left out.".into()],
                ..Table::default()
            },
            Table {
                head: words(&["group (--ask)", "type", "family (--family)", "a question of it"]),
                rows: self.further.iter().map(more).collect(),
                ..Table::default()
            },
        ] {
            if !table.rows.is_empty() {
                write!(f, "\n{table}")?;
            }
        }
        Ok(())
    }
}
