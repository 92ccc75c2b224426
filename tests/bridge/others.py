#!/usr/bin/env python3
"""Carom, and engines of others behind `carom bridge`, under programs that Debian does not have or that need a folder of their own.

    tests/bridge/others.py [CAROM] [--fastchess PROGRAM] [--cutechess PROGRAM] [--c-chess-cli PROGRAM]
        [--lichess-bot FOLDER] [--pychess FOLDER] [--fairy-stockfish PROGRAM] [--only NAME]...

Fairy-Stockfish must know `customPiece1`, which Debian 12's does not. What is not given is left out, and said so. `fixtures/engines`
has the settings used here. Without `--only` uci2wb (from Debian) is tried as well.
"""

import argparse
import functools
import os
import pathlib
import subprocess
import sys

HOME = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "tests/xboard"), str(HOME / "tests/clients"), str(pathlib.Path(__file__).parent)]
from parts import play as play_parts  # noqa: E402
from programs import LIBRARY, install, program  # noqa: E402

ENGINES = HOME / "fixtures/engines"
# Chess960 in both writings of castling rights; both kings' rooks stand elsewhere than in chess.
POSITIONS = """rkbnqbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBNQBNR w HAha - 0 1
nrbkqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRBN w KQkq - 0 1
"""
# What a runner may never write into a game of two sound engines.
WRONG = ["illegal", "disconnect", "stall", "crash", "timeout", "time forfeit", "abandoned", "loses on time"]


def read(pgn, chess960=False):
    """The games of a file, each with moves that python-chess finds legal, ended by the rules or by the runner."""
    import chess.pgn

    games = []
    with open(pgn) as file:
        while game := chess.pgn.read_game(file):
            assert not game.errors, game.errors
            assert game.headers["Result"] in ("1-0", "0-1", "1/2-1/2"), game.headers
            assert not any(word in str(game).lower() for word in WRONG), game
            board = game.board()
            assert not chess960 or board.chess960, game.headers
            games.append(len(list(game.mainline_moves())))
    return games


def play(command, pgn, wanted, folder, chess960=False):
    """A match of a runner; the games it wrote."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, cwd=folder)
    said = done.stdout + done.stderr
    assert done.returncode == 0 and os.path.exists(pgn), f"{done.returncode}: {said[-600:]}"
    games = read(pgn, chess960)
    assert len(games) == wanted, f"{len(games)} games: {said[-600:]}"
    return f"{len(games)} games, {sum(games)} plies"


def bridged(carom, engine):
    """The words of an engine of the XBoard protocol behind the bridge."""
    aliases = ENGINES / f"{engine}.toml"
    words = ["bridge", "--as", "uci", "--engine", "xboard", *(["--aliases", str(aliases)] if aliases.exists() else [])]
    return [carom, *words, "--", program(engine)]


def fastchess(runner, carom, folder):
    """Chess and Chess960 between Caroms; Fairy-Max as a UCI engine."""
    pgn, told = f"{folder}/out.pgn", []
    base = [runner, "-rounds", "1", "-games", "2", "-repeat", "-concurrency", "1", "-each", "tc=8+0.1", "option.Hash=4"]
    base += ["-maxmoves", "60", "-config", "outname=config.json"]
    command, *words = bridged(carom, "fairymax")
    epd = pathlib.Path(folder, "960.epd")
    epd.write_text(POSITIONS)
    for name, other, more in [
        ("chess", ["cmd=" + carom], []),
        ("chess960", ["cmd=" + carom], ["-variant", "fischerandom", "-openings", f"file={epd}", "format=epd"]),
        ("fairymax bridged", [f"cmd={command}", "args=" + " ".join(words)], []),
    ]:
        pathlib.Path(pgn).unlink(missing_ok=True)
        engines = ["-engine", "cmd=" + carom, "name=A", "-engine", *other, "name=B"]
        told.append(f"{name}: {play([*base, *engines, *more, '-pgnout', f'file={pgn}'], pgn, 2, folder, bool(more))}")
    refused = subprocess.run([*base, *engines, "-variant", "rollerball"], capture_output=True, text=True, timeout=60, cwd=folder)
    assert refused.returncode != 0, refused.stdout
    return "; ".join(told) + f"; -variant rollerball: {(refused.stdout + refused.stderr).strip().splitlines()[-1][:80]}"


def c_chess_cli(runner, carom, folder):
    """Chess and Chess960 between Caroms; Sjaak II as a UCI engine."""
    pgn, told = f"{folder}/out.pgn", []
    epd = pathlib.Path(folder, "960.epd")
    epd.write_text(POSITIONS)
    base = [runner, "-each", "tc=8+0.1", "-games", "2", "-repeat", "-draw", "number=40", "count=4", "score=2000"]
    for name, other, more in [
        ("chess", carom, []),
        ("chess960", carom, ["-openings", f"file={epd}"]),
        ("sjaakii bridged", " ".join(bridged(carom, "sjaakii")), []),
    ]:
        pathlib.Path(pgn).unlink(missing_ok=True)
        engines = ["-engine", "cmd=" + carom, "name=A", "-engine", "cmd=" + other, "name=B"]
        told.append(f"{name}: {play([*base, *engines, *more, '-pgn', pgn], pgn, 2, folder, bool(more))}")
    return "; ".join(told)


def cutechess(runner, carom, folder):
    """Chess and Chess960 in both protocols, with the engines of `fixtures/engines/cutechess.json`."""
    pgn, told = f"{folder}/out.pgn", []
    text = (ENGINES / "cutechess.json").read_text()
    pathlib.Path(folder, "engines.json").write_text(text.replace('"carom', f'"{carom}'))
    epd = pathlib.Path(folder, "960.epd")
    epd.write_text(POSITIONS)
    base = [runner, "-each", "tc=8+0.1", "-rounds", "1", "-games", "2", "-repeat", "-maxmoves", "60"]
    chess960 = ["-variant", "fischerandom", "-openings", f"file={epd}", "format=epd"]
    carom_itself, in_xboard = ["conf=Carom"], ["conf=Carom (XBoard)"]
    # Settings in a file have no arguments; those of the command line have.
    fairymax = ["name=Fairy-Max", "proto=uci", "cmd=" + carom, *(f"arg={word}" for word in bridged(carom, "fairymax")[1:])]
    to_xboard = ["bridge", "--as", "xboard", "--engine", "uci", "--", program("stockfish")]
    # On a busy machine its 10 ms are too little.
    stockfish = ["name=Stockfish", "proto=xboard", "option.Move Overhead=500", "cmd=" + carom, *(f"arg={word}" for word in to_xboard)]
    for name, engines, more in [
        ("chess", [carom_itself, in_xboard], []),
        ("chess960", [carom_itself, in_xboard], chess960),
        ("fairymax bridged", [carom_itself, fairymax], []),
        ("stockfish bridged, chess960", [in_xboard, stockfish], chess960),
    ]:
        pathlib.Path(pgn).unlink(missing_ok=True)
        conf = [word for engine in engines for word in ("-engine", *engine)]
        told.append(f"{name}: {play([*base, *conf, *more, '-pgnout', pgn], pgn, 2, folder, bool(more))}")
    return "; ".join(told)


def lichess_bot(folder, carom, scratch):
    """Games of lichess-bot with its own imitation of lichess.org: Carom in both protocols, and Fairy-Max behind the bridge."""
    environment = {**os.environ, "PYTHONPATH": folder, "CAROM": carom, "SETTINGS": str(ENGINES / "lichess-bot.yml")}
    test = str(pathlib.Path(__file__).parent / "under_lichess_bot.py")
    told = []
    for which in ["uci", "xboard", "bridge"]:
        done = subprocess.run(
            [os.environ.get("LICHESS_BOT_PYTHON", sys.executable), "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{test}::test_game[{which}]"],
            capture_output=True,
            text=True,
            timeout=200,
            cwd=folder,
            env=environment,
        )
        wrong = [line for line in done.stdout.splitlines() if line.startswith("E ")]
        assert done.returncode == 0, f"{which}: {wrong} {done.stdout[-300:]} {done.stderr[-300:]}"
        told.append(f"{which}: {done.stdout.strip().splitlines()[-1]}")
    return "; ".join(told)


def pychess(folder, carom, scratch):
    """PyChess's own classes without its window: Carom in both protocols, Fairy-Max bridged, Chess960."""
    script = str(pathlib.Path(__file__).parent / "under_pychess.py")
    fairymax = " ".join(bridged(carom, "fairymax"))
    told = []
    for variant, engines in [
        ("chess", ["uci:" + carom, "xboard:" + carom]),
        ("chess960", ["xboard:" + carom, "uci:" + carom]),
        ("chess", ["uci:" + carom, "uci:" + fairymax]),
    ]:
        environment = {**os.environ, "PYTHONPATH": os.path.join(folder, "lib"), "HOME": scratch}
        # Debian's Python has the bindings.
        command = ["/usr/bin/python3", script, variant, *engines]
        done = subprocess.run(command, capture_output=True, text=True, timeout=150, env=environment, cwd=scratch)
        assert done.returncode == 0, done.stdout[-600:] + done.stderr[-1200:]
        told.append(f"{variant}, {engines[0].split(':')[0]} against {engines[1][:10]}: {done.stdout.strip().splitlines()[-1]}")
    return "; ".join(told)


def fairy_stockfish(engine, carom, folder):
    """Alapo by our rules: with the settings of `carom match`, and behind the bridge in both protocols."""
    settings = f"option.VariantPath={ENGINES / 'alapo.ini'}"
    aliases = ["--aliases", "fixtures/engines/fairy-stockfish-alapo.toml", "--game", "alapo"]
    told = []
    for name, words in [
        ("itself", ["cmd=" + engine, "variant=alapo8", "positions=fen", settings]),
        ("as UCI", ["cmd=" + carom, "proto=uci", f"args=bridge --as uci {' '.join(aliases)} -- {engine}"]),
        ("as XBoard", ["cmd=" + carom, "proto=xboard", f"args=bridge --as xboard {' '.join(aliases)} -- {engine}"]),
    ]:
        command = [carom, "match", "-g", "alapo", "-engine", "cmd=" + carom, "name=A", "-engine", *words, "name=B"]
        command += ["-each", "tc=5+0.1", "-games", "2", "-rounds", "1", "-pgnout", f"{folder}/{name}.pgn"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=280, cwd=HOME)
        said = done.stdout + done.stderr
        assert done.returncode == 0 and "Endings: normal 2" in said, f"{done.returncode}: {said[-900:]}"
        told.append(f"{name}: {next(line for line in said.splitlines() if line.startswith('Score of'))}")
    return "; ".join(told)


def uci2wb(runner, carom, folder):
    """Carom through uci2wb against Carom, under XBoard. (Lines that come all at once, as `carom match` sends them, it mixes up.)"""
    from under_xboard import play as play_under_xboard

    # Words of the first version of the protocol, which it does not know.
    return play_under_xboard(folder, [[runner, carom], [carom]], "normal", ["rejected", "(unknown command): white", "(unknown command): black"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("carom", nargs="?", default="target/release/carom")
    parts = {"fastchess": fastchess, "cutechess": cutechess, "c-chess-cli": c_chess_cli, "lichess-bot": lichess_bot, "pychess": pychess,
             "fairy-stockfish": fairy_stockfish}
    for name in parts:
        parser.add_argument(f"--{name}", metavar="PATH")
    parser.add_argument("--only", metavar="NAME", action="append", default=[])
    arguments = parser.parse_args()
    carom = os.path.abspath(arguments.carom)
    install(["stockfish", "fairymax", "sjaakii", "uci2wb"])
    sys.path.insert(0, str(LIBRARY))
    parts["uci2wb"] = uci2wb
    paths = {**{name: getattr(arguments, name.replace("-", "_"), None) for name in parts}, "uci2wb": program("uci2wb")}
    chosen = {}
    for name, part in parts.items():
        if paths[name]:
            chosen[name] = functools.partial(part, os.path.abspath(paths[name]), carom)
        elif name in arguments.only:
            parser.error(f"say where {name} is: --{name} PATH")
        else:
            print(f"{name} left out: it was not given", flush=True)
    play_parts(chosen, arguments.only)


if __name__ == "__main__":
    main()
