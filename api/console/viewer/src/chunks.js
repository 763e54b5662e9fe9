// The faces of a mesh merged into few buffers, in the worker: an assembly of a thousand parts, or one part of a thousand faces, is drawn in a few dozen calls.
//
// A face is a run of vertices of one buffer: its colour is bytes in that run, so that lighting a face or hiding a body uploads those bytes alone.
// A body whose faces do not fit into what is left of a buffer goes on in the next one.

import { PALETTE, TYPES } from "./palette.js";

const LEAST = 50_000, MOST_CHUNKS = 14, INK = [34, 40, 52, 255];

/**
 * The buffers of a mesh, one after another.
 *
 * typeOf(bodyId, face): type of a surface; isClosed(bodyId). A buffer is { position, normal, color, pick, index, lines, faces, runs, box, reach }. faces: { body,
 * face, first, count, type }, a number per face, body and type by their places in `bodies` and TYPES; runs: [[bodyId, { first, count, firstEnd, ends }]]; box:
 * [minimum, maximum] of the buffer; reach: of all bodies that have a part in it. pick: the number of the face, from 1, and whether its body is closed.
 */
export function* merge({ bodies, meshes }, { typeOf, isClosed }) {
  const parts = meshes.map(facesOf);
  const total = bodies.reduce((sum, body) => sum + meshes[body.mesh].position.length / 3, 0);
  const most = Math.max(LEAST, Math.ceil(total / MOST_CHUNKS));
  const boxes = meshes.map(({ position }) => boxOf(position));
  let pieces = [], vertices = 0, numbered = 0;
  const build = () => fill(pieces, { bodies, meshes, boxes, typeOf, isClosed, numbered });
  for (const [place, body] of bodies.entries()) {
    for (const part of parts[body.mesh]) {
      if (vertices && vertices + part.count > most) {
        const chunk = build();
        numbered += chunk.faces.body.length;
        yield chunk;
        [pieces, vertices] = [[], 0];
      }
      if (pieces.at(-1)?.place !== place) pieces.push({ place, faces: [] });
      pieces.at(-1).faces.push(part);
      vertices += part.count;
    }
  }
  if (vertices) yield build();
}

/** The faces of a mesh: [{ face, first, count, corner, corners }], runs of its vertices and of the corners of its triangles, which come in the same order. */
function facesOf({ face, index }) {
  const found = [];
  for (let first = 0, corner = 0; first < face.length;) {
    let end = first + 1, last = corner;
    while (end < face.length && face[end] === face[first]) end += 1;
    while (last < index.length && index[last] < end) last += 1;
    found.push({ face: face[first], first, count: end - first, corner, corners: last - corner });
    [first, corner] = [end, last];
  }
  return found;
}

function fill(pieces, { bodies, meshes, boxes, typeOf, isClosed, numbered }) {
  const meshOf = (piece) => meshes[bodies[piece.place].mesh];
  const isFirst = (piece) => piece.faces[0].first === 0;  // the edges of a body go with its first face
  const faces = pieces.flatMap((piece) => piece.faces), lined = pieces.filter((piece) => isFirst(piece) && meshOf(piece).lines);
  const sum = (all, size) => all.reduce((whole, one) => whole + size(one), 0);
  const vertices = sum(faces, (one) => one.count), ends = sum(lined, (piece) => meshOf(piece).lines.position.length / 3);
  const chunk = {
    position: new Float32Array(vertices * 3), normal: new Float32Array(vertices * 3), color: new Uint8Array(vertices * 4), pick: new Uint8Array(vertices * 4), index: new Uint32Array(sum(faces, (one) => one.corners)),
    lines: { position: new Float32Array(ends * 3), color: new Uint8Array(ends * 4), index: new Uint32Array(sum(lined, (piece) => meshOf(piece).lines.index.length)) },
    faces: { body: new Uint32Array(faces.length), face: new Uint32Array(faces.length), first: new Uint32Array(faces.length), count: new Uint32Array(faces.length), type: new Uint8Array(faces.length) },
    runs: [], reach: null,
  };
  const at = { vertex: 0, corner: 0, end: 0, side: 0, face: 0, numbered };
  for (const piece of pieces) {
    const body = bodies[piece.place], run = { first: at.vertex, count: 0, firstEnd: at.end, ends: 0 };
    for (const part of piece.faces) copyFace(chunk, at, meshOf(piece), part, body, piece.place, typeOf(body.id, part.face), isClosed(body.id));
    if (isFirst(piece) && meshOf(piece).lines) copyLines(chunk, at, meshOf(piece).lines, body.matrix);
    chunk.runs.push([body.id, { ...run, count: at.vertex - run.first, ends: at.end - run.firstEnd }]);
    chunk.reach = joined(chunk.reach, placed(boxes[body.mesh], body.matrix));
  }
  return { ...chunk, box: boxOf(chunk.position) };
}

function copyFace(chunk, at, mesh, { face, first, count, corner, corners }, body, place, type, isClosed) {
  transform(mesh.position, first, count, body.matrix, chunk.position, at.vertex, 1);
  transform(mesh.normal, first, count, body.matrix, chunk.normal, at.vertex, 0);
  for (let own = 0; own < corners; own += 1) chunk.index[at.corner + own] = mesh.index[corner + own] - first + at.vertex;
  const known = PALETTE[type] ? type : "other", number = at.numbered + at.face + 1;
  for (const [name, value] of Object.entries({ body: place, face, first: at.vertex, count, type: TYPES.indexOf(known) })) chunk.faces[name][at.face] = value;
  for (let vertex = at.vertex; vertex < at.vertex + count; vertex += 1) {
    chunk.color.set(PALETTE[known], 4 * vertex);
    chunk.color[4 * vertex + 3] = 255;
    chunk.pick.set([number & 255, (number >> 8) & 255, (number >> 16) & 255, isClosed ? 255 : 0], 4 * vertex);
  }
  at.vertex += count;
  at.corner += corners;
  at.face += 1;
}

function copyLines(chunk, at, lines, matrix) {
  const count = lines.position.length / 3;
  transform(lines.position, 0, count, matrix, chunk.lines.position, at.end, 1);
  for (let own = 0; own < lines.index.length; own += 1) chunk.lines.index[at.side + own] = lines.index[own] + at.end;
  for (let vertex = at.end; vertex < at.end + count; vertex += 1) chunk.lines.color.set(INK, 4 * vertex);
  at.end += count;
  at.side += lines.index.length;
}

/** Points (w = 1) or directions (w = 0) from `first` on under a column-major matrix. */
function transform(from, first, count, m, to, start, w) {
  for (let place = 3 * first, out = 3 * start; place < 3 * (first + count); place += 3, out += 3) {
    const x = from[place], y = from[place + 1], z = from[place + 2];
    to[out] = m[0] * x + m[4] * y + m[8] * z + w * m[12];
    to[out + 1] = m[1] * x + m[5] * y + m[9] * z + w * m[13];
    to[out + 2] = m[2] * x + m[6] * y + m[10] * z + w * m[14];
  }
}

/** [minimum, maximum] of points. */
function boxOf(points) {
  const box = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (let place = 0; place < points.length; place += 1) {
    const axis = place % 3;
    if (points[place] < box[0][axis]) box[0][axis] = points[place];
    if (points[place] > box[1][axis]) box[1][axis] = points[place];
  }
  return box;
}

/** A box round a box under a matrix. */
function placed(box, matrix) {
  const corners = new Float32Array(24);
  for (let corner = 0; corner < 8; corner += 1) for (let axis = 0; axis < 3; axis += 1) corners[3 * corner + axis] = box[(corner >> axis) & 1][axis];
  transform(corners, 0, 8, matrix, corners, 0, 1);
  return boxOf(corners);
}

const joined = (one, other) => (one ? [0, 1].map((end) => one[end].map((value, axis) => (end ? Math.max : Math.min)(value, other[end][axis]))) : other);
