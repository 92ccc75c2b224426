"""Turns of several steps, played with the mouse in an XBoard that knows nothing of them.

XBoard's board is followed here from the lines alone, by what its documentation says of a ply; XBoard itself is made to
show its board as often as a null move makes it send one, and both must be the game's by Carom's rules."""

import re

from gui import Gui, position_file, wait_for
from matches import FAST, no_complaints, saved
from record import Rules

SQUARE = r"[a-p]\d{1,2}"
STEP = re.compile(rf"({SQUARE})({SQUARE})([a-z]?)")


class Picture:
    """XBoard's board by its plies."""

    def __init__(self, fen, pieces, first_rank):
        board, side = fen.split()[:2]
        self.pieces, self.first_rank, self.white = pieces, first_rank, side == "w"
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
                self.rows[row][column] = "."
                row, column = self.place(square)
            self.rows[row][column] = cased(letter) if letter.upper() in self.pieces else "."
        self.white = not self.white

    def __str__(self):
        return "/".join(re.sub(r"\.+", lambda empty: str(len(empty[0])), "".join(row)) for row in self.rows)


class Table:
    """A game at XBoard's table: the window, and the board that follows from the lines."""

    def __init__(self, gui, carom, game, fen, pieces, first_rank):
        self.gui, self.rules, self.read = gui, Rules(carom, game), len(gui.conversation())
        self.pieces, self.first_rank = pieces, first_rank
        self.picture = Picture(fen, pieces, first_rank)
        self.before, self.shown = [], 0

    def copy(self):
        again = Picture(f"{self.picture} w", self.pieces, self.first_rank)
        again.white = self.picture.white
        return again

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
            elif line == ">first remove":
                self.picture = self.before[-2]
                del self.before[-2:]
            elif line.startswith(">first setboard"):
                self.shown += 1
                board, side = rest.split()[:2]
                if self.before and (side == "w") != self.picture.white:
                    self.before.append(self.copy())
                    self.picture.play("@@@@")
                self.same(board)
        self.read = len(lines)

    def same(self, board):
        # HanniBall's ball belongs to nobody and may be shown in either colour.
        assert str(self.picture).replace("o", "O") == board.replace("o", "O"), f"XBoard shows {board}, not {self.picture}"

    def agrees(self, tokens, position, show):
        """Asserts that the board is the game's after `tokens`."""
        self.catch_up()
        ours = show(self.rules.show(tokens, position)["position"])
        self.same(ours)

    def start(self):
        return len(self.gui.conversation())

    def sent(self, ply, after):
        self.gui.wait_for_line(rf">first usermove {ply}", after)

    def answered(self, lines, after):
        """Waits for these lines of the engine, one right after the other."""
        number, _ = self.gui.wait_for_line(re.escape(f"<first {lines[0]}"), after)
        said = [line for line in self.gui.conversation()[number:] if line.startswith("<first")]
        wait_for(f"{lines}", lambda: len([1 for line in self.gui.conversation()[number:] if line[0] == "<"]) >= len(lines))
        said = [line[7:] for line in self.gui.conversation()[number:] if line.startswith("<first")][: len(lines)]
        assert said == lines, f"expected {lines}, heard {said}"


def hanniball_letters(position):
    """A position of ours in XBoard's letters."""
    with_ball = {"H": "A", "E": "C", "L": "U", "M": "N"}
    dressed = re.sub(r"\+(.)", lambda m: (with_ball[m[1].upper()] if m[1].isupper() else with_ball[m[1].upper()].lower()), position)
    return dressed.split()[0]


HARMLESS_FIELD = "***1m1***/9/9/9/9/9/9/9/4O4/9/9/9/9/9/***1M1*** w - - 0 1"
FIELD = "***1m1***/2l6/9/1h7/9/9/9/9/9/9/4O1H2/9/1E1L1M3/9/***3*** w - - 0 1"
OUR_FIELD = "***1m1***/2l6/9/1h7/9/9/9/9/9/9/4o1H2/9/1E1L1M3/9/***3*** w 4 0 1"
SIZE_FIELD = ["-boardWidth", "9", "-boardHeight", "15", "-boardSize", "40"]


def hanniball(carom, folder):
    """White's four steps with the mouse: a move, the ball taken, carried and left and shot (the first two taken back), a
    ricochet, the ball taken again; then Carom's turn."""
    options = ["-depth", "1", *SIZE_FIELD, *position_file(folder, carom, "hanniball", HARMLESS_FIELD, FIELD)]
    with Gui(folder, [[carom]], options) as gui:
        gui.load_position(9, 15, FIELD)
        table = Table(gui, carom, "hanniball", FIELD, "HELMACUNO", 1)
        game = []

        def step(square, ply, *answer, pulls=None, offered=None, token=None):
            gui.lift(square)
            start = table.start()
            to = re.fullmatch(rf"({SQUARE})({SQUARE}).?", ply)[2]
            if pulls is None:
                gui.click(to)
            else:
                letters = gui.pull(to, pulls)
                assert letters == offered, f"offered {letters}"
            table.sent(ply, start)
            if answer:
                table.answered(list(answer), start)
            game.append(token)
            table.agrees(["".join(f"{word}," for word in game)], OUR_FIELD, hanniball_letters)

        def retract():
            start = table.start()
            gui.key("ctrl+x")
            gui.wait_for_line(r">first remove", start)
            game.pop()

        gui.desktop.save_screen(gui.path("1-position.png"))
        # A position that was loaded is XBoard's Edit Game: after the first step the machine is asked to play.
        step("b3", "b3b4", token="b3b4")
        start = table.start()
        gui.key("ctrl+b")  # Machine Black
        gui.wait_for_line(r">first go", start)
        table.answered(["move @@@@"], start)
        step("d3", "d3e5u", "move @@@@", pulls=0, offered="U", token="d3e5")
        gui.desktop.save_screen(gui.path("2-ball-taken.png"))
        step("e5", "e5f6", "move @@@@", pulls=0, offered="ULO", token="e5f6")
        gui.desktop.save_screen(gui.path("3-carried.png"))
        retract()
        # XBoard shows what is offered in the order of its table of pieces: the Ball before the Lion.
        step("e5", "e5f6l", "move O@e5", pulls=2, offered="ULO", token="e5f6-")
        gui.desktop.save_screen(gui.path("4-left.png"))
        retract()
        step("e5", "e5f6o", "move @@@@", "move L@e5", "move @@@@", pulls=1, offered="ULO", token="O@f6")
        # Four plies, of which XBoard takes two back: the rest is put right.
        start = table.start()
        retract()
        table.answered(["move f6e5u", "move @@@@"], start)
        table.agrees(["b3b4,d3e5,"], OUR_FIELD, hanniball_letters)
        step("e5", "e5h3o", "move @@@@", "move L@e5", "move @@@@", pulls=0, offered="O", token="O@f3,O@h3")
        gui.desktop.save_screen(gui.path("5-ricochet.png"))
        # The fourth step ends the turn.
        gui.lift("g5")
        start = table.start()
        assert gui.pull("h3", 0) == "A"
        table.sent("g5h3a", start)
        table.answered(["move @@@@", "move @@@@"], start)
        gui.wait_for_line(r"<first move [a-p]\d.*", start)
        # Carom's turn ends with a pass of its own; then XBoard waits for us, and can be asked for its board.
        wait_for("White's next turn", lambda: table.catch_up() or table.picture.white and gui.lift_quietly("h3"))
        gui.desktop.save_screen(gui.path("6-answer.png"))
        start = table.start()
        gui.key("ctrl+e")  # Edit Game: a null move makes XBoard send its board
        gui.wait_for_line(r">first force", start)
        gui.type_move("@@@@")
        gui.wait_for_line(r">first setboard .*", start)
        table.catch_up()
        assert table.shown >= 1
        no_complaints([line for line in gui.conversation() if not line.startswith("<first telluser")])
        turn = [line[12:] for line in gui.conversation()[:start] if line.startswith("<first move ")]
    return f"hanniball with the mouse: b3b4,d3e5,O@f3,O@h3,g5h3 after two steps taken back; Carom answered in {len(turn)} plies"


HARMLESS_WICKETS = "****1***/4g1l1/8/8/8/8/8/2D5/4S3/****1*** w - - 0 1"
# The rook's check on e8 has one answer.
WICKETS = "****1***/k7/h4p1a/8/8/8/2D5/PPP2PPP/4R1S1/****1*** w - - 0 1"
SIZE_WICKETS = ["-boardWidth", "8", "-boardHeight", "10"]


def wickets(carom, folder):
    """A throw into the wicket with a die, taken back and made again; the Defender is lost and another called."""
    options = ["-depth", "1", *SIZE_WICKETS, "-firstOptions", "Chance Seed=3"]
    options += position_file(folder, carom, "wickets-dice", HARMLESS_WICKETS, WICKETS)
    with Gui(folder, [[carom]], options) as gui:
        gui.load_position(8, 10, WICKETS)
        table = Table(gui, carom, "wickets-dice", WICKETS, "PNBRQKACDEFGHIJLMSO", 0)

        def move_and_throw():
            gui.lift("c3")
            start = table.start()
            letters = gui.pull("a5", 1)
            assert letters == "DB", f"offered {letters}"
            table.sent("c3a5b", start)
            # It is taken back, and made with the ball, which is thrown next.
            table.answered(["Illegal move (throw): c3a5b", "move c3a5", "move @@@@"], start)
            table.catch_up()
            table.same("****1***/4R3/hk3p1a/8/D7/8/8/PPP2PPP/6S1/****1***")

        gui.desktop.save_screen(gui.path("1-position.png"))
        gui.lift("e1")
        start = table.start()
        gui.click("e8")
        table.sent("e1e8", start)
        gui.key("ctrl+b")  # Machine Black
        table.answered(["move a8b7"], start)
        table.catch_up()
        move_and_throw()
        start = table.start()
        gui.key("ctrl+x")
        gui.wait_for_line(r">first remove", start)
        table.catch_up()
        table.same("****1***/4R3/hk3p1a/8/8/8/2D5/PPP2PPP/6S1/****1***")
        move_and_throw()
        gui.desktop.save_screen(gui.path("2-to-throw.png"))
        marks = gui.lift("a5")
        assert marks.startswith("4GWWW/"), f"marked: {marks}"
        start = table.start()
        gui.click("e9")
        table.sent("a5e9", start)
        gui.wait_for_line(r"<first Illegal move \(ball\): a5e9", start)
        _, match = gui.wait_for_line(r"<first telluser Dice: ([1-6]), wicket (taken|not taken)", start)
        gui.desktop.save_screen(gui.path("3-dice.png"))
        gui.close_box()
        face, result = match.groups()
        assert (result == "taken") == (int(face) > 2)
        # Black calls (if it must) and moves: then it is our ply.
        called = result == "taken"
        wait_for("White's next turn", lambda: table.catch_up() or table.picture.white and gui.lift_quietly("a5"))
        gui.desktop.save_screen(gui.path("4-answer.png"))
        board = str(table.picture)
        assert board.startswith("****o***/"), f"no ball in the wicket: {board}"
        defender = [letter for letter in board if letter in "hijlms"]
        assert len(defender) == 1, f"Defenders: {defender} on {board}"
        row, column = table.picture.place("a7")
        assert not called or table.picture.rows[row][column] == ".", board
        start = table.start()
        gui.key("ctrl+e")
        gui.wait_for_line(r">first force", start)
        gui.type_move("@@@@")
        gui.wait_for_line(r">first setboard .*", start)
        table.catch_up()
        assert table.shown >= 1
    return f"wickets-dice with the mouse: thrown from a5 to e9 after a throw taken back, die {face}, Defender called: {called}"


def match(carom, folder, game, depth):
    """Two Caroms, until one of them claims the result or XBoard has seen enough plies; the record is read back."""
    options = ["-variant", game, "-mode", "TwoMachines", "-matchGames", "1", "-depth", str(depth), *FAST]
    with Gui(folder, [[carom], [carom]], options) as gui:
        lines = []

        def enough():
            lines[:] = gui.conversation()
            plies = len([line for line in lines if re.match(r"<\w+ move ", line)])
            return gui.process.poll() is not None or plies >= 60

        wait_for("60 plies or the end", enough)
        no_complaints(lines)
        # Both engines hear what is played; whoever has not said a ply has been told it.
        plies = [line.split(" ", 2)[2] for line in lines if re.match(r"<\w+ move ", line)]
        words = [line for line in lines if re.match(r">\w+ (usermove|setboard)", line)]
        assert len(words) + 8 >= len(plies) >= 8, f"{len(plies)} plies, {len(words)} told"
        speakers = {line[1:7] for line in lines if re.match(r"<\w+ move ", line)}
        assert speakers == {"first ", "second"[:6]}, f"only {speakers} played"
        gui.desktop.save_screen(gui.path("match.png"))
        passes = plies.count("@@@@")
    # XBoard has saved the game and its last board: they are what was said, carried out by the documentation.
    [record], [board] = saved(folder, 1)
    lines = gui.conversation()
    _, fen = re.search(r"\((\S+)\) \S+ (.*)", next(line for line in lines if line.startswith("<first setup "))).groups()
    pieces = {"hanniball": "HELMACUNO"}.get(game, "PNBRQKACDEFGHIJLMSO")
    picture = Picture(fen, pieces, 1 if game == "hanniball" else 0)
    said = [line.split(" ", 2)[2] for line in lines if re.match(r"<\w+ move ", line)]
    shown = []
    for ply in said:
        picture.play(ply)
        shown.append(str(picture).replace("o", "O"))
    # It ended when we had seen enough, perhaps in the middle of a burst.
    assert board.split()[0].replace("o", "O") in shown[-8:], f"XBoard saved {board}, not {picture}"
    assert len(record["plies"]) >= len(said) - 8, f"{len(record['plies'])} plies of {len(said)} in the record"
    return f"{game}, two engines: {len(plies)} plies, {passes} of them passes"
