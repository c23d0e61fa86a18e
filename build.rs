//! Rebuilds when a built-in package changes: the packages are embedded in the binary.

fn main() {
    for folder in ["asp", "domains", "games", "templates", "src/domain/scaffold"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
