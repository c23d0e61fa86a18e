//! The rules of a step to the actions that can change each fluent: whatever else is so, no other action changes it.

use racgen_logic::ground::Literal;
use rustc_hash::FxHashMap as HashMap;

use crate::simulate::theory::named_atoms::AtomPlace;

/// Actions, ascending, one of which must occur; none where that is not known.
pub type OneOf = Option<Vec<usize>>;

/// By fluent, the actions that can make it false, and true.
#[derive(Clone, Debug, Default)]
pub struct Changers([Vec<OneOf>; 2]);

/// Where the atoms of a step stand, by fluent: now and one step later.
pub(crate) struct Changing<'a> {
    pub(crate) now: &'a [AtomPlace],
    pub(crate) next: &'a [AtomPlace],
}

impl Changers {
    /// The actions that can make a fluent have the value.
    pub fn of(&self, fluent: usize, value: bool) -> Option<&[usize]> {
        self.0[usize::from(value)].get(fluent)?.as_deref()
    }

    /// Reads the rules of a step, given in an order in which each atom stands after those that it depends on. `falsity`
    /// tells where the negations of fluents stand, `truth` where fluents do.
    ///
    /// An inertial fluent becomes true where a rule for it applies that does not read that it was true, and false
    /// where such a rule for its negation does: otherwise it keeps its value (the frame axioms of `asp/kernel.lp`).
    pub(crate) fn new(
        rules: impl Iterator<Item = (u32, Option<Vec<Literal>>)>,
        occ: &[AtomPlace],
        falsity: &Changing,
        truth: &Changing,
    ) -> Changers {
        let mut found = Changers([falsity, truth].map(|places| places.unless_defined()));
        let mut kept: HashMap<u32, (usize, usize, Option<u32>)> = HashMap::default();
        for (value, places) in [falsity, truth].into_iter().enumerate() {
            for (fluent, (now, next)) in places.now.iter().zip(places.next).enumerate() {
                if let Some(next) = atom(next) {
                    kept.insert(next, (value, fluent, atom(now)));
                }
            }
        }
        let occurring =
            occ.iter().enumerate().filter_map(|(action, place)| Some((atom(place)?, vec![action])));
        let mut makers: HashMap<u32, Vec<usize>> = occurring.collect();
        let mut rules = rules.peekable();
        while let Some((head, body)) = rules.next() {
            let mut bodies = vec![body];
            while let Some((_, body)) = rules.next_if(|(other, _)| *other == head) {
                bodies.push(body);
            }
            if let Some((value, fluent, before)) = kept.get(&head) {
                let keeps = |body: &Option<Vec<Literal>>| body.as_ref().is_some_and(|b| reads(b, *before));
                let changes = bodies.iter().filter(|body| !keeps(body));
                found.0[*value][*fluent] = one_of(changes, &makers);
            }
            if let Some(makers_of_head) = one_of(bodies.iter(), &makers) {
                makers.insert(head, makers_of_head);
            }
        }
        found
    }
}

impl Changing<'_> {
    /// What is known of atoms without rules: they are never true, unless they always are.
    fn unless_defined(&self) -> Vec<OneOf> {
        let unknown = |place: &AtomPlace| matches!(place, AtomPlace::Always);
        self.next.iter().map(|place| if unknown(place) { None } else { Some(Vec::new()) }).collect()
    }
}

fn atom(place: &AtomPlace) -> Option<u32> {
    if let AtomPlace::Atom(atom) = place { Some(*atom) } else { None }
}

fn reads(body: &[Literal], atom: Option<u32>) -> bool {
    body.iter().any(|literal| literal.positive() && Some(literal.atom()) == atom)
}

/// The actions one of which must occur for one of the bodies to hold.
fn one_of<'r>(
    bodies: impl Iterator<Item = &'r Option<Vec<Literal>>>,
    makers: &HashMap<u32, Vec<usize>>,
) -> OneOf {
    let mut all = Vec::new();
    for body in bodies {
        let true_atoms = body.as_ref()?.iter().filter(|literal| literal.positive());
        let known = true_atoms.filter_map(|literal| makers.get(&literal.atom()));
        all.extend(known.min_by_key(|actions| actions.len())?);
    }
    all.sort_unstable();
    all.dedup();
    Some(all)
}
