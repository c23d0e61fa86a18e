//! The racgen command.

use std::process::ExitCode;

use clap::Parser;
use racgen::cli::args::arguments::Cli;

/// clingo allocates much; this allocator serves it, too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(exit) => exit.tell(),
    }
}
