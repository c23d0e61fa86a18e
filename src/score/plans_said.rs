//! A predicted plan to what comes of it: it is read in any phrasing of the domain's phrase book, numbered, one action a line
//! or in running text, or as ground terms, and carried out by clingo.

use std::fmt;
use std::time::Duration;

use racgen_data::row::Row;
use racgen_logic::term::Term;

use crate::audit::reread::domains::origin::parameters;
use crate::domain::catalogue::Catalogue;
use crate::domain::package::Package;
use crate::factory::further::judging_searches::altered;
use crate::factory::further::search_families::NEW_PLAN;
use crate::factory::further::telling::ACTIONS;
use crate::score::statements_said::{StatementReader, parts};
use crate::simulate::layout::Layout;
use crate::simulate::search::costs::{COSTS, KindCost, kinds, prices, total};
use crate::simulate::search::goal::{GOAL, GoalFact, NEGATION, is_met};
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// The type of answers that are plans.
pub const PLAN: &str = "plan";
/// Longer predictions than this are not read.
const LONGEST: usize = 20_000;
/// How long a call of the solver may take.
const LIMIT: Duration = Duration::from_secs(60);
/// What joins actions in running text; the longer ones first.
const JOINTS: [&str; 8] =
    [", and then ", ", after that ", ", then ", " and then ", ", and ", ", ", " and ", " "];
/// What may stand before an action.
const LEADS: [&str; 16] = [
    "after that, ",
    "after that ",
    "afterwards, ",
    "first, ",
    "second, ",
    "third, ",
    "finally, ",
    "lastly, ",
    "next, ",
    "then, ",
    "first ",
    "finally ",
    "lastly ",
    "next ",
    "then ",
    "and ",
];

/// What comes of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanVerdict {
    /// It leads to the goal.
    Reaches {
        /// Its number of actions.
        actions: usize,
        /// The fewest with which there is a way.
        fewest: usize,
        /// The most that the question allows.
        most: usize,
    },
    /// It leads to the goal, where actions have costs.
    Costs {
        /// What it costs.
        cost: usize,
        /// The least cost of a way.
        least: usize,
    },
    /// Something in it is no action of the story's world.
    Unreadable(String),
    /// An action cannot be carried out when its turn comes; its number, from 1, and its term.
    Fails(usize, String),
    /// It can be carried out and misses this part of the goal.
    Misses(String),
    /// The row's world cannot be set up, so nothing is known.
    NoWorld(String),
}

impl PlanVerdict {
    /// Does the plan lead to the goal?
    pub fn succeeds(&self) -> bool {
        matches!(self, PlanVerdict::Reaches { .. } | PlanVerdict::Costs { .. })
    }

    /// Does it with the fewest actions, or at the least cost where they have costs?
    pub fn is_optimal(&self) -> bool {
        match self {
            PlanVerdict::Reaches { actions, fewest, .. } => actions == fewest,
            PlanVerdict::Costs { cost, least } => cost == least,
            _ => false,
        }
    }

    /// Does it with as many actions as the question allows, or at the least cost where they have costs?
    pub fn is_right(&self) -> bool {
        match self {
            PlanVerdict::Reaches { actions, most, .. } => actions <= most,
            PlanVerdict::Costs { cost, least } => cost <= least,
            _ => false,
        }
    }
}

impl fmt::Display for PlanVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanVerdict::Reaches { actions, most, .. } if actions > most => {
                write!(f, "the plan reaches the goal with {actions} actions, and {most} are allowed")
            }
            PlanVerdict::Reaches { actions, fewest, .. } => {
                write!(f, "the plan reaches the goal with {actions} actions; the fewest are {fewest}")
            }
            PlanVerdict::Costs { cost, least } => {
                write!(f, "the plan reaches the goal at a cost of {cost}; the least is {least}")
            }
            PlanVerdict::Unreadable(part) => write!(f, "\"{part}\" is no action of the story's world"),
            PlanVerdict::Fails(step, action) => {
                write!(f, "action {step}, `{action}`, cannot be carried out when its turn comes")
            }
            PlanVerdict::Misses(literal) => write!(f, "the goal is missed: `{literal}` is not so at the end"),
            PlanVerdict::NoWorld(why) => write!(f, "the world of the item cannot be set up: {why}"),
        }
    }
}

/// The world of a row, ready to carry out actions.
struct PlayedWorld {
    key: String,
    engine: TransitionSystem,
}

/// Judges plans of the domains of a catalogue.
pub struct PlanReader<'c> {
    statements: StatementReader<'c>,
    /// The world of the row before, which most rows share with the next.
    world: Option<PlayedWorld>,
}

impl<'c> PlanReader<'c> {
    /// A reader of the domains of a catalogue.
    pub fn new(catalogue: &'c Catalogue) -> PlanReader<'c> {
        PlanReader { statements: StatementReader::new(catalogue), world: None }
    }

    /// What comes of a predicted plan.
    pub fn verdict(&mut self, text: &str, row: &Row) -> PlanVerdict {
        if text.len() > LONGEST {
            return PlanVerdict::Unreadable(text.chars().take(60).collect());
        }
        match self.carried_out(text, row) {
            Ok(verdict) => verdict,
            Err(why) => PlanVerdict::NoWorld(why),
        }
    }

    fn carried_out(&mut self, text: &str, row: &Row) -> Result<PlanVerdict, String> {
        let package = self.statements.package(&row.domain).ok_or("its domain is not found")?;
        let facts: Vec<Term> =
            row.facts.iter().map(|fact| fact.parse::<Term>()).collect::<Result<_, _>>().map_err(words)?;
        let (layout, fluents) = Layout::from_facts(package, row.level, facts).map_err(words)?;
        let mut last = Err("its plan cannot be carried out".to_owned());
        for parameters in parameters(package, row, &layout) {
            let layout = Layout { parameters, ..layout.clone() };
            let mut world = PlayedWorld::of(package, layout, self.world.take())?;
            let start = world.after(&fluents, row);
            let engine = &world.engine;
            let goal = start.is_some().then(|| goal_of(row, engine)).transpose()?;
            if let (Some(start), Some(goal)) = (start, goal) {
                last = Ok((start, goal));
                self.world = Some(world);
                break;
            }
            self.world = Some(world);
        }
        let (start, goal) = last?;
        let Some(world) = self.world.as_mut() else { return Err("there is none".to_owned()) };
        let engine = &mut world.engine;
        let mut here = match change_of(row, engine)? {
            Some(changed) => {
                let there = engine.consider(&altered(&start, &changed), None).map_err(words)?;
                there.ok_or("what it says to have changed cannot be so")?.0.situation
            }
            None => start,
        };
        let mut done = Vec::new();
        for part in parts(text) {
            let actions = match said(&mut self.statements, &part, row, engine) {
                Some(actions) => actions,
                // "Here is the plan:" says nothing.
                None if part.ends_with(':') => continue,
                None => return Ok(PlanVerdict::Unreadable(part)),
            };
            for action in actions {
                // Of several actions that a wording may mean, one that is possible is meant.
                let mut next = None;
                for candidate in fitting(&action, engine) {
                    next = engine.step(&here, candidate).map_err(words)?.map(|next| (candidate, next));
                    if next.is_some() {
                        break;
                    }
                }
                match next {
                    Some((candidate, next)) => {
                        done.push(candidate);
                        here = next.situation;
                    }
                    None => return Ok(PlanVerdict::Fails(done.len() + 1, action.to_string())),
                }
            }
        }
        if let Some(missed) = goal.iter().find(|literal| !is_met(&[**literal], &here)) {
            let fluent = &engine.fluents[missed.0];
            let literal = if missed.1 { fluent.to_string() } else { format!("{NEGATION}({fluent})") };
            return Ok(PlanVerdict::Misses(literal));
        }
        if let Some(listed) = costs_of(row, engine)? {
            let package = self.statements.package(&row.domain).ok_or("its domain is not found")?;
            let prices = prices(&kinds(package, &engine.actions), &listed);
            let action = |term: &String| {
                engine
                    .actions
                    .binary_search(&term.parse().map_err(words)?)
                    .map_err(|_| format!("`{term}` is no action there"))
            };
            let gold: Vec<usize> = row.gold.iter().map(action).collect::<Result<_, String>>()?;
            return Ok(PlanVerdict::Costs { cost: total(&done, &prices), least: total(&gold, &prices) });
        }
        let fewest = row.gold.len();
        Ok(PlanVerdict::Reaches { actions: done.len(), fewest, most: most_of(row).unwrap_or(fewest) })
    }
}

fn words(error: impl fmt::Display) -> String {
    error.to_string()
}

/// The goal of a row's query, which comes after those of ways that are shown.
fn goal_of(row: &Row, engine: &TransitionSystem) -> Result<Vec<GoalFact>, String> {
    let query: Term = row.query.parse().map_err(words)?;
    let goal = query.args().iter().rfind(|argument| argument.functor() == GOAL);
    literals(goal.ok_or("its query has no goal")?, engine)
}

/// What changes after the told actions, where a query says so, before its goal.
fn change_of(row: &Row, engine: &TransitionSystem) -> Result<Option<Vec<GoalFact>>, String> {
    let query: Term = row.query.parse().map_err(words)?;
    let changed = query.args().first().filter(|_| query.functor() == NEW_PLAN);
    changed.map(|changed| literals(changed, engine)).transpose()
}

/// The facts of a goal.
fn literals(goal: &Term, engine: &TransitionSystem) -> Result<Vec<GoalFact>, String> {
    let literal = |term: &Term| {
        let (fluent, truth) = if term.is(NEGATION, 1) { (&term.args()[0], false) } else { (term, true) };
        let place = engine.fluents.binary_search(fluent);
        place.map(|place| (place, truth)).map_err(|_| format!("`{fluent}` is no fluent there"))
    };
    goal.args().iter().map(literal).collect()
}

/// What kinds of actions cost, where a query says so.
fn costs_of(row: &Row, engine: &TransitionSystem) -> Result<Option<Vec<KindCost>>, String> {
    let query: Term = row.query.parse().map_err(words)?;
    let Some(listed) = query.args().iter().find(|argument| argument.functor() == COSTS) else {
        return Ok(None);
    };
    let one = |term: &Term| match term.args() {
        [action, Term::Number(cost)] => {
            let place = engine.actions.binary_search(action);
            let place = place.map_err(|_| format!("`{action}` is no action there"))?;
            Ok((place, usize::try_from(*cost).unwrap_or(0)))
        }
        _ => Err(format!("`{term}` is no cost")),
    };
    listed.args().iter().map(one).collect::<Result<_, String>>().map(Some)
}

/// The most actions that a query allows, where it says so.
fn most_of(row: &Row) -> Option<usize> {
    let query: Term = row.query.parse().ok()?;
    query.args().iter().find_map(|argument| match argument {
        Term::Number(number) => usize::try_from(*number).ok(),
        // No more than are shown for another goal.
        shown if shown.functor() == ACTIONS => Some(shown.args().len()),
        _ => None,
    })
}

/// The actions that fit a term, in which a wording may leave places open.
fn fitting(wanted: &Term, engine: &TransitionSystem) -> Vec<usize> {
    let open = |a: &Term, b: &Term| a.is("_", 0) || a == b;
    let fits = |action: &Term| {
        action.is(wanted.functor(), wanted.args().len())
            && wanted.args().iter().zip(action.args()).all(|(a, b)| open(a, b))
    };
    (0..engine.actions.len()).filter(|action| fits(&engine.actions[*action])).collect()
}

/// The actions that a piece of text says, one or several.
fn said(
    statements: &mut StatementReader,
    text: &str,
    row: &Row,
    engine: &TransitionSystem,
) -> Option<Vec<Term>> {
    let text = led(text).trim().trim_end_matches(['.', ',']);
    let one = |statements: &mut StatementReader, text: &str| {
        let given = text.parse::<Term>().ok().filter(|term| !fitting(term, engine).is_empty());
        let term = given.or_else(|| statements.term(text, row, true))?;
        (!fitting(&term, engine).is_empty()).then_some(term)
    };
    if let Some(term) = one(statements, text) {
        return Some(vec![term]);
    }
    for joint in JOINTS {
        for (at, _) in text.match_indices(joint) {
            let (first, rest) = (led(&text[..at]), &text[at + joint.len()..]);
            if let Some(term) = one(statements, first.trim())
                && let Some(others) = said(statements, rest, row, engine)
            {
                return Some([vec![term], others].concat());
            }
        }
    }
    None
}

/// A piece of text without what only leads to its action.
fn led(text: &str) -> &str {
    let text = text.trim();
    let lead = LEADS
        .iter()
        .find(|lead| text.get(..lead.len()).is_some_and(|start| start.eq_ignore_ascii_case(lead)));
    lead.map_or(text, |lead| led(&text[lead.len()..]))
}

impl PlayedWorld {
    /// The world of a layout, unless it is the one that is known.
    fn of(package: &Package, layout: Layout, known: Option<PlayedWorld>) -> Result<PlayedWorld, String> {
        let (program, bare) = (layout.step_program(package), layout.bare_step_program(package));
        let key = format!("{} {:?} {}", package.name, layout.parameters, layout.facts(package).text);
        match known.filter(|known| known.key == key) {
            Some(known) => Ok(known),
            None => Ok(PlayedWorld {
                engine: TransitionSystem::by_clingo(program, Some(&bare), LIMIT).map_err(words)?,
                key,
            }),
        }
    }

    /// The situation after the told actions; none where they cannot be carried out.
    fn after(&mut self, fluents: &[Term], row: &Row) -> Option<Situation> {
        let engine = &mut self.engine;
        let mut start = BitSet::new(engine.fluents.len());
        for fluent in fluents {
            start.insert(engine.fluents.binary_search(fluent).ok()?);
        }
        let mut here = engine.consider(&start, None).ok()??.0.situation;
        for action in row.plan.iter() {
            let action = action.parse::<Term>().ok()?;
            let action = engine.actions.binary_search(&action).ok()?;
            here = engine.step(&here, action).ok()??.situation;
        }
        Some(here)
    }
}
