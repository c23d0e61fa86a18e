//! A folder with digits in IDX files, as MNIST's, to images of each digit.

use std::path::{Path, PathBuf};

use racgen_logic::fault::Fault;
use racgen_logic::unread::Unread;

use crate::pictures::error::PictureError;

/// Images of digits, all of one size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScannedDigits {
    /// Columns of an image.
    pub columns: usize,
    /// By digit, images of grey values, row by row.
    pub images: [Vec<Vec<u8>>; 10],
}

/// The first bytes of files of images and of labels: bytes in three dimensions, bytes in one.
const IMAGES: u32 = 0x0000_0803;
const LABELS: u32 = 0x0000_0801;
/// The most rows or columns of an image.
const MOST_SIDE: usize = 128;
/// The most bytes of a file.
const MOST_BYTES: u64 = 1 << 30;

fn fault(path: &Path, cause: impl Into<String>, remedy: &str) -> PictureError {
    Fault::new(&path.display().to_string(), 0, cause, remedy).into()
}

const REMEDY: &str = "give a folder with a file of images and a file of labels as those of MNIST, unpacked";

/// The file of a folder with this in its name.
fn find(folder: &Path, what: &str) -> Result<PathBuf, PictureError> {
    let unread = Unread::at(folder);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(&unread)? {
        let path = entry.map_err(&unread)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.contains(what) && name.ends_with("ubyte") {
            found.push(path);
        }
    }
    // The larger set of MNIST comes last, as `train-` after `t10k-`.
    found.sort();
    found.pop().ok_or_else(|| fault(folder, format!("it has no file `*{what}*ubyte`"), REMEDY))
}

fn read(path: &Path) -> Result<Vec<u8>, PictureError> {
    let unread = Unread::at(path);
    let length = std::fs::metadata(path).map_err(&unread)?.len();
    if length > MOST_BYTES {
        return Err(fault(
            path,
            format!("it has {length} bytes, more than {MOST_BYTES}"),
            "give fewer digits",
        ));
    }
    Ok(std::fs::read(path).map_err(&unread)?)
}

/// The header's numbers, of which the first is the kind, and what follows.
fn header<'b>(
    path: &Path,
    bytes: &'b [u8],
    kind: u32,
    numbers: usize,
) -> Result<(Vec<usize>, &'b [u8]), PictureError> {
    let length = 4 * (numbers + 1);
    if bytes.len() < length {
        return Err(fault(path, format!("it ends after {} bytes, within its header", bytes.len()), REMEDY));
    }
    let number = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    if number(0) != kind {
        let cause = format!("it begins with {:08x}, and not with {kind:08x}", number(0));
        return Err(fault(path, cause, REMEDY));
    }
    Ok(((1..=numbers).map(|place| number(4 * place) as usize).collect(), &bytes[length..]))
}

impl ScannedDigits {
    /// Reads the digits of a folder.
    ///
    /// # Errors
    /// Files that are missing, are no IDX files, are cut short, or do not belong together; a digit without an image.
    pub fn read(folder: &Path) -> Result<ScannedDigits, PictureError> {
        let (images, labels) = (find(folder, "images")?, find(folder, "labels")?);
        let (image_bytes, label_bytes) = (read(&images)?, read(&labels)?);
        ScannedDigits::from_bytes((&images, &image_bytes), (&labels, &label_bytes))
    }

    /// The digits of a file of images and one of labels, each with its name for errors.
    ///
    /// # Errors
    /// As [`ScannedDigits::read`], but for missing files.
    pub fn from_bytes(images: (&Path, &[u8]), labels: (&Path, &[u8])) -> Result<ScannedDigits, PictureError> {
        let (sizes, pixels) = header(images.0, images.1, IMAGES, 3)?;
        let (counts, marks) = header(labels.0, labels.1, LABELS, 1)?;
        let (images, labels) = (images.0, labels.0);
        let (count, rows, columns) = (sizes[0], sizes[1], sizes[2]);
        if !(1..=MOST_SIDE).contains(&rows) || !(1..=MOST_SIDE).contains(&columns) {
            let cause = format!(
                "its images have {rows} rows and {columns} columns, and at most {MOST_SIDE} are read"
            );
            return Err(fault(images, cause, REMEDY));
        }
        if counts[0] != count {
            let cause = format!("it has {} labels, and there are {count} images", counts[0]);
            return Err(fault(labels, cause, "give files that belong together"));
        }
        let size = rows * columns;
        for (path, bytes, wanted) in [(images, pixels, count.checked_mul(size)), (labels, marks, Some(count))]
        {
            if wanted != Some(bytes.len()) {
                let cause =
                    format!("its header tells of {count} digits, and {} bytes follow it", bytes.len());
                return Err(fault(path, cause, "get the file anew, it is cut short or damaged"));
            }
        }
        let mut digits = ScannedDigits { columns, ..ScannedDigits::default() };
        for (image, label) in pixels.chunks_exact(size).zip(marks) {
            let Some(of) = digits.images.get_mut(usize::from(*label)) else {
                return Err(fault(labels, format!("the label {label} is no digit"), REMEDY));
            };
            of.push(image.to_vec());
        }
        match digits.images.iter().position(Vec::is_empty) {
            Some(digit) => Err(fault(labels, format!("there is no {digit}"), "give digits of all ten kinds")),
            None => Ok(digits),
        }
    }
}
