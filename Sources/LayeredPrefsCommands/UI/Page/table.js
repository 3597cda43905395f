// The table of keys. Only the visible rows exist, so 10,000 keys cost as much as 30.

import { element, visible } from "./server.js";

const overscan = 8;

export class Table {
  #grid = document.getElementById("grid");
  #scroller = document.getElementById("scroller");
  #spacer = document.getElementById("spacer");
  #rows = [];
  #keys = [];
  #isGrouped = false;
  #folded = new Set();
  #shown = new Map();
  #active = -1;
  #onOpen;
  #frame = 0;

  constructor(onOpen) {
    this.#onOpen = onOpen;
    this.#scroller.addEventListener("scroll", () => this.#later(), { passive: true });
    new ResizeObserver(() => { this.#shown.clear(); this.#spacer.replaceChildren(); this.#draw(); }).observe(this.#scroller);
    this.#grid.addEventListener("keydown", (event) => this.#press(event));
    this.#spacer.addEventListener("click", (event) => {
      const row = event.target.closest("[data-index]");
      if (!row) return;
      this.select(Number(row.dataset.index), true);
      const { group, isFolded } = this.#rows[this.#active];
      if (group != null) this.#fold(group, !isFolded);
    });
  }

  /// Shows rows. If `isGrouped` is true, keys with the same first part of their names form a group that can be
  /// folded. Search results are not grouped. The selected row stays selected.
  show(keys, isGrouped) {
    [this.#keys, this.#isGrouped] = [keys, isGrouped];
    const { key, group } = this.#rows[this.#active] ?? {};
    const rows = this.#rows = isGrouped ? this.#grouped(keys) : keys;
    this.#active = key == null && group == null ? -1 : rows.findIndex((row) => row.key === key && row.group === group);
    this.#grid.setAttribute("aria-rowcount", rows.length + 1);
    this.#spacer.style.height = `${rows.length * this.#height}px`;
    this.#shown.clear();
    this.#spacer.replaceChildren();
    this.#draw();
  }

  #grouped(keys) {
    const first = (key) => (key.includes(".") ? key.slice(0, key.indexOf(".")) : null);
    const groups = new Map();
    for (const { key } of keys) groups.set(first(key), (groups.get(first(key)) ?? 0) + 1);
    const rows = [];
    let group = null;
    for (const row of keys) {
      const name = first(row.key);
      const isMember = name != null && groups.get(name) > 1;
      if (isMember && name !== group) rows.push({ group: name, count: groups.get(name), isFolded: this.#folded.has(name) });
      group = isMember ? name : null;
      if (!isMember) rows.push(row);
      else if (!this.#folded.has(name)) rows.push({ ...row, within: name });
    }
    return rows;
  }

  #fold(name, folds) {
    if (folds === this.#folded.has(name)) return;
    this.#folded[folds ? "add" : "delete"](name);
    this.#active = this.#rows.findIndex((row) => row.group === name);
    this.show(this.#keys, this.#isGrouped);
    this.select(this.#active, false);
  }

  focus() { this.#grid.focus(); }

  deselect() {
    this.#active = -1;
    this.show(this.#keys, this.#isGrouped);
  }

  select(index, opens) {
    if (!this.#rows.length) return;
    const before = this.#shown.get(this.#active);
    before?.setAttribute("aria-selected", "false");
    this.#active = Math.max(0, Math.min(index, this.#rows.length - 1));
    this.#reveal();
    this.#draw();
    this.#shown.get(this.#active)?.setAttribute("aria-selected", "true");
    this.#grid.setAttribute("aria-activedescendant", `row-${this.#active}`);
    const row = this.#rows[this.#active];
    if (row.group == null && opens) this.#onOpen(row.key);
  }

  get #height() { return parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row")) || 38; }

  #reveal() {
    const top = this.#active * this.#height;
    const bottom = top + this.#height;
    const view = this.#scroller;
    if (top < view.scrollTop) view.scrollTop = top;
    else if (bottom > view.scrollTop + view.clientHeight) view.scrollTop = bottom - view.clientHeight;
  }

  #press(event) {
    if (event.target !== this.#grid && event.target !== this.#scroller) return;
    const page = Math.max(1, Math.floor(this.#scroller.clientHeight / this.#height) - 1);
    const moves = {
      ArrowDown: this.#active + 1, ArrowUp: this.#active - 1, PageDown: this.#active + page,
      PageUp: this.#active - page, Home: 0, End: this.#rows.length - 1,
    };
    if (event.key in moves) {
      this.select(moves[event.key], !document.getElementById("panel").hidden);
    } else if (event.key === "Enter" && this.#active >= 0) {
      const { group, isFolded } = this.#rows[this.#active];
      if (group != null) this.#fold(group, !isFolded);
      else this.select(this.#active, true);
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const row = this.#rows[this.#active];
      const name = row?.group ?? row?.within;
      if (name != null) this.#fold(name, event.key === "ArrowLeft");
    } else {
      return;
    }
    event.preventDefault();
  }

  #later() {
    if (!this.#frame) this.#frame = requestAnimationFrame(() => { this.#frame = 0; this.#draw(); });
  }

  #draw() {
    const height = this.#height;
    const wanted = `${this.#rows.length * height}px`;
    if (this.#spacer.style.height !== wanted) this.#spacer.style.height = wanted;
    const first = Math.max(0, Math.floor(this.#scroller.scrollTop / height) - overscan);
    const last = Math.min(this.#rows.length,
      Math.ceil((this.#scroller.scrollTop + this.#scroller.clientHeight) / height) + overscan);
    for (const [index, row] of this.#shown) {
      if (index < first || index >= last) { row.remove(); this.#shown.delete(index); }
    }
    for (let index = first; index < last; index += 1) {
      if (this.#shown.has(index)) continue;
      const row = this.#make(this.#rows[index], index, height);
      this.#shown.set(index, row);
      this.#spacer.append(row);
    }
  }

  #makeGroup(row, index, height) {
    const made = element("div", {
      class: "row group", role: "row", id: `row-${index}`, "aria-rowindex": index + 2, "aria-level": 1,
      "aria-expanded": String(!row.isFolded), "aria-selected": String(index === this.#active), "data-index": index,
      "data-group": row.group,
    });
    made.append(
      element("span", { role: "gridcell", class: "key" },
        element("b", { "aria-hidden": "true" }, row.isFolded ? "▸" : "▾"), ` ${visible(row.group)}`),
      element("span", { role: "gridcell", class: "value none" }, `${row.count} keys`));
    made.style.transform = `translateY(${index * height}px)`;
    return made;
  }

  #make(row, index, height) {
    if (row.group != null) return this.#makeGroup(row, index, height);
    const made = element("div", {
      class: row.isChanged ? "row changed" : "row", role: "row", id: `row-${index}`,
      "aria-rowindex": index + 2, "aria-selected": String(index === this.#active), "data-index": index,
      "data-key": row.key, "aria-level": row.within == null ? 1 : 2,
    });
    const dot = row.key.lastIndexOf(".") + 1;
    const text = row.text ?? row.value;
    const value = row.isSecret ? "••••" : text === "" ? '""' : text ?? "not set";
    made.append(
      element("span", { role: "gridcell", class: "key", title: visible(row.key) },
        dot ? element("i", {}, visible(row.key.slice(0, dot))) : null, visible(row.key.slice(dot))),
      element("span", { role: "gridcell", class: row.value == null ? "value none" : "value", title: visible(value) },
        visible(value),
        row.other === undefined ? null : element("span", { class: "other" }, ` ≠ ${visible(row.other ?? "not set")}`)),
      element("span", { role: "gridcell", class: "source", title: visible(row.origin ?? "default") },
        visible(row.layer ?? (row.origin ? row.origin : row.value == null ? "" : "default"))),
      element("span", { role: "gridcell", class: "state" }, ...badges(row)));
    made.style.transform = `translateY(${index * height}px)`;
    return made;
  }
}

function badges(row) {
  const all = [
    [row.rejected.length, "rejected", "rejected"], [row.lock, "locked", "locked"],
    [row.needsRestart, "restart", "restart"], [row.isChanged, "changed", "changed"],
    [row.other !== undefined, "differs", "differs"], [!row.isDeclared && row.hasDeclared, "", "undeclared"],
  ];
  return all.filter(([is]) => is).slice(0, 2)
    .map(([, kind, text]) => element("span", { class: `badge ${kind}` }, text));
}
