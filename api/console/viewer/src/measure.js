// What can be said of two faces: exactly from the parameters in the document, and the nearest distance from the mesh.

import { number } from "./dom.js";

const PARALLEL = 1e-6;

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a, b, by = 1) => [a[0] + by * b[0], a[1] + by * b[1], a[2] + by * b[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(...a);
const degrees = (cosine) => (Math.acos(Math.min(1, Math.abs(cosine))) * 180) / Math.PI;

/** Sentences about two faces of the document; `units` is appended to lengths. */
export function relate(one, other, units) {
  const said = [];
  const [planes, axes] = [[one, other].filter((face) => face.type === "plane" && face.normal), [one, other].filter((face) => face.axis && face.origin)];
  if (planes.length === 2) said.push(...ofPlanes(one, other, units));
  if (axes.length === 2) said.push(...ofAxes(one, other, units));
  if (planes.length === 1 && axes.length === 1) said.push(...ofPlaneAndAxis(planes[0], axes[0], units));
  return said;
}

function ofPlanes(one, other, units) {
  const cosine = dot(one.normal, other.normal);
  if (1 - Math.abs(cosine) > PARALLEL) return [`the planes meet at ${number(degrees(cosine))}°`];
  return [`parallel planes, ${number(Math.abs(dot(one.normal, minus(other.origin, one.origin))))} ${units} apart`];
}

function ofAxes(one, other, units) {
  const cosine = dot(one.axis, other.axis), between = minus(other.origin, one.origin);
  if (1 - Math.abs(cosine) > PARALLEL) {
    const normal = cross(one.axis, other.axis);
    return [`the axes meet or pass at ${number(degrees(cosine))}°, ${number(Math.abs(dot(between, normal)) / length(normal))} ${units} apart`];
  }
  const apart = length(minus(between, one.axis.map((part) => part * dot(between, one.axis))));
  return [apart < 1e-9 * (1 + length(between)) ? "one common axis" : `parallel axes, ${number(apart)} ${units} apart`];
}

function ofPlaneAndAxis(plane, axis, units) {
  const sine = dot(plane.normal, axis.axis);
  if (Math.abs(sine) > PARALLEL) return [`the axis meets the plane at ${number(90 - degrees(sine))}°`];
  return [`the axis is parallel to the plane, ${number(Math.abs(dot(plane.normal, minus(axis.origin, plane.origin))))} ${units} from it`];
}

const MOST_POINTS = 400, MOST_TRIANGLES = 3000;

/** The nearest distance of two sets of triangles ((n, 3, 3) as arrays of corners), with its two ends; at corners of one of them. */
export function nearest(one, other) {
  let best = { distance: Infinity, from: null, to: null };
  for (const [points, triangles, swap] of [[one, other, false], [other, one, true]]) {
    const chosen = thinned(triangles, MOST_TRIANGLES);
    for (const point of thinned(points.flat(), MOST_POINTS)) {
      for (const triangle of chosen) {
        const foot = closest(point, triangle), distance = length(minus(point, foot));
        if (distance < best.distance) best = swap ? { distance, from: foot, to: point } : { distance, from: point, to: foot };
      }
    }
  }
  return best;
}

const thinned = (items, most) => (items.length <= most ? items : items.filter((_, place) => place % Math.ceil(items.length / most) === 0));

/** The point of a triangle nearest to a point (Ericson, Real-Time Collision Detection, section 5.1.5). */
function closest(p, [a, b, c]) {
  const ab = minus(b, a), ac = minus(c, a), ap = minus(p, a);
  const d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return a;
  const bp = minus(p, b), d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return b;
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return plus(a, ab, d1 / (d1 - d3));
  const cp = minus(p, c), d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return c;
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return plus(a, ac, d2 / (d2 - d6));
  const va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return plus(b, minus(c, b), (d4 - d3) / (d4 - d3 + d5 - d6));
  const sum = 1 / (va + vb + vc);
  return plus(plus(a, ab, vb * sum), ac, vc * sum);
}
