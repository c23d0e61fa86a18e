//! Blocks: examples of section 10.4 and listing 1, and stacks small enough to be seen through.

use crate::naive::{successors, true_fluents};
use crate::worked::{Case, error, terms};

const DOMAIN: &str = "blocks";

/// Section 10.4: five blocks on the table, and a stack.
const ANIMALS: &str = "
    block(zebra) block(monkey) block(giraffe) block(lion) block(tiger) block(penguin) block(parrot) block(eagle)
    ontable(zebra) ontable(monkey) ontable(giraffe) ontable(lion) ontable(tiger)
    ontable(penguin) on(parrot,penguin) on(eagle,parrot)
    clear(zebra) clear(monkey) clear(giraffe) clear(lion) clear(tiger) clear(eagle)";

const CASES: &[Case] = &[
    // "Is block Lion empty? No."
    Case {
        name: "paper animals",
        facts: ANIMALS,
        plan: "move(eagle,lion)",
        answers: "clear(lion) = no\nclear(parrot) = yes\non(eagle,lion) = yes",
    },
    // "How many height at least 2 stacks are present? 2."
    Case {
        name: "paper animals",
        facts: ANIMALS,
        plan: "move(giraffe,tiger)",
        answers: "stacks_of_height(2) = 2\nstacks_of_height(3) = 1",
    },
    Case {
        name: "stacks",
        facts: ANIMALS,
        plan: "",
        answers: "
            stacks = 6
            tallest_stack = 3
            stack_height(penguin) = 3
            stack_height(lion) = 1
            above(eagle,penguin) = yes
            above(penguin,eagle) = no
            above(eagle,eagle) = no
            blocks_above(penguin) = eagle parrot
            blocks_below(parrot) = penguin
            blocks_above(zebra) = none
            how_many_above(parrot) = 1
            between(eagle,penguin) = parrot
            between(eagle,parrot) = none
            between(penguin,eagle) = none
            support(parrot) = penguin
            support(penguin) = table
            all_on_table = no",
    },
    Case {
        name: "stacks",
        facts: ANIMALS,
        plan: "move(eagle,table) move(parrot,table)",
        answers: "all_on_table = yes\ntallest_stack = 1",
    },
    Case {
        name: "automatic questions",
        facts: ANIMALS,
        plan: "",
        answers: "
            on(eagle,parrot) = yes
            on(eagle,penguin) = no
            on(eagle,eagle) = no
            which_on(block,parrot) = eagle
            which_on(parrot,block) = penguin
            which_on(block,eagle) = none
            which_clear(block) = eagle giraffe lion monkey tiger zebra
            count_ontable(block) = 6
            executable(move(eagle,zebra)) = yes
            executable(move(parrot,zebra)) = no
            executable(move(zebra,parrot)) = no
            executable(move(eagle,parrot)) = no
            executable(move(zebra,zebra)) = no
            executable(move(zebra,table)) = yes
            executable_actions = 36",
    },
    Case {
        name: "supposed actions",
        facts: ANIMALS,
        plan: "",
        answers: "
            changes(move(eagle,table),clear(parrot)) = yes
            changes(move(eagle,table),clear(eagle)) = no
            changes(move(zebra,table),ontable(zebra)) = no
            after(move(eagle,table),on(eagle,parrot)) = no
            after(move(eagle,table),after(move(parrot,table),stacks)) = 8
            after(move(eagle,table),executable(move(parrot,eagle))) = yes
            after(move(eagle,table),changes(move(parrot,eagle),clear(eagle))) = yes
            after(move(eagle,table),initially(clear(parrot))) = no",
    },
    Case {
        name: "supposed actions",
        facts: ANIMALS,
        plan: "move(eagle,table)",
        answers: "on(eagle,parrot) = no\ninitially(on(eagle,parrot)) = yes\ninitially(stacks) = 6\nstacks = 7",
    },
];

#[test]
fn answers() {
    CASES.iter().for_each(|case| case.check(DOMAIN));
}

#[test]
fn listing_1() {
    let facts = terms("block(b) block(a) ontable(b) on(a,b) clear(a)");
    assert_eq!(successors(DOMAIN, &facts, &[]).unwrap(), ["move(a,table)"]);
    let after = successors(DOMAIN, &facts, &terms("move(a,table)")).unwrap();
    assert_eq!(after, ["move(a,b)", "move(a,table)", "move(b,a)", "move(b,table)"]);
    assert_eq!(true_fluents(DOMAIN, &facts, &[]).unwrap(), ["clear(a)", "on(a,b)", "ontable(b)"]);
    let after = true_fluents(DOMAIN, &facts, &terms("move(a,table) move(b,a)")).unwrap();
    assert_eq!(after, ["clear(b)", "on(b,a)", "ontable(a)"]);
}

#[test]
fn errors() {
    assert!(error(DOMAIN, ANIMALS, "move(parrot,lion)", "stacks").contains("not executable"));
    assert!(error(DOMAIN, ANIMALS, "after(move(a,b),c)", "stacks").contains("no action"));
    assert!(error(DOMAIN, ANIMALS, "", "clear(dog)").contains("unknown question clear(dog)"));
    assert!(error(DOMAIN, ANIMALS, "", "executable(move(dog,table))").contains("no action"));
    assert!(error(DOMAIN, ANIMALS, "", "after(move(parrot,table),stacks)").contains("not executable"));
    assert!(error(DOMAIN, ANIMALS, "", "lowest(parrot)").contains("unknown question lowest(parrot)"));
    assert!(error(DOMAIN, ANIMALS, "", "which_on(block,block)").contains("unknown question"));
    assert!(error(DOMAIN, ANIMALS, "", "which_under(block,lion)").contains("unknown question"));
    assert!(error(DOMAIN, "block(a) block(b) on(a,b)", "", "stacks").contains("no place"));
    assert!(error(DOMAIN, "block(a) block(b) on(a,b) on(b,a)", "", "stacks").contains("no place"));
    assert!(error(DOMAIN, "block(a) block(b) ontable(a)", "", "stacks").contains("exactly one place"));
    assert!(
        error(DOMAIN, "block(a) block(b) ontable(a) ontable(b) on(a,b)", "", "stacks").contains("one place")
    );
    let false_clear = "block(a) block(b) ontable(a) on(b,a) clear(a)";
    assert!(error(DOMAIN, false_clear, "", "stacks").contains("contradict each other on clear(a)"));
    assert!(error("chess", ANIMALS, "", "stacks").contains("unknown domain"));
}
