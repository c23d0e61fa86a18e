//! Promise: a wrong effect does not go unnoticed. Invariants that a package states are checked in every situation that
//! the check meets; without any, likely ones that an action breaks are told.

use std::path::{Path, PathBuf};
use std::time::Duration;

use racgen::check::survey::check;
use racgen::domain::package::Package;

const LIMIT: Duration = Duration::from_secs(60);

/// Four phrasings of a list, from the words that differ.
fn four(key: &str, before: &str, words: [&str; 4], after: &str) -> String {
    format!("{key} = [{}]\n", words.map(|word| format!("\"{before}{word}{after}\"")).join(", "))
}

/// A ferry with room for one car, with these effects of boarding and this end of world.lp.
fn ferry(parent: &Path, board: &str, world: &str) -> PathBuf {
    let folder = parent.join("ferry");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write(
        "domain.toml",
        "title = \"Ferry\"\nsummary = \"A ferry carries cars.\"\n[levels]\nN1 = { cars = [3, 4], ports = [3, 4] }\n\
         [types.car]\nid = \"c\"\ncount = \"cars\"\nnames = { prefix = \"Car\", from = 11, to = 99 }\n\
         [types.port]\nid = \"p\"\ncount = \"ports\"\nnames = { prefix = \"Port\", from = 11, to = 99 }\n",
    );
    write(
        "domain.lp",
        &format!(
            "fluent(at(C,P)) :- car(C), port(P).\nfluent(docked(P)) :- port(P).\nfluent(on(C)) :- car(C).\nfluent(empty).\n\
             action(board(C)) :- car(C).\naction(leave(C)) :- car(C).\naction(sail(P)) :- port(P).\n\
             executable(board(C),T) :- holds(at(C,P),T), holds(docked(P),T), holds(empty,T).\n\
             executable(leave(C),T) :- holds(on(C),T).\n\
             executable(sail(P),T) :- port(P), time(T), not holds(docked(P),T).\n\
             holds(on(C),T+1) :- occ(board(C),T).\nholds(neg(at(C,P)),T+1) :- occ(board(C),T), holds(at(C,P),T).\n{board}\n\
             holds(neg(on(C)),T+1) :- occ(leave(C),T).\nholds(at(C,P),T+1) :- occ(leave(C),T), holds(docked(P),T).\n\
             holds(empty,T+1) :- occ(leave(C),T).\n\
             holds(docked(P),T+1) :- occ(sail(P),T).\nholds(neg(docked(Q)),T+1) :- occ(sail(_),T), holds(docked(Q),T).\n"
        ),
    );
    write(
        "world.lp",
        &format!(
            "#program situation.\n:- car(C), #count {{ P : holds(at(C,P),0) }} != 1.\n:- holds(on(_),0).\n\
             :- not holds(empty,0).\n:- #count {{ P : holds(docked(P),0) }} != 1.\n{world}"
        ),
    );
    write("questions.lp", "");
    let is = ["is", "stands", "waits", "is parked"];
    let did = ["goes", "moves", "drives", "rolls"];
    let mut phrases = String::from("[objects]\n");
    for kind in ["car", "port"] {
        phrases += &four(
            kind,
            "",
            ["The", "All the", "These", "Here, the"],
            &format!(" {kind}s are: {{{{ list }}}}."),
        );
    }
    phrases += "[fluent.\"at(car, port)\"]\n";
    phrases += &four("each", "{{ car }} ", is, " at {{ port }}.");
    phrases += &four("ask", "Is it so that {{ car }} ", is, " at {{ port }}?");
    phrases += "[fluent.\"docked(port)\"]\n";
    phrases += &four("each", "the ferry ", ["is", "lies", "is moored", "is docked"], " at {{ port }}.");
    phrases +=
        &four("ask", "Is it so that the ferry ", ["is", "lies", "is moored", "is docked"], " at {{ port }}?");
    phrases += "[fluent.\"on(car)\"]\n";
    phrases += &four("each", "{{ car }} ", is, " on the ferry.");
    phrases += &four("ask", "Is it so that {{ car }} ", is, " on the ferry?");
    phrases += "[fluent.\"empty\"]\n";
    phrases += &four("each", "no car ", is, " aboard.");
    phrases += &four("ask", "Is it so that no car ", is, " aboard?");
    for (action, start, end) in [
        ("board(car)", "{{ car }} ", " onto the ferry"),
        ("leave(car)", "{{ car }} ", " off the ferry"),
        ("sail(port)", "the ferry ", " to {{ port }}"),
    ] {
        phrases += &format!("[action.\"{action}\"]\n");
        phrases += &four("did", start, did, &format!("{end}."));
        phrases += &four("if", start, did, end);
        phrases += &four("can", &format!("Can it be that {start}"), did, &format!("{end}?"));
    }
    phrases += "[rules]\nsentences = [[\"The ferry takes one car.\", \"One car has room.\", \"It has room for one car.\", \"There is room for one.\"]]\n";
    write("phrases.toml", &phrases);
    folder
}

fn package(folder: &Path) -> Package {
    Package::load(&folder.to_string_lossy()).unwrap_or_else(|faults| panic!("{faults}"))
}

const RIGHT: &str = "holds(neg(empty),T+1) :- occ(board(_),T).";
const STATED: &str = "#program invariant.\n:- holds(empty,0), holds(on(_),0).\n";

#[test]
fn a_wrong_effect_is_told() {
    let parent = tempfile::tempdir().unwrap();
    let report = check(&package(&ferry(parent.path(), "", "")), LIMIT).unwrap_or_else(|f| panic!("{f}"));
    let told = report.notes.join("\n");
    assert!(told.contains("`empty`") && told.contains("`on(_)`") && told.contains("both are so"), "{told}");
    assert!(told.contains("`board(c1)`") || told.contains("`board(c"), "{told}");
}

#[test]
fn right_effects_are_not_doubted() {
    let parent = tempfile::tempdir().unwrap();
    for world in ["", STATED] {
        let report =
            check(&package(&ferry(parent.path(), RIGHT, world)), LIMIT).unwrap_or_else(|f| panic!("{f}"));
        assert!(report.notes.iter().all(|note| !note.contains("initial situations, but not")), "{report}");
    }
}

#[test]
fn a_broken_invariant_is_a_fault_with_its_story() {
    let parent = tempfile::tempdir().unwrap();
    let faults = check(&package(&ferry(parent.path(), "", STATED)), LIMIT).unwrap_err();
    let told = faults.to_string();
    assert_eq!(faults.len(), 1, "{told}");
    assert!(faults[0].place.ends_with("world.lp:7"), "{told}");
    for part in
        ["`:- holds(empty,0), holds(on(_),0).`", "at level N1", "after `board(c", "empty, on(c", "domain.lp"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn a_story_of_each_level_is_shown() {
    let parent = tempfile::tempdir().unwrap();
    let report = check(&package(&ferry(parent.path(), RIGHT, "")), LIMIT).unwrap_or_else(|f| panic!("{f}"));
    for level in &report.levels {
        let sample = level.sample.as_ref().unwrap();
        assert!(sample.initial_state.contains("ferry") && !sample.actions.is_empty(), "{sample}");
        assert!(sample.questions.len() >= 4, "{sample}");
        assert!(
            sample.questions.iter().all(|(question, answer)| question.ends_with('?') && !answer.is_empty())
        );
    }
    let told = report.to_string();
    assert!(told.contains("A story of level N1, for the eye:") && told.contains("room"), "{told}");
}
