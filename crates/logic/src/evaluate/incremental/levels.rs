//! Atoms to levels, each above all that it depends on.

use super::NONE;
use crate::evaluate::Unsupported;
use crate::evaluate::definitions::Definitions;

/// The levels of all atoms, and the loops among them.
pub(super) struct Levels {
    pub(super) level: Vec<u32>,
    /// How many levels there are.
    pub(super) count: u32,
    /// How many of them are of atoms that do not depend on late inputs: the lowest.
    pub(super) early: u32,
    /// The loop of an atom, or `NONE`.
    pub(super) in_loop: Vec<u32>,
    /// The members of each loop.
    pub(super) loops: Vec<Vec<u32>>,
}

/// What a component rests on.
struct Footing {
    /// Counted apart for components that depend on late inputs.
    level: u32,
    late: bool,
    recursive: bool,
}

impl Levels {
    /// # Errors
    /// [`Unsupported::Undecided`] for a loop through negation.
    pub(super) fn new(definitions: &Definitions, late: &[u32]) -> Result<Levels, Unsupported> {
        let atoms = definitions.atoms;
        let all: Vec<u32> = (0..atoms as u32).collect();
        let components = definitions.components(&all);
        let mut component = vec![0; atoms];
        for (number, members) in components.iter().enumerate() {
            members.iter().for_each(|atom| component[*atom as usize] = number as u32);
        }
        let mut is_late = vec![false; atoms];
        late.iter().for_each(|atom| is_late[*atom as usize] = true);
        let (mut level, mut in_loop, mut loops) = (vec![0; atoms], vec![NONE; atoms], Vec::new());
        for members in components {
            let footing = footing(&members, definitions, &component, &level, &is_late)?;
            for atom in &members {
                level[*atom as usize] = footing.level;
                is_late[*atom as usize] = footing.late;
            }
            if footing.recursive {
                members.iter().for_each(|atom| in_loop[*atom as usize] = loops.len() as u32);
                loops.push(members);
            }
        }
        let early_levels = level.iter().zip(&is_late).filter(|(_, late)| !**late).map(|(level, _)| *level);
        let early = 1 + early_levels.max().unwrap_or(0);
        level.iter_mut().zip(&is_late).filter(|(_, late)| **late).for_each(|(level, _)| *level += early);
        let count = 1 + level.iter().copied().max().unwrap_or(0);
        Ok(Levels { level, count, early, in_loop, loops })
    }
}

/// What a component rests on, once everything that it depends on has its level.
fn footing(
    members: &[u32],
    definitions: &Definitions,
    component: &[u32],
    level: &[u32],
    is_late: &[bool],
) -> Result<Footing, Unsupported> {
    let own = component[members[0] as usize];
    let mut footing = Footing { level: 0, late: is_late[members[0] as usize], recursive: false };
    let rules = members.iter().flat_map(|atom| definitions.of(*atom));
    for (literal, _) in rules.flat_map(|rule| definitions.body(*rule).weighted()) {
        let atom = literal.atom() as usize;
        if component[atom] == own {
            if !literal.positive() {
                return Err(Unsupported::Undecided);
            }
            footing.recursive = true;
            continue;
        }
        if is_late[atom] && !footing.late {
            (footing.late, footing.level) = (true, 0);
        }
        if is_late[atom] == footing.late {
            footing.level = footing.level.max(level[atom] + 1);
        }
    }
    Ok(footing)
}
