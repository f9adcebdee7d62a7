// A run once more, with what its page shows written down: python/lasthop/picture/watching.py.
"use strict";
const watching = (() => {
  // Of more packets there is no row each: they would take more memory than a page has.
  const MOST_PACKETS = 100000;
  const PROBES = ["tcp", "cuts", "queue", "flows", "air", "airtime", "frames", "symbols", "requests"];

  // The request of a run whose result is known; probes and measures change no result.
  const request = (asked, result) => {
    const packets = result.packets.made <= MOST_PACKETS ? ["packets"] : [];
    return { ...asked, overrides: [...asked.overrides || [], 'measures=["delay_split"]'],
      probes: [...PROBES, ...packets], step: `${result.duration_s / charting.STEPS} s` };
  };

  // What is drawn of it.
  const picture = (document) => {
    const series = charting.of(document), notes = [...series.notes];
    const air = series.charts.filter((chart) => chart.kind === "air");
    const drawn = air.reduce((sum, chart) => sum + chart.drawn, 0), there = air.reduce((sum, chart) => sum + chart.all, 0);
    if (drawn < there) {
      notes.push(`Of ${there.toLocaleString("en")} frames ${drawn.toLocaleString("en")} are drawn one by one, in periods spread `
        + "evenly over the run. The others count in the shares of their steps.");
    }
    if (!document.probes.packets)
      notes.push(`The run has more than ${MOST_PACKETS.toLocaleString("en")} packets: the distribution of their delays is not drawn.`);
    return { series, notes, distribution: causes.distributions(document), bars: causes.bars(document) };
  };

  return { request, picture };
})();
