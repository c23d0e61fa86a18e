//! The stories of a group to what each question offers in one scene of all of them, a bit a story.
//!
//! A group asks some dozens of times which of its stories offer a question of a form. Sheets have a bit for each answer;
//! exchanged with the stories, they say of 64 stories at once whether a question can be asked and what it is answered.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use racgen_logic::evaluate::lanes::transpose;
use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::factory::choosing::schedule::AnswerClass;
use crate::simulate::situation::AnswerSheet;
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transitions::compiled_layout::{CompiledLayout, Kind, Question};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Stories that a word has bits for.
const LANES: usize = 64;

/// What a question offers in one scene of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Is the answer yes?
    pub yes: bool,
    /// Does the initial situation give the same answer?
    pub trivial: bool,
}

/// A scene of a story, set for questions.
pub struct Setting<'a> {
    engine: &'a TransitionSystem,
    sheet: &'a AnswerSheet,
    before: Option<&'a AnswerSheet>,
    /// In the supposing scene, the sheet without the supposed action: what it answers is not asked.
    plain: Option<&'a AnswerSheet>,
}

impl<'a> Setting<'a> {
    /// Sets a scene, if the story has it.
    pub fn new(engine: &'a TransitionSystem, story: &'a Story, scene: Timepoint) -> Option<Setting<'a>> {
        let (sheet, before) = story.sheet(scene)?;
        let plain =
            if scene == Timepoint::Supposing { story.sheet(Timepoint::Now).map(|(s, _)| s) } else { None };
        Some(Setting { engine, sheet, before, plain })
    }

    /// What a question offers, if it can be asked.
    pub fn offer(&self, question: usize) -> Option<Candidate> {
        let question = &self.engine.questions[question];
        let (mut asked, mut yes, mut same) = (false, false, true);
        for answer in question.answers.clone() {
            let now = self.sheet.contains(answer);
            asked |= now;
            yes |= now && question.yes == Some(answer);
            same &= self.before.is_some_and(|before| before.contains(answer) == now);
            if self.plain.is_some_and(|plain| plain.contains(answer)) {
                return None;
            }
        }
        asked.then_some(Candidate { yes, trivial: same })
    }

    /// The answers to a question, as indices into [`answers`](crate::simulate::transitions::compiled_layout::CompiledLayout::answers).
    pub fn answers(&self, question: usize) -> Vec<usize> {
        self.engine.questions[question].answers.clone().filter(|a| self.sheet.contains(*a)).collect()
    }
}

/// By question, the stories in which it can be asked, those that answer it with yes, and those whose initial situation gives
/// the same answer.
#[derive(Clone, Copy, Default)]
struct QuestionOffers {
    asked: u64,
    yes: u64,
    trivial: u64,
}

/// 64 stories in one scene.
struct Block {
    /// By answer, the stories that have it.
    now: Vec<u64>,
    offers: Vec<QuestionOffers>,
}

/// Some stories in one scene.
pub(crate) struct SceneOffers {
    stories: usize,
    blocks: Vec<Block>,
}

impl SceneOffers {
    fn of(compiled: &CompiledLayout, stories: &[&Story], scene: Timepoint) -> SceneOffers {
        let blocks = stories.chunks(LANES).map(|some| Block::of(compiled, some, scene)).collect();
        SceneOffers { stories: stories.len(), blocks }
    }

    /// What a question offers in a story, if it can be asked there.
    pub(crate) fn offer(&self, told: usize, question: usize) -> Option<Candidate> {
        let (offered, lane) = (self.blocks[told / LANES].offers[question], told % LANES);
        let has = |word: u64| word >> lane & 1 == 1;
        has(offered.asked).then_some(Candidate { yes: has(offered.yes), trivial: has(offered.trivial) })
    }

    /// Adds the classes of all answers that a question has in some story, and whether the initial situation gives them.
    pub(crate) fn add_classes(
        &self,
        (compiled, kind): (&CompiledLayout, Kind),
        question: usize,
        found: &mut BTreeSet<(AnswerClass, bool)>,
    ) {
        let answers = || compiled.questions[question].answers.clone();
        for Block { now, offers } in &self.blocks {
            let QuestionOffers { asked, trivial, .. } = offers[question];
            if asked == 0 {
                continue;
            }
            let (mut any, mut several) = (0, 0);
            for answer in answers() {
                several |= any & now[answer];
                any |= now[answer];
            }
            let mut add = |word: u64, terms: &[&Term]| {
                for (stories, is_trivial) in [(word & trivial, true), (word & !trivial, false)] {
                    if stories != 0 {
                        found.insert((AnswerClass::of(kind, terms), is_trivial));
                    }
                }
            };
            add(asked & several, &[]);
            for answer in answers() {
                add(asked & now[answer] & !several, &[&compiled.answers[answer].answer]);
            }
        }
    }
}

impl Block {
    fn of(compiled: &CompiledLayout, stories: &[&Story], scene: Timepoint) -> Block {
        let sheets: Vec<Option<(&AnswerSheet, Option<&AnswerSheet>)>> =
            stories.iter().map(|story| story.sheet(scene)).collect();
        let answers = compiled.answers.len();
        let now = by_answer(answers, sheets.iter().map(|sheet| sheet.map(|(now, _)| now)));
        let befores = || sheets.iter().map(|sheet| sheet.and_then(|(_, before)| before));
        let before = by_answer(answers, befores());
        let compared = befores().enumerate().filter(|(_, before)| before.is_some());
        let compared = compared.fold(0u64, |word, (lane, _)| word | 1 << lane);
        // What the sheet without the supposed action answers is not asked.
        let plain = (scene == Timepoint::Supposing).then(|| {
            let plain = stories.iter().zip(&sheets).map(|(story, sheet)| {
                sheet.and_then(|_| story.sheet(Timepoint::Now).map(|(sheet, _)| sheet))
            });
            by_answer(answers, plain)
        });
        let offer = |question: &Question| {
            let mut offered = QuestionOffers { trivial: compared, ..QuestionOffers::default() };
            let mut barred = 0;
            for answer in question.answers.clone() {
                offered.asked |= now[answer];
                offered.trivial &= !(now[answer] ^ before[answer]);
                barred |= plain.as_ref().map_or(0, |plain| plain[answer]);
            }
            offered.yes = question.yes.map_or(0, |yes| now[yes]);
            QuestionOffers { asked: offered.asked & !barred, ..offered }
        };
        let offers = compiled.questions.iter().map(offer).collect();
        Block { now, offers }
    }
}

/// By answer, a bit for each sheet that has it.
fn by_answer<'s>(answers: usize, sheets: impl Iterator<Item = Option<&'s AnswerSheet>>) -> Vec<u64> {
    let sheets: Vec<&[u64]> = sheets.map(|sheet| sheet.map_or(&[][..], AnswerSheet::words)).collect();
    let mut found = Vec::with_capacity(answers.next_multiple_of(LANES));
    for block in 0..answers.div_ceil(LANES) {
        let mut rows = [0u64; LANES];
        for (row, sheet) in rows.iter_mut().zip(&sheets) {
            *row = sheet.get(block).copied().unwrap_or(0);
        }
        transpose(&mut rows);
        found.extend(rows);
    }
    found
}

/// What the stories of a group offer, scene by scene, as far as it was asked.
#[derive(Default)]
pub(crate) struct KnownOffers(RefCell<HashMap<Timepoint, Rc<SceneOffers>>>);

impl KnownOffers {
    /// What stories offer in a scene. They are those of the last call, and perhaps some more.
    pub(crate) fn of(
        &self,
        compiled: &CompiledLayout,
        stories: &[&Story],
        scene: Timepoint,
    ) -> Rc<SceneOffers> {
        let mut known = self.0.borrow_mut();
        if let Some(offers) = known.get(&scene).filter(|offers| offers.stories == stories.len()) {
            return offers.clone();
        }
        let offers = Rc::new(SceneOffers::of(compiled, stories, scene));
        known.insert(scene, offers.clone());
        offers
    }
}
