"""A scenario as a value: read, made, changed, combined and printed in Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from html import escape
from pathlib import Path
from typing import Any

from lasthop.core import source, toml
from lasthop.errors import UsageError, nearest, offered

Value = bool | int | float | str | Sequence[Any] | Mapping[str, Any]
"""A value of a key in a scenario."""


class Scenario(Mapping[str, Any]):
    """A scenario. It is not changed; what changes it returns another. It goes wherever a scenario's file goes.

    As a mapping it has its keys by dotted names: ``scenario["flow.upload.app"]``.

    Example:
        >>> base = lasthop.Scenario("scenarios/two_stations.toml")
        >>> lossy = base.with_({"tcp.variant": "cubic", "link.0.loss": 0.01}, duration="30 s")
        >>> more = lossy.adding("flow", name="call", from_="server", to="sta2", app="voice")
        >>> lasthop.run(more, seed=3)["call"]["delay.p95"]
        >>> print(more)
    """

    def __init__(
        self, given: str | Path | Mapping[str, Value] | Scenario | None = None, /, **keys: Value
    ) -> None:
        """Take a scenario from a file, from TOML text of several lines, from a dict, or from keys alone.

        Raises:
            ScenarioError: The file cannot be read, or is no TOML.
        """
        self._text: str | None = None
        self._file = "<scenario>"
        self._document: dict[str, Any]
        if isinstance(given, Scenario):
            self._text, self._file = given._text, given._file
            self._document = deepcopy(given._document)
        elif isinstance(given, Mapping):
            self._document = _plain(given)
        elif given is None:
            self._document = {}
        else:
            self._text, self._file = source.load(given)
            self._document = source.document(self._text, self._file)
        if keys:
            self._document |= _plain({_key(name): value for name, value in keys.items()})
            self._text = None

    @property
    def file(self) -> str:
        """Its name in messages. Files that it names are searched beside it."""
        changed = self._text is None and not self._file.startswith("<")
        return f"{self._file} (changed)" if changed else self._file

    @property
    def document(self) -> dict[str, Any]:
        """All its keys, as `tomllib` reads them; a copy."""
        return deepcopy(self._document)

    def toml(self) -> str:
        """Return it as TOML: the text that was read, with its comments, or one made where it was changed."""
        return toml.written(self._document) if self._text is None else self._text

    def with_(self, changes: Mapping[str, Value] | None = None, /, **keys: Value) -> Scenario:
        """Return it with other values, by dotted keys as ``--set`` has them; elements by number or name.

        Raises:
            UsageError: A key leads into something that is no table.
        """
        made = self._changed()
        named = {_key(name): value for name, value in keys.items()}
        for key, value in {**(changes or {}), **named}.items():
            _set(made._document, key, _plain({key: value})[key])
        return made

    def without(self, *keys: str) -> Scenario:
        """Return it without these keys, tables or elements of lists; raises UsageError where there are none."""
        made = self._changed()
        for key in keys:
            *steps, last = key.split(".")
            holder = _at(made._document, steps, key)
            if isinstance(holder, list):
                del holder[_place(holder, last, key)]
            elif last in holder:
                del holder[last]
            else:
                raise UsageError(f"no key {key!r}{nearest(last, [*holder])}")
        return made

    def adding(self, to: str, /, **keys: Value) -> Scenario:
        """Return it with one more table in a list: a ``link``, ``cell``, ``flow``, ...

        A name that Python keeps for itself is written with ``_`` at its end: ``from_``.
        """
        made = self._changed()
        listed = made._document.setdefault(to, [])
        if not isinstance(listed, list):
            raise UsageError(f"{to!r} is not a list of tables here: with_ changes it")
        listed.append(_plain({_key(name): value for name, value in keys.items()}))
        return made

    def __or__(self, other: Mapping[str, Value] | str | Path) -> Scenario:
        """Return both in one: tables key by key, lists of tables by name; the right one holds where both speak."""
        made = self._changed()
        theirs = other if isinstance(other, Scenario) else Scenario(other)
        _merge(made._document, theirs.document)
        return made

    def check(self) -> None:
        """Raise ScenarioError where it is wrong."""
        from lasthop.core import api

        api.check(self)

    def __getitem__(self, key: str) -> Any:
        """Return a value, a table or a list by its dotted key; raises KeyError."""
        try:
            return deepcopy(_at(self._document, key.split("."), key))
        except UsageError as error:
            raise KeyError(str(error)) from None

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys at the top."""
        return iter(self._document)

    def __len__(self) -> int:
        """Return how many keys there are at the top."""
        return len(self._document)

    def __eq__(self, other: object) -> bool:
        """Return whether the other has the same keys and values."""
        return isinstance(other, Scenario) and self._document == other._document

    def __hash__(self) -> int:
        """Return what equal scenarios share."""
        return hash(repr(sorted(self._document)))

    def __str__(self) -> str:
        """Return it as TOML."""
        return self.toml()

    def __repr__(self) -> str:
        """Return what it has, in a line."""
        counts = {key: len(v) for key, v in self._document.items() if isinstance(v, list)}
        said = ", ".join(f"{count} {key}{'s' * (count > 1)}" for key, count in counts.items())
        called = self._document.get("name") or self.file
        return f"<Scenario {called!r}{': ' if said else ''}{said}>"

    def _repr_html_(self) -> str:
        """Show it as TOML in a notebook."""
        return f"<pre>{escape(self.toml())}</pre>"

    def _changed(self) -> Scenario:
        made = Scenario(self)
        made._text = None
        return made


def _key(name: str) -> str:
    return name.removesuffix("_")


def _plain(value: Any) -> Any:
    """Return a copy in dicts and lists; values that are paths become text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Path):
        return str(value)
    if value is None:
        raise UsageError("None is not a value in a scenario; without() removes a key")
    toml_value = value.item() if hasattr(value, "item") else value
    try:
        toml.shown(toml_value)
    except TypeError as error:
        raise UsageError(str(error)) from None
    return toml_value


def _at(table: Any, steps: Sequence[str], key: str) -> Any:
    """Return the value at these steps; raises UsageError."""
    for step in steps:
        if isinstance(table, list):
            table = table[_place(table, step, key)]
        elif isinstance(table, dict) and step in table:
            table = table[step]
        else:
            there = [*table] if isinstance(table, dict) else []
            raise UsageError(f"no key {key!r}{nearest(step, there)}")
    return table


def _set(table: dict[str, Any], key: str, value: Any) -> None:
    *steps, last = key.split(".")
    holder: Any = table
    for place, step in enumerate(steps):
        if isinstance(holder, list):
            holder = holder[_place(holder, step, key)]
        elif isinstance(holder, dict):
            if step == "app" and isinstance(holder.get(step), str):
                holder[step] = {"kind": holder[step]}  # so that a change reaches into it
            holder = holder.setdefault(step, {})
        if not isinstance(holder, dict | list):
            raise UsageError(f"{key!r}: {'.'.join(steps[: place + 1])!r} is not a table here")
    if isinstance(holder, list):
        holder[_place(holder, last, key)] = value
    else:
        holder[last] = value


def _place(elements: Sequence[Any], which: str, key: str) -> int:
    names = [each.get("name") if isinstance(each, dict) else None for each in elements]
    if which in names:
        return names.index(which)
    if which.isdecimal() and int(which) < len(elements):
        return int(which)
    known = [str(name) for name in names if name is not None]
    there = ", ".join(known) or f"0 to {len(elements) - 1}"
    raise UsageError(f"{key!r}: no {which!r}{offered(which, known, there)}")


def _merge(ours: dict[str, Any], theirs: Mapping[str, Any]) -> None:
    for key, value in theirs.items():
        mine: Any = ours.get(key)
        if isinstance(mine, dict) and isinstance(value, dict):
            _merge(mine, value)
        elif _tables(mine) and _tables(value):
            for each in value:
                same = [one for one in mine if "name" in each and one.get("name") == each["name"]]
                if same:
                    _merge(same[0], each)
                else:
                    mine.append(each)
        else:
            ours[key] = value


def _tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)
