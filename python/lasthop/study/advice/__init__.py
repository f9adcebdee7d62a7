"""Advice: which of many settings is best within limits, from as few runs as it takes.

>>> import lasthop
>>> a = lasthop.advise(
...     "scenarios/voice_and_bulk.toml",
...     choose={"tcp.variant": ["newreno", "sack", "cubic"], "queue.packets": range(10, 201)},
...     maximise="goodput_bps",
...     subject_to=["voice.loss < 2%", "voice.delay_s.p95 < 30 ms"],
... )
>>> print(a)
"""

from lasthop.study.advice.advice import Advice
from lasthop.study.advice.around import Around
from lasthop.study.advice.candidates import Candidate, Measured
from lasthop.study.advice.evaluating import Evaluator
from lasthop.study.advice.local import Local
from lasthop.study.advice.question import advise

__all__ = ["Advice", "Around", "Candidate", "Evaluator", "Local", "Measured", "advise"]
