//! Choices to boards that two players mark in turns for rows of their own.

use crate::iq::grammar::code::{ChoiceCode, TooShort};
use crate::iq::grammar::duel::rules::DuelRules;
use crate::iq::grammar::kif::KifText;

/// Who has marked what stays so; who is to move may mark what `may` allows.
pub fn write_marking(out: &mut KifText, cells: usize) {
    for cell in 0..cells {
        out.line(format_args!("(cell {cell})"));
    }
    out.rule("(marked ?c)", &["(true (mark ?c ?p))"]);
    out.rule("(next (mark ?c ?p))", &["(true (mark ?c ?p))"]);
    out.rule("(next (mark ?c ?p))", &["(does ?p (put ?c))"]);
    out.rule("(legal ?p (put ?c))", &["(true (control ?p))", "(may ?p ?c)"]);
}

/// So many marks in a row win, or lose; marks may fall.
///
/// # Errors
/// Those of the code.
pub fn derive_rows(code: &mut ChoiceCode) -> Result<DuelRules, TooShort> {
    let (wide, high) = (3 + code.several(2)?, 3 + code.several(2)?);
    let length = (3 + code.several(1)?).min(wide.max(high));
    let falls = code.bit()?;
    let misere = code.several(2)? == 2;
    let mut out = KifText::default();
    write_marking(&mut out, wide * high);
    let free = ["(true (control ?p))", "(cell ?c)", "(not (marked ?c))"];
    match falls {
        true => {
            out.rule("(may ?p ?c)", &[&free[..], &["(bottom ?c)"]].concat());
            out.rule("(may ?p ?c)", &[&free[..], &["(above ?c ?d)", "(marked ?d)"]].concat());
            for cell in 0..wide * high {
                match cell.checked_sub(wide) {
                    Some(below) => out.line(format_args!("(above {cell} {below})")),
                    None => out.line(format_args!("(bottom {cell})")),
                }
            }
        }
        false => out.rule("(may ?p ?c)", &free),
    }
    for (across, up) in [(1, 0), (0, 1), (1, 1), (-1, 1_i32)] {
        for cell in 0..wide * high {
            let place = |step: i32| {
                let (x, y) = ((cell % wide) as i32 + across * step, (cell / wide) as i32 + up * step);
                let inside = (0..wide as i32).contains(&x) && (0..high as i32).contains(&y);
                inside.then_some(y * wide as i32 + x)
            };
            let places: Option<Vec<String>> =
                (0..length as i32).map(|step| place(step).map(|cell| cell.to_string())).collect();
            if let Some(places) = places {
                out.line(format_args!("(row {})", places.join(" ")));
            }
        }
    }
    let cells: Vec<String> = (0..length).map(|number| format!("?c{number}")).collect();
    let mut body = vec![format!("(row {})", cells.join(" "))];
    body.extend(cells.iter().map(|cell| format!("(true (mark {cell} ?p))")));
    out.rule("(lined ?p)", &body.iter().map(String::as_str).collect::<Vec<_>>());
    out.rule("anyone", &["(lined ?p)"]);
    out.rule("over", &["anyone"]);
    match misere {
        true => out.rule("(wins ?q)", &["(lined ?p)", "(other ?p ?q)"]),
        false => out.rule("(wins ?p)", &["(lined ?p)"]),
    }
    out.rule("drawn", &["over", "(not anyone)"]);
    Ok(DuelRules { kind: "rows", rules: out, horizon: (wide * high) as u32, draws: true, seat: None })
}
