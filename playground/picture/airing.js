// Who holds the medium of 802.11: python/lasthop/picture/airing.py, which a test holds this to.
"use strict";
const airing = ((grids) => {
  const LANES = 12, FRAMES = 40000, UNIT = 1e7, OTHERS = "other stations";
  const USES = ["carried_s", "overlapped_s", "unanswered_s"];
  const KINDS = ["data", "management", "rts", "cts", "ack"];
  const FATES = ["answered", "overlapped", "unanswered", "none_due"];
  const { groups, sum } = grids;

  // To the nearest whole number, and from the middle to the even one, as Python.
  const whole = (value) => {
    const near = Math.round(value);
    return near - value === 0.5 && near % 2 ? near - 1 : near;
  };

  // Rows in runs without a gap between them; frames of other cells on the same air are no gap.
  const runsOf = (air, rows) => {
    const there = new Set(rows.map((row) => air.air[row]));
    const numbers = new Set(air.number.filter((_, row) => there.has(air.air[row])));
    const runs = [];
    let last = null;
    for (const row of rows) {
      const number = air.number[row];
      let gap = last === null;
      for (let between = last + 1; !gap && between < number; between += 1) gap = !numbers.has(between);
      if (gap) runs.push([]);
      runs.at(-1).push(row);
      last = number;
    }
    return runs;
  };

  const framesOf = (air, all, place, room) => {
    const every = Math.max(Math.ceil(all.length / room), 1);
    const runs = runsOf(air, all).filter((_, at) => at % every === 0), rows = runs.flat();
    const starts = rows.map((row) => whole(air.time_s[row] * UNIT));
    const names = [...new Set([...place.keys(), ...rows.map((row) => air.to[row] || "all")])];
    const number = new Map(names.map((name, at) => [name, at]));
    const end = (row) => air.time_s[row] + air.airtime_s[row];
    const of = (pick) => rows.map(pick);
    return {
      names,
      frames: {
        at: starts.map((start, at) => start - (at ? starts[at - 1] : 0)),
        long: of((row) => whole(air.airtime_s[row] * UNIT)),
        from: of((row) => number.get(air.station[row])),
        lane: of((row) => place.get(air.station[row])),
        to: of((row) => number.get(air.to[row] || "all")),
        kind: of((row) => KINDS.indexOf(air.kind[row])),
        fate: of((row) => FATES.indexOf(air.fate[row])),
        retry: of((row) => Number(air.retry[row])),
        bytes: of((row) => air.bytes[row]),
        kbps: of((row) => Math.floor(air.rate_bps[row] / 1000)),
      },
      known: runs.map((run) => [air.time_s[run[0]], Math.max(...run.map(end))].map((time) => +time.toFixed(7))),
    };
  };

  const cellOf = (cell, rows, airtime, air, step, duration, room) => {
    const held = new Map();
    for (const row of rows) {
      const name = airtime.station[row];
      held.set(name, (held.get(name) || 0) + sum(USES.map((use) => airtime[use][row])));
    }
    const ranked = [...held.keys()].sort((a, b) => held.get(b) - held.get(a));
    const lanes = [...ranked.slice(0, LANES).sort(), ...ranked.length > LANES ? [OTHERS] : []];
    const place = new Map(ranked.map((name) => [name, lanes.includes(name) ? lanes.indexOf(name) : lanes.length - 1]));
    const count = Math.round(duration / step);
    const bins = lanes.map(() => USES.map(() => new Array(count).fill(0)));
    for (const row of rows) {
      const at = Math.min(whole(airtime.time_s[row] / step), count - 1), lane = bins[place.get(airtime.station[row])];
      USES.forEach((use, number) => { lane[number][at] += airtime[use][row] / step; });
    }
    const total = (key) => sum(rows.map((row) => airtime[key][row])), spent = sum([...held.values()]) || 1;
    return {
      kind: "air", title: `Who holds the medium of ${cell}`, unit: "", lines: [], lanes, step,
      bins: bins.map((lane) => lane.map((use) => use.map((value) => +value.toFixed(4)))),
      all: total("frames"),
      shares: Object.fromEntries([...USES, "retries_s"].map((key) => [key, total(key) / spent])),
      ...framesOf(air, groups(air.cell).get(cell) || [], place, room),
    };
  };

  // A chart for each 802.11 cell with a frame.
  const of = ({ probes: { airtime, air }, duration_s: duration }, steps) => {
    if (!airtime || !airtime.time_s.length) return [];
    const cells = groups(airtime.cell), room = Math.floor(FRAMES / cells.size);
    return [...cells].map(([cell, rows]) => cellOf(cell, rows, airtime, air, duration / steps, duration, room));
  };

  return { of };
})(typeof module === "undefined" ? grids : require("./grids.js").grids);
if (typeof module !== "undefined") module.exports = { airing };
