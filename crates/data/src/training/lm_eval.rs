//! A data set to tasks of lm-evaluation-harness: data, what loads and scores them, and one file a task.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use crate::columns::{IMAGE, base64, image_of};
use crate::error::DataError;
use crate::papers::manifest::FileEntry;
use crate::read::rows::{data_files, rows};
use crate::training::answer_form::needs_racgen;
use crate::training::answer_words;
use crate::training::exported::{prune, record, take};
use crate::training::file_names;
use crate::write::text::{LineFile, replace};

/// Few-shot examples come from this split where there is one.
const FEW_SHOT: [&str; 2] = ["validation", "train"];

/// The functions that the tasks call, beside them: so they find their data wherever the folder stands.
const MODULE: &str = include_str!("racgen_tasks.py");
/// The name of its file.
const MODULE_FILE: &str = "racgen_tasks.py";
/// The words that they know answers by, beside them.
const WORDS_FILE: &str = "racgen_words.json";

/// The fewest tokens that an answer may take; a chat model says more than it must.
const FEWEST_TOKENS: usize = 128;
/// Tokens beyond those of an answer for whoever thinks before.
const THINKING_TOKENS: usize = 2048;
/// Where the picture stands in a prompt, for models that see.
const PICTURE: &str = "{% if image %}<image>\\n{% endif %}";
/// Examples of the few-shot variant.
const SHOTS: usize = 4;

/// How a model is asked: one group of tasks each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    /// Without examples; the answer follows at once.
    Direct,
    /// Behind some examples.
    FewShot,
    /// Step by step; examples have the rationales of the data where there are any.
    Stepwise,
}

impl Variant {
    const ALL: [Variant; 3] = [Variant::Direct, Variant::FewShot, Variant::Stepwise];

    fn suffix(self) -> &'static str {
        match self {
            Variant::Direct => "",
            Variant::FewShot => "_fewshot",
            Variant::Stepwise => "_cot",
        }
    }
}

/// A task: its data, and what must be known of them.
#[derive(Default)]
struct EvaluationTask {
    question_type: String,
    /// Splits, in the order of the data.
    splits: Vec<String>,
    /// Characters of its longest answer, which has no more tokens.
    answer: usize,
    /// Characters of its longest rationale; none where there is none.
    rationale: usize,
    /// Has any of its items a picture?
    pictured: bool,
}

impl EvaluationTask {
    /// What a model is told to answer with.
    fn form(&self) -> &'static str {
        match self.question_type.as_str() {
            "verify" => "yes or no",
            "count" => "a number",
            _ => "the names asked for, separated by commas, or with none if there are none",
        }
    }

    fn text(&self, name: &str, base: &str, variant: Variant) -> String {
        let mut text = format!("include: {base}\ntask: {name}{}\n", variant.suffix());
        let few = FEW_SHOT.iter().find(|s| self.splits.iter().any(|split| split == **s));
        let tested = self.splits.iter().find(|s| *s == "test").or_else(|| self.splits.last());
        let mut told = format!("Answer the question about the situation with {}.", self.form());
        let mut tokens = FEWEST_TOKENS.max(self.answer + 32);
        if variant == Variant::Stepwise {
            told = format!(
                "Think step by step about the situation and the question. Then end with a line that says \"Answer:\" and \
                 {}.",
                self.form()
            );
            tokens += THINKING_TOKENS.max(self.rationale);
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "description: {}", json!(format!("{told}\n\n")));
        let splits = self.splits.iter().map(|split| format!("    - {}\n", json!(split))).collect::<String>();
        let _ = write!(text, "dataset_kwargs:\n  task: {name}\n  splits:\n{splits}");
        if let Some(tested) = tested {
            let _ = writeln!(text, "test_split: {}", json!(tested));
        }
        if let Some(few) = few {
            let _ = write!(text, "fewshot_split: {}\nfewshot_config:\n  sampler: first_n\n", json!(few));
        }
        let picture = if self.pictured { PICTURE } else { "" };
        if self.pictured {
            text += "doc_to_image: !function racgen_tasks.images\n";
        }
        if self.pictured && variant != Variant::Stepwise {
            let _ = writeln!(
                text,
                "doc_to_text: \"{picture}{{{{context}}}}\\n\\nQuestion: {{{{question}}}}\\nAnswer:\""
            );
        }
        if variant == Variant::FewShot {
            let _ = writeln!(text, "num_fewshot: {SHOTS}");
        }
        if variant == Variant::Stepwise {
            let target = if self.rationale > 0 { " {{rationale}}" } else { " Answer: {{answer}}" };
            let _ = write!(
                text,
                "doc_to_text: \"{picture}{{{{context}}}}\\n\\nQuestion: {{{{question}}}}\\n\"\ndoc_to_target: {}\n",
                json!(target)
            );
        }
        let until = match variant {
            Variant::Stepwise => "\\nQuestion:",
            _ => "\\n\\n",
        };
        let _ = write!(
            text,
            "generation_kwargs:\n  until:\n    - \"{until}\"\n    - \"<|im_end|>\"\n  do_sample: false\n  max_gen_toks: {tokens}\n"
        );
        text
    }
}

/// How many items tasks have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvaluationItems {
    /// Items in tasks.
    pub written: u64,
    /// Items whose families are left out.
    pub left_out: u64,
}

impl EvaluationItems {
    /// A line about what is left out, if anything is.
    pub fn note(&self) -> String {
        match self.left_out {
            0 => String::new(),
            left_out => format!(
                "{left_out} items are left out of the tasks, since their families have answers that are sentences or plans; \
                 `racgen score` judges these\n"
            ),
        }
    }
}

/// Writes a folder of tasks for lm-evaluation-harness: a shared base, three tasks for each configuration and type of
/// question (at once, behind examples unless items have pictures, step by step), and a group for each of these ways with means weighted by size. The
/// folder may be moved. With `force`, tasks of an earlier call are replaced.
///
/// Families with answers that the tasks cannot judge, which are sentences or plans, are left out: `racgen score` judges
/// these.
///
/// # Errors
/// Data that cannot be read, with file and row; a folder that is taken.
pub fn lm_eval(data: &Path, out: &Path, name: &str, force: bool) -> Result<EvaluationItems, DataError> {
    data_files(data)?;
    take(out, force)?;
    tasks(data, out, name).inspect_err(|_| prune(out))
}

/// The configuration that a file belongs to, by the layout of data sets; none where there is only one.
fn config(data: &Path, file: &Path) -> Option<String> {
    let folders = file.strip_prefix(data).ok()?.parent()?;
    let config = folders.parent().filter(|_| folders.ends_with("data"))?;
    Some(config.to_str()?.replace(['/', '\\'], "_")).filter(|config| !config.is_empty())
}

/// The families, of each domain, with answers that the tasks cannot judge.
fn unjudged(data: &Path) -> Result<BTreeSet<(String, String)>, DataError> {
    let mut found = BTreeSet::new();
    for file in data_files(data)? {
        for row in rows(&file)? {
            let row = row?;
            if needs_racgen(&row.answer_type) {
                found.insert((row.domain.to_string(), row.family.to_string()));
            }
        }
    }
    Ok(found)
}

fn tasks(data: &Path, out: &Path, name: &str) -> Result<EvaluationItems, DataError> {
    let unjudged = unjudged(data)?;
    let mut open: BTreeMap<(String, String), LineFile> = BTreeMap::new();
    let mut tasks: BTreeMap<String, EvaluationTask> = BTreeMap::new();
    let mut items = EvaluationItems::default();
    let mut all = Vec::new();
    for file in data_files(data)? {
        let config = config(data, &file);
        all.push(rows(&file)?.map(move |row| (config.clone(), row)));
    }
    for (config, row) in all.into_iter().flatten() {
        let row = row?;
        file_names::check(&row)?;
        if unjudged.contains(&(row.domain.to_string(), row.family.to_string())) {
            items.left_out += 1;
            continue;
        }
        items.written += 1;
        let task_name = format!("{name}_{}_{}", config.as_deref().unwrap_or(&row.domain), row.question_type);
        let key = (task_name.clone(), row.split.to_string());
        if !open.contains_key(&key) {
            let path = out.join("data").join(&task_name).join(format!("{}.jsonl", row.split));
            open.insert(key.clone(), LineFile::create(&path)?);
        }
        let task = tasks.entry(task_name).or_default();
        if !task.splits.contains(&key.1) {
            task.splits.push(key.1.clone());
        }
        task.question_type = row.question_type.to_string();
        task.answer = task.answer.max(row.answer.chars().count());
        task.rationale = task.rationale.max(row.rationale.chars().count());
        let names: Vec<&str> = row.objects.iter().map(|object| &*object.name).collect();
        let image = image_of(&row);
        task.pictured |= !image.is_empty();
        let mut record = json!({
            "id": row.id, "context": row.context, "question": row.question, "answer": row.answer,
            "rationale": row.rationale, "names": names, "question_type": row.question_type,
            "family": row.family, "level": row.level, "depth": row.depth,
        });
        if row.extra.contains_key(IMAGE) {
            record["image"] = base64(&image).into();
        }
        if let Some(file) = open.get_mut(&key) {
            file.line(&record.to_string())?;
        }
    }
    let mut files = Vec::new();
    for file in open.into_values() {
        files.push(FileEntry::new(out, &file.finish()?));
    }
    let mut put = |file: &str, text: &str| -> Result<(), DataError> {
        files.push(FileEntry::new(out, &replace(&out.join(file), text)?));
        Ok(())
    };
    put(MODULE_FILE, MODULE)?;
    put(WORDS_FILE, answer_words::TEXT)?;
    let base = format!("_{name}_base");
    put(
        &base,
        "custom_dataset: !function racgen_tasks.load\noutput_type: generate_until\n\
         doc_to_text: \"{{context}}\\n\\nQuestion: {{question}}\\nAnswer:\"\ndoc_to_target: \" {{answer}}\"\n\
         target_delimiter: \"\"\nfilter_list:\n  - name: final-answer\n    filter:\n      - function: custom\n        \
         filter_fn: !function racgen_tasks.final_answers\n      - function: take_first\n\
         process_results: !function racgen_tasks.score\n\
         metric_list:\n  - metric: exact_match\n    aggregation: mean\n    higher_is_better: true\nmetadata:\n  version: 2.0\n",
    )?;
    // lm-evaluation-harness gives a prompt the pictures of the item that is asked about alone, and none of its examples'.
    let pictured = tasks.values().any(|task| task.pictured);
    for variant in Variant::ALL.into_iter().filter(|variant| !(pictured && *variant == Variant::FewShot)) {
        let mut group = format!("group: {name}{}\ntask:\n", variant.suffix());
        for (task_name, task) in &tasks {
            put(&format!("{task_name}{}.yaml", variant.suffix()), &task.text(task_name, &base, variant))?;
            let _ = writeln!(group, "  - {task_name}{}", variant.suffix());
        }
        group += "aggregate_metric_list:\n  - metric: exact_match\n    aggregation: mean\n    weight_by_size: true\n    \
                  filter_list: [final-answer]\nmetadata:\n  version: 2.0\n";
        put(&format!("{name}{}.yaml", variant.suffix()), &group)?;
    }
    record(out, "tasks", files)?;
    Ok(items)
}
