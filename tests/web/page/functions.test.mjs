// The functions of the page that need no browser, by node's own runner: see tests/web/page.sh.

import "./document.mjs";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const page = (name) => import(new URL(`../../../src/serve/page/${name}.js`, import.meta.url));
const [dom, figure, happened, moves, panel, pointing, rules, setup, stage, teach, thinking, wire] = await Promise.all(
  ["dom", "figure", "happened", "moves", "panel", "pointing", "rules", "setup", "stage", "teach", "thinking", "wire"].map(page),
);

test("a place is named by its turn, also in a variation of a variation", () => {
  const turn = (by, end) => ({ by, text: "…", end });
  const state = {
    turns: [turn("white", 1), turn("black", 3), turn("white", 4)],
    variations: [
      { number: 0, of: null, at: 3, turns: [turn("white", 5), turn("black", 6)] },
      { number: 1, of: 0, at: 5, turns: [turn("black", 7)] },
    ],
  };
  const places = [[0, null], [1, null], [2, null], [4, null], [3, 0], [6, 0], [7, 1], [5, 1]];
  assert.deepEqual(places.map(([at, variation]) => moves.place(state, { at, variation })), [
    "nothing was played", "turn 1", "turn 2", "turn 3", "turn 2 of a variation", "turn 4 of a variation",
    "turn 4 of a variation", "turn 3 of a variation",
  ]);
});

test("levels are said in words", () => {
  const levels = ["elo=1500", "time=2", "depth=6", "nodes=20000", "depth=3,elo=900", "strange"];
  assert.deepEqual(levels.map(panel.level), ["Elo 1500", "2 s a turn", "depth 6", "20000 nodes", "depth=3,elo=900", "strange"]);
});

test("a clock shows tenths at the end, and hours when there are any", () => {
  const times = [-5, 0, 9340, 19999, 20000, 61000, 298000, 3600000, 3909000];
  assert.deepEqual(times.map(panel.face), ["0:00.0", "0:00.0", "0:09.3", "0:20.0", "0:20", "1:01", "4:58", "1:00:00", "1:05:09"]);
});

test("cards are read out and may be pressed", () => {
  const shown = dom.card("Th");
  assert.deepEqual([shown.tag, shown.attributes["aria-label"], shown.attributes.class, shown.text], ["span", "10 of Hearts", "card red", "10♥"]);
  let pressed = 0;
  const played = dom.card("Ac", { onclick: () => { pressed += 1; } });
  played.listeners.click();
  assert.deepEqual([played.tag, played.attributes["aria-label"], played.attributes.class, pressed], ["button", "Play the Ace of Clubs", "card", 1]);
});

test("an element leaves out what is false and absent", () => {
  const element = dom.h("p", { id: "x", hidden: undefined, "data-word": "e2e4", disabled: false }, "one", null, ["two", false]);
  assert.deepEqual([element.attributes, element.children], [{ id: "x", "data-word": "e2e4" }, ["one", "two"]]);
});

test("arrows are those of the present position, weaker by rank", () => {
  const state = { yours: true, at: 4, analysing: 2 };
  assert.deepEqual(thinking.arrows(state), []);
  thinking.hear({ at: 4, lines: [{ rank: 1, arrows: [["e2", "e4"]] }, { rank: 2, arrows: [["d2", "d4"], ["f4"]] }] });
  const found = thinking.arrows(state).map(({ path, weight }) => [path.join(), weight.toFixed(2)]);
  assert.deepEqual(found, [["e2,e4", "1.10"], ["d2,d4", "0.85"], ["f4", "0.85"]]);
  for (const other of [{ at: 5 }, { yours: false }, { analysing: 0 }]) {
    assert.deepEqual(thinking.arrows({ ...state, ...other }), [], JSON.stringify(other));
  }
});

test("chances and speeds", () => {
  assert.equal(thinking.share(0), 0.5);
  assert.ok(Math.abs(thinking.share(400) - 10 / 11) < 1e-12 && thinking.share(-400) + thinking.share(400) === 1);
  assert.deepEqual([1234567, 98765, 400].map(thinking.speed), ["1.2 M/s", "99 k/s", "0 k/s"]);
});

test("as much of Markdown as the rules use", () => {
  const shapes = (text) => rules.read(text).map((element) => element.shape ?? element);
  assert.deepEqual(shapes("# Alapo\n\nTwo lines\nof one paragraph with `code`.\n## Rules"), [
    "h2(Alapo)", "p(Two lines of one paragraph with code(code).)", "h3(Rules)",
  ]);
  assert.deepEqual(shapes("Before:\n* one\n  goes on\n* **two**\n\n1. first\n2. second"), [
    "p(Before:)", "ul(li(one goes on) li(strong(two)))", "ol(li(first) li(second))",
  ]);
  assert.deepEqual(shapes("| a | b |\n|---|---|\n| 1 | 2 |"), ["table(tr(th(a) th(b)) tr(td(1) td(2)))"]);
  assert.deepEqual(shapes("```text\n* no list\n# no head\n```\nafter"), ["pre(* no list\n# no head)", "p(after)"]);
  assert.deepEqual(shapes("See [the page](page.md) ![a picture](a.svg)here."), ["p(See the page here.)"]);
});

test("what was chosen last is chosen again, and nothing odd from the browser's store", () => {
  const usual = { seats: ["person", "engine"], level: "elo=1200", tc: "inf" };
  assert.deepEqual(setup.usual(), usual);
  localStorage.setItem("carom-setup", "{no JSON");
  assert.deepEqual(setup.usual(), usual);
  localStorage.setItem("carom-setup", JSON.stringify({ side: "black", level: "time=5", tc: "300+3" }));
  assert.deepEqual(setup.usual(), { seats: ["engine", "person"], level: "time=5", tc: "300+3" });
  localStorage.setItem("carom-setup", JSON.stringify({ side: "nowhere" }));
  assert.deepEqual(setup.usual(), usual);
});

test("games of a family stand together", () => {
  const game = (name, title) => ({ name, title });
  setup.games([game("chess", "Chess"), game("wickets", "Chess with Wickets"), game("wickets-dice", "Chess with Wickets (dice)"), game("alapo", "Alapo")]);
  const found = setup.groups().map(([family, members]) => [family, members.map((own) => setup.short(own, family ?? "")).join()]);
  assert.deepEqual(found, [[null, "Chess"], ["Chess with Wickets", "Chess with Wickets,dice"], [null, "Alapo"]]);
});

test("the odds of a decision are said in cases", () => {
  assert.equal(pointing.chance({ cases: 3, of: 6, label: "wicket taken", word: "=4" }), "3 in 6: wicket taken");
  assert.equal(pointing.chance({ cases: 1, of: 6, word: "=1" }), "1 in 6: =1");
});

/** A position in which a piece may move, another be dropped, and two be given up. */
const position = (legal) => ({ session: "s", at: 3, board: { pieces: { e2: "P", d3: "p" } }, legal });
const step = { kind: "move", word: "e2e3", label: "Pawn e2-e3", from: "e2", to: "e3" };
const take = { kind: "move", word: "e2d3", label: "Pawn e2-d3", from: "e2", to: "d3", path: ["e2", "d3"], odds: [{ cases: 1, of: 2 }] };
const drop = { kind: "drop", word: "T@f4", label: "Tower on f4", to: "f4", what: "T" };

/** What a person does on the board. */
const on = (event, at) => document.getElementById("board").listeners[event]({ target: { closest: () => (at ? { dataset: { at } } : null) } });
const board = { click: (at) => on("click", at), point: (at) => on(at ? "pointerover" : "pointerleave", at) };

let said = [];
pointing.start({ play: (decision) => said.push(decision.word), redraw() {} });
beforeEach(() => {
  said = [];
  pointing.take(null);
});

test("marks show what may move, and where to, once it was picked up", () => {
  assert.equal(pointing.marks().size, 0);
  pointing.take(position([step, take, drop]));
  assert.deepEqual(Object.fromEntries(pointing.marks()), { e2: ["movable", "movable"] });
  assert.deepEqual([pointing.says("e2"), pointing.says("e3"), pointing.says("a1")], ["2 choices here", "", ""]);
  board.click("e2");
  assert.deepEqual(Object.fromEntries(pointing.marks()), { e2: ["movable", "movable", "selected"], e3: ["target"], d3: ["take"] });
  assert.deepEqual([pointing.says("e2"), pointing.says("e3")], ["picked up", "can be chosen: Pawn e2-e3"]);
});

test("a square is chosen by two clicks, and picked up no more by a second one", () => {
  pointing.take(position([step, take]));
  board.click("e2");
  board.click("e2");
  assert.equal(pointing.says("e2"), "2 choices here");
  board.click("e2");
  board.click("e3");
  assert.deepEqual(said, ["e2e3"]);
});

test("what is pointed at is drawn, with its odds", () => {
  pointing.take(position([step, take]));
  board.click("e2");
  board.point("d3");
  assert.deepEqual(pointing.drawn(), [{ path: ["e2", "d3"], kind: "went" }]);
  assert.deepEqual(pointing.odds(), take.odds);
  board.point(undefined);
  assert.deepEqual([pointing.drawn(), pointing.odds()], [[], undefined]);
});

test("a piece beside the board is picked up and put back", () => {
  pointing.take(position([drop]));
  pointing.takeFromHand("X");
  assert.equal(pointing.selectedHand(), null);
  pointing.takeFromHand("T");
  assert.deepEqual([pointing.selectedHand(), pointing.says("f4")], ["T", "can be chosen: Tower on f4"]);
  pointing.takeFromHand("T");
  assert.equal(pointing.selectedHand(), null);
});

test("several pieces are given up together, in any order", () => {
  const give = (...gone) => ({ kind: "give", word: gone.map((at) => `X@${at}`).join(), gone });
  pointing.take(position([give("a2", "b2"), give("a2", "c2")]));
  assert.deepEqual([pointing.says("b2"), pointing.says("d2")], ["can be given up", ""]);
  board.click("b2");
  assert.deepEqual([pointing.says("b2"), pointing.says("c2")], ["given up", ""]);
  board.click("a2");
  assert.deepEqual(said, ["X@a2,X@b2"]);
});

test("another position forgets what was picked up, the same one does not", () => {
  pointing.take(position([step]));
  board.click("e2");
  pointing.take(position([step]));
  assert.equal(pointing.says("e2"), "picked up");
  pointing.take({ ...position([step]), at: 4 });
  assert.equal(pointing.says("e2"), "1 choice here");
});

test("messages wait for the connection, but a turn is not played late", () => {
  const sockets = [];
  const waits = [];
  globalThis.location = { protocol: "https:", host: "localhost:1" };
  globalThis.WebSocket = class {
    static OPEN = 1;

    constructor(address) {
      Object.assign(this, { address, readyState: 0, sent: [], on: {} });
      sockets.push(this);
    }

    addEventListener(name, listener) {
      this.on[name] = listener;
    }

    send(text) {
      this.sent.push(text);
    }
  };
  const real = globalThis.setTimeout;
  globalThis.setTimeout = (work, wait) => waits.push({ work, wait });
  try {
    const heard = [];
    const send = wire.connect({ hear: (message) => heard.push(message.type), found: () => heard.push("found"), lost: () => heard.push("lost") });
    const open = (socket) => {
      socket.readyState = 1;
      socket.on.open();
    };
    send({ do: "join" });
    send({ do: "play", word: "e2e4" });
    open(sockets[0]);
    assert.equal(sockets[0].address, "wss://localhost:1/socket");
    send({ do: "undo" });
    assert.deepEqual(sockets[0].sent, ['{"do":"join"}', '{"do":"undo"}']);
    sockets[0].on.message({ data: '{"type":"state"}' });
    // It tries again, ever more slowly, until there is a connection.
    sockets[0].on.close();
    for (let times = 0; times < 6; times += 1) {
      waits.at(-1).work();
      sockets.at(-1).on.close();
    }
    assert.deepEqual(waits.map(({ wait }) => wait), [250, 500, 1000, 2000, 4000, 5000, 5000]);
    waits.at(-1).work();
    open(sockets.at(-1));
    sockets.at(-1).on.close();
    assert.equal(waits.at(-1).wait, 250);
    assert.deepEqual(heard.slice(0, 4), ["found", "state", "lost", "lost"]);
  } finally {
    globalThis.setTimeout = real;
  }
});

test("a result is told to the one who reads it", () => {
  const told = (points, reason, seats, seat) => panel.result({ result: { result: points, reason }, seats, seat });
  const [alone, two] = [["person", "engine"], ["person", "person"]];
  assert.deepEqual([
    told("1-0", "White mates (FIDE 5.1.1)", alone), told("0-1", "White resigns", alone), told("0-1", "White resigns", two),
    told("0-1", "White resigns", two, "black"), told("0-1", "White resigns", two, "white"), told("1/2-1/2", "drawn by agreement", two, "white"),
  ], ["You won: White mates", "You lost: White resigns", "Black won: White resigns", "You won: White resigns", "You lost: White resigns", "Drawn: by agreement"]);
});

const STORY = {
  pieces: { d6: "H", e8: "O" },
  steps: [
    { by: "white", at: 1, kind: "move", words: "Horse d6 to e8, takes the ball", change: { d6: "", e8: "I" }, drawn: [{ what: "went", squares: ["d6", "e8"] }] },
    { by: "white", at: 2, kind: "card", words: "plays Ts", change: {}, drawn: [] },
    { by: "black", at: 3, kind: "stop", words: "", change: {}, drawn: [] },
  ],
};

test("a story is shown board by board, from any step on", () => {
  const boards = (from) => stage.frames(STORY, from).map(({ before, after }) => [before, after].map((own) => Object.entries(own).sort().join(" ")));
  assert.deepEqual(boards(0), [["d6,H e8,O", "e8,I"], ["e8,I", "e8,I"], ["e8,I", "e8,I"]]);
  assert.deepEqual(boards(1), [["e8,I", "e8,I"], ["e8,I", "e8,I"]]);
  assert.deepEqual(figure.boards(STORY).map((own) => own.drawn.length), [0, 1, 0, 0]);
});

test("what happened is told by turns, with cards by their names", () => {
  assert.deepEqual(happened.turns(STORY), [{ by: "white", words: ["Horse d6 to e8, takes the ball", "plays the 10 of Spades"] }]);
});

test("the legend takes the place of the list of pieces", () => {
  const text = "Goal.\n\n* **Horse**: jumps.\n* **Lion**: steps\n  or jumps.\n* **Goals**: green.\n\nEnd.";
  assert.deepEqual(teach.parted(text, new Set(["horse", "lion"])), ["Goal.\n", "* **Goals**: green.\n\nEnd."]);
});
