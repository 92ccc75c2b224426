// From clicks, drags and keys to a word of the list of ways.

import * as board from "./board.js";
import { $, h, man } from "./dom.js";

let state = null;
let say = null;
let changed = null;
/** The square of the man that was picked up, or `hand:T` for one beside the board. */
let selected = null;
/** Men already chosen of several that are given up. */
let picked = [];
let pointed = null;
let drag = null;
let quiet = false;

export function start({ play, redraw }) {
  [say, changed] = [play, redraw];
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
  if (state?.at !== next?.at || state?.session !== next?.session || !next?.ways.length) {
    [selected, picked, pointed] = [null, [], null];
    closeChooser();
    endDrag();
  }
  state = next;
}

export function clear() {
  closeChooser();
  [selected, picked] = [null, []];
  changed();
}

const ways = () => state?.ways ?? [];
const moves = () => ways().some((way) => way.kind === "move" || way.kind === "drop");
const isDirect = (way) => ["choose", "remove"].includes(way.kind) || (way.kind === "ball" && (!way.from || !moves()));
const starts = (way) => (way.kind === "drop" ? `hand:${way.what}` : isDirect(way) ? null : way.from);
const begins = (at) => ways().some((way) => starts(way) === at);
const reaching = (at) => ways().filter((way) => way.to === at && (selected ? starts(way) === selected : isDirect(way)));
const gives = () => ways().filter((way) => way.kind === "give" && picked.every((at) => way.gone.includes(at)));

/** What is marked, and how: a map from squares to classes. */
export function marks() {
  const found = new Map();
  const add = (at, ...classes) => found.set(at, [...(found.get(at) ?? []), ...classes]);
  if (!state) return found;
  const men = state.board.men;
  for (const way of ways()) {
    if (starts(way) && !starts(way).startsWith("hand:")) add(starts(way), "movable");
  }
  if (selected && !selected.startsWith("hand:")) add(selected, "selected");
  const open = selected ? ways().filter((way) => starts(way) === selected) : ways().filter(isDirect);
  for (const way of open) {
    if (!way.to) continue;
    add(way.to, way.kind === "ball" ? "ball" : way.kind === "choose" || way.kind === "change" ? "choose" : men[way.to] ? "take" : "target");
    for (const at of way.gone ?? []) add(at, "gone");
  }
  for (const way of gives()) for (const at of way.gone) add(at, picked.includes(at) ? "picked" : "choose");
  return found;
}

/** The ways that are being pointed at, to be drawn. */
export function drawn() {
  if (!state || !pointed) return [];
  const found = reaching(pointed);
  return found.map((way) => ({
    path: way.path?.length ? way.path : [way.from, way.to].filter(Boolean),
    kind: way.kind === "ball" ? "flew" : "went",
  })).filter((way) => way.path.length > 1);
}

/** The odds of what is being pointed at. */
export function odds() {
  return pointed ? reaching(pointed).find((way) => way.odds?.length)?.odds : undefined;
}

/** What a label adds to a square. */
export function says(at) {
  if (selected === at) return "picked up";
  const here = reaching(at);
  if (here.length) return here.length === 1 ? `can be chosen: ${here[0].label}` : `${here.length} ways there`;
  const from = ways().filter((way) => starts(way) === at).length;
  if (from) return `${from} ${from === 1 ? "way" : "ways"} on`;
  if (picked.includes(at)) return "given up";
  return gives().some((way) => way.gone.includes(at)) ? "can be given up" : "";
}

export function selectedHand() {
  return selected?.startsWith("hand:") ? selected.slice(5) : null;
}

/** A man beside the board is picked up. */
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
  if (!state) return;
  const there = reaching(at);
  if (there.length) return choose(there, at);
  if (gives().some((way) => way.gone.includes(at)) || picked.includes(at)) return give(at);
  selected = selected !== at && begins(at) ? at : null;
  changed();
}

function give(at) {
  picked = picked.includes(at) ? picked.filter((other) => other !== at) : [...picked, at];
  const whole = gives().filter((way) => way.gone.length === picked.length);
  if (whole.length) {
    play(whole[0]);
    return;
  }
  changed();
}

function play(way) {
  [selected, picked, pointed] = [null, [], null];
  closeChooser();
  say(way);
}

/** One of several ways to the same square is asked for; luck is told before it is tried. */
function choose(there, at) {
  if (there.length === 1 && !there[0].odds?.length) return play(there[0]);
  const chooser = $("chooser");
  const buttons = there.map((way) => h(
    "button",
    { type: "button", role: "menuitem", "data-word": way.word, onclick: () => play(way), onmouseenter: () => board.draw([{ path: way.path?.length ? way.path : [way.from, way.to], kind: way.kind === "ball" ? "flew" : "went" }]) },
    way.kind === "ball" ? h("span", { class: "dot-ball" }) : way.becomes || state.board.men[way.from] ? man(way.becomes ?? state.board.men[way.from], "small") : null,
    h("span", {}, way.label, ...(way.odds ?? []).map((odd) => h("small", {}, chance(odd)))),
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
export function chance({ cases, of, told, word }) {
  // The face itself is one of several that come to the same.
  return `${cases} in ${of}: ${told?.replace(/^Dice: \d, /, "") ?? word}`;
}

function closeChooser() {
  $("chooser").hidden = true;
}

function point(at) {
  if (pointed === at) return;
  pointed = at ?? null;
  changed(true);
}

function press(at, event) {
  if (event.button !== 0 || !begins(at)) return;
  drag = { at, x: event.clientX, y: event.clientY, ghost: null };
}

function move(event) {
  if (!drag) return;
  const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 6;
  if (!drag.ghost && far) {
    const cell = board.square(drag.at);
    drag.ghost = man(state.board.men[drag.at], "ghost");
    drag.ghost.style.width = `${cell.offsetWidth}px`;
    document.body.append(drag.ghost);
    cell.classList.add("lifted");
    if (selected !== drag.at) {
      selected = drag.at;
      changed();
    }
  }
  if (drag.ghost) {
    drag.ghost.style.left = `${event.clientX}px`;
    drag.ghost.style.top = `${event.clientY}px`;
    point(board.under(event.clientX, event.clientY));
  }
}

function drop(event) {
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
  if (at !== from && there.length) choose(there, at);
  else changed();
}

function endDrag() {
  if (!drag) return;
  drag.ghost?.remove();
  board.square(drag.at)?.classList.remove("lifted");
  drag = null;
}
