// What may stand at a place of a scenario, by its JSON Schema.
"use strict";
const completion = ((toml) => {
  // The alternatives of a schema, without references: [{ type, properties, const, ... }].
  const alternatives = (schema, node, depth = 0) => {
    if (!node || depth > 12) return [];
    if (node.$ref) {
      const found = alternatives(schema, schema.$defs[node.$ref.split("/").pop()], depth + 1);
      return found.map((each) => ({ ...each, description: node.description || each.description }));
    }
    const parts = node.anyOf || node.oneOf;
    if (parts) return parts.flatMap((part) => alternatives(schema, part, depth + 1));
    return node.type === "null" ? [] : [node];
  };

  // Of alternatives which are told apart by a constant, such as `kind`, those that fit what is there.
  const fitting = (found, there) => {
    const fits = (each) => Object.entries(each.properties || {})
      .every(([key, value]) => value.const === undefined || !(key in there) || there[key] === value.const);
    const fit = found.filter(fits);
    return fit.length ? fit : found;
  };

  // The tables at a path, and of a list those of its items.
  const tables = (schema, path, there) => {
    let found = alternatives(schema, schema);
    for (const step of path) {
      found = found.flatMap((each) => {
        if (each.type === "array") each = { properties: {} };
        const next = each.properties?.[step] ?? each.additionalProperties;
        return typeof next === "object" ? items(schema, next) : [];
      });
    }
    return fitting(found.filter((each) => each.properties), there);
  };
  const items = (schema, node) => alternatives(schema, node)
    .flatMap((each) => isList(each) ? [each, ...alternatives(schema, each.items)] : [each]);
  const isList = (node) => [node.type].flat().includes("array");

  const about = (text = "") => text.replace(/\s+/g, " ");

  // The keys of the tables at a path: { name: schema }.
  const keys = (found) => {
    const all = {};
    for (const table of found)
      for (const [name, value] of Object.entries(table.properties))
        if (!/^Of another model/.test(value.description || "")) all[name] ??= value;
    return all;
  };

  const headers = (schema) => Object.entries(schema.properties).flatMap(([name, value]) => {
    const found = alternatives(schema, value);
    const many = found.some(isList) && items(schema, value).some((each) => each.properties);
    if (!many && !found.some((each) => each.properties)) return [];
    return [{ text: many ? `[[${name}]]` : `[${name}]`, about: about(value.description), more: "\n" }];
  });

  const values = (schema, meant, text, key, list) => {
    const found = [];
    const offer = (value, description) => {
      const written = typeof value === "string" ? JSON.stringify(value) : String(value);
      if (!found.some((each) => each.text === written)) found.push({ text: written, about: about(description) });
    };
    for (const each of meant.flatMap((node) => list ? items(schema, node) : alternatives(schema, node))) {
      if (each.const !== undefined) offer(each.const, each.description);
      for (const value of each.enum || []) offer(value, each.description);
      if ([each.type].flat().includes("boolean")) [true, false].forEach((value) => offer(value, ""));
      for (const value of each.examples || []) offer(value, "an example");
      if (each.properties && !list) found.push({ text: "{ ", about: about(each.description), more: kindOf(each) });
    }
    for (const { default: usual } of meant)
      if (usual !== undefined && usual !== null && typeof usual !== "object") offer(usual, "the default");
    if (NODES.includes(key)) toml.nodes(text).forEach((name) => offer(name, "a node"));
    return found;
  };
  const kindOf = (table) => {
    const told = Object.entries(table.properties).find(([, value]) => value.const !== undefined);
    return told ? `${told[0]} = ${JSON.stringify(told[1].const)}` : "";
  };
  const NODES = ["from", "to", "ends", "at", "access_point", "stations", "home", "node", "via"];

  // What may stand at `offset`: { from, found: [{ text, about, more }] }; `more` is written behind it.
  const offers = (schema, text, offset) => {
    const place = toml.context(text, offset);
    if (place === null) return { from: offset, found: [] };
    const bare = place.word.replace(/^["']/, "").toLowerCase();
    const wanted = (each) => {
      const name = each.text.replace(/^["']/, "").toLowerCase();
      return name !== bare && name.includes(bare.replace(/^\[+/, "") || "");
    };
    const first = (each) => each.text.replace(/^["']/, "").toLowerCase().startsWith(bare) ? 0 : 1;
    let found = [];
    if (place.header) found = headers(schema);
    else {
      const { [place.key]: written, ...others } = place.there;
      const there = tables(schema, place.path, place.value ? others : place.there);
      if (place.value) {
        const meant = there.map((table) => table.properties[place.key]).filter(Boolean);
        found = values(schema, meant, text, place.key, place.list);
      } else {
        found = Object.entries(keys(there)).filter(([name]) => !(name in place.there))
          .map(([name, value]) => ({ text: name, about: about(value.description), more: " = " }));
      }
    }
    found = found.filter(wanted).sort((a, b) => first(a) - first(b)).slice(0, 60);
    return { from: place.from, found };
  };

  // What the key at `offset` means, in a sentence; empty where it is none.
  const meaning = (schema, text, offset) => {
    let end = offset;
    while (/[\w-]/.test(text[end] || "")) end += 1;
    const place = toml.context(text, end);
    const name = place && !place.header && place.key;
    const node = name && keys(tables(schema, place.path, place.there))[name];
    return node ? { name, about: about(node.description) } : null;
  };

  return { offers, meaning };
})(typeof module === "undefined" ? toml : require("./toml.js").toml);
if (typeof module !== "undefined") module.exports = { completion };
