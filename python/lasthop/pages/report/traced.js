// A chart of uPlot as SVG: uPlot draws it once more, onto a context that writes down what it is told to draw.
//
// traced(make) returns a promise of the SVG; make(place) builds the chart in an element that is in no page.
const traced = (() => {
  "use strict";
  const real = HTMLCanvasElement.prototype.getContext, path = window.Path2D;
  const digits = (number) => +number.toFixed(1);

  class Steps {
    constructor(from) { this.d = from?.d ?? ""; }
    moveTo(x, y) { this.d += `M${digits(x)} ${digits(y)}`; }
    lineTo(x, y) { this.d += `${this.d ? "L" : "M"}${digits(x)} ${digits(y)}`; } // a path that begins with a line begins there
    rect(x, y, width, height) { this.d += `M${digits(x)} ${digits(y)}h${digits(width)}v${digits(height)}h${digits(-width)}z`; }
    closePath() { this.d += "z"; }
  }

  const ANCHORS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };
  const BELOW = { top: 0.8, middle: 0.35, bottom: -0.2, alphabetic: 0 }; // the baseline under `textBaseline`, in font sizes

  // What uPlot and our own marks use of a canvas' context.
  class Context {
    constructor(canvas) {
      Object.assign(this, { canvas, parts: [], clips: 0, kept: [], ruler: real.call(document.createElement("canvas"), "2d") });
      Object.assign(this, { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, font: "10px sans-serif", textAlign: "start", textBaseline: "alphabetic", globalAlpha: 1 });
      Object.assign(this, { dash: [], turn: "", path: new Steps(), within: "" });
    }
    save() {
      const { fillStyle, strokeStyle, lineWidth, font, textAlign, textBaseline, globalAlpha, dash, turn, within } = this;
      this.kept.push({ fillStyle, strokeStyle, lineWidth, font, textAlign, textBaseline, globalAlpha, dash, turn, within });
    }
    restore() { Object.assign(this, this.kept.pop()); }
    translate(x, y) { if (x || y) this.turn += `translate(${digits(x)} ${digits(y)})`; }
    rotate(angle) { if (angle) this.turn += `rotate(${digits((angle * 180) / Math.PI)})`; }
    setLineDash(dash) { this.dash = dash; }
    beginPath() { this.path = new Steps(); }
    moveTo(x, y) { this.path.moveTo(x, y); }
    lineTo(x, y) { this.path.lineTo(x, y); }
    rect(...box) { this.path.rect(...box); }
    measureText(text) { this.ruler.font = this.font; return this.ruler.measureText(text); }
    clearRect() { this.parts = []; }
    clip(path = this.path) {
      const id = `within-${this.clips++}`;
      this.parts.push(`<clipPath id="${id}"><path d="${path.d}"/></clipPath>`);
      this.within = id;
    }
    put(name, looks, text = "") {
      const more = { ...(this.turn && { transform: this.turn }), ...(this.globalAlpha < 1 && { opacity: this.globalAlpha }) };
      const said = Object.entries({ ...looks, ...more }).map(([key, value]) => `${key}="${String(value).replaceAll('"', "'")}"`).join(" ");
      const made = `<${name} ${said}>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</${name}>`;
      this.parts.push(this.within ? `<g clip-path="url(#${this.within})">${made}</g>` : made);
    }
    fillRect(x, y, width, height) {
      if (width > 0 && height > 0) this.put("rect", { x: digits(x), y: digits(y), width: digits(width), height: digits(height), fill: this.fillStyle });
    }
    fill(path = this.path) { if (path.d) this.put("path", { d: path.d, fill: this.fillStyle }); }
    stroke(path = this.path) {
      const dashes = this.dash.length ? { "stroke-dasharray": this.dash.join(" ") } : {};
      if (path.d) this.put("path", { d: path.d, fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth, "stroke-linejoin": "round", ...dashes });
    }
    fillText(text, x, y) {
      const size = parseFloat(/([\d.]+)px/.exec(this.font)[1]), under = y + BELOW[this.textBaseline] * size;
      this.put("text", { x: digits(x), y: digits(under), style: `font:${this.font}`, fill: this.fillStyle, "text-anchor": ANCHORS[this.textAlign] }, String(text));
    }
  }

  const draw = async (make) => {
    let context = null, plot = null;
    // uPlot draws when what runs now has ended, before anything else of the page can run.
    HTMLCanvasElement.prototype.getContext = function () { return (context ??= new Context(this)); };
    window.Path2D = Steps;
    try {
      plot = make(document.createElement("div"));
      for (let turn = 0; turn < 4; turn++) await null;
    } finally {
      HTMLCanvasElement.prototype.getContext = real;
      window.Path2D = path;
      plot?.destroy();
    }
    const place = document.createElement("div"), { width, height } = context.canvas;
    place.innerHTML = `<svg viewBox="0 0 ${width} ${height}">${context.parts.join("")}</svg>`;
    return place.firstChild;
  };

  // One after the other: each has the page's contexts for itself.
  let last = Promise.resolve();
  return (make) => (last = last.then(() => draw(make), () => draw(make)));
})();
