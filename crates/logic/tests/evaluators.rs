//! Promise: clingo and all evaluators agree on random programs, in any order of situations.

use std::error::Error;
use std::time::Duration;

use racgen_logic::clingo::{Program, Search, Source};
use racgen_logic::evaluate::Unsupported;
use racgen_logic::evaluate::circuit::{Circuit, Pass, VIOLATION};
use racgen_logic::evaluate::incremental::{IncrementalEvaluator, IncrementalValues};
use racgen_logic::evaluate::lanes::{LaneEvaluator, Settled, Word};
use racgen_logic::ground::GroundProgram;
use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

type Outcome = Result<(), Box<dyn Error>>;

/// Inputs of a random program, and atoms of each stratum and strata in it.
const INPUTS: usize = 6;
const STRATUM: usize = 5;
const STRATA: usize = 3;
/// Programs of a test, and changes of inputs in each.
const PROGRAMS: usize = 80;
const CHANGES: usize = 30;

/// The inputs of a situation that is consistent, and the atoms that are true in it.
type Judgement = Option<Vec<u32>>;

/// A literal for an atom of a stratum: an input, an atom of a lower stratum, or one of its own, negated only where
/// that makes no loop through negation, or where such `loops` are wanted.
fn literal(stratum: usize, loops: bool, rng: &mut ChaCha8Rng) -> String {
    let negated = if rng.random_bool(0.4) { "not " } else { "" };
    match rng.random_range(0..10) {
        0..4 => format!("{negated}i({})", rng.random_range(0..INPUTS)),
        4..6 if stratum > 0 => format!("{negated}a({})", rng.random_range(0..stratum * STRATUM)),
        _ => {
            let negated = if loops { negated } else { "" };
            format!("{negated}a({})", stratum * STRATUM + rng.random_range(0..STRATUM))
        }
    }
}

fn literals(most: usize, stratum: usize, loops: bool, rng: &mut ChaCha8Rng) -> Vec<String> {
    (0..rng.random_range(1..=most)).map(|_| literal(stratum, loops, rng)).collect()
}

/// A body: literals, or the bound on the weights of some.
fn body(stratum: usize, loops: bool, rng: &mut ChaCha8Rng) -> String {
    if rng.random_bool(0.8) {
        return literals(3, stratum, loops, rng).join(", ");
    }
    let weighted = literals(4, stratum, loops, rng).into_iter().enumerate();
    let weighted = weighted.map(|(n, l)| format!("{},{n}: {l}", rng.random_range(1..4)));
    let weighted = weighted.collect::<Vec<_>>().join("; ");
    format!("{} #sum {{ {weighted} }}", rng.random_range(1..5))
}

/// A random program: inputs, strata of atoms that may depend on each other, and a constraint.
fn program(loops: bool, rng: &mut ChaCha8Rng) -> Program {
    let mut text = format!("{{ i(0..{}) }}.\n#defined a/1.\n", INPUTS - 1);
    for atom in 0..STRATA * STRATUM {
        for _ in 0..rng.random_range(1..4) {
            text += &format!("a({atom}) :- {}.\n", body(atom / STRATUM, loops, rng));
        }
    }
    text += &format!(":- {}.\n", literals(3, STRATA - 1, false, rng).join(", "));
    Program { sources: vec![Source::new("random.lp", text)], ..Program::default() }
}

const SHOWN: [(&str, usize); 2] = [("i", 1), ("a", 1)];

/// The numbers of the atoms of a predicate that grounding did not decide.
fn open(ground: &GroundProgram, name: &str) -> Vec<u32> {
    ground.predicate(name, 1).filter_map(|(_, atom)| atom).collect()
}

/// What the network says, which must have been told all inputs.
fn evaluated(network: &IncrementalEvaluator, values: &mut IncrementalValues, targets: &[u32]) -> Judgement {
    let consistent = network.settle(values);
    let truth = |atom: &&u32| network.truth(values, **atom);
    consistent.then(|| targets.iter().filter(truth).copied().collect())
}

/// What the lanes say of situations, one in each.
fn in_lanes(
    evaluator: &LaneEvaluator,
    situations: &[Vec<(u32, bool)>],
    targets: &[u32],
) -> Vec<Result<Judgement, Unsupported>> {
    let mut values = evaluator.values::<2>();
    let mut found = Vec::new();
    for some in situations.chunks(Word::<2>::LANES) {
        for input in some.first().into_iter().flatten().map(|(input, _)| *input) {
            let mut word = Word::NONE;
            for (lane, situation) in some.iter().enumerate() {
                if situation.contains(&(input, true)) {
                    word.insert(lane);
                }
            }
            values.set(input, word);
        }
        let verdict = evaluator.run(&mut values);
        found.extend((0..some.len()).map(|lane| {
            let truth = |atom: &&u32| values.get(**atom).get(lane);
            match (verdict.undecided.get(lane), verdict.inconsistent.get(lane)) {
                (true, _) => Err(Unsupported::Undecided),
                (false, true) => Ok(None),
                (false, false) => Ok(Some(targets.iter().filter(truth).copied().collect())),
            }
        }));
    }
    found
}

/// What the lanes say of the first situation, and of all that have its first inputs in common, once these are folded
/// into the evaluator and it is cut down to what the targets need.
fn in_folded_lanes(
    lanes: &LaneEvaluator,
    situations: &[Vec<(u32, bool)>],
    known: usize,
    targets: &[u32],
) -> Vec<(usize, Result<Judgement, Unsupported>)> {
    let known = &situations[0][..known];
    let alike = |situation: &Vec<(u32, bool)>| known.iter().all(|input| situation.contains(input));
    let all: Vec<usize> = (0..situations.len()).filter(|number| alike(&situations[*number])).collect();
    let folded = lanes.fold(known, &[], targets).unwrap();
    let places: Vec<(u32, Settled)> = targets.iter().map(|atom| (*atom, folded.settled(*atom))).collect();
    let open = |place: Settled| if let Settled::Open(number) = place { Some(number) } else { None };
    let numbers: Vec<u32> = places.iter().filter_map(|(_, place)| open(*place)).collect();
    let part = folded.evaluator.part(&numbers);
    let renumbered = |situation: &Vec<(u32, bool)>| {
        let open =
            situation.iter().filter_map(|(input, value)| Some((open(folded.settled(*input))?, *value)));
        open.collect()
    };
    let chosen: Vec<Vec<(u32, bool)>> = all.iter().map(|number| renumbered(&situations[*number])).collect();
    let found = in_lanes(&part, &chosen, &numbers).into_iter().map(|judgement| {
        judgement.map(|consistent| {
            consistent.map(|truth| {
                let holds = |place: Settled| match place {
                    Settled::Is(value) => value,
                    Settled::Open(number) => truth.contains(&number),
                };
                places.iter().filter(|(_, place)| holds(*place)).map(|(atom, _)| *atom).collect()
            })
        })
    });
    all.into_iter().zip(found).collect()
}

/// What a circuit says of situations, one in each lane. Half of the targets are worked out in a second pass.
fn in_a_circuit(
    ground: &GroundProgram,
    exactly_one: &[Vec<u32>],
    situations: &[Vec<(u32, bool)>],
    targets: &[u32],
) -> Result<Vec<Judgement>, Unsupported> {
    let inputs: Vec<u32> = situations[0].iter().map(|(input, _)| *input).collect();
    let (first, second) = targets.split_at(targets.len() / 2);
    let passes = [
        Pass { targets: [&[VIOLATION], first].concat(), after: None },
        Pass { targets: second.to_vec(), after: Some(0) },
    ];
    let circuit = Circuit::new(ground, &inputs, exactly_one, &passes)?;
    let mut values = circuit.values::<1>();
    let mut found = Vec::new();
    for some in situations.chunks(Word::<1>::LANES) {
        for (place, input) in inputs.iter().enumerate() {
            let mut word = Word::NONE;
            (0..some.len())
                .filter(|lane| some[*lane].contains(&(*input, true)))
                .for_each(|lane| word.insert(lane));
            values.set(place, word);
        }
        circuit.run(0, &mut values);
        circuit.run(1, &mut values);
        found.extend((0..some.len()).map(|lane| {
            if values.get(circuit.output(0, 0)).get(lane) {
                return None;
            }
            let outputs = circuit.outputs(0)[1..].iter().chain(circuit.outputs(1));
            let truth = targets.iter().zip(outputs).filter(|(_, output)| values.get(**output).get(lane));
            Some(truth.map(|(atom, _)| *atom).collect())
        }));
    }
    Ok(found)
}

/// Sums with members of their own loop are the one thing that stratified programs here have and circuits do not.
fn no_recursive_sum<T>(found: Result<T, Unsupported>) -> Result<Option<T>, Unsupported> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Unsupported::RecursiveSum) => Ok(None),
        Err(why) => Err(why),
    }
}

/// What clingo says: all answer sets under the inputs, but no more than two.
fn searched(
    search: &mut Search,
    inputs: &[(u32, bool)],
    targets: &[u32],
) -> Result<Vec<Vec<u32>>, Box<dyn Error>> {
    let found = search.truth(inputs, 2)?;
    Ok(found.iter().map(|truth| targets.iter().filter(|a| truth.holds(**a)).copied().collect()).collect())
}

/// Stratified programs have at most one answer set in each situation, and everybody finds it.
#[test]
fn all_agree_on_stratified_programs() -> Outcome {
    let mut rng = stream(7, &["stratified"]);
    let (mut loops, mut consistent, mut inconsistent, mut changed, mut circuits) = (0, 0, 0, 0, 0);
    let mut folded = 0;
    for _ in 0..PROGRAMS {
        let program = program(false, &mut rng);
        let text = program.sources[0].text.clone();
        let ground = program.ground(&SHOWN)?;
        let mut search = program.search(&SHOWN, None, Duration::from_secs(60))?;
        let (inputs, targets) = (open(&ground, "i"), open(&ground, "a"));
        let shown: Vec<Option<u32>> = targets.iter().map(|atom| Some(*atom)).collect();
        let network = IncrementalEvaluator::new(&ground, &inputs[INPUTS / 2..], &shown)?;
        loops += network.loops();
        let mut values = network.values();
        let mut situation: Vec<(u32, bool)> = inputs.iter().map(|input| (*input, false)).collect();
        let mut last = None;
        let (mut seen, mut judgements) = (Vec::new(), Vec::new());
        for _ in 0..CHANGES {
            let (input, value) = &mut situation[rng.random_range(0..inputs.len())];
            *value = !*value;
            network.set(&mut values, *input, *value);
            if rng.random_bool(0.2) {
                network.settle_early(&mut values);
                continue;
            }
            let judged = searched(&mut search, &situation, &targets)?;
            assert!(judged.len() < 2, "two answer sets in {situation:?}\n{text}");
            let judged = judged.into_iter().next();
            assert_eq!(evaluated(&network, &mut values, &targets), judged, "network, {situation:?}\n{text}");
            for (position, atom) in targets.iter().enumerate() {
                let bit = values.bits()[position / 64] >> (position % 64) & 1 == 1;
                assert_eq!(bit, network.truth(&values, *atom), "bit of {atom}\n{text}");
            }
            *(if judged.is_some() { &mut consistent } else { &mut inconsistent }) += 1;
            changed += usize::from(judged != last);
            seen.push(situation.clone());
            judgements.push(Ok(judged.clone()));
            last = judged;
        }
        let lanes = LaneEvaluator::new(&ground, &targets)?;
        assert_eq!(in_lanes(&lanes, &seen, &targets), judgements, "lanes\n{text}");
        for known in 0..=INPUTS {
            for (number, found) in in_folded_lanes(&lanes, &seen, known, &targets) {
                assert_eq!(found, judgements[number], "folded lanes, {:?}\n{text}", &seen[0][..known]);
                folded += 1;
            }
        }
        if let Some(found) = no_recursive_sum(in_a_circuit(&ground, &[], &seen, &targets))? {
            circuits += 1;
            let found: Vec<Result<Judgement, Unsupported>> = found.into_iter().map(Ok).collect();
            assert_eq!(found, judgements, "circuit\n{text}");
        }
    }
    // The programs are no trifles: most changes of inputs change what follows, and atoms depend on each other.
    println!(
        "{loops} loops, {consistent} consistent and {inconsistent} inconsistent situations, {changed} changes, \
         {circuits} circuits"
    );
    assert!(loops > PROGRAMS && consistent > 500 && inconsistent > 100 && changed > 500);
    assert!(circuits > PROGRAMS / 10 && folded > PROGRAMS * CHANGES);
    Ok(())
}

/// With loops through negation the lanes decide some situations, which then have the one answer set that they name; the
/// network takes no such program.
#[test]
fn what_is_decided_in_negative_loops_is_right() -> Outcome {
    let mut rng = stream(7, &["negative loops"]);
    let (mut decided, mut undecided, mut refused) = (0, 0, 0);
    for _ in 0..PROGRAMS {
        let program = program(true, &mut rng);
        let text = program.sources[0].text.clone();
        let ground = program.ground(&SHOWN)?;
        let mut search = program.search(&SHOWN, None, Duration::from_secs(60))?;
        let (inputs, targets) = (open(&ground, "i"), open(&ground, "a"));
        refused += usize::from(IncrementalEvaluator::new(&ground, &[], &[]).is_err());
        let mut any = |input: &u32| (*input, rng.random_bool(0.5));
        let situations: Vec<Vec<(u32, bool)>> =
            (0..CHANGES).map(|_| inputs.iter().map(&mut any).collect()).collect();
        let lanes = LaneEvaluator::new(&ground, &targets)?;
        let judgements = in_lanes(&lanes, &situations, &targets);
        for known in 0..=INPUTS {
            for (number, found) in in_folded_lanes(&lanes, &situations, known, &targets) {
                assert_eq!(found, judgements[number], "folded, {:?}\n{text}", &situations[0][..known]);
            }
        }
        for (situation, judgement) in situations.iter().zip(judgements) {
            match judgement {
                Ok(judgement) => {
                    let judged = searched(&mut search, situation, &targets)?;
                    assert_eq!(judged, Vec::from_iter(judgement), "{situation:?}\n{text}");
                    decided += 1;
                }
                Err(Unsupported::Undecided) => undecided += 1,
                Err(why) => return Err(why.into()),
            }
        }
    }
    println!("{decided} situations decided, {undecided} undecided; the network refused {refused} programs");
    assert!(decided > 200 && undecided > 200 && refused > PROGRAMS / 2);
    Ok(())
}

/// Where exactly one of some inputs is true, a circuit that was told so says what clingo says.
#[test]
fn a_circuit_reads_exactly_one_inputs_rightly() -> Outcome {
    let mut rng = stream(7, &["exactly one"]);
    let (mut smaller, mut consistent, mut circuits) = (0, 0, 0);
    // Most programs have a recursive sum somewhere.
    for _ in 0..4 * PROGRAMS {
        let groups = [rng.random_range(1..6), rng.random_range(2..9)];
        let text = exclusive_program(groups, &mut rng);
        let program = Program { sources: vec![Source::new("random.lp", text.clone())], ..Program::default() };
        let shown = [("i", 1), ("a", 1), ("g", 2)];
        let ground = program.ground(&shown)?;
        let mut search = program.search(&shown, None, Duration::from_secs(60))?;
        let (inputs, targets) = (open(&ground, "i"), open(&ground, "a"));
        let members: Vec<Vec<u32>> = (0..groups.len())
            .map(|group| {
                let of = |term: &racgen_logic::term::Term| term.args()[0].to_string() == group.to_string();
                ground.predicate("g", 2).filter(|(term, _)| of(term)).filter_map(|(_, atom)| atom).collect()
            })
            .collect();
        let mut situation = || -> Vec<(u32, bool)> {
            let mut all: Vec<(u32, bool)> = inputs.iter().map(|i| (*i, rng.random_bool(0.5))).collect();
            for group in &members {
                let chosen = rng.random_range(0..group.len());
                all.extend(group.iter().enumerate().map(|(n, atom)| (*atom, n == chosen)));
            }
            all
        };
        let situations: Vec<Vec<(u32, bool)>> = (0..CHANGES).map(|_| situation()).collect();
        let Some(found) = no_recursive_sum(in_a_circuit(&ground, &members, &situations, &targets))? else {
            continue;
        };
        circuits += 1;
        for (situation, judgement) in situations.iter().zip(found) {
            let judged = searched(&mut search, situation, &targets)?;
            consistent += usize::from(judgement.is_some());
            assert_eq!(Vec::from_iter(judgement), judged, "{situation:?}\n{text}");
        }
        let passes = [Pass { targets: targets.clone(), after: None }];
        let every: Vec<u32> = situations[0].iter().map(|(input, _)| *input).collect();
        let wires =
            |groups: &[Vec<u32>]| Circuit::new(&ground, &every, groups, &passes).map(|c| c.size().wires);
        smaller += usize::from(wires(&members)? < wires(&[])?);
    }
    println!("{circuits} circuits, {smaller} of them smaller for it, {consistent} consistent situations");
    assert!(circuits > PROGRAMS / 2 && smaller > circuits / 2 && consistent > 200);
    Ok(())
}

/// A random program as above, many of whose rules demand inputs of groups, one of which is true at a time.
fn exclusive_program(groups: [usize; 2], rng: &mut ChaCha8Rng) -> String {
    let mut text = format!("{{ i(0..{}) }}.\n#defined a/1.\n", INPUTS - 1);
    for (group, size) in groups.into_iter().enumerate() {
        text += &format!("{{ g({group},0..{}) }}.\n", size - 1);
    }
    for atom in 0..STRATA * STRATUM {
        for _ in 0..rng.random_range(1..3) {
            text += &format!("a({atom}) :- {}.\n", body(atom / STRATUM, false, rng));
        }
        // The same rule for many members, as for the frame axioms of games.
        let rest = literals(2, atom / STRATUM, false, rng).join(", ");
        let group = rng.random_range(0..groups.len());
        for member in (0..groups[group]).filter(|_| rng.random_bool(0.7)).collect::<Vec<_>>() {
            let negated = if rng.random_bool(0.1) { "not " } else { "" };
            text += &format!("a({atom}) :- {rest}, {negated}g({group},{member}).\n");
        }
    }
    text += &format!(":- {}.\n", literals(3, STRATA - 1, false, rng).join(", "));
    text
}
