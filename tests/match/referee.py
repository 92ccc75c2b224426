#!/usr/bin/env python3
"""Matches in games that Carom does not know, with Debian's Fairy-Stockfish as the referee.

    python3 -m venv V && V/bin/pip install pyffish
    V/bin/python tests/match/referee.py target/release/carom [ROUNDS [GAME…]]      # 17 rounds are 102 games of an INI game

Three engines play: Fairy-Stockfish twice, and this script (`--engine`), which plays at random and now and then sends a
turn that is not legal. pyffish reads each game afterwards: every turn accepted must be legal, every turn refused must
not be, and the game must end where and how pyffish says it does.
"""
import collections, json, os, random, re, shutil, subprocess, sys, tempfile

import pyffish

INI = """[tinyhouse:crazyhouse]
maxRank = 6
maxFile = 6
startFen = rnbkqr/pppppp/6/6/PPPPPP/RNBKQR[] w - - 0 1
castling = false
doubleStep = false
promotionRank = 6
promotionRegionWhite = *6
promotionRegionBlack = *1

[racingpawns:breakthrough]
maxRank = 7
maxFile = 6
startFen = pppppp/pppppp/6/6/6/PPPPPP/PPPPPP w 0 1
whiteFlag = *7
blackFlag = *1
flagRegionWhite = *7
flagRegionBlack = *1

[plainxiangqi:xiangqi]
chasingRule = none
"""
# The rule on chases is in Fairy-Stockfish 14 and in pyffish, not in 11.1, and no protocol tells of it.
# Where a rule has two names the second is that of later versions: Debian's 11.1 knows the first alone, pyffish both.
# What the random engine sends instead of a legal turn: of one form with the others, so that nothing but the rules refuses it.
WRONG = [a + b + c + d for a in "abcdef" for b in "123456" for c in "abcdef" for d in "123456" if a + b != c + d]


def engine():
    """Plays at random over UCI."""
    dice, game, start, turns = random.Random(7), "crazyhouse", None, []
    for line in map(str.strip, sys.stdin):
        word, _, rest = line.partition(" ")
        if word == "uci":
            names = " ".join(f"var {name}" for name in pyffish.variants())
            print("id name Random\noption name VariantPath type string default <empty>")
            print(f"option name UCI_Variant type combo default chess {names}\nuciok", flush=True)
        elif rest.startswith("name VariantPath value "):
            pyffish.load_variant_config(open(rest[len("name VariantPath value "):]).read())
        elif rest.startswith("name UCI_Variant value "):
            game = rest.split()[-1]
        elif word == "isready":
            print("readyok", flush=True)
        elif word == "position":
            place, _, moves = rest.partition(" moves ")
            start, turns = (None if place == "startpos" else place.removeprefix("fen ")), moves.split()
        elif word == "go":
            legal = pyffish.legal_moves(game, start or pyffish.start_fen(game), turns)
            wrong = [turn for turn in dice.sample(WRONG, 20) if turn not in legal]
            print("bestmove", wrong[0] if dice.random() < 0.03 else dice.choice(legal), flush=True)
        elif word == "quit":
            return


def ended(game, start, turns):
    """How the game stands: None while it goes on, otherwise White's points."""
    black = (start.split()[1] == "b") != (len(turns) % 2 == 1)
    is_over, value = pyffish.is_immediate_game_end(game, start, turns)
    if not is_over:
        is_over, value = pyffish.is_optional_game_end(game, start, turns)
    if not is_over:
        if pyffish.legal_moves(game, start, turns):
            return None
        value = pyffish.game_result(game, start, turns)
    return 0.5 if value == 0 else float((value > 0) != black)


def checked(game, record, counts):
    """Reads a game as it was played, and returns what is wrong with it."""
    start = record["position"] or pyffish.start_fen(game)
    turns = [turn[0] for turn in record["turns"]]
    counts["turns"] += len(turns)
    for at, turn in enumerate(turns):
        if turn not in pyffish.legal_moves(game, start, turns[:at]):
            return f"accepted, not legal: {turn}"
        if ended(game, start, turns[:at]) is not None:
            return f"over after {at} turns"
    if record["termination"] == "illegal-move":
        counts["refused"] += 1
        refused = re.search(r"illegal move: (\S+)", record["reason"]).group(1)
        if refused in pyffish.legal_moves(game, start, turns):
            return f"refused, but legal: {refused}"
        mover_is_white = (start.split()[1] == "w") == (len(turns) % 2 == 0)
        return None if record["result"] == ("0-1" if mover_is_white else "1-0") else "the wrong side lost"
    if record["termination"] != "normal":
        return record["termination"]
    counts[f'{record["result"]} {record["reason"]}'] += 1
    points, expected = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[record["result"]], ended(game, start, turns)
    return None if points == expected else f"White's points by pyffish: {expected}"


def main():
    carom, rounds = os.path.abspath(sys.argv[1]), int((sys.argv[2:] or ["17"])[0])
    fairy = shutil.which("fairy-stockfish", path=os.environ["PATH"] + ":/usr/games")
    if not fairy:
        sys.exit("fairy-stockfish is not here; Debian has a package of that name")
    pyffish.load_variant_config(INI)
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        ini, book = os.path.join(folder, "variants.ini"), os.path.join(folder, "book.epd")
        open(ini, "w").write(INI)
        faults = 0
        for game in sys.argv[3:] or ("tinyhouse", "racingpawns", "crazyhouse", "plainxiangqi", "shogi", "kingofthehill", "antichess"):
            # The draws of each game, which Fairy-Stockfish 11.1 tells in no protocol.
            draws = ["repetition=4", "perpetual=true"] if game == "shogi" else ["moves=50"]
            draws += ["perpetual=true"] if game == "plainxiangqi" else []
            with open(book, "w") as file:
                for _ in range(rounds):
                    turns = []
                    while len(turns) < 4:
                        turns.append(dice.choice(pyffish.legal_moves(game, pyffish.start_fen(game), turns)))
                    file.write(pyffish.get_fen(game, pyffish.start_fen(game), turns) + "\n")
            journal = os.path.join(folder, game)
            words = [carom, "match", "-game", game, "-quiet", "-rounds", str(rounds if game == "tinyhouse" else 1), "-concurrency", "2",
                     "-seed", "1", "-journal", journal, "-openings", f"file={book}", "-most-turns", "600",
                     "-each", "nodes=400", f"option.VariantPath={ini}", "-referee", f"cmd={fairy}", f"option.VariantPath={ini}",
                     *draws, "-engine", f"cmd={fairy}", "name=A", "-engine", f"cmd={fairy}", "name=B", "nodes=200",
                     "-engine", f"cmd={sys.executable} {os.path.abspath(__file__)} --engine", "name=Random"]
            run = subprocess.run(words, text=True, capture_output=True, timeout=3000)
            assert run.returncode == 0, f"{game}: {run.stderr}"
            played = [json.loads(line) for line in open(journal)][1:]
            counts = collections.Counter(games=len(played))
            assert counts["games"] == 6 * (rounds if game == "tinyhouse" else 1), run.stdout
            for record in played:
                if fault := checked(game, record, counts):
                    faults += 1
                    turns = " ".join(turn[0] for turn in record["turns"])
                    print(f"FAULT {game}: {fault}: {record['position']} {turns}: {record['result']} {record['reason']}")
            print(game, dict(counts), flush=True)
        sys.exit(f"{faults} faults" if faults else 0)


if "--engine" in sys.argv:
    engine()
else:
    main()
