// Sections of a figure that are alike, one at a time: a button for each, in place of its heading.
//
// Without a script all of them are there, each below its heading, and so they are in print.
for (const figure of document.querySelectorAll("figure.what")) {
  const sections = [...figure.querySelectorAll(":scope > section")];
  if (sections.length < 2) continue;
  const bar = document.createElement("div");
  bar.className = "tabs";
  bar.setAttribute("role", "tablist");
  const show = (at) => sections.forEach((each, number) => {
    each.hidden = number !== at;
    bar.children[number].setAttribute("aria-selected", number === at);
    bar.children[number].tabIndex = number === at ? 0 : -1;
  });
  sections.forEach((section, at) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.setAttribute("role", "tab");
    section.setAttribute("role", "tabpanel");
    tab.textContent = section.getAttribute("aria-label");
    tab.addEventListener("click", () => show(at));
    tab.addEventListener("keydown", ({ key }) => {
      const next = { ArrowRight: at + 1, ArrowLeft: at - 1 + sections.length }[key];
      if (next === undefined) return;
      show(next % sections.length);
      bar.children[next % sections.length].focus();
    });
    bar.append(tab);
  });
  sections[0].before(bar);
  show(0);
}
