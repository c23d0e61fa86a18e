//! Promise: games become induction tasks that clingo, Prolog and the paper's format agree on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use racgen::games::gdl::flatten::Flat;
use racgen::games::gdl::syntax::Game;
use racgen::games::learned::score::score;
use racgen::games::play::ground_game::{GroundGame, Limits};
use racgen::games::play::judge::judge_sample;
use racgen::games::play::traces::{PlayStyle, Playing, play};
use racgen::games::play::types::Types;
use racgen::games::tasks::dat::Dat;
use racgen::games::tasks::output::{TaskFormat, TaskForms, TaskOutput};
use racgen::games::tasks::triples::{TaskSettings, tasks};
use racgen::games::tasks::write_tasks::{make, read_game};
use racgen::logic::clingo::{Program, Source};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A game of one's own: a walk on a ring with a choice of odd names.
const RING: &str = "
    (role Walker) (role ++)
    (init (at Walker a)) (init (at ++ c)) (init (Step 0))
    (after a b) (after b c) (after c d) (after d a)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (near ?x ?y) (or (after ?x ?y) (after ?y ?x)))
    (<= (legal ?r (go ?y)) (true (at ?r ?x)) (near ?x ?y))
    (<= (legal ?r stay) (role ?r) (not met))
    (<= met (true (at Walker ?x)) (true (at ++ ?x)))
    (<= (next (at ?r ?y)) (does ?r (go ?y)))
    (<= (next (at ?r ?x)) (does ?r stay) (true (at ?r ?x)))
    (<= (next (Step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= (next ?f) (true ?f) (lasting ?f))
    (lasting (mark x)) (init (mark x)) (init (gameOn))
    (<= (next (gameOn)) (not met))
    (<= (goal ?r 100) (role ?r) met)
    (<= (goal ?r 0) (role ?r) (not met))
    (<= terminal met)
    (<= terminal (true (step 4)))";

fn arena(text: &str, file: &str) -> Result<GroundGame, Box<dyn std::error::Error>> {
    Ok(GroundGame::new(Game::read(text, file)?, &Limits::default())?)
}

fn output(out: &Path, forms: &[TaskFormat]) -> TaskOutput {
    let forms = TaskForms {
        forms: forms.to_vec(),
        explicit_negatives: false,
        max_negatives: None,
        judged: 10,
        derived: false,
    };
    TaskOutput { out: out.to_owned(), forms }
}

fn run(text: &str, name: &str, playing: &Playing, cut: &TaskSettings, output: &TaskOutput) -> Outcome {
    let game = Game::read(text, &format!("{name}.kif"))?;
    make(game, None, playing, cut, output, &Limits::default(), &AtomicBool::new(false))?;
    Ok(())
}

/// All games written for the project.
fn own_games() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "kif")).collect();
    found.sort();
    found
}

fn content(folder: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, std::io::Error> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in std::fs::read_dir(at)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_owned();
                all.push((name, std::fs::read(&path)?));
            }
        }
    }
    all.sort();
    Ok(all)
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_threads() -> Outcome {
    let folder = tempfile::tempdir()?;
    let playing = Playing { traces: 150, ..Playing::default() };
    let forms =
        [TaskFormat::Dat, TaskFormat::Parquet, TaskFormat::Jsonl, TaskFormat::Popper, TaskFormat::Ilasp];
    let mut contents = Vec::new();
    for (threads, name) in [(1, "one"), (3, "three")] {
        let out = folder.path().join(name);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let cut = TaskSettings { noise: 0.1, drop: 0.1, ..TaskSettings::default() };
        pool.install(|| run(RING, "ring", &playing, &cut, &output(&out, &forms)).map_err(|e| e.to_string()))?;
        contents.push(content(&out)?);
    }
    assert!(contents[0].len() > 20);
    assert!(contents[0] == contents[1]);
    assert!(contents[0].iter().all(|(name, _)| !name.to_string_lossy().contains("partial")));
    let other = folder.path().join("other");
    let playing = Playing { seed: 1, ..playing };
    run(
        RING,
        "ring",
        &playing,
        &TaskSettings { seed: 1, ..TaskSettings::default() },
        &output(&other, &forms),
    )?;
    assert!(contents[0] != content(&other)?);
    Ok(())
}

/// The reference rules, with statics and background as facts, derive the positives of a task and nothing else.
fn entails(folder: &Path, name: &str, most: usize) -> Outcome {
    let rules = std::fs::read_to_string(folder.join(format!("{name}.reference.lp")))?;
    for target in ["legal", "next", "goal", "terminal"] {
        let path = folder.join(format!("{name}_{target}_train.dat"));
        let dat = Dat::read(&std::fs::read_to_string(&path)?, &path.to_string_lossy())?;
        let flat = |text: &String| Flat::read(text).ok_or_else(|| text.clone());
        let spell = |flat: &Flat| racgen::games::tasks::reference::spell(flat, None, false);
        let atoms: Vec<Flat> = dat.atoms.iter().map(flat).collect::<Result<_, _>>()?;
        let heads: BTreeSet<(String, usize)> = atoms
            .iter()
            .map(|a| (racgen::games::tasks::reference::plain(&a.name), a.arguments.len()))
            .collect();
        let shown: Vec<(&str, usize)> = heads.iter().map(|(n, a)| (n.as_str(), *a)).collect();
        for (background, positives) in dat.triples.iter().take(most) {
            let mut text = rules.clone();
            for atom in dat.statics.iter().chain(background) {
                text += &format!("{}.\n", spell(&flat(atom)?));
            }
            let program = Program { sources: vec![Source::new("task.lp", text)], ..Program::default() };
            let ground = program.ground(&shown)?;
            let found: BTreeSet<String> = ground.named.iter().map(|(t, _)| t.to_string()).collect();
            let wanted = positives.iter().map(|p| flat(p).map(|f| spell(&f))).collect::<Result<_, _>>()?;
            assert_eq!(found, wanted, "{name} {target} {background:?}");
        }
    }
    Ok(())
}

#[test]
fn the_reference_solution_entails_positives_and_no_negatives() -> Outcome {
    let folder = tempfile::tempdir()?;
    let playing = Playing { traces: 12, steps: 12, ..Playing::default() };
    run(RING, "ring", &playing, &TaskSettings::default(), &output(folder.path(), &[TaskFormat::Dat]))?;
    // For the games that come with racgen, see games_exports.rs.
    entails(folder.path(), "ring", 40)
}

#[test]
fn prolog_loads_every_exported_file() -> Outcome {
    if !crate::skipped::has("swipl", "prolog_loads_every_exported_file") {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let playing = Playing { traces: 5, steps: 8, ..Playing::default() };
    let forms = [TaskFormat::Popper, TaskFormat::Aleph, TaskFormat::Metagol];
    run(RING, "ring", &playing, &TaskSettings::default(), &output(folder.path(), &forms))?;
    for (name, _) in content(folder.path())? {
        let extension = name.extension().unwrap_or_default().to_string_lossy().into_owned();
        let path = folder.path().join(&name);
        if name.ends_with("bias.pl") {
            // Popper hands this file to clingo.
            let text = std::fs::read_to_string(&path)?;
            let program = Program { sources: vec![Source::new("bias.pl", text)], ..Program::default() };
            assert_eq!(program.ground(&[("head_pred", 2)])?.named.len(), 1, "{}", name.display());
            continue;
        }
        // The directives of Aleph are its own; without it they are declared to do nothing.
        let goal = match extension.as_str() {
            "pl" => String::new(),
            "b" | "f" | "n" => {
                "op(500,fy,#), assertz(modeh(_,_)), assertz(modeb(_,_)), assertz(determination(_,_)), \
                 assertz(set(_,_)),"
                    .into()
            }
            _ => continue,
        };
        let load = format!("style_check(-singleton), {goal} load_files('{}', [])", path.display());
        let ran =
            Command::new("swipl").args(["-q", "--on-error=status", "-g", &load, "-t", "halt"]).output()?;
        let told = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && told.is_empty(), "{}: {told}", name.display());
    }
    Ok(())
}

#[test]
fn network_and_clingo_agree() -> Outcome {
    let mut arenas = vec![arena(RING, "ring.kif")?];
    for path in own_games() {
        arenas.push(GroundGame::new(read_game(&path)?, &Limits::default())?);
    }
    for arena in arenas {
        let playing = Playing { traces: 20, steps: 30, seed: 5, ..Playing::default() };
        let mut corpus = play(&arena, &playing, &Limits::default(), Instant::now(), &AtomicBool::new(false))?;
        assert!(arena.whole.is_some(), "{}", arena.game.name);
        judge_sample(&arena, &mut corpus, 25, 5)?;
        assert!(corpus.judged > 0, "{}", arena.game.name);
    }
    Ok(())
}

/// The reference games along random steps, judged by the rules as they stand in the file.
fn reference_games(steps: usize) -> Outcome {
    let test = "network_and_clingo_agree_on_the_reference_games";
    let Some(folder) = crate::skipped::reference("iggp/games", test) else { return Ok(()) };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        let arena = GroundGame::new(read_game(&path)?, &Limits::default())?;
        let playing = Playing { traces: 10, ..Playing::default() };
        let mut corpus = play(&arena, &playing, &Limits::default(), Instant::now(), &AtomicBool::new(false))?;
        assert!(arena.whole.is_some(), "{}", arena.game.name);
        judge_sample(&arena, &mut corpus, steps, 3)?;
        // Types are inferred here, and cover all that was reached: `tasks` says so if not.
        let types = Types::infer(&arena);
        tasks(&arena, &corpus, &types, &TaskSettings::default())?;
        let whole = arena.whole.as_ref().ok_or("not whole")?;
        let fluents: Vec<_> = whole
            .fluents
            .iter()
            .map(|f| racgen::logic::term::Term::function("next", vec![f.clone()]))
            .collect();
        assert_eq!(types.misses(&arena.game, "next", &fluents)?, None, "{}", arena.game.name);
        println!("{}: {} steps judged", arena.game.name, corpus.judged);
    }
    Ok(())
}

#[test]
fn network_and_clingo_agree_on_the_reference_games() -> Outcome {
    reference_games(3)
}

#[test]
#[ignore = "1,000 steps of thirty games take clingo some minutes"]
fn network_and_clingo_agree_on_a_thousand_steps_of_the_reference_games() -> Outcome {
    reference_games(1000)
}

#[test]
fn a_game_beyond_the_budget_is_played_step_by_step() -> Outcome {
    let game = Game::read(RING, "ring.kif")?;
    let tight = Limits { memory: 64 * 20, ..Limits::default() };
    let arena = GroundGame::new(game, &tight)?;
    assert!(arena.whole.is_none() && arena.obstacle.is_some());
    let playing = Playing { traces: 3, steps: 4, ..Playing::default() };
    let corpus = play(&arena, &playing, &Limits::default(), Instant::now(), &AtomicBool::new(false))?;
    assert!(corpus.steps >= 3);
    // What clingo reached step by step, the network can reach, too, with the same consequences.
    let whole = self::arena(RING, "ring.kif")?;
    let whole = whole.whole.as_ref().ok_or("not whole")?;
    let mut board = whole.board();
    for situation in &corpus.situations {
        let fluents: Option<Vec<u32>> = situation
            .fluents
            .iter()
            .map(|f| whole.fluents.iter().position(|g| *g == corpus.fluents[*f as usize]).map(|n| n as u32))
            .collect();
        board.go(fluents.ok_or("unknown fluent")?.into_iter());
        assert_eq!(board.legal().len(), situation.legal.len());
        assert_eq!(board.terminal(), situation.terminal);
    }
    Ok(())
}

#[test]
fn balance_reaches_an_end_that_random_play_misses() -> Outcome {
    // Random walkers leave the line to the exit early; a player that looks for the goal does not.
    let mut text = "(role r) (init (n 0)) (<= (legal r on) (true (n ?x)))
        (<= (legal r back1) (true (n ?x))) (<= (legal r back2) (true (n ?x))) (<= (legal r back3) (true (n ?x)))
        (<= (next (n ?y)) (does r on) (true (n ?x)) (succ ?x ?y))
        (<= (next (n 0)) (not (does r on)))
        (<= (goal r ?x) (true (n ?x))) (<= terminal (true (n 9)))"
        .to_owned();
    (0..9).for_each(|n| text += &format!("(succ {n} {})", n + 1));
    let arena = arena(&text, "line.kif")?;
    let stop = AtomicBool::new(false);
    let playing = Playing { traces: 20, steps: 12, ..Playing::default() };
    let random = play(&arena, &playing, &Limits::default(), Instant::now(), &stop)?;
    assert_eq!(random.finished, 0);
    let seeking = Playing { style: PlayStyle::GoalSeeking, steps: 40, ..playing };
    let sought = play(&arena, &seeking, &Limits::default(), Instant::now(), &stop)?;
    assert!(sought.finished > 0);
    Ok(())
}

#[test]
fn hostile_games_end_with_a_sentence() -> Outcome {
    let stop = AtomicBool::new(false);
    let limits = Limits { time: std::time::Duration::from_secs(2), memory: 64 << 20 };
    // Endless: numbers that grow with every step. The grounding stops at its budget, and each step stays small.
    let text = "(role r) (init (n z)) (legal r go) (<= (next (n (s ?x))) (true (n ?x)))";
    let arena = GroundGame::new(Game::read(text, "endless.kif")?, &limits)?;
    assert!(arena.whole.is_none());
    let playing = Playing { traces: 1, steps: 5, ..Playing::default() };
    let corpus = play(&arena, &playing, &limits, Instant::now(), &stop)?;
    assert_eq!(corpus.steps, 5);
    // Nobody can move.
    let text = "(role r) (init p) (<= (legal r go) (true q)) (<= (next p) (true p))";
    let arena = GroundGame::new(Game::read(text, "stuck.kif")?, &limits)?;
    let corpus = play(&arena, &Playing::default(), &limits, Instant::now(), &stop)?;
    assert_eq!((corpus.stuck, corpus.steps), (1000, 0));
    // Contradictory: nobody plays.
    let faults = GroundGame::new(Game::read("(<= p (not p)) (role r)", "odd.kif")?, &limits);
    assert!(
        faults.is_err_and(|e| e.to_string().starts_with("odd.kif:1:12: `p` depends on the negation of `p`"))
    );
    // Too long for its time.
    let arena = self::arena(RING, "ring.kif")?;
    let none = Limits { time: std::time::Duration::ZERO, ..limits };
    let late = play(&arena, &Playing::default(), &none, Instant::now(), &stop);
    assert!(late.is_err_and(|e| e.to_string().contains("--time-limit")));
    Ok(())
}

#[test]
fn learned_programs_and_predictions_are_scored() -> Outcome {
    let folder = tempfile::tempdir()?;
    let playing = Playing { traces: 20, ..Playing::default() };
    run(RING, "ring", &playing, &TaskSettings::default(), &output(folder.path(), &[TaskFormat::Dat]))?;
    let test = folder.path().join("ring_next_test.dat");
    for solution in ["ring.reference.lp", "ring.reference.pl"] {
        let tally = score(&folder.path().join(solution), &test)?;
        assert!(tally.perfect() && tally.positives > 0, "{solution} {tally:?}");
    }
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).map(|()| path)
    };
    // Inertia: what was true is thought to stay.
    let inertia = write("inertia.pl", ":- dynamic true_at/2.\nnext_at(R, X) :- true_at(R, X).\n")?;
    let tally = score(&inertia, &test)?;
    assert!(!tally.perfect() && tally.balanced_accuracy() < 100.0);
    let dat = Dat::read(&std::fs::read_to_string(&test)?, "ring_next_test.dat")?;
    let lines: Vec<String> = dat.triples.iter().map(|(_, positives)| positives.join("; ")).collect();
    let right = write("right.txt", &(lines.join("\n") + "\n"))?;
    assert!(score(&right, &test)?.perfect());
    let short = write("short.txt", "next_at(Walker, a)\n")?;
    assert!(score(&short, &test).is_err_and(|e| e.to_string().contains("1 lines for")));
    let odd = write("odd.lp", "next_at(R, X) :- true_at(R, Y).\n")?;
    let told = score(&odd, &test).err().map(|e| e.to_string()).unwrap_or_default();
    assert!(told.contains("odd.lp:1:1: unsafe variables"), "{told}");
    Ok(())
}

#[test]
fn derived_relations_join_the_background() -> Outcome {
    let folder = tempfile::tempdir()?;
    let playing = Playing { traces: 10, ..Playing::default() };
    let text = RING.replace("(<= (next (Step", "(<= (off ?r) (does ?r (go ?y)))\n (<= (next (Step");
    let mut out = output(folder.path(), &[TaskFormat::Dat]);
    out.forms.derived = true;
    run(&text, "ring", &playing, &TaskSettings::default(), &out)?;
    for (target, moves) in [("next", true), ("legal", false)] {
        let path = folder.path().join(format!("ring_{target}_train.dat"));
        let dat = Dat::read(&std::fs::read_to_string(&path)?, "ring.dat")?;
        let mut met = 0;
        for (background, _) in &dat.triples {
            let has = |atom: &str| background.iter().any(|a| a == atom);
            let at =
                |role: &str| background.iter().find_map(|a| a.strip_prefix(&format!("true_at({role}, ")));
            assert_eq!(has("met()"), at("Walker") == at("++"), "{background:?}");
            met += usize::from(has("met()"));
            for role in ["Walker", "++"] {
                let goes = background.iter().any(|a| a.starts_with(&format!("does_go({role}, ")));
                assert_eq!(has(&format!("off({role})")), goes && moves, "{background:?}");
            }
        }
        assert!(met > 0);
    }
    Ok(())
}

/// Beyond the letter of GDL, which forbids a predicate to depend on its own negation; each atom's truth is settled.
#[test]
fn a_goal_may_depend_on_the_negation_of_another() -> Outcome {
    let text = "(role r) (role s) (init (n 1)) (succ 1 2) (succ 2 3) (<= (legal ?p go) (role ?p))
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= (goal r 100) (true (n 3)))
        (<= (goal r 0) (not (goal r 100))) (<= (goal s 50) (goal r 0)) (<= (goal s 0) (not (goal s 50)))
        (<= terminal (true (n 3)))";
    let folder = tempfile::tempdir()?;
    let playing = Playing { traces: 3, ..Playing::default() };
    run(text, "settled", &playing, &TaskSettings::default(), &output(folder.path(), &[TaskFormat::Dat]))?;
    let mut seen = BTreeSet::new();
    for split in ["train", "validate", "test"] {
        let path = folder.path().join(format!("settled_goal_{split}.dat"));
        for solution in ["settled.reference.lp", "settled.reference.pl"] {
            assert!(score(&folder.path().join(solution), &path)?.perfect(), "{solution}");
        }
        for (background, positives) in Dat::read(&std::fs::read_to_string(&path)?, "t.dat")?.triples {
            let end = background == ["true_n(3)"];
            let expected = if end { ["goal(s, 0)", "goal(r, 100)"] } else { ["goal(r, 0)", "goal(s, 50)"] };
            assert_eq!(
                positives.iter().collect::<BTreeSet<_>>(),
                expected.map(str::to_owned).iter().collect()
            );
            seen.insert(end);
        }
    }
    assert_eq!(seen.len(), 2);
    Ok(())
}

/// Some 19 million moves are allowed by the types, eleven can be reached.
#[test]
fn what_types_allow_beyond_counting_is_listed_as_far_as_it_is_reached() -> Outcome {
    let steps: String = (0..11).map(|n| format!("(after {n} {}) ", (n + 1) % 11)).collect();
    let text = format!(
        "(role r) (init (at 0)) {steps}
         (<= (legal r (leap ?a ?b ?c ?d ?e ?f ?g)) (true (at ?a))
             (after ?a ?b) (after ?b ?c) (after ?c ?d) (after ?d ?e) (after ?e ?f) (after ?f ?g))
         (<= (next (at ?g)) (does r (leap ?a ?b ?c ?d ?e ?f ?g))) (goal r 0) (<= terminal (true (at none)))"
    );
    let folder = tempfile::tempdir()?;
    let playing = Playing { traces: 2, steps: 30, ..Playing::default() };
    let game = Game::read(&text, "leaps.kif")?;
    let output = output(folder.path(), &[TaskFormat::Dat, TaskFormat::Popper]);
    let stop = AtomicBool::new(false);
    let cut = TaskSettings::default();
    let (coverage, _) = make(game, None, &playing, &cut, &output, &Limits::default(), &stop)?;
    let told = "of the 19487171 terms `leap/7` that the types allow, the 11 that can be reached";
    assert!(coverage.text().contains(told), "{}", coverage.text());
    let types = std::fs::read_to_string(folder.path().join("leaps.typ"))?;
    assert!(types.contains(told), "{types}");
    assert_eq!(
        Types::read(&types, "leaps.typ")?.declarations.len(),
        Types::read(&types, "l")?.declarations.len()
    );
    let train = std::fs::read_to_string(folder.path().join("leaps_legal_train.dat"))?;
    let dat = Dat::read(&train, "leaps.dat")?;
    assert_eq!(dat.atoms.len(), 11);
    let tally =
        score(&folder.path().join("leaps.reference.lp"), &folder.path().join("leaps_legal_train.dat"))?;
    assert!(tally.perfect() && tally.positives > 0 && tally.negatives > 0, "{tally:?}");
    Ok(())
}

/// Types are named by what is said of their terms, by variables, or by the function around them.
#[test]
fn inferred_types_have_names_for_people() -> Outcome {
    let of = |name: &str| -> Result<String, Box<dyn std::error::Error>> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("games/{name}.kif"));
        Ok(Types::infer(&GroundGame::new(read_game(&path)?, &Limits::default())?).to_string())
    };
    let buttons = of("buttons_and_lights")?;
    assert!(
        buttons.contains("first, second, third :: button.") && buttons.contains("one, three, two :: lit.")
    );
    assert!(of("tron")?.contains("east, north, south, west :: direction."));
    // Nothing says more of these than that they are shared.
    let coins = of("coins")?;
    assert!(coins.contains("shared_1 :> ") && !coins.contains("_and_"), "{coins}");
    let text = "(role r) (init (at a b)) (<= (legal r (go ?place)) (true (at ?place ?d))) (goal r 0)
        (<= (next (at b a)) (true (at a b))) (<= terminal (true (at b a)))";
    let types = Types::infer(&arena(text, "places.kif")?).to_string();
    assert!(types.contains("go :: place -> action."), "{types}");
    Ok(())
}
