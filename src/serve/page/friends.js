// Two people at two machines: the links, who is there, what one proposes to the other.

import { $, h, name } from "./dom.js";

let send = null;
/** Where other machines reach the server, if they do. */
let host = null;
let said = "";

const KEYS = "carom-seats";
const MOST_KEYS = 50;

export function start(actions) {
  ({ send } = actions);
}

export function reached(at) {
  host = at;
}

const keys = () => {
  try {
    return JSON.parse(localStorage.getItem(KEYS)) ?? {};
  } catch {
    return {};
  }
};

/** The key of our seat in a game, which outlives the tab. */
export const keyOf = (session) => keys()[session];

/** Keeps the key of our seat, and tells our name to a game that does not know it yet. */
export function keep(state) {
  if (!state.friends || !state.seat) return;
  const all = Object.entries(keys()).filter(([session]) => session !== state.session);
  localStorage.setItem(KEYS, JSON.stringify(Object.fromEntries([...all.slice(1 - MOST_KEYS), [state.session, state.key]])));
  const own = ownName();
  const place = `${state.session} ${state.seat}`;
  if (own && own !== state.friends.names[state.seat === "white" ? 0 : 1] && said !== place) {
    said = place;
    send({ do: "name", name: own });
  }
}

export const ownName = () => localStorage.getItem("carom-name") ?? "";
export const setOwnName = (text) => localStorage.setItem("carom-name", text.trim().slice(0, 24));

/** What an address says for a game with a friend. */
export const address = (session) => `#play=${session}`;

const origin = () => (["localhost", "127.0.0.1", "[::1]"].includes(location.hostname) && host ? `${location.protocol}//${host}` : location.origin);
export const link = (session, code) => `${origin()}/${address(session)}${code ? `&key=${code}` : ""}`;

/** Puts a text where it can be pasted from; where the browser does not let us, it is selected. */
export async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field?.select();
    return field ? document.execCommand("copy") : false;
  }
}

/** A text with a button that copies it. */
export function copied(label, text, id) {
  const field = h("input", { type: "text", readOnly: true, value: text, id, "aria-label": label });
  const button = h("button", { type: "button", "aria-label": `Copy: ${label}`, onclick: async () => { button.textContent = (await copy(text, field)) ? "Copied" : "Press Ctrl+C"; } }, "Copy");
  return h("div", { class: "copied" }, h("label", {}, h("span", {}, label), field), button);
}

/** A person's name in a game with a friend. */
export function who(state, color) {
  const index = color === "white" ? 0 : 1;
  const { names, present } = state.friends;
  return `${names[index] ?? "Player"}${state.seat === color ? " (you)" : ""}${present[index] || state.friends.invitation ? "" : " · away"}`;
}

const QUESTIONS = {
  draw: (who) => `${who} offers a draw.`,
  undo: (who) => `${who} asks to take the last move back.`,
  rematch: (who) => `${who} wants to play again, with the sides exchanged.`,
};
const WAITING = { draw: "You have offered a draw.", undo: "You have asked to take your last move back.", rematch: "You have asked for another game." };

/** Links while a seat is free, and what is proposed. */
export function show(state) {
  const place = $("friends");
  const { invitation, proposal, names } = state.friends ?? {};
  place.hidden = !state.seat || !(invitation || proposal);
  if (place.hidden) return place.replaceChildren();
  if (invitation) {
    if (place.dataset.code === invitation && place.firstChild) return undefined;
    place.dataset.code = invitation;
    const alone = !host && ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
    return place.replaceChildren(
      copied("Link for your friend, for one person", link(state.session, invitation), "friend-link"),
      copied("Link for those who watch", link(state.session), "watch-link"),
      alone ? h("p", {}, "These links work on this machine only. For others in your network start Carom with ", h("code", {}, "--address 0.0.0.0"), ".") : "");
  }
  delete place.dataset.code;
  if (proposal.by === state.seat) return place.replaceChildren(h("p", {}, WAITING[proposal.what]));
  const other = names[proposal.by === "white" ? 0 : 1] ?? name(proposal.by);
  const answer = (yes, text, id) => h("button", { type: "button", id, class: yes ? "strong" : "", onclick: () => send({ do: "answer", yes }) }, text);
  return place.replaceChildren(h("p", { role: "alert" }, QUESTIONS[proposal.what](other)), h("div", { class: "row" }, answer(true, "Agree", "agree"), answer(false, "Decline", "decline")));
}

export const declined = ({ what }) => ({ draw: "The draw is declined.", undo: "Your move stands: taking it back is declined.", rematch: "No other game: that is declined." })[what];
