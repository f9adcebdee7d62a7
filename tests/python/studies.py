"""A small study for tests, and what a run of it that nothing disturbs gives."""

from pathlib import Path

import lasthop.study.sweeping
from lasthop.study.reader import parse
from lasthop.study.spec import Study
from lasthop_validation.disturbing import SCENARIO, STUDY


def written(folder: Path, text: str = STUDY) -> Path:
    """Write the study and its scenario; return the study's path."""
    (folder / "small.toml").write_text(SCENARIO)
    path = folder / "study.toml"
    path.write_text(text)
    return path


def study(folder: Path, text: str = STUDY) -> Study:
    """Return the study."""
    return parse(text, str(written(folder, text)))


class Counting(lasthop.study.sweeping.Hooks):
    """Hooks that remember what was said and how much had to be computed."""

    def __init__(self):
        self.computed = 0
        self.messages = []
        super().__init__(forecast=self._forecast, said=self.messages.append)

    def _forecast(self, seconds, cores, count, known):
        assert seconds >= 0
        assert cores >= 1
        self.computed += count
