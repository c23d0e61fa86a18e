//! Satellites: they turn toward stars, switch instruments on and off, and take images. Written from the sentences of the
//! rules in the phrase book.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World, pairs};

type Pairs = BTreeSet<(String, String)>;

#[derive(Clone)]
pub struct Satellites {
    objects: Objects,
    satellite_of: BTreeMap<String, String>,
    target_of: BTreeMap<String, String>,
    /// Instrument and band.
    supported: Pairs,
    star_of: BTreeMap<String, String>,
    on: BTreeSet<String>,
    calibrated: BTreeSet<String>,
    /// Star and band.
    archive: Pairs,
}

fn pair(one: &str, other: &str) -> (String, String) {
    (one.to_owned(), other.to_owned())
}

impl Satellites {
    fn instruments_of(&self, satellite: &str) -> Vec<String> {
        self.those("instrument", |instrument| self.satellite_of[instrument] == satellite)
    }

    fn instrument_on(&self, satellite: &str) -> Option<String> {
        self.instruments_of(satellite).into_iter().find(|instrument| self.on.contains(instrument))
    }

    fn disturbs(&self, one: &str, other: &str) -> bool {
        one != other && self.star_of[one] == self.star_of[other] && self.instrument_on(one).is_some()
    }

    fn disturbed(&self, satellite: &str) -> bool {
        self.star_of.keys().any(|other| self.disturbs(other, satellite))
    }

    /// The star that the instrument's satellite points at.
    fn star_before(&self, instrument: &str) -> &str {
        &self.star_of[&self.satellite_of[instrument]]
    }

    fn faces_target(&self, instrument: &str) -> bool {
        self.star_before(instrument) == self.target_of[instrument]
    }

    fn can_switch_on(&self, instrument: &str) -> bool {
        self.instrument_on(&self.satellite_of[instrument]).is_none()
    }

    fn can_calibrate(&self, instrument: &str) -> bool {
        self.on.contains(instrument) && !self.calibrated.contains(instrument) && self.faces_target(instrument)
    }

    fn can_shoot(&self, instrument: &str, band: &str) -> bool {
        self.calibrated.contains(instrument)
            && self.supported.contains(&pair(instrument, band))
            && !self.disturbed(&self.satellite_of[instrument])
    }

    /// The images that can be taken: satellite, star and band.
    fn shots(&self) -> BTreeSet<(String, String, String)> {
        let can = self.supported.iter().filter(|(instrument, band)| self.can_shoot(instrument, band));
        let shot = |(instrument, band): &(String, String)| {
            (self.satellite_of[instrument].clone(), self.star_before(instrument).to_owned(), band.clone())
        };
        can.map(shot).collect()
    }

    fn images(&self, star: &str) -> usize {
        self.archive.iter().filter(|(of, _)| of == star).count()
    }

    fn missing(&self, star: &str) -> Vec<String> {
        self.those("band", |band| !self.archive.contains(&pair(star, band)))
    }

    fn watched(&self, star: &str) -> bool {
        self.star_of.values().any(|there| there == star)
    }

    fn ready(&self, satellite: &str) -> bool {
        self.instruments_of(satellite).iter().any(|instrument| self.calibrated.contains(instrument))
    }

    /// The bands for which an instrument is switched on.
    fn bands_of(&self, satellite: &str) -> Vec<String> {
        let Some(instrument) = self.instrument_on(satellite) else { return vec![] };
        self.those("band", |band| self.supported.contains(&pair(&instrument, band)))
    }

    fn check(&self) -> Result<(), String> {
        for satellite in self.objects.of("satellite") {
            let on = self.instruments_of(&satellite).into_iter().filter(|i| self.on.contains(i)).count();
            if !self.star_of.contains_key(&satellite) || on > 1 {
                return Err(format!("{satellite} points nowhere, or has two instruments on"));
            }
        }
        if !self.calibrated.is_subset(&self.on) {
            return Err("an instrument is calibrated that is off".to_owned());
        }
        Ok(())
    }
}

impl World for Satellites {
    const TYPES: &'static [&'static str] = &["satellite", "instrument", "band", "star"];
    const FLUENTS: &'static [&'static str] = &[
        "pointing(satellite,star)",
        "powered(instrument)",
        "calibrated(instrument)",
        "image(star,band)",
        "idle(satellite)",
        "disturbed(satellite)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "turn(satellite,star)",
        "switch_on(instrument)",
        "switch_off(instrument)",
        "calibrate(instrument)",
        "shoot(instrument,band)",
        "erase(star)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "same_star(satellite,satellite)",
        "watched(star)",
        "pictured(star)",
        "complete(star)",
        "ready(satellite)",
        "faces_target(instrument)",
        "can_be_shot(star)",
        "can_shoot(satellite)",
        "works_in(satellite,band)",
        "disturbs(satellite,satellite)",
        "more_images(star,star)",
        "any_image_in(band)",
        "looks_at(instrument,star)",
        "all_images",
        "stars_pictured",
        "stars_complete",
        "stars_watched",
        "satellites_ready",
        "instruments_facing",
        "possible_images",
        "bands_missing(star)",
        "instruments_waiting",
        "star_of(instrument)",
        "instrument_on(satellite)",
        "bands_of(satellite)",
        "which_bands_missing(star)",
        "stars_without_image",
        "which_complete",
        "which_watched",
        "which_not_watched",
        "which_disturb(satellite)",
        "which_can_be_calibrated",
        "which_can_shoot",
        "which_facing",
        "beside(satellite)",
        "most_images",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let singles = |name: &str| -> BTreeSet<String> {
            facts.iter().filter(|fact| fact[0] == name).map(|fact| fact[1].to_owned()).collect()
        };
        let world = Satellites {
            satellite_of: pairs(facts, "on_board"),
            target_of: pairs(facts, "target"),
            supported: pairs(facts, "supports"),
            star_of: pairs(facts, "pointing"),
            on: singles("powered"),
            calibrated: singles("calibrated"),
            archive: pairs(facts, "image"),
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
            ["pointing", satellite, star] => self.star_of[*satellite] == *star,
            ["powered", instrument] => self.on.contains(*instrument),
            ["calibrated", instrument] => self.calibrated.contains(*instrument),
            ["image", star, band] => self.archive.contains(&pair(star, band)),
            ["idle", satellite] => self.instrument_on(satellite).is_none(),
            ["disturbed", satellite] => self.disturbed(satellite),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["turn", satellite, star] => self.star_of[*satellite] != *star,
            ["switch_on", instrument] => self.can_switch_on(instrument),
            ["switch_off", instrument] => self.on.contains(*instrument),
            ["calibrate", instrument] => self.can_calibrate(instrument),
            ["shoot", instrument, band] => self.can_shoot(instrument, band),
            ["erase", star] => self.images(star) > 0,
            _ => panic!("no action {action:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        let satellite = |instrument: &str| self.satellite_of[instrument].clone();
        match action {
            ["turn", satellite, star] => vec![(format!("pointing({satellite},{star})"), false)],
            ["switch_on", instrument] => vec![(format!("idle({})", satellite(instrument)), true)],
            ["switch_off", instrument] => vec![(format!("powered({instrument})"), true)],
            ["calibrate", instrument] => vec![
                (format!("powered({instrument})"), true),
                (format!("calibrated({instrument})"), false),
                (format!("pointing({},{})", satellite(instrument), self.target_of[*instrument]), true),
            ],
            ["shoot", instrument, _] => vec![
                (format!("calibrated({instrument})"), true),
                (format!("disturbed({})", satellite(instrument)), false),
            ],
            _ => vec![],
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["turn", satellite, star] => {
                self.star_of.insert((*satellite).to_owned(), (*star).to_owned());
            }
            ["switch_on", instrument] => {
                self.on.insert((*instrument).to_owned());
            }
            ["switch_off", instrument] => {
                self.on.remove(*instrument);
                self.calibrated.remove(*instrument);
            }
            ["calibrate", instrument] => {
                self.calibrated.insert((*instrument).to_owned());
            }
            ["shoot", instrument, band] => {
                self.archive.insert(pair(self.star_before(instrument), band));
            }
            ["erase", star] => self.archive.retain(|(of, _)| of != star),
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let star = |satellite: &str| &self.star_of[satellite];
        let complete = |star: &str| self.missing(star).is_empty();
        let facing = || self.those("instrument", |instrument| self.faces_target(instrument));
        let stars = |test: &dyn Fn(&str) -> bool| self.those("star", test);
        Some(match question {
            ["same_star", one, other] => Answer::Truth(star(one) == star(other)),
            ["watched", star] => Answer::Truth(self.watched(star)),
            ["pictured", star] => Answer::Truth(self.images(star) > 0),
            ["complete", star] => Answer::Truth(complete(star)),
            ["ready", satellite] => Answer::Truth(self.ready(satellite)),
            ["faces_target", instrument] => Answer::Truth(self.faces_target(instrument)),
            ["can_be_shot", star] => Answer::Truth(self.shots().iter().any(|(_, there, _)| there == star)),
            ["can_shoot", satellite] => Answer::Truth(self.shots().iter().any(|(by, ..)| by == satellite)),
            ["works_in", satellite, band] => {
                Answer::Truth(self.bands_of(satellite).iter().any(|there| there == band))
            }
            ["disturbs", one, other] => Answer::Truth(self.disturbs(one, other)),
            ["more_images", one, other] => Answer::Truth(self.images(one) > self.images(other)),
            ["any_image_in", band] => Answer::Truth(self.archive.iter().any(|(_, there)| there == band)),
            ["looks_at", instrument, star] => Answer::Truth(self.star_before(instrument) == *star),
            ["all_images"] => Answer::Number(self.archive.len()),
            ["stars_pictured"] => Answer::Number(stars(&|star| self.images(star) > 0).len()),
            ["stars_complete"] => Answer::Number(stars(&complete).len()),
            ["stars_watched"] => Answer::Number(stars(&|star| self.watched(star)).len()),
            ["satellites_ready"] => {
                Answer::Number(self.those("satellite", |satellite| self.ready(satellite)).len())
            }
            ["instruments_facing"] => Answer::Number(facing().len()),
            ["possible_images"] => {
                let images: BTreeSet<_> =
                    self.shots().into_iter().map(|(_, star, band)| (star, band)).collect();
                Answer::Number(images.len())
            }
            ["bands_missing", star] => Answer::Number(self.missing(star).len()),
            ["instruments_waiting"] => {
                Answer::Number(self.those("instrument", |instrument| self.can_switch_on(instrument)).len())
            }
            ["star_of", instrument] => Answer::Names(vec![self.star_before(instrument).to_owned()]),
            ["instrument_on", satellite] => {
                Answer::Names(self.instrument_on(satellite).into_iter().collect())
            }
            ["bands_of", satellite] => Answer::Names(self.bands_of(satellite)),
            ["which_bands_missing", star] => Answer::Names(self.missing(star)),
            ["stars_without_image"] => Answer::Names(stars(&|star| self.images(star) == 0)),
            ["which_complete"] => Answer::Names(stars(&complete)),
            ["which_watched"] => Answer::Names(stars(&|star| self.watched(star))),
            ["which_not_watched"] => Answer::Names(stars(&|star| !self.watched(star))),
            ["which_disturb", satellite] => {
                Answer::Names(self.those("satellite", |other| self.disturbs(other, satellite)))
            }
            ["which_can_be_calibrated"] => {
                Answer::Names(self.those("instrument", |instrument| self.can_calibrate(instrument)))
            }
            ["which_can_shoot"] => Answer::Names(self.shots().into_iter().map(|(by, ..)| by).collect()),
            ["which_facing"] => Answer::Names(facing()),
            ["beside", satellite] => Answer::Names(
                self.those("satellite", |other| other != *satellite && star(other) == star(satellite)),
            ),
            ["most_images"] => {
                let most = self.objects.of("star").iter().map(|star| self.images(star)).max();
                Answer::Names(stars(&|star| Some(self.images(star)) == most))
            }
            _ => return None,
        })
    }
}
