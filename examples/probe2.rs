use racgen::*;
use rand::SeedableRng;
use std::time::*;
fn main() {
    let p = Program { sources: vec![Source::new("x", "1{a(1..6)}1. {b(1..3)}. ")], ..Default::default() };
    let mut s = p
        .search(
            &[("a", 1), ("b", 1)],
            Some(rand::rngs::ChaCha8Rng::from_seed([1; 32])),
            Duration::from_secs(3),
        )
        .unwrap();
    for _ in 0..8 {
        let m = s.draw().unwrap().unwrap();
        println!("{}", m.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(" "));
    }
    println!("{}", s.solve(&[], 100).unwrap().len());
    for _ in 0..3 {
        let m = s.draw().unwrap().unwrap();
        println!("{}", m.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(" "));
    }
}
