//! Promise: what learners print about exported tasks is scored as they print it, and a real learner solves one of them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use racgen::games::builtin::own_games;
use racgen::games::learned::score::{Grounding, score_file, score_program};
use racgen::games::play::ground_game::Limits;
use racgen::games::play::traces::Playing;
use racgen::games::tasks::dat::Dat;
use racgen::games::tasks::output::{TaskFormat, TaskForms, TaskOutput};
use racgen::games::tasks::triples::TaskSettings;
use racgen::games::tasks::write_tasks::{Coverage, make};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Exports one of the games that come with racgen.
fn export(name: &str, out: &Path, traces: u64) -> Result<Coverage, Box<dyn std::error::Error>> {
    let output = TaskOutput {
        out: out.to_owned(),
        forms: TaskForms {
            forms: vec![TaskFormat::Dat, TaskFormat::Popper, TaskFormat::Aleph],
            explicit_negatives: false,
            max_negatives: None,
            judged: 1,
            derived: false,
        },
    };
    let playing = Playing { traces, ..Playing::default() };
    let cut = TaskSettings { balance: true, ..TaskSettings::default() };
    for (file, game) in own_games() {
        if file.ends_with(&format!("{name}.kif")) {
            let stop = AtomicBool::new(false);
            return Ok(make(game?, None, &playing, &cut, &output, &Limits::default(), &stop)?.0);
        }
    }
    Err("no such game".into())
}

/// The lamps, as a learner words them: the lamp after a press, and what must hold before.
const LAMPS: [(&str, &str, &str, bool); 9] = [
    ("one", "first", "one", false),
    ("two", "first", "two", true),
    ("three", "first", "three", true),
    ("one", "second", "two", true),
    ("two", "second", "one", true),
    ("three", "second", "three", true),
    ("one", "third", "one", true),
    ("two", "third", "three", true),
    ("three", "third", "two", true),
];

/// What Popper prints on the way and at its end; constants and negation are relations of its own.
fn popper(rules: &[(&str, &str, &str, bool)]) -> String {
    let clause = |(lamp, button, before, lit): &(&str, &str, &str, bool)| {
        let not = if *lit { "" } else { "not_" };
        format!(
            "next_lit(A,B):- kind_is_{lamp}(B),does_press(A,_,C),button_is_{button}(C),{not}true_lit(A,D),lit_is_{before}(D).\n"
        )
    };
    let clauses: String = rules.iter().map(clause).collect();
    let stars = "*".repeat(20);
    format!(
        "12:00:01 Generating programs of size: 3\n12:00:02 {stars}\n12:00:02 New best hypothesis:\n\
         12:00:02 tp:1 fn:8 tn:9 fp:0 size:3\n12:00:02 next_lit(A,B):- true_lit(A,B).\n12:00:02 {stars}\n\
         ********** SOLUTION **********\nPrecision:1.00 Recall:1.00 TP:9 FN:0 TN:9 FP:0 Size:45\n{clauses}\
         ******************************\n\
         ********** SOLUTION **********\nPrecision:1.00 Recall:1.00 TP:9 FN:0 TN:9 FP:0 Size:3\n\
         next_time(A,B):- game_succ(C,B),true_time(A,C).\n******************************\n"
    )
}

/// What Aleph prints: clauses over lines, statics with a triple, examples that it could not do without.
fn aleph(rules: &[(&str, &str, &str, bool)]) -> String {
    let mut text =
        "[sat] [1]\n[next_lit(t0,one)]\n\n[bottom clause]\nnext_lit(A,B) :-\n   true_lit(A,B).\n[theory]\n\n"
            .to_owned();
    for (number, (lamp, button, before, lit)) in rules.iter().enumerate() {
        let not = if *lit { "" } else { "not_" };
        text += &format!(
            "[Rule {}] [Pos cover = 4 Neg cover = 0]\nnext_lit(A,B) :-\n   B={lamp}, does_press(A,C,{button}), {not}true_lit(A,{before}).\n\n",
            number + 1
        );
    }
    text + "[Rule 10] [Pos cover = 1 Neg cover = 0]\nnext_lit(t7,two).\n\n[Training set performance]\n          Actual\n\
            \n[time taken] [0.1]\n[theory]\n\n[Rule 1] [Pos cover = 9 Neg cover = 0]\nnext_time(A,B) :-\n   \
            true_time(A,C), game_succ(A,C,B).\n\n[Training set performance]\n"
}

/// What Metagol prints: comments, relations of its own, and negation as a relation.
fn metagol(rules: &[(&str, &str, &str, bool)]) -> String {
    let mut text = "% learning next_lit/2\n% clauses: 1\n% clauses: 2\n".to_owned();
    for (number, (lamp, button, before, lit)) in rules.iter().enumerate() {
        let not = if *lit { "" } else { "not_" };
        text += &format!(
            "next_lit(A,{lamp}):-next_lit_{number}(A,{button}).\nnext_lit_{number}(A,B):-does_press(A,engineer,B),{not}true_lit(A,{before}).\n"
        );
    }
    text + "next_time(A,B):-true_time(A,C),game_succ(A,C,B).\ntrue.\n"
}

#[test]
fn what_learners_print_is_scored_as_it_is_printed() -> Outcome {
    let folder = tempfile::tempdir()?;
    export("buttons_and_lights", folder.path(), 60)?;
    let test = folder.path().join("buttons_and_lights_next_test.dat");
    let scored = |name: &str, text: &str| -> Result<_, Box<dyn std::error::Error>> {
        let path = folder.path().join(name);
        std::fs::write(&path, text)?;
        let scores: Vec<_> = [Grounding::Once, Grounding::Each]
            .into_iter()
            .map(|grounding| score_file(&path, &test, grounding, &|| ()))
            .collect::<Result<_, _>>()?;
        assert_eq!(scores[0], scores[1], "{name}");
        Ok(scores[0].clone())
    };
    type Printer = fn(&[(&str, &str, &str, bool)]) -> String;
    let printers: [(&str, Printer); 3] = [("popper", popper), ("aleph", aleph), ("metagol", metagol)];
    for (learner, print) in printers {
        for name in [format!("{learner}.txt"), format!("{learner}.pl")] {
            let right = scored(&name, &print(&LAMPS))?;
            assert!(right.tally.perfect() && right.tally.positives > 0, "{name} {}", right.text());
            assert!(right.notes.is_empty(), "{name} {:?}", right.notes);
        }
        // Each rule counts, and so does the sign of its last condition.
        for left_out in 0..LAMPS.len() {
            let fewer: Vec<_> = (0..LAMPS.len()).filter(|n| *n != left_out).map(|n| LAMPS[n]).collect();
            let found = scored("fewer.txt", &print(&fewer))?.tally;
            assert_eq!(found.true_negatives, found.negatives, "{learner} {left_out}");
        }
        let mut wrong = LAMPS;
        wrong[0].3 = true;
        assert!(!scored("wrong.txt", &print(&wrong))?.tally.perfect(), "{learner}");
    }
    // A log without an end has its best program so far; one without any program says that there is none.
    let cut = popper(&LAMPS).replace("********** SOLUTION **********", "");
    let best = scored("cut.txt", cut.split("Precision").next().unwrap_or_default())?;
    assert!(best.tally.true_positives > 0 && !best.tally.perfect(), "{best:?}");
    assert!(best.notes[0].contains("no rule derives `next_time/1`"), "{best:?}");
    let none = scored("none.txt", "12:00:01 Generating programs of size: 3\nNO SOLUTION\n")?;
    assert_eq!((none.tally.true_positives, none.tally.true_negatives), (0, none.tally.negatives));
    let told = scored("odd.pl", "next_lit(A,B) :- tru_lit(A,B).\n").err().map(|e| e.to_string());
    let told = told.unwrap_or_default();
    assert!(told.contains("odd.pl:1: `tru_lit/2` is no relation of the task"), "{told}");
    Ok(())
}

/// Prolog asks for ground atoms; what a head has beyond its body is then anything that may be asked.
#[test]
fn clauses_that_prolog_allows_are_scored() -> Outcome {
    let block = |name: &str, atoms: &[&str]| {
        let lines: String = atoms.iter().map(|atom| format!("\t{atom}\n")).collect();
        format!("{name}:\n{lines}\n---\n\n")
    };
    let text = [
        block("atoms", &["goal(a, 0)", "goal(a, 1)", "goal(b, 0)", "goal(b, 1)"]),
        block("statics", &["more(1, 0)"]),
        block("background", &["true_has(a, 1)", "true_on()"]),
        block("positives", &["goal(a, 1)", "goal(b, 1)"]),
        block("background", &["true_has(b, 0)"]),
        block("positives", &["goal(a, 0)", "goal(b, 0)"]),
    ];
    let dat = Dat::read(&text.concat(), "t.dat")?;
    for right in [
        // Unsafe in the role, with and without the triple.
        "goal(A,B,C) :- true_has(A,D,C).",
        "goal(B,C) :- true_has(_,C).",
        "goal(A,B,1) :- true_has(A,_,1).\ngoal(A,_,C) :- zero_is_0(C), \\+ true_has(A,_,1).",
        "goal(A,B,C) :- more(C,D), true_on(A).\ngoal(A,B,0) :- not_true_on(A).",
        "goal(A,B,C) :- more(A,C,D), true_on(A).\ngoal(A,B,0) :- \\+true_on(A), B \\== c, true.",
        "goal(A,B,C) :- inv1(A,C).\ninv1(A,B) :- true_has(A,C,B), role(C).\nrole(X).",
    ] {
        let tally = score_program(right, "right.pl", &dat)?;
        assert!(tally.perfect() && tally.positives == 4, "{right} {tally:?}");
    }
    for wrong in ["goal(A,B,C) :- more(C,D).", "goal(A,B,C) :- more(A,D,C), not_true_on(A).", "goal(t1,a,1)."]
    {
        assert!(!score_program(wrong, "wrong.pl", &dat)?.perfect(), "{wrong}");
    }
    Ok(())
}

#[test]
fn tasks_without_positives_or_without_negatives_are_left_out() -> Outcome {
    let folder = tempfile::tempdir()?;
    let coverage = export("buttons_and_lights", folder.path(), 60)?;
    // All three buttons can always be pressed.
    let legal = &coverage.targets["legal"].left_out;
    assert_eq!(legal.iter().collect::<Vec<_>>(), ["legal_press/2 has no negatives"]);
    assert!(
        coverage.text().contains("legal     not written for other systems: legal_press/2 has no negatives")
    );
    for system in ["popper", "aleph"] {
        assert!(!folder.path().join(system).join("buttons_and_lights_legal").exists());
        assert!(folder.path().join(system).join("buttons_and_lights_next").exists());
    }
    let report = std::fs::read_to_string(folder.path().join("buttons_and_lights.json"))?;
    assert!(report.contains("legal_press/2 has no negatives"));
    Ok(())
}

/// Aleph for SWI-Prolog: the file that `RACGEN_ALEPH` names, or that of the installed pack.
fn aleph_file() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("RACGEN_ALEPH") {
        return Some(path.into());
    }
    let goal = "absolute_file_name(library(aleph_orig),F,[file_type(prolog),access(read),file_errors(fail)]),write(F)";
    let run = Command::new("swipl").args(["-q", "-g", goal, "-t", "halt"]).output().ok()?;
    let path = String::from_utf8(run.stdout).ok()?;
    path.ends_with(".pl").then(|| path.into())
}

#[test]
fn aleph_learns_what_the_buttons_do() -> Outcome {
    let Some(aleph) = aleph_file() else {
        println!(
            "aleph_learns_what_the_buttons_do: skipped, there is no swipl with the pack aleph, nor RACGEN_ALEPH"
        );
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    export("buttons_and_lights", folder.path(), 200)?;
    let here = folder.path().join("aleph/buttons_and_lights_next");
    let mut log = String::new();
    for relation in ["next_lit_1", "next_time_1"] {
        let goal = format!("consult('{}'),read_all('{relation}'),induce,halt", aleph.display());
        let run = Command::new("swipl").args(["-q", "-g", &goal]).current_dir(&here).output()?;
        log += &String::from_utf8_lossy(&run.stdout);
    }
    let path = folder.path().join("aleph.txt");
    std::fs::write(&path, &log)?;
    for (split, least) in [("train", 100.0), ("test", 90.0)] {
        let task = folder.path().join(format!("buttons_and_lights_next_{split}.dat"));
        let found = score_file(&path, &task, Grounding::Once, &|| ())?;
        println!("{split}: {}", found.text());
        assert!(found.tally.balanced_accuracy() >= least, "{split} {} {log}", found.text());
    }
    Ok(())
}
