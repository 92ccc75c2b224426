"""Plays the parts of a script, each in a folder of its own; one that fails does not stop the others."""

import os
import sys
import tempfile
import time
import traceback


def play(parts, only=(), keep=None):
    """`parts`: what tells what it saw when it is given a folder, by name; `only`: the names to be played, all when empty;
    `keep`: where the folders stay. Ends the program."""
    failures = []
    with tempfile.TemporaryDirectory(prefix="carom-bridge-") as temporary:
        for name, part in parts.items():
            if only and name not in only:
                continue
            folder = os.path.join(os.path.abspath(keep or temporary), name)
            os.makedirs(folder, exist_ok=True)
            begun = time.monotonic()
            try:
                told = "ok      " + part(folder)
            except Exception as problem:  # whatever it is, the others go on
                failures.append(name)
                where = traceback.extract_tb(problem.__traceback__)[-1]
                told = f"FAILED  {type(problem).__name__}: {problem} ({os.path.basename(where.filename)}:{where.lineno})"
            print(f"{name} [{time.monotonic() - begun:.0f} s] {told}", flush=True)
    sys.exit(f"FAILED: {', '.join(failures)}" if failures else 0)
