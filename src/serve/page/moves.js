// The list of moves: looked at, gone back to, written down.

import { $, h } from "./dom.js";

let send = null;
let back = null;
let game = null;
let looking = false;

export const isLooking = () => looking;
export function stopLooking() {
  looking = false;
}

export function start(actions) {
  ({ send, back, state: game } = actions);
  $("record").addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea, dialog, #board") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") walk(-1);
    else if (event.key === "ArrowRight") walk(1);
    else if (event.key === "f") actions.flip();
  });
}

const ends = (state) => [0, ...state.turns.map((turn) => turn.end)];

function look(at) {
  const state = game();
  if (at >= state.at) return back();
  looking = true;
  send({ do: "look", at });
}

let now = 0;

function walk(by) {
  const state = game();
  if (!state) return;
  const places = ends(state);
  const index = places.findIndex((end) => end >= now);
  const next = Math.min(Math.max((index < 0 ? places.length - 1 : index) + by, 0), places.length - 1);
  if (places[next] !== now) look(places[next]);
}

export function show(state, shown, game) {
  now = shown?.at ?? state.at;
  const places = ends(state);
  const step = (label, sign, at) => h("button", { type: "button", title: label, "aria-label": label, disabled: at === null, onclick: () => look(at) }, sign);
  const index = places.findIndex((end) => end >= now);
  const [first, last] = [now > 0 ? 0 : null, now < state.at ? state.at : null];
  $("walk").replaceChildren(
    step("To the start", "«", first),
    step("A turn back", "‹", index > 0 ? places[index - 1] : null),
    step("A turn on", "›", index >= 0 && index + 1 < places.length ? places[index + 1] : null),
    step("To the end", "»", last),
  );
  const list = $("list");
  const whiteFirst = state.turns[0]?.by !== "black";
  const items = state.turns.map((turn, number) => {
    const count = whiteFirst ? number : number + 1;
    const label = count % 2 === 0 || number === 0 ? h("b", {}, `${Math.floor(count / 2) + 1}${turn.by === "white" ? "." : "…"}`) : null;
    const current = turn.end === now;
    return h("li", {}, label, h("button", {
      type: "button", class: `${turn.by}${current ? " current" : ""}`, "aria-current": current ? "true" : undefined, "data-end": turn.end,
      onclick: () => look(turn.end),
    }, turn.text));
  });
  const aim = game.summary.charAt(0).toUpperCase() + game.summary.slice(1).replace(/\.*$/, ".");
  // Before the first turn there is room to say what it is about.
  list.replaceChildren(...(items.length ? items : [h("li", { class: "aim" }, aim)]));
  const current = list.querySelector(".current");
  if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  variations(state);
}

function variations(state) {
  const place = $("variations");
  place.hidden = state.variations.length === 0;
  place.replaceChildren(...state.variations.map((branch, number) => {
    const turn = state.turns.findIndex((own) => own.end >= branch.at) + 1;
    return h("button", { type: "button", title: "Play on in this variation", onclick: () => send({ do: "variation", number }) }, h("b", {}, `after ${branch.at === 0 ? "the start" : `turn ${turn}`}:`), ` ${branch.text}`);
  }));
}

function open() {
  const dialog = $("pgn");
  const text = h("textarea", { rows: 12, spellcheck: false, "aria-label": "The game as PGN", id: "pgn-text" });
  const file = h("input", { type: "file", accept: ".pgn,text/plain", "aria-label": "A PGN file", onchange: async () => { text.value = await file.files[0].text(); } });
  dialog.replaceChildren(
    h("h2", { id: "pgn-title" }, "PGN"),
    h("p", {}, "The record of this game. To go on with another, put its record here."),
    text,
    h("p", { id: "pgn-fault", role: "alert", hidden: true }),
    h("div", { class: "row" }, file,
      h("button", { type: "button", onclick: () => save(text.value) }, "Save as a file"),
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

function save(text) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" })), download: "carom.pgn" });
  link.click();
  URL.revokeObjectURL(link.href);
}
