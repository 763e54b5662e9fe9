// A drawing or a diagram as the service draws it from its own document: pages, zoom, and marks that answer to lists.
//
// A page is painted by the worker into two bitmaps, one of everything and one of what is lit, larger than the window by MARGIN. While
// the view is moved they are moved; both are painted again as soon as the ones before are there.

import { h, swatch } from "./dom.js";
import { pageCalls } from "./pages.js";
import { nextFrame } from "./slices.js";

const MARGIN = 0.15, MOST_RATIO = 2, REACH_PIXELS = 4;

export class SheetView {
  #painting = whenIdle(() => this.#paintAll());
  #lighting = whenIdle(() => this.#paintLit());
  #pointing = whenIdle(() => this.#point());

  /** base: the address of the extraction; pages: [{ number, name }]; reader: of its document. */
  constructor(host, base, pages, reader) {
    this.base = base;
    this.worker = typeof OffscreenCanvas === "undefined" ? inThisThread() : reader;
    this.pages = pages;
    this.onPoint = () => {};
    this.onPick = () => {};
    this.lit = new Map();
    this.painted = new Map();
    this.canvas = h("div", { class: "sheet", tabindex: "0", role: "img", "aria-label": "The drawing; plus and minus zoom, arrows move, f fits, Enter opens what is in the middle" });
    this.legend = h("ul", { class: "legend tints", "aria-label": "Colours of what was read", hidden: true });
    [this.all, this.over] = [layer(), layer()];
    this.choice = h("select", { "aria-label": "Page", onchange: () => this.show(Number(this.choice.value)) }, pages.map((page) => h("option", { value: page.number }, page.name)));
    const zoom = (factor) => () => this.zoom(factor);
    const tools = h("div", { class: "tools" }, pages.length > 1 && this.choice, h("button", { type: "button", class: "quiet", onclick: zoom(1.4), "aria-label": "Zoom in" }, "+"), h("button", { type: "button", class: "quiet", onclick: zoom(1 / 1.4), "aria-label": "Zoom out" }, "−"), h("button", { type: "button", class: "quiet", onclick: () => this.fit() }, "Fit"));
    host.replaceChildren(tools, this.canvas, this.legend);
    host.view = this;
    this.#listen();
    new ResizeObserver(() => this.#look(this.box)).observe(this.canvas);
  }

  /** Load and show a page. */
  async show(number) {
    this.number = number;
    this.box = null;
    this.choice.value = String(number);
    this.canvas.replaceChildren(h("p", { class: "loading busy" }, "Drawing the page…"));
    const picture = await this.worker.call("openPage", this.#address).catch((error) => error);
    if (number !== this.number) return;
    if (picture instanceof Error) {
      this.canvas.replaceChildren(h("p", { class: "problem", role: "alert" }, picture.message));
      return;
    }
    this.marks = picture.marks;
    this.full = picture.box;
    this.legend.replaceChildren(...picture.tints.map(([name, colour]) => h("li", {}, swatch(`color-mix(in srgb, ${colour} 50%, white)`), name)), ...(picture.hasUnsure ? [h("li", {}, h("span", { class: "swatch unsure" }), "low confidence")] : []));
    this.legend.hidden = !picture.tints.length;
    this.box = [...this.full];
    await Promise.all([this.#painting(), this.#lighting()]);
    if (number === this.number) this.canvas.replaceChildren(this.all.canvas, this.over.canvas);
  }

  fit() { if (this.box) this.#look([...this.full]); }

  zoom(factor, at) {
    if (!this.box) return;
    const [x, y, width, height] = this.box;
    const [cx, cy] = at ?? [x + width / 2, y + height / 2];
    this.#look([cx - (cx - x) / factor, cy - (cy - y) / factor, width / factor, height / factor]);
  }

  /** Light ids with a kind: `lit` for what is pointed at, `added`, `removed`, `changed`, `moved` of a comparison. page: a number, or any page. */
  light(ids, kind = "lit", page = undefined) {
    for (const id of ids) this.lit.set(page === undefined ? id : `${page}/${id}`, { id, kind, page });
    this.#lighting();
  }

  clear(kind) {
    for (const [key, own] of [...this.lit]) if (!kind || own.kind === kind) this.lit.delete(key);
    this.#lighting();
  }

  /** Bring marks into view where they are not. */
  async reveal(ids) {
    const found = await this.worker.call("boxOf", this.#address, ids);
    if (!found) return;
    const [left, top, right, bottom] = found, [x, y, width, height] = this.box;
    if (left < x || top < y || right > x + width || bottom > y + height) this.#look([(left + right) / 2 - width / 2, (top + bottom) / 2 - height / 2, width, height]);
  }

  get #address() { return `${this.base}/pages/${this.number}`; }

  /** Show a part of the page. */
  #look(box) {
    if (!box) return;
    this.box = box;
    for (const one of [this.all, this.over]) this.#put(one);
    this.#painting();
    this.#lighting();
  }

  /** How the page lies in the window: its scale (pixels per unit) and the place of the window's corner. */
  get #view() {
    const { clientWidth: wide, clientHeight: tall } = this.canvas, [x, y, width, height] = this.box;
    const scale = Math.min(wide / width, tall / height);
    return { wide, tall, scale, left: x + width / 2 - wide / scale / 2, top: y + height / 2 - tall / scale / 2 };
  }

  /** What a bitmap shows: the window and MARGIN around it, in whole pixels, so that a bitmap at rest is not blurred. */
  get #part() {
    const { wide, tall, scale, left, top } = this.#view, ratio = Math.min(devicePixelRatio, MOST_RATIO);
    const [across, down] = [wide, tall].map((length) => Math.round(MARGIN * length)), pixels = [wide + 2 * across, tall + 2 * down].map((length) => Math.ceil(length * ratio));
    return { box: [left - across / scale, top - down / scale, pixels[0] / ratio / scale, pixels[1] / ratio / scale], pixels, ratio };
  }

  /** Lay a bitmap where its part of the page is now. */
  #put(one) {
    if (!one.part) return;
    const { scale, left, top } = this.#view, { box, pixels } = one.part;
    const by = scale * box[2] / pixels[0];
    one.canvas.style.transform = `translate(${(box[0] - left) * scale}px, ${(box[1] - top) * scale}px) scale(${by})`;
  }

  async #paintInto(one, lit) {
    const part = this.#part, { number } = this;
    if (!part.pixels[0] || !part.pixels[1]) return;
    const bitmap = await this.worker.call("paintPage", this.#address, part, lit);
    if (number !== this.number) return;
    if (one.canvas.width !== bitmap.width || one.canvas.height !== bitmap.height) [one.canvas.width, one.canvas.height] = part.pixels;
    one.canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
    one.part = part;
    this.#put(one);
  }

  async #paintAll() {
    if (this.box) await this.#paintInto(this.all, null);
  }

  async #paintLit() {
    if (!this.box) return;
    const wanted = new Map([...this.lit.values()].filter(({ page }) => page === undefined || page === this.number).map(({ id, kind }) => [id, kind]));
    if (wanted.size) await this.#paintInto(this.over, [...wanted]);
    this.over.canvas.hidden = !wanted.size;
    this.painted = wanted;
  }

  #place(event) {
    const { left, top } = this.canvas.getBoundingClientRect(), view = this.#view;
    return [view.left + (event.clientX - left) / view.scale, view.top + (event.clientY - top) / view.scale];
  }

  /** What is at a place of the page: { id, words }, or null. */
  async #at(place) {
    return this.box && this.worker.call("pointedAt", this.#address, place, REACH_PIXELS / this.#view.scale);
  }

  async #point() {
    const found = this.pointer && (await this.#at(this.pointer));
    if ((found?.id ?? null) === (this.pointed ?? null)) return;
    this.pointed = found?.id ?? null;
    this.canvas.title = found?.words ?? "";
    this.onPoint(this.pointed);
  }

  /** Open the entry of what is in the middle of the window. */
  async #open() {
    const [x, y, width, height] = this.box;
    const found = await this.#at([x + width / 2, y + height / 2]);
    if (!found) return;
    this.onPoint(found.id);
    this.onPick(found.id, true);
  }

  #listen() {
    let from = null;
    const fingers = new Map();
    this.canvas.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, event);
      if (this.box) from = { at: this.#place(event), box: [...this.box], moved: fingers.size > 1 };
    });
    for (const kind of ["pointerup", "pointercancel", "pointerleave"]) this.canvas.addEventListener(kind, (event) => fingers.delete(event.pointerId));
    this.canvas.addEventListener("pointermove", (event) => {
      if (!this.box) return;
      if (fingers.size === 2 && fingers.has(event.pointerId)) {
        const other = [...fingers.values()].find(({ pointerId }) => pointerId !== event.pointerId), before = fingers.get(event.pointerId);
        fingers.set(event.pointerId, event);
        this.zoom(apart(event, other) / (apart(before, other) || 1), this.#place(other));
        return;
      }
      const [x, y] = this.#place(event);
      if (from && event.buttons) {
        from.moved ||= Math.hypot(x - from.at[0], y - from.at[1]) > this.box[2] / 300;
        if (from.moved) this.#look([this.box[0] + from.at[0] - x, this.box[1] + from.at[1] - y, this.box[2], this.box[3]]);
      } else {
        this.pointer = [x, y];
        this.#pointing();
      }
    });
    this.canvas.addEventListener("pointerup", async (event) => {
      const pressed = from && !from.moved && from.at;
      from = null;
      const found = pressed && (await this.#at(pressed));
      if (found) this.onPick(found.id);
    });
    this.canvas.addEventListener("pointerleave", () => {
      this.pointer = null;
      this.#pointing();
    });
    this.canvas.addEventListener("wheel", (event) => { if (this.box) { event.preventDefault(); this.zoom(Math.exp(-event.deltaY / 400), this.#place(event)); } }, { passive: false });
    const keys = { "+": () => this.zoom(1.4), "=": () => this.zoom(1.4), "-": () => this.zoom(1 / 1.4), f: () => this.fit(), Enter: () => this.#open(), ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    this.canvas.addEventListener("keydown", (event) => {
      const act = keys[event.key];
      if (!act || !this.box) return;
      event.preventDefault();
      if (Array.isArray(act)) this.#look([this.box[0] + act[0] * this.box[2], this.box[1] + act[1] * this.box[3], this.box[2], this.box[3]]);
      else act();
    });
  }
}

const apart = (one, other) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);

/** A bitmap on the page, and the part of the picture that it shows. */
const layer = () => ({ canvas: h("canvas", { "aria-hidden": "true" }), part: null });

/** The pages of a browser without OffscreenCanvas, painted in this thread, a few milliseconds per frame. */
function inThisThread() {
  const calls = pageCalls(nextFrame);
  return { call: async (name, ...args) => (await calls[name](...args)).value };
}

/** A function that runs `work`, once at a time: calls during a run become one more run after it. Resolves when no run is left. */
function whenIdle(work) {
  let running = null, again = false;
  const run = async () => {
    do {
      again = false;
      await work();
    } while (again);
    running = null;
  };
  return () => {
    again = true;
    running ??= Promise.resolve().then(run);
    return running;
  };
}
