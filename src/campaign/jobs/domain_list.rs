//! The text of `--domain` to domains and their weights.

use crate::campaign::error::CampaignError;
use crate::invent::invented::expanded;

/// The greatest weight of a domain.
const MOST: f64 = 1000.0;

/// A domain that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedDomain {
    /// Its name.
    pub name: String,
    /// How many times the items of a domain it has.
    pub weight: f64,
}

/// The domains of a list: names, `all` for those that were found, and ranges of invented ones, each with a weight after `=`
/// if it has one.
///
/// # Errors
/// A range or a weight that is none; a domain that is named twice.
pub fn asked_domains(list: &str, known: &[String]) -> Result<Vec<AskedDomain>, CampaignError> {
    let mut all: Vec<AskedDomain> = Vec::new();
    for part in list.split(',').map(str::trim) {
        let (names, weight) = match part.rsplit_once('=') {
            None => (part, 1.0),
            Some((names, text)) => (names.trim(), weight(names.trim(), text.trim())?),
        };
        let names = match names {
            "all" => known.to_vec(),
            names => expanded(names)
                .map_err(|fault| CampaignError::Package(fault.into()))?
                .split(',')
                .map(str::to_owned)
                .collect(),
        };
        all.extend(names.into_iter().map(|name| AskedDomain { name, weight }));
    }
    let twice =
        |(place, one): &(usize, &AskedDomain)| all[..*place].iter().any(|other| other.name == one.name);
    match all.iter().enumerate().find(twice) {
        Some((_, domain)) => Err(CampaignError::Settings(format!(
            "--domain has `{}` twice; name each domain once",
            domain.name
        ))),
        None => Ok(all),
    }
}

fn weight(names: &str, text: &str) -> Result<f64, CampaignError> {
    let weight: Option<f64> = text.parse().ok();
    weight.filter(|weight| *weight > 0.0 && *weight <= MOST).ok_or_else(|| {
        CampaignError::Settings(format!(
            "--domain takes weights above 0 and at most {MOST}, as {names}=2; `{text}` is none"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_names_and_weights() {
        let known = ["blocks".to_owned(), "dwr".to_owned()];
        let of = |text: &str| {
            let all = asked_domains(text, &known).map_err(|error| error.to_string())?;
            Ok::<_, String>(
                all.into_iter().map(|d| format!("{}:{}", d.name, d.weight)).collect::<Vec<_>>().join(" "),
            )
        };
        assert_eq!(of("all").unwrap(), "blocks:1 dwr:1");
        assert_eq!(of("all=0.5, lamps = 2").unwrap(), "blocks:0.5 dwr:0.5 lamps:2");
        for (text, part) in [
            ("blocks=0", "above 0"),
            ("blocks=x", "above 0"),
            ("all,blocks", "name each domain once"),
            ("invented:5-1", "invented:0-255"),
        ] {
            assert!(of(text).unwrap_err().contains(part), "{text}");
        }
    }
}
