//! Rules as Prolog, answer-set solvers and Popper write them.

use racgen_logic::fault::Fault;

use super::cursor::{POSITIVE, RuleReader};
use super::read_rule::{ReadRule, Syntax};
use crate::rules::datalog::syntax::{Atom, Rule};

/// Does the text go on as after a whole atom without arguments?
fn ends_atom(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.is_empty() || [",", ".", ";", "%", "/*"].iter().any(|next| rest.starts_with(next))
}

impl RuleReader<'_> {
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

    /// All rules of the text.
    pub(super) fn rules(&mut self) -> Result<Vec<ReadRule>, Fault> {
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
}
