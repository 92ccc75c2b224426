"""What the tests with other programs need, and how it comes here."""

import os
import pathlib
import shutil
import subprocess
import sys

PYTHON_CHESS = "1.11.2"
LIBRARY = pathlib.Path(__file__).resolve().parents[2] / "target" / f"python-chess-{PYTHON_CHESS}"


def program(name):
    """The path of an installed program; Debian's games are not always on the path."""
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/games")


def install(engines):
    """Debian's engines (as root), and python-chess below `target/`; ends the test where that cannot be."""
    missing = [name for name in engines if program(name) is None]
    if missing and os.geteuid() == 0:
        subprocess.run(["apt-get", "update", "-q"], check=True)
        subprocess.run(["apt-get", "install", "-qy", "--no-install-recommends", *missing], check=True)
    if still := [name for name in engines if program(name) is None]:
        sys.exit(f"not installed: {', '.join(still)}")
    if not LIBRARY.exists():
        pip = [sys.executable, "-m", "pip", "install", "-q", "--root-user-action", "ignore", "--target", str(LIBRARY)]
        subprocess.run([*pip, f"chess=={PYTHON_CHESS}"], check=True)
