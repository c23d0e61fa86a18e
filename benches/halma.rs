//! Steps a second in mazes, on one thread and without logs, and mazes charted a second.

use std::time::{Duration, Instant};

use racgen::halma::maze::generate::Branching;
use racgen::halma::maze::set::{MazeSplit, maze_set};
use racgen::halma::play::agents::names::AgentName;
use racgen::halma::play::episode::{Episode, HalmaTask};

/// How long each agent plays.
const TIME: Duration = Duration::from_secs(1);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let split = MazeSplit { name: "train".into(), mazes: 100, branching: Branching::TRAINING };
    let mazes = maze_set(&[split], 0)?;
    println!("{:12} {:>12.0} mazes/s", "charts", mazes.len() as f64 / start.elapsed().as_secs_f64());
    for name in [AgentName::Oracle, AgentName::Explorer, AgentName::Affordable, AgentName::Random] {
        let mut agent = name.agent(0);
        let (start, mut steps) = (Instant::now(), 0u64);
        for (number, maze) in mazes.iter().cycle().enumerate() {
            if start.elapsed() >= TIME {
                break;
            }
            agent.begin(&HalmaTask::default(), number as u64);
            let mut episode = Episode::new(&maze.chart, HalmaTask::default());
            while !episode.over() {
                let made = agent.choose(&episode.panel());
                let outcome = episode.make(&made);
                agent.told(&made, &outcome);
                steps += 1;
            }
        }
        println!("{:12} {:>12.0} steps/s", name.name(), steps as f64 / start.elapsed().as_secs_f64());
    }
    Ok(())
}
