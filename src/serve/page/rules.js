// Pages in Markdown, as the program carries them: the rules of a game, and how it is played.

import { $, h } from "./dom.js";
import { figure } from "./figure.js";

let facts = null;

export function start(actions) {
  ({ facts } = actions);
}

/** Opens the rules, at a rule if one is named: `R12`. */
export async function open(game, rule) {
  const text = await (await fetch(`/rules/${game}`)).text();
  const dialog = $("rules");
  const close = () => h("button", { type: "button", class: "strong", onclick: () => dialog.close() }, "Close");
  dialog.replaceChildren(h("div", { class: "row end top" }, close()), h("article", {}, read(text)), h("div", { class: "row end" }, close()));
  dialog.showModal();
  dialog.scrollTop = 0;
  if (rule) document.getElementById(`rule-${rule}`)?.scrollIntoView();
}

/** As much of Markdown as these pages use. */
export function read(text) {
  const found = [];
  let block = [];
  const defined = new Set([...text.matchAll(/\*\*([A-Z]+\d+)\*\*/g)].map((rule) => rule[1]));
  const end = () => {
    if (block.length) found.push(paragraph(block, defined));
    block = [];
  };
  const lines = text.split("\n");
  for (let number = 0; number < lines.length; number += 1) {
    const line = lines[number];
    if (line.startsWith("```")) {
      end();
      const from = number + 1;
      for (number = from; number < lines.length && !lines[number].startsWith("```"); number += 1);
      found.push(h("pre", { tabIndex: 0 }, lines.slice(from, number).join("\n")));
    } else if (/^#+ /.test(line)) {
      end();
      const words = line.replace(/^#+ /, "");
      found.push(h(`h${Math.min(line.indexOf(" ") + 1, 5)}`, { id: anchor(words) }, inline(words, new Set())));
    } else if (line.trim() === "") end();
    else if (/^( *[*-]|\d+\.|\|) /.test(line) && block.length && !line.startsWith("|") && !/^( *[*-]|\d+\.) /.test(block[0])) {
      end();
      block.push(line);
    } else block.push(line);
  }
  end();
  return found;
}

const anchor = (words) => words.toLowerCase().replace(/[^a-z0-9]+/g, "-");

function paragraph(lines, defined) {
  const drawn = /^!\[([^\]]*)\]\(([\w-]+)\.svg(?: "carom [^"]*")?\)$/.exec(lines.join(" "));
  if (drawn) return figure(drawn[2], drawn[1], facts);
  if (lines[0].startsWith("|")) {
    const rows = lines.filter((line) => !/^\|[\s|:-]+\|$/.test(line)).map((line) => line.split("|").slice(1, -1));
    const cells = (row, tag) => h("tr", {}, row.map((cell) => h(cell.trim() ? tag : "td", {}, inline(cell.trim(), defined))));
    return h("table", {}, cells(rows[0], "th"), rows.slice(1).map((row) => cells(row, "td")));
  }
  if (/^( *[*-]|\d+\.) /.test(lines[0])) {
    const items = [];
    for (const line of lines) {
      if (/^( *[*-]|\d+\.) /.test(line)) items.push(line.replace(/^( *[*-]|\d+\.) /, ""));
      else items[items.length - 1] += ` ${line.trim()}`;
    }
    return h(/^\d/.test(lines[0]) ? "ol" : "ul", {}, items.map((item) => h("li", {}, inline(item, defined))));
  }
  const text = lines.join(" ").replace(/!\[[^\]]*\]\([^)]*\)/g, "");
  return text.trim() ? h("p", {}, inline(text, defined)) : "";
}

/** Bold, emphasis, code, links within the page; a rule that is named leads to where it stands. */
export function inline(text, defined = new Set()) {
  const parts = text.split(/(\[[^\]]+\]\([^)]*\)|\*\*[^*]+\*\*|`[^`]+`|(?<![*\w\\])\*[^*\s][^*]*\*(?!\*)|\b[A-Z]{1,2}\d+\b)/);
  return parts.filter(Boolean).map((part) => {
    const link = /^\[([^\]]+)\]\(([^)]*)\)$/.exec(part);
    if (link) return link[2].startsWith("#") ? h("a", { href: link[2], onclick: jump }, link[1]) : link[1];
    if (part.startsWith("**")) {
      const words = part.slice(2, -2);
      return h("strong", defined.has(words) ? { id: `rule-${words}` } : {}, words);
    }
    if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("*") && part.length > 2) return h("em", {}, part.slice(1, -1));
    if (defined.has(part)) return h("a", { href: `#rule-${part}`, onclick: jump }, part);
    return part.replace(/\\\*/g, "*");
  });
}

/** The page's address is the game's, so links only scroll. */
function jump(event) {
  event.preventDefault();
  document.getElementById(event.currentTarget.getAttribute("href").slice(1))?.scrollIntoView();
}
