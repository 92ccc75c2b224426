"""Games of lichess-bot against its own imitation of lichess.org; run by pytest in lichess-bot's folder.

Its imitation plays the scholar's mate; here it plays whatever is legal, until the bot has won.
"""

import datetime
import logging
import os
import random

import chess
import pytest
import yaml
from test_bot import test_bot


def opponent(move_queue, board_queue, clock_queue, results):
    """As `lichess_org_simulator`, with random moves."""
    rng, board = random.Random(1), chess.Board()
    clocks, increment = [datetime.timedelta(seconds=20)] * 2, datetime.timedelta(seconds=0.1)
    while not board.is_game_over():
        if board.turn == chess.WHITE:
            board.push(rng.choice(sorted(board.legal_moves, key=str)))
            board_queue.put(board)
            clock_queue.put((*clocks, increment))
        else:
            while (move := move_queue.get()) is None:
                board_queue.put(board)
                clock_queue.put((*clocks, increment))
                move_queue.task_done()
            board.push(move)
            move_queue.task_done()
    board_queue.put(board)
    clock_queue.put((*clocks, increment))
    outcome = board.outcome()
    results.put(outcome is not None and outcome.winner == chess.BLACK)


def settings(name):
    with open("config.yml.default") as file:
        config = yaml.safe_load(file)
    with open(os.environ["SETTINGS"]) as file:
        examples = {example["what"]: example for example in yaml.safe_load_all(file)}
    config["engine"].update(examples[name]["engine"])
    engine = config["engine"]
    if engine["name"] == "carom":
        engine["dir"], engine["name"] = os.path.split(os.environ["CAROM"])
    else:
        engine["interpreter"] = os.environ["CAROM"]
    config["token"] = ""
    return config


@pytest.mark.parametrize("name", ["uci", "xboard", "bridge"])
def test_game(name, monkeypatch):
    monkeypatch.setattr(test_bot, "lichess_org_simulator", opponent)
    # True when the bot has won on the board. (Its PGN file is not looked at: lichess-bot ends the process that writes it without
    # waiting for it.)
    assert test_bot.run_bot(settings(name), logging.DEBUG)
