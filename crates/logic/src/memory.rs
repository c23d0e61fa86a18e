//! A process to the memory that it has.

/// Bytes of memory that a process has, this one if none is given; none where the system does not tell (it does on
/// Linux).
pub fn resident_memory(process: Option<u32>) -> Option<u64> {
    let process = process.map_or_else(|| "self".to_owned(), |id| id.to_string());
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}
