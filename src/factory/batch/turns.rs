//! A group of rows to the groups of questions that its rows are of.
//!
//! What the stories of a layout offer takes time to work out for each group of questions, however few rows are of it. Where a stream
//! has room for that, a group of rows keeps to one group of questions, and other groups of rows have their turns at the others: each
//! is then made as if nothing else were asked for.

use std::collections::BTreeSet;

use crate::domain::question_groups::{COMPOSITE, PREDICTION, kinds};
use crate::factory::choosing::schedule::Schedule;
use crate::factory::further::composing::dear_parts;
use crate::factory::further::dealing::FamilySchedule;
use crate::factory::settings::Settings;
use crate::items::source::GROUP_SIZE;
use crate::simulate::transitions::compiled_layout::Kind;

/// The groups of questions of a group of rows.
pub(super) struct QuestionTurns<'s> {
    settings: &'s Settings,
    silent: &'s BTreeSet<(String, Kind)>,
    /// By kind, the group of all its questions; none where groups take turns from row to row.
    kept: Option<[&'s str; 3]>,
    /// All groups that its questions are of, or may be made of.
    groups: Vec<&'s str>,
}

impl<'s> QuestionTurns<'s> {
    /// Those of a group of rows in a stream with so many.
    pub(super) fn of(
        settings: &'s Settings,
        (schedule, families): (&'s Schedule, &FamilySchedule),
        (number, rows): (u64, u64),
    ) -> QuestionTurns<'s> {
        let has = |group: &str, kind: Kind| {
            let has_any = if group == PREDICTION { schedule.has(kind) } else { families.has(group, kind) };
            has_any
                && kinds(group, settings.outcomes)[kind as usize]
                && !schedule.silent.contains(&(group.to_owned(), kind))
        };
        let asked: Vec<&str> = settings.ask.iter().map(String::as_str).collect();
        let silent = &schedule.silent;
        let kept = if keeps_apart(settings, rows) { kept(&asked, number, &has) } else { None };
        let groups = match &kept {
            None => asked,
            Some(kept) => with_parts(&asked, kept, number),
        };
        QuestionTurns { settings, silent, kept, groups }
    }

    /// The groups that questions of the group of rows are of, or may be made of.
    pub(super) fn groups(&self) -> Vec<String> {
        self.groups.iter().map(ToString::to_string).collect()
    }

    /// The group of the `n`-th question of a kind, none for prediction, and its turn among those of that group and kind.
    pub(super) fn at(&self, kind: Kind, n: u64) -> (Option<&str>, u64) {
        match &self.kept {
            None => self.settings.turn(kind, n, self.silent),
            Some(kept) => (Some(kept[kind as usize]).filter(|group| *group != PREDICTION), n),
        }
    }
}

/// Do groups of rows keep to one group of questions each, in a stream with so many rows?
pub(crate) fn keeps_apart(settings: &Settings, rows: u64) -> bool {
    settings.ask.len() > 1 && rows >= settings.ask.len() as u64 * GROUP_SIZE
}

/// By kind, the group that a group of rows keeps to: the same for all kinds, but for those that it does not have. None where no group has
/// any question.
fn kept<'s>(asked: &[&'s str], number: u64, has: &dyn Fn(&str, Kind) -> bool) -> Option<[&'s str; 3]> {
    // In each round another one comes first, so that no group always has the same layouts.
    let (count, round) = (asked.len(), (number / asked.len() as u64) as usize);
    let place = (number as usize + round) % count;
    let first = asked[place];
    let of_kind = |kind: Kind| {
        let able: Vec<&str> = asked.iter().copied().filter(|group| has(group, kind)).collect();
        if able.contains(&first) {
            return Some(first);
        }
        able.get((round + place) % able.len().max(1)).copied()
    };
    let found = Kind::ALL.map(of_kind);
    // A kind that nothing has is not asked for.
    let any = found.into_iter().flatten().next()?;
    Some(found.map(|group| group.unwrap_or(any)))
}

/// The groups that are kept to, and one of those that questions made of others may be made of only where they are asked for.
fn with_parts<'s>(asked: &[&'s str], kept: &[&'s str; 3], number: u64) -> Vec<&'s str> {
    let parts: Vec<&str> = asked.iter().copied().filter(|group| dear_parts(group)).collect();
    let part = match kept.contains(&COMPOSITE) {
        true => parts.get((number / asked.len() as u64) as usize % parts.len().max(1)),
        false => None,
    };
    asked.iter().copied().filter(|group| kept.contains(group) || part == Some(group)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn groups_of_questions_take_turns_and_each_kind_has_its_own() {
        let asked = ["prediction", "time", "hidden", "composite", "goals", "plans"];
        let has = |group: &str, kind: Kind| kinds(group, false)[kind as usize];
        let mut counts: BTreeMap<(usize, &str), u64> = BTreeMap::new();
        for number in 0..36 {
            let found = kept(&asked, number, &has).unwrap();
            for kind in Kind::ALL {
                assert!(has(found[kind as usize], kind));
                *counts.entry((kind as usize, found[kind as usize])).or_default() += 1;
            }
            let with = with_parts(&asked, &found, number);
            assert!(found.iter().all(|group| with.contains(group)));
            let more = with.iter().filter(|group| !found.contains(group)).count();
            assert!(more <= usize::from(found.contains(&COMPOSITE)), "{with:?}");
        }
        // Six turns of each group, and a part of those of the groups that lack a kind.
        for ((kind, group), count) in &counts {
            assert!((7..=10).contains(count), "{kind} {group} {count}");
        }
        assert_eq!(counts.len(), 5 + 4 + 5);
        // In the next round, another layout's.
        let first = |number: u64| kept(&asked, number, &has).unwrap()[Kind::Verify as usize];
        assert_eq!((first(0), first(6), first(11)), ("prediction", "time", "prediction"));
        assert_eq!(kept(&asked, 0, &|_, _| false), None);
        let only = kept(&asked, 2, &|group, kind| group == "time" && kind == Kind::Count);
        assert_eq!(only, Some(["time"; 3]));
    }
}
