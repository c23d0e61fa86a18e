//! Work done by many threads, taken up by one in the order it was numbered.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, PoisonError};

/// How far makers may run ahead of what was taken, for each thread.
const AHEAD: usize = 4;

struct Queue<R> {
    next_made: usize,
    next_taken: usize,
    done: BTreeMap<usize, R>,
    stopped: bool,
}

/// Makes results 0, 1, 2, ... `count` on the threads of `pool` and hands them to `take` in that order, on the
/// calling thread. At most a few results a thread wait at any time. `take` may stop the work.
pub fn ordered<R: Send>(
    pool: &rayon::ThreadPool,
    count: usize,
    make: impl Fn(usize) -> R + Sync,
    mut take: impl FnMut(R) -> ControlFlow<()>,
) {
    let desk = Mutex::new(Queue { next_made: 0, next_taken: 0, done: BTreeMap::new(), stopped: false });
    let (may_make, may_take) = (Condvar::new(), Condvar::new());
    let lock = || desk.lock().unwrap_or_else(PoisonError::into_inner);
    let threads = pool.current_num_threads();
    let ahead = threads * AHEAD;
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|_| {
                loop {
                    let number = {
                        let mut desk = lock();
                        while !desk.stopped
                            && desk.next_made < count
                            && desk.next_made >= desk.next_taken + ahead
                        {
                            desk = may_make.wait(desk).unwrap_or_else(PoisonError::into_inner);
                        }
                        if desk.stopped || desk.next_made >= count {
                            break;
                        }
                        desk.next_made += 1;
                        desk.next_made - 1
                    };
                    let result = make(number);
                    lock().done.insert(number, result);
                    may_take.notify_one();
                }
            });
        }
        for number in 0..count {
            let result = {
                let mut desk = lock();
                loop {
                    if let Some(result) = desk.done.remove(&number) {
                        desk.next_taken = number + 1;
                        break result;
                    }
                    desk = may_take.wait(desk).unwrap_or_else(PoisonError::into_inner);
                }
            };
            may_make.notify_all();
            if take(result).is_break() {
                lock().stopped = true;
                may_make.notify_all();
                break;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_work_can_stop() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let mut seen = Vec::new();
        ordered(
            &pool,
            100,
            |n| n * n,
            |r| {
                seen.push(r);
                if seen.len() == 70 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!(seen, (0..70).map(|n| n * n).collect::<Vec<_>>());
    }
}
