// The document of an extraction, held by a worker.

export class Reader {
  #worker; #waiting = new Map(); #number = 0;

  constructor(script) {
    this.#worker = new Worker(script);
    this.#worker.onmessage = ({ data: { id, value, problem } }) => {
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (problem === undefined) resolve(value);
      else reject(new Error(problem));
    };
    this.#worker.onerror = (event) => { for (const { reject } of this.#waiting.values()) reject(new Error(event.message ?? "the document cannot be read")); };
  }

  /** call("search", "thread"): what the worker's function of this name returns. */
  call(name, ...args) {
    return new Promise((resolve, reject) => {
      this.#number += 1;
      this.#waiting.set(this.#number, { resolve, reject });
      this.#worker.postMessage({ id: this.#number, name, args });
    });
  }
}
