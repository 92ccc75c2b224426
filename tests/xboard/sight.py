"""What XBoard shows on its board, told from the pixels.

XBoard's letters are not on the screen, but one letter always looks the same on squares of one shade and no two look
alike; an empty square has the plain colour of its shade, and a square that does not exist is black. So a picture of the
whole board is compared with the letters that should be there, and what a letter looks like is learnt on the way."""

from gui import DARK, LIGHT, Timeout, wait_for
from desktop import WIDTH

BLACK = b"\0\0\0"


class Sight:
    """The board of one window, whose place on the screen has been found. A letter that is `nobodys` may look the same for both sides."""

    def __init__(self, gui, nobodys=""):
        self.gui, self.nobodys = gui, nobodys
        self.known = {}  # (shade, letter) to pixels
        left, top, pitch, ranks = gui.board
        files = len(gui.columns)
        self.left, self.top = left, top
        # The squares are parted by a line of one pixel.
        self.stride = round((pitch * files + 1) / files)

    def cell(self, pixels, row, column):
        """The pixels of a square without its edge, where XBoard may draw a frame."""
        edge = self.stride // 8
        x, y, size = self.left + column * self.stride + edge, self.top + row * self.stride + edge, self.stride - 2 * edge - 1
        return b"".join(pixels[((y + line) * WIDTH + x) * 3 : ((y + line) * WIDTH + x + size) * 3] for line in range(size))

    def mistakes(self, rows, marked=frozenset()):
        """Squares that do not look like the letters in `rows`, top row first; learns what was not known if all others
        are right. On the squares `marked` there is a dot, and they are not looked at."""
        pixels, wrong, learnt = self.gui.desktop.screen(), [], {}
        for row, cells in enumerate(rows):
            for column, letter in enumerate(cells):
                if (row, column) in marked:
                    continue
                look = self.cell(pixels, row, column)
                light = (len(rows) - row + column) % 2 == self.gui.light_parity
                shade = bytes.fromhex((LIGHT if light else DARK)[1:])
                plain = {".": shade, "*": BLACK}.get(letter)
                if plain:
                    right = look == plain * (len(look) // 3)
                else:
                    known = self.known.get((light, letter)) or learnt.setdefault((light, letter), look)
                    right = look == known and look != shade * (len(look) // 3)
                if not right:
                    wrong.append((row, column, letter))
        if not wrong:
            both = self.known | learnt
            letters = {}
            for (light, letter), look in both.items():
                name = letter.upper() if letter in self.nobodys else letter
                letters.setdefault((light, look), set()).add(name)
            if any(len(names) > 1 for names in letters.values()):
                return ["two letters look alike"]
            self.known = both
        return wrong

    def shows(self, rows, marked=frozenset):
        """Asserts that the screen shows `rows`, as soon as XBoard has drawn it. `marked` gives the squares with dots by now."""
        wrong = []

        def look():
            wrong[:] = self.mistakes(rows, marked())
            return not wrong

        try:
            wait_for("the board on the screen", look, watchdog=20)
        except Timeout as problem:
            said = "/".join("".join(row) for row in rows)
            raise AssertionError(f"the screen does not show {said}: (row, column, letter) {wrong}") from problem
