// Elements from plain calls. Text is always text: nothing that comes out of a file is read as markup.

/** h("p", { class: "dim", onclick: … }, "text", element, …) */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false).map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/** A number as a person reads it: at most six significant digits. */
export function number(value) {
  if (typeof value !== "number" || !Number.isFinite(value)) return "–";
  return Number(value.toPrecision(6)).toLocaleString("en", { maximumFractionDigits: 6 });
}

/** "1 face", "2 faces": a count and the plural that it belongs to. */
export function counted(count, plural) {
  return `${count.toLocaleString("en")} ${count === 1 ? singular(plural) : plural}`;
}

const singular = (plural) => plural.replace(/vertices$/, "vertex").replace(/ies$/, "y").replace(/(ch|sh|x)es$/, "$1").replace(/s$/, "");

const SYMBOLS = { millimeter: "mm", centimeter: "cm", meter: "m", inch: "in", foot: "ft", point: "pt", pixel: "px" };

/** The symbol of a unit; its name where it has none here. */
export const symbol = (unit) => SYMBOLS[unit] ?? unit;

export function vector(values) {
  return Array.isArray(values) ? `(${values.map(number).join(", ")})` : "–";
}

/** Members of a record in words: "diameter 6.6, through"; what is neither number, word nor truth value is left out, and so are some names. */
export function details(record, told) {
  const words = (name, value) => {
    if (value === true) return name;
    if (value === false) return name === "through" ? "blind" : `not ${name}`;
    return `${name} ${typeof value === "number" ? number(value) : value}`;
  };
  return Object.entries(record).filter(([name, value]) => !told.has(name) && value !== null && typeof value !== "object").map(([name, value]) => words(name.replaceAll("_", " "), value)).join(", ");
}

/** A list of terms and values; values that are missing are left out. */
export function facts(rows) {
  return h("dl", { class: "facts" }, rows.filter(([, value]) => value !== undefined && value !== null && value !== "").map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

/** Below it a reading is marked; the page knows the service's own limit. */
const LOW_CONFIDENCE = Number(document.getElementById("viewer")?.dataset.lowConfidence);

export const isUnsure = (value) => typeof value === "number" && value < LOW_CONFIDENCE;

/** A confidence, marked where it is low. */
export function confidence(value) {
  if (typeof value !== "number") return null;
  const low = isUnsure(value);
  return h("span", { class: low ? "state state-queued" : "dim", title: "how sure the reader is, from 0 to 1" }, `${low ? "low confidence" : "confidence"} ${value.toFixed(2)}`);
}

/** A square of a colour, for a legend. */
export function swatch(colour) {
  const box = h("span", { class: "swatch" });
  box.style.background = colour;
  return box;
}

/** Up and down move between the entries of a panel. */
export function byArrows(panel) {
  panel.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], from = event.target.closest(".entry");
    if (!step || !from || event.target !== from) return;
    const entries = [...panel.querySelectorAll(".entry")].filter((one) => one.checkVisibility());
    const next = entries[entries.indexOf(from) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  return panel;
}

const BATCH = 60;

/** A list that grows by BATCH entries as its end comes near the window. `list.showUntil(isWanted)` makes entries up to the one that is wanted, and returns it. */
export function longList(attributes, items, make) {
  const list = h("ul", attributes), end = h("li", { class: "end", "aria-hidden": "true" });
  let shown = 0;
  const grow = () => {
    const entries = items.slice(shown, shown + BATCH).map(make);
    shown += entries.length;
    end.before(...entries);
    if (shown === items.length) { watcher.disconnect(); end.remove(); }
    return entries;
  };
  const watcher = new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) { grow(); watcher.unobserve(end); if (end.isConnected) watcher.observe(end); } }, { rootMargin: "600px" });
  list.append(end);
  grow();
  if (end.parentNode) watcher.observe(end);
  list.showUntil = (isWanted) => {
    for (let entries = [...list.children]; entries.length; entries = shown < items.length ? grow() : []) {
      const found = entries.find((one) => one !== end && isWanted(one));
      if (found) return found;
    }
    return null;
  };
  return list;
}
