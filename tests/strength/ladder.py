#!/usr/bin/env python3
"""Yardsticks that do not end: how much another engine must be handicapped, and what twice the work is worth.

    tests/strength/ladder.py handicap CAROM OTHER [--game chess] [--tc 1+0.01] [--nodes 2000] [--games 20] [--rungs 6]
    tests/strength/ladder.py doubling CAROM [--game NAME]... [--nodes 1000] [--to 64000] [--games 100]

handicap plays Carom with a clock against OTHER with a fixed number of nodes a move. The number doubles where Carom scores more than
half and is halved where it scores less, until both have been seen and as many rungs as asked for are played. The logarithm of the
number at which both are level is what is left of all rungs, by logistic regression; it grows from release to release and has no end.

doubling plays Carom with twice the nodes against Carom with N, for N, 2N, 4N and so on. Where the gain becomes small, a player is
near to perfect, or blind to what more nodes would show.

Matches are run by CAROM itself (`carom match`), or by --runner, every opening played twice. Nothing is installed; OTHER is a command for a UCI engine.
"""

import argparse
import math
import pathlib
import re
import subprocess
import sys

HOME = pathlib.Path(__file__).resolve().parents[2]
# What twice the nodes are expected to be worth, in natural logarithms of odds (-0.5 is 87 Elo), and how uncertain that is.
SLOPE = -0.5


def match(runner, game, first, second, games, seed):
    """The wins, losses and draws of the first engine."""
    command = [runner, "match", "-g", game, "-engine", "name=first", *first, "-engine", "name=second", *second, "-each", "proto=uci",
               "option.Hash=16", "timemargin=200", "-openings", f"file={HOME}/fixtures/openings/{game}.epd", "order=random",
               "-games", "2", "-rounds", str((games + 1) // 2), "-srand", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.findall(r"^Score of first vs second: (\d+) - (\d+) - (\d+)", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not found:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return tuple(map(int, found[-1]))


def elo(points):
    """The difference in Elo that a share of the points stands for."""
    return -400 * math.log10(1 / points - 1) if 0 < points < 1 else math.copysign(math.inf, points - 0.5)


def elo_with_error(won, lost, drawn):
    """The same with its error at 95 %, as text."""
    games = won + lost + drawn
    points = (won + drawn / 2) / games
    variance = (won * (1 - points) ** 2 + lost * points**2 + drawn * (0.5 - points) ** 2) / games
    wide = 1.96 * math.sqrt(variance / games)
    return f"{elo(points):+.0f} ({elo(max(points - wide, 0)):+.0f} to {elo(min(points + wide, 1)):+.0f})"


def level(rungs):
    """Where the scores of all rungs, (logarithm of the nodes, points, games), cross one half, with its error at 95 %.

    Logistic regression of the points on the logarithm by Newton's method. Twice the nodes are expected to be worth about 90 Elo,
    between none and 260; this keeps the slope finite where no rung is contested.
    """
    middle = sum(rung * games for rung, _, games in rungs) / sum(games for *_, games in rungs)
    at, slope = 0.0, SLOPE
    for _ in range(100):
        gradient, hessian = [0.0, (SLOPE - slope) / SLOPE**2], [[1e-9, 0.0], [0.0, 1 / SLOPE**2]]
        for rung, points, games in rungs:
            row = (1.0, rung - middle)
            expected = 1 / (1 + math.exp(-(at + slope * row[1])))
            for i in range(2):
                gradient[i] += (points - games * expected) * row[i]
                for j in range(2):
                    hessian[i][j] += games * expected * (1 - expected) * row[i] * row[j]
        det = hessian[0][0] * hessian[1][1] - hessian[0][1] ** 2
        step = [(gradient[0] * hessian[1][1] - gradient[1] * hessian[0][1]) / det,
                (gradient[1] * hessian[0][0] - gradient[0] * hessian[0][1]) / det]
        shrink = min(1, 1 / max(map(abs, step))) if any(step) else 1
        at, slope = at + shrink * step[0], slope + shrink * step[1]
        if max(map(abs, step)) < 1e-9:
            break
    if slope >= 0:
        return None
    # The error of a quotient (delta method).
    covariance = [[hessian[1][1] / det, -hessian[0][1] / det], [-hessian[0][1] / det, hessian[0][0] / det]]
    by = (-1 / slope, at / slope**2)
    variance = sum(by[i] * by[j] * covariance[i][j] for i in range(2) for j in range(2))
    return middle - at / slope, 1.96 * math.sqrt(max(variance, 0))


def handicap(args):
    """Climbs until the other engine is level."""
    rungs, nodes = {}, args.nodes
    print("nodes a move | won, lost, drawn | points")
    for number in range(args.rungs):
        first, second = [f"cmd={args.carom}", f"tc={args.tc}"], [f"cmd={args.other}", f"nodes={nodes}"]
        won, lost, drawn = match(args.runner or args.carom, args.game[0], first, second, args.games, 1 + number)
        games, points = won + lost + drawn, won + drawn / 2
        before = rungs.get(nodes, (0, 0))
        rungs[nodes] = (before[0] + points, before[1] + games)
        print(f"{nodes:>12} | {won}, {lost}, {drawn} | {points / games:.0%}", flush=True)
        nodes = nodes * 2 if points * 2 > games else max(nodes // 2, 1)
    found = level([(math.log2(nodes), points, games) for nodes, (points, games) in rungs.items()])
    if found is None:
        return print("no level: the scores do not fall as the nodes grow")
    where, error = found
    print(f"level at {2**where:.0f} nodes a move: log2 = {where:.2f} ± {error:.2f}")


def doubling(args):
    """What twice the nodes win, from a number of nodes on."""
    print("game | nodes | against | won, lost, drawn | Elo")
    for game in args.game:
        nodes = args.nodes
        while nodes * 2 <= args.to:
            sides = [[f"cmd={args.carom}", f"nodes={count}"] for count in (2 * nodes, nodes)]
            result = match(args.runner or args.carom, game, *sides, args.games, 1)
            print(f"{game} | {2 * nodes} | {nodes} | {', '.join(map(str, result))} | {elo_with_error(*result)}", flush=True)
            nodes *= 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(required=True)
    climb = kinds.add_parser("handicap")
    climb.add_argument("carom")
    climb.add_argument("other")
    climb.add_argument("--game", nargs=1, default=["chess"])
    climb.add_argument("--tc", default="1+0.01")
    climb.add_argument("--nodes", type=int, default=2_000)
    climb.add_argument("--games", type=int, default=20)
    climb.add_argument("--rungs", type=int, default=6)
    climb.set_defaults(run=handicap)
    double = kinds.add_parser("doubling")
    double.add_argument("carom")
    double.add_argument("--game", nargs="+", default=["chess", "alapo", "rollerball", "breakthrough", "jai-alai", "hanniball"])
    double.add_argument("--nodes", type=int, default=1_000)
    double.add_argument("--to", type=int, default=64_000)
    double.add_argument("--games", type=int, default=100)
    double.set_defaults(run=doubling)
    for kind in (climb, double):
        kind.add_argument("--runner", help="the Carom that runs the matches, if not the one that plays")
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
