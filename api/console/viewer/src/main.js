// The pages of the viewer: where a file is dropped, and where its document is shown.

import { comparePanel } from "./compare.js";
import { counted, h, symbol } from "./dom.js";
import { start as startDrop } from "./drop.js";
import { jsonPanel } from "./json_panel.js";
import { connect, diagramPanel, drawingPanel } from "./lists.js";
import { facePanel, featurePanel, openModel, treePanel } from "./model.js";
import { Reader } from "./reader.js";
import { reasoningPanel } from "./reasoning.js";
import { SheetView } from "./sheet.js";
import { Tabs } from "./tabs.js";

const drop = document.getElementById("drop");
if (drop) startDrop(drop);
const viewer = document.getElementById("viewer");
if (viewer) show(viewer);

async function show(root) {
  const { account, extraction, worker, solids } = root.dataset;
  const context = { account, extraction, worker, solids, base: `/console/viewer/${account}/${extraction}` };
  const stage = document.getElementById("stage");
  const tabs = new Tabs(document.getElementById("tabs"), document.getElementById("panels"));
  const reader = new Reader(worker);
  let light;
  try {
    light = await reader.call("load", `${context.base}/document`);
  } catch (error) {
    stage.replaceChildren(h("p", { class: "problem", role: "alert" }, error.message));
    return;
  }
  describe(light);
  const pane = h("div", { class: "pane" });
  stage.replaceChildren(h("figure", {}, h("figcaption", {}, `Current: ${light.file_name ?? extraction}`), pane));
  const opened = await open(pane, context, light, reader);
  fill(tabs, opened, context, light, reader, stage);
  root.dataset.ready = "true";
}

function describe({ source_format: format, units, statistics: { entity_counts: counts }, partial }) {
  const words = Object.entries(counts).filter(([, count]) => count).slice(0, 4).map(([name, count]) => counted(count, plural(name.replaceAll("_", " "))));
  document.getElementById("facts").textContent = [`${format.toUpperCase()}, units ${units}`, ...words, partial ? "in part" : ""].filter(Boolean).join(" · ");
}

/** Counts of bodies and pages come under plurals, those of entities under the name of one. */
const plural = (name) => (name.endsWith("s") ? name : name.endsWith("y") ? `${name.slice(0, -1)}ies` : name.endsWith("ch") ? `${name}es` : `${name}s`);

/** Open the view that fits a document. Returns { kind, view }. */
async function open(pane, context, light, reader) {
  const kind = light.structure?.kind;
  if (kind === "drawing2d" || kind === "diagram2d") {
    const pages = kind === "drawing2d" ? (light.structure.sheets ?? []).filter((sheet) => sheet.bbox).map(({ page, name }) => ({ number: page, name: name ?? `page ${page}` })) : light.structure.pages.map(({ name }, place) => ({ number: place + 1, name }));
    if (!pages.length) {
      pane.replaceChildren(h("p", { class: "empty" }, "Nothing of this document can be drawn."));
      return { kind, view: null };
    }
    const view = new SheetView(pane, context.base, pages, reader);
    await view.show(pages[0].number);
    return { kind, view };
  }
  return { kind: kind ?? "points", ...(await openModel(pane, { ...context, light, reader })) };
}

function fill(tabs, { kind, view }, context, light, reader, stage) {
  if (kind === "brep") {
    tabs.add("Contents", () => treePanel(light, view));
    const features = featurePanel(light, view);
    if (features) tabs.add("Features", () => features);
    const panel = facePanel(light, view, reader);
    const place = tabs.tabs.length;
    tabs.add("Faces", () => panel);
    panel.addEventListener("chosen", () => { if (!tabs.tabs[place].make) tabs.show(place); });
    tabs.tabs[place].panel.append(panel);
    tabs.tabs[place].make = null;
  } else if (kind === "drawing2d" || kind === "diagram2d") {
    const pageOf = pagesOf(light.structure);
    tabs.add(kind === "drawing2d" ? "What was read" : "Graph", () => {
      const panel = kind === "drawing2d" ? drawingPanel(light.structure, light.units) : diagramPanel(light.structure);
      if (view) connect(panel, view, pageOf);
      return panel;
    });
  }
  const { warnings } = light;
  tabs.add(`Warnings (${warnings.length})`, () => (warnings.length ? h("ul", { class: "warnings" }, warnings.map((words) => h("li", { class: "warning" }, words))) : h("p", { class: "empty" }, "The reader has no warning about this file.")));
  tabs.add("Reasoning", () => reasoningPanel(context, objects(light), symbol(light.units), (shapes) => view?.showProof?.(shapes)));
  tabs.add("Compare", () => comparePanel(context, light, view, (id) => openBeside(stage, context, id)));
  tabs.add("JSON", () => jsonPanel(reader));
  tabs.show(0);
}

/** The page of an annotation, dimension or node; undefined where it is not known. */
function pagesOf(structure) {
  const pages = new Map();
  for (const one of [...structure.annotations, ...(structure.dimensions ?? [])]) pages.set(one.id, one.page ?? 1);
  structure.pages?.forEach((page, place) => { for (const one of [...page.nodes, ...page.edges]) pages.set(one.id, place + 1); });
  return (id) => pages.get(id);
}

function objects({ structure, clouds }) {
  const bodies = [...(structure?.solids ?? []), ...(structure?.shells ?? [])].map(({ id, name }) => ({ id, name }));
  return bodies.length ? bodies : clouds.map(({ object_id: id }) => ({ id }));
}

/** Open another extraction of the account beside the first one. */
async function openBeside(stage, context, extraction) {
  stage.querySelector(".beside")?.remove();
  const pane = h("div", { class: "pane" }, h("p", { class: "loading busy" }, "Loading the earlier document…"));
  const caption = h("figcaption", {}, "Earlier");
  stage.append(h("figure", { class: "beside" }, caption, pane));
  stage.classList.add("split");
  const reader = new Reader(context.worker);
  const light = await reader.call("load", `/console/viewer/${context.account}/${extraction}/document`);
  caption.textContent = `Earlier: ${light.file_name ?? extraction}`;
  const { view } = await open(pane, { ...context, extraction, base: `/console/viewer/${context.account}/${extraction}` }, light, reader);
  return { view, light };
}
