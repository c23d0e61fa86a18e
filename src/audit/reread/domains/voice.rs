//! Rows of a domain to verdicts: the stories of one layout share its grounding.
//!
//! 1. `reading`: texts to stories, as the phrase book turned round tells them;
//! 2. `replay`: stories to situations, by clingo;
//! 3. `wordings`: the rules paragraph against the facts;
//! 4. `answers`: questions to clingo's answers, and these against the rows'.
//!
//! Every situation, step and answer is clingo's; the native evaluator has no part in it. The first story of each layout
//! is also run through the whole time-expanded program (section 2.5), unless its plan is long.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use racgen_data::row::Row;
use racgen_logic::term::Term;
use rayon::prelude::*;

use crate::audit::reread::domains::invented::equivalence::RulesReader;
use crate::audit::reread::domains::origin::parameters;
use crate::audit::reread::domains::reading::{Domain, ReadStory, read};
use crate::audit::reread::domains::replay::StoryReplay;
use crate::audit::reread::domains::shortest_plan::has_depth;
use crate::audit::reread::verdict::{Finding, Trouble, Verdict, finding};
use crate::audit::reread::voice::{Done, Voice};
use crate::domain::package::Package;
use crate::factory::batch::telling::{identity, seal};
use crate::language::read::family_reader::FamilyReader;
use crate::language::read::parser::Inverse;

/// Reads stories of a domain, in its own words and in the generic vocabulary.
pub(crate) struct DomainVoice {
    domain: Arc<Domain>,
    /// Limit of a solver call.
    limit: Duration,
}

impl Voice for DomainVoice {
    fn story(&self, rows: &[&Row]) -> Vec<Verdict> {
        self.stories(&[rows.to_vec()], &|_| ()).concat()
    }

    fn has_shortest_plans(&self) -> bool {
        true
    }

    fn identity(&self, row: &Row) -> Option<String> {
        Some(identity(row, &seal(&row.context, &row.rules)))
    }

    fn stories(&self, stories: &[Vec<&Row>], done: Done) -> Vec<Vec<Verdict>> {
        let rows = stories.concat();
        let mut verdicts: Vec<Option<Verdict>> = vec![None; rows.len()];
        let mut by_layout: BTreeMap<String, Vec<ReadStory>> = BTreeMap::new();
        for (group, story) in self.read(stories) {
            match story {
                Ok(story) => by_layout.entry(layout_key(&story)).or_default().push(story),
                Err(found) => {
                    done(group.len() as u64);
                    group.iter().for_each(|row| verdicts[*row] = Some(Err(found.clone())));
                }
            }
        }
        let judge = |stories: Vec<ReadStory>| {
            let found = self.layout(&rows, &stories);
            done(found.len() as u64);
            found
        };
        let layouts: Vec<Vec<ReadStory>> = by_layout.into_values().collect();
        let judged: Vec<Vec<(usize, Verdict)>> = layouts.into_par_iter().map(judge).collect();
        for (row, verdict) in judged.into_iter().flatten() {
            verdicts[row] = Some(verdict);
        }
        let missing = || finding(Trouble::Impossible, "no situation follows from the text");
        let mut verdicts = verdicts.into_iter().map(|verdict| verdict.unwrap_or_else(missing));
        stories.iter().map(|story| verdicts.by_ref().take(story.len()).collect()).collect()
    }
}

impl DomainVoice {
    /// Who reads the rows of a domain.
    pub(crate) fn new(package: Package, limit: Duration) -> DomainVoice {
        let inverse = Inverse::new(&package).0;
        DomainVoice {
            domain: Arc::new(Domain {
                families: FamilyReader::new(&package.common.families),
                invented: RulesReader::of(&package),
                view: OnceLock::new(),
                package,
                inverse,
            }),
            limit,
        }
    }

    /// What each story tells, with the places of its rows among all.
    fn read(&self, stories: &[Vec<&Row>]) -> Vec<(Vec<usize>, Result<ReadStory, Finding>)> {
        let starts = stories.iter().scan(0, |next, story| {
            let start = *next;
            *next += story.len();
            Some((start, story))
        });
        let starts: Vec<(usize, &Vec<&Row>)> = starts.filter(|(_, story)| !story.is_empty()).collect();
        let one = |(start, story): (usize, &Vec<&Row>)| {
            let group: Vec<usize> = (start..start + story.len()).collect();
            (group.clone(), read(self.domain.clone(), story[0], group))
        };
        starts.into_par_iter().map(one).collect()
    }

    /// Judges the stories of one layout.
    fn layout(&self, rows: &[&Row], stories: &[ReadStory]) -> Vec<(usize, Verdict)> {
        let mut open: Vec<(usize, &ReadStory, Vec<usize>)> =
            stories.iter().enumerate().map(|(n, s)| (n, s, s.rows.clone())).collect();
        let mut done = Vec::new();
        // Parameters that no fact tells are first taken to be the greatest of the level, then the least.
        let fills = match stories.first() {
            Some(story) if !story.generic => {
                parameters(&story.domain.package, rows[story.rows[0]], &story.layout)
            }
            _ => vec![BTreeMap::new()],
        };
        for (turn, parameters) in fills.iter().enumerate() {
            let last = turn + 1 == fills.len();
            let Some((_, first, _)) = open.first() else { break };
            let mut layout = first.layout.clone();
            layout.parameters.clone_from(parameters);
            let mut scene = StoryReplay::new(first, layout, self.limit);
            if let Ok((scene, _)) = &mut scene {
                scene.has_depths = rows.iter().any(|row| has_depth(row));
            }
            let mut left = Vec::new();
            for (number, story, wanted) in open {
                let first = number == 0 && turn == 0;
                let verdicts = match &mut scene {
                    Err(found) => wanted.iter().map(|row| (*row, Some(Err(found.clone())))).collect(),
                    Ok((scene, solvers)) => scene.story(story, rows, &wanted, first, solvers),
                };
                let mut unasked = Vec::new();
                for (row, verdict) in verdicts {
                    match verdict {
                        Some(Err(Finding { trouble: Trouble::Impossible, .. })) if !last => unasked.push(row),
                        Some(verdict) => done.push((row, verdict)),
                        None if !last => unasked.push(row),
                        None => done.push((
                            row,
                            finding(
                                Trouble::Unreadable,
                                format!("the domain does not ask this here: {}", rows[row].question),
                            ),
                        )),
                    }
                }
                if !unasked.is_empty() {
                    left.push((number, story, unasked));
                }
            }
            open = left;
        }
        done
    }
}

fn layout_key(story: &ReadStory) -> String {
    let objects: Vec<&str> = story.layout.objects.iter().map(|o| &*o.id).collect();
    let statics: Vec<String> = story.layout.statics.iter().map(Term::to_string).collect();
    let theory = story.theory.as_ref().map_or("", |t| &t.text);
    let level = story.layout.parameters.get("level").copied().unwrap_or_default();
    format!("{} {level} {} {} {theory}", story.domain.package.name, objects.join(" "), statics.join(" "))
}
