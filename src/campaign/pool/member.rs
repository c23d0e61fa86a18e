//! One domain of a source, and the shelf that keeps the groundings of a few domains only.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::campaign::error::CampaignError;
use crate::campaign::pool::identity::DomainIdentity;
use crate::check::survey::check_quick;
use crate::domain::catalogue::Catalogue;
use crate::factory::settings::Settings;
use crate::factory::source::Factory;
use crate::items::source::Split;

/// Groundings of so many domains are kept, besides two for each thread.
const FEW: usize = 2;
/// How many ground rules are kept of all domains but the one in use: about a gigabyte.
const MOST_RULES: usize = 16_000_000;

/// A domain and what its rows are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobMember {
    /// The domain.
    pub domain: String,
    /// What its rows are.
    pub settings: Settings,
}

/// A domain that makes items, with its factory.
pub(super) struct DomainMember {
    pub(super) factory: Factory,
    /// The splits that it has items of.
    pub(super) splits: Vec<Split>,
}

impl DomainMember {
    /// Loads and checks a domain. What racgen made itself is not checked again.
    pub(super) fn new(
        catalogue: &Catalogue,
        member: &JobMember,
        limit: Duration,
    ) -> Result<DomainMember, CampaignError> {
        member.settings.check().map_err(CampaignError::Settings)?;
        let package = catalogue.load(&member.domain)?;
        member.settings.check_for(&package).map_err(CampaignError::Settings)?;
        if catalogue.holds(&member.domain) {
            check_quick(&package, limit)?;
        }
        let splits = member.settings.all_splits();
        Ok(DomainMember { factory: Factory::new(package, member.settings.clone(), limit), splits })
    }

    /// What tells the domain and its clones.
    pub(super) fn identity(&self) -> DomainIdentity {
        DomainIdentity::of(self.factory.package())
    }
}

/// The domains used last. Those that were not used for longest forget their groundings, so that memory does not grow with
/// the number of domains.
#[derive(Default)]
pub struct Shelf {
    used: Mutex<Vec<Arc<DomainMember>>>,
}

impl Shelf {
    /// How many domains keep their groundings.
    pub(super) fn most() -> usize {
        FEW + 2 * rayon::current_num_threads()
    }

    /// Notes that a domain is used.
    pub(super) fn use_of(&self, member: &Arc<DomainMember>) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        match used.iter().rposition(|other| Arc::ptr_eq(other, member)) {
            // Those of the last few need no order.
            Some(place) if place + 2 >= used.len() => return,
            Some(place) => drop(used.remove(place)),
            None => {}
        }
        used.push(member.clone());
        let rules = |used: &[Arc<DomainMember>]| used.iter().map(|m| m.factory.rules_kept()).sum::<usize>();
        while used.len() > Shelf::most() || used.len() > 1 && rules(&used[..used.len() - 1]) > MOST_RULES {
            used.remove(0).factory.forget();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::items::clock::Clock;
    use crate::items::source::Stream;

    /// However many domains take turns, few keep their groundings; those of the domain in use are there.
    #[test]
    fn few_domains_keep_their_groundings() {
        let catalogue = Catalogue::find(&[]).unwrap();
        let names = ["blocks", "ferry", "gripper", "miconic", "hanoi", "jugs", "suitcase", "spanner"];
        let settings = Settings { items: 40, levels: vec![1], depths: vec![1], ..Settings::default() };
        let limit = Duration::from_secs(60);
        let member = |name: &&str| {
            let job = JobMember { domain: (*name).to_owned(), settings: settings.clone() };
            Arc::new(DomainMember::new(&catalogue, &job, limit).unwrap())
        };
        let members: Vec<Arc<DomainMember>> = names.iter().map(member).collect();
        let shelf = Shelf::default();
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        alone.install(|| {
            for (turn, member) in members.iter().chain(&members).enumerate() {
                shelf.use_of(member);
                let of = Stream { level: 1, depth: 1, ..Stream::default() };
                member.factory.group(of, 0, 8, &Clock::default()).unwrap();
                assert!(member.factory.rules_kept() > 0);
                let kept = members.iter().filter(|member| member.factory.rules_kept() > 0).count();
                assert_eq!(kept, (turn + 1).min(FEW + 2), "after {turn} turns");
            }
        });
    }
}
