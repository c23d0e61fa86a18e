//! An item to one of the forms that training tools take as they are: question-answer pairs, prompts and completions,
//! chat messages, plain text, statements to be judged.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::columns::{base64, image_of, image_path};
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
            Cells::PartedMessages => "list of {role, content}, where content is a list of {type, text}",
            Cells::Images => "list of images",
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
            Cells::PartedMessages => {
                "list:\n    - name: role\n      dtype: string\n    - name: content\n      list:\n      - name: type\n        \
                 dtype: string\n      - name: text\n        dtype: string"
            }
            Cells::Images => "list: image",
        }
    }
}

/// The column of a form with the pictures of an item.
const IMAGES: &str = "images";

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

    /// Its columns; those of items with pictures have the picture besides, and messages whose content is in parts, of which
    /// prompts and completions are made as well.
    pub fn columns(self, pictured: bool) -> impl Iterator<Item = StyleColumn> {
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
        let images = StyleColumn {
            name: IMAGES,
            cells: Cells::Images,
            about: "the picture that belongs to the text; no image where there is none",
        };
        let parted = move |column: StyleColumn| match column.cells {
            // Trainers of models that see find the place of a picture in messages, and not in a text.
            Cells::Text if pictured && self == Style::PromptCompletion => StyleColumn {
                cells: Cells::PartedMessages,
                about: match column.name {
                    "prompt" => "a chat: picture, context and question (user)",
                    _ => "a chat: the answer (assistant)",
                },
                ..column
            },
            Cells::Messages if pictured => StyleColumn {
                cells: Cells::PartedMessages,
                about: "a chat: the task (system), picture, context and question (user), the answer (assistant)",
                ..column
            },
            _ => column,
        };
        let images = Some(images).filter(|_| pictured);
        own.iter().copied().map(parted).chain(images).chain([text("id", "id of the item")])
    }

    /// An item in this form, with its id; an item with a rationale is answered by that, which ends with the answer,
    /// except in the columns of [`Style::Qa`] and [`Style::Boolq`]; none where the form cannot hold it.
    ///
    /// A completion begins with a blank, so that prompt and completion are one text when put together.
    ///
    /// With pictures, a record has a list of images, each `{bytes, path}` with bytes as base64, and the content of a message
    /// is a list of parts, in the form that TRL and the chat templates of models that see take; prompts and completions are
    /// messages, too.
    pub fn record(self, row: &Row, pictured: bool) -> Option<Json> {
        let image = Some(image_of(row)).filter(|bytes| pictured && !bytes.is_empty());
        let (context, question, answer) = (&row.context, &row.question, &row.answer);
        // What a model is to write: the answer, or with a rationale, the steps that end with it.
        let said = if row.rationale.is_empty() { answer } else { &row.rationale };
        let prompt = format!("{context}\n\nQuestion: {question}\nAnswer:");
        let message = |role: &str, content: &str| {
            if !pictured {
                return json!({"role": role, "content": content});
            }
            let sees = image.is_some() && role == "user";
            let image = sees.then(|| json!({"type": "image", "text": null}));
            let parts = image.into_iter().chain([json!({"type": "text", "text": content})]);
            json!({"role": role, "content": parts.collect::<Vec<_>>()})
        };
        let mut record = match self {
            Style::Qa => json!({"context": context, "question": question, "answer": answer}),
            Style::PromptCompletion if pictured => json!({
                "prompt": [message("user", &prompt)], "completion": [message("assistant", said)],
            }),
            Style::PromptCompletion => json!({"prompt": prompt, "completion": format!(" {said}")}),
            Style::Messages => {
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
        if pictured {
            let image = image.map(|bytes| json!({"bytes": base64(&bytes), "path": image_path(row)}));
            record[IMAGES] = image.into_iter().collect();
        }
        record["id"] = json!(row.id);
        Some(record)
    }
}
