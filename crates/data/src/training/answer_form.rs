//! A type of answer to how a model is told to give it, and to whether programs without a phrase book can judge it.

/// Types of answers that are sentences or plans, or say how sure something is: whoever judges them needs the phrase book
/// of the domain, or its program.
const NEEDING_RACGEN: [&str; 5] = ["facts", "action", "actions", "plan", "certainty"];

/// Does it take `racgen score` to judge answers of this type?
pub(crate) fn needs_racgen(answer_type: &str) -> bool {
    NEEDING_RACGEN.contains(&answer_type)
}

/// What a model is told to say.
pub(crate) fn told(answer_type: &str) -> &'static str {
    match answer_type {
        "facts" => "the statements asked for, separated by semicolons; say none if there are none",
        "actions" => "the actions asked for, separated by semicolons; say none if there are none",
        "action" => "the action asked for",
        "plan" => "the actions in their order, separated by semicolons",
        "certainty" => "one of the three answers that the question offers",
        _ => "yes or no, a number, or the names asked for, separated by commas; say none if there are none",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_judged_anywhere() {
        assert!(["bool", "number", "name", "names", "none"].iter().all(|kind| !needs_racgen(kind)));
        assert!(NEEDING_RACGEN.iter().all(|kind| needs_racgen(kind) && told(kind) != told("bool")));
    }
}
