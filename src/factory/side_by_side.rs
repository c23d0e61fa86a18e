//! Threads of their own for work that others wait for.
//!
//! A thread of the pool that waits for others of it could take up work that waits for what it does itself.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is made of each of the numbers below `count`, in their order, by as many threads as the pool has.
pub(super) fn side_by_side<T: Send>(count: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = rayon::current_num_threads().min(count);
    if threads < 2 {
        return (0..count).map(make).collect();
    }
    let (next, made) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let one = make(number);
                    made.lock().unwrap_or_else(PoisonError::into_inner).push((number, one));
                }
            });
        }
    });
    let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    made.sort_unstable_by_key(|(number, _)| *number);
    made.into_iter().map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::side_by_side;

    #[test]
    fn the_order_is_that_of_the_numbers() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let squares = pool.install(|| side_by_side(50, |number| number * number));
        assert!(squares.iter().enumerate().all(|(number, square)| number * number == *square));
        assert_eq!(squares.len(), 50);
    }
}
