//! Facts and rules to sentences about persons, in the words of the language that all rule sets share.

use std::convert::Infallible;
use std::sync::LazyLock;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use serde::Deserialize;

use crate::language::tell::verbalize::{ToldText, Verbalize};
use crate::language::words::text::{SEPARATOR, conjoined};
use crate::rules::datalog::syntax::{Arg, Atom, Fact, Rule};
use crate::rules::error::RulesError;
use crate::rules::generate::dataset::RuleData;

/// Words and sentences; what they are is said in the file.
#[derive(Debug, Deserialize)]
pub(crate) struct Language {
    pub(crate) persons: Vec<String>,
    pub(crate) letters: Vec<String>,
    pub(crate) qualities: Vec<String>,
    pub(crate) relations: Vec<String>,
    pub(crate) transfers: Vec<String>,
    pub(crate) lists: Vec<String>,
    pub(crate) seconds: Vec<String>,
    pub(crate) rules: Vec<String>,
    pub(crate) leads: Vec<String>,
    pub(crate) closed: Vec<String>,
    pub(crate) questions: Vec<String>,
}

pub(crate) static LANGUAGE: LazyLock<Result<Language, String>> =
    LazyLock::new(|| toml::from_str(include_str!("language.toml")).map_err(|error| error.to_string()));

/// The phrases of all predicates of a data set.
pub(crate) struct Phrases {
    pub(crate) language: &'static Language,
    /// For each predicate: arity, word, and what follows the last argument.
    words: Vec<(usize, String, String)>,
}

impl Phrases {
    /// Draws words for the predicates of a data set.
    ///
    /// # Errors
    /// More predicates than there are words.
    pub(crate) fn new(data: &RuleData, rng: &mut ChaCha8Rng) -> Result<Phrases, RulesError> {
        let language = LANGUAGE.as_ref().map_err(|error| RulesError::Settings(error.clone()))?;
        let kind = |arity: usize| arity.clamp(1, 4) - 1;
        let mut pools =
            [&language.qualities, &language.relations, &language.transfers, &language.lists].map(|words| {
                let mut words = words.clone();
                words.shuffle(rng);
                words
            });
        pools.iter_mut().for_each(|pool| pool.reverse());
        let mut used = [0; 4];
        let mut words = Vec::new();
        for arity in data.vocabulary().arities() {
            let pool = &pools[kind(*arity)];
            let number = used[kind(*arity)];
            used[kind(*arity)] += 1;
            let second = language.seconds.get(number / pool.len()).ok_or_else(|| {
                RulesError::Settings(format!(
                    "--questions has words for {} predicates of {arity} arguments; ask for fewer --predicates, or \
                     for --questions 0",
                    pool.len() * language.seconds.len()
                ))
            })?;
            words.push((*arity, pool[number % pool.len()].clone(), second.clone()));
        }
        Ok(Phrases { language, words })
    }

    /// A clause without capital and full stop.
    fn clause(&self, predicate: u32, args: &[&str]) -> String {
        let (arity, word, second) = &self.words[predicate as usize];
        match (arity, args) {
            (1, [a]) => format!("{a} is {word}{second}"),
            (2, [a, b]) => format!("{a} {word} {b}{second}"),
            (3, [a, b, c]) => format!("{a} {word} {b} to {c}{second}"),
            (_, []) => word.clone(),
            _ => format!("{} are listed in this order {word}{second}", conjoined(args)),
        }
    }
}

/// The number of one of these forms.
pub(crate) fn pick(forms: &[String], rng: &mut ChaCha8Rng) -> usize {
    rng.random_range(0..forms.len().max(1))
}

/// Says things about one story.
pub(crate) struct RuleVerbalizer<'a> {
    /// The words for predicates.
    pub(crate) phrases: &'a Phrases,
    /// The names of persons.
    pub(crate) persons: &'a [String],
    /// The rules.
    pub(crate) rules: &'a [Rule],
}

impl RuleVerbalizer<'_> {
    fn form<'f>(&self, forms: &'f [String], rng: &mut ChaCha8Rng) -> &'f str {
        forms.get(pick(forms, rng)).map_or("", String::as_str)
    }

    fn letter(&self, variable: u32) -> String {
        let letter = self.phrases.language.letters.get(variable as usize);
        letter.cloned().unwrap_or_else(|| format!("X{variable}"))
    }

    /// The clause of an atom of a rule.
    fn atom(&self, atom: &Atom) -> String {
        let name = |arg: &Arg| match arg {
            Arg::Variable(variable) => self.letter(*variable),
            Arg::Constant(constant) => self.persons[*constant as usize].clone(),
        };
        let args: Vec<String> = atom.args.iter().map(name).collect();
        self.phrases.clause(atom.predicate, &args.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn rule(&self, rule: &Rule, rng: &mut ChaCha8Rng) -> String {
        let body: Vec<String> = rule.body.iter().map(|atom| self.atom(atom)).collect();
        let head = self.atom(&rule.head);
        let form = self.form(&self.phrases.language.rules, rng);
        form.replace("{body}", &body.join(" and ")).replace("{head}", &head).replace("{Head}", &head)
    }

    /// What the letters of the rules are.
    fn lead(&self, rng: &mut ChaCha8Rng) -> String {
        let language = self.phrases.language;
        let used = self.rules.iter().map(Rule::variables).max().unwrap_or(0).min(language.letters.len());
        self.form(&language.leads, rng).replace("{letters}", &language.letters[..used].join(SEPARATOR))
    }

    /// The question whether a fact follows, in its phrasing of this number, and the phrasing's name.
    pub(crate) fn question(&self, fact: &Fact, number: usize, rng: &mut ChaCha8Rng) -> ToldText {
        let form = self.phrases.language.questions.get(number).map_or("", String::as_str);
        (form.replace("{fact}", &self.statement(fact, rng)), format!("follows.{}", number + 1))
    }
}

impl Verbalize for RuleVerbalizer<'_> {
    type Atom = Fact;
    /// Nothing happens.
    type Action = Infallible;
    type Situation = [Fact];
    type Error = Infallible;

    /// A predicate has one wording throughout a data set.
    fn statement(&self, fact: &Fact, _: &mut ChaCha8Rng) -> String {
        let args: Vec<&str> = fact.args.iter().map(|arg| self.persons[*arg as usize].as_str()).collect();
        self.phrases.clause(fact.predicate, &args)
    }

    fn clause(&self, action: &Infallible, _: &mut ChaCha8Rng) -> String {
        match *action {}
    }

    /// Facts come in a random order.
    fn situation(&self, facts: &[Fact], rng: &mut ChaCha8Rng) -> Vec<String> {
        let mut facts = facts.to_vec();
        facts.shuffle(rng);
        facts.iter().map(|fact| format!("{}.", self.statement(fact, rng))).collect()
    }

    /// What letters are, the rules in a random order, and that all else is false.
    fn rules(&self, rng: &mut ChaCha8Rng) -> Result<Vec<String>, Infallible> {
        let mut order: Vec<&Rule> = self.rules.iter().collect();
        order.shuffle(rng);
        let mut sentences = vec![self.lead(rng)];
        sentences.extend(order.into_iter().map(|rule| self.rule(rule, rng)));
        sentences.push(self.form(&self.phrases.language.closed, rng).to_owned());
        Ok(sentences)
    }

    fn did(&self, _: usize, action: &Infallible, _: &mut ChaCha8Rng) -> String {
        match *action {}
    }

    fn idle(&self, _: &mut ChaCha8Rng) -> Option<String> {
        None
    }
}
