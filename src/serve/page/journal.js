// A match that is watched: its table, how Elo and LLR went, its games.

import { $, h, piece, svg } from "./dom.js";
import { face } from "./panel.js";

let send = null;
let lay = null;
let facts = null;
let leave = null;
let shown = false;
let timer = null;
let rows = [];
let match = null;
let game = null;
let turn = 0;
/** The game that is played is shown as it goes on, or the newest one. */
let follow = true;

export function start(actions) {
  ({ send, lay, facts, leave } = actions);
  document.addEventListener("keydown", (event) => {
    if (!shown || event.target.closest("input, select, textarea, dialog")) return;
    if (event.key === "ArrowLeft") go(turn - 1);
    if (event.key === "ArrowRight") go(turn + 1);
  });
}

export function show() {
  if (shown) return;
  shown = true;
  if (location.hash !== "#match") history.replaceState(null, "", "#match");
  document.body.classList.add("playing", "watching");
  $("match").hidden = false;
  const ask = () => send({ do: "journal", from: rows.length });
  ask();
  clearInterval(timer);
  timer = setInterval(ask, 1000);
}

export function hide() {
  if (!shown) return;
  shown = false;
  clearInterval(timer);
  document.body.classList.remove("watching");
  $("match").hidden = true;
}

export function hear(message) {
  if (!shown) return;
  if (message.from > message.games) rows = [];
  if (message.from !== rows.length) return;
  match = message;
  rows.push(...message.rows);
  if (message.rows.length === 500) send({ do: "journal", from: rows.length });
  $("title").textContent = `${message.title}: a match`;
  const newest = message.running ?? rows.at(-1);
  const known = game?.number === newest?.number && game.turns.length === newest.turns && (game.result === "*") === Boolean(message.running);
  if (follow && newest && !known) send({ do: "game", number: newest.number });
  draw();
}

/** True when a fault is told here. */
export function complain(message) {
  if (!shown || !["journal", "game"].includes(message.do)) return false;
  if (!match) $("match").replaceChildren(h("p", {}, `No match yet: ${message.text}.`));
  return true;
}

export function game_(message) {
  if (!shown || !match) return;
  // A reader who has stepped back stays there.
  const stay = game?.number === message.number && turn < game.turns.length;
  if (!stay) turn = message.turns.length;
  game = message;
  place();
  draw();
}
export { game_ as game };

function go(to) {
  if (!game) return;
  turn = Math.min(Math.max(to, 0), game.turns.length);
  follow &&= turn === game.turns.length;
  place();
  draw();
}

function place() {
  lay(game.game, game.boards[turn]);
  for (const [id, color] of [["above", "black"], ["below", "white"]]) {
    const hand = Object.entries(game.boards[turn].hand).filter(([letter]) => (letter === letter.toUpperCase()) === (color === "white"));
    const clocked = game.turns.slice(0, turn).findLast((own) => own.by === color && own.left !== null);
    $(id).replaceChildren(h("i", { class: `dot ${color}` }), h("strong", {}, game[color]), h("span", { class: "who" }),
      ...(hand.length ? [h("span", { class: "hand" }, hand.map(([letter, count]) => h("span", { class: "held", role: "img", "aria-label": `${count} ${facts(game.game).pieces[letter.toUpperCase()] ?? letter} in hand` }, piece(letter, "small"), h("small", {}, `×${count}`))))] : []),
      ...(clocked ? [h("time", { class: "clock" }, face(clocked.left))] : []));
  }
  const last = game.turns[turn - 1];
  $("live").textContent = last ? `${last.by}: ${last.text}` : "The start";
}

function draw() {
  const button = (label, sign, to) => h("button", { type: "button", "aria-label": label, title: label, onclick: () => go(to), disabled: !game || to < 0 || to > game.turns.length || to === turn }, sign);
  const last = game?.turns[turn - 1];
  const table = h("table", {}, h("thead", {}, h("tr", {}, ["Engine", "Points", "Won", "Drawn", "Lost"].map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, match.table.map((row) => h("tr", {}, h("th", { scope: "row" }, row.name), [row.points, row.wins, row.draws, row.losses].map((value) => h("td", {}, value))))));
  const running = match.running ? [match.running] : [];
  const list = h("ol", { class: "games-played" }, [...running, ...[...rows].reverse().slice(0, 300)].map((row) => h("li", {}, h("button", {
    type: "button", class: game?.number === row.number ? "current" : "", onclick: () => { follow = row.result === "*"; send({ do: "game", number: row.number }); },
  }, h("b", {}, row.number), h("span", {}, `${row.white} – ${row.black}`), h("strong", {}, row.result === "*" ? "…" : row.result)))));
  $("match").replaceChildren(
    h("div", { class: "head" }, h("h2", {}, `${rows.length} ${rows.length === 1 ? "game" : "games"}`),
      h("label", {}, h("input", { type: "checkbox", checked: follow, onchange: (event) => { follow = event.target.checked; } }), "follow"),
      h("button", { type: "button", onclick: () => { hide(); leave(); } }, "Leave")),
    table,
    h("p", { class: "summary-lines" }, match.summary.map((line) => h("span", {}, line))),
    ...curves(),
    game ? h("p", { class: "of-game" }, h("b", {}, `Game ${game.number}: `), turn === game.turns.length && game.result !== "*" ? `${game.result}, ${game.reason}` : last ? `${turn}. ${last.text}${last.info ? ` (${last.info})` : ""}` : "the start") : "",
    h("div", { class: "walk", role: "toolbar", "aria-label": "Step through the game" }, button("To the start", "«", 0), button("A turn back", "‹", turn - 1), button("A turn on", "›", turn + 1), button("To the end", "»", game?.turns.length ?? 0)),
    ...(game ? [moves()] : []),
    list,
  );
}

/** The turns of the game that is shown. */
function moves() {
  const list = h("ol", { class: "turns-played", "aria-label": "Moves" }, game.turns.map((own, index) => h("li", {},
    own.by === "white" || index === 0 ? h("b", {}, `${Math.floor((index + (game.turns[0].by === "black" ? 1 : 0)) / 2) + 1}${own.by === "white" ? "." : "…"}`) : null,
    h("button", { type: "button", class: index + 1 === turn ? "current" : "", onclick: () => go(index + 1) }, own.text))));
  requestAnimationFrame(() => {
    const current = list.querySelector(".current");
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  });
  return list;
}

/** Elo with its margin, and LLR between its bounds. */
function curves() {
  const points = match.curve;
  if (points.length < 2) return [];
  const found = [curve("Elo", points.map((point) => [point.games, point.elo, point.error]), [0])];
  if (points[0].llr !== null) found.push(curve("LLR", points.map((point) => [point.games, point.llr, 0]), match.bounds ?? []));
  return found;
}

function curve(label, points, lines) {
  const [width, height] = [300, 70];
  const settled = points.slice(Math.min(points.length - 2, Math.floor(points.length / 10)));
  const values = [...settled.flatMap(([, value, error]) => [value - Math.min(error, 400), value + Math.min(error, 400)]), ...lines];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (games) => (games / points.at(-1)[0]) * width;
  const y = (value) => height - 4 - ((Math.min(Math.max(value, low), high) - low) / (high - low || 1)) * (height - 8);
  const at = ([games, value]) => `${x(games).toFixed(1)} ${y(value).toFixed(1)}`;
  const upper = points.map(([games, value, error]) => at([games, value + error]));
  const lower = points.map(([games, value, error]) => at([games, value - error])).reverse();
  const last = points.at(-1);
  return h("figure", {}, h("figcaption", {}, `${label} ${last[1].toFixed(label === "Elo" ? 0 : 2)}${last[2] ? ` ± ${last[2].toFixed(0)}` : ""}`),
    svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": `${label} over ${last[0]} games` },
      svg("path", { class: "margin", d: `M${[...upper, ...lower].join("L")}z` }),
      ...lines.map((value) => svg("path", { class: "zero", d: `M0 ${y(value)}H${width}` })),
      svg("path", { class: "score", d: `M${points.map(at).join("L")}` })));
}

