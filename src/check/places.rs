//! A term of a program to where it comes from in the package's files, and to the pattern that would say it.

use racgen_logic::clingo::Source;
use racgen_logic::term::Term;

use crate::domain::package::Package;
use crate::language::words::lexicon::QuestionForm;
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// The first line of a program, comments aside, that holds all of the words; 0 if there is none.
pub(crate) fn line_with(source: &Source, words: &[&str]) -> usize {
    let whole = |line: &str, word: &str| {
        let inner = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        line.match_indices(word).any(|(at, _)| {
            let before = inner(line[..at].chars().next_back());
            let after = !word.ends_with('(') && inner(line[at + word.len()..].chars().next());
            !before && !after
        })
    };
    let found = source.text.lines().position(|line| {
        let rule = line.split('%').next().unwrap_or_default();
        words.iter().all(|word| whole(rule, word))
    });
    found.map_or(0, |line| line + 1)
}

/// Where domain.toml has a level; 0 if that is not found.
pub(crate) fn level_line(package: &Package, level: i32) -> usize {
    let starts = [format!("N{level}"), format!("[levels.N{level}]")];
    let place = |start: &String| package.head.text.lines().position(|l| l.trim_start().starts_with(start));
    starts.iter().find_map(place).map_or(0, |line| line + 1)
}

/// Where a fluent or action is declared.
pub(crate) fn declaration(domain: &Source, what: &str, functor: &str) -> usize {
    let heads = [format!("{what}("), "defined(".to_owned()];
    let lines = heads.iter().map(|head| line_with(domain, &[head, functor]));
    lines.into_iter().find(|line| *line > 0).unwrap_or_else(|| line_with(domain, &[functor]))
}

/// The pattern that a phrase book would have for a term: `on(first: block, second: block)`.
pub(crate) fn signature(package: &Package, engine: &CompiledLayout, term: &Term) -> String {
    const NAMES: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
    let kinds = package.kinds();
    let kind = |term: &Term| -> String {
        match term {
            Term::Number(_) => "number".to_owned(),
            Term::Function(name, args) if args.is_empty() => {
                package.kind_of(name).map_or_else(|| name.to_string(), |k| kinds[k].to_owned())
            }
            _ if engine.actions.binary_search(term).is_ok() => "action".to_owned(),
            _ if engine.fluents.binary_search(term).is_ok() => "fluent".to_owned(),
            _ => term.functor().to_owned(),
        }
    };
    if term.args().is_empty() {
        return kind(term);
    }
    let places: Vec<String> = term.args().iter().map(kind).collect();
    let named = places.iter().enumerate().map(|(number, place)| {
        let slot =
            places.iter().filter(|p| *p == place).count() > 1 && !package.constants.contains_key(place);
        match NAMES.get(number).filter(|_| slot) {
            Some(name) => format!("{name}: {place}"),
            None => place.clone(),
        }
    });
    format!("{}({})", term.functor(), named.collect::<Vec<_>>().join(", "))
}

/// Where a question family is defined: in questions.lp, or else in the phrase book.
pub(crate) fn question_line(package: &Package, functor: &str, form: Option<QuestionForm>) -> String {
    let book = &package.book;
    let in_program =
        ["answer(", "member(", "ask("].map(|head| line_with(&package.questions, &[head, functor]));
    if let Some(line) = in_program.into_iter().find(|line| *line > 0) {
        return format!("{}:{line}", package.questions.name);
    }
    let line = match form {
        Some(
            QuestionForm::Ask(e)
            | QuestionForm::Which(e, _)
            | QuestionForm::Count(e, _)
            | QuestionForm::Changes(e),
        ) => book.fluents[e].line,
        Some(QuestionForm::Can(e)) => book.actions[e].line,
        Some(QuestionForm::Own(e)) => book.questions[e].line,
        Some(QuestionForm::Common(_)) | None => return package.questions.name.to_string(),
    };
    format!("{}:{line}", book.file)
}
