"""XBoard's game records, replayed by Carom's rules, with XBoard's board followed beside them."""

import json
import re
import subprocess

# What a ply of XBoard's looks like: piece, origin as far as it is said, destination, new piece.
PLY = re.compile(r"([A-Z]?)([a-p]?)(\d{0,2})x?([a-p]\d{1,2})(?:=([A-Z]))?[+#]?")
CASTLING = {"O-O": "g", "O-O-O": "c"}
# A demotion as XBoard writes it: over an empty square and back; the origin is left out where one piece fits.
ON_THE_SPOT = re.compile(r"[A-Z]?(?:[a-p]\d{1,2})?x?[a-p]\d{1,2}-([a-p]\d{1,2})=?([A-Za-z])")


class Rules:
    """`carom show` for one game."""

    def __init__(self, carom, game):
        self.carom, self.game = carom, game

    def show(self, tokens, position=None):
        command = [self.carom, "show", "--game", self.game, "--json", "--moves", " ".join(tokens)]
        if position:
            command += ["--position", position]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{self.game} after {' '.join(tokens)}: {done.stderr.strip()}"
        return json.loads(done.stdout)


class Board:
    """Pieces on squares, nothing else; read from the first field of a position."""

    def __init__(self, text):
        self.rows = []
        for row in text.split()[0].split("[")[0].split("/"):
            cells = []
            for word in re.findall(r"\d+|\+?.", row):
                cells += ["."] * int(word) if word.isdigit() else [word]
            self.rows.append(cells)

    def __eq__(self, other):
        return self.rows == other.rows

    def __str__(self):
        return "/".join("".join(row) for row in self.rows)

    def at(self, square):
        return self.rows[len(self.rows) - int(square[1:])][ord(square[0]) - ord("a")]

    def put(self, square, piece):
        self.rows[len(self.rows) - int(square[1:])][ord(square[0]) - ord("a")] = piece


def read_games(path):
    """The games of a PGN file: tags, plies, result and the comment before the result."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    games = []
    for part in re.split(r"(?m)^(?=\[Event )", text)[1:]:
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', part, re.MULTILINE))
        moves = re.sub(r"(?m)^\[\w+ .*\]$", "", part)
        comments = re.findall(r"\{([^}]*)\}", moves)
        words = re.sub(r"\{[^}]*\}", " ", moves).split()
        plies = [word for word in words if not re.fullmatch(r"\d+\.+|1-0|0-1|1/2-1/2|\*", word)]
        games.append(
            {
                "tags": tags,
                "plies": plies,
                "result": words[-1],
                "comment": " ".join(comments[-1].split()) if comments else "",
            }
        )
    return games


def token_of(ply, legal, board, white):
    """The legal token that `ply` means: the only one that agrees with all it says."""
    spot = ON_THE_SPOT.fullmatch(ply)
    if spot:
        token = f"{spot[2].upper()}@{spot[1]}"
        assert token in legal, f"{ply} is not legal"
        return token
    castling = CASTLING.get(ply.rstrip("+#"))
    if castling:
        rank = "1" if white else "8"
        ply = f"Ke{rank}{castling}{rank}"
    match = PLY.fullmatch(ply)
    assert match, f"not understood: {ply}"
    piece, file, rank, to, suffix = match.groups()
    found = []
    for token in legal:
        parts = re.fullmatch(r"([a-p])(\d{1,2})([a-p]\d{1,2})([a-z]?)", token)
        if not parts or parts[3] != to or parts[4].upper() != (suffix or ""):
            continue
        if (file and parts[1] != file) or (rank and parts[2] != rank):
            continue
        # Chess leaves the pawn's letter out.
        if board.at(parts[1] + parts[2]).upper() == (piece or "P"):
            found.append(token)
    assert len(found) == 1, f"{ply} means {found or 'nothing'} among {' '.join(legal)}"
    return found[0]


def take_off(ply, board, white):
    """Carries out a correcting ply such as `Wh2b1=Z`: a piece goes to an empty square as a piece that does not exist."""
    match = PLY.fullmatch(ply)
    assert match and match[5] == "Z", f"no correction: {ply}"
    piece, file, rank, to, _ = match.groups()
    assert board.at(to) == ".", f"{ply} goes to a square that is not empty"
    piece = piece if white else piece.lower()
    found = [
        square
        for square in (f"{chr(ord('a') + column)}{row + 1}" for row in range(len(board.rows)) for column in range(8))
        if board.at(square) == piece and (not file or square[0] == file) and (not rank or square[1:] == rank)
    ]
    assert len(found) == 1, f"{ply} takes off {found or 'nobody'} of {board}"
    board.put(found[0], ".")


def follow(token, board, white):
    """Carries out a token the way XBoard's board does: one piece moves or changes, nothing else."""
    if "@" in token:
        letter, square = token.split("@")
        board.put(square, letter if white else letter.lower())
        return
    start, to, suffix = re.fullmatch(r"([a-p]\d{1,2})([a-p]\d{1,2})([a-z]?)", token).groups()
    piece = board.at(start)
    if suffix:
        piece = suffix.upper() if white else suffix
    board.put(start, ".")
    board.put(to, piece)


class Replay:
    """A game of `read_games` played again from `position` (the game's start if none), our board beside XBoard's.

    Raises AssertionError unless every ply is legal and XBoard's board is ours before every turn."""

    def __init__(self, rules, game, position=None):
        self.game, self.tokens, self.corrections = game, [], 0
        self.now = rules.show(self.tokens, position)
        self.board = Board(self.now["position"])
        white = self.now["actor"] == "White"
        for ply in game["plies"]:
            if ply == "--" or "=Z" in ply:
                assert self.board != Board(self.now["position"]), f"correction {ply} without need"
                if ply != "--":
                    take_off(ply, self.board, white)
                self.corrections += 1
            else:
                self.same_boards(f"before {ply}")
                token = token_of(ply, self.now["legal"], self.board, white)
                self.tokens.append(token)
                follow(token, self.board, white)
                self.now = rules.show(self.tokens, position)
                if rules.game == "chess":  # castling and en passant: XBoard knows them
                    self.board = Board(self.now["position"])
            white = not white

    def same_boards(self, when):
        ours = Board(self.now["position"])
        assert self.board == ours, f"{when}: XBoard shows {self.board}, we have {ours}"

    def ends_with(self, saved):
        """Asserts that XBoard's board at the end, `saved` by XBoard itself, is the one followed here, and ours."""
        assert self.board == Board(saved), f"XBoard ended with {saved}, by the record {self.board}"
        outcome = self.now["outcome"]
        # A removal that ends the game is not shown any more.
        if not outcome or "removed" not in outcome["reason"]:
            self.same_boards("at the end")

    def agrees(self, game):
        """Asserts that the game is over by our rules as the record says."""
        outcome = self.now["outcome"]
        assert outcome, f"not over by our rules: {self.now['position']}"
        assert game["result"] == game["tags"]["Result"] == outcome["result"], f"{game['result']}, ours {outcome}"
        assert game["comment"] == outcome["reason"], f"{game['comment']}, ours {outcome}"

    @property
    def summary(self):
        """What happened, in short."""
        extra = f" and {self.corrections} correcting plies" if self.corrections else ""
        return f"{self.game['result']} in {len(self.tokens)} turns{extra} ({self.game['comment']})"
