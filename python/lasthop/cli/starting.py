"""The screen of `lasthop` without a command: five ways to start."""

from __future__ import annotations

#: Commands that run as they are, the one that makes a picture first, and what each does.
WAYS = (
    (
        "lasthop run two_stations --report",
        "Simulate a Wi-Fi cell, and draw the run on a page: two_stations.html.",
    ),
    (
        "lasthop new wifi office --stations 10 --calls 1",
        "Write office.toml, a commented scenario of your own network to edit.",
    ),
    (
        "lasthop sweep retry_and_queue",
        "Run 300 simulations over two settings, and print 95 % intervals.",
    ),
    (
        "lasthop reproduce petrovic2003 --quick",
        "Run the simulations of a published paper again, and judge its claims.",
    ),
    (
        "lasthop demo bufferbloat",
        "Make a page for teaching, with a slider over finished runs, and open it.",
    ),
)

SCREEN = (
    "lasthop simulates TCP, calls, video and the web over Wi-Fi, WiMAX and wires.\nFive ways to start:\n\n"
    + "\n".join(f"  {command}\n      {what}\n" for command, what in WAYS)
    + "\n`lasthop --help` lists all commands, and `lasthop COMMAND --help` explains one."
)
