// Questions to the reasoning tasks, and their answers: the verdict, the numbers, and the proof drawn in place.

import { post } from "./calls.js";
import { facts, h, number, vector } from "./dom.js";

/** draw(shapes): draws a proof in the view; objects: [{ id, name }]; unit: of the document. */
export function reasoningPanel({ account, extraction }, objects, unit, draw) {
  const form = document.getElementById("reasoning-form").content.cloneNode(true).querySelector("form");
  const answer = h("div", { "aria-live": "polite" });
  for (const name of ["object_id", "secondary_id"]) form.elements[name].append(h("option", { value: "" }, "–"), ...objects.map(({ id, name: words }) => h("option", { value: id }, words && words !== id ? `${words} (${id})` : id)));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    draw({});
    answer.replaceChildren(h("p", { class: "busy" }, "Asking…"));
    try {
      const asked = question(form, extraction);
      answer.replaceChildren(...shown(await post(`/console/viewer/${account}/responses`, { input: asked }), draw), h("p", { class: "dim" }, `Lengths in ${unit}.`));
    } catch (error) {
      answer.replaceChildren(h("p", { class: "problem", role: "alert" }, error.message));
    }
  });
  return h("div", {}, form, answer);
}

function question(form, extraction) {
  const { task_type: task, object_id: object, secondary_id: second, goal, previous } = Object.fromEntries(new FormData(form));
  const asked = { task_type: task, cad_scene: { extraction_id: extraction } };
  if (object) asked.object_id = object;
  if (second) asked.secondary_id = second;
  if (previous) asked.previous_cad_scene = { extraction_id: previous };
  if (goal.trim()) {
    try {
      asked.goal = JSON.parse(goal);
    } catch {
      throw new Error('the goal is not JSON; write it as {"gravity": [0, 0, -1]}');
    }
  }
  return asked;
}

function shown(answer, draw) {
  draw(shapes(answer.output));
  return [...answer.output.map(output), h("details", {}, h("summary", {}, "The whole answer"), h("pre", { tabindex: "0" }, JSON.stringify(answer, null, 1)))];
}

function output({ type, verdict, object_id: object, reason, data = {}, warnings = [] }) {
  const plain = Object.entries(data).filter(([, value]) => ["number", "string", "boolean"].includes(typeof value) || isPoint(value));
  return h("section", { class: "chosen" }, h("h3", {}, type, " ", verdict && h("span", { class: "state" }, verdict), " ", object && h("span", { class: "dim" }, object)), reason && h("p", {}, reason),
    data.description && h("p", {}, data.description),
    data.cad_scene_diff?.statements && h("ul", {}, data.cad_scene_diff.statements.map((words) => h("li", {}, words))),
    facts(plain.filter(([name]) => name !== "description").map(([name, value]) => [name.replaceAll("_", " "), typeof value === "number" ? number(value) : isPoint(value) ? vector(value) : String(value)])),
    warnings.map((words) => h("p", { class: "warning" }, words)));
}

const isPoint = (value) => Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === "number");
const isPolygon = (value) => Array.isArray(value) && value.length > 1 && value.every(isPoint);
const NOT_PLACES = /direction|axis|normal|by|size|acceleration|gravity/;

/** Polygons and points of a place in an answer: lists of three or more points are outlines, of two are lines, single ones are marked. */
export function shapes(value, name = "", found = { polygons: [], points: [], lines: [] }) {
  if (name === "stable_poses" || name === "cad_scene" || name === "poses") return found;
  if (isPolygon(value)) (value.length === 2 ? found.lines : found.polygons).push(value);
  else if (isPoint(value) && !NOT_PLACES.test(name)) found.points.push(value);
  else if (value && typeof value === "object") for (const [key, member] of Object.entries(value)) shapes(member, Array.isArray(value) ? name : key, found);
  return found;
}
