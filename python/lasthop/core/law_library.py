"""Laws that are compiled outside lasthop: libraries that `--law` loads, made by ``lasthop new law NAME --rust``.

Nothing of a file is run before it is known to be a library for this system, whole, and made for this lasthop.
"""

from __future__ import annotations

import hashlib
import platform
import struct
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lasthop import regular_files
from lasthop._core import LawLibrary, law_sources
from lasthop.errors import LawError
from lasthop.regular_files import UnreadableError

__all__ = [
    "ENDING",
    "LawLibrary",
    "all_compiled",
    "content_of",
    "is_library",
    "law_sources",
    "load",
    "strange",
]

ENDINGS = (".so", ".dylib", ".dll")
"""The endings of libraries, on Linux, macOS and Windows."""

ENDING = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
"""The ending of libraries on this system."""


LARGEST = 2**28
"""The largest library, bytes."""


def is_library(where: str) -> bool:
    """Return whether ``--law`` names a library and not a file in Python."""
    return where.lower().endswith(ENDINGS)


def all_compiled(laws: Mapping[str, Any]) -> bool:
    """Return whether no law needs Python while it runs: such runs go in parallel."""
    return all(isinstance(law, LawLibrary) for law in laws.values())


def load(where: str) -> LawLibrary:
    """Load the law of a library; raises LawError, with what is wrong, where it is none."""
    content = _read(where)
    return LawLibrary(where, content, _digest_of(content))


def content_of(where: str, digest: str) -> bytes:
    """Return the content of a library known by its digest; raises LawError where it is another by now."""
    content = _read(where)
    if _digest_of(content) != digest:
        raise LawError(
            f"{where}: error: is not the library that the study began with: it has been built anew since. "
            "Run the study again with this one"
        )
    return content


def _read(where: str) -> bytes:
    try:
        content = regular_files.content(Path(where), LARGEST)
    except UnreadableError as error:
        how = "; `cargo build --release` in the law's folder writes it" if error.missing else ""
        raise LawError(f"{where}: error: {error}{how}") from None
    if why := strange(content):
        raise LawError(f"{where}: error: {why}")
    return content


def _digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:20]


def strange(content: bytes) -> str:
    """Return why a file cannot be loaded on this system; empty where that is not known before it is tried."""
    made_for = _made_for(content)
    if made_for is None:
        return (
            "is no library; `cargo build --release` in the folder of a law writes "
            f"target/release/libNAME{ENDING}"
        )
    here = (_SYSTEMS.get(sys.platform, "Linux"), _processor(platform.machine()))
    if made_for[0] != here[0] or made_for[1] not in (here[1], ""):
        return (
            f"is a library for {made_for[0]} on {made_for[1] or 'several processors'}, and this is "
            f"{here[0]} on {here[1]}: build it here, with cargo build --release"
        )
    if made_for[0] == "Linux" and (needed := _end_of_elf(content)) > len(content):
        return f"is cut off: it has {len(content):,} of {needed:,} bytes or more; build it again"
    return ""


_SYSTEMS = {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}
_ELF = {3: "x86", 40: "arm", 62: "x86-64", 183: "arm64", 243: "riscv64"}
_MACH = {0x01000007: "x86-64", 0x0100000C: "arm64"}
_PE = {0x14C: "x86", 0x8664: "x86-64", 0xAA64: "arm64"}


def _processor(machine: str) -> str:
    """Return one name for a processor."""
    return {"x86_64": "x86-64", "amd64": "x86-64", "aarch64": "arm64"}.get(
        machine.lower(), machine.lower()
    )


def _made_for(content: bytes) -> tuple[str, str] | None:
    """Return the system and the processor that a library is for; None: it is none, or not of 64 bits."""
    if len(content) < 64:
        return None
    if content[:5] == b"\x7fELF\x02":
        number = struct.unpack_from("<H", content, 18)[0]
        return "Linux", _ELF.get(number, f"processor {number}")
    if content[:4] == b"\xcf\xfa\xed\xfe":
        number = struct.unpack_from("<I", content, 4)[0]
        return "macOS", _MACH.get(number, f"processor {number}")
    if content[:4] == b"\xca\xfe\xba\xbe":
        return "macOS", ""  # for several
    if content[:2] == b"MZ":
        at = struct.unpack_from("<I", content, 60)[0]
        if content[at : at + 4] == b"PE\0\0" and len(content) >= at + 6:
            number = struct.unpack_from("<H", content, at + 4)[0]
            return "Windows", _PE.get(number, f"processor {number}")
    return None


def _end_of_elf(content: bytes) -> int:
    """Return how long an ELF file has to be, bytes: to map more than there is ends a process."""
    ends: list[int]
    try:
        start, sections = struct.unpack_from("<QQ", content, 32)
        size, count, section, of_those = struct.unpack_from("<HHHH", content, 54)
        ends = [start + size * count, sections + section * of_those]
        for number in range(count):
            # Elf64_Phdr: p_offset at 8, p_filesz at 32.
            (offset,) = struct.unpack_from("<Q", content, start + number * size + 8)
            (held,) = struct.unpack_from("<Q", content, start + number * size + 32)
            ends.append(offset + held)
    except struct.error:
        return len(content) + 1
    return max(ends)
