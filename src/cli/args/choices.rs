//! Choices that were typed to the words of a command that repeats them.

use clap::ValueEnum;

use crate::campaign::repeat::Repeat;

/// Stands here, not with the type: only a command line has names for the values of an enum.
impl Repeat {
    /// Adds an option that takes names unless it has its usual value.
    pub fn names<T: ValueEnum + PartialEq>(self, flag: &str, values: &[T], usual: &[T]) -> Repeat {
        if values == usual {
            return self;
        }
        let name = |value: &T| value.to_possible_value().map(|value| value.get_name().to_owned());
        self.option(flag, values.iter().filter_map(name).collect::<Vec<_>>().join(","))
    }
}
