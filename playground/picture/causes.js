// What became of packets: python/lasthop/picture/causes.py, which a test holds this to.
"use strict";
const causes = ((roles) => {
  const POINTS = 160, MOST = 24;
  const PARTS = { queueing: "queue", access: "access to the medium", retries: "retries", transmission: "transmission",
    wire: "wires", handoff: "handoff" };

  // Values at equal ratios from one to another.
  const ratios = (low, high, count) => Array.from({ length: count }, (_, at) =>
    at === count - 1 ? high : low * (high / low) ** (at / (count - 1)));

  const upTo = (sorted, limit) => {
    let low = 0, high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] <= limit) low = middle + 1; else high = middle;
    }
    return low;
  };

  // For each flow which share of what it sent had arrived after so long; null without the probe `packets`.
  const distributions = (document) => {
    const { packets } = document.probes;
    if (!packets) return null;
    const start = document.duration_s - document.measured_s;
    const taken = new Map();
    let low = Infinity, high = -Infinity;
    packets.time_s.forEach((sent, row) => {
      const got = packets.received_s[row] ?? null, gone = packets.dropped_s[row] ?? null;
      if (packets.direction[row] !== "data" || (got === null && gone === null) || sent < start) return;
      const name = packets.flow[row], took = got === null ? null : 1e3 * (got - sent);
      if (!taken.has(name)) taken.set(name, { times: [], all: 0 });
      taken.get(name).all += 1;
      if (took === null) return;
      taken.get(name).times.push(took);
      low = Math.min(low, took);
      high = Math.max(high, took);
    });
    if (high === -Infinity) return null;
    const grid = ratios(Math.max(low, 1e-3) * 0.95, Math.max(high, 2e-3) * 1.05, POINTS);
    const [shown, note] = roles.of(document.flows);
    const lines = shown.flatMap((role) => {
      const own = role.flows.map((name) => taken.get(name)).filter(Boolean);
      if (!own.length) return [];
      const all = own.reduce((count, each) => count + each.all, 0);
      const sorted = Float64Array.from(own.flatMap(({ times }) => times)).sort();
      const values = grid.map((limit) => +(100 * upTo(sorted, limit) / all).toPrecision(4));
      return [{ name: role.name.replace("mean of", "all"), values, colour: role.colour }];
    });
    return { title: "Share of a flow's packets that had arrived after a given time", unit: "%",
      x: grid.map((value) => +value.toPrecision(5)), x_unit: "ms", lines, note };
  };

  const sum = (values) => values.reduce((all, value) => all + value, 0);

  // Bars of what is more than nothing: the parts that some row has, the rows with some part.
  const barsOf = (title, unit, parts, rows) => {
    const there = parts.map((_, at) => at).filter((at) => rows.some(([, values]) => values[at] > 0));
    const kept = rows.filter(([, values]) => there.some((at) => values[at] > 0))
      .sort(([, one], [, other]) => sum(other) - sum(one))
      .map(([name, values]) => ({ name, values: there.map((at) => +values[at].toPrecision(5)) }));
    const note = kept.length > MOST ? `These are the ${MOST} flows of ${kept.length} with the most.` : "";
    return { title, unit, parts: there.map((at) => parts[at]), rows: kept.slice(0, MOST), note };
  };

  const counted = (flows, key, title, unit) => {
    const reasons = [...new Set(flows.flatMap((flow) => Object.entries(flow[key] || {}).filter(([, count]) => count).map(([name]) => name)))];
    const rows = flows.map((flow) => [flow.name, reasons.map((reason) => flow[key]?.[reason] || 0)]);
    return barsOf(title, unit, reasons.map((reason) => reason.replaceAll("_", " ")), rows);
  };

  // Delay by cause, losses by cause and window cuts by cause, each where there is any.
  const bars = ({ flows }) => [
    barsOf("Mean delay of a packet that arrived, by cause", "ms", Object.values(PARTS), flows.filter((flow) => flow.delay_split_s)
      .map((flow) => [flow.name, Object.keys(PARTS).map((key) => 1e3 * (flow.delay_split_s[key] || 0))])),
    counted(flows, "packets_lost", "Packets lost, by cause", "packets"),
    counted(flows, "window_cuts", "Window cuts, by cause", "cuts"),
  ].filter((each) => each.rows.length);

  return { distributions, bars };
})(typeof module === "undefined" ? roles : require("./roles.js").roles);
if (typeof module !== "undefined") module.exports = { causes };
