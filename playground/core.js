// The core of lasthop in WebAssembly: texts in, JSON out (crates/web). In a page, in its workers, and in node.
"use strict";
const lasthopCore = (module) => {
  const wasm = new WebAssembly.Instance(module, {}).exports;
  const encoder = new TextEncoder(), decoder = new TextDecoder();

  // A request in the core's memory for as long as it is needed.
  const asking = (name, request) => {
    const bytes = encoder.encode(JSON.stringify(request));
    const at = wasm.lasthop_alloc(bytes.length);
    new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
    const answer = wasm[name](at, bytes.length);
    wasm.lasthop_free(at, bytes.length);
    return answer;
  };

  // A text stands behind its length. The memory may have grown meanwhile, so its buffer is asked for anew.
  const text = (address) => {
    const at = address >>> 0;
    const length = new DataView(wasm.memory.buffer).getUint32(at, true);
    const said = decoder.decode(new Uint8Array(wasm.memory.buffer, at + 4, length));
    wasm.lasthop_free(at, length + 4);
    return said;
  };

  // A run in steps: `step` is told the part that is done. `finish` makes a text of it.
  const stepped = (request, steps = 1000, step = () => {}, finish) => {
    const held = asking("lasthop_begin", request);
    if (held === 0) throw new Error("the scenario cannot be run: check it first");
    for (let done = 1; done < steps; done += 1) {
      wasm.lasthop_advance(held, done / steps);
      step(done / steps);
    }
    return text(finish(held));
  };

  return {
    check: (request) => JSON.parse(text(asking("lasthop_check", request))),
    // The result as JSON text, as `lasthop run --json` has it.
    run: (request, steps, step) => stepped(request, steps, step, wasm.lasthop_finish),
    // The panels of a run with probes as JSON text, over `panels` steps.
    draw: (request, panels, steps, step) => stepped(request, steps, step, (held) => wasm.lasthop_draw(held, panels)),
    noticed: (result) => JSON.parse(text(asking("lasthop_noticed", result))),
    schema: () => JSON.parse(text(wasm.lasthop_schema())),
    catalogue: () => JSON.parse(text(wasm.lasthop_catalogue())),
  };
};
if (typeof module !== "undefined") module.exports = { lasthopCore };
