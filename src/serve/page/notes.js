// Arrows and circles of one's own, drawn with the right button.

import * as board from "./board.js";
import { $ } from "./dom.js";

let drawn = [];
let from = null;
let changed = null;

export const arrows = () => drawn.map((path) => ({ path, kind: "own" }));

/** Nothing is drawn any more. */
export function clear() {
  if (!drawn.length) return;
  drawn = [];
  changed();
}

export function start({ redraw }) {
  changed = redraw;
  const at = (event) => event.target.closest?.(".sq")?.dataset.at;
  $("board").addEventListener("pointerdown", (event) => {
    if (event.button === 2) from = at(event) ?? null;
  });
  document.addEventListener("pointerup", (event) => {
    if (event.button !== 2 || !from) return;
    const to = board.under(event.clientX, event.clientY);
    const path = to && to !== from ? [from, to] : [from];
    from = null;
    if (!to) return;
    const same = (other) => other.join() === path.join();
    drawn = drawn.some(same) ? drawn.filter((other) => !same(other)) : [...drawn, path];
    changed();
  });
}
