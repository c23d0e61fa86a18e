//! The arguments that make a data set of domains to its run: jobs of their own, of a campaign file, or of a suite.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use racgen_data::format::Format;
use racgen_data::training::style::Style;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};

use crate::campaign::error::CampaignError;
use crate::campaign::jobs::domains::{Job, configs, each_source, jobs, seed};
use crate::campaign::jobs::row_options::RowOptions;
use crate::campaign::jobs::transfer::{TransferSizes, transfer_jobs};
use crate::campaign::output_words::licence;
use crate::campaign::repeat::Repeat;
use crate::campaign::run::{LICENCE, Origin, Output};
use crate::cli::args::folders::Folders;
use crate::cli::args::run_args::RunArgs;
use crate::cli::args::solver_limits::SolverLimits;
use crate::cli::output::bar::stop_flag;
use crate::cli::output::exit::Exit;
use crate::domain::catalogue::Catalogue;

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
    #[arg(help_heading = "What is made", long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub run: RunArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: SolverLimits,
}

/// One value, or a list of them.
fn one_or_more<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let listed = match toml::Value::deserialize(deserializer)? {
        toml::Value::Array(values) => values,
        value => vec![value],
    };
    listed.into_iter().map(|value| value.try_into().map_err(D::Error::custom)).collect()
}

/// A campaign file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Campaign {
    out: Option<PathBuf>,
    #[serde(default, deserialize_with = "one_or_more")]
    format: Vec<Format>,
    #[serde(default, deserialize_with = "one_or_more")]
    style: Vec<Style>,
    license: Option<String>,
    #[serde(default)]
    defaults: RowOptions,
    #[serde(default)]
    config: BTreeMap<String, RowOptions>,
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
    /// By the name of a configuration, where a campaign file asks for it.
    pub places: BTreeMap<String, String>,
    /// What the manifest tells besides.
    pub details: BTreeMap<String, serde_json::Value>,
}

impl Generate {
    /// Raw arguments to jobs.
    ///
    /// # Errors
    /// Arguments that make no sense; a campaign file that cannot be read, with its line.
    pub fn resolve(&self, catalogue: &Catalogue) -> Result<Resolved, Exit> {
        let Some(file) = &self.config else {
            let jobs = jobs(&self.options, None, catalogue)?;
            let name = if jobs.len() == 1 { jobs[0].name.clone() } else { "campaign".into() };
            return self.resolved(jobs, &name, None, Repeat::new("racgen"));
        };
        let text = std::fs::read_to_string(file).map_err(|error| {
            Exit::usage(format!("cannot read `{}`: {error}; check the path of --config", file.display()))
        })?;
        let campaign: Campaign = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| racgen_logic::fault::line_of(&text, span.start));
            Exit::usage(format!(
                "{}:{line}: {}{}; out, format, style and license stand at the top of the file, and under [defaults] and \
                 [config.NAME] the long options of `racgen --help` that decide rows, without their dashes",
                file.display(),
                section(&text, line),
                error.message().trim()
            ))
        })?;
        let place = |section: &str| match section_line(&text, section) {
            Some(line) => format!("{}:{line}, {section}", file.display()),
            None => format!("{}, {section}", file.display()),
        };
        let mut all_jobs = Vec::new();
        let mut places = BTreeMap::new();
        for (name, options) in campaign.config {
            let options = self.options.clone().or(&options.or(&campaign.defaults));
            let here = place(&format!("[config.{name}]"));
            let found = jobs(&options, Some(&name), catalogue).map_err(Exit::from);
            let found = found.and_then(|jobs| known_domains(jobs, catalogue));
            let found = found.map_err(|exit| exit.at(&here))?;
            places.extend(found.iter().map(|job| (job.name.clone(), here.clone())));
            all_jobs.extend(found);
        }
        if all_jobs.is_empty() {
            let found =
                jobs(&self.options.clone().or(&campaign.defaults), None, catalogue).map_err(Exit::from);
            all_jobs = found
                .and_then(|jobs| known_domains(jobs, catalogue))
                .map_err(|exit| exit.at(&place("[defaults]")))?;
            places.extend(all_jobs.iter().map(|job| (job.name.clone(), place("[defaults]"))));
        }
        let name = file.file_stem().map_or("campaign".into(), |s| s.to_string_lossy().into_owned());
        let command =
            Repeat::new("racgen").option("--config", file.file_name().unwrap_or_default().to_string_lossy());
        let mut resolved = self.resolved(all_jobs, &name, campaign.out, command)?;
        resolved.places = places;
        if self.run.files.format == [Format::Parquet] && !campaign.format.is_empty() {
            resolved.output.formats = campaign.format;
            resolved.output.formats.sort();
            resolved.output.formats.dedup();
        }
        if self.run.files.style.is_empty() {
            resolved.output.styles = campaign.style;
        }
        if let Some(text) = campaign.license.filter(|_| self.run.files.license == LICENCE) {
            resolved.output.licence = licence(&text).map_err(|cause| {
                Exit::usage(format!("`license`: {cause}")).at(&file.display().to_string())
            })?;
        }
        Ok(resolved)
    }

    /// The jobs of a suite.
    ///
    /// # Errors
    /// As [`Generate::resolve`].
    pub fn suite(&self, suite: &SuiteArgs, catalogue: &Catalogue) -> Result<Resolved, Exit> {
        match suite.name {
            Suite::Paper => self.paper(suite.scale.unwrap_or(1.0), catalogue),
            Suite::Transfer if suite.scale.is_some() => Err(Exit::usage(
                "--scale goes with suite paper; the sets of suite transfer have --items items each",
            )),
            Suite::Transfer => self.transfer(suite, catalogue),
        }
    }

    /// The jobs of the suite of transfer between domains.
    fn transfer(&self, suite: &SuiteArgs, catalogue: &Catalogue) -> Result<Resolved, Exit> {
        let sizes = TransferSizes { training: suite.domains.clone(), held_out: suite.held_out };
        let (jobs, details) = transfer_jobs(&self.options, &sizes, catalogue)?;
        let listed = suite.domains.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        let command = Repeat::new("racgen suite transfer").option("--domains", listed);
        let command = command.option("--held-out", suite.held_out);
        Ok(Resolved { details, ..self.resolved(jobs, "transfer", None, command)? })
    }

    /// The jobs of the paper's data sets at a scale.
    fn paper(&self, scale: f64, catalogue: &Catalogue) -> Result<Resolved, Exit> {
        if !(scale > 0.0 && scale <= 1000.0) {
            return Err(Exit::usage("--scale takes a number above 0"));
        }
        let scaled = |items: f64| (items * scale).round().max(2.0) as u64;
        let usual =
            RowOptions { domain: Some("blocks,logistics,dwr,generic".into()), ..RowOptions::default() };
        let mut all_jobs = Vec::new();
        for number in 1..=5 {
            // Section 10.2: 50K verify questions for training and as many for testing, at each level.
            let mut novel = self.options.clone().or(&usual);
            novel.level = Some(number.to_string());
            novel.depth = novel.depth.or(Some("1".into()));
            novel.items = Some(scaled(100_000.0));
            novel.mix = Some("verify=1".into());
            novel.splits = Some("train=50,test=50".into());
            // Sections 4.1 and 10.3: 40K verify, 30K count and 30K other for training, 50K for testing, at each depth.
            let mut depth = self.options.clone().or(&usual);
            depth.depth = Some(number.to_string());
            depth.items = Some(scaled(150_000.0));
            depth.mix = Some("verify=4,count=3,other=3".into());
            depth.splits = Some("train=100,test=50".into());
            for (name, options) in [(format!("N{number}"), novel), (format!("A{number}"), depth)] {
                for mut job in jobs(&options, Some(&name), catalogue)? {
                    if let [only] = job.members.as_slice() {
                        job.name = format!("{}_{name}", only.domain);
                    }
                    all_jobs.push(job);
                }
            }
        }
        all_jobs.sort_by(|a, b| a.name.cmp(&b.name));
        let command = Repeat::new("racgen suite paper").option("--scale", scale);
        self.resolved(all_jobs, "paper", None, command)
    }

    fn resolved(
        &self,
        jobs: Vec<Job>,
        name: &str,
        out: Option<PathBuf>,
        command: Repeat,
    ) -> Result<Resolved, Exit> {
        let usual = out.unwrap_or_else(|| Path::new("data").join(name));
        let command = self.options.repeated(command).text();
        let output = self.run.output(&usual)?;
        Ok(Resolved { jobs, output, command, places: BTreeMap::new(), details: BTreeMap::new() })
    }

    /// Makes the data set.
    ///
    /// # Errors
    /// Faults of packages, and those of the run.
    pub fn make(&self, catalogue: &Catalogue, resolved: &Resolved) -> Result<(), Exit> {
        let limit = self.limits.enforce()?;
        let asked = |name: &str| resolved.places.get(name).cloned();
        let mut sources = Vec::new();
        for (job, made) in resolved.jobs.iter().zip(each_source(catalogue, &resolved.jobs, limit)) {
            let made = made.map_err(|error| match (&error, asked(&job.name)) {
                // A package's faults have places of their own.
                (CampaignError::Settings(_), Some(place)) => Exit::from(error).at(&place),
                _ => error.into(),
            });
            sources.push(made?);
        }
        if let Some(first) = sources.first_mut() {
            resolved.details.iter().for_each(|(name, detail)| first.tell(name, detail.clone()));
        }
        let configs = configs(&resolved.jobs, &sources);
        let origin = Origin { command: resolved.command.clone(), seed: seed(&resolved.jobs) };
        self.run.make_asked(&configs, &resolved.output, &origin, &stop_flag(), &asked).map(drop)
    }
}

/// The section of a campaign file that a line is in, for the beginning of an error.
fn section(text: &str, line: usize) -> String {
    let heads = text.lines().take(line).filter(|line| line.trim_start().starts_with('['));
    heads.last().map_or_else(String::new, |head| format!("in {}: ", head.trim()))
}

/// The line on which a section begins; none where the file writes it in another way.
fn section_line(text: &str, section: &str) -> Option<usize> {
    let plain = |line: &str| line.split('#').next().unwrap_or_default().replace([' ', '"', '\''], "");
    text.lines().position(|line| plain(line) == section).map(|line| line + 1)
}

/// Jobs of a campaign file, of which it should be told which names a domain that there is not.
fn known_domains(jobs: Vec<Job>, catalogue: &Catalogue) -> Result<Vec<Job>, Exit> {
    match jobs.iter().flat_map(|job| &job.members).find(|member| !catalogue.knows(&member.domain)) {
        Some(member) => Err(Exit::usage(format!(
            "no such domain as `{}`; known are {}; others are found with --domain-dir",
            member.domain,
            catalogue.names().join(", ")
        ))),
        None => Ok(jobs),
    }
}

/// Known suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Suite {
    /// Verify questions for N1-N5, three types of questions for A1-A5, every domain.
    Paper,
    /// Training sets over more and more domains, and a test set of domains that none of them has.
    Transfer,
}

/// Which suite, and how large.
#[derive(Clone, Debug, Args)]
pub struct SuiteArgs {
    /// Which: `paper` is Banerjee et al., Can Transformers Reason About Effects of Actions?; `transfer` has training sets
    /// over more and more domains and a test set of domains that none of them has
    pub name: Suite,
    /// Of `paper`: scale of the numbers of items [default: 1]
    #[arg(long)]
    pub scale: Option<f64>,
    /// Of `transfer`: how many domains the training sets have, each with --items items
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,4,16,64,256")]
    pub domains: Vec<u64>,
    /// Of `transfer`: how many domains the test set has
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub held_out: u64,
}
