"use strict";
// Everything is made with textContent, so that no document can become part of the page.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const BEST = -1;
const runThreshold = data.threshold === null ? 0 : data.threshold;
const state = { threshold: runThreshold, by: BEST, only: false };
const FATES = {
  kept: "kept",
  below_threshold: "below the threshold",
  name: "heading or title, no evidence by itself",
  unread: "not read, a limit was hit",
  duplicate: "said elsewhere",
  over_documents: "of a document too many",
  over_budget: "over the budget",
  reaches: "reaches this threshold",
  lost: "kept in this run, below this threshold",
};
const REASONS = {
  no_documents: "there were no documents",
  all_documents_empty: "all documents are empty",
  no_readable_documents: "no document could be scored",
  nothing_above_threshold: "no segment reaches the threshold",
  budget_too_small: "the budget is too small for any segment that reaches the threshold",
};
const count = (n, one, more) => `${n.toLocaleString("en")} ${n === 1 ? one : more || one + "s"}`;
const number = (n) => n.toLocaleString("en");
const plain = (name) => name.replace(/_/g, " ");
const exact = (p) => (p !== 0 && p < 0.1 ? Number(p.toPrecision(3)) : Number(p.toFixed(3))).toString();

function make(tag, options = {}, ...children) {
  const { dir, ...attributes } = options;
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else element.setAttribute(name, value);
  }
  if (dir) element.dir = dir;
  element.append(...children);
  return element;
}

// The slider moves on a logistic scale, because most scores lie near 0; its ends are 0 and 1.
const toSlider = (p) => (p <= 0 ? -9 : p >= 1 ? 9 : Math.max(-9, Math.min(9, Math.log(p / (1 - p)))));
const fromSlider = (x) => (x <= -9 ? 0 : x >= 9 ? 1 : 1 / (1 + Math.exp(-x)));
const scoreOf = (segment) => (state.by === BEST ? Math.max(...segment.scores) : segment.scores[state.by]);
const asInRun = () => state.threshold === runThreshold && state.by === BEST;

function viewOf(segment) {
  if (asInRun()) return segment.fate;
  const reaches = scoreOf(segment) >= state.threshold;
  // What was brought along by evidence has no threshold of its own.
  if (segment.fate === "kept") return reaches || segment.shown !== "evidence" ? "kept" : "lost";
  if (segment.fate === "unread" || segment.fate === "name") return segment.fate;
  if (!reaches) return "below_threshold";
  return segment.fate === "below_threshold" ? "reaches" : segment.fate;
}

function labelOf(place) {
  if (!place) return "";
  const [i, j] = place;
  const other = data.documents[i];
  if (other.segments[j].fate === "kept") return other.label;
  return `document ${i + 1}, characters ${other.segments[j].start} to ${other.segments[j].end}`;
}

function why(view, segment, label) {
  if (view === "kept") return segment.shown === "evidence" ? label : `${label}, ${plain(segment.shown)}`;
  if (view === "duplicate" && segment.same) return `${FATES[view]}: ${labelOf(segment.same)}`;
  return FATES[view];
}

const spans = [];

function shade() {
  let reached = 0, reachedTokens = 0, all = 0, allTokens = 0, kept = 0, keptReached = 0;
  data.documents.forEach((source, i) => {
    let run = null;
    source.segments.forEach((segment, j) => {
      const span = spans[i][j];
      const view = viewOf(segment);
      const score = scoreOf(segment);
      const words = why(view, segment, source.label);
      all += 1;
      allTokens += segment.tokens;
      if (score >= state.threshold) {
        reached += 1;
        reachedTokens += segment.tokens;
      }
      if (segment.shown === "evidence") {
        kept += segment.tokens;
        if (score >= state.threshold) keptReached += segment.tokens;
      }
      const first = run === null || run.words !== words;
      if (first) run = { words, span, tokens: 0 };
      run.tokens += segment.tokens;
      span.className = `seg ${view}${first ? " first" : ""}`;
      span.style.setProperty("--s", Math.pow(score, 0.4).toFixed(3));
      const told = view === "kept" ? words : `${words}, ${count(run.tokens, "token")}`;
      run.span.dataset.why = run.span.lastChild.dataset.why = told;
    });
  });
  $("reached").textContent =
    `${number(reached)} of ${count(all, "segment")} reach ${exact(state.threshold)}: ` +
    `${number(reachedTokens)} of ${count(allTokens, "token")}, ` +
    `with ${number(keptReached)} of the ${number(kept)} that were kept as evidence.`;
  document.body.classList.toggle("only", state.only);
  document.body.classList.toggle("moved", !asInRun());
  $("threshold").value = toSlider(state.threshold);
  $("threshold").setAttribute("aria-valuetext", exact(state.threshold));
  if (document.activeElement !== $("exact")) $("exact").value = exact(state.threshold);
  $("column").value = state.by;
  $("only").checked = state.only;
  $("reset").disabled = asInRun();
}

// The state is in the fragment, so that a view can be kept as a link.
function readFragment() {
  const told = new URLSearchParams(location.hash.slice(1));
  const threshold = told.has("threshold") ? Number(told.get("threshold")) : runThreshold;
  const by = told.has("by") ? Number(told.get("by")) : BEST;
  state.threshold = threshold >= 0 && threshold <= 1 ? threshold : runThreshold;
  state.by = by in data.columns ? by : BEST;
  state.only = told.get("only") === "1";
}

function changed() {
  const told = new URLSearchParams();
  if (state.threshold !== runThreshold) told.set("threshold", exact(state.threshold));
  if (state.by !== BEST) told.set("by", state.by);
  if (state.only) told.set("only", "1");
  history.replaceState(null, "", told.size ? `#${told}` : location.pathname + location.search);
  shade();
}

function show(i, j) {
  const source = data.documents[i];
  const segment = source.segments[j];
  const view = viewOf(segment);
  const rows = [["score", exact(Math.max(...segment.scores))]];
  if (segment.scores.length > 1) {
    segment.scores.forEach((score, column) => rows.push([data.columns[column], exact(score)]));
  }
  rows.push(["tokens", number(segment.tokens)], ["kind", plain(segment.kind)]);
  rows.push(["characters", `${segment.start} to ${segment.end}`]);
  if (segment.parent !== null) rows.push(["depends on", source.segments[segment.parent].text]);
  const list = make("dl");
  for (const [name, value] of rows) {
    list.append(make("dt", { text: name, dir: "auto" }), make("dd", { text: value, dir: "auto" }));
  }
  const panel = $("detail");
  panel.replaceChildren(make("p", { class: `fate ${view}`, text: why(view, segment, source.label) }), list);
  panel.hidden = false;
}

function go(i, j) {
  const span = spans[i][j];
  for (const other of document.querySelectorAll(".seg[tabindex='0']")) {
    if (other.dataset.i === String(i)) other.tabIndex = -1;
  }
  span.tabIndex = 0;
  span.focus({ preventScroll: true });
  span.scrollIntoView({ block: "center" });
}

function walk(event) {
  const span = event.target.closest(".seg");
  if (!span || event.altKey || event.ctrlKey || event.metaKey) return;
  const row = spans[span.dataset.i].filter((other) => other.offsetParent !== null && other.getClientRects().length);
  const at = row.indexOf(span);
  const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: row.length - 1 };
  if (event.key === "Escape") $("detail").hidden = true;
  if (!(event.key in to) || !row[to[event.key]]) return;
  event.preventDefault();
  go(Number(span.dataset.i), Number(row[to[event.key]].dataset.j));
}

function link(text, i, j) {
  const button = make("button", { type: "button", class: "link", text });
  button.addEventListener("click", () => {
    const mayBeHidden = state.only && data.documents[i].segments[j].fate !== "kept";
    if (mayBeHidden) {
      state.only = false;
      changed();
    }
    go(i, j);
  });
  return button;
}

function buildHeader() {
  const { report, totals } = data;
  $("query").textContent = data.query || "Documents";
  document.title = `${data.query || "Documents"} \u2013 pith inspect`;
  const share = report.total ? ` (${((100 * report.kept) / report.total).toFixed(1)} %)` : "";
  const parts = [
    `${number(report.total)} \u2192 ${count(report.kept, "token")}${share}`,
    `context ${number(report.context_tokens)} of ${number(report.budget)}`,
    data.threshold === null ? "no threshold" : `threshold ${exact(data.threshold)}`,
  ];
  if (report.requests) parts.push(count(report.requests, "request"), `${report.seconds.toFixed(2)} s`);
  if (report.model) parts.push(report.model);
  $("totals").textContent = parts.join(" \u00b7 ");
  for (const [fate, tokens] of Object.entries(totals)) {
    if (!tokens) continue;
    const piece = make("span", { class: fate });
    piece.style.flexGrow = tokens;
    $("bar").append(piece);
    const item = make("li", {}, make("span", { class: `key ${fate}`, "aria-hidden": "true" }));
    item.append(`${FATES[fate]} `, make("b", { text: number(tokens) }));
    $("legend").append(item);
  }
}

function buildNotes() {
  const notes = [];
  if (data.reason) notes.push(`Nothing is kept: ${REASONS[data.reason] || data.reason}.`);
  if (data.unfit) {
    notes.push(
      `Does not fit: ${data.unfit.missing.join("; ")} (all that is necessary takes ${count(data.unfit.tokens, "token")}).`,
    );
  }
  for (const { kinds, values, places } of data.conflicts) {
    const sides = places.map(([id, start], n) => `${id} at ${start} says ${values[n].join(" ") || "none"}`);
    notes.push(`Conflict (${kinds.join(", ")}): ${sides.join(", ")}.`);
  }
  if (data.report.query_cut) notes.push(`The last ${count(data.report.query_cut, "token")} of the query were not read.`);
  for (const source of data.documents) {
    if (source.reason) notes.push(`${source.id ?? source.index}: ${source.reason}.`);
    if (source.unscored) notes.push(`${source.id ?? source.index}: ${count(source.unscored, "token")} were not read, a limit was hit.`);
  }
  $("notes").append(...notes.map((text) => make("p", { class: "note", text, dir: "auto" })));
}

function buildNeeds() {
  for (const need of data.needs) {
    const item = make("li", {}, make("p", { class: "need", text: need.text || data.query, dir: "auto" }));
    const told = need.covered
      ? `covered by ${need.label}, score ${exact(need.score)}`
      : need.reason === "over_budget"
        ? `found with score ${exact(need.score)}, and over the budget: it takes ${count(need.tokens, "token")}`
        : "nothing reaches the threshold";
    item.append(make("p", { class: need.covered ? "covered" : "missing", text: told }));
    const list = make("ul");
    for (const { place, score, text } of need.evidence) {
      const source = data.documents[place[0]];
      const quote = make("span", { text: text.length > 300 ? `${text.slice(0, 299)}\u2026` : text, dir: "auto" });
      list.append(make("li", {}, link(`[${source.label}]`, ...place), ` ${exact(score)} `, quote));
    }
    item.append(list);
    $("needs").append(item);
  }
}

function buildDocuments() {
  data.documents.forEach((source, i) => {
    const name = source.title || source.id || `document ${i + 1}`;
    const told = source.status === "ok" ? `${number(source.kept)} of ${count(source.total, "token")} kept` : plain(source.status);
    const entry = make("li", {}, make("b", { text: source.label ? `[${source.label}] ` : "" }));
    entry.append(make("a", { href: `#d${i}`, text: name, dir: "auto" }), ` ${told}, relevance ${exact(source.relevance)}`);
    entry.querySelector("a").addEventListener("click", (event) => {
      event.preventDefault();
      $(`d${i}`).focus();
      $(`d${i}`).scrollIntoView();
    });
    $("index").append(entry);
    const title = make("h3", { id: `d${i}`, tabindex: "-1" });
    if (source.label) title.append(make("span", { class: "label", text: source.label }), " ");
    title.append(make("bdi", { text: name }));
    const facts = [source.title && source.id, source.version && `version ${source.version}`, source.url];
    if (source.chunks.length) facts.push(`joined from documents ${source.chunks.map((n) => n + 1).join(", ")}`);
    facts.push(told, `relevance ${exact(source.relevance)}`);
    const meta = make("p", { class: "meta" });
    facts.filter(Boolean).forEach((fact, n) => meta.append(n ? " \u00b7 " : "", make("bdi", { text: fact })));
    const text = make("div", { class: "text", dir: "auto" });
    spans[i] = source.segments.map((segment, j) => {
      const span = make("span", { "data-i": i, "data-j": j, tabindex: j ? "-1" : "0" });
      if (segment.gap) span.append(make("span", { class: "gap", text: segment.gap }));
      span.append(make("span", { class: "t", text: segment.text }));
      return span;
    });
    text.append(...spans[i], source.rest);
    const section = make("article", { "aria-labelledby": `d${i}` }, title, meta);
    if (source.reason) section.append(make("p", { class: "note", text: source.reason }));
    section.append(text);
    $("list").append(section);
  });
}

function buildControls() {
  const options = data.columns.map((text, n) => [n, n || data.columns.length === 1 ? text || "query" : `the query: ${text}`]);
  if (data.columns.length > 1) options.unshift([BEST, "the highest score"]);
  else options[0][0] = BEST;
  for (const [value, text] of options) {
    $("column").append(make("option", { value, text: text.length > 60 ? `${text.slice(0, 59)}\u2026` : text }));
  }
  $("column").closest(".control").hidden = data.columns.length === 1;
  const set = (change) => (event) => {
    change(event.target);
    changed();
  };
  $("threshold").addEventListener("input", set((input) => (state.threshold = Number(exact(fromSlider(Number(input.value)))))));
  $("exact").addEventListener("input", set((input) => {
    if (input.value !== "" && input.checkValidity()) state.threshold = Number(input.value);
  }));
  $("exact").addEventListener("blur", () => ($("exact").value = exact(state.threshold)));
  $("reset").addEventListener("click", set(() => Object.assign(state, { threshold: runThreshold, by: BEST })));
  $("column").addEventListener("change", set((input) => (state.by = Number(input.value))));
  $("only").addEventListener("change", set((input) => (state.only = input.checked)));
  const point = (event) => {
    const span = event.target.closest(".seg");
    if (span) show(Number(span.dataset.i), Number(span.dataset.j));
  };
  for (const kind of ["pointerover", "focusin"]) $("list").addEventListener(kind, point);
  $("list").addEventListener("keydown", walk);
  window.addEventListener("hashchange", () => {
    readFragment();
    shade();
  });
}

buildHeader();
buildNotes();
buildNeeds();
buildDocuments();
buildControls();
$("context").textContent = data.context || "(empty)";
readFragment();
shade();
