//! Questions about mazes to a source of items.

use racgen_data::columns::ExtraColumn;
use racgen_data::row::{ExtraValue, Row};
use racgen_logic::seed::{digest, stream};
use serde_json::json;

use crate::halma::error::HalmaError;
use crate::halma::items::draw::{MazeDraft, MazeDrawer};
use crate::halma::items::judge::judge;
use crate::halma::items::picture::{picture, picture_columns};
use crate::halma::items::pool::MazePool;
use crate::halma::items::questions::TYPES;
use crate::halma::items::settings::MazeItemSettings;
use crate::halma::items::story::MazeStory;
use crate::halma::items::words::{ask, language, shuffled, tell};
use crate::items::clock::{Clock, Stage};
use crate::items::error::ItemError;
use crate::items::row_builder::{Asked, Place, Telling, row};
use crate::items::source::{About, GROUP_SIZE, Item, ItemSource, Split, Stream};

/// What items about mazes have in the column `domain`.
pub const DOMAIN: &str = "halma";

/// Questions about panels and mazes.
pub struct MazeQuestions {
    settings: MazeItemSettings,
}

impl MazeQuestions {
    /// A source of these settings.
    ///
    /// # Errors
    /// Settings that leave nothing to ask.
    pub fn new(settings: MazeItemSettings) -> Result<MazeQuestions, HalmaError> {
        settings.check()?;
        Ok(MazeQuestions { settings })
    }

    fn item(&self, of: Stream, index: u64, draft: MazeDraft) -> Result<Row, HalmaError> {
        let MazeDraft { mut story, question, answer } = draft;
        let judged = judge(&story, &question)?;
        if judged != Some(answer) {
            let judged = judged.map_or("nothing".into(), |judged| judged.term());
            let cause = format!("`{}` by `{judged}` and not by `{}`", question.term(), answer.term());
            return Err(HalmaError::Disagreement(cause));
        }
        let language = language()?;
        let seed = self.settings.seed;
        let places =
            [of.split as u64, of.level as u64, of.depth as u64, index].map(|number| number.to_string());
        let words = ["halma", "words"].into_iter().chain(places.iter().map(String::as_str));
        let mut rng = stream(seed, &words.collect::<Vec<_>>());
        shuffled(&mut story, &mut rng);
        let pictured = match &story {
            MazeStory::Panel(panel) if self.settings.pictures => Some(panel),
            _ => None,
        };
        let paragraphs = tell(language, &story, pictured.is_some(), &mut rng);
        let (text, template) = ask(language, &question, &mut rng);
        let world = story.world();
        let image = pictured.map(|panel| picture(panel, &world, seed, index)).transpose()?;
        let image = image.map(|image| (picture_columns()[0].name.clone(), ExtraValue::Bytes(image)));
        let told = Telling {
            world: world.as_str().into(),
            extra: image.into_iter().collect(),
            facts: story.facts().into(),
            plan: story.plan().into(),
            ..paragraphs.telling()
        };
        let asked = Asked {
            question_type: TYPES[question.kind()].into(),
            family: question.family().into(),
            template,
            question: text,
            answer: answer.text(),
            answer_type: answer.kind().into(),
            query: question.term(),
            gold: vec![answer.term()],
        };
        let split = &self.settings.splits[of.split].name;
        let place = Place { domain: DOMAIN, split, level: of.level, depth: of.depth, seed, index };
        let mut row = row(&place, &told, asked);
        row.id = identity(&row);
        Ok(row)
    }
}

/// The id of an item: a hash of what it says and of its place.
pub(crate) fn identity(row: &Row) -> String {
    let numbers = [row.level.to_string(), row.depth.to_string(), row.index.to_string(), row.seed.to_string()];
    let parts = [&*row.domain, &*row.split, &*row.world, &row.context, &row.question, &row.query];
    let lists = row.facts.iter().chain(row.plan.iter()).chain(&numbers);
    digest(parts.into_iter().chain(lists.map(String::as_str)))
}

impl ItemSource for MazeQuestions {
    fn about(&self) -> About {
        About { subject: "Questions about mazes".into(), ..About::default() }
    }

    fn settings(&self) -> serde_json::Value {
        json!({"domain": DOMAIN, "settings": self.settings})
    }

    fn splits(&self) -> &[Split] {
        &self.settings.splits
    }

    fn streams(&self, split: usize) -> Vec<(Stream, u64)> {
        self.settings.streams(split)
    }

    fn extra_columns(&self) -> &[ExtraColumn] {
        if self.settings.pictures { picture_columns() } else { &[] }
    }

    /// What holds before the moves is not asked.
    fn knows_trivial(&self) -> bool {
        false
    }

    fn group(&self, stream: Stream, group: u64, items: u64, clock: &Clock) -> Result<Vec<Item>, ItemError> {
        let timer = clock.start(Stage::Choosing);
        let pool = MazePool::draw(&self.settings, stream, group).map_err(ItemError::new)?;
        let first = group * GROUP_SIZE;
        let wanted = GROUP_SIZE.min(items.saturating_sub(first)) as usize;
        let drafts = MazeDrawer::new(&self.settings, &pool, stream, group).drafts(wanted);
        let drafts = drafts.map_err(ItemError::new)?;
        drop(timer);
        let made = drafts.into_iter().enumerate().map(|(place, draft)| {
            let row = self.item(stream, first + place as u64, draft).map_err(ItemError::new)?;
            Ok(Item { row, trivial: false })
        });
        made.collect()
    }
}
