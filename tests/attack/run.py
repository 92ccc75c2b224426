#!/usr/bin/env python3
"""Attacks on Carom at the size of the attack round before 0.1.1, by inputs that a seed makes and nobody wrote down.

    tests/attack/run.py [CAROM] [--only PART]... [--seed N] [--number N] [--short]

Each part prints its figures, or ends with what was found: the number that fails again alone (`--only PART --number N`), and
the input in target/attack-failures.

What held in that round, and where it is shown now; what stands in `tests/it` and `src` is not repeated here:

| attack | part here | besides |
|---|---|---|
| 1,500 UCI sessions, moves checked for legality | uci | `.ci/fuzz` in one process |
| 800 XBoard sessions | xboard | `.ci/fuzz` |
| 50,000 mutated positions | positions | fuzz target `text` |
| 15 kills of a match of 4,000 games | kills | `matches::records::a_match_killed_fifty_times_loses_no_game_and_counts_none_twice` |
| 3,000 WebSocket sessions | sockets | `programs::serve`, `serve_limits`, `serve_secrets` |
| 51 HTTP requests | http | `serve::http` |
| 700 idle, 300 sockets, 2,000 opened and closed, 300 reset | connections | |
| 20 kinds of frames, unread pings, clients that do not read | frames | `serve_limits::who_does_not_read_is_let_go_and_who_reads_stays` |
| `serve --journal`: 27,792 states of corrupted files, devices, pipes | watch | `arena::journal` |
| names of games that cannot be guessed, no listing | | `programs::serve::strangers_get_nothing` |
| bridge, hostile engines: 103 misdeeds, now for all four pairs of protocols | bridge | `protocols::bridge`, `matches::strays` |
| bridge, hostile user: 300 UCI sessions | users | `tests/bridge/fuzz.py`: both sides at once |
| settings, openings, PGN, ratings | files | `matches::words` |
| full disk | files | `programs::full_disk` |
| 60 cut and 60 changed journals, 60 merges | journals | `arena::journal`, `matches::merge` |
| two runs on one journal, other settings | files | `matches::records::a_match_goes_on_only_with_its_own_settings` |
| `install`, 24 kinds of .xboardrc | files | `programs::xboard_install` |
| 235 corrupted tables, devices, many files, cut while in use | tables | `games::tables` |
| corrupted samples; networks are part of the program and read from no file | samples | `games::training` (each changed byte of a network is refused) |
| 3,001 games in a session, 1,000 searches stopped at once, too many threads, too little memory | lasting | `games::threads` |
| 10,000 `position` lines of 600 moves | lasting | `.ci/fuzz --lines` |
"""

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
import traffic  # noqa: E402
import watching  # noqa: E402
import web  # noqa: E402
from common import Failure  # noqa: E402

PARTS = {
    "uci": sessions.uci,
    "xboard": sessions.xboard,
    "positions": engine.changed_positions,
    "lasting": engine.lasting,
    "sockets": web.sockets,
    "http": traffic.http,
    "connections": traffic.connections,
    "frames": traffic.frames,
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
    """The program, and how much of it is asked for."""

    def __init__(self, arguments):
        self.carom = os.path.abspath(arguments.carom)
        self.seed, self.short, self.number = arguments.seed, arguments.short, arguments.number

    def size(self, full):
        """How many; a hundredth of them, five at least, where it must be short."""
        return max(5, full // 100) if self.short else full

    def each(self, work, count, waits=1):
        """Runs all numbers below `count`, or the one that was asked for; what came of each. Work that mostly waits is done by more at a time."""
        numbers = range(count) if self.number is None else [self.number]
        with concurrent.futures.ThreadPoolExecutor(waits * os.cpu_count()) as pool:
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
    parser.add_argument("--seed", metavar="N", type=int, default=1)
    parser.add_argument("--number", metavar="N", type=int, help="only this one of a part's sessions, positions, …")
    parser.add_argument("--short", action="store_true")
    arguments = parser.parse_args()
    attack, failed = Attack(arguments), False
    for name in arguments.only or PARTS:
        begun = time.monotonic()
        try:
            said = PARTS[name](attack)
        except Failure as failure:
            failed = True
            said = f"FAILED, seed {attack.seed}: {failure}"
        print(f"{name}: {said}; {time.monotonic() - begun:.0f} s", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
