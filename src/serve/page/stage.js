// Time to see: the steps of a turn are shown one after another, dice roll, cards turn over.

import * as board from "./board.js";
import { $, card, h, spelled } from "./dom.js";

const SPEEDS = [["250", "Normal speed"], ["120", "Fast"], ["600", "Slow"], ["0", "At once"]];
/** How long the face of a die or a card stays before the game goes on by itself, in milliseconds. */
const FACE = 1500;
const DICE = "⚀⚁⚂⚃⚄⚅";

let queue = [];
let running = false;
let wake = null;
let end = null;
let hurried = false;
let begun = null;

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
export const pace = () => Number(localStorage.getItem("carom-pace") ?? 250);

/** The choice of how fast. */
export function choice() {
  const own = String(pace());
  return h("select", { "aria-label": "How fast steps are shown", onchange: (event) => localStorage.setItem("carom-pace", event.target.value) },
    SPEEDS.map(([value, label]) => h("option", { value, selected: value === own }, label)));
}

export const isRunning = () => running;

/** What is shown while steps wait to be seen is finished at once. */
export function finish() {
  if (!running) return;
  hurried = true;
  wake?.();
}

/** The boards of a story from its step number `from` on: each with the step that leads to it. */
export function frames(story, from) {
  let pieces = { ...story.pieces };
  const found = [];
  story.steps.forEach((step, index) => {
    const before = pieces;
    pieces = { ...pieces };
    for (const [at, letter] of Object.entries(step.change)) {
      if (letter) pieces[at] = letter;
      else delete pieces[at];
    }
    if (index >= from) found.push({ step, before, after: pieces });
  });
  return found;
}

/** Shows these frames, behind those that are being shown, and calls `done` at the end. */
export function run(found, { skipFirst = false, done, step }) {
  queue.push(...found.map((frame, index) => ({ ...frame, instant: skipFirst && index === 0, tell: step })));
  end = done;
  if (!running) play();
}

/** Nothing that waits is shown any more. */
export function clear() {
  queue = [];
  finish();
}

async function play() {
  running = true;
  document.body.classList.add("showing");
  hurried = false;
  begun = performance.now();
  while (queue.length) {
    const frame = queue.shift();
    frame.tell?.(frame.step);
    if (!hurried && !still()) await show(frame);
    if (hurried || queue.length === 0) continue;
    board.show({ pieces: frame.after, deeds: [] }, { animate: false });
  }
  running = false;
  document.body.classList.remove("showing");
  end?.();
}

async function show({ step, before, instant }) {
  const ms = pace();
  if (step.kind === "roll" || step.kind === "card") return pause(FACE);
  if (instant || ms === 0) return undefined;
  board.show({ pieces: before, deeds: [] }, { animate: false });
  for (const part of step.drawn) {
    if (part.squares.length < 2 || hurried) continue;
    await Promise.race([board.glide(part.squares, ms, part.what === "flew"), waiting()]);
  }
  return step.drawn.some((part) => part.squares.length > 1) ? undefined : pause(Math.min(ms, 150));
}

/** Until somebody wants to go on. */
const waiting = () => new Promise((go) => { wake = go; });
const pause = (ms) => Promise.race([new Promise((go) => setTimeout(go, ms)), waiting()]);

/** Shows what die or card came, and what that decided; it stays until the next decision. */
export function face(step) {
  const place = $("event");
  if (step.kind === "draw") {
    if (step.words && !place.hidden) place.querySelector("p").textContent = sentence(step.words);
    return;
  }
  // The card that answers another one lies beside it.
  const beside = step.kind === "card" && !place.hidden ? [...place.querySelectorAll(".turned")].slice(-1) : [];
  const shown = step.kind === "roll"
    ? h("span", { class: `die-face${still() ? "" : " rolling"}`, role: "img", "aria-label": `The die shows ${step.what}` }, DICE[Number(step.what) - 1])
    : h("span", { class: "turned" }, card(step.what));
  place.replaceChildren(...beside, shown, h("p", {}, sentence(step.words)));
  place.hidden = false;
}

const sentence = (words) => spelled(words.charAt(0).toUpperCase() + words.slice(1));

/** Nothing is said of dice and cards any more. */
export function forget() {
  $("event").hidden = true;
}

// Anyone who does something has seen enough; what began the showing itself does not count.
export function start() {
  for (const event of ["pointerdown", "keydown"]) {
    document.addEventListener(event, () => performance.now() - begun > 60 && finish(), true);
  }
}
