#!/usr/bin/env python3
"""WinBoard, run by Wine: every man of every game on its board in two sizes, then games with the mouse (parts of tests/xboard).

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
# What WinBoard cannot do is left out: move boxes for other letters, boxes that let clicks through, puppets in Python.
