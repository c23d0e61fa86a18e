//! A story to the column with the length of a shortest plan to where it ends.

use racgen_data::columns::ExtraKind;
use racgen_data::row::{ExtraValue, Row};

use crate::audit::reread::domains::origin::OwnLayout;
use crate::audit::reread::domains::replay::{Play, StoryReplay};
use crate::audit::reread::verdict::{Finding, solver};
use crate::audit::reread::voice::same;
use crate::factory::extra::extra_columns;
use crate::simulate::plans::shortest::shortest;
use crate::simulate::situation::Situation;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Has a row the column? Where none has, the data set lacks it; else it is not known of some plans.
pub(crate) fn has_depth(row: &Row) -> bool {
    extra_columns().iter().any(|column| row.extra.contains_key(&column.name))
}

impl StoryReplay {
    /// The column with the length of a shortest plan, where a row has it.
    pub(crate) fn effective_depth(&self, own: &OwnLayout, play: &mut Play, row: &Row) -> Result<(), Finding> {
        let [column] = extra_columns() else { return Ok(()) };
        if column.kind != ExtraKind::NumberOrNull || !own.is_that_of(&self.compiled) {
            return Ok(());
        }
        let given = match row.extra.get(&column.name) {
            // CSV has cells of texts only.
            Some(ExtraValue::Text(text)) => text.clone(),
            Some(ExtraValue::Number(number)) => number.to_string(),
            Some(_) => "another type".to_owned(),
            None if !self.has_depths => return Ok(()),
            None => String::new(),
        };
        let found = match &play.shortest {
            Some(found) => found,
            None => {
                let mut engine = TransitionSystem::of(own.compiled.clone(), self.limit);
                let passed: Vec<&Situation> = play.passed.iter().collect();
                let place =
                    |action: &usize| own.compiled.actions.binary_search(&self.compiled.actions[*action]);
                let possible: Vec<usize> = play.executable.iter().filter_map(|a| place(a).ok()).collect();
                let found = shortest(&mut engine, &passed, &possible).map_err(solver)?;
                play.shortest.insert(found.map_or(String::new(), |depth| depth.to_string()))
            }
        };
        same(&column.name, &given, found)
    }
}
