#!/usr/bin/env python3
"""`carom bridge` between programs that are not ours.

    tests/bridge/run.py [CAROM] [--only NAME]... [--keep FOLDER]

Debian's Fairy-Stockfish (UCI) plays chess and crazyhouse under an unmodified XBoard; Debian's Fairy-Max and Sjaak II (XBoard protocol)
play under python-chess as UCI engines; Fairy-Stockfish and Sjaak II play under cshogi as USI engines, and Xiangqi with UCCI on one side,
by pyffish's rules; Carom bridged twice (UCI, XBoard protocol, UCI) plays every game with the same moves as Carom itself. Installs what is
missing (with apt-get when run as root, packages of Python below `target/`) and fails when it cannot.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys

HOME = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "tests/xboard"), str(HOME / "tests/clients"), str(pathlib.Path(__file__).parent)]
from parts import play as play_parts  # noqa: E402
from programs import LIBRARY, install, program  # noqa: E402

ENGINES = ["stockfish", "fairy-stockfish", "fairymax", "sjaakii"]


def moves(carom, folder, game, engines):
    """The moves of two games of `engines` at a fixed number of nodes."""
    journal = os.path.join(folder, "journal")
    if os.path.exists(journal):
        os.remove(journal)
    command = [carom, "match", "-quiet", "-game", game, "-rounds", "1", "-repeat", "-seed", "3", "-most-turns", "30"]
    command += ["-journal", journal, "-each", "nodes=150"]
    for name, words in zip("AB", engines):
        command += ["-engine", f"name={name}", f"cmd={words[0]}", "proto=uci", *[f"arg={word}" for word in words[1:]]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    games = [json.loads(line) for line in open(journal)]
    games = [game for game in games if game["event"] == "game"]
    assert len(games) == 2, games
    return [([turn[0] for turn in game["turns"]], game["result"], game["reason"]) for game in games]


def bridged_twice(carom, game):
    """Carom behind UCI, XBoard protocol and UCI."""
    inner = [carom, "bridge", "--as", "xboard", "--engine", "uci", "--", carom]
    return [carom, "bridge", "--as", "uci", "--engine", "xboard", "--game", game, "--", *inner]


def same_moves(carom, folder):
    """Bridged twice, Carom plays the same games."""
    listed = subprocess.run([carom, "games"], text=True, capture_output=True, check=True).stdout
    names = [line.split()[0] for line in listed.splitlines() if line[:1].isalpha()]
    assert len(names) >= 11, names
    plies = 0
    for game in names:
        twice = bridged_twice(carom, game)
        plain = moves(carom, folder, game, [[carom], [carom]])
        bridged = moves(carom, folder, game, [twice, twice])
        assert plain == bridged, f"{game}: {plain} is not {bridged}"
        plies += sum(len(turns) for turns, _, _ in plain)
    return f"{len(names)} games, {plies} turns"


# What an engine behind the bridge cannot do, and why; see `protocol-docs/bridge.md`.
DIFFERENT = {
    "X61": "`pause` is not offered",
    "U50": "behind the XBoard protocol Carom shows several lines when it analyses, not when it is to move",
}


def verdicts(carom, protocol, command, only=()):
    """What `carom comply` finds, by number."""
    asked = [carom, "comply", "--protocol", protocol, "--json", *(["--only", ",".join(only)] if only else []), "--", *command]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=600)
    return {finding["number"]: finding["verdict"] for finding in json.loads(done.stdout)["checks"]}


def comply(carom):
    """The report is the same through the bridge as without it."""
    said = []
    for protocol in ["uci", "xboard"]:
        plain = verdicts(carom, protocol, [carom])
        for inside in ["uci", "xboard"]:
            command = [carom, "bridge", "--as", protocol, "--engine", inside, "--", carom]
            bridged = verdicts(carom, protocol, command)
            other = sorted(number for number in set(plain) - set(DIFFERENT) if plain[number] != bridged[number])
            again = f" ({', '.join(other)} only when asked again)" if other else ""
            for _ in range(3):
                # On a busy machine a check that measures time may find what is not so.
                if other:
                    one, two = (verdicts(carom, protocol, asked, other) for asked in ([carom], command))
                    other = [number for number in other if one[number] != two[number]]
            assert not other, f"{protocol} over {inside}: {', '.join(other)}"
            said.append(f"{protocol} over {inside}: {len(plain)} checks{again}")
    return "; ".join(said)


CSHOGI = HOME / "target/cshogi-1.1.0"
PYFFISH = HOME / "target/pyffish-0.0.90"


def from_pypi(folder):
    """The environment in which Python finds the package of this folder, which is installed if it is missing."""
    if not folder.exists():
        name, version = folder.name.split("-")
        pip = [sys.executable, "-m", "pip", "install", "-q", "--root-user-action", "ignore", "--target", str(folder)]
        subprocess.run([*pip, f"{name}=={version}"], check=True)
    return {**os.environ, "PYTHONPATH": str(folder)}


def under_cshogi(carom, folder, inside, engine):
    """Shogi under cshogi, by an engine that speaks another protocol."""
    # cshogi starts a file, without arguments.
    bridge = os.path.join(folder, "bridge")
    with open(bridge, "w") as file:
        file.write(f"#!/bin/sh\nexec {shlex.join([carom, 'bridge', '--as', 'usi', '--engine', inside, '--', engine])}\n")
    os.chmod(bridge, 0o755)
    script = [sys.executable, str(pathlib.Path(__file__).parent / "under_cshogi.py"), bridge]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=from_pypi(CSHOGI))
    assert done.returncode == 0, done.stderr[-1500:]
    return done.stdout.strip()


def under_ucci(carom):
    """Xiangqi, UCCI on one side of the bridge and another protocol on the other."""
    engines = [program("fairy-stockfish"), program("sjaakii")]
    script = [sys.executable, str(pathlib.Path(__file__).parent / "under_ucci.py"), carom, *engines]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=from_pypi(PYFFISH))
    assert done.returncode == 0, done.stdout + done.stderr[-1500:]
    return done.stdout.strip().replace("\n", "; ")


def parts(carom):
    import clients
    import fuzz
    import under_xboard

    return {
        "same-moves": lambda folder: same_moves(carom, folder),
        "fairymax": lambda folder: clients.play(carom, folder, program("fairymax"), clients.FAIRYMAX),
        "sjaakii": lambda folder: clients.play(carom, folder, program("sjaakii"), clients.SJAAKII),
        "stockfish": lambda folder: clients.play(carom, folder, program("stockfish"), clients.STOCKFISH),
        "chess960": lambda folder: clients.chess960(
            [[carom], bridged_twice(carom, "chess"), [carom, "bridge", "--as", "uci", "--", program("stockfish")]]
        ),
        "usi-fairy-stockfish": lambda folder: under_cshogi(carom, folder, "uci", program("fairy-stockfish")),
        "usi-sjaakii": lambda folder: under_cshogi(carom, folder, "xboard", program("sjaakii")),
        "ucci": lambda folder: under_ucci(carom),
        "xboard-chess": lambda folder: under_xboard.match(carom, folder, program("fairy-stockfish"), "normal"),
        "xboard-crazyhouse": lambda folder: under_xboard.match(carom, folder, program("fairy-stockfish"), "crazyhouse"),
        "xboard-chess960": lambda folder: under_xboard.match(carom, folder, program("stockfish"), "fischerandom"),
        "xboard-own-games": lambda folder: under_xboard.own_games(carom, folder),
        "fuzz": lambda folder: fuzz.run(carom),
        "comply": lambda folder: comply(carom),
        "xboard-analysis": lambda folder: under_xboard.analysis(carom, folder, program("stockfish")),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("carom", nargs="?", default="target/release/carom")
    parser.add_argument("--only", metavar="NAME", action="append", default=[])
    parser.add_argument("--keep", metavar="FOLDER")
    arguments = parser.parse_args()
    carom = os.path.abspath(arguments.carom)
    install(ENGINES)
    sys.path.insert(0, str(LIBRARY))
    from desktop import install_missing_packages

    install_missing_packages()
    chosen = parts(carom)
    if unknown := set(arguments.only) - set(chosen):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(chosen)}")
    play_parts(chosen, arguments.only, arguments.keep)


if __name__ == "__main__":
    main()
