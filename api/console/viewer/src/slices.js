// Long work in slices: whoever waits for the thread waits a few milliseconds.

const SLICE_MS = 6, EVERY = 32;

/** pause: what lets others run. `isDue()` says, at every EVERYth call, whether the slice has lasted long enough; `pause()` ends it. */
export function rest(pause) {
  let began = performance.now(), calls = 0;
  return {
    isDue: () => (calls += 1) % EVERY === 0 && performance.now() - began > SLICE_MS,
    pause: async () => {
      await pause();
      began = performance.now();
    },
  };
}

/** Resolves with the next frame. */
export const nextFrame = () => new Promise((resolve) => { requestAnimationFrame(() => resolve()); });

const channel = new MessageChannel();

/** Resolves when everything that waited for the thread has run; unlike a timer, at once where nothing waited. */
export const nextTask = () => new Promise((resolve) => {
  channel.port1.addEventListener("message", resolve, { once: true });
  channel.port1.start();
  channel.port2.postMessage(null);
});
