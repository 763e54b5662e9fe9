// Two extractions side by side, with what differs lit on both.

import { post } from "./calls.js";
import { h } from "./dom.js";

/** form: asks for the earlier extraction; open(id): opens its view beside this one and returns it. */
export function comparePanel({ account, extraction }, view, open) {
  const form = document.getElementById("compare-form").content.cloneNode(true).querySelector("form");
  const answer = h("div", { "aria-live": "polite" });
  if (!form.elements.previous.options.length) return h("p", { class: "empty" }, "There is no other extraction of the last 24 hours in this account. Extract the earlier file, then compare.");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const previous = form.elements.previous.value;
    answer.replaceChildren(h("p", { class: "busy" }, "Comparing…"));
    try {
      view?.showProof?.({});
      const [other, said] = await Promise.all([open(previous), post(`/console/viewer/${account}/responses`, { input: { task_type: "compare", cad_scene: { extraction_id: extraction }, previous_cad_scene: { extraction_id: previous } } })]);
      const [{ verdict, reason, data }] = said.output;
      const diff = data?.cad_scene_diff;
      for (const [one, side] of [[view, "current"], [other, "previous"]]) {
        if (!one) continue;
        one.clear();
        one.dim?.();
        for (const [kind, ids] of Object.entries(changes(diff, side))) one.light(ids, kind);
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

/** Changes of a body that its surfaces do not show. */
const UNSEEN = new Set(["renamed", "restyled", "reparented", "redrawn"]);

/** Ids by kind of change for one side: bodies and faces of models, nodes and edges of diagrams, sources of drawings. */
export function changes(diff, side) {
  const found = { added: [], removed: [], changed: [], moved: [] };
  const sections = Object.entries(diff ?? {}).filter(([, value]) => value && typeof value === "object" && !Array.isArray(value));
  for (const [name, section] of sections) {
    for (const [kind, things] of Object.entries(section)) {
      if (!Array.isArray(things) || (name === "objects" && UNSEEN.has(kind))) continue;
      for (const thing of things) if (thing && typeof thing === "object") collect(thing, KINDS[kind] ?? "changed", side, found);
    }
  }
  return found;
}

function collect(thing, kind, side, found) {
  const id = side === "previous" ? thing.previous_id ?? thing.id : thing.id;
  if ((kind === "added" && side === "previous") || (kind === "removed" && side === "current")) return;
  const named = thing.features?.named;
  if (named) {
    for (const feature of named) for (const face of feature[side]?.faces ?? []) found[KINDS[feature.action] ?? "changed"].push(`${id}/${face}`);
    return;
  }
  if (id) found[kind].push(id);
  const own = thing[side] ?? thing;
  for (const source of own.sources ?? (own.source ? [own.source] : [])) if (typeof source === "string") found[kind].push(source);
}
