// The stages of the extraction that runs, with the time that each takes.

const WORDS = { ok: "", refused: "refused", failed: "failed" };

export class StageList {
  /** list: an item per stage, named by data-stage; run: the paragraph whose link leads to the flow run. */
  constructor(list, run) {
    this.list = list;
    this.run = run;
    this.items = new Map([...list.children].map((item) => [item.dataset.stage, item]));
  }

  reset() {
    this.#stop();
    this.began = new Map();
    this.list.hidden = this.run.hidden = true;
    for (const item of this.items.values()) {
      item.removeAttribute("data-state");
      item.querySelector(".took").textContent = "";
    }
  }

  link(requestId) {
    this.run.hidden = false;
    this.run.firstElementChild.href = `/console/requests/${requestId}/flow-run`;
  }

  /** stage: its name; event: "began", "ok", "refused" or "failed"; ms: when, since the extraction began. */
  report({ stage, event, ms }) {
    const item = this.items.get(stage);
    if (!item) return;
    this.list.hidden = false;
    item.dataset.state = event;
    if (event === "began") {
      this.began.set(stage, ms);
      this.clock ??= { at: performance.now() - ms, timer: setInterval(() => this.#tick(), 100) };
    } else this.#show(item, ms - this.began.get(stage), WORDS[event]);
  }

  /** Whether the extraction ended in this stage: the file was refused, or the stage failed. */
  hasEnded(stage) { return ["refused", "failed"].includes(this.items.get(stage)?.dataset.state); }

  #tick() {
    let isRunning = false;
    for (const [stage, began] of this.began) {
      const item = this.items.get(stage);
      if (item.dataset.state !== "began") continue;
      isRunning = true;
      this.#show(item, performance.now() - this.clock.at - began, "");
    }
    if (!isRunning) this.#stop();
  }

  #stop() {
    clearInterval(this.clock?.timer);
    this.clock = undefined;
  }

  #show(item, milliseconds, words) { item.querySelector(".took").textContent = `${(milliseconds / 1000).toFixed(1)} s ${words}`.trim(); }
}
