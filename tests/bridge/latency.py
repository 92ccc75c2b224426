#!/usr/bin/env python3
"""What `carom bridge` adds to a round trip of one line, against a relay of two threads.

    tests/bridge/latency.py [CAROM] [--trips 20000]

All processes are pinned to one processor. `isready` goes to Carom itself, directly, through the relay and through the bridge; what
each adds is the difference of the medians of several runs.
"""

import argparse
import os
import statistics
import subprocess
import sys
import threading
import time

RUNS = 5


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


def trips(command, count):
    """Microseconds of a round trip."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    to, back = process.stdin.fileno(), process.stdout.fileno()

    def until(word):
        text = b""
        while not text.endswith(word + b"\n"):
            chunk = os.read(back, 1 << 16)
            assert chunk, f"{command} ended"
            text += chunk

    os.write(to, b"uci\n")
    until(b"uciok")
    os.write(to, b"isready\n")
    until(b"readyok")
    begun = time.perf_counter()
    for _ in range(count):
        os.write(to, b"isready\n")
        until(b"readyok")
    spent = time.perf_counter() - begun
    os.write(to, b"quit\n")
    process.stdin.close()
    process.wait()
    return spent / count * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("carom", nargs="?", default="target/release/carom")
    parser.add_argument("--trips", type=int, default=20000)
    arguments = parser.parse_args()
    carom = os.path.abspath(arguments.carom)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    ways = {
        "directly": [carom],
        "through a relay of two threads": [sys.executable, __file__, "--relay", carom],
        "through carom bridge (UCI to UCI)": [carom, "bridge", "--as", "uci", "--engine", "uci", "--", carom],
        "through carom bridge (UCI to XBoard)": [carom, "bridge", "--as", "uci", "--engine", "xboard", "--", carom],
    }
    times = {way: [] for way in ways}
    for _ in range(RUNS):
        for way, command in ways.items():
            times[way].append(trips(command, arguments.trips))
    direct = statistics.median(times["directly"])
    for way, runs in times.items():
        median = statistics.median(runs)
        print(f"{way:38} {median:6.1f} µs a round trip, {median - direct:+6.1f} (least {min(runs):.1f})")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--relay"]:
        relay(sys.argv[2:])
    else:
        main()
