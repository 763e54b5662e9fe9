// Two extractions side by side, with what differs lit on both.

import { post } from "./calls.js";
import { h } from "./dom.js";

/** light: outline of the present document; open(id): opens the earlier one beside it, and returns { view, light }. */
export function comparePanel({ account, extraction }, light, view, open) {
  const form = document.getElementById("compare-form").content.cloneNode(true).querySelector("form");
  const answer = h("div", { "aria-live": "polite" });
  if (!form.elements.previous.options.length) return h("p", { class: "empty" }, "There is no other extraction of the last 24 hours in this account. Extract the earlier file, then compare.");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const previous = form.elements.previous.value;
    answer.replaceChildren(h("p", { class: "busy" }, "Comparing…"));
    try {
      view?.showProof?.({});
      const [{ view: other, light: earlier }, said] = await Promise.all([open(previous), post(`/console/viewer/${account}/responses`, { input: { task_type: "compare", cad_scene: { extraction_id: extraction }, previous_cad_scene: { extraction_id: previous } } })]);
      const [{ verdict, reason, data }] = said.output;
      const diff = data?.cad_scene_diff;
      for (const [one, side, { structure }] of [[view, "current", light], [other, "previous", earlier]]) {
        if (!one) continue;
        one.clear();
        one.dim?.();
        for (const { ids, kind, page } of changes(diff, side, structure)) one.light(ids, kind, page);
      }
      if (other?.follow) { view.follow(other); other.follow(view); }
      answer.replaceChildren(h("p", {}, h("span", { class: "state" }, verdict), " ", reason ?? ""), h("ul", { class: "differences" }, (diff?.statements ?? []).map((words) => h("li", {}, words))),
        h("ul", { class: "legend" }, ["added", "removed", "changed", "moved"].map((kind) => h("li", {}, h("span", { class: `swatch swatch-${kind}` }), kind))));
    } catch (error) {
      answer.replaceChildren(h("p", { class: "problem", role: "alert" }, error.message));
    }
  });
  return h("div", {}, form, answer);
}

const KINDS = { added: "added", removed: "removed", moved: "moved" };

/** Changes that the surfaces of a body, or the shapes of a diagram, do not show. */
const UNSEEN = new Set(["renamed", "restyled", "reparented", "redrawn"]);

/** What to light on one side: [{ ids, kind, page }], in the order in which it is painted. page: number of a page, undefined for any. */
export function changes(diff, side, structure) {
  const found = [];
  const sections = Object.entries(diff ?? {}).filter(([, value]) => value && typeof value === "object" && !Array.isArray(value));
  for (const [name, section] of sections) {
    const idsOf = SOURCES[name] ? SOURCES[name](structure) : (id) => [id];
    for (const [kind, things] of Object.entries(section)) {
      if (!Array.isArray(things) || (name === "objects" && UNSEEN.has(kind))) continue;
      for (const thing of things) if (thing && typeof thing === "object") found.push(...lit(thing, KINDS[kind] ?? "changed", side, idsOf, structure));
    }
  }
  return found;
}

/** For sections whose things are not drawn themselves: the ids of what they were read from. */
const SOURCES = {
  callouts: ({ callouts = [] }) => byId(callouts, "id"),
  dimensions: ({ dimensions = [] }) => { const sources = byId(dimensions, "id"); return (id) => [id, ...sources(id)]; },
  notes: ({ drawing_metadata: metadata }) => byId((metadata?.notes?.items ?? []).map((note) => ({ ...note, number: note.item ?? note.number })), "number"),
  bom: ({ drawing_metadata: metadata, annotations }) => cellSources(metadata?.bom, annotations),
  revisions: ({ drawing_metadata: metadata, annotations }) => cellSources(metadata?.revisions, annotations),
  title_block: ({ drawing_metadata: metadata }) => (field) => metadata?.title_block?.sources[field] ?? [],
};

function byId(records, name) {
  const sources = new Map(records.map((one) => [String(one[name]), one.sources ?? (one.source ? [one.source] : [])]));
  return (id) => sources.get(String(id)) ?? [];
}

/** The sources of a row. The document names those of a table, not those of its cells, so a cell is found where its text is in the table once. */
function cellSources(table, annotations = []) {
  const read = new Set(table?.sources ?? []), ids = new Map(), cells = new Map();
  for (const { id, text } of annotations) if (read.has(id)) ids.set(text.trim(), [...(ids.get(text.trim()) ?? []), id]);
  for (const cell of (table?.rows ?? []).flatMap(Object.values)) cells.set(cell.trim(), (cells.get(cell.trim()) ?? 0) + 1);
  const isOne = (cell) => cells.get(cell) === 1 && ids.get(cell)?.length === 1;
  return (row) => Object.values(row).map((cell) => cell?.trim()).filter(isOne).flatMap((cell) => ids.get(cell));
}

/** The cells of a row as they are on one side. */
const rowOf = ({ row, fields = {} }, side) => row && { ...row, ...Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values[side]])) };

function lit(thing, kind, side, idsOf, structure) {
  if ((kind === "added" && side === "previous") || (kind === "removed" && side === "current")) return [];
  const id = idOf(thing, side);
  const named = thing.features?.named;
  if (named) return named.map((feature) => ({ kind: KINDS[feature.action] ?? "changed", ids: (feature[side]?.faces ?? []).map((face) => `${id}/${face}`) }));
  if (id === undefined) return [];
  const page = structure.pages?.findIndex((one) => one.id === thing.page) ?? -1;
  return [{ ids: idsOf(id), kind, page: page < 0 ? undefined : page + 1 }];
}

/** What SOURCES finds a thing by: its id, the field of a title block, the number of a note, or the cells of a row. */
function idOf(thing, side) {
  const { id, previous_id: previous, field, number } = thing;
  return (side === "previous" ? previous ?? id : id) ?? field ?? number ?? rowOf(thing, side);
}
