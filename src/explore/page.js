
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const text = n => data.texts[n];
// The page has an empty picture, so that no address needs to be written.
const SVG = document.querySelector("svg").namespaceURI;
const byId = id => document.getElementById(id);

// A small maker of elements: name, attributes, children.
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
};
const draw = (name, attributes, content) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (content !== undefined) element.textContent = content;
  return element;
};

// The situation after so many actions: what frames say up to it, one upon the other.
const situation = (pictures, at) => {
  const now = { boxes: new Map(), t: [], l: [], c: [], k: [], m: [] };
  for (let n = 0; n <= at; n++) {
    const frame = pictures.f[n];
    for (const gone of frame.r || []) now.boxes.delete(gone);
    for (let i = 0; i < frame.b.length; i += 5) now.boxes.set(frame.b[i], frame.b.slice(i + 1, i + 5));
    for (const part of ["t", "l", "c", "k"]) if (frame[part]) now[part] = frame[part];
    now.m = frame.m || [];
  }
  return now;
};
const paint = (value, of) => typeof value === "number" ? `var(--${of}${value})` : value;

const picture = (pictures, at, marked) => {
  const now = situation(pictures, at), scale = pictures.s / 10;
  const svg = draw("svg", { viewBox: "0 0 512 512", role: "img", "aria-label": `Situation after ${at} actions` });
  for (let i = 0; i < now.c.length; i += 4) {
    const [x, y, width, height] = now.c.slice(i, i + 4);
    svg.append(draw("rect", { x, y, width, height, fill: "none", stroke: "var(--line)" }));
  }
  const things = [...now.boxes].sort((a, b) => b[1][2] * b[1][3] - a[1][2] * a[1][3]);
  const one = ([n, [x, y, w, h]]) => {
    const [, shape, fill] = pictures.n[n], isMarked = marked.includes(n);
    const look = { fill: paint(fill, "f"), stroke: isMarked ? "var(--mark)" : "var(--ink)", "stroke-width": isMarked ? 3 : 1.1 };
    if (shape === 3) {
      const cut = Math.min(h / 2, 7 * scale);
      const points = [[x + cut, y], [x + w - cut, y], [x + w, y + h / 2], [x + w - cut, y + h], [x + cut, y + h], [x, y + h / 2]];
      svg.append(draw("polygon", { points: points.join(" "), ...look, "data-marked": isMarked }));
    } else {
      const rx = [0, 5 * scale, h / 2][shape];
      svg.append(draw("rect", { x, y, width: w, height: h, rx, ...look, "data-marked": isMarked }));
    }
  };
  things.filter(([n]) => pictures.n[n][3]).forEach(one);
  for (let i = 0; i < now.l.length; i += 9) {
    const [colour, dashed, tip, ax, ay, bx, by, cx, cy] = now.l.slice(i, i + 9), stroke = paint(colour, "l");
    svg.append(draw("path", { d: `M${ax} ${ay}Q${bx} ${by} ${cx} ${cy}`, fill: "none", stroke, "stroke-width": 1.5, ...(dashed ? { "stroke-dasharray": "5 4" } : {}) }));
    if (tip) {
      const length = Math.hypot(cx - bx, cy - by) || 1, ux = (cx - bx) / length * 7 * scale, uy = (cy - by) / length * 7 * scale;
      svg.append(draw("polygon", { points: `${cx},${cy} ${cx - ux - uy / 2},${cy - uy + ux / 2} ${cx - ux + uy / 2},${cy - uy - ux / 2}`, fill: stroke }));
    }
  }
  things.filter(([n]) => !pictures.n[n][3]).forEach(one);
  const write = (content, x, y, size, width) => svg.append(draw("text", { x, y, "font-size": size, "text-anchor": "middle",
    ...(width ? { textLength: width, lengthAdjust: "spacingAndGlyphs" } : {}) }, content));
  for (const [n, [x, y, w]] of now.boxes) if (!now.k.includes(n)) write(pictures.n[n][0], x + w / 2, y + 15 * scale, 12 * scale);
  for (let i = 0; i < now.t.length; i += 6) {
    const [content, x, y, width, size, behind] = now.t.slice(i, i + 6);
    const fill = behind > 1 ? paint(pictures.n[behind - 2][2], "f") : "var(--paper)";
    if (behind) svg.append(draw("rect", { x: x - width / 2 - 1, y: y - size * .8, width: width + 2, height: size * 1.05, fill }));
    write(content, x, y, size, width);
  }
  return svg;
};

// What is shown: the items that the filters leave, one of them, one of its actions, and whether the answer is.
const FILTERS = ["domain", "family", "level", "depth", "split", "type"];
const value = (item, name) => String(name === "domain" ? text(item.domain) : item[name]);
const chosen = {};
let left = data.items, at = 0, step = 1, isAnswered = false;

const filters = () => {
  const order = (a, b) => a.localeCompare(b, "en", { numeric: true });
  byId("filters").replaceChildren(...FILTERS.map(name => {
    const others = data.items.filter(item => FILTERS.every(other => other === name || !chosen[other] || value(item, other) === chosen[other]));
    const values = [...new Set(others.map(item => value(item, name)))].sort(order);
    const options = ["", ...values].map(v => make("option", { value: v, selected: v === (chosen[name] || "") }, v === "" ? "all" : v));
    return make("label", {}, name, make("select", { name, onchange: event => {
      chosen[name] = event.target.value;
      narrow();
    } }, ...options));
  }));
};
const narrow = () => {
  const item = left[at];
  left = data.items.filter(item => FILTERS.every(name => !chosen[name] || value(item, name) === chosen[name]));
  filters();
  list();
  go(Math.max(0, left.indexOf(item)));
};
const list = () => {
  byId("count").textContent = `${left.length} of ${data.items.length} items`;
  byId("list").replaceChildren(...left.map((item, n) => make("a", { href: `#${item.id}`, onclick: event => {
    event.preventDefault();
    go(n);
  } }, item.question, make("small", {}, `${text(item.domain)} N${item.level} depth ${item.depth}, ${item.family}`))));
};

const figure = (item, n, title, marked) => make("figure", {}, make("figcaption", {}, title), picture(item.pictures, n, marked));
const changed = (item, n) => {
  const [came, went] = item.changes[n - 1], told = [];
  for (const [kind, name, sentences] of [["came", "true now", came], ["went", "no longer", went]])
    for (const sentence of sentences) told.push(make("li", { class: kind }, `${name}: ${sentence}`));
  return make("ul", {}, ...(told.length ? told : [make("li", {}, "nothing changes")]));
};
const paragraph = (heading, content) => content === undefined ? [] : [make("h2", {}, heading), make("p", {}, content)];

const show = () => {
  const item = left[at], main = byId("item");
  if (!item) return main.replaceChildren(make("p", {}, "No item is left by these filters."));
  const last = item.plan.length, parts = [];
  parts.push(make("div", { class: "bar" },
    make("button", { id: "previous", onclick: () => go(at - 1), disabled: at === 0 }, "Previous item"),
    make("button", { id: "next", onclick: () => go(at + 1), disabled: at === left.length - 1 }, "Next item"),
    make("span", {}, `${text(item.domain)}, N${item.level}, depth ${item.depth}, ${item.type}, ${item.split}`)));
  if (item.state !== undefined) parts.push(...paragraph("Initial state", text(item.state)));
  if (item.context !== undefined) parts.push(...paragraph("Context", text(item.context)));
  if (item.rules !== undefined) parts.push(make("details", {}, make("summary", {}, "Rules"), make("p", {}, text(item.rules))));
  if (item.actions !== undefined) parts.push(...paragraph("Actions", text(item.actions)));
  if (item.pictures) {
    step = Math.min(Math.max(step, last ? 1 : 0), last);
    if (last) parts.push(make("div", { class: "bar" },
      make("button", { id: "back", onclick: () => walk(step - 1), disabled: step <= 1 }, "Previous action"),
      make("button", { id: "on", onclick: () => walk(step + 1), disabled: step >= last }, "Next action"),
      make("span", { id: "step" }, `Action ${step} of ${last}: ${item.told?.[step - 1] ?? ""} `, make("code", {}, item.plan[step - 1]))));
    const marked = last ? item.pictures.f[step].m || [] : [];
    const shown = last ? [figure(item, step - 1, step === 1 ? "At first" : `After action ${step - 1}`, []), figure(item, step, `After action ${step}`, marked)]
      : [figure(item, 0, "At first", [])];
    parts.push(make("div", { class: "pictures" }, ...shown));
  }
  if (item.changes && last) parts.push(changed(item, Math.min(Math.max(step, 1), last)));
  if (item.why) parts.push(make("p", {}, item.why));
  parts.push(make("h2", {}, "Question"), make("p", { class: "question" }, item.question));
  parts.push(make("button", { id: "ask", "aria-expanded": String(isAnswered), onclick: () => { isAnswered = !isAnswered; show(); } },
    isAnswered ? "Hide the answer" : "Show the answer"));
  if (isAnswered) {
    const why = item.rationale ? `\n\n${item.rationale}` : "";
    parts.push(make("p", { id: "answer" }, make("strong", {}, item.answer), why));
  }
  const facts = [["family", item.family], ["query", item.query], ["pair", item.pair], ["change", item.change], ["id", item.id]];
  parts.push(make("dl", {}, ...facts.filter(([, v]) => v).flatMap(([name, v]) => [make("dt", {}, name), make("dd", {}, v)])));
  main.replaceChildren(...parts);
};
const walk = n => {
  step = n;
  show();
};
const go = n => {
  if (n < 0 || n >= left.length && left.length) return;
  at = n;
  step = 1;
  isAnswered = false;
  show();
  byId("list").querySelectorAll("[aria-current]").forEach(link => link.removeAttribute("aria-current"));
  const link = byId("list").children[n];
  if (!link) return;
  link.setAttribute("aria-current", "true");
  const frame = byId("list");
  if (link.offsetTop < frame.scrollTop || link.offsetTop + link.offsetHeight > frame.scrollTop + frame.clientHeight) frame.scrollTop = link.offsetTop - frame.clientHeight / 3;
  history.replaceState(null, "", `#${left[n].id}`);
};
const follow = () => {
  const id = decodeURIComponent(location.hash.slice(1));
  const wanted = data.items.findIndex(item => item.id === id);
  if (wanted < 0) return false;
  if (!left.includes(data.items[wanted])) {
    FILTERS.forEach(name => { chosen[name] = ""; });
    narrow();
  }
  go(left.indexOf(data.items[wanted]));
  return true;
};

addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select,input")) return;
  const keys = { j: () => go(at + 1), k: () => go(at - 1), ",": () => byId("back")?.click(), ".": () => byId("on")?.click(),
    a: () => byId("ask")?.click(), "/": () => byId("filters").querySelector("select").focus() };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});
addEventListener("hashchange", follow);
filters();
list();
if (!follow()) go(0);
