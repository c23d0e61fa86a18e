//! Promise: a run says beforehand which splits, levels and depths so few items leave without any, or without a pair of
//! verify questions, and how many it takes; and afterwards, which splits rest on few worlds. `--quiet` says nothing.

use std::path::Path;
use std::process::Command;

use racgen::campaign::finish::Finished;
use racgen::cli::output::warnings::after;
use racgen::data::papers::tally::Tally;
use racgen::data::row::Row;

/// What racgen warns of, line by line.
fn warnings(at: &Path, arguments: &str) -> Vec<String> {
    let ended = Command::new(env!("CARGO_BIN_EXE_racgen"))
        .args(arguments.split_whitespace())
        .current_dir(at)
        .output()
        .expect("racgen starts");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.success(), "racgen {arguments}\n{said}");
    let warning =
        |line: &str| line.strip_prefix("racgen: warning: ").unwrap_or_else(|| panic!("{said}")).to_owned();
    said.lines().map(warning).collect()
}

/// The number that the remedy `use -n N or more` gives.
fn advised(warning: &str) -> u64 {
    let number = warning.split("use -n ").nth(1).and_then(|rest| rest.split(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{warning}"))
}

#[test]
fn empty_splits_are_told_with_the_number_that_it_takes() {
    let folder = tempfile::tempdir().unwrap();
    let run = "--domain logistics --out";
    let said = warnings(folder.path(), &format!("{run} three -n 3"));
    let [three] = said.as_slice() else { panic!("{said:?}") };
    assert_eq!(
        three,
        "logistics: 3 items leave validation and test empty, and train without a pair of verify questions: they make \
         3 train, 0 validation, 0 test; use -n 40 or more, fewer or more even --splits"
    );
    assert_eq!(warnings(folder.path(), &format!("{run} quiet -n 3 --quiet")), Vec::<String>::new());
    assert_eq!(warnings(folder.path(), &format!("{run} enough -n {}", advised(three))), Vec::<String>::new());
}

#[test]
fn levels_and_depths_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let run = "--domain logistics,dwr --level 1-2 --depth 1-2 --splits train=50,test=10 --out";
    let said = warnings(folder.path(), &format!("{run} few -n 14"));
    // Of 4, 4, 3 and 3 items, the smaller split has 1, 1, 0 and 0.
    let [few] = said.as_slice() else { panic!("one sentence for both domains: {said:?}") };
    assert_eq!(
        few,
        "logistics and dwr: 14 items leave levels and depths of test (2 of 4) without an item, and levels and depths \
         of train (4 of 4) and test (2 of 4) without a pair of verify questions: they make 12 train, 2 test; use -n 96 \
         or more, fewer or more even --splits, or fewer levels and depths"
    );
    assert_eq!(warnings(folder.path(), &format!("{run} enough -n {}", advised(few))), Vec::<String>::new());
}

#[test]
fn no_pair_is_missed_where_no_verify_questions_are_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let run = "--domain logistics --mix count=1,other=1 --splits train=1,test=1 -n 4 --out d";
    assert_eq!(warnings(folder.path(), run), Vec::<String>::new());
}

#[test]
fn a_split_that_rests_on_few_worlds_is_told() {
    let folder = tempfile::tempdir().unwrap();
    // Four blocks make two towers in two ways.
    let run = "--domain blocks --set blocks=4 --set towers=2 --split-by instance --depth 4 -n 200 --out d";
    let said = warnings(folder.path(), run);
    assert_eq!(said.len(), 3, "{said:?}");
    for (warning, split) in said.iter().zip(["test", "train", "validation"]) {
        let start = format!("blocks: the split {split} rests on 2 worlds, for ");
        assert!(warning.starts_with(&start) && warning.contains("larger or more varied worlds"), "{warning}");
    }
}

/// A finished folder whose test split has so many items of each world.
fn finished(worlds: &[usize]) -> Finished {
    let mut tally = Tally::default();
    for (number, items) in worlds.iter().enumerate() {
        let row = Row {
            domain: "blocks".into(),
            split: "test".into(),
            world: format!("w{number}").into(),
            ..Row::default()
        };
        (0..*items).for_each(|_| tally.add(&row, None));
    }
    Finished { tally, complete: true, ..Finished::default() }
}

#[test]
fn a_world_that_outweighs_the_others_is_told() {
    assert_eq!(after(&finished(&[1, 1, 1, 1])), Vec::<String>::new(), "four items");
    assert_eq!(after(&finished(&[40, 20, 20, 20])), Vec::<String>::new(), "a hundred items");
    assert_eq!(after(&finished(&[5; 6])), Vec::<String>::new(), "each has a sixth");
    let told = after(&finished(&[41, 20, 20, 20])).concat();
    assert!(told.contains("the split test has 41 of its 101 items from one of its 4 worlds;"), "{told}");
    let told = after(&finished(&[30])).concat();
    assert!(told.contains("the split test rests on 1 world, for 30 items;"), "{told}");
    let part = Finished { complete: false, ..finished(&[30]) };
    assert_eq!(after(&part), Vec::<String>::new(), "the other shards may bring more");
}
