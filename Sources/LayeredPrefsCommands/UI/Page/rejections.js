// The rejected revisions of files and the broken files, with the lines that are wrong.

import { element, plain, visible } from "./server.js";

const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

function counted(number, word) { return `${number} ${word}${number === 1 ? "" : "s"}`; }

/// Returns the number of problems, and since when the revision has been rejected or that the file is broken.
function summary(rejection) {
  const since = rejection.since == null ? "broken" : `rejected since ${clock(rejection.since)}`;
  return `${since}, ${counted(rejection.problems.length, "problem")}`;
}

/// Returns one sentence about the effect of a restart.
function consequence(changes, fails) {
  if (fails) return "A restart would fail";
  if (!changes.length) return "A restart would change nothing";
  const shown = changes.slice(0, 3).map(({ key, value, isSecret }) =>
    `${key} = ${isSecret ? "••••" : value == null ? "nothing" : plain(value)}`);
  const more = changes.length > shown.length ? ` and ${counted(changes.length - shown.length, "more key")}` : "";
  return `A restart would use ${shown.join(", ")}${more}`;
}

/// Returns a button, and the element that the button shows: the problems of a rejection with their lines.
export function details(rejection, isOpen, onToggle) {
  const body = element("div", { class: "problems", hidden: !isOpen }, ...rejection.problems.map((problem) =>
    element("div", { class: "problem" },
      element("p", {}, visible(problem.text)),
      problem.excerpt ? element("pre", { class: "listing" }, ...problem.excerpt.map((text, index) => {
        const number = problem.start + index;
        return element("span", { class: number === problem.line ? "line wrong" : "line" },
          element("i", {}, String(number)), visible(text));
      })) : null)));
  const button = element("button", { type: "button", class: "lines", "aria-expanded": String(isOpen) },
    isOpen ? "Hide lines" : "Show lines");
  button.addEventListener("click", () => {
    body.hidden = !body.hidden;
    button.textContent = body.hidden ? "Show lines" : "Hide lines";
    button.setAttribute("aria-expanded", String(!body.hidden));
    onToggle?.(!body.hidden);
  });
  return [button, body];
}

/// The section above the table that lists the rejections.
export class Rejections {
  #section = document.getElementById("rejections");
  #shown = "";
  #open = new Set();

  show({ rejections, restart, restartFails }) {
    const text = JSON.stringify([rejections, restart, restartFails]);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#section.hidden = rejections.length === 0;
    const entries = rejections.map((rejection) => {
      const id = rejection.file ?? "The configuration";
      return element("div", { class: "rejection" },
        element("p", {}, visible(`${id}: ${summary(rejection)}`)),
        ...details(rejection, this.#open.has(id), (isOpen) => this.#open[isOpen ? "add" : "delete"](id)));
    });
    this.#section.replaceChildren(...entries, element("p", { class: "consequence" }, visible(consequence(restart, restartFails))));
  }
}
