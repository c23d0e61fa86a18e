//! What an audit found, to `audit.json`: verdict first.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use racgen_data::row::Row;
use racgen_data::table::{Cell, Table};
use serde::Serialize;

use crate::audit::attacks::bounded_share::BoundedShare;
use crate::audit::attacks::giveaways::{AnswerGiveaway, FamilyGiveaway, Giveaways};
use crate::audit::attacks::item::{AuditItem, Interner, label};
use crate::audit::attacks::leaks::Leak;
use crate::audit::attacks::shortcuts::{AttackCell, AttackSummary, Deviation, Shortcut};
use crate::audit::attacks::thresholds::Thresholds;
use crate::audit::ledgers::LedgerReport;
use crate::audit::reread::verdict::{Finding, Trouble};

/// An item with which something is wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Example {
    /// What is wrong.
    pub trouble: Trouble,
    /// The particulars.
    pub detail: String,
    /// Its id.
    pub id: String,
    /// Domain, split, level and depth.
    pub place: String,
    /// The text.
    pub initial_state: String,
    /// The text.
    pub actions: String,
    /// The question.
    pub question: String,
    /// The row's answer.
    pub answer: String,
}

impl Example {
    /// An item and what is wrong with it.
    pub fn new(row: &Row, finding: &Finding) -> Example {
        Example {
            trouble: finding.trouble,
            detail: finding.detail.clone(),
            id: row.id.clone(),
            place: format!(
                "{} N{}, {} action{}, {}",
                row.domain,
                row.level,
                row.depth,
                if row.depth == 1 { "" } else { "s" },
                row.split
            ),
            initial_state: row.initial_state.to_string(),
            actions: row.actions.to_string(),
            question: row.question.clone(),
            answer: row.answer.clone(),
        }
    }
}

/// What reading the texts back came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReadBack {
    /// Items read.
    pub read: usize,
    /// Items of games whose rules do not stand beside the data: only labels, shortcuts and leaks are checked.
    pub unread: usize,
    /// Items told in the vocabulary of the generic domain.
    pub generic: usize,
    /// Items of domains whose column `effective_depth` was not checked, for no item read together with them has it.
    pub without_depth: usize,
    /// Items whose initial state a picture states in place of words.
    #[serde(skip_serializing_if = "is_zero")]
    pub pictured: usize,
    /// Items with each kind of trouble.
    pub troubles: BTreeMap<Trouble, usize>,
    /// Some of them.
    pub examples: Vec<Example>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// One kind of check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// Its name; of measures, that of the threshold.
    pub name: String,
    /// What is checked.
    pub what: String,
    /// The threshold, where there is one.
    pub threshold: Option<f64>,
    /// How many faults there are.
    pub faults: usize,
    /// The worst of them, in words.
    pub worst: String,
}

/// Distributions, for charts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DataShape {
    /// By label (no, yes): how many questions have each length, in steps of [`DataShape::STEP`] characters.
    pub lengths: [Vec<usize>; 2],
    /// By type of question: its most frequent answers.
    pub answers: BTreeMap<String, Vec<(String, usize)>>,
    /// Items by split.
    pub splits: BTreeMap<String, usize>,
}

impl DataShape {
    /// Characters that a bar of the chart of lengths stands for.
    pub const STEP: usize = 10;
    /// Answers that are listed.
    const ANSWERS: usize = 12;

    /// The distributions of items.
    pub fn of(items: &[AuditItem], texts: &Interner) -> DataShape {
        let mut shape = DataShape::default();
        let mut answers: BTreeMap<u32, BTreeMap<u32, usize>> = BTreeMap::new();
        for item in items {
            *shape.splits.entry(texts.text(item.split).to_string()).or_default() += 1;
            *answers.entry(item.question_type).or_default().entry(item.answer).or_default() += 1;
            if let Some(label) = label(texts.text(item.answer)) {
                let bars = &mut shape.lengths[usize::from(label)];
                let bar = (item.question_length as usize / DataShape::STEP).min(60);
                if bars.len() <= bar {
                    bars.resize(bar + 1, 0);
                }
                bars[bar] += 1;
            }
        }
        for (kind, counts) in answers {
            let mut counts: Vec<(String, usize)> =
                counts.into_iter().map(|(answer, count)| (texts.text(answer).to_string(), count)).collect();
            counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            counts.truncate(DataShape::ANSWERS);
            shape.answers.insert(texts.text(kind).to_string(), counts);
        }
        shape
    }
}

/// A cell and its measures, side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// Which.
    #[serde(flatten)]
    pub cell: AttackCell,
    /// What it adds up to.
    #[serde(flatten)]
    pub summary: AttackSummary,
}

/// What an audit looks at besides texts and answers.
#[derive(Clone, Debug, Default)]
pub struct Beyond {
    /// What manifests say otherwise; none for other people's data.
    pub ledgers: Option<LedgerReport>,
    /// Columns that are none of racgen's.
    pub unknown: BTreeSet<String>,
}

/// A column that was not checked, or not in all rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UncheckedColumn {
    /// Its name.
    pub column: String,
    /// What of it was not checked, and why.
    pub why: String,
}

/// All that an audit found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditReport {
    /// Is there no fault?
    pub pass: bool,
    /// The verdict in one sentence.
    pub verdict: String,
    /// The version of racgen.
    pub racgen: String,
    /// What was audited.
    pub data: String,
    /// What it was compared with.
    pub against: Option<String>,
    /// How many items there are.
    pub items: usize,
    /// The checks, and what they came to.
    pub checks: Vec<Check>,
    /// What reading the texts back came to; none for other people's data.
    pub reading: Option<ReadBack>,
    /// What the manifests say; none for other people's data.
    pub ledgers: Option<LedgerReport>,
    /// The columns that could not be checked.
    pub unchecked: Vec<UncheckedColumn>,
    /// What leaks between splits.
    pub leaks: Vec<Leak>,
    /// What leaks between the two data sets.
    pub between: Vec<Leak>,
    /// Measures above their thresholds.
    pub deviations: Vec<Deviation>,
    /// Shares that would be above their thresholds if they were looked at alone, but may be chance among all that were.
    pub suspicions: Vec<Deviation>,
    /// All thresholds.
    pub thresholds: Thresholds,
    /// What families of yes/no questions give away.
    pub families: Vec<FamilyGiveaway>,
    /// What the answers of other families give away.
    pub answers: Vec<AnswerGiveaway>,
    /// All measures.
    pub cells: Vec<Measured>,
    /// Distributions.
    pub shape: DataShape,
}

impl Serialize for Thresholds {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Measures of `shortcuts` and `giveaways`, in the order of a reader's interest.
const MEASURES: [&str; 23] = [
    "balance",
    "length_auc",
    "question_only",
    "question_only_open",
    "context_blind",
    "template_label",
    "name_label",
    "majority",
    "entropy",
    "trivial",
    "family_attack",
    "settled_attack",
    "three_attack",
    "domain_attack",
    "settled_share",
    "pattern_attack",
    "choice_attack",
    "choice_initial",
    "told_attack",
    "answer_share",
    "answer_pattern",
    "none_share",
    "unchanged_share",
];

/// What may leak, and what is looked at.
const LEAKS: [(&str, &str); 9] = [
    ("shared worlds", "worlds that two splits share, by keys worked out afresh"),
    ("duplicates", "items whose context and question another item has"),
    ("contradictions", "items with the same text and different answers"),
    ("repeated ids", "ids that several items have"),
    ("broken pairs", "items of pairs that do not differ in just what their column change says"),
    ("equal answers", "items of pairs whose answers should differ"),
    ("unknown answers", "words of answers that the first split lacks"),
    ("held-out phrasings", "phrasings of the split test_language that other splits use"),
    ("held-out names", "names of the split test_language that other splits use"),
];

/// What a manifest says of the data.
const LEDGERS: [(&str, &str); 2] = [
    ("files", "files that are not those of the manifest: missing, changed, or not listed"),
    ("counts", "items that are not those of the manifest: their counts, answers, worlds, seeds and indices"),
];

/// The columns that were not checked.
fn unchecked(reading: Option<&ReadBack>, beyond: &Beyond) -> Vec<UncheckedColumn> {
    let column = |column: &str, why: String| UncheckedColumn { column: column.to_owned(), why };
    let mut all = Vec::new();
    let Some(reading) = reading else { return all };
    if reading.unread > 0 {
        let why =
            format!("{} items were not read back, so that their columns say what they like", reading.unread);
        all.push(column("all but the answer's label", why));
    }
    if reading.generic > 0 {
        let why = format!(
            "the names of the domain's own objects in {} items, which a text in the generic vocabulary does not name",
            reading.generic
        );
        all.push(column("objects", why));
    }
    if reading.pictured > 0 {
        let why = format!(
            "the initial state of {} items stands in a picture and was taken from this column; their pictures were drawn anew of \
             it, and are the same",
            reading.pictured
        );
        all.push(column("facts", why));
    }
    if reading.without_depth > 0 {
        let why = format!("{} items of domains do not have it", reading.without_depth);
        all.push(column("effective_depth", why));
    }
    if beyond.ledgers.as_ref().is_none_or(|ledgers| ledgers.manifests == 0) {
        let why = "no text tells them, and there is no manifest.json that does; only the id depends on them";
        all.push(column("split, level, seed and index", why.to_owned()));
    }
    all.extend(beyond.unknown.iter().map(|name| column(name, "it is none of racgen's columns".to_owned())));
    all
}

/// What two data sets may share.
const BETWEEN: [(&str, &str); 3] = [
    ("shared worlds", "worlds that the other data set has, too"),
    ("duplicates", "items whose context and question the other data set has"),
    ("repeated ids", "ids that the other data set has"),
];

impl AuditReport {
    /// Adds up what was found.
    #[expect(clippy::too_many_arguments, reason = "one for each part of the report")]
    pub fn new(
        path: &Path,
        items: usize,
        reading: Option<ReadBack>,
        beyond: Beyond,
        mut found: Shortcut,
        given: Giveaways,
        leaks: Vec<Leak>,
        between: Option<(String, Vec<Leak>)>,
        shape: DataShape,
        thresholds: &Thresholds,
    ) -> AuditReport {
        let mut checks = Vec::new();
        found.deviations.splice(0..0, given.deviations);
        if let Some(reading) = &reading {
            let wrong: usize = reading.troubles.values().sum();
            let share = wrong as f64 / reading.read.max(1) as f64;
            let limit = thresholds.of("unsound");
            let most = reading.troubles.iter().max_by_key(|(_, count)| **count);
            checks.push(Check {
                name: "text".into(),
                what: format!("the text of {} items was read back, and clingo answered anew", reading.read),
                threshold: Some(limit),
                faults: if share > limit { wrong } else { 0 },
                worst: most.map_or(String::new(), |(trouble, count)| format!("{count}: {}", trouble.words())),
            });
        }
        for (kind, what) in LEDGERS {
            let spoken = |ledgers: &&LedgerReport| ledgers.manifests > 0 || !ledgers.discrepancies.is_empty();
            let Some(ledgers) = beyond.ledgers.as_ref().filter(spoken) else { continue };
            let of_kind = || ledgers.discrepancies.iter().filter(|d| d.kind == kind);
            checks.push(Check {
                name: kind.into(),
                what: what.into(),
                threshold: None,
                faults: of_kind().count(),
                worst: of_kind().next().map_or(String::new(), |first| first.detail.clone()),
            });
        }
        for name in MEASURES {
            let of_measure = || found.deviations.iter().filter(|d| d.measure == name);
            let worst = of_measure().max_by(|a, b| a.value.total_cmp(&b.value));
            let threshold = thresholds.0.iter().find(|t| t.name == name);
            checks.push(Check {
                name: name.into(),
                what: threshold.map_or(String::new(), |t| t.measure.to_owned()),
                threshold: threshold.map(|t| t.value),
                faults: of_measure().count(),
                worst: worst.map_or(String::new(), |d| format!("{}: {}", place(&d.cell), d.detail)),
            });
        }
        let (against, between) = match between {
            Some((name, leaks)) => (Some(name), leaks),
            None => (None, Vec::new()),
        };
        let compared = against.is_some();
        let within = LEAKS.iter().map(|leak| (leak, &leaks));
        let with_other = BETWEEN.iter().map(|leak| (leak, &between)).filter(|_| compared);
        for ((name, what), list) in within.chain(with_other) {
            let of_kind = || list.iter().filter(|leak| leak.kind == *name);
            let other = std::ptr::eq(list, &between);
            checks.push(Check {
                name: if other { format!("{name} (other data set)") } else { (*name).into() },
                what: (*what).into(),
                threshold: None,
                faults: of_kind().map(|leak| leak.count).sum(),
                worst: of_kind()
                    .map(|leak| format!("{} {}", leak.count, leak.detail))
                    .next()
                    .unwrap_or_default(),
            });
        }
        let failed: Vec<&str> = checks.iter().filter(|c| c.faults > 0).map(|c| c.name.as_str()).collect();
        let verdict = if failed.is_empty() {
            format!("No fault was found in {items} items.")
        } else {
            format!("Faults were found in {items} items: {}.", failed.join(", "))
        };
        let cells = found.cells.into_iter().map(|(cell, summary)| Measured { cell, summary }).collect();
        AuditReport {
            pass: failed.is_empty(),
            verdict,
            racgen: env!("CARGO_PKG_VERSION").into(),
            data: path.display().to_string(),
            against,
            items,
            checks,
            unchecked: unchecked(reading.as_ref(), &beyond),
            ledgers: beyond.ledgers,
            reading,
            leaks,
            between,
            deviations: found.deviations,
            suspicions: given.suspicions,
            thresholds: thresholds.clone(),
            families: given.families,
            answers: given.answers,
            cells,
            shape,
        }
    }

    /// The checks as a table, and some of the faults below it.
    pub fn table(&self) -> Table {
        let row = |check: &Check| {
            let mark = if check.faults == 0 { "ok" } else { "FAULT" };
            let worst = if check.faults == 0 { "" } else { &check.worst };
            let [mark, name, worst] = [mark, &check.name, worst].map(|text| Cell::Text(text.to_owned()));
            vec![mark, name, Cell::Count(check.faults as u64), worst]
        };
        let mut notes = Vec::new();
        for unread in self.reading.iter().map(|r| r.unread).filter(|unread| *unread > 0) {
            notes.push(format!(
                "{unread} items were not read back: the rules of their games are not beside the data, in \
                 reference/GAME.kif"
            ));
        }
        for column in &self.unchecked {
            notes.push(format!("not checked: {}: {}", column.column, column.why));
        }
        for one in self.suspicions.iter().take(MOST_SUSPICIONS) {
            notes.push(format!("suspicious: {}: {} ({} items)", place(&one.cell), one.detail, one.items));
        }
        match self.suspicions.len().saturating_sub(MOST_SUSPICIONS) {
            0 => {}
            more => notes.push(format!("suspicious: {more} more, which the page lists")),
        }
        if !self.suspicions.is_empty() {
            notes.push(SUSPICIOUS.to_owned());
        }
        for example in self.reading.iter().flat_map(|r| &r.examples).take(3) {
            notes.push(format!(
                "\n{} ({})\n  {}\n  item {}: {} -> {}",
                example.trouble.words(),
                example.place,
                example.detail,
                example.id,
                example.question,
                example.answer
            ));
        }
        Table {
            title: self.verdict.clone(),
            head: ["", "check", "faults", "the worst"].map(str::to_owned).into(),
            rows: self.checks.iter().map(row).collect(),
            notes,
            ..Table::default()
        }
    }

    /// Is it asked anywhere what is sure or possible, so that trees saw the facts of initial situations?
    pub fn sees_facts(&self) -> bool {
        self.families.iter().any(|family| !family.facts.is_empty())
    }

    /// What the columns of the table of giveaways are.
    pub fn giveaway_notes(&self) -> impl Iterator<Item = &'static str> {
        GIVEAWAYS.into_iter().chain(self.sees_facts().then_some(FACTS))
    }

    /// How often the right one of what a question lists is told, by family, as a table; none where nothing is listed.
    pub fn choices(&self) -> Option<Table> {
        let listing = self.answers.iter().filter(|family| !family.choice.a.is_empty());
        let row = |family: &AnswerGiveaway| {
            let mut row = vec![Cell::Text(family.domain.clone()), Cell::Text(family.family.clone())];
            row.extend([Cell::Count(family.choice.a.of as u64), Cell::Figure(family.choice.chance)]);
            row.extend([family.choice.a, family.choice.facts, family.choice.pattern].map(figure));
            row
        };
        let rows: Vec<Vec<Cell>> = listing.map(row).collect();
        (!rows.is_empty()).then(|| Table {
            title: "How often the right one of what is listed is told".into(),
            head: ["domain", "family", "items", "chance", "a", "facts", "question"].map(str::to_owned).into(),
            rows,
            notes: CHOICES.map(str::to_owned).into(),
            ..Table::default()
        })
    }

    /// What families of yes/no questions give away, as a table; none where nothing was measured.
    pub fn giveaways(&self) -> Option<Table> {
        let sees_facts = self.sees_facts();
        let head = ["domain", "family", "items", "settled", "yes", "a", "i", "pattern"].into_iter();
        let facts = sees_facts.then_some("facts");
        let row = |family: &FamilyGiveaway| {
            let settled = if family.settled { "yes" } else { "" };
            let mut row = vec![Cell::Text(family.domain.clone()), Cell::Text(family.family.clone())];
            row.extend([Cell::Count(family.items as u64), Cell::Text(settled.into())]);
            row.extend([family.yes, family.a, family.i, family.pattern].map(figure));
            row.extend(sees_facts.then(|| figure(family.facts)));
            row
        };
        (!self.families.is_empty()).then(|| Table {
            title: "What each family of yes/no questions gives away".into(),
            head: head.chain(facts).map(str::to_owned).collect(),
            rows: self.families.iter().map(row).collect(),
            notes: self.giveaway_notes().map(str::to_owned).collect(),
            ..Table::default()
        })
    }
}

/// How many suspicions are told below the checks.
const MOST_SUSPICIONS: usize = 5;
/// What a suspicion is.
pub(super) const SUSPICIOUS: &str = "Each of these would be a fault if it were looked at alone; among so many shares it may be chance. More \
                          items tell.";

/// What the columns of the table of giveaways are.
const GIVEAWAYS: [&str; 2] = [
    "a: right by question and actions without the initial state; i: right by the initial state alone; pattern: right by",
    "the question's form and the pattern of its names; settled: the last action that names an object asked about decides",
];
/// And what one more is, where it is asked what is sure or possible.
const FACTS: &str = "facts: right by question and initial state without the actions";

/// What the columns of the table of choices are.
const CHOICES: [&str; 2] = [
    "chance: right by a guess; a: chosen by question and actions without the initial state; facts: by question and initial",
    "state without the actions; question: by the question alone",
];

/// A share as a table shows it.
fn figure(share: BoundedShare) -> Cell {
    share.value().map_or(Cell::None, Cell::Figure)
}

/// A cell in words.
pub fn place(cell: &AttackCell) -> String {
    let part = |letter: char, number: Option<i32>| number.map_or(String::new(), |n| format!(" {letter}{n}"));
    let of_cell = part('N', cell.level) + &part('A', cell.depth);
    format!("{} {} {} {}{of_cell}", cell.domain, cell.split, cell.question_type, cell.family)
}
