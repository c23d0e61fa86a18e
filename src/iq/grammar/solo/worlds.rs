//! Choices to a game for one: a few worlds under one clock, and what is worth what.

use crate::iq::grammar::code::{ChoiceCode, TooShort};
use crate::iq::grammar::derived::{DerivedGame, Seats};
use crate::iq::grammar::kif::KifText;
use crate::iq::grammar::solo::lights::Lights;
use crate::iq::grammar::solo::quest::Quest;
use crate::iq::grammar::solo::tiles::Tiles;
use crate::iq::grammar::solo::world::{SoloWorld, WorldScore};

/// What a win is worth at the last step at least, where time counts.
const LATE: u32 = 20;

/// What goals are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worth {
    /// All or nothing.
    All,
    /// All or nothing, and less with every step beyond the fewest.
    Haste,
    /// By how many worlds are won, or things had.
    Shares,
}

/// A game of one to three worlds.
///
/// # Errors
/// Those of the code.
pub fn derive(code: &mut ChoiceCode) -> Result<DerivedGame, TooShort> {
    let mut worlds: Vec<Box<dyn SoloWorld>> = Vec::new();
    for _ in 0..1 + code.several(2)? {
        worlds.push(match code.several(2)? {
            0 => Box::new(Quest::derive(code)?),
            1 => Box::new(Lights::derive(code)?),
            _ => Box::new(Tiles::derive(code)?),
        });
    }
    let shared = matches!(&worlds[..], [one] if one.score() != WorldScore::Won);
    let worth = match (worlds.len(), code.bit()?) {
        (1, _) if shared => Worth::Shares,
        (1, false) | (2.., true) => Worth::Haste,
        (1, true) => Worth::All,
        _ => Worth::Shares,
    };
    let fewest: u32 = worlds.iter().map(|world| world.steps()).sum();
    let fewest = fewest.max(1);
    let slack = [0, 1, 2, 4][code.several(3)?];
    let horizon = fewest + slack + if worth == Worth::Haste { fewest } else { 0 };

    let mut out = KifText::default();
    out.line("(role player)");
    let names: Vec<String> = (1..=worlds.len()).map(|number| format!("w{number}")).collect();
    for (world, name) in worlds.iter().zip(&names) {
        world.write(name, &mut out);
    }
    out.clock(horizon);
    let losable = worlds.iter().any(|world| world.can_be_lost());
    if losable {
        out.rule("terminal", &["lost"]);
    }
    let won: Vec<String> = names.iter().map(|name| format!("(won {name})")).collect();
    let mut all: Vec<&str> = won.iter().map(String::as_str).collect();
    if losable {
        all.push("(not lost)");
    }
    out.rule("won", &all);
    out.rule("terminal", &["won"]);
    write_worth(worth, &worlds, &names, (fewest, horizon), losable, &mut out);
    let kinds: Vec<String> = worlds.iter().map(|world| world.kind()).collect();
    Ok(DerivedGame { kind: kinds.join(" + "), rules: out.text(), horizon, seats: Seats::One })
}

/// Writes the goals: one value in each state.
fn write_worth(
    worth: Worth,
    worlds: &[Box<dyn SoloWorld>],
    names: &[String],
    (fewest, horizon): (u32, u32),
    losable: bool,
    out: &mut KifText,
) {
    match worth {
        Worth::All => {
            out.rule("(goal player 100)", &["won"]);
            out.rule("(goal player 0)", &["(not won)"]);
        }
        Worth::Haste => {
            for step in 0..=horizon {
                let late = step.saturating_sub(fewest);
                let worth = 100 - (100 - LATE) * late / (horizon - fewest).max(1);
                out.line(format_args!("(worth {step} {worth})"));
            }
            out.rule("(goal player ?v)", &["won", "(true (step ?n))", "(worth ?n ?v)"]);
            out.rule("(goal player 0)", &["(not won)"]);
        }
        Worth::Shares => match (worlds, names) {
            ([one], [name]) => {
                if let WorldScore::Shares(things) = one.score() {
                    for n in 0..=things {
                        out.line(format_args!("(share {n} {})", 100 * n / things.max(1)));
                    }
                    out.rule("(goal player ?v)", &[&format!("(has {name} ?n)"), "(share ?n ?v)"]);
                }
            }
            _ => {
                for pattern in 0..1_usize << names.len() {
                    let literal = |(number, name): (usize, &String)| match pattern >> number & 1 {
                        1 => format!("(won {name})"),
                        _ => format!("(not (won {name}))"),
                    };
                    let mut body: Vec<String> = names.iter().enumerate().map(literal).collect();
                    if losable {
                        body.push("(not lost)".into());
                    }
                    let body: Vec<&str> = body.iter().map(String::as_str).collect();
                    let value = 100 * pattern.count_ones() as usize / names.len();
                    out.rule(format_args!("(goal player {value})"), &body);
                }
                if losable {
                    out.rule("(goal player 0)", &["lost"]);
                }
            }
        },
    }
}
