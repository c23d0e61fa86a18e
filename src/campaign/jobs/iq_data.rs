//! Sampled games and ladders to folders: games as files, matches as a table, a report.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use racgen_data::error::DataError;
use racgen_data::format::Format;
use racgen_data::papers::manifest::Manifest;
use racgen_data::write::files::Files;
use racgen_data::write::folder::{Folder, Taking};
use racgen_data::write::records::{Cells, RecordFile};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::campaign::error::CampaignError;
use crate::campaign::run::Origin;
use crate::iq::error::IqError;
use crate::iq::grammar::code::printed;
use crate::iq::measure::ladder::{LadderRules, ladder, play_ladder};
use crate::iq::measure::run::MeasuredAgent;
use crate::iq::report::page::{Rated, page};
use crate::iq::sample::sampler::{SampledGame, Sampler};
use crate::items::progress::Progress;

/// The file of a sample that tells its games.
pub const GAMES: &str = "games.jsonl";
/// The page of a run or a ladder.
pub const PAGE: &str = "report.html";
/// The matches of a ladder.
pub const MATCHES: &str = "matches.parquet";
/// The ratings of a ladder.
pub const LADDER: &str = "ladder.json";
/// The columns of its matches.
const MATCH_COLUMNS: [(&str, Cells); 8] = [
    ("number", Cells::Whole),
    ("game", Cells::Text),
    ("kind", Cells::Text),
    ("complexity", Cells::Number),
    ("first", Cells::Text),
    ("second", Cells::Text),
    ("first_points", Cells::Number),
    ("second_points", Cells::Number),
];
/// The plan of a folder, as it is kept while it is filled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct IqPlan {
    version: String,
    command: String,
    seed: u64,
    settings: Json,
}

impl IqPlan {
    fn new(origin: &Origin, settings: Json) -> IqPlan {
        let version = env!("CARGO_PKG_VERSION").into();
        IqPlan { version, command: origin.command.clone(), seed: origin.seed, settings }
    }

    fn manifest(&self, files: &Files, details: &Json) -> Manifest {
        let manifest =
            Manifest::new(self.command.clone(), self.seed as i64, self.settings.clone(), files.list());
        manifest.with_details(details)
    }
}

/// What is told of a sampled game.
fn told(game: &SampledGame) -> Json {
    let grammar = &game.table.grammar;
    json!({
        "number": game.number, "id": grammar.id(), "file": format!("{}.kif", grammar.id()), "kind": grammar.derived.kind,
        "players": game.table.roles(), "role": game.table.arena.roles[game.table.own_role()].to_string(),
        "opponent": game.table.opponent().map(|opponent| opponent.name()), "horizon": grammar.derived.horizon,
        "length": grammar.length(), "tau": game.play.tau, "complexity": game.complexity,
        "step_ticks": game.table.step_ticks(), "random_reward": game.play.value, "refused": game.refused,
        "derivation": printed(&grammar.bits),
    })
}

/// Writes the first games of a sample: a file each, and a list of them.
///
/// # Errors
/// Games that cannot be played; those of the folder, which is then gone again.
pub fn write_sample(
    sampler: &Sampler,
    games: u64,
    origin: &Origin,
    out: &Path,
    taking: Taking,
    progress: &dyn Progress,
) -> Result<Vec<Json>, CampaignError> {
    let plan = IqPlan::new(origin, json!({"games": games, "tau0": sampler.tau0, "choice": sampler.games}));
    let folder = Folder::open(out, &plan, taking, [PathBuf::from(GAMES)])?;
    let files = Files::below(out);
    progress.begin(games, 0);
    let made = (|| {
        let one = |number: u64| -> Result<(SampledGame, Json), IqError> {
            let game = sampler.game(number)?;
            progress.advance(1);
            let told = told(&game);
            Ok((game, told))
        };
        let made: Vec<(SampledGame, Json)> =
            (0..games).into_par_iter().map(one).collect::<Result<_, IqError>>()?;
        let mut written = std::collections::BTreeSet::new();
        for (game, _) in &made {
            // The same derivation can come twice.
            let id = game.table.grammar.id();
            if written.insert(id.clone()) {
                files.text(format!("{id}.kif"), &game.table.grammar.text())?;
            }
        }
        let told: Vec<Json> = made.into_iter().map(|(_, told)| told).collect();
        files.stream(GAMES, |file| told.iter().try_for_each(|line| writeln!(file, "{line}")))?;
        plan.manifest(&files, &json!({"distinct": written.len()})).write(out)?;
        Ok(told)
    })();
    match made {
        Ok(told) => {
            folder.complete();
            Ok(told)
        }
        Err(error) => {
            folder.abandon(&files.finish());
            Err(error)
        }
    }
}

/// Writes a table.
pub(crate) fn write_table<R: Serialize>(
    name: &str,
    columns: &[(&'static str, Cells)],
    rows: &[R],
    files: &Files,
) -> Result<(), DataError> {
    let path = files.path(name);
    // An earlier attempt to finish may have left one.
    let _ = std::fs::remove_file(&path);
    let mut file = RecordFile::create(&path, Format::Parquet, columns.to_vec())?;
    for row in rows {
        let record = serde_json::to_value(row);
        file.add(
            record.map_err(|error| DataError::Encode { path: path.clone(), message: error.to_string() })?,
            &path,
        )?;
    }
    files.add(&file.finish(&path)?);
    Ok(())
}

/// Writes a value as JSON for people, too.
pub(crate) fn write_json(name: &str, value: &impl Serialize, files: &Files) -> Result<(), DataError> {
    let text = serde_json::to_string_pretty(value);
    let text =
        text.map_err(|error| DataError::Encode { path: files.path(name), message: error.to_string() })?;
    files.text(name, &(text + "\n"))
}

/// Has agents play each other, and writes matches, ladder and report.
///
/// # Errors
/// Games that cannot be played; those of the folder, which is then gone again.
pub fn write_ladder(
    sampler: &Sampler,
    agents: &[MeasuredAgent],
    rules: &LadderRules,
    origin: &Origin,
    (out, taking): (&Path, Taking),
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Vec<Rated>, CampaignError> {
    let names: Vec<String> = agents.iter().map(|agent| agent.name().to_owned()).collect();
    let settings = json!({"rules": rules, "agents": names, "tau0": sampler.tau0});
    let plan = IqPlan::new(origin, settings);
    let folder = Folder::open(out, &plan, taking, [MATCHES, LADDER, PAGE].map(PathBuf::from))?;
    let files = Files::below(out);
    progress.begin(rules.games, 0);
    let made = (|| {
        let rows = play_ladder(sampler, agents, rules, stop, &|| progress.advance(1))?;
        let rated = ladder(&names, &rows, sampler.seed);
        write_table(MATCHES, &MATCH_COLUMNS, &rows, &files)?;
        write_json(LADDER, &rated, &files)?;
        files.text(PAGE, &page("Who plays games better than whom", &[], &rated))?;
        plan.manifest(&files, &json!({})).write(out)?;
        Ok(rated)
    })();
    match made {
        Ok(rated) => {
            folder.complete();
            Ok(rated)
        }
        Err(error) => {
            folder.abandon(&files.finish());
            Err(error)
        }
    }
}
