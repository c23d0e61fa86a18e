//! A package is checked: every kind of fault is told with its file, line and remedy, and the packages racgen comes
//! with have none.

use std::path::{Path, PathBuf};
use std::time::Duration;

use racgen::check::survey::{check, check_quick};
use racgen::domain::catalogue::Catalogue;
use racgen::domain::listing::domains_table;
use racgen::domain::package::Package;
use racgen::domain::scaffold::write_new;
use racgen::factory::settings::Settings;
use racgen::factory::source::Factory;
use racgen::items::clock::Clock;
use racgen::items::source::GROUP_SIZE;
use racgen::logic::fault::{Fault, Faults};

const LIMIT: Duration = Duration::from_secs(60);

fn example(parent: &Path) -> PathBuf {
    write_new("lamps", parent).unwrap()
}

fn all(faults: &[Fault]) -> String {
    faults.iter().map(|f| format!("  {f}\n")).collect()
}

#[test]
fn built_in_packages_pass() {
    for found in Catalogue::find(&[]).unwrap().iter() {
        let start = std::time::Instant::now();
        let package = match found.load() {
            Ok(package) => package,
            Err(faults) => {
                eprintln!("{} does not load yet:\n{}", found.name, all(&faults));
                continue;
            }
        };
        let quick = check_quick(&package, LIMIT);
        let took = start.elapsed();
        let report = check(&package, LIMIT);
        eprintln!("{}: quick {took:?}, thorough {:?}", found.name, start.elapsed() - took);
        match report {
            Ok(report) => {
                eprint!("{report}");
                assert!(report.levels.iter().all(|level| level.worlds.met >= 20), "few worlds:\n{report}");
            }
            Err(faults) => panic!("{}:\n{}", found.name, all(&faults)),
        }
        assert!(quick.is_ok(), "{}:\n{}", found.name, all(&quick.unwrap_err()));
    }
}

#[test]
fn the_scaffold_passes_and_makes_data() {
    let parent = tempfile::tempdir().unwrap();
    let folder = example(parent.path());
    let package = Package::load(&folder.to_string_lossy()).unwrap_or_else(|f| panic!("{}", all(&f)));
    check_quick(&package, LIMIT).unwrap_or_else(|f| panic!("{}", all(&f)));
    let report = check(&package, LIMIT).unwrap_or_else(|f| panic!("{}", all(&f)));
    eprint!("{report}");
    assert!(report.notes.is_empty(), "{report}");

    let settings = Settings { items: 60, depths: vec![2], levels: vec![2], ..Settings::default() };
    let factory = Factory::new(package, settings, LIMIT);
    let mut rows = Vec::new();
    for split in 0..3 {
        for (stream, count) in factory.streams(split) {
            for group in 0..count.div_ceil(GROUP_SIZE) {
                rows.extend(
                    factory.group(stream, group, count, &Clock::default()).unwrap_or_else(|e| panic!("{e}")),
                );
            }
        }
    }
    assert_eq!(rows.len(), 60);
    let templates: std::collections::BTreeSet<&str> =
        rows.iter().map(|r| r.row.template.split('.').next().unwrap_or_default()).collect();
    assert!(templates.len() > 8, "{templates:?}");
}

/// What is done to the example, and what must be said about it.
struct Break {
    what: &'static str,
    file: &'static str,
    /// A text of the file and what it is replaced with; an empty text stands for the whole file.
    replace: (&'static str, &'static str),
    /// The file that is blamed, and a text of its line (of the broken file); none where no line is to blame.
    blamed: (&'static str, Option<&'static str>),
    /// Words of the message.
    says: &'static [&'static str],
}

const BREAKS: &[Break] = &[
    // domain.toml
    Break {
        what: "bad TOML",
        file: "domain.toml",
        replace: ("id = \"p\"", "id = p\""),
        blamed: ("domain.toml", Some("id = p\"")),
        says: &["README"],
    },
    Break {
        what: "unknown mechanism",
        file: "domain.toml",
        replace: ("title =", "mechanisms = [\"magic\"]\ntitle ="),
        blamed: ("domain.toml", Some("magic")),
        says: &["`magic` is no mechanism", "stack, containment, graph, ramification, numbers, constraints"],
    },
    Break {
        what: "mechanism twice",
        file: "domain.toml",
        replace: ("title =", "mechanisms = [\"graph\",\n  \"stack\",\n  \"graph\" ]\ntitle ="),
        blamed: ("domain.toml", Some("\"graph\" ]")),
        says: &["`graph` stands here twice"],
    },
    Break {
        what: "unknown key",
        file: "domain.toml",
        replace: ("title =", "titel ="),
        blamed: ("domain.toml", Some("titel =")),
        says: &["unknown field `titel`"],
    },
    Break {
        what: "missing file",
        file: "world.lp",
        replace: ("", "DELETE"),
        blamed: ("", None),
        says: &["no `world.lp`", "add the file"],
    },
    Break {
        what: "level without count",
        file: "domain.toml",
        replace: ("N3 = { rooms = 3, ", "N3 = { "),
        blamed: ("domain.toml", Some("N3 =")),
        says: &["level N3 lacks `rooms`"],
    },
    Break {
        what: "level without a parameter of the others",
        file: "domain.toml",
        replace: ("N2 = {", "N2 = { spare = 2,"),
        blamed: ("domain.toml", Some("N1 =")),
        says: &["level N1 lacks the parameter `spare`"],
    },
    Break {
        what: "range reversed",
        file: "domain.toml",
        replace: ("[5, 8]", "[8, 5]"),
        blamed: ("domain.toml", Some("N3 =")),
        says: &["`lamps` is no number and no range", "lower number first"],
    },
    Break {
        what: "no level",
        file: "domain.toml",
        replace: ("N5 =", "N6 ="),
        blamed: ("domain.toml", Some("N6 =")),
        says: &["`N6` is no level"],
    },
    Break {
        what: "parameter with a meaning of its own",
        file: "domain.toml",
        replace: ("N1 = {", "N1 = { n = 2,"),
        blamed: ("domain.toml", Some("N1 =")),
        says: &["`n` cannot be a parameter"],
    },
    Break {
        what: "name part of another",
        file: "domain.toml",
        replace: ("\"auburn\"", "\"amberly\""),
        blamed: ("domain.toml", Some("[types.lamp]")),
        says: &["`amber` is a part of `amberly`", "replace"],
    },
    Break {
        what: "no names",
        file: "domain.toml",
        replace: ("to = 99", "to = 10"),
        blamed: ("domain.toml", Some("[types.switch]")),
        says: &["`switch` has no names", "as many as there may be objects"],
    },
    Break {
        what: "comma in a name",
        file: "domain.toml",
        replace: ("\"attic\"", "\"attic, upper\""),
        blamed: ("domain.toml", Some("[types.room]")),
        says: &["`attic, upper` cannot be a name", "comma"],
    },
    Break {
        what: "two types with the same letters",
        file: "domain.toml",
        replace: ("id = \"s\"", "id = \"p\""),
        blamed: ("domain.toml", Some("[types.switch]")),
        says: &["share the letters `p`"],
    },
    Break {
        what: "more objects than names",
        file: "domain.toml",
        replace: ("switches = [6, 8]", "switches = [6, 100]"),
        blamed: ("domain.toml", Some("N5 =")),
        says: &["more objects of type `switch` than there are names"],
    },
    Break {
        what: "static relation that nothing derives",
        file: "domain.toml",
        replace: ("\"wired/2\"]", "\"wired/2\", \"linked/2\"]"),
        blamed: ("domain.toml", Some("statics =")),
        says: &["`linked/2` is derived by no rule"],
    },
    Break {
        what: "static relation that is no predicate",
        file: "domain.toml",
        replace: ("\"wired/2\"]", "\"wired\"]"),
        blamed: ("domain.toml", Some("statics =")),
        says: &["`wired` is no predicate", "name/arity"],
    },
    // phrases.toml
    Break {
        what: "pattern with unknown type",
        file: "phrases.toml",
        replace: ("[fluent.\"lit(lamp)\"]", "[fluent.\"lit(lantern)\"]"),
        blamed: ("phrases.toml", Some("lit(lantern)")),
        says: &["`lantern` is neither a type nor a constant"],
    },
    Break {
        what: "a list of numbers",
        file: "phrases.toml",
        replace: ("[fluent.\"lit(lamp)\"]", "[fluent.\"lit(lamp: number)\"]"),
        blamed: ("phrases.toml", Some("all = [")),
        says: &["`all` lists what fills the slot `lamp`, but numbers are not listed", "`each`"],
    },
    Break {
        what: "unknown slot",
        file: "phrases.toml",
        replace: ("Is the {{ lamp }} lamp lit?", "Is the {{ lantern }} lamp lit?"),
        blamed: ("phrases.toml", Some("Is the {{ lantern }} lamp lit?")),
        says: &["the slots here are `lamp`"],
    },
    Break {
        what: "slot without its type",
        file: "phrases.toml",
        replace: ("[fluent.\"lit(lamp)\"]", "[fluent.\"lit(from)\"]"),
        blamed: ("phrases.toml", Some("lit(from)")),
        says: &["`from: TYPE`, one of", "lamp"],
    },
    Break {
        what: "slot called by a word of the template language",
        file: "phrases.toml",
        replace: ("[fluent.\"lit(lamp)\"]", "[fluent.\"lit(not: lamp)\"]"),
        blamed: ("phrases.toml", Some("lit(not: lamp)")),
        says: &["no slot can be called `not`"],
    },
    Break {
        what: "slot left out",
        file: "phrases.toml",
        replace: ("Is the {{ lamp }} lamp lit?", "Is the lamp lit?"),
        blamed: ("phrases.toml", Some("Is the lamp lit?")),
        says: &["uses the slot `lamp` 0 times"],
    },
    Break {
        what: "fewer than four phrasings",
        file: "phrases.toml",
        replace: ("  \"Is every room bright?\",\n", ""),
        blamed: ("phrases.toml", Some("LINE AFTER [question.\"all_bright\"]")),
        says: &["3 phrasings", "at least 4"],
    },
    Break {
        what: "question that starts with a slot",
        file: "phrases.toml",
        replace: ("Is the {{ lamp }} lamp lit?", "{{ lamp }}: is it lit?"),
        blamed: ("phrases.toml", Some("{{ lamp }}: is it lit?")),
        says: &["does not start with a word"],
    },
    Break {
        what: "Tera syntax error",
        file: "phrases.toml",
        replace: ("Is the {{ lamp }} lamp lit?", "Is the {{ lamp } lamp lit?"),
        blamed: ("phrases.toml", Some("Is the {{ lamp } lamp lit?")),
        says: &["correct the template"],
    },
    Break {
        what: "action without clause",
        file: "phrases.toml",
        replace: ("if = [\n  \"{{ person }} presses", "iff = [\n  \"{{ person }} presses"),
        blamed: ("phrases.toml", Some("iff = [")),
        says: &["unknown key `iff`"],
    },
    Break {
        what: "question whose entry has another name",
        file: "phrases.toml",
        replace: ("[question.\"dark_rooms\"]", "[question.\"dusky_rooms\"]"),
        blamed: ("questions.lp", Some("ask(dark_rooms,count).")),
        says: &["`dark_rooms` has no phrasing", "[question.\"dark_rooms\"]"],
    },
    Break {
        what: "entry for a fluent that does not exist",
        file: "phrases.toml",
        replace: (
            "[question.\"all_bright\"]",
            "[fluent.\"broken(lamp)\"]\ntold = false\n\n[question.\"all_bright\"]",
        ),
        blamed: ("phrases.toml", Some("broken(lamp)")),
        says: &["unknown fluent", "`broken` matches no fluent"],
    },
    Break {
        what: "fact without phrasing",
        file: "phrases.toml",
        replace: ("[fact.\"wired(switch, lamp)\"]", "[fact.\"linked(switch, lamp)\"]"),
        blamed: ("world.lp", Some("1 { wired(S,L)")),
        says: &["`wired(switch, lamp)` has no phrasing", "[fact.\"wired(switch, lamp)\"]"],
    },
    Break {
        what: "rules.tera error",
        file: "rules.tera",
        replace: ("", "All is well.\n{% if objects %}\nWell, well.\n{% endfor %}\n"),
        blamed: ("rules.tera", Some("{% endfor %}")),
        says: &["correct the template"],
    },
    Break {
        what: "rules.tera that fails on a world",
        file: "rules.tera",
        replace: ("", "All is well.\n{{ objekts.lamp }}\n"),
        blamed: ("rules.tera", Some("{{ objekts.lamp }}")),
        says: &["objekts"],
    },
    // logic programs
    Break {
        what: "unsafe rule in domain.lp",
        file: "domain.lp",
        replace: ("fluent(lit(L))   :- lamp(L).", "fluent(lit(L))   :- lamp(M)."),
        blamed: ("domain.lp", Some("fluent(lit(L))   :- lamp(M).")),
        says: &["unsafe rule `fluent(lit(L)):-lamp(M)`", "what `L` may be", "positive literal"],
    },
    Break {
        what: "syntax error in questions.lp",
        file: "questions.lp",
        replace: ("member(lit_in(R),L)   :- hangs(L,R)", "member(lit_in(R),L)   :- hangs(L,R"),
        blamed: ("questions.lp", Some("member(lit_in(R),L)   :- hangs(L,R")),
        says: &["syntax error", "full stop"],
    },
    Break {
        what: "syntax error in world.lp",
        file: "world.lp",
        replace: ("1 { hangs(L,R) : room(R) } 1", "1 { hangs(L,R) : room(R) 1"),
        blamed: ("world.lp", Some("1 { hangs(L,R) : room(R) 1")),
        says: &["syntax error"],
    },
    Break {
        what: "no full stop at the end of a file",
        file: "questions.lp",
        replace: (
            "trivial(darkened(S))   :- switch(S), not lights(S).\n",
            "trivial(darkened(S)) :- switch(S)",
        ),
        blamed: ("questions.lp", Some("trivial(darkened(S)) :- switch(S)")),
        says: &["syntax error", "full stop"],
    },
    Break {
        what: "undefined predicate in the layout of world.lp",
        file: "world.lp",
        replace: (":- room(R), not hangs(_,R).", ":- roam(R), not hangs(_,R)."),
        blamed: ("world.lp", Some(":- roam(R)")),
        says: &["unknown predicate", "`roam(R)`", "#defined"],
    },
    Break {
        what: "undefined predicate in the situations of world.lp",
        file: "world.lp",
        replace: (":- holds(taped(S),0) : switch(S).", ":- holds(taped(S),0) : swich(S)."),
        blamed: ("world.lp", Some("swich(S)")),
        says: &["unknown predicate", "`swich(S)`"],
    },
    Break {
        what: "undefined predicate in domain.lp",
        file: "domain.lp",
        replace: ("holds(bright(R),T) :- hangs(L,R)", "holds(bright(R),T) :- hang(L,R)"),
        blamed: ("domain.lp", Some("hang(L,R)")),
        says: &["unknown predicate", "`hang(L,R)`"],
    },
    Break {
        what: "undefined predicate in questions.lp",
        file: "questions.lp",
        replace: ("member(lit_in(R),L)   :- hangs(L,R)", "member(lit_in(R),L)   :- hung(L,R)"),
        blamed: ("questions.lp", Some("hung(L,R)")),
        says: &["unknown predicate", "`hung(L,R)`"],
    },
    Break {
        what: "unknown kind of question",
        file: "questions.lp",
        replace: ("ask(dark_rooms,count).", "ask(dark_rooms,number)."),
        blamed: ("questions.lp", Some("ask(dark_rooms,number).")),
        says: &["the kinds are verify, count and other"],
    },
    Break {
        what: "fluent without phrasing",
        file: "domain.lp",
        replace: (
            "fluent(taped(S)) :- switch(S).",
            "fluent(taped(S)) :- switch(S).\nfluent(broken(L)) :- lamp(L).",
        ),
        blamed: ("domain.lp", Some("fluent(broken(L))")),
        says: &["the fluent `broken(lamp)` has no phrasing", "[fluent.\"broken(lamp)\"]"],
    },
    Break {
        what: "action without phrasing",
        file: "domain.lp",
        replace: (
            "action(press(S)) :- switch(S).",
            "action(press(S)) :- switch(S).\naction(swap(L,M)) :- lamp(L), lamp(M).",
        ),
        blamed: ("domain.lp", Some("action(swap(L,M))")),
        says: &["the action `swap(first: lamp, second: lamp)` has no phrasing"],
    },
    Break {
        what: "question without phrasing",
        file: "questions.lp",
        replace: ("ask(dark_rooms,count).", "ask(dark_rooms,count).\nask(dusky(R),verify) :- room(R)."),
        blamed: ("questions.lp", Some("ask(dusky(R),verify)")),
        says: &["`dusky(room)` has no phrasing", "[question.\"dusky(room)\"]"],
    },
    Break {
        what: "question without answer rule",
        file: "questions.lp",
        replace: ("member(dark_rooms,R) :- room(R), not now(bright(R)).", ""),
        blamed: ("questions.lp", Some("ask(dark_rooms,count).")),
        says: &["`dark_rooms` has no answer rule", "member(dark_rooms,X)"],
    },
    Break {
        what: "ambiguous count",
        file: "questions.lp",
        replace: (
            "member(dark_rooms,R) :- room(R), not now(bright(R)).",
            "number(dark_rooms).\nanswer(dark_rooms,(0;N)) :- N = #count { R : now(bright(R)) }.",
        ),
        blamed: ("questions.lp", Some("answer(dark_rooms,(0;N))")),
        says: &["ambiguous", "`dark_rooms`", "one number"],
    },
    Break {
        what: "yes and no",
        file: "questions.lp",
        replace: ("ask(all_bright,verify).", "ask(all_bright,verify).\nanswer(all_bright,(yes;no))."),
        blamed: ("questions.lp", Some("answer(all_bright,(yes;no)).")),
        says: &["ambiguous", "`all_bright`", "yes or no"],
    },
    Break {
        what: "answer of the wrong kind",
        file: "questions.lp",
        replace: ("answer(switchable(L),yes)", "answer(switchable(L),maybe)"),
        blamed: ("questions.lp", Some("answer(switchable(L),maybe)")),
        says: &["`switchable(lamp)`", "`maybe`", "yes or no"],
    },
    Break {
        what: "answer without a name",
        file: "questions.lp",
        replace: (
            "member(lit_in(R),L)   :- hangs(L,R), now(lit(L)).",
            "member(lit_in(R),something) :- hangs(L,R), now(lit(L)).",
        ),
        blamed: ("questions.lp", Some("member(lit_in(R),something)")),
        says: &["`something`", "[constants]"],
    },
    Break {
        what: "contradictory layouts",
        file: "world.lp",
        replace: (":- room(R), not hangs(_,R).", ":- room(R), hangs(_,R)."),
        blamed: ("world.lp", Some("#program layout.")),
        says: &["level N1 has no layout with lamps = 3"],
    },
    Break {
        what: "contradictory situations",
        file: "world.lp",
        replace: (
            ":- holds(taped(S),0) : switch(S).",
            ":- switch(S), holds(taped(S),0). :- switch(S), not holds(taped(S),0).",
        ),
        blamed: ("world.lp", Some("#program situation.")),
        says: &["level N1 has no initial situation with"],
    },
    Break {
        what: "nondeterministic effect",
        file: "domain.lp",
        replace: (
            "holds(taped(S),T+1)      :- occ(tape(S),T).",
            "1 { holds(taped(S),T+1) ; holds(neg(taped(S)),T+1) } 1 :- occ(tape(S),T).",
        ),
        blamed: ("domain.lp", Some("1 { holds(taped(S),T+1)")),
        says: &["`tape(s", "several outcomes", "exactly one successor"],
    },
    Break {
        what: "contradictory effect",
        file: "domain.lp",
        replace: (
            "holds(taped(S),T+1)      :- occ(tape(S),T).",
            "holds((taped(S);neg(taped(S))),T+1) :- occ(tape(S),T).",
        ),
        blamed: ("domain.lp", Some("executable(tape(S),T)")),
        says: &["`tape(switch)`", "no successor"],
    },
    Break {
        what: "action that is never executable",
        file: "domain.lp",
        replace: ("executable(free(S),T)  :- switch(S), time(T), holds(taped(S),T).", ""),
        blamed: ("domain.lp", Some("action(free(S))")),
        says: &["no rule ever makes the action `free` executable"],
    },
    Break {
        what: "defined fluent without law",
        file: "domain.lp",
        replace: ("holds(bright(R),T) :- hangs(L,R), holds(lit(L),T).", ""),
        blamed: ("domain.lp", Some("defined(bright(R))")),
        says: &["no rule ever makes the fluent `bright` true"],
    },
    // What a user meant, and clingo took for something else.
    Break {
        what: "head that names no fluent",
        file: "domain.lp",
        replace: ("holds(taped(S),T+1)      :- occ(tape(S),T).", "hold(taped(S),T+1) :- occ(tape(S),T)."),
        blamed: ("domain.lp", Some("hold(taped(S),T+1)")),
        says: &["`hold/2` is derived, and nothing reads it", "is `holds` meant?"],
    },
    Break {
        what: "effect on no fluent",
        file: "domain.lp",
        replace: ("holds(taped(S),T+1)      :- occ(tape(S),T).", "holds(tapd(S),T+1) :- occ(tape(S),T)."),
        blamed: ("domain.lp", Some("holds(tapd(S),T+1)")),
        says: &["`tapd(S)` is no fluent at any level", "is `taped` meant?"],
    },
    Break {
        what: "occurrence of an unknown action",
        file: "domain.lp",
        replace: ("holds(taped(S),T+1)      :- occ(tape(S),T).", "holds(taped(S),T+1) :- occ(seal(S),T)."),
        blamed: ("domain.lp", Some("occ(seal(S),T)")),
        says: &["`seal(S)` is no action at any level", "press/1"],
    },
    Break {
        what: "question about no fluent",
        file: "questions.lp",
        replace: ("not now(bright(R)).", "not now(brihgt(R))."),
        blamed: ("questions.lp", Some("brihgt(R)")),
        says: &["`brihgt(R)` is no fluent", "is `bright` meant?"],
    },
    Break {
        what: "helper of another arity",
        file: "questions.lp",
        replace: (
            "ask(dark_rooms,count).",
            "ask(dark_rooms,count).\nlights(S,L) :- wired(S,L), now(lit(L)).",
        ),
        blamed: ("questions.lp", Some("lights(S,L) :-")),
        says: &["`lights/2` is derived, and nothing reads it", "lights/1"],
    },
    Break {
        what: "unknown part of world.lp",
        file: "world.lp",
        replace: ("#program situation.", "#program situations."),
        blamed: ("world.lp", Some("#program situations.")),
        says: &["`situations` is an unknown part", "layout, situation, invariant"],
    },
    Break {
        what: "part of domain.lp",
        file: "domain.lp",
        replace: ("fluent(taped(S)) :- switch(S).", "fluent(taped(S)) :- switch(S).\n#program layout."),
        blamed: ("domain.lp", Some("#program layout.")),
        says: &["`layout` is an unknown part", "world.lp only"],
    },
    Break {
        what: "sentence without full stop",
        file: "phrases.toml",
        replace: ("\"the {{ lamp }} lamp is lit.\"", "\"the {{ lamp }} lamp is lit\""),
        blamed: ("phrases.toml", Some("\"the {{ lamp }} lamp is lit\"")),
        says: &["no full stop"],
    },
    Break {
        what: "question without question mark",
        file: "phrases.toml",
        replace: ("Is the {{ lamp }} lamp lit?", "Is the {{ lamp }} lamp lit."),
        blamed: ("phrases.toml", Some("Is the {{ lamp }} lamp lit.")),
        says: &["no question mark"],
    },
    Break {
        what: "clause with a stop",
        file: "phrases.toml",
        replace: (
            "\"someone presses switch {{ switch }}\"",
            "\"The switch {{ switch }} is pressed by someone.\"",
        ),
        blamed: ("phrases.toml", Some("\"The switch {{ switch }} is pressed by someone.\"")),
        says: &["the clause ends with a stop", "\"If\""],
    },
    Break {
        what: "clause with a capital",
        file: "phrases.toml",
        replace: (
            "\"someone presses switch {{ switch }}\"",
            "\"The switch {{ switch }} is pressed by someone\"",
        ),
        blamed: ("phrases.toml", Some("\"The switch {{ switch }} is pressed by someone\"")),
        says: &["starts with a capital"],
    },
    Break {
        what: "invariant that an action breaks",
        file: "world.lp",
        replace: (
            ":- hangs(L,R), holds(lit(L),0), not holds(bright(R),0).",
            ":- holds(taped(S),0) : switch(S); lamp(_).",
        ),
        blamed: ("world.lp", Some(":- holds(taped(S),0) : switch(S); lamp(_).")),
        says: &[
            "the invariant `:- holds(taped(S),0) : switch(S); lamp(_).`",
            "after `tape(s",
            "taped(s1)",
            "before it",
        ],
    },
    Break {
        what: "invariant that an initial situation breaks",
        file: "world.lp",
        replace: (
            ":- hangs(L,R), holds(lit(L),0), not holds(bright(R),0).",
            "some_lit :- holds(lit(_),0).\n:- not some_lit.\n:- some_lit.",
        ),
        blamed: ("world.lp", Some(":- some_lit.")),
        says: &["the invariant `:- some_lit.`", "in an initial situation", "`situation`"],
    },
    Break {
        what: "name that starts with a sign",
        file: "domain.toml",
        replace: ("\"attic\"", "\"<attic>\""),
        blamed: ("domain.toml", Some("[types.room]")),
        says: &["`<attic>` cannot be a name", "letter or a digit"],
    },
    Break {
        what: "name like a slot",
        file: "domain.toml",
        replace: ("\"attic\"", "\"{{ room }}\""),
        blamed: ("domain.toml", Some("[types.room]")),
        says: &["`{{ room }}` cannot be a name", "letter or a digit"],
    },
    // What a program may not have.
    Break {
        what: "file included",
        file: "domain.lp",
        replace: (
            "fluent(taped(S)) :- switch(S).",
            "fluent(taped(S)) :- switch(S).\n#include \"/etc/passwd\".",
        ),
        blamed: ("domain.lp", Some("#include")),
        says: &["`#include` is not supported", "nothing outside is read", "write the rules"],
    },
    Break {
        what: "script",
        file: "world.lp",
        replace: ("#program layout.", "#script (python)\ndef f(): return 1\n#end.\n#program layout."),
        blamed: ("world.lp", Some("#script")),
        says: &["`#script` is not supported", "write the rules"],
    },
    Break {
        what: "call of a script",
        file: "questions.lp",
        replace: ("ask(dark_rooms,count).", "ask(dark_rooms,@kind())."),
        blamed: ("questions.lp", Some("@kind()")),
        says: &["scripts are not supported"],
    },
    Break {
        what: "phrasing that denies another",
        file: "phrases.toml",
        replace: ("the {{ lamp }} lamp is switched on.", "the {{ lamp }} lamp isn't on."),
        blamed: ("phrases.toml", Some("each = [\n  \"the {{ lamp }} lamp is on.")),
        says: &["{{ lamp }} lamp is on.", "isn't on", "one denies the other"],
    },
    Break {
        what: "question that denies another",
        file: "phrases.toml",
        replace: ("Is there light in the {{ room }}?", "Is the {{ room }} not bright?"),
        blamed: ("phrases.toml", Some("ask = [\n  \"Is the {{ room }} bright?")),
        says: &["one denies the other", "strike one"],
    },
    Break {
        what: "absence that denies nothing",
        file: "phrases.toml",
        replace: ("No lamp is on.", "Some lamp is on."),
        blamed: ("phrases.toml", Some("none = [\n  \"Some lamp is on.")),
        says: &["no `lit` is true", "let `none` deny it"],
    },
];

/// The line of the first place of a text, counted from 1.
fn line(text: &str, part: &str) -> usize {
    let (part, below) = part.strip_prefix("LINE AFTER ").map_or((part, 0), |part| (part, 1));
    let at = text.find(part).unwrap_or_else(|| panic!("no `{part}`"));
    text[..at].matches('\n').count() + 1 + below
}

/// Breaks the example; the faults then found, and the files.
fn broken(folder: &Path, case: &Break) -> Faults {
    let path = folder.join(case.file);
    match case.replace {
        ("", "DELETE") => std::fs::remove_file(&path).unwrap(),
        ("", text) => std::fs::write(&path, text).unwrap(),
        (old, new) => {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains(old), "{}: no `{old}` in {}", case.what, case.file);
            std::fs::write(&path, text.replacen(old, new, 1)).unwrap();
        }
    }
    match Package::load(&folder.to_string_lossy()) {
        Err(faults) => faults,
        Ok(package) => check(&package, LIMIT).err().unwrap_or_default(),
    }
}

/// Two fluents that are told as each other's denial must not be true at once.
#[test]
fn fluents_that_deny_each_other_are_not_told_together() {
    let parent = tempfile::tempdir().unwrap();
    for (law, faulty) in [("not holds(taped(S),T)", false), ("switch(S)", true)] {
        let folder = example(&tempfile::tempdir_in(parent.path()).unwrap().keep());
        let add = |file: &str, text: &str| {
            let path = folder.join(file);
            std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + text).unwrap();
        };
        add(
            "domain.lp",
            &format!("\ndefined(bare(S)) :- switch(S).\nholds(bare(S),T) :- switch(S), time(T), {law}.\n"),
        );
        add(
            "phrases.toml",
            "\n[fluent.\"bare(switch)\"]\ntold = false\neach = [\"no tape covers switch {{ switch }}.\", \
             \"switch {{ switch }} is bare.\", \"switch {{ switch }} is uncovered.\", \"switch {{ switch }} can be seen.\"]\n\
             ask = [\"Is switch {{ switch }} bare?\", \"Is switch {{ switch }} uncovered?\", \"Can switch {{ switch }} be seen?\", \
             \"Is it true that switch {{ switch }} is bare?\"]\n",
        );
        let package = Package::load(&folder.to_string_lossy()).unwrap_or_else(|f| panic!("{}", all(&f)));
        let faults = check(&package, LIMIT).err().unwrap_or_default();
        let told = faults.iter().any(|f| f.cause.contains("denies") && f.cause.contains("`bare(s"));
        assert_eq!((told, faults.is_empty()), (faulty, !faulty), "{}", all(&faults));
    }
}

#[test]
fn lists_that_would_read_badly_are_noted() {
    let parent = tempfile::tempdir().unwrap();
    let folder = example(parent.path());
    let path = folder.join("phrases.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.replace("The lamps are: {{ list }}.", "The lamps are {{ list }}.");
    let text = text.replace("The {{ room }} has these lamps: {{ lamp }}.", "The {{ room }} has {{ lamp }}.");
    std::fs::write(&path, text.replace("All the lamps are off.", "The lamps are dark.")).unwrap();
    let report = check(&Package::load(&folder.to_string_lossy()).unwrap(), LIMIT).unwrap();
    let notes = report.notes.join("\n");
    assert_eq!(notes.matches("puts a list into a sentence").count(), 2, "{notes}");
    assert!(notes.contains("phrases.toml:8: \"The lamps are {{ list }}.\""), "{notes}");
    assert!(notes.contains("\"The {{ room }} has {{ lamp }}.\""), "{notes}");
    assert!(notes.contains("\"The lamps are dark.\" is said where no `lit` is true"), "{notes}");
}

#[test]
fn a_quick_check_sees_what_the_phrase_book_lacks() {
    let parent = tempfile::tempdir().unwrap();
    for what in ["fluent without phrasing", "question without phrasing", "question without answer rule"] {
        let case = BREAKS.iter().find(|case| case.what == what).unwrap();
        let folder = example(&tempfile::tempdir_in(parent.path()).unwrap().keep());
        broken(&folder, case);
        let package = Package::load(&folder.to_string_lossy()).unwrap();
        let faults = check_quick(&package, LIMIT).unwrap_err();
        assert!(case.says.iter().all(|word| all(&faults).contains(word)), "{what}: {}", all(&faults));
    }
}

#[test]
fn packages_with_faults_are_listed_with_the_first() {
    let parent = tempfile::tempdir().unwrap();
    let folder = example(parent.path());
    let case = BREAKS.iter().find(|case| case.what == "range reversed").unwrap();
    broken(&folder, case);
    let table = domains_table(&Catalogue::find(&[parent.path().to_owned()]).unwrap()).to_string();
    let line = table.lines().find(|line| line.starts_with("lamps ")).unwrap();
    assert!(line.contains("FAULTY") && line.contains("domain.toml:19") && line.contains("1 more"), "{table}");
    assert!(table.lines().any(|line| line.starts_with("blocks ")), "{table}");
}

#[test]
fn every_kind_of_fault_is_told() {
    let parent = tempfile::tempdir().unwrap();
    let mut missed = String::new();
    for (number, case) in BREAKS.iter().enumerate() {
        let folder = example(&tempfile::tempdir_in(parent.path()).unwrap().keep());
        let faults = broken(&folder, case);
        eprintln!("{number} {}\n{}", case.what, all(&faults).replace(&format!("{}/", folder.display()), ""));
        let place = match case.blamed {
            ("", _) => folder.display().to_string(),
            (file, None) => folder.join(file).display().to_string(),
            (file, Some(part)) => {
                let path = folder.join(file);
                let text = std::fs::read_to_string(&path).unwrap();
                format!("{}:{}", path.display(), line(&text, part))
            }
        };
        // A column may follow.
        let there = |f: &&Fault| f.place == place || f.place.starts_with(&format!("{place}:"));
        let told = faults.iter().filter(there).any(|f| {
            let text = f.to_string();
            !f.remedy.is_empty() && case.says.iter().all(|word| text.contains(word))
        });
        if !told {
            missed += &format!("{}: expected {:?} at {place}, got\n{}", case.what, case.says, all(&faults));
        }
    }
    assert!(missed.is_empty(), "{missed}");
}
