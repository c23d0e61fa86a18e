//! What every source of items offers: streams of items, made group by group, each group the same whenever and wherever
//! it is made.
//!
//! Domains ([`Factory`](crate::factory::source::Factory)), games, mazes and questions about rules implement [`ItemSource`];
//! [`campaign`](crate::campaign) writes any of them to a folder, with all options of a run.

use std::collections::BTreeMap;

use racgen_data::columns::ExtraColumn;
use racgen_data::papers::manifest::Exception;
use racgen_data::row::Row;
use serde::{Deserialize, Serialize};

use crate::items::clock::Clock;
use crate::items::error::ItemError;

/// How many items a group has, but for the last of a stream.
pub const GROUP_SIZE: u64 = 50;

/// Items of one split, level and depth, and of one member where a source has several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stream {
    /// Which of the source's members, such as games, counted from 0.
    pub member: usize,
    /// Index into [`ItemSource::splits`].
    pub split: usize,
    /// The level.
    pub level: i32,
    /// The depth.
    pub depth: i32,
}

/// A split and its share of the items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// Its name.
    pub name: String,
    /// Its weight.
    pub weight: f64,
}

/// A row, and what only its source knows about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The row.
    pub row: Row,
    /// Does the initial situation give the same answer? `false` where its source does not know
    /// ([`ItemSource::knows_trivial`]).
    pub trivial: bool,
}

/// What a data card says of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// What the items are, as `Reasoning about actions`.
    pub subject: String,
    /// What they are about, as the title of a domain; none for the same as another source's of the run.
    pub titles: Vec<String>,
    /// Do splits share worlds, but no world together with its plan?
    pub by_instance: bool,
}

/// Whatever makes items.
///
/// An item depends on nothing but the source's settings, its stream and its place there: not on which groups were made
/// before, in which order, or by which thread.
pub trait ItemSource: Send + Sync {
    /// What a card says of it.
    fn about(&self) -> About;

    /// Everything that decides what the rows are, as it stands in the manifest.
    fn settings(&self) -> serde_json::Value;

    /// The splits.
    fn splits(&self) -> &[Split];

    /// The streams of a split in the order of its files, with their numbers of items.
    fn streams(&self, split: usize) -> Vec<(Stream, u64)>;

    /// Columns besides those of all rows.
    fn extra_columns(&self) -> &[ExtraColumn] {
        &[]
    }

    /// Finds out whether a stream can be made, before anything is written.
    ///
    /// # Errors
    /// What is wrong with its settings.
    fn prepare(&self, stream: Stream, clock: &Clock) -> Result<(), ItemError> {
        let _ = (stream, clock);
        Ok(())
    }

    /// Makes the items of one group: those of `index / GROUP_SIZE == group` below `items`, the number of items of the
    /// stream.
    ///
    /// # Errors
    /// Anything that keeps an item from being made.
    fn group(&self, stream: Stream, group: u64, items: u64, clock: &Clock) -> Result<Vec<Item>, ItemError>;

    /// Does it know of its items whether the initial situation gives the same answer?
    fn knows_trivial(&self) -> bool {
        true
    }

    /// What could not be asked or balanced in the streams that were prepared or made, and why.
    fn left_out(&self) -> Vec<Exception> {
        Vec::new()
    }

    /// What the manifest tells besides, by name.
    fn details(&self) -> BTreeMap<String, serde_json::Value> {
        BTreeMap::new()
    }

    /// Texts that stand beside the items, by their paths below the output folder: what anyone needs to derive the
    /// answers again and does not have.
    fn companions(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }
}
