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
  bom: ({ drawing_metadata: metadata, annotations }) => rowSources(metadata?.bom, annotations),
  revisions: ({ drawing_metadata: metadata, annotations }) => rowSources(metadata?.revisions, annotations),
  title_block: ({ drawing_metadata: metadata }) => (field) => metadata?.title_block?.sources[field] ?? [],
};

function byId(records, name) {
  const sources = new Map(records.map((one) => [String(one[name]), one.sources ?? (one.source ? [one.source] : [])]));
  return (id) => sources.get(String(id)) ?? [];
}

/** The sources of a row. A table names its sources in the order of its rows and of their cells, so a row is found where its cells follow one another; rows that are alike are not told apart. */
function rowSources(table, annotations = []) {
  const written = new Map(annotations.map(({ id, text }) => [id, squeezed(text)]));
  const sources = table?.sources ?? [], found = new Map();
  let end = sources.length;
  for (const row of (table?.rows ?? []).toReversed()) {
    const cells = Object.values(row).map(squeezed).filter(Boolean);
    const [first, last] = lastRun(cells, sources.slice(0, end).map((id) => written.get(id)));
    found.set(keyOf(row), found.has(keyOf(row)) ? [] : sources.slice(first, last));
    end = last ? first : end;
  }
  return (row) => found.get(keyOf(row)) ?? [];
}

/** Where cells stand last among texts, one after another, each of one text or more: [first, end]; [0, 0] for nowhere. */
function lastRun(cells, texts) {
  for (let end = texts.length; cells.length && end > 0; end -= 1) {
    const first = cells.reduceRight((place, cell) => before(cell, texts, place), end);
    if (first >= 0) return [first, end];
  }
  return [0, 0];
}

/** Where the texts begin that make up a cell and end at a place; -1 where they do not. */
function before(cell, texts, end) {
  let rest = cell, place = end;
  while (rest && place > 0 && texts[place - 1] && rest.endsWith(texts[place - 1])) {
    place -= 1;
    rest = rest.slice(0, -texts[place].length);
  }
  return rest ? -1 : place;
}

const squeezed = (text = "") => (text ?? "").replace(/\s+/g, "");

const keyOf = (row) => JSON.stringify(Object.entries(row).filter(([, cell]) => cell).map(([name, cell]) => [name, squeezed(cell)]).sort());

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
