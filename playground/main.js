// The page: a scenario, its check as it is typed, its runs, what they gave.
"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const read = (id) => JSON.parse(at(id).textContent);
  const given = read("given");
  const { make } = editor;
  const opened = at("opened") && { title: "opened by lasthop playground", ...read("opened") };
  const scenarios = opened ? [opened, ...given.scenarios.filter((each) => each.name !== opened.name)] : given.scenarios;
  const first = opened ?? given.scenarios.find((each) => each.name === given.first);
  let schema = null, source = "", core = null, compiled = null, running = null, shown = null, timed = null, spread = null;
  let runAll = null, checks = 0, turn = 0, drawer = null, name = first.name, lesson = null, kept = null;

  const sheet = editor.place(at("editor"), () => schema ?? { properties: {}, $defs: {} }, () => changed());

  const filesOf = (file) => file === opened?.name ? { ...given.files, ...opened.files } : given.files;
  const request = (more = {}) => ({ text: sheet.text(), file: `${name}.toml`, files: filesOf(name), ...more });
  const say = (text) => { at("state").textContent = text; };

  // ---- Checking, a moment after the last letter.
  let timer = 0;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => { if (await check()) slide(); }, 150);
  };
  // Tells whether the text can be run, once it is the last that was asked about.
  const check = async () => {
    const mine = ++checks;
    if (!core) return false;
    let found;
    try {
      found = await core.ask("check", request());
    } catch (error) {
      failed(error);
      return false;
    }
    if (mine !== checks) return false;
    complain(found.errors);
    return !found.errors.length;
  };
  const complain = (errors) => {
    sheet.errors(errors);
    at("run").disabled = !compiled || errors.length > 0;
    at("errors").replaceChildren(...errors.map((error) => {
      const item = make("li");
      const where = make("button", "where", error.line ? `line ${error.line}` : "scenario");
      where.type = "button";
      where.onclick = () => error.line && sheet.go(error.line, error.column);
      item.append(where, " ", error.message);
      return item;
    }));
  };
  const failed = (error) => {
    core?.end(error);
    say(`Something went wrong inside of lasthop: ${error.message}. This is a defect; please report it with the scenario.`);
    core = workers.start(source, compiled);
  };

  // ---- Running.
  const whole = (field) => field.value === "" ? null : Math.trunc(Number(field.value));
  const asked = () => {
    const seed = whole(at("seed")), runs = Math.min(100, Math.max(1, whole(at("runs")) || 1));
    at("runs").value = runs;
    return { runs, ...(seed === null || !(seed >= 0) ? {} : { seed: Math.min(seed, Number.MAX_SAFE_INTEGER) }) };
  };
  const busy = (is) => {
    at("stop").hidden = at("progress").hidden = !is;
    at("run").hidden = is;
  };
  // Runs the text, `most` times at most; of two runs the one that began last is shown, and none that a slider has stopped.
  const run = async (most = Infinity) => {
    const mine = ++turn;
    running?.stop();
    const { runs: wanted, ...seed } = asked(), text = sheet.text(), file = name, runs = Math.min(wanted, most);
    const requests = Array.from({ length: runs }, (_, replication) => request({ ...seed, replication }));
    busy(true);
    const began = performance.now();
    at("progress").value = 0;
    const here = running = runAll(requests, (part) => { if (mine === turn) at("progress").value = part; });
    try {
      const results = await here.all;
      if (mine !== turn || (again && results.length < runs)) return;
      if (runs === wanted) lasted = performance.now() - began;
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      say(results.length < runs ? `Stopped: ${results.length} of ${runs} runs finished.` : `${runs === 1 ? "1 run" : `${runs} runs`} in ${seconds} s.`);
      if (results.length) await show({ results, text, file, lesson, seed, runs: wanted });
    } catch (error) {
      if (mine === turn) failed(error);
    } finally {
      if (mine === turn) busy(false);
    }
  };

  // ---- Sliders: each edits the text and runs it, as soon as the run before has ended; one that takes long is stopped. Where
  // all runs take long, the first is shown before the others.
  const PATIENCE = 200; // ms
  let moving = null, again = false, lasted = 0;
  const moved = (key, written) => {
    for (const { from, to, text } of toml.edits(sheet.text(), key, written)) sheet.replace(from, to, text);
    clearTimeout(waiting);
    drawer = drawer?.end(new Error("given up")) ?? null;
    again = true;
    if (moving !== null && performance.now() - moving > PATIENCE) running?.stop();
    if (moving === null) follow();
  };
  const follow = async () => {
    while (again) {
      [again, moving] = [false, performance.now()];
      if (!await check()) continue;
      if (lasted > PATIENCE) await run(1);
      if (!again) await run();
    }
    moving = null;
  };
  const slide = () => sliders.show(at("sliders"), editor, sheet.text(), lesson?.controls, moved);

  // ---- Showing.
  const headline = (result, runs) => {
    const measured = result.measured_s?.mean ?? result.measured_s;
    const several = runs === 1 ? "1 run" : `${runs} runs, mean ± 95 % interval (Student's t)`;
    return `Seed ${result.seed}, ${measured} s measured, ${several}; Jain's index of fairness ${tables.shown(result.jain, 1, 3)}.`;
  };
  // A shipped scenario has a name; one that was changed is saved first.
  const command = ({ results, file, text, seed }) => {
    const known = given.scenarios.some((each) => each.name === file && each.text === text);
    const many = results.length === 1 ? "" : ` --replications ${results.length}`;
    return `lasthop run ${file}${known ? "" : ".toml"}${seed.seed === undefined ? "" : ` --seed ${seed.seed}`}${many}`;
  };
  const show = async (all) => {
    const { results } = all;
    const document_ = results.length === 1 ? results[0] : stats.summary(results, given.quantiles);
    shown = { ...all, document: document_ };
    at("results").hidden = false;
    at("title").textContent = document_.scenario || all.file;
    at("headline").textContent = headline(document_, results.length);
    at("tables").replaceChildren(...tables.all(document_, given.tables));
    compare();
    at("command").textContent = command(all);
    at("which").replaceChildren(...results.map((each) => new Option(String(each.replication + 1), each.replication)));
    const odd = await core.ask("noticed", document_);
    at("noticed").hidden = !odd.length;
    at("findings").replaceChildren(...odd.map(({ what, why, advice }) => {
      const item = make("li");
      item.append(make("b", "", what), ` ${why} `, make("span", "soft", advice));
      return item;
    }));
    later();
  };

  // ---- A and B.
  const compare = () => {
    at("compared").hidden = !kept || kept === shown;
    at("unpin").hidden = at("back").hidden = !kept;
    at("pin").hidden = kept !== null && kept === shown;
    at("pin").textContent = kept ? "Pin this as A" : "Pin as A";
    if (kept) at("pinned").textContent = kept === shown ? "A is pinned. Change something and run it: that is B." : "";
    else at("pinned").textContent = "Pin these results, change something, and see the difference.";
    at("differences").replaceChildren(...kept && kept !== shown ? pinned.compare(kept, shown, given.tables, given.quantiles) : []);
  };
  const pin = (what) => {
    kept = what;
    compare();
    remember();
  };
  const backToA = async () => {
    restore(kept);
    if (await check()) await run();
  };

  // ---- Charts and the address, once nothing moves any more.
  let waiting = 0;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      remember();
      draw(shown.results[0].replication);
    }, again || moving !== null ? 250 : 0);
  };
  // A drawing that is not wanted any more is given up.
  const drawn = async (request, steps) => {
    drawer?.end(new Error("given up"));
    const mine = drawer = workers.start(source, compiled);
    try {
      return await mine.ask("draw", request, { panels: steps });
    } catch (error) {
      if (mine === drawer) failed(error);
      return null;
    } finally {
      mine.end(new Error("done"));
      if (mine === drawer) drawer = null;
    }
  };
  const draw = async (replication) => {
    const { text, file, seed, results } = shown;
    const { probes, measures, steps, most } = given.watching;
    const { duration_s: duration, packets } = results.find((each) => each.replication === replication);
    // Probes and measures change no result.
    const asked = { text, file, files: filesOf(file), ...seed, replication, overrides: [`measures=${JSON.stringify(measures)}`],
      probes: [...probes, ...packets.made <= most ? ["packets"] : []], step: `${duration / steps} s` };
    at("drawing").hidden = false;
    const found = await drawn(asked, steps);
    if (!found) return;
    const { limited, series, notes, distribution: delays, bars } = found;
    at("limits").replaceChildren(...limited.map(({ what, shown_by: by }) => {
      const said = make("p", "answer");
      said.append(make("b", "", what), ` ${by}`);
      return said;
    }));
    at("drawing").hidden = true;
    timed ??= timeCharts(at("charts"), given.colours);
    timed(series);
    at("notes").replaceChildren(...[...series.notes, ...notes].map((note) => make("p", "note", note)));
    at("delays").hidden = !delays;
    if (delays) {
      spread ??= distribution(at("distribution"), given.colours);
      spread(delays);
    }
    at("causes").hidden = !bars.length;
    at("bars").replaceChildren(...bars.map((each) => {
      const place = make("div", "charts");
      stackedBars(place, given.colours)(each);
      return place;
    }));
  };

  // ---- Files and links.
  const save = (file, text, type) => {
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  // What a link holds: the text, how it is run, and A.
  const state = ({ file, text, lesson: of, seed, runs }) => ({ name: file, text, runs, ...seed, ...of && { lesson: of.name } });
  const present = () => {
    const { runs, ...seed } = asked();
    return { ...state({ file: name, text: sheet.text(), lesson, seed, runs }), ...kept && { a: state(kept) } };
  };
  const remember = async () => history.replaceState(null, "", `#${await sharing.pack(present())}`);
  const share = async () => {
    await remember();
    let told = "The link is in the address bar.";
    try {
      await navigator.clipboard.writeText(location.href);
      told = "The link is copied; it holds the whole scenario.";
    } catch { /* a page from disk may not */ }
    at("copied").textContent = told;
  };
  const open = (file, text, of = null) => {
    [name, lesson] = [file, of];
    const known = of ? `lesson ${file}` : file;
    at("scenarios").value = [...at("scenarios").options].some((each) => each.value === known) ? known : "";
    at("copied").textContent = "";
    at("lesson").hidden = !of;
    if (of) [at("lesson").children[0], at("lesson").children[1], at("lesson").querySelector("span")]
      .forEach((part, place) => { part.textContent = [of.title, of.about, of.see][place]; });
    sheet.write(text);
    slide();
  };
  const restore = ({ file, text, lesson: of, runs, seed: { seed } = {} }) => {
    at("runs").value = Number.isInteger(runs) ? runs : 5;
    at("seed").value = Number.isInteger(seed) ? seed : "";
    open(file, text, of);
  };
  // A link may hold anything.
  const unpacked = (held) => held && typeof held.text === "string" ? {
    file: String(held.name || "scenario").replace(/[^\w.-]/g, "_"), text: held.text, runs: held.runs, seed: { seed: held.seed },
    lesson: given.lessons.find((each) => each.name === held.lesson) ?? null,
  } : null;
  const fromLink = async () => {
    const held = location.hash.length > 1 ? await sharing.unpack(location.hash.slice(1)) : null;
    const there = unpacked(held), before = unpacked(held?.a);
    if (!there) return false;
    kept = null;
    if (before) {
      restore(before);
      if (await check()) {
        await run();
        kept = shown;
      }
    }
    restore(there);
    if (await check()) await run();
    return true;
  };
  const choose = async (value) => {
    const of = given.lessons.find((each) => `lesson ${each.name}` === value), file = of ?? scenario(value);
    open(file.name, file.text, of);
    if (await check()) await run();
  };

  const scenario = (file) => scenarios.find((each) => each.name === file);
  const group = (label, all, value) => {
    const found = make("optgroup");
    found.label = label;
    found.append(...all.map((each) => new Option(`${each.name}: ${each.title}`, value(each))));
    return found;
  };
  at("version").textContent = given.version;
  at("scenarios").append(group("Scenarios", scenarios, (each) => each.name), group("Lessons", given.lessons, (each) => `lesson ${each.name}`));
  at("scenarios").onchange = () => choose(at("scenarios").value);
  at("run").onclick = () => run();
  at("stop").onclick = () => running?.stop();
  at("save").onclick = () => save(`${name}.toml`, sheet.text(), "text/plain");
  at("json").onclick = () => save(`${shown.file}.json`, JSON.stringify(shown.document, null, 2), "application/json");
  at("link").onclick = share;
  at("pin").onclick = () => pin(shown);
  at("unpin").onclick = () => pin(null);
  at("back").onclick = backToA;
  at("which").onchange = () => draw(Number(at("which").value));
  addEventListener("hashchange", fromLink);

  const begin = async () => {
    const wasm = at("wasm");
    open(first.name, first.text);
    const bytes = wasm ? await sharing.unzip(wasm.textContent) : await (await fetch("lasthop.wasm")).arrayBuffer();
    compiled = await WebAssembly.compile(bytes);
    source = at("worker")?.textContent ?? await (await fetch("worker.js")).text();
    [core, runAll] = [workers.start(source, compiled), workers.pool(source, compiled)];
    schema = await core.ask("schema");
    say("");
    if (!await fromLink() && await check()) await run();
  };
  begin().catch((error) => say(`The simulator cannot be started here: ${error.message}`));
})();
