//! Mazes played one after the other: by an agent of racgen's, or by whoever speaks JSON over two pipes.

use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use racgen_data::columns::base64;
use racgen_logic::seed::stream;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::halma::error::HalmaError;
use crate::halma::maze::grid::Direction;
use crate::halma::maze::set::ChartedMaze;
use crate::halma::pictures::panel::panel;
use crate::halma::play::agents::agent::HalmaAgent;
use crate::halma::play::episode::{Episode, HalmaMove, HalmaTask, MoveOutcome};
use crate::halma::play::log::{LogWriter, LoggedMove};
use crate::halma::play::panel::{HintShape, Panel};
use crate::pictures::digits::DigitShapes;
use crate::pictures::raster::pixels;

/// Plays one episode in each maze, and keeps a log if one is given, which may hold the first of them already.
///
/// # Errors
/// Ctrl-C; those of the log.
pub fn play_all(
    mazes: &[ChartedMaze],
    task: HalmaTask,
    agent: &mut dyn HalmaAgent,
    mut log: Option<&mut LogWriter>,
    stop: &AtomicBool,
) -> Result<(), HalmaError> {
    let done = log.as_ref().map_or(0, |log| log.episodes);
    for (number, maze) in mazes.iter().enumerate() {
        let logged = (number as u64) < done;
        if logged && !agent.learns() {
            continue;
        }
        agent.begin(&task, number as u64);
        let mut episode = Episode::new(&maze.chart, task);
        while !episode.over() {
            if stop.load(Ordering::Relaxed) {
                return Err(HalmaError::Interrupted);
            }
            let made = agent.choose(&episode.panel());
            let log = log.as_deref_mut().filter(|_| !logged);
            let outcome = step(&mut episode, number as u64, maze, &made, log)?;
            agent.told(&made, &outcome);
        }
    }
    Ok(())
}

/// Makes a move, and logs it.
fn step(
    episode: &mut Episode,
    number: u64,
    maze: &ChartedMaze,
    made: &HalmaMove,
    log: Option<&mut LogWriter>,
) -> Result<MoveOutcome, HalmaError> {
    let Some(log) = log else { return Ok(episode.make(made)) };
    let (seen, trial) = (episode.panel().symbols(), episode.trials + 1);
    let goal = maze.chart.at(maze.chart.goal).map(|cell| Panel::of(cell).symbols());
    let outcome = episode.make(made);
    log.add(&LoggedMove {
        episode: number,
        maze: maze.record.id.clone(),
        split: maze.record.split.clone(),
        trial,
        seen,
        direction: made.direction(),
        option: made.primitives().to_vec(),
        valid: outcome.valid,
        reward: outcome.reward,
        then: goal.filter(|_| outcome.reached).unwrap_or_else(|| episode.panel().symbols()),
        reached: outcome.reached,
        last: outcome.episode_over,
    })?;
    Ok(outcome)
}

/// A line that a player sends.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    /// The next maze, or the one of this id.
    Reset(Json),
    /// A move.
    Act { direction: Direction, option: Vec<u8> },
}

/// The visual observation space: panels as pictures, drawn anew at each step.
#[derive(Clone, Debug)]
pub struct PanelPictures {
    /// What digits look like.
    pub shapes: DigitShapes,
    /// The seed of scales, places and strokes.
    pub seed: u64,
}

impl PanelPictures {
    /// The pixels of a panel, 128 rows of 128 times red, green and blue, as base64.
    ///
    /// # Errors
    /// A drawing that makes no picture.
    pub fn rgb(&self, seen: &Panel, episode: u64, step: u32) -> Result<String, HalmaError> {
        let mut rng = stream(self.seed, &["halma", "panel", &episode.to_string(), &step.to_string()]);
        Ok(base64(&pixels(&panel(&seen.digits(), seen.hint(), &self.shapes, &mut rng))?))
    }
}

/// What is seen, as JSON: digits, hint and symbols, or with pictures these alone.
fn panel_json(
    panel: &Panel,
    pictures: Option<&PanelPictures>,
    episode: u64,
    step: u32,
) -> Result<Json, HalmaError> {
    Ok(match pictures {
        Some(pictures) => json!({"rgb": pictures.rgb(panel, episode, step)?}),
        None => json!({
            "digits": panel.digits(),
            "hint": panel.hint().map(HintShape::of),
            "symbols": panel.symbols(),
        }),
    })
}

/// Answers requests line by line until there are no more: `{"reset": true}`, `{"reset": "train-0001"}` and
/// `{"act": {"direction": "right", "option": [3, 2]}}`. What makes no sense is answered by `{"error": ...}`.
///
/// # Errors
/// Those of both pipes and of the log.
pub fn serve(
    mazes: &[ChartedMaze],
    task: HalmaTask,
    input: impl BufRead,
    mut output: impl Write,
    mut log: Option<&mut LogWriter>,
    pictures: Option<&PanelPictures>,
) -> Result<(), HalmaError> {
    let mut next = log.as_ref().map_or(0, |log| log.episodes);
    let mut playing: Option<(u64, &ChartedMaze, Episode)> = None;
    for line in input.lines() {
        let line = line.map_err(HalmaError::Talk)?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = match serde_json::from_str::<Request>(&line) {
            Err(error) => Err(format!(
                "this is no request: {error}; send {{\"reset\": true}} or {{\"act\": {{\"direction\": \"left\", \"option\": [1]}}}}"
            )),
            Ok(Request::Reset(which)) => match found(mazes, &which, next) {
                Ok(maze) => {
                    let episode = Episode::new(&maze.chart, task);
                    let panel = panel_json(&episode.panel(), pictures, next, 0)?;
                    let told = json!({
                        "maze": maze.record.id, "split": maze.record.split, "panel": panel, "done": false,
                    });
                    playing = Some((next, maze, episode));
                    next += 1;
                    Ok(told)
                }
                Err(error) => Err(error),
            },
            Ok(Request::Act { direction, option }) => {
                match (&mut playing, HalmaMove::new(direction, &option)) {
                    (_, Err(error)) => Err(error.to_string()),
                    (None, _) => Err("no maze is open; send {\"reset\": true} first".into()),
                    (Some((.., episode)), _) if episode.over() => {
                        Err("the episode is over; send {\"reset\": true} for the next maze".into())
                    }
                    (Some((number, maze, episode)), Ok(made)) => {
                        let outcome = step(episode, *number, maze, &made, log.as_deref_mut())?;
                        let panel = panel_json(&episode.panel(), pictures, *number, episode.steps)?;
                        Ok(json!({
                            "valid": outcome.valid, "reward": outcome.reward, "reached": outcome.reached,
                            "trial_over": outcome.trial_over, "done": outcome.episode_over,
                            "trials": episode.trials, "accomplished": episode.accomplished, "steps": episode.steps,
                            "panel": panel,
                        }))
                    }
                }
            }
        };
        let answer = answer.unwrap_or_else(|error: String| json!({"error": error}));
        writeln!(output, "{answer}").and_then(|()| output.flush()).map_err(HalmaError::Talk)?;
    }
    Ok(())
}

/// The maze that a reset asks for: by its id, or the next in order, the first after the last.
fn found<'m>(mazes: &'m [ChartedMaze], which: &Json, next: u64) -> Result<&'m ChartedMaze, String> {
    match which {
        Json::Bool(true) => Ok(&mazes[next as usize % mazes.len()]),
        Json::String(id) => {
            let maze = mazes.iter().find(|maze| maze.record.id == *id);
            maze.ok_or_else(|| format!("there is no maze `{id}`; the first is `{}`", mazes[0].record.id))
        }
        other => Err(format!("`reset` takes true or the id of a maze, not {other}")),
    }
}
