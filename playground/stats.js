// Results of several runs as one document: means with Student's 95 % intervals, as `lasthop run --replications` has them
// (python/lasthop/numbers/stats/summary.py). `quantiles[n]` is Student's t for n degrees of freedom, two-sided, from the same function.
"use strict";
const stats = (() => {
  const COUNTS_BY_REASON = ["packets_lost", "drops", "window_cuts"];
  const APART = ["choices"];
  const NAMES = [["name"], ["station", "from", "to"]];

  // The sum as if no digit were lost: Shewchuk (1997), as Python's math.fsum.
  const exactSum = (values) => {
    const parts = [];
    for (let x of values) {
      let kept = 0;
      for (let y of parts) {
        if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
        const high = x + y, low = y - (high - x);
        if (low) parts[kept++] = low;
        x = high;
      }
      parts.length = kept;
      parts.push(x);
    }
    return parts.reduceRight((sum, part) => sum + part, 0);
  };

  const estimate = (values, quantiles) => {
    const n = values.length, mean = exactSum(values) / n;
    if (n < 2) return { mean, ci95: null, n };
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return { mean, ci95: quantiles[n - 1] * Math.sqrt(squares / (n - 1)) / Math.sqrt(n), n };
  };

  const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const there = (values) => values.filter((value) => value !== null && value !== undefined);

  // `values` has one of each run, undefined where a run has none.
  const merged = (values, quantiles) => {
    const known = there(values);
    if (!known.length) return null;
    if (Array.isArray(known[0])) return lists(known, quantiles);
    if (isMap(known[0])) return maps(known, undefined, quantiles);
    return typeof known[0] === "number" ? estimate(known, quantiles) : known[0];
  };

  // A reason that a run does not list counts as none there.
  const maps = (all, absent, quantiles) => {
    const found = {};
    for (const key of new Set(all.flatMap(Object.keys))) {
      if (APART.includes(key)) continue;
      const values = all.map((each) => key in each ? each[key] : absent);
      const counts = COUNTS_BY_REASON.includes(key) && there(values).some(isMap);
      found[key] = counts ? maps(there(values), 0, quantiles) : merged(values, quantiles);
    }
    return found;
  };

  // Entries are matched by their names and how often these came before, all else by place.
  const lists = (all, quantiles) => {
    const has = (item, keys) => isMap(item) && keys.every((key) => key in item);
    const first = all.find((each) => each.length);
    const keys = first && NAMES.find((each) => first.every((item) => has(item, each))) || [];
    const found = new Map();
    for (const list of all) {
      const before = new Map();
      for (const item of list) {
        const name = JSON.stringify(has(item, keys) ? keys.map((key) => item[key]) : []);
        const place = `${name} ${before.get(name) || 0}`;
        before.set(name, (before.get(name) || 0) + 1);
        found.set(place, [...found.get(place) || [], item]);
      }
    }
    return [...found.values()].map((values) => merged(values, quantiles));
  };

  // `runs` are results as `lasthop run --json` has them, in the order of their replications.
  const summary = (runs, quantiles) => {
    const rest = runs.map(({ seed, replication, probes, ...each }) => each);
    return { seed: runs[0].seed, replications: runs.length, ...maps(rest, undefined, quantiles) };
  };

  return { summary, estimate };
})();
if (typeof module !== "undefined") module.exports = { stats };
