//! Domains to splits, so that no split has a domain, or a clone of one, that another has.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::seed::digest;
use serde::Serialize;
use serde_json::Value;

use crate::campaign::error::CampaignError;
use crate::campaign::pool::identity::DomainIdentity;
use crate::factory::settings::SplitBy;
use crate::items::apportion::apportion;
use crate::items::source::Split;

/// Domains that are clones of each other, by their places in a list: they go to one split together.
type Clan = Vec<usize>;

/// The split of each domain, by its place among the splits.
///
/// # Errors
/// Fewer domains that are no clones of each other than splits; combinations too few to be held out.
pub fn dealt(
    domains: &[DomainIdentity],
    splits: &[Split],
    by: SplitBy,
    seed: u64,
) -> Result<Vec<usize>, CampaignError> {
    let clans = clans(domains);
    if clans.len() < splits.len() {
        return Err(CampaignError::Settings(format!(
            "--split-by domain and composition need a domain for each of the {} splits, and there {}; name more domains \
             in --domain, or use fewer --splits",
            splits.len(),
            match clans.len() {
                1 => "is one that is no clone of another".to_owned(),
                count => format!("are {count} that are no clones of each other"),
            }
        )));
    }
    let weights: Vec<f64> = splits.iter().map(|split| split.weight).collect();
    let mut due = apportion(domains.len() as u64, &weights);
    // At least one to each split.
    while let Some(empty) = due.iter().position(|count| *count == 0) {
        let most = (0..due.len()).max_by_key(|split| due[*split]).unwrap_or(empty);
        due[most] -= 1;
        due[empty] += 1;
    }
    let mut order: Vec<&Clan> = clans.iter().collect();
    order.sort_by_key(|clan| lot(seed, clan.iter().map(|place| domains[*place].name.as_str())));
    let mut dealt: Vec<Option<usize>> = vec![None; domains.len()];
    if by == SplitBy::Composition {
        hold_out(domains, &order, &due, seed, &mut dealt)?;
    } else {
        // The smallest splits first, so that each has one.
        let mut open: Vec<usize> = (1..due.len()).collect();
        open.sort_by_key(|split| due[*split]);
        for (place, split) in open.iter().enumerate() {
            fill(*split, due[*split], &order, &mut dealt, open.len() - place);
        }
    }
    Ok(dealt.into_iter().map(|split| split.unwrap_or(0)).collect())
}

/// A number that decides in which order names are dealt.
fn lot<'n>(seed: u64, names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    digest(["deal", &seed.to_string(), &names.join(" ")])
}

/// Gives a split clans, until it has as many domains as are due, and one clan at least; so many clans are left for others.
fn fill(split: usize, due: u64, order: &[&Clan], dealt: &mut [Option<usize>], left: usize) {
    let mut free: Vec<&Clan> = order.iter().copied().filter(|clan| dealt[clan[0]].is_none()).collect();
    let mut has = 0;
    while has < due && (free.len() > left || has == 0) {
        let fits = |clan: &&Clan| has + clan.len() as u64 <= due;
        // Where none fits, the smallest will do, if the split has none.
        let smallest = || (0..free.len()).min_by_key(|place| free[*place].len()).filter(|_| has == 0);
        let Some(place) = free.iter().position(fits).or_else(smallest) else { break };
        let clan = free.remove(place);
        clan.iter().for_each(|place| dealt[*place] = Some(split));
        has += clan.len() as u64;
    }
}

/// Deals splits other than the first combinations of three mechanisms or more that the first has none of; each pair of their
/// mechanisms stays in the first.
fn hold_out(
    domains: &[DomainIdentity],
    order: &[&Clan],
    due: &[u64],
    seed: u64,
    dealt: &mut [Option<usize>],
) -> Result<(), CampaignError> {
    let mut combinations: BTreeMap<&BTreeSet<String>, Vec<usize>> = BTreeMap::new();
    for (place, domain) in domains.iter().enumerate() {
        combinations.entry(&domain.mechanisms).or_default().push(place);
    }
    let mut rich: Vec<&BTreeSet<String>> =
        combinations.keys().copied().filter(|mechanisms| mechanisms.len() > 2).collect();
    rich.sort_by_key(|mechanisms| lot(seed, mechanisms.iter().map(String::as_str)));
    let clan_of = |place: usize| order.iter().find(|clan| clan.contains(&place));
    let mut has = vec![0u64; due.len()];
    for mechanisms in rich {
        // The split that lacks the most.
        let split =
            (1..due.len()).max_by_key(|split| (due[*split].saturating_sub(has[*split]), usize::MAX - split));
        let Some(split) = split.filter(|split| has[*split] < due[*split]) else { break };
        let own: BTreeSet<usize> = combinations[mechanisms].iter().copied().collect();
        let is_whole =
            own.iter().all(|place| clan_of(*place).is_some_and(|clan| clan.iter().all(|p| own.contains(p))));
        let fits = has[split] == 0 || has[split] + own.len() as u64 <= due[split];
        let rest = (0..domains.len()).filter(|place| dealt[*place].is_none() && !own.contains(place));
        let rest: Vec<&BTreeSet<String>> = rest.map(|place| &domains[place].mechanisms).collect();
        let held: Vec<&BTreeSet<String>> = (0..domains.len())
            .filter(|place| dealt[*place].is_some() || own.contains(place))
            .map(|place| &domains[place].mechanisms)
            .collect();
        if is_whole && fits && held.iter().all(|mechanisms| lacking_pair(mechanisms, &rest).is_none()) {
            own.iter().for_each(|place| dealt[*place] = Some(split));
            has[split] += own.len() as u64;
        }
    }
    match has.iter().skip(1).any(|count| *count == 0) {
        false => Ok(()),
        true => Err(CampaignError::Settings(
            "--split-by composition found too few combinations of three mechanisms to hold out, each pair of which stays in \
             the first split; name more domains in --domain, such as invented:0-139"
                .into(),
        )),
    }
}

/// A pair of mechanisms that none of the others has.
fn lacking_pair<'m>(
    mechanisms: &'m BTreeSet<String>,
    others: &[&BTreeSet<String>],
) -> Option<(&'m String, &'m String)> {
    let pairs = mechanisms
        .iter()
        .flat_map(|one| mechanisms.iter().filter(move |two| one < *two).map(move |two| (one, two)));
    pairs.into_iter().find(|(one, two)| !others.iter().any(|all| all.contains(*one) && all.contains(*two)))
}

/// Domains that share a key, directly or by way of others.
fn clans(domains: &[DomainIdentity]) -> Vec<Clan> {
    let mut owners: BTreeMap<&str, usize> = BTreeMap::new();
    let mut clan: Vec<usize> = (0..domains.len()).collect();
    for (place, domain) in domains.iter().enumerate() {
        for key in &domain.keys {
            let other = *owners.entry(key).or_insert(place);
            let (one, other) = (clan[place], clan[other]);
            clan.iter_mut().filter(|number| **number == one).for_each(|number| *number = other);
        }
    }
    let mut all: BTreeMap<usize, Clan> = BTreeMap::new();
    clan.into_iter().enumerate().for_each(|(place, number)| all.entry(number).or_default().push(place));
    all.into_values().collect()
}

/// The domains of each split, with their keys: what proves that no two splits share a domain or a clone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct DomainProof(pub BTreeMap<String, BTreeMap<String, BTreeSet<String>>>);

impl DomainProof {
    /// Notes a domain of a split.
    pub fn add(&mut self, split: &str, domain: &DomainIdentity) {
        self.0.entry(split.to_owned()).or_default().insert(domain.name.clone(), domain.keys.clone());
    }

    /// The proof that a manifest holds, if it does.
    pub fn read(manifest: &Value) -> Option<DomainProof> {
        serde_json::from_value(manifest.get("domains")?.clone()).ok().map(DomainProof)
    }

    /// Two splits, and a domain of each, that share a key.
    pub fn shared(&self) -> Vec<[(String, String); 2]> {
        let mut owners: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
        let mut shared = BTreeSet::new();
        for (split, domains) in &self.0 {
            for (domain, keys) in domains {
                for key in keys {
                    let owner = *owners.entry(key).or_insert((split, domain));
                    if owner.0 != split {
                        let named = |(split, domain): (&str, &str)| (split.to_owned(), domain.to_owned());
                        shared.insert([named(owner), named((split, domain))]);
                    }
                }
            }
        }
        shared.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use racgen_logic::seed::stream;

    use super::*;
    use crate::invent::identity::{family_keys, without_one};
    use crate::invent::theory::grammar::{QuotaCell, draw};
    use crate::invent::theory::parts::InventedTheory;

    fn domain(name: &str, keys: &[&str], mechanisms: &[&str]) -> DomainIdentity {
        let set = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect();
        DomainIdentity { name: name.into(), keys: set(keys), mechanisms: set(mechanisms) }
    }

    fn splits() -> Vec<Split> {
        [("train", 0.6), ("validation", 0.2), ("test", 0.2)]
            .map(|(name, weight)| Split { name: name.into(), weight })
            .into()
    }

    fn proof(domains: &[DomainIdentity], dealt: &[usize]) -> DomainProof {
        let mut proof = DomainProof::default();
        domains.iter().zip(dealt).for_each(|(domain, split)| proof.add(&splits()[*split].name, domain));
        proof
    }

    #[test]
    fn clones_go_to_one_split_and_a_clone_in_two_is_found() {
        for seed in 0..50 {
            let all: Vec<DomainIdentity> = (0..20)
                .map(|n| {
                    let own = format!("k{n}");
                    // 3 and 11 are clones, and 11 and 17.
                    let of_clone = match n {
                        3 => vec!["x"],
                        11 => vec!["x", "y"],
                        17 => vec!["y"],
                        _ => vec![],
                    };
                    let keys: Vec<&str> = of_clone.into_iter().chain([own.as_str()]).collect();
                    domain(&format!("d{n}"), &keys, &["a", "b"])
                })
                .collect();
            let mut dealt = dealt(&all, &splits(), SplitBy::Domain, seed).unwrap();
            assert_eq!((dealt[3], dealt[11]), (dealt[17], dealt[17]));
            assert!((0..3).all(|split| dealt.iter().filter(|own| **own == split).count() >= 2), "{dealt:?}");
            assert_eq!(proof(&all, &dealt).shared(), Vec::<[(String, String); 2]>::new());
            dealt[11] = (dealt[11] + 1) % 3;
            assert_eq!(proof(&all, &dealt).shared().len(), 2, "a clone in two splits");
        }
    }

    #[test]
    fn theories_that_differ_by_a_condition_are_kept_together() {
        let drawn = |number: u64| draw(&QuotaCell::of(number), stream(9, &[&number.to_string()]));
        let theories: Vec<InventedTheory> = (0..12).filter_map(drawn).map(|(theory, _)| theory).collect();
        let identity = |name: String, theory: &InventedTheory| DomainIdentity {
            name,
            keys: family_keys(theory),
            mechanisms: BTreeSet::new(),
        };
        let mut all: Vec<DomainIdentity> =
            theories.iter().enumerate().map(|(n, theory)| identity(format!("d{n}"), theory)).collect();
        let clones: Vec<DomainIdentity> = theories
            .iter()
            .enumerate()
            .map(|(n, theory)| identity(format!("c{n}"), &without_one(theory)[0]))
            .collect();
        all.extend(clones);
        let count = theories.len();
        assert!(count > 5);
        for seed in 0..10 {
            let mut dealt = dealt(&all, &splits(), SplitBy::Domain, seed).unwrap();
            assert!((0..count).all(|n| dealt[n] == dealt[count + n]), "{dealt:?}");
            assert!(proof(&all, &dealt).shared().is_empty());
            dealt[count] = (dealt[count] + 1) % 3;
            assert!(!proof(&all, &dealt).shared().is_empty(), "a clone in two splits");
        }
    }

    #[test]
    fn each_split_has_a_domain_however_large_clans_are() {
        let sizes = [1, 1, 3];
        let of = |clan: usize| (0..sizes[clan]).map(move |n| (clan, n));
        let all: Vec<DomainIdentity> = (0..3)
            .flat_map(of)
            .map(|(clan, n)| domain(&format!("c{clan}n{n}"), &[&format!("k{clan}")], &["a"]))
            .collect();
        for (seed, first) in (0..20).flat_map(|seed| [0.1, 0.4, 0.8].map(|first| (seed, first))) {
            let mut splits = splits();
            splits[0].weight = first;
            let dealt = dealt(&all, &splits, SplitBy::Domain, seed).unwrap();
            assert!((0..3).all(|split| dealt.contains(&split)), "{dealt:?}");
        }
    }

    #[test]
    fn too_few_domains_are_an_error() {
        let two = [domain("one", &["k"], &["a"]), domain("two", &["k"], &["a"])];
        let error = dealt(&two, &splits(), SplitBy::Domain, 0).unwrap_err().to_string();
        assert!(error.contains("is one that is no clone"), "{error}");
    }

    #[test]
    fn held_out_combinations_have_their_pairs_in_the_first_split() {
        let letters = ["a", "b", "c", "d", "e"];
        let mut all = Vec::new();
        for bits in 1u32..32 {
            let own: Vec<&str> =
                letters.iter().enumerate().filter(|(n, _)| bits >> n & 1 == 1).map(|(_, l)| *l).collect();
            if own.len() == 2 || own.len() == 3 {
                for copy in 0..2 {
                    let name = format!("{}{copy}", own.concat());
                    all.push(domain(&name, &[&name], &own));
                }
            }
        }
        for seed in 0..20 {
            let dealt = dealt(&all, &splits(), SplitBy::Composition, seed).unwrap();
            let of = |wanted: &dyn Fn(usize) -> bool| -> Vec<&BTreeSet<String>> {
                (0..all.len())
                    .filter(|place| wanted(dealt[*place]))
                    .map(|place| &all[place].mechanisms)
                    .collect()
            };
            let (first, others) = (of(&|split| split == 0), of(&|split| split != 0));
            assert!(!others.is_empty() && others.iter().all(|mechanisms| mechanisms.len() == 3));
            assert!(others.iter().all(|mechanisms| !first.contains(mechanisms)));
            assert!(others.iter().all(|mechanisms| lacking_pair(mechanisms, &first).is_none()));
            let (validation, test) = (of(&|split| split == 1), of(&|split| split == 2));
            assert!(!validation.is_empty() && test.iter().all(|mechanisms| !validation.contains(mechanisms)));
        }
        let pairs: Vec<DomainIdentity> =
            all.into_iter().filter(|domain| domain.mechanisms.len() == 2).collect();
        assert!(dealt(&pairs, &splits(), SplitBy::Composition, 0).is_err());
    }
}
