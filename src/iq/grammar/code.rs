//! Choices of a derivation to a prefix-free binary code, and back.
//!
//! The grammar asks for one choice after the other, and each is written in a complete prefix code of its own, so that the
//! bits of a whole derivation are a word of a prefix-free code, too: who reads them knows where it ends. A derivation of l
//! bits has probability 2^-l where bits are drawn by tossing a coin, and the sum of 2^-l over all derivations is 1.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

/// The bits given ended before the derivation did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooShort;

/// Where bits come from.
#[derive(Debug)]
enum BitSource<'b> {
    Coin(&'b mut ChaCha8Rng),
    Given(&'b [bool]),
}

/// A derivation under way: hands out choices and keeps their bits.
///
/// ```
/// use racgen::iq::grammar::code::ChoiceCode;
/// let bits = [true, false, true, true];
/// let mut code = ChoiceCode::given(&bits);
/// assert_eq!((code.several(3), code.among(3)), (Ok(1), Ok(2)));
/// assert_eq!(code.bits(), bits);
/// assert!(code.bit().is_err());
/// ```
#[derive(Debug)]
pub struct ChoiceCode<'b> {
    source: BitSource<'b>,
    bits: Vec<bool>,
}

impl<'b> ChoiceCode<'b> {
    /// Choices by tossing a coin.
    pub fn tossed(coin: &'b mut ChaCha8Rng) -> ChoiceCode<'b> {
        ChoiceCode { source: BitSource::Coin(coin), bits: Vec::new() }
    }

    /// The choices that these bits tell.
    pub fn given(bits: &'b [bool]) -> ChoiceCode<'b> {
        ChoiceCode { source: BitSource::Given(bits), bits: Vec::new() }
    }

    /// The bits so far.
    pub fn bits(&self) -> &[bool] {
        &self.bits
    }

    /// Yes or no: one bit.
    ///
    /// # Errors
    /// Bits that were given have ended.
    pub fn bit(&mut self) -> Result<bool, TooShort> {
        let bit = match &mut self.source {
            BitSource::Coin(coin) => coin.random_bool(0.5),
            BitSource::Given(bits) => *bits.get(self.bits.len()).ok_or(TooShort)?,
        };
        self.bits.push(bit);
        Ok(bit)
    }

    /// A number below `count`, all of which take the same number of bits, or one more (truncated binary code).
    ///
    /// # Errors
    /// Those of [`ChoiceCode::bit`].
    pub fn among(&mut self, count: usize) -> Result<usize, TooShort> {
        let count = count.max(1);
        let digits = count.ilog2();
        let short = (2_usize << digits) - count;
        let mut number = 0;
        for _ in 0..digits {
            number = 2 * number + usize::from(self.bit()?);
        }
        if number >= short {
            number = 2 * number + usize::from(self.bit()?) - short;
        }
        Ok(number)
    }

    /// A number from 0 to `most`, of which each is half as likely as the one before: so many ones, then a zero, which the
    /// last does without.
    ///
    /// # Errors
    /// Those of [`ChoiceCode::bit`].
    pub fn several(&mut self, most: usize) -> Result<usize, TooShort> {
        let mut number = 0;
        while number < most && self.bit()? {
            number += 1;
        }
        Ok(number)
    }
}

/// Bits as text, `0110`.
pub fn printed(bits: &[bool]) -> String {
    bits.iter().map(|bit| if *bit { '1' } else { '0' }).collect()
}

/// Text as bits; none if other signs stand in it.
pub fn read(text: &str) -> Option<Vec<bool>> {
    let bit = |sign| match sign {
        '0' => Some(false),
        '1' => Some(true),
        _ => None,
    };
    text.chars().map(bit).collect()
}

/// All derivations of at most `most` bits, each with its bits, and how many words of `most` bits none of them begins.
pub fn enumerate<T>(
    derive: &dyn Fn(&mut ChoiceCode) -> Result<T, TooShort>,
    most: usize,
) -> (Vec<(Vec<bool>, T)>, u64) {
    let (mut found, mut unfinished) = (Vec::new(), 0);
    let mut open = vec![Vec::new()];
    while let Some(bits) = open.pop() {
        let mut code = ChoiceCode::given(&bits);
        match derive(&mut code) {
            Ok(derived) => found.push((bits, derived)),
            Err(TooShort) if bits.len() == most => unfinished += 1,
            Err(TooShort) => {
                for bit in [true, false] {
                    open.push(bits.iter().copied().chain([bit]).collect());
                }
            }
        }
    }
    (found, unfinished)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of 2^-l over all numbers is 1, and each has one code, for any count.
    #[test]
    fn choices_are_complete_prefix_codes() {
        for count in 1..=70 {
            let derivations = [
                enumerate(&|code| code.among(count), 12),
                enumerate(&|code| code.several(count.min(12) - 1), 12),
            ];
            for (number, (found, unfinished)) in derivations.into_iter().enumerate() {
                let sum: u64 = found.iter().map(|(bits, _)| 1 << (12 - bits.len())).sum();
                assert_eq!((sum, unfinished), (1 << 12, 0), "{count}");
                let mut numbers: Vec<usize> = found.iter().map(|(_, derived)| *derived).collect();
                numbers.sort_unstable();
                let all = if number == 0 { count } else { count.min(12) };
                assert_eq!(numbers, (0..all).collect::<Vec<_>>());
            }
        }
    }
}
