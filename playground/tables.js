// Results as tables: the columns of `lasthop run`, which the build takes from there.
"use strict";
const tables = (() => {
  const { make } = editor;
  const find = (row, key) => key.split(".").reduce((value, part) => value?.[part], row);
  const fixed = (value, digits) =>
    value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

  // Digits after the point as `Column` in lasthop has them: at least two of a number that is not 0 can be read.
  // Without any a number is whole, but not a mean of such.
  const places = (value, digits, isMean) => {
    const size = Math.abs(value);
    return (digits || isMean) && size > 0 && size < 1 ? Math.min(Math.max(digits, 1 - Math.floor(Math.log10(size))), 20) : digits;
  };

  // A number, or a mean with its interval, as `stats.shown_mean` writes them; a dash where there is none.
  const shown = (value, factor, digits, [least, most] = [null, null]) => {
    if (value === null || value === undefined) return "–";
    if (typeof value === "number") return fixed(value * factor, places(value * factor, digits, false));
    if (value.mean === null || value.mean === undefined) return "–";
    digits = places(value.mean * factor, digits, true);
    const mean = fixed(value.mean * factor, digits);
    if (value.ci95 === null) return mean;
    if (value.ci95 <= 1e-12 * Math.abs(value.mean)) return `${mean} =`;
    const low = value.mean - value.ci95, high = value.mean + value.ci95;
    if (low < (least ?? -Infinity) || high > (most ?? Infinity)) {
      const [from, to] = [Math.max(low, least ?? -Infinity), Math.min(high, most ?? Infinity)];
      return `${mean} (${fixed(from * factor, digits)} to ${fixed(to * factor, digits)})`;
    }
    return `${mean} ± ${fixed(value.ci95 * factor, Math.max(digits, 1))}`;
  };

  // The columns that say something about these rows.
  const telling = (columns, rows) => columns.filter(({ key, when, factor, digits }) => {
    const values = new Set(rows.map((row) => shown(find(row, key), factor, digits)));
    values.delete("–");
    return when === "always" || values.size > (when === "differs" ? 1 : 0);
  });
  const kept = (result, { rows, needs }) => (result[rows] || []).filter((row) => find(row, needs));

  // Rows of zeros are counted in the title, as `lasthop run` does, and left out beside others.
  const isIdle = (row, columns) => !columns.some(({ key }) => {
    const value = find(row, key);
    return typeof value === "object" ? value?.mean : value;
  });
  const busy = (rows, { title, columns, if_idle }) => {
    const left = rows.filter((row) => !isIdle(row, columns)), idle = rows.length - left.length;
    if (!if_idle || !idle || !left.length) return { title, rows };
    return { title: `${title} (${fixed(idle, 0)} more ${if_idle})`, rows: left };
  };

  const drawn = (title, rows, columns) => {
    const table = make("table"), head = make("thead"), body = make("tbody"), top = make("tr");
    const corner = make("th", "key", title);
    corner.scope = "col";
    top.append(corner, ...columns.map(({ heading }) => make("th", "", heading)));
    for (const row of rows) {
      const line = make("tr");
      line.append(make("th", "key", row.name),
        ...columns.map(({ key, factor, digits, ends }) =>
          make("td", "", shown(find(row, key), factor, digits, ends))));
      body.append(line);
    }
    head.append(top);
    table.append(head, body);
    const frame = make("div", "scroll");
    frame.tabIndex = 0;
    frame.append(table);
    return frame;
  };

  // All tables of a result that have rows; `layout` is [{ title, rows: key of the result, needs, columns, if_idle }].
  const all = (result, layout) => layout
    .map((table) => ({ columns: table.columns, ...busy(kept(result, table), table) }))
    .filter(({ rows }) => rows.length)
    .map(({ title, rows, columns }) => drawn(title, rows, telling(columns, rows)));

  return { all, find, shown, kept, telling };
})();
