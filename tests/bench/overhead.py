#!/usr/bin/env python3
"""What the match runner itself costs: an engine that answers at once, everything pinned to one CPU.

    cargo build --release && cargo build --release --example instant-engine
    python3 tests/bench/overhead.py target/release/carom target/release/examples/instant-engine [--games 1000] [--limit 25]

Prints microseconds a ply, the best of five runs, and fails above the limit. Anchors measured the same way on another
machine: c-chess-cli 18, fastchess 53, cutechess-cli 87; where c-chess-cli is on the path it is run beside in turns, and
the limit is 1.4 times its figure if that is more. That both play games of the same length is looked up in their PGN.

With `--steady N` it plays N games in one process instead and fails if memory grows, or descriptors, threads or zombies
are left: `--steady 10000`.

With `--wires N` it plays N games against the engine as a process, over TCP and over a WebSocket (`carom listen` on this
machine), in turns, not pinned, and fails if a ply costs more than 60 microseconds more over the WebSocket.
"""
import argparse, os, shutil, signal, subprocess, sys, tempfile, time

PLIES = 78


def match(carom, engine, games, more=()):
    words = [carom, "match", "-quiet", "-rounds", str(games // 2), "-most-turns", str(PLIES), "-ratinginterval", "0"]
    for name in "AB":
        words += ["-engine", f"cmd={engine}", f"name={name}", "proto=uci", "tc=600"]
    return words + list(more)


def other(engine, games, more=()):
    return ["c-chess-cli", "-engine", f"cmd={engine}", "name=A", "-engine", f"cmd={engine}", "name=B", "-each", "tc=600",
            "-games", str(games), "-draw", "count=1", "score=0", "number=40", *more]


def lengths(words, name, folder):
    """The plies of two games, by the runner's own PGN."""
    file = os.path.join(folder, f"{name}.pgn")
    more = ["-pgn", file] + (["3"] if name == "c-chess-cli" else [])
    subprocess.run(words(2, more), check=True, stdout=subprocess.DEVNULL, cwd=folder)
    return [int(line.split('"')[1]) for line in open(file) if line.startswith("[PlyCount")]


def timed(words, folder):
    begun = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd=folder)
    return time.perf_counter() - begun


def steady(carom, engine, games):
    """Plays many games, looking at the process while it does."""
    runner = subprocess.Popen(match(carom, engine, games), stdout=subprocess.PIPE, text=True)
    samples = []
    for number, line in enumerate(line for line in runner.stdout if line.startswith("Finished")):
        # Not in the last tenth: lines are read late, and at the very end engines and runner are leaving already.
        if number % (games // 20) == games // 40 and number < games * 9 // 10:
            # Nor does the match go on while it is looked at.
            runner.send_signal(signal.SIGSTOP)
            status = open(f"/proc/{runner.pid}/status").read()
            memory = int(status.split("VmRSS:")[1].split()[0])
            threads = int(status.split("Threads:")[1].split()[0])
            descriptors = len(os.listdir(f"/proc/{runner.pid}/fd"))
            children = subprocess.run(["ps", "--ppid", str(runner.pid), "-o", "stat="], capture_output=True, text=True)
            states = children.stdout.split()
            runner.send_signal(signal.SIGCONT)
            samples.append((memory, threads, descriptors, len(states)))
            assert not any(state.startswith("Z") for state in states), f"zombies: {states}"
    assert runner.wait() == 0
    first, last = samples[4], samples[-1]
    print(f"after {games} games: {last[0]} KiB (after a quarter {first[0]}), threads {last[1]}, descriptors {last[2]}, "
          f"children {last[3]}")
    assert last[0] < first[0] * 1.05 + 1024, f"memory grows: {samples}"
    assert last[1:] == first[1:], f"something is left: {samples}"


def wires(carom, engine, games):
    """What a ply costs more over a wire."""
    listening = subprocess.Popen([carom, "listen", "--port", "0", "--most", "8", "--", engine], stdout=subprocess.PIPE, text=True)
    try:
        where = {"process": engine, "TCP": listening.stdout.readline().strip(), "WebSocket": listening.stdout.readline().strip()}
        with tempfile.TemporaryDirectory() as folder:
            start = {name: min(timed(match(carom, address, 2), folder) for _ in range(5)) for name, address in where.items()}
            rounds = [{name: timed(match(carom, address, games), folder) for name, address in where.items()} for _ in range(5)]
    finally:
        listening.terminate()
        listening.wait()
    figures = {name: (min(times[name] for times in rounds) - start[name]) / (games - 2) / PLIES * 1e6 for name in where}
    for name, figure in figures.items():
        print(f"{name}: {figure:.1f} microseconds a ply, {figure - figures['process']:.1f} more than a process")
    if figures["WebSocket"] - figures["process"] > 60:
        sys.exit("more than 60 more")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("carom")
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--limit", type=float, default=25.0)
    parser.add_argument("--steady", type=int)
    parser.add_argument("--wires", type=int)
    options = parser.parse_args()
    carom, engine = os.path.abspath(options.carom), os.path.abspath(options.engine)
    if options.steady:
        return steady(carom, engine, options.steady)
    if options.wires:
        return wires(carom, engine, options.wires)
    pinned = ["taskset", "-c", "0"]
    runners = {"carom match": lambda games, more=(): match(carom, engine, games, more)}
    if shutil.which("c-chess-cli"):
        runners["c-chess-cli"] = lambda games, more=(): other(engine, games, more)
    with tempfile.TemporaryDirectory() as folder:
        for runner, words in runners.items():
            counted = lengths(words, runner.replace(" ", "-"), folder)
            assert counted == [PLIES] * 2, f"{runner} plays games of {counted} plies, not {PLIES}"
        start = {runner: min(timed(pinned + words(2), folder) for _ in range(5)) for runner, words in runners.items()}
        # In turns, so that a busy machine is as busy for both.
        rounds = [{runner: timed(pinned + words(options.games), folder) for runner, words in runners.items()}
                  for _ in range(5)]
    figures = {}
    for runner in runners:
        best = min(times[runner] for times in rounds) - start[runner]
        figures[runner] = best / options.games / PLIES * 1e6
        print(f"{runner}: {options.games} games in {best:.2f} s, {figures[runner]:.1f} microseconds a ply")
    figure = figures["carom match"]
    limit = max(options.limit, 1.4 * figures.get("c-chess-cli", 0))
    if figure > limit:
        sys.exit(f"more than {limit:.1f}")


main()
