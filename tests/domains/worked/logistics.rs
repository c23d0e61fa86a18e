//! Logistics: examples of sections 8 and 10.4, and what follows from them.

use crate::naive::successors;
use crate::worked::{Case, check, error, terms};

const DOMAIN: &str = "logistics";

/// Section 8.
const INDIA: &str = "
    city(delhi) city(uttarpradesh) city(rajasthan) city(jammu) city(kerala)
    location(market) location(industry) location(ground) location(fishery) location(airfield) location(depot)
    location(seaport) location(forestry)
    object(bricks) object(mirror) object(computers)
    truck(ashok) truck(tata) truck(general)
    airplane(dreamliner) airplane(boeing) airplane(cirrus)
    airport(market) airport(seaport) airport(industry) airport(ground)
    in_city(market,delhi) in_city(industry,delhi) in_city(ground,uttarpradesh) in_city(fishery,uttarpradesh)
    in_city(airfield,rajasthan) in_city(depot,rajasthan) in_city(seaport,jammu) in_city(forestry,kerala)
    at(bricks,market) at(mirror,industry) at(computers,ground)
    outside(bricks) outside(mirror) outside(computers)
    outside_at(bricks,market) outside_at(mirror,industry) outside_at(computers,ground)
    at(ashok,market) at(tata,industry) at(general,ground)
    at(dreamliner,market) at(boeing,seaport) at(cirrus,industry)";

/// Section 10.4.
const HOVER: &str = "
    city(dispur) city(nagaland) city(karnataka) city(gujarat)
    location(market) location(park) location(fishery) location(industry) location(seaport) location(forestry)
    location(ground)
    object(bricks) object(batteries) object(cement)
    truck(maruti) truck(diesel) truck(ashok) truck(hover) airplane(tejas) airplane(cirrus)
    airport(seaport) airport(ground)
    in_city(market,dispur) in_city(park,dispur) in_city(fishery,nagaland) in_city(industry,nagaland)
    in_city(seaport,nagaland) in_city(forestry,nagaland) in_city(ground,karnataka)
    at(bricks,market) at(batteries,park) at(maruti,market) at(diesel,park) at(hover,market)
    at(cement,fishery) at(ashok,fishery) at(tejas,seaport) at(cirrus,ground)";

const CASES: &[Case] = &[
    Case {
        name: "paper truck",
        facts: INDIA,
        plan: "drive_truck(tata,industry,market,delhi)",
        answers: "
            drivable(tata,market,seaport) = no
            executable(drive_truck(tata,market,industry,delhi)) = yes
            drivable(tata,market,industry) = yes
            loadable(mirror,tata) = no
            unloadable(tata) = no
            count_at(truck,market) = 2
            count_at(object,seaport) = 0
            which_at(tata,location) = market
            which_at(object,seaport) = none",
    },
    // The paper answers "no" to the third of these, though the computers and the airplane are both at the ground.
    Case {
        name: "paper airplane",
        facts: INDIA,
        plan: "fly_airplane(cirrus,industry,ground)",
        answers: "
            executable(fly_airplane(cirrus,ground,seaport)) = yes
            flyable(cirrus,ground,fishery) = no
            loadable(computers,cirrus) = yes
            count_at(airplane,forestry) = 0
            which_at(object,market) = bricks",
    },
    // A truck is added to the market, and another one drives about.
    Case {
        name: "paper hover",
        facts: HOVER,
        plan: "
            drive_truck(ashok,fishery,industry,nagaland) drive_truck(ashok,industry,seaport,nagaland)
            drive_truck(ashok,seaport,forestry,nagaland)",
        answers: "
            count_at(truck,market) = 2
            which_at(truck,market) = hover maruti
            which_at(ashok,location) = forestry
            any_truck_at(fishery) = no
            packages_within(gujarat) = none",
    },
    Case {
        name: "package inside",
        facts: INDIA,
        plan: "load_airplane(mirror,cirrus,industry) fly_airplane(cirrus,industry,ground)",
        answers: "
            at(mirror,ground) = yes
            at(mirror,industry) = no
            in(mirror,cirrus) = yes
            outside(mirror) = no
            outside_at(mirror,ground) = no
            which_in(mirror,airplane) = cirrus
            which_in(mirror,truck) = none
            which_in(object,cirrus) = mirror
            count_outside(object) = 2
            which_at(object,ground) = computers mirror
            together(mirror,computers) = yes
            together(mirror,cirrus) = yes
            together(mirror,ashok) = no
            beside(mirror) = computers
            most_packages = ground
            vehicle_of(mirror) = cirrus
            vehicle_of(bricks) = none
            loadable(mirror,general) = no
            loadable(computers,general) = yes
            loadable(general) = yes
            loadable(tata) = no
            unloadable(cirrus) = yes
            empty(cirrus) = no
            empty(boeing) = yes
            within(mirror,uttarpradesh) = yes
            within(cirrus,delhi) = no
            city_of(mirror) = uttarpradesh
            city_of(boeing) = jammu
            more_packages(uttarpradesh,delhi) = yes
            more_packages(delhi,uttarpradesh) = no
            more_packages(jammu,kerala) = no
            packages_in_city(uttarpradesh) = 2
            packages_within(uttarpradesh) = computers mirror
            packages_inside = 1
            packages_in_trucks = 0
            packages_in_airplanes = 1
            mostly_inside = no
            locations_with_package = 2
            which_vehicle_loadable(computers) = cirrus general
            which_package_loadable(cirrus) = computers
            loadable_packages(cirrus) = 1",
    },
    Case {
        name: "package unloaded",
        facts: INDIA,
        plan: "
            load_airplane(mirror,cirrus,industry) fly_airplane(cirrus,industry,ground)
            unload_airplane(mirror,cirrus,ground)",
        answers: "
            at(mirror,ground) = yes
            outside_at(mirror,ground) = yes
            in(mirror,cirrus) = no
            initially(at(mirror,industry)) = yes
            after(fly_airplane(cirrus,ground,market),at(mirror,ground)) = yes
            executable(load_truck(mirror,general,ground)) = yes
            executable(unload_airplane(mirror,cirrus,ground)) = no",
    },
    Case {
        name: "vehicles",
        facts: INDIA,
        plan: "",
        answers: "
            drivable_to(ashok,industry) = yes
            drivable_to(ashok,market) = no
            drivable_to(ashok,depot) = no
            flyable_to(dreamliner,industry) = yes
            flyable_to(dreamliner,market) = no
            flyable_to(dreamliner,depot) = no
            flyable(dreamliner,industry,market) = no
            any_package_at(market) = yes
            any_package_at(seaport) = no
            any_truck_at(seaport) = no
            airplanes_in_city(delhi) = 2
            airplanes_within(delhi) = cirrus dreamliner
            vehicles_at(market) = 2
            empty_trucks = 3
            empty_airplanes = 3
            which_trucks_empty = ashok general tata
            which_airplanes_empty = boeing cirrus dreamliner
            locations_without_vehicle = 4
            airports_without_airplane = ground
            transfer_points = industry market
            most_packages = ground industry market
            at(boeing,depot) = no
            which_at(airplane,depot) = none",
    },
    Case {
        name: "changes",
        facts: INDIA,
        plan: "",
        answers: "
            changes(load_truck(bricks,ashok,market),at(bricks,market)) = no
            changes(load_truck(bricks,ashok,market),outside(bricks)) = yes
            changes(load_truck(bricks,ashok,market),outside_at(bricks,market)) = yes
            after(load_truck(bricks,ashok,market),changes(drive_truck(ashok,market,industry,delhi),at(bricks,market))) = yes
            changes(drive_truck(ashok,market,industry,delhi),at(bricks,market)) = no",
    },
];

#[test]
fn answers() {
    CASES.iter().for_each(|case| case.check(DOMAIN));
}

#[test]
fn executable_actions() {
    // Bricks into ashok or dreamliner, mirror into tata or cirrus, computers into general; each truck to the one other
    // location of its city; each airplane to three other airports.
    let expected = terms(
        "drive_truck(ashok,market,industry,delhi) drive_truck(general,ground,fishery,uttarpradesh)
         drive_truck(tata,industry,market,delhi)
         fly_airplane(boeing,seaport,ground) fly_airplane(boeing,seaport,industry) fly_airplane(boeing,seaport,market)
         fly_airplane(cirrus,industry,ground) fly_airplane(cirrus,industry,market)
         fly_airplane(cirrus,industry,seaport)
         fly_airplane(dreamliner,market,ground) fly_airplane(dreamliner,market,industry)
         fly_airplane(dreamliner,market,seaport)
         load_airplane(bricks,dreamliner,market) load_airplane(mirror,cirrus,industry)
         load_truck(bricks,ashok,market) load_truck(computers,general,ground) load_truck(mirror,tata,industry)",
    );
    assert_eq!(successors(DOMAIN, &terms(INDIA), &[]).unwrap(), expected);
    check(DOMAIN, INDIA, "", "executable_actions = 17");
    // Inside the truck, the bricks can be unloaded, and no longer be loaded into the airplane.
    check(DOMAIN, INDIA, "load_truck(bricks,ashok,market)", "executable_actions = 16");
}

#[test]
fn errors() {
    let plan = "drive_truck(ashok,market,depot,delhi)";
    assert!(error(DOMAIN, INDIA, plan, "empty_trucks").contains("not executable"));
    let plan = "load_truck(bricks,ashok,market) load_airplane(bricks,dreamliner,market)";
    assert!(error(DOMAIN, INDIA, plan, "empty_trucks").contains("not executable"));
    assert!(error(DOMAIN, INDIA, "", "empty(bricks)").contains("unknown question"));
    assert!(error(DOMAIN, INDIA, "", "in(ashok,bricks)").contains("unknown question"));
    let twice = format!("{INDIA} at(ashok,depot)");
    assert!(error(DOMAIN, &twice, "", "empty_trucks").contains("contradict"));
    let both = format!("{INDIA} in(bricks,ashok)");
    assert!(error(DOMAIN, &both, "", "empty_trucks").contains("contradict"));
}
