#!/usr/bin/env python3
"""Measures Carom against the figures it should reach, and against Debian's fairy-stockfish in the same run.

    tests/bench/peers.py [CAROM] [ROUNDS]

Prints a table: figure, bar, whether it is reached. It measures and does not judge: the exit code is 0 unless a program
is missing or two programs count differently. Speeds are per second of processor time, medians of ROUNDS (5) in turns.
"""

import json
import os
import pathlib
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HOME = pathlib.Path(__file__).resolve().parents[2]
FAIRY = shutil.which("fairy-stockfish", path=os.environ["PATH"] + ":/usr/games")
GAMES = ["chess", "alapo", "alapo-demotion", "rollerball"]
# Alapo for fairy-stockfish 11.1. It has no lances: bishops stand in for them, for Carom too. And it does not end the game
# on the last row, which nobody reaches within four turns.
NO_LANCES = "rbbqqbbr/wsf{0}{0}fsw/8/8/8/8/WSF{1}{1}FSW/RBBQQBBR w - - 0 1"
FAIRY_ALAPO = f"""[alapo-no-lances]
maxRank = 8
maxFile = h
castling = false
rook = r
bishop = b
queen = q
wazir = w
fers = f
silver = s
commoner = c
startFen = {NO_LANCES.format("c", "C")}
nMoveRule = 0
nFoldRule = 0
stalemateValue = loss
"""


def processor_seconds(command, text=""):
    """What the command prints, and the processor time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def carom_perft(game, depth, position="startpos"):
    """Counts of all depths, and positions a second. `carom perft` counts every depth up to the last."""
    out, seconds = processor_seconds([CAROM, "perft", "-g", game, "-d", str(depth), "-p", position])
    counts = {int(line.split()[0]): int(line.split()[1]) for line in out.splitlines()}
    return counts, sum(counts.values()) / seconds


def fairy_perft(prepare=""):
    """The count of depth 4, and positions a second in four counts of depth 5; what starting takes is left out."""
    prepare += "position startpos\ngo perft 4\n"
    _, idle = processor_seconds([FAIRY], prepare + "quit\n")
    out, seconds = processor_seconds([FAIRY], prepare + "go perft 5\n" * 4 + "quit\n")
    fourth, *counts = [int(count) for count in re.findall(r"Nodes searched: (\d+)", out)]
    return fourth, sum(counts) / (seconds - idle)


def game_of_200_turns(game):
    """Turns drawn by lot, none of which ends the game."""
    lots, turns = random.Random(1), []
    while len(turns) < 200:
        show = [CAROM, "show", "--json", "--game", game, "--moves", " ".join(turns)]
        now = json.loads(subprocess.run(show, check=True, stdout=subprocess.PIPE).stdout)
        # Where every turn is a last one, the way out begins some turns earlier.
        turns = turns[: -lots.randint(1, 8)] if now["outcome"] else turns + [lots.choice(now["legal"])]
    return turns


def position_line(game, turns):
    """Microseconds of processor time to parse and replay a line of these turns."""
    line = f"position startpos moves {' '.join(turns)}\n"
    prepare = f"uci\nsetoption name UCI_Variant value {game}\nisready\n"
    _, idle = processor_seconds([CAROM], prepare + line)
    complaints, seconds = processor_seconds([CAROM], prepare + line * 2001 + "d\n")
    assert "Illegal" not in complaints, complaints
    return 1e6 * (seconds - idle) / 2000


class Uci:
    """A conversation with Carom."""

    def __init__(self):
        self.process = subprocess.Popen([CAROM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def say(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def milliseconds_to(self, word, *lines):
        begun = time.perf_counter()
        self.say(*lines)
        for line in self.process.stdout:
            if line.split()[:1] == [word]:
                return 1000 * (time.perf_counter() - begun)
        sys.exit(f"Carom ended before it said {word}")

    def peak_megabytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1)) / 1024

    def quit(self):
        self.say("quit")
        self.process.communicate()


def start_to_uciok():
    begun = time.perf_counter()
    uci = Uci()
    uci.milliseconds_to("uciok", "uci")
    taken = 1000 * (time.perf_counter() - begun)
    uci.quit()
    return taken


def latencies(game):
    """Of `isready` during a search and of `stop`, several of each, in milliseconds."""
    uci = Uci()
    uci.milliseconds_to("readyok", "uci", f"setoption name UCI_Variant value {game}", "ucinewgame", "isready")
    ready, stop = [], []
    for _ in range(10):
        uci.say("position startpos", "go infinite")
        time.sleep(0.1)
        for _ in range(5):
            ready.append(uci.milliseconds_to("readyok", "isready"))
            time.sleep(0.01)
        stop.append(uci.milliseconds_to("bestmove", "stop"))
    uci.quit()
    return ready, stop


def memory(game, megabytes):
    """The most that was resident in a search of a second, beyond the table."""
    uci = Uci()
    variant = f"setoption name UCI_Variant value {game}"
    uci.milliseconds_to("readyok", "uci", f"setoption name Hash value {megabytes}", variant, "isready")
    uci.milliseconds_to("bestmove", "position startpos", "go movetime 1000")
    peak = uci.peak_megabytes()
    uci.quit()
    return peak - megabytes


def row(name, figure, unit, bar, least=True, note=""):
    reached = figure >= bar if least else figure <= bar
    sign = ">=" if least else "<="
    print(f"{name:<44} {figure:>9.2f} {unit:<6} {sign} {bar:<6g} {'yes' if reached else 'NO':<4} {note}", flush=True)


def speeds(rounds):
    """Perft, Carom and its peer in turns."""
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as rules:
        rules.write(FAIRY_ALAPO)
        rules.flush()
        alapo = f"setoption name VariantPath value {rules.name}\nsetoption name UCI_Variant value alapo-no-lances\n"
        found = [one_round(alapo) for _ in range(rounds)]
    median = {name: statistics.median(figures[name] for figures in found) for name in found[0]}
    chess = statistics.median(figures["chess"] / figures["fairy chess"] for figures in found)
    no_lances = statistics.median(figures["no lances"] / figures["fairy alapo"] for figures in found)
    note = "{chess:.0f} to {fairy chess:.1f} M/s".format_map(median)
    row("perft chess, times fairy-stockfish", chess, "", 10, note=note)
    note = "{no lances:.0f} to {fairy alapo:.1f} M/s; without lances".format_map(median)
    row("perft alapo, times fairy-stockfish", no_lances, "", 5, note=note)
    for game, bar in [("chess", 150), ("alapo", 250), ("alapo-demotion", 250), ("rollerball", 100)]:
        row(f"perft {game}", median[game], "M/s", bar)


def one_round(alapo):
    """Million positions a second of everything, once."""
    ours, theirs = carom_perft("chess", 6), fairy_perft()
    our_alapo, their_alapo = carom_perft("alapo", 6, NO_LANCES.format("k", "K")), fairy_perft(alapo)
    for (our_counts, _), (their_count, _) in [(ours, theirs), (our_alapo, their_alapo)]:
        if our_counts[4] != their_count:
            sys.exit(f"counts differ: {our_counts[4]} and {their_count}")
    found = {"chess": ours, "fairy chess": theirs, "no lances": our_alapo, "fairy alapo": their_alapo}
    found |= {game: carom_perft(game, depth) for game, depth in [("alapo", 6), ("alapo-demotion", 6), ("rollerball", 7)]}
    return {name: speed / 1e6 for name, (_, speed) in found.items()}


def search_speeds(rounds):
    """Positions a second that `carom bench` visits."""
    for game in GAMES:
        found = []
        for _ in range(rounds):
            out, seconds = processor_seconds([CAROM, "bench", "-g", game])
            found.append(int(re.search(r"^signature (\d+)$", out, re.M).group(1)) / seconds / 1e6)
        row(f"search {game}", statistics.median(found), "M/s", 1)


def main():
    if FAIRY is None or not os.access(CAROM, os.X_OK):
        sys.exit("needs fairy-stockfish (Debian) and a built carom")
    print(f"{'':<44} {'figure':>9} {'':<6} {'bar':<9} reached")
    speeds(ROUNDS)
    search_speeds(ROUNDS)
    for game in GAMES:
        turns = game_of_200_turns(game)
        microseconds = statistics.median(position_line(game, turns) for _ in range(ROUNDS))
        row(f"{game}: position line of 200 turns", microseconds, "us", 200, least=False)
    starts = [start_to_uciok() for _ in range(20)]
    row("start to uciok", statistics.median(starts), "ms", 20, least=False, note=f"worst {max(starts):.1f}")
    for game in GAMES:
        ready, stop = latencies(game)
        row(f"{game}: isready, searching", statistics.median(ready), "ms", 2, least=False, note=f"worst {max(ready):.1f}")
        row(f"{game}: stop to bestmove", statistics.median(stop), "ms", 10, least=False, note=f"worst {max(stop):.1f}")
    for game in GAMES:
        for hash_size in [16, 256]:
            row(f"{game}: memory beyond Hash {hash_size}", memory(game, hash_size), "MB", 20, least=False)


if __name__ == "__main__":
    CAROM = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HOME / "target/release/carom").resolve())
    ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    main()
