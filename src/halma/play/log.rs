//! What was played, as lines of JSON: a head, then one object a move; and the same read back, also after a crash.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use racgen_data::error::DataError;
use racgen_logic::fault::Fault;
use racgen_logic::unread::Unread;
use serde::{Deserialize, Serialize};

use crate::halma::error::HalmaError;
use crate::halma::maze::grid::Direction;
use crate::halma::play::episode::{HalmaMove, HalmaTask};
use crate::halma::play::panel::Symbols;

/// The first line of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogHead {
    /// Who plays.
    pub agent: String,
    /// The task.
    pub task: HalmaTask,
    /// The seed of the agent's choices.
    #[serde(default)]
    pub seed: u64,
    /// A hash of the log from which it took what it had learned, if from one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub memory: String,
}

/// A move in a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoggedMove {
    /// The episode, counted from 0.
    pub episode: u64,
    /// The maze.
    pub maze: String,
    /// Its split.
    pub split: String,
    /// The trial, counted from 1.
    pub trial: u32,
    /// What was seen before.
    pub seen: Symbols,
    /// Where to.
    pub direction: Direction,
    /// The primitives.
    pub option: Vec<u8>,
    /// Was it affordable?
    pub valid: bool,
    /// The reward.
    pub reward: f64,
    /// What was seen afterwards; at the goal that is the goal's panel.
    pub then: Symbols,
    /// Was the goal reached?
    pub reached: bool,
    /// Did the episode end?
    pub last: bool,
}

/// A log that is read.
#[derive(Clone, Debug)]
pub struct PlayLog {
    /// Its head.
    pub head: LogHead,
    /// The moves of finished episodes.
    pub moves: Vec<LoggedMove>,
}

/// A log that is written.
pub struct LogWriter {
    file: BufWriter<File>,
    path: PathBuf,
    /// Episodes that stand in it already.
    pub episodes: u64,
}

impl LoggedMove {
    /// Is it one that can have been made?
    fn check(&self) -> Result<(), String> {
        HalmaMove::new(self.direction, &self.option).map_err(|error| error.to_string())?;
        match self.seen.iter().chain(&self.then).find(|number| !(-9..=9).contains(*number)) {
            Some(number) => Err(format!("a panel shows -9 to 9, not {number}")),
            None if self.trial == 0 => Err("trials are counted from 1".into()),
            None => Ok(()),
        }
    }
}

impl PlayLog {
    /// Reads a log. An episode that a crash cut short does not count, nor does a last line that is torn.
    ///
    /// # Errors
    /// A file that cannot be read; a line that is none of a log, with its number.
    pub fn read(path: &Path) -> Result<PlayLog, HalmaError> {
        Ok(Self::read_with_end(path)?.0)
    }

    /// The log, and how many bytes of it hold the head and finished episodes.
    fn read_with_end(path: &Path) -> Result<(PlayLog, u64), HalmaError> {
        let bytes = std::fs::read(path).map_err(Unread::at(path))?;
        let text = String::from_utf8_lossy(&bytes);
        let name = path.display().to_string();
        let fault = |line: usize, cause: String| {
            Fault::new(&name, line, cause, "give a log that `racgen halma play --log` wrote")
        };
        let mut lines = text.split_inclusive('\n').enumerate();
        let head = lines.next().map(|(_, line)| line).unwrap_or_default();
        let mut end = head.len() as u64;
        let head: LogHead = serde_json::from_str(head)
            .map_err(|error| fault(1, format!("the first line is no head of a log: {error}")))?;
        let task = &head.task;
        if HalmaTask::of(task.max_option).is_err()
            || task.trials == 0
            || task.steps == 0
            || task.trial_steps == 0
        {
            let cause =
                "its task has no trials or steps, or options of another length than 1, 3 or 5".to_owned();
            return Err(fault(1, cause).into());
        }
        let mut at = end;
        let mut moves: Vec<LoggedMove> = Vec::new();
        let mut whole = 0;
        for (number, line) in lines {
            at += line.len() as u64;
            if !line.ends_with('\n') {
                break;
            }
            let made: LoggedMove = serde_json::from_str(line)
                .map_err(|error| fault(number + 1, format!("this is no move: {error}")))?;
            if let Err(cause) = made.check() {
                return Err(fault(number + 1, cause).into());
            }
            let last = made.last;
            moves.push(made);
            if last {
                (end, whole) = (at, moves.len());
            }
        }
        moves.truncate(whole);
        Ok((PlayLog { head, moves }, end))
    }

    /// The moves of each episode, in order.
    pub fn episodes(&self) -> Vec<&[LoggedMove]> {
        self.moves.chunk_by(|a, b| a.episode == b.episode).collect()
    }

    /// The moves of finished episodes, split by split.
    pub fn splits(&self) -> BTreeMap<&str, Vec<&[LoggedMove]>> {
        let mut splits: BTreeMap<&str, Vec<&[LoggedMove]>> = BTreeMap::new();
        for episode in self.episodes() {
            splits.entry(episode[0].split.as_str()).or_default().push(episode);
        }
        splits
    }
}

impl LogWriter {
    /// Starts a log, or with `resume` goes on after the last finished episode of one that is there.
    ///
    /// # Errors
    /// A file that is there and is not to be continued, or is a log of something else; those of the operating system.
    pub fn open(path: &Path, head: &LogHead, resume: bool) -> Result<LogWriter, HalmaError> {
        let refused = |cause| DataError::Write { action: "write", path: path.to_owned(), cause };
        if path.exists() {
            if !resume {
                return Err(HalmaError::Settings(format!(
                    "`{}` is there already; continue it with --resume, or choose another --log",
                    path.display()
                )));
            }
            let (log, end) = PlayLog::read_with_end(path)?;
            if log.head != *head {
                return Err(HalmaError::Settings(format!(
                    "`{}` is the log of another agent, task, seed or memory; repeat its options, or choose another --log",
                    path.display()
                )));
            }
            let file = OpenOptions::new().append(true).open(path).map_err(refused)?;
            file.set_len(end).map_err(refused)?;
            let episodes = log.episodes().len() as u64;
            return Ok(LogWriter { file: BufWriter::new(file), path: path.to_owned(), episodes });
        }
        let file = File::create(path).map_err(refused)?;
        let mut writer = LogWriter { file: BufWriter::new(file), path: path.to_owned(), episodes: 0 };
        writer.line(head)?;
        Ok(writer)
    }

    fn line(&mut self, of: &impl Serialize) -> Result<(), HalmaError> {
        let text = serde_json::to_string(of).unwrap_or_default();
        writeln!(self.file, "{text}").map_err(|cause| self.refused(cause))
    }

    fn refused(&self, cause: std::io::Error) -> HalmaError {
        DataError::Write { action: "write", path: self.path.clone(), cause }.into()
    }

    /// Adds a move; the last one of an episode is on the disk when this returns.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn add(&mut self, made: &LoggedMove) -> Result<(), HalmaError> {
        self.line(made)?;
        if made.last {
            self.file.flush().map_err(|cause| self.refused(cause))?;
        }
        Ok(())
    }
}
