//! A game's text to its rules: the reader of the Game Description Language in its prefix notation (KIF).
//!
//! Symbols are matched without regard to case and printed as they first stood in the text; `or` and nested `not` are
//! brought into clauses, each with one head and a list of literals (section 3.1 of the paper).

use std::fmt;
use std::sync::Arc;

use racgen_logic::expressions::{Expression, TextPlace, expressions, fault_at};
use racgen_logic::fault::Fault;

use super::syntax::{Clause, Game, GdlAtom, GdlLiteral, GdlPattern};

/// Clauses that the alternatives of one rule may make.
const MOST_CLAUSES: usize = 10_000;
/// Literals that these clauses may have together.
const MOST_LITERALS: usize = 2_000_000;

impl Game {
    /// Reads a game.
    ///
    /// # Errors
    /// The first fault of the text, with file, line and column.
    ///
    /// ```
    /// use racgen::games::gdl::syntax::Game;
    /// let game = Game::read("(init (value 5))\n(<= (next (value ?x)) (true (value ?x)))", "minimal.kif").unwrap();
    /// assert_eq!((game.rules, game.literals), (1, 2));
    /// let fault = Game::read("(init (value 5)", "minimal.kif").unwrap_err();
    /// assert!(fault.to_string().starts_with("minimal.kif:1:1: "));
    /// ```
    pub fn read(text: &str, file: &str) -> Result<Game, Fault> {
        let stem = std::path::Path::new(file).file_stem().map(|s| s.to_string_lossy().into_owned());
        let mut reader = GdlReader {
            game: Game { name: stem.unwrap_or_default(), file: file.into(), ..Game::default() },
            variables: Vec::new(),
        };
        for expression in expressions(text, file)? {
            reader.sentence(&expression)?;
        }
        if reader.game.clauses.is_empty() {
            return Err(fault_at(
                file,
                TextPlace { line: 1, column: 1 },
                "there are no rules here",
                "write the game in GDL's prefix notation, as (init (step 1))",
            ));
        }
        Ok(reader.game)
    }
}

/// A condition before it is brought into clauses.
enum Formula {
    Literal(GdlLiteral),
    All(Vec<Formula>),
    Any(Vec<Formula>, TextPlace),
}

struct GdlReader {
    game: Game,
    /// Folded names of the variables of the rule that is being read.
    variables: Vec<Arc<str>>,
}

impl GdlReader {
    fn fault(&self, place: TextPlace, cause: impl fmt::Display, remedy: impl fmt::Display) -> Fault {
        self.game.fault(place, cause, remedy)
    }

    fn symbol(&mut self, word: &str) -> Arc<str> {
        let folded: Arc<str> = word.to_lowercase().into();
        self.game.printed.entry(folded.clone()).or_insert_with(|| word.into());
        folded
    }

    fn sentence(&mut self, expression: &Expression) -> Result<(), Fault> {
        self.variables.clear();
        let Expression::List(parts, place) = expression else {
            let Expression::Word(word, place) = expression else { return Ok(()) };
            if word.eq_ignore_ascii_case("terminal") {
                let head = GdlAtom { predicate: self.symbol(word), arguments: Vec::new(), place: *place };
                self.game.clauses.push(Clause { head, body: Vec::new(), variables: Vec::new() });
                return Ok(());
            }
            return Err(self.fault(
                *place,
                format!("`{}` is no fact and no rule", shortened(word)),
                "facts and rules stand in parentheses; comments begin with a semicolon",
            ));
        };
        if !matches!(parts.first(), Some(Expression::Word(word, _)) if word == "<=") {
            let head = self.atom(expression)?;
            self.check_head(&head)?;
            let variables = std::mem::take(&mut self.variables);
            self.game.clauses.push(Clause { head, body: Vec::new(), variables });
            return Ok(());
        }
        let Some(head) = parts.get(1) else {
            return Err(self.fault(*place, "a rule without a head", "write (<= HEAD CONDITION...)"));
        };
        let head = self.atom(head)?;
        self.check_head(&head)?;
        let mut formulas = Vec::new();
        self.game.rules += 1;
        self.game.literals += 1;
        for part in &parts[2..] {
            self.game.literals += count_literals(part);
            formulas.push(self.formula(part, true)?);
        }
        let variables = std::mem::take(&mut self.variables);
        for body in self.alternatives(&Formula::All(formulas), *place)? {
            let clause = Clause { head: head.clone(), body, variables: variables.clone() };
            self.game.clauses.push(compact(clause));
        }
        Ok(())
    }

    fn check_head(&self, head: &GdlAtom) -> Result<(), Fault> {
        let fixed: &[(&str, usize)] = &[
            ("role", 1),
            ("init", 1),
            ("next", 1),
            ("base", 1),
            ("input", 2),
            ("legal", 2),
            ("goal", 2),
            ("terminal", 0),
        ];
        // Some games list what is distinct anyway; such a list is a relation of its own.
        let listed = head.is("distinct") && head.arguments.iter().all(GdlPattern::is_ground);
        if !listed && matches!(&*head.predicate, "true" | "does" | "distinct" | "not" | "or" | "and") {
            return Err(self.fault(
                head.place,
                format!("`{}` cannot stand in the head of a rule", head.predicate),
                "the state is changed by rules for next, and moves are allowed by rules for legal",
            ));
        }
        self.check_arity(head, fixed)
    }

    fn check_arity(&self, atom: &GdlAtom, fixed: &[(&str, usize)]) -> Result<(), Fault> {
        match fixed.iter().find(|(name, _)| atom.is(name)) {
            Some((name, arity)) if atom.arguments.len() != *arity => Err(self.fault(
                atom.place,
                format!("`{name}` has {} arguments here", atom.arguments.len()),
                format!("GDL's `{name}` has {arity}"),
            )),
            _ => Ok(()),
        }
    }

    fn atom(&mut self, expression: &Expression) -> Result<GdlAtom, Fault> {
        match expression {
            Expression::Word(word, place) => {
                if word.starts_with('?') {
                    let cause = format!("the variable `{word}` stands where a relation is needed");
                    return Err(self.fault(*place, cause, "name the relation"));
                }
                if word == "<=" {
                    let cause = "an arrow stands where a relation is needed";
                    return Err(self.fault(*place, cause, "close the rule before it, and open one for it"));
                }
                Ok(GdlAtom { predicate: self.symbol(word), arguments: Vec::new(), place: *place })
            }
            Expression::List(parts, place) => {
                let (name, arguments) = self.compound(parts, *place)?;
                Ok(GdlAtom { predicate: name, arguments, place: *place })
            }
        }
    }

    fn compound(
        &mut self,
        parts: &[Expression],
        place: TextPlace,
    ) -> Result<(Arc<str>, Vec<GdlPattern>), Fault> {
        let name = match parts.first() {
            Some(Expression::Word(word, _)) if !word.starts_with('?') && word != "<=" => self.symbol(word),
            Some(other) => {
                let cause = "a list must begin with the name of a relation or function";
                return Err(self.fault(other.place(), cause, "name it"));
            }
            None => {
                return Err(self.fault(
                    place,
                    "empty parentheses",
                    "remove them, or put a fact or term in them",
                ));
            }
        };
        let arguments = parts[1..].iter().map(|part| self.term(part)).collect::<Result<_, _>>()?;
        Ok((name, arguments))
    }

    fn term(&mut self, expression: &Expression) -> Result<GdlPattern, Fault> {
        match expression {
            Expression::Word(word, place) => match word.strip_prefix('?') {
                Some("") => {
                    Err(self.fault(*place, "a variable without a name", "put a name after the question mark"))
                }
                Some(name) => {
                    let name: Arc<str> = name.to_lowercase().into();
                    let known = self.variables.iter().position(|v| *v == name);
                    let number = known.unwrap_or_else(|| {
                        self.variables.push(name);
                        self.variables.len() - 1
                    });
                    Ok(GdlPattern::Variable(number as u32))
                }
                None => Ok(GdlPattern::Function(self.symbol(word), Vec::new())),
            },
            Expression::List(parts, place) => {
                let (name, arguments) = self.compound(parts, *place)?;
                if arguments.is_empty() {
                    self.game.parenthesised.insert(name.clone());
                }
                Ok(GdlPattern::Function(name, arguments))
            }
        }
    }

    /// A condition, or its negation where `positive` is false.
    fn formula(&mut self, expression: &Expression, positive: bool) -> Result<Formula, Fault> {
        let place = expression.place();
        if let Expression::List(parts, _) = expression
            && let Some(Expression::Word(word, _)) = parts.first()
        {
            match (word.to_lowercase().as_str(), &parts[1..]) {
                ("not", [inner]) => return self.formula(inner, !positive),
                ("not", inner) => {
                    let cause = format!("`not` has {} arguments here", inner.len());
                    return Err(self.fault(place, cause, "it takes one condition"));
                }
                (connective @ ("or" | "and"), inner) => {
                    let parts =
                        inner.iter().map(|part| self.formula(part, positive)).collect::<Result<_, _>>()?;
                    let any = (connective == "or") == positive;
                    return Ok(if any { Formula::Any(parts, place) } else { Formula::All(parts) });
                }
                ("distinct", [a, b]) => {
                    let (a, b) = (self.term(a)?, self.term(b)?);
                    let literal = if positive {
                        GdlLiteral::Distinct(a, b, place)
                    } else {
                        GdlLiteral::Same(a, b, place)
                    };
                    return Ok(Formula::Literal(literal));
                }
                ("distinct", terms) => {
                    let cause = format!("`distinct` has {} arguments here", terms.len());
                    return Err(self.fault(place, cause, "it takes two terms"));
                }
                _ => {}
            }
        }
        let atom = self.atom(expression)?;
        if matches!(&*atom.predicate, "not" | "or" | "and" | "distinct") {
            let cause = format!("`{}` stands where a condition is needed", atom.predicate);
            return Err(self.fault(place, cause, "write it in parentheses, with what it is about"));
        }
        if matches!(&*atom.predicate, "next" | "init") {
            return Err(self.fault(
                place,
                format!("`{}` cannot stand in the body of a rule", atom.predicate),
                "ask for the current state with true",
            ));
        }
        self.check_arity(&atom, &[("true", 1), ("does", 2), ("legal", 2), ("role", 1), ("terminal", 0)])?;
        Ok(Formula::Literal(if positive { GdlLiteral::Is(atom) } else { GdlLiteral::Not(atom) }))
    }

    /// The disjunctive normal form.
    fn alternatives(&self, formula: &Formula, place: TextPlace) -> Result<Vec<Vec<GdlLiteral>>, Fault> {
        let found = match formula {
            Formula::Literal(literal) => vec![vec![literal.clone()]],
            Formula::Any(parts, place) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.alternatives(part, *place)?);
                }
                all
            }
            Formula::All(parts) => {
                let mut all: Vec<Vec<GdlLiteral>> = vec![Vec::new()];
                for part in parts {
                    let part = self.alternatives(part, place)?;
                    let clauses = all.len().saturating_mul(part.len());
                    let longest = all.first().map_or(0, Vec::len);
                    if clauses > MOST_CLAUSES || clauses.saturating_mul(longest) > MOST_LITERALS {
                        all.clear();
                        all.resize(MOST_CLAUSES + 1, Vec::new());
                        break;
                    }
                    // Most conditions are single ones, and rules with many of them are long.
                    if let [only] = part.as_slice() {
                        all.iter_mut().for_each(|front| front.extend_from_slice(only));
                        continue;
                    }
                    let join = |front: &Vec<GdlLiteral>| {
                        let front = front.clone();
                        part.iter().map(move |back| [front.as_slice(), back].concat()).collect::<Vec<_>>()
                    };
                    all = all.iter().flat_map(join).collect();
                }
                all
            }
        };
        if found.len() > MOST_CLAUSES {
            return Err(self.fault(
                place,
                format!(
                    "the alternatives of this rule multiply to over {MOST_CLAUSES} clauses, or long ones"
                ),
                "give some of the alternatives a relation of their own",
            ));
        }
        Ok(found)
    }
}

/// Literals of a condition as the paper counts them: its atoms.
fn count_literals(expression: &Expression) -> usize {
    match expression {
        Expression::List(parts, _) => match parts.first() {
            Some(Expression::Word(word, _))
                if matches!(word.to_lowercase().as_str(), "or" | "and" | "not") =>
            {
                parts[1..].iter().map(count_literals).sum()
            }
            _ => 1,
        },
        Expression::Word(..) => 1,
    }
}

/// Drops variables that only other alternatives of the rule use.
fn compact(mut clause: Clause) -> Clause {
    let mut used = vec![false; clause.variables.len()];
    let mut mark = |v: u32| used[v as usize] = true;
    clause.head.variables(&mut mark);
    clause.body.iter().for_each(|l| l.variables(&mut mark));
    let mut number = vec![0; used.len()];
    let mut names = Vec::new();
    for (index, name) in clause.variables.iter().enumerate() {
        number[index] = names.len() as u32;
        if used[index] {
            names.push(name.clone());
        }
    }
    fn renumber(term: &mut GdlPattern, number: &[u32]) {
        match term {
            GdlPattern::Variable(v) => *v = number[*v as usize],
            GdlPattern::Function(_, arguments) => arguments.iter_mut().for_each(|a| renumber(a, number)),
        }
    }
    clause.head.arguments.iter_mut().for_each(|a| renumber(a, &number));
    for literal in &mut clause.body {
        match literal {
            GdlLiteral::Is(atom) | GdlLiteral::Not(atom) => {
                atom.arguments.iter_mut().for_each(|a| renumber(a, &number));
            }
            GdlLiteral::Distinct(a, b, _) | GdlLiteral::Same(a, b, _) => {
                renumber(a, &number);
                renumber(b, &number);
            }
        }
    }
    clause.variables = names;
    clause
}

fn shortened(word: &str) -> String {
    if word.chars().count() > 40 { word.chars().take(40).chain("...".chars()).collect() } else { word.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        Game::read(text, "g.kif").expect_err("faulty").to_string()
    }

    #[test]
    fn faults_have_line_and_column() {
        for (text, start) in [
            ("(init a)\n (init b", "g.kif:2:2: this parenthesis is never closed"),
            ("(init a))", "g.kif:1:9: this parenthesis closes none"),
            ("(init a)\nhello", "g.kif:2:1: `hello` is no fact"),
            ("(<= (next p) (not))", "g.kif:1:14: `not` has 0 arguments"),
            ("(<= (next p) not (q))", "g.kif:1:14: `not` stands where a condition"),
            ("(<= (next p) <= (q))", "g.kif:1:14: an arrow stands"),
            ("(<= (next p) ())", "g.kif:1:14: empty parentheses"),
            ("(<= (true p) (true q))", "g.kif:1:5: `true` cannot stand in the head"),
            ("(<= p (next q))", "g.kif:1:7: `next` cannot stand in the body"),
            ("(legal robot)", "g.kif:1:1: `legal` has 1 arguments"),
            ("; nothing", "g.kif:1:1: there are no rules"),
            ("(p ?)", "g.kif:1:4: a variable without a name"),
        ] {
            assert!(told(text).starts_with(start), "{}", told(text));
        }
        assert!(told(&"(".repeat(10_000_000)).contains("nest deeper"));
        let wide = "(or (p a) (q b))".repeat(40);
        assert!(told(&format!("(<= (next c) {wide})")).contains("multiply"));
    }

    #[test]
    fn a_rule_may_have_many_conditions() -> Result<(), Fault> {
        let rule = format!("(<= (next p) {} (or (a) (b)))", "(true q)".repeat(40_000));
        let bodies: Vec<usize> = Game::read(&rule, "g.kif")?.clauses.iter().map(|c| c.body.len()).collect();
        assert_eq!(bodies, [40_001, 40_001]);
        let rule = format!("(<= (next p) {} {})", "(or (a) (b))".repeat(13), "(true q)".repeat(5_000));
        assert!(told(&rule).contains("multiply"));
        Ok(())
    }

    #[test]
    fn alternatives_become_clauses() -> Result<(), Fault> {
        let game = Game::read(
            "(<= (next ?x) (or (true (F ?x)) (true (g ?y ?x))) (not (or (p ?x) (distinct ?x A))))",
            "g.kif",
        )?;
        assert_eq!((game.rules, game.literals, game.clauses.len()), (1, 5, 2));
        assert_eq!(game.clauses[0].variables.len(), 1);
        assert!(matches!(game.clauses[1].body[1], GdlLiteral::Not(_)));
        assert!(matches!(game.clauses[1].body[2], GdlLiteral::Same(..)));
        assert_eq!((game.print("f"), game.print("a")), ("F", "A"));
        Ok(())
    }
}
