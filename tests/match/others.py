#!/usr/bin/env python3
"""Short matches at chess against engines by other people, found in their own protocols.

    python3 tests/match/others.py target/release/carom

Needs Debian's stockfish, fairy-stockfish, fairymax and sjaakii; installs nothing, and fails where one is lacking. What
counts is that every game ends by the rules, by resignation or by agreement.
"""
import json, os, shutil, subprocess, sys, tempfile

OTHERS = [
    # Name on the path, settings, how Carom is limited against it.
    ("stockfish", ["nodes=1", "option.Threads=1"], "nodes=300"),
    ("fairy-stockfish", ["nodes=1", "option.Threads=1", "option.Skill Level=0"], "nodes=300"),
    ("fairymax", ["depth=2", "proto=cecp"], "nodes=300"),
    ("sjaakii", ["depth=1", "proto=cecp"], "nodes=300"),
]


def main():
    carom = os.path.abspath(sys.argv[1])
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    path = os.environ["PATH"] + ":/usr/games"
    bad = []
    for name, settings, own in OTHERS:
        program = shutil.which(name, path=path)
        if not program:
            sys.exit(f"{name} is not here; Debian has a package of that name")
        with tempfile.TemporaryDirectory() as folder:
            journal = os.path.join(folder, "journal")
            words = [carom, "match", "-quiet", "-rounds", str(games // 2), "-seed", "1", "-journal", journal,
                     "-pgnout", os.path.join(folder, "games.pgn"),
                     "-engine", "cmd=carom", "name=Carom", "proto=uci", own,
                     "-engine", f"cmd={program}", f"name={name}", f"dir={folder}", "stderr=none", *settings]
            run = subprocess.run(words, text=True, capture_output=True, timeout=600)
            sys.stdout.write(run.stdout)
            if run.returncode != 0:
                sys.exit(f"{name}: {run.stderr}")
            played = [json.loads(line) for line in open(journal)][1:]
            assert len(played) == games, f"{name}: {len(played)} games"
            for game in played:
                if game["termination"] not in ("normal", "resignation", "agreement"):
                    bad.append(f"{name}, game {game['number']}: {game['reason']}")
    if bad:
        sys.exit("\n".join(bad))


main()
