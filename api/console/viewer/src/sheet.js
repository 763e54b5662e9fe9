// A drawing or a diagram as the service draws it from its own document: pages, zoom, and marks that answer to lists.

import { ask } from "./calls.js";
import { h } from "./dom.js";

export class SheetView {
  /** base: the address of the extraction; pages: [{ number, name }]. */
  constructor(host, base, pages) {
    this.base = base;
    this.pages = pages;
    this.onPoint = () => {};
    this.onPick = () => {};
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
    this.canvas.replaceChildren(h("p", { class: "loading busy" }, "Drawing the page…"));
    const answer = await ask(`${this.base}/pages/${number}`).catch((error) => error);
    if (answer instanceof Error) {
      this.canvas.replaceChildren(h("p", { class: "problem", role: "alert" }, answer.message));
      return;
    }
    const picture = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
    this.svg = document.importNode(picture, true);
    this.full = this.svg.getAttribute("viewBox").split(" ").map(Number);
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    this.svg.setAttribute("aria-hidden", "true");
    this.number = number;
    this.choice.value = String(number);
    this.marks = new Map();
    for (const mark of this.svg.querySelectorAll("[data-source]")) {
      const id = mark.dataset.source;
      this.marks.set(id, [...(this.marks.get(id) ?? []), mark]);
    }
    this.canvas.replaceChildren(this.svg);
    this.fit();
    this.#paint();
  }

  fit() { this.#look([...this.full]); }

  zoom(factor, at) {
    const [x, y, width, height] = this.box;
    const [cx, cy] = at ?? [x + width / 2, y + height / 2];
    this.#look([cx - (cx - x) / factor, cy - (cy - y) / factor, width / factor, height / factor]);
  }

  /** Light ids with a class: `lit` for what is pointed at, `added`, `removed`, `changed` of a comparison. */
  light(ids, kind = "lit") {
    for (const id of ids) this.lit.set(id, kind);
    this.#paint();
  }

  clear(kind) {
    for (const [id, own] of [...this.lit]) if (!kind || own === kind) this.lit.delete(id);
    this.#paint();
  }

  has(id) { return Boolean(this.marks?.has(id)); }

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
    this.svg.setAttribute("viewBox", box.join(" "));
  }

  #paint() {
    if (!this.marks) return;
    for (const [id, marks] of this.marks) for (const mark of marks) mark.setAttribute("class", this.lit.has(id) ? `is-${this.lit.get(id)}` : "");
  }

  #place(event) {
    const matrix = this.svg.getScreenCTM().inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [point.x, point.y];
  }

  #listen() {
    const source = (event) => event.target.closest?.("[data-source]")?.dataset.source;
    let from = null;
    this.canvas.addEventListener("pointerdown", (event) => { if (this.svg) { from = { at: this.#place(event), box: [...this.box], moved: false }; } });
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
    this.canvas.addEventListener("wheel", (event) => { if (this.svg) { event.preventDefault(); this.zoom(Math.exp(-event.deltaY / 400), this.#place(event)); } }, { passive: false });
    const keys = { "+": () => this.zoom(1.4), "=": () => this.zoom(1.4), "-": () => this.zoom(1 / 1.4), f: () => this.fit(), ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    this.canvas.addEventListener("keydown", (event) => {
      const act = keys[event.key];
      if (!act || !this.svg) return;
      event.preventDefault();
      if (Array.isArray(act)) this.#look([this.box[0] + act[0] * this.box[2], this.box[1] + act[1] * this.box[3], this.box[2], this.box[3]]);
      else act();
    });
  }
}
