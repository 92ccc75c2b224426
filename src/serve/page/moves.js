// The list of moves: looked at, gone back to, written down.

import { $, h, spelled } from "./dom.js";
import { copy } from "./friends.js";
import * as share from "./share.js";

let send = null;
let back = null;
let game = null;
let facts = null;
let looking = false;

export const isLooking = () => looking;
export function stopLooking() {
  looking = false;
}

export function start(actions) {
  ({ send, back, state: game, facts } = actions);
  $("record").addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea, dialog, #board") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") walk(-1);
    else if (event.key === "ArrowRight") walk(1);
    else if (event.key === "f") actions.flip();
  });
}

/** The place that is shown: behind so many tokens of the game (`line` is null) or of a variation. */
let now = { at: 0, line: null };

/** The turns of a line from the first one on, each with the line it stands in. */
function turnsOf(state, line) {
  if (line === null) return state.turns.map((turn) => ({ ...turn, line }));
  const branch = state.variations.find((own) => own.number === line);
  if (!branch) return [];
  return [...turnsOf(state, branch.of).filter((turn) => turn.end <= branch.at), ...branch.turns.map((turn) => ({ ...turn, line }))];
}

/** The board after some more steps, which somebody thinks of. */
export function lookFurther(at, steps) {
  looking = true;
  send({ do: "look", at, further: steps });
}

function look(at, line = null) {
  const state = game();
  if (line === null && at >= state.at) return back();
  looking = true;
  send({ do: "look", at, variation: line });
}

/** Where a step from here leads: the first place, the one before, the next, the last; null where there is none. */
function steps(state) {
  const places = [0, ...turnsOf(state, now.line).map((turn) => turn.end)];
  const index = places.findIndex((end) => end >= now.at);
  const to = (place) => (place === undefined || place === now.at ? null : place);
  return [to(places[0]), to(places[index - 1]), to(places[index + 1]), to(places.at(-1))];
}

function walk(by) {
  const state = game();
  if (!state) return;
  const [, before, next] = steps(state);
  const to = by < 0 ? before : next;
  if (to !== null) look(to, now.line);
}

/** In words: `turn 3`, `turn 3 of a variation`. */
export function place(state, { at, variation, walk: further }) {
  if (further) return further.join(" ");
  if (at === 0) return "nothing was played";
  const number = turnsOf(state, variation).findIndex((turn) => turn.end >= at) + 1;
  return `turn ${number}${variation === null ? "" : " of a variation"}`;
}

export function show(state, shown, game) {
  now = { at: shown?.at ?? state.at, line: shown?.variation ?? null };
  const labels = [["To the start", "«"], ["A turn back", "‹"], ["A turn on", "›"], ["To the end", "»"]];
  $("walk").replaceChildren(...steps(state).map((to, index) => {
    const [label, sign] = labels[index];
    return h("button", { type: "button", title: label, "aria-label": label, disabled: to === null, onclick: () => look(to, now.line) }, sign);
  }));
  const list = $("list");
  const items = listed(state, null, state.turns, 0);
  const aim = game.summary.charAt(0).toUpperCase() + game.summary.slice(1).replace(/\.*$/, ".");
  // Before the first turn there is room to say what it is about.
  list.replaceChildren(...(items.length ? items : [h("li", { class: "aim" }, aim)]));
  // When everything else has its place.
  requestAnimationFrame(() => {
    const current = list.querySelector(".current");
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  });
}

/** Turns of a line behind `first` others; behind each stand the variations that leave the line there. */
function listed(state, line, turns, first) {
  const whiteFirst = turnsOf(state, line)[0]?.by !== "black";
  const branches = (from, to) => state.variations.filter((own) => own.of === line && own.at >= from && own.at < to).map((own) => {
    const before = turnsOf(state, own.number).length - own.turns.length;
    return h("li", { class: "variation" }, h("ol", { "aria-label": "Variation" }, listed(state, own.number, own.turns, before)));
  });
  let begin = turnsOf(state, line)[first - 1]?.end ?? 0;
  let apart = true;
  const items = turns.flatMap((turn, index) => {
    const count = first + index + (whiteFirst ? 0 : 1);
    const label = count % 2 === 0 || apart ? h("b", {}, `${Math.floor(count / 2) + 1}${turn.by === "white" ? "." : "…"}`) : null;
    const current = turn.end === now.at && line === now.line;
    const named = line === null ? { "data-end": turn.end } : { "data-variation": `${line}:${turn.end}` };
    const item = h("li", {}, label, h("button", {
      type: "button", class: `${turn.by}${current ? " current" : ""}`, "aria-current": current ? "true" : undefined, ...named,
      title: turn.words && spelled(turn.words), "aria-label": turn.words ? `${turn.text}: ${spelled(turn.words)}` : undefined,
      onclick: () => look(turn.end, line),
    }, turn.san ?? turn.text));
    const beside = branches(begin, turn.end);
    begin = turn.end;
    apart = beside.length > 0;
    return [item, ...beside];
  });
  return [...items, ...branches(begin, Infinity)];
}

function open() {
  const dialog = $("pgn");
  const text = h("textarea", { rows: 12, spellcheck: false, "aria-label": "The game as PGN", id: "pgn-text" });
  const file = h("input", { type: "file", accept: ".pgn,text/plain", "aria-label": "A PGN file", onchange: async () => { text.value = await file.files[0].text(); } });
  const copies = h("button", { type: "button", id: "pgn-copy", onclick: async () => { copies.textContent = (await copy(text.value, text)) ? "Copied" : "Press Ctrl+C"; } }, "Copy");
  dialog.replaceChildren(
    h("h2", { id: "pgn-title" }, "Share and keep"),
    ...(game() ? share.rows(game(), facts()) : []),
    h("p", {}, "The record of this game (PGN). To go on with another, put its record here."),
    text,
    h("p", { id: "pgn-fault", role: "alert", hidden: true }),
    h("div", { class: "row" }, file, copies,
      h("button", { type: "button", onclick: () => share.save(text.value, "application/x-chess-pgn", "carom.pgn") }, "Save as a file"),
      h("button", { type: "button", class: "strong", id: "pgn-load", onclick: () => { $("pgn-fault").hidden = true; waiting = true; send({ do: "load", pgn: text.value }); setTimeout(() => { if (waiting) close(); }, 400); } }, "Go on with it"),
      h("button", { type: "button", onclick: close }, "Close")),
  );
  dialog.showModal();
  if (game()) send({ do: "pgn" });
}

let waiting = false;

function close() {
  waiting = false;
  $("pgn").close();
}

export function record(pgn) {
  const text = $("pgn-text");
  if (text) text.value = pgn;
}

/** True when a fault is told here. */
export function complain(message) {
  if (!$("pgn").open || !["pgn", "load"].includes(message.do)) return false;
  waiting = false;
  const line = $("pgn-fault");
  line.textContent = message.text;
  line.hidden = false;
  return true;
}
