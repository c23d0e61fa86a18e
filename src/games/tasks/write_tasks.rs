//! Games to files: tasks in every format asked for, with their types and a report of what was covered.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use racgen_data::papers::manifest::FileEntry;
use racgen_data::write::files::Files;
use racgen_data::write::triples;
use racgen_data::write::triples::TripleRow;
use racgen_logic::seed::{digest, stream};
use rayon::prelude::*;
use rustc_hash::FxHashSet as HashSet;
use serde::Serialize;

use crate::games::error::GameError;
use crate::games::gdl::flatten::Flat;
use crate::games::gdl::syntax::Game;
use crate::games::play::corpus::Corpus;
use crate::games::play::ground_game::{GroundGame, Limits};
use crate::games::play::judge::judge_sample;
use crate::games::play::traces::{PlayStyle, Playing, play};
use crate::games::play::types::Types;
use crate::games::tasks::ilp_systems as export;
use crate::games::tasks::output::{TaskFormat, TaskOutput};
use crate::games::tasks::reference::reference;
use crate::games::tasks::triples::{SPLITS, Task, TaskSettings, tasks};

/// What a run covered of one game.
#[derive(Clone, Debug, Serialize)]
pub struct Coverage {
    /// The game.
    pub game: String,
    /// Who played: `network` for the ground rules, or `clingo` where the game could not be grounded as a whole.
    pub evaluator: &'static str,
    /// Why clingo played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<String>,
    /// Traces and steps played.
    pub traces: u64,
    /// See `traces`.
    pub steps: u64,
    /// Distinct states.
    pub states: usize,
    /// Traces that reached a terminal state.
    pub finished: u64,
    /// Traces that ended because a role had no legal move.
    pub stuck: u64,
    /// Steps that clingo judged.
    pub judged: u64,
    /// What is not listed among the atoms of its tasks, as there is too much of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub listed: Vec<String>,
    /// By target.
    pub targets: BTreeMap<&'static str, TargetCoverage>,
}

/// What a run covered of one target.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TargetCoverage {
    /// Atoms of the signature.
    pub atoms: usize,
    /// Those that were ever true.
    pub ever_true: usize,
    /// By split: triples, positive atoms, negative atoms.
    pub splits: BTreeMap<&'static str, [u64; 3]>,
    /// Relations that the folders for other systems leave out, with the reason.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub left_out: BTreeSet<String>,
}

impl Coverage {
    fn new(arena: &GroundGame, corpus: &Corpus, tasks: &[Task]) -> Coverage {
        let mut targets = BTreeMap::new();
        for task in tasks {
            let mut cover = TargetCoverage { atoms: task.atoms.len(), ..TargetCoverage::default() };
            let mut ever: HashSet<u32> = HashSet::default();
            for (name, split) in SPLITS.iter().zip(&task.splits) {
                let positives: usize = split.iter().map(|t| t.positives.len()).sum();
                let negatives = split.len() * task.atoms.len() - positives;
                cover.splits.insert(name, [split.len() as u64, positives as u64, negatives as u64]);
                split.iter().for_each(|t| ever.extend(t.positives.iter()));
            }
            cover.ever_true = ever.len();
            targets.insert(task.target.name(), cover);
        }
        Coverage {
            game: arena.game.name.clone(),
            evaluator: if arena.whole.is_some() { "network" } else { "clingo" },
            obstacle: arena.obstacle.clone(),
            traces: corpus.traces,
            steps: corpus.steps,
            states: corpus.situations.len(),
            finished: corpus.finished,
            stuck: corpus.stuck,
            judged: corpus.judged,
            listed: Vec::new(),
            targets,
        }
    }

    /// A few lines for a person.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}: {} traces, {} steps, {} states, {} reached the end",
            self.game, self.traces, self.steps, self.states, self.finished
        );
        if self.stuck > 0 {
            let _ = write!(text, ", {} stopped where a role had no legal move", self.stuck);
        }
        if let Some(obstacle) = &self.obstacle {
            let _ = write!(text, "; clingo played step by step, because the whole needs {obstacle}");
        } else {
            let _ = write!(text, "; clingo agreed on {} steps", self.judged);
        }
        text.push('\n');
        for note in &self.listed {
            let _ = writeln!(text, "  listed in tasks: {note}");
        }
        for (target, cover) in &self.targets {
            let _ = write!(text, "  {target:9} {:>7} atoms, {:>6} ever true;", cover.atoms, cover.ever_true);
            for split in SPLITS {
                let [triples, positives, negatives] = cover.splits.get(split).copied().unwrap_or_default();
                let _ = write!(text, " {split} {triples} (+{positives} -{negatives})");
            }
            text.push('\n');
            for reason in &cover.left_out {
                let _ = writeln!(text, "  {target:9} not written for other systems: {reason}");
            }
        }
        text
    }
}

/// Reads a game's file.
///
/// # Errors
/// [`GameError::Read`], and the faults of the text.
pub fn read_game(path: &Path) -> Result<Game, GameError> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|cause| GameError::Read { file: file.clone(), cause })?;
    Ok(Game::read(&String::from_utf8_lossy(&bytes), &file)?)
}

/// The types of a game: those of a file, or inferred.
///
/// # Errors
/// A file that cannot be read or does not read.
pub fn types_of(arena: &GroundGame, file: Option<&Path>) -> Result<Types, GameError> {
    let Some(path) = file else { return Ok(Types::infer(arena).bounded(arena)) };
    let name = path.display().to_string();
    let text =
        std::fs::read_to_string(path).map_err(|cause| GameError::Read { file: name.clone(), cause })?;
    Ok(Types::read(&text, &name)?.bounded(arena))
}

/// Traces that a goal-seeking player adds to a balanced corpus in which no end was reached.
const EXTRA: u64 = 50;

/// Plays a game and has clingo judge a sample. If an end is wanted and random play reached none, a goal-seeking player
/// adds some traces.
///
/// # Errors
/// Those of [`play`] and [`judge_sample`].
pub fn corpus(
    arena: &GroundGame,
    playing: &Playing,
    ends: bool,
    judged: usize,
    limits: &Limits,
    start: Instant,
    stop: &AtomicBool,
) -> Result<Corpus, GameError> {
    let mut corpus = play(arena, playing, limits, start, stop)?;
    if ends && corpus.finished == 0 && arena.whole.is_some() && playing.style == PlayStyle::Random {
        let more = Playing { traces: EXTRA, style: PlayStyle::GoalSeeking, ..*playing };
        corpus.join(play(arena, &more, limits, start, stop)?);
    }
    judge_sample(arena, &mut corpus, judged, playing.seed)?;
    Ok(corpus)
}

/// Makes the files of one game.
///
/// # Errors
/// Those of every stage; files that are complete stay.
pub fn make(
    game: Game,
    types: Option<&Path>,
    playing: &Playing,
    cut: &TaskSettings,
    output: &TaskOutput,
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<(Coverage, Vec<FileEntry>), GameError> {
    let start = Instant::now();
    let arena = GroundGame::with(game, limits, output.forms.derived)?;
    make_in(&arena, types, playing, cut, output, limits, start, stop)
}

/// As [`make`], of a game that was grounded already.
///
/// # Errors
/// Those of [`make`].
#[allow(clippy::too_many_arguments)]
pub fn make_in(
    arena: &GroundGame,
    types: Option<&Path>,
    playing: &Playing,
    cut: &TaskSettings,
    output: &TaskOutput,
    limits: &Limits,
    start: Instant,
    stop: &AtomicBool,
) -> Result<(Coverage, Vec<FileEntry>), GameError> {
    if output.forms.derived
        && let Some(obstacle) = &arena.obstacle
    {
        return Err(GameError::Limit {
            file: arena.game.file.clone(),
            what: format!("derived relations need the game grounded as a whole, which takes {obstacle}"),
            flag: "--memory-limit and --time-limit",
        });
    }
    let corpus = corpus(arena, playing, cut.balance, output.forms.judged, limits, start, stop)?;
    let types = types_of(arena, types)?;
    let tasks = tasks(arena, &corpus, &types, cut)?;
    let name = &arena.game.name;
    let solution = reference(arena);
    let files = Files::below(&output.out);
    files.text(format!("{name}.typ"), &types.to_string())?;
    files.text(format!("{name}.reference.lp"), &solution.asp())?;
    files.text(format!("{name}.reference.pl"), &solution.prolog())?;
    let mut left_out: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for form in &output.forms.forms {
        match form {
            TaskFormat::Dat => {
                let wanted: Vec<(&Task, usize)> =
                    tasks.iter().flat_map(|t| (0..SPLITS.len()).map(move |s| (t, s))).collect();
                wanted.into_par_iter().try_for_each(|(task, split)| {
                    let file = format!("{name}_{}_{}.dat", task.target.name(), SPLITS[split]);
                    files.stream(file, |out| task.write_dat(split, out))
                })?;
            }
            TaskFormat::Parquet | TaskFormat::Jsonl => {
                for task in &tasks {
                    rows(task, *form == TaskFormat::Parquet, output, cut.seed, &files)?;
                }
            }
            TaskFormat::Popper | TaskFormat::Aleph | TaskFormat::Metagol | TaskFormat::Ilasp => {
                for task in &tasks {
                    let reasons = export::write(task, &solution, &types, *form, output, cut.seed, &files)?;
                    left_out.entry(task.target.name()).or_default().extend(reasons);
                }
            }
        }
    }
    let mut coverage = Coverage::new(arena, &corpus, &tasks);
    coverage.listed = types.notes();
    for (target, cover) in &mut coverage.targets {
        cover.left_out = left_out.remove(target).unwrap_or_default();
    }
    // The report comes last: where it stands, the game is complete.
    let text = serde_json::to_string_pretty(&coverage).unwrap_or_default();
    files.text(format!("{name}.json"), &(text + "\n"))?;
    Ok((coverage, files.finish()))
}

/// Rows of one task, one file a split, and its signature beside them.
fn rows(task: &Task, parquet: bool, output: &TaskOutput, seed: u64, files: &Files) -> Result<(), GameError> {
    let text = |list: &[Flat]| list.iter().map(Flat::to_string).collect::<Vec<_>>();
    let (words, labels, atoms) = (text(&task.words), text(&task.labels), text(&task.atoms));
    let pick = |numbers: &[u32], from: &[String]| -> Vec<String> {
        numbers.iter().map(|n| from[*n as usize].clone()).collect()
    };
    let stem = format!("{}_{}", task.game, task.target.name());
    let signature = serde_json::json!({
        "game": task.game, "target": task.target.name(), "atoms": atoms, "statics": text(&task.statics),
    });
    files.text(format!("{stem}.signature.json"), &format!("{signature}\n"))?;
    for (split, triples) in SPLITS.iter().zip(&task.splits) {
        let mut rng = stream(seed, &["games", &task.game, task.target.name(), split, "negatives"]);
        let rows = triples.iter().enumerate().map(|(index, triple)| {
            let background = pick(&triple.background, &words);
            let negatives = if output.forms.explicit_negatives {
                let chosen = task.negatives(triple, output.forms.max_negatives, &mut rng);
                chosen.into_iter().map(|n| atoms[n].clone()).collect()
            } else {
                Vec::new()
            };
            TripleRow {
                id: digest([
                    stem.as_bytes(),
                    split.as_bytes(),
                    &index.to_le_bytes(),
                    background.join("\n").as_bytes(),
                ]),
                game: task.game.clone(),
                target: task.target.name().into(),
                split: (*split).into(),
                index: index as i64,
                trace: i64::from(triple.trace),
                positives: pick(&triple.positives, &labels),
                background,
                negatives,
            }
        });
        let file = format!("{stem}_{split}.{}", if parquet { "parquet" } else { "jsonl" });
        files.add(&triples::write(parquet, &files.path(file), rows)?);
    }
    Ok(())
}
