"""A game at XBoard's table: its board, followed ply by ply from the lines alone, by what XBoard's documentation says of a
ply; compared with the board on the screen (see `sight`), with those XBoard sends, and with the game's by our rules."""

import re
from contextlib import contextmanager
from typing import Callable, NamedTuple

from gui import Gui, Timeout, position_file, wait_for
from record import Rules
from sight import Sight

SQUARE = r"[a-p]\d{1,2}"
STEP = re.compile(rf"({SQUARE})({SQUARE})([a-z]?)")


class Picture:
    """XBoard's board by its plies."""

    def __init__(self, fen, pieces, first_rank):
        board, side = fen.split()[:2]
        self.pieces, self.first_rank, self.white = pieces, first_rank, side == "w"
        self.passed = None  # the file where XBoard lets its pawns take in passing
        self.rows = []
        for row in board.split("[")[0].split("/"):
            cells = []
            for word in re.findall(r"\d+|.", row):
                cells += ["."] * int(word) if word.isdigit() else [word]
            self.rows.append(cells)

    def place(self, square):
        return len(self.rows) - 1 - (int(square[1:]) - self.first_rank), ord(square[0]) - ord("a")

    def play(self, ply):
        cased = str.upper if self.white else str.lower
        passed, self.passed = self.passed, None
        if ply != "@@@@":
            if "@" in ply:
                letter, square = ply.split("@")
                row, column = self.place(square)
                assert self.rows[row][column] == ".", f"{ply} on {self}"
            else:
                start, square, suffix = STEP.fullmatch(ply).groups()
                row, column = self.place(start)
                letter = suffix or self.rows[row][column]
                assert cased(self.rows[row][column]) == self.rows[row][column] != ".", f"{ply} on {self}"
                if self.rows[row][column].upper() == "P":
                    self.take_in_passing(row, column, *self.place(square), passed)
                self.rows[row][column] = "."
                row, column = self.place(square)
            self.rows[row][column] = cased(letter) if letter.upper() in self.pieces else "."
        self.white = not self.white

    def take_in_passing(self, row, column, to_row, to_column, passed):
        """XBoard knows pawns, and takes what passed them off the board by itself."""
        if column != to_column and to_column == passed and self.rows[to_row][to_column] == ".":
            self.rows[row][to_column] = "."
        if column == to_column and abs(row - to_row) == 2:
            enemy = "p" if self.white else "P"
            beside = self.rows[to_row][max(to_column - 1, 0) : to_column + 2]
            self.passed = column if enemy in beside else None

    def __str__(self):
        return "/".join(re.sub(r"\.+", lambda empty: str(len(empty[0])), "".join(row)) for row in self.rows)


class Table:
    """A game at XBoard's table: the window, and the board that follows from the lines. `show` writes a position of ours
    in XBoard's letters."""

    def __init__(self, gui, carom, game, fen, position, pieces, first_rank, show):
        self.gui, self.rules, self.read = gui, Rules(carom, game), len(gui.conversation())
        self.position, self.show = position, show
        self.pieces, self.first_rank = pieces, first_rank
        self.picture = Picture(fen, pieces, first_rank)
        self.before, self.sent_boards = [], 0
        self.marked = set()  # rows and columns of the dots that Carom's last turn has left
        self.sight = Sight(gui, "o" if show is hanniball_letters else "")

    def copy(self):
        again = Picture(f"{self.picture} w", self.pieces, self.first_rank)
        again.white, again.passed = self.picture.white, self.picture.passed
        return again

    def alike(self, board):
        # HanniBall's ball belongs to nobody and may be shown in either colour.
        nobodys = self.show is hanniball_letters
        return re.sub("o", "O", str(self.picture)) == re.sub("o", "O", board) if nobodys else str(self.picture) == board

    def catch_up(self):
        """Follows the lines up to now; XBoard's own boards on the way are compared."""
        lines = self.gui.conversation()
        for line in lines[self.read :]:
            said = line.split(" ", 1)[1]
            word, _, rest = said.partition(" ")
            if word in ("usermove", "move") and line.split()[0] in (">first", "<first"):
                self.before.append(self.copy())
                self.picture.play(rest)
            elif line.startswith("<first Illegal move"):
                self.picture = self.before.pop()
            elif line.startswith("<first highlight"):
                self.marked = marks(rest)
            elif line.startswith(">first lift"):
                self.marked = set()
            elif line == ">first remove":
                self.picture = self.before[-2]
                del self.before[-2:]
            elif line.startswith(">first setboard"):
                self.sent_boards += 1
                board, side = rest.split()[:2]
                if self.before and (side == "w") != self.picture.white:
                    self.before.append(self.copy())
                    self.picture.play("@@@@")
                assert self.alike(board), f"XBoard sends {board}, not {self.picture}"
        self.read = len(lines)

    def agrees(self, tokens, white):
        """Asserts that the board is the game's after `tokens`, by the lines and on the screen, and whose ply it is."""
        told = self.rules.show(tokens, self.position)
        self.shows(self.show(told["position"]), white)
        return told

    def shows(self, board, white):
        def look():
            self.catch_up()
            return self.alike(board) and self.picture.white == white

        try:
            wait_for(board, look, watchdog=20)
        except Timeout as problem:
            raise AssertionError(f"XBoard has {self.picture}, White's ply {self.picture.white}; ours {board}") from problem

        def marked():
            # The dots of a turn come behind its last ply.
            self.catch_up()
            return self.marked

        self.sight.shows(self.picture.rows, marked)

    def start(self):
        return len(self.gui.conversation())

    def sent(self, ply, after):
        self.gui.wait_for_line(rf">first usermove {ply}", after)

    def answered(self, lines, after):
        """Waits for these lines of the engine, one right after the other."""
        number, _ = self.gui.wait_for_line(re.escape(f"<first {lines[0]}"), after)
        wait_for(f"{lines}", lambda: len([1 for line in self.gui.conversation()[number:] if line[0] == "<"]) >= len(lines))
        said = [line[7:] for line in self.gui.conversation()[number:] if line.startswith("<first")][: len(lines)]
        assert said == lines, f"expected {lines}, heard {said}"

    def thought(self, after):
        """What Carom plays after line `after`, by the last line it thought: a whole turn of ours."""
        number, _ = self.gui.wait_for_line(r"<first move .*", self.gui.wait_for_line(r"<first \d+ .*\t.*", after)[0])
        return last_thought(self.gui.conversation()[after:number], "first")

    def throws(self, square, to):
        """Moves the bishop with the ball, to throw it next."""
        self.gui.lift(square)
        start = self.start()
        letters = self.gui.pull(to, 1)
        assert letters == "DB", f"offered {letters}"
        self.sent(f"{square}{to}b", start)
        return start

    def retract(self):
        """Takes back with XBoard's Retract Move."""
        start = self.start()
        self.gui.key("ctrl+x")
        self.gui.wait_for_line(r">first remove", start)
        return start

    def asks_for_board(self):
        """Makes XBoard send its board, which `catch_up` compares: in Edit Game a null move does."""
        start, known = self.start(), self.sent_boards
        self.gui.key("ctrl+e")  # Edit Game
        self.gui.wait_for_line(r">first force", start)
        self.gui.type_move("pass")
        self.gui.wait_for_line(r">first setboard .*", start)
        self.catch_up()
        assert self.sent_boards > known

    def clocks_are_right(self, pairs_at_least):
        """Asserts that a turn of several plies cost its player the time he took, and the other side none of it.

        By what XBoard says before our plies, against the times in its debug file; where a step was taken back between two
        plies XBoard sets its clocks back, so those do not count. Gives what White used, in seconds."""
        with open(self.gui.debug, encoding="utf-8", errors="replace") as file:
            found = re.findall(r"^(\d+) ([<>])first *: (\w+)(?: (\S+))?", file.read(), re.MULTILINE)
        clocks, earlier, replied, used, pairs = {}, None, None, 0, 0
        for stamp, arrow, word, rest in found:
            moment = int(stamp) / 10  # hundredths of a second, like the clocks
            if word in ("time", "otim") and arrow == ">":
                clocks[word] = int(rest)
            elif word in ("remove", "go", "force", "level"):
                earlier = None
            elif word == "move" and arrow == "<":
                replied = moment
            elif word == "usermove":
                if earlier and replied and replied >= earlier[0]:
                    whites, blacks = earlier[1]["otim"] - clocks["otim"], earlier[1]["time"] - clocks["time"]
                    thought, waited = moment - replied, replied - earlier[0]
                    assert abs(whites - thought) < 25, f"White took {thought:.0f}, his clock {whites}"
                    assert abs(blacks - waited) < 25, f"Black took {waited:.0f}, his clock {blacks}"
                    used, pairs = used + whites, pairs + 1
                earlier = (moment, dict(clocks)) if len(clocks) == 2 else None
        assert pairs >= pairs_at_least and used > 0, f"{pairs} pairs of plies"
        return used / 100


def marks(colors):
    """The rows and columns of the small letters of a `highlight`: marks, and no squares to go to."""
    found = set()
    for row, text in enumerate(colors.split("/")):
        column = 0
        for word in re.findall(r"\d+|.", text):
            if word.islower():
                found.add((row, column))
            column += int(word) if word.isdigit() else 1
    return found


def last_thought(lines, who):
    """The first turn of the last line `who` thought."""
    thoughts = [line for line in lines if re.match(rf"<{who}\s*\d+ .*\t", line)]
    assert thoughts, f"{who} thought nothing"
    return thoughts[-1].split("\t")[1].split()[0]


def hanniball_letters(position):
    """A position of ours in XBoard's letters."""
    with_ball = {"H": "A", "E": "C", "L": "U", "M": "N"}
    dressed = re.sub(r"\+(.)", lambda m: cased(with_ball[m[1].upper()], m[1]), position)
    return dressed.split()[0]


def wickets_letters(position):
    """A position of ours in XBoard's letters: the two that carry a ball and the two Defenders have their own."""
    board, rest = position.split(" ", 1)
    roles = re.search(r"(\S+):(\S+)/(\S+):(\S+)", rest)
    picture = Picture(f"{board} w", "", 0)
    for square, letters in zip(roles.groups(), ["ACDEFG", "HIJLMS"] * 2):
        if square != "-":
            row, column = picture.place(square)
            piece = picture.rows[row][column]
            picture.rows[row][column] = cased(letters["PNBRQK".index(piece.upper())], piece)
    return str(picture)


def cased(letter, like):
    return letter.upper() if like.isupper() else letter.lower()


class Kind(NamedTuple):
    """What XBoard and a table must know of a kind of game."""

    files: int
    ranks: int
    first_rank: int
    letters: str
    show: Callable
    size: list
    harmless: str  # readable with the pieces of any game


KINDS = {
    "hanniball": Kind(
        9, 15, 1, "HELMACUNO", hanniball_letters, ["-boardWidth", "9", "-boardHeight", "15", "-boardSize", "40"],
        "***1m1***/9/9/9/9/9/9/9/4O4/9/9/9/9/9/***1M1*** w - - 0 1",
    ),
    "wickets": Kind(
        8, 10, 0, "PNBRQKACDEFGHIJLMSO", wickets_letters, ["-boardWidth", "8", "-boardHeight", "10"],
        "****1***/4g1l1/8/8/8/8/8/2D5/4S3/****1*** w - - 0 1",
    ),
}
SUDDEN_DEATH = ["-timeControl", "5", "-timeIncrement", "0"]
START_FIELD = "***1m1***/2l3l2/1e1e1e1e1/1h1h1h1h1/9/9/9/4o4/9/9/9/1H1H1H1H1/1E1E1E1E1/2L3L2/***1M1*** w - - 0 1"


def seat(gui, carom, game, fen, position):
    """The table of a game at a window."""
    kind = KINDS[game.split("-")[0]]
    return Table(gui, carom, game, fen, position, kind.letters, kind.first_rank, kind.show)


@contextmanager
def loaded(carom, folder, game, fen, position, *options):
    """A window and its table, with a game from `fen`, which is `position` in our letters."""
    kind = KINDS[game.split("-")[0]]
    options = ["-depth", "1", *kind.size, *SUDDEN_DEATH, *options]
    options += position_file(folder, carom, game, kind.harmless, fen)
    with Gui(folder, [[carom]], options) as gui:
        gui.load_position(kind.files, kind.ranks, fen)
        yield gui, seat(gui, carom, game, fen, position)


@contextmanager
def new_game(carom, folder, *options):
    """A window and its table, with a game of HanniBall from its start."""
    kind = KINDS["hanniball"]
    options = ["-variant", "hanniball", "-depth", "1", *kind.size, *SUDDEN_DEATH, *options]
    with Gui(folder, [[carom]], options) as gui:
        gui.wait_until_ready(kind.files, kind.ranks)
        yield gui, seat(gui, carom, "hanniball", START_FIELD, None)
