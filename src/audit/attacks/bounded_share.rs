//! Counts to shares with their intervals.

use serde::Serialize;

/// Standard errors to either end of a 99 % interval.
pub(crate) const Z: f64 = 2.575_829;

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoundedShare {
    /// Those that are meant.
    pub some: usize,
    /// All that were looked at.
    pub of: usize,
}

impl BoundedShare {
    /// A share of things that are so or not.
    pub fn of(all: impl IntoIterator<Item = bool>) -> BoundedShare {
        let mut share = BoundedShare::default();
        all.into_iter().for_each(|one| share.count(one));
        share
    }

    pub(super) fn count(&mut self, one: bool) {
        self.some += usize::from(one);
        self.of += 1;
    }

    pub(super) fn add(&mut self, other: BoundedShare) {
        self.some += other.some;
        self.of += other.of;
    }

    /// Was nothing looked at?
    pub fn is_empty(&self) -> bool {
        self.of == 0
    }

    pub(super) fn rest(self) -> BoundedShare {
        BoundedShare { some: self.of - self.some, of: self.of }
    }

    /// The share, if anything was looked at.
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| self.some as f64 / self.of as f64)
    }

    /// The lower end of its 99 % interval (Wilson 1927).
    ///
    /// ```
    /// use racgen::audit::attacks::bounded_share::BoundedShare;
    /// assert!((BoundedShare { some: 640, of: 1000 }.low() - 0.600).abs() < 0.001);
    /// ```
    pub fn low(self) -> f64 {
        let (n, p) = (self.of.max(1) as f64, self.value().unwrap_or(0.0));
        let middle = p + Z * Z / (2.0 * n);
        let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        ((middle - spread) / (1.0 + Z * Z / n)).max(0.0)
    }

    /// The upper end of it.
    pub fn high(self) -> f64 {
        1.0 - BoundedShare { some: self.of - self.some, ..self }.low()
    }
}

impl Serialize for BoundedShare {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}
