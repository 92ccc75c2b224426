#!/usr/bin/env python3
"""Positions in which the side to move is proved to win, for `carom bench GAME --solve FILE`.

    tests/strength/wins.py CAROM GAME [--count 1000] [--seed 1] [--least 100] [--most 30000] > fixtures/wins/GAME.epd

CAROM plays games against itself with few nodes a move and some random moves. Towards the end of each, the positions that look won are
given to `carom prove`, which leaves nothing out. What it proves with at least LEAST positions and at most MOST is printed, at most three
positions of a game, so that they differ. Games with dice, with cards or with turns of several steps cannot be proved.
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

# A game that is longer than this is given up; so many positions before its end are tried, and so many are taken. Tried are those
# that look won by more than this many centipawns.
LONGEST, TRIED, TAKEN, WON = 200, 20, 3, 500


class Engine:
    """CAROM over UCI."""

    def __init__(self, program, game):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.say("uci")
        self.until("uciok")
        self.say(f"setoption name UCI_Variant value {game}")
        self.say("setoption name Hash value 8")

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, first):
        lines = []
        for line in self.process.stdout:
            lines.append(line.strip())
            if line.startswith(first):
                return lines
        sys.exit("the engine has ended")

    def position(self, moves):
        self.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))

    def legal(self):
        self.say("go perft 1")
        return [line.split(":")[0] for line in self.until("Nodes searched") if re.fullmatch(r"\S+: 1", line)]

    def best(self, nodes):
        """The best move and its score; None where the game is over."""
        self.say(f"go nodes {nodes}")
        lines = self.until("bestmove")
        scores = [re.search(r" score (cp|mate) (-?\d+)", line) for line in lines]
        scores = [(30000 if int(own[2]) > 0 else -30000) if own[1] == "mate" else int(own[2]) for own in scores if own]
        move = lines[-1].split()[1]
        return (None if move in ("(none)", "0000") else move), scores[-1] if scores else 0

    def text(self):
        self.say("d")
        return self.until("Fen: ")[-1].removeprefix("Fen: ")


def proved(program, game, position, most, folder):
    """How many positions the proof took, None where there is none."""
    proof = pathlib.Path(folder, "proof")
    proof.unlink(missing_ok=True)
    command = [program, "prove", game, "--plies", "0", "--nodes", str(most), "--most", str(most), "--hash", "16", "-p", position,
               "-o", proof]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{position}: {done.stderr}")
    searched = re.search(r"^(\d+) searched", done.stderr, re.MULTILINE)
    return int(searched[1]) if searched and re.search("^proved: ", done.stdout, re.MULTILINE) else None


def play(engine, rng):
    """The moves of a game, and before each of them the score of who decided, 0 where the move was random."""
    moves, scores = [], []
    first = rng.randint(4, 10)
    while len(moves) < LONGEST:
        engine.position(moves)
        move, score = engine.best(300)
        if move is None:
            break
        if len(moves) < first or rng.random() < 0.1:
            move, score = rng.choice(engine.legal()), 0
        moves.append(move)
        scores.append(score)
    return moves, scores


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("carom")
    parser.add_argument("game")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=int, default=100)
    parser.add_argument("--most", type=int, default=30000)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    engine = Engine(given.carom, given.game)
    found = set()
    print(f"# Won for the side to move, proved: tests/strength/wins.py carom {given.game} --count {given.count} --seed {given.seed}"
          f" --least {given.least} --most {given.most}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        while len(found) < given.count:
            moves, scores = play(engine, rng)
            places = [place for place, score in enumerate(scores) if score > WON and place >= len(moves) - TRIED]
            rng.shuffle(places)
            left = TAKEN
            while places and left > 0 and len(found) < given.count:
                place = places.pop()
                engine.position(moves[:place])
                position = engine.text()
                took = proved(given.carom, given.game, position, given.most, folder)
                if took is not None and took >= given.least and position not in found:
                    found.add(position)
                    print(position, flush=True)
                    left -= 1


if __name__ == "__main__":
    main()
