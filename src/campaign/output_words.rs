//! Words that say how a folder is written, as they are typed, to values.

use std::time::Duration;

/// The most threads, so that a slip of the finger does not bring the machine down.
const MOST_THREADS: usize = 1024;
/// The most shards.
const MOST_SHARDS: usize = 10_000;

/// An identifier of a licence, such as `cc-by-4.0` or `mit`.
///
/// # Errors
/// What is none, in words.
pub fn licence(text: &str) -> Result<String, String> {
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    if !text.is_empty() && text.chars().all(good) {
        return Ok(text.to_owned());
    }
    Err("it takes an identifier of the Hugging Face hub, in small letters, such as cc-by-4.0, mit or other"
        .into())
}

/// Which shard of how many, of `I/N`.
///
/// # Errors
/// What is not of that form.
pub fn shard(text: &str) -> Result<(usize, usize), String> {
    let shard = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    let good = shard.filter(|(i, n): &(usize, usize)| (1..=*n).contains(i) && *n <= MOST_SHARDS);
    good.ok_or_else(|| format!("--shard takes I/N with I from 1 to N; `{text}` is not of that form"))
}

/// Seconds of a `--time-limit`.
///
/// # Errors
/// A number that is none of seconds.
pub fn time_limit(seconds: f64) -> Result<Duration, String> {
    let limit = Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero());
    limit.ok_or_else(|| "--time-limit takes seconds above 0".to_owned())
}

/// Threads of a `--threads`.
///
/// # Errors
/// Too many.
pub fn threads(threads: usize) -> Result<usize, String> {
    if threads > MOST_THREADS {
        return Err(format!("--threads takes a number from 0 to {MOST_THREADS}"));
    }
    Ok(threads)
}
