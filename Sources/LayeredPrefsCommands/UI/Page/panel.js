// The panel of one key: its layers from the highest to the lowest, its declaration, history and an editor.

import { ask, element, layOut, plain, post, visible } from "./server.js";
import { details } from "./rejections.js";

export class Panel {
  #panel = document.getElementById("panel");
  #subject = "files";
  #permits = [];
  #layers = [];
  #key = null;
  #onClose;
  #asked = 0;
  #timer = 0;
  /// The editor's field while it contains the user's text, so that a change from outside does not replace the
  /// text.
  #draft = null;
  /// The last saved edit, which can be reverted.
  #saved = null;
  /// The rejected revisions and the broken files of the subject.
  rejected = null;

  constructor(onClose) {
    this.#onClose = onClose;
    this.#panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  set layers(layers) { this.#layers = layers; }

  get key() { return this.#key; }

  /// Shows a key of a subject. If the panel already shows the key, updates its values.
  async show(key, subject, permits, focuses) {
    if (key !== this.#key || subject !== this.#subject) [this.#draft, this.#saved] = [null, null];
    [this.#key, this.#subject, this.#permits] = [key, subject, permits];
    const asked = ++this.#asked;
    const [{ explanation }, { history }] = await Promise.all([
      ask("/api/explain", { subject, key }), ask("/api/history", { subject, key }),
    ]);
    if (asked !== this.#asked) return;
    const held = this.#panel.contains(document.activeElement) ? document.activeElement.name : null;
    this.#panel.hidden = false;
    this.#panel.setAttribute("aria-label", `Key ${visible(key)}`);
    this.#panel.replaceChildren(...this.#content(explanation, history));
    if (focuses) this.#panel.querySelector(".close").focus();
    else if (held) this.#panel.querySelector(`[name="${held}"]`)?.focus();
  }

  close() {
    this.#asked += 1;
    this.#key = null;
    this.#panel.hidden = true;
    this.#onClose();
  }

  #content(explanation, history) {
    const close = element("button", { class: "close", type: "button", name: "close", "aria-label": "Close" }, "✕");
    close.addEventListener("click", () => this.close());
    const declaration = explanation.declaration;
    const effective = explanation.rows.find((row) => row.role === "effective");
    const facts = [
      declaration?.type ?? explanation.note ?? "not declared by the program", declaration?.limits, declaration?.condition,
      declaration?.environment.length ? `variable ${declaration.environment.join(", ")}` : null,
      declaration?.formerNames.length ? `formerly ${declaration.formerNames.join(", ")}` : null,
    ].filter(Boolean);
    return [
      element("div", { class: "top" }, element("h2", {}, visible(explanation.key)), close),
      element("p", { class: "facts" }, visible(facts.join(" · "))),
      declaration?.documentation ? element("p", { class: "text" }, visible2(declaration.documentation)) : null,
      element("p", { class: "now" }, shown(effective, explanation)),
      explanation.lock ? element("p", { class: "notice" }, visible(explanation.lock)) : null,
      this.#rejections(explanation),
      declaration?.needsRestart
        ? element("p", { class: "notice" }, "A change takes effect after a restart of the program.") : null,
      element("h3", {}, "Layers, highest first"),
      explanation.rows.length
        ? element("ol", { class: "layers" }, ...explanation.rows.map((row) => layer(row, explanation)))
        : element("p", { class: "none" }, "No layer sets this key."),
      ...this.#editor(explanation, effective),
      element("h3", {}, "History"),
      this.#history(history),
    ].filter(Boolean);
  }

  #rejections(explanation) {
    const all = explanation.rejections ?? [];
    if (!all.length) return null;
    const texts = new Set(all.flatMap((rejection) => rejection.problems.map((problem) => problem.text)));
    const problems = (this.rejected?.rejections ?? []).flatMap((rejection) => rejection.problems)
      .filter((problem) => texts.has(problem.text));
    const since = new Date(Math.min(...all.map((rejection) => rejection.since)) * 1000);
    const clock = since.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const count = texts.size === 1 ? "1 problem" : `${texts.size} problems`;
    return element("div", { class: "notice rejected" },
      element("p", {}, visible(`The new version is rejected since ${clock}, ${count}; ${explanation.restart ?? ""}`)),
      ...details({ problems }, false));
  }

  #history(sets) {
    const items = sets.toReversed().flatMap((set) => (set.details ?? []).toReversed().map((change) => {
      const time = new Date(set.time * 1000);
      const value = (text) => visible(plain(text) ?? (change.isSecret ? "••••" : "none"));
      return element("li", {},
        element("time", { datetime: time.toISOString() }, time.toLocaleTimeString()),
        element("span", {}, `${value(change.old)} → ${value(change.new)}`),
        element("small", {}, ` ${visible(change.origin ?? "default")}, ${set.cause}`));
    }));
    return items.length
      ? element("ol", { class: "history" }, ...items)
      : element("p", { class: "none" }, "No changes since the observation began.");
  }

  #editor(explanation, effective) {
    const targets = this.#layers.map((layer) => [layer.name, `${layer.name} — ${layer.file}`]);
    if (this.#permits.includes("overrides")) targets.push(["overrides", "overrides — in the process's memory"]);
    if (!targets.length) return [];
    const declaration = explanation.declaration;
    const field = this.#field(declaration, explanation.isSecret);
    const isText = field.localName === "textarea";
    const stored = () => (explanation.isSecret ? "" : isText ? layOut(effective?.text ?? "", true) : effective?.text ?? "");
    const draft = this.#draft ?? { layer: this.#target(targets, explanation, effective), text: stored() };
    const target = element("select", { name: "layer" },
      ...targets.map(([name, text]) => element("option", { value: name, selected: name === draft.layer }, visible(text))));
    field.value = draft.text;
    const verdict = element("p", { class: "verdict", role: "status", "aria-live": "polite", id: "verdict" });
    const command = element("code", { "aria-label": "Command" });
    const save = element("button", { class: "main", type: "submit", name: "save" }, "Save");
    const remove = element("button", { type: "button", name: "remove" }, "Remove from layer");
    const revert = element("button", { type: "button", name: "revert" }, "Revert");
    const difference = element("pre", { class: "listing", "aria-label": "Changes in the file", hidden: true });
    const edit = (text) => ({
      subject: this.#subject, layer: target.value, key: explanation.key,
      text: text != null && isText ? layOut(text, false) : text,
    });
    let checks = 0;
    const check = async () => {
      const number = ++checks;
      const answer = await post("/api/check", edit(field.value));
      if (number !== checks) return;
      command.textContent = visible(explanation.isSecret ? "prefs set … (the value is a secret)" : answer.command ?? "");
      const said = answer.error ?? answer.remark ?? (this.#draft ? "" : this.#saved?.text) ?? "";
      const kind = answer.error ? " bad" : answer.remark ? " warn" : said ? " good" : "";
      verdict.className = `verdict${kind}`;
      verdict.textContent = visible(said);
      field.setAttribute("aria-invalid", String(Boolean(answer.error)));
      save.disabled = Boolean(answer.error);
      revert.disabled = !this.#draft && this.#saved?.number == null;
      const lines = this.#draft && answer.difference?.lines || [];
      difference.hidden = !lines.length;
      difference.replaceChildren(...lines.map(({ mark, text }) =>
        element("span", { class: `line ${{ "+": "added", "-": "removed" }[mark] ?? ""}` },
          element("i", {}, mark), visible(text))));
    };
    const typed = () => {
      this.#draft = { layer: target.value, text: field.value };
      clearTimeout(this.#timer);
      this.#timer = setTimeout(check, 120);
    };
    const commit = async (text) => {
      const answer = await post("/api/edit", edit(text));
      verdict.className = answer.error ? "verdict bad" : "verdict good";
      verdict.textContent = visible(answer.error ?? answer.remark ?? "Saved.");
      if (answer.error) return;
      this.#draft = null;
      this.#saved = { number: answer.revert, text: answer.remark ?? "Saved." };
      revert.disabled = answer.revert == null;
      difference.hidden = true;
    };
    const undo = async () => {
      if (this.#draft) {
        this.#draft = null;
        field.value = stored();
        return check();
      }
      const answer = await post("/api/revert", { number: this.#saved.number });
      this.#saved = { number: null, text: answer.error ?? "Reverted." };
      verdict.className = answer.error ? "verdict bad" : "verdict good";
      verdict.textContent = visible(this.#saved.text);
      revert.disabled = true;
    };
    field.addEventListener("input", typed);
    target.addEventListener("change", () => { this.#draft = { layer: target.value, text: field.value }; check(); });
    remove.addEventListener("click", () => commit(null));
    revert.addEventListener("click", undo);
    const form = element("form", { class: "edit" },
      element("label", { class: "field" }, element("span", {}, "Layer"), target),
      element("label", { class: "field" }, element("span", {}, "Value"), field),
      verdict, difference, command, element("div", { class: "actions" }, save, revert, remove));
    form.addEventListener("submit", (event) => { event.preventDefault(); commit(field.value); });
    check();
    return [element("h3", {}, "Edit"), form];
  }

  /// Returns the layer that the editor selects first: the layer that has the value, otherwise the highest file
  /// layer that the subject reads.
  #target(targets, explanation, effective) {
    const names = targets.map(([name]) => name);
    const own = effective?.layer.split(".")[0];
    if (names.includes(own)) return own;
    if (this.#subject === "files") return names.includes("user") ? "user" : names.at(-1);
    const read = this.#layers.filter((layer) => this.reads?.has(layer.file)).map((layer) => layer.name);
    return read.at(-1) ?? (names.includes("overrides") ? "overrides" : names[0]);
  }

  #field(declaration, isSecret) {
    const common = { name: "value", "aria-describedby": "verdict", autocomplete: "off", spellcheck: "false" };
    const values = declaration?.values ?? (declaration?.type === "boolean" ? ["true", "false"] : null);
    if (values) return element("select", common, ...values.map((value) => element("option", { value }, visible(value))));
    if (/^(array|dictionary|\{)/.test(declaration?.type ?? "")) return element("textarea", { ...common, rows: 8 });
    return element("input", { ...common, type: isSecret ? "password" : "text" });
  }
}

function shown(row, explanation) {
  if (explanation.isSecret) return "••••";
  if (!row) return "not set";
  // If another type is expected, quotes show that the value is a string.
  if (row.role.startsWith("rejected") && row.place.startsWith("/")) return visible(row.value ?? "");
  return row.text === "" ? '""' : visible(row.text ?? row.value ?? "");
}

/// Like `visible`, but keeps the lines of documentation.
function visible2(text) {
  return text.split("\n").map(visible).join("\n");
}

function layer(row, explanation) {
  const [word, ...reason] = row.role.split(": ");
  const kind = { effective: "effective", shadowed: "shadowed", rejected: "rejected" }[word] ?? "out";
  return element("li", { class: kind },
    element("div", { class: "line" },
      element("span", { class: "name" }, visible(row.layer || "—")), element("span", { class: "role" }, word)),
    element("div", { class: "value" }, shown(row, explanation)),
    reason.length ? element("div", { class: "reason" }, visible(reason.join(": "))) : null,
    row.place ? element("div", { class: "place" }, visible(row.place)) : null);
}
