//! The manifest of a data set whose splits have domains of their own to what is wrong with that: keys that are none of the
//! domains', and domains of two splits that share one.

use rayon::prelude::*;
use serde_json::Value;

use crate::audit::attacks::leaks::{Leak, leak};
use crate::campaign::pool::dealing::DomainProof;
use crate::campaign::pool::identity::DomainIdentity;
use crate::domain::catalogue::Catalogue;

/// What a manifest promises of its domains and does not keep; nothing where it promises nothing.
pub fn apart(manifest: &Value, catalogue: &Catalogue) -> Vec<Leak> {
    let Some(proof) = DomainProof::read(manifest) else { return Vec::new() };
    let domains: Vec<_> = proof.0.values().flatten().collect();
    let is_otherwise = |(domain, keys): &(&String, &std::collections::BTreeSet<String>)| {
        let own = catalogue.load(domain).map(|package| DomainIdentity::of(&package).keys);
        // Of a domain that is not found, the manifest is all that is known.
        own.is_ok_and(|own| own != **keys)
    };
    let otherwise: Vec<String> =
        domains.into_par_iter().filter(is_otherwise).map(|(domain, _)| domain.clone()).collect();
    let name = |(split, domain): &(String, String)| format!("{domain} of {split}");
    let shared = proof
        .shared()
        .iter()
        .map(|[one, other]| format!("{} and {}", name(one), name(other)))
        .collect::<Vec<_>>();
    [
        leak("domain keys", "domains whose keys are others than the manifest says".into(), otherwise),
        leak("shared domains", "domains of two splits that are the same, or clones".into(), shared),
    ]
    .into_iter()
    .flatten()
    .collect()
}
