// The view of a model with its tools, and the panels about its bodies and faces.

import { byArrows, counted, details, facts, h, number, swatch, symbol, vector } from "./dom.js";
import { nearest, relate } from "./measure.js";
import { PALETTE } from "./palette.js";

/** Open a model's view in a host. Returns { view } when everything is loaded. */
export async function openModel(host, { solids, base, light, reader }) {
  const { SolidView } = await import(solids);
  const canvas = h("div", { class: "solids" });
  const status = h("p", { class: "loading busy", role: "status" }, "Loading the surfaces…");
  const bar = h("div", { class: "tools" });
  host.replaceChildren(bar, canvas, status);
  const view = new SolidView(canvas);
  let problem = "";
  if (light.structure?.kind === "brep") {
    try {
      await view.load(reader, `${base}/mesh`);
    } catch (error) {
      problem = error.message;
    }
  }
  await view.loadClouds(light.clouds);
  view.showClouds(!view.faces.length);
  status.replaceWith(problem ? h("p", { class: "problem", role: "alert" }, problem) : "");
  bar.append(...tools(view, light));
  host.view = view;
  return { view };
}

function tools(view, light) {
  const button = (words, act) => h("button", { type: "button", class: "quiet", onclick: act }, words);
  const views = h("select", { "aria-label": "View", onchange: (event) => view.look(event.target.value) }, ["iso", "front", "back", "left", "right", "top", "bottom"].map((name) => h("option", {}, name)));
  const axis = h("select", { "aria-label": "Section across" }, [["", "no section"], ["x", "section across x"], ["y", "section across y"], ["z", "section across z"]].map(([value, words]) => h("option", { value }, words)));
  const place = h("input", { type: "range", min: "0", max: "1", step: "0.005", value: "0.5", "aria-label": "Place of the section" });
  const flip = h("input", { type: "checkbox" });
  const more = [place, h("label", { class: "check" }, flip, "other side")];
  const cut = () => {
    for (const control of more) control.hidden = !axis.value;
    view.section(axis.value || null, Number(place.value), flip.checked);
  };
  for (const control of [axis, place, flip]) control.addEventListener("input", cut);
  for (const control of more) control.hidden = true;
  const clouds = h("input", { type: "checkbox", checked: !view.faces.length, onchange: (event) => view.showClouds(event.target.checked) });
  const surfaces = h("input", { type: "checkbox", checked: true, onchange: (event) => view.showSurfaces(event.target.checked) });
  const rate = h("output", { class: "dim", title: `frames per second while the model moves, drawn by ${view.graphics.name}` });
  if (view.graphics.isHardware) view.onFrame = () => { if (view.stats.framesPerSecond) rate.textContent = `${Math.round(view.stats.framesPerSecond)} frames/s`; };
  return [
    button("Fit", () => view.fit()), views, axis, more,
    light.clouds.length > 0 && h("label", { class: "check" }, clouds, "points"), view.faces.length > 0 && h("label", { class: "check" }, surfaces, "surfaces"),
    view.graphics.isHardware && rate,
  ].flat().filter(Boolean);
}

/** The assembly tree, or the list of bodies; each can be hidden and lit. */
export function treePanel(light, view) {
  const { assembly, solids = [], shells = [], free_faces = [] } = light.structure;
  const byId = Object.fromEntries([...solids, ...shells, ...free_faces].map((body) => [body.id, body]));
  const placed = new Set(), unit = symbol(light.units);
  const node = ({ name, solids: own = [], children = [] }) => {
    own.forEach((id) => placed.add(id));
    const below = [...own, ...descendants(children)];
    if (!children.length && own.length === 1) return leaf(byId[own[0]] ?? { id: own[0] }, view, unit, name);
    return h("li", {}, toggle(below, view, name), h("details", { open: true }, h("summary", {}, name, " ", h("span", { class: "dim" }, below.length)), h("ul", { class: "tree" }, own.map((id) => leaf(byId[id] ?? { id }, view, unit)), children.map(node))));
  };
  const tree = (assembly ?? []).map(node);
  const rest = [...solids, ...shells, ...free_faces].filter((body) => !placed.has(body.id)).map((body) => leaf(body, view, unit));
  return h("div", {}, overview(light), h("ul", { class: "tree" }, tree, rest), legend(light));
}

const descendants = (children) => children.flatMap(({ solids = [], children: below = [] }) => [...solids, ...descendants(below)]);

function toggle(ids, view, name) {
  const box = h("input", { type: "checkbox", checked: true, "aria-label": `Show ${name}`, onchange: () => {
    ids.forEach((id) => view.setVisible(id, box.checked));
    box.closest("li").querySelectorAll("input[type=checkbox]").forEach((other) => { other.checked = box.checked; });
  } });
  return box;
}

function leaf(body, view, unit, name = body.name ?? body.id) {
  const show = () => { view.clear("lit"); view.light([body.id]); };
  const item = h("li", { onpointerenter: show, onpointerleave: () => view.clear("lit"), onfocusin: show });
  item.append(toggle([body.id], view, name), h("details", {}, h("summary", {}, name, " ", name !== body.id && h("span", { class: "dim" }, body.id)), facts([
    ["volume", body.volume === undefined ? null : `${number(body.volume)} ${unit}³`], ["surface area", body.surface_area === undefined ? null : `${number(body.surface_area)} ${unit}²`],
    ["size", body.bbox && `${body.bbox.max.map((most, axis) => number(most - body.bbox.min[axis])).join(" × ")} ${unit}`], ["centre of mass", body.center_of_mass && vector(body.center_of_mass)],
    ["faces", body.types && Object.entries(body.types).map(([type, count]) => `${count} ${type}`).join(", ")], ["closed", body.is_closed === undefined ? null : body.is_closed ? "yes" : "no"], ["copy of", body.instance_of],
  ])));
  return item;
}

function overview(light) {
  const { bbox, entity_counts: counts } = light.statistics;
  const { validity } = light.structure;
  return facts([
    ["overall size", bbox && `${bbox.max.map((most, axis) => number(most - bbox.min[axis])).join(" × ")} ${symbol(light.units)}`],
    ["contents", ["solids", "faces", "edges"].filter((name) => counts[name]).map((name) => counted(counts[name], name)).join(", ")],
    ["validity", validity && judged(validity)],
  ]);
}

/** A verdict with its reasons: what failed, or what could not be checked. */
function judged({ valid, layers = [] }) {
  if (valid) return "valid";
  const told = layers.filter(({ status }) => status === (valid === false ? "failed" : "unknown"));
  return `${valid === false ? "not valid" : "not known"}: ${told.map(({ layer, detail, status }) => `${layer}: ${detail ?? status}`).join("; ")}`;
}

function legend(light) {
  const types = new Set([...(light.structure.solids ?? []), ...(light.structure.shells ?? [])].flatMap((body) => Object.keys(body.types ?? {})));
  return h("ul", { class: "legend" }, [...types].map((type) => h("li", {}, swatch(`rgb(${(PALETTE[type] ?? PALETTE.other).join()})`), type)));
}

/** What is known of features and tolerances; pointing at one lights its faces. Null where the document has neither. */
export function featurePanel(light, view) {
  const { features = [], pmi = [] } = light.structure;
  if (!features.length && !pmi.length) return null;
  const lit = (ids) => { view.clear("lit"); view.light(ids); };
  const entry = (ids, ...content) => h("li", { class: "entry", tabindex: "0", onpointerenter: () => lit(ids), onpointerleave: () => view.clear("lit"), onfocus: () => lit(ids) }, content);
  const group = (title, items, content) => items.length > 0 && h("details", { open: true, class: "group" }, h("summary", {}, title, " ", h("span", { class: "dim" }, items.length)), h("ul", { class: "entries" }, items.map(content)));
  return byArrows(h("div", {}, h("p", { class: "dim" }, `Lengths in ${symbol(light.units)}, angles in degrees.`), group("Features", features, (one) => entry(facesOf(one), ...named(one))), group("Tolerances and dimensions", pmi, (one) => entry([...placed(one.faces), ...placed(one.to_faces)], ...stated(one)))));
}

const facesOf = ({ solids = [], faces = [] }) => solids.flatMap((body) => (faces.length ? faces.map((face) => `${body}/${face}`) : [body]));

/** Faces that a tolerance or dimension applies to: [{ bodies, faces }]. */
const placed = (groups = []) => groups.flatMap(({ bodies = [], faces = [] }) => facesOf({ solids: bodies, faces }));

const TOLD = new Set(["id", "type", "text", "source", "solids", "faces", "to_faces", "axis", "position", "steps"]);

const named = (feature) => [h("span", { class: "tag" }, feature.type.replaceAll("_", " ")), " ", details(feature, TOLD), " ", h("span", { class: "dim" }, feature.id)];

const stated = (one) => [h("span", { class: "tag" }, one.type.replaceAll("_", " ")), " ", one.text && h("strong", {}, one.text), " ", h("span", { class: "dim" }, details(one, TOLD))];

const HELP = "Click a face to read its type, radius and area. By keyboard, turn and move the model until the face is under the cross in the middle, and press Enter. A second face is measured against the first.";

/** What is known of the face that was clicked, and of two of them. */
export function facePanel(light, view, reader) {
  const panel = h("div", { "aria-live": "polite" }, h("p", { class: "empty" }, HELP));
  const again = h("button", { type: "button", class: "quiet", onclick: () => { chosen.length = 0; draw(); } }, "Start again");
  const chosen = [];
  const draw = () => {
    view.clear("picked");
    view.light(chosen.map(({ body, face }) => `${body}/face-${face + 1}`), "picked");
    view.showProof({});
    panel.replaceChildren(...chosen.map((one) => card(one, light)));
    if (chosen.length === 2) panel.append(measured(chosen, view, symbol(light.units)));
    if (chosen.length) panel.append(again);
    else panel.append(h("p", { class: "empty" }, HELP));
  };
  view.onPick = async (place) => {
    const picked = place < 0 ? null : { ...view.faces[place], place };
    if (picked) picked.record = await reader.call("face", picked.body, picked.face);
    if (picked && chosen.at(-1)?.place === picked.place) return;
    if (!picked || chosen.length === 2) chosen.length = 0;
    if (picked) chosen.push(picked);
    draw();
    panel.dispatchEvent(new CustomEvent("chosen", { bubbles: true }));
  };
  return panel;
}

function card({ body, face, record }, light) {
  const units = symbol(light.units);
  if (!record) return h("section", { class: "chosen" }, h("h3", {}, `${body}, face ${face + 1}`), h("p", { class: "dim" }, "the document says nothing about this face"));
  const { id, type, area, radius, minor_radius: minor, major_radius: major, half_angle: angle, origin, axis, normal, ...more } = record;
  const { features = [], pmi = [] } = light.structure;
  const target = `${body}/${id}`;
  const of = features.filter((one) => facesOf(one).includes(target)), toleranced = pmi.filter((one) => [...placed(one.faces), ...placed(one.to_faces)].includes(target));
  const rest = Object.entries(more).filter(([, value]) => value !== null && value !== undefined);
  return h("section", { class: "chosen" }, h("h3", {}, type ?? "face", " ", h("span", { class: "dim" }, `${body}, ${id}`)), facts([
    ["radius", radius === undefined ? null : `${number(radius)} ${units}`], ["diameter", radius === undefined || type === "cone" ? null : `${number(2 * radius)} ${units}`],
    ["major radius", major === undefined ? null : `${number(major)} ${units}`], ["minor radius", minor === undefined ? null : `${number(minor)} ${units}`], ["half angle", angle === undefined ? null : `${number(angle)}°`],
    ["area", area === undefined ? null : `${number(area)} ${units}²`], ["origin", origin && `${vector(origin)} ${units}`], ["axis", axis && vector(axis)], ["normal", normal && vector(normal)],
    ...rest.map(([name, value]) => [name.replaceAll("_", " "), typeof value === "number" ? number(value) : typeof value === "object" ? JSON.stringify(value) : String(value)]),
  ]), of.map((one) => h("p", {}, "part of ", named(one))), toleranced.map((one) => h("p", {}, stated(one))));
}

function measured([one, other], view, units) {
  const exact = one.record && other.record ? relate(one.record, other.record, units) : [];
  const near = nearest(view.trianglesOf(one.place), view.trianglesOf(other.place));
  if (near.from) view.showProof({ lines: [[near.from, near.to]], points: [near.from, near.to] });
  return h("section", { class: "chosen measured", role: "status" }, h("h3", {}, "Between the two faces"), exact.map((words) => h("p", {}, h("strong", {}, words), " ", h("span", { class: "dim" }, "exact"))), h("p", {}, `nearest points ${number(near.distance)} ${units} apart `, h("span", { class: "dim" }, "on the mesh, so approximate on curved faces")));
}
