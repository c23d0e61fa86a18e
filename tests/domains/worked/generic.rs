//! The generic domain: the example of section 8, and static laws small enough to be seen through.

use crate::naive::{successors, true_fluents};
use crate::worked::{Case, check, error, terms};

const DOMAIN: &str = "generic";

/// Section 8: the actions and fluents are those numbers.
const NUMBERS: &str = "
    fluent(f1) fluent(f2) fluent(f3) fluent(f4) fluent(f5) fluent(f6) fluent(f7) fluent(f8)
    action(a1) action(a2) action(a3) action(a4) action(a5) action(a6) action(a7) action(a8)
    effect(a6,e(a6,1),neg(f6)) effect(a6,c(a6,1),1) member(c(a6,1),neg(f7))
    effect(a2,e(a2,1),neg(f8)) effect(a2,c(a2,1),0)
    effect(a4,e(a4,1),neg(f8)) effect(a4,c(a4,1),0)
    effect(a8,e(a8,1),f3) effect(a8,c(a8,1),2) member(c(a8,1),f7) member(c(a8,1),f8)
    effect(a1,e(a1,1),neg(f1)) effect(a1,c(a1,1),0)
    effect(a7,e(a7,1),neg(f8)) effect(a7,c(a7,1),2) member(c(a7,1),f1) member(c(a7,1),neg(f5))
    effect(a3,e(a3,1),f8) effect(a3,c(a3,1),0)
    effect(a5,e(a5,1),f2) effect(a5,c(a5,1),0)
    precondition(a4,pre(a4),1) member(pre(a4),f3) precondition(a3,pre(a3),1) member(pre(a3),f8)
    precondition(a2,pre(a2),1) member(pre(a2),neg(f8))
    precondition(a1,pre(a1),0) precondition(a5,pre(a5),0) precondition(a6,pre(a6),0) precondition(a7,pre(a7),0)
    precondition(a8,pre(a8),0)
    f7 f1 f6 f8";

/// f1 causes f2; f2 and not f3 cause not f4. a1 makes f1 true, a2 makes f2 false, a3 makes f3 and f4 true.
const LAWS: &str = "
    fluent(f1) fluent(f2) fluent(f3) fluent(f4) action(a1) action(a2) action(a3)
    precondition(a1,pre(a1),0) precondition(a2,pre(a2),1) member(pre(a2),neg(f1)) precondition(a3,pre(a3),0)
    effect(a1,e(a1,1),f1) effect(a1,c(a1,1),0)
    effect(a2,e(a2,1),neg(f2)) effect(a2,c(a2,1),0)
    effect(a3,e(a3,1),f3) effect(a3,c(a3,1),0) effect(a3,e(a3,2),f4) effect(a3,c(a3,2),0)
    static_law(s(1),f2) member(s(1),f1)
    static_law(s(2),neg(f4)) member(s(2),f2) member(s(2),neg(f3))";

const CASES: &[Case] = &[
    Case {
        name: "paper",
        facts: NUMBERS,
        plan: "a3",
        answers: "
            after(a6,true(f1)) = yes
            after(a6,count_true(fluent)) = 4
            count_true(fluent) = 4",
    },
    Case {
        name: "effects",
        facts: NUMBERS,
        plan: "",
        answers: "
            which_true(fluent) = f1 f6 f7 f8
            after(a8,which_true(fluent)) = f1 f3 f6 f7 f8
            after(a7,true(f8)) = no
            after(a1,after(a7,true(f8))) = yes
            after(a5,after(a8,count_true(fluent))) = 6
            changes(a5,f2) = yes
            changes(a5,f1) = no
            changes(a6,f6) = no",
    },
];

#[test]
fn answers() {
    CASES.iter().for_each(|case| case.check(DOMAIN));
}

#[test]
fn preconditions() {
    let questions = "
        executable(a4) = no
        executable(a3) = yes
        executable(a2) = no
        executable_actions = 6
        after(a8,executable(a4)) = yes
        after(a7,executable(a2)) = yes
        after(a7,executable(a3)) = no";
    check(DOMAIN, NUMBERS, "", questions);
    let executable = successors(DOMAIN, &terms(NUMBERS), &terms("a8 a4")).unwrap();
    assert_eq!(executable, ["a1", "a2", "a4", "a5", "a6", "a7", "a8"]);
}

#[test]
fn initially() {
    let questions =
        "true(f8) = no\ninitially(true(f8)) = yes\ninitially(executable(a4)) = no\nexecutable(a4) = yes";
    check(DOMAIN, NUMBERS, "a8 a4", questions);
    assert_eq!(true_fluents(DOMAIN, &terms(NUMBERS), &[]).unwrap(), ["f1", "f6", "f7", "f8"]);
}

#[test]
fn static_laws() {
    check(DOMAIN, &format!("{LAWS} f4"), "a1", "which_true(fluent) = f1 f2\nexecutable(a2) = no");
    check(DOMAIN, &format!("{LAWS} f4"), "a3 a1", "which_true(fluent) = f1 f2 f3 f4");
    check(DOMAIN, &format!("{LAWS} f2"), "a2", "which_true(fluent) = none\nchanges(a1,f2) = yes");
    check(DOMAIN, &format!("{LAWS} f2"), "", "changes(a2,f2) = yes\nchanges(a2,f4) = no");
}

#[test]
fn families() {
    let questions = "
        all_true = no
        both_true(f1,f7) = yes
        both_true(f1,f2) = no
        either_true(f2,f1) = yes
        either_true(f2,f3) = no
        same_value(f2,f3) = yes
        same_value(f1,f7) = yes
        same_value(f1,f2) = no
        which_false = f2 f3 f4 f5
        count_false = 4
        which_executable = a1 a3 a5 a6 a7 a8
        obstacles(a4) = f3
        obstacles(a2) = f8
        obstacles(a3) = none
        obstacles(a1) = none
        satisfied_preconditions(a3) = 1
        satisfied_preconditions(a4) = 0
        active_effects(a6) = 0
        active_effects(a8) = 1
        active_effects(a1) = 1
        active_laws = 0
        changed_by(a8) = f3
        changed_by(a6) = none
        count_changed_by(a7) = 1
        after(a1,count_changed_by(a7)) = 0";
    check(DOMAIN, NUMBERS, "", questions);
    let questions = "
        changed_by(a1) = f1 f2 f4
        count_changed_by(a3) = 1
        active_laws = 0
        settled_by_law = none
        after(a1,active_laws) = 2
        after(a1,settled_by_law) = f2 f4
        after(a3,after(a1,active_laws)) = 1
        after(a3,after(a1,all_true)) = yes";
    check(DOMAIN, &format!("{LAWS} f4"), "", questions);
}

#[test]
fn errors() {
    assert!(error(DOMAIN, NUMBERS, "", "changed_by(a4)").contains("no answer to changed_by(a4)"));
    assert!(error(DOMAIN, NUMBERS, "a4", "true(f1)").contains("not executable"));
    assert!(error(DOMAIN, NUMBERS, "f1", "true(f1)").contains("no action"));
    assert!(error(DOMAIN, NUMBERS, "", "true(a1)").contains("unknown question"));
    assert!(error(DOMAIN, &format!("{LAWS} f1"), "", "true(f1)").contains("breaks a static law"));
    // a2 makes f2 false while f1 causes it: there is no such situation.
    let facts =
        LAWS.replace("precondition(a2,pre(a2),1) member(pre(a2),neg(f1))", "precondition(a2,pre(a2),0)");
    assert!(error(DOMAIN, &format!("{facts} f1 f2"), "a2", "true(f1)").contains("0 results"));
    // Two laws in a circle: f3 and f4 cause each other, so that after an action both or none are as they were.
    let circle = "
        fluent(f1) fluent(f3) fluent(f4) action(a1) precondition(a1,pre(a1),0) effect(a1,e(a1,1),neg(f3))
        effect(a1,c(a1,1),0) static_law(s(1),f4) member(s(1),f3) static_law(s(2),f3) member(s(2),f4) f3 f4";
    assert!(error(DOMAIN, circle, "a1", "true(f1)").contains("0 results"));
}
