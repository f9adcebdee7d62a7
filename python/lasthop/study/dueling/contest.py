"""The contestants and conditions of a duel: two studies, each alone on the path and all pairs on one
path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lasthop.core import api
from lasthop.core.idle import reaching
from lasthop.core.python_law import LawFactory
from lasthop.core.python_law import is_file as is_law_file
from lasthop.core.python_law import load as load_law
from lasthop.core.scenario import Scenario
from lasthop.errors import UsageError, nearest
from lasthop.study import reader
from lasthop.study.axes import Axis
from lasthop.study.cells import cells, idle_axes
from lasthop.study.dueling.verdict import Duel, judge
from lasthop.study.spec import Study
from lasthop.study.sweeping import Hooks, sweep

OWN = ("variant", "law", "recovery")
"""Keys by which a flow names its own TCP: it is then none of those that duel, but what they meet."""

RECOVERY = "rack_tlp"
"""Of laws that meet where the scenario names a variant, which has a recovery of its own."""

RIVAL = "-rival"


@dataclass(frozen=True)
class Contest:
    """The contestants.

    Attributes:
        names: The one that is judged first, then those that it meets.
        key: ``tcp.variant``, or ``tcp.law`` where one of them is a law in Python.
        laws: Those in Python, by name.
        study: The conditions.
        flows: The flows that duel; each gets a rival beside it where they share a path.
        notes: What a reader should know, a sentence each.
    """

    names: tuple[str, ...]
    key: str
    laws: Mapping[str, LawFactory]
    study: Study
    flows: tuple[str, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(
        cls, contestants: Sequence[str], conditions: Study | str | Path, laws: Sequence[str] = ()
    ) -> Contest:
        """Read the contestants and conditions; raises UsageError, StudyError, LawError."""
        loaded = dict(map(load_law, laws))
        names = []
        for each in contestants:
            if is_law_file(each):
                name, made = load_law(each)
                loaded[name] = made
                names.append(name)
            else:
                names.append(each)
        if len(names) < 2:
            raise UsageError(
                "a duel needs two TCPs or more: lasthop duel cubic bbr --over conditions.toml"
            )
        if len(set(names)) < len(names):
            raise UsageError(f"a duel names each TCP once; there are: {', '.join(names)}")
        key = "tcp.law" if any(name in loaded for name in names) else "tcp.variant"
        refuse_unknown(names, key, loaded)
        study = conditions if isinstance(conditions, Study) else reader.read(conditions)
        if taken := [
            each for each in study.keys if each in ("tcp.variant", "tcp.law", "tcp.recovery")
        ]:
            raise UsageError(
                f"the conditions vary {taken[0]}, which the duel itself varies: leave it out"
            )
        scenario, told = _without_variant(study, key)
        mine = {name: made for name, made in loaded.items() if name in names}
        contest = cls(
            tuple(names),
            key,
            mine,
            replace(study, scenario=scenario, laws=mine),
            _flows(scenario),
            told,
        )
        _refuse_unreached(contest)
        return contest

    @property
    def alone(self) -> Study:
        """Each by itself under every condition."""
        study = self.study
        axes = (*study.axes, (Axis(self.key, self.names),))
        return replace(study, name=f"{study.name}.alone", axes=axes)

    @property
    def shared(self) -> Study | None:
        """The first beside each on one path, and beside itself; None where no flow can have a rival.

        In both orders: of flows that begin at one instant the first may gain by it.
        """
        if not self.flows:
            return None
        made = Scenario(self.study.scenario)
        rivals = []
        for flow in made.document["flow"]:
            if flow.get("name") in self.flows:
                rivals.append(flow["name"] + RIVAL)
                made = made.adding("flow", **{**flow, "name": rivals[-1]})
        study = self.study
        last = self.key.split(".")[1]
        first = self.names[0]
        pairs = [(first, first)]
        for name in self.names[1:]:
            pairs += [(first, name), (name, first)]
        keys = [self.key, *(f"flow.{rival}.tcp.{last}" for rival in rivals)]
        group = tuple(
            Axis(key, tuple(pair[place > 0] for pair in pairs)) for place, key in enumerate(keys)
        )
        return replace(
            study,
            name=f"{study.name}.shared",
            scenario=made.toml(),
            axes=(*study.axes, group),
            metrics=tuple(f"{flow}.goodput" for flow in (*self.flows, *rivals)),
            compare=(),
            claims=(),
            precision=None,
            replications=study.replications,
        )


def refuse_unknown(names: Sequence[str], key: str, laws: Mapping[str, Any]) -> None:
    """Raise UsageError for a name that is no variant (`key` ``tcp.variant``), or no law (``tcp.law``)."""
    kind = "laws" if key == "tcp.law" else "variants"
    there = [row["name"] for row in api.catalogue()[kind]]
    for name in names:
        if name not in there and name not in laws:
            beside = "; a law of your own meets laws, not variants" if kind == "laws" else ""
            raise UsageError(
                f"no {kind[:-1]} {name!r}{beside}{nearest(name, there) or ';'} `lasthop list {kind}` names all; "
                "a law of your own is FILE.py:CLASS or a library"
            )


def _without_variant(study: Study, key: str) -> tuple[str, tuple[str, ...]]:
    """Return the scenario without what the duel says; a variant is a recovery and a law, and bars a law."""
    scenario = Scenario(study.scenario)
    tcp = scenario.document.get("tcp", {})
    if key == "tcp.variant":
        for own in ("variant", "law", "recovery"):
            if own in tcp:
                scenario = scenario.without(f"tcp.{own}")
        return scenario.toml(), ()
    for own in ("variant", "law"):
        if own in tcp:
            scenario = scenario.without(f"tcp.{own}")
    if "recovery" not in tcp:
        scenario = scenario.with_({"tcp.recovery": RECOVERY})
    kept = scenario["tcp.recovery"]
    return scenario.toml(), (f"All use the recovery {kept}, so only the law differs.",)


def _refuse_unreached(contest: Contest) -> None:
    """Refuse conditions under which all contestants give the same runs."""
    study = contest.alone
    if [contest.key] in idle_axes(study, cells(study)):
        own = [key.split(".")[1] for key in reaching(study.scenario, contest.key)]
        named = f" ({own[0]} has tcp = ...)" if own else ""
        raise UsageError(
            f"every TCP flow of the conditions names its own TCP{named}, so the duel would "
            "change none: leave variant, law and recovery out of the flows that take part"
        )


def _is_free(flow: Mapping[str, Any]) -> bool:
    """Tell whether a flow takes the TCP of all."""
    own = flow.get("tcp", {})
    return isinstance(own, dict) and not any(key in own for key in OWN)


def _flows(scenario: str) -> tuple[str, ...]:
    """Return the flows that duel and can have a rival beside them: TCP, one, named, and no TCP of their own."""
    found = []
    for flow in Scenario(scenario).document.get("flow", []):
        app = flow.get("app", "bulk")
        kind = app.get("kind", "bulk") if isinstance(app, dict) else app
        is_bulk = kind == "bulk" and flow.get("transport", "tcp") == "tcp"
        is_one = "name" in flow and "count" not in flow and "*" not in f"{flow['from']}{flow['to']}"
        if _is_free(flow) and is_bulk and is_one:
            found.append(str(flow["name"]))
    return tuple(found)


def duel(
    contest: Contest,
    out: Path,
    *,
    replications: int | None = None,
    workers: int | None = None,
    executor: str = "local",
    hooks: Hooks | None = None,
    share: bool = True,
) -> Duel:
    """Run a contest and judge it. It can be stopped, and goes on where it was: its studies are kept in `out`."""
    asked: dict[str, Any] = {"workers": workers, "executor": executor, "hooks": hooks}
    if replications is not None:
        asked["replications"] = replications
    alone = sweep(contest.alone, out / "alone", **asked)
    both = contest.shared if share else None
    shared = None if both is None else sweep(both, out / "shared", **asked)
    return judge(contest.names, contest.key, alone, shared, contest.flows, contest.notes)
