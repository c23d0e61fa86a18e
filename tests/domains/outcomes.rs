//! Where actions have several outcomes every answer is right by all situations that may have come about, yes and no come
//! equally often, what cannot be asked there is refused, and the audit finds all of it sound.

use std::collections::BTreeMap;

use racgen::audit::reread::judge::Reread;
use racgen::check::survey::check;
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::domain::package::Package;
use racgen::domain::scaffold::write_like;
use racgen::factory::settings::Settings;
use racgen::logic::clingo::Source;
use racgen::simulate::layout::Layout;
use racgen::simulate::narrative::outcomes::open_ends;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::story::Simulator;
use rayon::prelude::*;

use crate::common::LIMIT;
use crate::common::further::{look_as_in_the_snapshots, number, settings};

/// Items that are held against the naive simulator.
const ITEMS: u64 = 2000;
const SEED: u64 = 29;
const DOMAIN: &str = "slippery";

/// Stories of all lengths that the naive simulator is asked about.
fn asked() -> Settings {
    Settings { levels: vec![1, 2, 3], depths: vec![1, 3, 5, 7], ..settings("unknown", ITEMS, SEED) }
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
        Ok((_, count)) => (count < 2 && row.depth > 1).then(|| format!("there are {count} situations")),
    }
}

#[test]
fn answers_about_several_outcomes_are_those_of_the_naive_simulator() {
    let items = crate::common::made(DOMAIN, &asked());
    assert_eq!(items.len() as u64, ITEMS);
    let wrong: Vec<String> = items
        .par_iter()
        .filter_map(|item| {
            let row = &item.row;
            let fault = fault(row)?;
            let (facts, plan) = (row.facts.join(" "), row.plan.join(" "));
            Some(format!("{}: {fault}\n  facts {facts}\n  plan {plan}\n", row.query))
        })
        .collect();
    let first = wrong.iter().take(3).map(String::as_str).collect::<String>();
    assert!(wrong.is_empty(), "{} wrong rows, such as\n{first}", wrong.len());
    let mut families: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for item in &items {
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
    assert!(refused(Settings { rationale: true, ..asked() }).contains("--rationale"));
    assert!(refused(Settings { mix: [0, 1, 1], ..asked() }).contains("--mix"));
    let usual = Settings { ask: Vec::new(), ..asked() };
    usual.check_for(&package).unwrap();
    assert_eq!(usual.suited(&package).ask, ["unknown"]);

    let blocks = crate::common::package("blocks");
    let must = Settings { families: vec!["must".to_owned()], ..settings("unknown", 10, 1) };
    assert!(must.check_for(&blocks).expect_err("a refusal").contains("several outcomes"));
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
