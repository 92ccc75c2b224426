// What the pieces are called and can do, how the game is played, and the guided first game.

import * as board from "./board.js";
import { $, h, piece } from "./dom.js";
import * as rules from "./rules.js";

let send = null;
let state = null;
let facts = null;
/** What the program says of the game: see /how/GAME. */
let how = null;
let game = "";
/** The piece that is told about: its square, or a letter of the legend. */
let told = null;
/** Where it may go, once the program has answered. */
let ways = null;
let timer = null;

export function start(actions) {
  ({ send, state, facts } = actions);
  $("show-how").addEventListener("click", () => toggle());
}

/** The game that is taught has changed. */
export async function take(name) {
  if (game === name) return;
  game = name;
  how = null;
  tell(null);
  const text = await (await fetch(`/how/${name}`)).json();
  if (game !== name) return;
  how = text;
  if (!$("how").hidden) draw();
}

export const hasLessons = () => (how?.lessons ?? 0) > 0;

export function toggle(open = $("how").hidden) {
  $("how").hidden = !open;
  $("show-how").setAttribute("aria-expanded", String(open));
  document.body.classList.toggle("teaching", open);
  if (!open) return;
  draw();
  if (matchMedia("(max-width: 56rem)").matches) $("how").scrollIntoView();
}

function draw() {
  if (!how) return;
  const own = facts();
  const names = new Set(Object.values(own.pieces).map((name) => name.toLowerCase()));
  const [before, after] = parted(how.text, names);
  const legend = letters(own).map((letter) => h("li", { "data-letter": letter },
    piece(letter, "small"), h("span", {}, h("strong", {}, title(own, letter)), ": ", rules.inline(sentence(letter)))));
  $("how").replaceChildren(
    h("div", { class: "head" }, h("h2", {}, "How to play"), h("button", { type: "button", onclick: () => toggle(false), "aria-label": "Close how to play" }, "✕")),
    hasLessons() ? h("button", { type: "button", class: "strong", id: "learn", onclick: () => learn(0) }, "Try it: a guided first game") : "",
    ...rules.read(before),
    h("ul", { class: "legend", "aria-label": "The pieces" }, legend),
    ...rules.read(after),
    h("button", { type: "button", id: "show-rules", onclick: () => rules.open(game) }, "All the rules"),
  );
}

/** Begins a task of the guided first game. */
export function learn(number) {
  toggle(false);
  scrollTo(0, 0);
  send({ do: "learn", game, number });
}

/** The text before and after the list of the pieces, which the legend takes the place of. */
export function parted(text, names) {
  const lines = text.split("\n");
  const is = (line) => /^\* \*\*([^*]+)\*\*:/.test(line) && (names.has(line.slice(4, line.indexOf("**:")).toLowerCase()) || line.startsWith("* **Ball**"));
  const first = lines.findIndex(is);
  if (first < 0) return [text, ""];
  const last = lines.length - 1 - [...lines].reverse().findIndex(is);
  let end = last + 1;
  while (end < lines.length && lines[end] !== "" && !lines[end].startsWith("* ")) end += 1;
  return [lines.slice(0, first).join("\n"), lines.slice(end).join("\n")];
}

/** One letter for each kind of piece: without those that only have a ball or a shield besides. */
function letters(own) {
  return Object.keys(own.pieces).filter((letter) => !/ with the ball$|, Defender$/.test(own.pieces[letter])).sort((one, other) => own.order.indexOf(one) - own.order.indexOf(other));
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const title = (own, letter) => capital(own.pieces[letter.toUpperCase()] ?? letter);

function sentence(letter) {
  const about = how?.about[letter.toUpperCase()] ?? "";
  const defender = / Defender$/.test(facts().pieces[letter.toUpperCase()] ?? "") && how?.defender ? ` It is Defender, and ${how.defender}` : "";
  return about + defender;
}

/** A piece is pointed at: it is told about when the hand stays there. */
export function point(at) {
  clearTimeout(timer);
  if (told?.sticky) return;
  const there = at && state()?.board.pieces[at];
  if (!there) {
    if (told) timer = setTimeout(() => tell(null), 200);
    return;
  }
  timer = setTimeout(() => tell(at), 350);
}

/** Tells about the piece on a square; `sticky` until something else is chosen. */
export function tell(at, sticky = false) {
  clearTimeout(timer);
  const letter = at && state()?.board.pieces[at];
  told = letter ? { at, letter, sticky } : null;
  ways = null;
  if (told) send({ do: "ways", square: at });
  show();
}

/** The program has answered where a piece could go. */
export function hear(message) {
  if (message.square !== told?.at) return;
  ways = message;
  show();
}

function show() {
  const place = $("info");
  place.hidden = !told;
  if (told) {
    const own = facts();
    const why = ways?.why ? h("span", { class: "why" }, `It cannot move now: ${ways.why}.`) : "";
    place.replaceChildren(piece(told.letter, "small"), h("p", {}, h("strong", {}, `${title(own, told.letter)}.`), " ", rules.inline(capital(sentence(told.letter))), " ", why));
  }
  board.ways(told && ways ? ways.ways : []);
}

/** Nothing is told about any more. */
export const release = () => told && tell(null);

/** What stands above the board's question in the guided first game. */
export function lesson(task) {
  const place = $("lesson");
  place.hidden = !task;
  if (!task) return place.replaceChildren();
  const { number, of, progress } = task;
  const dots = [...Array(of).keys()].map((own) => h("i", { class: own < number || (own === number && progress === "done") ? "made" : own === number ? "now" : "" }));
  const next = number + 1 < of
    ? h("button", { type: "button", class: "strong", id: "next-task", onclick: () => learn(number + 1) }, "Next task")
    : h("button", { type: "button", class: "strong", id: "next-task", onclick: () => $("new").click() }, "Play a game");
  const again = h("button", { type: "button", id: "again", onclick: () => learn(number) }, "Try again");
  const hint = h("button", { type: "button", id: "way", onclick: () => board.draw(task.arrows.map((path) => ({ path, kind: "idea" }))) }, "Show me");
  const said = { done: task.praise, missed: "Not yet: that turn is over, and it was not what is asked for." }[progress];
  place.replaceChildren(
    h("div", { class: "dots", role: "img", "aria-label": `Task ${number + 1} of ${of}` }, dots),
    h("p", { id: "task" }, task.task),
    said ? h("p", { class: progress, role: "status" }, said) : "",
    h("div", { class: "row" }, progress === "done" ? next : progress === "missed" ? again : hint),
  );
}
