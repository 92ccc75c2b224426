#!/usr/bin/env python3
"""What two builds of Carom say, byte for byte: for changes that are meant to change nothing.

    tests/freeze/run.py OLD [NEW] [--only PART]... [--game GAME]... [--keep FOLDER]

Records the same conversations, matches and games with both programs, by fixed nodes and fixed seeds, and prints what differs.
With one program the recording is made twice, which shows that it can be repeated. Only times and what follows from them are left out.

    uci, xboard   a game of the engine against itself in each protocol
    bridge        both sides of a bridged conversation: as UCI, UGI and XBoard, to an engine of UCI and of XBoard
    match         journal, PGN and positions of a match of one protocol against the other
    terminal      a game played in the terminal by lines
    page          the messages of a game played through the page's WebSocket
"""

import argparse
import concurrent.futures
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HOME = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HOME / "tests/web"))
from driver import Socket  # noqa: E402

TURNS = 6
NODES = 200


class Program:
    """A program that is spoken to in lines."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.lines = []

    def send(self, *lines):
        for line in lines:
            self.lines.append(f"> {line}")
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, *beginnings):
        """Reads to the line that begins like this."""
        for line in self.process.stdout:
            line = line.rstrip("\n")
            self.lines.append(f"< {line}")
            if line.startswith(beginnings):
                return line
        raise AssertionError(f"{' '.join(self.command)} ended instead of saying {beginnings}: {self.lines[-5:]}")

    def end(self):
        self.send("quit")
        rest, _ = self.process.communicate(timeout=60)
        self.lines += [f"< {line}" for line in rest.splitlines()]
        return self.lines


def uci(command, game, word="uci"):
    """The engine plays itself; what is said in UCI or UGI."""
    program = Program(command)
    program.send(word)
    program.until(word + "ok")
    program.send(f"setoption name UCI_Variant value {game}", "setoption name Chance Seed value 5", "isready")
    program.until("readyok")
    moves = []
    for turn in range(TURNS):
        played = f"position startpos moves {' '.join(moves)}" if moves else "position startpos"
        program.send(played, f"go nodes {NODES}")
        best = program.until("bestmove").split()[1]
        if best in ("(none)", "0000"):
            break
        moves.append(best)
    program.send(f"position startpos moves {' '.join(moves)} z9z9", "isready")
    program.until("readyok")
    return program.end()


def xboard(command, game):
    """The same in the XBoard protocol."""
    program = Program(command)
    program.send("xboard", "protover 2")
    program.until("feature done=1")
    program.send("option Chance Seed=5", f"variant {'normal' if game == 'chess' else game}", "post", f"nps {NODES}", "st 1", "ping 1")
    program.until("pong 1")
    for number in range(TURNS):
        program.send("go", f"ping {number + 2}")
        program.until("move ", "1-0", "0-1", "1/2-1/2", "resign", "Error", "tellusererror")
        program.send("force", f"ping {number + 100}")
        program.until(f"pong {number + 100}")
    program.send("undo", "usermove z9z9", "ping 99")
    program.until("pong 99")
    return program.end()


def without_times(line):
    """The line without what depends on the clock of this machine, and with what 0.1.1 said wrong put right."""
    # A Deer's capture was written as if the captured piece moved on.
    line = re.sub(r"Deer (\w+)x(\w+), \w+ \2-(\w+)", r"Deer \1x\2-\3", line)
    line = re.sub(r"\b(time|nps|hashfull) \d+", r"\1 …", line)
    # A thinking line of XBoard: depth, score, time, nodes, selective depth, speed, table hits.
    return re.sub(r"^([<>] )(\d+ -?\d+) \d+ (\d+ \d+) \d+ ", r"\1\2 … \3 … ", line)


def by_direction(lines):
    """What was said and what was heard, each in its order: which of two programs is quicker is left to the machine. Answers to
    `ping` and `isready` come during a search or after it, announcements of games among other lines."""
    aside = ("< pong", "< readyok", "< # variant")
    heard = [line for line in lines if line.startswith("<") and not line.startswith(aside)]
    return [line for line in lines if line.startswith(">")] + heard


def bridge(carom, folder, outside, inside, game):
    """Both sides of a bridged conversation."""
    log = pathlib.Path(folder, f"{outside}-{inside}-{game}.log")
    command = [carom, "--log", str(log), "bridge", "--as", outside, "--engine", inside, "--game", game, "--", carom]
    if outside == "xboard":
        xboard(command, game)
    else:
        uci(command, game, outside)
    inner, outer = [], []
    for line in log.read_text().splitlines():
        said = re.match(r"# [0-9.]+ ([<>] .*)", line)
        if said:
            inner.append(said[1])
        elif line[:2] in ("< ", "> "):
            outer.append(line)
    assert inner and outer, log
    return ["--- outside", *by_direction(outer), "--- inside", *by_direction(inner)]


def match(carom, folder, game):
    """Journal, PGN and final positions of two games, one engine of each protocol."""
    journal, pgn, epd = (pathlib.Path(folder, f"{game}.{ending}") for ending in ("jsonl", "pgn", "epd"))
    command = [carom, "match", "-quiet", "-game", game, "-rounds", "2", "-repeat", "-seed", "3", "-most-turns", "24",
               "-journal", journal, "-pgnout", f"file={pgn}", "-epdout", epd, "-each", f"nodes={NODES}",
               "-engine", f"cmd={carom}", "name=A", "proto=uci", "-engine", f"cmd={carom}", "name=B", "proto=xboard"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    lines = []
    for line in journal.read_text().splitlines():
        event = json.loads(line)
        for clock_or_path in ("date", "settings", "program", "files"):
            event.pop(clock_or_path, None)
        for turn in event.get("turns", []):
            if turn[2]:
                turn[2][1:4] = ["…"]
        lines.append(json.dumps(event, ensure_ascii=False))
    text = re.sub(r"\d+\.\d{3}s", "…s", pgn.read_text())
    # Where lines are broken depends on how long the figures are.
    lines += re.sub(r'\[Date "[^"]*"\]', '[Date "…"]', text).split()
    lines += epd.read_text().splitlines()
    return lines + [line for line in done.stdout.splitlines() if line.startswith(("Finished", "Score"))]


def terminal(carom, folder, game):
    """A game in the terminal: the engine's turns, the lists, what is taken back."""
    saved = pathlib.Path(folder, f"{game}.saved.pgn")
    command = [carom, "play", game, "--side", "black", "--seed", "5", "--level", f"nodes={NODES}", "--save", str(saved)]
    lines = ["?", "hint", "fen", "z9z9", "undo", "help", "fen"]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=120)
    text = done.stdout.replace(str(saved), "FILE") + done.stderr
    text += re.sub(r'\[Date "[^"]*"\]', '[Date "…"]', saved.read_text()) if saved.exists() else ""
    return text.splitlines()


def page(carom, _folder, game):
    """The messages of a game in the browser: a person's decisions are the first legal ones, the engine answers."""
    server = subprocess.Popen([carom, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = int(re.search(r":(\d+)/", server.stdout.readline())[1])
        socket = Socket(port, "/socket")
        lines = []

        def hear(*kinds, fits=lambda message: True):
            while True:
                message = json.loads(socket.read())
                for passing in ("clocks", "session", "key", "program"):
                    message.pop(passing, None)
                if message["type"] in ("state", "error", "hint", "look", "pgn", "response"):
                    lines.append("< " + re.sub(r'\[Date \\"[^"]*\\"\]', "[Date]", json.dumps(message, ensure_ascii=False)))
                if message["type"] in kinds and fits(message):
                    return message
                assert message["type"] != "error", message

        def say(message):
            lines.append("> " + json.dumps(message))
            socket.send(json.dumps(message))

        hear("hello")
        say({"do": "new", "game": game, "seats": ["person", "engine"], "level": f"nodes={NODES}", "seed": 5})
        ours = lambda message: message["yours"] or message.get("result")  # noqa: E731
        state = hear("state", fits=ours)
        for _ in range(8):
            if state.get("result") or not state["legal"]:
                break
            at = state["at"]
            say({"do": "play", "word": state["legal"][len(state["legal"]) // 2]["word"], "at": at})
            state = hear("state", fits=lambda message: message["at"] > at and ours(message))
        if not state.get("result"):
            say({"do": "hint"})
            hear("hint")
        say({"do": "look", "at": 0})
        hear("look")
        at = state["at"]
        say({"do": "undo"})
        state = hear("state", fits=lambda message: message["at"] < at)
        say({"do": "pgn"})
        # A game with hidden cards is not shown before it is over.
        hear("pgn", "error")
        socket.close()
        return lines
    finally:
        server.kill()
        server.wait()


def parts(carom, folder, games):
    """What is recorded: a name and a function for each."""
    for game in games:
        yield f"uci {game}", lambda game=game: uci([carom], game)
        yield f"ugi {game}", lambda game=game: uci([carom], game, "ugi")
        yield f"xboard {game}", lambda game=game: by_direction(xboard([carom], game))
        for outside in ("uci", "ugi", "xboard"):
            for inside in ("uci", "xboard"):
                yield (f"bridge {outside} {inside} {game}", lambda game=game, outside=outside, inside=inside:
                       bridge(carom, folder, outside, inside, game))
        yield f"match {game}", lambda game=game: match(carom, folder, game)
        yield f"terminal {game}", lambda game=game: terminal(carom, folder, game)
        yield f"page {game}", lambda game=game: page(carom, folder, game)


def record(carom, folder, games, only):
    """All parts, by name; a part that fails is recorded with its reason."""
    chosen = {name: part for name, part in parts(carom, folder, games) if not only or name.split()[0] in only}

    def run(part):
        try:
            return [without_times(line).replace(carom, "CAROM") for line in part()]
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            return [f"FAILED: {error}"]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(chosen, pool.map(run, chosen.values())))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new", nargs="?")
    parser.add_argument("--only", metavar="PART", action="append", default=[])
    parser.add_argument("--game", metavar="GAME", action="append", default=[])
    parser.add_argument("--keep", metavar="FOLDER")
    arguments = parser.parse_args()
    programs = [os.path.abspath(arguments.old), os.path.abspath(arguments.new or arguments.old)]
    listed = subprocess.run([programs[0], "games"], text=True, capture_output=True, check=True).stdout
    games = arguments.game or [line.split()[0] for line in listed.splitlines() if line[:1].isalpha()]
    recorded = []
    for program, name in zip(programs, ("old", "new")):
        with tempfile.TemporaryDirectory() as folder:
            recorded.append(record(program, folder, games, arguments.only))
        if arguments.keep:
            for part, lines in recorded[-1].items():
                path = pathlib.Path(arguments.keep, name, part.replace(" ", "-") + ".txt")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("\n".join(lines) + "\n")
    old, new = recorded
    differ = [name for name in old if old[name] != new[name]]
    failed = [name for name in old if any(line.startswith("FAILED") for line in old[name] + new[name])]
    for name in differ:
        difference = list(difflib.unified_diff(old[name], new[name], f"old: {name}", f"new: {name}", lineterm="", n=1))
        print("\n".join(line[:300] for line in difference[:30]))
    for name in set(failed) - set(differ):
        print(f"{name}: {old[name][-1]}")
    print(f"{len(old) - len(differ)} of {len(old)} recordings are equal, {sum(map(len, old.values()))} lines")
    sys.exit(bool(differ or failed))


if __name__ == "__main__":
    main()
