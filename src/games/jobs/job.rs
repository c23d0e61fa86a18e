//! One game's work, as it is handed to a process of its own, and what that process reports line by line.
//!
//! clingo cannot be interrupted while it joins relations that yield no rule. So the command line has each game played by
//! a child of its own (see [`guard`](crate::games::jobs::sandbox)); the library does the same work in place.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use racgen_data::papers::manifest::{Exception, FileEntry};
use serde::{Deserialize, Serialize};

use crate::games::error::GameError;
use crate::games::gdl::syntax::Game;
use crate::games::gdl::validate::check;
use crate::games::items::drafts::{ItemSettings, items};
use crate::games::learned::score::{Grounding, score_file};
use crate::games::play::dimensions::Dimensions;
use crate::games::play::ground_game::{GroundGame, Limits};
use crate::games::play::traces::Playing;
use crate::games::tasks::output::{TaskForms, TaskOutput};
use crate::games::tasks::reference::reference;
use crate::games::tasks::triples::TaskSettings;
use crate::games::tasks::write_tasks::{corpus, make_in, read_game, types_of};
use crate::games::words::phrase_book::GameBook;
use crate::items::source::Item;

/// A game and what to do with it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameJob {
    /// The game's file.
    pub file: String,
    /// Its text, where it does not come from the file.
    pub text: Option<String>,
    /// Why the game is not to be grounded as a whole, if so.
    pub stepwise: Option<String>,
    /// Time that is left.
    pub time: Duration,
    /// Memory, in bytes.
    pub memory: u64,
    /// Threads; 0 for one a processor.
    pub threads: usize,
    /// What to do.
    pub work: Work,
}

/// What to do with a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Work {
    /// Write its tasks.
    Tasks {
        /// Its types, if not inferred.
        types: Option<PathBuf>,
        /// How much is played.
        playing: Playing,
        /// How triples become tasks.
        cut: TaskSettings,
        /// What is written of them.
        forms: TaskForms,
        /// Where they are written; none before the run has a folder for the game.
        out: Option<PathBuf>,
    },
    /// Report its items.
    Items {
        /// How much is played.
        playing: Playing,
        /// Which items.
        settings: ItemSettings,
        /// Steps that clingo judges.
        judged: usize,
        /// Its phrase book, as file and text; without one it is told in flat terms.
        book: Option<(String, String)>,
    },
    /// Tell how well a learned program does on its tests.
    Score {
        /// The program, or predictions.
        answer: PathBuf,
    },
    /// Tell what is wrong with it, and its dimensions.
    Check,
    /// Tell its types.
    Types,
}

/// What is reported.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Message {
    /// The game is grounded, or will not be.
    Grounded,
    /// For people.
    Text(String),
    /// An item.
    Item(Box<Item>),
    /// What could not be asked as often as wanted.
    Exceptions(Vec<Exception>),
    /// The flattened rules.
    Reference(String),
    /// What was written.
    Files(Vec<FileEntry>),
    /// All is done.
    Done,
    /// An error, and whether arguments or files are at fault.
    Failed(String, bool),
    /// Ctrl-C.
    Interrupted,
}

impl GameJob {
    /// The game's name.
    pub fn name(&self) -> String {
        let stem = std::path::Path::new(&self.file).file_stem();
        stem.map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The game's text.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn rules(&self) -> Result<String, GameError> {
        if let Some(text) = &self.text {
            return Ok(text.clone());
        }
        let bytes = std::fs::read(&self.file);
        let bytes = bytes.map_err(|cause| GameError::Read { file: self.file.clone(), cause })?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn limits(&self) -> Limits {
        Limits { time: self.time, memory: self.memory }
    }

    /// Does the work in this process.
    ///
    /// # Errors
    /// Those of the work.
    pub fn perform(&self, tell: &(dyn Fn(Message) + Sync), stop: &AtomicBool) -> Result<(), GameError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|e| GameError::Arguments(format!("cannot start threads: {e}")))?;
        pool.install(|| self.in_pool(tell, stop))
    }

    /// Does the work in this process, and passes on what it reports once it is done.
    ///
    /// # Errors
    /// Those of the work, and of `take`.
    pub fn perform_here(
        &self,
        stop: &AtomicBool,
        take: &mut dyn FnMut(Message) -> Result<(), GameError>,
    ) -> Result<(), GameError> {
        let told = Mutex::new(Vec::new());
        self.perform(&|message| told.lock().unwrap_or_else(PoisonError::into_inner).push(message), stop)?;
        told.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().try_for_each(take)
    }

    fn in_pool(&self, tell: &(dyn Fn(Message) + Sync), stop: &AtomicBool) -> Result<(), GameError> {
        let start = Instant::now();
        if let Work::Score { answer } = &self.work {
            let grounding = if self.stepwise.is_some() { Grounding::Each } else { Grounding::Once };
            let grounded = || tell(Message::Grounded);
            let tally = score_file(answer, self.file.as_ref(), grounding, &grounded)?;
            tell(Message::Text(tally.text()));
            return Ok(());
        }
        let game = match &self.text {
            Some(text) => Game::read(text, &self.file)?,
            None => read_game(self.file.as_ref())?,
        };
        if matches!(self.work, Work::Check) {
            return self.check(game, tell);
        }
        let limits = self.limits();
        let ground = |game: Game, derived| -> Result<GroundGame, GameError> {
            let arena = GroundGame::grounded(game, &limits, derived, self.stepwise.clone())?;
            tell(Message::Grounded);
            Ok(arena)
        };
        match &self.work {
            Work::Tasks { types, playing, cut, forms, out } => {
                let no_folder = || GameError::Arguments("the tasks have no folder to go to".into());
                let output = TaskOutput { out: out.clone().ok_or_else(no_folder)?, forms: forms.clone() };
                let arena = ground(game, forms.derived)?;
                let (made, files) =
                    make_in(&arena, types.as_deref(), playing, cut, &output, &limits, start, stop)?;
                tell(Message::Text(made.text()));
                tell(Message::Files(files));
            }
            Work::Items { playing, settings, judged, book } => {
                let book = book.as_ref().map(|(file, text)| (file.as_str(), text.as_str()));
                let book = GameBook::of(&game, book)?;
                let arena = ground(game, false)?;
                let corpus = corpus(&arena, playing, true, *judged, &limits, start, stop)?;
                let made = items(&arena, &corpus, &book, settings)?;
                tell(Message::Reference(reference(&arena).asp()));
                made.rows.into_iter().for_each(|item| tell(Message::Item(Box::new(item))));
                tell(Message::Exceptions(made.exceptions));
            }
            Work::Score { .. } | Work::Check => {}
            Work::Types => tell(Message::Text(types_of(&ground(game, false)?, None)?.to_string())),
        }
        Ok(())
    }

    /// Tells what is wrong with a game's form, and what it consists of if that shows soon.
    fn check(&self, game: Game, tell: &(dyn Fn(Message) + Sync)) -> Result<(), GameError> {
        let verdict = check(&game);
        if verdict.errors.is_empty()
            && let Some(why) = &self.stepwise
        {
            // Grounding even one step of such a game may take long.
            tell(Message::Text(verdict.untried(why)));
            return Ok(());
        }
        let arena = GroundGame::grounded(game, &self.limits(), false, None)?;
        tell(Message::Grounded);
        tell(Message::Text(Dimensions::new(&arena).to_string()));
        Ok(())
    }
}
