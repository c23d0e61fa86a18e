//! The arguments of `racgen rules` to what it does, and to what it prints.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::{Args, Subcommand};
use racgen_data::table::{Cell, Table, TableStyle, print};
use racgen_data::training::exported;
use racgen_data::training::lm_eval::lm_eval;

use crate::campaign::jobs::rule_data::{RuleWriting, write_rule_data, write_suite};
use crate::campaign::run::Origin;
use crate::cli::args::run_args;
use crate::cli::args::run_args::RunArgs;
use crate::cli::output::bar::Bar;
use crate::cli::output::exit;
use crate::cli::output::exit::Exit;
use crate::cli::output::summary;
use crate::cli::rule_items::RuleItems;
use crate::rules::datalog::reader::Syntax;
use crate::rules::files::folder::Extra;
use crate::rules::files::manifest::Triples;
use crate::rules::files::suite::{RuleSuite, v0};
use crate::rules::generate::dataset::{RuleData, rule_data};
use crate::rules::generate::parameters::RuleParameters;
use crate::rules::measure::bench::{BenchSettings, bench};
use crate::rules::measure::learned_files::{RuleFiles, RuleScoring, ScoredRules, score_rules};
use crate::rules::measure::score::{Measures, Universe};

/// Makes rule sets with facts to learn them from, and scores learned rules (after RuDaS).
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  racgen rules --category rdg --size S --depth 3 --out rdg\n  racgen rules suite v0 --out v0\n  \
                  racgen rules score --original rdg/rules.txt --learned mine.txt --support rdg/eval-support.txt\n  \
                  racgen rules bench v0 --learned foil"
)]
pub struct RulesArgs {
    /// What to do; without a command, one data set is made.
    #[command(subcommand)]
    pub command: Option<RulesCommand>,
    /// The data set.
    #[command(flatten)]
    pub make: MakeRules,
}

/// Commands besides making one data set.
#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// Makes the data sets of RuDaS-v0 anew
    Suite {
        /// Which: `v0` has 40 Chain, 78 RDG and 78 DRDG data sets
        suite: RuleSuite,
        /// Seed of all random choices
        #[arg(long, short, default_value_t = 0)]
        seed: u64,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Asks questions in plain language about rules and facts
    Items(Box<RuleItems>),
    /// Measures how close learned rules come to the original ones
    Score {
        /// The original rules
        #[arg(long, value_name = "FILE")]
        original: PathBuf,
        /// Learned rules; NAME=FILE gives them a name (may be given several times)
        #[arg(long, value_name = "FILE", required = true)]
        learned: Vec<String>,
        /// The support facts of the evaluation
        #[arg(long, value_name = "FILE")]
        support: PathBuf,
        /// Names of predicates, one a line, that learned rules may use besides those of rules and support
        #[arg(long, value_name = "FILE")]
        relations: Option<PathBuf>,
        /// Take body atoms on predicates that nobody knows for false
        #[arg(long)]
        allow_unknown: bool,
        /// A table for each predicate, too
        #[arg(long)]
        per_predicate: bool,
        #[command(flatten)]
        scoring: ScoringArgs,
    },
    /// Prints tables of learners' scores on many data sets, as the paper's tables 1 to 4
    Bench {
        /// Folder of data sets
        dir: PathBuf,
        /// Folder of a learner, with one file for each data set [default: those in DIR/learned]
        #[arg(long, value_name = "DIR")]
        learned: Vec<PathBuf>,
        /// Leave out the built-in learners empty, memoriser and original
        #[arg(long)]
        no_built_in: bool,
        #[command(flatten)]
        scoring: ScoringArgs,
    },
}

/// How rules are read, scored and printed.
#[derive(Clone, Debug, Args)]
pub struct ScoringArgs {
    /// The Herbrand universe: each predicate once, or as RuDaS's own evaluator counts
    #[arg(long, value_enum, default_value = "strict")]
    pub universe: Universe,
    /// How the learned rules are written
    #[arg(long, value_enum, default_value = "auto")]
    pub syntax: Syntax,
    /// Leave out learned rules of less confidence
    #[arg(long)]
    pub threshold: Option<f64>,
    /// Give up beyond so many consequences
    #[arg(long, default_value_t = 5_000_000)]
    pub most_facts: u64,
    /// How the table is printed
    #[arg(long, value_enum, default_value = "text")]
    pub format: TableStyle,
}

impl ScoringArgs {
    fn settings(&self, allow_unknown: bool) -> RuleScoring {
        RuleScoring {
            universe: self.universe,
            syntax: self.syntax,
            threshold: self.threshold,
            most_facts: self.most_facts,
            allow_unknown,
        }
    }
}

/// A file of learned rules with its name, of NAME=FILE or FILE.
fn named(text: &str) -> (String, PathBuf) {
    match text.split_once('=') {
        Some((name, path)) => (name.to_owned(), path.into()),
        None => {
            let stem = Path::new(text).file_stem();
            (stem.map_or_else(|| text.to_owned(), |stem| stem.to_string_lossy().into()), text.into())
        }
    }
}

/// What a data set's folder holds.
#[derive(Clone, Debug, Args)]
pub struct OutputArgs {
    /// What to write besides RuDaS's files; `none` for nothing [default: everything]
    #[arg(long, value_name = "NAME,...")]
    pub extras: Option<String>,
    /// Questions in plain language, at least
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub questions: u64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub run: RunArgs,
}

/// One data set.
#[derive(Clone, Debug, Args)]
pub struct MakeRules {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rules: RuleParameters,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
}

impl OutputArgs {
    fn writing(&self, out: &Path) -> Result<RuleWriting, Exit> {
        let extras = match self.extras.as_deref() {
            None | Some("all") => Extra::ALL.to_vec(),
            Some("none") => Vec::new(),
            Some(list) => list
                .split(',')
                .map(|name| {
                    <Extra as clap::ValueEnum>::from_str(name.trim(), true).map_err(|_| {
                        Exit::usage(format!(
                            "--extras takes prolog, asp, facts, popper, aleph, amie, foil, questions, separated by \
                             commas, or all or none; `{name}` is none of them"
                        ))
                    })
                })
                .collect::<Result<_, _>>()?,
        };
        let mut extras = extras;
        extras.sort_unstable();
        extras.dedup();
        if self.run.files.timing {
            return Err(Exit::usage(
                "--timing goes with runs that make items only, such as `racgen rules items`; leave it out here",
            ));
        }
        if self.questions > 1_000_000 {
            return Err(Exit::usage("--questions takes a number up to 1000000"));
        }
        Ok(RuleWriting { extras, questions: self.questions, items: self.run.output(out)? })
    }
}

impl RulesArgs {
    /// Does what the arguments say.
    ///
    /// # Errors
    /// Whatever went wrong.
    pub fn run(&self, stop: &AtomicBool) -> Result<(), Exit> {
        match &self.command {
            None => self.make.make(stop),
            Some(RulesCommand::Suite { suite: RuleSuite::V0, seed, output }) => suite(*seed, output, stop),
            Some(RulesCommand::Items(items)) => items.make(stop),
            Some(RulesCommand::Score {
                original,
                learned,
                support,
                relations,
                allow_unknown,
                per_predicate,
                scoring,
            }) => {
                let files = RuleFiles {
                    original: original.clone(),
                    support: support.clone(),
                    learned: learned.iter().map(|text| named(text)).collect(),
                    relations: relations.clone(),
                };
                let scores = score_rules(&files, &scoring.settings(*allow_unknown))?;
                let mut tables = vec![overall(&scores)];
                if *per_predicate {
                    tables.extend(scores.iter().map(by_predicate));
                }
                exit::print(&print(&tables, scoring.format))
            }
            Some(RulesCommand::Bench { dir, learned, no_built_in, scoring }) => {
                let settings = BenchSettings {
                    learners: learned.clone(),
                    built_in: !no_built_in,
                    universe: scoring.universe,
                    syntax: scoring.syntax,
                    threshold: scoring.threshold,
                    most_facts: scoring.most_facts,
                };
                exit::print(&print(&bench(dir, &settings)?, scoring.format))
            }
        }
    }
}

fn suite(seed: u64, output: &OutputArgs, stop: &AtomicBool) -> Result<(), Exit> {
    if output.run.files.lm_eval.is_some() {
        return Err(Exit::usage(
            "--lm-eval takes the questions of one data set, and a suite has many; choose one of them, as in \
             `racgen export data/rules/RDG-S-2-0/questions --out forms --lm-eval tasks`",
        ));
    }
    let out = output.run.folder.out(Path::new("data/rules"))?;
    let writing = output.writing(&out)?;
    let origin = Origin { command: format!("racgen rules suite v0 --seed {seed}"), seed };
    let bar = Bar::new(output.run.folder.quiet);
    let pool = run_args::pool(output.run.folder.threads)?;
    let made = pool.install(|| write_suite(&v0(seed), &writing, &origin, &bar, stop));
    bar.clear();
    let (made, complete) = made?;
    if output.run.folder.quiet {
        return Ok(());
    }
    let mut text = format!("{}{}\n", summary::rule_sets(&made), out.display());
    if !complete {
        text += "Other shards are missing; the manifest comes with the last one, or with `racgen join`.\n";
    }
    exit::print(&text)
}

impl MakeRules {
    fn make(&self, stop: &AtomicBool) -> Result<(), Exit> {
        if self.output.run.folder.out.is_none() {
            return Err(Exit::usage("which folder? --out names it"));
        }
        let out = &self.output.run.folder.out(Path::new("data/rules"))?;
        if self.output.run.folder.shard.is_some() {
            return Err(Exit::usage(
                "one data set has no shards; --shard goes with `rules suite` and `rules items`",
            ));
        }
        if let Some(tasks) = &self.output.run.files.lm_eval {
            exported::check(tasks, self.output.run.folder.force)?;
        }
        let settings = self.rules.settings();
        let writing = self.output.writing(out)?;
        let data = rule_data(&settings)?;
        write_rule_data(&data, &writing, stop)?;
        if let Some(tasks) = &self.output.run.files.lm_eval {
            lm_eval(&out.join("questions"), tasks, "racgen", self.output.run.folder.force)?;
        }
        if self.output.run.folder.quiet {
            return Ok(());
        }
        let mut text = String::new();
        data.graph.components.iter().for_each(|component| outline(&data, component.root, &mut text));
        text += &format!(
            "{} training facts; {} support facts and {} consequences to evaluate on\n",
            data.train_len(),
            data.eval_support.len(),
            data.eval_derived.len()
        );
        if !data.dispensable.is_empty() {
            text += &format!(
                "{} rules or body atoms could be dropped unnoticed; manifest.json lists them\n",
                data.dispensable.len()
            );
        }
        let unrefuted = data.unrefuted.as_ref().map_or(0, Vec::len);
        if unrefuted > 0 {
            text += &format!(
                "{unrefuted} rules with one mistake agree with all training facts; manifest.json lists them\n"
            );
        }
        let left_out = Triples::of(&data).left_out;
        if writing.extras.contains(&Extra::Amie) && left_out > 0 {
            text += &format!(
                "amie/train.tsv leaves {left_out} of {} training facts out: AMIE reads one or two arguments\n",
                data.train_len()
            );
        }
        exit::print(&(text + &format!("{}\n", out.display())))
    }
}

/// A rule, and below it, further in, those that it uses. One that several use stands below each.
fn outline(data: &RuleData, node: usize, out: &mut String) {
    let node = &data.graph.nodes[node];
    *out += &format!("{}{}\n", "  ".repeat(node.level), data.vocabulary().rule(&node.rule));
    let mut below: Vec<usize> = node.below.iter().flatten().copied().collect();
    below.sort_unstable();
    below.dedup();
    below.into_iter().for_each(|child| outline(data, child, out));
}

fn measures(m: &Measures) -> Vec<(&'static str, Cell)> {
    vec![
        ("H-distance", Cell::Count(m.herbrand_distance)),
        ("H-accuracy", Cell::Measure(m.herbrand_accuracy)),
        ("H-score", Cell::Measure(m.herbrand_score)),
        ("accuracy", Cell::Measure(m.accuracy)),
        ("precision", Cell::Measure(m.precision)),
        ("recall", Cell::Measure(m.recall)),
        ("F1", Cell::Measure(m.f1)),
        ("TP", Cell::Count(m.tp)),
        ("FP", Cell::Count(m.fp)),
        ("FN", Cell::Count(m.missed)),
        ("TN", Cell::Count(m.tn)),
        ("support", Cell::Count(m.support)),
        ("universe", Cell::Count(m.herbrand_base as u64)),
    ]
}

fn table(title: String, first: &str, rows: Vec<(String, Vec<(&'static str, Cell)>)>) -> Table {
    let head =
        rows.first().map(|(_, cells)| cells.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>());
    Table {
        title,
        head: std::iter::once(first.to_owned()).chain(head.unwrap_or_default()).collect(),
        rows: rows
            .into_iter()
            .map(|(name, cells)| {
                std::iter::once(Cell::Text(name)).chain(cells.into_iter().map(|(_, cell)| cell)).collect()
            })
            .collect(),
        ..Table::default()
    }
}

fn overall(scores: &[ScoredRules]) -> Table {
    let row = |ScoredRules { name, score, .. }: &ScoredRules| {
        let mut cells = measures(&score.overall);
        cells.extend([
            ("rule score", Cell::Measure(score.rules.score)),
            ("rules exact", Cell::Count(score.rules.exact as u64)),
            ("equivalent", Cell::Text(if score.equivalent { "yes" } else { "no" }.into())),
            ("rules", Cell::Count(score.learned_size.rules as u64)),
            ("atoms", Cell::Count(score.learned_size.atoms as u64)),
        ]);
        (name.clone(), cells)
    };
    let original = scores.first().map(|scored| scored.score.original_size);
    let (rules, atoms) = original.map_or((0, 0), |size| (size.rules, size.atoms));
    let title = format!("Learned rules beside {rules} original ones of {atoms} atoms");
    table(title, "learner", scores.iter().map(row).collect())
}

fn by_predicate(scored: &ScoredRules) -> Table {
    let rows = scored.by_predicate().map(|(predicate, m)| (predicate.to_owned(), measures(m)));
    table(format!("{}, by predicate", scored.name), "predicate", rows.collect())
}
