"""`lasthop new`: makes files to begin with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from lasthop.cli import completing
from lasthop.cli.options import Many, MaybeWhole, Whole
from lasthop.cli.terminal import terminal

command = App(
    name="new",
    help="""Write a network, study or TCP of your own to edit.

The files run without changes. A paper is a folder, which `lasthop reproduce` runs.""",
    help_epilogue="",
    help_format="markdown",
)


Variants = Annotated[
    tuple[str, ...],
    Parameter(negative="", show_default=False, completer=completing.named("variants")),
]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Traffic:
    """The options of `lasthop new wifi`, `wimax` and `wire`.

    Parameters
    ----------
    stations:
        How many stations there are.
    uploads:
        The TCP variant with which each station uploads, or a number of uploads, as in cubic:3. Can be repeated.
    downloads:
        The same for downloads from the server to the stations. Where no traffic is asked for, each has one.
    calls:
        How many of the stations are phones with a call each.
    video:
        How many films are watched.
    web:
        How many stations browse.
    loss:
        The share of frames in the air, or of packets on a wire, that is lost at random, such as 2% or 0.02.
    rate:
        The rate of the link from the server to the access point; on a wire that of the bottleneck. The default is
        10 Gbps to an access point of 802.11n, 802.11ac or 802.11ax, 10 Mbps on a wire, and else 100 Mbps.
    delay:
        The delay of that link in one direction.
    queue:
        The limit of each queue in packets. The default is 1000 with 802.11n, 802.11ac and 802.11ax (8192 at the
        access point), and else 50.
    duration:
        The length of a run. The default is 10 s with 802.11n, 802.11ac and 802.11ax, and else 60 s.
    out:
        The folder for the file.
    """

    stations: Whole = 2
    uploads: Variants = ()
    downloads: Variants = ()
    calls: Whole = 0
    video: Whole = 0
    web: Whole = 0
    loss: str | None = None
    rate: str | None = None
    delay: str = "10 ms"
    queue: Whole | None = None
    duration: str | None = None
    out: Path = Path()


def _scenario(kind: str, name: str, asked: Traffic, phy: str, slow: Sequence[str] = ()) -> None:
    from lasthop.study import making
    from lasthop.study.making import asked_traffic, scales, scenarios

    making.refuse_strange_name(name, "scenario")
    usual = scales.scale_of(kind, phy)
    wanted = asked_traffic.Wanted(
        kind=kind,
        name=name,
        phy=phy,
        slow=slow,
        rate=asked.rate or usual.rate,
        queue=asked.queue,
        duration=asked.duration or usual.duration,
        **{key: getattr(asked, key) for key in scenarios.ASKED},
    )
    path = asked.out / f"{name}.toml"
    making.write({path: making.schema_line(asked.out) + scenarios.text(wanted)})
    _say(f"wrote {path}: lasthop run {path}")
    if (idle := asked_traffic.idle(wanted)) > 1:
        without = f"{idle} of {asked.stations} stations have nothing to do"
        _say(f"{without}: with --downloads {usual.variant} each would have a download")


@command.command
def wifi(
    name: str = "wifi",
    /,
    *,
    phy: Annotated[str, Parameter(completer=completing.named("phys"))] = "802.11g",
    slow: Many = (),
    traffic: Traffic | None = None,
) -> None:
    """Make a Wi-Fi network: stations and an access point.

    Example: lasthop new wifi --stations 10 --phy 802.11g --uploads cubic --downloads bbr --calls 1 --loss 2%

    Parameters
    ----------
    name:
        The name of the scenario and of its file.
    phy:
        The standard; `lasthop list phys` prints all.
    slow:
        The rate of a station that has an old, slow one, such as '1 Mbps', or of several, as in '6 Mbps:2'. Can be
        repeated. The first stations have these rates.
    """
    _scenario("wifi", name, traffic or Traffic(), phy, slow)


@command.command
def wimax(name: str = "wimax", /, *, traffic: Traffic | None = None) -> None:
    """Make a WiMAX network: stations and a base station.

    Example: lasthop new wimax --stations 6 --downloads newreno

    Parameters
    ----------
    name:
        The name of the scenario and of its file.
    """
    _scenario("wimax", name, traffic or Traffic(), "802.11g")


@command.command
def wire(name: str = "wire", /, *, traffic: Traffic | None = None) -> None:
    """Make a wired network: hosts behind one narrow link.

    Example: lasthop new wire --downloads cubic:2 --downloads bbr:1 --rate '50 Mbps' --queue 200

    Parameters
    ----------
    name:
        The name of the scenario and of its file.
    """
    _scenario("wire", name, traffic or Traffic(), "802.11g")


@command.command
def study(
    name: str = "study",
    /,
    *,
    scenario: Annotated[str, Parameter(completer=completing.scenarios)] = "two_stations",
    over: Many = (),
    metric: Many = (),
    replications: MaybeWhole = None,
    out: Path = Path(),
) -> None:
    """Make a study of a network, which `lasthop sweep` runs.

    Example: lasthop new study queues --scenario wifi.toml --over queue.packets=10,50,200 --metric goodput

    Parameters
    ----------
    name:
        The name of the study and of its file.
    scenario:
        A file, or a name from `lasthop list scenarios`.
    over:
        An axis, key=value,value. Can be repeated. The default is TCP variants, or limits of queues where no flow
        is of TCP.
    metric:
        The metric. Can be repeated. The default is what people notice of the scenario's flows: calls, pages,
        goodput.
    replications:
        The replications of each cell. The default is 20: where several metrics and settings are compared, ten show
        only differences that are huge.
    out:
        The folder for the file.
    """
    from lasthop.study import making
    from lasthop.study.making import studies

    making.refuse_strange_name(name, "study")
    asked = studies.Wanted(
        name=name,
        scenario=scenario,
        over=over,
        metrics=metric,
        replications=20 if replications is None else replications,
    )
    path = out / f"{name}.toml"
    making.write({path: studies.text(asked, out)})
    _say(f"wrote {path}: lasthop sweep {path}")


@command.command
def law(name: str = "MyLaw", /, *, rust: bool = False, out: Path = Path()) -> None:
    """Make a congestion control of your own, and its test.

    Example: lasthop new law Gentle

    Example: lasthop new law Gentle --rust

    It is a class in Python, or a crate in Rust. Until you change it, it behaves exactly as Reno. A crate in Rust
    needs cargo and nothing of lasthop's: `cargo build --release` makes the library that --law loads, at the speed
    of lasthop's own laws.

    Parameters
    ----------
    name:
        The name of the law.
    rust:
        Make a crate in Rust.
    out:
        The folder for the law in Python, or for the crate's folder.
    """
    from lasthop.study import making
    from lasthop.study.making import law_files

    making.refuse_strange_name(name, "law")
    files = law_files.rust(name, out) if rust else law_files.python(name, out)
    making.write(files)
    first = next(iter(files))
    if rust:
        folder = first.parents[1]
        _say(f"made {folder}; the law is {first}")
        _say(f"cd {folder} && cargo test && cargo build --release")
        _say(f"lasthop run dumbbell --law target/release/{law_files.library_of(name)}")
        return
    _say(f"wrote {' and '.join(str(path) for path in files)}")
    _say(f"lasthop run dumbbell --law {first}:{law_files.class_of(name)}")


@command.command
def paper(
    name: str,
    /,
    *,
    out: Path = Path(),
    like: Annotated[str, Parameter(completer=completing.papers)] = "",
) -> None:
    """Make a folder for a paper to run again.

    Example: lasthop new paper jun2003

    Example: lasthop new paper mine --like petrovic2003

    Its files have comments, and `lasthop reproduce ./NAME` runs them as they are.

    Parameters
    ----------
    name:
        A name for the paper, such as jun2003.
    out:
        The directory in which the folder is made.
    like:
        A paper that comes with lasthop, or the folder of one, whose studies and claims are copied, to be changed.
    """
    from lasthop.study.papers import paper_folder

    folder = paper_folder.new(name, out, like)
    place = folder if folder.is_absolute() else f"./{folder}"
    _say(f"made {folder}: fill it in, and run lasthop reproduce {place}")


def _say(text: str) -> None:
    terminal().print(text, highlight=False, soft_wrap=True, markup=False)
