//! Dock-worker robots: examples of sections 8 and 10.4 and of figure 1, and what follows from them.

use crate::naive::{successors, true_fluents};
use crate::worked::{Case, check, error, terms};

const DOMAIN: &str = "dwr";

/// Section 8, with the two robots changed about: in the paper r10 is at the fishery, out of reach for crane7, which
/// yet loads it.
const HARBOR: &str = "
    location(fishery) location(airfield) robot(robot3) robot(r10) crane(crane9) crane(crane7) pile(pile9) pile(pile12)
    container(seashell) container(moccasin)
    adjacent(fishery,airfield) adjacent(airfield,fishery)
    attached(pile9,fishery) attached(pile12,airfield) belong(crane9,fishery) belong(crane7,airfield)
    at(robot3,fishery) at(r10,airfield) occupied(fishery) occupied(airfield) unloaded(robot3) unloaded(r10)
    empty(crane9) empty(crane7) in(seashell,pile12) in(moccasin,pile12) on(seashell,moccasin) top(seashell,pile12)";

const PICK_AND_LOAD: &str = "take(seashell,crane7,pile12) load(seashell,crane7,r10)";

/// Section 10.4.
const CAMPUS: &str = "
    location(teaching_building) location(office) location(library) robot(bob) robot(jame)
    crane(mary) crane(patricia) crane(jennifer) pile(pile_10) pile(pile_1) pile(p4)
    container(container1) container(container2)
    belong(mary,teaching_building) belong(patricia,library) belong(jennifer,office)
    at(bob,library) at(jame,teaching_building) unloaded(bob) unloaded(jame)
    empty(mary) empty(patricia) empty(jennifer)
    in(container1,pile_1) in(container2,p4) top(container1,pile_1) top(container2,p4)
    adjacent(teaching_building,library) adjacent(library,office)
    attached(pile_10,teaching_building) attached(pile_1,library) attached(p4,office)";

/// Figure 1 has a crane k1, robot r1, containers c1 and c2, and location p11; the rest is made up.
const FIGURE: &str = "
    location(l1) location(l2) adjacent(l1,l2) adjacent(l2,l1) crane(k1) belong(k1,l1) robot(r1) at(r1,l1) occupied(l1)
    pile(p11) pile(p12) pile(p21) attached(p11,l1) attached(p12,l1) attached(p21,l2)
    container(c1) container(c2) container(c3)
    in(c1,p11) in(c3,p11) on(c3,c1) top(c3,p11) in(c2,p12) top(c2,p12) unloaded(r1) empty(k1)";

const CASES: &[Case] = &[
    // "Is the robot r1 unloaded? True." "If k1 stacks c2 over [another one], is the height of the stack 2? True."
    Case { name: "figure", facts: FIGURE, plan: "", answers: "unloaded(r1) = yes" },
    Case {
        name: "figure",
        facts: FIGURE,
        plan: "take(c3,k1,p11) load(c3,k1,r1) take(c2,k1,p12) putdown(c2,k1,p11)",
        answers: "
            height_is(p11,2) = yes
            height_is(p11,1) = no
            height_is(p12,1) = no
            on(c2,c1) = yes
            top(c2,p11) = yes
            top(c1,p11) = no
            is_empty(p12) = yes
            loaded(r1,c3) = yes
            place_of(c3) = r1
            place_of(c2) = p11
            location_of(c3) = l1
            after(move(r1,l1,l2),location_of(c3)) = l2
            after(move(r1,l1,l2),same_location(c2,c3)) = no
            same_location(c2,c3) = yes
            same_pile(c1,c2) = yes
            same_pile(c1,c3) = no",
    },
    Case {
        name: "piles",
        facts: FIGURE,
        plan: "take(c2,k1,p12) putdown(c2,k1,p11)",
        answers: "
            above(c2,c1) = yes
            above(c3,c1) = yes
            above(c1,c2) = no
            on(c2,c1) = no
            which_on(container,c1) = c3
            which_on(c2,container) = c3
            which_in(container,p11) = c1 c2 c3
            which_in(c1,pile) = p11
            which_top(c1,pile) = none
            containers_above(c1) = c2 c3
            containers_below(c1) = none
            containers_below(c2) = c1 c3
            how_many_above(c3) = 1
            how_many_below(c2) = 2
            lowest(p11) = c1
            lowest(p12) = none
            tallest_stack = 3
            tall_piles = 1
            piles_empty = 2
            which_piles_empty = p12 p21
            containers_in_piles = 3
            any_container_at(l1) = yes
            any_container_at(l2) = no
            containers_at(l1) = c1 c2 c3
            how_many_containers_at(l2) = 0
            initially(tallest_stack) = 2",
    },
    Case {
        name: "cranes",
        facts: FIGURE,
        plan: "",
        answers: "
            can_pick_up(k1,c3) = yes
            can_pick_up(k1,c1) = no
            which_can_be_picked_up(k1) = c2 c3
            can_load(c3,r1) = no
            crane_actions(k1) = 2
            executable(take(c3,k1,p12)) = no
            executable(take(c3,k1,p21)) = no
            executable_actions = 3",
    },
    Case {
        name: "cranes",
        facts: FIGURE,
        plan: "take(c3,k1,p11)",
        answers: "
            holding(k1,c3) = yes
            which_holding(crane,c3) = k1
            place_of(c3) = k1
            in(c3,p11) = no
            on(c3,c1) = no
            top(c1,p11) = yes
            can_pick_up(k1,c2) = no
            can_load(c3,r1) = yes
            crane_actions(k1) = 3
            which_cranes_not_empty = k1
            cranes_not_empty = 1
            containers_in_piles = 2
            executable(putdown(c3,k1,p21)) = no
            executable(putdown(c2,k1,p11)) = no
            after(move(r1,l1,l2),can_load(c3,r1)) = no
            executable_actions = 4",
    },
    Case {
        name: "cranes",
        facts: FIGURE,
        plan: "take(c3,k1,p11) load(c3,k1,r1)",
        answers: "
            which_robots_loaded = r1
            robots_loaded = 1
            executable(unload(c3,k1,r1)) = yes
            executable(unload(c2,k1,r1)) = no
            changes(unload(c3,k1,r1),unloaded(r1)) = yes
            crane_actions(k1) = 3
            after(take(c2,k1,p12),crane_actions(k1)) = 2
            after(take(c2,k1,p12),can_load(c2,r1)) = no
            after(move(r1,l1,l2),executable(unload(c3,k1,r1))) = no",
    },
];

#[test]
fn answers() {
    CASES.iter().for_each(|case| case.check(DOMAIN));
}

#[test]
fn paper_harbor() {
    let questions = "
        loaded(r10,moccasin) = no
        top(moccasin,pile12) = yes
        count_unloaded(robot) = 1
        cranes_not_empty = 0
        which_top(container,pile12) = moccasin";
    check(DOMAIN, HARBOR, PICK_AND_LOAD, questions);
    let as_printed =
        HARBOR.replace("at(robot3,fishery) at(r10,airfield)", "at(robot3,airfield) at(r10,fishery)");
    assert!(error(DOMAIN, &as_printed, PICK_AND_LOAD, "cranes_not_empty").contains("not executable"));
}

#[test]
fn paper_campus() {
    check(
        DOMAIN,
        CAMPUS,
        "take(container1,patricia,pile_1)",
        "empty(patricia) = no\ncount_in(container,pile_1) = 0",
    );
    // "Bob moves to library. How many containers are in pile_1? 1." Bob is there already, so he has to leave first.
    let plan = "move(bob,library,office) move(bob,office,library)";
    check(DOMAIN, CAMPUS, plan, "count_in(container,pile_1) = 1\nat(bob,library) = yes");
    assert!(error(DOMAIN, CAMPUS, "move(bob,library,library)", "tall_piles").contains("not executable"));
    let questions = "
        executable(move(bob,library,office)) = yes
        executable(move(bob,office,library)) = no
        executable(move(bob,library,teaching_building)) = no
        executable(move(jame,teaching_building,office)) = no
        can_move(bob) = yes
        can_move(jame) = no
        which_moves(bob) = office
        which_moves(jame) = none
        how_many_moves(bob) = 1
        occupied(office) = no
        which_occupied(location) = library teaching_building
        locations_free = 1
        which_locations_free = office
        after(move(bob,library,office),which_moves(jame)) = library
        after(move(bob,library,office),after(move(jame,teaching_building,library),can_move(bob))) = no
        changes(move(bob,library,office),occupied(library)) = yes
        executable_actions = 3";
    check(DOMAIN, CAMPUS, "", questions);
}

#[test]
fn successors_and_fluents() {
    let facts = terms(FIGURE);
    let expected = ["move(r1,l1,l2)", "take(c2,k1,p12)", "take(c3,k1,p11)"];
    assert_eq!(successors(DOMAIN, &facts, &[]).unwrap(), expected);
    let expected = ["load(c3,k1,r1)", "move(r1,l1,l2)", "putdown(c3,k1,p11)", "putdown(c3,k1,p12)"];
    assert_eq!(successors(DOMAIN, &facts, &terms("take(c3,k1,p11)")).unwrap(), expected);
    let expected =
        terms("at(r1,l2) empty(k1) in(c1,p11) in(c2,p11) loaded(r1,c3) occupied(l2) on(c2,c1) top(c2,p11)");
    let plan = "take(c3,k1,p11) load(c3,k1,r1) move(r1,l1,l2) take(c2,k1,p12) putdown(c2,k1,p11)";
    assert_eq!(true_fluents(DOMAIN, &facts, &terms(plan)).unwrap(), expected);
    // All fluents that the facts give, and no others, are true at first.
    let listed = terms(HARBOR).into_iter().rev().take(12).collect::<std::collections::BTreeSet<String>>();
    assert_eq!(true_fluents(DOMAIN, &terms(HARBOR), &[]).unwrap(), listed.into_iter().collect::<Vec<_>>());
}

#[test]
fn errors() {
    assert!(error(DOMAIN, FIGURE, "take(c1,k1,p11)", "tall_piles").contains("not executable"));
    assert!(
        error(DOMAIN, FIGURE, "take(c3,k1,p11) take(c2,k1,p12)", "tall_piles").contains("not executable")
    );
    assert!(error(DOMAIN, FIGURE, "", "height_is(p11,c1)").contains("unknown question"));
    assert!(error(DOMAIN, FIGURE, "", "is_empty(c1)").contains("unknown question"));
    assert!(error(DOMAIN, &format!("{FIGURE} holding(k1,c2)"), "", "tall_piles").contains("contradict"));
    assert!(error(DOMAIN, &FIGURE.replace("on(c3,c1)", ""), "", "tall_piles").contains("no single stack"));
    assert!(
        error(DOMAIN, &FIGURE.replace("on(c3,c1)", "on(c3,c1) on(c1,c3)"), "", "tall_piles")
            .contains("itself")
    );
    assert!(
        error(DOMAIN, &FIGURE.replace("top(c3,p11)", "top(c1,p11)"), "", "tall_piles")
            .contains("top(c1,p11)")
    );
    assert!(error(DOMAIN, &format!("{FIGURE} robot(r2) at(r2,l1)"), "", "tall_piles").contains("two robots"));
    assert!(error(DOMAIN, &format!("{FIGURE} wet(l1)"), "", "tall_piles").contains("unknown fact"));
}
