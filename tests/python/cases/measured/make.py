"""Make the files of this folder with real tools (iperf3, ss, tcpdump) over a path whose numbers are known.

As root: two network namespaces, each with a TUN device; this process carries packets between them: a queue in
front of a rate, a delay each way, and losses of the data's way that follow a Gilbert-Elliott process. `README.md`
says what was run.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import sys
import time

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
NEAR, FAR = "10.77.0.1", "10.77.0.2"


def sh(line: str, *, check: bool = True) -> None:
    """Run a command."""
    subprocess.run(line.split(), check=check, capture_output=True)


def device(space: str, name: str, address: str, other: str) -> int:
    """Open a TUN device and move it into a namespace; return its file."""
    file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    sh(f"ip link set {name} netns {space}")
    sh(f"ip -n {space} link set lo up")
    sh(f"ip -n {space} addr add {address} peer {other} dev {name}")
    sh(f"ip -n {space} link set {name} up mtu 1500 txqueuelen 1000")
    return file


class Way:
    """One way of the path."""

    def __init__(self, into: int, given: argparse.Namespace, *, loses: bool) -> None:
        """Begin idle, in the good state."""
        self.into, self.given, self.loses = into, given, loses
        self.free_at = 0.0
        self.arriving: list[tuple[float, int, bytes]] = []
        self.leaving: list[float] = []
        self.random = random.Random(given.seed)
        self.bad, self.until, self.count = False, time.monotonic(), 0

    def offer(self, packet: bytes) -> None:
        """Queue a packet, or drop it."""
        now = time.monotonic()
        self.leaving = [at for at in self.leaving if at > now]
        if len(self.leaving) > self.given.queue:
            return
        start = max(now, self.free_at)
        self.free_at = start + len(packet) * 8 / (self.given.mbps * 1e6)
        self.leaving.append(self.free_at)
        if not (self.loses and self.lost(start)):
            self.count += 1
            heapq.heappush(
                self.arriving, (self.free_at + self.given.delay_ms / 1e3, self.count, packet)
            )

    def lost(self, at: float) -> bool:
        """Draw the fate of a packet."""
        given = self.given
        while given.bad_ms and self.until <= at:
            self.bad = not self.bad
            mean = given.bad_ms if self.bad else given.good_ms
            self.until += self.random.expovariate(1e3 / mean)
        return self.bad or self.random.random() < given.loss

    def deliver(self) -> float:
        """Write what has arrived; return when the next does."""
        now = time.monotonic()
        while self.arriving and self.arriving[0][0] <= now:
            with contextlib.suppress(OSError):
                os.write(self.into, heapq.heappop(self.arriving)[2])
        return self.arriving[0][0] if self.arriving else now + 0.05


def carry(a: int, b: int, given: argparse.Namespace, until: float) -> None:
    """Carry packets between two devices."""
    ways = {a: Way(b, given, loses=True), b: Way(a, given, loses=False)}
    while time.monotonic() < until:
        wake = min(way.deliver() for way in ways.values())
        ready, _, _ = select.select([a, b], [], [], max(0.0, wake - time.monotonic()))
        for file in ready:
            for _ in range(64):
                try:
                    packet = os.read(file, 65536)
                except BlockingIOError:
                    break
                ways[file].offer(packet)


def sample(path: str, until: float, step: float) -> None:
    """Write what `ss -ti` says, with the time before it, every `step` seconds."""
    with open(path, "w") as log:
        while time.monotonic() < until:
            said = subprocess.run(
                ["ip", "netns", "exec", "lh-near", "ss", "-tin", "dst", FAR],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            log.write(f"{time.time():.6f}\n{said.stdout}")
            time.sleep(step)


def main() -> None:
    """Build the path, run iperf3, keep what the tools say, take the path down."""
    asked = argparse.ArgumentParser()
    asked.add_argument("name")
    for key, kind, usual in (
        ("mbps", float, 4.0), ("delay-ms", float, 15.0), ("queue", int, 25), ("seed", int, 1),
        ("good-ms", float, 0.0), ("bad-ms", float, 0.0), ("loss", float, 0.0),
        ("seconds", int, 10), ("law", str, "cubic"), ("snap", int, 80),
    ):  # fmt: skip
        asked.add_argument(f"--{key}", type=kind, default=usual)
    asked.add_argument("--udp", default="")
    asked.add_argument("--only", default="json,ss,pcap")
    asked.add_argument("--format", default="pcap", choices=["pcap", "pcapng"])
    given = asked.parse_args()
    kept = given.only.split(",")
    for space in ("lh-near", "lh-far"):
        sh(f"ip netns del {space}", check=False)
        sh(f"ip netns add {space}")
        sh(f"ip netns exec {space} sysctl -qw net.ipv6.conf.all.disable_ipv6=1", check=False)
    near = device("lh-near", "lhnear", NEAR, FAR)
    far = device("lh-far", "lhfar", FAR, NEAR)
    until = time.monotonic() + given.seconds + 4
    others = []
    spaced = ["ip", "netns", "exec"]
    others.append(
        subprocess.Popen([*spaced, "lh-far", "iperf3", "-s", "-1"], stdout=subprocess.DEVNULL)
    )
    if "pcap" in kept:
        words = ["tcpdump", "-q", "-i", "lhnear", "-s", str(given.snap), "-w", f"{given.name}.pcap"]
        others.append(subprocess.Popen([*spaced, "lh-near", *words], stderr=subprocess.DEVNULL))
    pid = os.fork()
    if pid == 0:
        carry(near, far, given, until)
        os._exit(0)
    time.sleep(1.0)
    sampler = 0
    if "ss" in kept:
        sampler = os.fork()
        if sampler == 0:
            sample(f"{given.name}.ss.log", time.monotonic() + given.seconds, 0.2)
            os._exit(0)
    how = ["-u", "-b", given.udp, "-l", "1000"] if given.udp else ["-C", given.law]
    words = ["iperf3", "-c", FAR, "-t", str(given.seconds), "-i", "0.5", "-J", *how]
    said = subprocess.run([*spaced, "lh-near", *words], capture_output=True, text=True, check=False)
    if "json" in kept:
        with open(f"{given.name}.json", "w") as file:
            file.write(said.stdout)
    if sampler:
        os.waitpid(sampler, 0)
    os.waitpid(pid, 0)
    for other in others:
        other.terminate()
        other.wait()
    for space in ("lh-near", "lh-far"):
        sh(f"ip netns del {space}", check=False)
    sys.exit(said.returncode)


if __name__ == "__main__":
    main()
