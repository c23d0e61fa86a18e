//! A job to a child process that is watched: what it takes beyond its limits ends it, not the run.
//!
//! The child says when the game is grounded. If a quarter of the time passes before, or the memory does not suffice, the
//! child is ended and another plays the game step by step. The child ends by itself when its parent does, because its
//! standard input is then closed.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use racgen_logic::memory::resident_memory;

use crate::games::error::GameError;
use crate::games::jobs::job::{GameJob, Message};
use crate::games::play::ground_game::GROUNDING_SHARE;

/// How often a child is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// Messages that may wait.
const WAITING: usize = 1024;
/// What the child has to finish in after its own limits struck, as a part of the time: it may end with a better word.
const GRACE: u32 = 20;
/// The command that a child is started with.
pub const COMMAND: [&str; 2] = ["games", "play"];

/// How a child ended.
enum End {
    Done,
    Failed(GameError),
    /// Grounding as a whole took too much.
    Grounding(String),
}

/// Has a child of this program do the job, and passes on what it reports.
///
/// # Errors
/// What the child reports, and [`GameError::Limit`] where it takes more than it may.
pub fn guarded(
    job: &GameJob,
    stop: &AtomicBool,
    take: &mut dyn FnMut(Message) -> Result<(), GameError>,
) -> Result<(), GameError> {
    let program = own_program()?;
    let start = Instant::now();
    let (whole, mut job) = (job.time, job.clone());
    loop {
        let watch = ChildWatch { job: &job, start, stop, whole };
        match watch.run(&program, take)? {
            End::Done => return Ok(()),
            End::Failed(error) => return Err(error),
            End::Grounding(why) => {
                let time = job.time.saturating_sub(start.elapsed());
                job = GameJob { stepwise: Some(why), time, ..job };
            }
        }
    }
}

/// This program. On Linux it is found also after its file was replaced, as by an update during a long run.
fn own_program() -> Result<PathBuf, GameError> {
    let link = Path::new("/proc/self/exe");
    if link.symlink_metadata().is_ok() {
        return Ok(link.to_owned());
    }
    std::env::current_exe()
        .map_err(|cause| GameError::Read { file: "the racgen program itself".into(), cause })
}

struct ChildWatch<'a> {
    job: &'a GameJob,
    start: Instant,
    stop: &'a AtomicBool,
    whole: Duration,
}

impl ChildWatch<'_> {
    fn limit(&self, what: String, flag: &'static str) -> GameError {
        GameError::Limit { file: self.job.file.clone(), what, flag }
    }

    fn run(
        &self,
        program: &Path,
        take: &mut dyn FnMut(Message) -> Result<(), GameError>,
    ) -> Result<End, GameError> {
        let refused = |cause| GameError::Read { file: program.display().to_string(), cause };
        let began = Instant::now();
        let mut child = Command::new(program)
            .args(COMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(refused)?;
        let (mut input, output) = (child.stdin.take(), child.stdout.take());
        let text = serde_json::to_string(self.job).unwrap_or_default() + "\n";
        // A child that ends early does not read on; what it reports says why.
        let _ = input.as_mut().map(|input| input.write_all(text.as_bytes()));
        let (send, messages) = sync_channel(WAITING);
        let reader = std::thread::spawn(move || {
            for line in output.map(BufReader::new).into_iter().flat_map(BufRead::lines) {
                let message = line.ok().and_then(|line| serde_json::from_str::<Message>(&line).ok());
                if message.is_none_or(|message| send.send(message).is_err()) {
                    break;
                }
            }
        });
        let end = self.watch(&mut child, began, &messages, take);
        let _ = child.kill();
        let status = child.wait();
        drop(messages);
        let _ = reader.join();
        match end {
            Err(GameError::Told { sentence, usage }) if sentence.is_empty() => {
                let how = status.map_or_else(|e| e.to_string(), |s| s.to_string());
                let file = &self.job.file;
                let sentence = format!(
                    "{file}: the process that played it ended without a word ({how}), perhaps for lack of memory; lower \
                     --memory-limit or --threads"
                );
                Err(GameError::Told { sentence, usage })
            }
            end => end,
        }
    }

    fn watch(
        &self,
        child: &mut Child,
        began: Instant,
        messages: &Receiver<Message>,
        take: &mut dyn FnMut(Message) -> Result<(), GameError>,
    ) -> Result<End, GameError> {
        let mut grounded = self.job.stepwise.is_some();
        let share = self.job.time / GROUNDING_SHARE;
        loop {
            match messages.recv_timeout(LOOK) {
                Ok(Message::Done) => return Ok(End::Done),
                Ok(Message::Failed(sentence, usage)) => {
                    return Ok(End::Failed(GameError::Told { sentence, usage }));
                }
                Ok(Message::Interrupted) => return Err(GameError::Interrupted),
                Ok(Message::Grounded) => grounded = true,
                Ok(message) => take(message)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(GameError::Told { sentence: String::new(), usage: false });
                }
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(GameError::Interrupted);
            }
            if self.start.elapsed() > self.whole {
                let what = format!("it took the whole {:.1?} allowed", self.whole);
                return Err(self.limit(what, "--time-limit"));
            }
            let mut over = None;
            if !grounded && began.elapsed() > share + self.job.time / GRACE {
                over = Some(format!("more than {share:.1?}"));
            }
            let memory = resident_memory(Some(child.id())).unwrap_or(0);
            if memory > self.job.memory {
                let what = format!("more than {} MiB", self.job.memory >> 20);
                if grounded {
                    return Err(self.limit(format!("it takes {what}"), "--memory-limit"));
                }
                over = Some(what);
            }
            if let Some(why) = over {
                return Ok(End::Grounding(why));
            }
        }
    }
}

/// The child's part: reads a job, does it, and reports.
pub fn serve(stop: &AtomicBool) {
    let out = Mutex::new(std::io::stdout());
    let tell = |message: Message| {
        let text = serde_json::to_string(&message).unwrap_or_default() + "\n";
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
            // Nobody listens any more.
            std::process::exit(1);
        }
    };
    let mut line = String::new();
    let job = std::io::stdin()
        .lock()
        .read_line(&mut line)
        .ok()
        .and_then(|_| serde_json::from_str::<GameJob>(&line).ok());
    let Some(job) = job else {
        let words = "`racgen games play` is what racgen starts by itself; it takes a job on standard input";
        return tell(Message::Failed(words.into(), true));
    };
    std::thread::spawn(|| {
        let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
        std::process::exit(1);
    });
    match job.perform(&tell, stop) {
        Ok(()) => tell(Message::Done),
        Err(GameError::Interrupted) => tell(Message::Interrupted),
        Err(error) => tell(Message::Failed(error.to_string(), error.usage())),
    }
}
