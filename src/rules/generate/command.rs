//! Settings to the command that makes their data set again.

use crate::rules::generate::settings::{RuleSettings, Share, Span, Targets, name};

/// The command that makes a data set again, without its output.
pub fn command_of(s: &RuleSettings) -> String {
    let share = |share: Share| {
        if share.low < share.high { format!("{}-{}", share.low, share.high) } else { share.low.to_string() }
    };
    let span = |span: Span| {
        if span.low < span.high { format!("{}-{}", span.low, span.high) } else { span.low.to_string() }
    };
    let mut out =
        format!("racgen rules --category {} --size {} --depth {}", name(s.category), s.size, s.depth);
    let mut flag = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            out += &format!(" --{name} {value}");
        }
    };
    flag("facts", s.facts.map(|n| n.to_string()));
    flag("components", Some(span(s.components)));
    flag("rules", s.rules.map(span));
    flag("max-length", Some(s.max_length.to_string()));
    flag("arity", Some(span(s.arity)));
    flag("predicates", s.predicates.map(|n| n.to_string()));
    flag("constants", s.constants.map(|n| n.to_string()));
    flag("max-or", Some(s.max_or.to_string()));
    let t = s.terms;
    let terms = format!("head={},earlier={},constant={},fresh={}", t.head, t.earlier, t.constant, t.fresh);
    flag("terms", Some(terms));
    flag("open-world", Some(share(s.open_world)));
    flag("missing", Some(share(s.missing)));
    flag("noise", Some(share(s.noise)));
    flag("targets", Some(if s.targets == Targets::Separate { "separate" } else { "together" }.into()));
    flag("full-every", Some(s.full_every.to_string()));
    flag("skip", Some(s.skip.to_string()));
    flag("eval-support", s.eval_support.map(|n| n.to_string()));
    flag("seed", Some(s.seed.to_string()));
    if s.recursive {
        out += " --recursive";
    }
    if s.shared_target {
        out += " --shared-target";
    }
    out
}
