//! A loaded package to a report or its faults: grounds layouts of each level, and tells stories in them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use racgen_logic::clingo::{Program, Source};
use racgen_logic::error::LogicError;
use racgen_logic::fault::{Fault, Faults};
use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::check::coverage::BookCoverage;
use crate::check::denials::{Denials, check_denials, phrase_notes};
use crate::check::families::Families;
use crate::check::faults::{simulation_fault, solver_fault};
use crate::check::invariants::Invariants;
use crate::check::likely::LikelyInvariants;
use crate::check::names::ProgramNames;
use crate::check::places::level_line;
use crate::check::reached::Reached;
use crate::check::report::{CheckReport, Visit};
use crate::check::sample::SampleStory;
use crate::check::stories::{check_answers, check_steps};
use crate::check::views::{check_view, check_view_text};
use crate::check::worlds::{advice, worlds};
use crate::domain::package::{Package, Range};
use crate::language::read::parser::Inverse;
use crate::language::tell::verbalizer::Verbalizer;
use crate::language::words::holdout::Holdout;
use crate::language::words::lexicon::Lexicon;
use crate::language::words::naming::Naming;
use crate::simulate::error::SimulationError;
use crate::simulate::initial::legality::SituationRules;
use crate::simulate::initial::situations::{Few, Situations};
use crate::simulate::layout::{Layout, Object};
use crate::simulate::layout_cache::PreparedLayout;
use crate::simulate::narrative::outcomes::{OpenEnd, open_ends};
use crate::simulate::narrative::partly::{has_invariants, names_any};
use crate::simulate::plans::sampling::Sampling;
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Stories told in each layout.
const STORIES: usize = 3;
/// Actions of a story, where that many can be carried out.
const DEPTH: usize = 4;
/// Draws of a story before a layout counts as one without stories.
const TRIES: usize = 200;
/// Courses of outcomes that a story is followed along.
const MOST_COURSES: usize = 256;
/// Further initial situations from which actions are tried, for invariants.
const STARTS: usize = 8;

/// Checks a package thoroughly: at each level, the smallest, the largest and a random layout are grounded, and in
/// each of them stories are told, with clingo as judge of their steps and answers. Then the worlds of each level are
/// counted.
///
/// # Errors
/// The faults of the first layout that has any, with file, line and remedy; of what shows only over all levels,
/// such as a phrase that is never used, all faults.
pub fn check(package: &Package, limit: Duration) -> Result<CheckReport, Faults> {
    let mut survey = Survey::new(package);
    let mut report = CheckReport { package: package.name.clone(), levels: Vec::new(), notes: Vec::new() };
    for (level, ranges) in &package.levels {
        for (number, fixed) in corners(ranges).iter().enumerate() {
            let words = ["check", &package.name, &level.to_string(), &number.to_string()];
            let mut rng = stream(0, &words);
            match survey.visit(*level, fixed, limit, &mut rng) {
                Ok(visit) => report.add(*level, visit),
                Err(found) => survey.faults.extend(found),
            }
            // What is wrong here is wrong in larger layouts, too: once is enough.
            if !survey.faults.is_empty() {
                return Err(distinct(survey.faults));
            }
        }
    }
    let mut doubts = survey.doubts();
    report.notes.extend(drafts_note(package));
    report.notes.extend(phrase_notes(&package.book));
    report.notes.extend(survey.likely.notes());
    match (has_invariants(package), package.has_outcomes) {
        (true, false) if !survey.has_silent => report.notes.push(UNKNOWN_NOTE.to_owned()),
        (false, true) => report.notes.push(OUTCOMES_NOTE.to_owned()),
        _ => {}
    }
    for level in &mut report.levels {
        level.worlds = worlds(package, level.level, limit)
            .map_err(|error| simulation_fault(package, level.level, error))?;
        match advice(package, level.level, level.worlds) {
            Some(Err(fault)) => doubts.push(fault),
            Some(Ok(note)) => report.notes.push(note),
            None => {}
        }
    }
    if doubts.is_empty() { Ok(report) } else { Err(distinct(doubts)) }
}

/// The part of [`check`] that is done before data are made: grounds the smallest layout of the lowest level, and
/// larger ones only where something has to be explained by them.
///
/// # Errors
/// Faults, as those of [`check`].
pub fn check_quick(package: &Package, limit: Duration) -> Result<(), Faults> {
    let mut survey = Survey::new(package);
    let lowest = package.levels.iter().next().map(|(level, ranges)| (*level, corners(ranges).swap_remove(0)));
    let larger = package.levels.iter().rev().map(|(level, ranges)| {
        (*level, ranges.iter().map(|(name, (_, high))| (name.clone(), *high)).collect())
    });
    for (level, fixed) in lowest.into_iter().chain(larger) {
        let mut rng = stream(0, &["check", &package.name, &level.to_string()]);
        survey.ground(level, &fixed, limit, &mut rng)?;
        if !survey.faults.is_empty() {
            return Err(distinct(survey.faults));
        }
        if survey.doubts().is_empty() {
            return Ok(());
        }
    }
    Err(distinct(survey.doubts()))
}

/// That stories told in part are impossible.
const UNKNOWN_NOTE: &str = "no question of the group unknown of --ask can be asked: a static fact names every object, and \
                            such a story says nothing of some object";

/// That nothing can be asked.
const OUTCOMES_NOTE: &str = "actions have several outcomes, so that only questions of the group unknown of --ask can be asked; \
                             they need the part `invariant` of world.lp, which is missing";

/// Which entries of the phrase book are still drafts.
fn drafts_note(package: &Package) -> Option<String> {
    let drafts = &package.book.drafts;
    let told = |(entry, line): &(String, usize)| format!("{entry} (line {line})");
    let all = drafts.iter().map(told).collect::<Vec<_>>().join(", ");
    (!drafts.is_empty()).then(|| {
        format!(
            "{} entries of {} are still drafts; reword each and strike its line `draft = true`: {all}",
            drafts.len(),
            package.book.file
        )
    })
}

fn distinct(faults: Faults) -> Faults {
    let mut found = Faults::default();
    faults.into_iter().for_each(|fault| found.push_once(fault));
    found
}

/// The parameters of the smallest layout of a level, of the largest, and none, which leaves them to chance.
fn corners(ranges: &BTreeMap<String, Range>) -> Vec<BTreeMap<String, i64>> {
    let low = ranges.iter().map(|(name, (low, _))| (name.clone(), *low)).collect();
    let high = ranges.iter().map(|(name, (_, high))| (name.clone(), *high)).collect();
    if low == high { vec![low] } else { vec![low, high, BTreeMap::new()] }
}

/// Levels that lack a parameter of another level: to clingo it would be a mere name there.
fn level_faults(package: &Package) -> Faults {
    let mut faults = Faults::default();
    let names: BTreeSet<&String> = package.levels.values().flat_map(BTreeMap::keys).collect();
    for (level, ranges) in &package.levels {
        for name in names.iter().filter(|name| !ranges.contains_key(**name)) {
            faults.push(Fault::new(
                &package.head.name,
                level_line(package, *level),
                format!("level N{level} lacks the parameter `{name}` that other levels have"),
                "add it: each level gives every parameter a value",
            ));
        }
    }
    faults
}

/// What was met of a package in the layouts looked at.
struct Survey<'p> {
    package: &'p Package,
    faults: Faults,
    coverage: BookCoverage<'p>,
    names: ProgramNames,
    likely: LikelyInvariants<'p>,
    denials: Denials<'p>,
    /// Invariants that were broken, each once.
    broken: Faults,
    families: Families<'p>,
    /// Was there an object that no static fact names, so that a text may say nothing of it?
    has_silent: bool,
}

impl<'p> Survey<'p> {
    /// Looks at what can be seen without a layout.
    fn new(package: &'p Package) -> Survey<'p> {
        let mut faults = level_faults(package);
        faults.extend(Inverse::new(package).1);
        check_denials(&package.book, &mut faults);
        check_view_text(package, &mut faults);
        let names = ProgramNames::new(package);
        let (coverage, families) = (BookCoverage::new(package), Families::new(package));
        Survey {
            package,
            faults,
            coverage,
            names,
            likely: LikelyInvariants::new(package),
            denials: Denials::new(package),
            broken: Faults::default(),
            families,
            has_silent: false,
        }
    }

    /// What the layouts looked at do not show to be right; others may.
    fn doubts(&self) -> Faults {
        let mut faults = self.broken.clone();
        self.names.doubts(&mut faults);
        self.coverage.doubts(&mut faults);
        self.families.doubts(&mut faults);
        faults
    }

    /// Grounds a layout and everything that belongs to it, and looks at its vocabulary. Errors are what keeps
    /// the layout from being grounded.
    fn ground(
        &mut self,
        level: i32,
        fixed: &BTreeMap<String, i64>,
        limit: Duration,
        rng: &mut ChaCha8Rng,
    ) -> Result<(Layout, TransitionSystem, Lexicon), Faults> {
        let package = self.package;
        let world = |error| Faults::from(simulation_fault(package, level, error));
        let solver = |error| solver_fault(package, error);
        let bare = Layout::bare(package, level, fixed, rng).map_err(world)?;
        let mut possible = Vec::new();
        if !package.statics.is_empty() {
            let shown: Vec<(&str, usize)> = package.statics.iter().map(|(n, a)| (n.as_str(), *a)).collect();
            let ground = alone(bare.layout_program(package), package, "layout").ground(&shown);
            possible.extend(ground.map_err(solver)?.named.into_iter().map(|(term, _)| term));
        }
        let layout = bare.furnish(package, rng, limit).map_err(world)?;
        let situation =
            alone(layout.situation_program(package), package, "situation").ground(&[("holds", 2)]);
        if let Err(error @ LogicError::Grounding { .. }) = situation {
            // What does not end does not end in the next program, either.
            return Err(solver(error).into());
        }
        let engine = TransitionSystem::new(layout.step_program(package), limit);
        let (_, engine) = match (situation, engine) {
            (Ok(situation), Ok(engine)) => (situation, engine),
            (situation, engine) => {
                return Err(situation.err().into_iter().chain(engine.err()).map(solver).collect());
            }
        };
        let lexicon = Lexicon::new(package, &layout, &engine);
        for (what, none) in [("fluents", engine.fluents.is_empty()), ("actions", engine.actions.is_empty())] {
            if none {
                self.faults.push(Fault::new(
                    &package.domain.name,
                    0,
                    format!("there are no {what} at level N{level}"),
                    "correct the rules, or the level's numbers of objects",
                ));
            }
        }
        let is_silent = |object: &Object| !layout.statics.iter().any(|fact| names_any(fact, &[&*object.id]));
        self.has_silent |= layout.objects.iter().any(is_silent);
        self.names.look(&engine, &mut self.faults);
        self.coverage.look(&engine, &lexicon, &possible, &mut self.faults);
        self.families.look(&layout, &engine, &lexicon, &mut self.faults);
        Ok((layout, engine, lexicon))
    }

    /// Grounds a layout and tells stories in it.
    fn visit(
        &mut self,
        level: i32,
        fixed: &BTreeMap<String, i64>,
        limit: Duration,
        rng: &mut ChaCha8Rng,
    ) -> Result<Visit, Faults> {
        let package = self.package;
        let (layout, engine, lexicon) = self.ground(level, fixed, limit, rng)?;
        let fault = |error| Faults::from(simulation_fault(package, level, error));
        let rules = Arc::new(SituationRules::new(package, &layout));
        let few = Few::of(package, (&layout, &rules), &engine, limit).map_err(fault)?;
        let situations = Situations::new(&rules, few.map(Arc::new), limit, rng);
        let compiled = engine.compiled().clone();
        let prepared = Arc::new(PreparedLayout::of(layout, compiled, rules, situations));
        let mut stage = Simulator::of(package, prepared, Sampling::Walk, limit);
        let functors: BTreeSet<&str> = stage.engine.questions.iter().map(|q| q.term.functor()).collect();
        let mut visit = Visit {
            situations: stage.situations(),
            fluents: stage.engine.fluents.len(),
            actions: stage.engine.actions.len(),
            questions: stage.engine.questions.len(),
            families: functors.len(),
            notes: Vec::new(),
            sample: None,
        };
        let mut invariants = Invariants::new(package, stage.layout(), limit)
            .map_err(|error| Faults::from(solver_fault(package, error)))?;
        let mut starts = Vec::new();
        let mut depth = DEPTH;
        for _ in 0..STORIES {
            let story = loop {
                match stage.tell(depth, false, |_| true, TRIES, rng) {
                    Err(SimulationError::NoPlan { .. }) if depth > 0 => depth -= 1,
                    told => break told.map_err(fault)?,
                }
            };
            let Some(story) = story else { break };
            check_steps(level, &mut stage, &story, &mut self.faults)?;
            check_answers(&stage, &story, &lexicon, &mut self.faults);
            stage.judge(&story).map_err(fault)?;
            let dice = &mut stream(rng.random(), &["sample"]);
            let open = match package.has_outcomes {
                true => open_ends(&mut stage.engine, &[(&story.initial, &story.plan)], MOST_COURSES),
                false => Ok(vec![None]),
            };
            let open = open.map_err(fault)?.remove(0);
            let sample = render(&stage, &lexicon, (&story, open.as_ref()), dice)?;
            visit.sample.get_or_insert(sample);
            starts.push(story.initial);
        }
        for _ in 0..STARTS {
            starts.push(stage.draw_world(rng).map_err(fault)?.0);
        }
        let reached = Reached::from(&mut stage.engine, &starts, limit).map_err(fault)?;
        let drawn = check_view(package, stage.layout(), &stage.engine, level, &reached)?;
        visit.notes.extend(drawn);
        self.likely.look(stage.engine.compiled(), level, &reached);
        for fault in self.denials.look(stage.engine.compiled(), level, &reached) {
            self.broken.push(fault);
        }
        if let Some(invariants) = &mut invariants {
            let broken = invariants.judge(stage.engine.compiled(), level, &reached);
            let broken = broken.map_err(|error| Faults::from(solver_fault(package, error)))?;
            for fault in broken {
                if !self.broken.iter().any(|known| known.place == fault.place) {
                    self.broken.push(fault);
                }
            }
        }
        if depth < DEPTH {
            visit.notes.push(format!(
                "no plan of more than {depth} actions was found in a layout of level N{level}: its situations \
                 come to an end"
            ));
        }
        Ok(visit)
    }
}

/// Puts a story into words, as rows would.
fn render(
    stage: &Simulator,
    lexicon: &Lexicon,
    (story, open): (&Story, Option<&OpenEnd>),
    rng: &mut ChaCha8Rng,
) -> Result<SampleStory, Fault> {
    let (package, layout, engine) = (stage.package, stage.layout(), &stage.engine);
    let naming = &Naming::draw(package, layout, Holdout::NONE, |_| true, rng);
    let verbalizer = Verbalizer { package, layout, engine, lexicon, naming, holdout: Holdout::NONE };
    match package.has_outcomes {
        true => SampleStory::of_open(&verbalizer, story, open, rng),
        false => SampleStory::of(&verbalizer, story, rng),
    }
}

/// A program with all parts of world.lp but one left blank, so that clingo misses nothing from another program
/// in them.
fn alone(mut program: Program, package: &Package, part: &str) -> Program {
    for source in program.sources.iter_mut().filter(|s| s.name == package.world.name) {
        let mut current = "base".to_owned();
        let lines = source.text.lines().map(|line| {
            if let Some(rest) = line.trim_start().strip_prefix("#program") {
                current =
                    rest.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            }
            if current == part || current == "base" { line } else { "" }
        });
        let text = lines.collect::<Vec<_>>().join("\n");
        *source = Source::new(source.name.clone(), text);
    }
    program
}
