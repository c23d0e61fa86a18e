//! A layout's ground program to the conditions of each action that has one list of them.

use std::collections::HashMap;

use racgen_logic::clingo::Program;
use racgen_logic::error::LogicError;
use racgen_logic::term::Term;

use crate::simulate::theory::action_theory::Condition;
use crate::simulate::theory::cases::{CaseReader, Leaf};
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// What must be told by name in the program.
const READ: &[(&str, usize)] = &[("holds", 2), ("occ", 2), ("executable", 2)];

/// By action, the facts all of which it requires; none where that is no single list of facts.
pub type Requirements = Vec<Option<Vec<Condition>>>;

/// Reads what actions require off a program of at least one step.
///
/// # Errors
/// Those of [`Program::ground`].
pub fn requirements(program: &Program, engine: &CompiledLayout) -> Result<Requirements, LogicError> {
    let ground = program.ground(READ)?;
    let named: HashMap<&Term, Option<u32>> = ground.named.iter().map(|(term, atom)| (term, *atom)).collect();
    let mut cases = CaseReader::new(&ground, engine);
    let mut of_action = |action: &Term| {
        let executable = Term::function("executable", vec![action.clone(), Term::Number(0)]);
        let atom = (*named.get(&executable)?)?;
        let mut lists = cases.definition(atom)?;
        let only = lists.pop().filter(|_| lists.is_empty())?;
        only.into_iter()
            .map(|(leaf, value)| match leaf {
                Leaf::Now(fluent) => Some(Condition { fluent, value }),
                _ => None,
            })
            .collect::<Option<Vec<Condition>>>()
    };
    Ok(engine.actions.iter().map(&mut of_action).collect())
}
