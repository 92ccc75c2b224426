"""UCI engines under an unmodified XBoard."""

import os
import re
import subprocess
import sys

import chess.pgn
from gui import Gui, wait_for

COMPLAINT = re.compile(r"[<>]\w+ +(Error|Illegal|tellusererror|rejected)\b.*")
FAST = ["-timeControl", "0:03", "-timeIncrement", "0.05", "-matchPause", "100", "-testLegality", "true"]


def bridge(carom, engine):
    return [carom, "bridge", "--as", "xboard", "--", engine]


def match(carom, folder, engine, variant):
    """A bridged engine plays against itself, in thought on the opponent's time as well."""
    return play(folder, [bridge(carom, engine)] * 2, variant)


def play(folder, engines, variant, harmless=("rejected",)):
    """Two engines play two games; python-chess finds every move legal and the result right. No complaint but `harmless` ones."""
    options = ["-variant", variant, "-mode", "TwoMachines", "-matchGames", "2", *FAST]
    options += ["-ponderNextMove", "true"]
    with Gui(folder, engines, options) as gui:
        wait_for("the end of the match", lambda: gui.process.poll() is not None)
        assert gui.process.returncode == 0, f"XBoard ended with {gui.process.returncode}"
        lines = gui.conversation()
        path = gui.path("games.pgn")
    complaints = [line for line in lines if COMPLAINT.fullmatch(line) and not any(word in line for word in harmless)]
    assert not complaints, complaints
    said = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for _ in range(2):
            game = chess.pgn.read_game(file)
            assert game is not None and not game.errors, game and game.errors
            plies = game.end().ply()
            result = game.headers["Result"]
            assert plies > 10 and result in ("1-0", "0-1", "1/2-1/2"), (plies, result)
            comment = game.end().comment
            assert "forfeit" not in comment.lower() and "time" not in comment.lower(), comment
            said.append(f"{result} in {plies} plies")
    assert any(re.match(r"<first +\d+ +-?\d+ +\d+ +\d+", line) for line in lines), "no thinking was shown"
    return f"{variant}: " + ", ".join(said)


def analysis(carom, folder, engine):
    """A person analyses, takes a move back, and lets the engine move at once."""
    with Gui(folder, [bridge(carom, engine)], ["-mode", "analysis", "-testLegality", "true"]) as gui:
        first, _ = gui.wait_for_line(r"<first \d+ -?\d+ \d+ \d+.*")
        gui.wait_for_line(r">first analyze")
        lines = gui.conversation()
    assert first > 0 and not [line for line in lines if COMPLAINT.fullmatch(line) and "rejected" not in line], lines
    return f"{len(lines)} lines"


# Parts of tests/xboard that need rules, steps, dice, a hand and the mouse.
OWN_GAMES = ["mouse", "hanniball-steps", "wickets-steps", "jai-alai-hand", "removal-by-black", "draw"]


def own_games(carom, folder):
    """Carom's own games under XBoard, with Carom as a UCI engine behind the bridge: all that tests/xboard finds holds."""
    wrapper = os.path.join(folder, "bridged")
    with open(wrapper, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\n[ $# -eq 0 ] && exec {carom} bridge --as xboard --engine uci -- {carom}\nexec {carom} "$@"\n')
    os.chmod(wrapper, 0o755)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../xboard/run.py")
    only = [word for name in OWN_GAMES for word in ("--only", name)]
    done = subprocess.run([sys.executable, script, "--carom", wrapper, *only], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return f"{len(OWN_GAMES)} parts of tests/xboard"
