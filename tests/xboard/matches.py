"""Two Carom processes play each other under XBoard; every game is replayed by our rules."""

import os
import re

from gui import Gui, position_file, wait_for
from record import Replay, Rules, read_games

# Nobody says these in a match where all is well.
COMPLAINT = re.compile(r"[<>]\w+ +(Error|Illegal|tellusererror|telluser|rejected)\b.*")


FAST = ["-timeControl", "0:02", "-timeIncrement", "0.05", "-matchPause", "100"]
# Readable with the pieces of any game, and a legal position of both games of Alapo.
HARMLESS = "8/3k4/3q4/8/8/3Q4/3K4/8 w - - 0 1"


def play_match(carom, folder, game, games, variant=None):
    """Plays `games` games in XBoard's match mode and checks them; returns a line that says what happened.

    Raises AssertionError when a game ended otherwise than by a claim of Carom's, or differs from our replay."""
    options = ["-variant", variant or game, "-mode", "TwoMachines", "-matchGames", str(games), *FAST]
    with Gui(folder, [[carom], [carom]], options) as gui:
        wait_for("the end of the match", lambda: gui.process.poll() is not None)
        assert gui.process.returncode == 0, f"XBoard ended with {gui.process.returncode}"
        lines = gui.conversation()
    replays = check_match(carom, folder, game, games, lines)
    return f"{game}: " + "; ".join(replay.summary for replay in replays)


def play_from(carom, folder, game, position):
    """One game of two Carom processes from `position`, checked; returns its replay."""
    options = [*FAST, *position_file(folder, carom, game, HARMLESS, position)]
    with Gui(folder, [[carom], [carom]], options) as gui:
        gui.load_position(8, 8, position)
        gui.play_two_machines()
        lines = gui.conversation()
    return check_match(carom, folder, game, 1, lines, position)[0]


def check_match(carom, folder, game, games, lines, position=None):
    """Checks every game of a match; returns their replays."""
    no_complaints(lines)
    rules, replays = Rules(carom, game), []
    for number, (record, board) in enumerate(zip(*saved(folder, games)), 1):
        result = f"{record['result']} {{{record['comment']}}}"
        claimed = [line for line in lines if line[0] == "<" and line.endswith(" " + result)]
        assert claimed, f"{game}, game {number}: no engine claimed {result}"
        try:
            replay = Replay(rules, record, position)
            replay.ends_with(board)
            replay.agrees(record)
        except AssertionError as problem:
            raise AssertionError(f"{game}, game {number}: {problem}") from problem
        replays.append(replay)
    return replays


def no_complaints(lines):
    """Asserts that nobody complained."""
    complaints = [line for line in lines if COMPLAINT.fullmatch(line)]
    assert not complaints, f"complaints: {complaints}"


def saved(folder, games):
    """The records and the last boards XBoard saved."""
    records = read_games(os.path.join(folder, "games.pgn"))
    with open(os.path.join(folder, "boards.fen"), encoding="utf-8") as file:
        boards = file.read().splitlines()
    assert len(records) == len(boards) == games, f"{len(records)} records and {len(boards)} boards of {games} games"
    return records, boards
