//! A learned logic program, or predictions, to scores on the test split of a task.
//!
//! A program may be written for clingo or in Prolog, or stand in the log of a learner (see
//! [`translate`](crate::games::learned::translate)). clingo grounds it once with all backgrounds open, and what
//! it grounded is evaluated for each test triple; where that will not do, clingo grounds each triple by itself.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use racgen_logic::clingo::{Budget, Program, Source};
use racgen_logic::error::LogicError;
use racgen_logic::evaluate::lanes::{LaneEvaluator, Word};
use racgen_logic::fault::Fault;
use racgen_logic::term::Term;
use rayon::prelude::*;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::games::error::GameError;
use crate::games::gdl::flatten::Flat;
use crate::games::learned::log::is_program;
use crate::games::learned::translate::{Dialect, LearnedProgram, TaskRelations, facts_of, program_for};
use crate::games::tasks::baselines::{BaselineTally, read_dat};
use crate::games::tasks::dat::Dat;
use crate::games::tasks::reference::{plain, spell};

/// What grounding a learned program with all backgrounds open may cost; beyond, each triple is grounded on its own.
const MOST_RULES: usize = 4_000_000;
const MOST_LITERALS: usize = 24_000_000;
const MOST_TIME: Duration = Duration::from_secs(60);
/// Triples that are grounded one by one in any case.
const FEW_TRIPLES: usize = 4;
/// How many triples are evaluated at once.
const LANES: usize = 64;
/// The predicate that switches background atoms on; no relation of a task has this name.
const SWITCH: &str = "racgen_switch";

/// How a program is run on the triples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grounding {
    /// Grounded once with all backgrounds open; where that is too large, or negation in loops leaves a triple
    /// undecided, by itself.
    Once,
    /// Each triple is grounded by itself.
    Each,
}

/// How well an answer does, and what a person should know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The counts.
    pub tally: BaselineTally,
    /// A sentence each.
    pub notes: Vec<String>,
}

impl Scored {
    /// In words.
    pub fn text(&self) -> String {
        let notes: String = self.notes.iter().map(|note| format!("note: {note}\n")).collect();
        notes + &self.tally.text()
    }
}

/// Scores a program on a test file in the published layout.
///
/// Relations with names of Prolog's own predicates may have them as they are or as the task folders have them.
///
/// # Errors
/// Programs that clingo refuses, with file, line and column.
pub fn score_program(text: &str, file: &str, test: &Dat) -> Result<BaselineTally, GameError> {
    Ok(score_grounded(text, file, test, Grounding::Once, &|| ())?.tally)
}

/// As [`score_program`]; `grounded` is called once the program is grounded, if that is done only once.
///
/// # Errors
/// Those of [`score_program`].
pub fn score_grounded(
    text: &str,
    file: &str,
    test: &Dat,
    grounding: Grounding,
    grounded: &dyn Fn(),
) -> Result<Scored, GameError> {
    let trial = Trial::new(text, file, test)?;
    let scored = |tally| Scored { tally, notes: trial.program.notes.clone() };
    if grounding == Grounding::Once
        && test.triples.len() > FEW_TRIPLES
        && let Some(network) = trial.once()?
    {
        grounded();
        return Ok(scored(trial.score(Some(&network))?));
    }
    grounded();
    Ok(scored(trial.score(None)?))
}

/// A program and what it is tried on.
struct Trial<'t> {
    program: LearnedProgram,
    file: &'t str,
    test: &'t Dat,
    /// The atoms to be derived, as clingo writes them.
    spelled: Vec<String>,
    signatures: BTreeSet<(String, usize)>,
    /// Facts in every triple, and what the program needs besides.
    statics: String,
    /// Background atoms as facts, numbered.
    facts: Vec<Vec<String>>,
    number: HashMap<&'t str, u32>,
}

/// The program grounded once.
struct Switched {
    evaluator: LaneEvaluator,
    /// The switch of each background atom; none where nothing asks for it.
    switches: Vec<Option<u32>>,
    /// For each atom to be derived: always, never, or as this atom.
    atoms: Vec<Result<u32, bool>>,
}

impl<'t> Trial<'t> {
    fn new(text: &str, file: &'t str, test: &'t Dat) -> Result<Trial<'t>, GameError> {
        let read = |list: &[String]| list.iter().filter_map(|a| Flat::read(a)).collect::<Vec<Flat>>();
        let (atoms, fixed) = (read(&test.atoms), read(&test.statics));
        let signatures = atoms.iter().map(|a| (plain(&a.name), a.arguments.len())).collect();
        let (mut words, mut number) = (Vec::new(), HashMap::default());
        for atom in test.triples.iter().flat_map(|(background, _)| background) {
            if !number.contains_key(atom.as_str())
                && let Some(flat) = Flat::read(atom)
            {
                number.insert(atom.as_str(), words.len() as u32);
                words.push(flat);
            }
        }
        let task = TaskRelations::new(atoms.iter(), fixed.iter().chain(&words));
        let dialect = if file.ends_with(".lp") { Dialect::Asp } else { Dialect::Prolog };
        let program = program_for(text, file, dialect, &task)?;
        let facts = |flat: &Flat, fixed| facts_of(flat, fixed, &program);
        let mut statics: String =
            fixed.iter().flat_map(|s| facts(s, true)).map(|fact| format!("{fact}.\n")).collect();
        statics += &program.beside;
        let facts = words.iter().map(|word| facts(word, false)).collect();
        let spelled = atoms.iter().map(|a| spell(a, None, false)).collect();
        Ok(Trial { program, file, test, spelled, signatures, statics, facts, number })
    }

    fn program(&self, facts: String) -> Program {
        let sources =
            vec![Source::new(self.file, self.program.rules.as_str()), Source::new("the task", facts)];
        Program { sources, ..Program::default() }
    }

    fn refused(&self, cause: LogicError) -> GameError {
        GameError::Solver { file: self.file.into(), cause }
    }

    fn shown(&self) -> Vec<(&str, usize)> {
        self.signatures.iter().map(|(n, a)| (n.as_str(), *a)).collect()
    }

    /// Grounds the program once; none where that is too large, or nothing for the evaluator.
    fn once(&self) -> Result<Option<Switched>, GameError> {
        let mut text = self.statics.clone();
        for (number, atoms) in self.facts.iter().enumerate() {
            text += &format!("{{ {SWITCH}({number}) }}. ");
            for atom in atoms {
                text += &format!("{atom} :- {SWITCH}({number}). ");
            }
            text.push('\n');
        }
        let budget =
            Budget { rules: MOST_RULES, literals: MOST_LITERALS, time: MOST_TIME, start: Instant::now() };
        let mut shown = self.shown();
        shown.push((SWITCH, 1));
        let ground = match self.program(text).ground_within(&shown, Some(budget)) {
            Ok(ground) => ground,
            Err(LogicError::Budget(_)) => return Ok(None),
            Err(error) => return Err(self.refused(error)),
        };
        let mut known: HashMap<String, Option<u32>> = HashMap::default();
        for (name, arity) in self.shown() {
            known.extend(ground.predicate(name, arity).map(|(term, atom)| (term.to_string(), atom)));
        }
        let atoms: Vec<Result<u32, bool>> = self
            .spelled
            .iter()
            .map(|atom| match known.get(atom) {
                Some(Some(number)) => Ok(*number),
                Some(None) => Err(true),
                None => Err(false),
            })
            .collect();
        let mut switches = vec![None; self.facts.len()];
        for (term, atom) in ground.predicate(SWITCH, 1) {
            if let Term::Number(number) = term.args()[0] {
                switches[number.unsigned_abs() as usize] = atom;
            }
        }
        let targets: Vec<u32> = atoms.iter().filter_map(|a| a.ok()).collect();
        let evaluator = LaneEvaluator::new(&ground, &targets).ok();
        Ok(evaluator.map(|evaluator| Switched { evaluator, switches, atoms }))
    }

    fn score(&self, once: Option<&Switched>) -> Result<BaselineTally, GameError> {
        let count = |triples: &[(Vec<String>, Vec<String>)]| -> Result<BaselineTally, GameError> {
            let numbers = |background: &[String]| -> Vec<u32> {
                background.iter().filter_map(|atom| self.number.get(atom.as_str()).copied()).collect()
            };
            let backgrounds: Vec<Vec<u32>> =
                triples.iter().map(|(background, _)| numbers(background)).collect();
            let none = || backgrounds.iter().map(|_| None).collect();
            let at_once = once.map_or_else(none, |switched| switched.found(&backgrounds));
            let mut tally = BaselineTally::default();
            for ((background, found), (_, positives)) in backgrounds.iter().zip(at_once).zip(triples) {
                let found = match found {
                    Some(found) => found,
                    None => self.found(background)?,
                };
                let positives: HashSet<&str> = positives.iter().map(String::as_str).collect();
                for (atom, found) in self.test.atoms.iter().zip(found) {
                    tally.count(positives.contains(atom.as_str()), found);
                }
            }
            Ok(tally)
        };
        let tallies: Vec<BaselineTally> =
            self.test.triples.par_chunks(LANES).map(count).collect::<Result<_, GameError>>()?;
        Ok(tallies.into_iter().fold(BaselineTally::default(), BaselineTally::plus))
    }

    /// Which atoms follow from a background that is grounded by itself.
    fn found(&self, background: &[u32]) -> Result<Vec<bool>, GameError> {
        let mut text = self.statics.clone();
        let facts = background.iter().flat_map(|number| &self.facts[*number as usize]);
        facts.for_each(|fact| text += &format!("{fact}. "));
        let ground = self.program(text).ground(&self.shown()).map_err(|e| self.refused(e))?;
        let certain = ground.named.iter().filter(|(_, atom)| atom.is_none());
        let found: HashSet<String> = certain.map(|(term, _)| term.to_string()).collect();
        Ok(self.spelled.iter().map(|atom| found.contains(atom)).collect())
    }
}

impl Switched {
    /// Which atoms follow from each of the backgrounds, no more than there are lanes; none where negation in loops leaves
    /// that open.
    fn found(&self, backgrounds: &[Vec<u32>]) -> Vec<Option<Vec<bool>>> {
        let mut values = self.evaluator.values::<{ LANES / 64 }>();
        for (lane, background) in backgrounds.iter().enumerate() {
            for switch in background.iter().filter_map(|number| self.switches[*number as usize]) {
                let mut word = values.get(switch);
                word.insert(lane);
                values.set(switch, word);
            }
        }
        let verdict = self.evaluator.run(&mut values);
        let truth = |atom: &Result<u32, bool>| match atom {
            Ok(atom) => values.get(*atom),
            Err(true) => Word::ALL,
            Err(false) => Word::NONE,
        };
        let found: Vec<Word<{ LANES / 64 }>> = self.atoms.iter().map(truth).collect();
        let of_lane = |lane| found.iter().map(|word| word.get(lane)).collect();
        (0..backgrounds.len()).map(|lane| (!verdict.undecided.get(lane)).then(|| of_lane(lane))).collect()
    }
}

/// Scores predictions: for each test triple in order one line, the atoms that are held to be true, separated by
/// blanks or semicolons; an empty line where there are none.
///
/// # Errors
/// Another number of lines than triples, and what is no atom of the task, with file and line.
pub fn score_predictions(text: &str, file: &str, test: &Dat) -> Result<BaselineTally, GameError> {
    let lines: Vec<&str> = text.lines().collect();
    let fault = |line: usize, cause: String| Fault {
        place: format!("{file}:{line}:1"),
        cause,
        remedy: "write one line a test triple, with the atoms that are true".into(),
    };
    if lines.len() != test.triples.len() {
        let cause = format!("{} lines for {} triples", lines.len(), test.triples.len());
        return Err(fault(lines.len().max(1), cause).into());
    }
    let known: BTreeSet<&String> = test.atoms.iter().collect();
    let mut tally = BaselineTally::default();
    for (number, (line, (_, positives))) in lines.iter().zip(&test.triples).enumerate() {
        let mut found: BTreeSet<String> = BTreeSet::new();
        for part in
            line.replace("),", ");").replace(") ", ");").split(';').map(str::trim).filter(|p| !p.is_empty())
        {
            let atom = Flat::read(part).or_else(|| Flat::read(&format!("{part}()")));
            let atom = atom.map(|a| a.to_string()).filter(|a| known.contains(a));
            found.insert(atom.ok_or_else(|| fault(number + 1, format!("`{part}` is no atom of the task")))?);
        }
        for atom in &test.atoms {
            tally.count(positives.contains(atom), found.contains(atom));
        }
    }
    Ok(tally)
}

/// Scores a file on a test file. Programs end in `.lp` (clingo's) or `.pl` (Prolog's), or have rules; anything else holds
/// predictions.
///
/// # Errors
/// Those of reading and of [`score_program`] and [`score_predictions`].
pub fn score(answer: &Path, test: &Path) -> Result<BaselineTally, GameError> {
    Ok(score_file(answer, test, Grounding::Once, &|| ())?.tally)
}

/// As [`score`]; see [`score_grounded`].
///
/// # Errors
/// Those of [`score`].
pub fn score_file(
    answer: &Path,
    test: &Path,
    grounding: Grounding,
    grounded: &dyn Fn(),
) -> Result<Scored, GameError> {
    let file = answer.display().to_string();
    let text =
        std::fs::read_to_string(answer).map_err(|cause| GameError::Read { file: file.clone(), cause })?;
    let test = read_dat(test)?;
    let named = matches!(answer.extension().and_then(|e| e.to_str()), Some("lp" | "pl"));
    if named || is_program(&text) {
        return score_grounded(&text, &file, &test, grounding, grounded);
    }
    Ok(Scored { tally: score_predictions(&text, &file, &test)?, notes: Vec::new() })
}
