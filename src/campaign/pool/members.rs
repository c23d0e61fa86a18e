//! Domains to one source of items: its members make rows in turn, those of each split domain after domain.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use racgen_data::columns::ExtraColumn;
use racgen_data::papers::manifest::Exception;
use rayon::prelude::*;

use crate::campaign::error::CampaignError;
use crate::campaign::pool::dealing::DomainProof;
use crate::campaign::pool::identity::DomainIdentity;
use crate::campaign::pool::member::{DomainMember, JobMember, Shelf};
use crate::domain::catalogue::Catalogue;
use crate::items::clock::Clock;
use crate::items::error::ItemError;
use crate::items::source::{About, Item, ItemSource, Split, Stream};

/// The most domains that a card names one by one.
const FEW: usize = 12;

/// Makes the rows of one domain or of many.
pub struct DomainPool {
    members: Vec<Arc<DomainMember>>,
    splits: Vec<Split>,
    shelf: Arc<Shelf>,
    details: BTreeMap<String, serde_json::Value>,
}

/// The splits of several domains, each once, with the items that each is due.
fn united(members: &[Arc<DomainMember>]) -> Vec<Split> {
    let mut splits: Vec<Split> = Vec::new();
    for member in members {
        let items = member.factory.settings().items as f64;
        for split in &member.splits {
            match splits.iter_mut().find(|known| known.name == split.name) {
                Some(known) => known.weight += split.weight * items,
                None => splits.push(Split { weight: split.weight * items, ..split.clone() }),
            }
        }
    }
    let total: f64 = splits.iter().map(|split| split.weight).sum();
    splits.iter_mut().for_each(|split| split.weight /= total);
    splits
}

impl DomainPool {
    /// Loads domains; groundings are kept on a shelf that several sources may share. The splits that are named come first.
    ///
    /// # Errors
    /// Faults of packages, settings that make no sense.
    pub fn new(
        catalogue: &Catalogue,
        (members, order): (&[JobMember], &[String]),
        limit: Duration,
        shelf: Arc<Shelf>,
    ) -> Result<DomainPool, CampaignError> {
        let load = |member: &JobMember| DomainMember::new(catalogue, member, limit).map(Arc::new);
        let members: Result<Vec<Arc<DomainMember>>, CampaignError> = members.par_iter().map(load).collect();
        let members = members?;
        let splits = match members.as_slice() {
            [only] => only.splits.clone(),
            several => {
                let mut splits = united(several);
                let place = |split: &Split| order.iter().position(|name| *name == split.name);
                splits.sort_by_key(|split| place(split).unwrap_or(order.len()));
                splits
            }
        };
        Ok(DomainPool { members, splits, shelf, details: BTreeMap::new() })
    }

    /// Has the manifest tell something besides.
    pub fn tell(&mut self, name: &str, detail: serde_json::Value) {
        self.details.insert(name.to_owned(), detail);
    }

    /// What tells each domain and its clones.
    pub fn identities(&self) -> Vec<DomainIdentity> {
        self.members.par_iter().map(|member| member.identity()).collect()
    }

    /// The domains of each split.
    pub fn prove(&self, proof: &mut DomainProof) {
        for (member, identity) in self.members.iter().zip(self.identities()) {
            member.splits.iter().for_each(|split| proof.add(&split.name, &identity));
        }
    }

    fn member(&self, stream: Stream) -> Result<(&DomainMember, Stream), ItemError> {
        let name = &self.splits[stream.split].name;
        let member = &self.members[stream.member];
        self.shelf.use_of(member);
        let split = member.splits.iter().position(|split| split.name == *name).unwrap_or(0);
        Ok((member, Stream { member: 0, split, ..stream }))
    }
}

impl ItemSource for DomainPool {
    fn about(&self) -> About {
        let mut about = self.members.first().map(|member| member.factory.about()).unwrap_or_default();
        about.titles = match self.members.len() {
            count @ FEW.. => vec![format!("{count} domains")],
            _ => self.members.iter().flat_map(|member| member.factory.about().titles).collect(),
        };
        about
    }

    fn settings(&self) -> serde_json::Value {
        match self.members.as_slice() {
            [only] => ItemSource::settings(&only.factory),
            several => several.iter().map(|member| ItemSource::settings(&member.factory)).collect(),
        }
    }

    fn splits(&self) -> &[Split] {
        &self.splits
    }

    fn streams(&self, split: usize) -> Vec<(Stream, u64)> {
        let Some(Split { name, .. }) = self.splits.get(split) else { return Vec::new() };
        let of = |(number, member): (usize, &Arc<DomainMember>)| {
            let own = member.splits.iter().position(|split| split.name == *name);
            let streams = own.map(|own| member.factory.streams(own)).unwrap_or_default();
            streams
                .into_iter()
                .map(move |(stream, items)| (Stream { member: number, split, ..stream }, items))
        };
        self.members.iter().enumerate().flat_map(of).collect()
    }

    fn extra_columns(&self) -> &[ExtraColumn] {
        self.members.first().map_or(&[], |member| member.factory.extra_columns())
    }

    fn prepare(&self, stream: Stream, clock: &Clock) -> Result<(), ItemError> {
        // Of more domains than keep their groundings all would be done again.
        let is_text = |member: &Arc<DomainMember>| member.factory.settings().tell.is_text();
        if self.members.len() > Shelf::most() && self.members.iter().all(is_text) {
            return Ok(());
        }
        let (member, stream) = self.member(stream)?;
        member.factory.prepare(stream, clock)
    }

    fn group(&self, stream: Stream, group: u64, items: u64, clock: &Clock) -> Result<Vec<Item>, ItemError> {
        let (member, stream) = self.member(stream)?;
        ItemSource::group(&member.factory, stream, group, items, clock)
    }

    fn details(&self) -> BTreeMap<String, serde_json::Value> {
        self.details.clone()
    }

    fn left_out(&self) -> Vec<Exception> {
        self.members.iter().flat_map(|member| ItemSource::left_out(&member.factory)).collect()
    }
}
