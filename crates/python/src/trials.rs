//! A sampled game that Python plays: a trial of `racgen iq` on a thread of its own, which waits for each decision.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError, RwLockReadGuard};
use std::thread::Builder;

use pyo3::exceptions::PyRuntimeError;
use pyo3::{PyResult, Python, pyclass, pymethods};
use racgen::iq::grammar::code::printed;
use racgen::iq::play::agents::agent::{AgentView, Decided, Decision, IqAgent, Loss};
use racgen::iq::play::telling::GameTelling;
use racgen::iq::play::trial::{TrialClock, trial};
use racgen::iq::sample::sampler::{SampledGame, Sampler};
use racgen_logic::seed::stream;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::failure::CallFailure;
use crate::forks::busy;
use crate::waiting::{STACK, hear};

/// What is said of a trial: what the agent sees, or how the trial ended; as JSON objects.
type TrialNews = (Option<String>, Option<String>);

/// What the thread of a trial is asked.
enum TrialOrder {
    /// The place of a legal move, or the switch, and the milliseconds that the choice took.
    Choose(Option<usize>, u64),
    /// Begin the trial anew.
    Anew,
}

/// An order, and who waits for what comes of it.
type AwaitedOrder = (TrialOrder, SyncSender<TrialNews>);

/// Which game is played, and how; the names are those of the options of `racgen iq run`.
#[derive(Deserialize)]
struct TrialOptions {
    number: u64,
    #[serde(flatten)]
    sampler: SamplerOptions,
    steps: u64,
    pace_time: u64,
    name: String,
    text: bool,
}

/// How games are drawn.
#[derive(Deserialize)]
struct SamplerOptions {
    seed: u64,
    tau0: f64,
    choice: racgen::iq::sample::sampler::GameChoice,
}

impl TrialOptions {
    fn read(text: &str) -> Result<TrialOptions, CallFailure> {
        let options: TrialOptions = serde_json::from_str(text).map_err(CallFailure::usage)?;
        let tau0 = options.sampler.tau0;
        if !(tau0 >= 1.0 && tau0.is_finite()) {
            return Err(CallFailure::usage(format!("--tau0 takes ticks, 1 or more; `{tau0}` is none")));
        }
        if options.steps == 0 {
            return Err(CallFailure::usage("--steps takes a number of steps, 1 or more"));
        }
        Ok(options)
    }

    fn telling(&self) -> Result<GameTelling, CallFailure> {
        Ok(if self.text { GameTelling::english()? } else { GameTelling::symbols() })
    }
}

/// The agent of a trial, which hands on what it sees and waits for what to do.
struct AskedAgent {
    telling: GameTelling,
    orders: Receiver<AwaitedOrder>,
    /// Who waits for what happens next.
    awaiting: Option<SyncSender<TrialNews>>,
    /// Is the trial to begin anew?
    anew: bool,
    /// Held while the thread works, and not while it waits.
    working: Option<RwLockReadGuard<'static, ()>>,
}

impl AskedAgent {
    /// Says what happened, and waits for the next order; none if nobody will give one any more.
    fn next(&mut self, news: TrialNews) -> Option<TrialOrder> {
        if let Some(awaiting) = self.awaiting.take() {
            // Nobody hears it after Ctrl-C.
            let _ = awaiting.send(news);
        }
        self.working = None;
        let (order, awaiting) = self.orders.recv().ok()?;
        self.working = Some(busy());
        self.awaiting = Some(awaiting);
        Some(order)
    }
}

impl IqAgent for AskedAgent {
    fn decide(&mut self, view: &AgentView) -> Result<Decided, Loss> {
        let telling = &self.telling;
        let legal: Vec<String> = view.legal.iter().map(|made| telling.made(view.table, *made)).collect();
        let seen = json!({
            "state": telling.state(view.table, view.board), "legal": legal, "reward": view.reward,
            "ended": view.ended, "phase": view.phase.name(), "episode": view.episode, "step": view.step,
            "left": view.left,
        });
        let (place, elapsed) = match self.next((Some(seen.to_string()), None)) {
            Some(TrialOrder::Choose(place, elapsed)) => (place, elapsed),
            Some(TrialOrder::Anew) => {
                self.anew = true;
                return Err(Loss::Crash);
            }
            None => return Err(Loss::Crash),
        };
        let decision = match place {
            Some(place) => Decision::Move(*view.legal.get(place).ok_or(Loss::Illegal)?),
            None => Decision::Switch,
        };
        Ok(Decided { decision, ticks: 0, elapsed })
    }
}

/// What does not change while a game is played.
fn shape(game: &SampledGame, telling: &GameTelling) -> Json {
    let (table, grammar) = (&game.table, &game.table.grammar);
    json!({
        "id": grammar.id(), "kind": grammar.derived.kind, "derivation": printed(&grammar.bits),
        "length": grammar.length(), "tau": game.play.tau, "complexity": game.complexity,
        "players": table.roles(), "role": table.arena.roles[table.own_role()].to_string(),
        "opponent": table.opponent().map(|opponent| opponent.name()),
        "kif": grammar.derived.rules, "rules": telling.rules(table),
    })
}

/// Plays trials of a game until nobody asks for any.
fn play(options: &TrialOptions, game: &SampledGame, mut agent: AskedAgent) {
    let clock = TrialClock { budget: options.steps, in_steps: true, pace: options.pace_time };
    loop {
        let words = ["iq", "trial", &options.name, &game.number.to_string()];
        let result = trial(&game.table, &mut agent, clock, stream(options.sampler.seed, &words));
        let over = json!(result).to_string();
        // After the end, whatever is asked but to begin anew is told that this is the end.
        while !std::mem::take(&mut agent.anew) {
            match agent.next((None, Some(over.clone()))) {
                Some(TrialOrder::Anew) => agent.anew = true,
                Some(TrialOrder::Choose(..)) => {}
                None => return,
            }
        }
    }
}

/// A sampled game, and the trial in it that is under way.
#[pyclass(frozen, module = "racgen._native")]
pub struct SampledTrial {
    shape: String,
    orders: Mutex<Sender<AwaitedOrder>>,
    process: u32,
}

impl SampledTrial {
    fn ask(&self, py: Python<'_>, order: TrialOrder) -> PyResult<TrialNews> {
        let (tell, heard) = sync_channel(1);
        let sent = self.orders.lock().unwrap_or_else(PoisonError::into_inner).send((order, tell));
        sent.map_err(|_| PyRuntimeError::new_err("racgen broke off earlier; make this anew"))?;
        hear(py, heard, |_| Ok(())).map_err(|(error, _)| error)
    }
}

#[pymethods]
impl SampledTrial {
    /// Draws the game that the options name, a JSON object; its trial begins with `begin`.
    #[new]
    fn new(py: Python<'_>, options: &str) -> PyResult<SampledTrial> {
        let options = TrialOptions::read(options).map_err(|error| error.raised(py))?;
        let (orders, todo) = channel::<AwaitedOrder>();
        let (tell, made) = sync_channel(1);
        let work = move || {
            let working = Some(busy());
            let SamplerOptions { seed, tau0, choice } = options.sampler;
            let drawn = options.telling().and_then(|telling| {
                let game = Sampler { seed, tau0, games: choice }.game(options.number)?;
                Ok((game, telling))
            });
            let (game, telling) = match drawn {
                Ok(drawn) => drawn,
                Err(error) => return drop(tell.send(Err(error))),
            };
            let _ = tell.send(Ok(shape(&game, &telling).to_string()));
            let mut agent = AskedAgent { telling, orders: todo, awaiting: None, anew: false, working };
            // The first order is to begin.
            if agent.next((None, None)).is_some() {
                play(&options, &game, agent);
            }
        };
        Builder::new().name("racgen".into()).stack_size(STACK).spawn(work)?;
        let shape = hear(py, made, |_| Ok(())).map_err(|(error, _)| error)?;
        let shape = shape.map_err(|error: CallFailure| error.raised(py))?;
        Ok(SampledTrial { shape, orders: Mutex::new(orders), process: std::process::id() })
    }

    /// Was it made by this process, rather than by the one that this was forked from?
    fn is_here(&self) -> bool {
        self.process == std::process::id()
    }

    /// The game, as a JSON object.
    fn shape(&self) -> String {
        self.shape.clone()
    }

    /// Begins a trial: what the agent sees, or how the trial ended.
    fn begin(&self, py: Python<'_>) -> PyResult<TrialNews> {
        self.ask(py, TrialOrder::Anew)
    }

    /// Makes the legal move of a place, or switches; the choice took so many milliseconds.
    fn choose(&self, py: Python<'_>, place: Option<usize>, elapsed: u64) -> PyResult<TrialNews> {
        self.ask(py, TrialOrder::Choose(place, elapsed))
    }
}
