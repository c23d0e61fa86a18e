//! Choices to boards that two players mark in turns, where marks keep others away, until one finds no place.

use std::collections::HashMap;

use crate::iq::grammar::code::{ChoiceCode, TooShort};
use crate::iq::grammar::duel::marks::write_marking;
use crate::iq::grammar::duel::outlook::{PlayOutlook, outlook};
use crate::iq::grammar::duel::rules::DuelRules;
use crate::iq::grammar::kif::KifText;

/// The most cells of a board of which all courses of the game are gone through, in a moment.
const KNOWN_CELLS: usize = 10;

/// Which marks keep a player away from the cells beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeping {
    All,
    TheOthers,
    Own,
}

/// What is chosen of a game of placing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PlacingChoices {
    wide: usize,
    high: usize,
    circle: bool,
    keeping: Keeping,
    misere: bool,
}

impl PlacingChoices {
    fn derive(code: &mut ChoiceCode) -> Result<PlacingChoices, TooShort> {
        let (wide, high) = match code.bit()? {
            true => (5 + code.several(7)?, 1),
            false => (2 + code.several(2)?, 3 + code.several(2)?),
        };
        let circle = high == 1 && code.bit()?;
        let keeping = [Keeping::All, Keeping::TheOthers, Keeping::Own][code.several(2)?];
        let misere = code.bit()?;
        let mut choices = PlacingChoices { wide, high, circle, keeping, misere };
        // Where nobody has a choice that matters, the board is the next larger one on which somebody has.
        while choices.outlook().is_some_and(PlayOutlook::settled) {
            choices.wide += 1;
        }
        Ok(choices)
    }

    fn cells(&self) -> usize {
        self.wide * self.high
    }

    /// Pairs of cells that are beside each other.
    fn beside(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for cell in 0..self.cells() {
            let (x, y) = (cell % self.wide, cell / self.wide);
            if x + 1 < self.wide || self.circle {
                pairs.push((cell, y * self.wide + (x + 1) % self.wide));
            }
            if y + 1 < self.high {
                pairs.push((cell, cell + self.wide));
            }
        }
        pairs
    }

    /// Who can win, and whether play matters; none where the board is too large to say.
    fn outlook(&self) -> Option<PlayOutlook> {
        let cells = self.cells();
        if cells > KNOWN_CELLS {
            return None;
        }
        let mut near = vec![0_u32; cells];
        for (a, b) in self.beside() {
            near[a] |= 1 << b;
            near[b] |= 1 << a;
        }
        // The marks of who is to move, and those of the other.
        let moves = |(own, other): &(u32, u32)| {
            let keeps = match self.keeping {
                Keeping::All => own | other,
                Keeping::TheOthers => *other,
                Keeping::Own => *own,
            };
            let free = |cell: &usize| (own | other) & (1 << cell) == 0 && near[*cell] & keeps == 0;
            (0..cells).filter(free).map(|cell| (*other, own | (1 << cell))).collect()
        };
        Some(outlook(&(0, 0), &moves, self.misere, &mut HashMap::new()))
    }
}

/// Marks keep others away; who finds no place loses, or wins.
///
/// # Errors
/// Those of the code.
pub fn derive_placing(code: &mut ChoiceCode) -> Result<DuelRules, TooShort> {
    let choices = PlacingChoices::derive(code)?;
    let cells = choices.cells();
    let mut out = KifText::default();
    write_marking(&mut out, cells);
    for (a, b) in choices.beside() {
        out.line(format_args!("(beside {a} {b})\n(beside {b} {a})"));
    }
    let blocked = "(blocked ?p ?c)";
    let near = ["(beside ?c ?d)", "(true (mark ?d ?q))"];
    match choices.keeping {
        Keeping::All => out.rule(blocked, &[&["(role ?p)"], &near[..]].concat()),
        Keeping::TheOthers => out.rule(blocked, &[&near[..], &["(other ?p ?q)"]].concat()),
        Keeping::Own => out.rule(blocked, &["(beside ?c ?d)", "(true (mark ?d ?p))"]),
    }
    out.rule(
        "(may ?p ?c)",
        &["(true (control ?p))", "(cell ?c)", "(not (marked ?c))", "(not (blocked ?p ?c))"],
    );
    out.rule("open", &["(may ?p ?c)"]);
    out.rule("over", &["(not open)"]);
    match choices.misere {
        true => out.rule("(wins ?p)", &["over", "(true (control ?p))"]),
        false => out.rule("(wins ?q)", &["over", "(true (control ?p))", "(other ?p ?q)"]),
    }
    // Who is lost whatever he does is measured by nothing, so that the agent has the role that can win.
    let seat = choices.outlook().map(|outlook| usize::from(!outlook.wins));
    Ok(DuelRules { kind: "placing", rules: out, horizon: cells as u32, draws: false, seat })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iq::grammar::code::enumerate;

    /// Marks that keep all others away, on a line: Dawson's chess, which who begins loses with 4, 8, 14 cells and so on.
    #[test]
    fn who_can_win_is_known() {
        let line =
            |wide| PlacingChoices { wide, high: 1, circle: false, keeping: Keeping::All, misere: false };
        let lost: Vec<usize> = (1..=10).filter(|wide| !line(*wide).outlook().unwrap().wins).collect();
        assert_eq!(lost, [4, 8]);
    }

    /// On no board of which all courses are known is the winner settled before play begins.
    #[test]
    fn play_matters() {
        let (found, _) = enumerate(&PlacingChoices::derive, 16);
        let known = found.iter().filter_map(|(_, choices)| choices.outlook());
        let settled: Vec<bool> = known.map(PlayOutlook::settled).collect();
        assert!(settled.len() > 20 && !settled.contains(&true), "{found:?}");
    }
}
