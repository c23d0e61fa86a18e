//! The published layout: triples to `GAME_TARGET_SPLIT.dat` and back, byte for byte.

use std::io::{self, Write};

use racgen_logic::fault::Fault;

use crate::games::gdl::flatten::Flat;

/// The content of one file, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dat {
    /// All atoms of the target; those that are not positive are negative.
    pub atoms: Vec<String>,
    /// Atoms true in every situation.
    pub statics: Vec<String>,
    /// Background and positives.
    pub triples: Vec<(Vec<String>, Vec<String>)>,
}

/// Writes one block.
pub(crate) fn block<T: std::fmt::Display>(
    out: &mut dyn Write,
    head: &str,
    atoms: impl Iterator<Item = T>,
) -> io::Result<()> {
    writeln!(out, "{head}:")?;
    for atom in atoms {
        writeln!(out, "\t{atom}")?;
    }
    out.write_all(b"\n---\n\n")
}

/// Atoms as the lines of a block, put into text once for the many blocks that they stand in.
pub(crate) struct AtomLines {
    text: Vec<u8>,
    /// Where the line of each atom begins, and where the last one ends.
    first: Vec<usize>,
}

impl AtomLines {
    pub(crate) fn new(atoms: &[Flat]) -> AtomLines {
        let mut lines = AtomLines { text: Vec::new(), first: vec![0] };
        for atom in atoms {
            lines.text.extend(format!("\t{atom}\n").into_bytes());
            lines.first.push(lines.text.len());
        }
        lines
    }

    /// Adds a block of atoms, which are given by their numbers, to a text.
    pub(crate) fn block(&self, head: &str, atoms: &[u32], text: &mut Vec<u8>) {
        text.extend_from_slice(head.as_bytes());
        text.extend_from_slice(b":\n");
        for atom in atoms {
            let atom = *atom as usize;
            text.extend_from_slice(&self.text[self.first[atom]..self.first[atom + 1]]);
        }
        text.extend_from_slice(b"\n---\n\n");
    }
}

impl Dat {
    /// Reads a file.
    ///
    /// # Errors
    /// Text that is not of this form, with file, line and column.
    ///
    /// ```
    /// use racgen::games::tasks::dat::Dat;
    /// let text = "atoms:\n\tterminal()\n\n---\n\nstatics:\n\n---\n\nbackground:\n\ttrue(p)\n\n---\n\npositives:\n\n---\n\n";
    /// let dat = Dat::read(text, "a.dat").unwrap();
    /// assert_eq!(dat.triples, [(vec!["true(p)".to_owned()], vec![])]);
    /// let mut bytes = Vec::new();
    /// dat.write(&mut bytes).unwrap();
    /// assert_eq!(bytes, text.as_bytes());
    /// ```
    pub fn read(text: &str, file: &str) -> Result<Dat, Fault> {
        let mut dat = Dat::default();
        let mut current: Option<&mut Vec<String>> = None;
        let mut half: Option<Vec<String>> = None;
        for (index, line) in text.lines().enumerate() {
            let fault = |cause: String| Fault {
                place: format!("{file}:{}:1", index + 1),
                cause,
                remedy: "the layout is: atoms, statics, then background and positives in turns".into(),
            };
            match line {
                "" | "---" => {}
                "atoms:" => current = Some(&mut dat.atoms),
                "statics:" => current = Some(&mut dat.statics),
                "background:" => {
                    if half.is_some() {
                        return Err(fault("two backgrounds follow each other".into()));
                    }
                    current = Some(half.insert(Vec::new()));
                }
                "positives:" => {
                    let Some(background) = half.take() else {
                        return Err(fault("positives without a background".into()));
                    };
                    dat.triples.push((background, Vec::new()));
                    current = dat.triples.last_mut().map(|t| &mut t.1);
                }
                _ => {
                    let atom = line.strip_prefix('\t').filter(|a| Flat::read(a).is_some());
                    let (Some(atom), Some(list)) = (atom, current.as_mut()) else {
                        return Err(fault(format!("`{}` is no atom", line.trim())));
                    };
                    list.push(atom.to_owned());
                }
            }
        }
        if half.is_some() {
            return Err(Fault {
                place: file.to_owned(),
                cause: "the last background has no positives".into(),
                remedy: "the file may have been cut off; make it again".into(),
            });
        }
        Ok(dat)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        block(out, "atoms", self.atoms.iter())?;
        block(out, "statics", self.statics.iter())?;
        for (background, positives) in &self.triples {
            block(out, "background", background.iter())?;
            block(out, "positives", positives.iter())?;
        }
        Ok(())
    }
}
