// The page: what the server tells is kept here, and shown by the modules.

import * as board from "./board.js";
import { $ } from "./dom.js";
import * as friends from "./friends.js";
import * as happened from "./happened.js";
import * as journal from "./journal.js";
import * as moves from "./moves.js";
import * as notes from "./notes.js";
import * as panel from "./panel.js";
import * as pointing from "./pointing.js";
import * as rules from "./rules.js";
import * as setup from "./setup.js";
import * as stage from "./stage.js";
import * as teach from "./teach.js";
import * as thinking from "./thinking.js";
import { connect } from "./wire.js";

let games = [];
let state = null;
/** Another board that is looked at, an earlier one or one of a variation: `{at, variation, board, legal}`. */
let look = null;
let flip = false;
let pieces = "";
let hint = null;
let remembering = null;
/** The last place of the board whose pieces were drawn, to see them go. */
let drawn = { session: "", at: -1, game: "" };

const kept = {
  get session() { return sessionStorage.getItem("carom-session"); },
  /** With the key, the seats are still ours; without one we look on. */
  get key() { return sessionStorage.getItem("carom-key") || undefined; },
  keep({ session, key }) {
    sessionStorage.setItem("carom-session", session);
    sessionStorage.setItem("carom-key", key ?? "");
  },
};

/** The decision that was sent last, until it is answered. If the connection was lost before that, it is sent again. */
let sent = null;

const send = connect({
  hear: (message) => hears[message.type]?.(message),
  found: () => document.body.classList.remove("lost"),
  lost: () => {
    document.body.classList.add("lost");
    if (sent) sent.lost = true;
  },
});

function decide(word, at) {
  sent = { word, at, session: state.session, lost: document.body.classList.contains("lost") };
  send({ do: "play", word, at });
}

/** A new state of the game has come from the server. */
function answered({ session, at, result }) {
  const again = sent?.lost && sent.session === session && sent.at === at && !result ? sent : null;
  sent = null;
  if (again) decide(again.word, again.at);
}

export const facts = (game = state?.game) => games.find((own) => own.name === game);

/** What an address says: `#game=alapo&fen=…`. */
function addressed() {
  const words = new URLSearchParams(location.hash.slice(1));
  if (words.get("play")) return { play: words.get("play"), code: words.get("key") ?? undefined };
  if (!words.get("game")) return null;
  const rules = {};
  for (const [key, value] of words) if (key.startsWith("rule.")) rules[key.slice(5)] = value;
  return { game: words.get("game"), position: words.get("fen") ?? undefined, rules };
}

const hears = {
  hello(message) {
    games = message.games;
    $("watch").hidden = !message.journal;
    setup.games(games);
    friends.reached(message.host);
    if (location.hash === "#match" && message.journal) return journal.show();
    if (state) return send({ do: "join", session: state.session, key: state.key ?? undefined });
    const wanted = addressed();
    if (wanted?.play) return begin(wanted);
    if (kept.session && (!wanted || location.hash === sessionStorage.getItem("carom-hash"))) {
      return send({ do: "join", session: kept.session, key: kept.key });
    }
    begin(wanted);
  },
  state(message) {
    const another = state?.session !== message.session || state?.game !== message.game;
    const gone = look && (look.variation === null ? look.at > message.at : state?.at !== message.at);
    if (another || gone || !moves.isLooking()) look = null;
    if (state?.at !== message.at || another) hint = null;
    if (message.seat && (another || message.seat !== state?.seat)) flip = message.seat === "black";
    else if (another) flip = message.seats[0] === "engine" && message.seats[1] === "person";
    state = message;
    answered(message);
    kept.keep(message);
    friends.keep(message);
    if (another || drawn.at !== message.at) notes.clear();
    show();
    panel.announce(state);
    // Afterwards: a new address makes the browser lay the page out at once.
    clearTimeout(remembering);
    remembering = setTimeout(remember, 50);
  },
  look(message) {
    look = message;
    show();
  },
  thinking(message) {
    thinking.hear(message);
    // Only what has changed is drawn, so that a button about to be pressed stays where it is.
    if (state) {
      thinking.show(state, look);
      arrows();
    }
  },
  hint(message) {
    hint = message;
    panel.notice(`The engine would play ${message.word}${message.words ? `: ${message.words}` : ""} (${message.score}).`, false);
    render();
  },
  ways: (message) => teach.hear(message),
  declined: (message) => message.by === state?.seat && panel.notice(friends.declined(message), false),
  pgn: (message) => moves.record(message.pgn),
  error(message) {
    if (message.do === "join") {
      sessionStorage.removeItem("carom-session");
      state = null;
      const wanted = addressed();
      if (!wanted?.play) return begin(wanted);
      // The seat is taken; one may still watch.
      if (wanted.code && !watching) return join(wanted);
      return setup.open("That game is not kept here any more.");
    }
    if (message.do === "new" && !state) setup.open(message.text, addressed()?.game);
    if (setup.complain(message) || moves.complain(message) || journal.complain(message)) return;
    panel.notice(message.text);
    if (message.do !== "play") return;
    sent = null;
    pointing.clear();
  },
  journal: (message) => journal.hear(message),
  game: (message) => journal.game(message),
  response() {},
};

function begin(wanted) {
  if (wanted?.play) join(wanted);
  else if (wanted && facts(wanted.game)) send({ do: "new", ...setup.usual(), ...wanted });
  else setup.open(wanted ? `there is no game “${wanted.game.slice(0, 40)}”` : undefined);
}

let watching = false;
let tried = "";

/** Joins a game with a friend: on our own seat, on the one that the link opens, or to watch. */
function join({ play, code }) {
  const own = friends.keyOf(play);
  const key = own ?? (tried === play ? undefined : code);
  watching = key === undefined;
  tried = play;
  send({ do: "join", session: play, key });
}

/** The position goes into the address, where it can be copied from. */
function remember() {
  if (state.friends) return address(friends.address(state.session));
  const words = new URLSearchParams({ game: state.game });
  for (const [rule, value] of Object.entries(state.rules)) words.set(`rule.${rule}`, value);
  if (state.viewer === "all" && state.at > 0) words.set("fen", state.fen);
  return address(`#${words}`);
}

function address(hash) {
  if (location.hash !== hash) history.replaceState(null, "", hash);
  sessionStorage.setItem("carom-hash", hash);
  document.title = `${facts().title} – Carom`;
}

async function fetchPieces(game) {
  if (pieces === game) return;
  pieces = game;
  const text = await (await fetch(`/pieces/${game}.svg`)).text();
  if (pieces !== game) return;
  const read = new DOMParser().parseFromString(text, "image/svg+xml");
  $("pieces").replaceChildren(...[...read.documentElement.children].map((symbol) => document.importNode(symbol, true)));
}

/** What is on the board: the game, or what is looked at. */
const shown = () => (look ? { ...state, ...look, yours: look.legal.length > 0 } : state);

/** Shows everything anew. */
function show() {
  if (!state) return;
  const game = facts();
  pointing.take(shown().yours ? shown() : null);
  fetchPieces(game.name);
  document.body.classList.add("playing");
  journal.hide();
  board.lay(board.sized(game, shown().board), flip);
  teach.take(game.name);
  const { at } = shown();
  const goesOn = !look && drawn.session === state.session && drawn.game === state.game;
  if (goesOn && at > drawn.at && state.story) {
    act(state.story.steps.findIndex((step) => step.at > drawn.at), pointing.wasDragged());
  } else if (!goesOn || at !== drawn.at || !stage.isRunning()) {
    stage.clear();
    stage.forget();
    board.show(shown().board, { animate: drawn.session === state.session && at > drawn.at });
  }
  drawn = { session: state.session, at, game: state.game };
  render();
  Object.assign(document.body.dataset, { at: state.at, game: state.game, session: state.session });
}

/** The steps of the story from that number on are shown one after another. */
function act(from, skipFirst = false) {
  if (from < 0) return board.show(shown().board, { animate: false });
  if (!stage.isRunning()) stage.forget();
  stage.run(stage.frames(state.story, from), {
    skipFirst,
    step: (step) => { if (["roll", "card", "draw"].includes(step.kind)) stage.face(step); },
    done: () => {
      board.show(shown().board, { animate: false });
      arrows();
    },
  });
}

/** Shows what changes while somebody points. */
function render(onlyPointing = false) {
  if (!state) return;
  board.mark(pointing.marks());
  board.check(look ? null : state.check);
  if (!onlyPointing) board.label(shown().board, pointing.says);
  arrows();
  if (onlyPointing) return panel.odds(pointing.odds());
  $("title").textContent = facts().title;
  keepFocus(() => {
    panel.show(shown(), { game: state, facts: facts(), flip, look, send, back, goThere, chosen: pointing.selectedHand() });
    moves.show(state, look, facts());
    happened.show(state, () => act(0));
    friends.show(shown());
    teach.lesson(look ? null : state.lesson);
    thinking.show(state, look);
  });
}

/** Draws what lies above the board. */
function arrows() {
  const ideas = look ? [] : [...thinking.arrows(state), ...hinted()];
  // What was played makes room for what is being chosen, and waits until it has been seen.
  const past = pointing.isHolding() || stage.isRunning() ? [] : deeds(shown().board);
  board.draw([...past, ...ideas, ...pointing.drawn(), ...notes.arrows()]);
}

/** Buttons are made anew; the keyboard stays on the one that says the same. */
function keepFocus(work) {
  const active = document.activeElement;
  const name = ["id", "data-word", "data-hand", "data-end", "data-variation", "aria-label"].find((own) => active?.getAttribute(own));
  const same = name && `[${name}="${CSS.escape(active.getAttribute(name))}"]`;
  work();
  if (same && !active.isConnected) document.querySelector(same)?.focus({ preventScroll: true });
}

/** The last turn, where its steps are worth drawing: several of them, or one that changed its direction. */
function deeds(board) {
  const went = board.deeds.filter((deed) => deed.squares.length > 1);
  const number = went.length > 1;
  const told = number || went.some((deed) => deed.squares.length > 2) || went.some((deed) => deed.what === "flew");
  if (!told) return [];
  return went.map((deed, index) => ({ path: deed.squares, kind: `${deed.what} past`, number: number ? index + 1 : 0, weight: 0.8 }));
}

function hinted() {
  if (!hint || hint.at !== state.at) return [];
  return hint.arrows.map((path) => ({ path, kind: "idea" }));
}

/** The game goes on from the board that is looked at; what was played is kept as a variation. */
function goThere() {
  send(look.variation === null ? { do: "rewind", to: look.at } : { do: "variation", number: look.variation, to: look.at });
  back();
}

/** Back to the game from another board. */
function back() {
  look = null;
  moves.stopLooking();
  show();
}

pointing.start({
  play: (decision) => {
    const { at } = shown();
    if (look) goThere();
    decide(decision.word, at);
  },
  redraw: render,
  tell: teach.tell,
  hover: teach.point,
  note: notes.clear,
});
stage.start();
notes.start({ redraw: arrows });
rules.start({ facts: (name) => facts(name) });
teach.start({ send, state: () => (state ? shown() : null), facts: () => facts() });
moves.start({ send, back, state: () => state, facts: () => facts(), flip: turn });
panel.start({
  send,
  turn,
  hand: pointing.takeFromHand,
  flipped: () => flip,
});
thinking.start({ walk: moves.lookFurther, send });
friends.start({ send });
setup.start({
  begin: (wish) => {
    look = null;
    moves.stopLooking();
    send({ do: "new", ...wish });
  },
  playing: () => state !== null,
});
journal.start({ send, lay: (game, position) => {
  fetchPieces(game);
  board.lay(board.sized(facts(game), position), false);
  board.show(position, { animate: true });
  board.mark(new Map());
  board.label(position, () => "");
  board.draw(deeds(position));
}, facts, leave: () => (state ? show() : begin(addressed())) });

function turn() {
  flip = !flip;
  show();
}

$("new").addEventListener("click", () => setup.open());
$("watch").addEventListener("click", () => journal.show());
addEventListener("hashchange", () => {
  if (location.hash === "#match") return journal.show();
  const wanted = addressed();
  if (wanted && location.hash !== sessionStorage.getItem("carom-hash")) begin(wanted);
});

