// Tabs (WAI-ARIA Authoring Practices, Tabs pattern): arrows move, panels are made when they are first shown.

import { h } from "./dom.js";

export class Tabs {
  constructor(list, panels) {
    this.list = list;
    this.panels = panels;
    this.tabs = [];
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = (this.current + step + this.tabs.length) % this.tabs.length;
      this.show(next);
      this.tabs[next].tab.focus();
    });
  }

  /** make: a function that returns the content, called once. */
  add(name, make) {
    const place = this.tabs.length;
    const id = `panel-${place}`;
    const tab = h("button", { type: "button", role: "tab", id: `tab-${place}`, "aria-controls": id, "aria-selected": "false", tabindex: "-1", onclick: () => this.show(place) }, name);
    const panel = h("div", { role: "tabpanel", id, "aria-labelledby": `tab-${place}`, tabindex: "0", hidden: true });
    this.list.append(tab);
    this.panels.append(panel);
    this.tabs.push({ tab, panel, make });
    return panel;
  }

  show(place) {
    this.current = place;
    this.tabs.forEach(({ tab, panel }, other) => {
      tab.setAttribute("aria-selected", String(other === place));
      tab.tabIndex = other === place ? 0 : -1;
      panel.hidden = other !== place;
    });
    const chosen = this.tabs[place];
    if (chosen.make) {
      const { make } = chosen;
      chosen.make = null;
      chosen.panel.append(make());
    }
  }
}
