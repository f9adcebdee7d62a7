// Who holds the medium of 802.11: a lane for each station. From afar the shares of each step; near enough, single frames.
// The chart's numbers are those of lasthop.picture.airing. It stands among the time charts of series.js.
timeKinds.air = (chart, tools) => {
  "use strict";
  const { css, colours } = tools;
  const KINDS = ["data", "management", "RTS", "CTS", "ACK"];
  const FATES = ["answered", "no answer, and another frame was on the air", "no answer, alone on the air", ""];
  const SECOND = 1e7; // times of frames are in parts of 100 ns
  const FEW = 1500; // so many frames in sight are drawn one by one
  const { lanes, frames, known, bins, step } = chart;
  const good = colours[0], bad = css("--bad"), lost = colours[4], answer = css("--soft"), paint = [good, bad, lost];

  let sum = 0;
  const starts = frames.at.map((gap) => (sum += gap) / SECOND);
  const ends = starts.map((start, i) => start + frames.long[i] / SECOND);
  const from = (time) => { // the first frame that begins then or later
    let low = 0, high = starts.length;
    while (low < high) { const mid = (low + high) >> 1; if (starts[mid] < time) low = mid + 1; else high = mid; }
    return low;
  };
  const colour = (i) => {
    const fate = frames.fate[i];
    if (fate === 1) return bad;
    if (fate === 2) return lost;
    return frames.kind[i] > 1 ? answer : good;
  };
  const words = (i) => {
    const what = KINDS[frames.kind[i]], to = chart.names[frames.to[i]], fate = FATES[frames.fate[i]];
    const long = frames.long[i] / 10, rate = frames.kbps[i] / 1000;
    return `${starts[i].toFixed(6)} s: ${what}${frames.retry[i] ? ", sent again" : ""}, ${chart.names[frames.from[i]]} to ${to}, ` +
      `${frames.bytes[i]} B at ${rate} Mbit/s, ${long} µs${fate ? `; ${fate}` : ""}`;
  };

  const shares = (plot, top, height, min, max) => {
    const { ctx } = plot, first = Math.max(0, Math.floor(min / step)), last = Math.min(bins[0]?.[0].length ?? 0, Math.ceil(max / step));
    bins.forEach((uses, lane) => {
      const floor = top(lane) + height;
      for (let at = first; at < last; at++) {
        const left = plot.valToPos(Math.max(at * step, min), "x", true), right = plot.valToPos(Math.min((at + 1) * step, max), "x", true);
        let under = floor;
        uses.forEach((use, number) => {
          const tall = Math.min(use[at], 1) * height;
          if (!tall) return;
          ctx.fillStyle = paint[number];
          ctx.fillRect(left, under - tall, Math.max(right - left + 0.3, 1), tall);
          under -= tall;
        });
      }
    });
  };
  const single = (plot, top, height, first, last) => {
    const { ctx } = plot, scale = devicePixelRatio;
    ctx.font = `${11 * scale}px system-ui`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    for (let i = first; i < last; i++) {
      const left = plot.valToPos(starts[i], "x", true), wide = Math.max(plot.valToPos(ends[i], "x", true) - left, scale * 0.7);
      const y = top(frames.lane[i]);
      ctx.fillStyle = colour(i);
      ctx.fillRect(left, y, wide, height);
      if (frames.retry[i]) { ctx.fillStyle = css("--ink"); ctx.fillRect(left, y, wide, 3 * scale); }
      if (wide > 60 * scale) {
        ctx.fillStyle = css("--page");
        ctx.fillText(KINDS[frames.kind[i]], left + 4 * scale, y + height / 2);
      }
    }
  };

  const near = (min, max) => {
    const first = Math.max(from(min) - 1, 0), last = from(max);
    return last - first <= FEW ? [first, last] : null;
  };
  // So near that one looks for frames: says where the page has the next.
  const elsewhere = (plot, min, max) => {
    const gap = ([begin, end]) => Math.max(begin - max, min - end);
    const next = known.reduce((best, each) => (best && gap(best) <= gap(each) ? best : each), null);
    if (!next) return;
    const scale = devicePixelRatio, { ctx, bbox } = plot;
    ctx.font = `${12 * scale}px system-ui`;
    ctx.textAlign = "left";
    ctx.fillStyle = css("--ink");
    ctx.fillText(`shares only: the nearest single frames are at ${next[0].toFixed(3)} to ${next[1].toFixed(3)} s`, bbox.left + 6 * scale, bbox.top + 12 * scale);
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
      if (max - min < step) elsewhere(plot, min, max);
    } else {
      // Where the page has no frames it has their shares: between what is known one by one.
      let at = min;
      for (const [begin, end] of [...there, [max, max]]) {
        if (chart.all > starts.length && begin > at) { ctx.globalAlpha = 0.35; shares(plot, top, height, at, begin); ctx.globalAlpha = 1; }
        at = Math.max(at, end);
      }
      single(plot, top, height, ...seen);
    }
    ctx.restore();
  };

  let line = null;
  const tell = (plot) => {
    if (!line) return;
    const { left, top } = plot.cursor, { min, max } = plot.scales.x, seen = near(min, max);
    const time = left >= 0 ? plot.posToVal(left, "x") : null, lane = Math.floor(top / (plot.over.clientHeight / lanes.length));
    let said = "";
    if (time != null && seen) {
      const wanted = [...Array(seen[1] - seen[0]).keys()].map((i) => i + seen[0]);
      const under = wanted.find((i) => frames.lane[i] === lane && starts[i] <= time && time <= ends[i]) ??
        wanted.find((i) => starts[i] <= time && time <= ends[i]);
      said = under == null ? `${time.toFixed(6)} s: no frame that this page has` : words(under);
    } else if (time != null && bins[lane]) {
      const at = Math.min(Math.floor(time / step), bins[lane][0].length - 1), part = bins[lane].map((use) => (100 * use[at]).toFixed(1));
      said = `${(at * step).toPrecision(4)} s, ${lanes[lane]}: carried ${part[0]} %, overlapped ${part[1]} %, unanswered ${part[2]} % of the time`;
    }
    line.textContent = said || "Point at a frame or a step for its numbers.";
  };
  const ready = (plot) => {
    const key = document.createElement("p");
    key.className = "note";
    for (const [tone, text] of [[good, "carried"], [answer, "RTS, CTS, ACK"], [bad, "no answer, another frame on the air"], [lost, "no answer, alone on the air"]]) {
      const box = document.createElement("span");
      box.style.cssText = `display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 .8em;background:${tone}`;
      key.append(box, text);
    }
    line = document.createElement("p");
    line.className = "note";
    line.style.minHeight = "3em";
    plot.root.append(key, line);
    tell(plot);
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
