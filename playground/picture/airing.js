// Who holds the medium of 802.11 and of shared LANs: python/lasthop/picture/airing.py, which a test holds this to.
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

  // A name by which the second comes before the tenth.
  const withNumbers = (name) => name.replace(/\d+/g, (digits) => digits.padStart(12, "0"));

  // The lanes of stations that held the medium for so long, and the lane of each.
  const lanesOf = (held) => {
    const ranked = [...held.keys()].sort((a, b) => held.get(b) - held.get(a));
    const lanes = [...ranked.slice(0, LANES).sort((a, b) => withNumbers(a) < withNumbers(b) ? -1 : 1), ...ranked.length > LANES ? [OTHERS] : []];
    return [lanes, new Map(ranked.map((name) => [name, lanes.includes(name) ? lanes.indexOf(name) : lanes.length - 1]))];
  };

  // The parts of each step by lane and use; nothing where all of a use's are 0.
  const plain = (bins) => bins.map((lane) => lane.map((use) => use.some(Boolean) ? use.map((value) => +value.toFixed(4)) : []));

  const framesOf = (air, medium, all, place, room) => {
    const every = Math.max(Math.ceil(all.length / room), 1);
    const runs = runsOf(air, all).filter((_, at) => at % every === 0), rows = runs.flat();
    const starts = rows.map((row) => whole(air.time_s[row] * UNIT));
    const names = [...new Set([...place.keys(), ...rows.map((row) => air.to[row] || "all")])];
    const number = new Map(names.map((name, at) => [name, at]));
    const end = (row) => air.time_s[row] + air.airtime_s[row];
    const of = (pick) => rows.map(pick);
    return {
      names,
      drawn: rows.length,
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
        ...medium === "LAN" ? { backoff: of((row) => whole((air.backoff_s[row] || 0) * UNIT)) } : {},
      },
      known: runs.map((run) => [air.time_s[run[0]], Math.max(...run.map(end))].map((time) => +time.toFixed(7))),
    };
  };

  const cellOf = (cell, medium, rows, airtime, air, { step, count, room }) => {
    const held = new Map();
    for (const row of rows) {
      const name = airtime.station[row];
      held.set(name, (held.get(name) || 0) + sum(USES.map((use) => airtime[use][row])));
    }
    const [lanes, place] = lanesOf(held);
    const bins = lanes.map(() => USES.map(() => new Array(count).fill(0)));
    for (const row of rows) {
      const at = Math.min(whole(airtime.time_s[row] / step), count - 1), lane = bins[place.get(airtime.station[row])];
      USES.forEach((use, number) => { lane[number][at] += airtime[use][row] / step; });
    }
    const total = (key) => sum(rows.map((row) => airtime[key][row])), spent = sum([...held.values()]) || 1;
    return {
      kind: "air", medium, title: `Who holds the medium of ${cell}`, unit: "", lines: [], lanes, step,
      bins: plain(bins),
      all: total("frames"),
      shares: Object.fromEntries([...USES, "retries_s"].map((key) => [key, total(key) / spent])),
      ...framesOf(air, medium, groups(air.cell).get(cell) || [], place, room),
    };
  };

  // What all charts of a run's media share.
  const grid = ({ probes: { airtime, symbols }, duration_s: duration }, count) => {
    const media = sum([airtime, symbols].map((table) => table ? groups(table.cell).size : 0));
    return { step: duration / count, count, room: Math.floor(FRAMES / Math.max(media, 1)) };
  };

  // A chart for each 802.11 cell and each LAN with a frame.
  const of = (document, steps) => {
    const { airtime, air } = document.probes, lans = new Set((document.lans || []).map(({ name }) => name));
    if (!airtime || !airtime.time_s.length) return [];
    const own = grid(document, steps);
    return [...groups(airtime.cell)].map(([cell, rows]) => cellOf(cell, lans.has(cell) ? "LAN" : "802.11", rows, airtime, air, own));
  };

  return { of, grid, lanesOf, plain, whole, UNIT };
})(typeof module === "undefined" ? grids : require("./grids.js").grids);
if (typeof module !== "undefined") module.exports = { airing };
