use racgen::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let package = Package::load(&a[1]).unwrap_or_else(|f| {
        for x in f {
            eprintln!("{x}");
        }
        std::process::exit(2)
    });
    let level: i32 = a[2].parse().unwrap();
    let depth: i32 = a[3].parse().unwrap();
    let n: u64 = a[4].parse().unwrap();
    let f = Factory::new(
        package,
        Settings {
            levels: vec![level],
            depths: vec![depth],
            items: n,
            split_by: if a.len() > 5 { SplitBy::Instance } else { SplitBy::World },
            ..Settings::default()
        },
        std::time::Duration::from_secs(20),
    );
    let t = std::time::Instant::now();
    if let Err(e) = f.deck(level, depth) {
        eprintln!("{e}");
        std::process::exit(1);
    }
    eprintln!("probe {:?}", t.elapsed());
    for (_, _, l) in f.left_out() {
        eprintln!("left out {l:?}");
    }
    for s in 0..3 {
        for (st, rows) in f.streams(s) {
            for g in 0..rows.div_ceil(GROUP) {
                match f.group(st, g, rows) {
                    Ok(items) => {
                        for i in items {
                            println!("{}", serde_json::to_string(&i.row).unwrap());
                        }
                    }
                    Err(e) => {
                        eprintln!("{e}");
                        std::process::exit(1)
                    }
                }
            }
        }
    }
    eprintln!("all {:?}", t.elapsed());
}
