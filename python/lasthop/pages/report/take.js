// Each chart of a page to take away: as SVG and PNG as they look now, and its numbers as CSV.
(() => {
  "use strict";
  const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "font-family", "text-anchor", "fill-opacity", "stroke-linecap", "stroke-linejoin", "vector-effect", "overflow"];
  const save = (name, content, type) => {
    const link = document.createElement("a"), url = content.startsWith?.("data:") ? content : URL.createObjectURL(new Blob([content], { type }));
    link.href = url;
    link.download = name;
    link.click();
    if (url.startsWith("blob:")) setTimeout(() => URL.revokeObjectURL(url), 1000);
  };

  // A picture of the figure: its SVGs where they stand, with the styles that they have, and what is written between them.
  const whole = (figure) => {
    const frame = figure.getBoundingClientRect(), space = figure.querySelector("svg").namespaceURI;
    const out = document.createElementNS(space, "svg");
    const back = getComputedStyle(document.body).backgroundColor;
    out.setAttribute("xmlns", space);
    out.setAttribute("width", frame.width);
    out.setAttribute("height", frame.height);
    out.innerHTML = `<rect width="100%" height="100%" fill="${back}"/>`;
    const styled = (from, to) => {
      const known = getComputedStyle(from);
      for (const each of STYLES) to.style.setProperty(each, known.getPropertyValue(each));
      [...from.children].forEach((child, at) => styled(child, to.children[at]));
    };
    for (const svg of figure.querySelectorAll("svg")) {
      if (svg.parentNode.closest("svg")) continue; // a part of another
      const copy = svg.cloneNode(true), box = svg.getBoundingClientRect();
      styled(svg, copy);
      const places = { x: box.left - frame.left, y: box.top - frame.top, width: box.width, height: box.height };
      for (const [key, value] of Object.entries(places)) copy.setAttribute(key, value);
      copy.style.overflow = "visible";
      out.append(copy);
    }
    for (const each of figure.querySelectorAll("figcaption, h4, .axis, .key > span")) {
      const box = each.getBoundingClientRect(), known = getComputedStyle(each), line = document.createElementNS(space, "text");
      const middle = known.textAlign === "center", mark = each.querySelector("svg")?.getBoundingClientRect().right + 6;
      line.textContent = each.innerText;
      line.setAttribute("x", (middle ? (box.left + box.right) / 2 : mark || box.left) - frame.left);
      line.setAttribute("y", box.top - frame.top + 0.8 * parseFloat(known.fontSize));
      line.setAttribute("style", `fill:${known.color};font:${known.fontWeight} ${known.fontSize} ${known.fontFamily.replaceAll('"', "'")};text-anchor:${middle ? "middle" : "start"}`);
      out.append(line);
    }
    return [new XMLSerializer().serializeToString(out), frame];
  };

  const png = (figure, name) => {
    const [text, { width, height }] = whole(figure), image = new Image(), canvas = document.createElement("canvas");
    image.onload = () => {
      canvas.width = 2 * width;
      canvas.height = 2 * height;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      save(`${name}.png`, canvas.toDataURL("image/png"));
    };
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  };

  // A figure that a script draws again gets its buttons from there.
  window.offerTaking = (figure, csv) => {
    const name = figure.dataset.name, bar = document.createElement("span");
    bar.className = "take";
    const button = (said, act) => {
      const each = document.createElement("button");
      each.type = "button";
      each.textContent = said;
      each.addEventListener("click", act);
      bar.append(each);
    };
    button("SVG", () => save(`${name}.svg`, whole(figure)[0], "image/svg+xml"));
    button("PNG", () => png(figure, name));
    button("CSV", () => save(`${name}.csv`, csv(), "text/csv"));
    figure.prepend(bar);
  };
  for (const figure of document.querySelectorAll("figure[data-name]"))
    window.offerTaking(figure, () => JSON.parse(figure.querySelector("script.csv").textContent));
})();
