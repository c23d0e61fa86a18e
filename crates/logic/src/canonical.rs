//! A world to its key: equal exactly for worlds that differ in the names of their objects only.
//!
//! Colour refinement with individualisation finds a canonical numbering of the objects, as tools for graph
//! isomorphism do (McKay and Piperno 2014); the numbered facts are then hashed.

use std::collections::BTreeMap;

use crate::seed::digest;
use crate::term::Term;

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
    WorldKeys::new(domain, ids, kinds, facts).key(0..facts.len())
}

/// The keys of many sets of facts, all of them some of the same terms over the same objects, which are read once.
#[derive(Debug)]
pub struct WorldKeys {
    domain: String,
    /// For each object, its type.
    kinds: Vec<usize>,
    /// The terms with their objects taken out, such as `member(pre(#),neg(#))`, each once and in order.
    shapes: Vec<String>,
    /// By term, its shape and its objects.
    terms: Vec<ShapedFact>,
}

/// A shape, and the objects in its places.
type ShapedFact = Box<[u32]>;

impl WorldKeys {
    /// Reads terms over objects with these ids and types.
    pub fn new<'t>(
        domain: &str,
        ids: &[&str],
        kinds: &[usize],
        terms: impl IntoIterator<Item = &'t Term>,
    ) -> WorldKeys {
        let index: BTreeMap<&str, u32> = ids.iter().zip(0..).map(|(id, number)| (*id, number)).collect();
        let taken = terms.into_iter().map(|term| {
            let (mut shape, mut places) = (String::new(), vec![0]);
            take_objects(term, &index, &mut shape, &mut places);
            (shape, places)
        });
        let taken: Vec<(String, Vec<u32>)> = taken.collect();
        let mut shapes: Vec<String> = taken.iter().map(|(shape, _)| shape.clone()).collect();
        shapes.sort_unstable();
        shapes.dedup();
        let terms = taken.into_iter().map(|(shape, mut places)| {
            places[0] = shapes.binary_search(&shape).unwrap_or_else(|place| place) as u32;
            places.into_boxed_slice()
        });
        WorldKeys { domain: domain.to_owned(), kinds: kinds.to_vec(), terms: terms.collect(), shapes }
    }

    /// The key of the terms with these numbers: 32 hexadecimal digits.
    pub fn key(&self, facts: impl IntoIterator<Item = usize>) -> String {
        let facts: Vec<&[u32]> = facts.into_iter().map(|number| &*self.terms[number]).collect();
        // Shapes are numbered among those that occur.
        let mut occurs = vec![false; self.shapes.len()];
        facts.iter().for_each(|fact| occurs[fact[0] as usize] = true);
        let mut numbers = vec![0; self.shapes.len()];
        let occurring = occurs.iter().enumerate().filter(|(_, occurs)| **occurs);
        let shapes: Vec<&str> = occurring
            .enumerate()
            .map(|(number, (shape, _))| {
                numbers[shape] = number as u32;
                self.shapes[shape].as_str()
            })
            .collect();
        let world = World::new(&self.kinds, &numbers, facts);
        let colours = self.kinds.iter().map(|kind| mix(*kind as u64 + 1)).collect();
        let mut best = None;
        world.search(colours, &mut best);
        let bytes: Vec<u8> = best.unwrap_or_default().into_iter().flat_map(u32::to_le_bytes).collect();
        let sizes = sizes(&self.kinds);
        digest([self.domain.as_bytes(), sizes.as_bytes(), shapes.join("\n").as_bytes(), &bytes])
    }
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
fn take_objects(term: &Term, index: &BTreeMap<&str, u32>, shape: &mut String, objects: &mut Vec<u32>) {
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

/// Lists of numbers, one behind the other.
#[derive(Default)]
struct Lists {
    numbers: Vec<u32>,
    ends: Vec<u32>,
}

impl Lists {
    fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.numbers.extend(list);
        self.ends.push(self.numbers.len() as u32);
    }

    fn get(&self, number: usize) -> &[u32] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        &self.numbers[start..self.ends[number] as usize]
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.ends.len()).map(|number| self.get(number))
    }
}

/// Facts over objects.
struct World<'a> {
    /// In order; each its shape and its objects.
    facts: Lists,
    /// For each object, the facts that name it.
    about: Lists,
    kinds: &'a [usize],
}

impl<'a> World<'a> {
    /// Facts whose shapes get these numbers.
    fn new(kinds: &'a [usize], numbers: &[u32], mut given: Vec<&[u32]>) -> World<'a> {
        // Numbers of shapes are in the order of the shapes.
        given.sort_unstable();
        let (mut facts, mut about) = (Lists::default(), Lists::default());
        let mut naming: Vec<Vec<u32>> = vec![Vec::new(); kinds.len()];
        for (number, fact) in (0..).zip(&given) {
            facts.push(std::iter::once(numbers[fact[0] as usize]).chain(fact[1..].iter().copied()));
            for object in &fact[1..] {
                let known = &mut naming[*object as usize];
                if known.last() != Some(&number) {
                    known.push(number);
                }
            }
        }
        naming.into_iter().for_each(|facts| about.push(facts));
        World { facts, about, kinds }
    }

    /// Refines colours by what the facts say about objects of which colours, until no more are told apart.
    fn refine(&self, mut colours: Vec<u64>) -> Vec<u64> {
        let mut sorted = Vec::with_capacity(colours.len());
        let mut distinct = |colours: &[u64]| {
            sorted.clear();
            sorted.extend_from_slice(colours);
            sorted.sort_unstable();
            sorted.dedup();
            sorted.len()
        };
        let mut count = distinct(&colours);
        let mut next = vec![0u64; colours.len()];
        loop {
            for (object, (facts, next)) in self.about.iter().zip(&mut next).enumerate() {
                let mut sum = 0u64;
                for number in facts {
                    let fact = self.facts.get(*number as usize);
                    let mut hash = mix(u64::from(fact[0]));
                    for other in &fact[1..] {
                        let own = u64::from(*other as usize == object);
                        hash = mix(hash ^ colours[*other as usize].rotate_left(own as u32) ^ own);
                    }
                    sum = sum.wrapping_add(mix(hash));
                }
                *next = mix(colours[object] ^ mix(sum));
            }
            let now = distinct(&next);
            if now == count {
                return colours;
            }
            count = now;
            std::mem::swap(&mut colours, &mut next);
        }
    }

    /// Keeps in `best` the least numbered list of facts over all canonical numberings, each fact with an end.
    fn search(&self, colours: Vec<u64>, best: &mut Option<Vec<u32>>) {
        let colours = self.refine(colours);
        let mut order: Vec<u32> = (0..colours.len() as u32).collect();
        order.sort_unstable_by_key(|object| (colours[*object as usize], *object));
        let cells = order.chunk_by(|one, other| colours[*one as usize] == colours[*other as usize]);
        let open = cells.filter(|cell| cell.len() > 1).min_by_key(|cell| cell.len());
        let Some(cell) = open else {
            let mut number = vec![0; colours.len()];
            (0..).zip(&order).for_each(|(n, object)| number[*object as usize] = n);
            let mut facts = Lists::default();
            self.facts.iter().for_each(|fact| facts.push(renumbered(fact, &number)));
            let mut facts: Vec<&[u32]> = facts.iter().collect();
            facts.sort_unstable();
            let end = std::iter::once(u32::MAX);
            let all = facts.into_iter().flat_map(|fact| fact.iter().copied().chain(end.clone())).collect();
            if best.as_ref().is_none_or(|best| all < *best) {
                *best = Some(all);
            }
            return;
        };
        let mut tried: Vec<usize> = Vec::new();
        for object in cell.iter().map(|object| *object as usize) {
            // Objects that can trade places lead to the same numberings.
            if tried.iter().any(|other| self.interchangeable(object, *other)) {
                continue;
            }
            tried.push(object);
            let mut colours = colours.clone();
            colours[object] = mix(colours[object] ^ 0x5eed);
            self.search(colours, best);
        }
    }

    /// Does swapping two objects leave the set of facts as it is?
    fn interchangeable(&self, a: usize, b: usize) -> bool {
        let (of_a, of_b) = (self.about.get(a), self.about.get(b));
        if self.kinds[a] != self.kinds[b] || of_a.len() != of_b.len() {
            return false;
        }
        let mut number: Vec<u32> = (0..self.kinds.len() as u32).collect();
        number.swap(a, b);
        let mut swapped: Vec<u32> = Vec::new();
        of_a.iter().chain(of_b).all(|fact| {
            swapped.clear();
            swapped.extend(renumbered(self.facts.get(*fact as usize), &number));
            self.has(&swapped)
        })
    }

    fn has(&self, fact: &[u32]) -> bool {
        let (mut low, mut high) = (0, self.facts.ends.len());
        while low < high {
            let middle = (low + high) / 2;
            match self.facts.get(middle).cmp(fact) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        false
    }
}

/// A fact over objects that are numbered anew.
fn renumbered<'f>(fact: &'f [u32], number: &'f [u32]) -> impl Iterator<Item = u32> + 'f {
    std::iter::once(fact[0]).chain(fact[1..].iter().map(|object| number[*object as usize]))
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
