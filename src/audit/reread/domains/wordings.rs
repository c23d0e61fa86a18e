//! The rules paragraph against the facts: where it depends on the world, it must say what its template says of them.

use racgen_data::row::Row;

use crate::audit::reread::domains::reading::without_rules;
use crate::audit::reread::domains::replay::{Solvers, StoryReplay};
use crate::audit::reread::domains::rules_wordings::{Sentences, Wordings};
use crate::audit::reread::verdict::{Finding, Trouble, finding, solver};
use crate::language::read::name_index::NameIndex;
use crate::language::tell::rules_paragraph::{PICKS, world_rules};
use crate::language::tell::verbalizer::Verbalizer;
use crate::language::words::holdout::Holdout;
use crate::language::words::lexicon::Lexicon;
use crate::language::words::naming::Naming;
use crate::simulate::narrative::partly::LEFT_OUT;
use crate::simulate::transitions::transition_system::TransitionSystem;

fn sentences(text: &str) -> Sentences {
    let mut all = Sentences::new();
    for sentence in text.split(". ") {
        *all.entry(sentence.trim_end_matches('.').to_owned()).or_default() += 1;
    }
    all
}

impl StoryReplay {
    /// Where the rules paragraph depends on the world, it must say what the template says of these facts.
    pub(crate) fn rules(&self, names: &NameIndex, row: &Row, solvers: &mut Solvers) -> Result<(), Finding> {
        let package = &self.package.package;
        if package.rules.is_none() {
            return Ok(());
        }
        let partly = row.facts.iter().any(|fact| fact.starts_with(LEFT_OUT));
        let wanted = without_rules(package, &row.rules, partly)?;
        let Solvers { engine, wordings, .. } = solvers;
        let known = match wordings {
            Some(known) => known,
            None => wordings.insert(self.wordings(engine)?),
        };
        match known.differ(&sentences(&names.rename(wanted))) {
            None => Ok(()),
            Some(sentence) => finding(
                Trouble::Columns,
                format!("the rules paragraph and the facts differ about \"{sentence}\""),
            ),
        }
    }

    /// What the template of the rules paragraph makes of the layout, with ids for names.
    fn wordings(&self, engine: &TransitionSystem) -> Result<Wordings, Finding> {
        let package = &self.package.package;
        let lexicon = Lexicon::new(package, &self.layout, engine);
        let naming = Naming::of_row(&self.layout, &[]);
        let teller = Verbalizer {
            package,
            layout: &self.layout,
            engine,
            lexicon: &lexicon,
            naming: &naming,
            holdout: Holdout::NONE,
        };
        let render = |place: usize, number: usize| -> Result<Sentences, Finding> {
            let mut pick = [0; PICKS];
            pick[place] = number;
            let text = world_rules(&teller, &pick).map_err(solver)?;
            Ok(sentences(&text.unwrap_or_default()))
        };
        let plain = render(0, 0)?;
        let mut choices = Vec::new();
        for place in 0..PICKS {
            let second = render(place, 20)?;
            if second != plain {
                let mut wordings = vec![plain.clone(), second];
                for fifth in 2..5 {
                    wordings.push(render(place, fifth * 20)?);
                }
                choices.push(wordings);
            }
        }
        Ok(Wordings { plain, choices })
    }
}
