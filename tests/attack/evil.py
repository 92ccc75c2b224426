#!/usr/bin/env python3
"""An engine that does one thing it should not, at one stage of a conversation, and else plays a fixed game of chess.

    evil.py uci|xboard MISDEED[@STAGE]

Stages: start, handshake, ready, new, go, think, stop, quit.
"""

import os
import random
import signal
import sys
import time

# A legal game; the turn after N plies is always the same.
GAME = "b1c3 b8c6 g1f3 g8f6 d2d4 d7d5 c1e3 c8e6 f3g5 e6f5 g5f3 d8d6 f3h4 f5g4 h2h3 g4e6 h4f3 a8d8".split()
STAGES = ["start", "handshake", "ready", "new", "go", "think", "stop", "quit"]
STAGED = ["die", "crash", "mute", "long", "endless", "flood", "binary", "close-out", "close-in", "halt", "fork"]
SPECIAL = ["options", "waits", "illegal", "null", "none", "empty", "twice", "unasked", "other-words", "controls", "numbers", "claims", "many-lines", "late", "fork-hold"]
BAD = b"\x1b[2J\x07\x08\x0b\x0c\x00\x7f\xc2\x85\xc2\x9b31m\xe2\x80\xa8\xff\x9b\t\x1b]0;t\x07\r"


def out(text):
    data = text if isinstance(text, bytes) else (text + "\n").encode()
    while data:
        data = data[os.write(1, data) :]


def sleep():
    while True:
        time.sleep(1000)


def daemon(hold):
    """What is to be found and ended: in a session of its own, without a parent."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            if not hold:
                null = os.open(os.devnull, os.O_RDWR)
                for stream in range(3):
                    os.dup2(null, stream)
            os.execvp("sleep", ["sleep", "977"])
        os._exit(0)
    os.wait()


def misbehave(what):
    if what == "die":
        sys.exit(0)
    if what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "mute":
        sleep()
    if what == "long":
        out(b"x" * (10 << 20) + b"\n")
    while what == "endless":
        out(b"x" * 4096)
    while what == "flood":
        out(b"info string on and on\n" * 200)
    if what == "binary":
        out(random.Random(1).randbytes(3000) + BAD + b"\nid name " + BAD + b"\n" + BAD * 20 + b"\n")
    if what == "close-out":
        os.close(1)
        sleep()
    if what == "close-in":
        os.close(0)
        sleep()
    if what == "halt":
        os.kill(os.getpid(), signal.SIGSTOP)
    if what.startswith("fork"):
        daemon(what == "fork-hold")


class Engine:
    def __init__(self, protocol, misdeed):
        self.protocol = protocol
        self.misdeed, _, self.stage = misdeed.partition("@")
        self.plies, self.playing, self.searching = 0, False, False

    def at(self, stage):
        if self.stage == stage:
            misbehave(self.misdeed)

    def greet(self):
        options = {"options": 200_000, "controls": 1}.get(self.misdeed, 0)
        name = "Evil " + (BAD.decode("latin-1") if self.misdeed == "controls" else "1")
        if self.protocol == "uci":
            out(f"id name {name}\noption name Ponder type check default false\noption name Hash type spin default 16 min 1 max 64")
            out("".join(f"option name a{number}{name[5:]} type string default b\n" for number in range(options)).encode("latin-1") + b"uciok\n")
        else:
            if self.misdeed == "waits":
                out("feature done=0")
                sleep()
            out(f"feature ping=1 setboard=1 usermove=1 analyze=1 memory=1 myname=\"{name}\"")
            out("".join(f"feature option=\"a{number}{name[5:]} -string b\"\n" for number in range(options)).encode("latin-1") + b"feature done=1\n")

    def turn(self):
        """The answer to a `go`, right or wrong."""
        move = GAME[self.plies] if self.plies < len(GAME) else "0000"
        word = "bestmove" if self.protocol == "uci" else "move"
        score = f"info depth 3 score cp 12 nodes 7 time 1 pv {move}" if self.protocol == "uci" else f"3 12 1 7 {move}"
        self.searching = False
        numbers = ["99999999999999999999999", "-1", "nan", "1e99", "0x10", "", "+5", "7" * 5000]
        answers = {
            "illegal": f"{word} e2e7",
            "null": f"{word} 0000\n{word} @@@@",
            "none": f"{word} (none)",
            "empty": word,
            "twice": f"{word} {move}\n" * 3,
            "other-words": f"move {move}\nbestmove {move}\nreadyok\npong 1\nuciok\nfeature done=1\nugiok\nposition startpos\nquit\nxboard\ngo infinite",
            "controls": f"info string {BAD.decode('latin-1')}\ntelluser {BAD.decode('latin-1')}\n# {BAD.decode('latin-1')}\n{score} {BAD.decode('latin-1')}\n{word} {move}",
            "numbers": "\n".join(f"info depth {n} seldepth {n} multipv {n} score cp {n} nodes {n} nps {n} hashfull {n} time {n} pv {move}\n"
                                 f"info score mate {n}\n{n} {n} {n} {n} {move}\npong {n}\nstat01: {n} {n} {n} {n} {n}" for n in numbers) + f"\n{word} {move}",
            "claims": "1-0 {I say so}\n0-1 {no}\n1/2-1/2 {or so}\nresign\noffer draw\nIllegal move: e2e4\nError (x): y\ntellusererror z",
            "many-lines": f"{score}\n" * 50_000 + f"{word} {move}",
        }
        out(score)
        self.at("think")
        out(answers.get(self.misdeed, f"{word} {move}"))
        self.plies += 1
        if self.misdeed == "unasked":
            out(f"{word} {GAME[min(self.plies + 1, 17)]}\n" * 1000)

    def hear(self, line):
        words = line.split()
        word = words[0] if words else ""
        if word in ("uci", "protover"):
            self.at("handshake")
            self.greet()
        elif word in ("isready", "ping"):
            self.at("ready")
            out("readyok" if word == "isready" else f"pong {' '.join(words[1:])}")
        elif word in ("ucinewgame", "new"):
            self.at("new")
            self.plies, self.playing = 0, self.protocol == "xboard"
        elif word == "position":
            self.plies = len(line.partition(" moves ")[2].split())
        elif word == "force":
            self.playing = False
        elif word == "usermove":
            self.plies += 1
            if self.playing:
                self.at("go")
                self.turn()
        elif word == "go":
            self.playing = True
            self.at("go")
            self.searching = True
            # Searches without end are stopped; others end at once, or never.
            if "infinite" not in words and self.misdeed != "late":
                self.turn()
        elif word in ("stop", "?", "exit", "ponderhit"):
            self.at("stop")
            if self.searching:
                self.turn()
        elif word == "quit":
            self.at("quit")
            sys.exit(0)

    def run(self):
        self.at("start")
        if self.misdeed == "fork-hold":
            misbehave("fork-hold")
        for line in sys.stdin:
            self.hear(line)
        self.at("quit")


if __name__ == "__main__":
    try:
        Engine(*sys.argv[1:3]).run()
    except BrokenPipeError:
        os._exit(0)
