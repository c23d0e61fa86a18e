//! Promise: an audit fails data whose answers can be told without the initial state, and passes the same data where
//! they cannot. The data are made here from nothing, with the bias that selection had once: what is asked about
//! where the answer is yes has just been acted on, and where it is no it is not named at all.

use std::fs;
use std::path::Path;
use std::process::Command;

use racgen::audit::attacks::giveaways::{Giveaways, measure};
use racgen::audit::attacks::item::{AuditItem, Interner};
use racgen::audit::attacks::thresholds::Thresholds;
use racgen::data::row::{ObjectName, Row};
use racgen::logic::seed::stream;
use rand::RngExt;

/// What the answer has to do with the rest of an item.
#[derive(Clone, Copy, PartialEq)]
enum Bias {
    /// Nothing.
    None,
    /// Lamps that are lit were switched, the others are not named.
    Named,
    /// Lamps that are lit were switched last as the first of two.
    LastAction,
    /// It is more often yes if the supposed action is about the same lamp.
    Pattern,
}

const NAMES: [&str; 12] = [
    "amber", "beryl", "coral", "denim", "ebony", "fawn", "green", "hazel", "ivory", "jade", "khaki", "lilac",
];

/// A lamp that the actions name, or one that they do not.
fn lamp(rng: &mut impl RngExt, plan: &[[usize; 2]], named: bool) -> usize {
    let among: Vec<usize> =
        (0..8).filter(|lamp| plan.iter().flatten().any(|one| one == lamp) == named).collect();
    among[rng.random_range(0..among.len())]
}

/// An item about eight lamps and three actions with two of them each.
fn item(number: usize, bias: Bias) -> Row {
    let mut rng = stream(7, &["lamps", &number.to_string()]);
    let mut names = NAMES;
    (1..names.len()).rev().for_each(|last| names.swap(last, rng.random_range(0..=last)));
    let plan: Vec<[usize; 2]> = (0..3)
        .map(|_| {
            let first = rng.random_range(0..7);
            [first, if rng.random_range(0..2) == 0 { 7 } else { (first + 1) % 7 }]
        })
        .collect();
    let yes = rng.random_range(0..2) == 0;
    // Whether its lamp is named is drawn for each item alike, unless the answer decides.
    let coin = rng.random_range(0..2) == 0;
    let asked = match bias {
        Bias::Named => lamp(&mut rng, &plan, yes),
        Bias::LastAction => plan[2][usize::from(!yes)],
        Bias::None | Bias::Pattern => lamp(&mut rng, &plan, coin),
    };
    let often = match bias {
        Bias::Pattern if yes => 8,
        // What is supposed would be the last action.
        Bias::LastAction => 0,
        _ => 4,
    };
    let same = rng.random_range(0..10) < often;
    let other = if same { asked } else { (asked + 1) % 8 };
    let action = |[a, b]: [usize; 2]| format!("press(s{},s{})", a + 1, b + 1);
    let told = |[a, b]: [usize; 2]| format!("Someone presses {} and {}.", names[a], names[b]);
    let objects = names[..8].iter().enumerate().map(|(place, name)| ObjectName {
        id: format!("s{}", place + 1).into(),
        kind: "lamp".into(),
        name: (*name).into(),
    });
    let initial_state = format!("This is room {number}. In it are {}.", names[..8].join(", "));
    let actions = plan.iter().map(|one| told(*one)).collect::<Vec<_>>().join(" ");
    Row {
        id: format!("item {number}"),
        domain: "lamps".into(),
        split: "train".into(),
        world: format!("world {number}").into(),
        level: 1,
        depth: 3,
        question_type: "verify".into(),
        family: "lit".into(),
        template: format!("lit.{}", rng.random_range(1..5)),
        context: format!("{initial_state}\n\n{actions}").into(),
        initial_state: initial_state.into(),
        actions: actions.into(),
        question: format!("If someone presses {}, is {} lit then?", names[other], names[asked]),
        answer: if yes { "yes" } else { "no" }.into(),
        answer_type: "bool".into(),
        objects: objects.collect(),
        plan: plan.iter().map(|one| action(*one)).collect(),
        query: format!("after(push(s{}),lit(s{}))", other + 1, asked + 1),
        ..Row::default()
    }
}

fn data(items: usize, bias: Bias) -> Vec<Row> {
    (0..items).map(|number| item(number, bias)).collect()
}

/// What the rows give away, if the initial state's answer is that of each third, half, ... item.
fn given(rows: &[Row], unchanged: fn(usize) -> bool) -> (Giveaways, Vec<&'static str>) {
    let mut texts = Interner::default();
    let mut items: Vec<AuditItem> = rows.iter().map(|row| AuditItem::new(row, &mut texts)).collect();
    items.iter_mut().enumerate().for_each(|(number, item)| item.trivial = Some(unchanged(number)));
    let found = measure(&items, &texts, &Thresholds::default());
    let mut faults: Vec<&str> = found.deviations.iter().map(|d| d.measure).collect();
    faults.dedup();
    (found, faults)
}

fn half(number: usize) -> bool {
    number.is_multiple_of(2)
}

#[test]
fn what_is_asked_about_gives_the_answer_away() {
    let a = |bias: Bias| given(&data(1000, bias), half).0.families[0].a.value().unwrap();
    assert!(a(Bias::Named) > 0.98 && a(Bias::LastAction) > 0.9);
    let (found, faults) = given(&data(1000, Bias::Named), half);
    // Who sees what the actions do to the lamp has the answer: such a family is called settled, and may still not be
    // given away.
    assert_eq!(faults, ["settled_attack", "domain_attack", "settled_share"]);
    assert!(found.deviations[0].detail.contains("without the initial state"));
    let (found, faults) = given(&data(1000, Bias::LastAction), half);
    assert!(found.families[0].settled && found.families[0].fixed.of == 1000);
    assert_eq!(faults, ["settled_attack", "domain_attack", "settled_share"]);
}

#[test]
fn nothing_is_found_where_answers_are_drawn_by_lot() {
    let (found, faults) = given(&data(1000, Bias::None), half);
    assert_eq!(faults, [""; 0]);
    let [family, all] = &found.families[..] else { panic!("{found:?}") };
    assert_eq!((family.family.as_str(), all.family.as_str(), all.items), ("lit", "all", 1000));
    for share in [family.a, family.i, family.pattern, family.yes] {
        assert!((share.value().unwrap() - 0.5).abs() < 0.05, "{family:?}");
    }
}

#[test]
fn patterns_of_questions_give_the_answer_away() {
    let (found, faults) = given(&data(1000, Bias::Pattern), half);
    assert!(faults.contains(&"pattern_attack"), "{faults:?}");
    assert!(found.families[0].pattern.value().unwrap() > 0.65);
}

#[test]
fn the_initial_state_must_not_tell_the_answer_nor_its_contrary() {
    let rows = data(1000, Bias::None);
    let faults = |unchanged: fn(usize) -> bool| given(&rows, unchanged).1;
    assert_eq!(faults(|number| number % 4 > 0), ["family_attack", "domain_attack"]);
    assert_eq!(faults(|number| number % 4 == 0), ["family_attack", "domain_attack"]);
    // Questions about the initial state are answered by it.
    let mut started = rows.clone();
    started.iter_mut().for_each(|row| row.query = format!("initially({})", row.query));
    let (found, faults) = given(&started, |_| true);
    assert_eq!((faults, found.families[0].i.of), (vec![], 0));
}

#[test]
fn answers_of_other_questions_must_vary() {
    let answered = |answers: [&str; 10]| {
        let mut rows = data(600, Bias::None);
        for (number, row) in rows.iter_mut().enumerate() {
            (row.question_type, row.family) = ("other".into(), "which_lit".into());
            row.answer = answers[number % 10].into();
        }
        rows
    };
    let even = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "none"];
    assert_eq!(given(&answered(even), half).1, [""; 0]);
    assert_eq!(given(&answered(even), |number| number % 10 < 8).1, ["unchanged_share"]);
    let often = ["a", "a", "a", "a", "a", "f", "g", "h", "i", "none"];
    assert_eq!(given(&answered(often), half).1, ["answer_share"]);
    let none = ["a", "b", "c", "d", "e", "f", "g", "none", "none", "none"];
    assert_eq!(given(&answered(none), half).1, ["none_share"]);
    // Of three answers one must be the most frequent.
    let three = ["a", "a", "a", "a", "b", "b", "b", "none", "none", "none"];
    assert_eq!(given(&answered(three), half).1, [""; 0]);
}

#[test]
fn of_three_answers_each_two_must_not_be_told_apart() {
    let rows = |bias: Bias| {
        let mut rows = data(1500, bias);
        for (number, row) in rows.iter_mut().enumerate() {
            (row.question_type, row.family) = ("other".into(), "maybe_lit".into());
            row.answer_type = "certainty".into();
            if number % 3 == 2 {
                row.answer = "cannot be determined".into();
            }
        }
        rows
    };
    let (found, faults) = given(&rows(Bias::None), half);
    assert_eq!(faults, [""; 0]);
    let names: Vec<&str> = found.families.iter().map(|family| family.family.as_str()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("maybe_lit: ")), "{names:?}");
    assert!(found.families.iter().all(|family| (900..1100).contains(&family.items)));
    // Only yes and no differ in what is named.
    let (found, _) = given(&rows(Bias::Named), half);
    let faults: Vec<&str> = found.deviations.iter().map(|d| d.cell.family.as_str()).collect();
    assert!(!faults.is_empty() && faults.iter().any(|name| !name.contains("determined")), "{faults:?}");
    assert!(found.deviations.iter().all(|d| d.cell.question_type == "other"));
    // An answer that the initial state mostly has is given away, too.
    assert_eq!(given(&rows(Bias::None), |number| number % 10 < 8).1, ["unchanged_share"]);
}

/// The audit's exit code and what it says, of rows that nobody reads back.
fn audit(folder: &Path, rows: &[Row]) -> (Option<i32>, String) {
    let lines: Vec<String> = rows.iter().map(|row| serde_json::to_string(row).unwrap()).collect();
    fs::write(folder.join("train.jsonl"), lines.join("\n")).unwrap();
    let manifest = r#"{"settings": [{"domain": "lamps", "settings": {"game": true}}]}"#;
    fs::write(folder.join("manifest.json"), manifest).unwrap();
    let run =
        Command::new(env!("CARGO_BIN_EXE_racgen")).args(["audit", "."]).current_dir(folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.code(), text(&run.stdout) + &text(&run.stderr))
}

#[test]
fn the_command_fails_biased_data_and_passes_their_counterpart() {
    let folder = tempfile::tempdir().unwrap();
    let (code, told) = audit(folder.path(), &data(800, Bias::Named));
    assert_eq!(code, Some(1), "{told}");
    assert!(
        told.contains("Faults were found in 800 items: settled_attack, domain_attack, settled_share."),
        "{told}"
    );
    assert!(told.contains("domain  family  items  settled   yes"), "{told}");
    let page = fs::read_to_string(folder.path().join("audit.html")).unwrap();
    assert!(page.contains("What each family of yes/no questions gives away"));
    let (code, told) = audit(folder.path(), &data(800, Bias::None));
    assert_eq!(code, Some(0), "{told}");
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("audit.json")).unwrap()).unwrap();
    let family = &report["families"][0];
    assert_eq!(
        (&family["family"], &family["settled"], &family["i"]),
        (&"lit".into(), &false.into(), &().into())
    );
    assert!(family["a"].as_f64().unwrap() < 0.6);
}

/// Questions which of four lamps goes with one of them. `right` gives the place of the right one, by the lamp asked about and by those
/// that are listed.
fn choices(items: usize, right: fn(usize, &[usize; 4]) -> usize) -> Vec<Row> {
    let mut rows = data(items, Bias::None);
    for (number, row) in rows.iter_mut().enumerate() {
        let mut rng = stream(8, &["choices", &number.to_string()]);
        let mut lamps = [0, 1, 2, 3, 4, 5, 6, 7];
        (1..lamps.len()).rev().for_each(|last| lamps.swap(last, rng.random_range(0..=last)));
        let options: [usize; 4] = std::array::from_fn(|place| lamps[place]);
        let asked = options[rng.random_range(0..4)];
        let right = options[right(asked, &options)];
        let lit = |lamp: usize| format!("lit(s{})", lamp + 1);
        (row.question_type, row.family, row.answer_type) =
            ("other".into(), "which_goes".into(), "facts".into());
        row.query = format!("which_goes({},facts({}))", lit(asked), options.map(lit).join(","));
        row.gold = vec![lit(right)];
        row.answer = format!("the lamp {} is lit", NAMES[right]);
    }
    rows
}

#[test]
fn what_is_listed_must_not_be_told_apart_by_its_looks() {
    // What is asked about is always right.
    let asked = choices(600, |asked, options| options.iter().position(|one| *one == asked).unwrap());
    let (found, faults) = given(&asked, half);
    let choice = found.answers[0].choice;
    assert_eq!((choice.chance, choice.pattern.value(), choice.a.of), (0.25, Some(1.0), 600));
    assert_eq!(faults, ["choice_attack", "choice_initial"]);
    // The second one always is.
    let second = choices(600, |_, _| 1);
    assert_eq!(given(&second, half).1, ["choice_attack", "choice_initial"]);
    // By lot, as far as looks go.
    let lot = choices(600, |asked, options| (asked * 5 + options[0] * 3 + options[2]) % 4);
    let (found, faults) = given(&lot, half);
    assert_eq!(faults, [""; 0]);
    let choice = found.answers[0].choice;
    for share in [choice.pattern, choice.a, choice.facts] {
        assert!((share.value().unwrap() - 0.25).abs() < 0.1, "{choice:?}");
    }
    // Answers that are not listed are no choices.
    let mut others = lot.clone();
    others.iter_mut().for_each(|row| row.gold = vec!["lit(s9)".into()]);
    assert!(given(&others, half).0.answers[0].choice.a.is_empty());
}

/// Questions which of two lamps is to be pressed first so that one is lit and the other is dark. `right` says of which items it is the
/// one that is to be lit.
fn presses(items: usize, right: fn(usize) -> bool) -> Vec<Row> {
    let mut rows = data(items, Bias::None);
    for (number, row) in rows.iter_mut().enumerate() {
        let mut rng = stream(9, &["presses", &number.to_string()]);
        let lit = rng.random_range(1..9);
        let dark = 1 + (lit + rng.random_range(0..7)) % 8;
        let (first, second) = if right(number) { (lit, dark) } else { (dark, lit) };
        (row.question_type, row.family, row.answer_type) =
            ("other".into(), "next_press".into(), "action".into());
        row.query = format!("next_press(goal(lit(s{lit}),dark(s{dark})))");
        row.gold = vec![format!("press(s{first},s{second})")];
        row.answer = format!("press {} and {}", NAMES[first], NAMES[second]);
    }
    rows
}

#[test]
fn how_an_answer_looks_beside_its_question_must_not_tell_it() {
    let told = |right: fn(usize) -> bool| {
        let (found, faults) = given(&presses(600, right), half);
        (found.answers[0].pattern.value().unwrap(), faults)
    };
    let (share, faults) = told(|number| number % 10 < 7);
    assert!((share - 0.7).abs() < 0.05, "{share}");
    assert_eq!(faults, ["answer_pattern"]);
    let (share, faults) = told(half);
    assert!(share < 0.55, "{share}");
    assert_eq!(faults, [""; 0]);
}
