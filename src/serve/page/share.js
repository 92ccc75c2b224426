// What can be taken away from a board: its position, its address, a picture.

import { sized } from "./board.js";
import { h, svg } from "./dom.js";
import { picture } from "./figure.js";
import { copied, link } from "./friends.js";

const COLOURS = ["light", "dark", "light-goal", "dark-goal"];

/** The board as an SVG file: the pieces and colours that the page keeps elsewhere come with it. */
export function drawing(game, pieces) {
  const board = picture(game, pieces);
  const own = getComputedStyle(document.documentElement);
  const [light, dark, lightGoal, darkGoal] = COLOURS.map((name) => own.getPropertyValue(`--${name}`).trim());
  const style = `.light{fill:${light}}.dark{fill:${dark}}.light.goal{fill:${lightGoal}}.dark.goal{fill:${darkGoal}}`;
  const used = new Set(Object.values(pieces).map((letter) => `${letter === letter.toUpperCase() ? "w" : "b"}-${letter.toUpperCase()}`));
  const symbols = [...used].map((id) => document.getElementById(id)?.cloneNode(true)).filter(Boolean);
  board.prepend(Object.assign(svg("style"), { textContent: style }), svg("defs", {}, symbols));
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width: game.files * 64, height: game.ranks * 64 })) board.setAttribute(name, value);
  return new XMLSerializer().serializeToString(board);
}

/** The same as a PNG picture. */
async function painted(text, game) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = h("canvas", { width: game.files * 64, height: game.ranks * 64 });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Saves something as a file. */
export function save(content, type, name) {
  const file = h("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  file.click();
  URL.revokeObjectURL(file.href);
}

/** Rows for position, address and picture. */
export function rows(state, game) {
  const size = sized(game, state.board);
  const picture_ = () => drawing(size, state.board.pieces);
  const button = h("button", {
    type: "button", id: "copy-picture", onclick: async () => {
      const text = picture_();
      try {
        await navigator.clipboard.write([new ClipboardItem({ "image/png": painted(text, size) })]);
        button.textContent = "Copied";
      } catch {
        // Where the browser lets nobody copy pictures.
        save(text, "image/svg+xml", `${game.name}.svg`);
      }
    },
  }, "Copy the picture");
  const address = state.friends ? link(state.session) : location.href;
  return [
    copied("Position", state.fen, "share-position"),
    copied(state.friends ? "Link for those who watch" : "Link to this position", address, "share-link"),
    h("div", { class: "row" }, button, h("button", { type: "button", id: "save-picture", onclick: () => save(picture_(), "image/svg+xml", `${game.name}.svg`) }, "Save the picture")),
  ];
}
