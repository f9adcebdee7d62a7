// Distributions and stacked bars of a run. Both take plain data: see lasthop.pages.picture.causes.

// distribution(place, palettes)({title, unit, x, x_unit, lines}) draws lines over a logarithmic axis.
const distribution = (place, palettes) => {
  "use strict";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  let chart = null, width = 0;
  const axis = (label, size) => ({
    label, size, labelSize: 20, labelGap: 0, labelFont: "12px system-ui", font: "12px system-ui",
    stroke: css("--soft"), grid: { stroke: css("--line"), width: 1 }, ticks: { stroke: css("--line"), width: 1 },
  });
  const draw = () => {
    if (!chart) return;
    const colours = palettes[dark.matches ? "dark" : "light"], figure = document.createElement("figure");
    const tones = chart.lines.map((line, at) => colours[(line.colour ?? at) % colours.length]);
    const { head, read } = chartHead(chart, tones, () => plot, chart.x_unit);
    figure.dataset.name = fileName(chart.title);
    figure.append(head);
    place.replaceChildren(figure);
    const lines = chart.lines.map((line, at) => ({ label: line.name, stroke: tones[at], width: 1.6, points: { show: false } }));
    const steps = (_, at, low, high) => { // 1, 2 and 5 of each power of ten
      const found = [];
      for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
        for (const first of [1, 2, 5]) found.push(+(first * 10 ** power).toPrecision(3));
      return found.filter((each) => each >= low && each <= high);
    };
    const plotted = (inside) => new uPlot({
      width: place.clientWidth, height: place.clientWidth < 600 ? 220 : 280, padding: [8, 12, 0, 0],
      legend: { show: false }, hooks: { setCursor: [read] },
      cursor: { drag: { x: true, y: false } },
      scales: { x: { time: false, distr: 3, range: (_, low, high) => [low, high] }, y: { range: [0, 100] } },
      axes: [{ ...axis(chart.x_unit, 46), splits: steps, filter: (_, splits) => splits, values: (_, splits) => splits.map(String) }, axis(chart.unit, 66)],
      series: [{}, ...lines],
    }, [chart.x, ...chart.lines.map((line) => line.values)], inside);
    const plot = plotted(figure);
    figure.traced = () => traced((inside) => {
      const again = plotted(inside);
      again.setScale("x", { min: plot.scales.x.min, max: plot.scales.x.max });
      plot.series.forEach((each, at) => each.show || again.setSeries(at, { show: false }));
      return again;
    });
    const named = (line) => `${line.name} (${chart.unit})`;
    takeable(figure, () => csvOf([[chart.x_unit, ...chart.lines.map(named)], ...chart.x.map((x, at) => [x, ...chart.lines.map((line) => line.values[at])])]));
  };
  new ResizeObserver(() => requestAnimationFrame(() => {
    if (place.clientWidth !== width) { width = place.clientWidth; draw(); }
  })).observe(place);
  dark.addEventListener("change", draw);
  return (next) => { chart = next; width = place.clientWidth; draw(); };
};

// stackedBars(place, palettes)({title, unit, parts, rows: [{name, values}], note}) draws a bar for each row.
const stackedBars = (place, palettes) => {
  "use strict";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let chart = null;
  const make = (tag, name, text) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text != null) element.textContent = text;
    return element;
  };
  const shown = (value) => value >= 1e4 ? Math.round(value).toLocaleString("en") : String(+value.toPrecision(3));
  const draw = () => {
    const colours = palettes[dark.matches ? "dark" : "light"], tone = (at) => colours[at % colours.length];
    const largest = Math.max(...chart.rows.map((row) => row.values.reduce((sum, v) => sum + v, 0)));
    const key = make("p", "note bar-key");
    chart.parts.forEach((part, at) => {
      const box = make("i");
      box.style.background = tone(at);
      const each = make("span");
      each.append(box, part);
      key.append(each);
    });
    const bars = chart.rows.map((row) => {
      const line = make("div", "bar-row"), bar = make("span", "bar"), sum = row.values.reduce((all, v) => all + v, 0);
      row.values.forEach((value, at) => {
        if (!value) return;
        const piece = make("i");
        piece.style.cssText = `width:${(100 * value) / largest}%;background:${tone(at)}`;
        piece.title = `${chart.parts[at]}: ${shown(value)} ${chart.unit}`;
        bar.append(piece);
      });
      const said = row.values.map((v, at) => v ? `${chart.parts[at]} ${shown(v)}` : "").filter(Boolean).join(", ");
      bar.setAttribute("role", "img");
      bar.setAttribute("aria-label", said);
      line.append(make("span", "bar-name", row.name), bar, make("span", "bar-sum", `${shown(sum)} ${chart.unit}`));
      return line;
    });
    const figure = make("figure");
    figure.dataset.name = fileName(chart.title);
    figure.append(make("h3", "", chart.title), key, ...bars, ...(chart.note ? [make("p", "note", chart.note)] : []));
    takeable(figure, () => csvOf([["", ...chart.parts.map((part) => `${part} (${chart.unit})`)], ...chart.rows.map((row) => [row.name, ...row.values])]));
    place.replaceChildren(figure);
  };
  dark.addEventListener("change", () => chart && draw());
  return (next) => { chart = next; draw(); };
};
