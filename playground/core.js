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

  // A run in steps: `step` is told the part that is done. The result is JSON text, as `lasthop run --json` has it.
  const run = (request, steps = 1000, step = () => {}) => {
    const held = asking("lasthop_begin", request);
    if (held === 0) throw new Error("the scenario cannot be run: check it first");
    for (let done = 1; done < steps; done += 1) {
      wasm.lasthop_advance(held, done / steps);
      step(done / steps);
    }
    return text(wasm.lasthop_finish(held));
  };

  return {
    check: (request) => JSON.parse(text(asking("lasthop_check", request))),
    run,
    noticed: (result) => JSON.parse(text(asking("lasthop_noticed", result))),
    schema: () => JSON.parse(text(wasm.lasthop_schema())),
    catalogue: () => JSON.parse(text(wasm.lasthop_catalogue())),
  };
};
if (typeof module !== "undefined") module.exports = { lasthopCore };
