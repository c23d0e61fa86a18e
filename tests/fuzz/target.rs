//! Documents and a check to a verdict: is there one that makes the check panic, end the process, or take too long?

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{Seek, Write};
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bolero::{BorrowedInput, ByteSliceGenerator, DefaultEngine, TestTarget};

use crate::document::Documents;

/// What one document may take.
const LIMIT: Duration = Duration::from_secs(8);
/// A document that takes as long as this never ends.
const ENDLESS: Duration = Duration::from_secs(60);

/// What `bolero::check!()` makes.
pub type Place = TestTarget<ByteSliceGenerator, DefaultEngine, BorrowedInput>;

/// Puts documents to a check, which panics at a fault of the parser and else says whether the document was read.
///
/// The documents kept in `tests/fuzz/corpus/NAME` come first, then the seeds, then large ones, then made ones, for a
/// second or as many as the variable FUZZ_SECONDS says. Where one fails, bolero shortens and prints it; where the process ends, it stands
/// in the file `fuzz-NAME.txt` of `target/tmp`.
pub fn fuzz(place: Place, name: &str, documents: Documents, check: impl Fn(&str) -> bool) {
    let watch = Watch::new(name);
    let tally = Tally::default();
    let check = AssertUnwindSafe(|text: &str| {
        let read = watch.timed(text, &check);
        tally.count(read);
        read
    });
    for text in kept(name) {
        check(&text);
    }
    let read = documents.seeds.iter().filter(|seed| check(seed)).count();
    assert!(read > 0, "{name}: not one of the {} seeds is read", documents.seeds.len());
    for text in documents.large() {
        check(&text);
    }
    let start = Instant::now();
    let shown = documents.seeds.len();
    place.with_test_time(seconds()).with_generator(documents).for_each(|text: &String| {
        check(text);
    });
    let (inputs, read) = (tally.inputs.get(), tally.read.get());

    let pace = inputs as f64 / start.elapsed().as_secs_f64().max(0.001);
    eprintln!("{name}: {inputs} documents from {shown} seeds, {read} of them read, {pace:.0} a second");
}

fn seconds() -> Duration {
    let given = std::env::var("FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    Duration::from_secs_f64(given.unwrap_or(1.0))
}

/// Documents that once failed.
fn kept(name: &str) -> Vec<String> {
    let folder = std::fs::read_dir(format!("tests/fuzz/corpus/{name}"));
    let mut paths: Vec<PathBuf> = folder.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path: PathBuf| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    paths.into_iter().map(read).collect()
}

#[derive(Default)]
struct Tally {
    inputs: Cell<u64>,
    read: Cell<u64>,
}

impl Tally {
    fn count(&self, read: bool) {
        self.inputs.set(self.inputs.get() + 1);
        self.read.set(self.read.get() + u64::from(read));
    }
}

/// Looks after a target: the document that it is at stands in a file, and one without an end is told.
struct Watch {
    name: String,
    path: PathBuf,
    file: RefCell<File>,
    /// When the document was begun, in milliseconds from `epoch`; 0 between documents.
    begun: Arc<AtomicU64>,
    epoch: Instant,
}

impl Watch {
    fn new(name: &str) -> Watch {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}.txt"));
        let file = RefCell::new(File::create(&path).unwrap());
        let watch = Watch { name: name.to_owned(), path, file, begun: Arc::default(), epoch: Instant::now() };
        watch.look_out();
        watch
    }

    /// Ends the process where a document has no end; a thread of Rust cannot be ended alone.
    fn look_out(&self) {
        let (begun, epoch) = (Arc::downgrade(&self.begun), self.epoch);
        let (name, path) = (self.name.clone(), self.path.clone());
        std::thread::spawn(move || {
            while let Some(begun) = begun.upgrade() {
                let since = begun.load(Ordering::Relaxed);
                let now = epoch.elapsed().as_millis() as u64;
                if since > 0 && now > since + ENDLESS.as_millis() as u64 {
                    eprintln!("{name}: no end in {ENDLESS:?}; the document stands in {}", path.display());
                    std::process::abort();
                }
                drop(begun);
                std::thread::sleep(Duration::from_millis(200));
            }
        });
    }

    fn timed(&self, text: &str, check: impl Fn(&str) -> bool) -> bool {
        self.note(text);
        // Another process may have held this one up, so that the fastest of three counts.
        let mut fastest = Duration::MAX;
        let mut read = false;
        for _ in 0..3 {
            let start = Instant::now();
            self.begun.store(1 + self.epoch.elapsed().as_millis() as u64, Ordering::Relaxed);
            read = check(text);
            self.begun.store(0, Ordering::Relaxed);
            fastest = fastest.min(start.elapsed());
            if fastest < LIMIT {
                break;
            }
        }
        let head: String = text.chars().take(80).collect();
        assert!(fastest < LIMIT, "{} bytes take {fastest:?}: {head:?}", text.len());
        read
    }

    /// Where the process ends, nobody is left to print the document.
    fn note(&self, text: &str) {
        let mut file = self.file.borrow_mut();
        file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(text.as_bytes())).unwrap();
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // A panic leaves the file for whoever looks for the document.
        if !std::thread::panicking() {
            _ = std::fs::remove_file(&self.path);
        }
    }
}
