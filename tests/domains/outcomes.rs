//! Where actions have several outcomes every answer is right by all situations that may have come about, yes and no come
//! equally often, neither the initial situation nor the actions tell the answer without the other, what cannot be asked there is
//! refused, and the audit finds all of it sound, explanations included.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use racgen::audit::attacks::giveaways::{Giveaways, measure};
use racgen::audit::attacks::item::{AuditItem, Interner};
use racgen::audit::attacks::shortcuts::Deviation;
use racgen::audit::attacks::thresholds::Thresholds;
use racgen::audit::reread::judge::Reread;
use racgen::check::survey::check;
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::domain::package::Package;
use racgen::domain::scaffold::write_like;
use racgen::factory::settings::Settings;
use racgen::factory::source::Factory;
use racgen::items::source::{GROUP_SIZE, Item};
use racgen::logic::clingo::Source;
use racgen::simulate::layout::Layout;
use racgen::simulate::narrative::outcomes::open_ends;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::story::Simulator;

use crate::common::LIMIT;
use crate::common::further::{look_as_in_the_snapshots, none_is_wrong, number, settings};

/// Items that are held against the naive simulator.
const ITEMS: u64 = 2000;
const SEED: u64 = 29;
const DOMAIN: &str = "slippery";

/// Stories of all lengths that the naive simulator is asked about.
fn asked() -> Settings {
    Settings { levels: vec![1, 2, 3], depths: vec![1, 3, 5, 7], ..settings("unknown", ITEMS, SEED) }
}

/// Their rows, which several tests look at, made once.
fn rows() -> &'static [Item] {
    static ROWS: OnceLock<Vec<Item>> = OnceLock::new();
    ROWS.get_or_init(|| crate::common::made(DOMAIN, &asked()))
}

/// What is wrong with a row, if anything.
fn fault(row: &Row) -> Option<String> {
    match crate::naive::slippery::answer(&row.facts, &row.plan, &row.query) {
        Err(error) => Some(error),
        Ok((answer, _)) if *row.gold != [answer.clone()] => {
            Some(format!("the answer is {answer}, and not {:?}", row.gold))
        }
        Ok((_, count)) if number(row, "completions") != Some(count as i64) => {
            Some(format!("there are {count} situations, and not {:?}", number(row, "completions")))
        }
        Ok(_) => None,
    }
}

#[test]
fn answers_about_several_outcomes_are_those_of_the_naive_simulator() {
    let items = rows();
    assert_eq!(items.len() as u64, ITEMS);
    none_is_wrong(items, DOMAIN, fault);
    let mut families: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for item in items {
        families.entry(&item.row.family).or_default()[usize::from(&*item.row.answer == "yes")] += 1;
    }
    println!("{families:?}");
    assert_eq!(families.keys().copied().collect::<Vec<_>>(), ["may", "must"]);
    for (family, [no, yes]) in families {
        assert!(yes.abs_diff(no) <= 4 + (yes + no) / 20, "{family}: {yes} yes and {no} no");
    }
}

#[test]
fn the_audit_reads_back_stories_with_several_outcomes() {
    let items = crate::common::made(DOMAIN, &Settings { items: 300, ..asked() });
    let rows: Vec<Row> = items.into_iter().map(|item| item.row).collect();
    let verdicts = Reread::new(&Catalogue::find(&[]).unwrap(), LIMIT).judge(&rows, &|_| ());
    assert_eq!(verdicts.len(), rows.len());
    for (row, verdict) in rows.iter().zip(verdicts) {
        assert!(verdict.is_ok(), "{}: {:?}\n{}", row.query, verdict.err(), row.context);
    }
    // An answer turned round is found out.
    let mut row = rows[0].clone();
    let other = if &*row.answer == "yes" { "no" } else { "yes" };
    (row.answer, row.gold) = (other.into(), vec![other.to_owned()]);
    let verdicts = Reread::new(&Catalogue::find(&[]).unwrap(), LIMIT).judge(&[row], &|_| ());
    assert!(verdicts[0].is_err());
}

/// Of four rows that go together two are of one initial situation and two of another, crosswise two of one list of actions, and
/// each situation and each list of actions has one yes and one no.
#[test]
fn questions_cross() {
    let items = rows();
    let mut streams: BTreeMap<(i32, i32), Vec<&Row>> = BTreeMap::new();
    items
        .iter()
        .for_each(|item| streams.entry((item.row.level, item.row.depth)).or_default().push(&item.row));
    let (mut crossed, mut all) = (0, 0);
    for rows in streams.values() {
        // Where four begin in one group of rows and end in another, each finds its own.
        for group in rows.chunks(GROUP_SIZE as usize) {
            for four in group.windows(4).filter(|four| four[0].answer == "yes" && four[1].answer == "no") {
                let [one, two, three, last] = four else { panic!("four rows") };
                if !(three.answer == "no" && last.answer == "yes") {
                    continue;
                }
                all += 1;
                let facts = [one, two, three, last].map(|row| BTreeSet::from_iter(row.facts.iter()));
                let is_one_question = four.iter().all(|row| row.query == one.query);
                crossed += usize::from(
                    is_one_question
                        && facts[0] == facts[2]
                        && facts[1] == facts[3]
                        && facts[0] != facts[1]
                        && one.plan == two.plan
                        && three.plan == last.plan
                        && one.plan != three.plan,
                );
            }
        }
    }
    println!("{crossed} of {all} fours cross");
    assert!(all > 300 && 20 * crossed >= 19 * all, "{crossed} of {all} fours cross");
}

/// What the families of some rows give away.
fn giveaways(rows: &[Row]) -> Giveaways {
    let mut texts = Interner::default();
    let items: Vec<AuditItem> = rows.iter().map(|row| AuditItem::new(row, &mut texts)).collect();
    measure(&items, &texts, &Thresholds::default())
}

/// The trees of the audit learn nothing from one source alone; of a data set in which the facts tell the answer they do.
#[test]
fn neither_facts_nor_actions_alone_tell_what_is_sure() {
    let rows: Vec<Row> = rows().iter().map(|item| item.row.clone()).collect();
    let found = giveaways(&rows);
    for family in &found.families {
        let [actions, facts] = [family.a, family.facts].map(|share| share.value().expect("a share"));
        println!("{}: actions {actions:.3}, facts {facts:.3}, {} items", family.family, family.items);
        assert!(actions < 0.55 && facts < 0.55, "{}: {actions}, {facts}", family.family);
    }
    assert!(found.deviations.is_empty(), "{:?}", found.deviations);
    // Whether a gripper is wet tells nothing, unless rows are left out in which it does not.
    let is_told = |row: &&Row| {
        let asked = row.query.trim_start_matches("may(empty(").trim_end_matches("))");
        let is_wet = row.facts.iter().any(|fact| *fact == format!("wet({asked})"));
        row.query.starts_with("may(empty(") && is_wet == (row.answer == "yes")
    };
    let biased: Vec<Row> = rows.iter().filter(is_told).cloned().collect();
    assert!(biased.len() > 200, "{} rows", biased.len());
    let found = giveaways(&biased);
    let seen = |d: &Deviation| d.detail.contains("initial state without the actions") && d.value > 0.9;
    assert!(found.deviations.iter().any(seen), "{:?}", found.deviations);
}

/// Two courses that differ are told, or one where all agree; what is told otherwise is found out.
#[test]
fn what_is_sure_is_explained() {
    let items = crate::common::made(DOMAIN, &Settings { items: 200, rationale: true, ..asked() });
    let mut rows: Vec<Row> = items.into_iter().map(|item| item.row).collect();
    let judge = |rows: &[Row]| Reread::new(&Catalogue::find(&[]).unwrap(), LIMIT).judge(rows, &|_| ());
    let mut lines: BTreeMap<usize, usize> = BTreeMap::new();
    for (row, verdict) in rows.iter().zip(judge(&rows)) {
        verdict.unwrap_or_else(|fault| panic!("{fault:?}\n{}\n{}", row.query, row.rationale));
        *lines.entry(row.rationale.lines().count()).or_default() += 1;
    }
    assert_eq!(lines.keys().copied().collect::<Vec<_>>(), [3, 4], "{lines:?}");
    // The same with the rationale of another row whose answer is the same.
    let texts: Vec<String> = rows.iter().map(|row| row.rationale.clone()).collect();
    let answers: Vec<String> = rows.iter().map(|row| row.answer.clone()).collect();
    for (place, row) in rows.iter_mut().enumerate() {
        let other =
            (0..texts.len()).find(|other| answers[*other] == row.answer && texts[*other] != texts[place]);
        row.rationale.clone_from(&texts[other.expect("another rationale")]);
    }
    let wrong = judge(&rows).into_iter().filter(Result::is_err).count();
    assert!(10 * wrong >= 9 * rows.len(), "{wrong} of {} are found out", rows.len());
}

/// Which outcomes came is told neither by the text nor by a column.
#[test]
fn items_with_several_outcomes_look_as_in_the_snapshots() {
    look_as_in_the_snapshots(&[DOMAIN], &["unknown"], |group| Settings {
        levels: vec![1],
        depths: vec![3],
        ..settings(group, 100, SEED)
    });
}

/// The evaluator, clingo's judge and the program over all times agree about each of the outcomes.
#[test]
fn clingo_confirms_each_outcome() {
    let package = crate::common::package(DOMAIN);
    let mut rng = crate::common::rng(SEED);
    let layout = Layout::sample(&package, 2, &BTreeMap::new(), &mut rng, LIMIT).unwrap();
    let mut stage = Simulator::new(&package, layout, Sampling::Explore, LIMIT, &mut rng).unwrap();
    let mut rngs: Vec<_> = (0..20).map(crate::common::rng).collect();
    let stories = stage.tell_all(3, false, |_| true, 50, &mut rngs).unwrap();
    let mut open = 0;
    for story in stories.into_iter().flatten() {
        stage.judge(&story).unwrap();
        let mut here = story.initial.clone();
        for deed in &story.deeds {
            let action = stage.engine.deeds.action_of(*deed);
            for other in stage.engine.deeds.of(action).collect::<Vec<_>>() {
                let next = stage.engine.step(&here, other).unwrap();
                stage.engine.judge_step(&here, other, next.as_ref()).unwrap();
            }
            here = stage.engine.step(&here, *deed).unwrap().unwrap().situation;
        }
        let ends = open_ends(&mut stage.engine, &[(&story.initial, &story.plan)], 64).unwrap().remove(0);
        let ends = ends.expect("a story that took place");
        assert!(ends.ends.iter().any(|(end, _)| end == &here));
        open += usize::from(ends.ends.len() > 1);
        let initially: Vec<_> =
            story.initial.iter().map(|fluent| stage.engine.fluents[fluent].clone()).collect();
        let mut program = stage.layout().trajectory_program(&package, &initially, 3);
        let plan = story.plan.iter().enumerate();
        let plan: String = plan.map(|(t, a)| format!("occ({},{t}).\n", stage.engine.actions[*a])).collect();
        program.sources.push(Source::new("the plan", plan));
        let found = program.search(&[("comes", 2)], None, LIMIT).unwrap().enumerate(100).unwrap();
        assert_eq!(found.len(), ends.courses());
    }
    assert!(open > 5, "{open} stories of 20 are open");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let package = crate::common::package(DOMAIN);
    let refused = |settings: Settings| settings.check_for(&package).expect_err("a refusal");
    assert!(refused(settings("prediction", 10, 1)).contains("--ask unknown"));
    assert!(refused(settings("plans", 10, 1)).contains("plans"));
    let possible = Settings { families: vec!["possible".to_owned()], ..settings("unknown", 10, 1) };
    assert!(refused(possible).contains("must and may"));
    assert!(refused(Settings { minimal_pairs: true, ..asked() }).contains("--minimal-pairs"));
    assert!(refused(Settings { mix: [0, 1, 1], ..asked() }).contains("--mix"));
    let usual = Settings { ask: Vec::new(), ..asked() };
    usual.check_for(&package).unwrap();
    assert_eq!(usual.suited(&package).ask, ["unknown"]);

    let blocks = crate::common::package("blocks");
    let must = Settings { families: vec!["must".to_owned()], ..settings("unknown", 10, 1) };
    assert!(must.check_for(&blocks).expect_err("a refusal").contains("several outcomes"));
}

#[test]
fn where_nothing_can_be_asked_of_outcomes_the_error_says_what_is_needed() {
    let (parent, catalogue) = (tempfile::tempdir().unwrap(), Catalogue::find(&[]).unwrap());
    let folder = write_like("workshop", parent.path(), catalogue.named(DOMAIN).unwrap()).unwrap();
    let few = Settings { levels: vec![1], depths: vec![3], ..settings("unknown", 8, SEED) };
    let make = || {
        let package = Package::load(folder.to_str().unwrap()).unwrap();
        let suited = few.clone().suited(&package);
        crate::common::items(&Factory::new(package, suited, LIMIT))
    };
    assert_eq!(make().unwrap().len(), 8);
    let world = std::fs::read_to_string(folder.join("world.lp")).unwrap();
    let (kept, _) = world.split_once("#program invariant.").expect("the part");
    std::fs::write(folder.join("world.lp"), kept).unwrap();
    let refused = make().expect_err("a refusal").to_string();
    for part in ["no verify question of `workshop`", "must and may need", "the part `invariant` of world.lp"]
    {
        assert!(refused.contains(part), "{refused}");
    }
}

/// A copy of the package in which a text of `domain.lp` is another, and what the check says of it.
fn broken(from: &str, to: &str) -> String {
    let (parent, catalogue) = (tempfile::tempdir().unwrap(), Catalogue::find(&[]).unwrap());
    let folder = write_like("workshop", parent.path(), catalogue.named(DOMAIN).unwrap()).unwrap();
    let text = std::fs::read_to_string(folder.join("domain.lp")).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(folder.join("domain.lp"), text.replace(from, to)).unwrap();
    let package = Package::load(folder.to_str().unwrap()).unwrap();
    let faults = check(&package, LIMIT).expect_err("a fault");
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_check_finds_what_is_wrong_with_outcomes() {
    let found = broken("comes(stains,T)", "comes(stain,T)");
    assert!(found.contains("`stain` is no outcome") && found.contains("`stains`"), "{found}");
    let found = broken("outcome(rub(G),", "outcome(rubs(G),");
    assert!(found.contains("`rubs(G)` is no action"), "{found}");
    // Several successors that do not come of declared outcomes are refused, here as elsewhere.
    let from = "holds(varnished(B),T+1)     :- time(T), occ(varnish(B,G),T).";
    let to =
        "1 { holds(varnished(B),T+1) ; holds(neg(varnished(B)),T+1) } 1 :- time(T), occ(varnish(B,G),T).";
    let found = broken(from, to);
    assert!(found.contains("several outcomes in one situation"), "{found}");
}
