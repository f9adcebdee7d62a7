"""Rules for `tcp.variant = "auto"`: a decision list (Rivest, Learning Decision Lists, Machine Learning, 1987)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lasthop.study.scores import Condition as Setting

#: Quantities for rules, with the factor to their printed unit, and that unit.
UNITS = {
    "rtt": (1e3, " ms"),
    "min_rtt": (1e3, " ms"),
    "delay_inflation": (1.0, ""),
    "rtt_spread": (1.0, ""),
    "queueing_delay": (1e3, " ms"),
    "loss": (1.0, ""),
    "loss_burst": (1.0, ""),
    "queueless_loss": (1.0, ""),
    "marked": (1.0, ""),
    "timeouts": (1.0, ""),
    "rate": (1e-3, " kbps"),
    "rounds": (1.0, ""),
}


@dataclass(frozen=True)
class Condition:
    """A bound of a quantity, in the unit of results (s, bit/s); above includes it."""

    quantity: str
    side: str
    value: float

    def holds(self, known: Mapping[str, float]) -> bool:
        """Return whether it holds; what is not known is on neither side."""
        value = known.get(self.quantity)
        return value is not None and (
            value >= self.value if self.side == "above" else value < self.value
        )

    def toml(self) -> str:
        """Write it as policies do."""
        factor, unit = UNITS[self.quantity]
        number = f"{self.value * factor:.6g}"
        return f"{self.quantity}_{self.side} = " + (f'"{number}{unit}"' if unit else number)


@dataclass(frozen=True)
class Rule:
    """A rule: all bounds, the variant, and why it is there."""

    when: tuple[Condition, ...]
    variant: str
    why: str

    def holds(self, known: Mapping[str, float]) -> bool:
        """Return whether all bounds hold."""
        return all(bound.holds(known) for bound in self.when)


@dataclass(frozen=True)
class Example:
    """An endpoint's measurements when it chose, each variant's mean in that condition over the best one's (at
    most 1), and how much it weighs."""

    condition: Setting
    known: Mapping[str, float]
    scores: Mapping[str, float]
    weight: float = 1.0


@dataclass(frozen=True)
class Rules:
    """A list of rules: the first that holds is obeyed, the default where none does."""

    default: str
    rules: tuple[Rule, ...] = ()

    def pick(self, known: Mapping[str, float]) -> str:
        """Return the variant for what is known of a path."""
        return next((rule.variant for rule in self.rules if rule.holds(known)), self.default)

    def regrets(self, examples: Sequence[Example]) -> list[float]:
        """Return the regret of what it picks in each example."""
        return [1 - each.scores[self.pick(each.known)] for each in examples]

    def inline(self) -> str:
        """Write it as a table in a line."""
        rules = [
            f'{{ when = {{ {", ".join(bound.toml() for bound in rule.when)} }}, use = "{rule.variant}" }}'
            for rule in self.rules
        ]
        return f'{{ default = "{self.default}", rule = [{", ".join(rules)}] }}'

    def toml(self, about: str, goal: str) -> str:
        """Write it as a file for ``tcp.policy``."""
        lines = [f'about = "{about}"', f'goal = "{goal}"', f'default = "{self.default}"']
        for rule in self.rules:
            when = ", ".join(bound.toml() for bound in rule.when)
            lines += ["", "[[rule]]", f"when = {{ {when} }}", f'use = "{rule.variant}"']
            lines += [f'why = "{rule.why}"']
        return "\n".join(lines) + "\n"
