"""The compiled core: text in, JSON text out."""

from collections.abc import Callable, Sequence
from typing import Any

from lasthop.core.jobs import Libraries, Watched
from lasthop.errors import ScenarioError, Steps

__version__: str

__engine__: str
"""The version and a hash of the sources that decide results: another name may give other results."""

_Request = tuple[str, str, list[str], int | None, int, int, Files | None]

_Laws = tuple[list[tuple[str, Callable[..., object]]], int | None]
"""Laws in Python by name, and the place of the one that is used everywhere."""

def check(
    text: str,
    file: str,
    overrides: list[str] = ...,
    laws: _Laws = ...,
    files: Files | None = ...,
) -> None:
    """Check a scenario that may name `laws` beside lasthop's own, or uses the one at a place everywhere.

    `files` are those that it names. Raises lasthop.errors.ScenarioError where it is wrong.
    """

def mistakes(
    text: str,
    file: str,
    overrides: list[str] = ...,
    laws: _Laws = ...,
    files: Files | None = ...,
) -> list[ScenarioError]:
    """Return all that is wrong with what is written in a scenario, in the order of the text.

    Where that is nothing: the contradictions in it. Arguments as of `check`.
    """

def may_name_files(text: str) -> bool:
    """Return False where this text, a scenario or a change to one, names no file."""

def files_named(text: str, file: str, overrides: list[str] = ...) -> list[str]:
    """Return the names of the files that a scenario names, such as traces.

    Raises lasthop.errors.ScenarioError where it is no scenario and may name some.
    """

def check_law(
    factory: Callable[..., object], timeout_leaves: float
) -> list[tuple[str, str, str | None]]:
    """Put a law to every check of conformance: (id, what it asks, what is wrong or None)."""

def resolved(
    text: str,
    file: str,
    overrides: list[str] = ...,
    laws: _Laws = ...,
    files: Files | None = ...,
) -> str:
    """Return the whole document of a scenario, as TOML with the origin of each value; raises ScenarioError."""

def outline(
    text: str,
    file: str,
    overrides: list[str] = ...,
    files: Files | None = ...,
    laws: _Laws = ...,
) -> tuple[str, int, str, float, bool]:
    """Return what a study must know of a scenario before it runs.

    What its results depend on besides seed and replication, in 32 digits, good within one engine; its own
    seed; its result before anything has happened, as JSON: the names and keys that every run has; its
    warm-up, s; and whether any part of it may draw a random number. Laws in Python may be named, as in `check`;
    what they do is not in the digits. Raises lasthop.errors.ScenarioError.
    """

def toml_places(text: str, file: str) -> list[tuple[Steps, tuple[int, int], tuple[int, int]]]:
    """Return where the values of a TOML document stand: path, (line, column) of the key and of the value.

    What is in a value comes before it. Raises lasthop.errors.ScenarioError where the text is no TOML.
    """

def codes() -> str:
    """Return every kind of mistake, as JSON text: name, about and example of each."""

def nearest(name: str, known: list[str]) -> str | None:
    """Return the known name that is nearest to a mistyped one; None where none is near enough to be meant."""

def schema() -> str:
    """Return the JSON Schema of the scenario format, as JSON text."""

def catalogue() -> str:
    """Return every law, recovery, variant, channel, MAC and application, as JSON text."""

def quantities() -> str:
    """Return every quantity of a result, as JSON text: its words, unit, bounds and how it adds up over objects."""

def probe_columns() -> str:
    """Return the columns of every probe's table and what stands in them, as JSON text, by probe."""

def panels(result: str, steps: int) -> str:
    """The panels of a page about a result with its probes, as JSON text (crates/panels). Raises ValueError."""
    ...

def limited(result: str) -> str:
    """Return what limited the flows of a result with the measure `limits`, as JSON text."""

def noticed(result: str) -> list[tuple[str, str, str, str]]:
    """Return what is odd about a result, as JSON text: rule, what, why and advice of each finding."""

def noticing_thresholds() -> list[tuple[str, float]]:
    """Return from where on something is odd, by name: what others compare with as well."""

def check_probes(names: list[str], step: str | None = ...) -> float | None:
    """Check the names of probes and their step, such as "10 ms"; return the step in seconds, if there is one.

    Raises lasthop.errors.UsageError.
    """

ParquetColumn = tuple[str, str, bytes, bytes | None, list[str], bytes | None]
"""A column: name, kind (number, whole, bool, text, texts), values, which of them there are, words, ends of lists.

Numbers are little-endian, of 8 bytes, places in words take 4, truths 1, ends 8.
"""

def parquet_written(columns: list[ParquetColumn], metadata: list[tuple[str, str]]) -> bytes:
    """Return a Parquet file; the same columns and metadata (texts by key) give the same bytes.

    Raises ValueError where columns do not fit together, lasthop.errors.UsageError for a text that is not UTF-8.
    """

def parquet_read(content: bytes) -> tuple[list[ParquetColumn], list[tuple[str, str]]]:
    """Return the columns and the metadata of a Parquet file.

    Raises ValueError where it is none, is damaged, or has a column of another type.
    """

class Files:
    """The files that a scenario names, handed over once for all its runs."""

    def __new__(cls, handed: list[tuple[str, str | None, str]]) -> Files:
        """Each is its name in the scenario, its text or None, and why it cannot be read."""

class Numbers:
    """The numbers that are wanted of a run in place of its JSON, asked for once for all runs of a scenario."""

    def __new__(cls, paths: Sequence[tuple[Sequence[str | int], str]]) -> Numbers:
        """Each is a path, as lasthop.core.metrics.Leaf has it, and what several numbers at its end become."""

class Batch:
    """Runs at work in the background."""

    def __new__(
        cls,
        jobs: list[_Request],
        threads: int,
        watched: Watched = ...,
        numbers: list[Numbers] = ...,
        laws: Libraries = ...,
    ) -> Batch:
        """Check every job, then start `threads` threads (0: one a core).

        A job is (text, file, overrides, seed or None for the scenario's own, the first replication, how many,
        files): as many runs as replications.
        Raises lasthop.errors.ScenarioError before anything runs, or UsageError for a wrong probe, step or
        pattern. `watched` are probes and captures. These are a directory for each run, patterns of
        interfaces (none: all), and the most bytes of a packet that are kept (None: all). `numbers`, one for
        each job, are all that is then kept of its runs. `laws` are a LawLibrary each by name, and the place of
        the one that all flows use.
        """

    def poll(self, timeout_s: float, enough: int = 1) -> list[tuple[int, Any]]:
        """Return what has finished since the last call; wait up to timeout_s seconds for `enough`, or all.

        Each is its place and its JSON, or a list of the numbers that were asked for, NaN where there is none.
        """

    def fraction(self) -> float:
        """Return how much of all simulated time is done, 0 to 1."""

    def cancel(self) -> None:
        """Let no further job start and end what runs at its next step; what has finished stays."""

class LawBatch:
    """Runs with laws in Python: on the calling thread, one after the other."""

    def __new__(
        cls,
        jobs: list[_Request],
        laws: list[tuple[str, Callable[..., object]]],
        everywhere: int | None,
        watched: Watched = ...,
    ) -> LawBatch:
        """Check every job; a law's place in `laws` is its number, `everywhere` that of all flows' law.

        Raises lasthop.errors.ScenarioError before anything runs, or UsageError for a wrong probe, step or
        pattern.
        """

    def poll(self, timeout_s: float, enough: int = 1) -> list[tuple[int, str]]:
        """Take a hundredth of a run; return what finished by it as (place, JSON). Raises what a law raises."""

    def fraction(self) -> float:
        """Return how much of all simulated time is done, 0 to 1."""

    def cancel(self) -> None:
        """Let nothing more run; what has finished stays."""

class LawLibrary:
    """A library with a law, which lasthop keeps loaded."""

    name: str
    """The law's name."""
    path: str
    """The file, as it was named."""
    digest: str
    """The name of its content."""
    model_based: bool
    """The law holds a model of the path as BBR does."""
    timeout_leaves: float
    """The window after a timeout, segments."""

    def __new__(cls, path: str, content: bytes, digest: str) -> LawLibrary:
        """Load a library with this content, named by its digest. Raises lasthop.errors.LawError."""

    def __call__(self, **options: object) -> object:
        """Raise lasthop.errors.LawError: only a run makes the law of a flow."""

def law_sources() -> list[tuple[str, str]]:
    """Return the files that a crate of a law has of lasthop's: the name and the text of each."""

class Window:
    """The two numbers that a law moves, in segments. Others than finite ones from 0 on raise ValueError."""

    cwnd: float
    """Congestion window, segments, at least 1."""
    ssthresh: float
    """Slow-start threshold, segments, at least 2; infinite until something bounds it."""

    @property
    def in_slow_start(self) -> bool:
        """True below the threshold."""

    def grow(self, acked: float, increase: float = 1.0) -> None:
        """Grow as Reno does: by `acked` segments (one at most) in slow start, else by `increase` a window."""

    def shrink(self, loss: str, to: float) -> None:
        """Take the threshold to `to` segments, 2 at least: cwnd too, or to one segment after a timeout."""

class Ack:
    """An acknowledgement of new data."""

    @property
    def now_s(self) -> float:
        """When it came, s."""

    @property
    def acked(self) -> float:
        """Newly acknowledged data, segments."""

    @property
    def rtt_s(self) -> float | None:
        """The round-trip time that it measured, s; None where it did not."""

    @property
    def srtt_s(self) -> float | None:
        """Smoothed round-trip time, s; None before the first sample."""

    @property
    def min_rtt_s(self) -> float | None:
        """The smallest sample so far, s; None before the first."""

    @property
    def flight(self) -> float:
        """Data in flight before it, segments."""

    @property
    def inflight(self) -> float:
        """Data in the network after it, segments: without what is known to have arrived or to be lost."""

    @property
    def app_limited(self) -> bool:
        """The window was not what held the sender back: a law does not grow then."""

    @property
    def in_recovery(self) -> bool:
        """Fast recovery goes on, or ends with it: a law does not grow then."""

    @property
    def may_grow(self) -> bool:
        """Neither of the two."""

    @property
    def round_ended(self) -> bool:
        """What was in flight when the last round began is now acknowledged."""

    @property
    def delivery_rate(self) -> float | None:
        """What the newest segment acknowledged measured, segments/s; None where it did not."""

    @property
    def delivered(self) -> float:
        """Delivered since the connection began, segments."""

    @property
    def delivered_at_send(self) -> float:
        """What `delivered` was when the newest segment acknowledged was sent, segments."""

    @property
    def rate_app_limited(self) -> bool:
        """While that segment was sent the application held the sender back."""

    @property
    def lost(self) -> float:
        """Newly marked lost, segments."""

    @property
    def ece(self) -> bool:
        """It carries the echo of a congestion mark."""

    @property
    def marked(self) -> float:
        """Newly told to be marked, segments: with an echo all of `acked`, or what accurate ECN counted."""

    @property
    def mss(self) -> int:
        """A full segment, bytes."""
