//! Stories to what they offer to families that ask about goals: whether, how soon and by which action each is reached.

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::error::FactoryError;
use crate::factory::further::answer_patterns::AnswerPattern;
use crate::factory::further::gathering::{Gatherer, SayableTerms};
use crate::factory::further::lasting_facts::{Lasting, names_nothing};
use crate::factory::further::offers::{
    Given, OfferCell, OfferedQuestion, Offers, Rivalry, SearchArgument, SearchEffort, Subject, facts, kind_of,
};
use crate::factory::further::option_lists::OptionLister;
use crate::factory::further::proving::{FutureInvariants, KnownProofs};
use crate::factory::further::search_families::SearchFamily;
use crate::simulate::search::given::given_goals;
use crate::simulate::search::goal::{self, GoalFact, is_met};
use crate::simulate::search::surroundings::{PlayedOut, Surroundings};
use crate::simulate::situation::Situation;
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Goals of one fact that are drawn for each distance, and goals that are drawn for each greater number of facts.
const SINGLES: usize = 6;
const DRAWN_GOALS: usize = 24;
/// The most facts of a goal.
const MOST_FACTS: usize = 4;
/// Parts of a goal that the package gives that are drawn for each number of facts.
const DRAWN_PARTS: usize = 2;
/// The share of facts of a goal that are drawn among those to become true, where there are any.
const POSITIVE: f64 = 0.75;
/// How many actions more than needed a plan may have, at most.
const SPARE: usize = 2;

/// A goal that is not met in a situation, and the fewest actions that reach it from there.
#[derive(Clone, Debug)]
pub(super) struct DrawnGoal {
    pub(super) goal: Vec<GoalFact>,
    pub(super) distance: usize,
}

/// A story, what is around the situation after it, and what is around the initial one.
pub(super) struct SearchedStory {
    pub(super) told: usize,
    /// The told actions.
    pub(super) plan: Vec<usize>,
    pub(super) now: Surroundings,
    pub(super) initially: Surroundings,
}

/// Something to be offered.
pub(super) struct SearchOffer {
    pub(super) detail: String,
    pub(super) arguments: Vec<SearchArgument>,
    pub(super) answer: Given,
    pub(super) class: u32,
    /// Is the answer the same if the told actions did not happen?
    pub(super) trivial: bool,
    /// Is it right to overlook the point of the question?
    pub(super) plain: bool,
    pub(super) effort: SearchEffort,
}

/// Yes or no.
pub(super) fn verdict(yes: bool) -> Given {
    Given::Term(Term::constant(if yes { "yes" } else { "no" }))
}

impl SearchedStory {
    /// Adds an offer.
    pub(super) fn add(&self, offers: &mut Offers, family: (usize, SearchFamily), offer: SearchOffer) {
        self.add_listed(offers, family, (offer, None));
    }

    /// Adds an offer that may have to go with others, so that looks do not tell its answer.
    pub(super) fn add_listed(
        &self,
        offers: &mut Offers,
        (family, search): (usize, SearchFamily),
        (offer, rivalry): (SearchOffer, Option<Rivalry>),
    ) {
        let cell = OfferCell { kind: search.kind(), family, detail: offer.detail };
        let yes = offer.answer == verdict(true);
        let SearchOffer { plain, trivial, class, effort, .. } = offer;
        let asked = OfferedQuestion::new(self.told, Subject::Search(offer.arguments), offer.answer);
        let asked = OfferedQuestion { yes, plain, trivial, class, effort, rivalry, ..asked };
        offers.entry(cell).or_default().push(asked);
    }

    /// Makes lists of terms to choose from beside what else is asked.
    pub(super) fn lister<'t>(
        &self,
        engine: &'t TransitionSystem,
        terms: &'t [Term],
        besides: Vec<&'t Term>,
    ) -> OptionLister<'t> {
        OptionLister::new(
            terms,
            (besides, Vec::new()),
            self.plan.iter().map(|action| &engine.actions[*action]),
        )
    }

    /// How hard it is to reach a goal at a distance.
    pub(super) fn effort(&self, distance: usize) -> SearchEffort {
        SearchEffort { plan_length: Some(distance), searched: Some(self.now.nearer(distance)) }
    }
}

/// Does a goal take several actions, the first of which is sure?
fn is_far(story: &SearchedStory, drawn: &DrawnGoal) -> bool {
    drawn.distance > 1 && story.now.firsts(&drawn.goal).len() == 1
}

/// A shortest way to a goal at a distance, all of whose actions can be told.
pub(super) fn told_way(
    around: &Surroundings,
    goal: &DrawnGoal,
    sayable: &SayableTerms,
) -> Option<Vec<usize>> {
    let met = around.places.of_goal(&goal.goal);
    let ways =
        around.layer(goal.distance).filter(|place| met.contains(*place)).map(|place| around.way(place));
    ways.filter(|way| way.iter().all(|action| sayable.actions.contains(*action))).min()
}

impl Gatherer<'_> {
    /// Families that rest on a search.
    pub(super) fn searches(
        &self,
        (stage, proofs): (&mut Simulator, &mut KnownProofs),
        stories: &[(usize, &Story)],
        sayable: &SayableTerms,
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), FactoryError> {
        let wanted = |(number, family)| {
            let search = SearchFamily::of(family).filter(|_| self.wants(family))?;
            if self.idle.contains(&number) {
                return None;
            }
            Some((number, search))
        };
        let wanted: Vec<(usize, SearchFamily)> =
            self.families().iter().enumerate().filter_map(wanted).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let lasts: Vec<&Situation> =
            stories.iter().map(|(_, s)| s.passed.last().unwrap_or(&s.initial)).collect();
        let can = stage.executable(&lasts)?;
        let told = |(fluent, truth): &GoalFact| match truth {
            true => sayable.statable.contains(*fluent),
            false => sayable.deniable.contains(*fluent),
        };
        let mut given = given_goals(self.package, stage.layout(), &stage.engine.fluents)?;
        given.iter_mut().for_each(|goal| goal.retain(told));
        if names_nothing(stage) {
            proofs.lasting.ask_all();
        }
        let mut invariants = FutureInvariants { lasting: self.lasting, known: proofs };
        let only_hold = wanted.iter().all(|(_, search)| search.holds());
        let holds = wanted.iter().any(|(_, search)| search.holds());
        let asks_next = wanted.iter().any(|(_, search)| *search == SearchFamily::NextAction);
        let plans: Vec<(usize, SearchFamily)> =
            wanted.iter().copied().filter(|(_, search)| search.lists() || search.shows()).collect();
        let mut searched = Vec::new();
        for (((number, told), last), can) in stories.iter().zip(lasts).zip(can) {
            let lasting = match holds {
                true => invariants.look_at(stage, (&told.initial, last), &wanted, sayable),
                false => Lasting::None,
            };
            if only_hold && lasting == Lasting::None {
                continue;
            }
            let now = Surroundings::of(&mut stage.engine, last, can)?;
            let initially = match only_hold && lasting == Lasting::New {
                // What was not so at first did not stay true, so that nothing further need be known of that.
                true => Surroundings::alone(&stage.engine, &told.initial, told.possible.clone()),
                false => Surroundings::of(&mut stage.engine, &told.initial, told.possible.clone())?,
            };
            let story = SearchedStory { told: *number, plan: told.plan.clone(), now, initially };
            let goals = if only_hold { Vec::new() } else { goals(&story.now, &given, sayable, rng) };
            // The first of one action alone is asked for only where no goal is farther.
            let nearest = if asks_next && goals.iter().any(|drawn| is_far(&story, drawn)) { 2 } else { 1 };
            for family in &wanted {
                for goal in &goals {
                    self.of_goal(&story, goal, *family, sayable, stage, (offers, rng), nearest);
                }
            }
            let about = (&story, *told, lasting);
            self.futures(stage, about, &goals, &wanted, sayable, &mut invariants, (&mut *offers, &mut *rng))?;
            searched.extend((!plans.is_empty()).then_some(story));
        }
        if !plans.is_empty() {
            self.plans(stage, &searched, &plans, sayable, offers, rng)?;
        }
        Ok(())
    }

    /// Questions of a family about one goal, of the action that comes next only where it is not nearer than `nearest`.
    #[allow(clippy::too_many_arguments)]
    fn of_goal(
        &self,
        story: &SearchedStory,
        drawn: &DrawnGoal,
        family: (usize, SearchFamily),
        sayable: &SayableTerms,
        stage: &Simulator,
        (offers, rng): (&mut Offers, &mut ChaCha8Rng),
        nearest: usize,
    ) {
        let DrawnGoal { goal, distance } = drawn;
        let (effort, count) = (story.effort(*distance), facts(goal.len()));
        let asked = |more: Vec<SearchArgument>| {
            std::iter::once(SearchArgument::Goal(goal.clone())).chain(more).collect::<Vec<_>>()
        };
        match family.1 {
            SearchFamily::ReachableIn => {
                for (most, yes) in [(*distance, true), (distance - 1, false)] {
                    if most == 0 {
                        continue;
                    }
                    let before = story.initially.distance(goal).is_some_and(|found| found <= most);
                    story.add(
                        offers,
                        family,
                        SearchOffer {
                            detail: format!("within {most}, {count}"),
                            arguments: asked(vec![SearchArgument::Number(most)]),
                            answer: verdict(yes),
                            class: 0,
                            trivial: before == yes,
                            plain: before == yes,
                            effort,
                        },
                    );
                }
            }
            SearchFamily::PlanLength => {
                story.add(
                    offers,
                    family,
                    SearchOffer {
                        detail: count,
                        arguments: asked(vec![]),
                        answer: Given::Term(Term::Number(*distance as i32)),
                        class: *distance as u32,
                        trivial: story.initially.distance(goal) == Some(*distance),
                        plain: story.initially.distance(goal) == Some(*distance),
                        effort,
                    },
                );
            }
            SearchFamily::NextAction => {
                let firsts = story.now.firsts(goal);
                let [only] = firsts.as_slice() else { return };
                if *distance < nearest || !sayable.actions.contains(*only) {
                    return;
                }
                let action = &stage.engine.actions[*only];
                let AnswerPattern { question, answer } =
                    AnswerPattern::of(stage, &goal::term(goal, &stage.engine.fluents), [action].into_iter());
                let same = story.initially.firsts(goal) == firsts;
                let offer = || SearchOffer {
                    detail: kind_of(action),
                    arguments: asked(vec![]),
                    trivial: same,
                    plain: same,
                    answer: Given::Actions(firsts.clone()),
                    class: 1,
                    effort,
                };
                // Where names alone would tell the action, one that begins a way to what looks the same goes with it.
                let sides = [Some(answer.unwrap_or(0)), None];
                for side in &sides[..if answer.is_some() { 1 } else { 2 }] {
                    let rivalry = Rivalry { between: question, side: *side };
                    story.add_listed(offers, family, (offer(), Some(rivalry)));
                }
            }
            SearchFamily::Plan | SearchFamily::PlanWithin => {
                let Some(way) = told_way(&story.now, drawn, sayable) else { return };
                let mut more = Vec::new();
                if family.1 == SearchFamily::PlanWithin {
                    more.push(SearchArgument::Number(distance + rng.random_range(0..=SPARE)));
                }
                let same = matches!(story.initially.course(&way), PlayedOut::Ends(place)
                    if is_met(goal, &story.initially.reached[place].situation));
                story.add(
                    offers,
                    family,
                    SearchOffer {
                        detail: count,
                        arguments: asked(more),
                        answer: Given::Plan(way),
                        class: *distance as u32,
                        trivial: same,
                        plain: same,
                        effort,
                    },
                );
            }
            _ => {}
        }
    }
}

/// Goals around a situation: all their facts are to change, and some situation within the radius has them all. Those that
/// the package gives come first: what of them is not so yet, and parts of that.
fn goals(
    around: &Surroundings,
    given: &[Vec<GoalFact>],
    sayable: &SayableTerms,
    rng: &mut ChaCha8Rng,
) -> Vec<DrawnGoal> {
    let mut found: Vec<DrawnGoal> = Vec::new();
    let mut add = |mut goal: Vec<GoalFact>| {
        goal.sort_unstable();
        if let Some(distance) = around.distance(&goal).filter(|distance| *distance > 0)
            && !found.iter().any(|known| known.goal == goal)
        {
            found.push(DrawnGoal { goal, distance });
        }
    };
    let start = &around.reached[0].situation;
    for goal in given {
        let open = goal.iter().filter(|(fluent, truth)| start.contains(*fluent) != *truth);
        let open: Vec<GoalFact> = open.copied().collect();
        for count in 1..=open.len().min(MOST_FACTS) {
            for _ in 0..DRAWN_PARTS {
                add(open.sample(rng, count).copied().collect());
            }
        }
    }
    for distance in 1..=around.radius {
        let layer: Vec<usize> = around.layer(distance).collect();
        for _ in 0..SINGLES {
            let Some(place) = layer.choose(rng) else { break };
            // A fact that no nearer situation has, where there is one.
            let mut goal = changed(start, &around.reached[*place].situation, 1, sayable, rng);
            for _ in 0..3 {
                let again = changed(start, &around.reached[*place].situation, 1, sayable, rng);
                if around.distance(&again) > around.distance(&goal) {
                    goal = again;
                }
            }
            if goal.len() == 1 {
                add(goal);
            }
        }
    }
    for count in 2..=MOST_FACTS {
        for _ in 0..DRAWN_GOALS {
            if around.radius == 0 {
                break;
            }
            let distance = rng.random_range(1..=around.radius);
            let layer: Vec<usize> = around.layer(distance).collect();
            let Some(place) = layer.choose(rng) else { continue };
            let goal = changed(start, &around.reached[*place].situation, count, sayable, rng);
            if goal.len() == count {
                add(goal);
            }
        }
    }
    found
}

/// Some of the facts in which one situation differs from another, as they are in the other.
pub(super) fn changed(
    from: &Situation,
    to: &Situation,
    count: usize,
    sayable: &SayableTerms,
    rng: &mut ChaCha8Rng,
) -> Vec<GoalFact> {
    let differ = from.symmetric_difference(to).intersection(&sayable.statable);
    let (mut gained, mut lost): (Vec<GoalFact>, Vec<GoalFact>) =
        differ.iter().map(|fluent| (fluent, to.contains(fluent))).partition(|(_, truth)| *truth);
    if !gained.is_empty() || lost.iter().any(|(fluent, _)| sayable.deniable.contains(*fluent)) {
        lost.retain(|(fluent, _)| sayable.deniable.contains(*fluent));
    }
    gained.shuffle(rng);
    lost.shuffle(rng);
    let mut goal = Vec::new();
    while goal.len() < count {
        let first = rng.random_bool(POSITIVE);
        let (one, other) = if first { (&mut gained, &mut lost) } else { (&mut lost, &mut gained) };
        let Some(literal) = one.pop().or_else(|| other.pop()) else { break };
        goal.push(literal);
    }
    goal.sort_unstable();
    goal
}
