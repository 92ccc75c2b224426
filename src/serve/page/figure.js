// A small board that moves: the figures of the rules, and pictures to keep.

import { h, piece, svg } from "./dom.js";

const split = (at) => [at.charCodeAt(0) - 97, Number(at.slice(1))];

/** A still board as an SVG element, seen from White's side. */
export function picture(game, pieces, arrows = []) {
  const middle = (at) => {
    const [file, rank] = split(at);
    return [file + 0.5, game.ranks - (rank - game.first_rank) - 0.5];
  };
  const holes = new Set(game.holes);
  const squares = [];
  for (let file = 0; file < game.files; file += 1) {
    for (let row = 0; row < game.ranks; row += 1) {
      const at = String.fromCharCode(97 + file) + (row + game.first_rank);
      if (holes.has(at)) continue;
      const goal = game.goals.some(([one, other]) => inside(at, one, other));
      squares.push(svg("rect", { class: `${(file + row + game.first_rank) % 2 ? "dark" : "light"}${goal ? " goal" : ""}`, x: file, y: game.ranks - row - 1, width: 1, height: 1 }));
    }
  }
  const placed = Object.entries(pieces).map(([at, letter]) => {
    const [x, y] = middle(at);
    const drawn = piece(letter, "");
    for (const [name, value] of Object.entries({ x: x - 0.47, y: y - 0.47, width: 0.94, height: 0.94, "data-at": at })) drawn.setAttribute(name, value);
    return drawn;
  });
  const lines = arrows.map(({ squares: path, what }) => svg("path", { class: `arrow ${what}`, d: `M${path.map((at) => middle(at).join(" ")).join("L")}` }));
  return svg("svg", { class: "small-board", viewBox: `0 0 ${game.files} ${game.ranks}` }, squares, placed, lines);
}

function inside(at, one, other) {
  const [[file, rank], [a, b], [c, d]] = [split(at), split(one), split(other)];
  return file >= Math.min(a, c) && file <= Math.max(a, c) && rank >= Math.min(b, d) && rank <= Math.max(b, d);
}

/** The boards of a story: the first one, and that behind each step, with what is drawn of it. */
export function boards(story) {
  let pieces = { ...story.pieces };
  const found = [{ pieces, drawn: [], words: "" }];
  for (const step of story.steps) {
    pieces = { ...pieces };
    for (const [at, letter] of Object.entries(step.change)) {
      if (letter) pieces[at] = letter;
      else delete pieces[at];
    }
    found.push({ pieces, drawn: step.drawn.filter((part) => part.squares.length > 1), words: step.words });
  }
  return found;
}

/** A figure with its caption: it moves while it is seen, and stands still for those who want that. */
export function figure(name, caption, facts) {
  const place = h("div", { class: "stage" });
  const words = h("small", {}, "");
  const again = h("button", { type: "button", class: "again", "aria-label": `Show again: ${caption}` }, "↻");
  const whole = h("figure", { class: "figure" }, place, h("figcaption", {}, caption, " ", words), again);
  load();

  async function load() {
    const answer = await fetch(`/figures/${name}`);
    if (!answer.ok) return whole.remove();
    const { game, story } = await answer.json();
    const all = boards(story);
    const last = all.length - 1;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let shown = still ? last : 0;
    let timer = null;
    const show = () => {
      const { pieces, drawn, words: said } = all[shown];
      place.replaceChildren(picture(facts(game), pieces, still ? all.flatMap((board) => board.drawn) : drawn));
      words.textContent = said;
    };
    const on = () => {
      clearTimeout(timer);
      if (!whole.isConnected || shown === last) return;
      timer = setTimeout(() => {
        shown += 1;
        show();
        on();
      }, shown === 0 ? 900 : 1100);
    };
    again.addEventListener("click", () => {
      shown = 0;
      show();
      on();
    });
    show();
    if (still) return;
    const watch = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && on());
    watch.observe(whole);
  }
  return whole;
}
