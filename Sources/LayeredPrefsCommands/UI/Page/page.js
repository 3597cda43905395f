// The page: its contents, the filters, and the stream of changes.

import { ask, element, follow, open, visible } from "./server.js";
import { Table } from "./table.js";
import { Panel } from "./panel.js";
import { Rejections } from "./rejections.js";

const find = (id) => document.getElementById(id);
const [search, subject, compare, live, banner] = ["search", "subject", "compare", "live", "banner"].map(find);
const filters = [...document.querySelectorAll("[data-filter]")];

const state = {
  subjects: [],
  keys: new Map(),
  others: null,
  changed: new Set(),
  hasEnded: false,
  stop: new AbortController(),
};

const panel = new Panel(() => { table.deselect(); table.focus(); });
const table = new Table((key) => show(key, true));
const rejections = new Rejections();

function show(key, focuses = false) {
  const item = state.subjects.find((item) => item.id === subject.value);
  panel.show(key, subject.value, item?.permits ?? [], focuses).catch(complainUntilEnd(state.stop.signal));
}

function complain(error) {
  banner.textContent = visible(error.message ?? String(error));
  banner.hidden = false;
}

// A request that was still running when its subject ended fails later. Its error is not the reason, so it is not
// shown.
function complainUntilEnd(signal) {
  return (error) => { if (!signal.aborted && !state.hasEnded) complain(error); };
}

function end(reason) {
  state.hasEnded = true;
  note("ended", "off");
  complain(new Error(reason));
}

function note(text, kind) {
  live.textContent = text;
  live.className = `live ${kind}`;
}

// The contents of the page

const tests = {
  set: (row) => row.origin != null,
  locked: (row) => row.lock != null,
  rejected: (row) => row.rejected.length > 0,
  changed: (row) => row.isChanged,
  differs: (row) => row.other !== undefined,
};

// Two spellings of a value, such as 1500ms and 1.5s, are the same value.
const same = (key) => key?.comparable ?? key?.value ?? null;
const shown = (key) => (key?.text === "" ? '""' : key?.text ?? key?.value ?? null);

function rows() {
  const hasDeclared = [...state.keys.values()].some((key) => key.isDeclared);
  const all = [...state.keys.values()].map((key) => ({ ...key, hasDeclared, isChanged: state.changed.has(key.key) }));
  if (state.others) {
    for (const row of all) {
      const other = state.others.get(row.key);
      if (same(other) !== same(row)) row.other = shown(other);
    }
    for (const [name, other] of state.others) {
      if (!state.keys.has(name) && other.value != null) {
        all.push({ ...other, value: null, origin: null, layer: null, rejected: [], lock: null, text: null, hasDeclared, other: shown(other) });
      }
    }
  }
  return all.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function draw() {
  const all = rows();
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const pressed = filters.filter((button) => button.getAttribute("aria-pressed") === "true").map((button) => button.dataset.filter);
  const matching = all.filter((row) => {
    if (!pressed.every((name) => tests[name](row))) return false;
    if (!words.length) return true;
    const text = `${row.key} ${row.isSecret ? "" : row.text ?? row.value ?? ""} ${row.origin ?? "default"}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  for (const button of filters) button.querySelector("b").textContent = all.filter(tests[button.dataset.filter]).length;
  table.show(matching, !words.length && !pressed.length);
  find("count").textContent = matching.length === all.length ? `${all.length} keys` : `${matching.length} of ${all.length} keys`;
  find("empty").hidden = matching.length > 0;
  find("empty").textContent = all.length ? "No key matches." : "No keys are declared or set.";
}

// Requests to the command

async function list(id, key) {
  const { keys } = await ask("/api/list", { subject: id, key });
  return new Map(keys.map((key) => [key.key, key]));
}

async function load() {
  state.stop.abort();
  state.stop = new AbortController();
  const { signal } = state.stop;
  state.hasEnded = false;
  state.changed.clear();
  banner.hidden = true;
  note("connecting", "");
  watch(subject.value, signal);
  try {
    const keys = await list(subject.value);
    if (signal.aborted) return;
    state.keys = keys;
    await loadOther();
    if (signal.aborted) return;
    draw();
    await look();
    if (panel.key != null) show(panel.key);
  } catch (error) {
    complainUntilEnd(signal)(error);
  }
}

// The page has to ask: a rejection changes no value, so no change announces it.
async function look() {
  const id = subject.value;
  const answer = await ask("/api/rejected", { subject: id });
  if (id !== subject.value) return;
  const changes = JSON.stringify(answer) !== JSON.stringify(panel.rejected);
  panel.rejected = answer;
  panel.reads = new Set(answer.files);
  rejections.show(answer);
  if (changes && panel.key != null) show(panel.key);
}

async function loadOther() {
  state.others = compare.value ? await list(compare.value) : null;
  const button = filters.find((button) => button.dataset.filter === "differs");
  button.hidden = !state.others;
  if (!state.others) button.setAttribute("aria-pressed", "false");
}

async function watch(id, signal) {
  try {
    await follow(id, signal, (reply) => {
      if (reply.status) note(`live · generation ${reply.status.generation}`, "on");
      if (reply.changes) receive(id, reply.changes, signal).catch(complainUntilEnd(signal));
    });
    if (signal.aborted) return;
    end(id === "files" ? "The command has ended. Start it again." : "The process has ended. The values are its last ones.");
    await subjects();
  } catch (error) {
    if (!signal.aborted) end("The connection to the command is lost. Start it again.");
  }
}

async function receive(id, changes, signal) {
  note(`live · generation ${changes.generation}`, "on");
  const names = [...new Set([...(changes.keys ?? []), ...(changes.shadowed ?? [])])];
  if (names.length === 0) return;
  const before = state.keys;
  let after;
  if (names.length > 20) {
    after = await list(id);
  } else {
    after = new Map(before);
    const parts = await Promise.all(names.map((name) => list(id, name)));
    names.forEach((name, index) => {
      for (const key of after.keys()) if (key === name || key.startsWith(`${name}.`)) after.delete(key);
      for (const [key, value] of parts[index]) after.set(key, value);
    });
  }
  if (signal.aborted) return;
  for (const [key, value] of after) {
    const old = before.get(key);
    if (old?.value !== value.value || old?.rejected.length !== value.rejected.length || value.isSecret && names.some((name) => name === key || name.startsWith(`${key}.`))) state.changed.add(key);
  }
  state.keys = after;
  if (state.others) await loadOther();
  draw();
  await look();
  if (panel.key != null) show(panel.key);
}

async function subjects(wanted) {
  const answer = await ask("/api/subjects");
  state.subjects = answer.subjects;
  panel.layers = answer.layers;
  const options = () => answer.subjects.map((item) => element("option", { value: item.id }, visible(item.name)));
  const [shown, other] = [wanted ?? subject.value, compare.value];
  subject.replaceChildren(...options());
  if (shown && !answer.subjects.some((item) => item.id === shown)) {
    subject.append(element("option", { value: shown, disabled: true }, "ended"));
  }
  subject.value = shown || answer.subjects[0]?.id || "";
  compare.replaceChildren(element("option", { value: "" }, "Nothing"), ...options());
  compare.value = answer.subjects.some((item) => item.id === other) ? other : "";
  const detail = answer.subjects.find((item) => item.detail)?.detail;
  if (detail) {
    document.title = `${visible(detail)} — Preferences`;
    document.querySelector("h1").textContent = visible(detail);
  }
}

// The user's actions

setInterval(() => {
  if (!document.hidden && live.classList.contains("on")) look().catch(() => {});
}, 2000);

let timer = 0;
search.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(draw, 60);
});
search.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "Enter") {
    clearTimeout(timer);
    draw();
    table.focus();
    table.select(0, event.key === "Enter");
    event.preventDefault();
  }
  if (event.key === "Escape") { search.value = ""; draw(); }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)) {
    search.focus();
    search.select();
    event.preventDefault();
  }
});
for (const button of filters) {
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
    draw();
  });
}
subject.addEventListener("change", load);
compare.addEventListener("change", () => loadOther().then(draw, complain));

// Processes come and go. Leave a list alone while it is open.
setInterval(() => {
  if (document.hidden || [subject, compare].includes(document.activeElement) || live.classList.contains("off")) return;
  subjects().catch(() => {});
}, 5000);

try {
  const wanted = await open();
  await subjects(wanted);
  await load();
} catch (error) {
  note("not connected", "off");
  complain(error);
}
