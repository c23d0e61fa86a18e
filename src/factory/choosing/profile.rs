//! A question of a story to its profile: what someone who does not know the initial situation can see of it.
//!
//! That is the pattern of equal names within the question, the actions that name an object of it or none at all (how many, how
//! late, and which object in which role), and of what kinds the others are. Verify questions are chosen in pairs, one for each label, of equal profile, so
//! that the actions alone tell nothing about the answer.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use racgen_logic::term::Term;
use rustc_hash::{FxHashMap as HashMap, FxHasher};
use smallvec::SmallVec;

use crate::language::words::lexicon::Lexicon;
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// How closely two profiles agree, from all that the actions do to the objects of a question to its pattern alone.
/// The first of them holds within one story only: then all other actions are the same as well. The second and third hold
/// between stories whose actions, or last actions, are of the same kinds, whatever they name.
pub const CLOSENESS: usize = 7;

/// The last closeness between stories whose actions are all of the same kinds.
pub const SAME_KINDS: usize = 1;

/// The profiles that are close: in all of them, the actions do the same to the objects of a question.
pub const NEAR: usize = 4;

/// The steps of a plan of so many are looked through for each question.
const FEW_STEPS: usize = 32;

/// The objects of a question, in the order in which it names them. Most are short, as the next two are, and none needs memory
/// of its own then.
type ObjectsNamed = SmallVec<[u16; 8]>;
/// The actions that touch the objects of a question, the last one first.
type Touches = SmallVec<[TouchingAction; 8]>;

/// An action that names an object of a question, or no object at all: this may do something to every object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TouchingAction {
    /// How many actions came after it.
    ago: u16,
    /// A hash of what it is, and which object it names in which role.
    kind: u64,
    /// Does it name an object of the question?
    names: bool,
}

/// What can be seen of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// A hash for each closeness.
    pub near: [u64; CLOSENESS],
    /// How the last action that names an object of the question does so; none where none does.
    pub touch: Option<u64>,
}

impl Profile {
    /// What can be seen of a question that is made of others.
    pub(crate) fn of_parts(parts: impl Iterator<Item = Profile>) -> Profile {
        let parts: Vec<Profile> = parts.collect();
        let near =
            |closeness: usize| hashed(parts.iter().map(|part| part.near[closeness]).collect::<Vec<u64>>());
        let touches: Vec<Option<u64>> = parts.iter().map(|part| part.touch).collect();
        let is_touched = touches.iter().any(Option::is_some);
        Profile { near: std::array::from_fn(near), touch: is_touched.then(|| hashed(touches)) }
    }

    /// What the touches of a question show of it, beside what is asked, its pattern, and what only close profiles share.
    fn of_touches(
        story: SeenStory,
        (asked, pattern, near): (u64, u64, u64),
        touches: &[TouchingAction],
    ) -> Profile {
        let mut views =
            views(story, touches).map(|view| view.map_or(pattern, |view| hashed((pattern, view))));
        views[..NEAR].iter_mut().for_each(|view| *view = hashed((*view, near)));
        Profile { near: views, touch: naming(touches).map(|kind| hashed((asked, kind))) }
    }

    /// The pattern of equal names in the question and the actions it supposes.
    pub fn pattern(&self) -> u64 {
        self.near[CLOSENESS - 1]
    }
}

/// A hasher that tells numbers of zeros apart, as one that starts with zero does not.
fn hasher() -> FxHasher {
    let mut hasher = FxHasher::default();
    1u8.hash(&mut hasher);
    hasher
}

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = hasher();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The objects that a term names, place by place, and a hash of everything else in it.
#[derive(Clone, Debug)]
struct Shape {
    places: Vec<u16>,
    rest: u64,
}

impl Shape {
    fn of(term: &Term, lexicon: &Lexicon) -> Shape {
        fn walk(term: &Term, lexicon: &Lexicon, places: &mut Vec<u16>, rest: &mut FxHasher) {
            // An object that the text does not have is another than all that it has.
            let object = || {
                let name = term.functor();
                let first = name.strip_suffix('0').and_then(|kind| lexicon.object(&format!("{kind}1")));
                lexicon.object(name).map(|object| object as u16).or(first.map(|_| u16::MAX))
            };
            if term.args().is_empty()
                && let Some(object) = object()
            {
                places.push(object);
                0u8.hash(rest);
                return;
            }
            match term {
                Term::Number(number) => number.hash(rest),
                _ => term.functor().hash(rest),
            }
            term.args().len().hash(rest);
            term.args().iter().for_each(|arg| walk(arg, lexicon, places, rest));
        }
        let (mut places, mut rest) = (Vec::new(), hasher());
        walk(term, lexicon, &mut places, &mut rest);
        Shape { places, rest: rest.finish() }
    }
}

/// A question that supposes no actions.
#[derive(Clone, Copy)]
struct PlainQuestion {
    /// The pattern of equal names within it.
    pattern: u64,
    /// Index of the objects that it names.
    objects: usize,
}

/// The shapes of a layout's questions and actions.
pub struct Shapes {
    questions: Vec<Shape>,
    actions: Vec<Shape>,
    /// The same questions, where nothing is supposed.
    plain: Vec<PlainQuestion>,
    /// The objects that plain questions name, each list once.
    objects: Vec<ObjectsNamed>,
}

impl Shapes {
    /// Works out the shapes of everything in a layout.
    pub fn new(compiled: &CompiledLayout, lexicon: &Lexicon) -> Shapes {
        let questions: Vec<Shape> = compiled.questions.iter().map(|q| Shape::of(&q.term, lexicon)).collect();
        let actions = compiled.actions.iter().map(|a| Shape::of(a, lexicon)).collect();
        let mut numbers: HashMap<ObjectsNamed, usize> = HashMap::default();
        let plain = questions.iter().map(|question| {
            let (pattern, objects) = pattern(&[], question);
            let next = numbers.len();
            PlainQuestion { pattern, objects: *numbers.entry(objects).or_insert(next) }
        });
        let plain = plain.collect();
        let mut objects = vec![ObjectsNamed::new(); numbers.len()];
        numbers.into_iter().for_each(|(named, number)| objects[number] = named);
        Shapes { questions, actions, plain, objects }
    }

    /// The profile of a question put to a story that has a number.
    pub fn profile(&self, story: (usize, &Story), scene: Timepoint, question: usize) -> Profile {
        self.profile_by(story, None, scene, question)
    }

    /// As [`Shapes::profile`], given which steps name which objects, which is worth knowing for many questions.
    pub(crate) fn profile_by(
        &self,
        (told, story): (usize, &Story),
        named: Option<&NamedSteps>,
        scene: Timepoint,
        question: usize,
    ) -> Profile {
        let asked = &self.questions[question];
        let look = |objects: &[u16]| match named {
            Some(named) => self.looked(told, story, named, objects),
            None => self.looked(told, story, &self.named_steps(story), objects),
        };
        let (pattern, (views, last)) = match supposed(story, scene) {
            [] => {
                let PlainQuestion { pattern, objects } = self.plain[question];
                let look = || look(&self.objects[objects]);
                (pattern, named.map_or_else(look, |named| named.plain.borrow_mut().of(objects, look)))
            }
            supposed => {
                let supposed: SmallVec<[&Shape; 2]> = supposed.iter().map(|a| &self.actions[*a]).collect();
                let (pattern, objects) = pattern(&supposed, asked);
                let known = named.and_then(|named| named.seen.borrow().get(&objects).copied());
                let seen = known.unwrap_or_else(|| look(&objects));
                if let (Some(named), None) = (named, known) {
                    named.seen.borrow_mut().insert(objects, seen);
                }
                (pattern, seen)
            }
        };
        let asked = asked.rest;
        Profile {
            near: views.map(|view| view.map_or(pattern, |view| hashed((pattern, view)))),
            touch: last.map(|kind| hashed((asked, kind))),
        }
    }

    /// What the actions do to some objects, and the kind of the last action that names one.
    fn looked(&self, told: usize, story: &Story, named: &NamedSteps, objects: &[u16]) -> ActedOn {
        let touches = self.touches(story, named, objects);
        (views(SeenStory { told, kinds: named.kinds }, &touches), naming(&touches))
    }

    /// The profile of a question beyond prediction, which names these terms, put to a story that has a number. `far` is
    /// what else can be seen of it, and `near` what of that only close profiles share.
    pub(crate) fn profile_of(
        &self,
        (told, story): (usize, &Story),
        lexicon: &Lexicon,
        terms: &[&Term],
        (far, near): (u64, u64),
    ) -> Profile {
        let mut objects = ObjectsNamed::new();
        let (mut pattern, mut rest) = (hasher(), hasher());
        for shape in terms.iter().map(|term| Shape::of(term, lexicon)) {
            shape.rest.hash(&mut rest);
            for object in &shape.places {
                let place = objects.iter().position(|known| known == object).unwrap_or_else(|| {
                    objects.push(*object);
                    objects.len() - 1
                });
                place.hash(&mut pattern);
            }
        }
        let asked = hashed((rest.finish(), far));
        let pattern = hashed((asked, pattern.finish()));
        let named = self.named_steps(story);
        let touches = self.touches(story, &named, &objects);
        Profile::of_touches(SeenStory { told, kinds: named.kinds }, (asked, pattern, near), &touches)
    }

    /// The same of a fluent of a story whose actions have several outcomes. All that counts are the actions that name the
    /// object of it that the fewest of them name, but at first all of them: stories that do the same and differ in what
    /// may come of it are rare, except for twins.
    pub(crate) fn profile_of_rarest(
        &self,
        (told, story): (usize, &Story),
        lexicon: &Lexicon,
        fluent: &Term,
    ) -> Profile {
        let Shape { places: objects, rest } = Shape::of(fluent, lexicon);
        let naming =
            |object: &u16| story.plan.iter().filter(|a| self.actions[**a].places.contains(object)).count();
        let rarest = objects.iter().filter(|object| naming(object) > 0).min_by_key(|object| naming(object));
        let named = self.named_steps(story);
        let mut touches = self.touches(story, &named, &objects);
        if let Some(rarest) = rarest {
            let last = story.plan.len() - 1;
            touches.retain(|touch| {
                let action = story.plan[last - usize::from(touch.ago)];
                !touch.names || self.actions[action].places.contains(rarest)
            });
        }
        let places: Vec<Option<usize>> =
            objects.iter().map(|object| objects.iter().position(|known| known == object)).collect();
        let asked = hashed(rest);
        let pattern = hashed((asked, places));
        let story_seen = SeenStory { told, kinds: named.kinds };
        let mut profile = Profile::of_touches(story_seen, (asked, pattern, 0), &touches);
        profile.near[0] = hashed((pattern, self.plan_form(story, objects)));
        profile
    }

    /// A hash of all actions of a story, whatever its objects are called; the given ones come first.
    fn plan_form(&self, story: &Story, mut objects: Vec<u16>) -> u64 {
        let mut form = hasher();
        for action in &story.plan {
            let Shape { places, rest } = &self.actions[*action];
            rest.hash(&mut form);
            for object in places {
                let place = objects.iter().position(|known| known == object).unwrap_or_else(|| {
                    objects.push(*object);
                    objects.len() - 1
                });
                place.hash(&mut form);
            }
        }
        form.finish()
    }

    /// The actions that name one of the objects, or none at all. Where there are no objects, all actions.
    fn touches(&self, story: &Story, named: &NamedSteps, objects: &[u16]) -> Touches {
        let touch = |(step, action): (usize, &usize)| {
            let Shape { places, rest } = &self.actions[*action];
            let mut kind = hasher();
            let mut names = objects.is_empty();
            for (role, object) in places.iter().enumerate() {
                if let Some(place) = objects.iter().position(|known| known == object) {
                    (role, place).hash(&mut kind);
                    names = true;
                }
            }
            rest.hash(&mut kind);
            let touches = names || places.is_empty();
            touches.then(|| TouchingAction { ago: step as u16, kind: kind.finish(), names })
        };
        match (&named.steps, objects) {
            (Some(named), [_, ..]) => {
                let objects = objects.iter().map(|object| Some(*object)).chain([None]);
                let steps = objects.filter_map(|object| named.get(&object)).flatten();
                let mut steps: Vec<usize> = steps.copied().collect();
                steps.sort_unstable();
                steps.dedup();
                steps
                    .into_iter()
                    .map(|step| (step, &story.plan[story.plan.len() - 1 - step]))
                    .filter_map(touch)
                    .collect()
            }
            _ => story.plan.iter().rev().enumerate().filter_map(touch).collect(),
        }
    }

    /// Of what kinds the actions of a story are, and which steps name which objects, if it has many.
    fn named_steps(&self, story: &Story) -> NamedSteps {
        let kind = |action: &usize| self.actions[*action].rest;
        let all = story.plan.iter().map(kind).collect::<SmallVec<[u64; 8]>>();
        let kinds = [hashed(&all), story.plan.last().map_or(0, kind)];
        if story.plan.len() <= FEW_STEPS {
            return NamedSteps { kinds, ..NamedSteps::default() };
        }
        let mut named: HashMap<Option<u16>, Vec<usize>> = HashMap::default();
        for (step, action) in story.plan.iter().rev().enumerate() {
            let places = &self.actions[*action].places;
            for object in places {
                named.entry(Some(*object)).or_default().push(step);
            }
            if places.is_empty() {
                named.entry(None).or_default().push(step);
            }
        }
        NamedSteps { steps: Some(named), kinds, ..NamedSteps::default() }
    }
}

/// What of a story every question of it shares: its number, and the kinds of all actions and of the last.
#[derive(Clone, Copy)]
struct SeenStory {
    told: usize,
    kinds: [u64; 2],
}

/// How some objects were acted on, from all of it to nothing, and the kind of the last action that names one.
type ActedOn = ([Option<u64>; CLOSENESS], Option<u64>);

/// By object, the steps of a long plan that name it, the last one first and counted from there, and by none those that name
/// no object; and what was seen of
/// objects in a plan, since many questions are about the same ones.
#[derive(Default)]
pub(crate) struct NamedSteps {
    /// The kinds of all actions and of the last.
    kinds: [u64; 2],
    steps: Option<HashMap<Option<u16>, Vec<usize>>>,
    seen: RefCell<HashMap<ObjectsNamed, ActedOn>>,
    plain: RefCell<SeenPlainly>,
}

/// The same of the objects of plain questions, by their index.
#[derive(Default)]
struct SeenPlainly {
    /// One more than the place in `seen`; zero where it is not known.
    places: Vec<u32>,
    seen: Vec<ActedOn>,
}

impl SeenPlainly {
    /// What was seen of the objects with an index, if need be now.
    fn of(&mut self, objects: usize, see: impl FnOnce() -> ActedOn) -> ActedOn {
        if objects >= self.places.len() {
            self.places.resize(objects + 1, 0);
        }
        let place = &mut self.places[objects];
        if *place == 0 {
            self.seen.push(see());
            *place = self.seen.len() as u32;
        }
        self.seen[*place as usize - 1]
    }
}

/// What was seen of the plans of some stories, by the story's number.
#[derive(Default)]
pub(crate) struct KnownSteps(RefCell<HashMap<usize, Rc<NamedSteps>>>);

impl KnownSteps {
    /// That of a story, which has this number for good.
    pub(crate) fn of(&self, shapes: &Shapes, told: usize, story: &Story) -> Rc<NamedSteps> {
        let mut known = self.0.borrow_mut();
        known.entry(told).or_insert_with(|| Rc::new(shapes.named_steps(story))).clone()
    }
}

/// The pattern of equal names within a question and the actions that it supposes, and the objects that they name.
fn pattern(supposed: &[&Shape], question: &Shape) -> (u64, ObjectsNamed) {
    let mut rest = [0u64; 3];
    let mut objects = ObjectsNamed::new();
    let mut pattern = hasher();
    let mut see = |shape: &Shape, rest: &mut u64| {
        *rest = shape.rest;
        for object in &shape.places {
            let place = objects.iter().position(|known| known == object).unwrap_or_else(|| {
                objects.push(*object);
                objects.len() - 1
            });
            place.hash(&mut pattern);
        }
    };
    supposed.iter().zip(&mut rest).for_each(|(action, rest)| see(action, rest));
    see(question, &mut rest[2]);
    (hashed((rest, pattern.finish())), objects)
}

/// The further actions that a question names.
fn supposed(story: &Story, scene: Timepoint) -> &[usize] {
    let count = match scene {
        Timepoint::Now | Timepoint::Initially => 0,
        Timepoint::Supposing | Timepoint::AfterOne => 1,
        Timepoint::AfterTwo => 2,
    };
    &story.further[..count.min(story.further.len())]
}

/// The kind of the last action that names an object of the question.
fn naming(touches: &[TouchingAction]) -> Option<u64> {
    touches.iter().find(|touch| touch.names).map(|touch| touch.kind)
}

/// What the actions do to the objects of a question, from all of it to how often they did what, the last first; and
/// nothing at last.
///
/// Among the kinds is the one that changed what is asked, whichever it is, and it came as often and was followed by the
/// same others.
fn views(story: SeenStory, touches: &[TouchingAction]) -> [Option<u64>; CLOSENESS] {
    let mut kinds: SmallVec<[(u64, u16); 8]> = SmallVec::new();
    for TouchingAction { kind, .. } in touches {
        match kinds.iter_mut().find(|(known, _)| known == kind) {
            Some((_, times)) => *times += 1,
            None => kinds.push((*kind, 1)),
        }
    }
    let roughly = match touches.first().map(|touch| touch.ago) {
        None => 0u8,
        Some(0) => 1,
        Some(1) => 2,
        Some(2 | 3) => 3,
        Some(_) => 4,
    };
    let SeenStory { told, kinds: [all, last] } = story;
    let close = [hashed((told, touches)), hashed((all, touches)), hashed((last, touches)), hashed(touches)];
    let [story, all, last, any] = close.map(Some);
    [story, all, last, any, Some(hashed((roughly, &kinds))), Some(hashed(&kinds)), None]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_counted() {
        assert_ne!(hashed([0u16; 2]), hashed([0u16; 3]));
        let of = |places: &[usize]| {
            let mut hasher = hasher();
            places.iter().for_each(|place| place.hash(&mut hasher));
            hasher.finish()
        };
        assert_ne!(of(&[]), of(&[0]));
        assert_ne!(of(&[0, 1]), of(&[0, 0, 1]));
    }

    #[test]
    fn touches_are_told_apart_by_kind_number_and_time() {
        let story = |told: usize, kinds: [u64; 2]| SeenStory { told, kinds };
        let seen = |story: SeenStory, touches: &[(u16, u64)]| {
            let touch = |(ago, kind): &(u16, u64)| TouchingAction { ago: *ago, kind: *kind, names: true };
            views(story, &touches.iter().map(touch).collect::<Touches>())
        };
        let near = |touches: &[(u16, u64)]| seen(story(0, [1, 2]), touches);
        let [one, other] = [near(&[(0, 7), (2, 8)]), near(&[(0, 7), (1, 8)])];
        assert_ne!(one[NEAR - 1], other[NEAR - 1]);
        assert_eq!(one[NEAR..], other[NEAR..]);
        assert_ne!(near(&[(0, 7)])[4], near(&[(4, 7)])[4]);
        assert_eq!(near(&[(0, 7)])[5], near(&[(4, 7)])[5]);
        assert_ne!(near(&[(0, 7), (1, 7)])[5], near(&[(0, 7)])[5]);
        assert_ne!(near(&[(0, 7), (1, 8)])[5], near(&[(0, 8), (1, 7)])[5]);
        for (n, elsewhere) in [story(1, [1, 2]), story(1, [3, 2]), story(1, [3, 4])].into_iter().enumerate() {
            let elsewhere = seen(elsewhere, &[(0, 7), (2, 8)]);
            assert!(one[..=n].iter().zip(&elsewhere).all(|(one, other)| one != other), "{n}");
            assert_eq!(one[n + 1..], elsewhere[n + 1..]);
        }
    }
}
