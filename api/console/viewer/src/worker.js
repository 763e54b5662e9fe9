// Holds the whole document, away from the thread that draws. It answers: the outline, the mesh in buffers, the pages as bitmaps, a face of a body, children of a place, a search.

import { merge } from "./chunks.js";
import { parse } from "./glb.js";
import { messageOf } from "./messages.js";
import { pageCalls } from "./pages.js";
import { nextTask } from "./slices.js";

let whole = null, chunks = null;

const calls = { load, openMesh, nextChunk, face, children, search, text, ...pageCalls(nextTask) };

onmessage = async ({ data: { id, name, args } }) => {
  try {
    const { value, transfer = [] } = await calls[name](...args);
    postMessage({ id, value }, transfer);
  } catch (error) {
    postMessage({ id, problem: error.message });
  }
};

async function load(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(messageOf(await answer.text(), answer.status));
  whole = await answer.json();
  const clouds = (whole.point_cloud_scene?.point_clouds ?? []).map(packed);
  return { value: { ...whole, structure: outline(whole.structure), point_cloud_scene: undefined, clouds }, transfer: clouds.map((cloud) => cloud.points.buffer) };
}

/** What panels need of the structure: everything but entities, texts, faces and edges, which can be many. */
function outline(structure) {
  if (!structure) return null;
  const { entities = [], annotations = [], edges, solids, shells, free_faces, pages, ...rest } = structure;
  return {
    ...rest,
    entities: entities.length,
    annotations: annotations.map(({ id, text, page }) => ({ id, text, page })),
    solids: solids?.map(body),
    shells: shells?.map(body),
    free_faces: free_faces?.map((face) => ({ id: face.id, name: face.id, faces: 1 })),
    pages: pages?.map((page) => ({ ...page, relations: page.relations?.length ?? 0, nodes: page.nodes.map(({ id, label, shape, parent }) => ({ id, label, shape, parent })), edges: page.edges.map(({ id, label, source, target, ...edge }) => ({ id, label, source, target, arrow: arrow(source, target, edge) })) })),
  };
}

/** From where to where an edge with one head points; null where it has none, or two. */
function arrow(source, target, { directed, bidirectional, end_arrow: end }) {
  if (!directed || bidirectional) return null;
  return end === undefined ? [target, source] : [source, target];
}

function body({ faces = [], shells = [], ...rest }) {
  const types = {};
  for (const face of faces) types[face.type] = (types[face.type] ?? 0) + 1;
  return { ...rest, shells: shells.length, faces: faces.length, types };
}

function packed({ object_id, kind, points }) {
  const flat = new Float32Array(points.length * 3);
  points.forEach(({ x, y, z }, place) => flat.set([x, y, z], 3 * place));
  return { object_id, kind, points: flat };
}

/** The faces of every body, by its id. */
const faces = () => {
  const { solids = [], shells = [], free_faces = [] } = whole.structure ?? {};
  return new Map([...[...solids, ...shells].map(({ id, faces: own = [] }) => [id, own]), ...free_faces.map((one) => [one.id, [one]])]);
};

/** Load the mesh of the document: { bodies: their ids, missing: ids of those without triangles }. */
async function openMesh(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(messageOf(await answer.text(), answer.status));
  const glb = parse(await answer.arrayBuffer()), own = faces();
  const closed = new Set((whole.structure?.solids ?? []).filter((solid) => solid.is_closed !== false).map((solid) => solid.id));
  chunks = merge(glb, { typeOf: (body, number) => own.get(body)?.[number]?.type, isClosed: (body) => closed.has(body) });
  return { value: { bodies: glb.bodies.map((one) => one.id), missing: glb.missing } };
}

/** The next buffer of the mesh, as `merge` describes it; null after the last. */
function nextChunk() {
  const { value: chunk = null } = chunks.next();
  return { value: chunk, transfer: chunk ? [chunk, chunk.lines, chunk.faces].flatMap(Object.values).filter(ArrayBuffer.isView).map((array) => array.buffer) : [] };
}

/** One face of a body, as the document has it. */
function face(body, number) {
  return { value: faces().get(body)?.[number] };
}

const at = (path) => path.reduce((value, step) => value?.[step], whole);

const MOST = 500;

/** What is at a place of the document: its members, at most MOST from `skip` on. */
function children(path, skip = 0) {
  const value = at(path);
  const entries = Object.entries(value ?? {});
  const shown = entries.slice(skip, skip + MOST).map(([key, member]) => ({ key: Array.isArray(value) ? Number(key) : key, ...summary(member) }));
  return { value: { shown, more: Math.max(0, entries.length - skip - MOST) } };
}

function summary(member) {
  if (Array.isArray(member)) return { kind: "array", size: member.length };
  if (member && typeof member === "object") return { kind: "object", size: Object.keys(member).length };
  return { kind: typeof member, value: typeof member === "string" && member.length > 400 ? `${member.slice(0, 400)}…` : member };
}

/** Places whose key or value holds the words, in the order of the document; at most 200. */
function search(words) {
  const wanted = words.toLowerCase();
  const found = [];
  const walk = (value, path) => {
    if (found.length >= 200) return;
    if (value && typeof value === "object") {
      for (const [key, member] of Object.entries(value)) {
        const place = [...path, Array.isArray(value) ? Number(key) : key];
        const isLeaf = !member || typeof member !== "object";
        if ((!Array.isArray(value) && key.toLowerCase().includes(wanted)) || (isLeaf && String(member).toLowerCase().includes(wanted))) found.push({ path: place, ...summary(member) });
        if (found.length >= 200) return;
        if (!isLeaf) walk(member, place);
      }
    }
  };
  if (wanted) walk(whole, []);
  return { value: found };
}

/** A place as JSON. */
function text(path) {
  return { value: JSON.stringify(at(path), null, 2) };
}
