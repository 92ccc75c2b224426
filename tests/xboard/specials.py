"""What is special in a game, done with the mouse: a Statue dropped from the hand and a Deer's two clicks, a large piece made
small, pieces given up for a wicket, a game copied and pasted again."""

import re

from gui import Gui, position_file
from matches import no_complaints
from record import Rules
from table import SUDDEN_DEATH, loaded, new_game

# Readable with the pieces of any game; the Deer e1 takes the Boy e4 without going there.
HARMLESS_HAND = "k8/9/7pp/9/9/PP7/9/8K[Tt] w - - 0 1"
HAND = "8k/9/9/9/4p4/9/9/K3A4[TTtt] w - - 0 1"
OUR_HAND = "8k/9/9/9/4p4/9/9/K3A4[TTtt] w 0 1"


def hand(carom, folder):
    """Jai-Alai with the mouse: a Deer takes a Boy by a click on him and one on where it stops; a Statue is dropped."""
    rules = Rules(carom, "jai-alai")
    options = ["-depth", "1", "-boardSize", "58", *SUDDEN_DEATH]
    options += ["-boardWidth", "9", "-boardHeight", "8", "-holdingsSize", "1"]
    options += position_file(folder, carom, "jai-alai", HARMLESS_HAND, HAND)
    with Gui(folder, [[carom]], options) as gui:
        gui.load_position(9, 8, HAND, beside=2)
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
        gui.wait_for_line(r"<first 1 0 0 0 Move a piece, or drop a Statue: .*", start)
        gui.desktop.save_screen(gui.path("3-hand.png"))
        start = len(gui.conversation())
        gui.click("e5")
        gui.wait_for_line(r">first usermove T@e5", start)
        _, match = gui.wait_for_line(r"<first move (\S+)", start)
        tokens += ["T@e5", match[1]]
        ours = rules.show(tokens, OUR_HAND)["position"].split()[0]
        gui.key("ctrl+e")  # Edit Game
        start, _ = gui.wait_for_line(r">first force", start)
        gui.type_move("pass")
        _, match = gui.wait_for_line(r">first setboard (\S+) .*", start)
        gui.desktop.save_screen(gui.path("4-dropped.png"))
        assert match[1].split("[")[0] == ours.split("[")[0], f"XBoard has {match[1]}, we {ours}"
        # Edit Game is asked for its board by a null move, which is none of Jai-Alai's.
        no_complaints([line for line in gui.conversation() if "(nobody may pass)" not in line])
    return f"jai-alai with the mouse: {' '.join(tokens)}"


def demoted(carom, folder):
    """Alapo's large piece made small with the mouse: a click on it and one on the white square, where a piece of his own stands."""
    rules = Rules(carom, "alapo-demotion")
    with Gui(folder, [[carom]], ["-variant", "alapo-demotion", "-depth", "1", *SUDDEN_DEATH]) as gui:
        gui.wait_until_ready(8, 8)
        start = len(gui.conversation())
        marks = gui.lift("a1")
        assert marks.split("/")[6].startswith("W"), f"marked: {marks}"
        gui.wait_for_line(r"<first 1 0 0 0 Move a piece, or click a large piece and then a white square to make it small", start)
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
    """Three pieces given up for a wicket with the mouse, as the sentences say; then Carom names another Defender."""
    with loaded(carom, folder, "wickets-det", PRICE, OUR_PRICE) as (gui, table):
        start = table.throws("c3", "a5")
        gui.key("ctrl+b")  # Machine Black
        gui.wait_for_line(r"<first 1 0 0 0 Throw: a piece, then the square; to hold the ball: .*", start)
        gui.lift("a5")
        start = table.start()
        gui.click("e9")
        gui.wait_for_line(r"<first 1 0 0 0 Give up 3 .* to stop.*", start)
        gui.desktop.save_screen(gui.path("1-price.png"))
        for square, left in [("a2", "2 more"), ("b2", "1 more"), ("c2", None)]:
            marks = gui.lift(square)
            assert marks.startswith("RRRR"), f"marked: {marks}"
            start = table.start()
            # A field that does not exist, of files a to d. XBoard lets a pawn become something there.
            gui.click("a9")
            gui.wait_for_line(rf"<first Illegal move \(given up\): {square}a9c?", start)
            if left:
                gui.wait_for_line(rf"<first 1 0 0 0 Give up {left} [^:]*: the queen sees the wicket", start)
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
    silent = ["-autoDisplayTags", "false", "-autoDisplayComment", "false"]
    with new_game(carom, folder, "-autoComment", "true", *silent) as (gui, table):
        for number, step in enumerate(["b4c6", "d4e6"]):
            gui.lift(step[:2])
            begun = table.start()
            gui.click(step[2:])
            table.sent(step, begun)
            if number == 0:
                gui.wait_for_line(r"<first 1 0 0 0 2/2: move, or End Turn", begun)
        answer = table.thought(begun)
        gui.wait_for_line(rf"<first tellothers Carom: {re.escape(answer)} \(.*", begun)
        # A shot is two plies of XBoard's.
        plies = [line.split()[-1] for line in gui.conversation()[begun:] if line.startswith("<first move ")]
        last = [ply for ply in plies if ply != "@@@@"][-1]
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
        gui.wait_for_line(rf">first usermove {last}", begun)
        table.sight.shows(rows)
        gui.desktop.save_screen(gui.path("2-pasted.png"))
        no_complaints(gui.conversation())
    return f"hanniball copied and pasted: b4c6,d4e6 {answer}"
