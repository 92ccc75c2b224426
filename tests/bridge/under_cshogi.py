"""Shogi by cshogi's own engine class: `under_cshogi.py PROGRAM…`. The programs speak USI; each plays a game against itself by cshogi's
rules, from the start and from a position with pieces in hand, by clocks, byoyomi and nodes. Prints how many turns there were, and drops and
promotions among them. PYTHONPATH names the folder of cshogi and numpy.
"""

import sys

import cshogi
from cshogi.usi import Engine

# Both have pieces in hand; the second player is to move.
POSITION = "lnsgk1snl/1r4gb1/p1pppp2p/6pp1/1p7/2P4P1/PPSPPPP1P/7R1/LN1GKGSNL w B 14"
LIMITS = [{"btime": 5000, "wtime": 5000, "binc": 100, "winc": 100}, {"btime": 0, "wtime": 0, "byoyomi": 50}, {"nodes": 2000}]


def game(engine, start, most):
    """The turns of a game, every one of them legal."""
    board, turns, scored = cshogi.Board(start), [], 0
    engine.usinewgame()
    while not board.is_game_over() and len(turns) < most and board.is_draw() != cshogi.REPETITION_DRAW:
        engine.position(turns, "sfen " + start)
        limit = LIMITS[len(turns) // 2 % len(LIMITS)]
        lines = []
        turn, _ = engine.go(**limit, listener=lines.append)
        if turn == "resign":
            break
        assert board.move_from_usi(turn) in board.legal_moves, f"{board.sfen()}: {turn}"
        scored += any(line.startswith("info ") and " score " in line and " pv " in line for line in lines)
        board.push_usi(turn)
        turns.append(turn)
    assert len(turns) >= 20 and scored * 2 > len(turns), f"{len(turns)} turns, {scored} with a score and a line: {turns}"
    return turns


def main():
    for program in sys.argv[1:]:
        engine = Engine(program)
        engine.setoption("USI_Hash", 16)
        engine.isready()
        turns = game(engine, cshogi.STARTING_SFEN, 60) + game(engine, POSITION, 60)
        engine.gameover("win")
        engine.quit()
        drops, promotions = (sum(sign in turn for turn in turns) for sign in "*+")
        assert drops > 0, turns
        print(f"{engine.name}: {len(turns)} turns, {drops} drops, {promotions} promotions", flush=True)


if __name__ == "__main__":
    main()
