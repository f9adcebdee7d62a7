// Each chart of a page to take away: SVG and PNG as it looks now, and its numbers as CSV.
//
// takeable(figure, csv) puts the buttons into a figure with a `data-name`; csv() returns the text. Figures whose numbers
// the page holds (script.numbers) get theirs here, figures that a script draws from that script. Of a figure with a canvas
// `figure.traced()` is a promise of that canvas as an SVG (traced.js); `data-axis` selects an axis that it shares.
const csvOf = (rows) => {
  "use strict";
  // A text that begins so would be run as a formula by spreadsheets (OWASP, CSV injection).
  const cell = (text) => `"${/^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? "'" : ""}${text.replaceAll('"', '""')}"`;
  return rows.map((row) => `${row.map((value) => (typeof value === "string" ? cell(value) : value ?? "")).join(",")}\n`).join("");
};

// The rows of a table that `lasthop.pages.figures.takeaway` has packed.
const rowsOf = ({ head, blocks, words = JSON.parse(document.getElementById("words")?.textContent ?? "[]") }) => [head, ...blocks.flatMap(([same, count, columns]) =>
  [...Array(count).keys()].map((at) => [...same, ...columns.map((column) => (column?.words ? words[column.words[at]] : column?.[at]))]))];

const takeable = (() => {
  "use strict";
  const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "font-family", "text-anchor", "fill-opacity", "stroke-linecap", "stroke-linejoin", "vector-effect", "overflow"];
  // A page has no address in it, also not that of this namespace.
  const SPACE = Object.assign(document.createElement("p"), { innerHTML: "<svg/>" }).firstChild.namespaceURI;
  const save = (name, address) => {
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
  };
  const saveText = (name, text, type) => {
    const address = URL.createObjectURL(new Blob([text], { type }));
    save(name, address);
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  const within = (box, frame) => ({ x: box.left - frame.left, y: box.top - frame.top, width: box.width, height: box.height });

  const styled = (from, to) => {
    const known = getComputedStyle(from);
    for (const each of STYLES) to.style.setProperty(each, known.getPropertyValue(each));
    [...from.children].forEach((child, at) => styled(child, to.children[at]));
  };
  const put = (made, places) => {
    for (const [key, value] of Object.entries(places)) made.setAttribute(key, value);
    return made;
  };
  const element = (name, places) => put(document.createElementNS(SPACE, name), places);
  const drawing = (svg) => {
    const copy = svg.cloneNode(true);
    styled(svg, copy);
    copy.style.overflow = "visible";
    return copy;
  };

  // What is written, line by line as it is broken now.
  const written = (node, frame) => {
    const range = document.createRange(), lines = [], known = getComputedStyle(node.parentNode);
    for (const word of node.data.matchAll(/\S+/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const box = range.getBoundingClientRect(), last = lines.at(-1);
      if (!box.width) continue;
      if (last && Math.abs(last.box.top - box.top) < 2) last.words.push(word[0]);
      else lines.push({ box, words: [word[0]] });
    }
    return lines.map(({ box, words }) => {
      const x = box.left - frame.left, y = (box.top + box.bottom) / 2 - frame.top + 0.35 * parseFloat(known.fontSize);
      const line = element("text", { x, y });
      line.textContent = words.join(" ");
      line.setAttribute("style", `fill:${known.color};font:${known.fontWeight} ${known.fontSize} ${known.fontFamily.replaceAll('"', "'")}`);
      return line;
    });
  };

  // A figure as one SVG: boxes and words of HTML, its SVGs and its canvases, all where they are now.
  const whole = async (figure, asPicture) => {
    const frame = figure.getBoundingClientRect(), { width, height } = frame, out = element("svg", { width, height });
    out.append(element("rect", { width, height, fill: getComputedStyle(document.body).backgroundColor }));
    const add = async (node) => {
      if (node.nodeType === Node.TEXT_NODE) out.append(...written(node, frame));
      if (node.nodeType !== Node.ELEMENT_NODE || node.matches(".take, script, style, details")) return;
      const places = within(node.getBoundingClientRect(), frame), { backgroundColor: fill } = getComputedStyle(node);
      if (node.matches("svg")) out.append(put(drawing(node), places));
      else if (node.matches("canvas"))
        out.append(asPicture ? element("image", { ...places, href: node.toDataURL() }) : put(await figure.traced(), places));
      else {
        if (!/^rgba.*, 0\)$/.test(fill) && places.width) out.append(element("rect", { ...places, fill }));
        const { borderBottomWidth, borderBottomColor: stroke } = getComputedStyle(node), y = places.y + places.height;
        if (parseFloat(borderBottomWidth) && places.width) out.append(element("line", { x1: places.x, x2: places.x + places.width, y1: y, y2: y, stroke }));
        for (const child of node.childNodes) await add(child);
      }
    };
    for (const child of figure.childNodes) await add(child);
    // An axis that figures share is once on the page: each takes it along, at its foot.
    const axis = document.querySelector(figure.dataset.axis || "svg.none");
    const box = axis?.getBoundingClientRect(), full = height + (box?.height ?? 0);
    if (axis) out.append(put(drawing(axis), { ...within(box, frame), y: height }));
    for (const each of [out, out.firstChild]) each.setAttribute("height", full);
    return [new XMLSerializer().serializeToString(out), { width, height: full }];
  };

  const png = async (figure, name) => {
    const [text, { width, height }] = await whole(figure, true), image = new Image(), canvas = document.createElement("canvas");
    image.onload = () => {
      canvas.width = 2 * width;
      canvas.height = 2 * height;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      save(`${name}.png`, canvas.toDataURL("image/png"));
    };
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  };

  return (figure, csv) => {
    const { name } = figure.dataset, bar = document.createElement("span");
    bar.className = "take";
    const button = (said, act) => {
      const each = document.createElement("button");
      each.type = "button";
      each.textContent = said;
      each.addEventListener("click", act);
      bar.append(each);
    };
    button("SVG", async () => saveText(`${name}.svg`, (await whole(figure))[0], "image/svg+xml"));
    button("PNG", () => png(figure, name));
    button("CSV", () => saveText(`${name}.csv`, csv(), "text/csv"));
    figure.prepend(bar);
  };
})();

// The name of a chart's files: that of the page and its own, in letters that no file system refuses.
const fileName = (title) => `${document.title.split(":")[0]} ${title}`.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");

for (const figure of document.querySelectorAll("figure[data-name]"))
  takeable(figure, () => csvOf(rowsOf(JSON.parse(figure.querySelector(":scope > script.numbers").textContent))));
