//! Arguments to the command of a manifest, which repeats the run.

use std::fmt::Display;

/// A command that is being put together. What does not change the files, such as `--out`, is left out.
#[derive(Clone, Debug)]
pub struct Repeat(String);

impl Repeat {
    /// A command that begins so.
    pub fn new(start: &str) -> Repeat {
        Repeat(start.to_owned())
    }

    /// Adds a word, in quotes where a shell needs them.
    pub fn word(mut self, word: &str) -> Repeat {
        let plain = |c: char| c.is_alphanumeric() || "-_./=,+@:".contains(c);
        self.0.push(' ');
        if !word.is_empty() && word.chars().all(plain) {
            self.0 += word;
        } else {
            self.0 += &format!("'{}'", word.replace('\'', r"'\''"));
        }
        self
    }

    /// Adds an option with its value.
    pub fn option(self, flag: &str, value: impl Display) -> Repeat {
        self.word(flag).word(&value.to_string())
    }

    /// Adds an option unless it has its usual value.
    pub fn unusual<T: Display + PartialEq>(self, flag: &str, value: T, usual: T) -> Repeat {
        if value == usual { self } else { self.option(flag, value) }
    }

    /// Adds a flag, if it is set.
    pub fn flag(self, flag: &str, set: bool) -> Repeat {
        if set { self.word(flag) } else { self }
    }

    /// The command.
    pub fn text(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Repeat;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        let command = Repeat::new("racgen games").word("my game.kif").word("it's").word("tic_tac-toe.kif");
        assert_eq!(command.text(), r"racgen games 'my game.kif' 'it'\''s' tic_tac-toe.kif");
    }

    #[test]
    fn usual_values_are_left_out() {
        let command = Repeat::new("racgen").unusual("--steps", 3, 3).unusual("--noise", 0.1, 0.0);
        assert_eq!(
            command.flag("--derived", true).flag("--balance", false).text(),
            "racgen --noise 0.1 --derived"
        );
    }
}
