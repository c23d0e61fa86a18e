//! Work done by many threads, taken up by one in the order it was numbered.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, PoisonError};

/// How far makers may run ahead of what was taken, for each thread.
const AHEAD: usize = 8;

/// What was begun, made and taken.
struct Queue<R, K> {
    /// All numbers below were begun,
    next_begun: usize,
    /// and these beyond.
    begun: BTreeSet<usize>,
    next_taken: usize,
    done: BTreeMap<usize, R>,
    /// What those being made are of.
    under_way: Vec<K>,
    stopped: bool,
}

impl<R, K: PartialEq> Queue<R, K> {
    fn new() -> Queue<R, K> {
        Queue {
            next_begun: 0,
            begun: BTreeSet::new(),
            next_taken: 0,
            done: BTreeMap::new(),
            under_way: Vec::new(),
            stopped: false,
        }
    }

    /// Begins with the next number below `end`: if there is one, of a kind that no other thread is at.
    fn begin(&mut self, end: usize, kind: &impl Fn(usize) -> K) -> Option<usize> {
        let open = || (self.next_begun..end).filter(|number| !self.begun.contains(number));
        let number =
            open().find(|number| !self.under_way.contains(&kind(*number))).or_else(|| open().next())?;
        self.under_way.push(kind(number));
        self.begun.insert(number);
        while self.begun.remove(&self.next_begun) {
            self.next_begun += 1;
        }
        Some(number)
    }

    fn finish(&mut self, number: usize, result: R, kind: K) {
        let own = self.under_way.iter().position(|other| *other == kind);
        own.map(|place| self.under_way.swap_remove(place));
        self.done.insert(number, result);
    }
}

/// Makes results 0, 1, 2, ... `count` on the threads of `pool` and hands them to `take` in that order, on the
/// calling thread. At most a few results a thread wait at any time. `take` may stop the work.
///
/// Results of one kind may wait for each other while they are made; so each thread takes up another kind, where one comes soon.
pub fn ordered<R: Send, K: PartialEq + Send>(
    pool: &rayon::ThreadPool,
    count: usize,
    kind: impl Fn(usize) -> K + Sync,
    make: impl Fn(usize) -> R + Sync,
    mut take: impl FnMut(R) -> ControlFlow<()>,
) {
    let desk = Mutex::new(Queue::new());
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
                        loop {
                            if desk.stopped || desk.next_begun >= count {
                                return;
                            }
                            let end = count.min(desk.next_taken + ahead);
                            match desk.begin(end, &kind) {
                                Some(number) => break number,
                                None => desk = may_make.wait(desk).unwrap_or_else(PoisonError::into_inner),
                            }
                        }
                    };
                    let result = make(number);
                    lock().finish(number, result, kind(number));
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
            |_| (),
            |n| n * n,
            |r| {
                seen.push(r);
                if seen.len() == 70 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!(seen, (0..70).map(|n| n * n).collect::<Vec<_>>());
    }

    /// Two threads that begin with the same kind would wait for each other.
    #[test]
    fn threads_take_up_kinds_that_no_other_is_at() {
        let mut queue: Queue<(), usize> = Queue::new();
        let kind = |number: usize| number / 3;
        assert_eq!([queue.begin(8, &kind), queue.begin(8, &kind)], [Some(0), Some(3)]);
        queue.finish(3, (), 1);
        assert_eq!(queue.begin(8, &kind), Some(4));
        queue.finish(0, (), 0);
        // Where all that is left is of a kind that another is at, it is taken up all the same.
        assert_eq!(
            [queue.begin(4, &kind), queue.begin(4, &kind), queue.begin(4, &kind)],
            [Some(1), Some(2), None]
        );
        assert_eq!((queue.next_begun, queue.done.len()), (5, 2));
    }
}
