"""Engines of the XBoard protocol under python-chess, which takes them for UCI engines."""

import os

import chess
import chess.engine

FAIRYMAX = {"speaks": "xboard", "name": "Fairy-Max", "options": {"Hash": 16, "Resign": False}, "nodes": False, "exclude": False}
SJAAKII = {"speaks": "xboard", "name": "Sjaak II", "options": {"Hash": 16, "Random amplitude (0 to disable)": 0}, "nodes": True, "exclude": False}
STOCKFISH = {"speaks": "uci", "name": "Stockfish", "options": {"Hash": 16, "Skill Level": 10}, "nodes": True, "exclude": True}
# White mates with Qxf7.
MATE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"


def play(carom, folder, engine, wanted):
    """Plays a game against itself, from the start and from a position, and analyses; every move is legal."""
    transcript = os.path.join(folder, "conversation.txt")
    # Sjaak II would speak UCI itself if it were asked first.
    command = [carom, "--log", transcript, "bridge", "--as", "uci", "--engine", wanted["speaks"], "--", engine]
    bridged = chess.engine.SimpleEngine.popen_uci(command, timeout=60)
    try:
        assert wanted["name"] in bridged.id["name"], bridged.id
        for name in wanted["options"]:
            assert name in bridged.options, (name, list(bridged.options))
        bridged.configure(wanted["options"])
        bridged.ping()
        board, scores, plies = chess.Board(), 0, 0
        while not board.is_game_over(claim_draw=True) and board.ply() < 24:
            limit = chess.engine.Limit(white_clock=20, black_clock=20, white_inc=0.1, black_inc=0.1)
            if board.ply() % 4 > 1:
                limit = chess.engine.Limit(depth=4)
            played = bridged.play(board, limit, info=chess.engine.INFO_ALL)
            assert played.move in board.legal_moves, played
            scores += "score" in played.info and bool(played.info.get("pv"))
            board.push(played.move)
        plies = board.ply()
        assert scores >= plies * 2 // 3, f"{scores} scores and lines in {board.ply()} moves"
        # Another game, from a position with Black to move, and one back.
        board = chess.Board("4k3/8/8/8/8/8/4q3/7K b - - 0 1")
        played = bridged.play(board, chess.engine.Limit(time=0.3), game="second")
        assert played.move in board.legal_moves, played
        info = bridged.analyse(chess.Board(MATE), chess.engine.Limit(depth=4), game="third")
        score = info["score"].white()
        # Sjaak II counts mates as pawns, 160 of them.
        assert (score.mate() == 1 or score.score(mate_score=15_999) >= 15_999) and info["pv"][0].uci() == "h5f7", info
        with bridged.analysis(chess.Board()) as analysis:
            for found in analysis:
                if found.get("depth", 0) >= 4 and found.get("pv"):
                    break
        bridged.ping()
        if wanted["exclude"]:
            only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
            played = bridged.play(chess.Board(), chess.engine.Limit(depth=3), root_moves=only)
            assert played.move in only, played
    finally:
        bridged.quit()
    lines = open(transcript, encoding="utf-8").read().splitlines()
    assert "> uci" in lines and any(line.startswith("< uciok") for line in lines), lines[:5]
    return f"{wanted['name']}: {plies} plies and {len(lines)} lines of conversation"


def chess960(commands):
    """Each engine plays itself in Chess960 from several starts; every move is legal, and somebody castles."""
    castled, plies = 0, 0
    for command in commands:
        with chess.engine.SimpleEngine.popen_uci(command, timeout=60) as engine:
            for number in [0, 518, 959, 403, 77]:
                board = chess.Board.from_chess960_pos(number)
                while not board.is_game_over(claim_draw=True) and board.ply() < 50:
                    played = engine.play(board, chess.engine.Limit(depth=4), game=number)
                    assert played.move in board.legal_moves, (command, board.fen(), played)
                    castled += board.is_castling(played.move)
                    board.push(played.move)
                plies += board.ply()
    assert castled > 3, f"castled {castled} times"
    return f"{plies} plies, castled {castled} times"
