// The rules of the game, as the program carries them.

import { $, h } from "./dom.js";

export async function open(game) {
  const text = await (await fetch(`/rules/${game}`)).text();
  const dialog = $("rules");
  dialog.replaceChildren(h("article", {}, read(text)), h("div", { class: "row end" }, h("button", { type: "button", class: "strong", onclick: () => dialog.close() }, "Close")));
  dialog.showModal();
  dialog.scrollTop = 0;
}

/** As much of Markdown as these pages use. */
export function read(text) {
  const found = [];
  let block = [];
  const end = () => {
    if (block.length) found.push(paragraph(block));
    block = [];
  };
  const lines = text.split("\n");
  for (let number = 0; number < lines.length; number += 1) {
    const line = lines[number];
    if (line.startsWith("```")) {
      end();
      const from = number + 1;
      for (number = from; number < lines.length && !lines[number].startsWith("```"); number += 1);
      found.push(h("pre", {}, lines.slice(from, number).join("\n")));
    } else if (/^#+ /.test(line)) {
      end();
      found.push(h(`h${Math.min(line.indexOf(" ") + 1, 5)}`, {}, inline(line.replace(/^#+ /, ""))));
    } else if (line.trim() === "") end();
    else if (/^( *[*-]|\d+\.|\|) /.test(line) && block.length && !line.startsWith("|") && !/^( *[*-]|\d+\.) /.test(block[0])) {
      end();
      block.push(line);
    } else block.push(line);
  }
  end();
  return found;
}

function paragraph(lines) {
  if (lines[0].startsWith("|")) {
    const rows = lines.filter((line) => !/^\|[\s|:-]+\|$/.test(line)).map((line) => line.split("|").slice(1, -1));
    const cells = (row, tag) => h("tr", {}, row.map((cell) => h(tag, {}, inline(cell.trim()))));
    return h("table", {}, cells(rows[0], "th"), rows.slice(1).map((row) => cells(row, "td")));
  }
  if (/^( *[*-]|\d+\.) /.test(lines[0])) {
    const items = [];
    for (const line of lines) {
      if (/^( *[*-]|\d+\.) /.test(line)) items.push(line.replace(/^( *[*-]|\d+\.) /, ""));
      else items[items.length - 1] += ` ${line.trim()}`;
    }
    return h(/^\d/.test(lines[0]) ? "ol" : "ul", {}, items.map((item) => h("li", {}, inline(item))));
  }
  // Pictures belong to the files the page was written for.
  const text = lines.join(" ").replace(/!\[[^\]]*\]\([^)]*\)/g, "");
  return text.trim() ? h("p", {}, inline(text)) : "";
}

/** Bold, code, links (their words only). */
function inline(text) {
  const parts = text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").split(/(\*\*[^*]+\*\*|`[^`]+`)/);
  return parts.map((part) => {
    if (part.startsWith("**")) return h("strong", {}, part.slice(2, -2));
    if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
    return part;
  });
}
