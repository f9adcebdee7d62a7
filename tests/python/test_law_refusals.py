"""Results of a law in Python that make no sense are refused, with the law's name and the line."""

from __future__ import annotations

from pathlib import Path

import pytest

import lasthop
import lasthop.core.python_law

WIRE = """
duration = "200 ms"
[[link]]
ends = ["a", "b"]
rate = "1 Mbps"
delay = "2 ms"
[[flow]]
name = "f"
from = "a"
to = "b"
app = "bulk"
"""

STRANGE = """
import functools

import lasthop


def wrapped(method):
    @functools.wraps(method)
    def call(*arguments):
        return method(*arguments)

    return call


class Law(lasthop.Law):
{body}
"""


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("def on_ack(self, w, ack): w.grow(float('nan'))", "acked = NaN; allowed: a finite"),
        ("def on_ack(self, w, ack): w.grow(float('inf'))", "acked = inf; allowed: a finite"),
        ("def on_ack(self, w, ack): w.grow(-1)", "acked = -1; allowed: a finite"),
        ("def on_ack(self, w, ack): w.grow(1, float('nan'))", "increase = NaN; allowed"),
        ("def on_ack(self, w, ack): w.grow(1, increase=float('-inf'))", "increase = -inf"),
        ("def on_ack(self, w, ack): yield w", "yield does not run when it is called"),
        ("async def on_ack(self, w, ack): pass", "async does not run when it is called"),
        ("async def on_loss(self, w, loss, base): yield", "async and yield does not run"),
        ("def on_idle(self, w): yield w", "yield does not run when it is called"),
        ("@wrapped\n    def on_ack(self, w, ack): yield w", "yield does not run when it is"),
        ("on_ack = lambda self, w, ack: (yield w)", "yield does not run when it is called"),
    ],
)
def test_it_is_refused(tmp_path: Path, body: str, says: str) -> None:
    file = tmp_path / "strange.py"
    file.write_text(STRANGE.format(body=f"    {body}"))
    name, law = lasthop.core.python_law.load(f"{file}:Law")
    with pytest.raises(lasthop.LawError) as refused:
        lasthop.run(WIRE, laws={name.lower() + "_": law}, law="law_")
    message = str(refused.value)
    line = 8 if "@wrapped" in body else 16  # a wrapper's result is known only when it is called
    assert f"strange.py:{line}: error: " in message, message
    assert says in message, message
    assert "Law." in message, message


@pytest.mark.parametrize("error", ["SystemExit(0)", "SystemExit()", "GeneratorExit()"])
@pytest.mark.parametrize("method", ["__init__(self)", "on_ack(self, w, ack)"])
def test_a_law_does_not_end_the_program(tmp_path: Path, method: str, error: str) -> None:
    file = tmp_path / "ending.py"
    file.write_text(f"class Law:\n    def on_ack(self, w, ack): pass\n    def on_loss(self, w, loss, base): pass\n"
                    f"    def {method}: raise {error}\n")  # fmt: skip
    name, law = lasthop.core.python_law.load(f"{file}:Law")
    with pytest.raises(lasthop.LawError, match=rf"ending.py:4: error: {error[:10]}"):
        lasthop.run(WIRE, laws={name.lower() + "_": law}, law="law_")


def test_a_file_of_laws_does_not_end_the_program(tmp_path: Path) -> None:
    file = tmp_path / "ending.py"
    file.write_text("import sys\nsys.exit(0)\n")
    with pytest.raises(lasthop.LawError, match=r"ending.py:2: error: SystemExit: 0"):
        lasthop.core.python_law.load(f"{file}:Law")


def test_what_a_method_gives_without_a_yield_is_nobodys_business() -> None:
    class Chatty(lasthop.Law):
        def on_ack(self, w, ack):
            w.grow(ack.acked)
            return 5

    plain = lasthop.run(WIRE, laws={"plain": lasthop.Law}, law="plain")
    chatty = lasthop.run(WIRE, laws={"chatty": Chatty}, law="chatty")
    assert (
        plain.documents[0]["flows"][0]["packets_sent"]
        == (chatty.documents[0]["flows"][0]["packets_sent"])
    )
