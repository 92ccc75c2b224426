#!/usr/bin/env python3
"""Carom under python-chess, unmodified: runs the scripts of `fixtures/clients` and checks what they print.

    tests/clients/run.py [CAROM]

Installs what is missing (the opponents with apt-get when run as root, python-chess below `target/`) and fails when it
cannot.
"""

import io
import json
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from programs import LIBRARY, install, program

HOME = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = HOME / "fixtures/clients"
OPPONENTS = ["stockfish", "fairy-stockfish"]
# For games that hang: none takes a tenth of this.
WATCHDOG_SECONDS = 300


def run(script, *arguments):
    """What a script prints; anything it complains of is an error."""
    environment = {**os.environ, "PYTHONPATH": str(LIBRARY)}
    command = [sys.executable, SCRIPTS / script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WATCHDOG_SECONDS, env=environment)
    complaints = done.stderr.splitlines()
    assert done.returncode == 0 and not complaints, "\n".join([f"exit code {done.returncode}", *complaints])
    return done.stdout


def chess_game(carom, protocol, colour, opponent):
    import chess.pgn

    game = chess.pgn.read_game(io.StringIO(run("chess_game.py", carom, protocol, colour, program(opponent))))
    assert not game.errors, game.errors
    moves = [move.uci() for move in game.mainline_moves()]
    # The end as our rules see it, after every move but the last and after the last.
    assert verdict(carom, "chess", moves[:-1]) is None
    ours, theirs = verdict(carom, "chess", moves), game.headers["Result"]
    assert ours is not None and ours["result"] == theirs, f"python-chess says {theirs}, we say {ours}"
    return f"{theirs} {game.headers['Termination']}, {len(moves)} plies against {opponent}"


def any_game(carom, game, colour):
    *_, turns, result = run("any_game.py", carom, game, colour).splitlines()
    # Carom against lots: whoever cannot win such a game cannot play.
    assert result.startswith("1-0" if colour == "white" else "0-1"), result
    return f"{result}, {len(turns.split())} plies"


def dice_game(carom, protocol, colour):
    *_, turns, result = run("dice_game.py", carom, protocol, colour).splitlines()
    assert result.startswith("1-0" if colour == "white" else "0-1"), result
    return f"{result}, {len(turns.split())} turns"


def verdict(carom, game, moves):
    command = [carom, "show", "--json", "--game", game, "--moves", " ".join(moves)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["outcome"]


def main():
    carom = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HOME / "target/release/carom").resolve())
    install(OPPONENTS)
    sys.path.insert(0, str(LIBRARY))
    games = [
        (chess_game, carom, "uci", "white", "stockfish"),
        (chess_game, carom, "uci", "black", "fairy-stockfish"),
        (chess_game, carom, "xboard", "white", "fairy-stockfish"),
        (chess_game, carom, "xboard", "black", "stockfish"),
    ]
    for name in ["alapo", "alapo-demotion", "rollerball"]:
        games += [(any_game, carom, name, colour) for colour in ["white", "black"]]
    games += [(dice_game, carom, protocol, colour) for protocol in ["uci", "xboard"] for colour in ["white", "black"]]
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        running = [(pool.submit(*game), " ".join(game[2:4])) for game in games]
        for future, name in running:
            try:
                print(f"ok      {name:<24} {future.result()}", flush=True)
            except Exception as error:
                failed += 1
                print(f"FAILED  {name:<24} {error}", flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
