//! A report to one page of HTML that needs nothing else: verdict first, then checks, examples and small charts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use racgen_data::table::Cell;

use crate::audit::attacks::bounded_share::BoundedShare;
use crate::audit::attacks::shortcuts::Deviation;
use crate::audit::report::{AuditReport, DataShape, Measured, SUSPICIOUS, place};

const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1d2330;--faint:#667085;--paper:#fff;--card:#f5f6f9;--line:#dde1ea;--good:#137a48;
--bad:#b3261e;--goodbg:#e3f4ea;--badbg:#fbe6e4;--a:#2f6fd0;--b:#d9822b}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8ee;--faint:#9aa3b5;--paper:#14171e;--card:#1d212b;--line:#323848;
--good:#6fd39d;--bad:#ff9389;--goodbg:#15301f;--badbg:#3a1a18;--a:#78a9f5;--b:#f0a860}}
*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
main{max-width:62rem;margin:0 auto;padding:1rem}h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem}
p{margin:.4rem 0}.faint{color:var(--faint);font-size:.9rem}.verdict{border-radius:.6rem;padding:1rem 1.2rem;margin:1rem 0}
.pass{background:var(--goodbg);border-left:.4rem solid var(--good)}.fail{background:var(--badbg);border-left:.4rem solid var(--bad)}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{text-align:left;padding:.35rem .5rem;
border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word}td:first-child{white-space:nowrap}
.worst td{white-space:normal;padding:0 .5rem .5rem 1.2rem}tr:has(+.worst) td{border-bottom:0}th{color:var(--faint);font-weight:600}
.ok{color:var(--good);font-weight:600}.no{color:var(--bad);font-weight:600}td.no{white-space:nowrap}
details p{overflow-wrap:anywhere}details{background:var(--card);border-radius:.5rem;padding:.5rem .8rem;margin:.5rem 0}summary{cursor:pointer;overflow-wrap:anywhere}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1rem}
figure{margin:0;background:var(--card);border-radius:.6rem;padding:.8rem}figcaption{font-size:.9rem;margin-bottom:.4rem}
svg{width:100%;height:auto;display:block}svg text{fill:var(--ink);font:11px system-ui,sans-serif}.dim{fill:var(--faint)!important}
.heat td{padding:.15rem .35rem;font-variant-numeric:tabular-nums;text-align:right;border:1px solid var(--paper);white-space:nowrap}
.heat th{padding:.15rem .5rem .15rem 0;white-space:nowrap}.heat th:first-child{position:sticky;left:0;background:var(--paper);
white-space:normal;overflow-wrap:anywhere;min-width:7rem;max-width:16rem;font-weight:400;color:var(--ink)}
.heat tr.group th{font-weight:600;color:var(--faint);padding-top:.6rem}@media(max-width:40rem){.wide{display:none}
body{font-size:15px}.heat th:first-child{max-width:8.5rem}}
";

/// Text that HTML cannot mistake for markup.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() && c != '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A number with spaces between its thousands, which do not break.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).collect::<String>() + "\u{2026}"
}

/// The whole page.
pub fn page(report: &AuditReport) -> String {
    let mut out = String::new();
    let (class, word) = if report.pass { ("pass", "Passed") } else { ("fail", "Failed") };
    let name = escape(&report.data);
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{word}: audit of {name}</title>\
         <style>{STYLE}</style></head><body><main><p class=\"faint\">racgen {} audit of {name}</p>\
         <div class=\"verdict {class}\"><h1>{word}</h1><p>{}</p></div>",
        escape(&report.racgen),
        escape(&report.verdict)
    );
    if let Some(reading) = &report.reading {
        let wrong: usize = reading.troubles.values().sum();
        let _ = write!(
            out,
            "<p>{} of {} items were read back from their text alone and answered anew by clingo; {wrong} of them \
             have faults.</p>",
            thousands(reading.read),
            thousands(report.items)
        );
        if reading.unread > 0 {
            let _ = write!(
                out,
                "<p>{} items are about games whose rules do not stand beside the data, in reference/GAME.kif, so that their \
                 texts were not read back; the other checks hold for them, too.</p>",
                thousands(reading.unread)
            );
        }
        for column in &report.unchecked {
            let _ = write!(out, "<p>Not checked: {}: {}.</p>", escape(&column.column), escape(&column.why));
        }
    } else {
        out += "<p>These are not racgen's columns, so the texts were not read back.</p>";
    }
    if let Some(other) = &report.against {
        let _ = write!(out, "<p>Compared with {}.</p>", escape(other));
    }
    checks(report, &mut out);
    examples(report, &mut out);
    charts(report, &mut out);
    giveaways(report, &mut out);
    families(report, &mut out);
    thresholds(report, &mut out);
    out += "</main></body></html>\n";
    out
}

fn checks(report: &AuditReport, out: &mut String) {
    out.push_str(
        "<h2>Checks</h2><div class=\"scroll\"><table><tr><th>Check</th><th></th>\
         <th class=\"wide\">What is looked at</th></tr>",
    );
    for check in &report.checks {
        let state = match check.faults {
            0 => "<td class=\"ok\">ok</td>".to_owned(),
            n => format!("<td class=\"no\">{n} fault{}</td>", if n == 1 { "" } else { "s" }),
        };
        let limit = check.threshold.map_or(String::new(), |t| format!(" (at most {t})"));
        let limit = if check.name == "entropy" { limit.replace("most", "least") } else { limit };
        let _ = write!(
            out,
            "<tr><td>{}</td>{state}<td class=\"wide faint\">{}{limit}</td></tr>",
            escape(&check.name),
            escape(&check.what)
        );
        if check.faults > 0 {
            let worst = escape(&cut(&check.worst, 200));
            let _ = write!(out, "<tr class=\"worst\"><td colspan=\"3\">{worst}</td></tr>");
        }
    }
    out.push_str("</table></div>");
    for (title, list) in [("Leaks", &report.leaks), ("Shared with the other data set", &report.between)] {
        if list.is_empty() {
            continue;
        }
        let _ = write!(out, "<h2>{title}</h2><ul>");
        for leak in list {
            let examples = escape(&leak.examples.join(", "));
            let _ = write!(
                out,
                "<li>{} {}: <span class=\"faint\">{examples}</span></li>",
                leak.count,
                escape(&leak.detail)
            );
        }
        out.push_str("</ul>");
    }
    deviations("Measures above their thresholds", "", &report.deviations, out);
    deviations("Suspicious", SUSPICIOUS, &report.suspicions, out);
}

fn deviations(title: &str, note: &str, found: &[Deviation], out: &mut String) {
    if found.is_empty() {
        return;
    }
    let _ = write!(
        out,
        "<h2>{title}</h2><p class=\"faint\">{note}</p><div class=\"scroll\"><table><tr><th>Measure</th><th>Where</th>\
         <th>What</th><th>Items</th></tr>"
    );
    for d in found.iter().take(60) {
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            d.measure,
            escape(&place(&d.cell)),
            escape(&d.detail),
            d.items
        );
    }
    out.push_str("</table></div>");
}

/// The page of the items that a report faults.
pub(crate) const FAULTY: &str = "faults.html";

fn examples(report: &AuditReport, out: &mut String) {
    let Some(reading) = report.reading.as_ref().filter(|r| !r.examples.is_empty()) else { return };
    out.push_str("<h2>Items with faults</h2>");
    for (trouble, count) in &reading.troubles {
        let _ = write!(out, "<p>{count} \u{d7} {}</p>", trouble.words());
    }
    for (number, example) in reading.examples.iter().enumerate() {
        let open = if number == 0 { " open" } else { "" };
        let _ = write!(
            out,
            "<details{open}><summary>{} <span class=\"faint\">({})</span></summary><p class=\"no\">{}</p>\
             <p><b>Initial state</b> {}</p><p><b>Actions</b> {}</p><p><b>Question</b> {}</p>\
             <p><b>Answer in the row</b> {}</p><p class=\"faint\">item {7}, <a href=\"{8}#{7}\">shown with \
             pictures</a>; <code>racgen explore</code> makes such a page of the whole data set</p></details>",
            escape(example.trouble.words()),
            escape(&example.place),
            escape(&cut(&example.detail, 600)),
            escape(&cut(&example.initial_state, 3000)),
            escape(&cut(&example.actions, 2000)),
            escape(&example.question),
            escape(&example.answer),
            escape(&example.id),
            FAULTY
        );
    }
}

/// Bars with labels, the longest first.
fn bars(values: &[(String, usize)]) -> String {
    let most = values.iter().map(|(_, n)| *n).max().unwrap_or(1).max(1);
    let mut out = format!("<svg viewBox=\"0 0 320 {}\" role=\"img\">", values.len() * 18 + 4);
    for (place, (name, count)) in values.iter().enumerate() {
        let y = place * 18;
        let width = 150 * count / most;
        let _ = write!(
            out,
            "<text x=\"118\" y=\"{}\" text-anchor=\"end\">{}</text><rect x=\"124\" y=\"{}\" width=\"{}\" height=\"12\" \
             rx=\"2\" fill=\"var(--a)\"/><text class=\"dim\" x=\"{}\" y=\"{}\">{}</text>",
            y + 13,
            escape(&cut(name, 18)),
            y + 3,
            width.max(1),
            130 + width,
            y + 13,
            thousands(*count)
        );
    }
    out + "</svg>"
}

/// Two histograms, one above the other's axis.
fn histogram(of: &[Vec<usize>; 2]) -> String {
    let bins = of[0].len().max(of[1].len()).max(1);
    let most = of.iter().flatten().copied().max().unwrap_or(1).max(1);
    let width = 300.0 / bins as f64;
    let mut out = "<svg viewBox=\"0 0 320 170\" role=\"img\">".to_owned();
    for (label, colour, up) in [(1, "var(--a)", true), (0, "var(--b)", false)] {
        for (bin, count) in of[label].iter().enumerate() {
            let height = 68.0 * *count as f64 / most as f64;
            let y = if up { 74.0 - height } else { 76.0 };
            let _ = write!(
                out,
                "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>",
                10.0 + bin as f64 * width,
                (width - 1.0).max(0.5)
            );
        }
    }
    let _ = write!(
        out,
        "<text x=\"10\" y=\"12\">yes</text><text x=\"10\" y=\"142\">no</text><text class=\"dim\" x=\"10\" y=\"164\">0</text>\
         <text class=\"dim\" x=\"310\" y=\"164\" text-anchor=\"end\">{} characters</text></svg>",
        bins * DataShape::STEP
    );
    out
}

/// Shares of yes, one dot a cell.
fn balance(cells: &[&Measured]) -> String {
    let mut out = "<svg viewBox=\"0 0 320 150\" role=\"img\">".to_owned();
    for (share, y) in [(1.0, 10.0), (0.5, 65.0), (0.0, 120.0)] {
        let _ = write!(
            out,
            "<line x1=\"44\" x2=\"314\" y1=\"{y}\" y2=\"{y}\" stroke=\"var(--line)\"/><text class=\"dim\" x=\"40\" y=\"{}\" \
             text-anchor=\"end\">{:.0} %</text>",
            y + 4.0,
            share * 100.0
        );
    }
    let most = cells.iter().map(|c| c.summary.items).max().unwrap_or(1).max(2) as f64;
    for cell in cells {
        let Some(yes) = cell.summary.yes else { continue };
        let x = 46.0 + 266.0 * (cell.summary.items.max(1) as f64).ln() / most.ln();
        let y = 120.0 - 110.0 * yes;
        let _ = write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"var(--a)\" fill-opacity=\".55\"><title>{}: {:.1} % yes of {}\
             </title></circle>",
            escape(&place(&cell.cell)),
            100.0 * yes,
            cell.summary.items
        );
    }
    let _ = write!(
        out,
        "<text class=\"dim\" x=\"46\" y=\"142\">1 item</text><text class=\"dim\" x=\"314\" y=\"142\" text-anchor=\"end\">\
         {most:.0} items</text></svg>"
    );
    out
}

fn charts(report: &AuditReport, out: &mut String) {
    out.push_str("<h2>Distributions</h2><div class=\"charts\">");
    let cells: Vec<&Measured> =
        report.cells.iter().filter(|c| c.cell.level.is_some() && c.cell.family != "all").collect();
    let mut figure = |caption: &str, chart: String| {
        let _ = write!(out, "<figure><figcaption>{}</figcaption>{chart}</figure>", escape(caption));
    };
    if cells.iter().any(|c| c.summary.yes.is_some()) {
        figure(
            "BoundedShare of yes in each split, family, level and depth, by the number of items",
            balance(&cells),
        );
        figure("Lengths of questions answered yes and no", histogram(&report.shape.lengths));
    }
    for (kind, answers) in report.shape.answers.iter().filter(|(kind, _)| *kind != "verify") {
        figure(&format!("Most frequent answers of {kind} questions"), bars(answers));
    }
    let splits: Vec<(String, usize)> = report.shape.splits.iter().map(|(s, n)| (s.clone(), *n)).collect();
    figure("Items of each split", bars(&splits));
    out.push_str("</div>");
}

/// Families by level and depth: how many items, and the share of yes or the entropy.
fn families(report: &AuditReport, out: &mut String) {
    let columns: BTreeSet<(i32, i32)> =
        report.cells.iter().filter_map(|c| Some((c.cell.level?, c.cell.depth?))).collect();
    if columns.is_empty() {
        return;
    }
    // By domain, type and family: items and how many of them are yes, by level and depth.
    type CheckCounts = BTreeMap<(i32, i32), (usize, f64)>;
    let mut rows: BTreeMap<(String, String, String), CheckCounts> = BTreeMap::new();
    for measured in report.cells.iter().filter(|c| c.cell.family != "all") {
        let (Some(level), Some(depth)) = (measured.cell.level, measured.cell.depth) else { continue };
        let key =
            (measured.cell.domain.clone(), measured.cell.question_type.clone(), measured.cell.family.clone());
        let cell = rows.entry(key).or_default().entry((level, depth)).or_default();
        let yes = measured.summary.yes.unwrap_or(0.5) * measured.summary.items as f64;
        *cell = (cell.0 + measured.summary.items, cell.1 + yes);
    }
    out.push_str(
        "<h2>Families by level (N) and depth (A)</h2><p class=\"faint\">Items of all splits. Yes/no questions are red \
         where yes is far from a half.</p><div class=\"scroll\"><table class=\"heat\"><tr><th>Family</th>",
    );
    for (level, depth) in &columns {
        let _ = write!(out, "<th>N{level} A{depth}</th>");
    }
    out.push_str("</tr>");
    let mut group = (String::new(), String::new());
    for ((domain, kind, family), cells) in rows {
        if group != (domain.clone(), kind.clone()) {
            let (domain, kind) = (escape(&domain), escape(&kind));
            let _ = write!(out, "<tr class=\"group\"><th>{domain} {kind}</th></tr>");
            group = (domain, kind);
        }
        // A long name may break after its words.
        let _ = write!(out, "<tr><th>{}</th>", escape(&family).replace('_', "_<wbr>"));
        for column in &columns {
            match cells.get(column) {
                None => out.push_str("<td></td>"),
                Some((items, yes)) => {
                    let away = (yes / *items as f64 - 0.5).abs();
                    let (colour, strength) = if away > 0.05 && *items >= 20 {
                        ("var(--bad)", 60.0 * away + 15.0)
                    } else {
                        ("var(--a)", 14.0)
                    };
                    let _ = write!(
                        out,
                        "<td style=\"background:color-mix(in srgb,{colour} {strength:.0}%,transparent)\">{items}</td>"
                    );
                }
            }
        }
        out.push_str("</tr>");
    }
    out.push_str("</table></div>");
}

/// What families give away: those of yes/no questions, then the others.
fn giveaways(report: &AuditReport, out: &mut String) {
    let figure = |share: BoundedShare| share.value().map_or("-".to_owned(), |share| format!("{share:.2}"));
    let mut table = |title: &str, note: &str, head: &[&str], rows: Vec<Vec<String>>| {
        if rows.is_empty() {
            return;
        }
        let _ = write!(out, "<h2>{title}</h2><p class=\"faint\">{note}</p><div class=\"scroll\"><table><tr>");
        head.iter().for_each(|name| out.push_str(&format!("<th>{name}</th>")));
        for row in rows {
            out.push_str("</tr><tr>");
            row.iter().for_each(|cell| out.push_str(&format!("<td>{}</td>", escape(cell))));
        }
        out.push_str("</tr></table></div>");
    };
    let rows = report.families.iter().map(|family| {
        let settled = if family.settled { "yes" } else { "" };
        let mut row =
            vec![family.domain.clone(), family.family.clone(), thousands(family.items), settled.into()];
        row.extend([family.yes, family.a, family.i, family.pattern].map(figure));
        row.extend(report.sees_facts().then(|| figure(family.facts)));
        row
    });
    let head = ["Domain", "Family", "Items", "Settled", "Yes", "a", "i", "Pattern", "Facts"];
    table(
        "What each family of yes/no questions gives away",
        &report.giveaway_notes().collect::<Vec<_>>().join(" "),
        &head[..if report.sees_facts() { head.len() } else { head.len() - 1 }],
        rows.collect(),
    );
    if let Some(choices) = report.choices() {
        let rows = choices.rows.iter().map(|row| row.iter().map(Cell::text).collect());
        let head: Vec<&str> = choices.head.iter().map(String::as_str).collect();
        table(&choices.title, &choices.notes.join(" "), &head, rows.collect());
    }
    let rows = report.answers.iter().map(|family| {
        let mut row = vec![family.domain.clone(), family.question_type.clone(), family.family.clone()];
        row.extend([thousands(family.items), thousands(family.answers), cut(&family.most, 40)]);
        row.extend([family.share, family.none, family.i, family.pattern].map(figure));
        row
    });
    table(
        "What the answers of other families give away",
        "The most frequent answer and its share; the share of none; i: the share of answers that the initial state gives; pattern: of \
         answers that are statements or actions, the share that the question's pattern of names tells.",
        &["Domain", "Type", "Family", "Items", "Answers", "Most", "Share", "None", "i", "Pattern"],
        rows.collect(),
    );
}

fn thresholds(report: &AuditReport, out: &mut String) {
    out.push_str(
        "<h2>Thresholds</h2><div class=\"scroll\"><table><tr><th>Name</th><th>Value</th><th>Measure</th><th>Reason</th></tr>",
    );
    for t in &report.thresholds.0 {
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            t.name,
            t.value,
            escape(t.measure),
            escape(t.reason)
        );
    }
    out.push_str("</table></div>");
}
