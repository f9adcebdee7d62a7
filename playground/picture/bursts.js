// What the frames of 802.16 are for: python/lasthop/picture/bursts.py, which a test holds this to.
"use strict";
const bursts = ((grids, airing) => {
  const USES = ["down", "up", "overhead", "heard", "collided", "idle", "unused"];
  const KINDS = ["preamble", "broadcast", "down", "up", "ranging", "requests", "gap", "unused", "heard", "collided"];
  const REGIONS = ["ranging", "requests", "heard", "collided"];
  const { groups, sum } = grids, { whole, UNIT } = airing;

  const laneOf = (use, station, place, lanes) => {
    if (use === "burst") return 1 + place.get(station);
    if (REGIONS.includes(use)) return lanes - 2;
    return use === "unused" || use === "gap" ? lanes - 1 : 0;
  };

  // Lane, use and time of a row of the probe `symbols`.
  const partsOf = (symbols, row, place, lanes) => {
    const use = symbols.use_of[row], time = symbols.airtime_s[row], lane = laneOf(use, symbols.station[row], place, lanes);
    if (use === "burst") return [[lane, symbols.direction[row], time]];
    if (!REGIONS.includes(use)) return [[lane, use === "unused" ? use : "overhead", time]];
    const heard = symbols.heard_s[row], collided = symbols.collided_s[row];
    return [[lane, "heard", heard], [lane, "collided", collided], [lane, "idle", time - heard - collided]];
  };

  // Parts of frames, and requests in their opportunities, by frame.
  const byFrame = (cell, { frames, requests }) => {
    const found = new Map();
    const add = (piece) => found.has(piece.frame) ? found.get(piece.frame).push(piece) : found.set(piece.frame, [piece]);
    for (const row of groups(frames.cell).get(cell) || []) {
      const use = frames.use_of[row];
      add({ begins: frames.begins_s[row], long: frames.airtime_s[row], frame: frames.frame[row],
        kind: use === "burst" ? frames.direction[row] : use, station: frames.station[row] || "",
        symbols: frames.symbols[row], bytes: frames.bytes[row] || 0, room: frames.room[row] || 0 });
    }
    for (const row of groups(requests.cell).get(cell) || []) {
      add({ begins: requests.time_s[row], long: requests.airtime_s[row], frame: requests.frame[row],
        kind: requests.senders[row] === 1 ? "heard" : "collided", station: requests.station[row], symbols: 0, bytes: 0, room: 0 });
    }
    return found;
  };

  const piecesOf = (cell, probes, place, lanes, room) => {
    const there = byFrame(cell, probes), runs = [];
    for (const [frame, pieces] of there) {
      if (!runs.length || runs.at(-1).last !== frame - 1) runs.push({ last: frame, pieces: [] });
      const run = runs.at(-1);
      run.last = frame;
      run.pieces.push(...pieces.sort((a, b) => a.begins - b.begins));
    }
    const every = Math.max(Math.ceil(sum([...there.values()].map(({ length }) => length)) / room), 1);
    const chosen = runs.filter((_, at) => at % every === 0).map((run) => run.pieces), all = chosen.flat();
    const names = [...new Set(["", ...place.keys(), ...all.map(({ station }) => station)])];
    const number = new Map(names.map((name, at) => [name, at])), starts = all.map(({ begins }) => whole(begins * UNIT));
    const of = (pick) => all.map(pick);
    return {
      names,
      drawn: new Set(of(({ frame }) => frame)).size,
      frames: {
        at: starts.map((start, at) => start - (at ? starts[at - 1] : 0)),
        long: of(({ long }) => whole(long * UNIT)),
        lane: of(({ kind, station }) => laneOf(kind === "down" || kind === "up" ? "burst" : kind, station, place, lanes)),
        kind: of(({ kind }) => KINDS.indexOf(kind)),
        of: of(({ station }) => number.get(station)),
        frame: of(({ frame }) => frame),
        symbols: of(({ symbols }) => symbols),
        bytes: of(({ bytes }) => bytes),
        room: of((piece) => piece.room),
      },
      known: chosen.map((run) => [run[0].begins, Math.max(...run.map(({ begins, long }) => begins + long))].map((time) => +time.toFixed(7))),
    };
  };

  const cellOf = (cell, rows, probes, { step, count, room }) => {
    const { symbols } = probes, held = new Map();
    for (const row of rows) {
      const station = symbols.station[row];
      if (station !== null) held.set(station, (held.get(station) || 0) + symbols.airtime_s[row]);
    }
    const [stations, place] = airing.lanesOf(held), lanes = ["broadcast", ...stations, "requests", "unused"];
    const bins = lanes.map(() => USES.map(() => new Array(count).fill(0)));
    for (const row of rows) {
      const at = Math.min(whole(symbols.time_s[row] / step), count - 1);
      for (const [lane, use, time] of partsOf(symbols, row, place, lanes.length)) bins[lane][USES.indexOf(use)][at] += time / step;
    }
    const spent = USES.map((_, use) => sum(bins.flatMap((lane) => lane[use]))), all = sum(spent) || 1;
    return {
      kind: "air", medium: "802.16", title: `What the frames of ${cell} are for`, unit: "", lines: [], lanes, step,
      bins: airing.plain(bins),
      all: sum(rows.filter((row) => symbols.use_of[row] === "preamble").map((row) => symbols.frames[row])),
      shares: Object.fromEntries(USES.map((use, at) => [use, spent[at] / all])),
      ...piecesOf(cell, probes, place, lanes.length, room),
    };
  };

  // A chart for each 802.16 cell.
  const of = (document, steps) => {
    const { symbols } = document.probes;
    if (!symbols || !symbols.time_s.length) return [];
    const own = airing.grid(document, steps);
    return [...groups(symbols.cell)].map(([cell, rows]) => cellOf(cell, rows, document.probes, own));
  };

  return { of };
})(...typeof module === "undefined" ? [grids, airing] : [require("./grids.js").grids, require("./airing.js").airing]);
if (typeof module !== "undefined") module.exports = { bursts };
