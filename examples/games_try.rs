use racgen::games::*;
use std::time::*;
fn main() {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap();
        let game = match Game::read(&text, &file) { Ok(g) => g, Err(e) => { println!("{e}"); continue } };
        let v = check(&game);
        print!("{v}");
        let strata = strata::Strata::new(&game);
        let t = Translation::new(&game, &strata);
        let start = Instant::now();
        let b = racgen::Budget { rules: 3_000_000, literals: 20_000_000, time: Duration::from_secs(40), start };
        match t.once().ground_within(&t.shown(), Some(b)) {
            Ok(g) => println!("   {} rules, {} lits, {} atoms, {} holds, {} occ {:.2?}", g.rules.len(),
               g.rules.iter().map(|r| match &r.body { racgen::Body::All(l) => l.len(), _ => 0 }).sum::<usize>(), g.atoms, g.predicate("holds", 1).count(), g.predicate("occ", 2).count(), start.elapsed()),
            Err(e) => println!("   {e} {:.2?}", start.elapsed()),
        }
    }
}
