//! Estimates and ratings to one page of HTML that needs nothing else.

use std::fmt::Write as _;

use racgen_data::table::Table;

use crate::iq::measure::estimate::{AgentEstimate, by_agent, estimate};
use crate::iq::measure::rating::Rating;
use crate::iq::measure::results::ResultRow;
use crate::iq::report::html::html_table;
use crate::iq::report::plot::{PlotLabels, PlotSeries, escaped, legend, plot};
use crate::iq::report::tables::{course, differences, estimates, ladder};

const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1d2330;--faint:#667085;--paper:#fff;--card:#f5f6f9;--line:#dde1ea}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8ee;--faint:#9aa3b5;--paper:#14171e;--card:#1d212b;--line:#323848}}
*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
main{max-width:68rem;margin:0 auto;padding:1rem}h1{font-size:1.5rem}h2{font-size:1.15rem;margin:2rem 0 .5rem}
.faint{color:var(--faint);font-size:.9rem}.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,28rem),1fr));gap:1rem}
.ladder{max-width:36rem}figure{margin:0;min-width:0;background:var(--card);border-radius:.6rem;padding:.8rem}figcaption{font-size:.9rem;margin-bottom:.4rem}
svg{width:100%;min-width:30rem;height:auto;display:block}svg text{fill:var(--ink);font:13px system-ui,sans-serif}
svg .dim{fill:var(--faint)}svg .grid{stroke:var(--line)}.scroll{overflow-x:auto}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1rem;font-size:.9rem;overflow-wrap:anywhere}.legend i{display:inline-block;width:1.2rem;
height:.25rem;margin-right:.4rem;vertical-align:middle;border-radius:.1rem}
table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{text-align:left;padding:.35rem .5rem;
border-bottom:1px solid var(--line);vertical-align:bottom}td{white-space:nowrap}th{color:var(--faint);font-weight:600}
.n{text-align:right;font-variant-numeric:tabular-nums}
";

/// Ratings as a report has them: agent, rating, share of points.
pub type Rated = (String, Rating, f64);

/// The tables of a report.
pub fn report_tables(rows: &[ResultRow], rated: &[Rated]) -> Vec<Table> {
    let own = by_agent(rows);
    let agents: Vec<AgentEstimate> = own.iter().filter_map(|rows| estimate(rows)).collect();
    let mut tables = Vec::new();
    if !agents.is_empty() {
        tables.push(estimates(&agents));
        if agents.len() > 1 {
            tables.push(differences(&own));
        }
        tables.push(course(&agents));
    }
    if !rated.is_empty() {
        tables.push(ladder(rated));
    }
    tables
}

/// The page.
pub fn page(title: &str, rows: &[ResultRow], rated: &[Rated]) -> String {
    let agents: Vec<AgentEstimate> = by_agent(rows).iter().filter_map(|rows| estimate(rows)).collect();
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{0}</title>\
         <style>{STYLE}</style></head><body><main><h1>{0}</h1>",
        escaped(title)
    );
    if !agents.is_empty() {
        out += "<p>Each game is drawn in proportion to 2<sup>-K</sup>; an agent learns it, then asks to be evaluated. The \
                estimate after iteration n is the mean over all games so far, and estimates Y<sub>n</sub>, which is within \
                2<sup>-(n+1)</sup> of the range of rewards from its limit.</p><div class=\"charts\">";
        let cost = |agent: &AgentEstimate| PlotSeries {
            name: agent.agent.clone(),
            points: agent.iterations.iter().map(|at| (at.cost as f64, at.mean)).collect(),
            band: agent.iterations.iter().map(|at| at.sequence).collect(),
        };
        let bits = |agent: &AgentEstimate| PlotSeries {
            name: agent.agent.clone(),
            points: agent.by_complexity.iter().map(|(bits, mean, _)| (*bits as f64, *mean)).collect(),
            band: Vec::new(),
        };
        let up = "mean reward, %";
        let plots = [
            (
                "Estimate against cost; bands cover at all iterations together",
                agents.iter().map(cost).collect::<Vec<_>>(),
                PlotLabels { across: "cost, in T0", up, doubling: true },
            ),
            (
                "Score by complexity of the game",
                agents.iter().map(bits).collect::<Vec<_>>(),
                PlotLabels { across: "complexity K, in bits", up, doubling: false },
            ),
        ];
        for (caption, series, labels) in plots {
            let _ = write!(
                out,
                "<figure><figcaption>{caption}</figcaption><div class=\"scroll\">{}</div>{}</figure>",
                plot(&series, labels),
                legend(&series)
            );
        }
        out += "</div>";
    }
    if !rated.is_empty() {
        out += &ladder_drawn(rated);
    }
    for table in report_tables(rows, rated) {
        out += &html_table(&table);
    }
    out + "</main></body></html>\n"
}

/// Ratings as bars with their intervals.
fn ladder_drawn(rated: &[Rated]) -> String {
    let mut rated: Vec<&Rated> = rated.iter().collect();
    rated.sort_by(|a, b| b.1.elo.total_cmp(&a.1.elo));
    let low = rated.iter().map(|(_, rating, _)| rating.low).fold(f64::INFINITY, f64::min);
    let high = rated.iter().map(|(_, rating, _)| rating.high).fold(f64::NEG_INFINITY, f64::max);
    let x = |elo: f64| 12.0 + (elo - low) / (high - low).max(1e-9) * 480.0;
    let high = 44 * rated.len() + 10;
    let mut out = format!(
        "<h2>Ladder</h2><figure class=\"ladder\"><div class=\"scroll\"><svg viewBox=\"0 0 560 {high}\" role=\"img\" aria-label=\"ladder\">"
    );
    for (place, (agent, rating, _)) in rated.iter().enumerate() {
        let y = 36 + 44 * place;
        let _ = write!(
            out,
            "<text x=\"12\" y=\"{}\">{}</text>\
             <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y}\" y2=\"{y}\" stroke=\"currentColor\" stroke-width=\"3\"/>\
             <circle cx=\"{:.1}\" cy=\"{y}\" r=\"5\" fill=\"currentColor\"/><text x=\"{:.1}\" y=\"{}\">{:.0}</text>",
            y - 12,
            escaped(agent),
            x(rating.low),
            x(rating.high),
            x(rating.elo),
            x(rating.high) + 10.0,
            y + 4,
            rating.elo
        );
    }
    out + "</svg></div></figure>"
}
