#!/usr/bin/env python3
"""How long `stop`, `quit` and the end of input take in every state of a conversation, in both protocols.

    cargo build --release && python3 tests/bench/endings.py target/release/carom [--times 20] [--limit 50]

`stop` and `?` are over when the move is said, `quit` and the end of input when the process and all its threads are gone.
Prints median and worst in milliseconds, and fails when a worst one is above the limit. Wants a quiet machine.
"""
import argparse, statistics, subprocess, sys, time

# What leads to the state, and the beginning of the line that shows it was reached.
UCI = {
    "idle": ([], "readyok"),
    "searching": (["go"], "info depth 3 "),
    "searching on a clock": (["go wtime 3600000 btime 3600000"], "info depth 3 "),
    "infinite": (["go infinite"], "info depth 3 "),
    "pondering": (["go ponder wtime 3600000 btime 3600000"], "info depth 3 "),
    "two threads": (["setoption name Threads value 2", "go infinite"], "info depth 3 "),
    "a table of 1 GB": (["setoption name Hash value 1024", "go infinite"], "info depth 3 "),
    "long turns": (["setoption name UCI_Variant value hanniball", "position startpos", "go infinite"], "info depth 1 "),
    "dice": (["setoption name UCI_Variant value wickets-dice", "position startpos", "go infinite"], "info depth 2 "),
    "counting": (["go perft 20", "isready"], "readyok"),
    "counting long turns": (["setoption name UCI_Variant value hanniball", "position startpos", "go perft 9", "isready"], "readyok"),
    "bench": (["bench 20", "isready"], "readyok"),
}
XBOARD = {
    "idle": (["ping 1"], "pong 1"),
    "thinking": (["level 0 60 0", "post", "go"], "3 "),
    "pondering": (["st 1", "hard", "post", "go"], "move "),
    "analysing": (["post", "analyze"], "3 "),
    "thinking about long turns": (["variant hanniball", "level 0 60 0", "post", "go"], "1 "),
}


def begin(carom, protocol, lines, sign):
    """A conversation that has got so far."""
    process = subprocess.Popen([carom], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    first = ["uci", "isready"] if protocol == "uci" else ["xboard", "protover 2"]
    say(process, *first)
    hear(process, "readyok" if protocol == "uci" else "feature done=1")
    say(process, *(lines or ["isready"]))
    hear(process, sign)
    return process


def say(process, *lines):
    process.stdin.write("".join(line + "\n" for line in lines))
    process.stdin.flush()


def hear(process, sign):
    for line in process.stdout:
        # `feature` lines hold several; the numbers of thinking are set in columns.
        if line.strip().startswith(sign) or sign.startswith("feature") and "done=1" in line:
            return
    sys.exit(f"waited in vain for {sign!r}")


def milliseconds(carom, protocol, state, ending):
    lines, sign = state
    process = begin(carom, protocol, lines, sign)
    begun = time.perf_counter()
    if ending in ("stop", "?"):
        say(process, ending)
        hear(process, "bestmove" if protocol == "uci" else "move ")
        took = time.perf_counter() - begun
        say(process, "quit")
        process.communicate()
    else:
        if ending == "quit":
            say(process, "quit")
        else:
            process.stdin.close()
        process.stdout.read()
        process.wait()
        took = time.perf_counter() - begun
    return took * 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("carom")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--limit", type=float, default=50.0)
    options = parser.parse_args()
    late = []
    for protocol, states, stop in [("uci", UCI, "stop"), ("xboard", XBOARD, "?")]:
        for name, state in states.items():
            searching = state[1].startswith("info") or name.startswith("thinking")
            for ending in ([stop] if searching else []) + ["quit", "end of input"]:
                times = [milliseconds(options.carom, protocol, state, ending) for _ in range(options.times)]
                worst = max(times)
                print(f"{protocol:6} {name:26} {ending:12} {statistics.median(times):6.1f} ms, worst {worst:6.1f}")
                if worst > options.limit:
                    late.append(f"{protocol}, {name}, {ending}")
    if late:
        sys.exit(f"later than {options.limit} ms: {'; '.join(late)}")


main()
