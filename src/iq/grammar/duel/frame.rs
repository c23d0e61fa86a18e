//! What all games for two have in common: turns, a clock, and goals of 100, 50 and 0 at the end.

use crate::iq::grammar::code::{ChoiceCode, TooShort};
use crate::iq::grammar::derived::{DerivedGame, Opponent, Seats};
use crate::iq::grammar::duel::field::{derive_chase, derive_harvest};
use crate::iq::grammar::duel::heaps::derive_heaps;
use crate::iq::grammar::duel::marks::derive_rows;
use crate::iq::grammar::duel::placing::derive_placing;
use crate::iq::grammar::kif::KifText;

/// Any game for two, the opponent and who begins.
///
/// # Errors
/// Those of the code.
pub fn derive(code: &mut ChoiceCode) -> Result<DerivedGame, TooShort> {
    let own = match code.among(5)? {
        0 => derive_rows(code)?,
        1 => derive_placing(code)?,
        2 => derive_heaps(code)?,
        3 => derive_harvest(code)?,
        _ => derive_chase(code)?,
    };
    let seat = match own.seat {
        Some(seat) => seat,
        None => usize::from(code.bit()?),
    };
    let opponent = match code.several(2)? {
        0 => Opponent::Random,
        1 => Opponent::Greedy,
        _ => Opponent::Playouts,
    };
    let mut out = KifText::default();
    out.line("(role a)\n(role b)\n(other a b)\n(other b a)\n(init (control a))");
    out.rule("(next (control ?q))", &["(true (control ?p))", "(other ?p ?q)"]);
    out.rule("(legal ?p wait)", &["(role ?p)", "(not (true (control ?p)))"]);
    out.line(own.rules.text().trim_end());
    out.clock(own.horizon);
    out.rule("over", &[&format!("(true (step {}))", own.horizon)]);
    out.rule("terminal", &["over"]);
    out.rule("(goal ?p 100)", &["(wins ?p)"]);
    match own.draws {
        true => {
            out.rule("(goal ?p 50)", &["(role ?p)", "drawn"]);
            out.rule("(goal ?p 0)", &["(role ?p)", "(not (wins ?p))", "(not drawn)"]);
        }
        false => out.rule("(goal ?p 0)", &["(role ?p)", "(not (wins ?p))"]),
    }
    let seats = Seats::Two { own: seat, opponent };
    Ok(DerivedGame { kind: own.kind.into(), rules: out.text(), horizon: own.horizon, seats })
}
