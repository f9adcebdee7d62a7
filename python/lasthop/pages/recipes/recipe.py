"""The form of a recipe: everything needed to make a file again, and the numbers that it shows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from lasthop import extras, regular_files
from lasthop.core import shapes, source
from lasthop.core.engine import engine, version
from lasthop.core.job import Handed, Job
from lasthop.errors import UsageError
from lasthop.numbers.numerals import finite
from lasthop.regular_files import UnreadableError, json_of

FORMAT = 1
"""Raised when recipes change so that older ones can no longer be read."""

MOST_VALUES = 150_000
"""Characters of JSON: of longer numbers only the digest is kept."""

MOST_FILES = 2_000_000
"""Characters of the files that a scenario names: of longer ones only the digest is kept."""


SHAPE = shapes.fields(
    {
        **dict.fromkeys(("kind", "command", "file", "version", "engine"), shapes.text),
        "matplotlib": shapes.text,
        "inputs": shapes.table(shapes.anything),
        "data": shapes.fields({"sha256": shapes.text, "values": shapes.anything}, ["values"]),
    }
)


FILES = shapes.table(
    shapes.fields(dict.fromkeys(("why", "sha256", "text"), shapes.text), ["why", "sha256", "text"])
)
"""The files that a scenario names, as `files_in` reads them."""

TEXTS = shapes.each(shapes.text)

JOB = {
    "scenario": shapes.fields({**dict.fromkeys(("text", "file"), shapes.text), "files": FILES}),
    "changes": TEXTS,
}
"""A scenario in a recipe with its changes, as `of_job` makes them."""


@dataclass(frozen=True)
class Recipe:
    """A recipe: the origin of a figure or report.

    Attributes:
        kind: The maker: ``paper``, ``advice``, ``validation``, ``plot``, ``report``, ...
        command: What a person would type.
        inputs: All that it depends on, as `kind` wants it: scenario or study, seeds, replications, metrics.
        data: The numbers that are shown: ``sha256`` of them as JSON, and ``values`` where they are not too many.
        file: The file's name.
        version: Of lasthop; `engine`: of what computes, the same where results are; `matplotlib`: of what draws.
    """

    kind: str
    command: str
    inputs: Mapping[str, Any]
    data: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    version: str = version()
    engine: str = engine()
    matplotlib: str = ""

    def of(self, path: Path) -> Recipe:
        """Return the recipe of a file of this name, drawn by the matplotlib that is here, if there is one."""
        return replace(self, file=path.name, matplotlib=extras.version("matplotlib"))

    def text(self) -> str:
        """Return the recipe as JSON, without anything but ASCII."""
        return json.dumps({"lasthop-recipe": FORMAT, **asdict(self)}, allow_nan=False)


def recipe(
    kind: str, command: str, inputs: Mapping[str, Any], shown: Any, *, file: str = ""
) -> Recipe:
    """Make a recipe; `shown` is the numbers of the figure or report, in anything that JSON has (and NaN)."""
    return Recipe(kind, command, inputs, _data(shown), file)


def read(text: str, where: Path) -> Recipe:
    """Read a recipe from JSON; raises UsageError where it is none, or one of a later lasthop."""
    try:
        held = json_of(text)
        number = held.pop("lasthop-recipe") if isinstance(held, dict) else None
        if isinstance(number, int) and number > FORMAT:
            raise UsageError(
                f"{where}: its recipe is from a later lasthop (format {number}; this one reads {FORMAT})"
            )
        shapes.check(held, SHAPE)
        return Recipe(**held)
    except KeyError:
        raise UsageError(f"{where}: its recipe is damaged") from None
    except UnreadableError as error:
        raise UsageError(f"its recipe is damaged: {error}", file=str(where)) from None
    except shapes.MisshapenError as error:
        raise error.behind("its recipe is damaged", UsageError, str(where), error.path) from None


def checked(inputs: Any, shape: shapes.Shape) -> None:
    """Raise UsageError where what a recipe holds has not this shape."""
    try:
        shapes.check(inputs, shape)
    except shapes.MisshapenError as error:
        raise error.behind("the recipe is damaged", UsageError, path=error.path) from None


def of_job(job: Job) -> dict[str, Any]:
    """Return a scenario and its changes, as a recipe holds them; see `JOB`."""
    held = {"text": job.text, "file": Path(job.file).name, "files": kept(job.files)}
    return {"scenario": held, "changes": list(job.overrides)}


def job_of(inputs: Mapping[str, Any]) -> Job:
    """Return the job of a recipe that holds one, with the recipe's seed where it has one."""
    base, changes = inputs["scenario"], tuple(inputs["changes"])
    return Job(base["text"], base["file"], changes, inputs.get("seed"), files=files_in(base))


def kept(files: Iterable[Handed]) -> dict[str, Any]:
    """Return the files that a scenario names, as a recipe holds them: no path of this machine."""
    found, left = {}, MOST_FILES
    for name, content, why in files:
        if content is None:
            found[name] = {"why": why}
            continue
        found[name] = {"sha256": digest(content)}
        if len(content) <= left:
            found[name]["text"] = content
            left -= len(content)
    return found


def files_in(held: Mapping[str, Any]) -> tuple[Handed, ...]:
    """Return the files of a scenario in a recipe; one that was too long to be kept is read from here.

    Raises UsageError where that is not here, or has changed.
    """
    found = []
    for name, each in held["files"].items():
        text = each.get("text")
        if text is None and "sha256" in each:
            try:
                text = regular_files.content(Path(name), source.MAX_FILE_BYTES).decode("utf-8-sig")
            except (UnreadableError, ValueError) as error:
                raise UsageError(
                    f"{name} was too long for the recipe, and it cannot be read here: {error}"
                ) from None
            if digest(text) != each["sha256"]:
                raise UsageError(f"{name} has changed since the figure was made")
        found.append((name, text, each.get("why", "")))
    return tuple(found)


def digest(text: str) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def plain(value: Any) -> Any:
    """Return a value as JSON has it: floats to the last bit, None for what is no finite number."""
    if isinstance(value, float):
        return finite(float(value))
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [plain(each) for each in value]
    return value


def _data(shown: Any) -> dict[str, Any]:
    try:
        # A page has hundreds of thousands of numbers, and mostly all are finite: no copy of them is made then.
        text = json.dumps(shown, allow_nan=False)
    except (TypeError, ValueError):
        text = json.dumps(plain(shown), allow_nan=False)
    found: dict[str, Any] = {"sha256": digest(text)}
    if len(text) <= MOST_VALUES:
        found["values"] = json.loads(text)
    return found
