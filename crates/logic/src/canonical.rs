//! A world to its key: equal exactly for worlds that differ in the names of their objects only.
//!
//! Colour refinement with individualisation finds a canonical numbering of the objects, as tools for graph
//! isomorphism do (McKay and Piperno 2014); the numbered facts are then hashed.

use std::collections::BTreeMap;

use crate::seed::digest;
use crate::term::Term;

/// A fact with its objects taken out: `member(pre(#),neg(#))` over objects 3 and 5.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CanonicalFact {
    shape: usize,
    objects: Vec<usize>,
}

struct World<'a> {
    facts: Vec<CanonicalFact>,
    /// For each object, the facts that name it.
    about: Vec<Vec<usize>>,
    kinds: &'a [usize],
}

/// The key of a set of facts over objects with these ids and types: 32 hexadecimal digits.
///
/// ```
/// use racgen_logic::canonical::world_key;
/// use racgen_logic::term::Term;
/// let key = |facts: &[&str]| {
///     let facts: Vec<Term> = facts.iter().map(|f| f.parse().unwrap()).collect();
///     world_key("blocks", &["a", "b", "c"], &[0, 0, 0], &facts)
/// };
/// assert_eq!(key(&["on(a,b)", "ontable(b)", "ontable(c)"]), key(&["on(c,a)", "ontable(a)", "ontable(b)"]));
/// assert_ne!(key(&["on(a,b)", "ontable(b)", "ontable(c)"]), key(&["on(a,b)", "on(b,c)", "ontable(c)"]));
/// ```
pub fn world_key(domain: &str, ids: &[&str], kinds: &[usize], facts: &[Term]) -> String {
    let (shapes, world) = World::new(ids, kinds, facts);
    let colours = kinds.iter().map(|kind| mix(*kind as u64 + 1)).collect();
    let mut best = None;
    world.search(colours, &mut best);
    let best = best.unwrap_or_default();
    let numbers = best
        .iter()
        .flat_map(|fact| std::iter::once(fact.shape).chain(fact.objects.iter().copied()).chain([usize::MAX]));
    let bytes: Vec<u8> = numbers.flat_map(|n| (n as u32).to_le_bytes()).collect();
    digest([domain.as_bytes(), sizes(kinds).as_bytes(), shapes.join("\n").as_bytes(), &bytes])
}

/// How many objects of each type there are.
fn sizes(kinds: &[usize]) -> String {
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    for kind in kinds {
        *sizes.entry(*kind).or_default() += 1;
    }
    format!("{sizes:?}")
}

/// Writes a term with its objects taken out.
fn take_objects(term: &Term, index: &BTreeMap<&str, usize>, shape: &mut String, objects: &mut Vec<usize>) {
    if term.args().is_empty() {
        match index.get(term.functor()) {
            Some(object) => {
                shape.push('#');
                objects.push(*object);
            }
            None => shape.push_str(&term.to_string()),
        }
        return;
    }
    shape.push_str(term.functor());
    for (i, arg) in term.args().iter().enumerate() {
        shape.push(if i == 0 { '(' } else { ',' });
        take_objects(arg, index, shape, objects);
    }
    shape.push(')');
}

/// A well-mixed hash of a number (the finaliser of SplitMix64).
fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn distinct(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

impl<'a> World<'a> {
    /// The shapes of the facts, in order, and the facts over them.
    fn new(ids: &[&str], kinds: &'a [usize], facts: &[Term]) -> (Vec<String>, World<'a>) {
        let index: BTreeMap<&str, usize> = ids.iter().enumerate().map(|(i, id)| (*id, i)).collect();
        let taken = facts.iter().map(|fact| {
            let (mut shape, mut objects) = (String::new(), Vec::new());
            take_objects(fact, &index, &mut shape, &mut objects);
            (shape, objects)
        });
        let taken: Vec<(String, Vec<usize>)> = taken.collect();
        let mut shapes: Vec<String> = taken.iter().map(|(shape, _)| shape.clone()).collect();
        shapes.sort_unstable();
        shapes.dedup();
        let place = |shape: &String| shapes.binary_search(shape).unwrap_or_else(|place| place);
        let facts = taken.into_iter();
        let facts = facts.map(|(shape, objects)| CanonicalFact { shape: place(&shape), objects });
        let mut facts: Vec<CanonicalFact> = facts.collect();
        facts.sort();
        let mut about = vec![Vec::new(); ids.len()];
        for (number, fact) in facts.iter().enumerate() {
            let mut named = fact.objects.clone();
            named.sort_unstable();
            named.dedup();
            named.into_iter().for_each(|object| about[object].push(number));
        }
        (shapes, World { facts, about, kinds })
    }

    /// Refines colours by what the facts say about objects of which colours, until no more are told apart.
    fn refine(&self, mut colours: Vec<u64>) -> Vec<u64> {
        let mut count = distinct(&colours);
        loop {
            let mut next = vec![0u64; colours.len()];
            for (object, facts) in self.about.iter().enumerate() {
                let mut sum = 0u64;
                for number in facts {
                    let fact = &self.facts[*number];
                    let mut hash = mix(fact.shape as u64);
                    for other in &fact.objects {
                        let own = u64::from(*other == object);
                        hash = mix(hash ^ colours[*other].rotate_left(own as u32) ^ own);
                    }
                    sum = sum.wrapping_add(mix(hash));
                }
                next[object] = mix(colours[object] ^ mix(sum));
            }
            let now = distinct(&next);
            if now == count {
                return colours;
            }
            (colours, count) = (next, now);
        }
    }

    /// Keeps in `best` the least numbered list of facts over all canonical numberings.
    fn search(&self, colours: Vec<u64>, best: &mut Option<Vec<CanonicalFact>>) {
        let colours = self.refine(colours);
        let mut cells: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (object, colour) in colours.iter().enumerate() {
            cells.entry(*colour).or_default().push(object);
        }
        let open = cells.values().filter(|cell| cell.len() > 1).min_by_key(|cell| cell.len());
        let Some(cell) = open else {
            let mut number = vec![0; colours.len()];
            cells.values().enumerate().for_each(|(n, cell)| number[cell[0]] = n);
            let mut facts: Vec<CanonicalFact> =
                self.facts.iter().map(|fact| renumber(fact, &number)).collect();
            facts.sort();
            if best.as_ref().is_none_or(|b| facts < *b) {
                *best = Some(facts);
            }
            return;
        };
        let mut tried: Vec<usize> = Vec::new();
        for object in cell {
            // Objects that can trade places lead to the same numberings.
            if tried.iter().any(|other| self.interchangeable(*object, *other)) {
                continue;
            }
            tried.push(*object);
            let mut colours = colours.clone();
            colours[*object] = mix(colours[*object] ^ 0x5eed);
            self.search(colours, best);
        }
    }

    /// Does swapping two objects leave the set of facts as it is?
    fn interchangeable(&self, a: usize, b: usize) -> bool {
        if self.kinds[a] != self.kinds[b] || self.about[a].len() != self.about[b].len() {
            return false;
        }
        let mut number: Vec<usize> = (0..self.kinds.len()).collect();
        number.swap(a, b);
        let touched = self.about[a].iter().chain(&self.about[b]);
        touched.into_iter().all(|f| self.facts.binary_search(&renumber(&self.facts[*f], &number)).is_ok())
    }
}

fn renumber(fact: &CanonicalFact, number: &[usize]) -> CanonicalFact {
    CanonicalFact { shape: fact.shape, objects: fact.objects.iter().map(|o| number[*o]).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::stream;
    use rand::RngExt;
    use rand::seq::SliceRandom;

    /// Random directed graphs on five objects: keys agree exactly where some permutation makes the graphs equal.
    #[test]
    fn keys_agree_exactly_with_isomorphism() {
        let ids = ["a", "b", "c", "d", "e"];
        let mut rng = stream(7, &["canon"]);
        let graphs: Vec<Vec<(usize, usize)>> = (0..60)
            .map(|_| {
                let all = (0..5).flat_map(|a| (0..5).map(move |b| (a, b)));
                let density = rng.random_range(0.1..0.5);
                all.filter(|_| rng.random_bool(density)).collect()
            })
            .collect();
        let facts = |graph: &[(usize, usize)], number: &[usize]| -> Vec<Term> {
            graph
                .iter()
                .map(|(a, b)| format!("e({},{})", ids[number[*a]], ids[number[*b]]).parse().unwrap())
                .collect()
        };
        let same: Vec<usize> = (0..5).collect();
        let mut permutations = vec![vec![]];
        for _ in 0..5 {
            permutations = permutations
                .into_iter()
                .flat_map(|p: Vec<usize>| {
                    (0..5)
                        .filter(|n| !p.contains(n))
                        .map(|n| [p.clone(), vec![n]].concat())
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        let kinds = [0; 5];
        let keys: Vec<String> =
            graphs.iter().map(|g| world_key("g", &ids, &kinds, &facts(g, &same))).collect();
        for (i, a) in graphs.iter().enumerate() {
            let mut shuffled = same.clone();
            shuffled.shuffle(&mut rng);
            assert_eq!(keys[i], world_key("g", &ids, &kinds, &facts(a, &shuffled)));
            for (j, b) in graphs.iter().enumerate() {
                let mut target = b.clone();
                target.sort_unstable();
                let isomorphic = permutations.iter().any(|p| {
                    let mut image: Vec<_> = a.iter().map(|(x, y)| (p[*x], p[*y])).collect();
                    image.sort_unstable();
                    image == target
                });
                assert_eq!(keys[i] == keys[j], isomorphic, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn many_interchangeable_objects_cost_nothing() {
        let ids: Vec<String> = (0..40).map(|i| format!("f{i}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        assert_eq!(world_key("g", &ids, &[0; 40], &[]), world_key("g", &ids, &[0; 40], &[]));
    }
}
