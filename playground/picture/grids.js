// Columns of probes on one grid of times: python/lasthop/picture/grids.py. What is not known is NaN, and null in the end.
"use strict";
const grids = (() => {
  // The rows of each name, in the order of the names' first rows.
  const groups = (names) => {
    const rows = new Map();
    names.forEach((name, row) => rows.has(name) ? rows.get(name).push(row) : rows.set(name, [row]));
    return rows;
  };

  const column = (values, rows) => rows.map((row) => values[row] ?? NaN);

  // The last value up to each time.
  const held = (at, values, times) => {
    let next = 0, last = NaN;
    return times.map((time) => {
      while (next < at.length && at[next] <= time) last = values[next++];
      return last;
    });
  };

  const sum = (values) => values.reduce((all, value) => all + value, 0);
  const plain = (values, digits = 5) => values.map((value) => Number.isNaN(value) ? null : +value.toPrecision(digits));

  return { groups, column, held, plain, sum };
})();
if (typeof module !== "undefined") module.exports = { grids };
