#!/usr/bin/env python3
"""Carom under an unmodified XBoard 4.9.1, in a virtual X server.

Two Carom processes play matches; XBoard's records of them are replayed by our rules. Turns that XBoard has no words
for are checked to leave its board equal to ours. Games of Rollerball, HanniBall and Chess with Wickets are played with
the mouse, and the board on the screen is compared with ours after every step; boxes are closed unanswered, and XBoard's
own adjudications provoked. Needs Debian's
xboard, xvfb, xdotool and imagemagick; as root it installs what is missing. The home folder is left alone.

Ends with 1 when anything is not as it should be.

usage: tests/xboard/run.py [--carom target/release/carom] [--keep FOLDER] [--only NAME]..."""

import argparse
import os
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

import boxes
import corrections
import mouse
import specials
import started
import steps
import wishes
import turns
from desktop import install_missing_packages
from matches import play_match

AT_ONCE = 3  # the engines wait for each other most of the time, and Xvfb is not heavy


def parts(carom):
    """What is done, by name; each takes a folder and returns a line that says what happened."""
    return {
        "rollerball": lambda folder: play_match(carom, folder, "rollerball", 2),
        "alapo": lambda folder: play_match(carom, folder, "alapo", 2),
        "breakthrough": lambda folder: play_match(carom, folder, "breakthrough", 2),
        "mouse": lambda folder: mouse.play(carom, folder),
        "hanniball-steps": lambda folder: steps.hanniball(carom, folder),
        "wickets-steps": lambda folder: steps.wickets(carom, folder),
        "wickets-call": lambda folder: steps.call(carom, folder),
        "hanniball-start": lambda folder: steps.start(carom, folder),
        "hanniball-black": lambda folder: steps.black(carom, folder),
        "hanniball-goal": lambda folder: steps.goal(carom, folder),
        "cards": lambda folder: boxes.cards(carom, folder),
        "loaded-shot": lambda folder: boxes.loaded_shot(carom, folder),
        "loaded-throw": lambda folder: boxes.loaded_throw(carom, folder),
        "legality": lambda folder: boxes.legality(carom, folder),
        "refused": lambda folder: boxes.refused(carom, folder),
        "jai-alai-hand": lambda folder: specials.hand(carom, folder),
        "alapo-demoted": lambda folder: specials.demoted(carom, folder),
        "wickets-sacrifice": lambda folder: specials.sacrifice(carom, folder),
        "copied": lambda folder: specials.copied(carom, folder),
        "started": lambda folder: started.started(carom, folder),
        "starts-again": lambda folder: started.starts_again(carom, folder),
        "hanniball-match": lambda folder: turns.hanniball(carom, folder),
        "wickets-match": lambda folder: turns.wickets(carom, folder),
        "chess": lambda folder: play_match(carom, folder, "chess", 1, variant="normal"),
        "alapo-demotion": lambda folder: play_match(carom, folder, "alapo-demotion", 1),
        "removal-by-black": lambda folder: corrections.removal(
            carom, folder, corrections.COUNTER_98, [".", ".", "=Z", "=Z", "."]
        ),
        "removal-by-white": lambda folder: corrections.removal(
            carom, folder, corrections.COUNTER_99, [".", "--", "=Z", "."]
        ),
        "demotion": lambda folder: corrections.demotion_by_carom(carom, folder),
        "pondering": lambda folder: wishes.pondering(carom, folder),
        "pause": lambda folder: wishes.pause(carom, folder),
        "draw": lambda folder: wishes.draw(carom, folder),
        "resign": lambda folder: wishes.resign(carom, folder),
        "agreement": lambda folder: wishes.agreement(carom, folder),
        "exclude": lambda folder: wishes.exclude(carom, folder),
        "demotion-by-white": lambda folder: corrections.demotion_by_puppet(carom, folder, "a1xa3-a1w", True),
        "demotion-by-black": lambda folder: corrections.demotion_by_puppet(carom, folder, "h8xa5-h8w", False),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--carom", default="target/release/carom", help="the program [%(default)s]")
    parser.add_argument("--keep", metavar="FOLDER", help="leave records, debug files and a picture of failures here")
    parser.add_argument("--only", metavar="NAME", action="append", help="do only this part (may be repeated)")
    arguments = parser.parse_args()
    carom = os.path.abspath(arguments.carom)
    if not os.access(carom, os.X_OK):
        parser.error(f"no program {carom}: cargo build --release")
    chosen = parts(carom)
    unknown = set(arguments.only or ()) - set(chosen)
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(chosen)}")
    if arguments.only:
        chosen = {name: part for name, part in chosen.items() if name in arguments.only}
    install_missing_packages()
    with tempfile.TemporaryDirectory(prefix="carom-xboard-") as temporary:
        root = os.path.abspath(arguments.keep or temporary)
        failures = run(chosen, root)
    if failures:
        print(f"FAILED: {', '.join(failures)}")
    sys.exit(1 if failures else 0)


def run(chosen, root):
    """Does the parts, some at once; prints what happened and returns the names of those that failed."""
    failures = []

    def do(name):
        begun = time.monotonic()
        folder = os.path.join(root, name)
        try:
            os.makedirs(folder)
            told = "ok      " + chosen[name](folder)
        except Exception as problem:  # whatever it is, it is a failure of this part, and the others go on
            failures.append(name)
            where = traceback.extract_tb(problem.__traceback__)[-1]
            told = f"FAILED  {type(problem).__name__}: {problem} ({os.path.basename(where.filename)}:{where.lineno})"
        print(f"{name} [{time.monotonic() - begun:.0f} s] {told}", flush=True)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(do, chosen))
    return failures


if __name__ == "__main__":
    main()
