//! Weighted literals to their sum in each lane, in binary digits, and to where it reaches a bound.

use super::{LaneLiteral, LaneValues, Word};

/// Weighted literals that are added up. A literal with a negative weight is held to count by what it does not add where
/// it is false, so that all weights are positive.
#[derive(Debug)]
pub(super) struct LaneSum {
    pub(super) literals: Vec<(LaneLiteral, u64)>,
    /// What is added to the sum of the literals: the negative weights.
    shift: i64,
    /// The most that the literals can add up to.
    most: u64,
    /// Where its digits stand, the lowest first.
    digits: u32,
    width: u32,
}

impl LaneSum {
    /// A sum whose digits stand behind `digits` others.
    pub(super) fn new(weighted: impl Iterator<Item = (LaneLiteral, i32)>, digits: usize) -> LaneSum {
        let (mut literals, mut shift, mut most) = (Vec::new(), 0i64, 0u64);
        for (literal, weight) in weighted.filter(|(_, weight)| *weight != 0) {
            let size = u64::from(weight.unsigned_abs());
            most += size;
            if weight > 0 {
                literals.push((literal, size));
            } else {
                shift += i64::from(weight);
                literals.push((LaneLiteral(literal.0 ^ 1), size));
            }
        }
        LaneSum { literals, shift, most, digits: digits as u32, width: u64::BITS - most.leading_zeros() }
    }

    /// The sum without the literals whose value is known; its digits stand behind `digits` others.
    pub(super) fn fold(&self, value: impl Fn(LaneLiteral) -> Option<bool>, digits: usize) -> LaneSum {
        let (mut literals, mut shift, mut most) = (Vec::new(), self.shift, 0u64);
        for (literal, weight) in &self.literals {
            match value(*literal) {
                Some(true) => shift += *weight as i64,
                Some(false) => {}
                None => {
                    most += weight;
                    literals.push((*literal, *weight));
                }
            }
        }
        LaneSum { literals, shift, most, digits: digits as u32, width: u64::BITS - most.leading_zeros() }
    }

    /// Is it no less than a bound, where that is so whatever its literals are, or never?
    pub(super) fn decides(&self, bound: i32) -> Option<bool> {
        match u64::try_from(i64::from(bound) - self.shift) {
            Err(_) | Ok(0) => Some(true),
            Ok(rest) => (rest > self.most).then_some(false),
        }
    }

    /// How many digits it has.
    pub(super) fn width(&self) -> usize {
        self.width as usize
    }

    /// Adds the literals up, digit by digit with carry.
    pub(super) fn work_out<const L: usize>(&self, values: &mut LaneValues<L>) {
        let first = self.digits as usize;
        let width = self.width();
        values.digits[first..first + width].fill(Word::NONE);
        for (literal, weight) in &self.literals {
            let counted = values.literal(*literal);
            let mut carry = Word::NONE;
            for (place, digit) in values.digits[first..first + width].iter_mut().enumerate() {
                let rest = weight >> place;
                if rest == 0 && carry.is_none() {
                    break;
                }
                let added = if rest & 1 == 1 { counted } else { Word::NONE };
                let either = *digit ^ added;
                let over = (*digit & added) | (carry & either);
                *digit = either ^ carry;
                carry = over;
            }
        }
    }

    /// Where the sum that was worked out is no less than a bound.
    pub(super) fn at_least<const L: usize>(&self, bound: i32, values: &LaneValues<L>) -> Word<L> {
        let Ok(bound) = u64::try_from(i64::from(bound) - self.shift) else { return Word::ALL };
        if bound > self.most {
            return Word::NONE;
        }
        let first = self.digits as usize;
        let mut reached = Word::ALL;
        for (place, digit) in values.digits[first..first + self.width()].iter().enumerate() {
            reached = if bound >> place & 1 == 1 { *digit & reached } else { *digit | reached };
        }
        reached
    }
}
