//! An item to one of the forms that training tools take as they are: question-answer pairs, prompts and completions,
//! chat messages, plain text, statements to be judged.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::row::Row;
use crate::training::answer_form::{needs_racgen, told};
use crate::write::records::Cells;

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
            Cells::Whole => "int64",
            Cells::Number => "float64",
            Cells::Messages => "list of {role, content}",
        }
    }

    /// Its type in the words of Hugging Face datasets, as YAML.
    pub fn feature(&self) -> &'static str {
        match self.cells {
            Cells::Text => "dtype: string",
            Cells::Bool => "dtype: bool",
            Cells::Whole => "dtype: int64",
            Cells::Number => "dtype: float64",
            Cells::Messages => {
                "list:\n    - name: role\n      dtype: string\n    - name: content\n      dtype: string"
            }
        }
    }
}

/// What a chat begins with; an item with a rationale is answered step by step.
fn system(row: &Row) -> String {
    instruction(&row.answer_type, !row.rationale.is_empty())
}

/// What a model is told to say to questions with this type of answer.
pub fn instruction(answer_type: &str, step_by_step: bool) -> String {
    let told = told(answer_type);
    if !step_by_step {
        return format!("Answer the question about the situation. Say {told}.");
    }
    // The sentence goes on, so that "say" would stand twice.
    let told = told.replace("; say none", "; none");
    format!("Answer the question about the situation step by step. End by saying what the answer is: {told}.")
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
    pub fn record(self, row: &Row) -> Option<Json> {
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
                json!({"messages": [message("system", &system(row)), message("user", &asked), message("assistant", said)]})
            }
            Style::Text => json!({"text": format!("{prompt} {said}")}),
            Style::Boolq => {
                // Where a third answer is offered, two of them say too little.
                let value = match answer.as_str() {
                    _ if needs_racgen(&row.answer_type) => return None,
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
