//! Games and what is asked about them to a source of items: each game is played, and its items wait for the run.

use std::collections::BTreeSet;
use std::path::Path;

use racgen_logic::fault::Fault;
use serde::Deserialize;

use crate::campaign::error::CampaignError;
use crate::campaign::jobs::row_options::RowOptions;
use crate::games::builtin::{games_meant, own_phrases};
use crate::games::error::GameError;
use crate::games::items::drafts::ItemSettings;
use crate::games::items::source::{GameCollector, GameSource, PlayedGame};
use crate::games::jobs::job::{GameJob, Message, Work};
use crate::games::play::traces::{PlayStyle, Playing};

/// What is asked about which games.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct GameQuestionOptions {
    /// Games: files, names of games that come with racgen, or `all` of those
    #[cfg_attr(feature = "cli", arg(required = true, value_name = "GAME"))]
    pub games: Vec<String>,
    /// Items of each game, over all splits and depths
    #[cfg_attr(feature = "cli", arg(long, short = 'n', value_name = "N", default_value_t = 1000))]
    pub items: u64,
    /// Number of steps told: a number, a range 0-3 or a list 0,2
    #[cfg_attr(feature = "cli", arg(long, value_name = "A", default_value = DEPTH))]
    pub depth: String,
    /// Proportions of the three types of questions
    #[cfg_attr(feature = "cli", arg(long, value_name = "TYPE=WEIGHT,...", default_value = MIX))]
    pub mix: String,
    /// Splits and their weights
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME=WEIGHT,...", default_value = SPLITS))]
    pub splits: String,
    /// Seed of all random choices
    #[cfg_attr(feature = "cli", arg(long, short, default_value_t = 0))]
    pub seed: u64,
    /// Traces of each game
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MOST_TRACES)))]
    pub traces: u64,
    /// Steps of a trace at most
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_STEPS))))]
    pub steps: u32,
    /// How moves are chosen
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value = "random"))]
    pub play: PlayStyle,
    /// Tell games in flat terms, also those that have a phrase book
    #[cfg_attr(feature = "cli", arg(long))]
    pub generic: bool,
    /// Steps of each game that clingo judges
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 25, value_name = "N"))]
    pub judge: usize,
}

/// The most traces of a game, and the most steps of a trace.
const MOST_TRACES: u64 = 10_000_000;
const MOST_STEPS: u32 = 1_000_000;
const DEPTH: &str = "0-1";
const MIX: &str = "verify=4,count=3,other=3";
const SPLITS: &str = "train=80,validation=10,test=10";

impl Default for GameQuestionOptions {
    fn default() -> GameQuestionOptions {
        GameQuestionOptions {
            games: Vec::new(),
            items: 1000,
            depth: DEPTH.into(),
            mix: MIX.into(),
            splits: SPLITS.into(),
            seed: 0,
            traces: 1000,
            steps: 100,
            play: PlayStyle::Random,
            generic: false,
            judge: 25,
        }
    }
}

/// Items of games, and what came of those that have none.
pub struct AskedGames {
    /// The items.
    pub source: GameSource,
    /// Games that failed.
    pub failed: Vec<GameError>,
}

/// Does a game's job, and passes on what it reports.
pub type Performing<'p> =
    &'p dyn Fn(&GameJob, &mut dyn FnMut(Message) -> Result<(), GameError>) -> Result<(), GameError>;

/// A game's file, its text if it comes with racgen, and its phrase book.
type GameFiles = (String, Option<String>, Option<(String, String)>);

impl GameQuestionOptions {
    /// Has each game played; the items of games without a fault are there all the same. `job` is what is done with a file,
    /// or with its text; `beside` is where items wait on the disk; `tell` is told of each game that is done.
    ///
    /// # Errors
    /// Options that make no sense; Ctrl-C; those of the operating system.
    pub fn played(
        &self,
        beside: &Path,
        job: &dyn Fn(String, Option<String>, Work) -> GameJob,
        perform: Performing,
        tell: &mut dyn FnMut(String),
    ) -> Result<AskedGames, CampaignError> {
        let settings = self.settings()?;
        let playing = Playing { traces: self.traces, steps: self.steps, seed: self.seed, style: self.play };
        let mut collector = GameCollector::new(&settings.splits, beside)?;
        let mut names = BTreeSet::new();
        let mut failed = Vec::new();
        for (file, text, book) in self.sources()? {
            let book = book.filter(|_| !self.generic);
            let told = serde_json::json!({
                "game": true, "phrase_book": book.is_some(), "items": settings.items, "depths": settings.depths,
                "mix": settings.mix, "splits": settings.splits, "split_by": "world", "seed": settings.seed,
                // What can be answered depends on the states of a split.
                "open_vocabulary": true, "traces": self.traces, "steps": self.steps, "play": self.play,
            });
            let work = Work::Items { playing, settings: settings.clone(), judged: self.judge, book };
            let job = job(file, text, work);
            let made =
                new_name(&mut names, &job).and_then(|()| collected(&job, told, &mut collector, perform));
            match made {
                Ok(text) => tell(text),
                Err(GameError::Interrupted) => return Err(GameError::Interrupted.into()),
                Err(error) => {
                    collector.failed();
                    failed.push(error);
                }
            }
        }
        Ok(AskedGames { source: collector.finish()?, failed })
    }

    /// Settings of rows, read and checked as those of domains are.
    fn settings(&self) -> Result<ItemSettings, CampaignError> {
        // A command line refuses them as they are typed.
        if !(1..=MOST_TRACES).contains(&self.traces) {
            return Err(CampaignError::Settings(format!("--traces takes a number from 1 to {MOST_TRACES}")));
        }
        if !(1..=MOST_STEPS).contains(&self.steps) {
            return Err(CampaignError::Settings(format!("--steps takes a number from 1 to {MOST_STEPS}")));
        }
        let rows = RowOptions {
            depth: Some(self.depth.clone()),
            items: Some(self.items),
            mix: Some(self.mix.clone()),
            splits: Some(self.splits.clone()),
            ..RowOptions::default()
        };
        let settings = rows.settings()?;
        Ok(ItemSettings {
            items: settings.items,
            depths: settings.depths.iter().map(|d| d.unsigned_abs()).collect(),
            mix: settings.mix,
            splits: settings.splits,
            seed: self.seed,
        })
    }

    /// The games named. A phrase book stands beside its game's file.
    fn sources(&self) -> Result<Vec<GameFiles>, GameError> {
        self.games.iter().flat_map(|game| games_meant(game)).map(with_book).collect()
    }
}

/// A game with its phrase book, if it has one.
///
/// # Errors
/// A phrase book that cannot be read.
pub fn with_book((file, text): (String, Option<String>)) -> Result<GameFiles, GameError> {
    let path = Path::new(&file);
    if text.is_some() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let book = own_phrases(&name).map(|(file, text)| (file, text.to_owned()));
        return Ok((file, text, book));
    }
    let phrases = path.with_extension("phrases.toml");
    let beside = phrases.display().to_string();
    let book = match std::fs::read_to_string(&phrases) {
        Ok(text) => Some((beside, text)),
        Err(cause) if phrases.exists() => return Err(GameError::Read { file: beside, cause }),
        Err(_) => None,
    };
    Ok((file, None, book))
}

/// Two games of one name would be written into the same files.
///
/// # Errors
/// A name that was met before.
pub fn new_name(names: &mut BTreeSet<String>, job: &GameJob) -> Result<(), GameError> {
    if names.insert(job.name()) {
        return Ok(());
    }
    let cause = format!("another file of this run is named {}, too", job.name());
    Err(Fault::new(&job.file, 0, cause, "rename one of them").into())
}

/// Has one game's items made, and adds them once all are there. What is to be told of it.
fn collected(
    job: &GameJob,
    settings: serde_json::Value,
    collector: &mut GameCollector,
    perform: Performing,
) -> Result<String, GameError> {
    let mut game = PlayedGame { name: job.name(), settings, ..PlayedGame::default() };
    let mut file = |ending: &str, text: String| {
        game.companions.insert(format!("reference/{}.{ending}", game.name), text);
    };
    file("kif", job.rules()?);
    if let Work::Items { book: Some((_, text)), .. } = &job.work {
        file("phrases.toml", text.clone());
    }
    perform(job, &mut |message| {
        match message {
            Message::Item(item) => collector.item(&item)?,
            Message::Exceptions(all) => game.exceptions = all,
            Message::Reference(text) => {
                game.companions.insert(format!("reference/{}.lp", game.name), text);
            }
            _ => {}
        }
        Ok(())
    })?;
    let (name, limited) = (game.name.clone(), game.exceptions.len());
    let mut text = format!("{name}: {} items", collector.game(game));
    if limited > 0 {
        text += &format!("; {limited} kinds of question ran out, as manifest.json says");
    }
    Ok(text + "\n")
}
