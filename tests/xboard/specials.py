"""What is special in a game, done with the mouse: a Statue dropped from the hand and a Deer's two clicks, a large man made
small, men given up for a wicket, a game copied and pasted again; XBoard started by `carom xboard` and by what `carom install xboard` has written."""

import os
import re
import signal
import subprocess

from desktop import HEIGHT, WIDTH, Desktop, find_program
from gui import DARK, LIGHT, Gui, home_settings, position_file, wait_for
from matches import no_complaints
from record import Rules
from steps import HARMLESS_WICKETS, LETTERS_WICKETS, SIZE_FIELD, SIZE_WICKETS, START_FIELD, SUDDEN_DEATH
from table import Table, hanniball_letters, wickets_letters

# Readable with the pieces of any game; the Deer e1 takes the Boy e4 without going there.
HARMLESS_HAND = "k8/9/7pp/9/9/PP7/9/8K[Tt] w - - 0 1"
HAND = "8k/9/9/9/4p4/9/9/K3A4[TTtt] w - - 0 1"
OUR_HAND = "8k/9/9/9/4p4/9/9/K3A4[TTtt] w 0 1"


def find_board_with_hand(gui, files, ranks):
    """Waits until a board with two columns for a hand on either side is on the screen, and notes where."""
    shades = [bytes.fromhex(color[1:]) for color in (LIGHT, DARK)]

    def look():
        pixels, rows, columns = gui.desktop.screen(), [], set()
        for y in range(HEIGHT):
            row = pixels[y * WIDTH * 3 : (y + 1) * WIDTH * 3]
            places = [at // 3 for shade in shades for at in (row.find(shade), row.rfind(shade)) if at >= 0 and at % 3 == 0]
            if sum(row.count(shade) for shade in shades) >= 40:
                rows.append(y)
                columns.update(places)
        if not rows:
            return None
        left, right = min(columns), max(columns) + 1
        pitch = (right - left) / (files + 4)
        if abs(pitch - (rows[-1] + 1 - rows[0]) / ranks) >= 1 or pitch < 20:
            return None
        return (left + 2 * pitch, rows[0], pitch, ranks)

    gui.board = wait_for("the board on the screen", look)


def hand(carom, folder):
    """Jai-Alai with the mouse: a Deer takes a Boy by a click on him and one on where it stops; a Statue is dropped."""
    rules = Rules(carom, "jai-alai")
    options = ["-depth", "1", "-boardSize", "58", *SUDDEN_DEATH]
    options += ["-boardWidth", "9", "-boardHeight", "8", "-holdingsSize", "1"]
    options += position_file(folder, carom, "jai-alai", HARMLESS_HAND, HAND)
    with Gui(folder, [[carom]], options) as gui:
        number, _ = gui.wait_for_line(r"<first setup .*")
        gui.wait_for_line(r"<first pong .*", number)
        first, _ = gui.wait_for_line(r">first setboard .*")
        find_board_with_hand(gui, 9, 8)
        gui.key("shift+Next")  # Next Position
        _, match = gui.wait_for_line(r">first setboard (\S+) .*", first + 1)
        assert match[1].startswith("8k/9/9/9/4p4/"), f"XBoard loaded {match[1]}"

        marks = gui.lift("e1")
        assert marks.split("/")[4] == "1Y2C2Y1", f"marked: {marks}"
        gui.desktop.save_screen(gui.path("1-marks.png"))
        start = len(gui.conversation())
        gui.click("e4")
        gui.wait_for_line(r">first lift e4", start)
        gui.wait_for_line(r"<first highlight .*", start)
        gui.click("e3")
        gui.wait_for_line(r">first usermove e1e4,e4e3", start)
        gui.key("ctrl+b")  # Machine Black
        _, match = gui.wait_for_line(r"<first move (\S+)", start)
        tokens = ["e1e4,e4e3", match[1]]
        assert "p" not in rules.show(tokens, OUR_HAND)["position"].split()[0], "the Boy is not taken"
        gui.desktop.save_screen(gui.path("2-taken.png"))

        # White's hand is beside the last column of the board, with an empty one between.
        marks = gui.lift("k1")
        assert marks.count("Y") > 50 or re.search(r"Y{5}", marks), f"marked: {marks}"
        gui.wait_for_line(r"<first 1 0 0 0 Move a man, or drop a Statue: .*", start)
        gui.desktop.save_screen(gui.path("3-hand.png"))
        start = len(gui.conversation())
        gui.click("e5")
        gui.wait_for_line(r">first usermove T@e5", start)
        _, match = gui.wait_for_line(r"<first move (\S+)", start)
        tokens += ["T@e5", match[1]]
        ours = rules.show(tokens, OUR_HAND)["position"].split()[0]
        gui.key("ctrl+e")  # Edit Game
        start, _ = gui.wait_for_line(r">first force", start)
        gui.type_move("@@@@")
        _, match = gui.wait_for_line(r">first setboard (\S+) .*", start)
        gui.desktop.save_screen(gui.path("4-dropped.png"))
        assert match[1].split("[")[0] == ours.split("[")[0], f"XBoard has {match[1]}, we {ours}"
        # Edit Game is asked for its board by a null move, which is none of Jai-Alai's.
        no_complaints([line for line in gui.conversation() if "(nobody may pass)" not in line])
    return f"jai-alai with the mouse: {' '.join(tokens)}"


def demoted(carom, folder):
    """Alapo's large man made small with the mouse: a click on it and one on the white square, where a man of his own stands."""
    rules = Rules(carom, "alapo-demotion")
    with Gui(folder, [[carom]], ["-variant", "alapo-demotion", "-depth", "1", *SUDDEN_DEATH]) as gui:
        gui.wait_until_ready(8, 8)
        start = len(gui.conversation())
        marks = gui.lift("a1")
        assert marks.split("/")[6].startswith("W"), f"marked: {marks}"
        gui.wait_for_line(r"<first 1 0 0 0 Move a man, or click a large man and then a white square to make it small", start)
        gui.desktop.save_screen(gui.path("1-marks.png"))
        before = gui.picture("a1")
        gui.click("a2")
        refused, _ = gui.wait_for_line(r"<first Illegal move \(demotion\): a1a2", start)
        gui.wait_for_line(r"<first move a1x[a-h]\d-a1w", refused)
        _, match = gui.wait_for_line(r"<first move ([a-h]\d[a-h]\d)", refused)
        rules.show(["W@a1", match[1]])
        gui.wait_for_change("a1", before)
        gui.desktop.save_screen(gui.path("2-answer.png"))
        no_complaints([line for line in gui.conversation() if "(demotion)" not in line])
    return f"alapo-demotion with the mouse: W@a1 {match[1]}"


# The queen e8 is Defender and sees the wicket.
PRICE = "****1***/4m1g1/5ppp/8/8/8/2D5/PPP2PPP/3R2S1/****1*** w - - 0 1"
OUR_PRICE = "****1***/4q1k1/5ppp/8/8/8/2B5/PPP2PPP/3R2K1/****1*** w - - c3:g1/g8:e8 0 1"


def sacrifice(carom, folder):
    """Three men given up for a wicket with the mouse, as the sentences say; then Carom names another Defender."""
    options = ["-depth", "1", *SIZE_WICKETS, *SUDDEN_DEATH]
    options += position_file(folder, carom, "wickets-det", HARMLESS_WICKETS, PRICE)
    with Gui(folder, [[carom]], options) as gui:
        gui.load_position(8, 10, PRICE)
        table = Table(gui, carom, "wickets-det", PRICE, OUR_PRICE, LETTERS_WICKETS, 0, wickets_letters)
        gui.lift("c3")
        start = table.start()
        assert gui.pull("a5", 1) == "DB"
        table.sent("c3a5b", start)
        gui.key("ctrl+b")  # Machine Black
        gui.wait_for_line(r"<first 1 0 0 0 Throw: click a man, then the square; or hold the ball: .*", start)
        gui.lift("a5")
        start = table.start()
        gui.click("e9")
        gui.wait_for_line(r"<first 1 0 0 0 Give up 3 men .* or stop .*", start)
        gui.desktop.save_screen(gui.path("1-price.png"))
        for square, left in [("a2", "2 more men"), ("b2", "1 more man"), ("c2", None)]:
            marks = gui.lift(square)
            assert marks.startswith("RRRR"), f"marked: {marks}"
            start = table.start()
            # A field that does not exist, of files a to d. XBoard lets a pawn become something there.
            gui.click("a9")
            gui.wait_for_line(rf"<first Illegal move \(given up\): {square}a9c?", start)
            if left:
                gui.wait_for_line(rf"<first 1 0 0 0 Give up {left} .*, for the queen sees the wicket", start)
                gui.desktop.save_screen(gui.path(f"2-without-{square}.png"))
        answer = table.thought(start)
        assert answer.startswith("D@"), answer
        # Our own turn in words, where the plies alone do not say it.
        gui.wait_for_line(r"<first 1 0 0 0 Carom: D@.*", start)
        tokens = ["c3a5,O@e9,X@a2,X@b2,X@c2", answer]
        table.agrees(tokens, white=True)
        gui.desktop.save_screen(gui.path("3-answer.png"))
        table.asks_for_board()
    return f"wickets-det with the mouse: {' '.join(tokens)}"


def copied(carom, folder):
    """A game of HanniBall is copied from XBoard, a new one begun, and the copy pasted: the same board, and Carom's turn in
    words is in the copy."""
    options = ["-variant", "hanniball", "-depth", "1", *SIZE_FIELD, *SUDDEN_DEATH, "-autoComment", "true"]
    options += ["-autoDisplayTags", "false", "-autoDisplayComment", "false"]
    with Gui(folder, [[carom]], options) as gui:
        gui.wait_until_ready(9, 15)
        table = Table(gui, carom, "hanniball", START_FIELD, None, "HELMACUNO", 1, hanniball_letters)
        for number, step in enumerate(["b4c6", "d4e6"]):
            gui.lift(step[:2])
            begun = table.start()
            gui.click(step[2:])
            table.sent(step, begun)
            if number == 0:
                gui.wait_for_line(r"<first 1 0 0 0 Step 2 of 2: move, or click a man and a black field .*", begun)
        answer = table.thought(begun)
        gui.wait_for_line(rf"<first tellothers Carom: {re.escape(answer)} \(.*", begun)
        gui.desktop.save_screen(gui.path("1-answer.png"))
        # A click takes the marks of Carom's turn away.
        gui.lift_quietly("b3")
        table.agrees(["b4c6,d4e6", answer], white=True)
        rows = [list(row) for row in table.picture.rows]
        gui.key("ctrl+c")  # Copy Game
        begun = table.start()
        gui.key("ctrl+n")  # New Game
        gui.wait_for_line(r">first new", begun)
        gui.wait_for_line(r"<first pong .*", begun)
        begun = table.start()
        gui.key("ctrl+v")  # Paste Game
        gui.wait_for_line(rf">first usermove {answer.split(',')[-1]}.*", begun)
        table.sight.shows(rows)
        gui.desktop.save_screen(gui.path("2-pasted.png"))
        no_complaints(gui.conversation())
    return f"hanniball copied and pasted: b4c6,d4e6 {answer}"


class Started:
    """A program that starts XBoard in a home folder of its own, on a desktop of its own."""

    def __init__(self, folder, command):
        self.desktop, self.debug = Desktop(folder), os.path.join(folder, "xboard.debug")
        environment = {name: value for name, value in self.desktop.environment.items() if name != "XDG_DATA_HOME"}
        self.output = open(os.path.join(folder, "xboard.out"), "w")
        self.process = subprocess.Popen(
            [*command, "-debug", "-nameOfDebugFile", self.debug, "-engineOutputUp", "false"],
            cwd=folder, stdout=self.output, stderr=self.output, env=environment, start_new_session=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.output.close()
        self.desktop.close()

    def shows(self, game, files, ranks):
        """Waits for the board of `game` in the colours and size that its settings say; gives the size of a square."""

        def chosen():
            assert self.process.poll() is None, "XBoard has ended"
            if not os.path.exists(self.debug):
                return False
            with open(self.debug, encoding="utf-8", errors="replace") as file:
                text = file.read()
            return f"variant {game}\n" in text and "<first : pong" in re.sub(r"<first *:", "<first :", text)

        wait_for(f"the engine of {game}", chosen)
        shades = [bytes.fromhex(color) for color in ("f0d9b5", "b58863")]

        def pitch():
            pixels, rows, columns = self.desktop.screen(), [], set()
            for y in range(HEIGHT):
                row = pixels[y * WIDTH * 3 : (y + 1) * WIDTH * 3]
                if sum(row.count(shade) for shade in shades) >= 60:
                    rows.append(y)
                    columns.update(at // 3 for s in shades for at in (row.find(s), row.rfind(s)) if at >= 0 and at % 3 == 0)
            if not rows:
                return None
            wide, high = (max(columns) + 1 - min(columns)) / files, (rows[-1] + 1 - rows[0]) / ranks
            return wide if abs(wide - high) < 1.5 else None

        return wait_for(f"the board of {game}", pitch)


def started(carom, folder):
    """`carom xboard`, and `xboard @GAME` after `carom install xboard`: the game is there in squares of a good size, and the
    settings in the home folder stay as they are."""
    before, sizes = home_settings(), []
    with Started(folder, [carom, "xboard", "rollerball", "--"]) as xboard:
        sizes.append(xboard.shows("rollerball", 7, 7))
        xboard.desktop.save_screen(os.path.join(folder, "1-carom-xboard.png"))
    environment = {name: value for name, value in os.environ.items() if name != "XDG_DATA_HOME"} | {"HOME": folder}
    subprocess.run([carom, "install", "xboard"], env=environment, check=True, capture_output=True)
    os.remove(os.path.join(folder, "xboard.debug"))
    settings = os.path.join(folder, ".xboard/themes/conf/hanniball")
    with Started(folder, [find_program("xboard"), "@" + settings]) as xboard:
        sizes.append(xboard.shows("hanniball", 9, 15))
        xboard.desktop.save_screen(os.path.join(folder, "2-xboard-at.png"))
    assert min(sizes) >= 38, f"squares of {sizes} pixels"
    assert home_settings() == before, "the settings in the home folder have changed"
    return f"started: squares of {' and '.join(f'{size:.0f}' for size in sizes)} pixels"
