//! Promise: `racgen draw` and `racgen explore` write what they say, again the same, and refuse in sentences.

use std::fs;
use std::path::Path;
use std::process::Command;

use racgen::logic::clingo::{Program, Source};
use racgen::logic::term::Term;

/// The exit code, and what was printed and said.
pub fn racgen(arguments: &str, folder: &Path) -> (i32, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_racgen"))
        .args(arguments.split(' '))
        .current_dir(folder)
        .output()
        .unwrap();
    let said = [run.stdout, run.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    (run.status.code().unwrap(), said)
}

#[test]
fn situations_are_drawn_and_printed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (out, starts) in [("a.svg", "<svg".as_bytes()), ("a.png", b"\x89PNG\r\n"), ("b.png", b"\x89PNG\r\n")]
    {
        let (code, said) = racgen(&format!("draw dwr --level 2 --seed 3 --out {out}"), at);
        assert_eq!(code, 0, "{said}");
        assert!(fs::read(at.join(out)).unwrap().starts_with(starts), "{out}");
    }
    assert_eq!(fs::read(at.join("a.png")).unwrap(), fs::read(at.join("b.png")).unwrap());
    let (code, _) = racgen("draw dwr --level 2 --seed 3 --style 4 --size 300 --out c.png", at);
    assert_eq!(code, 0);
    let png = fs::read(at.join("c.png")).unwrap();
    let side = |from: usize| u32::from_be_bytes(png[from..from + 4].try_into().unwrap());
    assert_eq!((side(16), side(20)), (300, 300));
    for (arguments, sentence) in [
        ("draw dwr --out a.svg", "is there already"),
        ("draw dwr --out a.jpg", ".svg or .png"),
        ("draw dwr --out d.svg --level 9", "9"),
        ("draw nowhere --out d.svg", "no such domain"),
        ("draw dwr --level 5 --size 64 --out d.svg", "do not fit"),
        ("explore a.svg", "--out"),
    ] {
        let (code, said) = racgen(arguments, at);
        assert!(code != 0 && said.contains(sentence), "{arguments}: {said}");
    }
}

#[test]
fn what_is_printed_is_a_program_of_drawing_atoms() {
    let folder = tempfile::tempdir().unwrap();
    let (code, atoms) = racgen("draw logistics --level 3 --atoms", folder.path());
    assert_eq!(code, 0, "{atoms}");
    let program = Program { sources: vec![Source::new("atoms.lp", atoms)], ..Program::default() };
    let ground = program.ground_with_texts(&[("node", 1), ("attr", 4)]).unwrap();
    assert!(ground.named.len() > 30 && ground.named.iter().all(|(_, atom)| atom.is_none()));
    // For clingraph, names, badges and places are told by what Graphviz knows.
    for (domain, told) in [
        ("visitall", "stamp at"),
        ("logistics", "label,\"in\")."),
        ("driverlog", "label,\"footpath\")."),
        ("blocks", "label,\"on\")."),
    ] {
        let (code, facts) = racgen(&format!("draw {domain} --seed 3 --clingraph"), folder.path());
        assert!(code == 0 && facts.contains(told), "{domain}: {facts}");
        let program = Program { sources: vec![Source::new("facts.lp", facts)], ..Program::default() };
        let ground = program.ground_with_texts(&[("node", 1), ("edge", 1), ("attr", 4)]).unwrap();
        let nodes: Vec<_> = ground.named.iter().filter(|(fact, _)| fact.is("node", 1)).collect();
        for (fact, _) in &nodes {
            let is_label = |f: &&(_, _)| is_of(&f.0, &fact.args()[0]) && f.0.args()[2].is("label", 0);
            assert_eq!(ground.named.iter().filter(is_label).count(), 1, "{domain}: {fact}");
        }
        assert!(nodes.len() > 4, "{domain}");
    }
    let (code, state) = racgen("draw tic_tac_toe --moves 3 --clingraph", folder.path());
    assert!(code == 0 && state.contains("node("), "{state}");
    let (code, view) = racgen("draw ferry --view --made", folder.path());
    assert!(code == 0 && view.contains("node(X) :- port(X).") && view.contains("holds(moored("), "{view}");
}

/// Is this fact an attribute of a node?
fn is_of(fact: &Term, node: &Term) -> bool {
    fact.is("attr", 4) && fact.args()[0].is("node", 0) && fact.args()[1] == *node
}

#[test]
fn a_story_is_drawn_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert_eq!(racgen("-d dwr -l 1 --depth 2 -n 20 --seed 1 --format jsonl --out d -q", at).0, 0);
    for after in 0..=2 {
        assert_eq!(racgen(&format!("draw dwr --data d --row 3 --after {after} --out {after}.svg"), at).0, 0);
    }
    let read = |after: usize| fs::read_to_string(at.join(format!("{after}.svg"))).unwrap();
    assert!(read(0) != read(1) && read(1) != read(2));
    // An animated PNG says how many frames it has.
    for (command, frames) in [
        ("draw dwr --data d --row 3 --story 0 --out row.png", 3),
        ("draw blocks --story 4 --out story.png", 5),
    ] {
        let (code, said) = racgen(command, at);
        assert_eq!(code, 0, "{said}");
        let png = fs::read(at.join(command.rsplit(' ').next().unwrap())).unwrap();
        let at = png.windows(4).position(|name| name == b"acTL").unwrap();
        assert_eq!(u32::from_be_bytes(png[at + 4..at + 8].try_into().unwrap()), frames, "{command}");
    }
    assert_eq!(racgen("show d --row 2 --rows 3 --html three.html", at).0, 0);
    let page = fs::read_to_string(at.join("three.html")).unwrap();
    assert_eq!(page.matches("\"question\":").count(), 3);
    let (code, said) = racgen("draw dwr --data d --row 3 --after 3 --out 3.svg", at);
    assert!(code == 2 && said.contains("takes 0 to 2"), "{said}");
}

#[test]
fn a_view_with_faults_is_refused_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert_eq!(racgen("new lamps", at).0, 0);
    let wrong = |text: &str| {
        fs::write(at.join("lamps/view.lp"), text).unwrap();
        let (code, said) = racgen("check lamps", at);
        assert_ne!(code, 0, "{said}");
        said.replace(['\n', ' '], "")
    };
    let things = "node(X) :- lamp(X).\nnode(X) :- room(X).\nnode(X) :- switch(X).\n";
    let plain = |text: &str| text.replace(' ', "");
    for (text, cause) in [
        ("\nattr(node,X,colour,red) :- lamp(X).", "that are drawn"),
        ("\nnod(X) :- lamp(X).", "no drawing atom"),
        ("\nattr(node,X,in,nowhere) :- lamp(X).", "no node `nowhere`"),
    ] {
        let said = wrong(&format!("{things}{text}"));
        assert!(said.contains("view.lp:5") && said.contains(&plain(cause)), "{said}");
    }
    assert!(wrong(things).contains(&plain("look alike")));
    assert!(wrong("node(nobody).").contains(&plain("no drawing atom names")));
}
