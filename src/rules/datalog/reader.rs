//! Texts to rules and facts: what Prolog, answer-set solvers, AMIE and Popper print.
//!
//! Rules may carry a confidence in front (`0.7 p(X) :- q(X).`, `0.7::p(X) :- q(X).`) or, with AMIE, behind. Arrows are
//! `:-`, `<-`, `<--` and AMIE's `=>`. A variable begins with a capital, `_` or `?`; each lone `_` is a variable
//! of its own. What is not Datalog (negation, comparisons, functions, disjunctions) is an error with its place.

use racgen_logic::fault::Fault;
use rustc_hash::FxHashMap as HashMap;

use crate::rules::datalog::syntax::{Arg, Atom, Fact, Rule, Vocabulary};

/// How a file writes its rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Syntax {
    /// AMIE where lines have `=>` and none has `:-`, else Prolog.
    #[default]
    Auto,
    /// `p(X,Y) :- q(X,Z), r(Z,Y).`
    Prolog,
    /// As Prolog, and `;` separates body atoms, too.
    Asp,
    /// `?a  <q>  ?c  ?c  <r>  ?b  => ?a  <p>  ?b`, then tab-separated figures.
    Amie,
    /// As Prolog, between Popper's lines of asterisks.
    Popper,
}

/// A place in a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulePlace {
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

/// A rule as it was read.
#[derive(Clone, Debug)]
pub struct ReadRule {
    /// The rule.
    pub rule: Rule,
    /// The learner's confidence, where it gave one.
    pub confidence: Option<f64>,
    /// Where the head begins.
    pub head: RulePlace,
    /// Where each body atom begins.
    pub body: Vec<RulePlace>,
}

/// Reads all rules of a text; `file` is what errors call it.
///
/// # Errors
/// The first thing that is no safe Datalog rule, with line, column and a remedy.
pub fn read_rules(
    text: &str,
    file: &str,
    syntax: Syntax,
    vocabulary: &mut Vocabulary,
) -> Result<Vec<ReadRule>, Fault> {
    let amie = match syntax {
        Syntax::Auto => text.contains("=>") && !text.contains(":-"),
        other => other == Syntax::Amie,
    };
    let mut reader = RuleReader::new(text, file, syntax, vocabulary);
    let rules = if amie { reader.amie()? } else { reader.rules()? };
    for read in &rules {
        let bound: Vec<u32> = read.rule.body.iter().flat_map(Atom::variables).collect();
        if read.rule.head.variables().any(|variable| !bound.contains(&variable)) {
            return Err(fault(
                file,
                read.head,
                "the rule is unsafe: a variable of its head is not in its body",
                "use each variable of the head in a body atom, too",
            ));
        }
    }
    Ok(rules)
}

/// Reads a text of ground atoms, each with its full stop.
///
/// # Errors
/// The first thing that is no ground atom, with line, column and a remedy.
pub fn read_facts(text: &str, file: &str, vocabulary: &mut Vocabulary) -> Result<Vec<Fact>, Fault> {
    let mut reader = RuleReader::new(text, file, Syntax::Prolog, vocabulary);
    let mut facts = Vec::new();
    while reader.skip()? {
        let at = reader.at;
        let atom = reader.atom()?;
        let args: Option<Box<[u32]>> = atom
            .args
            .iter()
            .map(|arg| match arg {
                Arg::Constant(constant) => Some(*constant),
                Arg::Variable(_) => None,
            })
            .collect();
        let Some(args) = args else {
            return Err(reader.fault(
                at,
                "a fact has no variables",
                "write constants with a small first letter",
            ));
        };
        reader.full_stop("a fact ends with a full stop")?;
        facts.push(Fact { predicate: atom.predicate, args });
    }
    Ok(facts)
}

fn fault(file: &str, place: RulePlace, cause: &str, remedy: &str) -> Fault {
    Fault {
        place: format!("{file}:{}:{}", place.line, place.column),
        cause: cause.to_owned(),
        remedy: remedy.to_owned(),
    }
}

/// Does the text go on as after a whole atom without arguments?
fn ends_atom(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.is_empty() || [",", ".", ";", "%", "/*"].iter().any(|next| rest.starts_with(next))
}

const POSITIVE: &str = "only positive Datalog can be scored; leave the rule out or write it without";

struct RuleReader<'a> {
    text: &'a str,
    at: usize,
    file: &'a str,
    syntax: Syntax,
    vocabulary: &'a mut Vocabulary,
    line_starts: Vec<usize>,
    /// The variables of the rule that is being read, by name.
    variables: HashMap<&'a str, u32>,
    fresh: u32,
}

impl<'a> RuleReader<'a> {
    fn new(text: &'a str, file: &'a str, syntax: Syntax, vocabulary: &'a mut Vocabulary) -> RuleReader<'a> {
        let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        let line_starts = std::iter::once(0).chain(ends).collect();
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        RuleReader {
            text,
            at,
            file,
            syntax,
            vocabulary,
            line_starts,
            variables: HashMap::default(),
            fresh: 0,
        }
    }

    fn place(&self, offset: usize) -> RulePlace {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line.saturating_sub(1)];
        let column = self.text.get(start..offset).map_or(0, |text| text.chars().count()) + 1;
        RulePlace { line, column }
    }

    fn fault(&self, offset: usize, cause: &str, remedy: &str) -> Fault {
        fault(self.file, self.place(offset), cause, remedy)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let word = &rest[..rest.find(|c| !test(c)).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// Skips blanks and comments; is there anything left?
    fn skip(&mut self) -> Result<bool, Fault> {
        loop {
            self.take_while(char::is_whitespace);
            let start = self.at;
            let end = if self.rest().starts_with("/*") {
                "*/"
            } else if self.rest().starts_with("%*") {
                "*%"
            } else if self.rest().starts_with('%') {
                self.skip_line();
                continue;
            } else {
                return Ok(!self.rest().is_empty());
            };
            match self.rest()[2..].find(end) {
                Some(length) => self.at += length + 4,
                None => {
                    return Err(self.fault(start, "the comment does not end", "close it"));
                }
            }
        }
    }

    /// Skips, besides blanks, what learners print around their rules.
    fn skip_to_statement(&mut self) -> Result<bool, Fault> {
        loop {
            if !self.skip()? {
                return Ok(false);
            }
            let line = self.rest();
            let chatter = ["*", "Precision:", "NO SOLUTION", "Num. ", "TP:", "tp:", "size:"];
            if chatter.iter().any(|start| line.starts_with(start)) {
                self.skip_line();
            } else {
                return Ok(true);
            }
        }
    }

    fn rules(&mut self) -> Result<Vec<ReadRule>, Fault> {
        let mut rules = Vec::new();
        while self.skip_to_statement()? {
            rules.push(self.rule()?);
        }
        Ok(rules)
    }

    fn rule(&mut self) -> Result<ReadRule, Fault> {
        self.variables.clear();
        self.fresh = 0;
        let confidence = self.confidence()?;
        self.refuse_odd_heads()?;
        let head_at = self.at;
        let head = self.atom()?;
        self.skip()?;
        let (mut body, mut places) = (Vec::new(), Vec::new());
        if [":-", "<--", "<-", "<=", "\u{2190}"].iter().any(|arrow| self.eat(arrow)) {
            self.skip()?;
            // Some print facts as rules without a body.
            if !self.rest().starts_with('.') {
                self.body(&mut body, &mut places)?;
            }
        } else if self.rest().starts_with([';', '|', ',']) {
            return Err(self.fault(self.at, "a rule has one head", "write one rule for each head"));
        }
        self.full_stop("a rule ends with a full stop, and `,` separates body atoms")?;
        let places = places.into_iter().map(|at| self.place(at)).collect();
        Ok(ReadRule { rule: Rule { head, body }, confidence, head: self.place(head_at), body: places })
    }

    fn body(&mut self, body: &mut Vec<Atom>, places: &mut Vec<usize>) -> Result<(), Fault> {
        loop {
            self.skip()?;
            let at = self.at;
            if self.rest().strip_prefix("true").is_some_and(ends_atom) {
                self.at += 4;
            } else {
                let atom = self.atom()?;
                self.skip()?;
                // The same atom twice says nothing more.
                if !body.contains(&atom) {
                    body.push(atom);
                    places.push(at);
                }
            }
            self.skip()?;
            match self.rest().chars().next() {
                Some(',') => self.at += 1,
                Some(';') if self.syntax == Syntax::Asp => self.at += 1,
                Some(';') => {
                    return Err(self.fault(
                        self.at,
                        "`;` is an or in Prolog and an and in ASP",
                        "name the syntax (--syntax asp), or write one rule for each alternative",
                    ));
                }
                Some('=' | '<' | '>' | '!' | '\\' | '+' | '-' | '*' | '/') => {
                    return Err(self.fault(at, "comparisons and arithmetic are not supported", POSITIVE));
                }
                _ => return Ok(()),
            }
        }
    }

    /// `0.7`, `0.7::` or `0.7 (0.5)` before a rule.
    fn confidence(&mut self) -> Result<Option<f64>, Fault> {
        let start = self.at;
        if !self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(None);
        }
        let number = self.take_while(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | '-' | '+'));
        let Ok(value) = number.parse::<f64>() else {
            return Err(self.fault(start, &format!("`{number}` is no confidence"), "write a number or none"));
        };
        self.skip()?;
        if self.eat("(") {
            self.take_while(|c| c != ')' && c != '\n');
            self.eat(")");
        }
        if !self.eat("::") {
            self.eat(":");
        }
        self.skip()?;
        Ok(Some(value))
    }

    fn refuse_odd_heads(&self) -> Result<(), Fault> {
        let rest = self.rest();
        let odd = [
            (":-", "the rule has no head"),
            ("{", "choice rules are not supported"),
            ("#", "directives are not supported"),
        ];
        match odd.iter().find(|(start, _)| rest.starts_with(start)) {
            Some((_, cause)) => Err(self.fault(self.at, cause, POSITIVE)),
            None => Ok(()),
        }
    }

    fn full_stop(&mut self, remedy: &str) -> Result<(), Fault> {
        self.skip()?;
        if self.eat(".") || self.rest().is_empty() {
            return Ok(());
        }
        let found: String = self.rest().chars().take_while(|c| !c.is_whitespace()).take(12).collect();
        Err(self.fault(self.at, &format!("unexpected `{found}`"), remedy))
    }

    fn refuse_negation(&self) -> Result<(), Fault> {
        let rest = self.rest();
        let spaced = rest.strip_prefix("not").is_some_and(|r| r.starts_with([' ', '\t', '(', '\n']));
        if spaced || ["\\+", "~", "-", "\u{ac}"].iter().any(|sign| rest.starts_with(sign)) {
            return Err(self.fault(self.at, "negation is not supported", POSITIVE));
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<Atom, Fault> {
        self.refuse_negation()?;
        let at = self.at;
        let quoted = self.rest().starts_with('\'');
        let name = match self.rest().chars().next() {
            Some('\'') => self.quoted('\'')?,
            Some(c) if c.is_lowercase() => self.take_while(|c| c.is_alphanumeric() || c == '_').to_owned(),
            Some(c) if c.is_uppercase() || c == '_' || c.is_ascii_digit() => {
                let remedy =
                    "begin the predicate with a small letter, or quote it; comparisons are not supported";
                return Err(self.fault(at, "an atom is expected", remedy));
            }
            Some(c) => {
                return Err(self.fault(at, &format!("unexpected `{c}`"), "write atoms as p(X,c1)"));
            }
            None => {
                return Err(self.fault(at, "the text ends where an atom is expected", "complete the rule"));
            }
        };
        let after_name = self.at;
        if !quoted {
            self.skip()?;
        }
        let mut args = Vec::new();
        if self.eat("(") {
            loop {
                self.skip()?;
                args.push(self.arg()?);
                self.skip()?;
                if self.eat(")") {
                    break;
                }
                if !self.eat(",") {
                    let found = self.rest().chars().next();
                    let cause = match found {
                        Some('(') => "functions are not supported as arguments".to_owned(),
                        Some(c) => format!("unexpected `{c}` among the arguments"),
                        None => "the text ends within an atom".to_owned(),
                    };
                    return Err(self.fault(
                        self.at,
                        &cause,
                        "separate arguments with `,` and close with `)`",
                    ));
                }
            }
        } else {
            self.at = after_name;
        }
        self.known(&name, args, at)
    }

    fn known(&mut self, name: &str, args: Vec<Arg>, at: usize) -> Result<Atom, Fault> {
        match self.vocabulary.predicate(name, args.len()) {
            Ok(predicate) => Ok(Atom { predicate, args }),
            Err(known) => Err(self.fault(
                at,
                &format!("`{name}` has {} arguments here and {known} elsewhere", args.len()),
                "give each predicate one arity",
            )),
        }
    }

    fn variable(&mut self, name: &'a str) -> Arg {
        let number = if name == "_" { None } else { self.variables.get(name).copied() };
        Arg::Variable(number.unwrap_or_else(|| {
            let number = self.fresh;
            self.fresh += 1;
            if name != "_" {
                self.variables.insert(name, number);
            }
            number
        }))
    }

    fn arg(&mut self) -> Result<Arg, Fault> {
        let at = self.at;
        match self.rest().chars().next() {
            Some(quote @ ('\'' | '"')) => {
                let name = self.quoted(quote)?;
                Ok(Arg::Constant(self.vocabulary.constant(&name)))
            }
            Some(c) if c.is_uppercase() || matches!(c, '_' | '?') => {
                self.at += c.len_utf8();
                let more = self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '\''));
                let name = &self.text[at..at + c.len_utf8() + more.len()];
                Ok(self.variable(name))
            }
            Some(c) if c.is_alphanumeric() => {
                let name = self.take_while(|c| c.is_alphanumeric() || c == '_');
                Ok(Arg::Constant(self.vocabulary.constant(name)))
            }
            Some('-') => {
                self.at += 1;
                let digits = self.take_while(|c| c.is_ascii_digit());
                if digits.is_empty() {
                    return Err(self.fault(at, "unexpected `-` among the arguments", POSITIVE));
                }
                Ok(Arg::Constant(self.vocabulary.constant(&self.text[at..self.at])))
            }
            Some(c) => {
                let cause = if c == '[' {
                    "lists are not supported as arguments".to_owned()
                } else {
                    format!("unexpected `{c}` where an argument is expected")
                };
                Err(self.fault(at, &cause, "write variables as X and constants as c1"))
            }
            None => Err(self.fault(at, "the text ends within an atom", "close it with `)`")),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, Fault> {
        let start = self.at;
        let mut name = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((offset, c)) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some((_, 'n')) => name.push('\n'),
                    Some((_, other)) => name.push(other),
                    None => break,
                },
                '\n' => break,
                c if c == quote => {
                    self.at = start + offset + 1;
                    return Ok(name);
                }
                c => name.push(c),
            }
        }
        Err(self.fault(start, "the quoted name does not end on its line", "close the quote"))
    }

    /// AMIE's lines; those without an arrow are its log.
    fn amie(&mut self) -> Result<Vec<ReadRule>, Fault> {
        let mut rules = Vec::new();
        let mut offset = self.at;
        // Head coverage, standard confidence and PCA confidence follow the rule.
        let mut column = 1;
        for line in self.text[self.at..].split_inclusive('\n') {
            let start = offset;
            offset += line.len();
            if line.starts_with("Rule\t") {
                let place = line.split('\t').position(|name| name.trim() == "Std Confidence");
                column = place.unwrap_or(2) - 1;
            }
            let Some(arrow) = line.find("=>") else { continue };
            self.variables.clear();
            self.fresh = 0;
            let words = |from: usize, to: usize| {
                let part = line.get(from..to).unwrap_or_default();
                let split = part.split_whitespace();
                split.map(|word| (start + (word.as_ptr() as usize - line.as_ptr() as usize), word))
            };
            let left: Vec<(usize, &'a str)> = words(0, arrow).collect();
            let right: Vec<(usize, &'a str)> = words(arrow + 2, line.len()).collect();
            if left.is_empty() || !left.len().is_multiple_of(3) {
                let cause = "before `=>`, AMIE writes atoms as subject, relation, object";
                return Err(self.fault(start, cause, "separate them by blanks, as in `?a  <p>  ?b`"));
            }
            if right.len() < 3 {
                let cause = "after `=>`, AMIE writes one atom as subject, relation, object";
                return Err(self.fault(start + arrow, cause, "complete the rule"));
            }
            // AMIE puts the body first; the head is read first so that it has the first variables.
            let head = self.triple(&right[..3])?;
            let (mut body, mut places) = (Vec::new(), Vec::new());
            for triple in left.chunks(3) {
                let atom = self.triple(triple)?;
                if !body.contains(&atom) {
                    body.push(atom);
                    places.push(self.place(triple[0].0));
                }
            }
            let mut figures = Vec::new();
            for (at, word) in &right[3..] {
                match word.replace(',', ".").parse::<f64>() {
                    Ok(figure) => figures.push(figure),
                    // The last column names a variable.
                    Err(_) if word.starts_with('?') || !figures.is_empty() => break,
                    Err(_) => {
                        return Err(self.fault(
                            *at,
                            &format!("`{word}` is no figure"),
                            "write one rule a line",
                        ));
                    }
                }
            }
            let confidence = if figures.len() == 1 { figures.first() } else { figures.get(column) };
            let head_at = self.place(right[0].0);
            rules.push(ReadRule {
                rule: Rule { head, body },
                confidence: confidence.copied(),
                head: head_at,
                body: places,
            });
        }
        Ok(rules)
    }

    /// Subject, relation and object; `rdf:type` stands for a predicate with one argument.
    fn triple(&mut self, words: &[(usize, &'a str)]) -> Result<Atom, Fault> {
        let bare = |word: &'a str| word.trim_start_matches('<').trim_end_matches('>');
        let [(at, subject), (_, relation), (_, object)] = words else {
            return Err(self.fault(self.at, "an atom has three parts", "write subject, relation, object"));
        };
        if relation.starts_with('?') {
            return Err(self.fault(words[1].0, "a relation is no variable", "name the relation"));
        }
        let mut arg = |word: &'a str| match word.strip_prefix('?') {
            Some(_) => self.variable(word),
            None => Arg::Constant(self.vocabulary.constant(bare(word))),
        };
        if bare(relation) == "rdf:type" && !object.starts_with('?') {
            let args = vec![arg(subject)];
            return self.known(bare(object), args, *at);
        }
        let args = vec![arg(subject), arg(object)];
        self.known(bare(relation), args, *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str, syntax: Syntax) -> Result<Vec<String>, String> {
        let mut vocabulary = Vocabulary::default();
        let read = read_rules(text, "t", syntax, &mut vocabulary).map_err(|fault| fault.to_string())?;
        Ok(read
            .iter()
            .map(|r| r.confidence.map_or(String::new(), |c| format!("{c} ")) + &vocabulary.rule(&r.rule))
            .collect())
    }

    #[test]
    fn the_same_rule_in_every_syntax() {
        let plain = "p(X0,X1) :- q(X0,X2),r(X2,X1).";
        for text in [
            "p(X,Y) :- q(X,Z), r(Z,Y).",
            "p( Xa , Yb )\n  :-\tq(Xa,_z),\n r(_z,Yb) . % done",
            "p(A,B):- q(A,C),r(C,B)",
            "%* a\nb *% p(?a,?b) <-- /* x */ q(?a,?c), r(?c,?b).",
        ] {
            assert_eq!(rules(text, Syntax::Auto), Ok(vec![plain.to_owned()]), "{text}");
        }
        let popper = "********** SOLUTION **********\nPrecision:1.00 Recall:1.00 TP:3 FN:0 TN:3 FP:0 Size:3\n\
                      p(V0,V1):- q(V0,V2),r(V2,V1).\n******************************\n";
        assert_eq!(rules(popper, Syntax::Popper), Ok(vec![plain.to_owned()]));
        assert_eq!(rules("p(X,Y) :- q(X,Z); r(Z,Y).", Syntax::Asp), Ok(vec![plain.to_owned()]));
        let amie = "Starting the mining phase\nRule\tHead Coverage\tStd Confidence\tPCA Confidence\n\
                    ?a  <q>  ?c  ?c  <r>  ?b   => ?a  <p>  ?b\t0.1\t0.25\t0.5\t3\t12\t6\t?a\n";
        assert_eq!(rules(amie, Syntax::Auto), Ok(vec![format!("0.25 {plain}")]));
        for text in ["0.25 p(X,Y) :- q(X,Z), r(Z,Y).", "0.25::p(X,Y):-q(X,Z),r(Z,Y)."] {
            assert_eq!(rules(text, Syntax::Auto), Ok(vec![format!("0.25 {plain}")]));
        }
    }

    #[test]
    fn lone_underscores_differ() {
        assert_eq!(rules("p(X) :- q(X,_,_).", Syntax::Auto), Ok(vec!["p(X0) :- q(X0,X1,X2).".to_owned()]));
        assert_eq!(rules("p(X) :- q(X,_a,_a).", Syntax::Auto), Ok(vec!["p(X0) :- q(X0,X1,X1).".to_owned()]));
    }

    #[test]
    fn what_is_no_datalog_has_a_place_and_a_remedy() {
        for (text, start) in [
            ("p(X) :- q(X).\np(X) :- q(X), not r(X).", "t:2:15: negation is not supported; only positive"),
            ("p(X) :- \\+ q(X).", "t:1:9: negation"),
            ("p(X) :- q(Y).", "t:1:1: the rule is unsafe"),
            ("p(X).", "t:1:1: the rule is unsafe"),
            ("p(X) :- q(X), q(X,X).", "t:1:15: `q` has 2 arguments here and 1 elsewhere"),
            ("p(X) :- q(f(X)).", "t:1:12: functions"),
            ("p(X) :- q([X]).", "t:1:11: lists"),
            ("p(X) :- q(X), X != a.", "t:1:15: an atom is expected"),
            ("p(X) ; r(X) :- q(X).", "t:1:6: a rule has one head"),
            (":- q(X).", "t:1:1: the rule has no head"),
            ("{p(X)} :- q(X).", "t:1:1: choice"),
            ("p(X) :- q(X)\nr(X) :- q(X).", "t:2:1: unexpected `r(X)`"),
            ("p(X) :- q(X", "t:1:12: the text ends within an atom"),
            ("p('a", "t:1:3: the quoted name"),
            ("p(X) :- q(X);r(X).", "t:1:13: `;` is"),
            ("/* p", "t:1:1: the comment does not end"),
            ("p(X) :- ,", "t:1:9: unexpected `,`"),
            ("?a  <q>  => ?a  <p>  ?b", "t:1:1: before `=>`"),
            ("?a  <q>  ?b => ?a  <p>", "t:1:13: after `=>`"),
        ] {
            let error = rules(text, Syntax::Auto).expect_err(text);
            assert!(error.starts_with(start) && error.contains("; "), "{text}: {error}");
        }
    }

    #[test]
    fn a_predicate_may_begin_like_a_number() {
        let text = "edge(X,Y) :- e(Y,X).\n1e-3 e(X,Y) :- edge(X,Y).";
        let read = ["edge(X0,X1) :- e(X1,X0).", "0.001 e(X0,X1) :- edge(X0,X1)."].map(str::to_owned);
        assert_eq!(rules(text, Syntax::Auto), Ok(read.to_vec()));
    }

    #[test]
    fn no_text_makes_the_reader_panic() {
        let texts = [
            "0.5::p(X,'Ä b') :- q(X,_),\n \\+ r(\"c\",-1), not s(X). % end",
            "*** SOLUTION\np(A):-q(A,/* c */B). %* d *% {x} ; y | z.",
            "?a  <q>  ?b  ?b  <rdf:type>  <c>  => ?a  <p>  ?b\t0,5\t0.1\t?a",
        ];
        let odd = [
            '(', ')', ',', '.', '\'', '"', '\\', ':', '-', '%', '*', '=', '>', '?', '_', '0', 'X', 'é', '\n',
            '\u{2190}',
        ];
        let mut errors = 0;
        for text in texts {
            for (at, c) in text.char_indices() {
                let (front, back) = (&text[..at], &text[at + c.len_utf8()..]);
                for changed in odd.iter().map(|o| format!("{front}{o}{back}")).chain([front.to_owned()]) {
                    for syntax in [Syntax::Auto, Syntax::Asp, Syntax::Amie] {
                        errors += usize::from(rules(&changed, syntax).is_err());
                        _ = read_facts(&changed, "f", &mut Vocabulary::default());
                    }
                }
            }
        }
        assert!(errors > 1_000, "{errors}");
    }

    #[test]
    fn true_is_no_predicate_wherever_it_ends() {
        for text in ["p(a) :- true.", "p(a) :- true", "p(a) :- true % end\n.", "p(a) :- true; true."] {
            assert_eq!(rules(text, Syntax::Asp), Ok(vec!["p(a).".to_owned()]), "{text}");
        }
        for text in ["p(X) :- true(X).", "p(X) :- q(X),'true'.", "p(X) :- truer(X)."] {
            assert_eq!(rules(text, Syntax::Asp).map(|read| read[0].len() > 8), Ok(true), "{text}");
        }
    }

    #[test]
    fn odd_predicates_are_quoted() {
        let text = "?a  <25>  ?b  ?b  <true>  ?a  => ?a  <1x>  ?b";
        let written = "'1x'(X0,X1) :- '25'(X0,X1),'true'(X1,X0).";
        assert_eq!(rules(text, Syntax::Amie), Ok(vec![written.to_owned()]));
        assert_eq!(rules(written, Syntax::Prolog), Ok(vec![written.to_owned()]));
    }

    #[test]
    fn facts_read_and_write() {
        let mut vocabulary = Vocabulary::default();
        let text = "p(a,-3). 'New P'('Äb c',7).\nq.";
        let facts = read_facts(text, "f", &mut vocabulary).expect("facts");
        let written: Vec<String> = facts.iter().map(|fact| vocabulary.fact(fact)).collect();
        assert_eq!(written, ["p(a,'-3')", "'New P'('Äb c',7)", "q"]);
        assert!(read_facts("p(X).", "f", &mut vocabulary).is_err_and(|f| f.place == "f:1:1"));
    }
}
