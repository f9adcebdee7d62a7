// The settings of a paper's claims as tables, from the numbers that their charts have: thousands of rows weigh little so.
(() => {
  "use strict";
  const shown = (value) => (value == null ? "-" : value.toLocaleString("en", { minimumSignificantDigits: 3, maximumSignificantDigits: 3 }).replace("-", "−"));
  const make = (tag, name, ...inside) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...inside);
    return element;
  };
  const row = (tag, cells) => make("tr", "", ...cells.map((cell, at) => make(tag, at ? "" : "words", cell)));
  const table = (rows) => {
    const hasPrinted = rows.some(([, , , , , , , , printed]) => printed != null), [, unit] = rows[0];
    const head = ["setting", unit === "ratio" ? unit : unit === "1" ? "mean" : `mean, ${unit}`, "simultaneous interval", ...(hasPrinted ? ["printed"] : []), "outcome"];
    const body = rows.map(([, , compared, outcome, setting, value, low, high, printed]) => [
      [compared, setting].filter(Boolean).join("; "), shown(value), low == null && high == null ? "-" : `${shown(low)} to ${shown(high)}`,
      ...(hasPrinted ? [shown(printed)] : []), outcome,
    ]);
    const place = make("div", "scroll", make("table", "", make("thead", "", row("th", head)), make("tbody", "", ...body.map((cells) => row("td", cells)))));
    place.tabIndex = 0;
    return place;
  };
  for (const claim of document.querySelectorAll("section.claim")) {
    const [, ...rows] = rowsOf(JSON.parse(claim.querySelector("script.numbers").textContent));
    for (const title of claim.querySelectorAll("h4[data-part]")) {
      const own = rows.filter(([part]) => part === title.dataset.part);
      if (own.length) title.nextElementSibling.after(table(own));
    }
  }
})();
