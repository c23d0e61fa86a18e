//! The objects of a layout to their names in one story, in the order of its text.

use std::ops::Range;
use std::sync::Arc;

use racgen_data::row::ObjectName;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rustc_hash::FxHashMap as HashMap;

use crate::domain::package::{ObjectType, Package};
use crate::language::words::holdout::Holdout;
use crate::simulate::layout::{Layout, Object};

/// What the objects of one story are called, in which order, and who acts.
#[derive(Clone, Debug)]
pub struct Naming {
    /// The objects in the order of the text.
    pub order: Vec<usize>,
    /// Names by object.
    pub names: Vec<Arc<str>>,
    pub(crate) rank: Vec<usize>,
    pub(crate) person: String,
}

impl Naming {
    /// Draws names of random letters, and an order.
    pub fn obfuscated(package: &Package, layout: &Layout, rng: &mut ChaCha8Rng) -> Naming {
        let mut naming = Naming::draw(package, layout, Holdout::NONE, |_| true, rng);
        let mut drawn: Vec<Arc<str>> = Vec::new();
        while drawn.len() < naming.names.len() {
            let name = obfuscated_name(rng);
            if !drawn.contains(&name) {
                drawn.push(name);
            }
        }
        naming.names = drawn;
        naming
    }

    /// Draws names and an order. Of each pool only the names that `allowed` accepts are used, unless they are
    /// too few.
    pub fn draw(
        package: &Package,
        layout: &Layout,
        holdout: Holdout,
        allowed: impl Fn(&str) -> bool,
        rng: &mut ChaCha8Rng,
    ) -> Naming {
        Naming::draw_for(package, layout, holdout, &[], allowed, rng)
    }

    /// As [`Naming::draw`]. By type, a world may have so many objects: for as many there are names in both parts of a pool
    /// of which a part is held out, if the pool is large enough.
    pub fn draw_for(
        package: &Package,
        layout: &Layout,
        holdout: Holdout,
        most: &[usize],
        allowed: impl Fn(&str) -> bool,
        rng: &mut ChaCha8Rng,
    ) -> Naming {
        let pool = |(kind, t): (usize, &ObjectType)| {
            let needed = most.get(kind).copied().unwrap_or(1);
            NamePool::of(holdout.names_for(t.names.len(), needed))
        };
        let mut pools: Vec<NamePool> = package.types.iter().enumerate().map(pool).collect();
        let mut name = |object: &Object| {
            let names = &package.types[object.kind].names;
            let drawn = pools[object.kind].draw(|name| allowed(&names[name]), rng);
            drawn.map_or_else(|| object.id.clone(), |name| names[name].as_str().into())
        };
        let names: Vec<Arc<str>> = layout.objects.iter().map(&mut name).collect();
        let mut order: Vec<usize> = (0..layout.objects.len()).collect();
        order.shuffle(rng);
        order.sort_by_key(|o| layout.objects[*o].kind);
        let rank = ranks(&order);
        let persons = &package.common.persons[holdout.names(package.common.persons.len())];
        let person = persons.choose(rng).cloned().unwrap_or_default();
        Naming { order, names, rank, person }
    }

    /// The same for a text beside one that names nobody: actions are told without a person, where there are words for that.
    pub fn of_nobody(&self) -> Naming {
        Naming { person: String::new(), ..self.clone() }
    }

    /// Is anybody known to act?
    pub(crate) fn knows_who_acts(&self) -> bool {
        !self.person.is_empty()
    }

    /// Does one of the texts name the person who acts?
    pub fn acts_in(&self, texts: &[&str]) -> bool {
        self.knows_who_acts() && texts.iter().any(|text| text.contains(&self.person))
    }

    /// The same names for the objects of a layout that lacks one.
    pub fn without(&self, object: usize) -> Naming {
        let moved = |o: &usize| if *o > object { *o - 1 } else { *o };
        let order: Vec<usize> = self.order.iter().filter(|o| **o != object).map(moved).collect();
        let mut names = self.names.clone();
        names.remove(object);
        Naming { rank: ranks(&order), order, names, person: self.person.clone() }
    }

    /// The names and the order that a row gives to the objects of its layout. An object that the row does not name
    /// is called by its id. Who acts, a row does not say.
    pub fn of_row(layout: &Layout, objects: &[ObjectName]) -> Naming {
        let place: HashMap<&str, usize> =
            objects.iter().enumerate().map(|(place, o)| (o.id.as_ref(), place)).collect();
        let place = |o: &Object| place.get(o.id.as_ref()).copied().unwrap_or(objects.len());
        let name = |o: &Object| objects.get(place(o)).map_or(&o.id, |named| &named.name).clone();
        let mut order: Vec<usize> = (0..layout.objects.len()).collect();
        order.sort_by_key(|o| place(&layout.objects[*o]));
        Naming {
            names: layout.objects.iter().map(name).collect(),
            rank: ranks(&order),
            order,
            person: "someone".into(),
        }
    }
}

/// The names of a type that are left to be drawn, by their numbers.
struct NamePool {
    left: Vec<u32>,
    /// Names that were passed over.
    put_aside: Vec<u32>,
}

impl NamePool {
    fn of(names: Range<usize>) -> NamePool {
        NamePool { left: (names.start as u32..names.end as u32).collect(), put_aside: Vec::new() }
    }

    /// Draws one of the names that are `allowed`, or any once there are none of these.
    fn draw(&mut self, allowed: impl Fn(usize) -> bool, rng: &mut ChaCha8Rng) -> Option<usize> {
        while !self.left.is_empty() {
            let name = self.left.swap_remove(rng.random_range(0..self.left.len()));
            if allowed(name as usize) {
                return Some(name as usize);
            }
            self.put_aside.push(name);
        }
        self.put_aside.pop().map(|name| name as usize)
    }
}

/// Four consonants and a digit, so that it is no word, and no part of another such name.
pub fn obfuscated_name(rng: &mut ChaCha8Rng) -> Arc<str> {
    let mut name: Vec<u8> = (0..4).map(|_| *b"bcdfghjklmnpqrstvwxz".choose(rng).unwrap_or(&b'z')).collect();
    name.insert(rng.random_range(1..=4), rng.random_range(b'2'..=b'9'));
    String::from_utf8_lossy(&name).into()
}

/// May a word be such a name?
pub fn is_obfuscated(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    word.len() == 5
        && digits == 1
        && word.bytes().all(|c| c.is_ascii_digit() || b"bcdfghjklmnpqrstvwxz".contains(&c))
}

/// The place of each object in the order.
fn ranks(order: &[usize]) -> Vec<usize> {
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, object)| rank[*object] = place);
    rank
}
