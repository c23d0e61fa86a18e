//! A question of a story to its profile: what someone who does not know the initial situation can see of it.
//!
//! That is the pattern of equal names within the question, and of each object of the question how often, how late and
//! in which role the actions name it. Verify questions are chosen in pairs, one for each label, of equal profile, so
//! that the actions alone tell nothing about the answer.

use std::hash::{Hash, Hasher};

use racgen_logic::term::Term;
use rustc_hash::FxHasher;

use crate::language::words::lexicon::Lexicon;
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transition_system::CompiledLayout;

/// How closely two profiles agree, from all mentions to the pattern of the question alone.
pub const CLOSENESS: usize = 4;
/// The first this many kinds of closeness count as equal.
pub const EQUAL: usize = 2;

/// One hash for each closeness.
pub type Profile = [u64; CLOSENESS];

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
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
            if term.args().is_empty()
                && let Some(object) = lexicon.object(term.functor())
            {
                places.push(object as u16);
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
        let (mut places, mut rest) = (Vec::new(), FxHasher::default());
        walk(term, lexicon, &mut places, &mut rest);
        Shape { places, rest: rest.finish() }
    }
}

/// The shapes of a layout's questions and actions.
pub struct Shapes {
    questions: Vec<Shape>,
    actions: Vec<Shape>,
    objects: usize,
}

impl Shapes {
    /// Works out the shapes of everything in a layout.
    pub fn new(compiled: &CompiledLayout, lexicon: &Lexicon) -> Shapes {
        Shapes {
            questions: compiled.questions.iter().map(|q| Shape::of(&q.term, lexicon)).collect(),
            actions: compiled.actions.iter().map(|a| Shape::of(a, lexicon)).collect(),
            objects: lexicon.objects(),
        }
    }

    /// What the actions of a story say of each object.
    pub fn trace(&self, story: &Story) -> StoryTrace {
        let mut mentions: Vec<Vec<Mention>> = vec![Vec::new(); self.objects];
        for (step, action) in story.plan.iter().rev().enumerate() {
            let Shape { places, rest } = &self.actions[*action];
            for (role, object) in places.iter().enumerate() {
                mentions[usize::from(*object)].push((step as u16, *rest, role as u8));
            }
        }
        let views = mentions.iter().map(|all| views(all)).collect();
        // Seen as a whole, a story is one object that each action names.
        let kinds = story.plan.iter().rev().enumerate();
        let kinds: Vec<Mention> =
            kinds.map(|(step, action)| (step as u16, self.actions[*action].rest, 0)).collect();
        StoryTrace { mentions, views, whole: self::views(&kinds) }
    }

    /// The profile of a question put to a story, whose trace is given.
    pub fn profile(&self, story: &Story, trace: &StoryTrace, scene: Timepoint, question: usize) -> Profile {
        let mut rest = [0u64; 3];
        let mut objects: Vec<u16> = Vec::with_capacity(8);
        let mut pattern = FxHasher::default();
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
        for (number, action) in supposed(story, scene).iter().enumerate() {
            see(&self.actions[*action], &mut rest[number]);
        }
        see(&self.questions[question], &mut rest[2]);
        let pattern = hashed((rest, pattern.finish()));
        let together = together(&objects, trace);
        let mut profile = [hashed((pattern, together)); CLOSENESS];
        profile[CLOSENESS - 1] = pattern;
        for (closeness, hash) in profile.iter_mut().enumerate().take(CLOSENESS - 1) {
            for object in &objects {
                *hash = hashed((*hash, trace.views[usize::from(*object)][closeness]));
            }
            if objects.is_empty() {
                *hash = hashed((*hash, trace.whole[closeness]));
            }
        }
        profile
    }

    /// How the last action that names an object of the question names its objects; none where none does.
    pub fn last_touch(
        &self,
        story: &Story,
        trace: &StoryTrace,
        scene: Timepoint,
        question: usize,
    ) -> Option<u64> {
        let asked = &self.questions[question];
        let mut objects: Vec<u16> = Vec::new();
        let actions = supposed(story, scene);
        let places = actions.iter().flat_map(|a| &self.actions[*a].places).chain(&asked.places);
        for object in places {
            if !objects.contains(object) {
                objects.push(*object);
            }
        }
        let last = |object: &u16| trace.mentions[usize::from(*object)].first();
        let step = objects.iter().filter_map(last).map(|(step, ..)| *step).min()?;
        let mut roles: Vec<(usize, u64, u8)> = Vec::new();
        for (number, object) in objects.iter().enumerate() {
            let then = trace.mentions[usize::from(*object)].iter().filter(|(s, ..)| *s == step);
            roles.extend(then.map(|(_, schema, role)| (number, *schema, *role)));
        }
        Some(hashed((asked.rest, roles)))
    }
}

/// Which objects the same action named last: bits, one for each two of them.
fn together(objects: &[u16], trace: &StoryTrace) -> u64 {
    let last = |object: &u16| trace.mentions[usize::from(*object)].first().map(|(step, ..)| *step);
    let mut bits = 1u64;
    for (number, object) in objects.iter().enumerate() {
        for other in &objects[..number] {
            bits = bits << 1 | u64::from(last(object).is_some() && last(object) == last(other));
        }
    }
    bits
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

/// How many actions came after, what the action is apart from the objects it names, which place of it.
type Mention = (u16, u64, u8);

/// What the actions of a story say of each object of the layout.
pub struct StoryTrace {
    /// The last mention first.
    mentions: Vec<Vec<Mention>>,
    views: Vec<[u64; CLOSENESS - 1]>,
    /// The kinds of actions, for questions that name no object.
    whole: [u64; CLOSENESS - 1],
}

/// An object's mentions, from all of them to how often it took which role, those taken last before others.
///
/// Among these roles is the one that changed what is asked, whichever it is, and it was taken as often and followed by
/// the same others.
fn views(mentions: &[Mention]) -> [u64; CLOSENESS - 1] {
    let Some((step, ..)) = mentions.first().copied() else { return [0; CLOSENESS - 1] };
    let mut roles: Vec<(u64, u8, u16)> = Vec::new();
    for (_, schema, role) in mentions {
        match roles.iter_mut().find(|(s, r, _)| (s, r) == (schema, role)) {
            Some((.., times)) => *times += 1,
            None => roles.push((*schema, *role, 1)),
        }
    }
    let roughly = match step {
        0 => 0u16,
        1 => 1,
        2 | 3 => 2,
        _ => 3,
    };
    [hashed((1u8, mentions)), hashed((2u8, roughly, &roles)), hashed((3u8, &roles))]
}
