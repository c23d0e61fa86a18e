//! Rules as AMIE writes them: triples of subject, relation and object, then tab-separated figures.

use racgen_logic::fault::Fault;

use super::cursor::RuleReader;
use super::read_rule::ReadRule;
use crate::rules::datalog::syntax::{Arg, Atom, Rule};

impl<'a> RuleReader<'a> {
    /// AMIE's lines; those without an arrow are its log.
    pub(super) fn amie(&mut self) -> Result<Vec<ReadRule>, Fault> {
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
