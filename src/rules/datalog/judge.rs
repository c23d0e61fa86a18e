//! Rules and facts to what clingo says: consequences, and which rules and body atoms they depend on.
//!
//! Predicates and constants go to clingo as numbers, so no name can be misread. Each atom has one argument more, always
//! 0: gringo's hash of a key of one column has the same low bits for all numbers below 2^27, so that the rows of such
//! an index are searched one by one. Over two columns it spreads them; see `tail`.

use std::fmt::Write;

use racgen_logic::clingo::{NumberedFact, Program, Source};
use rustc_hash::FxHashSet as HashSet;

use crate::rules::datalog::syntax::{Arg, Atom, Fact, Rule};
use crate::rules::error::RulesError;

/// Constants that stand in, at first, for a head variable whose body atom is dropped.
const GUARDS: usize = 20;

/// The last argument of the atoms of a rule: a variable that its body binds to 0. Where two atoms share one variable
/// of the rule, they now share two, so gringo's index over both is a fast one.
fn tail(bodiless: bool) -> char {
    if bodiless { '0' } else { 'Z' }
}

fn write_atom(prefix: &str, atom: &Atom, tail: char, out: &mut String) {
    _ = write!(out, "{prefix}{}(", atom.predicate);
    for arg in &atom.args {
        _ = match arg {
            Arg::Variable(variable) => write!(out, "V{variable},"),
            Arg::Constant(constant) => write!(out, "{constant},"),
        };
    }
    out.push(tail);
    out.push(')');
}

fn write_fact(prefix: &str, fact: &Fact, out: &mut String) {
    _ = write!(out, "{prefix}{}(", fact.predicate);
    for constant in &fact.args {
        _ = write!(out, "{constant},");
    }
    out.push_str("0).\n");
}

fn write_body(body: &[&Atom], out: &mut String) {
    for (i, atom) in body.iter().enumerate() {
        out.push_str(if i == 0 { " :- " } else { ", " });
        write_atom("p", atom, tail(false), out);
    }
}

fn write_rules<'r>(rules: impl Iterator<Item = &'r Rule>, out: &mut String) {
    for rule in rules {
        write_atom("p", &rule.head, tail(rule.body.is_empty()), out);
        write_body(&rule.body.iter().collect::<Vec<_>>(), out);
        out.push_str(".\n");
    }
}

/// The predicates of rules and facts, ascending.
fn predicates(rules: &[Rule], facts: &[Fact]) -> Vec<(u32, usize)> {
    let of_rules = rules.iter().flat_map(|rule| std::iter::once(&rule.head).chain(&rule.body));
    let mut all: Vec<(u32, usize)> = of_rules.map(|atom| (atom.predicate, atom.args.len())).collect();
    all.sort_unstable();
    all.dedup();
    let mut of_facts: Vec<(u32, usize)> = Vec::new();
    for fact in facts {
        let one = (fact.predicate, fact.args.len());
        if of_facts.last() != Some(&one) {
            of_facts.push(one);
        }
    }
    all.extend(of_facts);
    all.sort_unstable();
    all.dedup();
    all
}

/// The atoms of the shown predicates, by their places, with their arguments.
fn solve(text: String, shown: &[(String, usize)]) -> Result<Vec<NumberedFact>, RulesError> {
    let program = Program { sources: vec![Source::new("rules", text)], ..Program::default() };
    let shown: Vec<(&str, usize)> = shown.iter().map(|(name, arity)| (name.as_str(), *arity)).collect();
    Ok(program.facts(&shown)?)
}

fn fact_text(facts: &[Fact]) -> String {
    let mut text = String::with_capacity(facts.len() * 16);
    facts.iter().for_each(|fact| write_fact("p", fact, &mut text));
    text
}

/// Everything that holds, sorted: the facts and, by clingo, what follows from them.
///
/// # Errors
/// Those of clingo.
pub fn consequences(rules: &[Rule], facts: &[Fact]) -> Result<Vec<Fact>, RulesError> {
    let mut text = fact_text(facts);
    write_rules(rules.iter(), &mut text);
    // clingo need not know which predicates have no facts and no rules.
    let predicates = predicates(rules, facts);
    for (predicate, arity) in &predicates {
        _ = writeln!(text, "#defined p{predicate}/{}.", arity + 1);
    }
    let shown: Vec<(String, usize)> =
        predicates.iter().map(|(p, arity)| (format!("p{p}"), arity + 1)).collect();
    let fact = |(place, args): NumberedFact| {
        let mut args = args.into_vec();
        args.pop();
        Fact { predicate: predicates[place].0, args: args.into() }
    };
    let mut all: Vec<Fact> = solve(text, &shown)?.into_iter().map(fact).collect();
    all.sort_unstable();
    Ok(all)
}

/// A rule, or one of its body atoms, whose loss goes unnoticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dispensable {
    /// Index of the rule.
    pub rule: usize,
    /// Index of the body atom; none for the rule as a whole.
    pub atom: Option<usize>,
}

/// The constants of facts, in the order they come in.
fn constants(facts: &[Fact]) -> Vec<u32> {
    let mut seen = HashSet::default();
    facts
        .iter()
        .flat_map(|fact| fact.args.iter().copied())
        .filter(|constant| seen.insert(*constant))
        .collect()
}

/// The variables of a rule's head that are in its body only in the atom of this place, each once.
fn lost(rule: &Rule, dropped: usize) -> Vec<u32> {
    let rest = rule.body.iter().enumerate().filter(|(i, _)| *i != dropped);
    let bound: Vec<u32> = rest.flat_map(|(_, atom)| atom.variables()).collect();
    let mut lost: Vec<u32> = rule.head.variables().filter(|v| !bound.contains(v)).collect();
    lost.sort_unstable();
    lost.dedup();
    lost
}

fn rest(rule: &Rule, dropped: usize) -> Vec<&Atom> {
    rule.body.iter().enumerate().filter(|(i, _)| *i != dropped).map(|(_, atom)| atom).collect()
}

/// Further `wider` of body atoms whose loss frees head variables, where the first constants showed none: of
/// some instance of the shorter rule, fewer heads hold than there are values of the free variables.
fn wider_by_count(
    rules: &[Rule],
    facts: &[Fact],
    told: &[NumberedFact],
) -> Result<Vec<NumberedFact>, RulesError> {
    let constants = constants(facts);
    if constants.len() <= GUARDS {
        return Ok(Vec::new());
    }
    let mut queries = String::new();
    for (number, rule) in rules.iter().enumerate() {
        for dropped in 0..rule.body.len() {
            let lost = lost(rule, dropped);
            let is_told = told
                .iter()
                .any(|(place, args)| *place == 0 && args.iter().map(|n| *n as usize).eq([number, dropped]));
            if lost.is_empty() || is_told {
                continue;
            }
            let rest = rest(rule, dropped);
            let tail = tail(rest.is_empty());
            // An instance of the shorter rule: what it leaves of the head.
            let mut kept: Vec<u32> = rule.head.variables().filter(|v| !lost.contains(v)).collect();
            kept.sort_unstable();
            kept.dedup();
            let mut instance = format!("instance{number}_{dropped}(");
            kept.iter().for_each(|v| _ = write!(instance, "V{v},"));
            instance.push(tail);
            instance.push(')');
            queries += &instance;
            write_body(&rest, &mut queries);
            let heads = i32::try_from(lost.len()).ok().and_then(|free| {
                i32::try_from(constants.len()).ok().and_then(|all| all.checked_pow(free as u32))
            });
            let tuple: Vec<String> = lost.iter().map(|v| format!("V{v}")).collect();
            _ = write!(
                queries,
                ".\nwider({number},{dropped}) :- {instance}, #count {{ {} : ",
                tuple.join(",")
            );
            write_atom("p", &rule.head, tail, &mut queries);
            lost.iter().for_each(|v| _ = write!(queries, ", constant(V{v})"));
            // More than clingo can count are more than it can have derived.
            _ = writeln!(queries, " }} < {}.", heads.unwrap_or(i32::MAX));
        }
    }
    if queries.is_empty() {
        return Ok(Vec::new());
    }
    let mut text = fact_text(facts);
    write_rules(rules.iter(), &mut text);
    for (predicate, arity) in predicates(rules, facts) {
        _ = writeln!(text, "#defined p{predicate}/{}.", arity + 1);
    }
    constants.iter().for_each(|constant| _ = writeln!(text, "constant({constant})."));
    solve(text + &queries, &[("wider".into(), 2)])
}

/// The rules and body atoms that can be dropped without a change of the consequences, by clingo.
///
/// Without a body atom a rule set derives more exactly if some instance of the shorter rule has its body, but not
/// its head, among the old consequences. Where a head variable is lost, it ranges over the constants of the facts: the
/// first 20 are tried, and where they show nothing, the old consequences are counted. Without a rule it derives less
/// if some fact, not given, follows in one step by no other rule; where there is none, the consequences without the
/// rule are derived and compared.
///
/// # Errors
/// Those of clingo.
pub fn dispensable(rules: &[Rule], facts: &[Fact]) -> Result<Vec<Dispensable>, RulesError> {
    let mut text = fact_text(facts);
    write_rules(rules.iter(), &mut text);
    let heads = |predicate: u32| rules.iter().any(|rule| rule.head.predicate == predicate);
    for fact in facts.iter().filter(|fact| heads(fact.predicate)) {
        write_fact("s", fact, &mut text);
    }
    for constant in constants(facts).iter().take(GUARDS) {
        _ = writeln!(text, "guard({constant}).");
    }
    for (predicate, arity) in predicates(rules, facts) {
        _ = writeln!(text, "#defined p{predicate}/{0}. #defined s{predicate}/{0}.", arity + 1);
    }
    text.push_str("#defined guard/1.\n");
    for (number, rule) in rules.iter().enumerate() {
        for dropped in 0..rule.body.len() {
            let rest = rest(rule, dropped);
            let lost = lost(rule, dropped);
            _ = write!(text, "wider({number},{dropped})");
            write_body(&rest, &mut text);
            for (i, variable) in lost.iter().enumerate() {
                let first = i == 0 && rest.is_empty();
                _ = write!(text, "{} guard(V{variable})", if first { " :-" } else { "," });
            }
            text.push_str(if rest.is_empty() && lost.is_empty() { " :- not " } else { ", not " });
            write_atom("p", &rule.head, tail(rest.is_empty()), &mut text);
            text.push_str(".\n");
        }
        let others: Vec<usize> = (0..rules.len())
            .filter(|other| *other != number && rules[*other].head.predicate == rule.head.predicate)
            .collect();
        _ = write!(text, "needed({number})");
        write_body(&rule.body.iter().collect::<Vec<_>>(), &mut text);
        text.push_str(if rule.body.is_empty() { " :- not " } else { ", not " });
        let tail = tail(rule.body.is_empty());
        write_atom("s", &rule.head, tail, &mut text);
        for other in &others {
            _ = write!(text, ", not ");
            write_atom(&format!("by{other}_"), &rule.head, tail, &mut text);
        }
        text.push_str(".\n");
        write_atom(&format!("by{number}_"), &rule.head, tail, &mut text);
        write_body(&rule.body.iter().collect::<Vec<_>>(), &mut text);
        text.push_str(".\n");
        _ = writeln!(text, "#defined by{number}_{}/{}.", rule.head.predicate, rule.head.args.len() + 1);
    }
    let mut told = solve(text, &[("wider".into(), 2), ("needed".into(), 1)])?;
    told.extend(wider_by_count(rules, facts, &told)?);
    let mut all = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        let is_told = |place: usize, args: &[usize]| {
            let fits = |told: &[u32]| told.iter().map(|n| *n as usize).eq(args.iter().copied());
            told.iter().any(|(found, numbers)| *found == place && fits(numbers))
        };
        if !is_told(1, &[number]) {
            let without: Vec<Rule> = rules
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != number)
                .map(|(_, rule)| rule.clone())
                .collect();
            if consequences(&without, facts)?.len() == consequences(rules, facts)?.len() {
                all.push(Dispensable { rule: number, atom: None });
            }
        }
        for atom in 0..rule.body.len() {
            if !is_told(0, &[number, atom]) {
                all.push(Dispensable { rule: number, atom: Some(atom) });
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::datalog::reader::{Syntax, read_facts, read_rules};
    use crate::rules::datalog::syntax::Vocabulary;

    fn parts(rules: &str, facts: &str) -> (Vec<Rule>, Vec<Fact>) {
        let mut vocabulary = Vocabulary::default();
        let read = read_rules(rules, "r", Syntax::Auto, &mut vocabulary).expect("rules");
        let facts = read_facts(facts, "f", &mut vocabulary).expect("facts");
        (read.into_iter().map(|read| read.rule).collect(), facts)
    }

    /// The second rule derives nothing new for the first 30 constants, but does for the last one.
    #[test]
    fn freed_head_variables_range_over_all_constants() {
        let text = |most: usize| -> String {
            let mut text: String = (0..30).map(|i| format!("r(c{i}). ")).collect();
            text += "s(a). s(c0). r(a). u(b). ";
            text += if most == 0 { "" } else { "r(b)." };
            text
        };
        let rules = "p(X,Y) :- s(X), r(Y).";
        let freed = Dispensable { rule: 0, atom: Some(1) };
        let (rules_read, facts) = parts(rules, &text(0));
        // p(a,b) would be new.
        assert!(!dispensable(&rules_read, &facts).expect("clingo").contains(&freed));
        // With r(b) everything is an r, and the atom says nothing.
        let (rules_read, facts) = parts(rules, &text(1));
        assert_eq!(dispensable(&rules_read, &facts).expect("clingo"), [freed]);
    }

    #[test]
    fn atoms_without_arguments_and_rules_without_bodies_pass_through() {
        let (rules, facts) = parts("p :- q, r(X). t(a). v(X) :- t(X), p.", "q. r(b).");
        let all = consequences(&rules, &facts).expect("clingo");
        // q, r(b), p, t(a), v(a).
        assert_eq!(all.iter().map(|fact| fact.args.len()).sum::<usize>(), 3);
        assert_eq!(all.len(), 5);
    }
}
