// An editor of scenarios: a plain text area, and behind it the same text in colour with what is wrong marked in place.
"use strict";
const editor = (() => {
  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    return made;
  };

  // Tokens in colour; a key is a word before an equals sign.
  const coloured = (text) => {
    const found = toml.tokens(text), parts = document.createDocumentFragment();
    found.forEach((token, at) => {
      let kind = token.kind;
      if (kind === "word") {
        const next = found.slice(at + 1).find((each) => each.kind !== "space");
        kind = next?.text === "=" ? "key" : "value";
      }
      parts.append(["space", "line", "mark"].includes(kind) ? token.text : make("span", `t-${kind}`, token.text));
    });
    return parts;
  };

  const place = (parent, schema, changed) => {
    const area = parent.querySelector("textarea"), paint = parent.querySelector(".paint");
    const gutter = parent.querySelector(".gutter"), list = parent.querySelector(".offers"), help = parent.querySelector(".help");
    let errors = [], offered = null, chosen = 0;

    const rows = () => area.value.split("\n");
    const size = () => {
      const style = getComputedStyle(area), probe = make("span", "", "0".repeat(50));
      paint.append(probe);
      const wide = probe.getBoundingClientRect().width / 50;
      probe.remove();
      return { wide, high: parseFloat(style.lineHeight), left: parseFloat(style.paddingLeft), top: parseFloat(style.paddingTop) };
    };

    const scroll = () => {
      paint.style.transform = `translate(${-area.scrollLeft}px, ${-area.scrollTop}px)`;
      gutter.firstChild.style.transform = `translateY(${-area.scrollTop}px)`;
    };

    // The errors of a line stand behind it, and their places are underlined.
    const mark = (found) => {
      const { wide, high, left, top } = size(), lines = rows(), told = new Map();
      for (const { line, column, length, message } of found) {
        const row = lines[line - 1] ?? "", under = make("span", "wrong");
        const columns = length || Math.max(1, row.trimEnd().length - column + 1);
        under.style.cssText = `left:${left + (column - 1) * wide}px;top:${top + (line - 1) * high}px;width:${columns * wide}px;height:${high}px`;
        paint.append(under);
        told.set(line, [...told.get(line) || [], message]);
      }
      for (const [line, messages] of told) {
        const said = make("span", "said", messages.join(" · "));
        const x = left + ((lines[line - 1] ?? "").length + 2) * wide;
        said.style.cssText = `left:${x}px;top:${top + (line - 1) * high}px;height:${high}px`;
        said.title = messages.join("\n");
        paint.append(said);
      }
    };

    const draw = () => {
      paint.replaceChildren(coloured(area.value + "\n"));
      mark(errors);
      const wrong = new Set(errors.map((each) => each.line));
      const numbers = make("div");
      rows().forEach((_, at) => numbers.append(make("div", wrong.has(at + 1) ? "bad" : "", String(at + 1))));
      gutter.replaceChildren(numbers);
      scroll();
    };

    const explain = () => {
      const found = completion.meaning(schema(), area.value, area.selectionStart);
      help.replaceChildren();
      if (found) help.append(make("code", "", found.name), ` ${found.about}`);
      else help.append("Press Ctrl+Space for completions. Help for the current key appears here.");
    };

    const close = () => { offered = null; list.hidden = true; };
    const choose = (to) => {
      chosen = (to + offered.found.length) % offered.found.length;
      [...list.children].forEach((each, at) => each.setAttribute("aria-selected", at === chosen));
      list.children[chosen].scrollIntoView({ block: "nearest" });
    };
    const accept = (at = chosen) => {
      const { from, found } = offered, { text, more = "" } = found[at];
      const closing = /^["']/.test(text) && area.value[area.selectionStart] === text[0] ? 1 : 0;
      area.setSelectionRange(from, area.selectionStart + closing);
      insert(text + more);
      close();
      area.focus();
      if (more === " = ") open(true);
    };
    // By the browser's own way where there is one, so that it can be undone.
    const insert = (text) => {
      area.focus();
      if (!document.execCommand?.("insertText", false, text)) {
        area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
        area.dispatchEvent(new Event("input"));
      }
    };

    const open = (asked) => {
      const at = area.selectionStart;
      const found = at === area.selectionEnd ? completion.offers(schema(), area.value, at) : { found: [] };
      if (!found.found.length || (!asked && at - found.from < 1)) return close();
      offered = found;
      list.replaceChildren(...found.found.map((each, number) => {
        const option = make("li");
        option.setAttribute("role", "option");
        option.append(make("code", "", each.text.trim()), make("span", "soft", each.about));
        option.onpointerdown = (event) => { event.preventDefault(); accept(number); };
        return option;
      }));
      const { wide, high, left, top } = size(), before = area.value.slice(0, found.from).split("\n");
      const x = left + before.at(-1).length * wide - area.scrollLeft, y = top + before.length * high - area.scrollTop;
      list.hidden = false;
      list.style.left = `${Math.max(0, Math.min(x, area.clientWidth - list.offsetWidth))}px`;
      // Below the line, or above it where there is more room; as high as the room at most.
      const below = area.clientHeight - y, over = y - high;
      list.style.maxHeight = `min(13rem, ${Math.max(below, over)}px)`;
      const above = list.offsetHeight > below && over > below;
      list.style.top = `${above ? y - high - list.offsetHeight : y}px`;
      choose(0);
      return undefined;
    };

    area.addEventListener("input", () => {
      errors = [];
      draw();
      explain();
      changed();
      open(false);
    });
    area.addEventListener("scroll", () => { scroll(); close(); });
    area.addEventListener("blur", close);
    document.addEventListener("selectionchange", () => { if (document.activeElement === area) explain(); });
    area.addEventListener("pointerdown", close);
    area.addEventListener("keydown", (event) => {
      const { key } = event;
      if (key === " " && (event.ctrlKey || event.metaKey)) open(true);
      else if (!offered) return;
      else if (key === "ArrowDown") choose(chosen + 1);
      else if (key === "ArrowUp") choose(chosen - 1);
      else if (key === "Enter" || key === "Tab") accept();
      else if (key === "Escape") close();
      else {
        if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(key)) close();
        return;
      }
      event.preventDefault();
    });

    return {
      text: () => area.value,
      write: (text) => { area.value = text; errors = []; area.scrollTop = area.scrollLeft = 0; draw(); explain(); close(); },
      // Changes a part of the text and tells nobody.
      replace: (from, to, text) => { area.setRangeText(text, from, to, "preserve"); errors = []; draw(); },
      errors: (found) => { errors = found.filter((each) => each.line); draw(); },
      go: (line, column) => {
        const at = rows().slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0) + column - 1;
        area.focus();
        area.setSelectionRange(at, at);
        area.scrollTop = (line - 4) * size().high;
      },
      redraw: draw,
    };
  };

  return { place, make };
})();
