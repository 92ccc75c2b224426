#!/usr/bin/env python3
"""Carom against Carom in every game and mode, a fixed number of nodes a move, from random openings: no illegal turn, no
time loss, no game without an end.

    python3 tests/match/all_games.py target/release/carom [--games 1000] [--nodes 100] [--concurrency 2] [--only GAME]
"""
import argparse, json, os, subprocess, sys, tempfile


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("carom")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=100)
    parser.add_argument("--concurrency", type=int, default=os.cpu_count())
    parser.add_argument("--only")
    options = parser.parse_args()
    carom = os.path.abspath(options.carom)
    listed = subprocess.run([carom, "games"], text=True, capture_output=True, check=True).stdout
    names = [line.split()[0] for line in listed.splitlines() if line[:1].isalpha()]
    bad = []
    for name in names:
        if options.only and name != options.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            journal = os.path.join(folder, "journal")
            openings = os.path.join(folder, "openings.epd")
            with open(openings, "w") as file:
                words = [carom, "openings", "-g", name, "-n", str(min(options.games // 2, 200)), "--plies", "4", "--depth",
                         "1", "--within", "100000"]
                subprocess.run(words, stdout=file, check=True)
            words = [carom, "match", "-quiet", "-game", name, "-rounds", str(options.games // 2), "-seed", "7",
                     "-journal", journal, "-concurrency", str(options.concurrency), "-openings", f"file={openings}",
                     "-most-turns", "2000", "-each", f"nodes={options.nodes}",
                     "-engine", "cmd=carom", "name=A", "proto=uci", "-engine", "cmd=carom", "name=B", "proto=uci"]
            run = subprocess.run(words, text=True, capture_output=True)
            if run.returncode != 0:
                sys.exit(f"{name}: {run.stderr}")
            endings = {}
            for line in open(journal):
                game = json.loads(line)
                if game["event"] == "game":
                    endings[game["termination"]] = endings.get(game["termination"], 0) + 1
                    if game["termination"] != "normal":
                        bad.append(f"{name}, game {game['number']}: {game['reason']}")
            print(f"{name:<16} {sum(endings.values())} games: {endings}", flush=True)
    if bad:
        sys.exit("\n".join(bad[:20]))


main()
