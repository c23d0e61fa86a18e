//! Promise: a package may be as small as its worlds: as many names as objects, no questions.lp, words that agree with
//! numbers, slots that stand in a sentence twice; and its texts are read back.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

const FILES: [(&str, &str); 4] = [
    (
        "domain.toml",
        r#"title = "Jugs"
summary = "Water is poured into two jugs and out of them, litre by litre."
[levels]
N1 = { jugs = 2, size = 7 }
[types.jug]
id = "j"
count = "jugs"
names = ["Amphora", "Basin"]
"#,
    ),
    (
        "domain.lp",
        "fluent(level(J,0..size)) :- jug(J).
action((fill(J);drain(J))) :- jug(J).
executable(fill(J),T)  :- jug(J), time(T), holds(level(J,A),T), A < size.
executable(drain(J),T) :- jug(J), time(T), holds(level(J,A),T), A > 0.
holds(level(J,A+1),T+1) :- occ(fill(J),T), holds(level(J,A),T), A < size.
holds(level(J,A-1),T+1) :- occ(drain(J),T), holds(level(J,A),T), A > 0.
holds(neg(level(J,A)),T+1) :- occ((fill(J);drain(J)),T), holds(level(J,A),T).
",
    ),
    ("world.lp", "#program situation.\n:- jug(J), #count { A : holds(level(J,A),0) } != 1.\n"),
    (
        "phrases.toml",
        r#"[objects]
jug = ["The jugs are {{ list }}.", "These are the jugs: {{ list }}.", "There are these jugs: {{ list }}.",
  "The jugs are called {{ list }}."]

[fluent."level(jug, amount: number)"]
each = ['jug {{ jug }} holds {{ amount }} {{ amount | plural("litre", "litres") }}.',
  'there {{ amount | plural("is", "are") }} {{ amount }} {{ amount | plural("litre", "litres") }} in jug {{ jug }}.',
  'jug {{ jug }} has {{ amount }} {{ amount | plural("litre", "litres") }} in it.',
  'in jug {{ jug }} there {{ amount | plural("is", "are") }} {{ amount }} {{ amount | plural("litre", "litres") }}, and no more is in jug {{ jug }}.']
ask = ['Does jug {{ jug }} hold {{ amount }} {{ amount | plural("litre", "litres") }}?',
  'Is it so that jug {{ jug }} has {{ amount }} {{ amount | plural("litre", "litres") }} in it?',
  'Is there just this much in jug {{ jug }}: {{ amount }} {{ amount | plural("litre", "litres") }}?',
  'Is the content of jug {{ jug }} {{ amount }} {{ amount | plural("litre", "litres") }}, and not more than {{ amount }}?']
which.jug = ['Which jugs hold {{ amount }} {{ amount | plural("litre", "litres") }}?',
  'In which jugs {{ amount | plural("is", "are") }} there {{ amount }} {{ amount | plural("litre", "litres") }}?',
  'What are the jugs with {{ amount }} {{ amount | plural("litre", "litres") }} in them?',
  'Which of the jugs have {{ amount }} {{ amount | plural("litre", "litres") }} in them?']

[action."fill(jug)"]
did = ["{{ person }} pours a litre into jug {{ jug }}.", "A litre is poured into jug {{ jug }}.",
  "{{ person }} puts another litre into jug {{ jug }}.", "Jug {{ jug }} gets a litre more."]
can = ["Can a litre be poured into jug {{ jug }}?", "Can {{ person }} pour a litre into jug {{ jug }}?",
  "Is it possible to pour a litre into jug {{ jug }}?", "Can jug {{ jug }} take a litre more?"]
if = ["{{ person }} pours a litre into jug {{ jug }}", "a litre is poured into jug {{ jug }}",
  "{{ person }} puts another litre into jug {{ jug }}", "jug {{ jug }} gets a litre more"]

[action."drain(jug)"]
did = ["{{ person }} pours a litre out of jug {{ jug }}.", "A litre is poured out of jug {{ jug }}.",
  "{{ person }} takes a litre from jug {{ jug }}.", "Jug {{ jug }} loses a litre."]
can = ["Can a litre be poured out of jug {{ jug }}?", "Can {{ person }} pour a litre out of jug {{ jug }}?",
  "Is it possible to take a litre from jug {{ jug }}?", "Can jug {{ jug }} lose a litre?"]
if = ["{{ person }} pours a litre out of jug {{ jug }}", "a litre is poured out of jug {{ jug }}",
  "{{ person }} takes a litre from jug {{ jug }}", "jug {{ jug }} loses a litre"]

[rules]
sentences = [["A jug holds seven litres at most.", "No jug holds more than seven litres.",
  "There is room for seven litres in each jug.", "Seven litres fill a jug."]]
"#,
    ),
];

fn racgen(arguments: &str, at: &Path) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_racgen"));
    let output = command.args(arguments.split(' ')).current_dir(at).output().unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap(), text)
}

#[test]
fn a_package_of_two_jugs_is_enough() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("jugs")).unwrap();
    FILES.iter().for_each(|(name, text)| fs::write(at.join("jugs").join(name), text).unwrap());
    let (code, told) = racgen("check jugs", at);
    assert!(code == 0 && told.contains("no faults"), "{told}");
    let (code, told) = racgen(
        "-d jugs --domain-dir . -n 200 --depth 2 --mix verify=1,other=1 --format jsonl --out d -q",
        at,
    );
    assert_eq!(code, 0, "{told}");
    let rows: Vec<_> = racgen::data::read::rows::rows(&at.join("d")).unwrap().map(Result::unwrap).collect();
    let said = |text: &str| {
        rows.iter().filter(|row| row.context.contains(text) || row.question.contains(text)).count()
    };
    assert!(said(" 1 litre") > 5 && said(" litres") > 5, "both forms are told");
    assert_eq!(said(" 1 litres"), 0);
    for number in ["0", "2", "3", "4", "5", "6", "7"] {
        assert_eq!(said(&format!(" {number} litre ")) + said(&format!(" {number} litre.")), 0, "{number}");
    }
    // The verdict is about shortcuts as well, of which so small a world has many; the reading is what counts here.
    racgen("audit d --domain-dir . --out . -q", at);
    let report: Value = serde_json::from_str(&fs::read_to_string(at.join("audit.json")).unwrap()).unwrap();
    assert_eq!(report["reading"]["read"], json!(rows.len()), "{}", report["reading"]);
    assert_eq!((&report["reading"]["unread"], &report["reading"]["troubles"]), (&json!(0), &json!({})));

    // Held-out names need enough for both parts.
    let (code, told) =
        racgen("-d jugs --domain-dir . -n 50 --mix verify=1 --holdout-names 0.2 --out e -q", at);
    assert!(code == 2 && told.contains("leaves 1 of the 2 names of type `jug`"), "{told}");
}
