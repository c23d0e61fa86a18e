//! The figures of the paper's table 1, beside which those of logs stand: mean and standard deviation over three seeds, in
//! percent. Symbolic agents have options of up to five primitives, visual ones of one.
//!
//! They are not strictly comparable: its mazes and agents are not public, and what its rho_p counts for a trial that never
//! reaches the goal is not said (see [`score`](super::score)).

use racgen_data::table::{Cell, Table};

/// The agents of the paper.
const AGENTS: [&str; 7] = ["MLP", "LSTM", "TRAN", "TRAN+LSTM", "CNN+MLP", "CNN+TRAN", "SPACE"];

/// A mean and its deviation; none where no problem was generated.
type Figure = Option<(f64, f64)>;

const fn f(mean: f64, deviation: f64) -> Figure {
    Some((mean, deviation))
}

const ZERO: Figure = f(0.0, 0.0);

/// A split of ours, or a kind of test, a measure, and its figures by agent. Of tests rho_a is not given.
const FIGURES: [(&str, &str, [Figure; 7]); 20] = [
    (
        "train",
        "rho_a",
        [
            f(94.78, 4.11),
            f(87.88, 2.14),
            f(85.43, 6.77),
            f(86.95, 3.09),
            f(85.61, 7.22),
            f(89.71, 2.61),
            f(83.55, 2.65),
        ],
    ),
    (
        "train",
        "rho_g",
        [
            f(99.23, 0.63),
            f(57.22, 3.07),
            f(93.85, 1.26),
            f(72.33, 5.79),
            f(75.76, 4.77),
            f(58.33, 4.19),
            f(16.33, 0.94),
        ],
    ),
    (
        "train",
        "rho_p",
        [
            f(71.67, 1.73),
            f(50.91, 3.54),
            f(67.89, 0.63),
            f(63.97, 5.84),
            f(63.77, 2.68),
            f(35.31, 3.00),
            f(12.02, 1.17),
        ],
    ),
    (
        "random",
        "rho_a",
        [
            f(62.98, 1.52),
            f(76.09, 2.10),
            f(65.15, 4.45),
            f(62.31, 2.90),
            f(13.30, 2.30),
            f(43.09, 7.92),
            f(41.62, 1.20),
        ],
    ),
    (
        "random",
        "rho_g",
        [
            f(51.00, 2.21),
            f(57.78, 3.49),
            f(82.82, 0.96),
            f(54.00, 2.94),
            f(7.58, 0.43),
            f(14.00, 4.24),
            f(3.67, 0.47),
        ],
    ),
    (
        "random",
        "rho_p",
        [
            f(54.91, 2.85),
            f(45.15, 1.46),
            f(58.07, 1.01),
            f(40.13, 2.52),
            f(5.09, 1.17),
            f(8.33, 1.96),
            f(2.66, 0.19),
        ],
    ),
    ("ST-1", "rho_g", [f(55.00, 7.07), f(50.00, 8.16), f(41.67, 8.50), f(66.67, 13.12), ZERO, ZERO, ZERO]),
    ("ST-1", "rho_p", [f(19.90, 2.18), f(24.02, 7.20), f(16.34, 3.90), f(35.74, 5.85), ZERO, ZERO, ZERO]),
    ("ST-2", "rho_g", [f(25.00, 8.16), f(63.33, 6.24), f(43.33, 6.23), f(78.33, 2.36), ZERO, ZERO, ZERO]),
    ("ST-2", "rho_p", [f(7.37, 2.33), f(26.31, 2.34), f(12.22, 1.83), f(34.79, 4.25), ZERO, ZERO, ZERO]),
    ("AfT-1", "rho_g", [f(41.67, 2.36), f(60.00, 10.80), f(36.67, 8.50), f(58.33, 10.27), ZERO, ZERO, ZERO]),
    ("AfT-1", "rho_p", [f(15.10, 0.35), f(28.91, 7.62), f(14.01, 3.75), f(27.11, 2.12), ZERO, ZERO, ZERO]),
    ("AfT-2", "rho_g", [f(31.67, 8.50), f(45.00, 10.80), f(43.33, 6.24), f(71.67, 6.24), ZERO, ZERO, ZERO]),
    ("AfT-2", "rho_p", [f(11.68, 3.34), f(17.15, 5.82), f(17.86, 3.02), f(35.40, 3.71), ZERO, ZERO, ZERO]),
    ("AfT-3", "rho_g", [f(6.67, 2.36), f(100.00, 0.00), f(25.00, 0.00), None, ZERO, ZERO, ZERO]),
    ("AfT-3", "rho_p", [f(1.48, 0.52), f(51.86, 0.18), f(5.83, 0.24), None, ZERO, ZERO, ZERO]),
    ("AfT-4", "rho_g", [ZERO, f(86.67, 9.43), f(50.00, 0.00), None, ZERO, ZERO, ZERO]),
    ("AfT-4", "rho_p", [ZERO, f(29.89, 2.18), f(10.00, 0.00), None, ZERO, ZERO, ZERO]),
    ("AnT", "rho_g", [f(35.00, 7.07), f(48.33, 4.71), f(41.67, 2.36), f(41.67, 13.12), ZERO, None, ZERO]),
    ("AnT", "rho_p", [f(12.19, 1.84), f(21.84, 0.53), f(14.45, 1.66), f(22.03, 6.64), ZERO, None, ZERO]),
];

/// The paper's figures of these splits, as far as it has any.
pub fn reference(splits: &[&str]) -> Option<Table> {
    let cell = |figure: &Figure| match figure {
        Some((mean, deviation)) => Cell::PlusMinus(*mean, *deviation),
        None => Cell::None,
    };
    let mut rows = Vec::new();
    for split in splits {
        for (_, measure, figures) in FIGURES.iter().filter(|(of, ..)| of == split) {
            let name = [Cell::Text((*split).to_owned()), Cell::Text((*measure).to_owned())];
            rows.push(name.into_iter().chain(figures.iter().map(cell)).collect());
        }
    }
    let head = ["split", "measure"].iter().chain(&AGENTS).map(|name| (*name).to_owned()).collect();
    let title = "For reference, the agents of Xie et al., table 1: mean and standard deviation".to_owned();
    let notes = vec![
        "MLP to TRAN+LSTM have options of up to five primitives and see symbols, the others of one and see pictures. Its \
         mazes and agents are not public, and its rho_p is not strictly comparable."
            .to_owned(),
    ];
    (!rows.is_empty()).then(|| Table { title, head, rows, notes, ..Table::default() })
}
