// What happened in the last turns of both sides, in sentences; and shown once more.

import { $, h, name, spelled } from "./dom.js";
import * as stage from "./stage.js";

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The steps of a story by turns: who, and the sentences. */
export function turns(story) {
  const found = [];
  for (const step of story?.steps ?? []) {
    if (!step.words) continue;
    if (found.at(-1)?.by !== step.by) found.push({ by: step.by, words: [] });
    found.at(-1).words.push(spelled(step.words));
  }
  return found;
}

export function show(state, again) {
  const place = $("happened");
  const told = turns(state.story);
  place.hidden = told.length === 0;
  if (place.hidden) return place.replaceChildren();
  const own = (color) => state.seat === color || state.seats[color === "white" ? 0 : 1] === "person" && state.seats.includes("engine");
  place.replaceChildren(
    h("div", { class: "head" }, h("h2", {}, "What happened"), stage.choice(),
      h("button", { type: "button", id: "again-steps", title: "Show it again", "aria-label": "Show it again", onclick: again }, "↻")),
    ...told.map(({ by, words }) => h("p", {}, h("i", { class: `dot ${by}`, "aria-hidden": "true" }), h("strong", {}, `${own(by) ? "You" : name(by)}:`), " ", capital(words.join("; ")), ".")));
}

/** For a screen reader: the last turn, as far as it has come. */
export function lastTurn(state) {
  const last = turns(state.story).at(-1);
  return last ? `${name(last.by)}: ${last.words.join("; ")}.` : "";
}
