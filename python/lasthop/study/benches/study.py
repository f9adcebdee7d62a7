"""The cost of a study beside its simulations: a cell of petrovic2003, 10 simulated seconds a replication."""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from typing import Any

from lasthop.study import reader
from lasthop.study.cells import cells
from lasthop.study.computing import Computing
from lasthop.study.papers import folder_of
from lasthop.study.plan import missing
from lasthop.study.spec import Study
from lasthop.study.store import Store

REPLICATIONS = 4000
CHANGES = ("tcp.mss=1000 B", "tcp.window=5 packets", "duration=10 s", "warmup=1 s")
METRICS = ("goodput", "*.goodput.each", "jain")


def measure() -> dict[str, Any]:
    """Run the cell through computing and store, with one thread for simulations.

    `layer_s` is the processor time of the thread that hands out runs, fetches their numbers, evaluates
    metrics and writes batches; `share` is its part of the time of the threads that simulate.
    """
    whole = reader.read(folder_of("petrovic2003") / "bulk.toml")
    study = Study("bench", whole.scenario, whole.file, metrics=METRICS, changes=CHANGES)
    (cell,) = cells(study)
    tasks = missing([cell.key], [cell.metrics.names], [REPLICATIONS], {}, [1024])
    beyond = replace(tasks[0], start=REPLICATIONS, stop=REPLICATIONS + 1)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        store.create()
        # Once for what is imported at the first use.
        Computing(study, {0: cell}, 1).run([beyond], store.write)
        all_before, layer_before = time.process_time(), time.thread_time()
        Computing(study, {0: cell}, 1).run(tasks, store.write)
        layer = time.thread_time() - layer_before
        simulated = time.process_time() - all_before - layer
    return {
        "replications": REPLICATIONS,
        "simulating_s": simulated,
        "layer_s": layer,
        "share": layer / simulated,
    }
