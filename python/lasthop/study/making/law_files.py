"""`lasthop new law NAME`: a congestion control to begin with, and a test of it."""

from __future__ import annotations

import textwrap
from pathlib import Path

from lasthop.core import checkout, python_law
from lasthop.errors import UsageError

PYTHON = '''"""A law of your own: how TCP's congestion window moves.

    lasthop run dumbbell --law {file}.py:{name}
    lasthop conformance law {file}.py:{name}        # the rules for all laws
    pytest test_{file}.py

Until you change it, it is Reno to the last byte, and the test checks that. Windows are in segments,
fractions kept. What recovery does (what is sent again, and when) stays that of the scenario's variant.
"""

import lasthop


class {name}(lasthop.Law):
    """Additive increase, multiplicative decrease (RFC 5681)."""

    def __init__(self, increase: float = 1.0, decrease: float = 0.5) -> None:
        # `--set tcp.law_options.increase=0.31` reaches these by name.
        self.increase = increase
        self.decrease = decrease

    def on_ack(self, w: lasthop.law.Window, ack: lasthop.law.Ack) -> None:
        """New data are acknowledged.

        `ack` has {ack}.
        `w` has {window}.
        """
        if ack.may_grow:
            w.grow(ack.acked, increase=self.increase)

    def on_loss(self, w: lasthop.law.Window, loss: lasthop.law.Loss, base: float) -> None:
        """Data were lost; `base` is what was in flight. `loss`: dup_acks, timeout or ecn_mark."""
        w.shrink(loss, self.decrease * base if loss != "ecn_mark" else 0.8 * base)
'''

TEST = '''"""{name} against the Reno that is compiled into lasthop: the same bytes, until you change it."""

import lasthop
from {file} import {name}


def test_it_is_reno_to_the_last_byte():
    ours = lasthop.run("dumbbell", laws={{"mine": {name}}}, law="mine", replications=3)
    theirs = lasthop.run("dumbbell", replications=3)  # its variant, NewReno, has Reno's law
    for mine, reno in zip(ours.documents, theirs.documents, strict=True):
        for flow, other in zip(mine["flows"], reno["flows"], strict=True):
            assert flow | {{"variant": ""}} == other | {{"variant": ""}}  # but for its name
'''

RUST = """//! {name}: what it does, in a line (author, venue, year).
//!
//! | section | here |
//! |---|---|
//! | | Reno, until you change it |

use super::interface::{{Ack, Law, LawRow}};
use crate::tcp::window::{{Loss, Window}};
use base::{{Options, parameters}};

parameters! {{
    increase = 1.0, "growth a round trip, segments";
    decrease = 0.5, "part of the window that a loss leaves";
}}

/// Its source and its parameters.
pub(super) const ROW: LawRow =
    LawRow {{ year: 2026, paper: "who and where", parameters: Params::ALL }};

/// {name} at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct {name}(Params);

impl {name} {{
    /// A fresh law.
    pub fn new(options: &Options) -> {name} {{
        {name}(Params::new(options))
    }}
}}

impl Law for {name} {{
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {{
        if a.may_grow() {{
            w.grow(a.acked, self.0.increase);
        }}
    }}

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {{
        w.shrink(why, base * self.0.decrease);
    }}
}}

#[cfg(test)]
mod tests {{
    use super::*;
    use crate::tcp::law::testing::{{Rounds, ack, window}};

    #[test]
    fn a_round_trip_adds_a_segment() {{
        let mut w = window(10.0, 5.0);
        {name}::default().on_ack(&mut w, &ack(10.0));
        assert_eq!(w.cwnd, 11.0);
    }}

    #[test]
    fn a_loss_leaves_half() {{
        assert_eq!(Rounds::new({name}::default(), 100.0, 10.0).lose(), 50.0);
    }}
}}
"""

#: Where laws in Rust are.
HOME = Path("crates/transport/src/tcp/law")


def python(name: str, out: Path) -> dict[Path, str]:
    """Return a law in Python and its test, by path."""
    file = _snake(name)
    has = {"ack": _attributes(python_law.Ack), "window": _attributes(python_law.Window)}
    said = {"name": class_of(name), "file": file, **has}
    return {out / f"{file}.py": PYTHON.format(**said), out / f"test_{file}.py": TEST.format(**said)}


def rust(name: str) -> tuple[dict[Path, str], str]:
    """Return a law in Rust by path, and what else is to be done; raises UsageError outside a checkout."""
    if not checkout.is_here():
        raise UsageError(
            "--rust needs a checkout of lasthop, since a law in Rust is compiled in: run the checkout's own "
            ".venv/bin/lasthop in its folder, or leave --rust out for a law in Python, which needs neither"
        )
    file, made = _snake(name), class_of(name)
    line = f'        {made}({file}::{made}) = "{file}": "what it does, in a line",'
    said = (
        f"Now add `mod {file};` to {HOME}.rs, and to its list of laws\n\n{line}\n\n"
        f"and run `cargo test -p lasthop-transport {file}`, then `make .venv/.built`: the conformance suite "
        f"has it by that.\nA scenario has it by recovery and law in place of a variant:\n\n"
        f'[tcp]\nrecovery = "newreno"\nlaw = "{file}"\n\n'
        "A law in Python with the same rules gives the same bytes there."
    )
    return {checkout.ROOT / HOME / f"{file}.rs": RUST.format(name=made)}, said


def _attributes(kind: type) -> str:
    """Name what a law is given, as it is: lines of a docstring."""
    return "\n        ".join(textwrap.wrap(", ".join(n for n in dir(kind) if n[0] != "_"), 90))


def _snake(name: str) -> str:
    parts = "".join(f"_{c.lower()}" if c.isupper() else c for c in name.replace("-", "_"))
    return parts.strip("_").replace("__", "_")


def class_of(name: str) -> str:
    """Return the name of the class of a law."""
    return "".join(part[:1].upper() + part[1:] for part in name.replace("-", "_").split("_"))
