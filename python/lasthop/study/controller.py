"""Commands to SLURM's controller and its answers. It may be away for a while: a sweep outlives that."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from dataclasses import dataclass

from lasthop.errors import LasthopError

AWAY = re.compile(
    "unable to contact|connection refused|connection failure|not responding", re.IGNORECASE
)
"""Messages of SLURM's commands where nothing has reached the controller: then a retry does no harm."""

PENDING = "PENDING"


@dataclass(frozen=True)
class Jobs:
    """The state of an array in the queue.

    Attributes:
        is_over: Whether none of it is there any more.
        waits_for: Why none of it runs, for people; empty where some do.
    """

    is_over: bool
    waits_for: str = ""


def submit(script: str) -> str | None:
    """Hand an array to SLURM; return the number of the job, None where the controller is away."""
    try:
        return _said("sbatch", "--parsable", script).split(";")[0].strip()
    except LasthopError as error:
        if AWAY.search(str(error)):
            return None
        raise


def look(job: str) -> Jobs:
    """Return how an array is; where squeue fails it is taken to be as it was."""
    try:
        said = _said("squeue", "--noheader", "--array", "--format=%T|%r", "--jobs", job)
    except LasthopError as error:
        if "Invalid job id" in str(error):
            return Jobs(is_over=True)  # it has ended, and SLURM has forgotten it
        return Jobs(is_over=False, waits_for=f"an answer of SLURM ({str(error).splitlines()[0]})")
    rows = [line.split("|", 1) for line in said.split("\n") if "|" in line]
    if not rows:
        return Jobs(is_over=True)
    reasons = Counter(reason for state, reason in rows if state.strip() == PENDING)
    if sum(reasons.values()) < len(rows):
        return Jobs(is_over=False)
    why = ", ".join(reason.strip() for reason, _ in reasons.most_common(2))
    jobs = "1 job" if len(rows) == 1 else f"{len(rows):,} jobs"
    return Jobs(is_over=False, waits_for=f"SLURM to start any of {jobs} (reason: {why})")


def cancel(job: str) -> str:
    """Cancel an array; return why that failed, or an empty text."""
    try:
        _said("scancel", job)
    except LasthopError as error:
        return "" if "Invalid job id" in str(error) else str(error).splitlines()[0]
    return ""


def _said(*command: str) -> str:
    """Run a command of SLURM; raises LasthopError with what it said."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise LasthopError(f"{command[0]} is not here") from None
    if ran.returncode:
        raise LasthopError(
            f"{command[0]} failed: {ran.stderr.strip() or ran.stdout.strip()}\n"
            "Without the executor slurm the sweep runs on this machine."
        )
    return ran.stdout
