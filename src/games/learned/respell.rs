//! Prolog that is not read as clauses to clingo's language.

/// Prolog that is not read as clauses to clingo's language, line by line: what is declared may be undefined, other
/// directives go, negation and comparison are respelled.
///
/// ```
/// use racgen::games::learned::respell::to_asp;
/// assert_eq!(to_asp(":- dynamic p/1.\nq(X) :- r(X), \\+ p(X), X \\== 'a b'.\n"), "#defined p/1. \nq(X) :- r(X), not p(X), X != \"a b\".\n");
/// ```
pub fn to_asp(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let kept = line.trim_start();
        let directive =
            ["dynamic", "discontiguous", "table", "use_module", "style_check", "module", "set_prolog_flag"];
        let is_directive = kept
            .strip_prefix(":-")
            .is_some_and(|rest| directive.iter().any(|d| rest.trim_start().starts_with(d)));
        let declared =
            [":- dynamic", ":- discontiguous", ":- table"].iter().find_map(|d| kept.strip_prefix(d));
        if let Some(list) = declared {
            let signatures = list.trim().trim_end_matches('.').split(',').map(str::trim);
            signatures.for_each(|s| out += &format!("#defined {s}. "));
        } else if !is_directive {
            let line =
                line.replace("\\+", "not ").replace("\\==", "!=").replace("\\=", "!=").replace("==", "=");
            out += &line.replace("not  ", "not ").replace("!==", "!=").replace('\'', "\"");
        }
        out.push('\n');
    }
    out
}
