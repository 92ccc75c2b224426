"""A game of Rollerball played with the mouse, as a person would, against Carom."""

import os
import re

from gui import Gui, position_file, wait_for
from matches import no_complaints, saved
from record import Replay, Rules

# Readable with the pieces of any game, and a legal position of Rollerball.
HARMLESS = "2rk3/7/2***2/2***2/2***2/3KR2/7 w - - 0 1"
# The pawn becomes a rook or a bishop on e7; after the rook, every answer allows mate.
POSITION = "3P3/2R1R2/2***2/2***1k/2***2/p2K3/7 w - - 0 1"
OURS = "3P3/2R1R2/2***2/2***1k/2***2/p2K3/7 w - 0 1"


def play(carom, folder):
    """Plays the game; returns a line that says what happened. Pictures of the screen stay in the folder."""
    rules = Rules(carom, "rollerball")
    options = ["-depth", "1", *position_file(folder, carom, "rollerball", HARMLESS, POSITION)]
    with Gui(folder, [[carom]], options) as gui:

        def keep(name):
            gui.desktop.save_screen(gui.path(name + ".png"))

        def so_far():
            return len(gui.conversation())

        def answer(after):
            _, match = gui.wait_for_line(r"<first move (\S+)", after)
            assert match[1] in rules.show(tokens, OURS)["legal"], f"not legal: {match[1]}"
            tokens.append(match[1])

        gui.load_position(7, 7, POSITION)
        keep("1-position")

        # An illegal square is refused: XBoard was told which are legal.
        marks = gui.lift("d7")
        assert marks == "4M2/7/7/7/7/7/7", f"marked: {marks}"
        keep("2-marks")
        start = so_far()
        gui.click("g1")
        keep("3-refused")

        # A bishop is chosen: the second of the two.
        letters = gui.pull("e7", pulls=1)
        assert letters == "RB", f"offered: {letters}"
        gui.wait_for_line(r">first usermove d7e7b", start)
        # The click on g1 came before: the engine heard nothing of it, and the pawn stayed lifted.
        assert not [line for line in gui.conversation()[start:] if re.search(r"(usermove|put|lift).*g1|lift", line)]
        tokens = ["d7e7b"]
        keep("4-bishop")
        start = so_far()
        gui.key("ctrl+b")  # Machine Black
        gui.wait_for_line(r">first go", start)
        answer(start)

        # A mistake: the turn is taken back, and the answer with it.
        start = so_far()
        gui.key("ctrl+x")  # Retract Move
        gui.wait_for_line(r">first remove", start)
        tokens = []
        marks = gui.lift("d7")
        assert marks == "4M2/7/7/7/7/7/7", f"marked after taking back: {marks}"
        keep("5-taken-back")

        # Now a rook, the first of the two.
        start = so_far()
        gui.pull("e7", pulls=0)
        gui.wait_for_line(r">first usermove d7e7r", start)
        tokens = ["d7e7r"]
        answer(start)

        # Mate, and Carom says so.
        mates = [
            token
            for token in rules.show(tokens, OURS)["legal"]
            if (rules.show([*tokens, token], OURS)["outcome"] or {}).get("result") == "1-0"
        ]
        assert mates, f"no mate after {tokens}"
        square, target = mates[0][:2], mates[0][2:4]
        gui.lift(square)
        start = so_far()
        gui.click(target)
        gui.wait_for_line(rf">first usermove {mates[0]}", start)
        tokens.append(mates[0])
        gui.wait_for_line(r"<first 1-0 \{White mates\}", start)
        gui.wait_for_line(r">first result 1-0 \{White mates\}", start)
        wait_for("the saved position", lambda: os.path.exists(gui.path("boards.fen")))
        keep("6-mate")
        no_complaints(gui.conversation())
    [record], [board] = saved(folder, 1)
    replay = Replay(rules, record, OURS)
    assert replay.tokens == tokens, f"recorded {replay.tokens}, played {tokens}"
    replay.ends_with(board)
    replay.agrees(record)
    return f"rollerball with the mouse: g1 refused, d7e7b taken back, then {' '.join(tokens)}, {replay.summary}"
