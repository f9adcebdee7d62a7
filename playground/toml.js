// TOML as an editor needs it: tokens to colour, and where in the document a place is, however unfinished it may be.
"use strict";
const toml = (() => {
  const PATTERN = new RegExp([
    /(?<comment>#[^\n]*)/,
    /(?<string>"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?)/,
    /(?<word>[\p{L}\p{N}_.+-]+)/,
    /(?<mark>[=[\]{},])/,
    /(?<line>\r?\n)/,
    /(?<space>[^\S\n]+|[^])/,
  ].map((each) => each.source).join("|"), "gu");
  const HEADER = /^[ \t]*(\[\[?)([^\]\n#=,"{]*)(\]{0,2})[ \t]*(?=#|\r?$)/;

  // [{ kind, text, at }] that together are the text. A line that is a header ends whatever was left open above it,
  // unless it stands in an array that is closed properly.
  const tokens = (text) => {
    const found = [];
    let open = 0, skip = 0, fresh = true;
    for (const match of text.matchAll(PATTERN)) {
      if (match.index < skip) continue;
      const token = { kind: Object.keys(match.groups).find((name) => match.groups[name] !== undefined),
        text: match[0], at: match.index };
      if (token.text === "[" && fresh && open === 0) {
        const rest = text.slice(token.at), line = rest.slice(0, (rest + "\n").indexOf("\n"));
        const header = HEADER.exec(line);
        if (header) {
          token.kind = "header";
          token.text = header[0].trimEnd();
          skip = token.at + token.text.length;
        }
      }
      if (token.kind === "mark" && "[{".includes(token.text)) open += 1;
      if (token.kind === "mark" && "]}".includes(token.text)) open = Math.max(0, open - 1);
      if (token.kind !== "space") fresh = token.kind === "line";
      // Nobody leaves an array open and begins the next line with a key: it is being typed.
      if (token.kind === "line" && open && /^\s*(\[\[?[\w.]+\]|[\w.]+\s*=)/.test(text.slice(token.at, token.at + 200))) open = 0;
      found.push(token);
    }
    return found;
  };

  const plain = (text) => text.replace(/^("""|'''|"|')|("""|'''|"|')$/g, "");
  const steps = (keys) => keys.replace(/[[\]\s"']/g, "").split(".").filter(Boolean);

  // A table, or a list, that is being read: its path, and the values that its keys have so far.
  const frame = (path, list = false) => ({ path, list, there: {}, key: null, equals: false });

  // Where `offset` is: `path` of the table, `key` and `value` (whether a value of it is being written), `there` (what the
  // table has before), and the `word` that ends at the offset, which begins at `from`; null in a comment.
  const context = (text, offset) => {
    let top = frame([]), stack = [top], word = "", from = offset, header = false;
    for (const token of tokens(text)) {
      const end = token.at + token.text.length, now = stack.at(-1);
      if (token.at >= offset) break;
      const shown = token.text.slice(0, offset - token.at);
      header = false;
      if (token.kind === "comment") {
        if (end >= offset) return null;
      } else if (token.kind === "header") {
        if (end > offset || !token.text.endsWith("]")) header = true;
        stack = [top = frame(steps(token.text))];
        [word, from] = [shown, token.at];
        if (!header && end === offset) return null;
        continue;
      } else if (token.kind === "word" || token.kind === "string") {
        if (token.kind === "string" && end === offset && token.text.length > 1 && /(["'])$/.test(token.text)) return null;
        if (!now.equals && !now.list) now.key = plain(shown);
        else if (!now.list) now.there[now.key] = plain(shown);
        [word, from] = [shown, token.at];
        continue;
      } else if (token.kind === "line" && stack.length === 1) {
        [now.key, now.equals] = [null, false];
      } else if (token.kind === "mark") {
        mark(stack, token.text);
      }
      [word, from] = ["", offset];
    }
    const now = stack.at(-1), owner = now.list ? stack.findLast((each) => !each.list) : now;
    return { path: owner.path, key: owner.key, value: owner.equals, list: now.list, there: owner.there, word, from, header };
  };

  // The core takes no text that is nested deeper.
  const DEEPEST = 100;

  // Follows a bracket, a comma or an equals sign: what is open stands in the stack.
  const mark = (stack, text) => {
    const now = stack.at(-1);
    if (text === "=") now.equals = true;
    else if ("[{".includes(text)) {
      if (stack.length > DEEPEST) return;
      const owner = now.list ? stack.findLast((each) => !each.list) : now;
      if (text === "[") stack.push(frame(now.path, true));
      else stack.push(frame(owner.key === null ? owner.path : [...owner.path, ...steps(owner.key)]));
    } else if (text === ",") {
      if (!now.list && stack.length > 1) [now.key, now.equals] = [null, false];
    } else if (stack.length > 1) stack.pop();
  };

  const NAMING = ["ends", "access_point", "stations", "base_station", "name"];

  // What the text calls its nodes, as far as it lists them.
  const nodes = (text) => {
    const found = new Set();
    let key = "", equals = false, deep = 0, table = "";
    for (const token of tokens(text)) {
      if (token.kind === "header") [table, equals] = [steps(token.text)[0], false];
      else if (token.kind === "line" && !deep) equals = false;
      else if (token.text === "=") equals = true;
      else if (token.kind === "mark") deep += "[{".includes(token.text) ? 1 : "]}".includes(token.text) ? -1 : 0;
      else if (token.kind === "word" && !equals) key = token.text;
      else if (token.kind === "word" && key === "stations")
        for (let n = 1; n <= Math.min(50, +token.text); n += 1) found.add(`sta${n}`);
      else if (token.kind === "string" && equals && NAMING.includes(key) && (key !== "name" || table === "node"))
        found.add(plain(token.text));
    }
    return [...found];
  };

  // Every value of the text: its `path`, with places in lists, and where it stands, `from` and `to`; `list`: it is one.
  const places = (text) => {
    const found = [], last = new Map();
    const table = (keys, isNew) => keys.reduce((path, key, at) => {
      const list = [...path, key].join("\n");
      if (isNew && at === keys.length - 1) last.set(list, (last.get(list) ?? -1) + 1);
      return last.has(list) ? [...path, key, last.get(list)] : [...path, key];
    }, []);
    const level = (path, list, from) => ({ path, list, from, place: 0, key: [], equals: false });
    let stack = [level([], false, 0)];
    const path = (now) => now.list ? [...now.path, now.place] : [...now.path, ...now.key];
    for (const { kind, text: said, at } of tokens(text)) {
      const now = stack.at(-1), to = at + said.length;
      if (kind === "header") stack = [level(table(steps(said), said.trim().startsWith("[[")), false, at)];
      else if (kind === "line" && stack.length === 1) [now.key, now.equals] = [[], false];
      else if (kind === "word" || kind === "string") {
        if (now.list || now.equals) found.push({ path: path(now), from: at, to, list: false });
        else now.key = steps(said);
      } else if (said === "=") now.equals = true;
      else if ((said === "[" || said === "{") && stack.length < DEEPEST) stack.push(level(path(now), said === "[", at));
      else if (said === ",") {
        if (now.list) now.place += 1;
        else if (stack.length > 1) [now.key, now.equals] = [[], false];
      } else if ((said === "]" || said === "}") && stack.length > 1) {
        stack.pop();
        if (now.list) found.push({ path: now.path, from: now.from, to, list: true });
      }
    }
    return found;
  };

  // The same with the path as `--set` has it: an entry of a list that has a name is called by it.
  const named = (text) => {
    const found = places(text), names = new Map();
    for (const { path, from, to } of found)
      if (path.at(-1) === "name") names.set(path.slice(0, -1).join("\n"), plain(text.slice(from, to)));
    return found.map((each) => ({ ...each, key: each.path
      .map((step, at) => names.get(each.path.slice(0, at + 1).join("\n")) ?? step).join(".") }));
  };

  // The values that a key of `--set` means, in which a star stands for any letters.
  const meant = (text, key) => {
    const pattern = new RegExp(`^${key.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^.]*")}$`);
    return named(text).filter((each) => pattern.test(each.key) || pattern.test(each.path.join(".")));
  };

  // Where a key of a table at the top may be added: behind the table's header, or with a new one at the end; null where the
  // text has the table in another form.
  const room = (text, key) => {
    const [table] = key.split(".");
    const header = tokens(text).find((each) => each.kind === "header" && each.text.trim() === `[${table}]`);
    if (header) return { at: header.at + header.text.length, before: "\n" };
    const taken = named(text).some((each) => each.path[0] === table);
    return taken ? null : { at: text.length, before: `${text.endsWith("\n") ? "" : "\n"}\n[${table}]\n` };
  };

  // The edits that give a key of `--set` a value, the last of the text first: [{ from, to, text }]. No value takes its line away.
  const edits = (text, key, written) => {
    const there = meant(text, key).reverse();
    if (there.length && written) return there.map(({ from, to }) => ({ from, to, text: written }));
    if (there.length) {
      return there.map(({ from, to }) => ({ from: text.lastIndexOf("\n", from) + 1, to: `${text}\n`.indexOf("\n", to) + 1, text: "" }));
    }
    const place = written && room(text, key), name = key.split(".").at(-1);
    if (!place) return [];
    const line = `${place.before}${name} = ${written}`;
    return [{ from: place.at, to: place.at, text: place.before === "\n" ? line : `${line}\n` }];
  };

  return { tokens, context, nodes, named, meant, room, edits };
})();
if (typeof module !== "undefined") module.exports = { toml };
