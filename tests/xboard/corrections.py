"""Turns XBoard has no words for: Alapo's removal and demotion. Its board must stay ours all the same."""

import os
import sys

from gui import Gui, wait_for
from matches import FAST, no_complaints, play_from, saved
from record import Replay, Rules

HERE = os.path.dirname(os.path.abspath(__file__))
# Nobody can take or arrive at once, so the counter runs out: after Black's turn, or after White's.
COUNTER_98 = "8/8/w6s/1f6/8/8/2W3F1/1S6 w - - 98 60"
COUNTER_99 = "8/8/w6s/1f6/8/8/2W3F1/1S6 w - - 99 60"
# The last small piece on h5 (h4) is lost, and with it the game, unless the large square in the corner becomes one.
MUST_DEMOTE = "8/1w2b3/6q1/7W/8/8/8/R7 w - - 0 1"


def removal(carom, folder, position, expected):
    """Two Carom processes play from `position`, where the counter runs out; XBoard must get the correcting plies."""
    replay = play_from(carom, folder, "alapo", position)
    plies = replay.game["plies"]
    found = ["--" if ply == "--" else "=Z" if "=Z" in ply else "." for ply in plies]
    assert found[: len(expected)] == expected, f"corrections are not where they belong: {' '.join(plies)}"
    return f"alapo, removal: {' '.join(plies[: len(expected)])}, then {replay.summary}"


def demotion_by_carom(carom, folder):
    """Carom demotes because it must; the other Carom has to understand what XBoard makes of it."""
    replay = play_from(carom, folder, "alapo-demotion", MUST_DEMOTE)
    assert replay.tokens[0] == "W@a1", f"no demotion: {replay.tokens}"
    return f"alapo-demotion: {replay.game['plies'][0]}, then {replay.summary}"


def demotion_by_puppet(carom, folder, ply, as_white):
    """A puppet demotes; Carom has to answer by a legal move, and all three boards agree."""
    options = ["-variant", "alapo-demotion", "-mode", "TwoMachines", "-matchGames", "1", *FAST]
    options += ["-firstPlaysBlack", "true" if as_white else "false"]
    puppet = [sys.executable, os.path.join(HERE, "puppet.py"), ply]
    with Gui(folder, [[carom], puppet], options) as gui:
        wait_for("the end of the game", lambda: gui.process.poll() is not None)
        no_complaints(gui.conversation())
    [record], [board] = saved(folder, 1)
    replay = Replay(Rules(carom, "alapo-demotion"), record)
    replay.ends_with(board)
    puppet_is = "White" if as_white else "Black"
    token = f"{ply[-1].upper()}@{ply[:2]}"
    assert token in replay.tokens, f"no demotion: {replay.tokens}"
    # The puppet resigns when Carom has answered.
    assert record["comment"] == f"{puppet_is} resigns", f"the game ended otherwise: {record['comment']}"
    return f"alapo-demotion: {puppet_is}'s {ply} is {token}; game {' '.join(replay.tokens)}"
