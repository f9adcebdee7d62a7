// Sliders over values of a scenario: each edits the text. A lesson has its own; else the five keys that matter most.
"use strict";
const sliders = ((toml) => {
  const MOST = 5;
  // Keys by how much usually hangs on them, the first before all others, and what their values are. Each line has one slider.
  const KEYS = [
    [/(^|\.)stations$/, "count"], [/(^|\.)mcs$/, "scheme"], [/^(cell\.[^.]+\.|)phy\.rate$|^node\.[^.]+\.rate$/, "mode"],
    [/(^|\.)position$/, "place"],
    [/(^|\.)(loss|per|ber|ber_bad)$/, "share"], [/(^|\.)((short_|long_)?retry_limit)$/, "count"],
    [/(^|\.)packets$/, "count"], [/^(link|lan)\.[^.]+\.rate$/, "size"], [/^(link|lan)\.[^.]+\.delay$/, "time"],
    [/(^|\.)window$/, "size"], [/\.(payload|mss)$/, "size"], [/\.app\.rate$/, "size"], [/(^|\.)shadowing_db$/, "decibels"],
    [/(^|\.)exponent$/, "exponent"], [/(^|\.)mean_bad$/, "time"], [/(^|\.)mean_good$/, "time"], [/^flow\.[^.]+\.count$/, "count"],
    [/(^|\.)initial_window$/, "size"], [/(^|\.)hysteresis_db$/, "decibels"], [/(^|\.)ber_good$/, "share"],
  ];
  // Where the text has fewer of them, these are added; an empty text stands for the default.
  const MORE = [
    ["queue.packets", ["", "5", "10", "20", "50", "100", "200", "500", "1000"], /./],
    ["mac.retry_limit", ["", "1", "2", "3", "4", "7", "10", "15"], /\[\[cell\]\]/],
    ["tcp.initial_window", ["", '"1 packet"', '"2 packets"', '"4 packets"', '"10 packets"', '"20 packets"', '"40 packets"'], /\btcp\b|"bulk"/],
  ];
  const PLAIN = /^(["']?)\s*([0-9][0-9._]*(?:[eE][-+]?[0-9]+)?)\s*([^"']*?)\s*\1$/;
  // Units of which there is no half.
  const WHOLE = /^(|B|packets?|segments?)$/;
  // MCS of one stream, and rates in Mbps: IEEE 802.11-2020 and 802.11ax-2021.
  const SCHEMES = [[/"802\.11n"/, 7], [/"802\.11ac"/, 9], [/"802\.11ax"/, 11]];
  const OFDM = [6, 9, 12, 18, 24, 36, 48, 54];
  const RATES = [[/"802\.11"/, [1, 2]], [/"802\.11b"/, [1, 2, 5.5, 11]], [/"802\.11[ag]"/, OFDM]];

  const tidy = (value) => Number(value.toPrecision(2));
  const up = (values) => [...new Set(values)].sort((a, b) => a - b);
  // From a sixteenth to sixteen times a value, four steps to each doubling.
  const around = (value) => Array.from({ length: 33 }, (_, at) => at === 16 ? value : tidy(value * 2 ** ((at - 16) / 4)));
  const range = (from, to, step = 1) => Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);

  const GRIDS = {
    count: (value) => value <= 10 ? range(1, 20) : around(value).map(Math.round).filter((each) => each >= 1),
    size: (value, unit) => WHOLE.test(unit) ? around(value).map(Math.round).filter((each) => each >= 1) : around(value),
    time: (value) => value ? around(value) : [0, 1, 2, 5, 10, 20, 50, 100, 200],
    share: (value, unit) => (value ? around(value) : [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2])
      .filter((each) => each <= (unit === "%" ? 50 : 0.5)),
    decibels: (value) => range(0, Math.max(12, Math.ceil(2 * value))),
    exponent: (value) => range(15, 50).map((each) => each / 10).concat(value),
    mode: (_value, unit, text) => unit === "Mbps" && !/any_rate/.test(text) ? RATES.find(([standard]) => standard.test(text))?.[1] ?? [] : [],
    scheme: (_value, _unit, text) => range(0, SCHEMES.findLast(([standard]) => standard.test(text))?.[1] ?? 7),
  };

  // The values of a number, each written in its way.
  const numbers = (written, kind, text) => {
    const found = PLAIN.exec(written);
    if (!found) return null;
    const [, quote, number, given] = found, value = Number(number.replaceAll("_", ""));
    const unit = kind === "time" && !value ? "ms" : given;
    const grid = GRIDS[kind](value, unit, text);
    if (!grid.length) return null;
    const values = up([...grid, value]);
    return values.map((each) => each === value ? written : `${quote}${each}${unit && ` ${unit}`}${quote}`);
  };

  // A place, or a velocity, farther along the same line.
  const places = (written) => {
    let parts;
    try { parts = JSON.parse(written); } catch { return null; }
    const length = Math.hypot(...parts);
    if (!parts.every((each) => typeof each === "number") || !length) return null;
    return up([...around(length), length])
      .map((each) => each === length ? written : `[${parts.map((part) => Number((part * each / length).toPrecision(3))).join(", ")}]`);
  };

  // As many stations as the text names by their numbers.
  const leastStations = (text) => Math.max(1, ...[...text.matchAll(/"(?:sta|ss|host)(\d+)"/g)].map(([, number]) => Number(number)));

  const plain = (written) => written.replace(/^["']|["']$/g, "");
  const shownPlace = (written) => `${tidy(Math.hypot(...JSON.parse(written)))} m`;

  // [{ key, label, values, words, at }]: the texts that a key can have, how they are called, and which it has.
  const ofKeys = (text) => {
    const found = toml.named(text), chosen = [];
    // Who moves is a station: an access point that goes takes its cell along.
    const centres = found.filter(({ key }) => /\.(access_point|base_station)$/.test(key)).map(({ from, to }) => `node.${plain(text.slice(from, to))}.position`);
    // More stations would have no place.
    const placed = found.some(({ key }) => /^node\..*\.position$/.test(key)) && !found.some(({ key }) => key.endsWith(".placement"));
    for (const [pattern, kind] of KEYS) {
      for (const { key, path, from, to } of found.filter((each) => pattern.test(each.key))) {
        const written = text.slice(from, to), far = kind === "place";
        if (centres.includes(key)) continue;
        if (key.endsWith("stations") && placed) continue;
        const most = far ? places(written) : numbers(written, kind, text);
        const values = most?.filter((each) => !key.endsWith("stations") || Number(each) >= leastStations(text));
        if (!values || chosen.some((each) => each.key === key)) continue;
        const words = values.map(far ? shownPlace : plain);
        chosen.push({ key, label: far ? `distance of ${path.length > 2 ? key.split(".").at(-2) : key}` : key, values, words, at: values.indexOf(written) });
        break;
      }
      if (chosen.length === MOST) break;
    }
    const more = MORE.filter(([key, , fitting]) => fitting.test(text) && !chosen.some((each) => each.key === key) && toml.room(text, key));
    return [...chosen, ...more.map(([key, values]) => {
      const [there] = toml.meant(text, key), at = there ? values.indexOf(text.slice(there.from, there.to)) : 0;
      return { key, label: key, values, words: values.map((each) => plain(each) || "default"), at };
    })].slice(0, MOST);
  };
  const ofLesson = (text, controls) => controls.flatMap(({ key, label, values, words }) => {
    const [first] = toml.meant(text, key);
    if (!first) return [];
    const there = text.slice(first.from, first.to), same = (each) => each === there || Number(each) === Number(there);
    return [{ key, label, values, words, at: values.findIndex(same) }];
  });

  // Shows the sliders of a text in `parent`. `moved` is told a key and what is to stand in its place.
  const show = (parent, { make }, text, controls, moved) => {
    const all = controls ? ofLesson(text, controls) : ofKeys(text);
    parent.hidden = !all.length;
    parent.replaceChildren(...all.map(({ key, label, values, words, at }) => {
      const box = make("label", "slider"), name = make("span", "", label), said = make("output", "", words[at] ?? "");
      const slide = make("input");
      Object.assign(slide, { type: "range", min: 0, max: values.length - 1, step: 1, value: Math.max(0, at), title: key });
      slide.oninput = () => {
        said.textContent = words[slide.value];
        slide.setAttribute("aria-valuetext", words[slide.value]);
        moved(key, values[slide.value]);
      };
      slide.setAttribute("aria-valuetext", words[at] ?? "");
      box.append(name, said, slide);
      return box;
    }));
  };

  return { show, ofKeys, ofLesson };
})(typeof module === "undefined" ? toml : require("./toml.js").toml);
if (typeof module !== "undefined") module.exports = { sliders };
