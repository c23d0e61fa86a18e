//! An item to whether files may be called by what it says of itself.

use crate::error::DataError;
use crate::row::Row;

/// Files of other forms are called by split, domain and type of question. Data from elsewhere may have anything there,
/// a path that leads out of the folder for one.
pub(super) fn check(row: &Row) -> Result<(), DataError> {
    let good = |name: &str| {
        !name.is_empty()
            && !name.starts_with('.')
            && name.chars().all(|c| c.is_alphanumeric() || ['_', '-', '.'].contains(&c))
    };
    let columns = [("split", &*row.split), ("domain", &*row.domain), ("question_type", &*row.question_type)];
    match columns.into_iter().find(|(_, name)| !good(name)) {
        None => Ok(()),
        Some((column, name)) => {
            Err(DataError::FileName { column, name: name.to_owned(), id: row.id.clone() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn names_cannot_leave_the_folder() {
        let row = sample::rows(1).remove(0);
        assert!(check(&row).is_ok());
        for name in ["", "..", "../x", "/x", "a/b", "a\\b", ".hidden", "a\nb"] {
            let error = check(&Row { split: name.into(), ..row.clone() }).expect_err(name);
            assert!(error.to_string().contains("cannot name a file"), "{error}");
            assert!(check(&Row { question_type: name.to_owned().into(), ..row.clone() }).is_err());
        }
    }
}
