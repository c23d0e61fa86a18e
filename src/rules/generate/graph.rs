//! Settings to a rule graph: which rule uses the consequences of which, and the rules themselves.
//!
//! A graph is made in two steps. First its shape: a spine of rules as long as the requested depth, with further
//! branches and alternatives where the category has them; an edge leads one level down, so the shortest way
//! from the root to a rule is its level. Then predicates and rules: each branch gets a predicate of its own, so the
//! rules depend on each other as the shape says and in no other way.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::rules::datalog::syntax::{Arg, Atom, Rule, Vocabulary};
use crate::rules::generate::settings::{Category, RuleSettings};

/// A rule and what it uses.
#[derive(Clone, Debug)]
pub struct Node {
    /// The rule. All arguments of its head are different variables, numbered from 0.
    pub rule: Rule,
    /// Index of its component.
    pub component: usize,
    /// Rules on the way from the root, this one not counted.
    pub level: usize,
    /// For each body atom the nodes that derive it, if any do (apart from the rule itself).
    pub below: Vec<Vec<usize>>,
}

/// A connected component of a rule graph.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its category, never mixed.
    pub category: Category,
    /// The node of the root.
    pub root: usize,
    /// The most rules on a shortest way from the root to a leaf.
    pub depth: usize,
}

/// Rules and how they depend on each other.
#[derive(Clone, Debug)]
pub struct RuleGraph {
    /// All rules.
    pub nodes: Vec<Node>,
    /// The connected components.
    pub components: Vec<Component>,
    /// The predicates of the roots, ascending.
    pub targets: Vec<u32>,
    /// All predicates, named `p0`, `p1` and so on, and no constants but `c0`, `c1` and so on.
    pub vocabulary: Vocabulary,
}

impl RuleGraph {
    /// The rules alone, in the order of the nodes.
    pub fn rules(&self) -> Vec<Rule> {
        self.nodes.iter().map(|node| node.rule.clone()).collect()
    }
}

/// A rule before it has predicates: where it stands, and the branches below it.
#[derive(Clone, Debug)]
struct GraphDraft {
    level: usize,
    component: usize,
    /// Branches, by their numbers.
    branches: Vec<usize>,
    /// The branch it is an alternative of; none for a root.
    of: Option<usize>,
    recursive: bool,
}

#[derive(Default)]
struct GraphShape {
    drafts: Vec<GraphDraft>,
    /// The alternatives of each branch.
    branches: Vec<Vec<usize>>,
}

/// How often a branch leads to a predicate that another rule uses already.
const SHARING: f64 = 0.15;
/// How often a rule is recursive besides the one that must be.
const MORE_RECURSION: f64 = 0.2;
/// Tries to find the terms of one rule.
const RULE_TRIES: usize = 400;

impl GraphShape {
    fn add(&mut self, level: usize, component: usize, of: Option<usize>) -> usize {
        self.drafts.push(GraphDraft { level, component, branches: Vec::new(), of, recursive: false });
        self.drafts.len() - 1
    }

    fn branch(&mut self, above: usize) -> usize {
        let branch = self.branches.len();
        self.branches.push(Vec::new());
        let (level, component) = (self.drafts[above].level + 1, self.drafts[above].component);
        let node = self.add(level, component, Some(branch));
        self.branches[branch].push(node);
        self.drafts[above].branches.push(branch);
        node
    }

    /// Adds a branch to a rule that has one already, or to one that has none.
    fn widen(
        &mut self,
        component: usize,
        depth: usize,
        room: usize,
        second: bool,
        rng: &mut ChaCha8Rng,
    ) -> bool {
        let fits = |draft: &GraphDraft| {
            draft.component == component
                && draft.level + 1 < depth
                && draft.branches.len() < room
                && (!second || !draft.branches.is_empty())
        };
        let places: Vec<usize> = (0..self.drafts.len()).filter(|i| fits(&self.drafts[*i])).collect();
        let Some(place) = pick(&places, rng) else { return false };
        let level = self.drafts[place].level + 1;
        let others: Vec<usize> = (0..self.branches.len())
            .filter(|branch| {
                let draft = &self.drafts[self.branches[*branch][0]];
                draft.component == component
                    && draft.level == level
                    && !self.drafts[place].branches.contains(branch)
            })
            .collect();
        match pick(&others, rng).filter(|_| !second && rng.random_bool(SHARING)) {
            Some(shared) => self.drafts[place].branches.push(shared),
            None => _ = self.branch(place),
        }
        true
    }

    /// Adds an alternative to a branch.
    fn split(&mut self, component: usize, most: usize, rng: &mut ChaCha8Rng) -> bool {
        let fits = |branch: &Vec<usize>| branch.len() < most && self.drafts[branch[0]].component == component;
        let places: Vec<usize> = (0..self.branches.len()).filter(|i| fits(&self.branches[*i])).collect();
        let Some(place) = pick(&places, rng) else { return false };
        let level = self.drafts[self.branches[place][0]].level;
        let node = self.add(level, component, Some(place));
        self.branches[place].push(node);
        true
    }

    fn grow(
        &mut self,
        component: usize,
        category: Category,
        depth: usize,
        s: &RuleSettings,
        rng: &mut ChaCha8Rng,
    ) -> bool {
        let room = s.max_length;
        match category {
            Category::Chain => false,
            Category::Drdg if rng.random_bool(0.5) => {
                self.split(component, s.max_or, rng) || self.widen(component, depth, room, false, rng)
            }
            Category::Drdg => {
                self.widen(component, depth, room, false, rng) || self.split(component, s.max_or, rng)
            }
            Category::Rdg | Category::Mixed => self.widen(component, depth, room, false, rng),
        }
    }
}

fn pick(places: &[usize], rng: &mut ChaCha8Rng) -> Option<usize> {
    if places.is_empty() { None } else { Some(places[rng.random_range(0..places.len())]) }
}

/// Why a try came to nothing, with the parameters that may be to blame.
pub type Setback = String;

/// Makes a rule graph. `constants` is the number of constants that rules may name.
///
/// # Errors
/// Why this try failed; another one may do better.
pub fn rule_graph(s: &RuleSettings, constants: usize, rng: &mut ChaCha8Rng) -> Result<RuleGraph, Setback> {
    let (shape, categories, depths) = shape(s, rng)?;
    populate(s, &shape, categories, depths, constants, rng)
}

fn shape(s: &RuleSettings, rng: &mut ChaCha8Rng) -> Result<(GraphShape, Vec<Category>, Vec<usize>), Setback> {
    let mixed = s.category == Category::Mixed;
    let low = if mixed { s.components.low.max(2) } else { s.components.low };
    let count = rng.random_range(low..=s.components.high);
    let mut possible = vec![Category::Chain];
    possible.extend((s.max_length >= 2).then_some(Category::Rdg));
    possible.extend((s.max_or >= 2).then_some(Category::Drdg));
    let mut categories = vec![s.category; count];
    if mixed {
        // The first two differ; the rest are drawn, and so is the order.
        possible.shuffle(rng);
        categories = possible.iter().copied().take(2).collect();
        categories.extend((2..count).map(|_| possible[rng.random_range(0..possible.len())]));
        categories.shuffle(rng);
    }
    let mut depths: Vec<usize> = categories
        .iter()
        .map(|category| rng.random_range((if *category == Category::Chain { 1 } else { 2 })..=s.depth))
        .collect();
    let deepest = rng.random_range(0..count);
    depths[deepest] = s.depth;

    let mut shape = GraphShape::default();
    for (component, (category, depth)) in categories.iter().zip(&depths).enumerate() {
        let mut node = shape.add(0, component, None);
        for _ in 1..*depth {
            node = shape.branch(node);
        }
        let met = match category {
            Category::Chain | Category::Mixed => true,
            Category::Rdg => shape.widen(component, *depth, s.max_length, true, rng),
            Category::Drdg => shape.split(component, s.max_or, rng),
        };
        if !met {
            return Err(format!("a {category} of --depth {depth} needs a larger --max-length or --max-or"));
        }
    }
    match s.rules {
        None => {
            for (component, category) in categories.iter().enumerate() {
                for _ in 0..rng.random_range(0..=depths[component]) {
                    shape.grow(component, *category, depths[component], s, rng);
                }
            }
        }
        Some(span) => {
            let wanted = span.draw(rng);
            let mut order: Vec<usize> = (0..count).collect();
            while shape.drafts.len() < wanted {
                order.shuffle(rng);
                if !order.iter().any(|c| shape.grow(*c, categories[*c], depths[*c], s, rng)) {
                    break;
                }
            }
            if !(span.low..=span.high).contains(&shape.drafts.len()) {
                return Err(format!(
                    "--rules {} to {} cannot be met: --components {} of these depths came to {} rules; change --rules, \
                     --depth, --components, --max-length or --max-or",
                    span.low,
                    span.high,
                    count,
                    shape.drafts.len()
                ));
            }
        }
    }
    if s.recursive {
        for component in 0..count {
            let fits =
                |draft: &GraphDraft| draft.component == component && draft.branches.len() < s.max_length;
            let places: Vec<usize> = (0..shape.drafts.len()).filter(|i| fits(&shape.drafts[*i])).collect();
            let must = pick(&places, rng);
            for place in places {
                shape.drafts[place].recursive = must == Some(place) || rng.random_bool(MORE_RECURSION);
            }
        }
    }
    Ok((shape, categories, depths))
}

/// How many predicates stand by that no rule uses, so that there are irrelevant facts.
const SPARE: usize = 2;

fn populate(
    s: &RuleSettings,
    shape: &GraphShape,
    categories: Vec<Category>,
    depths: Vec<usize>,
    constants: usize,
    rng: &mut ChaCha8Rng,
) -> Result<RuleGraph, Setback> {
    let roots = if s.shared_target { 1 } else { categories.len() };
    let derived = roots + shape.branches.len();
    let all = s.predicates.unwrap_or(derived + shape.drafts.len().max(2) + SPARE);
    if all <= derived {
        return Err(format!(
            "--predicates {all} is too few: the rules derive {derived}, and at least one must be given; raise \
             --predicates or lower --depth, --components or --rules"
        ));
    }
    let base = (all - derived).saturating_sub(SPARE).max(1);
    let mut vocabulary = Vocabulary::default();
    let mut numbers: Vec<u32> = (0..all as u32).collect();
    let mut arities: Vec<usize> = (0..all).map(|_| s.arity.draw(rng)).collect();
    numbers.shuffle(rng);
    // Numbers go first to the roots, then to the branches, then to the given predicates.
    let base_numbers = numbers[derived..derived + base].to_vec();
    // Heads need enough positions in bodies.
    arities[base_numbers[0] as usize] = s.arity.high;
    for (number, arity) in arities.iter().enumerate() {
        _ = vocabulary.predicate(&format!("p{number}"), *arity);
    }
    // Where rules may name constants, these are the first ones of the pool.
    if s.terms.constant > 0.0 {
        (0..constants).for_each(|i| _ = vocabulary.constant(&format!("c{i}")));
    }
    let head_of = |draft: &GraphDraft| match draft.of {
        Some(branch) => numbers[roots + branch],
        None => numbers[if s.shared_target { 0 } else { draft.component }],
    };
    let mut nodes: Vec<Node> = Vec::new();
    for draft in &shape.drafts {
        let head = head_of(draft);
        let mut found = None;
        for _ in 0..RULE_TRIES {
            let mut body: Vec<(u32, Vec<usize>)> = draft
                .branches
                .iter()
                .map(|branch| (numbers[roots + branch], shape.branches[*branch].clone()))
                .collect();
            if draft.recursive {
                body.push((head, Vec::new()));
            }
            let length = rng.random_range(body.len().max(1)..=s.max_length.max(body.len()));
            while body.len() < length {
                body.push((base_numbers[rng.random_range(0..base)], Vec::new()));
            }
            body.shuffle(rng);
            let predicates: Vec<u32> = body.iter().map(|(predicate, _)| *predicate).collect();
            let Some(rule) = terms(s, head, &predicates, &vocabulary, constants, rng) else { continue };
            let same_head = nodes.iter().filter(|node: &&Node| node.rule.head.predicate == head);
            let mut redundant = same_head
                .map(|node| &node.rule)
                .map(|other| subsumes(other, &rule) || subsumes(&rule, other));
            if is_sound(&rule) && !redundant.any(|redundant| redundant) {
                found = Some((rule, body.into_iter().map(|(_, below)| below).collect()));
                break;
            }
        }
        let Some((rule, below)) = found else {
            return Err(format!(
                "no rule of at most {} body atoms came out connected, safe and without redundancy; change --max-length, \
                 --arity, --terms, --predicates or --recursive",
                s.max_length
            ));
        };
        nodes.push(Node { rule, component: draft.component, level: draft.level, below });
    }
    let mut components = Vec::new();
    for (component, (category, depth)) in categories.into_iter().zip(depths).enumerate() {
        let root = nodes.iter().position(|node| node.component == component && node.level == 0).unwrap_or(0);
        components.push(Component { category, root, depth });
    }
    let mut targets: Vec<u32> = components.iter().map(|c| nodes[c.root].rule.head.predicate).collect();
    targets.sort_unstable();
    targets.dedup();
    Ok(RuleGraph { nodes, components, targets, vocabulary })
}

/// Fills head and body with terms as section 4 describes: the variables of the head get positions in the
/// body, the other positions follow one by one.
fn terms(
    s: &RuleSettings,
    head: u32,
    body: &[u32],
    vocabulary: &Vocabulary,
    constants: usize,
    rng: &mut ChaCha8Rng,
) -> Option<Rule> {
    let arity = vocabulary.arity(head);
    let lengths: Vec<usize> = body.iter().map(|predicate| vocabulary.arity(*predicate)).collect();
    let positions: usize = lengths.iter().sum();
    if positions < arity {
        return None;
    }
    let mut order: Vec<usize> = (0..positions).collect();
    order.shuffle(rng);
    let mut filled: Vec<Option<Arg>> = vec![None; positions];
    for (variable, position) in order.iter().take(arity).enumerate() {
        filled[*position] = Some(Arg::Variable(variable as u32));
    }
    let mut next = arity as u32;
    let mut args: Vec<Arg> = Vec::with_capacity(positions);
    for place in filled {
        let arg = place.unwrap_or_else(|| {
            let earlier = next - arity as u32;
            let weights = [
                if arity > 0 { s.terms.head } else { 0.0 },
                if earlier > 0 { s.terms.earlier } else { 0.0 },
                if constants > 0 { s.terms.constant } else { 0.0 },
                s.terms.fresh,
            ];
            match draw(&weights, rng) {
                0 => Arg::Variable(rng.random_range(0..arity as u32)),
                1 => Arg::Variable(arity as u32 + rng.random_range(0..earlier)),
                2 => Arg::Constant(rng.random_range(0..constants as u32)),
                _ => {
                    next += 1;
                    Arg::Variable(next - 1)
                }
            }
        });
        args.push(arg);
    }
    let mut rest = args.as_slice();
    let mut atoms = Vec::new();
    for (predicate, length) in body.iter().zip(lengths) {
        let (front, back) = rest.split_at(length);
        atoms.push(Atom { predicate: *predicate, args: front.to_vec() });
        rest = back;
    }
    let args = (0..arity as u32).map(Arg::Variable).collect();
    Some(Rule { head: Atom { predicate: head, args }, body: atoms })
}

/// An index by its weight; the last where all are 0.
fn draw(weights: &[f64], rng: &mut ChaCha8Rng) -> usize {
    let sum: f64 = weights.iter().sum();
    let mut left = rng.random_range(0.0..1.0) * sum;
    for (i, weight) in weights.iter().enumerate() {
        if left < *weight {
            return i;
        }
        left -= weight;
    }
    weights.len() - 1
}

/// No tautology, no body atom that the others imply, and no cartesian product: the body hangs together by its
/// variables.
pub fn is_sound(rule: &Rule) -> bool {
    if rule.body.contains(&rule.head) {
        return false;
    }
    let mut reached = vec![false; rule.body.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut reached[at], true) {
            continue;
        }
        let shares = |other: &Atom| rule.body[at].variables().any(|v| other.variables().any(|o| o == v));
        open.extend((0..rule.body.len()).filter(|i| !reached[*i] && shares(&rule.body[*i])));
    }
    let grounded = rule.body.iter().any(|atom| atom.variables().next().is_none() && !atom.args.is_empty());
    let implied = |dropped: usize| {
        let mut shorter = rule.clone();
        shorter.body.remove(dropped);
        subsumes(rule, &shorter)
    };
    !grounded && reached.iter().all(|r| *r) && !(0..rule.body.len()).any(implied)
}

/// Does some substitution turn the head of `general` into that of `special` and its body into a part of the other's
/// body? Then whatever `special` derives, `general` derives.
pub fn subsumes(general: &Rule, special: &Rule) -> bool {
    let mut bindings: Vec<Option<Arg>> = vec![None; general.variables()];
    general.head.predicate == special.head.predicate
        && unify(&general.head, &special.head, &mut bindings).is_some()
        && embeds(&general.body, &special.body, &mut bindings)
}

/// Binds variables so that the atoms become equal; the newly bound ones, or none if that is impossible.
fn unify(general: &Atom, special: &Atom, bindings: &mut [Option<Arg>]) -> Option<Vec<u32>> {
    let mut fresh = Vec::new();
    let equal = general.args.len() == special.args.len()
        && general.args.iter().zip(&special.args).all(|(ours, theirs)| match *ours {
            Arg::Constant(_) => ours == theirs,
            Arg::Variable(variable) => match bindings[variable as usize] {
                Some(bound) => bound == *theirs,
                None => {
                    bindings[variable as usize] = Some(*theirs);
                    fresh.push(variable);
                    true
                }
            },
        });
    if equal {
        return Some(fresh);
    }
    fresh.into_iter().for_each(|variable| bindings[variable as usize] = None);
    None
}

fn embeds(general: &[Atom], special: &[Atom], bindings: &mut [Option<Arg>]) -> bool {
    let Some((first, rest)) = general.split_first() else { return true };
    special.iter().filter(|atom| atom.predicate == first.predicate).any(|atom| {
        let Some(fresh) = unify(first, atom, bindings) else { return false };
        let found = embeds(rest, special, bindings);
        if !found {
            fresh.into_iter().for_each(|variable| bindings[variable as usize] = None);
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::datalog::reader::{Syntax, read_rules};

    #[test]
    fn redundant_and_cartesian_bodies_are_seen() {
        for (text, sound) in [
            ("p(X,Y) :- q(X,Z),r(Z,Y).", true),
            ("p(X,Y) :- q(X,Z),r(W,Y).", false),
            ("p(X,Y) :- q(X,Y),q(X,Z).", false),
            ("p(X,Y) :- q(X,Y),q(Y,Z).", true),
            ("p(X,Y) :- q(X,Y),p(X,Y).", false),
            ("p(X,Y) :- p(Y,X).", true),
            ("p(X,Y) :- q(X,Y),r(a,a).", false),
            ("p(X,Y) :- q(X,Y),r(X,a).", true),
        ] {
            let read = read_rules(text, "t", Syntax::Auto, &mut Vocabulary::default()).expect(text);
            assert_eq!(is_sound(&read[0].rule), sound, "{text}");
        }
    }
}
