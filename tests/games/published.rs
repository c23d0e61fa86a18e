//! Promise: the published triples read back byte for byte, and follow from the rules of their games.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use racgen::games::gdl::flatten::Flat;
use racgen::games::gdl::syntax::Game;
use racgen::games::play::ground_game::{GroundGame, Limits};
use racgen::games::play::traces::{Playing, play};
use racgen::games::play::types::Types;
use racgen::games::tasks::baselines::{LEARNERS, baselines_of};
use racgen::games::tasks::dat::Dat;
use racgen::games::tasks::triples::{Target, TaskSettings, flatten, tasks};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The reference data, where they are; otherwise the test says that it was skipped.
fn reference(test: &str) -> Option<PathBuf> {
    crate::skipped::reference("iggp", test)
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == extension)).collect();
    found.sort();
    found
}

fn arena(folder: &Path, name: &str) -> Result<GroundGame, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(folder.join("games").join(format!("{name}.kif")))?;
    Ok(GroundGame::new(Game::read(&text, &format!("{name}.kif"))?, &Limits::default())?)
}

#[test]
fn published_files_read_back() -> Outcome {
    let Some(folder) = reference("published_files_read_back") else { return Ok(()) };
    let all = files(&folder.join("triples"), "dat");
    assert!(all.len() >= 50);
    for path in all {
        let text = std::fs::read_to_string(&path)?;
        let mut bytes = Vec::new();
        Dat::read(&text, &path.to_string_lossy())?.write(&mut bytes)?;
        // One published file has an empty line more at its end.
        if path.ends_with("fizzbuzz_goal_train.dat") {
            bytes.push(b'\n');
        }
        assert!(bytes == text.as_bytes(), "{}", path.display());
    }
    Ok(())
}

#[test]
fn published_triples_follow_from_the_rules() -> Outcome {
    let Some(folder) = reference("published_triples_follow_from_the_rules") else { return Ok(()) };
    let mut by_game: BTreeMap<String, Vec<(Target, PathBuf)>> = BTreeMap::new();
    for path in files(&folder.join("triples"), "dat") {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for target in Target::ALL {
            if let Some((game, _)) = stem.rsplit_once(&format!("_{}_", target.name())) {
                by_game.entry(game.to_owned()).or_default().push((target, path.clone()));
            }
        }
    }
    assert_eq!(by_game.len(), 5);
    let mut seen = 0;
    for (name, paths) in by_game {
        let arena = arena(&folder, &name)?;
        let typ = folder.join("types").join(format!("{name}.typ"));
        let types = Types::read(&std::fs::read_to_string(&typ)?, &typ.to_string_lossy())?;
        let whole = arena.whole.as_ref().ok_or("not grounded as a whole")?;
        let statics: Vec<String> =
            arena.statics.iter().map(|t| Flat::fixed(&arena.game, t).to_string()).collect();
        let numbers: BTreeMap<String, u32> = (0..)
            .zip(&whole.fluents)
            .map(|(n, f)| (Flat::new(&arena.game, "true", &[], f).to_string(), n))
            .collect();
        let print = |relation: &str, number: u32| {
            let (role, action) = &whole.moves[number as usize];
            Flat::new(&arena.game, relation, &[&arena.roles[*role as usize]], action).to_string()
        };
        let moves: BTreeMap<String, u32> =
            (0..whole.moves.len() as u32).map(|n| (print("does", n), n)).collect();
        let mut board = whole.board();
        for (target, path) in paths {
            let dat = Dat::read(&std::fs::read_to_string(&path)?, &path.to_string_lossy())?;
            let atoms: Vec<String> = types
                .atoms(&arena.game, target.name())?
                .iter()
                .map(|a| flatten(&arena, a).to_string())
                .collect();
            assert_eq!(dat.atoms, atoms, "{}", path.display());
            assert_eq!(dat.statics, statics, "{}", path.display());
            for (background, positives) in &dat.triples {
                let mut made = Vec::new();
                let mut fluents = BTreeSet::new();
                for atom in background {
                    match (moves.get(atom), numbers.get(atom)) {
                        (Some(number), _) => made.push(*number),
                        (_, Some(number)) => {
                            fluents.insert(*number);
                        }
                        _ => return Err(format!("{}: the game knows no {atom}", path.display()).into()),
                    }
                }
                board.go(fluents.iter().copied());
                // The order of a background, too, is that of the numbers.
                assert_eq!(background[made.len()..].len(), fluents.len());
                let in_order: Vec<u32> = background[made.len()..].iter().map(|a| numbers[a]).collect();
                assert!(in_order.is_sorted() && made.is_sorted(), "{}", path.display());
                let found: Vec<String> = match target {
                    Target::Legal => board.legal().into_iter().map(|n| print("legal", n)).collect(),
                    Target::Goal => {
                        let goals = board.goals().into_iter().map(|g| &whole.goals[g as usize]);
                        goals.map(|(r, v)| format!("goal({}, {v})", arena.roles[*r as usize])).collect()
                    }
                    Target::Terminal => {
                        board.terminal().then(|| "terminal()".to_owned()).into_iter().collect()
                    }
                    Target::Next => {
                        let next = if made.is_empty() {
                            board.idle()
                        } else {
                            board.advance(&made);
                            board.fluents()
                        };
                        let next = next.into_iter();
                        next.map(|f| {
                            Flat::new(&arena.game, "next", &[], &whole.fluents[f as usize]).to_string()
                        })
                        .collect()
                    }
                };
                assert_eq!(*positives, found, "{}: {background:?}", path.display());
                seen += 1;
            }
        }
    }
    println!("{seen} published triples follow from their games");
    assert!(seen > 1000);
    Ok(())
}

#[test]
fn published_types_allow_what_is_reached() -> Outcome {
    let Some(folder) = reference("published_types_allow_what_is_reached") else { return Ok(()) };
    for path in files(&folder.join("types"), "typ") {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let types = Types::read(&std::fs::read_to_string(&path)?, &path.to_string_lossy())?;
        let arena = arena(&folder, &name)?;
        let playing = Playing { traces: 3, ..Playing::default() };
        let corpus =
            play(&arena, &playing, &Limits::default(), std::time::Instant::now(), &Default::default())?;
        assert_eq!(tasks(&arena, &corpus, &types, &TaskSettings::default())?.len(), 4, "{name}");
    }
    Ok(())
}

#[test]
fn baselines_score_as_in_the_appendix() -> Outcome {
    let Some(folder) = reference("baselines_score_as_in_the_appendix") else { return Ok(()) };
    let table = std::fs::read_to_string(folder.join("paper_appendix_baselines.tsv"))?;
    let rows: BTreeMap<(&str, &str), Vec<&str>> = table
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .map(|cells| ((cells[0], cells[1]), cells[2..].to_vec()))
        .collect();
    let scores = baselines_of(&folder.join("triples"))?;
    assert_eq!(scores.len(), 20);
    for score in scores {
        let key = (score.game.as_str(), score.target.name());
        let cells = rows.get(&key).ok_or_else(|| format!("{key:?} is not in the table"))?;
        let own: Vec<f64> = score.tallies.iter().map(|t| t.balanced_accuracy()).collect();
        // Figures recomputed from the same files, to two places; their Mean counts a tie as true, which ours does not.
        let recomputed: Vec<f64> = cells[5].split(',').map(str::parse).collect::<Result<_, _>>()?;
        for learner in [0, 1, 3, 4] {
            let difference = (own[learner] - recomputed[learner]).abs();
            assert!(
                difference < 0.006,
                "{key:?} {}: {} {}",
                LEARNERS[learner],
                own[learner],
                recomputed[learner]
            );
        }
        // The appendix, in whole per cent, which may be off by one; this one row does not fit the published files.
        if key == ("buttons_and_lights", "goal") {
            continue;
        }
        for (learner, printed) in cells[..5].iter().enumerate() {
            let printed: f64 = printed.parse()?;
            assert!(
                (own[learner].round() - printed).abs() <= 1.0,
                "{key:?} {}: {} {printed}",
                LEARNERS[learner],
                own[learner]
            );
        }
    }
    Ok(())
}
