//! A data set to the forms that training and evaluation tools take as they are: question-answer pairs, prompts and
//! completions, chat messages, plain text, statements to be judged, and tasks for lm-evaluation-harness.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Value as Json, json};

use crate::read::{OwnedRow, ReadError, rows};
use crate::sink::{LineFile, OutputError, replace};

/// A form of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Style {
    /// Columns context, question and answer.
    Qa,
    /// Columns prompt and completion, as TRL's SFTTrainer takes them.
    #[value(name = "prompt_completion")]
    PromptCompletion,
    /// A column of chat messages with roles, as TRL's SFTTrainer takes them.
    Messages,
    /// One column of text.
    Text,
    /// Yes/no questions with a passage and true or false, as in BoolQ (Clark et al. 2019) and RuleTaker (Clark,
    /// Tafjord and Richardson 2020).
    Boolq,
}

/// What a chat begins with.
const SYSTEM: &str = "Answer the question about the situation. Say yes or no, a number, or the names asked for, \
                      separated by commas; say none if there are none.";

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

    /// Its columns, with their types in the words of Hugging Face datasets.
    fn features(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Style::Qa => &[("context", "string"), ("question", "string"), ("answer", "string")],
            Style::PromptCompletion => &[("prompt", "string"), ("completion", "string")],
            Style::Messages => &[("messages", "list")],
            Style::Text => &[("text", "string")],
            Style::Boolq => &[("passage", "string"), ("question", "string"), ("answer", "bool")],
        }
    }

    /// An item in this form, with its id; none where the form cannot hold it.
    ///
    /// A completion begins with a blank, so that prompt and completion are one text when put together.
    pub fn record(self, row: &OwnedRow) -> Option<Json> {
        let (context, question, answer) = (&row.context, &row.question, &row.answer);
        let prompt = format!("{context}\n\nQuestion: {question}\nAnswer:");
        let mut record = match self {
            Style::Qa => json!({"context": context, "question": question, "answer": answer}),
            Style::PromptCompletion => json!({"prompt": prompt, "completion": format!(" {answer}")}),
            Style::Messages => {
                let message = |role: &str, content: &str| json!({"role": role, "content": content});
                let asked = format!("{context}\n\n{question}");
                json!({"messages": [message("system", SYSTEM), message("user", &asked), message("assistant", answer)]})
            }
            Style::Text => json!({"text": format!("{prompt} {answer}")}),
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
fn empty(out: &Path) -> Result<(), ExportError> {
    let taken = std::fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some());
    if taken { Err(ExportError::Occupied(out.to_owned())) } else { Ok(()) }
}

/// Writes each style as a configuration of its own, `OUT/STYLE/SPLIT.jsonl`, with a card that names them all.
///
/// # Errors
/// Data that cannot be read, with file and row; a folder that is not empty.
pub fn styles(data: &Path, out: &Path, wanted: &[Style]) -> Result<u64, ExportError> {
    empty(out)?;
    let mut open: BTreeMap<(Style, String), (LineFile, u64)> = BTreeMap::new();
    let wanted: BTreeSet<Style> = wanted.iter().copied().collect();
    let mut items = 0;
    for row in rows(data)? {
        let row = row?;
        items += 1;
        for style in &wanted {
            let Some(record) = style.record(&row) else { continue };
            let key = (*style, row.split.clone());
            if !open.contains_key(&key) {
                let path = out.join(style.name()).join(format!("{}.jsonl", row.split));
                open.insert(key.clone(), (LineFile::create(&path)?, 0));
            }
            if let Some((file, count)) = open.get_mut(&key) {
                file.line(&record.to_string())?;
                *count += 1;
            }
        }
    }
    let mut card = "---\nlanguage:\n- en\ntask_categories:\n- question-answering\nconfigs:\n".to_owned();
    let mut info = "dataset_info:\n".to_owned();
    for (number, style) in wanted.iter().enumerate() {
        let splits: Vec<(&String, u64)> = open
            .iter()
            .filter(|((s, _), _)| s == style)
            .map(|((_, split), (_, count))| (split, *count))
            .collect();
        if splits.is_empty() {
            continue;
        }
        let default = if number == 0 && wanted.len() > 1 { "  default: true\n" } else { "" };
        let _ = write!(card, "- config_name: {}\n{default}  data_files:\n", style.name());
        let _ = write!(info, "- config_name: {}\n  features:\n", style.name());
        for (name, kind) in style.features().iter().chain([&("id", "string")]) {
            let _ = match *kind {
                "list" => writeln!(
                    info,
                    "  - name: {name}\n    list:\n    - name: role\n      dtype: string\n    - name: content\n      dtype: string"
                ),
                kind => writeln!(info, "  - name: {name}\n    dtype: {kind}"),
            };
        }
        for (split, _) in splits {
            let _ = write!(card, "  - split: {split}\n    path: {}/{split}.jsonl\n", style.name());
        }
    }
    card += &info;
    card += "---\n\n# Items in the forms that training tools take\n\n| config | split | items |\n| --- | --- | ---: |\n";
    for ((style, split), (_, count)) in &open {
        let _ = writeln!(card, "| `{}` | `{split}` | {count} |", style.name());
    }
    card += "\nThe column `id` is that of the data set from which racgen exported them.\n";
    for (file, _) in open.into_values() {
        file.finish()?;
    }
    replace(&out.join("README.md"), &card)?;
    Ok(items)
}

/// Writes a folder of tasks for lm-evaluation-harness: a shared base, one task for each domain and type of question,
/// and a group with means weighted by size.
///
/// The tasks look for their data by the path `out` as it is given here, so that they run from the same folder.
///
/// # Errors
/// Data that cannot be read, with file and row; a folder that is not empty.
pub fn lm_eval(data: &Path, out: &Path, name: &str) -> Result<u64, ExportError> {
    empty(out)?;
    let mut open: BTreeMap<(String, String), LineFile> = BTreeMap::new();
    let mut items = 0;
    for row in rows(data)? {
        let row = row?;
        items += 1;
        let task = format!("{name}_{}_{}", row.domain, row.question_type);
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
