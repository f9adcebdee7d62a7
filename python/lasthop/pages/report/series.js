// Time series: one uPlot for each chart, with one cursor and one zoom for all.
//
// timeCharts(place, palettes) returns a function that shows {times, charts} in `place`, again in place of what it showed
// before. A chart has a title, a unit and lines of {name, values, dash, colour}, where colour is a place among the colours;
// by default each line has the next. Palettes are lists of colours, {light, dark}.
// `marks`, where there are any, are instants {at, text} that every chart shows. A chart with a `kind` is drawn by
// timeKinds[kind](chart, tools), which returns what it wants otherwise than a chart of lines.
const timeKinds = {};

// In place of a legend: above a chart the names of its lines in their colours, each with its value where the cursor is,
// the last with the place of the cursor in `unit`, if it is given. plotOf() returns the chart once it is there.
const chartHead = (chart, tones, plotOf, unit) => {
  "use strict";
  const shown = (value) => value == null ? "–" : String(+value.toPrecision(4));
  const head = document.createElement("div"), title = document.createElement("h3");
  head.className = "head";
  title.textContent = chart.unit ? `${chart.title}, ${chart.unit}` : chart.title;
  head.append(title);
  const reads = chart.lines.map((line, at) => {
    const name = document.createElement("button"), read = document.createElement("span");
    name.type = "button";
    name.textContent = line.dash ? `- - ${line.name}` : line.name;
    name.title = "hide or show";
    name.style.color = tones[at];
    name.addEventListener("click", () => {
      const plot = plotOf(), show = !plot.series[at + 1].show;
      plot.setSeries(at + 1, { show });
      name.setAttribute("aria-pressed", show);
    });
    read.className = "reads";
    head.append(name, read);
    return read;
  });
  return { head, read: (plot) => reads.forEach((each, at) => {
    const { idx } = plot.cursor;
    each.textContent = idx == null ? "" : shown(plot.data[at + 1][idx]);
    if (unit && at === reads.length - 1 && idx != null) each.textContent += ` at ${shown(plot.data[0][idx])} ${unit}`;
  }) };
};

const timeCharts = (place, palettes) => {
  "use strict";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let times = [], charts = [], marks = [], whole = null, zoom = null, plots = [], busy = false;

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // A zoom in one chart is a zoom in all.
  const follow = (plot, key) => {
    if (key !== "x" || busy || !plots.includes(plot)) return;
    busy = true;
    zoom = { min: plot.scales.x.min, max: plot.scales.x.max };
    for (const other of plots) if (other !== plot) other.setScale("x", zoom);
    busy = false;
  };

  const axis = (label, size) => ({
    label, size, labelSize: 20, labelGap: 0, labelFont: "12px system-ui", font: "12px system-ui",
    stroke: css("--soft"), grid: { stroke: css("--line"), width: 1 }, ticks: { stroke: css("--line"), width: 1 },
  });

  // With enough decimals that no two are alike.
  const instantsOf = (_, splits, __, ___, step) => splits.map((time) => String(+time.toFixed(Math.max(1 - Math.floor(Math.log10(step)), 0))));

  const options = (chart, first, last, read) => {
    const colours = palettes[dark.matches ? "dark" : "light"], tones = colouring(chart);
    const lines = chart.lines.map((line, at) => {
      const own = { label: line.name, stroke: tones[at], width: line.dash ? 1.2 : 1.6 };
      return { ...own, dash: line.dash ? [6, 4] : undefined, points: { show: false } };
    });
    const instants = (plot) => {
      const { ctx, bbox } = plot, scale = devicePixelRatio;
      ctx.save();
      ctx.strokeStyle = ctx.fillStyle = css("--soft");
      ctx.font = `${11 * scale}px system-ui`;
      ctx.textAlign = "left";
      ctx.textBaseline = "alphabetic";
      ctx.setLineDash([3 * scale, 3 * scale]);
      for (const mark of marks) {
        const x = plot.valToPos(mark.at, "x", true);
        if (x < bbox.left || x > bbox.left + bbox.width) continue;
        ctx.beginPath(); ctx.moveTo(x, bbox.top); ctx.lineTo(x, bbox.top + bbox.height); ctx.stroke();
        if (first) ctx.fillText(mark.text, x + 4 * scale, bbox.top + 11 * scale);
      }
      ctx.restore();
    };
    const bottom = (_, low, high) => [Math.min(0, low ?? 0), high > 0 ? high * 1.06 : 1];
    const own = chart.kind ? timeKinds[chart.kind](chart, { css, colours }) : {};
    const base = {
      width: place.clientWidth, height: place.clientWidth < 600 ? 190 : 230, padding: [8, 12, 0, 0],
      legend: { show: false },
      cursor: { sync: { key: "time" }, drag: { x: true, y: false } },
      scales: { x: { time: false }, y: { range: bottom } },
      axes: [{ ...axis(last ? "s" : "", last ? 46 : 28), values: instantsOf }, axis("", 52)],
      series: [{}, ...lines],
    };
    const hooks = { ...own.hooks, setCursor: [read, ...(own.hooks?.setCursor ?? [])], setScale: [follow], draw: [instants, ...(own.hooks?.draw ?? [])] };
    const axes = base.axes.map((each, at) => ({ ...each, ...own.axes?.[at] }));
    return { ...base, ...own, axes, hooks, scales: { ...base.scales, ...own.scales } };
  };

  const colouring = (chart) => {
    const colours = palettes[dark.matches ? "dark" : "light"];
    let colour = -1;
    return chart.lines.map((line) => {
      if (!line.dash || colour < 0) colour += 1;
      return colours[(line.colour ?? colour) % colours.length];
    });
  };

  // A chart in `inside`, without the lines that are switched off.
  const plotted = (chart, number, inside, read, off) => {
    const data = [times, ...chart.lines.map((line) => line.values)];
    if (chart.kind) data.push(times.map(() => null));
    const plot = new uPlot(options(chart, number === 0, number === charts.length - 1, read), data, inside);
    off.forEach((at) => plot.setSeries(at, { show: false }));
    plot.setScale("x", zoom);
    return plot;
  };
  const hiddenOf = (plot) => (plot ? plot.series.flatMap((each, at) => (each.show === false ? [at] : [])) : []);
  const rowsOfChart = (chart) => {
    const unit = chart.unit ? ` (${chart.unit})` : "";
    return [["time (s)", ...chart.lines.map((line) => line.name + unit)], ...times.map((time, at) => [time, ...chart.lines.map((line) => line.values[at])])];
  };

  const draw = () => {
    const hidden = plots.map(hiddenOf);
    place.replaceChildren();
    busy = true;
    plots = charts.map((chart, number) => {
      const { head, read } = chartHead(chart, colouring(chart), () => plots[number], number === 0 ? "s" : ""), figure = document.createElement("figure"), off = hidden[number] || [];
      figure.dataset.name = fileName(chart.title);
      figure.append(head);
      place.append(figure);
      const plot = plotted(chart, number, figure, read, off);
      off.forEach((at) => head.querySelectorAll("button")[at - 1]?.setAttribute("aria-pressed", false));
      plot.over.addEventListener("dblclick", () => plot.setScale("x", whole));
      figure.traced = () => traced((inside) => plotted(chart, number, inside, () => {}, hiddenOf(plot)));
      takeable(figure, () => csvOf(plot.rows ? plot.rows() : rowsOfChart(chart)));
      return plot;
    });
    busy = false;
  };

  let width = 0;
  const fit = () => {
    if (place.clientWidth !== width) { width = place.clientWidth; draw(); }
  };
  new ResizeObserver(() => requestAnimationFrame(fit)).observe(place);
  dark.addEventListener("change", draw);

  return (series) => {
    // What was looked at closely stays so, as long as there is as much of it.
    const next = { min: series.times[0], max: series.times[series.times.length - 1] };
    if (!whole || next.min !== whole.min || next.max !== whole.max) zoom = next;
    ({ times, charts } = series);
    marks = series.marks ?? [];
    whole = next;
    width = place.clientWidth;
    draw();
  };
};
