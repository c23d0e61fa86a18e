//! Settings to a data set: rules, training and evaluation facts with their provenance, and what was achieved.
//!
//! Facts come in three phases (section 4): support facts from instances of the rule graph; their consequences, by
//! clingo; then consequences and support facts are taken out, and noise is added. The rules are then tried on the
//! evaluation facts: clingo shows that no rule and no body atom could be dropped unnoticed. The training support begins
//! with near misses, so that the training facts, too, refute a rule without one of its atoms or with two arguments
//! swapped; which of these nothing refutes is listed.

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use serde::Serialize;

use crate::rules::datalog::closure::Closure;
use crate::rules::datalog::judge as referee;
use crate::rules::datalog::judge::Dispensable;
use crate::rules::datalog::syntax::{Fact, Rule, Vocabulary};
use crate::rules::error::RulesError;
use crate::rules::generate::graph::{RuleGraph, Setback, rule_graph};
use crate::rules::generate::instantiate::{Growth, Instances, Instantiation};
use crate::rules::generate::settings::{RuleSettings, Share, Targets};
use crate::rules::generate::wrong_rules::{Mistake, WrongRule, refuting, wrong_rules};

/// Tries before the settings count as impossible.
const TRIES: usize = 60;
/// Tries to find a rule set of which everything is needed, once there is one that is fine otherwise.
const IDENTIFIABLE_TRIES: usize = 12;
/// Rounds of near misses for one evaluation set.
const NEAR_MISS_ROUNDS: usize = 4;
/// Share of the training facts that near misses may be, and how many each wrong rule has if there is room.
const NEAR_MISS_SHARE: f64 = 0.3;
const NEAR_MISSES: usize = 2;
/// Training facts beyond which nobody looks for wrong rules that nothing refutes.
const MOST_TRIED: usize = 200_000;
/// Fewest target facts of a training set, so that shares of them can be hit.
const TARGET_FACTS: usize = 3;

/// Where a fact comes from and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Provenance {
    /// Given, in the training set.
    Support,
    /// Derived, in the training set.
    Consequence,
    /// Irrelevant or wrong, in the training set.
    Noise,
    /// Derived, and taken out to leave the world open.
    RemovedOpenWorld,
    /// Given, and taken out as noise.
    RemovedNoise,
}

impl Provenance {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Provenance::Support => "support",
            Provenance::Consequence => "consequence",
            Provenance::Noise => "noise+",
            Provenance::RemovedOpenWorld => "removed-open-world",
            Provenance::RemovedNoise => "removed-noise-",
        }
    }

    /// Is such a fact in the training set?
    pub fn stays(self) -> bool {
        matches!(self, Provenance::Support | Provenance::Consequence | Provenance::Noise)
    }
}

/// A fact with its history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// The fact.
    pub fact: Fact,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Least number of rules on a way of its proof from the support; 0 for given facts, -1 for noise.
    pub depth: i32,
}

/// A requested share and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Achieved {
    /// Facts taken out or put in.
    pub facts: usize,
    /// Of how many.
    pub of: usize,
    /// `facts / of`, 0 where there are none.
    pub share: f64,
    /// Is that within the request, as closely as whole numbers allow?
    pub met: bool,
}

impl Achieved {
    fn new(facts: usize, of: usize, requested: Share) -> Achieved {
        let share = if of == 0 { 0.0 } else { facts as f64 / of as f64 };
        Achieved { facts, of, share, met: requested.met(facts, of) }
    }
}

/// What the degrees came to. Where targets are separate, `open_world` and `noise` are about all other facts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Degrees {
    /// Consequences taken out.
    pub open_world: Achieved,
    /// Among the target facts.
    pub open_world_targets: Option<Achieved>,
    /// Support facts taken out.
    pub missing: Achieved,
    /// Noise in the training set.
    pub noise: Achieved,
    /// Noise among its target facts.
    pub noise_targets: Option<Achieved>,
}

impl Degrees {
    fn met(&self) -> bool {
        let targets = [self.open_world_targets, self.noise_targets];
        let all = [self.open_world, self.missing, self.noise];
        all.iter().chain(targets.iter().flatten()).all(|achieved| achieved.met)
    }
}

/// A rule set with facts to learn it from and to evaluate it on.
#[derive(Clone, Debug)]
pub struct RuleData {
    /// What was asked for.
    pub settings: RuleSettings,
    /// The rules and their graph; its vocabulary has all constants, too.
    pub graph: RuleGraph,
    /// Training facts, and those taken out of them.
    pub train: Vec<Traced>,
    /// Support facts of the evaluation.
    pub eval_support: Vec<Fact>,
    /// What follows from them, with proof depths.
    pub eval_derived: Vec<(Fact, u32)>,
    /// Rules and body atoms that could be dropped without a change on the evaluation facts.
    pub dispensable: Vec<Dispensable>,
    /// Rules with one mistake that no training fact speaks against; none if there are too many facts to look.
    pub unrefuted: Option<Vec<WrongRule>>,
    /// What the degrees came to.
    pub degrees: Degrees,
    /// Constants to choose from.
    pub constants: usize,
    /// The instances of the rule graphs that the training support was made of.
    pub instances: Instances,
}

impl RuleData {
    /// The rules alone.
    pub fn rules(&self) -> Vec<Rule> {
        self.graph.rules()
    }

    /// The names.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.graph.vocabulary
    }

    /// What holds by rules and support of the training set, taken out or not.
    pub fn true_facts(&self) -> HashSet<&Fact> {
        self.train.iter().filter(|t| t.provenance != Provenance::Noise).map(|t| &t.fact).collect()
    }

    /// Looks for wrong rules that the training facts do not refute.
    fn tried(mut self) -> RuleData {
        if self.train.len() > MOST_TRIED {
            return self;
        }
        let rules = self.rules();
        let holds = self.true_facts();
        let right = |traced: &&Traced| traced.provenance.stays() && traced.provenance != Provenance::Noise;
        let facts: Vec<&Fact> = self.train.iter().filter(right).map(|traced| &traced.fact).collect();
        let constants: Vec<u32> = (0..self.constants as u32).collect();
        let refuted = |wrong: &WrongRule| {
            let facts = facts.iter().copied();
            !refuting(wrong, facts, &holds, &constants, self.vocabulary().arities(), self.settings.seed)
                .is_empty()
        };
        let unrefuted = wrong_rules(&rules).into_iter().filter(|wrong| !refuted(wrong)).collect();
        self.unrefuted = Some(unrefuted);
        self
    }

    /// The number of training facts.
    pub fn train_len(&self) -> usize {
        self.train.iter().filter(|traced| traced.provenance.stays()).count()
    }
}

/// The shares of one data set, drawn.
struct DrawnShares {
    open_world: f64,
    missing: f64,
    noise: f64,
    facts: u64,
}

/// Makes a data set. The same settings give the same data set.
///
/// ```
/// use racgen::rules::generate::dataset::rule_data;
/// use racgen::rules::generate::settings::RuleSettings;
/// let data = rule_data(&RuleSettings::default()).unwrap();
/// assert_eq!(data.graph.nodes.len(), 2);
/// assert!((50..=100).contains(&data.train_len()));
/// ```
///
/// # Errors
/// [`RulesError::Settings`] if the settings exclude each other or no try met them; those of clingo.
pub fn rule_data(settings: &RuleSettings) -> Result<RuleData, RulesError> {
    settings.check()?;
    let mut setback = String::new();
    let mut spare: Option<RuleData> = None;
    for number in 0..TRIES {
        if spare.is_some() && number >= IDENTIFIABLE_TRIES {
            break;
        }
        match one_try(settings, number)? {
            Ok(data) if data.dispensable.is_empty() => return Ok(data.tried()),
            // Of two that are not fully identifiable, the first with fewest faults.
            Ok(data) => {
                if spare.as_ref().is_none_or(|best| data.dispensable.len() < best.dispensable.len()) {
                    spare = Some(data);
                }
            }
            Err(reason) => setback = reason,
        }
    }
    spare.map(RuleData::tried).ok_or_else(|| {
        RulesError::Settings(format!("no data set came of {TRIES} tries; in the last, {setback}"))
    })
}

fn one_try(s: &RuleSettings, number: usize) -> Result<Result<RuleData, Setback>, RulesError> {
    let number = number.to_string();
    let rng = |purpose: &str| stream(s.seed, &["rules", &number, purpose]);
    let drawn = draw(s, &mut rng("degrees"));
    let constants = s.constants.unwrap_or((drawn.facts as usize * 3 / 5).max(12));
    let mut graph = match rule_graph(s, constants, &mut rng("graph")) {
        Ok(graph) => graph,
        Err(setback) => return Ok(Err(setback)),
    };
    (0..constants).for_each(|i| _ = graph.vocabulary.constant(&format!("c{i}")));
    let rules = graph.rules();

    // The evaluation set comes first: it is small, and may show that these rules will not do.
    let wanted = s.eval_support.unwrap_or((drawn.facts as usize / 3).clamp(100, 10_000));
    let most = wanted as u64 * 30 + 2_000;
    let mut instantiation = Instantiation::new(&graph, s, constants as u32, most, rng("eval"));
    let enough = |closure: &Closure| {
        if closure.given_count() >= wanted { Growth::Enough } else { Growth::Wanting }
    };
    if let Err(setback) = instantiation.grow(enough) {
        return Ok(Err(setback));
    }
    for node in &graph.nodes {
        (0..node.rule.body.len()).for_each(|atom| _ = instantiation.near_miss(&node.rule, atom));
    }
    let mut dispensable = Vec::new();
    for round in 0..=NEAR_MISS_ROUNDS {
        let given: Vec<Fact> = instantiation.closure.given().collect();
        dispensable = referee::dispensable(&rules, &given)?;
        if dispensable.is_empty() || round == NEAR_MISS_ROUNDS {
            break;
        }
        for fault in &dispensable {
            let rule = &graph.nodes[fault.rule].rule;
            match fault.atom {
                Some(atom) => instantiation.near_miss(rule, atom),
                None => instantiation.example(rule),
            };
        }
    }
    let (eval_support, eval_derived) = certain(&rules, instantiation.closure)?;

    let grown = |near| train_facts(s, &graph, &drawn, constants, near, rng("train"));
    // Where near misses leave no room for the rest, they are left out.
    let grown = grown(Some(rng("train near misses"))).or_else(|_| grown(None));
    let ((support, derived), instances) = match grown {
        Ok((closure, instances)) => (certain(&rules, closure)?, instances),
        Err(setback) => return Ok(Err(setback)),
    };
    let (train, degrees) = match worsen(s, &graph, &drawn, constants, support, derived, &mut rng("noise")) {
        Ok(train) => train,
        Err(setback) => return Ok(Err(setback)),
    };
    let (low, high) = s.size.bounds();
    let count = train.iter().filter(|traced| traced.provenance.stays()).count() as u64;
    if !(low..=high).contains(&count) || !degrees.met() {
        return Ok(Err(format!(
            "{count} training facts missed --size {} or the shares of --open-world, --missing and --noise",
            s.size
        )));
    }
    Ok(Ok(RuleData {
        settings: s.clone(),
        graph,
        train,
        eval_support,
        eval_derived,
        dispensable,
        unrefuted: None,
        degrees,
        constants,
        instances,
    }))
}

fn draw(s: &RuleSettings, rng: &mut ChaCha8Rng) -> DrawnShares {
    let (low, high) = s.size.bounds();
    let margin = (high - low) / 10;
    DrawnShares {
        open_world: s.open_world.draw(rng),
        missing: s.missing.draw(rng),
        noise: s.noise.draw(rng),
        facts: s.facts.unwrap_or_else(|| rng.random_range(low + margin..=high - margin)),
    }
}

/// Given facts, and derived ones with their depths.
type Closed = (Vec<Fact>, Vec<(Fact, u32)>);

/// The given and the derived facts of a closure, after clingo has derived the same.
fn certain(rules: &[Rule], closure: Closure) -> Result<Closed, RulesError> {
    let given: Vec<Fact> = closure.given().collect();
    // Facts were derived between given ones; anew, with all given ones first, their depths are least.
    let mut again = closure.emptied(rules);
    given.iter().for_each(|fact| _ = again.give(fact));
    again.run("the original")?;
    let judged = referee::consequences(rules, &given)?;
    let total = again.given_count() + again.derived_count();
    let known = |fact: &&Fact| again.contains(fact.predicate, &fact.args);
    if judged.len() != total || !judged.iter().all(|fact| known(&fact)) {
        return Err(RulesError::Disagreement(format!("{} and {total} facts", judged.len())));
    }
    let derived = again.derived().collect();
    Ok((given, derived))
}

fn train_facts(
    s: &RuleSettings,
    graph: &RuleGraph,
    drawn: &DrawnShares,
    constants: usize,
    near: Option<ChaCha8Rng>,
    rng: ChaCha8Rng,
) -> Result<(Closure, Instances), Setback> {
    let (low, high) = s.size.bounds();
    let (low, high) = match s.facts {
        Some(facts) => (low.max(facts - facts / 10), high.min(facts + facts / 10)),
        None => (low, high),
    };
    // Rounding may move the outcome by a few facts.
    let aim = drawn.facts.min(high - 2).saturating_sub(2.max(drawn.facts / 500)).max(low + 1) as f64;
    let most = (high as f64 - 2.0).max(aim);
    let expected = move |closure: &Closure| {
        let given = closure.given_count() as f64 * (1.0 - drawn.missing);
        let derived = closure.derived_count() as f64 * (1.0 - drawn.open_world);
        (given + derived) / (1.0 - drawn.noise)
    };
    let bound = (high as f64 / (1.0 - drawn.missing.max(drawn.open_world))) as u64 + 10;
    let mut instantiation = match near {
        Some(near) => {
            let mut instantiation = Instantiation::new(graph, s, constants as u32, bound, near);
            near_misses(&mut instantiation, &graph.rules(), |closure| {
                expected(closure) < NEAR_MISS_SHARE * aim
            });
            instantiation.continued(rng)
        }
        None => Instantiation::new(graph, s, constants as u32, bound, rng),
    };
    let of_targets =
        |closure: &Closure| -> usize { graph.targets.iter().map(|target| closure.derived_of(*target)).sum() };
    instantiation.grow(|closure| match expected(closure) {
        size if size > most => Growth::Excess,
        size if size >= aim && of_targets(closure) >= TARGET_FACTS => Growth::Enough,
        _ => Growth::Wanting,
    })?;
    Ok((instantiation.closure, instantiation.instances))
}

/// Puts in facts that refute wrong rules, as long as there is room: first for atoms that are dropped.
fn near_misses(instantiation: &mut Instantiation, rules: &[Rule], room: impl Fn(&Closure) -> bool) {
    let mut wrong = wrong_rules(rules);
    wrong.sort_by_key(|wrong| matches!(wrong.mistake, Mistake::Swapped(..)));
    for _ in 0..NEAR_MISSES {
        for wrong in &wrong {
            if !room(&instantiation.closure) {
                return;
            }
            match wrong.mistake {
                Mistake::Dropped(atom) => _ = instantiation.near_miss(&rules[wrong.number], atom),
                Mistake::Swapped(..) => _ = instantiation.counterexample(&wrong.rule),
            }
        }
    }
}

/// Takes facts out and puts noise in.
fn worsen(
    s: &RuleSettings,
    graph: &RuleGraph,
    drawn: &DrawnShares,
    constants: usize,
    support: Vec<Fact>,
    derived: Vec<(Fact, u32)>,
    rng: &mut ChaCha8Rng,
) -> Result<(Vec<Traced>, Degrees), Setback> {
    let separate = s.targets == Targets::Separate;
    let is_target = |fact: &Fact| graph.targets.binary_search(&fact.predicate).is_ok();
    let mut facts: Vec<Traced> = support
        .into_iter()
        .map(|fact| Traced { fact, provenance: Provenance::Support, depth: 0 })
        .chain(derived.into_iter().map(|(fact, depth)| Traced {
            fact,
            provenance: Provenance::Consequence,
            depth: depth as i32,
        }))
        .collect();
    let of = |facts: &[Traced], provenance: Provenance, wanted: &dyn Fn(&Fact) -> bool| -> Vec<usize> {
        let fits = |i: &usize| facts[*i].provenance == provenance && wanted(&facts[*i].fact);
        (0..facts.len()).filter(fits).collect()
    };
    let mut remove =
        |facts: &mut [Traced], mut from: Vec<usize>, share: Share, drawn: f64, into: Provenance| {
            let count = share.of(from.len(), drawn);
            from.shuffle(rng);
            from.iter().take(count).for_each(|i| facts[*i].provenance = into);
            Achieved::new(count, from.len(), share)
        };
    let open = Provenance::RemovedOpenWorld;
    let others = of(&facts, Provenance::Consequence, &|fact| !separate || !is_target(fact));
    let open_world = remove(&mut facts, others, s.open_world, drawn.open_world, open);
    let open_world_targets = separate.then(|| {
        let targets = of(&facts, Provenance::Consequence, &|fact| is_target(fact));
        remove(&mut facts, targets, s.open_world, drawn.open_world, open)
    });
    let given = of(&facts, Provenance::Support, &|_| true);
    let missing = remove(&mut facts, given, s.missing, drawn.missing, Provenance::RemovedNoise);

    let mut known: HashSet<Fact> = facts.iter().map(|traced| traced.fact.clone()).collect();
    let staying = |facts: &[Traced], target: bool| {
        facts.iter().filter(|t| t.provenance.stays() && is_target(&t.fact) == target).count()
    };
    let (target_base, other_base) = (staying(&facts, true), staying(&facts, false));
    let arities = graph.vocabulary.arities();
    let all: Vec<u32> = (0..arities.len() as u32).collect();
    let (targets, others): (Vec<u32>, Vec<u32>) =
        all.iter().partition(|predicate| graph.targets.binary_search(predicate).is_ok());
    let mut add = |facts: &mut Vec<Traced>, predicates: &[u32], count: usize| -> Result<(), Setback> {
        for _ in 0..count {
            let mut tries = 0;
            loop {
                let predicate = predicates.get(rng.random_range(0..predicates.len().max(1)));
                let Some(predicate) = predicate.copied().filter(|_| tries < 200) else {
                    return Err(format!(
                        "there are too few ground atoms left for --noise {}; raise --constants or --predicates",
                        drawn.noise
                    ));
                };
                let draw = |_| rng.random_range(0..constants as u32);
                let args: Box<[u32]> = (0..arities[predicate as usize]).map(draw).collect();
                let fact = Fact { predicate, args };
                if known.insert(fact.clone()) {
                    facts.push(Traced { fact, provenance: Provenance::Noise, depth: -1 });
                    break;
                }
                tries += 1;
            }
        }
        Ok(())
    };
    let (noise, noise_targets);
    if separate {
        let count = s.noise.beside(other_base, drawn.noise);
        add(&mut facts, &others, count)?;
        noise = Achieved::new(count, other_base + count, s.noise);
        let count = s.noise.beside(target_base, drawn.noise);
        add(&mut facts, &targets, count)?;
        noise_targets = Some(Achieved::new(count, target_base + count, s.noise));
    } else {
        let base = target_base + other_base;
        let count = s.noise.beside(base, drawn.noise);
        add(&mut facts, &all, count)?;
        noise = Achieved::new(count, base + count, s.noise);
        noise_targets = None;
    }
    Ok((facts, Degrees { open_world, open_world_targets, missing, noise, noise_targets }))
}

/// Counts by predicate.
pub fn by_predicate<'f>(facts: impl Iterator<Item = &'f Fact>) -> HashMap<u32, usize> {
    let mut counts = HashMap::default();
    facts.for_each(|fact| *counts.entry(fact.predicate).or_default() += 1);
    counts
}
