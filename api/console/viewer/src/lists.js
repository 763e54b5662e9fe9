// Lists beside a drawing or a diagram. An entry knows the ids that it stands for; pointing at either lights the other.

import { confidence, details, facts, h, longList, number } from "./dom.js";

/** An entry that stands for ids of the page. */
export function entry(ids, ...content) {
  return h("li", { class: "entry", tabindex: "0", "data-ids": JSON.stringify(ids) }, ...content);
}

/** Connect every entry of a panel with a view, both ways. */
export function connect(panel, view, pageOf = () => undefined) {
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
  view.onPick = (id) => {
    const stands = (one) => one.dataset.ids?.includes(JSON.stringify(id));
    if (!entries().some(stands)) for (const list of panel.querySelectorAll("ul")) if (list.showUntil?.(stands)) break;
    mark(id);
    marked[0]?.scrollIntoView({ block: "nearest" });
  };
}

const SKIPPED = new Set(["id", "type", "text", "source", "sources", "position", "page", "confidence"]);

function section(title, count, ...content) {
  return h("details", { open: true, class: "group" }, h("summary", {}, title, " ", h("span", { class: "dim" }, count === undefined ? "" : count)), ...content);
}

/** What was understood of a drawing. */
export function drawingPanel(structure) {
  const { callouts = [], dimensions = [], drawing_metadata: metadata = {}, layers = [], annotations } = structure;
  const { title_block: block, bom, revisions, notes, tables = [] } = metadata ?? {};
  const parts = [];
  if (block) parts.push(section("Title block", confidence(block.confidence), h("ul", { class: "entries" }, Object.entries(block.fields).map(([name, value]) => entry(block.sources[name] ?? [], h("span", { class: "dim" }, name.replaceAll("_", " ")), " ", value)))));
  if (callouts.length) parts.push(section("Callouts", callouts.length, longList({ class: "entries" }, callouts, (one) => entry(one.sources ?? [one.source], h("span", { class: "tag" }, one.type.replaceAll("_", " ")), " ", h("strong", {}, one.text), " ", h("span", { class: "dim" }, details(one, SKIPPED)), " ", one.confidence < 0.6 ? confidence(one.confidence) : null))));
  for (const [name, table] of [["Parts list", bom], ["Revisions", revisions], ...tables.map((table) => [table.name ?? "Table", table])]) if (table) parts.push(section(name, confidence(table.confidence), tableOf(table)));
  if (notes) parts.push(section("Notes", confidence(notes.confidence), h("ul", { class: "entries" }, notes.items.map((one) => entry(one.sources ?? [], `${one.number}. ${one.text}`)))));
  if (dimensions.length) parts.push(section("Dimensions", dimensions.length, longList({ class: "entries" }, dimensions, (one) => entry([one.id, ...(one.sources ?? [])], one.text ?? number(one.value), " ", h("span", { class: "dim" }, [one.type, one.value !== undefined && number(one.value)].filter(Boolean).join(" "))))));
  if (layers.length) parts.push(section("Layers", layers.length, h("p", { class: "dim" }, layers.map((layer) => layer.name).filter(Boolean).join(", "))));
  parts.push(h("p", { class: "dim" }, `${structure.entities.toLocaleString("en")} entities, ${annotations.length.toLocaleString("en")} texts`));
  if (parts.length === 1) parts.unshift(h("p", { class: "empty" }, "The sheet has no callouts, title block, tables or notes that could be read."));
  return h("div", {}, parts);
}

function tableOf(table) {
  const ids = JSON.stringify(table.sources ?? []);
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" }, h("table", { class: "entry", "data-ids": ids }, h("thead", {}, h("tr", {}, table.columns.map((name) => h("th", {}, name)))), h("tbody", {}, table.rows.map((row) => h("tr", {}, table.columns.map((name) => h("td", {}, row[name] ?? "")))))));
}

/** The graph of each page of a diagram. */
export function diagramPanel(structure) {
  return h("div", {}, structure.pages.map((page) => {
    const label = Object.fromEntries(page.nodes.map((node) => [node.id, node.label || node.id]));
    const named = (ids) => longList({ class: "entries" }, ids, (id) => entry([id], label[id] ?? id));
    const { graph } = page;
    return section(page.name, undefined,
      graph && facts([["nodes", graph.node_count], ["edges", graph.edge_count], ["components", graph.components], ["cycle", graph.has_cycle ? "yes" : "no"]]),
      graph?.roots.length ? section("Roots", graph.roots.length, named(graph.roots)) : null,
      graph?.sinks.length ? section("Sinks", graph.sinks.length, named(graph.sinks)) : null,
      graph?.isolated.length ? section("Without an edge", graph.isolated.length, named(graph.isolated)) : null,
      section("Nodes", page.nodes.length, longList({ class: "entries" }, page.nodes, (node) => entry([node.id], node.label || h("em", {}, "no label"), " ", h("span", { class: "dim" }, node.shape ?? "")))),
      section("Edges", page.edges.length, longList({ class: "entries" }, page.edges, (edge) => entry([edge.id], `${label[edge.source] ?? "–"} → ${label[edge.target] ?? "–"}`, " ", h("span", { class: "dim" }, edge.label)))));
  }));
}
