// Who is shown where there are more flows than a chart has room for: python/lasthop/picture/roles.py.
"use strict";
const roles = (() => {
  const MOST = 6;
  const stem = (name) => name.replace(/[-_ .]?\d+$/, "") || name;

  const ofGroup = (name, members, first) => {
    if (members.length === 1) return [{ name: members[0].name, flows: [members[0].name], colour: first }];
    const ranked = [...members].sort((a, b) => (b.goodput_bps || 0) - (a.goodput_bps || 0)).map((each) => each.name);
    const worst = ranked.at(-1);
    return [
      { name: `${name}, mean of ${members.length}`, flows: ranked, colour: first },
      { name: `${ranked[0]} (most goodput)`, flows: [ranked[0]], colour: first + 1 },
      { name: `${worst} (least goodput)`, flows: [worst], colour: first + 2 },
    ];
  };

  // The lines of charts about flows, and a sentence on what is not shown as it is.
  const of = (flows) => {
    if (flows.length <= MOST) return [flows.map(({ name }, colour) => ({ name, flows: [name], colour })), ""];
    const groups = new Map();
    for (const flow of flows) groups.set(stem(flow.name), [...groups.get(stem(flow.name)) || [], flow]);
    const found = [];
    for (const [name, members] of [...groups].sort(([, a], [, b]) => b.length - a.length))
      found.push(...ofGroup(name, members, found.length));
    const shown = found.slice(0, MOST);
    return [shown, `The charts show these of ${flows.length} flows: ${shown.map(({ name }) => name).join(", ")}.`];
  };

  return { of, MOST };
})();
if (typeof module !== "undefined") module.exports = { roles };
