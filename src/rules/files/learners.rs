//! A data set to the inputs of learners: Popper, Aleph, AMIE and FOIL.

use std::fmt::Write;

use racgen_data::error::DataError;
use racgen_data::write::files::Files;
use racgen_logic::seed::stream;
use rand::RngExt;
use rand::seq::SliceRandom;
use rustc_hash::FxHashSet as HashSet;

use crate::rules::datalog::syntax::{Arg, Fact, Rule, Vocabulary};
use crate::rules::files::sets::{Sets, indicator, listed, once};
use crate::rules::generate::dataset::RuleData;
use crate::rules::generate::wrong_rules::{WrongRule, refuting, wrong_rules};

/// Near misses for each wrong rule: that many at least, if the training facts have them.
const NEAR_MISSES: usize = 3;

/// As many false facts on a target as there are training facts on it, if there are as many. Half of them, and some for
/// each wrong rule in any case, refute rules that are wrong in one thing; the others are random.
fn negatives(data: &RuleData, sets: &Sets, target: u32) -> Vec<Fact> {
    let in_train: HashSet<&Fact> = sets.train.iter().copied().collect();
    let wanted = sets.train.iter().filter(|fact| fact.predicate == target).count();
    let mut rng = stream(data.settings.seed, &["rules", "negatives", &target.to_string()]);
    let mut found: HashSet<Fact> = HashSet::default();
    let mut order = Vec::new();
    let mut take = |fact: Fact, order: &mut Vec<Fact>| {
        let new = !sets.true_facts.contains(&fact) && !in_train.contains(&fact) && found.insert(fact.clone());
        if new {
            order.push(fact);
        }
        new
    };
    // In a large data set, uniform ones must do.
    if data.unrefuted.is_some() {
        let rules = data.rules();
        let wrong: Vec<WrongRule> =
            wrong_rules(&rules).into_iter().filter(|wrong| wrong.rule.head.predicate == target).collect();
        let each = NEAR_MISSES.max(wanted / 2 / wrong.len().max(1));
        for wrong in &wrong {
            let arities = data.vocabulary().arities();
            let facts = sets.train.iter().copied();
            let refuting =
                refuting(wrong, facts, &sets.true_facts, &sets.constants, arities, data.settings.seed);
            let mut left = each;
            for fact in refuting {
                if left == 0 {
                    break;
                }
                left -= usize::from(take(fact, &mut order));
            }
        }
    }
    for _ in 0..wanted * 20 {
        if order.len() >= wanted || sets.constants.is_empty() {
            break;
        }
        let draw = |_| sets.constants[rng.random_range(0..sets.constants.len())];
        let args = (0..data.vocabulary().arity(target)).map(draw).collect();
        take(Fact { predicate: target, args }, &mut order);
    }
    // Their order must not tell which is which.
    order.shuffle(&mut rng);
    order
}

fn wrapped(vocabulary: &Vocabulary, wrap: &str, facts: &mut dyn Iterator<Item = &Fact>) -> String {
    facts.map(|fact| format!("{wrap}({}).\n", vocabulary.fact(fact))).collect()
}

/// Training facts by predicate: those of one target, and all others.
fn parted<'d>(sets: &Sets<'d>, target: u32) -> (Vec<&'d Fact>, Vec<&'d Fact>) {
    let mut facts = sets.train.clone();
    facts.sort_by_key(|fact| fact.predicate);
    facts.into_iter().partition(|fact| fact.predicate == target)
}

pub(crate) fn popper(data: &RuleData, sets: &Sets, files: &Files) -> Result<(), DataError> {
    let vocabulary = data.vocabulary();
    for target in &data.graph.targets {
        let name = vocabulary.predicate_name(*target);
        let (positive, background) = parted(sets, *target);
        let negative = negatives(data, sets, *target);
        let examples = wrapped(vocabulary, "pos", &mut positive.into_iter())
            + &wrapped(vocabulary, "neg", &mut negative.iter());
        let rules: Vec<Rule> = data.rules();
        let variables = rules.iter().map(Rule::variables).max().unwrap_or(0);
        let mut bias = format!(
            "max_vars({variables}).\nmax_body({}).\nhead_pred({name},{}).\n",
            data.settings.max_length,
            vocabulary.arity(*target)
        );
        for predicate in sets.predicates.iter().filter(|predicate| *predicate != target) {
            _ = writeln!(
                bias,
                "body_pred({},{}).",
                vocabulary.predicate_name(*predicate),
                vocabulary.arity(*predicate)
            );
        }
        if data.settings.recursive {
            bias.push_str("enable_recursion.\n");
        }
        // Unless told so, Popper takes no rule with a variable that stands in it once.
        if rules.iter().any(|rule| !once(rule).is_empty()) {
            bias.push_str("allow_singletons.\n");
        }
        let bk = listed(vocabulary, background.into_iter());
        for (file, text) in [("bk.pl", &bk), ("exs.pl", &examples), ("bias.pl", &bias)] {
            files.text(format!("popper/{name}/{file}"), text)?;
        }
    }
    Ok(())
}

pub(crate) fn aleph(data: &RuleData, sets: &Sets, files: &Files) -> Result<(), DataError> {
    let vocabulary = data.vocabulary();
    for target in &data.graph.targets {
        let name = vocabulary.predicate_name(*target);
        let (positive, background) = parted(sets, *target);
        let negative = negatives(data, sets, *target);
        let names_constants = data
            .rules()
            .iter()
            .flat_map(|rule| &rule.body)
            .flat_map(|atom| &atom.args)
            .any(|arg| matches!(arg, Arg::Constant(_)));
        let modes = |predicate: u32, first: &str| {
            let arity = vocabulary.arity(predicate);
            let args: Vec<String> =
                (0..arity).map(|i| if i == 0 { first } else { "-entity" }.to_owned()).collect();
            format!("{}({})", vocabulary.predicate_name(predicate), args.join(","))
        };
        let head = modes(*target, "+entity").replace("-entity", "+entity");
        let mut text = format!(
            ":- set(clauselength,{}).\n:- set(i,{}).\n:- modeh(*,{head}).\n",
            data.settings.max_length + 1,
            data.settings.max_length + 1
        );
        for predicate in &sets.predicates {
            if predicate == target && !data.settings.recursive {
                continue;
            }
            // Any argument may be the known one, and any other one a constant, if the rules have some.
            let arity = vocabulary.arity(*predicate);
            for known in 0..arity {
                let named = (0..arity).filter(|i| names_constants && *i != known).map(Some);
                for named in std::iter::once(None).chain(named) {
                    let arg = |i| match i {
                        _ if i == known => "+entity",
                        _ if Some(i) == named => "#entity",
                        _ => "-entity",
                    };
                    let args: Vec<&str> = (0..arity).map(arg).collect();
                    let name = vocabulary.predicate_name(*predicate);
                    _ = writeln!(text, ":- modeb(*,{name}({})).", args.join(","));
                }
            }
            let (target, predicate) = (indicator(vocabulary, *target), indicator(vocabulary, *predicate));
            _ = writeln!(text, ":- determination({target},{predicate}).");
        }
        text += &listed(vocabulary, background.into_iter());
        files.text(format!("aleph/{name}.b"), &text)?;
        files.text(format!("aleph/{name}.f"), &listed(vocabulary, positive.into_iter()))?;
        files.text(format!("aleph/{name}.n"), &listed(vocabulary, negative.iter()))?;
    }
    Ok(())
}

/// AMIE knows relations of two arguments; one argument becomes `rdf:type`, more cannot be told.
pub(crate) fn triples(vocabulary: &Vocabulary, facts: &[&Fact]) -> String {
    let mut out = String::new();
    for fact in facts {
        let predicate = vocabulary.predicate_name(fact.predicate);
        _ = match &*fact.args {
            [one] => writeln!(out, "{}\trdf:type\t{predicate}", vocabulary.constant_name(*one)),
            [subject, object] => writeln!(
                out,
                "{}\t{predicate}\t{}",
                vocabulary.constant_name(*subject),
                vocabulary.constant_name(*object)
            ),
            _ => Ok(()),
        };
    }
    out
}

/// Types, then each relation with its tuples; `*` marks those that are not to be learned, and after `;` come
/// tuples that do not hold.
pub(crate) fn foil(data: &RuleData, sets: &Sets) -> String {
    let vocabulary = data.vocabulary();
    let constants: Vec<&str> = sets.constants.iter().map(|c| vocabulary.constant_name(*c)).collect();
    let mut out = format!("E: {}.\n\n", constants.join(",\n   "));
    for predicate in &sets.predicates {
        let target = data.graph.targets.contains(predicate);
        let types = vec!["E"; vocabulary.arity(*predicate)].join(",");
        let star = if target { "" } else { "*" };
        _ = writeln!(out, "{star}{}({types})", vocabulary.predicate_name(*predicate));
        let tuples = |facts: &mut dyn Iterator<Item = &Fact>, out: &mut String| {
            for fact in facts {
                let args: Vec<&str> = fact.args.iter().map(|c| vocabulary.constant_name(*c)).collect();
                _ = writeln!(out, "{}", args.join(","));
            }
        };
        tuples(&mut sets.train.iter().copied().filter(|fact| fact.predicate == *predicate), &mut out);
        if target {
            out.push_str(";\n");
            tuples(&mut negatives(data, sets, *predicate).iter(), &mut out);
        }
        out.push_str(".\n");
    }
    out
}
