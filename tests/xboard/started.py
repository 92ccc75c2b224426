"""XBoard started as its user would: by `carom xboard`, and by what `carom install xboard` has written."""

import os
import re
import signal
import subprocess

from desktop import Desktop, find_program
from gui import edges, home_settings, wait_for


def at_home(folder):
    """Variables for a home folder of its own: XBoard asks the system's list of users for it, so that is another one."""
    for name, line in (("passwd", f"user:x:{os.getuid()}:{os.getgid()}::{folder}:/bin/sh"), ("group", f"user:x:{os.getgid()}:")):
        with open(os.path.join(folder, name), "w") as file:
            file.write(line + "\n")
    users = {"NSS_WRAPPER_PASSWD": os.path.join(folder, "passwd"), "NSS_WRAPPER_GROUP": os.path.join(folder, "group")}
    return {"HOME": folder, "LD_PRELOAD": "libnss_wrapper.so", **users}


class Started:
    """A program that starts XBoard in a home folder of its own, on a desktop of its own."""

    def __init__(self, folder, command, debug=True):
        self.desktop, self.debug = Desktop(folder), os.path.join(folder, "xboard.debug")
        environment = self.desktop.environment | at_home(folder)
        self.output = open(os.path.join(folder, "xboard.out"), "w")
        self.process = subprocess.Popen(
            [*command, *(["-debug", "-nameOfDebugFile", self.debug] if debug else [])],
            cwd=folder, stdout=self.output, stderr=self.output, env=environment, start_new_session=True,
        )

    def __enter__(self):
        return self

    def quit(self):
        """Ends XBoard as its user does, so that it saves its settings."""
        wait_for("the window's end", lambda: self.press_quit() or self.process.poll() is not None)

    def press_quit(self):
        # Without a window manager the keyboard belongs to the window under the mouse.
        self.desktop.mouse("mousemove", 200, 110)
        self.desktop.ask("key", "ctrl+q")

    def __exit__(self, *_):
        if self.process.poll() is not None:
            self.output.close()
            return self.desktop.close()
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.output.close()
        self.desktop.close()

    def shows(self, game, files, ranks, colors=("f0d9b5", "b58863")):
        """Waits for the board of `game` in the colours and size that its settings say; gives the size of a square."""

        def chosen():
            assert self.process.poll() is None, "XBoard has ended"
            if not os.path.exists(self.debug):
                return False
            with open(self.debug, encoding="utf-8", errors="replace") as file:
                text = file.read()
            return f"variant {game}\n" in text and "<first : pong" in re.sub(r"<first *:", "<first :", text)

        wait_for(f"the engine of {game}", chosen)
        return self.square(files, ranks, colors)

    def square(self, files, ranks, colors=("f0d9b5", "b58863")):
        """Waits for a board of this shape in these colours; gives the size of a square."""

        def pitch():
            found = edges(self.desktop.screen(), [bytes.fromhex(color) for color in colors], 60)
            if not found:
                return None
            left, right, top, bottom = found
            wide, high = (right - left) / files, (bottom - top) / ranks
            return wide if abs(wide - high) < 1.5 else None

        return wait_for(f"a board of {files}x{ranks}", pitch)


def side_by_side(places):
    """True when the windows of the board and of the engine's thoughts are there, and no two windows overlap."""
    several = list(places.values())
    apart = all(
        one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        for number, one in enumerate(several) for other in several[:number]
    )
    return apart and "Engine Output" in places and len(places) >= 2


def starts_again(carom, folder, times=3):
    """`carom xboard` started again and again in one home: the board keeps its size, and the first start alone says in a box how a
    game begins."""
    sizes = {}
    # The hands of Jai-Alai take two columns on either side.
    for game, files, ranks in [("jai-alai", 13, 8), ("hanniball", 9, 15)]:
        for number in range(times):
            with Started(folder, [carom, "xboard", game], debug=False) as xboard:
                wait_for("the engine", lambda: any("Carom" in title for title in xboard.desktop.windows()))
                if number == 0:
                    wait_for("the box", lambda: "Note" in xboard.desktop.windows())
                    xboard.desktop.save_screen(os.path.join(folder, f"{game}-{number}.png"))
                    # Without a window manager the keyboard belongs to the window under the mouse.
                    xboard.desktop.mouse("mousemove", 60, 60)
                    xboard.desktop.mouse("key", "Return")
                    wait_for("the box's end", lambda: "Note" not in xboard.desktop.windows())
                sizes.setdefault(game, []).append(xboard.square(files, ranks))
                assert "Note" not in xboard.desktop.windows(), "a box at a later start"
                xboard.desktop.save_screen(os.path.join(folder, f"{game}-{number}.png"))
                xboard.quit()
        assert len(set(sizes[game])) == 1, f"{game} changes its squares: {sizes[game]}"
    return f"{times} starts: squares of {', '.join(f'{size[0]:.0f}' for size in sizes.values())} pixels each time"


def started(carom, folder):
    """`carom xboard`, and after `carom install xboard` `xboard @GAME` and an entry of XBoard's list of engines: the game is there
    in squares of a good size, and the settings in the real home folder stay as they are."""
    before, sizes = home_settings(), []

    def starts(name, command, *board):
        if os.path.exists(os.path.join(folder, "xboard.debug")):
            os.remove(os.path.join(folder, "xboard.debug"))
        with Started(folder, command) as xboard:
            sizes.append(xboard.shows(*board))
            if name != "3-listed":
                wait_for("windows side by side", lambda: side_by_side(xboard.desktop.windows()))
            xboard.desktop.save_screen(os.path.join(folder, name + ".png"))

    starts("1-carom-xboard", [carom, "xboard", "rollerball", "--"], "rollerball", 7, 7)
    subprocess.run([carom, "install", "xboard"], env=os.environ | at_home(folder), check=True, capture_output=True)
    xboard = find_program("xboard")
    starts("2-xboard-at", [xboard, "@hanniball"], "hanniball", 9, 15)
    # What is listed keeps the colours that XBoard's user has chosen.
    chosen = ["-useBoardTexture", "false", "-lightSquareColor", "#f0d9b5", "-darkSquareColor", "#b58863"]
    starts("3-listed", [xboard, "-fe", "Carom wickets-det (wickets-det)", *chosen], "wickets-det", 8, 10)
    assert min(sizes) >= 38, f"squares of {sizes} pixels"
    assert home_settings() == before, "the settings in the home folder have changed"
    return f"started: squares of {', '.join(f'{size:.0f}' for size in sizes)} pixels"
