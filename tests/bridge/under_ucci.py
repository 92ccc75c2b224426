"""Xiangqi between UCCI and the other protocols: `under_ucci.py CAROM FAIRY-STOCKFISH SJAAKII [NAME…]`.

Each game is one of an engine behind the bridge against itself, from the start, with nodes, depth and clocks in turn. pyffish finds every
turn legal. Its turns have ranks from 1, as in UCI; UCCI and the XBoard protocol count them from 0.
"""

import re
import subprocess
import sys

import pyffish

START = pyffish.start_fen("xiangqi")
MOST = 60


def counted(turn, shift):
    """A turn with another number for each rank."""
    return re.sub(r"\d+", lambda rank: str(int(rank[0]) + shift), turn)


class Bridge:
    """A conversation with a bridge, and every line of it."""

    def __init__(self, words):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.lines = []

    def say(self, *lines):
        self.lines += [f"> {line}" for line in lines]
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def wait(self, pattern):
        for line in self.process.stdout:
            self.lines.append(f"< {line.rstrip()}")
            if found := re.match(pattern, line):
                return found
        raise AssertionError("it has ended: " + "\n".join(self.lines[-30:]))

    def end(self):
        self.say("quit")
        assert self.process.wait(timeout=30) == 0


def checked(bridge, turns, turn):
    """Whether the game goes on behind this turn, which must be legal."""
    legal = pyffish.legal_moves("xiangqi", START, turns)
    assert turn in legal, f"{turn} behind {' '.join(turns)} is not legal\n" + "\n".join(bridge.lines[-30:])
    turns.append(turn)
    return len(turns) < MOST and pyffish.legal_moves("xiangqi", START, turns)


def positions(words, ucci):
    """A game by UCI or UCCI, whose turns follow the start in each position."""
    bridge, turns, scored = Bridge(words), [], 0
    shift = 1 if ucci else 0
    if ucci:
        bridge.say("ucci")
        bridge.wait("ucciok")
        bridge.say("setoption usemillisec true", "setoption newgame")
        limits = ["depth 3", "time 1000 increment 20 opptime 1000 oppincrement 20", "nodes 3000"]
    else:
        bridge.say("uci")
        bridge.wait("uciok")
        bridge.say("setoption name UCI_Variant value xiangqi", "ucinewgame")
        limits = ["depth 3", "wtime 1000 winc 20 btime 1000 binc 20", "nodes 3000"]
    bridge.say("isready")
    bridge.wait("readyok")
    goes_on = True
    while goes_on:
        moves = " moves " + " ".join(counted(turn, -shift) for turn in turns) if turns else ""
        bridge.say(f"position startpos{moves}", f"go {limits[len(turns) // 2 % 3]}")
        said = bridge.wait(r"bestmove (\S+)|nobestmove")
        scored += any(line.startswith("< info ") and " pv " in line for line in bridge.lines[-20:])
        goes_on = checked(bridge, turns, counted(said[1] or "none", shift))
    bridge.end()
    assert scored * 2 > len(turns), f"{scored} of {len(turns)} turns have a line"
    return f"{len(turns)} turns"


def xboard(words):
    """A game by the XBoard protocol, in which the engine moves for both sides."""
    bridge, turns = Bridge(words), []
    bridge.say("xboard", "protover 2")
    bridge.wait(r"feature .*done=1")
    bridge.say("new", "variant xiangqi", "post", "sd 3")
    goes_on = True
    while goes_on:
        bridge.say("go")
        goes_on = checked(bridge, turns, counted(bridge.wait(r"move (\S+)")[1], 1))
        bridge.say("force")
    bridge.end()
    return f"{len(turns)} turns"


def games(carom, fairy_stockfish, sjaakii):
    def bridge(outside, inside, engine):
        return [carom, "bridge", "--as", outside, "--engine", inside, "--game", "xiangqi", "--", engine]

    return {
        "a UCCI engine under UCI": lambda: positions(bridge("uci", "ucci", fairy_stockfish), False),
        "a UCCI engine under XBoard": lambda: xboard(bridge("xboard", "ucci", fairy_stockfish)),
        "a UCI engine under UCCI": lambda: positions(bridge("ucci", "uci", fairy_stockfish), True),
        "an XBoard engine under UCCI": lambda: positions(bridge("ucci", "xboard", sjaakii), True),
    }


def main():
    for name, play in games(*sys.argv[1:4]).items():
        if name in sys.argv[4:] or not sys.argv[4:]:
            print(f"{name}: {play()}", flush=True)


if __name__ == "__main__":
    main()
