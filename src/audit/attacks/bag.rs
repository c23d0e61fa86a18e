//! A yes/no question and its actions to a bag: small numbers that say what a model sees that knows nothing of the
//! initial state.
//!
//! For each object that is asked about: how often the actions name it, how late, in which role of which action, and
//! what else of the question stands in that action. The same, shorter, for the objects of the supposed action. And the
//! question's form, the pattern of its names, and which actions come first and last.

use std::hash::{Hash, Hasher};

use racgen_data::row::Row;
use racgen_logic::term::Term;
use rustc_hash::{FxHashMap as HashMap, FxHasher};

/// What a column of a bag tells, and of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// A number, of question and actions: how many, how late.
    Amount,
    /// One of several kinds, of question and actions.
    Kind,
    /// One of several kinds, of the question alone.
    Asked,
}

/// Objects asked about that are looked at.
const OBJECTS: usize = 4;
/// Roles of the supposed action that are looked at.
const ROLES: usize = 3;
/// Pairs of schema and role, by type of object, whose occurrences are counted.
const COUNTED: usize = 4;
/// Schemas whose occurrences are counted.
const SCHEMAS: usize = 4;

use Sight::{Amount, Asked, Kind};

/// Of an object: mentions; time of the last; schema and role of the last and of the first; what else the last action
/// that names it names; mentions by schema and role; its role in the last supposed action, and in the first.
const OF_OBJECT: [Sight; 7 + COUNTED] =
    [Amount, Amount, Kind, Kind, Kind, Amount, Amount, Amount, Amount, Asked, Asked];
/// Of an object of the supposed action: time of its last mention; schema and role of it.
const OF_SUPPOSED: [Sight; 2] = [Amount, Kind];
/// Form, pattern, what is asked after all suppositions, the last and the first supposed schema; last and first schema
/// told; the last action that touches an object and the one before; time of the last; objects named; how lately the
/// action asked about was done; depth; level; actions by schema.
const OF_ALL: [Sight; 14 + SCHEMAS] = [
    Asked, Asked, Asked, Asked, Asked, Kind, Kind, Kind, Kind, Amount, Amount, Amount, Amount, Amount,
    Amount, Amount, Amount, Amount,
];

/// Columns of a bag.
pub const WIDTH: usize = OBJECTS * OF_OBJECT.len() + ROLES * OF_SUPPOSED.len() + OF_ALL.len();

/// What the columns tell, in order.
pub fn columns() -> Vec<Sight> {
    let mut all = OF_OBJECT.repeat(OBJECTS);
    all.extend(OF_SUPPOSED.repeat(ROLES));
    all.extend(OF_ALL);
    all
}

/// A number that no time or count reaches: it never happened.
pub(super) const NEVER: u8 = 63;

/// A question and its actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bag {
    /// A number for each of [`columns`]; 0 where there is no such thing.
    pub values: [u8; WIDTH],
    /// What the actions do to the objects asked about. None where no action names one.
    pub touch: Option<Touch>,
}

/// What is asked, with what actions that name an object of it do to these objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// With the last such action and the objects' roles in it, hashed.
    pub last: u32,
    /// With all kinds of such actions and roles, each where it came last, hashed.
    pub all: u32,
}

/// Small numbers for texts, from 1 on in the order in which they come, for each group on its own. Those that come
/// late share the last number.
#[derive(Debug, Default)]
pub struct Codes {
    numbers: HashMap<u64, u8>,
    last: HashMap<u64, u8>,
}

impl Codes {
    /// The number of a text of a group.
    pub fn of(&mut self, group: &impl Hash, text: &impl Hash) -> u8 {
        let group = hashed(group);
        let last = self.last.entry(group).or_default();
        *self.numbers.entry(hashed(&(group, hashed(text)))).or_insert_with(|| {
            *last = last.saturating_add(1);
            *last
        })
    }
}

fn hashed(parts: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// A question without what is supposed.
struct BagQuestion<'t> {
    /// What is asked: an atom.
    asked: &'t Term,
    /// The supposed actions, or the one whose effect is asked about.
    supposed: Vec<&'t Term>,
    /// Are the supposed ones carried out before what is asked?
    done: bool,
    /// Is it asked about the initial state?
    initially: bool,
}

impl<'t> BagQuestion<'t> {
    fn of(query: &'t Term) -> BagQuestion<'t> {
        let mut question = BagQuestion { asked: query, supposed: Vec::new(), done: true, initially: false };
        loop {
            match question.asked.args() {
                [action, inner] if question.asked.is("after", 2) => {
                    question.supposed.push(action);
                    question.asked = inner;
                }
                [inner] if question.asked.is("initially", 1) => {
                    question.initially = true;
                    question.asked = inner;
                }
                [action, fluent] if question.asked.is("changes", 2) && question.supposed.is_empty() => {
                    question.supposed.push(action);
                    question.done = false;
                    question.asked = fluent;
                    return question;
                }
                _ => return question,
            }
        }
    }
}

/// Is a question about the initial state, so that its answer is that of the initial state?
pub fn about_the_start(query: &str) -> bool {
    query.starts_with("initially(")
}

/// The type that an object's constant begins with: that of `r2` is `r`. None of other constants.
fn object_type(constant: &str) -> Option<&str> {
    let letters = constant.trim_end_matches(|c: char| c.is_ascii_digit());
    (!letters.is_empty() && letters.len() < constant.len()).then_some(letters)
}

/// The objects of a term, each once, in order.
pub(super) fn objects(term: &Term) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for constant in term.constants().filter(|constant| object_type(constant).is_some()) {
        if !found.iter().any(|known| known == constant) {
            found.push(constant.to_owned());
        }
    }
    found
}

/// Writes a term with the places of its objects in `known` for them: `on(b7,b2)` becomes `on(b#0,b#1,)`. Objects that
/// are not in there are added to it if it is open; else they are all alike, `b-`.
pub(super) fn pattern(term: &Term, known: &mut Vec<String>, open: bool, out: &mut String) {
    match term {
        Term::Function(name, args) if args.is_empty() && object_type(name).is_some() => {
            let place = known.iter().position(|one| **one == **name);
            let place = place.or_else(|| {
                open.then(|| known.push(name.to_string()))?;
                Some(known.len() - 1)
            });
            out.push_str(object_type(name).unwrap_or_default());
            match place {
                Some(place) => out.push_str(&format!("#{place}")),
                None => out.push('-'),
            }
        }
        Term::Number(number) => out.push_str(&number.to_string()),
        Term::Function(name, args) => {
            out.push_str(name);
            out.push('(');
            for arg in args.iter() {
                pattern(arg, known, open, out);
                out.push(',');
            }
            out.push(')');
        }
    }
}

/// The pattern of a term by itself.
pub(super) fn own_pattern(term: &Term) -> String {
    let (mut known, mut out) = (Vec::new(), String::new());
    pattern(term, &mut known, true, &mut out);
    out
}

/// The pattern of a term, with all objects alike.
fn form(term: &Term) -> String {
    let mut out = String::new();
    pattern(term, &mut Vec::new(), false, &mut out);
    out
}

/// The pattern of an action, in which only the objects of the question are told apart.
pub(super) fn signature(action: &Term, asked: &[String]) -> String {
    let mut out = String::new();
    pattern(action, &mut asked.to_vec(), false, &mut out);
    out
}

/// Where an action names an object.
#[derive(Clone, Copy)]
struct BagMention {
    at: usize,
    role: usize,
}

fn mentions(actions: &[&Term], object: &str) -> Vec<BagMention> {
    let roles = |(at, action): (usize, &&Term)| {
        let args = action.args().iter().enumerate();
        args.filter(|(_, arg)| arg.mentions(object))
            .map(|(role, _)| BagMention { at, role })
            .collect::<Vec<_>>()
    };
    actions.iter().enumerate().flat_map(roles).collect()
}

/// How long ago a time is; a small number.
pub(super) fn ago(actions: usize, at: Option<usize>) -> u8 {
    at.map_or(NEVER, |at| small(actions - at))
}

pub(super) fn small(number: usize) -> u8 {
    number.min(usize::from(NEVER) - 1) as u8
}

/// A row's story, about to be put into numbers.
struct Packer<'t> {
    row: &'t Row,
    plan: Vec<&'t Term>,
    question: BagQuestion<'t>,
    codes: &'t mut Codes,
    values: Vec<u8>,
}

impl Packer<'_> {
    /// The number of an action's schema and role among those of a type of objects.
    fn place(&mut self, object: &str, action: &Term, role: usize) -> u8 {
        let kind = object_type(object).unwrap_or_default();
        self.codes.of(&(&*self.row.domain, kind, "place"), &(action.functor(), role))
    }

    /// The number of a text among those of the family.
    fn of_family(&mut self, what: &str, text: &str) -> u8 {
        self.codes.of(&(&*self.row.domain, &*self.row.family, what), &text)
    }

    fn schema(&mut self, action: Option<&Term>) -> u8 {
        action.map_or(0, |action| self.codes.of(&(&*self.row.domain, "schema"), &action.functor()))
    }

    fn object(&mut self, object: &str, asked: &[String]) {
        let plan = self.plan.clone();
        let named = mentions(&plan, object);
        let places: Vec<u8> = named.iter().map(|m| self.place(object, plan[m.at], m.role)).collect();
        let last = named.last().map(|m| m.at);
        let with = last.map_or(0, |at| self.of_family("touch", &signature(plan[at], asked)));
        self.values.extend([
            small(named.len()),
            ago(plan.len(), last),
            places.last().copied().unwrap_or(0),
            places.first().copied().unwrap_or(0),
            with,
        ]);
        for place in 1..=COUNTED {
            self.values.push(small(places.iter().filter(|p| usize::from(**p) == place).count()));
        }
        let supposed = self.question.supposed.clone();
        for action in [supposed.last(), supposed.first().filter(|_| supposed.len() > 1)] {
            let role = action.and_then(|a| mentions(&[a], object).first().map(|m| (*a, m.role)));
            let place = role.map_or(0, |(action, role)| self.place(object, action, role));
            self.values.push(place);
        }
    }

    fn supposed(&mut self, role: usize) {
        let plan = self.plan.clone();
        let arg = self.question.supposed.last().and_then(|action| action.args().get(role));
        let Some(object) = arg.and_then(|arg| objects(arg).into_iter().next()) else {
            return self.values.extend([0; OF_SUPPOSED.len()]);
        };
        let last = mentions(&plan, &object).last().copied();
        let place = last.map_or(0, |m| self.place(&object, plan[m.at], m.role));
        self.values.extend([ago(plan.len(), last.map(|m| m.at)), place]);
    }

    /// The actions that name an object asked about, those supposed included, the last one first: when, and their
    /// patterns.
    fn touches(&self, asked: &[String]) -> Vec<(u8, String)> {
        let told = self.plan.iter().chain(self.question.supposed.iter().filter(|_| self.question.done));
        let all: Vec<&Term> = told.copied().collect();
        let touching = |action: &&Term| asked.iter().any(|object| action.mentions(object));
        let last = all.iter().enumerate().rev().filter(|(_, action)| touching(action));
        last.map(|(at, action)| (ago(all.len(), Some(at)), signature(action, asked))).collect()
    }

    fn whole(&mut self, query: &Term, asked: &[String], touches: &[(u8, String)]) {
        let (first, last) = (self.plan.first().copied(), self.plan.last().copied());
        let supposed = self.question.supposed.clone();
        let further = supposed.first().copied().filter(|_| supposed.len() > 1);
        let inner = form(self.question.asked);
        let touch = |n: usize| touches.get(n).map(|(_, signature)| signature.as_str());
        let named = asked.iter().filter(|object| self.plan.iter().any(|action| action.mentions(object)));
        let named = small(named.count());
        // The action that the question is about, where it is about one.
        let action = supposed.last().copied().unwrap_or(match self.question.asked.args() {
            [action] => action,
            _ => self.question.asked,
        });
        let done = self.plan.iter().rposition(|told| *told == action);
        let done = ago(self.plan.len(), done);
        let values = [
            self.of_family("form", &form(query)),
            self.of_family("pattern", &own_pattern(query)),
            self.of_family("inner", &inner),
            self.schema(supposed.last().copied()),
            self.schema(further),
            self.schema(last),
            self.schema(first),
            touch(0).map_or(0, |text| self.of_family("touch", text)),
            touch(1).map_or(0, |text| self.of_family("touch", text)),
            touches.first().map_or(NEVER, |(time, _)| *time),
            named,
            done,
            small(self.row.depth.max(0) as usize),
            small(self.row.level.max(0) as usize),
        ];
        self.values.extend(values);
        let plan = self.plan.clone();
        let schemas: Vec<u8> = plan.iter().map(|action| self.schema(Some(action))).collect();
        for schema in 1..=SCHEMAS {
            self.values.push(small(schemas.iter().filter(|s| usize::from(**s) == schema).count()));
        }
    }
}

/// The bag of a row, if it has actions, and a query that is a term.
pub fn bag(row: &Row, codes: &mut Codes) -> Option<Bag> {
    let query: Term = row.query.parse().ok()?;
    let plan: Vec<Term> = row.plan.iter().map(|action| action.parse().ok()).collect::<Option<_>>()?;
    if plan.is_empty() {
        return None;
    }
    let question = BagQuestion::of(&query);
    let asked = objects(question.asked);
    let mut packer =
        Packer { row, plan: plan.iter().collect(), question, codes, values: Vec::with_capacity(WIDTH) };
    for place in 0..OBJECTS {
        match asked.get(place) {
            Some(object) => packer.object(object, &asked),
            None => packer.values.extend([0; OF_OBJECT.len()]),
        }
    }
    (0..ROLES).for_each(|role| packer.supposed(role));
    let touches = packer.touches(&asked);
    packer.whole(&query, &asked, &touches);
    let told = !packer.question.initially;
    let what = if packer.question.done { own_pattern(packer.question.asked) } else { own_pattern(&query) };
    let touch = touches.first().filter(|_| told).map(|(_, signature)| {
        let mut kinds: Vec<&String> = Vec::new();
        touches.iter().for_each(|(_, kind)| {
            if !kinds.contains(&kind) {
                kinds.push(kind)
            }
        });
        Touch { last: hashed(&(&what, signature)) as u32, all: hashed(&(&what, kinds)) as u32 }
    });
    Some(Bag { values: packer.values.try_into().ok()?, touch })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(query: &str, plan: &[&str]) -> Row {
        let plan: Vec<String> = plan.iter().map(|action| (*action).to_owned()).collect();
        Row { domain: "blocks".into(), query: query.into(), plan: plan.into(), depth: 2, ..Row::default() }
    }

    #[test]
    fn names_are_told_apart_by_their_places_only() {
        let mut codes = Codes::default();
        let one = bag(&row("after(move(b1,b2),on(b1,b3))", &["move(b3,b1)", "move(b5,table)"]), &mut codes);
        let two = bag(&row("after(move(b9,b4),on(b9,b7))", &["move(b7,b9)", "move(b1,table)"]), &mut codes);
        assert!(one.is_some() && one == two);
        let other = bag(&row("after(move(b9,b4),on(b4,b7))", &["move(b7,b9)", "move(b1,table)"]), &mut codes);
        assert_ne!(one, other);
    }

    #[test]
    fn counts_and_times_are_those_of_the_story() {
        let mut codes = Codes::default();
        let plan = ["move(b1,b2)", "move(b2,table)", "move(b4,b5)"];
        let seen = bag(&row("on(b2,b3)", &plan), &mut codes).expect("a bag");
        // Of b2: two mentions, the last two steps ago, then as what is moved, at first as where.
        assert_eq!(seen.values[..2], [2, 2]);
        assert_ne!(seen.values[2], seen.values[3]);
        // Of b3: none.
        assert_eq!(seen.values[OF_OBJECT.len()..][..3], [0, NEVER, 0]);
        assert!(seen.touch.is_some());
        assert!(bag(&row("on(b8,b9)", &plan), &mut codes).expect("a bag").touch.is_none());
        assert!(bag(&row("initially(on(b1,b2))", &plan), &mut codes).expect("a bag").touch.is_none());
        assert!(bag(&row("on(b1,b2)", &[]), &mut codes).is_none() && columns().len() == WIDTH);
    }
}
