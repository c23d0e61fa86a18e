//! Atoms to truth values.

/// A truth value for each atom, by its number.
#[derive(Clone, Debug)]
pub(super) struct TruthValues(Vec<bool>);

impl TruthValues {
    /// All atoms are false.
    pub(super) fn new(atoms: usize) -> TruthValues {
        TruthValues(vec![false; atoms])
    }

    #[inline]
    pub(super) fn get(&self, atom: u32) -> bool {
        self.0[atom as usize]
    }

    #[inline]
    pub(super) fn set(&mut self, atom: u32, value: bool) {
        self.0[atom as usize] = value;
    }
}
