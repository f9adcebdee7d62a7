"""docs/reference/performance.md: machine, versions, tables and pictures."""

from __future__ import annotations

import datetime
import os
import platform
import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from lasthop import __version__
from lasthop.core import safe_files
from lasthop.core.checkout import ROOT
from lasthop.pages.figures import style
from lasthop.pages.figures.curves import curves
from lasthop_peers.comparing import PAIRS, REPEATS, Compared
from lasthop_peers.running import LEAST_S, Cost, middle
from lasthop_peers.scaling import Curves

PEERS = ("ns-2", "ns-3", "Komondor")
FOLDER = ROOT / "docs" / "reference"
README = ROOT / "README.md"
IN_README = re.compile(r"(<!-- peers: written by make bench-peers -->\n).*?(<!-- end -->)", re.S)
HEAD = f"""# Performance

Written by `make bench-peers`, the last section by `make sizes`: do not edit.
The same work in lasthop, ns-2, ns-3 and, in one row, Komondor, in turn on one machine.
*Cost* is nanoseconds of processor time for each data packet delivered, the median of {REPEATS} runs, without what
a run takes that is over as soon as it has begun; short runs are repeated until they have taken {LEAST_S:g} s, and
their median counts as one. *Goodput* is payload. Ratios are of costs of runs that follow each other, their median.
*Plain build* is what cargo alone compiles; the wheels, and the program of all other numbers here, are built with a
profile ([decision 53](../decisions/0053-what-is-installed.md)).
Times of a machine that does other things too differ from hour to hour, ratios less.
`validation/lasthop_peers` has the scenarios of all.

"""
BETWEEN = f"""
- `dcf-N`: N saturated stations, 802.11b at 11 Mbit/s, datagrams of 1500 B; `medium-N`: the same with places, on a
  circle of 10 m. The peers' runs are the same for both. Their sources offer a fifth more than the channel carries,
  lasthop's always wait.
- `aggregates-10`: 10 saturated stations of 802.11ax, 80 MHz, two streams, MCS 11, up to 64 datagrams of 1500 B in
  an aggregate. ns-3's bystanders take no EIFS: with `mac.bystanders = "difs"` lasthop carries 616 to 620 Mbit/s,
  and ns-3 over 8 s 613 to 618 (three seeds each).
- ns-2 has no IP and UDP headers and a MAC header of 34 B, ns-3 packet sockets instead of IP: what each leaves out
  it need not pay for.
- ns-3 answers at 11 Mbit/s where the others answer at 2, and its bystanders take no EIFS. With
  `phy.control_rate = "11 Mbps"`, `mac.bystanders = "difs"` and `mac.timeouts = "timeout"` lasthop carries 6.20 to
  6.24 Mbit/s with 10 stations, 5.07 to 5.10 with 50 and 3.49 to 3.56 with 200 (three seeds), and ns-3 over 10 s
  6.16 to 6.19, 5.08 to 5.12 and 3.52 to 3.57. Its runs in the table are shorter, and their beginning counts.
- Stations with places carry more than those without where bystanders decode one of two colliding frames: see the
  model notes.
- Komondor (github.com/wn-upf/Komondor) works by frames too. It runs {PAIRS} saturated access points, each with a
  station, on a channel of 20 MHz at the rates of its own model, with frames of 1,500 B and without RTS. It carries
  more frames in a second than 802.11b, so only the cost of a frame can be compared. It is measured where
  `KOMONDOR` names its program, compiled with `-O2` (its Makefile does not optimise).
- TCP differs in initial windows, timers and the first slow start, so goodputs of short runs do.

## How lasthop's cost grows

"""


def write(
    compared: Mapping[str, tuple[Compared, Mapping[str, Sequence[Cost]]]],
    drawn: Sequence[Curves],
    memory: Mapping[str, float],
) -> Path:
    """Write the page and its pictures."""
    parts = [HEAD, _machine(), "\n\n", _table(compared), BETWEEN]
    for each in drawn:
        picture = FOLDER / f"performance-{each.name}.svg"
        style.Sheet(partial(curves, each.chart, "one")).save(picture)
        parts.append(
            f"![{each.name}]({picture.name})\n\n{each.caption[0].upper()}{each.caption[1:]}.\n\n"
        )
    parts.append("## Memory\n\nGrowth of the process, by difference of two runs:\n\n")
    parts += [f"- {name}: {size / 1000:.1f} kB\n" for name, size in memory.items()]
    page = FOLDER / "performance.md"
    parts.append(_installation(page.read_text() if page.exists() else ""))
    text = "".join(parts)
    readme = with_speeds(README.read_text(), text)
    safe_files.write_bytes(README, readme.encode())
    return safe_files.write_bytes(page, text.encode())


def with_speeds(readme: str, page: str) -> str:
    """Return README with how many times as fast lasthop is as its peers, by the table of the page."""
    lines = [line.strip("| ").split(" | ") for line in page.splitlines() if " | " in line]
    head = next(cells for cells in lines if cells[0] == "workload")
    rows = {cells[0]: dict(zip(head, cells, strict=False)) for cells in lines}
    dcf, places, aggregates = (rows[name] for name in ("dcf-10", "medium-10", "aggregates-10"))
    said = (
        f"Ten saturated stations run {dcf['times ns-2']} times as fast as in ns-2.35 and {dcf['times ns-3']} "
        f"times as fast as in ns-3.37; with places {places['times ns-2']} and {places['times ns-3']} times, "
        f"with 802.11ax and aggregates {aggregates['times ns-3']} times as fast as in ns-3.37."
    )
    return IN_README.sub(lambda match: f"{match[1]}{said}\n{match[2]}", readme)


def _installation(page: str) -> str:
    """Return the part of the page that `make sizes` writes, to be kept."""
    place = page.find("\n## The base installation\n")
    return page[place:] if place >= 0 else ""


def _machine() -> str:
    known = {
        "Machine": f"{_processor()}, {os.cpu_count()} processors, {_memory_gib():.0f} GiB",
        "lasthop": f"{__version__}, {_said('git', 'rev-parse', '--short', 'HEAD')}; {_said('rustc', '--version')}",
        "ns-2": _package("ns2"),
        "ns-3": _ns3(),
        "Date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }
    return "\n".join(
        ["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in known.items())]
    )


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    named = (line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


def _memory_gib() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def _package(name: str) -> str:
    version = _said("dpkg-query", "-W", "-f", "${Version}", name)
    return f"Debian {name} {version}" if version else "not installed"


def _ns3() -> str:
    """Return the package and how it was built: a build with assertions or logging says so in its flags."""
    flags = _said("pkg-config", "--cflags", "ns3-core")
    checked = [flag[2:] for flag in flags.split() if flag.startswith("-DNS3")]
    package = _package("libns3-dev")
    return (
        f"{package}, flags {' '.join(checked) or 'none'}; our programs by g++ -O2"
        if flags
        else package
    )


def _said(*command: str) -> str:
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    except FileNotFoundError:
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""


def _table(compared: Mapping[str, tuple[Compared, Mapping[str, Sequence[Cost]]]]) -> str:
    lines = [
        f"| workload | cost: lasthop | plain build | {' | '.join(PEERS)} "
        f"| {' | '.join(f'times {peer}' for peer in PEERS)} "
        f"| goodput, Mbit/s: lasthop | {' | '.join(PEERS)} |",
        "|---" * (4 + 3 * len(PEERS)) + "|",
    ]
    for name, (each, found) in compared.items():
        ours, others = found["lasthop"], [found.get(peer, ()) for peer in PEERS]
        cells = [
            *(
                f"{middle(costs).ns_per_packet:,.0f}" if costs else ""
                for costs in (ours, found["plain"], *others)
            ),
            *(_times(costs, ours) if costs else "" for costs in others),
            *(
                f"{middle(costs).packets_per_s * each.payload_bits / 1e6:.2f}" if costs else ""
                for costs in (ours, *others)
            ),
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _times(theirs: Sequence[Cost], ours: Sequence[Cost]) -> str:
    ratio = median(a.ns_per_packet / b.ns_per_packet for a, b in zip(theirs, ours, strict=True))
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"
