//! Errors of all layers to exit codes and sentences: 1 for what was found wrong, 2 for arguments and packages, 130 after
//! an interruption.

use std::fmt;
use std::io::Write;
use std::process::ExitCode;

use crate::campaign::error_class::{Classed, ErrorClass};

/// How the process ends when something is wrong.
#[derive(Debug)]
pub struct Exit {
    code: u8,
    text: String,
}

impl Exit {
    /// Something was found wrong, or went wrong.
    pub fn failure(text: impl ToString) -> Exit {
        Exit { code: 1, text: text.to_string() }
    }

    /// Arguments, or files that they name, are at fault.
    pub fn usage(text: impl ToString) -> Exit {
        Exit { code: 2, text: text.to_string() }
    }

    /// Ctrl-C.
    pub fn interrupted(text: impl ToString) -> Exit {
        Exit { code: 130, text: text.to_string() }
    }

    /// The same, with the place of a file that it is about in front.
    pub fn at(self, place: &str) -> Exit {
        Exit { text: format!("{place}: {}", self.text), ..self }
    }

    /// All that went wrong, one below the other; as bad as the worst.
    pub fn together(all: Vec<Exit>) -> Result<(), Exit> {
        let Some(code) = all.iter().map(|exit| if exit.code == 2 { 0 } else { exit.code }).max() else {
            return Ok(());
        };
        let text = all.iter().map(|exit| exit.text.as_str()).collect::<Vec<_>>().join("\n");
        Err(Exit { code: if code == 0 { 2 } else { code }, text })
    }

    /// Tells the error and ends the process now. Nothing is torn down, since another thread may be within the solver,
    /// which would then run over what is gone.
    pub fn at_once(&self) -> ! {
        self.tell();
        signal_hook::low_level::exit(i32::from(self.code))
    }

    /// Tells the error, and the code.
    pub fn tell(&self) -> ExitCode {
        if !self.text.is_empty() {
            let _ = writeln!(std::io::stderr(), "racgen: {}", self.text);
        }
        ExitCode::from(self.code)
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<E: Classed> From<E> for Exit {
    fn from(error: E) -> Exit {
        match error.class() {
            ErrorClass::Usage => Exit::usage(error),
            ErrorClass::Failure => Exit::failure(error),
            ErrorClass::Interrupted => Exit::interrupted(error),
        }
    }
}

/// Prints to standard output; a reader who has left is no error.
///
/// # Errors
/// A full disk, and the like.
pub fn print(text: &str) -> Result<(), Exit> {
    written(std::io::stdout().write_all(text.as_bytes()))
}

/// What came of writing to standard output. What is still held back is written, so that a full disk shows.
///
/// # Errors
/// A full disk, and the like; a reader who has left is no error.
pub fn written(result: std::io::Result<()>) -> Result<(), Exit> {
    match result.and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Exit::failure(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
