// From clicks, drags and keys to one of the legal decisions.

import * as board from "./board.js";
import { $, h, piece } from "./dom.js";

let state = null;
let say = null;
let changed = null;
/** The square of the piece that was picked up, or `hand:T` for one beside the board. */
let selected = null;
/** Pieces already chosen of several that are given up. */
let picked = [];
let pointed = null;
let drag = null;
let quiet = false;
let look = null;
/** A piece that somebody reads about by keeping a finger on it. */
let pressing = null;
let dragged = false;

/** `tell(at, sticky)` and `hover(at)` tell about a piece that may be anybody's. */
export function start({ play, redraw, tell = () => {}, hover = () => {}, note = () => {} }) {
  [say, changed] = [play, redraw];
  look = { tell, hover, note };
  board.listen({ click, press, point });
  board.start();
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") clear();
  });
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", () => endDrag());
  document.addEventListener("pointerdown", (event) => {
    if (!$("chooser").hidden && !event.target.closest("#chooser")) closeChooser();
  }, true);
}

/** What may be said has changed. */
export function take(next) {
  const same = ["session", "at", "variation"].every((name) => state?.[name] === next?.[name]);
  if (!same || !next?.legal.length) {
    [selected, picked, pointed] = [null, [], null];
    closeChooser();
    endDrag();
  }
  state = next;
}

export const isHolding = () => selected !== null || picked.length > 0;

/** Whether the last decision was a drag, whose piece has arrived already. */
export function wasDragged() {
  const was = dragged;
  dragged = false;
  return was;
}

export function clear() {
  look.tell(null);
  closeChooser();
  [selected, picked] = [null, []];
  changed();
}

const legal = () => state?.legal ?? [];
const moves = () => legal().some((decision) => decision.kind === "move" || decision.kind === "drop");
const isDirect = (decision) => ["choose", "remove"].includes(decision.kind) || (decision.kind === "ball" && (!decision.from || !moves()));
const starts = (decision) => (decision.kind === "drop" ? `hand:${decision.what}` : isDirect(decision) ? null : decision.from);
const begins = (at) => legal().some((decision) => starts(decision) === at);
const reaching = (at) => legal().filter((decision) => decision.to === at && (selected ? starts(decision) === selected : isDirect(decision)));
const gives = () => legal().filter((decision) => decision.kind === "give" && picked.every((at) => decision.gone.includes(at)));

/** What is marked, and how: a map from squares to classes. */
export function marks() {
  const found = new Map();
  const add = (at, ...classes) => found.set(at, [...(found.get(at) ?? []), ...classes]);
  if (!state) return found;
  const pieces = state.board.pieces;
  for (const decision of legal()) {
    if (starts(decision) && !starts(decision).startsWith("hand:")) add(starts(decision), "movable");
  }
  if (selected && !selected.startsWith("hand:")) add(selected, "selected");
  const open = selected ? legal().filter((decision) => starts(decision) === selected) : legal().filter(isDirect);
  for (const decision of open) {
    if (!decision.to) continue;
    add(decision.to, decision.kind === "ball" ? "ball" : decision.kind === "choose" || decision.kind === "change" ? "choose" : pieces[decision.to] ? "take" : "target");
    for (const at of decision.gone ?? []) add(at, "gone");
  }
  for (const decision of gives()) for (const at of decision.gone) add(at, picked.includes(at) ? "picked" : "choose");
  return found;
}

/** The decisions that are being pointed at, to be drawn. */
export function drawn() {
  if (!state || !pointed) return [];
  const found = reaching(pointed);
  return found.map((decision) => ({
    path: decision.path?.length ? decision.path : [decision.from, decision.to].filter(Boolean),
    kind: decision.kind === "ball" ? "flew" : "went",
  })).filter((decision) => decision.path.length > 1);
}

/** The odds of what is being pointed at. */
export function odds() {
  return pointed ? reaching(pointed).find((decision) => decision.odds?.length)?.odds : undefined;
}

/** What a label adds to a square. */
export function says(at) {
  if (selected === at) return "picked up";
  const here = reaching(at);
  if (here.length) return here.length === 1 ? `can be chosen: ${here[0].label}` : `${here.length} choices there`;
  const from = legal().filter((decision) => starts(decision) === at).length;
  if (from) return `${from} ${from === 1 ? "choice" : "choices"} here`;
  if (picked.includes(at)) return "given up";
  return gives().some((decision) => decision.gone.includes(at)) ? "can be given up" : "";
}

export function selectedHand() {
  return selected?.startsWith("hand:") ? selected.slice(5) : null;
}

/** A piece beside the board is picked up. */
export function takeFromHand(letter) {
  const own = `hand:${letter}`;
  if (!begins(own)) return;
  selected = selected === own ? null : own;
  changed();
}

function click(at) {
  if (quiet) {
    quiet = false;
    return;
  }
  look.note();
  if (!state) return look.tell(at, true);
  const there = reaching(at);
  if (there.length) return choose(there, at);
  if (gives().some((decision) => decision.gone.includes(at)) || picked.includes(at)) return give(at);
  const again = selected === at;
  selected = !again && begins(at) ? at : null;
  look.tell(again ? null : at, true);
  changed();
}

function give(at) {
  picked = picked.includes(at) ? picked.filter((other) => other !== at) : [...picked, at];
  const whole = gives().filter((decision) => decision.gone.length === picked.length);
  if (whole.length) {
    play(whole[0]);
    return;
  }
  changed();
}

function play(decision) {
  [selected, picked, pointed] = [null, [], null];
  closeChooser();
  look.tell(null);
  say(decision);
}

/** One of several decisions with the same square is asked for; chance is told of before it is tried. */
function choose(there, at) {
  if (there.length === 1 && !there[0].odds?.length) return play(there[0]);
  const chooser = $("chooser");
  const buttons = there.map((decision) => h(
    "button",
    { type: "button", role: "menuitem", "data-word": decision.word, onclick: () => play(decision), onmouseenter: () => board.draw([{ path: decision.path?.length ? decision.path : [decision.from, decision.to], kind: decision.kind === "ball" ? "flew" : "went" }]) },
    decision.kind === "ball" ? h("span", { class: "dot-ball" }) : decision.becomes || state.board.pieces[decision.from] ? piece(decision.becomes ?? state.board.pieces[decision.from], "small") : null,
    h("span", {}, decision.label, ...(decision.odds ?? []).map((odd) => h("small", {}, chance(odd)))),
  ));
  chooser.replaceChildren(...buttons, h("button", { type: "button", role: "menuitem", class: "quiet", onclick: clear }, "Not that"));
  chooser.hidden = false;
  const box = board.square(at).getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = chooser;
  const left = Math.max(8, Math.min(box.left + box.width / 2 - width / 2, innerWidth - width - 8));
  const below = box.bottom + 6 + height < innerHeight;
  chooser.style.left = `${left + scrollX}px`;
  chooser.style.top = `${(below ? box.bottom + 6 : Math.max(8, box.top - height - 6)) + scrollY}px`;
  buttons[0].focus();
}

/** `3 in 6: wicket taken`. */
export function chance({ cases, of, label, word }) {
  return `${cases} in ${of}: ${label ?? word}`;
}

function closeChooser() {
  $("chooser").hidden = true;
}

function point(at) {
  if (pointed === at) return;
  pointed = at ?? null;
  look.hover(at);
  changed(true);
}

/** A piece on a square, or beside the board (`hand:T`), may be dragged from here on. */
export function press(at, event) {
  clearTimeout(pressing);
  if (event.pointerType === "touch" && !at.startsWith("hand:")) {
    pressing = setTimeout(() => {
      endDrag();
      quiet = true;
      look.tell(at, true);
    }, 500);
  }
  if (event.button !== 0 || !begins(at)) return;
  drag = { at, from: event.currentTarget.closest(".held") ?? board.square(at), x: event.clientX, y: event.clientY, ghost: null };
}

function move(event) {
  if (!drag) return;
  const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 6;
  if (far) clearTimeout(pressing);
  if (!drag.ghost && far) {
    drag.ghost = piece(state.board.pieces[drag.at] ?? drag.at.slice(5), "ghost");
    drag.ghost.style.width = `${board.size()}px`;
    document.body.append(drag.ghost);
    drag.from.classList.add("lifted");
    if (selected !== drag.at) {
      selected = drag.at;
      // The button that is dragged from stays what it is.
      changed(true);
    }
  }
  if (drag.ghost) {
    drag.ghost.style.left = `${event.clientX}px`;
    drag.ghost.style.top = `${event.clientY}px`;
    point(board.under(event.clientX, event.clientY));
  }
}

function drop(event) {
  clearTimeout(pressing);
  if (!drag) return;
  const { ghost } = drag;
  const at = ghost ? board.under(event.clientX, event.clientY) : null;
  const from = drag.at;
  endDrag();
  if (!ghost) return;
  // The click that follows a drag on the same square is none.
  quiet = at === from;
  setTimeout(() => { quiet = false; }, 0);
  const there = at ? reaching(at) : [];
  dragged = at !== from && there.length > 0;
  if (dragged) choose(there, at);
  else changed();
}

function endDrag() {
  if (!drag) return;
  drag.ghost?.remove();
  drag.from.classList.remove("lifted");
  drag = null;
}
