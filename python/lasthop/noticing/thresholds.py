"""From where on something is odd. Each has its reason; none decides anything but whether a line is shown."""

FULL = 0.9
"""A queue whose mean length is so much of its longest stood full nearly all the time."""

LONG = 5
"""Packets: a shorter queue may be full and costs little time."""

STARVED = 0.05
"""Of the fair share: as the word "starved" has it in verdicts (claims/words.toml)."""

LOST = 0.1
"""Of what was sent and came to its end: from here on a delay of survivors flatters, and a voice codec fails."""

SATISFIED = 3.6
"""MOS: below R = 70, 3.6, many users are dissatisfied (ITU-T G.107, Annex B)."""

DISSATISFIED = 3.1
"""MOS: below R = 60, 3.1, nearly all users are dissatisfied (ITU-T G.107, Annex B)."""

PLAYED = 0.01
"""Of a call's packets: at fewer losses G.711 without concealment keeps R at 75 (ITU-T G.113, Bpl 4.3)."""

TAIL = 10
"""Packets beyond a quantile: with fewer its relative error is some 30 % or more (1 / sqrt 10)."""

HIDDEN = 0.1
"""Of a station's attempts: more than slotted contention of a few stations loses."""

NOISY = 0.2
"""Of a station's attempts: with the default of 7 tries next to nothing is lost, but a fifth of the air is."""

BUSY = 0.95
"""Of the time: what is left is less than interframe spaces and backoff take."""

BOTTLENECK = 10
"""Times as many drops as any other queue: it alone sets the pace."""

DROPPED = 0.01
"""Of what was offered: at fewer drops a queue is no bottleneck."""

MOST = 6
"""Lines are shown: more would be a list that nobody reads."""
