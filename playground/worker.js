// A worker: it has a core of its own, checks and runs what it is sent, and tells how far it is.
"use strict";
// No eye sees more often than this, ms.
const SEEN = 50;
let core = null;
self.onmessage = ({ data }) => {
  const { id, module, task, request, panels, steps } = data;
  try {
    if (module) core = lasthopCore(module);
    let last = 0;
    const told = (part) => {
      const now = performance.now();
      if (now - last < SEEN) return;
      last = now;
      self.postMessage({ id, part });
    };
    if (task === "run") self.postMessage({ id, answer: JSON.parse(core.run(request, steps, told)) });
    else if (task === "draw") self.postMessage({ id, answer: JSON.parse(core.draw(request, panels, steps, told)) });
    else self.postMessage({ id, answer: core[task](request) });
  } catch (error) {
    self.postMessage({ id, failed: String(error.message || error) });
  }
};
