//! A game for one to a plan that clingo finds: the ground rules of a step, once for each time.
//!
//! clingo is asked for the best goal value first, then for lesser ones. Its ticks are its choices and conflicts. Where
//! a plan would take more ground rules than 100,000, and in games for two, moves are drawn at random.

use std::fmt::Write as _;
use std::time::Duration;

use racgen_logic::clingo::{Program, Source};
use racgen_logic::ground::{Body, GroundRule, Literal};
use rand::rngs::ChaCha8Rng;

use crate::games::play::ground_game::{GroundTruth, Whole};
use crate::iq::play::agents::agent::{AgentView, Decided, Decision, IqAgent, Loss, Phase};
use crate::iq::play::choosing::random;
use crate::iq::play::table::GameTable;

/// Ground rules of a plan, at most.
const MOST_RULES: u64 = 100_000;
/// How long clingo may search for one value. What takes longer is given up, which a slow machine may do sooner; the
/// games of the grammar take milliseconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// Plans.
#[derive(Debug)]
pub struct Planner {
    rng: ChaCha8Rng,
    /// The moves of the plan, once there is one.
    plan: Option<Vec<u32>>,
}

impl Planner {
    /// With random numbers for where there is no plan.
    pub fn new(rng: ChaCha8Rng) -> Planner {
        Planner { rng, plan: None }
    }
}

impl IqAgent for Planner {
    fn decide(&mut self, view: &AgentView) -> Result<Decided, Loss> {
        if view.phase == Phase::Learning {
            return Ok(Decided::after(0, Decision::Switch));
        }
        let mut ticks = 1;
        if self.plan.is_none() {
            let found = plan(view.table, &mut ticks);
            self.plan = Some(found.unwrap_or_default());
        }
        let planned = self.plan.as_ref().and_then(|plan| plan.get(view.step as usize)).copied();
        let planned = planned.filter(|made| view.legal.contains(made));
        let made = planned.or_else(|| random(view.board, view.role, &mut self.rng));
        Ok(Decided::moving(ticks, made))
    }

    fn knows_rules(&self) -> bool {
        true
    }
}

/// The best plan; none in a game for two, one that is too large, and where clingo fails.
fn plan(table: &GameTable, ticks: &mut u64) -> Option<Vec<u32>> {
    let horizon = table.grammar.derived.horizon;
    if table.roles() != 1 || table.step_ticks() * u64::from(horizon + 1) > MOST_RULES {
        return None;
    }
    let whole = table.whole();
    let program =
        Program { sources: vec![Source::new("plan.lp", plan_program(whole, horizon))], ..Program::default() };
    let mut search = program.search(&[("do", 2), ("worth", 1)], None, PATIENCE).ok()?;
    let (mut worth, mut done) = (Vec::new(), Vec::new());
    for (term, atom) in search.atoms() {
        let number = |place: usize| term.args().get(place).and_then(|n| n.to_string().parse::<u32>().ok());
        match (term.functor(), number(0), number(1)) {
            ("worth", Some(value), _) => worth.push((value, atom)),
            ("do", Some(made), Some(time)) => done.push((time, made, atom)),
            _ => {}
        }
    }
    worth.sort_unstable_by(|a, b| b.cmp(a));
    for (_, atom) in worth {
        // A fact needs no assumption; what is in no rule is never true.
        let assume: Vec<(u32, bool)> = match atom {
            Some(0) => continue,
            Some(atom) => vec![(atom, true)],
            None => Vec::new(),
        };
        let found = search.truth(&assume, 1);
        *ticks += search.effort().unwrap_or(0);
        if let Some(truth) = found.ok()?.into_iter().next() {
            let mut moves: Vec<(u32, u32)> = Vec::new();
            for (time, made, atom) in &done {
                if atom.is_none_or(|atom| truth.holds(atom)) {
                    moves.push((*time, *made));
                }
            }
            moves.sort_unstable();
            return Some(moves.into_iter().map(|(_, made)| made).collect());
        }
    }
    None
}

/// The program: `h(A,T)` says that the atom A holds at time T, `do(M,T)` that the move M is made then, `worth(V)` that the
/// goal is worth V where the game is over first.
fn plan_program(whole: &Whole, horizon: u32) -> String {
    let mut text = format!("time(0..{horizon}).\n");
    let literal = |literal: &Literal| {
        let not = if literal.positive() { "" } else { "not " };
        format!("{not}h({},T)", literal.atom())
    };
    let rules = whole.ground.rules.iter();
    for GroundRule { head, body, .. } in rules.filter(|rule| !rule.choice) {
        let body = match body {
            Body::All(literals) => literals.iter().map(literal).collect::<Vec<_>>().join(", "),
            Body::Sum(bound, weighted) => {
                let terms = weighted.iter().enumerate();
                let terms =
                    terms.map(|(number, (of, weight))| format!("{weight},{number} : {}", literal(of)));
                format!("#sum{{ {} }} >= {bound}", terms.collect::<Vec<_>>().join("; "))
            }
        };
        let head = head.iter().map(|atom| format!("h({atom},T)")).collect::<Vec<_>>().join("; ");
        let comma = if body.is_empty() { "" } else { ", " };
        let _ = writeln!(text, "{head} :- time(T){comma}{body}.");
    }
    let truth = |text: &mut String, head: &str, truth: GroundTruth| {
        let _ = match truth {
            GroundTruth::Never => Ok(()),
            GroundTruth::Always => writeln!(text, "{head} :- time(T)."),
            GroundTruth::Atom(atom) => writeln!(text, "{head} :- time(T), h({atom},T)."),
        };
    };
    for (fluent, (holds, next)) in whole.atoms.holds.iter().zip(&whole.atoms.next).enumerate() {
        let Some(holds) = holds else { continue };
        if whole.initial.contains(&(fluent as u32)) {
            let _ = writeln!(text, "h({holds},0).");
        }
        truth(&mut text, &format!("h({holds},T+1)"), *next);
    }
    for (made, (occ, legal)) in whole.atoms.occ.iter().zip(&whole.atoms.legal).enumerate() {
        truth(&mut text, &format!("can({made},T)"), *legal);
        if let Some(occ) = occ {
            let _ = writeln!(text, "h({occ},T) :- do({made},T).");
        }
    }
    truth(&mut text, "over(T)", whole.atoms.terminal);
    for ((_, value), goal) in whole.goals.iter().zip(&whole.atoms.goals) {
        truth(&mut text, &format!("goal({value},T)"), *goal);
    }
    text += "#defined can/2.\n#defined goal/2.\n#defined over/1.\n\
             stopped(T) :- over(T).\nstopped(T+1) :- stopped(T), time(T+1).\n\
             first(T) :- over(T), not stopped(T-1).\nfirst(0) :- over(0).\n\
             { do(M,T) : can(M,T) } = 1 :- time(T), not stopped(T).\n\
             worth(V) :- first(T), goal(V,T).\n";
    text
}
