"""A thousand lines of nonsense and half-sense from each side of the bridge at once, in every state of a conversation."""

import os
import random
import subprocess
import sys
import threading

LINES = 1000
MOVES = "e2e4 e7e5 g1f3 b8c6 e1g1 e7e8q P@e4 0000 @@@@ O-O e2e4, e2xe3-e4 a1a99 zz 🂡 e2e4q1".split()
OUTER = {
    "uci": """uci|isready|ucinewgame|stop|ponderhit|position startpos|position startpos moves {m} {m}|position fen {f} moves {m}
        |position fen|go infinite|go depth {n}|go ponder wtime {n} btime {n}|go wtime {n} btime -{n} movestogo {n}|go nodes {n}|go movetime {n}
        |go searchmoves {m} {m}|go mate {n}|setoption name Hash value {n}|setoption name Style value wild|setoption name Forget|setoption name {m}
        |setoption name UCI_Variant value {g}|go perft 2|debug on|d|eval|flip|query legal|query fen|bench|register later|{junk}""",
    "xboard": """xboard|protover 2|new|variant {g}|force|go|playother|usermove {m}|{m}|?|ping {n}|draw|result 1-0 {{x}}|setboard {f}|hint|bk|undo
        |remove|hard|easy|post|nopost|analyze|exit|.|st {n}|sd {n}|nps {n}|level 40 5 {n}|level x|time {n}|otim {n}|memory {n}|cores {n}|option Style=wild
        |option Forget|option {m}={n}|exclude {m}|include all|name x|rating 1 2|computer|pause|resume|edit|.|lift e2|put e4|hover e3|white|black
        |accepted highlight|{junk}""",
}
INNER = {
    "uci": """bestmove {m}|bestmove {m} ponder {m}|bestmove|bestmove (none)|readyok|info depth {n} score cp {n} pv {m} {m}|info depth {n} score mate -{n}
        |info score lowerbound|info string {junk}|info|info depth x|uciok|option name X type spin|id name y|response x|{junk}""",
    "xboard": """move {m}|move {m},|pong {n}|{n} {n} {n} {n} {m} {m}|{n} -100{n} 1 1 1. e4 e5|resign|offer draw|1-0 {{x}}|1/2-1/2 {{y}}|Illegal move: {m}
        |Error (x): {m}|tellusererror x|telluser y|feature ping=0|setup (PNBRQK) 8x8+0_fairy 8/8|piece P& x|# x|stat01: 1 2 3 4 5|Hint: {m}|{junk}""",
}
# The lines that lead to each state, from whatever state.
STATES = {
    "uci": {
        "before uci": [],
        "nothing going on": ["uci", "stop", "position startpos"],
        "searching": ["uci", "stop", "position startpos moves e2e4", "go infinite"],
        "searching by the clock": ["uci", "stop", "position startpos", "go wtime 9000 btime 9000"],
        "pondering": ["uci", "stop", "position startpos moves e2e4 e7e5", "go ponder wtime 9000 btime 9000"],
        "a game that is over": ["uci", "stop", "position startpos moves f2f3 e7e5 g2g4 d8h4", "go depth 3"],
        "a game of ours": ["uci", "stop", "setoption name UCI_Variant value rollerball", "position startpos", "go infinite"],
        "a game that nobody knows": ["uci", "stop", "setoption name UCI_Variant value crazyhouse", "position startpos", "go infinite"],
    },
    "xboard": {
        "before protover": ["xboard"],
        "forced": ["xboard", "protover 2", "new", "force"],
        "waiting for a move": ["xboard", "protover 2", "new", "easy"],
        "searching": ["xboard", "protover 2", "exit", "new", "st 9", "usermove e2e4"],
        "pondering": ["xboard", "protover 2", "exit", "new", "hard", "usermove e2e4", "?", "usermove g1f3"],
        "analysing": ["xboard", "protover 2", "new", "analyze"],
        "editing": ["xboard", "protover 2", "new", "force", "edit"],
        "a game that is over": ["xboard", "protover 2", "new", "result 1-0 {White mates}"],
        "a game of ours": ["xboard", "protover 2", "exit", "new", "variant rollerball", "go"],
        "a game that nobody knows": ["xboard", "protover 2", "exit", "new", "variant crazyhouse", "go"],
    },
}
# A state is entered again after so many lines; twice as often the engine is asked whether it is ready, whatever the state.
LASTS = 8
FENS = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "x"]
GREETING = {
    "uci": "id name F\noption name Hash type spin default 1 min 1 max 999\noption name Style type combo default Calm var Wild var Calm\n"
    "option name Forget type button\noption name Ponder type check default false\n"
    "option name UCI_Variant type combo default chess var chess var crazyhouse var rollerball\nuciok\n",
    "xboard": 'feature ping=1 setboard=1 usermove=1 memory=1 exclude=1 nps=1 analyze=1 myname="F" variants="normal,crazyhouse,rollerball"\n'
    'feature option="Style -combo Wild /// *Calm"\nfeature option="Forget -button"\nfeature done=1\n',
}


def line(pool, rng):
    def junk():
        return "".join(rng.choice(" \tabc,=;{}()@0129é\x1b\x00\"'/-+") for _ in range(rng.randrange(40)))

    text = rng.choice(pool).strip()
    game = rng.choice(["chess", "normal", "crazyhouse", "rollerball", "nonsense"])
    while "{m}" in text:
        text = text.replace("{m}", rng.choice(MOVES), 1)
    while "{n}" in text:
        text = text.replace("{n}", str(rng.choice([0, 1, 3, 50, 1000, 99999999999999999999])), 1)
    return text.replace("{f}", rng.choice(FENS)).replace("{g}", game).replace("{junk}", junk()).replace("\n", " ")


def engine(protocol, seed):
    """An engine that answers what must be answered half of the time, and says whatever comes to its mind."""
    rng, pool = random.Random(seed), INNER[protocol].split("|")
    lines = 0
    for heard in sys.stdin:
        word = heard.split()[0] if heard.split() else ""
        if word in ("uci", "protover"):
            said = GREETING[protocol]
        elif word == "quit":
            break
        else:
            said, more = "", rng.randrange(4)
            if word in ("isready", "ping"):
                # As much as it was spared while nothing was handed on to it.
                more = LASTS
                said += "readyok\n" if word == "isready" else f"pong {heard.split()[1]}\n"
            if word in ("stop", "go", "?") and rng.random() < 0.7:
                said += ("bestmove " if protocol == "uci" else "move ") + rng.choice(MOVES) + "\n"
            for _ in range(more):
                said += line(pool, rng) + "\n"
            lines += more
        sys.stdout.buffer.write(said.encode("utf-8", "replace"))
        sys.stdout.flush()
    sys.stderr.write(f"SAID {lines}\n")


def alive(mark):
    """Processes whose command line has `mark`."""
    found = []
    for process in os.listdir("/proc"):
        if process.isdigit() and int(process) != os.getpid():
            try:
                with open(f"/proc/{process}/cmdline", "rb") as file:
                    if mark.encode() in file.read():
                        found.append(process)
            except OSError:
                pass
    return found


def talk(carom, outside, inside, state, seed, again=False):
    where = f"{outside} over {inside}, {state}, seed {seed}"
    mark = f"fuzz-{os.getpid()}-{outside}-{inside}-{seed}"
    command = [carom, "bridge", "--as", outside, "--engine", inside, "--patience", "20", "--"]
    command += [sys.executable, __file__, inside, str(seed), mark]
    bridge = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    heard, errors = [], []
    readers = [threading.Thread(target=lambda: heard.extend(bridge.stdout)), threading.Thread(target=lambda: errors.extend(bridge.stderr))]
    for reader in readers:
        reader.start()
    rng, pool = random.Random(seed + 1), OUTER[outside].split("|")
    said = []
    for number in range(LINES):
        if number % LASTS == 0:
            said += STATES[outside][state]
        if number % (LASTS // 2) == 0:
            said.append("isready" if outside == "uci" else f"ping {number}")
        text = line(pool, rng)
        said.append(text if text.split()[:1] != ["quit"] else "")
    broken = False
    try:
        for text in said:
            bridge.stdin.write((text + "\n").encode("utf-8", "replace"))
            bridge.stdin.flush()
        bridge.stdin.write(b"quit\n")
        bridge.stdin.close()
    except BrokenPipeError:
        broken = True  # it ended early; that is told below
    status = bridge.wait(120)
    for reader in readers:
        reader.join(20)
    errors = b"".join(errors).decode("utf-8", "replace")
    assert "panicked" not in errors and status == 0, f"{where}: ended with {status}: {errors[-500:]}"
    [inner] = [int(text.split()[1]) for text in errors.splitlines() if text.startswith("SAID ")]
    if inside == "xboard" and inner < LINES and not broken and not again:
        # On a busy machine Python may take more than the two seconds after which an engine has no features, and is asked nothing.
        return talk(carom, outside, inside, state, seed, again=True)
    told = [text.decode("utf-8", "replace").rstrip() for text in heard[-4:]]
    assert not broken and inner >= LINES, f"{where}: the engine said {inner} lines, broken: {broken}, in the end {told}; {errors[-300:]}"
    left = alive(mark)
    assert not left, f"{where}: processes left: {left}"
    return inner


def run(carom):
    conversations = inner = 0
    for outside in OUTER:
        for inside in INNER:
            for seed, state in enumerate(STATES[outside]):
                inner += talk(carom, outside, inside, state, 100 * seed)
                conversations += 1
    return f"{conversations} states, {LINES} lines each to the bridge and {inner} from the engines"


if __name__ == "__main__":
    engine(sys.argv[1], int(sys.argv[2]))
