//! The command line: raw arguments, then settings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use racgen_data::write::Format;
use serde::{Deserialize, Serialize};

use crate::campaign::run::{CampaignError, Job, Output};
use crate::factory::settings::{Settings, Split, SplitBy};
use crate::simulate::trajectory::Sampling;

/// The most items that a configuration may have.
const MOST_ITEMS: u64 = 1_000_000_000;
/// The most threads, so that a slip of the finger does not bring the machine down.
const MOST_THREADS: usize = 1024;
/// The highest value of a parameter.
const MOST_PARAMETER: f64 = 1e6;

/// Makes question-answer data sets about actions and change. Every answer is derived by the answer-set solver
/// clingo.
#[derive(Debug, Parser)]
#[command(
    name = "racgen",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    after_help = "Examples:\n  racgen --domain dwr --depth 5\n  racgen --domain blocks,logistics --level 1-5 --depth 3 \
                  --items 100000 --out worlds\n  racgen show data/dwr/data/train-00000-of-00001.parquet --row 7\n  \
                  racgen new lamps && racgen check lamps"
)]
pub struct Cli {
    /// What to do; without a command, a data set is made.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The data set.
    #[command(flatten)]
    pub generate: Generate,
}

/// Commands besides making a data set.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lists the domains that are found, and where
    Domains(Folders),
    /// Checks a domain package thoroughly
    Check {
        /// Folder of the package, or name of a domain
        package: String,
        #[command(flatten)]
        folders: Folders,
        /// Seconds that one solver call may take
        #[arg(long, default_value_t = 20.0)]
        time_limit: f64,
    },
    /// Writes a small working domain package to start from
    New {
        /// Its name: small letters, digits and _
        name: String,
        /// Folder to write it into
        #[arg(long, default_value = ".")]
        dir: PathBuf,
    },
    /// Prints items as a person would read them, with the state after each action
    Show {
        /// A data file (.parquet, .jsonl, .csv) or a folder of them
        file: PathBuf,
        /// Which row, counted from 0
        #[arg(long, default_value_t = 0)]
        row: u64,
        /// How many rows
        #[arg(long, default_value_t = 1)]
        rows: u64,
        #[command(flatten)]
        folders: Folders,
    },
    /// Audits a data set: reads every text back, has clingo answer anew, and looks for shortcuts and leaks
    Audit(AuditArgs),
    /// Scores predictions: exact match by type, family, level and depth, with 95 % intervals
    Score(ScoreArgs),
    /// Writes a data set in the forms that training and evaluation tools take as they are
    Export {
        /// The output folder of a run, or a data file
        data: PathBuf,
        /// Folder for the forms of --style
        #[arg(long, short, required_unless_present = "lm_eval")]
        out: Option<PathBuf>,
        /// Forms, separated by commas; each becomes a configuration of its own
        #[arg(long, value_enum, value_delimiter = ',', requires = "out", default_values = ["qa", "prompt_completion", "messages", "text"])]
        style: Vec<racgen_data::export::Style>,
        /// Folder for tasks of lm-evaluation-harness
        #[arg(long, value_name = "DIR")]
        lm_eval: Option<PathBuf>,
    },
    /// Makes the data sets of a paper, scaled
    Suite {
        /// Which: `paper` is Banerjee et al., Can Transformers Reason About Effects of Actions?
        name: Suite,
        /// Scale of the numbers of items
        #[arg(long, default_value_t = 1.0)]
        scale: f64,
        #[command(flatten)]
        generate: Generate,
    },
    /// Makes induction tasks of games in the Game Description Language
    Games(crate::cli::games::Games),
    /// Completes a data set from shards that were copied into one folder
    Join {
        /// The folder
        out: PathBuf,
        #[command(flatten)]
        folders: Folders,
    },
    /// Makes rule sets with facts to learn them from, and scores learned rules
    Rules(Box<crate::cli::rules::RulesArgs>),
}

/// What is audited, and how strictly.
#[derive(Clone, Debug, Args)]
pub struct AuditArgs {
    /// The output folder of a run, or a data file (.parquet, .jsonl, .csv)
    pub data: PathBuf,
    /// Share of the stories whose texts are read back, above 0 and up to 1
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    pub sample: f64,
    /// Another data set, which should share no world, item or id with this one
    #[arg(long, value_name = "DIR")]
    pub against: Option<PathBuf>,
    /// Audit other people's data: a TOML file of lines like `question = "their column"`
    #[arg(long, value_name = "FILE")]
    pub format_map: Option<PathBuf>,
    /// Change a threshold; the names stand in the report (may be given several times)
    #[arg(long, value_name = "NAME=VALUE")]
    pub threshold: Vec<String>,
    /// Folder for audit.json and audit.html [default: that of the data]
    #[arg(long, short)]
    pub out: Option<PathBuf>,
    /// Threads; 0 for one a processor
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Print errors only
    #[arg(long, short)]
    pub quiet: bool,
    /// Seconds that one solver call may take
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    pub time_limit: f64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub folders: Folders,
}

/// What is scored, against what.
#[derive(Clone, Debug, Args)]
pub struct ScoreArgs {
    /// Files of predictions (.parquet, .jsonl, .csv), each perhaps with a name for the tables, as N1=n1.jsonl
    #[arg(required = true, value_name = "[NAME=]FILE")]
    pub predictions: Vec<String>,
    /// The data set that the predictions are about
    #[arg(long, value_name = "DIR")]
    pub gold: PathBuf,
    /// The column of ids
    #[arg(long, default_value = "id", value_name = "COLUMN")]
    pub id: String,
    /// The column of predictions
    #[arg(long, default_value = "prediction", value_name = "COLUMN")]
    pub prediction: String,
    /// How the tables are written
    #[arg(long = "as", value_enum, default_value = "text", value_name = "STYLE")]
    pub style: crate::score::table::ScoreStyle,
    /// Leave out what guessing would give
    #[arg(long)]
    pub no_baselines: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub folders: Folders,
}

impl ScoreArgs {
    /// The files of predictions with their names: the part before `=`, or else the file's.
    pub fn files(&self) -> Vec<crate::score::run::Predictions> {
        let named = |text: &String| {
            let given = text.split_once('=').filter(|_| !Path::new(text).exists());
            let (name, path) = given.map_or((None, text.as_str()), |(name, path)| (Some(name), path));
            let path = PathBuf::from(path);
            let stem = || path.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
            let name = name.map_or_else(stem, str::to_owned);
            crate::score::run::Predictions { name, path }
        };
        self.predictions.iter().map(named).collect()
    }
}

/// Layouts of an output folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FolderLayout {
    /// Configurations and splits as in the front matter of the card, for `datasets.load_dataset`.
    Hf,
}

/// Known suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Suite {
    /// Verify questions for N1-N5, three types of questions for A1-A5, every domain.
    Paper,
}

/// Where packages are looked for.
#[derive(Clone, Debug, Default, Args)]
pub struct Folders {
    /// Look for domain packages here, too (may be given several times)
    #[arg(long, value_name = "DIR")]
    pub domain_dir: Vec<PathBuf>,
}

/// What decides the rows of a data set; the keys of a campaign file, too.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct RowOptions {
    /// Domains, separated by commas; `all` for every one that is found
    #[arg(long, short, value_name = "NAME,...")]
    pub domain: Option<String>,
    /// World complexity: N1-N5 as 1-5; a number, a range 1-3 or a list 1,3 [default: 1]
    #[arg(long, short, value_name = "N")]
    pub level: Option<String>,
    /// Number of actions: a number, a range 1-5 or a list 1,3,5 [default: 1]
    #[arg(long, value_name = "A")]
    pub depth: Option<String>,
    /// Items of each domain, over all splits, levels and depths [default: 1000]
    #[arg(long, short = 'n', value_name = "N")]
    pub items: Option<u64>,
    /// Proportions of the three types of questions [default: verify=4,count=3,other=3]
    #[arg(long, value_name = "TYPE=WEIGHT,...")]
    pub mix: Option<String>,
    /// Splits and their weights [default: train=80,validation=10,test=10]
    #[arg(long, value_name = "NAME=WEIGHT,...")]
    pub splits: Option<String>,
    /// What no two splits share: the world, or the world with its plan [default: world]
    #[arg(long, value_enum)]
    pub split_by: Option<SplitBy>,
    /// Seed of all random choices [default: 0]
    #[arg(long, short)]
    pub seed: Option<u64>,
    /// How action sequences are drawn: step by step, or uniformly from all of them [default: walk]
    #[arg(long, value_enum)]
    pub sampling: Option<Sampling>,
    /// Does the context hold the rules? [default: with]
    #[arg(long, value_enum)]
    pub rules: Option<Rules>,
    /// Share of each list of phrasings that only the split test_language uses
    #[arg(long, value_name = "SHARE")]
    pub holdout_phrasings: Option<f64>,
    /// Share of each pool of names that only the split test_language uses
    #[arg(long, value_name = "SHARE")]
    pub holdout_names: Option<f64>,
    /// Let splits have answer words that the first split lacks
    #[arg(long)]
    pub open_vocabulary: bool,
    /// Fill the column `rationale`: how the answer follows, step by step
    #[arg(long)]
    pub rationale: bool,
    /// Make rows in pairs that differ in one action, one fact or one word, and in their answers
    #[arg(long)]
    pub minimal_pairs: bool,
    /// Add the split test_contrast: items, each with one made from it by a change of table 22
    #[arg(long)]
    pub contrast: bool,
    /// Put K sentences into each initial state that are true and beside the point
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(..=50))]
    pub irrelevant: Option<u32>,
    /// Order the sentences of each initial state at random
    #[arg(long)]
    pub shuffle_state: bool,
    /// Add the split test_names, in which names are random letters
    #[arg(long, value_enum)]
    pub names: Option<NamesOption>,
    /// Tell the items in the vocabulary of another domain; `generic` numbers fluents and actions
    #[arg(long = "as", value_enum, value_name = "DOMAIN")]
    #[serde(rename = "as")]
    pub told_as: Option<ToldAs>,
    /// Fix a parameter of the package, whatever the level says (may be given several times)
    #[arg(long = "set", value_name = "PARAMETER=VALUE")]
    pub set: Vec<String>,
}

/// Vocabularies that items of any domain can be told in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToldAs {
    /// That of the generic domain (section 9).
    Generic,
}

/// NamesOption beyond those of the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NamesOption {
    /// Random letters.
    Random,
}

/// Does the context hold the rules?
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// Yes.
    With,
    /// No; they stay in their own column.
    Without,
}

/// Where and how a data set is written.
#[derive(Clone, Debug, Args)]
pub struct Generate {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub options: RowOptions,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub folders: Folders,
    /// Read a campaign of several configurations from a TOML file
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Output folder [default: data/ and the domain's name]
    #[arg(long, short)]
    pub out: Option<PathBuf>,
    /// File formats
    #[arg(long, value_enum, value_delimiter = ',', default_value = "parquet")]
    pub format: Vec<Format>,
    /// How the folder is laid out: `hf` as Hugging Face datasets loads it, by the configurations of the card
    #[arg(long, value_enum, default_value = "hf")]
    pub layout: FolderLayout,
    /// Write the items in these forms, too, each as a configuration of its own
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORM,...")]
    pub style: Vec<racgen_data::export::Style>,
    /// Write tasks of lm-evaluation-harness into this folder, too
    #[arg(long, value_name = "DIR")]
    pub lm_eval: Option<PathBuf>,
    /// Rows that a file holds at most, about
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub rows_per_file: u64,
    /// Threads; 0 for one a processor
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Make only shard I of N
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Replace what an earlier run wrote into the output folder
    #[arg(long)]
    pub force: bool,
    /// Continue an interrupted run
    #[arg(long)]
    pub resume: bool,
    /// Print errors only
    #[arg(long, short)]
    pub quiet: bool,
    /// Print where the time went
    #[arg(long)]
    pub timing: bool,
    /// Seconds that one solver call may take
    #[arg(long, default_value_t = 20.0, value_name = "SECONDS")]
    pub time_limit: f64,
}

/// A campaign file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Campaign {
    out: Option<PathBuf>,
    #[serde(default)]
    format: Vec<Format>,
    #[serde(default)]
    defaults: RowOptions,
    #[serde(default)]
    config: BTreeMap<String, RowOptions>,
}

fn bad(text: String) -> CampaignError {
    CampaignError::Settings(text)
}

/// Reads `3`, `1-5`, `1,3,5` or `N2`.
fn numbers(
    text: &str,
    flag: &str,
    letter: char,
    within: std::ops::RangeInclusive<i32>,
) -> Result<Vec<i32>, CampaignError> {
    let one = |part: &str| -> Result<i32, CampaignError> {
        let number =
            part.trim().trim_start_matches([letter, letter.to_ascii_lowercase()]).parse::<i32>().ok();
        number.filter(|n| within.contains(n)).ok_or_else(|| {
            bad(format!(
                "{flag} takes numbers from {} to {}, as 3, 1-5 or 1,3,5; `{part}` is none",
                within.start(),
                within.end()
            ))
        })
    };
    let mut all = Vec::new();
    for part in text.split(',') {
        match part.split_once('-') {
            Some((low, high)) => {
                let (low, high) = (one(low)?, one(high)?);
                if low > high {
                    return Err(bad(format!("{flag}: the range `{part}` runs backwards")));
                }
                all.extend(low..=high);
            }
            None => all.push(one(part)?),
        }
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

fn pairs(text: &str, flag: &str) -> Result<Vec<(String, f64)>, CampaignError> {
    text.split(',')
        .map(|part| {
            let (name, value) = part.split_once('=').ok_or_else(|| {
                bad(format!("{flag} takes NAME=NUMBER, separated by commas; `{part}` is not of that form"))
            })?;
            let value: f64 =
                value.trim().parse().map_err(|_| bad(format!("{flag}: `{value}` is no number")))?;
            Ok((name.trim().to_owned(), value))
        })
        .collect()
}

impl RowOptions {
    /// These options, and where they say nothing, those of `other`.
    fn or(self, other: &RowOptions) -> RowOptions {
        let other = other.clone();
        RowOptions {
            domain: self.domain.or(other.domain),
            level: self.level.or(other.level),
            depth: self.depth.or(other.depth),
            items: self.items.or(other.items),
            mix: self.mix.or(other.mix),
            splits: self.splits.or(other.splits),
            split_by: self.split_by.or(other.split_by),
            seed: self.seed.or(other.seed),
            sampling: self.sampling.or(other.sampling),
            rules: self.rules.or(other.rules),
            holdout_phrasings: self.holdout_phrasings.or(other.holdout_phrasings),
            holdout_names: self.holdout_names.or(other.holdout_names),
            open_vocabulary: self.open_vocabulary || other.open_vocabulary,
            rationale: self.rationale || other.rationale,
            minimal_pairs: self.minimal_pairs || other.minimal_pairs,
            contrast: self.contrast || other.contrast,
            irrelevant: self.irrelevant.or(other.irrelevant),
            shuffle_state: self.shuffle_state || other.shuffle_state,
            names: self.names.or(other.names),
            told_as: self.told_as.or(other.told_as),
            set: if self.set.is_empty() { other.set } else { self.set },
        }
    }

    /// The settings these options ask for.
    ///
    /// # Errors
    /// Values that do not read, with the form they should have.
    pub fn settings(&self) -> Result<Settings, CampaignError> {
        let mut settings = Settings::default();
        if let Some(text) = &self.level {
            settings.levels = numbers(text, "--level", 'N', 1..=5)?;
        }
        if let Some(text) = &self.depth {
            settings.depths = numbers(text, "--depth", 'A', 0..=100)?;
        }
        if let Some(items) = self.items {
            if !(1..=MOST_ITEMS).contains(&items) {
                return Err(bad(format!("--items takes a number above 0, and at most {MOST_ITEMS}")));
            }
            settings.items = items;
        }
        if let Some(text) = &self.mix {
            let mut mix = [0; 3];
            for (name, weight) in pairs(text, "--mix")? {
                let kind =
                    crate::simulate::transition_system::Kind::ALL.iter().position(|k| k.name() == name);
                let kind =
                    kind.ok_or_else(|| bad(format!("--mix: `{name}` is none of verify, count, other")))?;
                if weight < 0.0 || weight.fract() != 0.0 || weight > 1000.0 {
                    return Err(bad(format!("--mix takes whole numbers from 0 to 1000; `{weight}` is none")));
                }
                mix[kind] = weight as u32;
            }
            settings.mix = mix;
        }
        if let Some(text) = &self.splits {
            settings.splits =
                pairs(text, "--splits")?.into_iter().map(|(name, weight)| Split { name, weight }).collect();
        }
        for text in &self.set {
            for (name, value) in pairs(text, "--set")? {
                if value.fract() != 0.0 || value.abs() > MOST_PARAMETER {
                    return Err(bad(format!(
                        "--set takes whole numbers of at most {MOST_PARAMETER}; `{value}` is none"
                    )));
                }
                settings.parameters.insert(name, value as i64);
            }
        }
        settings.split_by = self.split_by.unwrap_or(settings.split_by);
        settings.seed = self.seed.unwrap_or(settings.seed);
        settings.sampling = self.sampling.unwrap_or(settings.sampling);
        settings.rules = self.rules.is_none_or(|r| r == Rules::With);
        settings.holdout_phrasings = self.holdout_phrasings.unwrap_or(0.0);
        settings.holdout_names = self.holdout_names.unwrap_or(0.0);
        settings.open_vocabulary = self.open_vocabulary;
        settings.rationale = self.rationale;
        settings.minimal_pairs = self.minimal_pairs;
        settings.contrast = self.contrast;
        settings.disorder.remarks = self.irrelevant.unwrap_or(0) as usize;
        settings.disorder.shuffled = self.shuffle_state;
        settings.random_names = self.names.is_some();
        settings.as_generic = self.told_as.is_some();
        Ok(settings)
    }

    /// One job for each domain named.
    fn jobs(&self, name: Option<&str>, known: &[String]) -> Result<Vec<Job>, CampaignError> {
        let domains = self.domain.as_deref().ok_or_else(|| {
            bad(format!("which domain? --domain takes one of {}, or several, or all", known.join(", ")))
        })?;
        let domains: Vec<&str> = match domains {
            "all" => known.iter().map(String::as_str).collect(),
            list => list.split(',').map(str::trim).collect(),
        };
        let settings = self.settings()?;
        let several = domains.len() > 1;
        let job = |domain: &&str| Job {
            name: match name {
                Some(name) if several => format!("{name}_{domain}"),
                Some(name) => name.to_owned(),
                None => (*domain).to_owned(),
            },
            domain: (*domain).to_owned(),
            settings: settings.clone(),
        };
        Ok(domains.iter().map(job).collect())
    }

    /// The command that repeats these options, without what does not change the rows.
    fn command(&self) -> String {
        let Ok(serde_json::Value::Object(all)) = serde_json::to_value(self) else { return "racgen".into() };
        let mut command = "racgen".to_owned();
        for (name, value) in all {
            match value {
                serde_json::Value::String(text) => command += &format!(" --{name} {text}"),
                serde_json::Value::Number(number) => command += &format!(" --{name} {number}"),
                serde_json::Value::Bool(true) => command += &format!(" --{name}"),
                serde_json::Value::Array(list) => {
                    list.iter().filter_map(|v| v.as_str()).for_each(|v| command += &format!(" --{name} {v}"));
                }
                _ => {}
            }
        }
        command
    }
}

/// What is to be made, where, and the command that repeats it.
#[derive(Debug)]
pub struct Resolved {
    /// The configurations.
    pub jobs: Vec<Job>,
    /// Where they go.
    pub output: Output,
    /// The command that repeats the run.
    pub command: String,
}

impl Generate {
    /// Raw arguments to jobs; `known` are the domains that were found.
    ///
    /// # Errors
    /// Arguments that make no sense; a campaign file that cannot be read, with its line.
    pub fn resolve(&self, known: &[String]) -> Result<Resolved, CampaignError> {
        let Some(file) = &self.config else {
            let jobs = self.options.jobs(None, known)?;
            let name = if jobs.len() == 1 { jobs[0].name.clone() } else { "campaign".into() };
            return self.resolved(jobs, &name, None, self.options.command());
        };
        let text = std::fs::read_to_string(file).map_err(|error| {
            bad(format!("cannot read `{}`: {error}; check the path of --config", file.display()))
        })?;
        let campaign: Campaign = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| racgen_logic::fault::line_of(&text, span.start));
            bad(format!(
                "{}:{line}: {}; the keys are those of `racgen --help`",
                file.display(),
                error.message().trim()
            ))
        })?;
        let mut jobs = Vec::new();
        for (name, options) in campaign.config {
            jobs.extend(self.options.clone().or(&options.or(&campaign.defaults)).jobs(Some(&name), known)?);
        }
        if jobs.is_empty() {
            jobs = self.options.clone().or(&campaign.defaults).jobs(None, known)?;
        }
        let name = file.file_stem().map_or("campaign".into(), |s| s.to_string_lossy().into_owned());
        let command = format!("racgen --config {}", file.file_name().unwrap_or_default().to_string_lossy());
        let mut resolved = self.resolved(jobs, &name, campaign.out, command)?;
        if self.format == [Format::Parquet] && !campaign.format.is_empty() {
            resolved.output.formats = campaign.format;
        }
        Ok(resolved)
    }

    /// The jobs of a suite at a scale.
    ///
    /// # Errors
    /// As [`Generate::resolve`].
    pub fn suite(&self, suite: Suite, scale: f64, known: &[String]) -> Result<Resolved, CampaignError> {
        let Suite::Paper = suite;
        if !(scale > 0.0 && scale <= 1000.0) {
            return Err(bad("--scale takes a number above 0".into()));
        }
        let scaled = |items: f64| (items * scale).round().max(2.0) as u64;
        let all = RowOptions { domain: Some("blocks,logistics,dwr,generic".into()), ..RowOptions::default() };
        let mut jobs = Vec::new();
        for number in 1..=5 {
            // Section 10.2: 50K verify questions for training and as many for testing, at each level.
            let mut novel = self.options.clone().or(&all);
            novel.level = Some(number.to_string());
            novel.depth = novel.depth.or(Some("1".into()));
            novel.items = Some(scaled(100_000.0));
            novel.mix = Some("verify=1".into());
            novel.splits = Some("train=50,test=50".into());
            // Sections 4.1 and 10.3: 40K verify, 30K count and 30K other for training, 50K for testing, at each depth.
            let mut depth = self.options.clone().or(&all);
            depth.depth = Some(number.to_string());
            depth.items = Some(scaled(150_000.0));
            depth.mix = Some("verify=4,count=3,other=3".into());
            depth.splits = Some("train=100,test=50".into());
            for (name, options) in [(format!("N{number}"), novel), (format!("A{number}"), depth)] {
                for mut job in options.jobs(Some(&name), known)? {
                    job.name = format!("{}_{name}", job.domain);
                    jobs.push(job);
                }
            }
        }
        jobs.sort_by(|a, b| a.name.cmp(&b.name));
        self.resolved(jobs, "paper", None, format!("racgen suite paper --scale {scale}"))
    }

    fn resolved(
        &self,
        jobs: Vec<Job>,
        name: &str,
        out: Option<PathBuf>,
        command: String,
    ) -> Result<Resolved, CampaignError> {
        let shard = match &self.shard {
            None => None,
            Some(text) => {
                let shard = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
                let good = shard.filter(|(i, n): &(usize, usize)| (1..=*n).contains(i) && *n <= 10_000);
                Some(good.ok_or_else(|| {
                    bad(format!("--shard takes I/N with I from 1 to N; `{text}` is not of that form"))
                })?)
            }
        };
        if !(self.time_limit > 0.0 && self.time_limit < 1e6) {
            return Err(bad("--time-limit takes seconds above 0".into()));
        }
        if self.threads > MOST_THREADS {
            return Err(bad(format!("--threads takes a number from 0 to {MOST_THREADS}")));
        }
        let mut formats = self.format.clone();
        formats.sort();
        formats.dedup();
        let out = self.out.clone().or(out).unwrap_or_else(|| Path::new("data").join(name));
        let output = Output {
            out,
            formats,
            rows_per_file: self.rows_per_file,
            shard,
            force: self.force,
            resume: self.resume,
            threads: self.threads,
            time_limit: std::time::Duration::from_secs_f64(self.time_limit),
            styles: self.style.clone(),
        };
        Ok(Resolved { jobs, output, command })
    }
}
