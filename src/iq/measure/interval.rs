//! Values of games to an interval for one point in time.
//!
//! Student's interval is too narrow where few values are known and the rare ones have not been seen. Two values of 0 and two
//! of 1 are therefore added to those that were measured, as Agresti and Coull (1998) do for counts; what is known of the
//! range is all that they say. The variance between budgets counts as variance, which makes the interval wider, not narrower.

/// The sum of values and of their squares.
#[derive(Clone, Copy, Debug, Default)]
struct ValueSums {
    count: f64,
    sum: f64,
    squares: f64,
}

impl ValueSums {
    fn of(values: &[f64]) -> ValueSums {
        let mut sums = ValueSums::default();
        values.iter().for_each(|value| sums.add(*value));
        sums
    }

    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(self) -> f64 {
        self.sum / self.count.max(1.0)
    }

    /// The standard error of the mean.
    fn error(self) -> f64 {
        let variance = (self.squares - self.sum * self.mean()) / (self.count - 1.0).max(1.0);
        (variance.max(0.0) / self.count.max(1.0)).sqrt()
    }
}

/// The interval of 95 % around a mean of values from 0 to 1.
pub fn pointwise(values: &[f64]) -> (f64, f64) {
    let mut sums = ValueSums::of(values);
    for added in [0.0, 0.0, 1.0, 1.0] {
        sums.add(added);
    }
    let half = student(sums.count - 1.0) * sums.error();
    ((sums.mean() - half).max(0.0), (sums.mean() + half).min(1.0))
}

/// The interval that AIQ reports: the mean and 1.96 standard errors. It is shown for comparison only.
pub fn plain(values: &[f64]) -> (f64, f64) {
    let sums = ValueSums::of(values);
    let half = NORMAL * sums.error();
    (sums.mean() - half, sums.mean() + half)
}

/// The 97.5 % point of the normal distribution.
const NORMAL: f64 = 1.959_963_985;

/// The 97.5 % point of Student's distribution with at least 4 degrees of freedom, from the normal one (Fisher and Cornish
/// 1960; within a hundredth).
fn student(freedom: f64) -> f64 {
    let z = NORMAL;
    let (z3, z5, z7) = (z.powi(3), z.powi(5), z.powi(7));
    let terms = [
        (z3 + z) / 4.0,
        (5.0 * z5 + 16.0 * z3 + 3.0 * z) / 96.0,
        (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / 384.0,
    ];
    let series = terms.into_iter().zip(1..).map(|(term, power)| term / freedom.powi(power));
    z + series.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use racgen_logic::seed::stream;
    use rand::RngExt;
    use rand::rngs::ChaCha8Rng;

    use super::*;

    #[test]
    fn students_points_are_those_of_the_tables() {
        for (freedom, point) in [(4.0, 2.776), (7.0, 2.365), (30.0, 2.042), (1e6, 1.960)] {
            assert!((student(freedom) - point).abs() < 0.012, "{freedom}: {}", student(freedom));
        }
    }

    /// Shapes of values with a standard deviation of 0.1 or more: how they are drawn, and their mean.
    type ValueShape = (&'static str, fn(&mut ChaCha8Rng) -> f64, f64);
    const SHAPES: [ValueShape; 7] = [
        ("rare wins", |rng| f64::from(u8::from(rng.random_bool(0.0102))), 0.0102),
        ("one in twenty", |rng| f64::from(u8::from(rng.random_bool(0.05))), 0.05),
        ("a third", |rng| f64::from(u8::from(rng.random_bool(1.0 / 3.0))), 1.0 / 3.0),
        ("nine in ten", |rng| f64::from(u8::from(rng.random_bool(0.9))), 0.9),
        ("uniform", |rng| rng.random(), 0.5),
        ("cubed", |rng| rng.random::<f64>().powi(3), 0.25),
        ("narrow", |rng| 0.3 + 0.35 * rng.random::<f64>(), 0.475),
    ];

    /// What share of the intervals of 3,000 synthetic agents covers the mean.
    fn coverage(shape: &ValueShape, games: usize, interval: fn(&[f64]) -> (f64, f64)) -> f64 {
        const AGENTS: u32 = 3_000;
        let (name, draw, mean) = shape;
        let mut covered = 0;
        for agent in 0..AGENTS {
            let mut rng = stream(5, &["pointwise", name, &games.to_string(), &agent.to_string()]);
            let values: Vec<f64> = (0..games).map(|_| draw(&mut rng)).collect();
            let (low, high) = interval(&values);
            covered += u32::from((low..=high).contains(mean));
        }
        f64::from(covered) / f64::from(AGENTS)
    }

    /// At least 93 % of the intervals cover, whatever the number of games; of AIQ's, far fewer do where games are few.
    #[test]
    fn they_cover_with_few_games_and_with_many() {
        for shape in &SHAPES {
            for games in [1, 3, 7, 15, 31, 63, 127, 255, 511, 1023] {
                let share = coverage(shape, games, pointwise);
                println!(
                    "{:14} {games:5} games: {share:.3}, AIQ's {:.3}",
                    shape.0,
                    coverage(shape, games, plain)
                );
                assert!(share >= 0.93, "{}, {games} games: {share}", shape.0);
            }
        }
        assert!(coverage(&SHAPES[0], 63, plain) < 0.6);
        assert!(coverage(&SHAPES[1], 31, plain) < 0.85);
        assert!(coverage(&SHAPES[0], 511, plain) < 0.93);
    }
}
