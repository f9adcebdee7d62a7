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

  return { tokens, context, nodes };
})();
if (typeof module !== "undefined") module.exports = { toml };
