#!/usr/bin/env python3
"""A new user of the Debian package in a root of its own (see run.sh): a first own move in XBoard and in the browser, with the lines of
README.md; XBoard's list of engines; PyChess.

    tests/deb/first_moves.py ROOT --begun SECONDS [--pictures FOLDER]

ROOT has a user called player. SECONDS is when the installation began: what was reached how long after is printed. (On a quiet machine it is
to be less than a minute; a test has no limit of time.)"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "xboard"), str(HERE.parent / "web")]
from desktop import Desktop  # noqa: E402
from driver import Browser, Chromium  # noqa: E402
from gui import edges, wait_for  # noqa: E402
from hands import Mouse, scene  # noqa: E402

COLOURS = [bytes.fromhex("f0d9b5"), bytes.fromhex("b58863")]
MINUTE = 60


def commands_of_the_readme():
    """The commands of the README."""
    text = (HERE.parents[1] / "README.md").read_text(encoding="utf-8")
    return {line.strip("`") for line in re.findall(r"`carom [^`]+`", text)} | set(re.findall(r"^carom .+$", text, re.MULTILINE))


class Player:
    """What the user types in a terminal, as a login shell finds programs."""

    def __init__(self, root, display):
        self.root, self.display = root, display
        self.home = root / "home/player"

    def start(self, line, **more):
        words = ["chroot", self.root, "su", "-", "player", "--session-command", f"export DISPLAY={self.display}; exec {line}"]
        return subprocess.Popen(words, start_new_session=True, text=True, **more)

    def run(self, line):
        process = self.start(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said, _ = process.communicate(timeout=300)
        assert process.returncode == 0, f"{line}: {process.returncode}: {said[-2000:]}"
        return said


def end(process):
    """Ends what was started, as a closed terminal does: it is one group, since `su` begins no session of its own here."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGHUP)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def in_xboard(player, desktop, picture):
    """`carom xboard hanniball`, and White's first step with the mouse; the marks and the moved piece are seen on the board."""
    process = player.start("carom xboard hanniball", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        def board():
            assert process.poll() is None, f"carom xboard ended with {process.returncode}"
            found = edges(desktop.screen(), COLOURS, 60)
            if not found:
                return None
            left, right, top, bottom = found
            wide, high = (right - left) / 9, (bottom - top) / 15
            return (left, top, wide) if abs(wide - high) < 1.5 else None

        wait_for("the box that says how a game begins", lambda: "Note" in desktop.windows(), MINUTE)
        desktop.mouse("mousemove", 60, 60)
        desktop.mouse("key", "Return")
        wait_for("the box's end", lambda: "Note" not in desktop.windows(), MINUTE)
        left, top, pitch = wait_for("the board", board, MINUTE)

        def point(square):
            file, rank = ord(square[0]) - ord("a"), int(square[1:])
            return round(left + (file + 0.5) * pitch), round(top + (15 - rank + 0.5) * pitch)

        def drawn(square):
            x, y = point(square)
            half, pixels = int(pitch * 0.4), desktop.screen()
            return b"".join(pixels[(row * 1024 + x - half) * 3:(row * 1024 + x + half) * 3] for row in range(y - half, y + half))

        before = {square: drawn(square) for square in ("d4", "e6")}
        desktop.mouse("mousemove", *point("d4"), "click", 1)
        # Where the piece may go is marked by the engine.
        wait_for("the marks", lambda: drawn("e6") != before["e6"], MINUTE)
        marked = drawn("e6")
        desktop.mouse("mousemove", *point("e6"), "click", 1)
        desktop.mouse("mousemove", 60, 60)
        wait_for("the piece to have moved", lambda: drawn("d4") != before["d4"] and drawn("e6") not in (before["e6"], marked), MINUTE)
        if picture:
            desktop.save_screen(picture)
    finally:
        end(process)


def in_the_browser(player, picture):
    """`carom serve hanniball`, and the same step on the page; `--open` would open it in a browser inside."""
    chromium = Chromium()
    process = player.start("carom serve hanniball --open", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        address = re.search(r"http://\S+", process.stdout.readline()).group()
        browser = Browser(chromium)
        browser.open(address)
        wait_for("our turn", lambda: scene(browser)["movable"], MINUTE)
        hand = Mouse(browser)
        hand.square("d4", scene(browser))
        hand.square("e6", scene(browser))
        wait_for("the first step", lambda: scene(browser)["at"] == "1", MINUTE)
        if picture:
            browser.screenshot(picture)
    finally:
        end(process)
        chromium.close()


def in_the_list(player, desktop):
    """XBoard as it is started from a menu: it finds the plug-ins and lists them in the settings that it saves."""
    settings = player.home / ".xboardrc"
    process = player.start("xboard", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for("XBoard", lambda: any("board" in title.lower() or "fairy" in title.lower() for title in desktop.windows()), MINUTE)

        def quit_it():
            desktop.mouse("mousemove", 200, 110)
            desktop.ask("key", "ctrl+q")
            return process.poll() is not None

        wait_for("XBoard's end", quit_it, MINUTE)
    finally:
        end(process)
    text = settings.read_text(encoding="utf-8", errors="replace")
    listed = re.search(r"^-firstChessProgramNames \{(.*?)^\}", text, re.MULTILINE | re.DOTALL).group(1)
    own = [line for line in listed.splitlines() if "carom" in line.lower()]
    games = {line.split()[0] for line in player.run("carom games").splitlines() if re.match(r"[a-z]", line)} - {"chess"}
    missing = [game for game in games if not any(f"-variant {game} " in f"{line} " for line in own)]
    assert not missing, f"XBoard does not list {missing}: {own}"
    return own


def listed_engine_plays(player, desktop, picture):
    """An engine of the list, by the name it has in XBoard's menu: it moves first, in its game."""
    name = "carom (rollerball)"
    debug = "/home/player/listed.debug"
    process = player.start(f"xboard -fe '{name}' -initialMode MachineWhite -debug -nameOfDebugFile {debug}",
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        path = player.home / "listed.debug"

        def moved():
            assert process.poll() is None, "XBoard has ended"
            return path.exists() and re.search(r"<first *: move (\S+)", path.read_text(encoding="utf-8", errors="replace"))

        move = wait_for("a first move", moved, MINUTE).group(1)
        player.run(f"carom show rollerball --moves {move}")
        if picture:
            time.sleep(1)
            desktop.save_screen(picture)
        return name, move
    finally:
        end(process)


# PyChess's own list, as it reads it at its start; then what its dialogue does (Engines, New), and its look at the new engine.
FOUND = """import asyncio, json
from under_pychess import discoverer
read = [engine["name"] for engine in discoverer.engines]
async def look():
    discoverer.addEngine("carom", "/usr/games/carom", "uci", None, [])
    ended = asyncio.Event()
    discoverer.connect("all_engines_discovered", lambda *_: ended.set())
    discoverer.discover()
    await asyncio.wait_for(ended.wait(), timeout=60)
asyncio.run(look())
carom = next(engine for engine in discoverer.getEngines() if engine["name"] == "carom")
print(json.dumps([read, len(carom["options"])]))
"""


def in_pychess(root, player):
    """PyChess reads the plug-in at its start (and Debian's 1.0.3 drops each plug-in's engine again that its own list does not name); added
    by hand it is looked at, and two of it play a game in PyChess's classes."""
    subprocess.run(["chroot", root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", "--no-install-recommends",
                    "pychess"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.copy(HERE.parent / "bridge/under_pychess.py", player.home / "under_pychess.py")
    (player.home / "found.py").write_text(FOUND)
    read, options = json.loads(player.run("python3 found.py").strip().splitlines()[-1])
    assert read.count("/usr/games/carom") == 1, f"PyChess reads {read}"
    assert options > 5, f"{options} options"
    played = player.run("python3 under_pychess.py chess uci:/usr/games/carom xboard:/usr/games/carom").strip().splitlines()[-1]
    return f"PyChess reads the plug-in and knows {options} options of it; {played}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--begun", type=float, required=True)
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    missing = {"carom xboard hanniball", "carom serve hanniball --open"} - commands_of_the_readme()
    assert not missing, f"the README does not say {missing}"
    picture = lambda name: options.pictures and str(options.pictures / f"{name}.png")
    since = lambda: time.time() - options.begun
    took = {"installed": since()}
    with tempfile.TemporaryDirectory() as folder:
        desktop = Desktop(folder)
        try:
            player = Player(options.root, desktop.display)
            in_xboard(player, desktop, picture("xboard"))
            took["own move in XBoard"] = since()
            in_the_browser(player, picture("browser"))
            took["own move in the browser"] = since()
            print(", ".join(f"{what} after {seconds:.1f} s" for what, seconds in took.items()), flush=True)
            own = in_the_list(player, desktop)
            name, move = listed_engine_plays(player, desktop, picture("listed"))
            print(f"XBoard lists {len(own)} engines of ours; of {name} the first move is {move}", flush=True)
            print(in_pychess(options.root, player), flush=True)
        finally:
            desktop.close()


if __name__ == "__main__":
    main()
