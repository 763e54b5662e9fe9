// A drawing or a diagram as the service draws it from its own document: pages, zoom, and marks that answer to lists.

import { h, inSlices, parseSvg } from "./dom.js";

export class SheetView {
  /** base: the address of the extraction; pages: [{ number, name }]; reader: of its document. */
  constructor(host, base, pages, reader) {
    this.base = base;
    this.reader = reader;
    this.pages = pages;
    this.onPoint = () => {};
    this.onPick = () => {};
    this.layers = [];
    this.lit = new Map();
    this.canvas = h("div", { class: "sheet", tabindex: "0", role: "img", "aria-label": "The drawing; plus and minus zoom, arrows move" });
    this.choice = h("select", { "aria-label": "Page", onchange: () => this.show(Number(this.choice.value)) }, pages.map((page) => h("option", { value: page.number }, page.name)));
    const zoom = (factor) => () => this.zoom(factor);
    const tools = h("div", { class: "tools" }, pages.length > 1 && this.choice, h("button", { type: "button", class: "quiet", onclick: zoom(1.4), "aria-label": "Zoom in" }, "+"), h("button", { type: "button", class: "quiet", onclick: zoom(1 / 1.4), "aria-label": "Zoom out" }, "−"), h("button", { type: "button", class: "quiet", onclick: () => this.fit() }, "Fit"));
    host.replaceChildren(tools, this.canvas);
    this.#listen();
  }

  /** Load and show a page. */
  async show(number) {
    const loading = h("p", { class: "loading busy" }, "Drawing the page…");
    this.canvas.replaceChildren(loading);
    this.number = number;
    const picture = await this.reader.call("picture", this.#address).catch((error) => error);
    if (picture instanceof Error) {
      this.canvas.replaceChildren(h("p", { class: "problem", role: "alert" }, picture.message));
      return;
    }
    this.marks = new Map();
    this.painted = new Map();
    this.overlay = null;
    this.layers = [];
    this.choice.value = String(number);
    this.full = picture.open.match(/viewBox="([^"]*)"/)[1].split(" ").map(Number);
    this.box = [...this.full];
    this.canvas.replaceChildren(loading);
    const { layers } = this;
    await inSlices([...picture.pieces, ""], (piece) => { if (layers === this.layers) this.#addLayer(picture.open, piece); });
    if (layers !== this.layers) return;
    for (const layer of layers) layer.classList.remove("arriving");  // in one frame, because the browser paints every layer again whenever one appears
    loading.remove();
    this.overlay = layers.at(-1);
    this.overlay.classList.add("overlay");
    this.#paint();
  }

  /** A part of the picture as an element of its own: the browser lays out an SVG element as a whole whenever something in it is new. */
  #addLayer(open, piece) {
    const layer = parseSvg(`${open}${piece}</svg>`);
    layer.removeAttribute("width");
    layer.removeAttribute("height");
    layer.setAttribute("aria-hidden", "true");
    layer.setAttribute("viewBox", this.box.join(" "));
    layer.classList.add("arriving");
    this.layers.push(layer);
    this.canvas.append(layer);
    for (const mark of layer.querySelectorAll("[data-source]")) {
      const id = mark.dataset.source;
      this.marks.set(id, [...(this.marks.get(id) ?? []), mark]);
    }
  }

  fit() { this.#look([...this.full]); }

  zoom(factor, at) {
    const [x, y, width, height] = this.box;
    const [cx, cy] = at ?? [x + width / 2, y + height / 2];
    this.#look([cx - (cx - x) / factor, cy - (cy - y) / factor, width / factor, height / factor]);
  }

  /** Light ids with a class: `lit` for what is pointed at, `added`, `removed`, `changed`, `moved` of a comparison. page: a number, or any page. */
  light(ids, kind = "lit", page = undefined) {
    for (const id of ids) this.lit.set(page === undefined ? id : `${page}/${id}`, { id, kind, page });
    this.#paint();
  }

  clear(kind) {
    for (const [key, own] of [...this.lit]) if (!kind || own.kind === kind) this.lit.delete(key);
    this.#paint();
  }

  /** Bring marks into view where they are not. */
  reveal(ids) {
    const boxes = ids.flatMap((id) => this.marks?.get(id) ?? []).map((mark) => mark.getBBox());
    if (!boxes.length) return;
    const left = Math.min(...boxes.map((box) => box.x)), top = Math.min(...boxes.map((box) => box.y));
    const right = Math.max(...boxes.map((box) => box.x + box.width)), bottom = Math.max(...boxes.map((box) => box.y + box.height));
    const [x, y, width, height] = this.box;
    if (left < x || top < y || right > x + width || bottom > y + height) this.#look([(left + right) / 2 - width / 2, (top + bottom) / 2 - height / 2, width, height]);
  }

  #look(box) {
    this.box = box;
    for (const layer of this.layers) layer.setAttribute("viewBox", box.join(" "));
  }

  get #address() { return `${this.base}/pages/${this.number}`; }

  /** Make the classes of the marks what `lit` says, and draw again what has no mark of its own, as the lines of an entity. */
  #paint() {
    if (!this.overlay) return;
    const wanted = new Map([...this.lit.values()].filter(({ page }) => page === undefined || page === this.number).map(({ id, kind }) => [id, kind]));
    for (const id of new Set([...this.painted.keys(), ...wanted.keys()])) {
      if (this.painted.get(id) === wanted.get(id)) continue;
      for (const mark of this.marks.get(id) ?? []) mark.setAttribute("class", wanted.has(id) ? `is-${wanted.get(id)}` : "");
    }
    this.painted = wanted;
    this.#drawOver([...wanted.keys()].filter((id) => !this.marks.has(id)));
  }

  async #drawOver(ids) {
    const { overlay, painted } = this;
    const drawn = ids.length ? await this.reader.call("marks", this.#address, ids) : [];
    if (overlay !== this.overlay || painted !== this.painted) return;
    const groups = drawn.map(([id, marks]) => `<g class="is-${painted.get(id)}" data-drawn="${new Option(id).innerHTML}">${marks}</g>`);
    overlay.replaceChildren(...parseSvg(`<svg xmlns="http://www.w3.org/2000/svg">${groups.join("")}</svg>`).childNodes);
  }

  #place(event) {
    const matrix = this.layers[0].getScreenCTM().inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [point.x, point.y];
  }

  #listen() {
    const source = (event) => event.target.closest?.("[data-source]")?.dataset.source;
    let from = null;
    this.canvas.addEventListener("pointerdown", (event) => { if (this.box) { from = { at: this.#place(event), box: [...this.box], moved: false }; } });
    this.canvas.addEventListener("pointermove", (event) => {
      if (from && event.buttons) {
        const [x, y] = this.#place(event);
        from.moved ||= Math.hypot(x - from.at[0], y - from.at[1]) > this.box[2] / 300;
        if (from.moved) this.#look([this.box[0] + from.at[0] - x, this.box[1] + from.at[1] - y, this.box[2], this.box[3]]);
      }
    });
    this.canvas.addEventListener("pointerup", (event) => { if (from && !from.moved && source(event)) this.onPick(source(event)); from = null; });
    this.canvas.addEventListener("pointerover", (event) => this.onPoint(source(event) ?? null));
    this.canvas.addEventListener("pointerleave", () => this.onPoint(null));
    this.canvas.addEventListener("wheel", (event) => { if (this.box) { event.preventDefault(); this.zoom(Math.exp(-event.deltaY / 400), this.#place(event)); } }, { passive: false });
    const keys = { "+": () => this.zoom(1.4), "=": () => this.zoom(1.4), "-": () => this.zoom(1 / 1.4), f: () => this.fit(), ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    this.canvas.addEventListener("keydown", (event) => {
      const act = keys[event.key];
      if (!act || !this.box) return;
      event.preventDefault();
      if (Array.isArray(act)) this.#look([this.box[0] + act[0] * this.box[2], this.box[1] + act[1] * this.box[3], this.box[2], this.box[3]]);
      else act();
    });
  }
}
