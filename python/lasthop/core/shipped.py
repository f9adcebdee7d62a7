"""Scenarios, studies and papers that come with lasthop, by name: ``lasthop run two_stations``."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path

from lasthop.errors import nearest

#: A name of ours has no folder and no ending: what has one is a path.
KINDS = ("scenarios", "studies")

RUN_BY = {
    "scenarios": ("scenario", "run"),
    "studies": ("study", "sweep"),
}
"""What one of a kind is called, and the command that runs it."""

MAIN_PAPERS = {
    "petrovic2003": "TCP over one 802.11 cell: packet size, window, RTS/CTS and FEC; web; voice (tables 1 to 5)",
    "janevski2011": "five TCPs beside film, game and chat over 802.11g, at rest and moving (tables 4 to 6)",
    "qaddoura2006": "split connections, the maximum throughput of a mixed network (cases 1 to 5)",
    "wimax2012": "eight TCPs over 802.16 and 802.11b: errors, congestion, asymmetry (figures 4 to 16)",
}
"""The papers that were read in full: `lasthop reproduce all` runs these."""

FURTHER_PAPERS = {
    "balakrishnan1997": "who repairs a radio link's losses best: Snoop, split connections, SACK, ELN (abstract)",
    "bianchi2000": "saturated stations of one 802.11 cell against Bianchi's model (the abstract, ns-3's table)",
    "heusse2003": "one slow host slows down all hosts of an 802.11b cell (the abstract)",
    "pilosof2003": "uploads against downloads over the buffer of an access point (the abstract)",
    "ath9k2016": "airtime fairness at an access point with one slow station (a commit of Linux)",
    "ns3tcp2020": "CUBIC over CoDel and DCTCP, against ns-3's validated results (tcp-validation.cc)",
}
"""Those of which a part was read, most often the abstract."""

PAPERS = MAIN_PAPERS | FURTHER_PAPERS
"""The papers that come with lasthop."""


def paths(kind: str) -> dict[str, Path]:
    """Return the files of a kind by name."""
    folder = Path(str(resources.files("lasthop"))) / kind
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def is_ours(given: str | Path, kind: str) -> bool:
    """Tell whether a bare name is that of one of ours."""
    return Path(given).name == str(given) and str(given) in paths(kind)


def found(given: str | Path, *kinds: str) -> Path:
    """Return the file of one of the kinds that a bare name means, where none of its name is here; else `given`."""
    path = Path(given)
    ours = next((kind for kind in kinds if is_ours(given, kind)), None)
    return path if ours is None or path.exists() else paths(ours)[path.name]


def typed(file: str | Path, text: str) -> str:
    """Return what one types for a file with this text: the name of one of ours, or the file's."""
    name = Path(file).stem
    ours = [paths(kind)[name] for kind in KINDS if name in paths(kind)]
    is_ours = any(path.read_text(encoding="utf-8") == text for path in ours)
    return name if is_ours else Path(file).name


def hint(path: Path, *kinds: str) -> str:
    """Say which of ours may be meant by a path where nothing is, and what names them all."""
    if str(path) in PAPERS:
        return f"; it is a paper: `lasthop reproduce {path}` judges its claims and audits its assumptions"
    for kind in KINDS:
        if kind not in kinds and is_ours(path, kind):
            what, command = RUN_BY[kind]
            return f"; it is a {what}: `lasthop {command} {path}` runs it"
    close = closest(path, *kinds)
    if not close and str(path) != path.stem:
        return ""
    lists = " and ".join(f"`lasthop list {kind}`" for kind in kinds)
    verb = "shows" if len(kinds) == 1 else "show"
    return f"{close or ';'} {lists} {verb} those that come with lasthop"


def closest(path: Path, *kinds: str) -> str:
    """Say which of ours is near a name that nothing has; empty where none is."""
    return nearest(path.stem, [name for kind in kinds for name in paths(kind)])


def listed(kind: str) -> list[dict[str, str]]:
    """Return the names of a kind, each with a line on what it shows."""
    return [
        {"name": name, "about": about(path.read_text(encoding="utf-8"))}
        for name, path in paths(kind).items()
    ]


def about(text: str) -> str:
    """Return the description of a scenario or study: its key, or the sentence that it begins with."""
    said = tomllib.loads(text)
    found = said.get("study", said).get("description")
    if not found:
        lines = text.split("\n\n")[0].split("\n")
        # What begins with #: is for editors.
        comment = [line[1:].strip() for line in lines if line[:1] == "#" and line[1:2] != ":"]
        found = " ".join(line for line in comment if not line.startswith("lasthop "))
    return re.split(r"(?<=[.?]) ", str(found))[0].rstrip(".")
