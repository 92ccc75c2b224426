#!/usr/bin/env python3
"""WinBoard, run by Wine: every piece of every game on its board in two sizes, then games with the mouse (parts of tests/xboard).

`tests/wine/run.sh` calls it. CAROM_EXE is carom.exe, WINEPREFIX a prefix with WinBoard and what `carom install winboard` wrote.

usage: tests/wine/winboard.py --carom target/release/carom FOLDER"""

import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
XBOARD = os.path.join(HERE, "..", "xboard")
sys.path.insert(0, XBOARD)

from desktop import install_missing_packages  # noqa: E402
from gui import Gui, pieces_of  # noqa: E402
from sight import Sight  # noqa: E402

GAMES = ["alapo", "rollerball", "jai-alai", "hanniball", "wickets-det", "breakthrough"]
SIZES = [33, 49]
# All parts but those for which WinBoard has no way (its move box opens for letters and digits only, a box lets no click through), that
# look for a process of Linux, or that have a puppet in Python.
PLAYED = [
    "mouse", "hanniball-start", "hanniball-black", "hanniball-goal", "hanniball-steps", "wickets-steps", "wickets-call",
    "wickets-sacrifice", "cards", "jai-alai-hand", "alapo-demoted", "loaded-shot", "loaded-throw", "refused", "copied",
    "rollerball", "breakthrough", "hanniball-match", "wickets-match", "chess",
]


def legend(carom, folder, game, size):
    """Every piece of a game on a plain board: all are there, and no two look alike."""
    os.makedirs(folder, exist_ok=True)
    table = pieces_of(carom, game)
    letters = re.findall("[A-Za-z]", table)
    rows = ["".join(letters[at : at + 8]).ljust(8, ".") for at in range(0, len(letters), 8)]
    rows += ["." * 8] * (8 - len(rows))
    fen = "/".join(re.sub(r"\.+", lambda empty: str(len(empty[0])), row) for row in rows)
    path = os.path.join(folder, "pieces.fen")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{fen} w - - 0 1\n")
    # The last word on the variant is that of the rules of the board; our name comes first, for the pictures.
    options = ["-ncp", "-variant", game, "-variant", "fairy", "-pieceToCharTable", table, "-boardSize", str(size)]
    with Gui(folder, [], [*options, "-loadPositionFile", path]) as gui:
        gui.find_board(8, 8)
        # HanniBall's ball is the same for both sides.
        sight = Sight(gui, "o" if game == "hanniball" else "")
        sight.shows([list(row) for row in rows])
        gui.desktop.save_screen(gui.path("pieces.png"))
    return len(letters)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--carom", required=True, help="Carom for Linux")
    parser.add_argument("--only", action="append", choices=GAMES + PLAYED, help="only this (may be repeated)")
    parser.add_argument("folder", help="where pictures and records go")
    arguments = parser.parse_args()
    carom, folder = os.path.abspath(arguments.carom), os.path.abspath(arguments.folder)
    chosen = arguments.only or GAMES + PLAYED
    install_missing_packages()
    # WinBoard goes by XBoard's name here.
    os.environ["PRISTINE"] = os.environ.pop("WINEPREFIX")
    os.environ["PATH"] = HERE + os.pathsep + os.environ["PATH"]
    for game in [game for game in GAMES if game in chosen]:
        for size in SIZES:
            count = legend(carom, os.path.join(folder, f"{game}-{size}"), game, size)
            print(f"{game}: {count} pieces in size {size}", flush=True)
    parts = [word for part in PLAYED if part in chosen for word in ("--only", part)]
    if parts:
        command = [sys.executable, os.path.join(XBOARD, "run.py"), "--carom", carom, "--keep", folder, *parts]
        sys.exit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main()
