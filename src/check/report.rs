//! What a check counts to the report of a package without faults.

use std::fmt;

use crate::check::sample::SampleStory;
use crate::check::worlds::WorldCount;

/// What a package without faults has to offer.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// The package.
    pub package: String,
    /// Its levels, lowest first.
    pub levels: Vec<LevelReport>,
    /// What need not be wrong but is worth knowing.
    pub notes: Vec<String>,
}

/// What the layouts of a level that were looked at have: the least and the most.
#[derive(Clone, Debug)]
pub struct LevelReport {
    /// The level.
    pub level: i32,
    /// Its distinct worlds.
    pub worlds: WorldCount,
    /// Initial situations of a layout; none where they are too many to be counted.
    pub situations: (Option<usize>, Option<usize>),
    /// Fluents.
    pub fluents: (usize, usize),
    /// Actions.
    pub actions: (usize, usize),
    /// Questions.
    pub questions: (usize, usize),
    /// Question families.
    pub families: (usize, usize),
    /// A story of its smallest layout.
    pub sample: Option<SampleStory>,
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |(low, high): (usize, usize)| {
            if low == high { low.to_string() } else { format!("{low}-{high}") }
        };
        writeln!(f, "{}: no faults", self.package)?;
        writeln!(
            f,
            "{:5} {:>8} {:>12} {:>9} {:>9} {:>11} {:>9}",
            "level", "worlds", "situations", "fluents", "actions", "questions", "families"
        )?;
        for level in &self.levels {
            let situations = match level.situations {
                (Some(low), Some(high)) => range((low, high)),
                (Some(low), None) => format!("{low}-many"),
                (None, _) => "many".to_owned(),
            };
            writeln!(
                f,
                "{:5} {:>8} {situations:>12} {:>9} {:>9} {:>11} {:>9}",
                format!("N{}", level.level),
                level.worlds,
                range(level.fluents),
                range(level.actions),
                range(level.questions),
                range(level.families)
            )?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))?;
        for (number, level) in self.levels.iter().enumerate() {
            let Some(sample) = &level.sample else { continue };
            // The rules are mostly the same at all levels.
            let rules = if number == 0 { sample.rules.clone() } else { String::new() };
            let sample = SampleStory { rules, ..sample.clone() };
            write!(f, "\nA story of level N{}, for the eye:\n\n{sample}", level.level)?;
        }
        Ok(())
    }
}

/// What one layout has.
pub(crate) struct Visit {
    pub(crate) situations: Option<usize>,
    pub(crate) fluents: usize,
    pub(crate) actions: usize,
    pub(crate) questions: usize,
    pub(crate) families: usize,
    pub(crate) notes: Vec<String>,
    pub(crate) sample: Option<SampleStory>,
}

impl CheckReport {
    /// Adds what a layout of a level has.
    pub(crate) fn add(&mut self, level: i32, visit: Visit) {
        for note in visit.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        let counts = [visit.fluents, visit.actions, visit.questions, visit.families];
        if self.levels.last().is_none_or(|last| last.level != level) {
            let [fluents, actions, questions, families] = counts.map(|n| (n, n));
            let situations = (visit.situations, visit.situations);
            // Worlds are counted once the layouts are known to be sound.
            let worlds = WorldCount::default();
            self.levels.push(LevelReport {
                level,
                worlds,
                situations,
                fluents,
                actions,
                questions,
                families,
                sample: visit.sample,
            });
        }
        let Some(last) = self.levels.last_mut() else { return };
        let ranges = [&mut last.fluents, &mut last.actions, &mut last.questions, &mut last.families];
        for (range, count) in ranges.into_iter().zip(counts) {
            *range = (range.0.min(count), range.1.max(count));
        }
        // A number that is not known is larger than any that is.
        let (low, high) = last.situations;
        last.situations = (
            low.into_iter().chain(visit.situations).min(),
            high.zip(visit.situations).map(|(high, now)| high.max(now)),
        );
    }
}
