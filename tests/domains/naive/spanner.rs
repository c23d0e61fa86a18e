//! Spanners and nuts: workers walk along one-way paths and carry spanners; one who is at a machine tightens its loose nuts and
//! loosens its tight ones, each time with a usable spanner, which is then worn out until it is mended at the forge.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World};

#[derive(Clone, PartialEq)]
enum Place {
    Ground(String),
    With(String),
}

#[derive(Clone)]
pub struct Spanner {
    objects: Objects,
    paths: BTreeSet<(String, String)>,
    forge: String,
    /// The places of machines and the machines of nuts.
    machines: BTreeMap<String, String>,
    nuts: BTreeMap<String, String>,
    workers: BTreeMap<String, String>,
    spanners: BTreeMap<String, Place>,
    usable: BTreeSet<String>,
    loose: BTreeSet<String>,
}

impl Spanner {
    /// Who has the spanner.
    fn owner(&self, spanner: &str) -> Option<&str> {
        match &self.spanners[spanner] {
            Place::With(worker) => Some(worker),
            Place::Ground(_) => None,
        }
    }

    /// Where the spanner is, with someone or not.
    fn place(&self, spanner: &str) -> &str {
        match &self.spanners[spanner] {
            Place::With(worker) => &self.workers[worker],
            Place::Ground(place) => place,
        }
    }

    fn is_usable(&self, spanner: &str) -> bool {
        self.usable.contains(spanner)
    }

    fn is_loose(&self, nut: &str) -> bool {
        self.loose.contains(nut)
    }

    /// The place where the machine of a nut stands.
    fn bench(&self, nut: &str) -> &str {
        &self.machines[&self.nuts[nut]]
    }

    fn turns(&self, spanner: &str, nut: &str) -> bool {
        self.owner(spanner).is_some() && self.is_usable(spanner) && self.place(spanner) == self.bench(nut)
    }

    fn tightens(&self, spanner: &str, nut: &str) -> bool {
        self.turns(spanner, nut) && self.is_loose(nut)
    }

    fn takes(&self, worker: &str, spanner: &str) -> bool {
        self.spanners[spanner] == Place::Ground(self.workers[worker].clone())
    }

    fn walks(&self, worker: &str, to: &str) -> bool {
        self.paths.contains(&(self.workers[worker].clone(), to.to_owned()))
    }

    fn runs(&self, machine: &str) -> bool {
        !self.nuts.iter().any(|(nut, of)| of == machine && self.is_loose(nut))
    }

    fn load(&self, worker: &str) -> Vec<String> {
        self.those("spanner", |spanner| self.owner(spanner) == Some(worker))
    }

    fn usable_of(&self, worker: &str) -> Vec<String> {
        self.load(worker).into_iter().filter(|spanner| self.is_usable(spanner)).collect()
    }

    fn loose_of(&self, machine: &str) -> Vec<String> {
        self.those("nut", |nut| self.nuts[nut] == machine && self.is_loose(nut))
    }
}

impl World for Spanner {
    const TYPES: &'static [&'static str] = &["place", "worker", "spanner", "machine", "nut"];
    const FLUENTS: &'static [&'static str] = &[
        "at(worker,place)",
        "lies(spanner,place)",
        "has(worker,spanner)",
        "usable(spanner)",
        "loose(nut)",
        "found(spanner,place)",
        "equipped(worker)",
        "runs(machine)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "walk(worker,place)",
        "take(worker,spanner)",
        "drop(spanner)",
        "tighten(nut,spanner)",
        "loosen(nut,spanner)",
        "mend(spanner)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "tightens_any(spanner)",
        "tightened_any(nut)",
        "works_any(worker)",
        "takes_any(worker)",
        "together(spanner,spanner)",
        "attends(worker,machine)",
        "beside_nut(spanner,nut)",
        "workers_meet(worker,worker)",
        "one_walk_away(worker,machine)",
        "more_spanners(worker,worker)",
        "any_spanner_at(place)",
        "mostly_loose",
        "loose_of(machine)",
        "nuts_tight",
        "spanners_worn",
        "spanners_taken",
        "usable_of(worker)",
        "how_many_walks(worker)",
        "how_many_takes(worker)",
        "idle_machines",
        "workers_at_machines",
        "spanners_at_machine(machine)",
        "beside(spanner)",
        "which_loose_of(machine)",
        "which_worn",
        "which_walks(worker)",
        "which_takes(worker)",
        "which_usable_of(worker)",
        "which_for(nut)",
        "who_attends(machine)",
        "which_at_machine(machine)",
        "which_idle",
        "places_without_worker",
        "most_spanners",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world = Spanner {
            objects,
            paths: BTreeSet::new(),
            forge: String::new(),
            machines: BTreeMap::new(),
            nuts: BTreeMap::new(),
            workers: BTreeMap::new(),
            spanners: BTreeMap::new(),
            usable: BTreeSet::new(),
            loose: BTreeSet::new(),
        };
        for fact in facts {
            let owned = |place: usize| fact[place].to_owned();
            match fact.as_slice() {
                ["path", _, _] => drop(world.paths.insert((owned(1), owned(2)))),
                ["forge", _] => world.forge = owned(1),
                ["stands", _, _] => drop(world.machines.insert(owned(1), owned(2))),
                ["part_of", _, _] => drop(world.nuts.insert(owned(1), owned(2))),
                ["at", _, _] => drop(world.workers.insert(owned(1), owned(2))),
                ["lies", _, _] => drop(world.spanners.insert(owned(1), Place::Ground(owned(2)))),
                ["has", _, _] => drop(world.spanners.insert(owned(2), Place::With(owned(1)))),
                ["usable", _] => drop(world.usable.insert(owned(1))),
                ["loose", _] => drop(world.loose.insert(owned(1))),
                ["found", _, _] | ["equipped" | "runs", _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        let lacks =
            |kind: &str, known: &dyn Fn(&String) -> bool| world.objects.of(kind).iter().any(|id| !known(id));
        if world.forge.is_empty()
            || lacks("machine", &|id| world.machines.contains_key(id))
            || lacks("nut", &|id| world.nuts.contains_key(id))
            || lacks("worker", &|id| world.workers.contains_key(id))
            || lacks("spanner", &|id| world.spanners.contains_key(id))
        {
            return Err("something has no place".to_owned());
        }
        Ok(world)
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["at", worker, place] => self.workers[*worker] == *place,
            ["lies", spanner, place] => self.spanners[*spanner] == Place::Ground((*place).to_owned()),
            ["has", worker, spanner] => self.owner(spanner) == Some(worker),
            ["usable", spanner] => self.is_usable(spanner),
            ["loose", nut] => self.is_loose(nut),
            ["found", spanner, place] => self.place(spanner) == *place,
            ["equipped", worker] => !self.usable_of(worker).is_empty(),
            ["runs", machine] => self.runs(machine),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["walk", worker, place] => self.walks(worker, place),
            ["take", worker, spanner] => self.takes(worker, spanner),
            ["drop", spanner] => self.owner(spanner).is_some(),
            ["tighten", nut, spanner] => self.tightens(spanner, nut),
            ["loosen", nut, spanner] => self.turns(spanner, nut) && !self.is_loose(nut),
            ["mend", spanner] => {
                self.owner(spanner).is_some() && !self.is_usable(spanner) && self.place(spanner) == self.forge
            }
            _ => panic!("no action {action:?}"),
        }
    }

    /// Where there is one worker only, it is clear who must have the spanner.
    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        let workers = self.objects.of("worker");
        let [worker] = workers.as_slice() else { return vec![] };
        let with = |spanner: &str, place: &str, usable: bool| {
            vec![
                (format!("has({worker},{spanner})"), true),
                (format!("at({worker},{place})"), true),
                (format!("usable({spanner})"), usable),
            ]
        };
        match action {
            [kind @ ("tighten" | "loosen"), nut, spanner] => {
                let mut all = with(spanner, self.bench(nut), true);
                all.push((format!("loose({nut})"), *kind == "tighten"));
                all
            }
            ["mend", spanner] => with(spanner, &self.forge, false),
            _ => vec![],
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["walk", worker, place] => {
                self.workers.insert((*worker).to_owned(), (*place).to_owned());
            }
            ["take", worker, spanner] => {
                self.spanners.insert((*spanner).to_owned(), Place::With((*worker).to_owned()));
            }
            ["drop", spanner] => {
                let ground = Place::Ground(self.place(spanner).to_owned());
                self.spanners.insert((*spanner).to_owned(), ground);
            }
            ["tighten", nut, spanner] => {
                self.loose.remove(*nut);
                self.usable.remove(*spanner);
            }
            ["loosen", nut, spanner] => {
                self.loose.insert((*nut).to_owned());
                self.usable.remove(*spanner);
            }
            ["mend", spanner] => {
                self.usable.insert((*spanner).to_owned());
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let nuts = self.objects.of("nut").len();
        let attends = |worker: &str, machine: &str| self.workers[worker] == self.machines[machine];
        Some(match question {
            ["tightens_any", spanner] => self.any("nut", |nut| self.tightens(spanner, nut)),
            ["tightened_any", nut] => self.any("spanner", |spanner| self.tightens(spanner, nut)),
            ["works_any", worker] => {
                self.any("nut", |nut| self.load(worker).iter().any(|spanner| self.tightens(spanner, nut)))
            }
            ["takes_any", worker] => self.any("spanner", |spanner| self.takes(worker, spanner)),
            ["together", one, other] => Answer::Truth(self.place(one) == self.place(other)),
            ["attends", worker, machine] => Answer::Truth(attends(worker, machine)),
            ["beside_nut", spanner, nut] => Answer::Truth(self.place(spanner) == self.bench(nut)),
            ["workers_meet", one, other] => Answer::Truth(self.workers[*one] == self.workers[*other]),
            ["one_walk_away", worker, machine] => Answer::Truth(self.walks(worker, &self.machines[*machine])),
            ["more_spanners", one, other] => Answer::Truth(self.load(one).len() > self.load(other).len()),
            ["any_spanner_at", place] => self.any("spanner", |spanner| self.place(spanner) == *place),
            ["mostly_loose"] => Answer::Truth(self.loose.len() > nuts - self.loose.len()),
            ["loose_of", machine] => Answer::Number(self.loose_of(machine).len()),
            ["nuts_tight"] => Answer::Number(nuts - self.loose.len()),
            ["spanners_worn"] => self.number("spanner", |spanner| !self.is_usable(spanner)),
            ["spanners_taken"] => self.number("spanner", |spanner| self.owner(spanner).is_some()),
            ["usable_of", worker] => Answer::Number(self.usable_of(worker).len()),
            ["how_many_walks", worker] => self.number("place", |place| self.walks(worker, place)),
            ["how_many_takes", worker] => self.number("spanner", |spanner| self.takes(worker, spanner)),
            ["idle_machines"] => self.number("machine", |machine| !self.runs(machine)),
            ["workers_at_machines"] => {
                self.number("worker", |worker| self.machines.keys().any(|machine| attends(worker, machine)))
            }
            ["spanners_at_machine", machine] => {
                self.number("spanner", |spanner| self.place(spanner) == self.machines[*machine])
            }
            ["beside", spanner] => {
                self.which("spanner", |other| other != *spanner && self.place(other) == self.place(spanner))
            }
            ["which_loose_of", machine] => Answer::Names(self.loose_of(machine)),
            ["which_worn"] => self.which("spanner", |spanner| !self.is_usable(spanner)),
            ["which_walks", worker] => self.which("place", |place| self.walks(worker, place)),
            ["which_takes", worker] => self.which("spanner", |spanner| self.takes(worker, spanner)),
            ["which_usable_of", worker] => Answer::Names(self.usable_of(worker)),
            ["which_for", nut] => self.which("spanner", |spanner| self.tightens(spanner, nut)),
            ["who_attends", machine] => self.which("worker", |worker| attends(worker, machine)),
            ["which_at_machine", machine] => {
                self.which("spanner", |spanner| self.place(spanner) == self.machines[*machine])
            }
            ["which_idle"] => self.which("machine", |machine| !self.runs(machine)),
            ["places_without_worker"] => {
                self.which("place", |place| !self.workers.values().any(|here| here == place))
            }
            ["most_spanners"] => self.which("worker", |worker| {
                let all = self.objects.of("worker");
                all.iter().all(|other| self.load(worker).len() >= self.load(other).len())
            }),
            _ => return None,
        })
    }
}
