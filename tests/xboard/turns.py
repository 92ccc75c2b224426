"""Two Caroms play a game whose turns are several plies; every turn is replayed by our rules.

What was played is read from what the engines thought, in whole turns; what XBoard was shown, from the plies. After every
turn both must be the same board, and at the end the board that XBoard saves and the result that was claimed."""

import re

from gui import Gui, wait_for
from matches import FAST, no_complaints, saved
from record import Rules
from steps import LETTERS_WICKETS, Picture, hanniball_letters, last_thought, wickets_letters

RESULT = re.compile(r"<(first|second) (1-0|0-1|1/2-1/2) \{(.*)\}")


def match(carom, folder, game, depth, letters=LETTERS_WICKETS, show=wickets_letters, first_rank=0):
    """One game to its end; returns a line that says what happened."""
    options = ["-variant", game, "-mode", "TwoMachines", "-matchGames", "1", "-depth", str(depth), *FAST]
    # Always the same game, as long as Carom thinks the same.
    options += ["-firstOptions", "Chance Seed=3", "-secondOptions", "Chance Seed=3"]
    with Gui(folder, [[carom], [carom]], options) as gui:
        wait_for("the end of the game", lambda: gui.process.poll() is not None)
        assert gui.process.returncode == 0, f"XBoard ended with {gui.process.returncode}"
        lines = gui.conversation()
    no_complaints(lines)
    fen = re.search(r"^<first setup \(\S+\) \S+ (.*)$", "\n".join(lines), re.MULTILINE)[1]
    replay = Replay(Rules(carom, game), Picture(fen, letters, first_rank), show)
    replay.follow(lines)
    [record], [board] = saved(folder, 1)
    assert replay.alike(board.split()[0]), f"XBoard saved {board}, the plies lead to {replay.picture}"
    outcome = replay.now["outcome"]
    assert outcome, f"not over by our rules after {' '.join(replay.tokens)}"
    claimed = [RESULT.fullmatch(line).groups()[1:] for line in lines if RESULT.fullmatch(line)]
    assert claimed and set(claimed) == {(outcome["result"], outcome["reason"])}, f"claimed {claimed}, ours {outcome}"
    assert (record["result"], record["comment"]) == claimed[0], f"XBoard recorded {record['result']} {record['comment']}"
    assert len(record["plies"]) == replay.plies, f"{len(record['plies'])} plies in the record of {replay.plies}"
    rolls = sum(token.count("=") for token in replay.tokens)
    told = f"{outcome['result']} {outcome['reason']} in {len(replay.tokens)} turns of {replay.plies} plies"
    return f"{game}, two engines: {told}, {rolls} rolls of the die"


def hanniball(carom, folder):
    return match(carom, folder, "hanniball", 2, "HELMACUNO", hanniball_letters, 1)


class Replay:
    """The game of two engines, from what XBoard and they said."""

    def __init__(self, rules, picture, show):
        self.rules, self.picture, self.show = rules, picture, show
        self.tokens, self.plies = [], 0
        self.now = rules.show([])

    def alike(self, board):
        nobodys = self.show is hanniball_letters  # the ball may be shown in either colour
        return re.sub("o", "O", str(self.picture)) == re.sub("o", "O", board) if nobodys else str(self.picture) == board

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
        self.now = self.rules.show(self.tokens)
        boards = []
        if self.now["legal"] and all(legal.startswith("=") for legal in self.now["legal"]):
            faces = ["=6", "=1"] if over else ["=1", "=6"]
            for face in faces:
                self.now = self.rules.show([*self.tokens[:-1], f"{token.rstrip(',')},{face}"])
                boards.append(self.show(self.now["position"]))
                if self.alike(boards[-1]):
                    self.tokens[-1] = f"{token.rstrip(',')},{face}"
                    return
        else:
            boards.append(self.show(self.now["position"]))
        assert self.alike(boards[-1]), f"after {' '.join(self.tokens)}: XBoard shows {self.picture}, ours {boards}"
