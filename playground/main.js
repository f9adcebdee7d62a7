// The page: a scenario, its check as it is typed, its runs, what they gave.
"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const read = (id) => JSON.parse(at(id).textContent);
  const given = read("given");
  const { make } = editor;
  let schema = null, source = "", core = null, compiled = null, running = null, shown = null, timed = null, spread = null, checks = 0;
  let name = given.first;

  const sheet = editor.place(at("editor"), () => schema ?? { properties: {}, $defs: {} }, () => changed());

  const request = (more = {}) => ({ text: sheet.text(), file: `${name}.toml`, files: given.files, ...more });
  const say = (text) => { at("state").textContent = text; };

  // ---- Checking, a moment after the last letter.
  let timer = 0;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(check, 150);
  };
  const check = async () => {
    const mine = ++checks;
    if (!core) return;
    let found;
    try {
      found = await core.ask("check", request());
    } catch (error) {
      core = null;
      return failed(error);
    }
    if (mine === checks) complain(found.errors);
    return undefined;
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
  const run = async () => {
    const { runs, ...seed } = asked(), text = sheet.text(), file = name;
    const requests = Array.from({ length: runs }, (_, replication) => request({ ...seed, replication }));
    busy(true);
    say("");
    const began = performance.now();
    at("progress").value = 0;
    running = workers.runAll(source, compiled, requests, (part) => { at("progress").value = part; });
    try {
      const results = await running.all;
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      const short = results.length < runs;
      say(short ? `Stopped: ${results.length} of ${runs} runs finished.` : `${runs === 1 ? "1 run" : `${runs} runs`} in ${seconds} s.`);
      busy(false);
      if (results.length) await show({ results, text, file, seed });
    } catch (error) {
      failed(error);
    } finally {
      busy(false);
    }
  };

  // ---- Showing.
  const headline = (result, runs) => {
    const measured = result.measured_s?.mean ?? result.measured_s;
    const several = runs === 1 ? "1 run" : `${runs} runs, mean ± 95 % interval (Student's t)`;
    return `Seed ${result.seed}, ${measured} s measured, ${several}; Jain's index of fairness ${tables.shown(result.jain, 1, 3)}.`;
  };
  // A shipped scenario has a name; one that was changed is saved first.
  const command = ({ results, file, text, seed }) => {
    const known = scenario(file)?.text === text;
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
    const odd = await core.ask("noticed", document_);
    at("noticed").hidden = !odd.length;
    at("findings").replaceChildren(...odd.map(({ what, why, advice }) => {
      const item = make("li");
      item.append(make("b", "", what), ` ${why} `, make("span", "soft", advice));
      return item;
    }));
    at("tables").replaceChildren(...tables.all(document_, given.tables));
    at("command").textContent = command(all);
    at("which").replaceChildren(...results.map((each) => new Option(String(each.replication + 1), each.replication)));
    await draw(results[0].replication);
  };
  const draw = async (replication) => {
    const { text, file, seed, results } = shown;
    const { probes, measure, steps, most } = given.watching;
    const { duration_s: duration, packets } = results.find((each) => each.replication === replication);
    // Probes and measures change no result.
    const asked = { text, file, files: given.files, ...seed, replication, overrides: [`measures=["${measure}"]`],
      probes: [...probes, ...packets.made <= most ? ["packets"] : []], step: `${duration / steps} s` };
    at("drawing").hidden = false;
    const { series, notes, distribution: delays, bars } = await core.ask("draw", asked, { panels: steps });
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
      const place = make("div");
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
  const share = async () => {
    const packed = await sharing.pack({ name, text: sheet.text(), ...asked() });
    history.replaceState(null, "", `#${packed}`);
    let told = "The link is in the address bar.";
    try {
      await navigator.clipboard.writeText(location.href);
      told = "The link is copied; it holds the whole scenario.";
    } catch { /* a page from disk may not */ }
    at("copied").textContent = told;
  };
  const open = (file, text) => {
    name = file;
    at("scenarios").value = given.scenarios.some((each) => each.name === file) ? file : "";
    at("copied").textContent = "";
    sheet.write(text);
    changed();
  };
  const fromLink = async () => {
    const held = location.hash.length > 1 ? await sharing.unpack(location.hash.slice(1)) : null;
    if (!held || typeof held.text !== "string") return false;
    at("runs").value = Number.isInteger(held.runs) ? held.runs : 5;
    at("seed").value = Number.isInteger(held.seed) ? held.seed : "";
    open(String(held.name || "scenario").replace(/[^\w.-]/g, "_"), held.text);
    return true;
  };

  const scenario = (file) => given.scenarios.find((each) => each.name === file);
  at("version").textContent = given.version;
  at("scenarios").append(...given.scenarios.map(({ name: file, title }) => new Option(`${file}: ${title}`, file)));
  at("scenarios").onchange = () => open(at("scenarios").value, scenario(at("scenarios").value).text);
  at("run").onclick = run;
  at("stop").onclick = () => running?.stop();
  at("save").onclick = () => save(`${name}.toml`, sheet.text(), "text/plain");
  at("json").onclick = () => save(`${shown.file}.json`, JSON.stringify(shown.document, null, 2), "application/json");
  at("link").onclick = share;
  at("which").onchange = () => draw(Number(at("which").value)).catch(failed);
  addEventListener("hashchange", fromLink);

  const begin = async () => {
    if (!await fromLink()) open(given.first, scenario(given.first).text);
    const wasm = at("wasm");
    const bytes = wasm ? await sharing.unzip(wasm.textContent) : await (await fetch("lasthop.wasm")).arrayBuffer();
    compiled = await WebAssembly.compile(bytes);
    source = at("worker")?.textContent ?? await (await fetch("worker.js")).text();
    core = workers.start(source, compiled);
    schema = await core.ask("schema");
    say("");
    await check();
  };
  begin().catch((error) => say(`The simulator cannot be started here: ${error.message}`));
})();
