//! Numbers of traces to the traces, many at once in the lanes of a game's circuits.
//!
//! Each trace has random numbers of its own and draws them in the order in which the network would, so that nothing shows who
//! played it.

use racgen_logic::evaluate::circuit::{CircuitOutput, LaneChoice};
use racgen_logic::evaluate::lanes::Word;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::games::play::circuit::{GameCircuits, numbers};

/// One state of a trace, by number and in order.
#[derive(Debug)]
pub(crate) struct LaneState {
    pub(crate) fluents: Vec<u32>,
    pub(crate) legal: Vec<u32>,
    pub(crate) goals: Vec<u32>,
    pub(crate) terminal: bool,
    /// In a terminal state the fluents that the rules for next yield when nothing is done.
    pub(crate) idle: Vec<u32>,
}

/// A trace: its states, and the moves between them.
#[derive(Debug, Default)]
pub(crate) struct LaneTrace {
    pub(crate) states: Vec<LaneState>,
    pub(crate) moves: Vec<Vec<u32>>,
    /// Did it stop where a role had no legal move?
    pub(crate) stuck: bool,
}

/// Plays a trace with each of these streams of random numbers, for so many steps at most; no more traces than there are
/// lanes.
pub(crate) fn lane_traces<const L: usize>(
    circuits: &GameCircuits,
    initial: &[u32],
    dice: &mut [ChaCha8Rng],
    steps: u32,
) -> Vec<LaneTrace> {
    let lanes = dice.len();
    let mut found: Vec<LaneTrace> = (0..lanes).map(|_| LaneTrace::default()).collect();
    let mut values = circuits.values::<L>();
    let options = circuits.first_move.windows(2).map(|pair| pair[1] - pair[0]);
    let mut choices: Vec<LaneChoice<L>> = options.map(LaneChoice::new).collect();
    let mut active = Word::<L>::first(lanes);
    initial.iter().for_each(|fluent| values.set(*fluent as usize, active));
    let fluents: Vec<CircuitOutput> = (0..circuits.fluents).map(|place| circuits.input(place)).collect();
    for step in 0.. {
        circuits.find_ends(&mut values);
        let terminal = values.get(circuits.terminal) & active;
        circuits.find_goals(&mut values);
        let goals = numbers(&values, &circuits.goals, active, lanes);
        let mut idle = vec![Vec::new(); lanes];
        if !terminal.is_none() {
            circuits.find_idle(&mut values);
            idle = numbers(&values, &circuits.idle, terminal, lanes);
        }
        circuits.find_legal(&mut values);
        let legal = numbers(&values, &circuits.legal, active, lanes);
        let holding = numbers(&values, &fluents, active, lanes);
        let lists = goals.into_iter().zip(idle).zip(legal.into_iter().zip(holding)).enumerate();
        for (lane, ((goals, idle), (legal, fluents))) in lists.filter(|(lane, _)| active.get(*lane)) {
            let terminal = terminal.get(lane);
            found[lane].states.push(LaneState { fluents, legal, goals, terminal, idle });
        }
        active = active & !terminal;
        if step == steps || active.is_none() {
            return found;
        }
        let mut made: Vec<Vec<Word<L>>> = Vec::with_capacity(choices.len());
        for (choice, moves) in choices.iter_mut().zip(circuits.first_move.windows(2)) {
            let legal = &circuits.legal[moves[0]..moves[1]];
            let mut chosen = vec![Word::NONE; legal.len()];
            // Who has no legal move is stuck: nobody draws for that trace any more.
            let any = choice.choose(
                |option| values.get(legal[option]) & active,
                |lane, below| if below > 1 { dice[lane].random_range(0..below) } else { 0 },
                &mut chosen,
            );
            (active & !any).lanes().for_each(|lane| found[lane].stuck = true);
            active = active & any;
            made.push(chosen);
        }
        active.lanes().for_each(|lane| found[lane].moves.push(Vec::with_capacity(made.len())));
        for (place, chosen) in made.into_iter().flatten().enumerate() {
            for lane in (chosen & active).lanes() {
                if let Some(moves) = found[lane].moves.last_mut() {
                    moves.push(place as u32);
                }
            }
            values.set(circuits.fluents + place, chosen);
        }
        circuits.find_next(&mut values);
        let next: Vec<Word<L>> = circuits.next.iter().map(|output| values.get(*output)).collect();
        next.into_iter().enumerate().for_each(|(place, word)| values.set(place, word));
    }
    found
}
