//! Items about mazes to verdicts: what the text tells is read, and clingo answers it anew.

use racgen_data::columns::base64;
use racgen_data::row::Row;

use crate::audit::reread::verdict::{Finding, Sound, Trouble, Verdict, broken, finding, solver};
use crate::audit::reread::voice::{
    Voice, bare, context, image_cell, misread, row_by_row, same, same_answer, same_list,
};
use crate::halma::items::judge::judge;
use crate::halma::items::picture::{picture, picture_columns};
use crate::halma::items::questions::TYPES;
use crate::halma::items::reader::{MazeReader, ToldSituation, story};
use crate::halma::items::settings::{HARDEST, PANELS};
use crate::halma::items::source::identity;
use crate::halma::items::story::{MazeStory, ToldPanel};

/// Reads what racgen tells of mazes.
pub(crate) struct HalmaVoice {
    reader: &'static MazeReader,
}

impl HalmaVoice {
    /// A reader of racgen's own language.
    pub(crate) fn reader() -> Result<HalmaVoice, Finding> {
        MazeReader::own().map(|reader| HalmaVoice { reader }).map_err(broken)
    }

    /// What the rows of a story tell.
    fn read(&self, rows: &[&Row]) -> Result<MazeStory, Finding> {
        let Some(row) = rows.first() else { return finding(Trouble::Unreadable, "a story without rows") };
        let unread = |what: &'static str| move |cause| misread(what, "", cause);
        let situation: ToldSituation =
            self.reader.situation(&row.initial_state).map_err(unread("initial state"))?;
        let most = self.reader.rules(&row.rules).map_err(unread("rules"))?;
        let moves = self.reader.moves(&row.actions).map_err(unread("actions"))?;
        story(situation, most, moves, || ToldPanel::from_facts(&row.facts)).map_err(unread("text"))
    }

    /// The picture of a panel that is not told is the one drawn of the column facts; other rows have none.
    fn image(&self, story: &MazeStory, world: &str, row: &Row) -> Result<(), Finding> {
        let column = &picture_columns()[0];
        let given = image_cell(column, row);
        let pictured = self.reader.situation(&row.initial_state) == Ok(ToldSituation::Picture);
        let drawn = match story {
            MazeStory::Panel(panel) if pictured => {
                base64(&picture(panel, world, row.seed as u64, row.index as u64).map_err(solver)?)
            }
            _ => String::new(),
        };
        if given == drawn {
            return Ok(());
        }
        finding(Trouble::Columns, "the column image is not the picture of the panel in the column facts")
    }

    /// Reads and answers a row's question, and compares both with its columns.
    fn row(&self, story: &MazeStory, row: &Row) -> Result<Sound, Finding> {
        context(row)?;
        bare(row)?;
        let read = self.reader.question(&row.question);
        let (question, template) = read.map_err(|cause| misread("question", &row.question, cause))?;
        if !question.suits(story) {
            return finding(Trouble::Impossible, "the question is not one about what is told");
        }
        let answer = judge(story, &question).map_err(solver)?;
        let Some(answer) = answer else {
            return finding(Trouble::Impossible, "the question presupposes what is not so");
        };
        same_answer(row, &answer.text())?;
        for (column, given, found) in [
            ("question_type", &*row.question_type, TYPES[question.kind()]),
            ("family", &*row.family, question.family()),
            ("template", row.template.as_str(), template.as_str()),
            ("answer_type", &*row.answer_type, answer.kind()),
            ("query", row.query.as_str(), question.term().as_str()),
            ("gold", row.gold.join(" ").as_str(), answer.term().as_str()),
            ("depth", row.depth.to_string().as_str(), story.plan().len().to_string().as_str()),
        ] {
            same(column, given, found)?;
        }
        let levels =
            if matches!(story, MazeStory::Panel(_)) { PANELS..=PANELS } else { PANELS + 1..=HARDEST };
        if !levels.contains(&row.level) {
            return finding(
                Trouble::Columns,
                format!("the column level has {}, which the text is not of", row.level),
            );
        }
        same_list("facts", &row.facts, &story.facts())?;
        same_list("plan", &row.plan, &story.plan())?;
        if !row.objects.is_empty() {
            return finding(Trouble::Columns, "the column objects names something, and the text nothing");
        }
        let world = story.world();
        self.image(story, &world, row)?;
        same("world", &row.world, &world)?;
        Ok(Sound {
            instance: world.clone().into(),
            world: world.into(),
            trivial: None,
            said: [].into(),
            pictured: false,
        })
    }
}

impl Voice for HalmaVoice {
    fn story(&self, rows: &[&Row]) -> Vec<Verdict> {
        row_by_row(self.read(rows), rows, |story, row| self.row(story, row))
    }

    fn identity(&self, row: &Row) -> Option<String> {
        Some(identity(row))
    }
}
