//! Promise: sampled games are what the grammar says and what clingo says, agents are measured the same whatever the
//! threads and however often a run is interrupted, and a program that fails loses its game and nothing else.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use racgen::campaign::error::CampaignError;
use racgen::campaign::jobs::iq_results::{IqRunFolder, write_run};
use racgen::campaign::run::Origin;
use racgen::data::read::rows::files;
use racgen::data::write::folder::Taking;
use racgen::iq::measure::estimate::{by_agent, difference, shared};
use racgen::iq::measure::results::{ResultRow, read_results};
use racgen::iq::measure::run::{AgentPrograms, MeasuredAgent, Measuring};
use racgen::iq::measure::schedule::schedule;
use racgen::iq::play::agents::agent::Loss;
use racgen::iq::play::agents::names::IqAgentName;
use racgen::iq::play::external::ExternalSettings;
use racgen::iq::play::replay::replay;
use racgen::iq::play::telling::GameTelling;
use racgen::iq::sample::audit::{GameWorth, audited, keeps_promises};
use racgen::iq::sample::sampler::{GameChoice, Sampler};
use racgen::items::progress::Silent;
use racgen::logic::seed::stream;
use rayon::prelude::*;

const SAMPLER: Sampler = Sampler { seed: 11, tau0: 1024.0, games: GameChoice::All };

fn measuring(iterations: u32, games: GameChoice) -> Measuring {
    Measuring { seed: 5, tau0: 1024.0, budget: 1 << 15, steps: 40, pace: 0, pace_time: 0, iterations, games }
}

fn racgen(at: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_racgen"));
    command.args(arguments).current_dir(at).output().expect("racgen starts")
}

fn succeed(at: &Path, arguments: &[&str]) -> String {
    let ended = racgen(at, arguments);
    assert!(ended.status.success(), "{arguments:?}\n{}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).unwrap()
}

/// Every game ends in time, everybody can always move, each player has one goal in each state, and clingo, which grounds
/// each step afresh from the rules as they stand, says what the circuits say.
#[test]
fn sampled_games_keep_what_the_grammar_promises() {
    let steps: u32 = (0..80_u64)
        .into_par_iter()
        .map(|number| {
            let game = SAMPLER.game(number).unwrap();
            let table = &game.table;
            keeps_promises(table).unwrap_or_else(|cause| panic!("{cause}\n{}", table.grammar.text()));
            assert!(game.play.longest <= table.grammar.derived.horizon);
            assert!(game.complexity >= f64::from(table.grammar.length()) + 10.0);
            replay(table, &mut stream(number, &["test"])).unwrap()
        })
        .sum();
    assert!(steps > 300, "{steps}");
}

/// The grammar is made for games that tell agents apart.
#[test]
fn most_games_discriminate() {
    let audited: Vec<GameWorth> = (0..40_u64)
        .into_par_iter()
        .map(|number| audited(&SAMPLER.game(number).unwrap(), 0).unwrap().worth)
        .collect();
    let count = |worth| audited.iter().filter(|own| **own == worth).count();
    assert!(count(GameWorth::Discriminating) >= 28, "{audited:?}");
    assert!(count(GameWorth::Impossible) <= 6, "{audited:?}");
}

/// Files of the sample are games as others are: they are checked, made into tasks, and asked about.
#[test]
fn sampled_games_are_ordinary_games() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    succeed(
        at,
        &["iq", "sample", "--games", "6", "--seed", "3", "--out", "one", "--threads", "1", "--quiet"],
    );
    succeed(
        at,
        &["iq", "sample", "--games", "6", "--seed", "3", "--out", "two", "--threads", "2", "--quiet"],
    );
    let told = fs::read_to_string(at.join("one/games.jsonl")).unwrap();
    assert_eq!(told, fs::read_to_string(at.join("two/games.jsonl")).unwrap());
    let files: Vec<String> = told
        .lines()
        .map(|line| {
            let told: serde_json::Value = serde_json::from_str(line).unwrap();
            format!("one/{}", told["file"].as_str().unwrap())
        })
        .collect();
    for file in &files {
        assert_eq!(fs::read(at.join(file)).unwrap(), fs::read(at.join(file.replace("one", "two"))).unwrap());
        let checked = succeed(at, &["games", "check", file]);
        assert!(checked.contains("can be played"), "{checked}");
    }
    succeed(at, &["games", &files[0], &files[1], "--traces", "20", "--out", "tasks", "--quiet"]);
    succeed(at, &["games", "items", &files[0], "-n", "20", "--traces", "20", "--out", "items", "--quiet"]);
    assert!(at.join("items/manifest.json").exists());
}

/// Is the run complete?
fn run_into(
    out: &Path,
    threads: usize,
    stop_after: Option<u64>,
    resume: bool,
    shard: Option<(usize, usize)>,
) -> Result<bool, CampaignError> {
    let agents = [IqAgentName::Random, IqAgentName::Tabular, IqAgentName::Uct].map(MeasuredAgent::Own);
    let stop = AtomicBool::new(false);
    let tell = |agents: &[racgen::iq::measure::estimate::AgentEstimate]| {
        let games = agents[0].iterations.last().map(|at| at.games);
        if games >= stop_after && stop_after.is_some() {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let origin = Origin { command: "test".into(), seed: 5 };
    let taking = Taking { force: false, resume, shard: shard.map(|(number, _)| number) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let measuring = measuring(5, GameChoice::All);
    let folder = IqRunFolder { out, taking, shard };
    let run = || write_run(&measuring, &agents, &origin, folder, &Silent, &tell, &stop);
    let mut made = pool.install(run);
    // A program that another test starts holds a copy of this process's locks for a moment.
    while made.as_ref().is_err_and(|error| error.to_string().contains("another racgen")) {
        std::thread::sleep(Duration::from_millis(20));
        made = pool.install(run);
    }
    made.map(|rows| rows.is_some())
}

/// One thread or three, at once, after an interruption or in shards: the same files, byte for byte.
#[test]
fn a_run_is_the_same_for_any_threads_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let [one, three, resumed, shards] =
        ["one", "three", "resumed", "shards"].map(|name| folder.path().join(name));
    run_into(&one, 1, None, false, None).unwrap();
    run_into(&three, 3, None, false, None).unwrap();
    assert!(matches!(run_into(&resumed, 2, Some(7), false, None), Err(CampaignError::Interrupted)));
    assert!(!resumed.join("results.parquet").exists());
    assert!(run_into(&resumed, 2, None, true, None).unwrap());
    assert!(!run_into(&shards, 2, None, false, Some((2, 2))).unwrap());
    let told = String::from_utf8(racgen(&shards, &["join", "."]).stderr).unwrap();
    assert!(told.contains("lacks 3 parts") && told.contains("shard 1 of 2"), "{told}");
    assert!(run_into(&shards, 2, None, false, Some((1, 2))).unwrap());
    for file in ["results.parquet", "estimates.json", "report.html", "manifest.json"] {
        let expected = fs::read(one.join(file)).unwrap();
        for other in [&three, &resumed, &shards] {
            assert!(expected == fs::read(other.join(file)).unwrap(), "{file}");
        }
    }
    let rows = read_results(&one.join("results.parquet")).unwrap();
    assert_eq!(rows.len(), 3 * 31);
    let page = fs::read_to_string(one.join("report.html")).unwrap();
    assert!(page.contains("<svg") && !page.contains("http"), "the page needs nothing else");
}

/// Random < greedy < UCT, and who learns from experience is better than chance, in games for one.
#[test]
fn agents_are_ordered_as_they_must() {
    let names = [IqAgentName::Random, IqAgentName::Greedy, IqAgentName::Uct, IqAgentName::Tabular];
    let agents = names.map(MeasuredAgent::Own);
    let stop = AtomicBool::new(false);
    let measuring = Measuring { budget: 1 << 16, ..measuring(6, GameChoice::Solo) };
    let rows = measuring.rows(&schedule(6), &agents, &AgentPrograms::new(4), &stop).unwrap();
    let of = by_agent(&rows);
    for (better, worse) in [(1, 0), (2, 1), (3, 0)] {
        let (mean, low, _) = difference(&shared(&of[better], &of[worse]));
        assert!(low > 0.0, "{} - {}: {mean}", names[better].name(), names[worse].name());
    }
    assert!(of[0].iter().all(|row| row.result.lost.is_none()));
}

/// A program as a shell script: what it does for each line that it is told.
fn program(folder: &Path, name: &str, script: &str) -> MeasuredAgent {
    let path = folder.join(format!("{name}.sh"));
    fs::write(&path, script).unwrap();
    let settings = ExternalSettings {
        command: format!("sh {}", path.display()),
        decision: Duration::from_secs(if name == "silence" { 1 } else { 30 }),
        game: Duration::from_secs(60),
        rules: name == "texts",
        telling: if name == "texts" { GameTelling::english().unwrap() } else { GameTelling::symbols() },
    };
    MeasuredAgent::Program(name.into(), Box::new(settings))
}

/// How a program lost a game; empty if it did not.
fn lost(row: &ResultRow) -> &'static str {
    row.result.lost.map_or("", Loss::name)
}

fn rows_of(agents: &[MeasuredAgent], iterations: u32, pace: u64) -> Vec<ResultRow> {
    let measuring = Measuring { pace_time: pace, ..measuring(iterations, GameChoice::All) };
    let stop = AtomicBool::new(false);
    measuring.rows(&schedule(iterations), agents, &AgentPrograms::new(agents.len()), &stop).unwrap()
}

/// Switches, then always makes the first move.
const GOOD: &str = r#"
while read -r line; do
  case "$line" in
    *'"phase":"learning"'*) echo '{"switch":true}' ;;
    *'"observe"'*) echo '{"move":0}' ;;
  esac
done
"#;

/// AgentPrograms that crash, hang, cheat, babble or flood lose their games, each for its own reason, and stop nobody.
#[test]
fn programs_that_fail_lose_their_games_and_stop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let scripts = [
        ("good", GOOD, ""),
        ("crash", "read -r line; exit 3", "crash"),
        ("absent", "exec /nowhere/at/all", "crash"),
        ("silence", "sleep 1000", "silence"),
        ("deaf", "exec < /dev/null; sleep 1000", "silence"),
        ("illegal", "while read -r line; do echo '{\"move\":\"(fly)\"}'; done", "illegal"),
        ("babble", "while read -r line; do echo nonsense; done", "illegal"),
        ("beyond", "while read -r line; do echo '{\"move\":-1}'; done", "illegal"),
        ("flood", "yes '{\"move\":0}'", "flood"),
        ("endless", "tr '\\0' 'x' < /dev/zero", "flood"),
    ];
    for (name, script, reason) in scripts {
        let silent = reason == "silence";
        let agent = program(at, if silent { "silence" } else { name }, script);
        let rows = rows_of(&[agent, MeasuredAgent::Own(IqAgentName::Random)], if silent { 1 } else { 2 }, 0);
        for row in &rows {
            match row.agent.as_str() {
                "random" => assert!(row.result.lost.is_none() && row.result.switched),
                // What comes unasked may be read as an answer to the first question.
                _ if name == "flood" => assert!(["flood", "illegal"].contains(&lost(row)), "{row:?}"),
                // Babble is also an answer to what asks for none.
                _ if ["illegal", "babble", "beyond"].contains(&name) => {
                    assert!(["flood", "illegal"].contains(&lost(row)), "{name}: {row:?}");
                }
                _ => assert_eq!(lost(row), reason, "{name}: {row:?}"),
            }
            assert!(row.result.lost.is_none() || row.result.value == 0.0);
        }
        if name == "good" {
            assert!(rows.iter().any(|row| row.agent == "good" && row.result.evaluated > 1), "{rows:?}");
        }
    }
}

/// A program that fails in one game plays the next one.
#[test]
fn a_program_is_started_anew_after_it_failed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let marker = at.join("ran");
    let script = format!("if [ ! -e {0} ]; then touch {0}; exit 1; fi\n{GOOD}", marker.display());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let rows = pool.install(|| rows_of(&[program(at, "anew", &script)], 3, 0));
    assert_eq!(rows.iter().filter(|row| lost(row) == "crash").count(), 1);
    assert_eq!(rows.iter().filter(|row| row.result.evaluated > 0).count(), 6, "{rows:?}");
}

/// Without being asked for, rules are not told; in text mode, states and rules are English.
#[test]
fn programs_are_told_what_they_may_know() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["symbols", "texts"] {
        let heard = at.join(format!("{name}.heard"));
        let script =
            GOOD.replace("do\n", &format!("do\n  printf '%s\\n' \"$line\" >> {}\n", heard.display()));
        let rows = rows_of(&[program(at, name, &script)], 2, 0);
        assert!(rows.iter().all(|row| row.result.lost.is_none() && row.result.switched), "{rows:?}");
        let heard = fs::read_to_string(heard).unwrap();
        assert_eq!(heard.matches("\"begin\"").count(), 3);
        assert!(heard.matches("\"over\"").count() >= 1);
        if name == "symbols" {
            assert!(!heard.contains("rules") && heard.contains("(step 0)"), "{heard}");
        } else {
            assert!(heard.contains("rules") && heard.contains("step(0)"), "{heard}");
            assert!(!heard.contains("(<="), "{heard}");
        }
    }
}

/// A program that thinks longer than the game waits for it has missed steps.
#[test]
fn games_go_on_while_programs_think() {
    let folder = tempfile::tempdir().unwrap();
    let slow = GOOD.replace("echo '{\"move\":0}'", "sleep 0.2; echo '{\"move\":0}'");
    let rows = rows_of(&[program(folder.path(), "slow", &slow)], 2, 20);
    assert!(rows.iter().all(|row| row.result.lost.is_none()), "{rows:?}");
    assert!(rows.iter().map(|row| row.result.passes).sum::<u64>() > 10, "{rows:?}");
}

/// Agents of racgen and programs are measured in the same games, each by a clock of its own, and climb one ladder.
#[test]
fn programs_and_own_agents_play_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("good.sh"), GOOD).unwrap();
    let agents = ["--agent", "random,uct", "--command", "sh good.sh", "--budget", "60000", "--steps", "40"];
    let run = ["iq", "run", "-n", "3", "--out", "measured"];
    let told = succeed(at, &[&run[..], &agents].concat());
    assert!(told.contains("60000 ticks") && told.contains("40 steps"), "{told}");
    let rows = read_results(&at.join("measured/results.parquet")).unwrap();
    assert_eq!(rows.len(), 3 * 7);
    for number in 0..7 {
        let own: Vec<&ResultRow> = rows.iter().filter(|row| row.number == number).collect();
        assert!(
            own.iter().all(|row| row.derivation == own[0].derivation && row.doublings == own[0].doublings)
        );
        for row in own {
            assert_eq!(row.in_steps, row.agent == "program");
            assert_eq!(row.budget, (if row.in_steps { 40 } else { 60_000 }) << row.doublings);
            assert!(row.result.spent <= row.budget && row.result.lost.is_none(), "{row:?}");
        }
    }
    let ladder = ["iq", "ladder", "-n", "4", "--out", "climbed", "--command", "exit 3", "--name", "broken"];
    let told = succeed(at, &[&ladder[..], &agents, &["--name", "good"]].concat());
    let place = |name: &str| told.find(&format!("\n{name} ")).unwrap_or_else(|| panic!("{told}"));
    assert!(place("uct") < place("broken") && place("good") < place("broken"), "{told}");
    let matches = files(&at.join("climbed/matches.parquet")).unwrap();
    let count: usize = matches.into_iter().map(|(_, records)| records.count()).sum();
    assert_eq!(count, 4 * 12);
}

/// The commands say what was asked for wrongly, and a ladder has the better agent above.
#[test]
fn commands_run_and_refuse() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (arguments, word) in [
        (vec!["iq", "run"], "--agent"),
        (vec!["iq", "run", "--agent", "random,random"], "same name"),
        (vec!["iq", "run", "--command", "true", "--command", "false", "--name", "one"], "1 names for 2"),
        (vec!["iq", "run", "--command", "true", "--agent", "never", "--name", "never"], "same name"),
        (vec!["iq", "run", "--agent", "random", "--tau0", "0"], "--tau0"),
        (vec!["iq", "ladder", "--agent", "uct"], "two agents"),
        (vec!["iq", "report", "nowhere"], "nowhere"),
    ] {
        let ended = racgen(at, &arguments);
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(word) && !told.contains("panicked"), "{arguments:?}: {told}");
    }
    let budget = ["--budget", "60000"];
    let told = succeed(
        at,
        &[&["iq", "ladder", "--agent", "never,random,uct", "-n", "8", "--out", "climbed"], &budget[..]]
            .concat(),
    );
    let place = |name: &str| told.find(&format!("\n{name} ")).unwrap_or_else(|| panic!("{told}"));
    assert!(place("uct") < place("random") && place("random") < place("never"), "{told}");
    let run = ["iq", "run", "--agent", "random", "-n", "3", "--out", "measured", "--quiet"];
    succeed(at, &[&run[..], &budget].concat());
    let told = succeed(at, &["iq", "report", "measured", "climbed", "--html", "both.html"]);
    assert!(told.contains("Ladder") && told.contains("Estimates"), "{told}");
    assert!(fs::read_to_string(at.join("both.html")).unwrap().contains("Ladder"));
    let audited = succeed(at, &["iq", "audit", "-n", "3", "--details", "games.jsonl"]);
    assert!(audited.contains("discriminating") && audited.contains("isomorphic"), "{audited}");
    assert_eq!(fs::read_to_string(at.join("games.jsonl")).unwrap().lines().count(), 3);
}
