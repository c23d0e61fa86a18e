//! Logistics (section 2.2): "A package can be loaded to a truck (or an airplane) if the former is at the same location
//! as the latter. Once a package is loaded into a truck (or an airplane), it is inside the truck (the airplane). [...]
//! Once unloaded, it is at the same location of the truck (the airplane). A truck can move from one location to another
//! location within a city. An airplane can fly from one airport to another airport." Listing 4 adds that a package to
//! be loaded is outside.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World};

#[derive(Clone)]
enum Place {
    Outside { location: String },
    Inside { vehicle: String },
}

#[derive(Clone)]
pub struct Logistics {
    objects: Objects,
    city_of_location: BTreeMap<String, String>,
    airports: BTreeSet<String>,
    vehicles: BTreeMap<String, String>,
    packages: BTreeMap<String, Place>,
}

impl Logistics {
    /// The location of a truck, an airplane or a package; a package inside a vehicle is where the vehicle is.
    fn location(&self, thing: &str) -> &str {
        match self.packages.get(thing) {
            Some(Place::Outside { location }) => location,
            Some(Place::Inside { vehicle }) => &self.vehicles[vehicle],
            None => &self.vehicles[thing],
        }
    }

    fn city(&self, thing: &str) -> &str {
        &self.city_of_location[self.location(thing)]
    }

    fn inside(&self, package: &str, vehicle: &str) -> bool {
        matches!(&self.packages[package], Place::Inside { vehicle: v } if v == vehicle)
    }

    fn outside(&self, package: &str) -> bool {
        matches!(&self.packages[package], Place::Outside { .. })
    }

    fn is_airport(&self, location: &str) -> bool {
        self.airports.contains(location)
    }

    fn empty(&self, vehicle: &str) -> bool {
        !self.objects.of("object").iter().any(|o| self.inside(o, vehicle))
    }

    /// Can the package be loaded into the vehicle, wherever that is?
    fn loadable(&self, package: &str, vehicle: &str) -> bool {
        self.outside(package) && self.location(package) == self.location(vehicle)
    }

    fn drivable(&self, truck: &str, from: &str, to: &str) -> bool {
        self.location(truck) == from && from != to && self.city_of_location[from] == self.city_of_location[to]
    }

    fn flyable(&self, airplane: &str, from: &str, to: &str) -> bool {
        self.location(airplane) == from && from != to && self.is_airport(from) && self.is_airport(to)
    }

    /// The objects of a type for which something is so.
    fn some(&self, kind: &str, so: impl Fn(&str) -> bool) -> Answer {
        Answer::Truth(!self.those(kind, so).is_empty())
    }

    fn how_many(&self, kind: &str, so: impl Fn(&str) -> bool) -> Answer {
        Answer::Number(self.those(kind, so).len())
    }

    fn packages_at(&self, location: &str) -> usize {
        self.those("object", |o| self.location(o) == location).len()
    }

    fn packages_in_city(&self, city: &str) -> usize {
        self.those("object", |o| self.city(o) == city).len()
    }
}

impl World for Logistics {
    /// `vehicle` is no type of the package; trucks and airplanes are added to it here.
    const TYPES: &'static [&'static str] = &["city", "location", "truck", "airplane", "object", "vehicle"];
    const FLUENTS: &'static [&'static str] = &[
        "at(object,location)",
        "at(truck,location)",
        "at(airplane,location)",
        "in(object,truck)",
        "in(object,airplane)",
        "outside(object)",
        "outside_at(object,location)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "load_truck(object,truck,location)",
        "load_airplane(object,airplane,location)",
        "unload_truck(object,truck,location)",
        "unload_airplane(object,airplane,location)",
        "drive_truck(truck,location,location,city)",
        "fly_airplane(airplane,location,location)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "drivable(truck,location,location)",
        "drivable_to(truck,location)",
        "flyable(airplane,location,location)",
        "flyable_to(airplane,location)",
        "loadable(object,vehicle)",
        "loadable(vehicle)",
        "unloadable(vehicle)",
        "empty(vehicle)",
        "any_package_at(location)",
        "any_truck_at(location)",
        "together(object,vehicle)",
        "together(object,object)",
        "within(object,city)",
        "within(vehicle,city)",
        "mostly_inside",
        "more_packages(city,city)",
        "packages_inside",
        "packages_in_trucks",
        "packages_in_airplanes",
        "packages_in_city(city)",
        "airplanes_in_city(city)",
        "vehicles_at(location)",
        "empty_trucks",
        "empty_airplanes",
        "loadable_packages(vehicle)",
        "locations_with_package",
        "locations_without_vehicle",
        "vehicle_of(object)",
        "city_of(object)",
        "city_of(vehicle)",
        "packages_within(city)",
        "airplanes_within(city)",
        "beside(object)",
        "which_vehicle_loadable(object)",
        "which_package_loadable(vehicle)",
        "which_trucks_empty",
        "which_airplanes_empty",
        "airports_without_airplane",
        "most_packages",
        "transfer_points",
    ];

    fn read(mut objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut vehicles = objects.of("truck");
        vehicles.extend(objects.of("airplane"));
        objects.0.insert("vehicle".to_owned(), vehicles);

        let mut world = Logistics {
            objects,
            city_of_location: BTreeMap::new(),
            airports: BTreeSet::new(),
            vehicles: BTreeMap::new(),
            packages: BTreeMap::new(),
        };
        // Where packages outside are is known only after it is known which ones are inside.
        for fact in facts {
            if let ["in", package, vehicle] = fact.as_slice() {
                let place = Place::Inside { vehicle: (*vehicle).to_owned() };
                world.packages.insert((*package).to_owned(), place);
            }
        }
        for fact in facts {
            match fact.as_slice() {
                ["in_city", location, city] => {
                    let before = world.city_of_location.insert((*location).to_owned(), (*city).to_owned());
                    if before.is_some_and(|before| before != *city) {
                        return Err(format!("{location} is in two cities"));
                    }
                }
                ["airport", location] => {
                    world.airports.insert((*location).to_owned());
                }
                ["at", vehicle, location] if world.objects.is(vehicle, "vehicle") => {
                    world.vehicles.insert((*vehicle).to_owned(), (*location).to_owned());
                }
                ["at" | "outside_at", package, location] if !world.packages.contains_key(*package) => {
                    let place = Place::Outside { location: (*location).to_owned() };
                    world.packages.insert((*package).to_owned(), place);
                }
                ["at" | "outside_at", _, _] | ["in", _, _] | ["outside", _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }

        for location in world.objects.of("location") {
            if !world.city_of_location.get(&location).is_some_and(|city| world.objects.is(city, "city")) {
                return Err(format!("{location} is in no city"));
            }
        }
        for vehicle in world.objects.of("vehicle") {
            if !world.vehicles.get(&vehicle).is_some_and(|l| world.objects.is(l, "location")) {
                return Err(format!("{vehicle} is at no location"));
            }
        }
        for airplane in world.objects.of("airplane") {
            if !world.is_airport(world.location(&airplane)) {
                return Err(format!("{airplane} is not at an airport"));
            }
        }
        for package in world.objects.of("object") {
            let placed = match world.packages.get(&package) {
                Some(Place::Outside { location }) => world.objects.is(location, "location"),
                Some(Place::Inside { vehicle }) => world.objects.is(vehicle, "vehicle"),
                None => false,
            };
            if !placed {
                return Err(format!("{package} has no place"));
            }
        }
        Ok(world)
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["at", thing, location] => self.location(thing) == *location,
            ["in", package, vehicle] => self.inside(package, vehicle),
            ["outside", package] => self.outside(package),
            ["outside_at", package, location] => self.outside(package) && self.location(package) == *location,
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        let all = match action {
            ["load_truck" | "load_airplane", package, vehicle, place] => {
                vec![format!("outside_at({package},{place})"), format!("at({vehicle},{place})")]
            }
            ["unload_truck" | "unload_airplane", package, vehicle, place] => {
                vec![format!("in({package},{vehicle})"), format!("at({vehicle},{place})")]
            }
            [_, vehicle, from, ..] => vec![format!("at({vehicle},{from})")],
            _ => vec![],
        };
        all.into_iter().map(|fact| (fact, true)).collect()
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["load_truck" | "load_airplane", package, vehicle, location] => {
                self.outside(package)
                    && self.location(package) == *location
                    && self.location(vehicle) == *location
            }
            ["unload_truck" | "unload_airplane", package, vehicle, location] => {
                self.inside(package, vehicle) && self.location(vehicle) == *location
            }
            ["drive_truck", truck, from, to, city] => {
                self.drivable(truck, from, to) && self.city_of_location[*from] == *city
            }
            ["fly_airplane", airplane, from, to] => self.flyable(airplane, from, to),
            _ => panic!("no action {action:?}"),
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["load_truck" | "load_airplane", package, vehicle, _] => {
                let place = Place::Inside { vehicle: (*vehicle).to_owned() };
                self.packages.insert((*package).to_owned(), place);
            }
            ["unload_truck" | "unload_airplane", package, vehicle, _] => {
                let place = Place::Outside { location: self.location(vehicle).to_owned() };
                self.packages.insert((*package).to_owned(), place);
            }
            ["drive_truck", vehicle, _, to, _] | ["fly_airplane", vehicle, _, to] => {
                self.vehicles.insert((*vehicle).to_owned(), (*to).to_owned());
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        Some(match question {
            // Can the truck be driven, the airplane be flown from one location to another?
            ["drivable", truck, from, to] => Answer::Truth(self.drivable(truck, from, to)),
            ["flyable", airplane, from, to] => Answer::Truth(self.flyable(airplane, from, to)),
            // ... from where it is to the location, in a single action?
            ["drivable_to", truck, to] => Answer::Truth(self.drivable(truck, self.location(truck), to)),
            ["flyable_to", airplane, to] => {
                Answer::Truth(self.flyable(airplane, self.location(airplane), to))
            }
            // Can the package, can any package be loaded into the vehicle?
            ["loadable", package, vehicle] => Answer::Truth(self.loadable(package, vehicle)),
            ["loadable", vehicle] => self.some("object", |o| self.loadable(o, vehicle)),
            // Can any package be unloaded from the vehicle? Is there no package inside it?
            ["unloadable", vehicle] => self.some("object", |o| self.inside(o, vehicle)),
            ["empty", vehicle] => Answer::Truth(self.empty(vehicle)),
            // Is there any package, inside vehicles or outside, is there any truck at the location?
            ["any_package_at", location] => self.some("object", |o| self.location(o) == *location),
            ["any_truck_at", location] => self.some("truck", |t| self.location(t) == *location),
            // Are the two at the same location?
            ["together", one, other] => Answer::Truth(self.location(one) == self.location(other)),
            // Is it at a location in the city?
            ["within", thing, city] => Answer::Truth(self.city(thing) == *city),
            // Are there more packages inside vehicles than outside all vehicles?
            ["mostly_inside"] => {
                let outside = self.those("object", |o| self.outside(o)).len();
                let inside = self.those("object", |o| !self.outside(o)).len();
                Answer::Truth(inside > outside)
            }
            // Are there more packages in one city than in the other?
            ["more_packages", one, other] => {
                Answer::Truth(self.packages_in_city(one) > self.packages_in_city(other))
            }
            // How many packages are inside a vehicle, a truck, an airplane?
            ["packages_inside"] => self.how_many("object", |o| !self.outside(o)),
            ["packages_in_trucks"] => self.how_many("object", |o| {
                self.objects.of("truck").iter().any(|vehicle| self.inside(o, vehicle))
            }),
            ["packages_in_airplanes"] => self.how_many("object", |o| {
                self.objects.of("airplane").iter().any(|vehicle| self.inside(o, vehicle))
            }),
            // How many packages, how many airplanes are in the city?
            ["packages_in_city", city] => Answer::Number(self.packages_in_city(city)),
            ["airplanes_in_city", city] => self.how_many("airplane", |a| self.city(a) == *city),
            // How many trucks and airplanes are at the location?
            ["vehicles_at", location] => self.how_many("vehicle", |v| self.location(v) == *location),
            // How many trucks, how many airplanes have no package inside?
            ["empty_trucks"] => self.how_many("truck", |t| self.empty(t)),
            ["empty_airplanes"] => self.how_many("airplane", |a| self.empty(a)),
            // How many packages are outside all vehicles at the location of the vehicle?
            ["loadable_packages", vehicle] => self.how_many("object", |o| self.loadable(o, vehicle)),
            // How many locations have a package, inside a vehicle or outside? How many have no vehicle?
            ["locations_with_package"] => self.how_many("location", |l| self.packages_at(l) > 0),
            ["locations_without_vehicle"] => {
                self.how_many("location", |l| self.those("vehicle", |v| self.location(v) == l).is_empty())
            }
            // Which vehicle is the package inside? In which city is it?
            ["vehicle_of", package] => self.which("vehicle", |v| self.inside(package, v)),
            ["city_of", thing] => Answer::Names(vec![self.city(thing).to_owned()]),
            // Which packages, which airplanes are in the city?
            ["packages_within", city] => self.which("object", |o| self.city(o) == *city),
            ["airplanes_within", city] => self.which("airplane", |a| self.city(a) == *city),
            // Which other packages are where the package is?
            ["beside", package] => {
                self.which("object", |o| o != *package && self.location(o) == self.location(package))
            }
            // Into which vehicles can the package be loaded, which packages can be loaded into the vehicle?
            ["which_vehicle_loadable", package] => self.which("vehicle", |v| self.loadable(package, v)),
            ["which_package_loadable", vehicle] => self.which("object", |o| self.loadable(o, vehicle)),
            // Which trucks, which airplanes have no package inside?
            ["which_trucks_empty"] => self.which("truck", |t| self.empty(t)),
            ["which_airplanes_empty"] => self.which("airplane", |a| self.empty(a)),
            // Which locations with an airport have no airplane?
            ["airports_without_airplane"] => self.which("location", |l| {
                self.is_airport(l) && self.those("airplane", |a| self.location(a) == l).is_empty()
            }),
            // Which locations have at least as many packages as every other location?
            ["most_packages"] => self.which("location", |l| {
                self.objects.of("location").iter().all(|other| self.packages_at(l) >= self.packages_at(other))
            }),
            // Which locations have both a truck and an airplane?
            ["transfer_points"] => self.which("location", |l| {
                !self.those("truck", |t| self.location(t) == l).is_empty()
                    && !self.those("airplane", |a| self.location(a) == l).is_empty()
            }),
            _ => return None,
        })
    }
}
