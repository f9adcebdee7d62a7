// A lesson: controls over runs that were made before. The cells of the study are in the order of its axes, the last fastest.
(() => {
  "use strict";
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const { controls, curves, series, questions } = read("shown");
  const at = controls.map((control) => control.begin);
  const showRun = timeCharts(document.getElementById("charts"), read("colours"));

  const cell = (place) => controls.reduce((sum, each, i) => sum * each.values.length + (i in place ? place[i] : at[i]), 0);
  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const drawn = (name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const digits = (value) => value == null ? "–" : String(+value.toPrecision(3));

  // The last control is a slider, the others are choices.
  const form = document.getElementById("controls");
  controls.forEach((control, i) => {
    if (i < controls.length - 1) {
      const choices = control.values.map((words, k) => {
        const input = element("input", { type: "radio", name: `c${i}`, value: k, ...(k === control.begin ? { checked: "" } : {}) });
        input.addEventListener("change", () => { at[i] = k; show(); });
        return element("label", {}, input, ` ${words}`);
      });
      form.append(element("fieldset", {}, element("legend", {}, control.label), element("div", { class: "choices" }, ...choices)));
      return;
    }
    const output = element("output", {}, control.values[control.begin]);
    const input = element("input", { type: "range", min: 0, max: control.values.length - 1, step: 1, value: control.begin, id: "slider", "aria-valuetext": control.values[control.begin] });
    input.addEventListener("input", () => {
      at[i] = +input.value;
      output.textContent = control.values[at[i]];
      input.setAttribute("aria-valuetext", control.values[at[i]]);
      show();
    });
    form.append(element("div", {}, element("label", { class: "slider", for: "slider" }, `${control.label}: `, output), input));
  });
  form.addEventListener("submit", (event) => event.preventDefault());

  // A metric over the slider, at the other controls' settings. The axis is the same whatever they are set to.
  const WIDTH = 340, HEIGHT = 210, LEFT = 62, RIGHT = 12, TOP = 12, BOTTOM = 50;
  const curve = (each) => {
    const last = controls.length - 1, words = controls[last].values;
    const most = Math.max(...each.means.map((mean, k) => (mean ?? 0) + (each.halves[k] ?? 0))) || 1;
    const x = (k) => LEFT + (WIDTH - LEFT - RIGHT) * (words.length > 1 ? (k + 0.5) / words.length : 0.5);
    const y = (value) => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * Math.max(0, value) / (most * 1.04);
    const here = words.map((_, k) => cell({ [last]: k }));
    const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": each.title });
    const step = 10 ** Math.floor(Math.log10(most)) * (most / 10 ** Math.floor(Math.log10(most)) > 4 ? 2 : most / 10 ** Math.floor(Math.log10(most)) > 2 ? 1 : 0.5);
    for (let tick = 0; tick <= most * 1.04; tick += step) {
      svg.append(drawn("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick), stroke: "var(--line)" }));
      svg.append(drawn("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end", "font-size": 11, fill: "var(--soft)" }, digits(tick)));
    }
    words.forEach((text, k) => {
      if (words.length > 5 && k % 2 && k !== words.length - 1 && k !== at[last]) return;
      svg.append(drawn("text", { x: x(k), y: HEIGHT - 32, "text-anchor": "middle", "font-size": 11, fill: k === at[last] ? "var(--ink)" : "var(--soft)", "font-weight": k === at[last] ? 700 : 400 }, text));
    });
    const title = { "text-anchor": "middle", "font-size": 11, fill: "var(--soft)" };
    svg.append(drawn("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 10, ...title }, controls[last].label));
    svg.append(drawn("text", { transform: `translate(14 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)`, ...title }, each.axis));
    const known = here.map((c, k) => [k, c]).filter(([, c]) => each.means[c] != null);
    svg.append(drawn("polyline", { points: known.map(([k, c]) => `${x(k)},${y(each.means[c])}`).join(" "), fill: "none", stroke: "var(--link)", "stroke-width": 1.6 }));
    for (const [k, c] of known) {
      const mean = each.means[c], half = each.halves[c] ?? 0;
      svg.append(drawn("line", { x1: x(k), x2: x(k), y1: y(mean - half), y2: y(mean + half), stroke: "var(--link)", "stroke-width": 2.4, opacity: 0.55 }));
      svg.append(drawn("circle", { cx: x(k), cy: y(mean), r: k === at[last] ? 5.5 : 3.2, fill: k === at[last] ? "var(--link)" : "var(--page)", stroke: "var(--link)", "stroke-width": 1.6 }));
    }
    const now = cell({}), half = each.halves[now];
    const unit = each.unit ? ` ${each.unit}` : "";
    const value = element("b", {}, `${digits(each.means[now])}${half ? ` ± ${+half.toPrecision(2)}` : ""}${unit}`);
    const figure = element("figure", { "data-name": fileName(each.title) }, element("figcaption", {}, `${each.title}: `, value), svg);
    takeable(figure, () => csvOf([[controls[last].label, each.axis, "half of the 95 % interval"], ...known.map(([k, c]) => [words[k], each.means[c], each.halves[c]])]));
    return figure;
  };

  const show = () => {
    document.getElementById("curves").replaceChildren(...curves.map(curve));
    showRun(series[cell({})]);
  };
  show();

  // A question is right or wrong when it is checked; the numbers behind its answer come from the same runs.
  document.querySelectorAll("form.question").forEach((asked, n) => {
    const { choices, right, because, ...bounds } = questions[n];
    asked.addEventListener("submit", (event) => {
      event.preventDefault();
      const given = new FormData(asked).get("answer");
      if (given == null || given === "") return;
      const value = +String(given).replace(",", ".");
      const good = choices ? right.includes(value) : value >= bounds.from && value <= bounds.to;
      const answer = choices ? right.map((k) => choices[k]).join(", or ") : String(right);
      const told = asked.querySelector("output");
      told.className = good ? "better" : "worse";
      told.textContent = `${good ? "✓ Right" : "✕ No"}: ${answer} (${because}).`;
    });
  });
})();
