//! Stories to situations: what a story tells is played by clingo, step by step and as a whole.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use racgen_data::row::Row;
use racgen_logic::canonical::world_key;
use racgen_logic::clingo::{Program, Search, Source};
use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::audit::reread::domains::origin::OwnLayout;
use crate::audit::reread::domains::pictured::{GroundLayout, KnownPicture, Redrawer};
use crate::audit::reread::domains::reading::{Domain, ReadStory, check_context, generic_inverse};
use crate::audit::reread::domains::rules_wordings::Wordings;
use crate::audit::reread::verdict::{Finding, Sound, Trouble, Verdict, finding, solver};
use crate::audit::reread::voice::{same, same_facts};
use crate::domain::embedded::axioms;
use crate::simulate::layout::Layout;
use crate::simulate::narrative::part_search::PartSearches;
use crate::simulate::search::by_clingo::PlanSearch;
use crate::simulate::search::by_invariant::InvariantSearch;
use crate::simulate::search::surroundings::Surroundings;
use crate::simulate::situation::{AnswerSheet, BitSet, Situation};
use crate::simulate::transitions::compiled_layout::CompiledLayout;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// The longest plans that are run through the time-expanded program.
const LONGEST_WHOLE: usize = 30;

/// A grounded layout, for the stories that take place in it.
pub(crate) struct StoryReplay {
    pub(crate) package: Arc<Domain>,
    pub(crate) layout: Layout,
    pub(crate) generic: bool,
    pub(crate) compiled: Arc<CompiledLayout>,
    pub(crate) limit: Duration,
    /// Which fluents the text tells where they are true.
    pub(crate) told: Vec<usize>,
    /// Have rows of the data the length of a shortest plan?
    pub(crate) has_depths: bool,
    /// What draws its situations, once a picture is looked at.
    redrawer: Redrawer,
}

/// clingo, at work on one layout.
pub(crate) struct Solvers {
    pub(crate) engine: TransitionSystem,
    /// Completes initial situations.
    pub(crate) situations: Option<Search>,
    /// The rules paragraphs of the layout.
    pub(crate) wordings: Option<Wordings>,
    /// By number of steps, the layout's program over so many.
    pub(crate) searches: HashMap<usize, PlanSearch>,
    /// Those for completions of what is told.
    pub(crate) part_searches: PartSearches,
    /// The layout's program over one step, for invariants.
    pub(crate) invariants: Option<InvariantSearch>,
    /// By objects and static facts, the layouts with their rules: one but where a text names no objects.
    own: HashMap<String, Arc<Vec<OwnLayout>>>,
}

/// A story as it is played.
pub(crate) struct Play {
    pub(crate) passed: Vec<Situation>,
    pub(crate) plan: Vec<usize>,
    /// What is executable initially.
    pub(crate) executable: Vec<usize>,
    /// By whether it is the initial situation, the further actions and the one supposed.
    pub(crate) sheets: HashMap<SceneKey, Option<(Situation, AnswerSheet)>>,
    /// The length of a shortest plan, as the column has it, once it is worked out.
    pub(crate) shortest: Option<String>,
    /// What is around the last situation, once it is worked out.
    pub(crate) around: Option<Surroundings>,
}

impl Play {
    /// A story that begins here, before anything happens.
    pub(super) fn of(initial: Situation) -> Play {
        Play {
            passed: vec![initial],
            plan: Vec::new(),
            executable: Vec::new(),
            sheets: HashMap::default(),
            shortest: None,
            around: None,
        }
    }
}

type SceneKey = (bool, Vec<usize>, Option<usize>);

impl StoryReplay {
    pub(crate) fn new(
        story: &ReadStory,
        layout: Layout,
        limit: Duration,
    ) -> Result<(StoryReplay, Solvers), Finding> {
        let package = &story.domain.package;
        let program = match &story.theory {
            None => layout.step_program(package),
            Some(theory) => Program {
                sources: vec![axioms("kernel.lp"), axioms("open.lp"), axioms("told.lp"), theory.clone()],
                parts: vec![],
                constants: vec![("n".into(), 1)],
            },
        };
        let bare = story.theory.is_none().then(|| layout.bare_step_program(package));
        let engine = TransitionSystem::by_clingo(program, bare.as_ref(), limit).map_err(solver)?;
        let compiled = engine.compiled().clone();
        let is_told = |fluent: &Term| {
            let entry = package.book.fluents.iter().find(|r| package.fits(&r.pattern, fluent));
            story.generic || entry.is_some_and(|r| r.told)
        };
        let told = (0..compiled.fluents.len()).filter(|f| is_told(&compiled.fluents[*f])).collect();
        let scene = StoryReplay {
            package: story.domain.clone(),
            layout,
            generic: story.generic,
            compiled,
            limit,
            told,
            has_depths: false,
            redrawer: Redrawer::default(),
        };
        Ok((
            scene,
            Solvers {
                engine,
                situations: None,
                wordings: None,
                searches: HashMap::default(),
                part_searches: PartSearches::default(),
                invariants: None,
                own: HashMap::default(),
            },
        ))
    }

    /// The verdicts on rows of one story; none for questions that this grounding does not ask.
    pub(crate) fn story(
        &self,
        story: &ReadStory,
        rows: &[&Row],
        wanted: &[usize],
        first: bool,
        solvers: &mut Solvers,
    ) -> Vec<(usize, Option<Verdict>)> {
        let mut picture = KnownPicture::default();
        if story.is_partly() {
            let inverse = &self.package.inverse;
            let names = inverse.names(&story.objects, false);
            let mut judged = |row: &usize| {
                let verdict = match self.picture(story, rows[*row], &mut picture) {
                    Err(found) => Some(Err(found)),
                    Ok(()) => self.part_row(solvers, story, (inverse, &names), rows[*row]),
                };
                (*row, verdict)
            };
            return wanted.iter().map(&mut judged).collect();
        }
        let all = |found: Finding| wanted.iter().map(|row| (*row, Some(Err(found.clone())))).collect();
        let mut play = match self.play(solvers, story) {
            Ok(play) => play,
            Err(found) => return all(found),
        };
        let shared = self.shared(story, rows[story.rows[0]], &play, solvers);
        if let Err(found) = shared.and_then(|()| if first { self.expanded(story, &play) } else { Ok(()) }) {
            return all(found);
        }
        let [world, instance] = self.keys(rows[story.rows[0]], &play);
        let inverse = if self.generic { generic_inverse(&self.package.package).ok() } else { None };
        let inverse = inverse.as_ref().map_or(&self.package.inverse, |(inverse, _)| inverse);
        let names = inverse.names(&story.objects, false);
        let mut found = Vec::new();
        for row in wanted {
            // The text is read once for all rows of a story, which may yet differ in other columns.
            let differs = self.of_story(rows[*row], &world, &play);
            let differs = differs.and_then(|()| self.picture(story, rows[*row], &mut picture));
            let verdict = match differs {
                Err(found) => Some(Err(found)),
                Ok(()) => self.row(solvers, &mut play, story, inverse, &names, rows[*row]),
            };
            let sound = |trivial| Sound {
                world: world.clone(),
                instance: instance.clone(),
                trivial: Some(trivial),
                said: story.said.clone(),
                pictured: story.pictured,
            };
            found.push((*row, verdict.map(|answer| answer.map(sound))));
        }
        found
    }

    /// The picture of a row, if it has one, is that of its facts.
    fn picture(&self, story: &ReadStory, row: &Row, known: &mut KnownPicture) -> Result<(), Finding> {
        let (domain, layout, compiled) = (&*self.package, &self.layout, &*self.compiled);
        let ground = GroundLayout { domain, layout, compiled, limit: self.limit };
        self.redrawer.check(ground, story.pictured, row, known)
    }

    /// The columns that follow from the story, in a row of it.
    fn of_story(&self, row: &Row, world: &str, play: &Play) -> Result<(), Finding> {
        check_context(row)?;
        if !self.generic {
            same("world", &row.world, world)?;
        }
        same("depth", &row.depth.to_string(), &play.plan.len().to_string())
    }

    /// The layouts that the story of a row may take place in, with their rules.
    pub(crate) fn own(&self, solvers: &mut Solvers, row: &Row) -> Result<Arc<Vec<OwnLayout>>, Finding> {
        let package = &self.package.package;
        let is_layout = |fact: &&String| {
            let functor = fact.split('(').next().unwrap_or_default();
            let of_type = package.types.iter().any(|t| t.name == functor);
            of_type || package.statics.iter().any(|(name, _)| name == functor)
        };
        let key = match self.generic {
            true => row.facts.iter().filter(is_layout).map(String::as_str).collect::<Vec<_>>().join(" "),
            false => String::new(),
        };
        if let Some(known) = solvers.own.get(&key) {
            return Ok(known.clone());
        }
        let found = match self.generic {
            true => OwnLayout::behind(package, row)?,
            false => vec![OwnLayout::of(package, &self.layout)?],
        };
        let found = Arc::new(found);
        solvers.own.insert(key, found.clone());
        Ok(found)
    }

    pub(crate) fn index(&self, fluent: &Term) -> Result<usize, Finding> {
        self.compiled.fluents.binary_search(fluent).map_err(|_| Finding {
            trouble: Trouble::Impossible,
            detail: format!("`{fluent}` is no fluent of the domain here"),
        })
    }

    /// The only action that fits a term; the wording may leave places open.
    pub(crate) fn action(&self, wanted: &Term) -> Result<usize, Finding> {
        if let Ok(action) = self.compiled.actions.binary_search(wanted) {
            return Ok(action);
        }
        let open = |a: &Term, b: &Term| a.is("_", 0) || a == b;
        let fits = |action: &&Term| {
            action.is(wanted.functor(), wanted.args().len())
                && wanted.args().iter().zip(action.args()).all(|(a, b)| open(a, b))
        };
        let mut found = self.compiled.actions.iter().enumerate().filter(|(_, action)| fits(action));
        match (found.next(), found.next()) {
            (Some((action, _)), None) => Ok(action),
            (None, _) => finding(Trouble::Impossible, format!("`{wanted}` is no action of the domain here")),
            _ => finding(Trouble::Ambiguous, format!("the action `{wanted}`")),
        }
    }

    /// The situations that a story passes.
    fn play(&self, solvers: &mut Solvers, story: &ReadStory) -> Result<Play, Finding> {
        let mut told = BitSet::new(self.compiled.fluents.len());
        for fluent in &story.told {
            told.insert(self.index(fluent)?);
        }
        let open = self.compiled.inertial.iter().any(|fluent| !self.told.contains(&fluent));
        let start = if open { self.complete(&told, &mut solvers.situations)? } else { told.clone() };
        let engine = &mut solvers.engine;
        let settled = engine.consider(&start, None).map_err(solver)?;
        let Some((here, sheet)) = settled else {
            return finding(Trouble::Impossible, "the initial state breaks a law of the domain");
        };
        for fluent in &self.told {
            if here.situation.contains(*fluent) != told.contains(*fluent) {
                let (word, term) = (
                    if told.contains(*fluent) { "true" } else { "not told" },
                    &self.compiled.fluents[*fluent],
                );
                return finding(
                    Trouble::Impossible,
                    format!("`{term}` is {word} in the initial state, against the domain's laws"),
                );
            }
        }
        let mut play = Play {
            passed: vec![here.situation.clone()],
            plan: Vec::new(),
            executable: here.executable,
            sheets: HashMap::default(),
            shortest: None,
            around: None,
        };
        play.sheets.insert((true, vec![], None), Some((here.situation, sheet)));
        for action in &story.plan {
            let action = self.action(action)?;
            let last = &play.passed[play.passed.len() - 1];
            let next = engine.step(last, action).map_err(solver)?;
            let Some(next) = next else {
                let number = play.plan.len() + 1;
                let term = &self.compiled.actions[action];
                return finding(
                    Trouble::Impossible,
                    format!("action {number}, `{term}`, cannot be carried out"),
                );
            };
            play.passed.push(next.situation);
            play.plan.push(action);
        }
        Ok(play)
    }

    /// The only initial situation that agrees with the text, where some inertial fluents are not told.
    fn complete(&self, told: &Situation, search: &mut Option<Search>) -> Result<Situation, Finding> {
        let mut ready = match search.take() {
            Some(ready) => ready,
            None => {
                let program = self.layout.situation_program(&self.package.package);
                program.search(&[("holds", 2)], None, self.limit).map_err(solver)?
            }
        };
        let found = complete(&mut ready, &self.compiled, &self.told, told);
        *search = Some(ready);
        found
    }

    /// The columns that the rows of a story share.
    fn shared(
        &self,
        story: &ReadStory,
        row: &Row,
        play: &Play,
        solvers: &mut Solvers,
    ) -> Result<(), Finding> {
        let plan: Vec<String> = play.plan.iter().map(|a| self.compiled.actions[*a].to_string()).collect();
        if *plan != *row.plan {
            return finding(
                Trouble::Columns,
                format!("the column plan has {}, the text {}", row.plan.join(" "), plan.join(" ")),
            );
        }
        let fluents = play.passed[0].iter().map(|f| self.compiled.fluents[f].to_string());
        let mut facts: BTreeSet<String> = fluents.collect();
        let mut given: BTreeSet<String> = row.facts.iter().cloned().collect();
        if self.generic {
            given.retain(|fact| {
                fact.parse().is_ok_and(|f: Term| self.compiled.fluents.binary_search(&f).is_ok())
            });
        } else {
            let package = &self.package.package;
            facts.extend(
                self.layout.objects.iter().map(|o| format!("{}({})", package.types[o.kind].name, o.id)),
            );
            facts.extend(self.layout.statics.iter().map(Term::to_string));
            let names = self.package.inverse.names(&story.objects, false);
            self.rules(&names, row, solvers)?;
        }
        same_facts(&given, &facts)
    }

    /// Runs the plan through the whole time-expanded program, unless it is long: the program grows with it, and clingo has
    /// taken it step by step.
    fn expanded(&self, story: &ReadStory, play: &Play) -> Result<(), Finding> {
        let depth = play.plan.len();
        if depth > LONGEST_WHOLE {
            return Ok(());
        }
        let start: Vec<Term> = play.passed[0]
            .iter()
            .filter(|f| self.compiled.inertial.contains(*f))
            .map(|f| self.compiled.fluents[f].clone())
            .collect();
        let mut program = self.layout.trajectory_program(&self.package.package, &start, depth);
        if let Some(theory) = &story.theory {
            let initially = program.sources.pop();
            program.sources =
                vec![axioms("kernel.lp"), axioms("closed.lp"), axioms("told.lp"), theory.clone()];
            program.sources.extend(initially);
        }
        // As facts the actions leave nothing open, so that grounding the program is not far from running it; the axiom
        // that one action occurs a step then holds by itself, and qualification refuses what cannot occur.
        let steps = play.plan.iter().enumerate();
        let text: String =
            steps.map(|(time, a)| format!("occ({},{time}).\n", self.compiled.actions[*a])).collect();
        program.sources.push(Source::new("the plan", text));
        let mut search = program.search(&[("holds", 2)], None, self.limit).map_err(solver)?;
        let found = search.enumerate(2).map_err(solver)?;
        let [only] = found.as_slice() else {
            return finding(
                Trouble::Impossible,
                format!("the time-expanded program has {} answer sets for the plan", found.len()),
            );
        };
        let mut last = BitSet::new(self.compiled.fluents.len());
        for atom in only.iter().filter(|atom| atom.args()[1] == Term::Number(depth as i32)) {
            if let Ok(fluent) = self.compiled.fluents.binary_search(&atom.args()[0]) {
                last.insert(fluent);
            }
        }
        if last == play.passed[depth] {
            return Ok(());
        }
        finding(Trouble::Impossible, "the time-expanded program ends in another situation than the steps do")
    }

    /// The keys of the story's world, and of the world with the plan.
    pub(super) fn keys(&self, row: &Row, play: &Play) -> [Arc<str>; 2] {
        if self.generic {
            return [false, true].map(|with_plan| fact_key(row, with_plan).into());
        }
        let ids: Vec<&str> = self.layout.objects.iter().map(|o| o.id.as_ref()).collect();
        let kinds: Vec<usize> = self.layout.objects.iter().map(|o| o.kind).collect();
        let fluents = play.passed[0].iter().filter(|f| self.compiled.inertial.contains(*f));
        let fluents = fluents.map(|f| self.compiled.fluents[f].clone());
        let mut facts: Vec<Term> = self.layout.statics.iter().cloned().chain(fluents).collect();
        let name = &self.package.package.name;
        let world = world_key(name, &ids, &kinds, &facts);
        facts.extend(play.plan.iter().enumerate().map(|(time, action)| {
            let action = self.compiled.actions[*action].clone();
            Term::function("occ", vec![action, Term::Number(time as i32)])
        }));
        [world.into(), world_key(name, &ids, &kinds, &facts).into()]
    }

    /// What can be asked and answered in a scene; none where it cannot be set.
    pub(crate) fn sheet(
        &self,
        engine: &mut TransitionSystem,
        play: &mut Play,
        initially: bool,
        further: &[usize],
        supposed: Option<usize>,
    ) -> Result<Option<(Situation, AnswerSheet)>, Finding> {
        let key = (initially, further.to_vec(), supposed);
        if let Some(known) = play.sheets.get(&key) {
            return Ok(known.clone());
        }
        let mut here = if initially { play.passed[0].clone() } else { play.passed[play.plan.len()].clone() };
        let mut found = None;
        let mut possible = true;
        for action in further {
            match engine.step(&here, *action).map_err(solver)? {
                Some(next) => here = next.situation,
                None => possible = false,
            }
        }
        if possible {
            let considered = engine.consider(&here, supposed).map_err(solver)?;
            found = considered.map(|(outcome, sheet)| (outcome.situation, sheet));
        }
        play.sheets.insert(key, found.clone());
        Ok(found)
    }
}

/// A key of the facts of a row, equal for worlds that differ in the names of their objects only.
fn fact_key(row: &Row, with_plan: bool) -> String {
    let mut facts: Vec<Term> = row.facts.iter().filter_map(|fact| fact.parse().ok()).collect();
    if with_plan {
        let plan = row.plan.iter().filter_map(|action| action.parse::<Term>().ok()).enumerate();
        facts.extend(plan.map(|(time, a)| Term::function("occ", vec![a, Term::Number(time as i32)])));
    }
    let mut kinds: Vec<&str> = Vec::new();
    let mut ids: Vec<(&str, usize)> = Vec::new();
    for object in row.objects.iter().filter(|o| !o.id.contains('(')) {
        let kind = kinds.iter().position(|k| *k == &*object.kind).unwrap_or_else(|| {
            kinds.push(&object.kind);
            kinds.len() - 1
        });
        if !ids.iter().any(|(id, _)| *id == &*object.id) {
            ids.push((&object.id, kind));
        }
    }
    ids.sort_unstable();
    // Types are numbered by their names, so that the order of the text makes no difference.
    let mut names = kinds.clone();
    names.sort_unstable();
    let kind = |kind: usize| names.iter().position(|n| *n == kinds[kind]).unwrap_or(0);
    let numbers: Vec<usize> = ids.iter().map(|(_, k)| kind(*k)).collect();
    let ids: Vec<&str> = ids.iter().map(|(id, _)| *id).collect();
    world_key(&format!("{} {}", row.domain, names.join(" ")), &ids, &numbers, &facts)
}

/// The only situation in which the told fluents are as told.
fn complete(
    search: &mut Search,
    compiled: &CompiledLayout,
    known: &[usize],
    told: &Situation,
) -> Result<Situation, Finding> {
    let mut assume = Vec::new();
    let mut places: Vec<(usize, Option<u32>)> = Vec::new();
    for (atom, number) in search.atoms() {
        if atom.args()[1] != Term::Number(0) {
            continue;
        }
        let Ok(fluent) = compiled.fluents.binary_search(&atom.args()[0]) else { continue };
        places.push((fluent, number));
        if let (Some(number), true) = (number, known.contains(&fluent)) {
            assume.push((number, told.contains(fluent)));
        }
    }
    let found = search.truth(&assume, 2).map_err(solver)?;
    let mut situations: Vec<Situation> = Vec::new();
    for truth in found {
        let mut situation = BitSet::new(compiled.fluents.len());
        for (fluent, number) in &places {
            let holds = number.is_none_or(|number| truth.holds(number));
            if holds && compiled.inertial.contains(*fluent) {
                situation.insert(*fluent);
            }
        }
        if !situations.contains(&situation) {
            situations.push(situation);
        }
    }
    match situations.len() {
        1 => Ok(situations.remove(0)),
        0 => finding(Trouble::Impossible, "no legal initial situation agrees with the text"),
        _ => finding(Trouble::Ambiguous, "several legal initial situations agree with the text"),
    }
}
