//! Rovers: they drive, collect and drop samples, photograph peaks and report to a lander. Written from the sentences of the
//! rules in the phrase book.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World};

#[derive(Clone)]
enum Place {
    Ground(String),
    Store(String),
}

type Pairs = BTreeSet<(String, String)>;

#[derive(Clone)]
pub struct Rovers {
    objects: Objects,
    paths: Pairs,
    contacts: BTreeSet<String>,
    arms: BTreeSet<String>,
    rover_of: BTreeMap<String, String>,
    target_of: BTreeMap<String, String>,
    /// Peak and waypoint.
    visible: Pairs,
    rovers: BTreeMap<String, String>,
    samples: BTreeMap<String, Place>,
    calibrated: BTreeSet<String>,
    /// What is in the memories: rover, and sample or peak.
    memory: Pairs,
    /// Samples and peaks that the lander knows.
    lander: BTreeSet<String>,
}

fn pair(one: &str, other: &str) -> (String, String) {
    (one.to_owned(), other.to_owned())
}

impl Rovers {
    fn place_of(&self, id: &str) -> &str {
        match self.samples.get(id) {
            Some(Place::Ground(waypoint)) => waypoint,
            Some(Place::Store(rover)) => &self.rovers[rover],
            None => &self.rovers[id],
        }
    }

    fn lies_at(&self, sample: &str, waypoint: &str) -> bool {
        matches!(&self.samples[sample], Place::Ground(place) if place == waypoint)
    }

    fn stored(&self, rover: &str) -> Option<String> {
        self.those("sample", |s| matches!(&self.samples[s], Place::Store(holder) if holder == rover)).pop()
    }

    fn linked(&self, one: &str, other: &str) -> bool {
        self.paths.contains(&pair(one, other)) || self.paths.contains(&pair(other, one))
    }

    fn sees(&self, rover: &str, peak: &str) -> bool {
        self.visible.contains(&pair(peak, &self.rovers[rover]))
    }

    fn in_contact(&self, rover: &str) -> bool {
        self.contacts.contains(&self.rovers[rover])
    }

    fn items(&self, rover: &str) -> BTreeSet<String> {
        self.memory.iter().filter(|(holder, _)| holder == rover).map(|(_, item)| item.clone()).collect()
    }

    fn can_drive(&self, rover: &str, waypoint: &str) -> bool {
        self.linked(&self.rovers[rover], waypoint)
    }

    fn can_collect(&self, rover: &str, sample: &str) -> bool {
        self.arms.contains(rover) && self.stored(rover).is_none() && self.lies_at(sample, &self.rovers[rover])
    }

    fn can_calibrate(&self, camera: &str) -> bool {
        !self.calibrated.contains(camera) && self.sees(&self.rover_of[camera], &self.target_of[camera])
    }

    fn can_photograph(&self, camera: &str, peak: &str) -> bool {
        self.calibrated.contains(camera) && self.sees(&self.rover_of[camera], peak)
    }

    fn can_send(&self, rover: &str) -> bool {
        self.in_contact(rover) && !self.items(rover).is_empty()
    }

    fn cameras_of(&self, rover: &str) -> Vec<String> {
        self.those("camera", |camera| self.rover_of[camera] == rover)
    }

    fn check(&self) -> Result<(), String> {
        for rover in self.objects.of("rover") {
            let stored =
                self.samples.values().filter(|place| matches!(place, Place::Store(r) if *r == rover));
            if !self.rovers.contains_key(&rover) || stored.count() > 1 {
                return Err(format!("{rover} is nowhere, or has two samples"));
            }
            let sample = self.stored(&rover);
            if sample.is_some() && !self.arms.contains(&rover) {
                return Err(format!("{rover} has a sample without an arm"));
            }
            if sample.is_some_and(|s| !self.items(&rover).contains(&s) && !self.lander.contains(&s)) {
                return Err(format!("{rover} has a sample that was not analyzed"));
            }
        }
        if self.objects.of("sample").iter().any(|sample| !self.samples.contains_key(sample)) {
            return Err("a sample is nowhere".to_owned());
        }
        for (rover, item) in &self.memory {
            let able = if self.objects.is(item, "sample") {
                self.arms.contains(rover)
            } else {
                !self.cameras_of(rover).is_empty()
            };
            if !able {
                return Err(format!("{rover} cannot have {item} in its memory"));
            }
        }
        Ok(())
    }
}

impl World for Rovers {
    const TYPES: &'static [&'static str] = &["rover", "waypoint", "sample", "camera", "objective"];
    const FLUENTS: &'static [&'static str] = &[
        "at(rover,waypoint)",
        "ground(sample,waypoint)",
        "stored(rover,sample)",
        "calibrated(camera)",
        "analysis(rover,sample)",
        "picture(rover,objective)",
        "knows_sample(sample)",
        "knows_peak(objective)",
        "located(sample,waypoint)",
        "empty(rover)",
        "in_contact(rover)",
        "sees(rover,objective)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "drive(rover,waypoint)",
        "collect(rover,sample)",
        "drop(rover)",
        "calibrate(camera)",
        "photograph(camera,objective)",
        "send(rover)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "informed(rover)",
        "ready(rover)",
        "same_waypoint(rover,rover)",
        "together(rover,sample)",
        "same_place(sample,sample)",
        "any_rover_at(waypoint)",
        "any_sample_at(waypoint)",
        "can_be_collected(sample)",
        "can_be_photographed(objective)",
        "is_seen(objective)",
        "any_picture(objective)",
        "any_analysis(sample)",
        "more_items(rover,rover)",
        "next_to(rover,waypoint)",
        "samples_stored",
        "samples_at(waypoint)",
        "items_of(rover)",
        "all_items",
        "received",
        "rovers_informed",
        "how_many_drives(rover)",
        "peaks_seen(rover)",
        "waypoints_free",
        "possible_pictures",
        "which_at_place_of(sample)",
        "samples_beside(rover)",
        "missing_samples",
        "missing_peaks",
        "which_informed",
        "which_send",
        "which_drives(rover)",
        "which_cameras_ready(rover)",
        "which_can_be_calibrated",
        "which_photographable",
        "which_collectable",
        "waypoints_with_samples",
        "most_items",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let pairs = |names: &[&str]| -> Pairs {
            let of = facts.iter().filter(|fact| names.contains(&fact[0]));
            of.map(|fact| pair(fact[1], fact[2])).collect()
        };
        let singles = |names: &[&str]| -> BTreeSet<String> {
            let of = facts.iter().filter(|fact| names.contains(&fact[0]));
            of.map(|fact| fact[1].to_owned()).collect()
        };
        let mut samples = BTreeMap::new();
        for (sample, waypoint) in pairs(&["ground"]) {
            samples.insert(sample, Place::Ground(waypoint));
        }
        for (rover, sample) in pairs(&["stored"]) {
            samples.insert(sample, Place::Store(rover));
        }
        let world = Rovers {
            paths: pairs(&["path"]),
            contacts: singles(&["contact"]),
            arms: singles(&["arm"]),
            rover_of: pairs(&["on_board"]).into_iter().collect(),
            target_of: pairs(&["target"]).into_iter().collect(),
            visible: pairs(&["visible"]),
            rovers: pairs(&["at"]).into_iter().collect(),
            samples,
            calibrated: singles(&["calibrated"]),
            memory: pairs(&["analysis", "picture"]),
            lander: singles(&["knows_sample", "knows_peak"]),
            objects,
        };
        world.check()?;
        Ok(world)
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["at", rover, waypoint] => self.rovers[*rover] == *waypoint,
            ["ground", sample, waypoint] => self.lies_at(sample, waypoint),
            ["stored", rover, sample] => self.stored(rover).as_deref() == Some(*sample),
            ["calibrated", camera] => self.calibrated.contains(*camera),
            ["analysis" | "picture", rover, item] => self.memory.contains(&pair(rover, item)),
            ["knows_sample" | "knows_peak", item] => self.lander.contains(*item),
            ["located", sample, waypoint] => self.place_of(sample) == *waypoint,
            ["empty", rover] => self.stored(rover).is_none(),
            ["in_contact", rover] => self.in_contact(rover),
            ["sees", rover, peak] => self.sees(rover, peak),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["drive", rover, waypoint] => self.can_drive(rover, waypoint),
            ["collect", rover, sample] => self.can_collect(rover, sample),
            ["drop", rover] => self.stored(rover).is_some(),
            ["calibrate", camera] => self.can_calibrate(camera),
            ["photograph", camera, peak] => self.can_photograph(camera, peak),
            ["send", rover] => self.can_send(rover),
            _ => panic!("no action {action:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        match action {
            ["collect", rover, _] => vec![(format!("empty({rover})"), true)],
            ["drop", rover] => vec![(format!("empty({rover})"), false)],
            ["calibrate", camera] => vec![
                (format!("calibrated({camera})"), false),
                (format!("sees({},{})", self.rover_of[*camera], self.target_of[*camera]), true),
            ],
            ["photograph", camera, peak] => vec![
                (format!("calibrated({camera})"), true),
                (format!("sees({},{peak})", self.rover_of[*camera]), true),
            ],
            ["send", rover] => vec![(format!("in_contact({rover})"), true)],
            _ => vec![],
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["drive", rover, waypoint] => {
                self.rovers.insert((*rover).to_owned(), (*waypoint).to_owned());
            }
            ["collect", rover, sample] => {
                self.samples.insert((*sample).to_owned(), Place::Store((*rover).to_owned()));
                self.memory.insert(pair(rover, sample));
            }
            ["drop", rover] => {
                let sample = self.stored(rover).ok_or("nothing is stored")?;
                self.samples.insert(sample, Place::Ground(self.rovers[*rover].clone()));
            }
            ["calibrate", camera] => {
                self.calibrated.insert((*camera).to_owned());
            }
            ["photograph", camera, peak] => {
                self.memory.insert(pair(&self.rover_of[*camera], peak));
                self.calibrated.remove(*camera);
            }
            ["send", rover] => {
                self.lander.extend(self.items(rover));
                self.memory.retain(|(holder, _)| holder != rover);
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let visited = |waypoint: &str| self.rovers.values().any(|place| place == waypoint);
        let samples_at = |w: &str| self.those("sample", |sample| self.place_of(sample) == w);
        let in_any_memory = |item: &str| self.memory.iter().any(|(_, known)| known == item);
        let informed = || self.those("rover", |rover| !self.items(rover).is_empty());
        let collectable = |sample: &str| self.rovers.keys().any(|rover| self.can_collect(rover, sample));
        let photographable =
            |peak: &str| self.rover_of.keys().any(|camera| self.can_photograph(camera, peak));
        let drives = |rover: &str| self.those("waypoint", |waypoint| self.can_drive(rover, waypoint));
        let unknown = |kind: &str| Answer::Names(self.those(kind, |item| !self.lander.contains(item)));
        let equipped = |rover: &str| !self.cameras_of(rover).is_empty();
        let ready = |rover: &str| -> Vec<String> {
            self.cameras_of(rover).into_iter().filter(|camera| self.calibrated.contains(camera)).collect()
        };
        Some(match question {
            ["informed", rover] => Answer::Truth(!self.items(rover).is_empty()),
            ["ready", rover] if equipped(rover) => Answer::Truth(!ready(rover).is_empty()),
            ["same_waypoint" | "together" | "same_place", one, other] => {
                Answer::Truth(self.place_of(one) == self.place_of(other))
            }
            ["any_rover_at", waypoint] => Answer::Truth(visited(waypoint)),
            ["any_sample_at", waypoint] => Answer::Truth(!samples_at(waypoint).is_empty()),
            ["can_be_collected", sample] => Answer::Truth(collectable(sample)),
            ["can_be_photographed", peak] => Answer::Truth(photographable(peak)),
            ["is_seen", peak] => Answer::Truth(self.rovers.keys().any(|rover| self.sees(rover, peak))),
            ["any_picture" | "any_analysis", item] => Answer::Truth(in_any_memory(item)),
            ["more_items", one, other] => Answer::Truth(self.items(one).len() > self.items(other).len()),
            ["next_to", rover, waypoint] => Answer::Truth(self.can_drive(rover, waypoint)),
            ["samples_stored"] => {
                Answer::Number(self.samples.values().filter(|place| matches!(place, Place::Store(_))).count())
            }
            ["samples_at", waypoint] => Answer::Number(samples_at(waypoint).len()),
            ["items_of", rover] => Answer::Number(self.items(rover).len()),
            ["all_items"] => {
                Answer::Number(self.memory.iter().map(|(_, item)| item).collect::<BTreeSet<_>>().len())
            }
            ["received"] => Answer::Number(self.lander.len()),
            ["rovers_informed"] => Answer::Number(informed().len()),
            ["how_many_drives", rover] => Answer::Number(drives(rover).len()),
            ["peaks_seen", rover] => {
                Answer::Number(self.those("objective", |peak| self.sees(rover, peak)).len())
            }
            ["waypoints_free"] => Answer::Number(self.those("waypoint", |w| !visited(w)).len()),
            ["possible_pictures"] => {
                let peaks =
                    |camera: &String| self.those("objective", |peak| self.can_photograph(camera, peak));
                Answer::Number(self.rover_of.keys().map(|camera| peaks(camera).len()).sum())
            }
            ["which_at_place_of", sample] => {
                Answer::Names(self.those("rover", |rover| self.rovers[rover] == self.place_of(sample)))
            }
            ["samples_beside", rover] => {
                Answer::Names(self.those("sample", |sample| self.lies_at(sample, &self.rovers[*rover])))
            }
            ["missing_samples"] => unknown("sample"),
            ["missing_peaks"] => unknown("objective"),
            ["which_informed"] => Answer::Names(informed()),
            ["which_send"] => Answer::Names(self.those("rover", |rover| self.can_send(rover))),
            ["which_drives", rover] => Answer::Names(drives(rover)),
            ["which_cameras_ready", rover] if equipped(rover) => Answer::Names(ready(rover)),
            ["which_can_be_calibrated"] => {
                Answer::Names(self.those("camera", |camera| self.can_calibrate(camera)))
            }
            ["which_photographable"] => Answer::Names(self.those("objective", photographable)),
            ["which_collectable"] => Answer::Names(self.those("sample", collectable)),
            ["waypoints_with_samples"] => {
                Answer::Names(self.those("waypoint", |waypoint| !samples_at(waypoint).is_empty()))
            }
            ["most_items"] => {
                let most = self.rovers.keys().map(|rover| self.items(rover).len()).max();
                Answer::Names(self.those("rover", |rover| Some(self.items(rover).len()) == most))
            }
            _ => return None,
        })
    }
}
