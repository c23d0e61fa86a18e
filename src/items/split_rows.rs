//! Places among the rows of a split to the groups that hold them, so that any range can be made on its own.
//!
//! The files of a data set hold the rows of a split stream after stream. Whoever reads on without end takes the streams in
//! turns, a group of each, so that the rows of all levels and depths come early.

use std::ops::Range;

use crate::items::source::{GROUP_SIZE, ItemSource, Stream};

/// In which order the streams of a split come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// One after the other, as in files.
    Files,
    /// In turns, a whole group of each, as long as all streams have one.
    Turns,
}

/// Rows of one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupRows {
    /// The place of its source among those of the split.
    pub source: usize,
    /// Its stream.
    pub stream: Stream,
    /// Its number within the stream.
    pub group: u64,
    /// The number of items of the stream.
    pub items: u64,
    /// Which of its rows.
    pub rows: Range<usize>,
}

/// The rows of a split, numbered from 0.
#[derive(Clone, Debug)]
pub struct SplitRows {
    /// Source, stream, and its number of items.
    streams: Vec<(usize, Stream, u64)>,
    order: RowOrder,
    rows: u64,
}

impl SplitRows {
    /// The rows of the split of one number, of all sources; the sources come one after the other.
    pub fn new(sources: &[&dyn ItemSource], split: usize, order: RowOrder) -> SplitRows {
        let of = |(number, source): (usize, &&dyn ItemSource)| {
            source.streams(split).into_iter().map(move |(stream, items)| (number, stream, items))
        };
        let streams: Vec<_> =
            sources.iter().enumerate().flat_map(of).filter(|(.., items)| *items > 0).collect();
        let rows = match order {
            RowOrder::Files => streams.iter().map(|(.., items)| items).sum(),
            RowOrder::Turns => {
                let least = streams.iter().map(|(.., items)| items / GROUP_SIZE).min().unwrap_or(0);
                least * GROUP_SIZE * streams.len() as u64
            }
        };
        SplitRows { streams, order, rows }
    }

    /// How many there are.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// From the row at a place to the end of its group; none behind the last row.
    pub fn at(&self, place: u64) -> Option<GroupRows> {
        if place >= self.rows {
            return None;
        }
        let (number, within) = match self.order {
            RowOrder::Files => {
                let mut within = place;
                let ends = |(.., items): &(usize, Stream, u64)| {
                    let here = within < *items;
                    within -= if here { 0 } else { *items };
                    here
                };
                (self.streams.iter().position(ends)?, within)
            }
            RowOrder::Turns => {
                let (turn, streams) = (place / GROUP_SIZE, self.streams.len() as u64);
                ((turn % streams) as usize, turn / streams * GROUP_SIZE + place % GROUP_SIZE)
            }
        };
        let (source, stream, items) = *self.streams.get(number)?;
        let group = within / GROUP_SIZE;
        let end = GROUP_SIZE.min(items - group * GROUP_SIZE) as usize;
        Some(GroupRows { source, stream, group, items, rows: (within % GROUP_SIZE) as usize..end })
    }

    /// The groups that hold a range of rows, in order.
    pub fn groups(&self, range: Range<u64>) -> Vec<GroupRows> {
        let (mut place, mut all) = (range.start, Vec::new());
        while place < range.end {
            let Some(mut part) = self.at(place) else { break };
            part.rows.end = part.rows.end.min(part.rows.start + (range.end - place) as usize);
            place += part.rows.len() as u64;
            all.push(part);
        }
        all
    }

    /// The greatest place up to this one at which a group begins.
    pub fn group_start(&self, place: u64) -> u64 {
        let within = self.at(place).map_or(0, |part| part.rows.start);
        place.min(self.rows) - within as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(sizes: &[u64], order: RowOrder) -> SplitRows {
        let stream = |(number, items): (usize, &u64)| {
            (0, Stream { level: number as i32, ..Stream::default() }, *items)
        };
        let streams: Vec<_> = sizes.iter().enumerate().map(stream).collect();
        let rows = match order {
            RowOrder::Files => sizes.iter().sum(),
            RowOrder::Turns => sizes.iter().min().unwrap() / GROUP_SIZE * GROUP_SIZE * sizes.len() as u64,
        };
        SplitRows { streams, order, rows }
    }

    /// Level and place within the stream of each row.
    fn all(split: &SplitRows, range: Range<u64>) -> Vec<(i32, u64)> {
        let of = |part: GroupRows| {
            part.rows.map(move |row| (part.stream.level, part.group * GROUP_SIZE + row as u64))
        };
        split.groups(range).into_iter().flat_map(of).collect()
    }

    #[test]
    fn any_cut_of_a_split_gives_each_row_once_in_order() {
        for (sizes, order) in
            [(vec![120, 7, 50, 101], RowOrder::Files), (vec![160, 150, 199], RowOrder::Turns)]
        {
            let split = rows(&sizes, order);
            let whole = all(&split, 0..split.rows() + 5);
            assert_eq!(whole.len() as u64, split.rows());
            let mut sorted = whole.clone();
            sorted.sort();
            sorted.dedup();
            assert_eq!(sorted.len(), whole.len());
            for cut in [1, 49, 50, 51, 120, 127, 200] {
                let front = all(&split, 0..cut);
                assert_eq!([front, all(&split, cut..split.rows())].concat(), whole, "{cut}");
            }
        }
    }

    #[test]
    fn streams_take_turns() {
        let split = rows(&[160, 150], RowOrder::Turns);
        assert_eq!(split.rows(), 300);
        let levels: Vec<i32> = split.groups(0..300).iter().map(|part| part.stream.level).collect();
        assert_eq!(levels, [0, 1, 0, 1, 0, 1]);
        assert_eq!(split.group_start(149), 100);
        assert!(split.at(300).is_none());
    }
}
