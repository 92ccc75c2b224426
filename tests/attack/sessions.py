"""Whole conversations of lines by the grammar, changed lines and noise, over UCI and over the XBoard protocol."""

import re

from common import Mutator, Program, corpus, games, positions, seeded

COMMANDS = set(b"uci debug isready setoption register ucinewgame position go stop ponderhit quit".split())
# Words of the dialect count at the start of a line only (protocol-docs/uci.md).
DIALECT = set(b"d eval flip bench query help ugi uginewgame".split())
# Counts for the figures.
LIMITS = ["nodes {n}", "depth 1", "depth 2 nodes 2000", "movetime 5", "wtime 200 btime 100 winc 1 binc 1 movestogo 30", "mate 1 nodes 500",
          "wtime -5 btime 0", "nodes 1"]
UCI_LINES = """uci|isready|debug on|debug off|ucinewgame|stop|ponderhit|position startpos|position startpos moves {m} {m}
    |position fen {f}|position fen {f} moves {m}|position|go infinite|go ponder wtime 90 btime 90|go depth {n}|go nodes {n}|go movetime 3
    |go wtime {n} btime {n}|go perft 2|go perft 9|go searchmoves {m} {m} depth 2|go mate {n} nodes 300|go depth x|go nodes {n} infinite
    |setoption name Hash value {n}|setoption name MultiPV value {n}|setoption name UCI_Variant value {g}|setoption name Ponder value true
    |setoption name Threads value 2|setoption name Clear Hash|setoption name UCI_LimitStrength value true|setoption name UCI_Elo value {n}
    |setoption name Chance value referee|setoption name Chance value self|setoption name Player value mcts|setoption name Player value greedy
    |setoption name Player value search|setoption name UCI_Chess960 value true|setoption name {m} value {n}|setoption name UCI_AnalyseMode value true
    |setoption name UCI_ShowWDL value true|setoption name layout value alt-2|setoption name red-card value true|register later|d|eval|flip|help
    |query {q}|query {q} {m}|bench|bench {g} -{n}|ugi|uginewgame|{junk}""".split("|")
XBOARD_LINES = """new|variant {g}|force|go|playother|usermove {m}|{m}|?|ping {n}|draw|result 1-0 {{x}}|result *|setboard {f}|hint|bk|undo|remove|hard
    |easy|post|nopost|analyze|exit|.|st {n}|sd {n}|nps {n}|level 40 5 {n}|level 0 0:01 0.1|level x|time {n}|otim {n}|memory {n}|cores {n}
    |option Turn View=steps|option Player=mcts|option Resign=1|option {m}={n}|option Draw Offers=offer|exclude {m}|exclude all|include all|include {m}
    |name x|rating 1 2|computer|pause|resume|edit|#|c|Pa4|Ke1|xe4|.|lift {s}|put {s}|hover {s}|white|black|accepted highlight|accepted done
    |rejected usermove|protover 2|random|holding [x] [y]|setscore 1 2|partner|{junk}""".split("|")
QUERIES = "gameover p1turn result reason actor fen game legal continuations odds weather".split()
MOVES = "e2e4 e7e5 g1f3 e1g1 e7e8q c2b3 c2b2 d3d4 T@f4 0000 @@@@ . =4 =6h +? +Ah O@d3 c3d5,O@f6 e1d2,c2c3 e1e2,O@d3, d4e6, a1a1z b3a2, X@a2 --".split()


def command_of(line):
    """The command of a line as the page finds it: unknown words in front are passed over."""
    said = [word for word in re.split(rb"[ \t\f]+", line) if word]
    if said and said[0] in DIALECT:
        return said[0], said
    for at, word in enumerate(said):
        if word in COMMANDS:
            return word, said[at:]
    return b"", said


def tame(line):
    """With less memory and fewer threads in it: what is legal and more than nine keeps its first digit."""
    if not re.search(rb"(?i)hash|threads|memory|cores|tablespath", line):
        return line
    return re.sub(rb"\d{2,}", lambda digits: digits[0].lstrip(b"0")[:1] or b"0", line)


class Lines:
    """Lines by the grammar of a protocol, and such lines changed."""

    def __init__(self, rng, grammar, games_of_it, target):
        self.rng, self.grammar, self.games = rng, grammar, games_of_it
        self.mutator = Mutator(rng)
        self.corpus = [line for text in target for line in text.split(b"\n") if line and line != b"wait"]
        self.positions = [text for _, text in positions()]

    def by_grammar(self):
        rng, text = self.rng, self.rng.choice(self.grammar).strip()
        def number(_):
            return str(rng.choice([0, 1, 3, 50, 700]))
        def noise(_):
            return "".join(rng.choice(" \tabcxyz,=;{}()@0129é\x1b\x00\"'/-+ü") for _ in range(rng.randrange(60)))
        fields = {"m": lambda _: rng.choice(MOVES), "n": number, "f": lambda _: rng.choice(self.positions), "g": lambda _: rng.choice(self.games),
                  "q": lambda _: rng.choice(QUERIES), "junk": noise, "s": lambda _: rng.choice("abcdefghi") + str(rng.randrange(16))}
        text = re.sub(r"\{(\w+)\}", lambda found: fields[found[1]](found) if found[1] in fields else found[0], text)
        return tame(text.replace("{{", "{").replace("}}", "}").encode())

    def changed(self):
        line = self.rng.choice(self.corpus) if self.rng.random() < 0.5 else self.by_grammar()
        line = re.sub(rb"[\r\n]", b" ", self.mutator.change(line))
        if self.rng.random() < 0.004:
            line += b"x" * self.rng.choice([70_000, (1 << 20) + 5])
        return tame(line)


class UciSession:
    """A conversation that knows what it is owed."""

    def __init__(self, command, name, rng, all_games, lines, bridged=False):
        self.program = Program(command, name)
        self.rng, self.games, self.lines, self.bridged = rng, all_games, lines, bridged
        self.owed = {word: [0, 0] for word in [b"bestmove", b"readyok", b"uciok", b"ugiok", b"Fen: ", b"response"]}
        self.barriers = self.searches = self.checked = 0
        self.game, self.start, self.moves = "chess", "startpos", []

    def owe(self, word, least=1, most=None):
        self.owed[word][0] += least
        self.owed[word][1] += least if most is None else most

    def say(self, line):
        """Says any line and adds what it must be answered."""
        line = line if isinstance(line, bytes) else line.encode()
        command, rest = command_of(line)
        if command == b"quit":
            return
        if len(line) > 1 << 20:  # only its length is reported
            command = b""
        if command == b"go":
            self.searches += 1
            self.owe(b"bestmove", *([0, 1] if b"perft" in rest else [1]))
        elif command == b"query":
            self.owe(b"response", *([1] if len(rest) > 1 else [0]))
        elif command in (b"isready", b"uci", b"ugi", b"d"):
            self.owe({b"isready": b"readyok", b"uci": b"uciok", b"ugi": b"ugiok", b"d": b"Fen: "}[command])
        self.program.say(line)

    def heard(self, word, since):
        at = self.program.hear_start(word, since)
        return self.program.lines[at - 1].decode(), at

    def ask(self, question):
        since = len(self.program.lines)
        self.say(f"query {question}")
        return self.heard(b"response ", since)[0][9:].split()

    def barrier(self):
        """Whatever went on is stopped, and all it said has been heard."""
        self.barriers += 1
        word = f"zz{self.barriers}zz"
        since = len(self.program.lines)
        self.say("stop")
        self.say(f"go searchmoves {word}")
        at = self.program.hear(lambda line: line.startswith(b"info string") and word.encode() in line, f"the end of what came before {word}", since)
        self.heard(b"bestmove", at)

    def position(self):
        return f"position {self.start}" + (" moves " + " ".join(self.moves) if self.moves else "")

    def refused(self, line):
        """What is said against a `position` line."""
        since = len(self.program.lines)
        self.say(line)
        self.say("isready")
        at = self.program.hear_start(b"readyok", since)
        return [text for text in self.program.lines[since:at] if text.startswith(b"info string")]

    def play(self):
        """Turns chosen at random and searches of every kind; each best move is legal."""
        rng = self.rng
        self.barrier()
        for line in ["setoption name UCI_AnalyseMode value false", "setoption name UCI_Chess960 value false"]:
            self.say(line)
        self.game = rng.choice(self.games)
        self.say(f"setoption name UCI_Variant value {self.game}")
        self.say(f"setoption name Chance value {rng.choice(['self', 'self', 'referee'])}")
        self.say(f"setoption name Chance Seed value {rng.randrange(1, 1000)}")
        self.say("ucinewgame")
        of_it = [text for game, text in positions_by_game().get(self.game, [])]
        self.start, self.moves = "startpos", []
        if of_it and rng.random() < 0.6:
            self.start = "fen " + rng.choice(of_it)
        if self.refused(self.position()):
            # A fixture for a switch that is off, say.
            self.start = "startpos"
            self.say(self.position())
        for _ in range(rng.randrange(3, 9)):
            legal = self.ask("legal")
            known = legal not in (["none"], ["toomany"])
            actor = self.ask("actor")[0]
            if actor == "chance":
                odds = self.ask("odds")
                self.moves.append(rng.choice(odds).split(":")[0])
            else:
                best = self.search(legal, known)
                if best is None:
                    return
                chosen = rng.choice(legal) if known and rng.random() < 0.6 else best
                self.moves.append(chosen)
            said = self.refused(self.position())
            if said:
                self.program.fail(f"in {self.game} what is legal is refused: {said}, {self.position()}")

    def search(self, legal, known):
        rng, since = self.rng, len(self.program.lines)
        kind = rng.randrange(10)
        if kind == 0:
            self.say("go infinite")
            self.say("isready")
            self.program.hear_start(b"readyok", since)
            self.say("stop")
        elif kind == 1 and not self.bridged:
            self.say("go ponder nodes 100")
            self.say(rng.choice(["ponderhit", "stop"]))
        elif kind == 2 and known and not self.bridged:
            legal = rng.sample(legal, min(len(legal), 3))
            self.say(f"go nodes 200 searchmoves {' '.join(legal)}")
        else:
            self.say("go " + rng.choice(LIMITS).format(n=rng.randrange(1, 800)))
        best = self.heard(b"bestmove", since)[0].split()[1]
        if best == "(none)":
            if known and self.ask("gameover") == ["false"] and not self.odds():
                self.program.fail(f"no best move in {self.game}, where {legal[:5]} are legal: {self.position()}")
            return None
        self.checked += 1
        whole = [word.rstrip(",") for word in legal]
        # Where chance or somebody else speaks in the middle, the list has what is said up to there.
        if known and best.rstrip(",") not in whole and not any(best.startswith(word + ",") for word in whole):
            self.program.fail(f"in {self.game} the best move {best} is not among {legal[:20]}: {self.position()}")
        said = self.refused(f"position {self.start} moves {' '.join([*self.moves, best])}")
        if said:
            self.program.fail(f"in {self.game} the best move {best} is refused: {said}: {self.position()}")
        self.say(self.position())
        return best

    def odds(self):
        return self.ask("odds") != ["none"]

    def burst(self):
        """Many at once, without waiting."""
        for _ in range(self.rng.randrange(2, 9)):
            limits = self.rng.choice(["infinite", "nodes 50", "ponder", "depth 1", "movetime 2", "perft 1", "searchmoves x"])
            for line in [f"go {limits}", self.rng.choice(["isready", "stop", "ponderhit", "position startpos", "query fen", "d"])]:
                self.say(line)

    def noise(self):
        for _ in range(self.rng.randrange(4, 25)):
            self.say(self.lines.changed() if self.rng.random() < 0.6 else self.lines.by_grammar())

    def run(self):
        with self.program:
            first = self.rng.choice(["uci", "uci", "uci", "ugi", "isready", "go nodes 20", "position startpos"])
            if self.bridged:
                first = "uci"
            self.say(first)
            self.say("setoption name Hash value 1")
            for _ in range(self.rng.randrange(2, 5)):
                for block in self.rng.sample([self.play, self.burst, self.noise], 3):
                    block()
            if self.rng.random() < 0.7:
                self.barrier()
            self.program.end(b"quit" if self.rng.random() < 0.5 else b"")
            for word, (least, most) in self.owed.items():
                count = self.program.count(word)
                if not least <= count <= most:
                    self.program.fail(f"`{word.decode()}` was owed {least} to {most} times, and came {count} times")
        return self.searches, self.checked


def positions_by_game():
    if not POSITIONS:
        for game, text in positions():
            POSITIONS.setdefault(game, []).append((game, text))
    return POSITIONS


POSITIONS = {}


class XboardSession:
    def __init__(self, command, referee, name, rng, all_games, lines):
        self.program = Program(command, name)
        self.referee_command, self.name = referee, name
        self.rng, self.games, self.lines = rng, all_games, lines
        self.pings, self.said, self.checked = [], 0, 0

    def say(self, line):
        self.said += 1
        line = line if isinstance(line, bytes) else line.encode()
        if line.split()[:1] != [b"quit"]:
            self.program.say(line)

    def ping(self):
        """A number nobody else is likely to think of, so that its pong is known."""
        number = 7_000_000_000 + len(self.pings)
        self.pings.append(b"pong %d" % number)
        self.say(f"ping {number}")

    def barrier(self):
        since = len(self.program.lines)
        self.ping()
        wanted = self.pings[-1]
        return since, self.program.hear(lambda line: line == wanted, wanted.decode(), since)

    def noise(self):
        for _ in range(self.rng.randrange(10, 50)):
            self.say(self.lines.changed() if self.rng.random() < 0.5 else self.lines.by_grammar())
            if self.rng.random() < 0.08:
                self.ping()
        if self.rng.random() < 0.7:
            self.barrier()

    def play(self):
        """Carom plays both sides; another one, which only looks on, refuses none of the moves."""
        rng = self.rng
        game = rng.choice([game for game in self.games if "cards" not in game])
        begin = ["new", "resume", "easy", "nopost", f"variant {game}" if game != "chess" else "new"]
        options = ["option Turn View=whole", "option Player=search", "option Resign=0"]
        for line in [".", "exit", *options, *begin, "nps 0", "st 1", f"sd {rng.randrange(1, 3)}"]:
            self.say(line)
        self.barrier()
        end = (b"move ", b"resign", b"1-0", b"0-1", b"1/2-1/2", b"Error", b"tellusererror", b"offer draw")
        with Program(self.referee_command, f"{self.name}, who looks on") as other:
            other.say("xboard", "protover 2", *begin, "force")
            for _ in range(rng.randrange(3, 10)):
                since = len(self.program.lines)
                self.say("go")
                self.program.hear(lambda line: line.startswith(end), "a move", since)
                _, at = self.barrier()
                moves = [line[5:] for line in self.program.lines[since:at] if line.startswith(b"move ")]
                if not moves:
                    break
                self.checked += len(moves)
                since = len(other.lines)
                other.say(*[b"usermove " + move for move in moves], f"ping {self.checked}")
                at = other.hear_start(b"pong %d" % self.checked, since)
                bad = [line for line in other.lines[since:at] if line.startswith((b"Illegal", b"Error"))]
                if bad:
                    self.program.fail(f"in {game} a move is refused: {bad}, of {moves}")
            other.end(b"quit")

    def run(self):
        with self.program:
            for line in ["xboard", self.rng.choice(["protover 2", "protover 1", "new"]), "memory 1"]:
                self.say(line)
            if self.rng.random() < 0.5:
                self.say("accepted highlight")
            for _ in range(self.rng.randrange(1, 4)):
                for block in self.rng.sample([self.play, self.noise], 2):
                    block()
            self.barrier()
            self.program.end(b"quit" if self.rng.random() < 0.5 else b"")
            ours = [line for line in self.program.lines if line in set(self.pings)]
            if ours != self.pings:
                self.program.fail(f"{len(self.pings)} pings, and {len(ours)} pongs in this order")
        return self.said, len(self.pings), self.checked


def uci(attack):
    """UCI sessions: no panic, every answer that is owed, legal best moves."""
    names, target = games(attack.carom), corpus("sessions") + corpus("protocols")

    def session(number):
        rng = seeded(attack.seed, "uci", number)
        lines = Lines(rng, UCI_LINES, names, target)
        return UciSession([attack.carom], f"uci session {number}", rng, names, lines).run()

    done = attack.each(session, attack.size(1500))
    return f"{len(done)} sessions, {sum(one[0] for one in done)} searches, {sum(one[1] for one in done)} moves checked"


def xboard(attack):
    """The same over the XBoard protocol."""
    names, target = games(attack.carom), corpus("sessions") + corpus("protocols")

    def session(number):
        rng = seeded(attack.seed, "xboard", number)
        lines = Lines(rng, XBOARD_LINES, names, target)
        return XboardSession([attack.carom], [attack.carom], f"xboard session {number}", rng, names, lines).run()

    done = attack.each(session, attack.size(800))
    said, pings, checked = (sum(one[at] for one in done) for at in range(3))
    return f"{len(done)} sessions, {said} lines, {pings} pings, {checked} moves checked"
