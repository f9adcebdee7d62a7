"""The compiled core: text in, JSON text out."""

__version__: str

def check(text: str, file: str, overrides: list[str] = ...) -> None:
    """Check a scenario; raise lasthop.errors.ScenarioError where it is wrong."""

def schema() -> str:
    """Return the JSON Schema of the scenario format, as JSON text."""

def catalogue() -> str:
    """Return every law, recovery, variant, channel, MAC and application, as JSON text."""

def check_probes(names: list[str], step: str | None = ...) -> float | None:
    """Check the names of probes and their step, such as "10 ms"; return the step in seconds, if there is one.

    Raises lasthop.errors.UsageError.
    """

def conformance(name: str, text: str) -> str:
    """Run a file of conformance cases, given by name and text; return its cases as a JSON list.

    Each has `id`, `file`, `verdict` (pass, fail or differs) and `reason`. Raises
    lasthop.errors.UsageError where it is not such a file.
    """

class Batch:
    """Runs at work in the background."""

    def __new__(
        cls,
        jobs: list[tuple[str, str, list[str], int | None, int]],
        threads: int,
        probes: list[str] = ...,
        probe_step: str | None = ...,
    ) -> Batch:
        """Check every job, then start `threads` threads (0: one a core).

        A job is (text, file, overrides, seed or None for the scenario's own, replication).
        Raises lasthop.errors.ScenarioError before anything runs, or UsageError for a wrong probe or step.
        """

    def poll(self, timeout_s: float) -> list[tuple[int, str]]:
        """Return what has finished since the last call as (place, JSON); wait up to timeout_s seconds."""

    def fraction(self) -> float:
        """Return how much of all simulated time is done, 0 to 1."""

    def cancel(self) -> None:
        """Let no further job start and end what runs at its next step; what has finished stays."""
