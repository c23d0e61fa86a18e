//! A page to what a browser shows of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A Chromium on the path.
pub fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name))).find(|p| p.is_file())
}

/// Takes note of what goes wrong on a page, and of what it writes to the console, in `faults`.
const LISTENER: &str = r#"<!doctype html><script>window.faults = [];
addEventListener("error", e => faults.push(e.message || "cannot load " + e.target.outerHTML), true);
for (const kind of ["error", "warn", "log"]) console[kind] = (...told) => faults.push(told.join(" "));
</script>"#;

/// What a reader sees of a page in a window of this width, as a browser says: a script, the probe, posts it as JSON to the
/// window that the page is framed in.
pub fn look(browser: &Path, page: &Path, width: u32, dark: bool, probe: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(page).unwrap();
    assert!(!text.contains("http:") && !text.contains("https:"), "the page needs the network");
    assert!(text.starts_with("<!doctype html>"), "{}", page.display());
    let text = text.replacen("<!doctype html>", LISTENER, 1).replace("</body>", probe);
    fs::write(folder.path().join("page.html"), text).unwrap();
    // A browser without a head has windows of 500 pixels at least; a frame may be narrower.
    let frame = format!(
        "<!doctype html><body><iframe src=\"page.html\" width=\"{width}\" height=\"844\" frameborder=\"0\"></iframe><script>\
         addEventListener('message', e => {{ document.title = 'seen'; document.body.textContent = e.data }})</script></body>"
    );
    fs::write(folder.path().join("frame.html"), frame).unwrap();
    let scheme = format!("--blink-settings=preferredColorScheme={}", if dark { 0 } else { 1 });
    let run = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
        ])
        .args(["--disable-sync", "--virtual-time-budget=10000", "--dump-dom", &scheme])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg("--window-size=1400,1000")
        .arg(format!("file://{}", folder.path().join("frame.html").display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&run.stdout).into_owned();
    let told = dom.split_once("<body>").and_then(|(_, rest)| rest.rsplit_once("</body>"));
    let told = told.unwrap_or_else(|| panic!("no page: {dom}{}", String::from_utf8_lossy(&run.stderr))).0;
    let plain = told.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", " ").replace("&amp;", "&");
    serde_json::from_str(plain.trim()).unwrap_or_else(|error| panic!("{error}: {plain}"))
}
