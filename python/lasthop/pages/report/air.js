// Who holds a medium: a lane for each station. From afar the shares of each step; near enough, single frames.
// The chart's numbers are those of the crate `panels` (air.rs and bursts.rs). It stands among the time charts of series.js.

// What is particular to a medium: its uses (of shares), the key below the chart, and of a single frame its tone, its label
// where there is room for one, and what is said of it.
const airMedia = (() => {
  "use strict";
  const KINDS = ["data", "management", "RTS", "CTS", "ACK", "block ack", "block ack request", "CF-End"];
  const CATEGORIES = [["", ""], ["BK", "background"], ["BE", "best effort"], ["VI", "video"], ["VO", "voice"]];
  const FATES = ["answered", "no answer, and another frame was on the air", "no answer, alone on the air", ""];
  const micro = (time) => `${+(time / 10).toFixed(1)} µs`;

  // The MPDUs of each frame: when each begins and ends, in shares of the PPDU's payload, its bytes, whether it was lost, and sent before.
  const mpdusOf = ({ bytes, runs, mpdus }) => {
    if (!runs) return null;
    let sum = 0;
    const first = runs.map((count) => (sum += count) - count);
    return (i) => {
      const all = [];
      let sent = 0;
      for (let run = first[i]; run < first[i] + runs[i]; run++) {
        const [count, size, bits] = mpdus.slice(3 * run, 3 * run + 3);
        for (let n = 0; n < count; n++) { // padded to four, and a delimiter of four before each
          const begins = Math.ceil(sent / 4) * 4;
          sent = begins + 4 + size;
          all.push({ begins: begins / bytes[i], ends: Math.min(sent / bytes[i], 1), bytes: size, lost: !!(bits & 1), again: !!(bits & 2) });
        }
      }
      return all;
    };
  };

  const wifi = ({ frames, names }, { good, bad, lost, answer, strips }) => {
    const mpdus = mpdusOf(frames), short = (i) => (frames.category ? CATEGORIES[frames.category[i]][0] : "");
    const told = (all) => {
      const gone = all.filter((each) => each.lost).length, again = all.filter((each) => each.again).length;
      return `${all.length} MPDU${all.length > 1 ? "s" : ""}${gone ? `, ${gone} lost` : ""}${again && again < all.length ? `, ${again} sent before` : ""}`;
    };
    const there = new Set(frames.category || []);
    const used = strips.map((colour, at) => [colour, `${CATEGORIES[at][0]} ${CATEGORIES[at][1]}`]).filter(([colour], at) => colour && there.has(at));
    return {
      mpdus,
      strip: (i) => (frames.category ? strips[frames.category[i]] : null),
      uses: [["carried", good], ["overlapped", bad], ["unanswered", lost]],
      key: [[good, "carried"], [answer, mpdus ? "control frames" : "RTS, CTS, ACK"], [bad, "no answer, another frame on the air"],
        [lost, mpdus ? "no answer, alone on the air; a lost MPDU" : "no answer, alone on the air"],
        ...used.map(([colour, name]) => [colour, `foot of a frame: ${name}`])],
      tone: (i) => [null, bad, lost][frames.fate[i]] || (frames.kind[i] > 1 ? answer : good),
      label: (i) => {
        const all = mpdus ? mpdus(i) : [], gone = all.filter((each) => each.lost).length;
        if (!all.length) return KINDS[frames.kind[i]];
        return `${short(i)} ${all.length > 1 ? `${all.length} MPDUs` : "data"}${gone && !frames.fate[i] ? `, ${gone} lost` : ""}`.trim();
      },
      words: (i, share) => {
        const all = mpdus ? mpdus(i) : [], at = all.findIndex((each) => share >= each.begins && share <= each.ends);
        const one = all.length > 1 && at >= 0 ? `; here MPDU ${at + 1} of ${all.length}, ${all[at].bytes} B${all[at].again ? ", sent before" : ""}, ${all[at].lost ? "lost" : "came"}` : "";
        const category = frames.category && frames.category[i] ? `, ${CATEGORIES[frames.category[i]][1]}` : "";
        return `${KINDS[frames.kind[i]]}${category}${all.length ? `, ${told(all)}` : ""}${frames.retry[i] ? ", sent again" : ""}, ${names[frames.from[i]]} to ${names[frames.to[i]]}, ` +
          `${frames.bytes[i]} B at ${frames.kbps[i] / 1000} Mbit/s, ${micro(frames.long[i])}${FATES[frames.fate[i]] && `; ${FATES[frames.fate[i]]}`}${one}`;
      },
    };
  };

  const lan = ({ frames, names }, { good, bad, idle }) => ({
    uses: [["carried", good], ["collided", bad], ["", bad]],
    key: [[good, "came through"], [bad, "collided, its jam included"], [idle, "backoff after a collision"]],
    tone: (i) => (frames.fate[i] === 1 ? bad : good),
    label: (i) => (frames.fate[i] === 1 ? "collided" : `to ${names[frames.to[i]]}`),
    words: (i) => {
      const collided = frames.fate[i] === 1, backs = frames.backoff[i] ? `, then silent for ${micro(frames.backoff[i])}` : "";
      return `${names[frames.from[i]]} to ${names[frames.to[i]]}${frames.retry[i] ? ", again" : ""}, ${frames.bytes[i]} B at ` +
        `${frames.kbps[i] / 1000} Mbit/s, ${micro(frames.long[i])}; ${collided ? `collided${backs}` : "came through"}`;
    },
  });

  const PARTS = ["preamble and FCH", "maps and descriptions", "downlink burst to", "uplink burst of", "opportunities for ranging",
    "opportunities for requests", "gap", "unused", "heard", "collided"];
  const wimax = ({ frames, names, lanes }, { good, up, bad, lost, answer, idle, faint }) => {
    const tones = [answer, answer, good, up, idle, idle, answer, faint, lost, bad];
    return {
      apart: [0, lanes.length - 2, lanes.length - 1],
      uses: [["downlink bursts", good], ["uplink bursts", up], ["preamble, maps, gaps", answer], ["requests heard", lost],
        ["requests collided", bad], ["no request", idle], ["unused", faint]],
      key: [[good, "downlink burst"], [up, "uplink burst"], [answer, "preamble, maps, gaps"], [lost, "request heard"], [bad, "requests collided"],
        [idle, "nobody asks"], [faint, "unused"]],
      tone: (i) => tones[frames.kind[i]],
      label: (i) => (frames.of[i] ? names[frames.of[i]] : PARTS[frames.kind[i]]),
      words: (i) => {
        const kind = frames.kind[i], who = names[frames.of[i]], before = `frame ${frames.frame[i]}: `, long = micro(frames.long[i]);
        if (kind > 7) return `${before}a request of ${who}, ${PARTS[kind]}${kind > 8 ? " with another in its opportunity" : ""}, ${long}`;
        const filled = frames.room[i] ? `, ${frames.bytes[i]} of ${frames.room[i]} B filled` : "";
        return `${before}${PARTS[kind]}${who && ` ${who}`}, ${frames.symbols[i]} symbols, ${long}${filled}`;
      },
    };
  };
  return { "802.11": wifi, LAN: lan, "802.16": wimax };
})();

timeKinds.air = (chart, tools) => {
  "use strict";
  const { css, colours } = tools;
  const SECOND = 1e7; // times of frames are in parts of 100 ns
  const FEW = 1500; // so many frames in sight are drawn one by one
  const { lanes, frames, known, bins, step } = chart;
  // The feet of frames say their access category; best effort has none.
  const strips = [null, css("--soft"), null, colours[3], colours[1]];
  const tones = { strips, good: colours[0], up: colours[2], bad: css("--bad"), lost: colours[4], answer: css("--soft"), idle: `${css("--soft")}80`, faint: css("--line") };
  const { uses, key, tone, label, words, mpdus, strip, apart = [] } = airMedia[chart.medium](chart, tones);

  let sum = 0;
  const starts = frames.at.map((gap) => (sum += gap) / SECOND);
  const ends = starts.map((start, i) => start + frames.long[i] / SECOND);
  // With the silence after it, which is drawn too.
  const spans = frames.long.map((long, i) => (long + (frames.backoff?.[i] || 0)) / SECOND);
  const longest = spans.reduce((most, each) => Math.max(most, each), 0);
  const from = (time) => { // the first frame that begins then or later
    let low = 0, high = starts.length;
    while (low < high) { const mid = (low + high) >> 1; if (starts[mid] < time) low = mid + 1; else high = mid; }
    return low;
  };
  // Of stations, which have one scale, and of each other lane: the share of a step that fills its height. Few steps have more.
  const tops = (() => {
    const sums = bins.map((parts) => Array.from({ length: parts.reduce((most, { length }) => Math.max(most, length), 0) },
      (_, at) => parts.reduce((sum, part) => sum + (part[at] || 0), 0)).filter(Boolean).sort((a, b) => a - b));
    const most = sums.map((all) => all[Math.ceil(0.98 * all.length) - 1] || 0);
    const stations = Math.max(...most.filter((_, lane) => !apart.includes(lane)));
    return most.map((each, lane) => Math.min((apart.includes(lane) ? each : stations) || 1, 1));
  })();
  const shares = (plot, top, height, min, max) => {
    const { ctx } = plot, first = Math.max(0, Math.floor(min / step)), last = Math.min(Math.ceil(plot.data[0].at(-1) / step), Math.ceil(max / step));
    bins.forEach((parts, lane) => {
      const floor = top(lane) + height;
      for (let at = first; at < last; at++) {
        const left = plot.valToPos(Math.max(at * step, min), "x", true), right = plot.valToPos(Math.min((at + 1) * step, max), "x", true);
        let under = floor;
        parts.forEach((part, number) => {
          const tall = Math.min(((part[at] || 0) / tops[lane]) * height, under - floor + height);
          if (!tall) return;
          ctx.fillStyle = uses[number][1];
          ctx.fillRect(left, under - tall, Math.max(right - left + 0.3, 1), tall);
          under -= tall;
        });
      }
    });
  };
  // When the payload of a PPDU begins: what its bytes take at its rate is at its end.
  const payload = (i) => Math.max(starts[i], ends[i] - (8 * frames.bytes[i]) / (1000 * frames.kbps[i]));
  // The MPDUs of a PPDU: those that were lost where others came through, those that had been sent before, and where each ends.
  const parts = (plot, i, y, height) => {
    const { ctx } = plot, scale = devicePixelRatio, begin = payload(i), long = ends[i] - begin;
    for (const { begins, ends: over, lost, again } of mpdus(i)) {
      const left = plot.valToPos(begin + begins * long, "x", true), wide = plot.valToPos(begin + over * long, "x", true) - left;
      if (lost && !frames.fate[i]) { ctx.fillStyle = tones.lost; ctx.fillRect(left, y, Math.max(wide, scale), height); }
      if (again) { ctx.fillStyle = css("--ink"); ctx.fillRect(left, y, Math.max(wide, scale), 3 * scale); }
      if (wide > 4 * scale) { ctx.fillStyle = css("--page"); ctx.fillRect(left, y, 0.5 * scale, height); }
    }
  };
  const single = (plot, top, height, first, last) => {
    const { ctx } = plot, scale = devicePixelRatio;
    ctx.font = `${11 * scale}px system-ui`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    for (let i = first; i < last; i++) {
      const left = plot.valToPos(starts[i], "x", true), wide = Math.max(plot.valToPos(ends[i], "x", true) - left, scale * 0.7);
      const y = top(frames.lane[i]);
      if (frames.backoff?.[i]) {
        ctx.fillStyle = tones.idle;
        ctx.fillRect(left, y + height * 0.4, plot.valToPos(starts[i] + spans[i], "x", true) - left, height * 0.2);
      }
      ctx.fillStyle = tone(i);
      ctx.fillRect(left, y, wide, height);
      if (frames.runs?.[i] && wide > 3 * scale) parts(plot, i, y, height);
      if (frames.retry?.[i]) { ctx.fillStyle = css("--ink"); ctx.fillRect(left, y, wide, 3 * scale); }
      const foot = strip?.(i);
      if (foot) { ctx.fillStyle = foot; ctx.fillRect(left, y + height - 4 * scale, wide, 4 * scale); }
      const said = wide > 40 * scale ? label(i) : "";
      if (said && ctx.measureText(said).width < wide - 8 * scale) {
        const pale = tone(i) === tones.idle || tone(i) === tones.faint;
        ctx.fillStyle = css(pale ? "--soft" : "--page");
        ctx.fillText(said, left + 4 * scale, y + height / 2);
      }
    }
  };

  const near = (min, max) => {
    const first = from(min - longest), last = from(max);
    return last - first <= FEW ? [first, last] : null;
  };
  // Where the page has the single frames that are nearest.
  const elsewhere = (min, max) => {
    const gap = ([begin, end]) => Math.max(begin - max, min - end);
    const next = known.reduce((best, each) => (best && gap(best) <= gap(each) ? best : each), null);
    return next ? `; the nearest single frames are at ${next[0].toFixed(3)} to ${next[1].toFixed(3)} s` : "";
  };
  const draw = (plot) => {
    const { ctx, bbox } = plot, { min, max } = plot.scales.x, lane = bbox.height / lanes.length;
    const height = lane * 0.74, top = (number) => bbox.top + number * lane + lane * 0.13;
    const seen = near(min, max);
    ctx.save();
    ctx.beginPath(); ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height); ctx.clip();
    const there = seen ? known.filter(([begin, end]) => end >= min && begin <= max) : [];
    if (there.length === 0) {
      shares(plot, top, height, min, max);
    } else {
      // Where the page has no frames it has their shares: between what is known one by one.
      let at = min;
      for (const [begin, end] of [...there, [max, max]]) {
        if (chart.all > chart.drawn && begin > at) { ctx.globalAlpha = 0.35; shares(plot, top, height, at, begin); ctx.globalAlpha = 1; }
        at = Math.max(at, end);
      }
      single(plot, top, height, ...seen);
    }
    ctx.restore();
    tell(plot);
  };

  let line = null;
  const tell = (plot) => {
    if (!line) return;
    const { left, top } = plot.cursor, { min, max } = plot.scales.x, seen = near(min, max);
    const time = left >= 0 ? plot.posToVal(left, "x") : null, lane = Math.floor(top / (plot.over.clientHeight / lanes.length));
    let said = "";
    if (time != null && seen) {
      // The last that was drawn there is the one that is seen.
      const wanted = [...Array(seen[1] - seen[0]).keys()].map((i) => seen[1] - 1 - i).filter((i) => starts[i] <= time && time <= ends[i]);
      const under = wanted.find((i) => frames.lane[i] === lane) ?? wanted[0];
      said = under == null ? `${time.toFixed(6)} s: no frame that this page has${known.some(([begin, end]) => begin <= time && time <= end) ? "" : elsewhere(time, time)}` : `${starts[under].toFixed(6)} s: ${words(under, (time - payload(under)) / (ends[under] - payload(under)))}`;
    } else if (time != null && bins[lane]) {
      const at = Math.max(Math.floor(time / step), 0);
      const parts = bins[lane].flatMap((part, use) => (part.length ? [`${uses[use][0]} ${(100 * (part[at] ?? 0)).toFixed(1)} %`] : []));
      said = `${(at * step).toPrecision(4)} s, ${lanes[lane]}: ${parts.length ? `${parts.join(", ")} of the time` : "nothing"}`;
    }
    // So near that one looks for frames.
    const bare = max - min < step && !known.some(([begin, end]) => end >= min && begin <= max);
    line.textContent = said || (bare ? `Shares only${elsewhere(min, max)}.` : "Point at a frame or a step for its numbers.");
  };
  const ready = (plot) => {
    const legend = document.createElement("p");
    legend.className = "note";
    const percent = (part) => `${+(100 * part).toPrecision(2)} %`;
    const own = apart.map((lane) => `, of ${lanes[lane]} ${percent(tops[lane])}`).join("");
    for (const [colour, text] of key) {
      const box = document.createElement("span");
      box.style.cssText = `display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 .8em;background:${colour};outline:1px solid ${css("--line")}`;
      legend.append(box, text);
    }
    line = document.createElement("p");
    line.className = "note";
    line.style.minHeight = "3em";
    legend.append(`. From afar a lane's full height is ${percent(tops.find((_, lane) => !apart.includes(lane)) ?? 1)} of the time${own}.`);
    plot.root.append(legend, line);
    plot.rows = () => rows(plot);
    tell(plot);
  };

  // The numbers of what is seen: single frames, or from afar the shares of each step.
  const rows = (plot) => {
    const { min, max } = plot.scales.x, seen = near(min, max);
    if (seen && known.some(([begin, end]) => end >= min && begin <= max)) {
      const all = [...Array(seen[1] - seen[0]).keys()].map((i) => seen[0] + i);
      return [["begin (s)", "duration (s)", "lane", "frame"], ...all.map((i) => [+starts[i].toFixed(7), +(ends[i] - starts[i]).toFixed(7), lanes[frames.lane[i]], words(i, -1)])];
    }
    const steps = [...Array(Math.ceil(plot.data[0].at(-1) / step)).keys()].filter((at) => (at + 1) * step > min && at * step < max);
    const cells = steps.flatMap((at) => bins.flatMap((parts, lane) => parts.flatMap((part, use) =>
      (part.length ? [[+(at * step).toPrecision(9), lanes[lane], uses[use][0] || "jam", part[at] ?? 0]] : []))));
    return [["begin of step (s)", "lane", "use", "share of the time"], ...cells];
  };

  const short = (name) => (name.length > 9 ? `${name.slice(0, 8)}…` : name);
  return {
    height: 64 + lanes.length * Math.max(26, Math.min(54, Math.round(200 / lanes.length))),
    legend: { show: false },
    cursor: { sync: { key: "time" }, drag: { x: true, y: false }, y: false },
    scales: { y: { range: [0, lanes.length] } },
    axes: [{}, {
      label: "", size: 66, grid: { show: false }, ticks: { show: false },
      splits: () => lanes.map((_, i) => lanes.length - i - 0.5), values: () => lanes.map(short),
    }],
    series: [{}, { show: true, points: { show: false } }],
    hooks: { draw: [draw], setCursor: [tell], ready: [ready] },
  };
};
