"""Columns of tables: numpy arrays, with what is null, and words for text."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray


class Kind(Enum):
    """The kind of a column."""

    NUMBER = "float64"
    WHOLE = "int64"
    BOOL = "bool"
    TEXT = "string"
    TEXTS = "list of strings"


DTYPES = {Kind.NUMBER: np.float64, Kind.WHOLE: np.int64, Kind.BOOL: np.bool_}
MOST_WHOLE = 2**63 - 1


@dataclass(frozen=True, eq=False, slots=True)
class Column:
    """A column: a sequence of Python values, None where there is none; `to_numpy` gives them as an array.

    Attributes:
        kind: The kind of its values.
        values: Numbers; for text and lists of text places in `words`.
        valid: Where there is a value; None: everywhere.
        words: The texts, each once.
        ends: For lists of text: where the list of each row ends in `values`.
    """

    kind: Kind
    values: NDArray[Any]
    valid: NDArray[np.bool_] | None = None
    words: tuple[str, ...] = ()
    ends: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, values: Iterable[Any], kind: Kind | None = None) -> Column:
        """Return a column of Python values or of an array; None and NaN are null, of no value at all a number."""
        if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
            return _of_array(values)
        listed = list(values)
        kind = kind or _kind_of(listed)
        if kind is Kind.TEXTS:
            return _of_lists(listed)
        known = [each is not None for each in listed]
        valid = None if all(known) else np.array(known, dtype=bool)
        if kind is Kind.TEXT:
            words: dict[str, int] = {}
            places = [
                0 if each is None else words.setdefault(str(each), len(words)) for each in listed
            ]
            return cls(kind, np.array(places, dtype=np.int32), valid, tuple(words))
        filled = [0 if each is None else each for each in listed]
        found = cls(kind, np.array(filled, dtype=DTYPES[kind]), valid)
        return _without_nan(found) if kind is Kind.NUMBER else found

    @classmethod
    def repeated(cls, value: Any, count: int) -> Column:
        """Return a column with the same value in each of `count` rows."""
        return cls.of([value]).take(np.zeros(count, dtype=np.int64))

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.values) if self.ends is None else len(self.ends)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the values."""
        return iter(self.to_pylist())

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> Column: ...

    def __getitem__(self, place: int | slice) -> Any:
        """Return a value, or a column of some."""
        if isinstance(place, slice):
            return self.take(np.arange(len(self))[place])
        return self.take(np.array([range(len(self))[place]])).to_pylist()[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return `to_numpy`."""
        return np.asarray(self.to_numpy(), dtype=dtype)

    def __repr__(self) -> str:
        """Return the first values, in a line."""
        shown = ", ".join(repr(each) for each in self[:8].to_pylist())
        more = f", ... {len(self) - 8:,} more" if len(self) > 8 else ""
        return f"<Column of {self.kind.value}: {shown}{more}>"

    @property
    def null_count(self) -> int:
        """The number of rows without a value."""
        return 0 if self.valid is None else int((~self.valid).sum())

    def to_pylist(self) -> list[Any]:
        """Return the values, None where there is none."""
        if self.kind is Kind.TEXTS:
            return self._lists()
        found: list[Any] = self.values.tolist()
        if self.kind is Kind.TEXT:
            words = self.words or ("",)
            found = [words[place] for place in found]
        if self.valid is None:
            return found
        return [value if known else None for value, known in zip(found, self.valid, strict=True)]

    def to_numpy(self) -> NDArray[Any]:
        """Return the values as an array: NaN for numbers that are not there, None for other things."""
        if self.kind in (Kind.TEXT, Kind.TEXTS) or (self.kind is Kind.BOOL and self.null_count):
            found = np.empty(len(self), dtype=object)
            found[:] = self.to_pylist()
            return found
        if self.valid is None:
            return self.values
        return np.where(self.valid, self.values, np.nan)

    def take(self, places: NDArray[Any]) -> Column:
        """Return the rows at these places."""
        valid = None if self.valid is None else self.valid[places]
        if self.ends is None:
            return Column(self.kind, self.values[places], valid, self.words)
        listed = self.to_pylist()
        return _of_lists([listed[place] for place in places])

    def equals(self, other: Column) -> bool:
        """Return whether the other has the same values of the same kind."""
        return self.kind is other.kind and self.to_pylist() == other.to_pylist()

    def _lists(self) -> list[Any]:
        assert self.ends is not None
        texts = [self.words[place] for place in self.values.tolist()]
        bounds = itertools.pairwise([0, *self.ends.tolist()])
        found = [texts[start:end] for start, end in bounds]
        if self.valid is None:
            return found
        return [each if known else None for each, known in zip(found, self.valid, strict=True)]


def joined(parts: Sequence[Column]) -> Column:
    """Return the rows of one column after those of another; whole numbers become numbers beside numbers."""
    kinds = {part.kind for part in parts}
    if len(kinds) > 1 or Kind.TEXTS in kinds:
        return Column.of([value for part in parts for value in part.to_pylist()])
    words: dict[str, int] = {}
    values = []
    for part in parts:
        if part.kind is Kind.TEXT and part.words:
            places = [words.setdefault(word, len(words)) for word in part.words]
            values.append(np.array(places, dtype=np.int32)[part.values])
        else:
            values.append(part.values)
    known = [np.ones(len(p), dtype=bool) if p.valid is None else p.valid for p in parts]
    valid = None if all(part.valid is None for part in parts) else np.concatenate(known)
    return Column(parts[0].kind, np.concatenate(values), valid, tuple(words))


def _kind_of(values: Sequence[Any]) -> Kind:
    types = {type(value) for value in values if value is not None}
    if types == {bool}:
        return Kind.BOOL
    if types == {int}:
        fits = all(-MOST_WHOLE <= value <= MOST_WHOLE for value in values if value is not None)
        return Kind.WHOLE if fits else Kind.TEXT
    if types and all(issubclass(each, list | tuple) for each in types):
        return Kind.TEXTS
    numbers = all(issubclass(each, int | float | np.number) and each is not bool for each in types)
    return Kind.NUMBER if numbers else Kind.TEXT


def _of_array(values: NDArray[Any]) -> Column:
    kinds = {"b": Kind.BOOL, "f": Kind.NUMBER}
    kind = kinds.get(values.dtype.kind, Kind.WHOLE)
    return _without_nan(Column(kind, values.astype(DTYPES[kind])))


def _without_nan(column: Column) -> Column:
    if column.kind is not Kind.NUMBER or not (nan := np.isnan(column.values)).any():
        return column
    valid = ~nan if column.valid is None else column.valid & ~nan
    return Column(column.kind, np.where(nan, 0.0, column.values), valid)


def _of_lists(values: Sequence[Sequence[str] | None]) -> Column:
    flat = Column.of([word for each in values for word in each or ()], Kind.TEXT)
    ends = np.cumsum([len(each or ()) for each in values], dtype=np.int64)
    known = [each is not None for each in values]
    valid = None if all(known) else np.array(known, dtype=bool)
    return Column(Kind.TEXTS, flat.values, valid, flat.words, ends)
