// Lists beside a drawing or a diagram. An entry knows the ids that it stands for; pointing at either lights the other.

import { byArrows, confidence, counted, details, facts, h, isUnsure, longList, number, symbol } from "./dom.js";
import { cycles, parts } from "./graph.js";

/** An entry that stands for ids of the page. */
export function entry(ids, ...content) {
  return h("li", { class: "entry", tabindex: "0", "data-ids": JSON.stringify(ids) }, ...content);
}

/** Connect every entry of a panel with a view, both ways. */
export function connect(panel, view, pageOf = () => undefined) {
  byArrows(panel);
  const entries = () => [...panel.querySelectorAll(".entry")];
  let marked = [];
  const ids = (one) => JSON.parse(one.dataset.ids);
  const point = (one) => { view.clear("lit"); if (one) view.light(ids(one)); };
  panel.addEventListener("pointerover", (event) => point(event.target.closest(".entry")));
  panel.addEventListener("pointerleave", () => point(null));
  panel.addEventListener("focusin", (event) => point(event.target.closest(".entry")));
  const go = async (event) => {
    const one = event.target.closest(".entry");
    if (!one) return;
    const page = pageOf(ids(one)[0]);
    if (page !== undefined && page !== view.number) await view.show(page);
    view.clear("lit");
    view.light(ids(one));
    view.reveal(ids(one));
  };
  panel.addEventListener("click", go);
  panel.addEventListener("keydown", (event) => { if (event.key === "Enter") go(event); });
  const mark = (id) => {
    for (const one of marked) one.classList.remove("is-lit");
    marked = id === null ? [] : entries().filter((one) => one.dataset.ids.includes(JSON.stringify(id)));
    for (const one of marked) one.classList.add("is-lit");
  };
  view.onPoint = (id) => { mark(id); view.clear("lit"); if (id !== null) view.light([id]); };
  view.onPick = (id, isByKey = false) => {
    const stands = (one) => one.dataset.ids?.includes(JSON.stringify(id));
    if (!entries().some(stands)) for (const list of panel.querySelectorAll("ul")) if (list.showUntil?.(stands)) break;
    mark(id);
    marked[0]?.scrollIntoView({ block: "nearest" });
    if (isByKey) marked[0]?.focus();
  };
}

const marked = (value) => isUnsure(value) && confidence(value);

const SKIPPED = new Set(["id", "type", "text", "source", "sources", "position", "page", "confidence"]);

function section(title, count, ...content) {
  return h("details", { open: true, class: "group" }, h("summary", {}, title, " ", h("span", { class: "dim" }, count === undefined ? "" : count)), ...content);
}

/** What was understood of a drawing. unit: of the document. */
export function drawingPanel(structure, unit) {
  const { callouts = [], dimensions = [], drawing_metadata: metadata = {}, layers = [], annotations } = structure;
  const { title_block: block, bom, revisions, notes, tables = [] } = metadata ?? {};
  const read = [];
  if (block) read.push(section("Title block", confidence(block.confidence), h("ul", { class: "entries" }, Object.entries(block.fields).map(([name, value]) => entry(block.sources[name] ?? [], h("span", { class: "dim" }, name.replaceAll("_", " ")), " ", value, " ", marked(block.confidences?.[name]))))));
  if (callouts.length) read.push(section("Callouts", callouts.length, longList({ class: "entries" }, callouts, (one) => entry(one.sources ?? [one.source], h("span", { class: "tag" }, one.type.replaceAll("_", " ")), " ", h("strong", {}, one.text), " ", h("span", { class: "dim" }, details(one, SKIPPED)), " ", marked(one.confidence)))));
  for (const [name, table] of [["Parts list", bom], ["Revisions", revisions], ...tables.map((table) => [table.name ?? "Table", table])]) if (table) read.push(section(name[0].toUpperCase() + name.slice(1), confidence(table.confidence), tableOf(table)));
  if (notes) read.push(section("Notes", confidence(notes.confidence), h("ul", { class: "entries" }, notes.items.map((one) => entry(one.sources ?? [], `${one.number}. ${one.text}`)))));
  if (dimensions.length) read.push(section("Dimensions", dimensions.length, longList({ class: "entries" }, dimensions, (one) => entry([one.id, ...(one.sources ?? [])], one.text ?? number(one.value), " ", h("span", { class: "dim" }, [one.type, one.value !== undefined && `measures ${measure(one, unit)}`].filter(Boolean).join(", "))))));
  if (!read.length) read.push(h("p", { class: "empty" }, "No callouts, dimensions, title block, tables or notes were read of this sheet. Lettering that is drawn as lines or stands in a scanned picture is not text; the warnings say where that is so."));
  if (layers.length) read.push(section("Layers", layers.length, h("p", { class: "dim" }, layers.map((layer) => layer.name).filter(Boolean).join(", "))));
  read.push(h("p", { class: "dim" }, `${counted(structure.entities, "entities")}, ${counted(annotations.length, "texts")}`));
  return h("div", {}, read);
}

const measure = ({ type, value }, unit) => `${number(value)}${type?.startsWith("angular") ? "°" : ` ${symbol(unit)}`}`;

function tableOf(table) {
  const ids = JSON.stringify(table.sources ?? []);
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" }, h("table", { class: "entry", "data-ids": ids }, h("thead", {}, h("tr", {}, table.columns.map((name) => h("th", {}, name)))), h("tbody", {}, table.rows.map((row) => h("tr", {}, table.columns.map((name) => h("td", {}, row[name] ?? "")))))));
}

/** The graph of each page of a diagram. */
export function diagramPanel(structure) {
  return h("div", {}, structure.pages.map((page) => {
    const label = Object.fromEntries(page.nodes.map((node) => [node.id, node.label || `(${node.shape ?? "shape"} without a label)`]));
    const named = (ids) => longList({ class: "entries" }, ids, (id) => entry([id], label[id] ?? id));
    const together = (title, groups) => groups.length > 0 && section(title, groups.length, longList({ class: "entries" }, groups, (ids) => entry(ids, h("span", { class: "tag" }, counted(ids.length, "nodes")), " ", ids.map((id) => label[id]).join(", "))));
    const { graph } = page;
    const components = parts(page);
    return section(page.name, undefined,
      graph && facts([["nodes", graph.node_count], ["edges", graph.edge_count], ["components", graph.components], ["cycles", graph.has_cycle ? "yes" : "none"]]),
      components.length > 1 && together("Components", components),
      together("Cycles", cycles(page)),
      graph?.roots.length ? section("Roots", graph.roots.length, named(graph.roots)) : null,
      graph?.sinks.length ? section("Sinks", graph.sinks.length, named(graph.sinks)) : null,
      graph?.isolated.length ? section("Without an edge", graph.isolated.length, named(graph.isolated)) : null,
      section("Nodes", page.nodes.length, longList({ class: "entries" }, page.nodes, (node) => entry([node.id], node.label || h("em", {}, "no label"), " ", h("span", { class: "dim" }, node.shape ?? "")))),
      section("Edges", page.edges.length, longList({ class: "entries" }, page.edges, (edge) => entry([edge.id], `${label[edge.source] ?? "–"} → ${label[edge.target] ?? "–"}`, " ", h("span", { class: "dim" }, edge.label)))));
  }));
}
