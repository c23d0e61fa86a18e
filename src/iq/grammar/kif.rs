//! Parts of a game to its text in the Game Description Language.

use std::fmt::{Display, Write as _};

/// The text of a game that is being written.
#[derive(Clone, Debug, Default)]
pub struct KifText(String);

impl KifText {
    /// Adds a line of its own.
    pub fn line(&mut self, line: impl Display) {
        let _ = writeln!(self.0, "{line}");
    }

    /// Adds a rule: what follows, and from what.
    pub fn rule(&mut self, head: impl Display, body: &[&str]) {
        let _ = writeln!(self.0, "(<= {head} {})", body.join(" "));
    }

    /// Adds the clock that every game has: steps from 0 to the horizon, after which it is over.
    pub fn clock(&mut self, horizon: u32) {
        self.line("(init (step 0))");
        for step in 0..horizon {
            self.line(format_args!("(after {step} {})", step + 1));
        }
        self.rule("(next (step ?n))", &["(true (step ?m))", "(after ?m ?n)"]);
        self.rule("terminal", &[&format!("(true (step {horizon}))")]);
    }

    /// The text.
    pub fn text(self) -> String {
        self.0
    }
}
