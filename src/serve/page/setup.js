// A new game: what is played, who plays, how strong, by which clock.

import { $, h } from "./dom.js";
import * as friends from "./friends.js";

let begin = null;
let playing = null;
let games = [];
let waiting = null;

const SIDES = [
  ["white", "You play White", ["person", "engine"]],
  ["black", "You play Black", ["engine", "person"]],
  ["both", "Two people", ["person", "person"]],
  ["friend", "Play a friend elsewhere", ["person", "person"]],
  ["none", "Watch the engine", ["engine", "engine"]],
];
const LEVELS = [
  ["elo=800", "Beginner"], ["elo=1200", "Casual"], ["elo=1600", "Club player"], ["elo=2000", "Strong"],
  ["time=1", "Full strength, 1 second"], ["time=5", "Full strength, 5 seconds"],
];
const CLOCKS = [
  ["inf", "No clock"], ["60+1", "1 minute + 1 s"], ["180+2", "3 minutes + 2 s"], ["300+3", "5 minutes + 3 s"],
  ["600+5", "10 minutes + 5 s"], ["1800", "30 minutes"],
];

const kept = () => {
  try {
    return JSON.parse(localStorage.getItem("carom-setup")) ?? {};
  } catch {
    return {};
  }
};

export function start(actions) {
  ({ begin, playing } = actions);
}

export function games_(list) {
  games = list;
}
export { games_ as games };

/** What is chosen when nobody chooses. */
export function usual() {
  const { side = "white", level = "elo=1200", tc = "inf" } = kept();
  return { seats: SIDES.find(([own]) => own === side)?.[2] ?? ["person", "engine"], level, tc };
}

/** Opens the box; `wrong` is what was wrong with a wish from elsewhere, which was for `game`. */
export function open(wrong, game) {
  const dialog = $("setup");
  const old = kept();
  const wish = { game: game ?? old.game ?? "hanniball", side: old.side ?? "white", level: old.level ?? "elo=1200", tc: old.tc ?? "inf", rules: {}, roll: false };
  if (!games.some((game) => game.name === wish.game)) wish.game = games[0].name;
  const fault = h("p", { id: "setup-fault", role: "alert", hidden: true });
  const rules = h("div", { class: "rules" });
  const summary = h("p", { class: "summary" });
  const list = h("div", { class: "games", role: "radiogroup", "aria-label": "Game" }, groups().map(([family, members]) => family === null
    ? radio("game", members[0].name, members[0].title, wish.game, (value) => choose(value))
    : h("div", { class: "family" }, h("span", {}, family), members.map((game) => radio("game", game.name, short(game, family), wish.game, (value) => choose(value))))));
  const side = h("div", { class: "sides", role: "radiogroup", "aria-label": "Players" }, SIDES.map(([value, label]) => radio("side", value, label, wish.side, (chosen) => { wish.side = chosen; sides(); })));
  const color = h("select", { id: "own-side" }, [["white", "White"], ["black", "Black"], ["either", "Either"]].map(([value, label]) => h("option", { value }, label)));
  const ownName = h("input", { type: "text", id: "own-name", maxLength: 24, value: friends.ownName(), autocomplete: "nickname" });
  const withFriend = h("div", { class: "row" }, h("label", {}, "Your side", color), h("label", {}, "Your name", ownName));
  const sides = () => {
    withFriend.hidden = wish.side !== "friend";
    level.hidden = wish.side === "friend" || wish.side === "both";
  };
  const level = select("Level", LEVELS, wish.level, (value) => { wish.level = value; });
  const clock = select("Clock", CLOCKS, wish.tc, (value) => { wish.tc = value; });
  const position = h("input", { type: "text", id: "setup-position", placeholder: "the usual start", spellcheck: false, autocomplete: "off" });

  sides();

  function choose(name) {
    wish.game = name;
    wish.rules = {};
    wish.roll = false;
    const game = games.find((own) => own.name === name);
    summary.textContent = capital(game.summary).replace(/\.*$/, ".");
    const switches = game.switches.map((rule) => rule.values.length === 2 && rule.values[0] === "false"
      ? h("label", { class: "check" }, h("input", { type: "checkbox", onchange: (event) => { wish.rules[rule.name] = String(event.target.checked); } }), capital(rule.help))
      : h("label", {}, capital(rule.help), h("select", { onchange: (event) => { wish.rules[rule.name] = event.target.value; } }, rule.values.map((value) => h("option", { value }, value)))));
    if (game.chance && !game.cards) {
      switches.push(h("label", { class: "check" }, h("input", { type: "checkbox", onchange: (event) => { wish.roll = event.target.checked; } }), "Roll your own dice, and tell what they show"));
    }
    rules.replaceChildren(...switches);
  }
  choose(wish.game);
  if (wrong) {
    fault.textContent = capital(wrong);
    fault.hidden = false;
  }

  const submit = (event) => {
    event.preventDefault();
    fault.hidden = true;
    const seats = SIDES.find(([own]) => own === wish.side)[2];
    localStorage.setItem("carom-setup", JSON.stringify({ game: wish.game, side: wish.side, level: wish.level, tc: wish.tc }));
    waiting = dialog;
    const friend = wish.side !== "friend" ? undefined : color.value === "either" ? (Math.random() < 0.5 ? "white" : "black") : color.value;
    if (friend) friends.setOwnName(ownName.value);
    begin({ friend, game: wish.game, rules: wish.rules, seats, level: wish.level, tc: wish.tc, roll: wish.roll, position: position.value.trim() || undefined });
    // Closed by the game that begins; what is wrong keeps it open.
    setTimeout(() => { if (waiting) close(); }, 300);
  };
  dialog.replaceChildren(h("form", { onsubmit: submit },
    h("h2", { id: "setup-title" }, "New game"),
    h("div", { class: "columns" },
      h("div", {}, list),
      h("div", { class: "choices" }, summary, side, withFriend, h("div", { class: "row" }, level, clock), rules,
        h("details", {}, h("summary", {}, "Begin from a position"), h("label", { class: "wide" }, "Position, as text", position)))),
    fault,
    h("div", { class: "row end" },
      playing() ? h("button", { type: "button", onclick: close }, "Cancel") : null,
      h("button", { type: "submit", class: "strong", id: "begin" }, "Play")),
  ));
  dialog.showModal();
  $("begin").focus({ preventScroll: true });
  dialog.scrollTop = 0;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Games of one family (the modes of Chess with Wickets) stand together. */
export function groups() {
  const found = [];
  for (const game of games) {
    const family = game.name.startsWith("wickets") ? "Chess with Wickets" : null;
    const last = found.at(-1);
    if (family && last?.[0] === family) last[1].push(game);
    else found.push([family, [game]]);
  }
  return found;
}

/** A game's title beside the name of its family. */
export const short = (game, family) => game.title.replace(family, "").replace(/^[\s,:(–-]+|\)$/g, "") || game.title;

function radio(group, value, label, chosen, onchange) {
  return h("label", { class: "radio" }, h("input", { type: "radio", name: group, value, checked: value === chosen, onchange: () => onchange(value) }), h("span", {}, label));
}

function select(label, options, chosen, onchange) {
  const known = options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]];
  const own = [...known, ["…", "Other…"]];
  const list = h("select", {}, own.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  list.addEventListener("change", () => {
    if (list.value === "…") {
      const typed = prompt(label === "Level" ? "Level: depth=6, nodes=20000, time=2 or elo=1500" : "Clock in seconds: 300+2, 40/60, 60hg or inf", chosen);
      if (typed) list.prepend(h("option", { value: typed, selected: true }, typed));
      list.value = typed || chosen;
    }
    onchange(list.value);
  });
  return h("label", {}, label, list);
}

function close() {
  waiting = null;
  $("setup").close();
}

/** True when a fault is told here. */
export function complain(message) {
  if (!waiting || message.do !== "new") return false;
  waiting = null;
  const line = $("setup-fault");
  line.textContent = message.text;
  line.hidden = false;
  return true;
}
