//! Domain packages to a report, and names to new packages.

use std::path::Path;

use crate::check::survey::check;
use crate::cli::args::folders::Folders;
use crate::cli::args::run_args;
use crate::cli::output::exit::{Exit, print};
use crate::domain::package::Package;
use crate::domain::scaffold::write_new;

/// Columns of a page.
const WIDTH: usize = 100;

/// Checks a package, given by its folder or its name.
///
/// # Errors
/// Its faults.
pub fn check_package(package: &str, folders: &Folders, time_limit: f64) -> Result<(), Exit> {
    let limit = run_args::time_limit(time_limit)?;
    let package =
        if Path::new(package).is_dir() { Package::load(package) } else { folders.catalogue()?.load(package) };
    print(&wrapped(&check(&package?, limit)?.to_string()))
}

/// A text with lines of bearable length; those that go on one are set in.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let set_in = if line.starts_with("- ") || line.starts_with("note: ") { "  " } else { "" };
        let options = textwrap::Options::new(WIDTH)
            .subsequent_indent(set_in)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .break_words(false);
        out += textwrap::fill(line, options).trim_end();
        out.push('\n');
    }
    out
}

/// Writes a small working package.
///
/// # Errors
/// A name that is none, a folder that is taken.
pub fn new_package(name: &str, dir: &Path) -> Result<(), Exit> {
    let path = write_new(name, dir)?;
    print(&format!("{0} is written; `racgen check {0}` checks it\n", path.display()))
}
