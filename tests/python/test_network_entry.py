"""Entry into an 802.16 network: listening, ranging in contention, registration; what waits for it."""

from collections import Counter

import pytest

import lasthop

FRAME = 0.005


def scenario(stations, entry, cell="", duration="6 s"):
    """Give a cell whose stations enter it, with a steady stream to and from each."""
    return f"""
duration = "{duration}"
[[link]]
ends = ["server", "bs"]
rate = "100 Mbps"
delay = "1 ms"
[[wimax]]
base_station = "bs"
stations = {stations}
{cell}
[wimax.entry]
{entry}
[[flow]]
name = "down"
from = "server"
to = "ss*"
transport = "udp"
app = {{ kind = "cbr", payload = "100 B", rate = "20 kbps" }}
[[flow]]
name = "up"
from = "ss*"
to = "server"
transport = "udp"
app = {{ kind = "cbr", payload = "100 B", rate = "20 kbps" }}
"""


def entries(run):
    """Give how each station of each replication entered."""
    return [row["entry"] for document in run.documents for row in document["subscribers"]]


def test_a_station_alone_ranges_in_the_opportunity_that_it_draws():
    run = lasthop.run(scenario(1, "", duration="1 s"), replications=400)
    frames = Counter()
    for entry in entries(run):
        assert entry["listening_s"] == 0  # the first frame describes the channels
        assert entry["attempts"] == 1
        assert entry["registration_s"] == pytest.approx(4 * FRAME)
        parts = [entry[f"{part}_s"] for part in ("listening", "ranging", "registration")]
        assert entry["total_s"] == pytest.approx(sum(parts))
        frames[round(entry["ranging_s"] / FRAME)] += 1
    # One opportunity a frame, 0 to 7 of them let pass, and the answer in the frame after: each an eighth of 400.
    assert frames.keys() == set(range(1, 9))
    chi2 = sum((count - 50) ** 2 / 50 for count in frames.values())
    assert chi2 < 24.3  # 99.9 % of seven degrees of freedom


@pytest.mark.parametrize(("opportunities", "stations"), [(1, 2), (5, 4)])
def test_who_is_alone_in_an_opportunity_is_heard(opportunities, stations):
    cell = f"ranging_opportunities = {opportunities}"
    found = entries(lasthop.run(scenario(stations, "", cell, "1 s"), replications=300))
    first = sum(entry["attempts"] == 1 for entry in found) / len(found)
    alone = (1 - 1 / 8) ** (stations - 1)
    # Stations that collide do so together: of two both, so that half as many are independent.
    assert first == pytest.approx(alone, abs=3.3 * (2 * alone * (1 - alone) / len(found)) ** 0.5)
    for entry in found:
        if entry["attempts"] == 2:  # T3 in whole frames after the first
            assert 0.2 <= entry["ranging_s"] <= 0.2 + (8 + 16) * FRAME


def test_nothing_is_sent_to_or_from_who_is_not_there():
    entry = 'start = "300 ms"\napart = "100 ms"'
    run = lasthop.run(scenario(3, entry, 'descriptors = "250 ms"'), probes=["frames"])
    document, rows = run.documents[0], run.frames.to_pylist()
    for place, station in enumerate(document["subscribers"]):
        held = station["entry"]
        # Described every quarter of a second: at 0.5 s for all of them.
        on = 0.3 + 0.1 * place
        assert held["listening_s"] == pytest.approx(0.5 - on)
        there = on + held["total_s"]
        for way in ("down", "up"):
            own = [
                r["time_s"]
                for r in rows
                if r["station"] == station["name"] and r["direction"] == way
            ]
            assert there - 1e-9 <= min(own) < there + 0.1
    for flow in document["flows"]:
        assert not sum(flow["packets_lost"].values())  # earlier packets have waited
        assert flow["delay_s"]["max"] > 0.4


def test_who_is_not_heard_listens_anew():
    # Two stations in one opportunity without backoff collide for ever.
    entry = 'backoff_start = 0\nbackoff_end = 0\nretries = 2\nt3 = "20 ms"'
    run = lasthop.run(scenario(2, entry, 'descriptors = "100 ms"', "1 s"))
    for held in entries(run):
        assert held["total_s"] is held["ranging_s"] is None
        # Three requests, 20 ms apart, in each tenth of a second.
        assert held["attempts"] == 30
    assert all(flow["packets_delivered"] == 0 for flow in run.documents[0]["flows"])


def test_services_begin_with_the_entry():
    service = (
        '[[wimax.service]]\nflows = ["up"]\nclass = "ugs"\ngrant = "150 B"\ninterval = "20 ms"\n'
    )
    text = scenario(1, 'start = "1 s"', 'descriptors = "100 ms"').replace(
        "[[flow]]", f"{service}[[flow]]", 1
    )
    document = lasthop.run(text).documents[0]
    (station,) = document["subscribers"]
    there = 1 + station["entry"]["total_s"]
    # From its entry on a grant every 20 ms: as many bursts as that leaves room for, and none before.
    assert station["up"]["bursts"] == pytest.approx((6 - there) / 0.02, abs=1)


def test_without_the_key_all_are_there():
    text = scenario(2, "")
    document = lasthop.run(text.replace("[wimax.entry]", "")).documents[0]
    assert all("entry" not in row for row in document["subscribers"])
    assert document["flows"][0]["delay_s"]["max"] < 0.1


@pytest.mark.parametrize(
    ("entry", "cell", "said"),
    [
        ("", "ranging_opportunities = 0", "allowed: ranging_opportunities = 1 or more"),
        ('t3 = "0 s"', "", 'more than "0 s"'),
        ("backoff_start = 7", "", "allowed: backoff_start <= backoff_end"),
        ("backof_end = 7", "", 'did you mean "backoff_end"'),
    ],
)
def test_what_cannot_be_is_refused(entry, cell, said):
    with pytest.raises(lasthop.ScenarioError) as error:
        lasthop.check(scenario(1, entry, cell))
    assert said in str(error.value)
