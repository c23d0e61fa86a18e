//! A data set to tasks of lm-evaluation-harness.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use crate::error::DataError;
use crate::read::rows::{data_files, rows};
use crate::training::file_names;
use crate::training::files::{empty, prune};
use crate::write::text::{LineFile, replace};

/// Few-shot examples come from this split where there is one.
const FEW_SHOT: [&str; 2] = ["validation", "train"];

/// Writes a folder of tasks for lm-evaluation-harness: a shared base, one task for each configuration and type of question,
/// and a group with means weighted by size.
///
/// The tasks look for their data by the path `out` as it is given here, so that they run from the same folder.
///
/// # Errors
/// Data that cannot be read, with file and row; a folder that is not empty.
pub fn lm_eval(data: &Path, out: &Path, name: &str) -> Result<u64, DataError> {
    empty(out)?;
    tasks(data, out, name).inspect_err(|_| prune(out))
}

/// The configuration that a file belongs to, by the layout of data sets; none where there is only one.
fn config(data: &Path, file: &Path) -> Option<String> {
    let folders = file.strip_prefix(data).ok()?.parent()?;
    let config = folders.parent().filter(|_| folders.ends_with("data"))?;
    Some(config.to_str()?.replace(['/', '\\'], "_")).filter(|config| !config.is_empty())
}

fn tasks(data: &Path, out: &Path, name: &str) -> Result<u64, DataError> {
    let mut open: BTreeMap<(String, String), LineFile> = BTreeMap::new();
    let mut items = 0;
    let mut all = Vec::new();
    for file in data_files(data)? {
        let config = config(data, &file);
        all.push(rows(&file)?.map(move |row| (config.clone(), row)));
    }
    for (config, row) in all.into_iter().flatten() {
        let row = row?;
        file_names::check(&row)?;
        items += 1;
        let task = format!("{name}_{}_{}", config.as_deref().unwrap_or(&row.domain), row.question_type);
        let key = (task.clone(), row.split.to_string());
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
