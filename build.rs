//! The commit to what `racgen --version` says; and a rebuild when a built-in package changes, since they are embedded.

use std::process::Command;

fn main() {
    for folder in ["asp", "domains", "games", "templates", "src/domain/scaffold"] {
        println!("cargo:rerun-if-changed={folder}");
    }
    println!("cargo:rerun-if-env-changed=RACGEN_COMMIT");
    println!("cargo:rustc-env=RACGEN_BUILT_FROM={}", built_from());
}

/// What stands behind the version. A development build does not name a commit: it would have to be built anew after each.
fn built_from() -> String {
    if let Ok(commit) = std::env::var("RACGEN_COMMIT") {
        return format!(" ({commit})");
    }
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return " (development build)".into();
    }
    // A source package below a checkout of something else has no commit of its own.
    if git(&["rev-parse", "--show-prefix"]).is_some() {
        return String::new();
    }
    // Where a checkout keeps what changes with each commit; a source package has none of it.
    for changing in ["HEAD", "logs/HEAD"] {
        if let Some(path) =
            git(&["rev-parse", "--git-path", changing]).filter(|path| std::path::Path::new(path).exists())
        {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    // Files that are not committed are part of what is built.
    for folder in ["src", "crates", "Cargo.lock"] {
        println!("cargo:rerun-if-changed={folder}");
    }
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else { return String::new() };
    let parts = ["--", "src", "crates", "asp", "domains", "games", "templates", "Cargo.toml", "Cargo.lock"];
    let changed = git(&[&["status", "--porcelain", "--untracked-files=no"], &parts[..]].concat());
    format!(" ({commit}{})", if changed.is_some() { ", changed" } else { "" })
}

/// What git says, if there is one and it says anything.
fn git(words: &[&str]) -> Option<String> {
    let told = Command::new("git").args(words).output().ok().filter(|told| told.status.success())?;
    Some(String::from_utf8(told.stdout).ok()?.trim().to_owned()).filter(|text| !text.is_empty())
}
