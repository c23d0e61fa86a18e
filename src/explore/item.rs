//! A row to what a page shows of it: its texts, its actions with what each changes, and pictures of its situations.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use racgen_data::row::Row;
use racgen_logic::clingo::Source;
use serde_json::{Map, Value, json};

use crate::domain::catalogue::Catalogue;
use crate::domain::package::Package;
use crate::explore::frames::frames;
use crate::language::tell::row_teller::RowTeller;
use crate::pictures::style::PictureStyle;
use crate::simulate::error::SimulationError;
use crate::simulate::replay::Replay;
use crate::simulate::situation::Situation;
use crate::simulate::views::painter::Painter;
use crate::simulate::views::view::view_of;

/// A package with its view; none where there is no such package.
type Found = Option<Arc<(Package, Source)>>;

/// Shows rows; keeps packages and views for the next.
pub struct ItemExplorer<'c> {
    catalogue: &'c Catalogue,
    known: Mutex<BTreeMap<String, Found>>,
    limit: Duration,
}

impl<'c> ItemExplorer<'c> {
    /// Shows rows of packages that are found here.
    pub fn new(catalogue: &'c Catalogue, limit: Duration) -> ItemExplorer<'c> {
        ItemExplorer { catalogue, known: Mutex::default(), limit }
    }

    fn package(&self, name: &str) -> Found {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(name) {
            return found.clone();
        }
        let package = self.catalogue.load(name).ok();
        let found = package.and_then(|package| {
            let view = view_of(&package, self.limit).ok()?;
            Some(Arc::new((package, view)))
        });
        known.insert(name.to_owned(), found.clone());
        found
    }

    /// What a page shows of a row. Where its situations cannot be worked out or drawn, `why` says so in place of pictures.
    pub fn item(&self, row: &Row) -> Value {
        let mut shown = Map::new();
        let texts: [(&str, &str); 14] = [
            ("id", &row.id),
            ("domain", &row.domain),
            ("split", &row.split),
            ("type", &row.question_type),
            ("family", &row.family),
            ("state", &row.initial_state),
            ("rules", &row.rules),
            ("actions", &row.actions),
            ("question", &row.question),
            ("answer", &row.answer),
            ("rationale", &row.rationale),
            ("query", &row.query),
            ("pair", &row.pair),
            ("change", &row.change),
        ];
        for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
            shown.insert(name.into(), json!(text));
        }
        if row.initial_state.is_empty() {
            shown.insert("context".into(), json!(&*row.context));
        }
        shown.insert("level".into(), json!(row.level));
        shown.insert("depth".into(), json!(row.depth));
        shown.insert("plan".into(), json!(&*row.plan));
        let found = self.package(&row.domain).filter(|found| {
            // A story in the vocabulary of the generic domain names none of the objects of its own.
            row.objects.iter().all(|object| found.0.types.iter().any(|t| t.name == *object.kind))
        });
        match found {
            None => drop(shown.insert("why".into(), json!("Items of this kind have no pictures."))),
            Some(found) => match self.story(row, &found.0, &found.1, &mut shown) {
                Ok(()) => {}
                Err(why) => drop(shown.insert("why".into(), json!(format!("There are no pictures: {why}.")))),
            },
        }
        Value::Object(shown)
    }

    /// Adds what each action changes, and the pictures.
    fn story(
        &self,
        row: &Row,
        package: &Package,
        view: &Source,
        shown: &mut Map<String, Value>,
    ) -> Result<(), SimulationError> {
        let replay = Replay::bare(package, row)?;
        let teller = RowTeller::new(package, &replay, &row.objects);
        shown.insert("told".into(), replay.steps.iter().map(|step| json!(teller.did(step.action))).collect());
        let steps = replay.steps.iter().map(|step| &step.situation);
        let situations: Vec<&Situation> = std::iter::once(&replay.initial).chain(steps).collect();
        let changes = situations.windows(2).map(|pair| {
            let told = |one: &Situation, other: &Situation| -> Vec<String> {
                let new = one.iter().filter(|fluent| !other.contains(*fluent));
                new.map(|fluent| teller.statement(fluent)).collect()
            };
            json!([told(pair[1], pair[0]), told(pair[0], pair[1])])
        });
        shown.insert("changes".into(), changes.collect());
        let painter =
            Painter::new(package, &replay.layout, replay.engine.compiled(), view, &teller.naming().names)?;
        let style = PictureStyle::default();
        let pictures = painter.pictures(&situations, &style)?;
        shown.insert("pictures".into(), frames(&pictures, &style));
        Ok(())
    }
}
