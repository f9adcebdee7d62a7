// Workers at work: each answers one request after the other, and is ended where its answer is not wanted any further.
"use strict";
const workers = (() => {
  // `source` is the text of a worker, which makes a page that was opened from disk as good as any other.
  const start = (source, module) => {
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const worker = new Worker(address), waiting = new Map();
    let next = 0, sent = false;
    const end = (error) => {
      worker.terminate();
      URL.revokeObjectURL(address);
      for (const { refuse } of waiting.values()) refuse(error);
      waiting.clear();
    };
    worker.onerror = (event) => end(new Error(event.message || "the worker ended"));
    worker.onmessage = ({ data }) => {
      const { told, give, refuse } = waiting.get(data.id);
      if (data.part !== undefined) return told(data.part);
      waiting.delete(data.id);
      return data.failed === undefined ? give(data.answer) : refuse(new Error(data.failed));
    };
    const ask = (task, request, { steps, told = () => {}, panels } = {}) => new Promise((give, refuse) => {
      const id = next++;
      waiting.set(id, { told, give, refuse });
      worker.postMessage({ id, task, request, steps, panels, module: sent ? undefined : module });
      sent = true;
    });
    return { ask, end };
  };

  // Workers that are kept from one call to the next. Each call runs requests on as many as there are cores, in any order; the
  // answers in theirs. `told` is told the part of all that is done. `stop` ends those at work; what has finished is the answer.
  const pool = (source, module) => {
    const idle = [], halted = new Error("stopped");
    return (requests, told) => {
      const cores = Math.max(1, Math.min(requests.length, navigator.hardwareConcurrency || 1, 8));
      const parts = requests.map(() => 0), answers = requests.map(() => null);
      const mine = Array.from({ length: cores }, () => idle.pop() ?? start(source, module));
      let next = 0, over = false, stopped = false;
      const work = async (worker) => {
        while (next < requests.length && !stopped) {
          const place = next++;
          const step = (part) => {
            parts[place] = part;
            told(parts.reduce((sum, each) => sum + each, 0) / parts.length);
          };
          answers[place] = await worker.ask("run", requests[place], { told: step });
          step(1);
        }
      };
      const end = (error) => {
        [over, stopped] = [true, true];
        mine.forEach((worker) => worker.end(error));
      };
      const all = Promise.all(mine.map(work)).then(() => {
        if (!over) idle.push(...mine);
        over = true;
      }, (error) => {
        end(error);
        if (error !== halted) throw error;
      }).then(() => answers.filter(Boolean));
      return { all, stop: () => { if (!over) end(halted); } };
    };
  };

  return { start, pool };
})();
