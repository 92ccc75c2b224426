#!/usr/bin/env python3
"""Programs of others with engines at the far end of a wire: python-chess, and fastchess where it is named.

    python3 -m venv V && V/bin/pip install chess
    V/bin/python tests/wires/run.py target/release/carom [FASTCHESS]

`carom listen` serves Carom over TCP and over a WebSocket; the programs start `carom wire ADDRESS` as their engine.
"""
import os, re, subprocess, sys, tempfile

import chess, chess.engine, chess.pgn

CAROM = os.path.abspath(sys.argv[1])
FASTCHESS = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None


def engine(address, protocol):
    start = chess.engine.SimpleEngine.popen_uci if protocol == "uci" else chess.engine.SimpleEngine.popen_xboard
    return start([CAROM, "wire", address], timeout=60)


def game(address, protocol):
    """A game of 40 plies, every one of them legal; lines of thinking; an option; and another game after it."""
    with engine(address, protocol) as player:
        name = player.id.get("name", "it")
        player.configure({"Hash": 4} if protocol == "uci" else {"memory": 4})
        for _ in range(2):
            board, key = chess.Board(), object()
            for _ in range(20):
                played = player.play(board, chess.engine.Limit(depth=3), game=key, info=chess.engine.INFO_ALL)
                assert played.move in board.legal_moves and played.info.get("pv"), played
                board.push(played.move)
        if protocol == "uci":
            lines = player.analyse(board, chess.engine.Limit(depth=3), multipv=3)
            assert len(lines) == 3, lines
            with player.analysis(board) as endless:
                for info in endless:
                    if info.get("depth", 0) >= 3:
                        break
        player.quit()
    return f"{name} has played two games"


def match(addresses, folder):
    """A match of fastchess, both engines far away."""
    pgn = os.path.join(folder, "games.pgn")
    words = [FASTCHESS, "-rounds", "2", "-games", "2", "-each", "tc=5+0.05", "-pgnout", f"file={pgn}", "-concurrency", "1"]
    for name, address in zip("AB", addresses):
        words += ["-engine", f"name={name}", f"cmd={CAROM}", f"args=wire {address}"]
    done = subprocess.run(words, text=True, capture_output=True, timeout=600, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    games = []
    with open(pgn) as file:
        while read := chess.pgn.read_game(file):
            assert not read.errors and read.headers["Result"] != "*", read
            assert not re.search("illegal|disconnect|stall|forfeit|timeout", str(read).lower()), read
            games.append(len(list(read.mainline_moves())))
    assert len(games) == 4, games
    return games


def main():
    listening = subprocess.Popen([CAROM, "listen", "--port", "0", "--token", "sesame", "--most", "8"], stdout=subprocess.PIPE, text=True)
    try:
        addresses = [listening.stdout.readline().strip() for _ in range(2)]
        for address in addresses:
            for protocol in ("uci", "xboard"):
                print(f"python-chess, {protocol}, {address.split(':')[0]}: {game(address, protocol)}", flush=True)
        try:
            engine(addresses[0].replace("sesame", "open"), "uci")
            sys.exit("a wrong token is taken")
        except chess.engine.EngineTerminatedError:
            print("python-chess: a wrong token is refused")
        if FASTCHESS:
            with tempfile.TemporaryDirectory() as folder:
                print(f"fastchess: games of {match(addresses, folder)} plies")
    finally:
        listening.terminate()
        listening.wait()


main()
