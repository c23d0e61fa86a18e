//! The data card: `README.md` with the front matter Hugging Face reads and a short text people read.

use std::fmt::{self, Write as _};
use std::path::Path;

use crate::columns::{COLUMNS, ExtraKind, Value};
use crate::error::DataError;
use crate::format::Format;
use crate::papers::front_matter::{CardConfig, counts, front_matter, quoted, style_columns};
use crate::row::Row;
use crate::write::text::replace;

/// What a card tells.
#[derive(Clone, Debug)]
pub struct CardInfo {
    /// Title, one line.
    pub title: String,
    /// Licence identifier as the Hub knows it: `cc-by-4.0`, `mit` and the like.
    pub licence: String,
    /// The command that made the data.
    pub command: String,
    /// Do splits share worlds, but no world together with its plan?
    pub by_instance: bool,
    /// The configurations; the first is the one loaded when none is named.
    pub configs: Vec<CardConfig>,
    /// An item to show.
    pub example: Row,
}

/// The name of a data card.
pub const CARD: &str = "README.md";

/// Writes the card as `README.md` into the output folder, in place of an older one.
///
/// # Errors
/// [`DataError`] with the path, the cause and a remedy.
pub fn write_card(out: &Path, info: &CardInfo) -> Result<(), DataError> {
    replace(&out.join(CARD), &card(info)).map(drop)
}

/// The text of the card.
pub fn card(info: &CardInfo) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = front_matter(&mut text, &info.title, &info.licence, &info.configs)
        .and_then(|()| body(&mut text, info));
    text
}

fn body(m: &mut String, info: &CardInfo) -> fmt::Result {
    writeln!(m, "# {}\n", info.title)?;
    writeln!(
        m,
        "Each item describes a small world, says which actions happen in it, and asks about the situation they \
         lead to. Items come in three types: `verify` asks whether something holds (yes or no), `count` asks for a \
         number, and `other` asks which objects have a property. Every answer follows from a logic program, \
         grounded by the answer-set solver clingo.\n"
    )?;

    counts(m, &info.configs)?;
    writeln!(m, "\n```python\nfrom datasets import load_dataset\n")?;
    match info.configs.as_slice() {
        [_] | [] => writeln!(m, "data = load_dataset(\"FOLDER\")")?,
        [first, ..] => writeln!(m, "data = load_dataset(\"FOLDER\", {})", quoted(&first.name))?,
    }
    writeln!(m, "```\n")?;
    if info.configs.len() > 1 {
        writeln!(m, "Without a name the first configuration is loaded.\n")?;
    }

    let row = &info.example;
    writeln!(m, "## An item\n")?;
    writeln!(m, "World complexity {}, {}, type `{}`.\n", row.level, actions(row.depth), row.question_type)?;
    for (name, text) in [
        ("Initial state", &*row.initial_state),
        ("Rules", &*row.rules),
        ("Actions", &*row.actions),
        ("Question", row.question.as_str()),
        ("Answer", row.answer.as_str()),
    ] {
        writeln!(m, "**{name}**\n\n{}\n", fenced("text", text))?;
    }
    writeln!(m, "What it was made from, in the terms of the logic program:\n")?;
    let program = format!(
        "facts: {}\nplan:  {}\nquery: {}\ngold:  {}",
        row.facts.join(", "),
        row.plan.join(", "),
        row.query,
        row.gold.join(", ")
    );
    writeln!(m, "{}\n", fenced("text", &program))?;

    writeln!(m, "## Columns\n\n| column | type | content |\n| --- | --- | --- |")?;
    for column in COLUMNS {
        let kind = match column.value {
            Value::Text(..) => "string",
            Value::Int32(..) => "int32",
            Value::Int64(..) => "int64",
            Value::Texts(..) => "list of string",
            Value::Objects(..) => "list of {id, type, name}",
        };
        writeln!(m, "| `{}` | {kind} | {} |", column.name, column.about)?;
    }
    let mut told = Vec::new();
    for column in info.configs.iter().flat_map(|config| &config.extra) {
        if !told.contains(&column) {
            let kind = match column.kind {
                ExtraKind::Text => "string",
                ExtraKind::Number => "int64",
                ExtraKind::NumberOrNull => "int64 or null",
                ExtraKind::Texts => "list of string",
                ExtraKind::Bytes => "binary",
                ExtraKind::Image => "image or null",
            };
            writeln!(m, "| `{}` | {kind} | {} |", column.name, column.about)?;
            told.push(column);
        }
    }
    if info.configs.iter().any(|c| c.format == Format::Csv) {
        writeln!(m, "\nIn CSV files a list stands in its cell as a JSON array.")?;
    }

    let forms: Vec<CardConfig> = info.configs.iter().filter(|c| c.style.is_some()).cloned().collect();
    if !forms.is_empty() {
        writeln!(m, "\nThese configurations hold the same items in other forms, with the same ids:\n")?;
        style_columns(m, &forms)?;
    }

    writeln!(
        m,
        "\n## How it was made\n\nBy racgen {}:\n\n{}\n",
        env!("CARGO_PKG_VERSION"),
        fenced("text", &info.command)
    )?;
    writeln!(
        m,
        "A domain is a logic program: its fluents, its actions, when they can be executed and what they change. \
         clingo samples a world and an initial situation, the effects of a sequence of executable actions give the \
         final situation, and rules of the domain derive questions and answers from it. The rules are grounded by \
         clingo; where they are evaluated natively, clingo's own search judges a sample. Templates turn all of it \
         into English. The same command makes the same bytes again. `manifest.json` holds the settings, the counts \
         by split, type, family, level and depth, how often yes and no are right, the worlds of each split and the \
         SHA-256 of each file.\n"
    )?;
    let apart = if info.by_instance {
        "No two splits share a world together with its actions, not even with the objects renamed, but they may share \
         worlds."
    } else {
        "No two splits share a world, not even one with its objects renamed."
    };
    writeln!(
        m,
        "{apart} `facts`, `plan`, `query` and `gold` \
         are enough to check an answer with clingo and the rules of the domain.\n"
    )?;

    writeln!(m, "## Limits\n")?;
    writeln!(
        m,
        "- The worlds are fully known and deterministic, and nothing happens in them but the listed actions.\n\
         - The English comes from templates. It is varied in wording, not in style.\n\
         - Questions that have the same answer without the actions are limited in number, not absent; the manifest \
         counts them.\n\
         - A high score shows that a model tracks these worlds, not that it reasons about actions in general.\n"
    )?;

    writeln!(m, "## Licence\n\nThe data are under the licence `{}`.\n", info.licence)?;
    writeln!(
        m,
        "## Citation\n\nThe first entry is this data set. Domains and question types follow the paper of the second; the \
         third describes the solver.\n"
    )?;
    writeln!(m, "{}", fenced("bibtex", &format!("{}\n{CITATION}", own_citation(info))))
}

/// The entry of the data set itself. It has no year: the same command makes the same card at any time.
fn own_citation(info: &CardInfo) -> String {
    format!(
        "@misc{{racgen_dataset,\n  title        = {{{{{}}}}},\n  howpublished = {{Synthetic data set, made by racgen \
         {}}},\n  note         = {{Command: {}}}\n}}",
        bibtex(&info.title),
        env!("CARGO_PKG_VERSION"),
        bibtex(&info.command)
    )
}

/// A text as BibTeX takes it.
fn bibtex(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '#' | '%' | '&' | '$' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '\n' => out.push(' '),
            other => out.push(other),
        }
    }
    // Two dashes would be set as one.
    out.replace("--", "-{}-")
}

const CITATION: &str = "\
@article{banerjee2020transformers,
  title   = {Can Transformers Reason About Effects of Actions?},
  author  = {Banerjee, Pratyay and Baral, Chitta and Luo, Man and Mitra, Arindam and Pal, Kuntal and
             Son, Tran C. and Varshney, Neeraj},
  journal = {arXiv preprint arXiv:2012.09938},
  year    = {2020}
}
@article{gebser2019multishot,
  title   = {Multi-shot {ASP} solving with clingo},
  author  = {Gebser, Martin and Kaminski, Roland and Kaufmann, Benjamin and Schaub, Torsten},
  journal = {Theory and Practice of Logic Programming},
  volume  = {19},
  number  = {1},
  year    = {2019}
}";

fn actions(depth: i32) -> String {
    if depth == 1 { "1 action".into() } else { format!("{depth} actions") }
}

/// A block that shows a text as it is, whatever backticks it holds.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::manifest::FileEntry;
    use crate::sample;

    fn file(path: &str, split: &str, format: Format, rows: u64) -> FileEntry {
        FileEntry {
            path: path.into(),
            split: split.into(),
            format: Some(format),
            rows: Some(rows),
            bytes: 10 * rows,
            sha256: String::new(),
        }
    }

    fn info(configs: Vec<CardConfig>) -> CardInfo {
        CardInfo {
            title: "Blocks: \"small\" worlds".into(),
            licence: "cc-by-4.0".into(),
            command: "racgen blocks".into(),
            by_instance: false,
            configs,
            example: sample::rows(1).remove(0),
        }
    }

    #[test]
    fn the_front_matter_names_splits_patterns_and_counts() {
        let config = CardConfig::new(
            "blocks",
            &[
                file("data/train-00000-of-00002.csv", "train", Format::Csv, 700),
                file("data/train-00000-of-00002.parquet", "train", Format::Parquet, 700),
                file("data/train-00001-of-00002.parquet", "train", Format::Parquet, 500),
                file("data/dev.hard-00000-of-00001.parquet", "dev.hard", Format::Parquet, 30),
                file("data/none-00000-of-00001.parquet", "none", Format::Parquet, 0),
            ],
        );
        let memory = |path: &str, bytes: u64| (format!("data/{path}-00001-of-00002.parquet"), bytes);
        let sizes = [memory("train", 70_000), ("data/train-00000-of-00002.parquet".to_owned(), 90_000)];
        let config = config.with_memory(&sizes.into_iter().collect());
        let text = card(&info(vec![config]));
        let front = text.split("---\n").nth(1).unwrap_or_default();
        let (head, tail) = front.split_once("  features:").unwrap_or_default();
        assert_eq!(
            head,
            r#"pretty_name: "Blocks: \"small\" worlds"
license: "cc-by-4.0"
language:
- en
annotations_creators:
- machine-generated
language_creators:
- machine-generated
multilinguality:
- monolingual
source_datasets:
- original
task_categories:
- question-answering
task_ids:
- closed-domain-qa
size_categories:
- 1K<n<10K
tags:
- synthetic
- reasoning
- reasoning-about-actions
- answer-set-programming
configs:
- config_name: "blocks"
  data_files:
  - split: "train"
    path: "data/train-*.parquet"
  - split: "dev.hard"
    path: "data/dev.hard-*.parquet"
dataset_info:
- config_name: "blocks"
"#
        );
        let (features, splits) = tail.split_once("  splits:\n").unwrap_or_default();
        assert!(features.contains("\n  - name: gold\n    list: string\n"), "{features}");
        assert!(features.contains("\n  - name: level\n    dtype: int32\n"), "{features}");
        assert_eq!(
            splits,
            "  - name: \"train\"
    num_bytes: 160000
    num_examples: 1200
  - name: \"dev.hard\"
    num_bytes: 300
    num_examples: 30
  download_size: 12300
  dataset_size: 160300
"
        );
    }

    #[test]
    fn several_configurations_have_a_default_and_csv_keeps_its_texts() {
        let config = |name: &str| {
            CardConfig::new(
                name,
                &[file(&format!("{name}/data/test-00000-of-00001.csv"), "test", Format::Csv, 3)],
            )
        };
        let text = card(&info(vec![config("blocks"), config("dwr")]));
        assert!(
            text.contains("- config_name: \"blocks\"\n  default: true\n  keep_default_na: false\n"),
            "{text}"
        );
        assert_eq!(text.matches("default: true").count(), 1);
        assert!(text.contains("path: \"dwr/data/test-*.csv\""), "{text}");
        assert!(!text.contains("list: string"), "{text}");
    }

    #[test]
    fn a_text_with_backticks_stays_in_its_block() {
        assert_eq!(fenced("text", "a ``` b"), "````text\na ``` b\n````");
    }
}
