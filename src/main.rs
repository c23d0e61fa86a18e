//! The racgen command.

use std::process::ExitCode;

use racgen::cli::args::arguments::Cli;

/// clingo allocates much; this allocator serves it, too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let read = Cli::read(std::env::args_os());
    match read.and_then(|cli| cli.map_or(Ok(()), |cli| cli.run())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(exit) => exit.tell(),
    }
}
