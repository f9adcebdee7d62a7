// What happened over time in one run: what is asked of its probes, and the charts that come of them.
"use strict";
const charts = (() => {
  // As many steps as a screen tells apart, and as many flows and queues as there are colours.
  const STEPS = 300, MOST = 6;
  const probes = ({ duration_s: duration }) => ({ probes: ["flows", "tcp", "queue"], step: `${duration / STEPS} s` });

  // The rows of each name, in the order of the names' first rows.
  const groups = (names) => {
    const rows = new Map();
    names.forEach((name, row) => rows.has(name) ? rows.get(name).push(row) : rows.set(name, [row]));
    return [...rows];
  };

  // The last value up to each time, null before the first.
  const held = (table, rows, column, times) => {
    let next = 0, last = null;
    return times.map((time) => {
      while (next < rows.length && table.time_s[rows[next]] <= time + 1e-9) last = table[column][rows[next++]];
      return last;
    });
  };
  // Each value at its own step, null where a step has none.
  const stepped = (table, rows, column, times, step) => {
    const values = times.map(() => null);
    for (const row of rows) values[Math.round(table.time_s[row] / step)] = table[column][row];
    return values;
  };

  const scaled = (values, factor) => values.map((value) => value === null ? null : value * factor);
  const line = (name, values, dash = false) => ({ name, values, dash });
  const told = (lines) => lines.filter(({ values }) => values.some((value) => value !== null));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

  // The lines of the first flows, each in its colour in all charts.
  const byFlow = (table, order, pick) => told(groups(table.flow)
    .map(([flow, rows]) => [order.indexOf(flow), flow, rows])
    .filter(([place]) => place >= 0 && place < MOST)
    .sort(([one], [other]) => one - other)
    .flatMap(([colour, flow, rows]) => pick(flow, rows).map((each) => ({ ...each, colour }))));

  const windows = (tcp, order, times) => byFlow(tcp, order, (flow, rows) => {
    const window = held(tcp, rows, "snd_cwnd", times), highest = Math.max(...window);
    // An ssthresh that is far above all windows says nothing, and would leave them no room.
    const limit = held(tcp, rows, "ssthresh", times).map((value) => value > 2 * highest ? null : value);
    return [line(`${flow} cwnd`, window), line(`${flow} ssthresh`, limit, true)];
  });

  const waiting = (queue, times) => {
    const full = groups(queue.queue).map(([name, rows]) => line(name, held(queue, rows, "packets", times).map((v) => v ?? 0)));
    return full.filter(({ values }) => Math.max(...values) > 1)
      .sort((a, b) => mean(b.values) - mean(a.values)).slice(0, MOST);
  };

  const series = ({ duration_s: duration, flows: all, probes: { flows, tcp, queue } }) => {
    const order = all.map(({ name }) => name), step = duration / STEPS, times = Array.from({ length: STEPS + 1 }, (_, at) => at * step);
    const ofFlows = (column, factor) => byFlow(flows, order, (flow, rows) =>
      [line(flow, scaled(stepped(flows, rows, column, times, step), factor))]);
    const drawn = [
      { title: "Goodput", unit: "kbit/s", lines: ofFlows("goodput_bps", 1e-3) },
      { title: "Delay of packets that arrived, mean", unit: "ms", lines: ofFlows("delay_mean_s", 1e3) },
      { title: "Congestion window", unit: "segments", lines: windows(tcp, order, times) },
      { title: "Smoothed round-trip time", unit: "ms",
        lines: byFlow(tcp, order, (flow, rows) => [line(flow, scaled(held(tcp, rows, "srtt_s", times), 1e3))]) },
      { title: "Packets waiting", unit: "packets", lines: waiting(queue, times) },
    ];
    return { times, charts: drawn.filter(({ lines }) => lines.length) };
  };

  // Returns a function that shows a result.
  const place = (where, palettes) => {
    const show = timeCharts(where, palettes);
    return (result) => show(series(result));
  };

  return { probes, series, place };
})();
