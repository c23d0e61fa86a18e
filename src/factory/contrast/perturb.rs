//! A question and its story to the same with one change: of minimal pairs, and of the contrast set (table 22).

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use racgen_logic::canonical::world_key;
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::batch::group::Batch;
use crate::factory::batch::told_story::ToldStory;
use crate::factory::choosing::offered::Setting;
use crate::factory::choosing::selection::{Selection, inside};
use crate::factory::contrast::change::{Change, Edit, OtherAction, Reduced, Variants};
use crate::factory::error::FactoryError;
use crate::language::words::lexicon::Lexicon;
use crate::language::words::naming::obfuscated_name;
use crate::phrases::book::RelationPhrases;
use crate::simulate::error::SimulationError;
use crate::simulate::layout::Layout;
use crate::simulate::layout_cache::PreparedLayout;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::compiled_layout::Kind;

/// How many other actions, facts and objects are tried.
const ACTIONS: usize = 16;
const FACTS: usize = 160;
/// How many situations with another fact a story may be told from.
const SITUATIONS: usize = 24;

/// The other item of a pair.
pub(crate) struct Perturbed<'f> {
    /// Its layout and how the layout's atoms are said, where that is another.
    pub(crate) stage: Option<(Simulator<'f>, Arc<Lexicon>)>,
    /// Its story, where that is another.
    pub(crate) told: Option<ToldStory>,
    /// Its question.
    pub(crate) choice: Selection,
}

/// The twin of a question, if it has one.
pub(crate) fn twin<'f>(
    batch: &mut Batch<'f>,
    change: Change,
    choice: &Selection,
    rng: &mut ChaCha8Rng,
) -> Result<Option<Perturbed<'f>>, FactoryError> {
    let places = |wanted: fn(&[bool]) -> bool| {
        move |a: &Term, b: &Term| {
            let (a, b) = (inside(a), inside(b));
            let differ: Vec<bool> = a.args().iter().zip(b.args()).map(|(a, b)| a != b).collect();
            a.is(b.functor(), b.args().len()) && wanted(&differ)
        }
    };
    let one = |differ: &[bool]| differ.iter().filter(|d| **d).count() == 1;
    let same_story =
        |choice: Option<Selection>| choice.map(|choice| Perturbed { stage: None, told: None, choice });
    Ok(match change {
        Change::Word => same_story(asked_otherwise(batch, choice, places(one), rng)),
        Change::ObjectChanged => {
            let first = |differ: &[bool]| differ.len() > 1 && differ[0] && !differ[1..].contains(&true);
            same_story(asked_otherwise(batch, choice, places(first), rng))
        }
        Change::EntitiesChanged => {
            let all = |differ: &[bool]| differ.len() > 1 && !differ.contains(&false);
            same_story(asked_otherwise(batch, choice, places(all), rng))
        }
        Change::WordsChanged | Change::QuestionWordChanged => {
            same_story(asked_of_the_same(batch, choice, change == Change::WordsChanged, rng))
        }
        Change::Paraphrased => same_story(Some(choice.clone())),
        Change::NameChanged => renamed(batch, choice, rng),
        Change::Action => acted_otherwise(batch, choice, rng)?,
        Change::Fact => begun_otherwise(batch, choice, rng)?,
        Change::EntityAdded | Change::EntityRemoved => reduced(batch, choice, rng)?,
    })
}

/// A question as it is answered in a story, where it can be asked there.
fn ask<'f>(batch: &Batch<'f>, story: &Story, like: &Selection, question: usize) -> Option<Selection> {
    let setting = Setting::new(&batch.stage.engine, story, like.scene)?;
    let offer = setting.offer(question)?;
    let answers = setting.answers(question);
    Some(Selection { question, answers, trivial: offer.trivial, ..like.clone() })
}

/// May the question stand beside the other?
fn fits<'f>(batch: &Batch<'f>, told: &ToldStory, choice: &Selection) -> bool {
    let terms: Vec<&Term> = choice.answers.iter().map(|a| &batch.stage.engine.answers[*a].answer).collect();
    let verify = batch.stage.engine.questions[choice.question].kind == Kind::Verify;
    verify || batch.sayable(told, choice.question, &terms)
}

/// The answers' terms.
fn said<'f>(batch: &Batch<'f>, choice: &Selection) -> Vec<Term> {
    choice.answers.iter().map(|a| batch.stage.engine.answers[*a].answer.clone()).collect()
}

/// A question of the same form in the same story that is answered differently; `wanted` compares the two.
fn asked_otherwise<'f>(
    batch: &Batch<'f>,
    choice: &Selection,
    wanted: impl Fn(&Term, &Term) -> bool,
    rng: &mut ChaCha8Rng,
) -> Option<Selection> {
    let engine = &batch.stage.engine;
    let own = &engine.questions[choice.question];
    let voice = batch.lexicon.form(choice.question)?;
    let told = &batch.pool[choice.told];
    let candidates = batch.lexicon.questions_of(own.kind, voice).iter().filter(|other| {
        wanted(&own.term, &engine.questions[**other].term)
            && !batch.used.contains(&(choice.told, choice.scene, **other))
    });
    let asked = candidates.filter_map(|other| ask(batch, &told.story, choice, *other));
    let pattern = batch.pattern(choice);
    let good = |other: &Selection| {
        batch.pattern(other) == pattern
            && said(batch, other) != said(batch, choice)
            && fits(batch, told, other)
    };
    asked.filter(good).collect::<Vec<_>>().choose(rng).cloned()
}

/// A question of another form about the same objects in the same story.
fn asked_of_the_same<'f>(
    batch: &Batch<'f>,
    choice: &Selection,
    verify: bool,
    rng: &mut ChaCha8Rng,
) -> Option<Selection> {
    let engine = &batch.stage.engine;
    let objects = |question: usize| -> Vec<&str> {
        let term = inside(&engine.questions[question].term);
        let mut all: Vec<&str> =
            term.args().iter().filter(|t| t.args().is_empty()).map(Term::functor).collect();
        all.retain(|id| batch.stage.layout().objects.iter().any(|o| &*o.id == *id));
        all.sort_unstable();
        all
    };
    let own = objects(choice.question);
    let voice = batch.lexicon.form(choice.question)?;
    let told = &batch.pool[choice.told];
    let candidates = (0..engine.questions.len()).filter(|other| {
        (engine.questions[*other].kind == Kind::Verify) == verify
            && batch.lexicon.form(*other).is_some_and(|v| v != voice)
            && !batch.used.contains(&(choice.told, choice.scene, *other))
            && objects(*other) == own
    });
    let asked = candidates.filter_map(|other| ask(batch, &told.story, choice, other));
    let good = |other: &Selection| {
        (!verify || said(batch, other) != said(batch, choice)) && fits(batch, told, other)
    };
    if own.is_empty() {
        return None;
    }
    asked.filter(good).collect::<Vec<_>>().choose(rng).cloned()
}

/// The same story with a new name for an object that the question or its answer names.
fn renamed<'f>(batch: &Batch<'f>, choice: &Selection, rng: &mut ChaCha8Rng) -> Option<Perturbed<'f>> {
    let told = &batch.pool[choice.told];
    if told.numbers.is_some() {
        return None;
    }
    let question = inside(&batch.stage.engine.questions[choice.question].term).clone();
    let named: Vec<Term> = said(batch, choice).into_iter().chain(question.args().iter().cloned()).collect();
    let objects = batch.stage.layout().objects.iter().enumerate();
    let found = objects.filter(|(_, o)| named.iter().any(|t| t.is(&o.id, 0)));
    let (object, _) = *found.collect::<Vec<_>>().choose(rng)?;
    let mut naming = told.naming.clone();
    naming.names[object] = obfuscated_name(rng);
    let told = told.like(told.story.clone(), naming);
    Some(Perturbed { stage: None, told: Some(told), choice: choice.clone() })
}

/// The question in the first of other stories of the layout where it is answered differently. `order` has the numbers of
/// the variants that are looked at.
fn in_variant<'f, K>(
    batch: &mut Batch<'f>,
    choice: &Selection,
    variants: &mut Variants<K>,
    order: impl Iterator<Item = usize>,
) -> Result<Option<Perturbed<'f>>, FactoryError> {
    let further = batch.pool[choice.told].story.further.clone();
    let Variants { tales, sheets, .. } = variants;
    let sheets = match sheets.entry(choice.scene) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(unknown) => unknown.insert(batch.stage.glimpse(tales, &further, choice.scene)?),
    };
    for number in order {
        let Some(sheet) = &sheets[number] else { continue };
        let answers = batch.stage.engine.questions[choice.question].answers.clone();
        if answers.filter(|a| sheet.contains(*a)).eq(choice.answers.iter().copied()) {
            continue;
        }
        let (start, plan) = &tales[number];
        let story = batch.stage.retell(start, plan, &further)?;
        let Some(story) = story.filter(|story| belongs(batch, &batch.stage, story)) else { continue };
        let told = &batch.pool[choice.told];
        let told = told.like(story, told.naming.clone());
        let Some(other) = ask(batch, &told.story, choice, choice.question) else { continue };
        if said(batch, &other) != said(batch, choice) && fits(batch, &told, &other) {
            return Ok(Some(Perturbed { stage: None, told: Some(told), choice: other }));
        }
    }
    Ok(None)
}

/// Does a story's world, or its world and plan, belong to the split?
fn belongs<'f>(batch: &Batch<'f>, stage: &Simulator, story: &Story) -> bool {
    let key = if batch.context.by_instance() {
        stage.key(&story.initial, &story.plan)
    } else {
        story.world.to_string()
    };
    batch.context.belongs(batch.of.split, &key)
}

/// The story with another action in one place.
fn acted_otherwise<'f>(
    batch: &mut Batch<'f>,
    choice: &Selection,
    rng: &mut ChaCha8Rng,
) -> Result<Option<Perturbed<'f>>, FactoryError> {
    let mut variants = match batch.variants.acted.remove(&choice.told) {
        Some(known) => known,
        None => with_another_action(batch, choice.told)?,
    };
    let mut order: Vec<usize> = (0..variants.changes.len()).collect();
    order.shuffle(rng);
    let twin = in_variant(batch, choice, &mut variants, order.into_iter().take(ACTIONS));
    batch.variants.acted.insert(choice.told, variants);
    twin
}

/// All stories with another action in one place.
fn with_another_action<'f>(
    batch: &mut Batch<'f>,
    told: usize,
) -> Result<Variants<OtherAction>, FactoryError> {
    let Story { initial, plan, passed, .. } = &batch.pool[told].story;
    let before: Vec<&Situation> = std::iter::once(initial).chain(passed).take(plan.len()).collect();
    let mut changes: Vec<OtherAction> = Vec::new();
    for (place, executable) in batch.stage.executable(&before)?.into_iter().enumerate() {
        changes.extend(executable.into_iter().filter(|a| *a != plan[place]).map(|action| (place, action)));
    }
    let with = |(place, action): &OtherAction| {
        let mut plan = plan.clone();
        plan[*place] = *action;
        (initial.clone(), plan)
    };
    let tales = changes.iter().map(with).collect();
    Ok(Variants { changes, tales, sheets: HashMap::new() })
}

/// The story from an initial situation in which one fact is another.
fn begun_otherwise<'f>(
    batch: &mut Batch<'f>,
    choice: &Selection,
    rng: &mut ChaCha8Rng,
) -> Result<Option<Perturbed<'f>>, FactoryError> {
    let mut variants = match batch.variants.begun.remove(&choice.told) {
        Some(known) => known,
        None => with_another_fact(batch, choice.told)?,
    };
    let premises = batch.stage.engine.premises(choice.question, |_| true);
    let mut order: Vec<usize> = (0..variants.changes.len()).collect();
    order.shuffle(rng);
    let counts = |fluent: Option<usize>| fluent.is_some_and(|f| premises.contains(f));
    order.sort_by_key(|number| {
        let (out, new) = variants.changes[*number];
        !(counts(out) || counts(new))
    });
    let twin = in_variant(batch, choice, &mut variants, order.into_iter());
    batch.variants.begun.insert(choice.told, variants);
    twin
}

/// Stories from initial situations in which one fact is another; some of them, where they are many.
fn with_another_fact<'f>(batch: &mut Batch<'f>, told: usize) -> Result<Variants<Edit>, FactoryError> {
    let initial = batch.pool[told].story.initial.clone();
    let words = ["edits", &batch.number.to_string(), &told.to_string()];
    let mut possible = possible_edits(batch, &initial, &mut batch.context.rng(batch.of, &words));
    possible.truncate(FACTS);
    let situations: Vec<Situation> = possible.iter().map(|edit| edited(batch, &initial, *edit)).collect();
    let legal = are_legal(batch, &situations)?;
    let plan = &batch.pool[told].story.plan;
    let all = possible.into_iter().zip(situations).zip(legal);
    let legal = all.filter_map(|(edited, legal)| legal.then_some(edited)).take(SITUATIONS);
    let (changes, tales) = legal.map(|(edit, start)| (edit, (start, plan.clone()))).unzip();
    Ok(Variants { changes, tales, sheets: HashMap::new() })
}

/// The inertial fluents that are true in a situation, but for an edit.
fn edited<'f>(batch: &Batch<'f>, initial: &Situation, (out, new): Edit) -> Situation {
    let engine = &batch.stage.engine;
    let mut start = BitSet::new(engine.fluents.len());
    initial.iter().filter(|f| engine.inertial.contains(*f)).for_each(|f| start.insert(f));
    out.iter().for_each(|f| start.remove(*f));
    new.iter().for_each(|f| start.insert(*f));
    start
}

/// All edits of one fact: first those that put another object in one place of it.
fn possible_edits<'f>(batch: &Batch<'f>, initial: &Situation, rng: &mut ChaCha8Rng) -> Vec<Edit> {
    let (engine, book) = (&batch.stage.engine, &batch.context.package().book);
    // What the text does not tell cannot be seen to be another.
    let entry = |f: usize| {
        let fits = |r: &&RelationPhrases| batch.context.package().fits(&r.pattern, &engine.fluents[f]);
        book.fluents.iter().find(fits)
    };
    let told = |f: &usize| batch.lexicon.view.is_some() || entry(*f).is_some_and(|r| r.told);
    let (yes, no): (Vec<usize>, Vec<usize>) =
        engine.inertial.iter().filter(told).partition(|f| initial.contains(*f));
    let (mut near, mut far): (Vec<Edit>, Vec<Edit>) = (Vec::new(), Vec::new());
    for out in yes.iter().copied() {
        far.push((Some(out), None));
        let gone = &engine.fluents[out];
        for new in no.iter().copied() {
            let come = &engine.fluents[new];
            if !gone.args().iter().any(|object| come.args().contains(object)) {
                continue;
            }
            let differ = gone.args().iter().zip(come.args()).filter(|(a, b)| a != b).count();
            let edits = if gone.functor() == come.functor() && differ == 1 { &mut near } else { &mut far };
            edits.push((Some(out), Some(new)));
        }
    }
    far.extend(no.iter().map(|f| (None, Some(*f))));
    near.shuffle(rng);
    far.shuffle(rng);
    // A quarter of what is tried is of the other kind.
    near.truncate(FACTS * 3 / 4);
    near.extend(far);
    near
}

/// Which of these are initial situations of the layout?
fn are_legal<'f>(batch: &mut Batch<'f>, starts: &[Situation]) -> Result<Vec<bool>, FactoryError> {
    let legality = match &mut batch.legality {
        Some(ready) => ready,
        none => none.insert(batch.stage.legality()?),
    };
    Ok(legality.of(starts).map_err(SimulationError::from)?)
}

/// The story in a world that lacks an object, where the count is lower.
fn reduced<'f>(
    batch: &mut Batch<'f>,
    choice: &Selection,
    rng: &mut ChaCha8Rng,
) -> Result<Option<Perturbed<'f>>, FactoryError> {
    let told = &batch.pool[choice.told];
    let (engine, layout) = (&batch.stage.engine, batch.stage.layout());
    let question = &engine.questions[choice.question];
    if told.numbers.is_some() {
        return Ok(None);
    }
    let actions = told.story.plan.iter().chain(&told.story.further);
    let terms = actions.map(|a| &engine.actions[*a]).chain([&question.term]);
    let named: BTreeSet<&str> = terms.flat_map(Term::constants).collect();
    // What the answer rests on must be about the object.
    let premises = engine.premises(choice.question, |_| true);
    let counted: BTreeSet<&str> =
        premises.iter().flat_map(|fluent| engine.fluents[fluent].constants()).collect();
    let counts = |id: &str| !named.contains(id) && (counted.is_empty() || counted.contains(id));
    let mut free: Vec<usize> = (0..layout.objects.len()).filter(|o| counts(&layout.objects[*o].id)).collect();
    free.shuffle(rng);
    for object in free {
        if !keeps(batch, &batch.pool[choice.told].story, object) {
            continue;
        }
        if let Some(twin) = without(batch, choice, object)? {
            return Ok(Some(twin));
        }
    }
    Ok(None)
}

/// Would a story's world without an object belong to the split?
fn keeps<'f>(batch: &Batch<'f>, story: &Story, object: usize) -> bool {
    let Simulator { package, engine, .. } = &batch.stage;
    let layout = batch.stage.layout();
    let id = &layout.objects[object].id;
    let lacks = |term: &Term| !term.mentions(id);
    let objects = || layout.objects.iter().filter(|o| o.id != *id);
    let fluents = story.initial.iter().filter(|f| engine.inertial.contains(*f));
    let plan = story.plan.iter().enumerate().filter(|_| batch.context.by_instance());
    let steps = plan.map(|(time, action)| {
        Term::function("occ", vec![engine.actions[*action].clone(), Term::Number(time as i32)])
    });
    let facts = layout.statics.iter().cloned().chain(fluents.map(|f| engine.fluents[f].clone()));
    let facts: Vec<Term> = facts.filter(lacks).chain(steps).collect();
    let ids: Vec<&str> = objects().map(|o| &*o.id).collect();
    let kinds: Vec<usize> = objects().map(|o| o.kind).collect();
    batch.context.belongs(batch.of.split, &world_key(&package.name, &ids, &kinds, &facts))
}

/// The layout without one of its objects, and without what is said of it.
fn layout_without<'f>(batch: &Batch<'f>, object: usize) -> Layout {
    let mut layout: Layout = batch.stage.layout().clone();
    let gone = layout.objects.remove(object);
    layout.statics.retain(|fact| !fact.mentions(&gone.id));
    if let Some(count) = layout.parameters.get_mut(&batch.stage.package.types[gone.kind].count) {
        *count -= 1;
    }
    layout
}

fn without<'f>(
    batch: &mut Batch<'f>,
    choice: &Selection,
    object: usize,
) -> Result<Option<Perturbed<'f>>, FactoryError> {
    let context = batch.context;
    if !batch.reduced.contains_key(&object) {
        let layout = layout_without(batch, object);
        let limit = context.limit();
        let prepared = Arc::new(PreparedLayout::without_draws(context.package(), layout, limit)?);
        let PreparedLayout { layout, compiled, .. } = &*prepared;
        let lexicon = Arc::new(Lexicon::new(context.package(), layout, compiled));
        let legality = prepared.legality(limit)?;
        batch.reduced.insert(object, Reduced { prepared, lexicon, legality });
    }
    let Some(Reduced { prepared, lexicon, legality }) = batch.reduced.get_mut(&object) else {
        return Ok(None);
    };
    let (sampling, limit) = (context.settings().sampling, context.limit());
    let lexicon = lexicon.clone();
    let mut stage = Simulator::of(context.package(), prepared.clone(), sampling, limit);
    let (told, engine) = (&batch.pool[choice.told], &batch.stage.engine);
    let place = |terms: &[Term], term: &Term| terms.binary_search(term).ok();
    let move_all = |of: &[usize], from: &[Term], to: &[Term]| -> Option<Vec<usize>> {
        of.iter().map(|n| place(to, &from[*n])).collect()
    };
    let mut start = BitSet::new(stage.engine.fluents.len());
    for fluent in told.story.initial.iter().filter(|f| engine.inertial.contains(*f)) {
        if let Some(moved) = place(&stage.engine.fluents, &engine.fluents[fluent]) {
            start.insert(moved);
        }
    }
    if legality.of(std::slice::from_ref(&start)).map_err(SimulationError::from)? != [true] {
        return Ok(None);
    }
    let plan = move_all(&told.story.plan, &engine.actions, &stage.engine.actions);
    let further = move_all(&told.story.further, &engine.actions, &stage.engine.actions);
    let (Some(plan), Some(further)) = (plan, further) else { return Ok(None) };
    let own = &engine.questions[choice.question];
    let question = stage.engine.questions.iter().position(|q| q.term == own.term && q.kind == own.kind);
    let Some(question) = question.filter(|q| lexicon.form(*q).is_some()) else {
        return Ok(None);
    };
    let Some(story) = stage.retell(&start, &plan, &further)? else { return Ok(None) };
    if !belongs(batch, &stage, &story) {
        return Ok(None);
    }
    let Some(setting) = Setting::new(&stage.engine, &story, choice.scene) else { return Ok(None) };
    let Some(offer) = setting.offer(question) else { return Ok(None) };
    let answers = setting.answers(question);
    let number = |engine: &crate::simulate::transitions::compiled_layout::CompiledLayout,
                  answers: &[usize]| {
        let answer = answers.first().map(|a| &engine.answers[*a].answer);
        answer.and_then(|t| if let Term::Number(n) = t { Some(*n) } else { None })
    };
    if number(&stage.engine, &answers) >= number(engine, &choice.answers) {
        return Ok(None);
    }
    let choice = Selection { question, answers, trivial: offer.trivial, ..choice.clone() };
    let told = told.like(story, told.naming.without(object));
    Ok(Some(Perturbed { stage: Some((stage, lexicon)), told: Some(told), choice }))
}
