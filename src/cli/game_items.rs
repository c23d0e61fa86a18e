//! The command `racgen games items`: raw arguments to a folder of items.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use clap::Args;

use crate::campaign::jobs::row_options::RowOptions;
use crate::campaign::repeat::Repeat;
use crate::campaign::run::{Config, Origin};
use crate::cli::args::game_args::{LimitOptions, new_name};
use crate::cli::args::run_args::RunArgs;
use crate::cli::output::exit::{Exit, print};
use crate::games::builtin::{games_meant, own_phrases};
use crate::games::error::GameError;
use crate::games::items::drafts::ItemSettings;
use crate::games::items::source::{GameCollector, PlayedGame};
use crate::games::jobs::job::{GameJob, Message, Work};
use crate::games::jobs::sandbox::guarded;
use crate::games::play::traces::{PlayStyle, Playing};

/// How items of games are made.
#[derive(Clone, Debug, Args)]
pub struct ItemOptions {
    /// Games: files, names of games that come with racgen, or `all` of those
    #[arg(required = true, value_name = "GAME")]
    pub games: Vec<String>,
    /// Items of each game, over all splits and depths
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    pub items: u64,
    /// Number of steps told: a number, a range 0-3 or a list 0,2
    #[arg(long, value_name = "A", default_value = "0-1")]
    pub depth: String,
    /// Proportions of the three types of questions
    #[arg(long, value_name = "TYPE=WEIGHT,...", default_value = "verify=4,count=3,other=3")]
    pub mix: String,
    /// Splits and their weights
    #[arg(long, value_name = "NAME=WEIGHT,...", default_value = "train=80,validation=10,test=10")]
    pub splits: String,
    /// Seed of all random choices
    #[arg(long, short, default_value_t = 0)]
    pub seed: u64,
    /// Traces of each game
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub traces: u64,
    /// Steps of a trace at most
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub steps: u32,
    /// How moves are chosen
    #[arg(long, value_enum, default_value = "random")]
    pub play: PlayStyle,
    /// Tell games in flat terms, also those that have a phrase book
    #[arg(long)]
    pub generic: bool,
    /// Steps of each game that clingo judges
    #[arg(long, default_value_t = 25, value_name = "N")]
    pub judge: usize,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: LimitOptions,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub run: RunArgs,
}

/// A game's file, its text if it comes with racgen, and its phrase book.
type GameFiles = (String, Option<String>, Option<(String, String)>);

impl ItemOptions {
    /// Makes the items.
    ///
    /// # Errors
    /// All that went wrong, game by game; the items of the other games are written all the same.
    pub fn make(&self, stop: &AtomicBool) -> Result<(), Exit> {
        let settings = self.settings()?;
        let output = self.run.output(Path::new("data/game_items"))?;
        let playing = Playing { traces: self.traces, steps: self.steps, seed: self.seed, style: self.play };
        let mut collector = GameCollector::new(&settings.splits, &output.out)?;
        let mut names = BTreeSet::new();
        let mut errors: Vec<Exit> = Vec::new();
        for (file, text, book) in self.sources()? {
            let book = book.filter(|_| !self.generic);
            let told = serde_json::json!({
                "game": true, "phrase_book": book.is_some(), "items": settings.items, "depths": settings.depths,
                "mix": settings.mix, "splits": settings.splits, "split_by": "world", "seed": settings.seed,
                // What can be answered depends on the states of a split.
                "open_vocabulary": true, "traces": self.traces, "steps": self.steps, "play": self.play,
            });
            let work = Work::Items { playing, settings: settings.clone(), judged: self.judge, book };
            let job = self.limits.job(file, text, output.threads, work)?;
            let made = new_name(&mut names, &job).and_then(|()| one(&job, told, &mut collector, stop));
            match made {
                Ok(text) if self.run.folder.quiet => drop(text),
                Ok(text) => print(&text)?,
                Err(GameError::Interrupted) => return Err(GameError::Interrupted.into()),
                Err(error) => {
                    collector.failed();
                    errors.push(error.into());
                }
            }
        }
        let source = collector.finish()?;
        if !source.games().is_empty() {
            let config = Config { name: "default".into(), source: &source };
            let origin = Origin { command: self.command(), seed: self.seed };
            self.run.make(&[config], &output, &origin, stop)?;
        }
        Exit::together(errors)
    }

    /// Settings of rows, read and checked as those of domains are.
    fn settings(&self) -> Result<ItemSettings, Exit> {
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
        let mut sources = Vec::new();
        for (file, text) in self.games.iter().flat_map(|game| games_meant(game)) {
            let path = Path::new(&file);
            if text.is_some() {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                let book = own_phrases(&name).map(|(file, text)| (file, text.to_owned()));
                sources.push((file, text, book));
                continue;
            }
            let phrases = path.with_extension("phrases.toml");
            let beside = phrases.display().to_string();
            let book = match std::fs::read_to_string(&phrases) {
                Ok(text) => Some((beside, text)),
                Err(cause) if phrases.exists() => return Err(GameError::Read { file: beside, cause }),
                Err(_) => None,
            };
            sources.push((file, None, book));
        }
        Ok(sources)
    }

    /// The command, without what does not change the rows.
    fn command(&self) -> String {
        let start = Repeat::new("racgen games items");
        self.games
            .iter()
            .fold(start, |command, game| command.word(game))
            .option("--items", self.items)
            .option("--depth", &self.depth)
            .option("--mix", &self.mix)
            .option("--splits", &self.splits)
            .option("--seed", self.seed)
            .option("--traces", self.traces)
            .option("--steps", self.steps)
            .names("--play", &[self.play], &[PlayStyle::Random])
            .flag("--generic", self.generic)
            .text()
    }
}

/// Has one game's items made, and adds them once all are there. What is to be told of it.
fn one(
    job: &GameJob,
    settings: serde_json::Value,
    collector: &mut GameCollector,
    stop: &AtomicBool,
) -> Result<String, GameError> {
    let mut game = PlayedGame { name: job.name(), settings, ..PlayedGame::default() };
    let mut file = |ending: &str, text: String| {
        game.companions.insert(format!("reference/{}.{ending}", game.name), text);
    };
    file("kif", job.rules()?);
    if let Work::Items { book: Some((_, text)), .. } = &job.work {
        file("phrases.toml", text.clone());
    }
    guarded(job, stop, &mut |message| {
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
