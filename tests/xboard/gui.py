"""An unmodified XBoard on a desktop of its own: started with settings of its own, read through its debug file,
driven with the mouse."""

import hashlib
import os
import pwd
import re
import shlex
import subprocess
import time

from desktop import HEIGHT, WIDTH, Desktop, find_program

WATCHDOG = int(os.environ.get("CAROM_XBOARD_WATCHDOG", "200"))  # seconds; only a hang lasts that long
LIGHT, DARK = "#c8c365", "#77a26d"

# Everything here that a fresh user of XBoard has otherwise.
SETTINGS = f"""
-saveSettingsOnExit false
-autoInstall ""
-recentEngines 0
-testLegality false
-repeatsToDraw 0
-ruleMoves 0
-popupExitMessage false
-popupMoveErrors false
-startupMessage ""
-ringBellAfterMoves false
-showTargetSquares true
-sweepPromotions true
-useBoardTexture false
-lightSquareColor {LIGHT}
-darkSquareColor {DARK}
-overrideLineGap 1
-autoFlipView false
-highlightMoveWithArrow false
-animateMoving false
-animateDragging false
-flashCount 0
-timeDelay 0
-evalGraphUp false
-moveHistoryUp false
-engineOutputUp false
-ponderNextMove false
"""


class Timeout(AssertionError):
    """Something that had to happen did not."""


def wait_for(what, look, watchdog=WATCHDOG):
    """Calls `look` until it gives something true, and returns that."""
    end = time.monotonic() + watchdog
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > end:
            raise Timeout(f"waited in vain for {what}")
        time.sleep(0.02)


def home_settings():
    """A fingerprint of the settings file in the home folder, which must stay as it is."""
    path = os.path.join(pwd.getpwuid(os.getuid()).pw_dir, ".xboardrc")
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest(), os.stat(path).st_mtime_ns


def pieces_of(carom, game):
    """The table of pieces that Carom sends with `setup`."""
    asked = f"xboard\nprotover 2\nnew\nvariant {game}\nquit\n"
    answer = subprocess.run([carom], input=asked, capture_output=True, text=True, check=True).stdout
    return re.search(r"^setup \((\S+)\) ", answer, re.MULTILINE)[1]


def position_file(folder, carom, game, harmless, position):
    """Options for XBoard to begin from `position`.

    XBoard reads the file at its start, and what it has read may be lost when the engine's set-up comes, sooner or
    later. So the first position is only there for that; the second is loaded later, see `Gui.load_position`. For the
    same reason XBoard is told the pieces here, or it would read the first position in pieces it forgets."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "start.fen")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{harmless}\n{position}\n")
    return ["-variant", game, "-pieceToCharTable", pieces_of(carom, game), "-loadPositionFile", path]


def edges(pixels, shades, least=40):
    """Left, right, top and bottom of what is on the screen in these shades, in rows that have enough of them."""
    rows, columns = [], set()
    for y in range(HEIGHT):
        row = pixels[y * WIDTH * 3 : (y + 1) * WIDTH * 3]
        if sum(row.count(shade) for shade in shades) >= least:
            rows.append(y)
            ends = [at for shade in shades for at in (row.find(shade), row.rfind(shade))]
            columns.update(at // 3 for at in ends if at >= 0 and at % 3 == 0)
    return (min(columns), max(columns) + 1, rows[0], rows[-1] + 1) if columns else None


class Gui:
    """One XBoard. `engines` are one or two command lines."""

    def __init__(self, folder, engines, options):
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        self.debug = self.path("xboard.debug")
        with open(self.path("settings"), "w") as file:
            file.write(SETTINGS)
        self.desktop = Desktop(folder)
        self.home = home_settings()
        command = [find_program("xboard"), "-settingsFile", self.path("settings"), "-saveSettingsOnExit", "false"]
        for option, engine in zip(["-fcp", "-scp"], engines):
            command += [option, shlex.join(engine)]
        command += ["-debug", "-nameOfDebugFile", self.debug, "-saveGameFile", self.path("games.pgn")]
        command += ["-savePositionFile", self.path("boards.fen"), *options]
        self.output = open(self.path("xboard.out"), "w")
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=self.output, stderr=self.output, env=self.desktop.environment
        )

    def path(self, name):
        return os.path.join(self.folder, name)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                # XBoard ends the game inside its signal handler; if the signal came while it drew, it waits for itself.
                self.process.wait(3)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.output.close()
        self.desktop.close()
        assert home_settings() == self.home, "XBoard changed the settings in the home folder"

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        if kind is not None:
            try:
                self.desktop.save_screen(self.path("failure.png"))
            except (OSError, subprocess.CalledProcessError):
                pass
        self.close()

    # What was said

    def conversation(self):
        """The lines exchanged so far, as `>first usermove e2e4` (to the engine) and `<first move e7e5` (from it)."""
        try:
            with open(self.debug, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except FileNotFoundError:
            return []
        found = re.findall(r"^\d+ ([<>])(first|second) *: (.*)$", text[: text.rfind("\n") + 1], re.MULTILINE)
        # A move is sent in two pieces, and so it is noted.
        lines = [re.sub(r"(?<=usermove )\d+ >\w+ *: ", "", line).strip() for _, _, line in found]
        return [f"{arrow}{who} {line}" for (arrow, who, _), line in zip(found, lines)]

    def wait_for_line(self, pattern, after=0):
        """Waits for a line that `pattern` matches whole, from number `after` on; gives its number and the match."""

        def look():
            assert self.process.poll() is None, "XBoard has ended"
            for number, line in enumerate(self.conversation()[after:], after):
                match = re.fullmatch(pattern, line)
                if match:
                    return number, match
            return None

        return wait_for(f"the line {pattern}", look)

    def wait_until_ready(self, files, ranks, beside=0):
        """Waits until the first engine has sent its set-up and the board shows it."""
        number, _ = self.wait_for_line(r"<first setup .*")
        self.wait_for_line(r"<first pong .*", number)
        self.find_board(files, ranks, beside)

    def load_position(self, files, ranks, position, beside=0):
        """Loads `position`, the second of the file made by `position_file`, and finds the board."""
        self.wait_until_ready(files, ranks, beside)
        first, _ = self.wait_for_line(r">first setboard .*")
        self.key("shift+Next")  # Next Position
        _, match = self.wait_for_line(r">first setboard (\S+) .*", first + 1)
        board, loaded = position.split()[0], match[1]
        assert loaded.split("[")[0] == board.split("[")[0], f"XBoard loaded {loaded}"
        self.find_board(files, ranks, beside)

    # The board on the screen

    def find_board(self, files, ranks, beside=0):
        """Waits until the board is on the screen, and notes where. On either side are so many columns for a hand."""
        light, dark = (bytes.fromhex(color[1:]) for color in (LIGHT, DARK))

        def look():
            pixels = self.desktop.screen()
            found = edges(pixels, [light, dark])
            if not found:
                return None
            left, right, top, bottom = found
            pitch = (right - left) / (files + 2 * beside)
            left += round(beside * pitch)
            if abs(pitch - (bottom - top) / ranks) >= 1 or pitch < 20:
                return None
            # The second row must alternate, or it is another game's board. (In the first some games have no squares.)
            y = round(bottom - 2 * pitch + 2)
            places = [(y * WIDTH + round(left + file * pitch + 2)) * 3 for file in range(files)]
            row = [pixels[place : place + 3] for place in places]
            alternates = all(one != other for one, other in zip(row, row[1:]))
            if not alternates or set(row) != {light, dark}:
                return None
            # Rank 2 from below; the shade of its first square says that of all others.
            self.light_parity = 0 if row[0] == light else 1
            return (left, top, pitch, ranks)

        self.columns = range(files)
        self.board = wait_for("the board on the screen", look)

    def point(self, square):
        left, top, pitch, ranks = self.board
        file, rank = ord(square[0]) - ord("a"), int(square[1:])
        if ranks == 10:  # a board of ten ranks begins with 0
            rank += 1
        return round(left + (file + 0.5) * pitch), round(top + (ranks - rank + 0.5) * pitch)

    def click(self, square):
        self.press(square)
        self.desktop.mouse("mouseup", 1)

    def press(self, square):
        self.desktop.mouse("mousemove", *self.point(square))
        self.desktop.mouse("mousedown", 1)

    def picture(self, square):
        """What is drawn on a square, without its edge."""
        x, y = self.point(square)
        half = int(self.board[2] * 0.4)
        pixels = self.desktop.screen()
        rows = range(y - half, y + half)
        return b"".join(pixels[(row * WIDTH + x - half) * 3 : (row * WIDTH + x + half) * 3] for row in rows)

    def lift(self, square):
        """Clicks on a piece and waits until the engine has marked its squares; gives the marks."""
        start = len(self.conversation())
        self.click(square)
        _, match = self.wait_for_line(r"<first highlight (.*)", start)
        return match[1]

    def lift_quietly(self, square):
        """Clicks on a piece twice, which changes nothing; true when the engine marked its squares: it is our ply."""
        start = len(self.conversation())
        self.click(square)
        marked = False
        end = time.monotonic() + 1
        while not marked and time.monotonic() < end:
            marked = any(line.startswith("<first highlight") for line in self.conversation()[start:])
            time.sleep(0.02)
        if marked:
            self.click(square)
        return marked

    def close_box(self):
        """Closes the box with a message, which lets no click through to the board."""
        # It lies in the corner, and without a window manager the keyboard belongs to the window under the mouse.
        self.desktop.mouse("mousemove", 60, 30, "key", "Return")

    def type_move(self, text):
        left, top, _, _ = self.board
        self.desktop.mouse("mousemove", left + 20, top - 8, "type", "--delay", 40, text)
        self.desktop.mouse("key", "Return")

    def pull(self, square, pulls):
        """Puts the lifted piece down where it may become several things, pulling the mouse to the one wanted.

        Gives the letters the engine offered; the first is shown at once, every pull shows the next."""
        start = len(self.conversation())
        before = self.picture(square)
        x, y = self.point(square)
        self.press(square)
        _, match = self.wait_for_line(r"<first choice (.*)", start)
        for number in range(pulls + 1):
            if number:
                self.desktop.mouse("mousemove", x, round(y + number * self.board[2]))
            shown = self.wait_for_change(square, before)
            before = shown
        self.desktop.mouse("mouseup", 1)
        return match[1]

    def play_two_machines(self):
        """Lets the two engines play on from the present position to the end of the game; gives the lines since."""
        start = len(self.conversation())
        self.key("ctrl+t")
        self.wait_for_line(r">second result .*", start)
        wait_for("the saved position", lambda: os.path.exists(self.path("boards.fen")))
        return self.conversation()[start:]

    def wait_for_change(self, square, before):
        def look():
            now = self.picture(square)
            return now if now != before else None

        return wait_for(f"another picture on {square}", look)

    def key(self, name):
        left, top, _, _ = self.board
        # Without a window manager the keyboard belongs to the window under the mouse.
        self.desktop.mouse("mousemove", left + 20, top - 8, "key", name)
