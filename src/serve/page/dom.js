// Elements made and filled.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

/** An element with properties (`class`, `data-…` and `aria-…` are attributes) and children. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name === "className" ? "class" : name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat().filter(Boolean));
  return element;
}

/** The picture of the piece a letter stands for. */
export function piece(letter, className = "piece") {
  const side = letter === letter.toUpperCase() ? "w" : "b";
  const id = `${side}-${letter.toUpperCase()}`;
  return svg("svg", { class: className, viewBox: "0 0 64 64", "aria-hidden": "true" }, svg("use", { href: `#${id}` }));
}

const SUITS = { c: ["♣", "Clubs"], d: ["♦", "Diamonds"], h: ["♥", "Hearts"], s: ["♠", "Spades"] };
const VALUES = { A: "Ace", T: "10" };

const cardName = ([value, suit]) => `${VALUES[value] ?? value} of ${SUITS[suit]?.[1] ?? suit}`;

/** A sentence with the cards in it by their names: `plays Ts` is `plays the 10 of Spades`. */
export const spelled = (words) => words.replace(/\b[A2-9T][cdhs]\b/g, (code) => `the ${cardName(code)}`);

/** `Ac` as a card. */
export function card(code, properties = {}) {
  const [value, suit] = code;
  const [sign] = SUITS[suit] ?? [suit];
  const label = cardName(code);
  const red = "dh".includes(suit) ? " red" : "";
  const face = [h("b", {}, value === "T" ? "10" : value), h("span", {}, sign)];
  if (!properties.onclick) return h("span", { class: `card${red}`, role: "img", "aria-label": label }, face);
  return h("button", { type: "button", class: `card${red}`, "aria-label": `Play the ${label}`, ...properties }, face);
}

export const name = (color) => (color === "white" ? "White" : "Black");
