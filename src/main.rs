//! The racgen command.

use std::ffi::{c_int, c_long};
use std::process::ExitCode;

use racgen::cli::args::arguments::Cli;

/// clingo allocates much; this allocator serves it, too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[allow(unsafe_code, reason = "the allocator has no other way to be set")]
unsafe extern "C" {
    /// Of mimalloc 3: sets an option, unless the environment did.
    fn mi_option_set_default(option: c_int, value: c_long);
}

/// `mi_option_purge_delay` of mimalloc 3: after so many milliseconds, freed memory goes back to the system; -1 for never.
const PURGE_DELAY: c_int = 15;

fn main() -> ExitCode {
    // Groups of items free what the next ones take again; handing it back in between costs a run an eighth of its time.
    // SAFETY: a number is written into a table; the symbol is that of the allocator above.
    #[allow(unsafe_code, reason = "the allocator has no other way to be set")]
    unsafe {
        mi_option_set_default(PURGE_DELAY, -1)
    };
    let read = Cli::read(std::env::args_os());
    match read.and_then(|cli| cli.map_or(Ok(()), |cli| cli.run())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(exit) => exit.tell(),
    }
}
