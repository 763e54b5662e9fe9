// The bodies of a mesh merged into few buffers, so that an assembly of a thousand parts is drawn in a few dozen calls.
//
// A face is a run of vertices of one buffer: its colour is bytes in that run, so that lighting a face or hiding a body uploads those bytes alone.

const LEAST = 65_000, MOST_CHUNKS = 14, SLICE_MS = 8;

export const PALETTE = {
  plane: [150, 170, 196], cylinder: [104, 159, 224], cone: [226, 150, 82], sphere: [201, 118, 190], torus: [96, 186, 140], bspline: [206, 178, 84], bezier: [206, 178, 84],
  revolution: [178, 134, 108], extrusion: [128, 180, 188], offset: [170, 170, 120], other: [160, 160, 168],
};

/** Merge bodies; `ready(chunk)` is awaited for each buffer that is complete. typeOf(bodyId, face): type of a surface; isClosed(bodyId). */
export async function merge({ bodies, meshes }, { typeOf, isClosed }, ready) {
  const total = bodies.reduce((sum, body) => sum + meshes[body.mesh].position.length / 3, 0);
  const most = Math.max(LEAST, Math.ceil(total / MOST_CHUNKS));
  const faces = [], starts = new Map();
  let clock = performance.now(), chunks = 0;
  for (let first = 0; first < bodies.length;) {
    let last = first, vertices = 0;
    do {
      vertices += meshes[bodies[last].mesh].position.length / 3;
      last += 1;
    } while (last < bodies.length && vertices + meshes[bodies[last].mesh].position.length / 3 <= most);
    const group = bodies.slice(first, last);
    const chunk = allocate(group, meshes, chunks);
    for (const body of group) {
      starts.set(body.id, faces.length);
      copy(chunk, body, meshes[body.mesh], faces, (face) => typeOf(body.id, face), isClosed(body.id));
      if (performance.now() - clock > SLICE_MS) {
        await new Promise((resolve) => { setTimeout(resolve); });
        clock = performance.now();
      }
    }
    await ready(chunk);
    clock = performance.now();
    chunks += 1;
    first = last;
  }
  return { faces, starts };
}

function allocate(group, meshes, number) {
  const sum = (size) => group.reduce((all, body) => all + size(meshes[body.mesh]), 0);
  const vertices = sum((mesh) => mesh.position.length / 3), corners = sum((mesh) => mesh.index.length);
  const ends = sum((mesh) => (mesh.lines ? mesh.lines.position.length / 3 : 0)), sides = sum((mesh) => mesh.lines?.index.length ?? 0);
  return {
    number, position: new Float32Array(vertices * 3), normal: new Float32Array(vertices * 3), color: new Uint8Array(vertices * 4), pick: new Uint8Array(vertices * 4), index: new Uint32Array(corners),
    lines: { position: new Float32Array(ends * 3), color: new Uint8Array(ends * 4), index: new Uint32Array(sides) },
    at: { vertex: 0, corner: 0, end: 0, side: 0 }, runs: new Map(),
  };
}

function copy(chunk, body, mesh, faces, typeOf, isClosed) {
  const { at } = chunk, base = at.vertex, end = at.end, count = mesh.position.length / 3;
  transform(mesh.position, body.matrix, chunk.position, base, 1);
  transform(mesh.normal, body.matrix, chunk.normal, base, 0);
  for (let place = 0; place < mesh.index.length; place += 1) chunk.index[at.corner + place] = mesh.index[place] + base;
  for (let place = 0; place < count;) {
    const own = mesh.face[place];
    let stop = place + 1;
    while (stop < count && mesh.face[stop] === own) stop += 1;
    const color = PALETTE[typeOf(own)] ?? PALETTE.other;
    const number = faces.push({ body: body.id, face: own, chunk, first: base + place, count: stop - place, color });
    for (let vertex = base + place; vertex < base + stop; vertex += 1) {
      chunk.color.set([...color, 255], 4 * vertex);
      chunk.pick.set([number & 255, (number >> 8) & 255, (number >> 16) & 255, isClosed ? 255 : 0], 4 * vertex);
    }
    place = stop;
  }
  if (mesh.lines) {
    transform(mesh.lines.position, body.matrix, chunk.lines.position, end, 1);
    for (let place = 0; place < mesh.lines.index.length; place += 1) chunk.lines.index[at.side + place] = mesh.lines.index[place] + end;
    at.end += mesh.lines.position.length / 3;
    at.side += mesh.lines.index.length;
    for (let vertex = end; vertex < at.end; vertex += 1) chunk.lines.color.set([34, 40, 52, 255], 4 * vertex);
  }
  at.vertex += count;
  at.corner += mesh.index.length;
  chunk.runs.set(body.id, { first: base, count, firstEnd: end, ends: at.end - end });
}

/** Points (w = 1) or directions (w = 0) under a column-major matrix. */
function transform(from, m, to, start, w) {
  for (let place = 0, out = 3 * start; place < from.length; place += 3, out += 3) {
    const x = from[place], y = from[place + 1], z = from[place + 2];
    to[out] = m[0] * x + m[4] * y + m[8] * z + w * m[12];
    to[out + 1] = m[1] * x + m[5] * y + m[9] * z + w * m[13];
    to[out + 2] = m[2] * x + m[6] * y + m[10] * z + w * m[14];
  }
}
