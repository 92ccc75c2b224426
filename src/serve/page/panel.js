// Beside the board: the question, its answers, players with clocks and hands.

import { $, card, h, piece, name } from "./dom.js";
import * as friends from "./friends.js";
import { lastTurn } from "./happened.js";
import { place } from "./moves.js";
import { chance, press } from "./pointing.js";

let send = null;
let turn = null;
let hand = null;
let flipped = null;
let ticking = null;
let said = "";
let noticed = null;

export function start(actions) {
  ({ send, turn, hand, flipped } = actions);
  // On a phone the question stands at the foot: the page keeps as much room below the board.
  const ask = $("ask");
  new ResizeObserver(() => document.documentElement.style.setProperty("--foot", `${ask.offsetHeight}px`)).observe(ask);
}

/** Says something for a while. */
export function notice(text, fault = true) {
  const line = $("notice");
  line.classList.toggle("fault", fault);
  line.textContent = text.charAt(0).toUpperCase() + text.slice(1);
  line.hidden = false;
  clearTimeout(noticed);
  noticed = setTimeout(() => { line.hidden = true; }, 8000);
}

export function show(state, { game, facts, look, send: say, back, goThere, chosen }) {
  prompt(state, look);
  steps(state, look);
  outcome(state, look);
  $("answers").replaceChildren(...(look ? looking(state, back, goThere) : answers(state, say)));
  $("tools").replaceChildren(...tools(game, facts));
  players(state, facts, chosen);
  $("roles").replaceChildren(...(state.roles.length > 1 ? state.roles.map((line) => h("li", {}, line.replace(/ \([+#oO]\)/g, ""))) : []));
  clearInterval(ticking);
  if (state.running && state.clocks) ticking = tick(state);
}

function prompt(state, look) {
  const ask = $("ask");
  ask.classList.toggle("yours", state.yours && !look);
  ask.classList.toggle("over", Boolean(state.result));
  const over = state.result && !look ? result(state) : null;
  $("prompt").textContent = over ?? (look ? `${look.walk ? "This is how it would stand" : "This is how it stood"} after ${place(state, look)}.${look.legal.length ? " What you play here is a variation." : ""}` : state.prompt);
  document.body.dataset.actor = state.result ? "over" : state.yours ? "yours" : "other";
}

/** Steps of a turn, as dots. */
function steps(state, look) {
  const line = $("steps");
  line.hidden = !state.steps || Boolean(look);
  if (line.hidden) return;
  const [made, allowed] = state.steps;
  const dots = [...Array(allowed).keys()].map((step) => h("i", { class: step < made ? "made" : step === made ? "now" : "" }));
  line.setAttribute("role", "img");
  line.setAttribute("aria-label", `${made} of ${allowed} steps made`);
  line.replaceChildren(...dots, h("span", {}, `${allowed - made} of ${allowed} left`));
}

/** The result as the players see it, the reason behind it: `You won: White mates`. */
export function result({ result: { result: points, reason }, seats, seat }) {
  const persons = seats.map((own, index) => (seat ? seat === ["white", "black"][index] : own === "person"));
  const winner = { "1-0": 0, "0-1": 1 }[points];
  const why = reason.replace(/ \([^()]*\)$/, "");
  if (winner === undefined) return `Drawn: ${why.replace(/^drawn /, "")}`;
  if (persons[0] !== persons[1]) return `You ${persons[winner] ? "won" : "lost"}: ${why}`;
  return `${["White", "Black"][winner]} won: ${why}`;
}

/** The same as a record has it, with the number of the rule. */
function outcome(state, look) {
  const line = $("outcome");
  line.hidden = !state.result || Boolean(look);
  line.textContent = state.result ? `${state.result.result} · ${state.result.reason}` : "";
}

/** What chance decides of what is pointed at. */
export function odds(list) {
  const line = $("told");
  if (!list) {
    if (line.classList.contains("odds")) {
      line.classList.remove("odds");
      line.textContent = line.dataset.before ?? "";
      line.hidden = !line.textContent;
    }
    return;
  }
  if (!line.classList.contains("odds")) line.dataset.before = line.hidden ? "" : line.textContent;
  line.classList.add("odds");
  line.hidden = false;
  line.textContent = `Chance decides: ${list.map(chance).join("; ")}.`;
}

function looking(state, back, goThere) {
  const on = h("button", { type: "button", id: "play-on", onclick: goThere }, "Play on from here");
  const leave = h("button", { type: "button", class: "strong", onclick: back }, "Back to the game");
  return state.friends || state.walk ? [leave] : [leave, on];
}

/** Buttons for what is not said on the board. */
function answers(state, say) {
  const play = (decision) => say({ do: "play", word: decision.word, at: state.at });
  if (state.result && state.seat) {
    const again = h("button", { type: "button", class: "strong", id: "rematch", disabled: Boolean(state.friends.proposal), onclick: () => say({ do: "rematch" }) }, "Rematch");
    return [again, h("button", { type: "button", onclick: () => $("new").click() }, "New game")];
  }
  if (state.result) {
    return [h("button", { type: "button", class: "strong", onclick: () => $("new").click() }, "Play again")];
  }
  // Who looks on says nothing.
  if (!state.key) return [];
  if (state.viewer === "nobody") {
    return [h("button", { type: "button", class: "strong", id: "ready", onclick: () => say({ do: "ready" }) }, `I am ${name(state.actor === "p2" ? "black" : state.actor === "p1" ? "white" : state.turn)}: show my cards`)];
  }
  if (!state.yours) {
    if (state.seat) return [];
    if (state.paused) return [h("button", { type: "button", class: "strong", onclick: () => say({ do: "pause", on: false }) }, "Go on")];
    const hurry = h("button", { type: "button", onclick: () => say({ do: "hurry" }) }, "Play now");
    const engines = state.seats.every((seat) => seat === "engine");
    return engines ? [h("button", { type: "button", onclick: () => say({ do: "pause", on: true }) }, "Pause")] : [hurry];
  }
  const found = [];
  const ball = state.legal.some((decision) => decision.kind === "ball");
  const move = state.legal.some((decision) => decision.kind === "move");
  const value = (decision) => (decision.kind === "card" ? "A23456789T".indexOf(decision.what[0]) : 0);
  for (const decision of [...state.legal].sort((one, other) => value(one) - value(other))) {
    if (decision.kind === "card") found.push(card(decision.what, { onclick: () => play(decision), "data-word": decision.word }));
    if (decision.kind === "roll") found.push(h("button", { type: "button", class: "die", "aria-label": decision.label, "data-word": decision.word, onclick: () => play(decision) }, "⚀⚁⚂⚃⚄⚅"[Number(decision.what) - 1]));
    if (decision.kind === "stop") {
      const text = state.steps ? "End the turn" : ball && !move ? "Keep the ball" : "Stop";
      found.push(h("button", { type: "button", id: "stop", class: "strong", "data-word": decision.word, onclick: () => play(decision) }, text));
    }
    if (decision.kind === "change") {
      found.push(h("button", { type: "button", "data-word": decision.word, onclick: () => play(decision) }, piece(decision.becomes, "small"), `Make ${decision.from} small`));
    }
  }
  return found;
}

function tools(state, facts) {
  const over = Boolean(state.result);
  const person = state.seats.includes("person");
  const tool = (label, sign, id, onclick, disabled = false) =>
    h("button", { type: "button", id, title: label, disabled, onclick }, h("span", { "aria-hidden": "true" }, sign), h("small", {}, label));
  const round = tool("Turn round", "⇅", "flip", turn);
  if (!state.key) return [round];
  const found = [
    tool("Take back", "↶", "undo", () => send({ do: "undo" }), state.at === 0 || Boolean(state.seat && over)),
    state.seat ? null : tool("Hint", "✦", "hint", () => send({ do: "hint" }), !state.yours || over || state.actor === "chance"),
    round,
  ].filter(Boolean);
  if (person && !over) {
    if (facts.draws) found.push(tool("Draw", "½", "draw", (event) => (state.seats.includes("engine") || state.seat ? send({ do: "draw" }) : twice(event.currentTarget, "Both agree?", "draw"))));
    found.push(tool("Resign", "⚑", "resign", (event) => twice(event.currentTarget, "Really resign?", "resign")));
  }
  return found;
}

/** What cannot be undone is asked for twice, on the same button. */
function twice(button, question, what) {
  if (button.dataset.sure) return send({ do: what });
  button.dataset.sure = "yes";
  button.classList.add("sure");
  button.title = question;
  button.querySelector("small").textContent = question;
  return undefined;
}

/** Who sits where, with clock, cards and what is in hand. */
function players(state, facts, chosen) {
  const below = flipped() ? "black" : "white";
  for (const color of ["white", "black"]) {
    const place = $(color === below ? "below" : "above");
    const index = color === "white" ? 0 : 1;
    const seat = state.seats[index];
    const who = state.friends ? friends.who(state, color) : seat === "engine" ? `Carom · ${level(state.level)}` : state.seats[1 - index] === "person" ? "Player" : "You";
    const at = state.result ? false : state.turn === color;
    place.classList.toggle("on", at);
    place.replaceChildren(...[
      h("i", { class: `dot ${color}`, "aria-hidden": "true" }),
      h("strong", {}, name(color)),
      h("span", { class: "who" }, who),
      held(state, facts, color, chosen),
      cards(state, color),
      clock(state, color),
    ].filter(Boolean));
  }
}

/** Levels in words. */
export function level(words) {
  const [kind, value] = words.split("=");
  if (words.includes(",")) return words;
  return { elo: `Elo ${value}`, time: `${value} s a turn`, depth: `depth ${value}`, nodes: `${value} nodes` }[kind] ?? words;
}

function held(state, facts, color, chosen) {
  const own = Object.entries(state.board.hand).filter(([letter]) => (letter === letter.toUpperCase()) === (color === "white"));
  if (!own.length) return null;
  return h("span", { class: "hand" }, own.map(([letter, count]) => {
    const mine = state.legal.some((decision) => decision.kind === "drop" && decision.what === letter);
    return h("button", {
      type: "button", class: `held${chosen === letter ? " selected" : ""}`, disabled: !mine, "data-hand": letter,
      "aria-label": `${count} ${color === "white" ? "White" : "Black"} ${facts.pieces[letter.toUpperCase()] ?? letter}${count === 1 ? "" : "s"} in hand${mine ? ": pick one up to drop it" : ""}`, "aria-pressed": String(chosen === letter), onclick: () => hand(letter),
      onpointerdown: (event) => press(`hand:${letter}`, event),
    }, piece(letter, "small"), h("small", {}, `×${count}`));
  }));
}

function cards(state, color) {
  const hand = state.cards?.[color === "white" ? 0 : 1];
  if (!hand) return null;
  const backs = hand.hidden ? [h("span", { class: "card back", role: "img", "aria-label": `${hand.hidden} hidden cards` }, h("b", {}, hand.hidden))] : [];
  return h("span", { class: "cards" }, hand.seen.map((code) => card(code)), backs);
}

function clock(state, color) {
  if (!state.clocks) return null;
  const left = state.clocks[color === "white" ? 0 : 1];
  return h("time", { class: `clock${left < 20000 ? " short" : ""}`, "data-clock": color }, face(left));
}

/** The time left, in milliseconds, as a clock shows it. */
export function face(left) {
  const seconds = Math.max(0, left) / 1000;
  if (seconds < 20) return `0:${seconds.toFixed(1).padStart(4, "0")}`;
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

function tick(state) {
  const begun = performance.now();
  const index = state.running === "white" ? 0 : 1;
  return setInterval(() => {
    const left = state.clocks[index] - (performance.now() - begun);
    const shown = document.querySelector(`[data-clock="${state.running}"]`);
    if (!shown) return;
    shown.textContent = face(left);
    shown.classList.toggle("short", left < 20000);
  }, 100);
}

/** Tells who listens what was played, and what is asked. */
export function announce(state) {
  const asked = state.result ? result(state) : state.lesson?.task ?? state.prompt;
  const text = `${lastTurn(state)} ${asked}`.trim();
  if (text === said) return;
  said = text;
  $("live").textContent = text;
}
