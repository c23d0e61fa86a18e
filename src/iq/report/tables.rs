//! Estimates and ratings to tables.

use racgen_data::table::{Cell, Table};

use crate::iq::measure::estimate::{AgentEstimate, difference, shared};
use crate::iq::measure::rating::Rating;
use crate::iq::measure::results::ResultRow;

fn head(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn interval(mean: f64, (low, high): (f64, f64)) -> Cell {
    Cell::Interval(100.0 * mean, 100.0 * low, 100.0 * high)
}

/// The estimates of agents after their last iteration.
pub fn estimates(agents: &[AgentEstimate]) -> Table {
    let rows = agents.iter().filter_map(|agent| {
        let last = agent.iterations.last()?;
        let part = |mean: Option<f64>| mean.map_or(Cell::None, |mean| Cell::Figure(100.0 * mean));
        let losses: Vec<String> =
            agent.losses.iter().map(|(name, count)| format!("{count} {name}")).collect();
        Some(vec![
            Cell::Text(agent.agent.clone()),
            Cell::Text(if agent.knows_rules { "yes" } else { "no" }.into()),
            Cell::Text(format!("{} {}", agent.budget, if agent.in_steps { "steps" } else { "ticks" })),
            Cell::Count(last.games),
            Cell::Count(last.cost),
            interval(last.mean, last.sequence),
            interval(last.mean, last.pointwise),
            part(agent.by_players[0]),
            part(agent.by_players[1]),
            Cell::Text(if losses.is_empty() { "-".into() } else { losses.join(", ") }),
        ])
    });
    Table {
        title: "Estimates of Y_n, in percent of the range of rewards".into(),
        head: head(&[
            "agent",
            "knows rules",
            "T0",
            "games",
            "cost, T0",
            "all iterations together",
            "this iteration",
            "one player",
            "two players",
            "lost by fault",
        ]),
        rows: rows.collect(),
        notes: passes(agents),
        ..Table::default()
    }
}

/// What is to be said of asynchronous play.
fn passes(agents: &[AgentEstimate]) -> Vec<String> {
    let with = agents.iter().filter(|agent| agent.passes.0 > 0);
    with.map(|agent| {
        let (all, random) = agent.passes;
        format!(
            "{}: games went on for {all} steps while it thought; {random} of these were random moves, for want of one that \
             does nothing.",
            agent.agent
        )
    })
    .collect()
}

/// The estimates of agents after each iteration.
pub fn course(agents: &[AgentEstimate]) -> Table {
    let rows = agents.iter().flat_map(|agent| {
        agent.iterations.iter().map(|at| {
            vec![
                Cell::Text(agent.agent.clone()),
                Cell::Count(u64::from(at.iteration)),
                Cell::Count(at.games),
                Cell::Count(at.cost),
                interval(at.mean, at.sequence),
                interval(at.mean, at.pointwise),
                interval(at.mean, at.plain),
            ]
        })
    });
    Table {
        title: "Iteration by iteration".into(),
        head: head(&[
            "agent",
            "n",
            "games",
            "cost, T0",
            "all iterations together",
            "this iteration",
            "normal, as AIQ's",
        ]),
        rows: rows.collect(),
        ..Table::default()
    }
}

/// How much better agents are than those before them, in the same games.
pub fn differences(agents: &[Vec<&ResultRow>]) -> Table {
    let mut rows = Vec::new();
    for (place, first) in agents.iter().enumerate() {
        for second in &agents[..place] {
            let name = |of: &[&ResultRow]| of.first().map_or(String::new(), |row| row.agent.clone());
            let pairs = shared(first, second);
            let (mean, low, high) = difference(&pairs);
            rows.push(vec![
                Cell::Text(format!("{} - {}", name(first), name(second))),
                Cell::Count(pairs.len() as u64),
                interval(mean, (low, high)),
            ]);
        }
    }
    Table {
        title: "Differences in the same games, in percent".into(),
        head: head(&["agents", "games", "difference"]),
        rows,
        ..Table::default()
    }
}

/// The ladder, best first.
pub fn ladder(rated: &[(String, Rating, f64)]) -> Table {
    let mut rated: Vec<&(String, Rating, f64)> = rated.iter().collect();
    rated.sort_by(|a, b| b.1.elo.total_cmp(&a.1.elo));
    let row = |(agent, rating, points): &&(String, Rating, f64)| {
        vec![
            Cell::Text(agent.clone()),
            Cell::Interval(rating.elo, rating.low, rating.high),
            Cell::Figure(100.0 * points),
        ]
    };
    Table {
        title: "Ladder: Bradley and Terry's ratings on the scale of Elo".into(),
        head: head(&["agent", "rating", "points, %"]),
        rows: rated.iter().map(row).collect(),
        ..Table::default()
    }
}
