// A run's time charts as plain series: python/lasthop/picture/charting.py, which a test holds this to.
"use strict";
const charting = ((grids, roles, airing, bursts) => {
  const STEPS = 600, AVERAGED = 10, CLIP = 1.15, MARKS = 40;
  const { groups, column, held, plain, sum } = grids;

  // The mean over flows of what is known.
  const mean = (rows) => rows[0].map((_, at) => {
    const known = rows.map((row) => row[at]).filter((value) => !Number.isNaN(value));
    return known.length ? sum(known) / known.length : NaN;
  });

  const lines = (shown, of, factor) => shown.flatMap((role) => {
    const found = role.flows.map(of).filter(Boolean);
    if (!found.length) return [];
    const values = mean(found).map((value) => factor * value);
    if (values.every(Number.isNaN)) return [];
    return [{ name: role.name, values: plain(values), dash: false, colour: role.colour }];
  });

  // The mean over the last steps, of those that there are.
  const smoothed = (values) => values.map((value, at) => {
    if (Number.isNaN(value)) return NaN;
    const known = values.slice(Math.max(at + 1 - AVERAGED, 0), at + 1).filter((each) => !Number.isNaN(each));
    return sum(known) / known.length;
  });

  const ofTable = (table, times, key, factor, shown, shaped = held) => {
    const rows = groups(table.flow);
    return lines(shown, (flow) => {
      if (!rows.has(flow)) return null;
      return shaped(column(table.time_s, rows.get(flow)), column(table[key], rows.get(flow)), times);
    }, factor);
  };

  // Rows of the probe `flows` are steps, here those of the grid, by their ends: at each time the value of its step.
  const within = (ends, values, times) => {
    const step = times[1] - times[0];
    let next = 0;
    return times.map((time) => {
      const before = time - 1e-3 * step;
      while (next < ends.length && ends[next] < before) next += 1;
      return next < ends.length && before > ends[next] - step ? values[next] : NaN;
    });
  };

  const ofFlows = (table, shown, times, key, factor) => ofTable(table, times, key, factor, shown, (...all) =>
    key === "goodput_bps" ? smoothed(within(...all)) : within(...all));

  // Windows, each followed by its threshold.
  const windows = (table, shown, times) => {
    const bounds = ofTable(table, times, "ssthresh", 1, shown.filter(({ flows }) => flows.length === 1));
    return ofTable(table, times, "snd_cwnd", 1, shown).flatMap((line) => {
      const bound = bounds.find(({ colour }) => colour === line.colour);
      if (!bound) return [line];
      const top = +(CLIP * Math.max(...line.values.filter((value) => value !== null))).toFixed(3);
      const values = bound.values.map((value) => value === null ? null : Math.min(value, top));
      return [line, { ...bound, name: "ssthresh", values, dash: true }];
    });
  };

  const queues = (table, times) => {
    const found = [];
    for (const [name, rows] of groups(table.queue)) {
      const packets = column(table.packets, rows);
      if (!packets.some((value) => value > 1)) continue;
      const values = held(column(table.time_s, rows), packets, times).map((value) => Number.isNaN(value) ? 0 : value);
      found.push([sum(values) / values.length, name, values]);
    }
    return found.sort(([one], [other]) => other - one).slice(0, roles.MOST)
      .map(([, name, values]) => ({ name, values: plain(values), dash: false }));
  };

  // What happened when: the end of the warm-up, and handoffs.
  const marks = (document) => {
    const warm = document.duration_s - document.measured_s;
    const changes = (document.handoffs || []).filter((each) => each.from !== null).slice(0, MARKS);
    return [...warm > 0 ? [{ at: warm, text: "measured from here" }] : [],
      ...changes.map((each) => ({ at: each.at_s, text: `${each.station} to ${each.to}` }))];
  };

  const of = (document) => {
    const { flows, tcp, queue } = document.probes, step = document.duration_s / STEPS;
    const times = Array.from({ length: STEPS + 1 }, (_, at) => step * at);
    const [shown, said] = roles.of(document.flows);
    const charts = [
      { title: `Goodput, mean over ${+(AVERAGED * step).toPrecision(3)} s`, unit: "kbit/s",
        lines: ofFlows(flows, shown, times, "goodput_bps", 1e-3) },
      { title: "One-way delay of packets that arrived, mean of each step", unit: "ms",
        lines: ofFlows(flows, shown, times, "delay_mean_s", 1e3) },
      { title: "Congestion window (slow-start threshold dashed and clipped)", unit: "segments", lines: windows(tcp, shown, times) },
      { title: "Smoothed round-trip time", unit: "ms", lines: ofTable(tcp, times, "srtt_s", 1e3, shown) },
      { title: "Packets waiting in the longest queues", unit: "packets", lines: queues(queue, times) },
    ].filter((chart) => chart.lines.length);
    return { times: plain(times, 6), charts: [...charts, ...airing.of(document, STEPS), ...bursts.of(document, STEPS)], marks: marks(document),
      notes: said ? [said] : [] };
  };

  return { of, STEPS };
})(...typeof module === "undefined" ? [grids, roles, airing, bursts]
  : [require("./grids.js").grids, require("./roles.js").roles, require("./airing.js").airing, require("./bursts.js").bursts]);
if (typeof module !== "undefined") module.exports = { charting };
