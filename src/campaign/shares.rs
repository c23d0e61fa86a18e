//! The parts of a folder to the shards that make them.

/// Parts that shards share out among themselves, in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares<'p> {
    /// Their names.
    pub(crate) parts: &'p [String],
    /// How many shards there are.
    pub(crate) shards: usize,
}

impl<'p> Shares<'p> {
    /// The numbers of the parts of a shard; shards are counted from 1.
    pub(crate) fn of(self, shard: usize) -> impl Iterator<Item = usize> + 'p {
        (0..self.parts.len()).filter(move |number| self.shard(*number) == shard)
    }

    /// Parts that lack, and the shard that makes the first of them.
    pub(crate) fn lacking(self, has: impl Fn(&str) -> bool) -> Option<(Vec<&'p str>, usize)> {
        let lacking: Vec<usize> = (0..self.parts.len()).filter(|number| !has(&self.parts[*number])).collect();
        let shard = self.shard(*lacking.first()?);
        Some((lacking.into_iter().map(|number| self.parts[number].as_str()).collect(), shard))
    }

    fn shard(self, number: usize) -> usize {
        number * self.shards / self.parts.len().max(1) + 1
    }
}
