"""A game between two engines in PyChess's own classes, without its window: `under_pychess.py VARIANT ENGINE...`.

ENGINE is `PROTOCOL:COMMAND`. Its first two play; prints the result and the number of plies. PYTHONPATH names PyChess's `lib`.
"""

import asyncio
import sys

from pychess.Players.engineNest import discoverer
from pychess.Utils import wait_signal
from pychess.Utils.const import BLACK, DRAW, FISCHERRANDOMCHESS, NORMALCHESS, WHITE
from pychess.Utils.GameModel import GameModel
from pychess.Utils.TimeModel import TimeModel
from pychess.Variants import variants

# From Python 3.9 on a task hands a message to `cancel`, which PyChess's own (in Debian 12, say) does not take.
cancelled = wait_signal.cancel
wait_signal.cancel = lambda waited, msg=None: cancelled(waited)
VARIANTS = {"chess": NORMALCHESS, "chess960": FISCHERRANDOMCHESS}


def engine(text):
    """As `engines.json` has it."""
    protocol, command = text.split(":", 1)
    program, *args = command.split()
    return {"name": command, "protocol": protocol, "command": program, "args": args, "md5": ""}


async def play(variant, texts):
    players = [await discoverer.initEngine(engine(text), color, False) for text, color in zip(texts, (WHITE, BLACK))]

    def options(player):
        player.setOptionVariant(variant)
        player.setOptionStrength(20, True)
        player.setOptionTime(5, 0, 0)

    for player in players:
        player.connect("readyForOptions", options)
    game = GameModel(TimeModel(5, 0), variant)
    game.setPlayers(players)
    ended = asyncio.Event()
    game.connect("game_ended", lambda *_: ended.set())
    for player in players:
        player.prestart()
    if variant.need_initial_board:
        for player in players:
            player.setOptionInitialBoard(game)
    game.start()
    await asyncio.wait_for(ended.wait(), timeout=100)
    wrong = [player.invalid_move for player in players if player.invalid_move]
    assert not wrong, f"refused as illegal: {wrong}"
    result = "1/2-1/2" if game.status == DRAW else str(game.status)
    print(f"status {result}, reason {game.reason}, {game.ply} plies", flush=True)
    assert game.ply >= 20, game.ply
    for player in players:
        player.end(game.status, game.reason)
    await asyncio.sleep(0.5)


if __name__ == "__main__":
    asyncio.run(play(variants[VARIANTS[sys.argv[1]]], sys.argv[2:]))
