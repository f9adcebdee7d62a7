"""Recipes in files: a text chunk of PNG, the keywords of PDF, an element of SVG and HTML.

What a viewer shows does not change. A file is written by lasthop in one go, so it has one recipe; of
several the last counts.
"""

from __future__ import annotations

import base64
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from html import escape, unescape
from pathlib import Path

from lasthop.errors import UsageError
from lasthop.pages.in_script import safe_in_script
from lasthop.pages.recipes import recipe as recipes
from lasthop.pages.recipes.recipe import Recipe
from lasthop.regular_files import UnreadableError, content

PNG = b"\x89PNG\r\n\x1a\n"
KEYWORD = b"lasthop-recipe"

#: The largest file that is read, bytes: a picture or a report, no film.
MOST_BYTES = 200_000_000

MARK = b"lasthop-recipe:"
IN_PDF = re.compile(MARK + rb"([A-Za-z0-9+/=]+)")
END = b"%%EOF\n"
STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
IN_SVG = re.compile(rb'<metadata id="lasthop-recipe">(.*?)</metadata>\n?', re.DOTALL)
IN_HTML = re.compile(rb'<script type="application/json" id="recipe">(.*?)</script>\n?', re.DOTALL)


def embed(content: bytes, kind: str, recipe: Recipe) -> bytes:
    """Return the bytes of a file (png, pdf, svg or html) with its recipe in them."""
    return _WAYS[kind][0](content, recipe.text())


def extract(path: Path) -> Recipe:
    """Return the recipe of a file; raises UsageError where it cannot be read or has none."""
    found = read(path)
    text = _WAYS[kind_of(found, path)][1](found)
    if text is None:
        raise UsageError(
            f"{path}: no recipe in it: it was not written by lasthop, by one before recipes, "
            "or converted by a program that drops them"
        )
    return recipes.read(text, path)


def read(path: Path) -> bytes:
    """Return a file's bytes; raises UsageError."""
    try:
        return content(path, MOST_BYTES)
    except UnreadableError as error:
        raise UsageError(f"{path}: {error}; a figure or report of lasthop is expected") from None


def kind_of(content: bytes, path: Path) -> str:
    """Return what kind of file it is, by its beginning; raises UsageError."""
    begin = content[:1000].lstrip().lower()
    if content.startswith(PNG):
        return "png"
    if content.startswith(b"%PDF-"):
        return "pdf"
    if b"<!doctype html" in begin or begin.startswith(b"<html"):
        return "html"
    if b"<svg" in begin or begin.startswith(b"<?xml"):
        return "svg"
    raise UsageError(f"{path}: allowed: a PNG, PDF, SVG or HTML file that lasthop has written")


def bare(content: bytes, kind: str) -> bytes:
    """Return a file of text or drawing without its recipe, to be compared byte by byte."""
    if kind == "pdf":
        return content[: content.index(END) + len(END)]  # what follows was appended
    return {"svg": IN_SVG, "html": IN_HTML}[kind].sub(b"", content)


def _chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the name of each chunk of a PNG, and where it begins and ends."""
    at = len(PNG)
    while at + 12 <= len(content):
        length = int.from_bytes(content[at : at + 4])
        yield content[at + 4 : at + 8], at, at + 12 + length
        at += 12 + length


def _into_png(content: bytes, text: str) -> bytes:
    # iTXt (PNG, 11.3.3.4): keyword, compressed or not, method, language, translated keyword, text.
    body = b"iTXt" + KEYWORD + b"\0\1\0\0\0" + zlib.compress(text.encode(), 9)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    end = next(end for name, _, end in _chunks(content) if name == b"IHDR")
    return content[:end] + chunk + content[end:]


def _from_png(content: bytes) -> str | None:
    found = None
    for name, start, end in _chunks(content):
        body = content[start + 8 : end - 4]
        if name == b"iTXt" and body.startswith(KEYWORD + b"\0"):
            compressed, rest = body[len(KEYWORD) + 1], body[len(KEYWORD) + 3 :]
            _, _, text = rest.split(b"\0", 2)
            found = _inflated(text) if compressed else text
    return None if found is None else found.decode(errors="replace")


def _into_pdf(content: bytes, text: str) -> bytes:
    """Append keywords as an incremental update (PDF 32000-1, 7.5.6): a new Info object, its table, a trailer."""
    keywords = MARK + base64.b64encode(zlib.compress(text.encode(), 9))
    before = int(re.findall(rb"startxref\s+(\d+)", content)[-1])
    trailer = content[content.rindex(b"trailer") :]
    number, root, size = (
        int(_needed(rb"/" + name + rb"\s+(\d+)", trailer)) for name in (b"Info", b"Root", b"Size")
    )
    old = _needed(rb"\n%d 0 obj\s*<<(.*?)>>\s*endobj" % number, content)
    body = b"\n%d 0 obj\n<<%s /Keywords (%s) >>\nendobj\n" % (number, old, keywords)
    place, table = len(content) + 1, len(content) + len(body)
    end = (
        b"xref\n0 1\n0000000000 65535 f \n%d 1\n%010d 00000 n \ntrailer\n"
        b"<< /Size %d /Root %d 0 R /Info %d 0 R /Prev %d >>\n"
        b"startxref\n%d\n"
    ) % (number, place, size, root, number, before, table)
    return content + body + end + END


def _needed(pattern: bytes, content: bytes) -> bytes:
    found = re.search(pattern, content, re.DOTALL)
    assert found is not None, pattern  # matplotlib writes all of them
    return bytes(found[1])


def _from_pdf(content: bytes) -> str | None:
    found = IN_PDF.findall(content)
    if not found:  # rewritten by another program, which packs objects into compressed streams
        streams = (_inflated(part) for part in STREAM.findall(content))
        found = [code for stream in streams for code in IN_PDF.findall(stream)]
    try:
        return _inflated(base64.b64decode(found[-1])).decode(errors="replace") if found else None
    except ValueError:
        return ""


def _into_svg(content: bytes, text: str) -> bytes:
    end = content.index(b">", content.index(b"<svg")) + 1
    element = f'\n<metadata id="lasthop-recipe">{escape(text, quote=False)}</metadata>'
    return content[:end] + element.encode() + content[end:]


def _from_svg(content: bytes) -> str | None:
    found = IN_SVG.findall(content)
    return unescape(found[-1].decode(errors="replace")) if found else None


def _into_html(content: bytes, text: str) -> bytes:
    element = f'<script type="application/json" id="recipe">{safe_in_script(text)}</script>\n'
    at = content.rindex(b"</body>")
    return content[:at] + element.encode() + content[at:]


def _from_html(content: bytes) -> str | None:
    found = IN_HTML.findall(content)
    return found[-1].decode(errors="replace") if found else None


def _inflated(content: bytes) -> bytes:
    """Return what zlib makes of it, up to the longest recipe there is; nothing where it is no such stream."""
    try:
        return zlib.decompressobj().decompress(content, MOST_BYTES)
    except zlib.error:
        return b""


_WAYS: dict[str, tuple[Callable[[bytes, str], bytes], Callable[[bytes], str | None]]] = {
    "png": (_into_png, _from_png),
    "pdf": (_into_pdf, _from_pdf),
    "svg": (_into_svg, _from_svg),
    "html": (_into_html, _from_html),
}
