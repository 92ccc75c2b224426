// What the engine thinks: a bar, its lines with arrows, how the score went.

import { $, h, svg } from "./dom.js";

let send = null;
let walk = null;
let analysis = null;

export function start(actions) {
  ({ send, walk } = actions);
}

export function hear(message) {
  analysis = message;
}

const shown = (state) => (analysis && state.analysing > 0 && analysis.at <= state.at && state.at - analysis.at <= 1 ? analysis : null);

/** The first steps of the lines, to be drawn. */
export function arrows(state) {
  if (!state.yours || analysis?.at !== state.at || state.analysing === 0) return [];
  return analysis.lines.flatMap((line) => line.arrows.map((path) => ({ path, kind: "idea", weight: 1.1 - 0.25 * Math.min(line.rank - 1, 3) })));
}

export function show(state, look) {
  if (state.at === 0 && analysis?.at > 0) analysis = null;
  const best = shown(state);
  lines(state, best);
  bar(state, best);
  graph(state, look);
}

function lines(state, best) {
  const count = h("select", { "aria-label": "How many lines", id: "lines-count", onchange: (event) => send({ do: "analyse", lines: Number(event.target.value) }) },
    [0, 1, 2, 3, 5].map((number) => h("option", { value: number, selected: number === state.analysing }, number === 0 ? "off" : `${number} ${number === 1 ? "line" : "lines"}`)));
  const head = h("div", { class: "head" }, h("h2", {}, "Engine"), best ? h("small", {}, `depth ${best.depth} · ${speed(best.speed)}`) : null, h("label", {}, count));
  const found = best ? best.lines.map((line) => h("li", {}, h("b", {}, line.score), h("span", {}, line.pv.map((token, index) => h("button", { type: "button", "aria-label": `The board after ${line.pv.slice(0, index + 1).join(" ")}`, onclick: () => walk(best.at, line.pv.slice(0, index + 1)) }, token))))) : [];
  const place = $("lines");
  $("thinking").hidden = Boolean(state.friends);
  // A list that is being chosen from stays.
  if (document.activeElement?.id === "lines-count" && place.firstChild) {
    place.querySelector("ol").replaceChildren(...found);
    place.querySelector("small")?.remove();
    if (best) place.querySelector("h2").after(head.querySelector("small"));
    return;
  }
  place.replaceChildren(head, h("ol", {}, found));
}

/** Positions a second, in few figures. */
export const speed = (nodes) => (nodes > 1e6 ? `${(nodes / 1e6).toFixed(1)} M/s` : `${Math.round(nodes / 1e3)} k/s`);

function bar(state, best) {
  const place = $("bar");
  const scored = [...state.turns].reverse().find((turn) => turn.score !== undefined);
  const expected = best?.lines[0]?.expected ?? (scored ? share(scored.score) : null);
  place.hidden = expected === null || state.analysing === 0;
  if (place.hidden) return;
  place.setAttribute("aria-label", `White's chances: ${Math.round(expected * 100)} %`);
  place.firstChild.style.height = `${(expected * 100).toFixed(1)}%`;
}

/** White's share of a point for centipawns. */
export const share = (score) => 1 / (1 + 10 ** (-score / 400));

function graph(state, look) {
  // A person who plays against the engine sees its opinion only after asking for lines.
  const told = state.analysing > 0 || state.result || !state.seats.includes("person");
  const points = !told ? [] : state.turns.map((turn, index) => ({ index: index + 1, end: turn.end, score: turn.score })).filter((point) => point.score !== undefined);
  if (points.length < 2) return $("graph").replaceChildren();
  const [width, height] = [300, 60];
  const x = (index) => (index / Math.max(state.turns.length, 1)) * width;
  const y = (score) => height - share(score) * height;
  const line = points.map((point) => `${x(point.index).toFixed(1)} ${y(point.score).toFixed(1)}`).join("L");
  const area = `M${x(points[0].index).toFixed(1)} ${height}L${line}L${x(points.at(-1).index).toFixed(1)} ${height}z`;
  const now = state.turns.findIndex((turn) => turn.end >= (look?.at ?? state.at)) + 1;
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": "How the engine saw the game, White above" },
    svg("rect", { class: "ground", width, height }), svg("path", { class: "area", d: area }), svg("path", { class: "zero", d: `M0 ${height / 2}H${width}` }),
    svg("path", { class: "score", d: `M${line}` }), svg("path", { class: "now", d: `M${x(now).toFixed(1)} 0V${height}` }));
  drawn.addEventListener("click", (event) => {
    const box = drawn.getBoundingClientRect();
    const wanted = Math.round(((event.clientX - box.left) / box.width) * state.turns.length);
    document.querySelector(`#list [data-end="${state.turns[Math.max(0, wanted - 1)].end}"]`)?.click();
  });
  $("graph").replaceChildren(drawn);
}
