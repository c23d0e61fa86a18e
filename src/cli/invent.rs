//! The arguments of `racgen invent` to packages of domains that nobody has seen, and to a table of what was left out.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use racgen_data::table::{Cell, Table};

use crate::cli::args::folders::folder;
use crate::cli::args::solver_limits::SolverLimits;
use crate::cli::output::exit::{Exit, print};
use crate::invent::invented::write_package;
use crate::invent::judging::reasons::Reason;
use crate::invent::series::{Series, SeriesSettings, series};
use crate::invent::theory::grammar::QuotaCell;
use crate::invent::words::vocabulary::DomainWords;

/// What one solver call may take: seconds, and mebibytes.
const LIMITS: SolverLimits = SolverLimits { time_limit: 60.0, memory_limit: 8192 };

/// Which domains are invented, and where they go.
#[derive(Clone, Debug, Args)]
pub struct InventArgs {
    /// Seed of all random numbers; a domain depends on it and on its number alone
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many domains: numbers from 0 on
    #[arg(long, default_value_t = 16)]
    domains: u64,
    /// Number of the first
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Least and most bits of a theory, as 20-40
    #[arg(long, value_parser = bits)]
    bits: Option<(f64, f64)>,
    /// Where the words come from
    #[arg(long, value_enum, default_value_t = DomainWords::Invented)]
    words: DomainWords,
    /// Folder to write packages into, one folder each
    #[arg(long, default_value = "worlds", value_parser = folder())]
    out: PathBuf,
}

/// Reads two numbers, the first not above the second.
fn bits(text: &str) -> Result<(f64, f64), String> {
    let numbers = text.split_once('-').map(|(least, most)| (least.trim().parse(), most.trim().parse()));
    match numbers {
        Some((Ok(least), Ok(most))) if least <= most && least >= 0.0 => Ok((least, most)),
        _ => Err("it takes two numbers, the least and the most, as 20-40".to_owned()),
    }
}

impl InventArgs {
    /// Writes the packages.
    ///
    /// # Errors
    /// A folder that cannot be written to.
    pub fn run(&self) -> Result<(), Exit> {
        LIMITS.enforce()?;
        let usual = SeriesSettings { seed: self.seed, ..SeriesSettings::default() };
        let settings = SeriesSettings { bits: self.bits.unwrap_or(usual.bits), ..usual };
        let numbers = self.first..self.first.saturating_add(self.domains);
        let made = series(&settings, numbers, &|| ());
        for drawn in &made.kept {
            write_package(drawn, self.words, self.seed, &self.out)?;
        }
        print(&report(&made, &self.out.display().to_string()))
    }
}

/// What was made, and why the rest was not.
fn report(made: &Series, out: &str) -> String {
    let mut text = format!("{} domains are written to {out}\n\n", made.kept.len());
    let mut shares: BTreeMap<String, usize> = BTreeMap::new();
    for drawn in &made.kept {
        let cell = QuotaCell::of(drawn.number);
        cell.mechanisms
            .iter()
            .for_each(|m| *shares.entry(format!("mechanism {}", m.name())).or_default() += 1);
        *shares.entry(format!("laws {}", cell.laws.name())).or_default() += 1;
        for shape in drawn.theory.statics.iter().map(|s| s.shape.name()) {
            *shares.entry(format!("shape {shape}")).or_default() += 1;
        }
    }
    text += &table(["of the domains", "have it"], shares.into_iter());
    text.push('\n');
    let rejected = Reason::ALL.iter().filter_map(|r| Some((r.name().to_owned(), *made.rejected.get(r)?)));
    text += &table(["theories left out for", "count"], rejected);
    if !made.without.is_empty() {
        let list: Vec<String> = made.without.iter().map(u64::to_string).collect();
        text += &format!("\nno theory was kept for the numbers {}\n", list.join(", "));
    }
    for (number, earlier) in &made.clones {
        text += &format!("\nnumber {number} is left out: it is the same as {earlier}, or nearly\n");
    }
    text
}

fn table(head: [&str; 2], rows: impl Iterator<Item = (String, usize)>) -> String {
    let rows = rows.map(|(what, count)| vec![Cell::Text(what), Cell::Text(count.to_string())]);
    Table { head: head.map(str::to_owned).into(), rows: rows.collect(), ..Table::default() }.to_string()
}
