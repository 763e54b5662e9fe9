// Shapes of a picture on a canvas.
//
// The canvas is drawn by the processor (willReadFrequently): Chromium sends the lines of others to the process that draws every page, which many thousand lines hold up.

import { rest } from "./slices.js";

const FONT = "Arial, Helvetica, 'DejaVu Sans', sans-serif", FONT_SIZE = 100;

/** What is lit: the colours of its outline and of its surface. */
export const LIT = {
  lit: ["#b3261e", "#ffd040"], added: ["#1a7f45", "#46be6e"], removed: ["#b3261e", "#e15048"], changed: ["#b26a00", "#ffb028"], moved: ["#6b3fb0", "#aa78e6"],
};
const LIT_PIXELS = 2.5, LIT_OPACITY = 0.35, LIT_SIDE = 0.1;

/**
 * A bitmap of a part of a picture.
 *
 * marks: those that are drawn, in their order, as [mark, kind]; kind: a key of LIT, or null for a mark as it is. box: [x, y, width, height] of
 * the part; pixels: [width, height] of the bitmap; ratio: pixels of the bitmap per pixel of the page. pause: what lets others run.
 */
export async function paint(marks, { box, pixels, ratio }, pause) {
  const canvas = makeCanvas(...pixels), context = canvas.getContext("2d", { willReadFrequently: true });
  const scale = pixels[0] / box[2], slice = rest(pause), right = box[0] + box[2], bottom = box[1] + box[3];
  const base = [scale, 0, 0, scale, -box[0] * scale, -box[1] * scale];
  context.setTransform(...base);
  context.miterLimit = 4;
  let last = null;
  for (const [mark, kind] of marks) {
    if (mark.box[0] > right || mark.box[1] > bottom || mark.box[2] < box[0] || mark.box[3] < box[1]) continue;
    for (const shape of mark.shapes) {
      const pen = kind ? litPen(shape, kind, LIT_PIXELS * ratio / scale) : shape.pen;
      if (pen !== last) take(context, last = pen);
      draw(context, shape, pen, base);
    }
    if (slice.isDue()) await slice.pause();
  }
  return canvas.transferToImageBitmap?.() ?? createImageBitmap(canvas);
}

function makeCanvas(width, height) {
  if (typeof OffscreenCanvas !== "undefined") return new OffscreenCanvas(width, height);
  return Object.assign(document.createElement("canvas"), { width, height });
}

function take(context, pen) {
  if (pen.fill) context.fillStyle = pen.fill;
  if (!pen.stroke) return;
  context.strokeStyle = pen.stroke;
  context.lineWidth = pen.width;
  context.lineCap = pen.cap;
  context.setLineDash(pen.dash);
}

function litPen({ pen, text, outline }, kind, most) {
  const [line, surface] = LIT[kind];
  if (text) return { ...pen, fill: line, stroke: null };
  const width = pen.fill ? Math.min(most, LIT_SIDE * Math.min(outline.right - outline.left, outline.bottom - outline.top)) : most;
  return { ...pen, fill: pen.fill && surface, opacity: LIT_OPACITY, stroke: line, width: Math.max(width, pen.stroke ? pen.width : 0), dash: [] };
}

function draw(context, shape, pen, base) {
  if (shape.matrix) context.transform(...shape.matrix);
  if (shape.text) write(context, shape.text, pen);
  else {
    const path = pathOf(shape);
    if (pen.fill) {
      context.globalAlpha = pen.opacity;
      context.fill(path, pen.rule);
      context.globalAlpha = 1;
    }
    if (pen.stroke) context.stroke(path);
  }
  if (shape.matrix) context.setTransform(...base);
}

/** The outline of a shape, made when it is first needed. */
function pathOf(shape) {
  if (!shape.path) {
    shape.path = new Path2D(shape.outline.data);
    shape.outline.draw?.(shape.path);
  }
  return shape.path;
}

/** Letters are drawn large and scaled, because browsers have a smallest font size. */
function write(context, { lines, size, fitted, align, baseline, weight }, pen) {
  const by = size / FONT_SIZE, font = `${weight} ${FONT_SIZE}px ${FONT}`;
  if (context.font !== font) context.font = font;
  Object.assign(context, { textAlign: align, textBaseline: baseline });
  for (const { words, x, y } of lines) {
    context.save();
    context.translate(x, y);
    context.scale(fitted ? fitted / (context.measureText(words).width || 1) : by, by);
    if (pen.stroke) {
      context.lineWidth = pen.width / by;
      context.strokeText(words, 0, 0);
    }
    context.fillText(words, 0, 0);
    context.restore();
  }
}

/** The topmost mark at a point that lights an entry; null for none. reach: how far beside a line it is still hit, in units of the picture. */
export function markAt(marks, [x, y], reach) {
  const context = makeCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  for (let place = marks.length - 1; place >= 0; place -= 1) {
    const mark = marks[place], [left, top, right, bottom] = mark.box;
    if (mark.isSource && x >= left - reach && y >= top - reach && x <= right + reach && y <= bottom + reach && mark.shapes.some((shape) => isHit(context, shape, x, y, reach))) return mark;
  }
  return null;
}

function isHit(context, shape, x, y, reach) {
  if (shape.matrix) [x, y] = inverse(shape.matrix, x, y);
  const { left, top, right, bottom } = shape.outline;
  if (shape.text) return x >= left && y >= top && x <= right && y <= bottom;
  context.lineWidth = Math.max(shape.pen.width, 2 * reach);
  return (shape.pen.fill && context.isPointInPath(pathOf(shape), x, y, shape.pen.rule)) || (shape.pen.stroke && context.isPointInStroke(pathOf(shape), x, y));
}

/** A point before it was turned and moved; the matrix has no scale. */
const inverse = ([a, b, c, d, e, f], x, y) => [a * (x - e) + b * (y - f), c * (x - e) + d * (y - f)];
