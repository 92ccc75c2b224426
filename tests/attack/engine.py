"""Carom over UCI: positions changed at random, and conversations that last."""

import resource
import time

from common import Mutator, Program, games, positions, seeded, status_of

# Positions for each process.
CHUNK = 250
# What is in hand for what the allocator keeps, in MB.
SLACK = 4


class Board(Program):
    """Asked one thing at a time."""

    def answer(self, line, word):
        since = len(self.lines)
        self.say(line)
        return self.lines[self.hear_start(word, since) - 1]

    def refusal(self, line):
        """What is said against a line that is answered only when it is refused."""
        since = len(self.lines)
        self.answer(line + b"\nisready", b"readyok")
        return [text for text in self.lines[since:] if text.startswith(b"info string") and b"kept" in text]


def gentle(rng, text):
    """A change after which it may still be a position: pieces exchanged, moved or made others, another side, other numbers."""
    text = bytearray(text)
    board = text.find(b" ") if b" " in text else len(text)
    at, other = rng.randrange(board), rng.randrange(board)
    fields = text.split(b" ")
    what = rng.randrange(4)
    if what == 0:
        text[at], text[other] = text[other], text[at]
    elif what == 1 and text[at] not in b"/0123456789*":
        text[at] = ord(rng.choice([bytes([text[other]]), bytes([text[at]]).swapcase(), b"*", b"o"]))
    elif what == 2:
        which = rng.randrange(1, len(fields))
        fields[which] = rng.choice([b"w", b"b", b"-", b"0", b"1", b"2", b"4", b"99", fields[which].swapcase(), fields[which][1:]])
        text = b" ".join(fields)
    elif what == 3:
        # A row turned round.
        rows = text[:board].split(b"/")
        row = rng.randrange(len(rows))
        rows[row] = rows[row][::-1] if b"+" not in rows[row] else rows[row][1:]
        text[:board] = b"/".join(rows)
    return bytes(text)


def changed_positions(attack):
    """Positions with a few bytes changed: refused with a reason, or taken, written the same again, and searched."""
    known, names = positions(), games(attack.carom)
    count = attack.size(50_000)

    def chunk(number):
        rng = seeded(attack.seed, "positions", number)
        mutator, taken, searched = Mutator(rng), 0, 0
        with Board([attack.carom], f"positions {number}") as uci:
            uci.answer("uci", b"uciok")
            uci.say("setoption name Hash value 1", "setoption name Chance Seed value 3")
            playing = ""
            for _ in range(min(CHUNK, count)):
                game, text = rng.choice(known)
                if rng.random() < 0.1:
                    game = rng.choice(names)
                if game != playing:
                    uci.say(f"setoption name UCI_Variant value {game}")
                    playing = game
                position = mutator.change(text.encode()) if rng.random() < 0.6 else gentle(rng, text.encode())
                position = position.replace(b"\n", b" ").replace(b"\r", b" ")
                if uci.refusal(b"position fen " + position):
                    continue
                taken += 1
                # The position as Carom writes it is the same position.
                written = uci.answer("query fen", b"response ")[9:]
                if uci.refusal(b"position fen " + written) or uci.answer("query fen", b"response ")[9:] != written:
                    uci.fail(f"in {game} {position!r} becomes {written!r}, which is not read as itself")
                if rng.random() < 0.35:
                    continue
                searched += 1
                legal = uci.answer("query legal", b"response ").split()[1:]
                for line in rng.sample([b"eval", b"d", b"query continuations", b"query result", b"flip"], 2):
                    uci.say(line)
                uci.refusal(b"position fen " + written)
                best = uci.answer(rng.choice(["go nodes 30", "go depth 1", "go movetime 2"]), b"bestmove").split()[1]
                whole = [word.rstrip(b",") for word in legal]
                fits = best in whole or any(best.startswith(word + b",") for word in whole)
                # None where the game is over or chance speaks.
                if legal not in ([b"none"], [b"toomany"]) and best != b"(none)" and not fits:
                    uci.fail(f"in {game} the best move of {written!r} is {best!r}, not one of {legal[:20]}")
                if best == b"(none)" and uci.answer("query gameover", b"response ") == b"response false" and legal != [b"none"]:
                    if uci.answer("query actor", b"response ") != b"response chance":
                        uci.fail(f"in {game} there is no best move in {written!r}")
            uci.end(b"quit")
        return taken, searched

    done = attack.each(chunk, -(-count // CHUNK))
    return f"{len(done) * min(CHUNK, count)} in {len(done)} processes, {sum(one[0] for one in done)} taken, {sum(one[1] for one in done)} searched"


def many_games(attack, uci):
    """One session of so many games; resident memory in MB when some are over, and at the end."""
    names, rng = games(attack.carom), seeded(attack.seed, "games")
    count, early = attack.size(3001), None
    for number in range(count):
        uci.say(f"setoption name UCI_Variant value {names[number % len(names)]}", f"setoption name Chance Seed value {number + 1}", "ucinewgame")
        moves = []
        for _ in range(rng.randrange(6, 14)):
            uci.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
            best = uci.answer(f"go nodes {rng.randrange(5, 60)}", b"bestmove ").split()[1].decode()
            if best == "(none)":
                break
            moves.append(best)
        if number == count // 6:
            early = status_of(uci.pid)
        # What was said is of no more use.
        uci.lines.clear()
        uci.said.clear()
        del uci.out[: uci.at]
        uci.at = 0
    late = status_of(uci.pid)
    if late[0] > early[0] + SLACK or late[1:] != early[1:]:
        uci.fail(f"memory in MB, threads and open files grew from {early} to {late}")
    return f"{count} games, {early[0]:.1f} MB after a sixth and {late[0]:.1f} at the end, {late[1]} threads, {late[2]} files"


def long_positions(attack, uci):
    """Lines of 600 moves, and how long ten times as many take."""
    moves = " ".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 150)
    uci.say("setoption name UCI_Variant value chess")
    took = []
    for count in [attack.size(10_000) // 10, attack.size(10_000)]:
        begun = time.monotonic()
        for at in range(count):
            uci.pending += b"position startpos moves " + moves.encode() + (b"\n" if at % 2 else b" e2e4\n")
        uci.answer("isready", b"readyok")
        took.append(time.monotonic() - begun)
    if not attack.short and took[1] > 30 * took[0]:
        uci.fail(f"a tenth took {took[0]:.2f} s, all {took[1]:.2f} s")
    return f"{count} positions of 600 moves, {1000 * took[1] / count:.2f} ms each"


def at_once(attack, uci):
    """Searches and stops in one write; options in the middle of searches; more threads and memory than there are."""
    count = attack.size(1000)
    since = len(uci.lines)
    uci.say(*["go infinite\nstop"] * count)
    for _ in range(count):
        since = uci.hear_start(b"bestmove", since)
    rng = seeded(attack.seed, "options")
    for _ in range(attack.size(200)):
        since = len(uci.lines)
        uci.say("go infinite")
        for line in rng.sample(["setoption name Hash value 2", "setoption name MultiPV value 3", "setoption name Threads value 3", "ucinewgame",
                                "setoption name Clear Hash", "setoption name UCI_Variant value alapo", "setoption name UCI_Variant value chess",
                                "setoption name Player value mcts", "setoption name Player value search", "isready", "position startpos"], 4):
            uci.say(line)
        uci.say("stop")
        uci.hear_start(b"bestmove", since)
    uci.say("setoption name Player value search", "setoption name Threads value 64", "setoption name Hash value 1", "position startpos")
    uci.answer("go nodes 20000", b"bestmove ")
    return f"{count} searches stopped at once"


def too_little_memory(attack):
    """A table that does not fit is halved until it does, and the search goes on."""
    limit = 2 << 30
    restrict = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))}
    with Board([attack.carom], "too little memory", **restrict) as uci:
        uci.say("uci", "setoption name Hash value 65536")
        uci.answer("isready", b"readyok")
        if b"(none)" in uci.answer("go nodes 500", b"bestmove "):
            uci.fail("no move without the memory that was asked for")
        uci.end(b"quit")
    return "65536 MB asked for where there are 2048"


def lasting(attack):
    """Sessions that last: memory, threads and open files stay; nothing is quadratic."""
    said = []
    for work in [many_games, long_positions, at_once]:
        with Board([attack.carom], work.__name__.replace("_", " ")) as uci:
            uci.answer("uci", b"uciok")
            said.append(work(attack, uci))
            uci.end(b"quit")
    return "; ".join([*said, too_little_memory(attack)])


