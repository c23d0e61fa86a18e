//! A data set to the forms that training and evaluation tools take as they are: question-answer pairs, prompts and
//! completions, chat messages, plain text, statements to be judged, and tasks for lm-evaluation-harness.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::card::{CardConfig, counts, front_matter, style_columns};
use crate::manifest::FileEntry;
use crate::read::{OwnedRow, ReadError, data_files, rows};
use crate::write::records::{Cells, RecordFile};
use crate::write::{Format, LineFile, OutputError, replace, shard_path};

/// A form of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Columns context, question and answer.
    Qa,
    /// Columns prompt and completion, as TRL's SFTTrainer takes them.
    #[cfg_attr(feature = "cli", value(name = "prompt_completion"))]
    PromptCompletion,
    /// A column of chat messages with roles, as TRL's SFTTrainer takes them.
    Messages,
    /// One column of text.
    Text,
    /// Yes/no questions with a passage and true or false, as in BoolQ (Clark et al. 2019) and RuleTaker (Clark,
    /// Tafjord and Richardson 2020).
    Boolq,
}

/// A column of a form.
#[derive(Clone, Copy, Debug)]
pub struct StyleColumn {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub cells: Cells,
    /// What it holds.
    pub about: &'static str,
}

const fn text(name: &'static str, about: &'static str) -> StyleColumn {
    StyleColumn { name, cells: Cells::Text, about }
}

impl StyleColumn {
    /// Its type, for people.
    pub fn kind(&self) -> &'static str {
        match self.cells {
            Cells::Text => "string",
            Cells::Bool => "bool",
            Cells::Messages => "list of {role, content}",
        }
    }

    /// Its type in the words of Hugging Face datasets, as YAML.
    pub fn feature(&self) -> &'static str {
        match self.cells {
            Cells::Text => "dtype: string",
            Cells::Bool => "dtype: bool",
            Cells::Messages => {
                "list:\n    - name: role\n      dtype: string\n    - name: content\n      dtype: string"
            }
        }
    }
}

/// What a chat begins with.
const SYSTEM: &str = "Answer the question about the situation. Say yes or no, a number, or the names asked for, \
                      separated by commas; say none if there are none.";

/// What a chat begins with whose answers are derived step by step.
const STEPWISE: &str = "Answer the question about the situation step by step. End by saying what the answer is: yes or \
                        no, a number, or the names asked for, separated by commas; none if there are none.";

/// Few-shot examples come from this split where there is one.
const FEW_SHOT: [&str; 2] = ["validation", "train"];

/// Why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The data cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The files cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The folder is taken.
    #[error("`{}` is not empty; choose another folder", .0.display())]
    Occupied(PathBuf),
}

impl Style {
    /// The name of its configuration.
    pub fn name(self) -> &'static str {
        match self {
            Style::Qa => "qa",
            Style::PromptCompletion => "prompt_completion",
            Style::Messages => "messages",
            Style::Text => "text",
            Style::Boolq => "boolq",
        }
    }

    /// Its columns.
    pub fn columns(self) -> impl Iterator<Item = StyleColumn> {
        let own: &[StyleColumn] = match self {
            Style::Qa => {
                const {
                    &[
                        text("context", "what a model sees before the question"),
                        text("question", "the question"),
                        text("answer", "the answer"),
                    ]
                }
            }
            Style::PromptCompletion => {
                const {
                    &[
                        text("prompt", "context and question"),
                        text(
                            "completion",
                            "the answer, after a blank, so that prompt and completion are one text together",
                        ),
                    ]
                }
            }
            Style::Messages => {
                const {
                    &[StyleColumn {
                        name: "messages",
                        cells: Cells::Messages,
                        about: "a chat: the task (system), context and question (user), the answer (assistant)",
                    }]
                }
            }
            Style::Text => const { &[text("text", "context, question and answer as one text")] },
            Style::Boolq => {
                const {
                    &[
                        text("passage", "what a model sees before the question"),
                        text("question", "a yes/no question; those of the other types are left out"),
                        StyleColumn { name: "answer", cells: Cells::Bool, about: "true for yes" },
                    ]
                }
            }
        };
        own.iter().copied().chain([text("id", "id of the item")])
    }

    /// An item in this form, with its id; an item with a rationale is answered by that, which ends with the answer,
    /// except in the columns of [`Style::Qa`] and [`Style::Boolq`]; none where the form cannot hold it.
    ///
    /// A completion begins with a blank, so that prompt and completion are one text when put together.
    pub fn record(self, row: &OwnedRow) -> Option<Json> {
        let (context, question, answer) = (&row.context, &row.question, &row.answer);
        // What a model is to write: the answer, or with a rationale, the steps that end with it.
        let said = if row.rationale.is_empty() { answer } else { &row.rationale };
        let prompt = format!("{context}\n\nQuestion: {question}\nAnswer:");
        let mut record = match self {
            Style::Qa => json!({"context": context, "question": question, "answer": answer}),
            Style::PromptCompletion => json!({"prompt": prompt, "completion": format!(" {said}")}),
            Style::Messages => {
                let message = |role: &str, content: &str| json!({"role": role, "content": content});
                let asked = format!("{context}\n\n{question}");
                let system = if row.rationale.is_empty() { SYSTEM } else { STEPWISE };
                json!({"messages": [message("system", system), message("user", &asked), message("assistant", said)]})
            }
            Style::Text => json!({"text": format!("{prompt} {said}")}),
            Style::Boolq => {
                let value = match answer.as_str() {
                    "yes" => true,
                    "no" => false,
                    _ => return None,
                };
                json!({"passage": context, "question": question, "answer": value})
            }
        };
        record["id"] = json!(row.id);
        Some(record)
    }
}

/// Refuses a folder that holds something.
///
/// # Errors
/// [`ExportError::Occupied`].
pub fn empty(out: &Path) -> Result<(), ExportError> {
    let taken = std::fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some());
    if taken { Err(ExportError::Occupied(out.to_owned())) } else { Ok(()) }
}

/// Removes the folders below a folder, and itself, as far as there is nothing in them.
fn prune(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            prune(&entry.path());
        }
    }
    let _ = std::fs::remove_dir(folder);
}

/// Writes items in each of the forms, `OUT/CONFIG/data/SPLIT-00000-of-00001.FORMAT`, where the configuration is called
/// as the style, or as `prefix` and the style. Files that are complete get their names when all are.
///
/// # Errors
/// Items that cannot be read, with file and row; files that are there already.
pub fn write_styles(
    data: impl Iterator<Item = Result<OwnedRow, ReadError>>,
    out: &Path,
    wanted: &[Style],
    prefix: Option<&str>,
    format: Format,
) -> Result<Styled, ExportError> {
    let name = |style: Style| match prefix {
        Some(prefix) => format!("{prefix}_{}", style.name()),
        None => style.name().to_owned(),
    };
    let mut wanted = wanted.to_vec();
    wanted.sort();
    wanted.dedup();
    // Splits stay in the order of the data.
    let mut open: BTreeMap<Style, Vec<(String, PathBuf, RecordFile)>> = BTreeMap::new();
    let mut styled = Styled::default();
    for row in data {
        let row = row?;
        styled.items += 1;
        for style in &wanted {
            let Some(record) = style.record(&row) else { continue };
            let files = open.entry(*style).or_default();
            let place = match files.iter().position(|(split, ..)| *split == row.split) {
                Some(place) => place,
                None => {
                    let path = out.join(shard_path(Some(&name(*style)), &row.split, 0, 1, format));
                    let columns = style.columns().map(|column| (column.name, column.cells)).collect();
                    let file = RecordFile::create(&path, format, columns)?;
                    files.push((row.split.clone(), path, file));
                    files.len() - 1
                }
            };
            let (_, path, file) = &mut files[place];
            file.add(record, path)?;
        }
    }
    for (style, files) in open {
        let mut entries = Vec::new();
        for (split, path, file) in files {
            entries.push(FileEntry::new(out, &split, format, &file.finish(&path)?));
        }
        styled.configs.push(CardConfig::of_style(&name(style), style, &entries));
        styled.files.extend(entries);
    }
    Ok(styled)
}

/// What was written in other forms.
#[derive(Clone, Debug, Default)]
pub struct Styled {
    /// How many items were read.
    pub items: u64,
    /// The files.
    pub files: Vec<FileEntry>,
    /// The configurations, one a form.
    pub configs: Vec<CardConfig>,
}

/// Writes a folder in which each style is a configuration of its own, with a card that names them all.
///
/// # Errors
/// Data that cannot be read, with file and row; a folder that is not empty.
pub fn styles(data: &Path, out: &Path, wanted: &[Style]) -> Result<u64, ExportError> {
    empty(out)?;
    let styled = rows(data).map_err(ExportError::from).and_then(|rows| {
        let styled = write_styles(rows, out, wanted, None, Format::Jsonl);
        styled.inspect_err(|_| prune(out))
    })?;
    let licence = licence(data).unwrap_or_else(|| "unknown".into());
    let mut card = String::new();
    // Writing to a string does not fail.
    let _ = front_matter(
        &mut card,
        "Reasoning about actions, in the forms of training tools",
        &licence,
        &styled.configs,
    );
    card += "# Items in the forms that training tools take\n\n";
    let _ = counts(&mut card, &styled.configs);
    card += "\n## Columns\n\n";
    let _ = style_columns(&mut card, &styled.configs);
    let _ = write!(
        card,
        "\n## How it was made\n\nracgen {} exported the items of another data set, whose card and manifest tell how \
         they came to be; `id` finds an item there.\n\n## Limits\n\n- `boolq` holds yes/no questions only.\n- What \
         applies to that data set applies here.\n\n## Licence\n\nThat of the data set: `{licence}`.\n",
        env!("CARGO_PKG_VERSION")
    );
    replace(&out.join("README.md"), &card)?;
    Ok(styled.items)
}

/// The licence that the card of a data set names.
fn licence(data: &Path) -> Option<String> {
    let folder = if data.is_dir() { data } else { data.parent()? };
    let card = [folder, folder.parent().unwrap_or(folder)];
    let text = card.iter().find_map(|f| std::fs::read_to_string(f.join("README.md")).ok())?;
    let line = text.lines().find_map(|line| line.strip_prefix("license:"))?;
    Some(line.trim().trim_matches('"').to_owned())
}

/// Writes a folder of tasks for lm-evaluation-harness: a shared base, one task for each configuration and type of question,
/// and a group with means weighted by size.
///
/// The tasks look for their data by the path `out` as it is given here, so that they run from the same folder.
///
/// # Errors
/// Data that cannot be read, with file and row; a folder that is not empty.
pub fn lm_eval(data: &Path, out: &Path, name: &str) -> Result<u64, ExportError> {
    empty(out)?;
    tasks(data, out, name).inspect_err(|_| prune(out))
}

/// The configuration that a file belongs to, by the layout of data sets; none where there is only one.
fn config(data: &Path, file: &Path) -> Option<String> {
    let folders = file.strip_prefix(data).ok()?.parent()?;
    let config = folders.parent().filter(|_| folders.ends_with("data"))?;
    Some(config.to_str()?.replace(['/', '\\'], "_")).filter(|config| !config.is_empty())
}

fn tasks(data: &Path, out: &Path, name: &str) -> Result<u64, ExportError> {
    let mut open: BTreeMap<(String, String), LineFile> = BTreeMap::new();
    let mut items = 0;
    let mut all = Vec::new();
    for file in data_files(data)? {
        let config = config(data, &file);
        all.push(rows(&file)?.map(move |row| (config.clone(), row)));
    }
    for (config, row) in all.into_iter().flatten() {
        let row = row?;
        items += 1;
        let task = format!("{name}_{}_{}", config.as_ref().unwrap_or(&row.domain), row.question_type);
        let key = (task.clone(), row.split.clone());
        if !open.contains_key(&key) {
            let path = out.join("data").join(&task).join(format!("{}.jsonl", row.split));
            open.insert(key.clone(), LineFile::create(&path)?);
        }
        let record = json!({
            "id": row.id, "context": row.context, "question": row.question, "answer": row.answer,
            "family": row.family, "level": row.level, "depth": row.depth,
        });
        if let Some(file) = open.get_mut(&key) {
            file.line(&record.to_string())?;
        }
    }
    let mut tasks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (task, split) in open.keys() {
        tasks.entry(task.clone()).or_default().push(split.clone());
    }
    for file in open.into_values() {
        file.finish()?;
    }
    let folder = out.display().to_string();
    let base = format!("_{name}_base");
    replace(
        &out.join(&base),
        "dataset_path: json\noutput_type: generate_until\n\
         doc_to_text: \"{{context}}\\n\\nQuestion: {{question}}\\nAnswer:\"\ndoc_to_target: \" {{answer}}\"\n\
         target_delimiter: \"\"\ngeneration_kwargs:\n  until:\n  - \"\\n\"\n  do_sample: false\n  max_gen_toks: 64\n\
         metric_list:\n- metric: exact_match\n  aggregation: mean\n  higher_is_better: true\n  ignore_case: true\n\
         \x20 ignore_punctuation: true\nmetadata:\n  version: 1.0\n",
    )?;
    for (task, splits) in &tasks {
        let few = FEW_SHOT.iter().find(|s| splits.iter().any(|split| split == **s));
        let tested = splits.iter().find(|s| *s == "test").or_else(|| splits.last());
        let Some(tested) = tested else { continue };
        let mut text = format!("include: {base}\ntask: {task}\ndataset_kwargs:\n  data_files:\n");
        for split in splits {
            let _ = writeln!(text, "    {split}: {}", json!(format!("{folder}/data/{task}/{split}.jsonl")));
        }
        let _ = writeln!(text, "test_split: {tested}");
        if let Some(few) = few {
            let _ = write!(text, "fewshot_split: {few}\nfewshot_config:\n  sampler: first_n\n");
        }
        replace(&out.join(format!("{task}.yaml")), &text)?;
    }
    let mut group = format!("group: {name}\ntask:\n");
    for task in tasks.keys() {
        let _ = writeln!(group, "- {task}");
    }
    group += "aggregate_metric_list:\n- metric: exact_match\n  aggregation: mean\n  weight_by_size: true\nmetadata:\n  version: 1.0\n";
    replace(&out.join(format!("{name}.yaml")), &group)?;
    Ok(items)
}
