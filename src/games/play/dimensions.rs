//! A game that is ready to be played to what a person wants to know of it: the verdict, and the columns of figure 5.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::games::gdl::validate::{Validity, check};
use crate::games::play::ground_game::GroundGame;

/// A game at a glance.
#[derive(Clone, Debug)]
pub struct Dimensions {
    /// What is odd about it, and how long it is.
    pub verdict: Validity,
    /// Its players.
    pub roles: Vec<String>,
    /// Spatial dimensions; none where the game could not be grounded as a whole.
    pub dimensions: Option<usize>,
    /// Numbers of fluents, moves, goals and statics, or why they are not known.
    pub sizes: Result<[usize; 4], String>,
}

impl Dimensions {
    /// Looks at a game.
    pub fn new(arena: &GroundGame) -> Dimensions {
        let too_large = || arena.obstacle.clone().unwrap_or_else(|| "more than it may".into());
        let sizes = arena.whole.as_ref().ok_or_else(too_large);
        Dimensions {
            verdict: check(&arena.game),
            roles: arena.roles.iter().map(ToString::to_string).collect(),
            dimensions: arena.whole.as_ref().map(|_| dimensions(arena)),
            sizes: sizes.map(|w| [w.fluents.len(), w.moves.len(), w.goals.len(), arena.statics.len()]),
        }
    }

    /// The head of a table of games.
    pub fn head() -> String {
        format!("{:24} {:>5} {:>8} {:>10} {:>7}\n", "game", "rules", "literals", "dimensions", "players")
    }

    /// The game's line of the table.
    pub fn line(&self) -> String {
        let dimensions = self.dimensions.map_or("?".to_owned(), |d| d.to_string());
        let v = &self.verdict;
        let players = self.roles.len();
        format!("{:24} {:>5} {:>8} {dimensions:>10} {players:>7}\n", v.name, v.rules, v.literals)
    }
}

impl fmt::Display for Dimensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}{}\n", self.verdict, Dimensions::head(), self.line())?;
        writeln!(f, "  roles: {}", self.roles.join(", "))?;
        match &self.sizes {
            Ok([fluents, moves, goals, statics]) => {
                writeln!(f, "  {fluents} fluents, {moves} moves, {goals} goals, {statics} statics")
            }
            Err(why) => {
                writeln!(f, "  too large to be grounded as a whole ({why}); clingo plays it step by step")
            }
        }
    }
}

/// Spatial dimensions of a game, which figure 5 counts by eye: 2 where a fluent has two arguments that are numbers or
/// letters in all states, 1 where it has one and something besides that is no role, otherwise 0.
pub fn dimensions(arena: &GroundGame) -> usize {
    let Some(whole) = &arena.whole else { return 0 };
    let mut seen: BTreeMap<(&str, usize), Vec<BTreeSet<&str>>> = BTreeMap::new();
    for fluent in whole.fluents.iter().filter(|f| f.args().len() > 1) {
        let places = seen.entry((fluent.functor(), fluent.args().len())).or_default();
        places.resize(fluent.args().len(), BTreeSet::new());
        places.iter_mut().zip(fluent.args()).for_each(|(place, argument)| {
            place.insert(argument.functor());
        });
    }
    let coordinate = |place: &&BTreeSet<&str>| {
        let letters = place.iter().all(|s| s.len() == 1 && s.chars().all(char::is_alphabetic));
        place.len() > 1 && (letters || place.iter().all(|s| s.parse::<i64>().is_ok()))
    };
    let role = |place: &&BTreeSet<&str>| place.iter().all(|s| arena.roles.iter().any(|r| r.functor() == *s));
    let dimensions = |places: &Vec<BTreeSet<&str>>| {
        let roles = places.iter().filter(role).count();
        match places.iter().filter(|p| !role(p)).filter(coordinate).count() {
            1 if places.len() - roles > 1 => 1,
            0 | 1 => 0,
            _ => 2,
        }
    };
    seen.values().map(dimensions).max().unwrap_or(0)
}
