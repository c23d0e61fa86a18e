//! Progress to a bar on a terminal, and Ctrl-C to a flag.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

use crate::cli::output::exit::Exit;
use crate::items::progress::Progress;

/// A bar on a terminal, silence elsewhere.
pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar, unless nothing is to be said.
    pub fn new(quiet: bool) -> Bar {
        let bar = if quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(0)
        };
        let style =
            ProgressStyle::with_template("{bar:32} {human_pos}/{human_len} items  {rate}  {eta} left");
        if let Ok(style) = style {
            // Whole items: of thousands a second nobody reads the fourth decimal.
            let rate = |state: &ProgressState, text: &mut dyn Write| {
                let _ = write!(text, "{}/s", HumanCount(state.per_sec() as u64));
            };
            bar.set_style(style.with_key("rate", rate));
        }
        Bar { bar }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn begin(&self, items: u64, done: u64) {
        self.bar.set_length(items);
        self.bar.set_position(done);
        self.bar.reset_eta();
    }
    fn advance(&self, items: u64) {
        self.bar.inc(items);
    }
}

/// Set by Ctrl-C.
pub fn stop_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    // A second Ctrl-C ends the process at once; temporary files are then left, under names of their own.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            Exit::interrupted("").at_once();
        }
    });
    stop
}
