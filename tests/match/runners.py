#!/usr/bin/env python3
"""Carom in the place of fastchess and cutechess-cli: their lines played, and their output read by the programs that read it.

    python3 tests/match/runners.py target/release/carom            # needs nothing else
    python3 tests/match/runners.py target/release/carom --tools    # chess-tuning-tools of PyPI, in a venv of its own

The lines are those of tests/it/matches/words.rs, with Carom for every engine, one round, and clocks a script has time for.
"""
import ast, os, re, shlex, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CAROM = os.path.abspath(sys.argv[1])
POSITIONS = ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"]


def lines():
    """The command lines of the test in Rust."""
    text = open(os.path.join(HERE, "../it/matches/words.rs")).read()
    text = text[text.index("const LINES"):]
    text = re.sub(r"^\s*//.*$", "", text[text.index("= [") + 3:text.index("\n];")], flags=re.M)
    found = [line.replace("\\\n", " ").replace('\\"', '"') for line in re.findall(r'"((?:[^"\\]|\\.)*)"', text, re.S)]
    return [shlex.split(line) for line in found]


def shortened(words, folder):
    """The same line, played in a few seconds by engines that are here."""
    found, skip = [], False
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        if skip:
            skip = False
            continue
        if word in ("-rounds", "-concurrency"):
            found += [word, "1" if word == "-rounds" else "2"]
            skip = True
        elif word in ("-srand", "-games", "-maxmoves"):
            found.append(word)
        elif word.startswith("cmd="):
            found.append(f"cmd={CAROM}")
        elif word.startswith(("tc=", "dir=", "timemargin=", "option.")):
            found += ["tc=0.5+0.02", "timemargin=2000"] if word.startswith("tc=") else []
        elif word in ("proto=xboard", "start=4", "start=12"):
            found += ["proto=xboard"] if word == "proto=xboard" else []
        elif word == "plies=7":
            pass
        else:
            found.append(word)
    if "-quick" in found:
        found += ["-rounds", "1", "-each", "tc=0.5+0.02"]
    if not any(word.startswith("tc=") for word in found):
        found += ["-each", "tc=0.5+0.02"]
    return found + ([] if "-maxmoves" in found else ["-maxmoves", "12"])


def played(words, folder):
    """Plays a line, and returns what it prints, which is ASCII."""
    run = subprocess.run([CAROM, *words], cwd=folder, capture_output=True, timeout=300)
    assert run.returncode == 0, f"{words}: {run.stderr.decode()}"
    return run.stdout.decode("ascii")


def weather_factory(text):
    """How weather-factory reads the output: up to the first empty line."""
    score, elo = [0, 0, 0], 0.0
    for line in text.split("\n"):
        if line.strip() == "":
            break
        if line.startswith("Score of"):
            score = [int(part) for part in line[line.find(":") + 1:line.find("[")].split(" - ")]
        if line.startswith("Elo difference"):
            elo = float(line[line.find(":") + 1:line.find("+")])
    return score, elo


def tuning_tools(text, folder):
    """How chess-tuning-tools reads it: two functions of its own source, the rest of which wants a laboratory."""
    python = os.path.join(folder, "venv/bin/python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", os.path.join(folder, "venv")], check=True)
        pip = [python, "-m", "pip", "-q", "install"]
        # Its own code does not run with later ones.
        subprocess.run([*pip, "numpy<2", "scipy<1.12"], check=True)
        subprocess.run([*pip, "--no-deps", "chess-tuning-tools"], check=True)
    script = r"""
import ast, glob, os, re, sys, sysconfig
from typing import *
import numpy as np
from numpy.random import RandomState
from scipy.stats import dirichlet
source = open(os.path.join(sysconfig.get_paths()["purelib"], "tune/local.py")).read()
wanted = ("parse_experiment_result", "counts_to_penta", "elo_to_prob", "prob_to_elo")
tree = ast.parse(source)
tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in wanted]
exec(compile(tree, "tune/local.py", "exec"))
print(*parse_experiment_result(sys.stdin.read(), n_dirichlet_samples=1000, random_state=1))
"""
    run = subprocess.run([python, "-c", script], input=text, text=True, capture_output=True)
    assert run.returncode == 0, run.stderr
    return [float(number) for number in run.stdout.split()]


def main():
    with tempfile.TemporaryDirectory() as folder:
        write = lambda name, text: open(os.path.join(folder, name), "w").write(text)
        for name in ("book.epd", "openings.epd", "UHO_4060_v3.epd", "8moves_v3"):
            write(name, "\n".join(POSITIONS) + "\n")
        write("frc.epd", "bbrkqnrn/pppppppp/8/8/8/8/PPPPPPPP/BBRKQNRN w GCgc - 0 1\n")
        for name in ("book.pgn", "8moves_v3.pgn"):
            write(name, '[Event "x"]\n\n1. e4 e5 *\n\n[Event "y"]\n\n1. d4 d5 *\n')
        os.mkdir(os.path.join(folder, "PGNs"))
        engine = '{"name": "%s", "command": "' + CAROM + '", "protocol": "uci", "workingDirectory": ""}'
        write("engines.json", "[" + engine % "Fruit" + ", " + engine % "Crafty" + "]")
        count = 0
        for words in lines():
            if "book=book.bin" in words:
                continue
            text = played(shortened(words, folder), folder)
            games = len(re.findall(r"^Finished game \d+ \(.* vs .*\): (1-0|0-1|1/2-1/2) \{[^{}]+\}$", text, re.M))
            assert games >= 1 and games == len(re.findall(r"^Started game", text, re.M)), text
            assert re.search(r"^Finished match\n(Total Time: \d\d:\d\d:\d\d \(hours:minutes:seconds\)\n\n)?\Z", text, re.M), text
            count += 1
            print(f"{games} games: {' '.join(words)[:100]}", flush=True)
        print(f"{count} of {len(lines())} lines are played")
        two = ["cutechess-cli", "-engine", f"cmd={CAROM}", "name=A", "-engine", f"cmd={CAROM}", "name=B", "nodes=30", "-each", "proto=uci", "nodes=300",
               "-openings", "file=book.epd", "format=epd", "-repeat", "-games", "2", "-rounds", "4", "-maxmoves", "200", "-concurrency", "2"]
        text = played(two, folder)
        score, elo = weather_factory(text)
        assert sum(score) == 8 and score[0] > score[1] and 0 < elo < 2000, text
        print("weather-factory reads", score, elo)
        if "--tools" in sys.argv:
            where = os.environ.get("CAROM_VENV_FOLDER", folder)
            score, error, draws = tuning_tools(text, where)
            # The less the better, and A is the stronger one.
            assert score < 0 and error > 0 and 0 < draws < 0.5, text
            print("chess-tuning-tools reads", score, error, draws)


main()
