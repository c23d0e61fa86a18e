//! Numbers of threads to pools of them, one of each number and process: the threads of a parent are not there in its child.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use racgen::campaign::error::CampaignError;
use racgen::campaign::output_words;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// By number of threads, the process that made the pool, and the pool.
type Pools = Mutex<HashMap<usize, (u32, Arc<ThreadPool>)>>;

/// A pool of so many threads; 0 for one a processor.
///
/// # Errors
/// Too many threads.
pub(crate) fn pool(threads: usize) -> Result<Arc<ThreadPool>, CampaignError> {
    static POOLS: OnceLock<Pools> = OnceLock::new();
    let threads = output_words::threads(threads).map_err(CampaignError::Settings)?;
    let mut pools = POOLS.get_or_init(Pools::default).lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((_, pool)) = pools.get(&threads).filter(|(owner, _)| *owner == process) {
        return Ok(pool.clone());
    }
    let built = ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
        CampaignError::Settings(format!("cannot start the threads: {error}; use threads=1"))
    })?;
    let built = Arc::new(built);
    // A pool of the parent would wait for threads that are not there if it were dropped.
    if let Some(parents) = pools.insert(threads, (process, built.clone())) {
        std::mem::forget(parents);
    }
    Ok(built)
}
