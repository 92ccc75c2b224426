"""Two Caroms play a game whose turns are several plies; every turn is replayed by our rules.

What was played is read from what the engines thought, in whole turns; what XBoard was shown, from the plies. After every
turn both must be the same board, and at the end the board that XBoard saves and the result that was claimed."""

import re

from gui import Gui, position_file, wait_for
from matches import no_complaints, saved
from record import Rules
from table import KINDS, Picture, hanniball_letters, last_thought, wickets_letters

# Always the same game, as long as Carom thinks the same.
SLOW = ["-timeControl", "10", "-timeIncrement", "0", "-matchPause", "100"]  # the depth is to be the limit, not the time
SEEDS = ["-firstOptions", "Chance Seed=3", "-secondOptions", "Chance Seed=3"]
RESULT = re.compile(r"<(first|second) (1-0|0-1|1/2-1/2) \{(.*)\}")


# Out of this position the ball is shot and left behind, which in short whole games it is not.
MELEE = "***1m1***/9/9/9/L1e5E/7E1/8H/8h/Hl7/7O1/e1h6/9/9/9/***1M1*** w - - 0 1"
OUR_MELEE = "***1m1***/9/9/9/L1e5E/7E1/8H/8h/Hl7/7o1/e1h6/9/9/9/***1M1*** w 4 0 1"


def hanniball(carom, folder):
    """One game of HanniBall to its end, from a position; returns a line that says what happened."""
    kind = KINDS["hanniball"]
    options = ["-depth", "3", *kind.size, *SLOW, *SEEDS]
    options += position_file(folder, carom, "hanniball", kind.harmless, MELEE)
    with Gui(folder, [[carom], [carom]], options) as gui:
        gui.load_position(kind.files, kind.ranks, MELEE)
        lines = gui.play_two_machines()
        gui.desktop.save_screen(gui.path("end.png"))
    replay = Replay(Rules(carom, "hanniball"), Picture(MELEE, kind.letters, kind.first_rank), hanniball_letters, OUR_MELEE)
    return replay.of_match(folder, lines)


def wickets(carom, folder):
    """One game of Chess with Wickets to its end."""
    options = ["-variant", "wickets-dice", "-mode", "TwoMachines", "-matchGames", "1", "-depth", "1", *SLOW, *SEEDS]
    with Gui(folder, [[carom], [carom]], options) as gui:
        wait_for("the end of the game", lambda: gui.process.poll() is not None)
        assert gui.process.returncode == 0, f"XBoard ended with {gui.process.returncode}"
        lines = gui.conversation()
    fen = re.search(r"^<first setup \(\S+\) \S+ (.*)$", "\n".join(lines), re.MULTILINE)[1]
    replay = Replay(Rules(carom, "wickets-dice"), Picture(fen, KINDS["wickets"].letters, 0), wickets_letters)
    return replay.of_match(folder, lines)


class Replay:
    """The game of two engines, from what XBoard and they said."""

    def __init__(self, rules, picture, show, position=None):
        self.rules, self.picture, self.show, self.position = rules, picture, show, position
        self.tokens, self.plies = [], 0
        self.now = rules.show([], position)

    def alike(self, board):
        nobodys = self.show is hanniball_letters  # the ball may be shown in either colour
        return re.sub("o", "O", str(self.picture)) == re.sub("o", "O", board) if nobodys else str(self.picture) == board

    def of_match(self, folder, lines):
        """Replays a match of one game, with what XBoard saved of it; returns a line that says what happened."""
        no_complaints(lines)
        self.follow(lines)
        [record], [board] = saved(folder, 1)
        assert self.alike(board.split()[0]), f"XBoard saved {board}, the plies lead to {self.picture}"
        outcome = self.now["outcome"]
        assert outcome, f"not over by our rules after {' '.join(self.tokens)}"
        claimed = [RESULT.fullmatch(line).groups()[1:] for line in lines if RESULT.fullmatch(line)]
        assert claimed and set(claimed) == {(outcome["result"], outcome["reason"])}, f"claimed {claimed}, ours {outcome}"
        assert (record["result"], record["comment"]) == claimed[0], f"recorded {record['result']} {record['comment']}"
        assert len(record["plies"]) == self.plies, f"{len(record['plies'])} plies in the record of {self.plies}"
        words = ",".join(self.tokens).split(",")
        parts = [f"{outcome['result']} {outcome['reason']} in {len(self.tokens)} turns of {self.plies} plies"]
        for what, mark in {"shots and throws": "O@", "balls left": "-", "rolls": "=", "calls": "D@"}.items():
            parts.append(f"{sum(mark in word for word in words)} {what}")
        assert "O@" in str(words), "a game without the ball on its own shows little; begin it elsewhere"
        return f"{self.rules.game}, two engines: {', '.join(parts)}"

    def follow(self, lines):
        """Replays all turns: each is the plies that one engine sends without saying anything else."""
        said = [line for line in lines if line[0] == "<"]
        number = 0
        while number < len(said):
            who = re.match(r"<(first|second)\s* move ", said[number])
            if not who:
                number += 1
                continue
            token = last_thought(said[:number], who[1])
            while number < len(said) and (ply := re.fullmatch(rf"<{who[1]}\s* move (\S+)", said[number])):
                self.picture.play(ply[1])
                self.plies += 1
                number += 1
            self.turn(token, number < len(said) and RESULT.fullmatch(said[number]))

    def turn(self, token, over):
        """Plays `token` by our rules, with the die as the board shows it; then the boards must be the same."""
        self.tokens.append(token)
        self.now = self.rules.show(self.tokens, self.position)
        boards = []
        if self.now["legal"] and all(legal.startswith("=") for legal in self.now["legal"]):
            faces = ["=6", "=1"] if over else ["=1", "=6"]
            for face in faces:
                self.now = self.rules.show([*self.tokens[:-1], f"{token.rstrip(',')},{face}"], self.position)
                boards.append(self.show(self.now["position"]))
                if self.alike(boards[-1]):
                    self.tokens[-1] = f"{token.rstrip(',')},{face}"
                    return
        else:
            boards.append(self.show(self.now["position"]))
        assert self.alike(boards[-1]), f"after {' '.join(self.tokens)}: XBoard shows {self.picture}, ours {boards}"
