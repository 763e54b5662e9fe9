// The raw JSON: opened place by place, searched, copied.

import { h } from "./dom.js";

export function jsonPanel(reader) {
  const results = h("ul", { class: "json hits" });
  const found = h("p", { class: "dim", role: "status" });
  const input = h("input", { type: "search", placeholder: "thread, Ø6.6, face-12 …", "aria-label": "Search keys and values" });
  const form = h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); search(); } }, h("label", { class: "wide" }, "Search keys and values", input), h("button", {}, "Search"), copier(reader, [], "Copy all"));
  const search = async () => {
    const hits = await reader.call("search", input.value);
    results.replaceChildren(...hits.map((hit) => entry(reader, hit.path.slice(0, -1), { key: hit.path.at(-1), ...hit }, hit.path.join("."))));
    found.textContent = input.value && `${hits.length}${hits.length === 200 ? " or more" : ""} ${hits.length === 1 ? "place" : "places"}`;
  };
  const root = h("ul", { class: "json" });
  fill(reader, root, []);
  return h("div", {}, form, found, results, root);
}

async function fill(reader, list, path, skip = 0) {
  const { shown, more } = await reader.call("children", path, skip);
  list.append(...shown.map((member) => entry(reader, path, member)));
  if (!more) return;
  const next = h("li", {}, h("button", { type: "button", class: "quiet", onclick: () => { next.remove(); fill(reader, list, path, skip + shown.length); } }, `${more.toLocaleString("en")} more`));
  list.append(next);
}

function entry(reader, parent, member, name = String(member.key)) {
  const path = [...parent, member.key];
  if (member.kind !== "array" && member.kind !== "object") return h("li", {}, h("span", { class: "key-name" }, name), " ", h("span", { class: `value-${member.kind}` }, JSON.stringify(member.value) ?? "null"));
  const list = h("ul");
  const brackets = member.kind === "array" ? `[${member.size.toLocaleString("en")}]` : `{${member.size.toLocaleString("en")}}`;
  const details = h("details", {}, h("summary", {}, h("span", { class: "key-name" }, name), " ", h("span", { class: "dim" }, brackets)), copier(reader, path, "Copy"), list);
  details.addEventListener("toggle", () => { if (details.open && !list.children.length) fill(reader, list, path); });
  return h("li", {}, details);
}

function copier(reader, path, words) {
  const button = h("button", { type: "button", class: "quiet", onclick: async () => {
    await navigator.clipboard.writeText(await reader.call("text", path));
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = words; }, 1500);
  } }, words);
  return button;
}
