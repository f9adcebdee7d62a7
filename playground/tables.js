// Results as tables: the columns of `lasthop run`, which the build takes from there.
"use strict";
const tables = (() => {
  const { make } = editor;
  const find = (row, key) => key.split(".").reduce((value, part) => value?.[part], row);
  const fixed = (value, digits) =>
    value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

  // A number, or a mean with its interval; a dash where there is none.
  const shown = (value, factor, digits) => {
    if (value === null || value === undefined) return "–";
    if (typeof value === "number") return fixed(value * factor, digits);
    if (value.mean === null || value.mean === undefined) return "–";
    const mean = fixed(value.mean * factor, digits);
    return value.ci95 === null ? mean : `${mean} ± ${fixed(value.ci95 * factor, Math.max(digits, 1))}`;
  };

  const drawn = ({ title, rows, columns }) => {
    const table = make("table"), head = make("thead"), body = make("tbody"), top = make("tr");
    const kept = columns.filter(({ key, atNeed, whereKnown, factor, digits }) => {
      const values = new Set(rows.map((row) => shown(find(row, key), factor, digits)));
      values.delete("–");
      return whereKnown ? values.size : !atNeed || values.size > 1;
    });
    const corner = make("th", "key", title);
    corner.scope = "col";
    top.append(corner, ...kept.map(({ heading }) => make("th", "", heading)));
    for (const row of rows) {
      const line = make("tr");
      line.append(make("th", "key", row.name),
        ...kept.map(({ key, factor, digits }) => make("td", "", shown(find(row, key), factor, digits))));
      body.append(line);
    }
    head.append(top);
    table.append(head, body);
    const frame = make("div", "scroll");
    frame.tabIndex = 0;
    frame.append(table);
    return frame;
  };

  // All tables of a result that have rows; `layout` is [{ title, rows: key of the result, needs, columns }].
  const all = (result, layout) => layout
    .map(({ title, rows, needs, columns }) => ({ title, columns, rows: (result[rows] || []).filter((row) => find(row, needs)) }))
    .filter(({ rows }) => rows.length)
    .map(drawn);

  return { all, shown };
})();
