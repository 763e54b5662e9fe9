// Pictures of sheets and pages as shapes that a canvas can draw.
//
// The pictures are SVG of `spatial preview`: attributes are quoted with ", neither < nor > stands within them, and coordinates are absolute.

import { rest } from "./slices.js";

const TAG = /<(\/?)([A-Za-z]+)((?:\s[^>]*)?)>/g, ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;
const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" };
const plain = (text) => (text.includes("&") ? text.replace(/&(?:lt|gt|quot|apos|amp);/g, (sign) => ENTITIES[sign]) : text);

/**
 * The shapes of a picture, in the order in which they are drawn.
 *
 * { box: [x, y, width, height], marks: [{ id, isSource, words, shapes, box: [left, top, right, bottom] }], tints, hasUnsure }. id: of the
 * record that a mark draws, or null; isSource: whether pointing at it lights an entry; words: what it says when it is pointed at; tints:
 * [[name, colour]] of what is tinted; hasUnsure: whether something was read with low confidence.
 */
export async function read(text, pause) {
  const slice = rest(pause), marks = [], pens = new Map(), open = [], tints = new Map();
  let box = null, mark = null, from = 0, hasUnsure = false;
  for (const { 0: tag, 1: closing, 2: name, 3: written, index } of text.matchAll(TAG)) {
    const before = closing ? plain(text.slice(from, index)) : "";
    from = index + tag.length;
    if (!closing && !box) {
      box = attributes(written).viewBox.split(" ").map(Number);
      continue;
    }
    if (closing) {
      const own = open.pop();
      if (own) close(mark, own, before, pens);
    } else {
      const own = { name, at: attributes(written), inside: open.at(-1), lines: [] };
      if (!open.length) marks.push(mark = { id: own.at["data-source"] ?? own.at["data-entity"] ?? null, isSource: "data-source" in own.at, words: "", shapes: [], box: [Infinity, Infinity, -Infinity, -Infinity] });
      if (own.at["data-kind"]) tints.set(own.at["data-kind"].replaceAll("_", " "), own.at.fill);
      hasUnsure ||= own.at["data-confidence"] === "low";
      if (tag.endsWith("/>")) close(mark, own, "", pens);
      else open.push(own);
    }
    if (slice.isDue()) await slice.pause();
  }
  return { box, marks: marks.filter((one) => one.shapes.length), tints: [...tints], hasUnsure };
}

function attributes(written) {
  const found = {};
  for (const [, name, value] of written.matchAll(ATTRIBUTE)) found[name] = plain(value);
  return found;
}

/** An element has ended: a line of a text, the words of a mark, or a shape of it. */
function close(mark, { name, at, inside, lines }, words, pens) {
  if (name === "title") mark.words = words;
  else if (name === "tspan") inside.lines.push({ words, x: Number(at.x), down: (inside.lines.at(-1)?.down ?? 0) + Number(at.dy) });
  else if (OUTLINES[name]) add(mark, { pen: penOf(at, pens), outline: OUTLINES[name](at), matrix: turned(inside?.at.transform) });
  else if (name === "text") add(mark, lettering(at, lines.length ? lines : [{ words, x: 0, down: 0 }], inside, penOf(at, pens)));
}

function add(mark, shape) {
  const { box } = mark, { left, top, right, bottom } = shape.matrix ? around(shape.matrix, shape.outline) : shape.outline;
  const wide = shape.pen.stroke ? shape.pen.width / 2 : 0;
  mark.shapes.push(shape);
  mark.box = [Math.min(box[0], left - wide), Math.min(box[1], top - wide), Math.max(box[2], right + wide), Math.max(box[3], bottom + wide)];
}

/** How a shape is drawn; shapes that are drawn alike share one record. */
function penOf(at, pens) {
  const named = [at.fill, at.stroke, at["stroke-width"], at["stroke-dasharray"], at["stroke-linecap"], at["fill-opacity"], at["fill-rule"]];
  const key = named.join();
  if (!pens.has(key)) {
    const [fill = "#000000", stroke = "none", width = "1", dash, cap = "butt", opacity = "1", rule = "nonzero"] = named;
    pens.set(key, { fill: fill === "none" ? null : fill, stroke: stroke === "none" ? null : stroke, width: Number(width), dash: dash ? dash.split(/[\s,]+/).map(Number) : [], cap, opacity: Number(opacity), rule });
  }
  return pens.get(key);
}

/** { data | draw, left, top, right, bottom }: path data, or what adds an outline to a path, and the box of either. */
const OUTLINES = {
  path: ({ d }) => ({ data: d, ...extent(d) }),
  circle: ({ cx, cy, r }) => oval(Number(cx), Number(cy), Number(r), Number(r)),
  ellipse: ({ cx, cy, rx, ry }) => oval(Number(cx), Number(cy), Number(rx), Number(ry)),
  rect: (at) => {
    const [x, y, width, height] = [at.x, at.y, at.width, at.height].map(Number), radius = Number(at.rx ?? 0);
    return { draw: (path) => (radius ? path.roundRect(x, y, width, height, radius) : path.rect(x, y, width, height)), left: x, top: y, right: x + width, bottom: y + height };
  },
};

const oval = (x, y, across, down) => ({ draw: (path) => path.ellipse(x, y, across, down, 0, 0, 2 * Math.PI), left: x - across, top: y - down, right: x + across, bottom: y + down });

const STEP = /([A-Za-z])([^A-Za-z]*)/g;

/** A box round path data: of all its points, those that curves are drawn towards too, and of the whole circles of its arcs. */
function extent(data) {
  let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
  const reach = (x, y, by) => { left = Math.min(left, x - by); top = Math.min(top, y - by); right = Math.max(right, x + by); bottom = Math.max(bottom, y + by); };
  for (const [, letter, written] of data.matchAll(STEP)) {
    const numbers = written.trim() ? written.trim().split(/[\s,]+/).map(Number) : [];
    if (letter === "A") for (let place = 0; place < numbers.length; place += 7) reach(numbers[place + 5], numbers[place + 6], 2 * Math.max(numbers[place], numbers[place + 1]));
    else for (let place = 0; place + 1 < numbers.length; place += 2) reach(numbers[place], numbers[place + 1], 0);
  }
  return { left, top, right, bottom };
}

/** "translate(x y) rotate(a)" and "rotate(a x y)" as [a, b, c, d, e, f]; null for none. */
function turned(transform) {
  if (!transform) return null;
  const [numbers, translated] = [transform.match(/-?[\d.]+/g).map(Number), transform.startsWith("translate")];
  const [x, y, degrees] = translated ? numbers : [numbers[1], numbers[2], numbers[0]];
  const [cos, sin] = [Math.cos(degrees * Math.PI / 180), Math.sin(degrees * Math.PI / 180)];
  return translated ? [cos, sin, -sin, cos, x, y] : [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
}

const LETTER = 0.62;

/** A text. Its box is as wide as letters are at most on average (LETTER, in font sizes), because nothing is measured here. */
function lettering(at, lines, inside, pen) {
  const size = Number(at["font-size"]), fitted = at.textLength ? Number(at.textLength) : 0, x = Number(at.x ?? 0), y = Number(at.y ?? 0);
  const part = { start: 0, middle: 0.5, end: 1 }[at["text-anchor"] ?? "start"], wide = fitted || LETTER * size * Math.max(...lines.map((line) => line.words.length));
  const starts = lines.map((line) => x + line.x - part * wide);
  return {
    pen, matrix: turned(at.transform) ?? turned(inside?.at.transform), text: { lines: lines.map((line) => ({ words: line.words, x: x + line.x, y: y + line.down })), size, fitted, align: ["left", "center", "right"][2 * part], baseline: at["dominant-baseline"] === "central" ? "middle" : "alphabetic", weight: at["font-weight"] ?? "normal" },
    outline: { left: Math.min(...starts), right: Math.max(...starts) + wide, top: y - size, bottom: y + lines.at(-1).down + 0.3 * size },
  };
}

function around([a, b, c, d, e, f], { left, top, right, bottom }) {
  const corners = [[left, top], [right, top], [left, bottom], [right, bottom]].map(([x, y]) => [a * x + c * y + e, b * x + d * y + f]);
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}
