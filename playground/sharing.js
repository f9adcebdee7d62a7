// A scenario in the fragment of a link: JSON, deflated, in the letters that a link takes. Nothing is sent anywhere.
"use strict";
const sharing = (() => {
  const through = async (bytes, stream) =>
    new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

  const written = (bytes) => {
    let letters = "";
    for (const byte of bytes) letters += String.fromCharCode(byte);
    return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  };
  const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

  const pack = async (value) =>
    written(await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw")));

  // What a link holds; null where it holds nothing of ours.
  const unpack = async (text) => {
    try {
      return JSON.parse(new TextDecoder().decode(await through(bytesOf(text), new DecompressionStream("deflate-raw"))));
    } catch {
      return null;
    }
  };

  const unzip = (base64) => through(bytesOf(base64.replace(/\s+/g, "")), new DecompressionStream("gzip"));

  return { pack, unpack, unzip };
})();
