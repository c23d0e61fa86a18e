//! Drivers and trucks: a driver is on foot or in a cab, a package on the ground or in a truck. Drivers walk along footpaths,
//! trucks with a driver are driven along roads, and packages are loaded and unloaded where trucks are.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World};

/// Where a driver or a package is.
#[derive(Clone, PartialEq)]
enum Place {
    Ground(String),
    Truck(String),
}

#[derive(Clone)]
pub struct Driverlog {
    objects: Objects,
    roads: BTreeSet<(String, String)>,
    footpaths: BTreeSet<(String, String)>,
    trucks: BTreeMap<String, String>,
    /// Drivers and packages.
    things: BTreeMap<String, Place>,
}

impl Driverlog {
    /// The truck that someone or something is in.
    fn truck(&self, thing: &str) -> Option<&str> {
        match &self.things[thing] {
            Place::Truck(truck) => Some(truck),
            Place::Ground(_) => None,
        }
    }

    /// Where someone or something is, in a truck or not.
    fn place(&self, thing: &str) -> &str {
        match &self.things[thing] {
            Place::Truck(truck) => &self.trucks[truck],
            Place::Ground(place) => place,
        }
    }

    fn grounded(&self, thing: &str, place: &str) -> bool {
        self.things[thing] == Place::Ground(place.to_owned())
    }

    /// Is there a driver in the truck?
    fn manned(&self, truck: &str) -> bool {
        !self.those("driver", |driver| self.truck(driver) == Some(truck)).is_empty()
    }

    fn walks(&self, driver: &str, to: &str) -> bool {
        self.truck(driver).is_none()
            && self.footpaths.contains(&(self.place(driver).to_owned(), to.to_owned()))
    }

    fn drives(&self, truck: &str, to: &str) -> bool {
        self.manned(truck) && self.roads.contains(&(self.trucks[truck].clone(), to.to_owned()))
    }

    fn boards(&self, driver: &str, truck: &str) -> bool {
        self.grounded(driver, &self.trucks[truck]) && !self.manned(truck)
    }

    fn loads(&self, package: &str, truck: &str) -> bool {
        self.grounded(package, &self.trucks[truck])
    }

    fn packages_at(&self, place: &str) -> usize {
        self.those("package", |package| self.place(package) == place).len()
    }

    fn shares(&self, driver: &str, package: &str) -> bool {
        self.truck(driver).is_some() && self.truck(driver) == self.truck(package)
    }

    fn without_truck(&self, place: &str) -> bool {
        !self.trucks.values().any(|here| here == place)
    }
}

impl World for Driverlog {
    const TYPES: &'static [&'static str] = &["place", "driver", "truck", "package"];
    const FLUENTS: &'static [&'static str] = &[
        "parked(truck,place)",
        "walks(driver,place)",
        "drives(driver,truck)",
        "lies(package,place)",
        "in(package,truck)",
        "at(driver,place)",
        "at(package,place)",
        "manned(truck)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "walk(driver,place)",
        "board(driver,truck)",
        "alight(driver)",
        "drive(truck,place)",
        "load(package,truck)",
        "unload(package)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "drivable(truck)",
        "boards_any(driver)",
        "loadable_any(package)",
        "together(package,package)",
        "meets(driver,package)",
        "near_truck(driver,truck)",
        "carried_by(package,driver)",
        "drives_to(driver,place)",
        "one_drive_away(package,place)",
        "any_package_at(place)",
        "any_driver_at(place)",
        "more_at(place,place)",
        "mostly_inside",
        "packages_inside",
        "drivers_on_foot",
        "packages_manned",
        "how_many_drives(truck)",
        "how_many_walks(driver)",
        "how_many_loads(truck)",
        "places_without_truck",
        "places_with_package",
        "load_of(driver)",
        "beside(package)",
        "fellow(package)",
        "which_drives(truck)",
        "which_walks(driver)",
        "which_loads(truck)",
        "which_trucks_with(package)",
        "which_carried_by(driver)",
        "driver_of(package)",
        "which_boards(truck)",
        "which_places_without_truck",
        "which_inside",
        "most_packages",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world = Driverlog {
            objects,
            roads: BTreeSet::new(),
            footpaths: BTreeSet::new(),
            trucks: BTreeMap::new(),
            things: BTreeMap::new(),
        };
        for fact in facts {
            let pair = || (fact[1].to_owned(), fact[2].to_owned());
            match fact.as_slice() {
                ["road", _, _] => drop(world.roads.insert(pair())),
                ["footpath", _, _] => drop(world.footpaths.insert(pair())),
                ["parked", truck, place] => {
                    world.trucks.insert((*truck).to_owned(), (*place).to_owned());
                }
                ["walks" | "lies", thing, place] => {
                    world.things.insert((*thing).to_owned(), Place::Ground((*place).to_owned()));
                }
                ["drives" | "in", thing, truck] => {
                    world.things.insert((*thing).to_owned(), Place::Truck((*truck).to_owned()));
                }
                ["at", _, _] | ["manned", _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        for ways in [&world.roads, &world.footpaths] {
            if ways.iter().any(|(one, other)| !ways.contains(&(other.clone(), one.clone()))) {
                return Err("a way leads in one direction only".to_owned());
            }
        }
        if let Some(truck) = world.objects.of("truck").iter().find(|truck| !world.trucks.contains_key(*truck))
        {
            return Err(format!("{truck} is nowhere"));
        }
        let mut things = world.objects.of("driver");
        things.extend(world.objects.of("package"));
        match things.iter().find(|thing| !world.things.contains_key(*thing)) {
            Some(thing) => Err(format!("{thing} has no place")),
            None => Ok(world),
        }
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["parked", truck, place] => self.trucks[*truck] == *place,
            ["walks" | "lies", thing, place] => self.grounded(thing, place),
            ["drives" | "in", thing, truck] => self.truck(thing) == Some(truck),
            ["at", thing, place] => self.place(thing) == *place,
            ["manned", truck] => self.manned(truck),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["walk", driver, place] => self.walks(driver, place),
            ["board", driver, truck] => self.boards(driver, truck),
            ["alight", thing] | ["unload", thing] => self.truck(thing).is_some(),
            ["drive", truck, place] => self.drives(truck, place),
            ["load", package, truck] => self.loads(package, truck),
            _ => panic!("no action {action:?}"),
        }
    }

    /// A place with one road only leaves a drive to it two conditions; what several facts can each bring about is not among
    /// them.
    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        let ["drive", truck, place] = action else { return vec![] };
        let from: Vec<&String> =
            self.roads.iter().filter(|(_, to)| to == place).map(|(from, _)| from).collect();
        match from.as_slice() {
            [only] => vec![(format!("manned({truck})"), true), (format!("parked({truck},{only})"), true)],
            _ => vec![],
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["walk", driver, place] => {
                self.things.insert((*driver).to_owned(), Place::Ground((*place).to_owned()));
            }
            ["board", thing, truck] | ["load", thing, truck] => {
                self.things.insert((*thing).to_owned(), Place::Truck((*truck).to_owned()));
            }
            ["alight", thing] | ["unload", thing] => {
                let ground = Place::Ground(self.place(thing).to_owned());
                self.things.insert((*thing).to_owned(), ground);
            }
            ["drive", truck, place] => {
                self.trucks.insert((*truck).to_owned(), (*place).to_owned());
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let inside = self.those("package", |package| self.truck(package).is_some());
        let packages = self.objects.of("package").len();
        Some(match question {
            ["drivable", truck] => self.any("place", |place| self.drives(truck, place)),
            ["boards_any", driver] => self.any("truck", |truck| self.boards(driver, truck)),
            ["loadable_any", package] => self.any("truck", |truck| self.loads(package, truck)),
            ["together", one, other] | ["meets", one, other] => {
                Answer::Truth(self.place(one) == self.place(other))
            }
            ["near_truck", driver, truck] => Answer::Truth(self.place(driver) == self.trucks[*truck]),
            ["carried_by", package, driver] => Answer::Truth(self.shares(driver, package)),
            ["drives_to", thing, place] | ["one_drive_away", thing, place] => {
                Answer::Truth(self.truck(thing).is_some_and(|truck| self.drives(truck, place)))
            }
            ["any_package_at", place] => Answer::Truth(self.packages_at(place) > 0),
            ["any_driver_at", place] => self.any("driver", |driver| self.place(driver) == *place),
            ["more_at", one, other] => Answer::Truth(self.packages_at(one) > self.packages_at(other)),
            ["mostly_inside"] => Answer::Truth(inside.len() > packages - inside.len()),
            ["packages_inside"] => Answer::Number(inside.len()),
            ["drivers_on_foot"] => self.number("driver", |driver| self.truck(driver).is_none()),
            ["packages_manned"] => {
                self.number("package", |package| self.truck(package).is_some_and(|truck| self.manned(truck)))
            }
            ["how_many_drives", truck] => self.number("place", |place| self.drives(truck, place)),
            ["how_many_walks", driver] => self.number("place", |place| self.walks(driver, place)),
            ["how_many_loads", truck] => self.number("package", |package| self.loads(package, truck)),
            ["places_without_truck"] => self.number("place", |place| self.without_truck(place)),
            ["places_with_package"] => self.number("place", |place| self.packages_at(place) > 0),
            ["load_of", driver] => self.number("package", |package| self.shares(driver, package)),
            ["beside", package] => {
                self.which("package", |other| other != *package && self.place(other) == self.place(package))
            }
            ["fellow", package] => self.which("package", |other| {
                other != *package && self.truck(package).is_some() && self.truck(other) == self.truck(package)
            }),
            ["which_drives", truck] => self.which("place", |place| self.drives(truck, place)),
            ["which_walks", driver] => self.which("place", |place| self.walks(driver, place)),
            ["which_loads", truck] => self.which("package", |package| self.loads(package, truck)),
            ["which_trucks_with", package] => {
                self.which("truck", |truck| self.trucks[truck] == self.place(package))
            }
            ["which_carried_by", driver] => self.which("package", |package| self.shares(driver, package)),
            ["driver_of", package] => self.which("driver", |driver| self.shares(driver, package)),
            ["which_boards", truck] => self.which("driver", |driver| self.boards(driver, truck)),
            ["which_places_without_truck"] => self.which("place", |place| self.without_truck(place)),
            ["which_inside"] => Answer::Names(inside),
            ["most_packages"] => self.which("place", |place| {
                let all = self.objects.of("place");
                all.iter().all(|other| self.packages_at(place) >= self.packages_at(other))
            }),
            _ => return None,
        })
    }
}
