"""`carom bridge` between engines that mean no good and users that do not either."""

import itertools
import os
import pathlib
import re
import signal
import sys
import time

from common import Program, fail, marked, seeded, settle, corpus, games
from evil import GAME, SPECIAL, STAGED, STAGES
from sessions import UCI_LINES, Lines, UciSession

EVIL = str(pathlib.Path(__file__).with_name("evil.py"))
# What may come out besides text: line feeds, and the tab of XBoard's thinking lines.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
# The engine is given so long to answer.
PATIENCE = 1
MISDEEDS = [f"{misdeed}@{stage}" for misdeed in STAGED for stage in STAGES] + SPECIAL

# What the user says, and what the answer begins with; where the answer does not come, the user goes on.
USERS = {
    "uci": [("uci", "uciok"), ("isready", "readyok"), ("ucinewgame", ""), ("isready", "readyok"), (f"position startpos moves {GAME[0]}", ""),
            ("go wtime 60000 btime 60000", "bestmove"), ("stop", "bestmove"), ("isready", "readyok"),
            (f"position startpos moves {' '.join(GAME[:3])}", ""), ("go infinite", "info"), ("stop", "bestmove"), ("isready", "readyok")],
    "xboard": [("xboard\nprotover 2", "feature done=1"), ("new", ""), ("ping 1", "pong 1"), ("post\nlevel 40 5 0", ""), (f"usermove {GAME[0]}", "move"),
               ("?", "move"), ("ping 2", "pong 2"), (f"usermove {GAME[2]}", "move"), ("ping 3", "pong 3"), ("analyze", "3 "), ("exit", ""), ("ping 4", "pong 4")],
}


def wait(program, word, since, seconds):
    """Whether a line that begins so comes in time, or the end."""
    until = time.monotonic() + seconds
    goes_on = True
    while True:
        if any(line.startswith(word) for line in program.lines[since:]):
            return goes_on
        if not goes_on or time.monotonic() > until:
            return goes_on
        goes_on = program.turn(0.1)


def engines(attack):
    """Engines that do one thing wrong: what the user's program hears is clean, the bridge ends, and so does all that was started."""
    cases = list(itertools.product(USERS, ["uci", "xboard"], MISDEEDS))
    if attack.short:
        cases = cases[attack.seed % 20 :: 20]

    def case(number):
        outside, inside, misdeed = cases[number]
        name = f"bridge {number}: {misdeed}, {outside} over {inside}"
        mark = f"attack-{os.getpid()}-{number}"
        command = [attack.carom, "bridge", "--as", outside, "--engine", inside, "--patience", str(PATIENCE), "--", sys.executable, EVIL, inside, misdeed]
        with Program(command, name, env=os.environ | {"ATTACK_MARK": mark}) as bridge:
            try:
                for line, answer in USERS[outside]:
                    since = len(bridge.lines)
                    bridge.say(line)
                    # As long as the engine is given, and some more: an engine that does not think in time is told to stop.
                    if answer and not wait(bridge, answer.encode(), since, 2 * PATIENCE):
                        break
                bridge.end(b"quit", (0, 1))
                text = bytes(bridge.out).decode(errors="surrogateescape")
                if bad := CONTROL.search(text) or re.search("[\udc80-\udcff]", text):
                    bridge.fail(f"{bad[0]!r} comes out: {text[max(0, bad.start() - 80) : bad.end() + 40]!r}")
                if not settle(lambda: not marked(mark.encode()), 5):
                    bridge.fail(f"processes left: {marked(mark.encode())}")
                return len(bridge.out)
            finally:
                for pid in marked(mark.encode()):
                    os.kill(pid, signal.SIGKILL)

    said = attack.each(case, len(cases), 4)
    if not said:
        fail("no case")
    return f"{len(said)} conversations, {len(MISDEEDS)} misdeeds for each of {2 * len(USERS)} pairs of protocols, {max(said) >> 10} kB said to a user at most"


def users(attack):
    """UCI sessions of lines that are changed and noise, through the bridge: what Carom owes comes through it too."""
    names, target = games(attack.carom), corpus("sessions")

    def session(number):
        rng = seeded(attack.seed, "users", number)
        inside = rng.choice(["uci", "uci", "xboard"])
        command = [attack.carom, "bridge", "--as", "uci", "--engine", inside, "--", attack.carom]
        lines = Lines(rng, UCI_LINES, names, target)
        return UciSession(command, f"user {number} over {inside}", rng, names, lines, bridged=True).run()

    done = attack.each(session, attack.size(300))
    return f"{len(done)} sessions, {sum(one[0] for one in done)} searches, {sum(one[1] for one in done)} moves checked"
