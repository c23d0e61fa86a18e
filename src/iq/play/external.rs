//! A program of somebody else's to an agent: lines of JSON over two pipes, with limits that it cannot talk its way around.
//!
//! It is told `{"begin": {...}}` once a game and `{"observe": {...}}` whenever it has to decide, which it answers by
//! `{"move": "..."}`, `{"move": 2}` or `{"switch": true}`; `{"over": {...}}` ends a game. Two threads read and write, so that
//! neither a program that does not read nor one that writes without end holds up anything but its own game.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::iq::error::IqError;
use crate::iq::play::agents::agent::{AgentView, Decided, Decision, IqAgent, Loss};
use crate::iq::play::telling::GameTelling;
use crate::iq::play::trial::TrialResult;

/// Bytes of an answer at most.
const MOST_BYTES: usize = 1 << 16;
/// Answers that may wait to be read; more than one is a flood already.
const WAITING: usize = 8;

/// What is asked of a program, and what is told to it.
#[derive(Clone, Debug)]
pub struct ExternalSettings {
    /// The command, which a shell runs.
    pub command: String,
    /// Time for one decision.
    pub decision: Duration,
    /// Time for one game.
    pub game: Duration,
    /// Is it told the rules?
    pub rules: bool,
    /// How it is told things.
    pub telling: GameTelling,
}

/// What comes from a program.
#[derive(Debug)]
enum Heard {
    Line(String),
    /// A line without end, or many lines.
    Flood,
}

/// A program that runs.
#[derive(Debug)]
struct AgentProcess {
    child: Child,
    to: Sender<String>,
    from: Receiver<Heard>,
}

impl AgentProcess {
    fn start(command: &str) -> Result<AgentProcess, IqError> {
        // The shell gives way to the program, so that ending it ends the program.
        let mut child = Command::new("sh")
            .args(["-c", &format!("exec {command}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|cause| IqError::Start { command: command.to_owned(), cause })?;
        let (to, lines) = channel::<String>();
        let (heard, from) = sync_channel(WAITING);
        if let Some(mut input) = child.stdin.take() {
            std::thread::spawn(move || {
                for line in lines {
                    if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || listen(output, &heard));
        }
        Ok(AgentProcess { child, to, from })
    }

    /// Tells it something. Whether it is there to hear it shows when it is asked.
    fn tell(&self, message: &Json) {
        let _ = self.to.send(format!("{message}\n"));
    }
}

impl Drop for AgentProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands lines on until there are no more, or too many.
fn listen(mut output: impl Read, heard: &SyncSender<Heard>) {
    let (mut line, mut buffer) = (Vec::new(), [0_u8; 4096]);
    loop {
        let count = match output.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(count) => count,
        };
        let read = &buffer[..count];
        // Answers that come together were not all asked for, however fast they are read.
        if read.iter().filter(|byte| **byte == b'\n').count() > 1 {
            let _ = heard.try_send(Heard::Flood);
            return;
        }
        for byte in read {
            let told = match byte {
                b'\n' => Heard::Line(String::from_utf8_lossy(&std::mem::take(&mut line)).into_owned()),
                _ if line.len() >= MOST_BYTES => Heard::Flood,
                byte => {
                    line.push(*byte);
                    continue;
                }
            };
            let flood = matches!(told, Heard::Flood);
            match heard.try_send(told) {
                // Whoever asks next finds more than one answer.
                Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => return,
                Ok(()) if flood => return,
                Ok(()) => {}
            }
        }
    }
}

/// What a program answers.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum ProgramAnswer {
    Move(Json),
    Switch(bool),
}

/// A program that plays, started anew after a game that it lost by what it did.
#[derive(Debug)]
pub struct ExternalAgent {
    settings: ExternalSettings,
    process: Option<AgentProcess>,
    /// When the game began that it was told of; none before.
    began: Option<Instant>,
    /// Did it lose the game by what it did?
    failed: bool,
}

impl ExternalAgent {
    /// Starts it.
    ///
    /// # Errors
    /// A machine without a shell. A command that a shell cannot run loses its games.
    pub fn new(settings: ExternalSettings) -> Result<ExternalAgent, IqError> {
        let process = Some(AgentProcess::start(&settings.command)?);
        Ok(ExternalAgent { settings, process, began: None, failed: false })
    }

    /// Tells it that a game is over. Where it lost the game by what it did, its process goes.
    pub fn end(&mut self, result: Option<&TrialResult>) {
        self.began = None;
        let lost = std::mem::take(&mut self.failed);
        match &self.process {
            Some(process) if !lost => process.tell(&json!({"over": result.map_or(json!({}), |result| json!({
                "value": result.value, "switched": result.switched, "episodes": result.evaluated,
            }))})),
            _ => self.process = None,
        }
    }

    fn begin(&mut self, view: &AgentView) -> Result<(), Loss> {
        if self.process.is_none() {
            self.process = AgentProcess::start(&self.settings.command).ok();
        }
        let process = self.process.as_ref().ok_or(Loss::Crash)?;
        let table = view.table;
        let mut told = json!({
            "game": table.grammar.id(), "role": table.arena.roles[view.role].to_string(),
            "players": table.roles(), "budget": view.budget,
        });
        if self.settings.rules {
            told["rules"] = json!(self.settings.telling.rules(table));
        }
        process.tell(&json!({"begin": told}));
        self.began = Some(Instant::now());
        Ok(())
    }

    /// The move that an answer names, by its text or its place among those that are legal.
    fn named(&self, view: &AgentView, made: &Json) -> Option<u32> {
        match made {
            Json::Number(place) => view.legal.get(usize::try_from(place.as_u64()?).ok()?).copied(),
            Json::String(text) => {
                let told = |made: &&u32| self.settings.telling.made(view.table, **made) == text.trim();
                view.legal.iter().find(told).copied()
            }
            _ => None,
        }
    }
}

impl IqAgent for ExternalAgent {
    fn decide(&mut self, view: &AgentView) -> Result<Decided, Loss> {
        let decided = self.answer(view);
        self.failed |= decided.is_err();
        decided
    }

    fn knows_rules(&self) -> bool {
        self.settings.rules
    }
}

impl ExternalAgent {
    /// Asks the program.
    fn answer(&mut self, view: &AgentView) -> Result<Decided, Loss> {
        if self.began.is_none() {
            self.begin(view)?;
        }
        let process = self.process.as_ref().ok_or(Loss::Crash)?;
        // What it says without being asked.
        if process.from.try_recv().is_ok() {
            return Err(Loss::Flood);
        }
        let telling = &self.settings.telling;
        let legal: Vec<String> = view.legal.iter().map(|made| telling.made(view.table, *made)).collect();
        process.tell(&json!({"observe": {
            "state": telling.state(view.table, view.board), "legal": legal, "reward": view.reward,
            "ended": view.ended, "phase": view.phase.name(), "episode": view.episode, "step": view.step,
            "left": view.left,
        }}));
        let asked = Instant::now();
        let since = self.began.map_or(Duration::ZERO, |began| began.elapsed());
        let patience = self.settings.decision.min(self.settings.game.saturating_sub(since));
        let line = match process.from.recv_timeout(patience) {
            Ok(Heard::Line(line)) => line,
            Ok(Heard::Flood) => return Err(Loss::Flood),
            Err(RecvTimeoutError::Timeout) => return Err(Loss::Silence),
            Err(RecvTimeoutError::Disconnected) => return Err(Loss::Crash),
        };
        let elapsed = asked.elapsed().as_millis() as u64;
        let decision = match serde_json::from_str(&line) {
            Ok(ProgramAnswer::Switch(true)) => Decision::Switch,
            Ok(ProgramAnswer::Move(made)) => Decision::Move(self.named(view, &made).ok_or(Loss::Illegal)?),
            Ok(ProgramAnswer::Switch(false)) | Err(_) => return Err(Loss::Illegal),
        };
        Ok(Decided { decision, ticks: 0, elapsed })
    }
}
