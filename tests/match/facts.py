#!/usr/bin/env python3
"""What the games are like when Carom plays itself at rising strength: length, choices, the first player's score, draws, and
the rules that end them, as a table in Markdown. Openings are a few random turns, each played once; the first player is who is to
move then. No nodes means random moves.

    python3 tests/match/facts.py target/release/carom [--games 200] [--nodes 0 50 500 5000] [--plies 2] [--only GAME]
"""
import argparse, collections, json, os, re, subprocess, tempfile


class Counter:
    """How many turns there are in a position, by Carom over UCI."""

    def __init__(self, carom, game):
        self.process = subprocess.Popen([carom], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say("uci")
        self.say(f"setoption name UCI_Variant value {game}")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def turns(self, position, turns):
        self.say(f"position fen {position}" + (" moves " + " ".join(turns) if turns else ""))
        self.say("go perft 1")
        for line in self.process.stdout:
            if found := re.search(r"Nodes searched: (\d+)", line):
                return int(found[1])
        raise SystemExit("carom ended")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def play(carom, name, games, nodes, plies, concurrency):
    with tempfile.TemporaryDirectory() as folder:
        journal, openings = os.path.join(folder, "journal"), os.path.join(folder, "openings.epd")
        with open(openings, "w") as file:
            words = ["openings", "-g", name, "-n", str(games), "--plies", str(plies), "--depth", "1", "--within", "100000"]
            subprocess.run([carom, *words], stdout=file, check=True)
        player = f"nodes={nodes}" if nodes else "nodes=100000"
        random = [] if nodes else ["option.Player=random"]
        words = [carom, "match", "-quiet", "-game", name, "-rounds", str(games), "-games", "1", "-repeat", "1", "-seed", "7",
                 "-journal", journal, "-concurrency", str(concurrency), "-openings", f"file={openings}", "-most-turns", "1000",
                 "-each", player, *random, "option.Hash=4", "-engine", "cmd=carom", "name=A", "proto=uci",
                 "-engine", "cmd=carom", "name=B", "proto=uci"]
        run = subprocess.run(words, text=True, capture_output=True)
        if run.returncode != 0:
            raise SystemExit(f"{name}: {run.stderr}")
        return [game for game in map(json.loads, open(journal)) if game["event"] == "game"]


def describe(counter, name, nodes, games):
    turns, choices, points, reasons = 0, [], 0, collections.Counter()
    for number, game in enumerate(games):
        tokens = [turn[0] for turn in game["turns"]]
        turns += sum(1 for turn in game["turns"] if turn[1] in "wb")
        first = {"w": "1-0", "b": "0-1"}[game["turns"][0][1]]
        points += {first: 2, "1/2-1/2": 1}.get(game["result"], 0)
        word = "draw" if game["result"] == "1/2-1/2" else "win"
        reasons[f"{word}: " + re.sub(r"^(White|Black)('s)? ", "", game["reason"])] += 1
        # Some twenty million ways to spend four steps take a moment to count.
        every = 400 if name == "hanniball" else 20
        for at in range(number % every, len(tokens), every):
            choices.append(counter.turns(game["position"], tokens[:at]))
    count = len(games)
    drawn = sum(1 for game in games if game["result"] == "1/2-1/2")
    three = ", ".join(f"{reason} {100 * times / count:.0f} %" for reason, times in reasons.most_common(3))
    print(f"| {name} | {nodes or 'random'} | {turns / count:.0f} | {sum(choices) / max(1, len(choices)):.0f} | "
          f"{50 * points / count:.0f} % | {100 * drawn / count:.0f} % | {three} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("carom")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, nargs="+", default=[0, 50, 500, 5000])
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--concurrency", type=int, default=os.cpu_count())
    parser.add_argument("--only")
    options = parser.parse_args()
    carom = os.path.abspath(options.carom)
    listed = subprocess.run([carom, "games"], text=True, capture_output=True, check=True).stdout
    print("| game | nodes a decision | turns | choices | first player's score | draws | ends |\n|---|---|---|---|---|---|---|")
    for name in [line.split()[0] for line in listed.splitlines() if line[:1].isalpha()]:
        if options.only in (None, name):
            counter = Counter(carom, name)
            for nodes in options.nodes:
                games = play(carom, name, options.games, nodes, options.plies, options.concurrency)
                describe(counter, name, nodes, games)
            counter.close()


main()
