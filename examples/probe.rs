use racgen::*;
use std::time::*;
fn main() {
    let d = std::env::args().nth(1).unwrap();
    let nb: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let rd = |p: &str| Source::new(p, std::fs::read_to_string(p).unwrap());
    let mut facts = String::new();
    for i in 1..=nb {
        facts += &format!("block(b{i}).");
    }
    let auto = "ask(on(X,Y),verify):-fluent(on(X,Y)). answer(on(X,Y),yes) :- now(on(X,Y)). ask(executable(A),verify):-action(A). answer(executable(A),yes):-can(A). ask(executable_actions,count). member(executable_actions,A):-can(A).";
    let p = Program {
        sources: vec![
            rd("asp/kernel.lp"),
            rd("asp/open.lp"),
            rd("asp/ask.lp"),
            rd(&format!("domains/{d}/domain.lp")),
            rd(&format!("domains/{d}/questions.lp")),
            Source::new("f", facts.clone()),
            Source::new("auto", auto),
        ],
        parts: vec![],
        constants: vec![("n".into(), 1), ("blocks".into(), nb as i64), ("towers".into(), 4)],
    };
    let t = Instant::now();
    let mut e = Engine::new(p, Duration::from_secs(10)).unwrap();
    println!(
        "ground {:?} fluents {} actions {} q {} a {}",
        t.elapsed(),
        e.fluents.len(),
        e.actions.len(),
        e.questions.len(),
        e.answers.len()
    );
    let w = Program {
        sources: vec![
            rd("asp/kernel.lp"),
            rd("asp/open.lp"),
            rd(&format!("domains/{d}/domain.lp")),
            rd(&format!("domains/{d}/world.lp")),
            Source::new("f", facts),
        ],
        parts: vec!["situation".into()],
        constants: vec![("n".into(), 0), ("towers".into(), 4)],
    };
    let t = Instant::now();
    let mut s = w.search(&[("holds", 2)], Some(7), Duration::from_secs(10)).unwrap();
    println!("world ground {:?}", t.elapsed());
    let t = Instant::now();
    let mut init = None;
    for _ in 0..100 {
        init = s.next().unwrap();
    }
    println!("world sample {:?}", t.elapsed() / 100);
    let init = init.unwrap();
    let mut sit = BitSet::new(e.fluents.len());
    for a in &init {
        let f = &a.args()[0];
        if let Ok(i) = e.fluents.binary_search(f) {
            if e.inertial.contains(i) {
                sit.insert(i)
            }
        }
    }
    let t = Instant::now();
    let mut r = None;
    for _ in 0..100 {
        r = e.consider(&sit, None).unwrap();
    }
    println!("sheet {:?}", t.elapsed() / 100);
    let (o, sh) = r.unwrap();
    println!("exec {} answers {}", o.executable.len(), sh.iter().count());
    let t = Instant::now();
    let mut cur = o.clone();
    for k in 0..1000 {
        let a = cur.executable[k * 7 % cur.executable.len()];
        cur = e.step(&cur.situation, a).unwrap().unwrap();
    }
    println!("step {:?}", t.elapsed() / 1000);
    let t = Instant::now();
    e.judge_sheet(&sit, None, &sh).unwrap();
    println!("judge first {:?}", t.elapsed());
    let t = Instant::now();
    e.judge_sheet(&sit, None, &sh).unwrap();
    println!("judge next {:?}", t.elapsed());
    let mut cur = o;
    for k in 0..50 {
        let a = cur.executable[k * 7 % cur.executable.len()];
        let n = e.step(&cur.situation, a).unwrap();
        e.judge_step(&cur.situation, a, n.as_ref()).unwrap();
        cur = n.unwrap();
    }
    println!("judged {:?}", t.elapsed());
}
