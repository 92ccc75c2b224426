// The board: squares that are buttons, pieces on them, arrows drawn above.

import { $, h, piece, svg } from "./dom.js";

let facts = null;
let flipped = false;
let squares = new Map();
let over = null;
let act = null;

/** Calls `act.click(at)`, `act.point(at)` and so on for what is done on the board. */
export function listen(actions) {
  act = actions;
}

export const square = (at) => squares.get(at);

const split = (at) => [at.charCodeAt(0) - 97, Number(at.slice(1))];
const join = (file, rank) => String.fromCharCode(97 + file) + rank;

/** A game's facts with the size of that board, which a rule may make smaller. */
export const sized = (game, { files, ranks }) => ({ ...game, files, ranks });

/** Lays the board of a game out, from White's side or turned round. */
export function lay(game, turned) {
  if (facts && ["name", "files", "ranks"].every((key) => facts[key] === game[key]) && flipped === turned) return;
  [facts, flipped] = [game, turned];
  squares = new Map();
  const board = $("board");
  board.style.setProperty("--files", game.files);
  board.style.setProperty("--ranks", game.ranks);
  document.documentElement.style.setProperty("--aspect", game.files / game.ranks);
  board.setAttribute("aria-label", `${game.title}: the board, ${game.files} by ${game.ranks}`);
  const holes = new Set(game.holes);
  const low = game.first_rank;
  const ranks = [...Array(game.ranks).keys()].map((row) => row + low);
  const files = [...Array(game.files).keys()];
  const rows = (turned ? ranks : [...ranks].reverse()).map((rank) => {
    const row = h("div", { role: "row" });
    for (const file of turned ? [...files].reverse() : files) {
      const at = join(file, rank);
      if (holes.has(at)) {
        row.append(h("span", { class: "hole", role: "presentation" }));
        continue;
      }
      const dark = (file + rank) % 2 === 1;
      const goal = game.goals.some((corners) => within(at, corners));
      const cell = h("button", {
        type: "button",
        role: "gridcell",
        class: `sq ${dark ? "dark" : "light"}${goal ? " goal" : ""}`,
        tabIndex: -1,
        "data-at": at,
      });
      squares.set(at, cell);
      row.append(cell);
    }
    return row;
  });
  const bottom = (file) => (turned ? [...ranks].reverse() : ranks).find((rank) => !holes.has(join(file, rank)));
  const left = (rank) => (turned ? [...files].reverse() : files).find((file) => !holes.has(join(file, rank)));
  for (const file of files) squares.get(join(file, bottom(file)))?.setAttribute("data-file", join(file, ""));
  for (const rank of ranks) if (left(rank) !== undefined) squares.get(join(left(rank), rank)).setAttribute("data-rank", rank);
  over = svg("svg", { class: "arrows", viewBox: `0 0 ${game.files} ${game.ranks}`, "aria-hidden": "true" });
  board.replaceChildren(shade(game), ...rows, frames(game), over);
  const first = squares.get(join(0, low + 1)) ?? squares.values().next().value;
  first.tabIndex = 0;
}

function within(at, [one, other]) {
  const [[file, rank], [a, b], [c, d]] = [split(at), split(one), split(other)];
  return file >= Math.min(a, c) && file <= Math.max(a, c) && rank >= Math.min(b, d) && rank <= Math.max(b, d);
}

/** What throws the board's shadow: drawn once, whatever happens on the squares. */
function shade(game) {
  return svg("svg", { class: "shade", viewBox: `0 0 ${game.files} ${game.ranks}`, "aria-hidden": "true" }, [...squares.keys()].map((at) => {
    const [x, y] = middle(at);
    return svg("rect", { x: x - 0.49, y: y - 0.49, width: 0.98, height: 0.98 });
  }));
}

/** Lines around goals and goal areas. */
function frames(game) {
  const drawn = svg("svg", { class: "frames", viewBox: `0 0 ${game.files} ${game.ranks}`, "aria-hidden": "true" });
  for (const [one, other] of [...game.areas, ...game.goals]) {
    const [[x1, y1], [x2, y2]] = [middle(one), middle(other)];
    drawn.append(svg("rect", {
      x: Math.min(x1, x2) - 0.5, y: Math.min(y1, y2) - 0.5,
      width: Math.abs(x1 - x2) + 1, height: Math.abs(y1 - y2) + 1,
    }));
  }
  if (game.name === "rollerball") {
    // Round the ring, clockwise.
    const [x, y] = [game.files / 2, game.ranks / 2];
    drawn.append(
      svg("path", { class: "round", d: `M${x - 0.75} ${y + 0.45}A.87 .87 0 1 1 ${x + 0.75} ${y + 0.45}` }),
      svg("path", { class: "round tip", d: `M${x + 0.42} ${y + 0.33}L${x + 1.08} ${y + 0.53}L${x + 0.6} ${y + 0.86}z` }),
    );
  }
  return drawn;
}

/** The middle of a square in the picture above the board. */
export function middle(at) {
  const [file, rank] = split(at);
  const row = rank - facts.first_rank;
  return flipped
    ? [facts.files - file - 0.5, row + 0.5]
    : [file + 0.5, facts.ranks - row - 0.5];
}

/** Puts the pieces of a board where they stand; those that went are seen going. */
export function show(board, { animate }) {
  const last = new Set(board.deeds.flatMap((deed) => deed.squares));
  for (const [at, cell] of squares) {
    const letter = board.pieces[at] ?? "";
    if ((cell.dataset.piece ?? "") !== letter) {
      cell.querySelector(".piece")?.remove();
      if (letter) cell.append(piece(letter));
      cell.dataset.piece = letter;
    }
    cell.classList.toggle("last", last.has(at));
  }
  for (const cell of squares.values()) cell.classList.remove("arriving");
  if (!animate || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const came = new Map();
  for (const deed of board.deeds.filter((deed) => deed.what === "went" || deed.what === "flew")) {
    const [from, to] = [deed.squares[0], deed.squares.at(-1)];
    came.set(to, came.get(from) ?? from);
  }
  for (const [to, from] of came) {
    const picture = squares.get(to)?.querySelector(".piece");
    if (!picture || from === to || !squares.get(from)) continue;
    const [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
    // A piece is a little smaller than its square.
    const part = (way) => `${(way / 0.94) * 100}%`;
    // Above the squares it crosses.
    const cell = squares.get(to);
    cell.classList.add("arriving");
    picture.animate(
      [{ transform: `translate(${part(x1 - x2)}, ${part(y1 - y2)})` }, { transform: "none" }],
      { duration: 180, easing: "ease-out" },
    ).addEventListener("finish", () => cell.classList.remove("arriving"));
  }
}

/** A piece, or the ball alone, goes along a path of squares. */
export async function glide(path, ms, isBall) {
  const points = path.filter((at) => squares.has(at)).map(middle);
  if (points.length < 2) return;
  const [[x, y]] = points;
  const cell = squares.get(path[0]);
  const picture = isBall ? svg("circle", { class: "flying", cx: x, cy: y, r: 0.17 }) : cell.querySelector(".piece");
  if (!picture) return;
  // A piece is a little smaller than its square; the picture above the board is measured in squares.
  const shift = (own) => (isBall ? `${((own / facts.files) * 100).toFixed(2)}cqw` : `${((own / 0.94) * 100).toFixed(2)}%`);
  const keys = points.map(([a, b]) => ({ transform: `translate(${shift(a - x)}, ${shift(b - y)})` }));
  if (isBall) over.append(picture);
  else cell.classList.add("arriving");
  const longer = 1 + 0.35 * (points.length - 2);
  await picture.animate(keys, { duration: ms * longer, easing: "ease-in-out", fill: "forwards" }).finished.catch(() => {});
  if (isBall) picture.remove();
}

/** Marks where a piece could go that somebody looks at. */
export function ways(found) {
  for (const cell of squares.values()) cell.classList.remove("way", "way-ball");
  for (const decision of found) squares.get(decision.to)?.classList.add(decision.kind === "ball" ? "way-ball" : "way");
}

/** Marks squares: `marks` is a map from squares to classes. */
export function mark(marks) {
  for (const [at, cell] of squares) {
    cell.classList.remove("selected", "target", "take", "ball", "choose", "picked", "movable", "gone");
    const classes = marks.get(at);
    if (classes) cell.classList.add(...classes);
  }
}

/** Marks the king that is in check. */
export function check(at) {
  for (const [own, cell] of squares) cell.classList.toggle("check", own === at);
}

/** Tells each square's label: who stands there, and what `says(at)` adds. */
export function label(board, says) {
  for (const [at, cell] of squares) {
    const letter = board.pieces[at];
    const side = letter && (letter === letter.toUpperCase() ? "White" : "Black");
    const name = letter && (facts.pieces[letter.toUpperCase()] ?? letter);
    // A ball that nobody has: of neither side, or written as a thing of the other one.
    const own = { "the ball": "the ball", "ball of its side": `${side === "White" ? "Black" : "White"}'s ball` };
    const who = letter ? own[name] ?? `${side} ${name}` : "empty";
    const more = says(at);
    cell.setAttribute("aria-label", `${at}, ${who}${more ? ", " + more : ""}`);
  }
}

/** Draws arrows: `{path, kind, number}`; kinds are `went`, `flew`, `idea`, `own` and `dot`. */
export function draw(arrows) {
  over.replaceChildren(...arrows.flatMap(arrow), ...over.querySelectorAll(".flying"));
}

function arrow({ path, kind, number, weight = 1 }) {
  const points = path.filter((at) => squares.has(at)).map(middle);
  if (points.length === 0) return [];
  if (points.length === 1) {
    const [x, y] = points[0];
    return [svg("circle", { class: `arrow ${kind}`, cx: x, cy: y, r: 0.42, fill: "none" })];
  }
  const [[x1, y1], [x2, y2]] = points.slice(-2);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const tip = [x2 - ux * 0.16, y2 - uy * 0.16];
  const neck = [tip[0] - ux * 0.26, tip[1] - uy * 0.26];
  const line = [...points.slice(0, -1), neck].map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L");
  const wing = (sign) => `${(neck[0] - uy * 0.17 * sign).toFixed(2)} ${(neck[1] + ux * 0.17 * sign).toFixed(2)}`;
  const drawn = [
    svg("path", { class: `arrow ${kind}`, d: `M${line}`, "stroke-width": 0.1 * weight }),
    svg("path", { class: `tip ${kind}`, d: `M${tip[0].toFixed(2)} ${tip[1].toFixed(2)}L${wing(1)}L${wing(-1)}z` }),
  ];
  if (number) {
    const [[a, b], [c, d]] = points;
    const [x, y] = [(a + c) / 2, (b + d) / 2];
    drawn.push(
      svg("circle", { class: `number ${kind}`, cx: x, cy: y, r: 0.19 }),
      Object.assign(svg("text", { class: "number", x, y: y + 0.09 }), { textContent: number }),
    );
  }
  return drawn;
}

/** Moves the keyboard's place: one square in that direction, over holes. */
export function step(at, dx, dy) {
  const turn = flipped ? -1 : 1;
  let [file, rank] = split(at);
  for (let tries = 0; tries < 16; tries += 1) {
    file += dx * turn;
    rank += dy * turn;
    const next = squares.get(join(file, rank));
    if (next) return focus(join(file, rank));
  }
}

export function focus(at) {
  for (const cell of squares.values()) cell.tabIndex = -1;
  const cell = squares.get(at);
  if (!cell) return;
  cell.tabIndex = 0;
  cell.focus();
}

/** How wide a square is on the screen. */
export const size = () => squares.values().next().value.offsetWidth;

/** The square below a point of the screen. */
export function under(x, y) {
  return document.elementFromPoint(x, y)?.closest?.(".sq")?.dataset.at;
}

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export function start() {
  const board = $("board");
  const at = (event) => event.target.closest(".sq")?.dataset.at;
  board.addEventListener("click", (event) => at(event) && act.click(at(event)));
  board.addEventListener("contextmenu", (event) => event.preventDefault());
  board.addEventListener("pointerdown", (event) => at(event) && act.press(at(event), event));
  board.addEventListener("pointerover", (event) => act.point(at(event)));
  board.addEventListener("pointerleave", () => act.point(undefined));
  board.addEventListener("focusin", (event) => {
    if (!at(event)) return;
    for (const cell of squares.values()) cell.tabIndex = -1;
    event.target.tabIndex = 0;
    act.point(at(event));
  });
  board.addEventListener("keydown", (event) => {
    if (event.key in KEYS && at(event)) {
      event.preventDefault();
      step(at(event), ...KEYS[event.key]);
    }
  });
}
