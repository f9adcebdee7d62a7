// Two results beside each other: A, which was pinned, and B, which is shown now, with the difference of every number.
"use strict";
const pinned = (() => {
  const { make } = editor;
  const { find, shown, kept, telling } = tables;

  // B − A of each pair of runs with the same random numbers, where they have them; else of the means.
  const difference = (a, b, quantiles, paired) => {
    const there = (values) => values.filter((each) => typeof each === "number");
    const both = a.map((each, at) => [each, b[at]]).filter(([from, to]) => typeof from === "number" && typeof to === "number");
    if (paired && both.length) {
      const same = both.length === a.length && both.every(([from, to]) => from === to);
      return { same, ...stats.estimate(both.map(([from, to]) => to - from), quantiles) };
    }
    if (!there(a).length || !there(b).length) return null;
    const mean = (values) => stats.estimate(there(values), quantiles).mean;
    return { same: false, mean: mean(b) - mean(a), ci95: null };
  };

  const percent = (part, whole) => {
    const value = 100 * part / whole;
    return Number.isFinite(value) ? ` (${value > 0 ? "+" : ""}${value.toFixed(Math.abs(value) < 10 ? 1 : 0)} %)` : "";
  };

  const told = (found, before, { factor, digits }) => {
    if (!found) return make("td", "", "–");
    if (found.same) return make("td", "soft", "same");
    const clear = found.ci95 !== null && Math.abs(found.mean) > found.ci95;
    const cell = make("td", clear ? "far" : "", `${found.mean > 0 ? "+" : ""}${shown(found, factor, digits)}`);
    cell.append(make("span", "soft", percent(found.mean, before)));
    return cell;
  };

  // A line for each number of a table of results, in the order of B: what the tables of either show.
  const lines = (table, a, b, quantiles, paired) => {
    const of = (name, { results }, key) => results.map((each) => {
      const row = (each[table.rows] || []).find((one) => one.name === name);
      return row && (find(row, key) ?? null);
    });
    const [ours, theirs] = [kept(b.document, table), kept(a.document, table)];
    const columns = table.columns.filter((each) => telling([each], ours).length || telling([each], theirs).length);
    const names = [...new Set([...ours, ...theirs].map((each) => each.name))];
    return names.flatMap((name) => columns.flatMap((column) => {
      const [before, after] = [of(name, a, column.key), of(name, b, column.key)];
      const mean = (values) => {
        const known = values.filter((each) => typeof each === "number");
        return known.length ? stats.estimate(known, quantiles) : null;
      };
      const [one, other] = [mean(before), mean(after)];
      if (!one && !other) return [];
      const line = make("tr");
      line.append(make("th", "key", `${name}: ${column.heading}`),
        ...[one, other].map((each) => make("td", "", shown(each, column.factor, column.digits, column.ends))),
        told(difference(before, after, quantiles, paired), one?.mean, column));
      return [line];
    }));
  };

  // The lines of either text that the other has not.
  const changes = (a, b) => {
    const left = (from, other) => {
      const there = other.split("\n").map((each) => each.trim());
      return from.split("\n").filter((each) => each.trim() && !there.includes(each.trim()));
    };
    return [...left(a, b).map((each) => `A  ${each}`), ...left(b, a).map((each) => `B  ${each}`)].join("\n");
  };

  // What is shown of A and B, each { text, seed, results, document }.
  const compare = (a, b, layout, quantiles) => {
    const paired = a.results.length === b.results.length && a.results.every((each, at) => each.seed === b.results[at].seed);
    const several = a.results.length > 1;
    const said = paired
      ? `Each run of B is compared with the run of A that has the same random numbers${several ? "; intervals are of 95 % (Student's t), and a difference beyond its interval is bold" : ". More runs give intervals"}.`
      : "A and B have other seeds, or not as many runs: the difference is that of the means, without an interval.";
    const differing = changes(a.text, b.text);
    const parts = [make("p", "note", said), make("pre", "", differing || "A and B are the same scenario.")];
    for (const table of layout) {
      const found = lines(table, a, b, quantiles, paired);
      if (!found.length) continue;
      const drawn = make("table"), head = make("thead"), body = make("tbody"), top = make("tr"), frame = make("div", "scroll");
      top.append(make("th", "key", table.title), make("th", "", "A"), make("th", "", "B"), make("th", "", "B − A"));
      head.append(top);
      body.append(...found);
      drawn.append(head, body);
      frame.tabIndex = 0;
      frame.append(drawn);
      parts.push(frame);
    }
    return parts;
  };

  return { compare };
})();
