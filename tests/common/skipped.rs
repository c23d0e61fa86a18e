//! What a test needs and this machine lacks, to where it is seen: `make test` lists it at its end.
#![allow(dead_code)]

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Says that something is not tested for want of something; where RACGEN_REQUIRE names that, it is an error.
pub fn skip(test: &str, missing: &str) {
    let required = std::env::var("RACGEN_REQUIRE").unwrap_or_default();
    assert!(
        !required.split(',').any(|name| name == missing),
        "RACGEN_REQUIRE names {missing}, which {test} lacks"
    );
    let line = format!("skipped: {test}, there is no {missing}\n");
    eprint!("{line}");
    let record = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("skipped.txt");
    let record = OpenOptions::new().create(true).append(true).open(record);
    // One write, so that lines of several tests do not mix.
    record
        .and_then(|mut file| file.write_all(line.as_bytes()))
        .expect("the folder for temporary files of tests");
}

/// Is a program installed? If not, says what is not tested.
pub fn has(program: &str, test: &str) -> bool {
    let version = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = version.is_ok_and(|status| status.success());
    if !found {
        skip(test, program);
    }
    found
}

/// Reference data that are not part of racgen, by their path beside the project. If they are not there, says what is not
/// tested.
pub fn reference(path: &str, test: &str) -> Option<PathBuf> {
    let place = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/reference").join(path);
    if !place.is_dir() {
        skip(test, &format!("reference data ({path})"));
    }
    Some(place).filter(|place| place.is_dir())
}
