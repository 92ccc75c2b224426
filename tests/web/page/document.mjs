// As much of a document as the page's modules need to build elements, for tests without a browser.

class ClassList {
  #names = new Set();

  add(...names) {
    for (const name of names) this.#names.add(name);
  }

  remove(...names) {
    for (const name of names) this.#names.delete(name);
  }

  contains(name) {
    return this.#names.has(name);
  }
}

class Element {
  constructor(tag) {
    Object.assign(this, { tag, attributes: {}, children: [], listeners: {}, classList: new ClassList(), dataset: {}, style: {} });
    this.hidden = false;
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }

  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }

  /** The text of the element and all that stands in it. */
  get text() {
    return this.children.map((child) => (child instanceof Element ? child.text : String(child))).join("");
  }

  /** The elements in it as text: `ul(li(one) li(two))`. */
  get shape() {
    const inner = this.children.map((child) => (child instanceof Element ? child.shape : String(child)));
    return `${this.tag}(${inner.join(this.children.every((child) => child instanceof Element) ? " " : "")})`;
  }
}

const byId = new Map();

globalThis.document = {
  createElement: (tag) => new Element(tag),
  createElementNS: (_, tag) => new Element(tag),
  getElementById(id) {
    if (!byId.has(id)) byId.set(id, new Element("div"));
    return byId.get(id);
  },
  addEventListener() {},
};

const stored = new Map();

globalThis.localStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => stored.set(key, value),
};
