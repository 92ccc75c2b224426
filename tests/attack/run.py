#!/usr/bin/env python3
"""Attacks."""
import argparse
import concurrent.futures
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bridge  # noqa: E402
import engine  # noqa: E402
import matches  # noqa: E402
import sessions  # noqa: E402
import tables  # noqa: E402
import watching  # noqa: E402
import web  # noqa: E402
from common import Failure  # noqa: E402

PARTS = {
    "uci": sessions.uci,
    "xboard": sessions.xboard,
    "positions": engine.changed_positions,
    "lasting": engine.lasting,
    "sockets": web.sockets,
    "http": web.http,
    "connections": web.connections,
    "frames": web.frames,
    "watch": watching.watch,
    "bridge": bridge.engines,
    "users": bridge.users,
    "kills": matches.kills,
    "journals": matches.journals,
    "files": matches.hostile_files,
    "samples": matches.files_of_learning,
    "tables": tables.changed,
}


class Attack:
    def __init__(self, arguments):
        self.carom = os.path.abspath(arguments.carom)
        self.seed, self.short, self.number = arguments.seed, arguments.short, arguments.number
        self.jobs = arguments.jobs

    def size(self, full):
        """How many; a hundredth of them, five at least, where it must be short."""
        return max(5, full // 100) if self.short else full

    def each(self, work, count, waits=1):
        """Runs all numbers below `count`, or the one that was asked for; what came of each. Work that mostly waits is done by more at a time."""
        numbers = range(count) if self.number is None else [self.number]
        with concurrent.futures.ThreadPoolExecutor(waits * self.jobs) as pool:
            begun = [pool.submit(work, number) for number in numbers]
            try:
                return [one.result() for one in begun]
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("carom", nargs="?", default="target/release/carom")
    parser.add_argument("--only", metavar="PART", action="append", default=[], choices=PARTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--number", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    attack = Attack(arguments)
    for name in arguments.only or PARTS:
        begun = time.monotonic()
        try:
            said = PARTS[name](attack)
        except Failure as failure:
            print(f"{name}: FAILED, seed {attack.seed}: {failure}", flush=True)
            sys.exit(1)
        print(f"{name}: {said}; {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
