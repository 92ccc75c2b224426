#!/usr/bin/env python3
"""What `carom bridge` adds to a round trip of one line, against a relay of two threads.

    tests/bridge/latency.py [CAROM] [--batches 200]

All processes are pinned to one processor. `isready` goes to Carom itself, directly, through the relay and through the bridge, in
batches in turn, so that a processor that is now faster and now slower is so for all of them; what each adds is the median of the
differences from the direct batch beside it.
"""

import argparse
import os
import statistics
import subprocess
import sys
import threading
import time

TRIPS = 200


def relay(command):
    """Hands lines on, a thread for each direction: what anybody writes first."""
    engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def pump(source, target):
        while chunk := os.read(source, 1 << 16):
            os.write(target, chunk)

    threading.Thread(target=pump, args=(engine.stdout.fileno(), 1), daemon=True).start()
    pump(0, engine.stdin.fileno())
    engine.stdin.close()
    engine.wait()


class Engine:
    """Answers to `isready`."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.to, self.back = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.ask(b"uci", b"uciok")
        self.batch()

    def ask(self, line, answer):
        os.write(self.to, line + b"\n")
        text = b""
        while not text.endswith(answer + b"\n"):
            chunk = os.read(self.back, 1 << 16)
            assert chunk, f"{self.process.args} ended"
            text += chunk

    def batch(self):
        """Microseconds of a round trip, the median of some."""
        times = []
        for _ in range(TRIPS):
            begun = time.perf_counter()
            self.ask(b"isready", b"readyok")
            times.append(time.perf_counter() - begun)
        return statistics.median(times) * 1e6

    def end(self):
        os.write(self.to, b"quit\n")
        self.process.stdin.close()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("carom", nargs="?", default="target/release/carom")
    parser.add_argument("--batches", type=int, default=200)
    arguments = parser.parse_args()
    carom = os.path.abspath(arguments.carom)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    ways = {
        "directly": [carom],
        "through a relay of two threads": [sys.executable, __file__, "--relay", carom],
        "through carom bridge (UCI to UCI)": [carom, "bridge", "--as", "uci", "--engine", "uci", "--", carom],
        "through carom bridge (UCI to XBoard)": [carom, "bridge", "--as", "uci", "--engine", "xboard", "--", carom],
    }
    engines = {way: Engine(command) for way, command in ways.items()}
    times = {way: [] for way in ways}
    for _ in range(arguments.batches):
        for way, engine in engines.items():
            times[way].append(engine.batch())
    for engine in engines.values():
        engine.end()
    for way, batches in times.items():
        added = statistics.median(batch - direct for batch, direct in zip(batches, times["directly"]))
        print(f"{way:38} {statistics.median(batches):6.1f} µs a round trip, {added:+6.1f}; in the quickest tenth {tenth(batches):6.1f}")


def tenth(batches):
    return sorted(batches)[len(batches) // 10]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--relay"]:
        relay(sys.argv[2:])
    else:
        main()
