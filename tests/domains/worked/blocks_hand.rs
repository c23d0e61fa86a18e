//! Blocks with a hand: stacks small enough to be seen through.

use crate::naive::successors;
use crate::worked::{Case, error, terms};

const DOMAIN: &str = "blocks_hand";

const HAND: &str = "block(a) block(b) block(c) ontable(a) on(b,a) ontable(c) clear(b) clear(c) handempty";

const CASES: &[Case] = &[
    Case {
        name: "pickup",
        facts: HAND,
        plan: "pickup(c)",
        answers: "
            holding(c) = yes
            handempty = no
            ontable(c) = no
            clear(c) = yes
            which_holding(block) = c
            count_ontable(block) = 1
            executable_actions = 2",
    },
    Case {
        name: "stack",
        facts: HAND,
        plan: "pickup(c) stack(c,b)",
        answers: "
            on(c,b) = yes
            handempty = yes
            holding(c) = no
            clear(b) = no
            clear(c) = yes
            tallest_stack = 3
            between(c,a) = b
            which_clear(block) = c
            executable(unstack(c,b)) = yes
            executable(unstack(b,a)) = no
            executable(pickup(a)) = no",
    },
    Case {
        name: "unstack and putdown",
        facts: HAND,
        plan: "unstack(b,a)",
        answers: "on(b,a) = no\nclear(a) = yes\nholding(b) = yes\nstacks = 2",
    },
    Case {
        name: "unstack and putdown",
        facts: HAND,
        plan: "unstack(b,a) putdown(b)",
        answers: "all_on_table = yes\nstacks = 3\nsupport(b) = table",
    },
    Case {
        name: "block in hand",
        facts: HAND,
        plan: "unstack(b,a)",
        answers: "
            support(b) = none
            stack_height(b) = 0
            blocks_below(b) = none
            all_on_table = no
            above(b,a) = no
            changes(putdown(b),handempty) = yes
            changes(stack(b,c),clear(a)) = no
            initially(handempty) = yes
            after(stack(b,c),after(pickup(a),holding(a))) = yes",
    },
];

#[test]
fn answers() {
    CASES.iter().for_each(|case| case.check(DOMAIN));
}

#[test]
fn executable() {
    assert_eq!(successors(DOMAIN, &terms(HAND), &[]).unwrap(), ["pickup(c)", "unstack(b,a)"]);
    let holding = successors(DOMAIN, &terms(HAND), &terms("unstack(b,a)")).unwrap();
    assert_eq!(holding, ["putdown(b)", "stack(b,a)", "stack(b,c)"]);
}

#[test]
fn errors() {
    assert!(error(DOMAIN, HAND, "pickup(b)", "stacks").contains("not executable"));
    assert!(error(DOMAIN, HAND, "pickup(c) pickup(c)", "stacks").contains("not executable"));
    assert!(error(DOMAIN, HAND, "pickup(c) stack(c,c)", "stacks").contains("not executable"));
    assert!(error(DOMAIN, "block(a) holding(a) handempty", "", "stacks").contains("handempty"));
    assert!(error(DOMAIN, "block(a) holding(a) ontable(a)", "", "stacks").contains("one place"));
}
